/* queries.c -- see queries.h.
 *
 * The text is written while the elements come: what an element opens with, what stands between its children, what it closes with.  Nothing of the file is kept but
 * the texts, and nothing outside of it is read: entities are refused. */
#include "prop/queries.h"

#include "base/vec.h"

#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 400, LONGEST = 16 << 20 }; /* elements within elements; bytes of a formula */

/* How an element is written. `word` is set for those whose content is a name or a number. */
static const struct element {
  const char *name, *open, *between, *close;
  int word; /* 'n': a name, in quotes; 'i': a number */
  unsigned least, most; /* parts */
} elements[] = {
    {"all-paths", "(A ", "", ")", 0, 1, 1},
    {"exists-path", "(E ", "", ")", 0, 1, 1},
    {"globally", "(G ", "", ")", 0, 1, 1},
    {"finally", "(F ", "", ")", 0, 1, 1},
    {"next", "(X ", "", ")", 0, 1, 1},
    {"until", "(", " U ", ")", 0, 2, 2},
    {"before", "", "", "", 0, 1, 1},
    {"reach", "", "", "", 0, 1, 1},
    {"negation", "(! ", "", ")", 0, 1, 1},
    {"conjunction", "(", " && ", ")", 0, 1, UINT_MAX},
    {"disjunction", "(", " || ", ")", 0, 1, UINT_MAX},
    {"implication", "(", " -> ", ")", 0, 2, 2},
    {"equivalence", "(", " <-> ", ")", 0, 2, 2},
    {"integer-le", "(", " <= ", ")", 0, 2, 2},
    {"integer-lt", "(", " < ", ")", 0, 2, 2},
    {"integer-ge", "(", " >= ", ")", 0, 2, 2},
    {"integer-gt", "(", " > ", ")", 0, 2, 2},
    {"integer-eq", "(", " == ", ")", 0, 2, 2},
    {"integer-ne", "(", " != ", ")", 0, 2, 2},
    {"integer-sum", "(", " + ", ")", 0, 1, UINT_MAX},
    {"integer-difference", "(", " - ", ")", 0, 2, UINT_MAX},
    {"integer-constant", "", "", "", 'i', 0, 0},
    {"tokens-count", "tokens(", ", ", ")", 0, 1, UINT_MAX},
    {"place-bound", "tokens(", ", ", ")", 0, 1, UINT_MAX},
    {"is-fireable", "fireable(", ", ", ")", 0, 1, UINT_MAX},
    {"place", "", "", "", 'n', 0, 0},
    {"transition", "", "", "", 'n', 0, 0},
    {"deadlock", "dead()", "", "", 0, 0, 0},
    {"true", "true", "", "", 0, 0, 0},
    {"false", "false", "", "", 0, 0, 0},
};

struct reading {
  struct queries *q;
  struct mem *mem;
  XML_Parser parser;
  struct err *err;
  const char *file;
  struct vec(char) text; /* of the formula, or of the id */
  struct vec(char) word; /* the name or number being read */
  struct vec(struct query_place) name;
  struct {
    const struct element *is;
    unsigned children;
  } stack[DEEPEST];
  unsigned depth;
  int in_formula, in_id, unknown, bound, any, failed;
  char strange[40];
  int misplaced;
  struct query_place strange_at;
  char *id;
};

static void stop(struct reading *r) {
  r->failed = 1;
  XML_StopParser(r->parser, XML_FALSE);
}

static void refuse(struct reading *r, const char *why) {
  struct place_in_text at = {r->file, (long)XML_GetCurrentLineNumber(r->parser), (long)XML_GetCurrentColumnNumber(r->parser) + 1};
  if (!r->failed) err_input(r->err, at, "%s", why);
  stop(r);
}

static void no_memory(struct reading *r) {
  if (!r->failed) err_memory(r->err, "the queries");
  stop(r);
}

static void put(struct reading *r, const char *bytes, size_t length) {
  if (r->failed) return;
  if (r->text.count + length > LONGEST) refuse(r, "this formula is too long");
  else if (vec_reserve(&r->text, r->mem, MEM_OTHER, length + 1)) no_memory(r);
  else {
    if (length) memcpy(r->text.at + r->text.count, bytes, length);
    r->text.count += length;
  }
}

static void put_text(struct reading *r, const char *text) { put(r, text, strlen(text)); }

static const struct element *find(const char *name) {
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (strcmp(elements[i].name, name) == 0) return &elements[i];
  return NULL;
}

/* An element that is not known, or (misplaced) not where or what it should be. */
static void note_strange(struct reading *r, const char *name, int misplaced) {
  r->unknown = 1;
  if (r->strange[0]) return;
  err_quote(r->strange, sizeof r->strange, name, strlen(name));
  r->strange_at = (struct query_place){(long)XML_GetCurrentLineNumber(r->parser), (long)XML_GetCurrentColumnNumber(r->parser) + 1};
  r->misplaced = misplaced;
}

/* <before> and <reach> are the parts of <until>, and only there, in this order: nothing but the order is written. */
static int in_place(const struct reading *r, const char *name) {
  static const char *const parts[] = {"before", "reach"};
  int until = r->depth && strcmp(r->stack[r->depth - 1].is->name, "until") == 0;
  if (until) return r->stack[r->depth - 1].children < 2 && strcmp(name, parts[r->stack[r->depth - 1].children]) == 0;
  return strcmp(name, parts[0]) != 0 && strcmp(name, parts[1]) != 0;
}

static void begin_part(struct reading *r, const char *name) {
  const struct element *e = find(name);
  if (!e) note_strange(r, name, 0);
  else if (!in_place(r, name)) note_strange(r, name, 1);
  if (!e) e = find("before"); /* nothing is written for it, but its parts are gone through */
  if (r->depth == DEEPEST) {
    refuse(r, "this formula is nested too deeply");
    return;
  }
  if (r->depth && r->stack[r->depth - 1].children++) put_text(r, r->stack[r->depth - 1].is->between);
  r->stack[r->depth].is = e;
  r->stack[r->depth++].children = 0;
  r->bound |= strcmp(name, "place-bound") == 0;
  r->word.count = 0;
  put_text(r, e->open);
}

static void start(void *context, const XML_Char *name, const XML_Char **attributes) {
  struct reading *r = context;
  (void)attributes;
  if (r->failed) return;
  if (r->in_formula) {
    begin_part(r, name);
    return;
  }
  if (strcmp(name, "property-set") == 0) r->any = 1;
  else if (!r->any) refuse(r, "this is no set of properties: it begins with another element than property-set");
  else if (strcmp(name, "id") == 0) r->in_id = 1, r->word.count = 0;
  else if (strcmp(name, "formula") == 0) {
    r->in_formula = 1;
    r->text.count = r->depth = 0;
    r->name.count = 0;
    r->unknown = r->bound = 0;
    r->strange[0] = 0;
    r->misplaced = 0;
  }
}

static void trim(struct reading *r) {
#define BLANK(c) ((c) == ' ' || (c) == '\n' || (c) == '\r' || (c) == '\t')
  size_t from = 0;
  while (r->word.count && BLANK(r->word.at[r->word.count - 1])) r->word.count--;
  while (from < r->word.count && BLANK(r->word.at[from])) from++;
#undef BLANK
  if (from) memmove(r->word.at, r->word.at + from, r->word.count - from);
  r->word.count -= from;
}

static void end_part(struct reading *r) {
  const struct element *e = r->stack[--r->depth].is;
  if (r->stack[r->depth].children < e->least || r->stack[r->depth].children > e->most) note_strange(r, e->name, 1);
  if (e->word) {
    trim(r);
    int bad = !r->word.count || memchr(r->word.at, '"', r->word.count) != NULL;
    for (size_t i = 0; e->word == 'i' && i < r->word.count; i++) bad |= (r->word.at[i] < '0' || r->word.at[i] > '9') && !(i == 0 && r->word.at[i] == '-');
    if (bad) r->unknown = 1;
    struct query_place at = {(long)XML_GetCurrentLineNumber(r->parser), (long)XML_GetCurrentColumnNumber(r->parser) + 1};
    at.column -= (long)r->word.count < at.column ? (long)r->word.count : at.column - 1; /* names stand right before their element ends */
    if (e->word == 'n' && vec_push(&r->name, r->mem, MEM_OTHER, at)) no_memory(r);
    if (e->word == 'n') put_text(r, "\"");
    put(r, r->word.at, r->word.count);
    if (e->word == 'n') put_text(r, "\"");
    r->word.count = 0;
  }
  put_text(r, e->close);
}

static void keep_query(struct reading *r) {
  struct query *q = mem_alloc(r->mem, MEM_OTHER, sizeof *q);
  if (q) {
    q->id = r->id;
    r->id = NULL;
    int known = !r->unknown && r->text.count; /* an empty formula says nothing */
    q->text = mem_strndup(r->mem, MEM_OTHER, known ? r->text.at : "", known ? r->text.count : 0);
    q->bound = r->bound;
    memcpy(q->strange, r->strange, sizeof q->strange);
    q->strange_at = r->strange_at;
    q->misplaced = r->misplaced;
    q->names = r->name.count;
    q->name = mem_alloc(r->mem, MEM_OTHER, (q->names + 1) * sizeof *q->name);
    if (q->name && q->names) memcpy(q->name, r->name.at, q->names * sizeof *q->name);
  }
  if (!q || !q->text || !q->id || !q->name) {
    if (q) {
      mem_free(r->mem, q->id);
      mem_free(r->mem, q->text);
      mem_free(r->mem, q->name);
    }
    mem_free(r->mem, q);
    if (!r->failed) err_memory(r->err, "the queries");
    stop(r);
    return;
  }
  if (r->q->last) r->q->last->next = q;
  else r->q->first = q;
  r->q->last = q;
  r->q->count++;
}

static void end(void *context, const XML_Char *name) {
  struct reading *r = context;
  if (r->failed) return;
  if (r->in_formula && r->depth) {
    end_part(r);
    return;
  }
  if (r->in_formula) {
    r->in_formula = 0;
    if (r->id) keep_query(r);
    else refuse(r, "a formula without an id before it");
  } else if (r->in_id && strcmp(name, "id") == 0) {
    r->in_id = 0;
    trim(r);
    mem_free(r->mem, r->id);
    r->id = mem_strndup(r->mem, MEM_OTHER, r->word.count ? r->word.at : "", r->word.count);
    if (!r->id) no_memory(r);
  }
}

static void text(void *context, const XML_Char *bytes, int length) {
  struct reading *r = context;
  if (r->failed || !(r->in_id || (r->in_formula && r->depth && r->stack[r->depth - 1].is->word))) return;
  if (r->word.count + (size_t)length > LONGEST) refuse(r, "this name is too long");
  else if (vec_reserve(&r->word, r->mem, MEM_OTHER, (size_t)length + 1)) no_memory(r);
  else {
    memcpy(r->word.at + r->word.count, bytes, (size_t)length);
    r->word.count += (size_t)length;
  }
}

static void doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public, int declares) {
  (void)name, (void)system, (void)public;
  if (declares) refuse(context, "the file declares entities of its own");
}

static int parse(struct reading *r, FILE *in) {
  static const size_t piece = 64 << 10;
  for (int last = 0; !last && !r->failed;) {
    void *buffer = XML_GetBuffer(r->parser, (int)piece);
    if (!buffer) {
      no_memory(r);
      break;
    }
    size_t n = fread(buffer, 1, piece, in);
    last = n < piece;
    if (ferror(in)) return err_io(r->err, r->file, "cannot read: %s", strerror(errno));
    if (XML_ParseBuffer(r->parser, (int)n, last) == XML_STATUS_ERROR && !r->failed) {
      refuse(r, XML_ErrorString(XML_GetErrorCode(r->parser)));
      return -1;
    }
  }
  return r->failed ? -1 : 0;
}

int queries_read(struct queries *out, const char *file, struct mem *mem, struct err *e) {
  *out = (struct queries){.mem = mem, .file = mem_strndup(mem, MEM_OTHER, file, strlen(file))};
  if (!out->file) return err_memory(e, "the queries");
  FILE *in = fopen(file, "rb");
  if (!in) {
    queries_close(out);
    return err_io(e, file, "cannot open: %s", strerror(errno));
  }
  struct reading *r = mem_alloc(mem, MEM_OTHER, sizeof *r);
  int bad = -1;
  if (r) {
    *r = (struct reading){.q = out, .mem = mem, .err = e, .file = file, .parser = XML_ParserCreate(NULL)};
    if (r->parser) {
      XML_SetUserData(r->parser, r);
      XML_SetElementHandler(r->parser, start, end);
      XML_SetCharacterDataHandler(r->parser, text);
      XML_SetStartDoctypeDeclHandler(r->parser, doctype);
      bad = parse(r, in);
      XML_ParserFree(r->parser);
    } else {
      err_memory(e, "the queries");
    }
    vec_free(&r->text, mem);
    vec_free(&r->word, mem);
    vec_free(&r->name, mem);
    mem_free(mem, r->id);
    mem_free(mem, r);
  } else {
    err_memory(e, "the queries");
  }
  fclose(in);
  if (bad) queries_close(out);
  return bad;
}

void queries_close(struct queries *q) {
  for (struct query *next, *i = q->first; i; i = next) {
    next = i->next;
    mem_free(q->mem, i->id);
    mem_free(q->mem, i->text);
    mem_free(q->mem, i->name);
    mem_free(q->mem, i);
  }
  if (q->mem) mem_free(q->mem, q->file);
  *q = (struct queries){0};
}

void queries_place(const struct queries *all, const struct query *q, size_t column, struct err *e) {
  size_t quotes = 0, characters = 0;
  for (size_t i = 0; q->text[i]; i++) {
    characters += ((unsigned char)q->text[i] & 0xc0) != 0x80;
    if (characters > column) break;
    quotes += q->text[i] == '"';
  }
  size_t name = quotes ? (quotes - 1) / 2 : 0; /* the one before or around the column */
  if (e->kind != ERR_INPUT) return;
  snprintf(e->file, sizeof e->file, "%s", all->file);
  e->line = name < q->names ? q->name[name].line : 0;
  e->column = name < q->names ? q->name[name].column : 0;
}
