#!/usr/bin/perl
# clocks.t -- the time is over in the middle of every stage, and every stage may be one that never ends.
#
#   a clock that jumps    the N-th look at the clock is a day later (inject.c: clock), with --time 1h: whoever looks comes to an orderly end
#   a loop without end    the N-th request for memory never returns (inject.c: FAULT_HANG), with --time 0.2, or with a SIGTERM after 0.2 s and no --time: the watchdog
#                         has the last word, within a second
#
# Requests count until the watchdog has gone: then all is found out, and printed as fast as somebody reads it.
#
# Whatever the end, what is said of a property is what a run without a fault says of it, or "unknown"; --json is one object; the contest's answers are the right ones or
# CANNOT_COMPUTE, each query once; no half of a file is left. FAULT_MOST=N takes more places (make test-long), FAULT_ONLY=NAME one command.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use JSON::PP;
use POSIX ();
use Test::More;
use Time::HiRes qw(time sleep);

my $thimble = abs_path($ENV{THIMBLE} || 'build/thimble');
my $library = abs_path(($ENV{BUILD} || 'build') . '/tests/fault/inject.so');
my $most = $ENV{FAULT_MOST} || 5;
my $root = abs_path('.');
my $only = $ENV{FAULT_ONLY};
plan skip_all => 'no library to preload' if !$library || !-e $library;
plan skip_all => 'sanitizers have allocators of their own' if ($ENV{CONFIG} || 'release') ne 'release';

my $work = tempdir(CLEANUP => 1);
srand 20261120;
sub make_file { my ($name, $text) = @_; open my $out, '>', "$work/$name" or die; print $out $text; close $out }
make_file('ring.net', "net ring\npl a (14)\npl b (0)\npl c (0)\ntr t a -> b\ntr u b -> c\ntr v c -> a\n");
make_file('grows.net', "net grows\npl a (1)\npl b (0)\ntr t a -> a b\n");
make_file('lost.pml', "byte x;\nactive [2] proctype P() { byte t; do :: x < 9 -> t = x; x = t + 1 :: x > 4 -> x = 0 od }\n");
make_file('ring.xml', '<?xml version="1.0"?><property-set xmlns="http://mcc.lip6.fr/">' . join('', map {
  my ($id, $bound) = @$_;
  "<property><id>$id</id><description>d</description><formula><exists-path><finally><integer-le><integer-constant>$bound</integer-constant><tokens-count><place>b</place></tokens-count></integer-le></finally></exists-path></formula></property>"
} ['q-00', 3], ['q-01', 14], ['q-02', 15], ['q-03', 1]) . '</property-set>');
system($thimble, 'convert', "$work/ring.net", '-o', "$work/ring.pnml") == 0 or BAIL_OUT('convert');

# name => [what is run]
my @commands = (
  ['states', 'check', '--json', '--invariant', 'a <= 13', '--reachable', 'c == 3', '--no-deadlock', '--continue', 'ring.net'],
  ['runs', 'check', '--json', '--ltl', '[] (a > 0 -> <> b > 0)', '--ltl', '<> [] a > 0', '--invariant', 'a + b + c == 14', 'ring.net'],
  ['branching', 'check', '--json', '--ctl', 'AG EF a == 14', '--ctl', 'AG a > 0', 'ring.net'],
  ['game', 'check', '--json', '--strategy', 'reach c == 3', '--uncontrollable', 'v', 'ring.net'],
  ['smaller', 'check', '--json', '--reduce', 'auto', '--invariant', 'b <= 14', 'ring.net'],
  ['directed', 'check', '--json', '--search', 'astar', '--reachable', 'c == 9', 'ring.net'],
  ['depth-first', 'check', '--json', '--search', 'dfs', '--store', 'compact-tree', '--invariant', 'b < 20', 'ring.net'],
  ['sweep', 'check', '--json', '--search', 'sweep', '--progress-measure', 'b', '--invariant', 'b < 20', 'ring.net'],
  ['comback', 'check', '--json', '--store', 'comback', '--invariant', 'b < 20', 'ring.net'],
  ['disk', 'check', '--json', '--store', 'disk', '--disk', 'd', '--invariant', 'b < 20', 'ring.net'],
  ['unbounded', 'check', '--json', '--invariant', 'b < 9', 'grows.net'],
  ['program', 'check', '--json', '--engine', 'interpreter', '--invariant', 'x < 10', '--ltl', '<> x == 9', 'lost.pml'],
  ['reduced program', 'check', '--json', '--engine', 'interpreter', '--reduce', 'auto', '--invariant', 'x < 10', 'lost.pml'],
  ['fair program', 'check', '--json', '--engine', 'interpreter', '--fair', 'weak', '--ltl', '[] <> x == 0', 'lost.pml'],
  ['report', 'check', '--json', '--invariant', 'a <= 13', '--report', 'r.html', '--sarif', 's.sarif', 'ring.net'],
  ['certificate', 'check', '--json', '--invariant', 'a <= 14', '--certificate', 'c.cert', 'ring.net'],
  ['coloured', 'check', '--json', "$root/tests/models/coloured/" . (map { s{.*/}{}r } sort glob("$root/tests/models/coloured/*.cpnt"))[0]],
  ['deadlock of the contest', 'check', '--mcc', 'ReachabilityDeadlock', 'ring.pnml'],
  ['liveness of the contest', 'check', '--mcc', 'Liveness', 'ring.pnml'],
  ['states of the contest', 'check', '--mcc', 'StateSpace', 'ring.pnml'],
  ['queries of the contest', 'check', '--mcc', 'ReachabilityCardinality', '--queries', 'ring.xml', 'ring.pnml'],
  ['info', 'info', '--json', '--bounds', '--invariants', 'ring.net'],
  ['graph', 'graph', '-f', 'aut', '-o', 'g.aut', 'ring.net'],
  ['minimise', 'graph', '--minimise', 'branching', '-f', 'aut', '-o', 'g.aut', 'ring.net'],
  ['compare', 'compare', 'ring.net', 'ring.pnml'],
  ['convert', 'convert', 'ring.net', '-o', 'm.pnml'],
);

my $serial = 0;
# Starts one in a folder of its own; what it needs to be heard later.
sub start {
  my ($fault, @args) = @_;
  my $folder = "$work/run" . $serial++;
  mkdir $folder or die;
  mkdir "$folder/d";
  system 'cp', glob("$work/*.net $work/*.pml $work/*.xml $work/*.pnml"), $folder;
  my $pid = fork // die;
  if (!$pid) {
    chdir $folder;
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', "$folder/out";
    open STDERR, '>', "$folder/err";
    delete @ENV{qw(NO_COLOR BK_EXAMINATION BK_TIME_CONFINEMENT BK_MEM_CONFINEMENT)};
    if (%$fault) { @ENV{keys %$fault} = values %$fault; $ENV{LD_PRELOAD} = $library; $ENV{FAULT_OWN} = 1 }
    exec $thimble, @args or POSIX::_exit(99);
  }
  return {pid => $pid, folder => $folder, began => time};
}
sub text { my ($name) = @_; open my $in, '<', $name or return ''; local $/; return scalar(<$in>) // '' }
sub hear {
  my ($run) = @_;
  while (waitpid($run->{pid}, POSIX::WNOHANG) == 0) { # it may have stopped an alarm
    kill 'KILL', $run->{pid} if time > $run->{began} + 25;
    sleep 0.01;
  }
  $run->{took} = time - $run->{began};
  $run->{code} = $? & 127 ? -($? & 127) : $? >> 8;
  $run->{$_} = text("$run->{folder}/$_") for qw(out err count);
  opendir my $d, $run->{folder};
  $run->{rest} = join ' ', grep { /\.tmp$/ } readdir $d;
  remove_tree($run->{folder});
  return $run;
}

# What is said, by property or query; undef: it cannot be read.
sub said {
  my ($out) = @_;
  if ($out =~ /^\{/) {
    my $o = eval { decode_json($out) } or return;
    return {map { ref && $_->{id} ? ($_->{id} => $_->{status} // "?") : () } @{$o->{properties} || []}};
  }
  my %said;
  for ($out =~ /^FORMULA (\S+ \S+)/mg) {
    my ($id, $answer) = split ' ';
    return if exists $said{$id};
    $said{$id} = $answer;
  }
  return \%said;
}

# What is wrong with a run, or nothing.
sub fault {
  my ($run, $truth, $limit, @codes) = @_;
  my $what = text_of($run);
  return "took $run->{took} s: $what" if $run->{took} > $limit;
  return "exit $run->{code}: $what" unless grep { $_ == $run->{code} } @codes, $truth->{code};
  return "leaves $run->{rest}" if $run->{rest};
  return if $run->{out} eq '' || $truth->{out} eq ''; # nothing to say
  my ($is, $right) = (said($run->{out}), said($truth->{out}));
  return "cannot be read: $what" if !$is;
  for my $id (sort keys %$is) {
    next if $is->{$id} =~ /^(?:unknown|CANNOT_COMPUTE)$/;
    return "$id: $is->{$id}, not " . ($right->{$id} // 'asked') if ($right->{$id} // '') ne $is->{$id};
  }
  return;
}
sub text_of { my ($run) = @_; return substr(join(' ', $run->{err}, $run->{out}) =~ s/\s+/ /gr, 0, 200) }

# Which of n.
sub some {
  my ($n) = @_;
  my %at = map { $_ => 1 } $n <= $most ? 1 .. $n : (1, $n, map { 1 + int rand $n } 3 .. $most);
  return sort { $a <=> $b } keys %at;
}

# Runs that wait for the most part: many at once. What becomes of each goes to its `then`.
my @waiting;
sub drain { while (my $one = shift @waiting) { $one->{then}->(hear($one->{run})) } }
sub later { my ($then, @how) = @_; drain() if @waiting >= 60; push @waiting, {then => $then, run => start(@how)}; return $waiting[-1]{run}{pid} }
sub send_term {
  my ($pid) = @_;
  return if fork;
  sleep 0.25;
  kill 'TERM', $pid;
  POSIX::_exit(0);
}

my @done;
for my $c (@commands) {
  my ($name, @args) = @$c;
  next if $only && $name ne $only;
  my $truth = hear(start({}, @args));
  my %o = (name => $name, wrong => [], stopped => 0, cut => 0);
  push @done, \%o;
  push @{$o{wrong}}, "ended by a signal without a fault" if $truth->{code} < 0;
  $o{looks} = hear(start({FAULT_KIND => 'clock', FAULT_COUNT => 'count'}, @args))->{count} || 0;
  for my $at (some($o{looks})) {
    later(sub {
      my ($run) = @_;
      my $bad = fault($run, $truth, 20, 4);
      push @{$o{wrong}}, "look $at of $o{looks}: $bad" if $bad;
      $o{stopped} += $run->{code} == 4;
    }, {FAULT_KIND => 'clock', FAULT_AT => $at}, @args, qw(--time 1h));
  }
  $o{requests} = hear(start({FAULT_KIND => 'malloc', FAULT_HANG => 1, FAULT_COUNT => 'count'}, @args))->{count} || 0;
  for my $at (some($o{requests})) {
    my $by_signal = $at % 2;
    my $pid = later(sub {
      my ($run) = @_;
      my $bad = fault($run, $truth, 12 + 3, $by_signal ? (130, -15) : 4); # where the answers are known and files are being written there is more time
      push @{$o{wrong}}, "request $at of $o{requests}" . ($by_signal ? ', SIGTERM' : '') . ": $bad" if $bad;
      $o{cut}++;
    }, {FAULT_KIND => 'malloc', FAULT_HANG => 1, FAULT_AT => $at}, @args, $by_signal ? () : qw(--time 0.2));
    send_term($pid) if $by_signal;
  }
}
drain();
for my $o (@done) {
  ok(!@{$o->{wrong}}, "$o->{name}: the time is over at $o->{looks} looks at the clock ($o->{stopped} runs incomplete), a stage hangs at $o->{cut} of $o->{requests} requests for memory");
  diag $_ for grep { defined } @{$o->{wrong}}[0 .. 4];
}
done_testing();
