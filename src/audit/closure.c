/* closure.c -- a set of states proves what is true in all of them, if the first state is in it and all successors of its states are: then whatever can be reached is in it.
 *
 * The set is read once: it is sorted (sealed.c), so no state is there twice; each state is judged; its successors are gathered, as bytes, in one block of memory.  When the block is full it is sorted and held against the whole set, which is read
 * for that once more, from its beginning to its end.  So memory is bounded, nothing is written, and a set of any size can be confirmed: the less memory, the more often it is read. */
#define _GNU_SOURCE /* qsort_r */
#include "audit/audit.h"
#include "base/hash.h"

enum { CACHE = 1 << 14, MOST = 1 << 30 }; /* of the last successors; bytes of the block */
#define FIRST UINT32_MAX                  /* in place of a group: the first state of all */

struct entry { /* a successor */
  uint32_t at, length, group;
};

struct closure {
  struct audit *a;
  uint8_t *block;    /* bytes of successors from its beginning on */
  struct entry *end; /* of the block: the entries before it, the last one first */
  size_t room, used, count;
  uint32_t *cache;  /* which entry has these bits of its hash; 0 = none: most successors come several times */
  int dead, failed; /* of the state at hand */
};

static int compare(const struct closure *c, const struct entry *e, const uint8_t *bytes, size_t length) { return bytes_compare(c->block + e->at, e->length, bytes, length); }

static int compare_entries(const void *x, const void *y, void *closure) {
  const struct entry *e = y;
  return compare(closure, x, ((struct closure *)closure)->block + e->at, e->length);
}

/* Everything in the block is in the set? The block is empty afterwards. */
static int settle(struct closure *c) {
  const struct model *m = c->a->model;
  struct entry *entry = c->end - c->count;
  struct sealed s = {0};
  int order = 0, there = sealed_open(c->a, &s) ? -1 : 1;
  qsort_r(entry, c->count, sizeof *entry, compare_entries, c);
  while (there > 0 && !is(s.tag, "STAT")) there = sealed_next(c->a, &s);
  while (there > 0 && order >= 0 && entry < c->end && (there = sealed_state(c->a, &s)) > 0)
    while (entry < c->end && (order = compare(c, entry, s.state.at, s.state.count)) == 0) entry++;
  if (there >= 0 && entry < c->end && entry->group == FIRST) there = audit_not(c->a, "the initial state is not in the set");
  if (there >= 0 && entry < c->end) there = audit_not(c->a, "the set is not closed: where %.200s leads from one of its states is not in it", m->type->group_name(m, entry->group));
  sealed_close(c->a, &s);
  memset(c->cache, 0, CACHE * sizeof *c->cache);
  c->used = c->count = 0;
  return there < 0 ? -1 : 0;
}

static int gather(struct closure *c, const int64_t *values, size_t vars, uint32_t group) {
  const struct bytes *p = &c->a->packed;
  if (semantics_pack(c->a, values, vars)) return -1;
  uint32_t *cached = &c->cache[XXH64(p->at, p->count, 0) % CACHE];
  if (*cached && compare(c, c->end - *cached, p->at, p->count) == 0) return 0;
  if (p->count + sizeof *c->end > c->room) return audit_memory(c->a);
  if (c->used + p->count + (c->count + 1) * sizeof *c->end > c->room && settle(c)) return -1;
  memcpy(c->block + c->used, p->at, p->count);
  *cached = (uint32_t)++c->count;
  *(c->end - c->count) = (struct entry){(uint32_t)c->used, (uint32_t)p->count, group};
  c->used += p->count;
  return 0;
}

/* Something that went wrong in a step, or (NULL) the state at hand: does it speak against what the set is to show? */
static int against(struct closure *c, const struct model_defined *d) {
  struct audit *a = c->a;
  each_claim(a, p)
    if (is(p->evidence, "set") && semantics_decides(a, p, d, c->dead)) return audit_not(a, "%s: state %" PRIu64 " of the set %s otherwise", p->id, a->sealed.states, d ? "has a step that says" : "says");
  return 0;
}

static void hear(void *context, const struct model_defined *d) {
  struct closure *c = context;
  if (d->claims && against(c, d)) c->failed = -1;
  if (!d->values || c->failed) return;
  c->dead = 0, c->a->steps++;
  c->failed = gather(c, d->values, d->vars, d->group);
}

int closure_check(struct audit *a) {
  size_t half = mem_left(&a->mem) / 2;
  struct closure c = {.a = a, .dead = 1, .room = (half < MOST ? half : MOST) & ~(size_t)15};
  c.block = mem_alloc(&a->mem, MEM_OTHER, c.room), c.cache = mem_alloc(&a->mem, MEM_OTHER, CACHE * sizeof *c.cache);
  int there = 0, bad = c.block && c.cache ? 0 : audit_memory(a);
  if (!bad) c.end = (struct entry *)(void *)(c.block + c.room);
  a->model->type->define_initial(a->model, a->values);
  bad = bad || gather(&c, a->values, a->model->vars, FIRST);
  for (; !bad && (there = sealed_state(a, &a->sealed)) > 0; c.dead = 1) bad = semantics_read(a) || semantics_steps(a, hear, &c) || c.failed || against(&c, NULL);
  bad = bad || there < 0 || settle(&c) ? -1 : 0;
  each_claim(a, p) p->confirmed |= !bad && is(p->evidence, "set");
  mem_free(&a->mem, c.block), mem_free(&a->mem, c.cache);
  return bad;
}
