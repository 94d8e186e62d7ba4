#!/bin/sh
# dve.t -- the BEEM models of the corpus against what other tools counted: states, transitions and, where known, deadlocks.
# DVE_STATES_MAX (800000) bounds the size of the models that are tried.
. tests/cli/lib.sh
corpus=${THIMBLE_CORPUS:-$ROOT/../shared/corpus}/dve
most=${DVE_STATES_MAX:-800000}
[ "${CONFIG:-release}" = asan ] && most=${DVE_STATES_MAX:-30000}
[ -f "$corpus/ORACLE.csv" ] || { echo "1..0 # SKIP the corpus is not there"; exit 0; }
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }
tr -d '\r' < "$corpus/ORACLE.csv" | tail -n +2 > expected
while IFS=, read -r model states transitions deadlocks rest; do
  [ "$states" -le "$most" ] && [ -f "$corpus/$model.dve" ] || continue
  run check --json --no-deadlock --continue "$corpus/$model.dve"
  got="$(number states) $(number transitions)"
  want="$states $transitions"
  [ -n "$deadlocks" ] && got="$got $(number deadlocks)" want="$want $deadlocks"
  same "$got" "$want" "$model: $want"
done < expected
[ "$count" -gt 50 ] || [ "$most" -lt 800000 ]
ok $? "$count models were compared"
finish
