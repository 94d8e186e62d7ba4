#!/bin/sh
# promplus.t -- the example models of PROM+: states, transitions and deadlocks. Those without pointers are Promela too; their numbers are SPIN's.
. tests/cli/lib.sh
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }
expect() { # model exit states transitions deadlocks
  run check --json --continue --output "$WORK/trace.json" "$ROOT/tests/models/promplus/$1.pmp"
  got="$code $(number states) $(number transitions) $(number deadlocks)"
  [ "$got" = "$2 $3 $4 $5" ]
  ok $? "$1: exit, states, transitions, deadlocks are $got"
}
expect d1_peterson 0 64 140 0
expect d2_peterson_symmetric 0 126 263 0
expect d3_dekker 0 288 684 0
expect d4_dekker_symmetric 0 356 822 0
expect d5_dijkstra 0 860 2106 0
expect d6_dijkstra_symmetric 0 942 2279 0
expect d7_philosophers_2 1 85 152 1
expect d7_philosophers_3 1 875 2364 1
expect d7_philosophers_4 1 8545 30832 1
expect d8_philosophers_symmetric_2 1 108 188 1
expect d8_philosophers_symmetric_3 1 1082 2942 1
expect d8_philosophers_symmetric_4 1 11124 40662 1
expect pointers 0 9 8 0
# Table 6.2 of the thesis, with thread symmetry: no more states than it has. Deadlocks are not looked for in philosophers, who have one.
symmetric() { # model most property
  run check --json --reduce symmetry --property "$3" --output "$WORK/trace.json" "$ROOT/tests/models/promplus/$1.pmp"
  states=$(number states)
  [ "$code" = 0 ] && [ "$states" -le "$2" ]
  ok $? "$1: $states states by symmetry, at most $2"
}
symmetric d1_peterson 64 deadlock
symmetric d2_peterson_symmetric 82 deadlock
symmetric d3_dekker 288 deadlock
symmetric d4_dekker_symmetric 206 deadlock
symmetric d5_dijkstra 860 deadlock
symmetric d6_dijkstra_symmetric 498 deadlock
symmetric d7_philosophers_3 885 runtime
symmetric d7_philosophers_4 8545 runtime
symmetric d8_philosophers_symmetric_3 462 runtime
symmetric d8_philosophers_symmetric_4 4464 runtime
# A pointer that nobody reads is part of the state.
for list in slice por slice,por auto; do
  run check --json --reduce $list --output "$WORK/trace.json" "$ROOT/tests/models/promplus/last_pointer.pmp"
  [ "$code" = 1 ]
  ok $? "last_pointer: the deadlock is shown with --reduce $list"
done
finish
