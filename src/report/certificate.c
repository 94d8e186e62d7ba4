/* certificate.c -- see certificate.h, and doc/certificates.md for the bytes. */
#include "report/certificate.h"

#include "base/hash.h"
#include "base/squeeze.h"
#include "base/vec.h"
#include "report/trace_view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 }; /* bytes of a block before it is squeezed; a longer state has one of its own */

struct bytes vec(uint8_t);

/* ---- states ------------------------------------------------------------------------------------------------------------------ */

static size_t put_number(uint8_t *out, uint64_t n) {
  size_t used = 0;
  for (; n > 127; n >>= 7) out[used++] = (uint8_t)(n | 128);
  out[used++] = (uint8_t)n;
  return used;
}

static int make_room(struct certificate *c, size_t bytes) {
  if (c->model->vars > c->vars) {
    int64_t *values = mem_resize(c->mem, MEM_OTHER, c->values, (size_t)c->model->vars * sizeof *values);
    if (!values) return err_memory(&c->err, "the certificate");
    c->values = values;
    c->vars = c->model->vars;
  }
  if (bytes <= c->room) return 0;
  uint8_t *larger = mem_resize(c->mem, MEM_OTHER, c->bytes, bytes);
  if (!larger) return err_memory(&c->err, "the certificate");
  c->bytes = larger;
  c->room = bytes;
  return 0;
}

/* A state by its values: the model's own bytes, or numbers without the zeros at the end, which variables have that the model did not need yet. */
static int keep(struct certificate *c, const uint32_t *state) {
  const struct model *m = c->model;
  uint32_t vars = m->vars;
  size_t used = 0;
  if (make_room(c, (size_t)vars * 10 + 16)) return -1;
  for (uint32_t v = 0; v < vars; v++) c->values[v] = m->type->value(m, state, v);
  if (m->type->define_pack) {
    used = m->type->define_pack(m, c->values, c->bytes, c->room);
    if (used > c->room) {
      if (make_room(c, used)) return -1;
      m->type->define_pack(m, c->values, c->bytes, c->room);
    }
  } else {
    while (vars && !c->values[vars - 1]) vars--;
    for (uint32_t v = 0; v < vars; v++) used += put_number(c->bytes + used, (uint64_t)c->values[v] << 1 ^ (uint64_t)(c->values[v] >> 63));
  }
  return sorter_add(&c->sorter, c->bytes, used, &c->err);
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct certificate *c = (struct certificate *)l;
  (void)s;
  if (e->kind == EVENT_AGAIN) {
    sorter_clear(&c->sorter);
    c->heard = 0;
  } else if (c->err.kind == ERR_NONE && keep(c, e->words) == 0) {
    c->heard++;
  }
  return LISTEN_ON;
}

int certificate_open(struct certificate *c, const struct model *model, const char *folder, struct mem *mem, struct err *e) {
  *c = (struct certificate){.listener = {.wants = EVENT_NEW | EVENT_AGAIN, .hear = hear}, .mem = mem, .model = model};
  err_clear(&c->err);
  if (sorter_open(&c->sorter, folder, mem_left(mem) / 32, mem, e)) return -1;
  return 0;
}

void certificate_close(struct certificate *c) {
  if (!c->mem) return;
  sorter_close(&c->sorter);
  mem_free(c->mem, c->values);
  mem_free(c->mem, c->bytes);
  *c = (struct certificate){0};
}

/* ---- records: tag, length, sum, bytes ----------------------------------------------------------------------------------------- */

struct out {
  FILE *file;
  uint64_t at; /* bytes written */
};

static void put_fixed(uint8_t *out, uint64_t n, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)(n >> 8 * i);
}

/* Errors of the stream are seen at its end. */
static void put_record(struct out *o, const char *tag, const void *data, size_t length) {
  uint8_t head[20];
  memcpy(head, tag, 4);
  put_fixed(head + 4, length, 8);
  put_fixed(head + 12, XXH64(data, length, 0), 8);
  fwrite(head, sizeof head, 1, o->file);
  if (length) fwrite(data, length, 1, o->file);
  o->at += sizeof head + length;
}

/* ---- what is claimed ---------------------------------------------------------------------------------------------------------- */

static int is_one_of(const char *word, const char *const *list) {
  while (*list && strcmp(*list, word) != 0) list++;
  return *list != NULL;
}

static int has_set(const struct certificate *c, const struct verdict *v) { return v->complete && !v->lossy && !verdict_reduced(v) && c->heard; }

/* Was it given as a formula? Claims of the model may be automata. */
static int is_formula(const struct model *m, const struct verdict_property *p) {
  struct model_claim claim;
  if (strcmp(p->kind, "ltl") != 0 || !p->text) return 0;
  for (uint32_t i = 0; m->type->claims && i < m->type->claims(m); i++) {
    m->type->claim(m, i, &claim);
    if (strcmp(claim.id, p->id) == 0) return claim.formula != NULL;
  }
  return 1;
}

enum certificate_evidence certificate_evidence(const struct certificate *c, const struct verdict *v, const struct verdict_property *p, int fair) {
  static const char *const of_states[] = {"deadlock", "invariant", "assert", "runtime", NULL};
  static const char *const of_steps[] = {"assert", "runtime", NULL};
  int reachable = strcmp(p->kind, "reachable") == 0, states = is_one_of(p->kind, of_states);
  if (is_one_of(p->kind, of_steps) && !c->model->type->define_all) return EVIDENCE_NONE;
  if (p->status == (reachable ? STATUS_VIOLATED : STATUS_HOLDS)) return (reachable || states) && has_set(c, v) ? EVIDENCE_SET : EVIDENCE_NONE;
  if (p->status == STATUS_UNKNOWN || !p->evidence_count || !p->evidence[0].trace) return EVIDENCE_NONE;
  return reachable || states || (is_formula(c->model, p) && !fair) ? EVIDENCE_TRACE : EVIDENCE_NONE;
}

/* Lines must stay lines. */
static void put_text(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '\n' || *text == '\\') fputs(*text == '\n' ? "\\n" : "\\\\", out);
    else fputc(*text, out);
  }
}

static void put_line(FILE *out, const char *key, const char *text) {
  fprintf(out, "%s ", key);
  put_text(out, text);
  fputc('\n', out);
}

static void put_head(const struct certificate *c, const struct verdict *v, const struct certificate_setup *s, FILE *out) {
  static const char *const evidence[] = {"none", "set", "trace"};
  fprintf(out, "program thimble %s\n", THIMBLE_VERSION);
  put_line(out, "model", v->file);
  put_line(out, "language", v->language);
  put_line(out, "kind", c->model->type->kind);
  for (size_t i = 0; i < s->inputs; i++) {
    fprintf(out, "input %016" PRIx64 " %" PRIu64 " ", s->input[i].hash, s->input[i].bytes);
    put_text(out, s->input[i].name);
    fputc('\n', out);
  }
  for (size_t i = 0; i < s->options; i++) put_line(out, "option", s->option[i]);
  fprintf(out, "verdict %s\nvars %" PRIu32 "\n", verdict_name(v->kind), c->model->vars);
  for (size_t i = 0; i < v->property_count; i++) {
    const struct verdict_property *p = &v->property[i];
    fprintf(out, "property %s %s %s ", p->kind, prop_status_name(p->status), evidence[certificate_evidence(c, v, p, s->fair)]);
    put_text(out, p->id);
    fputc('\n', out);
    if (p->text) put_line(out, "text", p->text);
  }
}

/* A text that is written as a file is, as a record. */
static int put_written(struct out *o, const char *tag, void (*write)(const void *context, FILE *), const void *context, struct err *e) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream) return err_memory(e, "the certificate");
  write(context, stream);
  int bad = fclose(stream);
  if (!bad) put_record(o, tag, text, length);
  free(text);
  return bad ? err_memory(e, "the certificate") : 0;
}

struct head {
  const struct certificate *c;
  const struct verdict *v;
  const struct certificate_setup *s;
};
static void write_head(const void *context, FILE *out) {
  const struct head *h = context;
  put_head(h->c, h->v, h->s, out);
}
static void write_trace(const void *context, FILE *out) { trace_write_json(context, out); }

/* ---- the set ------------------------------------------------------------------------------------------------------------------- */

struct set_out {
  struct out *o;
  struct mem *mem;
  struct squeeze squeeze;
  struct bytes block, last, packed, index;
  uint64_t states, blocks;
  uint32_t inside; /* states of the block */
};

static int append(struct bytes *b, struct mem *mem, const void *data, size_t length) {
  if (vec_reserve(b, mem, MEM_OTHER, length)) return -1;
  if (length) memcpy(b->at + b->count, data, length);
  b->count += length;
  return 0;
}

static int append_number(struct bytes *b, struct mem *mem, uint64_t n) {
  uint8_t bytes[10];
  return append(b, mem, bytes, put_number(bytes, n));
}

static int end_block(struct set_out *s, struct err *e) {
  const char *why = "";
  if (!s->inside) return 0;
  size_t bound = squeeze_bound(s->block.count) + 12;
  s->packed.count = 0;
  if (vec_reserve(&s->packed, s->mem, MEM_OTHER, bound)) return err_memory(e, "the certificate");
  put_fixed(s->packed.at, s->inside, 4);
  put_fixed(s->packed.at + 4, s->block.count, 8);
  size_t length = squeeze_pack(&s->squeeze, s->block.at, s->block.count, s->packed.at + 12, bound - 12, &why);
  if (!length) return err_internal(e, "a block of the certificate cannot be compressed: %s", why);
  put_record(s->o, "STAT", s->packed.at, length + 12);
  s->blocks++;
  s->block.count = s->inside = 0;
  return 0;
}

/* How long it shares its beginning with the one before, how long the rest is, and that. */
static int put_state(struct set_out *s, const uint8_t *state, size_t length, struct err *e) {
  size_t shared = 0;
  if (s->inside && s->block.count + length > BLOCK && end_block(s, e)) return -1;
  if (s->inside)
    while (shared < length && shared < s->last.count && state[shared] == s->last.at[shared]) shared++;
  int bad = append_number(&s->block, s->mem, shared) || append_number(&s->block, s->mem, length - shared) || append(&s->block, s->mem, state + shared, length - shared);
  if (!s->inside) bad = bad || append_number(&s->index, s->mem, s->o->at) || append_number(&s->index, s->mem, length) || append(&s->index, s->mem, state, length);
  s->last.count = 0;
  if (bad || append(&s->last, s->mem, state, length)) return err_memory(e, "the certificate");
  s->inside++;
  s->states++;
  return 0;
}

/* `known`: how many states the run has counted. Some searches forget states and tell them again. */
static int put_set(struct certificate *c, struct out *o, uint64_t known, uint64_t *states, uint64_t *blocks, struct err *e) {
  struct set_out s = {.o = o, .mem = c->mem};
  const uint8_t *state;
  size_t length;
  int there = 0, bad = squeeze_open(&s.squeeze, BLOCK, c->mem, MEM_OTHER) ? err_memory(e, "the certificate") : sorter_begin(&c->sorter, e);
  while (!bad && (there = sorter_next(&c->sorter, &state, &length, e)) > 0) bad = put_state(&s, state, length, e);
  if (!bad) bad = there < 0 ? -1 : end_block(&s, e);
  if (!bad && s.states == c->heard && s.states != known) bad = err_internal(e, "the run has %" PRIu64 " states, and the certificate %" PRIu64, known, s.states);
  if (!bad) put_record(o, "INDX", s.index.at, s.index.count);
  *states = s.states;
  *blocks = s.blocks;
  squeeze_close(&s.squeeze);
  vec_free(&s.block, c->mem);
  vec_free(&s.last, c->mem);
  vec_free(&s.packed, c->mem);
  vec_free(&s.index, c->mem);
  return bad;
}

int certificate_write(struct certificate *c, const struct verdict *v, const struct certificate_setup *setup, FILE *file, struct err *e) {
  struct out o = {.file = file};
  uint64_t states = 0, blocks = 0;
  if (c->err.kind != ERR_NONE) {
    *e = c->err;
    return -1;
  }
  static const char magic[] = "thimble.certificate/1\n";
  fwrite(magic, sizeof magic - 1, 1, file);
  o.at = sizeof magic - 1;
  int bad = put_written(&o, "HEAD", write_head, &(struct head){c, v, setup}, e);
  for (size_t i = 0; i < v->property_count && !bad; i++) {
    const struct verdict_property *p = &v->property[i];
    struct trace_view view;
    if (certificate_evidence(c, v, p, setup->fair) != EVIDENCE_TRACE) continue;
    trace_view_model(&view, p->evidence[0].trace, c->model);
    view.property_kind = p->kind;
    view.property_text = p->text;
    bad = put_written(&o, "TRAC", write_trace, &view, e);
  }
  if (!bad && has_set(c, v)) bad = put_set(c, &o, v->stats.states, &states, &blocks, e);
  uint8_t end[16];
  put_fixed(end, states, 8);
  put_fixed(end + 8, blocks, 8);
  if (!bad) put_record(&o, "ENDS", end, sizeof end);
  c->written = bad ? 0 : o.at;
  return bad;
}
