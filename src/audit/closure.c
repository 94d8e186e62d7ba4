/* closure.c -- see audit.h.  A set of states proves what is true in all of them, if the first state is in it and all successors of its states are: then whatever can be reached is in it.
 *
 * The set is read once: sorted, so no state is there twice; each state is judged; its successors are gathered, as bytes, in one block of memory.  When the block is full it is sorted and held against the whole set, which is read
 * for that once more, from its beginning to its end.  So memory is bounded, nothing is written, and a set of any size can be confirmed: the less memory, the more often it is read. */
#define _GNU_SOURCE /* qsort_r */
#include "audit/audit.h"
#include "base/hash.h"

#include <inttypes.h>

enum { ENTRY = 8, CACHE = 1 << 14 }; /* length and group before the bytes of a successor; of the last successors */
#define FIRST UINT32_MAX             /* in place of a group: the first state of all */

struct closure {
  struct audit *a;
  uint8_t *block;  /* successors from its beginning on, where they begin from its end on (4 bytes each) */
  size_t room, used, count;
  uint32_t *cache; /* where a successor with these bits of its hash begins, + 1: most come several times */
  int dead, failed; /* of the state at hand */
};

static uint32_t number_at(const struct closure *c, size_t at) { return (uint32_t)sealed_fixed(c->block + at, 4); }

static int compare_with(const struct closure *c, size_t entry, const uint8_t *bytes, size_t length) { return bytes_compare(c->block + entry + ENTRY, number_at(c, entry), bytes, length); }

static int compare_entries(const void *x, const void *y, void *context) {
  uint32_t b = *(const uint32_t *)y;
  return compare_with(context, *(const uint32_t *)x, ((struct closure *)context)->block + b + ENTRY, number_at(context, b));
}

static int missing(struct closure *c, uint32_t entry) {
  const struct model *m = c->a->model;
  uint32_t group = number_at(c, entry + 4);
  return group == FIRST ? audit_not(c->a, "the initial state is not in the set") : audit_not(c->a, "the set is not closed: where %.200s leads from one of its states is not in it", m->type->group_name(m, group));
}

/* Everything in the block is in the set? The block is empty afterwards. */
static int settle(struct closure *c) {
  uint32_t *entry = (uint32_t *)(void *)(c->block + c->room) - c->count;
  struct sealed s = {0};
  size_t i = 0;
  int order, there = sealed_open(c->a, &s) ? -1 : 1;
  if (c->count) qsort_r(entry, c->count, sizeof *entry, compare_entries, c);
  while (there > 0 && !is(s.tag, "STAT")) there = sealed_next(c->a, &s);
  while (there > 0 && i < c->count && (there = sealed_state(c->a, &s)) > 0) {
    for (order = 0; i < c->count && (order = compare_with(c, entry[i], s.state.at, s.state.count)) == 0;) i++;
    if (order < 0) there = missing(c, entry[i]);
  }
  if (there >= 0 && i < c->count) there = missing(c, entry[i]);
  sealed_close(c->a, &s);
  memset(c->cache, 0, CACHE * sizeof *c->cache);
  c->used = c->count = 0;
  return there < 0 ? -1 : 0;
}

static int gather(struct closure *c, const int64_t *values, size_t vars, uint32_t group) {
  const struct bytes *p = &c->a->packed;
  if (semantics_pack(c->a, values, vars)) return -1;
  uint32_t *cached = &c->cache[XXH64(p->at, p->count, 0) % CACHE], head[2] = {(uint32_t)p->count, group};
  if (*cached && compare_with(c, *cached - 1, p->at, p->count) == 0) return 0;
  if (ENTRY + p->count + 4 > c->room) return audit_memory(c->a);
  if (c->used + ENTRY + p->count + 4 * (c->count + 1) > c->room && settle(c)) return -1;
  for (size_t i = 0; i < ENTRY; i++) c->block[c->used + i] = (uint8_t)(head[i / 4] >> 8 * (i % 4));
  memcpy(c->block + c->used + ENTRY, p->at, p->count);
  ((uint32_t *)(void *)(c->block + c->room))[-(ptrdiff_t)++c->count] = (uint32_t)c->used;
  *cached = (uint32_t)c->used + 1;
  c->used += ENTRY + p->count;
  return 0;
}

/* Something that went wrong in a step, or (NULL) the state at hand: does it speak against what the set is to show? */
static int against(struct closure *c, const struct model_defined *d) {
  struct audit *a = c->a;
  for (size_t i = 0; i < a->claims.count; i++) {
    const struct claim *p = &a->claims.at[i];
    if (is(p->evidence, "set") && (d ? semantics_broken(p, d) : semantics_decides(a, p, a->values, c->dead))) return audit_not(a, "%s: state %" PRIu64 " of the set %s otherwise", p->id, a->states, d ? "has a step that says" : "says");
  }
  return 0;
}

static void hear(void *context, const struct model_defined *d) {
  struct closure *c = context;
  if (d->claims && against(c, d)) c->failed = -1;
  if (!d->values || c->failed) return;
  c->dead = 0, c->a->steps++;
  c->failed = gather(c, d->values, d->vars, d->group);
}

static int read_set(struct closure *c) {
  struct audit *a = c->a;
  struct sealed *s = &a->sealed;
  struct bytes last = {0};
  int there = 1, bad = 0;
  for (; !bad && (a->blocks += !s->left, there = sealed_state(a, s)) > 0; c->dead = 1) {
    if (a->states++ && bytes_compare(last.at, last.count, s->state.at, s->state.count) >= 0) bad = audit_bad(a, "states %" PRIu64 " and %" PRIu64 " are not in order", a->states - 1, a->states);
    last.count = 0;
    bad = bad || bytes_append(a, &last, s->state.at, s->state.count) || semantics_read(a, &s->state) || semantics_steps(a, a->values, hear, c) || c->failed || against(c, NULL);
  }
  a->blocks--; /* the record that is none */
  vec_free(&last, &a->mem);
  return bad || there < 0 ? -1 : 0;
}

int closure_check(struct audit *a) {
  size_t half = mem_left(&a->mem) / 2;
  struct closure c = {.a = a, .dead = 1, .room = (half < (size_t)1 << 30 ? half : (size_t)1 << 30) & ~(size_t)15};
  c.block = mem_alloc(&a->mem, MEM_OTHER, c.room);
  c.cache = mem_alloc(&a->mem, MEM_OTHER, CACHE * sizeof *c.cache);
  int bad = c.block && c.cache ? 0 : audit_memory(a);
  a->model->type->define_initial(a->model, a->values);
  if (!bad) bad = gather(&c, a->values, a->model->vars, FIRST) || read_set(&c) || settle(&c);
  for (size_t i = 0; i < a->claims.count && !bad; i++) a->claims.at[i].confirmed |= is(a->claims.at[i].evidence, "set");
  mem_free(&a->mem, c.block), mem_free(&a->mem, c.cache);
  return bad;
}
