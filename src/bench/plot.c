/* plot.c -- see plot.h: what goes into which chart, and the page round them. */
#include "bench/plot.h"

#include "bench/scatter.h"
#include "bench/grid.h"
#include "bench/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 1e-30 /* what has no place on an axis was not measured */
#define MOST 1e30

struct plotter {
  const struct results *r;
  struct arena arena;
  const char **ways; /* in order of appearance */
  size_t way_count;
  struct scatter_point *points; /* room for one per row */
  size_t count;
  struct err *e;
};

static int open_plotter(struct plotter *p, const struct results *r, struct mem *mem, struct err *e) {
  *p = (struct plotter){.r = r, .e = e};
  arena_open(&p->arena, mem, MEM_OTHER);
  p->ways = arena_alloc(&p->arena, (r->count + 1) * sizeof *p->ways);
  p->points = arena_alloc(&p->arena, (r->count + 1) * sizeof *p->points);
  if (!p->ways || !p->points) return err_memory(e, "the picture");
  for (size_t i = 0; i < r->count; i++) {
    size_t k = 0;
    while (k < p->way_count && strcmp(p->ways[k], r->rows[i].way) != 0) k++;
    if (k == p->way_count) p->ways[p->way_count++] = r->rows[i].way;
  }
  return 0;
}

static size_t series_of(const struct plotter *p, const struct row *row) {
  size_t k = 0;
  while (strcmp(p->ways[k], row->way) != 0) k++;
  return k;
}

static void add(struct plotter *p, const struct row *row, double x, double y, const char *fx, const char *fy) {
  char text[400], a[GRID_ROOM], b[GRID_ROOM], states[GRID_ROOM];
  if (!(x > LEAST) || !(y > LEAST) || !(x < MOST) || !(y < MOST)) return;
  snprintf(text, sizeof text, "%.100s, %.100s: %s %s, %s %s, %s states", row->model, row->way, fx, grid_figure(a, fx, x), fy, grid_figure(b, fy, y), grid_figure(states, "states", row_figure(p->r, row, "states")));
  const char *copy = arena_strndup(&p->arena, text, strlen(text));
  p->points[p->count++] = (struct scatter_point){x, y, series_of(p, row), copy ? copy : row->model};
}

static void gather(struct plotter *p, const char *fx, const char *fy, const char *family) {
  p->count = 0;
  for (size_t i = 0; i < p->r->count; i++) {
    const struct row *row = &p->r->rows[i];
    if (!family || strcmp(row->family, family) == 0) add(p, row, row_figure(p->r, row, fx), row_figure(p->r, row, fy), fx, fy);
  }
}

static const char *memory_title(const struct results *r) {
  return strcmp(r->space, "resident") == 0 ? "memory: largest resident set" : strcmp(r->space, "held") == 0 ? "memory: most that was held" : "memory: bytes of the store";
}
static const char *time_title(const struct results *r) { return strcmp(r->clock, "wall") == 0 ? "time: wall clock" : strcmp(r->clock, "cpu") == 0 ? "time: processor" : "time: search"; }

/* ---- SVG -------------------------------------------------------------------------------------- */

static double key_width(const struct plotter *p) {
  size_t longest = 0;
  for (size_t i = 0; i < p->way_count; i++) longest = strlen(p->ways[i]) > longest ? strlen(p->ways[i]) : longest;
  return 40 + 7.2 * (double)(longest > 40 ? 40 : longest);
}

static void begin_svg(double width, double height, int alone, FILE *out) {
  if (alone) fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", width, height, width, height);
  scatter_style(out);
  fprintf(out, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
}

static double taller(const struct plotter *p, double height) {
  double key = 50 + SCATTER_KEY_LINE * (double)p->way_count;
  return key > height ? key : height;
}

static int nothing(struct plotter *p, const char *why) { return err_usage(p->e, "there is nothing to draw: %s", why); }

static int relative(struct plotter *p, int alone, FILE *out) {
  gather(p, "memory%", "time%", NULL);
  if (!p->count) return nothing(p, "no task has time and memory beside those of the baseline");
  char title[300];
  snprintf(title, sizeof title, "Time against memory, relative to %.200s", p->r->baseline);
  double width = 620 + key_width(p), height = taller(p, 460);
  begin_svg(width, height, alone, out);
  scatter_draw(&(struct scatter){.title = title, .x_title = memory_title(p->r), .y_title = time_title(p->r), .x_unit = SCATTER_PERCENT, .y_unit = SCATTER_PERCENT, .width = 620, .height = 460, .points = p->points,
                             .count = p->count, .series = p->way_count, .boxes = 1, .cross = 1},
             out);
  scatter_key(p->ways, p->way_count, 630, 46, out);
  fputs("</svg>\n", out);
  return 0;
}

static int memory_over_states(struct plotter *p, int alone, FILE *out) {
  gather(p, "states", "memory", NULL);
  if (!p->count) return nothing(p, "no task tells states and memory");
  double width = 620 + key_width(p), height = taller(p, 460);
  begin_svg(width, height, alone, out);
  scatter_draw(&(struct scatter){.title = "Memory over states", .x_title = "states", .y_title = memory_title(p->r), .x_unit = SCATTER_COUNT, .y_unit = SCATTER_BYTES, .width = 620, .height = 460, .points = p->points,
                             .count = p->count, .series = p->way_count, .per_state = 1},
             out);
  scatter_key(p->ways, p->way_count, 630, 46, out);
  fputs("</svg>\n", out);
  return 0;
}

/* What a family is drawn over: its size where every model states one, else its states; NULL where it has not two of them. */
static const char *abscissa(struct plotter *p, const char *family) {
  double seen[2][2] = {{NAN, NAN}, {NAN, NAN}};
  int all_sizes = 1;
  static const char *const figures[] = {"size", "states"};
  for (size_t i = 0; i < p->r->count; i++) {
    const struct row *row = &p->r->rows[i];
    if (strcmp(row->family, family) != 0) continue;
    all_sizes &= row->size > 0;
    for (int f = 0; f < 2; f++) {
      double x = row_figure(p->r, row, figures[f]);
      if (isnan(x) || isnan(row_figure(p->r, row, "time"))) continue;
      if (isnan(seen[f][0])) seen[f][0] = x;
      else if (x != seen[f][0]) seen[f][1] = x;
    }
  }
  return all_sizes && !isnan(seen[0][1]) ? figures[0] : !isnan(seen[1][1]) ? figures[1] : NULL;
}

/* Only families of which several models were measured. */
static int several_models(const struct plotter *p, const char *family) {
  const char *first = NULL;
  for (size_t i = 0; i < p->r->count; i++) {
    if (strcmp(p->r->rows[i].family, family) != 0) continue;
    if (!first) first = p->r->rows[i].model;
    else if (strcmp(first, p->r->rows[i].model) != 0) return 1;
  }
  return 0;
}

static int scaling(struct plotter *p, int alone, FILE *out) {
  enum { PANEL_WIDTH = 430, PANEL_HEIGHT = 330 };
  const char **families = arena_alloc(&p->arena, (p->r->count + 1) * sizeof *families);
  size_t n = 0;
  if (!families) return err_memory(p->e, "the picture");
  for (size_t i = 0; i < p->r->count; i++) {
    const char *f = p->r->rows[i].family;
    size_t k = 0;
    while (k < n && strcmp(families[k], f) != 0) k++;
    if (k == n && several_models(p, f) && abscissa(p, f)) families[n++] = f;
  }
  if (!n) return nothing(p, "no two models are of one family");
  size_t across = n > 1 ? 2 : 1, down = (n + across - 1) / across;
  double width = (double)(PANEL_WIDTH * across) + key_width(p) + 10, height = taller(p, (double)(PANEL_HEIGHT * down));
  begin_svg(width, height, alone, out);
  for (size_t k = 0; k < n; k++) {
    const char *over = abscissa(p, families[k]);
    gather(p, over, "time", families[k]);
    scatter_draw(&(struct scatter){.title = families[k], .x_title = over, .y_title = time_title(p->r), .x_unit = SCATTER_COUNT, .y_unit = SCATTER_SECONDS, .left = (double)(k % across * PANEL_WIDTH),
                               .top = (double)(k / across * PANEL_HEIGHT), .width = PANEL_WIDTH, .height = PANEL_HEIGHT, .points = p->points, .count = p->count, .series = p->way_count, .lines = 1},
               out);
  }
  scatter_key(p->ways, p->way_count, (double)(PANEL_WIDTH * across) + 10, 46, out);
  fputs("</svg>\n", out);
  return 0;
}

static const struct {
  const char *name, *caption;
  int (*draw)(struct plotter *, int alone, FILE *);
} pictures[] = {
    {"relative", "Each point is a model; 100 % is the baseline on the same model. To the left is less memory, below is less time.", relative},
    {"memory", "Each point is a model; the dotted lines are so many bytes for each state.", memory_over_states},
    {"scaling", "Time as the problem grows. A straight line is a power of the size.", scaling},
};

int plot_svg(const struct results *r, const char *which, struct mem *mem, FILE *out, struct err *e) {
  struct plotter p;
  int bad = open_plotter(&p, r, mem, e);
  for (size_t i = 0; !bad && i < sizeof pictures / sizeof *pictures; i++)
    if (strcmp(pictures[i].name, which) == 0) bad = pictures[i].draw(&p, 1, out);
  arena_close(&p.arena);
  return bad;
}

/* ---- HTML ------------------------------------------------------------------------------------- */

static void table(const struct results *r, FILE *out) {
  static const char *const usual[] = {"states", "time", "time%", "memory", "memory%", "bytes_per_state"};
  const char *const *columns = r->columns.count ? r->columns.at : usual;
  size_t n = r->columns.count ? r->columns.count : sizeof usual / sizeof *usual;
  char text[200];
  fputs("<div class=\"wide\"><table>\n<thead><tr><th>model</th><th>way</th>", out);
  for (size_t c = 0; c < n; c++) fputs("<th class=\"n\">", out), scatter_escape(show_title(text, sizeof text, columns[c]), out), fputs("</th>", out);
  fputs("<th></th></tr></thead>\n<tbody>\n", out);
  for (size_t i = 0; i < r->count; i++) {
    const struct row *row = &r->rows[i];
    int first = !i || strcmp(r->rows[i - 1].model, row->model) != 0;
    fprintf(out, "<tr%s><td>", first ? " class=\"first\"" : "");
    scatter_escape(first ? row->model : "", out);
    fputs("</td><td>", out);
    scatter_escape(row->way, out);
    fputs("</td>", out);
    for (size_t c = 0; c < n; c++) fputs("<td class=\"n\">", out), scatter_escape(grid_figure(text, columns[c], row_figure(r, row, columns[c])), out), fputs("</td>", out);
    enum outcome o = row_outcome(row);
    fputs("<td class=\"bad\">", out);
    if (!row->count || o != OUTCOME_OK) scatter_escape(row->count ? outcome_names[o] : row->note, out), fputs(": ", out), scatter_escape(row_message(row), out);
    fputs("</td></tr>\n", out);
  }
  fputs("</tbody></table></div>\n", out);
}

int plot_html(const struct results *r, struct mem *mem, FILE *out, struct err *e) {
  struct plotter p;
  char build[16];
  if (open_plotter(&p, r, mem, e)) {
    arena_close(&p.arena);
    return -1;
  }
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>", out);
  scatter_escape(r->suite, out);
  fputs(" - thimble bench</title>\n<style>\n"
        "body { font: 15px/1.45 system-ui, 'DejaVu Sans', sans-serif; color: #222; background: #fff; margin: 0 auto; max-width: 1080px; padding: 1.5em }\n"
        "h1 { font-size: 1.5em; margin: 0 0 .2em } p { margin: .3em 0 } .about { color: #666 } figure { margin: 1.8em 0 } figcaption { color: #555 } svg { max-width: 100%; height: auto }\n"
        ".wide { overflow-x: auto } table { border-collapse: collapse; font-size: 13px } th, td { padding: .18em .8em; text-align: left; white-space: nowrap } th { border-bottom: 1px solid #999 }\n"
        ".n { text-align: right; font-variant-numeric: tabular-nums } .first td { border-top: 1px solid #ddd } .bad { color: #b00020 }\n"
        "</style>\n</head>\n<body>\n<h1>",
        out);
  scatter_escape(*r->title ? r->title : r->suite, out);
  fprintf(out, "</h1>\n<p class=\"about\">Run %lld of suite ", (long long)r->id);
  scatter_escape(r->suite, out);
  fputs(", thimble ", out);
  scatter_escape(r->version, out);
  fputs(" (", out);
  snprintf(build, sizeof build, "%.8s", r->build);
  scatter_escape(build, out);
  fputs("), ", out);
  scatter_escape(r->started, out);
  fprintf(out, " UTC, medians of %lld. ", (long long)r->repetitions);
  char *machine = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&machine, &size);
  if (memory) {
    show_machine(r, memory);
    if (fclose(memory) == 0) scatter_escape(machine, out);
    free(machine);
  }
  fputs(".</p>\n", out);
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
    char *svg = NULL;
    struct err ignored;
    size = 0;
    memory = open_memstream(&svg, &size);
    if (!memory) continue;
    err_clear(&ignored);
    p.e = &ignored; /* a picture without data is left out */
    int bad = pictures[i].draw(&p, 0, memory);
    if (fclose(memory) == 0 && !bad) {
      fputs("<figure>\n", out);
      fwrite(svg, 1, size, out);
      fprintf(out, "<figcaption>%s</figcaption>\n</figure>\n", pictures[i].caption);
    }
    free(svg);
  }
  table(r, out);
  fputs("</body>\n</html>\n", out);
  arena_close(&p.arena);
  return ferror(out) ? err_io(e, "the page", "cannot be written") : 0;
}
