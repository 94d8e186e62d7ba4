#!/usr/bin/perl
# timed.t -- which of several equal tokens a step of a timed net takes, and when: small random nets against the definition of timed multisets, written down once more.
#
# Of tokens of one colour those are taken that are old enough, the youngest of them (Jensen and Kristensen, Coloured Petri Nets, 2009, chapter 11: what is left of a timed multiset when another one is
# subtracted; CPN Tools' tsub does the same). An arc x @+ e takes them up to e before their time. If nothing is enabled the clock goes to the first time at which something is, which is computed
# here binding by binding from the stamps. The rule "the oldest" gives other numbers on some of the nets: the test would see it.
#
# Two of three nets have real time, in quarters, which are exact, or in tenths, which are not: sums are those of doubles, which this language has as well (without head starts, where a rounded difference would decide).
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;

my $thimble = $ENV{THIMBLE} // "$FindBin::Bin/../../build/thimble";
my $work = tempdir(CLEANUP => 1);
my $seed = $ENV{SEED} // 1;
my @colours = (1, 2);
srand $seed;

# A transition: takes [place, how many, head start], gives [place, how many, delay], all of one colour x; each step counts, so that there is an end.
sub random_net {
  my ($unit) = @_;
  my @take = map { my $t = $_; [map { [$_, 1 + int rand 2, rand() < 0.5 || $unit == 0.1 ? 0 : (int(rand 7) - 2) * $unit] } $t == 2 ? (0, 1) : ($t)] } 0 .. 2;
  my @give = map { [[int rand 2, 1 + int rand 2, (int rand 4) * $unit]] } 0 .. 2;
  my @tokens = map { [$colours[rand() < 0.3], (int rand 8) * $unit] } 1 .. 4 + int rand 3;
  return {take => \@take, give => \@give, tokens => \@tokens, most => 4, unit => $unit};
}

# As CPN ML writes it: with a point where time is real.
sub number {
  my ($net, $n) = @_;
  my $text = $net->{unit} == 1 ? $n : sprintf '%.20f', $n;
  return $text =~ s/^-/~/r;
}

sub text_of {
  my ($net) = @_;
  my $stamp = sub { my ($n, $d) = @_; "$n`x" . ($d ? ($net->{unit} == 1 ? ' @+ ' : ' @++ ') . number($net, $d) : '') };
  my $initial = join ' +++ ', map { "1`$_->[0] @ " . number($net, $_->[1]) } @{$net->{tokens}};
  my $text = "net \"timed\"\n\n" . ($net->{unit} == 1 ? '' : "time real\n\n") . "declare\n  colset X = int timed;\n  colset C = int;\n  var x : X;\n  var c : C;\n\npage Top\n  place P0 : X\n    initial $initial\n  place P1 : X\n  place N : C\n    initial 0\n";
  for my $t (0 .. 2) {
    $text .= "  transition T$t\n    guard c < $net->{most}\n    take N : c\n    give N : c + 1\n";
    $text .= "    take P$_->[0] : " . $stamp->(@$_[1, 2]) . "\n" for @{$net->{take}[$t]};
    $text .= "    give P$_->[0] : " . $stamp->(@$_[1, 2]) . "\n" for @{$net->{give}[$t]};
  }
  return $text;
}

# When a binding is enabled at the earliest, if the clock shows $now: by then every arc finds enough tokens. undef: never.
sub enabled_at {
  my ($net, $state, $t, $x, $now) = @_;
  my $when = $now;
  for my $arc (@{$net->{take}[$t]}) {
    my ($place, $count, $early) = @$arc;
    my @stamps = sort { $a <=> $b } map { $_->[1] } grep { $_->[0] == $x } @{$state->[$place]};
    return undef if @stamps < $count;
    my $ready = $stamps[$count - 1] - $early;
    $when = $ready if $ready > $when;
  }
  return $when;
}

sub step {
  my ($net, $state, $t, $x, $when, $youngest) = @_;
  my @next = map { [@$_] } @$state[0, 1];
  for my $arc (@{$net->{take}[$t]}) {
    my ($place, $count, $early) = @$arc;
    for (1 .. $count) {
      my $best;
      for my $i (0 .. $#{$next[$place]}) {
        my ($colour, $stamp) = @{$next[$place][$i]};
        next if $colour != $x || $stamp > $when + $early;
        $best = $i if !defined $best || ($youngest ? $stamp > $next[$place][$best][1] : $stamp < $next[$place][$best][1]);
      }
      splice @{$next[$place]}, $best, 1;
    }
  }
  push @{$next[$_->[0]]}, map { [$x, $when + $_] } ($_->[2]) x $_->[1] for @{$net->{give}[$t]};
  return [@next, $state->[2] + 1, $when];
}

sub name_of {
  my ($state) = @_;
  return join '|', (map { join ',', sort map { sprintf '%d@%.17g', @$_ } @$_ } @$state[0, 1]), sprintf '%d|%.17g', @$state[2, 3];
}

sub explore {
  my ($net, $youngest) = @_;
  my $first = [$net->{tokens}, [], 0, 0];
  my %seen = (name_of($first) => 1);
  my @queue = ($first);
  my $edges = 0;
  while (my $state = shift @queue) {
    my $now = $state->[3];
    my @bindings = $state->[2] >= $net->{most} ? () : grep { defined $_->[2] } map { my $t = $_; map { [$t, $_, enabled_at($net, $state, $t, $_, $now)] } @colours } 0 .. 2;
    my ($soonest) = sort { $a <=> $b } map { $_->[2] } @bindings;
    for my $b (grep { $_->[2] == $soonest } @bindings) {
      my $next = step($net, $state, @$b, $youngest);
      $edges++;
      push @queue, $next if !$seen{name_of($next)}++;
    }
  }
  return (scalar keys %seen) . " states, $edges edges";
}

my $told_apart = 0;
for my $round (1 .. 90) {
  my $net = random_net((1, 0.25, 0.1)[$round % 3]);
  open my $out, '>', "$work/net.cpnt" or die;
  print $out text_of($net);
  close $out;
  my $verdict = decode_json(scalar `$thimble check $work/net.cpnt --no-deadlock --json --progress none -o /dev/null 2>$work/error` || '{}');
  my ($want, $oldest) = (explore($net, 1), explore($net, 0));
  my $got = ($verdict->{states} // '?') . ' states, ' . ($verdict->{transitions} // '?') . ' edges';
  is($got, $want, "net $round of seed $seed") or diag(text_of($net));
  $told_apart++ if $want ne $oldest;
}
cmp_ok($told_apart, '>=', 1, "on $told_apart of 90 nets the oldest token would make a difference");
done_testing();
