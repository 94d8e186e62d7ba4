/* loops.c -- see loops.h.
 *
 * Transitions of a type make a graph without loops as far as they can: first those that touch nothing shared, then others, then communications.  What would close a loop is left over, and every loop has one of those.  Types with
 * very many transitions are not looked at so closely: there whatever leads to a state that is no later than its own closes a loop. */
#include "process/loops.h"

enum { ORDERED_MOST = 3000 };

struct loop_finder {
  const struct program *p;
  uint32_t type;
  uint8_t *closes;         /* per transition */
  uint8_t *taken;          /* per transition: is in the graph without loops */
  uint32_t *stack;
  uint32_t *mark, marks;   /* per state of the type */
};

/* Is `to` reached from `from` in the graph so far? */
static int reaches(struct loop_finder *l, uint32_t from, uint32_t to) {
  const struct ir_proc *proc = &l->p->procs.at[l->type];
  size_t waiting = 0;
  l->marks++;
  l->stack[waiting++] = from;
  l->mark[from] = l->marks;
  while (waiting) {
    uint32_t at = l->stack[--waiting];
    if (at == to) return 1;
    const struct ir_state *s = &l->p->states.at[proc->state + at];
    for (uint32_t i = s->trans; i < s->trans + s->transitions; i++) {
      uint32_t next = l->p->trans.at[i].to;
      if (!l->taken[i] || l->mark[next] == l->marks) continue;
      l->mark[next] = l->marks;
      l->stack[waiting++] = next;
    }
  }
  return 0;
}

/* A communication that leaves a channel with one message more or less. */
static int moves_message(const struct program *p, const struct ir_trans *t) { return t->comm && !(p->comms.at[t->comm - 1].flags & IR_PEEK) && !p->lossy_channels; }

/* Transitions of a type that are in all loops together: first those that touch nothing shared make a graph without loops, then others, then communications. */
static void cut_loops(struct loop_finder *l, const uint8_t *heavy) {
  const struct ir_proc *proc = &l->p->procs.at[l->type];
  uint32_t first = proc->states ? l->p->states.at[proc->state].trans : 0, end = first;
  for (uint32_t s = 0; s < proc->states; s++) end += l->p->states.at[proc->state + s].transitions;
  for (int turn = 0; turn < 3; turn++)
    for (uint32_t i = first; i < end; i++) {
      const struct ir_trans *t = &l->p->trans.at[i];
      if ((moves_message(l->p, t) ? 2 : heavy[i]) != turn || t->flags & IR_END) continue;
      if (end - first > ORDERED_MOST) l->closes[i] = t->to <= t->from ? CLOSES : CLOSES_NOTHING; /* every loop has one of these, too */
      else if (reaches(l, t->to, t->from)) l->closes[i] = turn == 2 ? CLOSES_BY_COMM : CLOSES;
      else l->taken[i] = 1;
    }
}

int loops_cut(const struct program *p, const uint8_t *heavy, uint8_t *closes, struct mem *mem) {
  struct loop_finder l = {.p = p, .closes = closes};
  l.taken = mem_alloc(mem, MEM_SEARCH, p->trans.count + 1);
  l.stack = mem_alloc(mem, MEM_SEARCH, (p->states.count + 1) * sizeof *l.stack);
  l.mark = mem_alloc(mem, MEM_SEARCH, (p->states.count + 1) * sizeof *l.mark);
  int good = l.taken && l.stack && l.mark;
  for (l.type = 0; l.type < p->procs.count && good; l.type++) cut_loops(&l, heavy);
  mem_free(mem, l.taken);
  mem_free(mem, l.stack);
  mem_free(mem, l.mark);
  return good ? 0 : -1;
}
