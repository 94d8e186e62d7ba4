#!/usr/bin/perl
# inject.t -- whole runs in which one call fails: memory, files, processes, libraries, threads (inject.c), one call after the other.
#
# Whatever fails, a run ends by itself, with a code of the contract; 0 and 1 are said only where they are right, a file is there in full or not at all, and nothing is left behind.
# A build with the leak sanitizer (make CONFIG=leak test-faults) also tells what was not given back: then the code is 23.
# Of many calls some are taken: the first eight, the last, and others by a seeded choice; FAULT_MOST=N takes more of them (make test-long).
# thimble-mpi runs alone and as two ranks, of which one has the fault, in a call of its own: what an MPI library does when it has no memory is its own affair. Starting it takes long, so that only few calls are taken every day.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use POSIX ();
use Test::More;
use Time::HiRes qw(time);

my $thimble = abs_path($ENV{THIMBLE} || 'build/thimble');
my $library = abs_path(($ENV{BUILD} || 'build') . '/tests/fault/inject.so');
my $most = $ENV{FAULT_MOST} || 5;
my $long = $ENV{THIMBLE_LONG};
my $root = abs_path('.');
plan skip_all => 'no library to preload' if !$library || !-e $library;
my $config = $ENV{CONFIG} || 'release';
plan skip_all => 'sanitizers have allocators of their own' if $config ne 'release' && $config ne 'leak';
my $only = $ENV{FAULT_ONLY};
srand 20261117;

my $work = tempdir(CLEANUP => 1);
my $models = "$work/models";
mkdir $models;
mkdir "$work/mpi";
sub make_file { my ($name, $text) = @_; open my $out, '>', "$models/$name" or die; print $out $text; close $out }
make_file('small.net', "place a = 4\nplace b = 0\nplace c = 0\ntransition t: a -> b\ntransition u: b -> c\ntransition v: c -> a\n");
make_file('long.net', join('', map({ 'place p' . $_ . ' = ' . (1000000 + 37 * $_) . "\n" } 1 .. 12000), map { "place c$_" . ($_ == 0 ? " = 1\n" : "\n") } 0 .. 20)
  . join('', map { "transition t$_: c$_, p$_ -> c" . ($_ + 1) . "\n" } 1 .. 19) . 'transition t0: c0 -> c1' . "\ntransition u: c20 -> c0\ntransition v: c3, " . join(', ', map { 3 + $_ % 5 . "*p$_" } 1 .. 12000) . " -> c0\n");
make_file('small.pml', "#define N 3\nbyte x;\nactive [2] proctype P() { do :: x < N -> x++ :: x > 0 -> x-- od }\n");
make_file('wrong.pml', "byte x;\nactive [2] proctype P() { byte t; t = x; x = t + 1; assert(x < 2) }\n");
make_file('small.dve', "byte x = 0;\nprocess P { state a, b; init a; trans a -> b { guard x < 3; effect x = x + 1; }, b -> a { }; }\nsystem async;\n");

make_file('suite.toml', "title = \"Small\"\nrepetitions = 1\ntime = \"20s\"\nmemory = \"64M\"\n[[way]]\nname = \"plain\"\noptions = { store = \"plain\" }\n[[model]]\nname = \"small\"\nfile = \"small.net\"\n");
open my $moves, '>', "$work/moves" or die;
print $moves "1\n1\nu\nb\ns\nq\n";
close $moves;
open my $theirs, '>', "$work/theirs" or die;
print $theirs "leak:gnutls\nleak:libasn1\nleak:libp11\n";
close $theirs;

# name => [code of a run without faults, arguments]
my @scenarios = (
  ['net', 0, 'check', '--no-deadlock', "$models/small.net"],
  ['pnml', 0, 'check', '--invariant', 'critical1 + critical2 <= 1', "$root/examples/mutex.pnml"],
  ['violated', 1, 'check', '-o', 'trace.json', '--report', 'report.html', '--junit', 'junit.xml', "$models/wrong.pml"],
  ['promela', 0, 'check', '--json', "$models/small.pml"],
  ['ltl', 1, 'check', '--ltl', '<> (x == 3)', '-o', 'trace.json', "$models/small.pml"],
  ['ctl', 0, 'check', '--no-deadlock', '--ctl', 'AG EF (a == 4)', "$models/small.net"],
  ['dve', 0, 'check', '--no-deadlock', '--reduce', 'auto', "$models/small.dve"],
  ['coloured', undef, 'check', '-o', 'trace.json', glob("$root/examples/dining*.cpnt $root/examples/philosoph*.cpnt")],
  ['threads', 0, 'check', '-j', '2', '--no-deadlock', "$models/small.net"],
  ['compiled', 0, 'check', '--engine', 'compiled', "$models/small.pml"],
  ['stores', 0, 'check', '--store', 'compact-tree', '--no-deadlock', "$models/small.net"],
  ['disk', 0, 'check', '--store', 'disk', '--disk', 'states', '--no-deadlock', "$models/small.net"],
  ['checkpoint', 4, 'check', '--no-deadlock', '--max-states', '9', '--checkpoint', 'c.ckpt', "$models/small.net"],
  ['resume', 0, 'resume', 'c.ckpt'],
  ['graph', 0, 'graph', '-f', 'aut', '-o', 'graph.aut', "$models/small.net"],
  ['summary', 0, 'graph', '--summary', "$models/small.net"],
  ['simulate', 0, 'simulate', '--random', '20', "$models/small.pml"],
  ['trace', 0, 'trace', "$work/kept.json", '--format', 'svg', '-o', 'chart.svg'],
  ['report', 0, 'report', "$work/kept.json", '-o', 'report.html'],
  ['convert', 0, 'convert', "$models/small.net", '-o', 'small.pnml'],
  ['play', 0, 'play', '--ctl', 'AF (b == 2)', '--side', 'against', "$models/small.net"],
  ['bench', 0, 'bench', "$models/suite.toml", '--database', 'bench.db'],
);
push @scenarios, ['explore', undef, 'explore', "$models/small.net"] if $long || ($only // '') eq 'explore'; # a second each

# The same for several processes: before the arguments stand how many they are and which has the fault.
my $spread = abs_path($ENV{MPI_PROGRAM} || ($ENV{BUILD} || 'build') . '/thimble-mpi');
my $mpirun = $ENV{MPIRUN} || 'mpirun';
my $open_mpi = `$mpirun --version 2>&1` =~ /Open MPI/;
my @spread; # none with the leak sanitizer: what MPI libraries lose is not ours
if ($config eq 'release' && $spread && -x $spread && system("command -v $mpirun > /dev/null") == 0) {
  my @often = (['rank', 0, 1, 0, 'check', '--no-deadlock', "$models/small.net"], ['ranks-1', 0, 2, 1, 'check', '--no-deadlock', "$models/small.net"]);
  my @seldom = (
    ['ranks-0', 1, 2, 0, 'check', '-o', 'trace.json', "$models/wrong.pml"],
    ['rank-violated', 1, 1, 0, 'check', '-o', 'trace.json', '--report', 'report.html', "$models/wrong.pml"],
    ['rank-ltl', 1, 1, 0, 'check', '--ltl', '<> (x == 3)', '-o', 'trace.json', "$models/small.pml"],
    ['rank-checkpoint', 4, 1, 0, 'check', '--no-deadlock', '--max-states', '9', '--checkpoint', 'c.ckpt', "$models/small.net"],
    ['rank-resume', 0, 1, 0, 'resume', 'one.ckpt'],
    ['rank-fewer', 0, 1, 0, 'resume', 'two.ckpt'],
    map { my $who = $_; (
      ["ranks-checkpoint-$who", 4, 2, $who, 'check', '--no-deadlock', '--max-states', '9', '--checkpoint', 'c.ckpt', "$models/small.net"],
      ["ranks-resume-$who", 0, 2, $who, 'resume', 'two.ckpt'],
      ["ranks-more-$who", 0, 2, $who, 'resume', 'one.ckpt'],
      ["ranks-ltl-$who", 1, 2, $who, 'check', '--ltl', '<> (x == 3)', '-o', 'trace.json', "$models/small.pml"],
      ["ranks-portable-$who", 0, 2, $who, 'check', '--no-deadlock', "$models/small.net"],
      ["ranks-portable-long-$who", 4, 2, $who, 'check', '--no-deadlock', '--max-states', '60', "$models/long.net"],
      ["ranks-coloured-$who", undef, 2, $who, 'check', '-o', 'trace.json', glob("$root/examples/dining*.cpnt $root/examples/philosoph*.cpnt")],
    ) } 0, 1);
  @spread = (@often, $long || $only ? @seldom : ());
  @spread = grep { $_->[0] =~ /^(?:$only)$/ } @spread if $only;
}
my @kinds = qw(malloc mmap mremap open read write fsync rename ftruncate close spawn fork dlopen thread);

# Somebody looks at the page, asks for a walk, and ends the explorer, as soon as it says where it is.
sub visit {
  my ($pid) = @_;
  for (1 .. 200) {
    last if kill(0, $pid) == 0 || -e "/proc/$pid" && `cat /proc/$pid/stat` =~ /\) Z /;
    open my $in, '<', "$work/out" or next;
    my ($port, $token) = do { local $/; (<$in> // '') =~ m{http://127\.0\.0\.1:(\d+)/(\w+)/} };
    if (!$port) { select undef, undef, undef, 0.01; next }
    for my $ask ('GET', 'POST') {
      my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port, Timeout => 2) or last;
      my $body = '{"state": 0, "steps": 9}';
      my $path = $ask eq 'GET' ? '' : 'api/walk';
      local $SIG{PIPE} = 'IGNORE';
      print $socket "$ask /$token/$path HTTP/1.0\r\nHost: 127.0.0.1:$port\r\nContent-Type: application/json\r\nContent-Length: " . ($ask eq 'GET' ? 0 : length $body) . "\r\n\r\n" . ($ask eq 'GET' ? '' : $body);
      my $ready = '';
      vec($ready, fileno $socket, 1) = 1;
      if (select $ready, undef, undef, 2) { local $/; my $answer = <$socket> }
    }
    kill 'INT', $pid;
    last;
  }
}

# The command line of a run of $ranks processes, of which one is meant; those that mpirun starts, and not itself, have the library.
sub of_ranks {
  my ($ranks, $who, $env, @args) = @_;
  my %all = (%$env, FAULT_OWN => 1, LD_PRELOAD => $library, $ranks > 1 ? (FAULT_RANK => $who) : ());
  my @program = ('env', (map { "$_=$all{$_}" } sort keys %all), $spread, @args);
  return $ranks > 1 ? ('timeout', '-k', 5, 60, $mpirun, $open_mpi ? '--oversubscribe' : (), '-n', $ranks, @program) : ('timeout', 60, @program);
}

# Runs in a fresh folder. (code or -signal, standard output, names of files that are there afterwards)
sub run {
  my ($env, @args) = @_;
  my ($ranks, $who) = $args[0] =~ /^\d+$/ ? splice @args, 0, 2 : (0, 0);
  my $folder = "$work/here";
  remove_tree($folder);
  mkdir $folder;
  mkdir "$folder/tmp";
  if ($args[0] eq 'resume') { system 'cp', glob("$work/$args[1]*"), $folder }
  my $pid = fork // die;
  if (!$pid) {
    chdir $folder;
    open STDIN, '<', $args[0] eq 'play' ? "$work/moves" : '/dev/null';
    open STDOUT, '>', "$work/out";
    open STDERR, '>', "$work/err";
    delete @ENV{qw(THIMBLE_CC NO_COLOR)};
    $ENV{XDG_CACHE_HOME} = "$folder/cache";
    $ENV{TMPDIR} = "$folder/tmp";
    $ENV{LSAN_OPTIONS} = "exitcode=23:print_suppressions=0:suppressions=$work/theirs"; # what GnuTLS loses in libmicrohttpd is not ours
    if ($ranks) {
      @ENV{qw(OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM)} = (1, 1);
      $ENV{PMIX_MCA_gds} = 'hash'; # see tests/cli/mpi_lib.sh
      $ENV{OMPI_MCA_orte_tmpdir_base} = "$work/mpi"; # what it leaves there is not ours
      exec of_ranks($ranks, $who, $env, @args) or POSIX::_exit(99);
    }
    $ENV{$_} = $env->{$_} for keys %$env;
    $ENV{LD_PRELOAD} = $library;
    alarm 40; # it ends by itself long before
    exec $thimble, @args or POSIX::_exit(99);
  }
  if ($args[0] eq 'explore') { visit($pid) }
  waitpid $pid, 0;
  my $code = $? & 127 ? -($? & 127) : $? >> 8;
  open my $in, '<', "$work/out"; local $/; my $out = <$in> // '';
  my @left = map { s{^\Q$folder\E/}{}r } grep { !m{/(?:tmp|cache|cache/thimble)$} && !m{/cache/thimble/[0-9a-f]+\.so$} } split /\n/, `find $folder -mindepth 1`;
  return ($code, $out, join ' ', sort @left);
}

sub verdict { my ($out) = @_; return $out =~ /^(holds|violated|incomplete|error)|"verdict": "(\w+)"/m ? $1 // $2 : '' }
# What one process or several have explored, where that is everything.
sub whole { my ($out) = @_; return $out =~ /^holds: /m && $out =~ /^ +([\d,]+ states, [\d,]+ transitions)/m ? $1 : '' }
sub said { open my $in, '<', "$work/err"; local $/; return <$in> // '' }

system "cd $models && $thimble check -o $work/kept.json wrong.pml > /dev/null 2>&1";
system "cd $work && $thimble check --no-deadlock --max-states 9 --checkpoint c.ckpt $models/small.net > /dev/null 2>&1";
for my $file ('one.ckpt', 'two.ckpt') {
  next if !grep { $_->[-1] eq $file } @spread;
  run({}, $file eq 'one.ckpt' ? 1 : 2, 0, 'check', '--no-deadlock', '--max-states', '9', '--checkpoint', "$work/$file", "$models/small.net");
}

my $runs = 0;
for my $s (@scenarios, @spread) {
  my ($name, $right, @args) = @$s;
  my $few = $args[0] =~ /^\d+$/ && !$long && !$only; # starting processes is what takes time
  next if $only && $name !~ /^(?:$only)$/;
  my @form = $name =~ /portable/ ? (THIMBLE_RANKS_PORTABLE => 1) : ();
  push @form, FAULT_LEAST => 40000 if $name =~ /long/; # states that are longer than a batch, and what holds them
  my ($code, $out, $left) = run({@form}, @args);
  $right = $code if !defined $right && ($code == 0 || $code == 1);
  if (!is($code, $right, "$name: without faults")) { diag said(); next }
  my $truth = verdict($out);
  my @wrong;
  for my $kind ($few ? ('malloc', $args[0] == 1 ? 'open' : ()) : @kinds) {
    next if $name eq 'explore' && $kind eq 'write'; # those are libmicrohttpd's to a pipe of its own, and it aborts without that
    run({@form, FAULT_KIND => $kind, FAULT_COUNT => "$work/count"}, @args);
    open my $in, '<', "$work/count" or next;
    chomp(my $calls = <$in>);
    close $in;
    unlink "$work/count";
    my %at = map { $_ => 1 } 1 .. 8, $calls, map { 1 + int rand $calls } 1 .. $most;
    %at = map { $_ => 1 } 1 .. $calls if $calls <= 20 || $calls <= 2 * $most;
    %at = map { 1 + int rand $calls => 1 } 1 .. ($kind eq 'malloc' ? 2 : 1) if $few;
    for my $at (sort { $a <=> $b } grep { $_ && $_ <= $calls } keys %at) {
      for my $from (0, 1) {
        next if $from && ($few || $kind !~ /^(?:malloc|mmap|write|open)$/);
        my ($got, $told, $there) = run({@form, FAULT_KIND => $kind, FAULT_AT => $at, FAULT_FROM => $from}, @args);
        $runs++;
        my $what = "$kind $at of $calls" . ($from ? ' and all after it' : '');
        my $allowed = $got == $right || $got == 3 || $got == 4 || $got == 74 || ($got == 1 && $name eq 'bench'); # a task without a verdict is told so
        $allowed ||= said() =~ /thread-local data: ABORT/; # libc's own end
        push @wrong, "$what: exit $got: " . said() if !$allowed;
        push @wrong, "$what: says '" . verdict($told) . "' and not '$truth'" if $got == $right && verdict($told) && verdict($told) ne $truth;
        push @wrong, "$what: " . whole($told) . " and not " . whole($out) if $args[0] =~ /^\d+$/ && whole($told) && whole($told) ne whole($out);
        push @wrong, "$what: a rank is gone" if $name =~ /long/ && !$from && $told =~ /is gone/;
        # a command that looks at nothing but a file says nothing: then the code is all there is
        push @wrong, "$what: silent, exit $got" if $got != $right && said() eq '' && $told eq '';
        my %known = map { $_ => 1 } split / /, $left;
        # where a folder cannot even be listed its files stay; those of --disk the next run removes
        my $beyond = $kind =~ /^(?:open|malloc)$/ ? qr{^(?:states/thimble-|tmp/thimble-bench-)} : qr{^$};
        my @more = grep { !$known{$_} && !/^(?:(?:c|one|two)\.ckpt[-.0-9]*~?|states)$/ && !/$beyond/ } split / /, $there;
        push @wrong, "$what: leaves @more" if @more;
      }
    }
  }
  is(scalar @wrong, 0, "$name: with one fault after the other") or diag join "\n", map { substr $_, 0, 300 } @wrong[0 .. ($#wrong < 7 ? $#wrong : 7)];
}
note "$runs runs with a fault";
done_testing();
