/* options.c -- see options.h. */
#include "cli/options.h"

#include "base/text.h"
#include "base/quantity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- finding ------------------------------------------------------------------------- */

static int find_long(enum command_id command, const char *name, size_t length) {
  for (int i = 0; i < OPTIONS; i++)
    if (option_specs[i].commands & 1u << command && strlen(option_specs[i].name) == length &&
        memcmp(option_specs[i].name, name, length) == 0)
      return i;
  return -1;
}

static int find_letter(enum command_id command, char letter) {
  for (int i = 0; i < OPTIONS; i++)
    if (option_specs[i].commands & 1u << command && option_specs[i].letter == letter) return i;
  return -1;
}

static const struct later_spec *find_later(enum command_id command, const char *name, size_t length, char letter) {
  for (const struct later_spec *l = later_specs; l->name; l++) {
    if (!(l->commands & 1u << command)) continue;
    if (letter ? l->letter == letter : strlen(l->name) == length && memcmp(l->name, name, length) == 0) return l;
  }
  return NULL;
}

/* What the user may have meant: the same option of another command, or a name that is near. */
static int unknown(enum command_id command, const char *shown, const char *name, size_t length, struct err *e) {
  char quoted[80], word[64];
  err_usage(e, "%s has no option %s", command_specs[command].name, err_quote(quoted, sizeof quoted, shown, strlen(shown)));
  const char *near[OPTIONS + 1];
  size_t n = 0;
  unsigned others = 0;
  for (int i = 0; i < OPTIONS; i++) {
    if (option_specs[i].commands & 1u << command) near[n++] = option_specs[i].name;
    else if (strlen(option_specs[i].name) == length && memcmp(option_specs[i].name, name, length) == 0)
      others |= option_specs[i].commands;
  }
  near[n] = NULL;
  snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
  const char *meant = NULL;
  for (size_t i = 0; length > 2 && i < n && !meant; i++) /* --mem is short for --memory, not --mcc with a slip */
    if (strncmp(near[i], word, length) == 0) meant = near[i];
  if (!meant && length > 1) meant = text_nearest(word, near);
  if (command == COMMAND_RESUME && others & IN_CHECK) {
    err_hint(e, "what is verified, and how, is what it was when the checkpoint was written");
  } else if (others) {
    char list[160] = "";
    for (int c = 0; c < COMMANDS; c++)
      if (others & 1u << c) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", command_specs[c].name);
      }
    err_hint(e, "it is an option of %s", list);
  } else if (meant) err_hint(e, "did you mean --%s?", meant);
  else err_hint(e, "thimble help %s lists its options", command_specs[command].name);
  return -1;
}

/* ---- values -------------------------------------------------------------------------- */

/* 1 if `text` is one of the words of "one|two|three". */
static int among(const char *words, const char *text) {
  size_t length = strlen(text);
  for (const char *w = words; *w;) {
    size_t n = strcspn(w, "|");
    if (n == length && memcmp(w, text, n) == 0) return 1;
    w += n + (w[n] == '|');
  }
  return 0;
}

static int within(const char *range, uint64_t n) {
  char *dots;
  uint64_t low = strtoull(range, &dots, 10);
  if (strncmp(dots, "..", 2) != 0) return 1;
  return n >= low && (!dots[2] || n <= strtoull(dots + 2, NULL, 10));
}

static int refuse(const struct option_spec *o, const char *text, const char *wanted, struct err *e) {
  char quoted[80];
  return err_usage(e, "--%s takes %s, not '%s'", o->name, wanted, err_quote(quoted, sizeof quoted, text, strlen(text)));
}

static int check_choice(const struct option_spec *o, const char *text, struct err *e) {
  if (among(o->range, text)) return 0;
  char wanted[120];
  size_t n = 0;
  for (const char *c = o->range; *c && n + 8 < sizeof wanted; c++) {
    if (*c != '|') wanted[n++] = *c;
    else n += (size_t)snprintf(wanted + n, sizeof wanted - n, "%s", strchr(c + 1, '|') ? ", " : " or ");
  }
  wanted[n] = 0;
  return refuse(o, text, wanted, e);
}

static int check_value(const struct option_spec *o, const char *text, struct err *e) {
  uint64_t n;
  double seconds;
  switch (o->kind) {
  case SIZE:
    if (quantity_size(text, mem_machine(), &n) || !n) return refuse(o, text, "a size like 512M, 2G or 50%", e);
    return 0;
  case DURATION:
    if (quantity_duration(text, &seconds) || seconds <= 0) return refuse(o, text, "a time like 90, 1m30s or 2h", e);
    return 0;
  case COUNT:
  case MAYBE_COUNT:
    if (quantity_count(text, &n)) return refuse(o, text, "a whole number like 500, 10k or 1e6", e);
    if (!within(o->range, n)) {
      char wanted[80];
      snprintf(wanted, sizeof wanted, "a number in the range %s", o->range);
      return refuse(o, text, wanted, e);
    }
    return 0;
  case CHOICE: return check_choice(o, text, e);
  default: return 0;
  }
}

static int use(struct options *o, int id, const char *text, struct err *e) {
  if (text && check_value(&option_specs[id], text, e)) return -1;
  o->use[o->use_count++] = (struct option_use){(enum option_id)id, text};
  return 0;
}

/* ---- walking the arguments ------------------------------------------------------------ */

struct walk {
  struct options *out;
  int argc, at;
  char **argv;
};

static int needs(const char *shown, const char *argument, struct err *e) {
  char quoted[80];
  return err_usage(e, "%s needs a value: %s", err_quote(quoted, sizeof quoted, shown, strlen(shown)), argument);
}

static int later(struct walk *w, const struct later_spec *l, const char *value, struct err *e) {
  if (!l->argument) {
    if (value) return err_usage(e, "--%s takes no value", l->name);
    return *l->why ? err_usage(e, "--%s: %s", l->name, l->why) : 0;
  }
  if (!value && w->at >= w->argc) return err_usage(e, "--%s: %s", l->name, l->why);
  if (!value) value = w->argv[w->at++];
  return among(l->accepted, value) ? 0 : err_usage(e, "--%s: %s", l->name, l->why);
}

/* `value` is what stood behind = or behind the letter; NULL: it may follow. */
static int take(struct walk *w, int id, const char *shown, const char *value, struct err *e) {
  const struct option_spec *o = &option_specs[id];
  switch (o->kind) {
  case FLAG:
    if (value) return err_usage(e, "--%s takes no value", o->name);
    return use(w->out, id, NULL, e);
  case MAYBE_COUNT: return use(w->out, id, value, e);
  case MAYBE_TEXT:
    if (!value && w->at < w->argc && w->argv[w->at][0] != '-') value = w->argv[w->at++];
    return use(w->out, id, value, e);
  default:
    if (!value && w->at >= w->argc) return needs(shown, o->argument, e);
    return use(w->out, id, value ? value : w->argv[w->at++], e);
  }
}

static int long_option(struct walk *w, const char *argument, struct err *e) {
  const char *name = argument + 2;
  size_t length = strcspn(name, "=");
  const char *value = name[length] ? name + length + 1 : NULL;
  int id = find_long(w->out->command, name, length);
  if (id >= 0) return take(w, id, argument, value, e);
  const struct later_spec *l = find_later(w->out->command, name, length, 0);
  return l ? later(w, l, value, e) : unknown(w->out->command, argument, name, length, e);
}

static int short_options(struct walk *w, const char *argument, struct err *e) {
  for (const char *c = argument + 1; *c; c++) {
    char shown[3] = {'-', *c, 0};
    int id = find_letter(w->out->command, *c);
    const struct later_spec *l = id < 0 ? find_later(w->out->command, NULL, 0, *c) : NULL;
    if (id < 0 && !l) return unknown(w->out->command, shown, c, 1, e);
    int takes = l ? l->argument : option_takes(&option_specs[id]);
    const char *value = takes && c[1] ? c + 1 : NULL;
    if (value && *value == '=') value++;
    if (l ? later(w, l, value, e) : take(w, id, shown, value, e)) return -1;
    if (takes) return 0;
  }
  return 0;
}

static int operands_fit(const struct options *o, struct err *e) {
  const struct command_spec *c = &command_specs[o->command];
  if (options_given(o, OPTION_HELP)) return 0;
  if (o->operand_count < c->least) {
    err_usage(e, "%s needs a %s", c->name, c->operands);
    err_hint(e, "thimble %s [OPTION]... %s", c->name, c->operands);
    return -1;
  }
  if (o->operand_count > c->most) {
    char quoted[80];
    const char *extra = o->operand[c->most];
    err_usage(e, "%s takes one %s; '%s' is too much", c->name, c->operands,
              err_quote(quoted, sizeof quoted, extra, strlen(extra)));
    return -1;
  }
  return 0;
}

int options_parse(struct options *o, enum command_id command, int argc, char **argv, struct mem *mem, struct err *e) {
  *o = (struct options){.mem = mem, .command = command};
  size_t letters = 0; /* each letter of -abc may be a use */
  for (int i = 0; i < argc; i++) letters += 1 + strlen(argv[i]);
  o->use = mem_alloc(mem, MEM_OTHER, (letters + 1) * sizeof *o->use);
  o->operand = mem_alloc(mem, MEM_OTHER, ((size_t)argc + 1) * sizeof *o->operand);
  if (!o->use || !o->operand) return err_memory(e, "the command line");
  struct walk w = {o, argc, 0, argv};
  int only_operands = 0;
  while (w.at < w.argc) {
    const char *argument = argv[w.at++];
    int bad = 0;
    if (only_operands || argument[0] != '-' || !argument[1]) o->operand[o->operand_count++] = argument;
    else if (strcmp(argument, "--") == 0) only_operands = 1;
    else bad = argument[1] == '-' ? long_option(&w, argument, e) : short_options(&w, argument, e);
    if (bad) return -1;
  }
  return operands_fit(o, e);
}

void options_close(struct options *o) {
  if (!o->mem) return;
  mem_free(o->mem, o->use);
  mem_free(o->mem, o->operand);
  *o = (struct options){0};
}

/* ---- asking -------------------------------------------------------------------------- */

static const struct option_use *last_use(const struct options *o, enum option_id id) {
  for (size_t i = o->use_count; i-- > 0;)
    if (o->use[i].id == id) return &o->use[i];
  return NULL;
}

int options_given(const struct options *o, enum option_id id) { return last_use(o, id) != NULL; }

enum option_id options_last(const struct options *o, enum option_id a, enum option_id b, enum option_id otherwise) {
  const struct option_use *ua = last_use(o, a), *ub = last_use(o, b);
  if (!ua && !ub) return otherwise;
  return !ub || (ua && ua > ub) ? a : b;
}

const char *options_text(const struct options *o, enum option_id id) {
  const struct option_use *u = last_use(o, id);
  return u && u->text ? u->text : option_specs[id].fallback;
}

uint64_t options_count(const struct options *o, enum option_id id) {
  uint64_t n = 0;
  return quantity_count(options_text(o, id), &n) ? 0 : n;
}

uint64_t options_size(const struct options *o, enum option_id id) {
  uint64_t n = 0;
  return quantity_size(options_text(o, id), mem_machine(), &n) ? 0 : n;
}

double options_seconds(const struct options *o, enum option_id id) {
  double s = 0;
  return quantity_duration(options_text(o, id), &s) ? 0 : s;
}

const char *options_next(const struct options *o, enum option_id id, size_t *at) {
  while (*at < o->use_count) {
    const struct option_use *u = &o->use[(*at)++];
    if (u->id == id) return u->text;
  }
  return NULL;
}
