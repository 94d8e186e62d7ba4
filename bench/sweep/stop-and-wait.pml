/* Stop and wait over channels that lose messages: PACKETS packets, each sent until its acknowledgement has come.
 * acked + got only rises: thimble check --search sweep --progress-measure 'acked + got' bench/sweep/stop-and-wait.pml */
#ifndef PACKETS
#define PACKETS 100
#endif
chan data = [3] of { byte };
chan back = [3] of { byte };
byte acked, got;

active proctype sender() {
  byte n;
  do
  :: acked < PACKETS -> data!acked
  :: back?n ->
     if
     :: n == acked + 1 -> acked = n
     :: else
     fi
  :: acked == PACKETS && empty(back) -> break
  od
}

active proctype receiver() {
  byte n;
end:
  do
  :: data?n ->
     if
     :: n == got -> got = got + 1
     :: else
     fi;
     back!got
  od
}

active proctype network() {
end:
  do
  :: data?_
  :: back?_
  od
}
