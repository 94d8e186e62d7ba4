#!/bin/sh
# ladder.t -- a model whose words do not compress completes under a budget that only comback fits, within that budget, and its traces stay right.
. tests/cli/lib.sh
used() { sed -n 's/^ *"store": .*"used": \[\([^]]*\)\].*/\1/p' "$out"; }
model=$ROOT/tests/memory/products.pml
within=$([ "${CONFIG:-release}" = release ] && echo yes)
states=390627 # 25^4 + 2; plain takes 32 bytes for each, a compact tree 20, comback 5.6

for budget in 4 5 8; do
  run check --json --engine interpreter --memory "${budget}M" "$model"
  exits 0 "--memory ${budget}M: a complete verdict"
  same "$(field states)" $states "all states"
  same "$(used)" '"plain", "comback"' "by way of comback"
  peak=$(sed -n 's/^ *"resident_peak_bytes": \([0-9]*\).*/\1/p' "$out")
  if [ "$within" ]; then
    [ "$peak" -le $(((budget + 8) * 1048576)) ]; ok $? "$((peak / 1024)) KB resident"
  else skip "resident memory" "sanitizers hold memory of their own"; fi
done
run check --json --engine interpreter --store compact-tree --memory 5M "$model"
exits 4 "5 MB do not hold a compact tree of it"

run check --json --engine interpreter --memory 1200k -D N=14 "$model"
exits 0 "too few states to judge: a compact tree that does not fit"
same "$(field states)" 50627 "loses none of them"
used | grep -q '"comback"$'; ok $? "comback takes them from the tree ($(used))"

run check --json --engine interpreter --memory 4M -D BAD=1 --output trace.json "$model"
exits 1 "a violation that lies deeper than the change of stores"
same "$(used)" '"plain", "comback"' "is found on the last rung"
says '"steps": 98' "by a shortest path"
run check --json --engine interpreter --store plain -D BAD=1 --output plain.json "$model"
cmp -s trace.json plain.json; ok $? "which is the plain store's"

# numbers instead of waiting states (variant 4), from the start
for variants in numbers classic,numbers numbers,sets; do
  run check --json --stats --engine interpreter --store comback --comback $variants -D N=12 "$model"
  exits 0 "--comback $variants"
  same "$(field states)" 28563 "finds all states"
  grep -Eq '"rebuilds": [0-9]{5}' "$out"; ok $? "again and again"
done
finish
