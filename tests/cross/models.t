#!/bin/sh
# models.t -- every store with every search on every small model: the answers are those that the models' first lines expect.
. tests/cli/lib.sh
names() { "$THIMBLE" check "--$1" help 2> /dev/null | awk '/^[a-z]/ { print $1 }' | grep -v '^auto$'; }
stores=$(names store) searches=$(names search)
[ -n "$stores" ] && [ -n "$searches" ]
ok $? "stores: $(echo $stores); searches: $(echo $searches)"
number() { sed -n "s/^  \"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$out"; }

for file in "$ROOT"/tests/models/*.net "$ROOT"/tests/models/*.pnml "$ROOT"/tests/models/*.aut "$ROOT"/tests/models/*.dve; do
  expect=$(sed -n 's/.*expect: //p' "$file" | head -n 1)
  [ -n "$expect" ] || { ok 1 "$(basename "$file") tells what to expect"; continue; }
  for store in $stores; do
    for search in $searches; do
      run check --json --continue --store "$store" --search "$search" "$file"
      wrong=
      for pair in $expect; do
        key=${pair%%=*} want=${pair#*=}
        case $key in
          exit) got=$code ;;
          depth) [ "$search" = bfs ] || continue; got=$(number depth) ;;
          *) got=$(number "$key") ;;
        esac
        [ "$got" = "$want" ] || wrong="$wrong $key is ${got:-missing}, not $want;"
      done
      [ -z "$wrong" ]
      ok $? "$(basename "$file") with $store and $search:${wrong:- as expected}"
    done
  done
done
finish
