/* expect: exit=1 states=59 transitions=100 deadlocks=2 depth=11 */
/* enabled() tries what others could do, in the middle of a statement: neither the message that is being made nor the one on offer changes,
   and the process that one of them would start needs no other place for the variables. */
chan c = [1] of {byte, byte}, d = [1] of {byte, byte};
byte x, y, a[3];

proctype Q() { byte b[100]; b[x] = 1 }
active proctype P() { d!7,7; run Q(); x = 1 }
active proctype A() {
  c!1,enabled(0);
  c??eval(enabled(0)),_;
  y = a[enabled(0) + x];
  assert(y == 0 && x == 0)
}
