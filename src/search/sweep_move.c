/* sweep_move.c -- the states of a sweep in another store, or in another layout.
 *
 * A sweep knows states by the store's refs, in lists and in the map of their numbers.  When they move, every ref is replaced by what the new store calls the state: told while it moved, where the
 * old store numbers its states, and otherwise asked for afterwards.  States that are kept in full (stores that remember) pass through the conversion themselves. */
#include "search/sweep_parts.h"

#include <string.h>

typedef int visit_list(void *context, struct reflist *);

/* All lists of refs. 0, or what a visit said. */
static int each_list(struct sweep *w, visit_list *visit, void *context) {
  int status = visit(context, &w->next_roots.refs);
  for (uint32_t i = 0; i < w->buckets && !status; i++) { /* those of free ones are empty */
    struct bucket *b = &w->bucket[i];
    status = visit(context, &b->roots.refs) || visit(context, &b->states.refs) || visit(context, &b->left_out);
  }
  return status;
}

static int highest(void *context, struct reflist *l) {
  uint64_t *most = context;
  struct reflist_place at = {0};
  store_ref ref;
  while (reflist_next(l, &at, &ref))
    if (ref > *most) *most = ref;
  return 0;
}

static int begin_move(void *context, struct search *s, struct store *to) {
  struct sweep *w = context;
  uint64_t most = w->first;
  w->there_count = 0;
  if (to == s->store || !(s->store->type->caps & STORE_ORDER)) return 0;
  each_list(w, highest, &most);
  for (uint64_t i = 0; i < w->number_of.room; i++)
    if (w->number_of.entry[i].ref != STORE_NONE && w->number_of.entry[i].ref > most) most = w->number_of.entry[i].ref;
  if (region_resize(&w->there, (most + 1) * sizeof(store_ref))) return -1;
  w->there_count = most + 1;
  return 0;
}

static void moved(void *context, store_ref old, store_ref there, const uint32_t *words) {
  struct sweep *w = context;
  (void)words;
  if (old < w->there_count) ((store_ref *)(void *)w->there.base)[old] = there;
}

struct renaming {
  struct sweep *sweep;
  struct search *search;
  struct store *to;
  store_convert *convert;
  uint32_t *old, *new;
};

/* What the new store calls a state. 0, or -1. */
static int rename_one(const struct renaming *r, store_ref *ref) {
  if (r->sweep->there_count) {
    *ref = ((store_ref *)(void *)r->sweep->there.base)[*ref];
    return 0;
  }
  const struct search *s = r->search;
  memset(r->old, 0, (s->model->words + 4) * sizeof *r->old); /* the old width is not larger */
  memset(r->new, 0, (s->model->words + 4) * sizeof *r->new);
  if (s->store->type->get(s->store, *ref, r->old, NULL)) return -1;
  if (r->convert) r->convert(s->model, r->old, r->new);
  *ref = store_find(r->to, r->convert ? r->new : r->old, s->model->words);
  return *ref == STORE_NONE ? -1 : 0;
}

static int rename_list(void *context, struct reflist *l) {
  const struct renaming *r = context;
  struct reflist next = {0};
  struct reflist_place at = {0};
  store_ref ref;
  int status = 0;
  while (!status && reflist_next(l, &at, &ref)) status = rename_one(r, &ref) || reflist_push(&next, r->search->mem, ref);
  reflist_close(l, r->search->mem);
  *l = next;
  return status ? -1 : 0;
}

/* States in full become wider. */
static int convert_list(struct sweep *w, struct search *s, struct reflist *l, store_convert *convert, uint32_t *space) {
  struct reflist next = {0};
  struct reflist_place at = {0};
  size_t words = (size_t)s->model->words + 8;
  uint32_t record = (s->model->bits + 7) / 8 + !s->model->bits;
  int status = 0;
  for (const void *old; !status && (old = reflist_next_bytes(l, &at));) {
    memset(space, 0, 2 * words * sizeof *space);
    memcpy(space, old, w->record);
    convert(s->model, space, space + words);
    status = reflist_push_bytes(&next, s->mem, space + words, record);
  }
  reflist_close(l, s->mem);
  *l = next;
  return status;
}

/* A reader's place in a list that was written again. */
static void find_place(struct reflist_place *p, const struct reflist *l) {
  uint64_t taken = p->taken;
  *p = (struct reflist_place){0};
  while (p->taken < taken && reflist_next_bytes(l, p)) {}
}

static int convert_all(struct sweep *w, struct search *s, store_convert *convert) {
  uint32_t *space = mem_alloc(s->mem, MEM_SEARCH, 2 * ((size_t)s->model->words + 8) * sizeof *space);
  int status = space ? convert_list(w, s, &w->next_roots.full, convert, space) : -1;
  for (uint32_t i = 0; i < w->buckets && !status; i++)
    status = convert_list(w, s, &w->bucket[i].roots.full, convert, space) || convert_list(w, s, &w->bucket[i].states.full, convert, space) ? -1 : 0;
  mem_free(s->mem, space);
  w->record = (s->model->bits + 7) / 8 + !s->model->bits;
  if (status || w->at == NOBODY) return status;
  find_place(&w->place.root.full, &w->bucket[w->at].roots.full);
  find_place(&w->place.state.full, &w->bucket[w->at].states.full);
  return 0;
}

/* Numbers stay with their states. 0, or -1. */
static int rename_numbers(const struct renaming *r) {
  struct refmap next, *old = &r->sweep->number_of;
  int status = 0;
  refmap_open(&next, r->search->mem);
  for (uint64_t i = 0; i < old->room && !status; i++) {
    store_ref ref = old->entry[i].ref;
    if (ref != STORE_NONE) status = rename_one(r, &ref) || refmap_put(&next, ref, old->entry[i].value) ? -1 : 0;
  }
  refmap_close(old);
  *old = next;
  return status;
}

static int move(void *context, struct search *s, struct store *to, store_convert *convert) {
  struct sweep *w = context;
  if (w->remembers && convert) return convert_all(w, s, convert);
  if (to == s->store) return 0; /* refs stay */
  struct renaming r = {w, s, to, convert, NULL, NULL};
  size_t words = (size_t)s->model->words + 8;
  r.old = mem_alloc(s->mem, MEM_SEARCH, 2 * words * sizeof *r.old);
  r.new = r.old + words;
  int status = !r.old || rename_one(&r, &w->first) || each_list(w, rename_list, &r) || rename_numbers(&r) ? -1 : 0;
  mem_free(s->mem, r.old);
  region_close(&w->there);
  region_open(&w->there, s->mem, MEM_SEARCH);
  w->there_count = 0;
  if (!status && w->at != NOBODY) {
    find_place(&w->place.root.ref, &w->bucket[w->at].roots.refs);
    find_place(&w->place.state.ref, &w->bucket[w->at].states.refs);
  }
  return status;
}

struct search_move sweep_moving(struct sweep *w) { return (struct search_move){.move = move, .begin = begin_move, .moved = moved, .context = w}; }
