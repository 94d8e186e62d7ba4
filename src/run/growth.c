/* growth.c -- see growth.h: the listener of the search, and the two rounds that it takes by the definition. */
#include "run/growth.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

static enum listener_answer give_up(struct growth *g) {
  g->failed = 1;
  return LISTEN_GOAL;
}

/* ---- what a state is -------------------------------------------------------------------------------------------------------- */

static uint64_t control_of(const struct process_fifo *f) {
  uint64_t h = hash_bytes(f->control.at, f->control.count * sizeof *f->control.at);
  return h == STORE_NONE ? 0 : h; /* which is no key */
}

/* The longest contents so far. */
static void note_lengths(struct growth *g) {
  for (size_t i = 0; i < g->now.queue.count; i++) {
    const struct process_queue *q = &g->now.queue.at[i];
    if (q->number >= GROWTH_CHANNELS) continue;
    if (g->channel[q->number].name[0] && q->length <= g->channel[q->number].most) continue;
    process_queue_name(&g->now, i, g->channel[q->number].name, sizeof g->channel[q->number].name);
    g->channel[q->number].most = q->length;
    g->channel[q->number].declared = q->declared;
  }
}

static int is_full(const struct process_fifo *f) {
  for (size_t i = 0; i < f->queue.count; i++)
    if (f->queue.at[i].length >= PROGRAM_CAPACITY) return 1;
  return 0;
}

/* The channels of a state, as `grows` wants them, behind those that are kept already. */
static int keep(struct growth *g, const struct process_fifo *f) {
  for (size_t i = 0; i < f->queue.count; i++) {
    const struct process_queue *q = &f->queue.at[i];
    if (vec_push(&g->kept, g->mem, MEM_SEARCH, (int32_t)q->length)) return -1;
    for (uint32_t k = 0; k < q->length * q->fields; k++)
      if (vec_push(&g->kept, g->mem, MEM_SEARCH, f->content.at[q->first + k])) return -1;
  }
  return 0;
}

static int push(struct growth *g, const struct search_event *event) {
  uint64_t control = control_of(&g->now);
  struct growth_frame frame = {event->edge, event->group, control, refmap_get(&g->last, control), g->kept.count};
  return keep(g, &g->now) || vec_push(&g->stack, g->mem, MEM_SEARCH, frame) || refmap_put(&g->last, control, g->stack.count - 1);
}

static int pop(struct growth *g) {
  const struct growth_frame *top = &g->stack.at[--g->stack.count];
  g->kept.count = top->kept;
  if (top->same == REFMAP_NONE) refmap_remove(&g->last, top->control);
  else return refmap_put(&g->last, top->control, top->same);
  return 0;
}

/* Do the channels of `f` begin as the kept ones do, and does one of them hold more? Both have the same control. */
static int grows(const struct process_fifo *f, const int32_t *kept) {
  int more = 0;
  for (size_t i = 0; i < f->queue.count; i++) {
    const struct process_queue *q = &f->queue.at[i];
    uint32_t length = (uint32_t)*kept++;
    if (length > q->length || memcmp(kept, f->content.at + q->first, (size_t)length * q->fields * sizeof *kept) != 0) return 0;
    kept += length * q->fields;
    more |= q->length > length;
  }
  return more;
}

/* ---- two more rounds -------------------------------------------------------------------------------------------------------- */

/* The step that leads from g->values to the control of a frame, by the same transition. Its edge, or -1: there is none, -2: memory. */
static int64_t same_step(struct growth *g, const struct growth_frame *to) {
  for (uint32_t k = 0;; k++) {
    uint32_t group;
    int there = g->model->type->define_edge(g->model, g->values, k, &group, g->next, g->mem);
    if (there <= 0) return there == MODEL_GIVES_UP || !there ? -1 : -2;
    if (group != to->group) continue;
    if (process_fifo_values(&g->then, g->next, g->vars)) return -2;
    if (control_of(&g->then) != to->control) continue;
    int64_t *swap = g->values;
    g->values = g->next;
    g->next = swap;
    return k;
  }
}

static int room_for_values(struct growth *g) {
  if (g->values && g->vars >= g->model->vars) return 0;
  int64_t *values = mem_resize(g->mem, MEM_SEARCH, g->values, (size_t)g->model->vars * sizeof *values);
  if (values) g->values = values;
  int64_t *next = values ? mem_resize(g->mem, MEM_SEARCH, g->next, (size_t)g->model->vars * sizeof *next) : NULL;
  if (next) g->next = next;
  return next ? 0 : -1;
}

/* Is the way from frame `from` to the top possible twice more, in the way that growth.h wants it? 1, 0, or -1: memory. */
static int again(struct growth *g, size_t from, const uint32_t *words) {
  size_t top = g->stack.count - 1, before = g->stack.at[top].kept, kept = g->kept.count;
  int answer = 1;
  g->edge.count = g->group.count = 0;
  if (room_for_values(g)) return -1;
  g->vars = g->model->vars;
  for (uint32_t v = 0; v < g->vars; v++) g->values[v] = g->model->type->value(g->model, words, v);
  for (size_t i = 1; i <= top; i++)
    if (vec_push(&g->edge, g->mem, MEM_SEARCH, g->stack.at[i].edge) || vec_push(&g->group, g->mem, MEM_SEARCH, g->stack.at[i].group)) return -1;
  for (int round = 0; round < 2 && answer == 1; round++) {
    for (size_t i = from + 1; i <= top && answer == 1; i++) {
      int64_t k = same_step(g, &g->stack.at[i]);
      answer = k >= 0 ? 1 : k == -1 ? 0 : -1;
      if (answer == 1 && (vec_push(&g->edge, g->mem, MEM_SEARCH, (uint32_t)k) || vec_push(&g->group, g->mem, MEM_SEARCH, g->stack.at[i].group))) answer = -1;
    }
    if (answer != 1) break;
    answer = grows(&g->then, g->kept.at + before);
    before = g->kept.count;
    if (answer == 1 && keep(g, &g->then)) answer = -1;
  }
  g->kept.count = kept;
  return answer;
}

/* ---- the listener ------------------------------------------------------------------------------------------------------------ */

static enum listener_answer enter(struct growth *g, const struct search_event *event) {
  if (process_fifo_state(&g->now, g->cursor, event->words)) return give_up(g);
  note_lengths(g);
  if (is_full(&g->now)) { /* what a send would do here is not known */
    g->full = 1;
    return LISTEN_SKIP;
  }
  if (push(g, event)) return give_up(g);
  for (uint64_t f = g->stack.at[g->stack.count - 1].same; f != REFMAP_NONE; f = g->stack.at[f].same) {
    if (!grows(&g->now, g->kept.at + g->stack.at[f].kept)) continue;
    int answer = again(g, f, event->words);
    if (answer < 0) return give_up(g);
    if (!answer) continue;
    g->found = 1;
    g->from = f;
    g->round = g->stack.count - 1 - f;
    return LISTEN_GOAL;
  }
  return LISTEN_ON;
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct growth *g = (struct growth *)l;
  (void)s;
  switch (event->kind) {
  case EVENT_NEW: return enter(g, event);
  case EVENT_BACKTRACK: return pop(g) ? give_up(g) : LISTEN_ON;
  case EVENT_AGAIN:
    g->stack.count = g->kept.count = 0;
    refmap_close(&g->last);
    return LISTEN_ON;
  default: return LISTEN_ON;
  }
}

int growth_open(struct growth *g, struct model *m, struct mem *mem, struct err *e) {
  *g = (struct growth){.mem = mem, .model = m, .listener = {EVENT_NEW | EVENT_BACKTRACK | EVENT_AGAIN, hear}};
  refmap_open(&g->last, mem);
  process_fifo_open(&g->now, m, mem);
  process_fifo_open(&g->then, m, mem);
  return m->type->cursor_open(&g->cursor, m, mem) ? err_memory(e, "watching channels") : 0;
}

void growth_close(struct growth *g) {
  if (!g->mem) return;
  if (g->cursor) g->model->type->cursor_close(g->cursor);
  process_fifo_close(&g->now);
  process_fifo_close(&g->then);
  refmap_close(&g->last);
  vec_free(&g->stack, g->mem);
  vec_free(&g->kept, g->mem);
  vec_free(&g->edge, g->mem);
  vec_free(&g->group, g->mem);
  mem_free(g->mem, g->values);
  mem_free(g->mem, g->next);
  *g = (struct growth){0};
}

void growth_bounds(const struct growth *g, char *text, size_t room) {
  size_t used = 0;
  text[0] = 0;
  for (unsigned i = 0; i < GROWTH_CHANNELS && used + 1 < room; i++) {
    if (!g->channel[i].name[0]) continue;
    int n = snprintf(text + used, room - used, "%s%s %u of %u", used ? ", " : "", g->channel[i].name, (unsigned)g->channel[i].most, (unsigned)g->channel[i].declared);
    used += n > 0 ? (size_t)n : 0;
  }
  if (used >= room) memcpy(text + room - 4, "...", 4);
  if (!used) snprintf(text, room, "there are no buffered channels");
}
