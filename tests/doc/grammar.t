#!/usr/bin/perl
# grammar.t -- the grammars of doc/languages against the readers: closed, with the words of the lexers, and texts made from them are well formed.
#
# A text at random is full of names that nobody declares: what counts is that no reader calls it a mistake of syntax, in the words that each has for that.
use strict;
use warnings;
use lib 'tests/doc';
use File::Temp qw(tempdir);
use Grammar;

binmode STDOUT, ':encoding(UTF-8)';
my $tests = 0;
my $folder = tempdir(CLEANUP => 1);
my $thimble = $ENV{THIMBLE} // 'build/thimble';
my $runs = $ENV{THIMBLE_LONG} ? 1000 : 40;

sub ok {
  my ($good, $what, @notes) = @_;
  $tests++;
  print $good ? 'ok' : 'not ok', " $tests - $what\n";
  print map { "#   $_\n" } @notes unless $good;
}

sub source { my ($file) = @_; local $/; open my $in, '<', "src/$file" or die "src/$file: $!\n"; return scalar <$in> }

# What stands in quotes in the table of this name.
sub table { my ($file, $name) = @_; my ($text) = source($file) =~ /\b\Q$name\E\[\]\s*=\s*\{(.*?)\};/s or die "$file has no $name\n"; return $text =~ /"([^"]*)"/g }
# What is given in quotes to these functions.
sub given { my ($file, @functions) = @_; my $any = join '|', @functions; return source($file) =~ /\b(?:$any)\([^"();]*"([^"]+)"/g }

# What the examples of the grammar of Promela speak of.
sub declared { return "mtype = { red, green }; typedef T { byte f }; byte x; byte a[2]; chan c = [1] of { byte }; T t; inline f(z) { z } proctype P() { skip }\n$_[0]" }

my @promela = grep { !/^(new|reset)$/ } table('front/promela/lexer.c', 'keywords');
my @dve_signs = grep { !/^(=>|\+\+|--)$/ } table('front/dve/lexer.c', 'pairs');
my %languages = (
  net => {start => ['text'], words => [given('front/nettext/parse.c', 'token_word'), 'w'], bad => qr/ expected, but here is|is not closed/, suffix => 'net'},
  dve => {start => ['model'], words => [table('front/dve/lexer.c', 'keywords'), @dve_signs], bad => qr/ expected, but here is/, suffix => 'dve'},
  aut => {start => ['graph'], words => ['des'], bad => qr/ expected|must begin with|does not match|should end here/, suffix => 'aut'},
  cpnt => {start => ['text'], words => [given('front/cpnt/read.c', 'take_word'), table('front/cpnt/read.c', 'arcs')], suffix => 'cpnt',
           bad => qr/here the line should end|is expected|here the name|not closed|(?:place|page|net|transition|substitution) has (?:initial|places|net,|guard|join)|stands further in/},
  cpnml => {start => ['text', 'inscription', 'segment'], words => [table('ml/lex.c', 'words'), table('ml/parse_colset.c', 'kinds'), given('ml/parse_declare.c', 'mlp_is_name'), given('ml/parse_colset.c', 'mlp_is_name')],
            extra => [qw(input output action)], bad => qr/expected .* but found|an operand is missing/, suffix => 'cpnt',
            wrap => sub { my ($text) = @_; $text =~ s/\n//g; return "net N\ndeclare\n  colset A = int;\n  $text\npage P\n  place Q : A\n" }},
  promela => {start => ['model'], words => [@promela, grep { !/^[*.@]$/ } table('front/promela/lexer.c', 'signs')], extra => [qw(true false skip scalarset)], bad => qr/error: expected/, suffix => 'pml', wrap => \&declared},
  promplus => {start => ['model'], with => 'promela', words => [table('front/promela/lexer.c', 'keywords'), table('front/promela/lexer.c', 'signs')], extra => [qw(true false skip scalarset null)], bad => qr/error: expected/, suffix => 'pmp', wrap => \&declared},
  pnml => {start => ['document'], xml => 1, words => [source('front/pnml/elements.c') =~ /^    \{IN_\w+, "(\w+)"/mg, given('front/pnml/sorts.c', 'is'), given('front/pnml/terms.c', 'is'),
                                                      grep({ !/[<%]/ } table('front/pnml/terms.c', 'compared')), grep({ !/[<%]/ } source('front/pnml/terms.c') =~ /\{"(\w+)", SYMMETRIC/g)]},
  cpn => {start => ['document'], xml => 1, words => [table('front/cpn/declarations.c', 'kinds'), given('front/cpn/pages.c', 'xml_child'), given('front/cpn/pages.c', 'inscription'), given('front/cpn/declarations.c', 'xml_child'),
                                                     source('front/cpn/declarations.c') =~ /strcmp\(n->name, "(\w+)"\)/g]},
);

# The words of a grammar: its texts that are words, and of XML the names of its elements.
sub words_of {
  my ($g, $xml) = @_;
  return $xml ? map { /^<(\w+)/ ? $1 : () } $g->texts : grep { /^\w*[A-Za-z]\w*$/ } $g->texts;
}

for my $name (sort keys %languages) {
  my $l = $languages{$name};
  my $g = Grammar->new;
  $g->read_page("doc/languages/$l->{with}.md") if $l->{with};
  $g->read_page("doc/languages/$name.md");
  my @missing = $g->undefined;
  ok(!scalar @missing, "$name: every rule that is used is there", @missing);
  my @idle = $g->unused(@{$l->{start}});
  ok(!scalar @idle, "$name: every rule that is there is used", @idle);
  my %there = map { $_ => 1 } $l->{xml} ? words_of($g, 1) : $g->texts;
  my %refused = map { $_ => 1 } @{$g->{refused}};
  my @lost = grep { /\w/ && !$there{$_} && !$refused{$_} } @{$l->{words}};
  ok(!scalar @lost && scalar @{$l->{words}}, "$name: it has the words of the reader", @lost);
  next if $l->{xml};
  my %known = map { $_ => 1 } @{$l->{words}}, @{$l->{extra} // []};
  my @strange = grep { !$known{$_} } words_of($g, 0);
  ok(!scalar @strange, "$name: and no others", @strange);

  srand 1;
  my (@wrong, $good);
  for my $run (1 .. $runs) {
    my $text = $g->text($l->{start}[0], 4 + $run % 12);
    $text = $l->{wrap}->($text) if $l->{wrap};
    open my $out, '>:encoding(UTF-8)', "$folder/text.$l->{suffix}" or die "$folder: $!\n";
    print $out $text;
    close $out;
    my $said = `$thimble info $folder/text.$l->{suffix} 2>&1 > /dev/null`;
    push @wrong, (split /\n/, $said)[0 .. 2], split /\n/, $text if $said =~ $l->{bad};
    last if @wrong;
  }
  ok(!scalar @wrong, "$name: $runs texts made at random are well formed", grep { defined } @wrong);
}
print "1..$tests\n";
