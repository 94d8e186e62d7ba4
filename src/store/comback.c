/* comback.c -- states are kept as the step that led to them and are found again when they must be compared.
 *
 * The ComBack method (Westergaard, Kristensen, Brodal, Arge; Westergaard's thesis, chapter 6).  Nothing of a state is stored but
 * a fragment of its hash with its number (fragments.h) and its predecessor with the step between them (comback_tree.h).  When the
 * fragment of a state under test is there already, the states of those numbers are candidates: they are found again by taking the steps from
 * the initial state, or from the next state on the way that is kept in full (comback_known.h), and compared bit for bit.  So a collision
 * costs time, never a state.
 *
 * Two forms.  *Succinct*, for breadth-first orders: predecessors never decrease, the tree takes about two bits per state and those of the edge;
 * duplicates are mostly one or two layers old and confirmed from a window of the last states, the others all at once per batch, walking
 * shared parts of their ways once (comback_rebuild.c).  Answers are given only when the whole batch is decided, so numbers are in order
 * and the tree stays monotone.  *Classic*, for all orders: a table of predecessors and a cache.
 *
 * What need not be kept is not.  States of up to 28 bits are hashed by a permutation, which stands in the table as a whole: a candidate is the state, and nothing
 * has to be found again.  Otherwise, in the succinct form, the last bit of a number is left out: a candidate is one of two neighbours,
 * which often have the same predecessor and are found again together.  A bit less of the hash instead is as short: four models took 3 to 15 % fewer steps
 * that way (three of them, below 2^21 states) or a third more (the one above).
 *
 * A batch passes through: hash and prefetch; look up candidates, compare those known in full at once, note the others; find these again,
 * compare; give numbers to what is left.  States that are equal within the batch are found by a small table of its hashes.
 *
 * Variants of the thesis by --comback: path (1), --cache (2), backwards (3), sets (5).  In variant 5 the tree knows the predecessor only, and
 * the state is its successor whose hash has the number among its candidates; to be exact, a state that shares its fragment with another successor
 * of its predecessor is entered with its edge.  Variant 4, a waiting set of numbers, is how the search has it anyway (get_batch): as long as there is memory the window
 * holds the states that wait; `numbers` does without it from the start.
 *
 * Ways must not become too long: every so-many-th layer of a breadth-first search, and with variant 1 every so-many-th state of a way, is kept in full
 * like a state without a source.  So many is ten times what that costs in bytes: a tenth of a byte per state.
 *
 * When the layout of states widens the model steps in the new one: all states are found again in order and hashed anew. */
#include "store/comback.h"

#include "base/bits.h"
#include "store/quotient.h"

#include <assert.h>
#include <string.h>

enum { BATCH = 4096, FIRST_WANTS = 64, MOST_WANTS = 1 << 16, WALK = 512, FEW = 16, LEAST_WINDOW = 4096 };
enum { UNDECIDED = 100, SAME_AS = 101, UNKNOWN = 102 }; /* answers on the way to an answer */

uint64_t comback_hash(const struct comback *s, const uint32_t *state) {
  uint64_t a, b, h;
  if (s->exact) return quotient_hash(&(struct quotient){.bits = s->bits, .mask = bits_mask(s->bits)}, state[0]);
  if (s->record <= 8) {
    memcpy(&a, state, 8);
    h = hash_mix(a);
  } else if (s->record <= 16) {
    memcpy(&a, state, 8);
    memcpy(&b, state + 2, 8);
    h = hash_pair(a, b);
  } else h = hash_bytes(state, s->record);
  return h & s->hash_mask;
}

/* ---- variants --------------------------------------------------------------------------- */

static const struct {
  const char *name;
  unsigned bit, against;
} variants[] = {{"classic", COMBACK_CLASSIC, COMBACK_SUCCINCT},
                {"succinct", COMBACK_SUCCINCT, COMBACK_CLASSIC | COMBACK_PATH},
                {"path", COMBACK_PATH, COMBACK_SUCCINCT},
                {"backwards", COMBACK_BACKWARDS, COMBACK_SETS},
                {"numbers", COMBACK_NUMBERS, 0},
                {"sets", COMBACK_SETS, COMBACK_BACKWARDS}};

int comback_read_variants(const char *list, unsigned *out, char *bad, size_t room) {
  enum { COUNT = sizeof variants / sizeof *variants };
  *out = 0;
  for (const char *p = list; *p;) {
    size_t length = strcspn(p, ","), k = 0;
    while (k < COUNT && (strlen(variants[k].name) != length || memcmp(variants[k].name, p, length) != 0)) k++;
    if (k == COUNT || *out & variants[k].against) {
      if (room) {
        size_t n = length < room - 1 ? length : room - 1;
        memcpy(bad, p, n);
        bad[n] = 0;
      }
      return -1;
    }
    *out |= variants[k].bit;
    p += length;
    p += *p == ',';
  }
  return 0;
}

static int choose_variants(struct comback *s, const struct store_setup *setup) {
  const char *list = setup->options ? setup->options->comback : NULL;
  if (list && comback_read_variants(list, &s->variants, NULL, 0)) return -1;
  if (s->variants & COMBACK_PATH) s->variants |= COMBACK_CLASSIC;
  if (!(s->variants & (COMBACK_CLASSIC | COMBACK_SUCCINCT)))
    s->variants |= setup->depth_first ? COMBACK_CLASSIC | COMBACK_PATH : COMBACK_SUCCINCT;
  if (!s->model->unstep) s->variants &= ~(unsigned)COMBACK_BACKWARDS;
  s->base.ways = (s->variants & ~(unsigned)COMBACK_NUMBERS) == COMBACK_SUCCINCT;
  return 0;
}

/* ---- what is kept in full ------------------------------------------------------------------ */

/* The cache follows the number of states: a sixteenth of a byte for each (succinct), a hundredth of them (classic), or as the user wants. */
static void fit_cache(struct comback *s) {
  struct comback_known *k = &s->known;
  if (s->exact) return;
  uint64_t n = s->tree.count, want = s->cache ? s->cache : n / 100;
  if (!s->cache && s->variants & COMBACK_SUCCINCT) want = n / 16 / k->slot_bytes;
  if (want < FEW) want = FEW;
  if (want > n + FEW) want = n + FEW; /* no larger than it can be filled */
  if (want * k->slot_bytes > mem_left(s->blocks.mem) / 8) return;
  if (want > k->slots + k->slots / 4) comback_cache_resize(k, want);
}

/* The window reaches back from the state that is being expanded by as many states as wait, and where that is less than six bytes for each state stored
   by up to 32 times as many: memory that is there is used, and it shrinks with the number of states that wait. A depth-first search has no use for it. */
static void fit_window(struct comback *s, const struct store_batch *b) {
  if (s->depth_first || !b->sources || b->source[0].ref >= s->tree.count) return;
  uint64_t now = b->source[0].ref, waiting = s->tree.count - now, back = (waiting > FEW ? 32 : 4) * waiting, cheap = 6 * s->tree.count / s->record;
  if (s->exact) back = 0; /* nothing is compared: it only holds what waits */
  if (back > cheap) back = cheap > waiting ? cheap : waiting;
  if (!s->exact && back * s->record < LEAST_WINDOW) back = LEAST_WINDOW / s->record;
  comback_window_trim(&s->known, now > back ? now - back : 0);
}

/* ---- asking ------------------------------------------------------------------------------- */

static int same(const struct comback *s, const uint8_t *full, const uint32_t *state) { return memcmp(full, state, s->record) == 0; }

static void decide(struct store_batch *b, size_t i, uint64_t number) {
  b->answer[i] = STORE_SEEN;
  b->ref[i] = number;
}

static void compare(struct comback *s, const struct comback_want *w, const uint32_t *state, void *context) {
  struct store_batch *b = context;
  size_t i = w->tag;
  if (b->answer[i] == STORE_SEEN || !same(s, (const uint8_t *)state, b->states + i * b->stride)) return;
  decide(b, i, w->number);
  comback_cache_add(&s->known, w->number, state);
}

/* Candidates that were noted are found again and compared. What cannot be is not known. */
static void confirm(struct comback *s, struct store_batch *b) {
  struct comback_want *w = s->want;
  size_t n = s->wants;
  s->wants = 0;
  if (!n || comback_rebuild(s, w, n, compare, b) == 0) return;
  for (size_t i = 0; i < n; i++) /* some were told, but which is not known any more */
    if (b->answer[w[i].tag] == UNDECIDED) b->answer[w[i].tag] = UNKNOWN;
}

static void note(struct comback *s, struct store_batch *b, uint64_t number, size_t i) {
  if (s->wants == s->want_room) {
    size_t room = 2 * s->want_room;
    struct comback_want *want = room <= MOST_WANTS ? blocks_resize(&s->blocks, s->want, room * sizeof *want) : NULL;
    if (want) {
      s->want = want;
      s->want_room = room;
    } else confirm(s, b);
  }
  s->want[s->wants++] = (struct comback_want){number, i};
}

/* Variant 3: is `state` the one with this number? Back along the number's steps, until they cannot have led here or a known state is met. */
static int matches_backwards(struct comback *s, uint64_t number, const uint32_t *state) {
  uint32_t *now = comback_scratch(s, 0), *before = comback_scratch(s, 1), *full = comback_scratch(s, 2);
  memset(now, 0, s->stride * sizeof *now);
  memset(before, 0, s->stride * sizeof *now);
  memcpy(now, state, s->words * sizeof *now);
  while (!comback_load(s, number, full)) {
    struct comback_back b = comback_tree_back(&s->tree, number);
    s->stats->rebuild_steps++;
    if (!s->model->unstep(s->model->context, now, b.edge, before)) return 0;
    memcpy(now, before, s->words * sizeof *now);
    number = b.parent;
  }
  return memcmp(now, full, s->words * sizeof *now) == 0;
}

/* Could state i be the one with this number? 1: it is. Noted if it takes more than a look. */
static int try(struct comback *s, struct store_batch *b, size_t i, uint64_t number) {
  const uint32_t *state = b->states + i * b->stride;
  const uint8_t *full = s->exact ? NULL : comback_known(&s->known, number);
  s->stats->store_compares += !s->exact;
  if (full && !same(s, full, state)) return 0;
  if (!full && !s->exact) {
    if (!(s->variants & COMBACK_BACKWARDS)) {
      note(s, b, number, i);
      return b->answer[i] == STORE_SEEN; /* the list was full and has been worked off */
    }
    s->stats->rebuilds++;
    if (!matches_backwards(s, number, state)) return 0;
    comback_cache_add(&s->known, number, state);
  }
  decide(b, i, number);
  return 1;
}

/* Goes through the candidates of state i, beginning with `number`, which `l` has told already. */
static void look(struct comback *s, struct store_batch *b, size_t i, struct fragments_look *l, uint64_t number) {
  const uint64_t many = (uint64_t)1 << s->table.blur;
  do
    for (uint64_t n = number; n < number + many && n < s->tree.count; n++)
      if (try(s, b, i, n)) return;
  while (fragments_next(l, &number));
}

/* Looks for states from..end - 1, GROUP at most: first for a candidate of each, so that the states that they will be compared with are on their way from
   memory meanwhile. */
enum { GROUP = 16, AHEAD = 64 };
static void look_for_group(struct comback *s, struct store_batch *b, size_t from, size_t end) {
  struct fragments_look l[GROUP];
  uint64_t number[GROUP];
  for (size_t i = end; i < end + GROUP && i < b->count; i++) fragments_prefetch(&s->table, b->hash[i]);
  for (size_t i = from; i < end; i++) {
    number[i - from] = UINT64_MAX;
    if (b->answer[i] == SAME_AS) continue;
    b->ref[i] = STORE_NONE;
    l[i - from] = fragments_look(&s->table, b->hash[i]);
    if (fragments_next(&l[i - from], &number[i - from]) && !s->exact) comback_known_prefetch(&s->known, number[i - from]);
  }
  for (size_t i = from; i < end; i++)
    if (number[i - from] != UINT64_MAX) look(s, b, i, &l[i - from], number[i - from]);
}

/* States that stand in the batch twice: the later ones refer to the first. Without memory for the table: compared with all before. */
static void find_twins(struct comback *s, struct store_batch *b, size_t from) {
  size_t n = b->count - from, slots = 16;
  unsigned shift = 60;
  if (n < 2) return;
  for (; slots < 2 * n; shift--) slots *= 2;
  uint32_t *table = mem_alloc(s->blocks.mem, MEM_STORE, slots * sizeof *table);
  for (size_t i = from; i < b->count; i++) {
    const uint32_t *state = b->states + i * b->stride;
    size_t at = b->hash[i] * 0x9e3779b97f4a7c15u >> shift, k = table ? 0 : from, twin = i;
    if (table)
      for (; table[at] && twin == i; at = (at + 1) & (slots - 1)) {
        k = table[at] - 1;
        if (b->hash[k] == b->hash[i] && memcmp(b->states + k * b->stride, state, s->words * sizeof *state) == 0) twin = k;
      }
    for (; !table && k < i && twin == i; k++)
      if (b->hash[k] == b->hash[i] && memcmp(b->states + k * b->stride, state, s->words * sizeof *state) == 0) twin = k;
    if (twin != i) {
      b->answer[i] = SAME_AS;
      b->ref[i] = twin;
    } else if (table) table[at] = (uint32_t)i + 1;
  }
  mem_free(s->blocks.mem, table);
}

/* Everything but numbers for new states: SEEN, UNDECIDED = new, SAME_AS, UNKNOWN. */
static void ask(struct comback *s, struct store_batch *b, size_t from) {
  for (size_t i = from; i < b->count; i++) {
    b->hash[i] = comback_hash(s, b->states + i * b->stride);
    b->answer[i] = UNDECIDED;
  }
  find_twins(s, b, from);
  for (size_t i = from; i < b->count && i < from + GROUP; i++) fragments_prefetch(&s->table, b->hash[i]);
  for (size_t i = from; i < b->count; i += GROUP) look_for_group(s, b, i, b->count - i < GROUP ? b->count : i + GROUP);
  confirm(s, b);
}

/* ---- entering ------------------------------------------------------------------------------- */

/* What the tree keeps of the step: 0; 1: it must keep the edge itself, as an exception; -1: the model could not tell. */
static int step_name(struct comback *s, const struct store_batch *b, size_t i, const struct store_source *from, uint32_t *edge) {
  if (!(s->variants & (COMBACK_BACKWARDS | COMBACK_SETS))) return 0;
  if (s->variants & COMBACK_BACKWARDS && b->group) {
    *edge = b->group[i];
    return 0;
  }
  const uint32_t *states, *groups;
  size_t stride;
  int64_t n = s->model->successors(s->model->context, from->words, &states, &stride, &groups);
  if (n < 0 || *edge >= n) return -1;
  if (s->variants & COMBACK_BACKWARDS) {
    *edge = groups[*edge];
    return 0;
  }
  uint32_t *other = comback_scratch(s, 0);
  for (int64_t k = 0; k < n; k++) {
    memset(other, 0, s->stride * sizeof *other);
    memcpy(other, states + (size_t)k * stride, s->words * sizeof *other);
    if (memcmp(other, b->states + i * b->stride, s->words * sizeof *other) == 0) continue;
    if ((comback_hash(s, other) ^ b->hash[i]) >> (64 - FRAGMENTS_LEAST_BITS) == 0) return 1;
  }
  return 0;
}

/* The source of state i; NULL = none. `*k` goes along with i. */
static const struct store_source *source_of(const struct store_batch *b, size_t i, size_t *k) {
  while (*k < b->sources && b->source[*k].end <= i) ++*k;
  return *k < b->sources && b->source[*k].first <= i ? &b->source[*k] : NULL;
}

static uint64_t far_layer(const struct comback *s) { return 10 * ((uint64_t)s->record + sizeof(struct comback_exception)); }

int comback_milestone(struct comback *s, uint64_t parent, uint64_t number) {
  if (parent >= s->layer_end) {
    s->layer_end = number;
    s->layer++;
  }
  return s->layer % far_layer(s) == 0;
}

/* Is it time to keep a state in full, so that the ways of those behind it begin there? */
static int milestone(struct comback *s, const struct store_source *from) {
  uint64_t far = far_layer(s);
  if (s->variants & COMBACK_PATH) return comback_tree_depth(&s->tree, from->ref) + 1 >= far;
  return s->variants & COMBACK_SUCCINCT && comback_milestone(s, from->ref, s->tree.count);
}

/* One new state. 0, or -1: no memory. */
static int enter(struct comback *s, struct store_batch *b, size_t i, const struct store_source *from) {
  const uint32_t *state = b->states + i * b->stride;
  uint64_t number = s->tree.count;
  int full = !from || milestone(s, from);
  uint32_t edge = from ? from->edge + (uint32_t)(i - from->first) : 0;
  int name = from && !full ? step_name(s, b, i, from, &edge) : 0, status;
  if (name < 0 || s->spoilt) return -1;
  /* First the table: should the tree refuse, the entry is that of a number that does not exist, and later at worst a false candidate. */
  if (fragments_add(&s->table, b->hash[i], number)) return -1;
  if (full)
    status = comback_root_add(&s->known, state) || (from && s->base.ways ? comback_tree_add_milestone(&s->tree, from->ref, edge, s->known.root_count - 1)
                                                                         : comback_tree_add_root(&s->tree, s->known.root_count - 1));
  else if (!(s->variants & COMBACK_SETS)) status = comback_tree_add(&s->tree, from->ref, edge);
  else if (name || !comback_tree_in_order(&s->tree, from->ref)) status = comback_tree_add_exception(&s->tree, from->ref, edge);
  else status = comback_tree_add(&s->tree, from->ref, 0);
  if (status) {
    if (full && s->known.root_count > s->tree.roots) s->known.root_count--;
    if (s->variants & COMBACK_SETS) s->spoilt = 1; /* false candidates could be taken for the state: no more states after this one */
    return -1;
  }
  if (!s->depth_first && !(s->variants & COMBACK_NUMBERS)) comback_window_add(&s->known, number, state);
  return 0;
}

/* What finding states again has taken is given back. 1, or 0: there was nothing. */
static int shrink(struct comback *s) {
  int any = comback_rebuild_shrink(s);
  if (s->want_room <= 16 * FIRST_WANTS) return any;
  s->want = blocks_resize(&s->blocks, s->want, FIRST_WANTS * sizeof *s->want);
  s->want_room = FIRST_WANTS;
  return 1;
}

/* The same, and if memory refuses, without what only saves time. */
static int enter_somehow(struct comback *s, struct store_batch *b, size_t i, const struct store_source *from) {
  if (enter(s, b, i, from) == 0) return 0;
  int less = shrink(s);
  if (!(comback_known_drop(&s->known) | less)) return -1;
  int spoilt = s->spoilt; /* the same state may try again: it is its own entry */
  s->spoilt = 0;
  int status = enter(s, b, i, from);
  if (status) s->spoilt |= spoilt;
  return status;
}

/* Variant 1: another way to a state. */
static void shorten(struct comback *s, const struct store_batch *b, size_t i, const struct store_source *from) {
  uint32_t edge = from->edge + (uint32_t)(i - from->first);
  if (s->variants & COMBACK_SETS || (s->variants & COMBACK_BACKWARDS && !b->group)) return;
  comback_tree_shorten(&s->tree, b->ref[i], from->ref, s->variants & COMBACK_BACKWARDS ? b->group[i] : edge);
}

static size_t comback_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct comback *s = (struct comback *)base;
  fit_window(s, b);
  fit_cache(s);
  ask(s, b, from);
  if (b->count - from < BATCH / 4) shrink(s); /* towards the end of a layer, and of the search */
  for (size_t i = from, k = 0; i < b->count; i++) {
    if (i + AHEAD < b->count && b->answer[i + AHEAD] == UNDECIDED) fragments_prefetch(&s->table, b->hash[i + AHEAD]);
    const struct store_source *source = source_of(b, i, &k);
    if (b->answer[i] == SAME_AS) decide(b, i, b->ref[b->ref[i]]);
    else if (b->answer[i] == UNDECIDED && enter_somehow(s, b, i, source) == 0) {
      b->answer[i] = STORE_NEW;
      b->ref[i] = s->tree.count - 1;
    } else if (b->answer[i] != STORE_SEEN) {
      b->answer[i] = STORE_FULL;
      return i;
    }
    if (source && b->answer[i] == STORE_SEEN && s->variants & COMBACK_PATH) shorten(s, b, i, source);
  }
  return b->count;
}

static void comback_find_batch(struct store *base, struct store_batch *b) {
  struct comback *s = (struct comback *)base;
  ask(s, b, 0);
  for (size_t i = 0; i < b->count; i++) {
    if (b->answer[i] == SAME_AS) {
      uint64_t twin = b->ref[i];
      b->answer[i] = b->answer[twin];
      b->ref[i] = b->ref[twin];
    } else if (b->answer[i] != STORE_SEEN) {
      b->answer[i] = b->answer[i] == UNKNOWN ? STORE_FULL : STORE_NEW;
      b->ref[i] = STORE_NONE;
    }
  }
}

static void keep_one(struct comback *s, const struct comback_want *w, const uint32_t *state, void *context) {
  (void)w;
  memcpy(context, state, s->words * sizeof *state);
}

static int comback_get(struct store *base, store_ref ref, uint32_t *state, uint32_t *trail) {
  struct comback *s = (struct comback *)base;
  (void)trail;
  assert(ref < s->tree.count);
  if (comback_load(s, ref, comback_scratch(s, 0))) {
    memcpy(state, comback_scratch(s, 0), s->words * sizeof *state);
    return 0;
  }
  struct comback_want want = {ref, 0};
  return comback_rebuild(s, &want, 1, keep_one, state);
}

/* ---- all states, in order --------------------------------------------------------------------- */

struct pass {
  uint64_t first;
  uint32_t *states;
};

static void keep_state(struct comback *s, const struct comback_want *w, const uint32_t *state, void *context) {
  struct pass *p = context;
  memcpy(p->states + (w->number - p->first) * s->stride, state, s->stride * sizeof *state);
}

/* Tells all states in order of their numbers, a block at a time; the window is used for their predecessors. 0, or -1: somebody had enough, or no
   memory. */
int comback_tell_all(struct comback *s, store_hear *hear, void *context) {
  uint64_t block = WALK;
  struct pass p = {0};
  struct comback_want *want = NULL;
  for (; block; block /= 8) {
    p.states = blocks_alloc(&s->blocks, block * s->stride * sizeof *p.states);
    want = blocks_alloc(&s->blocks, block * sizeof *want);
    if (p.states && want) break;
    blocks_free(&s->blocks, p.states);
    blocks_free(&s->blocks, want);
    p.states = NULL;
    want = NULL;
  }
  int status = p.states ? 0 : -1;
  for (uint64_t n = 0; n < s->tree.count && !status; n += block) {
    uint64_t count = s->tree.count - n < block ? s->tree.count - n : block;
    p.first = n;
    if (s->variants & COMBACK_SUCCINCT) {
      uint64_t parent = comback_tree_back(&s->tree, n).parent;
      if (parent != COMBACK_NOBODY) comback_window_trim(&s->known, parent);
    }
    for (uint64_t i = 0; i < count; i++) want[i] = (struct comback_want){n + i, 0};
    status = comback_rebuild(s, want, count, keep_state, &p);
    for (uint64_t i = 0; i < count && !status; i++) {
      const uint32_t *state = p.states + i * s->stride;
      comback_window_add(&s->known, n + i, state);
      status = hear(context, n + i, state) ? -1 : 0;
    }
  }
  blocks_free(&s->blocks, want);
  blocks_free(&s->blocks, p.states);
  return status;
}

static int comback_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct comback *s = (struct comback *)base;
  comback_known_drop(&s->known);
  if (consume && !(s->variants & COMBACK_SETS)) fragments_close(&s->table);
  int status = comback_tell_all(s, hear, context);
  comback_known_drop(&s->known);
  return status;
}

/* ---- life -------------------------------------------------------------------------------------- */

static uint64_t comback_count(const struct store *base) { return ((const struct comback *)base)->tree.count; }

static size_t comback_bytes(const struct store *base) {
  const struct comback *s = (const struct comback *)base;
  return sizeof *s + s->blocks.bytes + comback_tree_bytes(&s->tree) + s->known.roots.held;
}

static void comback_close(struct store *base) {
  if (!base) return;
  struct comback *s = (struct comback *)base;
  fragments_close(&s->table);
  comback_tree_close(&s->tree);
  comback_close_width(s, &s->blocks);
  blocks_free(&s->blocks, s->want);
  mem_free(s->blocks.mem, s);
}

static int comback_open(struct store **out, const struct store_setup *setup) {
  if (!setup->model) return -1;
  struct comback *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_comback;
  s->blocks.mem = setup->mem;
  s->stats = setup->stats ? setup->stats : &s->no_stats;
  s->model = setup->model;
  s->depth_first = setup->depth_first;
  s->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  s->cache = setup->options ? setup->options->cache : 0;
  int status = choose_variants(s, setup);
  s->base.stiff = (s->variants & COMBACK_SETS) != 0;
  fragments_open(&s->table, &s->blocks);
  comback_tree_open(&s->tree, &s->blocks, (s->variants & COMBACK_CLASSIC) != 0, (s->variants & COMBACK_PATH) != 0);
  if (comback_open_width(s, setup->words, setup->bits)) status = -1;
  comback_open_table(s, &s->table);
  s->want_room = FIRST_WANTS;
  s->want = blocks_alloc(&s->blocks, s->want_room * sizeof *s->want);
  if (status || !s->want) {
    comback_close(&s->base);
    return -1;
  }
  *out = &s->base;
  return 0;
}

const struct store_type store_comback = {
    .name = "comback",
    .summary = "steps instead of states, found again to compare: exact, about 5 bytes per state whatever the vector",
    .caps = STORE_EXACT | STORE_GET | STORE_ORDER | STORE_COSTLY | STORE_REWRITE,
    .batch = BATCH,
    .open = comback_open,
    .put_batch = comback_put_batch,
    .find_batch = comback_find_batch,
    .get = comback_get,
    .get_batch = comback_get_batch,
    .origin = comback_origin,
    .adopt = comback_adopt,
    .rewrite = comback_rewrite,
    .each = comback_each,
    .count = comback_count,
    .bytes = comback_bytes,
    .close = comback_close,
};
