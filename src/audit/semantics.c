/* semantics.c -- see audit.h.  The model as its language defines it: no engine, no packing, no cursor. */
#include "audit/audit.h"
#include "front/front.h"

#include <inttypes.h>

enum { MOST_VARS = 1 << 26 };

/* ---- reading ---------------------------------------------------------------------------------------------------------------------- */

/* What is read must be what was read then, one after the other; names may have changed. */
static void hear_input(void *context, const char *name, uint64_t hash, uint64_t bytes) {
  struct audit *a = context;
  char text[64];
  size_t length = (size_t)snprintf(text, sizeof text, "%016" PRIx64 " %" PRIu64 " ", hash, bytes), at = a->heard++;
  if (at >= a->inputs.count || strncmp(a->inputs.at[at], text, length) != 0) audit_bad(a, "%.200s is not the file that the certificate is about", name);
}

/* NAME=VALUE behind the name of an option, cut in two in the head's own text. */
static int override(const char *option, const char *name, struct front_override *list, size_t *count) {
  if (strncmp(option, name, strlen(name)) != 0) return 0;
  char *text = (char *)(uintptr_t)option + strlen(name), *cut = strchr(text, '=');
  if (cut) *cut = 0;
  list[(*count)++] = (struct front_override){text, cut ? cut + 1 : ""};
  return 1;
}

static int load(struct audit *a, const char *file, const char **asked, struct front_override *marking, struct front_override *define) {
  struct front_setup setup = {.mem = &a->mem, .properties = asked, .markings = marking, .defines = define, .hear_input = hear_input, .input_context = a};
  const char *language = a->language;
  struct err e;
  for (size_t i = 0; i < a->options.count; i++) {
    const char *o = a->options.at[i];
    if (override(o, "--define=", define, &setup.define_count) || override(o, "--marking=", marking, &setup.marking_count)) continue;
    if (strncmp(o, "--language=", 11) == 0) language = o + 11;
    else if (is(o, "--edges-per-token")) setup.edges_per_token = 1;
    else if (is(o, "--lose-messages")) setup.lose_messages = 1;
    else if (is(o, "--no-claims")) setup.no_claims = 1;
    else return audit_bad(a, "it has an option that is not known here: %s", o);
  }
  setup.unfold = is(a->kind, "symmetric net") ? FRONT_UNFOLD_NEVER : FRONT_UNFOLD_ALWAYS;
  err_clear(&e);
  if (front_load(&a->model, file, language, &setup, &e)) audit_bad(a, "the model: %s", e.message);
  if (a->heard != a->inputs.count) audit_bad(a, "the certificate is about more files than are read now");
  return a->exit ? -1 : 0;
}

static int open_claim(struct audit *a, struct claim *c) {
  const struct model_type *t = a->model->type;
  struct model_claim claim;
  struct err e = {0};
  c->number = MODEL_RUNTIME;
  for (uint32_t i = 0; t->claims && i < t->claims(a->model); i++) {
    t->claim(a->model, i, &claim);
    if (is(claim.id, c->id)) c->number = i;
  }
  if (is(c->kind, "assert") && c->number == MODEL_RUNTIME) return audit_bad(a, "the model has no claim %s", c->id);
  if (!is(c->kind, "invariant") && !is(c->kind, "reachable")) return 0;
  return c->text && expr_parse(&c->expr, a->model, &a->mem, c->text, c->id, &e) == 0 ? 0 : audit_bad(a, "%s cannot be read: %s", c->id, e.message);
}

int semantics_load(struct audit *a, const char *file) {
  size_t n = a->options.count + 1, texts = 0;
  struct front_override *list = mem_alloc(&a->mem, MEM_OTHER, 2 * n * sizeof *list + (a->claims.count + 1) * sizeof(char *));
  const char **asked = (const char **)(void *)(list + 2 * n);
  for (size_t i = 0; list && i < a->claims.count; i++)
    if (a->claims.at[i].text) asked[texts++] = a->claims.at[i].text;
  int bad = list ? load(a, file, asked, list, list + n) : audit_memory(a);
  mem_free(&a->mem, list);
  struct model *m = a->model;
  if (bad) return -1;
  if (!m->type->define_initial || !is(m->type->kind, a->kind) || !is(m->language, a->language)) return audit_bad(a, "the model is another one: a %s", m->type->kind);
  if (a->vars > MOST_VARS || (a->vars != m->vars && !m->type->define_fits)) return audit_bad(a, "the model has another number of variables");
  if (a->vars > m->vars) m->vars = a->vars; /* of processes that begin on the way: the definition goes by this number alone */
  if (!(a->values = mem_alloc(&a->mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *a->values))) return audit_memory(a);
  for (size_t i = 0; i < a->claims.count && !bad; i++) bad = open_claim(a, &a->claims.at[i]);
  return bad;
}

/* ---- states ----------------------------------------------------------------------------------------------------------------------- */

int semantics_read(struct audit *a, const struct bytes *state) {
  const struct model_type *t = a->model->type;
  int fits = !t->define_unpack || !t->define_unpack(a->model, state->at, state->count, a->values);
  uint64_t n;
  if (!t->define_unpack) memset(a->values, 0, (size_t)a->model->vars * sizeof *a->values);
  for (size_t at = 0, v = 0; !t->define_unpack && fits && at < state->count; v++) {
    fits = v < a->model->vars && !sealed_number(state, &at, &n) && n >> 1 <= UINT32_MAX;
    if (fits) a->values[v] = (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
  }
  if (fits && t->define_fits) fits = t->define_fits(a->model, a->values, &a->mem);
  return fits < 0 ? audit_memory(a) : fits ? 0 : audit_bad(a, "state %" PRIu64 " is none of this model", a->states);
}

int semantics_pack(struct audit *a, const int64_t *values, size_t vars) {
  const struct model_type *t = a->model->type;
  struct bytes *p = &a->packed;
  size_t room = t->define_pack ? t->define_pack(a->model, values, NULL, 0) : 10 * vars;
  p->count = 0;
  if (vec_reserve(p, &a->mem, MEM_OTHER, room + 1)) return audit_memory(a);
  if (t->define_pack) return p->count = t->define_pack(a->model, values, p->at, room), 0;
  while (vars && !values[vars - 1]) vars--; /* variables that a model gets later are 0 before */
  for (size_t v = 0; v < vars; v++) {
    uint64_t n = (uint64_t)values[v] << 1 ^ (uint64_t)(values[v] >> 63);
    for (; n > 127; n >>= 7) p->at[p->count++] = (uint8_t)(n | 128);
    p->at[p->count++] = (uint8_t)n;
  }
  return 0;
}

int semantics_steps(struct audit *a, const int64_t *values, hear_step *hear, void *context) {
  const struct model *m = a->model;
  int64_t *out = m->type->define_all ? NULL : mem_alloc(&a->mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *out);
  int status = m->type->define_all ? m->type->define_all(m, values, &a->mem, hear, context) : out ? 0 : -1;
  for (uint32_t g = 0; out && g < m->groups; g++)
    if (m->type->define_step(m, values, g, out)) hear(context, &(struct model_defined){.group = g, .values = out, .vars = m->vars});
  mem_free(&a->mem, out);
  return status == MODEL_GIVES_UP ? audit_not(a, "a step is too long for the definition of the language") : status < 0 ? audit_memory(a) : 0;
}

/* ---- properties ------------------------------------------------------------------------------------------------------------------- */

int semantics_decides(const struct audit *a, const struct claim *c, const int64_t *values, int dead) {
  const struct model_type *t = a->model->type;
  if (is(c->kind, "deadlock")) return dead && !(t->define_labels && t->define_labels(a->model, values) & MODEL_END);
  if (is(c->kind, "invariant")) return expr_define(c->expr, a->model, values) == 0;
  return is(c->kind, "reachable") && expr_define(c->expr, a->model, values) != 0;
}

int semantics_broken(const struct claim *c, const struct model_defined *d) {
  for (size_t i = 0; i < d->claims; i++)
    if (d->claim[i] == c->number && (is(c->kind, "assert") || is(c->kind, "runtime"))) return 1;
  return 0;
}
