/* database.pml -- a replicated register on N managers: who wants to write asks all others for their votes, older stamps win, then
 * tells the new value; each manager keeps a table of what it knows about the others.  Vectors are wide (tables and channels). */
#ifndef N
#define N 3
#endif
#ifndef WRITES
#define WRITES 1
#endif
#ifndef FIRST /* writes of the first manager */
#define FIRST 2
#endif
mtype = { ask, yes, no, store, stored };
chan box[N] = [N] of { mtype, byte, byte, byte };
typedef Table { byte version[N]; byte value[N]; bool voted[N] }
byte writers;

proctype manager(byte me)
{
  Table known;
  byte value, version, promised = 255, votes, answers, who, a, b, j, writes;
  bool asking, storing;
end:
  do
  :: !asking && promised == 255 && writes < (me == 0 -> FIRST : WRITES) ->
     atomic {
       writes++;
       asking = true;
       promised = me;
       votes = 1;
       answers = 1;
       j = 0 };
     do
     :: j < N && j != me -> box[j]!ask,me,version,0; j++
     :: j == me -> j++
     :: j == N -> j = 0; break
     od
  :: box[me]?ask,who,a,_ ->
     d_step { known.version[who] = a; known.voted[who] = promised == 255 || (promised == me && who < me && !storing) }
     if
     :: known.voted[who] && promised == me -> /* gives way */
        d_step { asking = false; promised = who; votes = 0 }
        box[who]!yes,me,version,0
     :: known.voted[who] && promised == 255 -> promised = who; box[who]!yes,me,version,0
     :: !known.voted[who] -> box[who]!no,me,version,0
     fi;
     d_step { who = 0; a = 0 }
  :: box[me]?yes,who,a,_ ->
     d_step {
       known.version[who] = a;
       answers++;
       if
       :: asking -> votes++
       :: else
       fi;
       who = 0; a = 0 }
  :: box[me]?no,who,a,_ -> d_step { known.version[who] = a; answers++; who = 0; a = 0 }
  :: asking && !storing && answers == N && votes < N -> /* not this time */
     d_step { asking = false; votes = 0; answers = 0 }
     j = 0;
     do
     :: j < N && j != me -> box[j]!store,me,version,255; j++
     :: j == me -> j++
     :: j == N -> j = 0; break
     od;
     promised = 255
  :: asking && !storing && votes == N ->
     atomic { storing = true; writers++; assert(writers == 1); answers = 1; version++; value = me + 1; j = 0 };
     do
     :: j < N && j != me -> box[j]!store,me,version,value; j++
     :: j == me -> j++
     :: j == N -> j = 0; break
     od
  :: box[me]?store,who,a,b ->
     d_step {
       known.voted[who] = false;
       if
       :: b != 255 -> version = a; value = b; known.value[who] = b
       :: else
       fi;
       if
       :: promised == who -> promised = 255
       :: else
       fi }
     if
     :: b != 255 -> box[who]!stored,me,version,0
     :: else
     fi;
     d_step { who = 0; a = 0; b = 0 }
  :: box[me]?stored,who,a,_ ->
     d_step { known.version[who] = a; answers++; who = 0; a = 0 }
  :: storing && answers == N ->
     atomic { writers--; storing = false; asking = false; votes = 0; answers = 0; promised = 255 }
  od
}

init
{
  byte i;
  atomic {
    do
    :: i < N -> run manager(i); i++
    :: else -> break
    od
  }
}
