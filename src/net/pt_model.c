/* pt_model.c -- a place/transition net behind the model door.
 *
 * arrange.h chooses how markings are packed, layout.h codes them, fire.h plays the game.  This file
 * joins them and speaks for them to searches, properties and people. */
#include "net/pt_inside.h"

#include "net/dependence.h"
#include "net/measure.h"
#include "net/shrink.h"
#include "net/symmetry.h"
#include "model/owners.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void pt_adopt(struct pt_model *m, struct layout *l) {
  m->layout = l;
  m->base.bits = l->bits;
  m->base.words = (l->bits + 31) / 32;
  mem_free(m->base.mem, m->words_read);
  mem_free(m->base.mem, m->words_written);
  m->words_read = m->words_written = NULL;
}

/* ---- the door: exploring ------------------------------------------------------------ */

static void pt_initial(const struct model *base, uint32_t *state) {
  const struct pt_model *m = of(base);
  int64_t *values = m->scratch;
  for (uint32_t p = 0; p < m->net->places; p++) values[p] = m->net->initial[p];
  int fit = layout_encode(m->layout, values, state, base->words, NULL);
  assert(fit == 0);
  (void)fit;
}

static int pt_cursor_open(struct model_cursor **out, const struct model *base, struct mem *mem) {
  struct pt_cursor *c = mem_alloc(mem, MEM_MODEL, sizeof *c);
  if (!c) return -1;
  c->base.model = base;
  c->base.mem = mem;
  c->values = mem_alloc(mem, MEM_MODEL, (base->vars + 1) * sizeof *c->values);
  if (!c->values || fire_open(&c->fire, of(base)->layout, mem)) {
    mem_free(mem, c->values);
    mem_free(mem, c);
    return -1;
  }
  *out = &c->base;
  return 0;
}

static void pt_cursor_close(struct model_cursor *base) {
  if (!base) return;
  fire_close(&at(base)->fire);
  mem_free(base->mem, at(base)->values);
  mem_free(base->mem, base);
}

/* After widening the cursor begins anew in the new layout; peaks go on. */
static int follow_layout(struct pt_cursor *c) {
  const struct layout *now = of(c->base.model)->layout;
  if (c->fire.serial == now->serial) return 0;
  struct fire fresh;
  if (fire_open(&fresh, now, c->base.mem)) return -1;
  fresh.peak_place = c->fire.peak_place;
  fresh.peak_marking = c->fire.peak_marking;
  fire_close(&c->fire);
  c->fire = fresh;
  return 0;
}

static enum model_answer fault(struct model_cursor *base, const char *what) {
  snprintf(base->fault, sizeof base->fault, "%s", what);
  return MODEL_FAULT;
}

static int move(struct model_cursor *base, const uint32_t *state) {
  return fire_move(&at(base)->fire, state, base->model->words);
}

/* Cursors have everything that changes for themselves. */
static int pt_share(struct model *base, unsigned threads, uint64_t expanded) {
  (void)base, (void)threads, (void)expanded;
  return 0;
}

static void pt_pool(struct model_cursor *into, const struct model_cursor *from) {
  struct fire *f = &at(into)->fire;
  const struct fire *g = &((const struct pt_cursor *)from)->fire;
  if (g->peak_place > f->peak_place) f->peak_place = g->peak_place;
  if (g->peak_marking > f->peak_marking) f->peak_marking = g->peak_marking;
}

static enum model_answer pt_successors(struct model_cursor *base, const uint32_t *state, struct model_batch *batch) {
  struct pt_cursor *c = at(base);
  if (follow_layout(c)) return MODEL_MEMORY;
  if (move(base, state)) return fault(base, "a place holds more than 2147483647 tokens");
  return fire_all(&c->fire, batch);
}

static int pt_step(struct model_cursor *base, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group) {
  struct pt_cursor *c = at(base);
  if (follow_layout(c) || move(base, state) || k >= c->fire.enabled_count) return 0;
  const struct layout *l = c->fire.layout;
  uint32_t w = 0;
  for (; k >= (uint32_t)__builtin_popcountll(c->fire.enabled[w]); w++) k -= (uint32_t)__builtin_popcountll(c->fire.enabled[w]);
  uint64_t rest = c->fire.enabled[w];
  while (k--) rest &= rest - 1;
  uint32_t live = w * 64 + (uint32_t)__builtin_ctzll(rest), words = base->model->words;
  *group = l->transition[live];
  memcpy(out, state, (size_t)words * 4);
  for (uint32_t i = l->add_start[live]; i < l->add_start[live + 1]; i++) {
    uint64_t x = layout_word(out, words, l->add[i].word) + l->add[i].amount;
    out[2 * l->add[i].word] = (uint32_t)x;
    if (2 * l->add[i].word + 1 < words) out[2 * l->add[i].word + 1] = (uint32_t)(x >> 32);
  }
  return 1;
}

static int pt_unstep(struct model_cursor *base, const uint32_t *state, uint32_t t, uint32_t *out) {
  const struct pt_model *m = of(base->model);
  const struct pt_net *n = m->net;
  int64_t *values = at(base)->values, change;
  uint32_t place;
  if (pt_gone(n, t)) return 0;
  layout_decode(m->layout, state, base->model->words, values);
  for (uint32_t a = n->post_start[t]; a < n->post_start[t + 1]; a++)
    if (values[n->post[a].place] < (int64_t)n->post[a].weight) return 0;
  for (struct pt_effects it = pt_effects(n, t); pt_effect(&it, &place, &change);) values[place] -= change;
  return layout_encode(m->layout, values, out, base->model->words, NULL) == 0;
}

static int pt_fireable(struct model_cursor *base, const uint32_t *state, uint32_t t) {
  const struct pt_model *m = of(base->model);
  if (m->layout->live_of[t] == PT_NONE) return 0;
  for (uint32_t a = m->net->pre_start[t]; a < m->net->pre_start[t + 1]; a++)
    if (layout_value(m->layout, state, base->model->words, m->net->pre[a].place) < (int64_t)m->net->pre[a].weight) return 0;
  return 1;
}

/* ---- the door: widening ------------------------------------------------------------- */

static int pt_widen(struct model *base, struct model_cursor *cursor, struct err *e) {
  struct pt_model *m = (struct pt_model *)base;
  const struct fire *f = &at(cursor)->fire;
  struct layout *l = NULL;
  assert(!m->old_layout);
  int unpacked = m->misfit; /* it came from elsewhere, and no cursor has met it */
  m->misfit = 0;
  if (!unpacked && f->wide_place == PT_NONE && !m->how.use_units) return err_input(e, (struct place_in_text){base->file, 0, 0}, "a marking cannot be read"); /* unpack met bytes that are none */
  if (arrange_wider(&m->how, m->layout, unpacked ? m->misfit_place : f->wide_place, unpacked ? m->misfit_value : f->wide_value, &l, e)) return -1;
  m->old_layout = m->layout;
  pt_adopt(m, l);
  return 0;
}

static void pt_convert(void *context, const uint32_t *old_words, uint32_t *new_words) {
  struct pt_model *m = context;
  uint32_t words = (m->old_layout->bits + 31) / 32;
  if (m->old_layout->plan == m->layout->plan) {
    layout_convert(m->old_layout, m->layout, old_words, new_words, words, m->base.words);
    return;
  }
  layout_decode(m->old_layout, old_words, words, m->scratch);
  int fit = layout_encode(m->layout, m->scratch, new_words, m->base.words, NULL);
  assert(fit == 0);
  (void)fit;
}

void pt_widen_done(struct model *base, int keep) {
  struct pt_model *m = (struct pt_model *)base;
  struct layout *old = m->old_layout;
  m->old_layout = NULL;
  if (keep) {
    layout_close(old);
  } else {
    layout_close(m->layout);
    pt_adopt(m, old);
  }
}

static int pt_covers(const struct model *base, const uint32_t *small, const uint32_t *big) {
  const struct pt_model *m = of(base);
  int strictly = 0;
  for (uint32_t p = 0; p < m->net->places; p++) {
    int64_t a = layout_value(m->layout, small, base->words, p), b = layout_value(m->layout, big, base->words, p);
    if (b < a) return 0;
    strictly |= b > a;
  }
  return strictly;
}

/* ---- the door: names and values ----------------------------------------------------- */

static int64_t pt_find_var(const struct model *m, const char *name, size_t length) {
  return pt_find_place(of(m)->net, name, length);
}
static int64_t pt_find_group(const struct model *m, const char *name, size_t length) {
  return pt_find_transition(of(m)->net, name, length);
}

static int pt_family(const struct model *m, int groups, const char *name, size_t length, uint32_t *first, uint32_t *count) {
  const struct pt_net *n = of(m)->net;
  const struct pt_family *f = pt_find_family(groups ? &n->transition_families : &n->place_families, name, length);
  if (!f) return 0;
  *first = f->first;
  *count = f->count;
  return 1;
}

/* A node is called by its name where that leads back to it, by its id otherwise. */
static const char *pt_var_name(const struct model *m, uint32_t p) {
  const struct pt_net *n = of(m)->net;
  const char *name = n->place_name[p];
  return pt_find_place(n, name, strlen(name)) == (int64_t)p ? name : n->place_id[p];
}

static const char *pt_group_name(const struct model *m, uint32_t t) {
  const struct pt_net *n = of(m)->net;
  const char *name = n->transition_name[t];
  return pt_find_transition(n, name, strlen(name)) == (int64_t)t ? name : n->transition_id[t];
}

/* The file says it, or the id, or the name does. */
static int pt_owner(const struct model *m, uint32_t t) {
  const struct pt_net *n = of(m)->net;
  int said = n->owned ? owner_said(n->owned[t]) : OWNER_UNSAID;
  if (said == OWNER_UNSAID) said = owner_by_name(n->transition_id[t]);
  return said == OWNER_UNSAID ? owner_by_name(n->transition_name[t]) : said;
}

static struct place_in_text pt_var_place(const struct model *m, uint32_t p) {
  const struct pt_net *n = of(m)->net;
  return (struct place_in_text){n->file, n->place_at[p].line, n->place_at[p].column};
}

static struct place_in_text pt_group_place(const struct model *m, uint32_t t) {
  const struct pt_net *n = of(m)->net;
  return (struct place_in_text){n->file, n->transition_at[t].line, n->transition_at[t].column};
}

/* ---- the door: the definition of nets ----------------------------------------------- */

static void pt_define_initial(const struct model *m, int64_t *values) {
  for (uint32_t p = 0; p < m->vars; p++) values[p] = of(m)->net->initial[p];
}

static int pt_define_step(const struct model *m, const int64_t *values, uint32_t t, int64_t *out) {
  const struct pt_net *n = of(m)->net;
  if (pt_gone(n, t)) return 0;
  memcpy(out, values, n->places * sizeof *out);
  for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) {
    out[n->pre[a].place] -= n->pre[a].weight;
    if (out[n->pre[a].place] < 0) return 0;
  }
  for (uint32_t a = n->post_start[t]; a < n->post_start[t + 1]; a++) out[n->post[a].place] += n->post[a].weight;
  return 1;
}

/* ---- the door: words touched -------------------------------------------------------- */

static void mark_words(const struct pt_model *m, uint32_t place, uint64_t *mask) {
  const struct plan *plan = m->layout->plan;
  uint32_t f = m->layout->place_field[place];
  if (f != PT_NONE) {
    const struct field *field = &m->layout->field[f];
    uint32_t low = field->word * 2 + field->shift / 32,
             high = field->word * 2 + (field->shift + (field->width ? field->width - 1 : 0)) / 32;
    mask[low / 64] |= (uint64_t)1 << low % 64;
    mask[high / 64] |= (uint64_t)1 << high % 64;
  } else if (plan->kind[place] == PLACE_IMPLIED) {
    for (size_t i = plan->term_start[place]; i < plan->term_start[place + 1]; i++) mark_words(m, plan->term[i].place, mask);
  }
}

static size_t mask_words(const struct model *m) { return ((size_t)m->words + 63) / 64; }

static int make_masks(struct pt_model *m) {
  size_t each = mask_words(&m->base);
  uint64_t *reads = mem_alloc(m->base.mem, MEM_MODEL, (m->net->transitions * each + 1) * sizeof *reads);
  uint64_t *writes = mem_alloc(m->base.mem, MEM_MODEL, (m->net->transitions * each + 1) * sizeof *writes);
  if (!reads || !writes) {
    mem_free(m->base.mem, reads);
    mem_free(m->base.mem, writes);
    return -1;
  }
  for (uint32_t t = 0; t < m->net->transitions; t++) {
    uint32_t place;
    int64_t change;
    for (uint32_t a = m->net->pre_start[t]; a < m->net->pre_start[t + 1]; a++)
      mark_words(m, m->net->pre[a].place, reads + t * each);
    for (struct pt_effects it = pt_effects(m->net, t); pt_effect(&it, &place, &change);)
      if (m->layout->place_field[place] != PT_NONE) mark_words(m, place, writes + t * each);
  }
  m->words_read = reads;
  m->words_written = writes;
  return 0;
}

static struct model_words words_of(const struct model *base, uint32_t group, int written) {
  struct pt_model *m = (struct pt_model *)(uintptr_t)base; /* a cache inside an otherwise constant model */
  if (!m->words_read && make_masks(m)) return (struct model_words){NULL, 0};
  size_t each = mask_words(base);
  return (struct model_words){(written ? m->words_written : m->words_read) + group * each, each};
}

static struct model_words pt_reads(const struct model *m, uint32_t group) { return words_of(m, group, 0); }
static struct model_words pt_writes(const struct model *m, uint32_t group) { return words_of(m, group, 1); }

/* ---- the door: distances -------------------------------------------------------------- */

static const struct pt_pace *pace_of(const struct model *base) {
  struct pt_model *m = (struct pt_model *)(uintptr_t)base; /* a cache inside an otherwise constant model */
  if (!m->pace.gain && pt_pace_open(&m->pace, m->net, base->mem)) return NULL;
  return &m->pace;
}

static uint32_t pt_stuck_distance(struct model_cursor *base, const uint32_t *state, int bound) {
  struct pt_cursor *c = at(base);
  const struct pt_pace *pace = bound ? pace_of(base->model) : NULL;
  if (follow_layout(c) || move(base, state)) return 1;
  if (!bound) return c->fire.enabled_count;
  return 1 + (pace ? (c->fire.enabled_count + pace->disables - 1) / pace->disables : c->fire.enabled_count != 0);
}

/* The tokens that are missing; as a bound: the firings that bring those of one place. */
static uint32_t pt_group_distance(struct model_cursor *base, const uint32_t *state, uint32_t t, int bound) {
  const struct pt_model *m = of(base->model);
  const struct pt_pace *pace = bound ? pace_of(base->model) : NULL;
  uint32_t far = 0;
  if (m->layout->live_of[t] == PT_NONE) return MODEL_FAR;
  for (uint32_t a = m->net->pre_start[t]; a < m->net->pre_start[t + 1]; a++) {
    int64_t missing = (int64_t)m->net->pre[a].weight - layout_value(m->layout, state, base->model->words, m->net->pre[a].place);
    if (missing <= 0) continue;
    uint32_t gain = pace ? pace->gain[m->net->pre[a].place] : 1, more = (uint32_t)missing;
    if (bound) more = pace ? gain ? (more + gain - 1) / gain : MODEL_FAR : 1;
    far = model_both(far, more, bound);
  }
  return far;
}

static int64_t pt_gain(const struct model *m, const uint32_t *place, const int64_t *times, size_t count, struct mem *mem) {
  return pt_most_gain(of(m)->net, place, times, count, mem);
}

/* ---- the door: partial orders ----------------------------------------------------------- */

static int dependence_of(const struct model *base, struct dependence *out) {
  struct pt_model *m = (struct pt_model *)(uintptr_t)base; /* a cache inside an otherwise constant model */
  mem_free(base->mem, m->guard);
  return pt_dependence(out, &m->guard, m->net, m->how.structure.dead, base->mem);
}

static int guard_of(struct model_cursor *base, const uint32_t *state, uint32_t guard) {
  const struct pt_model *m = of(base->model);
  const struct fire *f = &at(base)->fire; /* stands on the state: its successors have just been made */
  const struct pt_guard *g = &m->guard[guard];
  return (f->tables ? layout_value(m->layout, state, base->model->words, g->place) : f->tokens[g->place]) >= (int64_t)g->weight;
}

/* ---- the door: progress ---------------------------------------------------------------- */

const struct layout *pt_model_layout(const struct model *m) { return of(m)->layout; }

static int pt_measure(struct model_measure **out, const struct model *base, unsigned kind, struct mem *mem, struct err *e) {
  const struct pt_model *m = of(base);
  struct pt_measure_setup setup = {.net = m->net, .dead = m->how.structure.dead, .plan = m->layout->plan, .semiflows = &m->how.semiflows, .mem = mem};
  uint32_t lower, raise;
  if (kind >= PT_MEASURE_KINDS) return 2;
  int64_t *weight = mem_alloc(mem, MEM_SEARCH, ((size_t)base->vars + 1) * sizeof *weight);
  int answer = weight ? pt_measure_weights(&setup, (enum pt_measure_kind)kind, weight) : -1;
  if (!answer) {
    pt_measure_count(&setup, weight, &lower, &raise);
    answer = pt_measure_open(out, base, weight, !lower, mem);
    weight = NULL;
  }
  mem_free(mem, weight);
  return answer < 0 ? err_memory(e, "a progress measure") : answer;
}

/* ---- the door: a smaller net -------------------------------------------------------------- */

static int pt_smaller(struct model **out, const struct model *base, const struct model_aims *aims, char *what, size_t room, struct mem *mem, struct err *e) {
  const struct pt_model *m = of(base);
  struct pt_shrunk shrunk;
  *out = NULL;
  int answer = pt_shrink(&shrunk, m->net, m->how.structure.dead, aims, what, room, mem, e);
  if (answer) return answer;
  if (pt_model_open(out, shrunk.net, base->language, e)) {
    pt_close(shrunk.net);
    return -1;
  }
  struct pt_model *small = (struct pt_model *)*out;
  small->word = shrunk.word;
  small->word_from = shrunk.from;
  if (pt_model_set_bounds(*out, m->how.proven, e)) { /* what bounds the places of the larger net need not be left */
    model_close(*out);
    *out = NULL;
    return -1;
  }
  return 0;
}

static size_t pt_stands_for(const struct model *base, uint32_t t, const uint32_t **groups) {
  const struct pt_model *m = of(base);
  if (!m->word) return 0;
  *groups = m->word + m->word_from[t];
  return m->word_from[t + 1] - m->word_from[t];
}

/* ---- the door: symmetry ------------------------------------------------------------------- */

void pt_symmetry_ask(const struct model *base, struct pt_symmetry_setup *out) {
  const struct pt_model *m = of(base);
  *out = (struct pt_symmetry_setup){.net = m->net, .dead = m->how.structure.dead, .constant = m->how.structure.constant, .bound = m->how.proven};
  for (uint32_t t = 0; t < m->net->transitions; t++)
    if (out->dead[t] && (m->net->pre_start[t] < m->net->pre_start[t + 1] || m->net->post_start[t] < m->net->post_start[t + 1])) out->loose = 1;
}

struct pt_symmetry_found *pt_symmetry_found(const struct model *m) { return &((struct pt_model *)(uintptr_t)m)->symmetries; /* a cache inside an otherwise constant model */ }

const struct layout *pt_symmetry_layout(const struct model *m) { return of(m)->layout; }

void pt_symmetry_wide(struct model_cursor *base, uint32_t place, int64_t tokens) {
  const struct pt_model *m = of(base->model);
  struct fire *f = &at(base)->fire;
  int single = m->layout->field[m->layout->place_field[place]].single;
  assert(single || m->how.use_units); /* what is proven is true of images, too: symmetry.c */
  f->wide_place = single ? place : PT_NONE;
  f->wide_value = tokens;
}

/* ---- life --------------------------------------------------------------------------- */

static void pt_model_close(struct model *base) {
  struct pt_model *m = (struct pt_model *)base;
  struct mem *mem = base->mem;
  layout_close(m->layout);
  layout_close(m->old_layout);
  arrange_close(&m->how);
  pt_pace_close(&m->pace, mem);
  pt_symmetry_forget(&m->symmetries, mem);
  mem_free(mem, m->scratch);
  mem_free(mem, m->guard);
  mem_free(mem, m->words_read);
  mem_free(mem, m->words_written);
  pt_close(m->net);
  mem_free(mem, m);
}

static const struct model_type pt_type = {
    .kind = "place/transition net",
    .close = pt_model_close,
    .share = pt_share,
    .pool = pt_pool,
    .cursor_open = pt_cursor_open,
    .cursor_close = pt_cursor_close,
    .initial = pt_initial,
    .successors = pt_successors,
    .step = pt_step,
    .unstep = pt_unstep,
    .widen = pt_widen,
    .convert = pt_convert,
    .widen_done = pt_widen_done,
    .covers = pt_covers,
    .value = pt_value,
    .fireable = pt_fireable,
    .find_var = pt_find_var,
    .find_group = pt_find_group,
    .family = pt_family,
    .var_name = pt_var_name,
    .group_name = pt_group_name,
    .owner = pt_owner,
    .var_place = pt_var_place,
    .group_place = pt_group_place,
    .define_initial = pt_define_initial,
    .define_step = pt_define_step,
    .stuck_distance = pt_stuck_distance,
    .group_distance = pt_group_distance,
    .most_gain = pt_gain,
    .measure = pt_measure,
    .dependence = dependence_of,
    .guard = guard_of,
    .symmetry = &pt_symmetry,
    .smaller = pt_smaller,
    .stands_for = pt_stands_for,
    .reads = pt_reads,
    .writes = pt_writes,
    .pack = pt_pack,
    .unpack = pt_unpack,
    .layout_sign = pt_layout_sign,
    .layout_keep = pt_layout_keep,
    .layout_take = pt_layout_take,
};

int pt_model_open(struct model **out, struct pt_net *net, const char *language, struct err *e) {
  struct pt_model *m = mem_alloc(net->mem, MEM_MODEL, sizeof *m);
  if (!m) return err_memory(e, "the model");
  m->base = (struct model){.type = &pt_type,
                           .mem = net->mem,
                           .language = language,
                           .file = net->file,
                           .vars = net->places,
                           .groups = net->transitions};
  struct layout *l = NULL;
  m->scratch = mem_alloc(net->mem, MEM_MODEL, (net->places + 1) * sizeof *m->scratch);
  if (!m->scratch || arrange_open(&m->how, net, net->mem, e) || arrange_layout(&m->how, &l, e)) {
    err_memory(e, "the model");
    pt_model_close(&m->base); /* the net stays the caller's */
    return -1;
  }
  m->net = net;
  pt_adopt(m, l);
  *out = &m->base;
  return 0;
}

const struct pt_net *pt_model_net(const struct model *m) { return m->type == &pt_type ? of(m)->net : NULL; }

int pt_model_set_bounds(struct model *base, const uint32_t *bounds, struct err *e) {
  struct pt_model *m = (struct pt_model *)base;
  struct layout *l = NULL;
  assert(base->type == &pt_type);
  pt_symmetry_forget(&m->symmetries, base->mem);
  arrange_bounds(&m->how, bounds);
  if (arrange_layout(&m->how, &l, e)) return -1;
  layout_close(m->layout);
  pt_adopt(m, l);
  return 0;
}

uint32_t pt_model_bound(const struct model *m, uint32_t place) { return of(m)->how.proven[place]; }

void pt_model_packing(const struct model *base, struct pt_packing *out) {
  const struct pt_model *m = of(base);
  const struct layout *l = m->layout;
  *out = (struct pt_packing){
      .places = base->vars, .bits = l->bits, .dead_transitions = m->how.structure.dead_count, .safe = m->how.use_units ? 1 : 0};
  int all_one = 1;
  out->proven = l->check_start[l->live] == 0;
  for (uint32_t p = 0; p < base->vars; p++) {
    switch ((enum place_kind)l->plan->kind[p]) {
    case PLACE_CONSTANT: out->constant++; break;
    case PLACE_IMPLIED: out->implied++; break;
    default: out->stored++;
    }
    if (m->how.proven[p] > 1) all_one = 0;
  }
  for (uint32_t c = 0; c < l->fields; c++) out->unit_fields += !l->field[c].single;
  if (all_one) out->safe = 2;
}

void pt_cursor_peaks(const struct model_cursor *c, uint32_t *in_place, uint64_t *in_marking) {
  const struct fire *f = &((const struct pt_cursor *)c)->fire;
  *in_place = f->peak_place;
  *in_marking = f->peak_marking;
}
