/* document.c -- expat into a tree (xml_tree.h).
 *
 * The elements of CPN Tools' files refer to each other by identifiers in any order and say the same thing in several ways, so they are easier to read from a tree than
 * from a stream; the files are small, some hundred kilobytes.  What a hostile one meets: 200 open elements, 64 MB of tree or the budget, no entities of its own. */
#include "front/cpn/document.h"

#include "base/vec.h"

#include <errno.h>
#include <string.h>

enum { DEPTH = 200, CHUNK = 64 << 10, MOST = 64 << 20 };

struct own_text vec(char); /* of an open element */

struct reading {
  const struct front_setup *setup;
  struct err *e;
  XML_Parser parser;
  struct xml_tree tree;
  struct own_text text[DEPTH];
  size_t depth;
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

static void start(void *context, const XML_Char *name, const XML_Char **attributes) {
  struct reading *r = context;
  if (r->failed) return;
  if (r->depth == DEPTH) {
    fail(r, "elements are nested more than 200 deep");
    return;
  }
  if (xml_tree_start(&r->tree, name, attributes, here(r))) no_memory(r);
  r->text[r->depth++].count = 0;
}

static void end(void *context, const XML_Char *name) {
  struct reading *r = context;
  (void)name;
  if (r->failed) return;
  struct own_text *t = &r->text[--r->depth];
  if (xml_tree_end(&r->tree, t->at, t->count)) no_memory(r);
}

static void characters(void *context, const XML_Char *text, int length) {
  struct reading *r = context;
  if (r->failed || !r->depth) return;
  struct own_text *t = &r->text[r->depth - 1];
  if (!t->count) r->tree.open->text_at = here(r);
  if (r->tree.bytes + t->count + (size_t)length > MOST || vec_reserve(t, r->setup->mem, MEM_OTHER, (size_t)length)) {
    no_memory(r);
    return;
  }
  memcpy(t->at + t->count, text, (size_t)length);
  t->count += (size_t)length;
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
  return r->failed || !r->tree.root ? -1 : 0;
}

int document_read(const struct xml_element **root, struct arena *arena, const struct front_setup *setup, struct err *e) {
  struct mem *outer;
  struct reading *r = mem_alloc(setup->mem, MEM_OTHER, sizeof *r);
  if (!r) return err_memory(e, "reading the net");
  r->setup = setup;
  r->e = e;
  r->tree = (struct xml_tree){.arena = arena, .most = MOST};
  r->parser = xml_open(setup->mem, NULL, &outer);
  int status = -1;
  if (!r->parser) err_memory(e, "the XML parser");
  else {
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, start, end);
    XML_SetCharacterDataHandler(r->parser, characters);
    XML_SetStartDoctypeDeclHandler(r->parser, doctype);
    status = parse(r);
    xml_close(r->parser, outer);
  }
  *root = r->tree.root;
  for (size_t i = 0; i < DEPTH; i++) vec_free(&r->text[i], setup->mem);
  mem_free(setup->mem, r);
  return status;
}
