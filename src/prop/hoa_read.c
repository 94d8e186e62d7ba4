/* hoa_read.c -- the HOA format to an automaton.
 *
 * Tokens, then header items until --BODY--, then states with their edges until --END--.  Labels become boolean formulas in a
 * graph of their own (aliases are names of such formulas) and cubes at last.  Header items that begin with a capital and are not
 * known are refused, as the format demands; small ones are comments.
 *
 * Of acceptance only t, f and conjunctions of Inf(i) are understood: Buechi, generalised Buechi, all, none. */
#include "prop/hoa.h"

#include "base/vec.h"
#include "prop/guard.h"

#include <stdio.h>
#include <string.h>

enum { DEPTH = 200, MOST_STATES = 1 << 26, ALIASES = 10000, IMPLICIT_ATOMS = 16 };

enum token { T_END, T_WORD, T_HEADER, T_TEXT, T_NUMBER, T_ALIAS, T_SIGN, T_BODY, T_FINISH, T_ABORT, T_BAD };

struct alias {
  const char *name;
  size_t length;
  formula f;
};

struct reader {
  struct mem *mem;
  struct err *err;
  const char *text, *what;
  size_t length;
  struct formulas *fs;
  /* the token under the eye */
  enum token token;
  size_t start, end;
  uint64_t number;
  unsigned depth;
  /* the header */
  int64_t states; /* -1 = not told */
  struct vec(uint32_t) starts;
  struct vec(struct alias) aliases;
  int64_t atoms; /* -1 = not told */
  char *atom[AUTOMATON_ATOMS];
  int acceptance_told, never; /* never: acceptance f */
  uint64_t sets_declared;
  int8_t place_of[1024]; /* of a declared set, in the automaton; -1 = not in the condition */
  uint32_t sets;
  /* the body */
  struct automaton_draft draft;
  struct cubes cubes;
  uint32_t largest; /* state met, + 1 */
  int on_edges;     /* acceptance was met on edges */
};

/* ---- errors and tokens ------------------------------------------------------------------------- */

static int fail(struct reader *r, size_t offset, const char *message) {
  long line = 1, column = 1;
  for (size_t i = 0; i < offset && i < r->length; i++) {
    if (r->text[i] == '\n') line++, column = 1;
    else if (((unsigned char)r->text[i] & 0xc0) != 0x80) column++;
  }
  if (r->err->kind != ERR_NONE) return -1;
  err_input(r->err, (struct place_in_text){r->what, line, column}, "%s", message);
  err_excerpt(r->err, r->text, r->length, offset);
  return -1;
}

static int fail_expected(struct reader *r, const char *expected) {
  char quoted[60], message[200];
  if (r->token == T_BAD) return -1;
  err_quote(quoted, sizeof quoted, r->text + r->start, r->end - r->start);
  if (r->token == T_END) snprintf(message, sizeof message, "expected %s, found the end", expected);
  else snprintf(message, sizeof message, "expected %s, found \"%s\"", expected, quoted);
  return fail(r, r->start, message);
}

static int no_memory(struct reader *r) { return err_memory(r->err, "an automaton"); }

static int letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int digit(char c) { return c >= '0' && c <= '9'; }

/* Blanks and comments, which nest. -1 with err. */
static int skip_blanks(struct reader *r) {
  for (;;) {
    while (r->end < r->length && strchr(" \t\r\n", r->text[r->end]) && r->text[r->end]) r->end++;
    if (r->end + 1 >= r->length || r->text[r->end] != '/' || r->text[r->end + 1] != '*') return 0;
    size_t begin = r->end, depth = 0;
    do {
      if (r->end + 1 >= r->length) return fail(r, begin, "this comment is not closed");
      if (r->text[r->end] == '/' && r->text[r->end + 1] == '*') depth++, r->end += 2;
      else if (r->text[r->end] == '*' && r->text[r->end + 1] == '/') depth--, r->end += 2;
      else r->end++;
    } while (depth);
  }
}

static int at_word(const struct reader *r, const char *word) {
  size_t n = strlen(word);
  return r->end - r->start == n && memcmp(r->text + r->start, word, n) == 0;
}

static enum token scan(struct reader *r) {
  if (skip_blanks(r)) return T_BAD;
  r->start = r->end;
  if (r->start == r->length) return T_END;
  char c = r->text[r->start];
  if (c == '"') {
    for (r->end++; r->end < r->length && r->text[r->end] != '"'; r->end++)
      if (r->text[r->end] == '\\') r->end++;
    if (r->end >= r->length) return fail(r, r->start, "this text is not closed"), T_BAD;
    r->end++;
    return T_TEXT;
  }
  if (digit(c)) {
    for (r->number = 0; r->end < r->length && digit(r->text[r->end]); r->end++) {
      r->number = 10 * r->number + (uint64_t)(r->text[r->end] - '0');
      if (r->number > UINT32_MAX) return fail(r, r->start, "this number is too large"), T_BAD;
    }
    return T_NUMBER;
  }
  if (letter(c) || c == '@') {
    for (r->end++; r->end < r->length && (letter(r->text[r->end]) || digit(r->text[r->end]) || r->text[r->end] == '-');
         r->end++) {}
    if (c == '@') return T_ALIAS;
    if (r->end < r->length && r->text[r->end] == ':') {
      r->end++;
      return T_HEADER;
    }
    return T_WORD;
  }
  if (c == '-') {
    static const struct {
      const char *text;
      enum token token;
    } marks[] = {{"--BODY--", T_BODY}, {"--END--", T_FINISH}, {"--ABORT--", T_ABORT}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
      size_t n = strlen(marks[i].text);
      if (r->length - r->start < n || memcmp(r->text + r->start, marks[i].text, n) != 0) continue;
      r->end = r->start + n;
      return marks[i].token;
    }
  }
  r->end++;
  if (strchr("[](){}!&|", c) && c) return T_SIGN;
  char shown[20], message[80];
  snprintf(message, sizeof message, "\"%s\" has no meaning here", err_quote(shown, sizeof shown, r->text + r->start, 1));
  return fail(r, r->start, message), T_BAD;
}

static void advance(struct reader *r) { r->token = scan(r); }
static int at_sign(const struct reader *r, char c) { return r->token == T_SIGN && r->text[r->start] == c; }

static int expect_sign(struct reader *r, char c) {
  char expected[8] = {'"', c, '"', 0};
  if (!at_sign(r, c)) return fail_expected(r, expected);
  advance(r);
  return 0;
}

/* A text without quotes and backslashes; NULL with err. */
static char *text_of(struct reader *r) {
  char *copy = mem_alloc(r->mem, MEM_OTHER, r->end - r->start), *to = copy;
  if (!copy) {
    no_memory(r);
    return NULL;
  }
  for (size_t i = r->start + 1; i + 1 < r->end; i++) {
    if (r->text[i] == '\\' && i + 2 < r->end) i++;
    *to++ = r->text[i];
  }
  return copy;
}

/* ---- labels ------------------------------------------------------------------------------------- */

static formula label_or(struct reader *r);

static formula label_atom(struct reader *r) {
  formula f = FORMULA_NONE;
  if (++r->depth > DEPTH) {
    fail(r, r->start, "this label is nested too deeply");
    return f;
  }
  if (at_sign(r, '!')) {
    advance(r);
    f = formula_unary(r->fs, F_NOT, label_atom(r));
  } else if (at_sign(r, '(')) {
    advance(r);
    f = label_or(r);
    if (f != FORMULA_NONE && expect_sign(r, ')')) f = FORMULA_NONE;
  } else if (r->token == T_WORD && (at_word(r, "t") || at_word(r, "f"))) {
    f = at_word(r, "t") ? FORMULA_TRUE : FORMULA_FALSE;
    advance(r);
  } else if (r->token == T_NUMBER) {
    if (r->atoms < 0 || r->number >= (uint64_t)r->atoms) fail(r, r->start, "there is no such atomic proposition");
    else f = formula_atom(r->fs, (uint32_t)r->number);
    advance(r);
  } else if (r->token == T_ALIAS) {
    for (size_t i = 0; i < r->aliases.count; i++)
      if (r->aliases.at[i].length == r->end - r->start &&
          memcmp(r->aliases.at[i].name, r->text + r->start, r->end - r->start) == 0)
        f = r->aliases.at[i].f;
    if (f == FORMULA_NONE) fail(r, r->start, "this alias is not defined before");
    advance(r);
  } else fail_expected(r, "a label");
  r->depth--;
  return f;
}

static formula label_chain(struct reader *r, char sign, enum formula_kind kind, formula (*below)(struct reader *)) {
  struct vec(formula) parts = {0};
  formula f = below(r);
  while (f != FORMULA_NONE && at_sign(r, sign)) {
    if (vec_push(&parts, r->mem, MEM_OTHER, f)) {
      f = FORMULA_NONE;
      break;
    }
    advance(r);
    f = below(r);
  }
  if (f != FORMULA_NONE && parts.count)
    f = vec_push(&parts, r->mem, MEM_OTHER, f) ? FORMULA_NONE : formula_many(r->fs, kind, parts.at, parts.count);
  vec_free(&parts, r->mem);
  return f;
}

static formula label_and(struct reader *r) { return label_chain(r, '&', F_AND, label_atom); }
static formula label_or(struct reader *r) { return label_chain(r, '|', F_OR, label_and); }

static formula label(struct reader *r) {
  size_t at = r->start;
  formula f = label_or(r);
  if (f == FORMULA_NONE) {
    if (r->err->kind == ERR_NONE) no_memory(r);
  } else if (r->fs->node[f].height > 2 * DEPTH) { /* aliases of aliases */
    fail(r, at, "this label is nested too deeply");
    f = FORMULA_NONE;
  }
  return f;
}

/* ---- the header ------------------------------------------------------------------------------------ */

static int read_atoms(struct reader *r) {
  advance(r);
  if (r->token != T_NUMBER) return fail_expected(r, "the number of atomic propositions");
  if (r->atoms >= 0) return fail(r, r->start, "atomic propositions are listed twice");
  if (r->number > AUTOMATON_ATOMS) return fail(r, r->start, "more than 64 atomic propositions are not understood");
  uint64_t count = r->number;
  advance(r);
  r->atoms = 0;
  for (uint64_t i = 0; i < count; i++) {
    if (r->token != T_TEXT) return fail_expected(r, "the name of an atomic proposition");
    if (!(r->atom[i] = text_of(r))) return -1;
    r->atoms++;
    advance(r);
  }
  return 0;
}

static int refuse_condition(struct reader *r) {
  fail(r, r->start, "only Buechi and generalised Buechi acceptance is understood");
  err_hint(r->err, "the condition must be t, f, or a conjunction such as Inf(0)&Inf(1)");
  return -1;
}

static int read_condition(struct reader *r) {
  unsigned brackets = 0;
  for (;;) {
    while (at_sign(r, '(')) {
      brackets++;
      advance(r);
    }
    if (r->token != T_WORD) return fail_expected(r, "an acceptance condition");
    if (at_word(r, "f")) r->never = 1;
    else if (at_word(r, "Inf")) {
      advance(r);
      if (expect_sign(r, '(')) return -1;
      if (r->token != T_NUMBER) return refuse_condition(r);
      if (r->number >= r->sets_declared) return fail(r, r->start, "there is no such acceptance set");
      if (r->place_of[r->number] < 0) {
        if (r->sets == AUTOMATON_SETS) return fail(r, r->start, "more than 32 acceptance sets are not understood");
        r->place_of[r->number] = (int8_t)r->sets++;
      }
      advance(r);
      if (!at_sign(r, ')')) return fail_expected(r, "\")\"");
    } else if (!at_word(r, "t")) return refuse_condition(r);
    advance(r);
    while (brackets && at_sign(r, ')')) {
      brackets--;
      advance(r);
    }
    if (at_sign(r, '|')) return refuse_condition(r);
    if (!at_sign(r, '&')) break;
    advance(r);
  }
  return brackets ? fail_expected(r, "\")\"") : 0;
}

static int read_acceptance(struct reader *r) {
  advance(r);
  if (r->token != T_NUMBER) return fail_expected(r, "the number of acceptance sets");
  if (r->acceptance_told) return fail(r, r->start, "acceptance is told twice");
  if (r->number > sizeof r->place_of) return fail(r, r->start, "more than 1024 acceptance sets are not understood");
  r->acceptance_told = 1;
  r->sets_declared = r->number;
  memset(r->place_of, -1, sizeof r->place_of);
  advance(r);
  return read_condition(r);
}

static int read_start(struct reader *r) {
  advance(r);
  if (r->token != T_NUMBER) return fail_expected(r, "a state");
  if (vec_push(&r->starts, r->mem, MEM_OTHER, (uint32_t)r->number)) return no_memory(r);
  advance(r);
  if (at_sign(r, '&')) return fail(r, r->start, "alternating automata are not understood");
  return 0;
}

static int read_alias(struct reader *r) {
  advance(r);
  if (r->token != T_ALIAS) return fail_expected(r, "an alias");
  struct alias a = {r->text + r->start, r->end - r->start, FORMULA_NONE};
  if (r->aliases.count == ALIASES) return fail(r, r->start, "these are too many aliases");
  for (size_t i = 0; i < r->aliases.count; i++)
    if (r->aliases.at[i].length == a.length && memcmp(r->aliases.at[i].name, a.name, a.length) == 0)
      return fail(r, r->start, "this alias is defined twice");
  advance(r);
  a.f = label(r);
  if (a.f == FORMULA_NONE) return -1;
  return vec_push(&r->aliases, r->mem, MEM_OTHER, a) ? no_memory(r) : 0;
}

static int header_is(const struct reader *r, const char *name) {
  size_t n = strlen(name);
  return r->end - r->start == n + 1 && memcmp(r->text + r->start, name, n) == 0;
}

static int read_header(struct reader *r) {
  advance(r);
  if (r->token != T_HEADER || !header_is(r, "HOA")) return fail_expected(r, "\"HOA:\"");
  advance(r);
  if (r->token != T_WORD || !at_word(r, "v1")) {
    fail_expected(r, "\"v1\"");
    return -1;
  }
  advance(r);
  while (r->token != T_BODY) {
    if (r->token != T_HEADER) return fail_expected(r, "a header item or \"--BODY--\"");
    int status = 0;
    if (header_is(r, "States")) {
      advance(r);
      if (r->token != T_NUMBER) return fail_expected(r, "the number of states");
      if (r->number > MOST_STATES) return fail(r, r->start, "these are too many states");
      r->states = (int64_t)r->number;
      advance(r);
    } else if (header_is(r, "Start")) status = read_start(r);
    else if (header_is(r, "AP")) status = read_atoms(r);
    else if (header_is(r, "Alias")) status = read_alias(r);
    else if (header_is(r, "Acceptance")) status = read_acceptance(r);
    else if (r->text[r->start] >= 'A' && r->text[r->start] <= 'Z') return fail(r, r->start, "this header item is not understood");
    else do
        advance(r);
      while (r->token != T_HEADER && r->token != T_BODY && r->token != T_END && r->token != T_BAD);
    if (status) return -1;
  }
  if (!r->acceptance_told) return fail(r, r->start, "the header tells no acceptance");
  if (r->atoms < 0) r->atoms = 0;
  return 0;
}

/* ---- the body --------------------------------------------------------------------------------------- */

static int read_sets(struct reader *r, uint32_t *accept) {
  *accept = 0;
  if (!at_sign(r, '{')) return 0;
  advance(r);
  while (r->token == T_NUMBER) {
    if (r->number >= r->sets_declared) return fail(r, r->start, "there is no such acceptance set");
    if (r->place_of[r->number] >= 0) *accept |= UINT32_C(1) << r->place_of[r->number];
    advance(r);
  }
  return expect_sign(r, '}');
}

static int read_state_number(struct reader *r, uint32_t *out) {
  if (r->token != T_NUMBER) return fail_expected(r, "a state");
  if (r->states >= 0 ? r->number >= (uint64_t)r->states : r->number >= MOST_STATES)
    return fail(r, r->start, "there is no such state");
  *out = (uint32_t)r->number;
  if (*out >= r->largest) r->largest = *out + 1;
  advance(r);
  return 0;
}

static int add_edges(struct reader *r, uint32_t from, formula f, struct automaton_edge like) {
  r->cubes.count = 0;
  if (r->never) return 0;
  if (guard_cubes(&r->cubes, r->fs, f, r->err)) return -1;
  for (size_t i = 0; i < r->cubes.count; i++) {
    like.care = r->cubes.at[i].care;
    like.want = r->cubes.at[i].want;
    if (automaton_draft_edge(&r->draft, from, like)) return no_memory(r);
  }
  return 0;
}

/* The conjunction of atoms that letter number `index` is. */
static struct cube letter_cube(const struct reader *r, uint64_t index) {
  return (struct cube){(UINT64_C(1) << r->atoms) - 1, index};
}

static int read_state(struct reader *r) {
  uint32_t from, accept, own;
  formula common = FORMULA_NONE;
  size_t at = r->start;
  uint64_t implicit = 0;
  int labelled = 0;
  advance(r);
  if (at_sign(r, '[')) {
    advance(r);
    common = label(r);
    if (common == FORMULA_NONE || expect_sign(r, ']')) return -1;
  }
  if (read_state_number(r, &from)) return -1;
  if (r->token == T_TEXT) advance(r);
  if (read_sets(r, &own)) return -1;
  while (r->token == T_NUMBER || at_sign(r, '[')) {
    formula f = common;
    struct automaton_edge x = {0};
    size_t edge_at = r->start;
    int has_label = at_sign(r, '[');
    if (has_label) {
      advance(r);
      f = label(r);
      if (f == FORMULA_NONE || expect_sign(r, ']')) return -1;
      labelled = 1;
      if (common != FORMULA_NONE) return fail(r, edge_at, "this state has a label already");
    }
    if (read_state_number(r, &x.to)) return -1;
    if (at_sign(r, '&')) return fail(r, r->start, "alternating automata are not understood");
    if (at_sign(r, '{')) r->on_edges = 1;
    if (read_sets(r, &accept)) return -1;
    x.accept = own | accept;
    if (f != FORMULA_NONE) {
      if (add_edges(r, from, f, x)) return -1;
      continue;
    }
    if (labelled) return fail(r, edge_at, "this edge has no label, but others of its state have");
    if (r->atoms > IMPLICIT_ATOMS)
      return fail(r, edge_at, "implicit labels are not understood for more than 16 atomic propositions");
    if (implicit >> r->atoms) return fail(r, edge_at, "this state has more edges than there are letters");
    struct cube c = letter_cube(r, implicit++);
    x.care = c.care;
    x.want = c.want;
    if (!r->never && automaton_draft_edge(&r->draft, from, x)) return no_memory(r);
  }
  if (implicit && implicit != UINT64_C(1) << r->atoms) return fail(r, at, "implicit labels need one edge for each letter");
  return 0;
}

static int read_body(struct reader *r) {
  automaton_draft_open(&r->draft, r->mem);
  advance(r);
  while (r->token == T_HEADER && header_is(r, "State"))
    if (read_state(r)) return -1;
  if (r->token == T_ABORT) return fail(r, r->start, "whoever wrote this automaton gave up");
  if (r->token != T_FINISH) return fail_expected(r, "\"State:\", an edge or \"--END--\"");
  advance(r);
  if (r->token == T_ABORT || r->token == T_HEADER) return fail(r, r->start, "there is more than one automaton");
  if (r->token != T_END) return fail_expected(r, "the end");
  return 0;
}

static int conclude(struct reader *r, struct automaton **out) {
  uint32_t states = r->states >= 0 ? (uint32_t)r->states : r->largest;
  for (size_t i = 0; i < r->starts.count; i++) {
    if (r->starts.at[i] >= states) return fail(r, 0, "an initial state is not among the states");
    if (automaton_draft_initial(&r->draft, r->starts.at[i])) return no_memory(r);
  }
  if (automaton_finish(out, &r->draft, states, r->sets, r->err)) return -1;
  (*out)->by_state = !r->on_edges && r->sets > 0;
  if (automaton_name_atoms(*out, (const char *const *)r->atom, (uint32_t)r->atoms, r->err) || automaton_classify(*out, r->err)) {
    automaton_close(*out);
    *out = NULL;
    return -1;
  }
  return 0;
}

int hoa_read(struct automaton **out, const char *text, size_t length, const char *what, struct mem *mem, struct err *e) {
  struct reader r = {.mem = mem, .err = e, .text = text, .length = length, .what = what, .states = -1, .atoms = -1};
  *out = NULL;
  if (formulas_open(&r.fs, mem, e)) return -1;
  int status = read_header(&r) || read_body(&r) || conclude(&r, out) ? -1 : 0;
  if (r.draft.mem) automaton_draft_close(&r.draft);
  for (int64_t i = 0; i < r.atoms; i++) mem_free(mem, r.atom[i]);
  vec_free(&r.starts, mem);
  vec_free(&r.aliases, mem);
  vec_free(&r.cubes, mem);
  formulas_close(r.fs);
  return status;
}
