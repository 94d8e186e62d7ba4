/* flow.c -- from statements to elements.
 *
 * State counts are only comparable with SPIN's if exactly the same places in the text are control states.  Which these are
 * follows from how SPIN strings statements together, so this file does the same: every statement becomes an element; an if or do
 * has an element of its own, and one where its options meet ("dot") or where breaks lead ("exit"); atomic, d_step and plain
 * blocks are elements with a strand inside.  Elements without effect (dot, goto, exit) are skipped later by flow_hunt, unless
 * that would leave an atomic chain too early.
 *
 * The order of making elements is the order of their numbers and decides ties between escapes: inner sequences come first
 * (`prepare`), then the element of the statement itself (`add`). */
#include "front/promela/flow.h"

#include <string.h>

enum { HUNT_MAX = 500, START_MAX = 200 };

static struct element *make(struct flow *f, struct stmt *s, enum stmt_kind kind) {
  struct element *e = parse_alloc(f->parser, sizeof *e);
  e->stmt = s;
  e->kind = kind;
  e->number = ++f->count;
  e->older = f->newest;
  f->newest = e;
  return e;
}

static struct stmt *extra_stmt(struct flow *f, enum stmt_kind kind, const struct stmt *at) {
  struct stmt *s = parse_alloc(f->parser, sizeof *s);
  s->kind = kind;
  s->place = at->place;
  s->dstep = at->dstep;
  return s;
}

static int is_special(const struct symbol *s) {
  return !strncmp(s->name, "accept", 6) || !strncmp(s->name, "end", 3) || !strncmp(s->name, "progress", 8);
}

static int is_plain_skip(const struct element *e) {
  return e->kind == STMT_CONDITION && e->stmt->a->kind == EXPR_VALUE && e->stmt->a->value == 1;
}

static void set_label(struct flow *f, struct symbol *s, struct element *e) {
  struct flow_label *l = parse_alloc(f->parser, sizeof *l);
  *l = (struct flow_label){.symbol = s, .element = e, .next = e->labels, .older = f->labels};
  e->labels = f->labels = s->put = l;
}

static void append(struct flow *f, struct element *e, struct strand *s) {
  if (e->kind == STMT_GOTO || e->kind == STMT_BREAK) {
    struct flow_label *special = e->labels;
    while (special && !is_special(special->symbol)) special = special->next;
    if (special) { /* a jump is no state: the label gets a skip */
      struct stmt *skip = extra_stmt(f, STMT_CONDITION, e->stmt);
      skip->a = tree_value(f->parser, 1, e->stmt->place);
      struct element *y = make(f, skip, STMT_CONDITION);
      struct flow_label *moved = e->labels;
      e->labels = moved->next;
      moved->next = y->labels;
      moved->element = y;
      y->labels = moved;
      append(f, y, s);
    }
  }
  if (!s->first) s->first = e;
  else s->last->next = e;
  s->last = e;
}

/* ---- sequences ------------------------------------------------------------------------------------------------- */

static void prepare(struct flow *, struct stmt *);
static void add(struct flow *, struct stmt *);

static struct strand *strand_open(struct flow *f) {
  struct strand *s = parse_alloc(f->parser, sizeof *s);
  return s;
}

static struct branch *branch_of(struct flow *f, struct strand *s, struct branch *next) {
  struct branch *b = parse_alloc(f->parser, sizeof *b);
  b->strand = s;
  b->next = next;
  return b;
}

static void strand_close(struct flow *f, struct strand *s, const char *where) {
  s->extent = s->last;
  if (!s->first) {
    f->failed = 1;
    return;
  }
  if (where && s->first->labels)
    parse_error_hint(f->parser, where, s->first->labels->symbol->place,
                     "the label %s cannot stand here: this is no state of its own", s->first->labels->symbol->name);
}

static struct strand *strand_of(struct flow *f, const struct sequence *q, const char *where) {
  struct strand *s = strand_open(f), *outer = f->current;
  f->current = s;
  for (struct stmt *t = q->first; t; t = t->next) {
    prepare(f, t);
    f->current = s;
    add(f, t);
  }
  f->current = outer;
  strand_close(f, s, where);
  return s;
}

/* One statement as a sequence of its own. */
static struct strand *strand_of_one(struct flow *f, struct stmt *t, const char *where) {
  struct strand *s = strand_open(f), *outer = f->current;
  f->current = s;
  add(f, t);
  f->current = outer;
  strand_close(f, s, where);
  return s;
}

/* Of skips that follow each other in an option all but the first go, unless they are labelled or at an end. */
static void prune(struct strand *s) {
  unsigned skips = 0;
  struct element *before = NULL;
  for (struct element *e = s->first; e; before = e, e = e->next) {
    int print = e->kind == STMT_PRINT;
    if ((!print && !is_plain_skip(e)) || e->labels) {
      skips = 0;
      continue;
    }
    if (++skips > 1 && !print && e != s->first && e != s->last && e != s->extent) {
      before->next = e->next;
      e = before;
    }
  }
}

/* ---- atomic ---------------------------------------------------------------------------------------------------- */

static void walk_atomic(struct flow *f, struct element *from, struct element *to, unsigned added) {
  for (struct element *e = from; e; e = e->next) {
    e->status |= IN_ATOMIC | added;
    if (e->kind == STMT_ATOMIC || (e->kind == STMT_D_STEP && added)) e->kind = STMT_BLOCK;
    if (e->kind == STMT_BLOCK) walk_atomic(f, e->body->first, e->body->last, added);
    for (struct branch *b = e->sub; b; b = b->next) walk_atomic(f, b->strand->first, b->strand->last, added);
    if (e == to) break;
  }
}

static void make_atomic(struct flow *f, struct strand *s, unsigned added) {
  for (;;) {
    walk_atomic(f, s->first, s->last, added);
    struct element *last = s->last;
    if (last->kind == STMT_BLOCK || last->kind == STMT_ATOMIC) s = last->body;
    else if (last->kind == STMT_UNLESS) s = last->sub->strand;
    else {
      last->status &= ~(unsigned)IN_ATOMIC;
      last->status |= LAST_ATOMIC;
      return;
    }
  }
}

/* ---- statements with sequences inside -------------------------------------------------------------------------- */

static void prepare_selection(struct flow *f, struct stmt *s) {
  struct branch **end = &s->strands;
  for (struct sequence *q = s->options; q; q = q->next) {
    struct strand *strand = strand_of(f, q, NULL);
    if (!strand->first) return;
    *end = branch_of(f, strand, NULL);
    end = &(*end)->next;
  }
  if (f->proc->kind != PROC_CLAIM)
    for (struct branch *b = s->strands; b; b = b->next) prune(b->strand);
}

static const char *const where_block = "put the label before the block";

static void prepare_block(struct flow *f, struct stmt *s) {
  if (s->strands) return; /* unless has been here */
  struct strand *strand = strand_of(f, s->options, where_block);
  s->strands = branch_of(f, strand, NULL);
  if (strand->first && s->kind == STMT_ATOMIC) make_atomic(f, strand, 0);
  if (strand->first && s->kind == STMT_D_STEP) make_atomic(f, strand, IN_DSTEP);
}

/* a unless b: the two sequences. A label before a block goes around the whole. */
static void prepare_unless(struct flow *f, struct stmt *s) {
  struct stmt *inner = s->inner, *escape = s->escape;
  prepare(f, inner);
  prepare(f, escape);
  struct strand *e = escape->kind == STMT_BLOCK ? escape->strands->strand : strand_of_one(f, escape, "an escape has no label");
  if (inner->kind == STMT_BLOCK) {
    s->strands = branch_of(f, inner->strands->strand, branch_of(f, e, NULL));
    return;
  }
  if (inner->kind == STMT_LABEL &&
      (inner->inner->kind == STMT_BLOCK || inner->inner->kind == STMT_ATOMIC || inner->inner->kind == STMT_D_STEP)) {
    struct stmt *block = inner->inner, *whole = extra_stmt(f, STMT_UNLESS, s);
    whole->strands = branch_of(f, block->strands->strand, branch_of(f, e, NULL));
    whole->inner = block;
    struct strand *strand = strand_of_one(f, whole, NULL);
    struct stmt *around = extra_stmt(f, block->kind, block);
    around->strands = branch_of(f, strand, NULL);
    s->kind = STMT_LABEL;
    s->label = inner->label;
    s->inner = around;
    return;
  }
  s->strands = branch_of(f, strand_of_one(f, inner, "put the label before a block of both: label: { statement unless { ... } }"),
                         branch_of(f, e, NULL));
}

static void prepare(struct flow *f, struct stmt *s) {
  if (f->failed || f->parser->stopped) return;
  while (s->kind == STMT_LABEL) s = s->inner;
  switch (s->kind) {
  case STMT_IF:
  case STMT_DO: prepare_selection(f, s); return;
  case STMT_ATOMIC:
  case STMT_D_STEP:
  case STMT_BLOCK: prepare_block(f, s); return;
  case STMT_UNLESS: prepare_unless(f, s); return;
  default: return;
  }
}

/* ---- elements of statements ------------------------------------------------------------------------------------ */

/* else goes to the end. */
static struct branch *order_options(struct flow *f, struct branch *options) {
  struct branch *others = NULL, **end = &others, *otherwise = NULL;
  for (struct branch *b = options, *next; b; b = next) {
    next = b->next;
    b->next = NULL;
    if (b->strand->first->kind == STMT_ELSE) {
      if (otherwise) parse_error(f->parser, b->strand->first->stmt->place, "there is a second else");
      otherwise = b;
    } else {
      *end = b;
      end = &b->next;
    }
  }
  *end = otherwise;
  return others;
}

static struct element *add_selection(struct flow *f, struct stmt *s) {
  struct element *e = make(f, s, s->kind), *t = make(f, extra_stmt(f, STMT_DOT, s), STMT_DOT);
  struct strand *here = f->current;
  e->sub = order_options(f, s->strands);
  for (struct branch *b = e->sub; b; b = b->next) append(f, t, b->strand);
  if (s->kind == STMT_DO) {
    append(f, t, here);
    t = make(f, extra_stmt(f, STMT_EXIT, s), STMT_EXIT);
    s->loop->exit = t;
  }
  append(f, e, here);
  append(f, t, here);
  return e;
}

static void attach_escape(struct flow *, struct strand *, struct strand *escape);

static void escape_from(struct flow *f, struct element *e, struct strand *escape) {
  for (struct branch *b = e->escapes; b; b = b->next)
    if (b->strand == escape) return;
  for (struct branch *b = e->escapes; b; b = b->next) attach_escape(f, b->strand, escape);
  e->escapes = branch_of(f, escape, e->escapes);
  switch (e->kind) {
  case STMT_UNLESS: attach_escape(f, e->sub->strand, escape); break;
  case STMT_IF:
  case STMT_DO:
    for (struct branch *b = e->sub; b; b = b->next) attach_escape(f, b->strand, escape);
    break;
  case STMT_D_STEP: escape_from(f, e->body->first, escape); break;
  case STMT_ATOMIC:
  case STMT_BLOCK: attach_escape(f, e->body, escape); break;
  default: break;
  }
}

static void attach_escape(struct flow *f, struct strand *s, struct strand *escape) {
  for (struct element *e = s->first; e; e = e->next) {
    escape_from(f, e, escape);
    if (e == s->extent) break;
  }
}

static struct element *add_unless(struct flow *f, struct stmt *s) {
  struct element *e = make(f, s, STMT_UNLESS), *t = make(f, extra_stmt(f, STMT_DOT, s), STMT_DOT);
  struct strand *here = f->current;
  e->sub = s->strands;
  for (struct branch *b = e->sub; b; b = b->next) append(f, t, b->strand);
  attach_escape(f, e->sub->strand, e->sub->next->strand);
  append(f, e, here);
  append(f, t, here);
  return e;
}

static void add(struct flow *f, struct stmt *s) {
  if (f->failed || f->parser->stopped) return;
  struct stmt *inner = s;
  while (inner->kind == STMT_LABEL) inner = inner->inner;
  struct element *e;
  if (inner->kind == STMT_IF || inner->kind == STMT_DO) e = add_selection(f, inner);
  else if (inner->kind == STMT_UNLESS) e = add_unless(f, inner);
  else {
    e = make(f, inner, inner->kind);
    if (inner->strands) e->body = inner->strands->strand;
  }
  /* The innermost label is set first. */
  struct stmt *labels[NEST_MAX];
  unsigned count = 0;
  for (struct stmt *l = s; l->kind == STMT_LABEL && count < NEST_MAX; l = l->inner) labels[count++] = l;
  while (count) set_label(f, labels[--count]->label, e);
  if (inner->kind != STMT_IF && inner->kind != STMT_DO && inner->kind != STMT_UNLESS) append(f, e, f->current);
}

/* ---- jumps ----------------------------------------------------------------------------------------------------- */

static int encloses(const struct scope *outer, const struct scope *inner) {
  while (inner && inner->depth > outer->depth) inner = inner->parent;
  return inner == outer;
}

static struct flow_label *find_label(struct flow *f, const char *name, const struct scope *from) {
  struct flow_label *best = NULL;
  for (struct flow_label *l = f->labels; l; l = l->older) {
    if (strcmp(l->symbol->name, name)) continue;
    if (l->symbol->scope == from) return l;
    if (encloses(l->symbol->scope, from) || !best) best = l;
  }
  return best;
}

struct element *flow_target(struct flow *f, const struct stmt *jump) {
  if (jump->kind == STMT_BREAK) return jump->loop->exit;
  struct flow_label *l = jump->label->put; /* nearly always: a label of that scope */
  if (!l) l = find_label(f, jump->label->name, jump->label->scope);
  if (l) return l->element;
  parse_error(f->parser, jump->place, "there is no label %s", jump->label->name);
  f->failed = 1;
  return NULL;
}

static int is_jump(const struct element *e) { return e->kind == STMT_GOTO || e->kind == STMT_BREAK; }

/* The state that control comes to: past what has no effect, but not out of an atomic chain. */
struct element *flow_hunt(struct flow *f, struct element *from, unsigned status) {
  struct element *e = from;
  for (int i = 0; i < HUNT_MAX && e && !f->failed; i++) {
    struct element *g;
    if (is_jump(e)) {
      g = flow_target(f, e->stmt);
      if (g == e) break;
    } else if (e->kind == STMT_DOT || e->kind == STMT_EXIT) {
      if (!e->next) return e;
      g = e->next;
    } else if (e->kind == STMT_UNLESS) {
      g = e->sub->strand->first;
    } else {
      return e;
    }
    if (!g) break;
    if (e->kind == STMT_UNLESS) { /* whatever stands at the start of the normal sequence */
      e = g;
      continue;
    }
    if ((status & IN_ATOMIC) && !(g->status & IN_ATOMIC)) return e;
    e = g;
  }
  if (!f->failed) parse_error(f->parser, from->stmt->place, "control goes round here without ever doing anything");
  f->failed = 1;
  return from;
}

struct element *flow_hunt_start(struct flow *f, struct element *from) {
  struct element *e = from;
  for (int i = 0; i < START_MAX; i++) {
    if (e->kind == STMT_DOT && e->next) e = e->next;
    else if (e->kind == STMT_UNLESS) e = e->sub->strand->first;
    else return e;
  }
  parse_error(f->parser, from->stmt->place, "control goes round here without ever doing anything");
  f->failed = 1;
  return from;
}

/* ---- d_steps are closed ---------------------------------------------------------------------------------------- */

static void check_jumps(struct flow *f) {
  for (struct element *e = f->newest; e && !f->failed; e = e->older) {
    if (!is_jump(e)) continue;
    struct element *to = flow_target(f, e->stmt);
    if (!to) return;
    if (e->stmt->dstep && to->stmt->dstep != e->stmt->dstep) parse_error(f->parser, e->stmt->place, "this jumps out of a d_step");
    else if (to->stmt->dstep && to->stmt->dstep != e->stmt->dstep)
      parse_error(f->parser, e->stmt->place, "this jumps into a d_step");
    else continue;
    f->failed = 1;
  }
}

/* ---- the door -------------------------------------------------------------------------------------------------- */

void flow_build(struct parser *p, struct proc_text *t) {
  struct flow *f = t->flow = parse_alloc(p, sizeof *f);
  f->parser = p;
  f->proc = t;
  struct strand *body = f->body = f->current = strand_open(f);
  for (struct stmt *s = t->body->first; s; s = s->next) {
    prepare(f, s);
    f->current = body;
    add(f, s);
  }
  struct stmt *stop = parse_alloc(p, sizeof *stop);
  stop->kind = STMT_STOP;
  stop->place = t->body->last ? t->body->last->place : t->place;
  append(f, make(f, stop, STMT_STOP), body);
  strand_close(f, body, NULL);
  if (!f->failed && !p->stopped) check_jumps(f);
}

/* P@label: if the label stands at a jump, the jump gets a state of its own. */
void flow_remote_label(struct parser *p, struct proc_text *t, const char *label) {
  struct flow *f = t->flow;
  struct flow_label *l = f->labels;
  while (l && strcmp(l->symbol->name, label)) l = l->older;
  if (!l || !is_jump(l->element)) return;
  struct element *e = l->element, *y = make(f, e->stmt, e->kind);
  struct stmt *skip = extra_stmt(f, STMT_CONDITION, e->stmt);
  skip->a = tree_value(p, 1, e->stmt->place);
  y->next = e->next;
  e->stmt = skip;
  e->kind = STMT_CONDITION;
  e->next = y;
}

/* Ends of inner sequences lead on to what follows the block; newest first, so outer blocks come before inner ones. */
static void tie_ends(struct flow *f) {
  for (struct element *e = f->newest; e; e = e->older) {
    if ((e->kind != STMT_ATOMIC && e->kind != STMT_BLOCK && e->kind != STMT_D_STEP) || !e->next) continue;
    struct element *g = e->next;
    while (g && g->kind == STMT_DOT) g = g->next;
    struct strand *s = e->body;
    if (!s->last->next) s->last->next = g;
    else if (is_jump(s->last->next)) s->last = s->last->next;
  }
}

void flow_finish(struct parser *p, struct proc_text *t) {
  struct flow *f = t->flow;
  if (f->failed || p->stopped) return;
  tie_ends(f);
  automaton_build(f);
}
