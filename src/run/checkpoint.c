/* checkpoint.c -- see checkpoint.h.
 *
 * Everything in the file may have been changed by somebody: texts and lists are read up to sensible lengths, and nothing that was read decides what is written where. */
#include "run/checkpoint.h"

#include "base/clock.h"
#include "net/pt_model.h"
#include "search/external.h"
#include "search/judge.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 20, LIST = 1 << 16 };

/* ---- what is possible ------------------------------------------------------------------------------------------------------ */

static int cannot(struct err *e, const char *why, const char *hint) {
  err_usage(e, "--checkpoint: %s", why);
  err_hint(e, "%s", hint);
  return -1;
}

int checkpoint_possible(const struct run_setup *s, struct err *e) {
  size_t apart = 0, runs = 0;
  if (s->swarm) return cannot(e, "a swarm remembers nothing that could be gone on with", "leave --swarm out");
  if (s->search && s->search != &search_bfs && s->search != &search_dfs) return cannot(e, "only breadth-first and depth-first searches can be gone on with", "--search bfs, --search dfs");
  if (s->search == &search_dfs && s->limits.depth) return cannot(e, "a depth-first search that was cut at a depth cannot be gone on with", "--max-states or --time instead of --max-depth");
  if (s->store && !(s->store->caps & STORE_EXACT)) return cannot(e, "a store that can miss states misses others the next time", "an exact store: --store help lists them");
  if (s->store && s->store->caps & STORE_LATE && s->model && !external_keeps(s->model))
    return cannot(e, "states of this model are numbers of values that one run has met: nobody can go on with files of them", "leave --store out: with --disk the checkpoint is kept until states go there");
  if (s->store && s->store->caps & STORE_FORGETS) return cannot(e, "the store cache forgets states", "another store: --store help lists them");
  for (size_t i = 0; i < s->prop_count; i++) {
    const struct prop *p = &s->props[i];
    if (prop_of_graph(p)) return cannot(e, "CTL and games need the whole graph, which a checkpoint does not hold", "leave --checkpoint out, or -p NAME for the other properties");
    if (p->kind == PROP_CHANNELS) return cannot(e, "a search for channels that grow cannot be gone on with", "leave --checkpoint or --unbounded-channels out");
    apart += prop_apart(p);
    runs += prop_of_runs(p);
  }
  if (apart == s->prop_count && runs == 1)
    return cannot(e, "the search for a temporal property begins anew when a run goes on, and nothing else is asked", "leave --checkpoint out");
  return 0;
}

/* ---- head ------------------------------------------------------------------------------------------------------------------ */

static void put_head(void *context, struct records *r) {
  const struct checkpoint *c = context;
  records_put_text(r, THIMBLE_VERSION);
  records_put_number(r, c->times);
  records_put_text(r, c->model);
  records_put_text(r, c->absolute);
  records_put_number(r, c->argument.count);
  for (size_t i = 0; i < c->argument.count; i++) records_put_text(r, c->argument.at[i]);
  records_put_number(r, c->input.count);
  for (size_t i = 0; i < c->input.count; i++) {
    records_put_text(r, c->input.at[i].name);
    records_put_number(r, c->input.at[i].hash);
    records_put_number(r, c->input.at[i].bytes);
  }
  records_put_number(r, c->asked);
  records_put_number(r, c->reduced);
  records_put_number(r, c->whole_states);
}

static int get_head(void *context, struct records *r, struct err *e) {
  struct checkpoint *c = context;
  c->version = records_get_text(r, 100, c->mem);
  if (c->version && strcmp(c->version, THIMBLE_VERSION) != 0) {
    char quoted[80];
    return err_io(e, r->name, "the checkpoint was written by Thimble %s, this is " THIMBLE_VERSION ": another version may number the steps of a model differently",
                  err_quote(quoted, sizeof quoted, c->version, strlen(c->version)));
  }
  c->times = records_get_number(r);
  c->model = records_get_text(r, TEXT, c->mem);
  c->absolute = records_get_text(r, TEXT, c->mem);
  for (uint64_t n = records_get_number(r); n && n < LIST && !r->failed; n--) {
    char *text = records_get_text(r, TEXT, c->mem);
    if (text && vec_push(&c->argument, c->mem, MEM_OTHER, text)) {
      mem_free(c->mem, text);
      return err_memory(e, "a checkpoint");
    }
  }
  for (uint64_t n = records_get_number(r); n && n < LIST && !r->failed; n--) {
    struct checkpoint_input in = {.name = records_get_text(r, TEXT, c->mem)};
    in.hash = records_get_number(r);
    in.bytes = records_get_number(r);
    if (vec_push(&c->input, c->mem, MEM_OTHER, in)) {
      mem_free(c->mem, in.name);
      return err_memory(e, "a checkpoint");
    }
  }
  c->asked = records_get_number(r);
  c->reduced = (unsigned)records_get_number(r);
  c->whole_states = records_get_number(r);
  if (!r->failed && c->version && c->model) return 0;
  return err_io(e, r->name, "the checkpoint is damaged: what was searched cannot be read");
}

/* ---- opening and closing --------------------------------------------------------------------------------------------------- */

static void write_heads(struct checkpoint *c) {
  c->journal.head = put_head;
  c->journal.head_context = c;
  c->started = clock_now();
}

char *checkpoint_name(const char *file, const struct run_spread *spread, struct mem *mem) {
  char *name = mem_alloc(mem, MEM_OTHER, strlen(file) + 16);
  if (name && spread) sprintf(name, "%s.%u", file, spread->self);
  else if (name) strcpy(name, file);
  return name;
}

/* Which journal it is of how many, and what they are called together. NULL: memory. */
static char *own_name(struct checkpoint *c, const char *file, const struct run_spread *spread, struct err *e) {
  char *name = checkpoint_name(file, spread, c->mem);
  if (spread) c->set = mem_strndup(c->mem, MEM_OTHER, file, strlen(file));
  if (!name || (spread && !c->set)) err_memory(e, "a checkpoint");
  return name;
}

int checkpoint_create(struct checkpoint *c, const char *file, const struct run_spread *spread, double every, struct mem *mem, struct err *e) {
  *c = (struct checkpoint){.mem = mem};
  char *name = own_name(c, file, spread, e);
  int bad = e->kind != ERR_NONE || journal_create(&c->journal, name, every, mem, e);
  mem_free(mem, name);
  if (bad) {
    mem_free(mem, c->set);
    *c = (struct checkpoint){0};
    return -1;
  }
  if (spread) c->journal.rank = (struct journal_rank){.self = spread->self, .count = spread->count};
  write_heads(c);
  return 0;
}

/* Is it one of several processes, if there are several now, and if they are as many, of this one of them? */
static int same_ranks(const struct checkpoint *c, const struct run_spread *spread, struct err *e) {
  const struct journal_rank *r = &c->journal.rank;
  const char *file = c->journal.file.name;
  if (!spread && r->count) {
    err_io(e, file, "the checkpoint is that of rank %u of %u", r->self, r->count);
    err_hint(e, "mpirun -n %u thimble-mpi resume, with the name before its last point", r->count);
  } else if (spread && !r->count) {
    err_io(e, file, "the checkpoint is that of one process");
    err_hint(e, "thimble resume goes on with it");
  } else if (spread && r->self != (checkpoint_of_other_ranks(c, spread) ? 0 : spread->self)) err_io(e, file, "the checkpoint is that of rank %u, and not of rank %u", r->self, spread->self);
  return e->kind == ERR_NONE ? 0 : -1;
}

static void forget(struct checkpoint *c) {
  mem_free(c->mem, c->version);
  mem_free(c->mem, c->model);
  mem_free(c->mem, c->absolute);
  for (size_t i = 0; i < c->argument.count; i++) mem_free(c->mem, c->argument.at[i]);
  vec_free(&c->argument, c->mem);
  for (size_t i = 0; i < c->input.count; i++) mem_free(c->mem, c->input.at[i].name);
  vec_free(&c->input, c->mem);
  mem_free(c->mem, c->holds);
}

static void drop(struct checkpoint *c) {
  journal_close(&c->journal, 1);
  forget(c);
  mem_free(c->mem, c->set);
  mem_free(c->mem, c->other_set);
  *c = (struct checkpoint){0};
}

/* The journal of this rank, or of another. 0, or -1 with err. */
static int open_journal(struct checkpoint *c, const char *file, const struct run_spread *whose, double every, int lock, struct mem *mem, struct err *e) {
  *c = (struct checkpoint){.mem = mem, .resumed = 1};
  char *name = own_name(c, file, whose, e);
  int bad = e->kind != ERR_NONE || journal_open(&c->journal, name, every, lock, get_head, c, mem, e);
  mem_free(mem, name);
  if (bad) drop(c);
  return bad;
}

/* Where there are other ranks than then, this one may have no journal, or one of which it needs no more than of the others: the first one tells what was searched. */
static int open_first(struct checkpoint *c, const char *file, const struct run_spread *spread, double every, struct mem *mem, struct err *e) {
  struct checkpoint first;
  struct run_spread then = *spread;
  struct err said;
  then.self = 0;
  err_clear(&said);
  if (open_journal(&first, file, &then, every, 0, mem, &said) == 0) {
    if (checkpoint_of_other_ranks(&first, spread) && (!c->mem || first.journal.rank.set == c->journal.rank.set)) {
      err_clear(e);
      if (c->mem) drop(c);
      *c = first;
      return 0;
    }
    drop(&first);
  } else if (c->mem) *e = said; /* it is there, and the first one is needed, too */
  return c->mem && e->kind == ERR_NONE ? err_io(e, c->journal.file.name, "the checkpoint is of another run than that of rank 0") : -1;
}

int checkpoint_open(struct checkpoint *c, const char *file, const struct run_spread *spread, double every, struct mem *mem, struct err *e) {
  int bad = open_journal(c, file, spread, every, 1, mem, e);
  if (spread && spread->self && (bad || checkpoint_of_other_ranks(c, spread))) bad = open_first(c, file, spread, every, mem, e);
  if (!bad) bad = same_ranks(c, spread, e);
  if (bad) {
    if (c->mem) drop(c);
    return -1;
  }
  write_heads(c);
  c->times++;
  return 0;
}

/* Nothing is left to do once the run has come to its end; if something was wrong, with the checkpoint itself perhaps, it stays. */
static int over(const struct verdict *v) {
  if (!v || v->kind == VERDICT_ERROR) return 0;
  return v->stop != STOP_MEMORY && v->stop != STOP_DISK && v->stop != STOP_TIME && v->stop != STOP_STATES && v->stop != STOP_DEPTH && v->stop != STOP_INTERRUPT && v->stop != STOP_RANK;
}

void checkpoint_close(struct checkpoint *c, const struct verdict *v) {
  if (!c->mem) return;
  journal_close(&c->journal, !over(v) || c->journal.past); /* those of other ranks stay */
  drop(c);
}

int checkpoint_write_elsewhere(struct checkpoint *c, const char *file, const struct run_spread *spread) {
  c->journal.elsewhere = checkpoint_name(file, spread, c->mem);
  if (spread) c->other_set = mem_strndup(c->mem, MEM_OTHER, file, strlen(file));
  return c->journal.elsewhere && (!spread || c->other_set) ? 0 : -1;
}

void checkpoint_tell(const struct checkpoint *c, struct verdict *v) {
  const struct journal *j = &c->journal;
  if (!c->mem) return;
  v->checkpoint.file = c->other_set && !j->past ? c->other_set : c->set ? c->set : j->file.name ? j->file.name : "";
  v->checkpoint.ranks = j->past ? j->pasts : j->rank.count;
  v->checkpoint.there = !over(v) && j->sealed.bytes;
  v->checkpoint.states = j->sealed.states;
  v->checkpoint.bytes = j->sealed.bytes;
  v->checkpoint.disk = c->disk && !j->folder.path ? c->disk : "";
  v->checkpoint.written = j->sealed.times;
  v->checkpoint.resumed = c->times;
  v->checkpoint.whole = !j->why && !j->file.failed;
  if (j->file.failed && !j->resuming) snprintf(v->checkpoint.why, sizeof v->checkpoint.why, "it could not be written: %s", strerror(j->file.failed));
  else if (j->why) snprintf(v->checkpoint.why, sizeof v->checkpoint.why, "%s", j->why);
  v->checkpoint.anew = v->checkpoint.there && (c->searched || !c->states);
}

/* ---- describing ------------------------------------------------------------------------------------------------------------ */

int checkpoint_describe(struct checkpoint *c, const char *model, const char *const *argument, size_t arguments, const struct checkpoint_input *input, size_t inputs, struct err *e) {
  struct checkpoint said = {.mem = c->mem};
  char *real = realpath(model, NULL);
  said.model = mem_strndup(c->mem, MEM_OTHER, model, strlen(model));
  said.absolute = real ? mem_strndup(c->mem, MEM_OTHER, real, strlen(real)) : NULL;
  int bad = !said.model || (real && !said.absolute);
  free(real);
  for (size_t i = 0; i < arguments && !bad; i++) {
    char *text = mem_strndup(c->mem, MEM_OTHER, argument[i], strlen(argument[i]));
    bad = !text || vec_push(&said.argument, c->mem, MEM_OTHER, text);
    if (bad) mem_free(c->mem, text);
  }
  for (size_t i = 0; i < inputs && !bad; i++) {
    struct checkpoint_input in = {mem_strndup(c->mem, MEM_OTHER, input[i].name, strlen(input[i].name)), input[i].hash, input[i].bytes};
    bad = !in.name || vec_push(&said.input, c->mem, MEM_OTHER, in);
    if (bad) mem_free(c->mem, in.name);
  }
  if (bad) {
    forget(&said);
    return err_memory(e, "a checkpoint");
  }
  said.version = c->version;
  c->version = NULL;
  said.holds = c->holds;
  c->holds = NULL;
  forget(c);
  c->version = said.version;
  c->holds = said.holds;
  c->model = said.model;
  c->absolute = said.absolute;
  memcpy(&c->argument, &said.argument, sizeof c->argument);
  memcpy(&c->input, &said.input, sizeof c->input);
  return 0;
}

int checkpoint_same_input(const struct checkpoint *c, const struct checkpoint_input *input, size_t inputs, struct err *e) {
  for (size_t i = 0; i < inputs && i < c->input.count; i++)
    if (input[i].hash != c->input.at[i].hash || input[i].bytes != c->input.at[i].bytes) return err_io(e, input[i].name, "has changed since the checkpoint was written: what was found in it means nothing any more");
  if (inputs != c->input.count) return err_io(e, c->model, "reads other files than when the checkpoint was written");
  return 0;
}

int checkpoint_has_part(struct checkpoint *c, const char *name) {
  for (size_t i = 0; i < c->journal.parts_there; i++) {
    uint32_t kind;
    if (!records_look(&c->journal.file, c->journal.at_part[i], &kind)) return 0;
    if (records_get_same(&c->journal.file, name)) return 1;
  }
  return 0;
}

char *checkpoint_folder(struct checkpoint *c) { return external_folder(&c->journal, c->mem); }

/* ---- a run ----------------------------------------------------------------------------------------------------------------- */

static uint64_t hash_properties(const struct run_setup *s) {
  XXH64_state_t sum;
  XXH64_reset(&sum, 0);
  for (size_t i = 0; i < s->prop_count; i++) {
    const char *text = s->props[i].expr ? expr_text(s->props[i].expr) : s->props[i].temporal ? s->props[i].temporal->text : NULL;
    XXH64_update(&sum, s->props[i].id, strlen(s->props[i].id) + 1);
    if (text) XXH64_update(&sum, text, strlen(text) + 1);
  }
  uint64_t how[3] = {s->collect, (uint64_t)s->decide_all, (uint64_t)s->fair};
  XXH64_update(&sum, how, sizeof how);
  return XXH64_digest(&sum);
}

static unsigned used(const struct verdict *v) {
  unsigned kinds = 0;
  for (unsigned i = 0; i < VERDICT_REDUCTIONS; i++)
    if (v->reduction[i].used) kinds |= 1u << i;
  return kinds;
}

/* The figures of a search that is over, as far as the verdict tells them. */
static void put_figures(struct records *r, const struct verdict *v) {
  records_put_number(r, (uint64_t)v->stop);
  records_put(r, &v->stats, sizeof v->stats);
  records_put_real(r, v->search_s);
  records_put_number(r, v->store_bytes);
  records_put(r, &v->spread, sizeof v->spread);
  records_put_number(r, v->rungs);
  for (size_t i = 0; i < v->rungs; i++) records_put_text(r, v->rung[i]);
}

/* What the cursor of a net has noted. */
static void save_peaks(struct checkpoint *c) {
  uint32_t in_place = 0;
  uint64_t in_marking = 0;
  if (c->search && c->run && pt_model_net(c->run->model) && !c->reduced) pt_cursor_peaks(c->search->cursor, &in_place, &in_marking);
  if (in_place > c->peak_in_place) c->peak_in_place = in_place;
  if (in_marking > c->peak_in_marking) c->peak_in_marking = in_marking;
}

static void save_run(void *context, struct records *r) {
  struct checkpoint *c = context;
  save_peaks(c);
  records_put_real(r, c->total + clock_now() - c->started);
  records_put_number(r, c->peak_in_place);
  records_put_number(r, c->peak_in_marking);
  records_put_number(r, (uint64_t)c->searched);
  if (c->searched) put_figures(r, c->verdict);
  size_t count = c->holds && c->run ? c->run->prop_count : 0;
  records_put_number(r, count);
  for (size_t i = 0; i < count; i++) {
    const struct verdict_property *p = &c->verdict->property[i];
    uint64_t row[6] = {c->holds[i], p->product.states, p->product.transitions, p->product.depth, p->product.automaton_states, 0};
    for (size_t k = 0; k < VERDICT_REDUCTIONS; k++) row[5] |= (uint64_t)(p->product.reduced[k] != NULL) << k;
    records_put(r, row, sizeof row);
    records_put_text(r, c->holds[i] ? p->product.search : "");
  }
}

static const char *rung_name(const char *name) {
  if (name && strcmp(name, "compact-tree without queue") == 0) return "compact-tree without queue";
  const struct store_type *type = name ? store_find_type(name) : NULL;
  return type ? type->name : "plain";
}

static int get_figures(struct records *r, struct verdict *v, struct mem *mem) {
  uint64_t stop = records_get_number(r);
  struct stats stats;
  records_get(r, &stats, sizeof stats);
  if (stop != STOP_DONE && stop != STOP_GOAL) return -1;
  v->stop = (enum search_stop)stop;
  v->stats = stats;
  v->search_s = records_get_real(r);
  v->store_bytes = (size_t)records_get_number(r);
  records_get(r, &v->spread, sizeof v->spread);
  v->spread.whose[0] = 0;
  uint64_t rungs = records_get_number(r);
  if (rungs > SEARCH_RUNGS) return -1;
  v->rungs = (size_t)rungs;
  for (size_t i = 0; i < v->rungs; i++) {
    char *name = records_get_text(r, 100, mem);
    v->rung[i] = rung_name(name);
    mem_free(mem, name);
  }
  if (v->rungs) v->store = v->rung[v->rungs - 1];
  return r->failed ? -1 : 0;
}

static int load_run(void *context, struct records *r) {
  struct checkpoint *c = context;
  c->total = records_get_real(r);
  c->peak_in_place = records_get_number(r);
  c->peak_in_marking = records_get_number(r);
  c->searched = records_get_number(r) != 0;
  if (c->searched && get_figures(r, c->verdict, c->mem)) return -1;
  uint64_t count = records_get_number(r);
  if (count && count != c->run->prop_count) return -1;
  for (size_t i = 0; i < count; i++) {
    uint64_t row[6];
    records_get(r, row, sizeof row);
    char *search = records_get_text(r, 100, c->mem);
    const struct search_type *type = search ? search_find_type(search) : NULL;
    struct verdict_property *p = &c->verdict->property[i];
    int holds = row[0] && prop_of_runs(&c->run->props[i]);
    if (holds && c->holds) {
      c->holds[i] = 1;
      p->product.method = temporal_method_name(c->run->props[i].temporal->method);
      p->product.search = type ? type->name : search && strcmp(search, "graph") == 0 ? "graph" : "ndfs";
      p->product.states = row[1];
      p->product.transitions = row[2];
      p->product.depth = row[3];
      p->product.automaton_states = (uint32_t)row[4];
      for (unsigned k = 0; k < VERDICT_REDUCTIONS; k++) p->product.reduced[k] = row[5] >> k & 1 ? reduction_name(1u << k) : NULL;
      p->product.stop = STOP_DONE;
    }
    mem_free(c->mem, search);
  }
  return r->failed ? -1 : 0;
}

int checkpoint_begin(struct checkpoint *c, const struct run_setup *s, struct verdict *v, struct err *e) {
  c->run = s;
  c->verdict = v;
  mem_free(c->mem, c->holds);
  c->holds = mem_alloc(c->mem, MEM_OTHER, s->prop_count + 1);
  if (!c->holds) return err_memory(e, "a checkpoint");
  struct journal *j = &c->journal;
  j->parts -= j->parts && strcmp(j->part[j->parts - 1].name, "judge") == 0;
  j->parts -= j->parts && strcmp(j->part[j->parts - 1].name, "run") == 0;
  if (journal_add_part(j, &(struct journal_part){"run", c, save_run, load_run})) return err_internal(e, "too many parts of a checkpoint");
  c->more = 0;
  c->states = !s->prop_count;
  for (size_t i = 0; i < s->prop_count; i++) {
    c->more |= prop_of_runs(&s->props[i]);
    c->states |= !prop_apart(&s->props[i]);
  }
  uint64_t asked = hash_properties(s);
  unsigned now = used(v);
  if (!c->resumed || !j->resuming) {
    c->asked = asked;
    c->reduced = now;
    return 0;
  }
  if (asked != c->asked) return err_io(e, j->file.name, "the checkpoint was written for other properties");
  if (now != c->reduced) {
    err_io(e, j->file.name, "the checkpoint was written with other reductions than this run can use");
    err_hint(e, "what reductions can be used may depend on the budget: try the one of the first run, or more");
    return -1;
  }
  v->whole_states = c->whole_states;
  return 0;
}

void checkpoint_begin_again(struct checkpoint *c, uint64_t whole_states) {
  c->resumed = c->searched = 0;
  c->search = NULL;
  c->whole_states = whole_states;
  journal_another(&c->journal);
}

struct journal *checkpoint_journal(struct checkpoint *c, struct judge *judge) {
  journal_add_part(&c->journal, &(struct journal_part){"judge", judge, judge_save, judge_load});
  return &c->journal;
}

void checkpoint_search_over(struct checkpoint *c, struct search *s) {
  c->searched = c->more && (s->stop == STOP_DONE || s->stop == STOP_GOAL);
  search_end_journal(s, c->more);
  save_peaks(c);
  c->search = NULL;
}

int checkpoint_take(struct checkpoint *c, struct judge *judge, struct err *e) {
  if (!c->journal.resuming || !c->journal.from.finished) return 0;
  struct journal *j = checkpoint_journal(c, judge);
  if (!j->past) return journal_go_on(j, e);
  journal_begin_anew(j, c->run->spread->self, c->run->spread->count); /* at its end all ranks have known all that was found: the first one's will do */
  if (journal_go_on(j, e)) return -1;
  journal_seal(j, &j->from);
  journal_forget_past(j);
  return 0;
}

void checkpoint_hold(struct checkpoint *c, size_t property) {
  struct journal_state state = c->journal.last;
  if (!c->holds) return;
  c->holds[property] = 1;
  state.finished = c->searched || !c->states; /* or a limit has ended it */
  journal_seal(&c->journal, &state);
}
