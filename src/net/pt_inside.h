/* pt_inside.h -- the model behind pt_model.h, for pt_model.c and pt_portable.c. */
#ifndef NET_PT_INSIDE_H
#define NET_PT_INSIDE_H

#include "net/pt_model.h"

#include "net/arrange.h"
#include "net/fire.h"
#include "net/layout.h"
#include "net/pace.h"
#include "net/pt_symmetry.h"

struct pt_model {
  struct model base;
  struct pt_net *net;
  struct arrangement how;
  struct layout *layout, *old_layout;   /* old_layout only between widen and widen_done */
  uint64_t *words_read, *words_written; /* per group, `mask_words` each; made when first asked for */
  struct pt_pace pace;                  /* made when first asked for */
  struct pt_guard *guard;               /* of the dependence, made with it */
  int misfit;                           /* unpack met a marking that does not fit: so many tokens there */
  uint32_t misfit_place;
  int64_t misfit_value;
  int64_t *scratch;                     /* values, for initial, convert and unpack: one thread at a time */
  struct pt_symmetry_found symmetries;
  const uint32_t *word, *word_from;     /* of a model that was made smaller (shrink.h); NULL otherwise */
};

struct pt_cursor {
  struct model_cursor base;
  struct fire fire;
  int64_t *values; /* for unstep */
};

static inline const struct pt_model *of(const struct model *m) { return (const struct pt_model *)m; }
static inline struct pt_cursor *at(struct model_cursor *c) { return (struct pt_cursor *)c; }

static inline int64_t pt_value(const struct model *base, const uint32_t *state, uint32_t p) {
  return layout_value(of(base)->layout, state, base->words, p);
}

/* pt_model.c: this layout from now on; of a layout that was tried, keep it or go back to the one before. */
void pt_adopt(struct pt_model *, struct layout *);
void pt_widen_done(struct model *, int keep);

/* pt_portable.c */
size_t pt_pack(const struct model *, const uint32_t *state, uint8_t *out, size_t room);
int pt_unpack(const struct model *, const uint8_t *data, size_t length, uint32_t *state);
uint64_t pt_layout_sign(const struct model *);
size_t pt_layout_keep(const struct model *, uint8_t *out, size_t room);
int pt_layout_take(struct model *, const uint8_t *data, size_t length);

#endif
