#!/bin/sh
# channels.t -- channels without bounds: --unbounded-channels.
. tests/cli/lib.sh
cat > produce.pml <<'END'
mtype = {a, b};
chan q = [2] of { mtype, byte };
active proctype P() { do :: q!a(3); q!b(4) od }
active proctype C() { byte x; do :: q?a(x); q?b(x) od }
END
cat > turns.pml <<'END'
chan q = [4] of { bit };
chan r = [4] of { bit };
active proctype S() { bit x; do :: q!x; r?x od }
active proctype R() { bit y; do :: q?y; r!1-y od }
END
run check produce.pml -p channels
exits 2 "without the option there is no such property"
run check produce.pml --no-deadlock
exits 0 "what a capacity holds back"
run check produce.pml --unbounded-channels -o t.json
exits 1 "grows without it"
says 'channels +violated +after [0-9]+ steps, the last [0-9]+ for ever: q grows without bound: each round adds 2 messages; trace in t.json' "told with its loop"
says 'from here on, again and again' "and shown"
run trace t.json
says 'q grows without bound' "the trace tells it"
run simulate produce.pml --unbounded-channels --replay t.json --random 3
exits 0 "the trace can be gone along"
run check turns.pml --unbounded-channels
exits 0 "a protocol that waits for its answers"
says 'channels +holds +q 1 of 4, r 1 of 4' "has bounds"
says 'deadlock +holds' "and everything else is asked"
run check turns.pml --unbounded-channels --json --ltl '[] <> (len(q) == 1)' --invariant 'len(q) <= 1'
exits 0 "with formulas"
says '"kind": "channels"' "the kind"
says '"method": "growth"' "the method"
run check produce.pml --unbounded-channels -p deadlock --continue -o t.json
exits 1 "it cannot be left out"
says 'deadlock +unknown' "and nothing else is said where it is violated"
for store in plain tree compact-tree comback delta collapse dfa cache; do
  run check produce.pml --unbounded-channels --store $store --search dfs --cache 4096 -o t.json
  exits 1 "$store: grows"
  run check turns.pml --unbounded-channels --store $store --search dfs --cache 4096
  exits 0 "$store: does not"
done

# several channels, several processes, messages that are turned into others
cat > double.pml <<'END'
chan q = [2] of { byte, byte };
chan r = [2] of { byte };
active proctype A() { byte x, y; q!1,2; do :: q?x,y; r!x; r!y od }
active proctype B() { byte z; do :: r?z; q!1,2 od }
END
run check double.pml --unbounded-channels --json -o t.json
exits 1 "each message becomes two"
says '"message": "[qr] grows without bound: each round adds' "one of them grows"
says '"loop": [0-9]' "in a loop"
cat > local.pml <<'END'
chan c = [1] of { chan };
active proctype A() { chan own = [3] of { short }; c!own; do :: own!700 od }
active proctype B() { chan x; c?x; end: x?9 }
END
run check local.pml --unbounded-channels -o t.json
exits 1 "a channel of a process"
says 'A\[0\]\.own grows without bound: each round adds 1 message' "is named"
cat > c.dve <<'END'
channel {byte} c[2];
process P { state a; init a; trans a -> a { sync c!{1}; }; }
process Q { byte y; state a, b; init a; trans a -> b { sync c?{y}; }; }
system async;
END
run check c.dve --unbounded-channels -o t.json
exits 1 "DVE"
says 'c grows without bound' "likewise"
cat > meet.pml <<'END'
chan m = [0] of { bit };
active proctype A() { do :: m!1 od }
active proctype B() { do :: m?1 od }
END
run check meet.pml --unbounded-channels
exits 0 "a rendezvous stays one"
says 'there are no buffered channels' "and is no channel that could grow"
# a burst that is not a loop, and one that has to wait
cat > burst.pml <<'END'
chan q = [1] of { byte };
active proctype A() { byte i; do :: i < 9 -> q!i; i++ :: else -> break od }
active proctype B() { byte x; end: do :: q?x od }
END
run check burst.pml --unbounded-channels
exits 0 "nine messages"
says 'q 9 of 1' "are the bound"
# longer and longer for six rounds, in the same control, but what was there first is used up
cat > stock.pml <<'END'
mtype = {a, b};
chan q = [1] of { mtype };
active proctype A() { byte i; do :: i < 6 -> q!a; i++ :: else -> break od; i = 0; do :: q?a; q!b; q!b od }
END
run check stock.pml --unbounded-channels --no-deadlock
exits 0 "contents that only seem to repeat"
says 'q 12 of 1' "end when the stock is used up"
# one that pays back what it took: the words that go in and out are powers of one word
cat > powers.pml <<'END'
mtype = {a, b};
chan q = [9] of { mtype };
active proctype A() { q!a; q!b; do :: q?a; q?b; q!a; q!b; q!a; q!b od }
END
run check powers.pml --unbounded-channels -o t.json
exits 1 "a word and its powers"
says 'q grows without bound: each round adds 2 messages' "repeat for ever"
cat > shifted.pml <<'END'
mtype = {a, b};
chan q = [9] of { mtype };
active proctype A() { q!a; do :: q?a; q!b; q!a; q?b; q!a :: q?b; q!a od }
END
run check shifted.pml --unbounded-channels --json -o t.json
[ "$code" = 0 ] || [ "$code" = 1 ]; ok $? "words that are shifted: a verdict"
# grows, but never comes back to the same control
cat > count.pml <<'END'
chan q = [1] of { bit };
int n;
active proctype A() { do :: q!1; n++ od }
END
run check count.pml --unbounded-channels --json
exits 4 "a channel that grows without a loop"
says '"reason": "channels"' "is not known to be bounded"
run check count.pml --unbounded-channels
says 'a channel holds 255 messages, more than Thimble keeps in one' "and says why"
run check count.pml --unbounded-channels --max-states 20
exits 4 "limits"
run check count.pml --unbounded-channels --memory 600k
exits 4 "memory"

# ---- what is refused
printf 'chan q = [1] of { bit };\nactive proctype A() { do :: len(q) < 3 -> q!1 od }\n' > len.pml
run check len.pml --unbounded-channels
exits 3 "len"
tells '^len.pml:2:[0-9]+: error: this asks for the length of a channel' "with its place"
printf 'chan q = [1] of { bit };\nactive proctype A() { do :: q!!1 od }\n' > sorted.pml
run check sorted.pml --unbounded-channels
exits 3 "a sorted send"
tells '^sorted.pml:2:[0-9]+: error: this sends into the middle of a channel' "with its place"
printf 'chan q = [1] of { bit };\nactive proctype A() { do :: q!1 :: q??1 od }\n' > random.pml
run check random.pml --unbounded-channels
exits 3 "a receive out of turn"
tells '^random.pml:2:[0-9]+: error: this looks for a message anywhere in a channel' "with its place"
printf 'place p = 1\ntransition t : p -> p\n' > t.net
run check t.net --unbounded-channels
exits 2 "a net"
tells 'is for models with channels' "has none"
run check produce.pml --unbounded-channels --lose-messages
exits 2 "--lose-messages"
run info produce.pml --unbounded-channels
exits 2 "other commands do not have it"
finish
