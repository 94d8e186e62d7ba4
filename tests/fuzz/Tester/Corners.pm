# Corners.pm -- random Promela of the rarer kind, where Promela.pm has what is usual: jumps into and out of sequences, escapes inside of escapes, deterministic steps that choose and loop, records in records, channels in
# messages, sorted and random communication of several fields, variables and labels of other processes, widths that values do not fit into, channels of a process's own that outlive it in the hands of others, priorities,
# questions about other processes, labels that mean something (end, progress, accept).
package Tester::Corners;
use strict;
use warnings;
use Tester::Tree qw(pick one chance list some number);

my %s;       # what the present program has
my $labels;  # given so far in the present process type
my $depth_most = 3;

sub variable {
  my @v = ('i', 'j', 'x', 'y', 'a[0]', 'a[i]', 'a[me]', 'b');
  push @v, 'v.n', 'v.k.f', 'v0.b', 'v0.k.f', 'k0.f' if $s{records};
  push @v, 's.f', 's.g[1]', 's.g[i]', 't[j].f', 't[1].n.f', 't[me].n.g[x]' if $s{records};
  push @v, 'sh', 'u', 'w' if $s{widths};
  push @v, 'hid' if $s{hidden};
  return one(@v);
}
sub index_free { return one('i', 'j', 'x', 'y', 'b', $s{widths} ? ('sh', 'u') : ()) }
sub constant { return $s{widths} ? one(0, 1, 2, 3, -1, 255, 256, -129, 32768, 2147483647, '(-2147483647 - 1)') : pick(3) }

sub expression {
  my ($depth) = @_;
  return chance(0.6) ? variable() : constant() if $depth > 2 || chance(0.4);
  my ($e, $f) = (expression($depth + 1), expression($depth + 1));
  return ['(', $e, ' ', one('+', '-', '*', '&', '|', '^'), ' ', $f, ')'] if chance(0.5);
  return ['(', $e, ' ', one('/', '%', '<<', '>>'), ' ', $f, ')'] if $s{widths} && chance(0.6);
  return ['(', $e, ' ', one('==', '<', '>=', '&&', '||'), ' ', $f, ')'] if chance(0.4);
  return ['(', condition(1), ' -> ', $e, ' : ', $f, ')'] if chance(0.5);
  return ['(', one('-', '~', '!'), $e, ')'];
}

sub condition {
  my ($depth) = @_;
  my $k = pick(16);
  if ($k < 2 && $depth < 2) { return ['(', condition($depth + 1), one(' && ', ' || '), condition($depth + 1), ')'] }
  return one('len(c) == 1', 'full(m)', 'nempty(c)', 'empty(m)', 'nfull(c)', 'c?[1]', 'm?[1, _]', 'm??[_, eval(i)]', 'm??[eval(x), 1]', 'c??[eval(j)]', 'len(r) == 0', 'full(q)', 'nfull(r)', 'nempty(r)', 'empty(q)', 'len(in) == i') if $k < 4 && $s{channels};
  return remote() if $k == 4 && $s{remote} && !$s{inside};
  return one('timeout', '_nr_pr > 2', '_pid == 1', '_nr_pr == 2 + i') if $k == 5;
  return one('_last == 1', '_last != _pid') if $k == 6 && $s{last};
  return one('enabled(1)', '!enabled(2)', 'enabled(_pid - 1)', 'pc_value(1) > 2', 'enabled(i)') if $k == 6 && $s{asks} && !$s{inside};
  return one('_priority > 1', 'get_priority(1) == 2') if $k == 7 && $s{priorities};
  return ['(', expression(1), ' ', one('==', '!=', '<'), ' ', expression(2), ')'] if $k < 9;
  return [variable(), ' ', one('==', '!=', '<', '>='), ' ', number(pick(3))];
}

# Own types may be asked about labels that stand before: L is behind the first statements of a process.
sub remote {
  my $p = pick($s{types});
  my @r = ("P$p:i == 1", "P$p\[1]:i != 0", "P$p:j < 2", "P$p\[2]:b == 1", "P$p\[_pid]:j == 0", "P$p\[i]:i == 1");
  push @r, "P$p\@L$p", "!P$p\@L$p", "P$p\[2]\@L$p", "P$p\[i]\@L$p" if $s{labelled} || $p != $s{me};
  return one(@r);
}

sub assignment {
  my $v = variable();
  my $k = pick(8);
  return ["$v = ", number(pick(3))] if $k < 3;
  if ($k < 4) { my $w = index_free(); return ["$w = ($w + 1) % ", number(3, 1)] }
  return one('i++', 'j--', 'b = 1 - b', 'y++', 'x = 0', 'i = 0; j = 0') if $k < 6;
  return [index_free(), ' = ', expression(0)] if $k < 7;
  return [$v, ' = ', $v =~ /\[/ ? index_free() : variable()];
}

sub sending { return one($s{uneven} ? ('m!1', 'm!!i', 'c!1,2', 'in!1,i', 'r!i,1', 'q!j', 'e[i]!x,1') : (), $s{records} && chance(0.4) ? ('v.k.c!i', 'v0.k.c!1', 'k0.c!j') : (), 'c!1', 'c!i', 'c!x', 'c!!j', 'm!1,i', 'm!!i,j', 'm!!x,1', 'm!j(2)', 'r!1', 'r!i', 'q!0,j', 'q!i,1', 'e[me]!j', 'e[i]!1', 'in!1', 'in!j', $s{hands} ? ('h!c', 'h!in', 'h!own', 'hr!in', 'hr!r', 'h!e[i]') : ()) }
sub receiving {
  return one($s{uneven} ? ('m?i', 'c?i,j', 'c?i,0', 'in?i,j', 'in?<i,j>', 'r?i,0', 'q?i', 'q?1', 'm??1', 'e[i]??_,j', 'in?_,eval(i)') : (), $s{records} && chance(0.4) ? ('v.k.c?i', 'v0.k.c?1', 'k0.c?j', 'k0.c?eval(v0.n)') : (), 'c?i', 'c?1', 'c?eval(j)', 'c??1', 'c??eval(x)', 'c?<j>', 'c?_', 'm?i,j', 'm?i,_', 'm??1,j', 'm??_,eval(i)', 'm??<i,1>', 'm?<j,i>', 'm?1(j)', 'r?i', 'r?x', 'r?1', 'r?eval(i)', 'r?eval(len(r))', 'q?eval(len(q)),i', 'q?_,eval(len(r))', 'in?eval(len(in))', 'r?a[len(r)]', 'q?0,j', 'q?i,j', 'q?_,1', 'q?eval(j),i', 'e[me]?i', 'e[j]?x', 'in?i', 'in?x', 'in?1', 'c?b', 'r?a[i]',
    $s{hands} ? ('h?in', 'hr?in', 'h?eval(c)', 'h?other', 'h?<in>') : ());
}

# Inside d_step (`$plain`) what blocks only at the beginning, mostly; there and inside atomic loops go round once, since their choices are all followed in one step.
sub statement {
  my ($depth, $plain, $loops) = @_;
  local $s{inside} = $plain;
  my $k = pick($depth > $depth_most ? 14 : 30);
  return assignment() if $k < 4;
  return ['(', condition(0), ')'] if $k < 6 && (!$plain || chance(0.2));
  return sending() if $k < 8 && $s{channels} && (!$plain || chance(0.2));
  return receiving() if $k < 10 && $s{channels} && (!$plain || chance(0.2));
  return ['assert(', condition(0), ')'] if $k < 11 && $s{asserts} && chance(0.4);
  return one($s{atomic} ? () : 'goto L' . $s{me}, 'goto M' . $s{me}, 'goto end' . $s{me}) if $k == 11 && !$plain && $s{jumps};
  return one('printf("%d %e\n", i, j)', 'select (j : 0 .. 2)', 'x = (c?[1] -> 1 : 0)', 'b = nempty(c)', 'in = c', 'in = r', 'in = e[i]', 'skip', 'timeout') if $k == 12 && !$plain;
  return one("run P" . pick($s{types}) . "(" . pick(2) . ", " . one('c', 'r', 'in', $s{hands} ? ('own', 'own') : ()) . ($s{records} ? one(', v, v.k', ', v0, k0', ', v, v0.k') : '') . ')', "x = run P" . pick($s{types}) . '(i, in' . ($s{records} ? ', v0, v.k' : '') . ')') if $k == 13 && !$plain && $s{makes} && !$loops && $s{types};
  return one('set_priority(1, 2)', 'set_priority(_pid, 3)', 'set_priority(2, i)') if $k == 13 && $s{priorities};
  return assignment() if $k < 15;
  if ($k < 19) {
    my @bodies = map { body(1 + pick(2), $depth + 1, $plain, $loops) } 0 .. pick(3);
    my @options = map { [':: ', $_, ' '] } @bodies;
    my $else = [':: else -> ', body(1, $depth + 1, $plain, $loops), ' '];
    if ($plain || chance(0.4)) { splice @options, chance(0.7) ? scalar @options : pick(scalar @options + 1), 0, $else }
    return {node => ['if ', some(1, '', '', @options), 'fi'], simpler => \@bodies};
  }
  if ($k < 22) {
    my @bodies = map { body(1 + pick(2), $depth + 1, $plain, 1) } 0 .. pick(3);
    my $leave = 0;
    my @options = map { [':: ', $_, $leave++ && chance(0.6) && !$plain && !$s{atomic} ? ' ' : '; break '] } @bodies;
    push @options, [':: else -> ', $plain ? 'break' : $s{atomic} ? 'break' : one('break', 'skip', 'break'), ' '] if $plain || chance(0.3);
    return {node => ['do ', some(1, '', '', @options), 'od'], simpler => \@bodies};
  }
  if ($plain) { return $k < 24 ? ['for (n : 0 .. ', number(pick(3)), ') { ', body(1, $depth + 1, 1, 1), ' }'] : assignment() }
  if ($k < 25) { local $s{atomic} = 1; my $b = body(2 + pick(2), $depth + 1, 0, $loops); return {node => ['atomic { ', $b, ' }'], simpler => [$b]} }
  if ($k < 27 && $s{escapes}) {
    my ($b, $c) = (body(1 + pick(2), $depth + 1, 0, $loops), body(1, $depth + 1, 0, $loops));
    return {node => ['{ ', $b, ' } unless { ', $c, ' }'], simpler => [$b, $c]};
  }
  if ($k == 27 && $s{labels} && !$s{first}) { return [one('progress', 'accept', 'end', 'end', 'Z') . $s{me} . '_' . $labels++ . ': ', statement($depth_most + 1, 0, $loops)] }
  if ($k == 28) { return ['for (n : 0 .. ', number(pick(3)), ') { ', body(1, $depth + 1, 0, 1), ' }'] }
  return entry($depth) if chance(0.4);
  my $b = body(2, $depth + 1, 1, $loops);
  return {node => ['d_step { ', chance(0.5) ? [one(receiving(), sending(), ['(', condition(0), ')']), '; '] : '', $b, ' }'], simpler => [$b]};
}

# The first choice of a d_step decides whether it may begin; a loop at its end is left by the step itself.
sub entry {
  my ($depth) = @_;
  my @options;
  my $label = 'D' . $s{me} . '_' . $s{jump}++;
  for (0 .. pick(3)) {
    my $k = pick(8);
    my $first = $k < 3 ? ['(', condition(1), ')'] : $k < 4 && $s{channels} ? one('c?i', 'c??1', 'c!i', 'm?i,j', 'r?i', 'in?x') : $k < 5 ? ['{ (', condition(1), '); ', assignment(), ' }'] : $k < 6 ? ['if :: (', condition(1), ') -> ', assignment(), ' :: ', one(assignment(), 'break', 'skip'), ' fi'] : assignment();
    push @options, [':: ', chance(0.2) ? one('break', "goto $label") : [$first, '; ', chance(0.5) ? [assignment(), '; '] : '', 'break'], ' '];
  }
  push @options, ':: else -> break ' if chance(0.2);
  my $text = ['do ', some(1, '', '', @options), 'od'];
  return ['d_step { ', chance(0.3) ? [assignment(), '; '] : '', $text, chance(0.5) ? ['; ', $label, ': ', assignment()] : ["; $label: skip"], chance(0.4) ? ['; do :: (', condition(1), ') -> ', assignment(), '; break :: break od'] : '', ' }'];
}

sub body {
  my ($count, @where) = @_;
  return some(1, '; ', 'skip', map { statement(@where) } 1 .. $count);
}

sub process {
  my ($me) = @_;
  my $loops = chance(0.4);
  @s{'me', 'labelled'} = ($me, 0);
  $labels = 0;
  my $first = body(1 + pick(2), 0, 0, 0);
  $s{labelled} = 1;
  my $rest = body(1 + pick(3), 0, 0, $loops);
  my $last = body(1, 0, 0, $loops);
  my @locals = ([' byte i = ', number(pick(2)), ', j;'], ' bit b; byte n;', ' chan other = ' . (chance(0.5) ? '[1]' : '[0]') . ' of { byte };');
  push @locals, ' chan own = ' . one('[1]', '[0]') . ' of { byte };' if $s{hands};
  my $tail = $loops ? {node => ['do :: ', $rest, chance(0.5) ? ' :: break' : '', ' od'], simpler => [$rest]} : $rest;
  my $head = "proctype P$me(byte me; chan in" . ($s{records} ? '; V v0; K k0' : '') . ')' . ($s{priorities} && chance(0.7) ? ' priority ' . (1 + pick(3)) : '') . ($s{provided} && chance(0.4) ? ' provided (' . one('x != 2', 'y < 2 || _nr_pr > 2', 'len(c) == 0', 'len(r) == 0', 'nfull(q)', 'empty(r) || x == 1', 'x == y', $s{asks} ? 'enabled(1)' : 'b0', 'a[x] == 0', '_pid != x') . ')' : '');
  return [$head, ' {', list('', @locals), "\n  ", $first, ";\nL$me: ", $tail, ";\nM$me: skip;\n  ", $last, ";\nend$me: skip }\n"];
}

sub random {
  my ($wide) = @_;
  %s = (channels => chance(0.75), asserts => chance(0.5), makes => chance(0.25), hands => chance(0.25), records => chance(0.3), widths => chance(0.3), hidden => chance(0.1), uneven => chance(0.12), remote => chance(0.3), jumps => chance(0.4), escapes => chance(0.4),
    labels => chance(0.35), last => chance(0.08), asks => chance(0.1), priorities => chance(0.1), provided => chance(0.12), types => 0);
  $depth_most = 1 + pick(3);
  my $types = 1 + pick(3);
  my @processes;
  $s{types} = $types;
  push @processes, process($_) for 0 .. $types - 1;
  my @declared = ("byte x, y, a[2];\nbit b0;\n", "chan c = [1] of { byte };\n", "chan m = [2] of { byte, byte };\n", "chan r = [0] of { byte };\n", "chan q = [0] of { byte, byte };\n", "chan e[2] = [" . pick(2) . "] of { byte };\n");
  push @declared, "chan h = [1] of { chan };\nchan hr = [0] of { chan };\n" if $s{hands};
  push @declared, "typedef N { byte f = 1; bit g[2] }\ntypedef R { byte f; N n; byte g[3] = {0, 1} }\nR s, t[2];\ntypedef K { byte f = 2; chan c = [1] of { byte } }\ntypedef V { bit b = 1; K k; byte n }\nV v;\n" if $s{records};
  push @declared, "short sh; unsigned u : 3; int w;\n" if $s{widths};
  push @declared, "hidden byte hid;\n" if $s{hidden};
  my @started;
  for my $k (0 .. $types - 1) {
    push @started, ["run P$k(" . ($_ + $k) % 2 . ', ' . one('c', 'r', 'e[1]') . ($s{records} ? ', v, v.k' : '') . '); '] for 0 .. ($types == 1 ? 1 : pick(2));
  }
  my $started = [some(1, '', '', @started), 'skip'];
  my $init = ['init { ', {node => ['atomic { ', $started, ' }'], simpler => chance(0.2) ? [$started] : []}, " }\n"];
  my $atom = sub {
    my $k = pick($types);
    return one("P$k\@L$k", "P$k\@M$k", "P$k\@end$k", "P$k:i == 1", "P$k\[1]\@L$k", "P$k\[2]:j == 0") if chance(0.25);
    return one('len(c) == 0', 'nempty(m)', 'full(c)', 'm?[1,_]', 'm??[_,0]', 'c?[0]') if $s{channels} && chance(0.2);
    return one('_nr_pr == 1', 's.f == 1', 't[1].n.f == 0') if $s{records} && chance(0.15);
    return one('_nr_pr < 3', '_nr_pr == 1') if chance(0.05);
    return [one('x', 'y', 'a[0]', 'a[1]', $s{widths} ? ('sh', 'u', 'w') : ()), ' ', one('==', '!=', '<', '>='), ' ', number(pick(3))];
  };
  return {processes => 1, suffix => 'pml', comment => ['/* ', ' */'], text => [list('', @declared), list('', @processes), $init], atom => $atom, measures => ['x', 'y', 'len(c)', 'a[0] * 2 + x', '3 - x']};
}

1;
