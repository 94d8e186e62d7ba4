/* document.c -- expat into a tree.
 *
 * The elements of CPN Tools' files refer to each other by identifiers in any order and say the same thing in several ways, so they are easier to read from a tree than
 * from a stream; the files are small, some hundred kilobytes.  What a hostile one meets: 200 open elements, 64 MB of tree or the budget, no entities of its own.
 *
 * expat's allocation hooks have no context, so the budget of the running parser is kept in a thread-local variable, set around the calls into expat and only there. */
#include "front/cpn/document.h"

#include "base/vec.h"

#include <errno.h>
#include <expat.h>
#include <string.h>

enum { DEPTH = 200, CHUNK = 64 << 10, MOST = 64 << 20 };

static _Thread_local struct mem *document_mem;

static void *document_malloc(size_t bytes) { return mem_alloc(document_mem, MEM_OTHER, bytes); }
static void *document_realloc(void *block, size_t bytes) { return mem_resize(document_mem, MEM_OTHER, block, bytes); }
static void document_free(void *block) { mem_free(document_mem, block); }

struct open_element {
  struct document_node *node;
  struct vec(char) text;
};

struct reading {
  const struct front_setup *setup;
  struct err *e;
  XML_Parser parser;
  struct arena *arena;
  struct open_element open[DEPTH];
  size_t depth, bytes;
  struct document_node *root;
  int failed;
};

static struct place_in_text here(const struct reading *r) {
  return (struct place_in_text){r->setup->file, (long)XML_GetCurrentLineNumber(r->parser), (long)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static void stop(struct reading *r) {
  r->failed = 1;
  XML_StopParser(r->parser, XML_FALSE);
}

static void fail(struct reading *r, const char *what) {
  if (!r->failed) err_input(r->e, here(r), "%s", what);
  stop(r);
}

static void no_memory(struct reading *r) {
  if (!r->failed) err_memory(r->e, "reading the net");
  stop(r);
}

static char *keep(struct reading *r, const char *text, size_t length) {
  r->bytes += length + 1;
  char *kept = r->bytes > MOST ? NULL : arena_strndup(r->arena, text, length);
  if (!kept) no_memory(r);
  return kept;
}

static void start(void *context, const XML_Char *name, const XML_Char **attributes) {
  struct reading *r = context;
  size_t count = 0;
  if (r->failed) return;
  if (r->depth == DEPTH) {
    fail(r, "elements are nested more than 200 deep");
    return;
  }
  while (attributes[count]) count++;
  struct document_node *n = arena_alloc(r->arena, sizeof *n);
  const char **copy = n ? arena_alloc(r->arena, (count + 1) * sizeof *copy) : NULL;
  r->bytes += sizeof *n + (count + 1) * sizeof *copy;
  if (!copy || !(n->name = keep(r, name, strlen(name)))) {
    no_memory(r);
    return;
  }
  for (size_t i = 0; i < count; i++)
    if (!(copy[i] = keep(r, attributes[i], strlen(attributes[i])))) return;
  n->attributes = copy;
  n->text = "";
  n->place = n->text_place = here(r);
  struct document_node *parent = r->depth ? r->open[r->depth - 1].node : NULL;
  if (!parent) r->root = n;
  else if (parent->last) parent->last = parent->last->next = n;
  else parent->first = parent->last = n;
  r->open[r->depth].node = n;
  r->open[r->depth++].text.count = 0;
}

static void end(void *context, const XML_Char *name) {
  struct reading *r = context;
  (void)name;
  if (r->failed) return;
  struct open_element *o = &r->open[--r->depth];
  if (!o->text.count) return;
  o->node->text = keep(r, o->text.at, o->text.count);
  o->node->length = o->text.count;
}

static void characters(void *context, const XML_Char *text, int length) {
  struct reading *r = context;
  if (r->failed || !r->depth) return;
  struct open_element *o = &r->open[r->depth - 1];
  if (!o->text.count) o->node->text_place = here(r);
  if (r->bytes + o->text.count + (size_t)length > MOST || vec_reserve(&o->text, r->setup->mem, MEM_OTHER, (size_t)length)) {
    no_memory(r);
    return;
  }
  memcpy(o->text.at + o->text.count, text, (size_t)length);
  o->text.count += (size_t)length;
}

static void doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public, int declares) {
  (void)name, (void)system, (void)public;
  if (declares) fail(context, "the file declares entities or attributes of its own in a DOCTYPE");
}

static int parse(struct reading *r) {
  size_t token = 0;
  for (int last = 0; !last;) {
    void *buffer = XML_GetBuffer(r->parser, CHUNK);
    if (!buffer) return err_memory(r->e, "the XML parser");
    size_t got = fread(buffer, 1, CHUNK, r->setup->input);
    if (got < CHUNK && ferror(r->setup->input)) return err_io(r->e, r->setup->file, "cannot read: %s", strerror(errno));
    last = got < CHUNK && feof(r->setup->input);
    token += got;
    if (token > MOST) return err_limit(r->e, "the file is larger than %d MB", MOST >> 20);
    if (XML_ParseBuffer(r->parser, (int)got, last) == XML_STATUS_OK) continue;
    if (!r->failed) err_input(r->e, here(r), "XML error: %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
    return -1;
  }
  return r->failed || !r->root ? -1 : 0;
}

int document_read(struct document_node **root, struct arena *arena, const struct front_setup *setup, struct err *e) {
  const XML_Memory_Handling_Suite suite = {document_malloc, document_realloc, document_free};
  struct mem *outer = document_mem;
  struct reading *r = mem_alloc(setup->mem, MEM_OTHER, sizeof *r);
  if (!r) return err_memory(e, "reading the net");
  r->setup = setup;
  r->e = e;
  r->arena = arena;
  document_mem = setup->mem;
  r->parser = XML_ParserCreate_MM(NULL, &suite, NULL);
  int status = -1;
  if (!r->parser) err_memory(e, "the XML parser");
  else {
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, start, end);
    XML_SetCharacterDataHandler(r->parser, characters);
    XML_SetStartDoctypeDeclHandler(r->parser, doctype);
    status = parse(r);
    XML_ParserFree(r->parser);
  }
  document_mem = outer;
  *root = r->root;
  for (size_t i = 0; i < DEPTH; i++) vec_free(&r->open[i].text, setup->mem);
  mem_free(setup->mem, r);
  return status;
}

const char *document_attribute(const struct document_node *n, const char *name) {
  for (const char *const *a = n->attributes; *a; a += 2)
    if (strcmp(*a, name) == 0) return a[1];
  return NULL;
}

static struct document_node *from(struct document_node *n, const char *name) {
  while (n && strcmp(n->name, name) != 0) n = n->next;
  return n;
}

struct document_node *document_child(const struct document_node *n, const char *name) { return n ? from(n->first, name) : NULL; }
struct document_node *document_next(const struct document_node *n, const char *name) { return from(n->next, name); }
