# mpi_lib.sh -- what scripts about several processes share.  Source it after lib.sh; it ends the script where there is no MPI.
#
#   ranks N ARGS...    as run, in N processes
#   ranks_pids TEXT    the processes whose command line has TEXT in it
#   figures, statuses  of the verdict in $out, to be compared
SPREAD=${BUILD:-$ROOT/build}/thimble-mpi
if [ ! -x "$SPREAD" ] || ! command -v mpirun > /dev/null; then
  echo "1..0 # SKIP no MPI: make MPI=1"
  exit 0
fi
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export PMIX_MCA_gds=hash # without it Debian 12's mpirun now and then waits for itself for ever when all ranks have ended (in PMIx_server_finalize)
  many="--oversubscribe" stay=
else
  many= stay=-disable-auto-cleanup # or mpirun ends all the others before they can say anything
fi

ranks() {
  n=$1
  shift
  timeout -k 5 60 mpirun $many -n "$n" "$SPREAD" "$@" > "$out" 2> "$err" < /dev/null
  code=$?
}
ranks_pids() {
  for pid in $(pgrep -f "thimble-mpi [a-z]+ .*$1"); do
    [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = thimble-mpi ] && echo "$pid"
  done
}
figures() { python3 -c '
import json
d = json.load(open("'"$out"'"))
print(d["verdict"], d["states"], d["transitions"], d["deadlocks"], d["depth"], [(p["id"], p["status"], p["steps"]) for p in d["properties"]])' 2>&1; }
statuses() { python3 -c '
import json
d = json.load(open("'"$out"'"))
print(d["verdict"], [(p["id"], p["status"], p.get("product") and (p["product"]["states"] if p["status"] == "holds" else 0)) for p in d["properties"]])' 2>&1; }
