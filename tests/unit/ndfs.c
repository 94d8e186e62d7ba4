/* ndfs.c -- search/ndfs.h in a store that has to find states again to compare them: when it cannot, the search ends for memory, and never says that there is no cycle. */
#include "tap.h"

#include "fake_model.h"
#include "prop/temporal.h"
#include "search/ndfs.h"

enum { RING = 60 };

/* A ring of states of more bits than stand in a table as a whole. */
static void initial(const struct model *m, uint32_t *state) { (void)m, memset(state, 0, 2 * sizeof *state); }

static enum model_answer successors(struct model_cursor *c, const uint32_t *state, struct model_batch *b) {
  (void)c;
  if (model_batch_grow(b, b->count + 1)) return MODEL_MEMORY;
  uint32_t *to = b->states + b->count * b->stride;
  memset(to, 0, b->stride * sizeof *to);
  to[0] = (state[0] + 1) % RING;
  to[1] = to[0] * 0x9e3779b1u;
  b->group[b->count++] = 0;
  return MODEL_OK;
}

static int cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  if (!(*out = mem_alloc(mem, MEM_MODEL, sizeof **out))) return -1;
  (*out)->model = m;
  (*out)->mem = mem;
  return 0;
}

static void cursor_close(struct model_cursor *c) { mem_free(c->mem, c); }

static int (*real_step)(void *, const uint32_t *, uint32_t, uint32_t *);
static uint64_t steps, refused_at; /* taken so far; the one that is refused, 0 = none */

static int step(void *context, const uint32_t *state, uint32_t edge, uint32_t *successor) {
  return ++steps == refused_at ? -1 : real_step(context, state, edge, successor);
}

struct outcome {
  int found, failed;
  enum search_stop stop;
};

static struct outcome look(struct model *m, const struct temporal *t, const struct automaton *a, struct mem *mem) {
  struct err e = {0};
  struct outcome out = {.stop = STOP_FAULT};
  struct product_setup parts = temporal_product(t, m, 0);
  struct model *product = NULL;
  struct search *s = NULL;
  struct ndfs n = {0};
  parts.automaton = a;
  if (product_open(&product, &parts, mem, &e)) return out;
  ndfs_open(&n, product, a, mem);
  struct listener *listeners[] = {&n.listener};
  if (search_open(&s, &search_dfs, &(struct search_setup){.model = product, .store = &store_comback, .mem = mem, .listeners = listeners, .listener_count = 1}, &e) == 0) {
    real_step = s->steps.step;
    s->steps.step = step;
    steps = 0;
    search_run(s);
    out = (struct outcome){n.found, n.failed, s->stop};
  }
  search_close(s);
  ndfs_close(&n);
  model_close(product);
  return out;
}

int main(void) {
  struct mem mem;
  struct err e = {0};
  struct temporal *t = NULL;
  mem_open(&mem, 0);
  static const char *const vars[] = {"at", "noise", NULL}, *const groups[] = {"on", NULL};
  struct model_type type = fake_type;
  struct fake fake = fake_open(vars, groups);
  struct model *m = &fake.model;
  type.initial = initial;
  type.successors = successors;
  type.cursor_open = cursor_open;
  type.cursor_close = cursor_close;
  m->type = &type;
  m->bits = 64;
  if (temporal_open(&t, &(struct temporal_source){.text = "[] <> (at == 20) -> [] <> (at == 77)", .what = "the test"}, m, &mem, NULL, &e)) {
    ok(0, e.message);
    return done();
  }
  struct automaton *a = t->bad;
  int bad = automaton_trim(&a, &e) || automaton_degeneralise(&a, 1, &e) || automaton_classify(a, &e);
  t->bad = a;
  ok(!bad && t->method == TEMPORAL_STRONG, "an automaton for nested searches");
  refused_at = 0;
  struct outcome all = look(m, t, a, &mem);
  uint64_t taken = steps;
  size_t missed = 0;
  ok(all.found && taken > 100, "the cycle is found, with many steps taken again");
  for (refused_at = 1; refused_at <= taken; refused_at++) {
    struct outcome o = look(m, t, a, &mem);
    if (o.found || o.failed || o.stop == STOP_MEMORY) continue;
    if (missed++ < 3) printf("# step %llu refused: stop %d\n", (unsigned long long)refused_at, (int)o.stop);
  }
  is(missed, 0, "whichever step cannot be taken: it is found, or memory has ended");
  temporal_close(t);
  is(mem.used, 0, "nothing left behind");
  return done();
}
