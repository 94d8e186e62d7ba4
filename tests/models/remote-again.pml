/* expect: exit=1 states=1257 transitions=3205 deadlocks=4 depth=24 */
/* The first of a type is active from the start, dies, and lives again in another slot. */
byte x;
proctype Q() { x++; x > 3 }
active proctype P() { byte n; n = _pid + 3; L: x++ ; n = 1 }
active proctype W() {
  byte v, k;
  do
  :: P@L -> v = P:n; assert(v >= 3)
  :: !P@L && P:n == 0 -> v = 9
  :: k < 2 && _nr_pr == 2 -> k++; atomic { if :: run Q() :: skip fi; run P() }
  :: k == 2 && _nr_pr < 4 -> break
  od
}
