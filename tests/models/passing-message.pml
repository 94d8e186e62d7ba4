/* expect: exit=1 states=128 transitions=254 deadlocks=1 depth=15 */
/* The message of a rendezvous in passing: the channel holds it while others are asked whether they take it, and none at any other time. */
chan c = [0] of { byte };
chan d = [0] of { byte, byte };
byte x, a[2], wrong;
active proctype Sender() { c!1; d!7,8; c!5; c!len(c); c!9 }
active proctype Receiver() {
  c?eval(len(c));
  d?a[1 - len(c)],_;
  assert(a[1] == 7);
  c?x;
  assert(len(c) == 0);
  c?0;
  c?9
}
active proctype Refuses() provided (len(c) == 0 && nfull(d)) {
  if
  :: c?_ -> wrong = 1
  :: d?_,_ -> wrong = 2
  :: x == 0 -> x = 1
  fi
}
active proctype Looks() {
  if
  :: full(c) -> wrong = 3
  :: nempty(c) -> wrong = 4
  :: empty(c) && nfull(c) -> assert(len(c) == 0)
  fi
}
