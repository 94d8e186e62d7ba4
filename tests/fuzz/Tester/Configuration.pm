# Configuration.pm -- ways to check a model, and what each of them promises beside the plain one.
#
# A configuration is a choice on several axes:
#   store, search, jobs, reduce, engine   the options of that name; left out: the program's own choice
#   whole       --continue: the whole space in spite of violations
#   memory      a share of what the plain run held at its peak; left out: plenty
#   disk        a folder for states that do not fit
#   parts       stopped by a limit again and again, and gone on with from its checkpoint
#   swarm       so many members
#   cache       a share of the states of the story: what a store that forgets may keep beside the stack
#   certificate what thimble-audit confirms the verdict by
#   only        one property of the story is asked alone: the search ends with it, and reductions see nothing else
#   more        other options
# The plain one tells the story: --store plain --search bfs --engine interpreter --reduce none -j 1, the whole space.
#
# What is promised (see Judge.pm) follows from the choice: `exact` (nothing is missed), `counts` (the numbers of states, transitions and deadlocks are those of the story where the run is complete), `finishes` (it comes to a verdict).
package Tester::Configuration;
use strict;
use warnings;
use Tester::Tree qw(pick one chance);

our $plenty = '256M';
my @stores = qw(plain tree compact-tree collapse dfa delta comback);
my @reductions = ('por', 'symmetry', 'slice', 'auto', 'por,slice', 'por,symmetry', 'slice,symmetry');

sub plain { return {store => 'plain', search => 'bfs', engine => 'interpreter', reduce => 'none', jobs => 1, whole => 1} }

# With what else is asked for beside the plain choice.
sub but { return {%{plain()}, @_} }

# One of each kind: what a kept model passes through.
sub all {
  my @all;
  push @all, but(store => $_), but(store => $_, search => 'dfs'), but(store => $_, whole => 0) for @stores;
  push @all, but(store => $_, jobs => 2), but(store => $_, jobs => 3) for qw(plain tree compact-tree);
  push @all, but(store => 'cache', search => 'dfs', cache => 1.2), but(store => 'cache', search => 'dfs', cache => 0.8), but(store => 'disk', disk => 1), but(store => 'disk', disk => 1, whole => 0);
  push @all, but(search => $_), but(search => $_, whole => 0), but(search => $_, store => 'compact-tree') for qw(best astar sweep);
  push @all, but(search => 'sweep', store => 'comback'), {search => 'walk', more => ['--walks', 20, '--max-depth', 200]};
  for my $list (@reductions) { push @all, but(reduce => $list, whole => 0), but(reduce => $list, whole => 0, search => 'dfs', store => 'tree'), map { but(reduce => $list, whole => 0, only => $_) } 0 .. 3 }
  push @all, but(store => 'hashcompact', whole => 0), but(store => 'bitstate', whole => 0), {swarm => 3};
  push @all, {}, {jobs => 2, whole => 1}, {reduce => 'auto', jobs => 3}, but(engine => 'compiled'), but(engine => 'compiled', reduce => 'auto', store => 'compact-tree', jobs => 2);
  push @all, but(parts => 3), but(parts => 3, search => 'dfs', store => 'tree'), but(parts => 4, store => 'comback', jobs => 2), but(parts => 2, reduce => 'auto', whole => 0), but(parts => 3, store => 'disk', disk => 1);
  push @all, map { {memory => $_, reduce => 'none'}, {memory => $_, whole => 1, jobs => 2}, {memory => $_, disk => 1, reduce => 'none', whole => 1} } 0.5, 0.8, 0.95;
  push @all, but(certificate => 1), but(certificate => 1, whole => 0, store => 'tree', search => 'dfs'), {certificate => 1, reduce => 'none', jobs => 2};
  push @all, but(more => ['--cycles', 'ndfs']), but(store => 'comback', more => ['--comback', $_]) for qw(classic succinct path backwards sets numbers);
  push @all, but(store => 'comback', more => ['--cache', 4]), but(store => 'delta', more => ['--delta', 2]);
  return @all;
}

# Any choice that the program's own rules allow; %with: some of it is given.
sub any {
  my ($process, %with) = @_;
  my $k = %with ? 99 : pick(100);
  return {swarm => 2 + pick(3), more => ['--seed', 1 + pick(1000)]} if $k < 2;
  return {search => 'walk', more => ['--walks', 1 + pick(30), '--max-depth', 200, '--seed', 1 + pick(1000)]} if $k < 4;
  return but(store => one('hashcompact', 'bitstate'), whole => 0, search => one('bfs', 'dfs')) if $k < 7;
  return but(certificate => 1, store => one(@stores), search => one('bfs', 'dfs'), jobs => 1 + pick(2), whole => chance(0.5)) if $k >= 14 && $k < 17;
  return but(store => 'disk', disk => 1, whole => chance(0.7)) if $k < 11;
  return but(store => 'cache', search => 'dfs', cache => 0.6 + rand(0.6), whole => chance(0.7)) if $k < 14;
  my %c = (store => one(@stores, 'auto'), search => one('bfs', 'bfs', 'auto', 'dfs', 'dfs', 'best', 'astar', 'sweep'), jobs => 1 + pick(3), whole => chance(0.6));
  $c{reduce} = chance(0.55) ? 'none' : one(@reductions);
  $c{engine} = $process && chance(0.04) ? 'compiled' : 'interpreter';
  if ($c{reduce} ne 'none') { $c{whole} = 0; $c{only} = pick(12) if chance(0.75) } # the whole space has no reductions
  %c = (%c, %with);
  return \%c if $c{certificate}; # which sees all states itself, and has a budget that is enough for it
  if (chance(0.15)) { $c{memory} = 0.3 + rand(0.9); $c{disk} = 1 if $c{search} eq 'bfs' && chance(0.3); $c{store} = 'auto' if chance(0.7) }
  elsif (chance(0.12) && $c{search} =~ /fs$/) { $c{parts} = 2 + pick(4) }
  push @{$c{more}}, '--cycles', 'ndfs' if chance(0.05);
  push @{$c{more}}, '--cache', 2 + pick(30) if $c{store} eq 'comback' && chance(0.3);
  push @{$c{more}}, '--comback', one(qw(classic succinct path backwards sets numbers)) if $c{store} eq 'comback' && chance(0.4);
  push @{$c{more}}, '--delta', 1 + pick(6) if $c{store} eq 'delta' && chance(0.5);
  return \%c;
}

# For spaces that are large enough for several threads, for stores that grow and for the ladder.
sub wide {
  my (%with) = @_;
  my $c = {store => one('plain', 'tree', 'compact-tree', 'auto'), search => one('bfs', 'bfs', 'auto', 'dfs', 'sweep'), jobs => 1 + pick(3), reduce => chance(0.8) ? 'none' : one(@reductions), whole => chance(0.8)};
  $c->{jobs} = 2 + pick(2) if $c->{search} =~ /bfs|auto/;
  if ($c->{reduce} ne 'none') { $c->{whole} = 0; $c->{only} = pick(12) }
  %$c = (%$c, %with);
  if (chance(0.25)) { $c->{memory} = 0.5 + rand(0.6); $c->{store} = 'auto'; $c->{disk} = 1 if $c->{search} eq 'bfs' && chance(0.4) }
  return $c;
}

sub lossy { my ($c) = @_; return $c->{swarm} || ($c->{store} // '') =~ /^(?:hashcompact|bitstate)$/ ? 1 : 0 }
sub walks { my ($c) = @_; return ($c->{search} // '') eq 'walk' ? 1 : 0 }

# The kinds of questions that it cannot be asked; they have no meaning for it.
sub refused {
  my ($c) = @_;
  return (ctl => 1, ltl => 1, fair => 1) if $c->{swarm} || walks($c) || ($c->{store} // '') eq 'disk';
  return $c->{parts} || lossy($c) ? (ctl => 1) : ();
}

sub asks {
  my ($c, @arguments) = @_;
  my %refused = refused($c);
  my @kept;
  while (@arguments) {
    my $flag = shift @arguments;
    my @value = $flag eq '--no-deadlock' ? () : shift @arguments;
    push @kept, $flag, @value unless $refused{substr $flag, 2};
  }
  return @kept;
}

# The property that is asked alone.
sub chosen {
  my ($c, $story) = @_;
  return () unless defined $c->{only} && $story;
  my %refused = refused($c);
  my @ids = map { $_->{id} } grep { !$refused{$_->{kind}} } @{$story->{properties}};
  return @ids ? ('-p', $ids[$c->{only} % @ids]) : ();
}

# The options; $story: the plain verdict, where there is one yet; $measure: of progress, for sweeps.
sub arguments {
  my ($c, $story, $measure) = @_;
  my ($peak, $states) = $story ? ($story->{memory}{peak_bytes}, $story->{states}) : (0, 0);
  my @a;
  push @a, '--store', $c->{store} if $c->{store};
  push @a, '--search', $c->{search} if $c->{search};
  push @a, '--engine', $c->{engine} if $c->{engine};
  push @a, '--reduce', $c->{reduce} if $c->{reduce};
  push @a, '-j', $c->{jobs} if $c->{jobs};
  push @a, '--lossy' if lossy($c) && !$c->{swarm};
  push @a, '--swarm', $c->{swarm} if $c->{swarm};
  push @a, '--continue=1' if $c->{whole};
  push @a, '--disk', 'files' if $c->{disk};
  push @a, chosen($c, $story);
  push @a, '--progress-measure', $measure if defined $measure && ($c->{search} // '') eq 'sweep';
  push @a, '--cache', 20 + int($c->{cache} * $states), '--time', 3 if $c->{cache}; # it may take longer than anybody has
  push @a, '--certificate', 'state.cert' if $c->{certificate};
  push @a, @{$c->{more}} if $c->{more};
  my $memory = $c->{memory} ? int($peak * $c->{memory} / 1024) . 'K' : lossy($c) ? '16M' : $plenty;
  return (@a, '--memory', $memory);
}

1;
