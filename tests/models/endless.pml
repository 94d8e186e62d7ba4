/* expect: exit=1 states=34 transitions=57 deadlocks=0 depth=8 */
/* Atomic sequences that never end: one without a choice is told and stops somewhere, one with choices leads nowhere. */
byte x, y;

active proctype p() {
  atomic {
    y = 1;
again:
    x = (x + 1) % 5;
    goto again
  }
}

active proctype q() {
  byte k;
  if
  :: atomic { k = 1; do :: k < 20 -> k++ :: else -> k = 7 od }
  :: k = 3
  fi;
  y = 3
}
