/* colour.c -- coloured nets drawn in C (coloured.h): numbers of states and edges that are known, names, markings as text, refusals. */
#include "tap.h"

#include "colour/colour_model.h"
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

/* A question that there was no memory for has been answered somehow: after that no states are told. */
static void refused_answers(void) {
  struct mem mem;
  struct err e;
  struct sketch s;
  volatile int stop = 0;
  mem_open(&mem, 0);
  mem.stop = &stop;
  err_clear(&e);
  struct model *m = NULL;
  struct model_cursor *c = NULL;
  struct model_batch batch = {0};
  if (!sketch_open(&s, &mem, &e)) draw_philosophers(&s, 5), m = finish(&s, NULL, &mem, &e);
  if (!ok(m && m->type->cursor_open(&c, m, &mem) == 0 && model_batch_open(&batch, &mem, m->words, 64) == 0, "philosophers open")) return;
  uint32_t state[64] = {0}, can = 0, before = 0;
  m->type->initial(m, state);
  for (uint32_t g = 0; g < m->groups; g++) before += (uint32_t)m->type->fireable(c, state, g);
  ok(before > 0 && m->type->successors(c, state, &batch) == MODEL_OK, "something is fireable");
  m->type->cursor_close(c);
  stop = 0;
  ok(m->type->cursor_open(&c, m, &mem) == 0, "another cursor");
  m->type->initial(m, state);
  bind_drop(&((struct colour_model *)m)->bind);
  stop = 1;
  for (uint32_t g = 0; g < m->groups; g++) can += (uint32_t)m->type->fireable(c, state, g);
  stop = 0;
  batch.count = 0;
  ok(can < before && m->type->successors(c, state, &batch) == MODEL_MEMORY, "with no memory for an answer no states are told any more");
  m->type->cursor_close(c);
  model_batch_close(&batch);
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

/* A token that is known before anything branches is looked for before. */
static void plans(void) {
  struct mem mem;
  struct err e;
  struct sketch s;
  mem_open(&mem, 0);
  err_clear(&e);
  struct model *m = NULL;
  if (!sketch_open(&s, &mem, &e)) {
    sketch_declare(&s, "colset I = int with 0..9; colset U = unit; var n, x, y : I;");
    sketch_page(&s, "page");
    sketch_place(&s, "count", "I", "1`0");
    sketch_place(&s, "turn", "U", "1`()");
    sketch_place(&s, "p", "I", "I.all()");
    sketch_place(&s, "q", "I", "I.all()");
    sketch_transition(&s, "many", "n = 3 andalso x * y = ~1");
    sketch_arc(&s, "p", "many", DRAWING_TO_TRANSITION, "x");
    sketch_arc(&s, "q", "many", DRAWING_TO_TRANSITION, "y");
    sketch_arc(&s, "turn", "many", DRAWING_TO_TRANSITION, "()");
    sketch_arc(&s, "count", "many", DRAWING_TO_TRANSITION, "n");
    m = finish(&s, NULL, &mem, &e);
  }
  if (!ok(m != NULL, "a net opens")) return;
  char plan[200] = "";
  const struct net_transition *t = &((struct colour_model *)m)->net->transitions.at[0];
  for (size_t i = 0; i < t->plan.count && i < 10; i++) {
    const struct net_step *step = &t->plan.at[i];
    strcat(plan, step->kind == NET_EQUATE ? "= " : step->kind == NET_TEST ? "? " : step->kind == NET_CHOOSE ? "any " : ((struct colour_model *)m)->net->places.at[step->place].name);
    if (step->kind == NET_MATCH) strcat(plan, " ");
  }
  is_text(plan, "= page'count page'p page'q ? ", "the plan of a transition: what is known is looked for first, an only colour never");
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

int main(void) {
  known_numbers();
  plans();
  refused_answers();
  return done();
}
