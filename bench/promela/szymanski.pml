/* szymanski.pml -- Szymanski's mutual exclusion: a waiting room with two doors.
 * flag: 0 outside, 1 wants in, 2 waits for others, 3 in the doorway, 4 inside the room; the door closes behind the last. */
#ifndef N
#define N 4
#endif
byte flag[N];
byte inside;

active [N] proctype user()
{
  byte j;
  bool found;
  do
  :: flag[_pid] = 1;
     j = 0;
     do /* wait for the door to be open */
     :: j < N && flag[j] < 3 -> j++
     :: j == N -> break
     od;
     flag[_pid] = 3;
     j = 0;
     found = false;
     do /* does somebody else want in? */
     :: j < N && flag[j] == 1 -> found = true; break
     :: j < N && flag[j] != 1 -> j++
     :: j == N -> break
     od;
     if
     :: found ->
        flag[_pid] = 2;
        j = 0;
        do /* wait until somebody has closed the door */
        :: flag[j] == 4 -> break
        :: flag[j] != 4 -> j = (j + 1) % N
        od
     :: else
     fi;
     flag[_pid] = 4;
     j = 0;
     do /* those with smaller numbers go first */
     :: j < _pid && flag[j] < 2 -> j++
     :: j == _pid -> break
     od;
     inside++;
     assert(inside == 1);
     inside--;
     j = _pid + 1;
     do /* everybody in the doorway comes in before the door opens */
     :: j < N && (flag[j] < 2 || flag[j] == 4) -> j++
     :: j >= N -> break
     od;
     j = 0;
     found = false;
     flag[_pid] = 0
  od
}
