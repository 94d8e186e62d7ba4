#!/usr/bin/perl
# ltl_models.t -- random Promela models with random formulas through SPIN's pan -a and Thimble: the same verdicts, with and without weak fairness.
#
#   THIMBLE_PEER_MODELS=8   how many models; each has three formulas
#   THIMBLE_PEER_SEED=1      the first seed
#   THIMBLE_PEER_KEEP=DIR    where models that disagree are kept (else a temporary folder, which then stays)
#
# The models are those of tests/peers, without their assertions, so that what pan tells is about the formula.  A question is passed over when pan gives no oracle for it: too
# deep, too large, or stopped by a fault of the model.  With fairness pan misses some runs that end (two processes that stop, and <> [] p with p false at the end):
# then a replayed run that ends is no disagreement.  Formulas have no X: fairness and the end of processes are counted in steps differently.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../peers";
use File::Temp ();
use JSON::PP ();
use Cwd ();
use Spin qw(find_program);

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
for my $program (qw(spin cc timeout)) { skip_all("no $program") unless find_program($program) }

my $models = $ENV{THIMBLE_PEER_MODELS} // 8;
my $first = $ENV{THIMBLE_PEER_SEED} // 1;
my $keep = $ENV{THIMBLE_PEER_KEEP};
my $work = File::Temp->newdir;
my ($count, $asked, $failed, %seen) = (0, 0, 0);
my $thimble = Cwd::abs_path($ENV{THIMBLE} // 'build/thimble');
$ENV{XDG_CACHE_HOME} = "$work/cache";

sub pick { return $_[rand @_] }

sub atom {
  my ($globals, $labels) = @_;
  return pick(@$labels) if @$labels && rand() < 0.3;
  my $name = pick(@$globals);
  return rand() < 0.2 ? "($name < " . pick(@$globals) . ')' : "($name == " . int(rand 3) . ')';
}

sub formula {
  my ($size, @names) = @_;
  return atom(@names) if $size <= 1;
  my $left = 1 + int rand($size - 1);
  my $kind = int rand 10;
  return '! (' . formula($size - 1, @names) . ')' if $kind == 0;
  return '[] (' . formula($size - 1, @names) . ')' if $kind <= 3;
  return '<> (' . formula($size - 1, @names) . ')' if $kind <= 6;
  return '(' . formula($left, @names) . ') ' . pick('U', 'U', '&&', '||', '->') . ' (' . formula($size - $left, @names) . ')';
}

# "violated", "holds", or why there is no answer.
sub ask_pan {
  my ($folder, @options) = @_;
  my ($code, $text) = Spin::command("$folder", 5, 0, './pan', '-a', '-E', '-n', '-m200000', @options);
  return 'no end' if $code == 124 || $code == 137;
  my ($depth) = $text =~ /depth reached (\d+)/; # with fairness pan does not always tell that it was cut
  return 'too deep or large' if !defined $depth || $depth >= 199_000 || $text =~ /max search depth too small|reached -DMEMLIM|out of memory|too many processes/i;
  my @errors = $text =~ /^pan:\d+: (.*)$/mg;
  return 'holds' if !@errors && $text =~ /errors: 0/;
  return 'violated' if @errors && $errors[0] =~ /^acceptance cycle|^claim violated|^end state in claim reached|^assertion violated/;
  return 'other: ' . ($errors[0] // "exit $code");
}

sub ask_thimble {
  my ($file, $name, @options) = @_;
  my ($code, $text, undef, $errors) = Spin::command("$work", 30, 1, $thimble, 'check', '--json', '--progress', 'none', '-o', "$work/trace.json", '-p', "ltl:$name", @options, $file);
  my $json = eval { JSON::PP->new->decode($text) };
  return "exit $code: " . (split(/\n/, $errors))[0] if !$json || !@{$json->{properties} // []};
  my $p = $json->{properties}[0];
  return $p->{status} eq 'violated' && $p->{trace} && !defined $p->{loop} ? 'violated by a run that ends' : $p->{status};
}

sub ok {
  my ($good, $what) = @_;
  $count++;
  print $good ? 'ok' : 'not ok', " $count - $what\n";
}

for my $seed ($first .. $first + $models - 1) {
  my $file = "$work/seed-$seed.pml";
  my $model = qx($^X '$FindBin::Bin/../peers/spin/generate' $seed);
  my @globals = $model =~ /^(?:byte|int|short|bit|bool) (\w+)(?: = \d+)?;/mg;
  my @labels = map { "P0\@$_" } $model =~ /^(P0_(?:in|out)):/mg;
  srand $seed;
  my @formulas = map { formula(3 + int rand 6, \@globals, \@labels) } 1 .. 3;
  open my $to, '>', $file or die;
  print $to "#define assert(x) skip\n$model";
  print $to "ltl f$_ { $formulas[$_] }\n" for 0 .. 2;
  close $to;
  my $folder = File::Temp->newdir;
  my ($code) = Spin::command("$folder", 10, 0, 'spin', '-a', '-o1', '-o2', '-o3', $file);
  ($code) = Spin::command("$folder", 120, 0, 'cc', '-w', '-O1', '-DNOREDUCE', '-DNFAIR=3', '-DMEMLIM=500', '-o', 'pan', 'pan.c') if !$code && -e "$folder/pan.c";
  if ($code || !-x "$folder/pan") {
    $count++;
    print "ok $count - seed $seed # SKIP SPIN does not take it\n";
    next;
  }
  my (@said, @told);
  for my $i (0 .. 2) {
    for my $fair (0, 1) {
      my $spin = ask_pan($folder, '-N', "f$i", $fair ? '-f' : ());
      next if $spin !~ /^(?:holds|violated)$/;
      $asked++;
      for my $cycles ($fair ? 'scc' : ('scc', 'ndfs')) {
        my $ours = ask_thimble($file, "f$i", '--cycles', $cycles, $fair ? ('--fair', 'weak') : ());
        push @said, "SPIN: $spin, Thimble ($cycles): $ours, " . ($fair ? 'weakly fair: ' : '') . $formulas[$i] if ($ours =~ /^violated by/ ? ($fair ? 0 : $spin ne 'violated') : $ours ne $spin);
      }
      $seen{$spin}++;
      push @told, $spin . ($fair ? ' (fair)' : '');
    }
  }
  ok(!@said, "seed $seed: " . (@told ? join(', ', @told) : 'nothing could be compared'));
  next unless @said;
  $failed++;
  $keep //= File::Temp::tempdir('thimble-peers-XXXXXX', TMPDIR => 1, CLEANUP => 0);
  system('cp', $file, "$keep/ltl-seed-$seed.pml");
  print "#   $_\n" for @said;
  print "#   kept: $keep/ltl-seed-$seed.pml\n";
}
ok($asked >= 2 * $models && $seen{holds} && $seen{violated}, "$asked questions were compared") if $models >= 8;
print "1..$count\n";
exit($failed ? 1 : 0);
