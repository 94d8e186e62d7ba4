#!/usr/bin/perl
# conformance.t -- bench/conformance/run on small models: each is in its class, differences have their reasons, and the guide for users of SPIN has them all.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp ();
use Spin qw(find_program rows slurp);

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
for my $program (qw(spin cc timeout)) { skip_all("no $program") unless find_program($program) }
my $root = "$FindBin::Bin/../..";
my $work = File::Temp->newdir;
my $count = 0;
sub ok { my ($good, $what) = @_; $count++; print $good ? 'ok' : 'not ok', " $count - $what\n" }

my %class = ( # of bench/conformance/models: class and reason
  'claims.pml' => ['same', ''], 'misread.pml' => ['verdicts differ', 'a comparison without brackets'], 'number-of-processes.pml' => ['verdicts differ', '_nr_pr beside a claim'],
  'taken-back.pml' => ['counts differ', 'a receive that pan takes back wrongly'], 'next.pml' => ['only Thimble', 'the operator X'], 'inline-array.pml' => ['only Thimble', 'an array as the argument of an inline'], 'variable-bound.pml' => ['same', ''],
  'no-model.pml' => ['both refuse', ''], 'undeclared.pml' => ['both refuse', ''], 'stops.prm' => ['SPIN stops', ''],
);
my @more = map { "$root/tests/models/$_.pml" } qw(record-parameters dstep-leaves passing-message uneven-messages run-inside);
my $run = sub { my @args = @_; return system("'$root/bench/conformance/run' --optimise -O0 --cache '$work/cache' --csv '$work/table' " . join(' ', map { "'$_'" } @args) . " > '$work/out' 2>&1") >> 8 };

ok($run->("$root/bench/conformance/models", @more) == 0, 'no difference without a reason');
my %row = map { ($_->{file} =~ m{([^/]+)$})[0] => $_ } rows("$work/table");
for my $file (sort keys %class) {
  my ($class, $reason) = @{$class{$file}};
  my $r = $row{$file} // {class => 'none', reason => '', note => ''};
  ok($r->{class} eq $class && $r->{reason} eq $reason, "$file: $class" . ($reason ? " ($reason)" : ''));
  print "#   $r->{class}, $r->{reason}: $r->{note}\n" unless $r->{class} eq $class && $r->{reason} eq $reason;
}
ok(($row{(/([^\/]+)$/)[0]} // {class => ''})->{class} eq 'same', (/([^\/]+)$/)[0] . ': same') for @more;
ok(-d "$work/cache" && @{[glob("$work/cache/*")]} >= 8, "SPIN's answers are kept");

open my $to, '>', "$work/other.pml" or die;
print $to "byte x;\nactive proctype P() { x = 1 }\n#ifdef SPIN\nactive proctype Q() { skip }\n#endif\nhidden byte h;\ninit { h = 1; x = h }\n";
close $to;
my $code = $run->("$work/other.pml");
ok(slurp("$work/out") =~ /^ +1 models, ([01]) differences without a reason/m && $code == $1, 'the exit code tells whether there is a difference without a reason');

my $guide = slurp("$root/doc/guides/spin.md");
for my $reason (slurp("$root/bench/conformance/run") =~ /^  \['(.*?)', qr/mg) { ok(index($guide, "| $reason |") >= 0, "the guide has: $reason") }
print "1..$count\n";
