#!/bin/sh
# report.t -- thimble report and check --report, --junit, --sarif: what they write, and what they refuse.  tests/web drives the page itself.
. tests/cli/lib.sh

# The data of a page as JSON, as a browser would read it.
cat > data.py <<'P'
import json, re, sys
page = open(sys.argv[1], encoding='utf-8').read()
text = re.search(r'<script type="application/json" id="thimble-data">(.*?)</script>', page, re.S).group(1)
assert '<' not in text, 'a < in the data'
d = json.loads(text)
print(eval(sys.argv[2]))
P
data() { python3 data.py "$1" "$2" 2>> "$err"; }
have_python=1; command -v python3 > /dev/null 2>&1 || have_python=0
[ $have_python = 1 ] || { echo "1..0 # SKIP there is no python3"; exit 0; }

cp "$MODELS/exchange.pml" .

# ---- from a run ----------------------------------------------------------------------------
run check exchange.pml --report r.html
exits 1 "check --report leaves the exit code"
says 'assert:21 +violated' "and the verdict"
same "$(data r.html 'd["schema"]')" thimble.report/1 "the report's schema"
same "$(data r.html 'd["title"]')" exchange.pml "its title"
same "$(data r.html 'd["verdict"]["verdict"]')" violated "the verdict is in it"
same "$(data r.html '[t["property"] for t in d["traces"]]')" "['assert:21']" "and the trace"
same "$(data r.html 'len(d["traces"][0]["trace"]["path"])')" 6 "with its steps"
same "$(data r.html '[l["name"] for l in d["traces"][0]["chart"]["lifelines"]]')" "['master[0]', 'worker[1]']" "and its chart"
same "$(data r.html 'd["sources"][0]["text"] == open("exchange.pml").read()')" True "the text of the model"
same "$(data r.html 'd["notes"]')" "[]" "nothing is missing"
grep -q "Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[A-Za-z0-9+/=]*'; img-src data:; base-uri 'none'; form-action 'none'\"" r.html
ok $? "the policy allows nothing from anywhere"
grep -q '<!--policy\|<!--data' r.html; [ $? = 1 ]; ok $? "no mark is left"
cat > hash.py <<'P'
import base64, hashlib, re
page = open('r.html', encoding='utf-8').read()
script = re.search(r'<script>(.*?)</script>', page, re.S).group(1)
print(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in page)
P
same "$(python3 hash.py)" True "the policy's hash is that of the script"
size=$(wc -c < r.html); text=$(python3 -c "
import re; page = open('r.html', encoding='utf-8').read()
print(len(re.sub(r'(id=\"thimble-data\">).*?(</script>)', r'\1\2', page, flags=re.S).encode()))")
[ "$text" -le 150000 ]; ok $? "at most 150,000 bytes without data"

cat > schema.py <<'P'
import json, sys
schema = json.load(open(sys.argv[1]))
def valid(s, v, where):
    kinds = {'object': dict, 'array': list, 'string': str, 'integer': int, 'number': (int, float), 'boolean': bool, 'null': type(None)}
    t = s.get('type', [])
    if t: assert any(isinstance(v, kinds[k]) for k in ([t] if isinstance(t, str) else t)), where
    if 'const' in s: assert v == s['const'], where
    if isinstance(v, dict):
        for k in s.get('required', []): assert k in v, (where, k)
        for k, x in v.items():
            assert k in s.get('properties', {}) or s.get('additionalProperties', True), (where, k)
            if k in s.get('properties', {}): valid(s['properties'][k], x, where + '.' + k)
    if isinstance(v, list) and 'items' in s:
        for x in v: valid(s['items'], x, where + '[]')
valid(schema, json.loads(sys.stdin.read()), '')
print('valid')
P
same "$(data r.html 'json.dumps(d)' | python3 schema.py "$ROOT/doc/formats/report.schema.json" 2>> "$err")" valid "the data follows report.schema.json"
same "$(data r.html 'json.dumps(d["traces"][0]["trace"])' | python3 schema.py "$ROOT/doc/formats/trace.schema.json" 2>> "$err")" valid "its trace is one"

# ---- recording ------------------------------------------------------------------------------
run check exchange.pml --json
says '"coverage": null' "no coverage where nobody asks for it"
python3 - "$out" <<'P' > facts
import json, sys
d = json.load(open(sys.argv[1])); t = d['timeline']
print(sorted(t), len({len(c) for c in t.values()}), t['states'][-1] == d['states'], t['transitions'][-1] == d['transitions'])
P
same "$(cat facts)" "['depth', 'frontier', 'memory_bytes', 'search', 'seconds', 'states', 'transitions'] 1 True True" "a timeline, whose last sample is the end"
run check exchange.pml --json --stats --continue
python3 - "$out" <<'P' > facts
import json, sys
d = json.load(open(sys.argv[1])); rows = {s['transition']: s for s in d['coverage']['statements']}
print(d['coverage']['complete'], rows['worker k = n']['taken'] > 0, rows['worker printf("x is %d, %e %c\\n",x,ack,65+x)']['role'], rows['master run worker(3)']['line'])
print(sum(s['taken'] for s in rows.values()) == d['transitions'])
P
same "$(cat facts)" "True True part 18
True" "coverage: by statement, parts of steps, places; it counts every transition"
cat > dead.pml <<'P'
byte x;
proctype Never() { x = 7 }
active proctype P() {
  if
  :: x == 0 -> x = 1
  :: x == 5 -> x = 2
  fi
}
P
never() { python3 -c "
import json, sys
d = json.load(open('$out')); print(d['coverage']['complete'], sorted((s['line'], s['role']) for s in d['coverage']['statements'] if s['taken'] == 0 and s['role'] != 'part'))"; }
run check dead.pml --json --stats
same "$(never)" "True [(2, 'absent'), (2, 'absent'), (6, 'first'), (6, 'first')]" "never executed statements"
run check dead.pml --json --stats -p ltl:1 --ltl '<> [] (x != 9)'
same "$(never)" "False [(2, 'absent'), (2, 'absent'), (6, 'first'), (6, 'first')]" "also by the search of a temporal property, which proves less"
python3 -c "
import json
d = json.load(open('$out')); print(max(d['timeline']['states']) > 0)" > facts
same "$(cat facts)" True "which has a timeline, too"
run check dead.pml --json --stats --swarm 3 --lossy
same "$(never)" "False [(2, 'absent'), (2, 'absent'), (6, 'first'), (6, 'first')]" "a swarm"
same "$(python3 -c "import json; print(max(json.load(open('$out'))['timeline']['search']))")" 2 "has a search for each member"
run check "$MODELS/philosophers.net" --json --stats --reduce auto --no-deadlock --invariant 'eats1 <= 1'
same "$(python3 -c "import json; d = json.load(open('$out')); print(d['coverage']['complete'] and bool(d['reductions']))")" False "with reductions it is never complete"
run check "$MODELS/stop-and-wait.cpnt" --json --stats
same "$(python3 -c "import json; print(json.load(open('$out'))['coverage']['statements'][0]['line'])")" 39 "coloured nets: the line of the transition"

# ---- from files -----------------------------------------------------------------------------
mkdir run && cd run && cp ../exchange.pml .
run check exchange.pml --json --stats
cp "$out" v.json
cd ..
run report run/v.json -o f.html
exits 0 "a report from a verdict"
same "$(data f.html '[t["file"] for t in d["traces"]]')" "['run/exchange.trace.json']" "its trace is found beside it"
same "$(data f.html '[s["file"] for s in d["sources"]]')" "['exchange.pml']" "and the source"
same "$(data f.html 'd["verdict"]["coverage"] is not None')" True "coverage is what check found"
run report run/v.json run/exchange.trace.json -o f2.html
cmp -s f.html f2.html; ok $? "naming the trace makes no difference"
run report run/exchange.trace.json -o t.html
exits 0 "a report from a trace alone"
same "$(data t.html 'd["verdict"], len(d["traces"])')" "(None, 1)" "has no verdict"
"$THIMBLE" report - -o s.html < run/v.json > "$out" 2> "$err"; code=$?
exits 0 "a verdict from standard input"
(cd run && "$THIMBLE" report v.json) > p.html 2> "$err"; code=$?
exits 0 "to standard output"
tail -n 1 p.html | grep -q '</html>'; ok $? "all of it"

# ---- what does not fit ------------------------------------------------------------------------
rm run/exchange.trace.json exchange.trace.json
run report run/v.json -o g.html
exits 0 "a trace that is gone"
tells 'note: The trace exchange.trace.json, which the verdict names, was not found' "is told"
same "$(data g.html 'len(d["traces"]), len(d["notes"])')" "(0, 1)" "also in the report"
run simulate exchange.pml --random 3 -o run/exchange.trace.json
run report run/v.json -o g.html
exits 0 "a trace of another run"
tells 'left out: it is about' "is left out"
run check "$MODELS/philosophers.net" -o p.trace.json -q
run report run/v.json p.trace.json -o no.html
exits 3 "a trace of another model, named"
tells 'does not belong to the verdict: it is a trace of .*philosophers.net, and the verdict is about exchange.pml' "is refused"
[ ! -e no.html ]; ok $? "and nothing is written"
touch -d '2040-01-01' run/exchange.pml
run report run/v.json -o g.html
tells 'exchange.pml was changed after the run' "a source that has changed is told"
run report run/v.json run/v.json -o no.html
exits 2 "two verdicts"

# ---- damaged, older, foreign --------------------------------------------------------------------
refused() { # refused FILE RE "what"
  echo old > keep.html
  run report "$1" -o keep.html
  exits 3 "$3"
  tells "$2" "and says so"
  same "$(cat keep.html)" old "the old file is as it was"
  [ -z "$(ls | grep '\.tmp$')" ]; ok $? "and nothing is left beside it"
}
head -c 300 run/v.json > cut.json
refused cut.json 'not JSON' "a verdict that is cut off"
sed 's/thimble.verdict\/1/thimble.verdict\/0/' run/v.json > older.json
refused older.json "this is 'thimble.verdict/0'" "a verdict of another version"
echo '{"schema": "thimble.verdict/1"}' > empty.json
refused empty.json '"version" is missing or of the wrong kind' "a verdict without fields"
sed 's/"states": \([0-9]*\),$/"states": "many",/' run/v.json > wrong.json
refused wrong.json '"states" is missing or of the wrong kind' "a verdict with a wrong field"
sed 's/"depth": \[0, /"depth": [/' run/v.json > ragged.json
refused ragged.json 'columns of "timeline" differ' "a ragged timeline"
echo '{"a": 1}' > foreign.json
refused foreign.json 'does not say its "schema"' "JSON of somebody else"
echo '{"schema": "thimble.graph/1"}' > graph.json
refused graph.json "this is 'thimble.graph/1'" "a file of ours that is no verdict"
head -c 500 p.trace.json > broken.trace.json
refused broken.trace.json 'not JSON' "a trace that is cut off"
sed 's/"from": 1, "to": 0/"from": 7, "to": 0/' p.trace.json > lie.trace.json
refused lie.trace.json 'not a thimble.trace/1 file: step' "a trace that contradicts itself"
refused r.html 'this is .thimble.report/1|not JSON' "a report"
refused missing.json 'cannot be opened' "a missing file"
refused . 'cannot be read|cannot be opened' "a folder"
: > nothing.json
refused nothing.json 'not JSON' "an empty file"
head -c 100000 /dev/urandom > noise.json
refused noise.json 'not JSON|schema' "noise"
run report run/v.json -o /nonexistent/r.html
exits 74 "a report that cannot be written"
python3 - <<'P'
import json
d = json.load(open('run/v.json'))
d.pop('timeline'); d.pop('coverage')
d['model']['file'] = '/etc/passwd'; d['properties'] = []
json.dump(d, open('older2.json', 'w'))
P
run report older2.json -o o.html
exits 0 "a verdict of before timelines"
tells 'older version: it has no timeline' "says so"
same "$(data o.html 'd["sources"]')" "[]" "a file that is no model's is never read"
python3 - <<'P'
import json
d = json.load(open('run/v.json'))
d['model']['file'] = 'a</script><img src=x onerror=alert(1)>.pml'
json.dump(d, open('evil.json', 'w'))
P
run report evil.json -o e.html
same "$(data e.html 'd["verdict"]["model"]["file"][:12]')" 'a</script><i' "names that look like markup stay data"
grep -q '<img' e.html; [ $? = 1 ]; ok $? "and never become it"

# ---- JUnit ----------------------------------------------------------------------------------
cat > junit.py <<'P'
import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1]).documentElement
s = d.getElementsByTagName('testsuite')[0]
cases = s.getElementsByTagName('testcase')
count = lambda tag: sum(1 for c in cases if c.getElementsByTagName(tag))
for e in (d, s):
    assert [int(e.getAttribute(a)) for a in ('tests', 'failures', 'errors', 'skipped')] == [len(cases), count('failure'), count('error'), count('skipped')], 'counts'
    float(e.getAttribute('time'))
assert all(c.getAttribute('name') and c.getAttribute('classname') for c in cases)
print(len(cases), count('failure'), count('error'), count('skipped'))
if len(sys.argv) > 2: print(cases[int(sys.argv[2])].toxml())
P
junit() { python3 junit.py "$@" 2>> "$err"; }
run check exchange.pml --junit j.xml
exits 1 "check --junit"
same "$(junit j.xml)" "3 1 0 2" "a test case for each property"
junit j.xml 1 > "$out"
says 'failure message="assertion failed: v==3, after 6 steps' "a failure with its message"
says 'worker\[1\]  exchange.pml:12' "and the story"
run check "$MODELS/mutex.pnml" --junit j.xml
same "$(junit j.xml)" "1 0 0 0" "all holds"
run check "$MODELS/philosophers.net" --no-deadlock --invariant 'eats1 <= 1' --max-states 5 --junit j.xml
exits 4 "a limit"
same "$(junit j.xml)" "1 0 1 0" "is an error, never a pass"
printf 'byte x = ;\n' > bad.pml
run check bad.pml --junit j.xml --sarif s.sarif --report bad.html
exits 3 "a model that cannot be read"
same "$(junit j.xml)" "1 0 1 0" "is an error"
same "$(data bad.html 'd["verdict"]["verdict"], d["sources"][0]["text"]')" "('error', 'byte x = ;\\n')" "and has a report with its text"
printf 'active proctype P() { printf("\001 <&> \377 \360\237\230\200\\n"); assert(false) }\n' > chars.pml
run check chars.pml --junit j.xml --sarif s.sarif --report c.html
exits 1 "control characters and broken UTF-8"
same "$(junit j.xml)" "3 1 0 2" "are well-formed XML"
junit j.xml 1 > "$out"
says '&lt;&amp;&gt;' "with markup escaped"
python3 -m json.tool s.sarif > /dev/null; ok $? "and JSON"
run check exchange.pml --junit -
exits 2 "standard output is the verdict's"
run check "$MODELS/mutex.pnml" --junit /nonexistent/j.xml
exits 74 "a file that cannot be written is no success"
tells 'cannot be written' "and is told"

# ---- SARIF ----------------------------------------------------------------------------------
cat > sarif.py <<'P'
# The parts of the 2.1.0 schema that we use: required fields, kinds, and no field that it does not know.
import json, re, sys
T = {
 'log': ({'version', 'runs'}, {'$schema': str, 'version': str, 'runs': ['run']}),
 'run': ({'tool'}, {'tool': 'tool', 'invocations': ['invocation'], 'results': ['result'], 'columnKind': str}),
 'tool': ({'driver'}, {'driver': 'driver'}),
 'driver': ({'name'}, {'name': str, 'version': str, 'semanticVersion': str, 'rules': ['rule']}),
 'rule': ({'id'}, {'id': str, 'name': str, 'shortDescription': 'multi', 'defaultConfiguration': 'config'}),
 'config': (set(), {'level': str}),
 'multi': ({'text'}, {'text': str}),
 'message': (set(), {'text': str}),
 'invocation': ({'executionSuccessful'}, {'executionSuccessful': bool, 'exitCode': int, 'exitCodeDescription': str, 'toolExecutionNotifications': ['notification']}),
 'notification': ({'message'}, {'level': str, 'message': 'message', 'locations': ['location']}),
 'result': ({'message'}, {'ruleId': str, 'ruleIndex': int, 'kind': str, 'level': str, 'message': 'message', 'locations': ['location'], 'partialFingerprints': dict, 'codeFlows': ['codeFlow']}),
 'location': (set(), {'physicalLocation': 'physical', 'logicalLocations': ['logical'], 'message': 'message'}),
 'logical': (set(), {'name': str, 'kind': str}),
 'physical': (set(), {'artifactLocation': 'artifact', 'region': 'region'}),
 'artifact': (set(), {'uri': str}),
 'region': (set(), {'startLine': int, 'startColumn': int}),
 'codeFlow': ({'threadFlows'}, {'message': 'message', 'threadFlows': ['threadFlow']}),
 'threadFlow': ({'locations'}, {'locations': ['flowLocation'], 'properties': dict}),
 'flowLocation': (set(), {'location': 'location', 'executionOrder': int, 'module': str, 'importance': str, 'state': dict}),
}
def check(v, kind, where):
    if isinstance(kind, list):
        assert isinstance(v, list), where
        for i, one in enumerate(v): check(one, kind[0], f'{where}[{i}]')
    elif isinstance(kind, str):
        needed, known = T[kind]
        assert isinstance(v, dict), where
        assert needed <= set(v), (where, needed - set(v))
        for k, x in v.items():
            assert k in known, (where, k)
            check(x, known[k], f'{where}.{k}')
    else: assert isinstance(v, kind), (where, v)
d = json.load(open(sys.argv[1]))
check(d, 'log', '')
assert d['version'] == '2.1.0'
run = d['runs'][0]; rules = run['tool']['driver']['rules']
for r in run['results']:
    assert rules[r['ruleIndex']]['id'] == r['ruleId'] and r['level'] == 'error' and r['kind'] == 'fail'
    assert all(l['physicalLocation'].get('region', {'startLine': 1})['startLine'] >= 1 for l in r['locations'])
    for f in r.get('codeFlows', []):
        for t in f['threadFlows']:
            assert t['locations'] and [l['executionOrder'] for l in t['locations']] == list(range(1, len(t['locations']) + 1))
            assert all(isinstance(x, dict) and 'text' in x for l in t['locations'] for x in l.get('state', {}).values())
for u in re.findall(r'"uri": "([^"]*)"', open(sys.argv[1]).read()): assert re.fullmatch(r"[A-Za-z0-9\-._~/!$&'()*+,;=:@%]*", u), u
print(eval(sys.argv[2]))
P
sarif() { python3 sarif.py "$@" 2>> "$err"; }
run check exchange.pml --sarif s.sarif
exits 1 "check --sarif"
same "$(sarif s.sarif 'len(run["results"]), run["results"][0]["ruleId"], run["results"][0]["locations"][0]["physicalLocation"]["region"]')" "(1, 'assert', {'startLine': 21, 'startColumn': 3})" "a result with its place"
same "$(sarif s.sarif 'len(run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"])')" 10 "a location for each statement of the run"
same "$(sarif s.sarif 'len(run["invocations"][0]["toolExecutionNotifications"])')" 2 "what was not decided is a notification"
run check "$MODELS/philosophers.net" --sarif s.sarif
same "$(sarif s.sarif '[l["location"]["message"]["text"] for l in run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]][1]')" "1: left1" "nets: steps by their names"
run check "$MODELS/mutex.pnml" --sarif s.sarif
same "$(sarif s.sarif 'len(run["results"]), run["invocations"][0]["exitCode"]')" "(0, 0)" "no result where all holds"
run check bad.pml --sarif s.sarif
same "$(sarif s.sarif 'run["invocations"][0]["executionSuccessful"], run["invocations"][0]["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"]["region"]["startLine"]')" "(False, 1)" "a model that cannot be read"
cp exchange.pml 'ex change:ü.pml'
run check 'ex change:ü.pml' --sarif s.sarif
same "$(sarif s.sarif 'run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]')" './ex%20change:%C3%BC.pml' "names become references"
finish
