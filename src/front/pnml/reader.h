/* reader.h -- one reading of a PNML file: what read.c (XML), elements.c (meaning) and
 * dialect.c (what is refused) share.  Nobody else includes it.
 *
 * Memory is the net being built plus a fixed cost: a stack of one entry per open element,
 * five texts of at most 64 KB, and expat's buffer, which a limit on the length of one token
 * keeps below a few MB. */
#ifndef FRONT_PNML_READER_H
#define FRONT_PNML_READER_H

#include "base/vec.h"
#include "front/front.h"
#include "front/xml_tree.h"
#include "net/pt.h"

enum {
  PNML_DEPTH = 1000,     /* open elements */
  PNML_CHUNK = 64 << 10, /* bytes per read */
  PNML_TOKEN = 4 << 20,  /* bytes of one tag, comment or processing instruction */
};

/* Where we are: the innermost open element that has a meaning. */
enum pnml_context {
  IN_FILE,
  IN_PNML,
  IN_NET,
  IN_PAGE,
  IN_PLACE,
  IN_TRANSITION,
  IN_REFERENCE_PLACE,
  IN_REFERENCE_TRANSITION,
  IN_ARC,
  IN_GRAPHICS, /* of a place or transition */
  IN_NAME,     /* labels: their text lies in <text>, in <value>, or bare */
  IN_MARKING,
  IN_CAPACITY,
  IN_PRIORITY,
  IN_TIMED,
  IN_INSCRIPTION,
  IN_ARC_TYPE,
  IN_TEXT,
  IN_TOOL, /* ours, of a transition */
  IN_NUPN,
  IN_UNITS,
  IN_UNIT,
  IN_UNIT_PLACES,
  IN_UNIT_SUBUNITS,
  IN_SKIPPED, /* and everything below it */
};

struct pnml_text { /* a text of at most FRONT_NAME_MAX bytes, always followed by a zero byte */
  struct vec(char);
};

struct pnml_node { /* the place, transition, reference or arc being read */
  struct place_in_text at;
  uint32_t count; /* initial marking, or weight */
  int has_count;
  double x, y;
  int has_position;
  uint8_t owned; /* transitions, of games: 0, or 1 + the owner */
};

struct pnml_reader {
  const struct front_setup *setup;
  struct err *err;
  XML_Parser parser;
  struct pt_builder *builder;
  int failed; /* err is set; nothing more is looked at */

  struct {
    uint8_t context;
    uint32_t line; /* of its start tag */
  } open[PNML_DEPTH];
  size_t depth;

  int namespace_known;
  char namespace_uri[256]; /* of the root element; "" = none */

  int coloured;         /* the net has colours: */
  struct xml_tree tree; /* and is kept until all of it is there: such nets are small, and their terms nested */
  struct arena arena;   /* of the tree */
  size_t passing;       /* open elements that are not: a tool's notes */

  int nets;
  int empty; /* neither place nor transition so far */
  struct place_in_text net_at;
  struct pnml_node node;
  struct pnml_text id, source, target, name; /* of the node; source is also what a reference stands for */
  struct pnml_text text;                     /* of the label being read */
  int text_done;                             /* <text> was closed: the label has its text */
  XML_Index text_index;                      /* where its first character lies */
  long text_line, text_column;               /* 0 = no text yet */

  struct { /* labels of transitions that would change the behaviour if they differed: dialect.c */
    int seen;
    char value[24];
  } priority, timed;

  struct { /* nested units */
    int seen;
    struct place_in_text at;
    const char *problem; /* why they are not used */
    int has_structure, safe;
    uint32_t promised, units; /* the attribute `units`, and how many came */
    struct pnml_text root, word;
  } nupn;
  char encoding[64]; /* that expat does not know */
};

/* Errors: all return -1 and stop the parser. */
int pnml_fail(struct pnml_reader *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with the place of the label's text, if one is being read. */
int pnml_fail_text(struct pnml_reader *, const char *format, ...) __attribute__((format(printf, 2, 3)));
int pnml_fail_memory(struct pnml_reader *);
/* What a call of the builder said: passes on, stops the parser. */
int pnml_built(struct pnml_reader *, int answer);
struct place_in_text pnml_here(const struct pnml_reader *);
void pnml_warn(struct pnml_reader *, struct place_in_text at, const char *message);

void pnml_clear(struct pnml_text *);
int pnml_append(struct pnml_reader *, struct pnml_text *, const char *bytes, size_t length, const char *what);
static inline int pnml_set(struct pnml_reader *r, struct pnml_text *t, const char *bytes, size_t length, const char *what) {
  pnml_clear(t);
  return pnml_append(r, t, bytes, length, what);
}

/* elements.c: expat's handlers. */
void pnml_start(void *reader, const XML_Char *name, const XML_Char **attributes);
void pnml_end(void *reader, const XML_Char *name);
void pnml_characters(void *reader, const XML_Char *bytes, int length);

/* dialect.c: 0, or -1 with the error set. The class of a net may set `coloured`. */
int pnml_check_class(struct pnml_reader *, const char *type);
int pnml_check_arc_attribute(struct pnml_reader *, const char *name, const char *value);
int pnml_check_arc_kind(struct pnml_reader *, const char *kind);
int pnml_check_place_attribute(struct pnml_reader *, const char *name, const char *value);
int pnml_check_element(struct pnml_reader *, enum pnml_context parent, const char *name);
int pnml_check_priority(struct pnml_reader *, const char *value);
int pnml_check_timed(struct pnml_reader *, const char *value);

#endif
