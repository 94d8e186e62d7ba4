/* automaton_determinise.c -- deterministic automata where they exist: for obligations and safety.
 *
 * The subset construction forgets acceptance and gives a deterministic table over the letters of the atoms in use.  If the
 * language has a weak deterministic automaton, all cycles of one component of that table agree (Dax, Eisinger, Klaedtke,
 * "Mechanizing the powerset construction for restricted classes of omega-automata", ATVA 2007): one word through each component,
 * asked of the automaton itself, says which components accept.  Loeding's colours ("Efficient minimization of deterministic weak
 * omega-automata", IPL 2001) say how to count components without a cycle so that minimising as for finite automata gives the one
 * smallest automaton.
 *
 * Letters are explicit: 2^atoms columns.  That is fine for the handful of atoms that formulas have; a table of more than
 * LARGEST entries is not tried. */
#include "prop/automaton_determinise.h"

#include "base/hash.h"
#include "base/vec.h"
#include "prop/automaton_scc.h"

#include <string.h>

enum { LARGEST = 1 << 20, MOST_BITS = 10 };

/* ---- subsets ------------------------------------------------------------------------------- */

struct powerset {
  const struct automaton *a;
  size_t words;             /* of one subset */
  struct vec(uint64_t) set; /* all subsets one after the other */
  uint32_t *slot;           /* state + 1 */
  size_t slots;
  uint32_t count;
};

static int grow_slots(struct powerset *p) {
  size_t slots = p->slots ? 2 * p->slots : 64;
  uint32_t *slot = mem_alloc(p->a->mem, MEM_OTHER, slots * sizeof *slot);
  if (!slot) return -1;
  for (uint32_t i = 0; i < p->count; i++) {
    size_t at = hash_bytes(p->set.at + i * p->words, p->words * 8) & (slots - 1);
    while (slot[at]) at = (at + 1) & (slots - 1);
    slot[at] = i + 1;
  }
  mem_free(p->a->mem, p->slot);
  p->slot = slot;
  p->slots = slots;
  return 0;
}

static int64_t number(struct powerset *p, const uint64_t *set) {
  if (2 * ((size_t)p->count + 1) > p->slots && grow_slots(p)) return -1;
  size_t at = hash_bytes(set, p->words * 8) & (p->slots - 1);
  for (; p->slot[at]; at = (at + 1) & (p->slots - 1))
    if (memcmp(p->set.at + (p->slot[at] - 1) * p->words, set, p->words * 8) == 0) return p->slot[at] - 1;
  if (vec_reserve(&p->set, p->a->mem, MEM_OTHER, p->words)) return -1;
  memcpy(p->set.at + p->set.count, set, p->words * 8);
  p->set.count += p->words;
  p->slot[at] = ++p->count;
  return p->count - 1;
}

uint64_t subsets_letter(const struct subsets *d, uint32_t letter) {
  uint64_t out = 0;
  for (uint32_t i = 0; i < d->bits; i++)
    if (letter >> i & 1) out |= UINT64_C(1) << d->bit[i];
  return out;
}

/* The successor of subset s under a letter, into `set`. */
static void step(const struct powerset *p, uint32_t s, uint64_t letter, uint64_t *set) {
  const uint64_t *from = p->set.at + (size_t)s * p->words;
  memset(set, 0, p->words * 8);
  for (size_t w = 0; w < p->words; w++)
    for (uint64_t left = from[w]; left; left &= left - 1) {
      uint32_t q = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
      for (const struct automaton_edge *x = automaton_edges(p->a, q), *end = automaton_edges(p->a, q + 1); x < end; x++)
        if (automaton_open_for(x, letter)) set[x->to / 64] |= UINT64_C(1) << x->to % 64;
    }
}

static int fill(struct subsets *d, struct powerset *p, uint64_t *set, uint32_t most, const volatile int *interrupt) {
  size_t room = 0;
  for (uint32_t i = 0; i < p->a->initial_count; i++) set[p->a->initial[i] / 64] |= UINT64_C(1) << p->a->initial[i] % 64;
  if (number(p, set) < 0) return -1;
  for (uint32_t s = 0; s < p->count; s++) {
    if (p->count > most || (size_t)p->count * d->letters > LARGEST || (interrupt && *interrupt)) return 0;
    if (((size_t)s + 1) * d->letters > room) {
      room = room ? 2 * room : 16 * (size_t)d->letters;
      uint32_t *bigger = mem_resize(d->mem, MEM_OTHER, d->next, room * sizeof *bigger);
      if (!bigger) return -1;
      d->next = bigger;
    }
    for (uint32_t letter = 0; letter < d->letters; letter++) {
      step(p, s, subsets_letter(d, letter), set);
      int64_t to = number(p, set);
      if (to < 0) return -1;
      d->next[(size_t)s * d->letters + letter] = (uint32_t)to;
    }
  }
  d->states = p->count;
  memset(set, 0, p->words * 8);
  for (uint32_t s = 0; s < p->count; s++)
    if (memcmp(p->set.at + (size_t)s * p->words, set, p->words * 8) == 0) d->none = s;
  return 1;
}

int subsets_open(struct subsets *d, const struct automaton *a, uint32_t most, const volatile int *interrupt, struct err *e) {
  struct powerset p = {.a = a, .words = (size_t)a->states / 64 + 1};
  uint64_t used = 0;
  *d = (struct subsets){.mem = a->mem, .none = UINT32_MAX};
  for (uint32_t k = 0; k < a->first[a->states]; k++) used |= a->edge[k].care;
  for (uint32_t i = 0; i < AUTOMATON_ATOMS; i++)
    if (used >> i & 1) d->bit[d->bits++] = (uint8_t)i;
  if (d->bits > MOST_BITS) return 0;
  d->letters = 1u << d->bits;
  uint64_t *set = mem_alloc(a->mem, MEM_OTHER, p.words * sizeof *set);
  int made = set ? fill(d, &p, set, most, interrupt) : -1;
  mem_free(a->mem, set);
  mem_free(a->mem, p.slot);
  vec_free(&p.set, a->mem);
  if (made != 1) subsets_close(d);
  return made < 0 ? err_memory(e, "an automaton") : made;
}

void subsets_close(struct subsets *d) {
  mem_free(d->mem, d->next);
  d->next = NULL;
  d->states = 0;
}

/* ---- minimising ------------------------------------------------------------------------------ */

/* Moore's refinement: classes by what is seen, then by classes of successors, until none splits. A row of classes is hashed and
   compared, so a round is linear in the table. */
int subsets_minimise(struct subsets *d, uint8_t *good, struct err *e) {
  uint32_t n = d->states, count = 0;
  uint32_t *class = mem_alloc(d->mem, MEM_OTHER, (size_t)n * sizeof *class),
           *refined = mem_alloc(d->mem, MEM_OTHER, (size_t)n * sizeof *class);
  uint32_t *leader = mem_alloc(d->mem, MEM_OTHER, (size_t)n * sizeof *leader);
  size_t slots = 64;
  while (slots < 2 * (size_t)n) slots *= 2;
  uint32_t *slot = mem_alloc(d->mem, MEM_OTHER, slots * sizeof *slot);
  int status = class && refined && leader && slot ? 0 : err_memory(e, "an automaton");
  for (uint32_t s = 0; s < n && !status; s++) class[s] = good[s];
  for (uint32_t before = 0; !status;) {
    count = 0;
    memset(slot, 0, slots * sizeof *slot);
    for (uint32_t s = 0; s < n; s++) {
      const uint32_t *row = d->next + (size_t)s * d->letters;
      uint64_t h = hash_mix(class[s]);
      for (uint32_t l = 0; l < d->letters; l++) h = hash_mix(h ^ class[row[l]]);
      size_t at = h & (slots - 1);
      for (; slot[at]; at = (at + 1) & (slots - 1)) {
        uint32_t t = leader[slot[at] - 1], l = 0;
        const uint32_t *other = d->next + (size_t)t * d->letters;
        if (class[t] != class[s]) continue;
        while (l < d->letters && class[row[l]] == class[other[l]]) l++;
        if (l == d->letters) break;
      }
      if (!slot[at]) {
        leader[count++] = s;
        slot[at] = count;
      }
      refined[s] = slot[at] - 1;
    }
    memcpy(class, refined, (size_t)n * sizeof *class);
    if (count == before) break;
    before = count;
  }
  if (!status) { /* leaders come in order of their first state: state 0 stays state 0 */
    for (uint32_t c = 0; c < count; c++) {
      good[c] = good[leader[c]];
      for (uint32_t l = 0; l < d->letters; l++)
        d->next[(size_t)c * d->letters + l] = class[d->next[(size_t)leader[c] * d->letters + l]];
    }
    if (d->none != UINT32_MAX) d->none = class[d->none];
    d->states = count;
  }
  mem_free(d->mem, class);
  mem_free(d->mem, refined);
  mem_free(d->mem, leader);
  mem_free(d->mem, slot);
  return status;
}

int subsets_automaton(struct automaton **out, const struct subsets *d, const uint8_t *good, const struct automaton *like,
                      struct err *e) {
  struct automaton_draft draft;
  uint64_t care = 0;
  automaton_draft_open(&draft, d->mem);
  for (uint32_t i = 0; i < d->bits; i++) care |= UINT64_C(1) << d->bit[i];
  int status = automaton_draft_initial(&draft, 0);
  for (uint32_t s = 0; s < d->states && !status; s++)
    for (uint32_t l = 0; l < d->letters && !status; l++)
      status = automaton_draft_edge(
          &draft, s, (struct automaton_edge){care, subsets_letter(d, l), d->next[(size_t)s * d->letters + l], good[s] ? 1 : 0});
  status = status ? err_memory(e, "an automaton") : automaton_finish(out, &draft, d->states, 1, e);
  automaton_draft_close(&draft);
  if (status) return -1;
  (*out)->by_state = 1;
  if (automaton_inherit(*out, like, e) == 0) return 0;
  automaton_close(*out);
  *out = NULL;
  return -1;
}

/* ---- weak deterministic automata ------------------------------------------------------------- */

struct walk {
  const struct subsets *d;
  uint32_t *from, *letter, *queue; /* by state: how a search came there; from UINT32_MAX = not yet */
};

/* Breadth first from `start` until `goal` is entered (again), within one component if `component` is given. The letters of the
   way are put into word from its end; the length, or 0 if there is no way. */
static size_t way(struct walk *w, uint32_t start, uint32_t goal, const uint32_t *component, uint64_t *word) {
  const struct subsets *d = w->d;
  uint32_t head = 0, tail = 0;
  memset(w->from, 0xff, d->states * sizeof *w->from);
  w->queue[tail++] = start;
  while (head < tail) {
    uint32_t s = w->queue[head++];
    for (uint32_t l = 0; l < d->letters; l++) {
      uint32_t to = d->next[(size_t)s * d->letters + l];
      if (w->from[to] != UINT32_MAX || (component && component[to] != component[start])) continue;
      w->from[to] = s;
      w->letter[to] = l;
      if (to != start) w->queue[tail++] = to;
      if (to == goal) goto found;
    }
  }
  return 0;
found:;
  size_t length = 0;
  uint32_t s = goal;
  do {
    length++;
    s = w->from[s];
  } while (s != start);
  s = goal;
  for (size_t i = length; i-- > 0; s = w->from[s]) word[i] = subsets_letter(d, w->letter[s]);
  return length;
}

/* Loeding's colours: good[s] = is the colour of its component even? Components come with successors first. */
static int colour(const struct automaton *a, const struct subsets *d, const struct scc_list *l, struct walk *w, uint32_t *colours,
                  uint32_t *member, uint64_t *prefix, uint64_t *loop, struct err *e) {
  uint32_t top = 2 * (l->count + 1);
  for (uint32_t c = 0; c < l->count; c++) colours[c] = top;
  /* member lists: states by component, through a counting sort in `member` */
  uint32_t *first = mem_alloc(d->mem, MEM_OTHER, ((size_t)l->count + 2) * sizeof *first);
  if (!first) return err_memory(e, "an automaton");
  for (uint32_t s = 0; s < d->states; s++) first[l->component[s] + 2]++;
  for (uint32_t c = 0; c < l->count; c++) first[c + 2] += first[c + 1];
  for (uint32_t s = 0; s < d->states; s++) member[first[l->component[s] + 1]++] = s;
  int status = 0;
  for (uint32_t c = 0; c < l->count && !status; c++) {
    uint32_t least = top;
    for (uint32_t i = first[c]; i < first[c + 1]; i++)
      for (uint32_t k = 0; k < d->letters; k++) {
        uint32_t other = l->component[d->next[(size_t)member[i] * d->letters + k]];
        if (other != c && colours[other] < least) least = colours[other];
      }
    if (l->cyclic[c]) {
      uint32_t s = member[first[c]];
      size_t before = s ? way(w, 0, s, NULL, prefix) : 0, around = way(w, s, s, l->component, loop);
      int accepted = automaton_accepts(a, prefix, before, loop, around, e);
      if (accepted < 0) status = -1;
      if ((least % 2 == 0) != (accepted == 1)) least--;
    }
    colours[c] = least;
  }
  mem_free(d->mem, first);
  return status;
}

static int weaken(struct automaton **at, struct subsets *d, struct err *e) {
  struct automaton *a = *at, *plain = NULL, *b = NULL;
  struct scc_list l = {0};
  size_t n = (size_t)d->states + 1;
  uint32_t *block = mem_alloc(d->mem, MEM_OTHER, 5 * n * sizeof *block);
  uint64_t *words = mem_alloc(d->mem, MEM_OTHER, 2 * n * sizeof *words);
  uint8_t *good = mem_alloc(d->mem, MEM_OTHER, n);
  int status = block && words && good ? 0 : err_memory(e, "an automaton");
  if (!status) status = subsets_automaton(&plain, d, good, a, e); /* for its components only */
  if (!status) status = scc_find(&l, plain, e);
  if (!status) {
    struct walk w = {d, block, block + n, block + 2 * n};
    uint32_t *colours = block + 3 * n;
    status = colour(a, d, &l, &w, colours, block + 4 * n, words, words + n, e);
    for (uint32_t s = 0; s < d->states && !status; s++) good[s] = colours[l.component[s]] % 2 == 0;
    scc_close(&l);
  }
  automaton_close(plain);
  if (!status) status = subsets_minimise(d, good, e);
  if (!status) status = subsets_automaton(&b, d, good, a, e);
  if (!status) status = automaton_trim(&b, e);
  mem_free(d->mem, block);
  mem_free(d->mem, words);
  mem_free(d->mem, good);
  if (status) {
    automaton_close(b);
    return -1;
  }
  automaton_close(a);
  *at = b;
  return 0;
}

int automaton_weak_deterministic(struct automaton **at, uint32_t most, const volatile int *interrupt, struct err *e) {
  struct subsets d;
  int made = subsets_open(&d, *at, most, interrupt, e);
  if (made != 1) return made;
  int status = weaken(at, &d, e);
  subsets_close(&d);
  return status ? -1 : 1;
}
