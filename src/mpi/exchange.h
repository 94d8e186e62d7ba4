/* exchange.h -- states go to the rank that owns them.
 *
 * A state belongs to the rank that a hash of it names.  What is hashed and sent is its form:
 *
 *   words      where all ranks pack states alike (model.h: layout_sign): the bytes of the packed state.  When a state does not fit its layout, all ranks take the wider one together and the search begins anew,
 *              since all states have other owners then
 *   portable   where they do not (coloured nets number the markings that a process has met): the model's portable form, which depends on values alone.  Each rank packs and widens as it likes
 *
 * One rank alone owns everything, and sends nothing.
 *
 * A record is what the sender calls the state it comes from, the edge, a mark, and the form:
 *
 *   | number, 7 bits a byte | 2 * edge + mark, likewise | portable: length | form |
 *
 * A table of states that went somewhere lately, by their words in the layout of this rank, keeps most duplicates from being sent again: what it knows has been sent or put before.
 * Everything, received or not, ends in the inbox and is settled batch by batch by whoever searches. */
#ifndef MPI_EXCHANGE_H
#define MPI_EXCHANGE_H

#include "base/vec.h"
#include "mpi/post.h"
#include "search/strategy.h"

struct exchange_origin { /* where a state of the inbox comes from */
  uint64_t number;       /* as its rank calls the source */
  uint32_t rank, edge;
  uint32_t group; /* UINT32_MAX: nobody told */
  uint8_t mark;
};

struct exchange_figures {
  uint64_t states;    /* sent */
  uint64_t known;     /* not sent, or not put, because they went there lately */
};

/* Why a phase ends early: of several, the last of these counts. AGAIN: a store cannot follow a wider layout; WIDEN: a state does not fit. */
enum exchange_stop { EXCHANGE_ON, EXCHANGE_AGAIN, EXCHANGE_WIDEN, EXCHANGE_STATES, EXCHANGE_TIME, EXCHANGE_INTERRUPT, EXCHANGE_MEMORY, EXCHANGE_FAULT, EXCHANGE_GOAL };

struct exchange {
  struct ranks *ranks;
  struct post *post;
  struct search *search;
  unsigned self, count;
  int portable;
  uint32_t form_bytes; /* of words */
  uint8_t *form;       /* scratch for portable ones */
  size_t form_room;
  struct search_batch inbox;
  struct exchange_origin *origin; /* of the inbox, in step */
  size_t origin_room;
  uint32_t *recent; /* the table: words of states, 1 word before each: 1 = there is one */
  size_t recent_stride, recent_mask;
  int remember;
  enum exchange_stop stop; /* of this rank */
  struct exchange_figures figures;
  /* What comes of the inbox: empties it. 0, or -1 with stop set. */
  int (*settle)(void *context);
  /* Portable forms: a state does not fit, and the inbox is empty; lets the model widen. 0, or -1 with stop set. NULL = that cannot be. */
  int (*wider)(void *context);
  void *context;
  int busy; /* states of the present layout are in somebody's hands: it may not change; what does not fit waits in `aside` */
  struct vec(uint8_t) aside;
};

/* 0, or -1: memory. Not together. */
int exchange_open(struct exchange *, struct search *, struct ranks *, int (*settle)(void *), void *context);
void exchange_close(struct exchange *);
int exchange_restride(struct exchange *); /* the layout has changed, and the inbox is empty. 0 or -1 */
void exchange_forget(struct exchange *);  /* the table of what was sent */

/* A state from here goes where it belongs. 0, or -1: stop is set. */
int exchange_send(struct exchange *, const uint32_t *words, uint64_t number, uint32_t edge, uint32_t group, int mark);
int exchange_owner(struct exchange *, const uint32_t *words, unsigned *owner); /* 0, or -1: stop is set, for lack of memory */
unsigned exchange_owner_of_form(const struct exchange *, const uint8_t *form, size_t bytes); /* of the kind that travels */
/* The form of a state, until the next one is asked for. NULL: memory. */
const uint8_t *exchange_form(struct exchange *, const uint32_t *words, int portable, size_t *bytes);
/* A form that was kept goes into the inbox. 0; -1: stop is set; EXCHANGE_UNREADABLE: it is no state, and nothing is set. */
enum { EXCHANGE_UNREADABLE = -2 };
int exchange_put_back(struct exchange *, const uint8_t *form, size_t bytes, int portable, const struct exchange_origin *);
/* Takes what has come, and settles. 1: there was something; 0; -1: stop is set, or a rank is lost. */
int exchange_receive(struct exchange *);
/* All is sent; the rest is received and settled. 0, or -1: a rank is lost. */
int exchange_end(struct exchange *);
void exchange_stop(struct exchange *, enum exchange_stop);
static inline int exchange_stopping(struct exchange *x) { return x->stop != EXCHANGE_ON || post_stopped(x->post); }
/* After the end of a phase: what all of them stop for, and who; and numbers of each, added up, in the same round. 0, or -1: lost. */
enum { EXCHANGE_SUMS = 5 };
int exchange_agree(struct exchange *, enum exchange_stop *why, unsigned *who, uint64_t sums[EXCHANGE_SUMS]);

/* Numbers of seven bits a byte. */
static inline size_t exchange_put_number(uint8_t *at, uint64_t n) {
  size_t used = 0;
  for (; n > 127; n >>= 7) at[used++] = (uint8_t)(n | 128);
  at[used++] = (uint8_t)n;
  return used;
}
static inline const uint8_t *exchange_get_number(const uint8_t *at, const uint8_t *end, uint64_t *n) {
  *n = 0;
  for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
    uint8_t byte = *at++;
    *n |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return at;
  }
  return NULL;
}

#endif
