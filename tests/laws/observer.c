/* observer.c -- random models watched by random deterministic automata, against a look at the whole product.
 *
 * The product is made from the slow definition of the language and a table of the automaton.  A run is broken if it comes to a letter without an edge, or if it can go on for ever
 * without edges of one of the acceptance sets: a cycle in what is left of the product without the edges of that set.  A run of Thimble must say the same
 *
 *   - with every exact store, with the memory ladder, and with stores that hold so few states that most of them are forgotten (where the stack and what waits beside
 *     it do not fit the answer is "not known", and never something else);
 *   - and show, when it says "violated", a run that was replayed (else run_check fails).
 *
 * Formulas whose automaton happens to be deterministic must be judged alike by --ltl, which asks for the opposite by other means. */
#include "tap.h"

#include "ltl_random.h"
#include "machines.h"
#include "net/pt_model.h"
#include "prop/hoa.h"
#include "prop/translate.h"
#include "run/run.h"

enum { MODELS = 150, AUTOMATA = 12, MOST = 6, LETTERS = 1 << MACHINES, SETS = 2, NODES = STATES * MOST, FORMULAS = 10 };

struct watcher {
  int states, sets;
  int to[MOST][LETTERS]; /* -1 = no edge */
  unsigned accept[MOST][LETTERS];
};

static char net_text[4000], hoa[20000];

/* What it accepts by: states or edges, nothing, one set or two. */
static void random_watcher(struct watcher *w, struct rng *r) {
  unsigned by_state = (unsigned)rng_below(r, 2), often = 1 + (unsigned)rng_below(r, 4), gaps = (unsigned)rng_below(r, 3);
  w->states = 1 + (int)rng_below(r, MOST);
  w->sets = (int)rng_below(r, SETS + 1);
  for (int q = 0; q < w->states; q++) {
    unsigned own = 0;
    for (int i = 0; i < w->sets; i++) own |= (unsigned)(rng_below(r, often) == 0) << i;
    for (int a = 0; a < LETTERS; a++) {
      w->to[q][a] = gaps && rng_below(r, 10) < gaps ? -1 : (int)rng_below(r, (uint64_t)w->states);
      w->accept[q][a] = 0;
      for (int i = 0; i < w->sets && !by_state; i++) w->accept[q][a] |= (unsigned)(rng_below(r, 1 + 2 * often) == 0) << i;
      if (by_state) w->accept[q][a] = own;
    }
  }
}

static void write_watcher(const struct watcher *w, char *out) {
  out += sprintf(out, "HOA: v1\nStates: %d\nStart: 0\nAP: %d", w->states, MACHINES);
  for (int i = 0; i < MACHINES; i++) out += sprintf(out, " \"m%dp%d > 0\"", i, PLACES - 1);
  out += sprintf(out, "\nAcceptance: %d %s\n--BODY--\n", w->sets, w->sets == 0 ? "t" : w->sets == 1 ? "Inf(0)" : "Inf(0)&Inf(1)");
  for (int q = 0; q < w->states; q++) {
    out += sprintf(out, "State: %d\n", q);
    for (int a = 0; a < LETTERS; a++) {
      if (w->to[q][a] < 0) continue;
      for (int i = 0; i < MACHINES; i++) out += sprintf(out, "%s%s%d", i ? "&" : "[", a >> i & 1 ? "" : "!", i);
      out += sprintf(out, "] %d {%s %s}\n", w->to[q][a], w->accept[q][a] & 1 ? "0" : "", w->accept[q][a] & 2 ? "1" : "");
    }
  }
  sprintf(out, "--END--\n");
}

static int letter_of(const struct machines *g, int s) {
  int letter = 0;
  for (int i = 0; i < MACHINES; i++) letter |= (int)(g->atom[i] >> s & 1) << i;
  return letter;
}

/* Is there a cycle among `reached`, without edges of set `set`? What has no successor goes, until nothing changes. */
static int cycles(const struct machines *g, const struct watcher *w, const uint8_t *reached, int set) {
  static uint8_t left[NODES];
  memcpy(left, reached, sizeof left);
  for (int any = 1; any;) {
    any = 0;
    for (int n = 0; n < g->count * MOST; n++) {
      int s = n / MOST, q = n % MOST, goes_on = 0, a = letter_of(g, s);
      if (!left[n]) continue;
      uint32_t next = g->next[s] ? g->next[s] : 1u << s;
      for (int t = 0; t < g->count && !(w->accept[q][a] >> set & 1); t++) goes_on |= next >> t & 1 && left[t * MOST + w->to[q][a]];
      if (!goes_on) left[n] = 0, any = 1;
    }
  }
  for (int n = 0; n < g->count * MOST; n++)
    if (left[n]) return 1;
  return 0;
}

static int broken(const struct machines *g, const struct watcher *w) {
  static uint8_t reached[NODES];
  memset(reached, 0, sizeof reached);
  reached[0] = 1;
  for (int changed = 1; changed;) {
    changed = 0;
    for (int n = 0; n < g->count * MOST; n++) {
      int s = n / MOST, q = n % MOST, a = letter_of(g, s);
      if (!reached[n]) continue;
      if (w->to[q][a] < 0) return 1;
      uint32_t next = g->next[s] ? g->next[s] : 1u << s;
      for (int t = 0; t < g->count; t++) {
        int to = t * MOST + w->to[q][a];
        if (next >> t & 1 && !reached[to]) reached[to] = 1, changed = 1;
      }
    }
  }
  for (int i = 0; i < w->sets; i++)
    if (cycles(g, w, reached, i)) return 1;
  return 0;
}

static size_t forgot, waited;

/* 1: violated, 0: holds, -1: not known; below that: something is wrong. */
static int verdict_of(struct model *m, struct prop *p, const struct store_type *store, uint64_t cache) {
  struct err e = {0};
  struct verdict v;
  struct store_options options = {.cache = cache};
  struct run_setup setup = {.mem = m->mem, .model = m, .props = p, .prop_count = 1, .store = store, .store_options = &options};
  int bad = run_check(&v, &setup, &e);
  int answer = bad ? -3 : v.kind == VERDICT_VIOLATED ? 1 : v.kind == VERDICT_HOLDS ? 0 : -1;
  if (bad) printf("# %s\n", e.message);
  if (answer == 1 && (!v.property[0].evidence_count || !v.property[0].evidence[0].trace)) answer = cache ? 2 : -4;
  if (cache && v.stats.forgotten) forgot++;
  verdict_close(&v);
  return answer;
}

static int open_watcher(struct prop *p, const struct model *m) {
  struct err e = {0};
  int bad = prop_open_observer(p, 1, &(struct prop_file){"observer", hoa, strlen(hoa)}, m, m->mem, &e);
  if (bad) printf("# %s\n", e.message);
  return bad;
}

/* How many answers are not `want`. */
static size_t differ_from(struct model *m, struct prop *p, int want) {
  size_t differ = 0;
  for (size_t s = 0; store_types[s]; s++) {
    if (!(store_types[s]->caps & STORE_EXACT)) continue;
    int answer = verdict_of(m, p, store_types[s], 0);
    if (answer != want && differ++ < 2) printf("# %s: %d, not %d\n%s\n%s\n", store_types[s]->name, answer, want, net_text, hoa);
  }
  for (uint64_t room = 8; room <= 128; room *= 2) {
    int answer = verdict_of(m, p, &store_cache, room);
    waited += answer == -1;
    if (answer == 2) answer = 1; /* its way may be longer than the store has room for: then it is told without */
    if (answer != want && answer != -1 && differ++ < 2) printf("# cache of %d: %d, not %d\n%s\n%s\n", (int)room, answer, want, net_text, hoa);
    if (room == 128 && answer == -1) waited += 1000000; /* that is enough for any stack here */
  }
  return differ;
}

/* The automaton of a formula as HOA text, if it is deterministic. */
static int formula_watcher(struct prop *ltl) {
  struct automaton *good = NULL;
  struct err e = {0};
  struct temporal *t = ltl->temporal;
  struct translate_setup setup = {0};
  if (translate(&good, t->formulas, t->formula, &setup, &e)) return 0;
  int fits = good->deterministic && good->states < 200;
  if (fits) {
    FILE *out = fmemopen(hoa, sizeof hoa, "w");
    fits = automaton_name_atoms(good, (const char *const *)t->names.text, t->names.count, &e) == 0;
    hoa_write(good, NULL, out);
    fclose(out);
  }
  automaton_close(good);
  return fits;
}

/* The n-th request for memory is refused, for every n: whatever is said is right, and nothing is left behind. */
static void starve(void) {
  static const char ring[] = "p=1 q r | t: p -> q ; u: q -> p ; v: q -> r ; w: r -> r";
  static const char often[] = "HOA: v1 States: 1 Start: 0 AP: 1 \"p > 0\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--";
  static const char safe[] = "HOA: v1 States: 1 Start: 0 AP: 1 \"p + q + r == 1\" Acceptance: 0 t --BODY-- State: 0 [0] 0 --END--";
  size_t wrong = 0, left = 0, right = 0, none = 0;
  for (size_t n = 1; n < 900; n++) {
    struct mem mem;
    struct err e = {0};
    struct model *m = NULL;
    struct prop p = {0};
    struct verdict v = {0};
    int holds = n % 3 == 0;
    mem_open(&mem, 0);
    struct pt_net *net = nets_read(&mem, ring);
    int bad = !net || pt_model_open(&m, net, "test", &e);
    mem.fail_after = n / 3 + 1;
    const char *file = holds ? safe : often;
    if (!bad) bad = prop_open_observer(&p, 1, &(struct prop_file){"observer", file, strlen(file)}, m, &mem, &e);
    if (!bad) {
      struct store_options options = {.cache = 64};
      struct run_setup setup = {.mem = &mem, .model = m, .props = &p, .prop_count = 1, .store = n % 3 == 2 ? &store_cache : NULL, .store_options = &options};
      bad = run_check(&v, &setup, &e);
    }
    mem.fail_after = 0;
    int answer = bad ? -1 : v.kind == VERDICT_HOLDS ? 1 : v.kind == VERDICT_VIOLATED ? 0 : -1;
    right += answer == holds;
    none += answer < 0;
    if (answer == !holds || (bad && e.kind != ERR_MEMORY)) {
      if (wrong++ < 5) printf("# %zu requests: %d, %s\n", n, answer, e.message);
    }
    verdict_close(&v);
    prop_close(&p);
    model_close(m);
    left += mem.used != 0;
  }
  ok(right && none, "little memory is enough for some answers, and too little for others");
  is(wrong, 0, "no answer is wrong for lack of memory");
  is(left, 0, "nothing is left behind then");
}

int main(void) {
  static struct machines g;
  struct mem mem;
  struct rng r = {2};
  size_t differ = 0, alike = 0, unlike = 0, holds = 0, violated = 0, odd = 0;
  mem_open(&mem, 0);
  for (int n = 0; n < MODELS; n++) {
    struct err e = {0};
    struct model *m = NULL;
    machines_random(net_text, &r, 4 + (int)rng_below(&r, 16));
    struct pt_net *net = nets_read(&mem, net_text);
    if (!net || pt_model_open(&m, net, "test", &e)) {
      ok(0, e.message);
      break;
    }
    machines_graph(&g, m);
    for (int k = 0; k < AUTOMATA; k++) {
      struct watcher w;
      struct prop p;
      random_watcher(&w, &r);
      write_watcher(&w, hoa);
      if (open_watcher(&p, m)) odd++;
      else {
        int want = broken(&g, &w);
        *(want ? &violated : &holds) += 1;
        differ += differ_from(m, &p, want);
        int answer = verdict_of(m, &p, NULL, 0);
        if (answer != want && differ++ < 5) printf("# auto: %d, not %d\n", answer, want);
      }
      prop_close(&p);
    }
    for (int k = 0; k < FORMULAS; k++) {
      struct ltl_tree t;
      struct prop ltl, p;
      char text[4000];
      ltl_random_tree(&t, &r, 3 + (int)rng_below(&r, 6), MACHINES);
      machines_formula(&t, text);
      if (prop_open(&ltl, PROP_LTL, 1, text, m, &mem, &e)) odd++;
      else if (formula_watcher(&ltl)) {
        if (open_watcher(&p, m)) odd++;
        else if (verdict_of(m, &p, NULL, 0) == verdict_of(m, &ltl, NULL, 0)) alike++;
        else if (unlike++ < 5) printf("# %s on %s\n%s\n", text, net_text, hoa);
        prop_close(&p);
      }
      prop_close(&ltl);
    }
    model_close(m);
  }
  printf("# %zu hold, %zu are violated; %zu runs forgot states, %zu times they did not fit\n", holds, violated, forgot, waited);
  ok(holds > 100 && violated > 100, "both verdicts are common");
  ok(forgot > 500, "stores that forget had to forget");
  ok(waited < 1000000, "and go through where there is room for the stack");
  is(odd, 0, "every observer is taken");
  is(differ, 0, "every store says what the whole product says");
  ok(alike > 300, "many formulas have a deterministic automaton");
  is(unlike, 0, "which says the same as --ltl");
  is(mem.used, 0, "nothing is left behind");
  starve();
  return done();
}
