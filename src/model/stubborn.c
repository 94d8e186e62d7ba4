/* stubborn.c -- see stubborn.h.
 *
 * Marks are numbers that count states, so that nothing is cleared between two of them.  Which false guard a disabled action goes by is free: where a set grows from what is wanted the one
 * that brings the fewest new actions (as far as that has been looked at), enabled ones counting more; where components are looked for it must not depend on the way, and is the false one with the shortest row.
 *
 * Nets in which everything hangs together would have all of their relations looked at in every state, to no end.  So the work for a state is bounded, in entries of rows; when it is used up without a choice all enabled
 * actions are taken.  The bounds keep most of what there is to spare in the nets of the contest. */
#include "model/stubborn.h"

#include <string.h>

enum { ENABLED_COST = 16, WORK = 4000, WORK_EACH = 100 /* for each enabled action */ };

struct frame {
  uint32_t action, next, end; /* entries of its row */
  const uint32_t *row;
};

struct stubborn {
  const struct dependence *d;
  const uint8_t *avoid;
  struct mem *mem;
  uint32_t now;                /* the state at hand */
  uint32_t *is_enabled, *in;   /* per action: == now */
  uint32_t *enabled;           /* those of this state */
  size_t count;
  stubborn_guard *guard;
  void *context;
  uint32_t *work; /* actions of the set whose rows have not been brought yet */
  size_t waiting, chosen;
  size_t left;    /* entries of rows that may still be looked at in this state */
  /* Tarjan */
  uint32_t *seen, *index, *low, *stack, *fate; /* seen: == now */
  struct frame *frame;
};

int stubborn_open(struct stubborn **out, const struct dependence *d, const uint8_t *avoid, struct mem *mem) {
  struct stubborn *s = *out = mem_alloc(mem, MEM_SEARCH, sizeof *s);
  if (!s) return -1;
  s->d = d;
  s->avoid = avoid;
  s->mem = mem;
  uint32_t **array[] = {&s->is_enabled, &s->in, &s->enabled, &s->work, &s->seen, &s->index, &s->low, &s->stack, &s->fate};
  int good = 1;
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) good &= (*array[i] = mem_alloc(mem, MEM_SEARCH, ((size_t)d->actions + 1) * sizeof **array[i])) != NULL;
  s->frame = mem_alloc(mem, MEM_SEARCH, ((size_t)d->actions + 1) * sizeof *s->frame);
  if (good && s->frame) return 0;
  stubborn_close(s);
  *out = NULL;
  return -1;
}

void stubborn_close(struct stubborn *s) {
  if (!s) return;
  uint32_t *array[] = {s->is_enabled, s->in, s->enabled, s->work, s->seen, s->index, s->low, s->stack, s->fate};
  for (size_t i = 0; i < sizeof array / sizeof *array; i++) mem_free(s->mem, array[i]);
  mem_free(s->mem, s->frame);
  mem_free(s->mem, s);
}

void stubborn_begin(struct stubborn *s, const uint32_t *enabled, size_t count, stubborn_guard *guard, void *context) {
  if (++s->now == 0) { /* after 2^32 states */
    for (uint32_t a = 0; a < s->d->actions; a++) s->is_enabled[a] = s->in[a] = s->seen[a] = 0;
    s->now = 1;
  }
  s->count = s->waiting = s->chosen = 0;
  s->left = WORK + WORK_EACH * count;
  s->guard = guard;
  s->context = context;
  for (size_t i = 0; i < count; i++) {
    if (s->is_enabled[enabled[i]] == s->now) continue;
    s->is_enabled[enabled[i]] = s->now;
    s->enabled[s->count++] = enabled[i];
  }
}

int stubborn_enabled(const struct stubborn *s, uint32_t action) { return s->is_enabled[action] == s->now; }
int stubborn_has(const struct stubborn *s, uint32_t action) { return s->in[action] == s->now; }

void stubborn_want(struct stubborn *s, uint32_t action) {
  if (s->in[action] == s->now) return;
  s->in[action] = s->now;
  s->chosen += s->is_enabled[action] == s->now;
  s->work[s->waiting++] = action;
}

static void spend(struct stubborn *s, size_t entries) { s->left -= entries < s->left ? entries : s->left; }

static void want_row(struct stubborn *s, const struct dependence_rows *rows, uint32_t row) {
  spend(s, rows->start[row + 1] - rows->start[row]);
  for (uint32_t i = rows->start[row]; i < rows->start[row + 1]; i++) stubborn_want(s, rows->at[i]);
}

void stubborn_want_enabled(struct stubborn *s, uint32_t action) {
  const struct dependence *d = s->d;
  uint32_t best = UINT32_MAX, least = UINT32_MAX;
  for (uint32_t i = d->guards_of.start[action]; i < d->guards_of.start[action + 1] && least; i++) {
    uint32_t g = d->guards_of.at[i], cost = 0;
    if (s->guard(s->context, g)) continue;
    for (uint32_t k = d->enabling.start[g]; k < d->enabling.start[g + 1] && cost < least; k++) {
      uint32_t a = d->enabling.at[k];
      if (s->in[a] != s->now) cost += s->is_enabled[a] == s->now ? ENABLED_COST : 1;
    }
    if (cost < least) least = cost, best = g;
  }
  if (best != UINT32_MAX) want_row(s, &d->enabling, best);
}

static void take_all(struct stubborn *s) {
  for (size_t i = 0; i < s->count; i++) s->in[s->enabled[i]] = s->now;
  s->chosen = s->count;
}

static void close_set(struct stubborn *s) {
  while (s->waiting && s->left && s->chosen < s->count) {
    uint32_t action = s->work[--s->waiting];
    if (s->is_enabled[action] == s->now) want_row(s, &s->d->conflict, action);
    else stubborn_want_enabled(s, action);
  }
}

/* ---- components ---------------------------------------------------------------------------------------------------------------------------- */

/* What an action brings, whatever else is in the set. */
static struct frame frame_of(struct stubborn *s, uint32_t action) {
  const struct dependence *d = s->d;
  const struct dependence_rows *rows = &d->conflict;
  uint32_t row = action;
  if (s->is_enabled[action] != s->now) {
    uint32_t least = UINT32_MAX;
    rows = &d->enabling;
    for (uint32_t i = d->guards_of.start[action]; i < d->guards_of.start[action + 1]; i++) {
      uint32_t g = d->guards_of.at[i], length = d->enabling.start[g + 1] - d->enabling.start[g];
      if (length < least && !s->guard(s->context, g)) least = length, row = g;
    }
    if (least == UINT32_MAX) return (struct frame){action, 0, 0, NULL}; /* enabled, but nobody has said so: it brings nothing */
  }
  spend(s, 1 + rows->start[row + 1] - rows->start[row]);
  return (struct frame){action, rows->start[row], rows->start[row + 1], rows->at};
}

/* What is known of an action that was met: it waits on the stack, or its component is complete and has no enabled action in it or below, or has one. */
enum { WAITS, BARREN, FERTILE };

struct tarjan {
  uint32_t next;
  size_t depth, stacked;
  size_t best; /* enabled actions of the best component so far */
};

static void enter(struct stubborn *s, struct tarjan *t, uint32_t action) {
  s->seen[action] = s->now;
  s->index[action] = s->low[action] = t->next++;
  s->fate[action] = WAITS;
  s->stack[t->stacked++] = action;
  s->frame[t->depth++] = frame_of(s, action);
}

/* The action is the root of a component, which is complete and below which nothing is fertile. 1: it is fertile itself. */
static int leave_component(struct stubborn *s, struct tarjan *t, uint32_t root) {
  size_t first = t->stacked, own = 0;
  int avoided = 0;
  do {
    int enabled = s->is_enabled[s->stack[--first]] == s->now;
    own += (size_t)enabled;
    avoided |= enabled && s->avoid && s->avoid[s->stack[first]];
  } while (s->stack[first] != root);
  for (size_t i = first; i < t->stacked; i++) s->fate[s->stack[i]] = own ? FERTILE : BARREN;
  if (own && own < t->best && !avoided) {
    t->best = own;
    s->chosen = 0;
    for (size_t i = first; i < t->stacked; i++)
      if (s->is_enabled[s->stack[i]] == s->now) s->work[s->chosen++] = s->stack[i];
  }
  t->stacked = first;
  return own > 0;
}

/* From one enabled action to the first fertile component.  All that wait then lead to it and are in no component worth taking: what else they lead to and is enabled begins a walk of its own. */
static void walk(struct stubborn *s, struct tarjan *t, uint32_t from) {
  int found = 0;
  enter(s, t, from);
  while (t->depth && !found && s->left) {
    struct frame *f = &s->frame[t->depth - 1];
    if (f->next < f->end) {
      uint32_t to = f->row[f->next++];
      if (s->seen[to] != s->now) enter(s, t, to);
      else if (s->fate[to] == FERTILE) found = 1;
      else if (s->fate[to] == WAITS && s->index[to] < s->low[f->action]) s->low[f->action] = s->index[to];
      continue;
    }
    uint32_t action = f->action;
    t->depth--;
    if (s->low[action] == s->index[action]) found = leave_component(s, t, action);
    else if (s->low[action] < s->low[s->frame[t->depth - 1].action]) s->low[s->frame[t->depth - 1].action] = s->low[action];
  }
  while (t->stacked) s->fate[s->stack[--t->stacked]] = FERTILE;
  t->depth = 0;
}

/* The least component with enabled actions: they are put into the set. */
static void choose_component(struct stubborn *s) {
  struct tarjan t = {.best = s->count};
  s->chosen = 0;
  for (size_t i = 0; i < s->count && t.best > 1 && s->left; i++)
    if (s->seen[s->enabled[i]] != s->now) walk(s, &t, s->enabled[i]);
  if (t.best == s->count) { /* nothing better than all of them */
    take_all(s);
    return;
  }
  for (size_t i = 0; i < s->chosen; i++) s->in[s->work[i]] = s->now;
}

size_t stubborn_choose(struct stubborn *s) {
  close_set(s);
  if (s->waiting) take_all(s);
  else if (!s->chosen && s->count) choose_component(s);
  return s->chosen;
}
