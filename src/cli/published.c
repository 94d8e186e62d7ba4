/* published.c -- see published.h. */
#include "cli/published.h"

#include "base/clock.h"
#include "cli/watchdog.h"

#include <string.h>

static enum listener_answer published_tick(struct listener *l, struct search *s,
                                           const struct search_event *event) {
  struct published *p = (struct published *)l;
  (void)event;
  watchdog_hold();
  p->stats = s->stats;
  p->search_s = s->seconds;
  if (s->store) {
    p->store = s->store->type->name;
    p->store_bytes = s->store->type->bytes(s->store);
  }
  watchdog_let_go();
  return LISTEN_ON;
}

static struct published *of_watch(struct run_watch *w) {
  return (struct published *)((char *)w - offsetof(struct published, watch));
}

static void published_decided(struct run_watch *w, size_t prop,
                              const struct verdict_property *found) {
  watchdog_hold();
  of_watch(w)->decided[prop] = found;
  watchdog_let_go();
}

static void published_again(struct run_watch *w) {
  struct published *p = of_watch(w);
  watchdog_hold();
  for (size_t i = 0; i < p->setup->prop_count; i++) p->decided[i] = NULL;
  watchdog_let_go();
}

int published_open(struct published *p, const struct run_setup *setup) {
  struct published fresh = {.listener = {EVENT_TICK | EVENT_PRODUCTS, published_tick},
                            .watch = {published_decided, published_again},
                            .setup = setup,
                            .began = clock_now() - setup->load_s};
  fresh.decided = mem_alloc(setup->mem, MEM_OTHER, (setup->prop_count + 1) * sizeof *fresh.decided);
  if (!fresh.decided) return -1;
  watchdog_hold(); /* the watchdog finds nothing, or all of it */
  *p = fresh;
  watchdog_let_go();
  return 0;
}

void published_close(struct published *p) {
  if (p->setup) mem_free(p->setup->mem, p->decided);
  *p = (struct published){0};
}

void published_final(struct published *p, const struct verdict *v) {
  watchdog_hold();
  p->final = v;
  watchdog_let_go();
}

int published_verdict(const struct published *p, struct verdict *out, enum search_stop why,
                      struct mem *mem, struct err *e) {
  if (p->final) {
    *out = *p->final;
    return 0;
  }
  struct run_setup setup = *p->setup;
  const size_t budget = setup.mem->budget, peak = setup.mem->peak;
  setup.mem = mem;
  if (run_describe(out, &setup, e)) return -1;
  out->kind = VERDICT_INCOMPLETE;
  out->stop = why;
  out->words = setup.model->words;
  out->bits = setup.model->bits;
  out->budget = budget;
  out->peak = peak;
  verdict_weigh(out);
  out->stats = p->stats;
  out->search_s = p->search_s;
  out->jobs = setup.jobs;
  if (p->store) out->store = out->rung[out->rungs++] = p->store;
  out->store_bytes = p->store_bytes;
  for (size_t i = 0; i < out->property_count; i++) {
    if (!p->decided[i]) continue;
    out->property[i] = *p->decided[i];
    if (out->property[i].status == STATUS_VIOLATED) out->kind = VERDICT_VIOLATED;
  }
  return 0;
}
