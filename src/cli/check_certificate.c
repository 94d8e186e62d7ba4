/* check_certificate.c -- see check_certificate.h.
 *
 * A certificate is about the whole space of the model as it is: there are no reductions in a run that is to give one, not even late ones. */
#include "cli/check_certificate.h"

#include "base/text.h"
#include "cli/altered.h"
#include "cli/outfile.h"

#include <string.h>

int check_certificate_sensible(const struct session *s, struct err *e) {
  const struct options *o = &s->options;
  const char *why = NULL, *hint = "", *reduce = options_text(o, OPTION_REDUCE);
  if (!options_given(o, OPTION_CERTIFICATE)) return 0;
  if (!*options_text(o, OPTION_CERTIFICATE)) why = "it needs the name of a file";
  else if (strcmp(options_text(o, OPTION_CERTIFICATE), "-") == 0) why = "standard output is for the verdict", hint = "it needs a file";
  else if (strcmp(reduce, "none") != 0 && strcmp(reduce, "late") != 0) why = "a certificate holds the whole space, of which --reduce leaves out a part", hint = "leave --reduce out";
  else if (options_given(o, OPTION_MCC)) why = "there is none of the contest's answers", hint = "leave --mcc out";
  else if (options_given(o, OPTION_CHECKPOINT) || s->resume) why = "a run that goes on with another one has not seen all states itself", hint = "leave --checkpoint out";
  else if (s->spread) why = "each of several processes has seen a part of the states", hint = "use one process";
  else if (options_given(o, OPTION_ALLOW_C_CODE)) why = "nobody but the C compiler knows what C code does: the slow definition cannot confirm it", hint = "leave --allow-c-code out";
  else if (options_given(o, OPTION_UNBOUNDED_CHANNELS)) why = "unbounded channels are not covered", hint = "leave --unbounded-channels out";
  else if (o->operand_count && strcmp(o->operand[0], "-") == 0) why = "a model from standard input cannot be read again", hint = "put it into a file";
  if (!why) return 0;
  err_usage(e, "--certificate: %s", why);
  if (*hint) err_hint(e, "%s", hint);
  return -1;
}

int check_certificate_open(struct check_certificate *c, struct session *s, const char *disk) {
  c->file = options_text(&s->options, OPTION_CERTIFICATE);
  const char *slash = strrchr(c->file, '/');
  size_t length = slash ? (size_t)(slash - c->file) : 0;
  if (length >= sizeof c->folder || strlen(disk) >= sizeof c->folder) return err_usage(&s->err, "--certificate: the name is too long");
  if (*disk) strcpy(c->folder, disk);
  else if (!slash) strcpy(c->folder, ".");
  else if (!length) strcpy(c->folder, "/");
  else memcpy(c->folder, c->file, length), c->folder[length] = 0;
  return certificate_open(&c->certificate, s->model, c->folder, &s->mem, &s->err);
}

static int write_file(struct check_certificate *c, struct session *s, struct verdict *v, struct certificate_setup *setup, struct err *e) {
  size_t count = 0, inputs = s->inputs.count;
  const char **option = mem_alloc(&s->small, MEM_OTHER, (s->altered.count + 1) * sizeof *option);
  struct certificate_input *input = mem_alloc(&s->small, MEM_OTHER, (inputs + 1) * sizeof *input);
  int bad = !option || !input ? err_memory(e, "the certificate") : 0;
  struct outfile out = {0};
  for (size_t i = 0; i < inputs && !bad; i++) input[i] = (struct certificate_input){s->inputs.at[i].name, s->inputs.at[i].hash, s->inputs.at[i].bytes};
  for (size_t i = 0; i < s->altered.count && !bad; i++)
    if (altered_certified(s->altered.at[i])) option[count++] = s->altered.at[i];
  setup->input = input;
  setup->inputs = inputs;
  setup->option = option;
  setup->options = count;
  if (!bad) bad = outfile_open(&out, c->file, e);
  if (!bad) bad = certificate_write(&c->certificate, v, setup, out.stream, e);
  v->certificate.bytes = c->certificate.written;
  if (outfile_close(&out, !bad, e)) bad = -1;
  mem_free(&s->small, option);
  mem_free(&s->small, input);
  return bad;
}

/* Why there can be none; NULL = there can be one. Properties learn whether it covers them. */
static const char *in_the_way(struct check_certificate *c, struct verdict *v, int fair) {
  size_t covered = 0;
  if (v->kind == VERDICT_INCOMPLETE) return "the verdict is incomplete";
  if (v->kind == VERDICT_LOSSY) return "the store can miss states";
  for (size_t i = 0; i < v->property_count; i++) {
    v->property[i].covered = certificate_evidence(&c->certificate, v, &v->property[i], fair) != EVIDENCE_NONE;
    covered += (size_t)v->property[i].covered;
  }
  return covered || !v->property_count ? NULL : "it would confirm nothing";
}

int check_certificate_write(struct check_certificate *c, struct session *s, struct verdict *v) {
  struct certificate_setup setup = {.fair = strcmp(options_text(&s->options, OPTION_FAIR), "weak") == 0};
  struct verdict_certificate *told = &v->certificate;
  struct err e;
  if (!c->file || v->kind == VERDICT_ERROR) return 0;
  told->file = c->file;
  const char *why = in_the_way(c, v, setup.fair);
  err_clear(&e);
  told->there = !why && write_file(c, s, v, &setup, &e) == 0;
  if (told->there) return 0;
  for (size_t i = 0; i < v->property_count; i++) v->property[i].covered = 0;
  snprintf(told->why, sizeof told->why, "%s", why ? why : e.message);
  if (why) return 0;
  session_tell(s, &e);
  return -1;
}

void check_certificate_close(struct check_certificate *c) { certificate_close(&c->certificate); }
