/* keep.c -- see keep.h: writing, and agreeing on a moment. */
#include "mpi/keep.h"

#include "base/clock.h"
#include "base/hash.h"
#include "mpi/spread.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOTED 1.0   /* seconds between notes, at most */
#define PART 50     /* of the time that has passed; a note may cost as much of it */
enum { ROOM = 16 << 10, HEAD = 40 };

/* ---- one moment for all ------------------------------------------------------------------------------------------------------------ */

static int gone(struct err *e) { return err_limit(e, "a rank is gone"); }

/* A number that no other run has. */
static int name_run(struct ranks *r, struct journal *j) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t name = hash_pair((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec, (uint64_t)getpid());
  if (ranks_tell(r, 0, &name, sizeof name)) return -1;
  j->run = name;
  return 0;
}

/* Every rank reads the journals of all. */
static int same_past(struct ranks *r, struct journal *j, struct err *e) {
  if (ranks_agree(r, keep_open_past(j, ranks_self(r), ranks_count(r), e), e)) return -1;
  int same = ranks_alike(r, j->past[0].from.moment);
  if (same < 0) return gone(e);
  return same ? 0 : err_io(e, j->file.name, "the checkpoint changes while it is read");
}

int keep_same_moment(struct ranks *r, struct journal *j, struct err *e) {
  if (name_run(r, j)) return gone(e);
  if (!j->resuming) {
    j->rank.set = j->run;
    return 0;
  }
  uint64_t set = j->rank.set, sums[2];
  if (ranks_tell(r, 0, &set, sizeof set)) return gone(e);
  if (ranks_agree(r, set == j->rank.set ? 0 : err_io(e, j->file.name, "the checkpoint is of another run than that of rank 0"), e)) return -1;
  if (j->rank.count != ranks_count(r)) return same_past(r, j, e); /* in a set all say how many there were */
  for (uint64_t last = j->serial;; last--) {
    uint64_t least = ~last; /* those who were killed first have written least */
    if (ranks_max(r, &least, 1)) return gone(e);
    last = ~least;
    if (!last) return err_io(e, j->file.name, "the checkpoint has no moment that the files of all ranks have");
    if (ranks_agree(r, j->serial == last ? 0 : journal_back(j, last, e), e)) return -1;
    int same = ranks_alike(r, j->from.moment);
    if (same < 0) return gone(e);
    if (same) break;
  }
  sums[0] = j->from.found;
  sums[1] = j->end;
  if (ranks_sum(r, sums, 2)) return gone(e);
  j->sealed.states = sums[0];
  j->sealed.bytes = sums[1];
  return 0;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------------------- */

static int silent(const struct keep *k) { return !k->journal || k->journal->resuming || k->journal->why || k->journal->file.failed; }

static void no_memory(struct keep *k) { k->journal->why = "there was no memory to write it"; }

static int portable(const struct exchange *x) { return x->portable || x->count == 1; }

void keep_open(struct keep *k, struct search *s) {
  *k = (struct keep){.journal = s->journal, .room = ROOM};
  if (!k->journal) return;
  k->packed_room = squeeze_bound(ROOM);
  k->raw = mem_alloc(s->mem, MEM_SEARCH, k->room);
  k->packed = mem_alloc(s->mem, MEM_SEARCH, k->packed_room);
  if (!k->raw || !k->packed || squeeze_open(&k->squeeze, ROOM, s->mem, MEM_SEARCH)) no_memory(k);
  else if (ranks_count(s->ways.ranks) == 1 && !(s->model->type->pack && s->model->type->unpack)) k->journal->why = "states of this model have no form in which they could be written";
}

void keep_close(struct keep *k, struct search *s) {
  mem_free(s->mem, k->raw);
  mem_free(s->mem, k->packed);
  mem_free(s->mem, k->before);
  squeeze_close(&k->squeeze);
  vec_free(&k->wide, s->mem);
  keep_forget_map(s);
}

void keep_begin_block(struct keep *k) {
  k->used = k->number = k->count = 0;
  if (k->before) memset(k->before, 0, k->before_room);
}

static void begin_file(struct search *s) {
  const struct spread *p = spread_of(s);
  const struct keep *k = &p->keep;
  struct records *r = journal_begin_rank(k->journal);
  if (!r) return;
  records_put_number(r, (uint64_t)portable(&p->x));
  records_put_number(r, p->x.form_bytes);
  records_put_number(r, spread_layout(s));
  records_put_number(r, k->wides);
  records_put_number(r, k->wide.count);
  records_put(r, k->wide.at, k->wide.count);
  records_end(r);
}

static void write_block(struct search *s) {
  struct keep *k = &spread_of(s)->keep;
  if (silent(k)) return;
  if (!k->journal->begun) begin_file(s);
  if (!k->count) return;
  const char *why;
  size_t packed = squeeze_pack(&k->squeeze, k->raw, k->used, k->packed, k->packed_room, &why);
  struct records *r = journal_record(k->journal, JOURNAL_MINE);
  if (!r) return;
  records_put_number(r, k->first);
  records_put_number(r, k->count);
  records_put_number(r, k->used);
  records_put_number(r, packed); /* 0: they are as they were */
  records_put(r, packed ? k->packed : k->raw, packed ? packed : k->used);
  records_end(r);
  k->first += k->count;
  keep_begin_block(k);
}

/* 0, or -1: memory. */
static int make_room(struct search *s, size_t bytes) {
  struct keep *k = &spread_of(s)->keep;
  if (k->used + bytes + HEAD > k->room || k->count == JOURNAL_BLOCK) write_block(s);
  if (bytes > k->before_room) {
    uint8_t *before = mem_resize(s->mem, MEM_SEARCH, k->before, bytes);
    if (!before) return -1;
    memset(before + k->before_room, 0, bytes - k->before_room);
    k->before = before;
    k->before_room = bytes;
  }
  if (bytes + HEAD <= k->room) return 0;
  size_t room = bytes + HEAD, bound = squeeze_bound(room);
  uint8_t *raw = mem_resize(s->mem, MEM_SEARCH, k->raw, room), *packed = raw ? mem_resize(s->mem, MEM_SEARCH, k->packed, bound) : NULL;
  if (raw) k->raw = raw;
  if (!packed) return -1;
  k->packed = packed;
  k->packed_room = bound;
  k->room = room;
  return 0;
}

void keep_state(struct search *s, const uint32_t *words, const struct exchange_origin *from) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  if (silent(k)) return;
  size_t bytes;
  int in_full = portable(&p->x);
  const uint8_t *form = exchange_form(&p->x, words, in_full, &bytes);
  if (!form || make_room(s, bytes)) {
    no_memory(k);
    return;
  }
  uint64_t number = from ? from->number : 0, way = number - k->number;
  uint8_t *at = k->raw + k->used;
  at += exchange_put_number(at, from ? (uint64_t)from->rank + 1 : 0);
  at += exchange_put_number(at, way << 1 ^ (way >> 63 ? UINT64_MAX : 0));
  at += exchange_put_number(at, from ? from->edge : 0);
  if (in_full) {
    at += exchange_put_number(at, bytes);
    memcpy(at, form, bytes);
  } else {
    for (size_t i = 0; i < bytes; i++) at[i] = form[i] ^ k->before[i];
    memcpy(k->before, form, bytes);
  }
  k->used = (size_t)(at - k->raw) + bytes;
  k->number = number;
  k->count++;
}

void keep_wide(struct search *s, const uint32_t *words) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  size_t bytes;
  if (!k->journal || !s->model->type->pack) return;
  const uint8_t *form = exchange_form(&p->x, words, 1, &bytes);
  uint64_t length = bytes;
  if (!form || vec_reserve(&k->wide, s->mem, MEM_SEARCH, bytes + sizeof length)) {
    no_memory(k);
    return;
  }
  memcpy(k->wide.at + k->wide.count, &length, sizeof length);
  memcpy(k->wide.at + k->wide.count + sizeof length, form, bytes);
  k->wide.count += sizeof length + bytes;
  k->wides++;
}

void keep_anew(struct search *s) {
  struct keep *k = &spread_of(s)->keep;
  if (!k->journal || k->journal->resuming) return;
  k->journal->begun = 0;
  k->first = 0;
  keep_begin_block(k);
}

/* ---- moments ------------------------------------------------------------------------------------------------------------------------ */

int keep_failed(const struct search *s) {
  const struct keep *k = &spread_of(s)->keep;
  return k->journal && silent(k);
}

void keep_give_up(struct search *s) {
  struct keep *k = &spread_of(s)->keep;
  if (k->journal && !k->journal->why) k->journal->why = "not every rank could write its part";
}

int keep_wish(const struct search *s) {
  const struct spread *p = spread_of(s);
  const struct keep *k = &p->keep;
  if (silent(k) || ranks_self(p->ranks)) return KEEP_NOT;
  double now = clock_now(), gap = (now - s->started) / PART;
  if (now >= k->journal->due) return KEEP_SURE;
  if (gap > NOTED) gap = NOTED;
  if (gap < PART * k->took) gap = PART * k->took;
  return now - k->noted >= gap ? KEEP_NOTE : KEEP_NOT;
}

uint64_t keep_bytes(const struct search *s) {
  const struct keep *k = &spread_of(s)->keep;
  return k->journal && !k->journal->resuming ? records_at(&k->journal->file) : 0;
}

void keep_note(struct search *s, int how, uint64_t states, uint64_t bytes) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  if (silent(k)) return;
  double begin = clock_now();
  write_block(s);
  struct journal *j = k->journal;
  j->found = p->found;
  j->expanded = p->next;
  s->seconds = s->earlier + begin - s->started;
  struct journal_state state = search_state(s);
  if ((how == KEEP_SURE ? journal_seal(j, &state) : journal_note(j, &state)) == 0) {
    j->sealed.states = states;
    j->sealed.bytes = bytes;
  }
  k->noted = clock_now();
  if (how == KEEP_NOTE) k->took = k->noted - begin;
}

/* What came after the last note is of a layer that was not done. */
static void cut(struct journal *j) {
  struct err e;
  err_clear(&e);
  if (j->serial && records_append(&j->file, j->end, &e)) j->file.failed = EIO;
  journal_make_sure(j);
}

void keep_end(struct search *s, int limit) {
  struct spread *p = spread_of(s);
  struct keep *k = &p->keep;
  struct journal *j = k->journal;
  if (!j || j->past) return;
  uint64_t bytes = j->sealed.bytes, all = j->end;
  if (!silent(k) && !limit) {
    write_block(s);
    j->sealed.states = s->stats.states; /* of all, by now; whoever asks more seals it */
  }
  if (!silent(k) && limit) cut(j);
  if (!silent(k)) j->found = p->found, j->expanded = p->next;
  if (bytes) j->sealed.bytes = limit && ranks_sum(p->ranks, &all, 1) == 0 ? all : bytes;
}
