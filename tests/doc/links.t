#!/usr/bin/perl
# links.t -- links and names of files in the documentation lead somewhere; every store, search, language and command that the program lists has its page; every page is in the index.
use strict;
use warnings;
use File::Basename qw(dirname);

my $thimble = $ENV{THIMBLE} // 'build/thimble';
my $tests = 0;

sub ok {
  my ($good, $what, @notes) = @_;
  $tests++;
  print $good ? 'ok' : 'not ok', " $tests - $what\n";
  print map { "#   $_\n" } @notes unless $good;
}

sub slurp { my ($name) = @_; local $/; open my $in, '<', $name or die "$name: $!\n"; return scalar <$in> }

# The headings of a page as GitHub makes anchors of them.
sub anchors { return map { my $h = lc; $h =~ s/[^\w\s-]//g; $h =~ s/ /-/g; $h } slurp(shift) =~ /^#+ (.*)$/mg }

# What stands in fences is no text of the page.
sub prose { my ($text) = @_; $text =~ s/^```.*?^```$//gms; return $text }

my @pages = map { s{^\./}{}r } split /\n/, `find . -name '*.md' -not -path './build/*' -not -path './debian/*' -not -path './.*' -not -path '*/node_modules/*'`;
ok(@pages > 50, 'there are pages');
my (@broken, @nowhere);
for my $page (@pages) {
  my $text = prose(slurp($page));
  (my $plain = $text) =~ s/`[^`\n]*`//g;
  for my $link ($plain =~ /\]\(([^)\s]+)\)/g) {
    next if $link =~ m{^\w+://};
    my ($file, $anchor) = $link =~ /^([^#]*)(?:#(.*))?$/;
    my $path = $file eq '' ? $page : dirname($page) . "/$file";
    push @broken, "$page: $link" unless -e $path;
    push @broken, "$page: $link" if defined $anchor && -e $path && !grep { $_ eq $anchor } anchors($path);
  }
  # doc/threads.md, tests/cli/audit.t, search/bfs.c: named, not linked; from the root, from src, or from where the page is.
  next if $page eq 'NEWS.md'; # which tells of things that are gone
  for my $name ($text =~ m{(?<![\w./*-])([a-z]\w*/[\w./-]+\.(?:md|c|h|t|def|toml|mjs|jsx|json|cpnt|net|pml|pmp|dve|pnml|svg))(?![\w*])}g) {
    push @nowhere, "$page: $name" unless $name =~ /NAME/ || grep { -e "$_/$name" } '.', 'src', dirname($page);
  }
}
my %target = map { $_ => 1 } slurp('Makefile') =~ /^([a-z][\w-]*):/mg;
my @gone;
for my $page (grep { $_ ne 'NEWS.md' } @pages) {
  for my $command (slurp($page) =~ /`([^`\n]+)`/g) {
    push @gone, map { "$page: make $_" } grep { !/[=\$]|^-|^build\/|\.\.\./ && !$target{$_} } map { split ' ' } $command =~ /(?:^|&& )make ([^&]*)/g;
    push @gone, map { "$page: $_" } grep { !/NAME/ && !-e && !-e "src/$_" } $command =~ m{(?<![\w/.])((?:bench|tools|tests)/[\w/.-]*\w)}g;
  }
}
ok(!scalar @gone, 'all commands of the project that are named are there', @gone);
ok(!scalar @broken, 'all links lead somewhere', @broken);
ok(!scalar @nowhere, 'all files that are named are there', @nowhere);

for my $kind (['store', 'stores'], ['search', 'searches']) {
  my @names = map { /^(\S+)/ ? $1 : () } split /\n/, `$thimble check --$kind->[0] help`;
  my $index = slurp("doc/$kind->[1]/README.md");
  ok(@names > 5, "$kind->[0]: the program lists some");
  my @lost = grep { $_ ne 'auto' && !-e "doc/$kind->[1]/$_.md" } @names;
  ok(!scalar @lost, "$kind->[0]: each has its page", @lost);
  my @unlisted = grep { $index !~ /`\Q$_\E`/ } @names;
  ok(!scalar @unlisted, "$kind->[0]: each is in the index", @unlisted);
}

my %language = (aut => 'aut', cpn => 'cpn', cpnt => 'cpnt', dve => 'dve', net => 'net', pnml => 'pnml', promela => 'promela', 'prom+' => 'promplus');
my ($listed) = `$thimble help` =~ /^Languages.*?\n(.*?)\n\n/ms;
my @languages = $listed =~ /^  (\S+)/mg;
my @lost = grep { !$language{$_} || !-e "doc/languages/$language{$_}.md" } @languages;
ok(@languages > 5 && !@lost, 'each language has its page', @lost);

# A page is found from doc/README.md, at once or by the index of its folder.
my %found;
my @from = ('doc/README.md');
while (my $page = shift @from) {
  next if $found{$page}++;
  push @from, map { my $p = dirname($page) . "/$_"; 1 while $p =~ s{[^/]+/\.\./}{}; $p } grep { !m{://} } prose(slurp($page)) =~ /\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g;
}
my @hidden = grep { m{^doc/} && !$found{$_} } @pages;
ok(!scalar @hidden, 'each page of doc is found from doc/README.md', @hidden);
print "1..$tests\n";
