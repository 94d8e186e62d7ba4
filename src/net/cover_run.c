/* cover_run.c -- from omegas back to a run that anybody can fire.
 *
 * An event says: on the branch from the root, the label of node x covers that of its
 * ancestor y (the base) and has more tokens in some slots.  The path from y to x is a loop
 * that can be fired again and again, but the labels speak of omegas, and a real
 * marking has numbers:
 *
 *   - The loop may pass nodes where other slots became omega, and rely on that.  There the
 *     loops of those events are put in, as often as the rest of the way needs.
 *   - The loop may take from slots that were omega before y.  If loops that give back can be
 *     fired somewhere on the way (they want no more than the labels have), they are put
 *     in too, and the whole takes from no place: it is `good`.  If not, it can be fired as often as wished
 *     after enough has been stored, but it cannot be pumped for ever: an unbounded place may
 *     have no pump of its own (a -> a + q; a -> b; b + q -> b + p: p grows only while q lasts).
 *   - The way from the root to y needs the same care: `demand` is what a marking must have for the
 *     rest of the way; going backwards, a transition raises it by what it takes, and a loop
 *     at the node where a slot became omega meets it by repetition.
 *
 * Loops only use loops of events before them on the same branch, so they are computed from the root
 * downwards, each once, with its need (smallest marking that can fire it) and its effect;
 * what is long is kept as "k times loop i".  Numbers are 64 bits with checks: nested loops
 * can want repetitions beyond any number, and then the answer is that the run is too long.
 *
 * At the end the run is written out, replayed on the net's own arcs, shortened (steps whose removal leaves
 * a good run go), and replayed again. */
#include "net/cover.h"

#include <string.h>

enum { MOST_STEPS = 10000000, SHRINK_STEPS = 20000000 };

static const char *const why_long = "the run that shows it has more than 10 million steps",
                         *const why_uses_up =
                             "no single sequence that pumps it was found: it grows by using up other unbounded places",
                         *const why_unproven = "the run could not be confirmed by replaying it";

struct item { /* a transition, or a loop so many times */
  uint32_t what;
  uint32_t is_loop;
  uint64_t count;
};

struct loop {
  uint32_t event;
  int64_t *need, *effect; /* per slot */
  struct vec(struct item) items;
  int good; /* takes from no slot */
};

struct insertion { /* loop `loop` so many times at the node, to give back what the loop under work takes */
  uint32_t node, loop;
  uint64_t count;
};

enum made { MADE, TOO_LONG, REFUSED };

struct maker {
  const struct cover_tree *tree;
  const struct cover_net *net;
  struct mem *mem;
  struct loop *loop; /* of the events on the branch, in order */
  uint32_t loops;
  int64_t *demand, *effect;
  struct vec(struct insertion) insertions;
  struct vec(struct item) items; /* backwards, while walking up */
};

static uint32_t loop_of(const struct maker *k, uint32_t event) {
  for (uint32_t i = 0; i < k->loops; i++)
    if (k->loop[i].event == event) return i;
  return COVER_NONE; /* not reached: all events of the branch are there */
}

/* ---- walking up: what is needed, what comes of it --------------------------------------- */

/* `count` times the loop before what has been collected so far. */
static enum made prepend_loop(struct maker *k, uint32_t i, uint64_t count) {
  const struct loop *l = &k->loop[i];
  if (!count) return MADE;
  if (count > INT64_MAX / 2) return TOO_LONG;
  for (uint32_t s = 0; s < k->net->slots; s++) {
    if (!l->effect[s] && !l->need[s]) continue;
    int64_t gain, loss, after, first;
    if (__builtin_mul_overflow(l->effect[s], (int64_t)count, &gain)) return TOO_LONG;
    if (__builtin_mul_overflow(l->effect[s] < 0 ? -l->effect[s] : 0, (int64_t)count - 1, &loss)) return TOO_LONG;
    if (__builtin_sub_overflow(k->demand[s], gain, &after) || __builtin_add_overflow(l->need[s], loss, &first)) return TOO_LONG;
    if (__builtin_add_overflow(k->effect[s], gain, &k->effect[s])) return TOO_LONG;
    k->demand[s] = after > first ? after : first;
  }
  return vec_push(&k->items, k->mem, MEM_ANALYSIS, (struct item){i, 1, count}) ? REFUSED : MADE;
}

static enum made prepend_transition(struct maker *k, uint32_t t) {
  const struct cover_net *net = k->net;
  for (uint32_t i = net->effect_start[t]; i < net->effect_start[t + 1]; i++) {
    uint32_t s = net->effect[i].slot;
    if (__builtin_sub_overflow(k->demand[s], (int64_t)net->effect[i].weight, &k->demand[s])) return TOO_LONG;
    if (__builtin_add_overflow(k->effect[s], (int64_t)net->effect[i].weight, &k->effect[s])) return TOO_LONG;
    if (k->demand[s] < 0) k->demand[s] = 0;
  }
  for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++)
    if (k->demand[net->pre[i].slot] < net->pre[i].weight) k->demand[net->pre[i].slot] = net->pre[i].weight;
  return vec_push(&k->items, k->mem, MEM_ANALYSIS, (struct item){t, 0, 1}) ? REFUSED : MADE;
}

/* The loop of an event at a node that the walk passes: often enough for the demand on the slots it made omega. */
static enum made meet_demand(struct maker *k, uint32_t event) {
  const struct cover_event *e = &k->tree->events.at[event];
  uint32_t i = loop_of(k, event);
  int64_t count = 0;
  for (uint32_t n = 0; n < e->count; n++) {
    uint32_t s = k->tree->event_slots.at[e->first + n];
    int64_t gain = k->loop[i].effect[s], there = (int64_t)cover_value(k->tree, e->base, s) + gain; /* before the event */
    if (gain <= 0) return TOO_LONG; /* not reached: the label grew by it */
    if (k->demand[s] > there) {
      int64_t rounds = (k->demand[s] - there - 1) / gain + 1;
      if (rounds > count) count = rounds;
    }
  }
  return prepend_loop(k, i, (uint64_t)count);
}

/* From node `x` (before its event `until`, COVER_NONE = after all of them) up to `y`, after all events of y. */
static enum made walk_up(struct maker *k, uint32_t y, uint32_t x, uint32_t until) {
  enum made made = MADE;
  for (uint32_t id = x;; id = cover_node(k->tree, id)->parent) {
    for (size_t n = 0; n < k->insertions.count && made == MADE; n++)
      if (k->insertions.at[n].node == id) made = prepend_loop(k, k->insertions.at[n].loop, k->insertions.at[n].count);
    if (id == y || made != MADE) return made;
    /* the events of the node, last first: there are few, so the list is walked again for each */
    for (uint32_t done = id == x ? until : COVER_NONE; made == MADE;) {
      uint32_t last = COVER_NONE;
      for (uint32_t e = cover_node(k->tree, id)->event; e != done && e != COVER_NONE; e = k->tree->events.at[e].next) last = e;
      if (last == COVER_NONE) break;
      made = meet_demand(k, last);
      done = last;
    }
    if (made == MADE) made = prepend_transition(k, cover_node(k->tree, id)->transition);
    if (made != MADE) return made;
  }
}

static void clear(struct maker *k) {
  memset(k->demand, 0, k->net->slots * sizeof *k->demand);
  memset(k->effect, 0, k->net->slots * sizeof *k->effect);
  k->items.count = 0;
}

/* ---- loops ---------------------------------------------------------------------------- */

/* One walk of the loop of event e, with the insertions there are. */
static enum made walk_loop(struct maker *k, uint32_t event) {
  const struct cover_event *e = &k->tree->events.at[event];
  clear(k);
  /* A slot that became omega on the way must come back to what it was at y, so that the loop can be fired again. Slots
     that are finite at both ends take care of themselves: their labels are exact. */
  for (uint32_t s = 0; s < k->net->loose; s++) {
    uint32_t at_base = cover_value(k->tree, e->base, s);
    if (at_base != COVER_OMEGA && cover_value(k->tree, e->node, s) == COVER_OMEGA) k->demand[s] = at_base;
  }
  return walk_up(k, e->base, e->node, event);
}

/* Can the loop be fired where the label of `node` is, given enough in the omegas? */
static int fits(const struct maker *k, const struct loop *l, uint32_t node) {
  for (uint32_t s = 0; s < k->net->slots; s++) {
    uint32_t has = cover_value(k->tree, node, s);
    if (has != COVER_OMEGA && l->need[s] > has) return 0;
  }
  return 1;
}

/* Looks for a good loop that adds to the slot and fits somewhere on the way from x up to y. Not at x itself: its
   label has the omegas of the event under work already. */
static int find_giver(struct maker *k, uint32_t loops, uint32_t slot, uint32_t y, uint32_t x, struct insertion *out) {
  for (uint32_t id = cover_node(k->tree, x)->parent;; id = cover_node(k->tree, id)->parent) {
    for (uint32_t i = 0; i < loops; i++) {
      /* Only after the node of its event the slots it moves are omegas. */
      if (!k->loop[i].good || k->loop[i].effect[slot] <= 0) continue;
      if (cover_node(k->tree, k->tree->events.at[k->loop[i].event].node)->depth > cover_node(k->tree, id)->depth) continue;
      if (!fits(k, &k->loop[i], id)) continue;
      *out = (struct insertion){id, i, 0};
      return 1;
    }
    if (id == y) return 0;
  }
}

static enum made keep_loop(struct maker *k, struct loop *l) {
  l->need = mem_alloc(k->mem, MEM_ANALYSIS, k->net->slots * sizeof *l->need);
  l->effect = mem_alloc(k->mem, MEM_ANALYSIS, k->net->slots * sizeof *l->effect);
  if (!l->need || !l->effect || vec_reserve(&l->items, k->mem, MEM_ANALYSIS, k->items.count)) return REFUSED;
  memcpy(l->need, k->demand, k->net->slots * sizeof *l->need);
  memcpy(l->effect, k->effect, k->net->slots * sizeof *l->effect);
  for (size_t i = k->items.count; i-- > 0;) l->items.at[l->items.count++] = k->items.at[i];
  return MADE;
}

/* The loop of the i-th event of the branch; those before it are there. */
static enum made make_loop(struct maker *k, uint32_t i) {
  struct loop *l = &k->loop[i];
  const struct cover_event *e = &k->tree->events.at[l->event];
  k->insertions.count = 0;
  enum made made = walk_loop(k, l->event);
  int good = 1;
  for (uint32_t s = 0; s < k->net->slots && made == MADE && good; s++) {
    if (k->effect[s] >= 0) continue;
    struct insertion in;
    good = find_giver(k, i, s, e->base, e->node, &in);
    if (!good) break;
    int64_t gain = k->loop[in.loop].effect[s];
    in.count = (uint64_t)((-k->effect[s] - 1) / gain + 1);
    if (vec_push(&k->insertions, k->mem, MEM_ANALYSIS, in)) return REFUSED;
    /* The giver may give to later slots too; their deficits are met less sparingly than possible, never too little. */
  }
  if (made == MADE && k->insertions.count) {
    if (!good) k->insertions.count = 0;
    made = walk_loop(k, l->event);
  }
  if (made != MADE) return made;
  l->good = 1;
  for (uint32_t s = 0; s < k->net->slots; s++) l->good &= k->effect[s] >= 0;
  k->insertions.count = 0;
  return keep_loop(k, l);
}

/* ---- writing out and replaying --------------------------------------------------------- */

struct sequence {
  struct vec(uint32_t); /* transitions of the net */
};

struct frame {
  uint32_t loop; /* COVER_NONE: the items of the maker, backwards */
  size_t next;
  uint64_t left; /* rounds of the item under way */
};

/* Appends the items, loops unrolled. 0, 1: too long, or -1. */
static int write_out(struct maker *k, uint32_t loop, struct sequence *out) {
  struct vec(struct frame) stack = {0};
  int status = vec_push(&stack, k->mem, MEM_ANALYSIS, (struct frame){loop, 0, 0});
  while (!status && stack.count) {
    struct frame *f = &stack.at[stack.count - 1];
    size_t count = f->loop == COVER_NONE ? k->items.count : k->loop[f->loop].items.count;
    if (f->next == count) {
      stack.count--;
      continue;
    }
    struct item item = f->loop == COVER_NONE ? k->items.at[count - 1 - f->next] : k->loop[f->loop].items.at[f->next];
    if (f->left == 0) f->left = item.count;
    if (--f->left == 0) f->next++;
    if (item.is_loop) status = vec_push(&stack, k->mem, MEM_ANALYSIS, (struct frame){item.what, 0, 0});
    else if (out->count >= MOST_STEPS) status = 1;
    else status = vec_push(out, k->mem, MEM_ANALYSIS, k->net->transition[item.what]);
  }
  vec_free(&stack, k->mem);
  return status;
}

/* Fires a transition of the net on real counts. 1, or 0: not enabled (or beyond 64 bits). */
static int fire(const struct pt_net *net, int64_t *marking, uint32_t t) {
  for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++)
    if (marking[net->pre[i].place] < net->pre[i].weight) return 0;
  for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++) marking[net->pre[i].place] -= net->pre[i].weight;
  for (uint32_t i = net->post_start[t]; i < net->post_start[t + 1]; i++)
    if (__builtin_add_overflow(marking[net->post[i].place], (int64_t)net->post[i].weight, &marking[net->post[i].place])) return 0;
  return 1;
}

struct replay {
  const struct pt_net *net;
  int64_t *before, *after; /* per place: at the end of the prefix, after one pump */
};

/* Is this a run that pumps? Steps [skip, skip + length) of the prefix or of the pump are left out.  `aim` must
   gain (COVER_NONE: some place). */
static int pumps(struct replay *r, const struct sequence *prefix, const struct sequence *pump, int in_pump, size_t skip,
                 size_t length, uint32_t aim) {
  size_t places = r->net->places;
  for (size_t p = 0; p < places; p++) r->before[p] = r->net->initial[p];
  for (size_t i = 0; i < prefix->count; i++) {
    if (!in_pump && i >= skip && i < skip + length) continue;
    if (!fire(r->net, r->before, prefix->at[i])) return 0;
  }
  memcpy(r->after, r->before, places * sizeof *r->after);
  for (size_t i = 0; i < pump->count; i++) {
    if (in_pump && i >= skip && i < skip + length) continue;
    if (!fire(r->net, r->after, pump->at[i])) return 0;
  }
  int gain = 0;
  for (size_t p = 0; p < places; p++) {
    if (r->after[p] < r->before[p]) return 0;
    if (r->after[p] > r->before[p]) gain |= aim == COVER_NONE || p == aim;
  }
  return gain;
}

/* Leaves out pieces, large ones first, as long as the rest is still a pumping run and the effort lasts. */
static void shrink(struct replay *r, struct sequence *prefix, struct sequence *pump, uint32_t aim) {
  uint64_t effort = 0;
  for (int round = 0; round < 3; round++) { /* the prefix, the pump, and what of the prefix the shorter pump does not need */
    int in_pump = round == 1;
    struct sequence *s = in_pump ? pump : prefix;
    for (size_t length = s->count;; length /= 2) {
      for (size_t at = s->count; at >= length && length;) { /* from the end: what came last is least needed */
        at -= length;
        effort += prefix->count + pump->count + r->net->places / 4;
        if (effort > SHRINK_STEPS) return;
        if (!pumps(r, prefix, pump, in_pump, at, length, aim)) continue;
        memmove(s->at + at, s->at + at + length, (s->count - at - length) * sizeof *s->at);
        s->count -= length;
      }
      if (length <= 1) break;
    }
  }
}

/* Replays, shortens, and hands over. 1, 0 or -1. */
static int confirm(struct coverability *out, const struct pt_net *net, struct sequence *prefix, struct sequence *pump,
                   uint32_t aim, const char **why) {
  struct mem *m = out->mem;
  struct replay r = {net, mem_alloc(m, MEM_ANALYSIS, net->places * sizeof *r.before),
                     mem_alloc(m, MEM_ANALYSIS, net->places * sizeof *r.after)};
  uint32_t *pumped = NULL;
  int status = -1;
  if (!r.before || !r.after) goto end;
  status = 0;
  *why = why_unproven;
  if (!pumps(&r, prefix, pump, 0, 0, 0, aim)) goto end;
  shrink(&r, prefix, pump, aim);
  if (!pumps(&r, prefix, pump, 0, 0, 0, aim)) goto end;
  size_t count = 0;
  for (uint32_t p = 0; p < net->places; p++) count += r.after[p] > r.before[p];
  pumped = mem_alloc(m, MEM_ANALYSIS, count * sizeof *pumped);
  status = -1;
  if (!pumped) goto end;
  count = 0;
  for (uint32_t p = 0; p < net->places; p++)
    if (r.after[p] > r.before[p]) pumped[count++] = p;
  mem_free(m, out->prefix); /* a run found before gives way */
  mem_free(m, out->pump);
  mem_free(m, out->pumped);
  out->prefix = prefix->at, out->prefix_count = prefix->count;
  out->pump = pump->at, out->pump_count = pump->count;
  out->pumped = pumped, out->pumped_count = count;
  *prefix = *pump = (struct sequence){0};
  *why = NULL;
  status = 1;
end:
  mem_free(m, r.before);
  mem_free(m, r.after);
  return status;
}

/* ---- the whole ------------------------------------------------------------------------- */

/* All events of the branch that ends in `event`, in their order: by depth, and within a node by its list. 0 or -1. */
static int collect_events(struct maker *k, uint32_t event) {
  uint32_t count = 0;
  for (uint32_t id = k->tree->events.at[event].node; id != COVER_NONE; id = cover_node(k->tree, id)->parent)
    for (uint32_t e = cover_node(k->tree, id)->event; e != COVER_NONE; e = k->tree->events.at[e].next) count++;
  k->loop = mem_alloc(k->mem, MEM_ANALYSIS, count * sizeof *k->loop);
  if (!k->loop) return -1;
  /* Events get their numbers as they happen, and a node's happen before those of its descendants: sort by number. */
  for (uint32_t id = k->tree->events.at[event].node; id != COVER_NONE; id = cover_node(k->tree, id)->parent)
    for (uint32_t e = cover_node(k->tree, id)->event; e != COVER_NONE; e = k->tree->events.at[e].next) {
      if (e > event) continue;
      uint32_t i = k->loops++;
      for (; i && k->loop[i - 1].event > e; i--) k->loop[i].event = k->loop[i - 1].event;
      k->loop[i].event = e;
    }
  return 0;
}

static int cover_make(struct maker *k, struct coverability *out, const struct pt_net *net, uint32_t event, uint32_t aim,
                      const char **why) {
  if (collect_events(k, event)) return -1;
  enum made made = MADE;
  for (uint32_t i = 0; i < k->loops && made == MADE; i++) made = make_loop(k, i);
  const struct loop *last = &k->loop[k->loops - 1];
  if (made == MADE && !last->good) {
    *why = why_uses_up;
    return 0;
  }
  if (made == MADE) { /* the way to the base, with what the loop needs in its omegas */
    uint32_t base = k->tree->events.at[event].base, root = base;
    while (cover_node(k->tree, root)->parent != COVER_NONE) root = cover_node(k->tree, root)->parent;
    clear(k);
    for (uint32_t s = 0; s < k->net->slots; s++)
      if (cover_value(k->tree, base, s) == COVER_OMEGA) k->demand[s] = last->need[s];
    made = walk_up(k, root, base, COVER_NONE);
  }
  if (made == REFUSED) return -1;
  *why = why_long;
  if (made == TOO_LONG) return 0;
  struct sequence prefix = {0}, pump = {0};
  int status = write_out(k, COVER_NONE, &prefix);
  if (!status) status = write_out(k, k->loops - 1, &pump);
  status = status < 0   ? -1
           : status > 0 ? 0
                        : confirm(out, net, &prefix, &pump, aim == COVER_NONE ? COVER_NONE : k->net->place[aim], why);
  vec_free(&prefix, k->mem);
  vec_free(&pump, k->mem);
  return status;
}

int cover_run(struct coverability *out, const struct cover_tree *tree, const struct pt_net *net, uint32_t event, uint32_t aim,
              const char **why) {
  struct maker k = {.tree = tree, .net = tree->net, .mem = tree->mem};
  int status = -1;
  k.demand = mem_alloc(k.mem, MEM_ANALYSIS, k.net->slots * sizeof *k.demand);
  k.effect = mem_alloc(k.mem, MEM_ANALYSIS, k.net->slots * sizeof *k.effect);
  if (k.demand && k.effect) status = cover_make(&k, out, net, event, aim, why);
  for (uint32_t i = 0; i < k.loops; i++) {
    mem_free(k.mem, k.loop[i].need);
    mem_free(k.mem, k.loop[i].effect);
    vec_free(&k.loop[i].items, k.mem);
  }
  mem_free(k.mem, k.loop);
  mem_free(k.mem, k.demand);
  mem_free(k.mem, k.effect);
  vec_free(&k.insertions, k.mem);
  vec_free(&k.items, k.mem);
  return status;
}
