# Grammar.pm -- the grammars of doc/languages: read, checked, and used to make texts at random.
#
# The notation is that of doc/languages/README.md.  A rule is a tree: [or => ...], [seq => ...], [opt => x], [many => x], [text => "place"],
# [rule => "name"]; words such as NAME have examples instead.
package Grammar;
use strict;
use warnings;

sub new { return bless {rules => {}, examples => {}, order => [], extended => {}, refused => []}, shift }

# Adds the grammar of a page; a second page may extend the first.
sub read_page {
  my ($g, $page) = @_;
  local $/;
  open my $in, '<:encoding(UTF-8)', $page or die "$page: $!\n";
  my ($block) = <$in> =~ /^```ebnf\n(.*?)^```$/ms or die "$page: no grammar\n";
  $g->{refused} = [$1 =~ /"([^"]+)"/g] if $block =~ /\(\* refused: (.*?) \*\)/s;
  while ($block =~ s/^(\w+)\s*= \? (.*) \? ;$//m) {
    my ($name, $said) = ($1, $2);
    push @{$g->{order}}, $name;
    $g->{examples}{$name} = [map { s/\x{2423}/ /gr } $said =~ /such as: (.*)$/ ? split(' ', $1) : die "$page: $name has no examples\n"];
  }
  my @tokens;
  pos($block) = 0;
  while (pos($block) < length $block) {
    if ($block =~ /\G(?:\s+|\(\*.*?\*\))/gcs) { next }
    if ($block =~ /\G"([^"]+)"/gc) { push @tokens, [text => $1]; next }
    if ($block =~ /\G(\w+)/gc) { push @tokens, [rule => $1]; next }
    if ($block =~ /\G(\|=|[=|;\[\]{}()])/gc) { push @tokens, [sign => $1]; next }
    die "$page: " . substr($block, pos($block), 40) . "\n";
  }
  while (@tokens) {
    my ($name, $sign) = splice @tokens, 0, 2;
    die "$page: a rule begins with its name\n" unless $name->[0] eq 'rule' && $sign->[1] =~ /^\|?=$/;
    my $tree = alternatives(\@tokens);
    die "$page: $name->[1] does not end with ;\n" unless @tokens && shift(@tokens)->[1] eq ';';
    if ($sign->[1] eq '=') {
      die "$page: $name->[1] is there twice\n" if $g->{rules}{$name->[1]};
      push @{$g->{order}}, $name->[1];
      $g->{rules}{$name->[1]} = $tree;
    } else {
      my $known = $g->{rules}{$name->[1]} or die "$page: $name->[1] extends nothing\n";
      $g->{extended}{$name->[1]} = $tree;
      $g->{rules}{$name->[1]} = [or => $known, $tree];
    }
  }
  return $g;
}

sub sign { my ($tokens, $sign) = @_; return @$tokens && $tokens->[0][0] eq 'sign' && $tokens->[0][1] eq $sign }

sub alternatives {
  my ($tokens) = @_;
  my @all = (sequence($tokens));
  while (sign($tokens, '|')) { shift @$tokens; push @all, sequence($tokens) }
  return @all == 1 ? $all[0] : [or => @all];
}

sub sequence {
  my ($tokens) = @_;
  my %close = ('[' => [']', 'opt'], '{' => ['}', 'many'], '(' => [')', 'seq']);
  my @all;
  while (@$tokens) {
    my ($kind, $text) = @{$tokens->[0]};
    if ($kind ne 'sign') { push @all, shift @$tokens; next }
    my $pair = $close{$text} or last;
    shift @$tokens;
    push @all, [$pair->[1] => alternatives($tokens)];
    die "$pair->[0] is missing\n" unless sign($tokens, $pair->[0]);
    shift @$tokens;
  }
  die "an empty alternative\n" unless @all;
  return [seq => @all];
}

# Texts, or rules, that stand in a tree.
sub found {
  my ($kind, $tree) = @_;
  return $tree->[1] if $tree->[0] eq $kind;
  return () if $tree->[0] eq 'text' || $tree->[0] eq 'rule';
  return map { found($kind, $_) } @$tree[1 .. $#$tree];
}

sub texts { my ($g) = @_; my %t = map { $_ => 1 } map { found('text', $_) } values %{$g->{rules}}; return sort keys %t }

my %layout = map { $_ => 1 } qw(EOL IN OUT);

sub undefined {
  my ($g) = @_;
  my %u = map { $_ => 1 } grep { !$g->{rules}{$_} && !$g->{examples}{$_} && !$layout{$_} } map { found('rule', $_) } values %{$g->{rules}};
  return sort keys %u;
}

# Rules that cannot be come to from these.
sub unused {
  my ($g, @from) = @_;
  my %seen;
  while (defined(my $name = shift @from)) {
    next if $seen{$name}++ || !$g->{rules}{$name};
    push @from, found('rule', $g->{rules}{$name});
  }
  return grep { !$seen{$_} } @{$g->{order}};
}

# How deep the smallest text of a tree is.
sub least {
  my ($g, $tree) = @_;
  my ($kind, @parts) = @$tree;
  return 0 if $kind eq 'text' || $kind eq 'opt' || $kind eq 'many';
  return $g->{height}{$parts[0]} // ($g->{rules}{$parts[0]} ? 1e9 : 0) if $kind eq 'rule';
  my @heights = sort { $a <=> $b } map { least($g, $_) } @parts;
  return $kind eq 'or' ? $heights[0] : $heights[-1];
}

sub measure {
  my ($g) = @_;
  for (my $changed = 1; $changed;) {
    $changed = 0;
    for my $name (keys %{$g->{rules}}) {
      my $height = 1 + least($g, $g->{rules}{$name});
      next if $height > 1e9 || $height >= ($g->{height}{$name} // 1e10);
      $g->{height}{$name} = $height;
      $changed = 1;
    }
  }
}

# Words of a random text of a tree; when `room` is used up the smallest ones.
sub words {
  my ($g, $tree, $room) = @_;
  my ($kind, @parts) = @$tree;
  return $parts[0] if $kind eq 'text';
  if ($kind eq 'rule') {
    return "\n$parts[0]" if $layout{$parts[0]};
    my $examples = $g->{examples}{$parts[0]};
    return $examples ? $examples->[rand @$examples] : words($g, $g->{rules}{$parts[0]}, $room - 1);
  }
  return map { words($g, $_, $room) } @parts if $kind eq 'seq';
  if ($kind eq 'or') {
    my @fit = grep { least($g, $_) <= $room } @parts;
    @fit = (sort { least($g, $a) <=> least($g, $b) } @parts)[0] unless @fit;
    return words($g, $fit[rand @fit], $room);
  }
  my $times = $room <= least($g, $parts[0]) ? 0 : $kind eq 'opt' ? int rand 2 : int rand 3;
  return map { words($g, $parts[0], $room - 1) } 1 .. $times;
}

# A text made of words: blanks between them, lines and indentation as EOL, IN and OUT say.
sub text {
  my ($g, $start, $room) = @_;
  measure($g) unless $g->{height};
  my ($text, $in, $fresh) = ('', 0, 1);
  for my $word (words($g, $g->{rules}{$start}, $room)) {
    if ($word eq "\nEOL") { $text .= "\n"; $fresh = 1 }
    elsif ($word eq "\nIN") { $in += 2 }
    elsif ($word eq "\nOUT") { $in -= 2 }
    else { $text .= ($fresh ? ' ' x $in : ' ') . $word; $fresh = 0 }
  }
  return "$text\n";
}

1;
