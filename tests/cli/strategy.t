#!/bin/sh
# strategy.t -- check --strategy: who owns a transition in each language, wishes, files of strategies, and the errors they make.
. tests/cli/lib.sh
cat > runner.aut <<'END'
des (0, 3, 4)
(0, "a", 1)
(1, "env_b", 2)
(1, "a", 3)
END

# ---- verdicts
run check runner.aut --no-deadlock --strategy 'reach state == 3'
exits 1 "the environment may be faster"
says 'strategy:1 +violated +reach state == 3; after 2 steps: the environment spoils it: nothing can happen here; trace in runner.trace.json' "with a play that shows it"
says 'the environment wins: its strategy has 3 states, confirmed by the definition of the language; in runner.strategy.json' "and a strategy of the environment"
grep -q '"winner": "environment"' runner.strategy.json && grep -q '\[0, 0, 0, 0, 0\]' runner.strategy.json && grep -q '"env_b"' runner.strategy.json
ok $? "which is in a file"
run trace runner.trace.json
says 'env_b' "the play is a trace"
run check runner.aut --no-deadlock --strategy 'state == 3' --controllable 'env_*' --strategy-file s.json
exits 0 "by the command line the same step is ours; without a word it is to be reached"
says 'strategy:1 +holds +reach state == 3; after 2 steps: the environment resists as long as it can: here it is reached' "the longest play is shown"
grep -q '"objective": "reach"' s.json && grep -q '"winner": "controllable"' s.json && grep -q '\[1, 1, -2, -1, 0\]' s.json
ok $? "the strategy is where it was wanted"
run check runner.aut --no-deadlock --strategy 'keep state != 2' --uncontrollable 'a' --json
exits 1 "everything is the environment's"
same "$(field verdict)" '"violated"' "as JSON"
says '"strategy": \{"winner": "environment", "states": 3, "confirmed": "definition", "file": "runner.strategy.json"\}' "with the strategy"
says '"kind": "strategy"' "of its kind"
run check runner.aut --no-deadlock --strategy 'keep state != 2' --strategy 'reach state == 1' -o t.json --strategy-file two.json
exits 1 "two games in one run"
says 'strategy:2 +holds' "each for itself"
[ -s two.json ] && [ -s two.2.json ]
ok $? "each with its file"
run check runner.aut --no-deadlock --strategy 'keep state < 9' --ctl 'EF (state == 3)' --invariant 'state < 4'
exits 0 "beside other properties"
run check runner.aut --no-deadlock --strategy 'keep state < 9' --max-states 2
exits 4 "a limit"
says 'strategy:1 +unknown' "is no answer"
run check runner.aut --no-deadlock --strategy 'keep state < 9' --search dfs --store tree
tells 'note: a strategy needs the whole graph: states were kept in the store plain and searched breadth-first' "other searches are told"
run check "$MODELS/crossing.net" --strategy 'keep !(inside && up)' --search sweep --progress-measure 'near + 2 * inside'
exits 0 "on the graph of a sweep"
says 'its strategy has 3 states, confirmed' "with states once"

# ---- languages
cat > g.net <<'END'
place p = 1, q, r
transition go : p -> q
transition lose : p -> r
uncontrollable lose
END
run check g.net --no-deadlock --strategy 'reach q'
exits 1 ".net: uncontrollable"
run convert g.net -o g.pnml
run check g.pnml --no-deadlock --strategy 'reach q'
exits 1 "PNML keeps it"
run convert g.pnml --to net
says '^uncontrollable lose$' "and gives it back"
sed 's/^uncontrollable/controllable/; s/lose/env_lose/' g.net > h.net
run check h.net --no-deadlock --strategy 'reach q'
exits 0 "a name that begins with env_ is overruled by controllable"
grep -v '^controllable' h.net > i.net
run check i.net --no-deadlock --strategy 'reach q'
exits 1 "and says it otherwise"
cat > g.cpnt <<'END'
declare
  colset NO = int with 0..3;
  var n : NO;
page Top
  place P : NO
    initial 1`1
  place Q : NO
  transition Go
    take P : n
    give Q : n
  transition Lose
    take P : n
    uncontrollable
END
run check g.cpnt --no-deadlock --strategy 'reach size(Q) = 1'
exits 1 ".cpnt: uncontrollable"
run convert g.cpnt -o g.cpn
grep -q 'type="dotted"' g.cpn
ok $? ".cpn: a dotted line"
run check g.cpn --no-deadlock --strategy 'reach size(Q) = 1'
exits 1 "is read"
run convert g.cpn --to cpnt
says '^    uncontrollable$' "and kept"
run check g.cpnt --no-deadlock --strategy 'reach size(Q) = 1' --controllable "Top'Lose"
exits 0 "names are those of pages and transitions"
cat > g.pml <<'END'
byte x;
active proctype system() { do :: x == 0 -> x = 1 :: x == 2 -> break od }
active proctype env_world() { x == 0 -> x = 2 }
END
run check g.pml --no-deadlock --strategy 'reach x == 1'
exits 1 "Promela: a process whose name begins with env_"
sed 's/env_world() {/env_world() { ctrl_here:/' g.pml > h.pml
run check h.pml --no-deadlock --strategy 'reach x == 1'
exits 0 "a label overrules it"
sed 's/env_world() { x == 0 -> x = 2/env_world() { ctrl_here: atomic { x == 0 -> x = 2 }/' g.pml > h.pml
run check h.pml --no-deadlock --strategy 'reach x == 1'
exits 0 "for a step of several statements the first one counts"
cat > j.pml <<'END'
byte x;
active proctype one() { env_choice: if :: x = 1 :: x = 2 fi; x = x + 2 }
END
run check j.pml --no-deadlock --strategy 'reach x == 3'
exits 1 "a label before if: the environment chooses"
sed 's/env_choice/choice/' j.pml > k.pml
run check k.pml --no-deadlock --strategy 'reach x == 3'
exits 0 "without it we do"
cat > g.dve <<'END'
byte x;
process S { state a, env_b, c; init a; trans a -> env_b { effect x = 1; }, env_b -> c { effect x = 2; }, env_b -> c { effect x = 3; }; }
system async;
END
run check g.dve --no-deadlock --strategy 'reach x == 3'
exits 1 "DVE: a state whose name begins with env_"
sed 's/env_b/b/g' g.dve > h.dve
run check h.dve --no-deadlock --strategy 'reach x == 3'
exits 0 "other states are ours"
sed 's/env_b/b/g; s/process S/process env_S/' g.dve > i.dve
run check i.dve --no-deadlock --strategy 'reach x == 3'
exits 1 "a process may be the environment's"
cat > s.pnml <<'END'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><page id="pg">
<place id="p"><type><structure><dot/></structure></type><hlinitialMarking><structure><dotconstant/></structure></hlinitialMarking></place><place id="q"><type><structure><dot/></structure></type></place>
<transition id="t"/><transition id="u"><toolspecific tool="thimble" version="1.0"><controllable value="false"/></toolspecific></transition>
<arc id="a" source="p" target="t"/><arc id="b" source="t" target="q"/><arc id="c" source="p" target="u"/>
</page></net></pnml>
END
run check s.pnml --no-deadlock --strategy 'reach q'
exits 1 "symmetric nets, unfolded"
run check s.pnml --no-deadlock --strategy 'reach q' --unfold never
exits 1 "and with their colours"

# ---- mistakes
run check runner.aut --strategy
exits 2 "no wish"
run check runner.aut --strategy 'keep zork'
exits 3 "an unknown name"
tells '^--strategy:1:' "with its place"
run check runner.aut --strategy 'state == 1' --uncontrollable 'zork*'
exits 2 "a pattern that nothing matches"
tells "nothing is called 'zork\*'" "is told"
run check g.pml --no-deadlock --strategy 'x == 1' --uncontrollable 'zork'
exits 2 "in programs, too"
run check runner.aut --uncontrollable 'a'
exits 2 "owners without a game"
tells 'is for games' "are told"
sed 's/value="false"/value="perhaps"/' g.pnml > bad.pnml
run check bad.pnml
exits 3 "a transition is controllable or not"
tells 'the value is true or false' "in PNML"
printf 'place p\ntransition t : p -> p\nuncontrollable u\n' > bad.net
run check bad.net
exits 3 "a transition that is not there"
tells '^bad.net:3:16: error: the transition "u" is not declared' "with its place"
printf 'place p\ntransition t : p -> p\nuncontrollable\n' > bad.net
run check bad.net
exits 3 "none at all"
run check runner.aut --no-deadlock --strategy 'keep state < 9' --strategy-file /nowhere/s.json
exits 0 "a file that cannot be written"
tells '/nowhere' "is told, and the verdict stays"
printf 'des (0, 1, 2)\n(0, "a", 1)\n' > keep.aut
run check keep.aut --no-deadlock --strategy 'keep (state >= 0)'
exits 0 "a wish in brackets"
run check keep.aut --no-deadlock --strategy 'keep'
exits 3 "a word that is no name of the model"
finish
