#!/usr/bin/perl
# ltl_corpus.t -- claims, formulas and progress labels of the corpus' Promela models: the verdicts are those that SPIN gave (promela/ORACLE.csv: liveness, np_verdict), with and
# without weak fairness.
#
#   THIMBLE_CORPUS_SECONDS=5   for each question: what takes longer is passed over
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../peers";
use Cwd ();
use File::Temp ();
use JSON::PP ();
use Spin qw(rows find_program);

sub skip_all { print "1..0 # SKIP $_[0]\n"; exit 0 }
my $corpus = ($ENV{THIMBLE_CORPUS} // "$FindBin::Bin/../../../shared/corpus") . '/promela';
skip_all('no corpus') unless -e "$corpus/ORACLE.csv";
skip_all('no timeout') unless find_program('timeout');
my $seconds = $ENV{THIMBLE_CORPUS_SECONDS} // 5;
my $thimble = Cwd::abs_path($ENV{THIMBLE} // 'build/thimble');
my $work = File::Temp->newdir;
$ENV{XDG_CACHE_HOME} = "$work/cache";
my ($count, $failed, $compared) = (0, 0, 0);

sub ask {
  my ($file, $wanted, $what, @options) = @_;
  my ($code, $text, undef, $errors) = Spin::command("$work", $seconds + 10, 1, $thimble, 'check', '--json', '--language', 'promela', '--progress', 'none', '--time', $seconds, '--memory', '1G', '-o',
    "$work/trace.json", @options, "$corpus/$file");
  my $json = eval { JSON::PP->new->decode($text) };
  my $got = $json ? $json->{verdict} : "exit $code";
  $count++;
  my $pass = $got eq 'incomplete' ? "not within $seconds s" : $errors =~ /No such file/ ? 'a part of it is not in the corpus' : '';
  if ($pass) {
    print "ok $count - $file, $what # SKIP $pass\n";
    return;
  }
  $compared++;
  my $good = $got eq $wanted;
  $failed++ unless $good;
  print $good ? 'ok' : 'not ok', " $count - $file, $what: $wanted\n";
  print "#   got $got: ", (split /\n/, $errors)[0] // '', "\n" unless $good;
}

for my $row (rows("$corpus/ORACLE.csv")) {
  for my $claim ($row->{liveness} ? @{JSON::PP->new->decode($row->{liveness})} : ()) {
    for my $fair (0, 1) {
      my $verdict = $claim->{$fair ? 'fair_verdict' : 'verdict'};
      next if $verdict eq 'unknown';
      my $name = $claim->{claim};
      my @asked = $name eq '_accept' ? ('--no-acceptance', '-p', 'acceptance') : ('-p', $name eq '_never' ? 'never' : "ltl:$name");
      ask($row->{file}, $verdict eq 'none' ? 'holds' : 'violated', $name . ($fair ? ', weakly fair' : ''), @asked, $fair ? ('--fair', 'weak') : ());
    }
  }
  my $np = $row->{np_verdict} // '';
  ask($row->{file}, $np eq 'none' ? 'holds' : 'violated', 'progress', '--no-progress', '-p', 'progress') if $np eq 'none' || $np eq 'nonprogress';
}
$count++;
print $compared >= 30 ? 'ok' : 'not ok', " $count - $compared questions were compared\n";
print "1..$count\n";
exit($failed ? 1 : 0);
