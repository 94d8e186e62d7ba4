/* trace_text.c -- a trace as a story.
 *
 *     start          fork1 1, fork2 1, idle1 1
 *      1  take1      fork1: 1 -> 0, idle1: 1 -> 0, left1: 0 -> 1
 *      2  take2      ...
 *
 * Only what is not zero at the start and what changes at each step is told.  Steps of processes are told part by part:
 * trace_parts.c. */
#include "report/trace_view.h"

#include "base/text.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

enum { NAME = 64, WIDEST = 28, START_SHOWN = 24, CHANGES_SHOWN = 12 };

static const char *model_var(const void *context, uint32_t var) {
  const struct model *m = context;
  return m->type->var_name(m, var);
}

static const char *model_step_name(const void *context, const struct trace *t, size_t step) {
  const struct model *m = context;
  return m->type->group_name(m, t->group[step]);
}

static const char *trace_var(const void *context, uint32_t var) { return ((const struct trace *)context)->start[var].name; }

static const char *trace_step_name(const void *context, const struct trace *t, size_t step) {
  const struct model *m = ((const struct trace *)context)->model;
  return m->type->group_name(m, t->group[step]);
}

static void model_branch(const struct trace_view *v, size_t index, struct trace_view *out) {
  *out = *v;
  out->trace = v->trace->branch[index].run;
  if (out->trace->start) out->context = out->trace;
}

void trace_view_model(struct trace_view *v, const struct trace *t, const struct model *m) {
  *v = (struct trace_view){.trace = t,
                           .file = m->file,
                           .language = m->language,
                           .context = m,
                           .var = model_var,
                           .step = model_step_name,
                           .branch = model_branch};
  if (!t->start) return;
  v->context = t;
  v->var = trace_var;
  v->step = trace_step_name;
}

/* Columns of a quoted name: continuation bytes take none. */
static int columns(const char *text) {
  int n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
  return n;
}

static void start(const struct trace_view *v, int number, int width, FILE *out) {
  const struct trace *t = v->trace;
  char name[NAME];
  size_t shown = 0, more = 0;
  fprintf(out, "  %*s  %-*s", number, "0", width, "start");
  for (size_t i = 0; i < t->vars; i++) {
    if (!t->initial[i] || (t->start && t->start[i].hidden)) continue;
    if (shown == START_SHOWN) more++;
    else if (t->start) {
      char value[120];
      report_name(value, sizeof value, t->start[i].to);
      fprintf(out, "%s%s %s", shown++ ? ", " : "  ", report_name(name, sizeof name, t->start[i].label), value);
    } else
      fprintf(out, "%s%s %" PRId64, shown++ ? ", " : "  ", report_name(name, sizeof name, v->var(v->context, (uint32_t)i)),
              t->initial[i]);
  }
  if (more) fprintf(out, ", and %zu more", more);
  if (!shown && (t->vars > 1 || t->start)) fputs("  all 0", out);
  else if (!shown && t->vars) fprintf(out, "  %s 0", report_name(name, sizeof name, v->var(v->context, 0)));
  putc('\n', out);
}

static void step_as(const struct trace_view *v, const struct trace_telling *how, size_t i, size_t called, int number, int width,
                    FILE *out) {
  const struct trace *t = v->trace;
  char name[NAME];
  report_name(name, sizeof name, v->step(v->context, t, i));
  int pad = width - columns(name);
  fprintf(out, "  %*zu  %s%s%s%*s", number, called, report_colour(how->colour, BOLD), name, report_colour(how->colour, PLAIN),
          pad > 0 ? pad : 0, "");
  size_t from = t->change_start[i], to = t->change_start[i + 1];
  for (size_t c = from; c < to && c - from < CHANGES_SHOWN; c++) {
    const struct trace_change *change = &t->change[c];
    fprintf(out, "%s%s: %" PRId64 " -> %" PRId64, c > from ? ", " : "  ",
            report_name(name, sizeof name, v->var(v->context, change->var)), change->from, change->to);
  }
  if (to - from > CHANGES_SHOWN) fprintf(out, ", and %zu more", to - from - CHANGES_SHOWN);
  if (to == from) fputs("  (no change)", out);
  putc('\n', out);
}

static void step(const struct trace_view *v, const struct trace_telling *how, size_t i, int number, int width, FILE *out) {
  step_as(v, how, i, i + 1, number, width, out);
}

static void any_step(const struct trace_view *v, const struct trace_telling *how, size_t i, const struct trace_columns *c, int width,
                     FILE *out) {
  if (v->trace->part_count) trace_parts_write(v->trace, i, i + 1, c, how->colour, 0, out);
  else step(v, how, i, c->number, width, out);
}

void trace_write_step(const struct trace_view *v, size_t i, size_t number, int colour, FILE *out) {
  struct trace_telling how = {.colour = colour};
  struct trace_columns c = {4, 8, 12, 24};
  if (v->trace->part_count) trace_parts_write(v->trace, i, number ? number : i + 1, &c, colour, 1, out);
  else step_as(v, &how, i, number ? number : i + 1, c.number, 12, out);
}

/* Steps from number `from` on; the start before them if that is 0. */
static void write_from(const struct trace_view *v, const struct trace_telling *how, size_t from, FILE *out) {
  const struct trace *t = v->trace;
  size_t head = t->count, tail_from = t->count;
  if (how->head + how->tail && t->count - from > how->head + how->tail + 1) head = from + how->head, tail_from = t->count - how->tail;
  char last[24], name[NAME];
  struct trace_columns wide = {0};
  int number = snprintf(last, sizeof last, "%zu", t->count), width = 5;
  for (size_t i = from; i < t->count; i++) {
    if (i >= head && i < tail_from) continue;
    if (t->part_count) {
      trace_parts_measure(t, i, &wide);
      continue;
    }
    int n = columns(report_name(name, sizeof name, v->step(v->context, t, i)));
    if (n > width) width = n < WIDEST ? n : WIDEST;
  }
  wide.number = number;
  if (!from) start(v, number, t->part_count ? wide.process : width, out);
  for (size_t i = from; i < t->count; i++) {
    if (t->loop >= 0 && (size_t)t->loop == i) fprintf(out, "  %*s  from here on, again and again:\n", number, "");
    if (i < head || i >= tail_from) any_step(v, how, i, &wide, width, out);
    if (i + 1 != head || tail_from == t->count || head == tail_from) continue;
    char between[TEXT_ROOM];
    fprintf(out, "  %*s  ... %s steps between%s%s\n", number, "", text_count(between, tail_from - head),
            how->whole ? "; all of them: thimble trace " : "", how->whole ? how->whole : "");
  }
}

int trace_write_text(const struct trace_view *v, const struct trace_telling *how, FILE *out) {
  write_from(v, how, 0, out);
  return ferror(out) ? -1 : 0;
}

/* "another run from step 3 of the first one:"; what it shares with that is not told again. */
void trace_write_branches(const struct trace_view *v, const struct trace_telling *how, FILE *out) {
  const struct trace *t = v->trace;
  for (size_t i = 0; i < t->branch_count; i++) {
    const struct trace_branch *b = &t->branch[i];
    struct trace_view run;
    char text[300], from[64];
    v->branch(v, i, &run);
    if (b->at) snprintf(from, sizeof from, "step %zu", b->at);
    else snprintf(from, sizeof from, "the start");
    fprintf(out, "\n  %srun %zu%s, from %s", report_colour(how->colour, BOLD), i + 2, report_colour(how->colour, PLAIN), from);
    if (b->of) fprintf(out, " of run %zu", b->of + 1);
    fputs(":\n", out);
    if (b->run->loop >= 0 && (size_t)b->run->loop < b->at) fprintf(out, "    its loop begins with step %zu\n", (size_t)b->run->loop + 1);
    if (b->at < run.trace->count) write_from(&run, how, b->at, out);
    if (run.trace->message[0]) fprintf(out, "  %s\n", report_name(text, sizeof text, run.trace->message));
  }
}
