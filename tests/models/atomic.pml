/* expect: exit=1 states=73 transitions=2894 deadlocks=16 depth=5 */
/* Atomic sequences: with choices that meet again (no loop!), blocking in the middle, handing control over in a rendezvous. */
chan meet = [0] of { byte };
byte a, b, n, x;

active proctype chooser() {
  atomic {
    n = 0;
    if :: a = 0 :: a = 1 :: a = 2 :: a = 3 :: a = 4 :: a = 5 :: a = 6 :: a = 7 fi;
    if :: b = 0 :: b = 1 :: b = 2 :: b = 3 :: b = 4 :: b = 5 :: b = 6 :: b = 7 fi;
    a = 0; b = 0; skip; skip; skip; skip; n++; skip; skip; skip; n++;
    if :: b = 0 :: b = 1 :: b = 2 :: b = 3 fi
  }
}

active proctype sender() {
  atomic { x = 1; meet ! 5; x = 2 }
}

active proctype receiver() {
  byte got;
  atomic { meet ? got; x = got; n == 2 -> x = 9 }
}

active proctype other() {
  byte got;
  if
  :: meet ? got -> x = 20 + got
  :: b == 3 -> atomic { x == 1 -> a = 1; a == 2 }
  fi
}
