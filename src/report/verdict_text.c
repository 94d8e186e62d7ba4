/* verdict_text.c -- the verdict for people: the word first, then what was asked, then the
 * figures, then the story of what went wrong.
 *
 *   violated: philosophers.net
 *
 *     deadlock     violated  after 6 steps, the shortest there is; trace in philosophers.trace.json
 *     invariant:1  unknown   fork1 + fork2 <= 2
 *
 *     322 states, 713 transitions, depth 7, 1 deadlock, 12 waiting
 *     memory 1.1 MB of 12.4 GB; store plain: 24 kB, 9.3 bytes per state
 *     0.01 s, search bfs
 *
 *   deadlock: 6 steps
 *     0  start    fork1 1, fork2 1, ...
 *     1  take1    fork1: 1 -> 0, ... */
#include "report/report.h"

#include "base/text.h"
#include "report/space.h"
#include "report/strategy.h"
#include "report/trace_view.h"

#include <inttypes.h>
#include <string.h>

enum { HEAD = 12, TAIL = 8, STORIES = 3, NAMES = 12, PUMP_NAMES = 24, FEW = 1000, SEVERAL = 4 };

static void paint(FILE *out, int colour, enum report_colour which, const char *text) {
  fprintf(out, "%s%s%s", report_colour(colour, which), text, report_colour(colour, PLAIN));
}

static enum report_colour kind_colour(enum verdict_kind kind) {
  return kind == VERDICT_HOLDS ? GREEN : kind == VERDICT_VIOLATED || kind == VERDICT_ERROR ? RED : YELLOW;
}

/* ---- the first line ------------------------------------------------------------------ */

const char *report_stop(const struct verdict *v, char *out, size_t room) {
  char a[TEXT_ROOM];
  const char *whose = v->spread.whose;
  *out = 0;
  switch (v->stop) {
  case STOP_MEMORY: snprintf(out, room, "the memory budget of %s is used up%s%s", text_size(a, v->budget), whose[0] ? " on " : "", whose); break;
  case STOP_CACHE: snprintf(out, room, "the %s states of --cache do not hold the longest run at hand", text_count(a, v->cache)); break;
  case STOP_RANK: snprintf(out, room, "%s is gone", whose); break;
  case STOP_TIME: snprintf(out, room, "the time limit was reached"); break;
  case STOP_STATES: snprintf(out, room, "the limit of states was reached"); break;
  case STOP_DEPTH: snprintf(out, room, "the depth limit was reached"); break;
  case STOP_INTERRUPT: snprintf(out, room, "interrupted"); break;
  case STOP_UNBOUNDED: snprintf(out, room, "the model is unbounded"); break;
  case STOP_CHANNELS: snprintf(out, room, "channels became too long to go on"); break;
  case STOP_DISK: snprintf(out, room, "%s", *v->disk.problem ? v->disk.problem : "files of states could not be written"); break;
  case STOP_SPENT: snprintf(out, room, "the walks found no violation: not a proof"); break;
  case STOP_DONE: snprintf(out, room, "all states were explored, but temporal claims are not checked"); break;
  case STOP_GOAL: snprintf(out, room, "every state asked for was reached, but temporal claims are not checked"); break;
  default: break;
  }
  return out;
}

static void why_incomplete(const struct verdict *v, FILE *out) {
  char why[400];
  report_stop(v, why, sizeof why);
  if (*why) fprintf(out, ", %s", why);
}

static void headline(const struct verdict *v, const struct report_setup *how, FILE *out) {
  char file[256];
  paint(out, how->colour, kind_colour(v->kind), verdict_name(v->kind));
  fprintf(out, ": %s", report_name(file, sizeof file, v->file ? v->file : "-"));
  if (v->language_guessed) fprintf(out, " (read as %s, told from its text)", v->language);
  for (size_t i = 0; i < v->options_of_model; i++) fprintf(out, "%s%s", i ? " " : " with ", report_name(file, sizeof file, v->option[i]));
  switch (v->kind) {
  case VERDICT_HOLDS:
    if (v->complete)
      fputs(v->property_count ? ", complete exact search" : ", nothing was asked, the whole space was explored", out);
    else fputs(", every state asked for was reached", out);
    break;
  case VERDICT_INCOMPLETE: why_incomplete(v, out); break;
  case VERDICT_LOSSY:
    if (v->swarm.members) fputs(", no violation found by the swarm: not a proof", out);
    else if (v->omission < 0) fputs(", no violation found, but the store can miss states and sees no cycles: not a proof. Of temporal properties only runs that break them after finitely many steps, or that end, were looked at (--store hashcompact sees cycles)", out);
    else fprintf(out, ", no violation found, but the store can miss states: not a proof (it missed some with probability %.2g)", v->omission);
    break;
  default: break;
  }
  putc('\n', out);
}

/* ---- properties ---------------------------------------------------------------------- */

static int is_claim(const struct verdict_property *p) { return strcmp(p->kind, "claim") == 0; }
static int is_assert(const struct verdict_property *p) { return strcmp(p->kind, "assert") == 0; }

/* Decided on the whole graph: the message tells what is at the end of the run that shows it. */
static int is_branching(const struct verdict_property *p) { return p->by_graph != STATUS_UNKNOWN; }

/* A loop that makes channels longer and longer. */
static int is_growth(const struct verdict_property *p) { return strcmp(p->kind, "channels") == 0; }

/* "assertion failed: x == 1 (pet.pml:9)" */
static void what_broke(const struct verdict_property *p, FILE *out) {
  char text[200], file[80];
  fputs(report_name(text, sizeof text, p->message), out);
  if (p->place.line) fprintf(out, " (%s:%ld)", report_name(file, sizeof file, trace_base_name(p->place.file)), p->place.line);
}

static void told_by(const struct verdict *v, const struct verdict_property *p, FILE *out) {
  const struct verdict_evidence *first = &p->evidence[0];
  int reached = p->status == STATUS_HOLDS;
  int shown = is_branching(p); /* by a run; what its end is like is told by the message */
  if (first->length_unknown) fputs(reached ? "reached" : "somewhere", out);
  else fprintf(out, "%safter %" PRIu64 " step%s%s", shown ? "" : reached ? "reached " : "", first->steps, text_plural(first->steps),
          p->shortest && first->trace ? ", the shortest there is" : "");
  if (first->trace && first->trace->loop >= 0) {
    size_t round = first->trace->count - (size_t)first->trace->loop;
    if (round == 1) fputs(", the last one for ever", out);
    else fprintf(out, ", the last %zu for ever", round);
  }
  if (p->message[0]) {
    fputs(": ", out);
    what_broke(p, out);
  }
  if (first->file) fprintf(out, "; trace in %s", first->file);
  else if (first->too_long) fputs("; no trace: a step of it is too long for the definition that would confirm it", out);
  else if (first->length_unknown && v->sweep.sweeps) fputs("; no trace: memory or time did not allow a second sweep, which would have found it", out);
  else if (!first->trace) fputs("; its trace does not fit into the memory budget", out);
}

/* "the controllable side wins; its strategy for 12 states is in net.strategy.json" */
static void game(const struct verdict_property *p, int width, FILE *out) {
  char count[TEXT_ROOM];
  const struct strategy *s = p->strategy;
  fprintf(out, "  %*s  %s wins: its strategy has %s state%s, confirmed by %s", width, "", s->winner ? "the environment" : "the controllable side", text_count(count, s->count), text_plural(s->count),
          s->proof == STRATEGY_BY_DEFINITION ? "the definition of the language" : "stepping through the model");
  if (s->file) fprintf(out, "; in %s", s->file);
  putc('\n', out);
}

static void property(const struct verdict *v, const struct verdict_property *p, int width, int colour, FILE *out) {
  char text[200], count[TEXT_ROOM];
  const char *status = prop_status_name(p->status);
  fprintf(out, "  %-*s  ", width, p->id);
  paint(out, colour, p->status == STATUS_HOLDS ? GREEN : p->status == STATUS_VIOLATED ? RED : YELLOW, status);
  if (p->text || p->evidence_count || p->status != STATUS_HOLDS) fprintf(out, "%*s", (int)(10 - strlen(status)), "");
  if (p->text) fputs(report_name(text, sizeof text, p->text), out);
  if (p->text && p->evidence_count) fputs("; ", out);
  if (p->evidence_count) told_by(v, p, out);
  else if (p->status == STATUS_VIOLATED && !p->deciding && !is_branching(p)) fputs("; no reachable state shows it", out);
  else if (p->status == STATUS_UNKNOWN) fprintf(out, "%s%s", p->text ? "; " : "", is_claim(p) ? "a temporal claim, not checked in this version" : "not decided in what was explored");
  putc('\n', out);
  if (p->strategy) game(p, width, out);
  if (p->deciding < 2) return;
  fprintf(out, "  %*s  %s states %s%s", width, "", text_count(count, p->deciding),
          p->status == STATUS_VIOLATED ? "violate it" : "show it", v->stop == STOP_DONE ? "" : " so far");
  const char *first = p->evidence_count ? p->evidence[0].file : NULL;
  for (size_t i = 1; i < p->evidence_count; i++)
    if (p->evidence[i].file && !(first && strcmp(first, p->evidence[i].file) == 0)) fprintf(out, "%s %s", i == 1 ? "; also in" : ",", p->evidence[i].file);
  putc('\n', out);
}

/* Many assertions of which nothing is to be told but how many they are. */
static int summed_up(const struct verdict *v, const struct verdict_property *p, enum prop_status status) {
  size_t n = 0;
  for (size_t i = 0; i < v->property_count; i++) n += is_assert(&v->property[i]) && v->property[i].status == status;
  return is_assert(p) && p->status == status && status != STATUS_VIOLATED && n >= SEVERAL;
}

static int summary(char *out, size_t room, size_t count, int others) {
  return snprintf(out, room, "%zu %sasserts", count, others ? "other " : "");
}

static void properties(const struct verdict *v, int colour, FILE *out) {
  if (!v->property_count) return;
  int width = 0;
  size_t summed[3] = {0};
  int broken = 0;
  char text[40];
  for (size_t i = 0; i < v->property_count; i++) {
    const struct verdict_property *p = &v->property[i];
    int n = (int)strlen(p->id);
    broken |= is_assert(p) && p->status == STATUS_VIOLATED;
    if (summed_up(v, p, p->status)) summed[p->status]++;
    else if (n > width) width = n;
  }
  for (int status = 0; status < 2; status++) {
    int n = summed[status] ? summary(text, sizeof text, summed[status], broken) : 0;
    if (n > width) width = n;
  }
  putc('\n', out);
  for (size_t i = 0; i < v->property_count; i++) {
    const struct verdict_property *p = &v->property[i];
    if (!summed_up(v, p, p->status)) property(v, p, width, colour, out);
  }
  for (int status = 0; status < 2; status++) {
    if (!summed[status]) continue;
    summary(text, sizeof text, summed[status], broken);
    fprintf(out, "  %-*s  ", width, text);
    paint(out, colour, status == STATUS_HOLDS ? GREEN : YELLOW, prop_status_name((enum prop_status)status));
    if (status == STATUS_UNKNOWN) fputs("   not decided in what was explored", out);
    putc('\n', out);
  }
}

/* ---- figures ------------------------------------------------------------------------- */

static void walked(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM];
  fprintf(out, "\n  %s walk%s, %s step%s, the longest %s", text_count(a, v->walks), text_plural(v->walks), text_count(b, v->stats.transitions), text_plural(v->stats.transitions),
          text_count(c, v->stats.depth));
  fprintf(out, "\n  memory %s of %s; no store", text_size(a, v->peak), text_size(b, v->budget));
}

static void swarmed(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  fprintf(out, "\n  %u of %u searches, %s states in all, %s in the largest", v->swarm.run, v->swarm.members, text_count(a, v->swarm.states), text_count(b, v->swarm.most));
}

static void swept(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM];
  fprintf(out, "\n  %s sweep%s, at most %s state%s at a time in %s", text_count(a, v->sweep.sweeps), text_plural(v->sweep.sweeps), text_count(b, v->sweep.peak_states),
          text_plural(v->sweep.peak_states), text_size(c, v->sweep.peak_bytes));
  if (v->sweep.sweeps > 1 || v->sweep.regress_edges)
    fprintf(out, "; %s regress edge%s, %s persistent state%s", text_count(a, v->sweep.regress_edges), text_plural(v->sweep.regress_edges), text_count(b, v->sweep.persistent), text_plural(v->sweep.persistent));
  if (v->sweep.sweeps > 1 && strcmp(v->store, "comback") != 0) fputs(": states that were met again are counted again", out);
}

/* What lies in files beside that. */
static void on_disk(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM], d[TEXT_ROOM];
  const struct store_files *f = &v->disk;
  fprintf(out, "\n  disk %s", text_size(a, f->bytes));
  if (v->stats.states >= FEW) fprintf(out, ", %.1f bytes per state", (double)f->bytes / (double)v->stats.states);
  fprintf(out, ", %s at most; %s written, %s read, %llu run%s, %llu merged", text_size(b, f->peak), text_size(c, f->written), text_size(d, f->read), (unsigned long long)f->runs, text_plural(f->runs),
          (unsigned long long)f->merges);
}

/* What the budget does not count: the program itself, and processes that it has started. */
static void beside_budget(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  fprintf(out, "\n  the process as a whole held %s", text_size(a, v->resident_peak));
  if (v->children_peak) fprintf(out, "; a preprocessor or compiler took %s of its own", text_size(b, v->children_peak));
}

static void explored(const struct verdict *v, int verbose, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM], d[TEXT_ROOM], e[TEXT_ROOM];
  const struct stats *s = &v->stats;
  fprintf(out, "\n  %s state%s, %s transition%s", text_count(a, s->states), text_plural(s->states), text_count(b, s->transitions), text_plural(s->transitions));
  if (!v->sweep.sweeps) fprintf(out, ", depth %s", text_count(c, s->depth));
  fprintf(out, ", %s deadlock%s", text_count(d, s->deadlocks), text_plural(s->deadlocks));
  if (s->frontier) fprintf(out, ", %s waiting", text_count(e, s->frontier));
  if (v->sweep.sweeps) swept(v, out);
  if (s->forgotten)
    fprintf(out, "\n  %s state%s forgotten to make room: those that came again (at least %s) are counted again", text_count(a, s->forgotten),
            s->forgotten == 1 ? " was" : "s were", text_count(b, s->reinserted));
  fprintf(out, "\n  memory %s of %s; store %s: %s", text_size(a, v->peak), text_size(b, v->budget), v->store,
          text_size(c, v->store_bytes));
  if (s->states >= FEW && !v->sweep.sweeps) fprintf(out, ", %.1f bytes per state", (double)v->store_bytes / (double)s->states);
  if (v->disk.used) on_disk(v, out);
  if (v->resident_peak > v->budget || v->children_peak > v->budget || verbose) beside_budget(v, out);
}

/* "reduced by por and symmetry (3 processes of P)" */
static void reduced(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM];
  size_t used = 0, n = 0;
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++) used += v->reduction[i].used != 0;
  for (size_t i = 0; i < VERDICT_REDUCTIONS; i++) {
    const struct verdict_reduction *r = &v->reduction[i];
    if (!r->used) continue;
    fprintf(out, "%s%s", !n ? ", reduced by " : n + 1 < used ? ", " : " and ", r->name);
    if (*r->text) fprintf(out, " (%s)", r->text);
    n++;
  }
  for (size_t i = n = 0; i < VERDICT_REDUCTIONS && !used; i++) {
    const char *name = NULL;
    for (size_t p = 0; p < v->property_count && !name; p++) name = v->property[p].product.reduced[i];
    if (name) fprintf(out, "%s%s", n++ ? ", " : ", temporal properties reduced by ", name);
  }
  if (v->whole_states) fprintf(out, " after the whole space had no room behind %s states", text_count(a, v->whole_states));
}

/* What was decided by the scout alone. */
static void scouted(const struct verdict *v, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  if (!v->scout_states) return;
  fprintf(out, "  found by a directed search of %s states; breadth-first search met no shorter run in %s states%s\n", text_count(a, v->scout_states), text_count(b, v->stats.states),
          v->kind == VERDICT_VIOLATED ? " (--search bfs goes on)" : "");
}

static void figures(const struct verdict *v, const struct report_setup *how, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  const struct stats *s = &v->stats;
  if (v->swarm.members) swarmed(v, out);
  if (v->walks) walked(v, out);
  else explored(v, how->verbose, out);
  fprintf(out, "\n  %s, search %s", text_seconds(a, v->total_s), v->search);
  if (v->threads > 1) fprintf(out, ", %u threads", v->threads);
  reduced(v, out);
  if (v->search_s > 0.05) fprintf(out, ", %s %s/s", text_count(b, (uint64_t)((double)(v->walks ? s->transitions : s->states) / v->search_s)), v->walks ? "steps" : "states");
  putc('\n', out);
  scouted(v, out);
  if (!how->verbose) return;
  fprintf(out, "  state: %" PRIu32 " bit%s in %" PRIu32 " word%s; load %s", v->bits, text_plural(v->bits), v->words, text_plural(v->words),
          text_seconds(a, v->load_s));
  fprintf(out, ", analysis %s, search %s\n", text_seconds(a, v->analysis_s), text_seconds(b, v->search_s));
  if (v->has_peaks)
    fprintf(out, "  most tokens in a place %s, in a marking %s\n", text_count(a, v->max_in_place),
            text_count(b, v->max_in_marking));
}

static void statistics(const struct verdict *v, const struct report_setup *how, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], name[48];
  fputs("\n  counters\n", out);
  for (unsigned row = 0; stats_rows[row].name; row++)
    fprintf(out, "  %20s  %-15s %s\n", text_count(a, stats_value(&v->stats, row)), stats_rows[row].name, stats_rows[row].meaning);
  fputs("\n  memory held when the search ended\n", out);
  for (int tag = 0; tag < MEM_TAGS; tag++)
    fprintf(out, "  %20s  %s\n", text_size(a, v->tag_used[tag]), mem_tag_name((enum mem_tag)tag));
  if (!how->counts) return;
  const struct model *m = how->model;
  fprintf(out, "\n  %18s  %18s  transition\n", "generated", "fresh");
  for (uint32_t g = 0; g < how->counts->groups; g++) {
    if (!how->counts->generated[g] && m->type->role && m->type->role(m, g) == MODEL_ROLE_ABSENT) continue; /* of a process that never was: no dead code */
    fprintf(out, "  %18s  %18s  %s\n", text_count(a, how->counts->generated[g]), text_count(b, how->counts->fresh[g]),
            report_name(name, sizeof name, m->type->group_name(m, g)));
  }
}

/* ---- unbounded ----------------------------------------------------------------------- */

static void names(FILE *out, const char *const *list, size_t count) {
  char name[64];
  for (size_t i = 0; i < count && i < NAMES; i++) fprintf(out, "%s%s", i ? ", " : "", report_name(name, sizeof name, list[i]));
  if (count > NAMES) fprintf(out, " and %zu more", count - NAMES);
}

static void steps(FILE *out, const struct trace *t, const struct model *m, size_t from, size_t to) {
  char name[64];
  for (size_t i = from; i < to && i - from < PUMP_NAMES; i++)
    fprintf(out, "%s%s", i > from ? " " : "", report_name(name, sizeof name, m->type->group_name(m, t->group[i])));
  if (to - from > PUMP_NAMES) fprintf(out, " ... (%zu more)", to - from - PUMP_NAMES);
}

static void unbounded(const struct verdict *v, const struct report_setup *how, FILE *out) {
  if (!v->unbounded_count && !v->pump) return;
  fputs("\nno bound exists for ", out);
  if (v->unbounded_count) names(out, v->unbounded, v->unbounded_count);
  else fputs("the tokens of this net", out);
  if (v->unbounded_count && !v->unbounded_all) fputs(" (and perhaps others)", out);
  putc('\n', out);
  if (!v->pump || !how->model) return;
  if (v->pump_from) {
    fputs("  first  ", out);
    steps(out, v->pump, how->model, 0, v->pump_from);
    putc('\n', out);
  }
  fputs(v->pump_from ? "  then   " : "  fire   ", out);
  steps(out, v->pump, how->model, v->pump_from, v->pump->count);
  fputs("   again and again: each round takes from no place and adds tokens\n", out);
}

/* ---- stories ------------------------------------------------------------------------- */

/* Of a temporal property: the run as a whole breaks it. */
static void ending_of_run(const struct verdict_property *p, const struct trace *t, const struct trace_view *view, FILE *out) {
  char text[200];
  if (t->loop < 0 && t->message[0]) {
    fprintf(out, "  %s\n", t->message);
    trace_write_stands(view, out);
  }
  fprintf(out, "  %s %s\n", t->loop < 0 && !t->message[0] ? "whatever comes now, this run breaks" : "this run breaks", report_name(text, sizeof text, p->text));
}

static void ending(const struct verdict_property *p, const struct trace_view *view, FILE *out) {
  char text[200];
  if (p->product.method && !is_growth(p)) {
    ending_of_run(p, view->trace, view, out);
    return;
  }
  if (is_branching(p) || is_growth(p)) { /* the message says it all */
    fprintf(out, "  %s\n", report_name(text, sizeof text, p->message));
    return;
  }
  if (p->message[0]) {
    fputs("  here ", out);
    what_broke(p, out);
    putc('\n', out);
  } else if (!p->text) {
    fputs("  here nothing can happen any more\n", out);
    trace_write_stands(view, out);
  }
  else
    fprintf(out, "  here %s %s\n", report_name(text, sizeof text, p->text),
            p->status == STATUS_VIOLATED ? "is false" : "is true");
}

static void stories(const struct verdict *v, const struct report_setup *how, FILE *out) {
  int told = 0;
  for (size_t i = 0; i < v->property_count && told < STORIES; i++) {
    const struct verdict_property *p = &v->property[i];
    if (!p->evidence_count || !p->evidence[0].trace) continue;
    const struct trace *t = p->evidence[0].trace;
    struct trace_view view;
    trace_view_model(&view, t, how->model);
    struct trace_telling story = {how->colour, HEAD, TAIL, p->evidence[0].file};
    fprintf(out, "\n%s%s%s: %zu step%s%s\n", report_colour(how->colour, BOLD), p->id, report_colour(how->colour, PLAIN), t->count,
            text_plural(t->count), p->shortest ? ", the shortest there is" : "");
    trace_write_text(&view, &story, out);
    ending(p, &view, out);
    trace_write_branches(&view, &story, out);
    told++;
  }
}

/* Where to go on from. */
static void checkpoint(const struct verdict *v, const struct report_setup *how, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], file[256];
  const char *colour = report_colour(how->colour, YELLOW), *plain = report_colour(how->colour, PLAIN);
  if (v->checkpoint.why[0]) fprintf(out, "\n%sthe checkpoint %s: %s%s\n", colour, report_name(file, sizeof file, v->checkpoint.file), v->checkpoint.why, plain);
  if (!v->checkpoint.there) return;
  report_name(file, sizeof file, v->checkpoint.file);
  text_count(a, v->checkpoint.states);
  text_size(b, v->checkpoint.bytes);
  if (v->checkpoint.ranks) fprintf(out, "\n%sthe checkpoint is %s.0 to %s.%u (%s states in %s); go on with: mpirun -n %u thimble-mpi resume %s", colour, file, file, v->checkpoint.ranks - 1, a, b, v->checkpoint.ranks, file);
  else fprintf(out, "\n%sthe checkpoint is %s (%s states in %s); go on with: thimble resume %s", colour, file, a, b, file);
  if (*v->checkpoint.disk) fprintf(out, " --disk %s", report_name(file, sizeof file, v->checkpoint.disk));
  fprintf(out, "%s\n", plain);
  for (size_t i = 0; i < v->property_count && v->checkpoint.anew; i++)
    if (v->property[i].status == STATUS_UNKNOWN) fprintf(out, "the search for %s begins anew then\n", v->property[i].id);
}

/* What thimble-audit will confirm, and what it will not. */
static void certificate(const struct verdict *v, const struct report_setup *how, FILE *out) {
  char size[TEXT_ROOM], file[256];
  const char *colour = report_colour(how->colour, YELLOW), *plain = report_colour(how->colour, PLAIN);
  size_t covered = 0, decided = 0;
  for (size_t i = 0; i < v->property_count; i++) covered += (size_t)v->property[i].covered, decided += v->property[i].status != STATUS_UNKNOWN;
  if (!v->certificate.there) {
    fprintf(out, "\n%sno certificate is written: %s%s\n", colour, v->certificate.why, plain);
    return;
  }
  report_name(file, sizeof file, v->certificate.file);
  fprintf(out, "\nthe certificate is %s (%s)", file, text_size(size, v->certificate.bytes));
  if (covered < decided) fprintf(out, " and covers %zu of %zu properties", covered, decided);
  fprintf(out, "; confirm it with: thimble-audit %s\n", file);
  for (size_t i = 0; i < v->property_count; i++) {
    const struct verdict_property *p = &v->property[i];
    if (!p->covered && p->status != STATUS_UNKNOWN) fprintf(out, "%sit does not cover %s, which %s: nobody will confirm that%s\n", colour, p->id, p->status == STATUS_HOLDS ? "holds" : "is violated", plain);
  }
}

int report_text(const struct verdict *v, const struct report_setup *how, FILE *out) {
  headline(v, how, out);
  if (v->kind != VERDICT_ERROR && !how->quiet) {
    properties(v, how->colour, out);
    if (v->store) figures(v, how, out);
    if (how->stats) statistics(v, how, out);
    unbounded(v, how, out);
    if (v->advice) fprintf(out, "\n%s%s%s\n", report_colour(how->colour, YELLOW), v->advice, report_colour(how->colour, PLAIN));
    if (v->checkpoint.file) checkpoint(v, how, out);
    if (v->certificate.file) certificate(v, how, out);
    if (how->model) stories(v, how, out);
    if (how->model && how->space) space_write_text(how->space, how->model, how->space_all, out);
  }
  return ferror(out) ? -1 : 0;
}
