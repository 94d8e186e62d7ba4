/* philosophers.pml -- N philosophers at a table; each fork is a process of its own that lends itself over a rendezvous.
 * They take the forks in any order and give back the first if the second is not to be had. */
#ifndef N
#define N 6
#endif
mtype = { take, back };
chan fork[N] = [0] of { mtype, byte };
byte eating;

active [N] proctype philosopher()
{
  byte one, two;
  do
  :: atomic { one = _pid; two = (_pid + 1) % N };
  takes:
     fork[one]!take(_pid);
     if
     :: fork[two]!take(_pid) ->
        eating++;
        assert(eating <= N / 2);
        eating--;
        fork[two]!back(_pid)
     :: skip
     fi;
     atomic { fork[one]!back(_pid) -> one = 0; two = 0 }
  :: atomic { one = (_pid + 1) % N; two = _pid; goto takes }
  od
}

active [N] proctype keeper()
{
  byte who;
end:
  do
  :: fork[_pid - N]?take(who) -> atomic { fork[_pid - N]?back(eval(who)) -> who = 0 }
  od
}
