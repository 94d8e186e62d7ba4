/* waiting.c -- see waiting.h.
 *
 * Moving.  From a store that numbers its states to one that does not, each state tells its new name on the way.  Between two stores that do not, the old one
 * is asked for the states that wait (it still gives those) and the new one what it calls them.  States that are kept in full only change their width. */
#include "search/waiting.h"

#include "search/strategy.h"

#include <assert.h>
#include <string.h>

static int kind_of(const struct store *s) {
  if (!(s->type->caps & STORE_GET) || s->type->caps & STORE_COSTLY) return WAITING_STATES;
  return s->type->caps & STORE_ORDER ? WAITING_NUMBERS : WAITING_REFS;
}

static uint64_t *where_at(const struct waiting *w, uint64_t number) { return (uint64_t *)(void *)w->where.base + number; }
static uint8_t *record_at(const struct waiting *w, uint64_t place) { return w->records.base + place * w->record; }

static size_t record_of(const struct model *m) {
  size_t bytes = ((size_t)m->bits + 7) / 8;
  return bytes < sizeof(uint32_t) ? sizeof(uint32_t) : bytes;
}

void waiting_open(struct waiting *w, const struct search *s) {
  *w = (struct waiting){.mem = s->mem, .kind = kind_of(s->store), .record = record_of(s->model)};
  region_open(&w->where, s->mem, MEM_FRONTIER);
  region_open(&w->records, s->mem, MEM_FRONTIER);
}

void waiting_close(struct waiting *w) {
  region_close(&w->where);
  region_close(&w->records);
}

int waiting_reserve(struct waiting *w, uint64_t count, size_t more) {
  if (w->kind == WAITING_NUMBERS) return 0;
  if (region_grow(&w->where, (count + more) * sizeof(uint64_t))) return -1;
  return w->kind == WAITING_STATES ? region_grow(&w->records, (w->records_used + more) * w->record) : 0;
}

void waiting_add(struct waiting *w, uint32_t number, store_ref ref, const uint32_t *state) {
  if (w->kind == WAITING_REFS) *where_at(w, number) = ref;
  if (w->kind != WAITING_STATES) return;
  uint64_t place = w->free ? w->free - 1 : w->records_used++;
  if (w->free) memcpy(&w->free, record_at(w, place), sizeof w->free);
  memcpy(record_at(w, place), state, w->record);
  *where_at(w, number) = place;
}

void waiting_remove(struct waiting *w, uint32_t number) {
  if (w->kind != WAITING_STATES) return;
  uint64_t place = *where_at(w, number);
  memcpy(record_at(w, place), &w->free, sizeof w->free);
  w->free = (uint32_t)place + 1;
}

int waiting_get(const struct waiting *w, const struct search *s, uint32_t number, uint32_t *state, store_ref *ref, uint32_t *trail) {
  memset(state, 0, model_stride(s->model->words) * sizeof *state);
  if (w->kind == WAITING_STATES) {
    memcpy(state, record_at(w, *where_at(w, number)), w->record);
    *ref = s->store->type->caps & STORE_ORDER ? number : STORE_NONE;
    return 0;
  }
  *ref = w->kind == WAITING_REFS ? *where_at(w, number) : number;
  return s->store->type->get(s->store, *ref, state, trail);
}

int waiting_begin_move(struct waiting *w, const struct search *s, const struct store *to, uint64_t count) {
  w->receiving = 0;
  if (to == s->store || w->kind != WAITING_NUMBERS || kind_of(to) != WAITING_REFS) return 0;
  if (region_grow(&w->where, (count + 1) * sizeof(uint64_t))) return -1;
  w->receiving = 1;
  return 0;
}

void waiting_moved(struct waiting *w, store_ref old, store_ref there) {
  if (w->receiving) *where_at(w, old) = there;
}

/* Every record gets the new width, from the end, so that wider ones cover only what has moved; free ones keep their link. */
static int widen_records(struct waiting *w, struct search *s, store_convert *convert, uint64_t count, int (*waits)(void *, uint32_t), void *context) {
  size_t record = record_of(s->model), words = model_stride(s->model->words) + 2, old = w->record / 4 + 4;
  uint32_t *space = mem_alloc(s->mem, MEM_SEARCH, (words + old) * sizeof *space);
  uint8_t *used = mem_alloc(s->mem, MEM_SEARCH, w->records_used / 8 + 1);
  int status = space && used && record >= w->record ? region_grow(&w->records, (w->records_used + 1) * record) : -1;
  for (uint64_t i = 0; i < count && !status; i++)
    if (waits(context, (uint32_t)i)) used[*where_at(w, i) / 8] |= (uint8_t)(1u << *where_at(w, i) % 8);
  for (size_t i = w->records_used; i-- > 0 && !status;) {
    uint32_t *narrow = space + words;
    memset(space, 0, (words + old) * sizeof *space);
    memcpy(narrow, record_at(w, i), w->record);
    if (used[i / 8] >> i % 8 & 1) convert(s->model, narrow, space);
    else memcpy(space, narrow, sizeof w->free);
    memcpy(w->records.base + i * record, space, record);
  }
  if (!status) w->record = record;
  mem_free(s->mem, space);
  mem_free(s->mem, used);
  return status;
}

/* What the new store calls the states that wait. */
static int rename(struct waiting *w, struct search *s, struct store *to, store_convert *convert, uint64_t count, int (*waits)(void *, uint32_t), void *context) {
  size_t words = model_stride(s->model->words) + 2; /* of the new width; the old one is not wider */
  uint32_t *space = mem_alloc(s->mem, MEM_SEARCH, 2 * words * sizeof *space), *there = space + words;
  int status = space ? 0 : -1;
  for (uint64_t i = 0; i < count && !status; i++) {
    if (!waits(context, (uint32_t)i)) continue;
    memset(space, 0, 2 * words * sizeof *space);
    status = s->store->type->get(s->store, *where_at(w, i), space, NULL);
    if (convert && !status) convert(s->model, space, there);
    if (!status) *where_at(w, i) = store_find(to, convert ? there : space, s->model->words);
  }
  mem_free(s->mem, space);
  return status;
}

int waiting_move(struct waiting *w, struct search *s, struct store *to, store_convert *convert, uint64_t count, int (*waits)(void *, uint32_t), void *context) {
  int kind = kind_of(to), received = w->receiving;
  w->receiving = 0;
  if (w->kind == WAITING_STATES) return convert ? widen_records(w, s, convert, count, waits, context) : 0;
  if (to == s->store || kind == WAITING_NUMBERS) return 0;
  assert(kind == WAITING_REFS);
  if (w->kind == WAITING_REFS) return rename(w, s, to, convert, count, waits, context);
  w->kind = WAITING_REFS;
  return received ? 0 : -1;
}
