/* frontier.c -- see frontier.h. */
#include "search/frontier.h"

#include <assert.h>
#include <string.h>

enum { PIECE = 64 << 10, LOAD = 2048, LOAD_BYTES = 1 << 20, LOAD_SHARE = 64 };

struct frontier_piece {
  struct frontier_piece *next;
  struct ref_shape shape;
  size_t used; /* entries, once it is no longer the last one */
  uint8_t data[];
};

void frontier_open(struct frontier *f, struct store *store, uint32_t words, uint32_t bits, struct mem *mem) {
  unsigned caps = store->type->caps;
  *f = (struct frontier){.mem = mem, .store = store, .words = words};
  if (store->marking) f->kind = FRONTIER_MARKS;
  else if (caps & STORE_ORDER && store->type->get_batch) f->kind = FRONTIER_NUMBERS;
  else if (!(caps & STORE_GET) || caps & STORE_COSTLY) f->kind = FRONTIER_STATES;
  else f->kind = caps & STORE_ORDER ? FRONTIER_IN_STORE : FRONTIER_REFS;
  f->shape = f->kind == FRONTIER_STATES ? (struct ref_shape){.entry = (bits + 7) / 8 + !bits} : (struct ref_shape){2, 1, 1};
  f->piece_bytes = f->shape.entry < PIECE / 16 ? PIECE : 16 * (size_t)f->shape.entry;
}

static size_t room_in(const struct frontier *f, struct ref_shape shape) { return f->piece_bytes / shape.entry; }

/* Entries of a piece. */
static size_t used_in(const struct frontier *f, const struct frontier_piece *p) { return p == f->tail ? f->tail_at : p->used; }

/* ---- pieces ----------------------------------------------------------------------------------- */

static void free_pieces(struct frontier *f, struct frontier_piece *p) {
  for (struct frontier_piece *next; p; p = next) {
    next = p->next;
    mem_free(f->mem, p);
  }
}

void frontier_close(struct frontier *f) {
  free_pieces(f, f->head);
  free_pieces(f, f->spare);
  mem_free(f->mem, f->load);
  *f = (struct frontier){0};
}

static uint8_t *entry_at(struct frontier_piece *p, size_t i) { return p->data + i * p->shape.entry; }

static struct frontier_piece *new_piece(struct frontier *f) {
  return mem_alloc(f->mem, MEM_FRONTIER, sizeof(struct frontier_piece) + f->piece_bytes);
}

int frontier_reserve(struct frontier *f, size_t more) {
  if (f->kind != FRONTIER_REFS && f->kind != FRONTIER_STATES) return 0;
  size_t longest = f->kind == FRONTIER_REFS ? sizeof(store_ref) : f->shape.entry, each = f->piece_bytes / longest;
  size_t here = f->kind == FRONTIER_STATES && f->tail ? each - f->tail_at : 0; /* a piece of refs may be left before it is full, once, after states have moved */
  while (here + f->spares * each < more) {
    struct frontier_piece *p = new_piece(f);
    if (!p) return -1;
    p->next = f->spare;
    f->spare = p;
    f->spares++;
  }
  return 0;
}

/* Refs became longer: those in the last piece follow, from the end, so that they cover only what has moved. A piece that cannot hold them so has as many of them as one of the longest: reserve counts on that. */
static void widen_tail(struct frontier *f) {
  struct ref_shape old = f->tail->shape;
  uint8_t *data = f->tail->data;
  for (size_t i = f->tail_at; i-- > 0;) ref_put(data + i * f->shape.entry, f->shape, ref_get(data + i * old.entry, old));
  f->tail->shape = f->shape;
}

/* The place for one more entry; NULL: no memory. */
static uint8_t *append(struct frontier *f) {
  if (f->tail && f->tail->shape.entry < f->shape.entry && (f->tail_at + 1) * f->shape.entry <= f->piece_bytes) widen_tail(f);
  if (!f->tail || f->tail_at == room_in(f, f->tail->shape) || f->tail->shape.entry != f->shape.entry || f->tail->shape.low != f->shape.low) {
    struct frontier_piece *p = f->spare;
    if (p) f->spare = p->next, f->spares--;
    else p = new_piece(f);
    if (!p) return NULL;
    p->next = NULL;
    p->shape = f->shape;
    if (f->tail) {
      f->tail->used = f->tail_at;
      f->tail->next = p;
    } else {
      f->head = p;
      f->head_at = 0;
    }
    f->tail = p;
    f->tail_at = 0;
  }
  return entry_at(f->tail, f->tail_at++);
}

int frontier_push(struct frontier *f, store_ref ref, const uint32_t *state) {
  if (f->kind == FRONTIER_REFS || f->kind == FRONTIER_STATES) {
    if (f->kind == FRONTIER_REFS) ref_fit(&f->shape, ref);
    uint8_t *at = append(f);
    if (!at) return -1;
    if (f->kind == FRONTIER_REFS) ref_put(at, f->shape, ref);
    else memcpy(at, state, f->shape.entry);
  }
  f->count++;
  return 0;
}

/* The state whose turn it is, out of a load of states that were found again together. Without memory for a load: it alone. */
static int peek_number(struct frontier *f, uint32_t *state) {
  if (f->taken - f->load_first >= f->load_count) {
    if (!f->load) {
      size_t bytes = (f->words + !f->words) * sizeof *f->load, share = mem_left(f->mem) / LOAD_SHARE, room = (share < LOAD_BYTES ? share : LOAD_BYTES) / bytes;
      f->load_room = room < LOAD ? room : LOAD;
      f->load = f->load_room > 1 ? mem_alloc(f->mem, MEM_FRONTIER, f->load_room * bytes) : NULL;
    }
    if (!f->load) return f->store->type->get(f->store, f->taken, state, NULL);
    size_t n = f->count < f->load_room ? (size_t)f->count : f->load_room;
    f->load_count = 0;
    if (f->store->type->get_batch(f->store, f->taken, n, f->load, f->words)) return -1;
    f->load_first = f->taken;
    f->load_count = n;
  }
  memcpy(state, f->load + (f->taken - f->load_first) * f->words, f->words * sizeof *state);
  return 0;
}

int frontier_peek(struct frontier *f, store_ref *ref, uint32_t *state, uint32_t *trail) {
  if (!f->count) return 1;
  if (f->kind == FRONTIER_STATES) {
    *ref = f->taken; /* a number, where numbers are known */
    memset(state, 0, f->words * sizeof *state);
    memcpy(state, entry_at(f->head, f->head_at), f->shape.entry);
    return 0;
  }
  if (f->kind == FRONTIER_NUMBERS) {
    *ref = f->taken;
    return peek_number(f, state);
  }
  if (f->kind == FRONTIER_MARKS && f->marked_at == f->marked_count) {
    int64_t n = f->store->type->mark_take(f->store, &f->marked);
    if (n <= 0) return -1;
    f->marked_count = (size_t)n;
    f->marked_at = 0;
  }
  *ref = f->kind == FRONTIER_MARKS ? f->marked[f->marked_at] : f->kind == FRONTIER_IN_STORE ? f->taken : ref_get(entry_at(f->head, f->head_at), f->head->shape);
  return f->store->type->get(f->store, *ref, state, trail);
}

size_t frontier_refs(const struct frontier *f, store_ref *refs, size_t most) {
  size_t n = 0, at = f->head_at;
  if (f->kind == FRONTIER_IN_STORE)
    for (; n < most && n < f->count; n++) refs[n] = f->taken + n;
  if (f->kind != FRONTIER_REFS) return n;
  for (struct frontier_piece *p = f->head; p && n < most; p = p->next, at = 0)
    for (size_t used = used_in(f, p); at < used && n < most; at++) refs[n++] = ref_get(entry_at(p, at), p->shape);
  return n;
}

void frontier_advance(struct frontier *f) {
  assert(f->count);
  f->count--;
  f->taken++;
  f->marked_at += f->kind == FRONTIER_MARKS;
  if ((f->kind != FRONTIER_REFS && f->kind != FRONTIER_STATES) || ++f->head_at < used_in(f, f->head)) return;
  struct frontier_piece *p = f->head;
  f->head = p->next;
  f->head_at = 0;
  if (!f->head) f->tail = NULL;
  mem_free(f->mem, p);
}

void frontier_exchange(struct frontier *f, const struct store_part *p, size_t advanced) {
  for (size_t k = 0; k < p->count; k++)
    if (p->answer[k] == STORE_NEW) {
      ref_fit(&f->shape, p->ref[k]);
      ref_put(append(f), f->shape, p->ref[k]);
      f->count++;
    }
  for (size_t i = 0; i < advanced; i++) frontier_advance(f);
}

int frontier_move(struct frontier *f, struct store *to, uint32_t words, uint32_t bits, store_convert *convert, void *context) {
  struct frontier next;
  frontier_open(&next, to, words, bits, f->mem);
  if (next.kind == FRONTIER_NUMBERS) {
    next.taken = f->taken;
    next.count = f->count;
    frontier_close(f);
    *f = next;
    return 0;
  }
  if (f->kind == FRONTIER_MARKS || (to == f->store && f->kind != FRONTIER_STATES)) { /* refs stay, or marks have moved with their states */
    f->words = words;
    f->store = to;
    return 0;
  }
  uint32_t *old = mem_alloc(f->mem, MEM_FRONTIER, ((size_t)f->words + words + 10) * sizeof *old), *new = old + ((f->words + 5) & ~(size_t)1); /* states are read in pairs of words */
  uint64_t taken = f->taken;
  int status = old ? 0 : -1;
  while (!status && f->count) {
    store_ref ref;
    if (frontier_peek(f, &ref, old, NULL)) {
      status = -1;
      break;
    }
    memset(new, 0, words * sizeof *new);
    if (convert) convert(context, old, new);
    else memcpy(new, old, words * sizeof *new);
    if (next.kind == FRONTIER_REFS) ref = store_find(to, new, words);
    status = frontier_push(&next, ref, new);
    frontier_advance(f);
  }
  mem_free(f->mem, old);
  frontier_close(f);
  next.taken = taken;
  *f = next;
  return status;
}

int frontier_to_marks(struct frontier *f, uint64_t now) {
  const struct store_type *type = f->store->type;
  if (f->kind != FRONTIER_REFS || !type->mark_begin || type->mark_begin(f->store)) return -1;
  uint64_t i = 0;
  size_t at = f->head_at;
  for (struct frontier_piece *p = f->head; p; p = p->next, at = 0)
    for (size_t end = used_in(f, p); at < end; at++, i++)
      type->mark(f->store, ref_get(entry_at(p, at), p->shape), i < now ? STORE_NOW : STORE_NEXT);
  uint64_t taken = f->taken, count = f->count;
  struct mem *mem = f->mem;
  struct store *store = f->store;
  uint32_t words = f->words;
  frontier_close(f);
  *f = (struct frontier){.mem = mem, .store = store, .kind = FRONTIER_MARKS, .words = words, .taken = taken, .count = count};
  return 0;
}

void frontier_turn(struct frontier *f) {
  if (f->kind == FRONTIER_MARKS) f->store->type->mark_turn(f->store);
}

void frontier_put_back(struct frontier *f) {
  if (f->kind != FRONTIER_MARKS) return;
  for (; f->marked_at < f->marked_count; f->marked_at++) f->store->type->mark(f->store, f->marked[f->marked_at], STORE_NOW);
  f->marked_at = f->marked_count = 0;
}

int frontier_receive_begin(struct frontier_reception *r, const struct frontier *f, struct store *to, uint32_t words, uint32_t bits) {
  *r = (struct frontier_reception){0};
  frontier_open(&r->next, to, words, bits, f->mem);
  r->next.taken = f->taken;
  r->next.count = f->count;
  if (r->next.kind == FRONTIER_REFS) r->next.shape = (struct ref_shape){8, 4, 4}; /* their places must be known before they are */
  size_t each = r->per_piece = room_in(&r->next, r->next.shape), pieces = (size_t)((f->count + each - 1) / each);
  r->piece = mem_alloc(f->mem, MEM_FRONTIER, (pieces + 1) * sizeof *r->piece);
  int status = r->piece ? 0 : -1;
  for (size_t i = 0; i < pieces && !status; i++) {
    if (append(&r->next)) r->piece[i] = r->next.tail;
    else status = -1;
    r->next.tail_at = each;
  }
  if (pieces) r->next.tail_at = (size_t)(f->count - (pieces - 1) * each);
  if (!status) return 0;
  mem_free(f->mem, r->piece);
  frontier_close(&r->next);
  return -1;
}

void frontier_receive(struct frontier_reception *r, uint64_t number, store_ref ref, const uint32_t *state) {
  if (number < r->next.taken) return;
  uint64_t i = number - r->next.taken;
  uint8_t *at = entry_at(r->piece[i / r->per_piece], (size_t)(i % r->per_piece));
  if (r->next.kind == FRONTIER_REFS) ref_put(at, r->next.shape, ref);
  else memcpy(at, state, r->next.shape.entry);
}

void frontier_receive_end(struct frontier_reception *r, struct frontier *f) {
  mem_free(f->mem, r->piece);
  frontier_close(f);
  *f = r->next;
  if (f->kind == FRONTIER_REFS) f->shape = (struct ref_shape){2, 1, 1}; /* what comes now is as short as it can be */
}
