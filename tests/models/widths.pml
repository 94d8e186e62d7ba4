/* expect: exit=0 states=44 transitions=53 deadlocks=0 depth=29 */
/* Values that outgrow 8 and 16 bits and become negative, in variables, parameters and messages; several types take turns in a slot. */
int big, small;
short mid = 200;
chan q = [2] of { int, short };

proctype one(int n) {
  int own = n;
  do
  :: own < 100000 -> own = own * 40
  :: own >= 100000 -> break
  od;
  q ! own, -7
}

proctype two(short a; byte b) {
  int x, y;
  q ? x, y;
  big = x;
  small = y - a * b
}

init {
  run one(90);
  run two(1000, 77);
  (_nr_pr == 1) -> mid = mid * 150;
  run two(3, 4);
  run one(-3 + 65536);
  (_nr_pr == 1) -> small = -70000
}
