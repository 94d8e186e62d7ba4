/* peterson.pml -- Peterson's filter lock for N processes: N-1 gates, at each of which one waits.
 * A process looks at the others one by one, so the check is as fine as memory reads are. */
#ifndef N
#define N 4
#endif
byte gate[N];    /* how far each process has come; 0 = not interested */
byte waiter[N];  /* who came last to a gate */
byte inside;

active [N] proctype user()
{
  byte at, other;
  do
  :: at = 1;
     do
     :: at < N ->
        gate[_pid] = at;
        waiter[at] = _pid;
        other = 0;
        do
        :: other < N && other != _pid && gate[other] >= at && waiter[at] == _pid -> skip; other = 0 /* look again */
        :: other < N && (other == _pid || gate[other] < at || waiter[at] != _pid) -> other++
        :: other == N -> break
        od;
        at++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     other = 0;
     gate[_pid] = 0
  od
}
