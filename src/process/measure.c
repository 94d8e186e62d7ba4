/* measure.c -- how far the processes of a program are (model.h: measure).
 *
 *   sum over processes of rank(type, control state)  +  sum over monotone variables of sign * (value - first value)
 *
 * The rank of a control state is the layer of its component in the control flow of its type (base/layers.h): who left a loop does not come back.
 *
 * Processes that start and end.  One that is not there counts 0.  So that its end lowers nothing, ranks of a type that can end are taken off from the highest:
 * they are negative, and 0 at the end.  Then its start lowers the sum by the length of its way, L(type); the statement that starts it makes up for it, as its edge
 * gains 1 + L.  Inside a loop an edge gains nothing: a type that is started there, or by one that it starts itself, counts nothing at all.
 *
 * Kinds:  0  ranks, and variables that are proven to rise (monotone.h): no step lowers it
 *         1  and variables that may wrap around, or vanish with their process
 *         2  as 1, with the ranks of control flow without the edges that close a loop: those lower it */
#include "process/process_model.h"

#include "base/layers.h"
#include "process/monotone.h"

#include <stdio.h>
#include <string.h>

enum { KINDS = 3 };
static const int64_t MOST_RANK = 1 << 20;

struct term {
  uint32_t scope, base, cells;
  int64_t sign, first;
};

struct measure {
  struct model_measure base;
  struct mem *mem;
  int64_t *rank; /* by shape->state_first[type] + control state */
  int ranked;    /* some are not 0 */
  int local;     /* some terms are of processes */
  struct term *term;
  size_t terms;
};

/* ---- ranks ------------------------------------------------------------------------------------------------------------------- */

struct ranker {
  const struct program *p;
  const struct shape *shape;
  struct mem *mem;
  int loops; /* edges that close a loop are left out */
  int64_t *rank, *length;
  uint8_t *flat; /* types that count nothing */
  uint32_t *component;
  int64_t *layer;
  uint8_t *closing; /* per transition */
  struct vec(struct layers_edge) edges;
};

/* Marks the transitions of a type that lead to a state on the way to them: depth first, from every state. */
static int find_closing(struct ranker *r, uint32_t type) {
  const struct program *p = r->p;
  const struct ir_proc *proc = &p->procs.at[type];
  uint32_t *path = mem_alloc(r->mem, MEM_ANALYSIS, ((size_t)proc->states + 1) * sizeof *path), *next = mem_alloc(r->mem, MEM_ANALYSIS, ((size_t)proc->states + 1) * sizeof *next);
  uint8_t *colour = mem_alloc(r->mem, MEM_ANALYSIS, (size_t)proc->states + 1); /* 1: on the path, 2: done */
  int status = path && next && colour ? 0 : -1;
  for (uint32_t i = 0; i < proc->states && !status; i++) {
    uint32_t depth = 0, root = (proc->start + i) % proc->states;
    if (colour[root]) continue;
    path[0] = root;
    colour[root] = 1;
    for (int on = 1; on;) {
      uint32_t v = path[depth];
      const struct ir_state *s = &p->states.at[proc->state + v];
      if (next[v] < s->transitions) {
        uint32_t k = s->trans + next[v]++;
        const struct ir_trans *t = &p->trans.at[k];
        if (t->flags & IR_END) continue;
        if (colour[t->to] == 1) r->closing[k] = 1;
        else if (!colour[t->to]) {
          colour[t->to] = 1;
          path[++depth] = t->to;
        }
        continue;
      }
      colour[v] = 2;
      if (depth) depth--;
      else on = 0;
    }
  }
  mem_free(r->mem, path);
  mem_free(r->mem, next);
  mem_free(r->mem, colour);
  return status;
}

static int64_t starts(const struct ranker *r, const struct ir_trans *t) {
  int64_t gain = 0;
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &r->p->actions.at[t->action + i];
    if (a->kind == IR_RUN && !r->flat[a->proc]) gain += r->length[a->proc];
  }
  return gain;
}

/* Whoever is started inside a loop counts nothing. */
static void flatten_started(struct ranker *r, const struct ir_trans *t) {
  for (uint32_t i = 0; i < t->actions; i++) {
    const struct ir_action *a = &r->p->actions.at[t->action + i];
    if (a->kind == IR_RUN && r->length[a->proc]) r->flat[a->proc] = 1;
  }
}

static int rank_type(struct ranker *r, uint32_t type) {
  const struct program *p = r->p;
  const struct ir_proc *proc = &p->procs.at[type];
  int64_t *rank = r->rank + r->shape->state_first[type], top = 0;
  if (r->loops && find_closing(r, type)) return -1;
  r->edges.count = 0;
  for (uint32_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (t->proc != type || t->flags & IR_END || r->closing[i]) continue;
    int64_t gain = 1 + starts(r, t);
    if (vec_push(&r->edges, r->mem, MEM_ANALYSIS, (struct layers_edge){t->from, t->to, gain < MOST_RANK ? (uint32_t)gain : (uint32_t)MOST_RANK})) return -1;
  }
  if (layers_find(proc->states, r->edges.at, r->edges.count, r->component, r->layer, r->mem)) return -1;
  for (uint32_t i = 0; i < p->trans.count; i++) {
    const struct ir_trans *t = &p->trans.at[i];
    if (t->proc == type && ((t->flags & IR_END) || r->closing[i] || r->component[t->from] == r->component[t->to])) flatten_started(r, t);
  }
  for (uint32_t v = 0; v < proc->states; v++)
    if (r->layer[v] > top) top = r->layer[v];
  if (top >= MOST_RANK) r->flat[type] = 1;
  int ends = monotone_ends(p, type);
  for (uint32_t v = 0; v < proc->states; v++) rank[v] = ends ? r->layer[v] - top : r->layer[v];
  r->length[type] = ends && proc->states ? -rank[proc->start] : 0;
  return 0;
}

/* Those that are started before those that start them; whoever may start itself counts nothing. */
static int rank_all(struct ranker *r) {
  const struct program *p = r->p;
  uint32_t types = (uint32_t)p->procs.count;
  uint32_t *order = mem_alloc(r->mem, MEM_ANALYSIS, ((size_t)types + 1) * sizeof *order);
  if (!order) return -1;
  r->edges.count = 0;
  int status = 0;
  for (uint32_t i = 0; i < p->trans.count && !status; i++)
    for (uint32_t k = 0; k < p->trans.at[i].actions && !status; k++) {
      const struct ir_action *a = &p->actions.at[p->trans.at[i].action + k];
      if (a->kind == IR_RUN) status = vec_push(&r->edges, r->mem, MEM_ANALYSIS, (struct layers_edge){p->trans.at[i].proc, a->proc, 1});
    }
  if (!status) status = layers_find(types, r->edges.at, r->edges.count, r->component, r->layer, r->mem);
  if (!status) {
    for (size_t i = 0; i < r->edges.count; i++)
      if (r->component[r->edges.at[i].from] == r->component[r->edges.at[i].to]) r->flat[r->edges.at[i].to] = 1;
    memcpy(order, r->component, types * sizeof *order);
    for (uint32_t c = 0; c < types && !status; c++)
      for (uint32_t t = 0; t < types && !status; t++)
        if (order[t] == c && !p->procs.at[t].is_claim) status = rank_type(r, t);
  }
  for (uint32_t t = 0; t < types && !status; t++)
    for (uint32_t v = 0; r->flat[t] && v < p->procs.at[t].states; v++) r->rank[r->shape->state_first[t] + v] = 0;
  mem_free(r->mem, order);
  return status;
}

static int find_ranks(struct measure *m, const struct process_model *model, int loops) {
  const struct program *p = model->program;
  struct mem *mem = m->mem;
  size_t states = 0, types = p->procs.count;
  for (uint32_t t = 0; t < types; t++) states += p->procs.at[t].states;
  size_t nodes = (states > types ? states : types) + 1;
  m->rank = mem_alloc(mem, MEM_SEARCH, nodes * sizeof *m->rank);
  struct ranker r = {.p = p, .shape = &model->shape, .mem = mem, .loops = loops, .rank = m->rank,
                     .length = mem_alloc(mem, MEM_ANALYSIS, (types + 1) * sizeof *r.length),
                     .flat = mem_alloc(mem, MEM_ANALYSIS, types + 1),
                     .component = mem_alloc(mem, MEM_ANALYSIS, nodes * sizeof *r.component),
                     .layer = mem_alloc(mem, MEM_ANALYSIS, nodes * sizeof *r.layer),
                     .closing = mem_alloc(mem, MEM_ANALYSIS, p->trans.count + 1)};
  int status = m->rank && r.length && r.flat && r.component && r.layer && r.closing ? rank_all(&r) : -1;
  for (size_t i = 0; !status && i < states; i++) m->ranked |= m->rank[i] != 0;
  mem_free(mem, r.length);
  mem_free(mem, r.flat);
  mem_free(mem, r.component);
  mem_free(mem, r.layer);
  mem_free(mem, r.closing);
  vec_free(&r.edges, mem);
  return status;
}

/* ---- the sum ------------------------------------------------------------------------------------------------------------------ */

static void add(int64_t *sum, const struct measure *m, const struct packing *k, const uint32_t *state, uint32_t scope, uint32_t first) {
  for (size_t i = 0; i < m->terms; i++) {
    const struct term *t = &m->term[i];
    if (t->scope != scope) continue;
    for (uint32_t c = 0; c < t->cells; c++) *sum += t->sign * (packing_cell(k, state, first + t->base + c) - t->first);
  }
}

static int64_t value(struct model_measure *base, struct model_cursor *c, const uint32_t *state) {
  const struct measure *m = (const struct measure *)base;
  const struct process_model *model = process_of(c->model);
  const struct packing *k = model->packing;
  const struct shape *s = &model->shape;
  int64_t sum = 0;
  add(&sum, m, k, state, 0, s->global);
  if (!m->ranked && !m->local) return sum;
  for (uint32_t slot = 0; slot < k->widths.slots; slot++) {
    uint32_t cell = shape_slot(s, slot);
    int32_t type = packing_cell(k, state, cell + SLOT_TYPE);
    if (!type) break;
    if (m->ranked) sum += m->rank[s->state_first[type - 1] + (uint32_t)packing_cell(k, state, cell + SLOT_PC)];
    if (m->local) add(&sum, m, k, state, (uint32_t)type, cell + SLOT_HEADER);
  }
  return sum;
}

static void close_measure(struct model_measure *base) {
  struct measure *m = (struct measure *)base;
  mem_free(m->mem, m->rank);
  mem_free(m->mem, m->term);
  mem_free(m->mem, m);
}

/* ---- words -------------------------------------------------------------------------------------------------------------------- */

struct writer {
  char *out;
  size_t room, used, left;
};

static void say(struct writer *w, const char *sign, const char *what) {
  enum { END = 24 };
  char text[160];
  int n = snprintf(text, sizeof text, "%s%s", w->used ? sign : sign[1] == '-' ? "-" : "", what);
  if (w->left || n < 0 || (size_t)n >= sizeof text || w->used + (size_t)n + END > w->room) {
    w->left++;
    return;
  }
  memcpy(w->out + w->used, text, (size_t)n + 1);
  w->used += (size_t)n;
}

static void tell(struct measure *m, const struct process_model *model, const struct monotones *found, int loops) {
  const struct program *p = model->program;
  struct writer w = {m->base.text, sizeof m->base.text, 0, 0};
  char name[100], text[140];
  for (size_t i = 0; i < found->at.count; i++) {
    const struct monotone *v = &found->at.at[i];
    const struct ir_decl *d = &p->decls.at[v->decl];
    if (m->base.monotone && !v->proven) continue;
    program_decl_name(p, v->decl, name, sizeof name);
    snprintf(text, sizeof text, "%s%.40s%s%.90s%s", d->count ? "sum of " : "", d->scope ? p->procs.at[d->scope - 1].name : "", d->scope ? "." : "", name, d->count ? "[]" : "");
    say(&w, v->sign < 0 ? " - " : " + ", text);
  }
  for (uint32_t t = 0; t < p->procs.count; t++) {
    int counts = 0;
    for (uint32_t v = 0; v < p->procs.at[t].states; v++) counts |= m->rank[model->shape.state_first[t] + v] != 0;
    if (!counts) continue;
    snprintf(text, sizeof text, "%s of %.100s", loops ? "way round" : "stage", p->procs.at[t].name);
    say(&w, " + ", text);
  }
  if (w.left) snprintf(w.out + w.used, w.room - w.used, " + %zu more", w.left);
}

/* ---- the door ----------------------------------------------------------------------------------------------------------------- */

static int find_terms(struct measure *m, const struct process_model *model, const struct monotones *found) {
  const struct program *p = model->program;
  m->term = mem_alloc(m->mem, MEM_SEARCH, (found->at.count + 1) * sizeof *m->term);
  if (!m->term) return -1;
  for (size_t i = 0; i < found->at.count; i++) {
    const struct monotone *v = &found->at.at[i];
    const struct ir_decl *d = &p->decls.at[v->decl];
    if (m->base.monotone && !v->proven) continue;
    m->term[m->terms++] = (struct term){d->scope, d->base, d->cells, v->sign, v->first};
    m->local |= d->scope != 0;
  }
  return 0;
}

static int only_proven(const struct monotones *found) {
  for (size_t i = 0; i < found->at.count; i++)
    if (!found->at.at[i].proven) return 0;
  return 1;
}

int process_measure(struct model_measure **out, const struct model *base, unsigned kind, struct mem *mem, struct err *e) {
  const struct process_model *model = process_of(base);
  struct monotones found = {0};
  if (kind >= KINDS) return 2;
  struct measure *m = mem_alloc(mem, MEM_SEARCH, sizeof *m);
  if (!m) return err_memory(e, "a progress measure");
  m->base = (struct model_measure){.value = value, .close = close_measure, .monotone = kind == 0};
  m->mem = mem;
  int answer = monotone_find(&found, model->program, mem) || find_ranks(m, model, kind == 2) || find_terms(m, model, &found) ? -1 : 0;
  if (!answer && ((kind == 1 && only_proven(&found)) || (!m->ranked && !m->terms))) answer = 1;
  if (!answer) {
    tell(m, model, &found, kind == 2);
    *out = &m->base;
  } else {
    close_measure(&m->base);
  }
  monotone_close(&found, mem);
  return answer < 0 ? err_memory(e, "a progress measure") : answer;
}
