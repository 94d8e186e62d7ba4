/* compare.c -- see compare.h.
 *
 * Memory hardly depends on chance, so where repetitions are too few for the test a change of memory is told if no value of one run lies among those of the other. */
#include "bench/compare.h"

#include "base/json.h"
#include "bench/grid.h"
#include "bench/statistics.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

struct values {
  double v[MOST];
  size_t n;
};

static void fetch(struct values *out, const struct results *r, const struct row *row, const char *figure) {
  out->n = row_values(r, row, figure, out->v, MOST);
  size_t kept = 0;
  for (size_t i = 0; i < out->n; i++)
    if (out->v[i] > 0) out->v[kept++] = out->v[i];
  out->n = kept;
}

static int apart(const struct values *a, const struct values *b) {
  double least[2] = {INFINITY, INFINITY}, most[2] = {0, 0};
  const struct values *of[2] = {a, b};
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < of[k]->n; i++) least[k] = fmin(least[k], of[k]->v[i]), most[k] = fmax(most[k], of[k]->v[i]);
  return most[0] < least[1] || most[1] < least[0];
}

/* The medians and the uncorrected p. */
static void look(struct change_of *c, const struct values *a, const struct values *b) {
  struct values x = *a, y = *b;
  *c = (struct change_of){.a = NAN, .b = NAN, .ratio = NAN, .p = NAN, .change = CHANGE_UNKNOWN};
  if (!a->n || !b->n) return;
  c->a = statistics_median(x.v, x.n);
  c->b = statistics_median(y.v, y.n);
  c->ratio = c->b / c->a;
  if (statistics_least_p(a->n, b->n) <= COMPARE_P) c->p = statistics_rank_p(a->v, a->n, b->v, b->n);
}

static void decide(struct change_of *c, int memory, const struct values *a, const struct values *b) {
  if (isnan(c->ratio)) return;
  int large = c->ratio >= COMPARE_LEAST || c->ratio <= 1 / COMPARE_LEAST;
  int sure = isnan(c->p) ? memory && a && apart(a, b) : c->p <= COMPARE_P;
  if (large && sure) c->change = c->ratio > 1 ? CHANGE_MORE : CHANGE_LESS;
  else if (!isnan(c->p) || (memory && a)) c->change = CHANGE_NONE;
}

static int counts_differ(const struct comparison *c, const struct compared *x) {
  for (int i = 0; i < SUITE_FIGURES; i++) {
    double p = row_figure(c->a, x->a, suite_figures[i]), q = row_figure(c->b, x->b, suite_figures[i]);
    if (!isnan(p) && !isnan(q) && p != q) return 1;
  }
  return 0;
}

/* The pairs of all tasks, for time or memory; their values stay in the arena. */
static struct statistics_pair *pairs_of(struct comparison *c, const char *figure, struct err *e) {
  struct statistics_pair *pairs = arena_alloc(&c->arena, (c->count + 1) * sizeof *pairs);
  for (size_t i = 0; pairs && i < c->count; i++) {
    struct values *v = arena_alloc(&c->arena, 2 * sizeof *v);
    if (!v) pairs = NULL;
    else {
      fetch(&v[0], c->a, c->rows[i].a, figure);
      fetch(&v[1], c->b, c->rows[i].b, figure);
      pairs[i] = (struct statistics_pair){v[0].v, v[1].v, v[0].n, v[1].n};
    }
  }
  if (!pairs) err_memory(e, "the comparison");
  return pairs;
}

static int judge(struct comparison *c, int memory, struct err *e) {
  struct statistics_pair *pairs = pairs_of(c, memory ? "memory" : "time", e);
  double *p = arena_alloc(&c->arena, (2 * c->count + 2) * sizeof *p), mean;
  if (!pairs || !p) return err_memory(e, "the comparison");
  for (size_t i = 0; i < c->count; i++) {
    struct change_of *x = memory ? &c->rows[i].memory : &c->rows[i].time;
    struct values a = {.n = pairs[i].na}, b = {.n = pairs[i].nb};
    memcpy(a.v, pairs[i].a, a.n * sizeof *a.v);
    memcpy(b.v, pairs[i].b, b.n * sizeof *b.v);
    look(x, &a, &b);
    p[i] = x->p;
  }
  statistics_correct(p, p + c->count, c->count);
  for (size_t i = 0; i < c->count; i++) {
    struct compared *row = &c->rows[i];
    struct change_of *x = memory ? &row->memory : &row->time;
    struct values a = {.n = pairs[i].na}, b = {.n = pairs[i].nb};
    memcpy(a.v, pairs[i].a, a.n * sizeof *a.v);
    memcpy(b.v, pairs[i].b, b.n * sizeof *b.v);
    x->p = p[i];
    decide(x, memory, &a, &b);
    *(memory ? &c->larger : &c->slower) += x->change == CHANGE_MORE;
    *(memory ? &c->smaller : &c->faster) += x->change == CHANGE_LESS;
  }
  struct change_of *all = memory ? &c->memory : &c->time;
  *all = (struct change_of){.a = NAN, .b = NAN, .ratio = NAN, .p = NAN, .change = CHANGE_UNKNOWN};
  double chance = statistics_overall_p(pairs, c->count, &mean), least = 1;
  size_t used = 0;
  for (size_t i = 0; i < c->count; i++)
    if (pairs[i].na && pairs[i].nb) least *= statistics_least_p(pairs[i].na, pairs[i].nb), used++;
  if (!used) return 0;
  all->ratio = exp(mean);
  if (2 * least <= COMPARE_P) all->p = chance;
  decide(all, memory, NULL, NULL);
  return 0;
}

int compare_runs(struct comparison *c, const struct results *a, const struct results *b, struct mem *mem, struct err *e) {
  *c = (struct comparison){.a = a, .b = b};
  arena_open(&c->arena, mem, MEM_OTHER);
  if (!(c->rows = arena_alloc(&c->arena, (a->count + 1) * sizeof *c->rows))) return err_memory(e, "the comparison");
  for (size_t i = 0; i < a->count; i++) {
    const struct row *other = results_find(b, a->rows[i].model, a->rows[i].way);
    if (!other) {
      c->only_a++;
      continue;
    }
    struct compared *x = &c->rows[c->count++];
    x->a = &a->rows[i];
    x->b = other;
    int whole = row_outcome(x->a) <= OUTCOME_WRONG;
    if (whole != (row_outcome(x->b) <= OUTCOME_WRONG)) x->note = whole ? outcome_names[row_outcome(x->b)] : row_good(x->a) ? "was without result at times" : "was without result";
    else if (counts_differ(c, x)) x->note = "other counts", c->differ++;
  }
  for (size_t i = 0; i < b->count; i++) c->only_b += !results_find(a, b->rows[i].model, b->rows[i].way);
  if (!c->count) return err_usage(e, "the runs %lld (%s) and %lld (%s) have no task in common", (long long)a->id, a->suite, (long long)b->id, b->suite);
  return judge(c, 0, e) || judge(c, 1, e) ? -1 : 0;
}

void compare_close(struct comparison *c) { arena_close(&c->arena); }

/* ---- telling it ------------------------------------------------------------------------------- */

static const char *word(const struct change_of *c, int memory) {
  static const char *const words[2][4] = {{"same", "faster", "slower", "?"}, {"same", "less", "more", "?"}};
  return isnan(c->ratio) ? "" : words[memory][c->change];
}

static void put_change(struct grid *g, const char *figure, const struct change_of *c, int memory) {
  char text[GRID_ROOM];
  grid_put(g, "%s", grid_figure(text, figure, c->a));
  grid_put(g, "%s", grid_figure(text, figure, c->b));
  if (isnan(c->ratio)) grid_put(g, "%s", "");
  else grid_put(g, "%+.1f %%", 100 * (c->ratio - 1));
  grid_put(g, "%s", word(c, memory));
}

static void tell_all(const struct change_of *c, const char *what, int memory, FILE *out) {
  if (isnan(c->ratio)) return;
  fprintf(out, "%s of all tasks: %.3f times", what, c->ratio);
  if (!isnan(c->p)) fprintf(out, " (p = %.4f): %s\n", c->p, word(c, memory));
  else fputs(": too few repetitions to tell a change from noise\n", out);
}

int compare_text(const struct comparison *c, struct mem *mem, FILE *out) {
  struct grid g;
  size_t unknown = 0;
  grid_open(&g, 11, mem);
  const char *const head[] = {"model", "way", "time", "", "change", "", "memory", "", "change", "", ""};
  for (size_t i = 0; i < 11; i++) grid_put(&g, "%s", head[i]);
  for (size_t i = 0; i < c->count; i++) {
    const struct compared *x = &c->rows[i];
    grid_put(&g, "%s", x->a->model);
    grid_put(&g, "%s", x->a->way);
    put_change(&g, "time", &x->time, 0);
    put_change(&g, "memory", &x->memory, 1);
    grid_put(&g, "%s", x->note ? x->note : "");
    unknown += x->time.change == CHANGE_UNKNOWN && !isnan(x->time.ratio);
  }
  const struct results *runs[2] = {c->a, c->b};
  for (int k = 0; k < 2; k++)
    fprintf(out, "%s run %lld  %s%s%s  thimble %s (%.8s)  %s UTC\n", k ? "with" : "from", (long long)runs[k]->id, runs[k]->suite, *runs[k]->label ? "  " : "", runs[k]->label, runs[k]->version, runs[k]->build, runs[k]->started);
  if (strcmp(c->a->cpu, c->b->cpu) != 0 || strcmp(c->a->host, c->b->host) != 0) fputs("the runs are from different machines: times say little\n", out);
  putc('\n', out);
  int bad = grid_text(&g, 2, "", out);
  grid_close(&g);
  putc('\n', out);
  tell_all(&c->time, "time", 0, out);
  tell_all(&c->memory, "memory", 1, out);
  fprintf(out, "%zu tasks: %zu faster, %zu slower; %zu with less memory, %zu with more", c->count, c->faster, c->slower, c->smaller, c->larger);
  if (c->differ) fprintf(out, "; %zu with OTHER COUNTS", c->differ);
  if (c->only_a || c->only_b) fprintf(out, "; %zu only in the first run, %zu only in the second", c->only_a, c->only_b);
  putc('\n', out);
  if (unknown) fprintf(out, "?: with so few repetitions nobody can tell (four in each run are needed, seven are good)\n");
  return bad;
}

static void change_json(struct json_out *j, const char *key, const struct change_of *c, int memory) {
  json_out_object_flat(j, key);
  json_out_real(j, "before", c->a, 6);
  json_out_real(j, "after", c->b, 6);
  json_out_real(j, "ratio", c->ratio, 6);
  json_out_real(j, "p", c->p, 6);
  json_out_text(j, "change", c->change == CHANGE_UNKNOWN || isnan(c->ratio) ? NULL : word(c, memory));
  json_out_end(j);
}

int compare_json(const struct comparison *c, FILE *out) {
  struct json_out j;
  json_out_open(&j, out, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.bench-compare/1");
  json_out_integer(&j, "from", c->a->id);
  json_out_integer(&j, "with", c->b->id);
  change_json(&j, "time", &c->time, 0);
  change_json(&j, "memory", &c->memory, 1);
  json_out_count(&j, "faster", c->faster);
  json_out_count(&j, "slower", c->slower);
  json_out_count(&j, "smaller", c->smaller);
  json_out_count(&j, "larger", c->larger);
  json_out_count(&j, "other_counts", c->differ);
  json_out_array(&j, "tasks");
  for (size_t i = 0; i < c->count; i++) {
    json_out_object(&j, NULL);
    json_out_text(&j, "model", c->rows[i].a->model);
    json_out_text(&j, "way", c->rows[i].a->way);
    change_json(&j, "time", &c->rows[i].time, 0);
    change_json(&j, "memory", &c->rows[i].memory, 1);
    json_out_text(&j, "note", c->rows[i].note);
    json_out_end(&j);
  }
  json_out_end(&j);
  json_out_end(&j);
  return json_out_close(&j);
}
