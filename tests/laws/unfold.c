/* unfold.c -- random symmetric nets: the unfolded net does what the symmetric one does, and so does the coloured one.
 *
 * The symmetric net is explored by its definition: a marking is a number of tokens for each place and colour, every value of every variable is tried in every marking.  States, edges and deadlocks must be those of
 * the unfolded net, by its definition and by its engine, and of the net that keeps its colours; and so must the numbers of tokens in the places of all states, by a number that is the sum of what the states say. */
#include "tap.h"

#include "base/rng.h"
#include "colour/colour.h"
#include "colour/redraw.h"
#include "colour/unfold.h"
#include "net/pt_model.h"
#include "oracle.h"
#include "search/search.h"
#include "store/store.h"

#include <stdlib.h>

enum { STATES = 300, CELLS = 64, MOST = 4 /* tokens of a colour: beyond that a net is left out */ };

static struct mem mem;
static struct err err;

/* ---- random nets ------------------------------------------------------------------------------------------------------------- */

struct random_net {
  struct symmetric *n;
  struct rng *r;
  struct symmetric_sort dot, ring, range, pair, lone, nest, halves;
  const struct symmetric_sort *sorts[6];
  uint32_t half[4]; /* of the ring's colours: which element of the partition */
};

static struct symmetric_term *term(struct random_net *x, enum symmetric_kind kind, const struct symmetric_sort *sort, uint64_t value, uint32_t parts) {
  struct symmetric_term *t = arena_alloc(&x->n->arena, sizeof *t);
  t->kind = kind;
  t->sort = sort;
  t->value = value;
  t->parts = parts;
  t->part = arena_alloc(&x->n->arena, (parts + 1) * sizeof *t->part);
  return t;
}

static struct symmetric_term *colour(struct random_net *x, const struct symmetric_sort *sort, int constant) {
  struct symmetric_term *t;
  if (sort->kind == SYMMETRIC_PRODUCT) {
    t = term(x, SYMMETRIC_TUPLE, sort, 0, sort->parts);
    for (uint32_t i = 0; i < sort->parts; i++) t->part[i] = colour(x, sort->part[i], constant);
    return t;
  }
  unsigned die = (unsigned)rng_below(x->r, 8);
  if (sort->cyclic && die < 2) {
    t = term(x, die ? SYMMETRIC_SUCCESSOR : SYMMETRIC_PREDECESSOR, sort, 0, 1);
    t->part[0] = colour(x, sort, constant);
    return t;
  }
  if (!constant && die < 7)
    for (uint64_t tries = 0; tries < 8; tries++) {
      uint64_t v = rng_below(x->r, x->n->variables.count);
      if (x->n->variables.at[v].sort == sort) return term(x, SYMMETRIC_VARIABLE, sort, v, 0);
    }
  return term(x, SYMMETRIC_COLOUR, sort, rng_below(x->r, sort->size), 0);
}

static struct symmetric_term *multiset(struct random_net *x, const struct symmetric_sort *sort, int constant, int depth) {
  struct symmetric_term *t;
  switch (rng_below(x->r, depth ? 9 : 3)) {
  case 3: return term(x, SYMMETRIC_ALL, sort, 0, 0);
  case 4:
    t = term(x, SYMMETRIC_DIFFERENCE, sort, 0, 2);
    t->part[0] = rng_below(x->r, 3) ? term(x, SYMMETRIC_ALL, sort, 0, 0) : multiset(x, sort, constant, depth - 1);
    t->part[1] = constant || rng_below(x->r, 3) ? colour(x, sort, constant) : multiset(x, sort, constant, depth - 1);
    return t;
  case 5:
  case 6:
    t = term(x, SYMMETRIC_SUM, sort, 0, 1 + (uint32_t)rng_below(x->r, 2));
    for (uint32_t i = 0; i < t->parts; i++) t->part[i] = multiset(x, sort, constant, depth - 1);
    return t;
  case 7:
    if (sort->kind != SYMMETRIC_PRODUCT) break;
    t = term(x, SYMMETRIC_CHOICES, sort, 0, sort->parts);
    for (uint32_t i = 0; i < sort->parts; i++) t->part[i] = i % 2 ? colour(x, sort->part[i], constant) : multiset(x, sort->part[i], constant, 1);
    return t;
  case 8:
    t = term(x, SYMMETRIC_TIMES, sort, 1 + rng_below(x->r, 2), 1);
    t->part[0] = multiset(x, sort, constant, depth - 1);
    return t;
  default: break;
  }
  return colour(x, sort, constant);
}

static struct symmetric_term *condition(struct random_net *x, int depth) {
  struct symmetric_term *t;
  unsigned die = (unsigned)rng_below(x->r, depth ? 9 : 5);
  if (die >= 5) {
    t = term(x, die == 5 ? SYMMETRIC_AND : die == 6 ? SYMMETRIC_OR : die == 7 ? SYMMETRIC_NOT : SYMMETRIC_IMPLIES, NULL, 0, die == 7 ? 1 : 2);
    for (uint32_t i = 0; i < t->parts; i++) t->part[i] = condition(x, depth - 1);
    return t;
  }
  const struct symmetric_sort *sort = x->sorts[1 + rng_below(x->r, 5)];
  if (die == 4) { /* of a partition */
    t = term(x, (enum symmetric_kind)(SYMMETRIC_EQUAL + rng_below(x->r, 6)), NULL, 0, 2);
    t->part[0] = term(x, SYMMETRIC_ELEMENT, &x->halves, 0, 1);
    t->part[0]->map = x->half;
    t->part[0]->part[0] = colour(x, &x->ring, 0);
    t->part[1] = term(x, SYMMETRIC_COLOUR, &x->halves, rng_below(x->r, 2), 0);
    return t;
  }
  t = term(x, (enum symmetric_kind)(SYMMETRIC_EQUAL + rng_below(x->r, 6)), NULL, 0, 2);
  t->part[0] = colour(x, sort, 0);
  t->part[1] = colour(x, sort, 0);
  return t;
}

static struct symmetric_sort product(struct random_net *x, const char *id, const struct symmetric_sort *a, const struct symmetric_sort *b) {
  struct symmetric_sort s = {.id = id, .kind = SYMMETRIC_PRODUCT, .parts = 2, .size = a->size * b->size, .part = arena_alloc(&x->n->arena, 2 * sizeof *s.part)};
  s.part[0] = a;
  s.part[1] = b;
  return s;
}

static void make_net(struct random_net *x, struct rng *r) {
  static const char *names[] = {"a", "b", "c", "d", "e", "f"}, *odd[] = {"1", "val", "size", "b"}, *only[] = {"List"}, *halves[] = {"a b", "a_b"}; /* that ML does not like, or that clash */
  symmetric_open(&x->n, &mem, "test", &err);
  x->r = r;
  x->dot = (struct symmetric_sort){.id = "dot", .kind = SYMMETRIC_DOT, .size = 1};
  x->ring = (struct symmetric_sort){.id = "ring", .kind = SYMMETRIC_ENUMERATION, .cyclic = 1, .size = 2 + rng_below(r, 2), .constant = odd};
  x->range = (struct symmetric_sort){.id = "range", .kind = SYMMETRIC_RANGE, .low = -1, .size = 2};
  x->lone = (struct symmetric_sort){.id = "int", .kind = SYMMETRIC_ENUMERATION, .cyclic = 1, .size = 1, .constant = only};
  x->halves = (struct symmetric_sort){.id = "list", .kind = SYMMETRIC_ENUMERATION, .size = 2, .constant = halves};
  x->pair = product(x, "pair", &x->ring, &x->range);
  x->nest = product(x, "", &x->pair, &x->lone);
  x->sorts[0] = &x->dot, x->sorts[1] = &x->ring, x->sorts[2] = &x->range, x->sorts[3] = &x->pair, x->sorts[4] = &x->lone, x->sorts[5] = &x->nest;
  for (int i = 0; i < 4; i++) x->half[i] = (uint32_t)rng_below(r, 2);
  for (int i = 0; i < 4; i++) (void)vec_push(&x->n->variables, &mem, MEM_MODEL, (struct symmetric_variable){names[i], i % 2 ? &x->range : &x->ring});
  uint32_t places = 2 + (uint32_t)rng_below(r, 3), transitions = 1 + (uint32_t)rng_below(r, 3);
  for (uint32_t i = 0; i < places; i++) {
    const struct symmetric_sort *sort = x->sorts[rng_below(r, 6)];
    struct symmetric_term *marking = rng_below(r, 3) ? multiset(x, sort, 1, 1) : NULL;
    (void)vec_push(&x->n->places, &mem, MEM_MODEL, (struct symmetric_place){.id = names[i], .name = names[i], .sort = sort, .initial = marking});
  }
  for (uint32_t t = 0; t < transitions; t++) {
    (void)vec_push(&x->n->transitions, &mem, MEM_MODEL, (struct symmetric_transition){.id = names[t], .name = names[t], .guard = rng_below(r, 2) ? condition(x, 2) : NULL});
    uint32_t arcs = 1 + (uint32_t)rng_below(r, 3);
    for (uint32_t a = 0; a <= arcs; a++) {
      uint32_t p = (uint32_t)rng_below(r, places);
      (void)vec_push(&x->n->arcs, &mem, MEM_MODEL, (struct symmetric_arc){.place = p, .transition = t, .gives = a == arcs, .term = multiset(x, x->n->places.at[p].sort, 0, 2)});
    }
  }
}

/* ---- the definition --------------------------------------------------------------------------------------------------------------- */

struct marking {
  int64_t tokens[CELLS];
};

struct definition {
  const struct symmetric *n;
  uint32_t cell[8]; /* where each place begins */
  uint32_t cells;
  struct marking state[STATES];
  size_t states, edges, deadlocks;
  uint64_t sums;
  int too_large;
};

struct adding {
  int64_t *tokens;
  uint32_t cell;
};

static int add(void *context, uint64_t c, int64_t count) {
  struct adding *a = context;
  a->tokens[a->cell + c] += count;
  return 0;
}

static void find(struct definition *d, const struct marking *m) {
  for (size_t i = 0; i < d->states; i++)
    if (memcmp(&d->state[i], m, sizeof *m) == 0) return;
  if (d->states == STATES) d->too_large = 1;
  else d->state[d->states++] = *m;
}

/* Every difference must contain what it takes away. */
static int is_defined(const struct symmetric_term *t, const uint64_t *binding) {
  struct marking from = {{0}}, taken = {{0}};
  for (uint32_t i = 0; i < t->parts; i++)
    if (!is_defined(t->part[i], binding)) return 0;
  if (t->kind != SYMMETRIC_DIFFERENCE) return 1;
  symmetric_multiset(t->part[0], binding, add, &(struct adding){from.tokens, 0});
  symmetric_multiset(t->part[1], binding, add, &(struct adding){taken.tokens, 0});
  for (uint32_t c = 0; c < t->sort->size; c++)
    if (taken.tokens[c] > from.tokens[c]) return 0;
  return 1;
}

/* What the places of a state hold, as one number; states are added up. */
static uint64_t mixed(uint64_t so_far, uint64_t tokens) {
  uint64_t h = (so_far ^ tokens) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

/* Does the transition happen with this binding? */
static int fire(struct definition *d, const struct marking *from, uint32_t t, const uint64_t *binding) {
  struct marking takes = {{0}}, to = *from;
  const struct symmetric *n = d->n;
  struct marking gives = {{0}};
  if (n->transitions.at[t].guard && symmetric_condition(n->transitions.at[t].guard, binding) != 1) return 0;
  for (size_t i = 0; i < n->arcs.count; i++) {
    const struct symmetric_arc *a = &n->arcs.at[i];
    if (a->transition == t && !is_defined(a->term, binding)) return 0;
    if (a->transition == t) symmetric_multiset(a->term, binding, add, &(struct adding){a->gives ? gives.tokens : takes.tokens, d->cell[a->place]});
  }
  for (uint32_t c = 0; c < d->cells; c++) {
    if (takes.tokens[c] > from->tokens[c]) return 0;
    to.tokens[c] += gives.tokens[c] - takes.tokens[c];
    d->too_large |= to.tokens[c] > MOST;
  }
  find(d, &to);
  return 1;
}

static void note(const struct symmetric_term *t, unsigned *used) {
  if (t->kind == SYMMETRIC_VARIABLE) *used |= 1u << t->value;
  for (uint32_t i = 0; i < t->parts; i++) note(t->part[i], used);
}

static void define(struct definition *d, const struct symmetric *n) {
  struct marking first = {{0}};
  unsigned used[8] = {0};
  memset(d, 0, sizeof *d);
  d->n = n;
  for (uint32_t p = 0; p < n->places.count; p++) {
    d->cell[p] = d->cells;
    d->cells += (uint32_t)n->places.at[p].sort->size;
    if (n->places.at[p].initial) d->too_large |= !is_defined(n->places.at[p].initial, NULL);
    if (n->places.at[p].initial) symmetric_multiset(n->places.at[p].initial, NULL, add, &(struct adding){first.tokens, d->cell[p]});
  }
  for (size_t i = 0; i < n->arcs.count; i++) note(n->arcs.at[i].term, &used[n->arcs.at[i].transition]);
  for (size_t t = 0; t < n->transitions.count; t++)
    if (n->transitions.at[t].guard) note(n->transitions.at[t].guard, &used[t]);
  for (uint32_t c = 0; c < d->cells; c++) d->too_large |= first.tokens[c] < 0 || first.tokens[c] > MOST;
  find(d, &first);
  for (size_t s = 0; s < d->states && !d->too_large; s++) {
    size_t before = d->edges;
    for (uint32_t t = 0; t < n->transitions.count; t++) {
      uint64_t binding[4] = {0};
      for (;;) { /* all values of the variables that it speaks of, as an odometer */
        struct marking from = d->state[s];
        d->edges += (size_t)fire(d, &from, t, binding);
        size_t v = 0;
        for (; v < 4; v++) {
          if (!(used[t] >> v & 1)) continue;
          if (++binding[v] < n->variables.at[v].sort->size) break;
          binding[v] = 0;
        }
        if (v == 4) break;
      }
    }
    d->deadlocks += d->edges == before;
  }
  for (size_t s = 0; s < d->states; s++) {
    uint64_t sum = 0;
    for (uint32_t p = 0; p < n->places.count; p++) {
      uint64_t tokens = 0;
      for (uint32_t c = 0; c < n->places.at[p].sort->size; c++) tokens += (uint64_t)d->state[s].tokens[d->cell[p] + c];
      sum = mixed(sum, tokens);
    }
    d->sums += sum;
  }
}

/* ---- the engines --------------------------------------------------------------------------------------------------------------- */

struct engine {
  struct listener listener;
  const struct model *model;
  size_t states, edges, deadlocks, faults;
  uint64_t sums;
};

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct engine *e = (struct engine *)l;
  const struct model *m = e->model;
  const struct pt_net *net = pt_model_net(m);
  (void)s;
  e->edges += event->kind == EVENT_EDGE;
  e->faults += event->kind == EVENT_FAULT;
  e->deadlocks += event->kind == EVENT_EXPANDED && !event->successors;
  if (event->kind != EVENT_NEW) return LISTEN_ON;
  uint64_t sum = 0;
  for (uint32_t p = 0; p < (net ? net->place_families.count : m->vars); p++) {
    uint64_t tokens = net ? 0 : (uint64_t)m->type->amount(m, event->words, p);
    for (uint32_t i = 0; net && i < net->place_families.family[p].count; i++) tokens += (uint64_t)m->type->value(m, event->words, net->place_families.family[p].first + i);
    sum = mixed(sum, tokens);
  }
  e->states++;
  e->sums += sum;
  return e->states > 2 * STATES ? LISTEN_GOAL : LISTEN_ON;
}

static const char *run_engine(struct model *m, const struct definition *d) {
  struct engine e = {.listener = {.wants = EVENT_NEW | EVENT_EDGE | EVENT_EXPANDED | EVENT_FAULT, .hear = hear}, .model = m};
  struct listener *listeners[] = {&e.listener};
  struct search *s = NULL;
  struct search_setup setup = {.model = m, .store = store_find_type("plain"), .mem = &mem, .listeners = listeners, .listener_count = 1};
  if (search_open(&s, search_find_type("bfs"), &setup, &err)) return err.message;
  search_run(s);
  search_close(s);
  if (e.faults) return "nothing goes wrong";
  if (e.states != d->states) return "its engine finds as many states";
  if (e.edges != d->edges) return "its engine finds as many edges";
  if (e.deadlocks != d->deadlocks) return "its engine finds as many deadlocks";
  return e.sums == d->sums ? NULL : "places hold as many tokens";
}

static const char *keep_colours(const struct symmetric *n, const struct definition *d) {
  static const struct colour_setup usual;
  struct drawing *drawing;
  struct model *m;
  if (redraw(&drawing, n, &err) || colour_model_open(&m, drawing, &usual, "pnml", &mem, &err)) return err.message;
  const char *what = run_engine(m, d);
  for (uint32_t p = 0; p < n->places.count && !what; p++)
    if (m->type->find_var(m, n->places.at[p].id, strlen(n->places.at[p].id)) != p) what = "places are known by their ids";
  model_close(m);
  return what;
}

/* ---- both ------------------------------------------------------------------------------------------------------------------------- */

static const char *compare(const struct definition *d, const struct pt_net *net, const struct oracle *o) {
  if (!o->complete) return "is finite";
  if (o->states != d->states) return "has as many states";
  if (o->edges != d->edges) return "has as many edges";
  if (o->deadlocks != d->deadlocks) return "has as many deadlocks";
  if (net->place_families.count != d->n->places.count || net->transition_families.count != d->n->transitions.count) return "knows the coloured nodes";
  for (uint32_t p = 0; p < d->n->places.count; p++) {
    const struct pt_family *f = pt_find_family(&net->place_families, d->n->places.at[p].id, 1);
    int64_t want = 0, got = 0;
    for (uint32_t c = 0; c < d->n->places.at[p].sort->size; c++) want += d->state[0].tokens[d->cell[p] + c];
    for (uint32_t i = 0; f && i < f->count; i++) got += net->initial[f->first + i];
    if (!f || got != want) return "a family has the tokens of its place";
  }
  return NULL;
}

int main(int argc, char **argv) {
  int nets = argc > 1 ? atoi(argv[1]) : 1500, tried = 0, bad = 0, bad_colours = 0, large = 0, moving = 0;
  static struct definition d;
  mem_open(&mem, 0);
  for (int i = 0; i < nets; i++) {
    struct rng r = {(uint64_t)i + 1};
    struct random_net x = {0};
    struct pt_net *net = NULL;
    struct model *m = NULL;
    err_clear(&err);
    make_net(&x, &r);
    define(&d, x.n);
    if (d.too_large) large++;
    else {
      const char *what = NULL;
      tried++;
      moving += d.edges > 3;
      if (unfold(&net, x.n, NULL, NULL, &err)) what = err.message;
      else if (pt_model_open(&m, net, "pnml", &err)) {
        what = "is a model";
        pt_close(net);
      } else {
        struct oracle o = oracle_explore(m, 2 * STATES);
        what = compare(&d, net, &o);
        if (!what) what = run_engine(m, &d);
        if (what) printf("# net %d: %zu states %zu edges, unfolded %zu and %zu\n", i, d.states, d.edges, (size_t)o.states, (size_t)o.edges);
        oracle_free(&o);
      }
      if (what && bad++ < 5) printf("# net %d: %s\n", i, what);
      model_close(m);
      err_clear(&err);
      if ((what = keep_colours(x.n, &d)) && bad_colours++ < 5) printf("# net %d with its colours, %zu states, %zu edges: %s\n", i, d.states, d.edges, what);
    }
    symmetric_close(x.n);
  }
  printf("# %d nets, %d of them with more than three edges; %d left out\n", tried, moving, large);
  is(bad, 0, "the unfolded net does what the coloured one does");
  is(bad_colours, 0, "and so does the one that keeps its colours");
  ok(tried > nets / 4 && moving > nets / 20, "enough of them");
  is(mem.used, 0, "nothing is left behind");
  return done();
}
