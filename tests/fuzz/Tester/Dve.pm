# Dve.pm -- random DVE: automata whose transitions have a guard, a communication and effects at once; rendezvous and queues, arrays, committed states, assertions.
package Tester::Dve;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list some number);

my @relations = ('==', '!=', '<', '>=');

sub variable { return chance(0.5) ? one('i', 'j') : one('x', 'y', 'z', 'a[0]', 'a[1]', chance(0.1) ? 'a[i]' : 'x') }

sub condition {
  my $v = variable();
  return [$v, ' ', one(@relations), ' ', chance(0.7) ? number(pick(3)) : variable()];
}

sub guard {
  my ($me, $states) = @_;
  my $c = condition();
  my $k = pick(8);
  if ($k == 0) {
    my $other = pick(scalar @$states);
    my $at = "P$other.s" . pick($states->[$other]);
    return {node => [$at, one(' and ', ' or '), $c], simpler => [$at, $c]};
  }
  if ($k == 1) { my $d = condition(); return {node => [$c, one(' and ', ' or '), $d], simpler => [$c, $d]} }
  return $c;
}

sub effect {
  my $v = variable();
  return [$v, ' = ', number(pick(3))] if chance(0.5);
  return [$v, " = ($v + 1) % ", number(3, 1)] if chance(0.6);
  return [$v, ' = ', chance(0.1) ? '6 / j' : variable()];
}

sub transition {
  my ($me, $states, $from) = @_;
  my @parts;
  push @parts, ['guard ', guard($me, $states), '; '] if chance(0.6);
  push @parts, ['sync ', one('r!', 'r?', 'q!1', 'q!i', 'q?i', 'c!{j}', 'c?{i}', 'd!{1}', 'd?{j}', 'd?{x}'), '; '] if chance(0.35);
  push @parts, ['effect ', some(1, ', ', '', map { effect() } 0 .. pick(2)), '; '] if chance(0.65);
  return ["s$from -> s" . pick($states->[$me]) . ' { ', list('', @parts), '}'];
}

sub process {
  my ($me, $states) = @_;
  my $n = $states->[$me];
  my @says;
  push @says, ['commit s' . pick($n) . '; '] if chance(0.12);
  push @says, ['assert s' . pick($n) . ': ', one('x != 2', 'i != 2 or y != 1', 'i + j < 4', 'z == 0 or j != 1'), '; '] if chance(0.3);
  my @transitions = map { transition($me, $states, $_ < $n ? $_ : pick($n)) } 0 .. $n + pick(3);
  return ["process P$me { byte i" . (chance(0.3) ? ' = 1' : '') . ', j; state ', some(1, ', ', '', map { "s$_" } 0 .. $n - 1), '; init s0; ', list('', @says), "\n  trans ", some(1, ",\n    ", '', @transitions), "; }\n"];
}

sub random {
  my ($wide) = @_;
  my @states = map { 2 + pick(3) } 0 .. 1 + pick(3);
  my @processes = map { process($_, \@states) } 0 .. $#states;
  if ($wide) {
    push @processes, ["process W$_ { byte n; state s; init s; trans s -> s { guard n < ", number(10 + pick(30)), "; effect n = n + 1; }, s -> s { guard n > 0; effect n = n - 1; }; }\n"] for 0 .. 1;
  }
  my @declared = ("byte x, y, z;\n", "byte a[2];\n", "channel r, q;\n", "channel {byte} c[1];\n", "channel {byte} d[2];\n");
  my $atom = sub {
    my $p = pick(scalar @states);
    return "P$p.s" . pick($states[$p]) if chance(0.4);
    return [one('x', 'y', 'z', 'a[0]', 'a[1]', "P$p.i"), ' ', one(@relations), ' ', number(pick(3))];
  };
  return {processes => 1, suffix => 'dve', comment => ['// ', ''], text => [list('', @declared), list('', @processes), "system async;\n"], atom => $atom, measures => ['x', 'y + z', 'P0->i', '3 - x']};
}

1;
