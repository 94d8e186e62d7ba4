/* below.c -- what stands right below an expression: its parts, and the bodies of its rules and declarations.  For walks that treat all of these alike. */
#include "ml/tree.h"

void ml_below(const struct ml_expr *e, void (*hear)(void *, const struct ml_expr *), void *context) {
  for (uint32_t i = 0; i < e->parts; i++) hear(context, e->part[i]);
  for (uint32_t i = 0; i < e->rules; i++) hear(context, e->rule[i].body);
  for (uint32_t i = 0; i < e->declarations; i++) {
    const struct ml_declaration *d = &e->declaration[i];
    if (d->kind == ML_D_VAL) hear(context, d->body);
    for (uint32_t k = 0; d->kind == ML_D_FUN && k < d->functions; k++) hear(context, d->function_body[k]);
  }
}
