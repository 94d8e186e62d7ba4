#!/bin/sh
# usage.t -- help, version, completions, the man page, wrong command lines, output that fails.
. tests/cli/lib.sh

run
exits 2 "no command"
tells '^Usage: thimble COMMAND' "says how"
run --version
exits 0 "--version"
same "$(cat "$out")" "thimble $(cat "$ROOT/VERSION")" "the version"
run help
exits 0 "help"
says '^  check MODEL ' "lists the commands"
run --help
says '^  check MODEL ' "--help likewise"
run check --help
says '\[late\]$' "the longest text is not cut"
run help nonsense
exits 2 "help on nothing"

commands=$("$THIMBLE" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for shell in bash zsh fish; do "$THIMBLE" completion $shell > $shell; done
bash=$(command -v bash)
for c in $commands; do
  run help "$c"
  exits 0 "help $c"
  cp "$out" by-help
  run "$c" --help
  cmp -s by-help "$out"; ok $? "$c --help says the same"
  # The options as its help lists them, and their letters.
  sed -n '/^Options:/,/^$/p' by-help > listed
  options=$(sed -n 's/^ \{2,6\}\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' listed | sort -u)
  letters=$(sed -n 's/^  *\(-[a-zA-Z]\), --.*/\1/p' listed | sort -u)
  same "$(echo $options | wc -w)" "$(grep -c '^ \{2,6\}-' listed)" "$c: every line of its options has a name"
  if [ -n "$bash" ]; then bash -c '. ./bash; COMP_WORDS=(thimble '"$c"' -); COMP_CWORD=2; _thimble; printf "%s\n" "${COMPREPLY[@]}"' > offered
  else sed -n "s/^    $c) options='\(.*\)' ;;/\1/p" bash | tr ' ' '\n' > offered; fi
  missing=
  for o in $options $letters; do grep -qx -e "$o" offered || missing="$missing $o"; done
  same "$missing" "" "bash completes the options of $c"
  sed -n "/^    $c)\$/,/;;/p" zsh > offered
  missing=
  for o in $options $letters; do grep -q -e "'\*\{0,1\}$o\(=-\{0,1\}\)\{0,1\}\[" offered || missing="$missing $o"; done
  same "$missing" "" "zsh completes the options of $c"
  grep "seen_subcommand_from $c' " fish > offered
  missing=
  for o in $options; do grep -q -e " -l ${o#--} " offered || missing="$missing $o"; done
  for o in $letters; do grep -q -e " -s ${o#-} " offered || missing="$missing $o"; done
  same "$missing" "" "fish completes the options of $c"
  grep -q "^      '$c:" zsh && grep -q "use_subcommand -f -a $c -d" fish && grep -q "compgen -W \".* *$c " bash
  ok $? "all three complete the name of $c"
  missing=
  for o in $options; do sed 's/\\-/-/g' "$ROOT/doc/thimble.1" | grep -q -e "$o" || missing="$missing $o"; done
  same "$missing" "" "the man page has the options of $c"
done
run completion tcsh
exits 2 "an unknown shell"
# thimble-audit has a page and a line of usage; the scripts know its options as well.
sed 's/\\-/-/g; s/\\f[A-Z]//g' "$ROOT/doc/thimble-audit.1" | sed -n '/^.SH OPTIONS/,/^.SH EXIT/p' | grep -o -e '--[a-z]*' | sort -u > paged
"${BUILD:-$(dirname "$THIMBLE")}/thimble-audit" --help | grep -o -e '--[a-z]*' | grep -v -e '--certificate' | sort -u > used
same "$(cat used - < /dev/null | grep -vxF -f paged)" "" "the page of thimble-audit has the options of its help"
for o in $(cat paged); do
  sed -n '/^_thimble_audit/,$p' bash | grep -q -e "$o " && sed -n '/^_thimble_audit/,/^}/p' zsh | grep -q -e "'$o\[" && grep -q -e "-c thimble-audit -l ${o#--} " fish
  ok $? "all three complete thimble-audit $o"
done
if [ -n "$bash" ]; then
  bash -n bash; ok $? "bash takes its script"
  got=$(bash -c '. ./bash; COMP_WORDS=(thimble check --mem); COMP_CWORD=2; _thimble; echo "${COMPREPLY[*]}"')
  same "$got" "--memory" "and completes with it"
  got=$(bash -c '. ./bash; COMP_WORDS=(thimble graph --format j); COMP_CWORD=3; _thimble; echo "${COMPREPLY[*]}"')
  same "$got" "json" "values too"
  got=$(bash -c '. ./bash; COMP_WORDS=(thimble-audit --j); COMP_CWORD=1; _thimble_audit; echo "${COMPREPLY[*]}"')
  same "$got" "--json" "and thimble-audit"
else skip "bash" "not here"; fi
if command -v zsh > /dev/null; then zsh -n zsh; ok $? "zsh takes its script"; else skip "zsh" "not here"; fi
if command -v fish > /dev/null; then
  fish -n fish; ok $? "fish takes its script"
  same "$(fish -c 'source fish; complete -C "thimble-audit --js"' | cut -f 1)" "--json" "and completes with it"
else skip "fish" "not here"; fi

"$ROOT/tools/gen-options" --check > "$out" 2>&1; ok $? "the man page is up to date with options.def"

run chekc x
exits 2 "an unknown command"
tells 'did you mean check' "the nearest is named"
run model.net
tells 'thimble check' "a file instead of a command"
run check
exits 2 "no model"
run check --memry 5 x
exits 2 "an unknown option"
tells 'did you mean --memory' "the nearest is named"
run check --mem 3 "$MODELS/mutex.pnml"
tells 'did you mean --memory' "the beginning of an option is not one that is near"
run check --memory
exits 2 "a missing value"

# ---- models that cannot be read
run check missing.net
exits 3 "a missing file"
tells '^missing.net: error:' "like a compiler"
mkdir folder.net
run check folder.net
exits 3 "a folder"
tells 'directory' "is told"
printf 'net n\nplace p\ntransition t : nowhere -> p\n' > wrong.net
run check wrong.net
exits 3 "a wrong model"
tells '^wrong.net:3:[0-9]+: error:' "with line and column"
tells '^  transition t : nowhere -> p' "the line"
tells '^ +\^' "and a caret"
run check "$MODELS/mutex.pnml" --invariant 'critcal1 + 2 >= 1'
exits 3 "an unknown name in a formula"
tells '^--invariant.*error:' "says where"
tells '^  critcal1' "shows it"
tells 'hint: .*critical1' "and has a hint"
run check --color always missing.net
tells "$(printf '\033\\[31m')" "--color always"
NO_COLOR=1 "$THIMBLE" check missing.net > "$out" 2> "$err"
grep -q "$(printf '\033')" "$err"; [ $? = 1 ]; ok $? "no colours without a terminal"

# ---- output that fails
if [ -e /dev/full ]; then
  "$THIMBLE" check "$MODELS/mutex.pnml" > /dev/full 2> "$err"; code=$?
  exits 74 "a full disk"
  tells 'standard output' "is told"
  "$THIMBLE" graph "$MODELS/mutex.pnml" > /dev/full 2> "$err"; code=$?
  exits 74 "a graph on a full disk"
  "$THIMBLE" check -o /dev/full "$MODELS/philosophers.net" > "$out" 2> "$err"; code=$?
  exits 74 "a trace on a full disk leaves the verdict"
  tells '/dev/full' "and is told"
else skip "a full disk" "no /dev/full"; fi
"$THIMBLE" check "$MODELS/mutex.pnml" 2> "$err" >&- ; code=$?
[ "$code" != 0 ]; ok $? "standard output closed: not 0"
"$THIMBLE" check -o t.json "$MODELS/philosophers.net" 2> "$err" >&- ; code=$?
exits 1 "standard output closed: the verdict's own code"
tells 'standard output' "with a message"
head -n 1 t.json | grep -q '^{$'; ok $? "and nothing but the trace in the trace"
{ "$THIMBLE" graph --max-states 100k "$MODELS/unbounded.net" 2> "$err"; echo $? > status; } | head -n 1 > /dev/null
[ "$(cat status)" = 74 ]; ok $? "a pipe that is closed early"
tells 'standard output|could not be written' "is told"

# Whoever starts us may ignore the ends of its children.
childless() { perl -e '$SIG{CHLD} = "IGNORE"; exec { $ARGV[0] } @ARGV' "$THIMBLE" "$@" > "$out" 2> "$err" < /dev/null; code=$?; }
if perl -e 'exit 0' 2> /dev/null; then
  printf '#error no\nbyte x;\nactive proctype P() { x = 1 }\n' > fails.pml
  childless check fails.pml
  exits 3 "SIGCHLD ignored: a preprocessor that fails"
  printf 'byte x;\nactive proctype P() { x = 1 }\n' > fine.pml
  mkdir one && cp fine.pml one
  childless bench one --time 20s --database x.db
  exits 0 "SIGCHLD ignored: a bench"
else skip "SIGCHLD ignored" "no perl"; fi
finish
