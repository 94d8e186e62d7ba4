#!/usr/bin/perl
# labelled.t -- graphs as models: a label may stand on several edges of one state and of many.
#
# The graph of a model, written by `graph -f aut`, gives the verdicts that the model gives, whatever is asked: states,
# runs, branching formulas, observers, games, certificates. Random graphs with labels on many edges are held against
# what a walk over their edges says.
use strict;
use warnings;
use File::Temp 'tempdir';
use Test::More;

my $thimble = $ENV{THIMBLE} || 'build/thimble';
$thimble = "$ENV{PWD}/$thimble" unless $thimble =~ m{^/};
(my $audit = $thimble) =~ s{[^/]*$}{thimble-audit};
my $dir = tempdir(CLEANUP => 1);

sub slurp { open my $in, '<', $_[0] or return ''; local $/; return scalar <$in> }

# The statuses by property, and the exit code. A verdict is wanted: what was found out is told by exit codes 0 and 1.
sub verdict {
    my ($file, @options) = @_;
    my $pid = fork // die;
    if (!$pid) {
        chdir $dir or die; # strategies are written beside
        open STDOUT, '>', "$dir/out" and open STDERR, '>', "$dir/err" or die;
        exec $thimble, 'check', $file, '--json', '-j', 1, '-o', "$dir/trace.json", @options;
    }
    waitpid $pid, 0;
    my $code = $? & 127 ? -1 : $? >> 8;
    my $out = slurp("$dir/out");
    my %is = ('exit code' => $code);
    $is{$1} = $2 while $out =~ /"id": "([^"]+)".*?"status": "([^"]+)"/sg;
    ($is{states}) = $out =~ /^\s+"states": (\d+)/m;
    diag($out, slurp("$dir/err")) if $code != 0 && $code != 1;
    return \%is;
}

sub labels {
    my %seen;
    /^\(\d+, "(.*)", \d+\)$/ and $seen{$1}++ for split /\n/, slurp($_[0]);
    return sort keys %seen;
}

sub questions {
    my ($label, $other) = @_;
    my @theirs = ('--controllable', '*', '--uncontrollable', $other); # a graph does not say whose a label is
    my ($f, $g) = map "fireable(\"$_\")", $label, $other;
    return (['--invariant', "!$f || !$g"], ['--reachable', "$f && !$g"], ['--ltl', "[] ($f -> <> !$f)"], ['--ltl', "<> [] !$g || [] <> $f"],
        ['--ctl', "A G ($f -> E F ($g && !$f))"], ['--ctl', "E G !($f)"], ['--ctl', "A F $g"],
        ['--strategy', "reach $f && !$g", @theirs], ['--strategy', "keep !($g)", @theirs], ['--observer', "$dir/often.hoa"]);
}

sub observer {
    my ($label) = @_;
    system($thimble, 'ltl', "G F fireable(\"$label\")", '-o', "$dir/often.hoa") == 0 or die;
}

# Certificates of what a certificate can show: the audit comes to the same verdict.
sub audited {
    my ($file, $is, @options) = @_;
    unlink "$dir/cert";
    verdict($file, @options, '--certificate', "$dir/cert");
    my $said = `'$audit' '$dir/cert' 2>&1`;
    return $? >> 8 == $is->{'exit code'} || $said;
}

# ---- the graphs of all examples

for my $file (glob "$ENV{PWD}/examples/*.{net,pnml,pml,dve,cpnt,aut}") {
    next if $file =~ /unbounded/;
    (my $name = $file) =~ s{.*/}{};
    my $aut = "$dir/$name.aut";
    is(system($thimble, 'graph', '-f', 'aut', '-q', $file, '-o', $aut), 0, "$name: its graph");
    my $of_model = verdict($file, '--continue', '-p', 'deadlock', '--ctl', 'A G (E F dead)');
    is_deeply(verdict($aut, '--continue', '-p', 'deadlock', '--ctl', 'A G (E F dead)'), $of_model, "$name: deadlocks and states")
        unless $file =~ /\.pml$/; # valid ends are not written
    next if $file =~ /\.(pml|dve)$/; # labels are statements, which conditions of these languages do not name
    my @labels = labels($aut);
    my ($wrong, $unsure) = (0, 0);
    for my $n (0 .. ($#labels < 3 ? $#labels : 3)) {
        my ($label, $other) = ($labels[$n], $labels[($n * 7 + 1) % @labels]);
        observer($label);
        for my $q (questions($label, $other)) {
            my ($model, $graph) = map verdict($_, '--no-deadlock', @$q), $file, $aut;
            delete @$_{qw(states runtime)} for $model, $graph; # of a part, when a run is found; graphs make no errors
            my $same = eq_hash($model, $graph) or diag("$name: @$q: ", explain($model), explain($graph));
            $wrong += !$same;
            next unless $q->[0] =~ /invariant|reachable/;
            my $answer = audited($aut, $graph, '--no-deadlock', @$q);
            $unsure += $answer ne '1';
            diag($answer) if $answer ne '1';
        }
    }
    is($wrong, 0, "$name: every verdict is that of its graph");
    is($unsure, 0, "$name: certificates of the graph are confirmed");
}

# ---- random graphs, by hand: which labels leave which state is what the file says

my ($wrong, $unsure, $asked) = (0, 0, 0);
srand 33;
for my $round (1 .. 25) {
    my ($states, @edge, %leaves) = 2 + int rand 12;
    for my $s (0 .. $states - 1) {
        push @edge, [$s, 'abc' =~ /(.{${\int rand 3}})(.)/ && $2, int rand $states] for 1 .. int rand 5;
    }
    push @edge, [0, 'a', 0], [0, 'b', $states - 1], [0, 'c', 0];
    open my $out, '>', "$dir/r.aut" or die;
    print $out "des (0, ", scalar @edge, ", $states)\n", map "($_->[0], \"$_->[1]\", $_->[2])\n", @edge;
    close $out;
    $leaves{"$_->[0] $_->[1]"} = 1 for @edge;
    my (%seen, @wait) = (0 => 1);
    for (@wait = (0); defined(my $s = shift @wait);) {
        $_->[0] == $s && !$seen{$_->[2]}++ and push @wait, $_->[2] for @edge;
    }
    for my $label (qw(a b c)) {
        my @with = grep $leaves{"$_ $label"}, keys %seen;
        my $always = @with == keys %seen;
        my %want = (
            'invariant:1' => $always ? 'holds' : 'violated',
            'reachable:1' => (grep !$leaves{"$_ $label"}, keys %seen) ? 'holds' : 'violated',
            'ltl:1' => $always ? 'holds' : 'violated', 'ctl:1' => $always ? 'holds' : 'violated');
        for my $q (['--invariant', "fireable($label)"], ['--reachable', "!fireable($label)"], ['--ltl', "[] fireable($label)"], ['--ctl', "A G fireable($label)"]) {
            my $is = verdict("$dir/r.aut", '--no-deadlock', @$q);
            my ($id) = grep /:1/, keys %$is;
            my $right = defined $id && $is->{$id} eq $want{$id};
            diag("round $round: @$q: ", explain($is), slurp("$dir/r.aut")) unless $right;
            $wrong += !$right;
            $asked++;
            next if $q->[0] eq '--ctl' || ($q->[0] eq '--ltl' && $always);
            my $answer = audited("$dir/r.aut", $is, '--no-deadlock', @$q);
            $unsure += $answer ne '1';
            diag($answer) if $answer ne '1';
        }
    }
}
is($wrong, 0, "$asked questions to random graphs");
is($unsure, 0, 'and their certificates');
done_testing();
