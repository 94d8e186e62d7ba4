/* expect: exit=1 states=13 transitions=18 deadlocks=0 depth=6 */
/* What is printed goes wrong in some orders alone, though nobody reads it. */
byte a[2], i;

active proctype P() { byte n = 1; n = n + 1; printf("%d %d\n", n, a[i]) }
active proctype Q() { i = 3; i = 0 }
