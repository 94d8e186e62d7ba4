/* expect: exit=0 states=115 transitions=120 deadlocks=0 depth=24 */
/* Who has the highest priority among those that can move, moves; priorities are given where processes are started. */
byte a[5];
short order;

proctype A() {
  a[_pid]++;
  a[_pid]++;
  if
  :: a[_pid] == 2 && _pid == 3 -> (a[1] == 1 || a[4] == 2)
  :: else
  fi;
  order = order * 5 + _pid
}

init {
  atomic {
    run A() priority 1;
    run A() priority 2;
    run A() priority 4;
    run A() priority 2
  }
}
