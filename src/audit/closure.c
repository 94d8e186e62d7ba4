/* closure.c -- see audit.h.  A set of states proves what is true in all of them, if the first state is in it and all successors of its states are: then whatever can be reached is in it.
 *
 * The set is read once: sorted, so no state is there twice; each state is judged; its successors are gathered, as bytes, in one block of memory.  When the block is full it is sorted and held against the whole set, which is read
 * for that once more, from its beginning to its end.  So memory is bounded, nothing is written, and a set of any size can be confirmed: the less memory, the more often it is read. */
#define _GNU_SOURCE /* qsort_r */
#include "audit/audit.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY = 8, CACHE = 1 << 16 }; /* length and group before the bytes of a successor; of the last successors */
#define FIRST UINT32_MAX             /* in place of a group: the first state of all */

struct closure {
  struct audit *a;
  uint8_t *block;      /* successors from its beginning on, where they begin from its end on (4 bytes each) */
  size_t room, used, count;
  uint32_t *cache;     /* where a successor with these bits of its hash begins, + 1: most come several times */
  uint64_t outgoing;   /* of the state at hand */
  int failed;
};

static uint32_t number_at(const struct closure *c, size_t at) { return (uint32_t)sealed_fixed(c->block + at, 4); }

static int compare(const uint8_t *x, size_t x_length, const uint8_t *y, size_t y_length) {
  int order = memcmp(x, y, x_length < y_length ? x_length : y_length);
  return order ? order : (x_length > y_length) - (x_length < y_length);
}

static int compare_entries(const void *x, const void *y, void *context) {
  const struct closure *c = context;
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return compare(c->block + a + ENTRY, number_at(c, a), c->block + b + ENTRY, number_at(c, b));
}

static int missing(struct closure *c, uint32_t entry) {
  uint32_t group = number_at(c, entry + 4);
  if (group == FIRST) return audit_not(c->a, "the initial state is not in the set");
  return audit_not(c->a, "the set is not closed: where %.200s leads from one of its states is not in it", c->a->model->type->group_name(c->a->model, group));
}

/* Everything in the block is in the set? The block is empty afterwards. */
static int settle(struct closure *c) {
  uint32_t *entry = (uint32_t *)(void *)(c->block + c->room) - c->count;
  struct sealed r = {0};
  size_t i = 0;
  int there = sealed_open(c->a, &r) ? -1 : 1;
  if (c->count) qsort_r(entry, c->count, sizeof *entry, compare_entries, c);
  while (there > 0 && strcmp(r.tag, "STAT") != 0) there = sealed_next(c->a, &r);
  while (there > 0 && i < c->count && (there = sealed_state(c->a, &r)) > 0) {
    int order = 0;
    while (i < c->count && (order = compare(c->block + entry[i] + ENTRY, number_at(c, entry[i]), r.state.at, r.state.count)) == 0) i++;
    if (i < c->count && order < 0) there = missing(c, entry[i]);
  }
  if (there >= 0 && i < c->count) there = missing(c, entry[i]);
  sealed_close(c->a, &r);
  memset(c->cache, 0, CACHE * sizeof *c->cache);
  c->used = c->count = 0;
  return there < 0 ? -1 : 0;
}

static int gather(struct closure *c, const int64_t *values, size_t vars, uint32_t group) {
  struct audit_bytes *p = &c->a->packed;
  if (semantics_pack(c->a, values, vars)) return -1;
  uint32_t *cached = &c->cache[XXH64(p->at, p->count, 0) % CACHE];
  if (*cached && compare(c->block + *cached - 1 + ENTRY, number_at(c, *cached - 1), p->at, p->count) == 0) return 0;
  size_t need = ENTRY + p->count + 4;
  if (need > c->room) return audit_not(c->a, "there is not enough memory for one state: --memory");
  if (c->used + need + 4 * c->count > c->room && settle(c)) return -1;
  uint8_t *to = c->block + c->used;
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(p->count >> 8 * i), to[4 + i] = (uint8_t)(group >> 8 * i);
  if (p->count) memcpy(to + ENTRY, p->at, p->count);
  ((uint32_t *)(void *)(c->block + c->room))[-(ptrdiff_t)++c->count] = (uint32_t)c->used;
  *cached = (uint32_t)c->used + 1;
  c->used += ENTRY + p->count;
  return 0;
}

/* Is it this set that shows it? */
static int by_set(const struct audit_claim *p) { return strcmp(p->evidence, "set") == 0; }

static void hear(void *context, const struct model_defined *d) {
  struct closure *c = context;
  if (c->failed) return;
  for (size_t i = 0; i < c->a->claims.count && d->claims; i++)
    if (by_set(&c->a->claims.at[i]) && semantics_broken(&c->a->claims.at[i], d)) c->failed = audit_not(c->a, "%s: a step of state %" PRIu64 " of the set breaks it", c->a->claims.at[i].id, c->a->states);
  if (!d->values) return;
  c->outgoing++;
  c->a->successors++;
  if (!c->failed) c->failed = gather(c, d->values, d->vars, d->group);
}

static int judge(struct closure *c, const uint8_t *state, size_t length) {
  struct audit *a = c->a;
  c->outgoing = 0;
  if (semantics_read(a, state, length) || semantics_successors(a, a->values, hear, c) || c->failed) return -1;
  for (size_t i = 0; i < a->claims.count; i++)
    if (by_set(&a->claims.at[i]) && semantics_decides(a, &a->claims.at[i], a->values, !c->outgoing)) return audit_not(a, "%s: state %" PRIu64 " of the set says otherwise", a->claims.at[i].id, a->states);
  return 0;
}

/* All states; then index and end must be as they should be. */
static int read_set(struct closure *c) {
  struct audit *a = c->a;
  struct sealed *r = &a->records;
  struct audit_bytes last = {0}, index = {0};
  uint64_t blocks = 0;
  int there, bad = 0;
  while (!bad && (there = sealed_state(a, r)) > 0) {
    if (a->states++ && compare(last.at, last.count, r->state.at, r->state.count) >= 0) bad = audit_bad(a, "states %" PRIu64 " and %" PRIu64 " are not in order", a->states - 1, a->states);
    last.count = 0;
    blocks += (unsigned)r->fresh;
    if (!bad && r->fresh) bad = audit_append_number(a, &index, r->at) || audit_append_number(a, &index, r->state.count) || audit_append(a, &index, r->state.at, r->state.count);
    if (!bad) bad = audit_append(a, &last, r->state.at, r->state.count) || judge(c, r->state.at, r->state.count);
  }
  if (!bad && there < 0) bad = -1;
  if (!bad && (strcmp(r->tag, "INDX") != 0 || r->data.count != index.count || memcmp(r->data.at, index.at, index.count) != 0)) bad = audit_bad(a, "the index is not that of the states");
  if (!bad && sealed_next(a, r) <= 0) bad = audit_bad(a, "the file is cut off");
  if (!bad && (strcmp(r->tag, "ENDS") != 0 || r->data.count != 24 || sealed_fixed(r->data.at, 8) != a->states || sealed_fixed(r->data.at + 8, 8) != blocks)) bad = audit_bad(a, "its counts are not those of the states");
  vec_free(&last, &a->mem);
  vec_free(&index, &a->mem);
  return bad;
}

int closure_check(struct audit *a) {
  struct closure c = {.a = a, .room = mem_left(&a->mem) / 2};
  if (c.room > (size_t)1 << 30) c.room = (size_t)1 << 30;
  c.room &= ~(size_t)15;
  c.block = mem_alloc(&a->mem, MEM_OTHER, c.room);
  c.cache = mem_alloc(&a->mem, MEM_OTHER, CACHE * sizeof *c.cache);
  int bad = c.block && c.cache ? 0 : audit_not(a, "there is not enough memory: --memory");
  if (!bad) a->model->type->define_initial(a->model, a->values);
  if (!bad) bad = gather(&c, a->values, a->model->vars, FIRST) || read_set(&c) || settle(&c);
  for (size_t i = 0; i < a->claims.count && !bad; i++) a->claims.at[i].confirmed |= by_set(&a->claims.at[i]);
  mem_free(&a->mem, c.block);
  mem_free(&a->mem, c.cache);
  return bad ? -1 : 0;
}
