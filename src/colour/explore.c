/* explore.c -- the steps of a state.
 *
 * For each transition the tree of bindings (bind.h) is walked depth first, from the lists that the markings of the state choose.  A leaf is tried change by change; if no place
 * lacks tokens the successor is written: the words of the state, in which the fields of the changed places become others.
 *
 * Priorities: transitions are visited from the smallest number on; when those of one number have made an edge, the others are not asked.  Time: if nothing is
 * enabled now, the clock is tried at each later stamp of a token, in ascending order, until something is; where arcs take tokens before they are ready, also at the times at which
 * bindings that lack tokens may have them.
 *
 * Where random functions draw, nothing is remembered from one state to the next, and the numbers follow from the seed and from how many states were expanded before, or (COLOUR_DRAWS_BY_STATE) from the seed and
 * what is in the state: asking for one edge of the state that was expanded last, or of any, finds the same edges.
 *
 * Whatever is refused memory on the way drops all that is remembered and begins the state anew, once; where several threads look up at once nobody may drop anything, and the one that is left
 * when they have ended does. */
#include "colour/colour_model.h"

#include "ml/instant.h"


#include <stdio.h>
#include <string.h>

void colour_cursor_close(struct model_cursor *base) {
  if (!base) return;
  struct colour_cursor *c = (struct colour_cursor *)base;
  for (size_t p = 0; c->bag && p < colour_of(base->model)->net->places.count; p++) vec_free(&c->bag[p], base->mem);
  mem_free(base->mem, c->bag);
  mem_free(base->mem, c->have);
  mem_free(base->mem, c->sum);
  mem_free(base->mem, c->number);
  mem_free(base->mem, c->lane);
  mem_free(base->mem, c->made);
  mem_free(base->mem, c->stack);
  mem_free(base->mem, c->packed);
  vec_free(&c->leaf, base->mem);
  vec_free(&c->moved, base->model->mem);
  colour_asked_close(c);
  mem_free(base->mem, c);
}

int colour_cursor_open(struct model_cursor **out, const struct model *base, struct mem *mem) {
  const struct colour_model *m = colour_of(base);
  struct colour_cursor *c = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  if (!c) return -1;
  c->base.model = base;
  c->base.mem = mem;
  c->number = mem_alloc(mem, MEM_SEARCH, ((size_t)colour_fields(m) + 1) * sizeof *c->number);
  c->stack = mem_alloc(mem, MEM_SEARCH, (2 * m->deepest + 3) * sizeof *c->stack);
  c->have = mem_alloc(mem, MEM_SEARCH, (size_t)colour_fields(m) + 1);
  c->bag = mem_alloc(mem, MEM_SEARCH, ((size_t)colour_fields(m) + 1) * sizeof *c->bag);
  if (!c->number || !c->stack || !c->have || !c->bag) {
    colour_cursor_close(&c->base);
    return -1;
  }
  *out = &c->base;
  return 0;
}

static int load(struct colour_cursor *c, const uint32_t *state) {
  const struct colour_model *m = colour_of(c->base.model);
  const struct fields *l = m->layout;
  if (l->lanes > c->rooms) {
    uint64_t *lane = mem_resize(c->base.mem, MEM_SEARCH, c->lane, (size_t)l->lanes * sizeof *lane);
    if (lane) c->lane = lane;
    uint64_t *made = lane ? mem_resize(c->base.mem, MEM_SEARCH, c->made, (size_t)l->lanes * sizeof *made) : NULL;
    if (!made) return -1;
    c->made = made;
    c->rooms = l->lanes;
  }
  fields_lanes(l, state, c->lane);
  for (uint32_t i = 0; i < l->fields; i++) c->number[i] = fields_get(l, c->lane, i);
  if (m->implied.dropped) {
    if (!c->sum && !(c->sum = mem_alloc(c->base.mem, MEM_SEARCH, m->implied.cells * sizeof *c->sum))) return -1;
    memset(c->have, 0, m->net->places.count);
  }
  return 0;
}

/* Answers of one state's work beside 0. */
enum { ENOUGH = 1, NO_ROOM = -1, TOO_NARROW = -2, BROKEN = -3, IMPATIENT = -4 };

/* ---- implied places ---------------------------------------------------------------------------------------------------------------------- */

static const int64_t *need_sums(struct colour_cursor *c, uint32_t place) {
  int64_t *sum = c->sum + colour_of(c->base.model)->implied.place[place].first;
  if (c->have[place]) return sum;
  implied_sums(&colour_of(c->base.model)->implied, place, c->number, sum);
  c->have[place] |= HAVE_SUMS;
  return sum;
}

static int need_bag(struct colour_cursor *c, uint32_t place) {
  const struct colour_model *m = colour_of(c->base.model);
  if (c->have[place] & HAVE_BAG) return 0;
  uint32_t made = implied_bag(&m->implied, place, need_sums(c, place), &c->bag[place]);
  if (made == BAGS_NONE) return NO_ROOM;
  if (made) {
    snprintf(c->base.fault, sizeof c->base.fault, "place %.100s has %s", m->net->places.at[place].name, made == BAGS_MANY ? "more tokens than can be counted" : "fewer tokens than none");
    return BROKEN;
  }
  c->have[place] |= HAVE_BAG;
  return 0;
}

static int need_number(struct colour_cursor *c, uint32_t place) {
  int status = need_bag(c, place);
  if (status || c->have[place] & HAVE_NUMBER) return status;
  struct net *net = colour_of(c->base.model)->net;
  c->number[place] = bags_put(&net->places.at[place].markings, c->bag[place].at, c->bag[place].count);
  if (c->number[place] == BAGS_NONE) return NO_ROOM;
  c->have[place] |= HAVE_NUMBER;
  return 0;
}

/* Are the tokens there that a change takes? */
static int has_tokens(struct colour_cursor *c, uint32_t place, uint32_t change) {
  const struct colour_model *m = colour_of(c->base.model);
  const struct implied *im = &m->implied;
  const struct bind_change *k = bind_change(&m->bind, change);
  struct bag take = bags_at(&m->net->places.at[place].effects, k->take);
  const int64_t *sum = need_sums(c, place);
  for (size_t e = 0; e < take.words; e += 2) {
    uint32_t cell = implied_cell(im, place, take.at[e]);
    if (cell == IMPLIED_NONE || sum[cell - im->place[place].first] < take.at[e + 1]) return 0;
  }
  if (k->flags & CHANGE_EMPTY)
    for (uint32_t i = 0; i < im->place[place].cells; i++)
      if (sum[i]) return 0;
  return 1;
}

/* ---- one binding ------------------------------------------------------------------------------------------------------------------------ */

static int put_fault(struct colour_cursor *c, uint32_t fault) {
  if (c->mode != COLOUR_ALL) return 0;
  return model_batch_fault(c->batch, (struct model_fault){.edge = MODEL_NO_EDGE, .claim = MODEL_RUNTIME, .detail = fault - 1}) ? NO_ROOM : 0;
}

/* The marking of a place; of an implied one that has been checked. */
struct bag colour_marking(struct colour_cursor *c, uint32_t place) {
  const struct colour_model *m = colour_of(c->base.model);
  if (!implied_has(&m->implied, place)) return bags_at(&m->net->places.at[place].markings, c->number[place]);
  return need_bag(c, place) ? (struct bag){0} : (struct bag){c->bag[place].at, c->bag[place].count};
}

static uint64_t ways(struct colour_cursor *c, const struct bind_node *n) {
  const struct colour_model *m = colour_of(c->base.model);
  uint64_t all = 1;
  for (uint32_t i = 0; i < n->effects; i++) {
    const struct bind_effect *e = bind_effect(&m->bind, n->effect + i);
    if (e->place & EFFECT_BREAKS) continue;
    uint32_t place = e->place & EFFECT_PLACE, take = bind_change(&m->bind, e->change)->take;
    if (place >= m->net->places.count) continue; /* a slice: its place is asked */
    const struct net_place *p = &m->net->places.at[place];
    if (take && net_choice(m->net, &m->net->transitions.at[n->transition], place)) all *= bag_ways(&p->markings, colour_marking(c, place), bags_at(&p->effects, take));
    if (all > UINT32_MAX) return UINT32_MAX;
  }
  return all;
}

static int misfit(struct colour_cursor *c, uint32_t field) {
  c->misfit = field;
  return TOO_NARROW;
}

/* An edge is there: `c->made` is where it leads, unless the field `narrow` cannot hold it. */
static int emit(struct colour_cursor *c, uint32_t node, const struct bind_node *n, uint32_t narrow) {
  const struct colour_model *m = colour_of(c->base.model);
  uint64_t times = m->per_token ? ways(c, n) : 1;
  struct model_batch *b = c->batch;
  switch (c->mode) {
  case COLOUR_ANY:
    c->edges++;
    c->found |= n->transition == c->sought;
    return c->found ? ENOUGH : 0;
  case COLOUR_ONE:
    c->edges += times;
    if (c->sought >= times) {
      c->sought -= (uint32_t)times;
      return 0;
    }
    if (narrow != UINT32_MAX && c->out) return misfit(c, narrow);
    c->found = node;
    if (c->out) memcpy(c->out, c->made, m->layout->words * sizeof *c->out);
    return ENOUGH;
  case COLOUR_ALL: break;
  }
  if (narrow != UINT32_MAX) return misfit(c, narrow);
  for (; times; times--) {
    if (b->count == b->room && model_batch_grow(b, b->count + 1)) return NO_ROOM;
    memcpy(b->states + b->count * b->stride, c->made, m->layout->words * sizeof *b->states);
    b->group[b->count++] = n->transition;
    c->edges++;
    if (c->notes && vec_push(&c->leaf, c->base.mem, MEM_SEARCH, node)) return NO_ROOM;
  }
  return 0;
}

/* A change lacks tokens now. When may it have them? At the stamp of one that it could take, less the head start that the arc gives it. */
static void note_early(struct colour_cursor *c, uint32_t change) {
  const struct colour_model *m = colour_of(c->base.model);
  const struct bind_change *what = bind_change(&m->bind, change);
  const struct net_place *p = &m->net->places.at[what->place];
  struct bag there = bags_at(&p->markings, c->number[what->place]), take = bags_at(&p->effects, what->take);
  int64_t now = bind_time(&m->bind, c->clock);
  for (size_t t = 0; t < take.words && p->markings.each == 4; t += 4)
    for (size_t i = 0; i < there.words; i += 4) {
      if (there.at[i] != take.at[t]) continue;
      int real = m->net->real_time;
      int64_t at = instant_ready(real, bag_time(there.at + i), instant_subtract(real, bag_time(take.at + t), now));
      if (at > now && at < c->early) c->early = at;
    }
}

static int try_leaf(struct colour_cursor *c, uint32_t node) {
  struct colour_model *m = (struct colour_model *)c->base.model;
  struct bind *b = &m->bind;
  const struct fields *l = m->layout;
  const struct bind_node n = *bind_node(b, node);
  uint32_t narrow = UINT32_MAX;
  if (n.place == BIND_FAULT && n.fault == BIND_TOO_MANY) {
    snprintf(c->base.fault, sizeof c->base.fault, "transition %.70s: random values that it draws have more than %d outcomes in a binding, or %d ways to draw them", m->net->transitions.at[n.transition].name, ML_OUTCOMES, ML_TAPES);
    return BROKEN;
  }
  if (n.place == BIND_FAULT) return put_fault(c, n.fault);
  memcpy(c->made, c->lane, l->lanes * sizeof *c->made);
  for (uint32_t i = 0; i < n.effects; i++) {
    struct bind_effect e = *bind_effect(b, n.effect + i);
    if (e.place & EFFECT_CHECK) {
      if (!has_tokens(c, e.place & EFFECT_PLACE, e.change)) return 0;
      continue;
    }
    if (e.place & EFFECT_BREAKS) {
      narrow = e.place & EFFECT_PLACE;
      implied_breaks(&m->implied, narrow);
      continue;
    }
    uint32_t old = c->number[e.place], now = bind_move(b, e.change, old, &c->moved);
    if (now >= BAGS_MANY) {
      if (now == BAGS_LACKS) {
        if (m->net->early) note_early(c, e.change);
        return 0;
      }
      if (now == BAGS_NONE) return NO_ROOM;
      snprintf(c->base.fault, sizeof c->base.fault, "transition %.70s: place %.70s has more tokens than can be counted", m->net->transitions.at[n.transition].name,
               net_field_place(m->net, e.place)->name);
      return BROKEN;
    }
    if (fields_fits(l, e.place, now)) fields_change(l, c->made, e.place, old, now);
    else narrow = e.place;
  }
  if (n.fault) return put_fault(c, n.fault);
  if (c->clock != UINT32_MAX) {
    uint32_t field = colour_clock_field(m);
    if (fields_fits(l, field, c->clock)) fields_change(l, c->made, field, c->number[field], c->clock);
    else narrow = field;
  }
  return emit(c, node, &n, narrow);
}

/* ---- one transition ------------------------------------------------------------------------------------------------------------------------ */

enum { FEW_TOKENS = 8, AHEAD = 6, NOW_AND_THEN = 1024 };

/* What a leaf will ask for is on its way to the cache while the leaves before it are tried. */
static inline void call_for(const struct colour_cursor *c, const struct bind *b, uint32_t node) {
  const struct bind_node *n = bind_node(b, node);
  if (n->place != BIND_LEAF) return;
  for (uint32_t i = 0; i < n->effects; i++) {
    struct bind_effect e = *bind_effect(b, n->effect + i);
    if (e.place > EFFECT_PLACE) continue;
    __builtin_prefetch(bind_move_slot(b, bind_mixed(e.change, c->number[e.place])));
  }
}

static inline void call_for_first(const struct colour_cursor *c, const struct bind *b, const struct colour_frame *f) {
  for (uint32_t i = f->at; i < f->end && i < f->at + AHEAD; i++) call_for(c, b, bind_child(b, i));
}

static struct colour_frame frame_of(struct bind_list list) { return (struct colour_frame){list.start, list.start + list.count, BIND_LEAF, VALUES_NONE}; }

/* The children of a node: a list, or, where the place has many markings of few tokens, token by token: the tables of tokens are small and stay near, those of markings are not. */
static inline int open_frame(struct colour_cursor *c, struct bind *b, uint32_t node, uint32_t place, struct colour_frame *out) {
  const struct bags *bags = &b->net->places.at[place].markings;
  struct bind_list list;
  int implied = b->implied && b->implied->place[place].dropped, status = implied ? need_bag(c, place) : 0;
  if (status) return status;
  if (bags_count(bags) > b->few_markings) {
    const uint32_t *begins = implied ? NULL : shelf_at(&bags->start, c->number[place]);
    uint32_t start = implied ? 0 : begins[0], end = implied ? (uint32_t)c->bag[place].count : begins[1];
    if ((implied || end - start <= FEW_TOKENS * bags->each) && b->net->transitions.at[bind_node(b, node)->transition].plan.at[bind_node(b, node)->step].ordered) {
      *out = (struct colour_frame){start, end, node, VALUES_NONE};
      return 0;
    }
  }
  if (implied && (status = need_number(c, place))) return status;
  if (c->number[place] == bags_empty(bags)) { /* nothing to look up */
    *out = frame_of((struct bind_list){0, 0});
    return 0;
  }
  if (bind_children(b, node, c->number[place], &list)) return NO_ROOM;
  *out = frame_of(list);
  return 0;
}

/* The next token of a frame: its children become a frame of their own. 1, 0: there is none, -1. */
static inline int next_token(struct colour_cursor *c, struct bind *b, struct colour_frame *f, struct bind_list *out) {
  const struct bind_node *n = bind_node(b, f->node);
  uint32_t place = n->place;
  const struct bags *bags = &b->net->places.at[place].markings;
  const uint32_t *data = b->implied && b->implied->place[place].dropped ? c->bag[place].at : shelf_at(&bags->data, 0);
  while (f->at < f->end) {
    const uint32_t *entry = data + f->at;
    f->at += bags->each;
    if (bags->each == 4 &&
        (entry[0] == f->last || (bag_time(entry) > bind_time(b, n->clock) && !bind_early(b, n))))
      continue;
    f->last = entry[0];
    if (bind_token(b, f->node, entry[0], out)) return -1;
    if (out->count) return 1;
  }
  return 0;
}

/* Has a place no tokens from which a transition takes some in each of its bindings? */
static inline int starved(struct colour_cursor *c, uint32_t transition) {
  const struct colour_model *m = colour_of(c->base.model);
  const struct net_transition *t = &m->net->transitions.at[transition];
  for (uint32_t i = 0; i < t->needs; i++) {
    uint32_t place = t->need[i], first = place, parts = 1, empty = 0;
    if (implied_has(&m->implied, place) && !m->implied.place[place].slices) {
      if (m->implied.place[place].cells == 1 && need_sums(c, place)[0] == 0) return 1;
      continue;
    }
    if (m->implied.dropped) parts = implied_parts(&m->implied, place, &first);
    for (uint32_t f = first; f < first + parts; f++) empty += c->number[f] == bags_empty(&net_field_place(m->net, f)->markings);
    if (empty == parts) return 1;
  }
  return 0;
}

static int try_transition(struct colour_cursor *c, uint32_t transition) {
  if (starved(c, transition)) return 0;
  struct bind *b = &((struct colour_model *)c->base.model)->bind;
  struct colour_frame *top = c->stack;
  struct bind_list list;
  if (bind_root(b, transition, c->clock == UINT32_MAX ? 0 : c->clock, &list)) return NO_ROOM;
  *top = frame_of(list);
  call_for_first(c, b, top);
  for (;;) {
    if (top->node != BIND_LEAF) {
      int there = next_token(c, b, top, &list);
      if (there < 0) return NO_ROOM;
      if (there) {
        *++top = frame_of(list);
        call_for_first(c, b, top);
      } else top--; /* never the first one */
      continue;
    }
    if (top->at == top->end) {
      if (top == c->stack) return 0;
      top--;
      continue;
    }
    if (++c->tried % NOW_AND_THEN == 0 && model_impatient(c->base.patience)) return IMPATIENT;
    uint32_t node = bind_child(b, top->at++), place = bind_node(b, node)->place;
    if (top->at + AHEAD - 1 < top->end) call_for(c, b, bind_child(b, top->at + AHEAD - 1));
    if (place >= BIND_FAULT) {
      int status = try_leaf(c, node);
      if (status) return status;
    } else {
      int status = open_frame(c, b, node, place, top + 1);
      if (status) return status;
      if (top[1].at != top[1].end) {
        top++;
        if (top->node == BIND_LEAF) call_for_first(c, b, top);
      }
    }
  }
}

/* All transitions at one time. */
static int try_all(struct colour_cursor *c) {
  const struct colour_model *m = colour_of(c->base.model);
  size_t count = m->net->transitions.count;
  for (size_t i = 0; i < count; i++) {
    uint32_t t = m->by_priority ? m->by_priority[i] : (uint32_t)i;
    if (m->by_priority && c->edges && i && m->net->transitions.at[t].priority != m->net->transitions.at[m->by_priority[i - 1]].priority) return 0;
    int status = try_transition(c, t);
    if (status) return status;
  }
  return 0;
}

/* The smallest stamp of a token that is larger than `now`; INT64_MAX: none. */
static int64_t next_stamp(const struct colour_cursor *c, int64_t now) {
  const struct colour_model *m = colour_of(c->base.model);
  int64_t next = INT64_MAX;
  for (size_t p = 0; p < m->net->places.count; p++) {
    const struct bags *bags = &m->net->places.at[p].markings;
    if (bags->each != 4) continue;
    struct bag bag = bags_at(bags, c->number[p]);
    for (size_t i = 0; i < bag.words; i += 4) {
      int64_t t = bag_time(bag.at + i);
      if (t > now && t < next) next = t;
    }
  }
  return next;
}

static int try_times(struct colour_cursor *c) {
  struct colour_model *m = (struct colour_model *)c->base.model;
  c->edges = 0;
  c->clock = UINT32_MAX;
  if (!m->net->timed) return try_all(c);
  c->clock = c->number[colour_clock_field(m)];
  for (;;) {
    c->early = INT64_MAX;
    int status = try_all(c);
    if (status || c->edges) return status;
    int64_t next = next_stamp(c, bind_time(&m->bind, c->clock));
    if (c->early < next) next = c->early;
    if (next == INT64_MAX) return 0;
    if ((c->clock = bind_clock(&m->bind, next)) == UINT32_MAX) return NO_ROOM;
    if (model_impatient(c->base.patience)) return IMPATIENT;
  }
}

/* Where neither times nor priorities make others matter, one transition is asked alone. */
static int try_wanted(struct colour_cursor *c) {
  const struct colour_model *m = colour_of(c->base.model);
  if (c->mode != COLOUR_ANY || m->by_priority || m->net->timed) return try_times(c);
  c->edges = 0;
  c->clock = UINT32_MAX;
  return try_transition(c, c->sought);
}

/* By what is in it, not by how it is kept. */
static int hash_state(struct colour_cursor *c, const uint32_t *state, uint64_t *out) {
  size_t length = colour_pack(c->base.model, state, c->packed, c->packed_room);
  if (length > c->packed_room) {
    uint8_t *more = mem_resize(c->base.mem, MEM_SEARCH, c->packed, 2 * length);
    if (!more) return -1;
    c->packed = more;
    c->packed_room = 2 * length;
    length = colour_pack(c->base.model, state, c->packed, c->packed_room);
  }
  *out = hash_bytes(c->packed, length);
  return 0;
}

/* Tries what is wanted; a second time if there was no memory for what is remembered. */
static int run(struct colour_cursor *c, const uint32_t *state, enum colour_mode mode, uint32_t sought) {
  struct colour_model *m = (struct colour_model *)c->base.model;
  struct model_batch *b = c->batch;
  size_t count = b ? b->count : 0, faults = b ? b->fault_count : 0;
  int status = NO_ROOM, alone = !m->net->values.shelf.several;
  if (__atomic_load_n(&m->spoiled, __ATOMIC_RELAXED)) return NO_ROOM;
  if (alone && (bind_too_much(&m->bind) || m->draws)) bind_drop(&m->bind);
  for (int attempt = 0; attempt < 1 + alone && status == NO_ROOM; attempt++) {
    if (attempt) bind_drop(&m->bind);
    uint64_t drawn = m->drawn;
    if (m->draws == COLOUR_DRAWS_BY_STATE && hash_state(c, state, &drawn)) return NO_ROOM;
    if (m->draws) ml_draw(m->net->ml, hash_pair(m->seed, drawn));
    if (b) b->count = count, b->fault_count = faults;
    c->mode = mode;
    c->sought = sought;
    c->found = 0;
    c->leaf.count = 0;
    status = load(c, state) ? NO_ROOM : try_wanted(c);
  }
  if (status < 0 && b) b->count = count, b->fault_count = faults;
  bind_settle();
  return status;
}

enum model_answer colour_successors(struct model_cursor *base, const uint32_t *state, struct model_batch *batch) {
  struct colour_cursor *c = (struct colour_cursor *)base;
  struct colour_model *m = (struct colour_model *)base->model;
  if (!m->net->values.shelf.several) m->asked++;
  if (m->draws) m->drawn += !m->again;
  c->batch = batch;
  int status = run(c, state, COLOUR_ALL, 0);
  if (m->draws) m->again = status == TOO_NARROW;
  if (status == NO_ROOM) return MODEL_MEMORY;
  if (status == TOO_NARROW) return MODEL_WIDEN;
  if (status == IMPATIENT) return MODEL_STOPPED;
  return status == BROKEN ? MODEL_FAULT : MODEL_OK;
}

int colour_note_leaves(struct colour_cursor *c) {
  const struct colour_model *m = colour_of(c->base.model);
  struct model_batch again = {0}, *batch = c->batch;
  if (c->notes) return 0;
  c->notes = 1;
  uint32_t *state = mem_alloc(c->base.mem, MEM_SEARCH, ((size_t)m->layout->words + 2) * sizeof *state);
  int bad = !state || model_batch_open(&again, c->base.mem, m->base.words, 64);
  if (!bad) {
    memcpy(state, c->lane, m->layout->words * sizeof *state);
    c->batch = &again;
    bad = run(c, state, COLOUR_ALL, 0) < 0;
    c->batch = batch;
  }
  model_batch_close(&again);
  mem_free(c->base.mem, state);
  return bad ? -1 : 0;
}

int colour_step(struct model_cursor *base, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group) {
  struct colour_cursor *c = (struct colour_cursor *)base;
  c->batch = NULL;
  c->out = out;
  int status = run(c, state, COLOUR_ONE, k);
  if (status == ENOUGH) *group = bind_node(&colour_of(base->model)->bind, c->found)->transition;
  return status == ENOUGH ? 1 : status ? -1 : 0;
}

/* Yes or no: there is no third answer, so patience has to wait, and without memory nothing can be said any more. */
int colour_fireable(struct model_cursor *base, const uint32_t *state, uint32_t group) {
  struct colour_cursor *c = (struct colour_cursor *)base;
  struct colour_model *m = (struct colour_model *)base->model;
  const struct model_patience *patience = base->patience;
  c->batch = NULL;
  if (group >= m->net->transitions.count) return 0;
  base->patience = NULL;
  int status = run(c, state, COLOUR_ANY, group);
  base->patience = patience;
  if (status == NO_ROOM) __atomic_store_n(&m->spoiled, 1, __ATOMIC_RELAXED);
  return status == ENOUGH;
}

/* ---- stories ---------------------------------------------------------------------------------------------------------------------------------- */

/* The binding of the k-th edge as CPN Tools writes it: Top'Send {n=1,p="a"}. */
int64_t colour_parts(struct model_cursor *base, const uint32_t *state, uint32_t k, void (*hear)(void *, const struct model_part *), void *context) {
  struct colour_cursor *c = (struct colour_cursor *)base;
  const struct colour_model *m = colour_of(base->model);
  char text[1200];
  c->batch = NULL;
  c->out = NULL;
  int status = run(c, state, COLOUR_ONE, k);
  if (status != ENOUGH) return status ? -1 : 0;
  const struct bind_node *n = bind_node(&m->bind, c->found);
  const struct net_transition *t = &m->net->transitions.at[n->transition];
  size_t used = (size_t)snprintf(text, sizeof text, "%.200s", t->name);
  for (uint32_t i = 0; i < t->variables && used + 200 < sizeof text; i++) {
    const struct ml_variable *v = t->variable[i];
    char value[160];
    ml_print(v->colset, values_word(&m->net->values, bind_env(&m->bind, n)[i]), value, sizeof value);
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.40s=%s", i ? "," : " {", v->name, value);
  }
  if (t->variables) snprintf(text + used, sizeof text - used, "}");
  struct model_part part = {.process = {NULL, 0}, .place = t->at, .statement = text, .deed = MODEL_ACTS};
  hear(context, &part);
  return 1;
}
