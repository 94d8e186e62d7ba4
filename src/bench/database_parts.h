/* database_parts.h -- what database.c and database_read.c share. */
#ifndef BENCH_DATABASE_PARTS_H
#define BENCH_DATABASE_PARTS_H

#include "bench/database.h"

#include <sqlite3.h>

struct database {
  sqlite3 *db;
  struct mem *mem;
  char file[4096];
};

int database_wrong(struct database *, struct err *); /* -1 with what SQLite says */
int database_damaged(struct database *, const char *how, struct err *); /* -1 with err */
int database_prepare(struct database *, sqlite3_stmt **, const char *sql, struct err *);

#endif
