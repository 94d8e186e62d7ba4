/* lts.c -- an explicit graph as a model, and as a language of the front room.
 *
 * The plainest model there is: no packing, no widening, every answer is a look into a table.
 * That makes it the oracle for searches and stores. */
#include "front/lts/lts.h"
#include "front/lts/graph.h"

#include "base/bits.h"
#include "front/override.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct lts *graph(const struct model *m) { return (const struct lts *)m; }

static void close_graph(struct model *m) {
  struct lts *g = (struct lts *)m;
  struct mem *mem = m->mem;
  names_close(&g->labels);
  region_close(&g->offset);
  region_close(&g->source);
  region_close(&g->target);
  region_close(&g->label);
  vec_free(&g->line, mem);
  arena_close(&g->arena);
  mem_free(mem, g);
}

static int cursor_open(struct model_cursor **out, const struct model *m, struct mem *mem) {
  struct model_cursor *c = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  *out = c;
  if (!c) return -1;
  c->model = m;
  c->mem = mem;
  return 0;
}

static void cursor_close(struct model_cursor *c) {
  if (c) mem_free(c->mem, c);
}

/* ---- states ------------------------------------------------------------------------ */

static void initial(const struct model *m, uint32_t *state) { state[0] = graph(m)->initial; }

static enum model_answer successors(struct model_cursor *c, const uint32_t *state, struct model_batch *batch) {
  const struct lts *g = graph(c->model);
  uint32_t from = lts_row(g, state[0]), end = lts_row_end(g, state[0]);
  if (model_batch_grow(batch, batch->count + (end - from))) return MODEL_MEMORY;
  const uint32_t *target = lts_column(&g->target), *label = lts_column(&g->label);
  for (uint32_t e = from; e < end; e++, batch->count++) {
    batch->states[batch->count * batch->stride] = target[e];
    batch->group[batch->count] = label[e];
  }
  return MODEL_OK;
}

static int step(struct model_cursor *c, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group) {
  const struct lts *g = graph(c->model);
  uint32_t from = lts_row(g, state[0]), end = lts_row_end(g, state[0]);
  if (k >= end - from) return 0;
  out[0] = lts_column(&g->target)[from + k];
  if (group) *group = lts_column(&g->label)[from + k];
  return 1;
}

static int fireable(struct model_cursor *c, const uint32_t *state, uint32_t group) {
  const struct lts *g = graph(c->model);
  const uint32_t *label = lts_column(&g->label);
  for (uint32_t e = lts_row(g, state[0]), end = lts_row_end(g, state[0]); e < end; e++)
    if (label[e] == group) return 1;
  return 0;
}

static int stuck(struct model_cursor *c, const uint32_t *state) {
  const struct lts *g = graph(c->model);
  return lts_row(g, state[0]) == lts_row_end(g, state[0]);
}

static int64_t value(const struct model *m, const uint32_t *state, uint32_t var) {
  (void)m, (void)var;
  return state[0];
}

/* ---- names ------------------------------------------------------------------------- */

static int64_t find_var(const struct model *m, const char *name, size_t length) {
  (void)m;
  return length == 5 && memcmp(name, "state", 5) == 0 ? 0 : -1;
}

static int64_t find_group(const struct model *m, const char *name, size_t length) {
  uint32_t label = names_find(&graph(m)->labels, name, length);
  return label == NAMES_NONE ? -1 : (int64_t)label;
}

static const char *var_name(const struct model *m, uint32_t var) {
  (void)m, (void)var;
  return "state";
}

static const char *group_name(const struct model *m, uint32_t group) {
  return graph(m)->labels.list.at[group].text;
}

static struct place_in_text group_place(const struct model *m, uint32_t group) {
  return (struct place_in_text){m->file, graph(m)->line.at[group], 1};
}

/* ---- the definition ---------------------------------------------------------------- */

static void define_initial(const struct model *m, int64_t *values) { values[0] = graph(m)->initial; }

/* Values from a file may be any number. */
static int define_fits(const struct model *m, const int64_t *values, struct mem *mem) {
  (void)mem;
  return values[0] >= 0 && values[0] < graph(m)->states;
}

static int define_edge(const struct model *m, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out,
                       struct mem *mem) {
  const struct lts *g = graph(m);
  (void)mem;
  if (!define_fits(m, values, mem)) return 0;
  uint32_t from = lts_row(g, (uint32_t)values[0]), end = lts_row_end(g, (uint32_t)values[0]);
  if (k >= end - from) return 0;
  *group = lts_column(&g->label)[from + k];
  *out = lts_column(&g->target)[from + k];
  return 1;
}

static int define_all(const struct model *m, const int64_t *values, struct mem *mem,
                      void (*hear)(void *, const struct model_defined *), void *context) {
  int64_t next;
  struct model_defined step = {.values = &next, .vars = 1};
  for (uint32_t k = 0; define_edge(m, values, k, &step.group, &next, mem); k++) hear(context, &step);
  return 0;
}

static struct model_words the_word(const struct model *m, uint32_t group) {
  static const uint64_t first = 1;
  (void)m, (void)group;
  return (struct model_words){&first, 1};
}

/* Portable: four bytes, the lowest first. */
static size_t pack(const struct model *m, const uint32_t *state, uint8_t *out, size_t room) {
  (void)m;
  for (size_t i = 0; i < 4 && room >= 4; i++) out[i] = (uint8_t)(state[0] >> 8 * i);
  return 4;
}

static int unpack(const struct model *m, const uint8_t *data, size_t length, uint32_t *state) {
  if (length != 4) return -1;
  uint32_t s = (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
  if (s >= graph(m)->states) return -1;
  state[0] = s;
  return 0;
}

static uint64_t layout_sign(const struct model *m) { return graph(m)->states; }

const struct model_type lts_type = {
    .kind = "labelled transition system",
    .close = close_graph,
    .cursor_open = cursor_open,
    .cursor_close = cursor_close,
    .initial = initial,
    .successors = successors,
    .step = step,
    .value = value,
    .fireable = fireable,
    .stuck = stuck,
    .find_var = find_var,
    .find_group = find_group,
    .var_name = var_name,
    .group_name = group_name,
    .group_place = group_place,
    .define_initial = define_initial,
    .define_edge = define_edge,
    .define_all = define_all,
    .define_fits = define_fits,
    .reads = the_word,
    .writes = the_word,
    .pack = pack,
    .unpack = unpack,
    .layout_sign = layout_sign,
};

/* ---- the language ------------------------------------------------------------------ */

static struct lts *open_graph(struct mem *mem) {
  struct lts *g = mem_alloc(mem, MEM_MODEL, sizeof *g);
  if (!g) return NULL;
  g->model = (struct model){.type = &lts_type, .mem = mem, .language = "aut", .words = 1, .vars = 1};
  arena_open(&g->arena, mem, MEM_MODEL);
  struct region *columns[] = {&g->offset, &g->source, &g->target, &g->label};
  for (int i = 0; i < 4; i++) region_open(columns[i], mem, MEM_MODEL);
  names_open(&g->labels, mem, MEM_MODEL);
  return g;
}

/* What the model says of itself. */
static int finish(struct lts *g, const char *file) {
  g->model.file = arena_strndup(&g->arena, file, strlen(file));
  if (!g->model.file) return -1;
  g->model.bits = g->states > 1 ? bits_for(g->states - 1) : 1;
  g->model.groups = (uint32_t)g->labels.list.count;
  return 0;
}

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  *out = NULL;
  if (front_no_defines(setup, "aut", e) || front_no_markings(setup, "aut", e)) return -1;
  struct lts *g = open_graph(setup->mem);
  int status = g ? lts_read(g, setup, e) : err_memory(e, "the graph");
  if (!status && (lts_sort(g) || finish(g, setup->file))) status = err_memory(e, "the graph");
  if (!status) *out = &g->model;
  else if (g) close_graph(&g->model);
  return status;
}

static int save(const struct model *m, FILE *out, struct err *e) {
  if (m->type != &lts_type) {
    err_usage(e, "a %s cannot be written as .aut: it is no explicit graph", m->type->kind);
    err_hint(e, "`thimble graph --format aut` writes the graph of all reachable states");
    return -1;
  }
  const struct lts *g = graph(m);
  fprintf(out, "des (%u, %u, %u)\n", g->initial, g->edges, g->states);
  for (uint32_t s = 0; s < g->rows; s++)
    for (uint32_t edge = lts_row(g, s), end = lts_row_end(g, s); edge < end; edge++)
      fprintf(out, "(%u, \"%s\", %u)\n", s, group_name(m, lts_column(&g->label)[edge]), lts_column(&g->target)[edge]);
  if (fflush(out) || ferror(out)) return err_io(e, "", "cannot write: %s", strerror(errno));
  return 0;
}

static const char *const suffixes[] = {".aut", NULL};

const struct front_type front_aut = {
    .name = "aut",
    .summary = "explicit graphs in the Aldebaran format of CADP",
    .suffixes = suffixes,
    .load = load,
    .save = save,
};
