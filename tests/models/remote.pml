/* expect: exit=0 states=12231 transitions=29756 deadlocks=0 depth=31 */
/* Where another process is and what it has: labels, variables, _last, pc_value. */
byte x;

active [2] proctype walker() {
  byte own;
start:
  own++;
middle:
  own = own + _pid;
  if
  :: own > 3 -> goto done
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
  :: x >= 2 -> break
  od
}
