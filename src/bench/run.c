/* run.c -- see bench.h. */
#include "bench/bench.h"

#include "base/clock.h"

#include <fnmatch.h>
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct task_state {
  int8_t wanted, over, warm; /* over: not repeated */
  enum outcome worst;
  double wall; /* the last, NAN: never measured */
  uint64_t have; /* repetitions that are there */
};

struct work {
  struct bench *b;
  struct workshop shop;
  struct task_state *state;
  uint8_t *have; /* [task * repetitions + repetition] */
  size_t done, all;
  double spent;    /* seconds measured in this process */
  size_t measured; /* runs in it */
  struct err *e;
};

static size_t tasks(const struct work *w) { return w->b->suite->task_count; }
static size_t rounds(const struct work *w) { return (size_t)w->b->suite->repetitions; }

static void tell(struct work *w, struct bench_event event) {
  event.run = w->b->run;
  event.done = w->done;
  event.all = w->all;
  if (w->b->hear) w->b->hear(w->b->context, &event);
}

/* What is left, by what the tasks took before. */
static double left(const struct work *w) {
  double sum = 0, mean = w->measured ? w->spent / (double)w->measured : (double)NAN;
  for (size_t t = 0; t < tasks(w); t++) {
    const struct task_state *s = &w->state[t];
    if (!s->wanted || s->over) continue;
    sum += (double)(rounds(w) - s->have) * (isnan(s->wall) ? mean : s->wall);
  }
  return sum;
}

static const char *why_bad(enum outcome o) {
  static const char *const words[] = {"", "wrong", "stopped", "stopped", "incomplete", "failed", "skipped", "skipped"};
  return words[o];
}

/* After a result, from now or from before. */
static void take_note(struct work *w, size_t t, enum outcome o, double wall) {
  struct task_state *s = &w->state[t];
  s->have++;
  w->done++;
  if (!isnan(wall)) s->wall = wall;
  if (o == OUTCOME_WRONG || (s->worst != OUTCOME_WRONG && o > s->worst)) s->worst = o;
  if (o > OUTCOME_WRONG && !s->over) {
    s->over = 1;
    w->done += rounds(w) - s->have; /* the others are not run */
  }
}

static int known_before(void *context, size_t t, int repetition, enum outcome o, double wall, const char *message) {
  struct work *w = context;
  (void)message;
  if (t >= tasks(w) || repetition < 1 || (size_t)repetition > rounds(w) || w->state[t].over) return 0;
  uint8_t *have = &w->have[t * rounds(w) + (size_t)repetition - 1];
  if (*have) return 0;
  *have = 1;
  if (w->state[t].wanted) take_note(w, t, o, wall);
  return 0;
}

static char *as_text(const char *const *words) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (; out && *words; words++) {
    int plain = **words && strspn(*words, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@") == strlen(*words);
    fprintf(out, "%s%s%s", plain ? "" : "'", *words, plain ? " " : "' ");
  }
  if (out && fclose(out) == 0 && size) text[size - 1] = 0;
  return text;
}

static int begin(struct work *w) {
  struct bench *b = w->b;
  struct machine machine;
  machine_describe(&machine);
  if (machine_build(&machine, b->program)) return err_io(w->e, b->program, "cannot be read");
  struct database_run r = {.suite = b->suite, .label = b->label, .version = b->version, .program = b->program, .machine = &machine};
  b->run = 0;
  if (!b->fresh && database_unfinished(b->database, &r, &b->run, w->e)) return -1;
  if (b->run) {
    if (database_take(b->database, b->run, w->e) || database_each(b->database, b->run, known_before, w, w->e)) return -1;
    tell(w, (struct bench_event){.news = BENCH_BEGINS, .text = "goes on"});
    return 0;
  }
  if (database_transaction(b->database, 1, w->e) || database_begin(b->database, &r, &b->run, w->e)) return -1;
  for (size_t t = 0; t < tasks(w); t++) {
    const struct suite_task *task = &b->suite->tasks[t];
    struct arena words;
    char why[400], *text = NULL;
    const char *version = workshop_version(&w->shop, task->way->tool, w->e);
    if (w->e->kind) return -1;
    arena_open(&words, b->mem, MEM_OTHER);
    const char **command = task_command(&w->shop, task, *task->source->file ? task->source->file : task->model->name, &words, why, sizeof why);
    if (command) text = as_text(command);
    int bad = database_add_task(b->database, b->run, t, task, version, text, w->e);
    free(text);
    arena_close(&words);
    if (bad) return -1;
  }
  if (database_transaction(b->database, 0, w->e)) return -1;
  tell(w, (struct bench_event){.news = BENCH_BEGINS});
  return 0;
}

static int run_one(struct work *w, size_t t, int repetition) {
  struct bench *b = w->b;
  const struct suite_task *task = &b->suite->tasks[t];
  struct measurement m;
  double began = clock_now();
  for (; w->state[t].warm < (int8_t)b->suite->warm_up; w->state[t].warm++) { /* files read, code compiled */
    tell(w, (struct bench_event){.news = BENCH_TASK, .task = task, .left = left(w)});
    if (measure(&m, &w->shop, t, w->e)) return -1;
    free(m.figures);
    if (m.interrupted) return b->interrupted = 1, 0;
    if (m.outcome > OUTCOME_WRONG) break;
  }
  tell(w, (struct bench_event){.news = BENCH_TASK, .task = task, .repetition = repetition, .left = left(w)});
  if (measure(&m, &w->shop, t, w->e)) return -1;
  if (m.interrupted) {
    free(m.figures);
    return b->interrupted = 1, 0;
  }
  int bad = database_add_result(b->database, b->run, t, repetition, &m, w->e);
  w->spent += clock_now() - began;
  w->measured++;
  take_note(w, t, m.outcome, m.wall);
  if (!bad) {
    tell(w, (struct bench_event){.news = BENCH_DONE, .task = task, .result = &m, .repetition = repetition, .left = left(w)});
    if (m.outcome == OUTCOME_MISSING || m.outcome == OUTCOME_ABSENT) tell(w, (struct bench_event){.news = BENCH_SKIP, .task = task, .text = m.message});
    else if (m.outcome != OUTCOME_OK) tell(w, (struct bench_event){.news = BENCH_BAD, .task = task, .result = &m, .text = m.message, .repetition = repetition});
  }
  free(m.figures);
  return bad;
}

/* How many ways of the model of task t there are, and which is the first of them. */
static size_t same_model(const struct work *w, size_t t) {
  size_t end = t;
  while (end < tasks(w) && w->b->suite->tasks[end].model == w->b->suite->tasks[t].model) end++;
  return end - t;
}

static int run_all(struct work *w) {
  for (size_t round = 0; round < rounds(w); round++)
    for (size_t t = 0, n; t < tasks(w); t += n) {
      n = same_model(w, t);
      for (size_t i = 0; i < n; i++) {
        size_t at = t + (i + round) % n;
        if (!w->state[at].wanted || w->state[at].over || w->have[at * rounds(w) + round]) continue;
        if (w->b->interrupt && *w->b->interrupt) w->b->interrupted = 1;
        if (w->b->interrupted) return 0;
        if (run_one(w, at, (int)round + 1)) return -1;
        if (w->b->interrupted) return 0;
      }
    }
  return 0;
}

static int choose(struct work *w) {
  regex_t re;
  char text[1024];
  const char *only = w->b->only;
  if (only && regcomp(&re, only, REG_EXTENDED | REG_NOSUB)) return err_usage(w->e, "--only takes a regular expression, not '%.60s'", only);
  for (size_t t = 0; t < tasks(w); t++) {
    const struct suite_task *task = &w->b->suite->tasks[t];
    snprintf(text, sizeof text, "%s %s", task->model->name, task->way->name);
    w->state[t].wanted = !only || regexec(&re, text, 0, NULL, 0) == 0;
    w->state[t].wall = w->state[t].wanted ? database_last_wall(w->b->database, w->b->suite->name, task->model->name, task->way->name) : 0;
    if (w->state[t].wanted) w->all += rounds(w);
  }
  if (only) regfree(&re);
  return w->all ? 0 : err_usage(w->e, "no task matches '%.60s'", only ? only : "");
}

int bench_run(struct bench *b, struct err *e) {
  struct work w = {.b = b, .e = e};
  b->wrong = b->failed = b->stopped = b->skipped = 0;
  b->interrupted = 0;
  w.state = mem_alloc(b->mem, MEM_OTHER, (b->suite->task_count + 1) * sizeof *w.state);
  w.have = mem_alloc(b->mem, MEM_OTHER, b->suite->task_count * (size_t)b->suite->repetitions + 1);
  int bad = !w.state || !w.have ? err_memory(e, "the bench") : workshop_open(&w.shop, b->suite, b->program, b->interrupt, b->mem, e);
  if (!bad) bad = choose(&w) || begin(&w) || run_all(&w);
  for (size_t t = 0; !bad && t < b->suite->task_count; t++) {
    const char *why = w.state[t].wanted && w.state[t].have ? why_bad(w.state[t].worst) : "";
    b->wrong += strcmp(why, "wrong") == 0;
    b->failed += strcmp(why, "failed") == 0;
    b->stopped += strcmp(why, "stopped") == 0 || strcmp(why, "incomplete") == 0;
    b->skipped += strcmp(why, "skipped") == 0;
  }
  if (!bad && !b->interrupted && !b->only) bad = database_finish(b->database, b->run, e);
  else if (!bad && b->interrupted && b->run) (void)database_take(b->database, b->run, e);
  workshop_close(&w.shop);
  mem_free(b->mem, w.state);
  mem_free(b->mem, w.have);
  return bad;
}

void bench_judge_bar(struct bar_verdict *v, const struct suite_bar *bar, const struct results *r) {
  double sum = 0;
  *v = (struct bar_verdict){.bar = bar, .value = NAN};
  for (size_t i = 0; i < r->count; i++) {
    const struct row *row = &r->rows[i];
    if (strcmp(row->way, bar->way) != 0 || fnmatch(bar->models, row->model, 0) != 0) continue;
    const struct row *other = bar->against ? results_find(r, row->model, bar->against) : NULL;
    if (bar->against && !other) continue;
    double x = row_figure(r, row, bar->figure), y = other ? row_figure(r, other, bar->figure) : 1;
    if (row_outcome(row) != OUTCOME_OK || (other && row_outcome(other) != OUTCOME_OK) || !(x > 0) || !(y > 0)) {
      v->left_out++;
      continue;
    }
    sum += log(x / y);
    v->models++;
  }
  if (v->models) v->value = exp(sum / (double)v->models);
  v->missed = v->models && (v->value > bar->at_most || v->value < bar->at_least);
}
