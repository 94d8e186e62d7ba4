/* rejoin.c -- what strategies share in writing a journal (journal.h) and in going on from one. */
#include "base/hash.h"
#include "search/journal.h"
#include "search/strategy.h"

#include <string.h>

enum { PACKED = 2048 }; /* bytes of a portable state that can be witnessed */

uint32_t search_witness(const struct search *s, const uint32_t *state) {
  uint8_t packed[PACKED];
  if (!s->model->type->pack) return 0;
  size_t length = s->model->type->pack(s->model, state, packed, sizeof packed);
  if (!length || length > sizeof packed) return 0;
  uint32_t hash = (uint32_t)hash_bytes(packed, length);
  return hash ? hash : 1;
}

void search_tell_journal(struct search *s, const uint32_t *state, uint32_t edge) {
  if (journal_wants_witness(s->journal)) journal_witness(s->journal, search_witness(s, state));
  journal_found(s->journal, edge);
}

struct journal_state search_state(const struct search *s) {
  return (struct journal_state){.found = s->journal->found, .expanded = s->journal->expanded, .partial = s->partial, .seconds = s->seconds, .stats = s->stats};
}

int search_seal(struct search *s) {
  struct journal_state state = search_state(s);
  return journal_seal(s->journal, &state);
}

/* At a limit there is something to go on from (which several processes have settled among themselves); after the end only for those who ask other things next. */
void search_end_journal(struct search *s, int more) {
  if (!s->journal) return;
  struct journal_state state = search_state(s);
  state.finished = s->stop == STOP_DONE || s->stop == STOP_GOAL;
  /* of states on disk nothing is left to be sealed when memory has ended in the middle of something */
  int limit = (s->stop == STOP_MEMORY && !s->journal->files.settle) || s->stop == STOP_TIME || s->stop == STOP_STATES || s->stop == STOP_DEPTH || s->stop == STOP_INTERRUPT;
  if ((limit && !s->journal->rank.count) || (state.finished && more)) journal_seal(s->journal, &state);
}

int search_may_rejoin(struct search *s) {
  uint64_t states = s->limits.states;
  s->limits.states = 0; /* they were there before */
  int go_on = search_may_go_on(s);
  s->limits.states = states;
  return go_on;
}

/* Counters of the store are those of the store that is used now. */
void search_count_again(struct search *s) {
  const struct stats *from = &s->journal->from.stats;
  s->stats.expanded = from->expanded;
  s->stats.transitions = from->transitions;
  s->stats.deadlocks = from->deadlocks;
  s->stats.depth = from->depth;
  s->stats.frontier_peak = from->frontier_peak;
  s->stats.batches = from->batches;
  if (from->layouts > s->stats.layouts) s->stats.layouts = from->layouts;
  s->earlier = s->journal->from.seconds;
}

int search_rejoined(struct search *s) {
  if (journal_go_on(s->journal, &s->err)) {
    s->stop = s->err.kind == ERR_MEMORY ? STOP_MEMORY : STOP_FAULT;
    return s->stop == STOP_MEMORY ? search_not_rejoined(s, 0) : -1;
  }
  search_count_again(s);
  s->partial = s->journal->from.partial;
  return 0;
}

/* The texts are the same, or somebody would have said so before. */
static void misfit(struct search *s) {
  struct place_in_text at;
  const char *hint;
  err_io(&s->err, s->journal->file.name, "the checkpoint does not fit the model: steps that it names lead elsewhere");
  if (s->model->type->opaque && s->model->type->opaque(s->model, &at, &hint))
    err_hint(&s->err, "states that hold addresses of C, or depend on memory that is no part of them, are others in each run: for addresses, begin and resume with 'setarch -R thimble'; else begin anew");
}

int search_not_rejoined(struct search *s, int wrong) {
  struct journal *j = s->journal;
  if (s->again) return -1;
  if (s->stop == STOP_DONE && !wrong) s->stop = STOP_MEMORY;
  if (s->stop == STOP_DONE) {
    s->stop = STOP_FAULT;
    misfit(s);
    return -1;
  }
  if (s->stop == STOP_FAULT) return -1;
  search_count_again(s);
  s->lost = journal_states(&j->from); /* the states that there are, though not all of them were found again */
  for (size_t i = 0; i < j->parts; i++) journal_load_part(j, &j->part[i]);
  return -1;
}
