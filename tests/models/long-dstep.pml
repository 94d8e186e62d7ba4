/* expect: exit=1 states=1367 transitions=2418 deadlocks=42 depth=18 */
/* D_steps that are long: past what is logged step by step, with loops, channels, choices of which the first is taken, divisions by zero, indices out of range, values that are cut, and one that may block after many steps. */
byte a[24], sum, turn, born;
short depth;
chan q = [6] of { byte, bit };
bit cut;

active [2] proctype worker() {
  byte i, x;
  bit b;
  do
  :: turn < 2 ->
    d_step {
      turn++;
      i = 0;
      do
      :: i < 24 ->
        if
        :: a[i] > 2 -> a[i] = 0
        :: a[i] == 1 -> a[i] = a[i] + _pid + 1
        :: i % 2 == 0 -> a[i] = a[i] + 1
        :: else -> skip
        fi;
        i++
      :: else -> break
      od;
      do
      :: nfull(q) -> q ! i, _pid; i = i - 3
      :: full(q) -> break
      od;
      q ?? x, eval(_pid);
      do
      :: q ?? [x, b] -> q ?? x, b; depth = depth * 2 + b - 40
      :: nempty(q) -> q ? x, b; depth = depth + 1
      :: empty(q) -> break
      od;
      i = 0;
      x = 0;
      cut = depth
    }
  :: turn == 1 && born < 1 ->
    d_step {
      born++;
      i = 0;
      do
      :: i < 20 -> i++; sum = (sum + a[i]) % 8
      :: i >= 20 -> break
      od;
      do
      :: i > 0 -> i--; sum = (sum + 1) % 8
      :: else -> break
      od
    }
  :: turn == 2 ->
    d_step {
      turn = 4;
      i = 30;
      do
      :: i > 0 -> x = x + 100 / (i - 7); i--; a[i] = i
      :: else -> break
      od;
      x = 0
    }
  :: turn == 2 && sum > 2 ->
    d_step {
      turn = 5;
      i = 0;
      do
      :: i < 40 -> i++
      :: sum == 3 -> break
      od;
      sum = 0
    }
  :: turn > 1 -> break
  od;
  atomic {
    sum = sum + 1;
    d_step { i = 0; do :: i < 50 -> i++; depth = depth + i :: else -> break od; i = 0 };
    depth = 0
  }
}
