/* expect: exit=0 states=8 transitions=7 deadlocks=0 depth=7 */
/* First values of arrays in records: one for all elements, or a list whose last value stands for the rest. */
typedef T { byte a[3] = {1, 2, 3}; short b[4] = {7, 9}; byte c[2] = 4; byte d[2] = {5, 6, 7}; byte e };
typedef U { T t[2]; byte f[1] = {8} };
U u[2];
byte x;
active proctype P() {
  T t; U w;
  assert(u[1].t[1].a[0] == 1 && u[0].t[1].a[1] == 2 && u[1].t[0].a[2] == 3);
  assert(t.b[0] == 7 && t.b[1] == 9 && w.t[1].b[2] == 9 && t.b[3] == 9);
  assert(t.c[1] == 4 && t.d[0] == 5 && u[1].t[1].d[1] == 6 && w.f[0] == 8 && t.e == 0);
  x = 1;
  T late;
  x = late.a[1] + late.e
}
