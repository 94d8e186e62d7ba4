/* own.c -- models of the library (thimble.h) against the same graphs as models of a language.
 *
 * Whatever is asked of random graphs, by every search and store: a program that brings the graph
 * gets the verdicts that the graph gets, whether it tells its actions or not; and one that
 * contradicts itself is told so, and never gets an internal error. */
#include "tap.h"

#include "base/rng.h"
#include "own_models.h"
#include "run/run.h"

enum { GRAPHS = 60, STATES = 14 };

static void random_graph(char *out, size_t room, struct rng *r) {
  uint32_t states = 1 + (uint32_t)rng_below(r, STATES), edges = 0,
           labels = 1 + (uint32_t)rng_below(r, 4);
  static char body[8000];
  char *end = body;
  *end = 0;
  for (uint32_t s = 0; s < states; s++)
    for (uint64_t k = rng_below(r, 5); k > 0; k--, edges++)
      end += sprintf(end, "(%u, \"%sl%u\", %u)\n", s, rng_below(r, 3) ? "" : "env_",
                     (unsigned)rng_below(r, labels), (unsigned)rng_below(r, states));
  snprintf(out, room, "des (0, %u, %u)\n%s", edges, states, body);
}

static const struct question {
  enum prop_kind kind;
  const char *text; /* %u: a state */
  int names;        /* of actions, for those who tell them */
} questions[] = {{PROP_DEADLOCK, "", 0},
                 {PROP_INVARIANT, "state != %u", 0},
                 {PROP_INVARIANT, "!dead || state < %u", 0},
                 {PROP_REACHABLE, "dead && state != %u", 0},
                 {PROP_REACHABLE, "fireable(\"l0\") && !fireable(\"l1\")", 1},
                 {PROP_INVARIANT, "fireable(\"l0\")", 1},
                 {PROP_LTL, "[] <> state == %u", 0},
                 {PROP_LTL, "<> [] state != %u", 0},
                 {PROP_LTL, "<> dead || [] state != %u", 0},
                 {PROP_LTL, "[] <> fireable(\"l0\")", 1},
                 {PROP_CTL, "AG EF state == %u", 0},
                 {PROP_CTL, "AF dead", 0},
                 {PROP_CTL, "EG !dead", 0},
                 {PROP_CTL, "AG (fireable(\"l0\") -> EX !fireable(\"l0\"))", 1},
                 {PROP_STRATEGY, "reach state == %u", 0},
                 {PROP_STRATEGY, "keep !(dead && state != %u)", 0}};

/* -1: an error that is told; -2: of Thimble's own; -3: not asked (unknown names of actions). */
static int verdict_of(struct model *m, enum prop_kind kind, const char *text,
                      const struct search_type *search, const struct store_type *store,
                      struct mem *mem, struct err *e) {
  struct prop p;
  struct verdict v = {0};
  struct owners o = {.model = m, .mem = mem};
  if (prop_open(&p, kind, 1, *text ? text : NULL, m, mem, e)) return -3;
  struct run_setup setup = {.mem = mem,
                            .model = m,
                            .props = &p,
                            .prop_count = 1,
                            .search = search,
                            .store = store,
                            .owners = &o};
  int answer = -1;
  if (owners_open(&o) == 0)
    answer = run_check(&v, &setup, e)     ? e->kind == ERR_INTERNAL ? -2 : -1
             : v.kind == VERDICT_HOLDS    ? 1
             : v.kind == VERDICT_VIOLATED ? 0
                                          : -1;
  verdict_close(&v);
  owners_close(&o);
  prop_close(&p);
  return answer;
}

static const struct store_type *store_for(const struct search_type *search, uint64_t k) {
  const struct store_type *some[] = {NULL, &store_plain, store_find_type("tree"),
                                     store_find_type("compact-tree"), store_find_type("delta")};
  return search && search->measured ? NULL : some[k % 5];
}

int main(void) {
  static const char *const searches[] = {NULL, "bfs", "dfs", "best"};
  struct rng r = {33};
  static char text[9000], question[200];
  size_t wrong = 0, asked = 0, told_names = 0, answer[2] = {0}, internal = 0, honest = 0, lies = 0,
         left = 0;
  for (int n = 0; n < GRAPHS; n++) {
    random_graph(text, sizeof text, &r);
    for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
      struct mem mem;
      struct err e;
      struct own_graph g[2];
      mem_open(&mem, 0);
      err_clear(&e);
      snprintf(question, sizeof question, questions[q].text, (unsigned)rng_below(&r, STATES));
      const char *name = searches[rng_below(&r, 4)];
      const struct search_type *search = name ? search_find_type(name) : NULL;
      const struct store_type *store = store_for(search, rng_below(&r, 5));
      for (int told = 0; told < 2; told++) {
        struct model *m = NULL;
        if (own_graph_open(&g[told], text, told, &mem, &e) ||
            own_model_open(&m, &g[told].model, &mem, &e)) {
          ok(0, e.message);
          return done();
        }
        struct err of_inner = {0}, of_own = {0};
        /* owners are told by names, which a model without them does not have in common with the
         * graph */
        if (told || (!questions[q].names && questions[q].kind != PROP_STRATEGY)) {
          int right = verdict_of(g[told].inner, questions[q].kind, question, search, store, &mem,
                                 &of_inner);
          int is = verdict_of(m, questions[q].kind, question, search, store, &mem, &of_own);
          if (right != is && wrong++ < 5)
            printf("# %s, told %d, search %s: %d, not %d: %s\n%s", question, told,
                   name ? name : "auto", is, right, of_own.message, text);
          asked++;
          told_names += questions[q].names && right >= 0;
          if (right >= 0) answer[right]++;
        }
        model_close(m);
        /* the same model, which lies once, or names an action that is not there */
        err_clear(&of_own);
        g[told].lie_at = 1 + (unsigned)rng_below(&r, 60);
        if (n % 4 == 0 && told)
          g[told].lie_action = g[told].model.actions + (unsigned)rng_below(&r, 3),
          g[told].lie_at = 0;
        g[told].asked = 0, g[told].lied = 0;
        if (own_model_open(&m, &g[told].model, &mem, &of_own)) ok(0, of_own.message);
        else {
          int lie = verdict_of(m, questions[q].kind, question, search, store, &mem, &of_own);
          if (own_model_fault(m)) lie = -1, of_own.kind = ERR_INPUT; /* as thimble_check does */
          lies += g[told].lied && lie != -3;
          internal += lie == -2;
          honest += g[told].lied && lie == -1 && of_own.kind == ERR_INPUT;
          if (g[told].lied && lie >= 0 && wrong++ < 5)
            printf("# a lie is not found out: %s, call %u, action %u\n%s", question, g[told].lie_at,
                   g[told].lie_action, text);
          if (lie == -2) printf("# %s: %s\n", question, of_own.message);
          model_close(m);
        }
        own_graph_close(&g[told]);
      }
      left += mem.used;
    }
  }
  printf("# %zu questions, %zu of them about names of actions; %zu models that contradict "
         "themselves, %zu of them told so\n",
         asked, told_names, lies, honest);
  is(wrong, 0, "a program that brings a graph gets the graph's verdicts");
  ok(answer[0] > 300 && answer[1] > 300 && told_names > 100, "of both kinds, often");
  is(internal, 0, "one that contradicts itself gets no internal error");
  ok(honest == lies && lies > 200, "but is told so, always");
  is(left, 0, "no memory is left behind");
  return done();
}
