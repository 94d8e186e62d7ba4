/* expect: exit=0 states=6 transitions=10 deadlocks=0 depth=3 */
/* A rendezvous at the beginning of a d_step leaves the sender in the middle of it. */
chan q = [0] of {byte};
byte x;

active proctype A() { do :: if :: d_step { do :: q!1; break :: else -> break od; skip } :: x = 1 - x fi od }
active proctype B() { byte i; do :: q?i od }
