#!/usr/bin/perl
# polyml_random.t -- random expressions of Standard ML through Poly/ML and Thimble: the same value, or the same exception.
#
#   THIMBLE_PEER_EXPRESSIONS=400   how many
#   THIMBLE_PEER_SEED=1            the first seed; expression k has seed SEED + k - 1
#
# They are well typed by construction: closures, curried and mutually recursive functions, patterns, exceptions, lists, options, strings.  Numbers stay
# small, for the two systems end at different largest ones.
use strict;
use warnings;
use FindBin;
use File::Temp ();

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
skip_all('no poly') unless grep { -x "$_/poly" } split /:/, $ENV{PATH};
my $build = $ENV{BUILD} // "$FindBin::Bin/../../build";
my $program = "$build/tests/unit/ml_machine";
skip_all('no build') unless -x $program;

my $names;
sub fresh { return $_[0] . ++$names }
sub pick { return $_[rand @_] }

# Types: i int, b bool, s string, l int list, p int * int, o int option, f int -> int, g int -> int -> int, h int * int -> int, r a record
my @plain = qw(i b s l p o r);
my @functions = qw(f g h);

sub variables {
  my ($type, $env) = @_;
  return grep { $env->{$_} eq $type } sort keys %$env;
}

sub with { my ($env, %more) = @_; return {%$env, %more} }

# A literal or variable.
sub leaf {
  my ($type, $env) = @_;
  my @known = variables($type, $env);
  return pick(@known) if @known && rand() < 0.75;
  return pick(0, 1, 2, 3, 7, '~1', '~5', 10) if $type eq 'i';
  return pick('true', 'false') if $type eq 'b';
  return pick('""', '"a"', '"ab"', '"zz"') if $type eq 's';
  return pick('[]', '[1]', '[3, ~2, 5]', '[1, 2, 3, 4]') if $type eq 'l';
  return pick('(1, 2)', '(~3, 0)') if $type eq 'p';
  return pick('NONE', 'SOME 4') if $type eq 'o';
  return '{a = 1, b = "x"}' if $type eq 'r';
  return pick('(fn x => x)', '(fn 0 => 5 | x => x)', '~', 'abs') if $type eq 'f';
  return pick('(fn x => fn y => x)', '(fn x => fn y => y - x)') if $type eq 'g';
  return pick('(fn (x, y) => x - y)', '(op +)', '(fn p : int * int => #1 p)', 'Int.max');
}

my $gen; # (type, depth, environment)
my %ways = (
  i => [
    sub { my ($d, $e) = @_; '((' . $gen->('i', $d, $e) . pick(' + ', ' - ') . $gen->('i', $d, $e) . ') mod 1009)' },
    sub { my ($d, $e) = @_; '(' . $gen->('i', $d, $e) . ' * ' . pick(2, 3, '~2') . ' mod 997)' },
    sub { my ($d, $e) = @_; '(' . $gen->('i', $d, $e) . pick(' div ', ' mod ') . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '(' . $gen->('f', $d, $e) . ') (' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '(' . $gen->('g', $d, $e) . ') (' . $gen->('i', $d, $e) . ') (' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '(' . $gen->('h', $d, $e) . ') ' . pick('(' . $gen->('i', $d, $e) . ', ' . $gen->('i', $d, $e) . ')', '(' . $gen->('p', $d, $e) . ')') },
    sub { my ($d, $e) = @_; pick('#1', '#2') . ' (' . $gen->('p', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '#a (' . $gen->('r', $d, $e) . ')' },
    sub { my ($d, $e) = @_; pick('length', 'hd', 'List.last') . ' (' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'foldl (' . $gen->('h', $d, $e) . ') (' . $gen->('i', $d, $e) . ') (' . $gen->('l', $d, $e) . ') mod 1013' },
    sub { my ($d, $e) = @_; 'foldr (fn (x, a) => (' . $gen->('g', $d, $e) . ') x a mod 1000) 0 (' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'List.nth (' . $gen->('l', $d, $e) . ', ' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'size (' . $gen->('s', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'valOf (' . $gen->('o', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'getOpt (' . $gen->('o', $d, $e) . ', ' . $gen->('i', $d, $e) . ')' },
  ],
  b => [
    sub { my ($d, $e) = @_; '(' . $gen->('i', $d, $e) . pick(' < ', ' <= ', ' > ', ' >= ', ' = ', ' <> ') . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '(' . $gen->('b', $d, $e) . pick(' andalso ', ' orelse ') . $gen->('b', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'not (' . $gen->('b', $d, $e) . ')' },
    sub { my ($d, $e) = @_; my $t = pick(qw(s l p o r)); '((' . $gen->($t, $d, $e) . ')' . pick(' = ', ' <> ') . '(' . $gen->($t, $d, $e) . '))' },
    sub { my ($d, $e) = @_; '(' . $gen->('s', $d, $e) . ' < ' . $gen->('s', $d, $e) . ')' },
    sub { my ($d, $e) = @_; my $x = fresh('x'); pick('List.exists', 'List.all') . " (fn $x => " . $gen->('b', $d, with($e, $x => 'i')) . ') (' . $gen->('l', $d, $e) . ')' },
  ],
  s => [
    sub { my ($d, $e) = @_; '(' . $gen->('s', $d, $e) . ' ^ ' . $gen->('s', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'Int.toString (' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'substring (' . $gen->('s', $d, $e) . ', 0, ' . pick(0, 1, 2) . ')' },
    sub { my ($d, $e) = @_; 'implode (rev (explode (' . $gen->('s', $d, $e) . ')))' },
    sub { my ($d, $e) = @_; 'concat (map Int.toString (' . $gen->('l', $d, $e) . '))' },
    sub { my ($d, $e) = @_; '#b (' . $gen->('r', $d, $e) . ')' },
  ],
  l => [
    sub { my ($d, $e) = @_; '(' . $gen->('i', $d, $e) . ' :: ' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '[' . $gen->('i', $d, $e) . ', ' . $gen->('i', $d, $e) . ']' },
    sub { my ($d, $e) = @_; '(' . $gen->('l', $d, $e) . ' @ ' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'map (' . $gen->('f', $d, $e) . ') (' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; pick('rev', 'tl') . ' (' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; my $x = fresh('x'); "List.filter (fn $x => " . $gen->('b', $d, with($e, $x => 'i')) . ') (' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; pick('List.take', 'List.drop') . ' (' . $gen->('l', $d, $e) . ', ' . pick(0, 1, 2, 3) . ')' },
    sub { my ($d, $e) = @_; 'List.tabulate (' . pick(0, 2, 4) . ', ' . $gen->('f', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'map (fn f => f (' . $gen->('i', $d, $e) . ')) (map (' . $gen->('g', $d, $e) . ') (' . $gen->('l', $d, $e) . '))' },
  ],
  p => [
    sub { my ($d, $e) = @_; '(' . $gen->('i', $d, $e) . ', ' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'let val (a, b) = ' . $gen->('p', $d, $e) . ' in (b, a) end' },
  ],
  o => [
    sub { my ($d, $e) = @_; 'SOME (' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; my $x = fresh('x'); "List.find (fn $x => " . $gen->('b', $d, with($e, $x => 'i')) . ') (' . $gen->('l', $d, $e) . ')' },
    sub { my ($d, $e) = @_; 'Option.map (' . $gen->('f', $d, $e) . ') (' . $gen->('o', $d, $e) . ')' },
  ],
  r => [ sub { my ($d, $e) = @_; '{b = ' . $gen->('s', $d, $e) . ', a = ' . $gen->('i', $d, $e) . '}' } ],
  f => [
    sub { my ($d, $e) = @_; my $x = fresh('x'); "(fn $x => " . $gen->('i', $d, with($e, $x => 'i')) . ')' },
    sub { my ($d, $e) = @_; my $x = fresh('x'); '(fn ' . pick(0, 1, 2) . ' => ' . $gen->('i', $d, $e) . " | $x => " . $gen->('i', $d, with($e, $x => 'i')) . ')' },
    sub { my ($d, $e) = @_; '(' . $gen->('g', $d, $e) . ') (' . $gen->('i', $d, $e) . ')' },
    sub { my ($d, $e) = @_; '((' . $gen->('f', $d, $e) . ') o (' . $gen->('f', $d, $e) . '))' },
  ],
  g => [
    sub { my ($d, $e) = @_; my ($x, $y) = (fresh('x'), fresh('y')); "(fn $x => fn $y => " . $gen->('i', $d, with($e, $x => 'i', $y => 'i')) . ')' },
    sub { my ($d, $e) = @_; my $x = fresh('x'); "(fn $x => " . $gen->('f', $d, with($e, $x => 'i')) . ')' },
    sub { my ($d, $e) = @_; '(fn x => fn y => (' . $gen->('h', $d, $e) . ') (x, y))' },
  ],
  h => [
    sub { my ($d, $e) = @_; my ($x, $y) = (fresh('x'), fresh('y')); "(fn ($x, $y) => " . $gen->('i', $d, with($e, $x => 'i', $y => 'i')) . ')' },
    sub { my ($d, $e) = @_; my $x = fresh('p'); "(fn $x : int * int => " . $gen->('i', $d, with($e, $x => 'p')) . ')' },
    sub { my ($d, $e) = @_; my ($x, $y) = (fresh('x'), fresh('y')); "(fn (0, $y) => " . $gen->('i', $d, with($e, $y => 'i')) . " | ($x, _) => " . $gen->('i', $d, with($e, $x => 'i')) . ')' },
  ],
);

# What every type has.
my @general = (
  sub { my ($t, $d, $e) = @_; 'if ' . $gen->('b', $d, $e) . ' then ' . $gen->($t, $d, $e) . ' else ' . $gen->($t, $d, $e) },
  sub { my ($t, $d, $e) = @_; my $s = pick(@plain, @functions); my $x = fresh('v'); "let val $x = " . $gen->($s, $d, $e) . ' in ' . $gen->($t, $d, with($e, $x => $s)) . ' end' },
  sub { # a recursive function: the first argument counts down
    my ($t, $d, $e) = @_;
    my ($f, $n, $x) = (fresh('f'), fresh('n'), fresh('x'));
    my $inner = with($e, $n => 'i', $x => 'i');
    "let fun $f $n $x = if $n <= 0 then " . $gen->('i', $d, $inner) . ' else ' . pick("$f ($n - 1) (" . $gen->('i', $d, $inner) . ')', "($x + $f ($n - 1) (" . $gen->('i', $d, $inner) . ')) mod 1021')
      . " val $f = $f " . pick(0, 3, 10) . ' in ' . $gen->($t, $d, with($e, $f => 'f')) . ' end';
  },
  sub { # two that call each other
    my ($t, $d, $e) = @_;
    my ($f, $g, $h, $x) = (fresh('f'), fresh('g'), fresh('h'), fresh('x'));
    my $inner = with($e, $x => 'i');
    "let fun $f (0, $x) = " . $gen->('i', $d, $inner) . " | $f (n, $x) = $g (n - 1, " . $gen->('i', $d, $inner) . ") and $g (0, $x) = " . $gen->('i', $d, $inner) . " | $g (n, $x) = $f (n - 1, $x + n)"
      . " fun $h $x = $f (" . pick(2, 5, 8) . ", $x) in " . $gen->($t, $d, with($e, $h => 'f')) . ' end';
  },
  sub { # a function over lists
    my ($t, $d, $e) = @_;
    my ($f, $x, $r, $k) = (fresh('f'), fresh('x'), fresh('r'), fresh('k'));
    "let fun $f [] = " . $gen->('i', $d, $e) . " | $f ($x :: $r) = (" . $gen->('i', $d, with($e, $x => 'i', $r => 'l')) . " - $f $r) mod 1019 val $k = $f (" . $gen->('l', $d, $e) . ') in ' . $gen->($t, $d, with($e, $k => 'i')) . ' end';
  },
  sub {
    my ($t, $d, $e) = @_;
    my ($x, $y, $r) = (fresh('x'), fresh('y'), fresh('r'));
    '(case ' . $gen->('l', $d, $e) . ' of [] => ' . $gen->($t, $d, $e) . " | [$x] => " . $gen->($t, $d, with($e, $x => 'i')) . " | $x :: $y :: $r => " . $gen->($t, $d, with($e, $x => 'i', $y => 'i', $r => 'l')) . ')';
  },
  sub {
    my ($t, $d, $e) = @_;
    my ($x, $y) = (fresh('x'), fresh('y'));
    '(case (' . $gen->('o', $d, $e) . ', ' . $gen->('p', $d, $e) . ") of (NONE, ($x, 1)) => " . $gen->($t, $d, with($e, $x => 'i')) . " | (SOME $x, ($y, _)) => " . $gen->($t, $d, with($e, $x => 'i', $y => 'i'))
      . ' | (_, ' . $x . ') => ' . $gen->($t, $d, with($e, $x => 'p')) . ')';
  },
  sub { my ($t, $d, $e) = @_; '(case ' . $gen->('i', $d, $e) . ' of 0 => ' . $gen->($t, $d, $e) . ' | 1 => ' . $gen->($t, $d, $e) . ' | 2 => ' . $gen->($t, $d, $e) . ' | 3 => ' . $gen->($t, $d, $e) . ' | 5 => ' . $gen->($t, $d, $e) . ')' },
  sub { my ($t, $d, $e) = @_; '((' . $gen->($t, $d, $e) . ') handle ' . pick('Div', 'Empty', 'Subscript', 'Option', 'Match', '_') . ' => ' . $gen->($t, $d, $e) . ')' },
  sub { my ($t, $d, $e) = @_; my $x = fresh('s'); '((' . $gen->($t, $d, $e) . ") handle Fail $x => " . $gen->($t, $d, with($e, $x => 's')) . ' | Empty => ' . $gen->($t, $d, $e) . ')' },
  sub { my ($t, $d, $e) = @_; '(if ' . $gen->('b', $d, $e) . ' then raise Fail (' . $gen->('s', $d, $e) . ') else ' . $gen->($t, $d, $e) . ')' },
);

$gen = sub {
  my ($type, $depth, $env) = @_;
  return leaf($type, $env) if $depth <= 0 || rand() < 0.12;
  return '(' . pick(@general)->($type, $depth - 1, $env) . ')' if rand() < 0.45;
  return '(' . pick(@{$ways{$type}})->($depth - 1, $env) . ')';
};

my $count = $ENV{THIMBLE_PEER_EXPRESSIONS} // 400;
my $seed = $ENV{THIMBLE_PEER_SEED} // 1;
my @expression;
for my $k (0 .. $count - 1) {
  srand($seed + $k);
  $names = 0;
  my $text = $gen->(pick(@plain), 3 + $k % 4, {});
  push @expression, $text if length $text < 20000;
}

my $list = File::Temp->new;
print $list "$_\n" for @expression;
close $list;
my @ours = grep { !/^#/ } `$program --evaluate $list`;
chomp @ours;

my $question = File::Temp->new(SUFFIX => '.sml');
for my $k (0 .. $#expression) {
  next if $ours[$k] eq '?'; # refused: it says why on its own lines
  (my $value = $ours[$k]) =~ s/=~/= ~/g;
  my $ask = $ours[$k] =~ /^!(\w+)/ ? "(($expression[$k]); \"a value\") handle x => if exnName x = \"$1\" then \"yes\" else exnName x" : "(if ($expression[$k]) = ($value) then \"yes\" else \"no\") handle x => exnName x";
  print $question "val _ = print (\"answer $k \" ^ ($ask) ^ \"\\n\");\n";
}
close $question;
my %answer;
for (`timeout 600 poly -q < $question 2>&1`) { $answer{$1} = $2 if /answer (\d+) (.+)/ }

print '1..', scalar @expression, "\n";
my $failed = 0;
for my $k (0 .. $#expression) {
  my $good = ($answer{$k} // '') eq 'yes';
  print $good ? '' : 'not ', 'ok ', $k + 1, ' - seed ', $seed + $k, "\n";
  next if $good;
  $failed++;
  print "#   $expression[$k]\n#   Thimble: $ours[$k]\n#   Poly/ML: ", $answer{$k} // 'nothing', "\n";
}
exit($failed ? 1 : 0);
