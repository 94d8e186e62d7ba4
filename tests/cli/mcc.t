#!/bin/sh
# mcc.t -- check --mcc: the lines of the Model Checking Contest, and its environment.
. tests/cli/lib.sh

run check --mcc StateSpace "$MODELS/mutex.pnml"
exits 0 "StateSpace"
says '^STATE_SPACE STATES 8 TECHNIQUES EXPLICIT' "STATES"
says '^STATE_SPACE TRANSITIONS 14 TECHNIQUES EXPLICIT' "TRANSITIONS"
says '^STATE_SPACE MAX_TOKEN_IN_PLACE 1 TECHNIQUES EXPLICIT' "MAX_TOKEN_IN_PLACE"
says '^STATE_SPACE MAX_TOKEN_PER_MARKING 3 TECHNIQUES EXPLICIT' "MAX_TOKEN_PER_MARKING"
same "$(wc -l < "$out" | tr -d ' ')" 4 "and nothing else"
run check "$MODELS/weights.net" --mcc=StateSpace
says 'MAX_TOKEN_IN_PLACE 10 ' "weights"
run check --mcc StateSpace "$MODELS/unbounded.net"
exits 0 "an unbounded net is an answer"
same "$(grep -c ' +inf TECHNIQUES' "$out")" 4 "+inf four times"
"$ROOT/tools/gen-net" pipeline 26 pnml > model.pnml
run check --mcc StateSpace --max-states 1000 model.pnml
exits 4 "a limit"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
BK_EXAMINATION=StateSpace BK_TIME_CONFINEMENT=1 BK_MEM_CONFINEMENT=4000 "$THIMBLE" check --mcc > "$out" 2> "$err"; code=$?
exits 4 "BK_TIME_CONFINEMENT, and model.pnml by itself"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
BK_EXAMINATION=StateSpace BK_MEM_CONFINEMENT=4 "$THIMBLE" check --mcc auto model.pnml > "$out" 2> "$err"; code=$?
exits 4 "BK_MEM_CONFINEMENT"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
BK_EXAMINATION=ReachabilityColour "$THIMBLE" check --mcc auto "$MODELS/mutex.pnml" > "$out" 2> "$err"; code=$?
same "$(cat "$out")" DO_NOT_COMPETE "an examination that is not known: DO_NOT_COMPETE"
run check --mcc ReachabilityColour "$MODELS/mutex.pnml"
same "$(cat "$out")" DO_NOT_COMPETE "also from the command line"
run check --mcc "$MODELS/mutex.pnml"
exits 2 "no examination"


# Queries: the descriptions in our own files are the answers.
nets=$ROOT/tests/models/mcc
answers() { sort "$out" | sed -n 's/^FORMULA [^ ]* \([^ ]*\) TECHNIQUES .*/\1/p' | tr '\n' ' '; } # they come as they are found
for examination in ReachabilityCardinality ReachabilityFireability CTLCardinality CTLFireability LTLCardinality LTLFireability UpperBounds; do
  queries=$nets/buffer-$examination.xml
  run check "$nets/buffer.net" --mcc $examination --queries "$queries"
  exits 0 "$examination"
  same "$(answers)" "$(sed -n 's/.*<description>\(.*\)<.*/\1/p' "$queries" | tr '\n' ' ')" "$examination: every answer"
  same "$(sed -n 's/^FORMULA \([^ ]*\) .*/\1/p' "$out" | sort | tr '\n' ' ')" "$(sed -n 's/.*<id>\(.*\)<.*/\1/p' "$queries" | sort | tr '\n' ' ')" "$examination: every id"
done
cp "$nets/buffer-UpperBounds.xml" UpperBounds.xml
cp "$nets/buffer.net" .
run check buffer.net --mcc UpperBounds
same "$(answers)" "2 1 3 1 2 4 " "EXAMINATION.xml beside the model"

# One question about the net.
asks() { # asks NET "deadlock one-safe quasi-live stable live"
  got=
  for examination in ReachabilityDeadlock OneSafe QuasiLiveness StableMarking Liveness; do
    run check "$1" --mcc $examination
    [ "$(sed -n 's/^FORMULA \([^ ]*\) .*/\1/p' "$out")" = $examination ] || got="$got?"
    got="$got$(answers)"
  done
  same "$got" "$2 " "$(basename "$1"): deadlock, one-safe, quasi-live, stable marking, live"
}
asks "$nets/buffer.net" "TRUE FALSE TRUE FALSE FALSE"
asks "$nets/ring.net" "FALSE TRUE TRUE TRUE TRUE"
asks "$nets/halves.net" "FALSE TRUE TRUE FALSE FALSE"
printf 'place p = 1, q\ntransition t : p -> q\ntransition never : 2*q -> p\n' > dead.net
asks dead.net "TRUE TRUE FALSE FALSE FALSE"
printf 'place p = 1, q, r = 2\ntransition t : p -> q\ntransition u : q -> p\n' > loose.net
asks loose.net "FALSE FALSE TRUE TRUE TRUE"

# What has no answer is not guessed.
asks "$MODELS/unbounded.net" "$(run check "$MODELS/unbounded.net" --mcc ReachabilityDeadlock; answers)FALSE $(run check "$MODELS/unbounded.net" --mcc QuasiLiveness; answers)$(run check "$MODELS/unbounded.net" --mcc StableMarking; answers)CANNOT_COMPUTE"
printf 'place a = 1, b, x\ntransition ab : a -> b\ntransition ba : b -> a, x\n' > grows.net
formula() { printf '<property-set><property><id>q</id><formula>%s</formula></property></property-set>\n' "$1" > q.xml; }
many='<integer-le><integer-constant>7</integer-constant><tokens-count><place>x</place></tokens-count></integer-le>'
formula "<exists-path><finally>$many</finally></exists-path>"
run check grows.net --mcc ReachabilityCardinality --queries q.xml
same "$(answers)" "TRUE " "an unbounded net: what a state shows is known"
formula "<all-paths><globally><negation><deadlock/></negation></globally></all-paths>"
run check grows.net --mcc ReachabilityCardinality --queries q.xml
same "$(answers)" "TRUE " "an unbounded net: what the state equation shows is known"
says 'TRUE TECHNIQUES STATE_EQUATION' "and is told to be its doing"
printf 'place dead = 1, q\ntransition t : dead -> q\n' > named.net
for examination in ReachabilityDeadlock ReachabilityCardinality CTLCardinality; do
  formula "<exists-path><finally><deadlock/></finally></exists-path>"
  run check named.net --mcc $examination --queries q.xml
  same "$(answers)" "TRUE " "$examination: a place that is called dead is not meant by a deadlock"
done
formula "<all-paths><next><next><deadlock/></next></next></all-paths>"
run check named.net --mcc LTLCardinality --queries q.xml
same "$(answers)" "TRUE " "nor in a linear formula"
odd() { printf '<integer-eq><tokens-count><place>x</place></tokens-count><integer-constant>%s</integer-constant></integer-eq>' "$1"; }
printf 'place x\ntransition two : -> 2*x\n' > even.net
formula "<exists-path><finally>$(odd 3)</finally></exists-path>"
run check even.net --mcc ReachabilityCardinality --queries q.xml
exits 4 "an unbounded net: what neither shows"
same "$(answers)" "CANNOT_COMPUTE " "is not known"
formula "<all-paths><finally>$many</finally></all-paths>"
run check grows.net --mcc CTLCardinality --queries q.xml
same "$(answers)" "TRUE " "a branching formula that a part of the graph decides is known"
formula "<all-paths><globally><exists-path><finally>$many</finally></exists-path></globally></all-paths>"
run check grows.net --mcc CTLCardinality --queries q.xml
same "$(answers)" "CANNOT_COMPUTE " "one that all states must decide is not"
formula "<place-bound><place>x</place></place-bound>"
run check grows.net --mcc UpperBounds --queries q.xml
same "$(answers)" "CANNOT_COMPUTE " "nor bounds"
formula "<place-bound><place>a</place><place>b</place></place-bound>"
run check grows.net --mcc UpperBounds --queries q.xml
same "$(answers)" "1 " "but those of places that are bounded"
printf 'place x = 100, y\ntransition two : 2*x -> y\n' > fall.net
for quantifier in exists all; do
  paths=exists-path operator=finally
  [ $quantifier = all ] && paths=all-paths operator=globally
  what=$(odd 51)
  [ $quantifier = all ] && what="<negation>$what</negation>"
  formula "<$paths><$operator>$what</$operator></$paths>"
  for examination in ReachabilityCardinality CTLCardinality; do
    run check fall.net --mcc $examination --queries q.xml --max-states 5
    exits 4 "$examination: a limit"
    same "$(answers)" "CANNOT_COMPUTE " "$examination: CANNOT_COMPUTE"
    run check fall.net --mcc $examination --queries q.xml
    [ $quantifier = all ] && same "$(answers)" "TRUE " "$examination: and without the limit"
    [ $quantifier = all ] || same "$(answers)" "FALSE " "$examination: and without the limit"
  done
done

printf 'place a = 2, b = 2000000000, c\ntransition t : a, 1000000000*b -> 2000000000*c\ntransition u : a -> c\n' > countless.net
run check countless.net --mcc StateSpace
exits 4 "more tokens than can be counted: incomplete, not a wrong file"
same "$(cat "$out")" CANNOT_COMPUTE "CANNOT_COMPUTE"
tells 'c gets more than 2147483647 tokens' "and why"
run check countless.net --mcc ReachabilityDeadlock
same "$(answers)" "TRUE " "what does not need to count them is answered"

# What needs no search is known whatever the limit.
formula "<exists-path><finally>$(odd 98)</finally></exists-path>"
run check fall.net --mcc ReachabilityCardinality --queries q.xml --max-states 1
says 'TRUE TECHNIQUES RANDOM_WALK' "a walk"
formula "<all-paths><globally><integer-le><tokens-count><place>x</place><place>y</place></tokens-count><integer-constant>100</integer-constant></integer-le></globally></all-paths>"
run check fall.net --mcc CTLCardinality --queries q.xml --max-states 1
says 'TRUE TECHNIQUES STATE_EQUATION' "the state equation"
formula "<all-paths><until><before>$(odd 7)</before><reach>$(odd 100)</reach></until></all-paths>"
run check fall.net --mcc LTLCardinality --queries q.xml --max-states 1
says 'TRUE TECHNIQUES INITIAL_STATE' "the first state"

# That nothing can happen: of each transition some input place lacks tokens. One after the other is tried where all of them together have a solution that is none.
awk 'BEGIN { n = 20
  for (i = 0; i < n; i++) { printf "place calm%d = 1, low%d = 1, wants%d, up%d, in%d\n", i, i, i, i, i; others[i] = "" }
  for (i = 0; i < n; i++) for (j = 0; j < n; j++) if (i != j) others[i] = others[i] ", low" j
  for (i = 0; i < n; i++) {
    printf "transition try%d : calm%d, low%d -> wants%d, up%d\n", i, i, i, i, i
    for (j = 0; j < n; j++) if (i != j) printf "transition yield%d_%d : wants%d, up%d, up%d -> calm%d, low%d, up%d\n", i, j, i, i, j, i, i, j
    printf "transition enter%d : wants%d%s -> in%d%s\n", i, i, others[i], i, others[i]
    printf "transition leave%d : in%d, up%d -> calm%d, low%d\n", i, i, i, i, i
  } }' > dekker.net
run check dekker.net --mcc ReachabilityDeadlock --max-states 1000
says 'FALSE TECHNIQUES STATE_EQUATION' "no deadlock, by the state equation in all cases"

# Large bounds are as far away as there are tokens.
printf 'place x = 30000, y, z\ntransition t : x -> y\ntransition u : y -> z\n' > far.net
formula "<place-bound><place>y</place></place-bound>"
run check far.net --mcc UpperBounds --queries q.xml --max-states 1000
same "$(answers)" "30000 " "a bound that is far away"
"$ROOT/tools/gen-net" kanban 1000 > cards.net
formula "<place-bound><place>work3</place><place>back1</place></place-bound>"
run check cards.net --mcc UpperBounds --queries q.xml --max-states 1000
same "$(answers)" "2000 " "likewise, by firings in step with each other"

# Each question has a net of its own: what it cannot see may be as large as it likes.
wheels() { # wheels MORE: thirty tokens that go to and fro, if MORE is there
  for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29; do printf 'place a%d = 1, b%d\ntransition to%d : a%d%s -> b%d%s\ntransition fro%d : b%d%s -> a%d%s\n' $i $i $i $i "$1" $i "$1" $i $i "$1" $i "$1"; done
}
(cat fall.net; wheels "") > crowd.net
formula "<exists-path><finally>$(odd 51)</finally></exists-path>"
run check crowd.net --mcc ReachabilityCardinality --queries q.xml --max-states 1000
says 'FALSE TECHNIQUES .*STRUCTURAL_REDUCTION' "a reachability query in a net of its own"
(printf 'place g = 1, r, s, z\ntransition close : g -> r\ntransition breed : g, r -> 3*g, z\ntransition rs : r -> s\ntransition sr : s -> r\n'; wheels "") > never.net
run check never.net --mcc QuasiLiveness --max-states 1000
says 'FALSE TECHNIQUES (STUBBORN|STRUCTURAL)' "a transition that never happens, found in a net of its own"
run check never.net --mcc StableMarking --max-states 1000
says 'TRUE TECHNIQUES (STUBBORN|STRUCTURAL)' "a place that never changes, likewise"
(printf 'place g = 3, r, s\ntransition close : 2*g -> g, r\ntransition breed : 2*g, r -> 3*g\ntransition rs : r -> s\ntransition sr : s -> r\n'; wheels ", 2*g") > corner.net
run check corner.net --mcc Liveness --max-states 1000
says 'FALSE TECHNIQUES EXPLICIT' "and no equation says so: what stays of g looks as if it could breed"
same "$(answers)" "FALSE " "a corner in which wheels stand still: they are not live"
(printf 'place g = 1, r\ntransition close : g -> r\ntransition r0 : r -> r\n'; wheels ", r") > later.net
run check later.net --mcc Liveness --max-states 1000
says 'FALSE TECHNIQUES RANDOM_WALK STATE_EQUATION' "what can never happen again by the state equation of a later marking"

# Bad files.
formula "<exists-path><finally><sometimes/></finally></exists-path>"
run check buffer.net --mcc ReachabilityCardinality --queries q.xml
exits 4 "an element that is not known"
same "$(answers)" "CANNOT_COMPUTE " "is a query without an answer"
tells '^q\.xml:1:[0-9]+: .*sometimes is not known' "and told with its place in the file"

# Formulas that are not put together as they should be have no answer: what is meant is not guessed.
one='<integer-constant>1</integer-constant>'
for formula in "<until><reach><false/></reach><before><true/></before></until>" "<until><before><true/></before></until>" "<until><true/><true/></until>" \
  "<globally><integer-le>$one</integer-le></globally>" "<globally><implication><true/></implication></globally>" "<globally><before><true/></before></globally>" \
  "<globally><true/><true/></globally>" "<globally><integer-eq>$one<integer-difference>$one</integer-difference></integer-eq></globally>"; do
  formula "<all-paths>$formula</all-paths>"
  run check buffer.net --mcc CTLCardinality --queries q.xml
  same "$(answers)" "CANNOT_COMPUTE " "$formula"
  tells '^q\.xml:1:[0-9]+: .*(is not in its place|parts that it should have)' "is told with its place"
done
formula "<exists-path><finally><is-fireable><transition>gett</transition></is-fireable></finally></exists-path>"
run check buffer.net --mcc ReachabilityFireability --queries q.xml
exits 4 "a name that is not known"
same "$(answers)" "CANNOT_COMPUTE " "costs the query its answer"
tells '^q\.xml:1:91: .*gett' "is told with its place in the file"
tells "get" "with one that is near"
printf '%s\n' '<property-set><property><id>good</id><formula><exists-path><finally><is-fireable><transition>get</transition></is-fireable></finally></exists-path></formula>' \
  '</property><property><id>bad</id><formula><all-paths><globally><negation><is-fireable><transition>get</transition>' \
  '<transition>putt</transition></is-fireable></negation></globally></all-paths></formula></property></property-set>' > two.xml
run check buffer.net --mcc ReachabilityFireability --queries two.xml
same "$(answers)" "CANNOT_COMPUTE TRUE " "and no other (bad, good)"
tells '^two\.xml:3:13: .*putt' "told with the place of the second name"
formula "<place-bound><place>nowhere</place></place-bound>"
run check buffer.net --mcc UpperBounds --queries q.xml
exits 4 "a place that is not known"
tells '^q\.xml:1:64: .*nowhere' "is told with its place"
printf '<property-set><property><id>q</id><formula><all-pa' > q.xml
run check buffer.net --mcc CTLCardinality --queries q.xml
exits 3 "a file that ends too early"
tells 'q\.xml:[0-9]+:[0-9]+' "with its place"
printf '<pnml/>' > q.xml
run check buffer.net --mcc CTLCardinality --queries q.xml
tells 'no set of properties' "another kind of file"
run check buffer.net --mcc CTLCardinality --queries nowhere.xml
tells 'nowhere.xml' "a file that is not there"

corpus=${THIMBLE_CORPUS:-$ROOT/../shared/corpus}/pnml
if [ -e "$corpus/ORACLE.csv" ]; then
  for model in AutonomousCar-PT-01a CSRepetitions-PT-02 CircularTrains-PT-012 DNAwalker-PT-01track12Block1 ERK-PT-000010 FMS-PT-00002; do
    run check --mcc StateSpace "$corpus/$model/model.pnml"
    want=$(sed -n "s/^$model,[A-Z]*,StateSpace\.\([A-Z_]*\),/\1 /p" "$corpus/ORACLE.csv" | tr -d '\r' | sort | tr '\n' ';')
    got=$(sed 's/^STATE_SPACE //; s/ TECHNIQUES.*//' "$out" | sort | tr '\n' ';')
    same "$got" "$want" "$model"
  done
else skip "nets of the contest" "no corpus here"; fi
# QUERIES.csv numbers the answers of an examination in the order of the queries' full ids, years included.
if [ -e "$corpus/QUERIES.csv" ]; then
  for model in ResAllocation-PT-R003C002 ShieldRVt-PT-001A StigmergyElection-PT-02a CircularTrains-PT-012 UtilityControlRoom-PT-Z2T4N02; do
    for examination in CTLCardinality CTLFireability LTLCardinality LTLFireability ReachabilityCardinality ReachabilityFireability UpperBounds; do
      run check "$corpus/$model/model.pnml" --mcc $examination
      want=$(sed -n "s/^$model,PT,$examination\.//p" "$corpus/QUERIES.csv" | tr -d '\r' | sort | sed 's/.*,//' | tr '\n' ' ')
      same "$(sort "$out" | sed -n 's/^FORMULA [^ ]* \([^ ]*\) .*/\1/p' | tr '\n' ' ')" "$want" "$model $examination"
    done
    for examination in ReachabilityDeadlock OneSafe QuasiLiveness StableMarking Liveness; do
      run check "$corpus/$model/model.pnml" --mcc $examination
      same "$(answers)" "$(sed -n "s/^$model,PT,$examination,//p" "$corpus/ORACLE.csv" | tr -d '\r') " "$model $examination"
    done
  done
else skip "queries of the contest" "no corpus here"; fi
# Numbers that tables of a state's parts cannot hold: 500 * 2^20 for each of six places that one implied place counts with.
{
  echo 'place q = 104857600'
  for i in 0 1 2 3 4 5; do echo "place p$i = 500"; done
  for i in 0 1 2 3 4 5; do echo "transition t$i : 100*p$i, 104857600*q ->"; done
} > large.net
run check large.net --mcc StateSpace
says '^STATE_SPACE STATES 7 ' "large factors: states"
says '^STATE_SPACE TRANSITIONS 6 ' "large factors: transitions"
run check large.net --continue --json
says '"deadlocks": 6' "large factors: deadlocks"
{ echo 'place p = 500'; for i in 0 1 2 3 4 5 6 7 8 9; do echo "place q$i"; done; echo 'transition t : p -> 1000000*q0, 1000000*q1, 1000000*q2, 1000000*q3, 1000000*q4, 1000000*q5, 1000000*q6, 1000000*q7, 1000000*q8, 1000000*q9'; } > total.net
run check total.net --mcc StateSpace
says '^STATE_SPACE MAX_TOKEN_PER_MARKING 5000000000 ' "more tokens in a marking than 32 bits count"

# A coloured transition that no colours enable is one that is not live, and a coloured place that is named twice counts twice: unfolded or not.
symmetric() { echo '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">'"$1"'</net></pnml>'; }
dot='<type><structure><dot/></structure></type>'
one='<hlinitialMarking><structure><dotconstant/></structure></hlinitialMarking>'
taken='<hlinscription><structure><dotconstant/></structure></hlinscription>'
symmetric '<page id="g"><place id="P">'"$dot$one"'</place><place id="Q">'"$dot"'</place><transition id="t"/><arc id="x" source="Q" target="t">'"$taken"'</arc></page>' > never.pnml
colour() { echo '<structure><useroperator declaration="'"$1"'"/></structure>'; }
symmetric '<declaration><structure><declarations><namedsort id="C" name="C"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/></cyclicenumeration></namedsort></declarations></structure></declaration><page id="g"><place id="P"><type><structure><usersort declaration="C"/></structure></type><hlinitialMarking>'"$(colour a)"'</hlinitialMarking></place><place id="Q">'"$dot$one"'</place><transition id="t"/><arc id="x" source="Q" target="t">'"$taken"'</arc><arc id="y" source="t" target="P"><hlinscription>'"$(colour b)"'</hlinscription></arc></page>' > twice.pnml
echo '<property-set xmlns="http://mcc.lip6.fr/"><property><id>q0</id><description>4</description><formula><place-bound><place>P</place><place>P</place></place-bound></formula></property></property-set>' > twice.xml
for how in always never; do
  run check never.pnml --mcc Liveness --unfold $how
  same "$(answers)" "FALSE " "no binding at all, unfold $how: not live"
  run check twice.pnml --mcc UpperBounds --queries twice.xml --unfold $how
  same "$(answers)" "4 " "a place that is named twice, unfold $how"
done

# More tokens than can be counted: what was found before that is an answer.
printf 'place p = 2147483647, q = 1, r\ntransition t : q -> q, p\ntransition u : q -> r\n' > beyond.net
echo '<property-set xmlns="http://mcc.lip6.fr/"><property><id>q0</id><description>1</description><formula><place-bound><place>q</place></place-bound></formula></property><property><id>q1</id><description>?</description><formula><place-bound><place>p</place></place-bound></formula></property></property-set>' > beyond.xml
run check beyond.net --mcc UpperBounds --queries beyond.xml
says '^FORMULA q0 1 ' "beyond 2^31 tokens: the other place has its bound"


# ---- ids are one word of one line
cp "$MODELS/mutex.pnml" odd.pnml
cat > odd.xml <<'END'
<?xml version="1.0"?>
<property-set xmlns="http://mcc.lip6.fr/"><property><id>A&#10;FORMULA fake TRUE&#x9b;x</id><description>d</description><formula><exists-path><finally><is-fireable><transition>ask1</transition></is-fireable></finally></exists-path></formula></property></property-set>
END
run check odd.pnml --mcc ReachabilityFireability --queries odd.xml
same "$(grep -c '^FORMULA' "$out")" 1 "an id with a line end is one answer"
says '^FORMULA A.x0aFORMULA fake TRUE.xc2.x9bx TRUE TECHNIQUES' "as it is shown everywhere"
finish
