/* needham.pml -- the public-key protocol of Needham and Schroeder with an intruder who knows everything that is sent but
 * breaks no keys.  A may speak with B or with the intruder; the intruder keeps up to two letters that it cannot read and learns nonces
 * of those that it can.  ROUNDS sessions of the initiator, so that the space is not tiny.  FIXED=1 is Lowe's repair. */
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef FIXED
#define FIXED 0
#endif
mtype = { hello, reply, done, none, A, B, I, NA, NB, NI };
/* to whom, kind, key (for whom it can be read), two contents and the name that the repair adds */
chan net = [0] of { mtype, mtype, mtype, mtype, mtype, mtype };
mtype partner_of_a = none, partner_of_b = none;
bool ok_a, ok_b;

active proctype initiator()
{
  mtype with, nonce, who;
  byte round;
  do
  :: round < ROUNDS ->
     round++;
     if
     :: with = B
     :: with = I
     fi;
     partner_of_a = none;
     ok_a = false;
     net!with,hello,with,NA,A,none;
     partner_of_a = with;
     do
     :: net?eval(A),reply,eval(A),NA,nonce,who;
        if
        :: FIXED && who != with -> skip
        :: else -> break
        fi
     :: goto next
     od;
     ok_a = true;
     net!with,done,with,nonce,none,none;
next:
     nonce = 0; who = 0; with = 0
  :: else -> break
  od
}

active proctype responder()
{
  mtype with, nonce;
  byte round;
  do
  :: round < ROUNDS ->
     round++;
     partner_of_b = none;
     ok_b = false;
     net?eval(B),hello,eval(B),nonce,with,_;
     partner_of_b = with;
     net!with,reply,with,nonce,NB,B;
     if
     :: net?eval(B),done,eval(B),NB,_,_ -> ok_b = true
     :: skip
     fi;
     nonce = 0; with = 0
  :: else -> break
  od
}

#define LETTERS 2
typedef Letter { mtype kind, key, x, y, z }
active proctype intruder()
{
  Letter kept[LETTERS];
  bool knows_na, knows_nb;
  mtype kind, key, x, y, z, to;
  byte slot;
  do
  :: net?_,kind,key,x,y,z ->
     d_step {
       if
       :: key == I ->
          if
          :: x == NA || y == NA -> knows_na = true
          :: else
          fi;
          if
          :: x == NB || y == NB -> knows_nb = true
          :: else
          fi
       :: else
       fi }
     if
     :: key != I ->
        if
        :: slot = 0
        :: slot = 1
        :: slot = LETTERS
        fi;
        d_step {
          if
          :: slot < LETTERS ->
             kept[slot].kind = kind; kept[slot].key = key; kept[slot].x = x; kept[slot].y = y; kept[slot].z = z
          :: else
          fi;
          slot = 0 }
     :: else
     fi;
     d_step { kind = 0; key = 0; x = 0; y = 0; z = 0 }
  :: if
     :: slot = 0
     :: slot = 1
     fi;
     if
     :: kept[slot].kind != 0 ->
        if
        :: to = A
        :: to = B
        fi;
        if
        :: net!to,kept[slot].kind,kept[slot].key,kept[slot].x,kept[slot].y,kept[slot].z
        :: skip
        fi
     :: else
     fi;
     to = 0;
     slot = 0
  :: /* a letter of its own making */
     if
     :: to = A
     :: to = B
     fi;
     if
     :: x = NI
     :: knows_na -> x = NA
     :: knows_nb -> x = NB
     fi;
     if
     :: y = A; kind = hello
     :: y = I; kind = hello
     :: y = NI; kind = reply; z = I
     :: knows_nb -> y = NB; kind = reply; z = I
     :: y = none; kind = done
     fi;
     if
     :: net!to,kind,to,x,y,z
     :: skip
     fi;
     d_step { to = 0; kind = 0; x = 0; y = 0; z = 0 }
  od
}
