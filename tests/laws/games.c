/* games.c -- games on random models against a solver that knows nothing but the rules, and matches against opponents that try everything.
 *
 * The truth is an explicit graph that the test makes itself by asking a model for successors, with the owners of its edges.  Who wins is found by repeating the rule of doc/games.md until nothing changes.
 * Then: verdicts by breadth-first search and by sweeps are that, strategies stand up to every play of the other side, attractors are the same forwards and backwards, games that one side owns alone are EF, EG, AF
 * and AG, and in matches the tool wins whenever it can, whatever the other side does. */
#include "tap.h"

#include "front/front.h"
#include "front/lts/lts.h"
#include "ctl_random.h"
#include "net/pt_model.h"
#include "run/match.h"
#include "run/run.h"
#include "search/attract.h"
#include "search/game_confirm.h"
#include "search/progress.h"

enum { MOST = 3000, EDGES = 24, GRAPHS = 120, NETS = 60, PROGRAMS = 40, FORMULA_MODELS = 60 };

/* ---- the explicit graph ---------------------------------------------------------------------------------------------------------- */

struct truth {
  uint32_t states, words;
  uint32_t *state; /* words of each */
  uint32_t degree[MOST], target[MOST][EDGES];
  uint8_t owner[MOST][EDGES], holds[MOST];
  int whole;
};
static struct truth t;

static uint32_t number_of(const uint32_t *words) {
  uint32_t i = 0;
  while (i < t.states && memcmp(t.state + (size_t)i * t.words, words, t.words * sizeof *words) != 0) i++;
  return i;
}

/* After a search, so that the layout is as wide as it gets. */
static void explore(struct model *m, struct owners *o, const struct expr *condition, struct mem *mem) {
  struct model_cursor *c = NULL;
  struct model_batch b = {0};
  uint32_t *words = mem_alloc(mem, MEM_OTHER, model_stride(m->words) * sizeof *words);
  t.words = m->words;
  t.state = mem_alloc(mem, MEM_OTHER, (MOST + 1) * (size_t)m->words * sizeof *t.state);
  t.whole = words && t.state && m->type->cursor_open(&c, m, mem) == 0 && model_batch_open(&b, mem, m->words, 16) == 0;
  m->type->initial(m, words);
  memcpy(t.state, words, m->words * sizeof *words);
  t.states = 1;
  for (uint32_t s = 0; s < t.states && t.whole; s++) {
    memcpy(words, t.state + (size_t)s * t.words, t.words * sizeof *words);
    b.count = 0;
    if (m->type->successors(c, words, &b) != MODEL_OK || b.count > EDGES) {
      t.whole = 0;
      break;
    }
    t.holds[s] = expr_true(condition, c, words) != 0;
    t.degree[s] = (uint32_t)b.count;
    for (size_t k = 0; k < b.count && t.whole; k++) {
      uint32_t to = number_of(b.states + k * b.stride);
      if (to == t.states) {
        if (t.states == MOST) {
          t.whole = 0;
          break;
        }
        memcpy(t.state + (size_t)t.states++ * t.words, b.states + k * b.stride, t.words * sizeof *words);
      }
      if (b.group[k] >= o->count) owners_more(o, b.group[k]);
      t.target[s][k] = to;
      t.owner[s][k] = (uint8_t)o->of[b.group[k]];
    }
  }
  model_batch_close(&b);
  m->type->cursor_close(c);
  mem_free(mem, words);
}

/* ---- the rules, naively ------------------------------------------------------------------------------------------------------------ */

static uint8_t win[MOST];

/* What is known of the steps of a state: how many each side has; all of the environment's, and one of the other's, lead to states that are won. */
static void sides(uint32_t s, uint32_t count[2], int *all_theirs, int *some_ours) {
  count[0] = count[1] = 0;
  *all_theirs = 1;
  *some_ours = 0;
  for (uint32_t k = 0; k < t.degree[s]; k++) {
    count[t.owner[s][k]]++;
    if (t.owner[s][k] == OWNER_UNCONTROLLABLE) *all_theirs &= win[t.target[s][k]];
    else *some_ours |= win[t.target[s][k]];
  }
}

static int solve(int keep) {
  for (uint32_t s = 0; s < t.states; s++) win[s] = (uint8_t)keep;
  for (int changed = 1; changed;) {
    changed = 0;
    for (uint32_t s = 0; s < t.states; s++) {
      uint32_t count[2];
      int all, some, now;
      sides(s, count, &all, &some);
      if (keep) now = t.holds[s] && all && (count[OWNER_UNCONTROLLABLE] || !count[OWNER_CONTROLLABLE] || some);
      else now = t.holds[s] || (all && (count[OWNER_CONTROLLABLE] ? some : count[OWNER_UNCONTROLLABLE] > 0));
      if (now != win[s]) win[s] = (uint8_t)now, changed = 1;
    }
  }
  return win[0];
}

/* ---- strategies ---------------------------------------------------------------------------------------------------------------------- */

/* Every play that the list allows, on the explicit graph: 1 if the winner wins all of them. Rows are found by their from and edge. */
static int stands(const struct strategy *s) {
  static uint32_t at[MOST], row_of[MOST];
  static uint8_t colour[MOST]; /* 1 = on the way, 2 = done */
  static struct {
    uint32_t row, edge;
  } way[MOST];
  if (s->count > t.states) return 0;
  for (uint32_t i = 0; i < t.states; i++) row_of[i] = UINT32_MAX;
  for (size_t i = 0; i < s->count; i++) {
    at[i] = i ? t.target[at[s->row[i].from]][s->row[i].edge] : 0;
    if (row_of[at[i]] != UINT32_MAX) return 0;
    row_of[at[i]] = (uint32_t)i;
  }
  int seeks = (s->winner == OWNER_UNCONTROLLABLE) == s->keep;
  size_t depth = 1;
  memset(colour, 0, sizeof colour);
  way[0].row = way[0].edge = 0;
  colour[0] = 1;
  while (depth) { /* depth first: a play that comes back to where it was never reaches anything */
    uint32_t r = way[depth - 1].row, state = at[r], k = way[depth - 1].edge;
    int32_t move = s->row[r].move;
    if (!k) {
      uint32_t count[2] = {0, 0};
      for (uint32_t i = 0; i < t.degree[state]; i++) count[t.owner[state][i]]++;
      if (!seeks && t.holds[state] != s->keep) return 0;
      if (seeks && (t.holds[state] != s->keep) != (move == STRATEGY_DONE)) return 0;
      if (move >= 0 && ((uint32_t)move >= t.degree[state] || t.owner[state][move] != s->winner)) return 0;
      if (move == STRATEGY_WAIT && seeks && !(count[!s->winner] && !count[s->winner])) return 0;
      if (move == STRATEGY_WAIT && !seeks && count[s->winner] && !count[!s->winner]) return 0;
    }
    if (move == STRATEGY_DONE || k == t.degree[state]) {
      colour[r] = 2;
      depth--;
      continue;
    }
    way[depth - 1].edge++;
    int its = (int64_t)k == move, theirs = t.owner[state][k] != s->winner, preempted = s->winner == OWNER_UNCONTROLLABLE && move >= 0;
    if (!its && (!theirs || preempted)) continue;
    uint32_t next = row_of[t.target[state][k]];
    if (next == UINT32_MAX) return 0;
    if (seeks && colour[next] == 1) return 0;
    if (colour[next]) continue;
    colour[next] = 1;
    way[depth].row = next;
    way[depth].edge = 0;
    depth++;
  }
  return 1;
}

/* ---- matches -------------------------------------------------------------------------------------------------------------------------- */

/* The tool against an opponent that tries everything, up to so many plays: how often the tool lost, or the play did not end. */
static size_t exhaust(struct match *m, size_t *plays, size_t most) {
  struct vec(size_t) tried = {0};
  struct mem mem;
  struct err e = {0};
  size_t lost = 0;
  mem_open(&mem, 0);
  for (;;) {
    while (match_look(m)->turn == MATCH_TOOLS)
      if (match_answer(m, &e)) return SIZE_MAX;
    if (match_look(m)->turn == MATCH_YOURS && tried.count < 4000) {
      if (vec_push(&tried, &mem, MEM_OTHER, 0) || match_take(m, 0, &e)) return SIZE_MAX;
      continue;
    }
    lost += match_look(m)->turn != MATCH_OVER || match_look(m)->you_won;
    ++*plays;
    for (;;) { /* back to the last choice that has another way */
      int back = tried.count ? match_undo(m, &e) : 0;
      if (back < 0) return SIZE_MAX;
      if (!tried.count || !back || *plays >= most) goto end;
      size_t k = ++tried.at[tried.count - 1];
      if (k < match_look(m)->moves) {
        if (match_take(m, k, &e)) return SIZE_MAX;
        break;
      }
      tried.count--;
    }
  }
end:
  vec_free(&tried, &mem);
  return lost;
}

static size_t at_random(struct match *m, struct rng *r) {
  struct err e = {0};
  for (int i = 0; i < 100000 && match_look(m)->turn != MATCH_OVER; i++) {
    if (match_look(m)->turn == MATCH_TOOLS ? match_answer(m, &e) : match_take(m, (size_t)rng_below(r, match_look(m)->moves), &e)) return 1;
  }
  return match_look(m)->turn != MATCH_OVER || match_look(m)->you_won;
}

struct matches {
  size_t opened, plays, lost, failed, worse; /* worse: the value of a position that nobody has played in is not what it should be */
};

static void play_both(struct model *m, const struct prop *p, struct owners *o, int truth, struct mem *mem, struct rng *r, struct matches *out) {
  for (int side = 0; side < 2; side++) {
    struct err e = {0};
    struct verdict v;
    struct match *match = NULL;
    struct run_setup run = {.mem = mem, .model = m};
    struct match_setup setup = {.run = &run, .prop = p, .owners = o, .you = side ? DUEL_AGAINST : DUEL_FOR};
    if (match_open(&match, &setup, &v, &e) || !match) {
      if (out->failed++ < 3) printf("# match: %s\n", e.message);
      verdict_close(&v);
      continue;
    }
    out->opened++;
    int you_right = truth == (side == 0);
    if (match_look(match)->you_can_win != you_right) out->worse++;
    if (!you_right) {
      size_t lost = exhaust(match, &out->plays, out->plays + 300);
      while (match_undo(match, &e) == 1) continue;
      lost += at_random(match, r);
      if (lost && out->lost++ < 3) printf("# the tool lost %zu plays as %s about %s\n", lost, side ? "for" : "against", p->text ? p->text : p->branching->text);
    } else { /* the hints of the tool win for you */
      while (match_look(match)->turn != MATCH_OVER)
        if (match_look(match)->turn == MATCH_TOOLS ? match_answer(match, &e) : match_take(match, (size_t)match_hint(match, &e), &e)) break;
      if (!match_look(match)->you_won && out->lost++ < 3) printf("# the hints lost about %s: %s\n", p->text ? p->text : p->branching->text, e.message);
    }
    match_close(match);
    verdict_close(&v);
  }
}

/* ---- one model -------------------------------------------------------------------------------------------------------------------------- */

static int64_t nonsense(const struct progress *p, struct model_cursor *c, const uint32_t *state) {
  (void)p;
  uint64_t h = 88172645463325252u;
  for (uint32_t w = 0; w < c->model->words; w++) h = (h ^ state[w]) * 0x9e3779b97f4a7c15u, h ^= h >> 31;
  return (int64_t)(h % 5);
}
static const struct progress_type nonsense_type = {nonsense, NULL};

struct tally {
  size_t holds, violated, wrong, swept, unconfirmed, fallen, defined, traces, deceived;
  struct matches matches;
};

static int verdict_of(struct mem *mem, struct model *m, struct owners *o, const struct prop *p, const struct search_type *search, struct verdict *v, struct err *e) {
  struct progress measure = {.type = &nonsense_type};
  struct run_setup setup = {.mem = mem, .model = m, .props = p, .prop_count = 1, .owners = o, .search = search, .progress = search ? &measure : NULL};
  if (run_check(v, &setup, e)) return -2;
  return v->kind == VERDICT_HOLDS ? 1 : v->kind == VERDICT_VIOLATED ? 0 : -1;
}

/* A strategy that was tampered with is not confirmed. */
static void tamper(struct strategy *s, const struct prop *p, struct owners *o, struct mem *mem, struct rng *r, struct tally *y) {
  size_t i = (size_t)rng_below(r, s->count);
  struct err e = {0};
  struct strategy_row kept = s->row[i];
  int seeks = (s->winner == OWNER_UNCONTROLLABLE) == s->keep;
  if (kept.move == STRATEGY_DONE) s->row[i].move = STRATEGY_WAIT;
  else if (seeks) s->row[i].rank = 0;
  else s->row[i].move = STRATEGY_DONE;
  int same = !memcmp(&kept, &s->row[i], sizeof kept);
  y->deceived += !same && kept.move != STRATEGY_DONE && strategy_confirm(s, p->expr, o, mem, NULL, &e) == 0 && t.degree[0] > 0 && (seeks || stands(s) == 0);
  s->row[i] = kept;
}

static void one(struct mem *mem, struct model *m, struct owners *o, const char *wish, struct rng *r, struct tally *y, int matches) {
  struct err e = {0};
  struct prop p;
  struct verdict v;
  if (prop_open(&p, PROP_STRATEGY, 1, wish, m, mem, &e)) {
    printf("# %s: %s\n", wish, e.message);
    y->wrong++;
    return;
  }
  int answer = verdict_of(mem, m, o, &p, NULL, &v, &e);
  explore(m, o, p.expr, mem);
  if (t.whole) {
    int wanted = solve(p.keep);
    y->holds += answer == 1;
    y->violated += answer == 0;
    if (answer != wanted && y->wrong++ < 5) printf("# %d, not %d: %s %s\n", answer, wanted, wish, e.message);
    struct strategy *s = answer >= 0 ? v.property[0].strategy : NULL;
    if (!s && y->unconfirmed++ < 3) printf("# no strategy: %s, %s\n", wish, e.message);
    if (s) {
      y->defined += s->proof == STRATEGY_BY_DEFINITION;
      if ((s->winner == OWNER_CONTROLLABLE) != wanted || !stands(s)) y->fallen++;
      tamper(s, &p, o, mem, r, y);
    }
    y->traces += answer >= 0 && v.property[0].evidence_count && v.property[0].evidence[0].trace;
    verdict_close(&v);
    if (verdict_of(mem, m, o, &p, &search_sweep, &v, &e) != wanted && y->swept++ < 5) printf("# sweep: not %d: %s\n", wanted, wish);
    if (matches) play_both(m, &p, o, wanted, mem, r, &y->matches);
  }
  verdict_close(&v);
  mem_free(mem, t.state);
  prop_close(&p);
}

static void tell(const struct tally *y, const char *what) {
  char text[200];
  snprintf(text, sizeof text, "%s: both sides win often (%zu, %zu)", what, y->holds, y->violated);
  ok(y->holds > 10 && y->violated > 10, text);
  snprintf(text, sizeof text, "%s: who wins is what the rules say", what);
  is(y->wrong, 0, text);
  snprintf(text, sizeof text, "%s: on graphs of sweeps as well", what);
  is(y->swept, 0, text);
  snprintf(text, sizeof text, "%s: there is a strategy, by the definition of the language", what);
  ok(!y->unconfirmed && y->defined == y->holds + y->violated, text);
  snprintf(text, sizeof text, "%s: it wins every play", what);
  is(y->fallen, 0, text);
  snprintf(text, sizeof text, "%s: one that was tampered with is noticed", what);
  is(y->deceived, 0, text);
  snprintf(text, sizeof text, "%s: plays are shown", what);
  ok(y->traces > 10, text);
  if (!y->matches.opened) return;
  snprintf(text, sizeof text, "%s: in %zu matches with %zu plays the tool wins when it can", what, y->matches.opened, y->matches.plays);
  ok(!y->matches.lost && !y->matches.failed && !y->matches.worse && y->matches.plays > 50, text);
}

/* ---- models ------------------------------------------------------------------------------------------------------------------------------ */

static struct model *load(struct mem *mem, const struct front_type *front, const char *file, char *text, struct err *e) {
  struct model *m = NULL;
  FILE *in = fmemopen(text, strlen(text), "r");
  struct front_setup setup = {.input = in, .file = file, .mem = mem};
  if (front->load(&m, &setup, e)) m = NULL;
  fclose(in);
  return m;
}

/* Graphs with edges of both sides; all kinds of states: of one side, of both, dead ones. */
static void random_graph(char *out, struct rng *r) {
  uint32_t states = 2 + (uint32_t)rng_below(r, 12), edges = 0;
  char *body = out + 60, *end = body;
  *body = 0;
  unsigned bias = (unsigned)rng_below(r, 5);
  for (uint32_t s = 0; s < states; s++)
    for (uint64_t k = rng_below(r, 4); k > 0; k--, edges++)
      end += sprintf(end, "(%u, \"%s%llu\", %u)\n", s, rng_below(r, 5) < bias ? "env_" : "act", (unsigned long long)rng_below(r, 3), (unsigned)rng_below(r, states));
  int n = sprintf(out, "des (0, %u, %u)", edges, states);
  memset(out + n, ' ', (size_t)(60 - n));
  out[59] = '\n';
}

static void graphs(struct mem *mem, struct rng *r) {
  static char text[20000];
  struct tally y = {0};
  size_t apart = 0;
  for (int n = 0; n < GRAPHS; n++) {
    struct err e = {0};
    random_graph(text, r);
    struct model *m = load(mem, &front_aut, "g.aut", text, &e);
    struct owners o = {.model = m, .mem = mem};
    if (!m || owners_open(&o)) {
      ok(0, e.message);
      return;
    }
    for (int keep = 0; keep < 2; keep++) {
      char wish[60];
      snprintf(wish, sizeof wish, "%s state %s %d", keep ? "keep" : rng_below(r, 2) ? "reach" : "", keep ? "!=" : "==", (int)rng_below(r, 12));
      one(mem, m, &o, wish, r, &y, 1);
    }
    owners_close(&o);
    /* games that one side owns are the operators of CTL */
    for (int theirs = 0; theirs < 2; theirs++)
      for (int keep = 0; keep < 2; keep++) {
        const char *const all[] = {"*", NULL};
        uint8_t used[1];
        struct owners of_one = {.model = m, .mem = mem, .pattern = {theirs ? NULL : all, theirs ? all : NULL}, .used = {used, used}};
        char game[60], ctl[60];
        int state = (int)rng_below(r, 12);
        snprintf(game, sizeof game, "%s state %s %d", keep ? "keep" : "reach", keep ? "!=" : "==", state);
        snprintf(ctl, sizeof ctl, "%s%s (state %s %d) && EF true", theirs ? "A" : "E", keep ? "G" : "F", keep ? "!=" : "==", state);
        struct prop p[2];
        struct verdict v[2];
        if (owners_open(&of_one) || prop_open(&p[0], PROP_STRATEGY, 1, game, m, mem, &e) || prop_open(&p[1], PROP_CTL, 1, ctl, m, mem, &e)) {
          ok(0, e.message);
          return;
        }
        apart += verdict_of(mem, m, &of_one, &p[0], NULL, &v[0], &e) != verdict_of(mem, m, NULL, &p[1], NULL, &v[1], &e);
        for (int i = 0; i < 2; i++) verdict_close(&v[i]), prop_close(&p[i]);
        owners_close(&of_one);
      }
    model_close(m);
  }
  tell(&y, "graphs");
  is(apart, 0, "games that one side owns alone are EF, EG, AF and AG");
}

static void nets(struct mem *mem, struct rng *r) {
  static char text[4000];
  struct tally y = {0};
  for (int n = 0; n < NETS; n++) {
    struct err e = {0};
    struct model *m = NULL;
    machines_random(text, r, 4);
    struct pt_net *net = nets_read(mem, text);
    if (!net || pt_model_open(&m, net, "test", &e)) {
      ok(0, e.message);
      return;
    }
    const char *list[8] = {NULL};
    uint8_t used[8];
    for (int i = 0; i < 1 + (int)rng_below(r, 5); i++) list[i] = m->type->group_name(m, (uint32_t)rng_below(r, m->groups));
    struct owners o = {.model = m, .mem = mem, .pattern = {NULL, list}, .used = {NULL, used}};
    if (owners_open(&o)) return;
    for (int k = 0; k < 4; k++) {
      char wish[60];
      snprintf(wish, sizeof wish, "%s(m%dp%d > 0 %s m%dp%d > 0)", k % 2 ? "keep !" : "reach ", (int)rng_below(r, MACHINES), PLACES - 1, k / 2 ? "&&" : "||", (int)rng_below(r, MACHINES), (int)rng_below(r, PLACES));
      one(mem, m, &o, wish, r, &y, k == 0);
    }
    owners_close(&o);
    model_close(m);
  }
  tell(&y, "nets");
}

/* A small program: two processes that share variables, of which one is the environment, and a place where a label says who moves. */
static void random_program(char *out, struct rng *r) {
  static const char *const guards[] = {"x < 3", "y < 3", "x > y", "y > 0", "x == y", "true"}, *const deeds[] = {"x++", "y++", "x--", "y--", "x = y", "y = 0", "x = 0"};
  static const char *const names[] = {"env_world", "system"};
  out += sprintf(out, "int x, y;\n");
  for (int i = 0; i < 2; i++) {
    out += sprintf(out, "active proctype %s() {\n", names[i]);
    if (rng_below(r, 3) == 0) out += sprintf(out, "%s_here: ", rng_below(r, 2) ? "env" : "ctrl");
    out += sprintf(out, "do\n");
    for (int k = 0; k < 1 + (int)rng_below(r, 3); k++)
      out += sprintf(out, ":: %s && x < 4 && y < 4 && x > -3 && y > -3 -> %s\n", guards[rng_below(r, 6)], deeds[rng_below(r, 7)]);
    if (rng_below(r, 2)) out += sprintf(out, ":: %s -> break\n", guards[rng_below(r, 6)]);
    out += sprintf(out, "od\n}\n");
  }
  *out = 0;
}

static void programs(struct mem *mem, struct rng *r) {
  static char text[8000];
  struct tally y = {0};
  const struct front_type *front = front_for_file("a.pml");
  size_t mixed = 0;
  for (int n = 0; n < PROGRAMS; n++) {
    struct err e = {0};
    random_program(text, r);
    struct model *m = load(mem, front, "a.pml", text, &e);
    if (!m) {
      ok(0, e.message);
      printf("%s", text);
      return;
    }
    struct owners o = {.model = m, .mem = mem};
    if (owners_open(&o)) return;
    size_t theirs = 0;
    for (uint32_t g = 0; g < o.count; g++) theirs += o.of[g];
    mixed += theirs && theirs < o.count;
    for (int k = 0; k < 2; k++) {
      char wish[60];
      snprintf(wish, sizeof wish, "%s %s", k ? "keep" : "reach", k ? "x < 3 || y < 2" : rng_below(r, 2) ? "x + y == 3" : "x == 2");
      one(mem, m, &o, wish, r, &y, 1);
    }
    owners_close(&o);
    model_close(m);
  }
  ok(mixed > PROGRAMS / 2, "programs: processes and labels say who moves");
  tell(&y, "programs");
}

/* Random formulas: the value of the match is the truth of the formula, and the tool wins when it should. */
static void formulas(struct mem *mem, struct rng *r) {
  static char net_text[4000], text[20000];
  static struct machines g;
  struct matches y = {0};
  size_t n = 0;
  for (int k = 0; k < FORMULA_MODELS; k++) {
    struct err e = {0};
    struct model *m = NULL;
    machines_random(net_text, r, 4);
    struct pt_net *net = nets_read(mem, net_text);
    if (!net || pt_model_open(&m, net, "test", &e)) {
      ok(0, e.message);
      return;
    }
    machines_graph(&g, m);
    for (int i = 0; i < 12; i++, n++) {
      char *end = text;
      struct prop p;
      int truth = random_formula(&g, r, 2 + (int)rng_below(r, 8), &end) & 1;
      *end = 0;
      if (i % 4 == 0) { /* what the generator does not make */
        char both[20000];
        snprintf(both, sizeof both, "(%.9000s) <-> EX (m0p%d > 0)", text, PLACES - 1);
        strcpy(text, both);
        truth = truth == (int)(some_next(&g, g.atom[0]) & 1);
      }
      if (prop_open(&p, PROP_CTL, 1, text, m, mem, &e)) {
        ok(0, e.message);
        return;
      }
      play_both(m, &p, NULL, truth, mem, r, &y);
      prop_close(&p);
    }
    model_close(m);
  }
  char what[100];
  snprintf(what, sizeof what, "formulas: %zu matches, %zu plays", y.opened, y.plays);
  ok(y.opened == 2 * n && y.plays > n, what);
  is(y.worse, 0, "formulas: a match is won by whom the formula says");
  is(y.lost + y.failed, 0, "formulas: the tool wins when it can, against all opponents");
}

/* Memory that ends after n requests: the answer is right or there is none, and nothing stays behind. */
static void starve(void) {
  static const char net_text[] = "p=1 q r | t: p -> q ; u: q -> p ; v: q -> r ; w: r -> r";
  static const struct {
    const char *wish;
    int holds;
  } asked[] = {{"reach r > 0", 0}, {"keep p + q > 0", 1}, {"reach q > 0", 1}, {"keep p > 0", 0}};
  static const char *const theirs[] = {"u", "w", NULL};
  size_t wrong = 0, left = 0, answered = 0, none = 0, without = 0;
  for (size_t k = 0; k < 2 * (sizeof asked / sizeof *asked); k++)
    for (size_t n = 1; n < 300; n++) {
      struct mem mem;
      struct err e = {0};
      struct model *m = NULL;
      uint8_t used[2];
      mem_open(&mem, 0);
      struct pt_net *net = nets_read(&mem, net_text);
      if (net && pt_model_open(&m, net, "test", &e) == 0) {
        struct prop p = {0};
        struct verdict v = {0};
        struct owners o = {.model = m, .mem = &mem, .pattern = {NULL, theirs}, .used = {NULL, used}};
        struct match *match = NULL;
        struct run_setup setup = {.mem = &mem, .model = m, .props = &p, .prop_count = 1, .owners = &o};
        struct match_setup about = {.run = &setup, .prop = &p, .owners = &o};
        mem.fail_after = n;
        int bad = prop_open(&p, PROP_STRATEGY, 1, asked[k / 2].wish, m, &mem, &e) || owners_open(&o), answer = -1;
        if (!bad && k % 2) {
          if (match_open(&match, &about, &v, &e) == 0 && match) answer = match_look(match)->you_can_win;
          for (int i = 0; match && i < 20 && match_look(match)->turn != MATCH_OVER; i++)
            if (match_look(match)->turn == MATCH_YOURS ? match_take(match, 0, &e) : match_answer(match, &e)) break;
        } else if (!bad) {
          bad = run_check(&v, &setup, &e);
          answer = bad ? -1 : v.kind == VERDICT_HOLDS ? 1 : v.kind == VERDICT_VIOLATED ? 0 : -1;
          without += answer >= 0 && !v.property[0].strategy;
        }
        answered += answer >= 0;
        none += answer < 0;
        if ((answer >= 0 && answer != asked[k / 2].holds) || (bad && e.kind && e.kind != ERR_MEMORY)) {
          if (wrong++ < 5) printf("# %s, %zu requests: %d, %s\n", asked[k / 2].wish, n, answer, e.message);
        }
        mem.fail_after = 0;
        match_close(match);
        verdict_close(&v);
        owners_close(&o);
        prop_close(&p);
      }
      model_close(m);
      left += mem.used != 0;
    }
  ok(answered && none && without, "little memory is enough for some answers, and too little for others or their strategies");
  is(wrong, 0, "no answer is wrong for lack of memory");
  is(left, 0, "nothing is left behind then");
}

/* Attractors by counting and by sweeps are the same sets, and ranks fall. */
static void attractors(struct mem *mem, struct rng *r) {
  size_t differ = 0, rising = 0, worse = 0;
  for (int n = 0; n < 400; n++) {
    struct graph g;
    struct err e = {0};
    uint32_t states = 1 + (uint32_t)rng_below(r, 60);
    uint64_t goal = 1, through = 0;
    graph_open(&g, mem, 2);
    goal = rng_next(r) & rng_next(r);
    through = rng_next(r) | rng_next(r);
    if (states < 64) goal &= (UINT64_C(1) << states) - 1, through &= (UINT64_C(1) << states) - 1;
    for (uint32_t s = 0; s < states; s++) {
      graph_begin(&g, s);
      for (uint64_t k = rng_below(r, 4); k > 0; k--) graph_edge(&g, rng_below(r, states), (uint32_t)rng_below(r, 2));
      graph_end(&g);
    }
    g.states = states;
    for (int mode = ATTRACT_ANY; mode <= ATTRACT_KEEP; mode++) {
      struct attractor a[2];
      struct attract_setup setup = {.graph = &g, .states = states, .goal = &goal, .through = n % 2 ? &through : NULL, .mode = (enum attract_mode)mode};
      for (int i = 0; i < 2; i++) {
        setup.forwards = i;
        if (attract(&a[i], &setup, mem, &e)) return ok(0, e.message), (void)0;
      }
      for (uint32_t s = 0; s < states; s++) {
        differ += (a[0].rank[s] == ATTRACT_NEVER) != (a[1].rank[s] == ATTRACT_NEVER);
        worse += a[1].rank[s] < a[0].rank[s];
        if (a[0].rank[s] && a[0].rank[s] != ATTRACT_NEVER) rising += attract_look(&setup, a[0].rank, s) != a[0].rank[s];
      }
      for (int i = 0; i < 2; i++) attract_close(&a[i]);
    }
    graph_close(&g);
  }
  is(differ, 0, "attractors forwards and backwards are the same sets");
  is(worse, 0, "ranks of the backwards ones are the least");
  is(rising, 0, "and follow from those of the successors");
}

int main(void) {
  struct mem mem;
  struct rng r = {11};
  mem_open(&mem, 0);
  graphs(&mem, &r);
  nets(&mem, &r);
  programs(&mem, &r);
  formulas(&mem, &r);
  attractors(&mem, &r);
  starve();
  is(mem.used, 0, "nothing is left behind");
  return done();
}
