/* labelled.c -- see labelled.h. */
#include "search/labelled.h"

#include "base/hash.h"
#include "search/graph_hear.h"

#include <fnmatch.h>

/* ---- names ----------------------------------------------------------------------------------------------------------------- */

int labels_open(struct labels *l, struct mem *mem) {
  *l = (struct labels){.mem = mem};
  arena_open(&l->arena, mem, MEM_OTHER);
  if (labels_find(l, "i") == LABEL_HIDDEN) return 0;
  labels_close(l);
  return -1;
}

void labels_close(struct labels *l) {
  if (!l->mem) return;
  arena_close(&l->arena);
  vec_free(&l->text, l->mem);
  mem_free(l->mem, l->slot);
  *l = (struct labels){0};
}

static uint32_t *slot_of(const struct labels *l, const char *text) {
  size_t at = (size_t)hash_slot(hash_bytes(text, strlen(text)), l->slots);
  while (l->slot[at] && strcmp(l->text.at[l->slot[at] - 1], text) != 0) at = at + 1 < l->slots ? at + 1 : 0;
  return &l->slot[at];
}

static int grow(struct labels *l) {
  size_t slots = l->slots ? 2 * l->slots : 64;
  uint32_t *old = l->slot, *slot = mem_alloc(l->mem, MEM_OTHER, slots * sizeof *slot);
  if (!slot) return -1;
  l->slot = slot;
  l->slots = slots;
  for (uint32_t i = 0; i < l->text.count; i++) *slot_of(l, l->text.at[i]) = i + 1;
  mem_free(l->mem, old);
  return 0;
}

int64_t labels_find(struct labels *l, const char *text) {
  if (2 * (l->text.count + 1) > l->slots && grow(l)) return -1;
  uint32_t *slot = slot_of(l, text);
  if (*slot) return *slot - 1;
  const char *copy = arena_strndup(&l->arena, text, strlen(text));
  if (!copy || l->text.count >= UINT32_MAX - 1 || vec_push(&l->text, l->mem, MEM_OTHER, copy)) return -1;
  *slot = (uint32_t)l->text.count;
  return *slot - 1;
}

static int matches(const char *name, const char *const *patterns, uint8_t *used) {
  int does = 0;
  for (size_t i = 0; patterns && patterns[i]; i++)
    if (strcmp(patterns[i], name) == 0 || fnmatch(patterns[i], name, 0) == 0) does = used[i] = 1;
  return does;
}

static int hidden(const char *name, const struct labels_seen *seen) {
  if (seen->i_is_hidden && (strcmp(name, "i") == 0 || strcmp(name, "tau") == 0)) return 1;
  return matches(name, seen->hide, seen->hide_used) || (seen->show && !matches(name, seen->show, seen->show_used));
}

int labelling_more(struct labelling *l) {
  const struct model *m = l->model;
  uint32_t *of = mem_resize(l->labels->mem, MEM_OTHER, l->of, ((size_t)m->groups + 1) * sizeof *of);
  if (!of) return -1;
  for (l->of = of; l->count < m->groups; l->count++) {
    const char *name = m->type->group_name(m, l->count);
    int64_t found = hidden(name, l->seen) ? LABEL_HIDDEN : labels_find(l->labels, name);
    if (found == LABEL_HIDDEN && strcmp(name, "i") == 0 && !hidden(name, l->seen)) found = labels_find(l->labels, "'i'"); /* a name like any other */
    if (found < 0) return -1;
    of[l->count] = (uint32_t)found;
  }
  return 0;
}

int labelling_open(struct labelling *l, struct labels *labels, const struct model *m, const struct labels_seen *seen) {
  *l = (struct labelling){.labels = labels, .model = m, .seen = seen};
  return labelling_more(l);
}

void labelling_close(struct labelling *l) {
  if (!l->labels) return;
  mem_free(l->labels->mem, l->of);
  *l = (struct labelling){0};
}

/* ---- graphs ----------------------------------------------------------------------------------------------------------------- */

static enum listener_answer hear(struct listener *listener, struct search *s, const struct search_event *event) {
  struct labelled *l = (struct labelled *)listener;
  (void)s;
  if (event->kind == EVENT_AGAIN) {
    if (l->base) l->failed = 1; /* the states before cannot be told again; a store that can follow does not begin anew */
    else graph_forget(l->graph);
    l->states = 0;
  }
  l->states += event->kind == EVENT_NEW;
  l->failed |= labelled_ready(l->labelling, l->graph, event) || graph_hear(l->graph, event, l->base, l->labelling->of);
  return l->failed ? LISTEN_GOAL : LISTEN_ON;
}

void labelled_open(struct labelled *l, struct graph *g, struct labelling *labelling) {
  *l = (struct labelled){.listener = {EVENT_NEW | EVENT_SEEN | EVENT_EXPANDED | EVENT_AGAIN | EVENT_NUMBERS, hear}, .graph = g, .labelling = labelling, .base = g->states};
}
