/* shrink.c -- see shrink.h: the rules in turn, until none changes anything.
 *
 * Rules for single places come first and go by a queue of places around which something has changed; then those that compare places or transitions with each other, by sorting hashes; then, once, linear programs.  Most nets
 * are done after two or three rounds.
 *
 * What was tried: fusing without a limit on |H| |F| removes a few places more and makes nets slower to fire; the limit of shrink_fuse.c lost nothing on the contest's nets. */
#include "net/shrink.h"

#include "net/shrink_net.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROUNDS = 200 };

static int drain(struct shrink *s) {
  int changed = 0;
  while (s->queue.count && !shrink_over(s)) {
    uint32_t p = s->queue.at[--s->queue.count];
    s->waiting[p] = 0;
    changed |= shrink_place(s, p) || shrink_fuse_after(s, p) || shrink_fuse_before(s, p);
  }
  return changed;
}

static void shrink_all(struct shrink *s, const uint8_t *dead) {
  for (uint32_t t = 0; t < s->net->transitions; t++)
    if (dead && dead[t]) shrink_drop_transition(s, t, SHRINK_DEAD);
  int solved = 0;
  for (int round = 0, changed = 1; round < MOST_ROUNDS && !shrink_over(s) && changed; round++) {
    changed = shrink_aside(s);
    changed |= drain(s);
    if (!changed) changed = shrink_replaced(s);
    if (!changed) changed = shrink_parallel_places(s);
    if (!changed && !solved++) changed = shrink_by_equation(s);
  }
}

static void tell(const struct shrink *s, char *what, size_t room) {
  static const struct {
    enum shrink_rule rule;
    const char *one, *many;
  } told[] = {{SHRINK_AFTER, "fused with what follows", "fused with what follows"},
              {SHRINK_BEFORE, "fused with what precedes", "fused with what precedes"},
              {SHRINK_REDUNDANT, "place redundant", "places redundant"},
              {SHRINK_AMPLE, "place never short of tokens", "places never short of tokens"},
              {SHRINK_CONSTANT, "place constant", "places constant"},
              {SHRINK_DEAD, "transition never fires", "transitions never fire"},
              {SHRINK_REPLACED, "transition replaced by others", "transitions replaced by others"},
              {SHRINK_ASIDE, "transition aside of what is asked", "transitions aside of what is asked"}};
  uint32_t old = s->net->transitions;
  size_t used = 0;
  int more = 0;
  if (room) *what = 0;
  used = (size_t)snprintf(what, room, "%u of %u places, %u of %u transitions left", s->places_left, s->net->places, s->transitions_left, old);
  for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
    uint32_t n = s->count[told[i].rule];
    if (n && used < room) used += (size_t)snprintf(what + used, room - used, "%s%u %s", more++ ? ", " : ": ", n, n == 1 ? told[i].one : told[i].many);
  }
}

static int keep_words(const struct shrink *s, struct pt_shrunk *out) {
  struct pt_net *n = out->net;
  size_t all = 0;
  for (uint32_t t = 0; t < n->transitions; t++) all += s->transition.at[s->order.at[t]].words;
  out->from = arena_alloc(&n->arena, ((size_t)n->transitions + 1) * sizeof *out->from);
  out->word = arena_alloc(&n->arena, (all + 1) * sizeof *out->word);
  if (!out->from || !out->word || all > UINT32_MAX) return -1;
  all = 0;
  for (uint32_t t = 0; t < n->transitions; t++) {
    const struct shrink_transition *x = &s->transition.at[s->order.at[t]];
    out->from[t] = (uint32_t)all;
    memcpy(out->word + all, s->word.at + x->word, x->words * sizeof *out->word);
    all += x->words;
  }
  out->from[n->transitions] = (uint32_t)all;
  return 0;
}

/* Places that never change and transitions that never fire cost nothing in the larger net either. */
static int smaller(const struct shrink *s) {
  for (int rule = 0; rule < SHRINK_RULES; rule++)
    if (rule != SHRINK_DEAD && rule != SHRINK_CONSTANT && s->count[rule]) return 1;
  return 0;
}

int pt_shrink(struct pt_shrunk *out, const struct pt_net *net, const uint8_t *dead, const struct model_aims *aims, char *what, size_t room, struct mem *mem, struct err *e) {
  struct shrink s = {0};
  *out = (struct pt_shrunk){0};
  int answer = pt_seen_open(&s.seen, net, aims, mem);
  if (answer > 0) return 1;
  if (!answer && !s.seen.exprs && !s.seen.deadlocks && !s.seen.runs) answer = 1; /* nothing is asked: who explores wants to see the space itself */
  if (!answer) answer = shrink_open(&s, net, mem);
  if (!answer) {
    shrink_all(&s, dead);
    answer = s.refused ? -1 : !smaller(&s);
  }
  if (!answer) answer = shrink_freeze(&s, 1, &out->net);
  if (!answer) answer = keep_words(&s, out);
  if (!answer) tell(&s, what, room);
  shrink_close(&s);
  pt_seen_close(&s.seen);
  if (answer < 0) {
    pt_close(out->net);
    out->net = NULL;
    err_memory(e, "a smaller net");
  }
  return answer;
}
