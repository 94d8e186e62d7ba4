/* colour_bounds.c -- best bounds of coloured nets against what every state says of itself as text; multisets that only failed bindings have had; times; refused memory. */
#include "tap.h"

#include "colour/bounds.h"
#include "coloured.h"
#include "run/space.h"

#include <stdlib.h>

enum { TERMS = 400, PLACES = 40, TERM = 80 };

/* ---- what states say: terms of their markings, parsed from the text that people get ------------------------------------------------ */

struct term {
  char colour[TERM];
  uint64_t now, most, least;
};
struct oracle {
  struct term term[PLACES][TERMS];
  size_t terms[PLACES];
  uint64_t upper[PLACES], lower[PLACES];
  uint32_t places, states;
  int failed;
};
static struct oracle oracle;

static struct term *term_of(struct oracle *o, uint32_t place, const char *colour, size_t length) {
  for (size_t i = 0; i < o->terms[place]; i++)
    if (strlen(o->term[place][i].colour) == length && memcmp(o->term[place][i].colour, colour, length) == 0) return &o->term[place][i];
  if (o->terms[place] == TERMS || length >= TERM) {
    o->failed = 1;
    return &o->term[place][0];
  }
  struct term *t = &o->term[place][o->terms[place]++];
  memset(t, 0, sizeof *t); /* it was not there before: unless this is the first state the fewest are 0 */
  memcpy(t->colour, colour, length);
  if (!o->states) t->least = UINT64_MAX;
  return t;
}

/* "2`1@3+++1`1@5": the time does not count. */
static void read_marking(struct oracle *o, uint32_t place, const char *text) {
  uint64_t tokens = 0;
  for (size_t i = 0; i < o->terms[place]; i++) o->term[place][i].now = 0;
  while (strcmp(text, "empty") != 0 && *text) {
    char *colour;
    uint64_t count = strtoull(text, &colour, 10);
    const char *end = strstr(++colour, "++");
    size_t length = end ? (size_t)(end - colour) : strlen(colour), kept = strcspn(colour, "@");
    term_of(o, place, colour, kept < length ? kept : length)->now += count;
    tokens += count;
    text = end ? end + strspn(end, "+") : "";
  }
  for (size_t i = 0; i < o->terms[place]; i++) {
    struct term *t = &o->term[place][i];
    if (t->now > t->most) t->most = t->now;
    if (t->now < t->least) t->least = t->now;
  }
  if (tokens > o->upper[place] || !o->states) o->upper[place] = tokens;
  if (tokens < o->lower[place] || !o->states) o->lower[place] = tokens;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  static char text[20000];
  (void)l;
  for (uint32_t p = 0; p < oracle.places; p++) {
    s->model->type->print_value(s->model, p, s->model->type->value(s->model, event->words, p), text, sizeof text);
    read_marking(&oracle, p, text);
  }
  oracle.states++;
  return LISTEN_ON;
}

/* Are the terms of a bound those that the states have? */
static int same_terms(const struct oracle *o, uint32_t place, const char *text, int lower) {
  size_t wanted = 0, found = 0;
  for (size_t i = 0; i < o->terms[place]; i++) wanted += (lower ? o->term[place][i].least : o->term[place][i].most) > 0;
  if (!text) return 0;
  if (strcmp(text, "empty") == 0) return wanted == 0;
  for (; *text; found++) {
    char *colour;
    uint64_t count = strtoull(text, &colour, 10);
    size_t line = strcspn(++colour, "\n"), length = colour[line] ? line - 2 : line;
    size_t i = 0;
    while (i < o->terms[place] && (strlen(o->term[place][i].colour) != length || memcmp(o->term[place][i].colour, colour, length) != 0)) i++;
    if (i == o->terms[place] || (lower ? o->term[place][i].least : o->term[place][i].most) != count) return 0;
    text = colour + line + (colour[line] != 0);
  }
  return found == wanted;
}

/* ---- nets ---------------------------------------------------------------------------------------------------------------------------- */

/* Never's effect on A is computed before B is found to lack a token. Nothing implies the tokens of a place. */
static void draw_trap(struct sketch *s, int n) {
  (void)n;
  sketch_declare(s, "colset NUMBER = int; var x: NUMBER;");
  sketch_page(s, "Trap");
  sketch_place(s, "A", "NUMBER", "2`1");
  sketch_place(s, "B", "NUMBER", "");
  sketch_place(s, "C", "NUMBER", "1`1++1`2++1`3");
  sketch_transition(s, "Never", "");
  sketch_transition(s, "Add", "");
  sketch_transition(s, "Place", "");
  sketch_transition(s, "Skip", "");
  take(s, "Never", "A", "1`1");
  take(s, "Never", "B", "1`1");
  take(s, "Add", "C", "x");
  give(s, "Add", "A", "1`1");
  take(s, "Place", "C", "x");
  give(s, "Place", "B", "2`2");
  take(s, "Skip", "C", "x");
}

static void draw_timed(struct sketch *s, int n) {
  (void)n;
  sketch_declare(s, "colset NUMBER = int timed; var x: NUMBER;");
  sketch_page(s, "Clock");
  sketch_place(s, "Early", "NUMBER", "1`1@0+++1`1@3+++2`2@5");
  sketch_place(s, "Late", "NUMBER", "");
  sketch_transition(s, "Wait", "");
  take(s, "Wait", "Early", "x");
  give(s, "Wait", "Late", "x@+4");
}

static int bounds_of(void (*draw)(struct sketch *, int), int n, struct space_report *r, struct space *space, struct model **out, struct mem *mem, struct err *e) {
  static const struct colour_setup usual;
  struct sketch s;
  struct listener told = {EVENT_NEW, hear}, *listeners[] = {&told};
  struct verdict v = {0};
  if (sketch_open(&s, mem, e)) return 0;
  draw(&s, n);
  if (colour_model_open(out, s.d, &usual, "sketch", mem, e)) return 0;
  struct run_setup run = {.mem = mem, .model = *out, .listeners = listeners, .listener_count = 1};
  memset(&oracle, 0, sizeof oracle);
  if (space_open(space, *out, mem, 100, e)) return 0;
  oracle.places = colour_bounds_places(space->coloured);
  int good = space_explore(space, &run, &v, e) == 0 && v.complete && space_tell(space, r, NULL, NULL, e) == 0;
  verdict_close(&v);
  return good && !oracle.failed && r->bounds == oracle.places && r->states == oracle.states;
}

static void compare(const char *what, void (*draw)(struct sketch *, int), int n) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  struct space space = {0};
  struct space_report r = {0};
  mem_open(&mem, 0);
  err_clear(&e);
  int good = bounds_of(draw, n, &r, &space, &m, &mem, &e);
  if (!ok(good, what)) printf("# %s\n", e.message);
  for (uint32_t p = 0; good && p < r.bounds; p++) {
    good = r.bound[p].upper == oracle.upper[p] && r.bound[p].lower == oracle.lower[p] && same_terms(&oracle, p, r.bound[p].most, 0) && same_terms(&oracle, p, r.bound[p].least, 1);
    if (!good) printf("# %s: %s, %s\n", r.bound[p].name, r.bound[p].most, r.bound[p].least);
  }
  ok(good, "its bounds are what its states say");
  space_report_close(&r);
  space_close(&space);
  model_close(m);
  is(mem.used, 0, "no memory is left behind");
}

/* The table of A has a multiset that no state has, and the bounds do not know it. */
static void trap(void) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  struct space space = {0};
  struct space_report r = {0};
  char text[80];
  mem_open(&mem, 0);
  err_clear(&e);
  int good = bounds_of(draw_trap, 0, &r, &space, &m, &mem, &e), left_behind = 0;
  for (int64_t value = 1; good && value < 20; value++) {
    m->type->print_value(m, 0, value, text, sizeof text);
    left_behind |= strcmp(text, "1`1") == 0;
  }
  ok(left_behind, "a failed binding has left a multiset behind");
  ok(good && r.bound[0].upper == 5 && r.bound[0].lower == 2 && strcmp(r.bound[0].least, "2`1") == 0, "which is no marking");
  ok(good && r.role[1] == 0 && strcmp(r.name[1], "Trap'Never") == 0 && r.role[2] == SPACE_HAPPENS, "dead transitions");
  is_text(good ? r.bound[2].most : "", "1`1++\n1`2++\n1`3", "terms on lines");
  space_report_close(&r);
  space_close(&space);
  model_close(m);
}

/* Without memory for the graph, in the middle of it or beside others: figures, bounds and dead transitions are there. */
static void short_of_memory(void) {
  struct mem mem;
  struct err e;
  struct sketch s;
  struct model *m = NULL;
  struct space space = {0};
  struct space_report r = {0};
  struct verdict v = {0};
  static const struct colour_setup usual;
  mem_open(&mem, 0);
  err_clear(&e);
  sketch_open(&s, &mem, &e);
  draw_telephones(&s, 3);
  int good = colour_model_open(&m, s.d, &usual, "sketch", &mem, &e) == 0 && space_open(&space, m, &mem, 100, &e) == 0;
  struct run_setup run = {.mem = &mem, .model = m};
  space.most = 1;
  good = good && space_explore(&space, &run, &v, &e) == 0 && space_tell(&space, &r, NULL, NULL, &e) == 0;
  ok(good && v.complete && r.complete && !r.has_graph && strcmp(r.no_graph, "memory") == 0, "no room for the graph: the run goes on without it");
  ok(good && r.states == v.stats.states && r.edges == v.stats.transitions && r.ends == v.stats.deadlocks && r.bounds, "figures and bounds are there");
  verdict_close(&v);
  space_report_close(&r);
  space_close(&space);
  model_close(m);
  is(mem.used, 0, "no memory is left behind");
}

/* Each allocation refused in turn: an error, or a report without something; nothing is lost. */
static void refused(void) {
  struct mem mem;
  struct err e;
  struct sketch s;
  struct model *m = NULL;
  static const struct colour_setup usual;
  int errors = 0, less = 0, whole = 0, lost = 0;
  mem_open(&mem, 0);
  err_clear(&e);
  sketch_open(&s, &mem, &e);
  draw_database(&s, 4);
  if (!ok(colour_model_open(&m, s.d, &usual, "sketch", &mem, &e) == 0, "a net")) return;
  struct run_setup run = {.mem = &mem, .model = m};
  for (unsigned fail = 0; fail < 600; fail++) { /* the first time it learns what it remembers */
    struct space space = {0};
    struct space_report r = {0};
    struct verdict v = {0};
    size_t before = mem.used;
    err_clear(&e);
    mem.fail_after = fail;
    int bad = space_open(&space, m, &mem, 100, &e);
    if (!bad) bad = space_explore(&space, &run, &v, &e);
    if (!bad) bad = space_tell(&space, &r, NULL, NULL, &e);
    mem.fail_after = 0;
    int good = !bad && r.complete && r.has_graph && r.bounds;
    for (uint32_t p = 0; good && p < r.bounds; p++) good = r.bound[p].most && r.bound[p].least;
    if (good && (r.states != 110 || r.graph.components != 2)) lost++;
    errors += bad != 0;
    less += !bad && !good;
    whole += good;
    verdict_close(&v);
    space_report_close(&r);
    space_close(&space);
    lost += fail > 1 && mem.used > before;
  }
  ok(errors > 5 && whole > 5, "an error, or a report");
  ok(less > 10, "with little of it there is less of it");
  is(lost, 0, "and nothing is lost or wrong");
  model_close(m);
  is(mem.used, 0, "no memory is left behind");
}

int main(void) {
  compare("philosophers", draw_philosophers, 7);
  compare("more of them, in slices", draw_philosophers, 14);
  compare("database managers", draw_database, 4);
  compare("telephones", draw_telephones, 3);
  compare("a binding that fails half-way", draw_trap, 0);
  compare("with time", draw_timed, 0);
  trap();
  short_of_memory();
  refused();
  return done();
}
