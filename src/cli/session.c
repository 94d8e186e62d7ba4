/* session.c -- see session.h. */
#include "cli/session.h"

#include "cli/altered.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/signals.h"
#include "colour/colour.h"
#include "front/front.h"
#include "front/text.h"
#include "run/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WARNINGS = 10, ERRORS = 20 }; /* told at most; front.h says how many errors a reader tells */

/* ---- budget and model ----------------------------------------------------------------- */

/* A budget in bytes is each rank's; a part of the machine is shared by the ranks that run there. */
void session_budget(struct session *s) {
  uint64_t size = options_size(&s->options, OPTION_MEMORY);
  if (s->spread && strchr(options_text(&s->options, OPTION_MEMORY), '%')) size /= s->spread->neighbours;
  mem_open(&s->mem, (size_t)size);
}

/* NAME=VALUE pairs; the text is copied and cut at the first =. */
static int overrides(struct session *s, enum option_id id, size_t *count) {
  size_t at = 0;
  const char *text;
  for (; (text = options_next(&s->options, id, &at)); ++*count) {
    size_t length = strlen(text), name = strcspn(text, "=");
    if (!text[name] || !name) {
      char quoted[80];
      err_usage(&s->err, "--%s takes %s, not '%s'", option_specs[id].name, option_specs[id].argument,
                err_quote(quoted, sizeof quoted, text, length));
      return -1;
    }
    char *copy = mem_strndup(&s->mem, MEM_OTHER, text, length);
    if (!copy) return err_memory(&s->err, "the command line");
    copy[name] = 0;
    s->overrides[*count] = (struct front_override){copy, copy + name + 1};
  }
  return 0;
}

static int language_known(struct session *s, const char *name) {
  const char *names[64];
  size_t n = 0;
  if (front_find(name)) return 0;
  for (const struct front_type *const *f = front_types; *f && n < 63; f++) names[n++] = (*f)->name;
  names[n] = NULL;
  char quoted[80];
  const char *near = text_nearest(name, names);
  err_usage(&s->err, "there is no language '%s'", err_quote(quoted, sizeof quoted, name, strlen(name)));
  if (near) err_hint(&s->err, "did you mean %s?", near);
  else err_hint(&s->err, "--language help lists them");
  return -1;
}

static void warn(void *context, struct place_in_text at, const char *message) {
  const struct session *s = context;
  int c = session_colour(s, stderr);
  const char *bold = report_colour(c, BOLD), *yellow = report_colour(c, YELLOW), *plain = report_colour(c, PLAIN);
  char file[256], shown[1200];
  report_name(file, sizeof file, at.file ? at.file : s->file);
  if (at.line) fprintf(stderr, "%s%s:%ld:%ld:%s ", bold, file, at.line, at.column, plain);
  else fprintf(stderr, "%s%s:%s ", bold, file, plain);
  fprintf(stderr, "%swarning:%s %s\n", yellow, plain, report_name(shown, sizeof shown, message));
}

static void warn_again(void *context, struct place_in_text at, const char *message) { (void)context, (void)at, (void)message; } /* it was told the first time */

/* Every error of the model as the reader meets it. */
static void hear_error(void *context, const struct err *e) {
  struct session *s = context;
  if (s->mem.stop && *s->mem.stop) return; /* it ends because the user wants so */
  session_tell(s, e);
  s->errors++;
}

void session_warnings(const struct session *s) {
  const struct model_type *type = s->model->type;
  struct place_in_text at;
  char text[600];
  for (uint32_t i = 0; type->warning && (s->all_warnings || i <= WARNINGS) && type->warning(s->model, i, &at, text, sizeof text); i++) {
    if (s->all_warnings || i < WARNINGS) warn((void *)(uintptr_t)s, at, text);
    else warn((void *)(uintptr_t)s, (struct place_in_text){0}, "more such warnings are left out: thimble info tells all");
  }
}

static int read_automata_of(struct session *s, enum option_id option) {
  size_t at = 0;
  const char *name;
  while ((name = options_next(&s->options, option, &at))) {
    struct session_file *f = &s->automata[s->automaton_count];
    f->observer = option == OPTION_OBSERVER;
    struct stat there;
    if (s->resume && stat(name, &there) == 0 && !S_ISREG(there.st_mode)) return err_io(&s->err, name, "a checkpoint names it, and it is no regular file");
    struct front_setup setup = {.mem = &s->mem, .file = f->name = name, .input = fopen(name, "re")};
    if (!setup.input) return err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
    int bad = front_slurp(&f->text, &f->length, &setup, &s->err);
    fclose(setup.input);
    if (bad) return -1;
    s->automaton_count++;
  }
  return 0;
}

static int read_automata(struct session *s) {
  s->automata = mem_alloc(&s->mem, MEM_OTHER, (s->options.use_count + 1) * sizeof *s->automata);
  if (!s->automata) return err_memory(&s->err, "the command line");
  return read_automata_of(s, OPTION_AUTOMATON) || read_automata_of(s, OPTION_OBSERVER) ? -1 : 0;
}

/* The formulas and expressions of the command line, NULL-terminated. */
static const char **asked_texts(struct session *s) {
  static const enum option_id asked[] = {OPTION_LTL, OPTION_CTL, OPTION_INVARIANT, OPTION_REACHABLE, OPTION_HEURISTIC};
  const char **texts = mem_alloc(&s->mem, MEM_OTHER, (s->options.use_count + 1) * sizeof *texts), *text;
  size_t n = 0;
  for (size_t i = 0; texts && i < s->automaton_count; i++) texts[n++] = s->automata[i].text;
  for (size_t k = 0; texts && k < sizeof asked / sizeof *asked; k++)
    for (size_t at = 0; (text = options_next(&s->options, asked[k], &at));) texts[n++] = text;
  return texts;
}

static enum front_unfold wanted_unfolding(const struct session *s) {
  const char *when = options_text(&s->options, OPTION_UNFOLD);
  return strcmp(when, "always") == 0 ? FRONT_UNFOLD_ALWAYS : strcmp(when, "never") == 0 ? FRONT_UNFOLD_NEVER : FRONT_UNFOLD_AUTO;
}

static void hear_input(void *context, const char *name, uint64_t hash, uint64_t bytes) {
  struct session *s = context;
  vec_push(&s->inputs, &s->small, MEM_OTHER, (struct verdict_input){name, hash, bytes});
}

int session_load(struct session *s, const char *file) {
  double begin = clock_now();
  const char *language = options_text(&s->options, OPTION_LANGUAGE);
  s->file = file;
  if (*language && language_known(s, language)) return -1;
  size_t room = 2 * s->options.use_count + 1, markings = 0, all;
  s->overrides = mem_alloc(&s->mem, MEM_OTHER, room * sizeof *s->overrides);
  if (!s->overrides) return err_memory(&s->err, "the command line");
  if (overrides(s, OPTION_MARKING, &markings)) return -1;
  all = markings;
  if (overrides(s, OPTION_DEFINE, &all)) return -1;
  if (read_automata(s)) return -1;
  for (size_t i = 0; i < s->automaton_count && s->hears_inputs; i++) hear_input(s, s->automata[i].name, hash_bytes(s->automata[i].text, s->automata[i].length), s->automata[i].length);
  struct stat there;
  const int twice = stat(file, &there) == 0 && S_ISREG(there.st_mode); /* what is no regular file cannot be read once more for its hash */
  size_t folders = 0, at = 0;
  s->folders = mem_alloc(&s->mem, MEM_OTHER, room * sizeof *s->folders);
  if (!s->folders) return err_memory(&s->err, "the command line");
  while ((s->folders[folders] = options_next(&s->options, OPTION_INCLUDE, &at))) folders++;
  const char **properties = asked_texts(s);
  if (!properties) return err_memory(&s->err, "the command line");
  struct front_setup setup = {
      .mem = &s->mem,
      .properties = properties,
      .file = file,
      .unfold = s->unfold ? s->unfold : wanted_unfolding(s),
      .edges_per_token = options_given(&s->options, OPTION_EDGES_PER_TOKEN),
      .draws = s->draws,
      .seed = s->draws ? options_count(&s->options, OPTION_SEED) : 0,
      .unbounded_channels = options_given(&s->options, OPTION_UNBOUNDED_CHANNELS),
      .lose_messages = options_given(&s->options, OPTION_LOSE_MESSAGES),
      .no_claims = options_given(&s->options, OPTION_NO_CLAIMS),
      .markings = s->overrides,
      .marking_count = markings,
      .defines = s->overrides + markings,
      .define_count = all - markings,
      .folders = s->folders,
      .folder_count = folders,
      .c_code = !options_given(&s->options, OPTION_ALLOW_C_CODE)                       ? FRONT_C_REFUSED
                : strcmp(options_text(&s->options, OPTION_ENGINE), "interpreter") == 0 ? FRONT_C_NO_COMPILER
                                                                                       : FRONT_C_ALLOWED,
      .warn = s->spaceless.kind ? warn_again : warn,
      .warn_context = s,
      .hear_input = s->hears_inputs > 1 || (s->hears_inputs && twice) ? hear_input : NULL,
      .input_context = s,
      .error = hear_error,
      .error_context = s,
  };
  int bad = front_load(&s->model, file, *language ? language : NULL, &setup, &s->err);
  mem_free(&s->mem, properties);
  s->load_s = clock_now() - begin;
  if (s->errors > 1) fprintf(stderr, "%zu errors%s\n", s->errors, s->errors >= ERRORS ? "; there may be more" : "");
  if (bad && s->err.kind == ERR_MEMORY) {
    char size[TEXT_ROOM];
    err_hint(&s->err, "try --memory %s",
             text_size_option(size, s->mem.budget < SIZE_MAX / 8 ? 4 * (uint64_t)s->mem.budget : s->mem.budget));
  }
  return bad;
}

int session_load_to_look(struct session *s, const char *file) {
  if (!session_load(s, file)) return 0;
  if (s->err.kind != ERR_INPUT || s->errors) return -1;
  s->spaceless = s->err;
  session_unload(s);
  err_clear(&s->err);
  s->draws = COLOUR_DRAWS_BY_STATE;
  return session_load(s, file);
}

void session_unload(struct session *s) {
  model_close(s->model);
  for (size_t i = 0; s->overrides && s->overrides[i].name; i++) mem_free(&s->mem, (char *)s->overrides[i].name);
  mem_free(&s->mem, s->overrides);
  mem_free(&s->mem, s->folders);
  s->folders = NULL;
  for (size_t i = 0; i < s->automaton_count; i++) mem_free(&s->mem, s->automata[i].text);
  mem_free(&s->mem, s->automata);
  s->model = NULL;
  s->overrides = NULL;
  s->automata = NULL;
  s->automaton_count = 0;
}

void session_close(struct session *s) {
  session_unload(s);
  vec_free(&s->inputs, &s->small);
  altered_forget(s);
  options_close(&s->options);
  for (size_t i = 0; i < s->texts.count; i++) mem_free(&s->small, s->texts.at[i]);
  vec_free(&s->texts, &s->small);
}

char *session_file_name(struct session *s, const char *ending, struct err *e) {
  const char *slash = strrchr(s->file, '/'), *base = slash ? slash + 1 : s->file;
  if (!*base || strcmp(base, "-") == 0) base = "model";
  const char *dot = strrchr(base, '.');
  size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
  char *name = mem_alloc(&s->mem, MEM_OTHER, length + strlen(ending) + 1);
  if (!name) {
    err_memory(e, "a file name");
    return NULL;
  }
  memcpy(name, base, length);
  strcpy(name + length, ending);
  return name;
}

/* A device or a pipe: nothing is made beside it, so all files go into it, one after the other. */
static int takes_all(const char *name) {
  struct stat there;
  return stat(name, &there) == 0 && !S_ISREG(there.st_mode);
}

char *session_nth_name(struct session *s, const char *given, const char *kind, size_t n, struct err *e) {
  char ending[64];
  if (n > 1) snprintf(ending, sizeof ending, ".%zu.%s.json", n, kind);
  else snprintf(ending, sizeof ending, ".%s.json", kind);
  if (!*given) return session_file_name(s, ending, e);
  char *name = mem_alloc(&s->mem, MEM_OTHER, strlen(given) + 32);
  if (!name) {
    err_memory(e, "a file name");
    return NULL;
  }
  const char *slash = strrchr(given, '/'), *base = slash ? slash + 1 : given, *dot = strchr(base, '.');
  size_t stem = dot && dot > base ? (size_t)(dot - given) : strlen(given);
  if (n == 1 || takes_all(given)) strcpy(name, given);
  else sprintf(name, "%.*s.%zu%s", (int)stem, given, n, given + stem);
  return name;
}

/* ---- colours, progress, limits --------------------------------------------------------- */

int session_colour(const struct session *s, FILE *stream) {
  const char *when = s->options.mem ? options_text(&s->options, OPTION_COLOR) : "auto";
  if (strcmp(when, "always") == 0) return 1;
  if (strcmp(when, "never") == 0 || s->spread) return 0; /* mpirun gives ranks a terminal of its own, whatever the user sees */
  const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
  return !(no && *no) && !(term && strcmp(term, "dumb") == 0) && isatty(fileno(stream));
}

struct listener *session_progress(const struct session *s, struct report_progress *p) {
  const char *how = options_text(&s->options, OPTION_PROGRESS);
  if (strcmp(how, "none") == 0 || options_given(&s->options, OPTION_QUIET)) return NULL;
  struct winsize window = {0};
  int rewrite = strcmp(how, "auto") == 0 && isatty(STDERR_FILENO) && !s->spread;
  if (rewrite && ioctl(STDERR_FILENO, TIOCGWINSZ, &window)) window.ws_col = 0;
  report_progress_open(p, stderr, rewrite, window.ws_col);
  return &p->listener;
}

/* The time that --time gives is for everything: what reading the model took is gone. */
static double seconds_left(const struct session *s) {
  double all = options_seconds(&s->options, OPTION_TIME), left = all - s->load_s;
  return all <= 0 ? 0 : left > 1e-3 ? left : 1e-3;
}

void session_limits(const struct session *s, struct search_limits *l) {
  *l = (struct search_limits){
      .seconds = seconds_left(s),
      .states = options_count(&s->options, OPTION_MAX_STATES),
      .depth = options_count(&s->options, OPTION_MAX_DEPTH),
      .interrupt = signals_watch(),
  };
}

/* ---- errors ---------------------------------------------------------------------------- */

int session_exit_code(const struct err *e) {
  switch (e->kind) {
  case ERR_NONE: return EXIT_HOLDS;
  case ERR_USAGE: return EXIT_USAGE;
  case ERR_INPUT:
  case ERR_IO: return EXIT_MODEL;
  case ERR_MEMORY:
  case ERR_LIMIT: return EXIT_INCOMPLETE;
  case ERR_INTERNAL: return EXIT_INTERNAL;
  }
  return EXIT_INTERNAL;
}

int session_flush(struct session *s) {
  struct err e;
  errno = 0;
  if (s->mute || (fflush(stdout) == 0 && !ferror(stdout))) return -s->mute;
  err_clear(&e);
  err_io(&e, "standard output", "cannot be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
  if (s->err.kind == ERR_NONE) session_tell(s, &e);
  s->mute = 1;
  return -1;
}

void session_tell(const struct session *s, const struct err *e) {
  if (e->kind == ERR_NONE || (s->errors && e == &s->err)) return; /* told while the model was read */
  int c = session_colour(s, stderr);
  const char *bold = report_colour(c, BOLD), *red = report_colour(c, RED), *plain = report_colour(c, PLAIN);
  if (e->file[0] && e->line) fprintf(stderr, "%s%s:%ld:%ld:%s ", bold, e->file, e->line, e->column, plain);
  else fprintf(stderr, "%s%s:%s ", bold, e->file[0] ? e->file : "thimble", plain);
  fprintf(stderr, "%s%s:%s %s\n", red, e->kind == ERR_INTERNAL ? "internal error" : "error", plain, e->message);
  if (e->caret >= 0 && e->excerpt[0])
    fprintf(stderr, "  %s\n  %*s%s^%s\n", e->excerpt, (int)e->caret, "", report_colour(c, GREEN), plain);
  if (e->hint[0]) fprintf(stderr, "%shint:%s %s\n", report_colour(c, CYAN), plain, e->hint);
}
