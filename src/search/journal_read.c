/* journal_read.c -- see journal.h: reading.
 *
 * A journal is read twice: once from end to end when it is opened, so that a damaged one is refused before any work is done, and once while its states are found again.  Checksums find what has happened to a file;
 * a file that was made on purpose may hold anything: all counts are checked against what they count, and what they count against the room for it. */
#include "search/journal.h"

#include "base/bits.h"
#include "base/clock.h"

#include <string.h>

#define CANNOT_WRITE "the file cannot be written"

static int damaged(struct journal *j, const char *how, struct err *e) { return err_io(e, j->file.name, "the checkpoint is damaged: %s", how); }

/* ---- blocks --------------------------------------------------------------------------------------------------------------- */

static int get_edges(struct records *r, uint32_t *edge, uint32_t count) {
  for (uint32_t at = 0; at < count; at += JOURNAL_EDGES) {
    uint32_t n = count - at < JOURNAL_EDGES ? count - at : JOURNAL_EDGES;
    uint64_t packed[33] = {0};
    uint8_t width;
    records_get(r, &width, 1);
    if (width > 32) return -1;
    records_get(r, packed, ((size_t)n * width + 7) / 8);
    for (uint32_t i = 0; i < n; i++) {
      unsigned place = i * width;
      uint64_t x = packed[place / 64] >> place % 64;
      if (place % 64 + width > 64) x |= packed[place / 64 + 1] << (64 - place % 64);
      edge[at + i] = (uint32_t)(x & bits_mask(width));
    }
  }
  return 0;
}

/* The record at hand is a block: 0, or -1: it is not one that anybody wrote. */
static int read_block(struct journal *j) {
  struct journal_block *b = j->block;
  struct records *r = &j->file;
  uint32_t counts[3], zeros;
  b->first = records_get_number(r);
  b->parent = records_get_number(r);
  records_get(r, counts, sizeof counts);
  b->found = counts[0];
  b->bits = counts[1];
  b->witnesses = counts[2];
  memset(b->bit, 0, sizeof b->bit);
  if (b->found > JOURNAL_BLOCK || b->bits > 2 * JOURNAL_BLOCK || b->bits < b->found || b->witnesses > sizeof b->witness / sizeof *b->witness) return -1;
  records_get(r, b->bit, (b->bits + 7) / 8);
  records_get(r, b->witness, b->witnesses * sizeof *b->witness);
  if (get_edges(r, b->edge, b->found) || r->left || r->failed) return -1;
  zeros = b->bits;
  for (size_t i = 0; i < sizeof b->bit / sizeof *b->bit; i++) zeros -= (uint32_t)__builtin_popcountll(b->bit[i]);
  return zeros == b->found ? 0 : -1;
}

static int read_seal(struct journal *j, struct journal_state *out) {
  struct records *r = &j->file;
  out->found = records_get_number(r);
  out->expanded = records_get_number(r);
  out->partial = records_get_number(r);
  out->finished = records_get_number(r) != 0;
  out->seconds = records_get_real(r);
  out->moment = records_get_number(r);
  uint64_t parts = records_get_number(r), counters = records_get_number(r);
  memset(&out->stats, 0, sizeof out->stats);
  if (counters > sizeof out->stats / sizeof(uint64_t)) return -1;
  records_get(r, &out->stats, (size_t)counters * sizeof(uint64_t));
  return r->failed || parts > JOURNAL_PARTS ? -1 : 0;
}

/* ---- opening -------------------------------------------------------------------------------------------------------------- */

struct scan {
  uint64_t at, head, tree, found, expanded;
  uint64_t serial; /* seals so far */
  struct journal_rank rank;
  uint64_t part[JOURNAL_PARTS];
  size_t parts;
  int any;
};

/* One record. 0; 1: that was no record; -1 with err. */
static int scan_one(struct journal *j, struct scan *s, struct err *e) {
  struct journal_state state;
  uint32_t kind;
  if (!records_look(&j->file, s->at, &kind)) return 1;
  uint64_t after = records_after(&j->file);
  if (s->at == RECORDS_HEAD && kind != JOURNAL_HEAD) return damaged(j, "it does not begin with what is searched", e);
  if (kind == JOURNAL_HEAD) s->head = s->at;
  else if (kind == JOURNAL_TREE) {
    if (!s->tree) s->tree = s->at;
    if (s->rank.count || read_block(j) || j->block->first != s->found || j->block->parent != s->expanded) return damaged(j, "a piece of the search tree is not in order", e);
    s->found += j->block->found;
    s->expanded += j->block->bits - j->block->found;
  } else if (kind == JOURNAL_PART) {
    if (s->parts < JOURNAL_PARTS) s->part[s->parts++] = s->at;
  } else if (kind == JOURNAL_RANK) {
    if (s->tree && !s->rank.count) return damaged(j, "one process and several have written it", e);
    s->rank.set = records_get_number(&j->file);
    s->rank.self = (uint32_t)records_get_number(&j->file);
    s->rank.count = (uint32_t)records_get_number(&j->file);
    if (j->file.failed || s->rank.self >= s->rank.count) return damaged(j, "whose it is cannot be read", e);
    s->tree = s->at;
    s->found = s->expanded = 0;
  } else if (kind == JOURNAL_MINE) {
    uint64_t first = records_get_number(&j->file), count = records_get_number(&j->file);
    if (j->file.failed || !s->rank.count || first != s->found || count > JOURNAL_BLOCK) return damaged(j, "a piece of the states is not in order", e);
    s->found += count;
  } else if (kind == JOURNAL_SEAL || kind == JOURNAL_NOTE) {
    if (kind != (s->rank.count ? JOURNAL_NOTE : JOURNAL_SEAL) || read_seal(j, &state) || state.found != s->found || (s->rank.count ? state.expanded > s->found : state.expanded != s->expanded) || !s->head)
      return damaged(j, s->rank.count ? "counts do not fit the states" : "counts do not fit the search tree", e);
    j->from = state;
    j->rank = s->rank;
    j->tree = s->tree;
    j->serial = ++s->serial;
    j->end = after;
    memcpy(j->at_part, s->part, sizeof j->at_part);
    j->parts_there = s->parts;
    s->parts = 0;
    s->any = 1;
  } /* what is not known here was added by a later version of the same format and means nothing to this one */
  s->at = after;
  return 0;
}

static int scan(struct journal *j, uint64_t most, int (*head)(void *, struct records *, struct err *), void *context, struct err *e) {
  struct scan s = {.at = RECORDS_HEAD};
  uint64_t head_at = 0;
  uint32_t kind;
  int status = 0;
  while ((!most || s.serial < most) && (status = scan_one(j, &s, e)) == 0)
    if (s.any && j->end == s.at) head_at = s.head; /* what comes after the last seal does not count */
  if (status < 0) return -1;
  if (!most && records_anywhere(&j->file, s.at + 1, s.rank.count ? JOURNAL_SURE : JOURNAL_SEAL)) return damaged(j, "bytes in the middle of it were changed", e);
  if (!s.any) return damaged(j, "it ends before the first moment that was complete", e);
  if (!records_look(&j->file, head_at, &kind)) return damaged(j, "it changes while it is read", e);
  return head ? head(context, &j->file, e) : 0;
}

int journal_open(struct journal *j, const char *file, double every, int lock, int (*head)(void *, struct records *, struct err *), void *context, struct mem *mem, struct err *e) {
  *j = (struct journal){.mem = mem, .every = every, .resuming = 1, .begun = 1};
  if (records_open(&j->file, file, JOURNAL_MAGIC, JOURNAL_FORMAT, lock, mem, e)) return -1;
  j->block = mem_alloc(mem, MEM_SEARCH, sizeof *j->block);
  int bad = j->block ? scan(j, 0, head, context, e) : err_memory(e, "a checkpoint");
  if (bad) {
    journal_close(j, 1);
    return -1;
  }
  j->last = j->from;
  j->sealed.states = journal_states(&j->from);
  j->sealed.bytes = j->end;
  journal_rewind(j);
  return 0;
}

int journal_back(struct journal *j, uint64_t serial, struct err *e) {
  j->from = (struct journal_state){0};
  if (scan(j, serial, NULL, NULL, e)) return -1;
  j->last = j->from;
  j->sealed.states = j->from.found;
  j->sealed.bytes = j->end;
  return j->serial == serial ? 0 : damaged(j, "it ends before the moment that the others have", e);
}

/* ---- what was told -------------------------------------------------------------------------------------------------------- */

void journal_rewind(struct journal *j) {
  j->next_block = j->tree;
  j->number = j->done = 0;
  j->block->bits = j->next_bit = 0;
}

/* The next block, past records of other kinds. 1, 0: there is none; -1: it is damaged. */
static int load_block(struct journal *j) {
  uint32_t kind;
  for (uint64_t at = j->next_block; at && at < j->end; at = records_after(&j->file)) {
    if (!records_look(&j->file, at, &kind)) return -1;
    if (kind != JOURNAL_TREE) continue;
    if (read_block(j) || !j->block->bits) return -1;
    j->next_block = records_after(&j->file);
    j->next_bit = j->next_edge = j->next_witness = 0;
    return 1;
  }
  return 0;
}

enum journal_event journal_next(struct journal *j, uint32_t *edge, uint32_t *witness) {
  struct journal_block *b = j->block;
  if (j->next_bit == b->bits) {
    if (j->number == j->from.found && j->done == j->from.expanded) return JOURNAL_END;
    if (load_block(j) <= 0) return JOURNAL_DAMAGED;
  }
  uint32_t i = j->next_bit++;
  if (b->bit[i / 64] >> i % 64 & 1) {
    j->done++;
    return JOURNAL_EXPANDED;
  }
  *edge = b->edge[j->next_edge++];
  *witness = j->number++ % JOURNAL_WITNESS == 0 && j->next_witness < b->witnesses ? b->witness[j->next_witness++] : 0;
  return JOURNAL_FOUND;
}

int journal_load_part(struct journal *j, const struct journal_part *part) {
  if (j->past) j = &j->past[0];
  for (size_t i = 0; i < j->parts_there; i++) {
    uint32_t kind;
    if (!records_look(&j->file, j->at_part[i], &kind) || kind != JOURNAL_PART) return JOURNAL_NOT_THAT;
    int same = records_get_same(&j->file, part->name);
    if (j->file.failed) return JOURNAL_NOT_THAT;
    if (!same) continue;
    int status = part->load(part->context, &j->file);
    return status ? status : j->file.failed ? JOURNAL_NOT_THAT : 0;
  }
  return 0;
}

void journal_begin_anew(struct journal *j, unsigned self, unsigned count) {
  struct err cannot;
  struct records next;
  err_clear(&cannot);
  if (records_create(&next, j->elsewhere, JOURNAL_MAGIC, JOURNAL_FORMAT, j->mem, &cannot)) j->why = CANNOT_WRITE;
  else {
    records_close(&j->file);
    j->file = next;
  }
  j->rank = (struct journal_rank){.self = self, .count = count, .set = j->run};
  j->resuming = j->begun = 0;
  j->serial = j->end = 0;
  j->parts_there = 0;
  j->fresh = 1;
}

void journal_forget_past(struct journal *j) {
  for (uint32_t i = 0; i < j->pasts; i++) journal_close(&j->past[i], 1);
  mem_free(j->mem, j->past);
  j->past = NULL;
  j->pasts = 0;
}

int journal_go_on(struct journal *j, struct err *e) {
  for (size_t i = 0; i < j->parts; i++) {
    int status = journal_load_part(j, &j->part[i]);
    if (status) return status == JOURNAL_MEMORY ? err_memory(e, "what was found before") : damaged(j, "what was found so far cannot be read", e);
  }
  struct err cannot;
  struct records next;
  err_clear(&cannot);
  int bad = 0;
  if (j->elsewhere && !j->past) {
    bad = records_copy(&next, j->elsewhere, &j->file, j->end, &cannot);
    if (!bad) {
      records_close(&j->file);
      j->file = next;
    }
  } else if (!j->past) bad = records_append(&j->file, j->end, &cannot); /* or a new file has begun */
  if (bad) j->why = CANNOT_WRITE;
  j->resuming = 0;
  j->found = j->from.found;
  j->expanded = j->from.expanded;
  j->fresh = 1; /* the head says how this run goes about it */
  j->due = clock_now() + j->every;
  struct journal_block *b = j->block;
  b->first = j->found;
  b->parent = j->expanded;
  b->found = b->bits = b->witnesses = 0;
  memset(b->bit, 0, sizeof b->bit);
  return 0;
}
