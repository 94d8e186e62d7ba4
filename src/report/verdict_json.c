/* verdict_json.c -- schema thimble.verdict/1; doc/formats/verdict.md tells the fields.
 *
 * All fields are always there, so that scripts need no tests for presence; what is not
 * known is null. */
#include "report/report.h"

#include "base/json.h"
#include "report/coverage.h"
#include "report/space.h"
#include "report/strategy.h"
#include "report/timeline.h"
#include "report/trace_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void model(const struct verdict *v, struct json_out *j) {
  json_out_object_flat(j, "model");
  json_out_text(j, "file", v->file);
  json_out_text(j, "language", v->language);
  json_out_bool(j, "language_guessed", v->language_guessed);
  json_out_count(j, "words", v->words);
  json_out_count(j, "state_bits", v->bits);
  json_out_array_flat(j, "options");
  for (size_t i = 0; i < v->options; i++) json_out_text(j, NULL, v->option[i]);
  json_out_end(j);
  json_out_array_flat(j, "inputs");
  for (size_t i = 0; i < v->inputs; i++) {
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, v->input[i].hash);
    json_out_object_flat(j, NULL);
    json_out_text(j, "file", v->input[i].name);
    json_out_text(j, "hash", hash);
    json_out_count(j, "bytes", v->input[i].bytes);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_end(j);
}

static void told_steps(const struct verdict_evidence *e, struct json_out *j) {
  if (e && !e->length_unknown) json_out_count(j, "steps", e->steps);
  else json_out_null(j, "steps");
}

static void evidence(const struct verdict_evidence *e, struct json_out *j) {
  json_out_object_flat(j, NULL);
  told_steps(e, j);
  json_out_text(j, "trace", e->file);
  json_out_end(j);
}

static void property(const struct verdict_property *p, struct json_out *j) {
  const struct verdict_evidence *first = p->evidence_count ? &p->evidence[0] : NULL;
  json_out_object(j, NULL);
  json_out_text(j, "id", p->id);
  json_out_text(j, "kind", p->kind);
  json_out_text(j, "text", p->text);
  json_out_text(j, "message", p->message[0] ? p->message : NULL);
  json_out_text(j, "status", prop_status_name(p->status));
  told_steps(first, j);
  json_out_bool(j, "shortest", p->shortest);
  if (p->place.line) {
    json_out_object_flat(j, "location");
    json_out_text(j, "file", p->place.file);
    json_out_integer(j, "line", p->place.line);
    json_out_integer(j, "column", p->place.column);
    json_out_end(j);
  } else {
    json_out_null(j, "location");
  }
  json_out_text(j, "trace", first ? first->file : NULL);
  if (first && first->trace && first->trace->loop >= 0) json_out_integer(j, "loop", first->trace->loop);
  else json_out_null(j, "loop");
  if (p->product.method) { /* the search that was made for a temporal property */
    json_out_object_flat(j, "product");
    json_out_text(j, "method", p->product.method);
    json_out_text(j, "search", p->product.search);
    json_out_count(j, "automaton_states", p->product.automaton_states);
    json_out_count(j, "states", p->product.states);
    json_out_count(j, "transitions", p->product.transitions);
    json_out_count(j, "depth", p->product.depth);
    json_out_array_flat(j, "reductions");
    for (size_t i = 0; i < VERDICT_REDUCTIONS; i++)
      if (p->product.reduced[i]) json_out_text(j, NULL, p->product.reduced[i]);
    json_out_end(j);
    json_out_end(j);
  } else {
    json_out_null(j, "product");
  }
  if (p->strategy) {
    json_out_object_flat(j, "strategy");
    json_out_text(j, "winner", strategy_side_name(p->strategy->winner));
    json_out_count(j, "states", p->strategy->count);
    json_out_text(j, "confirmed", strategy_proof_name(p->strategy->proof));
    json_out_text(j, "file", p->strategy->file);
    json_out_end(j);
  } else {
    json_out_null(j, "strategy");
  }
  json_out_count(j, "deciding_states", p->deciding);
  json_out_array(j, "runs");
  for (size_t i = 0; i < p->evidence_count; i++) evidence(&p->evidence[i], j);
  json_out_end(j);
  json_out_end(j);
}

static void figures(const struct verdict *v, struct json_out *j) {
  const struct stats *s = &v->stats;
  json_out_count(j, "states", s->states);
  json_out_count(j, "transitions", s->transitions);
  json_out_count(j, "depth", s->depth);
  json_out_count(j, "deadlocks", s->deadlocks);
  json_out_count(j, "frontier", s->frontier);
  if (v->has_peaks) {
    json_out_object_flat(j, "tokens");
    json_out_count(j, "max_in_place", v->max_in_place);
    json_out_count(j, "max_in_marking", v->max_in_marking);
    json_out_end(j);
  } else {
    json_out_null(j, "tokens");
  }
  json_out_object(j, "memory");
  json_out_count(j, "budget_bytes", v->budget);
  json_out_count(j, "peak_bytes", v->peak);
  json_out_count(j, "resident_peak_bytes", v->resident_peak);
  json_out_count(j, "children_peak_bytes", v->children_peak);
  json_out_count(j, "store_bytes", v->store_bytes);
  json_out_real(j, "bytes_per_state", s->states ? (double)v->store_bytes / (double)s->states : 0, 2);
  json_out_object_flat(j, "held");
  for (int tag = 0; tag < MEM_TAGS; tag++) json_out_count(j, mem_tag_name((enum mem_tag)tag), v->tag_used[tag]);
  json_out_end(j);
  json_out_end(j);
}

/* What each reduction that was allowed does, or why it is not used. */
static void reductions(const struct verdict *v, struct json_out *j) {
  size_t told = 0;
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++) told += v->reduction[i].asked && *v->reduction[i].text;
  if (v->whole_states) json_out_count(j, "states_before_reduction", v->whole_states);
  if (!told) return;
  json_out_object(j, "reduction_texts");
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++)
    if (v->reduction[i].asked && *v->reduction[i].text) json_out_text(j, v->reduction[i].name, v->reduction[i].text);
  json_out_end(j);
}

/* What searches that prove nothing have done. */
static void wanderings(const struct verdict *v, struct json_out *j) {
  if (v->walks) {
    json_out_object_flat(j, "walks");
    json_out_count(j, "walks", v->walks);
    json_out_count(j, "steps", v->stats.transitions);
    json_out_count(j, "longest", v->stats.depth);
    json_out_count(j, "seed", v->seed);
    json_out_end(j);
  } else {
    json_out_null(j, "walks");
  }
  if (v->swarm.members) {
    json_out_object_flat(j, "swarm");
    json_out_count(j, "members", v->swarm.members);
    json_out_count(j, "run", v->swarm.run);
    json_out_count(j, "complete", v->swarm.complete);
    json_out_count(j, "states", v->swarm.states);
    json_out_count(j, "most_states", v->swarm.most);
    json_out_count(j, "seed", v->seed);
    json_out_end(j);
  } else {
    json_out_null(j, "swarm");
  }
}

static void swept(const struct verdict *v, struct json_out *j) {
  if (!v->sweep.sweeps) {
    json_out_null(j, "sweep");
    return;
  }
  json_out_object_flat(j, "sweep");
  json_out_count(j, "sweeps", v->sweep.sweeps);
  json_out_count(j, "peak_states", v->sweep.peak_states);
  json_out_count(j, "peak_bytes", v->sweep.peak_bytes);
  json_out_count(j, "persistent", v->sweep.persistent);
  json_out_count(j, "regress_edges", v->sweep.regress_edges);
  json_out_count(j, "explored", v->stats.states);
  json_out_end(j);
}

/* Only where files were written. */
static void on_disk(const struct verdict *v, struct json_out *j) {
  const struct store_files *f = &v->disk;
  if (!f->used && !*f->problem) return;
  json_out_object_flat(j, "disk");
  json_out_count(j, "bytes", f->bytes);
  json_out_count(j, "peak_bytes", f->peak);
  json_out_count(j, "written_bytes", f->written);
  json_out_count(j, "read_bytes", f->read);
  json_out_count(j, "runs", f->runs);
  json_out_count(j, "merges", f->merges);
  json_out_count(j, "candidate_runs", f->candidate_runs);
  json_out_text(j, "problem", *f->problem ? f->problem : NULL);
  json_out_end(j);
}

/* What went from process to process. */
static void spread(const struct verdict *v, struct json_out *j) {
  const struct search_spread *s = &v->spread;
  if (!s->ranks) {
    json_out_null(j, "spread");
    return;
  }
  json_out_object_flat(j, "spread");
  json_out_text(j, "form", s->portable ? "portable" : "words");
  json_out_count(j, "sent_states", s->sent_states);
  json_out_count(j, "sent_bytes", s->sent_bytes);
  json_out_count(j, "batches", s->batches);
  json_out_count(j, "known", s->known);
  json_out_count(j, "waits", s->waits);
  json_out_count(j, "begun_again", s->again);
  json_out_count(j, "least_states", s->least_states);
  json_out_count(j, "most_states", s->most_states);
  json_out_real(j, "cpu_s", s->cpu_s, 3);
  json_out_end(j);
}

static void means(const struct verdict *v, struct json_out *j) {
  json_out_object_flat(j, "store");
  json_out_text(j, "requested", v->store_requested ? v->store_requested : "auto");
  json_out_array(j, "used");
  for (size_t i = 0; i < v->rungs; i++) json_out_text(j, NULL, v->rung[i]);
  json_out_end(j);
  if (v->lossy && v->omission < 0) json_out_null(j, "omission_probability");
  else if (v->lossy) json_out_real(j, "omission_probability", v->omission, 15);
  else json_out_count(j, "omission_probability", 0);
  json_out_end(j);
  on_disk(v, j);
  json_out_text(j, "search", v->search ? v->search : "none");
  if (v->scout_states) json_out_count(j, "scout_states", v->scout_states);
  wanderings(v, j);
  swept(v, j);
  json_out_text(j, "engine", v->engine ? v->engine : "none");
  json_out_array_flat(j, "reductions");
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++)
    if (v->reduction[i].used) json_out_text(j, NULL, v->reduction[i].name);
  json_out_end(j);
  reductions(v, j);
  json_out_count(j, "jobs", v->jobs ? v->jobs : 1);
  json_out_count(j, "ranks", v->spread.ranks ? v->spread.ranks : 1);
  spread(v, j);
  json_out_object_flat(j, "time");
  json_out_real(j, "total_s", v->total_s, 6);
  json_out_real(j, "load_s", v->load_s, 6);
  json_out_real(j, "analysis_s", v->analysis_s, 6);
  json_out_real(j, "search_s", v->search_s, 6);
  json_out_real(j, "compile_s", v->compile_s, 6);
  json_out_end(j);
}

static void checkpoint(const struct verdict *v, struct json_out *j) {
  if (!v->checkpoint.file) {
    json_out_null(j, "checkpoint");
    return;
  }
  json_out_object_flat(j, "checkpoint");
  json_out_text(j, "file", v->checkpoint.there ? v->checkpoint.file : NULL);
  json_out_count(j, "states", v->checkpoint.states);
  json_out_count(j, "bytes", v->checkpoint.bytes);
  json_out_count(j, "written", v->checkpoint.written);
  json_out_count(j, "resumed", v->checkpoint.resumed);
  json_out_text(j, "trouble", v->checkpoint.why[0] ? v->checkpoint.why : NULL);
  json_out_end(j);
}

/* The ids of properties that the certificate covers, or does not. */
static void covered(const struct verdict *v, const char *key, int covered, struct json_out *j) {
  json_out_array_flat(j, key);
  for (size_t i = 0; i < v->property_count; i++)
    if (v->property[i].covered == covered) json_out_text(j, NULL, v->property[i].id);
  json_out_end(j);
}

static void certificate(const struct verdict *v, struct json_out *j) {
  if (!v->certificate.file) {
    json_out_null(j, "certificate");
    return;
  }
  json_out_object_flat(j, "certificate");
  json_out_text(j, "file", v->certificate.there ? v->certificate.file : NULL);
  json_out_count(j, "bytes", v->certificate.bytes);
  covered(v, "covers", 1, j);
  covered(v, "not_covered", 0, j);
  json_out_text(j, "trouble", v->certificate.there ? NULL : v->certificate.why);
  json_out_end(j);
}

static void unbounded(const struct verdict *v, const struct model *m, struct json_out *j) {
  if (!v->unbounded_count && !v->pump) {
    json_out_null(j, "unbounded");
    return;
  }
  json_out_object(j, "unbounded");
  json_out_array_flat(j, "places");
  for (size_t i = 0; i < v->unbounded_count; i++) json_out_text(j, NULL, v->unbounded[i]);
  json_out_end(j);
  json_out_bool(j, "all", v->unbounded_all);
  size_t count = v->pump && m ? v->pump->count : 0;
  json_out_array_flat(j, "prefix");
  for (size_t i = 0; i < count && i < v->pump_from; i++) json_out_text(j, NULL, m->type->group_name(m, v->pump->group[i]));
  json_out_end(j);
  json_out_array_flat(j, "pump");
  for (size_t i = v->pump_from; i < count; i++) json_out_text(j, NULL, m->type->group_name(m, v->pump->group[i]));
  json_out_end(j);
  json_out_end(j);
}

static void error(const struct err *e, struct json_out *j) {
  json_out_object(j, "error");
  json_out_text(j, "file", e->file[0] ? e->file : NULL);
  json_out_integer(j, "line", e->line);
  json_out_integer(j, "column", e->column);
  json_out_text(j, "message", e->message);
  json_out_text(j, "hint", e->hint[0] ? e->hint : NULL);
  json_out_end(j);
}

static void statistics(const struct verdict *v, const struct report_setup *how, struct json_out *j) {
  json_out_object(j, "stats");
  json_out_object(j, "counters");
  for (unsigned row = 0; stats_rows[row].name; row++) json_out_count(j, stats_rows[row].key, stats_value(&v->stats, row));
  json_out_end(j);
  json_out_array(j, "transitions");
  for (uint32_t g = 0; how->counts && g < how->counts->groups; g++) {
    json_out_object_flat(j, NULL);
    json_out_text(j, "name", how->model->type->group_name(how->model, g));
    json_out_count(j, "generated", how->counts->generated[g]);
    json_out_count(j, "fresh", how->counts->fresh[g]);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_end(j);
}

int report_json(const struct verdict *v, const struct report_setup *how, FILE *out) {
  struct json_out j;
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.verdict/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  model(v, &j);
  json_out_text(&j, "verdict", verdict_name(v->kind));
  json_out_bool(&j, "complete", v->complete);
  json_out_bool(&j, "lossy", v->lossy);
  json_out_count(&j, "exit_code", (uint64_t)verdict_exit_code(v));
  json_out_array(&j, "properties");
  for (size_t i = 0; i < v->property_count; i++) property(&v->property[i], &j);
  json_out_end(&j);
  figures(v, &j);
  means(v, &j);
  json_out_object_flat(&j, "stop");
  json_out_text(&j, "reason", v->kind == VERDICT_ERROR ? (v->stop == STOP_FAULT ? "fault" : "internal") : verdict_stop_name(v));
  json_out_text(&j, "advice", v->advice);
  if (v->spread.whose[0]) json_out_text(&j, "rank", v->spread.whose);
  json_out_end(&j);
  checkpoint(v, &j);
  certificate(v, &j);
  unbounded(v, how->model, &j);
  space_write_json(how->space, &j);
  report_timeline_json(how->timeline, &j);
  coverage_json(how->coverage, how->coverage_complete && v->complete && !verdict_reduced(v), &j);
  if (how->err && how->err->kind != ERR_NONE) error(how->err, &j);
  else json_out_null(&j, "error");
  if (how->stats) statistics(v, how, &j);
  json_out_end(&j);
  return json_out_close(&j);
}
