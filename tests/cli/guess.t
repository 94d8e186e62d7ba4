#!/bin/sh
# guess.t -- the language is told from the text where the suffix says nothing, or where the text surely is in another one; the verdict says so. XML of other kinds is told as such.
. tests/cli/lib.sh
# FILE NAME LANGUAGE: a copy under that name is read as that language, which is a guess
guessed() {
  cp "$ROOT/$1" "$2"
  run info --json "$2"
  grep -q "\"language\": \"$3\", \"language_guessed\": true" "$out"
  ok $? "$1 as $2 is $3"
}
guessed tests/models/peek.pml model.prm promela
guessed tests/models/peek.pml model promela
guessed tests/models/peek.pml model.net promela
guessed tests/models/peek.pml model.p promela
guessed tests/models/heap.pmp heap.txt prom+
guessed examples/mutex.pnml model.xml pnml
guessed examples/mutex.pnml model.cpn pnml
guessed examples/mutex.pnml mutex.pml pnml
guessed examples/peterson.dve peterson.txt dve
guessed examples/peterson.dve peterson.pml dve
guessed examples/crossing.net crossing.txt net
guessed examples/resources.cpnt resources.txt cpnt
guessed examples/graph.aut graph.txt aut
cp "$ROOT/tests/models/peek.pml" right.pml
run info --json right.pml
grep -q '"language": "promela", "language_guessed": false' "$out"
ok $? 'a suffix that is right is no guess'
cp "$ROOT/tests/models/peek.pml" model.sumo
run check model.sumo -o /dev/null
says '^[a-z]*: model.sumo \(read as promela, told from its text\)' 'the verdict says which language was taken'
tells 'model.sumo: warning: read as promela, which is told from its text; --language NAME takes another' 'and so does a warning, with what to do'
run check --json -q model.sumo -o /dev/null
says '"language": "promela", "language_guessed": true' 'and the JSON'
run check --json -q --language promela model.sumo -o /dev/null
says '"language": "promela", "language_guessed": false' 'a language that was given is none'
printf '/* proctype P( */ // init {\n#define x proctype\nbyte x;\n"init {"\n' > words.txt
run check words.txt
exits 2 'words in comments, directives and strings tell nothing'
tells 'cannot be told, neither from its suffix .* nor from what it says' 'which is said'
printf '<?xml version="1.0"?>\n<!-- <pnml> -->\n<!DOCTYPE nta>\n<nta><declaration/></nta>\n' > uppaal.xml
run check uppaal.xml
exits 2 'XML of another kind'
tells '"uppaal.xml" is XML, but neither PNML nor a net of CPN Tools: its first element is <nta>' 'is told as such'
cp uppaal.xml page.pml
run check page.pml
tells '"page.pml" is XML, but neither PNML' 'whatever its suffix'
printf '<x:pnml xmlns:x="http://www.pnml.org/version-2009/grammar/pnml"/>\n' > prefix.xml
run check prefix.xml
silent 'neither PNML' 'an element with a prefix'
: > empty
run check empty
exits 2 'an empty file'
{ cat "$ROOT/tests/models/peek.pml"; printf '\0'; } > program
run check program
exits 2 'a program that has a model in it is none'
tells 'cannot be told' 'is told as such'
for model in tests/models/peek.pml examples/mutex.pnml examples/philosophers.net; do
  "$THIMBLE" check --json --quiet - < "$ROOT/$model" > "$out" 2> "$err"
  says '"language_guessed": true' "$model from standard input"
done
printf 'nothing of the kind\n' | "$THIMBLE" check - > "$out" 2> "$err"; code=$?
exits 2 'standard input that says nothing'
finish
