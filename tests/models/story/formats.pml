/* Every directive of printf, and what has to be escaped. */
mtype = { one, two };
mtype:fruit = { apple, pear };
mtype m = two; mtype:fruit f = pear; byte b = 65; int i = -5; short s = 511;
chan q = [1] of { mtype, byte };
active proctype P() {
  printf("d %d u %u x %x o %o c %c pct %% e %e\n", i, b, s, s, b, m);
  printf("fruit %e tab\there \"quoted\" back\\slash\n", f);
  printf("pid %d nr %d len %d neg %x\n", _pid, _nr_pr, len(q), i);
  printf("const %e %d\n", two, apple);
  printm(m);
  printf("\n%d%%\n", 50)
}
