#!/usr/bin/perl
# promela_counts.t -- Promela models from elsewhere: states, edges and verdict are those that SPIN found.
#
# The corpus (THIMBLE_CORPUS, or ../shared/corpus) has promela/ORACLE.csv, promela/micro/ORACLE.csv and promela2/ORACLE.csv; rows with a complete count are
# compared, one test each.  Models of more than 300,000 states only with THIMBLE_LONG=1 (THIMBLE_LARGEST=N sets the limit).
# THIMBLE_MATCH=RE takes only the files that match; THIMBLE_ENGINE=NAME asks for an engine.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../peers";
use Spin qw(run_thimble languages rows);

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
my $corpus = ($ENV{THIMBLE_CORPUS} // "$FindBin::Bin/../../../shared/corpus") . '/promela';
skip_all('no corpus of Promela models') unless -e "$corpus/ORACLE.csv";
skip_all('this thimble does not read Promela') unless grep { $_ eq 'promela' } languages();
my $largest = $ENV{THIMBLE_LARGEST} // ($ENV{THIMBLE_LONG} ? 1e12 : 300_000);
my $match = $ENV{THIMBLE_MATCH} // '';

my @wanted; # {file, states, transitions (edges), verdict}
for my $row (rows("$corpus/micro/ORACLE.csv")) {
  next unless $row->{status} eq 'ok' && $row->{spinflags} eq '-o1 -o2 -o3' && $row->{ccflags} eq '-DSAFETY -DNOREDUCE -DNOCLAIM' && $row->{panflags} eq '-c0';
  my $verdict = $row->{first_error} =~ /invalid array index/ ? 'index' : $row->{first_error} =~ /^assertion/ ? 'assertion' : $row->{first_error} =~ /^invalid end/ ? 'deadlock' : $row->{first_error} eq '' ? 'none' : 'other';
  push @wanted, {file => "micro/$row->{file}", states => $row->{states}, transitions => $row->{transitions} - 1, verdict => $verdict,
    trace => $row->{first_error} =~ /event_trace/ ? 1 : 0};
}
for my $row (rows("$corpus/ORACLE.csv")) {
  next unless ($row->{canon_complete} // '') eq '1';
  push @wanted, {file => $row->{file}, states => $row->{canon_states}, transitions => $row->{canon_transitions} - 1, verdict => ($row->{firstmsg} // '') =~ /invalid array index/ ? 'index' : $row->{verdict}};
}
for my $row (rows("$corpus/../promela2/ORACLE.csv")) { # its verdicts are those of claims, too: bench/conformance asks for them
  next unless $row->{spin_status} eq 'complete';
  push @wanted, {file => "../promela2/$row->{file}", states => $row->{spin_states}, transitions => $row->{spin_transitions_minus_1}, verdict => 'any', smaller => 1};
}

# A file that is included but missing: such a model cannot be read by anybody.
sub missing {
  my ($file, $depth) = @_;
  open my $in, '<', $file or return $file;
  my @includes = map { /^\s*#\s*include\s*"([^"]+)"/ ? $1 : () } <$in>;
  close $in;
  for my $name (@includes) {
    my $path = $file =~ s{[^/]*$}{$name}r;
    my $lost = -e $path ? ($depth < 10 ? missing($path, $depth + 1) : '') : $name;
    return $lost if $lost;
  }
  return '';
}

# C inside a model has to be allowed, and no engine can be chosen for it that does without a compiler.
sub holds_c {
  open my $in, '<', $_[0] or return 0;
  local $/;
  return scalar(<$in> =~ /\bc_(?:code|expr|decl|state|track)\b/);
}

my ($count, $failed, $left) = (0, 0, 0);
for my $want (@wanted) {
  next if $want->{file} !~ /$match/;
  if ($want->{states} > ($want->{smaller} && $largest == 300_000 ? 50_000 : $largest)) { $left++; next }
  if (my $lost = missing("$corpus/$want->{file}", 0)) {
    $count++;
    print "ok $count - $want->{file} # SKIP $lost is not there\n";
    next;
  }
  if (Spin::slurp("$corpus/$want->{file}") =~ /\bputrail\(/) { # C that calls functions of pan
    $count++;
    print "ok $count - $want->{file} # SKIP its C is for pan\n";
    next;
  }
  my @options = qw(--continue --reduce none --store plain);
  push @options, '--no-claims' unless $want->{trace}; # it would leave out the trace too, SPIN's NOCLAIM does not
  my $c = holds_c("$corpus/$want->{file}");
  push @options, '--allow-c-code' if $c;
  my $got = run_thimble("$corpus/$want->{file}", seconds => 120, options => \@options, $c ? () : (engine => $ENV{THIMBLE_ENGINE}));
  my @said;
  if ($got->{status} ne 'ok') { push @said, "$got->{status}: $got->{why}" }
  else {
    # beyond the end of an array SPIN goes on with whatever lies there: only the fault itself is compared
    for my $what ($want->{verdict} eq 'index' ? () : qw(states transitions)) { push @said, "$what: $got->{$what}, SPIN has $want->{$what}" if $got->{$what} != $want->{$what} }
    # the oracle has the first error only: behind a deadlock there may be failing assertions, and the other way round
    my $verdict = $want->{verdict};
    push @said, 'no invalid end state found' if $verdict eq 'deadlock' && !$got->{deadlock};
    push @said, 'no failing assertion found' if $verdict eq 'assertion' && !$got->{assertion};
    push @said, 'an invalid end state, where SPIN has none' if $verdict eq 'none' && $got->{deadlock};
    push @said, 'a failing assertion, where SPIN has none' if $verdict eq 'none' && $got->{assertion};
    push @said, 'no fault found' if $verdict =~ /^(other|index)$/ && !$got->{other} && !$got->{assertion};
  }
  $count++;
  $failed++ if @said;
  print @said ? 'not ok' : 'ok', " $count - $want->{file}: $want->{states} states, $want->{transitions} transitions, $want->{verdict}\n";
  print "#   $_\n" for @said;
}
print "# $left larger models left out: THIMBLE_LONG=1 takes them\n" if $left;
print "1..$count\n";
exit($failed ? 1 : 0);
