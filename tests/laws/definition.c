/* definition.c -- laws of what thimble-audit stands on: the definition of a language tells all steps of a state as the engine does, in the same order, with the same values, and finds the same things wrong in them.
 *
 * Random walks through the models of the tests and examples; in each state every successor is compared. */
#include "base/rng.h"
#include "base/vec.h"
#include "front/front.h"
#include "search/stepper.h"
#include "tap.h"

#include <stdlib.h>

enum { WALKS = 30, LONGEST = 60, KINDS = 4096 };

static struct mem mem;
static struct err e;
static char text[700];

struct heard {
  const struct model *m;
  const struct stepper *s;
  size_t edges, unlike;      /* told; other groups or values than the engine's */
  size_t faults, loose;      /* what was found wrong, with a step and without */
  size_t unknown;            /* of these: what the engine does not know of */
};

static int engine_knows(const struct stepper *s, size_t edge, uint32_t claim) {
  for (size_t i = 0; i < s->batch.fault_count; i++)
    if (s->batch.faults[i].edge == edge && s->batch.faults[i].claim == claim) return 1;
  return 0;
}

static void hear(void *context, const struct model_defined *d) {
  struct heard *h = context;
  size_t edge = d->values ? h->edges++ : MODEL_NO_EDGE;
  for (size_t i = 0; i < d->claims; i++) {
    if (d->values) h->faults++;
    else h->loose++;
    h->unknown += !engine_knows(h->s, edge, d->claim[i]);
  }
  if (!d->values) return;
  if (edge >= h->s->batch.count) {
    h->unlike++;
    return;
  }
  const uint32_t *state = h->s->batch.states + edge * h->s->batch.stride;
  int same = h->s->batch.group[edge] == d->group;
  for (size_t v = 0; v < d->vars || v < h->m->vars; v++) same &= (v < d->vars ? d->values[v] : 0) == (v < h->m->vars ? h->m->type->value(h->m, state, (uint32_t)v) : 0);
  h->unlike += !same;
}

/* What the engine found wrong and the definition did not: the sets of claims with a step and without must be the same, repeated ones aside. */
struct claims {
  const struct stepper *s;
  uint8_t found[KINDS];
  size_t edges;
};
static void note(void *context, const struct model_defined *d) {
  struct claims *c = context;
  size_t edge = d->values ? c->edges++ : MODEL_NO_EDGE;
  for (size_t i = 0; i < d->claims; i++)
    for (size_t k = 0; k < c->s->batch.fault_count && k < KINDS; k++) c->found[k] |= c->s->batch.faults[k].edge == edge && c->s->batch.faults[k].claim == d->claim[i];
}

struct tally {
  size_t states, unlike, faults, unknown, missed, labels, unfit, packed;
};

static int64_t *values_of(const struct stepper *s) {
  int64_t *values = mem_alloc(&mem, MEM_OTHER, ((size_t)s->model->vars + 1) * sizeof *values);
  for (uint32_t v = 0; v < s->model->vars; v++) values[v] = s->model->type->value(s->model, s->state, v);
  return values;
}

/* The bytes of a state and back. */
static int comes_back(const struct model *m, const int64_t *values) {
  if (!m->type->define_pack) return 1;
  uint8_t bytes[65536];
  int64_t *back = mem_alloc(&mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *back);
  size_t length = m->type->define_pack(m, values, bytes, sizeof bytes);
  int same = length <= sizeof bytes && m->type->define_unpack(m, bytes, length, back) == 0 && memcmp(back, values, m->vars * sizeof *back) == 0 && (length == 0 || m->type->define_unpack(m, bytes, length - 1, back) != 0);
  mem_free(&mem, back);
  return same;
}

static void compare(const struct stepper *s, struct tally *t) {
  const struct model *m = s->model;
  int64_t *values = values_of(s);
  struct heard h = {.m = m, .s = s};
  struct claims c = {.s = s};
  if (m->type->define_all(m, values, &mem, hear, &h) == 0 && m->type->define_all(m, values, &mem, note, &c) == 0) {
    t->states++;
    t->unlike += h.unlike || h.edges != s->batch.count;
    t->faults += s->batch.fault_count;
    t->unknown += h.unknown;
    for (size_t k = 0; k < s->batch.fault_count && k < KINDS; k++) t->missed += !c.found[k];
    t->labels += m->type->labels && m->type->labels(m, s->state) != m->type->define_labels(m, values);
    t->unfit += m->type->define_fits && m->type->define_fits(m, values, &mem) != 1;
    t->packed += !comes_back(m, values);
  }
  mem_free(&mem, values);
}

static void walk(const char *file) {
  struct model *m = NULL;
  struct front_setup setup = {.mem = &mem};
  struct tally t = {0};
  struct rng rng = {1};
  err_clear(&e);
  if (front_load(&m, file, NULL, &setup, &e) || !m->type->define_all) {
    model_close(m);
    return;
  }
  for (int w = 0; w < WALKS; w++) {
    struct stepper s;
    uint32_t group;
    if (stepper_open(&s, m, &mem, &e)) break;
    for (int i = 0; i < LONGEST && stepper_expand(&s, &e) == 0; i++) {
      compare(&s, &t);
      if (!s.batch.count || stepper_take(&s, (uint32_t)rng_below(&rng, s.batch.count), &group, &e) != 1) break;
    }
    stepper_close(&s);
  }
  int coloured = m->type->vars_are_no_numbers || m->type->define_pack != NULL; /* tries bindings that the engine rules out, and may find them wrong */
  snprintf(text, sizeof text, "%s: %zu states, %zu faults", file, t.states, t.faults);
  if (!ok(t.states && !t.unlike && !t.missed && (coloured || !t.unknown) && !t.labels && !t.unfit && !t.packed, text))
    printf("#   %zu unlike, %zu faults unknown to the engine, %zu missed, %zu labels, %zu unfit, %zu packed\n", t.unlike, t.unknown, t.missed, t.labels, t.unfit, t.packed);
  model_close(m);
}

int main(void) {
  mem_open(&mem, (size_t)1 << 30);
  FILE *list = popen("ls tests/models/*.pml tests/models/*.pmp tests/models/*.dve tests/models/story/*.pml tests/models/promplus/*.pmp tests/models/coloured/*.cpnt examples/*.pml examples/*.dve examples/*.cpnt 2>/dev/null", "r");
  char file[512];
  while (list && fgets(file, sizeof file, list)) {
    file[strcspn(file, "\n")] = 0;
    walk(file);
  }
  if (list) pclose(list);
  is(mem.used, 0, "nothing is left");
  return done();
}
