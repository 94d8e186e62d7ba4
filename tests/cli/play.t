#!/bin/sh
# play.t -- thimble play by scripts: formulas and wishes, both sides, taking back, hints, and the errors they make.
. tests/cli/lib.sh
cat > runner.aut <<'END'
des (0, 3, 4)
(0, "a", 1)
(1, "env_b", 2)
(1, "a", 3)
END
cat > ring.net <<'END'
place p = 1, q, r
transition t : p -> q
transition u : q -> p
transition v : q -> r
transition w : r -> r
END
# play MOVES ARGS...: thimble plays against a script
play() { moves=$1; shift; printf "$moves" | "$THIMBLE" play "$@" > "$out" 2> "$err"; code=$?; }

# ---- wishes
play '1\n1\n' runner.aut --strategy 'reach state == 3'
exits 0 "a match to its end"
says '^You say that the system can reach state == 3, whatever the environment does\.$' "what you say"
says '^Thimble says that you are wrong\. Show it\.$' "what thimble says"
says '^The system is about to do a: thimble may be faster with a step of the environment\.$' "thimble is faster"
says '^thimble: env_b$' "and wins"
says '^It is over: nothing can happen here, and it is not reached\. Thimble has won\.$' "which is told"
play '1\n' runner.aut --strategy 'reach state == 3' --side against
says '^You say that the system cannot reach' "the other side"
says '^You are right\. Thimble plays on as well as it can\.$' "is right"
says '^    1  env_b$' "your steps are those of the environment"
says 'You have won\.$' "and wins"
play '2\n' runner.aut --strategy 'reach state == 3' --side against
says '^It is over: state == 3 is true here\. Thimble has won\.$' "unless it lets the other happen"
play '2\nu\nb\n1\n' runner.aut --strategy 'reach state == 3' --side against
says '^taken back$' "a move is taken back"
says '^    1  env_b$' "the best one is told"
says 'You have won\.$' "and made"
play '' "$MODELS/nim.pml" --strategy 'reach sticks == 0 && theirs' --side against
says '^thimble: us\[0\] .*sticks>=2.*; sticks = .*; theirs = .* \(nim.pml:[0-9]+\)$' "steps of programs are told with their statements"
play '' "$MODELS/crossing.net" --strategy 'keep !(inside && up)' --side against
says '^The system waits: you choose a step of the environment\.$' "who waits says so"

# ---- formulas
play '' ring.net --ctl 'AG EF p'
exits 0 "a formula that is wrong"
says '^You say that AG EF p is true here; thimble denies it\.$' "what is at stake"
says '^thimble: t$' "thimble goes to where it is wrong"
says '^thimble: v$' "by the shortest way"
says '^thimble: doubt that EF p is true here$' "and doubts"
says '^You say that EF p is true here; thimble denies it\.$' "what is at stake then"
says '^    1  say that p is true here$' "your moves"
play '1\n' ring.net --ctl 'AG EF p'
says '^It is over: p is false here\. Thimble has won\.$' "a claim that is false"
play '2\n' ring.net --ctl 'AG EF p'
says 'the play is back where it was and could go round for ever: so it is shown that EF p is false\. Thimble has won\.$' "going round does not help"
play '1\n' ring.net --ctl 'EF r && AG (p + q + r == 1)' --side against
says '^You say that .* does not hold\.$' "you doubt a formula that holds"
says 'Thimble has won\.$' "and lose"
play '' ring.net --ctl '!EG (p + q > 0)'
says '^You say that EG \(p \+ q > 0\) is false here; thimble denies it\.$' "negations turn it round"
play '1\n' ring.net --ctl 'EX q <-> EF r' --side against
says '^thimble: say that EX q is true and EF r is true$' "both sides of an equivalence"
play '2\n1\n' ring.net --ctl 'EG p -> AX q' --side against
says 'Thimble has won\.$' "an implication"

# ---- mistakes
play '1\n1\n1\n' runner.aut --strategy 'reach state == 3'
exits 2 "a script that goes on when it is over"
tells 'it is over' "is told"
play '7\nzork\n' runner.aut --strategy 'reach state == 3'
exits 2 "moves that are not there"
tells 'there is no move with that number' "are told"
tells 'no such move or command' "and words that mean nothing"
play 'h\ns\nl\nq\n' runner.aut --strategy 'reach state == 3'
exits 0 "help, state, list, end"
says 'take your last move back' "help"
play 'u\n' runner.aut --strategy 'reach state == 3'
tells 'there is nothing to take back' "at the beginning"
run play runner.aut
exits 2 "nothing to play about"
run play runner.aut --ctl 'EF true' --strategy 'state == 1'
exits 2 "two things"
run play runner.aut --ctl 'EF true' --uncontrollable a
exits 2 "owners in a formula"
run play runner.aut --ctl 'G F true'
exits 3 "no CTL"
run play runner.aut --ctl 'AG (state < 4)' --max-states 2
exits 4 "without the whole graph there is no match"
says 'a match needs the whole graph' "which is told"
run play runner.aut --strategy 'state == 1' --uncontrollable zork
exits 2 "a pattern that nothing matches"
run play missing.net --ctl 'EF true'
exits 3 "a file that is not there"
head -c 100000 /dev/urandom | "$THIMBLE" play ring.net --ctl 'AG EF p' > "$out" 2> "$err"
[ $? -lt 100 ]
ok $? "noise is survived"
finish
