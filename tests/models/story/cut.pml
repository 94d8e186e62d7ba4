/* 300 does not fit into a byte, 2 does not fit into a bit. */
byte x;
bit b;
int large;
active proctype P() {
  x = 300;
  b = x - 42;
  large = 70000
}
