/* expect: exit=1 states=443 transitions=917 deadlocks=4 depth=24 */
/* Sends and receives of another number of fields than the channel has: an error, and on it goes: what is missing is 0, what is too much is lost. */
chan one = [2] of { byte };
chan two = [2] of { byte, byte };
chan meet = [0] of { byte, byte };
byte a = 9, b = 9, d = 9;
proctype Sends(chan c) {
  c!4;
  c!7,8;
  c!!0
}
active proctype Takes() {
  one?a,b;
  assert(b == 0);
  one?a;
  meet?a,b;
  assert(a == 4 && b == 0);
  meet?d;
  meet?0,b;
  two?7,b;
  two?a,d
}
init { run Sends(one); run Sends(two); run Sends(meet); two?d }
