/* define.c -- what a step of a coloured net is, slowly and plainly: what traces are replayed against.
 *
 * A binding gives every variable of a transition a colour of its set.  It is enabled if the guard is true and every place holds what the arcs ask for; then the tokens that the arcs from
 * places say are taken, and those of the arcs to places given.  Nothing here knows plans, patterns, trees of bindings or changes.  Colours are found by trying:
 *
 *   every value of the variable's type that is a token, or a part of one, on a place that the transition takes from
 *   every colour of the set, if it is small
 *   every part of one side of an equation in the guard whose variables have values already
 *
 * in the order in which the transition's variables are compared (net.h), so that bindings come out in the order of edges.  A condition or an arc is looked at as soon as its
 * variables have values, which is the only thing that keeps this from taking for ever; WORK says when it gives up.  What cannot be evaluated is wrong only if the conditions before it in the guard are true and all tokens are there:
 * until that is known it keeps nothing from being tried.
 *
 * What a transition draws at random may be any of its values: everything from the code segment on is done for each tape of choices (ml/chance.h), and outcomes in which the same is bound and given are one step.
 *
 * Markings are numbers here as well (describe.c), so the result is put into the same tables; arithmetic on tokens is done one token at a time. */
#define _GNU_SOURCE /* qsort_r */
#include "colour/colour_model.h"

#include "ml/chance.h"
#include "ml/heap.h"

#include <stdlib.h>
#include <string.h>

enum { WORK = 3000000 /* evaluations */, HEAD_STARTS = 64 };

struct token {
  uint32_t value; /* number in net->values */
  int64_t time;
};
typedef struct vec(struct token) tokens;
typedef struct vec(uint32_t) numbers;

struct definition {
  struct colour_model *m;
  struct net *net;
  struct mem *mem;
  const int64_t *values;
  int64_t now;
  const struct net_transition *t;
  uint32_t group;
  uint32_t env[NET_VARIABLES];
  uint64_t known;
  uint64_t work;
  /* what is sought */
  uint64_t before; /* edges before it */
  uint64_t edges;  /* that were found at this time and priority */
  int64_t *out;
  uint32_t *found_group;
  int found;
  int64_t head_start[HEAD_STARTS]; /* by how much arcs were seen to take tokens before they are ready, at this time */
  unsigned head_starts;
  /* or all of them are told */
  void (*hear)(void *, const struct model_defined *);
  void *context;
  uint32_t raised; /* the first condition of the guard that is known to go wrong; UINT32_MAX = none */
  int unread; /* an arc from a place could not be evaluated */
  struct ml_tape tape;
  struct vec(int64_t) outcome; /* the one that is being made: values of outputs, and what is given; and those before */
  struct vec(size_t) outcome_start;
  int wrong; /* something could not be evaluated, or gave a token that its place cannot have */
};

enum { FAILED = -1 };

static enum ml_answer evaluate(struct definition *d, const struct ml_code *code, ml_value *out) {
  d->work++;
  return net_run(d->net, d->t, code, d->env, d->known, d->now, out);
}

/* ---- tokens --------------------------------------------------------------------------------------------------------------------------------- */

static int read_marking(struct definition *d, uint32_t place, tokens *out) {
  const struct bags *bags = &d->net->places.at[place].markings;
  struct bag bag = bags_at(bags, colour_from_value(bags, d->values[place]));
  out->count = 0;
  for (size_t i = 0; i < bag.words; i += bags->each)
    for (uint32_t n = 0; n < bag.at[i + 1]; n++)
      if (vec_push(out, d->mem, MEM_OTHER, (struct token){bag.at[i], bags->each == 4 ? bag_time(bag.at + i) : 0})) return FAILED;
  return 0;
}

/* The tokens of an arc's value, one by one. 1; 0: it has none (an exception); -1. */
static int read_arc(struct definition *d, const struct net_arc *a, int64_t later, tokens *out) {
  ml_value value;
  enum ml_answer answer = evaluate(d, a->code, &value);
  if (answer != ML_OK) {
    ml_machine_clear(d->net->machine);
    return answer == ML_MEMORY ? FAILED : 0;
  }
  const struct ml_block *b = ml_is_int(value) ? NULL : ml_block(value);
  unsigned each = b && b->tag == ML_BLOCK_TIMED ? 3 : 2;
  int status = 1;
  for (uint32_t i = 0; b && i + each <= b->size && status == 1; i += each) {
    uint32_t number = values_keep(&d->net->values, b->field[i + 1]);
    if (number == VALUES_NONE || ml_to_int(b->field[i]) > 10000000) status = FAILED;
    int64_t time = instant_add(d->net->real_time, later, each == 3 ? ml_to_int(b->field[i + 2]) : 0);
    if (time == INSTANT_NONE && status == 1) status = 0;
    for (int64_t n = 0; n < ml_to_int(b->field[i]) && status == 1; n++)
      if (vec_push(out, d->mem, MEM_OTHER, (struct token){number, time})) status = FAILED;
  }
  ml_machine_clear(d->net->machine);
  return status;
}

/* What an arc takes. x @+ 5 asks for tokens that are ready 5 from now at the latest. */
static int read_input(struct definition *d, const struct net_arc *a, tokens *out) {
  size_t before = out->count;
  int status = read_arc(d, a, 0, out);
  for (size_t i = before; status == 1 && d->net->places.at[a->place].colset->timed && i < out->count; i++) {
    int64_t by = instant_subtract(d->net->real_time, out->at[i].time, d->now);
    unsigned k = 0;
    while (k < d->head_starts && d->head_start[k] != by) k++;
    if (k == HEAD_STARTS) return MODEL_GIVES_UP;
    if (k == d->head_starts) d->head_start[d->head_starts++] = by;
  }
  return status;
}

/* Takes a token of this colour that is old enough, the youngest of them. 1 or 0. */
static int take(tokens *from, struct token wanted, int timed) {
  size_t best = from->count;
  for (size_t i = 0; i < from->count; i++)
    if (from->at[i].value == wanted.value && (!timed || from->at[i].time <= wanted.time) &&
        (best == from->count || from->at[i].time > from->at[best].time))
      best = i;
  if (best == from->count) return 0;
  from->at[best] = from->at[--from->count];
  return 1;
}

static uint64_t count_of(const tokens *all, struct token like, int timed) {
  uint64_t n = 0;
  for (size_t i = 0; i < all->count; i++) n += all->at[i].value == like.value && (!timed || all->at[i].time <= like.time);
  return n;
}

/* ---- candidates ---------------------------------------------------------------------------------------------------------------------------------- */

/* Adds every part of a value that has the type, the value itself included. */
static int gather(struct definition *d, struct ml_type *type, ml_value value, struct ml_type *wanted, numbers *out) {
  const struct ml_block *b = ml_is_int(value) ? NULL : ml_block(value);
  type = ml_type_find(type);
  if (inscription_same_type(type, wanted)) {
    uint32_t number = values_keep(&d->net->values, value);
    if (number == VALUES_NONE || vec_push(out, d->mem, MEM_OTHER, number)) return FAILED;
  }
  if (type->kind == ML_TYPE_TUPLE || type->kind == ML_TYPE_RECORD)
    for (uint32_t i = 0; b && i < type->parts; i++)
      if (gather(d, type->part[i], b->field[i], wanted, out)) return FAILED;
  if (type->kind != ML_TYPE_DATA || !b) return 0;
  if (!inscription_is_list(type)) return gather(d, inscription_argument(type, (uint32_t)ml_to_int(b->field[0])), b->field[1], wanted, out);
  for (ml_value v = value; !ml_is_int(v); v = ml_block(v)->field[1]) {
    if (gather(d, type->part[0], ml_block(v)->field[0], wanted, out)) return FAILED;
    if (inscription_same_type(type, wanted)) {
      uint32_t number = values_keep(&d->net->values, ml_block(v)->field[1]);
      if (number == VALUES_NONE || vec_push(out, d->mem, MEM_OTHER, number)) return FAILED;
    }
  }
  return 0;
}

static int from_tokens(struct definition *d, struct ml_type *wanted, numbers *out) {
  for (uint32_t i = 0; i < d->t->arcs; i++) {
    const struct net_arc *a = &d->net->arcs.at[d->t->arc + i];
    if (a->kind != DRAWING_TO_TRANSITION && a->kind != DRAWING_TEST) continue;
    const struct net_place *p = &d->net->places.at[a->place];
    size_t words = bags_at(&p->markings, colour_from_value(&p->markings, d->values[a->place])).words;
    for (size_t e = 0; e < words; e += p->markings.each) {
      ml_value word = values_word(&d->net->values, bags_at(&p->markings, colour_from_value(&p->markings, d->values[a->place])).at[e]);
      if (gather(d, p->colset->type, word, wanted, out)) return FAILED;
    }
  }
  return 0;
}

struct colours {
  struct definition *d;
  numbers *out;
};

static int hear_colour(void *context, ml_value value) {
  struct colours *c = context;
  uint32_t number = values_keep(&c->d->net->values, value);
  return number == VALUES_NONE || vec_push(c->out, c->d->mem, MEM_OTHER, number) ? -1 : 0;
}

static int from_colours(struct definition *d, const struct ml_colset *set, numbers *out) {
  struct colours c = {d, out};
  struct ml_heap *heap;
  if (!ml_colset_size(set, NET_CHOICES)) return 0;
  if (ml_heap_open(&heap, d->mem)) return FAILED;
  int status = ml_colset_values(d->net->machine, set, heap, hear_colour, &c);
  ml_heap_close(heap);
  return status ? FAILED : 0;
}

static uint64_t variables_in(const struct definition *d, const struct ml_expr *e) {
  uint32_t number[NET_VARIABLES];
  uint64_t mask = 0;
  size_t n = ml_free_variables(e, number, NET_VARIABLES);
  for (size_t i = 0; i < n && i < NET_VARIABLES; i++) mask |= (uint64_t)1 << net_local(d->t, number[i]);
  return mask;
}

static int from_equations(struct definition *d, struct ml_type *wanted, numbers *out) {
  for (uint32_t i = 0; i < d->t->conditions; i++) {
    const struct ml_expr *side[2];
    if (!inscription_equation(d->net->conditions.at[d->t->condition + i].tree, &side[0], &side[1])) continue;
    for (int k = 0; k < 2; k++) {
      const struct ml_code *code;
      struct err quiet = {0};
      ml_value value;
      if (variables_in(d, side[k]) & ~d->known || ml_compile(&code, d->net->ml, side[k], ML_WANT_ANYTHING, NULL, &quiet)) continue;
      int status = evaluate(d, code, &value) == ML_OK ? gather(d, side[k]->type, value, wanted, out) : 0;
      ml_machine_clear(d->net->machine);
      if (status) return FAILED;
    }
  }
  return 0;
}

static int compare_numbers(const void *x, const void *y, void *context) {
  return values_compare(context, *(const uint32_t *)x, *(const uint32_t *)y);
}

/* Candidates for a variable, in order, each once. */
static int candidates(struct definition *d, uint32_t local, numbers *out) {
  const struct ml_colset *set = d->t->variable[local]->colset;
  size_t kept = 0;
  if (from_tokens(d, set->type, out) || from_colours(d, set, out) || from_equations(d, set->type, out)) return FAILED;
  if (out->count) qsort_r(out->at, out->count, sizeof *out->at, compare_numbers, &d->net->values);
  for (size_t i = 0; i < out->count; i++)
    if ((!kept || out->at[kept - 1] != out->at[i]) && ml_belongs(d->net->machine, set, values_word(&d->net->values, out->at[i])) == 1)
      out->at[kept++] = out->at[i];
  out->count = kept;
  return 0;
}

/* ---- bindings -------------------------------------------------------------------------------------------------------------------------------------- */

/* Is what has just become known possible: conditions true, arcs from places satisfied one by one? What cannot be evaluated is. 1, 0, -1. */
static int plausible(struct definition *d, uint64_t fresh) {
  tokens there = {0}, asked = {0};
  int good = 1;
  for (uint32_t i = 0; i < d->t->conditions && i < d->raised && good == 1; i++) {
    const struct net_condition *c = &d->net->conditions.at[d->t->condition + i];
    ml_value value;
    if (c->variables & ~d->known || (fresh && !(c->variables & fresh))) continue;
    enum ml_answer answer = evaluate(d, c->code, &value);
    if (answer == ML_OK) good = ml_to_int(value) != 0;
    else if (answer == ML_MEMORY) good = FAILED;
    else d->raised = i;
    ml_machine_clear(d->net->machine);
  }
  for (uint32_t i = 0; i < d->t->arcs && good == 1; i++) {
    const struct net_arc *a = &d->net->arcs.at[d->t->arc + i];
    if ((a->kind != DRAWING_TO_TRANSITION && a->kind != DRAWING_TEST) || a->variables & ~d->known || (fresh && !(a->variables & fresh))) continue;
    asked.count = 0;
    int read = read_marking(d, a->place, &there) ? FAILED : read_input(d, a, &asked);
    if (read < 0) good = read;
    for (size_t k = 0; k < asked.count && good == 1 && read == 1; k++) good = take(&there, asked.at[k], d->net->places.at[a->place].colset->timed);
  }
  vec_free(&there, d->mem);
  vec_free(&asked, d->mem);
  return good;
}

/* Has the place what all arcs together take from it, as far as they can be evaluated? 1, 0, -1. */
static int affordable(struct definition *d, uint32_t place) {
  tokens there = {0}, asked = {0};
  int good = read_marking(d, place, &there) ? FAILED : 1;
  for (uint32_t i = 0; i < d->t->arcs && good == 1; i++) {
    const struct net_arc *a = &d->net->arcs.at[d->t->arc + i];
    if (a->place != place) continue;
    if (a->kind == DRAWING_INHIBITOR && there.count) good = 0;
    if (a->kind != DRAWING_TO_TRANSITION && a->kind != DRAWING_TEST) continue;
    size_t before = asked.count;
    int read = read_input(d, a, &asked);
    if (read < 0) good = read;
    if (read == 0) asked.count = before, d->unread = 1;
  }
  for (size_t i = 0; i < asked.count && good == 1; i++) good = take(&there, asked.at[i], d->net->places.at[place].colset->timed);
  vec_free(&there, d->mem);
  vec_free(&asked, d->mem);
  return good;
}

static uint64_t ways_of(const tokens *there, const tokens *asked, int timed) {
  uint64_t ways = 1;
  for (size_t i = 0; i < asked->count; i++) {
    size_t first = 0;
    while (asked->at[first].value != asked->at[i].value) first++;
    if (first == i) ways *= bag_binomial(count_of(there, asked->at[i], timed), count_of(asked, asked->at[i], 0));
    if (ways > UINT32_MAX) return UINT32_MAX;
  }
  return ways;
}

/* ---- outcomes -------------------------------------------------------------------------------------------------------------------------------------- */

static int note(struct definition *d, int64_t what) { return vec_push(&d->outcome, d->mem, MEM_OTHER, what) ? FAILED : 0; }

static int compare_tokens(const void *x, const void *y) {
  const struct token *a = x, *b = y;
  if (a->value != b->value) return a->value < b->value ? -1 : 1;
  return a->time < b->time ? -1 : a->time > b->time;
}

/* What a place is given is a part of the outcome. 0 or -1. */
static int note_tokens(struct definition *d, tokens *given) {
  int status = note(d, (int64_t)given->count);
  if (given->count) qsort(given->at, given->count, sizeof *given->at, compare_tokens);
  for (size_t i = 0; i < given->count && !status; i++) status = note(d, given->at[i].value) || note(d, given->at[i].time) ? FAILED : 0;
  return status;
}

/* Was there the same outcome before? Else it is kept. 1, 0, -1. */
static int known_outcome(struct definition *d) {
  size_t last = d->outcome_start.at[d->outcome_start.count - 1], length = d->outcome.count - last;
  for (size_t i = 0; i + 1 < d->outcome_start.count; i++) {
    size_t from = d->outcome_start.at[i];
    if (d->outcome_start.at[i + 1] - from == length && (!length || memcmp(d->outcome.at + from, d->outcome.at + last, length * sizeof *d->outcome.at) == 0)) return 1;
  }
  return vec_push(&d->outcome_start, d->mem, MEM_OTHER, d->outcome.count) ? FAILED : 0;
}

/* What the binding makes of a place. 1, 0: it is not enabled, -1. */
static int change_place(struct definition *d, uint32_t place, int64_t delay, int64_t *out, uint64_t *ways) {
  struct net_place *p = &d->net->places.at[place];
  tokens there = {0}, asked = {0}, given = {0};
  int timed = p->colset->timed, good = read_marking(d, place, &there) ? FAILED : 1, reset = 0;
  size_t before = there.count;
  for (uint32_t i = 0; i < d->t->arcs && good == 1; i++) {
    const struct net_arc *a = &d->net->arcs.at[d->t->arc + i];
    if (a->place != place) continue;
    if (a->kind == DRAWING_INHIBITOR && before) good = 0;
    reset |= a->kind == DRAWING_RESET;
    if (a->kind == DRAWING_TO_TRANSITION || a->kind == DRAWING_TEST) good = read_input(d, a, &asked);
    if (good == 1 && (a->kind == DRAWING_TO_PLACE || a->kind == DRAWING_TEST)) {
      good = read_arc(d, a, timed ? delay : 0, &given);
      d->wrong |= !good;
    }
  }
  if (good == 1 && d->t->draws && note_tokens(d, &given)) good = FAILED;
  if (good == 1 && net_choice(d->net, d->t, place)) *ways *= ways_of(&there, &asked, timed);
  for (size_t i = 0; i < asked.count && good == 1; i++) good = take(&there, asked.at[i], timed);
  if (reset) there.count = 0;
  for (size_t i = 0; i < given.count && good == 1; i++) {
    if (ml_belongs(d->net->machine, p->colset, values_word(&d->net->values, given.at[i].value)) != 1) good = 0, d->wrong = 1; /* a run-time error: no step */
    else if (vec_push(&there, d->mem, MEM_OTHER, given.at[i])) good = FAILED;
  }
  if (good == 1) {
    bag_words words = {0};
    for (size_t i = 0; i < there.count && good == 1; i++)
      if (bag_add(&p->markings, &words, there.at[i].value, 1, there.at[i].time)) good = FAILED;
    uint32_t number = good == 1 ? bags_put(&p->markings, words.at, words.count) : BAGS_NONE;
    if (number == BAGS_NONE) good = FAILED;
    else *out = colour_to_value(&p->markings, number);
    vec_free(&words, p->markings.mem);
  }
  vec_free(&there, d->mem);
  vec_free(&asked, d->mem);
  vec_free(&given, d->mem);
  return good;
}

/* Runs the code segment and the delay. 1, 0, -1. */
static int act(struct definition *d, int64_t *delay) {
  ml_value value;
  *delay = 0;
  for (int k = 0; k < 2; k++) {
    const struct ml_code *code = k ? d->t->delay : d->t->action;
    if (!code) continue;
    enum ml_answer answer = evaluate(d, code, &value);
    int status = answer == ML_OK ? 1 : answer == ML_MEMORY ? FAILED : 0;
    if (status == 1 && k) *delay = ml_instant(d->net->real_time, value), status = *delay >= 0;
    for (uint32_t i = 0; i < d->t->outputs && !k && status == 1; i++) {
      uint32_t local = d->t->output[i];
      d->env[local] = values_keep(&d->net->values, net_output(d->t, value, i));
      if (d->env[local] == VALUES_NONE) status = FAILED;
      else if (ml_belongs(d->net->machine, d->t->variable[local]->colset, values_word(&d->net->values, d->env[local])) != 1) status = 0;
      d->known |= (uint64_t)1 << local;
      if (status == 1 && d->t->draws && note(d, d->env[local])) status = FAILED;
    }
    ml_machine_clear(d->net->machine);
    d->wrong |= status != 1;
    if (status != 1) return status;
  }
  return 1;
}

static int touches(const struct net *net, const struct net_transition *t, uint32_t place) {
  for (uint32_t i = 0; i < t->arcs; i++)
    if (net->arcs.at[t->arc + i].place == place) return 1;
  return 0;
}

/* Does an arc before this one touch the same place? */
static int touched_before(const struct definition *d, uint32_t arc) {
  for (uint32_t i = 0; i < arc; i++)
    if (d->net->arcs.at[d->t->arc + i].place == d->net->arcs.at[d->t->arc + arc].place) return 1;
  return 0;
}

/* What happens, with what is drawn. 0 or -1. */
static int occur(struct definition *d, int64_t *next) {
  uint64_t known = d->known, ways = 1;
  int64_t delay;
  memcpy(next, d->values, d->net->places.count * sizeof *next);
  int good = act(d, &delay);
  for (uint32_t i = 0; i < d->t->arcs && good == 1; i++) { /* in the order of arcs: that is the one of draws */
    uint32_t p = d->net->arcs.at[d->t->arc + i].place;
    if (!touched_before(d, i)) good = change_place(d, p, delay, &next[p], &ways);
    if (ways > UINT32_MAX) ways = UINT32_MAX;
  }
  if (d->tape.too_many) good = MODEL_GIVES_UP;
  if (good == 1 && d->t->draws) {
    int before = known_outcome(d);
    good = before < 0 ? FAILED : !before;
  }
  if (good == 1) {
    uint64_t times = d->m->per_token ? ways : 1;
    if (d->hear) {
      if (d->net->timed) next[d->net->places.count] = d->now;
      for (uint64_t i = 0; i < times; i++) d->hear(d->context, &(struct model_defined){.group = d->group, .values = next, .vars = d->net->places.count + d->net->timed});
    } else if (!d->found && d->before < d->edges + times) {
      d->found = 1;
      *d->found_group = d->group;
      memcpy(d->out, next, d->net->places.count * sizeof *next);
      if (d->net->timed) d->out[d->net->places.count] = d->now;
    }
    d->edges += times;
  }
  d->known = known;
  return good < 0 ? good : 0;
}

/* Each outcome once, in the order of tapes. 0 or -1. */
static int occur_by_chance(struct definition *d, int64_t *next) {
  int status;
  ml_tape_open(&d->tape);
  d->outcome.count = d->outcome_start.count = 0;
  if (vec_push(&d->outcome_start, d->mem, MEM_OTHER, 0)) return FAILED;
  ml_machine_tape(d->net->machine, &d->tape);
  do {
    d->outcome.count = d->outcome_start.at[d->outcome_start.count - 1];
    status = d->work > WORK || d->outcome_start.count > ML_OUTCOMES + 1 ? MODEL_GIVES_UP : occur(d, next);
  } while (!status && !d->found && ml_tape_next(&d->tape));
  ml_machine_tape(d->net->machine, NULL);
  return status ? status : d->tape.too_many ? MODEL_GIVES_UP : 0;
}

/* All variables have values: the step, if it is one. 0 or -1. */
static int complete(struct definition *d) {
  int64_t *next = mem_alloc(d->mem, MEM_OTHER, (d->net->places.count + 2) * sizeof *next);
  int good = next ? 1 : FAILED;
  d->unread = 0;
  for (uint32_t p = 0; p < d->net->places.count && good == 1; p++) good = touches(d->net, d->t, p) ? affordable(d, p) : 1;
  if (good == 1 && (d->unread || d->raised != UINT32_MAX)) good = 0, d->wrong = 1;
  if (good == 1) good = d->t->draws ? occur_by_chance(d, next) : occur(d, next);
  mem_free(d->mem, next);
  return good < 0 ? good : 0;
}

/* Tries the colours of the at-th variable, and then those of the next. */
static int try_variable(struct definition *d, uint32_t at) {
  uint32_t named = d->t->variables - (d->t->action ? d->t->outputs : 0);
  if (d->found) return 0;
  if (at >= named) return complete(d);
  uint32_t local = d->t->order[at];
  numbers all = {0};
  int status = candidates(d, local, &all);
  uint32_t raised = d->raised;
  for (size_t i = 0; i < all.count && !status && !d->found; i++) {
    d->env[local] = all.at[i];
    d->raised = raised;
    d->known |= (uint64_t)1 << local;
    int good = d->work > WORK ? MODEL_GIVES_UP : plausible(d, (uint64_t)1 << local);
    if (good == 1) status = try_variable(d, at + 1);
    else if (good < 0) status = good;
    d->known &= ~((uint64_t)1 << local);
  }
  d->raised = raised;
  vec_free(&all, d->mem);
  return status;
}

static int try_transition(struct definition *d, uint32_t group) {
  d->group = group;
  d->t = &d->net->transitions.at[group];
  d->known = 0;
  d->raised = UINT32_MAX;
  int good = plausible(d, 0);
  return good == 1 ? try_variable(d, 0) : good;
}

/* All transitions at one time: those of the smallest priority that have an edge. */
static int try_all(struct definition *d) {
  int64_t last = INT64_MIN;
  for (;;) {
    int64_t priority = INT64_MAX;
    for (size_t t = 0; t < d->net->transitions.count; t++)
      if (d->net->transitions.at[t].priority > last && d->net->transitions.at[t].priority < priority) priority = d->net->transitions.at[t].priority;
    for (uint32_t t = 0; t < d->net->transitions.count && !d->found; t++) {
      int status = d->net->transitions.at[t].priority == priority ? try_transition(d, t) : 0;
      if (status) return status;
    }
    if (d->edges || d->found || priority == INT64_MAX) return 0;
    last = priority;
  }
}

static int64_t next_time(struct definition *d) {
  int64_t next = INT64_MAX;
  for (size_t p = 0; p < d->net->places.count; p++) {
    const struct bags *bags = &d->net->places.at[p].markings;
    struct bag bag = bags_at(bags, colour_from_value(bags, d->values[p]));
    for (size_t i = 0; bags->each == 4 && i < bag.words; i += 4)
      for (unsigned k = 0; k <= d->head_starts; k++) {
        int64_t at = instant_ready(d->net->real_time, bag_time(bag.at + i), k < d->head_starts ? d->head_start[k] : 0);
        if (at > d->now && at < next) next = at;
      }
  }
  return next;
}

void colour_define_initial(const struct model *base, int64_t *values) {
  const struct net *net = colour_of(base)->net;
  for (uint32_t i = 0; i < base->vars; i++) values[i] = i < net->places.count ? colour_to_value(&net->places.at[i].markings, 0) : 0;
}

/* At the time of the state, or at the next one at which there is a step. 0, -1, MODEL_GIVES_UP. */
static int try_times(struct definition *d) {
  const struct net *net = d->net;
  d->now = net->timed ? d->values[net->places.count] : 0;
  for (;;) {
    int status = try_all(d);
    if (status || d->found || d->edges || !net->timed) return status;
    int64_t next = next_time(d);
    if (next == INT64_MAX) return 0;
    d->now = next;
    d->head_starts = 0;
  }
}

static void forget_outcomes(struct definition *d) {
  vec_free(&d->outcome, d->mem);
  vec_free(&d->outcome_start, d->mem);
}

int colour_define_edge(const struct model *base, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *mem) {
  struct colour_model *m = (struct colour_model *)base;
  if (m->draws) return MODEL_GIVES_UP;
  struct definition d = {.m = m, .net = m->net, .mem = mem, .values = values, .before = k, .out = out, .found_group = group};
  int status = try_times(&d);
  forget_outcomes(&d);
  return status ? status : d.found;
}

int colour_define_all(const struct model *base, const int64_t *values, struct mem *mem, void (*hear)(void *, const struct model_defined *), void *context) {
  static const uint32_t runtime = MODEL_RUNTIME;
  struct colour_model *m = (struct colour_model *)base;
  if (m->draws) return MODEL_GIVES_UP;
  struct definition d = {.m = m, .net = m->net, .mem = mem, .values = values, .hear = hear, .context = context};
  int status = try_times(&d);
  forget_outcomes(&d);
  if (!status && d.wrong) hear(context, &(struct model_defined){.claim = &runtime, .claims = 1});
  return status;
}
