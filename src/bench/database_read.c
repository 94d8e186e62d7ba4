/* database_read.c -- see database.h: runs found by name, loaded, listed. */
#include "bench/database_parts.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ended(struct database *d, sqlite3_stmt *s, int code, struct err *e) {
  int bad = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : database_wrong(d, e);
  sqlite3_finalize(s);
  return bad;
}

static enum outcome outcome_of(const char *name) {
  for (int i = 0; outcome_names[i]; i++)
    if (name && strcmp(name, outcome_names[i]) == 0) return (enum outcome)i;
  return OUTCOME_FAILED;
}

static double real(sqlite3_stmt *s, int column) { return sqlite3_column_type(s, column) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(s, column); }
static const char *text(sqlite3_stmt *s, int column) { return (const char *)sqlite3_column_text(s, column); }

int database_each(struct database *d, int64_t run, database_told *told, void *context, struct err *e) {
  sqlite3_stmt *s;
  int code;
  if (database_prepare(d, &s, "SELECT task.number, repetition, outcome, wall, message FROM result JOIN task ON task.id = result.task WHERE task.run = ?1 ORDER BY number, repetition", e)) return -1;
  sqlite3_bind_int64(s, 1, run);
  while ((code = sqlite3_step(s)) == SQLITE_ROW)
    if (told(context, (size_t)sqlite3_column_int64(s, 0), sqlite3_column_int(s, 1), outcome_of(text(s, 2)), real(s, 3), text(s, 4))) break;
  return ended(d, s, code, e);
}

double database_last_wall(struct database *d, const char *suite, const char *model, const char *way) {
  sqlite3_stmt *s;
  struct err e;
  double x = (double)NAN;
  err_clear(&e);
  if (database_prepare(d, &s,
                       "SELECT wall FROM result JOIN task ON task.id = result.task JOIN run ON run.id = task.run WHERE suite = ?1 AND model = ?2 AND way = ?3 AND wall IS NOT NULL ORDER BY run.id DESC LIMIT 1",
                       &e))
    return x;
  sqlite3_bind_text(s, 1, suite, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 2, model, -1, SQLITE_STATIC);
  sqlite3_bind_text(s, 3, way, -1, SQLITE_STATIC);
  if (sqlite3_step(s) == SQLITE_ROW) x = real(s, 0);
  sqlite3_finalize(s);
  return x;
}

/* ---- by name ---------------------------------------------------------------------------------- */

static int first_id(struct database *d, const char *sql, const char *name, int64_t number, int64_t like, int64_t *id, struct err *e) {
  sqlite3_stmt *s;
  *id = 0;
  if (database_prepare(d, &s, sql, e)) return -1;
  if (name) sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
  sqlite3_bind_int64(s, 2, number);
  sqlite3_bind_int64(s, 3, like);
  int code = sqlite3_step(s);
  if (code == SQLITE_ROW) *id = sqlite3_column_int64(s, 0);
  return ended(d, s, code, e);
}

int database_find(struct database *d, const char *name, int64_t like, int64_t *id, struct err *e) {
  char quoted[80];
  char *end;
  long long number = strtoll(name, &end, 10);
  *id = 0;
  if (isdigit((unsigned char)*name) && !*end) {
    if (first_id(d, "SELECT id FROM run WHERE id = ?2", NULL, number, 0, id, e)) return -1;
  } else if (strncmp(name, "last", 4) == 0 && (!name[4] || name[4] == '~')) {
    long long back = name[4] ? strtoll(name + 5, &end, 10) : 0;
    if (name[4] && (!isdigit((unsigned char)name[5]) || *end)) return err_usage(e, "last~1 is the run before the last one");
    if (first_id(d, "SELECT id FROM run WHERE suite = (SELECT suite FROM run ORDER BY id DESC LIMIT 1) ORDER BY id DESC LIMIT 1 OFFSET ?2", NULL, back, 0, id, e)) return -1;
  } else if (first_id(d,
                      "SELECT id FROM run WHERE label = ?1 OR version = ?1 OR suite = ?1 OR (length(?1) >= 6 AND build LIKE ?1 || '%')"
                      " ORDER BY label IS ?1 DESC, ?3 AND suite = (SELECT suite FROM run WHERE id = ?3) DESC, id DESC LIMIT 1",
                      name, 0, like, id, e))
    return -1;
  if (*id) return 0;
  err_usage(e, "there is no run '%s'", err_quote(quoted, sizeof quoted, name, strlen(name)));
  err_hint(e, "thimble bench list shows them; a run is named by its number, label, version, suite, last or last~1");
  return -1;
}

/* ---- a whole run ------------------------------------------------------------------------------ */

struct loader {
  struct database *d;
  struct results *r;
  struct err *e;
  size_t rows; /* room for them */
};

static char *copy_of(struct loader *l, const char *t, size_t length) {
  size_t room = 4 * length + 1;
  char *copy = arena_alloc(&l->r->arena, room);
  if (!copy) err_memory(l->e, "results");
  else err_quote(copy, room, t ? t : "", length); /* a file may hold anything, and this goes to terminals */
  return copy;
}

static const char *copied(struct loader *l, sqlite3_stmt *s, int column) {
  const char *t = text(s, column), *copy = copy_of(l, t, t ? strlen(t) : 0);
  return copy ? copy : "";
}

static void split(struct loader *l, const char *lines, struct suite_words *out) {
  size_t n = 1;
  for (const char *p = lines; *p; p++) n += *p == '\n';
  out->at = arena_alloc(&l->r->arena, (n + 1) * sizeof *out->at);
  out->count = 0;
  for (const char *p = lines; out->at && *p;) {
    size_t length = strcspn(p, "\n");
    char *copy = length ? copy_of(l, p, length) : NULL;
    if (copy) out->at[out->count++] = copy;
    p += length + (p[length] == '\n');
  }
}

/* Rows come from a table, and their number from its index: in a file that was made on purpose these are two things. */
static size_t room_for(sqlite3_stmt *s, int column) {
  int64_t n = sqlite3_column_int64(s, column);
  return n > 0 ? (size_t)n : 0;
}

static int load_run(struct loader *l) {
  struct results *r = l->r;
  sqlite3_stmt *s;
  if (database_prepare(l->d, &s,
                       "SELECT suite, title, label, version, build, host, cpu, kernel, started, cores, memory, repetitions, finished IS NOT NULL, clock, space, baseline, columns,"
                       " (SELECT count(*) FROM task WHERE run = run.id) FROM run WHERE id = ?1",
                       l->e))
    return -1;
  sqlite3_bind_int64(s, 1, r->id);
  int code = sqlite3_step(s);
  if (code == SQLITE_ROW) {
    const char **texts[] = {&r->suite, &r->title, &r->label, &r->version, &r->build, &r->host, &r->cpu, &r->kernel, &r->started};
    for (int i = 0; i < 9; i++) *texts[i] = copied(l, s, i);
    r->cores = sqlite3_column_int64(s, 9);
    r->memory = sqlite3_column_int64(s, 10);
    r->repetitions = sqlite3_column_int64(s, 11);
    r->finished = sqlite3_column_int(s, 12);
    r->clock = copied(l, s, 13);
    r->space = copied(l, s, 14);
    r->baseline = copied(l, s, 15);
    split(l, text(s, 16) ? text(s, 16) : "", &r->columns);
    l->rows = room_for(s, 17);
    r->rows = arena_alloc(&r->arena, (l->rows + 1) * sizeof *r->rows);
    if (!r->rows) err_memory(l->e, "results");
  } else if (code == SQLITE_DONE) err_usage(l->e, "there is no run %lld", (long long)r->id);
  return ended(l->d, s, code, l->e) || l->e->kind ? -1 : 0;
}

static int load_tasks(struct loader *l) {
  struct results *r = l->r;
  sqlite3_stmt *s;
  int code;
  if (database_prepare(l->d, &s,
                       "SELECT id, model, way, tool, tool_version, family, command, size, paper, (SELECT count(*) FROM result WHERE task = task.id) FROM task WHERE run = ?1 ORDER BY number", l->e))
    return -1;
  sqlite3_bind_int64(s, 1, r->id);
  while ((code = sqlite3_step(s)) == SQLITE_ROW && !l->e->kind) {
    if (r->count == l->rows) {
      database_damaged(l->d, "there are more tasks than it says", l->e);
      break;
    }
    struct row *row = &r->rows[r->count++];
    row->id = sqlite3_column_int64(s, 0);
    row->model = copied(l, s, 1);
    row->way = copied(l, s, 2);
    row->tool = copied(l, s, 3);
    row->tool_version = copied(l, s, 4);
    row->family = copied(l, s, 5);
    row->command = copied(l, s, 6);
    row->size = real(s, 7);
    row->note = "not run yet";
    row->paper = text(s, 8) ? json_loads(text(s, 8), 0, NULL) : NULL;
    row->room = room_for(s, 9);
    row->samples = arena_alloc(&r->arena, (row->room + 1) * sizeof *row->samples);
    if (!row->samples) err_memory(l->e, "results");
  }
  return ended(l->d, s, code, l->e) || l->e->kind ? -1 : 0;
}

static int load_samples(struct loader *l) {
  struct results *r = l->r;
  sqlite3_stmt *s;
  int code;
  size_t at = 0;
  if (database_prepare(l->d, &s,
                       "SELECT task, repetition, outcome, exit_code, verdict, wall, cpu, search, resident, rss, held, store, states, transitions, deadlocks, figures, message FROM result"
                       " JOIN task ON task.id = result.task WHERE run = ?1 ORDER BY number, repetition",
                       l->e))
    return -1;
  sqlite3_bind_int64(s, 1, r->id);
  while ((code = sqlite3_step(s)) == SQLITE_ROW && !l->e->kind) {
    while (at < r->count && r->rows[at].id != sqlite3_column_int64(s, 0)) at++;
    if (at == r->count || r->rows[at].count == r->rows[at].room) {
      database_damaged(l->d, "there are more results than it says", l->e);
      break;
    }
    struct sample *x = &r->rows[at].samples[r->rows[at].count++];
    x->repetition = sqlite3_column_int(s, 1);
    x->outcome = outcome_of(text(s, 2));
    x->exit_code = sqlite3_column_int(s, 3);
    x->verdict = copied(l, s, 4);
    double *numbers[] = {&x->wall, &x->cpu, &x->search, &x->resident, &x->rss, &x->held, &x->store, &x->figure[0], &x->figure[1], &x->figure[2]};
    for (int i = 0; i < 10; i++) *numbers[i] = real(s, 5 + i);
    x->told = text(s, 15) ? json_loads(text(s, 15), 0, NULL) : NULL;
    x->message = copied(l, s, 16);
  }
  return ended(l->d, s, code, l->e) || l->e->kind ? -1 : 0;
}

int database_load(struct database *d, int64_t run, struct results *r, struct mem *mem, struct err *e) {
  struct loader l = {.d = d, .r = r, .e = e};
  *r = (struct results){.id = run};
  arena_open(&r->arena, mem, MEM_OTHER);
  if (sqlite3_exec(d->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) return database_wrong(d, e); /* a bench may be writing meanwhile */
  int bad = load_run(&l) || load_tasks(&l) || load_samples(&l);
  sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL);
  if (!bad) return 0;
  results_close(r);
  *r = (struct results){0};
  return -1;
}

int database_list(struct database *d, database_listed *listed, void *context, struct err *e) {
  sqlite3_stmt *s;
  int code;
  if (database_prepare(d, &s,
                       "SELECT id, suite, label, version, build, started, host, finished IS NOT NULL, repetitions, (SELECT count(*) FROM task WHERE run = run.id),"
                       " (SELECT count(*) FROM result JOIN task ON task.id = task WHERE run = run.id),"
                       " (SELECT count(*) FROM result JOIN task ON task.id = task WHERE run = run.id AND outcome = 'wrong') FROM run ORDER BY id",
                       e))
    return -1;
  while ((code = sqlite3_step(s)) == SQLITE_ROW) {
    struct database_line l = {.id = sqlite3_column_int64(s, 0),
                              .suite = text(s, 1),
                              .label = text(s, 2),
                              .version = text(s, 3),
                              .build = text(s, 4),
                              .started = text(s, 5),
                              .host = text(s, 6),
                              .finished = sqlite3_column_int(s, 7),
                              .tasks = sqlite3_column_int64(s, 9),
                              .results = sqlite3_column_int64(s, 10),
                              .wrong = sqlite3_column_int64(s, 11)};
    if (__builtin_mul_overflow(l.tasks, sqlite3_column_int64(s, 8), &l.wanted)) l.wanted = INT64_MAX;
    if (!l.suite || !l.version || !l.build || !l.started) {
      sqlite3_finalize(s);
      return database_damaged(d, "a run has no name", e);
    }
    if (listed(context, &l)) break;
  }
  return ended(d, s, code, e);
}
