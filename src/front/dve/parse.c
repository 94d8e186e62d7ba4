/* parse.c -- the grammar of DVE: recursive descent, one token ahead.
 *
 *   model    { variables | channels } process { process } system
 *   variables  [const] byte|int NAME [ [SIZE] ] [= EXPR | = { EXPR, ... }], ... ;
 *   channels   channel [ { byte|int, ... } ] NAME [ [CAPACITY] ], ... ;
 *   process    process NAME { variables and channels
 *                state NAME, ... ;   init NAME ;   commit NAME, ... ;   accept [buchi] NAME, ... ;
 *                assert STATE : EXPR, ... ;
 *                trans [FROM] -> TO { [guard EXPR, ...;] [sync CHANNEL!|?...;] [effect x = EXPR, ...;] }, ... ; }
 *   system     system async [property NAME] ;
 *
 * Older and newer versions of DiVinE differ in the order of the parts of a process, in whether commas between transitions are
 * needed and in whether channels may be declared in a process; we take all of it.  A transition without FROM begins where the one
 * before it began.
 *
 * After an error the parser goes on behind the next semicolon, or behind the transition's closing brace. */
#include "front/dve/parse.h"

#include "base/near.h"

#include <string.h>

#define PUSH(p, v, ...) (vec_push((v), (p)->d->mem, MEM_OTHER, __VA_ARGS__) ? dve_memory((p)->d) : 0)

void dve_step(struct dve_parser *p) {
  p->now = p->next;
  p->next = dve_lexer_next(&p->lexer);
}

struct dve_place dve_since(const struct dve_parser *p, struct dve_place start) {
  size_t end = p->now.offset; /* blanks and comments before it are cut when the text is shown */
  start.length = end > start.offset ? end - start.offset : 0;
  return start;
}

int dve_expected(struct dve_parser *p, const char *what) {
  char found[80];
  if (p->now.word == DVE_BAD) return dve_fail(p->d, dve_here(p), "%s", p->now.fault);
  if (p->now.word == DVE_END) return dve_fail(p->d, dve_here(p), "%s expected, but here is the end of the file", what);
  err_quote(found, sizeof found, p->d->text + p->now.offset, p->now.length);
  return dve_fail(p->d, dve_here(p), "%s expected, but here is \"%s\"", what, found);
}

int dve_take_sign(struct dve_parser *p, char sign) {
  char what[] = {'"', sign, '"', 0};
  if (!dve_is(p, sign)) return dve_expected(p, what);
  dve_step(p);
  return 0;
}

int dve_take_name(struct dve_parser *p, const char *what, struct dve_name *out) {
  if (p->now.word != DVE_NAME) {
    int keyword = p->now.word >= DVE_ACCEPT && p->now.word <= DVE_TRUE && p->now.length > 2;
    dve_expected(p, what);
    if (keyword) dve_hint(p->d, "this is a word of the language and cannot be a name");
    return -1;
  }
  out->at = dve_here(p);
  out->length = p->now.length;
  out->text = arena_strndup(&p->d->arena, p->d->text + p->now.offset, p->now.length);
  if (!out->text) return dve_memory(p->d);
  dve_step(p);
  return 0;
}

static int take_comma(struct dve_parser *p) {
  if (!dve_is(p, ',')) return 0;
  dve_step(p);
  return 1;
}

static int over(const struct dve_parser *p) { /* nothing more can be told */
  return p->now.word == DVE_END || p->d->starved || p->d->errors.count == DVE_ERRORS_MAX;
}

/* ---- recovery ------------------------------------------------------------------------------------------------------ */

static int begins_part(const struct dve_parser *p) {
  switch (p->now.word) {
  case DVE_STATE:
  case DVE_INIT:
  case DVE_COMMIT:
  case DVE_ACCEPT:
  case DVE_ASSERT:
  case DVE_TRANS:
  case DVE_PROCESS:
  case DVE_SYSTEM:
  case DVE_CHANNEL:
  case DVE_CONST: return 1;
  default: return 0;
  }
}

/* Behind the next semicolon, or before a closing brace or a word that begins something. Braces are skipped as a whole. */
static void skip_part(struct dve_parser *p) {
  unsigned depth = 0;
  while (!over(p)) {
    if (!depth && (dve_is(p, '}') || begins_part(p))) return;
    if (p->now.word == DVE_PROCESS || p->now.word == DVE_SYSTEM) return;
    int ends = !depth && dve_is(p, ';');
    if (dve_is(p, '{')) depth++;
    if (dve_is(p, '}')) depth--;
    dve_step(p);
    if (ends) return;
  }
}

/* Behind the brace that closes a transition's body. */
static void skip_body(struct dve_parser *p) {
  for (unsigned depth = 1; !over(p) && depth;) {
    if (p->now.word == DVE_PROCESS || p->now.word == DVE_SYSTEM) return;
    if (dve_is(p, '{')) depth++;
    if (dve_is(p, '}')) depth--;
    dve_step(p);
  }
}

/* ---- declarations ---------------------------------------------------------------------------------------------------- */

static int take_expression(struct dve_parser *p, const struct dve_expr **out) { return (*out = dve_expression(p)) ? 0 : -1; }

static int take_list(struct dve_parser *p, struct dve_list *list) {
  do {
    const struct dve_expr *e;
    if (take_expression(p, &e) || PUSH(p, list, e)) return -1;
  } while (take_comma(p));
  return 0;
}

static int variable(struct dve_parser *p, struct dve_variable *v) {
  if (dve_take_name(p, "the name of a variable", &v->name)) return -1;
  if (dve_is(p, '[')) {
    v->is_array = 1;
    dve_step(p);
    if (take_expression(p, &v->size) || dve_take_sign(p, ']')) return -1;
  }
  if (!dve_is(p, '=')) return 0;
  dve_step(p);
  v->has_init = 1;
  v->init_at = dve_here(p);
  if (dve_is(p, '{')) {
    if (!v->is_array)
      return dve_fail(p->d, v->init_at, "\"%s\" is not an array: a list of values cannot be its first value", v->name.text);
    dve_step(p);
    return take_list(p, &v->init) || dve_take_sign(p, '}') ? -1 : 0;
  }
  if (v->is_array) {
    dve_fail(p->d, v->init_at, "\"%s\" is an array: its first values are a list", v->name.text);
    dve_hint(p->d, "{ first, second, ... }; what is left out is 0");
    return -1;
  }
  const struct dve_expr *e;
  return take_expression(p, &e) || PUSH(p, &v->init, e) ? -1 : 0;
}

static int variables(struct dve_parser *p, struct dve_variables *out) {
  struct dve_variable v = {0};
  if (p->now.word == DVE_CONST) {
    v.is_const = 1;
    dve_step(p);
  }
  if (p->now.word != DVE_BYTE && p->now.word != DVE_INT) return dve_expected(p, "byte or int");
  v.is_byte = p->now.word == DVE_BYTE;
  dve_step(p);
  do {
    struct dve_variable one = v;
    int status = variable(p, &one);
    if (PUSH(p, out, one)) {
      vec_free(&one.init, p->d->mem);
      return -1;
    }
    if (status) return -1;
  } while (take_comma(p));
  return dve_take_sign(p, ';');
}

static int field_types(struct dve_parser *p, struct dve_channel *c) {
  dve_step(p);
  do {
    if (p->now.word != DVE_BYTE && p->now.word != DVE_INT) return dve_expected(p, "byte or int");
    if (c->fields == DVE_FIELDS_MAX) return dve_fail(p->d, dve_here(p), "a message has at most %d fields", DVE_FIELDS_MAX);
    c->is_byte[c->fields++] = p->now.word == DVE_BYTE;
    dve_step(p);
  } while (take_comma(p));
  return dve_take_sign(p, '}');
}

static int channels(struct dve_parser *p, struct dve_channels *out) {
  struct dve_channel c = {0};
  dve_step(p);
  if (dve_is(p, '{')) {
    c.typed = 1;
    if (field_types(p, &c)) return -1;
  }
  do {
    struct dve_channel one = c;
    if (dve_take_name(p, "the name of a channel", &one.name)) return -1;
    if (dve_is(p, '[')) {
      dve_step(p);
      if (take_expression(p, &one.capacity) || dve_take_sign(p, ']')) return -1;
    }
    if (PUSH(p, out, one)) return -1;
  } while (take_comma(p));
  return dve_take_sign(p, ';');
}

/* ---- processes ------------------------------------------------------------------------------------------------------- */

static int names(struct dve_parser *p, struct dve_names *out) {
  do {
    struct dve_name n;
    if (dve_take_name(p, "the name of a state", &n) || PUSH(p, out, n)) return -1;
  } while (take_comma(p));
  return dve_take_sign(p, ';');
}

static int init(struct dve_parser *p, struct dve_process *q) {
  struct dve_place at = dve_here(p);
  dve_step(p);
  if (q->init.text) return dve_fail(p->d, at, "process \"%s\" has its initial state already", q->name.text);
  return dve_take_name(p, "the initial state", &q->init) || dve_take_sign(p, ';') ? -1 : 0;
}

/* The other kinds of acceptance are for property processes; they are read over. */
static int accept(struct dve_parser *p, struct dve_process *q) {
  dve_step(p);
  if (p->now.word == DVE_BUCHI) dve_step(p);
  if (p->now.word == DVE_NAME) return names(p, &q->accepting);
  switch (p->now.word) {
  case DVE_GENBUCHI:
  case DVE_MULLER:
  case DVE_RABIN:
  case DVE_STREETT: break;
  default: return dve_expected(p, "the name of a state");
  }
  dve_warn(p->d, dve_here(p), "only Buchi acceptance is kept: the accepting sets of process \"%s\" are left out", q->name.text);
  unsigned depth = 0;
  while (!over(p) && (depth || !dve_is(p, ';'))) {
    depth += dve_is(p, '(');
    depth -= depth && dve_is(p, ')');
    dve_step(p);
  }
  return dve_take_sign(p, ';');
}

static int asserts(struct dve_parser *p, struct dve_process *q) {
  dve_step(p);
  do {
    struct dve_assert a = {0};
    if (dve_take_name(p, "the name of a state", &a.state) || dve_take_sign(p, ':')) return -1;
    a.at = dve_here(p);
    if (take_expression(p, &a.expr)) return -1;
    a.at = dve_since(p, a.at);
    if (PUSH(p, &q->asserts, a)) return -1;
  } while (take_comma(p));
  return dve_take_sign(p, ';');
}

static int twice(struct dve_parser *p, int *seen, const char *what) {
  if (*seen) return dve_fail(p->d, dve_here(p), "this transition has its %s already", what);
  *seen = 1;
  dve_step(p);
  return 0;
}

static int sync(struct dve_parser *p, struct dve_sync *s) {
  s->at = dve_here(p);
  if (dve_take_name(p, "a channel", &s->channel)) return -1;
  if (p->now.word == DVE_ARROW) {
    s->owner = s->channel;
    dve_step(p);
    if (dve_take_name(p, "a channel", &s->channel)) return -1;
  }
  if (!dve_is(p, '!') && !dve_is(p, '?')) return dve_expected(p, "\"!\" or \"?\"");
  s->sends = dve_is(p, '!');
  dve_step(p);
  if (dve_is(p, ';')) return 0;
  int braces = dve_is(p, '{');
  if (braces) dve_step(p);
  do {
    const struct dve_expr *e;
    if (take_expression(p, &e)) return -1;
    if (s->values.count == DVE_FIELDS_MAX) return dve_fail(p->d, e->at, "a message has at most %d fields", DVE_FIELDS_MAX);
    if (PUSH(p, &s->values, e)) return -1;
  } while (braces && take_comma(p));
  return braces ? dve_take_sign(p, '}') : 0;
}

static int effects(struct dve_parser *p, struct dve_trans *t) {
  do {
    struct dve_effect e;
    if (!(e.target = dve_reference(p))) return -1;
    if (p->now.word == DVE_STEP || p->next.word == DVE_EQ || p->now.word == DVE_EQ) {
      dve_expected(p, "\"=\"");
      dve_hint(p->d, "an effect is written: variable = expression");
      return -1;
    }
    if (dve_take_sign(p, '=') || take_expression(p, &e.value) || PUSH(p, &t->effects, e)) return -1;
  } while (take_comma(p));
  return 0;
}

static int clause(struct dve_parser *p, struct dve_trans *t) {
  switch (p->now.word) {
  case DVE_GUARD: return twice(p, &t->has_guard, "guard") || take_list(p, &t->guards) || dve_take_sign(p, ';') ? -1 : 0;
  case DVE_SYNC: return twice(p, &t->has_sync, "sync") || sync(p, &t->sync) || dve_take_sign(p, ';') ? -1 : 0;
  case DVE_EFFECT: return twice(p, &t->has_effect, "effect") || effects(p, t) || dve_take_sign(p, ';') ? -1 : 0;
  default: return dve_expected(p, "guard, sync, effect or \"}\"");
  }
}

static void free_trans(struct dve_trans *t, struct mem *m) {
  vec_free(&t->guards, m);
  vec_free(&t->sync.values, m);
  vec_free(&t->effects, m);
}

/* 0, or -1 before anything of the body was read: the caller skips. */
static int transition(struct dve_parser *p, struct dve_process *q) {
  struct dve_trans t = {.at = dve_here(p)};
  if (p->now.word == DVE_ARROW) {
    if (!q->trans.count) return dve_fail(p->d, t.at, "the first transition of a process must say where it begins");
    t.from = q->trans.at[q->trans.count - 1].from;
  } else if (dve_take_name(p, "a transition", &t.from)) {
    return -1;
  }
  if (p->now.word == DVE_WIDE_ARROW) return dve_fail(p->d, dve_here(p), "probabilistic transitions (=>) are not supported");
  if (p->now.word != DVE_ARROW) return dve_expected(p, "\"->\"");
  dve_step(p);
  if (dve_take_name(p, "the state in which the transition ends", &t.to) || dve_take_sign(p, '{')) return -1;
  t.body = dve_here(p);
  int status = 0;
  while (!status && !dve_is(p, '}')) status = clause(p, &t);
  t.body = dve_since(p, t.body);
  if (status) skip_body(p);
  else dve_step(p);
  if (PUSH(p, &q->trans, t)) free_trans(&t, p->d->mem);
  return 0;
}

static int transitions(struct dve_parser *p, struct dve_process *q) {
  dve_step(p);
  while (p->now.word == DVE_NAME || p->now.word == DVE_ARROW) {
    if (transition(p, q)) return -1;
    if (take_comma(p) && p->now.word != DVE_NAME && p->now.word != DVE_ARROW) return dve_expected(p, "a transition");
    if (over(p)) return 0;
  }
  if (dve_is(p, ';')) dve_step(p);
  else if (!dve_is(p, '}')) return dve_expected(p, "a transition, \";\" or \"}\"");
  return 0;
}

static int part(struct dve_parser *p, struct dve_process *q) {
  switch (p->now.word) {
  case DVE_CONST:
  case DVE_BYTE:
  case DVE_INT: return variables(p, &q->variables);
  case DVE_CHANNEL: return channels(p, &q->channels);
  case DVE_STATE: dve_step(p); return names(p, &q->states);
  case DVE_COMMIT: dve_step(p); return names(p, &q->committed);
  case DVE_INIT: return init(p, q);
  case DVE_ACCEPT: return accept(p, q);
  case DVE_ASSERT: return asserts(p, q);
  case DVE_TRANS: return transitions(p, q);
  default: return dve_expected(p, "a declaration, state, init, trans or \"}\"");
  }
}

static int process(struct dve_parser *p) {
  struct dve_process q = {0};
  dve_step(p);
  if (dve_take_name(p, "the name of a process", &q.name) || dve_take_sign(p, '{')) return -1;
  if (p->d->processes.count == DVE_PROCESSES_MAX)
    return dve_fail(p->d, q.name.at, "a model has at most %d processes", DVE_PROCESSES_MAX);
  if (PUSH(p, &p->d->processes, q)) return -1;
  while (!dve_is(p, '}') && !over(p)) {
    if (p->now.word == DVE_PROCESS || p->now.word == DVE_SYSTEM) break;
    size_t before = p->now.offset;
    if (!part(p, &p->d->processes.at[p->d->processes.count - 1])) continue;
    skip_part(p);
    if (p->now.offset == before && !dve_is(p, '}') && !begins_part(p)) dve_step(p);
  }
  return over(p) && p->now.word != DVE_END ? 0 : dve_take_sign(p, '}');
}

/* ---- the whole --------------------------------------------------------------------------------------------------------- */

static int system_line(struct dve_parser *p) {
  dve_step(p);
  if (p->now.word == DVE_SYNC)
    return dve_fail(p->d, dve_here(p), "synchronous systems, in which all processes move at once, are not supported");
  if (p->now.word != DVE_ASYNC) return dve_expected(p, "async");
  dve_step(p);
  if (p->now.word == DVE_PROPERTY) {
    dve_step(p);
    if (dve_take_name(p, "the property process", &p->d->property)) return -1;
  }
  return dve_take_sign(p, ';');
}

static void hint_keyword(struct dve_parser *p) {
  if (p->now.word != DVE_NAME) return;
  struct near n;
  near_open(&n, p->d->text + p->now.offset, p->now.length);
  for (size_t i = 0; dve_keyword(i); i++) near_offer(&n, dve_keyword(i));
  if (near_best(&n)) dve_hint(p->d, "did you mean \"%s\"?", near_best(&n));
}

int dve_parse(struct dve *d) {
  struct dve_parser parser = {.d = d}, *p = &parser;
  int systems = 0;
  dve_lexer_open(&p->lexer, d->text, d->length);
  dve_step(p);
  dve_step(p);
  while (!over(p)) {
    int status = 0;
    size_t before = p->now.offset;
    p->nesting = 0;
    if (systems) {
      dve_expected(p, "the end of the file");
      break;
    }
    switch (p->now.word) {
    case DVE_CONST:
    case DVE_BYTE:
    case DVE_INT: status = variables(p, &d->variables); break;
    case DVE_CHANNEL: status = channels(p, &d->channels); break;
    case DVE_PROCESS: status = process(p); break;
    case DVE_SYSTEM:
      systems++;
      status = system_line(p);
      break;
    default: status = dve_expected(p, "a declaration, process or system"); hint_keyword(p);
    }
    if (status) skip_part(p);
    if (status && p->now.offset == before && !over(p)) dve_step(p);
  }
  if (!systems && !d->errors.count && !d->starved) {
    dve_expected(p, d->processes.count ? "system" : "a process");
    dve_hint(d, "a model ends with: system async;");
  }
  if (!d->errors.count && !d->starved && !d->processes.count) dve_fail(d, dve_here(p), "the model has no process");
  return dve_errors_tell(d);
}

static void free_variables(struct dve_variables *v, struct mem *m) {
  for (size_t i = 0; i < v->count; i++) vec_free(&v->at[i].init, m);
  vec_free(v, m);
}

void dve_syntax_free(struct dve *d) {
  struct mem *m = d->mem;
  for (size_t i = 0; i < d->processes.count; i++) {
    struct dve_process *q = &d->processes.at[i];
    for (size_t k = 0; k < q->trans.count; k++) free_trans(&q->trans.at[k], m);
    free_variables(&q->variables, m);
    vec_free(&q->channels, m);
    vec_free(&q->states, m);
    vec_free(&q->accepting, m);
    vec_free(&q->committed, m);
    vec_free(&q->asserts, m);
    vec_free(&q->trans, m);
  }
  vec_free(&d->processes, m);
  free_variables(&d->variables, m);
  vec_free(&d->channels, m);
  vec_free(&d->errors, m);
  mem_free(m, d->text);
  arena_close(&d->arena);
}
