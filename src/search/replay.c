/* replay.c -- a second opinion on every path before anybody sees it.
 *
 * The engine that found a violation packs states into bits, fires incrementally, leaves out
 * what follows from flows.  Each of these can be wrong.  Replay runs the same path on plain
 * numbers with the model's definition (define_initial, define_step or define_edge), which
 * shares no code with the engine, and demands at each step that
 *
 *   - the engine has a k-th successor and it is made by the group that the path names;
 *   - the definition says that this group is enabled, or (define_edge, for languages in which
 *     a group can lead to several states) has a k-th successor made by the same group;
 *   - both arrive at the same values;
 *
 * and at the end that the last state decides the property when the expression is walked as
 * a tree (expr_define), or that there is no step by the definition (deadlock).
 *
 * The engine steps first: where that makes the model widen and have more variables (a process
 * that was not there before), those were 0 until then.
 *
 * A model that a C program brings through thimble.h has no second definition: its successor
 * function is called again, from the initial state on, and the property is asked of the state
 * that comes out.
 *
 * Cost: every variable is compared at every step as long as steps x variables stays below
 * COMPARISONS; on longer runs the changed variables at every step, and all of them as often
 * as that allows and at the end. */
#include "search/replay.h"

#include <inttypes.h>
#include <string.h>

#define COMPARISONS 50000000u

int replay_compare(struct replay *r, struct err *e) {
  for (uint32_t v = 0; v < r->vars; v++) {
    int64_t engine = stepper_value(&r->engine, v);
    if (engine == r->values[v]) continue;
    char name[80];
    const char *text = r->engine.model->type->var_name(r->engine.model, v);
    return err_internal(e, "replay: after step %zu the engine has %s = %" PRId64 ", the definition %" PRId64, r->steps,
                        err_quote(name, sizeof name, text, strlen(text)), engine, r->values[v]);
  }
  return 0;
}

/* Without a definition of its own the model is taken at its word, asked a second time. */
static int defined(const struct model *model) {
  return model->type->define_initial && (model->type->define_step || model->type->define_edge);
}

static void read_values(struct replay *r, int64_t *values) {
  for (uint32_t v = 0; v < r->vars; v++) values[v] = stepper_value(&r->engine, v);
}

int replay_open(struct replay *r, struct model *model, struct mem *mem, size_t expected, struct err *e) {
  memset(r, 0, sizeof *r);
  r->vars = model->vars;
  r->full_every = 1 + (size_t)((double)expected * model->vars / COMPARISONS);
  if (stepper_open(&r->engine, model, mem, e)) return -1;
  r->values = mem_alloc(mem, MEM_OTHER, (size_t)r->vars * sizeof *r->values);
  r->before = mem_alloc(mem, MEM_OTHER, (size_t)r->vars * sizeof *r->before);
  if (!r->values || !r->before) {
    replay_close(r);
    return err_memory(e, "replaying a trace");
  }
  if (defined(model)) model->type->define_initial(model, r->values);
  else read_values(r, r->values);
  if (replay_compare(r, e)) {
    replay_close(r);
    return -1;
  }
  return 0;
}

void replay_close(struct replay *r) {
  struct mem *mem = r->engine.mem;
  if (!mem) return;
  mem_free(mem, r->values);
  mem_free(mem, r->before);
  stepper_close(&r->engine);
  memset(r, 0, sizeof *r);
}

/* The model may have got more variables since. */
static int make_room(struct replay *r, struct err *e) {
  uint32_t vars = r->engine.model->vars;
  if (vars <= r->vars) return 0;
  int64_t *values = mem_resize(r->engine.mem, MEM_OTHER, r->values, (size_t)vars * sizeof *values);
  if (values) r->values = values;
  int64_t *before = values ? mem_resize(r->engine.mem, MEM_OTHER, r->before, (size_t)vars * sizeof *before) : NULL;
  if (!before) return err_memory(e, "replaying a trace");
  r->before = before;
  r->vars = vars;
  return 0;
}

/* Why the definition has no answer. */
static int unanswered(int answer, struct err *e) {
  if (answer == MODEL_GIVES_UP) return err_limit(e, "a step is too long for the definition that would confirm it");
  return err_memory(e, "a step by the definition");
}

/* The step by the definition. 1, 0: there is none, negative: no answer. */
static int define(struct replay *r, uint32_t k, uint32_t group, int64_t *next) {
  const struct model *model = r->engine.model;
  uint32_t made = group;
  if (!model->type->define_edge) return model->type->define_step(model, r->values, group, next);
  int there = model->type->define_edge(model, r->values, k, &made, next, r->engine.mem);
  return there > 0 ? made == group : there;
}

static int changed_agree(struct replay *r, struct err *e) {
  for (uint32_t v = 0; v < r->vars; v++)
    if (r->values[v] != r->before[v] && stepper_value(&r->engine, v) != r->values[v]) return replay_compare(r, e);
  return 0;
}

int replay_step(struct replay *r, uint32_t k, uint32_t group, struct err *e) {
  const struct model *model = r->engine.model;
  uint32_t taken = 0;
  int there = stepper_take(&r->engine, k, &taken, e);
  r->steps++;
  if (there < 0) return -1;
  if (!there) return err_internal(e, "replay: step %zu takes successor %" PRIu32 ", which is not there", r->steps, k);
  if (taken != group)
    return err_internal(e, "replay: step %zu is made by group %" PRIu32 ", not %" PRIu32, r->steps, taken, group);
  if (make_room(r, e)) return -1;
  int64_t *next = r->before;
  if (!defined(model)) {
    read_values(r, next);
  } else if ((there = define(r, k, group, next)) < 0) {
    return unanswered(there, e);
  } else if (!there) {
    char name[80];
    const char *text = model->type->group_name(model, group);
    return err_internal(e, "replay: step %zu (%s) is not enabled by the definition", r->steps,
                        err_quote(name, sizeof name, text, strlen(text)));
  }
  r->before = r->values;
  r->values = next;
  return r->steps % r->full_every ? changed_agree(r, e) : replay_compare(r, e);
}

/* By the definition alone; `before` serves as scratch. 1, 0, or negative: no answer. */
static int dead(struct replay *r) {
  const struct model *model = r->engine.model;
  if (model->type->define_edge) {
    uint32_t group;
    int there = model->type->define_edge(model, r->values, 0, &group, r->before, r->engine.mem);
    return there < 0 ? there : !there;
  }
  for (uint32_t g = 0; g < model->groups; g++)
    if (model->type->define_step(model, r->values, g, r->before)) return 0;
  return 1;
}

int replay_decides(struct replay *r, const struct prop *p, struct err *e) {
  const struct model *model = r->engine.model;
  if (!defined(model)) {
    if (stepper_expand(&r->engine, e)) return 0;
    int end = model->type->labels && model->type->labels(model, r->engine.state) & MODEL_END;
    return prop_decided(p, r->engine.cursor, r->engine.state, r->engine.batch.count == 0 && !end);
  }
  switch (p->kind) {
  case PROP_DEADLOCK:
    if (model->type->labels && model->type->labels(model, r->engine.state) & MODEL_END) return 0;
    return dead(r);
  case PROP_INVARIANT: return expr_define(p->expr, model, r->values) == 0;
  case PROP_REACHABLE: return expr_define(p->expr, model, r->values) != 0;
  case PROP_CTL: return branching_define(p->branching, model, r->values);
  default: return 0;
  }
}

/* Does the engine, asked once more, tell this fault with the k-th step of the state at hand (UINT32_MAX: with none)? */
static int fault_again(struct replay *r, const struct model_fault *fault, uint32_t k, struct err *e) {
  const struct model_batch *b = &r->engine.batch;
  if (stepper_expand(&r->engine, e)) return -1;
  for (size_t i = 0; i < b->fault_count; i++) {
    const struct model_fault *f = &b->faults[i];
    if (f->claim == fault->claim && f->detail == fault->detail && f->edge == (k == UINT32_MAX ? MODEL_NO_EDGE : k)) return 0;
  }
  return err_internal(e, "replay: what went wrong in the last step does not happen again");
}

int replay_path(struct model *model, const struct search_path *path, const struct prop *p, const struct model_fault *fault,
                struct mem *mem, struct err *e) {
  struct replay r;
  if (replay_open(&r, model, mem, path->count, e)) return -1;
  int bad = 0, step = fault && fault->edge != MODEL_NO_EDGE;
  for (size_t i = 0; i < path->count && !bad; i++) {
    if (step && i + 1 == path->count) bad = fault_again(&r, fault, path->edge[i], e);
    if (!bad) bad = replay_step(&r, path->edge[i], path->group[i], e);
  }
  if (!bad) bad = replay_compare(&r, e);
  if (!bad && fault && !step) bad = fault_again(&r, fault, UINT32_MAX, e);
  int decides = bad || !p || fault ? 1 : replay_decides(&r, p, e);
  if (decides < 0) bad = unanswered(decides, e);
  else if (!decides) bad = e->kind ? -1 : err_internal(e, "replay: the last state of the trace does not decide %s", p->id);
  replay_close(&r);
  return bad;
}
