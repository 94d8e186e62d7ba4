/* A heap of sticks. Two players take one, two or three of them in turn; who takes the last one has won. A process whose name begins with env_ is the environment: nobody controls what it does.
 *
 *   thimble check examples/nim.pml --strategy 'reach sticks == 0 && theirs'
 *
 * Answer: holds; with 10 sticks whoever begins wins, in 3 moves of his own at most. With -D N=8 it is violated: the other one wins.
 *
 *   thimble play examples/nim.pml --strategy 'reach sticks == 0 && theirs' -D N=8
 *
 * lets you try. */
#ifndef N
#define N 10
#endif
byte sticks = N;
bool theirs; /* it is their turn */

active proctype us() {
end: do
  :: atomic { !theirs && sticks >= 1 -> sticks = sticks - 1; theirs = true }
  :: atomic { !theirs && sticks >= 2 -> sticks = sticks - 2; theirs = true }
  :: atomic { !theirs && sticks >= 3 -> sticks = sticks - 3; theirs = true }
  od
}

active proctype env_them() {
end: do
  :: atomic { theirs && sticks >= 1 -> sticks = sticks - 1; theirs = false }
  :: atomic { theirs && sticks >= 2 -> sticks = sticks - 2; theirs = false }
  :: atomic { theirs && sticks >= 3 -> sticks = sticks - 3; theirs = false }
  od
}
