/* kripke.c -- see kripke.h.
 *
 * Breadth-first search expands states in the order of their numbers and tells the edges of one after another: rows of the graph come in order.  A sweep expands them in another order (graph.h: loose).  When the layout of states becomes wider and the exploration begins anew, so does the graph.
 *
 * Formulas want the truths of one atom side by side (a column); a new state wants those of its source, of which a step changes few (a row).  So rows are kept for
 * 64 states at a time, the newest ones and those around the state that is expanded, and blocks of 64 states by 64 atoms are turned when they are full or wanted:
 *
 *   new state  row of its source, and the atoms that the step can change (affected.h) are evaluated
 *   full       newest -> columns          source in another block       columns -> older
 *
 * Evaluating every atom for every state took nine tenths of the time on nets with a hundred atoms. */
#include "search/kripke.h"

#include "search/graph_hear.h"

#include <string.h>

enum { BLOCK = 64 };

/* ---- rows and columns ---------------------------------------------------------------------------------------------------- */

/* Bit j of word i becomes bit i of word j: halves are swapped, then quarters, ... (Hacker's Delight, 7-3). */
static void turn(uint64_t *block) {
  uint64_t mask = 0xffffffffu;
  for (unsigned width = 32; width; width >>= 1, mask ^= mask << width)
    for (unsigned i = 0; i < BLOCK; i = (i + width + 1) & ~width) {
      uint64_t swap = (block[i] >> width ^ block[i + width]) & mask;
      block[i] ^= swap << width;
      block[i + width] ^= swap;
    }
}

static uint64_t *column(const struct kripke *k, size_t atom) { return (uint64_t *)(void *)k->truth[atom].base; }

static int newest_to_columns(struct kripke *k) {
  uint64_t block = (k->states - 1) / BLOCK, part[BLOCK];
  for (size_t w = 0; w < k->row; w++) {
    for (unsigned i = 0; i < BLOCK; i++) part[i] = k->newest[i * k->row + w];
    turn(part);
    for (size_t a = w * BLOCK; a < k->atoms && a < (w + 1) * BLOCK; a++) {
      if (region_grow(&k->truth[a], (size_t)(block + 1) * sizeof(uint64_t))) return -1;
      column(k, a)[block] = part[a % BLOCK];
    }
  }
  return 0;
}

static void columns_to_older(struct kripke *k, uint64_t block) {
  uint64_t part[BLOCK];
  for (size_t w = 0; w < k->row; w++) {
    for (unsigned i = 0; i < BLOCK; i++) part[i] = w * BLOCK + i < k->atoms ? column(k, w * BLOCK + i)[block] : 0;
    turn(part);
    for (unsigned i = 0; i < BLOCK; i++) k->older[i * k->row + w] = part[i];
  }
  k->older_block = block;
}

static const uint64_t *row_of(struct kripke *k, uint64_t state, uint64_t newest_block) {
  if (state / BLOCK == newest_block) return k->newest + state % BLOCK * k->row;
  if (state / BLOCK != k->older_block) columns_to_older(k, state / BLOCK);
  return k->older + state % BLOCK * k->row;
}

static void evaluate(struct kripke *k, const uint32_t *words, uint64_t *row, size_t atom) {
  uint64_t bit = UINT64_C(1) << atom % 64;
  row[atom / 64] = expr_true(k->atom[atom], k->cursor, words) ? row[atom / 64] | bit : row[atom / 64] & ~bit;
}

static void fill_row(struct kripke *k, const struct search_event *event, uint64_t state) {
  uint64_t *row = k->newest + state % BLOCK * k->row;
  if (!k->affected || !k->affected->of_group || event->source == STORE_NONE) {
    for (size_t a = 0; a < k->atoms; a++) evaluate(k, event->words, row, a);
    return;
  }
  const uint64_t *source = row_of(k, event->source, state / BLOCK), *may = k->affected->of_group + event->group * k->affected->words;
  for (size_t w = 0; w < k->row; w++) {
    row[w] = source[w];
    for (uint64_t rest = may[w]; rest; rest &= rest - 1) evaluate(k, event->words, row, w * 64 + (size_t)__builtin_ctzll(rest));
  }
}

/* ---- states and edges ----------------------------------------------------------------------------------------------------- */

static int add_state(struct kripke *k, const struct search_event *event) {
  uint64_t n = k->states;
  if (n >= UINT32_MAX || (n && n % BLOCK == 0 && newest_to_columns(k))) return -1;
  k->states++;
  if (k->atoms) fill_row(k, event, n);
  return 0;
}

/* The rows that are left become columns. */
static int last_to_columns(struct kripke *k) {
  if (!k->atoms || !k->states) return 0;
  for (uint64_t i = k->states % BLOCK; i && i < BLOCK; i++) memset(k->newest + i * k->row, 0, k->row * sizeof *k->newest);
  return newest_to_columns(k);
}

/* When all that were found are expanded, the graph is whole. */
static int end_state(struct kripke *k, uint64_t state) {
  k->expanded++;
  k->done += k->done == state;
  return k->expanded < k->states ? 0 : last_to_columns(k);
}

static void forget(struct kripke *k) {
  graph_forget(&k->graph);
  k->states = k->done = k->expanded = 0;
  k->older_block = UINT64_MAX;
}

/* An edge keeps nothing, or its owner. */
static int hear_edge(struct kripke *k, const struct search_event *event) {
  if (!k->owners) return graph_hear(&k->graph, event, 0, NULL);
  if (event->kind & (EVENT_NEW | EVENT_SEEN) && event->source != STORE_NONE && event->group >= k->owners->count && owners_more(k->owners, event->group)) return -1;
  return graph_hear(&k->graph, event, 0, k->owners->of);
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *event) {
  struct kripke *k = (struct kripke *)l;
  int bad = 0;
  (void)s;
  switch (event->kind) {
  case EVENT_AGAIN: forget(k); break;
  case EVENT_NEW:
    bad = add_state(k, event) || hear_edge(k, event);
    break;
  case EVENT_SEEN: bad = hear_edge(k, event); break;
  case EVENT_EXPANDED: bad = hear_edge(k, event) || end_state(k, event->state); break;
  default: break;
  }
  k->failed |= bad;
  return bad ? LISTEN_GOAL : LISTEN_ON;
}

int kripke_cut(struct kripke *k) {
  if (!k->states || last_to_columns(k)) return -1;
  k->graph.states = k->states;
  return 0;
}

int kripke_open(struct kripke *k, const struct model *m, struct expr *const *atom, size_t atoms, struct mem *mem, struct err *e) {
  *k = (struct kripke){.mem = mem, .model = m, .atom = atom, .atoms = atoms, .row = (atoms + 63) / 64, .older_block = UINT64_MAX};
  k->listener = (struct listener){.wants = EVENT_NEW | EVENT_SEEN | EVENT_EXPANDED | EVENT_AGAIN | EVENT_NUMBERS, .hear = hear};
  graph_open(&k->graph, mem, 0);
  k->truth = mem_alloc(mem, MEM_SEARCH, (atoms + 1) * sizeof *k->truth);
  for (size_t i = 0; k->truth && i < atoms; i++) region_open(&k->truth[i], mem, MEM_SEARCH);
  k->newest = mem_alloc(mem, MEM_SEARCH, (BLOCK * k->row + 1) * sizeof *k->newest);
  k->older = mem_alloc(mem, MEM_SEARCH, (BLOCK * k->row + 1) * sizeof *k->older);
  if (k->truth && k->newest && k->older && m->type->cursor_open(&k->cursor, m, mem) == 0) return 0;
  kripke_close(k);
  return err_memory(e, "the graph of all states");
}

void kripke_own(struct kripke *k, struct owners *owners) {
  k->owners = owners;
  graph_close(&k->graph);
  graph_open(&k->graph, k->mem, 2);
}

void kripke_close(struct kripke *k) {
  if (!k->mem) return;
  if (k->cursor) k->model->type->cursor_close(k->cursor);
  graph_close(&k->graph);
  for (size_t i = 0; k->truth && i < k->atoms; i++) region_close(&k->truth[i]);
  mem_free(k->mem, k->truth);
  mem_free(k->mem, k->newest);
  mem_free(k->mem, k->older);
  *k = (struct kripke){0};
}
