# Promela.pm -- random Promela and PROM+: a few processes with loops, choices, atomic and d_step sequences, escapes, timeouts, assertions and processes that make others, over shared variables and channels of all kinds; in one
# model of three several processes of one type that know each other by number; in PROM+ objects and pointers.
package Tester::Promela;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list some number);

my @relations = ('==', '!=', '<', '>=');
my %s; # what the present program has

sub variable { return chance($s{private} ? 0.75 : 0.5) ? one('i', 'j') : one('x', 'y', 'z', 'a[0]', 'a[me]', chance(0.15) ? 'a[i]' : 'x') }

sub channel { return one('c', 'd', 'in', 'r', 'q', 'e[me]', $s{own} ? 'own' : 'c') }

sub condition {
  my $v = variable();
  my $k = pick(12);
  return one('len(c) == 0', 'full(c)', 'nempty(d)', 'empty(d)', 'nfull(c)', 'len(d) < 2', 'nempty(in)', 'c?[1]') if $k == 0 && $s{channels};
  return one('turn == _pid', 'turn != _pid', 'flag[_pid] == 0', 'flag[turn] == 0') if $k < 3 && $s{alike};
  return one('_nr_pr > 2', "P0:i == 1", 'timeout') if $k == 3 && $s{rare};
  if ($k == 4) { my ($c, $d) = (condition(), condition()); return {node => [$c, one(' && ', ' || '), $d], simpler => [$c, $d]} }
  return [$v, ' ', one(@relations), ' ', variable()] if $k == 5;
  return [$v, ' ', one(@relations), ' ', number(pick(3))];
}

sub assignment {
  my $v = variable();
  my $k = pick(8);
  return [$v, ' = ', number(pick(3))] if $k < 4;
  return ["$v = ($v + 1) % ", number(3, 1)] if $k < 6;
  return one('k++', 'k--', 'k = 0', 'skip') if $k == 6;
  return [$v, ' = ', variable()];
}

sub pointers {
  return one('(*l).v = 1', '(*l).v = 0', '(*o).v = i', '((*l).v == 0)', 'g = l', 'g = o', '(g == l)', '(g != l)', 'k0 = g', 'k0 = l', '(k0 != null)', '(*l).next = k0', 'k0 = (*l).next', '(*l).next = o', 'reset k0', 'k0 = new node', '(*l).who = _pid',
    '((*o).who == _pid)', 'i = (*l).v', 'k0 = o; (*k0).v = 1 - (*k0).v', 'if :: (g != null) -> (*g).v = i :: else fi', 'atomic { k0 = new node; (*k0).v = i; (*k0).next = l }', '(*l).next = null');
}

# Inside d_step (`plain`) nothing that blocks but at the beginning; inside atomic no loops.
sub statement {
  my ($depth, $plain, $atomic, $loops) = @_;
  return assignment() if $plain;
  my $k = pick($depth > 2 ? 20 : 30);
  return assignment() if $k < 6;
  return pointers() if $k < 12 && $s{pointers};
  return one('flag[_pid] = 1', 'flag[_pid] = 0', 'turn = _pid', 'e[me]!1', 'e[me]?i', $s{unfair} ? ('turn = 2', '(turn == 1)', 'flag[2] = 1', '(_pid > 1)', 'x = _pid % 3', 'a[0] = 1', 'y = (_pid == 1 -> 1 : 2)') : ()) if $k < 9 && $s{alike};
  return ['(', condition(), ')'] if $k < 9;
  if ($k < 12 && $s{channels}) { return [channel(), '!', chance(0.5) ? number(1) : 'i'] }
  if ($k < 15 && $s{channels}) { return [channel(), '?', one('i', 'j', '1', 'x', 'eval(j)')] }
  if ($k < 16 && $s{asserts}) { return ['assert(', condition(), ')'] }
  if ($k < 17 && $s{rare}) { return $s{channels} ? one('timeout', 'c!!i', 'd??1', 'd?<i>', 'i = 6 / j', 'j = i % x', 'in = d', 'd!!0', 'c??i', 'e[0]?<1>', 'select (j : 0 .. 2)') : one('timeout', 'i = 6 / j', 'select (j : 0 .. 2)') }
  if ($k < 18 && $s{makes} && !$loops && $s{types}) { return ['run P' . pick($s{types}) . '(' . pick(2) . ', ' . one('c', 'd') . ')'] unless $s{pointers} }
  return assignment() if $k < 20;
  if ($k < 24) {
    my @bodies = map { body(1 + pick(2), $depth + 1, 0, $atomic, $loops) } 0 .. pick(3);
    my @options = map { [':: ', $_, ' '] } @bodies;
    push @options, [':: else -> ', body(1, $depth + 1, 0, $atomic, $loops), ' '] if chance(0.3);
    return {node => ['if ', some(1, '', '', @options), 'fi'], simpler => \@bodies};
  }
  if ($k < 26 && !$atomic) {
    my @bodies = map { body(1 + pick(2), $depth + 1, 0, 0, 1) } 0 .. pick(3);
    my $leave = 0;
    my @options = map { [':: ', $_, $leave++ && chance(0.7) ? ' ' : '; break '] } @bodies;
    push @options, [':: else -> ', one('break', 'skip'), ' '] if chance(0.3);
    return {node => ['do ', some(1, '', '', @options), 'od'], simpler => \@bodies};
  }
  if ($k < 28) { my $b = body(2 + pick(2), $depth + 1, 0, 1, $loops); return {node => ['atomic { ', $b, ' }'], simpler => [$b]} }
  if ($k < 29 && $s{rare}) {
    my ($b, $c) = (body(2, $depth + 1, 0, $atomic, $loops), body(1, $depth + 1, 0, $atomic, $loops));
    return {node => ['{ ', $b, ' } unless { ', $c, ' }'], simpler => [$b, $c]};
  }
  my $b = body(2, $depth + 1, 1, 1, $loops);
  return {node => ['d_step { ', $b, ' }'], simpler => [$b]};
}

sub body {
  my ($count, @where) = @_;
  return some(1, '; ', 'skip', map { statement(@where) } 1 .. $count);
}

sub process {
  my ($me, $parameters) = @_;
  my $loops = chance(0.4);
  my $first = body(1 + pick(3), 0, 0, 0, 0);
  my $rest = body(1 + pick(3), 0, 0, 0, $loops);
  my @locals = ([' byte i = ', number(pick(2)), ', j;'], ' unsigned k : 2;');
  push @locals, ' chan own = [1] of { byte };' if $s{own};
  push @locals, ' node * k0;' if $s{pointers};
  my $tail = $loops ? {node => ['do :: ', $rest, chance(0.5) ? ' :: break' : '', ' od'], simpler => [$rest]} : $rest;
  return ["proctype P$me($parameters)", $s{rare} && chance(0.08) ? ' provided (x != 2)' : '', ' {', list('', @locals), "\n  ", $first, ";\nL$me: ", $tail, " }\n"];
}

sub random {
  my ($plus, $wide) = @_;
  %s = (channels => chance(0.7), asserts => chance(0.5), rare => chance(0.35), makes => chance(0.3), own => chance(0.2), alike => chance(0.35), unfair => chance(0.6), private => chance(0.5), pointers => $plus, types => 0);
  my $types = $s{alike} || $plus ? 1 + pick(2) : 2 + pick(2);
  my @processes;
  my $parameters = $plus ? 'byte me; chan in; node * l; node * o' : 'byte me; chan in';
  for my $k (0 .. $types - 1) { push @processes, process($k, $parameters); $s{types} = $k + 1 }
  my @declared = ("byte x, y, z, a[2];\n", "chan c = [1] of { byte };\n", "chan d = [2] of { byte };\n", "chan r = [0] of { byte };\n", "chan q = [0] of { byte };\n", "chan e[2] = [1] of { byte };\n");
  push @declared, "pid turn; bool flag[6];\n" if $s{alike};
  unshift @declared, "typedef node { bit v; pid who; node * next }\n", "node * na, * nb, * g;\n" if $plus;
  my @started;
  for my $k (0 .. $types - 1) {
    my $copies = $s{alike} || ($plus && $types == 1) ? 2 : 1;
    push @started, ["run P$k(" . ($_ + $k) % 2 . ', ' . one('c', 'd') . ($plus ? $_ % 2 ? ', nb, na' : ', na, nb' : '') . '); '] for 0 .. $copies - 1;
  }
  unshift @started, 'na = new node; ', 'nb = new node; ' if $plus;
  push @started, 'reset na; ' if $plus && chance(0.5);
  my $started = [some(1, '', '', @started), 'skip'];
  if ($wide) {
    push @processes, "proctype W(byte most) { byte n; do :: n < most -> n++ :: n > 0 -> n-- od }\n";
    push @started, ['run W(', number(10 + pick(30)), '); '] for 1 .. 2;
    $started = [some(1, '', '', @started), 'skip'];
  }
  my $init = ['init { ', {node => ['atomic { ', $started, ' }'], simpler => chance(0.2) ? [$started] : []}, " }\n"];
  my $atom = sub {
    if (chance(0.25)) { my $k = pick($types); return "P$k\@L$k" }
    return one('len(c) == 0', 'nempty(d)', 'full(c)') if $s{channels} && chance(0.2);
    return [one('x', 'y', 'z', 'a[0]', 'a[1]'), ' ', one(@relations), ' ', number(pick(3))];
  };
  return {processes => 1, suffix => $plus ? 'pmp' : 'pml', comment => ['/* ', ' */'], text => [list('', @declared), list('', @processes), $init], atom => $atom, measures => ['x', 'y + z', 'len(d)', 'a[0] * 2 + x', '3 - x']};
}

1;
