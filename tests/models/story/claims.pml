/* A never claim and a formula, which this version cannot judge. */
byte x;
active proctype P() { x = 1; x = 0 }
ltl rises { <> (x == 1) }
never { do :: x != 3 od }
