/* implied_learn.c -- which places are implied: linear algebra over the bindings that are known.
 *
 * Each cell (a colour of a place) is a row, each binding a column: how many tokens it adds there.  A place is implied by others if each of its rows is a sum of theirs.  Rows are reduced modulo the prime
 * 2^31 - 1, and carry along of which cells they were put together; the weights of a sum are read off, must be small whole numbers, and are then proved on every
 * binding in exact arithmetic (`implied_judge`), so that the prime decides nothing.
 *
 *   1  places with few markings first: what the places before it imply is dropped, the others are kept
 *   2  kept places with many markings first: is it implied by the other kept ones (later ones included)?
 *   3  expressions in terms of the kept places
 *
 * so that the widest fields go.  Database managers with 12 keep 34 of 80 bits: who waits, what is on its way, what has arrived.
 *
 * Left out: places with time (their tokens have more than a colour), with reset arcs (no linear effect), with more than 1024 colours.  Work is bounded: a net that is too large for it
 * keeps all places. */
#define _GNU_SOURCE /* qsort_r */
#include "colour/bind.h"
#include "colour/implied.h"

#include <stdlib.h>
#include <string.h>

enum { PRIME = 0x7fffffff, CELLS_MOST = 1024 /* of a place */, ALL_CELLS = 8192, COLUMNS_MOST = 4096, TABLE_MOST = 1 << 20, WEIGHT_MOST = 64 };
static const uint64_t WORK_MOST = 40000000;

struct entry {
  uint32_t at; /* column, or behind all columns: cell */
  uint32_t number;
};

struct basis_row {
  size_t first, count; /* in entries */
};

struct learner {
  struct implied *i;
  const struct net *net;
  const struct bind *b;
  struct mem *mem;
  struct vec(struct entry) rows; /* by cell: (column, number modulo PRIME) */
  size_t *row;                   /* per cell, and one more */
  uint32_t columns;
  struct vec(struct entry) entries; /* of the basis */
  struct vec(struct basis_row) basis;
  uint32_t *pivot;   /* per column: basis row + 1 */
  uint32_t *scratch; /* the row that is being reduced: columns, cells */
  uint32_t *order;   /* places that may be implied */
  size_t places;
  uint8_t *kept, *reset; /* per place; has it a reset arc? */
  uint64_t work;
};

/* ---- cells ------------------------------------------------------------------------------------------------------------------------------- */

static int eligible(const struct learner *l, uint32_t place) { return l->net->places.at[place].markings.each == 2 && !l->reset[place]; }

static void mark(struct implied *i, uint32_t place, struct bag bag) {
  for (size_t e = 0; e < bag.words; e += 2) i->cell[(size_t)place * i->values + bag.at[e]] = 0;
}

static int compare_values(const void *x, const void *y, void *context) { return values_compare(context, *(const uint32_t *)x, *(const uint32_t *)y); }

/* Cells are the colours of initial markings and of effects. 0, 1: too many, -1. */
static int make_cells(struct learner *l) {
  struct implied *i = l->i;
  size_t places = l->net->places.count, values = l->net->values.word.count;
  if (!values || places > TABLE_MOST / values) return 1;
  i->values = (uint32_t)values;
  i->cell = mem_alloc(l->mem, MEM_MODEL, places * values * sizeof *i->cell);
  i->place = mem_alloc(l->mem, MEM_MODEL, (places + 1) * sizeof *i->place);
  i->value = mem_alloc(l->mem, MEM_MODEL, ALL_CELLS * sizeof *i->value);
  l->reset = mem_alloc(l->mem, MEM_MODEL, places + 1);
  if (!i->cell || !i->place || !i->value || !l->reset) return -1;
  for (size_t a = 0; a < l->net->arcs.count; a++) l->reset[l->net->arcs.at[a].place] |= l->net->arcs.at[a].kind == DRAWING_RESET;
  memset(i->cell, 0xff, places * values * sizeof *i->cell);
  for (uint32_t p = 0; p < places; p++)
    if (eligible(l, p)) mark(i, p, bags_at(&l->net->places.at[p].markings, 0));
  for (size_t c = 0; c < l->b->change.count; c++) {
    const struct bind_change *change = &l->b->change.at[c];
    const struct bags *effects = &l->net->places.at[change->place].effects;
    if (effects->each != 2 || !eligible(l, change->place)) continue;
    mark(i, change->place, bags_at(effects, change->take));
    mark(i, change->place, bags_at(effects, change->give));
  }
  for (uint32_t p = 0; p < places; p++) {
    struct implied_place *at = &i->place[p];
    uint32_t *cell = i->cell + p * values;
    at->first = i->cells;
    for (uint32_t v = 0; v < values; v++) {
      if (cell[v] == IMPLIED_NONE) continue;
      if (i->cells == ALL_CELLS) return 1;
      i->value[i->cells++] = v;
    }
    at->cells = i->cells - at->first;
    qsort_r(i->value + at->first, at->cells, sizeof *i->value, compare_values, (void *)&l->net->values);
    for (uint32_t c = 0; c < at->cells; c++) cell[i->value[at->first + c]] = at->first + c;
  }
  return 0;
}

/* ---- rows -------------------------------------------------------------------------------------------------------------------------------- */

struct delta {
  uint32_t cell, column;
  int64_t tokens;
};
typedef struct vec(struct delta) deltas;

static int add_delta(struct learner *l, deltas *d, size_t from, uint32_t cell, uint32_t column, int64_t tokens) {
  if (cell == IMPLIED_NONE) return 0;
  for (size_t k = from; k < d->count; k++)
    if (d->at[k].cell == cell) {
      d->at[k].tokens += tokens;
      return 0;
    }
  return vec_push(d, l->mem, MEM_MODEL, (struct delta){cell, column, tokens});
}

static int add_change(struct learner *l, deltas *d, size_t from, const struct bind_change *c, uint32_t column) {
  const struct bags *effects = &l->net->places.at[c->place].effects;
  struct bag take = bags_at(effects, c->take), give = bags_at(effects, c->give);
  if (effects->each != 2 || c->take == c->give) return 0;
  for (size_t e = 0; e < take.words; e += 2)
    if (add_delta(l, d, from, implied_cell(l->i, c->place, take.at[e]), column, -(int64_t)take.at[e + 1])) return -1;
  for (size_t e = 0; e < give.words; e += 2)
    if (add_delta(l, d, from, implied_cell(l->i, c->place, give.at[e]), column, give.at[e + 1])) return -1;
  return 0;
}

static int compare_deltas(const void *x, const void *y) {
  const struct delta *a = x, *b = y;
  if (a->cell != b->cell) return a->cell < b->cell ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

static uint32_t residue(int64_t n) {
  int64_t r = n % PRIME;
  return (uint32_t)(r < 0 ? r + PRIME : r);
}

static int is_binding(const struct bind_node *n) { return n->place == BIND_LEAF && !n->fault; }

static int make_rows(struct learner *l) {
  deltas d = {0};
  int status = 0;
  for (size_t n = 0; n < l->b->node.count && l->columns < COLUMNS_MOST && !status; n++) {
    const struct bind_node *leaf = &l->b->node.at[n];
    size_t from = d.count;
    if (!is_binding(leaf)) continue;
    for (uint32_t k = 0; k < leaf->effects && !status; k++) status = add_change(l, &d, from, &l->b->change.at[l->b->effect.at[leaf->effect + k].change], l->columns);
    l->columns++;
    l->work += (d.count - from) * (d.count - from) / 8;
    if (l->work > WORK_MOST) status = 1;
  }
  l->row = mem_alloc(l->mem, MEM_MODEL, ((size_t)l->i->cells + 2) * sizeof *l->row);
  if (!l->row || (!status && vec_reserve(&l->rows, l->mem, MEM_MODEL, d.count + 1))) status = -1;
  if (!status && d.count) qsort(d.at, d.count, sizeof *d.at, compare_deltas);
  for (size_t k = 0, cell = 0; !status && cell <= l->i->cells; cell++) {
    l->row[cell] = l->rows.count;
    for (; k < d.count && d.at[k].cell == cell; k++)
      if (d.at[k].tokens) l->rows.at[l->rows.count++] = (struct entry){d.at[k].column, residue(d.at[k].tokens)};
  }
  vec_free(&d, l->mem);
  return status;
}

/* ---- the basis ------------------------------------------------------------------------------------------------------------------------------ */

static void clear_basis(struct learner *l) {
  l->entries.count = l->basis.count = 0;
  memset(l->pivot, 0, ((size_t)l->columns + 1) * sizeof *l->pivot);
}

/* The row of a cell minus multiples of the basis, in l->scratch: the first column that is left, or l->columns: it is a sum of rows of the basis. */
static uint32_t reduce(struct learner *l, uint32_t cell) {
  size_t width = (size_t)l->columns + l->i->cells;
  memset(l->scratch, 0, width * sizeof *l->scratch);
  for (size_t e = l->row[cell]; e < l->row[cell + 1]; e++) l->scratch[l->rows.at[e].at] = l->rows.at[e].number;
  l->scratch[l->columns + cell] = 1;
  l->work += width / 4;
  for (uint32_t c = 0; c < l->columns; c++) {
    uint64_t factor = l->scratch[c];
    if (!factor) continue;
    if (!l->pivot[c]) return c;
    const struct basis_row *r = &l->basis.at[l->pivot[c] - 1];
    for (size_t e = r->first; e < r->first + r->count; e++) {
      const struct entry *x = &l->entries.at[e];
      l->scratch[x->at] = (uint32_t)((l->scratch[x->at] + (PRIME - factor) * x->number) % PRIME);
    }
    l->work += r->count;
  }
  return l->columns;
}

static uint64_t inverse(uint64_t n) { /* n^(PRIME - 2) */
  uint64_t result = 1;
  for (uint64_t power = PRIME - 2; power; power >>= 1, n = n * n % PRIME)
    if (power & 1) result = result * n % PRIME;
  return result;
}

/* The reduced row joins the basis. 0 or -1. */
static int join(struct learner *l, uint32_t pivot) {
  size_t width = (size_t)l->columns + l->i->cells, first = l->entries.count;
  uint64_t factor = inverse(l->scratch[pivot]);
  for (size_t at = pivot; at < width; at++)
    if (l->scratch[at] && vec_push(&l->entries, l->mem, MEM_MODEL, (struct entry){(uint32_t)at, (uint32_t)(l->scratch[at] * factor % PRIME)})) return -1;
  l->work += width / 4;
  if (vec_push(&l->basis, l->mem, MEM_MODEL, (struct basis_row){first, l->entries.count - first})) return -1;
  l->pivot[pivot] = (uint32_t)l->basis.count;
  return 0;
}

static int join_place(struct learner *l, uint32_t place) {
  const struct implied_place *p = &l->i->place[place];
  for (uint32_t c = p->first; c < p->first + p->cells && l->work < WORK_MOST; c++) {
    uint32_t pivot = reduce(l, c);
    if (pivot < l->columns && join(l, pivot)) return -1;
  }
  return 0;
}

static int32_t weight_of(uint32_t number) { /* minus the number, modulo PRIME */
  int64_t w = number > PRIME / 2 ? PRIME - (int64_t)number : -(int64_t)number;
  return w > WEIGHT_MOST || w < -WEIGHT_MOST ? INT32_MIN : (int32_t)w;
}

/* Is the place implied by the basis, with weights that will do? */
static int follows(struct learner *l, uint32_t place) {
  const struct implied_place *p = &l->i->place[place];
  for (uint32_t c = p->first; c < p->first + p->cells; c++) {
    if (reduce(l, c) < l->columns || l->work > WORK_MOST) return 0;
    for (uint32_t k = 0; k < l->i->cells; k++)
      if (k != c && l->scratch[l->columns + k] && weight_of(l->scratch[l->columns + k]) == INT32_MIN) return 0;
  }
  return 1;
}

/* ---- choosing -------------------------------------------------------------------------------------------------------------------------------- */

static int compare_places(const void *x, const void *y, void *context) {
  const struct net *net = context;
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y, m = bags_count(&net->places.at[a].markings), n = bags_count(&net->places.at[b].markings);
  if (m != n) return m < n ? -1 : 1;
  return a < b ? -1 : a > b;
}

static int changes(const struct learner *l, uint32_t place) {
  const struct implied_place *p = &l->i->place[place];
  return l->row[p->first] < l->row[p->first + p->cells];
}

static int join_kept(struct learner *l, uint32_t without) {
  clear_basis(l);
  for (size_t k = 0; k < l->places; k++)
    if (l->kept[l->order[k]] && l->order[k] != without && join_place(l, l->order[k])) return -1;
  return 0;
}

static int choose(struct learner *l) {
  for (uint32_t p = 0; p < l->net->places.count; p++) {
    l->kept[p] = 1;
    if (l->i->place[p].cells && l->i->place[p].cells <= CELLS_MOST && changes(l, p)) l->order[l->places++] = p;
  }
  qsort_r(l->order, l->places, sizeof *l->order, compare_places, (void *)l->net);
  clear_basis(l);
  for (size_t k = 0; k < l->places; k++) {
    if (follows(l, l->order[k])) l->kept[l->order[k]] = 0;
    else if (join_place(l, l->order[k])) return -1;
  }
  for (size_t k = l->places; k-- > 0;) {
    uint32_t place = l->order[k];
    if (!l->kept[place] || l->work > WORK_MOST / 2) continue;
    if (join_kept(l, place)) return -1;
    if (follows(l, place)) l->kept[place] = 0;
  }
  return join_kept(l, UINT32_MAX);
}

/* ---- expressions -------------------------------------------------------------------------------------------------------------------------------- */

static int compare_terms(const void *x, const void *y) { /* (cell of the net, term) */
  const uint32_t *a = x, *b = y;
  return a[0] != b[0] ? (a[0] < b[0] ? -1 : 1) : (a[1] > b[1]) - (a[1] < b[1]);
}

/* The place's cells in terms of kept ones. 0, 1: it cannot be dropped, -1. */
static int express(struct learner *l, uint32_t place) {
  struct implied *i = l->i;
  struct implied_place *p = &i->place[place];
  struct vec(uint32_t) found = {0}; /* cell of the net, own cell, weight */
  int status = 0;
  for (uint32_t c = 0; c < p->cells && !status; c++) {
    if (reduce(l, p->first + c) < l->columns || l->work > WORK_MOST) status = 1;
    for (uint32_t k = 0; k < i->cells && !status; k++) {
      if (k == p->first + c || !l->scratch[l->columns + k]) continue;
      int32_t weight = weight_of(l->scratch[l->columns + k]);
      if (weight == INT32_MIN) status = 1;
      else if (vec_push(&found, l->mem, MEM_MODEL, k) || vec_push(&found, l->mem, MEM_MODEL, c) || vec_push(&found, l->mem, MEM_MODEL, (uint32_t)weight)) status = -1;
    }
  }
  size_t terms = found.count / 3;
  if (!status) {
    p->start = mem_alloc(l->mem, MEM_MODEL, ((size_t)i->cells + 2) * sizeof *p->start);
    p->term = mem_alloc(l->mem, MEM_MODEL, (terms + 1) * sizeof *p->term);
    p->constant = mem_alloc(l->mem, MEM_MODEL, ((size_t)p->cells + 1) * sizeof *p->constant);
    p->source = mem_alloc(l->mem, MEM_MODEL, (l->net->places.count + 1) * sizeof *p->source);
    if (!p->start || !p->term || !p->constant || !p->source) status = -1;
  }
  if (!status) {
    if (terms) qsort(found.at, terms, 3 * sizeof *found.at, compare_terms);
    for (uint32_t cell = 0, t = 0; cell <= i->cells; cell++) {
      p->start[cell] = t;
      for (; t < terms && found.at[3 * t] == cell; t++) p->term[t] = (struct implied_term){found.at[3 * t + 1], (int32_t)found.at[3 * t + 2]};
    }
    for (uint32_t q = 0; q < l->net->places.count; q++)
      if (p->start[i->place[q].first] < p->start[i->place[q].first + i->place[q].cells]) p->source[p->sources++] = q;
  }
  vec_free(&found, l->mem);
  return status;
}

/* What is left when the initial marking has been accounted for. */
static void set_constants(struct implied *i, uint32_t place, uint32_t *zeros) {
  struct implied_place *p = &i->place[place];
  struct bag own = bags_at(&i->net->places.at[place].markings, 0);
  implied_sums(i, place, zeros, i->sum); /* number 0 is the initial marking */
  for (uint32_t c = 0; c < p->cells; c++) p->constant[c] = -i->sum[c];
  for (size_t e = 0; e < own.words; e += 2) p->constant[implied_cell(i, place, own.at[e]) - p->first] += own.at[e + 1];
}

static int proved(const struct learner *l, uint32_t place) {
  for (size_t n = 0; n < l->b->node.count; n++)
    if (is_binding(&l->b->node.at[n]) && !implied_judge(l->i, l->b, &l->b->node.at[n], place)) return 0;
  return 1;
}

static int drop_places(struct learner *l) {
  struct implied *i = l->i;
  for (uint32_t p = 0; p < l->net->places.count; p++)
    if (i->place[p].cells > i->most) i->most = i->place[p].cells;
  i->sum = mem_alloc(l->mem, MEM_MODEL, ((size_t)i->most + 1) * sizeof *i->sum);
  uint32_t *zeros = mem_alloc(l->mem, MEM_MODEL, (l->net->places.count + 1) * sizeof *zeros);
  int status = i->sum && zeros ? 0 : -1;
  for (size_t k = 0; k < l->places && status >= 0; k++) {
    uint32_t place = l->order[k];
    if (l->kept[place] || (status = express(l, place))) continue;
    set_constants(i, place, zeros);
    i->place[place].dropped = (uint8_t)proved(l, place);
    i->dropped += i->place[place].dropped;
  }
  mem_free(l->mem, zeros);
  return status < 0 ? -1 : 0;
}

int implied_learn(struct implied *i, const struct net *net, const struct bind *b, struct mem *mem) {
  struct learner l = {.i = i, .net = net, .b = b, .mem = mem};
  *i = (struct implied){.mem = mem, .net = net};
  int status = make_cells(&l);
  if (!status) status = make_rows(&l);
  if (!status && l.columns) {
    l.pivot = mem_alloc(mem, MEM_MODEL, ((size_t)l.columns + 1) * sizeof *l.pivot);
    l.scratch = mem_alloc(mem, MEM_MODEL, ((size_t)l.columns + i->cells + 1) * sizeof *l.scratch);
    l.order = mem_alloc(mem, MEM_MODEL, (net->places.count + 1) * sizeof *l.order);
    l.kept = mem_alloc(mem, MEM_MODEL, net->places.count + 1);
    status = !l.pivot || !l.scratch || !l.order || !l.kept || choose(&l) || drop_places(&l) ? -1 : 0;
  }
  vec_free(&l.rows, mem);
  vec_free(&l.entries, mem);
  vec_free(&l.basis, mem);
  mem_free(mem, l.row);
  mem_free(mem, l.pivot);
  mem_free(mem, l.scratch);
  mem_free(mem, l.order);
  mem_free(mem, l.kept);
  mem_free(mem, l.reset);
  if (status || !i->sum) implied_close(i);
  return status < 0 ? -1 : 0;
}
