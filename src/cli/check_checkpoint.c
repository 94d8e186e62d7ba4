/* check_checkpoint.c -- see check_checkpoint.h.
 *
 * A checkpoint may come from anybody.  So what it says is taken for what it is: options that decide what is verified and in which store, nothing that writes files or runs code.  Files to write and --allow-c-code are
 * those of the command line alone. */
#include "cli/check_checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a run that goes on has from the one before. Limits are those of one run: they are not here. */
static const enum option_id kept[] = {
    OPTION_MEMORY,    OPTION_PROPERTY, OPTION_LTL,           OPTION_AUTOMATON,   OPTION_OBSERVER,  OPTION_NO_PROGRESS, OPTION_NO_ACCEPTANCE, OPTION_FAIR,     OPTION_CYCLES,
    OPTION_INVARIANT, OPTION_REACHABLE, OPTION_DEADLOCK,     OPTION_NO_DEADLOCK, OPTION_LOSE_MESSAGES, OPTION_NO_CLAIMS, OPTION_CONTINUE, OPTION_STORE,        OPTION_CACHE,
    OPTION_COMBACK,   OPTION_DELTA,    OPTION_SEARCH,        OPTION_ENGINE,      OPTION_MARKING,   OPTION_DEFINE,      OPTION_EDGES_PER_TOKEN, OPTION_UNFOLD, OPTION_LANGUAGE,
    OPTION_REDUCE,    OPTION_CHECKPOINT_EVERY, OPTION_JOBS,
};

static int is_kept(enum option_id id) {
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (kept[i] == id) return 1;
  return 0;
}

int check_checkpoint_sensible(struct session *s, struct err *e) {
  const struct options *o = &s->options;
  const char *why = NULL, *hint = "";
  if (!check_checkpoint_wanted(s) && options_given(o, OPTION_CHECKPOINT_EVERY)) {
    err_usage(e, "--checkpoint-every is for checkpoints");
    err_hint(e, "--checkpoint FILE");
    return -1;
  }
  if (!check_checkpoint_wanted(s)) return 0;
  if (options_given(o, OPTION_CHECKPOINT) && !*options_text(o, OPTION_CHECKPOINT)) why = "it needs the name of a file";
  else if (options_given(o, OPTION_CHECKPOINT) && strcmp(options_text(o, OPTION_CHECKPOINT), "-") == 0) why = "standard output is for the verdict", hint = "it needs a file";
  else if (options_given(o, OPTION_MCC)) why = "the contest's answers cannot be gone on with", hint = "leave --mcc out";
  else if (options_given(o, OPTION_SPACE_REPORT)) why = "the state space report needs the whole graph, which a checkpoint does not hold", hint = "leave --space-report out";
  else if (o->operand_count && strcmp(o->operand[0], "-") == 0) why = "a model from standard input cannot be read again", hint = "put it into a file";
  if (!why) return 0;
  err_usage(e, "--checkpoint: %s", why);
  if (*hint) err_hint(e, "%s", hint);
  return -1;
}

/* ---- writing one ----------------------------------------------------------------------------------------------------------- */

/* "--name=value" */
static char *argument(struct mem *mem, enum option_id id, const char *text) {
  const char *name = option_specs[id].name;
  char *out = mem_alloc(mem, MEM_OTHER, strlen(name) + (text ? strlen(text) : 0) + 4);
  if (out) sprintf(out, text ? "--%s=%s" : "--%s", name, text);
  return out;
}

static int describe(struct checkpoint *c, struct session *s) {
  const struct options *o = &s->options;
  struct vec(char *) list = {0};
  struct vec(struct checkpoint_input) input = {0};
  int bad = 0;
  for (size_t i = 0; i < o->use_count && !bad; i++) {
    if (!is_kept(o->use[i].id)) continue;
    char *text = argument(&s->small, o->use[i].id, o->use[i].text);
    bad = !text || vec_push(&list, &s->small, MEM_OTHER, text);
  }
  for (size_t i = 0; i < s->inputs.count && !bad; i++)
    bad = vec_push(&input, &s->small, MEM_OTHER, (struct checkpoint_input){(char *)(uintptr_t)s->inputs.at[i].name, s->inputs.at[i].hash, s->inputs.at[i].bytes});
  if (bad) err_memory(&s->err, "a checkpoint");
  else if (s->resume) bad = checkpoint_same_input(c, input.at, input.count, &s->err);
  if (!bad) bad = checkpoint_describe(c, s->file, (const char *const *)list.at, list.count, input.at, input.count, &s->err);
  for (size_t i = 0; i < list.count; i++) mem_free(&s->small, list.at[i]);
  vec_free(&list, &s->small);
  vec_free(&input, &s->small);
  return bad;
}

int check_checkpoint_open(struct checkpoint *own, struct session *s, const struct run_setup *setup) {
  double every = options_seconds(&s->options, OPTION_CHECKPOINT_EVERY);
  if (checkpoint_possible(setup, &s->err)) return -1;
  struct checkpoint *c = s->resume ? s->resume : own;
  if (s->resume) c->journal.every = every;
  else if (checkpoint_create(own, options_text(&s->options, OPTION_CHECKPOINT), s->spread, every, &s->mem, &s->err)) return -1;
  if (options_given(&s->options, OPTION_DISK)) c->disk = options_text(&s->options, OPTION_DISK);
  return describe(c, s);
}

/* ---- going on with one ------------------------------------------------------------------------------------------------------ */

/* The option that "--name=value" or "--name" uses; -1: none that a checkpoint may have. */
static int kept_option(const char *text) {
  if (strncmp(text, "--", 2) != 0) return -1;
  size_t length = strcspn(text + 2, "=");
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (strlen(option_specs[kept[i]].name) == length && strncmp(option_specs[kept[i]].name, text + 2, length) == 0) return (int)kept[i];
  return -1;
}

/* Where the model is: where the user says, where it was, or there from the root. */
static const char *model_file(const struct options *o, const struct checkpoint *c) {
  if (options_given(o, OPTION_MODEL_FILE)) return options_text(o, OPTION_MODEL_FILE);
  return access(c->model, F_OK) == 0 || !c->absolute ? c->model : c->absolute;
}

/* Other ranks than then write a set of their own: FILE-3. */
static int write_beside(struct checkpoint *c, const struct run_spread *spread) {
  char *name = mem_alloc(c->mem, MEM_OTHER, strlen(c->set) + 16);
  if (name) sprintf(name, "%s-%u", c->set, spread->count);
  int bad = !name || checkpoint_write_elsewhere(c, name, spread);
  mem_free(c->mem, name);
  return bad;
}

/* The texts stay as long as the session. */
int check_checkpoint_options(struct session *s, struct checkpoint *c) {
  struct options now = s->options;
  struct mem *mem = &s->small;
  int bad = 0;
  for (size_t i = 0; i < c->argument.count && !bad; i++) {
    if (kept_option(c->argument.at[i]) < 0) continue;
    char *text = mem_strndup(mem, MEM_OTHER, c->argument.at[i], strlen(c->argument.at[i]));
    bad = !text || vec_push(&s->texts, mem, MEM_OTHER, text);
  }
  for (size_t i = 0; i < now.use_count && !bad; i++) {
    if (now.use[i].id == OPTION_CHECKPOINT || now.use[i].id == OPTION_MODEL_FILE) continue;
    char *text = argument(mem, now.use[i].id, now.use[i].text);
    bad = !text || vec_push(&s->texts, mem, MEM_OTHER, text);
  }
  const char *file = model_file(&now, c);
  char *end = mem_strndup(mem, MEM_OTHER, "--", 2), *model = mem_strndup(mem, MEM_OTHER, file, strlen(file));
  bad = bad || !end || !model || vec_push(&s->texts, mem, MEM_OTHER, end) || vec_push(&s->texts, mem, MEM_OTHER, model);
  if (bad) return err_memory(&s->err, "the command line");
  if (options_given(&now, OPTION_CHECKPOINT)) {
    const char *elsewhere = options_text(&now, OPTION_CHECKPOINT);
    if (!*elsewhere || strcmp(elsewhere, "-") == 0) return err_usage(&s->err, "--checkpoint: it needs the name of a file");
    int other = strcmp(elsewhere, c->set ? c->set : c->journal.file.name) != 0;
    char *folder = other ? checkpoint_folder(c) : NULL;
    if (folder) {
      mem_free(c->mem, folder);
      err_usage(&s->err, "--checkpoint: files of states belong to one checkpoint, and this one names some: it cannot be gone on with into another");
      err_hint(&s->err, "leave --checkpoint out");
      return -1;
    }
    if (!other && checkpoint_of_other_ranks(c, s->spread)) {
      err_usage(&s->err, "--checkpoint: the one that is gone on with is that of %u ranks, and stays as it is", c->journal.rank.count);
      err_hint(&s->err, "another name, or leave --checkpoint out");
      return -1;
    }
    if (other && checkpoint_write_elsewhere(c, elsewhere, s->spread)) return err_memory(&s->err, "a checkpoint");
  } else if (checkpoint_of_other_ranks(c, s->spread) && write_beside(c, s->spread)) return err_memory(&s->err, "a checkpoint");
  struct options check;
  if (options_parse(&check, COMMAND_CHECK, (int)s->texts.count, s->texts.at, mem, &s->err)) {
    options_close(&check);
    if (s->err.kind != ERR_USAGE) return -1;
    struct err said = s->err; /* a damaged or made-up one: what it says is no command line */
    err_clear(&s->err);
    return err_io(&s->err, c->journal.file.name, "the checkpoint is damaged: %.300s", said.message);
  }
  options_close(&s->options);
  s->options = check;
  return 0;
}

void check_checkpoint_stays(const struct session *s, const struct checkpoint *c, const struct verdict *v) {
  char name[1200];
  const struct records *file = &c->journal.file;
  int told = v->kind == VERDICT_INCOMPLETE || v->kind == VERDICT_ERROR; /* those leave it anyway */
  if (told || s->spread || !file->name || file->beside) return;
  report_name(name, sizeof name, file->name);
  fprintf(stderr, "note: what could not be written can be made again: the checkpoint %s stays; go on with: thimble resume %s\n", name, name);
}
