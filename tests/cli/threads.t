#!/bin/sh
# threads.t -- -j: what comes out does not depend on it, on models of some hundred thousand states; what it takes and refuses.
. tests/cli/lib.sh
"$MODELS/../tools/gen-net" philosophers 14 > "$WORK/phil.net"
cat > "$WORK/work.pml" <<'END'
byte a[N], sum;
active [N] proctype p() { do :: atomic { a[_pid] < 7 -> a[_pid]++; sum++ } :: atomic { a[_pid] > 3 -> a[_pid]--; sum-- } od }
active proctype watch() { do :: atomic { sum == LIMIT -> assert(false) } od }
END

# ---- the same with any number, on every store that knows rounds
for model in "phil.net" "work.pml -D N=6 -D LIMIT=100"; do
  set -- $model
  file=$1
  shift
  for store in plain tree compact-tree; do
    for j in 1 2 3; do
      run check "$WORK/$file" "$@" --store $store --reduce none --no-deadlock -j $j --json
      got="$(field states) $(field transitions) $(field deadlocks) $(field depth) $(field verdict)"
      [ $j = 1 ] && want=$got
      [ $j = 1 ] && { [ "$(field states)" -gt 150000 ]; ok $? "$file, $store: enough states for threads"; }
      same "$got" "$want" "$file, $store, -j $j"
    done
  done
  same "$(field jobs)" 3 "$file: JSON tells it"
done

# ---- the same trace, bit for bit
for j in 1 2 4; do
  run check "$WORK/work.pml" -D N=6 -D LIMIT=37 --reduce none -j $j -o "$WORK/t$j.json"
  exits 1 "-j $j: violated"
done
cmp -s "$WORK/t1.json" "$WORK/t2.json" && cmp -s "$WORK/t1.json" "$WORK/t4.json"
ok $? "1, 2 and 4 threads write the same trace"
run check "$WORK/work.pml" -D N=6 -D LIMIT=100 --reduce none --invariant 'sum < 36' -p invariant -j 2 --json -o "$WORK/t.json"
exits 1 "an invariant"
shallow=$(sed -n 's/.*"steps": \([0-9]*\).*/\1/p' "$out" | head -1)
same "$shallow" 36 "by a shortest run"

# ---- a budget that ends on the way
run check "$WORK/work.pml" -D N=6 -D LIMIT=100 --reduce none -j 1 --memory 2M --json --no-deadlock
want="$(field states) $(field transitions) $(field verdict)"
run check "$WORK/work.pml" -D N=6 -D LIMIT=100 --reduce none -j 2 --memory 2M --json --no-deadlock
same "$(field states) $(field transitions) $(field verdict)" "$want" "2 MB: the ladder, with two threads"

# ---- temporal properties
for how in scc ndfs; do
  for j in 1 2 4; do
    run check "$WORK/work.pml" -D N=3 -D LIMIT=100 --ltl '[] <> (sum > 2) || <> [] (sum <= 2)' -p ltl --cycles $how -j $j --json
    exits 0 "--cycles $how -j $j: holds"
    run check "$WORK/work.pml" -D N=3 -D LIMIT=100 --ltl '[] <> (sum > 9)' -p ltl --cycles $how -j $j --json -o "$WORK/l.json"
    exits 1 "--cycles $how -j $j: violated"
  done
done
printf 'int x; bit b;\nactive proctype A() { do :: x < 2000 -> x++ :: b = 1 - b od }\n' > "$WORK/deep.pml"
for j in 1 2; do
  run check "$WORK/deep.pml" --ltl '[] <> (b == 0) -> [] <> (x < 1000)' -p ltl --cycles ndfs --max-depth 20 -j $j --json
  exits 4 "--cycles ndfs -j $j, a limit of steps"
  same "$(field depth)" 20 "is kept"
done

# ---- what it takes
run check "$WORK/phil.net" -j 0
exits 2 "no threads"
run check "$WORK/phil.net" -j 5000
exits 2 "too many"
run check "$WORK/phil.net" -j two
exits 2 "no number"
run check "$WORK/phil.net" --jobs 2 --search dfs --time 1 -q
[ $code = 0 ] || [ $code = 1 ] || [ $code = 4 ]
ok $? "a search that one thread makes takes it, too"
finish
