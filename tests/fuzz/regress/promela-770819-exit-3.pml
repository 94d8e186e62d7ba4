/* tester --kind promela --seed 770819 */
/* exit code 3: state.ckpt: error: the checkpoint does not fit the model: steps that it names lead elsewhere */
/* ask:  */
/* thimble check model.pml --json --no-space-report -o trace.json --store plain --search bfs --engine interpreter --reduce none -j 1 --continue=1 --memory 256M */
/* thimble check model.pml --json --no-space-report -o trace.json --store comback --search bfs --engine interpreter --reduce auto -j 2 -p deadlock --memory 256M --checkpoint state.ckpt --max-states ... */
byte x, y, z, a[2];
chan c = [1] of { byte };
proctype P1(byte me; chan in) { byte i = 0, j; unsigned k : 2; chan own = [1] of { byte };
  do :: do :: k--; break :: own!i; break od; assert(a[0] < 1) od;
L1: i = (i + 1) % 1 }
init { atomic { run P1(1, c); skip } }
