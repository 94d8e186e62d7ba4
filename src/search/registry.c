/* registry.c -- the searches by name: one line each. */
#include "search/search.h"

#include <stddef.h>
#include <string.h>

const struct search_type *const search_types[] = {&search_bfs, &search_dfs, &search_best, &search_astar, &search_walk, &search_sweep, NULL};

const struct search_type *search_find_type(const char *name) {
  if (strcmp(name, "auto") == 0) return search_types[0];
  for (const struct search_type *const *t = search_types; *t; t++)
    if (strcmp((*t)->name, name) == 0) return *t;
  return NULL;
}
