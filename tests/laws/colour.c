/* colour.c -- the laws of model.h on coloured nets (edge_laws.h): plans, trees of bindings and what is remembered against the plain definition.
 *
 * The nets of coloured.h in small, and nets made for this (tests/models/coloured): lists and records in patterns, equations that bind, colours that are tried, terms with coefficients, conditional
 * arcs, inhibitor and reset arcs, priorities, time, code segments, references of the net, random values, fusion sets and several instances of a page.  Each is also explored with a budget for what is
 * remembered that is so small that everything is dropped all the time.
 *
 * With arguments: `colour [-n STATES] FILE...` runs the same over these files, at most so many states each (default 100). */
#include "tap.h"

#include "coloured.h"
#include "edge_laws.h"
#include "front/front.h"

static char text[900];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static void draw_patterns(struct sketch *s) { sketch_file(s, "patterns"); }
static void draw_coefficients(struct sketch *s) { sketch_file(s, "coefficients"); }
static void draw_arcs(struct sketch *s) { sketch_file(s, "arcs"); }
static void draw_priorities(struct sketch *s) { sketch_file(s, "priorities"); }
static void draw_time(struct sketch *s) { sketch_file(s, "time"); }
static void draw_code(struct sketch *s) { sketch_file(s, "code"); }
static void draw_references(struct sketch *s) { sketch_file(s, "references"); }
static void draw_draws(struct sketch *s) { sketch_file(s, "draws"); }
static void draw_instances(struct sketch *s) { sketch_file(s, "instances"); }
static void draw_early(struct sketch *s) { sketch_file(s, "early"); }
static void draw_small_philosophers(struct sketch *s) { draw_philosophers(s, 5); }
static void draw_small_database(struct sketch *s) { draw_database(s, 4); }
static void draw_small_telephones(struct sketch *s) { draw_telephones(s, 2); }
static void draw_small_wait(struct sketch *s) { draw_stop_and_wait(s, 2, 2); }

static void law(const char *name, void (*draw)(struct sketch *), int per_token, size_t remember) {
  struct mem mem;
  struct err e;
  struct sketch s;
  struct walk w;
  struct model *m = NULL;
  struct colour_setup setup = {.per_token = per_token, .remember = remember};
  mem_open(&mem, 0);
  err_clear(&e);
  difference[0] = 0;
  if (sketch_open(&s, &mem, &e)) return;
  draw(&s);
  if (!ok(!colour_model_open(&m, s.d, &setup, "sketch", &mem, &e), NAMED("%s opens", name))) {
    printf("# %s: %s\n", e.file, e.message);
    return;
  }
  const char *what = explore(&w, m, &mem, 3000);
  ok(!what, NAMED("%s%s%s, %zu states, %zu edges, %zu dead: %s%s", name, per_token ? " per token" : "", remember ? ", forgetful" : "", w.known.count, w.transitions, w.dead,
                  what ? what : "all laws", what ? difference : ""));
  model_close(m);
  is(mem.used, 0, NAMED("%s: nothing left behind", name));
}

static void law_of_file(const char *file, size_t most) {
  struct mem mem;
  struct err e;
  struct walk w;
  struct model *m = NULL;
  mem_open(&mem, 0);
  err_clear(&e);
  difference[0] = 0;
  struct front_setup setup = {.mem = &mem};
  if (front_load(&m, file, NULL, &setup, &e)) {
    skip(file, "it is refused");
    return;
  }
  const char *what = explore(&w, m, &mem, most);
  ok(!what, NAMED("%s, %zu states, %zu edges: %s%s", file, w.known.count, w.transitions, what ? what : "all laws", what ? difference : ""));
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*draw)(struct sketch *);
  } nets[] = {{"philosophers", draw_small_philosophers},
              {"late", draw_late},
              {"lamps", draw_lamps},
              {"database", draw_small_database},
              {"telephones", draw_small_telephones},
              {"stop and wait", draw_small_wait},
              {"small protocol", draw_small_protocol},
              {"resources", draw_resources},
              {"patterns", draw_patterns},
              {"coefficients", draw_coefficients},
              {"arcs", draw_arcs},
              {"priorities", draw_priorities},
              {"time", draw_time},
              {"time before it is time", draw_early},
              {"code segments", draw_code},
              {"references", draw_references},
              {"random values", draw_draws},
              {"instances", draw_instances}};
  size_t most = 100;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) most = (size_t)strtoul(argv[++i], NULL, 10);
    else law_of_file(argv[i], most);
  }
  if (argc > 1) return done();
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    law(nets[i].name, nets[i].draw, 0, 0);
    law(nets[i].name, nets[i].draw, 1, 0);
    law(nets[i].name, nets[i].draw, 0, 1);
  }
  return done();
}
