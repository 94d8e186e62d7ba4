/* registry.c -- the stores by name: one line each. */
#include "store/store.h"

#include <stddef.h>
#include <string.h>

const struct store_type *const store_types[] = {
    &store_plain,
    &store_compact_tree,
    &store_tree,
    &store_collapse,
    &store_dfa,
    &store_comback,
    &store_delta,
    &store_hashcompact,
    &store_bitstate,
    &store_cache,
    NULL,
};

const struct store_type *store_find_type(const char *name) {
  if (strcmp(name, "auto") == 0) return store_types[0];
  for (const struct store_type *const *t = store_types; *t; t++)
    if (strcmp((*t)->name, name) == 0) return *t;
  return strcmp(store_disk.name, name) == 0 ? &store_disk : NULL;
}
