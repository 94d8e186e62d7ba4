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
finish
