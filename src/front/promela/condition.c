/* condition.c -- see condition.h.
 *
 * A condition is an expression as a never claim may have it: over globals, P[i]:x, P[i]@label, questions to channels.  It is read with the symbols of
 * the model, after the model; its words are a source of their own, so that errors show them. */
#include "front/promela/condition.h"

#include "front/promela/flow.h"

#include <string.h>

void promela_forget(struct parser *p) {
  struct mem *mem = p->kept.mem;
  vec_free(&p->tokens.list, mem);
  vec_free(&p->remote_labels, mem);
  vec_free(&p->field_inits, mem);
  vec_free(&p->shapes, mem);
  vec_free(&p->mtypes, mem);
  vec_free(&p->waiting, mem);
  vec_free(&p->heads, mem);
  arena_close(&p->arena);
  source_close(&p->source);
  mem_free(mem, p);
}

static void forget(void *context) { promela_forget(context); }

static void lexical_fault(void *context, struct place_in_text at, const char *message) { parse_error(context, at, "%s", message); }

/* What the model does not keep in its states cannot be asked. */
static int kept_in_states(struct parser *p, const struct expr *e) {
  if (!e) return 1;
  if (e->kind == EXPR_C) {
    parse_error(p, e->place, "c_expr can be asked inside the model only");
    return 0;
  }
  if (e->kind == EXPR_PLAIN && e->op == IR_TIMEOUT) {
    parse_error(p, e->place, "timeout is no property of a state; \"dead\" asks whether nothing can happen");
    return 0;
  }
  if (e->kind == EXPR_PLAIN && e->op == IR_LAST && !p->program->uses_last) {
    parse_error(p, e->place, "_last is not kept in the states of this model");
    return 0;
  }
  return kept_in_states(p, e->a) && kept_in_states(p, e->b) && kept_in_states(p, e->c);
}

static int read_expr(struct parser *p, struct tokens *tokens, ir_expr *out) {
  if (setjmp(p->no_memory)) return err_memory(p->err, "a condition");
  if (lexer_tokens(tokens, &p->source, p->plus, lexical_fault, p)) return err_memory(p->err, "a condition");
  p->frames[0] = (struct frame){.at = tokens->list.at, .end = tokens->list.at + tokens->list.count};
  p->depth = 1;
  p->looked = p->nest = 0;
  p->errors = 0;
  p->panic = p->stopped = p->in_body = p->parens = 0;
  p->context = NULL;
  struct expr *e = parse_expr(p);
  if (!p->panic && stream_peek(p, 0)->kind != T_END) parse_expected(p, "the end of the condition");
  if (!p->errors && kept_in_states(p, e)) *out = promela_expr(p, e);
  return p->errors ? -1 : 0;
}

static int read(void *context, const char *text, size_t length, const char *what, ir_expr *out, struct err *e) {
  struct parser *p = context;
  struct source model = p->source;
  struct tokens tokens = {0};
  p->err = e;
  int status = source_of_text(&p->source, p->program, what, text, length, &p->kept, e);
  if (!status) status = read_expr(p, &tokens, out);
  vec_free(&tokens.list, p->kept.mem);
  source_close(&p->source);
  p->source = model;
  return status;
}

/* Labels that a formula speaks of need a state of their own: word@word, word[..]@word. */
void promela_mentions(struct parser *p, const char *text, size_t size) {
  uint32_t length = (uint32_t)size;
  for (uint32_t i = 0; i + 5 <= length; i++) p->program->uses_last |= !memcmp(text + i, "_last", 5); /* then states keep it */
  for (uint32_t i = 1; i < length; i++) {
    if (text[i] != '@') continue;
    uint32_t end = i, from = i + 1, to;
#define WORD(c) (((c) >= 'a' && (c) <= 'z') || ((c) >= 'A' && (c) <= 'Z') || ((c) >= '0' && (c) <= '9') || (c) == '_')
    while (end && text[end - 1] == ' ') end--;
    if (end && text[end - 1] == ']') {
      while (end && text[end - 1] != '[') end--;
      if (end) end--;
      while (end && text[end - 1] == ' ') end--;
    }
    uint32_t begin = end;
    while (begin && WORD(text[begin - 1])) begin--;
    while (from < length && text[from] == ' ') from++;
    for (to = from; to < length && WORD(text[to]);) to++;
#undef WORD
    if (begin == end || from == to) continue;
    struct token proc = {.text = text + begin, .length = end - begin}, label = {.text = text + from, .length = to - from};
    if (vec_push(&p->remote_labels, p->setup->mem, MEM_OTHER, (struct at_reference){token_copy(p, &proc), token_copy(p, &label)}))
      parse_no_memory(p);
  }
}

void promela_keep(struct parser *p) {
  p->kept.error = NULL; /* who heard the errors of the model may be gone */
  p->kept.warn = NULL;
  p->kept.properties = NULL;
  p->program->reader = (struct program_reader){p, read, forget};
}
