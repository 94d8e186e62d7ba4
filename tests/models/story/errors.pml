/* Three errors, each of which is told. */
byte x;
active proctype P() {
  y = 1;
  x = z;
  x!3
}
