/* model.c -- a coloured net behind the model door: opening, layout, widening.
 *
 * Fields begin as wide as the initial marking needs, which is nothing: its numbers are all 0.  Short random walks look ahead when the model is opened, so that most fields have
 * their width before the first state is stored, and the plans of transitions are made anew with the numbers of tokens that places were seen to have.
 *
 * Widening gives every field the bits that the numbers of its place need by now.  One bit more is room for twice as many markings, so a field grows rarely; adding another bit in advance saved
 * few passes over the states and cost telephones-6 ten bits.
 *
 * The walks also tell which places are implied by others (implied.h): they have no field. When a step shows that one of them is not, it gets one, and what was remembered about bindings is
 * forgotten, since it leaves out what need not be done to implied places. */
#define _GNU_SOURCE /* qsort_r */
#include "colour/symmetry_sorts.h"

#include "base/bits.h"
#include "model/look_ahead.h"

#include <stdlib.h>
#include <string.h>

/* ---- layout -------------------------------------------------------------------------------------------------------------------------------- */

static void mark_words(const struct fields *l, uint32_t field, uint64_t *mask) {
  const struct one_field *f = &l->field[field];
  for (uint32_t bit = f->lane * 64 + f->shift; bit < f->lane * 64 + f->shift + f->bits; bit++) mask[bit / 32 / 64] |= (uint64_t)1 << bit / 32 % 64;
}

/* Read and write sets: the words of the places that a transition's arcs touch, and of those that imply them. */
static int make_masks(struct colour_model *m, const struct fields *l, uint64_t **out) {
  size_t words = (l->words + 63) / 64;
  uint64_t *mask = mem_alloc(m->base.mem, MEM_MODEL, (2 * m->net->transitions.count + 1) * words * sizeof *mask);
  if (!mask) return -1;
  for (size_t t = 0; t < m->net->transitions.count; t++) {
    const struct net_transition *at = &m->net->transitions.at[t];
    for (uint32_t i = 0; i < at->arcs + (m->net->timed != 0); i++) {
      const struct net_arc *a = i < at->arcs ? &m->net->arcs.at[at->arc + i] : NULL;
      if (a && implied_has(&m->implied, a->place)) {
        const struct implied_place *p = &m->implied.place[a->place];
        for (uint32_t s = 0; s < p->sources; s++) {
          uint32_t first, parts = implied_parts(&m->implied, p->source[s], &first);
          for (uint32_t f = first; f < first + parts; f++) mark_words(l, f, mask + 2 * t * words);
        }
        for (uint32_t s = 0; s < p->slices; s++) mark_words(l, p->slice + s, mask + (2 * t + 1) * words);
        continue;
      }
      uint32_t field = a ? a->place : colour_clock_field(m);
      mark_words(l, field, mask + 2 * t * words);
      if (!a || a->kind != DRAWING_INHIBITOR) mark_words(l, field, mask + (2 * t + 1) * words);
    }
  }
  if (m->by_priority || m->net->timed) /* whether it may happen depends on all others */
    for (size_t t = 0; t < m->net->transitions.count; t++)
      for (uint32_t word = 0; word < l->words; word++) mask[2 * t * words + word / 64] |= (uint64_t)1 << word % 64;
  *out = mask;
  return 0;
}

static int adopt(struct colour_model *m, struct fields *l) {
  uint64_t *masks, *lane = mem_resize(m->base.mem, MEM_MODEL, m->lane, ((size_t)l->lanes + 1) * sizeof *lane);
  if (!lane) return -1;
  m->lane = lane;
  if (make_masks(m, l, &masks)) return -1;
  mem_free(m->base.mem, m->masks);
  m->masks = masks;
  m->mask_words = (l->words + 63) / 64;
  m->layout = l;
  m->base.words = l->words;
  m->base.bits = l->bits;
  m->serial++;
  return 0;
}

static void drop_layout(struct colour_model *m, struct fields *l) {
  if (!l) return;
  fields_close(l, m->base.mem);
  mem_free(m->base.mem, l);
}

enum { PASS_TAKES_TIME = 20000, CONVERSION_TAKES_TIME = 1 << 24, OFTEN = 8 }; /* states; fields; conversions of one state */

/* The numbers of a place that are in use need so many bits. */
static unsigned needed(const struct colour_model *m, uint32_t field) {
  if (colour_is_implied(m, field)) return 0;
  if (m->net->timed && field == colour_clock_field(m)) return bits_for(m->bind.clocks.count - 1);
  const struct net_place *p = net_field_place(m->net, field);
  return p->idle ? 0 : bits_for((uint64_t)bags_count(&p->markings) - 1);
}

/* A field that grows and is three quarters full gets its next bit along with one that is full, once a pass over the states takes time. */
static unsigned needed_soon(const struct colour_model *m, uint32_t field) {
  unsigned bits = needed(m, field);
  if (m->asked < PASS_TAKES_TIME || bits < 4 || (m->net->timed && field == colour_clock_field(m))) return bits;
  uint64_t count = bags_count(&net_field_place(m->net, field)->markings);
  return count > m->counted[field] && count > ((uint64_t)3 << bits) / 4 ? bits + 1 : bits;
}

/* In a net of thousands of places each new state may mark one that was empty so far.  When the states have been converted often for it, as many empty fields as there are others get a bit in advance: the passes then are as
   many as such a number can be doubled, and the state is at most twice as long as it has to be. */
static void open_ahead(struct colour_model *m) {
  if (m->converted < OFTEN * m->asked || m->converted * colour_fields(m) < CONVERSION_TAKES_TIME) return;
  uint32_t open = 0;
  for (uint32_t f = 0; f < colour_fields(m); f++) open += m->widths[f] != 0;
  for (uint32_t f = 0; f < colour_fields(m) && open; f++) {
    if (m->widths[f] || colour_is_implied(m, f) || (m->net->timed && f == colour_clock_field(m)) || net_field_place(m->net, f)->idle) continue;
    m->widths[f] = 1;
    open--;
  }
}

static void count_markings(struct colour_model *m) {
  for (uint32_t f = 0; f < colour_fields(m); f++)
    if (!m->net->timed || f != colour_clock_field(m)) m->counted[f] = bags_count(&net_field_place(m->net, f)->markings);
}

static struct fields *make_layout(struct colour_model *m) {
  struct fields *l = mem_alloc(m->base.mem, MEM_MODEL, sizeof *l);
  if (l && fields_open(l, m->widths, colour_fields(m), m->base.mem)) {
    mem_free(m->base.mem, l);
    return NULL;
  }
  return l;
}

/* The slices of a place are in use or not. */
static void use_slices(struct colour_model *m, struct implied_place *p, uint32_t slices, int use) {
  p->slices = use ? slices : 0;
  for (uint32_t f = p->slice; f < p->slice + slices; f++) {
    net_field_place(m->net, f)->idle = !use;
    m->widths[f] = (uint8_t)needed(m, f);
  }
}

/* Places that a step has shown not to be implied get a field.  How many markings the states give them shows only while the states are converted; at most as many as the places have that implied
   them, together.  The next widening knows better. */
static void keep_broken(struct colour_model *m) {
  struct implied *im = &m->implied;
  int any = 0;
  for (uint32_t p = 0; im->place && p < m->net->places.count; p++) {
    struct implied_place *at = &im->place[p];
    if (at->loose) m->widths[p] = (uint8_t)needed(m, p);
    at->old = at->dropped;
    at->old_slices = at->slices;
    at->loose = at->dropped && at->broken;
    if (!at->loose) continue;
    unsigned bits = 0;
    for (uint32_t s = 0; s < at->sources; s++) {
      uint32_t first, parts = implied_parts(im, at->source[s], &first);
      for (uint32_t f = first; f < first + parts; f++) bits += m->widths[f];
    }
    at->dropped = 0;
    im->dropped--;
    use_slices(m, at, at->slices, 0);
    if (bits < needed(m, p)) bits = needed(m, p);
    m->widths[p] = (uint8_t)(bits < 32 ? bits : 32);
    any = 1;
  }
  if (any) bind_drop(&m->bind);
}

/* They are implied after all: the states could not be converted. */
static void drop_again(struct colour_model *m) {
  for (uint32_t p = 0; m->implied.place && p < m->net->places.count; p++) {
    struct implied_place *at = &m->implied.place[p];
    if (!at->old || at->dropped) continue;
    at->dropped = 1;
    at->loose = 0;
    m->widths[p] = 0;
    m->implied.dropped++;
    use_slices(m, at, at->old_slices, 1);
  }
  bind_drop(&m->bind);
}

static int widen(struct model *base, struct model_cursor *cursor, struct err *e) {
  struct colour_model *m = (struct colour_model *)base;
  (void)cursor; /* the place that outgrew its field is one of those that need more bits now */
  keep_broken(m);
  for (uint32_t i = 0; i < colour_fields(m); i++)
    if (m->widths[i] < needed_soon(m, i)) m->widths[i] = (uint8_t)needed_soon(m, i);
  open_ahead(m);
  count_markings(m);
  struct fields *fresh = make_layout(m), *old = m->layout;
  if (fresh && fresh->words < old->words) { /* who walks through states has zeros behind the last word, and counts on them */
    fresh->words = old->words;
    fresh->lanes = old->lanes;
  }
  if (!fresh || adopt(m, fresh)) {
    drop_again(m);
    drop_layout(m, fresh);
    return err_memory(e, "wider states");
  }
  m->old = old;
  return 0;
}

static void convert(void *model, const uint32_t *old_words, uint32_t *new_words) {
  struct colour_model *m = model;
  m->converted++;
  fields_lanes(m->old, old_words, m->lane);
  for (uint32_t i = 0; i < m->old->fields; i++) m->scratch[i] = fields_get(m->old, m->lane, i);
  m->implied.before = 1;
  for (uint32_t p = 0; m->implied.place && p < m->net->places.count; p++)
    if (m->implied.place[p].old && !m->implied.place[p].dropped) {
      m->scratch[p] = colour_implied_number(m, p);
      if (m->scratch[p] == BAGS_NONE || !fields_fits(m->layout, p, m->scratch[p])) m->spoiled = 1, m->scratch[p] = 0;
    }
  m->implied.before = 0;
  memset(m->lane, 0, m->layout->lanes * sizeof *m->lane);
  for (uint32_t i = 0; i < m->layout->fields; i++)
    if (m->layout->field[i].bits) fields_change(m->layout, m->lane, i, 0, m->scratch[i]);
  memcpy(new_words, m->lane, m->layout->words * sizeof *new_words);
}

static void widen_done(struct model *base, int keep) {
  struct colour_model *m = (struct colour_model *)base;
  struct fields *gone = keep ? m->old : m->layout;
  if (!keep) drop_again(m);
  if (!keep && adopt(m, m->old)) return; /* no memory to go back: the wider layout serves as well */
  m->old = NULL;
  drop_layout(m, gone);
}

/* Several threads: what they remember grows on the shelf; what is too much is dropped before they begin, and tables that cannot grow while they look up grow then. */
static int share(struct model *base, unsigned threads, uint64_t expanded) {
  struct colour_model *m = (struct colour_model *)base;
  struct shelf *shelf = &m->net->values.shelf;
  if (m->draws) return -1;
  shelf_end(shelf);
  if (m->asked < expanded) m->asked = expanded;
  if (!threads) return 0;
  if (bind_too_much(&m->bind)) bind_drop(&m->bind);
  bind_between(&m->bind);
  shelf_begin(shelf);
  return 0;
}

static void initial(const struct model *base, uint32_t *state) {
  ((struct colour_model *)base)->drawn = 0; /* whoever begins again meets the same numbers */
  memset(state, 0, base->words * sizeof *state);
}

static size_t components(const struct model *base, uint32_t *bit, size_t room) {
  const struct fields *l = colour_of(base)->layout;
  size_t n = 0;
  for (uint32_t at = 0; at < l->bits || !n; at++) /* fields begin at ascending bits, but not in the order of places */
    for (uint32_t i = 0; i < l->fields || (!n && i == l->fields); i++) {
      int begins = i < l->fields && l->field[i].bits && l->field[i].lane * 64 + l->field[i].shift == at;
      if (!begins && !(at == 0 && i == l->fields)) continue;
      if (n < room) bit[n] = at;
      n++;
      break;
    }
  return n;
}

static struct model_words words_of(const struct model *base, uint32_t group, int written) {
  const struct colour_model *m = colour_of(base);
  return (struct model_words){m->masks + (2 * (size_t)group + (size_t)written) * m->mask_words, m->mask_words};
}
static struct model_words reads(const struct model *m, uint32_t group) { return words_of(m, group, 0); }
static struct model_words writes(const struct model *m, uint32_t group) { return words_of(m, group, 1); }

/* ---- opening ------------------------------------------------------------------------------------------------------------------------------------ */

static void close_model(struct model *base) {
  struct colour_model *m = (struct colour_model *)base;
  struct mem *mem = base->mem;
  colour_conditions_close(m);
  for (size_t i = 0; i < 2; i++) colour_foreseen_close(m->foreseen[i]);
  bind_close(&m->bind);
  implied_close(&m->implied);
  drop_layout(m, m->layout);
  mem_free(mem, m->widths);
  mem_free(mem, m->masks);
  mem_free(mem, m->by_priority);
  mem_free(mem, m->scratch);
  vec_free(&m->made, mem);
  mem_free(mem, m->counted);
  mem_free(mem, m->lane);
  net_close(m->net);
  mem_free(mem, m);
}

static int at_a_loss(const struct model *m) { return __atomic_load_n(&colour_of(m)->spoiled, __ATOMIC_RELAXED); }

#define COLOUR_DOOR                                                                                                              \
    .close = close_model,                                                                                                        \
    .share = share,                                                                                                              \
    .cursor_open = colour_cursor_open,                                                                                           \
    .cursor_close = colour_cursor_close,                                                                                         \
    .initial = initial,                                                                                                          \
    .successors = colour_successors,                                                                                             \
    .step = colour_step,                                                                                                         \
    .widen = widen,                                                                                                              \
    .convert = convert,                                                                                                          \
    .widen_done = widen_done,                                                                                                    \
    .components = components,                                                                                                    \
    .value = colour_value,                                                                                                       \
    .at_a_loss = at_a_loss,                                                                                                      \
    .fireable = colour_fireable,                                                                                                 \
    .find_var = colour_find_var,                                                                                                 \
    .find_group = colour_find_group,                                                                                             \
    .var_name = colour_var_name,                                                                                                 \
    .group_name = colour_group_name,                                                                                             \
    .owner = colour_owner,                                                                                                       \
    .var_place = colour_var_place,                                                                                               \
    .group_place = colour_group_place,                                                                                           \
    .print_value = colour_print_value,                                                                                           \
    .define_initial = colour_define_initial,                                                                                     \
    .define_edge = colour_define_edge,                                                                                           \
    .define_all = colour_define_all,                                                                                             \
    .define_pack = colour_define_pack,                                                                                           \
    .define_unpack = colour_define_unpack,                                                                                       \
    .fault_text = colour_fault_text,                                                                                             \
    .fault_place = colour_fault_place,                                                                                           \
    .warning = colour_warning,                                                                                                   \
    .describe = colour_describe,                                                                                                 \
    .parts = colour_parts,                                                                                                       \
    .condition = colour_condition,                                                                                               \
    .vars_are_no_numbers = 1,                                                                                                    \
    .condition_value = colour_condition_value,                                                                                   \
    .condition_define = colour_condition_define,                                                                                 \
    .reads = reads,                                                                                                              \
    .writes = writes,                                                                                                            \
    .slice = &colour_forget,                                                                                                     \
    .thrift_open = colour_thrift_open,                                                                                           \
    .thrift_choose = colour_thrift_choose,                                                                                       \
    .thrift_close = colour_thrift_close,                                                                                         \
    .thrift_worth = 0.7,                                                                                                         \
    .symmetry = &colour_symmetry,                                                                                                \
    .pack = colour_pack,                                                                                                         \
    .unpack = colour_unpack,

static const struct model_type colour_type = {.kind = "coloured net", COLOUR_DOOR};
/* Of a symmetric net: people ask about numbers of tokens, as they would if it were unfolded. */
static const struct model_type symmetric_type = {.kind = "symmetric net", .amount = colour_amount, .amount_define = colour_amount_define, COLOUR_DOOR};

static int compare_priorities(const void *x, const void *y, void *context) {
  const struct net_transition *t = context;
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  if (t[a].priority != t[b].priority) return t[a].priority < t[b].priority ? -1 : 1;
  return a < b ? -1 : a > b;
}

static int sort_by_priority(struct colour_model *m) {
  size_t count = m->net->transitions.count;
  if (!m->net->prioritised) return 0;
  m->by_priority = mem_alloc(m->base.mem, MEM_MODEL, (count + 1) * sizeof *m->by_priority);
  if (!m->by_priority) return -1;
  for (uint32_t i = 0; i < count; i++) m->by_priority[i] = i;
  qsort_r(m->by_priority, count, sizeof *m->by_priority, compare_priorities, m->net->transitions.at);
  return 0;
}

enum { WALK_SUCCESSORS = 40000, WALK_TRIED = 1000000, WALK_LOOKED = 20000000 /* places and transitions */ };

struct colours_met { /* in each place, on a walk */
  const struct colour_model *m;
  uint64_t *colours, seen, walked;
};

static int count_colours(void *context, struct model_cursor *cursor) {
  struct colours_met *met = context;
  const struct net *net = met->m->net;
  for (uint32_t p = 0; p < net->places.count; p++)
    met->colours[p] += bags_at(&net->places.at[p].markings, ((struct colour_cursor *)cursor)->number[p]).words / net->places.at[p].markings.each;
  met->seen++;
  return ((struct colour_cursor *)cursor)->tried > WALK_TRIED || ++met->walked * (net->places.count + net->transitions.count) > WALK_LOOKED;
}

static void look_ahead(struct colour_model *m, uint64_t *colours, uint64_t *seen) {
  struct colours_met met = {m, colours, *seen, 0};
  model_look_ahead(&m->base, WALK_SUCCESSORS, count_colours, &met);
  *seen = met.seen;
}

/* How many steps of a plan branch, one below the other. */
static size_t deepest(const struct net *net) {
  size_t most = 0;
  for (size_t t = 0; t < net->transitions.count; t++) {
    size_t steps = 0;
    for (size_t i = 0; i < net->transitions.at[t].plan.count; i++) steps += net->transitions.at[t].plan.at[i].kind == NET_MATCH;
    if (steps > most) most = steps;
  }
  return most;
}

/* Plans with the numbers of colours that were met. */
static int plan_again(struct colour_model *m, const uint64_t *colours, uint64_t seen, struct err *e) {
  struct net *net = m->net;
  uint32_t *tokens = mem_alloc(m->base.mem, MEM_MODEL, (net->places.count + 1) * sizeof *tokens);
  int status = tokens ? 0 : err_memory(e, "the net");
  for (size_t p = 0; tokens && p < net->places.count; p++) tokens[p] = (uint32_t)(16 * colours[p] / seen) + 1;
  for (size_t t = 0; t < net->transitions.count && !status; t++) status = net_plan(net, &net->transitions.at[t], tokens, e);
  mem_free(m->base.mem, tokens);
  m->deepest = deepest(net);
  bind_drop(&m->bind);
  return status;
}

/* Implied places lose their fields. */
static int spare_implied(struct colour_model *m, struct err *e) {
  if (implied_learn(&m->implied, m->net, &m->bind, m->base.mem)) return 0; /* no memory for it: all are kept */
  if (slice_places(&m->implied, m->net)) return err_memory(e, "the model");
  if (!m->implied.dropped) {
    implied_close(&m->implied);
    return 0;
  }
  uint8_t *widths = mem_resize(m->base.mem, MEM_MODEL, m->widths, (size_t)colour_fields(m) + 1);
  if (widths) m->widths = widths;
  uint32_t *scratch = widths ? mem_resize(m->base.mem, MEM_MODEL, m->scratch, ((size_t)colour_fields(m) + 1) * sizeof *scratch) : NULL;
  if (scratch) m->scratch = scratch;
  uint32_t *counted = scratch ? mem_resize(m->base.mem, MEM_MODEL, m->counted, ((size_t)colour_fields(m) + 1) * sizeof *counted) : NULL;
  if (!counted) return err_memory(e, "the model");
  m->counted = counted;
  count_markings(m);
  for (uint32_t f = 0; f < colour_fields(m); f++) m->widths[f] = (uint8_t)needed(m, f);
  m->bind.implied = &m->implied;
  m->bind.all_checks = m->per_token;
  struct fields *l = make_layout(m), *old = m->layout;
  if (!l || adopt(m, l)) {
    drop_layout(m, l);
    return err_memory(e, "the model");
  }
  drop_layout(m, old);
  return 0;
}

static int learn(struct colour_model *m, struct err *e) {
  uint64_t *colours = mem_alloc(m->base.mem, MEM_MODEL, (m->net->places.count + 1) * sizeof *colours), seen = 0;
  if (!colours) return err_memory(e, "the net");
  look_ahead(m, colours, &seen);
  int status = !seen ? 0 : spare_implied(m, e) || plan_again(m, colours, seen, e) ? -1 : 0;
  mem_free(m->base.mem, colours);
  m->asked = 0;
  return status;
}

int colour_model_open(struct model **out, struct drawing *drawing, const struct colour_setup *setup, const char *language, struct mem *mem,
                      struct err *e) {
  struct net *net;
  *out = NULL;
  if (net_open(&net, drawing, setup, mem, e)) return -1;
  if (colour_check_scalarsets(net, e)) {
    net_close(net);
    return -1;
  }
  struct colour_model *m = mem_alloc(mem, MEM_MODEL, sizeof *m);
  if (!m) {
    net_close(net);
    return err_memory(e, "the model");
  }
  m->base = (struct model){.type = net->drawing->symmetric ? &symmetric_type : &colour_type, .mem = mem, .language = language, .file = net->drawing->file};
  m->net = net;
  m->per_token = setup->per_token;
  m->draws = ml_draws(net->ml) ? setup->draws : COLOUR_CHOOSES;
  m->base.chance = m->draws != COLOUR_CHOOSES;
  m->seed = setup->seed;
  m->deepest = deepest(net);
  m->base.vars = colour_fields(m); /* slices come later, and nobody sees them */
  m->base.groups = (uint32_t)net->transitions.count;
  m->widths = mem_alloc(mem, MEM_MODEL, (size_t)colour_fields(m) + 1);
  m->scratch = mem_alloc(mem, MEM_MODEL, ((size_t)colour_fields(m) + 1) * sizeof *m->scratch);
  m->counted = mem_alloc(mem, MEM_MODEL, ((size_t)colour_fields(m) + 1) * sizeof *m->counted);
  struct fields *l = NULL;
  if (!m->widths || !m->scratch || !m->counted || bind_open(&m->bind, net, setup->remember, mem) || sort_by_priority(m) || !(l = make_layout(m)) || adopt(m, l)) {
    if (l != m->layout) drop_layout(m, l);
    close_model(&m->base);
    return err_memory(e, "the model");
  }
  if (learn(m, e)) {
    close_model(&m->base);
    return -1;
  }
  *out = &m->base;
  return 0;
}

const struct drawing *colour_model_drawing(const struct model *m) {
  return m->type->close == close_model ? colour_of(m)->net->drawing : NULL;
}

const struct flat *colour_model_flat(const struct model *m) { return m->type->close == close_model ? &colour_of(m)->net->flat : NULL; }

void colour_group_drawn(const struct model *m, uint32_t group, uint32_t *instance, uint32_t *on_page) {
  const struct net_transition *t = &colour_of(m)->net->transitions.at[group];
  *instance = t->instance;
  *on_page = t->on_page;
}
