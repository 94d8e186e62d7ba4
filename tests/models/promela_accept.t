#!/bin/sh
# promela_accept.t -- every model of the corpus that SPIN accepts is loaded. Models whose included files are not in the corpus are left out.
. tests/cli/lib.sh
corpus=${THIMBLE_CORPUS:-$ROOT/../shared/corpus}/promela
if [ ! -f "$corpus/ORACLE.csv" ]; then
  echo "1..0 # SKIP no corpus"
  exit 0
fi
tr -d '\r' < "$corpus/ORACLE.csv" | awk -F, 'NR > 1 && $2 == "ok" { print $1 }' > "$WORK/files"
loaded=0 left=0
while IFS= read -r file; do
  run graph --language promela --max-states 1 -I "$corpus" -o /dev/null "$corpus/$file"
  if [ "$code" = 0 ] || [ "$code" = 4 ]; then loaded=$((loaded + 1))
  elif grep -q 'preprocessor: .*No such file' "$err"; then left=$((left + 1))
  else
    false
    ok $? "$file loads"
  fi
done < "$WORK/files"
[ "$loaded" -ge 380 ]
ok $? "$loaded models load, $left miss an included file"
finish
