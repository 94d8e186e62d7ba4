/* expect: exit=0 states=12149 transitions=30510 deadlocks=0 depth=29 */
/* Where another process is and what it has: labels, variables, _last, pc_value. */
byte x;

active [2] proctype walker() {
  byte own;
start:
  own++;
middle:
  own = own + _pid;
  if
  :: own > 2 -> goto done
  :: else -> goto start
  fi;
done:
  x++
}

active proctype watcher() {
  byte seen, last;
  do
  :: walker[0]@middle -> seen = walker[0]:own; last = _last
  :: walker[1]@done && x < 5 -> x = x + 2
  :: d_step { x == 0 && last < 9 -> last = _last; seen = _last + 10; last = last + seen + 9 }
  :: x >= 2 -> break
  od
}
