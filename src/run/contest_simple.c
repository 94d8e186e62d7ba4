/* contest_simple.c -- queries of the shape E F and A G over what single states decide, and negations of them: all are watched by one search, which ends when the
 * last of them is decided.  Any store will do, so the whole ladder is there for them. */
#include "run/contest_parts.h"

#include <string.h>

/* Of the time that is left; the rest is for those that each have a net of their own (contest_apart.c). */
static const double TOGETHER = 0.6;

static int is_simple(const char *text, size_t length) {
  for (size_t i = 0, quoted = 0; i + 2 < length; i++) {
    quoted ^= text[i] == '"';
    if (!quoted && text[i] == '(' && strchr("AEGFX", text[i + 1]) && text[i + 2] == ' ') return 0;
    if (!quoted && memcmp(text + i, " U ", 3) == 0) return 0;
  }
  return 1;
}

int contest_shape_of(const char *text, struct contest_shape *out) {
  *out = (struct contest_shape){.text = text, .length = strlen(text)};
  while (contest_inside(&out->text, &out->length, "!")) out->negated = !out->negated;
  if (contest_inside(&out->text, &out->length, "E")) out->reach = 1;
  else if (!contest_inside(&out->text, &out->length, "A")) return 0;
  return contest_inside(&out->text, &out->length, out->reach ? "F" : "G") && is_simple(out->text, out->length);
}

int contest_shape_prop(struct contest *c, const struct contest_shape *s, size_t i, struct prop *p, struct err *e) {
  char *text = mem_strndup(c->run->mem, MEM_OTHER, s->text, s->length);
  if (!text) return err_memory(e, "the queries");
  int bad = prop_open(p, s->reach ? PROP_REACHABLE : PROP_INVARIANT, (unsigned)i + 1, text, c->run->model, c->run->mem, e);
  mem_free(c->run->mem, text);
  return bad ? contest_blame(c, i, e) : 1;
}

/* Properties for all queries of that shape; `of` says whose they are. */
static int simple_props(struct contest *c, struct prop *props, size_t *of, size_t *count, struct err *e) {
  size_t i = 0;
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    struct contest_shape s;
    if (c->answer[i].status != CONTEST_UNKNOWN || !contest_shape_of(contest_text(c, q, i), &s)) continue;
    int there = contest_shape_prop(c, &s, i, &props[*count], e);
    if (there < 0) return -1;
    if (there) of[(*count)++] = i;
  }
  return 0;
}

static void take_simple(struct contest *c, const struct verdict *v, const size_t *of, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct query *q = c->queries->first;
    for (size_t k = 0; k < of[i]; k++) q = q->next;
    struct contest_shape s;
    contest_shape_of(contest_text(c, q, of[i]), &s);
    if (v->property[i].status != STATUS_UNKNOWN) c->answer[of[i]].status = contest_truth((v->property[i].status == STATUS_HOLDS) != s.negated);
  }
}

int contest_simple(struct contest *c, struct err *e) {
  struct mem *mem = c->run->mem;
  size_t n = c->queries->count;
  struct contest_search how = {0};
  struct prop *props = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *props);
  size_t *of = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *of);
  struct verdict v = {0};
  how.props = props;
  int bad = props && of ? simple_props(c, props, of, &how.count, e) : err_memory(e, "the queries");
  int apart_follows = c->is == REACHABILITY;
  if (apart_follows) how.seconds = contest_seconds(c) * TOGETHER;
  if (!bad && how.count > (size_t)apart_follows) {
    bad = contest_explore(c, &v, &how, e);
    if (!bad) take_simple(c, &v, of, how.count);
  }
  verdict_close(&v);
  for (size_t i = 0; props && i < how.count; i++) prop_close(&props[i]);
  mem_free(mem, props);
  mem_free(mem, of);
  return bad;
}
