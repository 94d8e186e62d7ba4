/* expect: exit=0 states=5 transitions=10004 deadlocks=0 depth=3 */
/* A loop with a choice inside an atomic sequence: there is no end of ways through it, but few places where it can end. */
byte x, y;

active proctype p() {
  atomic { y = 1; do :: x = 0 :: x = 1 :: break od; y = 2 }
  x = 5
}
