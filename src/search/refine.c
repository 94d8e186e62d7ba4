/* refine.c -- see refine.h.
 *
 * Signatures (Blom and Orzan, "Distributed state space minimization") with a worklist.  The signature of a state is the set of what it can do: (label, block of the
 * target); states of a block whose signatures differ are parted until there are none.  A state is looked at again only if something that it leads to has changed its
 * block, and when a block is parted the largest part keeps its name: a state changes the name of its block at most log n times, so an edge is looked at O(log n)
 * times.
 *
 * A block lies side by side in `order`, the states that are to be looked at (stale) in front:
 *
 *   order   | stale ... | others ... |      others have all the same signature, which is the one that they had when the block was made
 *           first       first + stale  end
 *
 * So the signatures of the stale ones are computed, and that of one of the others: states with equal ones stay together.  Hashes find equal signatures, comparing
 * decides.
 *
 * Branching: the hidden cycles are made one state first (all their states are alike), with numbers such that hidden steps go downwards.  A hidden step inside a block
 * is inert: it adds nothing itself, but the signature of where it leads.  Stale states are taken in order of their numbers, so that those signatures are there; the
 * others have one signature, that of any of them without inert steps.  When a state becomes stale, so do those of its block that lead to it by inert steps.
 *
 * Tried: computing all signatures in rounds (as in the paper): 3 to 40 times the edges are looked at on protocols, and on a chain of n states n times. */
#include "search/refine.h"

#include "search/components.h"
#include "search/signatures.h"

#include <stdlib.h>

struct refinement {
  struct mem *mem;
  const struct graph *g;
  struct graph before;
  int inert; /* hidden steps inside a block are */
  uint32_t *block, *order, *at; /* per state: its block; states by block; where in that order it is */
  struct region first, end, stale; /* per block; uint32_t */
  uint32_t blocks;
  struct vec(uint32_t) waiting;    /* blocks with stale states */
  struct signatures classes;       /* of the states of a block; `count` is how many states have it */
  struct numbers one;              /* the signature in the making */
  uint32_t *class_of; /* per stale state, by its place in the block */
  size_t class_room;
  struct vec(uint32_t) marks; /* states that become stale, their way backwards not yet walked */
  const struct model_patience *patience;
  uint64_t looked;
  struct err *err;
};

static uint32_t *column(const struct region *r) { return (uint32_t *)(void *)r->base; }
static int no_memory(struct refinement *r) { return err_memory(r->err, "the classes of states that behave alike"); }

static int is_late(struct refinement *r) {
  return r->looked++ % 4096 == 0 && model_impatient(r->patience);
}

/* ---- becoming stale -------------------------------------------------------------------------------------------------------------- */

static void swap(struct refinement *r, uint32_t a, uint32_t b) {
  uint32_t s = r->order[a], t = r->order[b];
  r->order[a] = t;
  r->order[b] = s;
  r->at[t] = a;
  r->at[s] = b;
}

static int is_stale(const struct refinement *r, uint32_t s) { return r->at[s] < column(&r->first)[r->block[s]] + column(&r->stale)[r->block[s]]; }

static int make_stale(struct refinement *r, uint32_t s) {
  if (is_stale(r, s)) return 0;
  uint32_t b = r->block[s], *stale = &column(&r->stale)[b];
  if (!*stale && vec_push(&r->waiting, r->mem, MEM_SEARCH, b)) return -1;
  swap(r, r->at[s], column(&r->first)[b] + (*stale)++);
  return r->inert ? vec_push(&r->marks, r->mem, MEM_SEARCH, s) : 0;
}

/* With everything that leads to it by inert steps. */
static int mark(struct refinement *r, uint32_t s) {
  if (make_stale(r, s)) return -1;
  while (r->marks.count) {
    uint32_t t = r->marks.at[--r->marks.count], label;
    for (struct graph_edges e = graph_edges(&r->before, t); graph_more(&e);) {
      uint32_t p = graph_next(&e, &label);
      if (label == 0 && r->block[p] == r->block[t] && make_stale(r, p)) return -1;
    }
  }
  return 0;
}

/* ---- signatures -------------------------------------------------------------------------------------------------------------------- */

/* One of the others, from s on: where no inert step leads on. */
static uint32_t bottom(const struct refinement *r, uint32_t s) {
  for (int moved = r->inert; moved;) {
    moved = 0;
    uint32_t label, t;
    for (struct graph_edges e = graph_edges(r->g, s); graph_more(&e) && !moved;) {
      t = graph_next(&e, &label);
      if (label == 0 && r->block[t] == r->block[s]) s = t, moved = 1;
    }
  }
  return s;
}

static int add_class(struct refinement *r, uint32_t class) {
  uint32_t length = r->classes.set.at[class].length;
  if (vec_reserve(&r->one, r->mem, MEM_SEARCH, length)) return -1;
  if (length) memcpy(r->one.at + r->one.count, signatures_of(&r->classes, class), length * sizeof *r->one.at);
  r->one.count += length;
  return 0;
}

/* The class of a state; of those that inert steps lead to it is there, or it is that of the others (class 0). */
static int64_t class_of(struct refinement *r, uint32_t s) {
  uint32_t label, last = UINT32_MAX, first = column(&r->first)[r->block[s]];
  r->one.count = 0;
  for (struct graph_edges e = graph_edges(r->g, s); graph_more(&e);) {
    uint32_t t = graph_next(&e, &label);
    if (r->inert && label == 0 && r->block[t] == r->block[s]) {
      uint32_t class = is_stale(r, t) ? r->class_of[r->at[t] - first] : 0;
      if (class != last && add_class(r, class)) return -1;
      last = class;
    } else if (vec_push(&r->one, r->mem, MEM_SEARCH, (uint64_t)label << 32 | r->block[t])) {
      return -1;
    }
  }
  return signatures_find(&r->classes, &r->one);
}

/* ---- parting a block ---------------------------------------------------------------------------------------------------------------- */

static int by_number(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

/* Room for so many classes; what was there is gone. */
static int class_room(struct refinement *r, size_t count) {
  if (count <= r->class_room) return 0;
  mem_free(r->mem, r->class_of);
  r->class_of = mem_alloc(r->mem, MEM_SEARCH, count * sizeof *r->class_of);
  r->class_room = r->class_of ? count : 0;
  return r->class_of ? 0 : -1;
}

/* The classes of the stale states of a block, in class_of. The others, if there are any, are class 0. */
static int find_classes(struct refinement *r, uint32_t b) {
  uint32_t first = column(&r->first)[b], stale = column(&r->stale)[b], size = column(&r->end)[b] - first;
  if (r->inert) {
    qsort(r->order + first, stale, sizeof *r->order, by_number);
    for (uint32_t i = 0; i < stale; i++) r->at[r->order[first + i]] = first + i;
  }
  if (class_room(r, stale)) return -1;
  if (stale < size) {
    if (class_of(r, bottom(r, r->order[first + stale])) < 0) return -1;
    r->classes.set.at[0].count = size - stale;
  }
  for (uint32_t i = 0; i < stale; i++) {
    int64_t c = class_of(r, r->order[first + i]);
    if (c < 0) return -1;
    r->class_of[i] = (uint32_t)c;
    r->classes.set.at[c].count++;
  }
  return 0;
}

/* States by class: class 0 last, with the others. starts[c] is where class c begins. */
static void arrange(struct refinement *r, uint32_t first, uint32_t stale, uint32_t *sorted, uint32_t *starts) {
  uint32_t classes = (uint32_t)r->classes.set.count, at = 0;
  memset(starts, 0, classes * sizeof *starts);
  for (uint32_t i = 0; i < stale; i++) starts[r->class_of[i]]++;
  for (uint32_t c = 1; c <= classes; c++) {
    uint32_t k = c % classes, count = starts[k];
    starts[k] = at;
    at += count;
  }
  for (uint32_t i = 0; i < stale; i++) sorted[starts[r->class_of[i]]++] = r->order[first + i];
  for (uint32_t i = 0; i < stale; i++) {
    r->order[first + i] = sorted[i];
    r->at[sorted[i]] = first + i;
  }
}

static int new_block(struct refinement *r, uint32_t first, uint32_t end) {
  size_t bytes = ((size_t)r->blocks + 1) * sizeof(uint32_t);
  if (region_grow(&r->first, bytes) || region_grow(&r->end, bytes) || region_grow(&r->stale, bytes)) return -1;
  column(&r->first)[r->blocks] = first;
  column(&r->end)[r->blocks] = end;
  column(&r->stale)[r->blocks] = 0;
  for (uint32_t i = first; i < end; i++) r->block[r->order[i]] = r->blocks;
  r->blocks++;
  return 0;
}

/* After blocks from `fresh` on were made of block b: whose signatures are not what they were. */
static int spread(struct refinement *r, uint32_t b, uint32_t fresh, uint32_t begin) {
  for (uint32_t c = fresh; c < r->blocks; c++) { /* marking changes the order within blocks, so states are taken from a copy of their places */
    uint32_t from = column(&r->first)[c], to = column(&r->end)[c];
    for (uint32_t i = from; i < to; i++) r->class_of[i - begin] = r->order[i];
    for (uint32_t i = from; i < to; i++) {
      uint32_t s = r->class_of[i - begin], label;
      for (struct graph_edges e = graph_edges(&r->before, s); graph_more(&e);)
        if (mark(r, graph_next(&e, NULL))) return -1;
      for (struct graph_edges e = graph_edges(r->g, s); r->inert && graph_more(&e);) {
        uint32_t t = graph_next(&e, &label);
        if (label == 0 && r->block[t] != c && (r->block[t] == b || r->block[t] >= fresh) && mark(r, s)) return -1;
      }
    }
  }
  return 0;
}

static int part(struct refinement *r, uint32_t b) {
  uint32_t first = column(&r->first)[b], end = column(&r->end)[b], stale = column(&r->stale)[b], fresh = r->blocks, most = 0;
  if (find_classes(r, b)) return -1;
  uint32_t classes = (uint32_t)r->classes.set.count;
  column(&r->stale)[b] = 0;
  if (classes < 2) return 0;
  uint32_t *starts = mem_alloc(r->mem, MEM_SEARCH, ((size_t)classes + stale) * sizeof *starts);
  if (!starts) return -1;
  arrange(r, first, stale, starts + classes, starts);
  for (uint32_t c = 1; c < classes; c++)
    if (r->classes.set.at[c].count > r->classes.set.at[most].count) most = c;
  int bad = 0;
  uint32_t at = first, keep_first = 0, keep_end = 0;
  for (uint32_t c = 1; c <= classes && !bad; c++) { /* class 0 comes last, as in arrange */
    uint32_t size = r->classes.set.at[c % classes].count;
    if (c % classes == most) keep_first = at, keep_end = at + size;
    else bad = new_block(r, at, at + size);
    at += size;
  }
  mem_free(r->mem, starts);
  if (bad) return -1;
  column(&r->first)[b] = keep_first;
  column(&r->end)[b] = keep_end;
  return class_room(r, end - first) ? -1 : spread(r, b, fresh, first);
}

/* ---- all ------------------------------------------------------------------------------------------------------------------------------ */

static void close_all(struct refinement *r) {
  graph_close(&r->before);
  region_close(&r->first);
  region_close(&r->end);
  region_close(&r->stale);
  vec_free(&r->waiting, r->mem);
  signatures_close(&r->classes);
  vec_free(&r->one, r->mem);
  vec_free(&r->marks, r->mem);
  mem_free(r->mem, r->order);
  mem_free(r->mem, r->at);
  mem_free(r->mem, r->class_of);
}

/* The graph has no hidden cycles if hidden steps may be inert, and they go downwards. */
static int refine_graph(struct refined *out, const struct graph *g, int inert, const struct model_patience *patience, struct mem *mem, struct err *e) {
  size_t n = (size_t)g->states;
  struct refinement r = {.mem = mem, .g = g, .classes = {.mem = mem}, .inert = inert, .patience = patience, .err = e};
  region_open(&r.first, mem, MEM_SEARCH);
  region_open(&r.end, mem, MEM_SEARCH);
  region_open(&r.stale, mem, MEM_SEARCH);
  *out = (struct refined){.mem = mem};
  r.block = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *r.block);
  r.order = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *r.order);
  r.at = mem_alloc(mem, MEM_SEARCH, (n + 1) * sizeof *r.at);
  int bad = !r.block || !r.order || !r.at || graph_turn(&r.before, g, inert, mem);
  for (uint32_t s = 0; !bad && s < n; s++) r.order[s] = r.at[s] = s;
  bad = bad || new_block(&r, 0, (uint32_t)n) || vec_push(&r.waiting, mem, MEM_SEARCH, 0u);
  if (!bad) column(&r.stale)[0] = (uint32_t)n;
  while (!bad && r.waiting.count) {
    if (is_late(&r)) {
      bad = err_limit(e, "there was no time left to find out which states behave alike");
      break;
    }
    bad = part(&r, r.waiting.at[--r.waiting.count]);
    signatures_clear(&r.classes);
  }
  if (bad && !e->kind) no_memory(&r);
  close_all(&r);
  if (bad) mem_free(mem, r.block);
  else out->block = r.block, out->blocks = r.blocks;
  return bad ? -1 : 0;
}

/* ---- hidden cycles ---------------------------------------------------------------------------------------------------------------------- */

static int hidden_steps(struct graph *out, const struct graph *g, struct mem *mem) {
  graph_open(out, mem, 0);
  for (uint64_t s = 0; s < g->states; s++) {
    uint32_t label;
    if (graph_begin(out, s)) return -1;
    for (struct graph_edges e = graph_edges(g, s); graph_more(&e);) {
      uint32_t t = graph_next(&e, &label);
      if (label == 0 && t != s && graph_edge(out, t, 0)) return -1;
    }
    if (graph_end(out)) return -1;
  }
  out->states = g->states;
  return 0;
}

/* Each hidden cycle as one state, named by its component: those that hidden steps lead to have lower names. */
static int collapse(struct graph *out, const struct graph *g, const struct components *c, struct mem *mem) {
  graph_open(out, mem, 0);
  out->group_bits = g->group_bits;
  uint32_t *start = mem_alloc(mem, MEM_SEARCH, ((size_t)c->count + 2 + (size_t)g->states) * sizeof *start);
  if (!start) return -1;
  uint32_t *member = start + c->count + 2;
  for (uint64_t s = 0; s < g->states; s++) start[c->of[s] + 2]++;
  for (uint32_t i = 0; i < c->count; i++) start[i + 2] += start[i + 1];
  for (uint64_t s = 0; s < g->states; s++) member[start[c->of[s] + 1]++] = (uint32_t)s;
  int bad = 0;
  for (uint32_t i = 0; i < c->count && !bad; i++) {
    bad = graph_begin(out, i);
    for (uint32_t k = start[i]; k < start[i + 1] && !bad; k++)
      for (struct graph_edges e = graph_edges(g, member[k]); graph_more(&e) && !bad;) {
        uint32_t label, t = c->of[graph_next(&e, &label)];
        if (label != 0 || t != i) bad = graph_edge(out, t, label);
      }
    bad = bad || graph_end(out);
  }
  out->states = c->count;
  mem_free(mem, start);
  return bad ? -1 : 0;
}

static int refine_collapsed(struct refined *out, const struct graph *g, const struct model_patience *patience, struct mem *mem, struct err *e) {
  struct graph steps = {0}, small = {0};
  struct components c = {0};
  int bad = hidden_steps(&steps, g, mem) ? err_memory(e, "the graph of hidden steps") : components_find(&c, &steps, mem, e);
  graph_close(&steps);
  if (!bad && collapse(&small, g, &c, mem)) bad = err_memory(e, "the graph without hidden cycles");
  if (!bad) bad = refine_graph(out, &small, 1, patience, mem, e);
  graph_close(&small);
  for (uint64_t s = 0; !bad && s < g->states; s++) c.of[s] = out->block[c.of[s]];
  if (!bad) {
    mem_free(mem, out->block);
    out->block = c.of;
    c.of = NULL;
  }
  components_close(&c);
  return bad;
}

int refine(struct refined *out, const struct graph *g, enum bisimulation kind, const struct model_patience *patience, struct mem *mem, struct err *e) {
  *out = (struct refined){.mem = mem};
  return kind == BISIMULATION_BRANCHING ? refine_collapsed(out, g, patience, mem, e) : refine_graph(out, g, 0, patience, mem, e);
}

void refined_close(struct refined *r) {
  if (!r->mem) return;
  mem_free(r->mem, r->block);
  *r = (struct refined){0};
}

/* ---- the graph of blocks ---------------------------------------------------------------------------------------------------------------- */

struct quotient {
  struct mem *mem;
  const struct refined *r;
  const struct graph *g;
  int inert;
  uint32_t *start, *member; /* states by block */
  struct numbers pair; /* of one block */
};

static int find_pairs(struct quotient *q, uint32_t b) {
  q->pair.count = 0;
  for (uint32_t k = q->start[b]; k < q->start[b + 1]; k++) {
    for (struct graph_edges e = graph_edges(q->g, q->member[k]); graph_more(&e);) {
      uint32_t label, t = q->r->block[graph_next(&e, &label)];
      if (q->inert && label == 0 && t == b) continue;
      if (vec_push(&q->pair, q->mem, MEM_SEARCH, (uint64_t)label << 32 | t)) return -1;
    }
    if (!q->inert) break; /* any of them tells all */
  }
  signatures_sort(&q->pair);
  return 0;
}

int refined_quotient(const struct refined *r, const struct graph *g, enum bisimulation kind, const uint64_t *initial, size_t initials, struct graph *out,
                     uint32_t **number, struct mem *mem, struct err *e) {
  struct quotient q = {.mem = mem, .r = r, .g = g, .inert = kind == BISIMULATION_BRANCHING};
  graph_open(out, mem, 0);
  out->group_bits = g->group_bits;
  q.start = mem_alloc(mem, MEM_SEARCH, ((size_t)r->blocks + 2 + (size_t)g->states) * sizeof *q.start);
  uint32_t *name = mem_alloc(mem, MEM_SEARCH, ((size_t)r->blocks + 1) * sizeof *name), *queue = mem_alloc(mem, MEM_SEARCH, ((size_t)r->blocks + 1) * sizeof *queue);
  int bad = !q.start || !name || !queue;
  uint32_t tail = 0;
  if (!bad) {
    q.member = q.start + r->blocks + 2;
    for (uint64_t s = 0; s < g->states; s++) q.start[r->block[s] + 2]++;
    for (uint32_t b = 0; b < r->blocks; b++) q.start[b + 2] += q.start[b + 1];
    for (uint64_t s = 0; s < g->states; s++) q.member[q.start[r->block[s] + 1]++] = (uint32_t)s;
    memset(name, 0xff, r->blocks * sizeof *name);
    for (size_t i = 0; i < initials; i++) {
      uint32_t b = r->block[initial[i]];
      if (name[b] == UINT32_MAX) queue[name[b] = tail++] = b;
    }
  }
  for (uint32_t head = 0; head < tail && !bad; head++) {
    bad = find_pairs(&q, queue[head]) || graph_begin(out, head);
    for (size_t i = 0; i < q.pair.count && !bad; i++) {
      uint32_t t = (uint32_t)q.pair.at[i];
      if (name[t] == UINT32_MAX) queue[name[t] = tail++] = t;
      bad = graph_edge(out, name[t], (uint32_t)(q.pair.at[i] >> 32));
    }
    bad = bad || graph_end(out);
  }
  vec_free(&q.pair, mem);
  mem_free(mem, q.start);
  mem_free(mem, queue);
  if (number && !bad) *number = name;
  else mem_free(mem, name);
  if (bad) graph_close(out);
  return bad ? err_memory(e, "the smaller graph") : 0;
}
