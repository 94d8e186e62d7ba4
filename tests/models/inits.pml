/* expect: exit=1 states=68 transitions=111 deadlocks=2 depth=13 */
/* Every init begins at once, and has its number by its place in the text. */
byte a;
chan c = [1] of { byte };

init { byte x; x = a; c!x; assert(_pid == 0) }

active proctype taker() { byte y; c?y; assert(_pid == 1); c!y }

init { byte z = 7, x; x = a; a = z; c?z; assert(_pid == 2 && z < 8) }
