/* elements.c -- what the elements of PNML mean.
 *
 * A table says which element leads from which context to which; an element that stands in no
 * row is either refused (dialect.c, when leaving it out could change the net) or skipped with
 * everything in it.  A node is gathered from its start tag to its end tag and then given to
 * the builder, which resolves ids at the very end: PNML allows any order.
 *
 *   <place id="p">                      -> node.at, id
 *     <name> <text>..</text> </name>    -> text -> name
 *     <initialMarking> ... 3 ...        -> text -> node.count
 *   </place>                            -> pt_builder_place
 *
 * expat gives text in pieces of any size, so labels are collected in `text` and the words of
 * NUPN lists in `nupn.word`.  Labels have their text in <text>; PIPE writes <value>, some
 * write it bare: all are taken, the first one counts. */
#define _GNU_SOURCE /* memmem */
#include "front/pnml/reader.h"

#include "front/text.h"
#include "model/owners.h"

#include <stdio.h>
#include <string.h>

static const struct {
  uint8_t parent;
  const char *element;
  uint8_t child;
} rows[] = {
    {IN_FILE, "pnml", IN_PNML},
    {IN_PNML, "net", IN_NET},
    {IN_NET, "page", IN_PAGE},
    {IN_NET, "place", IN_PLACE},
    {IN_NET, "transition", IN_TRANSITION},
    {IN_NET, "arc", IN_ARC},
    {IN_NET, "referencePlace", IN_REFERENCE_PLACE},
    {IN_NET, "referenceTransition", IN_REFERENCE_TRANSITION},
    {IN_NET, "name", IN_NAME},
    {IN_NET, "toolspecific", IN_NUPN},
    {IN_PAGE, "page", IN_PAGE},
    {IN_PAGE, "place", IN_PLACE},
    {IN_PAGE, "transition", IN_TRANSITION},
    {IN_PAGE, "arc", IN_ARC},
    {IN_PAGE, "referencePlace", IN_REFERENCE_PLACE},
    {IN_PAGE, "referenceTransition", IN_REFERENCE_TRANSITION},
    {IN_PAGE, "toolspecific", IN_NUPN},
    {IN_PLACE, "name", IN_NAME},
    {IN_PLACE, "initialMarking", IN_MARKING},
    {IN_PLACE, "capacity", IN_CAPACITY},
    {IN_PLACE, "graphics", IN_GRAPHICS},
    {IN_TRANSITION, "name", IN_NAME},
    {IN_TRANSITION, "priority", IN_PRIORITY},
    {IN_TRANSITION, "timed", IN_TIMED},
    {IN_TRANSITION, "graphics", IN_GRAPHICS},
    {IN_TRANSITION, "toolspecific", IN_TOOL},
    {IN_ARC, "inscription", IN_INSCRIPTION},
    {IN_ARC, "type", IN_ARC_TYPE},
    {IN_ARC, "arctype", IN_ARC_TYPE},
    {IN_ARC, "arcType", IN_ARC_TYPE},
    {IN_NUPN, "structure", IN_UNITS},
    {IN_UNITS, "unit", IN_UNIT},
    {IN_UNIT, "places", IN_UNIT_PLACES},
    {IN_UNIT, "subunits", IN_UNIT_SUBUNITS},
};

static int label(enum pnml_context c) { return c >= IN_NAME && c <= IN_ARC_TYPE; }

static enum pnml_context context(const struct pnml_reader *r) { return r->depth ? r->open[r->depth - 1].context : IN_FILE; }

static enum pnml_context around(const struct pnml_reader *r) { return r->depth > 1 ? r->open[r->depth - 2].context : IN_FILE; }

static const char *attribute(const XML_Char **attributes, const char *name) {
  for (; *attributes; attributes += 2)
    if (strcmp(attributes[0], name) == 0) return attributes[1];
  return NULL;
}

static int blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Splits "uri\nlocal"; 1 if the element belongs to PNML, 0 if another vocabulary lends it. */
static int ours(struct pnml_reader *r, const char *name, const char **local) {
  const char *end = strchr(name, '\n');
  *local = end ? end + 1 : name;
  size_t length = end ? (size_t)(end - name) : 0;
  if (!r->namespace_known) {
    r->namespace_known = 1;
    snprintf(r->namespace_uri, sizeof r->namespace_uri, "%.*s", (int)(length < 255 ? length : 255), name);
    return 1;
  }
  if (!length) return 1;
  if (length == strlen(r->namespace_uri) && memcmp(name, r->namespace_uri, length) == 0) return 1;
  return memmem(name, length, "pnml", 4) != NULL; /* xmlns of another edition on an inner element */
}

/* ---- start tags ------------------------------------------------------------------- */

static int take_id(struct pnml_reader *r, const XML_Char **attributes, const char *element) {
  const char *id = attribute(attributes, "id");
  if (!id) return pnml_fail(r, "this <%s> has no id", element);
  return pnml_set(r, &r->id, id, strlen(id), "an identifier");
}

/* The attribute `name` of an element into `to`; it must be there. */
static int take_end(struct pnml_reader *r, const XML_Char **attributes, const char *element, const char *name,
                    struct pnml_text *to) {
  const char *id = attribute(attributes, name);
  if (!id || !*id) return pnml_fail(r, "this <%s> has no %s", element, name);
  return pnml_set(r, to, id, strlen(id), "an identifier");
}

static int start_net(struct pnml_reader *r, const XML_Char **attributes) {
  const char *type = attribute(attributes, "type"), *id = attribute(attributes, "id");
  if (r->nets++) {
    pnml_fail(r, "the file holds a second net; the first is in line %ld", r->net_at.line);
    err_hint(r->err, "keep one net in each file");
    return -1;
  }
  r->net_at = pnml_here(r);
  if (type && pnml_check_class(r, type)) return -1;
  if (!id) return 0;
  if (strlen(id) > FRONT_NAME_MAX) return pnml_fail(r, "an identifier is longer than %zu bytes", FRONT_NAME_MAX);
  return pnml_built(r, pt_builder_name(r->builder, id, strlen(id), r->err)); /* until a <name> comes */
}

static int take_count(struct pnml_reader *r, const char *text, size_t length, int least, const char *what) {
  uint32_t count = 0;
  char shown[60];
  const char *comma = memchr(text, ',', length);
  if (comma && length > 8 && memcmp(text, "Default,", 8) == 0) /* PIPE names the colour of tokens, which is always this one */
    length -= (size_t)(comma + 1 - text), text = comma + 1;
  enum front_number n = front_count(text, length, &count);
  if (n == FRONT_EMPTY) return 0;
  const char *fault = n != FRONT_NUMBER ? front_number_fault(n) : count < (uint32_t)least ? "is 0" : NULL;
  if (!fault) {
    r->node.count = count;
    r->node.has_count = 1;
    return 0;
  }
  err_quote(shown, sizeof shown, text, length);
  return pnml_fail_text(r, "the %s \"%s\" %s", what, shown, fault);
}

/* Marking and weight as attributes are TAPAAL's way; the element, if there is one, comes later and wins. */
static int start_place(struct pnml_reader *r, const XML_Char **attributes) {
  for (const XML_Char **a = attributes; *a; a += 2)
    if (pnml_check_place_attribute(r, a[0], a[1])) return -1;
  const char *marking = attribute(attributes, "initialMarking");
  if (marking && take_count(r, marking, strlen(marking), 0, "initial marking")) return -1;
  return take_id(r, attributes, "place");
}

static int start_arc(struct pnml_reader *r, const XML_Char **attributes) {
  for (const XML_Char **a = attributes; *a; a += 2)
    if (pnml_check_arc_attribute(r, a[0], a[1])) return -1;
  const char *weight = attribute(attributes, "weight");
  if (!weight) weight = attribute(attributes, "inscription");
  if (weight && take_count(r, weight, strlen(weight), 1, "weight of an arc")) return -1;
  if (take_end(r, attributes, "arc", "source", &r->source)) return -1;
  return take_end(r, attributes, "arc", "target", &r->target);
}

static int start_reference(struct pnml_reader *r, const XML_Char **attributes, const char *element) {
  if (take_id(r, attributes, element)) return -1;
  return take_end(r, attributes, element, "ref", &r->source);
}

static void take_position(struct pnml_reader *r, const XML_Char **attributes) {
  const char *x = attribute(attributes, "x"), *y = attribute(attributes, "y");
  if (!x || !y || front_decimal(x, strlen(x), &r->node.x) || front_decimal(y, strlen(y), &r->node.y)) return;
  r->node.has_position = 1; /* a drawing is no reason to refuse a net, so odd numbers are passed over */
}

/* <controllable value="false"/> */
static int take_owner(struct pnml_reader *r, const XML_Char **attributes) {
  const char *value = attribute(attributes, "value");
  int is = value && strcmp(value, "true") == 0;
  if (!is && (!value || strcmp(value, "false") != 0)) return pnml_fail(r, "a transition is controllable or not: the value is true or false");
  r->node.owned = (uint8_t)(1 + (is ? OWNER_CONTROLLABLE : OWNER_UNCONTROLLABLE));
  return 0;
}

static enum pnml_context start_tool(struct pnml_reader *r, const XML_Char **attributes) {
  const char *tool = attribute(attributes, "tool");
  if (!tool || strcmp(tool, "nupn") != 0) return IN_SKIPPED;
  if (r->nupn.seen) {
    pnml_warn(r, pnml_here(r), "a second part with nested units (NUPN) is not used");
    return IN_SKIPPED;
  }
  r->nupn.seen = 1;
  r->nupn.at = pnml_here(r);
  return IN_NUPN;
}

static int start_units(struct pnml_reader *r, const XML_Char **attributes) {
  const char *root = attribute(attributes, "root"), *units = attribute(attributes, "units"),
             *safe = attribute(attributes, "safe");
  if (r->nupn.has_structure) r->nupn.problem = "there are two structures";
  r->nupn.has_structure = 1;
  if (!units || front_count(units, strlen(units), &r->nupn.promised) != FRONT_NUMBER)
    r->nupn.problem = "the number of units is not announced";
  if (!root || !*root) r->nupn.problem = "the root unit is not named";
  r->nupn.safe = safe && strcmp(safe, "true") == 0;
  return root ? pnml_set(r, &r->nupn.root, root, strlen(root), "an identifier") : 0;
}

static int start_unit(struct pnml_reader *r, const XML_Char **attributes) {
  const char *id = attribute(attributes, "id");
  r->nupn.units++;
  if (!id || !*id) {
    r->nupn.problem = "a unit has no id";
    id = "?";
  }
  if (pnml_set(r, &r->nupn.word, id, strlen(id), "an identifier")) return -1;
  return pnml_built(r, pt_builder_unit(r->builder, r->nupn.word.at, pnml_here(r), r->err));
}

static enum pnml_context child_of(struct pnml_reader *r, enum pnml_context parent, const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].parent == parent && strcmp(rows[i].element, name) == 0) return rows[i].child;
  if (label(parent) && (strcmp(name, "text") == 0 || strcmp(name, "value") == 0)) return r->text_done ? IN_SKIPPED : IN_TEXT;
  return IN_SKIPPED;
}

/* What the start tag of an element with a meaning does. The context may still turn out to be skipped. 0 or -1. */
static int begin(struct pnml_reader *r, enum pnml_context *child, const XML_Char **attributes) {
  if (*child >= IN_PLACE && *child <= IN_ARC) {
    r->node = (struct pnml_node){.at = pnml_here(r)};
    pnml_clear(&r->id);
    pnml_clear(&r->name);
    r->text_line = 0;
  }
  if (label(*child)) {
    pnml_clear(&r->text);
    r->text_done = 0;
    r->text_line = 0;
  }
  switch (*child) {
  case IN_NET: return start_net(r, attributes);
  case IN_PLACE: return start_place(r, attributes);
  case IN_TRANSITION: return take_id(r, attributes, "transition");
  case IN_REFERENCE_PLACE: return start_reference(r, attributes, "referencePlace");
  case IN_REFERENCE_TRANSITION: return start_reference(r, attributes, "referenceTransition");
  case IN_ARC: return start_arc(r, attributes);
  case IN_ARC_TYPE: { /* PIPE: <type value="inhibitor"/> */
    const char *value = attribute(attributes, "value");
    return value ? pnml_check_arc_kind(r, value) : 0;
  }
  case IN_TEXT: pnml_clear(&r->text); return 0;
  case IN_TOOL: {
    const char *tool = attribute(attributes, "tool");
    if (!tool || strcmp(tool, "thimble") != 0) *child = IN_SKIPPED;
    return 0;
  }
  case IN_NUPN: *child = start_tool(r, attributes); return 0;
  case IN_UNITS: return start_units(r, attributes);
  case IN_UNIT: return start_unit(r, attributes);
  case IN_UNIT_PLACES:
  case IN_UNIT_SUBUNITS: pnml_clear(&r->nupn.word); return 0;
  default: return 0;
  }
}

/* Notes of other tools may stand anywhere, and mean nothing within a term; our own are of transitions. */
static int note_of_a_tool(const struct pnml_reader *r, const XML_Char *name) {
  const char *local = strchr(name, '\n');
  return strcmp(local ? local + 1 : name, "toolspecific") == 0 && strcmp(r->tree.open->name, "transition") != 0;
}

/* Of a net with colours everything else is kept. */
static void keep(struct pnml_reader *r, const XML_Char *name, const XML_Char **attributes) {
  const char *local;
  ours(r, name, &local);
  pnml_clear(&r->text);
  if (xml_tree_start(&r->tree, local, attributes, pnml_here(r))) pnml_fail_memory(r);
}

void pnml_start(void *reader, const XML_Char *name, const XML_Char **attributes) {
  struct pnml_reader *r = reader;
  if (r->failed) return;
  if (r->depth == PNML_DEPTH) {
    pnml_fail(r, "elements are nested more than %d deep", PNML_DEPTH);
    return;
  }
  if (r->tree.open) {
    if (r->passing || note_of_a_tool(r, name)) r->passing++;
    else keep(r, name, attributes);
    r->open[r->depth].line = (uint32_t)XML_GetCurrentLineNumber(r->parser);
    r->depth++;
    return;
  }
  enum pnml_context parent = context(r), child = IN_SKIPPED;
  const char *local;
  if (parent != IN_SKIPPED && ours(r, name, &local)) {
    child = child_of(r, parent, local);
    if (child == IN_SKIPPED && pnml_check_element(r, parent, local)) return;
    if (begin(r, &child, attributes)) return;
    if (parent == IN_GRAPHICS && strcmp(local, "position") == 0) take_position(r, attributes);
    if (parent == IN_TOOL && strcmp(local, "controllable") == 0 && take_owner(r, attributes)) return;
    if (child == IN_NET && r->coloured) keep(r, name, attributes);
  }
  r->open[r->depth].context = (uint8_t)child;
  r->open[r->depth].line = (uint32_t)XML_GetCurrentLineNumber(r->parser);
  r->depth++;
}

/* ---- text ------------------------------------------------------------------------- */

/* Remembers where the first character that is not blank lies, for messages about the text. */
static void mark_text(struct pnml_reader *r, const char *bytes, size_t length) {
  struct place_in_text at = pnml_here(r);
  size_t i = 0;
  for (; i < length && blank(bytes[i]); i++) {
    at.column = bytes[i] == '\n' ? 1 : at.column + 1;
    at.line += bytes[i] == '\n';
  }
  if (i == length) return;
  r->text_index = XML_GetCurrentByteIndex(r->parser) + (XML_Index)i;
  r->text_line = at.line;
  r->text_column = at.column;
}

static int end_word(struct pnml_reader *r, enum pnml_context list) {
  if (!r->nupn.word.count) return 0;
  const char *id = r->nupn.word.at;
  int answer =
      list == IN_UNIT_PLACES ? pt_builder_unit_place(r->builder, id, r->err) : pt_builder_unit_subunit(r->builder, id, r->err);
  pnml_clear(&r->nupn.word);
  return pnml_built(r, answer);
}

/* Ids separated by white space, in pieces that may end anywhere. */
static void take_words(struct pnml_reader *r, enum pnml_context list, const char *bytes, size_t length) {
  for (size_t i = 0; i < length && !r->failed;) {
    size_t start = i;
    while (i < length && !blank(bytes[i])) i++;
    if (i > start && pnml_append(r, &r->nupn.word, bytes + start, i - start, "an identifier")) return;
    if (i == length) return;
    if (end_word(r, list)) return;
    while (i < length && blank(bytes[i])) i++;
  }
}

void pnml_characters(void *reader, const XML_Char *bytes, int length) {
  struct pnml_reader *r = reader;
  if (r->failed || length <= 0) return;
  if (r->passing) return;
  if (r->tree.open) {
    size_t blanks = 0;
    while (!r->text.count && blanks < (size_t)length && blank(bytes[blanks])) blanks++;
    if (strcmp(r->tree.open->name, "text") == 0) pnml_append(r, &r->text, bytes + blanks, (size_t)length - blanks, "a text");
    return;
  }
  enum pnml_context c = context(r);
  if (c == IN_UNIT_PLACES || c == IN_UNIT_SUBUNITS) {
    take_words(r, c, bytes, (size_t)length);
    return;
  }
  if (c != IN_TEXT && !(label(c) && !r->text_done)) return;
  size_t skip = 0;
  if (!r->text.count) /* leading white space: never kept, so a megabyte of it is no long name */
    while (skip < (size_t)length && blank(bytes[skip])) skip++;
  if (skip == (size_t)length) return;
  if (!r->text.count) mark_text(r, bytes, (size_t)length);
  if (r->text.count == FRONT_NAME_MAX) { /* white space at the end may go on for ever */
    while (skip < (size_t)length && blank(bytes[skip])) skip++;
    if (skip == (size_t)length) return;
  }
  pnml_append(r, &r->text, bytes + skip, (size_t)length - skip, "a name or number");
}

/* ---- end tags --------------------------------------------------------------------- */

static int end_label(struct pnml_reader *r, enum pnml_context c, enum pnml_context owner) {
  struct pnml_text *t = &r->text;
  while (t->count && blank(t->at[t->count - 1])) t->at[--t->count] = 0;
  if (!t->count) return 0;
  switch (c) {
  case IN_NAME:
    if (owner == IN_NET) return pnml_built(r, pt_builder_name(r->builder, t->at, t->count, r->err));
    return pnml_set(r, &r->name, t->at, t->count, "a name");
  case IN_MARKING: return take_count(r, t->at, t->count, 0, "initial marking");
  case IN_INSCRIPTION: return take_count(r, t->at, t->count, 1, "weight of an arc");
  case IN_ARC_TYPE: return pnml_check_arc_kind(r, t->at);
  case IN_PRIORITY: return pnml_check_priority(r, t->at);
  case IN_TIMED: return pnml_check_timed(r, t->at);
  case IN_CAPACITY: { /* PIPE writes 0 for "no limit" */
    uint32_t capacity;
    if (front_count(t->at, t->count, &capacity) == FRONT_NUMBER && capacity == 0) return 0;
    return pnml_fail_text(r, "the place has a capacity, which place/transition nets do not have");
  }
  default: return 0;
  }
}

static int end_node(struct pnml_reader *r, enum pnml_context c) {
  struct pnml_node *n = &r->node;
  const char *name = r->name.count ? r->name.at : NULL;
  int answer = 0;
  switch (c) {
  case IN_PLACE: answer = pt_builder_place(r->builder, r->id.at, name, n->has_count ? n->count : 0, n->at, r->err); break;
  case IN_TRANSITION: answer = pt_builder_transition(r->builder, r->id.at, name, n->at, r->err); break;
  case IN_REFERENCE_PLACE: answer = pt_builder_reference_place(r->builder, r->id.at, r->source.at, n->at, r->err); break;
  case IN_REFERENCE_TRANSITION:
    answer = pt_builder_reference_transition(r->builder, r->id.at, r->source.at, n->at, r->err);
    break;
  default: answer = pt_builder_arc(r->builder, r->source.at, r->target.at, n->has_count ? n->count : 1, n->at, r->err); break;
  }
  if (!answer && (c == IN_PLACE || c == IN_TRANSITION)) {
    r->empty = 0;
    if (c == IN_TRANSITION) pt_builder_owner(r->builder, owner_said(n->owned));
    if (n->has_position) answer = pt_builder_position(r->builder, n->x, n->y, r->err);
  }
  return pnml_built(r, answer);
}

void pnml_end(void *reader, const XML_Char *name) {
  struct pnml_reader *r = reader;
  (void)name;
  if (r->failed) return;
  if (r->passing) {
    r->passing--, r->depth--;
    return;
  }
  if (r->tree.open) {
    while (r->text.count && blank(r->text.at[r->text.count - 1])) r->text.at[--r->text.count] = 0;
    if (xml_tree_end(&r->tree, r->text.at, r->text.count)) pnml_fail_memory(r);
    pnml_clear(&r->text);
    r->depth--;
    return;
  }
  enum pnml_context c = context(r), owner = around(r);
  if (c == IN_TEXT) r->text_done = r->text.count > 0;
  else if (label(c)) end_label(r, c, owner);
  else if (c == IN_UNIT_PLACES || c == IN_UNIT_SUBUNITS) end_word(r, c);
  else if (c >= IN_PLACE && c <= IN_ARC) end_node(r, c);
  if (!r->failed) r->depth--;
}
