/* bulk.h -- many states into a store at once, by all threads of a crew.
 *
 * For moves from one store to another (move.c): the states are all different and all new.  They are gathered, and when there are some thousand they are a round (store.h).  Where the old store tells refs alone,
 * whoever asks the new one about a state reads it from there himself. */
#ifndef SEARCH_BULK_H
#define SEARCH_BULK_H

#include "search/search.h"

struct bulk;
/* Hears what the store calls each state now, in order. */
typedef void bulk_hear(void *context, store_ref old, store_ref there, const uint32_t *words);

/* `from`: states are got from there, by ref; NULL = they are given. 0, or -1: there is no crew, the store knows no rounds, or there is no memory to spare. */
int bulk_open(struct bulk **out, struct search *, struct store *from, struct store *to, bulk_hear *, void *context);
void bulk_close(struct bulk *); /* NULL is fine */
/* Where the words of the next state go, all of which are zero, if it is not read from the old store; then bulk_add. */
uint32_t *bulk_place(struct bulk *);
int bulk_add(struct bulk *, store_ref old); /* 0, or -1: the store is full */
int bulk_flush(struct bulk *);              /* what is gathered goes in. 0, or -1: the store is full */

#endif
