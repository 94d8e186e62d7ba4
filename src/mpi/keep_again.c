/* keep_again.c -- see keep.h: reading.  Checksums have been looked at when the journal was opened; a file that was made on purpose may hold anything, so every count is held against the room for it. */
#include "mpi/keep.h"

#include "mpi/spread.h"

#include <string.h>

static int damaged_file(struct search *s, const struct records *r, const char *how) {
  err_io(&s->err, r->name, "the checkpoint is damaged: %s", how);
  s->stop = STOP_FAULT;
  return -1;
}

static int damaged(struct search *s, const char *how) { return damaged_file(s, &s->journal->file, how); }

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

struct states_are {
  int portable;
  uint64_t form_bytes, sign;
};

/* What the states of a journal are; the record is read up to what made them wide. 0, or -1 with stop set. */
static int look_at_states(struct search *s, struct journal *j, struct states_are *out) {
  struct records *r = &j->file;
  uint32_t kind;
  if (!records_look(r, j->tree, &kind) || kind != JOURNAL_RANK) return damaged_file(s, r, "it changes while it is read");
  for (int i = 0; i < 3; i++) records_get_number(r); /* whose it is */
  out->portable = records_get_number(r) != 0;
  out->form_bytes = records_get_number(r);
  out->sign = records_get_number(r);
  return 0;
}

int keep_layout(struct search *s) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  struct journal *j = s->journal;
  struct journal *from = j->past ? &j->past[0] : j;
  struct records *r = &from->file;
  struct states_are are, other;
  if (j->past && j->why) return no_memory(s);
  if (look_at_states(s, from, &are)) return -1;
  for (uint32_t i = 1; i < j->pasts; i++) { /* a moment is of the same search in all of them */
    if (look_at_states(s, &j->past[i], &other)) return -1;
    if (other.portable != are.portable || other.form_bytes != are.form_bytes || other.sign != are.sign) return damaged_file(s, &j->past[i].file, "its states are others than those of rank 0");
  }
  int portable = are.portable;
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
  if (portable && !s->model->type->unpack) return damaged(s, "states of this model have no such form");
  if (!portable && (spread_layout(s) != are.sign || are.form_bytes != (s->model->bits + 7) / 8 + !s->model->bits)) {
    err_io(&s->err, j->file.name, "the checkpoint holds states that are packed in another way than this run packs them");
    s->stop = STOP_FAULT;
    return -1;
  }
  if (j->past) journal_begin_anew(j, p->x.self, p->x.count);
  return 0;
}

/* ---- the states ------------------------------------------------------------------------------------------------------------------- */

/* What is read of a journal, beside what is written meanwhile. */
struct reader {
  struct search *s;
  struct records *r;
  uint32_t ranks;      /* of then */
  size_t form_bytes;   /* of words; portable forms have lengths of their own, and while they are put back the layout may become wider */
  uint8_t *raw, *packed, *before;
  size_t used, room, packed_room;
};

/* The bytes of the block at hand. 0; -1 with stop set. */
static int read_block(struct reader *b, uint64_t *first, uint64_t *count) {
  struct search *s = b->s;
  struct records *r = b->r;
  *first = records_get_number(r);
  *count = records_get_number(r);
  uint64_t used = records_get_number(r), packed = records_get_number(r), there = packed ? packed : used;
  if (r->failed || there != r->left || used > (uint64_t)1 << 40) return damaged_file(s, r, "a piece of the states cannot be read");
  if (used > b->room || there > b->packed_room) {
    size_t room = used > b->room ? (size_t)used : b->room, packed_room = there > b->packed_room ? (size_t)there : b->packed_room;
    uint8_t *raw = mem_resize(s->mem, MEM_SEARCH, b->raw, room), *other = raw ? mem_resize(s->mem, MEM_SEARCH, b->packed, packed_room) : NULL;
    if (raw) b->raw = raw;
    if (!other) return no_memory(s);
    b->packed = other;
    b->room = room;
    b->packed_room = packed_room;
  }
  records_get(r, packed ? b->packed : b->raw, (size_t)there);
  if (packed && squeeze_unpack(&spread_of(s)->keep.squeeze, b->packed, (size_t)packed, b->raw, b->room) != used) return damaged_file(s, r, "a piece of the states cannot be read");
  b->used = (size_t)used;
  return 0;
}

static int hear_block(struct reader *b, uint64_t first, uint64_t count, int (*hear)(struct search *, void *, const struct keep_told *), void *context) {
  struct search *s = b->s;
  int in_full = spread_of(s)->keep.again_portable;
  const uint8_t *at = b->raw, *end = at + b->used;
  uint64_t number = 0;
  memset(b->before, 0, b->form_bytes);
  for (uint64_t i = 0; i < count; i++) {
    uint64_t rank, way, edge, bytes = b->form_bytes;
    if (!(at = exchange_get_number(at, end, &rank)) || !(at = exchange_get_number(at, end, &way)) || !(at = exchange_get_number(at, end, &edge)) ||
        (in_full && !(at = exchange_get_number(at, end, &bytes))) || bytes > (size_t)(end - at) || rank > b->ranks)
      return damaged_file(s, b->r, "a state cannot be read");
    number += way >> 1 ^ (way & 1 ? UINT64_MAX : 0);
    for (size_t k = 0; !in_full && k < bytes; k++) b->before[k] ^= at[k];
    struct keep_told told = {first + i, in_full ? at : b->before, (size_t)bytes, {.number = number, .rank = rank ? (uint32_t)rank - 1 : UINT32_MAX, .edge = (uint32_t)edge, .group = UINT32_MAX}};
    int status = hear(s, context, &told);
    if (status) return status == EXCHANGE_UNREADABLE ? damaged_file(s, b->r, "a state cannot be read") : -1;
    at += bytes;
  }
  return at == end ? 0 : damaged_file(s, b->r, "a piece of the states is too long");
}

int keep_each(struct search *s, struct journal *j, int (*hear)(struct search *, void *, const struct keep_told *), void *context) {
  size_t form_bytes = spread_of(s)->x.form_bytes;
  struct reader b = {.s = s, .r = &j->file, .ranks = j->rank.count, .form_bytes = form_bytes, .before = mem_alloc(s->mem, MEM_SEARCH, form_bytes)};
  int status = b.before ? 0 : no_memory(s);
  uint32_t kind;
  for (uint64_t at = j->tree, after, first, count; at < j->end && !status; at = after) {
    if (!records_look(&j->file, at, &kind)) {
      status = damaged_file(s, b.r, "it changes while it is read");
      break;
    }
    after = records_after(&j->file);
    if (kind == JOURNAL_MINE && (!spread_may_go_on(s) || read_block(&b, &first, &count) || hear_block(&b, first, count, hear, context))) status = -1;
  }
  mem_free(s->mem, b.raw);
  mem_free(s->mem, b.packed);
  mem_free(s->mem, b.before);
  return status;
}

static int put_back(struct search *s, void *context, const struct keep_told *told) {
  (void)context;
  return exchange_put_back(&spread_of(s)->x, told->form, told->bytes, spread_of(s)->keep.again_portable, &told->from);
}

static int read_all(struct search *s) {
  struct spread *p = spread_of(s);
  p->keep.done = s->journal->from.expanded;
  if (keep_each(s, s->journal, put_back, NULL) || (p->x.inbox.model.count && p->x.settle(s))) return -1;
  return p->found == s->journal->from.found ? 0 : damaged(s, "states are missing");
}

int keep_restore(struct search *s) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  struct search_limits limits = s->limits;
  int anew = s->journal->past != NULL;
  s->limits.states = 0;        /* they were there before */
  s->limits.beyond_cover = 1;  /* and so was all that they grew from */
  p->restoring = 1;
  int status = anew ? keep_resettle(s) : k->journal->why ? no_memory(s) : read_all(s);
  p->restoring = 0;
  s->limits = limits;
  if (!anew) {
    k->first = p->found;
    keep_begin_block(k);
  }
  if (status && p->x.stop == EXCHANGE_ON && (s->stop == STOP_FAULT || s->stop == STOP_MEMORY)) exchange_stop(&p->x, s->stop == STOP_FAULT ? EXCHANGE_FAULT : EXCHANGE_MEMORY);
  return status;
}
