/* expect: exit=1 states=26056 transitions=50458 deadlocks=166 depth=24 */
/* Sorted sends, random receives, peeking, polling, patterns, values cut to the fields of the message, arrays of channels. */
mtype = { red, green, blue };
chan q = [3] of { byte, mtype };
chan pair[2] = [1] of { short };
byte seen, peeked;
mtype colour;
short s;

active proctype in1() {
  q !! 3, red;
  q !! 1, blue;
  q ! 258, green;
  pair[1] ! 40000
}

active proctype in2() {
  q !! 2, green;
  (nfull(q)) -> pair[0] ! len(q);
  if
  :: full(q) -> seen = 50
  :: nempty(q) && q ?? [2, green] -> seen = 60
  :: empty(q) -> seen = 70
  fi
}

active proctype out() {
  byte b;
  do
  :: q ? <b, colour> -> peeked = b
  :: q ?? eval(seen), _ -> seen++
  :: q ?? b, blue -> seen = b
  :: q ? 2, colour -> seen = 2
  :: pair[0] ? s -> break
  :: pair[1] ? s
  od
}
