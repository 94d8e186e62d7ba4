/* seen.c -- see seen.h.  Trees of expressions are no deeper than EXPR_DEPTH, so walking them may recurse. */
#include "net/seen.h"

#include "model/expr_tree.h"

static void see_transition(struct pt_seen *s, const struct pt_net *n, uint32_t t) {
  s->transition[t] = 1;
  for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) s->place[n->pre[a].place] = 1;
}

static void look(struct pt_seen *s, const struct pt_net *net, const struct node *n) {
  if (n->kind == NODE_DEAD) s->deadlocks = s->alive = 1;
  for (uint32_t i = 0; i < n->count; i++) {
    if (n->kind == NODE_VARS) s->place[n->id[i]] = 1;
    else if (n->kind == NODE_FIREABLE) see_transition(s, net, n->id[i]);
    else look(s, net, n->child[i]);
  }
}

int pt_seen_open(struct pt_seen *s, const struct pt_net *n, const struct model_aims *aims, struct mem *mem) {
  *s = (struct pt_seen){.mem = mem, .deadlocks = aims->deadlocks, .runs = aims->runs};
  s->place = mem_alloc(mem, MEM_ANALYSIS, (size_t)n->places + 1);
  s->transition = mem_alloc(mem, MEM_ANALYSIS, (size_t)n->transitions + 1);
  int answer = s->place && s->transition ? 0 : -1;
  for (size_t i = 0; i < aims->exprs && !answer; i++) {
    const struct expr *e = aims->expr[i];
    if (!e) continue; /* labels: nets have none */
    s->exprs = 1;
    if (expr_root(e)) look(s, n, expr_root(e));
    else answer = 1;
  }
  if (answer) pt_seen_close(s);
  return answer;
}

void pt_seen_close(struct pt_seen *s) {
  if (!s->mem) return;
  mem_free(s->mem, s->place);
  mem_free(s->mem, s->transition);
  *s = (struct pt_seen){0};
}
