/* prop.c -- see prop.h. */
#include "prop/prop.h"

#include <stdio.h>
#include <string.h>

static const char *const names[PROP_KINDS] = {"deadlock", "invariant", "reachable", "assert", "runtime", "claim", "progress", "acceptance", "ltl", "automaton", "observer", "channels", "ctl", "strategy"};

const char *prop_kind_name(enum prop_kind kind) { return names[kind]; }

/* "reach EXPR", "keep EXPR"; EXPR alone is to be reached. A variable may be called so: `keep == 1` is an expression. */
static const char *read_wish(const char *text, int *keep) {
  static const char *const words[] = {"reach", "keep"};
  while (*text == ' ' || *text == '\t' || *text == '\n') text++;
  for (int i = 0; i < 2; i++) {
    size_t length = strlen(words[i]);
    const char *rest = text + length;
    if (strncmp(text, words[i], length) != 0 || (*rest != ' ' && *rest != '\t' && *rest != '\n' && *rest != '(' && *rest != '!')) continue;
    while (*rest == ' ' || *rest == '\t' || *rest == '\n') rest++;
    int goes_on = strchr("=<>+*/%&|^,.[?:", *rest) != NULL || (rest[0] == '!' && rest[1] == '=') || (rest[0] == '-' && rest[1] == '>'); /* NUL as well: it is the name alone */
    if (goes_on) continue;
    *keep = i;
    return rest;
  }
  *keep = 0;
  return text;
}

static int open_wish(struct prop *p, const char *text, const struct model *m, struct mem *mem, struct err *e) {
  const char *rest = read_wish(text, &p->keep);
  if (expr_parse(&p->expr, m, mem, rest, "--strategy", e)) return -1;
  size_t room = strlen(rest) + 8;
  p->mem = mem;
  p->text = mem_alloc(mem, MEM_OTHER, room);
  if (!p->text) {
    prop_close(p);
    return err_memory(e, "a property");
  }
  snprintf(p->text, room, "%s %s", p->keep ? "keep" : "reach", rest);
  return 0;
}

int prop_open(struct prop *out, enum prop_kind kind, unsigned index, const char *text, const struct model *m, struct mem *mem,
              struct err *e) {
  *out = (struct prop){.kind = kind};
  if (kind == PROP_DEADLOCK || kind == PROP_CHANNELS || kind == PROP_PROGRESS || kind == PROP_ACCEPTANCE) {
    snprintf(out->id, sizeof out->id, "%s", names[kind]);
    return kind == PROP_DEADLOCK || kind == PROP_CHANNELS ? 0 : kind == PROP_PROGRESS ? temporal_open_progress(&out->temporal, m, mem, e) : temporal_open_acceptance(&out->temporal, m, mem, e);
  }
  char option[32];
  snprintf(option, sizeof option, "--%s", names[kind]);
  snprintf(out->id, sizeof out->id, "%s:%u", names[kind], index);
  if (kind == PROP_STRATEGY) return open_wish(out, text, m, mem, e);
  if (kind != PROP_LTL && kind != PROP_CTL) return expr_parse(&out->expr, m, mem, text, option, e);
  struct temporal_source source = {.text = text, .what = option};
  return kind == PROP_CTL ? branching_open(&out->branching, &source, m, mem, e) : temporal_open(&out->temporal, &source, m, mem, NULL, e);
}

int prop_open_automaton(struct prop *out, unsigned index, const struct prop_file *f, const struct model *m, struct mem *mem, struct err *e) {
  *out = (struct prop){.kind = PROP_AUTOMATON};
  snprintf(out->id, sizeof out->id, "%s:%u", names[PROP_AUTOMATON], index);
  return temporal_open_file(&out->temporal, &(struct temporal_source){.text = f->text, .what = f->name}, f->length, m, mem, e);
}

int prop_open_observer(struct prop *out, unsigned index, const struct prop_file *f, const struct model *m, struct mem *mem, struct err *e) {
  *out = (struct prop){.kind = PROP_OBSERVER};
  snprintf(out->id, sizeof out->id, "%s:%u", names[PROP_OBSERVER], index);
  return temporal_open_observer(&out->temporal, &(struct temporal_source){.text = f->text, .what = f->name}, f->length, m, mem, e);
}

/* An error in a formula of the model is counted in its text, in which each row of blanks and line ends is one blank: to where it stands in the file. */
static void place_in_model(const struct model_claim *c, struct err *e) {
  struct place_in_text at = {c->bracket.file, c->bracket.line, c->bracket.column + 1};
  long left = e->column - 1;
  int blank_before = 1;
  if (e->kind != ERR_INPUT || !c->written || !c->bracket.line || e->line != 1 || left < 0) return;
  for (const char *t = c->written; *t; t++) {
    int blank = *t == ' ' || *t == '\t' || *t == '\n' || *t == '\r', inside = ((unsigned char)*t & 0xc0) == 0x80;
    if (!inside && !(blank && blank_before) && left-- == 0) break;
    blank_before = blank;
    at.column = *t == '\n' ? 1 : at.column + !inside;
    at.line += *t == '\n';
  }
  e->line = at.line;
  e->column = at.column;
}

int prop_open_claim(struct prop *out, const struct model *m, uint32_t claim, struct mem *mem, struct err *e) {
  *out = (struct prop){.kind = claim == MODEL_RUNTIME ? PROP_RUNTIME : PROP_ASSERT, .claim = claim};
  if (claim == MODEL_RUNTIME) {
    snprintf(out->id, sizeof out->id, "%s", names[PROP_RUNTIME]);
    return 0;
  }
  struct model_claim c = {0};
  m->type->claim(m, claim, &c);
  if (strcmp(c.kind, names[PROP_CLAIM]) == 0) out->kind = m->type->claim_automaton ? PROP_LTL : PROP_CLAIM;
  snprintf(out->id, sizeof out->id, "%s", c.id);
  out->place = c.place;
  if (out->kind == PROP_LTL) return temporal_open_claim(&out->temporal, m, claim, mem, e);
  if (!c.formula) return 0;
  out->kind = PROP_LTL;
  struct temporal_source source = {
      .text = c.formula, .what = c.place.file ? c.place.file : m->file, .line = c.written ? 0 : c.place.line, .grouping = GROUP_PROMELA};
  if (temporal_open(&out->temporal, &source, m, mem, NULL, e) == 0) return 0;
  place_in_model(&c, e);
  return -1;
}

size_t prop_stated_most(const struct model *m) { return m->type->claims ? (size_t)m->type->claims(m) + 1 : 1; }

int prop_open_stated(struct prop *out, size_t *count, const struct model *m, int no_claims, struct mem *mem, struct err *e) {
  const struct model_type *type = m->type;
  if (!type->claims && !type->fault_text) return 0;
  for (uint32_t i = 0, claims = type->claims ? type->claims(m) : 0; i < claims; i++) {
    struct model_claim claim = {0};
    type->claim(m, i, &claim);
    if (no_claims && strcmp(claim.kind, names[PROP_ASSERT]) != 0) continue;
    if (prop_open_claim(out, m, i, mem, e)) return -1;
    out++, ++*count;
  }
  ++*count;
  return prop_open_claim(out, m, MODEL_RUNTIME, mem, e);
}

void prop_close(struct prop *p) {
  expr_close(p->expr);
  temporal_close(p->temporal);
  branching_close(p->branching);
  if (p->text) mem_free(p->mem, p->text);
  *p = (struct prop){0};
}

int prop_decided(const struct prop *p, struct model_cursor *c, const uint32_t *state, int dead) {
  switch (p->kind) {
  case PROP_DEADLOCK: return dead;
  case PROP_INVARIANT: return !expr_true(p->expr, c, state);
  case PROP_REACHABLE: return expr_true(p->expr, c, state);
  case PROP_CTL: return branching_decided(p->branching, c, state);
  case PROP_ASSERT:
  case PROP_RUNTIME:
  case PROP_CLAIM:
  case PROP_PROGRESS:
  case PROP_ACCEPTANCE:
  case PROP_LTL:
  case PROP_AUTOMATON:
  case PROP_OBSERVER:
  case PROP_CHANNELS:
  case PROP_STRATEGY:
  case PROP_KINDS: break;
  }
  return 0;
}

int prop_broken_by(const struct prop *p, const struct model_fault *f) {
  return prop_wants_faults(p) && p->claim == f->claim;
}

int prop_wants_faults(const struct prop *p) { return p->kind == PROP_ASSERT || p->kind == PROP_RUNTIME; }

int prop_wants_states(const struct prop *p) { return p->kind == PROP_INVARIANT || p->kind == PROP_REACHABLE || (p->branching && !prop_of_graph(p)); }
