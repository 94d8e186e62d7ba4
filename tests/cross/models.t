#!/bin/sh
# models.t -- every store with every search on every small model, and programs with every engine: the answers are those that the
# models' first lines expect. An engine knows nothing of stores and searches: generated code meets each of them, not each pair.
# Directed searches ask stores no more than others do: every day each such pair meets every third model, with THIMBLE_LONG all.
. tests/cli/lib.sh
names() { "$THIMBLE" check "--$1" help 2> /dev/null | awk '/^[a-z]/ { print $1 }' | grep -v '^auto$'; }
stores=$(names store) searches=$(names search | grep -v '^walk$') # walks have no store, and count nothing
[ -n "$stores" ] && [ -n "$searches" ]
ok $? "stores: $(echo $stores); searches: $(echo $searches)"

# One process for the whole comparison: there are thousands of runs.
compare='
  match($0, /^  "[a-z_]+": /) { key = substr($0, 4, RLENGTH - 6); got[key] = substr($0, RLENGTH + 1); sub(/,$/, "", got[key]) }
  END {
    got["exit"] = code
    n = split(expect, pairs, " ")
    for (i = 1; i <= n; i++) {
      split(pairs[i], pair, "=")
      key = pair[1]; want = pair[2]
      if (key == "exit" && lossy != "" && want == 0) want = 5
      if (key == "depth" && search != "bfs") continue
      if (got[key] != want) printf " %s is %s, not %s;", key, (got[key] == "" ? "missing" : got[key]), want
    }
    if (way == "compiled" && got["engine"] != "\"compiled\"") printf " no compiled engine;"
  }'

# Generated code is kept in a cache of our own, so that it is compiled here once per model.
XDG_CACHE_HOME=$WORK/cache
export XDG_CACHE_HOME
cc=${THIMBLE_CC:-cc}
engines=interpreter
command -v "$cc" > /dev/null && engines="interpreter compiled"

cd "$ROOT/tests/models" || exit 1
turn=0
for file in *.net *.pnml *.aut *.dve *.pml *.pmp; do
  expect=$(sed -n 's/.*expect: //p' "$file" | head -n 1 | sed 's; *[*]/$;;')
  [ -n "$expect" ] || { ok 1 "$(basename "$file") tells what to expect"; continue; }
  case $file in *.dve | *.pml | *.pmp) ways=$engines ;; *) ways=auto ;; esac
  turn=$((turn + 1)) pair=0
  for way in $ways; do for store in $stores; do
    for search in $searches; do
      [ "$way" = compiled ] && [ "$store" != plain ] && [ "$search" != bfs ] && continue
      case $search in best | astar)
        pair=$((pair + 1))
        [ "${THIMBLE_LONG:-}" ] || [ "$store" = plain ] || [ $(((turn + pair) % 3)) = 0 ] || continue ;;
      esac
      lossy= files=
      case $store in
        hashcompact | bitstate) [ "$search" = sweep ] && continue # cannot forget: plain is taken, and proves
          lossy="--lossy --memory 100M" ;; # on small models they miss nothing, and say so
        cache) [ "$search" = dfs ] || continue
          files="--memory 20M" ;; # else it takes a gigabyte each time
        disk) [ "$search" = bfs ] || continue # it tells late what is new
          files="--disk $WORK" ;;
      esac
      measure=
      [ "$search" = sweep ] && measure="--progress-measure 0" # nothing is forgotten: the counts are those of all; tests/laws/sweep.c forgets
      run check $lossy $files $measure --json --continue=2 --engine "$way" --store "$store" --search "$search" --output "$WORK/trace.json" "$file"
      wrong=$(awk -v expect="$expect" -v code="$code" -v search="$search" -v lossy="$lossy" -v way="$way" "$compare" "$out")
      [ -z "$wrong" ]
      ok $? "$file with $store and $search, engine $way:${wrong:- as expected}"
    done
  done; done
done
finish
