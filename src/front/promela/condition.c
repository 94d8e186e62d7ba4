/* condition.c -- see condition.h.
 *
 * A condition is an expression as a never claim may have it: over globals, P[i]:x, P[i]@label, questions to channels.  It is read with the symbols of
 * the model, after the model; its words are a source of their own, so that errors show them.
 *
 * Its words may be macros of the model (SPIN's users write formulas over them): then it goes through the preprocessor, behind the model. */
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
  p->asked = 1;
  struct expr *e = parse_expr(p);
  if (!p->panic && stream_peek(p, 0)->kind != T_END) parse_expected(p, "the end of the condition");
  if (!p->errors && kept_in_states(p, e)) *out = promela_truth(p, e);
  return p->errors ? -1 : 0;
}

static int read_text(struct parser *p, const char *text, size_t length, const char *what, ir_expr *out, struct err *e) {
  struct source model = p->source;
  struct tokens tokens = {0};
  struct symbol **known = mem_alloc(p->kept.mem, MEM_OTHER, sizeof p->buckets);
  if (!known) return err_memory(e, "a condition");
  memcpy(known, p->buckets, sizeof p->buckets);
  p->err = e;
  int status = source_of_text(&p->source, p->program, what, text, length, &p->kept, e);
  if (!status) status = read_expr(p, &tokens, out);
  memcpy(p->buckets, known, sizeof p->buckets); /* a name that nobody has declared is told for each condition, and means nothing in the next one */
  mem_free(p->kept.mem, known);
  vec_free(&tokens.list, p->kept.mem);
  source_close(&p->source);
  p->source = model;
  return status;
}

/* ---- macros ---------------------------------------------------------------------------------------------------------------- */

static const char mark[] = "thimble_begin_of_a_condition";

/* The condition as the preprocessor writes it behind the model, in one line; NULL: it did not. */
static char *with_macros(struct parser *p, const char *text, size_t length, size_t *out_length) {
  const struct source_file *model = &p->source.files.at[0];
  struct mem *mem = p->kept.mem;
  char *input = mem_alloc(mem, MEM_OTHER, model->length + length + sizeof mark + 4), *result = NULL, *out = NULL;
  size_t result_length = 0;
  struct err ignored = {0};
  if (!input) return NULL;
  memcpy(input, model->text, model->length);
  char *end = input + model->length;
  *end++ = '\n';
  memcpy(end, mark, sizeof mark - 1);
  end += sizeof mark - 1;
  *end++ = ' ';
  for (size_t i = 0; i < length; i++) *end++ = text[i] == '\n' ? ' ' : text[i];
  *end++ = '\n';
  if (preprocess_run(&result, &result_length, input, (size_t)(end - input), &p->kept, &ignored) == 0) {
    const char *at = strstr(result, mark);
    out = at ? mem_alloc(mem, MEM_OTHER, result_length + 1) : NULL;
    int marker = 0; /* in a line that says where the next one is from */
    *out_length = 0;
    for (at = at ? at + sizeof mark - 1 : NULL; out && at && *at; at++) {
      if (at[0] == '\n') marker = at[1] == '#';
      if (!marker) out[(*out_length)++] = *at == '\n' ? ' ' : *at;
    }
  }
  mem_free(mem, result);
  mem_free(mem, input);
  return out;
}

static int is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

/* Is there a line "#define WORD" in this text? */
static int defines(const char *text, size_t size, const char *word, size_t length) {
  for (const char *at = text, *end = text + size; (at = memchr(at, '#', (size_t)(end - at)));) {
    for (at++; at < end && (*at == ' ' || *at == '\t'); at++) continue;
    if (end - at < 7 || memcmp(at, "define", 6) != 0 || is_word(at[6])) continue;
    for (at += 6; at < end && (*at == ' ' || *at == '\t'); at++) continue;
    if ((size_t)(end - at) >= length && memcmp(at, word, length) == 0 && (at + length == end || !is_word(at[length]))) return 1;
  }
  return 0;
}

static int is_macro(const struct parser *p, const char *word, size_t length) {
  for (size_t i = 0; i < p->kept.define_count; i++)
    if (strlen(p->kept.defines[i].name) == length && memcmp(p->kept.defines[i].name, word, length) == 0) return 1;
  for (size_t i = 0; i < p->source.files.count; i++)
    if (p->source.files.at[i].text && defines(p->source.files.at[i].text, p->source.files.at[i].length, word, length)) return 1;
  return 0;
}

static int speaks_of_macros(const struct parser *p, const char *text, size_t length) {
  for (size_t i = 0, end; i < length && p->source.preprocessed; i = end) {
    for (end = i; end < length && is_word(text[end]);) end++;
    if (end > i && is_macro(p, text + i, end - i)) return 1;
    if (end == i) end++;
  }
  return 0;
}

static int read(void *context, const char *text, size_t length, const char *what, ir_expr *out, struct err *e) {
  struct parser *p = context;
  size_t expanded_length;
  char *expanded = speaks_of_macros(p, text, length) ? with_macros(p, text, length, &expanded_length) : NULL;
  int status = expanded ? read_text(p, expanded, expanded_length, what, out, e) : read_text(p, text, length, what, out, e);
  mem_free(p->kept.mem, expanded);
  return status;
}

/* Labels that a formula speaks of need a state of their own: word@word, word[..]@word. */
void promela_mentions(struct parser *p, const char *text, size_t size) {
  uint32_t length = (uint32_t)size;
  for (uint32_t i = 0; i + 5 <= length; i++) p->program->uses_last |= !memcmp(text + i, "_last", 5); /* then states keep it */
  for (uint32_t i = 1; i < length; i++) {
    if (text[i] != '@') continue;
    uint32_t end = i, from = i + 1, to;
    while (end && text[end - 1] == ' ') end--;
    if (end && text[end - 1] == ']') {
      while (end && text[end - 1] != '[') end--;
      if (end) end--;
      while (end && text[end - 1] == ' ') end--;
    }
    uint32_t begin = end;
    while (begin && is_word(text[begin - 1])) begin--;
    while (from < length && text[from] == ' ') from++;
    for (to = from; to < length && is_word(text[to]);) to++;
    if (begin == end || from == to) continue;
    struct token proc = {.text = text + begin, .length = end - begin}, label = {.text = text + from, .length = to - from};
    if (vec_push(&p->remote_labels, p->setup->mem, MEM_OTHER, (struct at_reference){token_copy(p, &proc), token_copy(p, &label)}))
      parse_no_memory(p);
  }
}

void promela_asked(struct parser *p, const char *formula) {
  size_t length = strlen(formula);
  char *expanded = speaks_of_macros(p, formula, length) ? with_macros(p, formula, length, &length) : NULL;
  promela_mentions(p, expanded ? expanded : formula, expanded ? length : strlen(formula));
  mem_free(p->kept.mem, expanded);
}

/* Definitions from the command line outlive those who gave them; without memory conditions do without. */
static void keep_defines(struct parser *p) {
  size_t n = p->kept.define_count;
  struct front_override *kept = arena_alloc(&p->arena, (n + 1) * sizeof *kept);
  for (size_t i = 0; i < n && kept; i++) {
    const struct front_override *given = &p->kept.defines[i];
    kept[i] = *given;
    kept[i].name = arena_strndup(&p->arena, given->name, strlen(given->name));
    kept[i].value = arena_strndup(&p->arena, given->value, strlen(given->value));
    if (!kept[i].name || !kept[i].value) kept = NULL;
  }
  p->kept.defines = kept;
  if (!kept) p->kept.define_count = 0;
}

static void keep_folders(struct parser *p) {
  size_t n = p->kept.folder_count;
  const char **kept = arena_alloc(&p->arena, (n + 1) * sizeof *kept);
  for (size_t i = 0; i < n && kept; i++)
    if (!(kept[i] = arena_strndup(&p->arena, p->kept.folders[i], strlen(p->kept.folders[i])))) kept = NULL;
  p->kept.folders = kept;
  if (!kept) p->kept.folder_count = 0;
}

void promela_keep(struct parser *p) {
  keep_defines(p);
  keep_folders(p);
  p->kept.error = NULL; /* who heard the errors of the model may be gone */
  p->kept.warn = NULL;
  p->kept.properties = NULL;
  p->program->reader = (struct program_reader){p, read, forget};
}
