/* pan puts another message back into c than the one that was received. */
chan c = [2] of { byte, byte };
byte x = 1, y, z;
active proctype P() { c!7,1; c!x,2 }
active proctype Q() {
  if
  :: c?x,eval(x)
  :: c?y,z
  fi;
  z = x;
  c?y,_
}
active proctype R() { x = 2; bit narrow; c?narrow,z }
