/* own_models.h -- models of the library (thimble.h): any graph (.aut) once more, behind the
 * functions of a C program.
 *
 * The program knows nothing but the graph's successors. It tells its actions, with names, of which
 * several may be the same; or it does not, and their numbers are far apart. */
#ifndef TESTS_OWN_MODELS_H
#define TESTS_OWN_MODELS_H

#include "api/own_model.h"
#include "front/lts/lts.h"

#include <stdio.h>
#include <string.h>

struct own_graph {
  struct thimble_model model;
  struct model *inner;
  struct model_cursor *cursor;
  struct model_batch batch;
  int told;
  unsigned asked, lie_at, lie_action; /* how often; the call with this number tells one successor
                                         less; an action that no model declares */
  int lied;
};

static void own_graph_initial(void *context, uint32_t *state) {
  struct own_graph *g = context;
  g->inner->type->initial(g->inner, state);
}

static void own_graph_next(void *context, const uint32_t *state, struct thimble_successors *out) {
  struct own_graph *g = context;
  g->batch.count = 0;
  if (g->inner->type->successors(g->cursor, state, &g->batch) != MODEL_OK) return;
  size_t count = g->batch.count;
  if (g->lie_at && ++g->asked == g->lie_at && count) count--, g->lied = 1;
  for (size_t i = 0; i < count; i++) {
    uint32_t action = g->batch.group[i];
    if (g->lie_action) g->lied = 1;
    if (!g->told) action = action * 2654435761u + 77;
    uint32_t *next = thimble_add(out, g->lie_action ? g->lie_action : action);
    if (!next) return;
    memcpy(next, g->batch.states + i * g->batch.stride, g->inner->words * sizeof *next);
  }
}

/* One place for all of them, as programs do. */
static const char *own_graph_name(void *context, unsigned action) {
  static char name[200];
  const struct own_graph *g = context;
  if (!g->told) {
    snprintf(name, sizeof name, "action %u", action);
    return name;
  }
  snprintf(name, sizeof name, "%s", g->inner->type->group_name(g->inner, action));
  return name;
}

static int64_t own_graph_value(void *context, const uint32_t *state, unsigned variable) {
  const struct own_graph *g = context;
  return g->inner->type->value(g->inner, state, variable);
}

__attribute__((unused)) static void own_graph_close(struct own_graph *g) {
  model_batch_close(&g->batch);
  if (g->cursor) g->inner->type->cursor_close(g->cursor);
  model_close(g->inner);
  *g = (struct own_graph){0};
}

/* The text is that of a graph. 0 or -1. */
__attribute__((unused)) static int own_graph_open(struct own_graph *g, const char *text, int told,
                                                  struct mem *mem, struct err *e) {
  static const char *const variables[] = {"state", NULL};
  *g = (struct own_graph){.told = told};
  FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  struct front_setup setup = {.mem = mem, .file = "own", .input = in};
  int bad = !in || front_aut.load(&g->inner, &setup, e);
  if (in) fclose(in);
  bad = bad || g->inner->type->cursor_open(&g->cursor, g->inner, mem) ||
        model_batch_open(&g->batch, mem, g->inner->words, 4);
  if (bad) return -1;
  g->model = (struct thimble_model){.words = 1,
                                    .bits = g->inner->bits,
                                    .context = g,
                                    .initial = own_graph_initial,
                                    .successors = own_graph_next,
                                    .action_name = own_graph_name,
                                    .actions = told ? g->inner->groups : 0,
                                    .variables = variables,
                                    .value = own_graph_value};
  return 0;
}

#endif
