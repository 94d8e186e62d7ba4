/* branching.c -- branching properties of random models, against an evaluator that knows nothing but the definitions.
 *
 * Models are a few automata with one token each, some of whose steps are taken together: at most 27 states, so a set of states is a word.  Formulas are made together
 * with the set of states in which they are true: fixpoints by repetition over the steps that the language's slow definition allows.  A run must say the same as that set
 * says of the first state; what it shows was replayed (else run_check fails), and is there whenever a path can show it. */
#include "tap.h"

#include "ctl_random.h"
#include "net/pt_model.h"
#include "run/run.h"
#include "search/progress.h"

enum { MODELS = 80, FORMULAS = 25, TEXT = 20000 };

/* A measure that has nothing to do with progress: sweeps go back and forth, and the graph is an unfolding. */
static int64_t nonsense(const struct progress *p, struct model_cursor *c, const uint32_t *state) {
  (void)p;
  uint64_t h = 88172645463325252u;
  for (uint32_t v = 0; v < c->model->vars; v++) h = (h ^ (uint64_t)c->model->type->value(c->model, state, v)) * 0x9e3779b97f4a7c15u, h ^= h >> 31;
  return (int64_t)(h % 5);
}
static const struct progress_type nonsense_type = {nonsense, NULL};

/* 1: holds, 0: violated, below 0: neither. */
static int verdict_of(struct mem *mem, struct model *m, const char *text, const struct store_type *store, const struct search_type *search, size_t *shown) {
  struct err e = {0};
  struct prop p;
  struct verdict v;
  if (prop_open(&p, PROP_CTL, 1, text, m, mem, &e)) {
    printf("# %s: %s\n", text, e.message);
    return -2;
  }
  struct progress measure = {.type = &nonsense_type};
  struct run_setup setup = {.mem = mem, .model = m, .props = &p, .prop_count = 1, .store = store, .search = search, .progress = &measure};
  int bad = run_check(&v, &setup, &e);
  int answer = bad ? -3 : v.kind == VERDICT_VIOLATED ? 0 : v.kind == VERDICT_HOLDS ? 1 : -1;
  if (bad) printf("# %s: %s\n", text, e.message);
  *shown += !bad && v.property[0].evidence_count && v.property[0].evidence[0].trace && v.property[0].evidence[0].trace->count;
  verdict_close(&v);
  prop_close(&p);
  return answer;
}

/* Memory that ends after n requests: the answer is right or there is none, and nothing stays behind. */
static void starve(void) {
  static const char net_text[] = "p=1 q r | t: p -> q ; u: q -> p ; v: q -> r ; w: r -> r";
  static const struct {
    const char *text;
    int holds;
  } asked[] = {{"AG EF (p > 0)", 0}, {"AG (p > 0 -> AF (r > 0))", 0}, {"EF (r > 0)", 1}, {"E((p + q > 0) U (r > 0)) && EX (q > 0)", 1}};
  size_t wrong = 0, left = 0, answered = 0, none = 0, shown = 0;
  for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
    for (size_t n = 1; n < 400; n++) {
      struct mem mem;
      struct err e = {0};
      struct model *m = NULL;
      mem_open(&mem, 0);
      struct pt_net *net = nets_read(&mem, net_text);
      if (net && pt_model_open(&m, net, "test", &e) == 0) {
        struct prop p = {0};
        struct verdict v = {0};
        mem.fail_after = n;
        int bad = prop_open(&p, PROP_CTL, 1, asked[k].text, m, &mem, &e);
        if (!bad) {
          struct run_setup setup = {.mem = &mem, .model = m, .props = &p, .prop_count = 1};
          bad = run_check(&v, &setup, &e);
        }
        int answer = bad ? -1 : v.kind == VERDICT_HOLDS ? 1 : v.kind == VERDICT_VIOLATED ? 0 : -1;
        answered += answer >= 0;
        none += answer < 0;
        if ((answer >= 0 && answer != asked[k].holds) || (bad && e.kind != ERR_MEMORY)) {
          if (wrong++ < 5) printf("# %s, %zu requests: %d, %s\n", asked[k].text, n, answer, e.message);
        }
        mem.fail_after = 0;
        shown += !bad && v.property && v.property[0].evidence_count && v.property[0].evidence[0].trace;
        verdict_close(&v);
        prop_close(&p);
      }
      model_close(m);
      left += mem.used != 0;
    }
  ok(answered && none && shown, "little memory is enough for some answers, and too little for others");
  is(wrong, 0, "no answer is wrong for lack of memory");
  is(left, 0, "nothing is left behind then");
}

int main(void) {
  struct mem mem;
  struct rng r = {7};
  static char net_text[4000], text[TEXT];
  static struct machines g;
  size_t wrong = 0, differ = 0, holds = 0, violated = 0, shown = 0, other = 0, swept_shown = 0;
  mem_open(&mem, 0);
  for (int n = 0; n < MODELS; n++) {
    struct err e = {0};
    struct model *m = NULL;
    machines_random(net_text, &r, 4);
    struct pt_net *net = nets_read(&mem, net_text);
    if (!net || pt_model_open(&m, net, "test", &e)) {
      ok(0, e.message);
      break;
    }
    machines_graph(&g, m);
    for (int k = 0; k < FORMULAS; k++) {
      char *end = text;
      int wanted = random_formula(&g, &r, 2 + (int)rng_below(&r, 9), &end) & 1;
      *end = 0;
      int answer = verdict_of(&mem, m, text, NULL, NULL, &shown);
      holds += answer == 1;
      violated += answer == 0;
      if (answer != wanted && wrong++ < 5) printf("# %d, not %d: %s on %s\n", answer, wanted, text, net_text);
      static const struct store_type *const sweeping[] = {NULL, &store_plain, &store_compact_tree, &store_comback};
      int swept = verdict_of(&mem, m, text, sweeping[k % 4], &search_sweep, &swept_shown);
      if (swept != wanted && differ++ < 5) printf("# sweep: %d, not %d: %s on %s\n", swept, wanted, text, net_text);
      for (size_t s = 0; store_types[s] && k % 5 == 0; s++) {
        unsigned caps = store_types[s]->caps;
        if (!(caps & STORE_EXACT) || caps & STORE_FORGETS) continue;
        int again = verdict_of(&mem, m, text, store_types[s], s % 2 ? &search_dfs : NULL, &other);
        if (again != wanted && differ++ < 5) printf("# %s: %d, not %d: %s on %s\n", store_types[s]->name, again, wanted, text, net_text);
      }
    }
    model_close(m);
  }
  ok(holds > 300 && violated > 300, "both verdicts are common");
  ok(shown > 300 && swept_shown == shown, "and so are runs that show them, on graphs of sweeps as well");
  is(wrong, 0, "the verdicts are those of the definition");
  is(differ, 0, "whatever store and search were asked for");
  is(mem.used, 0, "nothing is left behind");
  starve();
  return done();
}
