/* fuzz_database.c -- any bytes as a database of results, and any rows in one that is whole: no crash, no lost memory; what is refused has a reason, and what is not can be listed, shown, compared, drawn and removed.
 *
 * The first byte chooses: even, the rest is the file; odd, the rest is a list of rows: a byte for the table, then for each of its columns a byte for the kind of value, and the value.  Rows that SQLite does not take are left
 * out.  Bit 1: runs are compared as well, which takes longer. */
#include "bench/compare.h"
#include "bench/database.h"
#include "bench/plot.h"
#include "bench/show.h"
#include "demand.h"
#include "place.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char name[200];
static uint8_t *whole; /* one without rows */
static size_t whole_size;

/* ---- the file ------------------------------------------------------------------------------------------------------------- */

static void clean_up(void) {
  static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
  char file[240];
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    snprintf(file, sizeof file, "%s%s", name, ends[i]);
    unlink(file);
  }
}

static void write_raw(const uint8_t *data, size_t size) {
  clean_up();
  FILE *out = fopen(name, "wb");
  demand(out && fwrite(data, 1, size, out) == size && fclose(out) == 0);
}

static void settle_in(void) {
  struct mem m;
  struct err e;
  struct database *d;
  snprintf(name, sizeof name, "%.150s/fuzz-database-%ld.db", fuzz_place(), (long)getpid());
  clean_up();
  mem_open(&m, 0);
  err_clear(&e);
  demand(database_open(&d, name, 1, &m, &e) == 0);
  database_close(d);
  FILE *in = fopen(name, "rb");
  demand(in && (whole = malloc(1 << 20)) && (whole_size = fread(whole, 1, 1 << 20, in)) > 0);
  fclose(in);
  atexit(clean_up);
}

/* ---- rows ----------------------------------------------------------------------------------------------------------------- */

struct input {
  const uint8_t *at, *end;
};

static unsigned byte(struct input *in) { return in->at < in->end ? *in->at++ : 0; }

static void bind(sqlite3_stmt *s, int column, struct input *in) {
  static const char *const words[] = {"holds", "ok", "wrong", "time", "search", "wall", "store", "resident", "plain", "{\"states\": 1e999, \"a\": {\"b\": true}}", "{\"time\": 5}", "states\n\ntime%\na.b\npaper.time\n%", "<script>x</script>", "\033[2J"};
  unsigned kind = byte(in);
  union {
    uint8_t bytes[8];
    int64_t whole;
    double real;
  } number = {{0}};
  if (kind % 8 == 0) sqlite3_bind_null(s, column);
  else if (kind % 8 == 1) sqlite3_bind_int64(s, column, kind / 8);
  else if (kind % 8 == 2) sqlite3_bind_text(s, column, words[kind / 8 % (sizeof words / sizeof *words)], -1, SQLITE_STATIC);
  else if (kind % 8 <= 4) {
    for (int i = 0; i < 8; i++) number.bytes[i] = (uint8_t)byte(in);
    if (kind % 8 == 3) sqlite3_bind_int64(s, column, number.whole);
    else sqlite3_bind_double(s, column, number.real);
  } else {
    size_t length = kind / 8 < (size_t)(in->end - in->at) ? kind / 8 : (size_t)(in->end - in->at);
    if (kind % 8 == 5) sqlite3_bind_blob(s, column, in->at, (int)length, SQLITE_TRANSIENT);
    else sqlite3_bind_text(s, column, (const char *)in->at, (int)length, SQLITE_TRANSIENT);
    in->at += length;
  }
}

static void write_rows(const uint8_t *data, size_t size) {
  static const struct {
    const char *table;
    int columns;
  } tables[] = {{"run", 24}, {"task", 11}, {"result", 18}};
  struct input in = {data, data + size};
  sqlite3 *db;
  write_raw(whole, whole_size);
  demand(sqlite3_open(name, &db) == SQLITE_OK && sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL) == SQLITE_OK);
  for (int rows = 0; in.at < in.end && rows < 60; rows++) {
    char sql[120];
    unsigned which = byte(&in) % 3;
    sqlite3_stmt *s;
    int n = snprintf(sql, sizeof sql, "INSERT OR IGNORE INTO %s VALUES (?1", tables[which].table);
    for (int i = 1; i < tables[which].columns; i++) n += snprintf(sql + n, sizeof sql - (size_t)n, ",?");
    snprintf(sql + n, sizeof sql - (size_t)n, ")");
    demand(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK);
    for (int i = 1; i <= tables[which].columns; i++) bind(s, i, &in);
    sqlite3_step(s);
    sqlite3_finalize(s);
  }
  sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  sqlite3_close(db);
}

/* ---- what is done with it ------------------------------------------------------------------------------------------------- */

static int listed(void *context, const struct database_line *l) {
  demand(l->suite && l->version && l->build && l->started);
  ++*(size_t *)context;
  return 0;
}

static int told(void *context, size_t task, int repetition, enum outcome o, double wall, const char *message) {
  (void)context, (void)task, (void)repetition, (void)wall, (void)message;
  demand(o <= OUTCOME_ABSENT);
  return 0;
}

static void demand_tame(char *text, size_t size, const char *never) {
  demand(!strstr(text, never));
  demand(strlen(text) == size);
  free(text);
}

static void tell(const struct results *r, const struct results *other, int compare, struct mem *m) {
  static const char *const pictures[] = {"relative", "memory", "scaling"};
  char *text = NULL;
  size_t size = 0;
  struct err e;
  err_clear(&e);
  FILE *out = open_memstream(&text, &size);
  demand(out);
  for (int format = SHOW_TEXT; format <= SHOW_JSON; format++)
    if (format != SHOW_CSV) show_run(r, (enum show_format)format, m, out);
  struct comparison c;
  if (compare) {
    if (compare_runs(&c, r, other, m, &e) == 0) {
      demand(c.count <= r->count && c.only_a <= r->count && c.only_b <= other->count);
      compare_text(&c, m, out);
      compare_json(&c, out);
    } else demand(e.message[0]);
    compare_close(&c);
  }
  demand(fclose(out) == 0);
  demand_tame(text, size, "\033");
  out = open_memstream(&text, &size);
  demand(out);
  show_run(r, SHOW_CSV, m, out);
  demand(fclose(out) == 0);
  free(text);
  out = open_memstream(&text, &size);
  demand(out);
  err_clear(&e);
  if (plot_html(r, m, out, &e)) demand(e.message[0]);
  for (size_t i = 0; i < 3; i++) {
    err_clear(&e);
    if (plot_svg(r, pictures[i], m, out, &e)) demand(e.message[0]);
  }
  demand(fclose(out) == 0);
  demand_tame(text, size, "<script");
}

static int usual(const struct err *e, size_t refuse) { return e->message[0] && (e->kind == ERR_IO || e->kind == ERR_USAGE || (refuse && e->kind == ERR_MEMORY)); }

static void read_all(int compare, size_t refuse) {
  struct mem m;
  struct err e;
  struct database *d = NULL;
  struct results r, before;
  size_t lines = 0;
  int64_t id, earlier;
  mem_open(&m, (size_t)64 << 20);
  m.fail_after = refuse;
  err_clear(&e);
  if (database_open(&d, name, 0, &m, &e)) demand(!d && usual(&e, refuse));
  else {
    if (database_list(d, listed, &lines, &e)) demand(usual(&e, refuse));
    err_clear(&e);
    if (database_find(d, "last", 0, &id, &e) || database_each(d, id, told, NULL, &e) || database_load(d, id, &r, &m, &e)) demand(usual(&e, refuse));
    else {
      database_last_wall(d, r.suite, "m", "plain");
      if (!compare || database_find(d, "last~1", id, &earlier, &e) || database_load(d, earlier, &before, &m, &e)) tell(&r, &r, compare, &m);
      else {
        tell(&r, &before, 1, &m);
        results_close(&before);
      }
      results_close(&r);
      err_clear(&e);
      if (database_remove(d, id, &e)) demand(usual(&e, refuse));
    }
  }
  database_close(d);
  demand(m.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!whole) settle_in();
  if (!size) return 0;
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  void (*write)(const uint8_t *, size_t) = data[0] & 1 ? write_rows : write_raw;
  write(data + 1, size - 1);
  read_all(0, 1 + (h >> 7) % 60);
  write(data + 1, size - 1);
  read_all(data[0] >> 1 & 1, 0);
  clean_up();
  return 0;
}
