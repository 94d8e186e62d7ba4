#!/bin/sh
# chart.t -- message sequence charts: trace --format msc, mermaid and svg; whole drawings of small models, nets by names and by a mapping, what is refused.
. tests/cli/lib.sh

drawn() { # drawn "what": the text on standard input is the output without its heading
  sed 1,2d "$out" > drawing; cat > want
  cmp -s drawing want; ok $? "$1"
  cmp -s drawing want || diff want drawing | sed 's/^/#   /'
}

# ---- processes
run check "$MODELS/exchange.pml"
run trace --format msc exchange.trace.json
exits 0 "a chart"
drawn "a start, a buffer, an atomic step with a rendezvous, a fault" << 'END'
           master[0]                                worker[1]
  1            ├╌╌╌╌╌╌╌╌╌╌╌╌ run worker(3) ╌╌╌╌╌╌╌╌╌╌╌╌▶┬
  2            │                                        ● k = n
3-4            │◁───────────── q: ack(3) ───────────────┤
  5 ┌          │                                        ● x = x+1
    │          │                                        ● printf("x is %d, %e %c\n",x,ack,65+x)
    │          │                                        ╎ x is 1, ack B
    └          │◀───────────── r: data(7) ──────────────┤
  6            ● assert(v==3)                           │
               ✖ assertion failed: v==3                 │
END
run trace -f mermaid exchange.trace.json
cat > want << 'END'
sequenceDiagram
  participant p0 as master[0]
  create participant p1 as worker[1]
  p0-->>p1: run worker(3)
  Note over p1: k = n
  p1-)p0: q: ack(3)
  rect rgba(128,128,128,0.15)
    Note over p1: x = x+1
    Note over p1: printf("x is #37;d, #37;e #37;c\n",x,ack,65+x)
    Note over p1: prints x is 1, ack B
    p1-#62;#62;p0: r: data(7)
  end
  Note over p0: assert(v==3)
  Note over p0: fault: assertion failed: v==3
END
sed -i 's/#62;#62;p0/>>p0/' want
cmp -s "$out" want; ok $? "the same for mermaid"

cat > cross.pml << 'END'
mtype = { hello, data, ack };
chan ab = [3] of { mtype, byte };
chan ba = [3] of { mtype, byte };
active proctype A() { byte n; ab!hello(1); ab!data(2); ba?ack(n); ba?ack(n); run child(n) }
active proctype B() { byte m; ba!ack(7); ab?hello(m); ba!ack(8); ab?data(m) }
proctype child(byte x) { assert(x != 8) }
END
run check cross.pml
run trace -f msc cross.trace.json
drawn "messages that cross" << 'END'
             A[0]                      B[1]                    child[2]
  1            │       #1 ◁─ ba: ack(7) ─┤
2-3            ├───── ab: hello(1) ─────▷│
  4            │       #2 ◁─ ba: ack(8) ─┤
  5            ├─ ab: data(2) ─▷ ...     │
  6            │◁─ ba: ack(7) #1         │
  7            │◁─ ba: ack(8) #2         │
  8            ├╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ run child(n) ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▶┬
  9            │                         │                         ● assert(x!=8)
               │                         │                         ✖ assertion failed: x!=8
END

cat > lasso.pml << 'END'
mtype = { ping, pong };
chan c = [0] of { mtype };
bool done;
active proctype P() { bool started; started = true; do :: c!ping; c?pong od }
active proctype Q() { do :: c?ping; c!pong :: done = true; break od }
ltl finishes { <> done }
END
run check -p ltl lasso.pml
run trace -f msc lasso.trace.json
drawn "a lasso" << 'END'
          P[0]           Q[1]
  1         ● started = 1  │
       ╌╌ from here on, again and again ╌╌
  2         ├── c: ping ──▶│
  3         │◀─ c: pong ───┤
       ╌╌ and on with step 2 ╌╌╌
       ══ ltl:finishes violated: <> done ══
END
run check "$ROOT/tests/models/story/waiting.pml"
run trace -f msc waiting.trace.json
says '══ nothing can happen any more ══' "a deadlock says so"
says '○ waits: ' "and what everybody waits for"
cat > lose.pml << 'END'
chan q = [1] of { byte };
active proctype A() { q!1; q!2; assert(false) }
END
run check --lose-messages lose.pml
run trace -f msc lose.trace.json
says 'q: 2 ─╳ lost' "a lost message"
says 'q: 1 ─▷ \.\.\.' "one that nobody takes"
cat > sorted.pml << 'END'
chan q = [4] of { byte };
active proctype A() { byte x; q!!5; q!!3; q!!4; q??4; q?x; q?x; assert(false) }
END
run check sorted.pml
run trace -f msc sorted.trace.json
says '^  1 .*q: 5 ─▷ #1' "sorted sends"
says '^  2 .*q: 3 ─▷ #2' "of which the second"
says '^  5 .*q: 3 #2' "comes out first"
says '^3-4 .*q: 4' "and the last one by its content"

# ---- SVG
for t in exchange cross lasso; do
  run trace -f svg $t.trace.json -o $t.svg
  exits 0 "$t as SVG"
  if command -v python3 > /dev/null 2>&1; then python3 -c "import sys, xml.dom.minidom as m; m.parse('$t.svg')" 2> "$err"; ok $? "well-formed"; else skip "well-formed" "no python3"; fi
  grep -Eq 'url\(|href|<script|@import' $t.svg; [ $? = 1 ]; ok $? "refers to nothing"
done
grep -q 'prefers-color-scheme:dark' exchange.svg; ok $? "light and dark"

# ---- nets
run check "$MODELS/philosophers.net"
run trace -f msc philosophers.trace.json
drawn "by the numbers in names" << 'END'
          #1          #2          #3
  1        ● left      │           │
  2        │           ● left      │
  3        │           │           ● left
       ══ nothing can happen any more ══
END
run check "$MODELS/simple-protocol.cpnt"
run trace -f msc simple-protocol.trace.json
says 'Send_data +Receive_data +Receive_answer' "a lifeline for each transition"
says 'Network_1: \(1,"Formal"\)' "tokens are messages"
run trace -f msc --map "$MODELS/simple-protocol.map" simple-protocol.trace.json
drawn "by a mapping" << 'END'
           Sender                Receiver
1-2           ├── packet: 1 Formal ─▷│
              │                      ● has Formal
2-3           │◁── answer: got 1 ────┤
4-5           ├── packet: 2 model ──▷│
              │                      ● has model
5-6           │◁── answer: got 2 ────┤
       ══ nothing can happen any more ══════
END
run simulate "$MODELS/telephones.cpnt" --random 5 --seed 1 -o run.json
run trace -f msc run.json
exits 0 "a net with pages"

# ---- what is refused
printf 'transition a\n  sing on B\n' > bad.map
run trace -f msc --map bad.map run.json
exits 3 "a wrong mapping"
tells '^bad.map:2:3: error: expected' "is told with its place"
run trace -f msc --map missing.map run.json
exits 3 "a missing one"
run trace --map bad.map run.json
exits 2 "a mapping without a chart"
run trace -f msv run.json
exits 2 "an unknown format"
tells 'did you mean msc' "with a guess"
printf '{"schema":"thimble.trace/1","variables":[],"initial":[],"path":[]}' > empty.json
for f in msc svg mermaid; do
  run trace -f $f empty.json
  exits 0 "an empty trace as $f"
done

# ---- long runs
cat > long.pml << 'END'
chan q = [4] of { byte };
active proctype A() { byte i; do :: q!i; i++ od }
active proctype B() { byte x; do :: q?x od }
END
run simulate long.pml --random 100000 --seed 7 -o long.json
for f in msc svg mermaid; do
  began=$(date +%s)
  run trace -f $f long.json -o long.$f
  exits 0 "100,000 steps as $f"
  [ $(($(date +%s) - began)) -lt 30 ]; ok $? "in little time"
done
finish
