/* fuzz_agree.c -- any bytes as a model, a property and a way to check it: whatever the way promises must be what the plain one says.
 *
 *   first line   six letters: the language (any_model.h), the search, the store, the reductions, what is asked, and bits: the whole space, runs that are weakly fair, nested searches for cycles
 *   second line  an expression or formula
 *   the rest     the model
 *
 * The plain way (store plain, search bfs, no reduction, the whole space) tells the story; models of more than some hundred states are left. It is what tests/fuzz/tester does with models that it makes itself and with the program that users run; here the fuzzer
 * makes them, thousands a minute, and everything happens in one process: no files, no threads, no compiler. Traces are replayed by run_check itself: an internal error is a finding. */
#include "any_model.h"
#include "run/run.h"

enum { MOST_STATES = 600, MOST_PROPS = 24, HEAD = 6 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the letters choose: any byte is one of them. */
static const char *const searches[] = {"bfs", "dfs", "best", "astar", "sweep", "scout"};
static const char *const stores[] = {"plain", "tree", "compact-tree", "collapse", "dfa", "delta", "comback", "hashcompact", "bitstate"};
#define CHOSEN(table, letter) ((table)[(letter) % (sizeof(table) / sizeof *(table))])

struct way {
  const char *name;
  const struct search_type *search; /* NULL: what `check` does when it is not told, with the breadth-first part cut short, so that what the scout found stands */
  const struct store_type *store;
  unsigned reduce;
  int whole, fair, nested;
};

struct question {
  uint8_t asked; /* a letter: see below */
  char text[200];
};

struct told {
  struct mem mem;
  struct model *model;
  struct prop prop[MOST_PROPS];
  size_t props;
  struct verdict verdict;
  struct err err;
  int opened, bad;
};

static int add(struct told *t, enum prop_kind kind, const char *text) { return t->props == MOST_PROPS || prop_open(&t->prop[t->props], kind, 1, text, t->model, &t->mem, &t->err) ? -1 : (t->props++, 0); }

static int ask(struct told *t, const struct question *q) {
  int stated = q->asked % 2, bad = 0;
  if (stated && prop_stated_most(t->model) + 2 > MOST_PROPS) return -1;
  if (q->asked / 2 % 2) bad = add(t, PROP_DEADLOCK, NULL);
  if (!bad && stated) bad = prop_open_stated(t->prop, &t->props, t->model, 0, &t->mem, &t->err);
  static const enum prop_kind kinds[] = {PROP_KINDS, PROP_INVARIANT, PROP_REACHABLE, PROP_LTL, PROP_CTL};
  enum prop_kind kind = kinds[q->asked / 4 % 5];
  if (!bad && kind != PROP_KINDS) bad = add(t, kind, q->text);
  return bad || !t->props ? -1 : 0;
}

/* One run, from the text. `opened` 0: there is nothing to ask. */
static void tell(struct told *t, char letter, const uint8_t *text, size_t size, const struct question *q, const struct way *w) {
  memset(t, 0, sizeof *t);
  mem_open(&t->mem, BUDGET);
  err_clear(&t->err);
  t->model = any_model(&t->mem, letter, text, size);
  if (!t->model || ask(t, q)) return;
  struct run_setup setup = {.mem = &t->mem, .model = t->model, .props = t->prop, .prop_count = t->props, .search = w->search, .store = w->store, .reduce = w->reduce, .collect = w->whole ? 1 : 0, .engine = PROCESS_INTERPRETER, .fair = w->fair, .cycles = w->nested ? CYCLES_NESTED : CYCLES_COMPONENTS};
  setup.limits = (struct search_limits){.states = w->search ? 50 * MOST_STATES : 0, .seconds = 10};
  if (!w->search) setup.scout = RUN_SCOUT, setup.shorten = 2;
  t->opened = 1;
  t->bad = run_check(&t->verdict, &setup, &t->err);
}

static void forget(struct told *t) {
  if (t->opened) verdict_close(&t->verdict);
  for (size_t i = 0; i < t->props; i++) prop_close(&t->prop[i]);
  model_close(t->model);
  demand(t->mem.used == 0);
}

#define same(condition, ...)                                                                                                     \
  do {                                                                                                                           \
    if (!(condition)) {                                                                                                          \
      fprintf(stderr, "%s/%s/%u/%d%d%d: ", w->name, w->store->name, w->reduce, w->whole, w->fair, w->nested);                                    \
      fprintf(stderr, __VA_ARGS__);                                                                                              \
      fputc('\n', stderr);                                                                                                       \
      abort();                                                                                                                   \
    }                                                                                                                            \
  } while (0)

static void compare(const struct way *w, const struct told *story, const struct told *other) {
  const struct verdict *s = &story->verdict, *o = &other->verdict;
  if (other->bad) {
    same(other->err.kind == ERR_MEMORY || other->err.kind == ERR_USAGE || other->err.kind == ERR_LIMIT, "error %d: %s", other->err.kind, other->err.message);
    return;
  }
  const struct store_type *used = store_find_type(o->store); /* searches that cannot do with what was asked have another */
  const int lossy = !used || !(used->caps & STORE_EXACT), reduced = verdict_reduced(o), again = o->sweep.sweeps > 1;
  const int limit = o->stop == STOP_MEMORY || o->stop == STOP_TIME || o->stop == STOP_STATES || o->stop == STOP_UNBOUNDED;
  same(s->property_count == o->property_count, "%zu properties, in the story %zu", o->property_count, s->property_count);
  int violated = 0, unsure = lossy || o->lossy || limit;
  for (size_t i = 0; i < o->property_count; i++) {
    const struct verdict_property *p = &o->property[i], *q = &s->property[i];
    violated |= q->status == STATUS_VIOLATED;
    unsure |= p->product.lossy; /* runs are searched in the store that was asked for, whatever states are kept in */
    same(p->status == STATUS_UNKNOWN || p->status == q->status, "%s is %s, in the story %s", p->id, prop_status_name(p->status), prop_status_name(q->status));
    same(p->status != STATUS_HOLDS || !(p->product.method ? p->product.lossy : lossy) || strcmp(p->kind, "reachable") == 0 || strcmp(p->kind, "ctl") == 0, "%s holds, by a search that can miss states", p->id);
    if (p->status == q->status && p->evidence_count && q->evidence_count && q->shortest && p->evidence[0].trace && q->evidence[0].trace && !p->product.method) {
      same(p->evidence[0].steps >= q->evidence[0].steps, "%s in %llu steps, the shortest has %llu", p->id, (unsigned long long)p->evidence[0].steps, (unsigned long long)q->evidence[0].steps);
      same(!p->shortest || p->evidence[0].steps == q->evidence[0].steps, "%s is shortest with %llu steps, in the story %llu", p->id, (unsigned long long)p->evidence[0].steps, (unsigned long long)q->evidence[0].steps);
    }
  }
  if (unsure) return;
  if (w->whole || !violated)
    for (size_t i = 0; i < o->property_count; i++) same(o->property[i].status != STATUS_UNKNOWN || s->property[i].status == STATUS_UNKNOWN, "%s is unknown, in the story %s", o->property[i].id, prop_status_name(s->property[i].status));
  same(o->kind == s->kind, "verdict %s, in the story %s", verdict_name(o->kind), verdict_name(s->kind));
  if (!o->complete || reduced || again || !o->stats.states || !s->stats.states) return;
  same(o->stats.states == s->stats.states, "%llu states, in the story %llu", (unsigned long long)o->stats.states, (unsigned long long)s->stats.states);
  same(o->stats.transitions == s->stats.transitions, "%llu transitions, in the story %llu", (unsigned long long)o->stats.transitions, (unsigned long long)s->stats.transitions);
  same(o->stats.deadlocks == s->stats.deadlocks, "%llu deadlocks, in the story %llu", (unsigned long long)o->stats.deadlocks, (unsigned long long)s->stats.deadlocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < HEAD + 3 || data[HEAD] != '\n') return 0;
  const uint8_t *line = data + HEAD + 1, *end = memchr(line, '\n', size - HEAD - 1);
  struct question q = {.asked = data[4]};
  if (!end || (size_t)(end - line) >= sizeof q.text || memchr(line, 0, (size_t)(end - line))) return 0;
  memcpy(q.text, line, (size_t)(end - line));
  const char *search = CHOSEN(searches, data[1]);
  struct way w = {search, search_find_type(search), store_find_type(CHOSEN(stores, data[2])), data[3] % 8, data[5] % 2, data[5] / 2 % 2 && (data[0] == 'p' || data[0] == '+' || data[0] == 'd'), data[5] / 4 % 2}, plain = {"bfs", &search_bfs, &store_plain, 0, 1, w.fair, 0};
  if (w.reduce) w.whole = 0; /* the whole space has no reductions */
  size_t length = size - (size_t)(end + 1 - data);
  static struct told story, other;
  tell(&story, (char)data[0], end + 1, length, &q, &plain);
  const struct verdict *s = &story.verdict;
  if (story.opened && story.bad) demand(story.err.kind != ERR_INTERNAL && story.err.message[0]);
  if (story.opened && !story.bad && s->complete && s->stop == STOP_DONE && s->stats.states <= MOST_STATES) {
    tell(&other, (char)data[0], end + 1, length, &q, &w);
    demand(other.opened || other.err.kind == ERR_MEMORY);
    if (other.opened) compare(&w, &story, &other);
    forget(&other);
  }
  forget(&story);
  return 0;
}
