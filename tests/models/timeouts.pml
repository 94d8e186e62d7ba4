/* expect: exit=0 states=24 transitions=24 deadlocks=0 depth=15 */
/* Among those that wait for a timeout the one with the highest priority moves, whoever is looked at first. */
byte x, y;

active proctype A() priority 5 { timeout -> x = 1; timeout -> x = 2 }
active [2] proctype B() priority 1 { timeout -> assert(x == 2); y++; y++ }
