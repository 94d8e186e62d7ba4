/* A master starts a worker, hears from it through a buffer, and meets it in a rendezvous; the assertion is wrong. */
mtype = { ack, data };
chan q = [2] of { mtype, byte };
chan r = [0] of { mtype, byte };
byte x;

proctype worker(byte n) {
  byte k;
  k = n;
  q!ack(k);
  atomic { x++; printf("x is %d, %e %c\n", x, ack, 'A' + x); r!data(7) }
}

active proctype master() {
  mtype m;
  byte v;
  run worker(3);
  q?m(v);
  r?data(v);
  assert(v == 3)
}
