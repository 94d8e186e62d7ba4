# lib.sh -- what the scripts of this folder share.  Source it; it goes to a fresh folder that is removed at the end.
#
#   run ARGS...        runs thimble; standard output in $out, standard error in $err (files), exit code in $code
#   exits N "what"     the last run exited with N
#   says / tells RE    standard output / standard error matches an extended regular expression
#   field KEY          a value of the JSON object in $out
#   finish             prints the plan
# Under nohup SIGHUP is ignored by all that is started: scripts that are about signals begin again without that.
case $THIMBLE_HEARS$(sed -n 's/^SigIgn:[^0-9a-f]*//p' /proc/self/status 2> /dev/null) in
  [0-9a-f]*[13579bdf]) THIMBLE_HEARS=yes exec env --default-signal=HUP sh "$0" "$@" ;;
esac
THIMBLE=${THIMBLE:-$PWD/build/thimble}
ROOT=$PWD
MODELS=$ROOT/examples
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
out=$WORK/out err=$WORK/err code=0 count=0
unset NO_COLOR BK_EXAMINATION BK_TIME_CONFINEMENT BK_MEM_CONFINEMENT

run() { "$THIMBLE" "$@" > "$out" 2> "$err" < /dev/null; code=$?; }

ok() { # ok STATUS "what": 0 is good
  count=$((count + 1))
  if [ "$1" = 0 ]; then echo "ok $count - $2"; else
    echo "not ok $count - $2"
    sed 's/^/#   out: /' "$out" | head -n 12
    sed 's/^/#   err: /' "$err" | head -n 12
  fi
}
skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }
exits() { [ "$code" = "$1" ]; ok $? "$2 (exit $1)"; [ "$code" = "$1" ] || echo "#   exit $code"; }
says() { grep -Eq -- "$1" "$out"; ok $? "$2"; }
tells() { grep -Eq -- "$1" "$err"; ok $? "$2"; }
silent() { grep -Eq -- "$1" "$out"; [ $? = 1 ]; ok $? "$2"; }
same() { [ "$1" = "$2" ]; ok $? "$3"; [ "$1" = "$2" ] || echo "#   got '$1', want '$2'"; }
# The value of a key at the top level of thimble's own (indented) JSON.
field() { sed -n "s/^  \"$1\": \(.*[^,]\),\{0,1\}\$/\1/p" "$out" | head -n 1; }
finish() { echo "1..$count"; }
