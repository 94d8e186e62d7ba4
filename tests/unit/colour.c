/* colour.c -- coloured nets drawn in C (coloured.h): numbers of states and edges that are known, names, markings as text, refusals. */
#include "tap.h"

#include "coloured.h"
#include "search/search.h"

#include <stdlib.h>

static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

struct counts {
  struct listener listener;
  uint64_t states, edges, dead, faults;
  char fault[400];
};

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct counts *c = (struct counts *)l;
  if (e->kind == EVENT_AGAIN) c->states = c->edges = c->dead = c->faults = 0;
  if (e->kind == EVENT_NEW) c->states++;
  if (e->kind == EVENT_EXPANDED) c->edges += e->successors, c->dead += !e->successors;
  if (e->kind == EVENT_FAULT && !c->faults++) s->model->type->fault_text(s->model, e->fault, c->fault, sizeof c->fault);
  return LISTEN_ON;
}

static struct counts explore(struct model *m, struct mem *mem) {
  struct counts c = {.listener = {.wants = EVENT_NEW | EVENT_EXPANDED | EVENT_AGAIN | EVENT_FAULT, .hear = hear}};
  struct listener *listeners[] = {&c.listener};
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  struct search_setup setup = {.model = m, .store = store_find_type("plain"), .mem = mem, .listeners = listeners, .listener_count = 1};
  if (search_open(&s, search_find_type("bfs"), &setup, &e)) {
    printf("# %s\n", e.message);
    return c;
  }
  search_run(s);
  if (s->stop != STOP_DONE) printf("# stopped: %s\n", search_stop_name(s->stop));
  search_close(s);
  return c;
}

/* Opens what was drawn; NULL with a message. */
static struct model *finish(struct sketch *s, const struct colour_setup *setup, struct mem *mem, struct err *e) {
  struct model *m = NULL;
  static const struct colour_setup usual;
  if (s->failed) printf("# the sketch failed\n");
  if (colour_model_open(&m, s->d, setup ? setup : &usual, "sketch", mem, e)) return NULL;
  return m;
}

static void count(const char *name, struct sketch *s, const struct colour_setup *setup, struct mem *mem, uint64_t states, uint64_t edges) {
  struct err e;
  err_clear(&e);
  struct model *m = finish(s, setup, mem, &e);
  if (!ok(m != NULL, NAMED("%s opens%s%s", name, m ? "" : ": ", m ? "" : e.message))) return;
  double before = cpu_now();
  struct counts c = explore(m, mem);
  printf("# %s: %.2f s, %u bits\n", name, cpu_now() - before, m->bits);
  if (c.faults) printf("# %s\n", c.fault);
  is(c.states, states, NAMED("%s: states", name));
  if (edges) is(c.edges, edges, NAMED("%s: edges", name)); /* else nobody has told */
  model_close(m);
  is(mem->used, 0, NAMED("%s: nothing left behind", name));
}

static void known_numbers(void) {
  static const struct colour_setup per_token = {.per_token = 1};
  struct mem mem;
  struct err e;
  struct sketch s;
  mem_open(&mem, 0);
  err_clear(&e);
#define COUNT(name, draw, setup, states, edges)                                                                                  \
  do {                                                                                                                           \
    if (!sketch_open(&s, &mem, &e)) {                                                                                            \
      draw;                                                                                                                      \
      count(name, &s, setup, &mem, states, edges);                                                                               \
    }                                                                                                                            \
  } while (0)
  COUNT("philosophers 22", draw_philosophers(&s, 22), NULL, 39604, 481625);
  COUNT("database 9", draw_database(&s, 9), NULL, 59051, 314947);
  COUNT("database 10", draw_database(&s, 10), NULL, 196832, 1181001);
  COUNT("telephones 4", draw_telephones(&s, 4), NULL, 6507, 47020);
  COUNT("telephones 5", draw_telephones(&s, 5), NULL, 107648, 1017490);
  COUNT("stop and wait 7,4", draw_stop_and_wait(&s, 7, 4), NULL, 215196, 1133846);
  COUNT("stop and wait 7,4 per token", draw_stop_and_wait(&s, 7, 4), &per_token, 215196, 1242386);
  COUNT("small protocol", draw_small_protocol(&s), NULL, 16, 0);
  COUNT("resources", draw_resources(&s), NULL, 13, 20);
}

int main(void) {
  known_numbers();
  return done();
}
