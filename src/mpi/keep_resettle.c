/* keep_resettle.c -- see keep.h: a search is gone on with by other ranks than began it.
 *
 * With another number of ranks most states belong to others.  Every rank reads the journals of all that there were:
 *
 *   whose is each state now?    owners are kept in a few bits each, journal by journal, with counts of what each owner has from stretch to stretch
 *   its own are put back        first all that were expanded, then all that wait; journal by journal, the one with the initial state first
 *
 * So the new name of a state follows from the old one: what its owner has of the journals before, and of this one up to there.  Where a state came from, and where something was found, is translated without anybody asking
 * anybody, and all ranks translate alike.  What is put back is written to new journals at the same time, and sealed when all have done so; those of then stay as they are.
 *
 * That takes bits_for(ranks - 1) + 1/2 bits for each state of all ranks, on each of them, until the states are back.  Asking the owners would need no such table, but a message there and back for each state. */
#include "mpi/spread.h"

#include "base/bits.h"
#include "search/judge.h"

#include <stdio.h>
#include <string.h>

enum { STRETCH = 128 }; /* states between two counts, for each rank that is counted */

struct town { /* a journal of then */
  uint64_t found, expanded;
  uint64_t *owner;     /* of its states, packed */
  uint64_t *count;     /* at the begin of each stretch: states of each owner before it */
  uint64_t *done;      /* states of each owner that were expanded */
  uint64_t *before[2]; /* the numbers that each owner gives out before the first one here that was expanded, that waits */
};

struct resettle {
  unsigned ranks, bits, per_word;
  uint64_t stretch;
  uint32_t towns, first; /* first: which has the initial state */
  struct town *town;
  uint64_t *running; /* what each owner has of the journal that is read */
  uint32_t now;      /* which is read; and what of it is put back */
  int waiting;
};

/* ---- the journals --------------------------------------------------------------------------------------------------------------- */

static int open_one(struct journal *j, uint32_t rank, struct err *e) {
  struct journal *past = &j->past[rank];
  size_t stem = strlen(j->file.name) - 1; /* it is called FILE.0 */
  char *name = mem_alloc(j->mem, MEM_OTHER, stem + 16);
  if (!name) return err_memory(e, "a checkpoint");
  sprintf(name, "%.*s%u", (int)stem, j->file.name, rank);
  int bad = journal_open(past, name, 0, 0, NULL, NULL, j->mem, e);
  if (bad) err_hint(e, "there are other ranks than those that wrote the checkpoint: each of them must be able to read all its files");
  else {
    j->pasts++;
    if (past->rank.self != rank || past->rank.count != j->rank.count || past->rank.set != j->rank.set) bad = err_io(e, name, "the checkpoint is not that of rank %u of the run that rank 0 has", rank);
  }
  mem_free(j->mem, name);
  return bad;
}

/* Those who were killed first have written least. */
static int find_moment(struct journal *j, struct err *e) {
  int same = 0;
  for (uint64_t last = UINT64_MAX; !same; last--) {
    for (uint32_t i = 0; i < j->pasts; i++)
      if (j->past[i].serial < last) last = j->past[i].serial;
    if (!last) return err_io(e, j->file.name, "the checkpoint has no moment that the files of all ranks have");
    same = 1;
    for (uint32_t i = 0; i < j->pasts; i++) {
      if (j->past[i].serial != last && journal_back(&j->past[i], last, e)) return -1;
      same &= j->past[i].from.moment == j->past[0].from.moment;
    }
  }
  return 0;
}

/* Counters are added up in the end, so each rank takes over those of some ranks of then. */
static void take_over(struct journal *j, unsigned self, unsigned count) {
  struct journal_state sum = j->past[0].from;
  uint64_t *to = (uint64_t *)(void *)&sum.stats;
  sum.found = sum.expanded = 0;
  memset(&sum.stats, 0, sizeof sum.stats);
  j->sealed.states = j->sealed.bytes = 0;
  for (uint32_t i = 0; i < j->pasts; i++) {
    const struct journal_state *from = &j->past[i].from;
    const uint64_t *stats = (const uint64_t *)(const void *)&from->stats;
    j->sealed.states += from->found;
    j->sealed.bytes += j->past[i].end;
    if (i % count != self) continue;
    sum.found += from->found;
    sum.expanded += from->expanded;
    for (size_t k = 0; k < sizeof sum.stats / sizeof *stats; k++) to[k] += stats[k];
  }
  sum.stats.depth = j->past[0].from.stats.depth;
  sum.stats.layouts = j->past[0].from.stats.layouts;
  j->from = sum;
}

int keep_open_past(struct journal *j, unsigned self, unsigned count, struct err *e) {
  int bad = 0;
  j->past = mem_alloc(j->mem, MEM_SEARCH, j->rank.count * sizeof *j->past);
  if (!j->past) return err_memory(e, "a checkpoint");
  for (uint32_t i = 0; i < j->rank.count && !bad; i++) bad = open_one(j, i, e);
  if (bad || find_moment(j, e)) return -1;
  take_over(j, self, count);
  return 0;
}

/* ---- names ---------------------------------------------------------------------------------------------------------------------- */

static unsigned owner_of(const struct resettle *m, const struct town *t, uint64_t number) {
  return (unsigned)(t->owner[number / m->per_word] >> number % m->per_word * m->bits & bits_mask(m->bits));
}

/* What a state is called now. 0, or -1: there was none of that name. */
static int rename_state(const struct resettle *m, uint32_t rank, uint64_t number, uint32_t *rank_now, uint64_t *number_now) {
  const struct town *t = &m->town[rank];
  if (rank >= m->towns || number >= t->found) return -1;
  unsigned owner = owner_of(m, t, number);
  uint64_t at = number / m->stretch, count = t->count[at * m->ranks + owner];
  for (at *= m->stretch; at < number; at++) count += owner_of(m, t, at) == owner;
  *rank_now = owner;
  *number_now = number < t->expanded ? t->before[0][owner] + count : t->before[1][owner] + count - t->done[owner];
  return 0;
}

static int damaged(struct search *s, uint32_t rank, const char *how) {
  err_io(&s->err, s->journal->past[rank].file.name, "the checkpoint is damaged: %s", how);
  s->stop = STOP_FAULT;
  return -1;
}

static int no_memory(struct search *s) {
  s->stop = STOP_MEMORY;
  return -1;
}

void keep_forget_map(struct search *s) {
  struct keep *k = &spread_of(s)->keep;
  struct resettle *m = k->map;
  if (!m) return;
  for (uint32_t i = 0; m->town && i < m->towns; i++) {
    mem_free(s->mem, m->town[i].owner);
    mem_free(s->mem, m->town[i].count);
    mem_free(s->mem, m->town[i].done);
  }
  mem_free(s->mem, m->town);
  mem_free(s->mem, m->running);
  mem_free(s->mem, m);
  k->map = NULL;
}

/* 0, or -1: memory. */
static int open_map(struct search *s) {
  const struct journal *j = s->journal;
  struct resettle *m = spread_of(s)->keep.map = mem_alloc(s->mem, MEM_SEARCH, sizeof *m);
  if (!m) return -1;
  m->ranks = spread_of(s)->x.count;
  m->bits = m->ranks > 1 ? bits_for(m->ranks - 1) : 1;
  m->per_word = 64 / m->bits;
  m->stretch = (uint64_t)STRETCH * m->ranks;
  m->towns = j->pasts;
  m->running = mem_alloc(s->mem, MEM_SEARCH, m->ranks * sizeof *m->running);
  m->town = mem_alloc(s->mem, MEM_SEARCH, m->towns * sizeof *m->town);
  for (uint32_t i = 0; m->town && i < m->towns; i++) {
    struct town *t = &m->town[i];
    t->found = j->past[i].from.found;
    t->expanded = j->past[i].from.expanded;
    t->owner = mem_alloc(s->mem, MEM_SEARCH, (size_t)(t->found / m->per_word + 1) * sizeof *t->owner);
    t->count = mem_alloc(s->mem, MEM_SEARCH, (size_t)(t->found / m->stretch + 1) * m->ranks * sizeof *t->count);
    t->done = mem_alloc(s->mem, MEM_SEARCH, (size_t)m->ranks * 3 * sizeof *t->done);
    if (!t->owner || !t->count || !t->done) return -1;
    t->before[0] = t->done + m->ranks;
    t->before[1] = t->done + 2 * m->ranks;
  }
  return m->town && m->running ? 0 : -1;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------- */

/* 0, or -1: the exchange stops. */
static int owner_now(struct search *s, const struct keep_told *told, unsigned *owner) {
  struct spread *p = spread_of(s);
  *owner = 0;
  if (p->x.count == 1) return 0;
  if (p->x.portable == p->keep.again_portable) {
    *owner = exchange_owner_of_form(&p->x, told->form, told->bytes);
    return 0;
  }
  uint32_t *words = spread_source(p, 0); /* ranks that packed alike then, and do so no more */
  memset(words, 0, p->stride * sizeof *words);
  memcpy(words, told->form, told->bytes);
  return exchange_owner(&p->x, words, owner);
}

static int note_owner(struct search *s, void *context, const struct keep_told *told) {
  struct resettle *m = context;
  struct town *t = &m->town[m->now];
  uint64_t n = told->number;
  if (n >= t->found) return damaged(s, m->now, "there are too many states");
  unsigned owner;
  if (owner_now(s, told, &owner)) return -1;
  if (told->from.rank == UINT32_MAX) m->first = m->now;
  if (n % m->stretch == 0) memcpy(t->count + n / m->stretch * m->ranks, m->running, m->ranks * sizeof *m->running);
  t->owner[n / m->per_word] |= (uint64_t)owner << n % m->per_word * m->bits;
  m->running[owner]++;
  t->done[owner] += n < t->expanded;
  if (n + 1 == t->found) memcpy(t->before[1], m->running, m->ranks * sizeof *m->running); /* all of each owner, until numbers are given out */
  return 0;
}

/* Which numbers states get: in the order of the journals, those that were expanded first. */
static void give_out(struct resettle *m) {
  uint64_t *next = m->running;
  memset(next, 0, m->ranks * sizeof *next);
  for (int waiting = 0; waiting < 2; waiting++)
    for (uint32_t i = 0; i < m->towns; i++) {
      struct town *t = &m->town[(m->first + i) % m->towns];
      for (unsigned k = 0; k < m->ranks; k++) {
        uint64_t there = waiting ? t->before[1][k] - t->done[k] : t->done[k];
        t->before[waiting][k] = next[k];
        next[k] += there;
      }
    }
}

static int put_back(struct search *s, void *context, const struct keep_told *told) {
  struct resettle *m = context;
  const struct town *t = &m->town[m->now];
  struct exchange *x = &spread_of(s)->x;
  struct exchange_origin from = told->from;
  if ((told->number >= t->expanded) != m->waiting || owner_of(m, t, told->number) != x->self) return 0;
  if (from.rank != UINT32_MAX && rename_state(m, told->from.rank, told->from.number, &from.rank, &from.number)) return damaged(s, m->now, "a state comes from one that is not there");
  return exchange_put_back(x, told->form, told->bytes, spread_of(s)->keep.again_portable, &from);
}

static int put_back_all(struct search *s, struct resettle *m) {
  struct spread *p = spread_of(s);
  for (m->waiting = 0; m->waiting < 2; m->waiting++) {
    for (uint32_t i = 0; i < m->towns; i++) {
      m->now = (m->first + i) % m->towns;
      if (keep_each(s, &s->journal->past[m->now], put_back, m)) return -1;
    }
    if (p->x.inbox.model.count && p->x.settle(s)) return -1;
  }
  return p->found == m->running[p->x.self] ? 0 : damaged(s, 0, "states are missing");
}

int keep_resettle(struct search *s) {
  struct keep *k = &spread_of(s)->keep;
  keep_forget_map(s);
  if (open_map(s)) return no_memory(s);
  struct resettle *m = k->map;
  for (m->now = 0; m->now < m->towns; m->now++) {
    memset(m->running, 0, m->ranks * sizeof *m->running);
    if (keep_each(s, &s->journal->past[m->now], note_owner, m)) return -1;
  }
  give_out(m);
  k->done = 0;
  for (uint32_t i = 0; i < m->towns; i++) k->done += m->town[i].done[spread_of(s)->x.self];
  return put_back_all(s, m);
}

/* ---- what was found ------------------------------------------------------------------------------------------------------------- */

/* What a rank of then has found, as far as the states are this rank's now, joins `mine`. 0 or -1 with stop set. */
static int take_findings(struct search *s, const struct journal_part *part, uint32_t rank, struct judge *mine) {
  struct judge *j = part->context;
  int status = journal_load_part(&s->journal->past[rank], part);
  if (status) return status == JOURNAL_MEMORY ? no_memory(s) : damaged(s, rank, "what was found so far cannot be read");
  for (size_t i = 0; i < j->found.count; i++) {
    struct judge_found f = j->found.at[i];
    uint32_t owner;
    if (rename_state(spread_of(s)->keep.map, rank, f.state, &owner, &f.state)) return damaged(s, rank, "something was found at a state that is not there");
    if (owner != spread_of(s)->x.self) continue;
    f.has_path = 0; /* all ranks find it together in the end */
    f.path = (struct search_path){0};
    if (vec_push(&mine->found, j->mem, MEM_SEARCH, f)) return no_memory(s);
  }
  for (size_t i = 0; i < j->count && rank % spread_of(s)->x.count == spread_of(s)->x.self; i++) mine->deciding[i] += j->deciding[i];
  return 0;
}

static int take_all_findings(struct search *s, const struct journal_part *part) {
  struct judge *j = part->context, mine = {.deciding = mem_alloc(j->mem, MEM_SEARCH, (j->count + 1) * sizeof *mine.deciding)};
  int status = mine.deciding ? 0 : no_memory(s);
  for (uint32_t i = 0; i < s->journal->pasts && !status; i++) status = take_findings(s, part, i, &mine);
  for (size_t i = 0; i < j->found.count; i++) {
    mem_free(j->mem, j->found.at[i].path.edge);
    mem_free(j->mem, j->found.at[i].path.group);
  }
  vec_free(&j->found, j->mem);
  memcpy(&j->found, &mine.found, sizeof j->found);
  j->undecided = j->state_props;
  for (size_t i = 0; i < j->count && !status; i++) {
    j->deciding[i] = mine.deciding[i];
    j->undecided -= j->deciding[i] != 0;
  }
  mem_free(j->mem, mine.deciding);
  return status;
}

int keep_resettled(struct search *s) {
  struct journal *j = s->journal;
  int status = 0;
  for (size_t i = 0; i < j->parts && !status; i++)
    if (strcmp(j->part[i].name, "judge") == 0) status = take_all_findings(s, &j->part[i]);
  keep_forget_map(s);
  if (status) return -1;
  journal_forget_past(j);
  j->sealed.states = j->sealed.bytes = 0; /* of the new set there is nothing yet */
  return 0;
}
