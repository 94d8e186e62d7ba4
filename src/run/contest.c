/* contest.c -- see contest.h. */
#include "run/contest.h"

#include "base/clock.h"
#include "run/affect.h"
#include "search/components.h"
#include "search/ctl.h"

#include <string.h>

/* ---- what is asked ------------------------------------------------------------------------------------------------------ */

enum examination { NONE, DEADLOCK, ONE_SAFE, QUASI_LIVE, STABLE, LIVE, REACHABILITY, BRANCHING, LINEAR, BOUNDS };

static const struct {
  const char *name;
  enum examination is;
} examinations[] = {
    {"ReachabilityDeadlock", DEADLOCK},        {"OneSafe", ONE_SAFE},
    {"QuasiLiveness", QUASI_LIVE},             {"StableMarking", STABLE},
    {"Liveness", LIVE},                        {"ReachabilityCardinality", REACHABILITY},
    {"ReachabilityFireability", REACHABILITY}, {"CTLCardinality", BRANCHING},
    {"CTLFireability", BRANCHING},             {"LTLCardinality", LINEAR},
    {"LTLFireability", LINEAR},                {"UpperBounds", BOUNDS},
};

static enum examination find(const char *name) {
  for (size_t i = 0; i < sizeof examinations / sizeof *examinations; i++)
    if (strcmp(examinations[i].name, name) == 0) return examinations[i].is;
  return NONE;
}

int contest_knows(const char *examination, int *needs_queries) {
  enum examination is = find(examination);
  *needs_queries = is >= REACHABILITY;
  return is != NONE;
}

struct contest {
  const struct run_setup *run;
  const struct queries *queries;
  struct contest_answer *answer; /* per query */
  contest_hear *hear;
  void *context;
  const char *name;
  double spent; /* seconds */
};

static enum contest_status truth(int is) { return is ? CONTEST_TRUE : CONTEST_FALSE; }

static void tell_one(struct contest *c, enum contest_status status) {
  struct contest_answer answer = {.id = c->name, .status = status};
  c->hear(c->context, &answer);
}

/* A run with further listeners, which hear before the caller's. */
static int explore(struct contest *c, struct verdict *v, const struct prop *props, size_t count, struct listener **own, size_t owns, const struct store_type *store,
                   struct err *e) {
  struct listener *listeners[8];
  struct run_setup run = *c->run;
  size_t n = 0;
  for (size_t i = 0; i < owns; i++) listeners[n++] = own[i];
  for (size_t i = 0; i < run.listener_count && n < 8; i++) listeners[n++] = run.listeners[i];
  run.listeners = listeners;
  run.listener_count = n;
  run.props = props;
  run.prop_count = count;
  run.prefix = 1;
  run.decide_all = 1;
  if (store) run.store = store;
  if (run.limits.seconds > 0) run.limits.seconds = run.limits.seconds > c->spent + 1e-3 ? run.limits.seconds - c->spent : 1e-3;
  int bad = run_check(v, &run, e);
  c->spent += v->total_s - run.load_s;
  return bad;
}

/* ---- one question about the net ------------------------------------------------------------------------------------------ */

/* Which transitions happen, which variables change. */
struct watch {
  struct listener listener;
  const struct model *model;
  uint8_t *happens, *changes;
  int64_t *first;
};

static enum listener_answer watch_events(struct listener *l, struct search *s, const struct search_event *event) {
  struct watch *w = (struct watch *)l;
  (void)s;
  if (event->kind == EVENT_EDGE) {
    w->happens[event->group] = 1;
    return LISTEN_ON;
  }
  for (uint32_t v = 0; v < w->model->vars && event->kind == EVENT_NEW; v++) {
    int64_t value = w->model->type->value(w->model, event->words, v);
    if (event->source == STORE_NONE) w->first[v] = value;
    else w->changes[v] |= value != w->first[v];
  }
  return LISTEN_ON;
}

static int some_zero(const uint8_t *set, size_t count) { return memchr(set, 0, count) != NULL; }

static int watch_net(struct contest *c, enum examination is, struct err *e) {
  const struct model *m = c->run->model;
  struct mem *mem = c->run->mem;
  struct watch w = {.listener = {is == QUASI_LIVE ? EVENT_EDGE : EVENT_NEW, watch_events}, .model = m};
  struct listener *own[] = {&w.listener};
  struct verdict v = {0};
  w.happens = mem_alloc(mem, MEM_OTHER, (size_t)m->groups + 1);
  w.changes = mem_alloc(mem, MEM_OTHER, (size_t)m->vars + 1);
  w.first = mem_alloc(mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *w.first);
  int bad = w.happens && w.changes && w.first ? 0 : err_memory(e, "an examination");
  if (!bad) {
    bad = explore(c, &v, NULL, 0, own, 1, NULL, e);
    int open = is == QUASI_LIVE ? some_zero(w.happens, m->groups) : some_zero(w.changes, m->vars);
    enum contest_status status = CONTEST_UNKNOWN;
    if (!bad && !open) status = truth(is == QUASI_LIVE); /* nothing is left to be seen, complete or not */
    else if (!bad && v.complete) status = truth(is == STABLE);
    if (!bad) tell_one(c, status);
  }
  verdict_close(&v);
  mem_free(mem, w.happens);
  mem_free(mem, w.changes);
  mem_free(mem, w.first);
  return bad;
}

static int deadlock(struct contest *c, struct err *e) {
  struct prop p;
  struct verdict v = {0};
  if (prop_open(&p, PROP_DEADLOCK, 1, NULL, c->run->model, c->run->mem, e)) return -1;
  int bad = explore(c, &v, &p, 1, NULL, 0, NULL, e);
  if (!bad) {
    enum prop_status status = v.property[0].status;
    tell_one(c, status == STATUS_UNKNOWN ? CONTEST_UNKNOWN : truth(status == STATUS_VIOLATED));
  }
  verdict_close(&v);
  prop_close(&p);
  return bad;
}

static int one_safe(struct contest *c, struct err *e) {
  struct verdict v = {0};
  int bad = explore(c, &v, NULL, 0, NULL, 0, NULL, e);
  if (!bad) {
    int infinite = v.unbounded_count || v.pump, more = v.has_peaks && v.max_in_place > 1;
    tell_one(c, infinite || more ? CONTEST_FALSE : v.complete && v.has_peaks ? CONTEST_TRUE : CONTEST_UNKNOWN);
  }
  verdict_close(&v);
  return bad;
}

/* In every component that cannot be left, does every transition happen? A single state without edges is such a component. */
static int all_live(const struct kripke *k, const struct components *p, uint32_t groups, struct mem *mem) {
  uint32_t *seen = mem_alloc(mem, MEM_SEARCH, ((size_t)p->count + 1) * sizeof *seen);
  uint8_t *happens = NULL;
  size_t lasts = 0, slot = 0;
  for (uint32_t i = 0; i < p->count; i++) lasts += p->last[i];
  if (seen) happens = mem_alloc(mem, MEM_SEARCH, lasts * groups / 8 + 2);
  int live = -1;
  if (seen && happens) {
    uint64_t found = 0;
    for (uint32_t i = 0; i < p->count; i++)
      if (p->last[i]) seen[i] = (uint32_t)slot++;
    for (uint64_t s = 0; s < k->states; s++)
      for (uint64_t edge = kripke_first(k)[s]; p->last[p->of[s]] && edge < kripke_first(k)[s + 1]; edge++) {
        uint64_t bit = (uint64_t)seen[p->of[s]] * groups + kripke_group(k)[edge];
        found += !(happens[bit / 8] >> bit % 8 & 1);
        happens[bit / 8] |= (uint8_t)(1u << bit % 8);
      }
    live = found == (uint64_t)lasts * groups;
  }
  mem_free(mem, seen);
  mem_free(mem, happens);
  return live;
}

static int liveness(struct contest *c, struct err *e) {
  struct mem *mem = c->run->mem;
  struct kripke k;
  struct components parts = {0};
  struct verdict v = {0};
  if (kripke_open(&k, c->run->model, NULL, 0, mem, e)) return -1;
  k.with_groups = 1;
  struct listener *own[] = {&k.listener};
  int bad = explore(c, &v, NULL, 0, own, 1, &store_plain, e), live = -1;
  if (!bad && v.complete && !k.failed && components_find(&parts, &k, mem, e) == 0) live = all_live(&k, &parts, c->run->model->groups, mem);
  if (e->kind == ERR_MEMORY) err_clear(e);
  if (!bad) tell_one(c, live < 0 ? CONTEST_UNKNOWN : truth(live));
  components_close(&parts);
  kripke_close(&k);
  verdict_close(&v);
  return bad;
}

/* ---- queries that single states decide ------------------------------------------------------------------------------------- */

struct shape { /* of "(E (F text))", "(A (G text))" and their negations */
  int reach, negated;
  const char *text;
  size_t length;
};

/* What is inside "(WORD ...)"; 0: it is not of that form. The queries' own writer bracketed it. */
static int inside(const char **text, size_t *length, const char *word) {
  size_t n = strlen(word);
  if (*length < n + 3 || (*text)[0] != '(' || memcmp(*text + 1, word, n) != 0 || (*text)[n + 1] != ' ' || (*text)[*length - 1] != ')') return 0;
  *text += n + 2;
  *length -= n + 3;
  return 1;
}

static int is_simple(const char *text, size_t length) {
  for (size_t i = 0, quoted = 0; i + 2 < length; i++) {
    quoted ^= text[i] == '"';
    if (!quoted && text[i] == '(' && strchr("AEGFX", text[i + 1]) && text[i + 2] == ' ') return 0;
    if (!quoted && memcmp(text + i, " U ", 3) == 0) return 0;
  }
  return 1;
}

static int has_shape(const struct query *q, struct shape *out) {
  *out = (struct shape){.text = q->text, .length = strlen(q->text)};
  while (inside(&out->text, &out->length, "!")) out->negated = !out->negated;
  if (inside(&out->text, &out->length, "E")) out->reach = 1;
  else if (!inside(&out->text, &out->length, "A")) return 0;
  return inside(&out->text, &out->length, out->reach ? "F" : "G") && is_simple(out->text, out->length);
}

/* Properties for all queries of that shape; `of` says whose they are. */
static int simple_props(struct contest *c, struct prop *props, size_t *of, size_t *count, struct err *e) {
  size_t i = 0;
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    struct shape s;
    if (!*q->text || c->answer[i].status != CONTEST_UNKNOWN || !has_shape(q, &s)) continue;
    char *text = mem_strndup(c->run->mem, MEM_OTHER, s.text, s.length);
    if (!text) return err_memory(e, "the queries");
    int bad = prop_open(&props[*count], s.reach ? PROP_REACHABLE : PROP_INVARIANT, (unsigned)i + 1, text, c->run->model, c->run->mem, e);
    mem_free(c->run->mem, text);
    if (bad) return -1;
    of[(*count)++] = i;
  }
  return 0;
}

static void take_simple(struct contest *c, const struct verdict *v, const size_t *of, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct query *q = c->queries->first;
    for (size_t k = 0; k < of[i]; k++) q = q->next;
    struct shape s;
    has_shape(q, &s);
    if (v->property[i].status != STATUS_UNKNOWN) c->answer[of[i]].status = truth((v->property[i].status == STATUS_HOLDS) != s.negated);
  }
}

/* `own` listens, too (may be NULL); `whole`: it wants to hear everything. */
static int simple_queries(struct contest *c, struct listener *own, int whole, int *complete, struct err *e) {
  struct mem *mem = c->run->mem;
  size_t count = 0, n = c->queries->count;
  struct prop *props = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *props);
  size_t *of = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *of);
  struct verdict v = {0};
  int bad = props && of ? simple_props(c, props, of, &count, e) : err_memory(e, "the queries");
  if (!bad && (count || whole)) {
    bad = explore(c, &v, whole ? NULL : props, whole ? 0 : count, &own, own != NULL, own ? &store_plain : NULL, e);
    if (!bad && !whole) take_simple(c, &v, of, count);
    *complete = !bad && v.complete;
  }
  verdict_close(&v);
  for (size_t i = 0; i < count; i++) prop_close(&props[i]);
  mem_free(mem, props);
  mem_free(mem, of);
  return bad;
}

/* ---- branching formulas ------------------------------------------------------------------------------------------------------- */

struct branching {
  struct contest *c;
  struct formulas *fs;
  formula *formula; /* per query; FORMULA_NONE = not of ours */
  struct vec(struct expr *) atom;
};

static int branching_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct branching *b = context;
  struct mem *mem = b->c->run->mem;
  (void)column;
  for (size_t i = 0; i < b->atom.count; i++) {
    const char *known = expr_text(b->atom.at[i]);
    if (strlen(known) == length && !memcmp(known, text, length)) return (int)i;
  }
  char *copy = mem_strndup(mem, MEM_OTHER, text, length);
  struct expr *x = NULL;
  int bad = copy ? expr_parse(&x, b->c->run->model, mem, copy, "query", e) : err_memory(e, "the queries");
  mem_free(mem, copy);
  if (!bad && vec_push(&b->atom, mem, MEM_OTHER, x)) {
    expr_close(x);
    bad = err_memory(e, "the queries");
  }
  return bad ? -1 : (int)b->atom.count - 1;
}

static int read_branching(struct branching *b, size_t *count, struct err *e) {
  size_t i = 0;
  struct formula_reader reader = {.what = "query", .branching = 1, .atom = branching_atom, .context = b};
  for (const struct query *q = b->c->queries->first; q; q = q->next, i++) {
    b->formula[i] = FORMULA_NONE;
    if (!*q->text || b->c->answer[i].status != CONTEST_UNKNOWN) continue;
    if (formula_parse(b->fs, &b->formula[i], q->text, &reader, e)) return -1;
    ++*count;
  }
  return 0;
}

static void decide(struct branching *b, const struct kripke *k, struct mem *mem, struct err *e) {
  struct ctl *ctl;
  double begin = clock_now();
  const struct search_limits *limits = &b->c->run->limits;
  struct model_patience patience = {.interrupt = limits->interrupt, .until = limits->seconds > 0 ? begin + limits->seconds - b->c->spent : 0};
  if (ctl_open(&ctl, b->fs, k, mem, e)) {
    err_clear(e);
    return;
  }
  ctl_limit(ctl, &patience);
  for (size_t i = 0; i < b->c->queries->count; i++) {
    if (b->formula[i] == FORMULA_NONE) continue;
    int holds = ctl_holds(ctl, b->formula[i], e);
    if (holds >= 0) b->c->answer[i].status = truth(holds);
    err_clear(e); /* what memory or time does not allow has no answer */
    if (mem_left(mem) < mem->budget / 4) ctl_forget(ctl);
  }
  ctl_close(ctl);
  b->c->spent += clock_now() - begin;
}

static int branching(struct contest *c, struct err *e) {
  struct mem *mem = c->run->mem;
  struct branching b = {.c = c, .formula = mem_alloc(mem, MEM_OTHER, (c->queries->count + 1) * sizeof *b.formula)};
  size_t count = 0;
  int complete = 0, bad = b.formula ? formulas_open(&b.fs, mem, e) : err_memory(e, "the queries");
  if (!bad) bad = read_branching(&b, &count, e);
  struct kripke k = {0};
  struct affected affected = {0};
  if (!bad && count) bad = kripke_open(&k, c->run->model, b.atom.at, b.atom.count, mem, e);
  if (!bad && count) affect_open(&affected, c->run->model, b.atom.at, b.atom.count, mem);
  k.affected = &affected;
  if (!bad && count) bad = simple_queries(c, &k.listener, 1, &complete, e);
  if (!bad && count && complete && !k.failed) decide(&b, &k, mem, e);
  kripke_close(&k);
  affect_close(&affected, mem);
  for (size_t i = 0; i < b.atom.count; i++) expr_close(b.atom.at[i]);
  vec_free(&b.atom, mem);
  formulas_close(b.fs);
  mem_free(mem, b.formula);
  /* What the whole graph did not fit for may be decided by single states. */
  if (!bad && !complete) bad = simple_queries(c, NULL, 0, &complete, e);
  return bad;
}

/* ---- linear formulas ---------------------------------------------------------------------------------------------------------- */

static int linear(struct contest *c, struct err *e) {
  size_t i = 0;
  for (const struct query *q = c->queries->first; q; q = q->next, i++) {
    const char *text = q->text;
    size_t length = strlen(text);
    struct prop p = {0};
    struct verdict v = {0};
    if (!inside(&text, &length, "A")) continue;
    char *copy = mem_strndup(c->run->mem, MEM_OTHER, text, length);
    int bad = copy ? prop_open(&p, PROP_LTL, (unsigned)i + 1, copy, c->run->model, c->run->mem, e) : err_memory(e, "the queries");
    mem_free(c->run->mem, copy);
    if (bad && (e->kind == ERR_LIMIT || e->kind == ERR_MEMORY)) {
      err_clear(e);
      continue;
    }
    if (!bad) bad = explore(c, &v, &p, 1, NULL, 0, NULL, e);
    if (!bad && v.property[0].status != STATUS_UNKNOWN) c->answer[i].status = truth(v.property[0].status == STATUS_HOLDS);
    verdict_close(&v);
    prop_close(&p);
    if (bad) return -1;
  }
  return 0;
}

/* ---- bounds -------------------------------------------------------------------------------------------------------------------- */

struct peaks {
  struct listener listener;
  struct expr **expr;
  int64_t *most;
  size_t count;
  struct model_cursor *cursor;
};

static enum listener_answer raise(struct listener *l, struct search *s, const struct search_event *event) {
  struct peaks *p = (struct peaks *)l;
  (void)s;
  for (size_t i = 0; i < p->count && event->kind == EVENT_NEW; i++) {
    if (!p->expr[i]) continue;
    int64_t value = expr_value(p->expr[i], p->cursor, event->words);
    if (value > p->most[i]) p->most[i] = value;
  }
  return LISTEN_ON;
}

static int bounds(struct contest *c, struct err *e) {
  struct mem *mem = c->run->mem;
  size_t n = c->queries->count, i = 0;
  struct peaks p = {.listener = {EVENT_NEW, raise}, .count = n};
  struct listener *own[] = {&p.listener};
  struct verdict v = {0};
  p.expr = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *p.expr);
  p.most = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *p.most);
  int bad = p.expr && p.most && c->run->model->type->cursor_open(&p.cursor, c->run->model, mem) == 0 ? 0 : err_memory(e, "the queries");
  for (const struct query *q = c->queries->first; q && !bad; q = q->next, i++)
    if (q->bound && *q->text) bad = expr_parse(&p.expr[i], c->run->model, mem, q->text, "query", e);
  if (!bad) bad = explore(c, &v, NULL, 0, own, 1, NULL, e);
  for (i = 0; i < n && !bad; i++) {
    if (!p.expr[i] || !v.complete) continue;
    c->answer[i].status = CONTEST_NUMBER;
    c->answer[i].number = p.most[i];
  }
  verdict_close(&v);
  for (i = 0; p.expr && i < n; i++) expr_close(p.expr[i]);
  if (p.cursor) c->run->model->type->cursor_close(p.cursor);
  mem_free(mem, p.expr);
  mem_free(mem, p.most);
  return bad;
}

/* ---- all ------------------------------------------------------------------------------------------------------------------------ */

static int answer_queries(struct contest *c, enum examination is, struct err *e) {
  int complete;
  switch (is) {
  case REACHABILITY: return simple_queries(c, NULL, 0, &complete, e) || branching(c, e);
  case BRANCHING: return branching(c, e);
  case LINEAR: return linear(c, e);
  default: return bounds(c, e);
  }
}

int contest_run(const char *examination, const struct queries *queries, const struct run_setup *run, contest_hear *hear, void *context, struct err *e) {
  struct contest c = {.run = run, .queries = queries, .hear = hear, .context = context, .name = examination};
  enum examination is = find(examination);
  switch (is) {
  case NONE: return err_usage(e, "there is no examination '%s'", examination);
  case DEADLOCK: return deadlock(&c, e);
  case ONE_SAFE: return one_safe(&c, e);
  case QUASI_LIVE:
  case STABLE: return watch_net(&c, is, e);
  case LIVE: return liveness(&c, e);
  default: break;
  }
  c.answer = mem_alloc(run->mem, MEM_OTHER, (queries->count + 1) * sizeof *c.answer);
  if (!c.answer) return err_memory(e, "the queries");
  size_t i = 0;
  for (const struct query *q = queries->first; q; q = q->next) c.answer[i++].id = q->id;
  int bad = answer_queries(&c, is, e);
  for (i = 0; i < queries->count && !bad; i++) hear(context, &c.answer[i]);
  mem_free(run->mem, c.answer);
  return bad;
}
