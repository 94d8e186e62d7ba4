/* show.c -- see show.h. */
#include "bench/show.h"

#include "base/json.h"
#include "base/text.h"
#include "bench/grid.h"

#include <math.h>
#include <string.h>

static const char *const usual[] = {"states", "time", "time%", "memory", "memory%", "bytes_per_state"};

static size_t columns_of(const struct results *r, const char *const **out) {
  *out = r->columns.count ? r->columns.at : usual;
  return r->columns.count ? r->columns.count : sizeof usual / sizeof *usual;
}

const char *show_title(char *out, size_t room, const char *figure) {
  int paper = strncmp(figure, "paper.", 6) == 0;
  const char *name = figure + (paper ? 6 : 0);
  size_t n = strlen(name), percent = n && name[n - 1] == '%';
  snprintf(out, room, "%.*s%s%s", (int)(n - percent), name, percent ? " %" : "", paper ? " (paper)" : "");
  for (char *p = out; *p; p++)
    if (*p == '_') *p = ' ';
  return out;
}

void show_machine(const struct results *r, FILE *out) {
  char memory[TEXT_ROOM];
  fprintf(out, "%s, %lld core%s, %s, %s", r->cpu, (long long)r->cores, r->cores == 1 ? "" : "s", text_size(memory, (uint64_t)r->memory), r->kernel);
}

static const char *times_of(const struct results *r) { return strcmp(r->clock, "wall") == 0 ? "wall clock of the process" : strcmp(r->clock, "cpu") == 0 ? "processor time" : "time of the search"; }
static const char *spaces_of(const struct results *r) {
  return strcmp(r->space, "resident") == 0 ? "largest resident set" : strcmp(r->space, "held") == 0 ? "most that was held" : "bytes of the store";
}

static void fill(struct grid *g, const struct results *r, const char *const *columns, size_t n) {
  char text[200];
  grid_put(g, "model");
  grid_put(g, "way");
  for (size_t c = 0; c < n; c++) grid_put(g, "%s", show_title(text, sizeof text, columns[c]));
  grid_put(g, "%s", "");
  for (size_t i = 0; i < r->count; i++) {
    const struct row *row = &r->rows[i];
    grid_put(g, "%s", row->model);
    grid_put(g, "%s", row->way);
    for (size_t c = 0; c < n; c++) grid_put(g, "%s", grid_figure(text, columns[c], row_figure(r, row, columns[c])));
    enum outcome o = row_outcome(row);
    if (!row->count) grid_put(g, "%s", row->note);
    else if (o == OUTCOME_OK) grid_put(g, "%s", "");
    else grid_put(g, "%s%s%s", outcome_names[o], *row_message(row) ? ": " : "", row_message(row));
  }
}

/* The last column has remarks; without any it is left out. */
static void without_remarks(struct grid *g) {
  size_t n = g->columns, kept = 0;
  for (size_t i = n - 1; i < g->count; i += n)
    if (*g->cells[i]) return;
  for (size_t i = 0; i < g->count; i++)
    if (i % n != n - 1) g->cells[kept++] = g->cells[i];
  g->count = kept;
  g->columns--;
}

static void write_head(const struct results *r, FILE *out) {
  fprintf(out, "run %lld  %s%s%s%s  thimble %s (%.8s)  %s UTC%s\n", (long long)r->id, r->suite, *r->title ? ": " : "", r->title, "", r->version, r->build, r->started, r->finished ? "" : "  not finished");
  if (*r->label) fprintf(out, "label %s\n", r->label);
  fputs("on ", out);
  show_machine(r, out);
  fprintf(out, "\nmedian of %lld; time: %s; memory: %s; %% of %s\n\n", (long long)r->repetitions, times_of(r), spaces_of(r), r->baseline);
}

static int show_grid(const struct results *r, int markdown, struct mem *mem, FILE *out) {
  const char *const *columns;
  size_t n = columns_of(r, &columns);
  struct grid g;
  grid_open(&g, n + 3, mem);
  fill(&g, r, columns, n);
  if (!g.failed) without_remarks(&g);
  int bad = g.failed;
  if (!bad && !markdown) write_head(r, out);
  if (!bad) bad = markdown ? grid_markdown(&g, 2, out) : grid_text(&g, 2, "", out);
  grid_close(&g);
  return bad;
}

/* ---- for programs ----------------------------------------------------------------------------- */

static void csv_text(const char *text, FILE *out) {
  if (!strpbrk(text, ",\"\n\r")) {
    fputs(text, out);
    return;
  }
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text, out);
  }
  putc('"', out);
}

static void csv_real(double x, FILE *out) {
  putc(',', out);
  if (!isnan(x)) fprintf(out, "%.15g", x);
}

static void show_csv(const struct results *r, FILE *out) {
  const char *const *columns;
  size_t n = columns_of(r, &columns);
  fputs("run,suite,version,build,label,model,way,tool,size,repetition,outcome,verdict,states,transitions,deadlocks,wall_s,cpu_s,search_s,resident_bytes,rss_bytes,held_bytes,store_bytes", out);
  static const char *const there[] = {"states", "transitions", "deadlocks", "wall", "cpu", "search", "resident", "held", "store", "time", "memory", NULL};
  int extra[64] = {0};
  for (size_t c = 0; c < n && c < 64; c++) {
    size_t i = 0;
    while (there[i] && strcmp(there[i], columns[c]) != 0) i++;
    if (there[i] || strncmp(columns[c], "paper.", 6) == 0 || columns[c][strlen(columns[c]) - 1] == '%') continue;
    extra[c] = 1;
    putc(',', out);
    csv_text(columns[c], out);
  }
  putc('\n', out);
  for (size_t i = 0; i < r->count; i++)
    for (size_t k = 0; k < r->rows[i].count; k++) {
      const struct row *row = &r->rows[i];
      const struct sample *s = &row->samples[k];
      const char *const texts[] = {r->suite, r->version, r->build, r->label, row->model, row->way, row->tool};
      fprintf(out, "%lld", (long long)r->id);
      for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) putc(',', out), csv_text(texts[t], out);
      csv_real(row->size, out);
      fprintf(out, ",%d,%s,", s->repetition, outcome_names[s->outcome]);
      csv_text(s->verdict, out);
      const double numbers[] = {s->figure[0], s->figure[1], s->figure[2], s->wall, s->cpu, s->search, s->resident, s->rss, s->held, s->store};
      for (size_t t = 0; t < sizeof numbers / sizeof *numbers; t++) csv_real(numbers[t], out);
      for (size_t c = 0; c < n && c < 64; c++)
        if (extra[c]) csv_real(sample_figure(r, s, columns[c]), out);
      putc('\n', out);
    }
}

static void json_number_or_null(struct json_out *j, const char *key, double x) {
  if (isfinite(x) && x == floor(x) && fabs(x) < 9e15) json_out_integer(j, key, (int64_t)x);
  else json_out_real(j, key, x, 6);
}

static void show_sample(struct json_out *j, const struct sample *s) {
  json_out_object_flat(j, NULL);
  json_out_integer(j, "repetition", s->repetition);
  json_out_text(j, "outcome", outcome_names[s->outcome]);
  json_out_text(j, "verdict", *s->verdict ? s->verdict : NULL);
  for (int i = 0; i < SUITE_FIGURES; i++) json_number_or_null(j, suite_figures[i], s->figure[i]);
  json_out_real(j, "wall_s", s->wall, 6);
  json_out_real(j, "cpu_s", s->cpu, 6);
  json_out_real(j, "search_s", s->search, 6);
  json_number_or_null(j, "resident_bytes", s->resident);
  json_number_or_null(j, "rss_bytes", s->rss);
  json_number_or_null(j, "held_bytes", s->held);
  json_number_or_null(j, "store_bytes", s->store);
  json_out_text(j, "message", *s->message ? s->message : NULL);
  json_out_end(j);
}

static int show_json(const struct results *r, FILE *out) {
  const char *const *columns;
  size_t n = columns_of(r, &columns);
  struct json_out j;
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.bench/1");
  json_out_integer(&j, "run", r->id);
  json_out_text(&j, "suite", r->suite);
  json_out_text(&j, "label", *r->label ? r->label : NULL);
  json_out_text(&j, "version", r->version);
  json_out_text(&j, "build", r->build);
  json_out_text(&j, "started", r->started);
  json_out_bool(&j, "finished", r->finished);
  json_out_object(&j, "machine");
  json_out_text(&j, "host", r->host);
  json_out_text(&j, "cpu", r->cpu);
  json_out_integer(&j, "cores", r->cores);
  json_out_integer(&j, "memory_bytes", r->memory);
  json_out_text(&j, "kernel", r->kernel);
  json_out_end(&j);
  json_out_integer(&j, "repetitions", r->repetitions);
  json_out_text(&j, "clock", r->clock);
  json_out_text(&j, "space", r->space);
  json_out_text(&j, "baseline", r->baseline);
  json_out_array(&j, "tasks");
  for (size_t i = 0; i < r->count; i++) {
    const struct row *row = &r->rows[i];
    json_out_object(&j, NULL);
    json_out_text(&j, "model", row->model);
    json_out_text(&j, "way", row->way);
    json_out_text(&j, "tool", row->tool);
    json_out_text(&j, "tool_version", *row->tool_version ? row->tool_version : NULL);
    json_out_text(&j, "command", row->command);
    json_out_text(&j, "outcome", row->count ? outcome_names[row_outcome(row)] : NULL);
    json_out_object_flat(&j, "medians");
    for (size_t c = 0; c < n; c++) json_number_or_null(&j, columns[c], row_figure(r, row, columns[c]));
    json_out_end(&j);
    json_out_array(&j, "results");
    for (size_t k = 0; k < row->count; k++) show_sample(&j, &row->samples[k]);
    json_out_end(&j);
    json_out_end(&j);
  }
  json_out_end(&j);
  json_out_end(&j);
  return json_out_close(&j);
}

int show_run(const struct results *r, enum show_format format, struct mem *mem, FILE *out) {
  if (format == SHOW_JSON) return show_json(r, out);
  if (format == SHOW_CSV) return show_csv(r, out), ferror(out) ? -1 : 0;
  return show_grid(r, format == SHOW_MARKDOWN, mem, out);
}
