/* expect: exit=1 states=16 transitions=15 deadlocks=1 depth=13 */
/* A receive that does not take all fields of a message is an error (runtime), and goes on without the rest; who only looks may leave fields out. */
chan c = [2] of { byte, byte };
chan meet = [0] of { byte, byte };
byte x, y;

active proctype left() {
  c!1,2;
  c!3,4;
  c?<x>;
  c?[1];
  c??[3];
  c?x;
  c?x,y;
  meet!5,6;
  c!7,8;
  d_step { c?_; y = 1 }
}

active proctype right() {
  meet?y;
  if :: c??x :: y == 1 fi
}
