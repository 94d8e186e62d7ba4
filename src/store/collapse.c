/* collapse.c -- components of states once each, a state as the vector of their numbers.
 *
 * SPIN's COLLAPSE (Holzmann, State Compression in SPIN, 1997): processes, channels and globals take few different values, states
 * are many because they are combined in many ways.  So each component has a table of the values it ever had, with dense numbers,
 * and the root table holds vectors of numbers:
 *
 *   state   |   globals   |   channel   |  process 0  |  process 1  |      cut where the model says that components begin
 *                 |              |             |             |
 *           table 0: 12     table 1: 3    table 2: 140  table 3: 140
 *                 v              v             v             v
 *   root    |  4 bits     |  2 bits     |  8 bits     |  8 bits     |      each as wide as its largest number so far
 *
 * Tables and root are plain stores: what they do is to number vectors and give them back.  A component of up to RAW bits is its
 * own number.  When a number outgrows its field the root is rewritten with a wider one (plain can do that in place); fields that
 * are nearly used up grow along.  SPIN spends whole bytes on each number, here it is bits.
 *
 * The ref of a state is its number in the root table.  Its trail is the vector of numbers, so that a successor asks only the
 * tables of components that have changed.  Questions go through component by component, a chunk of states at a time.
 *
 * When states move to another store (each with `consume`) nothing can be given back on the way, since refs are read through root
 * and tables. */
#include "store/store.h"

#include "base/bits.h"
#include "base/mem.h"
#include "base/stats.h"

#include <string.h>

enum { CHUNK = 64, RAW = 8, MOST_COMPONENTS = 64, PIECE = 64, FIRST_WIDTH = 4 };

struct component {
  uint32_t from, bits;        /* of the state */
  uint32_t words;             /* of a key */
  struct store *table;        /* NULL: its bits are its number */
  uint32_t at;                /* of its field in the root, in bits */
  unsigned width, next_width; /* bits of the field; after the rewriting under way */
  uint32_t next_at;
  uint32_t largest; /* number so far */
};

struct collapse {
  struct store base;
  struct mem *mem;
  struct store_setup setup; /* for the root and the tables */
  uint32_t words;
  uint32_t components;
  struct component *component;
  struct store *root;
  uint32_t root_bits, root_words;
  /* scratch of a chunk */
  size_t key_stride, root_stride;
  uint32_t *keys, *vectors;
  uint32_t *number; /* CHUNK x components */
  const struct store_source *source[CHUNK];
  uint32_t who[CHUNK];
  uint64_t hash[CHUNK];
  store_ref ref[CHUNK];
  uint8_t answer[CHUNK], absent[CHUNK];
};

static uint32_t even_words(uint32_t bits) { return ((bits + 63) / 64 + !bits) * 2; }

/* ---- bits ---------------------------------------------------------------------------- */

static void take_bits(const uint32_t *from, uint32_t at, uint32_t bits, uint32_t *key) {
  uint32_t shift = at % 32;
  for (from += at / 32; bits; from++) {
    uint32_t here = bits < 32 ? bits : 32;
    uint32_t x = from[0] >> shift;
    if (shift && here > 32 - shift) x |= from[1] << (32 - shift);
    *key++ = x & (uint32_t)bits_mask(here);
    bits -= here;
  }
}

/* Into a place that is zero. */
static void give_bits(uint32_t *to, uint32_t at, uint32_t bits, const uint32_t *key) {
  uint32_t shift = at % 32;
  for (to += at / 32; bits; to++) {
    uint32_t here = bits < 32 ? bits : 32, x = *key++;
    to[0] |= x << shift;
    if (shift && here > 32 - shift) to[1] |= x >> (32 - shift);
    bits -= here;
  }
}

static int same_bits(const uint32_t *a, const uint32_t *b, uint32_t at, uint32_t bits) {
  uint32_t first = at / 32, last = (at + bits - 1) / 32;
  uint32_t low = (uint32_t)bits_mask(at % 32), high = (uint32_t)bits_mask((at + bits - 1) % 32 + 1);
  if (first == last) return !((a[first] ^ b[first]) & ~low & high);
  if ((a[first] ^ b[first]) & ~low || (a[last] ^ b[last]) & high) return 0;
  for (uint32_t w = first + 1; w < last; w++)
    if (a[w] != b[w]) return 0;
  return 1;
}

/* ---- the root ------------------------------------------------------------------------ */

static void read_vector(const struct collapse *s, const uint32_t *vector, uint32_t *number) {
  for (uint32_t c = 0; c < s->components; c++) {
    number[c] = 0;
    take_bits(vector, s->component[c].at, s->component[c].width, &number[c]);
  }
}

static void write_vector(const struct collapse *s, const uint32_t *number, uint32_t *vector) {
  memset(vector, 0, s->root_stride * 4);
  for (uint32_t c = 0; c < s->components; c++) give_bits(vector, s->component[c].at, s->component[c].width, &number[c]);
}

/* From the fields as they are to those that will be. */
static void widen_vector(void *context, const uint32_t *old, uint32_t *new) {
  const struct collapse *s = context;
  for (uint32_t c = 0; c < s->components; c++) {
    uint32_t number = 0;
    take_bits(old, s->component[c].at, s->component[c].width, &number);
    give_bits(new, s->component[c].next_at, s->component[c].width, &number);
  }
}

/* Makes all numbers so far fit. 0, or -1: refused, nothing changed. */
static int widen_root(struct collapse *s) {
  uint32_t bits = 0;
  for (uint32_t c = 0; c < s->components; c++) {
    struct component *k = &s->component[c];
    k->next_width = k->width;
    if (k->table && k->largest > bits_mask(k->width) / 4 * 3) k->next_width = bits_for(k->largest) + 1;
    if (k->next_width > k->bits) k->next_width = k->bits;
    if (k->next_width > 32) k->next_width = 32;
    k->next_at = bits;
    bits += k->next_width;
  }
  size_t stride = even_words(bits);
  uint32_t *vectors = s->vectors;
  if (stride > s->root_stride && !(vectors = mem_resize(s->mem, MEM_STORE, s->vectors, (CHUNK + 1) * stride * 4))) return -1;
  s->vectors = vectors;
  if (stride > s->root_stride) s->root_stride = stride;
  if (s->root->type->rewrite(s->root, (bits + 31) / 32, bits, widen_vector, s)) return -1;
  for (uint32_t c = 0; c < s->components; c++) {
    s->component[c].at = s->component[c].next_at;
    s->component[c].width = s->component[c].next_width;
  }
  s->root_bits = bits;
  s->root_words = (bits + 31) / 32;
  return 0;
}

/* ---- asking -------------------------------------------------------------------------- */

enum { PUT, FIND };

/* The numbers of one component for the states first .. first + n - 1. Returns how many of them could be entered. */
static size_t number_component(struct collapse *s, int asking, const struct store_batch *b, size_t first, size_t n, uint32_t c) {
  struct component *k = &s->component[c];
  size_t stride = ((size_t)k->words + 1) & ~(size_t)1, asked = 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t *state = b->states + (first + i) * b->stride;
    const struct store_source *from = s->source[i];
    uint32_t *number = &s->number[i * s->components + c];
    if (!k->table) {
      take_bits(state, k->from, k->bits, number);
    } else if (from && same_bits(state, from->words, k->from, k->bits)) {
      *number = from->trail[c];
    } else {
      uint32_t *key = s->keys + asked * stride;
      key[stride - 1] = 0;
      take_bits(state, k->from, k->bits, key);
      s->who[asked++] = (uint32_t)i;
    }
  }
  if (!asked) return n;
  struct store_batch q = {
      .states = s->keys, .stride = stride, .count = asked, .hash = s->hash, .ref = s->ref, .answer = s->answer};
  size_t good = asked;
  if (asking == PUT) good = k->table->type->put_batch(k->table, &q, 0);
  else k->table->type->find_batch(k->table, &q);
  for (size_t i = 0; i < good; i++) {
    if (asking == FIND && s->answer[i] == STORE_NEW) s->absent[s->who[i]] = 1;
    s->number[s->who[i] * s->components + c] = (uint32_t)s->ref[i];
    if (asking == PUT && s->ref[i] > k->largest) k->largest = (uint32_t)s->ref[i];
  }
  return good < asked ? s->who[good] : n;
}

static int fits(const struct collapse *s, const uint32_t *number) {
  for (uint32_t c = 0; c < s->components; c++)
    if (number[c] > bits_mask(s->component[c].width)) return 0;
  return 1;
}

static int all_fit(const struct collapse *s) {
  for (uint32_t c = 0; c < s->components; c++)
    if (s->component[c].largest > bits_mask(s->component[c].width)) return 0;
  return 1;
}

/* Vectors of a chunk; those of absent states are left out. Returns how many states could be done. */
static size_t make_vectors(struct collapse *s, int asking, size_t n, size_t *asked) {
  if (asking == PUT && !all_fit(s)) widen_root(s);
  *asked = 0;
  for (size_t i = 0; i < n; i++) {
    const uint32_t *number = s->number + i * s->components;
    if (asking == FIND && (s->absent[i] || !fits(s, number))) continue;
    if (asking == PUT && !fits(s, number)) return i; /* there was no room for wider vectors */
    write_vector(s, number, s->vectors + *asked * s->root_stride);
    s->who[(*asked)++] = (uint32_t)i;
  }
  return n;
}

static size_t ask(struct collapse *s, int asking, struct store_batch *b, size_t from) {
  size_t source = 0;
  for (size_t first = from, most; first < b->count; first += most) {
    size_t n = most = b->count - first < CHUNK ? b->count - first : CHUNK, asked;
    for (size_t i = 0; i < n; i++) {
      while (source < b->sources && b->source[source].end <= first + i) source++;
      int known = source < b->sources && b->source[source].first <= first + i && b->source[source].trail;
      s->source[i] = known ? &b->source[source] : NULL;
    }
    memset(s->absent, 0, n);
    for (uint32_t c = 0; c < s->components; c++) n = number_component(s, asking, b, first, n, c);
    n = make_vectors(s, asking, n, &asked);
    struct store_batch q = {
        .states = s->vectors, .stride = s->root_stride, .count = asked, .hash = s->hash, .ref = s->ref, .answer = s->answer};
    if (asking == FIND) {
      s->root->type->find_batch(s->root, &q);
      for (size_t i = 0; i < n; i++) b->answer[first + i] = STORE_NEW, b->ref[first + i] = STORE_NONE;
    } else {
      size_t good = s->root->type->put_batch(s->root, &q, 0);
      if (good < asked) n = good; /* none is left out when putting */
    }
    for (size_t i = 0; i < asked; i++) {
      b->answer[first + s->who[i]] = s->answer[i];
      b->ref[first + s->who[i]] = s->ref[i];
    }
    if (n < most) {
      b->answer[first + n] = STORE_FULL;
      return first + n;
    }
  }
  return b->count;
}

static size_t collapse_put_batch(struct store *base, struct store_batch *b, size_t from) {
  return ask((struct collapse *)base, PUT, b, from);
}

static void collapse_find_batch(struct store *base, struct store_batch *b) { ask((struct collapse *)base, FIND, b, 0); }

/* ---- giving back --------------------------------------------------------------------- */

static void assemble(struct collapse *s, const uint32_t *number, uint32_t *state) {
  memset(state, 0, (size_t)s->words * 4);
  for (uint32_t c = 0; c < s->components; c++) {
    const struct component *k = &s->component[c];
    if (k->table) k->table->type->get(k->table, number[c], s->keys, NULL);
    give_bits(state, k->from, k->bits, k->table ? s->keys : &number[c]);
  }
}

static int collapse_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  struct collapse *s = (struct collapse *)base;
  uint32_t *number = trail ? trail : s->number, *vector = s->vectors + CHUNK * s->root_stride;
  s->root->type->get(s->root, ref, vector, NULL);
  read_vector(s, vector, number);
  assemble(s, number, state);
  return 0;
}

struct telling {
  struct collapse *store;
  store_hear *hear;
  void *context;
  uint32_t *state;
};

static int tell_one(void *context, store_ref ref, const uint32_t *vector) {
  struct telling *t = context;
  read_vector(t->store, vector, t->store->number);
  assemble(t->store, t->store->number, t->state);
  return t->hear(t->context, ref, t->state);
}

static int collapse_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct collapse *s = (struct collapse *)base;
  struct telling t = {s, hear, context, mem_alloc(s->mem, MEM_STORE, ((size_t)s->words + 2) * 4)};
  (void)consume;
  int status = t.state ? s->root->type->each(s->root, tell_one, &t, 0) : -1;
  mem_free(s->mem, t.state);
  return status;
}

/* ---- life ---------------------------------------------------------------------------- */

static uint64_t collapse_count(const struct store *base) {
  const struct collapse *s = (const struct collapse *)base;
  return s->root->type->count(s->root);
}

static size_t collapse_bytes(const struct store *base) {
  const struct collapse *s = (const struct collapse *)base;
  size_t bytes = sizeof *s + s->components * (sizeof *s->component + CHUNK * sizeof *s->number) +
                 ((CHUNK + 1) * s->root_stride + CHUNK * s->key_stride) * sizeof *s->keys + s->root->type->bytes(s->root);
  for (uint32_t c = 0; c < s->components; c++)
    if (s->component[c].table) bytes += s->component[c].table->type->bytes(s->component[c].table);
  return bytes;
}

static void collapse_close(struct store *base) {
  if (!base) return;
  struct collapse *s = (struct collapse *)base;
  for (uint32_t c = 0; s->component && c < s->components; c++) store_plain.close(s->component[c].table);
  store_plain.close(s->root);
  mem_free(s->mem, s->component);
  mem_free(s->mem, s->keys);
  mem_free(s->mem, s->vectors);
  mem_free(s->mem, s->number);
  mem_free(s->mem, s);
}

/* Where component c of n begins; there may be more parts than we want components. */
static uint32_t edge(const struct store_setup *setup, uint32_t c, uint32_t n) {
  if (c == n) return setup->bits;
  if (!setup->parts) {
    uint32_t pieces = (setup->bits + PIECE - 1) / PIECE;
    return (uint32_t)((uint64_t)pieces * c / n) * PIECE;
  }
  return setup->parts[setup->part_count * c / n];
}

static int open_tables(struct collapse *s, const struct store_setup *setup) {
  size_t parts = setup->parts ? setup->part_count : (setup->bits + PIECE - 1) / PIECE;
  s->components = parts > MOST_COMPONENTS ? MOST_COMPONENTS : parts ? (uint32_t)parts : 1;
  s->component = mem_alloc(s->mem, MEM_STORE, s->components * sizeof *s->component);
  s->number = mem_alloc(s->mem, MEM_STORE, (size_t)CHUNK * s->components * sizeof *s->number);
  if (!s->component || !s->number) return -1;
  for (uint32_t c = 0; c < s->components; c++) {
    struct component *k = &s->component[c];
    k->from = edge(setup, c, s->components);
    k->bits = edge(setup, c + 1, s->components) - k->from;
    k->words = (k->bits + 31) / 32 + !k->bits;
    k->width = k->bits <= RAW ? k->bits : FIRST_WIDTH;
    k->at = s->root_bits;
    s->root_bits += k->width;
    if (even_words(k->bits) > s->key_stride) s->key_stride = even_words(k->bits);
    if (k->bits <= RAW) continue;
    s->setup.words = k->words;
    s->setup.bits = k->bits;
    if (store_plain.open(&k->table, &s->setup)) return -1;
  }
  return 0;
}

static int open_root(struct collapse *s, struct stats *stats) {
  s->root_words = (s->root_bits + 31) / 32 + !s->root_bits;
  s->root_stride = even_words(s->root_bits);
  s->keys = mem_alloc(s->mem, MEM_STORE, CHUNK * s->key_stride * sizeof *s->keys);
  s->vectors = mem_alloc(s->mem, MEM_STORE, (CHUNK + 1) * s->root_stride * sizeof *s->vectors);
  s->setup.words = s->root_words;
  s->setup.bits = s->root_bits;
  s->setup.stats = stats;
  return !s->keys || !s->vectors || store_plain.open(&s->root, &s->setup) ? -1 : 0;
}

static int collapse_open(struct store **out, const struct store_setup *setup) {
  struct collapse *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_collapse;
  s->mem = setup->mem;
  s->words = setup->words;
  s->setup = (struct store_setup){
      .mem = setup->mem, .hash_mask = setup->hash_mask, .entry_bits = setup->entry_bits, .quotient_from = setup->quotient_from};
  if (open_tables(s, setup) || open_root(s, setup->stats)) {
    collapse_close(&s->base);
    return -1;
  }
  s->base.trail_words = s->components;
  *out = &s->base;
  return 0;
}

const struct store_type store_collapse = {
    .name = "collapse",
    .summary = "components (processes, channels) once each, a state as their numbers, as SPIN's COLLAPSE: exact",
    .caps = STORE_EXACT | STORE_GET,
    .open = collapse_open,
    .put_batch = collapse_put_batch,
    .find_batch = collapse_find_batch,
    .get = collapse_get,
    .each = collapse_each,
    .count = collapse_count,
    .bytes = collapse_bytes,
    .close = collapse_close,
};
