/* exchange.c -- see exchange.h. */
#include "mpi/exchange.h"

#include "base/hash.h"

#include <string.h>

enum { INBOX = 512, RECENT_BYTES = 1 << 20, RECENT_SHARE = 64, NUMBERS = 30 }; /* NUMBERS: bytes of those in a record, at most */
#define OWNER_SEED 0x7468696d626c65u /* stores hash the same bytes: theirs and ours must have nothing to do with each other */

static int follow_room(struct exchange *x) {
  if (x->origin_room >= x->inbox.model.room) return 0;
  struct exchange_origin *o = mem_resize(x->search->mem, MEM_SEARCH, x->origin, x->inbox.model.room * sizeof *o);
  if (!o) return -1;
  x->origin = o;
  x->origin_room = x->inbox.model.room;
  return 0;
}

/* A help, not a need. */
static void open_recent(struct exchange *x) {
  struct mem *mem = x->search->mem;
  size_t bytes = mem->budget / RECENT_SHARE < RECENT_BYTES ? mem->budget / RECENT_SHARE : RECENT_BYTES, entries = 64;
  mem_free(mem, x->recent);
  x->recent_stride = x->search->model->words + 1;
  while (2 * entries * x->recent_stride * sizeof *x->recent <= bytes) entries *= 2;
  x->recent = x->count > 1 ? mem_alloc(mem, MEM_SEARCH, entries * x->recent_stride * sizeof *x->recent) : NULL;
  x->recent_mask = entries - 1;
}

void exchange_forget(struct exchange *x) {
  if (x->recent) memset(x->recent, 0, (x->recent_mask + 1) * x->recent_stride * sizeof *x->recent);
}

int exchange_restride(struct exchange *x) {
  const struct model *m = x->search->model;
  x->form_bytes = (m->bits + 7) / 8 + !m->bits;
  open_recent(x);
  return search_batch_restride(&x->inbox, x->search) || follow_room(x) ? -1 : 0;
}

int exchange_open(struct exchange *x, struct search *s, struct ranks *ranks, int (*settle)(void *), void *context) {
  *x = (struct exchange){.search = s, .ranks = ranks, .self = ranks_self(ranks), .count = ranks_count(ranks), .settle = settle, .context = context, .remember = 1};
  if (post_open(&x->post, ranks, s->mem) || search_batch_open(&x->inbox, s, INBOX)) return -1;
  return exchange_restride(x);
}

void exchange_close(struct exchange *x) {
  struct mem *mem = x->search->mem;
  if (ranks_lost(x->ranks) >= 0) post_abandon(x->post);
  else post_close(x->post);
  search_batch_close(&x->inbox, x->search);
  mem_free(mem, x->origin);
  mem_free(mem, x->recent);
  mem_free(mem, x->form);
  vec_free(&x->aside, mem);
}

/* ---- where a state belongs -------------------------------------------------------------------------------------------------------- */

const uint8_t *exchange_form(struct exchange *x, const uint32_t *words, int portable, size_t *bytes) {
  const struct model *m = x->search->model;
  if (!portable) {
    *bytes = x->form_bytes;
    return (const uint8_t *)words;
  }
  size_t need = m->type->pack(m, words, x->form, x->form_room);
  if (need > x->form_room || !x->form) {
    uint8_t *form = mem_resize(x->search->mem, MEM_SEARCH, x->form, 2 * need + 64);
    if (!form) return NULL;
    x->form = form;
    x->form_room = 2 * need + 64;
    m->type->pack(m, words, x->form, x->form_room);
  }
  *bytes = need;
  return x->form;
}

unsigned exchange_owner_of_form(const struct exchange *x, const uint8_t *form, size_t bytes) {
  return (unsigned)hash_slot(hash_bytes_seeded(form, bytes, OWNER_SEED), x->count);
}

/* ---- going ------------------------------------------------------------------------------------------------------------------------ */

void exchange_stop(struct exchange *x, enum exchange_stop why) {
  if (why > x->stop) x->stop = why;
  post_stop(x->post);
}

static int no_memory(struct exchange *x) {
  exchange_stop(x, EXCHANGE_MEMORY);
  return -1;
}

int exchange_owner(struct exchange *x, const uint32_t *words, unsigned *owner) {
  size_t bytes;
  *owner = 0;
  if (x->count == 1) return 0;
  const uint8_t *form = exchange_form(x, words, x->portable, &bytes);
  if (!form) return no_memory(x);
  *owner = exchange_owner_of_form(x, form, bytes);
  return 0;
}

static int settle(struct exchange *x) { return x->inbox.model.count ? x->settle(x->context) : 0; }

/* The place of one more state of the inbox. NULL: stop is set. */
static uint32_t *into_inbox(struct exchange *x, struct exchange_origin from) {
  struct model_batch *b = &x->inbox.model;
  if (b->count >= INBOX && settle(x)) return NULL;
  if (b->count == b->room && (model_batch_grow(b, b->count + 1) || follow_room(x))) {
    no_memory(x);
    return NULL;
  }
  x->origin[b->count] = from;
  b->group[b->count] = from.group;
  return b->states + b->count++ * b->stride;
}

/* Did it go somewhere lately? If not, it does now. */
static int went_lately(struct exchange *x, const uint32_t *words) {
  size_t bytes = x->search->model->words * sizeof *words;
  uint32_t *entry = x->recent + (hash_bytes(words, bytes) & x->recent_mask) * x->recent_stride;
  if (entry[0] && memcmp(entry + 1, words, bytes) == 0) return 1;
  entry[0] = 1;
  memcpy(entry + 1, words, bytes);
  return 0;
}

static int send_record(struct exchange *x, unsigned to, const uint8_t *form, size_t bytes, const struct exchange_origin *o) {
  uint8_t head[NUMBERS];
  size_t used = exchange_put_number(head, o->number);
  used += exchange_put_number(head + used, 2 * (uint64_t)o->edge + o->mark);
  if (x->portable) used += exchange_put_number(head + used, bytes);
  uint8_t *kept = NULL, *at;
  int full = 0, status = 0;
  unsigned idle = 0;
  while (!(at = post_room(x->post, to, used + bytes, &full)) && !status) {
    if (full) status = no_memory(x);
    if (!status && x->portable && !kept) { /* receiving needs the scratch that the form stands in */
      kept = mem_alloc(x->search->mem, MEM_SEARCH, bytes + 1);
      if (!kept) status = no_memory(x);
      else form = memcpy(kept, form, bytes);
    }
    int came = status ? -1 : exchange_receive(x);
    if (came < 0) status = -1;
    else if (ranks_look(x->ranks, idle = came ? 0 : idle + 1)) status = -1;
  }
  if (!status) {
    memcpy(at, head, used);
    memcpy(at + used, form, bytes);
    post_put(x->post, to, used + bytes);
    x->figures.states++;
  }
  mem_free(x->search->mem, kept);
  return status;
}

int exchange_send(struct exchange *x, const uint32_t *words, uint64_t number, uint32_t edge, uint32_t group, int mark) {
  struct exchange_origin from = {.number = number, .rank = x->self, .edge = edge, .group = group, .mark = (uint8_t)mark};
  unsigned to = x->self;
  if (x->count > 1) {
    if (x->remember && x->recent && went_lately(x, words)) {
      x->figures.known++;
      return 0;
    }
    size_t bytes;
    const uint8_t *form = exchange_form(x, words, x->portable, &bytes);
    if (!form) return no_memory(x);
    to = exchange_owner_of_form(x, form, bytes);
    if (to != x->self) return send_record(x, to, form, bytes, &from);
  }
  uint32_t *at = into_inbox(x, from);
  if (!at) return -1;
  memcpy(at, words, x->search->model->words * sizeof *at);
  return 0;
}

/* ---- coming ------------------------------------------------------------------------------------------------------------------------ */

static int damaged(struct exchange *x) {
  err_internal(&x->search->err, "a message between ranks cannot be read");
  exchange_stop(x, EXCHANGE_FAULT);
  return -1;
}

/* For later: origin, length, form. */
static int put_aside(struct exchange *x, const uint8_t *form, size_t bytes, const struct exchange_origin *from) {
  if (vec_reserve(&x->aside, x->search->mem, MEM_SEARCH, sizeof *from + sizeof bytes + bytes)) return no_memory(x);
  uint8_t *at = x->aside.at + x->aside.count;
  memcpy(at, from, sizeof *from);
  memcpy(at + sizeof *from, &bytes, sizeof bytes);
  memcpy(at + sizeof *from + sizeof bytes, form, bytes);
  x->aside.count += sizeof *from + sizeof bytes + bytes;
  return 0;
}

/* States become wider by what others have met, too: the layout follows. As exchange_put_back. */
static int take_portable(struct exchange *x, const uint8_t *form, size_t bytes, const struct exchange_origin *from) {
  struct model *m = x->search->model;
  for (unsigned tries = 0;; tries++) {
    uint32_t *at = into_inbox(x, *from);
    if (!at) return -1;
    memset(at, 0, x->inbox.model.stride * sizeof *at);
    if (m->type->unpack(m, form, bytes, at) == 0) return 0;
    x->inbox.model.count--;
    if (!m->type->widen || !x->wider || tries > m->vars + 1) return EXCHANGE_UNREADABLE;
    if (x->busy) return put_aside(x, form, bytes, from);
    if (settle(x) || x->wider(x->context)) return -1;
  }
}

static int take_words(struct exchange *x, const uint8_t *form, size_t bytes, const struct exchange_origin *from) {
  uint32_t *state = into_inbox(x, *from);
  if (!state) return -1;
  memset(state, 0, x->inbox.model.stride * sizeof *state);
  memcpy(state, form, bytes);
  return 0;
}

int exchange_put_back(struct exchange *x, const uint8_t *form, size_t bytes, int portable, const struct exchange_origin *from) {
  return portable ? take_portable(x, form, bytes, from) : take_words(x, form, bytes, from);
}

static int take_aside(struct exchange *x) {
  if (!x->aside.count || x->busy) return 0;
  struct vec(uint8_t) now = {x->aside.at, x->aside.count, x->aside.room};
  x->aside.at = NULL;
  x->aside.count = x->aside.room = 0;
  int status = 0;
  for (size_t at = 0; at < now.count && !status;) {
    struct exchange_origin from;
    size_t bytes;
    memcpy(&from, now.at + at, sizeof from);
    memcpy(&bytes, now.at + at + sizeof from, sizeof bytes);
    at += sizeof from + sizeof bytes;
    status = take_portable(x, now.at + at, bytes, &from);
    at += bytes;
  }
  vec_free(&now, x->search->mem);
  return status == EXCHANGE_UNREADABLE ? damaged(x) : status;
}

static int open_batch(struct exchange *x, const uint8_t *data, size_t length, unsigned rank) {
  for (const uint8_t *at = data, *end = data + length; at < end;) {
    uint64_t number, edge, bytes = x->form_bytes;
    if (!(at = exchange_get_number(at, end, &number)) || !(at = exchange_get_number(at, end, &edge))) return damaged(x);
    if (x->portable && !(at = exchange_get_number(at, end, &bytes))) return damaged(x);
    if (bytes > (size_t)(end - at)) return damaged(x);
    struct exchange_origin from = {.number = number, .rank = rank, .edge = (uint32_t)(edge >> 1), .group = UINT32_MAX, .mark = edge & 1};
    int status = exchange_put_back(x, at, (size_t)bytes, x->portable, &from);
    if (status) return status == EXCHANGE_UNREADABLE ? damaged(x) : -1;
    at += bytes;
  }
  return 0;
}

int exchange_receive(struct exchange *x) {
  const uint8_t *data;
  size_t bytes;
  unsigned from;
  if (!exchange_stopping(x) && take_aside(x)) return -1;
  int full = 0, there = post_take(x->post, &data, &bytes, &from, &full);
  if (full) return no_memory(x);
  if (there <= 0) return there;
  if (exchange_stopping(x)) return 1; /* taken, and no more */
  return open_batch(x, data, bytes, from) ? -1 : 1;
}

int exchange_end(struct exchange *x) {
  unsigned idle = 0;
  for (;;) {
    int came = exchange_receive(x);
    if (ranks_lost(x->ranks) >= 0) return -1;
    if (exchange_stopping(x)) x->inbox.model.count = x->aside.count = 0;
    else if (!came && settle(x) && ranks_lost(x->ranks) >= 0) return -1;
    if (came) {
      idle = 0;
      continue;
    }
    int over = post_end(x->post);
    if (over) return over < 0 ? -1 : 0;
    if (ranks_look(x->ranks, ++idle)) return -1;
  }
}

int exchange_agree(struct exchange *x, enum exchange_stop *why, unsigned *who, uint64_t sums[EXCHANGE_SUMS]) {
  uint64_t all[EXCHANGE_SUMS + 1] = {x->stop != EXCHANGE_ON};
  memcpy(all + 1, sums, EXCHANGE_SUMS * sizeof *sums);
  if (ranks_sum(x->ranks, all, EXCHANGE_SUMS + 1)) return -1;
  memcpy(sums, all + 1, EXCHANGE_SUMS * sizeof *sums);
  *why = EXCHANGE_ON;
  *who = 0;
  if (!all[0]) return 0;
  uint64_t most = (uint64_t)x->stop << 32 | (x->count - 1 - x->self);
  if (ranks_max(x->ranks, &most, 1)) return -1;
  *why = (enum exchange_stop)(most >> 32);
  *who = x->count - 1 - (unsigned)(uint32_t)most;
  x->stop = EXCHANGE_ON;
  return 0;
}
