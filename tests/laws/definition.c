/* definition.c -- laws of what thimble-audit stands on: the definition of a language tells all steps of a state as the engine does, in the same order, with the same values, and finds the same things wrong in them.
 *
 * Random walks through the models of the tests and examples; in each state every successor is compared. */
#include "base/rng.h"
#include "defined.h"
#include "front/front.h"
#include "tap.h"

enum { WALKS = 30, LONGEST = 60 };

static struct mem mem;
static struct err e;
static char text[700];

static void walk(const char *file) {
  struct model *m = NULL;
  struct front_setup setup = {.mem = &mem};
  struct defined_tally t = {0};
  struct rng rng = {1};
  err_clear(&e);
  if (front_load(&m, file, NULL, &setup, &e) || !m->type->define_initial) { /* embedded C has no definition */
    model_close(m);
    return;
  }
  for (int w = 0; w < WALKS; w++) {
    struct stepper s;
    uint32_t group;
    if (stepper_open(&s, m, &mem, &e)) break;
    for (int i = 0; i < LONGEST && stepper_expand(&s, &e) == 0; i++) {
      defined_compare(&s, &mem, &t);
      if (!s.batch.count || stepper_take(&s, (uint32_t)rng_below(&rng, s.batch.count), &group, &e) != 1) break;
    }
    stepper_close(&s);
  }
  snprintf(text, sizeof text, "%s: %zu states, %zu faults", file, t.states, t.faults);
  if (!ok(t.states && defined_alike(m, &t), text))
    printf("#   %zu unlike, %zu faults unknown to the engine, %zu missed, %zu labels, %zu unfit, %zu packed\n", t.unlike, t.unknown, t.missed, t.labels, t.unfit, t.packed);
  model_close(m);
}

int main(void) {
  mem_open(&mem, (size_t)1 << 30);
  FILE *list = popen("ls tests/models/*.pml tests/models/*.pmp tests/models/*.dve tests/models/story/*.pml tests/models/promplus/*.pmp tests/models/coloured/*.cpnt examples/*.pml examples/*.dve examples/*.cpnt examples/*.net examples/*.aut 2>/dev/null", "r");
  char file[512];
  while (list && fgets(file, sizeof file, list)) {
    file[strcspn(file, "\n")] = 0;
    walk(file);
  }
  if (list) pclose(list);
  is(mem.used, 0, "nothing is left");
  return done();
}
