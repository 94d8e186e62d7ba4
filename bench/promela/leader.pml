/* leader.pml -- election in a one-way ring: the highest of N numbers, found with O(N log N) messages (Dolev, Klawe, Rodeh).
 * The ring is rotated by START so that the highest does not sit at the front.  L messages fit into a link. */
#ifndef N
#define N 5
#endif
#ifndef L
#define L N
#endif
#define START 2
mtype = { first, second, known };
chan link[N] = [L] of { mtype, byte };
byte leaders;

proctype node(chan in, out; byte mine)
{
  bool active_ = true, done;
  byte highest, behind, got;

  highest = mine;
  out!first(mine);
end:
  do
  :: in?first(got) ->
     if
     :: active_ ->
        if
        :: got != highest ->
           out!second(got);
           behind = got
        :: else ->  /* my number came round: it is the highest */
           done = true;
           out!known(got)
        fi
     :: else -> out!first(got)
     fi
  :: in?second(got) ->
     if
     :: active_ ->
        if
        :: behind > got && behind > highest ->
           highest = behind;
           out!first(behind)
        :: else -> active_ = false
        fi
     :: else -> out!second(got)
     fi
  :: in?known(got) ->
     if
     :: got == mine -> leaders++; assert(leaders == 1)
     :: else
     fi;
     if
     :: !done -> done = true; out!known(got)
     :: else
     fi;
     break
  od
}

init
{
  byte i;
  atomic {
    do
    :: i < N -> run node(link[i], link[(i + 1) % N], (i + START) % N + 1); i++
    :: else -> break
    od
  }
}
