/* describe.c -- a coloured net as people see it: names of places and transitions, markings as CPN Tools prints them, what went wrong.
 *
 * The variables of the model are the places; the value of one is 0 if it is empty, and otherwise one more than the number of its multiset
 * (multisets.h), which only this room can read.  With time there is one more, the clock,
 * whose value is the time itself, as ml/instant.h numbers it. */
#include "colour/colour_model.h"

#include "ml/instant.h"
#include "ml/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t colour_field_number(const struct colour_model *m, const uint32_t *state, uint32_t var) {
  const struct one_field *f = &m->layout->field[var];
  uint64_t lane = 0;
  size_t first = 2 * (size_t)f->lane, words = m->layout->words - first < 2 ? m->layout->words - first : 2;
  if (f->bits) memcpy(&lane, state + first, words * sizeof *state);
  return (uint32_t)(lane >> f->shift & f->mask);
}

uint32_t colour_number_with(const struct colour_model *m, const uint32_t *state, uint32_t var, struct implied_scratch *scratch) {
  if (!colour_is_implied(m, var)) return colour_field_number(m, state, var);
  const struct implied_place *p = &m->implied.place[var];
  for (uint32_t s = 0; s < p->sources; s++) {
    uint32_t first, parts = implied_parts(&m->implied, p->source[s], &first);
    for (uint32_t f = first; f < first + parts; f++) scratch->number[f] = colour_field_number(m, state, f);
  }
  uint32_t number = implied_number(&m->implied, var, scratch);
  if (number != BAGS_NONE) return number;
  __atomic_store_n(&((struct colour_model *)m)->spoiled, 1, __ATOMIC_RELAXED); /* no step is told from now on */
  return 0;
}

uint32_t colour_number(const struct colour_model *m, const uint32_t *state, uint32_t var) {
  if (!colour_is_implied(m, var)) return colour_field_number(m, state, var);
  struct colour_model *own = (struct colour_model *)m;
  shelf_lock(&m->net->values.shelf);
  struct implied_scratch s = {m->implied.sum, m->scratch, m->made};
  uint32_t number = colour_number_with(m, state, var, &s);
  own->made = s.made;
  shelf_unlock(&m->net->values.shelf);
  return number;
}

int64_t colour_value(const struct model *base, const uint32_t *state, uint32_t var) {
  const struct colour_model *m = colour_of(base);
  uint32_t number = colour_number(m, state, var);
  return var < m->net->places.count ? colour_to_value(&m->net->places.at[var].markings, number) : bind_time(&m->bind, number);
}

static int64_t tokens(const struct colour_model *m, uint32_t place, uint32_t number) {
  const struct bags *b = &m->net->places.at[place].markings;
  return (int64_t)bag_tokens(b, bags_at(b, number));
}

int64_t colour_amount(const struct model *base, const uint32_t *state, uint32_t var) { return tokens(colour_of(base), var, colour_number(colour_of(base), state, var)); }

int64_t colour_tokens(const struct model *base, const uint32_t *state, uint32_t var) { return var < colour_of(base)->net->places.count ? colour_amount(base, state, var) : -1; }

int64_t colour_amount_define(const struct model *base, const int64_t *values, uint32_t var) {
  const struct colour_model *m = colour_of(base);
  return tokens(m, var, colour_from_value(&m->net->places.at[var].markings, values[var]));
}

void colour_peaks(const struct model *base, const uint32_t *state, uint32_t *in_place, uint64_t *in_marking) {
  const struct colour_model *m = colour_of(base);
  uint64_t all = 0;
  for (uint32_t p = 0; p < m->net->places.count; p++) {
    const struct bags *b = &m->net->places.at[p].markings;
    struct bag bag = bags_at(b, colour_number(m, state, p));
    for (size_t i = 0; i < bag.words; i += b->each) {
      all += bag.at[i + 1];
      if (bag.at[i + 1] > *in_place) *in_place = bag.at[i + 1];
    }
  }
  if (all > *in_marking) *in_marking = all;
}

int64_t colour_find_var(const struct model *base, const char *name, size_t length) {
  const struct colour_model *m = colour_of(base);
  int64_t place = net_find_place(m->net, name, length);
  if (place == -1 && m->net->timed && length == 4 && memcmp(name, "time", 4) == 0) return colour_clock_field(m);
  return place;
}

int64_t colour_find_group(const struct model *base, const char *name, size_t length) {
  return net_find_transition(colour_of(base)->net, name, length);
}

const char *colour_var_name(const struct model *base, uint32_t var) {
  const struct net *net = colour_of(base)->net;
  return var < net->places.count ? net->places.at[var].name : "time";
}

const char *colour_group_name(const struct model *base, uint32_t group) { return colour_of(base)->net->transitions.at[group].name; }

struct place_in_text colour_var_place(const struct model *base, uint32_t var) {
  const struct net *net = colour_of(base)->net;
  return var < net->places.count ? net->places.at[var].at : (struct place_in_text){base->file, 0, 0};
}

int colour_owner(const struct model *base, uint32_t group) { return colour_of(base)->net->transitions.at[group].owner; }

struct place_in_text colour_group_place(const struct model *base, uint32_t group) { return colour_of(base)->net->transitions.at[group].at; }

void colour_print_value(const struct model *base, uint32_t var, int64_t value, char *out, size_t room) {
  const struct colour_model *m = colour_of(base);
  if (var >= m->net->places.count) {
    if (m->net->real_time) {
      char text[40];
      ml_print_real(instant_to_real(value), text);
      snprintf(out, room, "%s", text);
    } else snprintf(out, room, "%" PRId64, value);
    return;
  }
  const struct net_place *p = &m->net->places.at[var];
  struct ml_heap *heap;
  snprintf(out, room, "?");
  uint32_t number = value < 0 || value > bags_count(&p->markings) ? BAGS_NONE : colour_from_value(&p->markings, value);
  if (number == BAGS_NONE || ml_heap_open(&heap, base->mem)) return;
  ml_value bag = bag_to_value(&p->markings, bags_at(&p->markings, number), p->colset->timed, heap);
  if (bag) ml_print_multiset(p->colset, bag, out, room);
  ml_heap_close(heap);
  for (char *at = out; *at; at++) /* CPN Tools breaks lines behind ++; here a value is one line */
    if (*at == '\n') memmove(at, at + 1, strlen(at));
}

void colour_describe(const struct model *base, const uint32_t *state, uint32_t var, struct model_var *out) {
  *out = (struct model_var){.kind = MODEL_VAR_PLAIN};
  snprintf(out->name, sizeof out->name, "%s", colour_var_name(base, var));
  memcpy(out->label, out->name, sizeof out->label);
  colour_print_value(base, var, colour_value(base, state, var), out->text, sizeof out->text);
}

void colour_fault_text(const struct model *base, const struct model_fault *fault, char *out, size_t room) {
  const struct bind *b = &colour_of(base)->bind;
  snprintf(out, room, "%s", fault->detail < b->faults.count ? b->faults.at[fault->detail].text : "an inscription cannot be evaluated");
}

struct place_in_text colour_fault_place(const struct model *base, const struct model_fault *fault) {
  const struct colour_model *m = colour_of(base);
  if (fault->detail >= m->bind.faults.count) return (struct place_in_text){base->file, 0, 0};
  return m->net->transitions.at[m->bind.faults.at[fault->detail].transition].at;
}

int colour_warning(const struct model *base, uint32_t index, struct place_in_text *at, char *out, size_t room) {
  const struct net *net = colour_of(base)->net;
  if (index >= net->warnings.count) return 0;
  *at = net->warnings.at[index].at;
  snprintf(out, room, "%s", net->warnings.at[index].text);
  return 1;
}
