/* growth_confirm.c -- the second opinion on a loop that makes a channel grow (growth.h).
 *
 * The way and three rounds are replayed by the definition of the language.  In the second and the third round the control of each state must be the same, cell by cell, and the words that a round reads
 * from each channel and writes to it must be the same, and such that it can go on so for ever. */
#include "run/growth.h"

#include "search/replay.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 2 };

struct message {
  size_t queue, first; /* cells: value[first ..) */
  uint32_t fields;
  int sent;
};

struct round {
  struct vec(struct message) message;
  struct vec(int64_t) value;
  struct vec(int32_t) control; /* of all its states, end to end */
};

struct confirm {
  struct growth *g;
  struct mem *mem;
  struct process_fifo begin; /* at the beginning of the second round */
  struct process_fifo state;
  struct round round[ROUNDS];
  struct round *now;
  int failed, strange; /* memory; processes come and go, or a message is not understood */
};

static void hear_part(void *context, const struct model_part *part) {
  struct confirm *c = context;
  c->strange |= part->started_count || part->ended || part->lost;
  if (!part->channel || part->partner.name || (part->deed != MODEL_SENDS && part->deed != MODEL_RECEIVES)) return;
  struct message m = {.queue = SIZE_MAX, .first = c->now->value.count, .fields = part->fields, .sent = part->deed == MODEL_SENDS};
  for (size_t q = 0; q < c->begin.queue.count && m.queue == SIZE_MAX; q++) {
    char name[160];
    process_queue_name(&c->begin, q, name, sizeof name);
    if (strcmp(name, part->channel) == 0) m.queue = q;
  }
  if (m.queue == SIZE_MAX || m.fields != c->begin.queue.at[m.queue].fields) {
    c->strange = 1;
    return;
  }
  for (uint32_t i = 0; i < part->fields; i++) c->failed |= vec_push(&c->now->value, c->mem, MEM_OTHER, part->message[i].value) != 0;
  c->failed |= vec_push(&c->now->message, c->mem, MEM_OTHER, m) != 0;
}

/* One round, whose first step is step `at` of the run. 0, or -1 with err. */
static int take_round(struct confirm *c, struct replay *r, size_t at, struct err *e) {
  for (size_t i = at; i < at + c->g->round; i++) {
    const struct model *m = r->engine.model;
    if (m->type->parts(r->engine.cursor, r->engine.state, c->g->edge.at[i], hear_part, c) < 0) return err_memory(e, "the parts of a step");
    r->engine.expanded = 0;
    if (replay_step(r, c->g->edge.at[i], c->g->group.at[i], e)) return -1;
    if (process_fifo_values(&c->state, r->values, r->vars)) return err_memory(e, "a loop");
    for (size_t k = 0; k < c->state.control.count; k++) c->failed |= vec_push(&c->now->control, c->mem, MEM_OTHER, c->state.control.at[k]) != 0;
    if (c->failed) return err_memory(e, "a loop");
  }
  return 0;
}

static int same_rounds(const struct confirm *c) {
  const struct round *a = &c->round[0], *b = &c->round[1];
  if (a->control.count != b->control.count || a->message.count != b->message.count || a->value.count != b->value.count) return 0;
  if (a->control.count && memcmp(a->control.at, b->control.at, a->control.count * sizeof *a->control.at) != 0) return 0;
  if (a->value.count && memcmp(a->value.at, b->value.at, a->value.count * sizeof *a->value.at) != 0) return 0;
  for (size_t i = 0; i < a->message.count; i++)
    if (a->message.at[i].queue != b->message.at[i].queue || a->message.at[i].sent != b->message.at[i].sent) return 0;
  /* and the last state is the one that the round began with */
  size_t n = c->begin.control.count;
  return a->control.count >= n && memcmp(a->control.at + a->control.count - n, c->begin.control.at, n * sizeof *a->control.at) == 0;
}

/* ---- words ------------------------------------------------------------------------------------------------------------------- */

static size_t count_of(const struct round *r, size_t queue, int sent) {
  size_t n = 0;
  for (size_t i = 0; i < r->message.count; i++) n += r->message.at[i].queue == queue && r->message.at[i].sent == sent;
  return n;
}

/* The index-th message that a round sends to a channel or receives from it. */
static const int64_t *message_at(const struct round *r, size_t queue, int sent, size_t index) {
  for (size_t i = 0; i < r->message.count; i++)
    if (r->message.at[i].queue == queue && r->message.at[i].sent == sent && index-- == 0) return r->value.at + r->message.at[i].first;
  return NULL;
}

/* Letter i of: contents, out, out, out, ... */
static int64_t given(const struct confirm *c, size_t queue, size_t out, size_t i, uint32_t field) {
  const struct process_queue *q = &c->begin.queue.at[queue];
  return i < q->length ? c->begin.content.at[q->first + i * q->fields + field] : message_at(&c->round[0], queue, 1, (i - q->length) % out)[field];
}

/* Can a round read what it reads for ever? By Fine and Wilf two such words are the same if they agree for as long as both periods together, behind the contents. */
static int goes_on(const struct confirm *c, size_t queue) {
  const struct process_queue *q = &c->begin.queue.at[queue];
  size_t in = count_of(&c->round[0], queue, 0), out = count_of(&c->round[0], queue, 1);
  if (in > out) return 0;
  for (size_t i = 0; in && i < q->length + in + out; i++)
    for (uint32_t f = 0; f < q->fields; f++)
      if (given(c, queue, out, i, f) != message_at(&c->round[0], queue, 0, i % in)[f]) return 0;
  return 1;
}

/* "q grows by 2 messages in each round" */
static int tell(const struct confirm *c, char *text, size_t room) {
  size_t used = 0;
  for (size_t q = 0; q < c->begin.queue.count; q++) {
    size_t more = count_of(&c->round[0], q, 1) - count_of(&c->round[0], q, 0);
    char name[80];
    if (!more || used + 1 >= room) continue;
    process_queue_name(&c->begin, q, name, sizeof name);
    int n = used ? snprintf(text + used, room - used, ", %s by %zu", name, more)
                 : snprintf(text, room, "%s grows without bound: each round adds %zu message%s", name, more, more == 1 ? "" : "s");
    used += n > 0 ? (size_t)n : 0;
  }
  return used != 0;
}

int growth_confirm(struct growth *g, char *text, size_t room, struct err *e) {
  struct confirm c = {.g = g, .mem = g->mem};
  struct replay r;
  size_t first = g->from + g->round; /* of the second round */
  process_fifo_open(&c.begin, g->model, g->mem);
  process_fifo_open(&c.state, g->model, g->mem);
  if (replay_open(&r, g->model, g->mem, g->edge.count, e)) return -1;
  int bad = 0, proven = 0;
  for (size_t i = 0; i < first && !bad; i++) bad = replay_step(&r, g->edge.at[i], g->group.at[i], e);
  if (!bad && process_fifo_values(&c.begin, r.values, r.vars)) bad = err_memory(e, "a loop");
  for (size_t i = 0; i < ROUNDS && !bad; i++) {
    c.now = &c.round[i];
    bad = take_round(&c, &r, first + i * g->round, e);
  }
  if (!bad) bad = replay_compare(&r, e);
  if (!bad && !c.strange && same_rounds(&c)) {
    proven = 1;
    for (size_t q = 0; q < c.begin.queue.count; q++) proven &= goes_on(&c, q);
    if (proven) proven = tell(&c, text, room);
  }
  for (size_t i = 0; i < ROUNDS; i++) {
    vec_free(&c.round[i].message, g->mem);
    vec_free(&c.round[i].value, g->mem);
    vec_free(&c.round[i].control, g->mem);
  }
  process_fifo_close(&c.begin);
  process_fifo_close(&c.state);
  replay_close(&r);
  return bad ? -1 : proven;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------------------- */

static int keep_lasso(struct lasso *out, const struct growth *g, struct mem *mem) {
  size_t n = g->from + g->round;
  out->path.edge = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *out->path.edge);
  out->path.group = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *out->path.group);
  if (!out->path.edge || !out->path.group) return -1;
  memcpy(out->path.edge, g->edge.at, n * sizeof *out->path.edge);
  memcpy(out->path.group, g->group.at, n * sizeof *out->path.group);
  out->path.count = n;
  out->loop = g->from;
  return 0;
}

int growth_check(struct liveness *out, const struct run_setup *run, const struct search_limits *limits, char *text, size_t room, struct err *e) {
  struct growth g = {0};
  *out = (struct liveness){0};
  text[0] = 0;
  int bad = growth_open(&g, run->model, run->mem, e);
  if (!bad) bad = liveness_explore(out, run->model, &g.listener, &search_dfs, run, limits, e);
  if (!bad && g.failed) out->stop = STOP_MEMORY;
  if (!bad && g.found) {
    int proven = growth_confirm(&g, text, room, e);
    bad = proven < 0 && e->kind != ERR_MEMORY && e->kind != ERR_LIMIT;
    if (!bad) err_clear(e);
    out->broken = proven == 1;
    if (proven == 1) out->has_lasso = keep_lasso(&out->lasso, &g, run->mem) == 0;
    else out->stop = STOP_CHANNELS;
  }
  if (!bad && out->stop == STOP_DONE && g.full) out->stop = STOP_CHANNELS;
  if (!bad && out->stop == STOP_DONE) growth_bounds(&g, text, room);
  growth_close(&g);
  return bad ? -1 : 0;
}
