/* expect: exit=1 states=17 transitions=23 deadlocks=0 depth=7 */
/* Who may move only while another can may do so when both wait for a timeout. */
byte x, y;

active proctype A() { timeout -> assert(y == 0); x = 1 }
active proctype B() provided (enabled(0) || x == 1) { timeout -> y = 2 }
