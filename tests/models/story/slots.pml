/* One slot, lived in by processes of three types one after the other; their cells mean different things. */
mtype = { red, green };
byte seen;

proctype painter(mtype colour) { mtype last = green; last = colour; seen++ }
proctype counter(int from) { int now; now = from + 1000; seen++ }
proctype talker(chan out) { chan own = [1] of { byte }; own!5; out!seen; seen++ }

init {
  chan answers = [1] of { byte };
  byte heard;
  run painter(red);
  (seen == 1 && _nr_pr == 1);
  run counter(7);
  (seen == 2 && _nr_pr == 1);
  run talker(answers);
  (seen == 3 && _nr_pr == 1);
  answers?<heard>;
  answers?heard;
  d_step { heard = heard + 1; seen = 0 };
  assert(heard != 3)
}
