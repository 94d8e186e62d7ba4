/* Two processes take two locks in opposite order. */
bit left, right;

active proctype A() {
  atomic { left == 0; left = 1 }
  atomic { right == 0; right = 1 }
}

active proctype B() {
  atomic { right == 0; right = 1 }
  atomic { left == 0; left = 1 }
}
