/* SPIN counts the claim among the processes. */
byte x;
active proctype P() { (_nr_pr == 1); x = 1 }
ltl alone { <> (x == 1) }
