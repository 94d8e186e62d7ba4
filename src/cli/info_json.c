/* info_json.c -- `thimble info --json`: schema thimble.info/1 (doc/formats/info.md). */
#include "cli/info.h"

#include "base/json.h"

static void net(const struct info *i, struct json_out *j) {
  const struct pt_net *n = i->net;
  const struct pt_packing *p = &i->packing;
  static const char *const safe[] = {"unknown", "declared", "proven"};
  json_out_object(j, "net");
  json_out_text(j, "name", n->name);
  json_out_count(j, "places", n->places);
  json_out_count(j, "transitions", n->transitions);
  json_out_count(j, "arcs", n->arcs);
  json_out_count(j, "tokens", i->tokens);
  json_out_count(j, "units", n->units);
  json_out_text(j, "safe", safe[p->safe]);
  json_out_count(j, "dead_transitions", p->dead_transitions);
  json_out_end(j);
  json_out_object(j, "packing");
  json_out_count(j, "kept_places", p->stored);
  json_out_count(j, "implied_places", p->implied);
  json_out_count(j, "constant_places", p->constant);
  json_out_count(j, "codes", p->unit_fields);
  json_out_bool(j, "proven", p->proven);
  json_out_end(j);
}

static void symmetric(const struct info *i, struct json_out *j) {
  int unfolded = i->net && i->net->place_families.count;
  if (!unfolded && !(i->drawing && i->drawing->symmetric)) return;
  json_out_object_flat(j, "symmetric");
  json_out_count(j, "places", unfolded ? i->net->place_families.count : i->model->vars);
  json_out_count(j, "transitions", unfolded ? i->net->transition_families.count : i->model->groups);
  json_out_bool(j, "unfolded", unfolded);
  json_out_text(j, "note", unfolded ? NULL : i->drawing->note);
  json_out_end(j);
}

static void names(struct json_out *j, const char *key, const struct info *i, const uint32_t *index, size_t count, int places) {
  const struct model *m = i->model;
  json_out_array_flat(j, key);
  for (size_t k = 0; k < count; k++)
    json_out_text(j, NULL, places ? m->type->var_name(m, index[k]) : m->type->group_name(m, index[k]));
  json_out_end(j);
}

static void pumping(const struct info *i, const struct coverability *c, struct json_out *j) {
  if (!c->pump_count) return;
  json_out_object(j, NULL);
  names(j, "places", i, c->pumped, c->pumped_count, 1);
  names(j, "prefix", i, c->prefix, c->prefix_count, 0);
  names(j, "pump", i, c->pump, c->pump_count, 0);
  json_out_end(j);
}

static void bounds(const struct info *i, struct json_out *j) {
  const struct coverability *c = &i->cover;
  json_out_object(j, "bounds");
  json_out_bool(j, "complete", c->complete);
  json_out_text(j, "limit", c->complete ? NULL : c->limit);
  if (c->complete || c->unbounded) json_out_bool(j, "bounded", !c->unbounded);
  else json_out_null(j, "bounded");
  json_out_array(j, "places");
  for (uint32_t p = 0; p < i->net->places; p++) {
    int none = c->bound[p] == PT_NONE;
    if (!c->complete && !none) continue;
    json_out_object_flat(j, NULL);
    json_out_text(j, "place", i->model->type->var_name(i->model, p));
    if (none) json_out_null(j, "bound");
    else json_out_count(j, "bound", c->bound[p]);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_array(j, "pumping");
  pumping(i, c, j);
  for (size_t n = 0; n < i->pumps; n++) pumping(i, &i->pump[n], j);
  json_out_end(j);
  json_out_end(j);
}

static void flows(const struct info *i, const struct info_flows *kind, const char *key, struct json_out *j) {
  const struct model *m = i->model;
  json_out_object(j, key);
  json_out_bool(j, "complete", kind->flows.complete);
  json_out_text(j, "limit", kind->flows.complete ? NULL : kind->flows.limit);
  json_out_array(j, "flows");
  for (size_t n = 0; n < kind->flows.count; n++) {
    const struct flow *f = &kind->flows.at[n];
    json_out_object_flat(j, NULL);
    json_out_array(j, "terms");
    for (uint32_t k = 0; k < f->count; k++) {
      json_out_object(j, NULL);
      json_out_text(j, "name",
                    kind->side == FLOW_PLACES ? m->type->var_name(m, f->index[k]) : m->type->group_name(m, f->index[k]));
      json_out_integer(j, "weight", f->weight[k]);
      json_out_end(j);
    }
    json_out_end(j);
    if (kind->side == FLOW_PLACES) json_out_integer(j, "value", f->value);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_end(j);
}

int info_json(const struct info *i, FILE *out) {
  const struct model *m = i->model;
  static const char *const keys[4] = {"place_flows", "place_semiflows", "transition_flows", "transition_semiflows"};
  struct json_out j;
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.info/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  json_out_object_flat(&j, "model");
  json_out_text(&j, "file", m->file);
  json_out_text(&j, "language", m->language);
  json_out_bool(&j, "language_guessed", m->language_guessed);
  json_out_text(&j, "kind", m->type->kind);
  json_out_count(&j, "words", i->words);
  json_out_count(&j, "state_bits", i->bits);
  json_out_count(&j, "variables", m->vars);
  json_out_count(&j, "groups", m->groups);
  json_out_end(&j);
  if (i->net) net(i, &j);
  symmetric(i, &j);
  if (i->program) info_process_json(i, &j);
  if (i->spaceless) json_out_text(&j, "no_state_space", i->spaceless->message);
  json_out_array(&j, "stores");
  for (size_t k = 0; k < i->stores; k++) {
    json_out_object_flat(&j, NULL);
    json_out_text(&j, "name", i->store[k].store);
    json_out_real(&j, "bytes_per_state", i->store[k].bytes, 2);
    json_out_count(&j, "on_states", i->store[k].states);
    json_out_end(&j);
  }
  json_out_end(&j);
  info_properties_json(i, &j);
  if (i->bounds) bounds(i, &j);
  if (i->invariants) {
    json_out_object(&j, "invariants");
    for (int k = 0; k < 4; k++) flows(i, &i->flow[k], keys[k], &j);
    json_out_end(&j);
  }
  if (i->progress) info_progress_json(i, &j);
  json_out_end(&j);
  return json_out_close(&j);
}
