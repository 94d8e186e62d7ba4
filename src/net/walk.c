/* walk.c -- see walk.h.
 *
 * Each place lists its users with what they want; when its count crosses what a user wants, the user lacks one place more or less.  Enabled transitions stand side by side
 * in an array and each knows where, so that picking one and taking one out cost nothing.
 *
 * This shares nothing with fire.c on purpose: no packing, no widths, no layout, so that a walk can begin before anything of that is known and needs no conversion. */
#include "net/walk.h"

#include <string.h>

/* ---- counts and who is enabled ----------------------------------------------------------------------------------------------- */

static void enable(struct walk *w, uint32_t t) {
  w->at[t] = w->enabled_count;
  w->enabled[w->enabled_count++] = t;
}

static void disable(struct walk *w, uint32_t t) {
  uint32_t last = w->enabled[--w->enabled_count];
  w->enabled[w->at[t]] = last;
  w->at[last] = w->at[t];
  w->at[t] = PT_NONE;
}

static void set_tokens(struct walk *w, uint32_t place, int64_t now) {
  int64_t before = w->tokens[place];
  w->tokens[place] = now;
  for (uint32_t i = w->user_start[place]; i < w->user_start[place + 1]; i++) {
    const struct walk_user *u = &w->user[i];
    int had = before >= (int64_t)u->weight, has = now >= (int64_t)u->weight;
    if (had == has) continue;
    if (has) {
      if (--w->lacks[u->transition] == 0) enable(w, u->transition);
    } else if (w->lacks[u->transition]++ == 0) {
      disable(w, u->transition);
    }
  }
}

static void play(struct walk *w, uint32_t transition, int sign) {
  uint32_t place;
  int64_t change;
  for (struct pt_effects it = pt_effects(w->net, transition); pt_effect(&it, &place, &change);) set_tokens(w, place, w->tokens[place] + sign * change);
}

int walk_fire(struct walk *w, uint32_t transition) {
  uint32_t place;
  int64_t change;
  if (vec_push(&w->path, w->mem, MEM_ANALYSIS, transition)) return -1;
  for (struct pt_effects it = pt_effects(w->net, transition); pt_effect(&it, &place, &change);) {
    int64_t now = w->tokens[place] + change;
    if (now > w->peak) w->peak = now;
    if (now > (int64_t)PT_MAX_COUNT) w->overflow = 1;
    set_tokens(w, place, now);
  }
  w->silent -= !w->fired[transition];
  w->fired[transition] = 1;
  return 0;
}

void walk_restart(struct walk *w) {
  for (uint32_t p = 0; p < w->net->places; p++)
    if (w->tokens[p] != (int64_t)w->net->initial[p]) set_tokens(w, p, w->net->initial[p]);
  w->path.count = 0;
  w->overflow = 0;
}

/* ---- distances ------------------------------------------------------------------------------------------------------------------ */

enum { FAR = 1 << 30 };

static int64_t short_of(const struct walk *w, uint32_t t) {
  int64_t missing = 0;
  if (!w->lacks[t]) return 0;
  for (uint32_t a = w->net->pre_start[t]; a < w->net->pre_start[t + 1]; a++) {
    int64_t lack = (int64_t)w->net->pre[a].weight - w->tokens[w->net->pre[a].place];
    if (lack > 0) missing += lack;
  }
  return missing;
}

/* Tokens to be taken until it is not enabled. */
static int64_t over(const struct walk *w, uint32_t t) {
  int64_t least = FAR;
  if (w->lacks[t]) return 0;
  for (uint32_t a = w->net->pre_start[t]; a < w->net->pre_start[t + 1]; a++) {
    int64_t more = w->tokens[w->net->pre[a].place] - (int64_t)w->net->pre[a].weight + 1;
    if (more < least) least = more;
  }
  return least;
}

int64_t walk_distance(const struct walk *w, const struct linear *x) {
  int64_t sum = 0;
  switch (x->kind) {
  case LINEAR_TRUE: return 0;
  case LINEAR_FALSE: return FAR;
  case LINEAR_AT_LEAST:
    for (uint32_t i = 0; i < x->count; i++) sum += x->factor[i] * w->tokens[x->var[i]];
    return sum >= x->least ? 0 : x->least - sum;
  case LINEAR_FIREABLE: return short_of(w, x->group);
  case LINEAR_UNFIREABLE: return over(w, x->group);
  case LINEAR_DEAD: return w->enabled_count;
  case LINEAR_ALIVE: return w->enabled_count == 0;
  case LINEAR_AND:
    for (uint32_t i = 0; i < x->count && sum < FAR; i++) sum += walk_distance(w, x->child[i]);
    return sum < FAR ? sum : FAR;
  case LINEAR_OR:
    sum = FAR;
    for (uint32_t i = 0; i < x->count && sum; i++) {
      int64_t one = walk_distance(w, x->child[i]);
      if (one < sum) sum = one;
    }
    return sum;
  }
  return FAR;
}

int64_t walk_distance_after(struct walk *w, uint32_t transition, const struct linear *x) {
  play(w, transition, 1);
  int64_t distance = walk_distance(w, x);
  play(w, transition, -1);
  return distance;
}

/* ---- life -------------------------------------------------------------------------------------------------------------------------- */

static void list_users(struct walk *w) {
  const struct pt_net *n = w->net;
  for (uint32_t a = 0; a < n->pre_start[n->transitions]; a++) w->user_start[n->pre[a].place + 1]++;
  for (uint32_t p = 0; p < n->places; p++) w->user_start[p + 1] += w->user_start[p];
  for (uint32_t t = n->transitions; t-- > 0;) /* from behind: starts move to their places */
    for (uint32_t a = n->pre_start[t]; a < n->pre_start[t + 1]; a++) w->user[--w->user_start[n->pre[a].place + 1]] = (struct walk_user){t, n->pre[a].weight};
  memmove(w->user_start, w->user_start + 1, n->places * sizeof *w->user_start);
  w->user_start[n->places] = n->pre_start[n->transitions];
}

int walk_open(struct walk *w, const struct pt_net *n, struct mem *mem, uint64_t seed) {
  *w = (struct walk){.mem = mem, .net = n, .rng = {seed}, .silent = n->transitions};
  size_t places = (size_t)n->places + 2, transitions = (size_t)n->transitions + 1;
  w->tokens = mem_alloc(mem, MEM_ANALYSIS, places * sizeof *w->tokens);
  w->lacks = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *w->lacks);
  w->enabled = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *w->enabled);
  w->at = mem_alloc(mem, MEM_ANALYSIS, transitions * sizeof *w->at);
  w->fired = mem_alloc(mem, MEM_ANALYSIS, transitions);
  w->user_start = mem_alloc(mem, MEM_ANALYSIS, places * sizeof *w->user_start);
  w->user = mem_alloc(mem, MEM_ANALYSIS, ((size_t)n->pre_start[n->transitions] + 1) * sizeof *w->user);
  if (!w->tokens || !w->lacks || !w->enabled || !w->at || !w->fired || !w->user_start || !w->user) {
    walk_close(w);
    return -1;
  }
  list_users(w);
  for (uint32_t t = 0; t < n->transitions; t++) {
    w->lacks[t] = n->pre_start[t + 1] - n->pre_start[t] + (uint32_t)pt_gone(n, t); /* all places are empty now */
    w->at[t] = PT_NONE;
    if (!w->lacks[t]) enable(w, t);
  }
  for (uint32_t p = 0; p < n->places; p++) {
    if (n->initial[p]) set_tokens(w, p, n->initial[p]);
    if ((int64_t)n->initial[p] > w->peak) w->peak = n->initial[p];
  }
  return 0;
}

void walk_close(struct walk *w) {
  if (!w->mem) return;
  mem_free(w->mem, w->tokens);
  mem_free(w->mem, w->lacks);
  mem_free(w->mem, w->enabled);
  mem_free(w->mem, w->at);
  mem_free(w->mem, w->fired);
  mem_free(w->mem, w->user_start);
  mem_free(w->mem, w->user);
  vec_free(&w->path, w->mem);
  *w = (struct walk){0};
}
