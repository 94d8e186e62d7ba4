/* expect: exit=1 states=588 transitions=1277 */
/* run inside of expressions: made first, its number is the value.  One case each of assignment, assertion, print, ->, && and parameters. */
byte x, made, a[7] = 4;
proctype P(byte n) { made = made + n }
proctype Loop() { byte k; do :: k < 2 -> k++ :: else -> break od; made++ }
init {
  byte before = 3;
  x = before * 2 + run P(before - 2);
  assert(x == 7);
  (_nr_pr == 1);
  assert(run Loop() == 1 && made == 1);
  x = x + (run P(1) > 1 -> 5 : 9);
  assert(x == 12);
  printf("%d %d\n", x, run P(2) - 1);
  atomic { (_nr_pr == 1); x = -run Loop(); assert(x == 255); }
  x = a[run P(0)];
  assert(a[1 + run P(1)] == x);
  assert(run P(made) > 9)
}
