/* symmetry.c -- markings that are alike: one becomes the other by exchanging colours.
 *
 * symmetry_sorts.h says which colours may be exchanged: any permutation of them, everywhere in a marking, leads to one that goes on in the same way, step for step.  What stands for a marking is found by putting the
 * colours in an order that does not depend on what they are called (model/canonical.h): colours are nodes, tokens are facts about the colours in them.  "There are two tokens (a, 5, b) in place P" says the same of a and b
 * whatever they are.  The colours then take the values of their sort in that order.
 *
 * A state has numbers of multisets, not multisets.  A permutation makes other multisets of them, which get numbers as any others do; the last ones are remembered by permutation, place and number.
 *
 * Places that are implied by others (implied.h) follow in the permuted state as they did before, if what implies them is the same for all colours.  That is asked once; a place for which it is not so gets a field
 * of its own before anything is permuted.  Places that are cut (slice.h) are put together, permuted, and cut again.
 *
 * Where ties are left that are too many to be tried, markings that are alike may keep different ones that stand for them; so a path is led back by what was exchanged on it (model.h: follow). */
#include "colour/symmetry_sorts.h"

#include "model/canonical.h"

#include <stdio.h>
#include <string.h>

enum { CLASS_NONE = UINT32_MAX, KEPT = 1 << 13, ORDERS = 1 << 9, DEEPEST = 20000 };

struct token { /* what a colour is, without the values that may be exchanged; and those, from the left */
  uint64_t shape;
  uint32_t atom, atoms;
};

struct class { /* places of one type */
  struct ml_type *type;
  uint32_t *token; /* per number of a value: + 1; 0 = not looked at yet */
  size_t room;
};

struct piece { /* a field of the state that holds such colours */
  uint32_t field, place;
};

struct kept { /* what a permutation makes of something; it forgets */
  uint32_t order, of, number, result;
};

struct order { /* a permutation that has a number: never the same number for another one */
  uint32_t number;
  uint32_t *to;
};

struct symmetry {
  struct model_likeness base;
  struct mem *mem;
  struct colour_model *m;
  struct colour_sorts sorts;
  uint32_t nodes;
  uint32_t *node;  /* per value of all sorts: SORT_NO_NODE = it is told from the others */
  uint32_t *value; /* per node */
  uint64_t *kind;  /* per node: its colour at first */
  uint32_t *class_of; /* per place */
  struct vec(struct class) class;
  struct vec(struct token) token;
  struct vec(uint32_t) atom;
  struct vec(uint32_t) odd; /* places that must be kept before anything is exchanged */
  struct ml_heap *heap;
  struct canonical canonical;
  struct vec(struct piece) piece;
  unsigned serial; /* of the layout that the pieces are of */
  uint64_t *lane;
  size_t lanes;
  uint32_t *to, *rank, *real, *inverse; /* permutations of nodes; real: of a path that is followed, from its names to the real ones */
  struct kept *values, *bags;
  struct order *orders;
  uint32_t order, order_count; /* the one at hand */
  bag_words made;
  bag_words *cut; /* per slice of a place */
  size_t cuts;
};

static struct symmetry *of(struct model_likeness *l) { return (struct symmetry *)l; }

/* ---- colours ------------------------------------------------------------------------------------------------------------------ */

/* The node of a value of a sort; SORT_NO_NODE: it is told from the others. */
static uint32_t node_of(const struct symmetry *y, const struct colour_sort *s, ml_value v) {
  int64_t index = ml_is_int(v) ? ml_to_int(v) : ml_to_int(ml_block(v)->field[1]);
  if (index < s->low || index >= s->low + (int64_t)s->values) return SORT_NO_NODE;
  return y->node[s->first + (uint32_t)(index - s->low)];
}

static const struct colour_sort *sort_in(const struct symmetry *y, const struct ml_type *t) { return t->kind == ML_TYPE_DATA ? colour_sort_of(&y->sorts, t->data) : NULL; }

static int decode(struct symmetry *y, struct ml_type *type, ml_value v, uint64_t *shape, unsigned depth) {
  struct ml_type *t = ml_type_find(type);
  const struct colour_sort *s = sort_in(y, t);
  if (depth > DEEPEST) return -1;
  if (s) {
    uint32_t node = node_of(y, s, v);
    *shape = hash_pair(*shape, node == SORT_NO_NODE ? ml_value_hash(v) : 1);
    return node != SORT_NO_NODE && vec_push(&y->atom, y->mem, MEM_SEARCH, node) ? -1 : 0;
  }
  if (ml_is_int(v) || !colour_sorts_in(&y->sorts, t)) {
    *shape = hash_pair(*shape, ml_value_hash(v));
    return 0;
  }
  if (inscription_is_list(t)) {
    for (; !ml_is_int(v); v = ml_block(v)->field[1]) {
      *shape = hash_pair(*shape, 2);
      if (decode(y, t->part[0], ml_block(v)->field[0], shape, depth + 1)) return -1;
    }
    *shape = hash_pair(*shape, 3);
    return 0;
  }
  if (t->kind == ML_TYPE_DATA) { /* a constructor and what it is of */
    uint32_t constructor = (uint32_t)ml_to_int(ml_block(v)->field[0]);
    *shape = hash_pair(*shape, 5 + (uint64_t)constructor);
    return decode(y, inscription_argument(t, constructor), ml_block(v)->field[1], shape, depth + 1);
  }
  *shape = hash_pair(*shape, 4);
  for (uint32_t i = 0; i < t->parts; i++)
    if (decode(y, t->part[i], ml_block(v)->field[i], shape, depth + 1)) return -1;
  return 0;
}

/* What a colour is; NULL: memory. */
static const struct token *token_of(struct symmetry *y, uint32_t class, uint32_t value) {
  struct class *c = &y->class.at[class];
  if (value >= c->room) {
    size_t room = c->room ? c->room : 64;
    while (room <= value) room *= 2;
    uint32_t *more = mem_resize(y->mem, MEM_SEARCH, c->token, room * sizeof *more);
    if (!more) return NULL;
    memset(more + c->room, 0, (room - c->room) * sizeof *more);
    c->token = more;
    c->room = room;
  }
  if (!c->token[value]) {
    struct token t = {.atom = (uint32_t)y->atom.count};
    if (decode(y, c->type, values_word(&y->m->net->values, value), &t.shape, 0)) return NULL;
    t.atoms = (uint32_t)y->atom.count - t.atom;
    if (vec_push(&y->token, y->mem, MEM_SEARCH, t)) return NULL;
    c->token[value] = (uint32_t)y->token.count;
  }
  return &y->token.at[c->token[value] - 1];
}

struct permuting {
  struct symmetry *y;
  const uint32_t *to;
};

static ml_value permute_atom(void *context, const struct ml_data *data, ml_value v) {
  const struct permuting *p = context;
  const struct colour_sort *s = colour_sort_of(&p->y->sorts, data);
  uint32_t node = s ? node_of(p->y, s, v) : SORT_NO_NODE;
  if (node == SORT_NO_NODE || p->to[node] == node) return v;
  return colour_named_value(v, s->low + (int64_t)(p->y->value[p->to[node]] - s->first), p->y->heap);
}

/* ---- permutations --------------------------------------------------------------------------------------------------------------- */

static struct kept *slot_of(struct kept *table, uint32_t order, uint32_t what, uint32_t number) {
  return &table[hash_pair((uint64_t)order << 32 | what, number) & (KEPT - 1)];
}

/* The permutation gets a number, by which is remembered what it did. */
static int use(struct symmetry *y, const uint32_t *to) {
  struct order *o = &y->orders[hash_bytes(to, y->nodes * sizeof *to) & (ORDERS - 1)];
  if (!o->to && !(o->to = mem_alloc(y->mem, MEM_SEARCH, ((size_t)y->nodes + 1) * sizeof *to))) return -1;
  if (!o->number || memcmp(o->to, to, y->nodes * sizeof *to) != 0) {
    memcpy(o->to, to, y->nodes * sizeof *to);
    if (++y->order_count == UINT32_MAX) { /* begin again: nothing is known of anybody */
      for (size_t i = 0; i < ORDERS; i++) y->orders[i].number = 0;
      memset(y->values, 0, KEPT * sizeof *y->values);
      memset(y->bags, 0, KEPT * sizeof *y->bags);
      y->order_count = 1;
    }
    o->number = y->order_count;
  }
  y->order = o->number;
  return 0;
}

/* The number of the value that it makes of one; VALUES_NONE: memory. */
static uint32_t permute_value(struct symmetry *y, uint32_t class, uint32_t value, const uint32_t *to) {
  const struct token *t = token_of(y, class, value);
  int moves = 0;
  if (!t) return VALUES_NONE;
  for (uint32_t i = 0; i < t->atoms && !moves; i++) moves = to[y->atom.at[t->atom + i]] != y->atom.at[t->atom + i];
  if (!moves) return value;
  struct kept *k = slot_of(y->values, y->order, class, value);
  if (k->order == y->order && k->of == class && k->number == value) return k->result;
  struct values *values = &y->m->net->values;
  ml_value made = colour_map_value(y->class.at[class].type, values_word(values, value), y->heap, permute_atom, &(struct permuting){y, to}, 0);
  uint32_t number = made ? values_keep(values, made) : VALUES_NONE;
  ml_heap_clear(y->heap);
  if (number != VALUES_NONE) *k = (struct kept){y->order, class, value, number};
  return number;
}

static int64_t time_of(const struct bags *b, const uint32_t *entry) { return b->each == 4 ? bag_time(entry) : 0; }

/* The number of the bag of a place that it makes of one; BAGS_NONE: memory. */
static uint32_t permute_bag(struct symmetry *y, uint32_t place, uint32_t number, const uint32_t *to) {
  struct kept *k = slot_of(y->bags, y->order, place, number);
  if (k->order == y->order && k->of == place && k->number == number) return k->result;
  struct bags *bags = &y->m->net->places.at[place].markings;
  struct bag bag = bags_at(bags, number);
  y->made.count = 0;
  for (size_t e = 0; e < bag.words; e += bags->each) {
    uint32_t value = permute_value(y, y->class_of[place], bag.at[e], to);
    if (value == VALUES_NONE || bag_add(bags, &y->made, value, bag.at[e + 1], time_of(bags, bag.at + e))) return BAGS_NONE;
  }
  uint32_t result = bags_put(bags, y->made.at, y->made.count);
  if (result != BAGS_NONE) *k = (struct kept){y->order, place, number, result};
  return result;
}

static int put_number(struct symmetry *y, struct colour_cursor *c, uint32_t field, uint32_t old, uint32_t now) {
  const struct fields *l = y->m->layout;
  if (!fields_fits(l, field, now)) {
    c->misfit = field;
    return -1;
  }
  fields_change(l, y->lane, field, old, now);
  return 0;
}

/* A place that is cut. */
static enum model_answer permute_slices(struct symmetry *y, struct colour_cursor *c, uint32_t place, const uint32_t *to) {
  struct implied *im = &y->m->implied;
  struct implied_place *p = &im->place[place];
  const struct net *net = y->m->net;
  if (p->slices > y->cuts) {
    bag_words *more = mem_resize(y->mem, MEM_SEARCH, y->cut, p->slices * sizeof *more);
    if (!more) return MODEL_MEMORY;
    memset(more + y->cuts, 0, (p->slices - y->cuts) * sizeof *more);
    y->cut = more;
    y->cuts = p->slices;
  }
  for (uint32_t s = 0; s < p->slices; s++) y->cut[s].count = 0;
  for (uint32_t s = 0; s < p->slices; s++) {
    struct bags *bags = &net_field_place(net, p->slice + s)->markings;
    struct bag bag = bags_at(bags, fields_get(y->m->layout, y->lane, p->slice + s));
    for (size_t e = 0; e < bag.words; e += 2) {
      uint32_t value = permute_value(y, y->class_of[place], bag.at[e], to);
      uint32_t cell = value == VALUES_NONE ? 0 : implied_cell(im, place, value);
      if (value == VALUES_NONE) return MODEL_MEMORY;
      if (cell == IMPLIED_NONE) { /* a colour that belongs to no slice: the place is kept in one piece from now on */
        implied_breaks(im, place);
        c->misfit = place;
        return MODEL_WIDEN;
      }
      if (bag_add(bags, &y->cut[p->slice_of[cell - p->first]], value, bag.at[e + 1], 0)) return MODEL_MEMORY;
    }
  }
  for (uint32_t s = 0; s < p->slices; s++) {
    uint32_t field = p->slice + s, number = bags_put(&net_field_place(net, field)->markings, y->cut[s].at, y->cut[s].count);
    if (number == BAGS_NONE) return MODEL_MEMORY;
    if (put_number(y, c, field, fields_get(y->m->layout, y->lane, field), number)) return MODEL_WIDEN;
  }
  return MODEL_OK;
}

/* The state in y->lane is permuted, into `out`. */
static enum model_answer permute(struct symmetry *y, struct colour_cursor *c, const uint32_t *to, uint32_t *out) {
  if (use(y, to)) return MODEL_MEMORY;
  for (size_t i = 0; i < y->piece.count; i++) {
    const struct piece *p = &y->piece.at[i];
    enum model_answer answer = MODEL_OK;
    if (p->field >= y->m->net->places.count) answer = p->field == y->m->implied.place[p->place].slice ? permute_slices(y, c, p->place, to) : MODEL_OK;
    else {
      uint32_t old = fields_get(y->m->layout, y->lane, p->field), now = permute_bag(y, p->place, old, to);
      if (now == BAGS_NONE) return MODEL_MEMORY;
      if (put_number(y, c, p->field, old, now)) answer = MODEL_WIDEN;
    }
    if (answer != MODEL_OK) return answer;
  }
  memcpy(out, y->lane, y->m->layout->words * sizeof *out);
  return MODEL_OK;
}

/* ---- the order of colours --------------------------------------------------------------------------------------------------------- */

/* Fields that hold colours that may be exchanged: of the layout as it is now. */
static enum model_answer look(struct symmetry *y) {
  const struct colour_model *m = y->m;
  for (size_t i = 0; i < y->odd.count; i++)
    if (implied_has(&m->implied, y->odd.at[i])) return MODEL_WIDEN;
  if (y->serial == m->serial && y->piece.count) return MODEL_OK;
  y->serial = m->serial;
  y->piece.count = 0;
  if (m->layout->lanes > y->lanes) {
    uint64_t *lane = mem_resize(y->mem, MEM_SEARCH, y->lane, ((size_t)m->layout->lanes + 1) * sizeof *lane);
    if (!lane) return MODEL_MEMORY;
    y->lane = lane;
    y->lanes = m->layout->lanes;
  }
  for (uint32_t p = 0; p < m->net->places.count; p++) {
    uint32_t first = p, parts = 1;
    if (y->class_of[p] == CLASS_NONE) continue;
    if (implied_has(&m->implied, p)) first = m->implied.place[p].slice, parts = m->implied.place[p].slices;
    for (uint32_t f = first; f < first + parts; f++)
      if (vec_push(&y->piece, y->mem, MEM_SEARCH, ((struct piece){f, p}))) return MODEL_MEMORY;
  }
  return MODEL_OK;
}

/* What a token says of the colours in it. */
static void say(struct symmetry *y, const struct token *t, uint64_t what) {
  const uint32_t *atom = y->atom.at + t->atom;
  if (!t->atoms) return;
  if (t->atoms <= FACT_NODES) {
    canonical_say(&y->canonical, what, atom, t->atoms);
    return;
  }
  uint32_t pair[2] = {canonical_node(&y->canonical, what, 0), 0}; /* the token is a node of its own */
  for (uint32_t i = 0; i < t->atoms && !y->canonical.failed; i++) {
    pair[1] = atom[i];
    canonical_say(&y->canonical, i + 1, pair, 2);
  }
}

/* Finds y->to for the state in y->lane: 1: it changes something; 0; -1: memory. */
static int find_order(struct symmetry *y) {
  const struct net *net = y->m->net;
  canonical_clear(&y->canonical);
  for (uint32_t n = 0; n < y->nodes; n++) canonical_node(&y->canonical, y->kind[n], 1);
  if (y->canonical.failed) return -1;
  for (size_t i = 0; i < y->piece.count; i++) {
    const struct piece *p = &y->piece.at[i];
    const struct bags *bags = &net_field_place(net, p->field)->markings;
    struct bag bag = bags_at(bags, fields_get(y->m->layout, y->lane, p->field));
    for (size_t e = 0; e < bag.words; e += bags->each) {
      const struct token *t = token_of(y, y->class_of[p->place], bag.at[e]);
      if (!t) return -1;
      say(y, t, hash_pair(hash_pair(p->place + 1, t->shape), hash_pair(bag.at[e + 1], (uint64_t)time_of(bags, bag.at + e))));
    }
  }
  if (canonical_order(&y->canonical)) return -1;
  const uint64_t *colour = y->canonical.colour.at;
  int moves = 0;
  for (uint32_t first = 0, end; first < y->nodes; first = end) { /* those of a block are neighbours */
    for (end = first; end < y->nodes && y->kind[end] == y->kind[first]; end++) {
      uint32_t k = end;
      for (; k > first && colour[y->rank[k - 1]] > colour[end]; k--) y->rank[k] = y->rank[k - 1];
      y->rank[k] = end;
    }
    for (uint32_t k = first; k < end; k++) {
      y->to[y->rank[k]] = k;
      moves |= y->rank[k] != k;
    }
  }
  return moves;
}

static enum model_answer apply(struct model_likeness *l, struct model_cursor *cursor, uint32_t *state) {
  struct symmetry *y = of(l);
  enum model_answer answer = look(y);
  if (answer != MODEL_OK) return answer;
  fields_lanes(y->m->layout, state, y->lane);
  int moves = find_order(y);
  if (moves <= 0) return moves ? MODEL_MEMORY : MODEL_OK;
  return permute(y, (struct colour_cursor *)cursor, y->to, state);
}

static int follow_begin(struct model_likeness *l) {
  struct symmetry *y = of(l);
  for (uint32_t n = 0; n < y->nodes; n++) y->real[n] = n;
  return 0;
}

/* `real` leads from the names of the path to the real ones; what stands for the state has other names again. */
static enum model_answer follow(struct model_likeness *l, struct model_cursor *cursor, const uint32_t *state, uint32_t *real) {
  struct symmetry *y = of(l);
  enum model_answer answer = look(y);
  if (answer != MODEL_OK) return answer;
  fields_lanes(y->m->layout, state, y->lane);
  answer = permute(y, (struct colour_cursor *)cursor, y->real, real);
  if (answer != MODEL_OK) return answer;
  fields_lanes(y->m->layout, state, y->lane);
  if (find_order(y) < 0) return MODEL_MEMORY;
  for (uint32_t n = 0; n < y->nodes; n++) y->inverse[y->to[n]] = y->real[n];
  memcpy(y->real, y->inverse, y->nodes * sizeof *y->real);
  return MODEL_OK;
}

/* ---- implied places ------------------------------------------------------------------------------------------------------------- */

/* The cell of a place that one becomes; IMPLIED_NONE: it has none, or (*bad) memory. */
static uint32_t image(struct symmetry *y, uint32_t place, uint32_t cell, const uint32_t *to, int *bad) {
  const struct implied *im = &y->m->implied;
  if (y->class_of[place] == CLASS_NONE) return cell;
  uint32_t value = permute_value(y, y->class_of[place], im->value[cell], to);
  *bad |= value == VALUES_NONE;
  return value == VALUES_NONE ? IMPLIED_NONE : implied_cell(im, place, value);
}

/* Does the cell of the source say of the place what its image says of the images? */
static int same_terms(struct symmetry *y, uint32_t place, uint32_t cell, uint32_t other, const uint32_t *to, int *bad) {
  const struct implied_place *p = &y->m->implied.place[place];
  if (p->start[cell] == p->start[cell + 1]) return 1; /* its image is asked as well, by a permutation that leads back */
  if (other == IMPLIED_NONE || p->start[other + 1] - p->start[other] != p->start[cell + 1] - p->start[cell]) return 0;
  for (uint32_t t = p->start[cell]; t < p->start[cell + 1]; t++) {
    uint32_t want = image(y, place, p->first + p->term[t].cell, to, bad), u = p->start[other];
    while (u < p->start[other + 1] && (want == IMPLIED_NONE || p->term[u].cell != want - p->first || p->term[u].weight != p->term[t].weight)) u++;
    if (u == p->start[other + 1]) return 0;
  }
  return 1;
}

/* Is what implies the place the same after an exchange? 1, 0, -1: memory. */
static int respects(struct symmetry *y, uint32_t place, const uint32_t *to) {
  const struct implied *im = &y->m->implied;
  const struct implied_place *p = &im->place[place];
  int bad = 0, good = 1;
  for (uint32_t c = 0; c < p->cells && good; c++) {
    uint32_t other = image(y, place, p->first + c, to, &bad);
    good = other == IMPLIED_NONE ? !p->constant[c] : p->constant[other - p->first] == p->constant[c];
  }
  for (uint32_t s = 0; s < p->sources && good; s++) {
    const struct implied_place *q = &im->place[p->source[s]];
    for (uint32_t c = q->first; c < q->first + q->cells && good; c++) good = same_terms(y, place, c, image(y, p->source[s], c, to, &bad), to, &bad);
  }
  return bad ? -1 : good;
}

uint32_t colour_symmetry_exchanges(const struct model_likeness *l) { return ((const struct symmetry *)l)->nodes ? ((const struct symmetry *)l)->nodes - 1 : 0; }

/* The neighbours n and n + 1; of two sorts they stay where they are. */
static int exchange_neighbours(struct symmetry *y, uint32_t n) {
  for (uint32_t k = 0; k < y->nodes; k++) y->to[k] = y->kind[n] != y->kind[n + 1] ? k : k == n ? n + 1 : k == n + 1 ? n : k;
  return use(y, y->to);
}

uint32_t colour_symmetry_exchange(struct model_likeness *l, uint32_t exchange, uint32_t place, uint32_t value) {
  struct symmetry *y = of(l);
  if (y->class_of[place] == CLASS_NONE) return value;
  return exchange_neighbours(y, exchange) ? VALUES_NONE : permute_value(y, y->class_of[place], value, y->to);
}

/* Places that are implied in another way for each colour must be kept: exchanges of neighbours make all permutations. */
static int find_odd(struct symmetry *y) {
  struct implied *im = &y->m->implied;
  for (uint32_t p = 0; im->dropped && p < y->m->net->places.count; p++) {
    int good = 1;
    if (!implied_has(im, p) || im->place[p].slices) continue; /* what is cut is put together again */
    for (uint32_t n = 0; n + 1 < y->nodes && good > 0; n++) {
      if (y->kind[n] != y->kind[n + 1]) continue;
      good = exchange_neighbours(y, n) ? -1 : respects(y, p, y->to);
    }
    if (good < 0) return -1;
    if (good) continue;
    implied_breaks(im, p);
    if (vec_push(&y->odd, y->mem, MEM_SEARCH, p)) return -1;
  }
  return 0;
}

/* ---- opening --------------------------------------------------------------------------------------------------------------------- */

static void close_symmetry(struct model_likeness *l) {
  struct symmetry *y = of(l);
  if (!y) return;
  struct mem *mem = y->mem;
  for (size_t i = 0; i < y->class.count; i++) mem_free(mem, y->class.at[i].token);
  for (size_t i = 0; i < ORDERS && y->orders; i++) mem_free(mem, y->orders[i].to);
  for (size_t i = 0; i < y->cuts; i++) vec_free(&y->cut[i], y->m->net->mem);
  vec_free(&y->made, y->m->net->mem); /* bags grow by the net's own memory */
  vec_free(&y->class, mem);
  vec_free(&y->token, mem);
  vec_free(&y->atom, mem);
  vec_free(&y->odd, mem);
  vec_free(&y->piece, mem);
  mem_free(mem, y->node);
  mem_free(mem, y->value);
  mem_free(mem, y->kind);
  mem_free(mem, y->class_of);
  mem_free(mem, y->lane);
  mem_free(mem, y->to);
  mem_free(mem, y->rank);
  mem_free(mem, y->real);
  mem_free(mem, y->inverse);
  mem_free(mem, y->values);
  mem_free(mem, y->bags);
  mem_free(mem, y->orders);
  mem_free(mem, y->cut);
  if (y->heap) ml_heap_close(y->heap);
  canonical_close(&y->canonical);
  colour_sorts_close(&y->sorts);
  mem_free(mem, y);
}

static int number_values(struct symmetry *y) {
  struct mem *mem = y->mem;
  size_t room = (size_t)y->sorts.alike + 1;
  y->node = mem_alloc(mem, MEM_SEARCH, ((size_t)y->sorts.nodes + 1) * sizeof *y->node);
  y->value = mem_alloc(mem, MEM_SEARCH, room * sizeof *y->value);
  y->kind = mem_alloc(mem, MEM_SEARCH, room * sizeof *y->kind);
  y->to = mem_alloc(mem, MEM_SEARCH, room * sizeof *y->to);
  y->rank = mem_alloc(mem, MEM_SEARCH, room * sizeof *y->rank);
  y->real = mem_alloc(mem, MEM_SEARCH, room * sizeof *y->real);
  y->inverse = mem_alloc(mem, MEM_SEARCH, room * sizeof *y->inverse);
  y->values = mem_alloc(mem, MEM_SEARCH, KEPT * sizeof *y->values);
  y->bags = mem_alloc(mem, MEM_SEARCH, KEPT * sizeof *y->bags);
  y->orders = mem_alloc(mem, MEM_SEARCH, ORDERS * sizeof *y->orders);
  if (!y->node || !y->value || !y->kind || !y->to || !y->rank || !y->real || !y->inverse || !y->values || !y->bags || !y->orders || ml_heap_open(&y->heap, mem)) return -1;
  for (uint32_t i = 0; i < y->sorts.nodes; i++) y->node[i] = SORT_NO_NODE;
  for (size_t s = 0; s < y->sorts.sort.count; s++) {
    const struct colour_sort *sort = &y->sorts.sort.at[s];
    for (uint32_t first = 0; first < sort->values && sort->alike; first++)
      for (uint32_t v = first; v < sort->values; v++) { /* block by block */
        if (sort->block[v] != first || sort->told[v]) continue;
        y->node[sort->first + v] = y->nodes;
        y->value[y->nodes] = sort->first + v;
        y->kind[y->nodes++] = hash_pair(s + 1, first);
      }
  }
  return 0;
}

/* 0; 1: a place holds what nobody can look into; -1: memory. */
static int classify(struct symmetry *y, uint32_t *odd) {
  const struct net *net = y->m->net;
  y->class_of = mem_alloc(y->mem, MEM_SEARCH, (net->places.count + 1) * sizeof *y->class_of);
  if (!y->class_of) return -1;
  for (uint32_t p = 0; p < net->places.count; p++) {
    struct ml_type *type = ml_type_find(net->places.at[p].colset->type);
    int holds = colour_sorts_in(&y->sorts, type);
    uint32_t c = 0;
    *odd = p;
    if (holds < 0) return 1;
    while (c < y->class.count && y->class.at[c].type != type) c++;
    if (holds && c == y->class.count && vec_push(&y->class, y->mem, MEM_SEARCH, (struct class){.type = type})) return -1;
    y->class_of[p] = holds ? c : CLASS_NONE;
  }
  return 0;
}

static uint32_t blocks_of(const struct colour_sort *s) {
  uint32_t count = 0;
  for (uint32_t v = 0; v < s->values; v++) count += s->block[v] == v && !s->told[v];
  return count;
}

/* "3 values of P, 5 of Q in 2 kinds" */
static void describe(struct symmetry *y) {
  size_t used = 0, room = sizeof y->base.text;
  for (size_t s = 0; s < y->sorts.sort.count; s++) {
    const struct colour_sort *sort = &y->sorts.sort.at[s];
    if (!sort->alike || used + 80 > room) continue;
    used += (size_t)snprintf(y->base.text + used, room - used, "%s%u %s %.30s", used ? ", " : "", sort->alike, used ? "of" : "values of", sort->name);
    if (blocks_of(sort) > 1) used += (size_t)snprintf(y->base.text + used, room - used, " in %u kinds", blocks_of(sort));
  }
}

/* Why nothing may be exchanged. */
static void excuse(const struct symmetry *y, char *why, size_t room) {
  if (!y->sorts.sort.count) snprintf(why, room, "no place holds values of an enumeration, an index set or a scalarset");
  for (size_t s = y->sorts.sort.count; s-- > 0;) snprintf(why, room, "values of %.40s are not alike: %s", y->sorts.sort.at[s].name, y->sorts.sort.at[s].why);
}

static int open_symmetry(struct model_likeness **out, const struct model *base, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  struct symmetry *y = mem_alloc(mem, MEM_SEARCH, sizeof *y);
  uint32_t odd;
  *out = NULL;
  if (!y) return -1;
  y->base.type = &colour_symmetry;
  y->mem = y->canonical.mem = mem;
  y->m = (struct colour_model *)(uintptr_t)base; /* markings and values that it has not met yet get numbers */
  int status = colour_sorts_find(&y->sorts, y->m, aims, mem) ? -1 : 0;
  if (!status && !y->sorts.alike) {
    excuse(y, why, room);
    status = 1;
  }
  if (!status) status = number_values(y);
  if (!status && (status = classify(y, &odd)) > 0) snprintf(why, room, "nobody can tell which values are in %.80s", y->m->net->places.at[odd].name);
  if (!status) status = find_odd(y);
  if (status) {
    close_symmetry(&y->base);
    return status;
  }
  describe(y);
  *out = &y->base;
  return 0;
}

const struct model_likeness_type colour_symmetry = {"symmetry", open_symmetry, apply, close_symmetry, follow_begin, follow};
