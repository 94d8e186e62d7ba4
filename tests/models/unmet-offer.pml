/* expect: exit=1 states=2 transitions=1 deadlocks=0 depth=1
   A message that nobody takes is computed all the same, whatever stands behind it or before it: SPIN tells the index as well. */
byte a[2], i = 5;
chan c = [0] of { byte };
active proctype P() { do :: 1 -> break :: c!a[i] od; end: 0 }
active proctype Q() { byte x; end: do :: i < 2 -> c?x od }
