# Tree.pm -- a model as a tree of text, so that it can be made smaller and stay a model.
#
# A node is
#   "text"                                     itself
#   [node, ...]                                one after the other; nothing of it can be left out
#   {items => [...], sep =>, least =>, none =>}  a list of which items may be left out, down to `least`; `none` is written for an empty one
#   {number => n, least => m}                  a constant that may become smaller
#   {node => x, simpler => [y, ...]}           x, or in its place one of the others (which may be parts of x)
#   {flag => "--ltl", node => x}               a question of the command line
#   {count => list}                            how many items that list has
#
# Shrinking is greedy, largest cuts first, as in delta debugging (Zeller, Hildebrandt 2002), but on the tree: what comes out is a text of the language in nearly all cases, and where it is not (a name whose declaration went), the
# program says so, the difference that is looked for is gone, and the cut is taken back.
package Tester::Tree;
use strict;
use warnings;

sub render {
  my ($node) = @_;
  return $node unless ref $node;
  return join '', map { render($_) } @$node if ref $node eq 'ARRAY';
  return render($node->{node} // "") if exists $node->{node} || exists $node->{flag};
  return $node->{number} if exists $node->{number};
  return scalar @{$node->{count}{items}} if exists $node->{count};
  return $node->{none} // '' unless @{$node->{items}};
  return join $node->{sep}, map { render($_) } @{$node->{items}};
}

# Cuts that leave out `size` items from `from` on.
sub cut {
  my ($list, $from, $size) = @_;
  my $before;
  return {
    weight => $size,
    do => sub {
      my @items = @{$list->{items}};
      $before = $list->{items};
      return 0 if $from + $size > @items || @items - $size < ($list->{least} // 0);
      splice @items, $from, $size;
      $list->{items} = \@items;
      return 1;
    },
    undo => sub { $list->{items} = $before },
  };
}

sub replace {
  my ($node, $key, $value, $rest) = @_;
  my %before;
  return {
    weight => 0.5,
    do => sub { %before = %$node; $node->{$key} = $value; $node->{simpler} = $rest if $rest; return 1 },
    undo => sub { %$node = %before },
  };
}

# All ways to make a tree smaller by one cut.
sub edits {
  my ($node) = @_;
  return () unless ref $node;
  return map { edits($_) } @$node if ref $node eq 'ARRAY';
  my @out;
  if (exists $node->{number}) {
    my ($n, $least) = ($node->{number}, $node->{least} // 0);
    my %seen = ($n => 1);
    return map { replace($node, 'number', $_) } grep { $_ >= $least && !$seen{$_}++ } $least, int($n / 2), $n - 1;
  }
  if (exists $node->{node} || exists $node->{flag}) {
    push @out, map { replace($node, 'node', $_, []) } @{$node->{simpler} // []};
    return @out, edits($node->{node} // "");
  }
  return () if exists $node->{count};
  my $count = @{$node->{items}};
  for (my $size = $count; $size >= 1; $size = int($size / 2)) {
    for (my $from = $count - $size; $from >= 0; $from -= $size) { push @out, cut($node, $from, $size) }
  }
  return @out, map { edits($_) } @{$node->{items}};
}

# Makes `tree` smaller as long as $still->() is true of it. $text->() is what the tree stands for; $enough->() ends it early.
sub shrink {
  my ($tree, $text, $still, $enough) = @_;
  my %tried = ($text->() => 1);
  for (my $progress = 1; $progress;) {
    $progress = 0;
    for my $edit (sort { $b->{weight} <=> $a->{weight} } edits($tree)) {
      return if $enough->();
      next unless $edit->{do}->();
      if (!$tried{$text->()}++ && $still->()) { $progress = 1 }
      else { $edit->{undo}->() }
    }
  }
}

# ---- chance ----

sub pick { return int rand $_[0] }
sub one { return $_[pick(scalar @_)] }
sub chance { return rand() < $_[0] }
sub list { my ($sep, @items) = @_; return {items => [@items], sep => $sep, least => 0, none => ''} }
sub some { my ($least, $sep, $none, @items) = @_; return {items => [@items], sep => $sep, least => $least, none => $none} }
sub number { my ($n, $least) = @_; return {number => $n, least => $least // 0} }

use Exporter 'import';
our @EXPORT_OK = qw(render shrink pick one chance list some number);
1;
