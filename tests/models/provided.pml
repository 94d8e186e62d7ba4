/* expect: exit=0 states=18 transitions=17 deadlocks=0 depth=17 */
/* Who may move at all; timeout, which happens only when nothing else can, and else. */
byte turn, x, late;
chan c = [0] of { bit };

active proctype first() provided (turn == 0) {
  do
  :: x < 2 -> x++; turn = 1
  :: x == 2 -> c ! 1; break
  od
}

active proctype second() provided (turn == 1 || x == 2) {
  bit b;
  do
  :: c ? b -> break
  :: turn == 1 -> turn = 0
  :: timeout -> late++; if :: late > 1 -> break :: else fi
  od
}

active proctype third() {
  do
  :: timeout -> late = late + 10; break
  :: late > 3 -> break
  od;
  if
  :: late == 11 -> x = 5
  :: else -> x = 6
  fi
}
