/* semantics.c -- the model as its language defines it: states as bytes and values, all successors, what is wrong with a state.  No engine, no packing, no cursor. */
#include "audit/audit.h"

/* What is read must be what was read then, one after the other; names may have changed. */
static void hear_input(void *context, const char *name, uint64_t hash, uint64_t bytes) {
  struct audit *a = context;
  char text[64];
  size_t length = (size_t)snprintf(text, sizeof text, "%016" PRIx64 " %" PRIu64 " ", hash, bytes), at = a->heard++;
  if (at >= a->inputs.count || strncmp(a->inputs.at[at], text, length) != 0) audit_bad(a, "%.200s is not the file that the certificate is about", name);
}

/* May this kind of evidence show this? What the definition does not tell cannot be shown at all. */
static int sensible(struct audit *a, const struct claim *c) {
  int reachable = is(c->kind, "reachable"), steps = is(c->kind, "assert") || is(c->kind, "runtime"), states = steps || reachable || is(c->kind, "deadlock") || is(c->kind, "invariant");
  int by_set = is(c->evidence, "set") && states && is(c->status, reachable ? "violated" : "holds");
  int by_trace = is(c->evidence, "trace") && (states || is(c->kind, "ltl")) && is(c->status, reachable ? "holds" : "violated");
  return is(c->evidence, "none") || ((by_set || by_trace) && (!steps || a->model->type->define_all));
}

static int open_claim(struct audit *a, struct claim *c) {
  const struct model_type *t = a->model->type;
  struct model_claim claim;
  struct err e = {0};
  if (!sensible(a, c)) return audit_bad(a, "%s cannot be shown by a %s", c->id, c->evidence);
  if (strncmp(c->id, c->kind, strlen(c->kind)) != 0 || !strchr(":", c->id[strlen(c->kind)])) return audit_bad(a, "it calls a property of the kind %s %s", c->kind, c->id); /* people read the name */
  for (uint32_t i = 0; t->claims && i < t->claims(a->model); i++) {
    t->claim(a->model, i, &claim);
    if (is(claim.id, c->id)) c->number = i;
  }
  if (is(c->kind, "assert") && c->number == MODEL_RUNTIME) return audit_bad(a, "the model has no claim %s", c->id);
  if (!is(c->kind, "invariant") && !is(c->kind, "reachable")) return 0;
  return c->text && expr_parse(&c->expr, a->model, &a->mem, c->text, c->id, &e) == 0 ? 0 : audit_bad(a, "%s cannot be read: %s", c->id, e.message);
}

int semantics_load(struct audit *a, const char *file) {
  struct front_setup *s = &a->setup;
  struct err e = {0};
  if (vec_push(&a->asked, &a->mem, MEM_OTHER, NULL)) return audit_memory(a);
  s->mem = &a->mem, s->properties = a->asked.at, s->hear_input = hear_input, s->input_context = a;
  s->defines = a->defines.at, s->define_count = a->defines.count, s->markings = a->markings.at, s->marking_count = a->markings.count, s->folders = a->folders.at, s->folder_count = a->folders.count;
  s->unfold = is(a->kind, "symmetric net") ? FRONT_UNFOLD_NEVER : FRONT_UNFOLD_ALWAYS;
  if (front_load(&a->model, file, a->language, s, &e)) audit_bad(a, "the model: %s", e.message);
  if (a->heard != a->inputs.count) audit_bad(a, "the certificate is about more files than are read now");
  if (a->exit) return -1;
  struct model *m = a->model;
  if (!m->type->define_initial || !is(m->type->kind, a->kind) || !is(m->language, a->language)) return audit_bad(a, "the model is another one: a %s", m->type->kind);
  if (a->vars > 1 << 26 /* too many to be true */ || (a->vars != m->vars && !m->type->define_fits)) return audit_bad(a, "the model has another number of variables");
  if (a->vars > m->vars) m->vars = a->vars; /* of processes that begin on the way: the definition goes by this number alone */
  if (!(a->values = mem_alloc(&a->mem, MEM_OTHER, 4 * ((size_t)m->vars + 1) * sizeof *a->values))) return audit_memory(a);
  a->after = a->values + m->vars + 1, a->next = a->after + m->vars + 1, a->first = a->next + m->vars + 1;
  each_claim(a, c)
    if (open_claim(a, c)) return -1;
  return 0;
}

int semantics_read(struct audit *a) {
  const struct model_type *t = a->model->type;
  const struct bytes *state = &a->sealed.state;
  uint64_t n;
  int fits = !t->define_unpack || !t->define_unpack(a->model, state->at, state->count, a->values);
  if (!t->define_unpack) memset(a->values, 0, (size_t)a->model->vars * sizeof *a->values);
  for (size_t at = 0, v = 0; !t->define_unpack && fits && at < state->count; v++) {
    fits = v < a->model->vars && !sealed_number(state, &at, &n) && n >> 1 <= UINT32_MAX;
    if (fits) a->values[v] = (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
  }
  if (fits && t->define_fits) fits = t->define_fits(a->model, a->values, &a->mem);
  return fits < 0 ? audit_memory(a) : fits ? 0 : audit_bad(a, "state %" PRIu64 " is none of this model", a->sealed.states);
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

int semantics_steps(struct audit *a, void (*hear)(void *, const struct model_defined *), void *context) {
  const struct model *m = a->model;
  int status = m->type->define_all ? m->type->define_all(m, a->values, &a->mem, hear, context) : 0;
  for (uint32_t g = 0; !m->type->define_all && g < m->groups; g++)
    if (m->type->define_step(m, a->values, g, a->after)) hear(context, &(struct model_defined){.group = g, .values = a->after, .vars = m->vars});
  return status == MODEL_GIVES_UP ? audit_not(a, "a step is too long for the definition of the language") : status < 0 ? audit_memory(a) : 0;
}

int semantics_decides(const struct audit *a, const struct claim *c, const struct model_defined *step, int dead) {
  const struct model_type *t = a->model->type;
  for (size_t i = 0; step && i < step->claims; i++)
    if (step->claim[i] == c->number && (is(c->kind, "assert") || is(c->kind, "runtime"))) return 1;
  if (!step && is(c->kind, "deadlock")) return dead && !(t->define_labels && t->define_labels(a->model, a->values) & MODEL_END);
  return !step && c->expr && (expr_define(c->expr, a->model, a->values) != 0) == is(c->kind, "reachable");
}
