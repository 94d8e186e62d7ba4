#!/usr/bin/perl
# spin.t -- random Promela models through SPIN and Thimble: the same states, the same edges, the same verdict.
#
#   THIMBLE_PEER_MODELS=20   how many models
#   THIMBLE_PEER_SEED=1      the first seed; model k has seed SEED + k - 1
#   THIMBLE_PEER_KEEP=DIR    where models that disagree are kept (else a temporary folder, which then stays)
#
# Every model runs in Thimble's interpreter, every fifth also compiled.  A model is passed over when SPIN gives no
# oracle for it: refused, too deep, too large, or stopped by a fault of pan itself.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp ();
use Spin qw(find_program run_spin run_thimble differences languages);

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
for my $program (qw(spin cc timeout)) { skip_all("no $program") unless find_program($program) }
skip_all('this thimble does not read Promela') unless grep { $_ eq 'promela' } languages();

my $models = $ENV{THIMBLE_PEER_MODELS} // ($ENV{THIMBLE_LONG} ? 80 : 20);
my $first = $ENV{THIMBLE_PEER_SEED} // 1;
my $largest = 200_000; # states: beyond, the time is better spent on another model
my $work = File::Temp->newdir;
my $keep = $ENV{THIMBLE_PEER_KEEP};
my ($count, $compared, $failed, $states) = (0, 0, 0, 0);

sub ok {
  my ($good, $what) = @_;
  $count++;
  print $good ? 'ok' : 'not ok', " $count - $what\n";
}

# A version that compiles no models says so; then only the interpreter is compared.
my $probe = "$work/probe.pml";
open my $to, '>', $probe or die;
print $to "byte x;\nactive proctype P() { x = 1 }\n";
close $to;
my $compiles = run_thimble($probe, engine => 'compiled')->{why} !~ /compiles no models/;
print "# this thimble compiles no models: the interpreter alone\n" unless $compiles;

for my $seed ($first .. $first + $models - 1) {
  my $file = "$work/seed-$seed.pml";
  system("$^X '$FindBin::Bin/spin/generate' $seed > '$file'") == 0 or do { print "Bail out! the generator failed with seed $seed\n"; exit 1 };
  my $spin = run_spin($file, seconds => 2);
  my $pass = $spin->{status} ne 'ok' ? "SPIN: $spin->{why}" : $spin->{other} ? "SPIN: $spin->{other}" : $spin->{states} > $largest ? "$spin->{states} states" : '';
  if ($pass) {
    $count++;
    $pass =~ s/\Q$work\E\///g;
    print "ok $count - seed $seed # SKIP $pass\n";
    next;
  }
  $compared++;
  $states += $spin->{states};
  my @said;
  for my $engine ('interpreter', $compiles && $seed % 5 == 0 ? 'compiled' : ()) {
    push @said, map { "$engine: $_" } differences($spin, run_thimble($file, engine => $engine, seconds => 30));
  }
  ok(!@said, "seed $seed: $spin->{states} states, $spin->{transitions} transitions" . ($spin->{assertion} ? ', an assertion fails' : '') . ($spin->{deadlock} ? ', an invalid end state' : ''));
  next unless @said;
  $failed++;
  $keep //= File::Temp::tempdir('thimble-peers-XXXXXX', TMPDIR => 1, CLEANUP => 0);
  system('cp', $file, "$keep/seed-$seed.pml");
  print "#   $_\n" for @said;
  print "#   kept: $keep/seed-$seed.pml (seed $seed); smaller: tests/peers/spin/shrink $keep/seed-$seed.pml\n";
}
ok($compared * 2 >= $models, "$compared of $models models were compared, $states states in all") if $models >= 10;
print "1..$count\n";
exit($failed ? 1 : 0);
