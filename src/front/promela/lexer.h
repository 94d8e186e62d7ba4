/* lexer.h -- text into tokens, all at once. */
#ifndef FRONT_PROMELA_LEXER_H
#define FRONT_PROMELA_LEXER_H

#include "front/promela/source.h"
#include "front/promela/token.h"

struct tokens {
  struct vec(struct token) list; /* ended by T_END */
};

/* `plus`: the words of PROM+ too. Faults of single words (an open string) go to `fault`; -1 only when memory ends. */
int lexer_tokens(struct tokens *, const struct source *, int plus,
                 void (*fault)(void *context, struct place_in_text, const char *message), void *context);
const char *token_spelling(enum token_kind); /* as people write it */

#endif
