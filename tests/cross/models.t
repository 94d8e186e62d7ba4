#!/bin/sh
# models.t -- every store with every search on every small model, and programs with every engine: the answers are those that the
# models' first lines expect.
. tests/cli/lib.sh
names() { "$THIMBLE" check "--$1" help 2> /dev/null | awk '/^[a-z]/ { print $1 }' | grep -v '^auto$'; }
stores=$(names store) searches=$(names search | grep -v '^walk$') # walks have no store, and count nothing
[ -n "$stores" ] && [ -n "$searches" ]
ok $? "stores: $(echo $stores); searches: $(echo $searches)"
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }

# Generated code is kept in a cache of our own, so that it is compiled here once per model.
XDG_CACHE_HOME=$WORK/cache
export XDG_CACHE_HOME
cc=${THIMBLE_CC:-cc}
engines=interpreter
command -v "$cc" > /dev/null && engines="interpreter compiled"

cd "$ROOT/tests/models" || exit 1
for file in *.net *.pnml *.aut *.dve *.pml *.pmp; do
  expect=$(sed -n 's/.*expect: //p' "$file" | head -n 1 | sed 's; *[*]/$;;')
  [ -n "$expect" ] || { ok 1 "$(basename "$file") tells what to expect"; continue; }
  case $file in *.dve | *.pml | *.pmp) ways=$engines ;; *) ways=auto ;; esac
  for way in $ways; do for store in $stores; do
    for search in $searches; do
      lossy= files=
      case $store in
        hashcompact | bitstate) [ "$search" = sweep ] && continue # cannot forget: plain is taken, and proves
          lossy="--lossy --memory 100M" ;; # on small models they miss nothing, and say so
        cache) [ "$search" = dfs ] || continue ;;
        disk) [ "$search" = bfs ] || continue # it tells late what is new
          files="--disk $WORK" ;;
      esac
      measure=
      [ "$search" = sweep ] && measure="--progress-measure 0" # nothing is forgotten: the counts are those of all; tests/laws/sweep.c forgets
      run check $lossy $files $measure --json --continue --engine "$way" --store "$store" --search "$search" --output "$WORK/trace.json" "$file"
      wrong=
      for pair in $expect; do
        key=${pair%%=*} want=${pair#*=}
        case $key in
          exit) got=$code; [ -n "$lossy" ] && [ "$want" = 0 ] && want=5 ;;
          depth) [ "$search" = bfs ] || continue; got=$(number depth) ;;
          *) got=$(number "$key") ;;
        esac
        [ "$got" = "$want" ] || wrong="$wrong $key is ${got:-missing}, not $want;"
      done
      [ "$way" = compiled ] && { grep -q '"engine": "compiled"' "$out" || wrong="$wrong no compiled engine;"; }
      [ -z "$wrong" ]
      ok $? "$file with $store and $search, engine $way:${wrong:- as expected}"
    done
  done; done
done
finish
