#!/bin/sh
# space_report.t -- the state space report: of coloured nets by itself, of others on request; whole, partial, without memory for the graph; as JSON; what CPN Tools says of the same nets.
. tests/cli/lib.sh

report() { sed -n '/^State space report/,$p' "$out"; }

# ---- the whole text
run check "$MODELS/simple-protocol.cpnt" -o t.json
exits 1 "a net that comes to its end"
says '^  16 states, 27 transitions, depth 6, 1 deadlock, 2 waiting' "the verdict is that of the run to the first deadlock"
same "$(report)" "State space report

  Statistics
    State space  16 nodes, 29 arcs: full
    SCC graph    9 nodes, 15 arcs: 5 nontrivial, 4 trivial

  Boundedness properties
    Best integer bounds       upper    lower
      Protocol'Out_buffer         2        2
      Protocol'Send_id            1        1
      Protocol'Limit              2        0
      Protocol'Network_1          2        0
      Protocol'Network_2          1        0
      Protocol'Receive_id         1        1
      Protocol'Arrived            1        1
    Best upper multiset bounds
      Protocol'Out_buffer   1\`(1,\"Formal\")++1\`(2,\"model\")
      Protocol'Send_id      1\`1++1\`2++1\`3
      Protocol'Limit        2\`()
      Protocol'Network_1    2\`(1,\"Formal\")++2\`(2,\"model\")
      Protocol'Network_2    1\`1++1\`2
      Protocol'Receive_id   1\`1++1\`2++1\`3
      Protocol'Arrived      1\`[]++1\`[(1,\"Formal\")]++1\`[(1,\"Formal\"),(2,\"model\")]
    Best lower multiset bounds
      Protocol'Out_buffer   1\`(1,\"Formal\")++1\`(2,\"model\")
      Protocol'Send_id      empty
      Protocol'Limit        empty
      Protocol'Network_1    empty
      Protocol'Network_2    empty
      Protocol'Receive_id   empty
      Protocol'Arrived      empty

  Home properties
    Home markings  1 [13]; the initial marking is not one

  Liveness properties
    Dead markings                1 [13]
      the nearest, after 6 steps: Protocol'Out_buffer 1\`(1,\"Formal\")++1\`(2,\"model\"), Protocol'Send_id 1\`3, Protocol'Limit 2\`(), Protocol'Receive_id 1\`3, Protocol'Arrived 1\`[(1,\"Formal\"),(2,\"model\")]
    Dead transition instances    none
    Live transition instances    none

  Fairness properties
    Impartial                    Protocol'Send_data, Protocol'Drop
    Fair                         none
    Just                         none
    No fairness                  Protocol'Receive_data, Protocol'Receive_answer" "its report, all of it"

run check "$MODELS/resources.cpnt"
exits 0 "a net that goes on for ever"
same "$(report)" "State space report

  Statistics
    State space  13 nodes, 20 arcs: full
    SCC graph    1 node, 0 arcs: 1 nontrivial, 0 trivial

  Boundedness properties
    Best integer bounds       upper    lower
      System'A                    3        1
      System'B                    3        1
      System'C                    1        0
      System'D                    1        0
      System'E                    1        0
      System'R                    1        0
      System'S                    3        0
      System'T                    2        0
    Best upper multiset bounds
      System'A              3\`q
      System'B              2\`p++1\`q
      System'C              1\`p++1\`q
      System'D              1\`p++1\`q
      System'E              1\`p++1\`q
      System'R              1\`()
      System'S              3\`()
      System'T              2\`()
    Best lower multiset bounds
      System'A              1\`q
      System'B              1\`p
      System'C              empty
      System'D              empty
      System'E              empty
      System'R              empty
      System'S              empty
      System'T              empty

  Home properties
    Home markings  all; the initial marking is one

  Liveness properties
    Dead markings                none
    Dead transition instances    none
    Live transition instances    all

  Fairness properties
    Impartial                    System'T2, System'T3, System'T4, System'T5
    Fair                         none
    Just                         none
    No fairness                  System'T1" "its report, all of it"

# ---- what CPN Tools reports of a memory and two disks: 5 nodes, 10 arcs, one component; one transition fair, one just, four with no fairness
cat > disks.cpnt <<'END'
net Disks
declare
  colset MEMORY = with memory;
  colset DISK = with one | two;
  colset BOTH = product DISK * DISK;
page Machine
  place Memory : MEMORY
    initial memory
  place Free_1 : DISK
    initial one
  place Free_2 : DISK
    initial two
  place Done_1 : DISK
  place Done_2 : DISK
  place Done : BOTH
  transition Work_1
    test Memory : memory
    take Free_1 : one
    give Done_1 : one
  transition Print_1
    take Done_1 : one
    give Free_1 : one
  transition Work_2
    test Memory : memory
    take Free_2 : two
    give Done_2 : two
  transition Print_2
    take Done_2 : two
    give Free_2 : two
  transition Join
    test Memory : memory
    take Done_1 : one
    take Done_2 : two
    give Done : (one, two)
  transition Print
    take Done : (one, two)
    give Free_1 : one
    give Free_2 : two
END
run check disks.cpnt
exits 0 "a memory and two disks"
says '5 nodes, 10 arcs: full$' "nodes and arcs"
says '1 node, 0 arcs: 1 nontrivial, 0 trivial$' "one component"
says "Machine'Memory +1 +1$" "integer bounds"
says "Machine'Done  +1\`\(one,two\)" "multiset bounds"
says '^    Home markings  all' "all markings are home markings"
says '^    Live transition instances +all$' "all transitions are live"
says '^    Impartial +none$' "none is impartial"
says "^    Fair +Machine'Print$" "one is fair"
says "^    Just +Machine'Join$" "one is just"
says "^    No fairness +Machine'Work_1, Machine'Print_1, Machine'Work_2, Machine'Print_2$" "the others have no fairness"

# ---- philosophers: no three of five eat; both transitions are in every cycle
run check "$MODELS/philosophers.cpnt" -D seats=5
says '^    State space  11 nodes, 30 arcs: full$' "five philosophers"
says "^    Impartial +all$" "every infinite run takes and puts down for ever"

# ---- no cycle, no fairness; dead transitions
cat > ends.cpnt <<'END'
net Ends
declare
  colset NUMBER = int;
  var x : NUMBER;
page Top
  place A : NUMBER
    initial 1`1 ++ 1`2
  place B : NUMBER
  transition Go
    take A : x
    give B : x
  transition Never
    take B : 7
END
run check ends.cpnt --no-deadlock
exits 0 "--no-deadlock is no property: there is a report"
says '^    No infinite occurrence sequences$' "no infinite runs"
says "^    Dead transition instances +Top'Never$" "a dead transition"
says '^    Home markings  1 \[3\]; the initial marking is not one$' "one home marking"
says '4 nodes, 4 arcs: 0 nontrivial, 4 trivial' "components without cycles"

# ---- when there is one
run check "$MODELS/resources.cpnt" -q
same "$(cat "$out")" "holds: $MODELS/resources.cpnt, complete exact search" "--quiet: the verdict alone"
run check "$MODELS/resources.cpnt" --no-space-report
silent 'State space report' "--no-space-report"
run check "$MODELS/resources.cpnt" --invariant 'size A > 0'
silent 'State space report' "not beside properties"
run check "$MODELS/resources.cpnt" --invariant 'size A > 0' --space-report
exits 0 "unless it is asked for"
says '^    State space  13 nodes, 20 arcs: full$' "then it is there"
run check "$MODELS/resources.cpnt" --no-deadlock --ltl '[] {size A > 0}' --space-report
says '^    State space  13 nodes, 20 arcs: full$' "also where nothing is asked of states"
run check "$MODELS/resources.cpnt" --ctl 'AG EF (cf(p, D) > 0)' --space-report
says '^    State space  13 nodes, 20 arcs: full$' "and beside a graph for CTL"
run check "$MODELS/resources.cpnt" --search dfs
silent 'State space report' "nor with another search"
run check "$MODELS/resources.cpnt" --store tree --search dfs --space-report
says '^    State space  13 nodes, 20 arcs: full$' "unless it is asked for"
run check "$MODELS/resources.cpnt" --swarm 2 --lossy --space-report
says '^    State space  13 nodes, 20 arcs: full$' "also beside a swarm"
run check "$MODELS/simple-protocol.cpnt" --continue -o t.json
says '^    State space  16 nodes, 29 arcs: full$' "--continue explores all by itself"
run check "$MODELS/mutex.pnml"
silent 'State space report' "place/transition nets give none by themselves"
run check "$MODELS/philosophers.net" --space-report -o t.json
exits 1 "on request"
says '^    State space  14 nodes, 27 arcs: full$' "they do"
says '^      thinks1 +1 +0$' "with integer bounds"
silent 'multiset' "and no others"
says '^    Fair +done1, done2, done3$' "and fairness"
run check "$MODELS/graph.aut" --space-report --no-deadlock
silent 'Boundedness' "graphs have no places"
says '^    Dead states +' "but states"

# ---- partial
run check "$MODELS/telephones.cpnt" --max-states 100
exits 4 "a limit"
says '^    State space  108 nodes, [0-9,]+ arcs: partial, stopped by states$' "a partial report"
says 'upper +lower  so far$' "bounds so far"
says 'Best upper multiset bounds so far$' "of multisets too"
says 'not known: home markings need the whole state space$' "what is missing is said"
says 'not known: fairness needs the whole state space$' "of fairness too"
cat > wide.cpnt <<'END'
net Wide
declare
  colset N = int with 1..18;
  colset U = unit;
  var x : N;
page Top
  place A : N
    initial N.all()
  place B : N
  place Alive : U
    initial ()
  place Dead : U
  transition There
    test Alive : ()
    take A : x
    give B : x
  transition Back
    test Alive : ()
    take B : x
    give A : x
  transition Stop
    take Alive : ()
    give Dead : ()
END
run check wide.cpnt -o t.json
exits 1 "a deadlock after one step, and half a million states"
says 'partial, stopped by a limit of 200,000 states behind a violation: --space-report explores all of them$' "the report does not explore for ever"
run check wide.cpnt --space-report -o t.json
says '^    State space  524,288 nodes, 4,980,736 arcs: full$' "unless it was asked for"
says '^    Dead markings +262,144 \[[0-9,]+,\.\.\.\]$' "dead markings, the first of them"
{
  printf 'net Far\ndeclare\n  colset N = int with 0..9;\n  colset K = int with 1..8;\n  colset KN = product K * N;\n  var k : K;\n  var n : N;\npage Top\n'
  printf '  place Left : KN\n    initial 1`(1,9)++1`(2,9)++1`(3,9)++1`(4,9)++1`(5,9)++1`(6,9)++1`(7,9)++1`(8,9)\n'
  printf '  transition Count\n    guard n > 0\n    take Left : (k, n)\n    give Left : (k, n - 1)\n'
} > far.cpnt
run check far.cpnt -o t.json
exits 1 "a deadlock after 72 steps, and 10^8 states"
says 'found by a directed search of [0-9,]+ states' "is found ahead"
says '^    State space  [0-9,]+ nodes, [0-9,]+ arcs: partial, stopped by (a limit of 200,000 states behind )?a violation: --space-report explores all of them$' "the report is about what was seen behind it, or 200,000 states on a slow machine"
run check "$MODELS/telephones.cpnt" -D phones=5 -m 4M
exits 0 "a budget that the graph does not fit in"
says '^    State space  107,648 nodes, [0-9,]+ arcs: full$' "the run is whole all the same"
says "Exchange'Connected +4 +0$" "bounds are there"
says 'the budget has no room for the graph' "and what is not is said"
says '^    Dead markings +none$' "dead markings are counted"
says '^    Dead transition instances +none$' "dead transitions are known"

# ---- JSON
run check "$MODELS/simple-protocol.cpnt" --json --space-report -o t.json
same "$(field states)" 16 "JSON: the verdict's own figures"
says '"state_space": \{"nodes": 16, "arcs": 29, "status": "full"\}' "statistics"
says '"scc_graph": \{"nodes": 9, "arcs": 15, "trivial": 4, "nontrivial": 5\}' "components"
says '"upper_multiset": "1`1\+\+\\n1`2", "lower_multiset": "empty"' "multisets"
says '"home_markings": \{"count": 1, "first": \[13\], "initial": false\}' "home markings"
says '"dead_markings": \{"count": 1, "first": \[13\], "nearest_steps": 6\}' "dead markings"
says "\"impartial\": \[\"Protocol'Send_data\", \"Protocol'Drop\"\]" "fairness"
run check "$MODELS/telephones.cpnt" --json --space-report --max-states 100
says '"missing": "partial"' "partial"
says '"fairness": null' "what is missing is null"
run check "$MODELS/telephones.cpnt" --json
says '"space_report": null' "scripts ask for it"
run check "$MODELS/mutex.pnml" --json
same "$(field space_report)" null "no report"

# ---- parts of steps
cat > parts.pml <<'END'
chan meet = [0] of { byte };
byte n;
active proctype A() { byte x; do :: atomic { n < 3 -> n++; x = n }; meet!x; od }
active proctype B() { byte y; end: do :: meet?y; n = 0; :: n == 9 -> n = 1 od }
END
run graph --summary parts.pml
exits 0 "statements inside of steps"
says '^3 happen inside steps that are called by another statement.*: A\[0\] n = n[+]1, A\[0\] x = n, B\[1\] meet\?y' "are no dead ones"
says '^2 transitions never happen: ' "those that are dead are"
silent 'A\[1\]' "and processes that never were are not spoken of"
run graph --summary parts.pml --json
says '"parts": \["A\[0\] n = n\+1", "A\[0\] x = n"' "as JSON"

# ---- singular
printf 'des (0, 1, 1)\n(0, "a", 0)\n' > one.aut
run graph --summary one.aut
says '^1 state, 1 transition; the state has 1 successor$' "one of a kind"
says '^1 is impartial' "one transition"
run compare one.aut one.aut
says '^one.aut: 1 state, 1 transition$' "in compare as well"
says '^1 class of states' "and one class"

# ---- published: the protocol of Jensen and Kristensen's book
file=$(ls "${THIMBLE_CORPUS:-$ROOT/../shared/corpus}"/cpn/files/*__7-2LimitProtocol.cpn 2>/dev/null | head -n 1)
if [ -z "$file" ]; then skip "the published report" "no corpus"; else
  run check "$file" -o t.json
  says '13,215 nodes, 52,784 arcs: full$' "the book's protocol"
  says '5,013 nodes, 37,312 arcs: ' "its SCC graph"
  says '^    Dead markings +1 \[4867\]$' "its dead marking, counted from 0"
  says "^    Impartial +Protocol'Send_Packet, Protocol'Transmit_Packet$" "its fairness"
fi
finish
