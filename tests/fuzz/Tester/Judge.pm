# Judge.pm -- holds a run against the story that the plain one told, as far as it promises, and every run against itself.
#
# A finding is [class, sentence]; two findings of a class are taken for the same one while a model is made smaller.
package Tester::Judge;
use strict;
use warnings;
use Tester::Configuration;

my %verdict_of = (0 => 'holds', 1 => 'violated', 4 => 'incomplete', 5 => 'no-violation-lossy');
my $of_states = qr/^(?:deadlock|invariant|assert|runtime)$/;

# What the program may refuse by its own rules, which nobody knows before the model is read.
my $fair_refusal = qr/needs a measure of progress: none follows|--checkpoint: the search for a temporal property begins anew/;

# What a program complained of: its first error, or else its first line.
sub first_line { my ($text) = @_; return $text =~ /^(.*\berror: .*\S)/m || $text =~ /^(.*\S)/m ? $1 : 'nothing' }

# What no run may do, whatever was asked.
sub sound {
  my ($run) = @_;
  return ['hang', "does not come to an end in $run->{limit} s"] if $run->{hung};
  return ['signal', "ended by signal $run->{signal}: " . first_line($run->{err})] if $run->{signal};
  return ['sanitizer', first_line($1)] if $run->{err} =~ /(.*(?:Sanitizer|runtime error:).*)/;
  my $expected = $verdict_of{$run->{code}};
  return ["exit $run->{code}", "exit code $run->{code}: " . first_line($run->{err})] unless $expected;
  my $v = $run->{verdict};
  return ['json', 'no JSON object: ' . first_line($run->{out})] unless $v;
  return ['code', "verdict $v->{verdict} with exit code $run->{code}"] if $v->{verdict} ne $expected || $v->{exit_code} != $run->{code};
  my %status = map { $_->{status} => 1 } @{$v->{properties}};
  return ['own words', "verdict $v->{verdict} with statuses " . join(' ', sort keys %status)] if ($status{violated} ? 1 : 0) != ($run->{code} == 1) || ($run->{code} == 0 && $status{unknown});
  return ();
}

# Under a hard limit of time, whatever was found out by then: nobody contradicts the other. What counts beyond 2^31 - 1 is an error of the model, which one way may meet and another not.
sub limited {
  my ($story, $other) = @_;
  return () if $other->{code} == 2 && $other->{err} =~ $fair_refusal;
  return () if $other->{code} == 3 && $other->{err} =~ /more than 2147483647|too large|2\^31|beyond/;
  my @wrong = sound($other);
  return @wrong if @wrong || !$story->{verdict} || !$other->{verdict};
  for my $p (@{$other->{verdict}{properties}}) {
    my $told = $story->{status}{$p->{id}} or next;
    push @wrong, ["status $p->{kind}", "$p->{id} is $p->{status}, in the story $told->{status}"] if $p->{status} ne 'unknown' && $told->{status} ne 'unknown' && $p->{status} ne $told->{status};
  }
  return @wrong;
}

# `other` was made by configuration $c, `story` by the plain one.
sub compare {
  my ($c, $story, $other) = @_;
  return () if $other->{code} == 2 && $other->{err} =~ $fair_refusal;
  my @wrong = sound($other);
  return @wrong if @wrong;
  my ($s, $o) = ($story->{verdict}, $other->{verdict});
  my ($lossy, $walks) = (Tester::Configuration::lossy($c), Tester::Configuration::walks($c));
  my $spent = $c->{cache} && $o->{stop}{reason} =~ /^(?:time|memory)$/; # a cache that is smaller than the stack, or forgets too much
  my $finishes = !$c->{memory} && !$lossy && !$walks && !$spent;

  for my $p (@{$o->{properties}}) {
    my $told = $story->{status}{$p->{id}} or do { push @wrong, ['property', "property $p->{id} is not in the story"]; next };
    my ($id, $is, $was) = ($p->{id}, $p->{status}, $told->{status});
    if ($is ne 'unknown' && $is ne $was) { push @wrong, ["status $p->{kind}", "$id is $is, in the story $was"] }
    if ($is eq 'unknown' && $finishes && ($c->{whole} || defined $c->{only} || $s->{verdict} eq 'holds')) { push @wrong, ["unknown $p->{kind}", "$id is unknown, in the story $was"] }
    if ($is eq 'holds' && ($lossy || $walks) && $p->{kind} ne 'reachable') { push @wrong, ["lossy $p->{kind}", "$id holds, by a search that can miss states"] }
    if ($is eq 'violated' && !defined $p->{trace} && !$c->{memory} && $p->{kind} =~ $of_states) { push @wrong, ["trace $p->{kind}", "$id is violated without a trace"] }
    if ($is eq $was && defined $p->{trace} && defined $p->{steps} && defined $told->{steps} && $told->{shortest} && $p->{kind} =~ /$of_states|reachable/) {
      push @wrong, ["steps $p->{kind}", "$id in $p->{steps} steps, the shortest has $told->{steps}"] if $p->{steps} < $told->{steps} || ($p->{shortest} && $p->{steps} > $told->{steps});
    }
  }
  if ($finishes && $other->{code} != $story->{code} && !dropped($c, $story, $other)) { push @wrong, ['verdict', "verdict $o->{verdict}, in the story $s->{verdict}"] }
  if ($walks && $other->{code} == 0 && grep { $_->{kind} ne 'reachable' } @{$o->{properties}}) { push @wrong, ['proof', 'walks prove nothing'] }

  my $reduced = join ' ', @{$o->{reductions}};
  my $again = ($o->{sweep} && $o->{sweep}{sweeps} > 1 && ($c->{store} // '') ne 'comback') || ($c->{store} // '') eq 'cache';
  if ($finishes && $c->{whole} && !$o->{complete}) { push @wrong, ['incomplete', "not complete: $o->{stop}{reason}"] }
  # Temporal properties alone have searches of their own, whose numbers are those of the product.
  my $counted = (grep { $_->{kind} ne 'ltl' } @{$s->{properties}}) && grep { $_->{kind} ne 'ltl' } @{$o->{properties}};
  if ($o->{complete} && !$walks && !$lossy && $counted) {
    for my $field (qw(states transitions deadlocks)) {
      my ($is, $was) = ($o->{$field}, $s->{$field});
      my $fine = $reduced ? $again || $field ne 'states' || $is <= $was : $again ? $is >= $was : $is == $was;
      $fine = 0 if $field eq 'deadlocks' && $reduced eq 'por' && !$again && $other->{status}{deadlock} && $is != $was; # stubborn sets keep all of them
      push @wrong, [$field, "$is $field, in the story $was"] unless $fine;
    }
    my $layers = ($o->{search} // '') eq 'bfs' && !$reduced;
    push @wrong, ['depth', "depth $o->{depth}, in the story $s->{depth}"] if $layers && $o->{depth} != $s->{depth};
  }
  return @wrong;
}

# The story was violated by nothing but what this run was not asked.
sub dropped {
  my ($c, $story, $other) = @_;
  return !grep { $_->{status} eq 'violated' && $other->{status}{$_->{id}} } @{$story->{verdict}{properties}};
}

1;
