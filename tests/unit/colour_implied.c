/* colour_implied.c -- places that others imply (colour/implied.h): they take no bits, a step that contradicts what was learnt gives them a field again, and nobody outside sees the difference.
 *
 * The late net counts to 500, farther than the walks that learn, and only then does something that breaks the invariant between In and Out: by then thousands of states lack a field.  The lamps
 * are cut into slices (colour/slice.h), until a colour comes that has none. */
#include "tap.h"

#include "colour/colour_model.h"
#include "coloured.h"
#include "search/search.h"

static char text[300];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

struct counts {
  struct listener listener;
  uint32_t condition;
  uint64_t states, edges, wrong;
};

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct counts *c = (struct counts *)l;
  if (e->kind == EVENT_AGAIN) c->states = c->edges = c->wrong = 0;
  if (e->kind == EVENT_NEW) c->states++;
  if (e->kind == EVENT_NEW && !s->model->type->condition_value(s->cursor, e->words, c->condition)) c->wrong++;
  if (e->kind == EVENT_EXPANDED) c->edges += e->successors;
  return LISTEN_ON;
}

static struct counts explore(struct model *m, const char *search, const char *store, const char *condition, struct mem *mem) {
  struct counts c = {.listener = {.wants = EVENT_NEW | EVENT_EXPANDED | EVENT_AGAIN, .hear = hear}};
  struct listener *listeners[] = {&c.listener};
  struct search *s = NULL;
  struct err e;
  err_clear(&e);
  int64_t number = m->type->condition(m, condition, strlen(condition), "the test", &e);
  if (number < 0) printf("# %s\n", e.message);
  c.condition = (uint32_t)number;
  struct search_setup setup = {.model = m, .store = store_find_type(store), .mem = mem, .listeners = listeners, .listener_count = 1};
  if (number < 0 || search_open(&s, search_find_type(search), &setup, &e)) {
    printf("# %s\n", e.message);
    return c;
  }
  search_run(s);
  if (s->stop != STOP_DONE) printf("# stopped: %s\n", search_stop_name(s->stop));
  search_close(s);
  return c;
}

static struct model *open_sketch(void (*draw)(struct sketch *), const struct colour_setup *setup, struct mem *mem) {
  struct sketch s;
  struct err e;
  struct model *m = NULL;
  err_clear(&e);
  if (sketch_open(&s, mem, &e)) return NULL;
  draw(&s);
  if (colour_model_open(&m, s.d, setup, "sketch", mem, &e)) printf("# %s\n", e.message);
  return m;
}

static const struct colour_setup usual;

static void draw_six_managers(struct sketch *s) { draw_database(s, 6); }
static void draw_four_telephones(struct sketch *s) { draw_telephones(s, 4); }

static void late(void) {
  static const char *stores[] = {"plain", "tree", "compact-tree", "collapse", "delta", "comback"}, *searches[] = {"bfs", "dfs"};
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
    for (size_t k = 0; k < 2; k++) {
      struct mem mem;
      mem_open(&mem, (size_t)1 << 30);
      struct model *m = open_sketch(draw_late, &usual, &mem);
      if (!ok(m != NULL, NAMED("the late net opens"))) return;
      struct counts c = explore(m, searches[k], stores[i], "size In + size Out = (if Count == 1`501 then 4 else 3) andalso size Steps = 1", &mem);
      is(c.states, 501 * 8 + 16, NAMED("late, %s in %s: states", searches[k], stores[i]));
      is(c.edges, 500 * 8 * 4 + 8 * 4 + 16 * 4, NAMED("late, %s in %s: edges", searches[k], stores[i]));
      is(c.wrong, 0, NAMED("late, %s in %s: no marking has too many tokens or too few", searches[k], stores[i]));
      model_close(m);
      is(mem.used, 0, "nothing left behind");
    }
}

/* Lamps: 2^16 states with the place in slices, and one more that has a colour of no slice. */
static void lamps(void) {
  static const char *stores[] = {"plain", "tree", "compact-tree"}, *searches[] = {"bfs", "dfs"};
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
    for (size_t k = 0; k < 2; k++) {
      struct mem mem;
      mem_open(&mem, (size_t)1 << 30);
      struct model *m = open_sketch(draw_lamps, &usual, &mem);
      if (!ok(m != NULL, NAMED("lamps open"))) return;
      ok(((struct colour_model *)m)->net->slices.count >= 2, "lamps are cut");
      is(m->bits, 16, "a bit for each lamp");
      struct counts c = explore(m, searches[k], stores[i], "On == 1`99 orelse size On + size Off = 16", &mem);
      is(c.states, 65536 + 1, NAMED("lamps, %s in %s: states", searches[k], stores[i]));
      is(c.edges, 65536 * 16 + 1, NAMED("lamps, %s in %s: edges", searches[k], stores[i]));
      is(c.wrong, 0, NAMED("lamps, %s in %s: markings", searches[k], stores[i]));
      model_close(m);
      is(mem.used, 0, "nothing left behind");
    }
}

/* Bits that the state takes after the whole graph has been seen. */
static void narrow(const char *name, void (*draw)(struct sketch *), unsigned most, const char *condition, uint64_t states) {
  struct mem mem;
  mem_open(&mem, (size_t)1 << 30);
  struct model *m = open_sketch(draw, &usual, &mem);
  if (!ok(m != NULL, NAMED("%s opens", name))) return;
  struct counts c = explore(m, "bfs", "plain", condition, &mem);
  is(c.states, states, NAMED("%s: states", name));
  is(c.wrong, 0, NAMED("%s: the condition holds", name));
  if (!ok(m->bits <= most, NAMED("%s: at most %u bits", name, most))) printf("# %u bits\n", m->bits);
  model_close(m);
}

/* A marking in full comes back as the same state; one that contradicts what is implied is refused. */
static void portable(void) {
  struct mem mem;
  uint8_t data[400];
  uint32_t state[16] = {0}, back[16] = {0};
  mem_open(&mem, (size_t)1 << 30);
  struct model *m = open_sketch(draw_late, &usual, &mem);
  m->type->initial(m, state);
  size_t length = m->type->pack(m, state, data, sizeof data);
  ok(length < sizeof data, "the marking fits");
  is(m->type->unpack(m, data, length, back), 0, "it is read back");
  is(memcmp(state, back, m->words * 4), 0, "as the same state");
  /* places in order: Count, In; the first byte of In's marking is its number of entries: (count, colour) each */
  uint8_t broken[400];
  memcpy(broken, data, length);
  size_t in = 3; /* 1 entry, its count, the colour 0 */
  is(broken[in], 3, "three tokens in In");
  memmove(broken + in + 1, broken + in + 3, length - in - 3);
  broken[in] = 2;
  is(m->type->unpack(m, broken, length - 2, back), -1, "a marking that lacks a token is refused");
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

int main(void) {
  late();
  lamps();
  narrow("database 6", draw_six_managers, 20, "size Waiting <= 1 andalso size Inactive + size Waiting + size Performing = (if Start == empty then 6 else 0)", 6 * 243 + 2);
  narrow("telephones 4", draw_four_telephones, 40, "size Tone <= 4", 6507);
  portable();
  return done();
}
