/* automaton_reduce.c -- smaller automata by direct simulation.
 *
 * t simulates s if whatever s does, t can do with at least the same acceptance, ending in a state that simulates where s ended
 * (Etessami, Wilke, Schuller; for acceptance on edges as in Spot).  For one edge of s several edges of t may share the letters:
 * its guard must be covered by theirs.  The relation is the largest fixpoint, kept as a square of bytes.
 *   - States that simulate each other become one: its edges are those of the first.
 *   - An edge goes when better edges of the same state cover its guard; it is better to have more acceptance and an end that
 *     simulates the other end.
 * The same backwards (edges turned round, initial states may only be simulated by initial ones) finds states with the same past;
 * these become one with the edges of all.  Both rounds repeat until nothing changes.
 *
 * A square of states with edges on both sides is paid for every round: beyond LARGEST states only trimming is done. */
#include "prop/automaton.h"

#include "prop/cube.h"

#include <string.h>

enum { LARGEST = 3000, WORK = 20000 };

/* Edges by the state they are seen from, either way round. */
struct view {
  uint32_t *first;
  struct draft_edge *edge; /* .edge.to is the state at the other end */
};

struct relation {
  const struct automaton *a;
  struct mem *mem;
  struct view v;
  uint8_t *above; /* above[s * states + t]: t simulates s */
  struct cube *list;
  const volatile int *interrupt;
};

static void relation_close(struct relation *r) {
  mem_free(r->mem, r->v.first);
  mem_free(r->mem, r->v.edge);
  mem_free(r->mem, r->above);
  mem_free(r->mem, r->list);
}

static int view_open(struct relation *r, int backwards) {
  const struct automaton *a = r->a;
  size_t edges = a->first[a->states], n = a->states;
  r->v.first = mem_alloc(r->mem, MEM_OTHER, (n + 2) * sizeof *r->v.first);
  r->v.edge = mem_alloc(r->mem, MEM_OTHER, (edges + 1) * sizeof *r->v.edge);
  r->list = mem_alloc(r->mem, MEM_OTHER, (edges + 1) * sizeof *r->list);
  r->above = mem_alloc(r->mem, MEM_OTHER, n * n + 1);
  if (!r->v.first || !r->v.edge || !r->list || !r->above) return -1;
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++) r->v.first[(backwards ? a->edge[k].to : s) + 2]++;
  for (uint32_t s = 0; s < n; s++) r->v.first[s + 2] += r->v.first[s + 1];
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++) {
      uint32_t at = backwards ? a->edge[k].to : s;
      struct draft_edge *x = &r->v.edge[r->v.first[at + 1]++];
      *x = (struct draft_edge){at, a->edge[k]};
      if (backwards) x->edge.to = s;
    }
  return 0;
}

/* Does t still simulate s, one step on? */
static int can_follow(struct relation *r, uint32_t s, uint32_t t) {
  uint32_t n = r->a->states;
  for (uint32_t i = r->v.first[s]; i < r->v.first[s + 1]; i++) {
    const struct automaton_edge *x = &r->v.edge[i].edge;
    size_t count = 0;
    uint32_t work = WORK;
    for (uint32_t k = r->v.first[t]; k < r->v.first[t + 1]; k++) {
      const struct automaton_edge *y = &r->v.edge[k].edge;
      if ((x->accept & ~y->accept) == 0 && r->above[(size_t)x->to * n + y->to])
        r->list[count++] = (struct cube){y->care, y->want};
    }
    if (!cube_covered((struct cube){x->care, x->want}, r->list, count, &work)) return 0;
  }
  return 1;
}

static int is_initial(const struct automaton *a, uint32_t s) {
  for (uint32_t i = 0; i < a->initial_count; i++)
    if (a->initial[i] == s) return 1;
  return 0;
}

static int relation_open(struct relation *r, const struct automaton *a, int backwards, const volatile int *interrupt) {
  *r = (struct relation){.a = a, .mem = a->mem, .interrupt = interrupt};
  uint32_t n = a->states;
  if (view_open(r, backwards)) {
    relation_close(r);
    return -1;
  }
  for (uint32_t s = 0; s < n; s++)
    for (uint32_t t = 0; t < n; t++) {
      int fits = !backwards || !is_initial(a, s) || is_initial(a, t);
      if (a->by_state && backwards) { /* acceptance of the state itself must be kept as well */
        uint32_t mine = a->first[s] < a->first[s + 1] ? a->edge[a->first[s]].accept : 0;
        uint32_t other = a->first[t] < a->first[t + 1] ? a->edge[a->first[t]].accept : 0;
        fits &= mine == other;
      }
      r->above[(size_t)s * n + t] = (uint8_t)fits;
    }
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < n; s++) {
      if (interrupt && *interrupt) {
        relation_close(r);
        return 1;
      }
      for (uint32_t t = 0; t < n; t++)
        if (s != t && r->above[(size_t)s * n + t] && !can_follow(r, s, t)) r->above[(size_t)s * n + t] = 0, changed = 1;
    }
  }
  return 0;
}

static uint32_t first_like(const struct relation *r, uint32_t s) {
  uint32_t n = r->a->states;
  for (uint32_t t = 0; t < s; t++)
    if (r->above[(size_t)s * n + t] && r->above[(size_t)t * n + s]) return t;
  return s;
}

/* The edges of state s that are not covered by better ones, into the draft. `sharp`: also cut away letters that better edges
 * take. */
static int keep_best(struct relation *r, struct automaton_draft *d, uint32_t s, const uint32_t *rename, int sharp) {
  const struct automaton *a = r->a;
  uint32_t n = a->states, first = a->first[s], count = a->first[s + 1] - first;
  struct automaton_edge *edge = mem_alloc(r->mem, MEM_OTHER, (count + 1) * sizeof *edge);
  uint8_t *gone = mem_alloc(r->mem, MEM_OTHER, count + 1);
  int status = edge && gone ? 0 : -1;
  if (!status) memcpy(edge, a->edge + first, count * sizeof *edge);
  for (uint32_t i = 0; i < count && !status; i++) {
    size_t better = 0;
    uint32_t work = WORK;
    for (uint32_t k = 0; k < count; k++) {
      if (k == i || gone[k] || (edge[i].accept & ~edge[k].accept) || !r->above[(size_t)edge[i].to * n + edge[k].to]) continue;
      if (edge[k].to == edge[i].to && edge[k].accept == edge[i].accept) continue; /* these were merged where they could be */
      r->list[better++] = (struct cube){edge[k].care, edge[k].want};
    }
    if (cube_covered((struct cube){edge[i].care, edge[i].want}, r->list, better, &work)) {
      gone[i] = 1;
      continue;
    }
    for (uint32_t k = 0; k < i && sharp; k++) /* and no letter twice for the same */
      if (!gone[k] && edge[k].to == edge[i].to && edge[k].accept == edge[i].accept)
        r->list[better++] = (struct cube){edge[k].care, edge[k].want};
    for (int cut = sharp; cut;) {
      cut = 0;
      for (size_t k = 0; k < better; k++) {
        struct cube c = {edge[i].care, edge[i].want}, b = r->list[k];
        uint64_t only = b.care & ~c.care;
        if (!only || (only & (only - 1)) || !cube_meets(c, b)) continue;
        edge[i].care |= only; /* the better edge takes the letters with `only` as it wants */
        edge[i].want |= only & ~b.want;
        cut = 1;
      }
    }
  }
  for (uint32_t i = 0; i < count && !status; i++) {
    if (gone[i]) continue;
    edge[i].to = rename[edge[i].to];
    status = automaton_draft_edge(d, rename[s], edge[i]);
  }
  mem_free(r->mem, edge);
  mem_free(r->mem, gone);
  return status;
}

static int replace(struct automaton **at, struct automaton_draft *d, uint32_t states, struct err *e) {
  struct automaton *a = *at, *b = NULL;
  if (automaton_finish(&b, d, states, a->sets, e)) return -1;
  b->by_state = a->by_state;
  b->keep_sets = a->keep_sets;
  if (automaton_inherit(b, a, e) || automaton_trim(&b, e)) {
    automaton_close(b);
    return -1;
  }
  automaton_close(a);
  *at = b;
  return 0;
}

enum round { FORWARDS, BACKWARDS, SHARPEN };

static int one_round(struct automaton **at, enum round round, const volatile int *interrupt, struct err *e) {
  struct automaton *a = *at;
  struct automaton_draft d;
  struct relation r;
  uint32_t states = 0;
  int opened = relation_open(&r, a, round == BACKWARDS, interrupt);
  if (opened) return opened < 0 ? err_memory(e, "an automaton") : 0;
  uint32_t *rename = mem_alloc(a->mem, MEM_OTHER, ((size_t)a->states + 1) * sizeof *rename);
  uint8_t *gone = mem_alloc(a->mem, MEM_OTHER, (size_t)a->initial_count + 1); /* by initial state */
  int status = rename && gone ? 0 : -1;
  automaton_draft_open(&d, a->mem);
  for (uint32_t s = 0; s < a->states && !status; s++) {
    uint32_t like = round == SHARPEN ? s : first_like(&r, s);
    rename[s] = like == s ? states++ : rename[like];
  }
  for (uint32_t i = 0; i < a->initial_count && !status; i++) {
    /* One initial state that simulates another makes it needless, if it stays itself: states that are alike need not have become one, since guards are compared for a while only. */
    for (uint32_t k = 0; k < a->initial_count && round == FORWARDS; k++)
      gone[i] |= !gone[k] && rename[a->initial[k]] != rename[a->initial[i]] && r.above[(size_t)a->initial[i] * a->states + a->initial[k]];
    if (!gone[i]) status = automaton_draft_initial(&d, rename[a->initial[i]]);
  }
  for (uint32_t s = 0; s < a->states && !status; s++) {
    if (round == BACKWARDS) {
      for (uint32_t k = a->first[s]; k < a->first[s + 1] && !status; k++) {
        struct automaton_edge x = a->edge[k];
        x.to = rename[x.to];
        status = automaton_draft_edge(&d, rename[s], x);
      }
    } else if (round == SHARPEN || first_like(&r, s) == s) status = keep_best(&r, &d, s, rename, round == SHARPEN);
  }
  status = status ? err_memory(e, "an automaton") : replace(at, &d, states, e);
  automaton_draft_close(&d);
  mem_free(r.mem, rename);
  mem_free(r.mem, gone);
  relation_close(&r);
  return status;
}

int automaton_reduce(struct automaton **at, const volatile int *interrupt, struct err *e) {
  if (automaton_trim(at, e)) return -1;
  for (;;) {
    uint32_t states = (*at)->states, edges = (*at)->first[states], sets = (*at)->sets;
    if (!states || states > LARGEST || (interrupt && *interrupt)) return 0;
    if (one_round(at, FORWARDS, interrupt, e) || one_round(at, BACKWARDS, interrupt, e)) return -1;
    if ((*at)->states == states && (*at)->first[states] >= edges && (*at)->sets == sets) return 0;
  }
}

int automaton_sharpen(struct automaton **at, struct err *e) {
  if (!(*at)->states || (*at)->states > LARGEST) return 0;
  return one_round(at, SHARPEN, NULL, e);
}
