/* bulk.c -- see bulk.h. */
#include "search/bulk.h"

#include "base/crew.h"

#include <string.h>

enum { ROOM = 10, TEST_ROOM = 3, PARTS = 4, BATCH = 128, SPARE = 32 }; /* log2 of the states of a part; parts for each worker; at most so much of what is left of the budget */

struct asker { /* the arrays of one worker */
  uint64_t hash[BATCH];
  store_ref ref[BATCH];
  uint8_t answer[BATCH];
};

struct bulk {
  struct mem *mem;
  struct store *from, *to; /* from: where states are read; NULL = they are given */
  bulk_hear *hear;
  void *context;
  struct store_round round;
  struct asker *asker;
  uint32_t *words;
  store_ref *old;
  size_t stride, count, most;
  atomic_size_t next;
};

static size_t words_of(const struct bulk *b) { return b->stride * sizeof *b->words; }

int bulk_open(struct bulk **out, struct search *s, struct store *from, struct store *to, bulk_hear *hear, void *context) {
  if (!s->crew || !to->type->round_ask) return -1;
  unsigned room = s->rounds_from ? TEST_ROOM : ROOM;
  size_t parts = (size_t)crew_size(s->crew) * PARTS, most = parts << room, stride = model_stride(s->model->words);
  if (mem_left(s->mem) / SPARE < 2 * most * (stride * sizeof(uint32_t) + 32)) return -1;
  struct bulk *b = mem_alloc(s->mem, MEM_SEARCH, sizeof *b);
  if (!b) return -1;
  *b = (struct bulk){.mem = s->mem, .from = from, .to = to, .hear = hear, .context = context, .stride = stride, .most = most};
  b->asker = mem_alloc(b->mem, MEM_SEARCH, crew_size(s->crew) * sizeof *b->asker);
  b->words = mem_alloc(b->mem, MEM_SEARCH, most * words_of(b) + 16);
  b->old = mem_alloc(b->mem, MEM_SEARCH, most * sizeof *b->old);
  int bad = !b->asker || !b->words || !b->old || store_round_open(&b->round, b->mem, s->crew, parts, room, stride, 0);
  b->round.unknown = 1;
  if (bad) {
    bulk_close(b);
    return -1;
  }
  *out = b;
  return 0;
}

void bulk_close(struct bulk *b) {
  if (!b) return;
  store_round_close(&b->round, b->mem);
  mem_free(b->mem, b->asker);
  mem_free(b->mem, b->words);
  mem_free(b->mem, b->old);
  mem_free(b->mem, b);
}

uint32_t *bulk_place(struct bulk *b) {
  uint32_t *at = b->words + b->count * b->stride;
  memset(at, 0, words_of(b));
  return at;
}

int bulk_add(struct bulk *b, store_ref old) {
  b->old[b->count++] = old;
  return b->count == b->most ? bulk_flush(b) : 0;
}

static struct store_batch batch_of(struct bulk *b, unsigned worker, size_t from, size_t end) {
  struct asker *a = &b->asker[worker];
  size_t n = end - from < BATCH ? end - from : BATCH;
  if (b->from) {
    memset(b->words + from * b->stride, 0, n * words_of(b));
    for (size_t k = from; k < from + n; k++) b->from->type->round_peek(b->from, worker, b->old[k], b->words + k * b->stride, NULL);
  }
  return (struct store_batch){.states = b->words + from * b->stride, .stride = b->stride, .count = n, .hash = a->hash, .ref = a->ref, .answer = a->answer};
}

static void ask_parts(void *context, unsigned worker) {
  struct bulk *b = context;
  for (size_t i; (i = crew_next(&b->next, b->round.parts)) < b->round.parts;) {
    size_t from = i << b->round.room, end = (i + 1) << b->round.room < b->count ? (i + 1) << b->round.room : b->count;
    while (from < end) {
      struct store_batch batch = batch_of(b, worker, from, end);
      b->to->type->round_ask(b->to, &b->round, i, worker, &batch);
      from += batch.count;
    }
  }
}

/* One after the other. */
static int put_all(struct bulk *b) {
  for (size_t from = 0; from < b->count;) {
    struct store_batch batch = batch_of(b, 0, from, b->count);
    if (b->to->type->put_batch(b->to, &batch, 0) < batch.count) return -1;
    for (size_t i = 0; i < batch.count; i++) b->hear(b->context, b->old[from + i], batch.ref[i], b->words + (from + i) * b->stride);
    from += batch.count;
  }
  b->count = 0;
  return 0;
}

int bulk_flush(struct bulk *b) {
  for (size_t i = 0; i < b->round.parts; i++) b->round.part[i].count = 0;
  if (b->count < b->most || b->to->type->round_begin(b->to, &b->round)) return put_all(b);
  atomic_store(&b->next, 0);
  crew_run(b->round.crew, ask_parts, b);
  if (b->to->type->round_settle(b->to, &b->round, b->round.parts)) return -1;
  if (b->to->type->round_finish) b->to->type->round_finish(b->to, &b->round, b->round.parts, NULL, NULL);
  for (size_t k = 0; k < b->count; k++) {
    const struct store_part *p = &b->round.part[k >> b->round.room];
    size_t room = (size_t)1 << b->round.room, at = k & (room - 1);
    if (p->count != room || p->answer[at] != STORE_NEW) return -1;
    b->hear(b->context, b->old[k], p->ref[at], b->words + k * b->stride);
  }
  b->count = 0;
  return 0;
}
