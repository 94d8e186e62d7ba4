/* expect: exit=1 states=4 transitions=3 deadlocks=0 depth=3 */
/* A guard that goes wrong in the middle of an atomic sequence, behind a choice that is possible. */
byte x, a[2], i = 3;

active proctype P() { skip; atomic { x = 1; if :: x == 1 -> x = 2 :: a[i] != 0 -> x = 3 fi } }
