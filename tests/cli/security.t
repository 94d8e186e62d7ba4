#!/bin/sh
# security.t -- what a hostile model, trace, verdict or checkpoint must not do: read files that nobody named, hang on pipes, write elsewhere, run code (doc/security.md).
. tests/cli/lib.sh
secret='SECRET_of_somebody_else'
mkdir -p outside folder/deep
printf 'byte %s = 7;\n' "$secret" > outside/own.h
printf '%s is not Promela\n' "$secret" > outside/own.pml
printf 'active proctype P() { skip }\n' > outside/good.pml
ln -s ../outside/own.h folder/link.h
ln -s ../outside folder/way
printf 'byte x = 1;\n' > folder/in.h
printf '#include "deeper.h"\n#include "../in.h"\n' > folder/deep/first.h
printf 'byte y = 2;\n' > folder/deep/deeper.h
mkfifo folder/pipe.h
command -v cpp > /dev/null || { echo "1..0 # SKIP no C preprocessor"; exit 0; }

quick() { timeout 15 "$THIMBLE" "$@" > "$out" 2> "$err" < /dev/null; code=$?; }
hidden() { ! grep -q "$secret" "$out" "$err"; ok $? "$1: nothing of it is shown"; }

# ---- #include ----

model() { printf '%b\nactive proctype P() { skip }\n' "$1" > folder/model.pml; }
good() { # text, what
  model "$1"
  quick check folder/model.pml
  exits 0 "$2"
}
bad() { # text, what is told, what
  model "$1"
  quick check folder/model.pml
  exits 3 "$3"
  tells "$2" "$3: told"
  hidden "$3"
}
good '#include "in.h"' "a file beside the model"
good '#include <in.h>' "in angles"
good '#include "deep/first.h"' "from file to file, and up again within the folder"
good '#include "deep/../in.h"\n#ifdef NEVER\n#include "not-there.h"\n#endif' "what leads back, and what is not there and not wanted"
good '/* #include "../outside/own.h" */\n// #include "/etc/passwd"\nbyte s; /* " */' "comments include nothing"
good "#define S \"/*\"\n#include \"in.h\"\n#define T '\"'\n" "quotes are no comments"
outside='outside of the model'
bad '#define Z\n#include "../outside/own.h"' "model.pml:2:1: error: .*$outside" "up and away"
bad "#include \"$WORK/outside/own.h\"" "$outside" "from the root"
bad '#define Z\n#include </etc/passwd>' "$outside" "a file of the system in angles"
bad '#define Z\n#include "link.h"' "$outside" "a link to a file"
bad '#define Z\n#include "way/own.h"' "$outside" "a link to a folder"
bad '#define Z\n#include "pipe.h"' "no regular file" "a pipe"
bad '#define Z\n#include "/dev/zero"' "$outside" "a device"
bad '#define Z\n#include_next "../outside/own.h"' "$outside" "include_next"
bad '#import "../outside/own.h"' "$outside" "import"
bad '#embed "../outside/own.h"' "not read" "embed"
bad '#define F "../outside/own.h"\n#include F' "model.pml:2:1: error: .*in the line itself" "a name from a macro"
bad '#define Z\n /* */ # /* \n */ include /* */ "../outside/own.h"' "$outside" "comments around it"
bad '#define Z\n#inc\\\nlude "../outside/own.h"' "$outside" "a line in two pieces"
bad '#define Z\n%:include "../outside/own.h"' "$outside" "a digraph"
bad '\0357\0273\0277#include "../outside/own.h"' "$outside" "behind a mark of the order of bytes"
bad '#define Z\nR"("/*)"\n#include "../outside/own.h"\n/* */' "is no type" "a raw string that is none"
bad "'/*\n#include \"../outside/own.h\"\n/* */" "$outside" "a quote without an end"
bad '#if 0\n#include <a/*b>\n/*/\n#endif\n#include "../outside/own.h"\n/* */' 'characters that names' "a name that looks like a comment"
bad '/??/\n* \n#include "../outside/own.h"\n/* */' "$outside" "a trigraph that is none"
bad '#define Z\n// x \r #include "../outside/own.h"' "$outside" "an end of line of old"
printf '#include "../../outside/own.h"\n' > folder/deep/evil.h
bad '#define Z\n#include "deep/evil.h"' "folder/deep/evil.h:1:1: error: .*$outside" "in an included file"
model '#include "own.h"'
quick check folder/model.pml -I outside
exits 0 "-I allows a folder"
quick check folder/model.pml
exits 3 "which is needed"
CPATH=$WORK/outside quick check folder/model.pml
exits 3 "and not the environment's to give"
quick info folder/model.pml -I
exits 2 "-I needs a folder"
model '#include "in.h"'
printf 'byte other = 1;\n' > in.h
printf '#include "../in.h"\nbyte z = 3;\n' > outside/third.h
printf 'byte x = 1;\n' > outside/fourth.h
quick check folder/model.pml --invariant 'x == 1'
exits 0 "files are looked for beside the model, whatever the working directory has"
quick check folder/model.pml -I . --invariant 'x == 1'
exits 0 "also where that is allowed"
printf 'byte wrong = ;\n' > folder/broken.h
model '#include "broken.h"'
quick check folder/model.pml
exits 3 "an error in an included file"
tells 'folder/broken.h:1:14' "which is named as from the working directory"
model '#include "in.h"\n#include "fourth.h"'
sed -i 's/x/v/' outside/fourth.h
quick check folder/model.pml -I outside --invariant 'x == v'
exits 0 "-I from the working directory, the model in another one"
printf 'byte w = ;\n' > outside/fourth.h
quick check folder/model.pml -I outside
tells '^outside/fourth.h:1:10' "a file of such a folder is called by its name, and not from the root"
model '#include "third.h"'
quick check folder/model.pml -I outside
exits 3 "what an allowed file includes stays below the folders"
tells "$outside" "which is told"
rm in.h
DEPENDENCIES_OUTPUT=$WORK/written quick check folder/model.pml
[ ! -e written ]; ok $? "the environment writes no files through the preprocessor"

# ---- macros that grow ----

awk 'BEGIN { print "#define A0 1+1"; for (i = 1; i <= 40; i++) print "#define A" i " A" i - 1 "+A" i - 1; print "#if A40 == 3\n#endif\nactive proctype P() { skip }" }' > folder/grows.pml
timeout 60 "$THIMBLE" check folder/grows.pml > "$out" 2> "$err"; code=$?
exits 3 "macros that grow without a word being written"
tells 'the preprocessor (needs more than 512 MB|did not end within 20 seconds)' "which is told"
mkdir tools
printf '#!/bin/sh\nsleep 300 &\necho $! > "%s/helper"\nexec yes\n' "$WORK" > tools/cpp
chmod +x tools/cpp
model '#define X'
PATH=$WORK/tools:$PATH timeout 60 "$THIMBLE" check folder/model.pml > "$out" 2> "$err"; code=$?
exits 3 "a preprocessor that does not end"
tells 'grows beyond 64 MB' "is ended"
gone=1
for i in 1 2 3 4 5 6 7 8 9 10; do
  case $(ps -o stat= -p "$(cat helper)") in '' | Z*) gone=0; break ;; esac
  sleep 0.1
done
ok $gone "with what it has started"
[ $gone = 0 ] || kill "$(cat helper)"

# conditions go through the preprocessor, too
model '#define OK 1\nbyte x;'
quick check folder/model.pml --invariant 'x == 0 && OK
#include "../outside/own.h"
'
hidden "an invariant that includes"
# lines that say that they are of another file
for name in "$WORK/outside/own.h" "$WORK/outside/own.pml" ../outside/own.pml "$WORK/folder/pipe.h"; do
  printf '#line 1 "%s"\nthis is wrong\n' "$name" > folder/line.pml
  quick check folder/line.pml
  exits 3 "#line $(basename "$name")"
  hidden "#line $(basename "$name")"
done
printf '#define X\n#line 1 "%s"\nactive proctype P() { assert(0) }\n' "$WORK/outside/own.pml" > folder/places.pml
cd folder || exit 1
quick check places.pml --report ../report.html -o ../trace.json
cd ..
exits 1 "places in another file"
! grep -q "$secret" report.html; ok $? "the report does not carry it"
mv trace.json folder
cd folder || exit 1
quick report trace.json -o ../report2.html
cd ..
exits 0 "a report of the trace"
! grep -q "$secret" report2.html; ok $? "does not carry it either"

# ---- XML ----

for suffix in pnml cpn; do
  printf '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY e SYSTEM "file://%s">]>\n<pnml>&e;</pnml>\n' "$WORK/outside/own.h" > external.$suffix
  quick check external.$suffix
  exits 3 "$suffix: an external entity"
  hidden "$suffix: an external entity"
  printf '<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "file://%s">\n<pnml/>\n' "$WORK/folder/pipe.h" > doctype.$suffix
  quick check doctype.$suffix
  exits 3 "$suffix: an external DTD is not read"
  { printf '<!DOCTYPE a [<!ENTITY a0 "lol">'
    for i in 1 2 3 4 5 6 7 8 9; do printf '<!ENTITY a%d "' $i; for k in 1 2 3 4 5 6 7 8 9 0; do printf '&a%d;' $((i - 1)); done; printf '">'; done
    printf ']><pnml>&a9;</pnml>'; } > laughs.$suffix
  quick check laughs.$suffix
  exits 3 "$suffix: entities that multiply"
done
quick explore "$MODELS/mutex.pnml" --picture laughs.pnml
exits 3 "a picture with entities"

# ---- CPN ML ----

printf 'fun twice %s = %s + %s;\n' $secret $secret $secret > outside/own.sml
printf 'fun twice x = x + x;\n' > folder/own.sml
printf 'use "../outside/own.sml";\n' > folder/away.sml
printf 'use "around.sml";\nuse "deep/own.sml";\n' > folder/around.sml
printf 'use "around.sml";\n fun twice x = x + x;\n' > folder/deep/own.sml
ln -s ../outside/own.sml folder/link.sml
mkfifo folder/pipe.sml
used() { # line, exit, what is told, what
  printf 'declare\n  colset INT = int;\n  %b\n  var n : INT;\npage Top\n  place A : INT\n    initial 1`1\n  transition T\n    guard n < 3\n    take A : n\n    give A : twice n\n' "$1" > folder/use.cpnt
  quick check folder/use.cpnt --no-deadlock -o /dev/null $5
  exits "$2" "use: $4"
  [ -z "$3" ] || tells "$3" "use: $4: told"
  hidden "use: $4"
}
used 'use "own.sml";' 0 '' "a file beside the model"
used 'use "around.sml"' 0 '' "files that use each other"
used '(* use "own.sml"; *)' 3 'the name twice is not known' "a remark"
used "use \"$WORK/outside/own.sml\";" 3 "the name twice is not known" "from the root"
used 'use "../outside/own.sml";' 3 "the name twice is not known" "up and away"
used 'use "link.sml";' 3 "the name twice is not known" "a link"
used 'use "way/own.sml";' 3 "the name twice is not known" "a link to a folder"
used 'use "pipe.sml";' 3 "the name twice is not known" "a pipe"
used 'use "/dev/zero";' 3 "the name twice is not known" "a device"
used 'use "away.sml";' 3 "the name twice is not known" "by way of another file"
used 'use "own.sml"; fun thrice x = x;' 3 "the name twice is not known" "something else on its line"
used 'fun twice x = x + x; use "../outside/own.sml";' 0 'use stands on a line by itself' "behind something else"
used 'fun twice x = x + x;\n  use "../outside/own.sml";' 0 'folder/use.cpnt:4:3: warning: use "../outside/own.sml" is left out: it lies outside of the model.s folder' "where nobody needs it"
used 'fun twice x = x + x;\n  use "pipe.sml";' 0 'use "pipe.sml" is left out: it is no regular file' "a pipe that nobody needs"
allowed=$secret secret=nothing
used 'use "../outside/own.sml";' 0 '' "a folder that the user allows" "-I outside"
secret=$allowed

# ---- traces ----

quick check folder/places.pml -o trace.json
sed "s|\"model\": \"[^\"]*\"|\"model\": \"$WORK/outside/own.pml\"|; s|\"file\": \"[^\"]*\"|\"file\": \"$WORK/outside/own.pml\"|" trace.json > folder/hostile.json
(cd folder && timeout 15 "$THIMBLE" report hostile.json -o ../report3.html) > "$out" 2> "$err"; code=$?
exits 0 "a report of a trace that names files elsewhere"
! grep -q "$secret" report3.html; ok $? "does not carry them"
for format in text json itf msc svg mermaid; do
  quick trace folder/hostile.json --format $format
  hidden "trace --format $format"
done
quick simulate folder/places.pml --replay folder/hostile.json
hidden "simulate --replay"
mkdir elsewhere
printf '../../escaped' > 'elsewhere/..%2fx.net'
printf 'place p = 1\ntransition t: p -> p\n' > 'folder/.. .net'
(cd elsewhere && timeout 15 "$THIMBLE" check '../folder/.. .net' --invariant 'p == 0' > "$out" 2> "$err")
same "$(ls elsewhere/.. | grep -c 'trace.json$')" "$(ls . | grep -c 'trace.json$')" "names of traces stay in the working directory"

# ---- files that are waited for ----

mkdir waits
cp "$MODELS/philosophers.net" waits
echo precious > precious
(cd waits && ln -s ../precious philosophers.trace.json && timeout 15 "$THIMBLE" check -q philosophers.net > "$out" 2> "$err")
same "$(cat precious)" precious "a link where the trace goes by itself is not followed"
[ ! -L waits/philosophers.trace.json ] && grep -q 'thimble.trace/1' waits/philosophers.trace.json; ok $? "the trace stands in its place"
rm waits/philosophers.trace.json
(cd waits && mkfifo philosophers.trace.json && timeout 15 "$THIMBLE" check -q philosophers.net > "$out" 2> "$err"; echo $? > ../code)
same "$(cat code)" 1 "nor is a pipe written to, which nobody reads"
printf 'des (0, 2, 3)\n(0, "a", 1)\n(0, "env_b", 2)\n' > waits/runner.aut
(cd waits && ln -s ../precious runner.strategy.json && timeout 15 "$THIMBLE" check -q runner.aut --no-deadlock --strategy 'reach state == 1' > "$out" 2> "$err")
grep -q '"winner"' waits/runner.strategy.json; ok $? "a strategy"
same "$(cat precious)" precious "goes beside such a link, too"
ln -s precious named.json
quick check -q "$MODELS/philosophers.net" -o named.json
[ -L named.json ] && grep -q 'thimble.trace/1' precious; ok $? "a link that the command line names is followed"

# ---- the terminal ----

acts=$(printf '[\001-\010\013-\037\177]|\302[\200-\237]|\342\200[\216\217\250-\256]')
still() { LC_ALL=C grep -Eqa "$acts" "$out" "$err"; [ $? = 1 ]; ok $? "$1: nothing that commands a terminal"; }
name=$(printf 'A\302\23331m\342\200\256&#13;B')
cat > acting.pnml <<N
<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="p"><name><text>${name}p</text></name><initialMarking><text>2147483647</text></initialMarking></place>
<place id="q"><name><text>${name}q</text></name><initialMarking><text>2147483647</text></initialMarking></place>
<transition id="t"><name><text>${name}t</text></name></transition><arc id="a" source="q" target="t"/><arc id="b" source="t" target="p"/>
</page></net></pnml>
N
quick check acting.pnml
exits 3 "too many tokens in a place with an odd name"
still "an error about it"
quick check acting.pnml --json
still "the same in JSON"
sed 's/2147483647/2/' acting.pnml > acting2.pnml
quick check acting2.pnml -o acting.json --json
exits 1 "odd names in a verdict"
still "which is JSON"
for format in text json itf msc svg mermaid; do
  quick trace acting.json --format $format
  still "trace --format $format"
done
quick info --progress acting2.pnml
says 'found: .*31m' "a measure that was found"
still "info --progress"
quick graph acting2.pnml -f json
still "a graph"
quick check "$MODELS/philosophers.net" --json -o t.json
sed 's|"trace": "t.json"|"trace": "\\u001b[31m\\u009b\\u202e\\r.json"|' "$out" > acting3.json
quick report acting3.json -o acting.html
exits 0 "a verdict that names a trace oddly"
tells 'was not found beside it' "which is told"
still "the note"

name=$(printf 't\302\23331m\342\200\256')
cat > acting.cpnt <<N
net n
declare
  colset U = unit;
page P
  place p : U
    initial ()
  transition "$name\\r"
    code action print "x"
    take p : ()
    give p : ()
N
quick check acting.cpnt
tells 'warning: .*31m' "a warning about a transition with an odd name"
still "the warning"
printf '<svg xmlns="http://www.w3.org/2000/svg"><g data-thimble-show="%s"/><g data-thimble-click="%s"/></svg>' "$name" "$name" > acting.svg
timeout 1 "$THIMBLE" explore "$MODELS/mutex.pnml" --picture acting.svg > "$out" 2> "$err"
tells 'acting.svg:1: warning: no transition is called t' "a picture that speaks of odd names"
still "what is told of it"

# ---- checkpoints ----

cat > small.net <<N
place a = 3
place b = 0
transition t: a -> b
transition u: b -> a
N
mkdir -p there/xx
cp small.net there/xx/m.net
quick check --no-deadlock --max-states 2 --checkpoint c.ckpt there/xx/m.net
if [ -e c.ckpt ]; then
  rm there/xx/m.net
  mkfifo there/xx/m.net
  quick resume c.ckpt
  exits 3 "a checkpoint whose model is a pipe"
  tells 'no regular file' "which is told, and nobody waits"
else
  skip "a checkpoint whose model is a pipe" "no checkpoint"
  skip "which is told" "no checkpoint"
fi
echo precious > precious
ln -s precious d.ckpt.new
quick check --no-deadlock --max-states 2 --checkpoint d.ckpt small.net
same "$(cat precious)" precious "a checkpoint does not follow a link that waits for it"
[ "$code" = 74 ] || [ "$code" = 3 ]; ok $? "and says so"

# ---- C ----

printf 'active proctype P() { c_code { system("touch ran"); } }\n' > code.pml
quick check code.pml
exits 3 "C in a model"
[ ! -e ran ]; ok $? "does not run"
printf 'byte x; /* */\nactive proctype P() { printf("\\");system(\\"touch ran\\");(\\""); x = 1 }\nltl p { <> (x == 1) }\n' > text.pml
XDG_CACHE_HOME=$WORK/cache quick check text.pml --engine compiled
[ ! -e ran ]; ok $? "nor does text that looks like it in generated code"
printf 'mtype = { system, exit, abort };\nbyte int_, main, thimble_code;\nactive proctype P() { main = exit; thimble_code = 1; assert(main == exit) }\n' > names.pml
XDG_CACHE_HOME=$WORK/cache quick check names.pml --engine compiled --json
exits 0 "names of C are names like others"

finish
