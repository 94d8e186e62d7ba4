/* stream.c -- tokens as the parser sees them: inlines expanded, missing separators filled in.
 *
 * A call of an inline pushes a frame that walks the inline's tokens; a parameter met there pushes a frame that walks the
 * argument's tokens.  That is textual substitution without text: arguments are taken as they were written at the call, after the
 * replacements of the frames around it, and are not replaced again.
 *
 * In bodies of processes the end of a line separates statements where the last word could end one (a name, a number, a closing
 * bracket, od, fi, else, break, ++, --) and no parenthesis is open, as SPIN has it since 6.4. */
#include "front/promela/parse.h"

#include <stdio.h>
#include <string.h>

static int ends_statement(enum token_kind k) {
  switch (k) {
  case T_RBRACE:
  case T_RPAREN:
  case T_RBRACKET:
  case K_OD:
  case K_FI:
  case K_ELSE:
  case K_BREAK:
  case T_C_TEXT:
  case T_NAME:
  case T_NUMBER:
  case T_INCR:
  case T_DECR: return 1;
  default: return 0;
  }
}

static void leave_frame(struct parser *p) {
  struct frame *f = &p->frames[--p->depth];
  if (f->text) f->text->active = 0;
}

static struct argument *argument_for(const struct frame *f, const struct token *t) {
  if (!f->text || t->kind != T_NAME) return NULL;
  for (unsigned i = 0; i < f->text->count; i++)
    if (f->text->lengths[i] == t->length && !memcmp(f->text->params[i], t->text, t->length)) return &f->arguments[i];
  return NULL;
}

/* The next token of the frames; T_END stays. */
static struct token from_frames(struct parser *p) {
  int newline = 0;
  for (;;) {
    struct frame *f = &p->frames[p->depth - 1];
    if (f->at == f->end) {
      if (p->depth > 1) {
        leave_frame(p);
        continue;
      }
      return f->end[-1]; /* T_END */
    }
    const struct token *t = f->at++;
    struct argument *a = argument_for(f, t);
    newline |= t->newline;
    if (a) {
      if (!a->count) continue;
      if (p->depth == sizeof p->frames / sizeof *p->frames) {
        parse_error(p, t->place, "inlines are nested too deeply");
        p->stopped = 1;
        return p->tokens.list.at[p->tokens.list.count - 1];
      }
      p->frames[p->depth++] = (struct frame){.at = a->list, .end = a->list + a->count};
      continue;
    }
    struct token out = *t;
    out.newline = (uint8_t)newline;
    return out;
  }
}

static struct token fetch(struct parser *p) {
  if (p->stopped) return p->tokens.list.at[p->tokens.list.count - 1];
  if (++p->delivered > TOKENS_MAX) {
    parse_error(p, p->last.place, "the inlines of this model expand to more than %u words", TOKENS_MAX);
    p->stopped = 1;
    return p->tokens.list.at[p->tokens.list.count - 1];
  }
  struct token t = from_frames(p);
  if (t.kind == K_IN && !p->in_for) t.kind = T_NAME; /* a word of `for` only */
  if (t.newline && p->in_body && p->parens <= 0 && ends_statement((enum token_kind)p->last.kind) &&
      !(p->last.kind == T_RBRACE && t.length && t.text[0] == 'u')) {
    /* Hand out a separator now and the token next time. */
    struct token *held = parse_alloc(p, sizeof *held);
    *held = t;
    held->newline = 0;
    if (p->depth < sizeof p->frames / sizeof *p->frames) {
      p->frames[p->depth++] = (struct frame){.at = held, .end = held + 1};
      t = (struct token){.kind = T_SEMI, .text = "the end of the line", .length = 19, .place = p->last.place, .value = 1};
    }
  }
  if (t.kind == T_LPAREN) p->parens++;
  if (t.kind == T_RPAREN) p->parens--;
  p->last = t;
  return t;
}

static const struct token panic_token = {.kind = T_BAD, .text = "", .length = 0};

const struct token *stream_peek(struct parser *p, unsigned ahead) {
  if (p->panic) return &panic_token;
  while (p->looked <= ahead) p->look[p->looked++] = fetch(p);
  return &p->look[ahead];
}

struct token stream_next(struct parser *p) {
  if (p->panic) return panic_token;
  struct token t = *stream_peek(p, 0);
  p->looked--;
  memmove(p->look, p->look + 1, p->looked * sizeof *p->look);
  p->eaten = t;
  return t;
}

int stream_accept(struct parser *p, enum token_kind k) {
  if (stream_peek(p, 0)->kind != k) return 0;
  stream_next(p);
  return 1;
}

void stream_need(struct parser *p, enum token_kind k) {
  if (stream_accept(p, k)) return;
  char what[16];
  snprintf(what, sizeof what, "\"%s\"", token_spelling(k));
  parse_expected(p, what);
}

/* ---- calls ----------------------------------------------------------------------------------------------------- */

static void push_token(struct parser *p, struct argument *a, size_t *room, struct token t) {
  if (a->count == *room) {
    size_t more = *room ? *room * 2 : 8;
    struct token *list = parse_alloc(p, more * sizeof *list);
    if (a->count) memcpy(list, a->list, a->count * sizeof *list);
    a->list = list;
    *room = more;
  }
  a->list[a->count++] = t;
}

/* (a, b+c[1], d) as ranges of tokens. */
static unsigned read_arguments(struct parser *p, struct argument *out, unsigned room) {
  unsigned count = 0, nest = 1;
  size_t held = 0;
  for (;;) {
    struct token t = stream_next(p);
    if (t.kind == T_END || p->panic || p->stopped) {
      parse_expected(p, "\")\" after the arguments");
      return 0;
    }
    if (t.kind == T_LPAREN || t.kind == T_LBRACKET || t.kind == T_LBRACE) nest++;
    if ((t.kind == T_RPAREN || t.kind == T_RBRACKET || t.kind == T_RBRACE) && --nest == 0) break;
    if (t.kind == T_COMMA && nest == 1) {
      if (++count >= room) {
        parse_error(p, t.place, "an inline takes at most %u arguments", room);
        p->panic = 1;
        return 0;
      }
      held = 0;
      continue;
    }
    push_token(p, &out[count], &held, t);
  }
  return count || out[0].count ? count + 1 : 0;
}

int stream_call(struct parser *p, struct symbol *s, struct ref *result, struct place_in_text place) {
  enum { ARGUMENTS = 64 };
  struct inline_text *text = s->text;
  if (stream_peek(p, 0)->kind != T_LPAREN) {
    parse_expected(p, "\"(\" after the name of an inline");
    return -1;
  }
  stream_next(p);
  struct argument *arguments = parse_alloc(p, ARGUMENTS * sizeof *arguments);
  unsigned count = read_arguments(p, arguments, ARGUMENTS);
  if (p->panic) return -1;
  unsigned depth = 0;
  for (unsigned i = 0; i < p->depth; i++) depth += p->frames[i].text != NULL;
  if (count != text->count)
    parse_error(p, place, "%s takes %u argument%s, here are %u", s->name, text->count, text->count == 1 ? "" : "s", count);
  else if (text->active) parse_error(p, place, "%s calls itself: inlines cannot be recursive", s->name);
  else if (depth >= INLINE_MAX || p->depth + 2 >= sizeof p->frames / sizeof *p->frames)
    parse_error(p, place, "inlines are nested too deeply");
  else {
    text->active = 1;
    /* Nothing has been looked at beyond the parenthesis. */
    p->frames[p->depth++] = (struct frame){
        .at = text->first, .end = text->end, .text = text, .arguments = arguments, .result = result, .call = place};
    p->last.kind = T_SEMI;
    return 0;
  }
  return -1;
}

struct ref *stream_result(const struct parser *p) {
  for (unsigned i = p->depth; i-- > 0;)
    if (p->frames[i].text) return p->frames[i].result;
  return NULL;
}
