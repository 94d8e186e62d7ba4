/* dfa.c -- the smallest automaton that accepts the states.
 *
 * A state is a word of L letters, LETTER bits each.  The set of states is a finite language whose words have all the same length;
 * its minimal deterministic automaton has no cycles, and a node's distance from the end is known.  It may have far fewer nodes
 * than there are states: what counts is how regular the set is, not how large.
 *
 *   node   | child on letter 0 | 1 | 2 | 3 | uses | next |     six 32-bit numbers; child 0 = no word goes on like that
 *   heads  chains of nodes with the same hash of their children
 *
 * Minimal means that no two nodes have the same children, so all nodes are in one hash table (nodes of different layers cannot be
 * equal: their children lie in different layers, and none is without children).  `uses` counts the nodes that lead to a node.
 *
 * A new word is added from its end to its start: for each letter the node that the word comes by, with the child changed, is
 * looked for in the table.
 *   - It is there: that is the child for the letter before.
 *   - It is not, and the node is used along other words too, or there was none: a copy becomes a new node.
 *   - It is not, and the node is used by this word alone: it is changed in place, and the word is in.  Nothing above has changed.
 * So the automaton stays minimal after every word, and most words change only a few nodes near the end.  Nodes that nobody uses
 * any more are free for others.
 *
 * A batch is looked up in lockstep, a letter of all its states at a time, so that their cache misses overlap; those not found are
 * added one by one.
 *
 * Letters of 2 bits: with 1 bit it took 1.4 times the memory and twice the time, with 4 bits 1.2 to 1.4 times the memory (a node
 * has 16 children then, mostly none) and a sixth less time.
 *
 * Words cannot be numbered (a number would change whenever a smaller word comes), so there is no get; each walks along all paths.
 * The ref of a state is its hash, which serves as a name in events and nowhere else.
 *
 * After Holzmann and Puri: A Minimized Automaton Representation of Reachable States (STTT 1999), SPIN's -DMA; the way to add a
 * word is that of Carrasco and Forcada, for words of one length.  SPIN's letters are bytes and its edges are ranges of letters.
 */
#include "store/store.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/stats.h"

#include <string.h>

enum { LETTER = 2, LETTERS = 1 << LETTER, CHUNK = 32, END = 1, FIRST_HEADS = 256, FIRST_NODES = 64 };

struct node {
  uint32_t child[LETTERS];
  uint32_t uses;
  uint32_t next; /* in its chain, or among the free ones */
};

struct dfa {
  struct store base;
  struct mem *mem;
  struct stats *stats, no_stats;
  uint32_t words, length; /* of a state: words; letters */
  uint64_t count;
  uint32_t root;       /* 0: nothing is accepted */
  uint32_t free, live; /* first free node; nodes in the table */
  uint64_t used, room; /* nodes ever used, with 0 and END; nodes that there is memory for */
  uint64_t heads;
  uint64_t hash_mask;
  struct region nodes, head;
  uint32_t *path; /* of the word that is being added: length + 1 nodes */
};

static inline struct node *node_at(const struct dfa *s, uint32_t id) { return (struct node *)(void *)s->nodes.base + id; }
static inline uint32_t *head_at(const struct dfa *s, uint64_t i) { return (uint32_t *)(void *)s->head.base + i; }

static inline unsigned letter(const uint32_t *state, uint32_t k) {
  return state[k * LETTER / 32] >> k * LETTER % 32 & (LETTERS - 1);
}

/* ---- the table ----------------------------------------------------------------------- */

static inline uint64_t chain_of(const struct dfa *s, const uint32_t *child) {
  uint64_t h = 0;
  for (unsigned i = 0; i < LETTERS; i += 2) h = hash_mix(h + (child[i] | (uint64_t)child[i + 1] << 32) + 0x9e3779b97f4a7c15u);
  return hash_slot(h & s->hash_mask, s->heads);
}

static inline uint32_t find_node(const struct dfa *s, const uint32_t *child, uint64_t chain) {
  for (uint32_t id = *head_at(s, chain); id; id = node_at(s, id)->next)
    if (memcmp(node_at(s, id)->child, child, sizeof node_at(s, id)->child) == 0) return id;
  return 0;
}

static inline void link_node(struct dfa *s, uint32_t id, uint64_t chain) {
  node_at(s, id)->next = *head_at(s, chain);
  *head_at(s, chain) = id;
}

static void unlink_node(struct dfa *s, uint32_t id) {
  uint32_t *at = head_at(s, chain_of(s, node_at(s, id)->child));
  while (*at != id) at = &node_at(s, *at)->next;
  *at = node_at(s, id)->next;
}

static int set_heads(struct dfa *s, uint64_t heads) {
  if (region_resize(&s->head, heads * sizeof(uint32_t))) return -1;
  s->heads = heads;
  region_clear(&s->head);
  for (uint64_t id = END + 1; id < s->used; id++)
    if (node_at(s, (uint32_t)id)->uses) link_node(s, (uint32_t)id, chain_of(s, node_at(s, (uint32_t)id)->child));
  return 0;
}

/* Room for a word's nodes, all of them new. 0, or -1: no memory. */
static int reserve(struct dfa *s) {
  uint64_t need = (uint64_t)s->live + 2 + s->length + 1; /* what is used but not live is free */
  if (need < s->used) need = s->used;
  if (need >= UINT32_MAX) return -1;
  if (need > s->room) {
    uint64_t want = need + need / 8 + FIRST_NODES;
    while (region_resize(&s->nodes, want * sizeof(struct node))) {
      if (want == need) return -1;
      want = need + (want - need) / 2;
    }
    s->nodes.size = s->nodes.held;
    s->room = s->nodes.held / sizeof(struct node);
  }
  if (s->live > s->heads) set_heads(s, s->heads + s->heads / (s->heads < 1 << 16 ? 1 : 2)); /* refused: longer chains */
  return 0;
}

/* ---- nodes --------------------------------------------------------------------------- */

static uint32_t new_node(struct dfa *s, const uint32_t *child, uint64_t chain) {
  uint32_t id = s->free;
  if (id) s->free = node_at(s, id)->next;
  else id = (uint32_t)s->used++;
  struct node *n = node_at(s, id);
  memcpy(n->child, child, sizeof n->child);
  n->uses = 0;
  for (unsigned i = 0; i < LETTERS; i++)
    if (child[i] > END) node_at(s, child[i])->uses++;
  link_node(s, id, chain);
  s->live++;
  return id;
}

/* One use less; nodes without any are free, and use their children no more. */
static void drop(struct dfa *s, uint32_t id) {
  uint32_t gone = 0; /* a list of nodes that have lost their last use, linked by `uses` */
  if (id <= END || --node_at(s, id)->uses) return;
  unlink_node(s, id);
  for (gone = id; gone;) {
    struct node *n = node_at(s, gone);
    uint32_t next = n->uses, this = gone;
    gone = next;
    for (unsigned i = 0; i < LETTERS; i++) {
      uint32_t c = n->child[i];
      if (c <= END || --node_at(s, c)->uses) continue;
      unlink_node(s, c);
      node_at(s, c)->uses = gone;
      gone = c;
    }
    n->uses = 0;
    n->next = s->free;
    s->free = this;
    s->live--;
  }
}

/* ---- words --------------------------------------------------------------------------- */

static int accepts(const struct dfa *s, const uint32_t *state) {
  uint32_t id = s->root;
  for (uint32_t k = 0; k < s->length && id; k++) id = node_at(s, id)->child[letter(state, k)];
  return id != 0;
}

/* Adds a word that is not there. There is room for it. */
static void add(struct dfa *s, const uint32_t *state) {
  uint32_t alone = 0; /* the first so many nodes of the path are used by nothing else */
  s->path[0] = s->root;
  for (uint32_t k = 0; k < s->length; k++) s->path[k + 1] = s->path[k] ? node_at(s, s->path[k])->child[letter(state, k)] : 0;
  while (alone < s->length && s->path[alone] && node_at(s, s->path[alone])->uses == 1) alone++;
  uint32_t child = END;
  s->count++;
  for (uint32_t k = s->length; k-- > 0;) {
    uint32_t to[LETTERS] = {0}, old = s->path[k], x = letter(state, k);
    if (old) memcpy(to, node_at(s, old)->child, sizeof to);
    to[x] = child;
    uint64_t chain = chain_of(s, to);
    uint32_t same = find_node(s, to, chain);
    if (same) {
      child = same;
    } else if (k >= alone) {
      child = new_node(s, to, chain);
    } else {
      unlink_node(s, old);
      node_at(s, old)->child[x] = child;
      link_node(s, old, chain);
      if (child > END) node_at(s, child)->uses++;
      drop(s, s->path[k + 1]);
      return;
    }
  }
  node_at(s, child)->uses++;
  drop(s, s->root);
  s->root = child;
}

/* What a state is called in events: itself if it is short, else its hash. The set is exact all the same: nothing is looked up by
 * name. */
static store_ref name_of(const struct dfa *s, const uint32_t *state) {
  uint64_t name = 0;
  if (s->words <= 2) memcpy(&name, state, s->words * 4);
  else name = hash_bytes(state, (size_t)s->words * 4);
  return name == STORE_NONE ? STORE_NONE - 1 : name;
}

/* Answers whether states first .. first + n - 1 are there, a letter of all at a time. */
static void look(const struct dfa *s, struct store_batch *b, size_t first, size_t n) {
  uint32_t id[CHUNK];
  for (size_t i = 0; i < n; i++) id[i] = s->root;
  for (uint32_t k = 0; k < s->length; k++)
    for (size_t i = 0; i < n; i++) {
      id[i] = node_at(s, id[i])->child[letter(b->states + (first + i) * b->stride, k)]; /* node 0 has no children */
      __builtin_prefetch(node_at(s, id[i]));
    }
  for (size_t i = 0; i < n; i++) {
    b->answer[first + i] = id[i] ? STORE_SEEN : STORE_NEW;
    b->ref[first + i] = name_of(s, b->states + (first + i) * b->stride);
  }
}

static size_t dfa_put_batch(struct store *base, struct store_batch *b, size_t from) {
  struct dfa *s = (struct dfa *)base;
  for (size_t first = from; first < b->count; first += CHUNK) {
    size_t n = b->count - first < CHUNK ? b->count - first : CHUNK;
    look(s, b, first, n);
    for (size_t i = first; i < first + n; i++) {
      if (b->answer[i] == STORE_SEEN) continue;
      const uint32_t *state = b->states + i * b->stride;
      if (accepts(s, state)) { /* a twin came before it in this chunk */
        b->answer[i] = STORE_SEEN;
        continue;
      }
      if (reserve(s)) {
        b->answer[i] = STORE_FULL;
        return i;
      }
      add(s, state);
    }
  }
  s->stats->store_nodes = s->live;
  return b->count;
}

static void dfa_find_batch(struct store *base, struct store_batch *b) {
  for (size_t first = 0; first < b->count; first += CHUNK)
    look((struct dfa *)base, b, first, b->count - first < CHUNK ? b->count - first : CHUNK);
}

/* Along all paths, letters in order. Nothing is given back on the way: nodes belong to many words. */
static int dfa_each(struct store *base, store_hear *hear, void *context, int consume) {
  struct dfa *s = (struct dfa *)base;
  uint32_t *state = mem_alloc(s->mem, MEM_STORE, ((size_t)s->words + 2) * 4), k = 0;
  uint8_t *next = mem_alloc(s->mem, MEM_STORE, (size_t)s->length + 1); /* letter to try at each place */
  int status = state && next ? 0 : -1;
  (void)consume;
  s->path[0] = s->root;
  while (!status && s->root) {
    if (k == s->length) {
      status = hear(context, name_of(s, state), state) ? -1 : 0;
    } else if (next[k] < LETTERS) {
      uint32_t x = next[k]++, shift = k * LETTER % 32, *word = &state[k * LETTER / 32];
      uint32_t child = node_at(s, s->path[k])->child[x];
      *word = (*word & ~((uint32_t)(LETTERS - 1) << shift)) | x << shift;
      if (child) {
        s->path[++k] = child;
        if (k < s->length) next[k] = 0;
      }
      continue;
    }
    if (k-- == 0) break; /* one letter back */
  }
  mem_free(s->mem, next);
  mem_free(s->mem, state);
  return status;
}

/* ---- life ---------------------------------------------------------------------------- */

static uint64_t dfa_count(const struct store *base) { return ((const struct dfa *)base)->count; }

static size_t dfa_bytes(const struct store *base) {
  const struct dfa *s = (const struct dfa *)base;
  return sizeof *s + s->nodes.held + s->head.held + ((size_t)s->length + 1) * sizeof *s->path;
}

static void dfa_close(struct store *base) {
  if (!base) return;
  struct dfa *s = (struct dfa *)base;
  region_close(&s->nodes);
  region_close(&s->head);
  mem_free(s->mem, s->path);
  mem_free(s->mem, s);
}

static int dfa_open(struct store **out, const struct store_setup *setup) {
  struct dfa *s = mem_alloc(setup->mem, MEM_STORE, sizeof *s);
  if (!s) return -1;
  s->base.type = &store_dfa;
  s->mem = setup->mem;
  s->stats = setup->stats ? setup->stats : &s->no_stats;
  s->hash_mask = setup->hash_mask ? setup->hash_mask : UINT64_MAX;
  s->words = setup->words;
  s->length = setup->bits ? (setup->bits + LETTER - 1) / LETTER : 1;
  s->used = END + 1;
  region_open(&s->nodes, s->mem, MEM_STORE);
  region_open(&s->head, s->mem, MEM_STORE);
  s->path = mem_alloc(s->mem, MEM_STORE, ((size_t)s->length + 1) * sizeof *s->path);
  if (!s->path || reserve(s) || set_heads(s, FIRST_HEADS)) {
    dfa_close(&s->base);
    return -1;
  }
  *out = &s->base;
  return 0;
}

const struct store_type store_dfa = {
    .name = "dfa",
    .summary = "the minimal automaton of all states, as SPIN's -DMA: exact, slow, tiny where states are regular",
    .caps = STORE_EXACT,
    .open = dfa_open,
    .put_batch = dfa_put_batch,
    .find_batch = dfa_find_batch,
    .each = dfa_each,
    .count = dfa_count,
    .bytes = dfa_bytes,
    .close = dfa_close,
};
