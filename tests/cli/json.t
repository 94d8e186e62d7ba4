#!/bin/sh
# json.t -- exactly one JSON object on standard output, whatever happens.
. tests/cli/lib.sh

valid() { # one JSON value and nothing else
  if command -v python3 > /dev/null 2>&1; then python3 -m json.tool < "$out" > /dev/null 2>> "$err"; else
    [ "$(head -c 1 "$out")" = "{" ] && [ "$(tail -n 1 "$out")" = "}" ]
  fi
  ok $? "$1 is one JSON object"
}

run check --json "$MODELS/philosophers.net"
exits 1 "a violation"
valid "a violation"
same "$(field schema)" '"thimble.verdict/1"' "schema"
same "$(field verdict)" '"violated"' "verdict"
same "$(field complete)" false "complete"
same "$(field exit_code)" 1 "exit_code"
same "$(field stop)" '{"reason": "violation", "advice": null}' "stop"
says '"trace": "philosophers.trace.json"' "the trace is named"
says '"steps": 3' "and its length"
says '"shortest": true' "and that it is the shortest"

run check --json "$MODELS/mutex.pnml"
valid "a verdict that holds"
same "$(field verdict)" '"holds"' "verdict"
same "$(field states)" 8 "states"
same "$(field transitions)" 14 "transitions"
same "$(field deadlocks)" 0 "deadlocks"
same "$(field frontier)" 0 "frontier"
same "$(field complete)" true "complete"
same "$(field search)" '"bfs"' "search"
same "$(field store)" '{"requested": "auto", "used": ["plain"], "omission_probability": 0}' "store"
same "$(field model)" "{\"file\": \"$MODELS/mutex.pnml\", \"language\": \"pnml\", \"language_guessed\": false, \"words\": 1, \"state_bits\": 4, \"options\": [], \"inputs\": [{\"file\": \"$MODELS/mutex.pnml\", \"hash\": \"9223dcbd72f7a2c4\", \"bytes\": 3229}]}" "model"

run check --json --max-states 5 "$MODELS/philosophers.net" --no-deadlock
exits 4 "a limit"
valid "a limit"
same "$(field verdict)" '"incomplete"' "verdict"
says '"reason": "states", "advice": "explored' "reason and advice"

run check --json missing.net
exits 3 "a missing file"
valid "a missing file"
same "$(field verdict)" '"error"' "verdict"
same "$(field exit_code)" 3 "exit code"
tells 'missing.net: error' "and the message on standard error"

printf 'net n\nplace p =\n' > broken.net
run check --json broken.net
exits 3 "a broken model"
valid "a broken model"
says '"line": [23]' "with the line"

run check --json --invariant 'p >' "$MODELS/philosophers.net"
exits 3 "a broken formula"
valid "a broken formula"

run check --json --memory 20k "$MODELS/philosophers.net"
exits 4 "a budget too small to begin with"
valid "a budget too small to begin with"
same "$(field verdict)" '"incomplete"' "verdict"
says '"reason": "memory"' "reason"

run check --json --stats --continue "$MODELS/philosophers.net"
valid "with --stats"
says '"name": "left1", "generated": 5' "counts per transition"

mkdir closed && chmod 500 closed
run check --json -o /nonexistent/folder/t.json "$MODELS/philosophers.net"
exits 74 "a trace that cannot be written leaves the verdict"
valid "a trace that cannot be written"
says '"trace": null' "and says so"
tells 'cannot be written' "with the reason on standard error"

run check --json "$MODELS/unbounded.net"
exits 4 "an unbounded net"
valid "an unbounded net"
says '"reason": "unbounded"' "reason"
says '"places": \["goods"\]' "the places"
says '"pump": \["(deliver|produce)", "(deliver|produce)"\]' "the pumping run"

name=$(printf 'q\001\377"')
printf 'net "n"\nplace "q\\"\\\\" = 1\ntransition t : "q\\"\\\\" ->\n' > odd.net
run check --json --stats odd.net
valid "odd names"
run graph -f json odd.net
valid "odd names in a graph"
cp odd.net "$name.net"
run check --json "$name.net"
valid "a file name that is no text"
finish
