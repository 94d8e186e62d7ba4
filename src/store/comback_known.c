/* comback_known.c -- see comback_known.h. */
#include "store/comback_known.h"

#include <string.h>

enum { PIECE = 4096, FEW = 8 };

void comback_known_open(struct comback_known *k, struct blocks *blocks, uint32_t words, uint32_t bits) {
  *k = (struct comback_known){.blocks = blocks, .words = words, .record = bits ? (bits + 7) / 8 : 1};
  k->per_piece = PIECE / k->record < FEW ? FEW : PIECE / k->record;
  k->slot_bytes = COMBACK_NAME + (size_t)k->record;
  region_open(&k->roots, blocks->mem, MEM_STORE);
}

static void drop_pieces(struct comback_known *k, size_t keep_from) {
  while (k->head < k->tail && k->head < keep_from) blocks_free(k->blocks, k->piece[k->head++]);
  uint64_t first = k->piece_base + k->head * k->per_piece;
  if (k->first < first) k->first = first;
  if (k->head == k->tail) k->first = k->end;
}

int comback_known_drop(struct comback_known *k) {
  int any = k->head < k->tail || k->piece || k->cache;
  drop_pieces(k, k->tail);
  blocks_free(k->blocks, k->piece);
  blocks_free(k->blocks, k->cache);
  k->piece = NULL;
  k->cache = NULL;
  k->piece_room = k->head = k->tail = 0;
  k->slots = k->first = k->end = 0;
  return any;
}

void comback_known_close(struct comback_known *k) {
  comback_known_drop(k);
  region_close(&k->roots);
}

/* ---- window ----------------------------------------------------------------------------- */

/* One more piece at the end. 0, or -1: no memory. */
static int add_piece(struct comback_known *k) {
  if (k->tail == k->piece_room && k->head >= k->piece_room / 2 && k->head) { /* half of the list is behind us */
    memmove(k->piece, k->piece + k->head, (k->tail - k->head) * sizeof *k->piece);
    k->piece_base += k->head * k->per_piece;
    k->tail -= k->head;
    k->head = 0;
  }
  if (k->tail == k->piece_room) {
    size_t room = k->piece_room ? 2 * k->piece_room : 16;
    uint8_t **piece = blocks_resize(k->blocks, k->piece, room * sizeof *piece);
    if (!piece) return -1;
    k->piece = piece;
    k->piece_room = room;
  }
  uint8_t *p = blocks_alloc(k->blocks, k->per_piece * k->record);
  if (!p) return -1;
  k->piece[k->tail++] = p;
  return 0;
}

void comback_window_add(struct comback_known *k, uint64_t number, const uint32_t *state) {
  if (number != k->end || k->head == k->tail) { /* it begins here */
    drop_pieces(k, k->tail);
    k->head = k->tail = 0;
    k->piece_base = number - number % k->per_piece;
    k->first = k->end = number;
  }
  uint64_t at = number - k->piece_base;
  int more = at / k->per_piece == k->tail;
  if (more && (k->tail - k->head) * k->per_piece * k->record > mem_left(k->blocks->mem) / 2) drop_pieces(k, k->head + (k->tail - k->head + 1) / 2);
  if (more && add_piece(k)) {
    drop_pieces(k, k->head + (k->tail - k->head + 1) / 2); /* the newer half goes on, if that helps */
    if (add_piece(k)) {
      drop_pieces(k, k->tail);
      return;
    }
  }
  at = number - k->piece_base; /* the list may have moved */
  memcpy(k->piece[at / k->per_piece] + at % k->per_piece * k->record, state, k->record);
  k->end = number + 1;
}

void comback_window_trim(struct comback_known *k, uint64_t first) {
  if (first <= k->first || k->head == k->tail) return;
  if (first > k->end) first = k->end;
  drop_pieces(k, (first - k->piece_base) / k->per_piece);
}

/* ---- cache ------------------------------------------------------------------------------- */

void comback_cache_resize(struct comback_known *k, uint64_t slots) {
  struct comback_known next = *k;
  next.slots = slots;
  next.cache = slots ? blocks_alloc(k->blocks, slots * k->slot_bytes) : NULL;
  if (slots && !next.cache) return;
  for (uint64_t i = 0; i < k->slots && slots; i++) {
    const uint8_t *from = k->cache + i * k->slot_bytes;
    uint64_t name = comback_slot_name(from);
    if (name) memcpy(comback_slot(&next, name - 1), from, k->slot_bytes);
  }
  blocks_free(k->blocks, k->cache);
  k->cache = next.cache;
  k->slots = slots;
}

/* ---- roots ------------------------------------------------------------------------------- */

int comback_root_add(struct comback_known *k, const uint32_t *state) {
  size_t need = (k->root_count + 1) * k->record;
  if (need > k->roots.size && region_resize(&k->roots, need + need / 4 + 64) && region_resize(&k->roots, need)) return -1;
  memcpy(k->roots.base + k->root_count++ * k->record, state, k->record);
  return 0;
}
