/* expect: exit=1 states=8 transitions=9 deadlocks=0 depth=5
 * In the middle of S's step, where x is 5, every other process is asked whether it could take the message: P's provided goes wrong in it, although P has nothing to receive. SPIN says so, too. */
byte x, a[2];
chan r = [0] of { byte };
active proctype S() { atomic { x = 5; r!1 } }
active proctype R() { byte j; atomic { r?j; x = 0 } }
active proctype P() provided (a[x] == 0) { byte k; k = 1 }
