/* dve_corpus.c -- the BEEM models, read and walked by definition: states, transitions and deadlocks are those that other
 * tools found.  Models up to 60000 states; a larger limit may be given as argument.  Every model must at least be read. */
#include "front/dve/dve.h"
#include "program_oracle.h"
#include "tap.h"

#include <dirent.h>
#include <stdio.h>

struct expected {
  char name[64];
  long states, transitions, deadlocks; /* -1 = not known */
};

static size_t expectations(const char *corpus, struct expected *out, size_t room) {
  char path[600], line[300];
  snprintf(path, sizeof path, "%s/dve/ORACLE.csv", corpus);
  FILE *in = fopen(path, "r");
  size_t count = 0;
  if (!in) return 0;
  while (count < room && fgets(line, sizeof line, in)) {
    struct expected e = {.deadlocks = -1};
    if (sscanf(line, "%63[^,],%ld,%ld,%ld", e.name, &e.states, &e.transitions, &e.deadlocks) >= 3) out[count++] = e;
  }
  fclose(in);
  return count;
}

static void try_model(const char *corpus, const char *file, const struct expected *list, size_t count, long most) {
  char path[1000], what[500];
  struct mem mem;
  struct err err;
  struct program *program;
  snprintf(path, sizeof path, "%s/dve/%s", corpus, file);
  mem_open(&mem, 0);
  err_clear(&err);
  struct front_setup setup = {.mem = &mem, .file = file, .input = fopen(path, "r")};
  if (!setup.input) return;
  int status = dve_read(&program, &setup, &err);
  fclose(setup.input);
  snprintf(what, sizeof what, "%s is read", file);
  if (!ok(status == 0, what)) {
    printf("#   %ld:%ld: %s\n", err.line, err.column, err.message);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const struct expected *e = &list[i];
    if (strncmp(e->name, file, strlen(e->name)) || strcmp(file + strlen(e->name), ".dve") || e->states > most) continue;
    struct program_oracle o = program_oracle_explore(program, (size_t)e->states + 1000);
    snprintf(what, sizeof what, "%.63s: %ld states, %ld transitions, %ld deadlocks", e->name, e->states, e->transitions,
             e->deadlocks);
    int good = o.complete && !o.unsupported && (long)o.states == e->states && (long)o.edges == e->transitions &&
               (e->deadlocks < 0 || (long)o.deadlocks == e->deadlocks);
    if (!ok(good, what) || o.faults)
      printf("#   got %zu states, %zu transitions, %zu deadlocks%s%s; %zu faults\n", o.states, o.edges, o.deadlocks,
             o.complete ? "" : ", incomplete", o.unsupported ? ", unsupported" : "", o.faults);
    program_oracle_free(&o);
  }
  program_close(program);
  if (mem.used) ok(0, "all memory comes back");
}

int main(int argc, char **argv) {
  static struct expected list[500];
  const char *corpus = getenv("THIMBLE_CORPUS");
  if (!corpus) corpus = "../shared/corpus";
  long most = argc > 1 ? atol(argv[1]) : 60000;
  size_t count = expectations(corpus, list, 500);
  char folder[600];
  snprintf(folder, sizeof folder, "%s/dve", corpus);
  struct dirent **entries;
  int n = count ? scandir(folder, &entries, NULL, alphasort) : -1;
  if (n < 0) {
    skip("models of the corpus", "the corpus is not there");
    return done();
  }
  for (int i = 0; i < n; i++) {
    size_t length = strlen(entries[i]->d_name);
    if (length > 4 && !strcmp(entries[i]->d_name + length - 4, ".dve")) try_model(corpus, entries[i]->d_name, list, count, most);
    free(entries[i]);
  }
  free(entries);
  return done();
}
