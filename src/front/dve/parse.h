/* parse.h -- what the two halves of the parser share: parse.c reads declarations, parse_expr.c expressions. */
#ifndef FRONT_DVE_PARSE_H
#define FRONT_DVE_PARSE_H

#include "front/dve/syntax.h"

struct dve_parser {
  struct dve *d;
  struct dve_lexer lexer;
  struct dve_token now, next; /* the token looked at, and the one after it */
  unsigned nesting;
  int condition; /* what people ask, not what the model says: P.x[i] is P->x[i] */
};

void dve_step(struct dve_parser *);
/* "WHAT expected, but here is ..."; for a token that is no token, what is wrong with it. Returns -1. */
int dve_expected(struct dve_parser *, const char *what);
int dve_take_sign(struct dve_parser *, char sign); /* it must be there: 0 or -1 */
int dve_take_name(struct dve_parser *, const char *what, struct dve_name *out);
static inline int dve_is(const struct dve_parser *p, char sign) { return p->now.word == DVE_SIGN && p->now.sign == sign; }
static inline struct dve_place dve_here(const struct dve_parser *p) {
  return (struct dve_place){p->now.offset, p->now.length, p->now.line, p->now.column};
}
/* From the beginning of a place to the end of what was taken last. */
struct dve_place dve_since(const struct dve_parser *, struct dve_place start);

const struct dve_expr *dve_expression(struct dve_parser *); /* NULL with an error */
const struct dve_expr *dve_reference(struct dve_parser *);  /* x, x[i], P->x, P->x[i], P.state */

#endif
