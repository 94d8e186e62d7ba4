/* products.pml -- states whose words do not compress: four counters and five products of powers, which look random and are functions of all counters.
 * (N + 1)^4 states and two more; each is reached on up to four ways. BAD: an assertion fails where all counters are at the end. */
#ifndef N
#define N 24
#endif
byte i, j, k, l;
int a = 1, b = 1, c = 1, d = 1, e = 1;
#define times(x, y) x = (x * y) % 46337
#define all(p, q, r, s, t) times(a, p); times(b, q); times(c, r); times(d, s); times(e, t)
init {
  do
  :: d_step { i < N -> i++; all(3, 5007, 20021, 741, 19) }
  :: d_step { j < N -> j++; all(10007, 77, 1213, 30011, 23) }
  :: d_step { k < N -> k++; all(40009, 913, 11, 8191, 29) }
  :: d_step { l < N -> l++; all(6151, 12289, 24593, 389, 31) }
  :: i == N && j == N && k == N && l == N -> break
  od
#ifdef BAD
  assert(i < N)
#endif
}
