/* Values that are cut on their way into a channel or into a new process. */
chan wire = [2] of { byte, bit };
chan meet = [0] of { short };
typedef pair { byte first; bool second };

proctype worker(byte small; pair both) {
  short got;
  meet?got
}

inline post(what) {
  wire!what, 1
}

init {
  int large = 300;
  pair two;
  run worker(large + 1, two);
  meet!large * 1000;
  post(large);
  post(large);
  wire?_, _;
  wire!!2, 3;
  wire?_, _
}
