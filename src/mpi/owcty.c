/* owcty.c -- see owcty.h. */
#include "mpi/owcty.h"

#include "base/bits.h"
#include "base/vec.h"

#include <string.h>

enum { LOOKS = 64, MANY = 255 };
#define SEED 0x80000000u

enum pass { COUNT, SEEDS, REACH, DROP, POINT };

struct pointer { /* to a predecessor in X; edge with SEED: the step is one of the set */
  uint64_t number;
  uint32_t rank, edge;
};

struct owcty {
  struct search *s;
  struct spread *p;
  uint64_t states, words; /* of this rank; of a set of them */
  uint64_t *in, *reached, *now, *then, *visited;
  uint8_t *few;   /* predecessors in X, until one has too many */
  uint32_t *many; /* then these */
  unsigned sets;
  enum pass pass;
  uint64_t marked; /* SEEDS: edges in this set are meant */
  uint64_t *below;         /* how many of X are before each word, while pointers are made */
  struct pointer *pointer; /* per state of X; rank UINT32_MAX = none */
  enum exchange_stop why;
  unsigned who;
};

static int has(const uint64_t *set, uint64_t i) { return set[i / 64] >> i % 64 & 1; }
static void add(uint64_t *set, uint64_t i) { set[i / 64] |= (uint64_t)1 << i % 64; }

static uint64_t size(const struct owcty *o, const uint64_t *set) {
  uint64_t n = 0;
  for (uint64_t w = 0; w < o->words; w++) n += (uint64_t)__builtin_popcountll(set[w]);
  return n;
}

static void clear(const struct owcty *o, uint64_t *set) { memset(set, 0, o->words * sizeof *set); }

/* ---- numbers of predecessors ------------------------------------------------------------------------------------------------------- */

static int one_more(struct owcty *o, uint64_t i) {
  if (!o->many && o->few[i] == MANY) {
    o->many = mem_alloc(o->s->mem, MEM_SEARCH, (o->states + 1) * sizeof *o->many);
    if (!o->many) return -1;
    for (uint64_t k = 0; k < o->states; k++) o->many[k] = o->few[k];
    mem_free(o->s->mem, o->few);
    o->few = NULL;
  }
  if (o->many) o->many[i]++;
  else o->few[i]++;
  return 0;
}

static uint32_t one_less(struct owcty *o, uint64_t i) { return o->many ? --o->many[i] : --o->few[i]; }
static uint32_t predecessors(const struct owcty *o, uint64_t i) { return o->many ? o->many[i] : o->few[i]; }

static void no_predecessors(struct owcty *o) {
  if (o->many) memset(o->many, 0, o->states * sizeof *o->many);
  else memset(o->few, 0, o->states);
}

/* ---- what comes over an edge ---------------------------------------------------------------------------------------------------------- */

static struct pointer *pointer_of(struct owcty *o, uint64_t i) {
  return &o->pointer[o->below[i / 64] + (uint64_t)__builtin_popcountll(o->in[i / 64] & bits_mask((unsigned)(i % 64)))];
}

static void point(struct owcty *o, uint64_t i, const struct exchange_origin *from, uint32_t seed) {
  struct pointer *to = o->pointer ? pointer_of(o, i) : NULL;
  if (to && to->rank == UINT32_MAX) *to = (struct pointer){from->number, from->rank, from->edge | seed};
}

static int take_edge(struct owcty *o, uint64_t i, const struct exchange_origin *from) {
  if (!has(o->in, i)) return 0;
  switch (o->pass) {
  case COUNT: return one_more(o, i);
  case DROP:
    if (one_less(o, i) == 0) add(o->then, i);
    return 0;
  case POINT: point(o, i, from, 0); return 0;
  case SEEDS:
  case REACH:
    if (!has(o->reached, i)) {
      add(o->reached, i);
      add(o->then, i);
      point(o, i, from, o->pass == SEEDS ? SEED : 0);
    }
    return o->pass == REACH ? one_more(o, i) : 0;
  }
  return 0;
}

static int settle(void *context) {
  struct owcty *o = context;
  struct exchange *x = &o->p->x;
  struct store_batch *t = &x->inbox.store;
  int bad = search_batch_ready(&x->inbox, o->s);
  t->sources = 0;
  t->group = NULL;
  if (!bad) o->s->store->type->find_batch(o->s->store, t);
  for (size_t i = 0; i < t->count && !bad; i++)
    if (t->answer[i] != STORE_NEW) bad = t->answer[i] == STORE_SEEN ? take_edge(o, t->ref[i], &x->origin[i]) : -1;
  x->inbox.model.count = 0;
  if (bad) exchange_stop(x, EXCHANGE_MEMORY);
  return bad ? -1 : 0;
}

/* ---- passes ------------------------------------------------------------------------------------------------------------------------------ */

/* All edges of a state, or those of the set that is meant, go to whom they lead to. */
static int expand(struct owcty *o, uint64_t number) {
  struct search *s = o->s;
  struct model_batch *m = &o->p->batch.model;
  uint32_t *words = o->p->words;
  m->count = m->fault_count = 0;
  memset(words, 0, o->p->stride * sizeof *words);
  if (s->store->type->get(s->store, number, words, NULL) || s->model->type->successors(s->cursor, words, m) != MODEL_OK) {
    exchange_stop(&o->p->x, EXCHANGE_MEMORY);
    return -1;
  }
  const uint64_t *marks = o->sets ? s->model->type->marks(s->cursor) : NULL;
  for (size_t i = 0; i < m->count; i++) {
    if (o->pass == SEEDS && !(marks[i] & o->marked)) continue;
    if (exchange_send(&o->p->x, m->states + i * m->stride, number, (uint32_t)i, m->group[i], 0)) return -1;
  }
  return 0;
}

/* Over these states of this rank, all ranks together. 0; -1: why says it, or a rank is lost. */
static int sweep(struct owcty *o, enum pass pass, const uint64_t *which) {
  struct exchange *x = &o->p->x;
  uint64_t looks = 0;
  int bad = 0;
  o->pass = pass;
  for (uint64_t w = 0; w < o->words && !bad; w++)
    for (uint64_t left = which[w]; left && !bad; left &= left - 1) {
      if (looks++ % LOOKS == 0) {
        bad = !spread_may_go_on(o->s);
        for (int i = 0; i < 8 && !bad && exchange_receive(x) > 0; i++) continue;
      }
      if (!bad) bad = expand(o, w * 64 + (unsigned)__builtin_ctzll(left));
    }
  uint64_t nothing[EXCHANGE_SUMS] = {0};
  if (exchange_end(x) || exchange_agree(x, &o->why, &o->who, nothing)) return -1;
  return o->why == EXCHANGE_ON ? 0 : -1;
}

/* States of all ranks in a set. UINT64_MAX: lost. */
static uint64_t all(struct owcty *o, const uint64_t *set) {
  uint64_t n = size(o, set);
  return ranks_sum(o->p->ranks, &n, 1) ? UINT64_MAX : n;
}

/* From `then` on, as long as there is something new. `drop`: those that it comes to leave X. 0 or -1. */
static int rounds(struct owcty *o, enum pass pass) {
  for (;;) {
    uint64_t *turn = o->now;
    o->now = o->then;
    o->then = turn;
    clear(o, o->then);
    uint64_t n = all(o, o->now);
    if (!n || n == UINT64_MAX) return n ? -1 : 0;
    for (uint64_t w = 0; w < o->words && pass == DROP; w++) o->in[w] &= ~o->now[w];
    if (sweep(o, pass, o->now)) return -1;
  }
}

/* Those without a predecessor in X go. */
static int eliminate(struct owcty *o) {
  clear(o, o->then);
  for (uint64_t w = 0; w < o->words; w++)
    for (uint64_t left = o->in[w]; left; left &= left - 1) {
      uint64_t i = w * 64 + (unsigned)__builtin_ctzll(left);
      if (!predecessors(o, i)) add(o->then, i);
    }
  return rounds(o, DROP);
}

/* `reached`: what is reached inside X from edges of a set. */
static int reach(struct owcty *o, unsigned set) {
  o->marked = (uint64_t)1 << set;
  clear(o, o->reached);
  clear(o, o->then);
  no_predecessors(o);
  return sweep(o, SEEDS, o->in) || rounds(o, REACH) ? -1 : 0;
}

static int begin(struct owcty *o) {
  const struct model *m = o->s->model;
  uint32_t *words = o->p->words;
  int fine = 1;
  for (uint64_t i = 0; i < o->states && fine; i++) {
    memset(words, 0, o->p->stride * sizeof *words);
    fine = o->s->store->type->get(o->s->store, i, words, NULL) == 0;
    if (m->type->labels(m, words) & MODEL_ACCEPT) add(o->in, i);
  }
  if (ranks_all(o->p->ranks, fine)) return 0;
  o->why = EXCHANGE_MEMORY;
  return -1;
}

/* X, to its end. How many are left; UINT64_MAX: it did not come to that. */
static uint64_t shrink(struct owcty *o, struct owcty_result *out) {
  uint64_t n = begin(o) ? UINT64_MAX : all(o, o->in);
  for (uint64_t before = 0; n && n != UINT64_MAX && n != before;) {
    before = n;
    out->rounds++;
    for (unsigned i = 0; i < o->sets; i++) {
      if (reach(o, i)) return UINT64_MAX;
      memcpy(o->in, o->reached, o->words * sizeof *o->in);
    }
    if (!o->sets) {
      no_predecessors(o);
      if (sweep(o, COUNT, o->in)) return UINT64_MAX;
    }
    if (eliminate(o)) return UINT64_MAX;
    n = all(o, o->in);
    if (!o->sets) break;
  }
  return n;
}

/* ---- a cycle, backwards ------------------------------------------------------------------------------------------------------------------ */

/* Pointers for a set. 0; 1: memory; -1: as always. */
static int make_pointers(struct owcty *o, unsigned set) {
  uint64_t n = size(o, o->in);
  if (!o->pointer) {
    o->below = mem_alloc(o->s->mem, MEM_SEARCH, (o->words + 1) * sizeof *o->below);
    o->pointer = mem_alloc(o->s->mem, MEM_SEARCH, (n + 1) * sizeof *o->pointer);
    o->visited = mem_alloc(o->s->mem, MEM_SEARCH, (o->words + 1) * sizeof *o->visited);
    if (!ranks_all(o->p->ranks, o->below && o->pointer && o->visited)) return ranks_lost(o->p->ranks) >= 0 ? -1 : 1;
    for (uint64_t w = 0, sum = 0; w < o->words; w++) o->below[w] = sum, sum += (uint64_t)__builtin_popcountll(o->in[w]);
  }
  for (uint64_t i = 0; i < n; i++) o->pointer[i].rank = UINT32_MAX;
  return o->sets ? reach(o, set) : sweep(o, POINT, o->in);
}

struct place {
  uint64_t number;
  uint32_t rank, edge, seed, visited;
};

/* One step back; all know where it leads. 0, or -1: lost. */
static int step_back(struct owcty *o, struct place *at) {
  unsigned from = at->rank;
  if (from == o->p->x.self) {
    const struct pointer *to = pointer_of(o, at->number);
    *at = (struct place){.number = to->number, .rank = to->rank, .edge = to->edge & ~SEED, .seed = (to->edge & SEED) != 0};
  }
  return ranks_tell(o->p->ranks, from, at, sizeof *at);
}

/* Was it here before? It is now. 0, or -1: lost. */
static int visit(struct owcty *o, struct place *at) {
  if (at->rank == o->p->x.self) {
    at->visited = (uint32_t)has(o->visited, at->number);
    add(o->visited, at->number);
  }
  return ranks_tell(o->p->ranks, at->rank, at, sizeof *at);
}

struct milestone {
  uint64_t number;
  uint32_t rank;
  size_t edges;
};

/* The first state of X of the first rank that has one. */
static int first_place(struct owcty *o, struct place *at) {
  uint64_t rank = 0, w = 0;
  int mine = size(o, o->in) > 0;
  if (mine) rank = ranks_count(o->p->ranks) - o->p->x.self; /* larger is earlier; 0 = none */
  if (ranks_max(o->p->ranks, &rank, 1) || !rank) return -1;
  *at = (struct place){.rank = ranks_count(o->p->ranks) - (uint32_t)rank};
  while (at->rank == o->p->x.self && !o->in[w]) w++;
  if (at->rank == o->p->x.self) at->number = w * 64 + (unsigned)__builtin_ctzll(o->in[w]);
  return ranks_tell(o->p->ranks, at->rank, at, sizeof *at);
}

/* Back and back, until it is where it was. 0; 1: memory did not allow it; -1: as always. */
static int find_loop(struct owcty *o, struct owcty_result *out) {
  struct vec(uint32_t) edge = {0};
  struct vec(struct milestone) stone = {0};
  struct mem *mem = o->s->mem;
  struct place at;
  int status = make_pointers(o, 0), full = 0;
  if (!status) status = first_place(o, &at);
  while (!status) {
    status = visit(o, &at);
    if (status || at.visited) break;
    full |= vec_push(&stone, mem, MEM_SEARCH, ((struct milestone){at.number, at.rank, edge.count}));
    for (unsigned i = 0; i < (o->sets ? o->sets : 1) && !status; i++) {
      if (o->sets > 1) status = make_pointers(o, i);
      do {
        if (!status) status = step_back(o, &at);
        full |= vec_push(&edge, mem, MEM_SEARCH, at.edge);
      } while (!status && o->sets && !at.seed);
    }
    if (edge.count % 64 == 0 && !status) status = ranks_look(o->p->ranks, 0);
  }
  size_t first = 0;
  while (!status && !full && first < stone.count && (stone.at[first].rank != at.rank || stone.at[first].number != at.number)) first++;
  if (!status && !ranks_all(o->p->ranks, !full && first < stone.count)) status = ranks_lost(o->p->ranks) >= 0 ? -1 : 1;
  if (!status) {
    size_t begin_at = stone.at[first].edges, count = edge.count - begin_at;
    out->loop.edge = mem_alloc(mem, MEM_SEARCH, (count + 1) * sizeof *out->loop.edge);
    for (size_t i = 0; i < count && out->loop.edge; i++) out->loop.edge[i] = edge.at[edge.count - 1 - i];
    out->loop.count = count;
    if (!ranks_all(o->p->ranks, out->loop.edge != NULL)) status = ranks_lost(o->p->ranks) >= 0 ? -1 : 1;
  }
  vec_free(&edge, mem);
  vec_free(&stone, mem);
  return status ? status : spread_path(o->s, at.rank, at.number, &out->way);
}

/* ---- both ---------------------------------------------------------------------------------------------------------------------------------- */

static void close_owcty(struct owcty *o) {
  struct mem *mem = o->s->mem;
  mem_free(mem, o->in);
  mem_free(mem, o->reached);
  mem_free(mem, o->now);
  mem_free(mem, o->then);
  mem_free(mem, o->few);
  mem_free(mem, o->many);
  mem_free(mem, o->visited);
  mem_free(mem, o->below);
  mem_free(mem, o->pointer);
}

int owcty_find(struct search *s, int weak, struct owcty_result *out) {
  struct spread *p = spread_of(s);
  struct owcty o = {.s = s, .p = p, .states = s->store->type->count(s->store), .sets = weak ? 0 : s->model->type->sets(s->model)};
  *out = (struct owcty_result){0};
  o.words = o.states / 64 + 1;
  uint64_t **set[] = {&o.in, &o.reached, &o.now, &o.then};
  int fine = (o.few = mem_alloc(s->mem, MEM_SEARCH, o.states + 1)) != NULL;
  for (size_t i = 0; i < sizeof set / sizeof *set; i++) fine &= (*set[i] = mem_alloc(s->mem, MEM_SEARCH, o.words * sizeof **set[i])) != NULL;
  p->x.settle = settle;
  p->x.context = &o;
  p->x.wider = NULL;
  p->x.remember = 0; /* every edge counts */
  uint64_t left = UINT64_MAX;
  struct stats explored = s->stats; /* of all ranks */
  if (ranks_all(p->ranks, fine)) left = shrink(&o, out);
  else o.why = EXCHANGE_MEMORY;
  out->left = left;
  out->cycle = left && left != UINT64_MAX;
  int status = left == UINT64_MAX ? -1 : 0;
  if (out->cycle) out->shown = find_loop(&o, out) == 0; /* what memory and time do not allow is left out */
  close_owcty(&o);
  s->stats = explored;
  if (!status && ranks_lost(p->ranks) < 0) spread_add_up(s);
  if (status || ranks_lost(p->ranks) >= 0) spread_conclude(s, o.why == EXCHANGE_ON ? EXCHANGE_MEMORY : o.why, o.who, STOP_MEMORY);
  return status;
}
