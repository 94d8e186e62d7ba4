/* expect: exit=1 states=27 transitions=43 deadlocks=3 depth=7 */
/* d_steps that end with a break, and the question that is asked before one is entered: a guard of its first choice must be true, if it has any. */
byte x, y, z;
chan c = [1] of { byte };
chan r = [0] of { byte };
active proctype Leaves() {
  d_step { do :: x < 3 -> x++ :: break od };
  d_step { y = 1; do :: y == 3 -> y++ :: do :: y == 4 -> break :: break od; break od };
  d_step { if :: y == 9 -> skip :: y = 2 fi }
}
active proctype Waits() {
  d_step { do :: z == 1 -> z++ :: break od; z = z + 10 };
  d_step { if :: x = 7 :: goto over :: c?1 -> skip :: z == 99 fi; x = 8; over: x++ };
  assert(z == 11 || x == 8)
}
active proctype Lets() {
  if
  :: z = 1
  :: skip
  fi;
  c!1
}
active proctype Blocks() {
  d_step { if :: { z == 5; y = 7 } :: do :: break od; z = 6 :: nempty(c) && z == 50 fi }
}
active proctype Nested() {
  d_step { if :: if :: z == 11 -> z++ :: z = 100 fi :: x == 200 fi; r?_ }
  unless { z == 13 }
}
