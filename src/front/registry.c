/* registry.c -- the table of languages, and opening a model file.  A new language is one folder
 * and one line here. */
#include "front/front.h"

#include "base/hash.h"
#include "front/cpn/cpn.h"
#include "front/cpnt/cpnt.h"
#include "front/dve/dve.h"
#include "front/guess.h"
#include "front/lts/lts.h"
#include "front/nettext/nettext.h"
#include "front/pnml/pnml.h"
#include "front/promela/promela.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const struct front_type *const front_types[] = {&front_pnml,    &front_net,      &front_aut, &front_dve,
                                                &front_promela, &front_promplus, &front_cpn, &front_cpnt, NULL};

const struct front_type *front_find(const char *name) {
  for (const struct front_type *const *t = front_types; *t; t++)
    if (strcmp((*t)->name, name) == 0) return *t;
  return NULL;
}

const struct front_type *front_for_file(const char *file) {
  size_t length = strlen(file);
  for (const struct front_type *const *t = front_types; *t; t++)
    for (const char *const *s = (*t)->suffixes; *s; s++) {
      size_t n = strlen(*s);
      if (length > n && strcasecmp(file + length - n, *s) == 0) return *t;
    }
  return NULL;
}

/* All names or all suffixes, for messages. */
static const char *listed(char *out, size_t room, int suffixes) {
  size_t used = 0;
  out[0] = 0;
  for (const struct front_type *const *t = front_types; *t; t++) {
    const char *one[] = {(*t)->name, NULL};
    for (const char *const *s = suffixes ? (*t)->suffixes : one; *s && used < room; s++)
      used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "", *s);
  }
  return out;
}

/* What the text says of its language, and back to its beginning; NULL: nothing that is sure. */
static const struct front_type *look_inside(const struct front_setup *setup, char root[64]) {
  struct stat info;
  root[0] = 0;
  if (fstat(fileno(setup->input), &info) || !S_ISREG(info.st_mode)) return NULL;
  char *text = mem_alloc(setup->mem, MEM_OTHER, GUESS_LOOK);
  if (!text) return NULL;
  size_t length = fread(text, 1, GUESS_LOOK, setup->input);
  const char *name = front_guess(text, length, root);
  mem_free(setup->mem, text);
  rewind(setup->input);
  return name ? front_find(name) : NULL;
}

static int reads_xml(const struct front_type *t) { return t == &front_pnml || t == &front_cpn; }
/* Texts in which a few words at the beginnings of lines are all that can be told. */
static int is_loose(const struct front_type *t) { return t == &front_net || t == &front_cpnt; }
static int reads_promela(const struct front_type *t) {
  return t == &front_promela || t == &front_promplus;
}

static int unknown_language(const char *file, const char *language, const char *root,
                            struct err *e) {
  char list[200], shown[120];
  if (language) {
    err_quote(shown, sizeof shown, language, strlen(language));
    return err_usage(e, "there is no language \"%s\"; there are: %s", shown, listed(list, sizeof list, 0));
  }
  err_quote(shown, sizeof shown, file, strlen(file));
  if (root[0])
    return err_usage(
        e, "\"%s\" is XML, but neither PNML nor a net of CPN Tools: its first element is <%s>",
        shown, root);
  else
    err_usage(e,
              "the language of \"%s\" cannot be told, neither from its suffix (known are: %s) nor "
              "from what it says",
              shown, listed(list, sizeof list, 1));
  err_hint(e, "--language NAME, where NAME is one of: %s", listed(list, sizeof list, 0));
  return -1;
}

/* By --language; else by the suffix, unless the text is surely in another language; else by the
 * text. */
static int find_language(const struct front_type **out, int *guessed, const char *language,
                         const struct front_setup *setup, struct err *e) {
  char root[64] = "";
  *guessed = 0;
  *out = language ? front_find(language) : front_for_file(setup->file);
  if (language) return *out ? 0 : unknown_language(setup->file, language, root, e);
  const struct front_type *said = look_inside(setup, root);
  if (said && said != *out && !(reads_promela(said) && reads_promela(*out)) &&
      !(*out && is_loose(said))) {
    *guessed = 1;
    *out = said;
  } else if (root[0] && *out && !reads_xml(*out)) *out = NULL;
  return *out ? 0 : unknown_language(setup->file, NULL, root, e);
}

/* What the file is, and back to its beginning. */
static int tell_input(const struct front_setup *s, struct err *e) {
  XXH64_state_t sum;
  char some[4096];
  uint64_t bytes = 0;
  XXH64_reset(&sum, 0);
  for (size_t n; (n = fread(some, 1, sizeof some, s->input)); bytes += n) XXH64_update(&sum, some, n);
  if (ferror(s->input) || fseek(s->input, 0, SEEK_SET)) return err_io(e, s->file, "cannot be read twice");
  s->hear_input(s->input_context, s->file, XXH64_digest(&sum), bytes);
  return 0;
}

static void tell_guess(const struct front_type *type, const struct front_setup *s) {
  char message[120];
  snprintf(message, sizeof message,
           "read as %s, which is told from its text; --language NAME takes another", type->name);
  if (s->warn) s->warn(s->warn_context, (struct place_in_text){s->file, 0, 0}, message);
}

/* Standard input, to be read twice: a copy that is gone when it is closed. NULL with err. */
static FILE *copy_of_stdin(struct err *e) {
  char some[4096];
  FILE *copy = tmpfile();
  int bad = !copy;
  for (size_t n; !bad && (n = fread(some, 1, sizeof some, stdin));)
    bad = fwrite(some, 1, n, copy) != n;
  if (!bad && !ferror(stdin) && fflush(copy) == 0) {
    rewind(copy);
    return copy;
  }
  err_io(e, "standard input", "cannot be kept to tell its language: %s", strerror(errno));
  err_hint(e, "--language NAME: then it is read once");
  if (copy) fclose(copy);
  return NULL;
}

int front_load(struct model **out, const char *file, const char *language, const struct front_setup *partial, struct err *e) {
  const struct front_type *type;
  struct front_setup setup = *partial;
  struct stat info;
  int from_stdin = strcmp(file, "-") == 0;
  *out = NULL;
  setup.file = file;
  if (setup.hear_input && !from_stdin && stat(file, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return err_io(e, file, "cannot be read twice: it is no regular file");
  setup.input = !from_stdin ? fopen(file, "re") : language ? stdin : copy_of_stdin(e);
  if (!setup.input && from_stdin) return -1;
  if (!setup.input) return err_io(e, file, "cannot open: %s", strerror(errno));
  int status, guessed = 0;
  if (fstat(fileno(setup.input), &info) == 0 && S_ISDIR(info.st_mode))
    status = err_io(e, file, "this is a directory, not a model");
  else if (find_language(&type, &guessed, language, &setup, e) ||
           (setup.hear_input && !from_stdin && tell_input(&setup, e)))
    status = -1;
  else {
    if (guessed) tell_guess(type, &setup);
    status = type->load(out, &setup, e);
    if (!status) (*out)->language_guessed = guessed;
  }
  if (setup.input != stdin) fclose(setup.input);
  return status;
}
