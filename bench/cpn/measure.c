/* measure.c -- coloured nets of the literature (tests/coloured.h): states per second of processor time, and bytes per state.
 *
 *   measure [plain|compact-tree] [NAME ...]     (make bench-cpn)
 *
 * The bars: database 12 and telephones 6 at 400,000 states per second and 10 bytes per state.  Bytes: everything that the run holds at its peak, the model with its multisets and what it remembers
 * included, and of the store alone. */
#include "coloured.h"
#include "search/search.h"

#include <time.h>

struct counts {
  struct listener listener;
  uint64_t edges;
};

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct counts *c = (struct counts *)l;
  (void)s;
  if (e->kind == EVENT_AGAIN) c->edges = 0;
  else c->edges += e->successors;
  return LISTEN_ON;
}

static void measure(const char *name, struct sketch *s, struct mem *mem, const char *store, double opened) {
  struct model *m;
  struct err e;
  struct search *search;
  static const struct colour_setup usual;
  struct counts c = {.listener = {EVENT_EXPANDED | EVENT_AGAIN, hear}};
  struct listener *listeners[] = {&c.listener};
  err_clear(&e);
  if (colour_model_open(&m, s->d, &usual, "sketch", mem, &e)) {
    printf("%s: %s\n", name, e.message);
    return;
  }
  struct search_setup setup = {.model = m, .store = store_find_type(store), .mem = mem, .listeners = listeners, .listener_count = 1};
  double before = (double)clock() / CLOCKS_PER_SEC;
  if (search_open(&search, search_find_type("bfs"), &setup, &e)) {
    printf("%s: %s\n", name, e.message);
    return;
  }
  search_run(search);
  double seconds = (double)clock() / CLOCKS_PER_SEC - before, states = (double)search->stats.states;
  printf("%-16s %-12s %10.0f %11llu %7.2f s %9.0f states/s %6.0f ns/edge %6.1f bytes/state %6.1f in the store %4u bits, opened in %.2f s\n", name, store, states,
         (unsigned long long)c.edges, seconds, states / seconds, 1e9 * seconds / (double)c.edges, (double)mem->peak / states,
         (double)search->store->type->bytes(search->store) / states, m->bits, before - opened);
  for (int tag = 0; tag < MEM_TAGS; tag++) printf("  %s %.1f", mem_tag_name((enum mem_tag)tag), (double)mem->tag_used[tag] / states);
  printf("\n");
  search_close(search);
  model_close(m);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*draw)(struct sketch *, int);
    int size;
  } nets[] = {{"philosophers-25", draw_philosophers, 25}, {"database-12", draw_database, 12}, {"telephones-6", draw_telephones, 6}};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
    for (int k = 0; k < 2; k++) {
      struct mem mem;
      struct err e;
      struct sketch s;
      const char *store = k ? "compact-tree" : "plain", *only = argc > 1 && store_find_type(argv[1]) ? argv[1] : NULL;
      int first = only ? 2 : 1, wanted = argc == first;
      for (int a = first; a < argc; a++) wanted |= strcmp(argv[a], nets[i].name) == 0;
      if (!wanted || (only && strcmp(only, store) != 0)) continue;
      mem_open(&mem, (size_t)4 << 30);
      err_clear(&e);
      double opened = (double)clock() / CLOCKS_PER_SEC;
      if (sketch_open(&s, &mem, &e)) return 1;
      nets[i].draw(&s, nets[i].size);
      measure(nets[i].name, &s, &mem, store, opened);
    }
  return 0;
}
