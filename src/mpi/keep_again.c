/* keep_again.c -- see keep.h: reading.  Checksums have been looked at when the journal was opened; a file that was made on purpose may hold anything, so every count is held against the room for it. */
#include "mpi/keep.h"

#include "mpi/spread.h"

#include <string.h>

static int damaged(struct search *s, const char *how) {
  err_io(&s->err, s->journal->file.name, "the checkpoint is damaged: %s", how);
  s->stop = STOP_FAULT;
  return -1;
}

static int no_memory(struct search *s) {
  s->stop = STOP_MEMORY;
  return -1;
}

/* ---- the layout ------------------------------------------------------------------------------------------------------------------- */

/* All ranks, and those of then, have widened by this state. */
static int widen_again(struct search *s, const uint8_t *form, size_t bytes) {
  struct model *m = s->model;
  int status = 1;
  for (unsigned tries = 0; status > 0 && tries <= m->vars + 1; tries++) {
    uint32_t *state = mem_alloc(s->mem, MEM_SEARCH, (model_stride(m->words) + 2) * sizeof *state);
    if (!state) return no_memory(s);
    if (m->type->unpack(m, form, bytes, state) == 0) {
      if (spread_widen_by(s, state) < 0) status = no_memory(s);
      else status = 0;
    } else if (!m->type->widen || m->type->widen(m, s->cursor, &s->err)) status = damaged(s, "a state cannot be read");
    else m->type->widen_done(m, 1);
    mem_free(s->mem, state);
  }
  return status ? status > 0 ? damaged(s, "a state cannot be read") : -1 : 0;
}

static int widen_as_then(struct search *s, uint64_t wides) {
  struct keep *k = &spread_of(s)->keep;
  for (size_t at = 0; wides; wides--) {
    uint64_t bytes;
    if (k->wide.count - at < sizeof bytes) return damaged(s, "what made states wide cannot be read");
    memcpy(&bytes, k->wide.at + at, sizeof bytes);
    at += sizeof bytes;
    if (bytes > k->wide.count - at || !s->model->type->unpack) return damaged(s, "what made states wide cannot be read");
    if (widen_again(s, k->wide.at + at, (size_t)bytes)) return -1;
    at += (size_t)bytes;
  }
  return 0;
}

int keep_layout(struct search *s) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  struct journal *j = s->journal;
  struct records *r = &j->file;
  uint32_t kind;
  if (!records_look(r, j->tree, &kind) || kind != JOURNAL_RANK) return damaged(s, "it changes while it is read");
  for (int i = 0; i < 3; i++) records_get_number(r); /* whose it is */
  int portable = records_get_number(r) != 0;
  uint64_t form_bytes = records_get_number(r), sign = records_get_number(r);
  k->wides = records_get_number(r);
  uint64_t bytes = records_get_number(r);
  if (r->failed || bytes != r->left || k->wides > bytes) return damaged(s, "what its states are cannot be read");
  k->wide.count = 0;
  if (vec_reserve(&k->wide, s->mem, MEM_SEARCH, (size_t)bytes + 1)) return no_memory(s);
  records_get(r, k->wide.at, (size_t)bytes);
  k->wide.count = (size_t)bytes;
  p->words_differ = portable;
  k->again_portable = portable;
  if (widen_as_then(s, k->wides)) return -1;
  if (portable) return s->model->type->unpack ? 0 : damaged(s, "states of this model have no such form");
  if (spread_layout(s) == sign && form_bytes == (s->model->bits + 7) / 8 + !s->model->bits) return 0;
  err_io(&s->err, j->file.name, "the checkpoint holds states that are packed in another way than this run packs them");
  s->stop = STOP_FAULT;
  return -1;
}

/* ---- the states ------------------------------------------------------------------------------------------------------------------- */

/* The bytes of the block at hand. 0; -1 with stop set. */
static int read_block(struct search *s, uint64_t *count) {
  struct keep *k = &spread_of(s)->keep;
  struct records *r = &s->journal->file;
  records_get_number(r); /* the first number, which journal_read.c has counted */
  *count = records_get_number(r);
  uint64_t used = records_get_number(r), packed = records_get_number(r), there = packed ? packed : used;
  if (r->failed || there != r->left || used > (uint64_t)1 << 40) return damaged(s, "a piece of the states cannot be read");
  if (used > k->room || there > k->packed_room) {
    size_t room = used > k->room ? (size_t)used : k->room, packed_room = there > k->packed_room ? (size_t)there : k->packed_room;
    uint8_t *raw = mem_resize(s->mem, MEM_SEARCH, k->raw, room), *other = raw ? mem_resize(s->mem, MEM_SEARCH, k->packed, packed_room) : NULL;
    if (raw) k->raw = raw;
    if (!other) return no_memory(s);
    k->packed = other;
    k->room = room;
    k->packed_room = packed_room;
  }
  records_get(r, packed ? k->packed : k->raw, (size_t)there);
  if (packed && squeeze_unpack(&k->squeeze, k->packed, (size_t)packed, k->raw, k->room) != used) return damaged(s, "a piece of the states cannot be read");
  k->used = (size_t)used;
  return 0;
}

static int put_back(struct search *s, uint64_t count) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  struct exchange *x = &p->x;
  const uint8_t *at = k->raw, *end = at + k->used;
  keep_begin_block(k);
  for (; count; count--) {
    uint64_t rank, way, edge, bytes = x->form_bytes;
    if (!(at = exchange_get_number(at, end, &rank)) || !(at = exchange_get_number(at, end, &way)) || !(at = exchange_get_number(at, end, &edge)) ||
        (k->again_portable && !(at = exchange_get_number(at, end, &bytes))) || bytes > (size_t)(end - at) || rank > x->count)
      return damaged(s, "a state cannot be read");
    k->number += way >> 1 ^ (way & 1 ? UINT64_MAX : 0);
    for (size_t i = 0; !k->again_portable && i < bytes; i++) k->before[i] ^= at[i];
    struct exchange_origin from = {.number = k->number, .rank = rank ? (uint32_t)rank - 1 : UINT32_MAX, .edge = (uint32_t)edge, .group = UINT32_MAX};
    if (exchange_put_back(x, k->again_portable ? at : k->before, (size_t)bytes, k->again_portable, &from)) return -1;
    at += bytes;
  }
  return at == end ? 0 : damaged(s, "a piece of the states is too long");
}

static int read_all(struct search *s) {
  struct spread *p = spread_of(s);
  struct journal *j = s->journal;
  uint32_t kind;
  for (uint64_t at = j->tree, after; at < j->end; at = after) {
    if (!records_look(&j->file, at, &kind)) return damaged(s, "it changes while it is read");
    after = records_after(&j->file);
    uint64_t count;
    if (kind != JOURNAL_MINE) continue;
    if (!spread_may_go_on(s) || read_block(s, &count) || put_back(s, count)) return -1;
  }
  if (p->x.inbox.model.count && p->x.settle(s)) return -1;
  return p->found == j->from.found ? 0 : damaged(s, "states are missing");
}

int keep_restore(struct search *s) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  struct search_limits limits = s->limits;
  s->limits.states = 0;        /* they were there before */
  s->limits.beyond_cover = 1;  /* and so was all that they grew from */
  p->restoring = 1;
  int status = k->journal->why ? no_memory(s) : 0;
  if (!status && p->x.form_bytes > k->before_room) {
    uint8_t *before = mem_resize(s->mem, MEM_SEARCH, k->before, p->x.form_bytes);
    if (before) k->before = before, k->before_room = p->x.form_bytes;
    else status = no_memory(s);
  }
  if (!status) status = read_all(s);
  p->restoring = 0;
  s->limits = limits;
  k->first = p->found;
  keep_begin_block(k);
  if (status && p->x.stop == EXCHANGE_ON && (s->stop == STOP_FAULT || s->stop == STOP_MEMORY)) exchange_stop(&p->x, s->stop == STOP_FAULT ? EXCHANGE_FAULT : EXCHANGE_MEMORY);
  return status;
}
