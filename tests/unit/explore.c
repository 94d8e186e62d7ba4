/* explore.c -- the explorer without a server: requests in, JSON out.  Numbers of states, steps, walks, runs as files and back, the graph so far,
 * drawings, the checker in between, models that widen, nonsense, budgets that are too small. */
#include "explore/draw.h"
#include "explore/explorer.h"
#include "explore/requests.h"
#include "front/front.h"
#include "tap.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static struct mem mem;
static struct err e;
static struct model *model;
static struct explorer *x;
static char *text;
static size_t length;

static void begin(const char *language, const char *source) {
  FILE *in = fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  struct front_setup setup = {.mem = &mem, .file = "test", .input = in, .unfold = FRONT_UNFOLD_NEVER, .c_code = FRONT_C_ALLOWED};
  err_clear(&e);
  model = NULL;
  x = NULL;
  if (front_find(language)->load(&model, &setup, &e)) printf("# %ld:%ld %s\n", e.line, e.column, e.message);
  fclose(in);
  struct explorer_setup how = {.mem = &mem, .model = model};
  if (model && explorer_open(&x, &how, &e)) printf("# %s\n", e.message);
}

static void end(const char *what) {
  explorer_close(x);
  model_close(model);
  char name[80];
  snprintf(name, sizeof name, "%s: nothing is left behind", what);
  is(mem.used, 0, name);
}

/* The answer, to be freed with json_decref; NULL = an error, in e. */
static json_t *ask(const char *name, const char *body) {
  struct request_question q = {.name = name, .asks = !body, .body = body, .length = body ? strlen(body) : 0};
  int unknown;
  err_clear(&e);
  free(text);
  text = NULL;
  FILE *out = open_memstream(&text, &length);
  int bad = request_answer(x, &q, out, &unknown, &e);
  fclose(out);
  if (bad) return NULL;
  json_t *answer = json_loads(text, 0, NULL);
  if (!answer) printf("# no JSON: %.200s\n", text);
  return answer;
}

static json_t *ask_state(unsigned id) {
  char number[16];
  snprintf(number, sizeof number, "%u", id);
  struct request_pair pair = {"id", number};
  struct request_question q = {.name = "state", .asks = 1, .pair = &pair, .pairs = 1};
  int unknown;
  err_clear(&e);
  free(text);
  text = NULL;
  FILE *out = open_memstream(&text, &length);
  int bad = request_answer(x, &q, out, &unknown, &e);
  fclose(out);
  return bad ? NULL : json_loads(text, 0, NULL);
}

static long long number(const json_t *o, const char *key) { return json_integer_value(json_object_get(o, key)); }
static const char *word(const json_t *o, const char *key) { return json_string_value(json_object_get(o, key)); }
static size_t many(const json_t *o, const char *key) { return json_array_size(json_object_get(o, key)); }

/* ---- a net ------------------------------------------------------------------------------------------------------------------ */

static const char philosophers[] = "net p\nplace t1 = 1, t2 = 1, f1 = 1, f2 = 1, w1, w2, e1, e2\n"
                                   "transition left1 : t1, f1 -> w1\ntransition right1 : w1, f2 -> e1\ntransition done1 : e1 -> t1, f1, f2\n"
                                   "transition left2 : t2, f2 -> w2\ntransition right2 : w2, f1 -> e2\ntransition done2 : e2 -> t2, f1, f2\n";

static void net(void) {
  begin("net", philosophers);
  json_t *a = ask("model", NULL);
  is_text(word(a, "view"), "net", "a net is looked at as a net");
  is_text(word(a, "schema"), "thimble.explore/1", "the schema");
  json_decref(a);

  a = ask_state(0);
  is(many(a, "values"), 4, "only marked places are told");
  is(many(a, "steps"), 2, "two steps");
  ok(json_is_false(json_object_get(a, "deadlock")), "no deadlock");
  long long first = number(json_array_get(json_object_get(a, "steps"), 0), "to");
  json_decref(a);

  a = ask("step", "{\"state\":0,\"k\":0}");
  is(number(a, "to"), first, "a step leads where the state said");
  json_decref(a);
  ok(!ask("step", "{\"state\":0,\"k\":7}") && e.kind == ERR_USAGE, "a step that there is not");
  ok(!ask("step", "{\"state\":99,\"k\":0}") && e.kind == ERR_USAGE, "a state that there is not");
  ok(!ask("step", "{\"k\":0}") && e.kind == ERR_USAGE, "a state that is not named");
  ok(!ask("step", "{\"state\":-1,\"k\":0}") && e.kind == ERR_USAGE, "a negative state");
  ok(!ask("step", "{\"state\":0.5,\"k\":0}") && e.kind == ERR_USAGE, "half a state");
  ok(!ask("step", "[0,0]") && e.kind == ERR_USAGE, "a list in place of an object");
  ok(!ask("step", "{\"state\":0,") && e.kind == ERR_USAGE, "half an object");
  ok(!ask("step", NULL) && e.kind == ERR_USAGE, "a step is not taken by asking");
  ok(!ask("nonsense", NULL) && e.kind == ERR_USAGE, "a request that there is not");

  json_t *walk = ask("walk", "{\"state\":0,\"steps\":50,\"seed\":5}"), *again = ask("walk", "{\"state\":0,\"steps\":50,\"seed\":5}");
  ok(json_equal(json_object_get(walk, "steps"), json_object_get(again, "steps")), "the same seed, the same walk");
  json_decref(again);
  again = ask("walk", "{\"state\":0,\"steps\":50,\"seed\":6}");
  ok(!json_equal(json_object_get(walk, "steps"), json_object_get(again, "steps")), "another seed, another walk");
  json_decref(walk);
  json_decref(again);

  a = ask("find", "{\"kind\":\"stated\"}");
  is_text(word(a, "verdict"), "violated", "the deadlock is found");
  json_t *run = json_object_get(a, "run"), *steps = json_object_get(run, "steps");
  is(json_array_size(steps), 2, "after two steps");
  long long last = number(json_array_get(steps, 1), "to");
  json_decref(a);
  a = ask_state((unsigned)last);
  ok(json_is_true(json_object_get(a, "deadlock")) && !many(a, "steps"), "the run leads to a state in which nothing can happen");
  json_decref(a);
  a = ask("find", "{\"kind\":\"invariant\",\"text\":\"e1 + e2 <= 1\"}");
  is_text(word(a, "verdict"), "holds", "never both eat");
  is(number(a, "states"), 6, "all states were seen");
  ok(json_is_null(json_object_get(a, "run")), "there is no run to show");
  json_decref(a);
  a = ask("find", "{\"kind\":\"reachable\",\"text\":\"e2 == 1\"}");
  is_text(word(a, "verdict"), "holds", "the second one can eat");
  is(json_array_size(json_object_get(json_object_get(a, "run"), "steps")), 2, "in two steps");
  json_decref(a);
  a = ask("find", "{\"kind\":\"ltl\",\"text\":\"<> e1 == 1\"}");
  is_text(word(a, "verdict"), "violated", "the first one need not eat");
  json_decref(a);
  ok(!ask("find", "{\"kind\":\"invariant\",\"text\":\"e9 == 1\"}") && e.message[0], "a name that the model does not have");
  ok(!ask("find", "{\"kind\":\"invariant\"}") && e.kind == ERR_USAGE, "an invariant without a text");
  ok(!ask("find", "{\"property\":\"assert:5\"}") && e.kind == ERR_USAGE, "a property that the model does not have");

  a = ask("graph", NULL);
  is(many(a, "states"), 6, "the whole graph is drawn");
  is(many(a, "edges"), 8, "with all its edges");
  ok(json_is_false(json_object_get(a, "partial")), "it is not partial");
  json_decref(a);

  a = ask("net", NULL);
  json_t *page = json_array_get(json_object_get(a, "pages"), 0);
  is(many(page, "nodes"), 14, "the net is drawn with all its nodes");
  is(many(page, "arcs"), 20, "and arcs");
  ok(json_is_false(json_object_get(page, "placed")), "it was laid out");
  json_decref(a);
  end("a net");
}

/* A run becomes a file, and the file the same run. */
static void files(void) {
  begin("net", philosophers);
  json_t *a = ask("run", "{\"steps\":[0,1]}");
  is_text(word(a, "schema"), "thimble.trace/1", "a run is a trace");
  is(number(a, "steps"), 2, "with two steps");
  json_decref(a);
  char *kept = strdup(text);
  a = ask("open", kept);
  json_t *steps = json_object_get(a, "steps");
  is(json_array_size(steps), 2, "it is opened again");
  is(number(json_array_get(steps, 0), "k"), 0, "the first step");
  is(number(json_array_get(steps, 1), "k"), 1, "the second step");
  json_t *path = ask("path", "{\"steps\":[0,1]}");
  ok(json_equal(json_object_get(path, "steps"), steps), "the same run, by its edges");
  json_decref(path);
  json_decref(a);
  char *name = strstr(kept, "left1");
  if (name) memcpy(name, "done2", 5);
  ok(!ask("open", kept) && strstr(e.message, "not enabled"), "a run of another model is refused");
  kept[strlen(kept) / 2] = 0;
  ok(!ask("open", kept) && e.kind == ERR_INPUT, "half a file is refused");
  ok(!ask("open", "") && e.kind == ERR_USAGE, "no file is refused");
  ok(!ask("run", "{\"steps\":[0,9]}") && e.kind == ERR_USAGE, "a run that there is not");
  ok(!ask("run", "{\"steps\":[\"0\"]}") && e.kind == ERR_USAGE, "steps that are no numbers");
  ok(!ask("run", "{\"steps\":0}") && e.kind == ERR_USAGE, "no list");
  a = ask("run", "{\"steps\":[]}");
  is(number(a, "steps"), 0, "an empty run is a run");
  json_decref(a);
  free(kept);
  end("files");
}

/* ---- layouts that change ---------------------------------------------------------------------------------------------------- */

/* A counter without bounds: states become wider again and again, and numbers stay what they are. */
static void widening(void) {
  begin("net", "net w\nplace p = 1, q\ntransition grow : p -> p, q*3\n");
  json_t *a = ask("walk", "{\"state\":0,\"steps\":400,\"seed\":1}");
  is(many(a, "steps"), 400, "a long walk");
  json_decref(a);
  int right = 1;
  for (unsigned i = 0; i <= 400; i += 20) {
    a = ask_state(i);
    json_t *v = json_object_get(a, "values");
    long long want = 3 * (long long)i, got = json_array_size(v) > 1 ? number(json_array_get(v, 1), "value") : 0;
    right &= got == want;
    json_decref(a);
  }
  ok(right, "every state has its value, however narrow it was when it was met");
  a = ask("find", "{\"kind\":\"invariant\",\"text\":\"q < 5000\",\"states\":3000}");
  ok(a && json_is_object(json_object_get(a, "run")), "the checker goes further");
  json_decref(a);
  a = ask_state(7);
  is(number(json_array_get(json_object_get(a, "values"), 1), "value"), 21, "and what was known is known");
  json_decref(a);
  a = ask("step", "{\"state\":7,\"k\":0}");
  is(number(a, "to"), 8, "with the same numbers");
  json_decref(a);
  end("widening");
}

/* ---- programs --------------------------------------------------------------------------------------------------------------- */

static const char program[] = "chan q = [1] of { byte };\nbyte x;\nactive proctype S() { byte i; do :: i < 3 -> q!i; i++ :: else -> break od }\n"
                              "active proctype R() { byte v; do :: q?v -> x = x + v; assert(x < 3) od }\n";

static void processes(void) {
  begin("promela", program);
  json_t *a = ask_state(0), *stands = json_object_get(a, "stands");
  is(json_array_size(stands), 2, "two processes stand somewhere");
  is(number(json_array_get(stands, 0), "line"), 3, "the first in line 3");
  is_text(word(json_array_get(json_object_get(a, "steps"), 0), "process"), "S", "steps have who makes them");
  ok(json_is_array(json_object_get(json_array_get(json_object_get(a, "steps"), 0), "parts")), "and their parts");
  json_decref(a);
  a = ask("find", "{}");
  is_text(word(a, "verdict"), "violated", "the assertion fails");
  json_t *run = json_object_get(a, "run");
  is_text(word(run, "property"), "assert:4", "it is named");
  size_t steps = many(run, "steps");
  long long last = number(json_array_get(json_object_get(run, "steps"), steps - 1), "to");
  json_decref(a);
  a = ask_state((unsigned)last);
  ok(a, "the run leads to a state");
  json_t *value, *values = json_object_get(a, "values");
  size_t i;
  long long total = -1;
  json_array_foreach(values, i, value) if (strcmp(word(value, "label"), "x") == 0) total = number(value, "value");
  is(total, 3, "in which x is what breaks it");
  json_decref(a);
  a = ask("model", NULL);
  is_text(word(a, "view"), "source", "a program is looked at as text");
  is(many(a, "properties"), 3, "deadlock, assertion, run-time errors");
  json_decref(a);
  ok(!ask("net", NULL) && e.kind == ERR_USAGE, "it is no net");
  for (int times = 1; times <= 2; times++) {
    int refused = !ask("find", "{\"kind\":\"reachable\",\"text\":\"y + x == 2\"}") && e.kind == ERR_INPUT;
    ok(refused, times == 1 ? "a name that nobody has declared" : "is refused when it is asked again, too");
  }
  end("processes");
}

/* ---- C that is no function of the state ------------------------------------------------------------------------------------------ */

static void forgetful(void) {
  begin("promela", "c_decl { int calls; }\nbyte x;\nactive proctype P() { do :: c_expr { calls++ == 0 } -> x = 1 :: x == 0 od }\n");
  if (!x) {
    skip("C that remembers", e.message);
    model_close(model);
    return;
  }
  json_t *a = ask_state(0);
  is(many(a, "steps"), 2, "C makes a step possible");
  json_decref(a);
  json_decref(ask_state(1));
  a = ask_state(0);
  ok(!a && strstr(e.message, "other steps than before"), "and later not: that is told");
  ok(!ask("walk", "{\"state\":0,\"steps\":3,\"seed\":4}") && e.message[0], "nobody goes by steps that are there no more");
  end("C that remembers");
}

/* ---- nets that are nearly none, and nets that are too much ---------------------------------------------------------------------- */

static void little(void) {
  begin("net", "net g\ntransition t : ->\n");
  ok(!ask("value", "{\"state\":0,\"var\":0}") && e.kind == ERR_USAGE, "a value of a model without variables");
  end("a net without places");
}

static void crowded(void) {
  enum { EACH = 350 };
  char *source = NULL;
  size_t size;
  static const char at[] = "<graphics><position x=\"10\" y=\"10\"/></graphics>";
  FILE *out = open_memstream(&source, &size);
  fprintf(out, "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"p\">");
  for (int i = 0; i < EACH; i++) fprintf(out, "<place id=\"p%d\">%s</place><transition id=\"t%d\">%s</transition><arc id=\"a%d\" source=\"p%d\" target=\"t%d\"/>", i, at, i, at, i, i, i);
  fprintf(out, "</page></net></pnml>");
  fclose(out);
  begin("pnml", source);
  json_t *a = ask("net", NULL);
  ok(json_is_true(json_object_get(a, "too_large")) && !many(a, "pages"), "many nodes that all lie in one place are not laid out");
  json_decref(a);
  end("crowded nets");
  free(source);
}

/* ---- coloured nets ------------------------------------------------------------------------------------------------------------ */

static void colours(void) {
  FILE *f = fopen("examples/philosophers.cpnt", "r");
  if (!f) {
    skip("coloured nets", "examples are not here");
    return;
  }
  char source[8192];
  source[fread(source, 1, sizeof source - 1, f)] = 0;
  fclose(f);
  begin("cpnt", source);
  json_t *a = ask_state(0), *v = json_array_get(json_object_get(a, "values"), 0);
  is(number(v, "tokens"), 10, "places have as many tokens as they have");
  ok(strstr(word(v, "text"), "1`10") != NULL, "and their colours");
  json_decref(a);
  a = ask("net", NULL);
  json_t *page = json_array_get(json_object_get(a, "pages"), 0), *node;
  size_t i;
  int vars = 0, groups = 0;
  json_array_foreach(json_object_get(page, "nodes"), i, node) vars += json_object_get(node, "var") != NULL, groups += json_object_get(node, "group") != NULL;
  is(vars, 3, "every place is a variable of the model");
  is(groups, 2, "every transition a group");
  ok(json_is_true(json_object_get(page, "placed")), "positions are those of the file");
  json_decref(a);
  end("coloured nets");
}

/* ---- graphs that are not drawn as a whole --------------------------------------------------------------------------------------- */

static void partial(void) {
  begin("net", "net g\nplace a = 30, b, c\ntransition ab : a -> b\ntransition bc : b -> c\n");
  struct request_pair pair = {"limit", "10"};
  struct request_question q = {.name = "graph", .asks = 1, .pair = &pair, .pairs = 1};
  int unknown;
  free(text);
  text = NULL;
  FILE *out = open_memstream(&text, &length);
  ok(request_answer(x, &q, out, &unknown, &e) == 0, "a part of a graph");
  fclose(out);
  json_t *a = json_loads(text, 0, NULL), *s;
  is(many(a, "states"), 10, "as many states as were asked for");
  ok(json_is_true(json_object_get(a, "partial")), "it is partial");
  long long open = -1;
  size_t i;
  json_array_foreach(json_object_get(a, "states"), i, s) if (open < 0 && number(s, "open")) open = number(s, "id");
  json_array_foreach(json_object_get(a, "states"), i, s) if (open < 0 && json_is_null(json_object_get(s, "open"))) open = number(s, "id");
  json_decref(a);
  char body[64];
  snprintf(body, sizeof body, "{\"state\":%lld}", open);
  a = ask("expand", body);
  ok(many(a, "states") > 10, "unfolding a state draws what follows it");
  json_decref(a);
  a = ask("graph", NULL);
  is(many(a, "states"), 200, "two hundred by themselves");
  json_decref(a);
  end("partial graphs");
}

/* ---- drawings --------------------------------------------------------------------------------------------------------------- */

static int apart(const struct draw *d) {
  for (uint32_t i = 0; i < d->nodes; i++)
    for (uint32_t k = i + 1; k < d->nodes; k++) {
      const struct draw_node *a = &d->node[i], *b = &d->node[k];
      if (fabs(a->x - b->x) < (a->width + b->width) / 2 - 0.5 && fabs(a->y - b->y) < (a->height + b->height) / 2 - 0.5) return 0;
    }
  return 1;
}

static int within(const struct draw *d) {
  for (uint32_t i = 0; i < d->nodes; i++) {
    const struct draw_node *a = &d->node[i];
    if (!(a->x >= a->width / 2 - 0.5 && a->y >= a->height / 2 - 0.5 && a->x <= d->width - a->width / 2 + 0.5 && a->y <= d->height - a->height / 2 + 0.5)) return 0;
  }
  return 1;
}

static void drawings(void) {
  enum { N = 60, M = 110 };
  struct draw_node node[N];
  struct draw_edge edge[M];
  double before[N];
  uint64_t seed = 7;
  struct draw d = {.mem = &mem, .node = node, .nodes = N, .edge = edge, .edges = M, .gap = 10, .layer_gap = 30};
  int good = 1, down = 1, inside = 1;
  for (int graph = 0; graph < 40; graph++) {
    d.nodes = 1 + (uint32_t)graph % N;
    d.edges = graph % 3 ? (uint32_t)(graph * 7 % M) : 0;
    for (uint32_t i = 0; i < d.nodes; i++) node[i] = (struct draw_node){.width = 20 + i % 5 * 9, .height = 16, .layer = -1};
    for (uint32_t i = 0; i < d.edges; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      edge[i] = (struct draw_edge){.from = (uint32_t)(seed >> 33) % d.nodes, .to = (uint32_t)(seed >> 13) % d.nodes};
    }
    good &= draw_layers(&d) == 0 && apart(&d);
    inside &= within(&d);
    for (uint32_t i = 0; i < d.edges; i++) {
      int64_t s = node[edge[i].to].layer - node[edge[i].from].layer;
      down &= edge[i].bends == (size_t)(s > 1 ? s - 1 : s < -1 ? -s - 1 : 0);
    }
    vec_free(&d.points, &mem);
    for (uint32_t i = 0; i < d.nodes; i++) node[i].layer = -1;
    good &= draw_stress(&d) == 0;
    inside &= within(&d);
    for (uint32_t i = 0; i < d.nodes; i++) before[i] = node[i].x;
    good &= draw_stress(&d) == 0;
    for (uint32_t i = 0; i < d.nodes; i++) good &= before[i] == node[i].x;
  }
  ok(good, "nodes do not lie on each other, and drawings are what they were");
  ok(inside, "everything lies within the frame");
  ok(down, "an edge has a bend in each layer that it passes");
  for (uint32_t i = 0; i < N; i++) node[i] = (struct draw_node){.width = 20, .height = 16, .layer = -1};
  for (uint32_t i = 0; i < N; i++) edge[i] = (struct draw_edge){.from = i, .to = i + 1 < N ? i + 1 : 0};
  d.nodes = d.edges = N;
  ok(draw_stress(&d) == 0 && apart(&d), "a ring");
  ok(d.width < 2 * d.height && d.height < 2 * d.width, "is round");
  vec_free(&d.points, &mem);
  is(mem.used, 0, "drawings: nothing is left behind");
}

/* ---- memory ------------------------------------------------------------------------------------------------------------------- */

/* Each request for memory is refused once; whatever was asked answers or says why, and afterwards everything still works. */
static void refused(void) {
  static const char *const asked[][2] = {{"state", "{\"id\":0}"}, {"walk", "{\"state\":0,\"steps\":5}"}, {"graph", "{}"}, {"expand", "{\"state\":0}"}, {"net", "{}"}, {"run", "{\"steps\":[0,1]}"}, {"find", "{}"}};
  int good = 1, failed = 0;
  begin("net", philosophers);
  for (size_t q = 0; q < sizeof asked / sizeof *asked; q++)
    for (size_t n = 1; n < 4000; n++) {
      mem.fail_after = n;
      json_t *a = ask(asked[q][0], asked[q][1]);
      size_t left = mem.fail_after;
      mem.fail_after = 0;
      if (!a) failed++, good &= e.kind == ERR_MEMORY;
      json_decref(a);
      if (left) break; /* it was not even needed */
    }
  ok(good, "a request without memory says so");
  ok(failed > 20, "there were some");
  json_t *a = ask("find", "{}");
  is_text(a ? word(a, "verdict") : NULL, "violated", "afterwards all is well");
  json_decref(a);
  a = ask("graph", NULL);
  is(many(a, "states"), 6, "and known");
  json_decref(a);
  end("refused memory");
}

int main(void) {
  mem_open(&mem, (size_t)256 << 20);
  net();
  files();
  widening();
  processes();
  forgetful();
  little();
  crowded();
  colours();
  partial();
  drawings();
  refused();
  free(text);
  return done();
}
