/* picture.h -- a drawing of the user's own, tied to a model by names: doc/pictures.md tells the attributes.
 *
 * An SVG file comes in.  What goes out is a drawing that can neither run nor load anything (picture_clean.h), in which every tied element has the attribute
 * data-t with its number, and for each of them what it does.  Names and expressions belong to the model: they are resolved once and evaluated here, state by
 * state; whoever shows the picture only applies values.
 *
 * Nothing in a picture stops a model: what is wrong in it is a list of problems. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include "base/json.h"
#include "base/vec.h"
#include "model/expr.h"

#include <stdio.h>

struct picture_problem {
  long line; /* 0 = of the whole */
  const char *text;
};

enum picture_kind { PICTURE_TEXT, PICTURE_SHOW, PICTURE_MOVE, PICTURE_TURN, PICTURE_FILL, PICTURE_STROKE, PICTURE_COUNT, PICTURE_CLICK, PICTURE_ON };

/* A piece of an attribute: literal text, a variable, or an expression; of colours an expression (none: always) and a colour. */
struct picture_piece {
  const char *literal; /* text as it is, or the colour */
  const char *source;  /* of the variable or expression; NULL = none */
  int64_t var;         /* -1 = none */
  struct expr *expr;   /* NULL = none, or not resolved */
};

struct picture_tie {
  enum picture_kind kind;
  uint32_t element;
  long line;
  const char *source; /* the attribute's value */
  struct picture_piece *piece;
  uint32_t pieces;
  uint32_t *group; /* click, on: transitions */
  uint32_t groups;
};

struct picture {
  struct mem *mem;
  struct arena text;
  const char *name; /* of the file */
  struct vec(char) svg;
  struct vec(struct picture_tie) tie;
  struct vec(struct picture_problem) problem;
  struct vec(const char *) shape; /* per element: its name in SVG */
  const struct model *model;
  uint32_t pictured; /* transitions that have a part in the picture */
  uint8_t *has_part; /* per transition */
};

/* -1 with err: it cannot be read, is no SVG, or memory. name must outlive it. */
int picture_read(struct picture **out, FILE *, const char *name, struct mem *, struct err *);
/* Names are looked up. -1 with err: memory. The model must outlive it. */
int picture_tie(struct picture *, const struct model *, struct err *);
void picture_close(struct picture *); /* NULL is fine */

/* {"svg":..., "elements":[...], "problems":[...], "transitions_without":[...]}; members of an object that is open. */
void picture_write_json(const struct picture *, struct json_out *);
/* "looks": what each tied element shows in a state; a member of an object that is open. */
void picture_look_json(struct picture *, struct model_cursor *, const uint32_t *state, struct json_out *);

/* picture_clean.c */
enum picture_verdict { PICTURE_KEEP, PICTURE_DROP, PICTURE_DROP_SILENTLY }; /* drop: with everything in it */
enum picture_verdict picture_element(const char *name, const char **why);
/* May the attribute stay? `why` is set where its loss is worth a word. */
int picture_attribute(const char *element, const char *name, const char *value, const char **why);
/* May a style sheet or a value of a style stay? */
int picture_style(const char *text, size_t length);

#endif
