#!/bin/sh
# graphs.t -- graph --summary, graph --minimise, compare.
. tests/cli/lib.sh

# ---- summary
run graph --summary "$MODELS/philosophers.net"
exits 0 "graph --summary"
says '^14 states, 27 transitions; a state has 0 to 3 successors' "sizes"
says '^1 state has no successors; the nearest, after 3 steps: waits1, waits2, waits3' "deadlocks, and one of them"
says '2 strongly connected components, the largest with 13 states' "components"
says '1 home state, ' "home states"
says '9 happen, but not for ever' "transitions that do not stay possible"
printf 'place a\n' > still.net
run graph --summary still.net
says '^1 state, 0 transitions; the state has 0 successors$' "one state"
says '^1 state has no successors; the nearest, after 0 steps: nothing is marked$' "a state in which no place is marked is told, too"
run graph --summary "$MODELS/unbounded.net"
tells 'the graph is not whole, the model is unbounded$' "why there is none, in words"
run graph --max-states 3 "$MODELS/philosophers.net"
tells '^partial graph, the limit of states was reached; ' "why it is not whole"
run compare "$MODELS/philosophers.net" "$MODELS/unbounded.net"
says '^incomplete: the graph of .*unbounded.net is not whole, the model is unbounded$' "compare likewise"
run graph --summary --json "$MODELS/philosophers.net"
says '"schema": "thimble.graph-summary/1"' "as JSON"
same "$(field states)" 14 "states"
same "$(field home_states)" 1 "home states"
same "$(field reversible)" false "not reversible"
run graph --summary "$MODELS/mutex.pnml"
says 'all states are home states' "a net that can always come back"
printf 'des (0, 3, 4)\n(0, "a", 1)\n(0, "b", 2)\n(2, "b", 3)\n' > two-ends.aut
run graph --summary two-ends.aut
says 'there is no home state' "two ends: no home state"
says '^2 states have no successors' "both are counted"
run graph --summary "$MODELS/unbounded.net"
exits 4 "the graph of an unbounded net is not whole"
tells 'nothing written' "and it is said"
run graph --summary --max-states 3 "$MODELS/philosophers.net"
exits 4 "nor is one with a limit"
run graph --json "$MODELS/philosophers.net"
exits 2 "--json without --summary"
tells 'format json' "says what is meant"
run graph --summary --minimise strong "$MODELS/philosophers.net"
exits 2 "--summary and --minimise"
run graph --summary -o /nonexistent/x "$MODELS/philosophers.net"
exits 74 "an output that cannot be written"

# processes that nobody saw coming: they begin after ten thousand steps, and with them their transitions
cat > late.pml <<'END'
int n;
proctype Late(int k) { n = k; n = k + 1 }
init { do :: n < 5000 -> n++ :: n == 5000 -> break od; run Late(1); run Late(2); run Late(3) }
END
run graph --summary late.pml
exits 0 "processes that begin late"
says '^10,147 states, 10,268 transitions' "all of their states"
says 'Late\[3\] n = k[+]1' "and their names"
run check --stats late.pml --no-deadlock
exits 0 "and their counts"
says '^ +12 +9  Late\[3\] n = k$' "are there"
run compare late.pml late.pml -q
exits 0 "and they can be compared"

# ---- minimise
cat > twice.aut <<'END'
des (0, 6, 6)
(0, "a", 1)
(0, "a", 2)
(1, "b", 3)
(2, "b", 4)
(3, "i", 5)
(4, "i", 5)
END
run graph --minimise strong -f aut twice.aut
exits 0 "graph --minimise strong"
same "$(head -n 1 "$out")" "des (0, 3, 4)" "the smallest graph"
says '^\(2, "i", 3\)$' "a hidden step is a label like others"
tells '4 states and 3 transitions of 6 and 6' "what became of it"
run graph --minimise branching -f aut twice.aut
same "$(cat "$out")" 'des (0, 2, 3)
(0, "a", 1)
(1, "b", 2)' "branching: it is gone"
run graph --minimise branching --hide b -f aut -q twice.aut
same "$(head -n 1 "$out")" "des (0, 1, 2)" "--hide"
run graph --minimise branching --show 'b*' -f aut -q twice.aut
same "$(cat "$out")" 'des (0, 1, 2)
(0, "b", 1)' "--show, with a pattern"
same "$(wc -c < "$err" | tr -d ' ')" 0 "--quiet"
run graph --minimise strong -f dot twice.aut
says 's0 -> s1 \[label="a"\]' "as dot"
run graph --minimise strong -f json twice.aut
says '"complete":true' "as json"
run graph --minimise strong --hide nosuch twice.aut
exits 2 "a name that nothing has"
tells "nothing is called 'nosuch'" "is told"
run graph --minimise strong --hide a --show b twice.aut
exits 2 "--hide and --show"
run graph --hide a twice.aut
exits 2 "--hide without --minimise"
run graph --minimise weak twice.aut
exits 2 "an unknown kind"
run graph --minimise strong "$MODELS/unbounded.net"
exits 4 "no whole graph, no smallest one"
run graph --minimise branching --memory 1M "$MODELS/peterson.dve"
[ "$code" = 4 ] || [ "$code" = 0 ]; ok $? "a tiny budget: an answer or an honest end"
run graph --minimise strong -f aut -q -o p.aut "$MODELS/philosophers.net"
run compare p.aut "$MODELS/philosophers.net"
exits 0 "a minimised graph is bisimilar to the model"

# ---- compare
run compare "$MODELS/philosophers.net" "$MODELS/philosophers.net"
exits 0 "compare: a model with itself"
says '^equivalent: .* are strongly bisimilar' "is said"
printf 'des (0, 3, 4)\n(0, "a", 1)\n(1, "b", 2)\n(1, "c", 3)\n' > late.aut
printf 'des (0, 4, 5)\n(0, "a", 1)\n(0, "a", 2)\n(1, "b", 3)\n(2, "c", 4)\n' > early.aut
run compare late.aut early.aut
exits 1 "when to choose is a difference"
says '^    1  .* does a' "a play"
says '^now late.aut can do [bc], early.aut cannot' "and its end"
run compare late.aut early.aut --equivalence trace
exits 0 "but not for traces"
run compare late.aut early.aut -e language
exits 0 "nor for languages"
printf 'des (0, 4, 4)\n(0, "a", 1)\n(1, "b", 2)\n(1, "c", 3)\n(0, "d", 3)\n' > more.aut
run compare late.aut more.aut -e trace
exits 1 "a word more"
says 'every word of late.aut is one of more.aut' "inclusion in one direction"
says 'a word of more.aut that is none of late.aut' "and not in the other"
says '^    1  d$' "the word"
run compare late.aut more.aut -e trace --json
exits 1 "--json"
same "$(field verdict)" '"different"' "verdict"
same "$(field first_in_second)" true "inclusion"
says '"word_of_second": \["d"\]' "word"
run compare late.aut more.aut --json
says '"play": \[' "a play as JSON"
says '"by": "second", "label": "d", "answer": "none"' "its last round"
run compare more.aut late.aut --hide d -e branching
exits 1 "a hidden choice is one"
printf 'des (0, 3, 3)\n(0, "a", 1)\n(1, "i", 2)\n(2, "b", 0)\n' > service-with-step.aut
printf 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n' > service.aut
run compare service-with-step.aut service.aut
exits 1 "strong: hidden steps count"
run compare service-with-step.aut service.aut -e branching
exits 0 "branching: those that change nothing do not"
printf 'des (0, 3, 3)\n(0, "a", 1)\n(1, "b", 0)\n(1, "i", 2)\n' > stops.aut
run compare stops.aut service.aut -e trace
exits 0 "traces do not see that it can stop"
run compare stops.aut service.aut -e language
exits 1 "the language does"
says 'a and has come to its end' "and shows where"
printf 'net "protocol"\nplace idle = 1\nplace sent\nplace lost\ntransition send : idle -> sent\ntransition receive : sent -> idle\ntransition lose : sent -> lost\ntransition resend : lost -> sent\n' > protocol.net
printf 'net "service"\nplace idle = 1\nplace sent\ntransition send : idle -> sent\ntransition receive : sent -> idle\n' > service.net
run compare protocol.net service.net --show send,receive -e branching
exits 0 "a protocol and its service"
run compare protocol.net service.net -e trace
exits 1 "not without hiding"
run compare protocol.net service.net --show nosuch
exits 2 "a name that neither has"
run compare "$MODELS/unbounded.net" service.net
exits 4 "a model without a whole graph"
says '^incomplete: the graph of .*unbounded.net is not whole' "is told"
run compare service.net "$MODELS/unbounded.net" --json
exits 4 "also as the second"
same "$(field verdict)" '"incomplete"' "as JSON"
run compare service.net
exits 2 "one model is too few"
run compare service.net nosuch.net
exits 3 "a file that is not there"
printf 'des (0, 1\n' > bad.aut
run compare service.net bad.aut
exits 3 "a file that is wrong"
tells '^bad.aut:1:' "with its place"
run compare service.net service.net -e weak
exits 2 "an unknown equivalence"
run compare "$MODELS/peterson.dve" "$MODELS/peterson.dve" --memory 200k
[ "$code" = 4 ]; ok $? "a tiny budget: an honest end"
finish
