# Ask.pm -- random questions about a model: states that must not or must be met, runs, and the graph, as options of the command line.
package Tester::Ask;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list);

sub ltl {
  my ($atom, $size) = @_;
  return ['(', $atom->(), ')'] if $size <= 1;
  if (chance(0.5)) {
    my $f = ltl($atom, $size - 1);
    return {node => ['(', one('[]', '<>', '<>', '[]', '!', 'X'), ' ', $f, ')'], simpler => [$f]};
  }
  my ($f, $g) = (ltl($atom, int($size / 2)), ltl($atom, $size - int($size / 2) - 1));
  return {node => ['(', $f, ' ', one('&&', '||', '->', 'U', 'R', 'W', '->'), ' ', $g, ')'], simpler => [$f, $g]};
}

sub ctl {
  my ($atom, $size) = @_;
  return ['(', $atom->(), ')'] if $size <= 1;
  my $k = pick(10);
  if ($k < 6) {
    my $f = ctl($atom, $size - 1);
    return {node => ['(', one('AG', 'EF', 'AF', 'EG', 'AX', 'EX', '!', 'AG', 'EF'), ' ', $f, ')'], simpler => [$f]};
  }
  my ($f, $g) = (ctl($atom, int($size / 2)), ctl($atom, $size - int($size / 2) - 1));
  my ($open, $op, $close) = $k < 8 ? ('(', one('&&', '||', '->'), ')') : (one('A', 'E') . '[', 'U', ']');
  return {node => [$open, $f, " $op ", $g, $close], simpler => [$f, $g]};
}

# CPN ML has its conditions in braces only inside formulas.
sub state {
  my ($atom) = @_;
  my $a = $atom->();
  return $a unless ref $a || $a =~ /^\{/;
  return $a unless Tester::Tree::render($a) =~ /^\{/;
  my @inside = ref $a ? @$a : ($a);
  $inside[0] =~ s/^\{//;
  $inside[-1] =~ s/\}$//;
  return [@inside];
}

sub random {
  my ($model) = @_;
  my $atom = $model->{atom};
  my @asks;
  push @asks, {flag => '--invariant', node => state($atom)} for 1 .. pick(3);
  push @asks, {flag => '--reachable', node => state($atom)} for 1 .. pick(3);
  push @asks, {flag => '--ltl', node => ltl($atom, 2 + pick(3))} if chance(0.5);
  push @asks, {flag => '--ctl', node => ctl($atom, 2 + pick(3))} if chance(0.3);
  push @asks, {flag => '--fair', node => 'weak'} if $model->{processes} && chance(0.12) && grep { $_->{flag} eq '--ltl' } @asks;
  push @asks, {flag => '--no-deadlock'} if chance(0.25) && grep { $_->{flag} =~ /^--(?:invariant|reachable)$/ } @asks;
  return list(' ', @asks);
}

sub arguments {
  my ($asks) = @_;
  return map { exists $_->{node} ? ($_->{flag}, Tester::Tree::render($_->{node})) : $_->{flag} } @{$asks->{items}};
}

1;
