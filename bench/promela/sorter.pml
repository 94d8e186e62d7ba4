/* sorter.pml -- a pipeline that sorts: each cell keeps the largest it has seen and makes, when it needs it, the next cell
 * and a channel to it; the channel's other end goes to the new process.  N numbers in any order; SIZE messages fit into a channel. */
#ifndef N
#define N 6
#endif
#ifndef SIZE
#define SIZE 2
#endif
#ifndef RANGE
#define RANGE 3
#endif
mtype = { number, stop };
chan results = [1] of { byte };

proctype cell(chan left; byte kept)
{
  chan right = [SIZE] of { mtype, byte };
  byte x;
  bool has;
  do
  :: left?number(x) ->
     atomic {
       if
       :: x > kept -> d_step { x = x + kept; kept = x - kept; x = x - kept }
       :: else
       fi };
     if
     :: has -> right!number(x)
     :: !has -> has = true; run cell(right, x)
     fi;
     x = 0
  :: left?stop(x) ->
     if
     :: has -> right!stop(x)
     :: else
     fi;
     results!kept;
     break
  od
}

active proctype source()
{
  chan out = [SIZE] of { mtype, byte };
  byte i, x;
  select (x : 1 .. RANGE);
  run cell(out, x);
  do
  :: i < N - 1 -> select (x : 1 .. RANGE); out!number(x); x = 0; i++
  :: else -> break
  od;
  out!stop(0);
  i = 0;
  do
  :: i < N -> results?x; assert(x >= 1 && x <= RANGE); i++
  :: else -> break
  od
}
