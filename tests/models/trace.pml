/* expect: exit=1 states=14 transitions=17 deadlocks=0 depth=8 */
/* A trace assertion: "_" fits every value, also in sends; channels that it does not name pass unseen. */
mtype = { ask, tell };
chan wire = [1] of { mtype, byte };
chan aside = [1] of { byte };

active proctype left() {
  wire!ask,3;
  aside!1;
  if :: wire!tell,1 :: wire!tell,2 fi
}

active proctype right() {
  mtype kind;
  byte what;
  wire?kind,what;
  aside?_;
  wire?kind,what
}

trace {
  do
  :: wire!ask,_; wire?ask,_
  :: wire!_,1; wire?tell,_
  od
}
