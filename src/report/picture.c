/* picture.c -- reads a picture: expat tells elements one by one, what may stay is written to the clean drawing at once, ties are noted on the way. */
#include "report/picture.h"

#include <expat.h>
#include <string.h>

enum { MOST_BYTES = 8 << 20, DEEPEST = 400, MOST_TIES = 20000, MOST_PROBLEMS = 200 };

struct reading {
  struct picture *p;
  struct err *err;
  XML_Parser parser;
  int depth, dropped; /* dropped: depth of the outermost element that is left out; 0 = none */
  int in_style;
  struct vec(char) style; /* the sheet that is read */
  long style_line;
  int failed;  /* memory */
  int stopped; /* err is set */
};

static const char prefix[] = "data-thimble-";
static const struct {
  const char *name;
  enum picture_kind kind;
} kinds[] = {{"text", PICTURE_TEXT}, {"show", PICTURE_SHOW}, {"move", PICTURE_MOVE}, {"turn", PICTURE_TURN}, {"fill", PICTURE_FILL}, {"stroke", PICTURE_STROKE}, {"count", PICTURE_COUNT}, {"click", PICTURE_CLICK}, {"on", PICTURE_ON}};

/* ---- writing the clean one ------------------------------------------------------------------------------------------------------------------ */

static void add(struct reading *r, const char *text, size_t length) {
  if (vec_reserve(&r->p->svg, r->p->mem, MEM_OTHER, length)) {
    r->failed = 1;
    return;
  }
  memcpy(r->p->svg.at + r->p->svg.count, text, length);
  r->p->svg.count += length;
}

static void add_text(struct reading *r, const char *text) { add(r, text, strlen(text)); }

static void add_escaped(struct reading *r, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char *code = text[i] == '&' ? "&amp;" : text[i] == '<' ? "&lt;" : text[i] == '>' ? "&gt;" : text[i] == '"' ? "&quot;" : NULL;
    if (code) add_text(r, code);
    else add(r, text + i, 1);
  }
}

static void problem(struct reading *r, long line, const char *format, const char *what, const char *why) {
  char text[400], name[100];
  if (r->p->problem.count >= MOST_PROBLEMS) return;
  snprintf(text, sizeof text, format, err_quote(name, sizeof name, what, strlen(what)), why);
  const char *copy = arena_strndup(&r->p->text, text, strlen(text));
  if (!copy || vec_push(&r->p->problem, r->p->mem, MEM_OTHER, (struct picture_problem){line, copy})) r->failed = 1;
}

static void stop(struct reading *r, const char *what) {
  if (!r->stopped) err_input(r->err, (struct place_in_text){r->p->name, (long)XML_GetCurrentLineNumber(r->parser), (long)XML_GetCurrentColumnNumber(r->parser) + 1}, "%s", what);
  r->stopped = 1;
  XML_StopParser(r->parser, XML_FALSE);
}

/* ---- elements ---------------------------------------------------------------------------------------------------------------------------------- */

static const char *plain_name(const char *name) { return strncmp(name, "svg:", 4) == 0 ? name + 4 : name; }

static void note_tie(struct reading *r, enum picture_kind kind, uint32_t element, const char *value, long line) {
  const char *copy = arena_strndup(&r->p->text, value, strlen(value));
  if (r->p->tie.count >= MOST_TIES) stop(r, "too many tied elements for a picture");
  else if (!copy || vec_push(&r->p->tie, r->p->mem, MEM_OTHER, (struct picture_tie){.kind = kind, .element = element, .line = line, .source = copy})) r->failed = 1;
}

/* The element's ties. Without any, its id may be the name of something: that is found out when the model is known (kind of such a tie: text or click, by shape). */
static int note_ties(struct reading *r, const char *shape, const char **attribute, long line) {
  uint32_t element = (uint32_t)r->p->shape.count;
  size_t before = r->p->tie.count;
  const char *id = NULL;
  for (; *attribute; attribute += 2) {
    if (strcmp(attribute[0], "id") == 0) id = attribute[1];
    if (strncmp(attribute[0], prefix, sizeof prefix - 1) != 0) continue;
    const char *name = attribute[0] + sizeof prefix - 1;
    size_t k = 0;
    while (k < sizeof kinds / sizeof *kinds && strcmp(kinds[k].name, name) != 0) k++;
    if (k < sizeof kinds / sizeof *kinds) note_tie(r, kinds[k].kind, element, attribute[1], line);
    else problem(r, line, "data-thimble-%s%s", name, " is unknown: there are text, show, move, turn, fill, stroke, count, click and on");
  }
  if (r->p->tie.count == before && id && *id) {
    note_tie(r, strcmp(shape, "text") == 0 || strcmp(shape, "tspan") == 0 ? PICTURE_TEXT : PICTURE_CLICK, element, id, -line); /* negative: by its id, no word if nothing is called so */
  }
  if (r->p->tie.count == before) return 0;
  const char *copy = arena_strndup(&r->p->text, shape, strlen(shape));
  if (!copy || vec_push(&r->p->shape, r->p->mem, MEM_OTHER, copy)) r->failed = 1;
  return 1;
}

static void tag(struct reading *r, const char *name, const char **attribute, long line) {
  char number[40];
  const char *why;
  int box = 0, root = r->depth == 1;
  const char *width = NULL, *height = NULL;
  uint32_t element = (uint32_t)r->p->shape.count;
  int tied = note_ties(r, name, attribute, line);
  add_text(r, "<");
  add_text(r, name);
  if (root) add_text(r, " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"");
  for (const char **a = attribute; *a; a += 2) {
    if (strncmp(a[0], prefix, sizeof prefix - 1) == 0) continue;
    if (!picture_attribute(name, a[0], a[1], &why)) {
      if (why) problem(r, line, "the attribute %s is left out: %s", a[0], why);
      continue;
    }
    if (strcmp(a[0], "viewBox") == 0) box = 1;
    if (strcmp(a[0], "width") == 0) width = a[1];
    if (strcmp(a[0], "height") == 0) height = a[1];
    add_text(r, " ");
    add_text(r, a[0]);
    add_text(r, "=\"");
    add_escaped(r, a[1], strlen(a[1]));
    add_text(r, "\"");
  }
  if (root && !box && width && height && strspn(width, "0123456789.") && strspn(height, "0123456789.")) { /* so that it can be scaled */
    add_text(r, " viewBox=\"0 0 ");
    add(r, width, strspn(width, "0123456789."));
    add_text(r, " ");
    add(r, height, strspn(height, "0123456789."));
    add_text(r, "\"");
  }
  if (tied) {
    snprintf(number, sizeof number, " data-t=\"%u\"", element);
    add_text(r, number);
  }
  add_text(r, ">");
}

static void XMLCALL on_start(void *context, const XML_Char *raw, const XML_Char **attribute) {
  struct reading *r = context;
  const char *name = plain_name(raw), *why;
  long line = (long)XML_GetCurrentLineNumber(r->parser);
  if (++r->depth > DEEPEST) {
    stop(r, "elements are nested too deeply for a picture");
    return;
  }
  if (r->dropped) return;
  if (r->depth == 1 && strcmp(name, "svg") != 0) {
    stop(r, "no SVG: the first element is not svg");
    return;
  }
  enum picture_verdict verdict = picture_element(name, &why);
  if (verdict != PICTURE_KEEP) {
    r->dropped = r->depth;
    if (verdict == PICTURE_DROP) problem(r, line, "<%s> is left out: %s", name, why);
    return;
  }
  if (r->in_style) { /* elements in a style sheet: no such thing */
    r->dropped = r->depth;
    return;
  }
  if (strcmp(name, "style") == 0) {
    r->in_style = 1;
    r->style.count = 0;
    r->style_line = line;
    return;
  }
  tag(r, name, attribute, line);
}

static void XMLCALL on_end(void *context, const XML_Char *raw) {
  struct reading *r = context;
  const char *name = plain_name(raw);
  int depth = r->depth--;
  if (r->dropped) {
    if (r->dropped == depth) r->dropped = 0;
    return;
  }
  if (r->in_style && strcmp(name, "style") == 0) {
    r->in_style = 0;
    if (!picture_style(r->style.at, r->style.count)) problem(r, r->style_line, "<%s> is left out: %s", "style", "it could load something (only url(#id) and colours are allowed)");
    else {
      add_text(r, "<style>");
      add_escaped(r, r->style.at, r->style.count);
      add_text(r, "</style>");
    }
    return;
  }
  add_text(r, "</");
  add_text(r, name);
  add_text(r, ">");
}

static void XMLCALL on_text(void *context, const XML_Char *text, int length) {
  struct reading *r = context;
  if (r->dropped || !r->depth) return;
  if (!r->in_style) {
    add_escaped(r, text, (size_t)length);
    return;
  }
  if (vec_reserve(&r->style, r->p->mem, MEM_OTHER, (size_t)length)) {
    r->failed = 1;
    return;
  }
  memcpy(r->style.at + r->style.count, text, (size_t)length);
  r->style.count += (size_t)length;
}

/* Entities could stand for anything, without end. */
static void XMLCALL on_entity(void *context, const XML_Char *name, int parameter, const XML_Char *value, int length, const XML_Char *base, const XML_Char *system, const XML_Char *public, const XML_Char *notation) {
  (void)name, (void)parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  stop(context, "a picture may not declare entities");
}

/* ---- the file ---------------------------------------------------------------------------------------------------------------------------------------- */

static int parse(struct reading *r, FILE *in) {
  size_t total = 0, n;
  char buffer[8192];
  enum XML_Status status = XML_STATUS_OK;
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, on_start, on_end);
  XML_SetCharacterDataHandler(r->parser, on_text);
  XML_SetEntityDeclHandler(r->parser, on_entity);
  do {
    n = fread(buffer, 1, sizeof buffer, in);
    total += n;
    if (ferror(in)) return err_io(r->err, r->p->name, "cannot be read");
    if (total > MOST_BYTES) return err_input(r->err, (struct place_in_text){r->p->name, 0, 0}, "too large for a picture: more than %d MB", MOST_BYTES >> 20);
    status = XML_Parse(r->parser, buffer, (int)n, n == 0);
    if (r->failed) return err_memory(r->err, "a picture");
  } while (n && status == XML_STATUS_OK);
  if (status == XML_STATUS_OK) return 0;
  if (r->stopped) return -1;
  return err_input(r->err, (struct place_in_text){r->p->name, (long)XML_GetCurrentLineNumber(r->parser), (long)XML_GetCurrentColumnNumber(r->parser) + 1}, "not well-formed XML: %s",
                   XML_ErrorString(XML_GetErrorCode(r->parser)));
}

int picture_read(struct picture **out, FILE *in, const char *name, struct mem *mem, struct err *e) {
  struct picture *p = mem_alloc(mem, MEM_OTHER, sizeof *p);
  if (!p) return err_memory(e, "a picture");
  p->mem = mem;
  p->name = name;
  arena_open(&p->text, mem, MEM_OTHER);
  struct reading r = {.p = p, .err = e, .parser = XML_ParserCreate(NULL)};
  int bad = r.parser ? parse(&r, in) : err_memory(e, "a picture");
  if (r.parser) XML_ParserFree(r.parser);
  vec_free(&r.style, mem);
  if (bad) picture_close(p);
  else *out = p;
  return bad ? -1 : 0;
}

void picture_close(struct picture *p) {
  if (!p) return;
  struct mem *mem = p->mem;
  for (size_t i = 0; i < p->tie.count; i++)
    for (uint32_t k = 0; k < p->tie.at[i].pieces; k++) expr_close(p->tie.at[i].piece[k].expr);
  vec_free(&p->svg, mem);
  vec_free(&p->tie, mem);
  vec_free(&p->problem, mem);
  vec_free(&p->shape, mem);
  mem_free(mem, p->has_part);
  arena_close(&p->text);
  mem_free(mem, p);
}
