/* expect: exit=1 states=3 transitions=2 deadlocks=0 depth=2 */
/* What goes wrong where it is asked whether a process may move. */
byte x, a[2], i = 3;

active proctype P() provided (a[i] == 0) { x = 1 }
