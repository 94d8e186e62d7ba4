/* expect: exit=0 states=661 transitions=1327 deadlocks=0 depth=31 */
/* pc_value tells SPIN's number of the statement that comes next, also behind loops and blocks, and 0 of a process that is not there. */
byte x;
chan c = [1] of { byte };

active proctype watched() {
  byte i;
  i++;
  do
  :: i < 3 -> i++
  :: c?i -> if :: i == 1 :: i == 2 -> skip fi
  :: i == 3 -> break
  od;
again:
  i = 0;
  atomic { i++; if :: i == 4 -> goto again :: i == 1 fi; i-- };
  d_step { i++; i-- };
  { i = 4; i = 5 } unless { x == 3; i = 7 };
  for (i : 1 .. 2) { skip }
  select (i : 1 .. 2);
  byte k = 3;
  select (k : 0 .. i);
  goto over;
  i = 9;
over:
  skip;
  i = pc_value(0)
}

active proctype watching() {
  do
  :: x = pc_value(0)
  :: x == 22 -> break
  od;
  x = pc_value(5);
  assert(x == 0);
  x = pc_value(1);
  x = pc_value(0)
}
