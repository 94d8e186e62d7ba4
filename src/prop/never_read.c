/* never_read.c -- a never claim to an automaton.
 *
 * Each statement at the top of the claim is a state: what its labels name.  The statement behind it is where it goes when an
 * option neither jumps nor loops.  Behind the last one is the end of the claim, an accepting state that takes every letter.
 * A skip behind a guard is a step of its own, so that there is a state between the two. */
#include "prop/never.h"

#include "base/vec.h"
#include "prop/guard.h"

#include <stdio.h>
#include <string.h>

/* A state before all of them are known: its number; BETWEEN + that of a state within an option; AHEAD + a label. */
enum { LABELS = 20000, BETWEEN = 0x20000000, AHEAD = 0x40000000, THE_END = AHEAD - 1 };

struct name {
  const char *text;
  size_t length, at; /* at: where it was first used */
  uint32_t state;    /* UINT32_MAX = not yet */
};

struct claim {
  struct mem *mem;
  struct err *err;
  struct formulas *fs;
  struct formula_reader reader;
  const char *text;
  size_t length, at;
  struct vec(struct name) names;
  struct vec(uint8_t) accepting; /* by state */
  uint32_t between;              /* states within options */
  struct automaton_draft draft;
  formula guard; /* the last one, */
  struct cubes cubes; /* and what it is */
  size_t known; /* an offset whose line and column are known: places are asked for from left to right */
  long line, column;
};

static void place(struct claim *c, size_t offset, long *line, long *column) {
  if (offset < c->known || !c->line) c->known = 0, c->line = c->column = 1;
  for (; c->known < offset && c->known < c->length; c->known++) {
    if (c->text[c->known] == '\n') c->line++, c->column = 1;
    else if (((unsigned char)c->text[c->known] & 0xc0) != 0x80) c->column++;
  }
  *line = c->line;
  *column = c->column;
}

static int fail(struct claim *c, size_t offset, const char *message) {
  long line, column;
  if (c->err->kind != ERR_NONE) return -1;
  place(c, offset, &line, &column);
  err_input(c->err, (struct place_in_text){c->reader.what, line, column}, "%s", message);
  err_excerpt(c->err, c->text, c->length, offset);
  return -1;
}

static int no_memory(struct claim *c) { return err_memory(c->err, "an automaton"); }

/* ---- words ------------------------------------------------------------------------------------- */

static int word_character(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
}

static void skip_blanks(struct claim *c) {
  while (c->at < c->length) {
    if (c->text[c->at] == ' ' || c->text[c->at] == '\t' || c->text[c->at] == '\n' || c->text[c->at] == '\r') c->at++;
    else if (c->text[c->at] == '/' && c->at + 1 < c->length && c->text[c->at + 1] == '*') {
      for (c->at += 2; c->at + 1 < c->length && !(c->text[c->at] == '*' && c->text[c->at + 1] == '/'); c->at++) {}
      c->at = c->at + 1 < c->length ? c->at + 2 : c->length;
    } else return;
  }
}

/* Takes a sign, or a whole word, if it is next. */
static int take(struct claim *c, const char *what) {
  size_t n = strlen(what);
  skip_blanks(c);
  if (c->length - c->at < n || memcmp(c->text + c->at, what, n) != 0) return 0;
  if (word_character(what[0]) && c->at + n < c->length && word_character(c->text[c->at + n])) return 0;
  c->at += n;
  return 1;
}

static int expect(struct claim *c, const char *what) {
  char message[60];
  if (take(c, what)) return 0;
  snprintf(message, sizeof message, "expected \"%s\"", what);
  return fail(c, c->at, message);
}

static size_t word_length(struct claim *c) {
  size_t n = 0;
  skip_blanks(c);
  while (c->at + n < c->length && word_character(c->text[c->at + n])) n++;
  return n;
}

/* The index of the label here; -1 with err. */
static int64_t take_label(struct claim *c) {
  size_t n = word_length(c), begin = c->at;
  if (!n) return fail(c, c->at, "expected a label");
  c->at += n;
  for (size_t i = 0; i < c->names.count; i++)
    if (c->names.at[i].length == n && memcmp(c->names.at[i].text, c->text + begin, n) == 0) return (int64_t)i;
  struct name name = {c->text + begin, n, begin, UINT32_MAX};
  if (c->names.count == LABELS) return fail(c, begin, "claims with more than 20000 labels are not understood");
  if (vec_push(&c->names, c->mem, MEM_OTHER, name)) return no_memory(c);
  return (int64_t)c->names.count - 1;
}

/* ---- guards -------------------------------------------------------------------------------------- */

/* Is the keyword at i, as a whole word? */
static int keyword_at(const struct claim *c, size_t i, const char *word) {
  size_t n = strlen(word);
  return c->length - i >= n && memcmp(c->text + i, word, n) == 0 && (i == 0 || !word_character(c->text[i - 1])) &&
         (i + n == c->length || !word_character(c->text[i + n]));
}

/* The condition from `begin` to `end`. */
static int parse(struct claim *c, size_t begin, size_t end, formula *out) {
  char *text = mem_strndup(c->mem, MEM_OTHER, c->text + begin, end - begin);
  if (!text) return no_memory(c);
  place(c, begin, &c->reader.line, &c->reader.column);
  int status = formula_parse(c->fs, out, text, &c->reader, c->err);
  mem_free(c->mem, text);
  if (!status && !formula_is(c->fs, *out, CLASS_BOOLEAN)) status = fail(c, begin, "a guard cannot be temporal");
  return status;
}

/* The guard from here to "->", ";", "::" or the end of the block, as cubes. */
static int take_guard(struct claim *c) {
  size_t begin, i, depth = 0;
  skip_blanks(c);
  for (begin = i = c->at; i < c->length; i++) {
    char ch = c->text[i];
    if (ch == '"' || ch == '\'') {
      for (size_t k = i + 1; k < c->length; k++)
        if (c->text[k] == ch) {
          i = k;
          break;
        }
      continue;
    }
    if (ch == '(' || ch == '[') depth++;
    else if ((ch == ')' || ch == ']') && depth) depth--;
    if (depth) continue;
    if (ch == ';' || ch == '}' || (ch == '-' && i + 1 < c->length && c->text[i + 1] == '>') ||
        (ch == ':' && i + 1 < c->length && c->text[i + 1] == ':') || keyword_at(c, i, "fi") || keyword_at(c, i, "od"))
      break;
  }
  if (keyword_at(c, begin, "else")) return fail(c, begin, "else is not understood in an automaton; write the guard in full");
  c->cubes.count = 0;
  c->guard = FORMULA_NONE;
  c->at = i;
  return parse(c, begin, i, &c->guard) || guard_cubes(&c->cubes, c->fs, c->guard, c->err) ? -1 : 0;
}

static uint32_t state_now(const struct claim *c) { return (uint32_t)c->accepting.count - 1; }

static int add_edges(struct claim *c, uint32_t from, uint32_t to) {
  for (size_t i = 0; i < c->cubes.count; i++)
    if (automaton_draft_edge(&c->draft, from, (struct automaton_edge){c->cubes.at[i].care, c->cubes.at[i].want, to, 0}))
      return no_memory(c);
  return 0;
}

/* What is always open, as cubes. */
static int take_all(struct claim *c) {
  c->cubes.count = 0;
  return vec_push(&c->cubes, c->mem, MEM_OTHER, (struct cube){0, 0}) ? no_memory(c) : 0;
}

/* assert(!guard): fails wherever the guard is true. Asserts that say something else belong to a Promela model. */
static int take_assert(struct claim *c) {
  size_t depth = 0, begin;
  formula f = FORMULA_NONE;
  if (expect(c, "assert")) return -1;
  skip_blanks(c);
  begin = c->at;
  do {
    if (c->at >= c->length) return fail(c, c->at, "expected \")\"");
    if (c->text[c->at] == '(') depth++;
    else if (c->text[c->at] == ')' && depth) depth--;
    c->at++;
  } while (depth);
  if (parse(c, begin, c->at, &f)) return -1;
  formula said = formula_normal(c->fs, f, 0), opposite = formula_normal(c->fs, c->guard, 1);
  if (said == FORMULA_NONE || opposite == FORMULA_NONE) return formulas_refused(c->fs, c->err);
  return said == opposite ? 0 : fail(c, begin, "only the negation of the guard is understood here");
}

/* One option behind "::". `loop`: in a do block. */
static int take_option(struct claim *c, int loop) {
  if (take(c, "atomic")) /* { guard -> assert(!guard) }: violated at once */
    return expect(c, "{") || take_guard(c) || expect(c, "->") || take_assert(c) || expect(c, "}") || add_edges(c, state_now(c), THE_END) ? -1 : 0;
  uint32_t from = state_now(c), to = loop ? from : from + 1;
  int left = 0; /* what stands behind a jump is never reached */
  if (take_guard(c)) return -1;
  while (take(c, "->") || take(c, ";")) {
    if (take(c, "goto")) {
      int64_t label = take_label(c);
      if (label < 0) return -1;
      if (!left) to = AHEAD + (uint32_t)label;
      left = 1;
    } else if (take(c, "break")) {
      if (!left) to = state_now(c) + 1;
      left = 1;
    } else if (take(c, "skip") || take(c, "true")) {
      if (left) continue;
      if (c->between == THE_END - BETWEEN || add_edges(c, from, BETWEEN + c->between) || take_all(c)) return no_memory(c);
      from = BETWEEN + c->between++;
    } else {
      skip_blanks(c);
      if (c->at == c->length || keyword_at(c, c->at, "fi") || keyword_at(c, c->at, "od") || c->text[c->at] == ':') break;
      return fail(c, c->at, "only goto, break and skip are understood behind a guard");
    }
  }
  return add_edges(c, from, to);
}

static int take_statement(struct claim *c) {
  int loop = take(c, "do");
  if (loop || take(c, "if")) {
    while (take(c, "::"))
      if (take_option(c, loop)) return -1;
    return expect(c, loop ? "od" : "fi");
  }
  c->cubes.count = 0;
  if (take(c, "false") || take(c, "0")) return 0;
  if (take(c, "skip") || take(c, "true") || take(c, "1")) return take_all(c) ? -1 : add_edges(c, state_now(c), state_now(c) + 1);
  skip_blanks(c);
  if (c->at < c->length && c->text[c->at] == '(') return take_guard(c) ? -1 : add_edges(c, state_now(c), state_now(c) + 1);
  return fail(c, c->at, "expected do, if, skip, false or a guard in brackets");
}

/* Labels in front of a statement, and the statement. */
static int take_state(struct claim *c) {
  uint8_t accepting = 0;
  if (c->accepting.count >= BETWEEN - 1 || vec_push(&c->accepting, c->mem, MEM_OTHER, 0)) return no_memory(c);
  for (;;) {
    size_t begin = c->at, n = word_length(c), behind = c->at + n;
    while (behind < c->length && strchr(" \t\r\n", c->text[behind]) && c->text[behind]) behind++;
    if (!n || behind >= c->length || c->text[behind] != ':' || (behind + 1 < c->length && c->text[behind + 1] == ':')) {
      c->at = begin;
      break;
    }
    begin = c->at;
    int64_t label = take_label(c);
    if (label < 0) return -1;
    if (c->names.at[label].state != UINT32_MAX) return fail(c, begin, "this label stands twice");
    c->names.at[label].state = state_now(c);
    accepting |= n >= 6 && memcmp(c->text + begin, "accept", 6) == 0;
    c->at = behind + 1;
  }
  c->accepting.at[state_now(c)] = accepting;
  if (take_statement(c)) return -1;
  while (take(c, ";")) {}
  return 0;
}

/* ---- the whole -------------------------------------------------------------------------------------- */

/* The number of a state that is no label, once all at the top are known; those within options come behind the end. */
static uint32_t number_of(uint32_t state, uint32_t end) { return state == THE_END ? end : state >= BETWEEN ? end + 1 + (state - BETWEEN) : state; }

static int conclude(struct claim *c, struct automaton **out, const struct atoms *atoms) {
  uint32_t end = (uint32_t)c->accepting.count;
  if (automaton_draft_edge(&c->draft, end, (struct automaton_edge){0, 0, end, 0}) || automaton_draft_initial(&c->draft, 0) ||
      vec_push(&c->accepting, c->mem, MEM_OTHER, 1))
    return no_memory(c);
  for (size_t i = 0; i < c->draft.edges; i++) {
    struct draft_edge *x = &c->draft.edge[i];
    if (x->edge.to >= AHEAD) {
      const struct name *name = &c->names.at[x->edge.to - AHEAD];
      if (name->state == UINT32_MAX) return fail(c, name->at, "this label is nowhere");
      x->edge.to = name->state;
    } else x->edge.to = number_of(x->edge.to, end);
    x->from = number_of(x->from, end);
    x->edge.accept = x->from <= end && c->accepting.at[x->from];
  }
  if (automaton_finish(out, &c->draft, end + 1 + c->between, 1, c->err)) return -1;
  (*out)->by_state = (*out)->keep_sets = 1;
  if (automaton_name_atoms(*out, (const char *const *)atoms->text, atoms->count, c->err) || automaton_classify(*out, c->err)) {
    automaton_close(*out);
    *out = NULL;
    return -1;
  }
  return 0;
}

static int take_claim(struct claim *c) {
  if (expect(c, "never")) return -1;
  c->at += word_length(c); /* a name */
  if (expect(c, "{")) return -1;
  do
    if (take_state(c)) return -1;
  while (!take(c, "}"));
  skip_blanks(c);
  return c->at < c->length ? fail(c, c->at, "expected the end") : 0;
}

int never_read(struct automaton **out, const char *text, size_t length, const char *what, struct atoms *atoms, struct mem *mem,
               struct err *e) {
  struct claim c = {.mem = mem, .err = e, .text = text, .length = length};
  c.reader = (struct formula_reader){.what = what, .grouping = GROUP_SPIN, .atom = atoms_add, .context = atoms};
  *out = NULL;
  if (formulas_open(&c.fs, mem, e)) return -1;
  automaton_draft_open(&c.draft, mem);
  int status = take_claim(&c) || conclude(&c, out, atoms) ? -1 : 0;
  automaton_draft_close(&c.draft);
  vec_free(&c.names, mem);
  vec_free(&c.accepting, mem);
  vec_free(&c.cubes, mem);
  formulas_close(c.fs);
  return status;
}
