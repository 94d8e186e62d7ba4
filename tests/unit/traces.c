/* traces.c -- words of random graphs: inclusion against subsets by definition; words that tell graphs apart, taken again; plays against bisimulation in so many steps. */
#include "tap.h"

#include "labelled_graphs.h"
#include "search/play.h"
#include "search/traces.h"

#include <stdlib.h>

static struct mem mem;
static struct err err;
static struct rng rng = {44};

static uint64_t close_mask(const struct small_lts *g, uint64_t set) {
  for (uint64_t before = 0; before != set;) {
    before = set;
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t k = 0; set >> s & 1 && k < g->degree[s]; k++)
        if (g->label[s][k] == 0) set |= UINT64_C(1) << g->target[s][k];
  }
  return set;
}

static uint64_t after(const struct small_lts *g, uint64_t set, uint32_t label) {
  uint64_t out = 0;
  for (uint32_t s = 0; s < g->states; s++)
    for (uint32_t k = 0; set >> s & 1 && k < g->degree[s]; k++)
      if (g->label[s][k] == label) out |= UINT64_C(1) << g->target[s][k];
  return close_mask(g, out);
}

static int can_end(const struct small_lts *g, uint64_t set) {
  for (uint32_t s = 0; s < g->states; s++)
    if (set >> s & 1 && !g->degree[s]) return 1;
  return 0;
}

/* Both determinised, all pairs of sets. */
static int included(const struct small_lts *g, uint32_t a, uint32_t b, int language) {
  enum { PAIRS = 20000 };
  static uint64_t pair[PAIRS][2];
  size_t count = 0;
  pair[count][0] = close_mask(g, UINT64_C(1) << a);
  pair[count++][1] = close_mask(g, UINT64_C(1) << b);
  for (size_t i = 0; i < count; i++) {
    if (language && can_end(g, pair[i][0]) && !can_end(g, pair[i][1])) return 0;
    for (uint32_t l = 1; l < LTS_LABELS; l++) {
      uint64_t x = after(g, pair[i][0], l), y = after(g, pair[i][1], l);
      size_t k = 0;
      if (!x) continue;
      if (!language && !y) return 0;
      while (k < count && (pair[k][0] != x || pair[k][1] != y)) k++;
      if (k < count) continue;
      if (count == PAIRS) return -1;
      pair[count][0] = x;
      pair[count++][1] = y;
    }
  }
  return 1;
}

static int word_tells(const struct small_lts *g, uint32_t a, uint32_t b, int language, const struct traces_word *w) {
  uint64_t x = close_mask(g, UINT64_C(1) << a), y = close_mask(g, UINT64_C(1) << b);
  for (size_t i = 0; i < w->count; i++) {
    x = after(g, x, w->label[i]);
    y = after(g, y, w->label[i]);
  }
  return language ? can_end(g, x) && !can_end(g, y) : x && !y;
}

/* In how many steps two states are told apart (strong); 0 = never. */
static size_t steps_apart(const struct small_lts *g, uint32_t a, uint32_t b) {
  static lts_relation like, next, reach;
  memset(like, 1, sizeof like);
  for (size_t k = 1; k <= (size_t)g->states + 1; k++) {
    memcpy(next, like, sizeof next);
    for (uint32_t s = 0; s < g->states; s++)
      for (uint32_t t = 0; t < g->states; t++)
        for (uint32_t i = 0; i < g->degree[s]; i++)
          if (!lts_answers(g, like, reach, s, i, t, 0)) next[s][t] = next[t][s] = 0;
    memcpy(like, next, sizeof like);
    if (!like[a][b]) return k;
  }
  return 0;
}

static int check_play(const struct small_lts *small, const struct graph *g, enum bisimulation kind) {
  struct refined r;
  struct graph q;
  struct play p;
  uint32_t *number = NULL;
  uint64_t initial[2] = {0, small->states - 1};
  if (refine(&r, g, kind, NULL, &mem, &err)) return 0;
  int good = refined_quotient(&r, g, kind, initial, 2, &q, &number, &mem, &err) == 0;
  if (good && r.block[initial[0]] != r.block[initial[1]]) {
    good = play_find(&p, &q, number[r.block[initial[0]]], number[r.block[initial[1]]], kind, NULL, &mem, &err) == 0 && p.count &&
           p.round[p.count - 1].answer == PLAY_NO_ANSWER;
    for (size_t i = 0; good && i + 1 < p.count; i++) good = p.round[i].answer == PLAY_ANSWERED || (p.round[i].answer == PLAY_STAYED && kind == BISIMULATION_BRANCHING);
    if (good && kind == BISIMULATION_STRONG) good = p.count == steps_apart(small, 0, small->states - 1);
    play_close(&p);
  } else if (good && kind == BISIMULATION_STRONG) {
    good = steps_apart(small, 0, small->states - 1) == 0;
  }
  mem_free(&mem, number);
  graph_close(&q);
  refined_close(&r);
  return good;
}

int main(void) {
  int right[2] = {0, 0}, words[2] = {0, 0}, plays[2] = {0, 0}, yes[2] = {0, 0}, refused = 0, kept = 1;
  mem_open(&mem, (size_t)64 << 20);
  err_clear(&err);
  for (unsigned round = 0; round < 1500; round++) {
    struct small_lts small;
    struct graph g;
    lts_random(&small, &rng, 2 + (uint32_t)rng_below(&rng, 12), 1 + round % 4, 2 + round % 3, round % 4 * 20);
    uint32_t a = 0, b = small.states - 1;
    graph_open(&g, &mem, LTS_LABELS);
    lts_tell(&g, &small);
    for (int language = 0; language < 2; language++) {
      struct traces_word w;
      int want = included(&small, a, b, language), got = traces_included(&g, a, b, language, &w, NULL, &mem, &err);
      right[language] += got == want;
      yes[language] += got == 1;
      words[language] += got != 0 || word_tells(&small, a, b, language, &w);
      mem_free(&mem, w.label);
      size_t used = mem.used;
      mem.fail_after = 1 + round % 9;
      if (traces_included(&g, a, b, language, &w, NULL, &mem, &err) < 0) refused++, err_clear(&err);
      mem_free(&mem, w.label);
      mem.fail_after = 0;
      kept &= mem.used == used;
      plays[language] += check_play(&small, &g, (enum bisimulation)language);
    }
    graph_close(&g);
  }
  is(right[0], 1500, "1500 graphs: inclusion of traces as by subsets");
  is(right[1], 1500, "of languages");
  is(words[0], 1500, "words of one that are none of the other");
  is(words[1], 1500, "that end");
  ok(yes[0] > 100 && yes[0] < 1400 && yes[1] > 100 && yes[1] < 1400, "both answers happen");
  is(plays[0], 1500, "strong: plays are as long as need be");
  is(plays[1], 1500, "branching: plays end");
  ok(refused && kept, "without memory: an error, and nothing is lost");
  is(mem.used, 0, "no memory is left behind");
  return done();
}
