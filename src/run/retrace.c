/* retrace.c -- see retrace.h. */
#include "run/retrace.h"

/* The path of an equal finding moves from the second judge to the first one. */
static void take_path(struct judge_found *f, struct judge *second) {
  for (size_t i = 0; i < second->found.count && !f->has_path; i++) {
    struct judge_found *g = &second->found.at[i];
    if (!g->has_path || g->prop != f->prop || g->depth != f->depth) continue;
    f->has_path = 1;
    f->has_fault = g->has_fault;
    f->fault = g->fault;
    f->path = g->path;
    g->has_path = 0;
    g->path = (struct search_path){0};
  }
}

void retrace(struct judge *j, struct model *model, struct search_limits limits, const struct store_options *disk, struct mem *mem) {
  uint64_t depth = 0;
  size_t missing = 0;
  for (size_t i = 0; i < j->found.count; i++) {
    if (j->found.at[i].has_path) continue;
    missing++;
    if (j->found.at[i].depth > depth) depth = j->found.at[i].depth;
  }
  if (!missing) return;
  struct judge second = {0};
  struct err e;
  struct search *search = NULL;
  struct listener *listeners[] = {&second.listener};
  err_clear(&e);
  limits.states = 0;
  limits.depth = depth + 1;
  struct search_setup setup = {
      .model = model, .store = disk ? &store_disk : &store_compact_tree, .store_options = disk, .mem = mem, .limits = limits, .listeners = listeners, .listener_count = 1};
  if (judge_open(&second, model, j->props, j->count, j->collect, mem, &e) == 0 && search_open(&search, &search_bfs, &setup, &e) == 0) {
    search_run(search);
    for (size_t i = 0; i < j->found.count; i++)
      if (!j->found.at[i].has_path) take_path(&j->found.at[i], &second);
  }
  search_close(search);
  judge_close(&second);
}
