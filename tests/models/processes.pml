/* expect: exit=1 states=99 transitions=128 deadlocks=2 depth=27 */
/* Processes that come late, with parameters, channels of their own that they pass on, first values made of other things; they die youngest first. */
chan reply = [2] of { pid, chan };
byte born, last = 7;

proctype kid(byte n; chan home) {
  chan own = [1] of { byte };
  byte twice = n * 2 + _pid;
  pid next;
  byte got;
  born++;
  if
  :: n > 0 -> next = run kid(n - 1, own); own ? got; last = got
  :: else -> skip
  fi;
  home ! twice;
  reply ! _pid, own
}

init {
  chan mine = [1] of { byte };
  chan theirs;
  byte x;
  pid p;
  p = run kid(1, mine);
  mine ? x;
  do
  :: reply ? _, theirs
  :: _nr_pr == 1 -> break
  od;
  p = run kid(0, mine)
}
