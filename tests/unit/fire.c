/* fire.c -- the two ways to know the enabled transitions, tables and watching, must agree:
 * on the enabled set, on successors, on peaks, whatever order markings come in. */
#include "tap.h"

#include "model/model.h"
#include "net/arrange.h"
#include "net/fire.h"
#include "nets.h"

#include <stdlib.h>

enum { MARKINGS = 300 };

struct duel {
  struct mem mem;
  struct pt_net *net;
  struct arrangement how;
  struct layout *layout;
  struct fire tables, watching;
  struct model_batch one, other;
  uint32_t words;
};

/* 0, or the reason why there is nothing to compare. */
static const char *begin(struct duel *d, struct pt_net *net) {
  struct err e;
  err_clear(&e);
  d->net = net;
  if (arrange_open(&d->how, net, &d->mem, &e) || arrange_layout(&d->how, &d->layout, &e)) return "no layout";
  if (!d->layout->lookup) return "no tables";
  d->words = (d->layout->bits + 31) / 32;
  if (fire_open(&d->tables, d->layout, &d->mem) || fire_open_watching(&d->watching, d->layout, &d->mem)) return "no memory";
  return model_batch_open(&d->one, &d->mem, d->words, 4) || model_batch_open(&d->other, &d->mem, d->words, 4) ? "no memory"
                                                                                                              : NULL;
}

static void end(struct duel *d) {
  model_batch_close(&d->one);
  model_batch_close(&d->other);
  fire_close(&d->tables);
  fire_close(&d->watching);
  layout_close(d->layout);
  arrange_close(&d->how);
  pt_close(d->net);
}

/* Visits markings in a random order of those found so far; returns how often the two differ. */
static int compare(struct duel *d, struct rng *rng, int *visited) {
  int differ = 0;
  size_t known = 1, stride = d->one.stride;
  uint32_t *marking = calloc(MARKINGS * 64, stride * 4);
  struct fire initial;
  if (fire_open(&initial, d->layout, &d->mem)) return 1;
  memcpy(marking, initial.state, d->words * 4);
  fire_close(&initial);
  for (int i = 0; i < MARKINGS; i++) {
    const uint32_t *state = marking + rng_below(rng, known) * stride;
    d->one.count = d->other.count = 0;
    differ += fire_move(&d->tables, state, d->words) != 0;
    differ += fire_move(&d->watching, state, d->words) != 0;
    enum model_answer a = fire_all(&d->tables, &d->one), b = fire_all(&d->watching, &d->other);
    differ += a != b || d->one.count != d->other.count || d->tables.enabled_count != d->watching.enabled_count;
    if (a != MODEL_OK || d->one.count != d->other.count) break;
    differ += d->one.count && (memcmp(d->one.states, d->other.states, d->one.count * stride * 4) != 0 ||
                               memcmp(d->one.group, d->other.group, d->one.count * 4) != 0);
    differ += d->tables.peak_place != d->watching.peak_place || d->tables.peak_marking != d->watching.peak_marking;
    for (size_t k = 0; k < d->one.count && known < (size_t)MARKINGS * 64; k++)
      memcpy(marking + known++ * stride, d->one.states + k * stride, stride * 4);
    ++*visited;
  }
  free(marking);
  return differ;
}

int main(void) {
  int differ = 0, compared = 0, visited = 0, left = 0, several_chunks = 0;
  for (int i = 0; i < 1500; i++) {
    struct rng rng = {(uint64_t)i};
    struct duel d = {0};
    mem_open(&d.mem, 0);
    unsigned places = 3 + (unsigned)rng_below(&rng, 20), transitions = 2 + (unsigned)rng_below(&rng, 90);
    struct pt_net *net = nets_random(&d.mem, &rng, places, transitions, transitions * 3, 1 + (unsigned)rng_below(&rng, 2),
                                     1 + (unsigned)rng_below(&rng, 4));
    if (!net) continue;
    if (!begin(&d, net)) {
      compared++;
      several_chunks += d.layout->bits > 9;
      int now = compare(&d, &rng, &visited);
      if (now) {
        printf("# net %d differs\n", i);
        nets_print(net);
      }
      differ += now;
    }
    end(&d);
    left += d.mem.used != 0;
  }
  /* nets whose implied places have long formulas: rings of counters with complements */
  for (int n = 2; n < 14; n++) {
    char text[4000];
    size_t at = 0;
    struct rng rng = {(uint64_t)n};
    struct duel d = {0};
    mem_open(&d.mem, 0);
    for (int k = 0; k < n; k++) at += (size_t)snprintf(text + at, sizeof text - at, "p%d=%d ", k, k % 3);
    at += (size_t)snprintf(text + at, sizeof text - at, "| ");
    for (int k = 0; k < n; k++)
      at += (size_t)snprintf(text + at, sizeof text - at, "t%d: p%d -> p%d ; u%d: 2 p%d -> 2 p%d ; ", k, k, (k + 1) % n, k, k,
                             (k + 2) % n);
    struct pt_net *net = nets_read(&d.mem, text);
    if (net && !begin(&d, net)) {
      compared++;
      differ += compare(&d, &rng, &visited);
    }
    if (net) end(&d);
    left += d.mem.used != 0;
  }
  is(differ, 0, "tables and watching agree");
  ok(compared > 100 && several_chunks > 50, "on many nets, also of several chunks");
  printf("# %d nets, %d markings, %d of several chunks\n", compared, visited, several_chunks);
  is(left, 0, "nothing left behind");
  return done();
}
