/* Claims that hold and claims that do not, beside a deadlock that nobody looks for then. */
byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> break od; x == 9 }
ltl small { [] (x < 4) }
ltl smaller { [] (x < 3) }
ltl ends { <> (x == 3) }
ltl back { [] (x == 1 -> <> (x == 0)) }
never found { do :: x == 2 -> break :: else od }
