# Coloured.pm -- random coloured nets as text: colours in tuples, lists, unions and numbers, guards that compare or name them, arcs with whole multisets, functions, inhibitor and reset arcs, priorities, references that code segments change, random values, time that is whole or real.
package Tester::Coloured;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list some number);

my ($p, $q, $scalarset, $references, $draws, $time); # g holds numbers, h values of Q; values of P and Q; P's cannot be named in inscriptions

my %patterns = (P => ['x', 'y'], Q => ['u', 'v'], PAIR => ['(x, y)', '(x, x)', '(y, x)', 'w'], LIST => ['l', 'x :: l'], BOX => ['one x', 'two u', 'none', 'b'], REC => ['{who = x, kind = u}', 'r'], N => ['k', '1', '0']);

# What an arc gives, in terms of the variables that are bound.
sub gift {
  my ($set, $bound) = @_;
  my %has = map { $_ => 1 } @$bound;
  my @one = ($has{x} ? 'x' : (), $has{y} ? 'y' : (), $has{w} ? ('#1 w', '#2 w') : ());
  if ($set eq 'P') {
    return one('empty', 'empty', chance(0.3) ? 'P.all()' : 'empty', $scalarset ? 'empty' : '1`(p(1))') unless @one;
    my $z = one(@one);
    return {node => one("P.all() -- 1`($z)", "others ($z)", ("1`($z)") x 6), simpler => ["1`($z)"]};
  }
  return 'random (1`q1 ++ 2`q2)' if $draws && $set eq 'Q' && chance(0.15);
  return $set eq 'Q' ? 'Q.ran ()' : chance(0.5) ? ['discrete (0, ', number(2), ')'] : 'if discrete (1, 10) < 9 then bernoulli 0.5 else 1' if $draws && $set =~ /^[QN]$/ && chance(0.4);
  return $set eq 'Q' ? '!h' : 'get ()' if $references && $set =~ /^[QN]$/ && chance(0.4);
  if ($set eq 'Q') { return $has{u} ? 'u' : one('q1', 'Q.all()', $q == 3 ? '1`q1 ++ 1`q2 ++ 1`q3' : '1`q2 ++ 1`q1', 'empty', 'empty', 'empty') }
  if ($set eq 'PAIR') {
    return one('w', 'swap w') if $has{w} && chance(0.5);
    return 'empty' unless @one;
    my ($a, $b) = (one(@one), one(@one));
    return chance(0.15) ? "PAIR.mult (1`($a), P.all() -- 1`($a))" : "($a, $b)";
  }
  if ($set eq 'LIST') {
    return @one && chance(0.5) ? 'if length l < 2 then (' . one(@one) . ') :: l else l' : one('rev l', 'l', 'list_to_ms l') if $has{l};
    return @one ? '[' . one(@one) . ']' : '[]';
  }
  if ($set eq 'BOX') { return $has{b} && chance(0.4) ? 'b' : @one && chance(0.7) ? 'one (' . one(@one) . ')' : $has{u} ? 'two u' : 'none' }
  if ($set eq 'REC') { return $has{r} ? 'r' : @one && $has{u} ? '{who = ' . one(@one) . ', kind = u}' : 'empty' }
  my $n = $has{k} ? (chance(0.5) ? ['(if k < ', number(2), ' then k + 1 else 0)'] : 'k') : one('1', '0');
  return $n if !$time || chance(0.3);
  return [$n, $time eq 'real' ? one(' @++ 0.1', ' @+ 1', ' @++ 0.3 * (if time () < 1.5 then 1.0 else 0.5)') : one(' @+ 1', ' @++ 2')];
}

sub guard {
  my ($bound) = @_;
  my %has = map { $_ => 1 } @$bound;
  my @ways;
  push @ways, 'x <> y', 'x = y', 'not (mem [x] y)' if $has{x} && $has{y};
  push @ways, 'u <> v' if $has{u} && $has{v};
  push @ways, 'u <> q1' if $has{u};
  push @ways, ['k < ', number(2)] if $has{k};
  push @ways, 'x <> p(1)', 'P.ord x mod 2 = 0' if $has{x} && !$scalarset;
  push @ways, ['get () < ', number(2)], $has{u} ? 'u <> !h' : () if $references;
  return @ways && chance(0.35) ? ['    guard ', one(@ways), "\n"] : ();
}

sub initial {
  my ($set, $full) = @_;
  my $v = sub { return 'p(' . (1 + pick($p)) . ')' };
  my @ways = $set eq 'P' ? ('P.all()', [number(1 + pick(2), 1), '`' . $v->()], '1`' . $v->() . ' ++ 1`' . $v->())
    : $set eq 'Q' ? ('Q.all()', '1`q' . (1 + pick($q)))
    : $set eq 'PAIR' ? ('1`(' . $v->() . ', ' . $v->() . ')')
    : $set eq 'LIST' ? ('[]', '[' . $v->() . ']')
    : $set eq 'BOX' ? ('1`none', '1`(one (p(2))) ++ 1`(two q1)')
    : $set eq 'REC' ? ('{who = ' . $v->() . ', kind = q1}')
    :                 ([number(1), '`', number(pick(2))]);
  return $full || chance(0.55) ? ['    initial ', one(@ways), "\n"] : ();
}

# It may bind k.
sub code {
  my ($bound) = @_;
  my %has = map { $_ => 1 } @$bound;
  my @ways = ('    code action ' . one('(g := (!g + 1) mod 3; seen := !seen + 1)', 'g := (!g + 1) mod 3; seen := !seen + 1;'), $scalarset ? '    code action if !h = q1 then h := q2 else h := q1' : '    code action if !h = q1 then h := q2 else turn h');
  push @ways, '    code input (u); action (h := u; if u = q1 then g := 0 else ())' if $has{u};
  push @ways, '    code action (h := Q.ran (); if discrete (0, 3) = 0 then g := !g else ())' if $draws;
  push @ways, ('    code output (k); action (g := 1 - get (); !g * !g)') x 2 if !$has{k};
  my $way = one(@ways);
  push @$bound, 'k' if $way =~ /output/;
  return "$way\n";
}

sub transition {
  my ($name, $sets, $first, $priorities) = @_;
  my (@lines, %bound);
  my $takes = 1 + pick(2);
  for my $i (1 .. $takes) {
    my $from = $first && $i == 1 ? 0 : pick(scalar @$sets);
    my $pattern = one(@{$patterns{$sets->[$from]}});
    $bound{$_} = 1 for grep { /^[xyuvwlbrk]$/ } $pattern =~ /\w+/g;
    push @lines, ['    ', chance(0.82) ? 'take' : 'test', " A$from : $pattern\n"];
  }
  my @bound = sort keys %bound;
  push @lines, "    take A0 : others x\n" if $bound{x} && chance(0.06);
  push @lines, guard(\@bound);
  push @lines, code(\@bound) if $references && chance(0.5);
  my $gives = chance(0.75) ? $takes : 1 + pick(2);
  for (1 .. $gives) {
    my $to = pick(scalar @$sets);
    push @lines, ["    give A$to : ", gift($sets->[$to], \@bound), "\n"];
  }
  push @lines, '    ' . one('inhibit', 'reset') . ' A' . pick(scalar @$sets) . "\n" if chance(0.08);
  push @lines, ['    priority ', number(999 + pick(3), 999), "\n"] if $priorities && chance(0.5);
  return ["  transition $name\n", list('', @lines)];
}

sub random {
  ($p, $q, $scalarset, $references, $draws, $time) = (2 + pick(3), 2 + pick(2), chance(0.5), chance(0.25), chance(0.2), chance(0.12) ? one('whole', 'real') : '');
  my @sets = ('P', map { one(('P') x 5, ('PAIR') x 3, 'Q', 'LIST', 'LIST', 'BOX', 'REC', 'N') } 1 .. 2 + pick(3));
  my @declared = ('  colset P = ' . ($scalarset ? 'scalarset' : 'index') . " p with 1..$p;\n", '  colset Q = with q1 | q2' . ($q == 3 ? ' | q3' : '') . ";\n", "  colset PAIR = product P * P;\n", "  colset LIST = list P;\n", "  colset BOX = union one : P + two : Q + none;\n",
    "  colset REC = record who : P * kind : Q;\n", "  colset N = int" . ($time ? ' timed' : '') . ";\n", "  var x, y : P;\n", "  var u, v : Q;\n", "  var w : PAIR;\n", "  var l : LIST;\n", "  var b : BOX;\n", "  var r : REC;\n", "  var k : N;\n",
    "  fun others x = List.foldl (fn (z, all) => (if z = x then empty else 1`z) ++ all) empty (P.all());\n", "  fun swap (x, y) = (y, x);\n");
  push @declared, ["  globref g = ", number(pick(2)), ";\n"], "  val h = ref q1;\n", "  val seen = ref 0;\n", "  fun get () = !g;\n", "  fun turn r = r := q1;\n" if $references;
  my @places = map { ["  place A$_ : $sets[$_]\n", list('', initial($sets[$_], !$_ || $sets[$_] eq 'N'))] } 0 .. $#sets;
  my $priorities = chance(0.15);
  my @transitions = map { transition("T$_", \@sets, !$_, $priorities) } 0 .. 2 + pick(4);
  my $atom = sub {
    my $a = pick(scalar @sets);
    return ["{size A$a ", one('=', '<=', '>', '<>'), ' ', number(pick(3)), '}'] if chance(0.6);
    return "{A$a == empty}" if chance(0.5);
    return $sets[$a] eq 'P' && !$scalarset ? ["{cf(p(1), A$a) = ", number(pick(2)), '}'] : ["{size A$a >= size A" . pick(scalar @sets) . '}'];
  };
  return {suffix => 'cpnt', comment => ['-- ', ''], text => [$time eq 'real' ? "time real\n" : '', "declare\n", list('', @declared), "\npage Net\n", list('', @places), list('', @transitions)], atom => $atom, measures => ['size A0', '3 - size A1', 'size A0 + size A2']};
}

1;
