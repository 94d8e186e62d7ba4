#!/bin/sh
# bench.t -- thimble bench: a small suite from end to end, known values, limits, other programs, resuming, damage, comparison, pictures.
. tests/cli/lib.sh
export XDG_DATA_HOME="$WORK/data" TMPDIR="$WORK/tmp"
mkdir -p "$TMPDIR"
unset THIMBLE_CORPUS

# ---- a suite ----
cat > small.toml <<END
title = "Small"
repetitions = 2
time = "60s"
baseline = "plain"
columns = ["states", "time", "memory%", "paper.states", "sweep.peak_states"]
[options]
no-deadlock = true
[[way]]
name = "plain"
options = { store = "plain" }
[[way]]
name = "lossy"
options = { store = "bitstate", lossy = true }
compare = "at most"
[[way]]
name = "sweep"
options = { search = "sweep" }
compare = "at least"
[[model]]
name = "database-5"
family = "database"
size = 5
generate = ["$ROOT/tools/gen-net", "database", "5"]
expect = { verdict = "holds", states = 407, transitions = 1091 }
[model.task]
plain = { paper = { states = 408 } }
[[model]]
name = "database-6"
family = "database"
size = 6
generate = ["$ROOT/tools/gen-net", "database", "6"]
expect = { states = 1460, transitions = 4873, deadlocks = 0 }
[[model]]
file = "corpus:not/there.net"
[[bar]]
figure = "states"
way = "sweep"
against = "plain"
at_least = 1
END
run bench small.toml --dry-run
exits 0 "a dry run"
says "^database-5  lossy: .*check --json .* --store=bitstate --lossy database-5" "tells the command lines"
[ ! -e "$XDG_DATA_HOME/thimble/thimble.db" ]; ok $? "and keeps nothing"
run bench small.toml --label first
exits 0 "a small suite"
says '^database-5 +plain +407 .* 100 % +408' "the table has states, shares and what the paper says"
says '^there.net +plain .* absent: .*cannot be read' "a model of the corpus that is not there is skipped"
says 'states of sweep / plain +[0-9.]+ +at least 1 +reached' "the bar"
tells 'skipped: there.net' "and that is told"
[ -s "$XDG_DATA_HOME/thimble/thimble.db" ]; ok $? "results are below XDG_DATA_HOME"
[ -z "$(ls "$TMPDIR")" ]; ok $? "the scratch folder is gone"
run bench list
says '^1 +small +first +[0-9.]+ \([0-9a-f]{8}\)' "list"
run bench list --json
exits 2 "list has one form"
tells 'bench list knows no --json' "which is told"
run bench compare 1 1 --csv
exits 2 "compare has two"
run bench show last --json
exits 0 "show --json"
says '"schema": "thimble.bench/1"' "one object"
python3 - "$out" > /dev/null 2>&1 <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
t = {(x["model"], x["way"]): x for x in r["tasks"]}
a = t["database-6", "plain"]["results"]
assert len(a) == 2 and a[0]["states"] == 1460 and a[0]["rss_bytes"] > 1000000 and a[1]["repetition"] == 2
assert r["machine"]["cores"] > 0 and r["machine"]["cpu"] and r["version"] and r["finished"]
END
ok $? "with every result, the machine and the version"
run bench show first --csv
same "$(grep -c '^1,small' "$out")" 15 "csv: a line for each repetition; what is absent has one"
run bench show small --markdown
says '^\| database-5 \| plain \| 407 \|' "Markdown"
run bench show 99
exits 2 "no such run"
run bench show nobody
tells 'there is no run' "by name neither"

# ---- known values ----
sed 's/states = 1460/states = 1461/' small.toml > wrong.toml
run bench wrong.toml
exits 1 "a wrong number of states"
tells 'wrong: database-6 +plain: states: 1460, not 1461' "is told"
tells '^1 wrong, 0 failed' "and counted"
sed 's/states = 1460/states = 1459/' small.toml > wrong.toml
run bench wrong.toml -r 1
tells 'wrong: database-6 +lossy: states: 1460, more than 1459' "also where it is a bound"
sed 's/verdict = "holds"/verdict = "violated"/' small.toml > verdict.toml
run bench verdict.toml --only plain -r 1 -q
exits 1 "a wrong verdict"
tells 'verdict is holds, not violated' "is told"
sed 's/at_least = 1/at_least = 5/' small.toml > bar.toml
run bench bar.toml -r 1
exits 1 "a missed bar"
says 'MISSED' "is told"
printf 'time = "300ms"\nrepetitions = 3\n[[model]]\nname = "kanban"\ngenerate = ["%s/tools/gen-net", "kanban", "7"]\n' "$ROOT" > slow.toml
run bench slow.toml
exits 4 "a limit of time"
tells 'time: kanban +thimble: the time was over' "is told, once"
run bench show last --csv
same "$(grep -c ',kanban,' "$out")" 1 "and what reached a limit is not repeated"
if [ "${CONFIG:-release}" = release ]; then
  sed 's/time = "300ms"/memory = "30M"\n[options]\nmemory = "2G"\nstore = "plain"/' slow.toml > large.toml
  sed -i '/repetitions/d' large.toml
  run bench large.toml
  exits 4 "a limit of memory"
  tells 'memory: kanban +thimble: the memory was used up' "is told"
else skip "a limit of memory" "release builds only"; skip "is told" "release builds only"; fi
mkdir folder; cp "$MODELS/philosophers.net" "$MODELS/producer-consumer.net" folder/; echo x > folder/notes.txt
run bench folder
exits 0 "a folder"
says '^philosophers.net +thimble' "has its models"
silent 'notes' "and nothing else"

# ---- mistakes ----
printf '[[model]]\nfile = "x.net"\noptoins = 3\n' > bad.toml
run bench bad.toml
exits 3 "a mistake in a suite"
tells 'bad.toml:3:1:.*no key' "has its place"
tells 'options' "and a hint"
printf '[[model]]\nfile = "x.net"\n[options]\nstroe = "plain"\n' > bad.toml
run bench bad.toml
tells 'bad.toml:4:1:.*no option --stroe' "an unknown option"
tells 'did you mean store' "with the one that was meant"
printf '[[model]]\nfile = "missing.net"\n' > bad.toml
run bench bad.toml
exits 1 "a model that is not there"
tells 'failed: missing.net .*No such file' "fails"
printf '[[model]]\nfile = "broken.net"\n' > bad.toml; echo 'place' > broken.net
run bench bad.toml
exits 1 "a model with a mistake"
tells 'failed: broken.net' "fails, with its message"
run bench
exits 2 "no suite"
run bench compare 1 2 3
exits 2 "too much"
run bench nowhere.toml
exits 3 "no such suite"

# ---- other programs ----
cat > fake <<'END'
#!/bin/sh
# a model checker that believes what it is told: fake MODEL SECONDS
echo "12 states so far"; echo "explored 1,234 states in $2 seconds, 5 MB"
END
chmod +x fake
cat > peers.toml <<END
repetitions = 1
columns = ["states", "search", "search%", "held", "extra"]
[[tool]]
name = "fake"
version = ["sh", "-c", "echo fake 1.0"]
prepare = [["sh", "-c", "echo \$0 > made", "{name}"]]
command = ["sh", "-c", "cat made; $WORK/fake \$0 {time}; echo {{x}}", "{model}"]
set = { time = 7 }
find = { states = '([0-9,]+) states', seconds = 'in ([0-9.]+) seconds', held = { match = '([0-9]+) MB', scale = 1048576 }, extra = '([0-9]+) MB' }
verdict = { holds = 'explored' }
[[tool]]
name = "absent"
command = ["no-such-program-anywhere", "{model}"]
[[tool]]
name = "mute"
command = ["true"]
find = { states = '([0-9]+) states' }
[[way]]
name = "quick"
tool = "fake"
set = { time = 2 }
compare = "all"
[[way]]
name = "slow"
tool = "fake"
[[way]]
name = "nobody"
tool = "absent"
[[model]]
file = "$MODELS/philosophers.net"
expect = { states = 1234, transitions = 5, verdict = "holds" }
END
run bench peers.toml
exits 0 "programs by template"
says '^philosophers.net +quick +1,234 +2.000 s +100 % +5 MB +5' "figures are found, scaled and set"
says '^philosophers.net +slow +1,234 +7.000 s +350 %' "ratios to the first"
tells 'skipped: .*nobody: absent is not installed' "a missing program is told"
run bench show --json
says '"tool_version": "fake 1.0"' "the version is kept"
printf '[[way]]\nname = "mute"\ntool = "mute"\n' >> peers.toml
run bench peers.toml
exits 1 "a program that says nothing"
tells 'failed: .*mute: exit code 0, and nothing that was looked for' "has failed"
sed -i 's/{time}/{tiem}/' peers.toml
run bench peers.toml
tells '\{tiem\} has no value' "a name without a value"

# ---- what did not get through is never fast ----
cat > ends.toml <<END
repetitions = 2
time = "2s"
[[tool]]
name = "usual"
command = ["sh", "-c", "sleep 0.1; echo 1000 states; echo done"]
find = { states = '([0-9]+) states' }
verdict = { holds = 'done' }
[[tool]]
name = "broken"
command = ["sh", "-c", "echo 100 states so far; echo out of memory; exit 1"]
find = { states = '([0-9]+) states' }
verdict = { holds = 'done' }
[[tool]]
name = "fails"
command = ["sh", "-c", "echo 1000 states; echo 1 error; exit 1"]
find = { states = '([0-9]+) states' }
verdict = { violated = '1 error' }
[[way]]
name = "usual"
tool = "usual"
[[way]]
name = "broken"
tool = "broken"
[[way]]
name = "fails"
tool = "fails"
[[model]]
file = "$MODELS/weights.net"
[[bar]]
figure = "time"
way = "broken"
against = "usual"
at_most = 0.5
END
run bench ends.toml --database e.db
exits 1 "a program that ends with an error"
tells 'failed: weights.net +broken: exit code 1, and no verdict: .*' "has failed, whatever figures it told on its way"
says '^time of broken / usual +at most 0.5 +not judged' "and is not judged by them"
says '^weights.net +fails +1,000' "one that tells a verdict has not"
cat > once <<'END'
#!/bin/sh
# at once, but for the second time with the model that is named: once MODEL SLOW
case $1 in *$2*) [ ! -e "$PWD/again" ] || sleep 9; : > "$PWD/again";; esac
echo "10 states"
END
chmod +x once
for slow in nothing weights; do
  cat > once.toml <<END
name = "once"
repetitions = 2
time = "1s"
[[tool]]
name = "usual"
command = ["sh", "-c", "sleep 0.1; echo 10 states"]
find = { states = '([0-9]+) states' }
[[tool]]
name = "once"
command = ["$WORK/once", "{model}", "$slow"]
find = { states = '([0-9]+) states' }
[[way]]
name = "usual"
tool = "usual"
[[way]]
name = "once"
tool = "once"
[[model]]
file = "$MODELS/weights.net"
[[model]]
file = "$MODELS/philosophers.net"
[[bar]]
figure = "time"
way = "once"
against = "usual"
at_most = 0.9
END
  run bench once.toml --database o.db
  [ $slow = nothing ] && says '^time of once / usual .* reached$' "a bar over all models"
done
exits 4 "a program that was stopped the second time"
says '^time of once / usual .* reached by 1 of 2 models$' "is not judged by the first"
run bench compare last~1 last --database o.db
says '^weights.net +once .* time$' "and compare says that it was stopped"

# ---- killed and gone on with ----
cat > slowly <<'END'
#!/bin/sh
echo x >> "$1/calls"; sleep 0.2; echo "10 states"
END
chmod +x slowly
cat > resume.toml <<END
repetitions = 3
[[tool]]
name = "slowly"
command = ["$WORK/slowly", "$WORK"]
find = { states = '([0-9]+) states' }
[[way]]
name = "a"
tool = "slowly"
[[way]]
name = "b"
tool = "slowly"
[[model]]
file = "$MODELS/philosophers.net"
[[model]]
file = "$MODELS/weights.net"
END
"$THIMBLE" bench resume.toml --database r.db > /dev/null 2>&1 &
pid=$!
touch calls
while [ "$(wc -l < calls)" -lt 5 ]; do sleep 0.05; done
kill -9 $pid; wait $pid 2> /dev/null
run bench list --database r.db
says '^1 +resume .* [45] of 12' "a bench that was killed has kept what it had"
run bench resume.toml --database r.db
exits 0 "the same command"
tells 'run 1 goes on: [45] of 12' "goes on"
calls=$(wc -l < calls)
[ "$calls" -ge 12 ] && [ "$calls" -le 13 ]; ok $? "and repeats at most what was under way ($calls calls)"
run bench list --database r.db
same "$(grep -c resume "$out")" 1 "it is still one run"
silent ' of 12' "and finished"
rm -f calls
"$THIMBLE" bench resume.toml --database r.db > "$out" 2> "$err" &
pid=$!
touch calls
while [ "$(wc -l < calls)" -lt 3 ]; do sleep 0.05; done
kill -INT $pid; wait $pid; code=$?
exits 130 "Ctrl-C"
tells 'goes on with run 2' "says how to go on"
run bench resume.toml --database r.db --fresh --only 'philosophers.* a' -r 1
run bench list --database r.db
says '^3 +resume' "--fresh begins anew"
run bench remove 3 --database r.db
run bench list --database r.db
silent '^3 ' "a run can be removed"

# ---- damage ----
head -c 3000 /dev/urandom > noise.db
run bench list --database noise.db
exits 74 "a file that is no database"
tells 'no database of results' "is told"
cp r.db torn.db; dd if=/dev/zero of=torn.db bs=512 seek=8 count=40 conv=notrunc 2> /dev/null
run bench show --database torn.db
exits 74 "a damaged database"
tells 'damaged|no database' "is told"
run bench list --database none.db
exits 74 "no database"
tells 'no results yet' "is told"
[ ! -e none.db ]; ok $? "and none is made"

# ---- comparison: what is planted, and noise ----
cat > clockwork <<'END'
#!/bin/sh
# times with noise of up to 6 per cent, from a list: clockwork FACTOR TASK
n=$(cat "$PWD/n" 2> /dev/null || echo 0); echo $((n + 1)) > "$PWD/n"
awk -v f="$1" -v t="$2" -v n="$n" 'BEGIN { x = (t * 7919 + n * 104729 + int(f * 1000) * 31 + 17) % 2147483647; for (i = 0; i < 5; i++) x = x * 16807 % 2147483647; printf "10 states, %.6f s\n", t * f * (0.97 + 0.06 * x / 2147483647) }'
END
chmod +x clockwork
for factor in 1.0 1.001 1.2; do
  { printf 'name = "clock"\nrepetitions = 7\nclock = "search"\n[[tool]]\nname = "clock"\ncommand = ["%s/clockwork", "%s", "{task}"]\nfind = { states = "([0-9]+) states", seconds = ", ([0-9.]+) s" }\n' "$WORK" $factor
    for task in 1 2 3 4 5 6; do printf '[[way]]\nname = "task %s"\ntool = "clock"\nset = { task = %s }\n' $task $task; done
    printf '[[model]]\nfile = "%s/weights.net"\n' "$MODELS"; } > clock.toml
  run bench clock.toml --database c.db --label "times $factor"
done
run bench compare 1 2 --database c.db
exits 0 "noise"
says '^6 tasks: 0 faster, 0 slower' "is no change"
says 'time of all tasks: .*: same' "of the whole neither"
run bench compare "times 1.0" "times 1.2" --database c.db
says '^6 tasks: 0 faster, 6 slower' "a fifth slower is found in every task"
says 'time of all tasks: 1\.[12][0-9]* times \(p = 0.0001\): slower' "and in all"
run bench compare last "times 1.0" --database c.db --json
says '"faster": 6' "and the other way round, as JSON"
run bench compare last~2 last --database c.db
says '6 slower' "by last and last~2"
sed 's/repetitions = 7/repetitions = 2/' clock.toml > few.toml
run bench few.toml --database f.db
run bench few.toml --database f.db
run bench compare --database f.db
says '^\?: with so few repetitions' "too few repetitions are no answer"

# ---- pictures ----
run bench plot first -o page.html
exits 0 "a page"
xml() { python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" > "$out" 2> "$err"; }
for which in relative memory scaling; do
  run bench plot first --plot $which -o $which.svg
  exits 0 "$which"
  xml $which.svg; ok $? "is XML"
done
sed '1d' page.html > page.xml; xml page.xml; ok $? "so is the page, but for its first line"
grep -q 'http' page.html && ! grep 'http' page.html | grep -qv 'www.w3.org/2000/svg'; ok $? "which asks nobody for anything"
run bench plot slow
exits 0 "a run without results still makes a page"
run bench plot slow --plot relative
exits 2 "and no picture of nothing"

# ---- verdicts where counts are only bounds ----
printf 'byte x;\nactive proctype P() { x = 1; assert(x == 0) }\n' > broken.pml
printf 'byte x;\nactive proctype P() { x = 1; assert(x == 1) }\n' > whole.pml
cat > verdicts.toml <<END
[[way]]
name = "lossy"
options = { store = "bitstate", lossy = true }
compare = "at most"
[[way]]
name = "sweep"
options = { search = "sweep" }
compare = "at least"
[[model]]
name = "right"
file = "whole.pml"
expect = { verdict = "holds" }
[[model]]
name = "missed"
file = "whole.pml"
expect = { verdict = "violated" }
[[model]]
name = "invented"
file = "broken.pml"
expect = { verdict = "holds" }
END
run bench verdicts.toml
exits 1 "a violation where there should be none, or none where there should be one"
tells '^3 wrong, 0 failed' "is wrong, unless a lossy store has missed it"
tells 'wrong: invented .*lossy: verdict is violated, not holds' "a lossy store cannot invent one"
tells 'wrong: missed .*sweep: verdict is holds, not violated' "and a sweep cannot miss one"
finish
