# mpi_lib.sh -- what scripts about several processes share.  Source it after lib.sh; it ends the script where there is no MPI.
#
#   ranks N ARGS...    as run, in N processes
#   ranks_pids TEXT    the processes whose command line has TEXT in it
#   rank_pid N TEXT    that of rank N among them
#   says_if_spared PATTERN WHAT  as says, of a verdict with a rank killed; MPICH's mpirun may have killed rank 0 before it could tell one
#   await TIMES TEST...  looks ten times a second until the command TEST succeeds
#   at_length CMD...   only where THIMBLE_LONG says that there is time: starting processes is what takes it
#   figures, statuses  of the verdict in $out, to be compared
#
# MPIRUN=mpirun.mpich and MPI_PROGRAM=build/mpich/thimble-mpi choose another MPI than the usual one.
MPIRUN=${MPIRUN:-mpirun}
SPREAD=${MPI_PROGRAM:-${BUILD:-$ROOT/build}/thimble-mpi}
if [ ! -x "$SPREAD" ] || ! command -v "$MPIRUN" > /dev/null; then
  echo "1..0 # SKIP no MPI: make MPI=1"
  exit 0
fi
if $MPIRUN --version 2>&1 | grep -q 'Open MPI'; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export PMIX_MCA_gds=hash # without it Debian 12's mpirun now and then waits for itself for ever when all ranks have ended (in PMIx_server_finalize)
  many="--oversubscribe" stay=
else
  many= stay=-disable-auto-cleanup # or mpirun kills all the others before they can say anything; now and then it does so all the same
fi

ranks() {
  n=$1
  shift
  timeout -k 5 60 $MPIRUN $many -n "$n" "$SPREAD" "$@" > "$out" 2> "$err" < /dev/null
  code=$?
}
at_length() { [ -z "${THIMBLE_LONG:-}" ] || "$@"; }
ranks_pids() {
  for pid in $(pgrep -f "thimble-mpi [a-z]+ .*$1"); do
    [ "$(cat "/proc/$pid/comm" 2> /dev/null)" = thimble-mpi ] && echo "$pid"
  done
}
rank_pid() {
  for pid in $(ranks_pids "$2"); do
    tr '\0' '\n' 2> /dev/null < "/proc/$pid/environ" | grep -Eq "^(OMPI_COMM_WORLD_RANK|PMI_RANK)=$1\$" && echo "$pid"
  done
}
says_if_spared() {
  if [ -n "$stay" ] && ! grep -q incomplete "$out"; then grep -q 'EXIT STRING' "$out"; ok $? "$2 (mpirun has killed the others)"; else says "$1" "$2"; fi
}
await() {
  left=$1
  shift
  while [ "$left" -gt 0 ] && ! "$@"; do
    sleep 0.1
    left=$((left - 1))
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
