/* reduce.c -- stubborn sets (reduce/reduction.h) on random nets: the verdict of each property is that of the search that takes all steps, in every kind of search and with several stores, and every run that
 * was found is confirmed on the net as it is.
 *
 * Formulas about whole runs are tried by themselves as well, since a violation of something else would end the run before.
 *
 * Nets are random: some loose (random arcs), some made of parts that mostly move by themselves and sometimes meet, where there is much to be spared.  Expressions are random. */
#include "tap.h"

#include "base/rng.h"
#include "net/pt_model.h"
#include "nets.h"
#include "reduced_runs.h"
#include "run/run.h"

static char text[400];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

enum { NETS = 2500, PROPERTIES = 5, MOST = 6000 };

/* Rings of places with a token each; some transitions of different rings are one. */
static struct pt_net *random_rings(struct mem *mem, struct rng *r) {
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char id[32], other[32];
  unsigned rings = 2 + (unsigned)rng_below(r, 4), size[6], count = 0;
  err_clear(&e);
  if (pt_builder_open(&b, mem, "rings", &e)) return NULL;
  for (unsigned k = 0; k < rings; k++) {
    size[k] = 2 + (unsigned)rng_below(r, 3);
    for (unsigned i = 0; i < size[k]; i++) {
      snprintf(id, sizeof id, "r%u_%u", k, i);
      pt_builder_place(b, id, NULL, i == 0, nets_nowhere, &e);
    }
  }
  for (unsigned k = 0; k < rings; k++)
    for (unsigned i = 0; i < size[k]; i++) {
      char t[32];
      snprintf(t, sizeof t, "t%u", count++);
      pt_builder_transition(b, t, NULL, nets_nowhere, &e);
      snprintf(id, sizeof id, "r%u_%u", k, i);
      pt_builder_arc(b, id, t, 1, nets_nowhere, &e);
      snprintf(id, sizeof id, "r%u_%u", k, (unsigned)((i + 1 + (rng_below(r, 5) == 0)) % size[k]));
      pt_builder_arc(b, t, id, 1, nets_nowhere, &e);
      if (rng_below(r, 3) || rings < 2) continue;
      unsigned with = (k + 1 + (unsigned)rng_below(r, rings - 1)) % rings, from = (unsigned)rng_below(r, size[with]); /* meets another ring, or looks at it */
      snprintf(id, sizeof id, "r%u_%u", with, from);
      snprintf(other, sizeof other, "r%u_%u", with, rng_below(r, 2) ? from : (from + 1) % size[with]);
      pt_builder_arc(b, id, t, 1, nets_nowhere, &e);
      pt_builder_arc(b, t, other, 1, nets_nowhere, &e);
    }
  if (pt_builder_finish(b, &net, &e)) printf("# %s\n", e.message);
  return net;
}

/* A random condition over the net's places and transitions. */
static size_t condition(const struct pt_net *n, struct rng *r, char *out, size_t room, int depth) {
  static const char *relations[] = {"==", "!=", "<", "<=", ">", ">="};
  const char *p = n->place_id[rng_below(r, n->places)], *q = n->place_id[rng_below(r, n->places)];
  size_t used = 0;
  switch (depth > 2 ? rng_below(r, 4) : rng_below(r, 9)) {
  case 0: return (size_t)snprintf(out, room, "%s %s %u", p, relations[rng_below(r, 6)], (unsigned)rng_below(r, 3));
  case 1: return (size_t)snprintf(out, room, "%s + %s %s %u", p, q, relations[rng_below(r, 6)], (unsigned)rng_below(r, 3));
  case 2: return (size_t)snprintf(out, room, "2 * %s - %s %s %s", p, q, relations[rng_below(r, 6)], n->place_id[rng_below(r, n->places)]);
  case 3: return (size_t)snprintf(out, room, "fireable(%s)", n->transition_id[rng_below(r, n->transitions)]);
  case 4:
    used = (size_t)snprintf(out, room, "!(");
    used += condition(n, r, out + used, room - used, depth + 1);
    return used + (size_t)snprintf(out + used, room - used, ")");
  case 5: return (size_t)snprintf(out, room, "(dead || %s > 1)", p);
  default:
    used = (size_t)snprintf(out, room, "(");
    used += condition(n, r, out + used, room - used, depth + 1);
    static const char *joins[] = {" && ", " || ", " -> ", " <-> "};
    unsigned which = (unsigned)rng_below(r, 10);
    used += (size_t)snprintf(out + used, room - used, "%s", joins[which < 4 ? 0 : which < 8 ? 1 : which - 6]);
    used += condition(n, r, out + used, room - used, depth + 1);
    return used + (size_t)snprintf(out + used, room - used, ")");
  }
}

/* A formula about whole runs, without next (mostly). */
static void formula_text(const struct pt_net *n, struct rng *r, char *out, size_t room) {
  static const char *shapes[] = {"[] <> (%s)", "<> [] (%s)", "[] ((%s) -> <> (%s))", "(%s) U (%s)", "<> ((%s) && <> (%s))", "[] ((%s) -> ((%s) W (%s)))", "[] (%s)", "([] <> (%s)) -> [] <> (%s)", "X (%s)", "[] ((%s) -> [] (%s))"};
  static const char *relations[] = {"==", "!=", "<", "<=", ">", ">="};
  char atom[3][100];
  for (int i = 0; i < 3; i++) snprintf(atom[i], sizeof atom[i], "%s %s %u", n->place_id[rng_below(r, n->places)], relations[rng_below(r, 6)], (unsigned)rng_below(r, 2));
  snprintf(out, room, shapes[rng_below(r, sizeof shapes / sizeof *shapes)], atom[0], atom[1], atom[2]);
}

int main(void) {
  static const struct search_type *searches[] = {&search_bfs, &search_dfs};
  static const struct store_type *stores[] = {&store_plain, &store_compact_tree, &store_comback};
  struct rng r = {7};
  size_t nets = 0, formulas = 0, decided = 0, wrong = 0, unconfirmed = 0, left = 0, more = 0;
  uint64_t all = 0, fewer = 0;
  for (int k = 0; k < NETS; k++) {
    struct mem mem;
    struct err e;
    struct model *m = NULL;
    struct prop p[PROPERTIES + 1];
    char conditions[PROPERTIES][1500];
    size_t count = 0;
    mem_open(&mem, 0);
    err_clear(&e);
    struct pt_net *net = rng_below(&r, 3) ? random_rings(&mem, &r)
                                          : nets_random(&mem, &r, 3 + (unsigned)rng_below(&r, 6), 2 + (unsigned)rng_below(&r, 7), 2 + (unsigned)rng_below(&r, 2), 1 + (unsigned)rng_below(&r, 2), 2);
    if (!net || pt_model_open(&m, net, "net", &e)) {
      printf("# %s\n", e.message);
      continue;
    }
    int runs_only = rng_below(&r, 2) == 0; /* one formula by itself: a violation of something else would end the run before it is looked at */
    if (!runs_only) prop_open(&p[count++], PROP_DEADLOCK, 1, NULL, m, &mem, &e);
    unsigned wanted = runs_only ? 1 : (unsigned)rng_below(&r, PROPERTIES + 1);
    for (unsigned i = 0; i < wanted; i++) {
      int of_runs = runs_only || rng_below(&r, 6) == 0;
      if (of_runs) formula_text(net, &r, conditions[i], sizeof conditions[i]);
      else condition(net, &r, conditions[i], sizeof conditions[i], 0);
      formulas += (size_t)of_runs;
      if (prop_open(&p[count], of_runs ? PROP_LTL : rng_below(&r, 2) ? PROP_INVARIANT : PROP_REACHABLE, i + 1, conditions[i], m, &mem, &e)) {
        printf("# %s: %s\n", conditions[i], e.message);
        wrong++;
        break;
      }
      count++;
    }
    const struct search_type *search = searches[rng_below(&r, 2)];
    struct reduced_outcome want = reduced_run(m, &mem, p, count, &(struct reduced_how){.search = search, .store = &store_plain, .most = MOST});
    struct reduced_outcome got = reduced_run(m, &mem, p, count, &(struct reduced_how){.reduce = REDUCE_POR, .search = search, .store = stores[rng_below(&r, 3)], .most = MOST});
    nets += got.used != 0;
    if (want.complete && got.complete) {
      all += want.states;
      fewer += got.states;
      for (size_t i = 0; i < count; i++) {
        decided++;
        if (want.status[i] == got.status[i]) continue;
        if (!wrong++) printf("# net %d, %s %s: %s instead of %s\n", k, p[i].id, p[i].expr ? expr_text(p[i].expr) : "", prop_status_name(got.status[i]), prop_status_name(want.status[i]));
      }
    } else if (want.complete && !got.complete) {
      more++;
      printf("# net %d, %s: stopped after %llu states, not after %llu\n", k, p[0].temporal ? p[0].temporal->text : p[0].id, (unsigned long long)got.states, (unsigned long long)want.states);
    }
    unconfirmed += !got.confirmed;
    for (size_t i = 0; i < count; i++) prop_close(&p[i]);
    model_close(m);
    left += mem.used != 0;
  }
  is(wrong, 0, NAMED("%zu properties of %zu nets, %zu of them of whole runs: the same verdicts", decided, nets, formulas));
  is(unconfirmed, 0, "every run is confirmed on the net as it is");
  is(more, 0, "a search that ends by itself does so with fewer steps, too");
  ok(nets > NETS / 2 && decided > NETS, "most nets were reduced");
  ok(fewer < all, NAMED("%llu states instead of %llu", (unsigned long long)fewer, (unsigned long long)all));
  is(left, 0, "nothing left behind");
  return done();
}
