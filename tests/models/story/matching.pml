/* Random and sorted communication, a channel that travels in a message, another rendezvous partner for each choice. */
mtype = { one, two, three };
chan bag = [4] of { mtype, byte };
chan meet = [0] of { chan };
chan home = [1] of { short };

active proctype giver() {
  bag!two(2); bag!one(1); bag!!three(3);
  meet!home
}
active [2] proctype taker() {
  chan c;
  meet?c;
  if
  :: bag??one(1) -> c!-5
  :: else
  fi
}
