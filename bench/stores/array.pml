/* array.pml -- long vectors of which a step changes little: three writers, each in its own third of 600 numbers. (N + 1)^3 states. */
#ifndef N
#define N 50
#endif
int a[600] = 1073741823;
active [3] proctype writer() {
  byte i;
end:
  do
  :: d_step { i < N -> a[200 * _pid + i] = 1073741823 - 1000003 * (i + _pid); i++ }
  od
}
