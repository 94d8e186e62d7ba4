/* read.c -- PNML as a stream: expat in chunks of 64 KB, limits, and errors with a place.
 *
 * No tree of a place/transition net is ever made: elements.c tells the net's builder about each node
 * when its end tag comes and forgets it.  Symmetric nets are small and become one (xml_tree.h).  A hostile file meets these limits:
 *
 *   depth     1000 open elements;
 *   token     4 MB for one tag or comment.  expat keeps an unfinished token in its buffer and
 *             looks at it again with each chunk, so without the limit 100 MB of one attribute
 *             would cost their square in time;
 *   names     64 KB for an identifier or a name;
 *   entities  a DOCTYPE with declarations of its own is refused before the first of them is
 *             read: nothing can be expanded, neither entities nor default attributes;
 *   memory    expat allocates through our budget (xml_tree.h). */
#include "front/pnml/pnml.h"
#include "front/pnml/reader.h"

#include "colour/unfold.h"
#include "front/override.h"
#include "front/pnml/symmetric.h"
#include "front/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- errors ----------------------------------------------------------------------- */

struct place_in_text pnml_here(const struct pnml_reader *r) {
  return (struct place_in_text){r->setup->file, (long)XML_GetCurrentLineNumber(r->parser),
                                (long)XML_GetCurrentColumnNumber(r->parser) + 1};
}

static int stop(struct pnml_reader *r) {
  r->failed = 1;
  XML_StopParser(r->parser, XML_FALSE);
  return -1;
}

/* Shows the bytes around a place that expat still has in its buffer. */
static void excerpt(struct pnml_reader *r, XML_Index index) {
  int offset = 0, size = 0;
  const char *buffer = XML_GetInputContext(r->parser, &offset, &size);
  XML_Index here = XML_GetCurrentByteIndex(r->parser);
  if (!buffer || here < 0 || index < here - offset || index > here - offset + size) return;
  front_excerpt(r->err, buffer, (size_t)size, (size_t)(index - (here - offset)));
}

static int fail_at(struct pnml_reader *r, struct place_in_text at, XML_Index index, const char *format, va_list args) {
  if (r->failed) return -1;
  char message[sizeof r->err->message];
  vsnprintf(message, sizeof message, format, args);
  err_input(r->err, at, "%s", message);
  excerpt(r, index);
  return stop(r);
}

int pnml_fail(struct pnml_reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail_at(r, pnml_here(r), XML_GetCurrentByteIndex(r->parser), format, args);
  va_end(args);
  return -1;
}

int pnml_fail_text(struct pnml_reader *r, const char *format, ...) {
  struct place_in_text at = {r->setup->file, r->text_line, r->text_column};
  va_list args;
  va_start(args, format);
  if (r->text_line) fail_at(r, at, r->text_index, format, args);
  else fail_at(r, pnml_here(r), XML_GetCurrentByteIndex(r->parser), format, args);
  va_end(args);
  return -1;
}

int pnml_fail_memory(struct pnml_reader *r) {
  if (!r->failed) err_memory(r->err, "reading the net");
  return stop(r);
}

int pnml_built(struct pnml_reader *r, int answer) { return answer ? stop(r) : 0; }

void pnml_warn(struct pnml_reader *r, struct place_in_text at, const char *message) {
  if (r->setup->warn) r->setup->warn(r->setup->warn_context, at, message);
}

/* ---- texts ------------------------------------------------------------------------ */

void pnml_clear(struct pnml_text *t) {
  t->count = 0;
  if (t->at) t->at[0] = 0;
}

int pnml_append(struct pnml_reader *r, struct pnml_text *t, const char *bytes, size_t length, const char *what) {
  if (length > FRONT_NAME_MAX - t->count) return pnml_fail(r, "%s is longer than %zu bytes", what, (size_t)FRONT_NAME_MAX);
  if (vec_reserve(t, r->setup->mem, MEM_OTHER, length + 1)) return pnml_fail_memory(r);
  if (length) memcpy(t->at + t->count, bytes, length);
  t->count += length;
  t->at[t->count] = 0;
  return 0;
}

/* ---- what is refused before it means anything -------------------------------------- */

static void doctype(void *reader, const XML_Char *name, const XML_Char *system, const XML_Char *public, int declares) {
  struct pnml_reader *r = reader;
  (void)name, (void)system, (void)public;
  if (!declares || r->failed) return;
  pnml_fail(r, "the file declares entities or attributes of its own in a DOCTYPE");
  err_hint(r->err, "PNML needs none; remove the part in [ ] from the DOCTYPE");
}

static void skipped_entity(void *reader, const XML_Char *name, int parameter) {
  struct pnml_reader *r = reader;
  char shown[80];
  if (parameter || r->failed) return;
  pnml_fail(r, "the entity &%s; is not defined", err_quote(shown, sizeof shown, name, strlen(name)));
}

static int unknown_encoding(void *reader, const XML_Char *name, XML_Encoding *map) {
  struct pnml_reader *r = reader;
  (void)map;
  err_quote(r->encoding, sizeof r->encoding, name, strlen(name));
  return XML_STATUS_ERROR;
}

static int high_byte_here(struct pnml_reader *r) {
  int offset = 0, size = 0;
  const char *buffer = XML_GetInputContext(r->parser, &offset, &size);
  for (int i = offset; buffer && i < size && i < offset + 256; i++) /* the token may begin well before its bad byte */
    if ((unsigned char)buffer[i] >= 0x80) return front_bad_text(buffer + i, (size_t)(size - i) < 4 ? (size_t)(size - i) : 4) == 0;
  return 0;
}

/* expat's own errors, in words that help. */
static int xml_error(struct pnml_reader *r) {
  if (r->failed) return -1;
  enum XML_Error code = XML_GetErrorCode(r->parser);
  unsigned line = r->depth ? r->open[r->depth - 1].line : 0;
  switch (code) {
  case XML_ERROR_NO_MEMORY: err_memory(r->err, "the XML parser"); return -1;
  case XML_ERROR_TAG_MISMATCH:
    return pnml_fail(r, "this end tag does not fit: the element that is open here began in line %u", line);
  case XML_ERROR_NO_ELEMENTS:
  case XML_ERROR_UNCLOSED_TOKEN:
  case XML_ERROR_PARTIAL_CHAR:
  case XML_ERROR_UNCLOSED_CDATA_SECTION:
    if (!r->depth && !r->nets && code == XML_ERROR_NO_ELEMENTS) return pnml_fail(r, "the file holds no XML element");
    if (!r->depth) return pnml_fail(r, "the file ends in the middle of the XML");
    return pnml_fail(r, "the file ends in the middle of the XML: the element that began in line %u is not closed", line);
  case XML_ERROR_UNKNOWN_ENCODING:
    pnml_fail(r, "the encoding \"%s\" is not known", r->encoding);
    err_hint(r->err, "UTF-8, UTF-16, ISO-8859-1 and US-ASCII are read");
    return -1;
  case XML_ERROR_INVALID_TOKEN:
    if (high_byte_here(r)) return pnml_fail(r, "the file is not valid UTF-8 here");
    break;
  default: break;
  }
  return pnml_fail(r, "XML error: %s", XML_ErrorString(code));
}

/* ---- the stream ------------------------------------------------------------------- */

static int parse(struct pnml_reader *r) {
  FILE *in = r->setup->input;
  XML_Index fed = 0;
  for (int last = 0; !last;) {
    void *buffer = XML_GetBuffer(r->parser, PNML_CHUNK);
    if (!buffer) return err_memory(r->err, "the XML parser");
    size_t got = fread(buffer, 1, PNML_CHUNK, in);
    if (got < PNML_CHUNK && ferror(in)) return err_io(r->err, r->setup->file, "cannot read: %s", strerror(errno));
    last = got < PNML_CHUNK && feof(in);
    fed += (XML_Index)got;
    if (XML_ParseBuffer(r->parser, (int)got, last) != XML_STATUS_OK) return xml_error(r);
    if (!last && fed - XML_GetCurrentByteIndex(r->parser) > PNML_TOKEN) {
      pnml_fail(r, "one tag or comment is longer than %d MB", PNML_TOKEN >> 20);
      err_hint(r->err, "identifiers may have up to 64 KB");
      return -1;
    }
  }
  return 0;
}

/* Closes the books on nested units: asked for at the end, when all parts are in. */
static int finish_units(struct pnml_reader *r) {
  if (!r->nupn.seen || !r->nupn.has_structure || r->nupn.problem) return 0;
  if (r->nupn.promised != r->nupn.units) {
    r->nupn.problem = "the number of units is not the one announced";
    return 0;
  }
  return pt_builder_nupn(r->builder, r->nupn.root.at, r->nupn.safe, r->err);
}

int pnml_unfold(struct pt_net **out, const struct symmetric *coloured, const struct unfold_limits *limits, char *beyond, const struct front_setup *setup, struct err *e) {
  int status = unfold(out, coloured, limits, beyond, e);
  if (status) return status;
  if (front_override_markings(*out, setup, e) == 0) return 0;
  pt_close(*out);
  *out = NULL;
  return -1;
}

static int read_net(struct pnml_reader *r, struct pt_net **out, struct symmetric **coloured) {
  const struct front_setup *setup = r->setup;
  if (parse(r)) return -1;
  if (!r->nets) return err_input(r->err, (struct place_in_text){setup->file, 0, 0}, "the file holds no net");
  if (r->coloured) return pnml_symmetric(coloured, r->tree.root, setup->mem, setup->file, r->err);
  if (r->empty) return err_input(r->err, r->net_at, "the net is empty: it has neither places nor transitions");
  if (finish_units(r) || pt_builder_finish(r->builder, out, r->err)) return -1;
  r->builder = NULL;
  if (front_override_markings(*out, setup, r->err)) {
    pt_close(*out);
    *out = NULL;
    return -1;
  }
  if (r->nupn.problem && !(*out)->units) (*out)->nupn_problem = r->nupn.problem; /* nearer to the cause than what the net says */
  if ((*out)->nupn_problem) {
    char message[200];
    snprintf(message, sizeof message, "the nested units (NUPN) are %s: %s", (*out)->units ? "not taken to be safe" : "not used",
             (*out)->nupn_problem);
    pnml_warn(r, r->nupn.at, message);
  }
  return 0;
}

int pnml_read_either(struct pt_net **out, struct symmetric **coloured, const struct front_setup *setup, struct err *e) {
  *out = NULL;
  *coloured = NULL;
  if (front_no_defines(setup, "PNML", e)) return -1;
  struct mem *m = setup->mem, *outer;
  struct pnml_reader *r = mem_alloc(m, MEM_OTHER, sizeof *r);
  if (!r) return err_memory(e, "reading the net");
  *r = (struct pnml_reader){.setup = setup, .err = e, .empty = 1};
  arena_open(&r->arena, m, MEM_OTHER);
  r->tree.arena = &r->arena;
  int status = -1;
  r->parser = xml_open(m, "\n", &outer);
  if (!r->parser) {
    err_memory(e, "the XML parser");
  } else if (pt_builder_open(&r->builder, m, setup->file, e) == 0) {
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, pnml_start, pnml_end);
    XML_SetCharacterDataHandler(r->parser, pnml_characters);
    XML_SetStartDoctypeDeclHandler(r->parser, doctype);
    XML_SetSkippedEntityHandler(r->parser, skipped_entity);
    XML_SetUnknownEncodingHandler(r->parser, unknown_encoding, r);
    status = read_net(r, out, coloured);
  }
  xml_close(r->parser, outer);
  pt_builder_close(r->builder);
  arena_close(&r->arena);
  struct pnml_text *texts[] = {&r->id, &r->source, &r->target, &r->name, &r->text, &r->nupn.root, &r->nupn.word};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) vec_free(texts[i], m);
  mem_free(m, r);
  if (status) front_excerpt_again(e, setup);
  return status;
}

int pnml_read(struct pt_net **out, const struct front_setup *setup, struct err *e) {
  struct symmetric *coloured;
  if (pnml_read_either(out, &coloured, setup, e)) return -1;
  if (!coloured) return 0;
  int bad = pnml_unfold(out, coloured, NULL, NULL, setup, e);
  symmetric_close(coloured);
  if (bad) front_excerpt_again(e, setup);
  return bad;
}
