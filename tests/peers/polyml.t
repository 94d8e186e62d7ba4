#!/usr/bin/perl
# polyml.t -- what the tests believe of Standard ML (tests/unit/ml_basis.txt), asked of Poly/ML.
#
# tests/unit/ml_machine.c holds Thimble to the same lines, so where both pass Thimble and Poly/ML agree.  Poly/ML is asked whether EXPRESSION = VALUE,
# or which exception it raises.
use strict;
use warnings;
use FindBin;
use File::Temp ();

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
skip_all('no poly') unless grep { -x "$_/poly" } split /:/, $ENV{PATH};

my @lines;
open my $in, '<', "$FindBin::Bin/../unit/ml_basis.txt" or die $!;
while (<$in>) {
  chomp;
  next if /^#/ || !/\S/;
  /^(.*) (==>|=!>) (.*)$/ or die "line $.: $_\n";
  push @lines, [$., $1, $2, $3];
}
close $in;

my $program = File::Temp->new(SUFFIX => '.sml');
for (@lines) {
  my ($number, $expression, $arrow, $value) = @$_;
  my $question = $arrow eq '==>' ? "if ($expression) = ($value) then \"yes\" else \"no\"" : "(($expression); \"no\") handle x => if exnName x = \"$value\" then \"yes\" else exnName x";
  print $program "val _ = print (\"line $number \" ^ ($question) ^ \"\\n\");\n";
}
print $program "OS.Process.exit OS.Process.success : unit;\n";
close $program;
my %answer;
open my $poly, '-|', "timeout 300 poly -q < $program 2>&1" or die $!;
my @said = <$poly>;
close $poly;
for (@said) { $answer{$1} = $2 if /line (\d+) (\S+)/ }

# What Poly/ML 5.7.1 (Debian 12) does otherwise than the Basis says: a real has digits before its point or behind it.
my %otherwise = ('isSome (Real.fromString ".")' => 1);

print '1..', scalar @lines, "\n";
my $failed = 0;
my $n = 0;
for (@lines) {
  my ($number, $expression, $arrow, $value) = @$_;
  my $good = ($answer{$number} // '') eq 'yes';
  $n++;
  if (!$good && $otherwise{$expression}) {
    print "ok $n - $expression # SKIP Poly/ML says otherwise\n";
    next;
  }
  print $good ? '' : 'not ', "ok $n - $expression $arrow $value\n";
  next if $good;
  $failed++;
  print '#   line ', $number, ': Poly/ML says ', $answer{$number} // 'nothing', "\n";
}
exit($failed ? 1 : 0);
