/* expect: exit=0 states=205 transitions=336 deadlocks=0 depth=13 */
/* Escapes: the inner sequence goes on only while nothing after unless is possible; also nested, and with a rendezvous. */
byte x, stop;
chan alarm = [0] of { byte };

active proctype worker() {
  byte why;
  {
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    od
  } unless {
    if
    :: stop == 1 -> why = 1
    :: alarm ? why
    fi
  };
  { { x = 10; x = 11; x = 12 } unless { stop == 2 -> x = 20 } } unless { stop == 3 -> x = 30 };
  x = x + why
}

active proctype boss() {
  if
  :: stop = 1
  :: alarm ! 9
  fi;
  stop = 2;
  stop = 3
}
