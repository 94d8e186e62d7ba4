/* expect: exit=1 states=5 transitions=20004 deadlocks=0 depth=2 */
/* An assertion on a way inside an atomic sequence that comes back to a choice which was met before. */
byte x;

active proctype P() { atomic { do :: x = 1 :: assert(x == 0) :: break od } }
