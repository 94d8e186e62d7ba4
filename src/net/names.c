/* names.c -- see names.h. */
#include "net/names.h"

#include "base/hash.h"

#include <string.h>

void names_open(struct names *n, struct mem *m, enum mem_tag tag) { *n = (struct names){.mem = m, .tag = tag}; }

void names_close(struct names *n) {
  if (!n->mem) return;
  mem_free(n->mem, n->slot);
  vec_free(&n->list, n->mem);
  *n = (struct names){0};
}

/* The slot of the text, or the free one where it belongs. */
static size_t seek(const struct names *n, const char *text, size_t length, uint64_t hash) {
  size_t mask = n->slots - 1;
  for (size_t i = hash & mask;; i = (i + 1) & mask) {
    if (n->slot[i] == NAMES_NONE) return i;
    const struct name *x = &n->list.at[n->slot[i]];
    if (x->hash == hash && x->length == length && memcmp(x->text, text, length) == 0) return i;
  }
}

static int grow(struct names *n) {
  size_t slots = n->slots ? n->slots * 2 : 16;
  uint32_t *slot = mem_alloc(n->mem, n->tag, slots * sizeof *slot);
  if (!slot) return -1;
  memset(slot, 0xff, slots * sizeof *slot);
  for (size_t k = 0; k < n->list.count; k++) {
    size_t i = n->list.at[k].hash & (slots - 1);
    while (slot[i] != NAMES_NONE) i = (i + 1) & (slots - 1);
    slot[i] = (uint32_t)k;
  }
  mem_free(n->mem, n->slot);
  n->slot = slot;
  n->slots = slots;
  return 0;
}

uint32_t names_put(struct names *n, const char *text, size_t length, struct arena *copy) {
  if ((n->list.count + 1) * 4 > n->slots * 3 && grow(n)) return NAMES_NONE;
  uint64_t hash = hash_bytes(text, length);
  size_t i = seek(n, text, length, hash);
  if (n->slot[i] != NAMES_NONE) return n->slot[i];
  if (n->list.count >= NAMES_NONE - 1) return NAMES_NONE;
  if (copy && !(text = arena_strndup(copy, text, length))) return NAMES_NONE;
  if (vec_push(&n->list, n->mem, n->tag, (struct name){text, length, hash})) return NAMES_NONE;
  return n->slot[i] = (uint32_t)(n->list.count - 1);
}

uint32_t names_find(const struct names *n, const char *text, size_t length) {
  if (!n->slots) return NAMES_NONE;
  return n->slot[seek(n, text, length, hash_bytes(text, length))];
}
