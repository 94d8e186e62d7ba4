/* api.c -- the functions of thimble.h: options in, one run, a result out.
 *
 * Everything a call allocates lives under the run's own budget; what the result keeps after
 * the call (steps and their names) is ordinary memory, copied out, so that no budget has to
 * outlive the run. */
#include "api/own_model.h"
#include "base/vec.h"
#include "front/front.h"
#include "prop/prop.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *thimble_version(void) { return THIMBLE_VERSION; }

/* ---- properties --------------------------------------------------------------------- */

struct props vec(struct prop);

static int add_prop(struct props *v, enum prop_kind kind, unsigned index, const char *text, const struct model *m,
                    struct mem *mem, struct err *e) {
  struct prop p;
  if (prop_open(&p, kind, index, text, m, mem, e)) return -1;
  if (vec_push(v, mem, MEM_OTHER, p) == 0) return 0;
  prop_close(&p);
  return err_memory(e, "the properties");
}

static int add_claims(struct props *v, const struct model *m, struct mem *mem, struct err *e) {
  if (!m->type->claims && !m->type->fault_text) return 0;
  uint32_t claims = m->type->claims ? m->type->claims(m) : 0;
  for (uint32_t i = 0; i <= claims; i++) {
    struct prop p;
    if (prop_open_claim(&p, m, i < claims ? i : MODEL_RUNTIME, mem, e)) return -1;
    if (!vec_push(v, mem, MEM_OTHER, p)) continue;
    prop_close(&p);
    return err_memory(e, "the properties");
  }
  return 0;
}

static int add_props(struct props *v, const struct thimble_options *o, const struct model *m, struct mem *mem, struct err *e) {
  if (!o->ignore_deadlock && add_prop(v, PROP_DEADLOCK, 1, NULL, m, mem, e)) return -1;
  if (!o->ignore_claims && add_claims(v, m, mem, e)) return -1;
  for (unsigned i = 0; o->invariants && o->invariants[i]; i++)
    if (add_prop(v, PROP_INVARIANT, i + 1, o->invariants[i], m, mem, e)) return -1;
  for (unsigned i = 0; o->reachable && o->reachable[i]; i++)
    if (add_prop(v, PROP_REACHABLE, i + 1, o->reachable[i], m, mem, e)) return -1;
  for (unsigned i = 0; o->ltl && o->ltl[i]; i++)
    if (add_prop(v, PROP_LTL, i + 1, o->ltl[i], m, mem, e)) return -1;
  for (unsigned i = 0; o->ctl && o->ctl[i]; i++)
    if (add_prop(v, PROP_CTL, i + 1, o->ctl[i], m, mem, e)) return -1;
  for (unsigned i = 0; o->strategies && o->strategies[i]; i++)
    if (add_prop(v, PROP_STRATEGY, i + 1, o->strategies[i], m, mem, e)) return -1;
  return 0;
}

/* ---- results ------------------------------------------------------------------------ */

static void tell_error(struct thimble_result *out, const struct err *e) {
  out->verdict = e->kind == ERR_MEMORY ? THIMBLE_INCOMPLETE : THIMBLE_ERROR;
  out->stop = e->kind == ERR_MEMORY ? "memory" : "fault";
  if (e->file[0] && e->line)
    snprintf(out->message, sizeof out->message, "%.100s:%ld:%ld: %.500s", e->file, e->line, e->column, e->message);
  else if (e->file[0]) snprintf(out->message, sizeof out->message, "%.100s: %.500s", e->file, e->message);
  else snprintf(out->message, sizeof out->message, "%.600s", e->message);
}

/* Steps and all their names in one piece of ordinary memory. */
static int copy_steps(struct thimble_result *out, const struct trace *t, const struct model *m) {
  size_t text = 0;
  for (size_t i = 0; i < t->count; i++) text += strlen(m->type->group_name(m, t->group[i])) + 1;
  struct thimble_step *steps = malloc(t->count * sizeof *steps + text + 1);
  if (!steps) return -1;
  char *names = (char *)(steps + t->count);
  for (size_t i = 0; i < t->count; i++) {
    const char *name = m->type->group_name(m, t->group[i]);
    size_t size = strlen(name) + 1;
    memcpy(names, name, size);
    steps[i] = (struct thimble_step){own_model_action(m, t->group[i]), t->edge[i], names};
    names += size;
  }
  out->steps = out->own = steps;
  out->step_count = t->count;
  out->loop = t->loop < 0 ? t->count : (size_t)t->loop;
  return 0;
}

/* The property a caller wants to hear of first: a violated one, otherwise one with a witness. */
static const struct verdict_property *told_property(const struct verdict *v) {
  for (size_t i = 0; i < v->property_count; i++)
    if (v->property[i].status == STATUS_VIOLATED) return &v->property[i];
  for (size_t i = 0; i < v->property_count; i++)
    if (v->property[i].evidence_count) return &v->property[i];
  return NULL;
}

static void copy_verdict(struct thimble_result *out, const struct verdict *v, const struct model *m) {
  static const enum thimble_verdict kinds[] = {THIMBLE_HOLDS, THIMBLE_VIOLATED, THIMBLE_INCOMPLETE, THIMBLE_LOSSY, THIMBLE_ERROR};
  out->verdict = kinds[v->kind];
  out->complete = v->complete;
  out->stop = verdict_stop_name(v);
  out->states = v->stats.states;
  out->transitions = v->stats.transitions;
  out->deadlocks = v->stats.deadlocks;
  out->depth = v->stats.depth;
  out->peak_bytes = v->peak;
  out->store_bytes = v->store_bytes;
  out->seconds = v->search_s;
  const struct verdict_property *p = told_property(v);
  if (!p) return;
  memcpy(out->property, p->id, sizeof out->property);
  out->shortest = p->shortest;
  if (p->evidence_count && p->evidence[0].trace && copy_steps(out, p->evidence[0].trace, m))
    snprintf(out->message, sizeof out->message, "no memory for the steps of the run");
}

/* ---- a run -------------------------------------------------------------------------- */

static int check_model(struct model *m, const struct thimble_options *o, struct mem *mem, struct thimble_result *out,
                       struct err *e) {
  struct props props = {0};
  struct verdict verdict = {0};
  struct run_setup setup = {.mem = mem, .model = m};
  setup.limits =
      (struct search_limits){.seconds = o->seconds, .states = o->max_states, .depth = o->max_depth, .interrupt = o->interrupt};
  struct store_options store_options = {.disk = o->disk, .disk_bytes = o->disk_bytes};
  setup.store_options = &store_options;
  setup.collect = o->explore_all ? 1 : 0;
  setup.fair = o->fair;
  const int any = !o->search || strcmp(o->search, "auto") == 0;
  setup.search = any ? NULL : search_find_type(o->search);
  setup.scout = RUN_SCOUT;
  const int pick = !o->store || strcmp(o->store, "auto") == 0; /* then the store changes its form when memory asks for it */
  setup.store = pick ? NULL : store_find_type(o->store);
  int status = 0;
  if (!any && !setup.search) status = err_usage(e, "there is no search called %s", o->search);
  else if (!pick && !setup.store) status = err_usage(e, "there is no store called %s", o->store);
  if (!status) status = add_props(&props, o, m, mem, e);
  if (!status) {
    setup.props = props.at;
    setup.prop_count = props.count;
    status = run_check(&verdict, &setup, e);
    if (!status) copy_verdict(out, &verdict, m);
    verdict_close(&verdict);
  }
  for (size_t i = 0; i < props.count; i++) prop_close(&props.at[i]);
  vec_free(&props, mem);
  return status;
}

/* Options NULL means the defaults; returns those to use. */
static const struct thimble_options *begin(struct thimble_result *out, const struct thimble_options *options, struct mem *mem,
                                           struct err *e) {
  static const struct thimble_options defaults = {0};
  const struct thimble_options *o = options ? options : &defaults;
  memset(out, 0, sizeof *out);
  out->stop = "";
  err_clear(e);
  mem_open(mem, o->memory ? o->memory : mem_machine() / 5 * 4);
  return o;
}

static int finish(int status, struct thimble_result *out, const struct err *e) {
  if (!status) return 0;
  tell_error(out, e);
  return out->verdict == THIMBLE_ERROR ? -1 : 0;
}

int thimble_check(const struct thimble_model *user, const struct thimble_options *options, struct thimble_result *out) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  const struct thimble_options *o = begin(out, options, &mem, &e);
  int status = own_model_open(&m, user, &mem, &e);
  if (!status) status = check_model(m, o, &mem, out, &e);
  const char *fault = status ? NULL : own_model_fault(m);
  if (fault) { /* found out where nobody could hear it */
    free(out->own);
    *out = (struct thimble_result){.stop = ""};
    status = err_input(&e, (struct place_in_text){m->file, 0, 0}, "%s", fault);
  }
  model_close(m);
  return finish(status, out, &e);
}

int thimble_check_file(const char *file, const char *language, const struct thimble_options *options,
                       struct thimble_result *out) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  const struct thimble_options *o = begin(out, options, &mem, &e);
  struct front_setup setup = {.mem = &mem};
  int status = front_load(&m, file, language, &setup, &e);
  if (!status) status = check_model(m, o, &mem, out, &e);
  model_close(m);
  return finish(status, out, &e);
}

void thimble_result_free(struct thimble_result *r) {
  if (!r) return;
  free(r->own);
  r->own = r->steps = NULL;
  r->step_count = 0;
}

size_t thimble_replay(const struct thimble_model *user, const struct thimble_step *steps, size_t count,
                      void (*see)(void *, const uint32_t *, size_t), void *context) {
  struct mem mem;
  struct err e;
  struct model *m = NULL;
  struct model_cursor *cursor = NULL;
  struct model_batch batch = {0};
  size_t taken = 0;
  mem_open(&mem, 0);
  err_clear(&e);
  uint32_t *state = NULL;
  if (own_model_open(&m, user, &mem, &e) == 0) state = mem_alloc(&mem, MEM_OTHER, model_stride(m->words) * sizeof *state);
  if (state && m->type->cursor_open(&cursor, m, &mem) == 0 && model_batch_open(&batch, &mem, m->words, 64) == 0) {
    m->type->initial(m, state);
    see(context, state, 0);
    for (; taken < count; taken++) {
      batch.count = 0;
      if (m->type->successors(cursor, state, &batch) != MODEL_OK || steps[taken].edge >= batch.count) break;
      memcpy(state, batch.states + steps[taken].edge * batch.stride, m->words * sizeof *state);
      see(context, state, taken + 1);
    }
    model_batch_close(&batch);
  }
  if (cursor) m->type->cursor_close(cursor);
  mem_free(&mem, state);
  model_close(m);
  return taken;
}
