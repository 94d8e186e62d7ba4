/* net_symmetry.c -- symmetries of nets (net/symmetry.h) on random symmetric nets.
 *
 * On markings of random walks: what stands for a marking stands for itself, has the same values of all expressions, as many successors, and successors with the same numbers of tokens up to their order.  Paths of the part that is left are followed
 * to real paths.  Then whole runs, with symmetry alone and beside other reductions: the same verdicts as without, every violation confirmed on the net as it is.
 *
 * Nets are copies of a random component around shared places: all alike; in a ring; with a place for each pair; in groups of groups.  Not all initial markings are symmetric, and conditions speak of all copies or of some. */
#include "tap.h"

#include "base/rng.h"
#include "model/expr.h"
#include "net/pt_model.h"
#include "nets.h"
#include "reduced_runs.h"

static char text[400];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { NETS = 1500, MOST = 6000, PROPERTIES = 4, STEPS = 40, WORDS = 64, PLACES = 200 };

/* ---- nets ------------------------------------------------------------------------------------------------------------------------------ */

struct arc_like {
  unsigned place, weight; /* from `shared` on: a shared one; `next` on: of the neighbour or the group */
  int gives;
};
struct part {
  unsigned places, transitions, shared, copies, groups, arcs[8];
  struct arc_like arc[8][6];
  enum { ALONE, RING, PAIRS, GROUPS } kind;
  unsigned initial[8], shared_initial[3], group_initial;
};

static void random_part(struct part *p, struct rng *r) {
  memset(p, 0, sizeof *p);
  p->kind = rng_below(r, 4);
  p->places = 1 + (unsigned)rng_below(r, p->kind == PAIRS ? 2 : 3);
  p->transitions = 1 + (unsigned)rng_below(r, 3);
  p->shared = (unsigned)rng_below(r, 3);
  p->copies = 2 + (unsigned)rng_below(r, 4);
  p->groups = p->kind == GROUPS ? 2 + (unsigned)rng_below(r, 2) : 1;
  if (p->kind == GROUPS && p->copies > 3) p->copies = 2;
  for (unsigned i = 0; i < p->places; i++) p->initial[i] = (unsigned)rng_below(r, 2);
  for (unsigned i = 0; i < p->shared; i++) p->shared_initial[i] = (unsigned)rng_below(r, 3);
  p->group_initial = (unsigned)rng_below(r, 2);
  for (unsigned t = 0; t < p->transitions; t++) {
    p->arcs[t] = 2 + (unsigned)rng_below(r, 3);
    for (unsigned a = 0; a < p->arcs[t]; a++) {
      unsigned where = (unsigned)rng_below(r, 6);
      struct arc_like *x = &p->arc[t][a];
      x->gives = a == 0 ? 0 : a == 1 ? 1 : (int)rng_below(r, 2);
      x->weight = 1 + (rng_below(r, 8) == 0);
      x->place = where < 3 || (where < 5 && !p->shared) ? (unsigned)rng_below(r, p->places) : where < 5 ? 100 + (unsigned)rng_below(r, p->shared) : 200 + (unsigned)rng_below(r, p->places);
    }
  }
}

static void place_id(const struct part *p, char *out, unsigned group, unsigned copy, unsigned place) {
  if (place < 100) snprintf(out, 32, "p%u_%u_%u", group, copy, place);
  else if (place < 200) snprintf(out, 32, "s%u", place - 100);
  else if (p->kind == GROUPS) snprintf(out, 32, "g%u", group);
  else if (p->kind == RING) snprintf(out, 32, "p%u_%u_%u", group, (copy + 1) % p->copies, place - 200);
  else snprintf(out, 32, "p%u_%u_%u", group, copy, place - 200);
}

static struct pt_net *build(const struct part *p, struct mem *mem, struct rng *r) {
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char id[32], t[32];
  unsigned odd = rng_below(r, 3) ? 1000 : (unsigned)rng_below(r, p->copies); /* a copy that has a token more */
  err_clear(&e);
  if (pt_builder_open(&b, mem, "symmetric", &e)) return NULL;
  for (unsigned i = 0; i < p->shared; i++) {
    snprintf(id, sizeof id, "s%u", i);
    pt_builder_place(b, id, NULL, p->shared_initial[i], nets_nowhere, &e);
  }
  for (unsigned g = 0; g < p->groups; g++) {
    if (p->kind == GROUPS) {
      snprintf(id, sizeof id, "g%u", g);
      pt_builder_place(b, id, NULL, p->group_initial, nets_nowhere, &e);
    }
    for (unsigned c = 0; c < p->copies; c++) {
      for (unsigned i = 0; i < p->places; i++) {
        place_id(p, id, g, c, i);
        pt_builder_place(b, id, NULL, p->initial[i] + (c == odd && g == 0 && i == 0), nets_nowhere, &e);
      }
      for (unsigned k = 0; k < p->transitions; k++) {
        snprintf(t, sizeof t, "t%u_%u_%u", g % 100, c % 100, k % 100);
        pt_builder_transition(b, t, NULL, nets_nowhere, &e);
        for (unsigned a = 0; a < p->arcs[k]; a++) {
          place_id(p, id, g, c, p->arc[k][a].place);
          pt_builder_arc(b, p->arc[k][a].gives ? t : id, p->arc[k][a].gives ? id : t, p->arc[k][a].weight, nets_nowhere, &e);
        }
      }
      for (unsigned d = 0; p->kind == PAIRS && d < p->copies; d++) {
        char pair[32], from[32], to[32];
        if (d == c) continue;
        snprintf(pair, sizeof pair, "c%u_%u", c, d);
        pt_builder_place(b, pair, NULL, 0, nets_nowhere, &e);
        place_id(p, from, g, c, 0);
        place_id(p, to, g, d, p->places - 1);
        snprintf(t, sizeof t, "send%u_%u", c, d);
        pt_builder_transition(b, t, NULL, nets_nowhere, &e);
        pt_builder_arc(b, from, t, 1, nets_nowhere, &e);
        pt_builder_arc(b, t, pair, 1, nets_nowhere, &e);
        snprintf(t, sizeof t, "receive%u_%u", c, d);
        pt_builder_transition(b, t, NULL, nets_nowhere, &e);
        pt_builder_arc(b, pair, t, 1, nets_nowhere, &e);
        pt_builder_arc(b, t, to, 1, nets_nowhere, &e);
      }
    }
  }
  if (pt_builder_finish(b, &net, &e)) {
    printf("# %s\n", e.message);
    pt_builder_close(b);
  }
  return net;
}

/* Of all copies alike, of one, or of two in an order. */
static void condition(const struct part *p, struct rng *r, char *out, size_t room) {
  char a[32], b[32];
  unsigned place = (unsigned)rng_below(r, p->places);
  place_id(p, a, 0, (unsigned)rng_below(r, p->copies), place);
  place_id(p, b, 0, (unsigned)rng_below(r, p->copies), place);
  size_t used = 0;
  switch (rng_below(r, 5)) {
  case 0: snprintf(out, room, "%s %s %u", a, rng_below(r, 2) ? ">=" : "==", (unsigned)rng_below(r, 2) + 1); return;
  case 1: snprintf(out, room, "%s > %s", a, b); return;
  case 2: snprintf(out, room, "%s + %s >= 2 || fireable(t0_0_0)", a, b); return;
  default:
    for (unsigned g = 0; g < p->groups; g++)
      for (unsigned c = 0; c < p->copies; c++) {
        place_id(p, a, g, c, place);
        used += (size_t)snprintf(out + used, room - used, "%s%s", used ? " + " : "", a);
      }
    snprintf(out + used, room - used, " %s %u", rng_below(r, 2) ? ">=" : "!=", 1 + (unsigned)rng_below(r, 3));
  }
}

/* ---- laws on single markings ------------------------------------------------------------------------------------------------------------- */

static int by_value(const void *x, const void *y) {
  int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return (a > b) - (a < b);
}

/* Something that no permutation of places changes: of a marking, or of all its successors. */
static uint64_t sorted_hash(const struct model *m, const uint32_t *state) {
  int64_t v[PLACES];
  uint64_t h = 1;
  for (uint32_t p = 0; p < m->vars; p++) v[p] = m->type->value(m, state, p);
  qsort(v, m->vars, sizeof *v, by_value);
  for (uint32_t p = 0; p < m->vars; p++) h = (h ^ (uint64_t)v[p]) * 1099511628211u ^ h >> 29;
  return h;
}

struct walker {
  struct model *m;
  struct model_likeness *l;
  struct model_cursor *c;
  struct model_batch b;
};

/* 0; 1: it does not fit, the walk ends; -1 */
static int successors(struct walker *w, const uint32_t *state) {
  w->b.count = 0;
  return w->m->type->successors(w->c, state, &w->b) != MODEL_OK;
}

static uint64_t successors_hash(struct walker *w, const uint32_t *state, int *ended) {
  uint64_t sum = 0;
  *ended = successors(w, state);
  for (size_t i = 0; i < w->b.count; i++) sum += sorted_hash(w->m, w->b.states + i * w->b.stride) * 0x9e3779b97f4a7c15u;
  return sum + w->b.count;
}

static const char *walk(struct walker *w, const struct model_aims *aims, struct rng *r, size_t *changed) {
  struct model *m = w->m;
  size_t bytes = m->words * sizeof(uint32_t);
  uint32_t state[WORDS] = {0}, there[WORDS] = {0}, again[WORDS] = {0}, real[WORDS] = {0}, want[WORDS] = {0};
  int ended;
  m->type->initial(m, state);
  for (int i = 0; i < STEPS; i++) { /* the real ones */
    memcpy(there, state, bytes);
    if (w->l->type->apply(w->l, w->c, there) != MODEL_OK) return NULL;
    memcpy(again, there, bytes);
    if (w->l->type->apply(w->l, w->c, again) != MODEL_OK || memcmp(again, there, bytes) != 0) return "it does not stand for itself";
    *changed += memcmp(state, there, bytes) != 0;
    if (sorted_hash(m, state) != sorted_hash(m, there)) return "tokens were lost";
    for (size_t e = 0; e < aims->exprs; e++)
      if (expr_value(aims->expr[e], w->c, state) != expr_value(aims->expr[e], w->c, there)) return "an expression has another value";
    uint64_t one = successors_hash(w, there, &ended);
    if (ended) return NULL;
    if (one != successors_hash(w, state, &ended)) return ended ? NULL : "it has other successors";
    if (!w->b.count) break;
    memcpy(state, w->b.states + rng_below(r, w->b.count) * w->b.stride, bytes);
  }
  /* a path of what is left, followed */
  m->type->initial(m, real);
  memcpy(there, real, bytes);
  if (w->l->type->follow_begin(w->l) || w->l->type->follow(w->l, w->c, there, again) != MODEL_OK) return NULL;
  if (memcmp(again, real, bytes) != 0) return "the path does not begin where it does";
  for (int i = 0; i < STEPS; i++) {
    if (w->l->type->apply(w->l, w->c, there) != MODEL_OK || successors(w, there)) return NULL;
    if (!w->b.count) break;
    memcpy(there, w->b.states + rng_below(r, w->b.count) * w->b.stride, bytes);
    if (w->l->type->follow(w->l, w->c, there, want) != MODEL_OK || successors(w, real)) return NULL;
    size_t k = 0;
    while (k < w->b.count && memcmp(w->b.states + k * w->b.stride, want, bytes) != 0) k++;
    if (k == w->b.count) return "a path cannot be followed";
    memcpy(real, want, bytes);
  }
  return NULL;
}

int main(void) {
  static const struct search_type *searches[] = {&search_bfs, &search_dfs};
  static const unsigned kinds[] = {REDUCE_SYMMETRY, REDUCE_SYMMETRY, REDUCE_SYMMETRY | REDUCE_SLICE, REDUCE_SYMMETRY | REDUCE_POR, REDUCE_ALL, REDUCE_SLICE};
  struct rng r = {5};
  size_t symmetric = 0, changed = 0, wrong = 0, other = 0, unconfirmed = 0, decided = 0, runs = 0, left = 0, of_kind[4] = {0};
  uint64_t all = 0, fewer = 0;
  const int nets = often(NETS / 5);
  for (int k = 0; k < nets; k++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct part part;
    struct prop p[PROPERTIES + 1];
    const struct expr *seen[PROPERTIES + 1];
    char conditions[PROPERTIES][1500], why[200];
    size_t count = 0;
    mem_open(&mem, 0);
    err_clear(&e);
    random_part(&part, &r);
    struct pt_net *net = build(&part, &mem, &r);
    if (!net || net->places > PLACES || pt_model_open(&m, net, "net", &e)) {
      printf("# %s\n", e.message);
      wrong++;
      continue;
    }
    struct model_aims aims = {.expr = seen, .deadlocks = 1};
    int runs_only = rng_below(&r, 3) == 0;
    if (!runs_only && rng_below(&r, 2)) prop_open(&p[count++], PROP_DEADLOCK, 1, NULL, m, &mem, &e);
    for (unsigned i = 0, wanted = runs_only ? 1 : (unsigned)rng_below(&r, PROPERTIES); i < wanted || !count; i++) {
      condition(&part, &r, conditions[i], sizeof conditions[i]);
      if (runs_only) {
        static const char *shapes[] = {"[] <> {%s}", "<> [] {%s}", "[] {%s}", "<> {%s}", "<> ({%s} && <> !{%s})"};
        char atom[700];
        snprintf(atom, sizeof atom, "%.600s", conditions[i]);
        snprintf(conditions[i], sizeof conditions[i], shapes[rng_below(&r, 5)], atom, atom);
        runs++;
      }
      if (prop_open(&p[count], runs_only ? PROP_LTL : rng_below(&r, 2) ? PROP_INVARIANT : PROP_REACHABLE, i + 1, conditions[i], m, &mem, &e)) {
        printf("# %s: %s\n", conditions[i], e.message);
        wrong++;
        break;
      }
      if (p[count].expr) seen[aims.exprs++] = p[count].expr;
      count++;
    }
    const struct search_type *search = searches[rng_below(&r, 2)];
    struct reduced_outcome want = reduced_run(m, &mem, p, count, &(struct reduced_how){.search = search, .store = &store_plain, .most = MOST});
    struct walker w = {.m = m};
    int answer = m->words < WORDS ? m->type->symmetry->open(&w.l, m, &aims, &mem, why, sizeof why) : 1;
    if (answer < 0) wrong++;
    if (!answer) {
      symmetric++;
      of_kind[part.kind]++;
      if (m->type->cursor_open(&w.c, m, &mem) || model_batch_open(&w.b, &mem, m->words, 64)) wrong++;
      const char *problem = NULL;
      for (int i = 0; i < 4 && !problem; i++) problem = walk(&w, &aims, &r, &changed);
      if (problem && wrong++ < 3) {
        printf("# net %d (%s): %s\n", k, w.l->text, problem);
        nets_print(net);
      }
      model_batch_close(&w.b);
      m->type->cursor_close(w.c);
      w.l->type->close(w.l);
    }
    struct reduced_how how = {.reduce = kinds[rng_below(&r, sizeof kinds / sizeof *kinds)], .search = search, .store = rng_below(&r, 3) ? &store_plain : &store_compact_tree, .most = 10 * MOST}; /* a loop may be longer */
    struct reduced_outcome got = reduced_run(m, &mem, p, count, &how);
    if (want.confirmed && !got.confirmed && unconfirmed++ < 3) { /* not where there are too many states for that anyway */
      printf("# net %d, reductions %u of %u, %s: a run is not confirmed\n", k, got.used, how.reduce, p[0].temporal ? p[0].temporal->text : p[0].id);
      nets_print(net);
    }
    if (want.complete && got.complete) {
      all += want.states;
      fewer += got.states;
      for (size_t i = 0; i < count; i++) {
        decided++;
        if (want.status[i] == got.status[i]) continue;
        if (other++ < 3) {
          printf("# net %d, reductions %u, %s %s: %s instead of %s\n", k, how.reduce, p[i].id, p[i].expr ? expr_text(p[i].expr) : p[i].temporal ? p[i].temporal->text : "", prop_status_name(got.status[i]), prop_status_name(want.status[i]));
          nets_print(net);
        }
      }
    }
    for (size_t i = 0; i < count; i++) prop_close(&p[i]);
    model_close(m);
    left += mem.used != 0;
  }
  is(wrong, 0, NAMED("%zu symmetric nets, %zu markings for which another one stands", symmetric, changed));
  is(other, 0, NAMED("%zu verdicts, %zu of whole runs: the same as without", decided, runs));
  is(unconfirmed, 0, "every run is confirmed on the net as it is");
  ok(of_kind[ALONE] > 15 && of_kind[RING] > 15 && of_kind[PAIRS] > 15 && of_kind[GROUPS] > 15, "nets of all kinds have symmetries");
  ok(fewer < all, NAMED("%llu states instead of %llu", (unsigned long long)fewer, (unsigned long long)all));
  is(left, 0, "nothing left behind");
  return done();
}
