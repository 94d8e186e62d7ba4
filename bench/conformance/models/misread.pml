/* SPIN 6.5 reads <> x == 1 as a comparison of two numbers. */
byte x;
active proctype P() { do :: x = 1 - x od }
ltl once { <> x == 1 }
