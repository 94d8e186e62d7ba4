# Net.pm -- random place/transition nets: state machines that meet in some of their transitions, and arcs at will, with weights; mostly bounded. Heavy ones have weights and tokens of all magnitudes, from 1 to 2^31 - 1.
package Tester::Net;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list some number);

sub arcs { # of a hash place => weight
  my ($weights) = @_;
  return some(0, ', ', '', map { $weights->{$_} > 1 ? [number($weights->{$_}, 1), '*', $_] : $_ } sort keys %$weights);
}

sub transition {
  my ($name, $in, $out) = @_;
  return ["transition $name : ", arcs($in), ' -> ', arcs($out), "\n"];
}

# Machines of a few places with a token or two each; some transitions belong to two of them.
sub machines {
  my (@places, @transitions, @steps);
  my $alike = chance(0.4);
  my ($size, $tokens) = (2 + pick(3), 1 + pick(2));
  my $machines = 2 + pick(3);
  for my $m (0 .. $machines - 1) {
    ($size, $tokens) = (2 + pick(3), 1 + pick(2)) unless $alike;
    for my $p (0 .. $size - 1) { push @places, ["place m${m}p$p = ", number($p ? 0 : $tokens), "\n"] }
    for my $p (0 .. $size - 1) {
      my $to = $alike || chance(0.7) ? ($p + 1) % $size : pick($size);
      push @steps, ["m${m}p$p", "m${m}p$to"];
    }
  }
  push @places, "place lock = 1\n", ["place count = ", number(2 + pick(3)), "\n"];
  my $n = 0;
  while (@steps) {
    my @joined = shift @steps;
    push @joined, splice @steps, pick(scalar @steps), 1 if @steps && !$alike && chance(0.3);
    my (%in, %out);
    for (@joined) { $in{$_->[0]}++; $out{$_->[1]}++ }
    $in{lock}++ if chance(0.2);
    $out{lock}++ if chance(0.2);
    $in{count} += 1 + pick(2) if chance(0.15);
    $out{count}++ if $in{count} && chance(0.5);
    push @transitions, transition('t' . $n++, \%in, \%out);
  }
  return (\@places, \@transitions, [map { /place (\S+)/ ? $1 : () } map { ref $_ ? $_->[0] : $_ } @places], $n);
}

# Anything; a transition mostly puts out no more than it takes.
sub anything {
  my $places = 3 + pick(4);
  my @names = map { "p$_" } 0 .. $places - 1;
  my @places = map { ["place $_ = ", number(pick(4)), "\n"] } @names;
  my $count = 3 + pick(5);
  my @transitions;
  for my $t (0 .. $count - 1) {
    my (%in, %out);
    my $taken = 1 + pick(3);
    $in{one(@names)}++ for 1 .. $taken;
    my $given = chance(0.04) ? $taken + 1 : chance(0.75) ? $taken : pick($taken);
    $out{one(@names)}++ for 1 .. $given;
    push @transitions, transition("t$t", \%in, \%out);
  }
  return (\@places, \@transitions, \@names, $count);
}

# Any size: numbers near powers of two, of ten, and what lies between.
sub magnitude {
  my $n = chance(0.4) ? 2 ** pick(32) + pick(3) - 1 : chance(0.3) ? 10 ** pick(10) : int(2 ** rand 31);
  return $n < 1 ? 1 : $n > 2147483647 ? 2147483647 : $n;
}

# Few places and transitions, whose tokens and weights need not have to do with each other; or multiples of one number, so that there are few states of many tokens.
sub heavy {
  my $places = 2 + pick(4);
  my @names = map { "p$_" } 0 .. $places - 1;
  my $unit = chance(0.4) ? magnitude() : 0;
  my $number = sub { my $n = $unit ? $unit * (1 + pick(6)) : magnitude(); return $n > 2147483647 ? 2147483647 : $n };
  my @places = map { ["place $_ = ", number(chance(0.4) ? 0 : $number->()), "\n"] } @names;
  my $count = 1 + pick(5);
  my @transitions;
  for my $t (0 .. $count - 1) {
    my (%in, %out);
    $in{one(@names)} = chance(0.3) ? 1 + pick(3) : $number->() for 1 .. 1 + pick(2);
    $out{one(@names)} = chance(0.3) ? 1 + pick(3) : $number->() for 1 .. pick(3);
    if (chance(0.5)) { # takes as much as it gives
      my ($from, $to) = ((sort keys %in)[0], one(@names));
      %in = ($from => $in{$from});
      %out = ($to => $in{$from});
    }
    push @transitions, transition("t$t", \%in, \%out);
  }
  my $atom = sub {
    my $p = one(@names);
    return ["$p ", one('==', '>=', '<=', '!='), ' ', chance(0.7) ? $number->() : pick(3)] if chance(0.5);
    return [chance(0.5) ? magnitude() : 2, " * $p <= ", magnitude()] if chance(0.2);
    return ["$p + ", one(@names), ' <= ', $number->()] if chance(0.4);
    return ["$p > ", one(@names)] if chance(0.4);
    return [one('fireable', '!fireable'), '(t' . pick($count) . ')'];
  };
  return {suffix => 'net', limit => 2, comment => ['# ', ''], text => [list('', @places), list('', @transitions)], atom => $atom, measures => \@names};
}

sub random {
  my ($wide) = @_;
  my ($places, $transitions, $names, $count) = chance(0.5) ? machines() : anything();
  if ($wide) {
    for (0 .. 1) {
      push @$places, ["place w$_ = ", number(10 + pick(30)), "\nplace v$_\n"];
      push @$transitions, "transition up$_ : w$_ -> v$_\n", "transition down$_ : v$_ -> w$_\n";
    }
  }
  my $atom = sub {
    my $p = one(@$names);
    return ["$p ", one('==', '>=', '<=', '!='), ' ', number(pick(3))] if chance(0.6);
    return ["$p + ", one(@$names), ' <= ', number(1 + pick(3))] if chance(0.4);
    return ["$p > ", one(@$names)] if chance(0.4);
    return [one('fireable', '!fireable'), '(t' . pick($count) . ')'];
  };
  return {suffix => 'net', comment => ['# ', ''], text => [list('', @$places), list('', @$transitions)], atom => $atom, measures => $names};
}

1;
