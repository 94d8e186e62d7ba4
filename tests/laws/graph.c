/* graph.c -- the condensed graph of every example: walks and single states give back what the search saw; rows told in another order, and an unfolding of it, change
 * no answer; turned twice it is the same. */
#include "tap.h"

#include "base/rng.h"
#include "base/vec.h"
#include "front/front.h"
#include "run/compare.h"
#include "run/minimise.h"
#include "search/components.h"
#include "search/graph_walk.h"

#include <dirent.h>
#include <stdlib.h>
#include <time.h>

static struct rng rng = {3};
static char text[700];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* Every state as the search found it, and the graph. */
struct record {
  struct listener listener;
  struct mem *mem;
  const struct model *m;
  struct vec(int64_t) values; /* words change with the layout */
  struct vec(uint64_t) depth;
};

static int same_values(const struct record *r, uint64_t state, const uint32_t *words) {
  for (uint32_t v = 0; v < r->m->vars; v++)
    if (r->m->type->value(r->m, words, v) != r->values.at[state * r->m->vars + v]) return 0;
  return 1;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct record *r = (struct record *)l;
  (void)s;
  if (event->kind == EVENT_AGAIN) r->values.count = r->depth.count = 0;
  if (event->kind != EVENT_NEW) return LISTEN_ON;
  for (uint32_t v = 0; v < r->m->vars; v++)
    if (vec_push(&r->values, r->mem, MEM_OTHER, r->m->type->value(r->m, event->words, v))) return LISTEN_GOAL;
  return vec_push(&r->depth, r->mem, MEM_OTHER, event->depth) ? LISTEN_GOAL : LISTEN_ON;
}

struct visit {
  const struct record *r;
  uint64_t visits, wrong;
  uint8_t *seen;
};

static int look(void *context, uint64_t state, const uint32_t *words, uint64_t depth) {
  struct visit *v = context;
  v->visits++;
  v->wrong += v->seen[state] || depth != v->r->depth.at[state] || !same_values(v->r, state, words);
  v->seen[state] = 1;
  return 0;
}

/* The same rows in another order of telling. */
static int shuffled(struct graph *out, const struct graph *g, struct mem *mem) {
  uint32_t *order = calloc((size_t)g->states + 1, sizeof *order), label;
  graph_open(out, mem, 0);
  out->group_bits = g->group_bits;
  for (uint32_t i = 0; i < g->states; i++) order[i] = i;
  for (uint64_t i = g->states; i > 1; i--) {
    uint64_t j = rng_below(&rng, i);
    uint32_t x = order[i - 1];
    order[i - 1] = order[j];
    order[j] = x;
  }
  int bad = 0;
  for (uint32_t i = 0; i < g->states && !bad; i++) {
    bad = graph_begin(out, order[i]);
    for (struct graph_edges e = graph_edges(g, order[i]); graph_more(&e) && !bad;) {
      uint32_t t = graph_next(&e, &label);
      bad = graph_edge(out, t, label);
    }
    bad = bad || graph_end(out);
  }
  out->states = g->states;
  free(order);
  return bad;
}

/* Every state twice, edges to either: what a search that forgets and meets again tells. */
static int unfolded(struct graph *out, const struct graph *g, struct mem *mem) {
  uint32_t label;
  int bad = 0;
  graph_open(out, mem, 0);
  out->group_bits = g->group_bits;
  for (uint64_t s = 0; s < 2 * g->states && !bad; s++) {
    bad = graph_begin(out, s);
    for (struct graph_edges e = graph_edges(g, s % g->states); graph_more(&e) && !bad;) {
      uint64_t t = graph_next(&e, &label);
      bad = graph_edge(out, t + rng_below(&rng, 2) * g->states, label);
    }
    bad = bad || graph_end(out);
  }
  out->states = 2 * g->states;
  return bad;
}

static uint32_t blocks(const struct graph *g, enum bisimulation kind, struct mem *mem, int *same) {
  struct refined r;
  struct err e = {0};
  if (refine(&r, g, kind, NULL, mem, &e)) return 0;
  uint32_t n = r.blocks;
  for (uint64_t s = 0; same && s < g->states / 2; s++) *same &= r.block[s] == r.block[s + g->states / 2];
  refined_close(&r);
  return n;
}

static int same_rows(const struct graph *a, const struct graph *b) {
  uint32_t x, y;
  int same = a->states == b->states && a->edges == b->edges;
  for (uint64_t s = 0; s < a->states && same; s++) {
    struct graph_edges e = graph_edges(a, s), f = graph_edges(b, s);
    while (same && graph_more(&e)) same = graph_more(&f) && graph_next(&e, &x) == graph_next(&f, &y) && x == y;
    same = same && !graph_more(&f);
  }
  return same;
}

/* Turning sorts rows by target: turned twice, and once more twice, it is the same. */
static int turns(const struct graph *g, struct mem *mem) {
  struct graph t[4];
  const struct graph *from = g;
  for (int i = 0; i < 4; i++, from = &t[i - 1])
    if (graph_turn(&t[i], from, 1, mem)) return 0;
  int same = same_rows(&t[1], &t[3]) && same_rows(&t[0], &t[2]) && t[1].edges == g->edges;
  for (int i = 0; i < 4; i++) graph_close(&t[i]);
  return same;
}

static void with_graph(struct model *m, const char *file, struct mem *mem) {
  struct err e = {0};
  struct record record = {.listener = {.wants = EVENT_NEW | EVENT_AGAIN, .hear = hear}, .mem = mem, .m = m};
  struct listener *const listeners[] = {&record.listener};
  struct run_setup run = {.mem = mem, .model = m, .listeners = listeners, .listener_count = 1, .limits = {.states = 3000}};
  struct verdict v = {0};
  struct graph g, other;
  struct graph_tree tree;
  graph_open(&g, mem, m->groups);
  struct labels labels;
  static const struct labels_seen nothing_hidden;
  labels_open(&labels, mem);
  struct labelling own = {.labels = &labels, .model = m, .seen = &nothing_hidden, .of = mem_alloc(mem, MEM_OTHER, ((size_t)m->groups + 1) * sizeof *own.of), .count = m->groups};
  for (uint32_t i = 0; i < m->groups; i++) own.of[i] = i; /* walks go by groups */
  int bad = minimise_explore(&g, &own, &run, &v, &e);
  labelling_close(&own);
  labels_close(&labels);
  if (!bad && v.complete && graph_tree_open(&tree, &g, mem, &e) == 0) {
    struct visit visit = {.r = &record, .seen = calloc((size_t)g.states + 1, 1)};
    bad = graph_walk(&tree, m, look, &visit, &e);
    ok(!bad && visit.visits == g.states && !visit.wrong, NAMED("%s: a walk meets every state once, as it was (%s)", file, m->type->unstep ? "backwards" : "kept"));
    uint32_t *words = calloc(model_stride(m->words), sizeof *words);
    int right = 1;
    for (unsigned i = 0; i < 50 && right; i++) {
      uint64_t s = rng_below(&rng, g.states), depth = 0;
      right = graph_state(&tree, m, s, words, &depth, &e) == 0 && depth == record.depth.at[s] && same_values(&record, s, words);
    }
    ok(right, NAMED("%s: any state on request", file));
    free(words);
    free(visit.seen);
    graph_tree_close(&tree);
    ok(turns(&g, mem), NAMED("%s: turned round and round", file));
    ok(shuffled(&other, &g, mem) == 0 && same_rows(&g, &other), NAMED("%s: rows in another order", file));
    ok(blocks(&other, BISIMULATION_STRONG, mem, NULL) == blocks(&g, BISIMULATION_STRONG, mem, NULL), NAMED("%s: and as many classes", file));
    graph_close(&other);
    int same = 1;
    ok(unfolded(&other, &g, mem) == 0 && blocks(&other, BISIMULATION_STRONG, mem, &same) == blocks(&g, BISIMULATION_STRONG, mem, NULL) && same,
       NAMED("%s: an unfolding is bisimilar", file));
    graph_close(&other);
  } else {
    skip(NAMED("%s", file), "its graph is not whole");
  }
  graph_close(&g);
  vec_free(&record.values, mem);
  vec_free(&record.depth, mem);
  verdict_close(&v);
}

static void with_folder(const char *folder) {
  DIR *d = opendir(folder);
  for (struct dirent *f; d && (f = readdir(d));) {
    char file[600];
    struct mem mem;
    struct err e = {0};
    struct model *m = NULL;
    snprintf(file, sizeof file, "%s/%s", folder, f->d_name);
    if (!front_for_file(file)) continue;
    mem_open(&mem, (size_t)256 << 20);
    struct front_setup setup = {.mem = &mem, .file = file};
    if (front_load(&m, file, NULL, &setup, &e)) continue; /* models of errors */
    if (m->vars <= 500) with_graph(m, file, &mem); /* every value of every state is kept here */
    else skip(NAMED("%s", file), "too many variables");
    model_close(m);
    if (mem.used) ok(0, NAMED("%s: %zu bytes are left behind", file, mem.used));
  }
  if (d) closedir(d);
}

/* Takes its time with the first state of a search. */
static enum listener_answer dawdle(struct listener *l, struct search *s, const struct search_event *event) {
  (void)l, (void)s;
  if (event->source == STORE_NONE) nanosleep(&(struct timespec){.tv_nsec = 600000000}, NULL);
  return LISTEN_ON;
}

/* Two models share the time that they have: each could do with it, and both together cannot. */
static void in_time(void) {
  static const char file[] = "examples/philosophers.net";
  static const struct labels_seen seen[2];
  struct mem mem;
  struct err e = {0};
  struct model *m[2] = {NULL, NULL};
  struct comparison c = {0};
  struct listener slow = {.wants = EVENT_NEW, .hear = dawdle}, *listeners[] = {&slow};
  mem_open(&mem, (size_t)256 << 20);
  struct front_setup setup = {.mem = &mem, .file = file};
  int there = front_load(&m[0], file, NULL, &setup, &e) == 0 && front_load(&m[1], file, NULL, &setup, &e) == 0;
  struct run_setup run = {.mem = &mem, .listeners = listeners, .listener_count = 1, .limits = {.seconds = 1}};
  ok(there && compare(&c, SAME_STRONG, m, &run, seen, &e) == 0 && !c.complete, "models that are compared share their time");
  comparison_close(&c);
  for (int i = 0; i < 2; i++) model_close(m[i]);
  is(mem.used, 0, "and nothing is left behind");
}

int main(void) {
  in_time();
  with_folder("examples");
  with_folder("tests/models");
  return done();
}
