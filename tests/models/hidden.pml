/* expect: exit=0 states=11 transitions=10 deadlocks=0 depth=10 */
/* What is hidden lives while a step runs and is as at the start between steps. What is never written is not in the state, and is there. */
hidden byte scratch = 3;
hidden int many[2];
byte x;
byte table[4];
int limit = 300;

active proctype p() {
  byte five = 5;
  do
  :: atomic { x < 4 -> scratch = x; many[1] = scratch * limit; scratch++; x = scratch; table[x - 1] = many[1] / 100 }
  :: x == 4 -> x = five
  :: x == five -> break
  od;
  skip;
  d_step { scratch = table[3]; x = scratch + five; scratch = 0 }
}
