/* fuzz_include.c -- any bytes as a Promela model with directives, in a folder with some headers, and with a file outside of it that must not be read.
 *
 * What the scan of #include lets through goes to the real preprocessor: if words of the file outside come back, the scan has overlooked a directive.  That is another process, so only texts that name that file once lines are joined go there, and
 * some others, by their bytes, which are read as models to the end. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"
#include "place.h"

#include "front/promela/promela.h"
#include "front/promela/source.h"

#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char words[] = "int forbidden_words_that_nobody_sees;\n";
static char outside[200], inside[220], model[240];

static void put(const char *folder, const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  demand(out && fputs(text, out) >= 0 && fclose(out) == 0);
}

static void clean_up(void) {
  char path[300];
  static const char *const names[] = {"in/sub/far.h", "in/sub", "in/own.h", "in/round.h", "in/link.h", "in", "secret.h", ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", outside, names[i]);
    if (unlink(path)) rmdir(path);
  }
}

static void settle_in(void) {
  char path[300], to[300];
  snprintf(outside, sizeof outside, "%.150s/fuzz-include-%ld", fuzz_place(), (long)getpid());
  snprintf(inside, sizeof inside, "%s/in", outside);
  snprintf(model, sizeof model, "%s/model.pml", inside);
  snprintf(path, sizeof path, "%s/sub", inside);
  demand(mkdir(outside, 0700) == 0 && mkdir(inside, 0700) == 0 && mkdir(path, 0700) == 0);
  put(outside, "secret.h", words);
  put(inside, "own.h", "int own;\n");
  put(inside, "round.h", "#include \"round.h\"\n#include \"sub/far.h\"\n");
  put(path, "far.h", "#define FAR 1\n");
  snprintf(to, sizeof to, "%s/secret.h", outside);
  snprintf(path, sizeof path, "%s/link.h", inside);
  demand(symlink(to, path) == 0);
  atexit(clean_up);
}

/* Does the text name the file outside, in whatever lines? */
static int names_it(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  size_t n = 0;
  demand(text);
  for (size_t i = 0; i < size; i++)
    if (!strchr("\\\n\r \t\f\v", data[i]) || !data[i]) text[n++] = (char)data[i];
  int named = n && (memmem(text, n, "secret", 6) || memmem(text, n, "link.h", 6));
  free(text);
  return named;
}

/* The words of the file outside, found without comparing bytes with them: fuzzers learn from comparisons what to write into a text. */
static int tells_it(const char *text, size_t length) {
  size_t n = strlen(words);
  uint32_t total = 0;
  for (size_t i = 0; i < n; i++) total += ((uint32_t)(uint8_t)words[i] + 7) * 2654435761u << i % 5;
  for (size_t at = 0; at + n <= length; at++) {
    uint32_t here = 0;
    for (size_t i = 0; i < n; i++) here += ((uint32_t)(uint8_t)text[at + i] + 7) * 2654435761u << i % 5;
    if (here == total && text[at] == words[0] && text[at + n - 1] == words[n - 1]) return 1;
  }
  return 0;
}

static void preprocess(const uint8_t *data, size_t size, struct front_setup *setup) {
  struct err e;
  char *out = NULL;
  size_t length = 0;
  err_clear(&e);
  if (preprocess_run(&out, &length, (const char *)data, size, setup, &e)) return;
  demand(!tells_it(out, length));
  mem_free(setup->mem, out);
}

static void read_model(const uint8_t *data, size_t size, struct front_setup *setup) {
  struct err e;
  struct program *p = NULL;
  err_clear(&e);
  setup->input = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(setup->input);
  int status = promela_read(&p, setup, 0, &e);
  fclose(setup->input);
  demand(status == 0 ? p != NULL : e.message[0] && strlen(e.excerpt) < sizeof e.excerpt && e.caret < (long)sizeof e.excerpt);
  program_close(p);
}

static void look(const uint8_t *data, size_t size, size_t refuse) {
  struct mem m;
  struct err e;
  struct front_setup setup = {.mem = &m, .file = model, .warn = no_warning};
  mem_open(&m, BUDGET);
  m.fail_after = refuse;
  err_clear(&e);
  int bad = include_check((const char *)data, size, &setup, &e);
  demand(bad ? e.message[0] && (e.kind == ERR_INPUT || (refuse && e.kind == ERR_MEMORY)) : e.kind == ERR_NONE);
  if (!bad && !refuse) {
    if (names_it(data, size)) preprocess(data, size, &setup);
    else if (fuzz_pick(data, size) < 3) read_model(data, size, &setup);
  }
  demand(m.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!*outside) settle_in();
  look(data, size, 0);
  look(data, size, fuzz_pick(data, size));
  return 0;
}
