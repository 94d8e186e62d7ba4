/* comback_width.c -- see comback.c: what depends on the width of states, and how they become wider.
 *
 * The model steps in the new layout from then on: the roots are converted, all states are found again in order, and their hashes make a second table, which replaces the first when it is complete. */
#include "store/comback.h"

#include <string.h>

enum { EXACT_BITS = 28, EXACT_LEAST = 16, BLUR = 1, CLASSIC_MORE = 6 };

struct rehash {
  struct comback *s;
  struct fragments table;
};

static int enter_again(void *context, store_ref ref, const uint32_t *state) {
  struct rehash *r = context;
  return fragments_add(&r->table, comback_hash(r->s, state), ref);
}

int comback_open_width(struct comback *s, uint32_t words, uint32_t bits) {
  s->words = words;
  s->bits = bits;
  s->exact = bits <= EXACT_BITS && s->hash_mask == UINT64_MAX;
  s->record = bits ? (bits + 7) / 8 : 1;
  s->stride = ((size_t)words + 5) & ~(size_t)1;
  comback_known_open(&s->known, &s->blocks, words, bits);
  s->scratch = blocks_alloc(&s->blocks, 3 * s->stride * sizeof *s->scratch);
  return comback_rebuild_open(s) == 0 && s->scratch ? 0 : -1;
}

/* In which a hash that is a permutation stands as a whole. */
void comback_open_table(struct comback *s, struct fragments *t) {
  fragments_open(t, &s->blocks);
  if (s->exact) t->whole = s->bits > EXACT_LEAST ? s->bits : EXACT_LEAST;
  else if (s->variants & COMBACK_CLASSIC) t->more = CLASSIC_MORE;
  if (!s->exact && s->variants & COMBACK_SUCCINCT && !(s->variants & (COMBACK_BACKWARDS | COMBACK_SETS))) t->blur = BLUR;
}

void comback_close_width(struct comback *s, struct blocks *blocks) {
  comback_rebuild_close(s, blocks);
  blocks_free(blocks, s->scratch);
  comback_known_close(&s->known);
}

/* The roots in the new form. 0, or -1: no memory. */
static int convert_roots(const struct comback *before, struct comback *s, store_convert *convert, void *context) {
  uint32_t *old = mem_alloc(s->blocks.mem, MEM_STORE, (before->stride + s->stride) * sizeof *old), *new = old + before->stride;
  int status = old ? 0 : -1;
  for (uint64_t i = 0; i < before->known.root_count && !status; i++) {
    memset(old, 0, (before->stride + s->stride) * sizeof *old);
    memcpy(old, comback_root(&before->known, i), before->record);
    convert(context, old, new);
    status = comback_root_add(&s->known, new);
  }
  mem_free(s->blocks.mem, old);
  return status;
}

/* All that depends on the width is made a second time and replaces the first when it is complete. Variant 5 knows steps only by hashes of
   the old form, which the model cannot make any more: it refuses, and says so before (stiff), so that the search begins anew. */
int comback_rewrite(struct store *base, uint32_t words, uint32_t bits, store_convert *convert, void *context) {
  struct comback *s = (struct comback *)base;
  if (s->variants & COMBACK_SETS) return -1;
  comback_known_drop(&s->known);
  struct comback before = *s, after;
  struct rehash r = {.s = s};
  int status = comback_open_width(s, words, bits);
  comback_open_table(s, &r.table);
  status = status || convert_roots(&before, s, convert, context) || comback_tell_all(s, enter_again, &r) ? -1 : 0;
  comback_known_drop(&s->known);
  after = *s;
  if (status) {
    fragments_close(&r.table);
    comback_close_width(&after, &s->blocks);
    size_t bytes = s->blocks.bytes;
    *s = before;
    s->blocks.bytes = bytes;
  } else {
    fragments_close(&s->table);
    comback_close_width(&before, &s->blocks);
    s->table = r.table;
  }
  return status;
}
