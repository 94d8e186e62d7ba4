/* contest_settle.c -- queries made smaller, and answered where that needs no search.
 *
 * All formulas are read into one graph.  Then, in rounds, until nothing new is learnt:
 *
 *   fold      what is known of parts makes formulas smaller (formula_fold.h); a constant is an answer
 *   watch     every boolean part: is there a marking in which it is true, is there one in which it is false?  A walk looks at them as it goes, but only at
 *             those that the step can change
 *   goals     EF p and AG p at the top of a formula: such a marking is an answer.  Walks that look for it, then the state equation, then walks along its solution
 *   equation  parts that were never seen true (false): if the state equation excludes it, they are constant
 *
 * A formula that stays and has become smaller is written down again, for those who search: contest_text. */
#include "run/contest_parts.h"

#include "base/clock.h"
#include "prop/formula_fold.h"
#include "prop/formula_for_all.h"
#include "run/settle.h"

#include <string.h>

enum { ROUNDS = 3, WANDER = 150000, APPROACH = 60000, FOLLOW = 20000, LOW_DEPTH = 150 };
static const double SHARE = 0.12, MOST_SECONDS = 20, EACH = 2;

struct watched { /* is there a marking in which `of` has this truth? */
  const struct linear *x;
  formula of;   /* boolean */
  formula goal; /* EF or AG of it that such a marking decides; FORMULA_NONE = none */
  uint8_t truth, seen, tried;
  uint8_t atom;
};

struct settling {
  struct contest *c;
  struct settle tools;
  struct formulas *fs;
  formula *formula; /* per query; FORMULA_NONE = not of ours */
  struct contest_atoms atom;
  struct vec(const struct query *) reading; /* the query being read */
  struct vec(uint8_t) known, start;         /* per formula: enum formula_truth; everywhere, and in the first state */
  struct vec(uint8_t) by;                   /* per formula: how that is known, CONTEST_BY_... */
  struct vec(uint8_t) collected;            /* per formula: is among the watched as a part (1), as a goal (2) */
  struct vec(struct watched) watched;
  uint64_t *affected, *open; /* per transition, of `words` each: which of the watched it can change; those not seen yet */
  size_t words;
  size_t unseen;
  int refused;
};

/* ---- reading ---------------------------------------------------------------------------------------------------------------------- */

static int read_atom(void *context, const char *text, size_t length, size_t column, struct err *e) {
  struct settling *s = context;
  int index = contest_atom(s->c, &s->atom, text, length, e);
  if (index < 0 && s->reading.count) queries_place(s->c->queries, s->reading.at[0], column - 1 + (e->column > 0 ? (size_t)e->column : 1), e);
  return index;
}

static int read_all(struct settling *s, struct err *e) {
  size_t i = 0;
  struct mem *mem = s->c->run->mem;
  struct formula_reader reader = {.what = "query", .branching = 1, .atom = read_atom, .context = s};
  for (const struct query *q = s->c->queries->first; q; q = q->next, i++) {
    s->formula[i] = FORMULA_NONE;
    if (!*q->text) continue;
    s->reading.count = 0;
    if (vec_push(&s->reading, mem, MEM_OTHER, q)) return err_memory(e, "the queries");
    if (formula_parse(s->fs, &s->formula[i], q->text, &reader, e) == 0) continue;
    s->formula[i] = FORMULA_NONE;
    if (e->kind == ERR_INPUT) contest_blame(s->c, i, e);
    else if (e->kind != ERR_LIMIT) return -1;
    err_clear(e);
  }
  return 0;
}

/* ---- what is known -------------------------------------------------------------------------------------------------------------------- */

/* The tables grow with the graph. */
static int make_room(struct settling *s) {
  struct mem *mem = s->c->run->mem;
  size_t count = s->fs->count, more = count - s->known.count;
  if (count <= s->known.count) return 0;
  if (vec_reserve(&s->known, mem, MEM_OTHER, more) || vec_reserve(&s->start, mem, MEM_OTHER, more) || vec_reserve(&s->by, mem, MEM_OTHER, more) ||
      vec_reserve(&s->collected, mem, MEM_OTHER, more))
    return s->refused = -1;
  memset(s->known.at + s->known.count, 0, more);
  memset(s->start.at + s->start.count, 0, more);
  memset(s->by.at + s->by.count, 0, more);
  memset(s->collected.at + s->collected.count, 0, more);
  s->known.count = s->start.count = s->by.count = s->collected.count = count;
  return 0;
}

static enum formula_truth truth_of(int is) { return is ? TRUTH_TRUE : TRUTH_FALSE; }

/* How the parts of a formula became known, all together. */
static unsigned techniques(const struct settling *s, formula f, int depth) {
  unsigned by = f < s->by.count ? s->by.at[f] : 0;
  for (uint32_t i = 0; depth && i < formula_children(s->fs, f); i++) by |= techniques(s, formula_child(s->fs, f, i), depth - 1);
  return by;
}

static void learn(struct settling *s, size_t i, formula f) {
  struct contest_answer *a = &s->c->answer[i];
  unsigned by = techniques(s, s->formula[i], 40);
  s->formula[i] = f;
  a->by |= by;
  if (f != FORMULA_TRUE && f != FORMULA_FALSE) return;
  a->status = contest_truth(f == FORMULA_TRUE);
  if (!a->by) a->by = CONTEST_BY_FIRST_STATE;
  contest_tell(s->c);
}

/* A(p) && A(q) is A(p && q) for those who search. */
static formula join_linear(struct settling *s, formula f) {
  struct formulas *fs = s->fs;
  if (formula_kind(fs, f) != F_AND) return f;
  uint32_t count = formula_children(fs, f), i = 0;
  formula *part = mem_alloc(fs->mem, MEM_OTHER, count * sizeof *part), result = f;
  for (; part && i < count; i++) {
    formula one = formula_child(fs, f, i);
    if (formula_kind(fs, one) != F_ALL) break;
    part[i] = formula_child(fs, one, 0);
  }
  if (part && i == count) result = formula_unary(fs, F_ALL, formula_many(fs, F_AND, part, count));
  mem_free(fs->mem, part);
  return result;
}

static void fold_all(struct settling *s) {
  for (size_t i = 0; i < s->c->queries->count && !s->refused; i++) {
    formula f = s->formula[i];
    if (f == FORMULA_NONE || s->c->answer[i].status != CONTEST_UNKNOWN) continue;
    f = formula_fold(s->fs, f, s->known.at, s->known.count);
    if (f != FORMULA_NONE) f = formula_at_start(s->fs, f, s->start.at, s->start.count);
    if (f != FORMULA_NONE) f = formula_fold(s->fs, f, s->known.at, s->known.count);
    if (f == FORMULA_NONE) s->refused = -1;
    else learn(s, i, f);
    make_room(s);
  }
}

/* ---- what is watched ---------------------------------------------------------------------------------------------------------------------- */

static struct linear *linear_formula(struct settling *s, formula f, int negated, int depth) {
  struct linear_maker *maker = &s->tools.maker;
  const struct formulas *fs = s->fs;
  struct linear *two[2], *x = NULL;
  if (!maker->room) return NULL; /* equivalences within equivalences double with each level */
  switch (formula_kind(fs, f)) {
  case F_FALSE:
  case F_TRUE: return linear_many(maker, (f == FORMULA_TRUE) != negated ? LINEAR_AND : LINEAR_OR, NULL, 0);
  case F_ATOM: return linear_of(maker, s->atom.at[formula_atom_index(fs, f)], negated);
  case F_NOT: return linear_formula(s, formula_child(fs, f, 0), !negated, depth + 1);
  case F_IMPLIES:
    two[0] = linear_formula(s, formula_child(fs, f, 0), !negated, depth + 1);
    two[1] = linear_formula(s, formula_child(fs, f, 1), negated, depth + 1);
    return linear_many(maker, negated ? LINEAR_AND : LINEAR_OR, two, 2);
  case F_IFF:
    for (int half = 0; half < 2; half++) {
      struct linear *pair[] = {linear_formula(s, formula_child(fs, f, 0), half, depth + 1), linear_formula(s, formula_child(fs, f, 1), negated ? !half : half, depth + 1)};
      two[half] = linear_many(maker, LINEAR_AND, pair, 2);
    }
    return linear_many(maker, LINEAR_OR, two, 2);
  case F_AND:
  case F_OR: break;
  default: return NULL;
  }
  uint32_t count = formula_children(fs, f);
  struct linear **part = depth < FORMULA_DEPTH ? mem_alloc(maker->mem, MEM_ANALYSIS, count * sizeof *part) : NULL;
  for (uint32_t i = 0; part && i < count; i++) part[i] = linear_formula(s, formula_child(fs, f, i), negated, depth + 1);
  if (part) x = linear_many(maker, (formula_kind(fs, f) == F_AND) != negated ? LINEAR_AND : LINEAR_OR, part, count);
  mem_free(maker->mem, part);
  return x;
}

static void watch(struct settling *s, formula of, int truth, formula goal, int atom) {
  struct watched w = {.x = linear_formula(s, of, !truth, 0), .of = of, .goal = goal, .truth = (uint8_t)truth, .atom = (uint8_t)atom};
  if (w.x && vec_push(&s->watched, s->c->run->mem, MEM_OTHER, w)) s->refused = -1;
}

/* Boolean parts, the largest ones and atoms. */
static void collect_parts(struct settling *s, formula f, int inside) {
  int boolean = formula_is(s->fs, f, CLASS_BOOLEAN), atom = formula_kind(s->fs, f) == F_ATOM;
  if (f <= FORMULA_TRUE || s->collected.at[f] & 1) return;
  if (boolean && (!inside || atom)) {
    watch(s, f, 1, FORMULA_NONE, inside);
    watch(s, f, 0, FORMULA_NONE, inside);
    s->collected.at[f] |= 1;
  }
  if (s->known.at[f] != TRUTH_OPEN) return;
  for (uint32_t i = 0; i < formula_children(s->fs, f) && !s->refused; i++) collect_parts(s, formula_child(s->fs, f, i), boolean);
}

/* EF p and AG p outside of any temporal operator. */
static void collect_goals(struct settling *s, formula f) {
  const struct formulas *fs = s->fs;
  enum formula_kind kind = formula_kind(fs, f);
  if (kind == F_ALL || kind == F_EXISTS) {
    formula path = formula_child(fs, f, 0);
    if (formula_kind(fs, path) != (kind == F_ALL ? F_GLOBALLY : F_FINALLY) || s->collected.at[f] & 2) return;
    if (!formula_is(fs, formula_child(fs, path, 0), CLASS_BOOLEAN)) return;
    watch(s, formula_child(fs, path, 0), kind == F_EXISTS, f, 0);
    s->collected.at[f] |= 2;
    return;
  }
  if (kind < F_NOT || kind > F_IFF) return;
  for (uint32_t i = 0; i < formula_children(fs, f) && !s->refused; i++) collect_goals(s, formula_child(fs, f, i));
}

/* ---- walking -------------------------------------------------------------------------------------------------------------------------------- */

static void depends(const struct settling *s, const struct linear *x, uint64_t *of_place, size_t index) {
  const struct pt_net *net = s->tools.net;
#define MARK(place) (of_place[(size_t)(place)*s->words + index / 64] |= UINT64_C(1) << index % 64)
  switch (x->kind) {
  case LINEAR_AT_LEAST:
    for (uint32_t i = 0; i < x->count; i++) MARK(x->var[i]);
    break;
  case LINEAR_FIREABLE:
  case LINEAR_UNFIREABLE:
    for (uint32_t a = net->pre_start[x->group]; a < net->pre_start[x->group + 1]; a++) MARK(net->pre[a].place);
    break;
  case LINEAR_DEAD:
  case LINEAR_ALIVE:
    for (uint32_t p = 0; p < net->places; p++) MARK(p);
    break;
  default:
    for (uint32_t i = 0; i < x->count; i++) depends(s, x->child[i], of_place, index);
  }
#undef MARK
}

/* Which of the watched a transition can change. */
static int find_affected(struct settling *s) {
  const struct pt_net *net = s->tools.net;
  struct mem *mem = s->c->run->mem;
  mem_free(mem, s->affected);
  mem_free(mem, s->open);
  s->words = s->watched.count / 64 + 1;
  s->affected = mem_alloc(mem, MEM_ANALYSIS, ((size_t)net->transitions + 1) * s->words * sizeof *s->affected);
  s->open = mem_alloc(mem, MEM_ANALYSIS, s->words * sizeof *s->open);
  uint64_t *of_place = mem_alloc(mem, MEM_ANALYSIS, ((size_t)net->places + 1) * s->words * sizeof *of_place);
  int bad = s->affected && s->open && of_place ? 0 : -1;
  s->unseen = 0;
  for (size_t i = 0; i < s->watched.count && !bad; i++) {
    depends(s, s->watched.at[i].x, of_place, i);
    if (s->watched.at[i].seen) continue;
    s->open[i / 64] |= UINT64_C(1) << i % 64;
    s->unseen++;
  }
  for (uint32_t t = 0; t < net->transitions && !bad; t++) {
    uint32_t place;
    int64_t change;
    for (struct pt_effects it = pt_effects(net, t); pt_effect(&it, &place, &change);)
      for (size_t w = 0; w < s->words; w++) s->affected[t * s->words + w] |= of_place[place * s->words + w];
  }
  mem_free(mem, of_place);
  return bad;
}

/* The boolean formula by the definition of the language. */
static int defined(const struct settling *s, formula f, const int64_t *values) {
  const struct formulas *fs = s->fs;
  uint32_t count = formula_children(fs, f);
  switch (formula_kind(fs, f)) {
  case F_ATOM: return expr_define(s->atom.at[formula_atom_index(fs, f)], s->c->run->model, values) != 0;
  case F_NOT: return !defined(s, formula_child(fs, f, 0), values);
  case F_IMPLIES: return !defined(s, formula_child(fs, f, 0), values) || defined(s, formula_child(fs, f, 1), values);
  case F_IFF: return defined(s, formula_child(fs, f, 0), values) == defined(s, formula_child(fs, f, 1), values);
  case F_AND:
  case F_OR:
    for (uint32_t i = 0; i < count; i++)
      if (defined(s, formula_child(fs, f, i), values) == (formula_kind(fs, f) == F_OR)) return formula_kind(fs, f) == F_OR;
    return formula_kind(fs, f) == F_AND;
  default: return f == FORMULA_TRUE;
  }
}

/* The walk stands where it has this truth. */
static void see(struct settling *s, struct watched *w) {
  size_t i = (size_t)(w - s->watched.at);
  if (w->goal != FORMULA_NONE) {
    const int64_t *values = settle_confirm(&s->tools);
    if (!values || defined(s, w->of, values) != w->truth) return;
    s->start.at[w->goal] = truth_of(w->truth);
    s->by.at[w->goal] |= CONTEST_BY_WALK;
  }
  w->seen = 1;
  s->open[i / 64] &= ~(UINT64_C(1) << i % 64);
  s->unseen--;
}

static int look_around(void *context, uint32_t fired) {
  struct settling *s = context;
  for (size_t word = 0; word < s->words; word++)
    for (uint64_t rest = s->open[word] & (fired == SETTLE_BEGINS ? ~UINT64_C(0) : s->affected[fired * s->words + word]); rest; rest &= rest - 1) {
      struct watched *w = &s->watched.at[word * 64 + (size_t)__builtin_ctzll(rest)];
      if (walk_satisfies(&s->tools.walk, w->x)) see(s, w);
    }
  return s->unseen == 0;
}

/* ---- goals and parts ---------------------------------------------------------------------------------------------------------------------------- */

/* The state equation excludes it: then `of` is constant. */
static int exclude(struct settling *s, struct watched *w) {
  if (!settle_never(&s->tools, w->x, EACH)) return 0;
  s->known.at[w->of] = truth_of(!w->truth);
  s->by.at[w->of] |= CONTEST_BY_EQUATION;
  return 1;
}

static int pursue_goals(struct settling *s) {
  int learnt = 0;
  for (size_t i = 0; i < s->watched.count && !settle_over(&s->tools); i++) {
    struct watched *w = &s->watched.at[i];
    if (w->goal == FORMULA_NONE || w->seen || w->tried || s->known.at[w->of] != TRUTH_OPEN) continue;
    w->tried = 1;
    if (exclude(s, w)) learnt = 1;
    else if (settle_follow(&s->tools, w->x, FOLLOW) || settle_approach(&s->tools, w->x, APPROACH)) see(s, w);
  }
  return learnt;
}

/* atoms 0: the largest parts; 1: atoms within them. */
static int exclude_parts(struct settling *s, int atoms) {
  int learnt = 0;
  for (size_t i = 0; i < s->watched.count && !settle_over(&s->tools); i++) {
    struct watched *w = &s->watched.at[i];
    if (w->goal != FORMULA_NONE || w->atom != atoms || w->seen || w->tried || s->known.at[w->of] != TRUTH_OPEN) continue;
    w->tried = 1;
    learnt |= exclude(s, w);
  }
  return learnt;
}

static int count_goals(const struct settling *s) {
  int count = 0;
  for (size_t i = 0; i < s->watched.count; i++) count += s->watched.at[i].goal != FORMULA_NONE && s->watched.at[i].seen;
  return count;
}

/* 1: something new is known. */
static int one_round(struct settling *s) {
  size_t before = s->watched.count;
  int goals = count_goals(s), learnt = 0;
  for (size_t i = 0; i < s->c->queries->count && !s->refused; i++) {
    if (s->formula[i] == FORMULA_NONE || s->c->answer[i].status != CONTEST_UNKNOWN) continue;
    collect_goals(s, s->formula[i]);
    collect_parts(s, s->formula[i], 0);
  }
  if (s->refused || s->watched.count == before || find_affected(s)) return 0;
  settle_wander(&s->tools, WANDER, look_around, s);
  learnt |= pursue_goals(s);
  learnt |= exclude_parts(s, 0);
  learnt |= exclude_parts(s, 1);
  return learnt || count_goals(s) > goals;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------------------------- */

struct writing {
  struct settling *s;
  struct vec(char) out;
  int refused;
};

static void put(struct writing *w, const char *text) {
  size_t length = strlen(text);
  if (vec_reserve(&w->out, w->s->c->run->mem, MEM_OTHER, length + 1)) w->refused = 1;
  if (w->refused) return;
  memcpy(w->out.at + w->out.count, text, length + 1);
  w->out.count += length;
}

/* As queries.c writes them. */
static void write_formula(struct writing *w, formula f) {
  static const char *const sign[] = {
      [F_NOT] = "(! ", [F_AND] = " && ", [F_OR] = " || ", [F_IMPLIES] = " -> ", [F_IFF] = " <-> ", [F_NEXT] = "(X ", [F_FINALLY] = "(F ", [F_GLOBALLY] = "(G ",
      [F_UNTIL] = " U ", [F_RELEASE] = " R ", [F_WEAK] = " W ", [F_STRONG] = " M ", [F_ALL] = "(A ", [F_EXISTS] = "(E "};
  const struct formulas *fs = w->s->fs;
  enum formula_kind kind = formula_kind(fs, f);
  if (kind == F_FALSE || kind == F_TRUE) {
    put(w, kind == F_TRUE ? "true" : "false");
    return;
  }
  if (kind == F_ATOM) {
    put(w, "(");
    put(w, expr_text(w->s->atom.at[formula_atom_index(fs, f)]));
    put(w, ")");
    return;
  }
  put(w, formula_children(fs, f) == 1 ? sign[kind] : "(");
  for (uint32_t i = 0; i < formula_children(fs, f) && !w->refused; i++) {
    if (i) put(w, sign[kind]);
    write_formula(w, formula_child(fs, f, i));
  }
  put(w, ")");
}

/* NULL: memory, or it is nested too deeply to be read again. */
static char *written(struct settling *s, formula f) {
  struct writing w = {.s = s};
  if (f == FORMULA_NONE || s->fs->node[f].height > LOW_DEPTH) return NULL;
  write_formula(&w, f);
  if (w.refused) vec_free(&w.out, s->c->run->mem);
  return w.out.at;
}

/* A linear formula as a branching one. */
static void write_branching(struct settling *s, size_t i, formula f) {
  struct err ignored = {0};
  int dead = read_atom(s, "dead()", 6, 1, &ignored);
  if (dead < 0 || formula_kind(s->fs, f) != F_ALL) return;
  f = formula_for_all(s->fs, formula_child(s->fs, f, 0), formula_atom(s->fs, (uint32_t)dead));
  if (f != FORMULA_NONE) s->c->branching[i] = written(s, f);
}

/* What is left of queries, for those who search. */
static void write_rest(struct settling *s, const formula *read) {
  for (size_t i = 0; i < s->c->queries->count; i++) {
    formula f = s->formula[i];
    if (f == FORMULA_NONE || s->c->answer[i].status != CONTEST_UNKNOWN) continue;
    if (s->c->is == LINEAR && (f = join_linear(s, f)) != FORMULA_NONE) write_branching(s, i, f);
    if (s->formula[i] != read[i]) s->c->text[i] = written(s, f);
  }
}

/* ---- the door --------------------------------------------------------------------------------------------------------------------------------------- */

/* Atoms and what they are in the first state. The definition of a coloured net may try a million bindings for one of
   them: those that time does not allow stay unknown. */
static void look_at_start(struct settling *s) {
  const struct model *m = s->c->run->model;
  const struct model_patience patience = {s->c->run->limits.interrupt, clock_now() + contest_effort(s->c)};
  int64_t *first = mem_alloc(s->c->run->mem, MEM_OTHER, ((size_t)m->vars + 1) * sizeof *first);
  if (first) m->type->define_initial(m, first);
  const int64_t *values = s->tools.net ? settle_confirm(&s->tools) : first; /* the walk has not begun */
  make_room(s);
  for (formula f = 0; f < s->start.count && values && !model_impatient(&patience); f++)
    if (formula_kind(s->fs, f) == F_ATOM) s->start.at[f] = truth_of(defined(s, f, values));
  mem_free(s->c->run->mem, first);
}

/* Of a net that keeps its colours only the first state is known without a search. */
static void settle_all(struct settling *s) {
  size_t n = s->c->queries->count;
  formula *read = mem_alloc(s->c->run->mem, MEM_OTHER, (n + 1) * sizeof *read);
  if (!read) return;
  memcpy(read, s->formula, n * sizeof *read);
  look_at_start(s);
  fold_all(s);
  for (int round = 0; s->tools.net && round < ROUNDS && !s->refused && one_round(s); round++) fold_all(s);
  write_rest(s, read);
  mem_free(s->c->run->mem, read);
}

static void close_all(struct settling *s) {
  struct mem *mem = s->c->run->mem;
  contest_atoms_close(s->c, &s->atom);
  vec_free(&s->reading, mem);
  vec_free(&s->known, mem);
  vec_free(&s->start, mem);
  vec_free(&s->by, mem);
  vec_free(&s->collected, mem);
  vec_free(&s->watched, mem);
  mem_free(mem, s->affected);
  mem_free(mem, s->open);
  mem_free(mem, s->formula);
  settle_close(&s->tools);
  formulas_close(s->fs);
}

double contest_effort(const struct contest *c) {
  double left = contest_seconds(c);
  return left > 0 && left * SHARE < MOST_SECONDS ? left * SHARE : MOST_SECONDS;
}

int contest_settle(struct contest *c, struct err *e) {
  struct mem *mem = c->run->mem;
  struct settling s = {.c = c, .formula = mem_alloc(mem, MEM_OTHER, (c->queries->count + 1) * sizeof *s.formula)};
  int bad = s.formula ? formulas_open(&s.fs, mem, e) : err_memory(e, "the queries");
  if (!bad) bad = read_all(&s, e);
  if (!bad) {
    if (settle_open(&s.tools, c->run->model, mem, contest_effort(c), c->run->limits.interrupt)) s.tools.net = NULL;
    settle_all(&s);
  }
  close_all(&s);
  mem_trim();
  return bad;
}
