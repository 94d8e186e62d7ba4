/* reduce_colour.c -- stubborn sets of bindings (colour/thrift.c) on random coloured nets (coloured_random.h).
 *
 * Each net is walked with all of its steps and with the fewer ones that are chosen: markings without successors must be the same ones, and conditions that are asked about must have the same values somewhere.  What is foreseen must
 * have every binding that happens: otherwise all steps would be taken, and nobody would notice, so the share of nets in which some are spared is looked at as well. */
#include "tap.h"

#include "coloured_random.h"
#include "edge_laws.h"
#include "front/front.h"
#include "model/expr.h"
#include "reduce/reduction.h"

static char text[9000];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { NETS = 1500, MOST = 1500, CONDITIONS = 3 };

static const char *const questions[] = {"size A0 > 1", "size A1 = 2", "cf(p(1), A0) > 0", "size A2 > size A0", "cf(p(2), A1) = 1", "A0 = A1", "cf((p(1), p(2)), A2) > 0", "size A0 = 0", "size A2 = 1"};

struct seen {
  struct known ends;
  size_t states;
  unsigned value[CONDITIONS]; /* bit 0: false somewhere, bit 1: true */
  int complete;
};

struct tally {
  size_t nets, used, fewer, lost, more, wrong, left;
  uint64_t all, few;
};

static void forget(struct known *k) {
  for (size_t i = 0; i < k->count; i++) free(k->at[i]);
  free(k->at);
  free(k->slot);
}

static void see(struct seen *s, struct model *m, struct mem *mem, struct expr *const *expr, size_t exprs) {
  struct walk w = {.m = m, .mem = mem, .packed_room = 4096, .packed = malloc(4096)};
  *s = (struct seen){.complete = 1};
  fit(&w);
  if (m->type->cursor_open(&w.cursor, m, mem) || model_batch_open(&w.batch, mem, m->words, 4) || model_batch_open(&w.again, mem, m->words, 4)) s->complete = 0;
  memset(w.state, 0, w.room * sizeof *w.state);
  m->type->initial(m, w.state);
  keep(&w, w.state);
  for (size_t i = 0; i < w.known.count && s->complete; i++) {
    memset(w.state, 0, w.room * sizeof *w.state);
    if (i > MOST || m->type->unpack(m, w.known.at[i] + 4, length_of(w.known.at[i]), w.state)) {
      s->complete = 0;
      break;
    }
    for (size_t k = 0; k < exprs; k++) s->value[k] |= 1u << (expr_true(expr[k], w.cursor, w.state) != 0);
    if (expand(&w, w.cursor, &w.batch)) s->complete = 0;
    for (size_t k = 0; k < w.batch.count; k++) keep(&w, w.batch.states + k * w.batch.stride);
    if (!w.batch.count) put(&s->ends, w.known.at[i] + 4, length_of(w.known.at[i]));
  }
  s->states = w.known.count;
  m->type->cursor_close(w.cursor);
  model_batch_close(&w.batch);
  model_batch_close(&w.again);
  forget(&w.known);
  free(w.state), free(w.out), free(w.values), free(w.next), free(w.packed);
}

static const char *lost(const struct seen *all, struct seen *few, size_t exprs) {
  size_t before = few->ends.count;
  if (!few->complete) return "the end of the search";
  for (size_t i = 0; i < all->ends.count; i++) put(&few->ends, all->ends.at[i] + 4, length_of(all->ends.at[i]));
  if (few->ends.count != before) return "a marking without successors";
  for (size_t i = 0; i < exprs; i++)
    if (all->value[i] != few->value[i]) return "a value of a condition";
  return NULL;
}

static void compare(struct tally *t, struct model *m, struct mem *mem, struct expr *const *expr, size_t exprs, const char *net) {
  struct seen all, few;
  struct err e;
  struct reduction_goal goal[2 * CONDITIONS];
  for (size_t i = 0; i < exprs; i++) goal[i] = (struct reduction_goal){expr[i], 1}, goal[exprs + i] = (struct reduction_goal){expr[i], 0};
  see(&all, m, mem, expr, exprs);
  t->nets += all.complete;
  for (int asked = 0; asked < 2 && all.complete; asked++) {
    struct reduction *r;
    struct reduction_told told;
    struct reduction_setup setup = {.model = m, .kinds = REDUCE_POR, .bounded = 1, .deadlocks = 1, .goal = goal, .goals = asked ? 2 * exprs : 0};
    err_clear(&e);
    int status = reduction_open(&r, &setup, &told, mem, &e);
    if (status < 0) t->wrong++;
    if (status) continue;
    reduction_dress(r);
    see(&few, m, mem, expr, asked ? exprs : 0);
    reduction_close(r);
    t->used++;
    t->fewer += few.states < all.states;
    t->all += all.states;
    t->few += few.states;
    t->more += few.states > all.states;
    const char *what = lost(&all, &few, asked ? exprs : 0);
    if (what && !t->lost++) printf("# %s is lost, %zu of %zu states, in\n%s\n", what, few.states, all.states, net);
    forget(&few.ends);
  }
  forget(&all.ends);
}

static void random_net(struct tally *t, struct rng *r) {
  static char net[8000];
  struct expr *expr[CONDITIONS] = {0};
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  mem_open(&mem, 0);
  err_clear(&e);
  coloured_random(net, sizeof net, r);
  FILE *f = fmemopen(net, strlen(net), "r");
  struct front_setup setup = {.mem = &mem, .file = "random", .input = f};
  if (!f || front_find("cpnt")->load(&m, &setup, &e)) printf("# %s\n# %s\n", e.message, net), t->wrong++;
  if (f) fclose(f);
  size_t wanted = rng_below(r, CONDITIONS + 1), exprs = 0;
  for (size_t i = 0; m && i < wanted; i++) { /* those that do not fit the places are left out */
    err_clear(&e);
    if (expr_parse(&expr[exprs], m, &mem, questions[rng_below(r, sizeof questions / sizeof *questions)], "the test", &e) == 0) exprs++;
  }
  if (m) compare(t, m, &mem, expr, exprs, net);
  for (size_t i = 0; i < exprs; i++) expr_close(expr[i]);
  model_close(m);
  t->left += mem.used != 0;
}

int main(int argc, char **argv) {
  struct rng r = {argc > 1 ? strtoull(argv[1], NULL, 10) : 17};
  int nets = argc > 2 ? atoi(argv[2]) : NETS;
  struct tally t = {0};
  for (int k = 0; k < nets; k++) random_net(&t, &r);
  is(t.lost, 0, NAMED("%zu nets: the same markings without successors, the same values of conditions", t.nets));
  is(t.more, 0, "never more states");
  is(t.wrong, 0, "nothing refused");
  is(t.left, 0, "nothing left behind");
  ok(t.used > t.nets / 2 && t.fewer > t.used / 6, NAMED("%zu of %zu walks have fewer states: %llu instead of %llu", t.fewer, t.used, (unsigned long long)t.few, (unsigned long long)t.all));
  return done();
}
