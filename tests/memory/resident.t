#!/bin/sh
# resident.t -- a run never holds more than its budget plus 8 MB, as the kernel counts it.
. tests/cli/lib.sh
if [ "${CONFIG:-release}" != release ]; then
  echo "1..0 # SKIP sanitizers hold memory of their own"
  exit 0
fi

# within BUDGET_MB ARGS...: runs and compares the resident peak that the kernel tells (JSON has it from getrusage).
within() {
  budget=$1
  shift
  run check --json --no-deadlock --time 3 --memory "${budget}M" "$@"
  peak=$(sed -n 's/^ *"resident_peak_bytes": \([0-9]*\).*/\1/p' "$out")
  [ -n "$peak" ] && [ "$peak" -le $(((budget + 8) * 1048576)) ]
  ok $? "--memory ${budget}M $*: $((${peak:-0} / 1024)) KB resident, $(field states) states, exit $code, stores $(sed -n 's/^ *"store": .*"used": \[\([^]]*\)\].*/\1/p' "$out")"
}

"$ROOT/tools/gen-net" pipeline 26 > pipeline.net     # 2^26 states, far too many
"$ROOT/tools/gen-net" counters 9 9 > counters.net    # 10^9
"$ROOT/tools/gen-net" philosophers 18 pnml > philosophers.pnml
"$ROOT/tools/gen-net" mesh 8000 > mesh.net           # wide markings
for budget in 8 64; do
  for model in pipeline.net counters.net philosophers.pnml; do
    within $budget $model
    exits 4 "and says that a limit was reached"
  done
  within $budget --search dfs pipeline.net
done
within 64 mesh.net
within 64 "$ROOT/examples/mutex.pnml"
exits 0 "a small model needs little"

# Bytes per state of `plain`, everything counted: the process itself too.
lean() { # lean LIMIT MODEL
  run check --json --no-deadlock --max-states 2000000 "$2"
  peak=$(sed -n 's/^ *"resident_peak_bytes": \([0-9]*\).*/\1/p' "$out")
  states=$(field states)
  [ -n "$states" ] && [ "$peak" -le $((states * $1)) ]
  ok $? "$2: at most $1 bytes per state resident ($((${peak:-0} * 10 / ${states:-1})) tenths)"
}
"$ROOT/tools/gen-net" pipeline 22 > safe.net
lean 16 safe.net
"$ROOT/tools/gen-net" philosophers 17 pnml > philosophers17.pnml
lean 16 philosophers17.pnml
finish
