# Graph.pm -- random labelled transition systems: few labels, each on several edges of one state and of many, so that a label alone tells neither where it begins nor where it leads.
package Tester::Graph;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list);

# Mostly a few labels for all edges; sometimes one for all, sometimes each its own.
sub random {
  my ($wide) = @_;
  my $states = $wide ? 200 + pick(400) : 2 + pick(20);
  my $labels = chance(0.15) ? 1 : chance(0.1) ? 30 : 2 + pick(4);
  my @names = map { chance(0.1) ? "\"l $_\"" : "l$_" } 0 .. $labels - 1;
  my @edges;
  for my $s (0 .. $states - 1) {
    push @edges, "($s, " . one(@names) . ', ' . (chance(0.4) ? ($s + 1) % $states : pick($states)) . ")\n" for 1 .. pick(5);
    push @edges, $edges[-1] if @edges && chance(0.05); # the same edge twice
  }
  @edges = sort { rand() <=> 0.5 } @edges if chance(0.3); # in no order
  my $list = list('', @edges);
  my $atom = sub {
    return ['state ', one('==', '>=', '<=', '!='), ' ', pick($states)] if chance(0.4);
    (my $name = one(@names)) =~ s/^(l\d+)$/chance(0.5) ? $1 : "\"$1\""/e;
    return [one('fireable', '!fireable'), "($name)"] if chance(0.9);
    return 'dead';
  };
  return {suffix => 'aut', comment => ['# ', ''], text => ["des (0, ", {count => $list}, ", $states)\n", $list], atom => $atom, measures => ['state']};
}

1;
