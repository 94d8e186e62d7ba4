/* check_spread.c -- see check_spread.h. */
#include "cli/check_spread.h"

#include "run/run.h"

#include <string.h>

static int alone(struct err *e, const char *what, const char *why) {
  err_usage(e, "%s is for one process: %s", what, why);
  err_hint(e, "thimble instead of thimble-mpi");
  return -1;
}

/* Options that other parts may have or not: by name. */
static int given(const struct options *o, const char *name) {
  for (int i = 0; i < OPTIONS; i++)
    if (strcmp(option_specs[i].name, name) == 0 && option_specs[i].commands & IN_CHECK && options_given(o, (enum option_id)i)) return 1;
  return 0;
}

int check_spread_allows(const struct session *s, const struct search_type *search, const struct store_type *store, struct err *e) {
  static const struct {
    enum option_id option;
    const char *name, *why;
  } no[] = {
      {OPTION_CTL, "--ctl", "it needs the whole graph in one place"},
      {OPTION_STRATEGY, "--strategy", "it needs the whole graph in one place"},
      {OPTION_SPACE_REPORT, "--space-report", "it needs the whole graph in one place"},
      {OPTION_OBSERVER, "--observer", "several search breadth-first, observers are asked depth-first; --ltl and --automaton can be asked"},
      {OPTION_UNBOUNDED_CHANNELS, "--unbounded-channels", "loops that make a channel grow are looked for on the stack of a depth-first search"},
      {OPTION_MCC, "--mcc", "the contest's questions are answered in other ways than by one search"},
      {OPTION_SWARM, "--swarm", "its members need nothing of each other"},
      {OPTION_LOSSY, "--lossy", "several search with exact stores"},
  };
  if (!s->spread) return 0;
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    if (options_given(&s->options, no[i].option)) return alone(e, no[i].name, no[i].why);
  if (given(&s->options, "disk") || (store && strcmp(store->name, "disk") == 0)) return alone(e, "a search on disk", "the states of several processes are in their memories");
  if (options_given(&s->options, OPTION_JOBS) && options_count(&s->options, OPTION_JOBS) > 1) return alone(e, "--jobs", "each rank searches with one thread; more cores are more ranks");
  if (search && search != &search_bfs) return alone(e, "a search that is not breadth-first", "several search layer by layer");
  if (store && (!(store->caps & STORE_EXACT) || store->caps & STORE_FORGETS)) return alone(e, "a store that misses or forgets states", "several search with exact stores");
  return 0;
}

int check_spread_asks(const struct session *s, const struct prop *props, size_t count, struct err *e) {
  for (size_t i = 0; i < count && s->spread; i++)
    if (prop_of_graph(&props[i])) return alone(e, "a branching property", "it needs the whole graph in one place");
  return 0;
}

int check_spread_agree(struct session *s, int bad) { return s->spread ? s->spread->agree(s->spread->ranks, bad, &s->err) : bad; }

const char *check_spread_change(const struct session *s, struct run_setup *setup) {
  if (!s->spread) return NULL;
  setup->spread = s->spread;
  setup->reduce_late = setup->reduce_runs = 0;
  setup->jobs = 1;
  if (!(setup->reduce & REDUCE_SYMMETRY)) return NULL;
  setup->reduce &= ~(unsigned)REDUCE_SYMMETRY;
  return "several processes do not use symmetries: which of alike states stands for the others must be the same on all of them";
}
