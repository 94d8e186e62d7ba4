/* expect: exit=0 states=4729 transitions=12434 deadlocks=0 depth=26 */
/* An else beside rendezvous sends: closed where somebody takes the message, open where nobody does. */
chan meet = [0] of { byte };
byte x, turns;

active proctype taker() {
  byte got;
  do
  :: meet?got -> x = got
  :: meet?3 -> x = 7
  :: turns > 2 -> break
  :: x == 2 -> x = 0
  od
}

active [2] proctype giver() {
  do
  :: turns < 4 ->
     turns++;
     if
     :: meet!_pid
     :: meet!3
     :: else -> x = (x + 1) % 3
     fi
  :: else -> break
  od
}
