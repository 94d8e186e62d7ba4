/* symmetry_sorts.c -- see symmetry_sorts.h: from what was said of variables (symmetry_walk.h) to sorts, hazards, and where they are ahead. */
#include "process/symmetry_walk.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

enum { HAZARDS_MOST = 2048 }; /* beyond so many, constants of a sort are not told apart any more */

/* ---- trying an expression on a name ---------------------------------------------------------------------------------------- */

/* The value of an expression whose only variable is a name: 1, or 0 (a division by zero, something unknown). */
static int try_name(const struct symmetry_sorts *s, ir_expr e, ir_expr source, int32_t name, int32_t *out) {
  const struct program *p = s->p;
  const struct ir_node *n = program_at(p, e);
  int32_t a, b;
  if (sort_same_source(p, e, source)) {
    *out = name;
    return 1;
  }
  switch ((enum ir_op)n->op) {
  case IR_VALUE: *out = n->value; return 1;
  case IR_LOAD: {
    const struct ir_lvalue *r = &p->refs.at[n->a];
    if (r->indices || (r->where != IR_GLOBAL && r->where != IR_LOCAL) || !(p->decls.at[r->decl].flags & IR_CONST)) return 0;
    *out = sort_first_value(s, r->decl, r->base - p->decls.at[r->decl].base);
    return 1;
  }
  case IR_NEG:
  case IR_INVERT:
    if (!try_name(s, n->a, source, name, &a)) return 0;
    *out = n->op == IR_NEG ? (int32_t)(0u - (uint32_t)a) : ~a;
    return 1;
  default: return try_name(s, n->a, source, name, &a) && try_name(s, n->b, source, name, &b) && program_apply((enum ir_op)n->op, a, b, out);
  }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------------------ */

/* Exchanging names a and b must commute with the function: f(a) = b and f(b) = a, or both are what f makes of them. Names that are told from all others make what f makes of them be told apart as well. */
static void function_blocks(const struct symmetry_sorts *s, const struct symmetry_hazard *h, uint32_t *block) {
  uint32_t names = s->sort[h->of].names, alone = 2 * SORT_NAMES;
  int32_t f[SORT_NAMES];
  for (uint32_t a = 0; a < names; a++)
    if (!try_name(s, h->expr, h->source, (int32_t)a, &f[a])) f[a] = -1 - (int32_t)a;
    else if (h->value) f[a] = program_cut(&s->p->types.at[h->value - 1], f[a]);
  for (uint32_t a = 0; a < names; a++) {
    uint32_t b = (uint32_t)f[a];
    if (b == a) block[a] = 0;
    else if (b < names && f[b] == (int32_t)a) block[a] = 1 + (a < b ? a : b);
    else if (b < names) block[a] = alone + a;
    else block[a] = (uint32_t)hash_pair(b, 17) | 1u << 31; /* by the number that it becomes */
  }
  for (int changed = 1; changed;) { /* what comes of a name that is alone is alone */
    changed = 0;
    for (uint32_t a = 0; a < names; a++) {
      uint32_t b = (uint32_t)f[a];
      if (block[a] != alone + a || b >= names || block[b] == alone + b) continue;
      block[b] = alone + b;
      changed = 1;
    }
  }
  for (uint32_t a = 0; a < names && h->indexes; a++)
    if ((uint32_t)f[a] >= names) block[0] = alone; /* an index out of range takes element 0 */
}

static void table_blocks(const struct symmetry_sorts *s, const struct symmetry_hazard *h, uint32_t *block) {
  const struct program *p = s->p;
  uint32_t names = s->sort[h->of].names;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    if ((uint32_t)h->value < s->leaves.dim_first[i] || (uint32_t)h->value >= s->leaves.dim_first[i + 1]) continue;
    for (uint32_t c = 0; c < p->decls.at[i].cells; c++) {
      struct leaf_path path;
      leaves_path(&s->leaves, i, c, &path);
      for (uint32_t k = 0; k < path.dims; k++) {
        if (path.at[k].dim != (uint32_t)h->value || path.at[k].index >= names) continue;
        uint32_t *b = &block[path.at[k].index];
        *b = (uint32_t)hash_pair(hash_pair(*b, c - path.at[k].index * path.at[k].stride), (uint32_t)sort_first_value(s, i, c));
      }
    }
  }
}

void symmetry_hazard_blocks(const struct symmetry_sorts *s, const struct symmetry_hazard *h, uint32_t *block) {
  uint32_t names = h->kind == HAZARD_SLOTS || h->kind == HAZARD_ENDS || h->kind == HAZARD_SEES_ENDS ? SORT_NAMES : s->sort[h->of].names;
  memset(block, 0, SORT_NAMES * sizeof *block);
  switch ((enum hazard_kind)h->kind) {
  case HAZARD_CONST:
    if (h->value >= 0 && (uint32_t)h->value < names) block[h->value] = 1;
    return;
  case HAZARD_OUTSIDE: block[0] = 1; return;
  case HAZARD_VALUE:
    for (uint32_t a = 0; a < names; a++) {
      int32_t value;
      block[a] = try_name(s, h->expr, h->source, (int32_t)a, &value) ? (uint32_t)value : 1u << 31 | a;
    }
    return;
  case HAZARD_FUNCTION: function_blocks(s, h, block); return;
  case HAZARD_TABLE: table_blocks(s, h, block); return;
  case HAZARD_SLOTS:
  case HAZARD_ALL:
    for (uint32_t a = 0; a < names; a++) block[a] = a;
    return;
  case HAZARD_SEES_ENDS:
  case HAZARD_ENDS: return;
  }
}

/* ---- sorts -------------------------------------------------------------------------------------------------------------------- */

static void lower(uint32_t *names, uint32_t limit) {
  if (limit < *names) *names = limit;
}

static uint32_t names_in(const struct ir_type *t) {
  unsigned bits = t->bits - (t->is_signed != 0);
  uint32_t most = bits < 6 ? 1u << bits : SORT_NAMES;
  return t->scalarset && t->scalarset < most ? t->scalarset : most;
}

static struct symmetry_holds holds_of(struct sort_walk *w, const uint32_t *sort_of, uint32_t var, uint32_t type) {
  uint32_t root = sort_root(w, var);
  if (w->p->types.at[type].kind == IR_POINTER) return (struct symmetry_holds){HOLDS_POINTER, 0};
  if (w->vars.at[root].flags & VAR_CHANNEL) return (struct symmetry_holds){HOLDS_CHANNEL, 0};
  if (!sort_of[root]) return (struct symmetry_holds){HOLDS_NUMBER, 0};
  lower(&w->s->sort[sort_of[root] - 1].names, names_in(&w->p->types.at[type]));
  return (struct symmetry_holds){HOLDS_NAME, sort_of[root] - 1};
}

static void hold_cell(struct sort_walk *w, const uint32_t *sort_of, uint32_t root, uint32_t cell) {
  struct symmetry_sorts *s = w->s;
  struct leaf_path path;
  leaves_path(&s->leaves, root, cell, &path);
  s->leaf[path.leaf] = holds_of(w, sort_of, sort_leaf_var(w, path.leaf), path.type);
  for (uint32_t k = 0; k < path.dims; k++) {
    uint32_t sort = sort_of[sort_root(w, w->first_dim + path.at[k].dim)];
    s->dim[path.at[k].dim] = sort;
    if (sort) lower(&s->sort[sort - 1].names, path.at[k].bound);
  }
}

/* Which variables are names, and of which sort; what every leaf, dimension and field holds. */
static int find_sorts(struct sort_walk *w, uint32_t *sort_of) {
  struct symmetry_sorts *s = w->s;
  const struct program *p = s->p;
  uint32_t messages = 0;
  for (uint32_t v = 1; v < w->vars.count; v++) {
    const struct sort_var *x = &w->vars.at[v];
    if (x->parent != v) continue;
    if (x->flags & VAR_CHANNEL) {
      if (x->flags & (VAR_PID | VAR_SCALARSET | VAR_NUMBER | VAR_INDEX)) w->unknown = "numbers of channels that are used as other numbers";
    } else if (x->flags & (VAR_PID | VAR_PARAM | VAR_SCALARSET | VAR_ELEMENT)) {
      sort_of[v] = ++s->sorts;
    }
  }
  s->sort = mem_alloc(s->mem, MEM_SEARCH, (s->sorts + 1) * sizeof *s->sort);
  s->leaf = mem_alloc(s->mem, MEM_SEARCH, (s->leaves.count + 1) * sizeof *s->leaf);
  s->dim = mem_alloc(s->mem, MEM_SEARCH, (s->leaves.dims + 1) * sizeof *s->dim);
  s->pid = mem_alloc(s->mem, MEM_SEARCH, (p->procs.count + 1) * sizeof *s->pid);
  s->message_first = mem_alloc(s->mem, MEM_SEARCH, (p->decls.count + 1) * sizeof *s->message_first);
  if (!s->sort || !s->leaf || !s->dim || !s->pid || !s->message_first) return -1;
  for (uint32_t v = 1; v < w->vars.count; v++)
    if (sort_of[v]) {
      uint32_t flags = w->vars.at[v].flags;
      s->sort[sort_of[v] - 1] = (struct symmetry_sort){.names = SORT_NAMES, .by_slot = (flags & VAR_PID) != 0, .indexes = (flags & VAR_INDEX) != 0, .scalarset = (flags & VAR_SCALARSET) != 0, .remote = (flags & VAR_REMOTE) != 0};
    }
  for (uint32_t i = 1; i < p->decls.count; i++) {
    s->message_first[i] = messages;
    if (p->decls.at[i].chan) messages += p->chans.at[p->decls.at[i].chan - 1].fields;
    for (uint32_t c = 0; c < p->decls.at[i].cells; c++) hold_cell(w, sort_of, i, c);
  }
  for (uint32_t type = 0; type < p->types.count && p->uses_heap; type++)
    for (uint32_t c = 0; c < p->types.at[type].cells; c++) hold_cell(w, sort_of, leaves_heap_root(&s->leaves, type), c);
  s->message = mem_alloc(s->mem, MEM_SEARCH, (messages + 1) * sizeof *s->message);
  if (!s->message) return -1;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_chan *c = p->decls.at[i].chan ? &p->chans.at[p->decls.at[i].chan - 1] : NULL;
    for (uint32_t f = 0; c && f < c->fields && !w->failed; f++)
      s->message[s->message_first[i] + f] = holds_of(w, sort_of, sort_field_var(w, sort_leaf_var(w, s->leaves.first[i]), f), p->chan_fields.at[c->field + f]);
  }
  for (uint32_t type = 0; type < p->procs.count; type++) s->pid[type] = sort_of[sort_root(w, w->first_pid + type)] - 1;
  return w->failed ? -1 : 0;
}

/* ---- hazards ------------------------------------------------------------------------------------------------------------------- */

static int64_t find_hazard(const struct symmetry_sorts *s, const struct symmetry_hazard *h) {
  for (size_t i = 0; i < s->hazard.count; i++) {
    const struct symmetry_hazard *x = &s->hazard.at[i];
    if (x->kind == h->kind && x->of == h->of && x->value == h->value && x->expr == h->expr && x->indexes == h->indexes) return (int64_t)i;
  }
  return -1;
}

/* Can control come back to where the transition begins? */
static int in_a_loop(const struct program *p, const struct ir_trans *t, uint8_t *reached, uint32_t *stack) {
  const struct ir_proc *proc = &p->procs.at[t->proc];
  uint32_t depth = 0;
  if (t->flags & IR_END) return 0;
  memset(reached, 0, proc->states);
  stack[depth++] = t->to;
  reached[t->to] = 1;
  while (depth) {
    const struct ir_state *q = &p->states.at[proc->state + stack[--depth]];
    if (q->number == t->from) return 1;
    for (uint32_t i = q->trans; i < q->trans + q->transitions; i++) {
      if (p->trans.at[i].flags & IR_END || reached[p->trans.at[i].to]) continue;
      reached[p->trans.at[i].to] = 1;
      stack[depth++] = p->trans.at[i].to;
    }
  }
  return 0;
}

int symmetry_sorts_count(const struct symmetry_sorts *s, uint8_t *count) {
  const struct program *p = s->p;
  uint8_t *reached = mem_alloc(s->mem, MEM_SEARCH, p->states.count + 1);
  uint32_t *stack = mem_alloc(s->mem, MEM_SEARCH, (p->states.count + 1) * sizeof *stack);
  int good = reached && stack;
  memset(count, 0, p->procs.count);
  for (int changed = good; changed;) {
    changed = 0;
    for (uint32_t type = 0; type < p->procs.count; type++) {
      unsigned n = 0;
      for (size_t i = 0; i < p->start.count; i++) n += p->start.at[i] == type;
      for (size_t i = 0; i < p->trans.count && n < MACHINE_SLOTS; i++)
        for (uint32_t a = p->trans.at[i].action; a < p->trans.at[i].action + p->trans.at[i].actions; a++)
          if (p->actions.at[a].kind == IR_RUN && p->actions.at[a].proc == type && count[p->trans.at[i].proc]) n += in_a_loop(p, &p->trans.at[i], reached, stack) ? MACHINE_SLOTS : count[p->trans.at[i].proc];
      if (n > MACHINE_SLOTS) n = MACHINE_SLOTS;
      changed |= n > count[type];
      if (n > count[type]) count[type] = (uint8_t)n;
    }
  }
  mem_free(s->mem, reached);
  mem_free(s->mem, stack);
  return good ? 0 : -1;
}

/* Numbers of processes are no names from some slot on. */
static void find_slots_outside(struct sort_walk *w) {
  const struct program *p = w->p;
  uint8_t *count = mem_alloc(w->mem, MEM_SEARCH, p->procs.count + 1);
  uint32_t most = 0;
  if (!count || symmetry_sorts_count(w->s, count)) w->failed = 1;
  for (uint32_t type = 0; type < p->procs.count && !w->failed; type++) most += count[type];
  for (uint32_t type = 0; type < p->procs.count && !w->failed; type++) w->vars.at[w->first_pid + type].outside = most > w->s->sort[w->s->pid[type]].names;
  mem_free(w->mem, count);
}

static int is_slot(const struct sort_walk *w, uint32_t var) { return var >= w->first_pid && var - w->first_pid < w->p->procs.count; }

/* How wide variables are. One without cells of its own is a field of messages of other channels. */
static void find_widths(struct sort_walk *w) {
  for (uint32_t v = 1; v < w->vars.count; v++) {
    struct sort_var *x = &w->vars.at[v];
    if (x->cell) x->width = w->p->types.at[x->cell - 1].bits;
    else if (is_slot(w, v)) x->width = 8;
    else
      for (x->width = 1; x->width < 32 && (x->least < 0 || x->most >> x->width);) x->width++;
  }
  for (size_t i = 0; i < w->notes.count; i++)
    if (w->notes.at[i].h.kind == HAZARD_FUNCTION && w->notes.at[i].target && !w->vars.at[w->notes.at[i].target].cell) w->vars.at[w->notes.at[i].target].width = 32;
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = 0; i < w->flows.count; i++) {
      struct sort_var *from = &w->vars.at[w->flows.at[i].from], *to = &w->vars.at[w->flows.at[i].to];
      if (to->cell || is_slot(w, w->flows.at[i].to) || from->width <= to->width) continue;
      to->width = from->width;
      changed = 1;
    }
  }
}

/* What is no name may become one where it is cut to fewer bits. */
static void find_cuts(struct sort_walk *w, const uint32_t *sort_of) {
  find_widths(w);
  for (size_t i = 0; i < w->flows.count && !w->failed; i++) {
    const struct sort_flow *x = &w->flows.at[i];
    uint32_t sort = sort_of[sort_root(w, x->to)];
    if (!sort || !w->vars.at[x->from].outside || w->vars.at[x->from].width <= w->vars.at[x->to].width) continue;
    struct sort_note all = {.h = {.kind = HAZARD_ALL, .of = x->to, .place = x->place, .text = x->text}, .owner = OWNER_ASKER};
    if (is_slot(w, x->from)) w->s->sort[sort - 1].strict = 1;
    else if (vec_push(&w->notes, w->mem, MEM_SEARCH, all)) w->failed = 1;
  }
}

/* Which variables may get something that is no name: constants, values of functions, and what comes from such variables. */
static void find_outside(struct sort_walk *w, const uint32_t *sort_of) {
  find_slots_outside(w);
  for (uint32_t v = 1; v < w->vars.count; v++) {
    uint32_t sort = sort_of[sort_root(w, v)];
    if (sort && (w->vars.at[v].least < 0 || (uint32_t)w->vars.at[v].most >= w->s->sort[sort - 1].names)) w->vars.at[v].outside = 1;
  }
  for (size_t i = 0; i < w->notes.count; i++) {
    const struct sort_note *n = &w->notes.at[i];
    if (n->h.kind != HAZARD_FUNCTION || !n->target || !sort_of[sort_root(w, n->h.of)]) continue;
    uint32_t names = w->s->sort[sort_of[sort_root(w, n->h.of)] - 1].names;
    for (uint32_t a = 0; a < names; a++) {
      int32_t value;
      if (!try_name(w->s, n->h.expr, n->h.source, (int32_t)a, &value) || (uint32_t)sort_cut(w, n->target, value) >= names) w->vars.at[n->target].outside = 1;
    }
  }
  for (int changed = 1; changed;) {
    changed = 0;
    for (size_t i = 0; i < w->flows.count; i++) {
      if (!w->vars.at[w->flows.at[i].from].outside || w->vars.at[w->flows.at[i].to].outside) continue;
      w->vars.at[w->flows.at[i].to].outside = 1;
      changed = 1;
    }
    for (size_t i = 0; i < w->notes.count; i++) {
      const struct sort_note *n = &w->notes.at[i];
      if (n->h.kind != HAZARD_FUNCTION || !n->target || !w->vars.at[n->h.of].outside || w->vars.at[n->target].outside) continue;
      w->vars.at[n->target].outside = 1;
      changed = 1;
    }
  }
}

/* What channels are compared with, or set to: of constants only 0, which is none, can be followed, and what is calculated from the number of a channel cannot. */
static void check_channels(struct sort_walk *w) {
  for (size_t i = 0; i < w->notes.count; i++) {
    const struct symmetry_hazard *h = &w->notes.at[i].h;
    int counts = (h->kind == HAZARD_CONST && h->value) || h->kind == HAZARD_VALUE || h->kind == HAZARD_FUNCTION;
    if (counts && w->vars.at[sort_root(w, h->of)].flags & VAR_CHANNEL) w->unknown = "numbers of channels that are used as other numbers";
  }
}

/* The bit of what was noted, or -1: it is no hazard; -2: memory. */
static int64_t hazard_bit(struct sort_walk *w, const uint32_t *sort_of, const struct sort_note *note) {
  struct symmetry_sorts *s = w->s;
  struct symmetry_hazard h = note->h;
  if (h.kind == HAZARD_SEES_ENDS || h.kind == HAZARD_ENDS) {
    int64_t bit = h.kind == HAZARD_ENDS ? 1 + (int64_t)h.of : 0;
    if (!s->hazard.at[bit].text) s->hazard.at[bit] = h;
    return bit;
  }
  if (h.kind != HAZARD_SLOTS) {
    uint32_t root = sort_root(w, h.of);
    if (!sort_of[root]) return -1;
    h.of = sort_of[root] - 1;
    uint32_t names = s->sort[h.of].names;
    if (h.kind == HAZARD_CONST && (h.value < 0 || (uint32_t)h.value >= names || note->target >= names)) return -1; /* all of a choice: nobody is preferred */
    if (h.kind == HAZARD_OUTSIDE && (!w->vars.at[note->h.of].outside || is_slot(w, note->h.of))) return -1; /* of the number of a process it is known in each state */
    if (h.kind == HAZARD_FUNCTION && w->vars.at[note->h.of].outside) { /* it may make names of what is none */
      if (note->own) s->sort[h.of].strict = 1;
      else h = (struct symmetry_hazard){.kind = HAZARD_ALL, .of = h.of, .place = h.place, .text = h.text};
    }
  }
  int64_t found = find_hazard(s, &h);
  if (found >= 0) return found;
  if (s->hazard.count >= HAZARDS_MOST && h.kind != HAZARD_SLOTS) {
    h = (struct symmetry_hazard){.kind = HAZARD_ALL, .of = h.of, .place = h.place, .text = h.text};
    found = find_hazard(s, &h);
    if (found >= 0) return found;
  }
  return vec_push(&s->hazard, s->mem, MEM_SEARCH, h) ? -2 : (int64_t)s->hazard.count - 1;
}

static int is_written(const struct program *p, uint32_t decl) {
  for (size_t i = 0; i < p->actions.count; i++)
    if (p->actions.at[i].ref && p->refs.at[p->actions.at[i].ref].where != IR_HEAP && p->refs.at[p->actions.at[i].ref].decl == decl) return 1;
  for (size_t i = 0; i < p->args.count; i++)
    if (p->args.at[i].kind == IR_ARG_BIND && p->refs.at[p->args.at[i].what].where != IR_HEAP && p->refs.at[p->args.at[i].what].decl == decl) return 1;
  return 0;
}

/* An index that may be out of range is a parameter that nobody writes: the hazard is that of making such a process, whose type this is, and it is remembered where to look; otherwise -1. */
static int64_t index_parameter(struct sort_walk *w, const struct sort_note *n, uint32_t sort) {
  struct symmetry_sorts *s = w->s;
  const struct program *p = s->p;
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (sort_leaf_var(w, s->leaves.first[i]) != n->h.of || s->leaves.first[i + 1] != s->leaves.first[i] + 1) continue;
    if (!d->scope || !(d->flags & IR_PARAM) || d->count || is_written(p, i)) return -1;
    for (size_t k = 0; k < s->index.count; k++)
      if (s->index.at[k].type == d->scope - 1 && s->index.at[k].cell == d->base) return d->scope - 1;
    if (vec_push(&s->index, s->mem, MEM_SEARCH, (struct symmetry_index){d->scope - 1, d->base, sort})) w->failed = 1;
    return d->scope - 1;
  }
  return -1;
}

static void add_bit(uint64_t *set, int64_t bit) { set[bit / 64] |= (uint64_t)1 << bit % 64; }

static int add_set(uint64_t *to, const uint64_t *from, uint32_t words) {
  uint64_t more = 0;
  for (uint32_t i = 0; i < words; i++) {
    more |= from[i] & ~to[i];
    to[i] |= from[i];
  }
  return more != 0;
}

/* What may follow: along the control flow, and into processes that are made. */
static void look_ahead(struct symmetry_sorts *s, const uint64_t *creation) {
  const struct program *p = s->p;
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t q = (uint32_t)p->states.count; q-- > 0;) {
      const struct ir_state *x = &p->states.at[q];
      const struct ir_proc *proc = &p->procs.at[x->proc];
      for (uint32_t i = x->trans; i < x->trans + x->transitions; i++) {
        const struct ir_trans *t = &p->trans.at[i];
        if (!(t->flags & IR_END)) changed |= add_set(s->ahead + (size_t)q * s->words, s->ahead + (size_t)(proc->state + t->to) * s->words, s->words);
        for (uint32_t a = t->action; a < t->action + t->actions; a++) {
          if (p->actions.at[a].kind != IR_RUN) continue;
          uint32_t made = p->actions.at[a].proc, start = p->procs.at[made].state + p->procs.at[made].start;
          changed |= add_set(s->ahead + (size_t)q * s->words, s->ahead + (size_t)start * s->words, s->words);
          changed |= add_set(s->ahead + (size_t)q * s->words, creation + (size_t)made * s->words, s->words);
        }
      }
    }
  }
}

static int find_hazards(struct sort_walk *w, const uint32_t *sort_of) {
  struct symmetry_sorts *s = w->s;
  const struct program *p = s->p;
  find_outside(w, sort_of);
  find_cuts(w, sort_of);
  check_channels(w);
  int64_t *bit = mem_alloc(s->mem, MEM_SEARCH, (w->notes.count + 1) * sizeof *bit);
  if (!bit) return -1;
  for (uint32_t i = 0; i <= p->procs.count; i++)
    if (vec_push(&s->hazard, s->mem, MEM_SEARCH, (struct symmetry_hazard){.kind = i ? HAZARD_ENDS : HAZARD_SEES_ENDS, .of = i ? i - 1 : 0})) w->failed = 1;
  for (size_t i = 0; i < w->notes.count && !w->failed; i++)
    if ((bit[i] = hazard_bit(w, sort_of, &w->notes.at[i])) == -2) w->failed = 1;
  s->words = (uint32_t)(s->hazard.count + 63) / 64;
  s->ahead = mem_alloc(s->mem, MEM_SEARCH, (p->states.count + 1) * s->words * sizeof *s->ahead);
  s->always = mem_alloc(s->mem, MEM_SEARCH, s->words * sizeof *s->always);
  uint64_t *creation = mem_alloc(s->mem, MEM_SEARCH, (p->procs.count + 1) * s->words * sizeof *creation);
  int failed = w->failed || !s->ahead || !s->always || !creation;
  for (size_t i = 0; i < w->notes.count && !failed; i++) {
    const struct sort_note *n = &w->notes.at[i];
    if (bit[i] < 0) continue;
    int64_t made = n->h.kind == HAZARD_OUTSIDE ? index_parameter(w, n, s->hazard.at[bit[i]].of) : -1;
    failed = w->failed;
    if (made >= 0) {
      add_bit(creation + (size_t)made * s->words, bit[i]);
      continue;
    }
    const struct ir_trans *t = &p->trans.at[n->owner == OWNER_TRANSITION ? n->index : 0];
    switch ((enum owner)n->owner) {
    case OWNER_TRANSITION: add_bit(s->ahead + (size_t)(p->procs.at[t->proc].state + t->from) * s->words, bit[i]); break;
    case OWNER_CREATION: add_bit(creation + (size_t)n->index * s->words, bit[i]); break;
    case OWNER_TYPE:
      for (uint32_t q = 0; q < p->procs.at[n->index].states; q++) add_bit(s->ahead + (size_t)(p->procs.at[n->index].state + q) * s->words, bit[i]);
      break;
    case OWNER_ASKER: add_bit(s->always, bit[i]); break;
    case OWNER_NOBODY: break;
    }
  }
  if (!failed) look_ahead(s, creation);
  mem_free(s->mem, creation);
  mem_free(s->mem, bit);
  return failed ? -1 : 0;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------------- */

/* States in which nothing is left but to die, and which nobody has marked. */
static void find_ended(struct symmetry_sorts *s) {
  const struct program *p = s->p;
  for (size_t q = 0; q < p->states.count; q++) {
    const struct ir_state *x = &p->states.at[q];
    if (x->transitions != 1 || (x->flags & (IR_VALID_END | IR_PROGRESS | IR_ACCEPT | IR_COMMITTED)) != IR_VALID_END) continue;
    const struct ir_trans *t = &p->trans.at[x->trans];
    s->ended[q] = t->flags == IR_END && !t->guard && !t->comm && !t->actions && t->flow == IR_STOP;
  }
}

static const char *strange(const struct program *p) {
  return p->uses_c ? "embedded C" : p->has_trace ? "a trace assertion" : p->uses_last ? "_last" : NULL;
}

/* Is there, or may there be, a process of the type? */
static int may_live(const struct program *p, uint32_t type) {
  for (size_t i = 0; i < p->start.count; i++)
    if (p->start.at[i] == type) return 1;
  for (size_t i = 0; i < p->actions.count; i++)
    if (p->actions.at[i].kind == IR_RUN && p->actions.at[i].proc == type) return 1;
  return 0;
}

/* What is ahead of every state that a process of some type can reach in its control flow. */
static int find_unavoidable(struct symmetry_sorts *s) {
  const struct program *p = s->p;
  s->forever = mem_alloc(s->mem, MEM_SEARCH, s->words * sizeof *s->forever);
  uint8_t *reached = mem_alloc(s->mem, MEM_SEARCH, p->states.count + 1);
  uint32_t *stack = mem_alloc(s->mem, MEM_SEARCH, (p->states.count + 1) * sizeof *stack);
  uint64_t *common = mem_alloc(s->mem, MEM_SEARCH, s->words * sizeof *common);
  int good = s->forever && reached && stack && common;
  if (good) memcpy(s->forever, s->always, s->words * sizeof *s->forever);
  for (uint32_t type = 0; type < p->procs.count && good; type++) {
    const struct ir_proc *proc = &p->procs.at[type];
    uint32_t depth = 0;
    if (proc->is_claim || !proc->states || !may_live(p, type)) continue;
    memset(common, 0xff, s->words * sizeof *common);
    stack[depth++] = proc->state + proc->start;
    reached[proc->state + proc->start] = 1;
    while (depth) {
      uint32_t q = stack[--depth];
      for (uint32_t i = 0; i < s->words; i++) common[i] &= s->ahead[(size_t)q * s->words + i];
      for (uint32_t i = p->states.at[q].trans; i < p->states.at[q].trans + p->states.at[q].transitions; i++) {
        uint32_t to = proc->state + p->trans.at[i].to;
        if (p->trans.at[i].flags & IR_END || reached[to]) continue;
        reached[to] = 1;
        stack[depth++] = to;
      }
    }
    for (uint32_t i = 0; i < s->words; i++) s->forever[i] |= common[i];
  }
  mem_free(s->mem, reached);
  mem_free(s->mem, stack);
  mem_free(s->mem, common);
  return good ? 0 : -1;
}

int symmetry_sorts_open(struct symmetry_sorts *s, const struct process_model *m, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  const struct program *p = m->program;
  struct sort_walk w = {0};
  *s = (struct symmetry_sorts){.mem = mem, .model = m, .shape = &m->shape, .p = p};
  const char *unknown = strange(p);
  int status = unknown ? 1 : leaves_open(&s->leaves, p, mem);
  if (status > 0 && !unknown) unknown = "arrays that are nested very deep";
  if (!status) {
    uint32_t *sort_of = NULL;
    s->ended = mem_alloc(mem, MEM_SEARCH, p->states.count + 1);
    status = s->ended ? sort_walk_open(&w, s) : -1;
    if (!status) {
      find_ended(s);
      sort_walk_program(&w, aims);
      sort_of = mem_alloc(mem, MEM_SEARCH, (w.vars.count + 1) * sizeof *sort_of);
      status = w.failed || !sort_of ? -1 : 0;
    }
    if (!status && !w.unknown) status = find_sorts(&w, sort_of);
    if (!status && !w.unknown) status = find_hazards(&w, sort_of);
    if (!status && !w.unknown) status = find_unavoidable(s);
    if (!status && w.unknown) status = 1, unknown = w.unknown;
    mem_free(mem, sort_of);
    sort_walk_close(&w);
  }
  if (status > 0) snprintf(why, room, "%s: %s may tell everything from everything", p->file ? p->file : "the model", unknown);
  if (status) symmetry_sorts_close(s);
  return status;
}

void symmetry_sorts_close(struct symmetry_sorts *s) {
  if (!s->mem) return;
  leaves_close(&s->leaves, s->mem);
  mem_free(s->mem, s->sort);
  mem_free(s->mem, s->leaf);
  mem_free(s->mem, s->dim);
  mem_free(s->mem, s->pid);
  mem_free(s->mem, s->message);
  mem_free(s->mem, s->message_first);
  vec_free(&s->hazard, s->mem);
  vec_free(&s->index, s->mem);
  mem_free(s->mem, s->ahead);
  mem_free(s->mem, s->always);
  mem_free(s->mem, s->forever);
  mem_free(s->mem, s->ended);
  *s = (struct symmetry_sorts){0};
}

/* ---- for people ---------------------------------------------------------------------------------------------------------------- */

void symmetry_hazard_text(const struct symmetry_sorts *s, const struct symmetry_hazard *h, char *out, size_t room) {
  const struct program *p = s->p;
  static const char *const says[] = {[HAZARD_SEES_ENDS] = "may see that processes are gone",
                                     [HAZARD_ENDS] = "is an end",
                                     [HAZARD_CONST] = "names one of them",
                                     [HAZARD_VALUE] = "depends on their numbers",
                                     [HAZARD_FUNCTION] = "makes numbers of their numbers",
                                     [HAZARD_TABLE] = "looks their numbers up in a table",
                                     [HAZARD_OUTSIDE] = "may use them as an index that is out of range",
                                     [HAZARD_ALL] = "calculates with their numbers"};
  char says_slots[160];
  const char *what = says[h->kind < HAZARD_ALL + 1 ? h->kind : HAZARD_ALL];
  if (h->kind == HAZARD_SLOTS) {
    snprintf(says_slots, sizeof says_slots, "makes processes of %s, or asks for the first one", p->procs.at[h->of].name);
    what = says_slots;
  }
  if (h->place.file && h->place.line) snprintf(out, room, "%s:%ld: `%s` %s", h->place.file, h->place.line, h->text ? h->text : "a first value", what);
  else snprintf(out, room, "`%s` %s", h->text ? h->text : "a first value", what);
}
