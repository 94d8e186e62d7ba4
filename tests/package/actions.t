#!/bin/sh
# actions.t -- action.yml, the workflows and the Dockerfile: well-formed, and speaking of what exists; and the action's own step, run.
. tests/cli/lib.sh
BUILD=${BUILD:-$ROOT/build}
yaml="$ROOT/action.yml $(echo "$ROOT"/.github/workflows/*.yml)"

# ---- form
if python3 -c 'import yaml' 2> /dev/null; then
  for file in $yaml; do python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$file" 2> "$err"; ok $? "${file#"$ROOT"/} is well-formed"; done
  # What the action passes on must be inputs that it has, and each input must be passed on.
  python3 - "$ROOT/action.yml" > "$out" 2> "$err" <<'END'
import re, sys, yaml
text = open(sys.argv[1]).read()
action = yaml.safe_load(text)
used = set(re.findall(r'inputs\.([a-z-]+)', text))
assert used == set(action['inputs']), used ^ set(action['inputs'])
steps = {step.get('id') for step in action['runs']['steps']}
assert set(re.findall(r'steps\.([a-z-]+)\.', text)) <= steps
assert all('shell' in step for step in action['runs']['steps'] if 'run' in step)
assert not any('${{' in step['run'] for step in action['runs']['steps'] if 'run' in step), 'input as text of a script'
END
  ok $? "action.yml: inputs, steps and shells belong together, and no input is text of a script"
else
  skip "YAML" "python3 has no yaml"
fi
cd "$ROOT" || exit 1
same "$(sed -n 's/.*uses: *//p' $yaml | grep -vxE '\./|actions/checkout@v4|github/codeql-action/upload-sarif@v3|OWNER/.*' | tr -d ' ')" "" "no actions of third parties"
same "$(grep -lE '://|[a-z0-9-]\.(com|org|io|dev)([/:" ]|$)' $yaml Dockerfile)" "" "no hosts are named"

# ---- what is named exists
for path in $(cat $yaml Dockerfile | grep -o -E '(^|[ "/])(tools|examples|\.ci)/[a-z.-]+' | sed 's|^[ "/]*||' | sort -u); do
  [ -e "$path" ]; ok $? "there is $path"
done
for target in $(cat $yaml Dockerfile | grep -o -E 'make (-j[^ ]* )?[a-z/-]+' | awk '{ print $NF }' | grep -v '^-' | sort -u); do
  grep -qE "^$(echo "$target" | sed 's|^build/|\\$\\(B\\)/|')( |:)" Makefile; ok $? "there is make $target"
done
for option in $(cat $yaml Dockerfile | grep -o 'tools/setup --[a-z]*' | sed 's/.* //' | sort -u); do
  grep -q -e "^  $option)" tools/setup; ok $? "there is tools/setup $option"
done
"$THIMBLE" help check > "$out"
for option in $({ sed -n 's/^\[.*set -- "$@" \(--[a-z-]*\).*/\1/p; s/.*THIMBLE" check \(--[a-z-]*\) .*/\1/p' tools/action-check; sed -n 's/^ *\(--[a-z-]*\)$/\1/p' $yaml; } | sort -u); do
  says "^ .*$option( |\$)" "thimble check has $option"
done
same "$(sed -n 's/^VERSION: //p; s/.*thimble@v\([0-9.]*\).*/\1/p' action.yml)" "$(cat VERSION)" "action.yml shows this version"

# ---- the Dockerfile: libraries that the programs need are in the second image
if command -v dpkg-query > /dev/null && [ "${CONFIG:-release}" = release ]; then
  for library in $(readelf -d "$BUILD/thimble" "$BUILD/thimble-audit" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|ld-.*)\.so' | sort -u); do
    package=$(dpkg-query -S "*/$library" 2> /dev/null | sed -n '1s/:.*//p')
    grep -q " $package " Dockerfile; ok $? "the image has $library ($package)"
  done
fi
same "$(grep -c '^FROM debian:12-slim' Dockerfile) $(grep -c '^USER thimble$' Dockerfile) $(grep -c '^VOLUME /model$' Dockerfile) $(grep -c '^ENTRYPOINT \["thimble"\]$' Dockerfile)" "2 1 1 1" "two images, a user, a volume, the program"
grep -qx build .dockerignore && grep -qx .git .dockerignore; ok $? "what was built here stays here"

# ---- the step itself
cd "$WORK" || exit 1
step() { # variables as NAME=VALUE
  : > outputs; : > summary
  env GITHUB_OUTPUT=outputs GITHUB_STEP_SUMMARY=summary THIMBLE="$THIMBLE" "$@" "$ROOT/tools/action-check" > "$out" 2> "$err"
  code=$?
}
step MODEL="$MODELS/mutex.pnml" SARIF=s.sarif MEMORY=100M TIME=1m ARGS="$(printf -- '--invariant\n!(critical1 && critical2)\n\n-q')"
exits 0 "a model that holds"
same "$(paste -sd ' ' outputs)" "verdict=holds exit-code=0" "is told"
grep -q '"version": "2.1.0"' s.sarif; ok $? "SARIF"
step MODEL="$MODELS/exchange.pml" SARIF=s.sarif REPORT=r.html ARGS=
exits 0 "a violation ends no step before it is shown"
same "$(paste -sd ' ' outputs)" "verdict=violated exit-code=1" "but is told"
grep -q '^    .*assert:21 ' summary && grep -q '^### violated$' summary; ok $? "the summary shows it"
[ -s r.html ]; ok $? "a report"
step MODEL="$MODELS/unbounded.net" SARIF=
same "$(paste -sd ' ' outputs)" "verdict=incomplete exit-code=4" "a verdict that is not complete is none"
step MODEL=-nonsense.net SARIF=
same "$(paste -sd ' ' outputs)" "verdict=error exit-code=3" "a file that looks like an option is a file"
step MODEL="$MODELS/mutex.pnml" SARIF= ARGS="; touch harm; \$(touch harm)"
[ ! -e harm ]; ok $? "arguments are no script"
same "$(sed -n 's/exit-code=//p' outputs)" 2 "but arguments"
finish
