#!/bin/sh
# scout.t -- the short directed search ahead of the default one: violations too deep for breadth-first search are found, shortest runs stay shortest, and who asks for a search gets that one alone.
. tests/cli/lib.sh

# 10^12 states; what is wrong lies 100 steps away
cat > deep.pml <<'END'
byte x[12];
active [12] proctype count() { do :: x[_pid] < 9 -> x[_pid]++ od }
END
sum='x[0]+x[1]+x[2]+x[3]+x[4]+x[5]+x[6]+x[7]+x[8]+x[9]+x[10]+x[11]'
run check deep.pml --no-deadlock --invariant "$sum < 100" --memory 3M --json
exits 1 "a violation that breadth-first search has no room for"
same "$(field stop) $(field search)" '{"reason": "violation", "advice": null} "bfs"' "ends the run"
[ "$(field scout_states)" -gt 100 ] && [ "$(field scout_states)" -le 10000 ]; ok $? "and JSON tells how many states the scout took"
same "$(grep -c '"shortest": true' "$out")" 0 "no run is said to be shortest"
[ -s deep.trace.json ]; ok $? "the trace is there"
run simulate deep.pml --replay deep.trace.json
exits 0 "and is what the model does"
run check deep.pml --no-deadlock --invariant "$sum < 100" --memory 3M
says 'found by a directed search of [0-9,]+ states; breadth-first search met no shorter run in [0-9,]+ states' "and people are told"
says 'search bfs' "as they are of the search"
silent 'the shortest there is' "which found nothing shorter"

# whoever asks for a search, or for limits of it, gets that one
for alone in '--search bfs' '--max-states 5000' '--max-depth 7' '--continue'; do
  run check deep.pml --no-deadlock --invariant "$sum < 100" --memory 3M $alone --json
  exits 4 "$alone: no scout"
  same "$(field scout_states)" "" "$alone: nor a word of one"
done

# a deadlock, an assertion, a state to be reached; with several threads
cat > stuck.pml <<'END'
byte x[12], left = 100;
active [12] proctype count() { do :: x[_pid] < 9 && left > 0 -> atomic { x[_pid]++; left-- } od }
END
run check stuck.pml --memory 3M --jobs 2 --json
exits 1 "a deadlock far away"
run simulate stuck.pml --replay stuck.trace.json
exits 0 "and its trace"
cat > wrong.pml <<'END'
byte x[12], left = 100;
active [12] proctype count() { do :: x[_pid] < 9 && left > 0 -> atomic { x[_pid]++; left--; assert(left > 0) } od }
END
run check wrong.pml -p assert --memory 3M
exits 1 "an assertion far away"
run check deep.pml --no-deadlock --reachable "$sum == 100" -p reachable --memory 3M
exits 0 "a state far away is reached"
says 'reached after' "and told"
silent 'the shortest there is' "without a claim to be nearest"
# several are asked for: the scout found one, the whole space has no room
run check deep.pml --no-deadlock --reachable "$sum == 100" --reachable "$sum == 200" --memory 3M
exits 4 "one that is there and one that is not"
says 'reachable:1 +holds' "the first is reached"
says 'reachable:2 +unknown' "the second is not known"

# a net, whose bounds invariants prove, and a coloured one
{
  echo 'net deep'
  for i in 1 2 3 4 5 6 7 8 9 10; do
    echo "pl p$i (9)"
    echo "pl q$i"
    echo "tr t$i p$i -> q$i"
    echo "tr u$i q$i -> p$i"
  done
} > deep.net
run check deep.net --no-deadlock --invariant 'q1+q2+q3+q4+q5+q6+q7+q8+q9+q10 < 80' --memory 3M --json
exits 1 "a net"
[ -n "$(field scout_states)" ]; ok $? "by its scout"
run simulate deep.net --replay deep.trace.json
exits 0 "and its trace"

# small models: as ever
run check "$MODELS/philosophers.net" --json
exits 1 "a small model"
same "$(grep -c '"shortest": true' "$out")" 1 "has its shortest run"
same "$(field scout_states)" "" "and no word of a scout"
run check "$MODELS/philosophers.net" --search bfs --json
run check "$MODELS/philosophers.net" --json --memory 300k
[ $code = 1 ] || [ $code = 4 ]; ok $? "a tiny budget: a verdict, or an honest account"

# on a part of the net, whose markings are not laid out as the net's are
cat > part.net <<N
pl p (9)
tr t p*3 -> q*2
N
for reduce in slice auto; do
  timeout 20 "$THIMBLE" check part.net --reduce $reduce > "$out" 2> "$err" < /dev/null; code=$?
  exits 1 "a net that --reduce $reduce makes smaller"
done

# the user has the last word: what the scout found is told
if [ "$(nproc 2> /dev/null)" ]; then
  "$THIMBLE" check deep.pml --no-deadlock --invariant "$sum < 100" --memory 256M --json > "$out" 2> "$err" &
  pid=$!
  sleep 0.7
  kill -INT $pid 2> /dev/null
  wait $pid
  code=$?
  exits 1 "interrupted after the scout: the violation stands"
fi
run check deep.pml --no-deadlock --invariant "$sum < 100" --memory 256M --time 1
exits 1 "time is over after it: likewise"
finish
