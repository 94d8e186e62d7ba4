/* window.pml -- sliding window over lines that lose and repeat: sequence numbers modulo M, window W, lines of length L.
 * The sender sends data that is its own number modulo KINDS, and the receiver asserts that it arrives in order. */
#ifndef M
#define M 4
#endif
#ifndef W
#define W 2
#endif
#ifndef L
#define L 2
#endif
#ifndef KINDS
#define KINDS 3
#endif
chan there = [L] of { byte, byte };
chan back = [L] of { byte };

active proctype sender()
{
  byte oldest, sent, next, ack, k;
  byte buffer[M];
  do
  :: sent < W ->
     d_step { buffer[(oldest + sent) % M] = next; next = (next + 1) % KINDS }
     there!(oldest + sent) % M, buffer[(oldest + sent) % M];
     sent++
  :: sent > 0 -> /* again, for any that is not acknowledged */
     if
     :: k = 0
     :: sent > 1 -> k = sent - 1
     fi;
     there!(oldest + k) % M, buffer[(oldest + k) % M];
     k = 0
  :: back?ack ->
     d_step {
       if
       :: (ack + M - oldest) % M < sent ->
          sent = sent - ((ack + M - oldest) % M + 1);
          oldest = (ack + 1) % M
       :: else
       fi;
       ack = 0
     }
  od
}

active proctype receiver()
{
  byte expected, want, got, value, j;
  bool here[M];
  byte kept[M];
  do
  :: there?got,value ->
     if
     :: (got + M - expected) % M < W -> d_step { here[got] = true; kept[got] = value }
     :: else
     fi;
     do
     :: here[expected] ->
        assert(kept[expected] == want);
        d_step { here[expected] = false; kept[expected] = 0; expected = (expected + 1) % M; want = (want + 1) % KINDS }
     :: else -> break
     od;
     skip; /* SPIN wants no jump straight into a d_step */
     d_step { got = 0; value = 0; j = (expected + M - 1) % M }
     back!j;
     j = 0
  od
}

active proctype weather()
{
  do
  :: there?_,_
  :: back?_
  od
}
