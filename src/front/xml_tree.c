/* xml_tree.c -- see xml_tree.h. */
#include "front/xml_tree.h"

#include <string.h>

/* ---- memory of the parser -------------------------------------------------------- */

static _Thread_local struct mem *parser_mem;

static void *parser_malloc(size_t bytes) { return mem_alloc(parser_mem, MEM_OTHER, bytes); }
static void *parser_realloc(void *block, size_t bytes) { return mem_resize(parser_mem, MEM_OTHER, block, bytes); }
static void parser_free(void *block) { mem_free(parser_mem, block); }

XML_Parser xml_open(struct mem *mem, const XML_Char *separator, struct mem **outer) {
  const XML_Memory_Handling_Suite suite = {parser_malloc, parser_realloc, parser_free};
  *outer = parser_mem;
  parser_mem = mem;
  XML_Parser parser = XML_ParserCreate_MM(NULL, &suite, separator);
  if (!parser) parser_mem = *outer;
  return parser;
}

void xml_close(XML_Parser parser, struct mem *outer) {
  if (!parser) return;
  XML_ParserFree(parser);
  parser_mem = outer;
}

/* ---- looking --------------------------------------------------------------------- */

const char *xml_attribute(const struct xml_element *e, const char *name) {
  for (const char *const *a = e->attribute; *a; a += 2)
    if (strcmp(a[0], name) == 0) return a[1];
  return NULL;
}

static const struct xml_element *from(const struct xml_element *e, const char *name) {
  while (e && strcmp(e->name, name) != 0) e = e->next;
  return e;
}

const struct xml_element *xml_child(const struct xml_element *e, const char *name) { return e ? from(e->first, name) : NULL; }
const struct xml_element *xml_next(const struct xml_element *e, const char *name) { return from(e->next, name); }

/* ---- building -------------------------------------------------------------------- */

static char *keep(struct xml_tree *t, const char *text, size_t length) {
  t->bytes += length + 1;
  return t->most && t->bytes > t->most ? NULL : arena_strndup(t->arena, text, length);
}

int xml_tree_start(struct xml_tree *t, const char *name, const char **attributes, struct place_in_text at) {
  struct xml_element *e = arena_alloc(t->arena, sizeof *e);
  size_t n = 0;
  while (attributes[n]) n++;
  const char **copy = arena_alloc(t->arena, (n + 1) * sizeof *copy);
  t->bytes += sizeof *e + (n + 1) * sizeof *copy;
  if (!e || !copy || !(e->name = keep(t, name, strlen(name)))) return -1;
  for (size_t i = 0; i < n; i++)
    if (!(copy[i] = keep(t, attributes[i], strlen(attributes[i])))) return -1;
  e->attribute = copy;
  e->text = "";
  e->at = e->text_at = at;
  e->parent = t->open;
  if (!t->root) t->root = e;
  if (t->open) {
    if (t->open->last) t->open->last->next = e;
    else t->open->first = e;
    t->open->last = e;
  }
  t->open = e;
  return 0;
}

int xml_tree_end(struct xml_tree *t, const char *text, size_t length) {
  struct xml_element *e = t->open;
  if (length && !(e->text = keep(t, text, length))) return -1;
  e->length = length;
  t->open = e->parent;
  return 0;
}
