/* symmetry_view.c -- see symmetry_view.h. */
#include "process/symmetry_view.h"

#include "base/hash.h"

/* The dimensions of a path that are indexed by names go into the list, the others into `what`. Returns how many. */
static uint32_t split_path(struct view *v, const struct leaf_path *path, uint64_t *what, int *failed) {
  const struct symmetry_sorts *s = v->s;
  uint32_t count = 0;
  *what = hash_mix(path->leaf + 1);
  for (uint32_t k = 0; k < path->dims; k++) {
    uint32_t sort = s->dim[path->at[k].dim];
    if (sort && path->at[k].index < s->sort[sort - 1].names) {
      if (vec_push(&v->dims, s->mem, MEM_SEARCH, (struct sight_dim){sort - 1, path->at[k].index, path->at[k].stride})) *failed = 1;
      count++;
    } else {
      *what = hash_pair(*what, path->at[k].index + 1);
    }
  }
  return count;
}

/* Cells of a root's declaration (or object): first those that have to do with names, then (`plain`) the others. */
static int list_cells(struct view *v, uint32_t root, uint32_t base, uint32_t cells, int plain) {
  int failed = 0;
  for (uint32_t c = 0; c < cells && !failed; c++) {
    struct leaf_path path;
    struct sight x = {.cell = base + c, .decl = root < v->s->p->decls.count ? root : 0, .dim = (uint32_t)v->dims.count};
    leaves_path(&v->s->leaves, root, c, &path);
    x.dims = split_path(v, &path, &x.what, &failed);
    x.holds = v->s->leaf[path.leaf];
    int named = x.dims || x.holds.kind != HOLDS_NUMBER;
    if (named == plain) v->dims.count = x.dim;
    else if (failed || vec_push(&v->sights, v->s->mem, MEM_SEARCH, x)) return -1;
  }
  return failed ? -1 : 0;
}

static int list_scope(struct view *v, uint32_t scope, int plain) {
  const struct program *p = v->s->p;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || d->flags & (IR_CONST | IR_HIDDEN)) continue;
    if (list_cells(v, i, d->base, d->cells, plain)) return -1;
  }
  return 0;
}

static int list_channels(struct view *v, uint32_t scope) {
  const struct symmetry_sorts *s = v->s;
  const struct program *p = s->p;
  int failed = 0;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || !d->chan) continue;
    const struct ir_chan *c = &p->chans.at[d->chan - 1];
    for (uint32_t k = 0; k < d->cells && !failed; k++) {
      uint32_t at = s->shape->chan_first[scope] + d->first_chan + k;
      struct leaf_path path;
      struct sight_chan x = {.cell = s->shape->chan[at].cell, .capacity = c->capacity, .fields = c->fields, .holds = s->message + s->message_first[i], .dim = (uint32_t)v->dims.count};
      leaves_path(&s->leaves, i, k, &path);
      x.dims = split_path(v, &path, &x.what, &failed);
      x.what = hash_mix(x.what + 1);
      x.relevant = x.dims != 0;
      for (uint32_t f = 0; f < c->fields; f++) x.relevant |= x.holds[f].kind != HOLDS_NUMBER;
      x.relevant &= c->capacity != 0;
      v->some_chan[scope] |= x.relevant;
      v->chan[at] = x;
    }
  }
  return failed ? -1 : 0;
}

int view_open(struct view *v, const struct symmetry_sorts *s) {
  const struct program *p = s->p;
  size_t roots = p->procs.count + 1 + p->types.count, chans = s->shape->chan_first[p->procs.count + 1];
  *v = (struct view){.s = s};
  v->first = mem_alloc(s->mem, MEM_SEARCH, (roots + 1) * sizeof *v->first);
  v->plain = mem_alloc(s->mem, MEM_SEARCH, (roots + 1) * sizeof *v->plain);
  v->last = mem_alloc(s->mem, MEM_SEARCH, (roots + 1) * sizeof *v->last);
  v->chan = mem_alloc(s->mem, MEM_SEARCH, (chans + 1) * sizeof *v->chan);
  v->some_chan = mem_alloc(s->mem, MEM_SEARCH, p->procs.count + 2);
  v->end_state = mem_alloc(s->mem, MEM_SEARCH, (p->procs.count + 1) * sizeof *v->end_state);
  int failed = !v->first || !v->plain || !v->last || !v->chan || !v->some_chan || !v->end_state;
  for (uint32_t root = 0; root < roots && !failed; root++) {
    uint32_t type = root > p->procs.count ? root - (uint32_t)p->procs.count - 1 : 0;
    int heap = root > p->procs.count;
    if (heap && !p->uses_heap) continue;
    v->first[root] = (uint32_t)v->sights.count;
    failed |= heap ? list_cells(v, leaves_heap_root(&s->leaves, type), 1, p->types.at[type].cells, 0) : list_scope(v, root, 0);
    v->plain[root] = (uint32_t)v->sights.count;
    failed |= heap ? list_cells(v, leaves_heap_root(&s->leaves, type), 1, p->types.at[type].cells, 1) : root ? list_scope(v, root, 1) : 0;
    v->last[root] = (uint32_t)v->sights.count;
    if (!heap) failed |= list_channels(v, root);
  }
  for (uint32_t type = 0; type < p->procs.count && !failed; type++) {
    v->end_state[type] = UINT32_MAX;
    for (uint32_t q = p->procs.at[type].states; q-- > 0;)
      if (s->ended[p->procs.at[type].state + q]) v->end_state[type] = q;
  }
  if (!failed) return 0;
  view_close(v);
  return -1;
}

void view_close(struct view *v) {
  if (!v->s) return;
  vec_free(&v->dims, v->s->mem);
  vec_free(&v->sights, v->s->mem);
  mem_free(v->s->mem, v->first);
  mem_free(v->s->mem, v->plain);
  mem_free(v->s->mem, v->last);
  mem_free(v->s->mem, v->chan);
  mem_free(v->s->mem, v->some_chan);
  mem_free(v->s->mem, v->end_state);
  *v = (struct view){0};
}
