# Spin.pm -- runs SPIN and Thimble on the same Promela model and puts their answers into the same words.
#
# Shared by tests/peers/spin.t, tests/peers/spin/shrink, tests/models/promela_counts.t, tools/compare-promela and
# bench/promela/run and bench/conformance/run, so that "the same count" means one thing everywhere:
#
#   SPIN     spin -a -o1 -o2 -o3 (no dead variables, no merging of statements), -DSAFETY -DNOREDUCE -DNOCLAIM,
#            pan -c0 -n: a complete search of what the model says, errors do not stop it.
#   Thimble  check --continue --reduce none --no-claims --store plain.
#
# An answer is a hash:
#   status       "ok" (a complete search), or why it is no oracle: "refused" (the model was rejected), "cut" (depth, memory or
#                time), "broken" (the checker itself failed)
#   why          a line about that
#   states, transitions (edges: SPIN's figure also counts the arrival at the initial state, Thimble's does not)
#   assertion, deadlock   1 if some failed assertion / invalid end state was met
#   other        another fault that pan told, such as "block in d_step seq"
#   spin also: warnings, vector, depth, seconds (pan's own), bytes_states, bytes_table, bytes_total, wall (of all three steps)
#   thimble also: properties (id => status), said (standard error), seconds (search), compile, bytes_states, wall, engine
package Spin;
use strict;
use warnings;
use Cwd ();
use Exporter 'import';
use File::Temp ();
use JSON::PP ();
use Time::HiRes ();
our @EXPORT_OK = qw(find_program generate_pan compile_pan run_spin run_thimble differences languages rows command slurp);

our @PINNED = (); # e.g. ("taskset", "-c", "0"): put before every command that is measured

sub find_program {
  my ($name) = @_;
  for my $folder (split /:/, $ENV{PATH} // '') { return "$folder/$name" if -x "$folder/$name" && !-d _ }
  return undef;
}

sub slurp {
  my ($file) = @_;
  open my $in, '<', $file or return '';
  local $/;
  my $text = <$in>;
  return $text // '';
}

# Runs a command in a folder with a time limit; gives (exit code, output with errors, seconds). Code 124 is the time limit.
our $ADDRESSES = 0; # MB of address space that a command may have; 0: no limit
sub command {
  my ($folder, $seconds, $separate, @words) = @_;
  my $out = File::Temp->new;
  my $err = $separate ? File::Temp->new : undef;
  my $begin = Time::HiRes::time();
  my $pid = fork // die "fork: $!";
  if (!$pid) {
    chdir $folder or exit 126;
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', $out->filename or exit 126;
    if ($separate) { open STDERR, '>', $err->filename or exit 126 } else { open STDERR, '>&', \*STDOUT or exit 126 }
    unshift @words, 'sh', '-c', 'ulimit -v ' . $ADDRESSES * 1024 . '; exec "$@"', 'sh' if $ADDRESSES;
    exec 'timeout', '-k', '1', $seconds, @words or exit 127;
  }
  waitpid $pid, 0;
  my $code = $? & 127 ? 128 + ($? & 127) : $? >> 8;
  my $spent = Time::HiRes::time() - $begin;
  return ($code, slurp($out->filename), $spent, $separate ? slurp($err->filename) : '');
}

sub generate_pan { # pan.c and its neighbours in a folder; the answer so far
  my ($file, $folder, %o) = @_;
  my %a = (status => 'ok', why => '', assertion => 0, deadlock => 0, warnings => [], other => '', wall => 0);
  my @flags = $o{flags} ? @{$o{flags}} : qw(-o1 -o2 -o3);
  my ($code, $text, $spent) = command($folder, $o{seconds}, 0, @PINNED, 'spin', '-a', @flags, map({ "-D$_" } @{$o{defines} // []}), Cwd::abs_path($file));
  $a{wall} += $spent;
  push @{$a{warnings}}, grep { /warning|error|saw/i } split /\n/, $text;
  return \%a if $code == 0 && -e "$folder/pan.c";
  return {%a, status => 'cut', why => "spin does not end within $o{seconds} s"} if $code == 124 || $code == 137;
  my ($why) = grep { /error|saw/i } split /\n/, $text;
  return {%a, status => 'refused', why => $why // "spin exits with $code"};
}

sub compile_pan { # 1: there is a program of that name; 0: what it says
  my ($folder, $name, %o) = @_;
  my $memory = $o{memory} // 2000;
  my @cflags = $o{cflags} ? @{$o{cflags}} : qw(-DSAFETY -DNOREDUCE -DNOCLAIM);
  my ($code, $text, $spent) = command($folder, 120, 0, @PINNED, $o{cc} // 'cc', '-w', $o{optimise} // '-O0', @cflags, "-DMEMLIM=$memory", '-o', $name, 'pan.c');
  return ($code == 0, $spent, $text);
}

# %o: defines (a list of NAME=VALUE), optimise ("-O0"), depth, table (pan -w), seconds, memory (MB),
# folder (for the files; else a temporary one), again (pan is there already from a run in the same folder), generated (an answer of generate_pan in that folder), cc, cflags, flags and pan (lists, instead
# of the usual options of spin, of the compiler, of pan)
sub run_spin {
  my ($file, %o) = @_;
  my $folder = $o{folder} // File::Temp->newdir;
  my $seconds = $o{seconds} // 20;
  my %a = (status => 'ok', why => '', assertion => 0, deadlock => 0, warnings => [], other => '', wall => 0);
  if (!$o{again}) {
    %a = %{$o{generated} // generate_pan($file, "$folder", %o, seconds => $seconds)};
    return \%a if $a{status} ne 'ok';
    my ($done, $spent) = compile_pan("$folder", 'pan', %o);
    $a{wall} += $spent;
    return {%a, status => 'broken', why => 'pan.c does not compile'} if !$done;
  }
  my ($code, $text, $spent) = command("$folder", $seconds, 0, @PINNED, './pan', $o{pan} ? @{$o{pan}} : qw(-c0 -n), '-m' . ($o{depth} // 100000), $o{table} ? "-w$o{table}" : ());
  $a{wall} += $spent;
  $a{output} = $text;
  for my $message ($text =~ /^pan:\d+: (.*)\n/mg) { # whole lines: it may have been stopped in the middle of one
    if ($message =~ /^assertion violated/ && $message !~ /invalid array index/) { $a{assertion} = 1 }
    elsif ($message =~ /^invalid end state/) { $a{deadlock} = 1 }
    elsif ($message !~ /^aborting/) { $a{other} = $message } # pan's own limits are told below
  }
  return {%a, status => 'cut', why => "no end within $seconds s"} if $code == 124 || $code == 137;
  return {%a, status => 'cut', why => 'max search depth'} if $text =~ /max search depth too small/;
  return {%a, status => 'cut', why => 'memory'} if $text =~ /reached -DMEMLIM|out of memory|VECTORSZ/i;
  ($a{states}) = $text =~ /^\s*([\d.e+]+) states, stored/m;
  ($a{transitions}) = $text =~ /^\s*([\d.e+]+) transitions \(/m;
  return {%a, status => 'broken', why => "pan exits with $code: " . ((split /\n/, $text)[-1] // 'nothing printed')} if !defined $a{states} || !defined $a{transitions};
  $_ = 0 + $_ for @a{qw(states transitions)};
  $a{transitions}--;
  return {%a, status => 'cut', why => 'the search was not completed'} if $text =~ /Search not completed/;
  ($a{vector}, $a{depth}) = $text =~ /State-vector (\d+) byte, depth reached (\d+)/;
  ($a{seconds}) = $text =~ /elapsed time ([\d.e+-]+) seconds/;
  $a{seconds} //= 0;
  my $mb = 1048576;
  ($a{bytes_states}) = map { $_ * $mb } $text =~ /^\s*([\d.e+-]+)\s+actual memory usage for states/m;
  ($a{bytes_states}) = map { $_ * $mb } $text =~ /^\s*([\d.e+-]+)\s+equivalent memory usage for states/m unless defined $a{bytes_states};
  ($a{bytes_table}) = map { $_ * $mb } $text =~ /^\s*([\d.e+-]+)\s+memory used for hash table/m;
  ($a{bytes_total}) = map { $_ * $mb } $text =~ /^\s*([\d.e+-]+)\s+total actual memory usage/m;
  return \%a;
}

sub thimble { return $ENV{THIMBLE} // 'build/thimble' }

# The languages that this thimble reads.
sub languages {
  my ($code, $text) = command('.', 20, 0, thimble(), '--help');
  my ($list) = $text =~ /^Languages.*?\n(.*?)\n\n/ms;
  return map { /^\s+(\S+)/ ? $1 : () } split /\n/, $list // '';
}

# %o: defines, engine, seconds, options (instead of the usual ones), by_name (the language is told by the file's name, not Promela)
sub run_thimble {
  my ($file, %o) = @_;
  my $seconds = $o{seconds} // 20;
  my @options = $o{options} ? @{$o{options}} : qw(--continue --reduce none --no-claims --store plain);
  my $scratch = File::Temp->newdir;
  local $ENV{XDG_CACHE_HOME} = "$scratch/cache"; # nothing that was compiled before helps
  my ($code, $text, $spent, $errors) = command("$scratch", $seconds, 1, @PINNED, Cwd::abs_path(thimble()), 'check', '--json', '--progress', 'none', $o{by_name} ? () : ('--language', 'promela'),
    @options, $o{engine} ? ('--engine', $o{engine}) : (), map({ ('-D', $_) } @{$o{defines} // []}), Cwd::abs_path($file));
  my %a = (status => 'ok', why => '', assertion => 0, deadlock => 0, other => '', wall => $spent);
  my ($first) = ((grep { /error/ } split /\n/, $errors), split(/\n/, $errors));
  return {%a, status => 'cut', why => "no end within $seconds s"} if $code == 124 || $code == 137;
  $a{said} = $errors;
  return {%a, status => 'refused', why => $first // "exit $code"} if $code == 3 || $code == 2;
  my $json = eval { JSON::PP->new->decode($text) };
  return {%a, status => 'broken', why => "exit $code: " . ($first // 'no JSON')} if !$json || $code >= 70;
  my $reason = $json->{stop} && $json->{stop}{reason} || '';
  $a{states} = $json->{states};
  $a{transitions} = $json->{transitions};
  $a{depth} = $json->{depth};
  $a{deadlock} = ($json->{deadlocks} // 0) > 0 ? 1 : 0;
  $a{properties} = {map { $_->{id} => $_->{status} } @{$json->{properties} // []}};
  for my $property (@{$json->{properties} // []}) {
    next if ($property->{status} // '') ne 'violated';
    my $kind = $property->{kind} // '';
    if ($kind =~ /assert/) { $a{assertion} = 1 }
    elsif ($kind !~ /^deadlock|end/) { $a{other} = "$kind: " . ($property->{text} // $property->{id} // '') }
  }
  $a{seconds} = $json->{time}{search_s};
  $a{compile} = $json->{time}{compile_s};
  $a{bytes_states} = $json->{memory}{store_bytes};
  $a{bytes_total} = $json->{memory}{resident_peak_bytes};
  $a{engine} = $json->{engine};
  return {%a, status => 'cut', why => "stopped: $reason"} if $code == 4;
  return \%a;
}

sub rows { # the lines of a CSV file (RFC 4180) as hashes
  my ($file) = @_;
  open my $in, '<', $file or return ();
  local $/;
  my $text = <$in>;
  $text =~ s/\r//g;
  my (@rows, @row);
  while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|\z)/g) {
    my ($field, $stop) = ($1 // $2, $3);
    $field =~ s/""/"/g if defined $1;
    push @row, $field;
    next if $stop eq ',';
    push @rows, [@row] if @row > 1;
    @row = ();
    last if $stop eq '';
  }
  my $names = shift @rows // [];
  return map { my $r = $_; my %h; @h{@$names} = @$r; \%h } @rows;
}

# What two answers (SPIN's first) disagree about, in words; an empty list if nothing.
sub differences {
  my ($spin, $thimble) = @_;
  return ("thimble: $thimble->{status}: $thimble->{why}") if $thimble->{status} ne 'ok';
  my @said;
  for my $what (qw(states transitions)) {
    push @said, "$what: SPIN $spin->{$what}, Thimble " . ($thimble->{$what} // 'nothing') if $spin->{$what} != ($thimble->{$what} // -1);
  }
  for my $what (qw(assertion deadlock)) {
    push @said, "$what: SPIN " . ($spin->{$what} ? 'yes' : 'no') . ', Thimble ' . ($thimble->{$what} ? 'yes' : 'no') if $spin->{$what} != $thimble->{$what};
  }
  return @said;
}

1;
