/* bfs_round.c -- rounds (rounds.h) of a breadth-first search: what several threads have found is told, source by source in their order, as if one had. */
#include "search/bfs.h"

#include <string.h>

enum { ROUNDS_FROM = 1 << 15, ROUND_LEAST = 256 }; /* states from which on, and states of a layer, that are worth several threads */

/* The successors of a source that were not known before the round. 0, or -1 with stop set. */
static int settle_unknown(struct bfs *b, struct search *s, const struct round_part *p, size_t from, size_t end, store_ref source) {
  const struct store_part *q = p->unknown;
  for (size_t k = from; k < end; k++) {
    uint32_t *words = q->states + k * q->stride;
    if (q->answer[k] == STORE_SEEN) continue;
    store_ref number = b->found;
    if (q->answer[k] == STORE_FULL || bfs_welcome(b, s, q->ref[k], words, p->edge[k])) { /* edges before this one were told, and count */
      s->partial = p->edge[k];
      s->stats.transitions += p->edge[k];
      s->stop = STOP_MEMORY;
      return -1;
    }
    if (!p->concern[k]) continue;
    struct search_event event = {.kind = EVENT_NEW, .state = number, .source = source, .words = words, .edge = p->edge[k], .group = p->group[k], .depth = b->depth + 1};
    enum listener_answer said = search_wanted(s, EVENT_NEW) ? search_tell(s, &event) : LISTEN_ON;
    if (said == LISTEN_GOAL || (said == LISTEN_SKIP && bfs_skip_later(b, s, number))) {
      s->stats.transitions += p->edge[k] + (uint64_t)1; /* this one, too */
      return -1;
    }
  }
  return 0;
}

static int tell_round_expanded(struct bfs *b, struct search *s, const struct round_source *from, store_ref number) {
  store_ref ref;
  if (frontier_peek(&b->frontier, &ref, b->words, NULL)) return -1;
  struct search_event event = {.kind = EVENT_EXPANDED, .state = number, .source = STORE_NONE, .successors = from->successors, .words = b->words, .depth = b->depth};
  return search_tell(s, &event) == LISTEN_GOAL ? -1 : 0;
}

static int settle_part(struct bfs *b, struct search *s, const struct round_part *p) {
  size_t at = 0;
  for (size_t k = 0; k < p->sources; at = p->source[k++].unknown) {
    const struct round_source *from = &p->source[k];
    if (settle_unknown(b, s, p, at, from->unknown, b->next) || bfs_tree_expanded(b, s)) return -1;
    s->partial = 0;
    s->stats.transitions += from->successors;
    s->stats.expanded++;
    s->stats.deadlocks += from->deadlock;
    if (from->concern && tell_round_expanded(b, s, from, b->next)) return -1;
    frontier_advance(&b->frontier);
    b->next++;
  }
  return 0;
}

/* ---- rounds of which nobody wants to hear ----
 *
 * Only the queue and the tree have to know.  If states wait in the store not even the queue: the tree grows while others still write numbers. */

struct taking {
  struct bfs *b;
  struct search *s;
  size_t parts;
};

static int is_quiet(const struct round_part *p) {
  const struct store_part *q = p->unknown;
  return !p->concerns && !memchr(p->concern, 1, q->count) && !memchr(q->answer, STORE_FULL, q->count);
}

static int all_quiet(const struct taking *t) {
  const struct bfs *b = t->b;
  int quiet = bfs_own_tree(b, t->s) && !b->journal && (b->frontier.kind == FRONTIER_IN_STORE || b->frontier.kind == FRONTIER_REFS);
  for (size_t i = 0; i < t->parts && quiet; i++) quiet = is_quiet(rounds_part(b->rounds, i));
  return quiet;
}

static void take_quietly(struct bfs *b, struct search *s, const struct round_part *p) {
  const uint8_t *answer = p->unknown->answer;
  uint64_t before = b->tree.states, transitions = 0, deadlocks = 0;
  size_t k = 0;
  for (size_t i = 0; i < p->sources; i++) {
    const struct round_source *from = &p->source[i];
    for (; k < from->unknown; k++)
      if (answer[k] == STORE_NEW) spanning_add_found(&b->tree, p->edge[k]);
    spanning_add_expanded(&b->tree);
    transitions += from->successors;
    deadlocks += from->deadlock;
  }
  uint64_t fresh = b->tree.states - before;
  if (b->frontier.kind == FRONTIER_IN_STORE) frontier_pass(&b->frontier, fresh, p->sources);
  else frontier_exchange(&b->frontier, p->unknown, p->sources);
  b->found += fresh;
  b->next += p->sources;
  s->partial = 0;
  s->stats.transitions += transitions;
  s->stats.expanded += p->sources;
  s->stats.deadlocks += deadlocks;
}

static void take_all(void *context) {
  struct taking *t = context;
  for (size_t i = 0; i < t->parts; i++) take_quietly(t->b, t->s, rounds_part(t->b->rounds, i));
}

int bfs_round_wanted(struct bfs *b, struct search *s) {
  uint64_t waiting = b->layer_end - b->next, from = s->rounds_from ? s->rounds_from : ROUNDS_FROM;
  if (s->jobs < 2 || b->no_rounds || b->told || b->found < from || waiting < (s->rounds_from ? 2 : ROUND_LEAST) || b->skip.count > b->skip_at) return 0;
  if (b->alone || (!s->rounds_from && !pace_pays(&b->pace, b->next)) || !rounds_possible(s)) {
    b->alone = 0;
    return 0;
  }
  if (!b->rounds && rounds_open(&b->rounds, s)) b->no_rounds = 1;
  return b->rounds != NULL;
}

int bfs_take_round(struct bfs *b, struct search *s) {
  store_ref *refs;
  size_t most = rounds_room(b->rounds, &refs), done;
  uint64_t waiting = b->layer_end - b->next;
  if (s->limits.states && s->stats.states + rounds_most(b->rounds) > s->limits.states) return 0;
  size_t n = frontier_refs(&b->frontier, refs, most < waiting ? most : (size_t)waiting), unknown = rounds_most(b->rounds);
  if (!n || bfs_reserve(b, s, unknown, n)) return 0;
  int64_t parts = rounds_run(b->rounds, n, b->depth, &done);
  if (parts < 0) { /* memory is at its end: one by one it lasts longest */
    b->no_rounds = 1;
    return 0;
  }
  s->threads = s->jobs;
  b->alone = done < n;
  struct taking taking = {b, s, (size_t)parts};
  int quiet = all_quiet(&taking), aside = quiet && b->frontier.kind == FRONTIER_IN_STORE;
  rounds_finish(b->rounds, aside ? take_all : NULL, &taking);
  if (quiet && !aside) take_all(&taking);
  if (quiet) return 1;
  for (int64_t i = 0; i < parts; i++)
    if (settle_part(b, s, rounds_part(b->rounds, (size_t)i))) return -1;
  return 1;
}
