/* semantics.c -- see audit.h.  The model as its language defines it: no engine, no packing, no cursor. */
#include "audit/audit.h"
#include "front/front.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARS = 1 << 26 };

/* ---- reading ------------------------------------------------------------------------------------------------------------------ */

/* What is read must be what was read then, one after the other; names may have changed. */
static void hear_input(void *context, const char *name, uint64_t hash, uint64_t bytes) {
  struct audit *a = context;
  char text[64];
  int length = snprintf(text, sizeof text, "%016" PRIx64 " %" PRIu64 " ", hash, bytes);
  if (a->inputs_heard >= a->inputs.count || strncmp(a->inputs.at[a->inputs_heard], text, (size_t)length) != 0) audit_bad(a, "%.200s is not the file that the certificate is about", name);
  a->inputs_heard++;
}

static int is_option(const char *text, const char *name) { return strncmp(text, name, strlen(name)) == 0; }

/* NAME=VALUE, cut in two in the head's own text. */
static struct front_override override(const char *text) {
  char *cut = strchr(text, '=');
  if (cut) *cut = 0;
  return (struct front_override){text, cut ? cut + 1 : ""};
}

static int find_claim(struct audit *a, struct audit_claim *c) {
  const struct model_type *t = a->model->type;
  struct model_claim claim;
  c->number = MODEL_RUNTIME;
  for (uint32_t i = 0; t->claims && i < t->claims(a->model); i++) {
    t->claim(a->model, i, &claim);
    if (strcmp(claim.id, c->id) == 0) c->number = i;
  }
  return strcmp(c->kind, "assert") == 0 && c->number == MODEL_RUNTIME ? audit_bad(a, "the model has no claim %s", c->id) : 0;
}

static int open_claims(struct audit *a) {
  struct err e;
  for (size_t i = 0; i < a->claims.count; i++) {
    struct audit_claim *c = &a->claims.at[i];
    if (find_claim(a, c)) return -1;
    if (strcmp(c->kind, "invariant") != 0 && strcmp(c->kind, "reachable") != 0) continue;
    err_clear(&e);
    if (!c->text || expr_parse(&c->expr, a->model, &a->mem, c->text, c->id, &e)) return audit_bad(a, "%s cannot be read: %s", c->id, e.message);
  }
  return 0;
}

int semantics_load(struct audit *a, const char *file) {
  size_t n = a->options.count, texts = 0, markings = 0, defines = 0;
  const char **asked = mem_alloc(&a->mem, MEM_OTHER, (a->claims.count + 1) * sizeof *asked), *language = a->language;
  struct front_override *marking = mem_alloc(&a->mem, MEM_OTHER, (2 * n + 1) * sizeof *marking), *define = marking + n;
  struct front_setup setup = {.mem = &a->mem, .properties = asked, .hear_input = hear_input, .input_context = a, .markings = marking, .defines = define};
  struct err e;
  if (!asked || !marking) return audit_not(a, "there is not enough memory: --memory");
  for (size_t i = 0; i < n; i++) {
    const char *o = a->options.at[i];
    if (is_option(o, "--define=")) define[defines++] = override(o + 9);
    else if (is_option(o, "--marking=")) marking[markings++] = override(o + 10);
    else if (is_option(o, "--language=")) language = o + 11;
    else if (is_option(o, "--edges-per-token")) setup.edges_per_token = 1;
    else if (is_option(o, "--lose-messages")) setup.lose_messages = 1;
    else if (is_option(o, "--no-claims")) setup.no_claims = 1;
    else return audit_bad(a, "it has an option that is not known here: %s", o);
  }
  for (size_t i = 0; i < a->claims.count; i++)
    if (a->claims.at[i].text) asked[texts++] = a->claims.at[i].text;
  setup.marking_count = markings;
  setup.define_count = defines;
  setup.unfold = strcmp(a->kind, "symmetric net") == 0 ? FRONT_UNFOLD_NEVER : FRONT_UNFOLD_ALWAYS;
  err_clear(&e);
  int bad = front_load(&a->model, file, language, &setup, &e);
  if (!a->exit && bad) audit_bad(a, "the model: %s", e.message);
  if (!a->exit && a->inputs_heard != a->inputs.count) audit_bad(a, "the certificate is about more files than are read now");
  mem_free(&a->mem, asked);
  mem_free(&a->mem, marking);
  if (a->exit) return -1;
  struct model *m = a->model;
  if (!m->type->define_initial || strcmp(m->type->kind, a->kind) != 0 || strcmp(m->language, a->language) != 0) return audit_bad(a, "the model is another one: a %s", m->type->kind);
  if (a->vars > MOST_VARS || (a->vars != m->vars && !m->type->define_fits)) return audit_bad(a, "the model has another number of variables");
  if (a->vars > m->vars) m->vars = a->vars; /* of processes that begin on the way: the definition goes by this number alone */
  a->values = mem_alloc(&a->mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *a->values);
  return a->values ? open_claims(a) : audit_not(a, "there is not enough memory: --memory");
}

/* ---- states --------------------------------------------------------------------------------------------------------------------- */

int semantics_read(struct audit *a, const uint8_t *state, size_t length) {
  const struct model_type *t = a->model->type;
  uint32_t v = 0;
  uint64_t n;
  if (t->define_unpack) return t->define_unpack(a->model, state, length, a->values) ? audit_bad(a, "state %" PRIu64 " is none of this model, or memory is short", a->states) : 0;
  memset(a->values, 0, (size_t)a->model->vars * sizeof *a->values);
  for (size_t at = 0; at < length; v++) {
    if (v == a->model->vars || sealed_number(state, length, &at, &n)) return audit_bad(a, "state %" PRIu64 " has too many values", a->states);
    a->values[v] = (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
    if (a->values[v] < INT32_MIN || a->values[v] > UINT32_MAX) return audit_bad(a, "state %" PRIu64 " has a value that no state has", a->states);
  }
  int fits = t->define_fits ? t->define_fits(a->model, a->values, &a->mem) : 1;
  return fits < 0 ? audit_not(a, "there is not enough memory: --memory") : fits ? 0 : audit_bad(a, "state %" PRIu64 " is none of this model", a->states);
}

int semantics_pack(struct audit *a, const int64_t *values, size_t vars) {
  const struct model_type *t = a->model->type;
  a->packed.count = 0;
  if (t->define_pack) {
    size_t length = t->define_pack(a->model, values, NULL, 0);
    if (vec_reserve(&a->packed, &a->mem, MEM_OTHER, length + 1)) return audit_not(a, "there is not enough memory: --memory");
    a->packed.count = t->define_pack(a->model, values, a->packed.at, length);
    return 0;
  }
  while (vars && !values[vars - 1]) vars--;
  for (size_t v = 0; v < vars; v++)
    if (audit_append_number(a, &a->packed, (uint64_t)values[v] << 1 ^ (uint64_t)(values[v] >> 63))) return -1;
  return 0;
}

int semantics_successors(struct audit *a, const int64_t *values, void (*hear)(void *, const struct model_defined *), void *context) {
  const struct model *m = a->model;
  int64_t *out = NULL;
  int there = 0;
  if (m->type->define_all) there = m->type->define_all(m, values, &a->mem, hear, context);
  else if (!(out = mem_alloc(&a->mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *out))) there = -1;
  for (uint32_t k = 0, group; out && m->type->define_edge && (there = m->type->define_edge(m, values, k, &group, out, &a->mem)) > 0; k++) hear(context, &(struct model_defined){.group = group, .values = out, .vars = m->vars});
  for (uint32_t g = 0; out && !m->type->define_edge && g < m->groups; g++)
    if (m->type->define_step(m, values, g, out)) hear(context, &(struct model_defined){.group = g, .values = out, .vars = m->vars});
  mem_free(&a->mem, out);
  return there == MODEL_GIVES_UP ? audit_not(a, "a step is too long for the definition of the language") : there < 0 ? audit_not(a, "there is not enough memory: --memory") : 0;
}

/* ---- properties ----------------------------------------------------------------------------------------------------------------- */

int semantics_ends(const struct audit *a, const int64_t *values) { return a->model->type->define_labels && a->model->type->define_labels(a->model, values) & MODEL_END; }

int semantics_decides(const struct audit *a, const struct audit_claim *c, const int64_t *values, int dead) {
  if (strcmp(c->kind, "deadlock") == 0) return dead && !semantics_ends(a, values);
  if (strcmp(c->kind, "invariant") == 0) return expr_define(c->expr, a->model, values) == 0;
  return strcmp(c->kind, "reachable") == 0 && expr_define(c->expr, a->model, values) != 0;
}

int semantics_broken(const struct audit_claim *c, const struct model_defined *d) {
  for (size_t i = 0; i < d->claims; i++)
    if (d->claim[i] == c->number && (strcmp(c->kind, "assert") == 0 || strcmp(c->kind, "runtime") == 0)) return 1;
  return 0;
}
