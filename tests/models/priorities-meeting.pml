/* expect: exit=1 states=5 transitions=4 deadlocks=1 depth=4 */
/* A message on offer is the same for everybody, though it is asked in between whether somebody outranks B. */
chan r = [0] of {byte}, d = [1] of {byte};
byte got;

active proctype D() priority 5 { r?1; got = 1; assert(got == 2) }
active proctype C() priority 3 { d!7 }
active proctype A() priority 5 { r!1 }
active proctype B() priority 1 { r?1; got = 2 }
