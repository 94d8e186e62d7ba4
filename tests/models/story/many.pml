/* Nine assertions hold, one does not. */
byte x;
active proctype P() {
  assert(x == 0);
  x = 1;
  assert(x == 1);
  assert(x != 2);
  assert(x < 2);
  assert(x > 0);
  x = 2;
  assert(x == 2);
  assert(x != 3);
  assert(x < 3);
  assert(x > 1);
  assert(x == 7)
}
