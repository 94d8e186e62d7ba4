/* parse_unit.c -- the units of a model: types, inlines, process types, claims, formulas, C.
 *
 * An inline is no more than a range of the file's tokens (stream.c walks it at each call).  A formula is kept as text; only the
 * labels that it speaks of are looked for, because they need a control state.  After a syntax error the next unit is looked for.
 */
#include "front/promela/condition.h"
#include "front/promela/parse.h"

#include <stdio.h>
#include <string.h>

static void parse_typedef(struct parser *p) {
  stream_next(p);
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "a name for the type");
    return;
  }
  struct token name = stream_next(p);
  const struct symbol *known = symbol_find(p, name.text, name.length);
  if (known) parse_error(p, name.place, "%s is already declared", known->name);
  struct symbol *s = symbol_add(p, SYMBOL_TYPEDEF, name.text, name.length, name.place);
  /* The fields of one record lie side by side, so the record may only be begun when its fields come next; inner records are
   * complete. */
  s->type = program_record(p->program, s->name);
  stream_need(p, T_LBRACE);
  p->in_typedef = p->in_body = 1;
  scope_enter(p);
  while (!p->panic && stream_peek(p, 0)->kind != T_RBRACE) {
    if (stream_accept(p, T_SEMI)) continue;
    parse_declaration(p, s->type);
  }
  scope_leave(p);
  p->in_typedef = p->in_body = 0;
  stream_need(p, T_RBRACE);
  if (!p->panic && !p->program->types.at[s->type].fields && !p->program->too_large) parse_error(p, name.place, "a record needs a field");
}

/* ---- inlines and C --------------------------------------------------------------------------------------------- */

/* The body is a range of the file's tokens: inline definitions stand in the file itself. */
static void parse_inline(struct parser *p) {
  stream_next(p);
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "a name for the inline");
    return;
  }
  struct token name = stream_next(p);
  const struct symbol *known = symbol_find(p, name.text, name.length);
  if (known && known->kind != SYMBOL_VARIABLE) /* a variable of that name is out of sight from now on */
    parse_error(p, name.place, "%s is already declared at line %ld", known->name, known->place.line);
  struct symbol *s = symbol_add(p, SYMBOL_INLINE, name.text, name.length, name.place);
  struct inline_text *text = s->text = parse_alloc(p, sizeof *text);
  enum { PARAMS = 64 };
  text->params = parse_alloc(p, PARAMS * sizeof *text->params);
  text->lengths = parse_alloc(p, PARAMS * sizeof *text->lengths);
  stream_need(p, T_LPAREN);
  while (!p->panic && stream_peek(p, 0)->kind != T_RPAREN) {
    t = stream_peek(p, 0);
    if (t->kind != T_NAME || text->count == PARAMS) {
      parse_expected(p, "the name of a parameter");
      return;
    }
    struct token param = stream_next(p);
    text->params[text->count] = param.text;
    text->lengths[text->count++] = param.length;
    if (!stream_accept(p, T_COMMA)) break;
  }
  stream_need(p, T_RPAREN);
  if (p->panic) return;
  if (p->looked || p->depth != 1) {
    /* A separator may have been looked at; a body may not. */
    parse_expected(p, "\"{\"");
    return;
  }
  struct frame *file = &p->frames[0];
  if (file->at == file->end || file->at->kind != T_LBRACE) {
    parse_expected(p, "\"{\"");
    return;
  }
  text->first = file->at;
  long nest = 0;
  for (; file->at < file->end; file->at++) {
    if (file->at->kind == T_LBRACE) nest++;
    if (file->at->kind == T_RBRACE && --nest == 0) break;
    if (file->at->kind == T_END) break;
  }
  if (file->at == file->end || file->at->kind != T_RBRACE) {
    parse_error(p, text->first->place, "the body of %s is not closed", s->name);
    p->stopped = 1;
    return;
  }
  text->end = ++file->at;
}

static void parse_c_unit(struct parser *p) {
  struct token word = stream_next(p);
  if (word.kind == K_C_STATE || word.kind == K_C_TRACK) parse_c_strings(p, word.kind == K_C_STATE ? IR_C_STATE : IR_C_TRACK, word.place);
  else parse_c_text(p, word.kind == K_C_DECL ? IR_C_DECLARATIONS : IR_C_FUNCTIONS, word.place);
}

static int32_t parse_priority(struct parser *p) {
  if (!stream_accept(p, K_PRIORITY)) return 0;
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NUMBER) {
    parse_expected(p, "a priority");
    return 0;
  }
  struct token n = stream_next(p);
  if (n.value < 1 || n.value > 255) parse_error(p, n.place, "a priority is between 1 and 255");
  return n.value;
}

/* ---- process types --------------------------------------------------------------------------------------------- */

static struct proc_text *proc_begin(struct parser *p, enum proc_kind kind, const char *name, struct place_in_text place) {
  struct proc_text *t = parse_alloc(p, sizeof *t);
  *t = (struct proc_text){.kind = kind, .name = name, .place = place, .proc = program_proc(p->program, name, place)};
  if (p->program->failed) parse_no_memory(p);
  *p->procs_end = t;
  p->procs_end = &t->next;
  p->context = t;
  scope_enter(p);
  return t;
}

static void proc_end(struct parser *p, struct proc_text *t) {
  t->body = parse_body(p);
  scope_leave(p);
  p->context = NULL;
}

static void start(struct parser *p, uint32_t proc, int32_t instances) {
  p->program->procs.at[proc].active = (uint32_t)instances;
  for (int32_t i = 0; i < instances; i++)
    if (vec_push(&p->program->start, p->program->mem, MEM_MODEL, proc)) p->program->failed = 1;
}

static void parse_proctype(struct parser *p) {
  int32_t instances = 0;
  struct place_in_text place = stream_peek(p, 0)->place;
  if (stream_accept(p, K_ACTIVE)) {
    instances = 1;
    if (stream_accept(p, T_LBRACKET)) {
      if (!parse_constant(p, &instances)) instances = 1;
      stream_need(p, T_RBRACKET);
      if (instances > 255) parse_error(p, place, "there can be 0 to 255 instances, not %d", (int)instances);
      if (instances < 0 || instances > 255) instances = 0;
    }
  }
  if (stream_peek(p, 0)->kind != K_PROCTYPE && stream_peek(p, 0)->kind != K_D_PROCTYPE) {
    parse_expected(p, "proctype");
    return;
  }
  struct token word = stream_next(p);
  if (word.kind == K_D_PROCTYPE && !p->warned_choice) {
    parse_warning(p, word.place, "D_proctype is read as proctype: whether its processes ever have a choice is not checked");
    p->warned_choice = 1;
  }
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "a name for the process type");
    return;
  }
  struct token name = stream_next(p);
  const struct symbol *known = symbol_find(p, name.text, name.length);
  if (known) parse_error(p, name.place, "%s is already declared at line %ld", known->name, known->place.line);
  struct symbol *s = symbol_add(p, SYMBOL_PROC, name.text, name.length, name.place);
  struct proc_text *proc = proc_begin(p, PROC_TYPE, s->name, name.place);
  proc->symbol = s;
  s->proc = proc->proc;
  stream_need(p, T_LPAREN);
  p->in_params = 1;
  while (!p->panic && stream_peek(p, 0)->kind != T_RPAREN) {
    if (stream_accept(p, T_SEMI) || stream_accept(p, T_COMMA)) continue;
    parse_declaration(p, 0);
  }
  p->in_params = 0;
  stream_need(p, T_RPAREN);
  int32_t priority = parse_priority(p);
  if (stream_accept(p, K_PROVIDED)) {
    stream_need(p, T_LPAREN);
    struct expr *e = parse_expr(p);
    stream_need(p, T_RPAREN);
    if (!p->panic) check_provided(p, e);
    if (!p->panic && !p->errors) p->program->procs.at[proc->proc].provided = promela_truth(p, e);
  }
  if (!p->panic) priority = priority ? priority : parse_priority(p);
  p->program->procs.at[proc->proc].priority = (uint32_t)priority;
  start(p, proc->proc, instances);
  proc_end(p, proc);
}

/* Further inits begin with the first one, each in the place of the text where it stands. */
static void parse_init(struct parser *p) {
  struct place_in_text place = stream_next(p).place;
  char name[32] = "init";
  for (unsigned k = 2; proc_text_find(p, name); k++) snprintf(name, sizeof name, "init.%u", k);
  if (name[4]) parse_warning(p, place, "there is an init already: this one runs beside it, as %s", name);
  struct proc_text *t = proc_begin(p, PROC_INIT, program_text(p->program, name, strlen(name)), place);
  p->program->procs.at[t->proc].priority = (uint32_t)parse_priority(p);
  start(p, t->proc, 1);
  proc_end(p, t);
}

/* Claims, formulas and process types share their names. */
static void check_claim_name(struct parser *p, const char *name, struct place_in_text place) {
  int known = proc_text_find(p, name) != NULL;
  for (size_t i = 0; i < p->program->ltls.count; i++) known |= !strcmp(p->program->ltls.at[i].name, name);
  if (known) parse_error(p, place, "%s is already declared", name);
}

static void parse_claim(struct parser *p) {
  struct place_in_text place = stream_next(p).place;
  char name[32];
  snprintf(name, sizeof name, p->claims ? "never_%u" : "never", p->claims);
  const struct token *t = stream_peek(p, 0);
  const char *given = NULL;
  if (t->kind == T_NAME) {
    struct token word = stream_next(p);
    given = token_copy(p, &word);
    check_claim_name(p, given, place);
  }
  p->claims++;
  struct proc_text *proc = proc_begin(p, PROC_CLAIM, given ? given : program_text(p->program, name, strlen(name)), place);
  p->program->procs.at[proc->proc].is_claim = 1;
  proc_end(p, proc);
}

static void parse_trace(struct parser *p) {
  struct token word = stream_next(p);
  if (p->program->has_trace) parse_error(p, word.place, "there is a second trace");
  struct proc_text *proc = proc_begin(p, PROC_TRACE, word.kind == K_NOTRACE ? "notrace" : "trace", word.place);
  p->program->has_trace = 1;
  p->program->trace_negated = word.kind == K_NOTRACE;
  p->program->trace_proc = proc->proc;
  p->program->procs.at[proc->proc].is_claim = 1;
  proc_end(p, proc);
}

/* The text with blanks in place of comments; line ends stay, so that everything is where it was. */
static char *without_comments(struct parser *p, const struct token *t) {
  char *text = parse_alloc(p, (size_t)t->length + 1);
  memcpy(text, t->text, t->length);
  text[t->length] = 0;
  for (char *c = text; *c; c++) {
    char *end = NULL;
    if (*c == '"') c += 1 + strcspn(c + 1, "\"\n");
    else if (c[0] == '/' && c[1] == '/') end = c + strcspn(c, "\n");
    else if (c[0] == '/' && c[1] == '*') end = strstr(c + 2, "*/") ? strstr(c + 2, "*/") + 2 : c + strlen(c);
    for (char *in = c; end && in < end; in++)
      if (*in != '\n') *in = ' ';
    if (!*c) break;
  }
  return text;
}

static const char *past_blanks(const char *c) { return c + strspn(c, " \t\r\n"); }

static int is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Behind a temporal operator of one operand, if the text begins with one. */
static const char *past_temporal(const char *c) {
  static const char *const words[] = {"always", "eventually", "next", "X"};
  if (!strncmp(c, "[]", 2) || !strncmp(c, "<>", 2)) return c + 2;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i]);
    if (!strncmp(c, words[i], n) && !is_word(c[n])) return c + n;
  }
  return NULL;
}

/* Behind a name, a number or brackets, with what belongs to it: x, x[1].f, len(c), (a + b). */
static const char *past_operand(const char *c) {
  long open = 0;
  for (; *c && (open || is_word(*c) || strchr("([.@:", *c)); c++) {
    if (*c == '(' || *c == '[') open++;
    if ((*c == ')' || *c == ']') && --open == 0 && c[1] != '[' && c[1] != '.' && c[1] != '@' &&
        c[1] != ':')
      return c + 1;
  }
  return c;
}

/* Is this an operator that binds closer than a temporal one? */
static int is_close(const char *c) {
  if (!strncmp(c, "<>", 2) || !strncmp(c, "<->", 3) || !strncmp(c, "->", 2) ||
      !strncmp(c, "&&", 2) || !strncmp(c, "||", 2))
    return 0;
  return *c && (strchr("<>+-*/%&|^", *c) || !strncmp(c, "==", 2) || !strncmp(c, "!=", 2));
}

/* <> s == 2 is <> (s == 2) here and by SPIN's grammar, but what SPIN 6.5 makes of it is nonsense:
 * it compares the number of its word for <> with 2. */
static void warn_misread(struct parser *p, const char *text, struct place_in_text place) {
  for (const char *c = text; *c; c++) {
    if (c > text && is_word(c[-1])) continue;
    const char *operand = past_temporal(c), *next;
    if (!operand) continue;
    while ((next = past_temporal(operand = past_blanks(operand))) != NULL || *operand == '!' ||
           *operand == '-' || *operand == '~')
      operand = next ? next : operand + 1;
    if (!is_close(past_blanks(past_operand(operand)))) {
      c = operand - 1;
      continue;
    }
    parse_warning(p, place,
                  "SPIN 6.5 misreads a comparison without brackets behind [], <> or X: write <> (x "
                  "== 1), which is how it is read here");
    return;
  }
}

static void parse_ltl(struct parser *p) {
  struct place_in_text place = stream_next(p).place;
  struct ir_ltl l = {.place = place, .name = NULL};
  if (stream_peek(p, 0)->kind == T_NAME) {
    struct token word = stream_next(p);
    l.name = program_text(p->program, word.text, word.length);
  }
  if (!l.name) {
    char name[32];
    snprintf(name, sizeof name, "ltl_%u", p->formulas++); /* as SPIN numbers those without a name */
    l.name = program_text(p->program, name, strlen(name));
  }
  check_claim_name(p, l.name, place);
  if (stream_peek(p, 0)->kind != T_LTL_TEXT) {
    parse_expected(p, "\"{\" and a formula");
    return;
  }
  struct token t = stream_next(p);
  promela_mentions(p, t.text, t.length);
  char *text = parse_alloc(p, t.length + 1), *plain = without_comments(p, &t);
  warn_misread(p, plain, place);
  parse_c_of_formula(p, &t, plain);
  uint32_t used = 0;
  for (uint32_t i = 0; i < t.length; i++) { /* blanks and line ends become one blank */
    char c = plain[i];
    int blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) text[used++] = c;
    else if (used && text[used - 1] != ' ') text[used++] = ' ';
  }
  while (used && (text[used - 1] == ' ' || text[used - 1] == ';')) used--;
  l.text = program_text(p->program, text, used);
  l.written = program_text(p->program, plain, t.length);
  l.brace = t.place;
  if (vec_push(&p->program->ltls, p->program->mem, MEM_MODEL, l)) p->program->failed = 1;
}

/* ---- units ----------------------------------------------------------------------------------------------------- */

static void unit(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  switch (t->kind) {
  case T_SEMI:
  case T_ARROW: stream_next(p); return;
  case K_ACTIVE:
  case K_PROCTYPE:
  case K_D_PROCTYPE: parse_proctype(p); return;
  case K_INIT: parse_init(p); return;
  case K_NEVER: parse_claim(p); return;
  case K_TRACE:
  case K_NOTRACE: parse_trace(p); return;
  case K_LTL: parse_ltl(p); return;
  case K_TYPEDEF: parse_typedef(p); return;
  case K_INLINE: parse_inline(p); return;
  case K_C_CODE:
  case K_C_DECL:
  case K_C_STATE:
  case K_C_TRACK: parse_c_unit(p); return;
  default: break;
  }
  if (parse_at_declaration(p)) {
    parse_declaration(p, 0);
    return;
  }
  if (t->kind == T_NAME) {
    char shown[80];
    parse_error(p, t->place, "%s is no type, and nothing else of a model begins so", token_quoted(t, shown, sizeof shown));
    p->panic = 1;
    return;
  }
  parse_expected(p, "a declaration or a process type");
}

/* Goes on after an error: at the next word that can only begin a unit and stands first in its line. */
static void recover(struct parser *p, const struct token *begun) {
  p->panic = 0;
  if (p->stopped) return;
  if (p->depth == 1 && (size_t)(p->frames[0].at - begun) > p->looked)
    p->frames[0].at -= p->looked; /* the faulty word may begin the next unit */
  if (p->frames[0].at <= begun) p->frames[0].at = begun + 1;
  if (p->frames[0].at > p->frames[0].end) p->frames[0].at = p->frames[0].end;
  p->looked = 0;
  p->depth = 1;
  for (struct symbol **b = p->buckets; b < p->buckets + BUCKETS; b++)
    for (struct symbol *s = *b; s; s = s->chain)
      if (s->kind == SYMBOL_INLINE && s->text) s->text->active = 0;
  while (p->scope->parent) scope_leave(p);
  p->context = NULL;
  p->in_body = p->in_typedef = p->in_params = p->in_for = p->in_trace = 0;
  p->parens = 0;
  p->nest = p->dstep = 0;
  p->initial = 1;
  p->loop = NULL;
  p->last.kind = T_SEMI;
  for (;;) {
    if (p->frames[0].at >= p->frames[0].end) return;
    enum token_kind k = (enum token_kind)p->frames[0].at->kind;
    if (k == T_END) return;
    if (k == K_ACTIVE || k == K_PROCTYPE || k == K_INIT || k == K_NEVER || k == K_TYPEDEF || k == K_INLINE || k == K_LTL) return;
    if (p->frames[0].at->newline && p->frames[0].at->place.column == 1 && (parse_is_base_type(k) || k == K_HIDDEN)) return;
    p->frames[0].at++;
  }
}

void parse_units(struct parser *p) {
  while (!p->stopped) {
    if (stream_peek(p, 0)->kind == T_END) return;
    const struct token *begun = p->frames[0].at - 1;
    unit(p);
    if (p->panic) recover(p, begun);
  }
}
