/* automaton.c -- from elements to transitions.
 *
 * First every element gets what it does by itself (`put`): a statement one transition to the state that follows; a selection or a
 * block edges without effect to the starts of its options.  Jumps out of atomic chains lose their hold on the way.
 *
 * Then edges without effect are removed (`flatten`): an edge from a selection to another selection is replaced by the edges of
 * the latter, and at last each one by the transition that it leads to.  Marks of states that are passed over this way (end,
 * progress, accept) move to where the transition leads.
 *
 * Last, the transitions of escapes are put in front of those of the states that they guard (`add_escapes`), each with the number
 * of the escape, in the order in which SPIN has them. */
#include "front/promela/flow.h"

#include <string.h>

static struct edge *edge_new(struct flow *f, struct element *source, struct element *to, int atomic) {
  struct edge *t = parse_alloc(f->parser, sizeof *t);
  *t = (struct edge){.source = source, .to = to, .atomic = atomic};
  return t;
}

/* ---- what each element does ------------------------------------------------------------------------------------ */

static int is_jump(const struct element *e) { return e->kind == STMT_GOTO || e->kind == STMT_BREAK; }

/* Jumps out of an atomic chain end it; jumps into another one do not. */
static void patch_atomic(struct flow *f, struct strand *s) {
  for (struct element *e = s->first; e; e = e->next) {
    if (is_jump(e)) {
      const struct element *g = flow_target(f, e->stmt);
      if (!g) return;
      int to_atomic = (g->status & (IN_ATOMIC | LAST_ATOMIC)) != 0;
      if ((e->status & (IN_ATOMIC | LAST_ATOMIC)) && !to_atomic) e->status = (e->status & ~(unsigned)IN_ATOMIC) | LAST_ATOMIC;
      if ((e->status & LAST_ATOMIC) && to_atomic) e->status = (e->status & ~(unsigned)LAST_ATOMIC) | IN_ATOMIC;
    } else {
      for (struct branch *b = e->sub; b; b = b->next) patch_atomic(f, b->strand);
    }
    if (e == s->extent) break;
  }
}

static void put_strand(struct flow *, struct strand *);

static void put_escapes(struct flow *f, struct element *e) {
  if (!e->escapes || e->kind == STMT_DOT) return;
  for (struct branch *b = e->escapes; b; b = b->next) e->escape_count++;
  e->escape_to = parse_alloc(f->parser, e->escape_count * sizeof *e->escape_to);
  unsigned n = 0;
  for (struct branch *b = e->escapes; b; b = b->next) e->escape_to[n++] = flow_hunt(f, b->strand->first, e->status);
  for (struct branch *b = e->escapes; b; b = b->next) put_strand(f, b->strand);
}

static void put_plain(struct flow *f, struct element *e) {
  struct element *to = NULL;
  if (is_jump(e)) {
    to = flow_target(f, e->stmt);
    if (to) to = flow_hunt(f, to, e->status);
  } else if (e->next) {
    to = flow_hunt(f, e->next, e->status);
  }
  e->edges = edge_new(f, e, to, (e->status & IN_ATOMIC) != 0);
  put_escapes(f, e);
}

static void put_block(struct flow *f, struct element *e) {
  struct strand *s = e->body;
  patch_atomic(f, s);
  struct element *start = flow_hunt_start(f, s->first);
  s->last->next = e->next;
  if (e->kind == STMT_D_STEP) {
    e->edges = edge_new(f, e, e->next ? flow_hunt(f, e->next, e->status) : NULL, (e->status & IN_ATOMIC) != 0);
    put_escapes(f, e);
    return;
  }
  e->choice = 1;
  e->edges = edge_new(f, NULL, start, 0);
  put_strand(f, s);
}

static int is_false(const struct element *e) {
  return e->kind == STMT_CONDITION && e->stmt->a->kind == EXPR_VALUE && e->stmt->a->value == 0 && !e->escapes;
}

static void put_selection(struct flow *f, struct element *e) {
  struct edge **end = &e->edges;
  e->choice = 1;
  for (struct branch *b = e->sub; b; b = b->next) {
    struct element *start = flow_hunt_start(f, b->strand->first);
    if (is_false(start)) continue;
    *end = edge_new(f, NULL, start, 0);
    end = &(*end)->next;
  }
  for (struct branch *b = e->sub; b; b = b->next) put_strand(f, b->strand);
}

static void put_strand(struct flow *f, struct strand *s) {
  for (struct element *e = s->first; e && !f->failed && !f->parser->stopped; e = e->next) {
    if (!(e->status & PUT)) {
      e->status |= PUT;
      if (e->kind == STMT_UNLESS) put_strand(f, e->sub->strand);
      else if (e->sub) put_selection(f, e);
      else if (e->body) put_block(f, e);
      else put_plain(f, e);
    }
    if (e == s->last) break;
  }
}

/* ---- edges without effect go ----------------------------------------------------------------------------------- */

static int leads_to_choice(const struct element *e) {
  for (const struct edge *t = e->edges; t; t = t->next)
    if (t->to->choice && t->to->edges) return 1;
  return 0;
}

static void flatten_choices(struct flow *f, struct element **all) {
  uint64_t made = 0;
  for (int again = 1; again && !f->parser->stopped;) {
    again = 0;
    for (uint32_t i = 1; i <= f->count; i++) {
      struct element *e = all[i];
      if (!e->choice || !leads_to_choice(e)) continue;
      struct edge *flat = NULL, **end = &flat;
      for (const struct edge *t = e->edges; t; t = t->next) {
        if (!t->to->choice || !t->to->edges) {
          *end = edge_new(f, NULL, t->to, 0);
          end = &(*end)->next;
          continue;
        }
        for (const struct edge *u = t->to->edges; u; u = u->next) {
          *end = edge_new(f, NULL, u->to, 0);
          end = &(*end)->next;
          u->to->marks |= t->to->marks;
          made++;
        }
        again = 1;
      }
      e->edges = flat;
      if (made > 10000000) {
        parse_error(f->parser, e->stmt->place, "there are too many options inside options");
        f->failed = f->parser->stopped = 1;
        return;
      }
    }
  }
}

static struct edge *copy(struct flow *f, const struct edge *t) {
  struct edge *c = parse_alloc(f->parser, sizeof *c);
  *c = *t;
  c->next = NULL;
  return c;
}

/* Each option is replaced by the transition of the state that it leads to. */
static void pull_transitions(struct flow *f, struct element **all) {
  for (uint32_t i = 1; i <= f->count; i++) {
    struct element *e = all[i];
    if (!e->choice) continue;
    struct edge *options = e->edges, **end = &e->edges;
    e->edges = NULL;
    e->choice = 0;
    for (const struct edge *t = options; t; t = t->next) {
      const struct edge *u = t->to->edges;
      if (!u || !u->source) {
        if (t == options && !u) break;
        continue;
      }
      *end = copy(f, u);
      if (u->to) u->to->marks |= t->to->marks;
      end = &(*end)->next;
    }
  }
}

/* ---- unless ---------------------------------------------------------------------------------------------------- */

static int has_transition_of(const struct edge *list, const struct element *source) {
  for (; list; list = list->next)
    if (list->source == source) return 1;
  return 0;
}

static void add_escapes(struct flow *f, struct element **all) {
  for (uint32_t i = 1; i <= f->count; i++) {
    struct element *e = all[i];
    for (const struct edge *t = e->edges; t; t = t->next) {
      for (unsigned k = t->source ? t->source->escape_count : 0; k-- > 0;) {
        struct element *to = t->source->escape_to[k];
        for (const struct edge *u = to->edges; u; u = u->next) {
          if (has_transition_of(e->edges, u->source)) continue;
          struct edge *c = copy(f, u);
          c->escape = to->number;
          c->next = e->edges;
          e->edges = c;
        }
      }
    }
  }
}

/* ---- the whole ------------------------------------------------------------------------------------------------- */

static void mark_labels(struct flow *f) {
  for (const struct flow_label *l = f->labels; l; l = l->older) {
    const char *name = l->symbol->name;
    if (!strncmp(name, "end", 3)) l->element->marks |= IR_VALID_END;
    if (!strncmp(name, "progress", 8)) l->element->marks |= IR_PROGRESS;
    if (!strncmp(name, "accept", 6)) l->element->marks |= IR_ACCEPT;
  }
  f->body->last->marks |= IR_VALID_END;
}

static void reach(struct flow *f) {
  struct element **stack = parse_alloc(f->parser, (f->count + 1) * sizeof *stack);
  uint32_t depth = 0;
  f->start->reached = 1;
  stack[depth++] = f->start;
  if (f->proc->kind == PROC_TRACE) f->body->last->reached = 1; /* from everywhere, by an event that does not fit (process/events.c) */
  while (depth) {
    const struct element *e = stack[--depth];
    for (const struct edge *t = e->edges; t; t = t->next)
      if (t->to && !t->to->reached) {
        t->to->reached = 1;
        stack[depth++] = t->to;
      }
  }
}

void automaton_build(struct flow *f) {
  struct element *first = f->body->first;
  put_strand(f, f->body);
  if (f->failed || f->parser->stopped) return;
  f->start = flow_hunt(f, first, first->status);
  struct element **all = parse_alloc(f->parser, (f->count + 1) * sizeof *all);
  if (f->failed) return;
  for (struct element *e = f->newest; e; e = e->older) all[e->number] = e;
  mark_labels(f);
  flatten_choices(f, all);
  if (f->parser->stopped) return;
  pull_transitions(f, all);
  add_escapes(f, all);
  reach(f);
}
