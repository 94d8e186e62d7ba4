/* A formula that holds, and a never claim that happens: x stays below 3 for ever. */
byte x;
active proctype P() { x = 1; x = 0 }
ltl rises { <> (x == 1) }
never { accept_all: do :: x != 3 od }
