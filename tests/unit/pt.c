/* pt.c -- the builder of nets: what it refuses, what it merges, what it finds again. */
#include "tap.h"

#include "base/rng.h"
#include "net/pt.h"

#include <stdlib.h>

static struct mem mem;
static struct err err;

static struct place_in_text line(long n) { return (struct place_in_text){"test.pnml", n, 3}; }

static struct pt_builder *begin(void) {
  struct pt_builder *b;
  err_clear(&err);
  return pt_builder_open(&b, &mem, "test.pnml", &err) ? NULL : b;
}

/* Finishes; on an error closes the builder and gives NULL. */
static struct pt_net *end(struct pt_builder *b) {
  struct pt_net *net;
  if (!pt_builder_finish(b, &net, &err)) return net;
  pt_builder_close(b);
  return NULL;
}

static void place(struct pt_builder *b, const char *id, uint32_t initial) {
  pt_builder_place(b, id, NULL, initial, line(1), &err);
}
static void trans(struct pt_builder *b, const char *id) { pt_builder_transition(b, id, NULL, line(2), &err); }
static void arc(struct pt_builder *b, const char *from, const char *to, uint32_t weight) {
  pt_builder_arc(b, from, to, weight, line(9), &err);
}
static int64_t find_p(const struct pt_net *n, const char *name) { return pt_find_place(n, name, strlen(name)); }
static int64_t find_t(const struct pt_net *n, const char *name) { return pt_find_transition(n, name, strlen(name)); }

static void test_small(void) {
  struct pt_builder *b = begin();
  arc(b, "t", "q", 3); /* before its nodes */
  pt_builder_name(b, "a netXX", 5, &err);
  pt_builder_place(b, "p", "start", 7, line(4), &err);
  pt_builder_position(b, 10, 20.5, &err);
  pt_builder_place(b, "q", "", 0, line(5), &err);
  pt_builder_transition(b, "t", "go", line(6), &err);
  arc(b, "q", "t", 1);
  arc(b, "p", "t", 2);
  arc(b, "p", "t", 5); /* parallel */
  struct pt_net *n = end(b);
  ok(n != NULL, "a small net is built");
  is(n->places, 2, "places");
  is(n->transitions, 1, "transitions");
  is(n->arcs, 3, "arcs after merging");
  is(n->pre_start[1] - n->pre_start[0], 2, "two places are taken from");
  ok(n->pre[0].place == 0 && n->pre[0].weight == 7, "parallel arcs are added up, rows are sorted by place");
  ok(n->pre[1].place == 1 && n->pre[1].weight == 1, "the other arc");
  ok(n->post_start[1] == 1 && n->post[0].place == 1 && n->post[0].weight == 3, "the arc that came before its nodes");
  is(n->initial[0], 7, "initial marking");
  is_text(n->name, "a net", "name of the net, cut to its length");
  is_text(n->place_name[0], "start", "display name");
  is_text(n->place_name[1], "q", "display name defaults to the id");
  is_text(n->file, "test.pnml", "file");
  ok(n->place_at[0].line == 4 && n->place_at[0].column == 3 && n->transition_at[0].line == 6, "places in the text");
  ok(n->place_xy && n->place_xy[0].x == 10 && n->place_xy[0].y == 20.5f && n->transition_xy[0].x == 0, "positions");
  is(find_p(n, "p"), 0, "place by id");
  is(find_p(n, "start"), 0, "place by name");
  is(find_p(n, "t"), -1, "a transition is not a place");
  is(find_t(n, "t"), 0, "transition by id");
  is(find_t(n, "go"), 0, "transition by name");
  is(find_t(n, "start"), -1, "a place's name finds no transition");
  is(pt_find_place(n, "p\0x", 3), -1, "a name with a zero byte is unknown");
  is(find_p(n, ""), -1, "the empty name is unknown");
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

static void test_names(void) {
  struct pt_builder *b = begin();
  pt_builder_place(b, "a", "twin", 0, line(1), &err);
  pt_builder_place(b, "b", "twin", 0, line(2), &err);
  pt_builder_place(b, "c", "a", 0, line(3), &err);
  pt_builder_place(b, "d", "only", 0, line(3), &err);
  pt_builder_transition(b, "t", "twin", line(4), &err);
  struct pt_net *n = end(b);
  is(find_p(n, "twin"), -2, "a name of two places is ambiguous");
  is(find_p(n, "a"), 0, "an id wins over a name");
  is(find_p(n, "only"), 3, "a unique name");
  is(find_t(n, "twin"), 0, "unique among transitions");
  ok(n->place_xy == NULL, "no positions");
  pt_close(n);
}

static void test_refused(void) {
  struct pt_builder *b = begin();
  pt_builder_place(b, "x", NULL, 0, line(12), &err);
  ok(pt_builder_transition(b, "x", NULL, line(40), &err) == -1, "an id is used twice");
  is(err.line, 40, "told at the second");
  is_text(err.message, "the id \"x\" is already taken by a place in line 12", "and names the first");
  pt_builder_close(b);

  b = begin();
  ok(pt_builder_place(b, "", NULL, 0, line(1), &err) == -1, "an empty id is refused");
  pt_builder_close(b);

  b = begin();
  place(b, "p", 0), trans(b, "t");
  pt_builder_arc(b, "p", "nowhere", 1, line(77), &err);
  ok(end(b) == NULL && err.line == 77, "a dangling target is refused at its line");
  is_text(err.message, "an arc leads to \"nowhere\", which is not in the net", "and named");

  b = begin();
  place(b, "p", 0), trans(b, "t");
  pt_builder_arc(b, "nowhere", "t", 1, line(78), &err);
  ok(end(b) == NULL && err.line == 78, "a dangling source is refused");

  b = begin();
  place(b, "p", 0), place(b, "q", 0), arc(b, "p", "q", 1);
  ok(end(b) == NULL, "an arc between places is refused");
  is_text(err.message, "an arc joins two places, \"p\" and \"q\"", "and explained");

  b = begin();
  trans(b, "t"), arc(b, "t", "t", 1);
  ok(end(b) == NULL, "an arc between transitions is refused");

  b = begin();
  place(b, "p", 0), trans(b, "t");
  arc(b, "p", "t", PT_MAX_COUNT), arc(b, "t", "p", PT_MAX_COUNT);
  struct pt_net *n = end(b);
  ok(n && n->pre[0].weight == PT_MAX_COUNT, "the largest weight works");
  pt_close(n);

  b = begin();
  place(b, "p", 0), trans(b, "t");
  arc(b, "p", "t", PT_MAX_COUNT), arc(b, "p", "t", 1);
  ok(end(b) == NULL, "parallel arcs beyond 2^31-1 are refused");

  b = begin();
  ok(pt_builder_arc(b, "p", "t", 0, line(1), &err) == -1, "weight 0 is refused");
  pt_builder_close(b);
  b = begin();
  ok(pt_builder_arc(b, "p", "t", PT_MAX_COUNT + 1, line(1), &err) == -1, "weight 2^31 is refused");
  pt_builder_close(b);
  b = begin();
  ok(pt_builder_place(b, "p", NULL, PT_MAX_COUNT + 1, line(1), &err) == -1, "2^31 tokens are refused");
  pt_builder_close(b);
  is(mem.used, 0, "nothing is left");
}

static void test_references(void) {
  struct pt_builder *b = begin();
  pt_builder_reference_place(b, "r3", "r2", line(1), &err);
  pt_builder_reference_place(b, "r1", "p", line(2), &err);
  pt_builder_reference_place(b, "r2", "r1", line(3), &err);
  place(b, "p", 1), trans(b, "t");
  pt_builder_reference_transition(b, "s", "t", line(4), &err);
  arc(b, "r3", "s", 1), arc(b, "p", "t", 2), arc(b, "s", "r1", 4);
  struct pt_net *n = end(b);
  ok(n && n->arcs == 2 && n->pre[0].weight == 3 && n->post[0].weight == 4, "reference chains end at the node they stand for");
  pt_close(n);

  b = begin();
  pt_builder_reference_place(b, "a", "b", line(1), &err);
  pt_builder_reference_place(b, "b", "c", line(2), &err);
  pt_builder_reference_place(b, "c", "b", line(3), &err);
  ok(end(b) == NULL, "a circle of references is refused");
  b = begin();
  pt_builder_reference_place(b, "a", "a", line(1), &err);
  ok(end(b) == NULL, "a reference to itself is refused");
  b = begin();
  pt_builder_reference_place(b, "a", "gone", line(5), &err);
  ok(end(b) == NULL && err.line == 5, "a reference to nothing is refused");
  b = begin();
  trans(b, "t");
  pt_builder_reference_place(b, "a", "t", line(5), &err);
  ok(end(b) == NULL, "a reference place that stands for a transition is refused");
  b = begin();
  trans(b, "t");
  pt_builder_reference_transition(b, "s", "t", line(5), &err);
  pt_builder_reference_place(b, "a", "s", line(5), &err);
  ok(end(b) == NULL, "also through a reference transition");

  b = begin(); /* a long chain, told from its far end: must not recurse, must not be quadratic */
  char from[32], to[32];
  place(b, "r100000", 0);
  for (int i = 99999; i >= 0; i--) {
    sprintf(from, "r%d", i), sprintf(to, "r%d", i + 1);
    pt_builder_reference_place(b, from, to, line(1), &err);
  }
  trans(b, "t"), arc(b, "r0", "t", 1);
  n = end(b);
  ok(n && n->pre[0].place == 0, "a chain of 100,000 references");
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

static void test_markings(void) {
  struct pt_builder *b = begin();
  pt_builder_marking(b, "first", 9, &err);
  pt_builder_marking(b, "q", 4, &err);
  pt_builder_marking(b, "q", 5, &err);
  pt_builder_place(b, "p", "first", 1, line(1), &err);
  place(b, "q", 0);
  struct pt_net *n = end(b);
  ok(n && n->initial[0] == 9 && n->initial[1] == 5, "markings are overridden, the last one wins");
  pt_close(n);
  b = begin();
  pt_builder_marking(b, "gone", 4, &err);
  ok(end(b) == NULL && err.kind == ERR_USAGE, "an override of an unknown place is a usage error");
}

/* units: "u:p,q;v:r" style is overkill; each case is a function of the builder. */
static struct pt_builder *three_places(uint32_t p, uint32_t q, uint32_t r) {
  struct pt_builder *b = begin();
  place(b, "p", p), place(b, "q", q), place(b, "r", r);
  return b;
}

static void unit(struct pt_builder *b, const char *id, const char *places, const char *subunits) {
  char text[2] = {0};
  pt_builder_unit(b, id, line(1), &err);
  for (; *places; places++) text[0] = *places, pt_builder_unit_place(b, text, &err);
  for (; *subunits; subunits++) text[0] = *subunits, pt_builder_unit_subunit(b, text, &err);
}

static void dropped(struct pt_builder *b, const char *reason) {
  struct pt_net *n = end(b);
  ok(n && n->units == 0 && !n->declared_safe && n->nupn_problem, reason);
  if (n) is_text(n->nupn_problem, reason, "and the reason is told");
  pt_close(n);
}

static void test_units(void) {
  struct pt_builder *b = three_places(1, 0, 0);
  unit(b, "0", "", "12"), unit(b, "1", "pq", ""), unit(b, "2", "r", "");
  pt_builder_nupn(b, "0", 1, &err);
  struct pt_net *n = end(b);
  ok(n && n->units == 3 && n->declared_safe && !n->nupn_problem, "good units are kept");
  ok(n->unit[0].parent == PT_NONE && n->unit[1].parent == 0 && n->unit[2].parent == 0, "their tree");
  ok(n->unit_of[0] == 1 && n->unit_of[1] == 1 && n->unit_of[2] == 2, "their places");
  ok(n->unit[1].first_place == 0 && n->unit[1].place_count == 2 && n->unit_places[2] == 2, "their lists");
  is_text(n->unit[2].id, "2", "their ids");
  pt_close(n);

  b = three_places(1, 0, 0);
  unit(b, "0", "pq", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a place belongs to no unit");
  b = three_places(1, 0, 0);
  unit(b, "0", "pqrp", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a place is listed twice");
  b = three_places(1, 0, 0);
  unit(b, "0", "pqrx", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a unit lists a place that the net does not have");
  b = three_places(1, 0, 0);
  unit(b, "0", "pqr", ""), pt_builder_nupn(b, "9", 1, &err);
  dropped(b, "the root unit is not declared");
  b = three_places(1, 0, 0);
  unit(b, "0", "pq", ""), unit(b, "0", "r", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "two units have the same id");
  b = three_places(1, 0, 0);
  unit(b, "0", "pq", ""), unit(b, "1", "r", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a unit is not below the root unit");
  b = three_places(1, 0, 0);
  unit(b, "0", "pq", ""), unit(b, "1", "r", "2"), unit(b, "2", "", "1"), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a unit contains itself");
  b = three_places(1, 0, 0);
  unit(b, "0", "pq", "1"), unit(b, "1", "r", "0"), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "the root unit is a subunit of another unit");
  b = three_places(1, 0, 0);
  unit(b, "0", "pq", "12"), unit(b, "1", "r", "2"), unit(b, "2", "", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a unit is a subunit of two units");
  b = three_places(1, 0, 0);
  unit(b, "0", "pqr", "5"), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "a subunit is not declared");
  b = three_places(1, 0, 0);
  unit(b, "0", "pqr", "");
  dropped(b, "there are units but no root unit");

  b = three_places(2, 0, 0);
  unit(b, "0", "pqr", ""), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "the initial marking is not unit-safe");
  b = three_places(1, 0, 1);
  unit(b, "2", "r", ""), unit(b, "1", "q", "2"), unit(b, "0", "p", "1"), pt_builder_nupn(b, "0", 1, &err);
  dropped(b, "the initial marking is not unit-safe");
  b = three_places(0, 1, 1);
  unit(b, "2", "r", ""), unit(b, "1", "q", ""), unit(b, "0", "p", "12"), pt_builder_nupn(b, "0", 1, &err);
  n = end(b);
  ok(n && n->units == 3 && n->declared_safe, "marked siblings are fine");
  pt_close(n);
  b = three_places(1, 0, 1);
  unit(b, "0", "pqr", ""), pt_builder_nupn(b, "0", 0, &err);
  n = end(b);
  ok(n && n->units == 1 && !n->declared_safe, "units without the claim of safety are structure only");
  pt_close(n);
  b = three_places(1, 0, 0);
  unit(b, "0", "pqr", ""), pt_builder_nupn(b, "0", 1, &err), pt_builder_marking(b, "q", 1, &err);
  n = end(b);
  ok(n && n->units == 1 && !n->declared_safe && n->nupn_problem, "a changed marking voids the claim of safety");
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

/* One of everything, for the failure of each allocation. */
static struct pt_net *everything(void) {
  struct pt_builder *b;
  if (pt_builder_open(&b, &mem, "f", &err)) return NULL;
  struct pt_net *n = NULL;
  char id[32], other[32];
  int bad = pt_builder_name(b, "n", 1, &err);
  for (int i = 0; i < 40 && !bad; i++) {
    sprintf(id, "p%d", i), sprintf(other, "r%d", i);
    bad = pt_builder_place(b, id, i % 2 ? "name" : NULL, 0, line(i), &err) || pt_builder_position(b, i, i, &err) ||
          pt_builder_reference_place(b, other, id, line(i), &err);
    sprintf(id, "t%d", i);
    bad = bad || pt_builder_transition(b, id, "T", line(i), &err) || pt_builder_arc(b, other, id, 1, line(i), &err) ||
          pt_builder_arc(b, id, other, 1, line(i), &err);
  }
  bad = bad || pt_builder_marking(b, "p3", 3, &err) || pt_builder_nupn(b, "u", 1, &err) || pt_builder_unit(b, "u", line(1), &err);
  for (int i = 0; i < 40 && !bad; i++) sprintf(id, "p%d", i), bad = pt_builder_unit_place(b, id, &err);
  bad = bad || pt_builder_unit_subunit(b, "v", &err) || pt_builder_unit(b, "v", line(1), &err);
  if (bad || pt_builder_finish(b, &n, &err)) pt_builder_close(b);
  return n;
}

static void test_failures(void) {
  int refused = 0, wrong = 0, leaked = 0, n = 0;
  for (size_t left = 0; !left && n < 10000;) {
    err_clear(&err);
    mem.fail_after = (size_t)++n;
    struct pt_net *net = everything();
    left = mem.fail_after; /* not used up: nothing was refused */
    mem.fail_after = 0;
    refused += !net && err.kind == ERR_MEMORY;
    wrong += net ? net->places != 40 || net->units != 2 : err.kind != ERR_MEMORY;
    pt_close(net);
    leaked += mem.used != 0;
  }
  ok(n < 10000 && refused > 20, "refused allocations are errors");
  is(wrong, 0, "about memory, or are got round");
  is(leaked, 0, "and none leaks");
}

static void test_large(void) {
  struct pt_builder *b = begin();
  struct rng rng = {7};
  char id[32], other[32];
  enum { PLACES = 80000, ARCS = 1000000 };
  double t0 = cpu_now();
  for (int i = 0; i < PLACES; i++) {
    sprintf(id, "place_%d", i), place(b, id, 1);
    sprintf(id, "transition_%d", i), trans(b, id);
  }
  for (int i = 0; i < ARCS; i++) {
    sprintf(id, "place_%d", (int)rng_below(&rng, PLACES));
    sprintf(other, "transition_%d", (int)rng_below(&rng, PLACES));
    if (i & 1) arc(b, id, other, 1);
    else arc(b, other, id, 1);
  }
  struct pt_net *n = end(b);
  double seconds = cpu_now() - t0;
  ok(n != NULL, "80,000 places and 1,000,000 arcs");
  printf("# built in %.2f s, %zu bytes kept, %zu at the peak\n", seconds, mem.used, mem.peak);
  ok(seconds < 8, "are built quickly");
  uint64_t weights = 0, unsorted = 0;
  for (uint32_t t = 0; t < n->transitions; t++) {
    for (uint32_t i = n->pre_start[t]; i < n->pre_start[t + 1]; i++) {
      weights += n->pre[i].weight;
      unsorted += i > n->pre_start[t] && n->pre[i].place <= n->pre[i - 1].place;
    }
    for (uint32_t i = n->post_start[t]; i < n->post_start[t + 1]; i++) {
      weights += n->post[i].weight;
      unsorted += i > n->post_start[t] && n->post[i].place <= n->post[i - 1].place;
    }
  }
  is(weights, ARCS, "no arc is lost");
  is(unsorted, 0, "rows are strictly ascending");
  int bad = 0;
  for (int i = 0; i < PLACES; i += 97) {
    sprintf(id, "place_%d", i);
    bad += find_p(n, id) != i;
  }
  is(bad, 0, "ids are found again");
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

static void test_hostile(void) {
  size_t length = 10 << 20;
  char *id = malloc(length + 1);
  memset(id, 'x', length);
  id[length] = 0;
  struct pt_builder *b = begin();
  place(b, id, 0), trans(b, "t"), arc(b, id, "t", 1), arc(b, "t", id, 1);
  struct pt_net *n = end(b);
  ok(n && find_p(n, id) == 0, "an id of 10 MB");
  ok(mem.used < length + (1 << 20), "is kept once");
  pt_close(n);
  b = begin();
  place(b, id, 0);
  ok(pt_builder_place(b, id, NULL, 0, line(2), &err) == -1 && strlen(err.message) < 200, "and cut in messages");
  pt_builder_close(b);
  free(id);
  n = end(begin());
  ok(n && n->places == 0 && n->transitions == 0, "an empty net is a net");
  pt_close(n);
  is(mem.used, 0, "nothing is left");
}

int main(void) {
  mem_open(&mem, 0);
  test_small();
  test_names();
  test_refused();
  test_references();
  test_markings();
  test_units();
  test_failures();
  test_large();
  test_hostile();
  return done();
}
