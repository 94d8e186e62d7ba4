/* lts.c -- explicit graphs: reading, the model's laws, writing, refusals. */
#include "front/lts/lts.h"

#include "base/rng.h"
#include "unit/front_read.h"

struct graph_reading {
  struct mem mem;
  struct err err;
  struct model *model;
};

static int load(struct graph_reading *r, const char *text, size_t length, size_t budget, size_t fail_after) {
  mem_open(&r->mem, budget);
  r->mem.fail_after = fail_after;
  err_clear(&r->err);
  FILE *in = stream(text, length);
  struct front_setup setup = {.mem = &r->mem, .file = "graph", .input = in};
  int status = front_aut.load(&r->model, &setup, &r->err);
  fclose(in);
  return status;
}

static int load_string(struct graph_reading *r, const char *text) { return load(r, text, strlen(text), 0, 0); }

static int unload(struct graph_reading *r) {
  model_close(r->model);
  r->model = NULL;
  return r->mem.used == 0;
}

/* Edges out of order, labels of all kinds, a state without edges beyond the last row. */
static const char *const small = "# comment\n\n  des ( 2 , 8,6 )  \r\n"
                                 "(2, \"a b\", 0)\n"
                                 "(0,a,1)\n"
                                 "(2, GET !1 (x, y) , 1)\n"
                                 "(1,\"say \"hi\", 2)\",2)\n"
                                 "(0,a,2)\r\n"
                                 "(2,a,2)\n"
                                 "(0, \"\", 4)\n"
                                 "  (1 , i , 3)";

static void reading(void) {
  struct graph_reading r;
  if (!ok(load_string(&r, small) == 0, "a graph")) printf("# %ld:%ld %s\n", r.err.line, r.err.column, r.err.message);
  struct model *m = r.model;
  if (!m) return;
  is_text(m->language, "aut", "language");
  is_text(m->file, "graph", "file");
  is(m->words, 1, "one word");
  is(m->bits, 3, "three bits for six states");
  is(m->groups, 6, "labels are groups");
  is(m->vars, 1, "one variable");
  is(m->type->find_var(m, "state", 5), 0, "called state");
  is(m->type->find_var(m, "stat", 4), -1, "and nothing else");
  const struct model_type *t = m->type;
  struct model_cursor *c;
  struct model_batch b;
  t->cursor_open(&c, m, &r.mem);
  model_batch_open(&b, &r.mem, 1, 1);
  uint32_t state;
  t->initial(m, &state);
  is(state, 2, "initial state");
  is(t->successors(c, &state, &b), MODEL_OK, "successors");
  ok(b.count == 3 && b.states[0] == 0 && b.states[b.stride] == 1 && b.states[2 * b.stride] == 2 && b.states[1] == 0,
     "in the order of the file");
  is_text(t->group_name(m, b.group[0]), "a b", "a quoted label");
  is_text(t->group_name(m, b.group[1]), "GET !1 (x, y)", "a bare label with commas");
  is(t->group_place(m, b.group[1]).line, 6, "its line");
  state = 1;
  b.count = 0;
  t->successors(c, &state, &b);
  is_text(t->group_name(m, b.group[0]), "say \"hi\", 2)", "a label with quotes, commas and parentheses in it");
  state = 0;
  b.count = 0;
  t->successors(c, &state, &b);
  ok(b.count == 3 && b.states[0] == 1 && b.states[b.stride] == 2, "two edges with one label, as in the file");
  is_text(t->group_name(m, b.group[2]), "", "an empty label");
  state = 5;
  b.count = 0;
  ok(t->successors(c, &state, &b) == MODEL_OK && b.count == 0, "a state without edges, beyond the last with some");
  int64_t a = t->find_group(m, "a", 1);
  is(a, 1, "labels have numbers in the order of the file");
  is(t->group_place(m, (uint32_t)a).line, 5, "and the place of their first edge");
  ok(b.count == 0 && t->find_group(m, "i", 1) == 5, "the last one");
  is(t->find_group(m, "none", 4), -1, "an unknown label");
  state = 2;
  ok(t->fireable(c, &state, (uint32_t)a), "fireable asks for the label");
  state = 1;
  ok(!t->fireable(c, &state, (uint32_t)a), "and not for anything else");
  model_batch_close(&b);
  t->cursor_close(c);
  ok(unload(&r), "all memory came back");
}

/* ---- the laws ------------------------------------------------------------------------ */

/* The definition has a k-th step, and this is it. */
static int defined_so(const struct model *m, uint32_t s, uint32_t k, uint32_t group, uint32_t target) {
  int64_t value = s, next = -1;
  uint32_t made = UINT32_MAX;
  return m->type->define_edge(m, &value, k, &made, &next, m->mem) == 1 && made == group && next == target;
}

static size_t laws(struct graph_reading *r, uint32_t states, uint32_t edges) {
  struct model *m = r->model;
  const struct model_type *t = m->type;
  struct model_cursor *c;
  struct model_batch b;
  size_t wrong = 0, seen = 0;
  if (t->cursor_open(&c, m, &r->mem) || model_batch_open(&b, &r->mem, 1, 4)) return 1;
  for (uint32_t s = 0; s < states; s++) {
    b.count = 0;
    wrong += t->successors(c, &s, &b) != MODEL_OK;
    seen += b.count;
    for (uint32_t k = 0; k <= b.count; k++) {
      uint32_t out = 0, group = 0;
      int there = t->step(c, &s, k, &out, &group);
      if (k == b.count) {
        wrong += there != 0;
        break;
      }
      wrong += !there || out != b.states[k * b.stride] || group != b.group[k];
      wrong += !t->fireable(c, &s, group) || !defined_so(m, s, k, group, out);
      wrong += t->value(m, &out, 0) != out;
    }
    wrong += defined_so(m, s, (uint32_t)b.count, 0, 0);
    uint8_t bytes[4] = {0};
    uint32_t again = ~s;
    wrong += t->pack(m, &s, bytes, 4) != 4 || t->unpack(m, bytes, 4, &again) || again != s;
  }
  uint8_t bytes[4] = {0};
  memcpy(bytes, &states, 4); /* one too many */
  uint32_t none;
  wrong += t->unpack(m, bytes, 4, &none) == 0 || t->unpack(m, bytes, 3, &none) == 0;
  wrong += seen != edges;
  for (int64_t value = -2, next = 0; value < 1 << 30; value += value < 0 ? 1 : 1 << 29) { /* values of a file */
    int inside = value >= 0 && value < states;
    wrong += t->define_fits(m, &value, &r->mem) != inside;
    wrong += !inside && t->define_edge(m, &value, 0, &(uint32_t){0}, &next, &r->mem) != 0;
  }
  int64_t initial = -1;
  t->define_initial(m, &initial);
  uint32_t first;
  t->initial(m, &first);
  wrong += initial != first;
  wrong += t->reads(m, 0).count != 1 || t->writes(m, 0).mask[0] != 1;
  model_batch_close(&b);
  t->cursor_close(c);
  return wrong;
}

/* A random graph as text, kept beside it in arrays. */
static char *random_graph(struct rng *rng, uint32_t states, uint32_t edges, int sorted, size_t *length) {
  char *text = NULL;
  FILE *out = open_memstream(&text, length);
  fprintf(out, "des (0, %u, %u)\n", edges, states);
  for (uint32_t i = 0; i < edges; i++) {
    uint32_t from = sorted ? (uint32_t)((uint64_t)i * states / edges) : (uint32_t)rng_below(rng, states);
    fprintf(out, "(%u,l%u,%u)\n", from, (unsigned)rng_below(rng, 100), (unsigned)rng_below(rng, states));
  }
  fclose(out);
  return text;
}

static void random_graphs(void) {
  struct rng rng = {7};
  for (int sorted = 0; sorted < 2; sorted++) {
    struct graph_reading r;
    size_t length;
    char *text = random_graph(&rng, 1000, 5000, sorted, &length);
    is(load(&r, text, length, 0, 0), 0, sorted ? "5000 edges in order" : "5000 edges in no order");
    is(laws(&r, 1000, 5000), 0, "the laws of a model");
    ok(unload(&r), "all memory came back");
    free(text);
  }
  struct graph_reading r;
  size_t length;
  char *text = random_graph(&rng, 200000, 1000000, 0, &length);
  is(load(&r, text, length, 0, 0), 0, "a million edges");
  printf("# %.1f bytes per edge, %.1f at the peak\n", (double)r.mem.used / 1e6, (double)r.mem.peak / 1e6);
  ok(r.mem.used < 10000000 && r.mem.peak < 24000000, "8 bytes per edge and 4 per state");
  ok(unload(&r), "all memory came back");
  free(text);
}

/* ---- writing ------------------------------------------------------------------------- */

static void writing(void) {
  struct graph_reading r, again;
  char *text = NULL, *text2 = NULL;
  size_t length = 0, length2 = 0;
  load_string(&r, small);
  FILE *out = open_memstream(&text, &length);
  is(front_aut.save(r.model, out, &r.err), 0, "written");
  fclose(out);
  is(load(&again, text, length, 0, 0), 0, "and read again");
  out = open_memstream(&text2, &length2);
  front_aut.save(again.model, out, &again.err);
  fclose(out);
  is_text(text2, text, "the same graph");
  ok(strstr(text, "des (2, 8, 6)\n(0, \"a\", 1)\n(0, \"a\", 2)\n(0, \"\", 4)\n(1, ") == text, "in the order of states");
  free(text);
  free(text2);
  ok(unload(&again), "all memory came back");
  FILE *full = fopen("/dev/full", "w");
  if (full) {
    ok(front_aut.save(r.model, full, &r.err) == -1 && r.err.kind == ERR_IO, "a full disk is told");
    fclose(full);
  }
  for (int i = 0; front_types[i]; i++) {
    if (front_types[i] == &front_aut || !front_types[i]->save) continue;
    err_clear(&r.err);
    ok(front_types[i]->save(r.model, stdout, &r.err) == -1 && r.err.kind == ERR_USAGE, "a graph is no net");
  }
  ok(unload(&r), "all memory came back");
}

/* ---- refusals ------------------------------------------------------------------------ */

static const struct bad table[] = {
    {"an empty file", "", 0, 0, "no graph"},
    {"no header", "(0,a,1)\n", 1, 1, "must begin with its header"},
    {"another header", "des\n", 1, 4, "( expected"},
    {"no initial state", "des (,1,1)", 1, 6, "the initial state expected"},
    {"an initial state that does not exist", "des (3,0,3)", 1, 6, "the initial state 3 does not exist"},
    {"no states", "des (0,0,0)", 1, 10, "at least one state"},
    {"too large a number", "des (0,0,4294967296)", 1, 10, "more than 4294967295"},
    {"a very large number", "des (0,99999999999999999999999,1)", 1, 8, "more than 4294967295"},
    {"a negative number", "des (-1,0,1)", 1, 6, "the initial state expected"},
    {"text after the header", "des (0,0,1) x", 1, 13, "should end here"},
    {"fewer edges than announced", "\ndes (0, 2, 2)\n(0,a,1)\n", 2, 9, "announces 2 edges, but the file has 1"},
    {"more edges than announced", "des (0,1,2)\n(0,a,1)\n (1,a,0)\n", 3, 2, "announces 1 edges, and this is one more"},
    {"a source that does not exist", "des (0,1,2)\n(2,a,1)\n", 2, 2, "the state 2 does not exist"},
    {"a target that does not exist", "des (0,1,2)\n(1,\xc3\xa4,2)\n", 2, 6, "the state 2 does not exist"},
    {"a target of 20 digits", "des (0,1,2)\n(1,a,10000000000000000000)\n", 2, 6, "more than 4294967295"},
    {"no edge", "des (0,1,2)\nhello\n", 2, 1, "( expected"},
    {"no label", "des (0,1,2)\n(0,,1)\n", 2, 4, "a label expected"},
    {"no label at all", "des (0,1,2)\n(0,1)\n", 2, 6, "a label, a comma and a state expected"},
    {"an unclosed label", "des (0,1,2)\n(0,\"a,1)\n", 2, 4, "not closed"},
    {"an unclosed edge", "des (0,1,2)\n(0,a,1\n", 2, 7, ") expected"},
    {"two edges in one line", "des (0,1,2)\n(0,a,1) (1,a,0)\n", 2, 7, "does not match"},
    {"an open parenthesis", "des (0,1,2)\n(0,a(b,1)\n", 2, 5, "does not match"},
    {"text after a quoted edge", "des (0,1,2)\n(0,\"a\",1) b\n", 2, 11, "should end here"},
    {"no UTF-8", "des (0,1,2)\n(0,a\xff,1)\n", 2, 5, "not valid UTF-8"},
    {"a control character", "des (0,1,2)\n(0,a\x01,1)\n", 2, 5, "control character"},
    {"an old line end", "des (0,1,2)\r(0,a,1)\r", 1, 1, "a line end in the middle"},
};

static void refusals(void) {
  struct graph_reading r;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const struct bad *b = &table[i];
    int status = load_string(&r, b->text);
    if (!ok(status == -1 && !r.model && r.err.kind == ERR_INPUT && r.err.line == b->line && r.err.column == b->column &&
                strstr(r.err.message, b->message) && r.mem.used == 0,
            b->what))
      printf("#   got %d, kind %d at %ld:%ld: %s, leaked %zu\n", status, (int)r.err.kind, r.err.line, r.err.column, r.err.message,
             r.mem.used);
  }
  load_string(&r, "\n des (0, 2, 2)\n(0,a,1)\n");
  is_text(r.err.excerpt, " des (0, 2, 2)", "the header is shown when it lies");
  is(r.err.caret, 9, "with a caret");

  ok(load_string(&r, "des (0, 4294967294, 4294967295)\n(0,a,1)\n") == -1 && r.err.kind == ERR_INPUT && r.mem.peak < 1 << 20,
     "announced billions cost nothing");
  const char *far = "des (0, 1, 4294967295)\n(4294967294,a,1)\n";
  ok(load(&r, far, strlen(far), 64 << 20, 0) == -1 && r.err.kind == ERR_MEMORY && r.mem.used == 0,
     "an edge of the last state needs its rows");
  ok(load_string(&r, "des (4294967294, 1, 4294967295)\n(0,a,4294967294)\n") == 0 && r.model->bits == 32, "a large sparse graph");
  unload(&r);

  char *text = malloc(11 << 20);
  int n = sprintf(text, "des (0, 1, 2)\n(0, \"");
  memset(text + n, 'x', 10 << 20);
  ok(load(&r, text, (size_t)n + (10 << 20), 1 << 20, 0) == -1 && r.err.kind == ERR_INPUT &&
         strstr(r.err.message, "longer than") && r.err.line == 2 && r.mem.used == 0,
     "a label of 10 MB");
  sprintf(text + n + 65537, "\", 1)");
  ok(load(&r, text, strlen(text), 1 << 20, 0) == -1 && strstr(r.err.message, "the label is longer than 65536 bytes"),
     "a label of 64 KB and one byte");
  sprintf(text + n + 65536, "\", 1)");
  ok(load(&r, text, strlen(text), 1 << 20, 0) == 0, "a label of 64 KB, across the pieces of the file");
  unload(&r);
  free(text);
}

static void starvation(void) {
  size_t n = 0, wrong = 0;
  for (int through = 0; !through && n < 1000;) {
    struct graph_reading r;
    int status = load(&r, small, strlen(small), 0, ++n);
    through = status == 0 && r.mem.fail_after != 0;
    wrong += status && (r.err.kind != ERR_MEMORY || r.model);
    wrong += !unload(&r);
  }
  ok(!wrong && n > 10, "every allocation may be refused");
}

int main(void) {
  reading();
  random_graphs();
  writing();
  refusals();
  starvation();
  return done();
}
