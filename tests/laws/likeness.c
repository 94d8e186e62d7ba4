/* likeness.c -- states that are alike (model.h: struct model_likeness), over random programs (programs.h) and coloured nets (coloured_random.h).
 *
 * All states of a program are found, and for each of them what stands for it.  Then:
 *
 *   - what stands for a state stands for itself, and has the same labels and the same values of what is asked;
 *   - a state and what stands for it have, seen through the likeness, the same successors and the same faults; steps to states for which the same one stands count as standing still;
 *   - exploring only what stands for successors finds what stands for the states that all steps lead to, and nothing else;
 *   - nothing depends on the layout. */
#include "tap.h"

#include "coloured_random.h"
#include "edge_laws.h"
#include "front/front.h"
#include "model/expr.h"
#include "process/process.h"
#include "programs.h"

static char text[9000];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { PROGRAMS = 1500, NETS = 1500, MOST = 700, CONDITIONS = 3, FAULTS = 40 };

static struct model *load(const char *program, const char *language, struct mem *mem) {
  struct err e;
  struct model *m = NULL;
  err_clear(&e);
  FILE *f = fmemopen((void *)(uintptr_t)program, strlen(program), "r");
  struct front_setup setup = {.mem = mem, .file = "random", .input = f};
  if (!f) return NULL;
  if (front_find(language)->load(&m, &setup, &e)) {
    printf("# %s:%ld: %s\n# %s\n", e.file, e.line, e.message, program);
    m = NULL;
  }
  fclose(f);
  return m;
}

/* ---- states by number ---- */

struct graph {
  struct walk w;
  struct model_likeness *like;
  uint32_t *work;
  struct edges {
    size_t count, faults;
    size_t *to;
    uint64_t fault[FAULTS];
    size_t fault_to[FAULTS];
    int settled;
  } *of;           /* per state */
  size_t *rep;     /* per state: number of what stands for it */
  size_t of_room;
  int broken; /* memory, too large */
};

static size_t number_of(struct graph *g, const uint32_t *state) {
  size_t before = g->w.known.count;
  size_t n = g->w.m->type->pack(g->w.m, state, g->w.packed, g->w.packed_room);
  if (n > g->w.packed_room) {
    g->w.packed_room = 2 * n;
    g->w.packed = realloc(g->w.packed, g->w.packed_room);
    n = g->w.m->type->pack(g->w.m, state, g->w.packed, g->w.packed_room);
  }
  put(&g->w.known, g->w.packed, n);
  if (g->w.known.count > before) return before;
  /* it was there: find it again */
  size_t at = hash(g->w.packed, n) & (g->w.known.slots - 1);
  for (; g->w.known.slot[at]; at = (at + 1) & (g->w.known.slots - 1)) {
    const uint8_t *e = g->w.known.at[g->w.known.slot[at] - 1];
    if (length_of(e) == n && memcmp(e + 4, g->w.packed, n) == 0) return g->w.known.slot[at] - 1;
  }
  return SIZE_MAX;
}

static int state_of(struct graph *g, size_t number) {
  memset(g->w.state, 0, g->w.room * sizeof *g->w.state);
  return g->w.m->type->unpack(g->w.m, g->w.known.at[number] + 4, length_of(g->w.known.at[number]), g->w.state);
}

/* What stands for a state, by number. Widens the layout where it must. */
static size_t stand_in(struct graph *g, size_t number) {
  for (;;) {
    if (state_of(g, number)) return SIZE_MAX;
    enum model_answer answer = g->like->type->apply(g->like, g->w.cursor, g->w.state);
    if (answer == MODEL_OK) return number_of(g, g->w.state);
    struct err e;
    err_clear(&e);
    if (answer != MODEL_WIDEN || g->w.m->type->widen(g->w.m, g->w.cursor, &e)) return SIZE_MAX;
    g->w.m->type->widen_done(g->w.m, 1);
    fit(&g->w);
    if (model_batch_restride(&g->w.batch, g->w.m->words) || model_batch_restride(&g->w.again, g->w.m->words)) return SIZE_MAX;
  }
}

static struct edges *settle(struct graph *g, size_t number) {
  while (g->of_room <= number || g->of_room < g->w.known.count) {
    size_t room = g->of_room ? 2 * g->of_room : 256;
    g->of = realloc(g->of, room * sizeof *g->of);
    g->rep = realloc(g->rep, room * sizeof *g->rep);
    memset(g->of + g->of_room, 0, (room - g->of_room) * sizeof *g->of);
    for (size_t i = g->of_room; i < room; i++) g->rep[i] = SIZE_MAX;
    g->of_room = room;
  }
  return &g->of[number];
}

static size_t rep_of(struct graph *g, size_t number) {
  settle(g, number);
  if (g->rep[number] == SIZE_MAX) {
    size_t rep = stand_in(g, number);
    if (rep == SIZE_MAX) g->broken = 1;
    settle(g, number);
    g->rep[number] = rep;
  }
  return g->rep[number];
}

static void expand_number(struct graph *g, size_t number) {
  struct edges *x = settle(g, number);
  if (x->settled) return;
  x->settled = 1;
  if (state_of(g, number) || expand(&g->w, g->w.cursor, &g->w.batch)) {
    g->broken = 1;
    return;
  }
  size_t count = g->w.batch.count;
  size_t *to = malloc((count + 1) * sizeof *to);
  for (size_t k = 0; k < count; k++) to[k] = number_of(g, g->w.batch.states + k * g->w.batch.stride);
  x = settle(g, number);
  x->to = to;
  x->count = count;
  for (size_t k = 0; k < g->w.batch.fault_count && x->faults < FAULTS; k++) {
    const struct model_fault *f = &g->w.batch.faults[k];
    x->fault[x->faults] = (uint64_t)f->claim << 32 | f->detail;
    x->fault_to[x->faults++] = f->edge == MODEL_NO_EDGE ? SIZE_MAX : to[f->edge];
  }
}

/* ---- seen through the likeness ---- */

struct seen { /* a set of pairs: what happens, where it leads */
  size_t count, to[2000];
  uint64_t what[2000];
};

static void see(struct seen *s, uint64_t what, size_t to) {
  for (size_t i = 0; i < s->count; i++)
    if (s->what[i] == what && s->to[i] == to) return;
  if (s->count < 2000) {
    s->what[s->count] = what;
    s->to[s->count++] = to;
  }
}

/* Steps and faults of a state and of all those that standing still leads to. */
static void look(struct graph *g, size_t number, struct seen *s) {
  size_t stack[600], depth = 1, still = 1, own = rep_of(g, number);
  stack[0] = number;
  s->count = 0;
  for (size_t i = 0; i < depth && !g->broken; i++) {
    expand_number(g, stack[i]);
    for (size_t k = 0; k < g->of[stack[i]].count && !g->broken; k++) {
      size_t to = g->of[stack[i]].to[k], rep = rep_of(g, to);
      if (rep != own) {
        see(s, 0, rep);
        continue;
      }
      size_t j = 0;
      while (j < depth && stack[j] != to) j++;
      if (j == depth && depth < 600) stack[depth++] = to, still++;
    }
    for (size_t k = 0; k < g->of[stack[i]].faults && !g->broken; k++) {
      size_t to = g->of[stack[i]].fault_to[k];
      see(s, 1 + g->of[stack[i]].fault[k], to == SIZE_MAX ? SIZE_MAX : rep_of(g, to));
    }
  }
}

static int same(const struct seen *a, const struct seen *b) {
  if (a->count != b->count) return 0;
  for (size_t i = 0; i < a->count; i++) {
    size_t j = 0;
    while (j < b->count && (a->what[i] != b->what[j] || a->to[i] != b->to[j])) j++;
    if (j == b->count) return 0;
  }
  return 1;
}

struct tally {
  size_t programs, alike, reduced, unstable, labels, values, steps, lost, wrong, left, states, quotient;
};

/* Number of states that exploring what stands for successors finds. */
static size_t quotient(struct graph *g, size_t initial) {
  char *in = calloc(g->w.known.count + 100000, 1);
  size_t *queue = malloc((g->w.known.count + 100000) * sizeof *queue), count = 0;
  size_t first = rep_of(g, initial);
  queue[count++] = first;
  in[first] = 1;
  for (size_t i = 0; i < count && !g->broken; i++) {
    expand_number(g, queue[i]);
    for (size_t k = 0; k < g->of[queue[i]].count && !g->broken; k++) {
      size_t rep = rep_of(g, g->of[queue[i]].to[k]);
      if (!in[rep]) in[rep] = 1, queue[count++] = rep;
    }
  }
  free(in);
  free(queue);
  return count;
}

static void show(struct graph *g, size_t number) {
  state_of(g, number);
  printf("# state %zu:", number);
  for (uint32_t v = 0; v < g->w.m->vars; v++) {
    int64_t x = g->w.m->type->value(g->w.m, g->w.state, v);
    if (x) printf(" %s=%lld", g->w.m->type->var_name(g->w.m, v), (long long)x);
  }
  printf("\n");
}

enum asked { ASK_STATES, ASK_RUNS, ASK_FAULTS }; /* states alone; and deadlocks and runs; and faults */

/* All laws over one model. Returns the states of the quotient, or 0. */
static size_t laws(struct tally *t, struct model *m, struct mem *mem, struct expr *const *expr, size_t exprs, size_t most, const char *program, const struct model_likeness_type *type, enum asked asked) {
  int faults = asked == ASK_FAULTS, runs = asked != ASK_STATES;
  struct model_aims aims = {.expr = (const struct expr *const *)expr, .exprs = exprs, .deadlocks = runs, .assertions = faults, .errors = faults, .runs = runs};
  struct graph g = {.w = {.m = m, .mem = mem, .packed_room = 4096, .packed = malloc(4096)}};
  static struct seen a, b;
  char why[300];
  size_t found = 0;
  t->programs++;
  int status = type->open(&g.like, m, &aims, mem, why, sizeof why);
  if (status) {
    if (status < 0) t->wrong++;
    free(g.w.packed);
    return 0;
  }
  fit(&g.w);
  if (m->type->cursor_open(&g.w.cursor, m, mem) || model_batch_open(&g.w.batch, mem, m->words, 4) || model_batch_open(&g.w.again, mem, m->words, 4)) g.broken = 1;
  memset(g.w.state, 0, g.w.room * sizeof *g.w.state);
  m->type->initial(m, g.w.state);
  size_t initial = number_of(&g, g.w.state), all = 0;
  for (; all < g.w.known.count && !g.broken && g.w.known.count <= most; all++) expand_number(&g, all);
  if (!g.broken && g.w.known.count <= most) {
    size_t *reps = calloc(20 * all + 100000, sizeof *reps);
    size_t different = 0;
    int bad = 0;
    t->alike++;
    t->states += all;
    for (size_t i = 0; i < all && !g.broken; i++) {
      size_t r = rep_of(&g, i);
      if (g.broken) break;
      if (rep_of(&g, r) != r && (bad = 1) && !t->unstable++) printf("# what stands for a state does not stand for itself in\n%s\n", program), show(&g, i), show(&g, r), show(&g, rep_of(&g, r));
      different += !reps[r]++;
      if (r == i) continue;
      state_of(&g, i);
      unsigned labels = m->type->labels ? m->type->labels(m, g.w.state) : 0;
      int64_t value[CONDITIONS];
      for (size_t k = 0; k < exprs; k++) value[k] = expr_value(expr[k], g.w.cursor, g.w.state);
      state_of(&g, r);
      if (m->type->labels && labels != m->type->labels(m, g.w.state) && !t->labels++) printf("# other labels in\n%s\n", program);
      for (size_t k = 0; k < exprs; k++)
        if (value[k] != expr_value(expr[k], g.w.cursor, g.w.state) && !t->values++) printf("# %s has another value in\n%s\n", expr_text(expr[k]), program);
      look(&g, i, &a);
      look(&g, r, &b);
      if (!same(&a, &b) && !g.broken && (bad = 1) && !t->steps++) printf("# other steps: %zu instead of %zu from state %zu (%zu) of\n%s\n", b.count, a.count, i, r, program), show(&g, i), show(&g, r);
    }
    found = g.broken ? 0 : quotient(&g, initial);
    /* everything that stands for a state is found; of what is found, nothing else stands for states than for those */
    if (!bad && !g.broken && found != different && !t->lost++) printf("# %zu states stand for all, %zu are found in\n%s\n", different, found, program);
    t->quotient += found;
    t->reduced += found < all;
    free(reps);
  }
  if (g.broken) t->wrong++, printf("# broken:\n%s\n", program);
  g.like->type->close(g.like);
  m->type->cursor_close(g.w.cursor);
  model_batch_close(&g.w.batch);
  model_batch_close(&g.w.again);
  for (size_t i = 0; i < g.of_room; i++) free(g.of[i].to);
  for (size_t i = 0; i < g.w.known.count; i++) free(g.w.known.at[i]);
  free(g.w.known.at), free(g.w.known.slot), free(g.of), free(g.rep);
  free(g.w.state), free(g.w.out), free(g.w.values), free(g.w.next), free(g.w.packed);
  return found;
}

/* ---- programs with known answers ---- */

static char *read_file(const char *name) {
  FILE *f = fopen(name, "r");
  static char out[20000];
  if (!f) return NULL;
  size_t n = fread(out, 1, sizeof out - 1, f);
  out[n] = 0;
  fclose(f);
  return out;
}

static void table(void) {
  static const struct {
    const char *name;
    size_t most;
  } models[] = {{"d2_peterson_symmetric", 82}, {"d4_dekker_symmetric", 206}, {"d8_philosophers_symmetric_2", 70}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    char name[200];
    struct mem mem;
    struct tally t = {0};
    snprintf(name, sizeof name, "tests/models/promplus/%s.pmp", models[i].name);
    char *program = read_file(name);
    mem_open(&mem, 0);
    struct model *m = program ? load(program, "prom+", &mem) : NULL;
    size_t found = m ? laws(&t, m, &mem, NULL, 0, 20000, program, m->type->symmetry, ASK_FAULTS) : 0;
    ok(found && found <= models[i].most, NAMED("%s: %zu of %zu states, at most %zu", models[i].name, found, t.states, models[i].most));
    is(t.unstable + t.labels + t.steps + t.lost + t.wrong, 0, NAMED("%s: laws", models[i].name));
    model_close(m);
  }
}

/* Numbers that are no names, and become some: cut to the width of a variable, by a function, as an index that is out of range. */
static void numbers(void) {
  static const struct {
    const char *what, *program;
  } models[] = {
      {"a constant that is cut", "byte x; proctype P(byte id) { if :: x == id -> assert(false) :: else fi } active [2] proctype Q() { skip } init { if :: x = 44 :: x = 45 fi; run P(300) }"},
      {"a function whose value is cut", "byte x, y; proctype P(byte id) { if :: y == x -> assert(false) :: y == id :: else fi } active [2] proctype Q() { skip } init { if :: x = 44 :: x = 45 fi; y = x * 0 + 300; run P(43) }"},
      {"a function of what is no name", "unsigned x : 3; byte y, s; proctype P(byte id) { if :: y == x -> assert(false) :: y == id :: else fi } active [2] proctype Q() { skip }"
                                        "init { s = 100; if :: x = 4 :: x = 5 fi; if :: s == x :: else fi; y = s % 8; run P(43) }"},
      {"a message that is cut", "chan c = [1] of { byte }; byte x; short s; proctype P(byte id) { x == id -> assert(false) } active [2] proctype Q() { skip }"
                                "init { byte b; s = 300; if :: x = 44 :: x = 45 fi; c!s; c?b; run P(b); s = x }"},
      {"a number as an index", "byte a[2], s, done, sum; chan q = [1] of { bit }; bit go; active [2] proctype P() { go; if :: d_step { sum == 0; a[_pid] = 1; sum = 1 } :: skip fi; d_step { done++ } }"
                               "active proctype X() { q!1; s = len(q) * 100; go = 1; done == 2; if :: sum == 1 && a[s] == 0 -> assert(false) :: else fi }"},
      {"the number of a process as an index, kept", "byte a[2], t; active [3] proctype P() { if :: t = _pid :: skip fi; if :: a[t] == 0 -> a[_pid] = 1 :: else fi }"},
      {"the number of a process, cut", "bit owner, set, one; active [4] proctype P() { bit b; d_step { if :: _pid < 2 && one == 0 -> b = 1; one = 1 :: else fi };"
                                       "if :: d_step { _pid == 2 && set == 0 && one -> owner = _pid; set = 1 } :: skip fi; if :: d_step { set == 1 && owner == _pid -> assert(b == 0) } :: skip fi }"},
      {"a function of the number of a process", "byte a[3]; bit one; active [5] proctype P() { d_step { if :: _pid < 3 && one == 0 -> one = 1; a[_pid] = 1 :: else fi };"
                                                "if :: d_step { _pid == 4 && one -> assert(a[_pid % 3] == 0) } :: skip fi }"}};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    struct mem mem;
    struct tally t = {0};
    mem_open(&mem, 0);
    struct model *m = load(models[i].program, "promela", &mem);
    size_t found = m ? laws(&t, m, &mem, NULL, 0, 20000, models[i].program, m->type->symmetry, ASK_FAULTS) : 0;
    ok(found && found < t.states && !(t.unstable + t.labels + t.steps + t.lost + t.wrong), NAMED("%s: laws over %zu of %zu states", models[i].what, found, t.states));
    model_close(m);
  }
}

static const char *const conditions[] = {"x == 2", "turn == 255", "a[1] > 0", "P[1]@L", "flag[2] && x == 0", "len(c) == 1", "_nr_pr > 2", "e[0]?[1]", "P[2]:i == 1", "turn == 2", "w == 3", "len(e[3]) == 0"};

static void random_program(struct tally *t, struct rng *r) {
  char program[8000];
  struct expr *expr[CONDITIONS] = {0};
  struct mem mem;
  struct err e;
  mem_open(&mem, 0);
  err_clear(&e);
  unsigned kind = (unsigned)rng_below(r, 12), pointers = kind == 0, plain = kind == 1;
  if (pointers) programs_random_pointers(program, sizeof program, r, 0);
  else if (plain) programs_random(program, sizeof program, r);
  else programs_random_alike(program, sizeof program, r);
  size_t exprs = rng_below(r, 3) || pointers || plain ? 0 : 1 + rng_below(r, CONDITIONS);
  struct model *m = load(program, pointers ? "prom+" : "promela", &mem);
  for (size_t i = 0; m && i < exprs; i++)
    if (expr_parse(&expr[i], m, &mem, conditions[rng_below(r, sizeof conditions / sizeof *conditions)], "the test", &e)) printf("# %s\n", e.message), t->wrong++, exprs = i;
  if (m) laws(t, m, &mem, expr, exprs, pointers ? MOST / 5 : MOST, program, m->type->symmetry, ASK_FAULTS);
  else t->wrong++;
  for (size_t i = 0; i < CONDITIONS; i++) expr_close(expr[i]);
  model_close(m);
  t->left += mem.used != 0;
}

/* Coloured nets: sizes are the same whatever colours are called; a name tells one from the others. */
static const char *const questions[] = {"size A0 > 1", "size A1 = 2", "cf(p(1), A0) > 0", "size A2 > size A0", "cf(p(2), A1) = 1", "A0 = A1", "A0 <<= P.all()", "cf((p(1), p(2)), A2) > 0", "List.exists (fn x => x = q1) A1"};

static void random_net(struct tally *t, struct rng *r, int sliced) {
  static char net[8000];
  struct expr *expr[CONDITIONS] = {0};
  struct mem mem;
  struct err e;
  mem_open(&mem, 0);
  coloured_random(net, sizeof net, r);
  size_t wanted = rng_below(r, 3) && !sliced ? 0 : 1 + rng_below(r, CONDITIONS), exprs = 0;
  struct model *m = load(net, "cpnt", &mem);
  for (size_t i = 0; m && i < wanted; i++) { /* those that do not fit the places are left out */
    err_clear(&e);
    if (expr_parse(&expr[exprs], m, &mem, questions[rng_below(r, sizeof questions / sizeof *questions)], "the test", &e) == 0) exprs++;
  }
  if (m) laws(t, m, &mem, expr, exprs, MOST, net, sliced ? m->type->slice : m->type->symmetry, sliced && rng_below(r, 3) ? ASK_STATES : ASK_RUNS);
  else t->wrong++;
  for (size_t i = 0; i < exprs; i++) expr_close(expr[i]);
  model_close(m);
  t->left += mem.used != 0;
}

static void tell(const struct tally *t, const char *what) {
  is(t->unstable, 0, NAMED("%zu %s, %zu with states that are alike: what stands for a state stands for itself", t->programs, what, t->alike));
  is(t->labels + t->values, 0, "the same labels and values");
  is(t->steps, 0, "the same steps and faults");
  is(t->lost, 0, "what is explored is what stands for all states");
  is(t->wrong, 0, "no memory refused, nothing refused");
  is(t->left, 0, "nothing left behind");
}

/* Database managers: 1 + n 3^(n-1) markings, of which 1 + n(n+1)/2 stand for all. */
static void managers(void) {
  static const char net[] = "declare\n  val n = %u; colset M = scalarset m with 1..n; colset MESSAGE = product M * M; colset TURN = unit; var s, r : M;\n"
                            "  fun from s = MESSAGE.mult (1`s, M.all() -- 1`s);\n"
                            "page Managers\n  place Idle : M\n    initial M.all()\n  place Waiting : M\n  place Busy : M\n  place Turn : TURN\n    initial ()\n"
                            "  place Unused : MESSAGE\n    initial List.foldl (fn (s, all) => from s ++ all) empty (M.all())\n  place Sent : MESSAGE\n  place Got : MESSAGE\n  place Answered : MESSAGE\n"
                            "  transition Send\n    take Idle : s\n    take Turn : ()\n    take Unused : from s\n    give Waiting : s\n    give Sent : from s\n"
                            "  transition Get\n    take Sent : (s, r)\n    take Idle : r\n    give Got : (s, r)\n    give Busy : r\n"
                            "  transition Answer\n    take Got : (s, r)\n    take Busy : r\n    give Answered : (s, r)\n    give Idle : r\n"
                            "  transition Done\n    take Waiting : s\n    take Answered : from s\n    give Unused : from s\n    give Idle : s\n    give Turn : ()\n";
  for (unsigned n = 2, all = 3; n <= 6; n++, all *= 3) {
    static char own[4000];
    struct mem mem;
    struct tally t = {0};
    snprintf(own, sizeof own, net, n);
    mem_open(&mem, 0);
    struct model *m = load(own, "cpnt", &mem);
    size_t found = m ? laws(&t, m, &mem, NULL, 0, 20000, own, m->type->symmetry, ASK_RUNS) : 0;
    is((long)found, (long)(1 + n * (n + 1) / 2), NAMED("%u database managers: %zu of %zu markings", n, found, t.states));
    is((long)t.states, (long)(1 + n * all), "all of them");
    is(t.unstable + t.values + t.steps + t.lost + t.wrong, 0, "laws");
    model_close(m);
  }
}

int main(int argc, char **argv) {
  if (argc > 1 && strchr(argv[1], '.')) { /* a file: for people */
    struct mem mem;
    struct tally t = {0};
    mem_open(&mem, 0);
    char *program = read_file(argv[1]);
    struct model *m = load(program, argc > 2 ? argv[2] : "promela", &mem);
    struct model_aims aims = {.deadlocks = 1};
    char why[300] = "";
    struct model_likeness *l = NULL;
    int status = m->type->symmetry->open(&l, m, &aims, &mem, why, sizeof why);
    printf("# status %d: %s%s\n", status, status ? why : l->text, "");
    if (l) l->type->close(l);
    size_t found = laws(&t, m, &mem, NULL, 0, 200000, "", m->type->symmetry, m->type->labels ? ASK_FAULTS : ASK_RUNS);
    printf("# %zu of %zu; unstable %zu labels %zu steps %zu lost %zu wrong %zu\n", found, t.states, t.unstable, t.labels, t.steps, t.lost, t.wrong);
    model_close(m);
    return 0;
  }
  struct rng r = {argc > 1 ? strtoull(argv[1], NULL, 10) : 5};
  int programs = argc > 2 ? atoi(argv[2]) : often(PROGRAMS / 3);
  struct tally t = {0};
  for (int k = 0; k < programs; k++) random_program(&t, &r);
  tell(&t, "programs");
  ok(t.alike > t.programs / 4 && t.reduced > t.alike / 2 && 4 * t.quotient < 3 * t.states, NAMED("%zu programs have fewer states: %zu become %zu", t.reduced, t.states, t.quotient));
  table();
  numbers();
  struct tally nets = {0};
  for (int k = 0; k < (argc > 2 ? programs : often(NETS / 3)); k++) random_net(&nets, &r, 0);
  tell(&nets, "coloured nets");
  ok(nets.alike > nets.programs / 4 && nets.reduced > nets.alike / 4 && 4 * nets.quotient < 3 * nets.states, NAMED("%zu of %zu coloured nets have fewer states: %zu become %zu", nets.reduced, nets.alike, nets.states, nets.quotient));
  managers();
  struct tally slices = {0};
  for (int k = 0; k < (argc > 2 ? programs : often(NETS / 6)); k++) random_net(&slices, &r, 1);
  tell(&slices, "coloured nets, without tokens that do not matter");
  ok(slices.reduced > slices.alike / 4 && 20 * slices.quotient < 19 * slices.states, NAMED("%zu of %zu have fewer states: %zu become %zu", slices.reduced, slices.alike, slices.states, slices.quotient));
  return done();
}
