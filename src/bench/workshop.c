/* workshop.c -- see measure.h: the scratch folder, models that are generated, tools, command lines. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the folder ------------------------------------------------------------------------------- */

static int remove_entry(const char *path, const struct stat *st, int kind, struct FTW *where) {
  (void)st, (void)kind, (void)where;
  remove(path);
  return 0;
}

int workshop_open(struct workshop *w, const struct suite *s, const char *program, const volatile int *interrupt, struct mem *mem, struct err *e) {
  const char *tmp = getenv("TMPDIR");
  size_t tools = 0;
  *w = (struct workshop){.suite = s, .program = program, .mem = mem, .interrupt = interrupt};
  arena_open(&w->arena, mem, MEM_OTHER);
  for (const struct suite_tool *t = s->tools; t; t = t->next) tools++;
  w->models = arena_alloc(&w->arena, (s->source_count + 1) * sizeof *w->models);
  w->tools = arena_alloc(&w->arena, (tools + 1) * sizeof *w->tools);
  w->prepared = arena_alloc(&w->arena, s->task_count + 1);
  if (!w->models || !w->tools || !w->prepared) return err_memory(e, "the bench");
  snprintf(w->folder, sizeof w->folder, "%.200s/thimble-bench-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
  if (!mkdtemp(w->folder)) {
    err_io(e, w->folder, "cannot be made: %s", strerror(errno));
    w->folder[0] = 0;
    return -1;
  }
  return 0;
}

void workshop_close(struct workshop *w) {
  if (w->folder[0]) nftw(w->folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  arena_close(&w->arena);
}

/* ---- tools ------------------------------------------------------------------------------------ */

static int in_path(const char *program) {
  char file[4096];
  if (strchr(program, '/')) return access(program, X_OK) == 0;
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t n = strcspn(path, ":");
    snprintf(file, sizeof file, "%.*s/%s", (int)n, path, program);
    if (n && access(file, X_OK) == 0) return 1;
    path += n + (path[n] == ':');
  }
  return 0;
}

const char *workshop_version(struct workshop *w, const struct suite_tool *tool, struct err *e) {
  struct workshop_tool *t = w->tools;
  if (!tool) return "";
  for (const struct suite_tool *x = w->suite->tools; x != tool; x = x->next) t++;
  if (t->known) return t->known > 0 ? t->version : NULL;
  const char *first = tool->program ? tool->program : tool->version.count ? tool->version.at[0] : tool->prepare_count ? tool->prepare[0].at[0] : tool->command.at[0];
  t->known = in_path(first) ? 1 : -1;
  const char *own[] = {tool->program, "--version", NULL};
  if (t->known < 0 || !(tool->program || tool->version.count)) return t->known > 0 ? t->version : NULL;
  char file[300];
  snprintf(file, sizeof file, "%s/version", w->folder);
  struct process_setup setup = {.words = tool->program ? own : tool->version.at, .folder = w->folder, .out = file, .errors = file, .seconds = 20, .interrupt = w->interrupt};
  struct process_result r;
  if (process_run(&r, &setup, e)) return NULL;
  if (r.end == PROCESS_MISSING) t->known = -1;
  FILE *in = fopen(file, "re");
  while (in && fgets(t->version, sizeof t->version, in)) {
    t->version[strcspn(t->version, "\r\n")] = 0;
    if (*t->version) break;
  }
  if (in) fclose(in);
  return t->known > 0 ? t->version : NULL;
}

/* ---- command lines ---------------------------------------------------------------------------- */

struct line { /* under construction */
  const char **at;
  size_t count, room;
  struct arena *arena;
  int refused;
};

static void push(struct line *l, const char *word) {
  if (l->count + 1 >= l->room) {
    size_t room = l->room ? 2 * l->room : 32;
    const char **more = arena_alloc(l->arena, room * sizeof *more);
    if (!more || !word) {
      l->refused = 1;
      return;
    }
    if (l->count) memcpy(more, l->at, l->count * sizeof *more);
    l->at = more;
    l->room = room;
  }
  if (!word) l->refused = 1;
  else l->at[l->count++] = word;
}

static const char *joined(struct line *l, const char *a, const char *b) {
  size_t n = strlen(a);
  char *out = arena_alloc(l->arena, n + strlen(b) + 1);
  if (!out) return NULL;
  memcpy(out, a, n);
  strcpy(out + n, b);
  return out;
}

static const char *given(const struct suite_pair *p, const char *name, size_t length) {
  for (; p; p = p->next)
    if (strlen(p->name) == length && memcmp(p->name, name, length) == 0) return p->value;
  return NULL;
}

struct names { /* what {name} stands for */
  const struct suite_task *task;
  const char *file, *define;
  char seconds[24], bytes[24], kilobytes[24], megabytes[24];
  const struct workshop *shop;
  int option; /* a value of an option of ours, which may have { } of its own: only what is set is replaced */
};

static const char *lookup(const struct names *n, const char *name, size_t length) {
  const struct {
    const char *name, *value;
  } own[] = {{"model", n->file},         {"define", n->define},       {"name", n->task->model->name}, {"seconds", n->seconds},
             {"bytes", n->bytes},        {"kilobytes", n->kilobytes}, {"megabytes", n->megabytes},    {"thimble", n->shop->program},
             {"suite", n->shop->suite->folder}};
  for (size_t i = 0; i < sizeof own / sizeof *own && !n->option; i++)
    if (own[i].value && strlen(own[i].name) == length && memcmp(own[i].name, name, length) == 0) return own[i].value;
  const struct suite_pair *from[] = {n->task->way->set, n->task->model->set, n->task->way->tool ? n->task->way->tool->set : NULL};
  for (int i = 0; i < 3; i++) {
    const char *value = given(from[i], name, length);
    if (value) return value;
  }
  return NULL;
}

/* A word with its {names} replaced, {{ is {. NULL: no memory, or a name without a value (message). */
static const char *filled(const struct names *n, const char *word, struct arena *arena, char *message, size_t room) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return NULL;
  int bad = 0;
  for (const char *p = word; *p && !bad; p++) {
    size_t length = 0;
    if (*p == '{' && p[1] == '{' && !n->option) p++;
    else if (*p == '{')
      while (islower((unsigned char)p[1 + length]) || p[1 + length] == '_' || (length && isdigit((unsigned char)p[1 + length]))) length++;
    if (!length || p[1 + length] != '}') {
      putc(*p, out);
      continue;
    }
    const char *value = lookup(n, p + 1, length);
    if (!value && n->option) {
      putc(*p, out);
      continue;
    }
    if (!value) snprintf(message, room, "{%.*s} has no value: set = { %.*s = ... }", (int)length, p + 1, (int)length, p + 1), bad = 1;
    else fputs(value, out);
    p += length + 1;
  }
  bad |= fclose(out) != 0;
  const char *copy = bad ? NULL : arena_strndup(arena, text, size);
  free(text);
  return copy;
}

const char **task_words(struct workshop *w, const struct suite_task *t, const struct suite_words *command, const char *file, struct arena *out, char *message, size_t room) {
  struct line l = {.arena = out};
  struct names n = {.task = t, .file = file, .shop = w};
  uint64_t bytes = w->suite->bytes ? w->suite->bytes : mem_machine();
  double seconds = w->suite->seconds > 0 ? w->suite->seconds : 1e9;
  snprintf(n.seconds, sizeof n.seconds, "%.0f", seconds < 1 ? 1 : seconds);
  snprintf(n.bytes, sizeof n.bytes, "%llu", (unsigned long long)bytes);
  snprintf(n.kilobytes, sizeof n.kilobytes, "%llu", (unsigned long long)bytes >> 10);
  snprintf(n.megabytes, sizeof n.megabytes, "%llu", (unsigned long long)bytes >> 20);
  message[0] = 0;
  for (size_t i = 0; i < command->count && !l.refused; i++) {
    const char *word = command->at[i];
    if (strcmp(word, "{arguments}") == 0)
      for (size_t k = 0; k < t->way->arguments.count && !l.refused; k++) push(&l, filled(&n, t->way->arguments.at[k], out, message, room));
    else if (strstr(word, "{define}"))
      for (size_t k = 0; k < t->model->defines.count && !l.refused; k++) {
        n.define = t->model->defines.at[k];
        push(&l, filled(&n, word, out, message, room));
      }
    else n.define = NULL, push(&l, filled(&n, word, out, message, room));
  }
  if (l.refused || !l.count) {
    if (!*message) snprintf(message, room, "the command line does not fit into memory");
    return NULL;
  }
  l.at[l.count] = NULL;
  return l.at;
}

/* 1 if a later list has its own say on the option. */
static int overridden(const struct suite_pair *const *lists, int from, const char *name) {
  for (int i = from; i < 3; i++)
    for (const struct suite_pair *p = lists[i]; p; p = p->next)
      if (strcmp(p->name, name) == 0) return 1;
  return 0;
}

const char **task_command(struct workshop *w, const struct suite_task *t, const char *file, struct arena *out, char *message, size_t room) {
  if (t->way->tool && !t->way->tool->program) return task_words(w, t, &t->way->tool->command, file, out, message, room);
  static const char *const usual[] = {"check", "--json", "--progress", "none", "--color", "never", "--output", "/dev/null"};
  const struct suite_pair *const lists[3] = {w->suite->options, t->model->options, t->way->options};
  struct line l = {.arena = out};
  struct names n = {.task = t, .file = file, .shop = w, .option = 1};
  char budget[32];
  push(&l, t->way->tool ? t->way->tool->program : w->program);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) push(&l, usual[i]);
  if (w->suite->bytes && !overridden(lists, 0, "memory")) {
    snprintf(budget, sizeof budget, "--memory=%llu", (unsigned long long)w->suite->bytes);
    push(&l, arena_strndup(out, budget, strlen(budget)));
  }
  for (int i = 0; i < 3; i++)
    for (const struct suite_pair *p = lists[i]; p; p = p->next) {
      if (!p->number || overridden(lists, i + 1, p->name)) continue;
      const char *name = joined(&l, "--", p->name);
      if (p->value) {
        const char *value = filled(&n, p->value, out, message, room), *with = name ? joined(&l, name, "=") : NULL;
        name = with && value ? joined(&l, with, value) : NULL;
      }
      push(&l, name);
    }
  for (size_t i = 0; i < t->model->defines.count; i++) push(&l, joined(&l, "--define=", t->model->defines.at[i]));
  for (size_t i = 0; i < t->way->arguments.count; i++) push(&l, t->way->arguments.at[i]);
  push(&l, file);
  if (l.refused) return snprintf(message, room, "the command line does not fit into memory"), NULL;
  l.at[l.count] = NULL;
  return l.at;
}
