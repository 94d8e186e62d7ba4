/* expect: exit=1 states=22 transitions=29 deadlocks=2 depth=7 */
/* A d_step takes the first thing that is possible; loops inside; one that blocks half-way is a fault and leads nowhere. */
byte x, y, i;
int sum;

active proctype counter() {
  do
  :: d_step {
      x < 3 -> x++;
      i = 0; sum = 0;
      do
      :: i < 20 -> sum = sum + i * 30; i++
      :: else -> break
      od;
      i = 0;
      if :: x == 2 -> y = 1 :: x > 0 -> y = 2 :: else -> y = 3 fi
    }
  :: x >= 3 -> break
  od;
  atomic { y = 10; d_step { y = 11; y = 12 }; y = 13; d_step { x > 0 -> x-- }; y = 14 }
}

active proctype blocked() {
  d_step { y == 1 -> i = 5; y == 2; i = 6 }
}

active proctype watcher() {
  d_step { if :: y == 2 -> y = 7 :: y == 14 -> y = 15 fi; i = 0 }
}
