/* expect: exit=0 states=37 transitions=61 deadlocks=0 depth=15 */
/* A record as a parameter has the values of the caller's and none of its type's; in a process that is active it begins with 0. */
typedef I { byte k = 4; chan a = [1] of { byte } };
typedef W { byte n = 5; I i; chan c = [0] of { byte }; short last = -1 };
W all[2];
active proctype A(W w) { assert(w.n == 0 && w.i.k == 0 && w.last == 0) }
proctype P(W w; I other; byte own) {
  assert(w.n == 30 && w.i.k == 4 && other.k == 7 && own == 2 && w.last == -1);
  w.i.a!w.n;
  other.a!other.k;
  w.n++;
  w.c!w.n
}
init {
  W w;
  byte x;
  w.n = 30;
  all[1].i.k = 7;
  run P(w, all[1].i, 2);
  w.i.a?30;
  all[1].i.a?x;
  w.c?31;
  assert(w.n == 30 && x == 7 && len(all[0].i.a) == 0)
}
