/* contest_net.c -- one question about the net.
 *
 * What the net's structure says needs no search, nor does what walks and the state equation say (contest_net_settle.c).  The others end as soon as they are decided:
 *
 *   QuasiLiveness   every transition has happened, or the search is complete
 *   StableMarking   every place is changed by a transition that has happened, or the search is complete
 *   OneSafe         a place holds two tokens, or the search is complete
 *   Liveness        a state without successors, or the whole graph: in every component that cannot be left, every transition happens.  Where the first state can be
 *                   reached from everywhere there is one component, and it is enough that every transition happens.  Otherwise components are found, and a second
 *                   search, which numbers states as the first did, tells what happens in them: so the graph needs 4 bytes per edge and not 8.  Before all that, small parts that cannot be left
 *                   are looked for (corner.h).
 *
 * Transitions that did not happen, and places that did not change, are asked for one by one if they are few: in a net that is smaller for the question (contest_apart.c).
 *
 * Of a net that was unfolded the coloured nodes are meant: a transition happens if one of its bindings does, a place holds the tokens of all its colours.  Of one that keeps its colours they are what the model
 * speaks of: nothing but searches tells about it, and a place changes if it holds another number of tokens in some state than at the start. */
#include "run/contest_parts.h"

#include "net/pt_model.h"
#include "run/corner.h"
#include "search/components.h"
#include "search/ctl_operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void tell_by(struct contest *c, enum contest_status status, unsigned by) {
  struct contest_answer answer = {.id = c->name, .status = status, .by = by};
  c->hear(c->context, &answer);
}

static void tell(struct contest *c, enum contest_status status) { tell_by(c, status, 0); }

static int search_with(struct contest *c, struct verdict *v, struct listener *a, struct listener *b, const struct store_type *store, struct err *e) {
  return contest_explore(c, v, &(struct contest_search){.own = {a, b}, .store = store}, e);
}

/* ---- what happens and what changes -------------------------------------------------------------------------------------------- */

struct watch {
  struct listener listener;
  const struct model *model;
  const struct pt_net *net;   /* NULL: a net that keeps its colours */
  int64_t *first;             /* then: tokens of each place at the start */
  int begun;
  uint8_t *seen;              /* per transition of the net */
  uint32_t *unit, *unit_at;   /* what each transition and place counts as: itself, or the coloured one */
  uint8_t *happens, *changes; /* per unit */
  uint32_t silent, still;     /* transitions that have not happened, places that have not changed */
  int until_silent, until_still; /* stop when there are none left */
};

static void watch_group(struct watch *w, uint32_t group) {
  uint32_t place;
  int64_t change;
  w->seen[group] = 1;
  w->silent -= !w->happens[w->unit[group]];
  w->happens[w->unit[group]] = 1;
  if (!w->net) return;
  uint32_t unit = UINT32_MAX;
  int64_t sum = 0;
  struct pt_effects it = pt_effects(w->net, group);
  for (int more = 1; more;) { /* colours of a place stand side by side */
    more = pt_effect(&it, &place, &change);
    if (unit != UINT32_MAX && sum && (!more || w->unit_at[place] != unit)) {
      w->still -= !w->changes[unit];
      w->changes[unit] = 1;
    }
    if (!more) break;
    sum = w->unit_at[place] == unit ? sum + change : change;
    unit = w->unit_at[place];
  }
}

static enum listener_answer watched(const struct watch *w) { return (w->until_silent && !w->silent) || (w->until_still && !w->still) ? LISTEN_GOAL : LISTEN_ON; }

/* A state of a net that keeps its colours; the first one that is told is the start. */
static void watch_state(struct watch *w, const uint32_t *words) {
  const struct model *m = w->model;
  for (uint32_t p = 0; p < m->vars; p++) {
    int64_t tokens = w->changes[p] ? 0 : m->type->amount(m, words, p);
    if (!w->begun) w->first[p] = tokens;
    else if (!w->changes[p] && tokens != w->first[p]) w->changes[p] = 1, w->still--;
  }
  w->begun = 1;
}

static enum listener_answer watch_event(struct listener *l, struct search *s, const struct search_event *event) {
  struct watch *w = (struct watch *)l;
  (void)s;
  if (event->kind == EVENT_NEW) {
    if (w->until_still) watch_state(w, event->words);
    return watched(w);
  }
  if (w->seen[event->group]) return LISTEN_ON;
  watch_group(w, event->group);
  return watched(w);
}

/* What each transition counts as: itself, or the coloured one. How many there are. */
static uint32_t units_of(const struct model *m, uint32_t *unit) {
  const struct pt_net *net = pt_model_net(m);
  if (net) return pt_families_of(&net->transition_families, net->transitions, unit);
  for (uint32_t t = 0; t < m->groups; t++) unit[t] = t;
  return m->groups;
}

static int watch_open(struct watch *w, struct contest *c, struct err *e) {
  const struct model *m = c->run->model;
  const struct pt_net *net = pt_model_net(m);
  struct mem *mem = c->run->mem;
  *w = (struct watch){.listener = {net ? EVENT_EDGE : EVENT_EDGE | EVENT_NEW, watch_event}, .model = m, .net = net};
  w->seen = mem_alloc(mem, MEM_OTHER, (size_t)m->groups + 1);
  w->unit = mem_alloc(mem, MEM_OTHER, ((size_t)m->groups + 1) * sizeof *w->unit);
  w->unit_at = mem_alloc(mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *w->unit_at);
  w->first = mem_alloc(mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *w->first);
  if (!w->seen || !w->unit || !w->unit_at || !w->first) return err_memory(e, "an examination");
  w->silent = units_of(m, w->unit);
  w->still = net ? pt_families_of(&net->place_families, net->places, w->unit_at) : m->vars;
  w->happens = mem_alloc(mem, MEM_OTHER, (size_t)w->silent + 1);
  w->changes = mem_alloc(mem, MEM_OTHER, (size_t)w->still + 1);
  return w->happens && w->changes ? 0 : err_memory(e, "an examination");
}

static void watch_close(struct watch *w, struct contest *c) {
  void *blocks[] = {w->seen, w->first, w->unit, w->unit_at, w->happens, w->changes};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(c->run->mem, blocks[i]);
}

static int quasi_liveness(struct contest *c, struct watch *w, struct err *e) {
  struct verdict v = {0};
  w->until_silent = 1;
  int bad = w->silent ? search_with(c, &v, &w->listener, NULL, NULL, e) : 0;
  if (!bad) tell(c, !w->silent ? CONTEST_TRUE : v.complete ? CONTEST_FALSE : CONTEST_UNKNOWN);
  verdict_close(&v);
  return bad;
}

static int stable_marking(struct contest *c, struct watch *w, struct err *e) {
  struct verdict v = {0};
  w->until_still = 1;
  int bad = w->still ? search_with(c, &v, &w->listener, NULL, NULL, e) : 0;
  if (!bad) tell(c, !w->still ? CONTEST_FALSE : v.complete ? CONTEST_TRUE : CONTEST_UNKNOWN);
  verdict_close(&v);
  return bad;
}

/* ---- single states ------------------------------------------------------------------------------------------------------------- */

static int deadlock(struct contest *c, struct err *e) {
  struct prop p;
  struct verdict v = {0};
  if (prop_open(&p, PROP_DEADLOCK, 1, NULL, c->run->model, c->run->mem, e)) return -1;
  int bad = contest_explore(c, &v, &(struct contest_search){.props = &p, .count = 1, .reduce = 1}, e);
  if (!bad) {
    enum prop_status status = v.property[0].status;
    tell_by(c, status == STATUS_UNKNOWN ? CONTEST_UNKNOWN : contest_truth(status == STATUS_VIOLATED), contest_reductions(&v));
  }
  verdict_close(&v);
  prop_close(&p);
  return bad;
}

struct crowd { /* two tokens in a place */
  struct listener listener;
  int found;
};

static enum listener_answer look_for_crowd(struct listener *l, struct search *s, const struct search_event *event) {
  struct crowd *crowd = (struct crowd *)l;
  uint32_t in_place;
  uint64_t in_marking;
  (void)event;
  pt_cursor_peaks(s->cursor, &in_place, &in_marking);
  crowd->found = in_place > 1;
  return crowd->found ? LISTEN_GOAL : LISTEN_ON;
}

/* ---- one by one ----------------------------------------------------------------------------------------------------------------- */

enum { MOST_WISHES = 64, WISHES_PART = 4 }; /* how many are asked one by one; of the time that is left, for all of them */

/* `start("NAME")end`, a quote in the name written twice. NULL: memory. */
static char *wish_text(struct mem *mem, const char *start, const char *name, const char *end) {
  size_t at = strlen(start);
  char *text = mem_alloc(mem, MEM_OTHER, at + 2 * strlen(name) + strlen(end) + 8);
  if (!text) return NULL;
  memcpy(text, start, at);
  text[at++] = '(';
  text[at++] = '"';
  for (; *name; name++) {
    if (*name == '"') text[at++] = '"';
    text[at++] = *name;
  }
  text[at++] = '"';
  text[at++] = ')';
  memcpy(text + at, end, strlen(end) + 1);
  return text;
}

static char *wish(struct contest *c, const struct watch *w, enum examination is, uint32_t unit) {
  const struct pt_net *n = w->net;
  struct mem *mem = c->run->mem;
  char end[40];
  if (is == QUASI_LIVE) return wish_text(mem, "fireable", n->transition_families.count ? n->transition_families.family[unit].id : n->transition_id[unit], "");
  int64_t start = 0;
  for (uint32_t p = 0; p < n->places; p++) start += w->unit_at[p] == unit ? n->initial[p] : 0;
  snprintf(end, sizeof end, " != %" PRId64, start);
  return wish_text(mem, "tokens", n->place_families.count ? n->place_families.family[unit].id : n->place_id[unit], end);
}

/* Each transition that was not seen to happen (place that was not seen to change) by a search in a net that is smaller for it. Where one never does, that is the answer. */
static enum contest_status one_by_one(struct contest *c, struct watch *w, enum examination is, unsigned *by, struct err *e) {
  uint32_t left = is == QUASI_LIVE ? w->silent : w->still, units = is == QUASI_LIVE ? units_of(w->model, w->unit) : w->net->place_families.count ? w->net->place_families.count : w->net->places;
  uint8_t *known = is == QUASI_LIVE ? w->happens : w->changes;
  double end = contest_seconds(c) * (1 - 1.0 / WISHES_PART);
  if (left > MOST_WISHES) return CONTEST_UNKNOWN;
  for (uint32_t u = 0; u < units; u++) {
    enum contest_status found;
    double now = contest_seconds(c);
    if (known[u]) continue;
    if (now > 0 && now < end + 0.01) break;
    char *text = wish(c, w, is, u);
    int bad = text ? contest_goal(c, text, (now - end) / (double)left, &found, by, e) : err_memory(e, "an examination");
    mem_free(c->run->mem, text);
    if (bad) return CONTEST_UNKNOWN;
    if (found == CONTEST_FALSE) return is == QUASI_LIVE ? CONTEST_FALSE : CONTEST_TRUE;
    if (found == CONTEST_TRUE) {
      known[u] = 1;
      if (is == QUASI_LIVE) w->silent--;
      else w->still--;
    }
    left -= left > 1;
  }
  if (is == QUASI_LIVE ? !w->silent : !w->still) return is == QUASI_LIVE ? CONTEST_TRUE : CONTEST_FALSE;
  return CONTEST_UNKNOWN;
}

/* The coloured places: how many, and what they are called. */
static uint32_t coloured_places(const struct model *m) { return pt_model_net(m) ? pt_model_net(m)->place_families.count : m->vars; }
static const char *coloured_place(const struct model *m, uint32_t i) { return pt_model_net(m) ? pt_model_net(m)->place_families.family[i].id : m->type->var_name(m, i); }

/* tokens("P") <= 1 && ...; NULL: memory. A quote in a name is written twice. */
static char *all_below_two(const struct model *m, struct mem *mem) {
  size_t length = 1, at = 0;
  for (uint32_t i = 0; i < coloured_places(m); i++) length += 2 * strlen(coloured_place(m, i)) + 32;
  char *text = mem_alloc(mem, MEM_OTHER, length);
  for (uint32_t i = 0; text && i < coloured_places(m); i++) {
    at += (size_t)snprintf(text + at, length - at, "%stokens(\"", i ? " && " : "");
    for (const char *c = coloured_place(m, i); *c; c++) {
      if (*c == '"') text[at++] = '"';
      text[at++] = *c;
    }
    at += (size_t)snprintf(text + at, length - at, "\") <= 1");
  }
  return text;
}

/* Coloured places: an invariant about sums. */
static int coloured_one_safe(struct contest *c, struct err *e) {
  struct prop p;
  struct verdict v = {0};
  struct mem *mem = c->run->mem;
  int some = coloured_places(c->run->model) > 0;
  char *text = all_below_two(c->run->model, mem);
  if (!text) return err_memory(e, "an examination");
  int bad = some ? prop_open(&p, PROP_INVARIANT, 1, text, c->run->model, mem, e) : 0;
  mem_free(mem, text);
  if (bad) return -1;
  if (some) bad = contest_explore(c, &v, &(struct contest_search){.props = &p, .count = 1}, e);
  if (!bad) {
    enum prop_status status = some ? v.property[0].status : STATUS_HOLDS;
    tell(c, status == STATUS_UNKNOWN ? CONTEST_UNKNOWN : contest_truth(status == STATUS_HOLDS));
  }
  verdict_close(&v);
  if (some) prop_close(&p);
  return bad;
}

static int one_safe(struct contest *c, struct err *e) {
  struct crowd crowd = {.listener = {EVENT_LAYER | EVENT_TICK, look_for_crowd}};
  struct verdict v = {0};
  int bad = search_with(c, &v, &crowd.listener, NULL, NULL, e);
  if (!bad) {
    int infinite = v.unbounded_count || v.pump, more = crowd.found || (v.has_peaks && v.max_in_place > 1);
    tell(c, infinite || more ? CONTEST_FALSE : v.complete && v.has_peaks ? CONTEST_TRUE : CONTEST_UNKNOWN);
  }
  verdict_close(&v);
  return bad;
}

/* ---- liveness -------------------------------------------------------------------------------------------------------------------- */

struct dead_end {
  struct listener listener;
  int found;
};

static enum listener_answer look_for_dead_end(struct listener *l, struct search *s, const struct search_event *event) {
  (void)s;
  if (event->successors) return LISTEN_ON;
  ((struct dead_end *)l)->found = 1;
  return LISTEN_GOAL;
}

/* Which transitions happen in which of the components that cannot be left. */
struct lasts {
  struct listener listener;
  const struct components *parts;
  uint32_t *slot; /* per component: among those that cannot be left */
  uint8_t *happens;
  uint64_t slots, found;
  uint32_t *unit, groups; /* per transition, and how many there are */
};

static enum listener_answer mark_last(struct listener *l, struct search *s, const struct search_event *event) {
  struct lasts *k = (struct lasts *)l;
  uint32_t part = k->parts->of[event->source];
  (void)s;
  if (!k->parts->last[part]) return LISTEN_ON;
  uint64_t bit = (uint64_t)k->slot[part] * k->groups + k->unit[event->group];
  k->found += !(k->happens[bit / 8] >> bit % 8 & 1);
  k->happens[bit / 8] |= (uint8_t)(1u << bit % 8);
  return LISTEN_ON;
}

/* 1, 0, or -1: not known. */
static int live_in_lasts(struct contest *c, const struct components *parts, struct err *e) {
  struct mem *mem = c->run->mem;
  const struct model *m = c->run->model;
  struct lasts k = {.listener = {EVENT_EDGE, mark_last}, .parts = parts, .unit = mem_alloc(mem, MEM_SEARCH, ((size_t)m->groups + 1) * sizeof *k.unit)};
  struct verdict v = {0};
  int live = -1;
  if (k.unit) k.groups = units_of(m, k.unit);
  k.slot = k.unit ? mem_alloc(mem, MEM_SEARCH, ((size_t)parts->count + 1) * sizeof *k.slot) : NULL;
  for (uint32_t i = 0; k.slot && i < parts->count; i++) k.slot[i] = parts->last[i] ? (uint32_t)k.slots++ : 0;
  k.happens = k.slot ? mem_alloc(mem, MEM_SEARCH, (size_t)(k.slots * k.groups / 8 + 1)) : NULL;
  if (k.happens && search_with(c, &v, &k.listener, NULL, &store_plain, e) == 0 && v.complete) live = k.found == k.slots * k.groups;
  verdict_close(&v);
  mem_free(mem, k.unit);
  mem_free(mem, k.slot);
  mem_free(mem, k.happens);
  return live;
}

static int can_return(const struct contest *c, const struct kripke *k) {
  struct ctl_operators o;
  ctl_operators_open(&o, k, c->run->mem);
  int is = ctl_reversible(&o);
  ctl_operators_close(&o);
  return is;
}

/* The graph is whole and every transition happens somewhere. It is closed when the components are known: the second search needs its memory. */
static int live_in_graph(struct contest *c, struct kripke *k, struct err *e) {
  struct components parts = {0};
  if (can_return(c, k)) return 1;
  int bad = components_find(&parts, &k->graph, c->run->mem, e);
  kripke_close(k);
  int live = bad ? -1 : live_in_lasts(c, &parts, e);
  components_close(&parts);
  if (e->kind == ERR_MEMORY) err_clear(e);
  return live;
}

/* A part that cannot be left says no without the whole graph. */
static int dies_in_corner(const struct contest *c, const struct watch *w) {
  struct corner_setup how = {.model = c->run->model, .mem = c->run->mem, .unit = w->unit, .units = units_of(w->model, w->unit), .seconds = contest_effort(c), .interrupt = c->run->limits.interrupt};
  return corner_find(&how);
}

static int liveness(struct contest *c, struct watch *w, struct err *e) {
  struct kripke k;
  if (dies_in_corner(c, w)) {
    tell(c, CONTEST_FALSE);
    return 0;
  }
  struct verdict v = {0};
  struct dead_end end = {.listener = {EVENT_EXPANDED, look_for_dead_end}};
  if (kripke_open(&k, c->run->model, NULL, 0, c->run->mem, e)) return -1;
  /* The graph's listener and the watch hear the same edges; the end of a path decides at once. */
  struct listener *const others[] = {&w->listener, &end.listener};
  struct run_setup run = *c->run;
  run.listeners = others;
  run.listener_count = 2;
  struct contest with = *c;
  with.run = &run;
  int bad = search_with(&with, &v, &k.listener, NULL, &store_plain, e), live = -1;
  if (!bad && end.found) live = !units_of(w->model, w->unit); /* a coloured transition without any binding is one that is not live */
  else if (!bad && v.complete && w->silent) live = 0;
  else if (!bad && v.complete && !k.failed) live = live_in_graph(c, &k, e);
  if (!bad && e->kind) bad = -1;
  if (!bad) tell(c, live < 0 ? CONTEST_UNKNOWN : contest_truth(live));
  kripke_close(&k);
  verdict_close(&v);
  return bad;
}

/* ---- the door ----------------------------------------------------------------------------------------------------------------------- */

static int is_coloured(const struct contest *c) {
  const struct pt_net *net = pt_model_net(c->run->model);
  return !net || net->place_families.count != 0;
}

/* What needs no search. */
static enum contest_status structural(const struct contest *c, enum examination is) {
  struct pt_packing packing;
  if (is_coloured(c)) return CONTEST_UNKNOWN; /* of single colours, which nobody asks about */
  pt_model_packing(c->run->model, &packing);
  if (is == ONE_SAFE && packing.safe == 2) return CONTEST_TRUE;
  if ((is == QUASI_LIVE || is == LIVE) && packing.dead_transitions) return CONTEST_FALSE;
  if (is == STABLE && packing.constant) return CONTEST_TRUE;
  return CONTEST_UNKNOWN;
}

/* What walks have seen already. */
static void watch_these(struct watch *w, const uint8_t *happens) {
  for (uint32_t t = 0; t < w->model->groups; t++)
    if (happens[t]) watch_group(w, t);
}

static int search_net(struct contest *c, enum examination is, const uint8_t *happens, struct err *e) {
  struct watch w;
  if (is == DEADLOCK) return deadlock(c, e);
  if (is == ONE_SAFE) return is_coloured(c) ? coloured_one_safe(c, e) : one_safe(c, e);
  int bad = watch_open(&w, c, e);
  if (!bad) watch_these(&w, happens);
  if (!bad && w.net && (is == QUASI_LIVE || is == STABLE)) {
    unsigned by = 0;
    enum contest_status known = one_by_one(c, &w, is, &by, e);
    bad = e->kind != 0;
    if (known != CONTEST_UNKNOWN) {
      tell_by(c, known, by);
      is = NONE;
    }
  }
  if (!bad && is != NONE) bad = is == QUASI_LIVE ? quasi_liveness(c, &w, e) : is == STABLE ? stable_marking(c, &w, e) : liveness(c, &w, e);
  watch_close(&w, c);
  return bad;
}

int contest_net(struct contest *c, enum examination is, struct err *e) {
  enum contest_status known = structural(c, is);
  if (known != CONTEST_UNKNOWN) {
    tell(c, known);
    return 0;
  }
  unsigned by = 0;
  uint8_t *happens = mem_alloc(c->run->mem, MEM_OTHER, (size_t)c->run->model->groups + 1);
  if (!happens) return err_memory(e, "an examination");
  if (!is_coloured(c) || is == DEADLOCK) known = contest_net_settle(c, is, happens, &by); /* walks and equations know colours one by one */
  int bad = 0;
  if (known != CONTEST_UNKNOWN) tell_by(c, known, by);
  else bad = search_net(c, is, happens, e);
  mem_free(c->run->mem, happens);
  return bad;
}
