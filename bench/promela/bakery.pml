/* bakery.pml -- Lamport's bakery for N customers; tickets end at MOST, whoever would draw a higher one comes back later. */
#ifndef N
#define N 3
#endif
#ifndef MOST
#define MOST 6
#endif
bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype customer()
{
  byte j, highest;
  do
  :: choosing[_pid] = true;
     j = 0;
     highest = 0;
     do
     :: j < N -> 
        if
        :: ticket[j] > highest -> highest = ticket[j]
        :: else
        fi;
        j++
     :: else -> break
     od;
     if
     :: highest < MOST -> ticket[_pid] = highest + 1
     :: else -> choosing[_pid] = false; j = 0; highest = 0; goto again
     fi;
     choosing[_pid] = false;
     j = 0;
     do
     :: j < N ->
        !choosing[j];
        ticket[j] == 0 || ticket[j] > ticket[_pid] || (ticket[j] == ticket[_pid] && j >= _pid);
        j++
     :: else -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     ticket[_pid] = 0;
again:
     skip
  od
}
