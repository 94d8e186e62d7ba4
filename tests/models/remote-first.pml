/* expect: exit=1 states=10991 transitions=27505 deadlocks=67 depth=37 */
/* Labels and variables of another process without its number: the lowest of its type at that moment, false and 0 where there is none. */
byte x, seen, round;

proctype worker(byte own) {
start:
  own++;
  if
  :: own < 4 -> goto start
  :: x < 3
  :: own > 5
  fi;
done:
  x++
}

proctype filler() {
  x = x + 4;
  x > 1
}

proctype watcher() {
  do
  :: worker@done -> seen = worker:own
  :: worker@start && worker:own > 1 -> seen = 10 + worker:own
  :: worker:own == 0 && seen != 77 -> seen = 77
  :: x > 6 -> break
  od
}
init {
  run watcher();
  do
  :: round < 2 -> atomic { round++;
      if
      :: run worker(round)
      :: run filler(); run worker(round + 1)
      :: run worker(0); run worker(5)
      fi; }
    (_nr_pr <= 2)
  :: round == 2 -> break
  od;
}
