/* measure.c -- the condensed graph of one model: bytes per edge, and how fast AG EF p is decided on it.
 *
 *   measure MODEL P [NAME=VALUE ...]
 *
 * Prints states, edges, bytes per edge (rows and directory), bits per target as distances and as plain numbers, bytes per edge of the graph turned round, million edges
 * per second for AG EF P: turning and the fixpoint. */
#include "base/clock.h"
#include "front/front.h"
#include "run/run.h"
#include "search/ctl.h"
#include "search/ctl_operators.h"

#include <stdio.h>
#include <stdlib.h>

static void die(const struct err *e) {
  fprintf(stderr, "measure: %s\n", e->message);
  exit(1);
}

static void widths(const struct graph *g, double *far, double *plain) {
  uint64_t far_bits = 0, plain_bits = 0;
  for (uint64_t s = 0; s < g->states; s++) {
    uint64_t most = 1, count = 0;
    struct graph_edges e = graph_edges(g, s);
    unsigned width = e.width;
    for (; graph_more(&e); count++) {
      uint64_t t = graph_next(&e, NULL);
      if (t > most) most = t;
    }
    far_bits += count * width;
    plain_bits += count * bits_for(most);
  }
  *far = (double)far_bits / (double)g->edges;
  *plain = (double)plain_bits / (double)g->edges;
}

int main(int argc, char **argv) {
  struct mem mem;
  struct err e;
  struct model *m;
  struct front_override define[16];
  size_t defines = 0;
  if (argc < 3) return 2;
  for (int i = 3; i < argc && defines < 16; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 2;
    *value = 0;
    define[defines++] = (struct front_override){argv[i], value + 1};
  }
  mem_open(&mem, (size_t)6 << 30);
  err_clear(&e);
  const char *properties[] = {argv[2], NULL};
  struct front_setup setup = {.mem = &mem, .file = argv[1], .defines = define, .define_count = defines, .no_claims = 1, .properties = properties};
  if (front_load(&m, argv[1], NULL, &setup, &e)) die(&e);
  struct prop p;
  char text[1000];
  snprintf(text, sizeof text, "AG EF (%s)", argv[2]);
  if (prop_open(&p, PROP_CTL, 1, text, m, &mem, &e)) die(&e);
  struct kripke k;
  if (kripke_open(&k, m, p.branching->expr, p.branching->names.count, &mem, &e)) die(&e);
  struct listener *const listeners[] = {&k.listener};
  struct verdict v = {0};
  struct run_setup run = {.mem = &mem, .model = m, .search = &search_bfs, .store = &store_plain, .listeners = listeners, .listener_count = 1};
  if (run_check(&v, &run, &e)) die(&e);
  if (!v.complete || k.failed) {
    fprintf(stderr, "measure: not the whole graph\n");
    return 1;
  }
  verdict_close(&v);
  double far, plain, begin = clock_now();
  struct ctl *ctl;
  if (ctl_open(&ctl, p.branching->formulas, &k, &mem, &e)) die(&e);
  int holds = ctl_holds(ctl, p.branching->formula, &e);
  double seconds = clock_now() - begin;
  if (holds < 0) die(&e);
  ctl_close(ctl);
  struct graph turned;
  if (graph_turn(&turned, &k.graph, 0, &mem)) return 1;
  widths(&k.graph, &far, &plain);
  double edges = (double)k.graph.edges;
  printf("%10llu %11llu %6.2f %6.1f %6.1f %8.2f %9.1f  %s\n", (unsigned long long)k.states, (unsigned long long)k.graph.edges, (double)graph_bytes(&k.graph) / edges, far,
         plain, (double)graph_bytes(&turned) / edges, edges / seconds / 1e6, holds ? "holds" : "violated");
  graph_close(&turned);
  kripke_close(&k);
  prop_close(&p);
  model_close(m);
  return 0;
}
