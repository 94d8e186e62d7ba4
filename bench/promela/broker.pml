/* broker.pml -- requests by way of a broker, as in object systems: clients send numbered requests, agents pass them to the server
 * that has the object, an object may move and then the agent is told where to; replies may be cancelled.  Wide messages, wide vectors.
 * All channels may be full at once: then nothing moves any more, an invalid end state. */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef SERVERS
#define SERVERS 2
#endif
#ifndef MOVES
#define MOVES 1
#endif
#ifndef CALLS
#define CALLS 2
#endif
mtype = { request, reply, forward, cancel };
chan to_agent[SERVERS] = [2] of { mtype, byte, byte, byte }; /* kind, client, number, hops */
chan to_client[CLIENTS] = [2] of { mtype, byte, byte, byte }; /* kind, number, value, where */
byte home; /* where the object lives */
byte moved, served[CLIENTS];

proctype client(byte me)
{
  byte number, where, n, v, w;
  bool waiting;
end:
  do
  :: !waiting && number < CALLS ->
     number++;
     to_agent[where]!request,me,number,0;
     waiting = true
  :: to_client[me]?reply,n,v,w ->
     if
     :: waiting && n == number -> assert(v == n + me); waiting = false
     :: else
     fi;
     d_step { n = 0; v = 0; w = 0 }
  :: to_client[me]?forward,n,v,w ->
     if
     :: waiting && n == number -> where = w; to_agent[where]!request,me,number,v
     :: else
     fi;
     d_step { n = 0; v = 0; w = 0 }
  :: waiting -> /* does not want it any more */
     to_agent[where]!cancel,me,number,0;
     waiting = false
  od
}

proctype agent(byte me)
{
  byte who, number, hops;
  bool busy;
  byte dropped[CLIENTS];
end:
  do
  :: !busy && to_agent[me]?[request,_,_,_] ->
     to_agent[me]?request,who,number,hops;
     if
     :: home == me -> busy = true
     :: home != me -> to_client[who]!forward,number,hops + 1,home; d_step { who = 0; number = 0; hops = 0 }
     fi
  :: busy ->
     atomic { home == me -> served[who] = number };
     if
     :: dropped[who] == number -> skip
     :: else -> to_client[who]!reply,number,number + who,me
     fi;
     d_step { busy = false; who = 0; number = 0; hops = 0 }
  :: to_agent[me]??cancel,who,number,_ ->
     if
     :: dropped[who] < number -> dropped[who] = number
     :: else
     fi;
     d_step { who = 0; number = 0 }
  :: !busy && home == me && moved < MOVES -> atomic { moved++; home = (home + 1) % SERVERS }
  od
}

init
{
  byte i;
  atomic {
    do
    :: i < SERVERS -> run agent(i); i++
    :: else -> i = 0; break
    od;
    do
    :: i < CLIENTS -> run client(i); i++
    :: else -> i = 0; break
    od
  }
}
