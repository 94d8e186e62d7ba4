/* judge_keep.c -- what a judge has found, written to a journal and read again. */
#include "base/records.h"
#include "search/journal.h"
#include "search/judge.h"

enum { ABOUT = 11 };

void judge_save(void *judge, struct records *r) {
  const struct judge *j = judge;
  records_put_number(r, j->count);
  records_put(r, j->deciding, j->count * sizeof *j->deciding);
  records_put_number(r, j->found.count);
  for (size_t i = 0; i < j->found.count; i++) {
    const struct judge_found *f = &j->found.at[i];
    uint64_t about[ABOUT] = {f->prop, f->depth, (uint64_t)f->has_fault, f->fault.edge, f->fault.claim, f->fault.detail, f->fault.source, f->has_path ? f->path.count + 1 : 0, f->state, f->edge, f->group};
    records_put(r, about, sizeof about);
    if (!f->has_path) continue;
    records_put(r, f->path.edge, f->path.count * sizeof *f->path.edge);
    records_put(r, f->path.group, f->path.count * sizeof *f->path.group);
  }
}

/* A path, of which the file must hold as much as it says. Without memory the finding stays without it. */
static int load_path(struct judge *j, struct judge_found *f, uint64_t count, struct records *r) {
  size_t bytes = (size_t)count * sizeof(uint32_t);
  if (count > r->left / (2 * sizeof(uint32_t))) return -1;
  f->path.edge = mem_alloc(j->mem, MEM_SEARCH, bytes);
  f->path.group = mem_alloc(j->mem, MEM_SEARCH, bytes);
  f->has_path = f->path.edge && f->path.group;
  if (!f->has_path) {
    mem_free(j->mem, f->path.edge);
    mem_free(j->mem, f->path.group);
    f->path = (struct search_path){0};
    for (uint32_t skipped; bytes; bytes -= sizeof skipped / 2) records_get(r, &skipped, sizeof skipped);
    return 0;
  }
  f->path.count = (size_t)count;
  records_get(r, f->path.edge, bytes);
  records_get(r, f->path.group, bytes);
  return 0;
}

int judge_load(void *judge, struct records *r) {
  struct judge *j = judge;
  if (records_get_number(r) != j->count) return -1;
  for (; j->found.count; j->found.count--) { /* it may be read a second time */
    mem_free(j->mem, j->found.at[j->found.count - 1].path.edge);
    mem_free(j->mem, j->found.at[j->found.count - 1].path.group);
  }
  records_get(r, j->deciding, j->count * sizeof *j->deciding);
  j->undecided = j->state_props;
  for (size_t i = 0; i < j->count; i++)
    if (j->deciding[i]) {
      if (!j->undecided) return -1;
      j->undecided--;
    }
  for (uint64_t n = records_get_number(r); n && !r->failed; n--) {
    uint64_t about[ABOUT];
    records_get(r, about, sizeof about);
    if (r->failed || about[0] >= j->count || prop_apart(&j->props[about[0]])) return -1;
    if (vec_reserve(&j->found, j->mem, MEM_SEARCH, 1)) return JOURNAL_MEMORY;
    struct judge_found *f = &j->found.at[j->found.count++];
    *f = (struct judge_found){.prop = (size_t)about[0], .depth = about[1], .has_fault = about[2] != 0, .state = about[8], .edge = (uint32_t)about[9], .group = (uint32_t)about[10]};
    f->fault = (struct model_fault){.edge = (size_t)about[3], .claim = (uint32_t)about[4], .detail = (uint32_t)about[5], .source = (uint32_t)about[6]};
    if (about[7] && load_path(j, f, about[7] - 1, r)) return -1;
  }
  return r->failed ? -1 : 0;
}
