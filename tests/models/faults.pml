/* expect: exit=1 states=15 transitions=14 deadlocks=0 depth=14 */
/* What goes wrong and goes on: an index out of range is element 0, a failed assertion is told, a quotient by zero is 0. */
byte a[3], x = 3;
int y = 5;

active proctype p() {
  do
  :: x < 6 -> a[x] = x + 1; x++
  :: a[1] == 0 && x == 6 -> break
  od;
  y = y / (x - 6);
  assert(y == 1);
  y = 7 % (x - 6) + a[x]
}
