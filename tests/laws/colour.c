/* colour.c -- the laws of model.h on coloured nets (edge_laws.h): plans, trees of bindings and what is remembered against the plain definition.
 *
 * The nets of coloured.h in small, and nets made for this: lists and records in patterns, equations that bind, colours that are tried, terms with coefficients, conditional
 * arcs, inhibitor and reset arcs, priorities, time, code segments, fusion sets and several instances of a page.  Each is also explored with a budget for what is
 * remembered that is so small that everything is dropped all the time.
 *
 * With arguments: `colour [-n STATES] FILE...` runs the same over these files, at most so many states each (default 100). */
#include "tap.h"

#include "coloured.h"
#include "edge_laws.h"
#include "front/front.h"

static char text[900];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* Tokens that wander as records, lists and unions. */
static void draw_patterns(struct sketch *s) {
  sketch_declare(s, "colset N = int with 0..3; colset L = list N; colset R = record from: N * what: L; colset U = union num: N + seq: L + none; colset I = index at with 1..2;");
  sketch_declare(s, "var a, b, c: N; var l, m: L; var u: U; var i: I; var r: R; fun next k = (k + 1) mod 4;");
  sketch_page(s, "Page");
  sketch_place(s, "Lists", "L", "1`[1,2,3] ++ 1`[2]");
  sketch_place(s, "Records", "R", "");
  sketch_place(s, "Unions", "U", "1`num 3 ++ 1`none");
  sketch_place(s, "Index", "I", "1`(at 1)");
  sketch_place(s, "Done", "N", "");
  sketch_transition(s, "Split", "a <> 2");
  take(s, "Split", "Lists", "a :: l");
  give(s, "Split", "Records", "{from = a, what = l}");
  sketch_transition(s, "Short", "");
  take(s, "Short", "Lists", "[a]");
  give(s, "Short", "Done", "next a");
  sketch_transition(s, "Join", "[b = next a, m = l ^^ [b]]");
  take(s, "Join", "Records", "{what = l, from = a}");
  give(s, "Join", "Unions", "seq m");
  sketch_transition(s, "Number", "");
  take(s, "Number", "Unions", "num a");
  take(s, "Number", "Index", "at 1");
  give(s, "Number", "Index", "i");
  sketch_transition(s, "Open", "List.length l > 1");
  take(s, "Open", "Unions", "seq (a :: l)");
  give(s, "Open", "Done", "2`a");
  sketch_transition(s, "Pairs", "a < b");
  take(s, "Pairs", "Done", "1`a ++ 1`b");
  give(s, "Pairs", "Unions", "none");
  sketch_transition(s, "Free", "c > 1 andalso c <> a");
  take(s, "Free", "Unions", "1`none ++ 1`none");
  take(s, "Free", "Done", "a");
  give(s, "Free", "Done", "if c = 3 then 1`c else empty");
}

/* Input arcs that are no patterns, and tests, inhibitors and resets. */
static void draw_arcs(struct sketch *s) {
  sketch_declare(s, "colset N = int with 0..4; colset P = product N * N; colset B = bool; var a, b, n: N; var yes: B;");
  sketch_declare(s, "fun pair (x, y) = if x < y then 1`(x, y) else 1`(y, x) ++ 1`(x, x);");
  sketch_page(s, "Page");
  sketch_place(s, "In", "N", "1`1 ++ 2`2 ++ 1`3");
  sketch_place(s, "Pairs", "P", "1`(1,2) ++ 1`(2,2) ++ 1`(2,3)");
  sketch_place(s, "Out", "N", "");
  sketch_place(s, "Stop", "N", "");
  sketch_transition(s, "Match", "");
  take(s, "Match", "In", "a");
  look(s, "Match", "In", "b");
  take(s, "Match", "Pairs", "pair (a, b)");
  give(s, "Match", "Out", "if yes then 1`a ++ 1`b else empty");
  sketch_arc(s, "Stop", "Match", DRAWING_INHIBITOR, "");
  sketch_transition(s, "Halt", "n = a");
  take(s, "Halt", "Out", "2`a");
  give(s, "Halt", "Stop", "n");
  sketch_transition(s, "Clear", "");
  take(s, "Clear", "Stop", "a");
  give(s, "Clear", "Out", "0");
  sketch_arc(s, "Out", "Clear", DRAWING_RESET, "");
  sketch_transition(s, "Times", "[n = 2]");
  take(s, "Times", "In", "n`a");
  give(s, "Times", "Pairs", "(a, a)");
}

static void draw_priorities(struct sketch *s) {
  sketch_declare(s, "colset N = int with 0..5; var n: N; val P_HIGH = 100; val P_LOW = 10000;");
  sketch_page(s, "Page");
  sketch_place(s, "A", "N", "1`0 ++ 1`1");
  sketch_place(s, "B", "N", "");
  sketch_transition(s, "Low", "n < 5")->priority = sketch_text(s, "P_LOW");
  take(s, "Low", "A", "n");
  give(s, "Low", "A", "n + 1");
  sketch_transition(s, "Usual", "n mod 2 = 1");
  take(s, "Usual", "A", "n");
  give(s, "Usual", "B", "n");
  sketch_transition(s, "High", "n > 2")->priority = sketch_text(s, "P_HIGH");
  take(s, "High", "B", "n");
  give(s, "High", "A", "n - 3");
}

/* Three rounds of work by two machines of different speed. */
static void draw_time(struct sketch *s) {
  sketch_declare(s, "colset J = int timed; colset M = with fast | slow timed; colset C = int; var j: J; var m: M; var c: C;");
  sketch_page(s, "Page");
  sketch_place(s, "Jobs", "J", "1`0 ++ 1`1 ++ (1`2) @ 3");
  sketch_place(s, "Machines", "M", "1`fast ++ 1`slow");
  sketch_place(s, "Working", "J", "");
  sketch_place(s, "Ready", "J", "");
  sketch_place(s, "Count", "C", "0");
  struct drawing_transition *t = sketch_transition(s, "Begin", "");
  t->delay = sketch_text(s, "(if m = fast then 2 else 5)");
  take(s, "Begin", "Jobs", "j");
  take(s, "Begin", "Machines", "m");
  give(s, "Begin", "Working", "j");
  give(s, "Begin", "Machines", "m");
  sketch_transition(s, "End", "");
  take(s, "End", "Working", "j");
  take(s, "End", "Count", "c");
  give(s, "End", "Count", "c + 1");
  give(s, "End", "Ready", "j @+ c");
  sketch_transition(s, "Again", "c < 5");
  take(s, "Again", "Ready", "j");
  look(s, "Again", "Count", "c");
  give(s, "Again", "Jobs", "j");
}

/* Arcs that take tokens before they are ready, by so much as they say, or some time after; equal tokens of different age. */
static void draw_early(struct sketch *s) {
  sketch_declare(s, "colset J = int timed; colset C = int; var j, k: J; var c: C; fun soon j = 1`j @+ j;");
  sketch_page(s, "Page");
  sketch_place(s, "Jobs", "J", "1`1 @ 8 +++ 1`1 @ 3 +++ 1`2 @ 5 +++ 1`2 @ 12 +++ 1`3 @ 20");
  sketch_place(s, "Taken", "J", "");
  sketch_place(s, "Count", "C", "0");
  sketch_transition(s, "Early", "c < 4");
  take(s, "Early", "Jobs", "j @+ 2 * j");
  take(s, "Early", "Count", "c");
  give(s, "Early", "Count", "c + 1");
  give(s, "Early", "Taken", "j + 1 @+ c");
  sketch_transition(s, "Late", "c < 6");
  take(s, "Late", "Taken", "j @+ ~3");
  take(s, "Late", "Count", "c");
  give(s, "Late", "Count", "c + 1");
  give(s, "Late", "Jobs", "1`j ++ 1`1 @+ 1");
  sketch_transition(s, "Both", "");
  take(s, "Both", "Jobs", "soon j");
  take(s, "Both", "Taken", "1`j @+ 1 +++ 1`k @+ c");
  look(s, "Both", "Count", "c");
  sketch_transition(s, "Pair", "");
  take(s, "Pair", "Jobs", "2`1");
  give(s, "Pair", "Taken", "1`1 @+ 1");
}

static void draw_code(struct sketch *s) {
  sketch_declare(s, "colset N = int; colset T = string; var a, b, c: N; var t: T;");
  sketch_page(s, "Page");
  sketch_place(s, "A", "N", "1`1 ++ 1`2 ++ 1`3");
  sketch_place(s, "B", "N", "");
  sketch_place(s, "C", "T", "");
  sketch_transition(s, "Work", "b > a")->code = sketch_text(s, "input (a, b);\noutput (c, t);\naction\nlet val d = b - a in (d * 10, Int.toString d) end;");
  take(s, "Work", "A", "a");
  take(s, "Work", "A", "b");
  give(s, "Work", "B", "c");
  give(s, "Work", "C", "t");
}

/* Two instances of one page, each with a place of its own. */
static void draw_instances(struct sketch *s) {
  sketch_declare(s, "colset N = int with 0..2; var n: N;");
  sketch_page(s, "Main");
  sketch_place(s, "Left", "N", "1`1 ++ 1`2");
  sketch_place(s, "Right", "N", "");
  for (int i = 0; i < 2; i++) {
    struct drawing_transition *t = sketch_transition(s, i ? "Back" : "Forth", "");
    t->subpage = "Way";
    if (vec_push(&t->pairs, s->d->mem, MEM_MODEL, (struct drawing_pair){i ? "Right" : "Left", "From"})) s->failed = 1;
    if (vec_push(&t->pairs, s->d->mem, MEM_MODEL, (struct drawing_pair){i ? "Left" : "Right", "To"})) s->failed = 1;
  }
  sketch_page(s, "Way");
  sketch_port(s, "From", "N");
  sketch_port(s, "To", "N");
  sketch_place(s, "Middle", "N", "1`0");
  sketch_transition(s, "Enter", "");
  sketch_transition(s, "Leave", "n > 0");
  take(s, "Enter", "From", "n");
  give(s, "Enter", "Middle", "n");
  take(s, "Leave", "Middle", "n");
  give(s, "Leave", "To", "n");
}

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
              {"database", draw_small_database},
              {"telephones", draw_small_telephones},
              {"stop and wait", draw_small_wait},
              {"small protocol", draw_small_protocol},
              {"resources", draw_resources},
              {"patterns", draw_patterns},
              {"arcs", draw_arcs},
              {"priorities", draw_priorities},
              {"time", draw_time},
              {"time before it is time", draw_early},
              {"code segments", draw_code},
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
