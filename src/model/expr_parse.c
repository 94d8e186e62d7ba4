/* expr_parse.c -- the text of an expression to its tree, with errors worth reading.
 *
 * Weakest first:  <->   ->   or   and   not   == != < <= > >=   + -   *   unary - and !
 *
 * Two readings are refused rather than guessed: a < b < c (C would compare a truth value with
 * c), and !a == b (C and mathematics disagree about it).  `not` is a word and takes the whole
 * comparison, as in Python.
 *
 * Names without quotes are made of letters, digits, _ . @ # $ and anything beyond ASCII, and are
 * not all digits.  A minus is never part of one: a-b is a difference.  In quotes "..." or
 * '...' everything is a name; a quote inside is written twice.  Words of the language
 * (true, and, dead, ...) are names only in quotes; where a model has a place of that name
 * and the word could mean either, it is an error that says so.
 *
 * Binary operators are parsed by precedence climbing: three C frames per bracket. */
#include "model/expr_tree.h"

#include "base/near.h"
#include "base/vec.h"

#include <stdio.h>
#include <string.h>

enum token {
  T_END,
  T_NUMBER,
  T_NAME,   /* without quotes; may be a word of the language */
  T_QUOTED, /* always a name */
  T_OPEN,
  T_CLOSE,
  T_COMMA,
  T_PLUS,
  T_MINUS,
  T_TIMES,
  T_RELATION,
  T_BANG,
  T_NOT,
  T_AND,
  T_OR,
  T_IMPLIES,
  T_IFF,
  T_BAD, /* err is set */
};

enum level { LEVEL_IFF, LEVEL_IMPLIES, LEVEL_OR, LEVEL_AND, LEVEL_NOT, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_UNARY };

struct parser {
  const struct model *model;
  struct mem *mem;
  struct arena *arena;
  const char *text, *what;
  size_t length;
  struct err *err;
  unsigned depth;
  /* the token under the eye */
  enum token token;
  size_t start, end; /* in text */
  int64_t number;
  enum relation relation;
  const char *name; /* T_NAME, T_QUOTED: without quotes */
  size_t name_length;
};

/* ---- errors --------------------------------------------------------------------------- */

/* Sets the error at an offset. Line and column count characters. */
static void fail(struct parser *p, size_t offset, const char *message) {
  long line = 1, column = 1;
  for (size_t i = 0; i < offset && i < p->length; i++) {
    if (p->text[i] == '\n') line++, column = 1;
    else if (((unsigned char)p->text[i] & 0xc0) != 0x80) column++;
  }
  if (p->err->kind != ERR_NONE) return;
  err_input(p->err, (struct place_in_text){p->what, line, column}, "%s", message);
  err_excerpt(p->err, p->text, p->length, offset);
}

static void fail_memory(struct parser *p) { err_memory(p->err, "an expression"); }

/* What stands here, for "expected ..., found ...". */
static const char *found(const struct parser *p, char *out, size_t room) {
  if (p->token == T_END) return "the end";
  char quoted[60];
  snprintf(out, room, "\"%s\"", err_quote(quoted, sizeof quoted, p->text + p->start, p->end - p->start));
  return out;
}

static void fail_expected(struct parser *p, const char *expected) {
  if (p->token == T_BAD) return;
  char here[80], message[200];
  snprintf(message, sizeof message, "expected %s, found %s", expected, found(p, here, sizeof here));
  fail(p, p->start, message);
}

/* ---- tokens ---------------------------------------------------------------------------- */

static int name_character(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '@' ||
         c == '#' || c == '$' || c >= 0x80;
}

static int blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int is_word(const struct parser *p, const char *word) {
  return p->token == T_NAME && p->name_length == strlen(word) && memcmp(p->name, word, p->name_length) == 0;
}

static enum token number_token(struct parser *p) {
  int64_t n = 0;
  for (size_t i = p->start; i < p->end; i++)
    if (__builtin_mul_overflow(n, (int64_t)10, &n) || __builtin_add_overflow(n, (int64_t)(p->text[i] - '0'), &n)) {
      fail(p, p->start, "this number is above 9223372036854775807");
      return T_BAD;
    }
  p->number = n;
  return T_NUMBER;
}

static enum token quoted_token(struct parser *p) {
  char quote = p->text[p->start];
  size_t i = p->start + 1, doubled = 0;
  for (;; i++) {
    if (i >= p->length) {
      fail(p, p->start, "this quote is not closed");
      return T_BAD;
    }
    if (p->text[i] != quote) continue;
    if (i + 1 < p->length && p->text[i + 1] == quote) i++, doubled++;
    else break;
  }
  p->end = i + 1;
  p->name = p->text + p->start + 1;
  p->name_length = i - p->start - 1;
  if (doubled) { /* a copy with single quotes */
    char *copy = arena_alloc(p->arena, p->name_length + 1), *to = copy;
    if (!copy) {
      fail_memory(p);
      return T_BAD;
    }
    for (size_t k = 0; k < p->name_length; k++) {
      *to++ = p->name[k];
      if (p->name[k] == quote) k++;
    }
    p->name = copy;
    p->name_length = (size_t)(to - copy);
  }
  return T_QUOTED;
}

static enum token word_token(struct parser *p) {
  int digits = 1;
  while (p->end < p->length && name_character((unsigned char)p->text[p->end])) {
    digits &= p->text[p->end] >= '0' && p->text[p->end] <= '9';
    p->end++;
  }
  if (digits) return number_token(p);
  p->name = p->text + p->start;
  p->name_length = p->end - p->start;
  p->token = T_NAME;
  return is_word(p, "and") ? T_AND : is_word(p, "or") ? T_OR : is_word(p, "not") ? T_NOT : T_NAME;
}

static const struct {
  const char *text;
  enum token token;
  enum relation relation;
} operators[] = {
    /* longer ones before their beginnings */
    {"<->", T_IFF, 0},
    {"->", T_IMPLIES, 0},
    {"&&", T_AND, 0},
    {"||", T_OR, 0},
    {"==", T_RELATION, EQUAL},
    {"!=", T_RELATION, UNEQUAL},
    {"<>", T_RELATION, UNEQUAL},
    {"<=", T_RELATION, AT_MOST},
    {">=", T_RELATION, AT_LEAST},
    {"<", T_RELATION, LESS},
    {">", T_RELATION, GREATER},
    {"=", T_RELATION, EQUAL},
    {"&", T_AND, 0},
    {"|", T_OR, 0},
    {"!", T_BANG, 0},
    {"+", T_PLUS, 0},
    {"-", T_MINUS, 0},
    {"*", T_TIMES, 0},
    {"(", T_OPEN, 0},
    {")", T_CLOSE, 0},
    {",", T_COMMA, 0},
};

static enum token scan(struct parser *p) {
  while (p->end < p->length && blank(p->text[p->end])) p->end++;
  p->start = p->end;
  if (p->start == p->length) return T_END;
  unsigned char c = (unsigned char)p->text[p->start];
  if (c == '"' || c == '\'') return quoted_token(p);
  if (name_character(c)) return word_token(p);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
    size_t n = strlen(operators[i].text);
    if (n > p->length - p->start || memcmp(p->text + p->start, operators[i].text, n) != 0) continue;
    p->end = p->start + n;
    p->relation = operators[i].relation;
    return operators[i].token;
  }
  char shown[20], message[80];
  snprintf(message, sizeof message, "\"%s\" has no meaning here", err_quote(shown, sizeof shown, p->text + p->start, 1));
  fail(p, p->start, message);
  if (c == '/' || c == '%') err_hint(p->err, "there is no division; multiply the other side");
  return T_BAD;
}

static void advance(struct parser *p) { p->token = scan(p); }

/* ---- names ----------------------------------------------------------------------------- */

enum wanted { VARIABLE, GROUP };

static int64_t look_up(const struct parser *p, enum wanted wanted, const char *name, size_t length) {
  const struct model_type *type = p->model->type;
  if (wanted == VARIABLE) return type->find_var ? type->find_var(p->model, name, length) : -1;
  return type->find_group ? type->find_group(p->model, name, length) : -1;
}

/* A name in a message: it may be 10 MB of anything. */
static const char *show(char *out, size_t room, const char *name, size_t length) { return err_quote(out, room, name, length); }

/* Hints for an unknown name: a name with a minus, the other kind of thing, or the nearest known name. */
static void hint_name(struct parser *p, enum wanted wanted) {
  char shown[80];
  const struct model_type *type = p->model->type;
  if (p->token == T_NAME) {
    size_t end = p->end;
    while (end < p->length && !blank(p->text[end]) && !strchr("()&|=<>!,\"'", p->text[end])) end++;
    for (; end > p->end; end--) /* the longest text from here that is a name */
      if (end - p->start <= 1000 && look_up(p, wanted, p->text + p->start, end - p->start) >= 0) {
        err_hint(p->err, "a name with other characters needs quotes: \"%s\"",
                 show(shown, sizeof shown, p->text + p->start, end - p->start));
        return;
      }
  }
  if (look_up(p, wanted == VARIABLE ? GROUP : VARIABLE, p->name, p->name_length) >= 0) {
    show(shown, sizeof shown, p->name, p->name_length);
    if (wanted == VARIABLE) err_hint(p->err, "it is a transition; fireable(%s) is true where it can happen", shown);
    else err_hint(p->err, "it is no transition, but has a value: write %s > 0", shown);
    return;
  }
  struct near near;
  near_open(&near, p->name, p->name_length);
  uint32_t count = wanted == VARIABLE ? p->model->vars : p->model->groups;
  const char *(*name_of)(const struct model *, uint32_t) = wanted == VARIABLE ? type->var_name : type->group_name;
  for (uint32_t i = 0; i < count && name_of; i++) near_offer(&near, name_of(p->model, i));
  if (near_best(&near))
    err_hint(p->err, "did you mean \"%s\"?", show(shown, sizeof shown, near_best(&near), strlen(near_best(&near))));
}

/* The number of the name under the eye; NAME_BAD with err. */
#define NAME_BAD UINT32_MAX
static uint32_t resolve(struct parser *p, enum wanted wanted) {
  char shown[80], message[200];
  int64_t id = look_up(p, wanted, p->name, p->name_length);
  if (id >= 0) return (uint32_t)id;
  show(shown, sizeof shown, p->name, p->name_length);
  const char *kind = wanted == VARIABLE ? "variable" : "transition";
  if (id == -2) {
    snprintf(message, sizeof message, "several %ss are called \"%s\"", kind, shown);
    fail(p, p->start, message);
    err_hint(p->err, "use the id, which is unique");
    return NAME_BAD;
  }
  snprintf(message, sizeof message, "the model has no %s \"%s\"", kind, shown);
  fail(p, p->start, message);
  hint_name(p, wanted);
  return NAME_BAD;
}

/* What the name under the eye stands for: so many, one after the other. 0, or -1 with err. */
static int resolve_all(struct parser *p, enum wanted wanted, uint32_t *first, uint32_t *count) {
  const struct model_type *type = p->model->type;
  if (type->family && type->family(p->model, wanted == GROUP, p->name, p->name_length, first, count)) return 0;
  *first = resolve(p, wanted);
  *count = 1;
  return *first == NAME_BAD ? -1 : 0;
}

/* ---- the tree --------------------------------------------------------------------------- */

static struct node *make(struct parser *p, enum node_kind kind) {
  struct node *n = arena_alloc(p->arena, sizeof *n);
  if (!n) fail_memory(p);
  else n->kind = kind;
  return n;
}

static struct node *make_number(struct parser *p, int64_t number) {
  struct node *n = make(p, NODE_NUMBER);
  if (n) n->number = number;
  return n;
}

static struct node *make_one(struct parser *p, enum node_kind kind, struct node *child) {
  struct node *n = child ? make(p, kind) : NULL;
  if (!n) return NULL;
  n->child = arena_alloc(p->arena, sizeof *n->child);
  if (!n->child) {
    fail_memory(p);
    return NULL;
  }
  n->child[0] = child;
  n->count = 1;
  return n;
}

static struct node *parse_level(struct parser *p, enum level level);

/* A list of ids as a node; where there are none it is 0: no tokens, nothing that can happen. */
static struct node *make_list(struct parser *p, enum node_kind kind, const uint32_t *id, size_t count) {
  struct node *n = make(p, count ? kind : NODE_NUMBER);
  if (!n || !count) return n;
  n->id = arena_alloc(p->arena, count * sizeof *n->id);
  if (!n->id) {
    fail_memory(p);
    return NULL;
  }
  memcpy(n->id, id, count * sizeof *n->id);
  n->count = (uint32_t)count;
  return n;
}

/* ( name, name, ... ) of variables or groups. */
static struct node *parse_names(struct parser *p, enum node_kind kind, enum wanted wanted) {
  struct node *n = NULL;
  struct vec(uint32_t) ids = {0};
  advance(p); /* over the bracket */
  for (;;) {
    if (p->token == T_NOT || p->token == T_AND || p->token == T_OR) p->token = T_NAME; /* here only names can stand */
    if (p->token == T_NUMBER) {
      fail(p, p->start, "expected a name, found a number");
      err_hint(p->err, "a name made of digits needs quotes");
      break;
    }
    if (p->token != T_NAME && p->token != T_QUOTED) {
      fail_expected(p, "a name");
      break;
    }
    uint32_t first, count;
    if (resolve_all(p, wanted, &first, &count)) break;
    if (ids.count + count >= INT32_MAX || vec_reserve(&ids, p->mem, MEM_MODEL, count)) {
      fail_memory(p);
      break;
    }
    for (uint32_t i = 0; i < count; i++) ids.at[ids.count++] = first + i;
    advance(p);
    if (p->token == T_COMMA) {
      advance(p);
      continue;
    }
    if (p->token != T_CLOSE) {
      fail_expected(p, "\",\" or \")\"");
      break;
    }
    advance(p);
    n = make_list(p, kind, ids.at, ids.count);
    break;
  }
  vec_free(&ids, p->mem);
  return p->err->kind == ERR_NONE ? n : NULL;
}

static int at_bracket(const struct parser *p) { /* does "(" follow the token? */
  size_t i = p->end;
  while (i < p->length && blank(p->text[i])) i++;
  return i < p->length && p->text[i] == '(';
}

/* true, false and dead mean themselves unless the model has a variable of that name: then somebody has to say which. */
static int clashes(struct parser *p) {
  if (look_up(p, VARIABLE, p->name, p->name_length) == -1) return 0;
  char shown[20], message[120];
  show(shown, sizeof shown, p->name, p->name_length);
  snprintf(message, sizeof message, "\"%s\" is a word of the language and also a name in this model", shown);
  fail(p, p->start, message);
  err_hint(p->err,
           is_word(p, "dead") ? "write \"%s\" in quotes for the name, %s() for the word"
                              : "write \"%s\" in quotes for the name, 1 or 0 instead of %s",
           shown, shown);
  return 1;
}

static int has_groups(struct parser *p) {
  if (p->model->type->fireable) return 1;
  fail(p, p->start, "models of this language have no transitions to ask about");
  return 0;
}

static struct node *parse_call(struct parser *p) {
  if (is_word(p, "tokens")) {
    advance(p);
    return parse_names(p, NODE_VARS, VARIABLE);
  }
  if (is_word(p, "fireable")) {
    if (!has_groups(p)) return NULL;
    advance(p);
    return parse_names(p, NODE_FIREABLE, GROUP);
  }
  if (is_word(p, "dead")) { /* dead(): the word for certain */
    if (!has_groups(p)) return NULL;
    advance(p);
    advance(p);
    if (p->token != T_CLOSE) {
      fail_expected(p, "\")\"");
      return NULL;
    }
    advance(p);
    return make(p, NODE_DEAD);
  }
  char shown[60], message[120];
  snprintf(message, sizeof message, "there is no function \"%s\"", show(shown, sizeof shown, p->name, p->name_length));
  fail(p, p->start, message);
  err_hint(p->err, "functions are tokens(place, ...) and fireable(transition, ...)");
  return NULL;
}

static struct node *parse_atom(struct parser *p) {
  struct node *n = NULL;
  switch (p->token) {
  case T_NUMBER:
    n = make_number(p, p->number);
    if (n) advance(p);
    return n;
  case T_OPEN: {
    size_t open = p->start;
    if (++p->depth > EXPR_DEPTH) {
      fail(p, p->start, "brackets are nested too deeply");
      return NULL;
    }
    advance(p);
    n = parse_level(p, LEVEL_IFF);
    if (!n) return NULL;
    if (p->token != T_CLOSE) {
      if (p->token == T_END) fail(p, open, "this bracket is not closed");
      else fail_expected(p, "an operator or \")\"");
      return NULL;
    }
    p->depth--;
    advance(p);
    return n;
  }
  case T_NAME:
    if (at_bracket(p)) return parse_call(p);
    if (is_word(p, "true") || is_word(p, "false")) {
      if (clashes(p)) return NULL;
      n = make_number(p, is_word(p, "true"));
      if (n) advance(p);
      return n;
    }
    if (is_word(p, "dead")) {
      if (clashes(p) || !has_groups(p)) return NULL;
      n = make(p, NODE_DEAD);
      if (n) advance(p);
      return n;
    } /* fall through */
  case T_QUOTED: {
    uint32_t first, count, *ids;
    if (resolve_all(p, VARIABLE, &first, &count)) return NULL;
    if (!(ids = arena_alloc(p->arena, count * sizeof *ids))) {
      fail_memory(p);
      return NULL;
    }
    for (uint32_t i = 0; i < count; i++) ids[i] = first + i;
    if (!(n = make_list(p, NODE_VARS, ids, count))) return NULL;
    advance(p);
    return n;
  }
  case T_BAD: return NULL;
  default: fail_expected(p, "a name, a number or \"(\""); return NULL;
  }
}

/* Signs in front of an atom: counted, not nested. */
static struct node *parse_unary(struct parser *p) {
  int minus = 0, bang = 0, odd = 0;
  while (p->token == T_MINUS || p->token == T_BANG) {
    /* -!x and !-x: a minus in front of a truth value is -1 or 0, and the ! of a negative number is that of the number */
    if (p->token == T_BANG) bang = 1, odd ^= 1;
    else if (!bang) minus ^= 1;
    advance(p);
  }
  struct node *n = parse_atom(p);
  if (n && bang) {
    n = make_one(p, NODE_NOT, n);
    if (n && !odd) n = make_one(p, NODE_NOT, n);
    if (n && !minus && p->token == T_RELATION) {
      fail(p, p->start, "does \"!\" belong to the left side or to the whole comparison?");
      err_hint(p->err, "write (!a) == b or !(a == b)");
      return NULL;
    }
  }
  return n && minus ? make_one(p, NODE_NEGATE, n) : n;
}

static int level_of(enum token token) {
  switch (token) {
  case T_IFF: return LEVEL_IFF;
  case T_IMPLIES: return LEVEL_IMPLIES;
  case T_OR: return LEVEL_OR;
  case T_AND: return LEVEL_AND;
  case T_RELATION: return LEVEL_COMPARE;
  case T_PLUS:
  case T_MINUS: return LEVEL_SUM;
  case T_TIMES: return LEVEL_PRODUCT;
  default: return -1;
  }
}

/* left <operator> right <operator> ... of one level, as one node. */
static struct node *parse_chain(struct parser *p, enum level level, struct node *first) {
  static const enum node_kind kinds[] = {NODE_IFF, NODE_IMPLIES, NODE_OR,  NODE_AND,
                                         NODE_NOT, NODE_COMPARE, NODE_SUM, NODE_PRODUCT};
  struct vec(struct node *) children = {0};
  struct vec(uint8_t) minus = {0};
  struct node *n = make(p, kinds[level]);
  int bad = !n || vec_push(&children, p->mem, MEM_MODEL, first) || vec_push(&minus, p->mem, MEM_MODEL, 0);
  if (bad) fail_memory(p);
  while (!bad && level_of(p->token) == (int)level) {
    int taken = p->token == T_MINUS;
    if (level == LEVEL_COMPARE) {
      if (children.count == 2) {
        fail(p, p->start, "comparisons cannot be chained");
        err_hint(p->err, "write a < b && b < c");
        bad = 1;
        break;
      }
      n->relation = p->relation;
    }
    advance(p);
    struct node *next = parse_level(p, (enum level)(level + 1));
    bad = !next;
    if (!bad && (children.count >= INT32_MAX || vec_push(&children, p->mem, MEM_MODEL, next) ||
                 vec_push(&minus, p->mem, MEM_MODEL, (uint8_t)taken))) {
      fail_memory(p);
      bad = 1;
    }
  }
  if (!bad) {
    n->count = (uint32_t)children.count;
    n->child = arena_alloc(p->arena, children.count * sizeof *n->child);
    n->minus = arena_alloc(p->arena, minus.count);
    bad = !n->child || !n->minus;
    if (bad) fail_memory(p);
    else {
      memcpy(n->child, children.at, children.count * sizeof *n->child);
      memcpy(n->minus, minus.at, minus.count);
    }
  }
  vec_free(&children, p->mem);
  vec_free(&minus, p->mem);
  return bad ? NULL : n;
}

/* An expression whose operators bind at least as strongly as `level`. */
static struct node *parse_level(struct parser *p, enum level level) {
  int odd = 0, nots = 0;
  while (level <= LEVEL_NOT && p->token == T_NOT) nots = 1, odd ^= 1, advance(p);
  struct node *n = nots ? parse_level(p, LEVEL_COMPARE) : parse_unary(p);
  if (n && nots) {
    n = make_one(p, NODE_NOT, n);
    if (n && !odd) n = make_one(p, NODE_NOT, n); /* twice: a truth value, not the number */
  }
  for (int next; n && (next = level_of(p->token)) >= (int)level;) n = parse_chain(p, (enum level)next, n);
  return n && p->token != T_BAD ? n : NULL;
}

struct node *expr_tree_parse(struct arena *arena, const struct model *model, struct mem *mem, const char *text, const char *what,
                             struct err *e) {
  struct parser p = {.model = model, .mem = mem, .arena = arena, .text = text, .what = what, .length = strlen(text), .err = e};
  advance(&p);
  if (p.token == T_END) {
    fail(&p, 0, "the expression is empty");
    return NULL;
  }
  struct node *n = parse_level(&p, LEVEL_IFF);
  if (!n) return NULL;
  if (p.token == T_END) return n;
  if (p.token == T_NOT) {
    fail(&p, p.start, "expected an operator before \"not\"");
    return NULL;
  }
  fail_expected(&p, "an operator or the end");
  return NULL;
}
