#!/usr/bin/perl
# polyml_types.t -- random expressions, most of them ill typed, through Poly/ML's type checker and Thimble's: both refuse, or both give the same type.
#
#   THIMBLE_PEER_EXPRESSIONS=1500  how many
#   THIMBLE_PEER_SEED=1            the seed
#
# Nothing is run: each expression is the body of a function.  Type variables in annotations are left out: Thimble lets them become types, ML does not.
use strict;
use warnings;
use FindBin;
use File::Temp ();

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
skip_all('no poly') unless grep { -x "$_/poly" } split /:/, $ENV{PATH};
my $build = $ENV{BUILD} // "$FindBin::Bin/../../build";
my $program = "$build/tests/unit/ml_check";
skip_all('no build') unless -x $program;
my $count = $ENV{THIMBLE_PEER_EXPRESSIONS} // 1500;
srand($ENV{THIMBLE_PEER_SEED} // 1);

my $names = 0;
sub pick { return $_[rand @_] }
sub fresh { return 'v' . ++$names }

sub expression;
sub pattern { # and the variables that it binds
  my ($depth) = @_;
  my $r = rand;
  if ($r < 0.5 || $depth <= 0) { my $x = fresh; return ($x, $x) }
  return pick('_', '0', '"a"', 'true', '[]', 'NONE', '()') if $r < 0.65;
  my ($a, @a) = pattern($depth - 1);
  return ("SOME $a", @a) if $r < 0.7 && $a !~ / /;
  my ($b, @b) = pattern($depth - 1);
  return ("($a, $b)", @a, @b) if $r < 0.85;
  return ("($a :: $b)", @a, @b) if $r < 0.95;
  return ("{p = $a, q = $b}", @a, @b);
}

sub rules {
  my ($depth, @env) = @_;
  return join ' | ', map { my ($p, @more) = pattern(2); "$p => " . expression($depth, @env, @more) } 1 .. 1 + int rand 2;
}

sub expression {
  my ($depth, @env) = @_;
  if ($depth <= 0 || rand() < 0.15) {
    return pick(@env) if @env && rand() < 0.7;
    return pick('0', '1', '"a"', 'true', '[]', '()', '1.5', '#"c"', 'hd', 'map', 'SOME', 'NONE', 'not', 'rev', '(op +)', '(op ::)', 'foldl', 'length', 'explode', '(op =)', '~');
  }
  my $d = $depth - 1;
  my $e = sub { expression($d, @env) };
  my $r = int rand 22;
  if ($r < 4) { return '(' . $e->() . ' ' . $e->() . ')' }
  if ($r < 6) { return '(fn ' . rules($d, @env) . ')' }
  if ($r == 6) { return '(' . $e->() . ', ' . $e->() . ')' }
  if ($r == 7) { return '[' . join(', ', map { $e->() } 1 .. 1 + int rand 3) . ']' }
  if ($r == 8) { return '(if ' . pick($e->(), 'true', $e->() . ' = ' . $e->()) . ' then ' . $e->() . ' else ' . $e->() . ')' }
  if ($r == 9) { my ($p, @more) = pattern(2); return "let val $p = " . $e->() . ' in ' . expression($d, @env, @more) . ' end' }
  if ($r == 10 || $r == 11) {
    my $f = fresh;
    my ($p, @more) = pattern(1);
    return "let fun $f $p = " . expression($d, @env, $f, @more) . ' in ' . expression($d, @env, $f) . ' end';
  }
  if ($r == 12) { return '(case ' . $e->() . ' of ' . rules($d, @env) . ')' }
  if ($r == 13) { return '(' . $e->() . ' :: ' . $e->() . ')' }
  if ($r == 14) { return '(' . $e->() . pick(' + ', ' - ', ' * ', ' < ', ' >= ', ' div ') . $e->() . ')' }
  if ($r == 15) { return '(' . $e->() . pick(' = ', ' <> ') . $e->() . ')' }
  if ($r == 16) { return '(' . pick('#1 ', '#2 ', '#p ') . $e->() . ')' }
  if ($r == 17) { return '{p = ' . $e->() . ', q = ' . $e->() . '}' }
  if ($r == 18) { return '(' . $e->() . ' : ' . pick('int', 'string', 'int list', 'int -> int', 'bool option') . ')' }
  if ($r == 19) { return '(' . $e->() . ' ^ ' . $e->() . ')' }
  if ($r == 20) { return '((' . $e->() . ') handle _ => ' . $e->() . ')' }
  return '(' . $e->() . pick(' andalso ', ' orelse ', ' o ') . $e->() . ')';
}

my @lines = map { $names = 0; 'fn () => ' . expression(1 + int rand 4) } 1 .. $count;
my $ours = File::Temp->new;
print $ours "$_\n" for @lines;
close $ours;
open my $ask, '-|', $program, "$ours" or die $!;
chomp(my @thimble = <$ask>);
close $ask;

# Poly/ML gives up a file at its first error: so each expression is compiled by itself.
my $theirs = File::Temp->new(SUFFIX => '.sml');
print $theirs <<'SML';
fun ask (n, text) = let
    val at = ref 0 and said = ref []
    fun next () = if !at >= size text then NONE else (at := !at + 1; SOME (String.sub (text, !at - 1)))
  in
    (PolyML.compiler (next, [PolyML.Compiler.CPOutStream (fn t => said := t :: !said)]) ()) handle _ => said := "error\n" :: !said;
    print ("\nbegin " ^ Int.toString n ^ "\n" ^ String.concat (rev (!said)) ^ "\n")
  end;
SML
for (0 .. $#lines) {
  my $text = "val it = $lines[$_];";
  $text =~ s/(["\\])/\\$1/g;
  print $theirs qq{val () = ask ($_, "$text");\n};
}
print $theirs "OS.Process.exit OS.Process.success : unit;\n";
close $theirs;
open my $poly, '-|', "timeout 300 poly < $theirs 2>&1" or die $!;
my (@poly, $at);
while (<$poly>) {
  if (/\bbegin (\d+)/) { $at = $1; $poly[$at] = ''; next }
  $poly[$at] .= $_ if defined $at;
}
close $poly;

sub plain { # types without what may differ
  my ($t) = @_;
  my %name;
  my $n = 0;
  $t =~ s/\s+/ /g;
  $t =~ s/^ | $//g;
  $t =~ s{''?_?([a-z]\w*)}{"'" . ($name{$1} //= chr(97 + $n++))}ge;
  return $t;
}

my ($same, $typed, @odd) = (0, 0);
for my $i (0 .. $#lines) {
  my $p = $poly[$i] // '';
  my $refused = $p =~ /\berror\b/ || $p !~ /val it = fn\s*:/s;
  my ($type) = $p =~ /val it = fn\s*:\s*(.*?)(?:\n\n|\n?\z)/s;
  my $we = $thimble[$i] // 'nothing';
  my $we_refuse = $we =~ /^\d+: /;
  if ($refused ? $we_refuse : !$we_refuse && plain($type) eq plain($we)) { $same++; $typed++ unless $refused; next }
  push @odd, "$lines[$i]\n#      Poly/ML: " . ($refused ? (split /\n/, $p)[1] // $p : plain($type)) . "\n#      Thimble: $we";
}
print "1..2\n";
print @odd ? 'not ' : '', "ok 1 - $same of $count random expressions: the same type, or refused by both\n";
print "#   $_\n" for @odd[0 .. ($#odd < 14 ? $#odd : 14)];
print $typed * 10 >= $count ? '' : 'not ', "ok 2 - $typed of them have a type\n";
exit(@odd || $typed * 10 < $count ? 1 : 0);
