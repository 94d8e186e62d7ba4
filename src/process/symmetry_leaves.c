/* symmetry_leaves.c -- see symmetry_leaves.h. */
#include "process/symmetry_leaves.h"

#include <string.h>

enum { UNKNOWN = UINT32_MAX };

/* Leaves, dimensions and depth of each type: fields first. Records hold only complete types, so that some round finds all of them. */
static int measure_types(struct leaves *l, uint32_t *depth) {
  const struct program *p = l->p;
  for (size_t i = 0; i < p->types.count; i++) l->below[i] = p->types.at[i].kind == IR_RECORD ? UNKNOWN : 1;
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = 0; i < p->types.count; i++) {
      const struct ir_type *t = &p->types.at[i];
      if (l->below[i] != UNKNOWN) continue;
      uint32_t leaves = 0, dims = 0, deepest = 0;
      int known = 1;
      for (uint32_t k = t->field; k < t->field + t->fields; k++) {
        const struct ir_field *f = &p->fields.at[k];
        known &= l->below[f->type] != UNKNOWN;
        leaves += l->below[f->type];
        dims += l->dims_below[f->type] + (f->count != 0);
        uint32_t down = depth[f->type] + (f->count != 0);
        if (down > deepest) deepest = down;
      }
      if (!known) continue;
      l->below[i] = leaves;
      l->dims_below[i] = dims;
      depth[i] = deepest;
      changed = 1;
    }
  }
  for (size_t i = 0; i < p->types.count; i++)
    if (depth[i] + 1 > LEAF_DIMS || l->below[i] == UNKNOWN) return 1;
  return 0;
}

int leaves_open(struct leaves *l, const struct program *p, struct mem *mem) {
  size_t roots = p->decls.count + p->types.count;
  *l = (struct leaves){.p = p};
  l->below = mem_alloc(mem, MEM_SEARCH, (p->types.count + 1) * sizeof *l->below);
  l->dims_below = mem_alloc(mem, MEM_SEARCH, (p->types.count + 1) * sizeof *l->dims_below);
  l->first = mem_alloc(mem, MEM_SEARCH, (roots + 1) * sizeof *l->first);
  l->dim_first = mem_alloc(mem, MEM_SEARCH, (roots + 1) * sizeof *l->dim_first);
  uint32_t *depth = mem_alloc(mem, MEM_SEARCH, (p->types.count + 1) * sizeof *depth);
  int status = l->below && l->dims_below && l->first && l->dim_first && depth ? measure_types(l, depth) : -1;
  mem_free(mem, depth);
  if (status) {
    leaves_close(l, mem);
    return status;
  }
  for (size_t i = 0; i < roots; i++) {
    uint32_t type = i < p->decls.count ? p->decls.at[i].type : (uint32_t)(i - p->decls.count);
    l->first[i] = l->count;
    l->dim_first[i] = l->dims;
    if (!i) continue;
    l->count += l->below[type];
    l->dims += l->dims_below[type] + (i < p->decls.count && p->decls.at[i].count != 0);
  }
  l->first[roots] = l->count;
  l->dim_first[roots] = l->dims;
  return 0;
}

void leaves_close(struct leaves *l, struct mem *mem) {
  mem_free(mem, l->below);
  mem_free(mem, l->dims_below);
  mem_free(mem, l->first);
  mem_free(mem, l->dim_first);
  *l = (struct leaves){0};
}

void leaves_path(const struct leaves *l, uint32_t root, uint32_t offset, struct leaf_path *out) {
  const struct program *p = l->p;
  int is_decl = root < p->decls.count;
  uint32_t type = is_decl ? p->decls.at[root].type : root - (uint32_t)p->decls.count, count = is_decl ? p->decls.at[root].count : 0;
  uint32_t dim = l->dim_first[root];
  out->leaf = l->first[root];
  out->dims = 0;
  for (;;) {
    const struct ir_type *t = &p->types.at[type];
    if (count) {
      uint32_t cells = t->cells ? t->cells : 1;
      out->at[out->dims++] = (struct leaf_dim){dim++, offset / cells, cells, count};
      offset %= cells;
    }
    if (t->kind != IR_RECORD) break;
    uint32_t k = 0;
    for (; k + 1 < t->fields && p->fields.at[t->field + k + 1].offset <= offset; k++) {
      const struct ir_field *f = &p->fields.at[t->field + k];
      out->leaf += l->below[f->type];
      dim += l->dims_below[f->type] + (f->count != 0);
    }
    const struct ir_field *f = &p->fields.at[t->field + k];
    offset -= f->offset;
    type = f->type;
    count = f->count;
  }
  out->type = type;
}
