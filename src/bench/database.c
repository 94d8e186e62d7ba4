/* database.c -- see database.h: the file, and what a bench writes.  What is read back is database_read.c. */
#define _GNU_SOURCE
#include "bench/database_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION = 0x54686d62, SCHEMA = 1 }; /* "Thmb" */

/* As they stand in the file, word by word: a table of another making could be a view that never ends, or do things of its own when it is read. */
static const struct {
  const char *name, *sql;
} tables[] = {
    {"run", "CREATE TABLE run (id INTEGER PRIMARY KEY, suite TEXT NOT NULL, title TEXT, file TEXT, hash TEXT NOT NULL, label TEXT, version TEXT NOT NULL, build TEXT NOT NULL, program TEXT,"
            " started TEXT NOT NULL, finished TEXT, host TEXT, cpu TEXT, cores INTEGER, memory INTEGER, kernel TEXT, process TEXT, repetitions INTEGER NOT NULL,"
            " time_limit REAL, memory_limit INTEGER, clock TEXT NOT NULL, space TEXT NOT NULL, baseline TEXT, columns TEXT)"},
    {"task", "CREATE TABLE task (id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, number INTEGER NOT NULL, model TEXT NOT NULL, way TEXT NOT NULL, tool TEXT,"
             " tool_version TEXT, family TEXT, size REAL, command TEXT, paper TEXT, UNIQUE (run, number))"},
    {"result", "CREATE TABLE result (task INTEGER NOT NULL REFERENCES task(id) ON DELETE CASCADE, repetition INTEGER NOT NULL, at TEXT NOT NULL, outcome TEXT NOT NULL, exit_code INTEGER, verdict TEXT,"
               " wall REAL, cpu REAL, search REAL, resident INTEGER, rss INTEGER, held INTEGER, store INTEGER, states INTEGER, transitions INTEGER, deadlocks INTEGER, figures TEXT, message TEXT,"
               " PRIMARY KEY (task, repetition))"},
};
enum { TABLES = sizeof tables / sizeof *tables };

static const char rest_of_schema[] =
    "CREATE INDEX run_of_suite ON run (suite, id);"
    "PRAGMA application_id = 1416129890;"
    "PRAGMA user_version = 1;";

/* ---- statements ------------------------------------------------------------------------------- */

int database_damaged(struct database *d, const char *how, struct err *e) {
  err_io(e, d->file, "the database is damaged: %.200s", how);
  err_hint(e, "move it away, or choose another with --database FILE");
  return -1;
}

int database_wrong(struct database *d, struct err *e) {
  int code = sqlite3_errcode(d->db) & 0xff;
  const char *why = sqlite3_errmsg(d->db);
  if (code == SQLITE_CORRUPT) return database_damaged(d, why, e);
  if (code == SQLITE_NOTADB) {
    err_io(e, d->file, "this is no database of results");
    err_hint(e, "move it away, or choose another with --database FILE");
    return -1;
  }
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED) return err_io(e, d->file, "the database is in use by another process");
  return err_io(e, d->file, "the database cannot be used: %s", why);
}

int database_prepare(struct database *d, sqlite3_stmt **out, const char *sql, struct err *e) { return sqlite3_prepare_v2(d->db, sql, -1, out, NULL) == SQLITE_OK ? 0 : database_wrong(d, e); }

/* Runs a statement without results to its end. */
static int perform(struct database *d, sqlite3_stmt *s, struct err *e) {
  int code = sqlite3_step(s);
  int bad = code == SQLITE_DONE || code == SQLITE_ROW ? 0 : database_wrong(d, e);
  sqlite3_finalize(s);
  return bad;
}

static int execute(struct database *d, const char *sql, struct err *e) { return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : database_wrong(d, e); }

static void bind_text(sqlite3_stmt *s, int at, const char *text) {
  if (text) sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT);
}
static void bind_real(sqlite3_stmt *s, int at, double x) {
  if (isfinite(x)) sqlite3_bind_double(s, at, x);
}
static void bind_bytes(sqlite3_stmt *s, int at, uint64_t x) {
  if (x) sqlite3_bind_int64(s, at, (sqlite3_int64)x);
}

/* ---- the file --------------------------------------------------------------------------------- */

int database_default(char *out, size_t room) {
  const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  int n;
  if (data && *data == '/') n = snprintf(out, room, "%s/thimble/thimble.db", data);
  else if (home && *home) n = snprintf(out, room, "%s/.local/share/thimble/thimble.db", home);
  else return -1;
  return n > 0 && (size_t)n < room ? 0 : -1;
}

static void make_folders(const char *file) {
  char path[4096];
  snprintf(path, sizeof path, "%s", file);
  for (char *p = path + 1; *p; p++)
    if (*p == '/') {
      *p = 0;
      mkdir(path, 0777); /* what is in the way is told when the file is opened */
      *p = '/';
    }
}

/* One number of a PRAGMA or a count. */
static int number(struct database *d, const char *sql, int64_t *out, struct err *e) {
  sqlite3_stmt *s;
  if (database_prepare(d, &s, sql, e)) return -1;
  int code = sqlite3_step(s);
  *out = code == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
  int bad = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : database_wrong(d, e);
  sqlite3_finalize(s);
  return bad;
}

static int sound(struct database *d, struct err *e) {
  sqlite3_stmt *s;
  if (database_prepare(d, &s, "PRAGMA quick_check(1)", e)) return -1;
  int code = sqlite3_step(s), bad = 0;
  const char *says = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
  if (!says) bad = database_wrong(d, e);
  else if (strcmp(says, "ok") != 0) bad = database_damaged(d, says, e);
  sqlite3_finalize(s);
  return bad;
}

static int create_schema(struct database *d, struct err *e) {
  for (int i = 0; i < TABLES; i++)
    if (execute(d, tables[i].sql, e)) return -1;
  return execute(d, rest_of_schema, e);
}

/* 1: all tables are as they were made, and nothing happens by itself when rows are written; 0: not so; -1 with err. */
static int own_tables(struct database *d, struct err *e) {
  int64_t triggers;
  if (number(d, "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'", &triggers, e)) return -1;
  int same = !triggers;
  for (int i = 0; i < TABLES && same > 0; i++) {
    sqlite3_stmt *s;
    if (database_prepare(d, &s, "SELECT sql FROM sqlite_master WHERE name = ?1", e)) return -1;
    bind_text(s, 1, tables[i].name);
    int code = sqlite3_step(s);
    const char *sql = code == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
    same = code != SQLITE_ROW && code != SQLITE_DONE ? database_wrong(d, e) : sql && strcmp(sql, tables[i].sql) == 0;
    if (same > 0 && sqlite3_step(s) == SQLITE_ROW) same = 0; /* which of two would be read? */
    sqlite3_finalize(s);
  }
  return same;
}

static int check_schema(struct database *d, int create, struct err *e) {
  int64_t there, application, version;
  if (number(d, "SELECT count(*) FROM sqlite_master", &there, e) || number(d, "PRAGMA application_id", &application, e) || number(d, "PRAGMA user_version", &version, e)) return -1;
  if (!there && create) {
    if (execute(d, "BEGIN IMMEDIATE", e)) return -1;
    if (number(d, "SELECT count(*) FROM sqlite_master", &there, e)) return -1; /* another bench may have been faster */
    return (!there && create_schema(d, e)) || execute(d, "COMMIT", e) ? -1 : 0;
  }
  if (application != APPLICATION) {
    err_io(e, d->file, "this is no database of results");
    err_hint(e, "choose another with --database FILE");
    return -1;
  }
  if (version != SCHEMA) return err_io(e, d->file, "the database is of another version of thimble (%lld, this one reads %d)", (long long)version, SCHEMA);
  int own = own_tables(d, e);
  if (own) return own < 0 ? -1 : 0;
  err_io(e, d->file, "the tables of the database are not those that thimble makes");
  err_hint(e, "choose another with --database FILE");
  return -1;
}

int database_open(struct database **out, const char *file, int create, struct mem *mem, struct err *e) {
  struct database *d = mem_alloc(mem, MEM_OTHER, sizeof *d);
  *out = NULL;
  if (!d) return err_memory(e, "the database");
  d->mem = mem;
  snprintf(d->file, sizeof d->file, "%s", file);
  if (create) make_folders(file);
  if (!create && access(file, F_OK) != 0) {
    err_io(e, file, errno == ENOENT ? "there are no results yet" : "cannot be opened: %s", strerror(errno));
    err_hint(e, "thimble bench SUITE.toml runs a suite");
    mem_free(mem, d);
    return -1;
  }
  int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  if (sqlite3_open_v2(file, &d->db, flags, NULL) != SQLITE_OK) {
    err_io(e, file, "cannot be opened: %s", d->db ? sqlite3_errmsg(d->db) : "no memory");
    database_close(d);
    return -1;
  }
  sqlite3_busy_timeout(d->db, 10000);
  sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL); /* the file may be anybody's */
  sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  if (check_schema(d, create, e) || sound(d, e) || (!sqlite3_db_readonly(d->db, "main") && execute(d, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL", e))) {
    database_close(d);
    return -1;
  }
  *out = d;
  return 0;
}

void database_close(struct database *d) {
  if (!d) return;
  sqlite3_close(d->db);
  mem_free(d->mem, d);
}

/* Who is at a run: number and start of the process, because numbers come again. "": it is not there. */
static void identify(pid_t pid, char *out, size_t room) {
  char name[64], line[1024];
  unsigned long long start = 0;
  snprintf(name, sizeof name, "/proc/%ld/stat", (long)pid);
  FILE *in = fopen(name, "re");
  char *after = in && fgets(line, sizeof line, in) ? strrchr(line, ')') : NULL; /* the program's name may hold anything */
  if (in) fclose(in);
  out[0] = 0;
  if (after && sscanf(after + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &start) == 1) snprintf(out, room, "%ld:%llu", (long)pid, start);
}

static int alive(const char *who) {
  char now[64];
  identify((pid_t)(who ? strtol(who, NULL, 10) : 0), now, sizeof now);
  return who && *now && strcmp(who, now) == 0;
}

static void bind_self(sqlite3_stmt *s, int at) {
  char self[64];
  identify(getpid(), self, sizeof self);
  sqlite3_bind_text(s, at, self, -1, SQLITE_TRANSIENT);
}

/* ---- what a bench writes ---------------------------------------------------------------------- */

static void bind_joined(sqlite3_stmt *s, int at, const struct suite_words *words) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; out && i < words->count; i++) fprintf(out, "%s%s", i ? "\n" : "", words->at[i]);
  if (out && fclose(out) == 0) bind_text(s, at, text);
  free(text);
}

static void bind_hash(sqlite3_stmt *s, int at, uint64_t hash) {
  char text[20];
  snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
  bind_text(s, at, text);
}

int database_begin(struct database *d, const struct database_run *r, int64_t *id, struct err *e) {
  const struct suite *u = r->suite;
  sqlite3_stmt *s;
  if (database_prepare(d, &s,
                       "INSERT INTO run (suite, title, file, hash, label, version, build, program, started, host, cpu, cores, memory, kernel, process, repetitions, time_limit, memory_limit,"
                       " clock, space, baseline, columns) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,datetime('now'),?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21)",
                       e))
    return -1;
  bind_text(s, 1, u->name);
  bind_text(s, 2, u->title);
  bind_text(s, 3, u->file);
  bind_hash(s, 4, u->hash);
  bind_text(s, 5, r->label);
  bind_text(s, 6, r->version);
  bind_text(s, 7, r->machine->build);
  bind_text(s, 8, r->program);
  bind_text(s, 9, r->machine->host);
  bind_text(s, 10, r->machine->cpu);
  sqlite3_bind_int64(s, 11, r->machine->cores);
  bind_bytes(s, 12, r->machine->memory);
  bind_text(s, 13, r->machine->kernel);
  bind_self(s, 14);
  sqlite3_bind_int64(s, 15, (sqlite3_int64)u->repetitions);
  if (u->seconds > 0) sqlite3_bind_double(s, 16, u->seconds);
  bind_bytes(s, 17, u->bytes);
  bind_text(s, 18, u->clock);
  bind_text(s, 19, u->space);
  bind_text(s, 20, u->baseline);
  bind_joined(s, 21, &u->columns);
  if (perform(d, s, e)) return -1;
  *id = sqlite3_last_insert_rowid(d->db);
  return 0;
}

int database_add_task(struct database *d, int64_t run, size_t number_, const struct suite_task *t, const char *tool_version, const char *command, struct err *e) {
  sqlite3_stmt *s;
  json_t *paper = t->paper ? json_object() : NULL;
  for (const struct suite_pair *p = t->paper; p; p = p->next) json_object_set_new(paper, p->name, json_real(p->number));
  char *text = paper ? json_dumps(paper, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
  json_decref(paper);
  if (database_prepare(d, &s, "INSERT INTO task (run, number, model, way, tool, tool_version, family, size, command, paper) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)", e)) {
    free(text);
    return -1;
  }
  sqlite3_bind_int64(s, 1, run);
  sqlite3_bind_int64(s, 2, (sqlite3_int64)number_);
  bind_text(s, 3, t->model->name);
  bind_text(s, 4, t->way->name);
  bind_text(s, 5, t->way->tool ? t->way->tool->name : "thimble");
  bind_text(s, 6, tool_version);
  bind_text(s, 7, t->model->family);
  bind_real(s, 8, t->model->size);
  bind_text(s, 9, command);
  bind_text(s, 10, text);
  free(text);
  return perform(d, s, e);
}

int database_unfinished(struct database *d, const struct database_run *r, int64_t *id, struct err *e) {
  sqlite3_stmt *s;
  *id = 0;
  if (database_prepare(d, &s,
                       "SELECT id, process FROM run WHERE suite = ?1 AND hash = ?2 AND version = ?3 AND build = ?4 AND label IS ?5 AND repetitions = ?6 AND host = ?7 AND finished IS NULL"
                       " AND ifnull(time_limit, 0) = ?8 AND ifnull(memory_limit, 0) = ?9 ORDER BY id DESC",
                       e))
    return -1;
  bind_text(s, 1, r->suite->name);
  bind_hash(s, 2, r->suite->hash);
  bind_text(s, 3, r->version);
  bind_text(s, 4, r->machine->build);
  bind_text(s, 5, r->label);
  sqlite3_bind_int64(s, 6, (sqlite3_int64)r->suite->repetitions);
  bind_text(s, 7, r->machine->host);
  sqlite3_bind_double(s, 8, r->suite->seconds);
  sqlite3_bind_int64(s, 9, (sqlite3_int64)r->suite->bytes);
  int code;
  while ((code = sqlite3_step(s)) == SQLITE_ROW) {
    if (alive((const char *)sqlite3_column_text(s, 1))) continue; /* someone is at it */
    *id = sqlite3_column_int64(s, 0);
    break;
  }
  int bad = code == SQLITE_ROW || code == SQLITE_DONE ? 0 : database_wrong(d, e);
  sqlite3_finalize(s);
  return bad;
}

int database_take(struct database *d, int64_t run, struct err *e) {
  sqlite3_stmt *s;
  if (database_prepare(d, &s, "UPDATE run SET process = ?2 WHERE id = ?1", e)) return -1;
  sqlite3_bind_int64(s, 1, run);
  bind_self(s, 2);
  return perform(d, s, e);
}

int database_add_result(struct database *d, int64_t run, size_t task, int repetition, const struct measurement *m, struct err *e) {
  sqlite3_stmt *s;
  if (database_prepare(d, &s,
                       "INSERT OR REPLACE INTO result (task, repetition, at, outcome, exit_code, verdict, wall, cpu, search, resident, rss, held, store, states, transitions, deadlocks, figures, message)"
                       " VALUES ((SELECT id FROM task WHERE run = ?1 AND number = ?2), ?3, datetime('now'), ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
                       e))
    return -1;
  sqlite3_bind_int64(s, 1, run);
  sqlite3_bind_int64(s, 2, (sqlite3_int64)task);
  sqlite3_bind_int64(s, 3, repetition);
  bind_text(s, 4, outcome_names[m->outcome]);
  sqlite3_bind_int64(s, 5, m->exit_code);
  if (*m->verdict) bind_text(s, 6, m->verdict);
  bind_real(s, 7, m->wall);
  bind_real(s, 8, m->cpu);
  bind_real(s, 9, m->search);
  bind_bytes(s, 10, m->resident);
  bind_bytes(s, 11, m->rss);
  bind_bytes(s, 12, m->held);
  bind_bytes(s, 13, m->store);
  for (int i = 0; i < SUITE_FIGURES; i++)
    if (m->figure[i] >= 0) sqlite3_bind_int64(s, 14 + i, m->figure[i]);
  bind_text(s, 17, m->figures);
  if (*m->message) bind_text(s, 18, m->message);
  return perform(d, s, e);
}

int database_finish(struct database *d, int64_t run, struct err *e) {
  sqlite3_stmt *s;
  if (database_prepare(d, &s, "UPDATE run SET finished = datetime('now'), process = NULL WHERE id = ?1", e)) return -1;
  sqlite3_bind_int64(s, 1, run);
  return perform(d, s, e);
}

int database_remove(struct database *d, int64_t run, struct err *e) {
  sqlite3_stmt *s;
  if (database_prepare(d, &s, "DELETE FROM run WHERE id = ?1", e)) return -1;
  sqlite3_bind_int64(s, 1, run);
  return perform(d, s, e);
}

int database_transaction(struct database *d, int begin, struct err *e) { return execute(d, begin ? "BEGIN IMMEDIATE" : "COMMIT", e); }
