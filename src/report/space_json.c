/* space_json.c -- the report on a state space as JSON: a part of the verdict, and of the summary of a graph. */
#include "report/space.h"

void space_json_names(struct json_out *j, const char *key, const struct space_report *r, const struct space_choice *choice) {
  json_out_array_flat(j, key);
  for (uint32_t i = 1; i < r->labels; i++)
    if (choice->is(r, i, choice->which)) json_out_text(j, NULL, r->name[i]);
  json_out_end(j);
}

void space_json_bounds(struct json_out *j, const struct space_report *r) {
  if (!r->bounds) {
    json_out_null(j, "bounds");
    return;
  }
  json_out_array(j, "bounds");
  for (uint32_t i = 0; i < r->bounds; i++) {
    const struct space_bound *b = &r->bound[i];
    json_out_object_flat(j, NULL);
    json_out_text(j, "place", b->name);
    json_out_count(j, "upper", b->upper);
    json_out_count(j, "lower", b->lower);
    if (b->most || b->least) {
      json_out_text(j, "upper_multiset", b->most);
      json_out_text(j, "lower_multiset", b->least);
    }
    json_out_end(j);
  }
  json_out_end(j);
}

void space_json_fairness(struct json_out *j, const struct space_report *r) {
  static const struct {
    const char *key;
    enum fairness is;
  } lists[] = {{"impartial", FAIRNESS_IMPARTIAL}, {"fair", FAIRNESS_FAIR}, {"just", FAIRNESS_JUST}, {"none", FAIRNESS_NONE}, {"unknown", FAIRNESS_UNKNOWN}};
  if (!r->has_graph) {
    json_out_null(j, "fairness");
    return;
  }
  json_out_object(j, "fairness");
  json_out_bool(j, "infinite_runs", r->graph.cyclic != 0);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) space_json_names(j, lists[k].key, r, &(struct space_choice){space_owes, lists[k].is});
  json_out_end(j);
}

/* How many there are, and the first of them by their numbers. */
static void some(struct json_out *j, const char *key, uint64_t count, const uint64_t *first, int known) {
  json_out_object_flat(j, key);
  json_out_count(j, "count", count);
  json_out_array_flat(j, "first");
  for (uint64_t i = 0; known && i < count && i < SUMMARY_FIRST; i++) json_out_count(j, NULL, first[i]);
  json_out_end(j);
}

static void components(struct json_out *j, const struct space_report *r) {
  if (!r->has_graph) {
    json_out_null(j, "scc_graph");
    return;
  }
  json_out_object_flat(j, "scc_graph");
  json_out_count(j, "nodes", r->graph.components);
  json_out_count(j, "arcs", r->graph.between);
  json_out_count(j, "trivial", r->graph.components - r->graph.cyclic);
  json_out_count(j, "nontrivial", r->graph.cyclic);
  json_out_end(j);
}

void space_write_json(const struct space_report *r, struct json_out *j) {
  if (!r) {
    json_out_null(j, "space_report");
    return;
  }
  json_out_object(j, "space_report");
  json_out_object_flat(j, "state_space");
  json_out_count(j, "nodes", r->states);
  json_out_count(j, "arcs", r->edges);
  json_out_text(j, "status", r->complete ? "full" : "partial");
  json_out_end(j);
  components(j, r);
  json_out_text(j, "missing", r->has_graph ? NULL : r->no_graph);
  space_json_bounds(j, r);
  if (r->has_graph) {
    some(j, "home_markings", r->graph.home, r->graph.home_state, 1);
    json_out_bool(j, "initial", r->graph.reversible);
    json_out_end(j);
  } else json_out_null(j, "home_markings");
  some(j, "dead_markings", r->ends, r->graph.end, r->has_graph);
  if (r->end) json_out_count(j, "nearest_steps", r->end_depth);
  json_out_end(j);
  if (r->complete) space_json_names(j, "dead_transitions", r, &(struct space_choice){space_is_dead, 0});
  else json_out_null(j, "dead_transitions");
  if (r->has_graph) space_json_names(j, "live_transitions", r, &(struct space_choice){space_is_live, 1});
  else json_out_null(j, "live_transitions");
  space_json_names(j, "parts", r, &(struct space_choice){space_is_part, 0});
  space_json_fairness(j, r);
  json_out_end(j);
}
