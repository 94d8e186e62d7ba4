/* expect: exit=1 states=7 transitions=6 deadlocks=0 depth=6 */
/* Looking for a message in a rendezvous channel (?<..>) is an error (runtime); nothing is seen, and nobody is met. */
chan meet = [0] of { byte };
byte x;

active proctype left() {
  meet!1
}

active proctype right() {
  do
  :: meet?<x>
  :: x == 0 -> x = 1
  :: x == 1 -> break
  od;
  meet?x
}
