/* expect: exit=1 states=27 transitions=36 deadlocks=0 depth=13 */
/* A question about the messages of a rendezvous channel is an error (runtime), and false; its length is 0. */
chan meet = [0] of { byte };
chan some = [1] of { byte };
byte x;

proctype ask(chan c; byte what) {
  if
  :: c?[eval(what)] -> x = 1
  :: x == 0 && !(c??[2]) -> x = 2
  fi
}

init {
  some!2;
  run ask(some, 2);
  x > 0;
  x = 0;
  run ask(meet, 1);
  if :: meet?[1] :: len(meet) == 0 fi
}
