/* flow_semi.c -- the semiflows of minimal support, by Farkas' elimination.
 *
 * Flows without negative weights form a cone, and its extreme rays are the semiflows of minimal
 * support.  Begin with the cone of all non-negative vectors (rays: the unit vectors) and
 * bring in one equation after the other.  An equation sorts the rays by the sign of their
 * value on it (`rest`): those with 0 stay, each positive one is combined with each negative one
 * so that the values cancel, and then both kinds go (Farkas 1902; Memmi and Roucairol 1980;
 * the double description method for cones).
 *
 *   - Which equation next: the one that adds the fewest rays, positive * negative - positive
 *     - negative (Colom and Silva 1989).  Kept in a heap, renewed when its counts change.
 *   - Which pairs: a combination is extreme if and only if no third ray's support lies
 *     within the union of the two.  Then every step leaves exactly the extreme rays and
 *     nothing has to be compared afterwards.  To find the third ray quickly, each ray is owned by one
 *     place of its support, the one that owns fewest; only the rays owned by places of
 *     the union are looked at, first by signature.
 *   - A signature has up to 16 words; place i is bit i modulo their size.  For up to 1024
 *     places it is the support itself; beyond, it filters and a merge of the sorted lists decides.
 *   - Places that are in no flow at all (flow_basis.c) cannot be in a semiflow and never enter.
 *
 * There may be exponentially many minimal semiflows.  When effort or memory ends, the step under way is
 * undone.  A ray whose rest is empty by then satisfies every equation, the unused ones
 * too: it is an extreme ray of the final cone, and these are returned.  An
 * equation whose combinations leave 64 bits is put aside in the same way. */
#include "net/flow.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { SIGNATURE_WORDS = 16 };

/* | struct ray | signature | weights | rest values | support | rest equations | in one block */
struct ray {
  uint32_t count, rest_count;
  uint32_t owner, owner_at; /* variable, and place in its list */
};

struct equation {
  struct vec(uint32_t) rays; /* that had a value on it when they were made; some are gone */
  uint32_t positive, negative;
  int touched, aside; /* aside: needs numbers beyond 64 bits */
  int queued;         /* an entry of this growth is in the heap */
  int64_t growth;
};

struct heap_entry {
  int64_t growth;
  uint32_t equation;
};

struct cone {
  struct mem *mem;
  uint32_t vars, equations, words;
  struct vec(struct ray *) rays; /* NULL = gone */
  struct vec(uint32_t) * owned;  /* per variable */
  struct equation *equation;
  struct vec(struct heap_entry) heap;
  struct vec(uint32_t) touched;
  struct vec(uint32_t) positive, negative; /* rays of the present step */
  struct vec(struct ray *) fresh;
  uint32_t *index, *rest_index; /* the combination being made */
  __int128 *weight, *rest;
  uint64_t effort, spent;
};

static uint64_t *signature_of(const struct ray *r) { return (uint64_t *)(r + 1); }
static int64_t *weight_of(const struct cone *c, const struct ray *r) { return (int64_t *)(signature_of(r) + c->words); }
static int64_t *rest_of(const struct cone *c, const struct ray *r) { return weight_of(c, r) + r->count; }
static uint32_t *index_of(const struct cone *c, const struct ray *r) { return (uint32_t *)(rest_of(c, r) + r->rest_count); }
static uint32_t *rest_index_of(const struct cone *c, const struct ray *r) { return index_of(c, r) + r->count; }

/* The value of a ray on an equation. */
static int64_t rest_at(const struct cone *c, const struct ray *r, uint32_t equation) {
  const uint32_t *index = rest_index_of(c, r);
  uint32_t low = 0, high = r->rest_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (index[middle] < equation) low = middle + 1;
    else high = middle;
  }
  return low < r->rest_count && index[low] == equation ? rest_of(c, r)[low] : 0;
}

static struct ray *ray_make(struct cone *c, uint32_t count, uint32_t rest_count) {
  size_t bytes = sizeof(struct ray) + c->words * 8 + ((size_t)count + rest_count) * 12;
  struct ray *r = mem_alloc(c->mem, MEM_ANALYSIS, bytes);
  if (r) r->count = count, r->rest_count = rest_count;
  return r;
}

static void sign(const struct cone *c, struct ray *r) {
  const uint32_t *index = index_of(c, r);
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t bit = index[i] % (c->words * 64);
    signature_of(r)[bit / 64] |= (uint64_t)1 << (bit % 64);
  }
}

/* ---- the set of rays and what is counted over it ------------------------------------- */

static int touch(struct cone *c, uint32_t equation) {
  struct equation *q = &c->equation[equation];
  if (q->touched) return 0;
  q->touched = 1;
  return vec_push(&c->touched, c->mem, MEM_ANALYSIS, equation);
}

/* Puts a ray into the set. On -1 it is not in. */
static int admit(struct cone *c, struct ray *r) {
  const uint32_t *index = index_of(c, r), *rest_index = rest_index_of(c, r);
  uint32_t owner = index[0], id = (uint32_t)c->rays.count;
  for (uint32_t i = 1; i < r->count; i++)
    if (c->owned[index[i]].count < c->owned[owner].count) owner = index[i];
  if (c->rays.count >= UINT32_MAX || vec_reserve(&c->rays, c->mem, MEM_ANALYSIS, 1)) return -1;
  if (vec_reserve(&c->owned[owner], c->mem, MEM_ANALYSIS, 1)) return -1;
  for (uint32_t i = 0; i < r->rest_count; i++) /* a stale number in a list is harmless: lists are looked up, not believed */
    if (touch(c, rest_index[i]) || vec_push(&c->equation[rest_index[i]].rays, c->mem, MEM_ANALYSIS, id)) return -1;
  for (uint32_t i = 0; i < r->rest_count; i++) {
    struct equation *q = &c->equation[rest_index[i]];
    if (rest_of(c, r)[i] > 0) q->positive++;
    else q->negative++;
  }
  r->owner = owner;
  r->owner_at = (uint32_t)c->owned[owner].count;
  c->owned[owner].at[c->owned[owner].count++] = id;
  c->rays.at[c->rays.count++] = r;
  return 0;
}

/* Takes a ray out and frees it. Its equations must have been touched before: see step. */
static void dismiss(struct cone *c, uint32_t id) {
  struct ray *r = c->rays.at[id];
  for (uint32_t i = 0; i < r->rest_count; i++) {
    struct equation *q = &c->equation[rest_index_of(c, r)[i]];
    if (rest_of(c, r)[i] > 0) q->positive--;
    else q->negative--;
  }
  uint32_t last = c->owned[r->owner].at[--c->owned[r->owner].count];
  if (last != id) { /* the last of the list takes the gap */
    c->owned[r->owner].at[r->owner_at] = last;
    c->rays.at[last]->owner_at = r->owner_at;
  }
  c->rays.at[id] = NULL;
  mem_free(c->mem, r);
}

/* ---- which equation next ------------------------------------------------------------- */

static int64_t growth(const struct equation *q) {
  int64_t p = q->positive, n = q->negative, product;
  if (__builtin_mul_overflow(p, n, &product)) product = INT64_MAX;
  return product - p - n;
}

static int before(struct heap_entry a, struct heap_entry b) {
  return a.growth != b.growth ? a.growth < b.growth : a.equation < b.equation;
}

static int heap_push(struct cone *c, struct heap_entry e) {
  if (vec_push(&c->heap, c->mem, MEM_ANALYSIS, e)) return -1;
  size_t i = c->heap.count - 1;
  for (; i && before(e, c->heap.at[(i - 1) / 2]); i = (i - 1) / 2) c->heap.at[i] = c->heap.at[(i - 1) / 2];
  c->heap.at[i] = e;
  return 0;
}

static struct heap_entry heap_pop(struct cone *c) {
  struct heap_entry top = c->heap.at[0], e = c->heap.at[--c->heap.count];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < c->heap.count; i = child) {
    if (child + 1 < c->heap.count && before(c->heap.at[child + 1], c->heap.at[child])) child++;
    if (!before(c->heap.at[child], e)) break;
    c->heap.at[i] = c->heap.at[child];
  }
  c->heap.at[i] = e;
  return top;
}

/* Equations whose counts changed go into the heap anew, unless they come to the same growth: most do, one ray for another. Older entries of theirs are seen to be stale. */
static int requeue(struct cone *c) {
  int status = 0;
  for (size_t i = 0; i < c->touched.count; i++) {
    struct equation *q = &c->equation[c->touched.at[i]];
    q->touched = 0;
    if (q->aside || (!q->positive && !q->negative) || (q->queued && q->growth == growth(q))) continue;
    q->growth = growth(q);
    q->queued = heap_push(c, (struct heap_entry){q->growth, c->touched.at[i]}) == 0;
    status |= !q->queued;
  }
  c->touched.count = 0;
  return status;
}

/* ---- one step ------------------------------------------------------------------------- */

/* Is the support of r within the sorted list? */
static int within(const struct cone *c, const struct ray *r, const uint32_t *list, uint32_t count) {
  const uint32_t *index = index_of(c, r);
  uint32_t k = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    while (k < count && list[k] < index[i]) k++;
    if (k == count || list[k] != index[i]) return 0;
  }
  return 1;
}

/* The union of two supports into c->index; its size. */
static uint32_t unite(struct cone *c, const struct ray *a, const struct ray *b) {
  const uint32_t *x = index_of(c, a), *y = index_of(c, b);
  uint32_t i = 0, k = 0, n = 0;
  while (i < a->count && k < b->count) {
    if (x[i] < y[k]) c->index[n++] = x[i++];
    else if (y[k] < x[i]) c->index[n++] = y[k++];
    else c->index[n++] = x[i++], k++;
  }
  while (i < a->count) c->index[n++] = x[i++];
  while (k < b->count) c->index[n++] = y[k++];
  c->spent += n;
  return n;
}

/* Does no third ray lie within the union (in c->index) of these two? */
static int adjacent(struct cone *c, const struct ray *a, const struct ray *b, uint32_t count) {
  uint64_t outside[SIGNATURE_WORDS];
  for (uint32_t w = 0; w < c->words; w++) outside[w] = ~(signature_of(a)[w] | signature_of(b)[w]);
  int exact = c->vars <= c->words * 64;
  for (uint32_t i = 0; i < count; i++) {
    size_t owned = c->owned[c->index[i]].count;
    c->spent += owned;
    for (size_t k = 0; k < owned; k++) {
      const struct ray *r = c->rays.at[c->owned[c->index[i]].at[k]];
      if (r == a || r == b || r->count > count) continue;
      uint64_t stray = 0;
      for (uint32_t w = 0; w < c->words; w++) stray |= signature_of(r)[w] & outside[w];
      if (stray) continue;
      c->spent += exact ? 0 : count;
      if (exact || within(c, r, c->index, count)) return 0;
    }
  }
  return 1;
}

static unsigned __int128 gcd128(unsigned __int128 a, unsigned __int128 b) {
  while (b) {
    if (a == (uint64_t)a && b == (uint64_t)b) return incidence_gcd((uint64_t)a, (uint64_t)b);
    unsigned __int128 r = a % b;
    a = b, b = r;
  }
  return a;
}

enum outcome { MADE, BEYOND_RANGE, NO_MEMORY };

/* The combination of a (positive) and b (negative) that is 0 on the equation; c->index holds their united support. */
static enum outcome combine(struct cone *c, const struct ray *a, const struct ray *b, uint32_t equation, uint32_t count,
                            struct ray **out) {
  uint64_t up = (uint64_t)rest_at(c, a, equation), down = flow_size(rest_at(c, b, equation));
  uint64_t g = incidence_gcd(up, down);
  if (down / g > INT64_MAX) return BEYOND_RANGE;
  __int128 fa = down / g, fb = up / g; /* products of two 64-bit numbers, two of them added: within 127 bits and sign */
  uint32_t i = 0, k = 0, rest_count = 0;
  const int64_t *wa = weight_of(c, a), *wb = weight_of(c, b);
  unsigned __int128 divisor = 0;
  for (uint32_t n = 0; n < count; n++) {
    __int128 sum = 0;
    if (i < a->count && index_of(c, a)[i] == c->index[n]) sum += fa * wa[i++];
    if (k < b->count && index_of(c, b)[k] == c->index[n]) sum += fb * wb[k++];
    c->weight[n] = sum;
    if (divisor != 1) divisor = gcd128(divisor, (unsigned __int128)sum);
  }
  for (i = k = 0; i < a->rest_count || k < b->rest_count;) {
    uint32_t ea = i < a->rest_count ? rest_index_of(c, a)[i] : UINT32_MAX,
             eb = k < b->rest_count ? rest_index_of(c, b)[k] : UINT32_MAX;
    uint32_t at = ea < eb ? ea : eb;
    __int128 sum = 0;
    if (ea == at) sum += fa * rest_of(c, a)[i++];
    if (eb == at) sum += fb * rest_of(c, b)[k++];
    if (!sum) continue;
    c->rest_index[rest_count] = at;
    c->rest[rest_count++] = sum;
  }
  c->spent += count + i + k;
  struct ray *r = ray_make(c, count, rest_count);
  if (!r) return NO_MEMORY;
  int fits = 1;
  for (uint32_t n = 0; n < count; n++) {
    __int128 w = divisor == 1 ? c->weight[n] : c->weight[n] / (__int128)divisor;
    fits &= w == (int64_t)w;
    weight_of(c, r)[n] = (int64_t)w;
  }
  for (uint32_t n = 0; n < rest_count; n++) { /* what divides the weights divides what they add up to */
    __int128 w = divisor == 1 ? c->rest[n] : c->rest[n] / (__int128)divisor;
    fits &= w == (int64_t)w && w != INT64_MIN;
    rest_of(c, r)[n] = (int64_t)w;
  }
  memcpy(index_of(c, r), c->index, count * sizeof *c->index);
  memcpy(rest_index_of(c, r), c->rest_index, rest_count * sizeof *c->rest_index);
  if (!fits) {
    mem_free(c->mem, r);
    return BEYOND_RANGE;
  }
  sign(c, r);
  *out = r;
  return MADE;
}

static void drop_fresh(struct cone *c) {
  while (c->fresh.count) mem_free(c->mem, c->fresh.at[--c->fresh.count]);
}

/* The rays with a value on the equation, by sign; the list of the equation is cleaned on the way. */
static int sort_out(struct cone *c, uint32_t equation) {
  struct equation *q = &c->equation[equation];
  size_t kept = 0;
  c->positive.count = c->negative.count = 0;
  for (size_t i = 0; i < q->rays.count; i++) {
    const struct ray *r = c->rays.at[q->rays.at[i]];
    int64_t value = r ? rest_at(c, r, equation) : 0;
    if (!value) continue;
    q->rays.at[kept++] = q->rays.at[i];
    if (value > 0 ? vec_push(&c->positive, c->mem, MEM_ANALYSIS, q->rays.at[i])
                  : vec_push(&c->negative, c->mem, MEM_ANALYSIS, q->rays.at[i]))
      return -1;
  }
  c->spent += q->rays.count;
  q->rays.count = kept;
  return 0;
}

/* Makes all combinations for one equation into c->fresh. NULL, or why that could not be done; then fresh is empty. */
static const char *make_fresh(struct cone *c, uint32_t equation) {
  const char *limit = NULL;
  for (size_t i = 0; i < c->positive.count && !limit; i++) {
    const struct ray *a = c->rays.at[c->positive.at[i]];
    for (size_t k = 0; k < c->negative.count && !limit; k++) {
      const struct ray *b = c->rays.at[c->negative.at[k]];
      uint32_t count = unite(c, a, b);
      if (c->effort && c->spent > c->effort) limit = flow_limit_effort;
      else if (adjacent(c, a, b, count)) {
        struct ray *r = NULL;
        enum outcome outcome = combine(c, a, b, equation, count, &r);
        if (outcome == BEYOND_RANGE) limit = flow_limit_range;
        else if (outcome == NO_MEMORY || vec_push(&c->fresh, c->mem, MEM_ANALYSIS, r)) {
          mem_free(c->mem, r);
          limit = flow_limit_memory;
        }
      }
    }
  }
  if (limit) drop_fresh(c);
  return limit;
}

/* Brings in one equation. NULL, or why it was not possible: then the rays are as before. */
static const char *step(struct cone *c, uint32_t equation) {
  if (sort_out(c, equation)) return flow_limit_memory;
  const char *limit = make_fresh(c, equation);
  if (limit) return limit;
  /* From here on nothing may fail half way: room for everything first. */
  int status = vec_reserve(&c->rays, c->mem, MEM_ANALYSIS, c->fresh.count);
  for (int side = 0; side < 2 && !status; side++) {
    size_t count = side ? c->negative.count : c->positive.count;
    const uint32_t *ids = side ? c->negative.at : c->positive.at;
    for (size_t i = 0; i < count && !status; i++) {
      const struct ray *r = c->rays.at[ids[i]];
      for (uint32_t k = 0; k < r->rest_count && !status; k++) status = touch(c, rest_index_of(c, r)[k]);
    }
  }
  size_t admitted = 0, first = c->rays.count;
  while (!status && admitted < c->fresh.count) {
    status = admit(c, c->fresh.at[admitted]);
    if (!status) admitted++;
  }
  if (status) { /* those admitted go again, the old rays are untouched */
    for (size_t i = 0; i < admitted; i++) c->fresh.at[i] = NULL;
    for (size_t id = first; id < c->rays.count; id++) dismiss(c, (uint32_t)id);
    c->rays.count = first;
    drop_fresh(c);
    return flow_limit_memory;
  }
  c->fresh.count = 0;
  for (size_t i = 0; i < c->positive.count; i++) dismiss(c, c->positive.at[i]);
  for (size_t i = 0; i < c->negative.count; i++) dismiss(c, c->negative.at[i]);
  vec_free(&c->equation[equation].rays, c->mem);
  return NULL;
}

/* ---- the whole ------------------------------------------------------------------------ */

static void cone_close(struct cone *c) {
  struct mem *m = c->mem;
  drop_fresh(c);
  for (size_t i = 0; i < c->rays.count; i++) mem_free(m, c->rays.at[i]);
  vec_free(&c->rays, m);
  if (c->owned)
    for (uint32_t v = 0; v < c->vars; v++) vec_free(&c->owned[v], m);
  if (c->equation)
    for (uint32_t q = 0; q < c->equations; q++) vec_free(&c->equation[q].rays, m);
  mem_free(m, c->owned);
  mem_free(m, c->equation);
  vec_free(&c->heap, m);
  vec_free(&c->touched, m);
  vec_free(&c->positive, m);
  vec_free(&c->negative, m);
  vec_free(&c->fresh, m);
  mem_free(m, c->index);
  mem_free(m, c->rest_index);
  mem_free(m, c->weight);
  mem_free(m, c->rest);
}

/* Unit vectors of the variables in `some`, on the equations numbered in `number` (UINT32_MAX = left out). */
static int cone_open(struct cone *c, const struct incidence *items, const uint8_t *some, const uint32_t *number,
                     uint32_t equations, struct mem *m) {
  *c = (struct cone){.mem = m, .vars = items->rows, .equations = equations};
  c->words = (c->vars + 63) / 64;
  c->words = c->words > SIGNATURE_WORDS ? SIGNATURE_WORDS : c->words ? c->words : 1;
  c->owned = mem_alloc(m, MEM_ANALYSIS, c->vars * sizeof *c->owned);
  c->equation = mem_alloc(m, MEM_ANALYSIS, equations * sizeof *c->equation);
  c->index = mem_alloc(m, MEM_ANALYSIS, c->vars * sizeof *c->index);
  c->weight = mem_alloc(m, MEM_ANALYSIS, c->vars * sizeof *c->weight);
  c->rest_index = mem_alloc(m, MEM_ANALYSIS, equations * sizeof *c->rest_index);
  c->rest = mem_alloc(m, MEM_ANALYSIS, equations * sizeof *c->rest);
  if (!c->owned || !c->equation || !c->index || !c->weight || !c->rest_index || !c->rest) return -1;
  for (uint32_t v = 0; v < c->vars; v++) {
    if (!some[v]) continue;
    uint32_t rest_count = 0;
    for (size_t k = items->start[v]; k < items->start[v + 1]; k++) rest_count += number[items->index[k]] != UINT32_MAX;
    struct ray *r = ray_make(c, 1, rest_count);
    if (!r) return -1;
    index_of(c, r)[0] = v;
    weight_of(c, r)[0] = 1;
    rest_count = 0;
    for (size_t k = items->start[v]; k < items->start[v + 1]; k++) {
      if (number[items->index[k]] == UINT32_MAX) continue;
      rest_index_of(c, r)[rest_count] = number[items->index[k]]; /* numbers ascend with the indices */
      rest_of(c, r)[rest_count++] = items->value[k];
    }
    sign(c, r);
    if (admit(c, r)) {
      mem_free(m, r);
      return -1;
    }
  }
  return requeue(c);
}

/* Marks the variables that are in some flow. 0, or -1 with err. */
static int in_some_flow(uint8_t *some, const struct pt_net *net, enum flow_side side, uint32_t vars, struct mem *m,
                        uint64_t effort, struct err *e) {
  struct flows basis;
  if (flows_basis(&basis, net, side, m, effort, e)) return -1;
  if (!basis.complete) memset(some, 1, vars);
  for (size_t i = 0; i < basis.count; i++)
    for (uint32_t k = 0; k < basis.at[i].count; k++) some[basis.at[i].index[k]] = 1;
  flows_close(&basis);
  return 0;
}

static int by_size(const void *a, const void *b) {
  const struct flow *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? -1 : 1;
  for (uint32_t i = 0; i < x->count; i++)
    if (x->index[i] != y->index[i]) return x->index[i] < y->index[i] ? -1 : 1;
  return 0;
}

/* Moves the rays that satisfy everything into the result. The others are freed first and these one by one, so that
   what ended for lack of memory can still be told. 0 or -1. */
static int harvest(struct flows *out, struct cone *c, struct flow_check *check) {
  for (size_t i = 0; i < c->rays.count; i++) {
    struct ray *r = c->rays.at[i];
    if (!r || !r->rest_count) continue;
    mem_free(c->mem, r);
    c->rays.at[i] = NULL;
  }
  for (size_t i = 0; i < c->rays.count; i++) {
    struct ray *r = c->rays.at[i];
    if (!r) continue;
    enum flow_answer answer = flow_keep(out, check, index_of(c, r), weight_of(c, r), r->count, PT_NONE);
    if (answer == FLOW_MEMORY) return -1;
    if (answer != FLOW_KEPT) out->limit = flow_limit_range;
    mem_free(c->mem, r);
    c->rays.at[i] = NULL;
  }
  if (out->count) qsort(out->at, out->count, sizeof *out->at, by_size);
  return 0;
}

static const char *run(struct cone *c) {
  const char *limit = NULL;
  while (c->heap.count) {
    struct heap_entry next = heap_pop(c);
    struct equation *q = &c->equation[next.equation];
    if (next.growth == q->growth) q->queued = 0;
    if (q->aside || (!q->positive && !q->negative) || growth(q) != next.growth) continue;
    const char *problem = step(c, next.equation);
    if (problem == flow_limit_range) q->aside = 1;
    if (problem) limit = problem;
    if (requeue(c) || (problem && problem != flow_limit_range)) return problem ? problem : flow_limit_memory;
  }
  return limit;
}

int flows_semi(struct flows *out, const struct pt_net *net, enum flow_side side, struct mem *m, uint64_t effort, struct err *e) {
  static const char *const what = "the semiflows of the net";
  *out = (struct flows){.mem = m};
  struct flow_check check;
  if (flow_check_open(&check, net, side, m)) return err_memory(e, what);
  int status = -1;
  uint32_t vars = check.items.rows, columns = check.items.columns, equations = 0;
  struct cone cone = {.mem = m};
  struct incidence by_equation = {0};
  uint8_t *some = mem_alloc(m, MEM_ANALYSIS, vars);
  uint32_t *distinct = mem_alloc(m, MEM_ANALYSIS, columns * sizeof *distinct),
           *number = mem_alloc(m, MEM_ANALYSIS, columns * sizeof *number);
  if (!some || !distinct || !number) goto end;
  if (in_some_flow(some, net, side, vars, m, effort, e)) goto end;
  if (incidence_open(&by_equation, net, side == FLOW_PLACES ? BY_TRANSITION : BY_PLACE, m)) goto end;
  if (incidence_distinct(&by_equation, distinct, &equations)) goto end;
  memset(number, 0xff, columns * sizeof *number);
  for (uint32_t i = 0; i < equations; i++) number[distinct[i]] = i;
  incidence_close(&by_equation);
  if (cone_open(&cone, &check.items, some, number, equations, m)) goto end;
  cone.effort = effort;
  out->limit = run(&cone);
  status = harvest(out, &cone, &check);
  out->complete = !out->limit;
end:
  incidence_close(&by_equation);
  cone_close(&cone);
  mem_free(m, some);
  mem_free(m, distinct);
  mem_free(m, number);
  flow_check_close(&check);
  if (!status) return 0;
  flows_close(out);
  return err_memory(e, what);
}
