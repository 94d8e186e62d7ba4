/* SPIN is usually built without the operator X. */
byte x;
active proctype P() { x = 1; x = 2 }
ltl soon { X (x == 1) }
