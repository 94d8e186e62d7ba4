/* trace_parts.c -- a step of processes: who did what, where, and what came of it.
 *
 *   3  P[1]  pet.pml:8   q!ack,k     sends ack(3) on q; q: [] -> [ack(3)]
 *   4  P[1]  pet.pml:9   x = x+1
 *      P[1]  pet.pml:9   printf(..)
 *        | x is 1
 *      P[1]  pet.pml:9   r!data,7    sends data(7) on r to Q[0]
 *      Q[0]  pet.pml:15  r?data,v    receives data(7) on r from P[1]
 *      x: 0 -> 1, Q[0].v: 3 -> 7
 *
 * A step of one part has its changes on its own line.  Of very long atomic sequences the middle is left out. */
#include "report/trace_view.h"

#include "report/report.h"

#include <string.h>

enum { NAME = 64, MESSAGE = 1000, STATEMENT = 100, WIDEST_NAME = 16, WIDEST_PLACE = 24, WIDEST_STATEMENT = 30, CHANGES_SHOWN = 12, FIRST_SHOWN = 24, LAST_SHOWN = 8 };

const char *trace_base_name(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file ? file : "";
}

static int process_text(const struct model_process *p, char *out, size_t room) {
  char name[NAME];
  if (!p->name) return snprintf(out, room, "%s", ""); /* steps of a net are nobody's */
  return snprintf(out, room, "%s[%u]", report_name(name, sizeof name, p->name), (unsigned)p->pid);
}

static int place_text(const struct place_in_text *at, char *out, size_t room) {
  char name[NAME];
  if (!at->line) return snprintf(out, room, "%s", "");
  return snprintf(out, room, "%s:%ld", report_name(name, sizeof name, trace_base_name(at->file)), at->line);
}

static void widen(int *width, int n, int most) {
  if (n > *width) *width = n < most ? n : most;
}

void trace_parts_measure(const struct trace *t, size_t step, struct trace_columns *c) {
  char text[2 * NAME], statement[STATEMENT];
  for (size_t i = t->part_start[step]; i < t->part_start[step + 1]; i++) {
    const struct model_part *p = &t->part[i];
    widen(&c->process, process_text(&p->process, text, sizeof text), WIDEST_NAME);
    widen(&c->place, place_text(&p->place, text, sizeof text), WIDEST_PLACE);
    widen(&c->statement, (int)strlen(report_name(statement, sizeof statement, p->statement)), WIDEST_STATEMENT);
  }
}

/* ---- facts ----------------------------------------------------------------------------------------------------------------- */

struct line {
  FILE *out;
  int any;
};

static void fact(struct line *l) {
  fputs(l->any ? "; " : "  ", l->out);
  l->any = 1;
}

size_t trace_message_text(const struct model_part *p, char *out, size_t room) {
  char text[NAME];
  size_t used = 0;
  int named = p->fields && p->message[0].symbolic;
  *out = 0;
  for (uint32_t i = 0; i < p->fields; i++) {
    const char *before = i == 0 ? (named || p->fields == 1 ? "" : "(") : i == 1 && named ? "(" : ",";
    if (used + NAME + 8 > room) return used + (size_t)snprintf(out + used, room - used, ",...)");
    used += (size_t)snprintf(out + used, room - used, "%s%s", before, report_name(text, sizeof text, p->message[i].text));
  }
  if (p->fields > 1) used += (size_t)snprintf(out + used, room - used, ")");
  return used;
}

static void message(const struct model_part *p, FILE *out) {
  char text[MESSAGE];
  trace_message_text(p, text, sizeof text);
  fputs(text, out);
}

static void communication(const struct model_part *p, struct line *l) {
  static const char *const verbs[] = {"", "sends", "receives", "reads"};
  char text[2 * NAME];
  if (p->deed == MODEL_ACTS) return;
  fact(l);
  fprintf(l->out, "%s%s", verbs[p->deed], p->fields ? " " : "");
  message(p, l->out);
  fprintf(l->out, " %s %s", p->deed == MODEL_PEEKS ? "in" : "on", report_name(text, sizeof text, p->channel));
  if (p->partner.name) {
    process_text(&p->partner, text, sizeof text);
    fprintf(l->out, " %s %s", p->deed == MODEL_SENDS ? "to" : "from", text);
  }
  if (p->deed == MODEL_PEEKS) fputs(", which keeps it", l->out);
  if (p->lost) fputs(", which is full: the message is lost", l->out);
}

static void life(const struct model_part *p, struct line *l) {
  char text[2 * NAME];
  for (uint32_t i = 0; i < p->started_count; i++) {
    process_text(&p->started[i], text, sizeof text);
    fact(l);
    fprintf(l->out, "starts %s", text);
  }
  if (!p->ended) return;
  process_text(&p->process, text, sizeof text);
  fact(l);
  fprintf(l->out, "%s ends", text);
}

static void changes(const struct trace *t, size_t step, struct line *l) {
  char name[NAME], from[120], to[120];
  size_t shown = 0, more = 0;
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1]; c++) {
    const struct trace_words *w = t->change[c].words;
    if (!w || w->hidden) continue;
    if (shown == CHANGES_SHOWN) {
      more++;
      continue;
    }
    if (shown++) fputs(", ", l->out);
    else fact(l);
    fprintf(l->out, "%s: %s -> %s", report_name(name, sizeof name, w->label), report_name(from, sizeof from, w->from),
            report_name(to, sizeof to, w->to));
  }
  if (more) fprintf(l->out, ", and %zu more", more);
}

static size_t visible(const struct trace *t, size_t step) {
  size_t n = 0;
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1]; c++) n += t->change[c].words && !t->change[c].words->hidden;
  return n;
}

/* What was printed, line by line behind a bar; a tab is shown as blanks, other control characters as codes. */
static void printed(const char *text, int indent, FILE *out) {
  char plain[400], line[800];
  while (*text) {
    size_t n = strcspn(text, "\n"), used = 0;
    for (size_t i = 0; i < n && used + 5 < sizeof plain; i++) {
      if (text[i] != '\t') plain[used++] = text[i];
      else do plain[used++] = ' ';
        while (used % 4);
    }
    err_quote(line, sizeof line, plain, used);
    fprintf(out, "  %*s    | %s\n", indent, "", line);
    text += n + (text[n] == '\n');
  }
}

static void what_broke(const struct model_part *p, int indent, int colour, FILE *out) {
  char text[400], at[2 * NAME];
  place_text(&p->fault_place, at, sizeof at);
  fprintf(out, "  %*s  %s%s: %s%s\n", indent, "", report_colour(colour, RED), at, report_name(text, sizeof text, p->fault),
          report_colour(colour, PLAIN));
}

void trace_parts_write(const struct trace *t, size_t step, size_t number, const struct trace_columns *w, int colour, int faults, FILE *out) {
  size_t first = t->part_start[step], end = t->part_start[step + 1];
  char process[2 * NAME], at[2 * NAME], statement[STATEMENT], called[24];
  snprintf(called, sizeof called, "%zu", number);
  size_t skip_from = first + FIRST_SHOWN, skip_to = end > first + FIRST_SHOWN + LAST_SHOWN + 1 ? end - LAST_SHOWN : skip_from;
  for (size_t i = first; i < end; i++) {
    const struct model_part *p = &t->part[i];
    if (i == skip_from && skip_to > i) {
      fprintf(out, "  %*s  ... %zu more statements of the same step\n", w->number, "", skip_to - i);
      i = skip_to - 1;
      continue;
    }
    process_text(&p->process, process, sizeof process);
    place_text(&p->place, at, sizeof at);
    report_name(statement, sizeof statement, p->statement);
    struct line l = {out, 0};
    int last = i + 1 == end, alone = end == first + 1, facts = p->deed != MODEL_ACTS || p->started_count || p->ended;
    fprintf(out, "  %*s  %-*s  %-*s  %s%s%s", w->number, i == first ? called : "", w->process, process, w->place, at,
            report_colour(colour, BOLD), statement, report_colour(colour, PLAIN));
    int pad = w->statement - (int)strlen(statement);
    if (facts || (alone && visible(t, step))) fprintf(out, "%*s", pad > 0 ? pad : 0, "");
    communication(p, &l);
    life(p, &l);
    if (alone) changes(t, step, &l);
    putc('\n', out);
    if (p->printed) printed(p->printed, w->number, out);
    if (p->fault && faults) what_broke(p, w->number, colour, out);
    if (!last || alone || !visible(t, step)) continue;
    fprintf(out, "  %*s", w->number, "");
    l.any = 0;
    changes(t, step, &l);
    putc('\n', out);
  }
}

void trace_write_stands(const struct trace_view *v, FILE *out) {
  const struct trace *t = v->trace;
  char process[2 * NAME], at[2 * NAME], statement[400];
  for (size_t i = 0; i < t->stand_count; i++) {
    const struct model_stand *s = &t->stand[i];
    process_text(&s->process, process, sizeof process);
    place_text(&s->place, at, sizeof at);
    report_name(statement, sizeof statement, s->statement);
    if (!*statement) fprintf(out, "  %s has come to its end%s%s\n", process, *at ? " at " : "", at);
    else fprintf(out, "  %s waits at %s: %s%s\n", process, at, statement, s->end ? " (a valid end)" : "");
  }
}
