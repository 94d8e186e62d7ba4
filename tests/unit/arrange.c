/* arrange.c -- layouts that become wider: as often as needed, not much wider than needed, and not for ever.
 *
 * Rings in which each place may hold every token of the net, so that bounds say little: 400 places with a token each.  Places with
 * bounds and places without (a source feeds them) are told to outgrow their fields, one after the other, as states of a search do. */
#include "tap.h"

#include "net/arrange.h"
#include "nets.h"

#include <stdlib.h>

enum { RING = 400 };

/* A ring; with a source its places have no bound. */
static struct pt_net *ring(struct mem *mem, int source) {
  static char text[40000];
  size_t at = 0;
  for (int k = 0; k < RING; k++) at += (size_t)snprintf(text + at, sizeof text - at, "p%d=1 ", k);
  at += (size_t)snprintf(text + at, sizeof text - at, "%s| ", source ? "q=1 " : "");
  for (int k = 0; k < RING; k++) at += (size_t)snprintf(text + at, sizeof text - at, "t%d: p%d -> p%d ; ", k, k, (k + 1) % RING);
  if (source) snprintf(text + at, sizeof text - at, "s: q -> q + p0 ; ");
  return nets_read(mem, text);
}

static uint32_t widest(const struct arrangement *m) {
  uint32_t most = 0;
  for (uint32_t p = 0; p < m->net->places; p++) most = m->width[p] > most ? m->width[p] : most;
  return most;
}

/* Every place outgrows its field until all hold `tokens`. Returns how many layouts that took; -1 = none could be had. */
static int grow(struct arrangement *m, struct layout **layout, uint32_t tokens) {
  struct err e;
  int made = 0;
  err_clear(&e);
  for (uint32_t t = 2; t <= tokens; t *= 2)
    for (uint32_t p = 0; p < RING; p++) {
      if (t >> m->width[p] == 0) continue;
      struct layout *next = NULL;
      if (arrange_wider(m, *layout, p, t, &next, &e)) return -1;
      layout_close(*layout);
      *layout = next;
      made++;
    }
  return made;
}

static void test(int source) {
  struct mem mem;
  struct err e;
  struct arrangement m;
  struct layout *layout = NULL;
  err_clear(&e);
  mem_open(&mem, 0);
  struct pt_net *net = ring(&mem, source);
  ok(net && arrange_open(&m, net, &mem, &e) == 0 && arrange_layout(&m, &layout, &e) == 0, source ? "a ring with a source" : "a ring");
  is(m.proven[7], source ? PT_NONE : RING, source ? "its places have no bound" : "each place may hold all tokens");
  for (uint32_t p = 0; p < RING; p++) m.width[p] = 1; /* as if a walk had not come anywhere */
  if (source) {
    m.layouts = 1 << 15; /* as if there had been many: nets without bounds go on place by place for long */
    is(grow(&m, &layout, 2), 1, "late in a run one place that grows takes the others along");
  } else {
    int made = grow(&m, &layout, 2);
    ok(made > 1 && made < 20, "some places become wider, then all do");
    printf("# %d layouts\n", made);
    is(widest(&m), 2, "by as much as was needed, not as the bounds allow");
    ok(grow(&m, &layout, 256) < 9, "further on it takes a layout for each bit");
    is(widest(&m), 9, "up to the bounds");
  }
  layout_close(layout);
  arrange_close(&m);
  pt_close(net);
  is(mem.used, 0, "nothing left behind");
}

/* Rings of four places fill so many bits; q, which never holds a token, needs none. Does the layout have the words of its bits and no others? */
static void test_no_bits(int rings, uint32_t bits) {
  static char text[20000];
  struct mem mem;
  struct err e;
  struct arrangement m;
  struct layout *layout = NULL;
  size_t at = 0;
  err_clear(&e);
  mem_open(&mem, 0);
  at += (size_t)snprintf(text + at, sizeof text - at, "p=1 q ");
  for (int k = 0; k < rings; k++) at += (size_t)snprintf(text + at, sizeof text - at, "a%d=1 b%d c%d d%d ", k, k, k, k);
  at += (size_t)snprintf(text + at, sizeof text - at, "| t: 2 p -> q ; u: q -> 2 p ; ");
  for (int k = 0; k < rings; k++)
    at += (size_t)snprintf(text + at, sizeof text - at, "ab%d: a%d -> b%d ; bc%d: b%d -> c%d ; cd%d: c%d -> d%d ; da%d: d%d -> a%d ; ", k, k, k, k, k, k, k, k, k, k, k, k);
  struct pt_net *net = nets_read(&mem, text);
  if (ok(net && arrange_open(&m, net, &mem, &e) == 0 && arrange_layout(&m, &layout, &e) == 0, "rings, and a place that never holds a token")) {
    is(m.proven[1], 0, "which is proven");
    is(layout->bits, bits, "its field has no bits");
    is(layout->words64, (bits + 63) / 64, "and no word of its own");
    layout_close(layout);
    arrange_close(&m);
  }
  pt_close(net);
  is(mem.used, 0, "nothing left behind");
}

int main(void) {
  test(0);
  test(1);
  test_no_bits(0, 1);
  test_no_bits(32, 64);
  test_no_bits(33, 66);
  return done();
}
