#!/usr/bin/perl
# killed.t -- runs that end as by kill -9, or by a power cut, just before a change of a file or folder (inject.c: change), one after the other.
#
# Whatever a killed run leaves: a checkpoint that is there can be gone on with, to the verdict and the figures of a run that was never killed; where none is there, the same command begins anew; in the end no file is left but the killed run's own temporary one, and files that were named are whole or not there.
# Which changes a run makes depends on the clock (seals), so it is killed at that of them that comes at its turn.  Some are taken: the first ones, the last ones, where files are removed, and others by a seeded choice; FAULT_MOST=N takes more of them (make test-long), FAULT_ONLY=NAME one scenario.
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use POSIX ();
use Test::More;

my $thimble = abs_path($ENV{THIMBLE} || 'build/thimble');
my $library = abs_path(($ENV{BUILD} || 'build') . '/tests/fault/inject.so');
my $most = $ENV{FAULT_MOST} || 5;
my $root = abs_path('.');
plan skip_all => 'no library to preload' if !$library || !-e $library;
plan skip_all => 'sanitizers have allocators of their own' if ($ENV{CONFIG} || 'release') ne 'release';
my $only = $ENV{FAULT_ONLY};


my $work = tempdir(DIR => -d '/dev/shm' ? '/dev/shm' : '/tmp', CLEANUP => 1); # a disk that is asked to be sure takes milliseconds each time
my $folder = "$work/here";
srand 20261118;
sub make_file { my ($name, $text) = @_; open my $out, '>', "$work/$name" or die; print $out $text; close $out }
make_file('middle.net', scalar `$root/tools/gen-net pipeline 13`);
make_file('counter.pml', "byte a, b;\nactive proctype A() { do :: a < 60 -> a++ :: a > 0 -> a-- od }\nactive proctype B() { do :: b < 60 -> b++ :: b > 0 -> b-- od }\n");
make_file('wrong.pml', "byte x;\nactive [2] proctype P() { byte t; t = x; x = t + 1; assert(x < 2) }\n");

# name => [model, what every part is asked, what the first part has beside it]
my @kept = (
  ['memory', ['middle.net', '--no-deadlock']],
  ['depth first', ['middle.net', '--no-deadlock', '--search', 'dfs']],
  ['program', ['counter.pml', '--engine', 'interpreter', '--continue', '--invariant', 'a + b < 100']],
  ['disk', ['middle.net', '--no-deadlock'], '--store', 'disk', '--disk', 'd', '--memory', '2M'],
  ['program on disk', ['counter.pml', '--engine', 'interpreter'], '--store', 'disk', '--disk', 'd', '--memory', '2M'],
);
if ($ENV{THIMBLE_LONG}) {
  make_file('large.net', scalar `$root/tools/gen-net kanban 4`);
  push @kept, ['ladder', ['large.net', '--no-deadlock'], '--disk', 'd', '--memory', '900k', '--checkpoint-every', '0.2']; # seconds each
}

# Runs in the folder. (code or -signal, standard output)
sub run {
  my ($env, @args) = @_;
  my $pid = fork // die;
  if (!$pid) {
    chdir $folder;
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', "$work/out";
    open STDERR, '>', "$work/err";
    delete $ENV{NO_COLOR};
    $ENV{XDG_CACHE_HOME} = "$work/cache";
    if (%$env) { @ENV{keys %$env} = values %$env; $ENV{LD_PRELOAD} = $library; $ENV{FAULT_KIND} = 'change' }
    alarm 40;
    exec $thimble, @args or POSIX::_exit(99);
  }
  waitpid $pid, 0;
  my $code = $? & 127 ? -($? & 127) : $? >> 8;
  open my $in, '<', "$work/out"; local $/;
  return ($code, <$in> // '');
}

sub fresh { remove_tree($folder); mkdir $folder; mkdir "$folder/d"; system 'cp', glob("$work/*.net $work/*.pml"), $folder }
sub figures { my ($out) = @_; return join ' ', map { $out =~ /^  "$_": (.*?),?$/m ? $1 : '?' } qw(verdict states transitions depth deadlocks) }
sub said { open my $in, '<', "$work/err"; local $/; return substr((<$in> // '') =~ s/\s+/ /gr, 0, 200) }
sub changes { open my $in, '<', "$work/count" or return 0; chomp(my $n = <$in> // 0); return $n }
# What is there beside the models.
sub left { return join ' ', sort grep { !/^(?:d|.*\.(?:net|pml))$/ } map { s{^\Q$folder\E/}{}r } split /\n/, `find $folder -mindepth 1` }
# Which of n changes: when files are removed, at the end, a run makes few others.
sub some {
  my ($n) = @_;
  my %at = map { $_ => 1 } 1 .. 4, map({ $n - $_ } 0 .. $most), map { 1 + int rand $n } 1 .. $most;
  %at = map { $_ => 1 } 1 .. $n if $n <= 2 * $most + 4;
  return sort { $a <=> $b } grep { $_ >= 1 && $_ <= $n } keys %at;
}

my ($kills, @wrong);
for my $s (@kept) {
  my ($name, $asked, @first) = @$s;
  next if $only && $name ne $only;
  my @begin = ('check', '--json', '--reduce', 'none', '--checkpoint', 'k.ckpt', '--checkpoint-every', '0.001', @first, @$asked);
  my @again = ('resume', '--json', '--checkpoint-every', '0.001', (map { $first[$_] =~ /^--(?:disk|memory|checkpoint-every)$/ ? @first[$_, $_ + 1] : () } 0 .. $#first), 'k.ckpt');
  @wrong = ();
  $kills = 0;
  fresh();
  my ($right, $out) = run({}, 'check', '--json', '--reduce', 'none', @$asked);
  my $truth = figures($out);
  if ($right != 0 && $right != 1) { fail("$name: without being killed"); diag said(); next }
  my $check = sub {
    my ($what, $code, $told) = @_;
    push @wrong, "$what: exit $code: " . said() if $code != $right;
    push @wrong, "$what: " . figures($told) . " and not $truth" if figures($told) ne $truth;
  };
  run({FAULT_COUNT => "$work/count"}, @begin);
  my $n = changes();
  cmp_ok($n, '>', 3, "$name: files are changed ($n times)");
  for my $at (some($n)) {
    for my $how (1, 'power') {
      my $twice = $at % 3 == 0; # the run that goes on is killed as well
      my %end = (FAULT_KILL => $how, FAULT_SEED => int rand 1000);
      fresh();
      my ($code, $told) = run({%end, FAULT_AT => $at}, @begin);
      if ($code != -9) { $check->("$at: not killed", $code, $told); next }
      $kills++;
      my $what = ($how eq 'power' ? "power cut ($end{FAULT_SEED})" : 'killed') . " at $at of $n";
      if ($twice && -e "$folder/k.ckpt") {
        my $then = 1 + int rand 30;
        ($code, $told) = run({%end, FAULT_AT => $then}, @again);
        $what .= ", then at $then";
        if ($code != -9) { $check->($what, $code, $told); next }
        $kills++;
      }
      my $there = -e "$folder/k.ckpt";
      ($code, $told) = run({}, $there ? @again : @begin);
      $check->($what . ($there ? ', gone on with' : ', begun anew'), $code, $told);
      run({}, 'check', '--no-deadlock', '--disk', 'd', 'middle.net'); # whoever comes to the same folder removes what nobody lives in
      my @rest = grep { !/^[^\/]*\.(?:ckpt|trace\.json)\.[^\/]*$|^[^\/]*\.trace\.json$/ } split / /, left();
      push @wrong, "$what: leaves @rest" if @rest;
    }
  }
  is(scalar @wrong, 0, "$name: killed $kills times, goes on or begins anew") or diag join "\n", @wrong[0 .. ($#wrong < 7 ? $#wrong : 7)];
}

# Files that were named: as they were before, or whole. What stands in them about time differs from run to run; their ends do not.
make_file('before', "something of the user's\n");
my @written = (
  ['violated', {'t.json' => qr/^\}\n\z/m, 'r.html' => qr{</html>\n\z}, 'j.xml' => qr{</testsuites>\n\z}, 's.sarif' => qr/^\}\n\z/m},
    'check', '-o', 't.json', '--report', 'r.html', '--junit', 'j.xml', '--sarif', 's.sarif', 'wrong.pml', '--engine', 'interpreter'],
  ['certificate', {'c.cert' => undef}, 'check', '--no-deadlock', '--certificate', 'c.cert', 'middle.net'],
  ['graph', {'g.aut' => undef}, 'graph', '-f', 'aut', '-o', 'g.aut', 'middle.net'],
  ['convert', {'m.pnml' => undef}, 'convert', 'middle.net', '-o', 'm.pnml'],
);
sub text { my ($name) = @_; open my $in, '<', "$folder/$name" or return; local $/; return <$in> // '' }
for my $s (@written) {
  my ($name, $files, @args) = @$s;
  next if $only && $name ne $only;
  @wrong = ();
  $kills = 0;
  fresh();
  run({FAULT_COUNT => "$work/count"}, @args);
  my $n = changes();
  my %whole = map { $_ => text($_) } keys %$files;
  my $before = do { local $/; open my $in, '<', "$work/before" or die; <$in> };
  is(scalar(grep { !defined $whole{$_} || ($files->{$_} && $whole{$_} !~ $files->{$_}) } keys %$files), 0, "$name: files are written ($n changes)");
  for my $at (some($n)) {
    for my $there (0, 1) {
      fresh();
      if ($there) { system 'cp', "$work/before", "$folder/$_" for keys %$files }
      my ($code) = run({FAULT_KILL => 1, FAULT_AT => $at}, @args);
      $kills++ if $code == -9;
      for my $file (sort keys %$files) {
        my $text = text($file);
        next if defined $text ? ($there && $text eq $before) || ($files->{$file} ? $text =~ $files->{$file} : $text eq $whole{$file}) : !$there;
        push @wrong, "killed at $at of $n: $file is " . (defined $text ? 'cut' : 'gone');
      }
    }
  }
  is(scalar @wrong, 0, "$name: killed $kills times, no half of a file") or diag join "\n", @wrong[0 .. ($#wrong < 7 ? $#wrong : 7)];
}
done_testing();
