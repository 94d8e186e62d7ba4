/* process.c -- the laws of model.h on programs: the engine's successors are those of the definition (process/define.c), state by
 * state.
 *
 * Every model is explored as a whole, once on the interpreter and once on generated code where there is a C compiler.  edge_laws.h says which laws are
 * looked at in each state.
 *
 * With arguments: `process [-n STATES] FILE...` runs the same over these files, at most so many states each (default 2000). */
#include "tap.h"

#include "edge_laws.h"
#include "front/front.h"
#include "process/process.h"

#include <stdlib.h>

static char text[900];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* Numbers that the model's first lines expect; 0 = not told. */
static size_t expected(const char *file, const char *key) {
  char line[400];
  size_t n = 0;
  FILE *f = fopen(file, "r");
  for (int i = 0; f && i < 12 && fgets(line, sizeof line, f); i++) {
    const char *at = strstr(line, "expect: ");
    while (at && (at = strstr(at, key)) && (at[-1] != ' ' || at[strlen(key)] != '=')) at++;
    if (at) n = (size_t)strtoul(at + strlen(key) + 1, NULL, 10);
  }
  if (f) fclose(f);
  return n;
}

static void law(const char *file, int compiled, size_t most, int counted) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  struct walk w;
  mem_open(&mem, 0);
  err_clear(&e);
  difference[0] = 0;
  struct front_setup setup = {.mem = &mem};
  if (front_load(&m, file, NULL, &setup, &e)) {
    ok(!counted, NAMED("%s loads: %s", file, e.message));
    return;
  }
  if (compiled && process_choose_engine(m, PROCESS_COMPILED, 0, NULL)) {
    ok(1, NAMED("%s # SKIP no C compiler: %s", file, process_engine_why(m)));
    model_close(m);
    return;
  }
  if (!compiled) process_choose_engine(m, PROCESS_INTERPRETER, 0, NULL);
  const char *what = explore(&w, m, &mem, most);
  ok(!what, NAMED("%s, %s, %zu states, %zu transitions: %s%s", file, process_engine_name(m), w.known.count, w.transitions,
                  what ? what : "all laws", what ? difference : ""));
  if (counted && !what) {
    is(w.known.count, expected(file, "states"), NAMED("%s: states as expected", file));
    is(w.transitions, expected(file, "transitions"), NAMED("%s: transitions as expected", file));
  }
  model_close(m);
  is(mem.used, 0, NAMED("%s: nothing left behind", file));
}

int main(int argc, char **argv) {
  static const char *const files[] = {
      "tests/models/arithmetic.dve", "tests/models/asserted-meeting.dve", "tests/models/assertion-elsewhere.dve",
      "tests/models/assertion.dve",  "tests/models/buffered.dve",
      "tests/models/committed.dve",  "tests/models/committed-pair.dve",
      "tests/models/rendezvous.dve", "tests/models/atomic.pml",
      "tests/models/channels.pml",   "tests/models/dstep.pml",
      "tests/models/faults.pml",     "tests/models/hidden.pml",
      "tests/models/processes.pml",  "tests/models/provided.pml",
      "tests/models/remote.pml",     "tests/models/unless.pml",
      "tests/models/widths.pml",     "tests/models/heap.pmp",
      "tests/models/post.pmp",       "tests/models/loops.pml",
      "tests/models/endless.pml",    "tests/models/priorities.pml",
      "tests/models/timeouts.pml",   "tests/models/timeouts-provided.pml",
      "tests/models/long-dstep.pml",
      "tests/models/questions.pml",  "tests/models/priorities-meeting.pml",
      "tests/models/faults-atomic.pml", "tests/models/faults-provided.pml", "tests/models/faults-again.pml",
      "tests/models/dstep-meeting.pml", "tests/models/faults-print.pml",
      "tests/models/inits.pml",
  };
  size_t most = 2000;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) most = (size_t)strtoul(argv[++i], NULL, 10);
    else law(argv[i], 0, most, 0);
  }
  if (argc > 1) return done();
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    for (int compiled = 0; compiled < 2; compiled++) law(files[i], compiled, SIZE_MAX, 1);
  return done();
}
