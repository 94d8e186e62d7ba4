/* coverability.c -- the minimal coverability set.
 *
 * Karp and Miller (1969) explore markings over N and omega; a label that covers one of its
 * ancestors gets omega where it is larger.  Only maximal labels are wanted.  The algorithm
 * is that of Valmari and Hansen ("Old and new algorithms for minimal coverability sets",
 * 2014):
 *
 *   take a waiting pair of an active node and a transition;
 *   the new label is dropped if an active node covers it;
 *   otherwise it is accelerated against all its ancestors, active or not, until nothing
 *   changes; nodes it covers become inactive: not waited for, but still ancestors.
 *
 * It is right because an inactive node is always covered by an active one, which by monotony
 * can do whatever the inactive one could; nothing below an inactive node is thrown away.
 * That last step is where Finkel's algorithm (1991) goes wrong: it cuts off the branch
 * below a covered node and may lose markings that only this branch had proven.  Reynier
 * and Servais (2011) repair the cutting; not cutting is simpler, and here the covered
 * leaves of old branches fall soon enough because the newest node goes first.
 * It ends because a branch without end would have a growing sequence of labels (Dickson),
 * each with more omegas than the one before.
 *
 * Two passes.  A short one in breadth, within a quarter of the limits, looks for the first omega only:
 * its run is short, and a person will read it.  The long one in depth finds omegas quickly
 * and keeps few nodes waiting.  cover_tree.c has the comparisons, cover_run.c makes concrete runs. */
#include "net/coverability.h"
#include "net/cover.h"

#include "base/clock.h"

#include <string.h>

enum { SCOUT_NODES = 20000, SCOUT_SHARE = 4, CHECK_EVERY = 512, SLOTS_A_STEP = 256, RUN_ATTEMPTS = 100 };

static const char *const limit_nodes = "the limit on nodes was reached", *const limit_time = "the time limit was reached",
                         *const limit_stop = "it was interrupted", *const limit_memory = "the memory budget was reached",
                         *const limit_count = "a place would hold more than 2147483647 tokens",
                         *const limit_first = "it was asked to stop at the first unbounded place",
                         *const limit_aim = "it was asked for one place only";
static const char *const no_memory_for = "the coverability analysis";

enum order { BREADTH, DEPTH };
enum outcome { FINISHED, LIMITED, FOUND };

struct explorer {
  const struct pt_net *pt;
  const struct cover_net *net;
  const struct coverability_setup *setup;
  struct mem *mem;
  struct cover_tree tree;
  struct vec(uint32_t) wait; /* nodes */
  size_t head;               /* BREADTH: the first one that waits */
  uint32_t *here, *there;    /* labels */
  size_t created, work, cap;
  double deadline;
  const char *limit;
  /* what is looked for */
  int want_first; /* any event */
  uint32_t aim;   /* an event with this slot that has a run; COVER_NONE */
  uint32_t found; /* the event */
  const char *no_run;
  unsigned attempts;
  struct coverability *out;
};

static int explorer_open(struct explorer *x, const struct pt_net *pt, const struct cover_net *net,
                         const struct coverability_setup *setup, struct coverability *out, double deadline) {
  *x = (struct explorer){.pt = pt,
                         .net = net,
                         .setup = setup,
                         .mem = setup->mem,
                         .out = out,
                         .aim = COVER_NONE,
                         .found = COVER_NONE,
                         .deadline = deadline};
  if (cover_tree_open(&x->tree, net, x->mem)) return -1;
  x->here = mem_alloc(x->mem, MEM_ANALYSIS, net->slots * sizeof *x->here);
  x->there = mem_alloc(x->mem, MEM_ANALYSIS, net->slots * sizeof *x->there);
  return x->here && x->there ? 0 : -1;
}

static void explorer_close(struct explorer *x) {
  if (!x->mem) return;
  cover_tree_close(&x->tree);
  vec_free(&x->wait, x->mem);
  mem_free(x->mem, x->here);
  mem_free(x->mem, x->there);
  *x = (struct explorer){0};
}

static int enabled(const struct explorer *x, uint32_t t) {
  const struct cover_net *net = x->net;
  for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++)
    if (x->here[net->pre[i].slot] < (uint32_t)net->pre[i].weight) return 0;
  return 1;
}

/* here [t> there. 0, or -1: a count beyond 2^31-1. */
static int fire(const struct explorer *x, uint32_t t) {
  const struct cover_net *net = x->net;
  memcpy(x->there, x->here, net->slots * sizeof *x->there);
  for (uint32_t i = net->effect_start[t]; i < net->effect_start[t + 1]; i++) {
    uint32_t *n = &x->there[net->effect[i].slot];
    if (*n == COVER_OMEGA) continue;
    *n += (uint32_t)net->effect[i].weight; /* both below 2^31: no wrap */
    if (*n > PT_MAX_COUNT) return -1;
  }
  return 0;
}

static int over_limit(struct explorer *x) {
  if (x->cap && x->created >= x->cap) x->limit = limit_nodes;
  else if ((x->work += 1 + x->net->slots / SLOTS_A_STEP) >= CHECK_EVERY) { /* large markings take long to compare */
    x->work = 0;
    if (x->setup->stop && *x->setup->stop) x->limit = limit_stop;
    else if (x->deadline > 0 && clock_now() > x->deadline) x->limit = limit_time;
  }
  return x->limit != NULL;
}

/* Events [from, ...) are new. 1 if what was looked for is among them, 0, or -1: memory. */
static int look(struct explorer *x, size_t from) {
  for (size_t e = from; e < x->tree.events.count; e++) {
    if (x->want_first) {
      x->found = (uint32_t)e;
      return 1;
    }
    if (x->aim == COVER_NONE || x->attempts >= RUN_ATTEMPTS) continue;
    const struct cover_event *event = &x->tree.events.at[e];
    for (uint32_t i = 0; i < event->count; i++) {
      if (x->tree.event_slots.at[event->first + i] != x->aim) continue;
      x->attempts++;
      int made = cover_run(x->out, &x->tree, x->pt, (uint32_t)e, x->aim, &x->no_run);
      if (made) {
        x->found = (uint32_t)e;
        return made;
      }
    }
  }
  return 0;
}

/* Adds x->there. GOES_ON = 0, or the outcome + 1. */
static int add(struct explorer *x, uint32_t parent, uint32_t transition) {
  size_t events = x->tree.events.count;
  uint32_t id;
  if (vec_reserve(&x->wait, x->mem, MEM_ANALYSIS, 1)) {
    x->limit = limit_memory;
    return LIMITED + 1;
  }
  switch (cover_add(&x->tree, x->there, parent, transition, &id)) {
  case COVER_COVERED: return 0;
  case COVER_MEMORY: x->limit = limit_memory; return LIMITED + 1;
  case COVER_ADDED: break;
  }
  x->created++;
  x->wait.at[x->wait.count++] = id;
  int found = look(x, events);
  if (found < 0) x->limit = limit_memory;
  return found < 0 ? LIMITED + 1 : found ? FOUND + 1 : 0;
}

/* Tries the transitions of a node until the node is done, is covered, or (DEPTH) has a new child to go to. */
static int expand(struct explorer *x, uint32_t id, enum order order) {
  struct cover_node *n = cover_node(&x->tree, id);
  cover_label(&x->tree, id, x->here);
  for (uint32_t t = n->next; t < x->net->transitions; t++) {
    if (!enabled(x, t)) continue;
    if (over_limit(x)) return LIMITED + 1;
    if (fire(x, t)) {
      x->limit = limit_count;
      return LIMITED + 1;
    }
    size_t created = x->created;
    int end = add(x, id, t);
    n = cover_node(&x->tree, id); /* the array may have moved */
    n->next = t + 1;
    if (end) return end;
    if (!n->active || (order == DEPTH && x->created > created)) return 0;
  }
  n->next = x->net->transitions;
  return 0;
}

static enum outcome explore(struct explorer *x, enum order order) {
  memcpy(x->there, x->net->initial, x->net->slots * sizeof *x->there);
  int end = add(x, COVER_NONE, COVER_NONE);
  while (!end && x->head < x->wait.count) {
    uint32_t id = order == BREADTH ? x->wait.at[x->head] : x->wait.at[x->wait.count - 1];
    struct cover_node *n = cover_node(&x->tree, id);
    if (n->active && n->next < x->net->transitions) {
      end = expand(x, id, order);
      continue;
    }
    n->waiting = 0;
    if (order == DEPTH) x->wait.count--;
    else if (++x->head > 4096 && x->head * 2 > x->wait.count) { /* what has been taken from the front makes room */
      x->wait.count -= x->head;
      memmove(x->wait.at, x->wait.at + x->head, x->wait.count * sizeof *x->wait.at);
      x->head = 0;
    }
    cover_release(&x->tree, id);
  }
  return end ? (enum outcome)(end - 1) : FINISHED;
}

/* ---- results -------------------------------------------------------------------------- */

/* Largest counts over the active nodes; a place that was omega anywhere stays so. */
static void raise_bounds(struct coverability *out, const struct explorer *x) {
  const struct cover_tree *t = &x->tree;
  for (uint32_t id = 0; id < t->node_count; id++) {
    if (!cover_node(t, id)->used || !cover_node(t, id)->active) continue;
    for (uint32_t s = 0; s < x->net->slots; s++) {
      uint32_t *bound = &out->bound[x->net->place[s]], n = cover_value(t, id, s);
      if (n > *bound) *bound = n;
    }
  }
  out->unbounded = 0;
  for (uint32_t s = 0; s < x->net->slots; s++) out->unbounded |= out->bound[x->net->place[s]] == PT_NONE;
}

static void finish(struct coverability *out, struct explorer *x, enum outcome outcome) {
  out->complete = outcome == FINISHED;
  out->limit = outcome == FINISHED ? NULL : outcome == LIMITED ? x->limit : x->want_first ? limit_first : limit_aim;
  out->nodes += x->created;
  out->kept = x->tree.active;
  raise_bounds(out, x);
}

/* The first-level event (nothing was omega before) whose node is least deep: its run needs nothing else. */
static uint32_t shortest_event(const struct cover_tree *t) {
  uint32_t best = COVER_NONE;
  for (size_t e = 0; e < t->events.count; e++) {
    const struct cover_event *event = &t->events.at[e];
    int first_level = 1;
    for (uint32_t s = 0; s < t->net->loose && first_level; s++) first_level = cover_value(t, event->base, s) != COVER_OMEGA;
    /* an earlier event of the same node already made omegas that this one's path relies on */
    first_level &= cover_node(t, event->node)->event == e;
    if (first_level && (best == COVER_NONE || cover_node(t, event->node)->depth < cover_node(t, t->events.at[best].node)->depth))
      best = (uint32_t)e;
  }
  return best;
}

static int begin(struct coverability *out, struct cover_net *net, const struct pt_net *pt, const struct coverability_setup *setup,
                 double *deadline, struct err *e) {
  *out = (struct coverability){.mem = setup->mem};
  *deadline = setup->max_seconds > 0 ? clock_now() + setup->max_seconds : 0;
  out->bound = mem_alloc(setup->mem, MEM_ANALYSIS, pt->places * sizeof *out->bound);
  if (!out->bound) return err_memory(e, no_memory_for);
  memcpy(out->bound, pt->initial, pt->places * sizeof *out->bound);
  return cover_net_open(net, pt, setup->mem, e);
}

/* Both passes. aim_place: only a run that pumps this place is wanted; PT_NONE: the whole set, and any run. */
static int analyse(struct coverability *out, const struct pt_net *pt, uint32_t aim_place, const struct coverability_setup *setup,
                   struct err *e) {
  struct cover_net net = {0};
  struct explorer x = {0};
  double deadline;
  int status = begin(out, &net, pt, setup, &deadline, e);
  if (status) goto end;
  uint32_t aim = aim_place == PT_NONE ? COVER_NONE : net.slot[aim_place];
  if (aim_place != PT_NONE && (aim == COVER_NONE || aim >= net.loose)) {
    out->limit = "the place is bounded"; /* it never changes, or a P-semiflow bounds it */
    goto end;
  }
  int have_run = 0;
  for (int pass = net.loose ? 0 : 1; pass < 2; pass++) {
    explorer_close(&x);
    double scout_deadline = deadline > 0 ? deadline - setup->max_seconds * (SCOUT_SHARE - 1) / SCOUT_SHARE : 0;
    status = explorer_open(&x, pt, &net, setup, out, pass == 0 ? scout_deadline : deadline);
    if (status) {
      err_memory(e, no_memory_for);
      goto end;
    }
    size_t left = setup->max_nodes ? setup->max_nodes - out->nodes : 0;
    x.cap = pass ? left : left && left / SCOUT_SHARE < SCOUT_NODES ? left / SCOUT_SHARE + 1 : SCOUT_NODES;
    x.aim = aim;
    x.want_first = aim == COVER_NONE && (pass == 0 || (setup->until_unbounded && !have_run));
    enum outcome outcome = explore(&x, pass == 0 ? BREADTH : DEPTH);
    finish(out, &x, outcome);
    if (aim != COVER_NONE && outcome != FOUND && x.no_run) out->limit = x.no_run;
    if (aim != COVER_NONE && outcome == FOUND) break;
    if (aim == COVER_NONE && !have_run && x.tree.events.count) {
      uint32_t event = x.want_first ? x.found : shortest_event(&x.tree);
      const char *why = NULL;
      have_run = event == COVER_NONE ? 0 : cover_run(out, &x.tree, pt, event, COVER_NONE, &why);
      if (have_run < 0) have_run = 0, why = limit_memory; /* the places are named all the same */
      if (have_run == 0 && !out->limit) out->limit = why;
    }
    if (outcome == FINISHED) break;
    if (pass == 0 && have_run && setup->until_unbounded) break;
    if (outcome == LIMITED && x.limit == limit_stop) break;
    if (setup->max_nodes && out->nodes >= setup->max_nodes) break;
  }
end:
  explorer_close(&x);
  cover_net_close(&net);
  if (status) coverability_close(out);
  return status;
}

int coverability_run(struct coverability *out, const struct pt_net *pt, const struct coverability_setup *setup, struct err *e) {
  return analyse(out, pt, PT_NONE, setup, e);
}

int coverability_pump(struct coverability *out, const struct pt_net *pt, uint32_t place, const struct coverability_setup *setup,
                      struct err *e) {
  return analyse(out, pt, place, setup, e);
}

void coverability_close(struct coverability *c) {
  if (!c->mem) return;
  mem_free(c->mem, c->bound);
  mem_free(c->mem, c->prefix);
  mem_free(c->mem, c->pump);
  mem_free(c->mem, c->pumped);
  *c = (struct coverability){0};
}
