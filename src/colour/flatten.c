/* flatten.c -- from pages to one net.
 *
 * Pages that no substitution transition stands for are on top.  From each of them instances are made, a page before its subpages and
 * in the order of the drawing, and numbered per page: that is how CPN Tools numbers them.  The stack of instances still to be opened
 * is explicit; a page that would contain itself is found by going up the parents.
 *
 * Each place of each instance is a node.  A pair of socket and port, and a fusion set, join nodes (union and find, the smallest node is
 * the root, so that the place that comes first names the class). */
#include "colour/flatten.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

char *flat_clean_name(char *out, size_t room, const char *name, size_t length) {
  size_t used = 0;
  int gap = 0;
  for (size_t i = 0; i < length && used + 2 < room; i++) {
    if (isspace((unsigned char)name[i])) {
      gap = used > 0;
      continue;
    }
    if (gap) out[used++] = '_';
    gap = 0;
    out[used++] = name[i];
  }
  out[used] = 0;
  return out;
}

static int64_t find_page(const struct drawing *d, const char *id) {
  for (size_t i = 0; i < d->pages.count; i++)
    if (strcmp(d->pages.at[i].id, id) == 0) return (int64_t)i;
  return -1;
}

static int64_t find_place(const struct drawing_page *p, const char *id) {
  for (size_t i = 0; i < p->places.count; i++)
    if (strcmp(p->places.at[i].id, id) == 0) return (int64_t)i;
  return -1;
}

static uint32_t root_of(struct flat *f, uint32_t node) {
  uint32_t *up = f->node_place.at;
  while (up[node] != node) node = up[node] = up[up[node]];
  return node;
}

static void join(struct flat *f, uint32_t a, uint32_t b) {
  a = root_of(f, a);
  b = root_of(f, b);
  if (a < b) f->node_place.at[b] = a;
  else f->node_place.at[a] = b;
}

static const char *shown(char out[80], const char *name) { return err_quote(out, 80, name, strlen(name)); }

/* ---- instances ------------------------------------------------------------------------------------------------------------ */

struct waiting { /* an instance still to be made: of a page, for a transition of a parent */
  uint32_t page, parent, transition;
};

struct opening {
  struct flat *f;
  const struct drawing *d;
  struct vec(struct waiting) stack;
  uint32_t *number; /* per page: instances so far */
  struct err *e;
};

static int refuse_circle(struct opening *o, const struct waiting *w) {
  const struct drawing_page *page = &o->d->pages.at[w->page];
  const struct drawing_transition *t = &o->d->pages.at[o->f->instances.at[w->parent].page].transitions.at[w->transition];
  char a[80], b[80];
  return err_input(o->e, t->text_place, "page %s contains itself: substitution transition %s stands for it", shown(a, page->name), shown(b, t->name));
}

/* Makes an instance and its nodes. */
static int make(struct opening *o, const struct waiting *w, uint32_t *out) {
  struct flat *f = o->f;
  const struct drawing_page *page = &o->d->pages.at[w->page];
  struct flat_instance i = {.page = w->page, .number = ++o->number[w->page], .node = (uint32_t)f->node_place.count};
  *out = (uint32_t)f->instances.count;
  i.parent = w->parent == UINT32_MAX ? *out : w->parent;
  i.depth = w->parent == UINT32_MAX ? 0 : f->instances.at[w->parent].depth + 1;
  for (uint32_t up = w->parent; up != UINT32_MAX; up = f->instances.at[up].parent == up ? UINT32_MAX : f->instances.at[up].parent)
    if (f->instances.at[up].page == w->page) return refuse_circle(o, w);
  if (i.depth > FLAT_DEPTH) return err_limit(o->e, "pages are nested more than %d deep", FLAT_DEPTH);
  if (f->instances.count >= FLAT_INSTANCES) return err_limit(o->e, "the net has more than %d instances of pages", FLAT_INSTANCES);
  if (f->node_place.count + page->places.count > FLAT_NODES) return err_limit(o->e, "the net has more than %d places", FLAT_NODES);
  if (vec_push(&f->instances, f->mem, MEM_MODEL, i)) return err_memory(o->e, "the net");
  for (uint32_t p = 0; p < page->places.count; p++)
    if (vec_push(&f->node_place, f->mem, MEM_MODEL, i.node + p) ||
        vec_push(&f->node_glued, f->mem, MEM_MODEL, 0) || vec_push(&f->node_instance, f->mem, MEM_MODEL, *out))
      return err_memory(o->e, "the net");
  return 0;
}

/* Glues the ports of an instance to the sockets of its parent. */
static int glue(struct opening *o, const struct waiting *w, uint32_t instance) {
  if (w->parent == UINT32_MAX) return 0;
  const struct flat_instance *child = &o->f->instances.at[instance], *parent = &o->f->instances.at[w->parent];
  const struct drawing_page *below = &o->d->pages.at[child->page], *above = &o->d->pages.at[parent->page];
  const struct drawing_transition *t = &above->transitions.at[w->transition];
  char a[80], b[80];
  for (size_t i = 0; i < t->pairs.count; i++) {
    int64_t socket = find_place(above, t->pairs.at[i].socket), port = find_place(below, t->pairs.at[i].port);
    if (socket < 0)
      return err_input(o->e, t->text_place, "page %s, transition %s: a socket that is no place of the page", shown(a, above->name), shown(b, t->name));
    if (port < 0)
      return err_input(o->e, t->text_place, "page %s, transition %s: a port that is no place of its subpage", shown(a, above->name), shown(b, t->name));
    join(o->f, parent->node + (uint32_t)socket, child->node + (uint32_t)port);
    o->f->node_glued.at[child->node + (uint32_t)port] = 1;
  }
  return 0;
}

/* Puts the subpages of an instance on the stack, the last one first. */
static int descend(struct opening *o, uint32_t instance) {
  const struct drawing_page *page = &o->d->pages.at[o->f->instances.at[instance].page];
  char a[80], b[80];
  for (size_t i = page->transitions.count; i-- > 0;) {
    const struct drawing_transition *t = &page->transitions.at[i];
    if (!t->subpage) continue;
    int64_t sub = find_page(o->d, t->subpage);
    if (sub < 0)
      return err_input(o->e, t->text_place, "page %s: substitution transition %s stands for a page that is not in the file", shown(a, page->name),
                       shown(b, t->name));
    if (vec_push(&o->stack, o->f->mem, MEM_MODEL, (struct waiting){(uint32_t)sub, instance, (uint32_t)i}))
      return err_memory(o->e, "the net");
  }
  return 0;
}

static int open_below(struct opening *o, uint32_t top) {
  if (vec_push(&o->stack, o->f->mem, MEM_MODEL, (struct waiting){top, UINT32_MAX, 0})) return err_memory(o->e, "the net");
  while (o->stack.count) {
    struct waiting w = o->stack.at[--o->stack.count];
    uint32_t instance;
    if (make(o, &w, &instance) || glue(o, &w, instance) || descend(o, instance)) return -1;
  }
  return 0;
}

static int open_instances(struct opening *o) {
  const struct drawing *d = o->d;
  int some = 0;
  uint8_t *used = mem_alloc(o->f->mem, MEM_MODEL, d->pages.count + 1);
  if (!used) return err_memory(o->e, "the net");
  for (size_t p = 0; p < d->pages.count; p++)
    for (size_t t = 0; t < d->pages.at[p].transitions.count; t++) {
      const char *id = d->pages.at[p].transitions.at[t].subpage;
      int64_t sub = id ? find_page(d, id) : -1;
      if (sub >= 0) used[sub] = 1;
    }
  int status = 0;
  for (size_t p = 0; p < d->pages.count && !status; p++)
    if (!used[p]) {
      some = 1;
      status = open_below(o, (uint32_t)p);
    }
  if (!status && !some && d->pages.count) {
    char a[80];
    status = err_input(o->e, d->pages.at[0].place, "every page is the subpage of another one: page %s contains itself", shown(a, d->pages.at[0].name));
  }
  mem_free(o->f->mem, used);
  return status;
}

/* ---- fusion, classes -------------------------------------------------------------------------------------------------------- */

struct fusion {
  const char *name;
  uint32_t node;
};

static int fuse(struct opening *o) {
  struct vec(struct fusion) sets = {0};
  int status = 0;
  for (uint32_t node = 0; node < o->f->node_place.count && !status; node++) {
    const char *name = flat_drawn(o->f, o->d, node)->fusion;
    size_t i = 0;
    if (!name) continue;
    while (i < sets.count && strcmp(sets.at[i].name, name) != 0) i++;
    if (i < sets.count) join(o->f, sets.at[i].node, node);
    else if (vec_push(&sets, o->f->mem, MEM_MODEL, (struct fusion){name, node})) status = err_memory(o->e, "the net");
  }
  vec_free(&sets, o->f->mem);
  return status;
}

static int number_places(struct opening *o) {
  struct flat *f = o->f;
  for (uint32_t node = 0; node < f->node_place.count; node++) root_of(f, node);
  for (uint32_t node = 0; node < f->node_place.count; node++) f->node_place.at[node] = root_of(f, node);
  for (uint32_t node = 0; node < f->node_place.count; node++) { /* roots come before what they are roots of */
    if (f->node_place.at[node] == node) {
      if (vec_push(&f->place_node, f->mem, MEM_MODEL, node)) return err_memory(o->e, "the net");
      f->node_place.at[node] = (uint32_t)f->place_node.count - 1;
    } else f->node_place.at[node] = f->node_place.at[f->node_place.at[node]];
  }
  return 0;
}

int flatten(struct flat *f, const struct drawing *d, struct mem *mem, struct err *e) {
  *f = (struct flat){.mem = mem};
  struct opening o = {.f = f, .d = d, .e = e, .number = mem_alloc(mem, MEM_MODEL, (d->pages.count + 1) * sizeof *o.number)};
  int status = !o.number ? err_memory(e, "the net") : open_instances(&o) || fuse(&o) || number_places(&o) ? -1 : 0;
  mem_free(mem, o.number);
  vec_free(&o.stack, mem);
  return status;
}

void flat_close(struct flat *f) {
  if (!f->mem) return;
  vec_free(&f->instances, f->mem);
  vec_free(&f->node_place, f->mem);
  vec_free(&f->node_instance, f->mem);
  vec_free(&f->node_glued, f->mem);
  vec_free(&f->place_node, f->mem);
}
