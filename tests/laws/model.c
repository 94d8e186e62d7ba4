/* model.c -- the laws of model.h on nets and graphs: examples, and random nets with weights,
 * declared units that are true, declared units that lie, and places without bound. */
#include "tap.h"

#include "front/front.h"
#include "nets.h"
#include "net/pt_model.h"

#include <stdlib.h>

static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

struct walk {
  struct model *m;
  struct model_cursor *cursor, *other;
  struct model_batch batch, again;
  uint32_t state[2048], before[2048], out[2048];
  int64_t *values, *next, *read;
};

static int open_walk(struct walk *w, struct model *m, struct mem *mem) {
  w->m = m;
  w->values = calloc(m->vars + 1, sizeof *w->values);
  w->next = calloc(m->vars + 1, sizeof *w->next);
  w->read = calloc(m->vars + 1, sizeof *w->read);
  return m->type->cursor_open(&w->cursor, m, mem) || m->type->cursor_open(&w->other, m, mem) ||
         model_batch_open(&w->batch, mem, m->words, 4) || model_batch_open(&w->again, mem, m->words, 4);
}

static void close_walk(struct walk *w) {
  w->m->type->cursor_close(w->cursor);
  w->m->type->cursor_close(w->other);
  model_batch_close(&w->batch);
  model_batch_close(&w->again);
  free(w->values);
  free(w->next);
  free(w->read);
}

static void read_values(struct walk *w, const uint32_t *state, int64_t *out) {
  for (uint32_t v = 0; v < w->m->vars; v++) out[v] = w->m->type->value(w->m, state, v);
}

static int clean_above_bits(const struct model *m, const uint32_t *state) {
  for (uint32_t b = m->bits; b < m->words * 32; b++)
    if (state[b / 32] >> b % 32 & 1) return 0;
  return 1;
}

/* Widens until the successors of the state fit, converting the state. 0, or -1: a real limit. */
static int expand(struct walk *w, struct model_cursor *c, struct model_batch *b) {
  const struct model_type *t = w->m->type;
  for (;;) {
    b->count = 0;
    enum model_answer answer = t->successors(c, w->state, b);
    if (answer == MODEL_OK) return 0;
    struct err e;
    err_clear(&e);
    if (answer != MODEL_WIDEN || t->widen(w->m, c, &e)) return -1;
    memset(w->out, 0, sizeof w->out);
    t->convert(w->m, w->state, w->out);
    t->widen_done(w->m, 1);
    memcpy(w->state, w->out, sizeof w->state);
    if (model_batch_restride(&w->batch, w->m->words) || model_batch_restride(&w->again, w->m->words)) return -1;
  }
}

/* The step of the definition with this number (define_edge), or the first of the groups from *g on. 1, 0: there is none. */
static int next_defined(struct walk *w, size_t k, uint32_t *g) {
  const struct model_type *t = w->m->type;
  if (t->define_edge) return t->define_edge(w->m, w->values, (uint32_t)k, g, w->next, w->m->mem);
  while (*g < w->m->groups && !t->define_step(w->m, w->values, *g, w->next)) ++*g;
  return *g < w->m->groups;
}

static int is_defined(struct walk *w, uint32_t group) {
  uint32_t made = group;
  if (!w->m->type->define_edge) return next_defined(w, 0, &made) && made == group;
  for (size_t k = 0; next_defined(w, k, &made) == 1; k++)
    if (made == group) return 1;
  return 0;
}

/* Which law is broken in this state, or NULL. */
static const char *broken(struct walk *w, struct rng *rng) {
  const struct model_type *t = w->m->type;
  size_t words = w->m->words;
  if (!clean_above_bits(w->m, w->state)) return "bits above the last one are zero";
  if (expand(w, w->cursor, &w->batch)) return "successors can be made";
  words = w->m->words;
  if (expand(w, w->other, &w->again)) return "successors can be made twice";
  read_values(w, w->state, w->read);
  for (uint32_t v = 0; v < w->m->vars; v++)
    if (w->read[v] != w->values[v]) return "values are those of the definition";
  if (w->batch.count != w->again.count) return "successors are a function of the state";
  for (uint32_t g = 0; g < w->m->groups; g++)
    if (is_defined(w, g) != t->fireable(w->cursor, w->state, g)) return "fireable agrees with the definition";
  size_t k = 0;
  for (uint32_t g = 0; next_defined(w, k, &g) == 1; k++, g += !t->define_edge) {
    if (k >= w->batch.count || w->batch.group[k] != g) return "one successor for each step of the definition, in order";
    const uint32_t *s = w->batch.states + k * w->batch.stride;
    if (memcmp(s, w->again.states + k * w->again.stride, words * 4) != 0) return "two cursors agree";
    if (!clean_above_bits(w->m, s)) return "bits above the last one are zero in successors";
    read_values(w, s, w->read);
    if (memcmp(w->read, w->next, w->m->vars * sizeof *w->next) != 0) return "successors are those of the definition";
    uint32_t group = 0;
    if (t->step && (!t->step(w->other, w->state, (uint32_t)k, w->out, &group) || group != g || memcmp(w->out, s, words * 4) != 0))
      return "step(k) is the k-th successor";
    if (t->unstep && (!t->unstep(w->other, s, g, w->out) || memcmp(w->out, w->state, words * 4) != 0))
      return "unstep undoes step";
    struct model_words wrote = t->writes(w->m, g);
    for (uint32_t i = 0; i < words; i++)
      if (s[i] != w->state[i] && !(wrote.mask[i / 64] >> i % 64 & 1)) return "a group writes only the words of its write set";
  }
  if (k != w->batch.count) return "no further successors";
  if (t->step && t->step(w->other, w->state, (uint32_t)k, w->out, &(uint32_t){0}))
    return "step beyond the last successor says so";
  uint8_t packed[8192];
  size_t size = t->pack(w->m, w->state, packed, sizeof packed);
  if (size > sizeof packed || t->unpack(w->m, packed, size, w->out) || memcmp(w->out, w->state, words * 4) != 0)
    return "unpack undoes pack";
  if (w->batch.count == 0) return NULL;
  k = rng_below(rng, w->batch.count);
  uint32_t taken = w->batch.group[k];
  if (next_defined(w, k, &taken) != 1 || taken != w->batch.group[k]) return "the definition takes the step";
  memcpy(w->values, w->next, w->m->vars * sizeof *w->values);
  memset(w->state, 0, sizeof w->state);
  memcpy(w->state, w->batch.states + k * w->batch.stride, words * 4);
  return NULL;
}

/* Random walks over a model; 0 if all laws hold. */
static const char *walk_laws(struct model *m, struct mem *mem, uint64_t seed, size_t steps) {
  static struct walk w;
  struct rng rng = {seed};
  memset(&w, 0, sizeof w);
  const char *what = open_walk(&w, m, mem) ? "cursors open" : NULL;
  for (size_t i = 0; i < steps && !what; i++) {
    if (i % 60 == 0) {
      memset(w.state, 0, sizeof w.state);
      m->type->initial(m, w.state);
      m->type->define_initial(m, w.values);
    }
    what = broken(&w, &rng);
  }
  close_walk(&w);
  return what;
}

static void law_examples(void) {
  static const char *const files[] = {"examples/philosophers.net", "examples/mutex.pnml",  "examples/producer-consumer.net",
                                      "examples/unbounded.net",    "examples/weights.net", "examples/graph.aut"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    mem_open(&mem, 0);
    err_clear(&e);
    struct front_setup setup = {.mem = &mem};
    if (front_load(&m, files[i], NULL, &setup, &e)) {
      ok(0, NAMED("%s loads: %s", files[i], e.message));
      continue;
    }
    const char *what = walk_laws(m, &mem, i, 400);
    ok(!what, NAMED("%s: %s", files[i], what ? what : "all laws"));
    model_close(m);
    is(mem.used, 0, NAMED("%s: nothing left behind", files[i]));
  }
}

/* A random net; `lie`: with a NUPN part that declares units and safeness, true or not. */
static struct pt_net *random_net(struct mem *mem, struct rng *rng, int declared) {
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char id[32], other[32];
  err_clear(&e);
  if (pt_builder_open(&b, mem, "random", &e)) return NULL;
  unsigned places = 2 + (unsigned)rng_below(rng, 12), transitions = 1 + (unsigned)rng_below(rng, 14), bad = 0;
  unsigned heavy = (unsigned)rng_below(rng, 3);
  for (unsigned p = 0; p < places; p++) {
    snprintf(id, sizeof id, "p%u", p);
    uint32_t tokens = rng_below(rng, 3) ? 0 : 1 + (uint32_t)rng_below(rng, declared ? 1 : heavy == 2 ? 70000 : 3);
    bad |= (unsigned)pt_builder_place(b, id, NULL, tokens, nets_nowhere, &e) != 0;
  }
  for (unsigned t = 0; t < transitions; t++) {
    snprintf(id, sizeof id, "t%u", t);
    bad |= (unsigned)pt_builder_transition(b, id, NULL, nets_nowhere, &e) != 0;
    unsigned in = (unsigned)rng_below(rng, 3), out = (unsigned)rng_below(rng, 3);
    for (unsigned a = 0; a < in + out; a++) {
      snprintf(other, sizeof other, "p%u", (unsigned)rng_below(rng, places));
      uint32_t weight = declared || rng_below(rng, 4) ? 1 : 1 + (uint32_t)rng_below(rng, heavy == 2 ? 1000 : 3);
      bad |= (unsigned)(a < in ? pt_builder_arc(b, other, id, weight, nets_nowhere, &e)
                               : pt_builder_arc(b, id, other, weight, nets_nowhere, &e)) != 0;
    }
  }
  if (declared) { /* units of two and three places under a root without places of its own */
    bad |= (unsigned)pt_builder_unit(b, "root", nets_nowhere, &e) != 0;
    unsigned units = 0;
    for (unsigned p = 0; p < places; units++) p += 2 + units % 2;
    for (unsigned u = 0; u < units; u++) {
      snprintf(id, sizeof id, "u%u", u);
      bad |= (unsigned)pt_builder_unit_subunit(b, id, &e) != 0;
    }
    for (unsigned u = 0, p = 0; u < units; u++) {
      snprintf(id, sizeof id, "u%u", u);
      bad |= (unsigned)pt_builder_unit(b, id, nets_nowhere, &e) != 0;
      for (unsigned k = 0; k < 2 + u % 2 && p < places; k++, p++) {
        snprintf(other, sizeof other, "p%u", p);
        bad |= (unsigned)pt_builder_unit_place(b, other, &e) != 0;
      }
    }
    bad |= (unsigned)pt_builder_nupn(b, "root", 1, &e) != 0;
  }
  if (!bad && pt_builder_finish(b, &net, &e) == 0) return net;
  pt_builder_close(b);
  return NULL;
}

static void law_random(int declared, int count) {
  int bad = 0, left = 0, with_units = 0;
  for (int i = 0; i < count; i++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct rng rng = {(uint64_t)i * 2654435761u + (uint64_t)declared};
    mem_open(&mem, 0);
    err_clear(&e);
    struct pt_net *net = random_net(&mem, &rng, declared);
    if (!net || pt_model_open(&m, net, "net", &e)) {
      bad++;
      printf("# net %d: %s\n", i, e.message);
      pt_close(net);
      continue;
    }
    with_units += net->units > 0;
    const char *what = walk_laws(m, &mem, (uint64_t)i, 150);
    if (what) {
      bad++;
      printf("# net %d: %s\n", i, what);
    }
    model_close(m);
    left += mem.used != 0;
  }
  is(bad, 0, NAMED("%d random nets%s: all laws", count, declared ? " with declared units" : ""));
  is(left, 0, "nothing left behind");
  if (declared) ok(with_units > count / 2, "most of them have units");
}

int main(void) {
  law_examples();
  law_random(0, 300);
  law_random(1, 300);
  return done();
}
