/* strategy_json.c -- see strategy.h.
 *
 * A line for each state.  Names stand in a list of their own, so that a line is five numbers. */
#include "report/strategy.h"

#include "base/json.h"
#include "search/labelled.h"

#include <errno.h>
#include <string.h>

const char *strategy_proof_name(enum strategy_proof proof) {
  static const char *const names[] = {"graph", "steps", "definition"};
  return names[proof];
}

const char *strategy_side_name(int owner) { return owner == OWNER_CONTROLLABLE ? "controllable" : "environment"; }

/* A list of names without the one that labels begin with. */
static struct labels no_names(struct mem *mem) {
  struct labels l = {.mem = mem};
  arena_open(&l.arena, mem, MEM_OTHER);
  return l;
}

/* The names of the environment's transitions, each once. */
static int environment(const struct owners *o, struct mem *mem, struct json_out *j) {
  struct labels labels = no_names(mem);
  int bad = 0;
  size_t known = 0;
  json_out_array(j, "uncontrollable");
  for (uint32_t g = 0; g < o->count && !bad; g++) {
    if (o->of[g] != OWNER_UNCONTROLLABLE) continue;
    const char *name = o->model->type->group_name(o->model, g);
    bad = labels_find(&labels, name) < 0;
    if (!bad && labels.text.count > known) json_out_text(j, NULL, name);
    known = labels.text.count;
  }
  json_out_end(j);
  labels_close(&labels);
  return bad;
}

/* Numbers the names of moves in the order of the list. */
static int moves(const struct strategy *s, const struct model *m, struct labels *labels, struct json_out *j) {
  size_t known = 0;
  json_out_array(j, "moves");
  for (size_t i = 0; i < s->count; i++) {
    if (s->row[i].move < 0) continue;
    const char *name = m->type->group_name(m, s->row[i].group);
    if (labels_find(labels, name) < 0) return -1;
    if (labels->text.count > known) json_out_text(j, NULL, name);
    known = labels->text.count;
  }
  json_out_end(j);
  return 0;
}

static int rows(const struct strategy *s, const struct model *m, struct labels *labels, struct json_out *j) {
  json_out_array(j, "rows");
  for (size_t i = 0; i < s->count; i++) {
    const struct strategy_row *r = &s->row[i];
    int64_t name = r->move < 0 ? -1 : labels_find(labels, m->type->group_name(m, r->group));
    if (r->move >= 0 && name < 0) return -1;
    json_out_array_flat(j, NULL);
    json_out_count(j, NULL, r->from);
    json_out_count(j, NULL, r->edge);
    json_out_integer(j, NULL, r->move);
    json_out_integer(j, NULL, name);
    json_out_count(j, NULL, r->rank);
    json_out_end(j);
  }
  json_out_end(j);
  return 0;
}

int strategy_write_json(const struct verdict_property *p, const struct owners *o, struct mem *mem, FILE *out, struct err *e) {
  const struct strategy *s = p->strategy;
  const struct model *m = o->model;
  struct labels labels = no_names(mem);
  struct json_out j;
  int bad;
  json_out_open(&j, out, 1);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.strategy/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  json_out_object_flat(&j, "model");
  json_out_text(&j, "file", m->file);
  json_out_text(&j, "language", m->language);
  json_out_end(&j);
  json_out_object_flat(&j, "property");
  json_out_text(&j, "id", p->id);
  json_out_text(&j, "text", p->text);
  json_out_end(&j);
  json_out_text(&j, "objective", s->keep ? "keep" : "reach");
  json_out_text(&j, "winner", strategy_side_name(s->winner));
  json_out_text(&j, "confirmed", strategy_proof_name(s->proof));
  json_out_count(&j, "states", s->count);
  bad = environment(o, mem, &j) || moves(s, m, &labels, &j) || rows(s, m, &labels, &j);
  if (bad) err_memory(e, "writing a strategy");
  else {
    json_out_end(&j);
    if (json_out_close(&j)) bad = err_io(e, "", "cannot write: %s", strerror(errno));
  }
  labels_close(&labels);
  return bad ? -1 : 0;
}
