/* expect: exit=1 states=15 transitions=19 deadlocks=1 depth=6 */
/* notrace: only the first try counts; a run that has left the sequence cannot come back to it. */
mtype = { a, b };
chan c = [2] of { mtype };

active proctype left() {
  if :: c!a :: c!b fi;
  c!b;
  c!a
}

active proctype right() {
  mtype m;
  do :: c?m od
}

notrace { c!a; c!b; c!a }
