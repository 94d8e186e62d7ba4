/* story.c -- the parts of a step: laws on random walks through models of every language, and single facts.
 *
 * Laws: each successor has parts and there are none behind the last; the first part is the group that the search names; asking changes
 * nothing; processes started and ended add up to those that are there; messages sent and received add up to those in the channels;
 * a rendezvous has a sender and, next to it, a receiver with the same message; the names of variables are found again. */
#include "front/front.h"
#include "report/trace_view.h"
#include "search/stepper.h"
#include "search/trace.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>

static struct mem mem;
static struct err e;
static char text[300];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static struct model *load(const char *file) {
  struct model *m = NULL;
  struct front_setup setup = {.mem = &mem, .file = file};
  err_clear(&e);
  if (front_load(&m, file, NULL, &setup, &e)) printf("# %s:%ld:%ld %s\n", e.file, e.line, e.column, e.message);
  return m;
}

/* ---- laws ----------------------------------------------------------------------------------------------------------------- */

enum { CHANNELS = 40 };
struct sums {
  const struct model *m;
  size_t parts;
  int started, ended, lonely; /* a sender whose receiver has not come yet */
  int64_t sent_value;
  struct model_process waits_for, sender;
  char first[200];
  struct {
    char name[160];
    int change;
  } channel[CHANNELS];
  size_t channels;
  int wrong;
  const char *why;
};

static void blame(struct sums *s, const char *why) {
  if (!s->wrong) s->why = why;
  s->wrong = 1;
}

static void count_message(struct sums *s, const char *name, int by) {
  size_t i = 0;
  while (i < s->channels && strcmp(s->channel[i].name, name)) i++;
  if (i == CHANNELS) return;
  if (i == s->channels) snprintf(s->channel[s->channels++].name, sizeof s->channel[i].name, "%s", name);
  s->channel[i].change += by;
}

static int same_process(struct model_process a, struct model_process b) { return a.pid == b.pid && strcmp(a.name, b.name) == 0; }

static void hear(void *context, const struct model_part *p) {
  struct sums *s = context;
  if (s->parts++ == 0) snprintf(s->first, sizeof s->first, "%s[%u] %s", p->process.name, (unsigned)p->process.pid, p->statement);
  if (!p->place.line) blame(s, "a part without a place");
  s->started += (int)p->started_count;
  s->ended += p->ended;
  if (s->lonely) {
    if (p->deed != MODEL_RECEIVES || !p->partner.name || !same_process(p->process, s->waits_for) || !same_process(p->partner, s->sender))
      blame(s, "a rendezvous without its receiver");
    if (p->fields && p->message[0].value != s->sent_value) blame(s, "another message arrives than was sent");
    s->lonely = 0;
    return;
  }
  if (p->deed == MODEL_ACTS) return;
  if (!p->channel) blame(s, "a communication without a channel");
  if (p->partner.name) {
    if (p->deed != MODEL_SENDS) blame(s, "a receiver that nobody sends to");
    s->lonely = 1;
    s->waits_for = p->partner;
    s->sender = p->process;
    s->sent_value = p->fields ? p->message[0].value : 0;
    return;
  }
  if (!p->lost && p->deed != MODEL_PEEKS) count_message(s, p->channel, p->deed == MODEL_SENDS ? 1 : -1);
}

static void count_stand(void *context, const struct model_stand *stand) {
  (void)stand;
  ++*(int *)context;
}

static int processes(const struct stepper *at) {
  int n = 0;
  at->model->type->stands(at->model, at->state, count_stand, &n);
  return n;
}

/* The length of a channel: its name with len() around what follows the process. -1: it is gone or has no contents. */
static int64_t length_of(const struct stepper *at, const char *channel) {
  char name[200];
  const char *dot = strstr(channel, "].");
  if (dot && strchr(channel, '[') < dot) snprintf(name, sizeof name, "%.*s.len(%s)", (int)(dot + 1 - channel), channel, dot + 2);
  else snprintf(name, sizeof name, "len(%s)", channel);
  int64_t v = at->model->type->find_var(at->model, name, strlen(name));
  return v < 0 || v >= at->model->vars ? -1 : stepper_value(at, (uint32_t)v);
}

static void names_found(struct sums *s, const struct stepper *at) {
  const struct model *m = at->model;
  for (uint32_t v = 0; v < m->vars; v++) {
    struct model_var d;
    m->type->describe(m, at->state, v, &d);
    if (d.kind == MODEL_VAR_UNUSED) continue;
    if (m->type->find_var(m, d.name, strlen(d.name)) != (int64_t)v) {
      printf("# %s is not found\n", d.name);
      blame(s, "a name that is not found again");
    }
  }
}

static int same_batch(const struct model_batch *a, const uint32_t *states, const uint32_t *group, size_t count) {
  return a->count == count && memcmp(a->states, states, count * a->stride * sizeof *states) == 0 &&
         memcmp(a->group, group, count * sizeof *group) == 0;
}

static void walk(const char *file, unsigned seed, int steps) {
  struct model *m = load(file);
  if (!ok(m != NULL, file)) return;
  struct stepper at;
  stepper_open(&at, m, &mem, &e);
  struct sums s = {.m = m};
  int taken = 0;
  uint32_t last = 0;
  for (; taken < steps && !s.wrong; taken++) {
    if (stepper_expand(&at, &e) || !at.batch.count) {
      stepper_start(&at);
      continue;
    }
    size_t count = at.batch.count, bytes = count * at.batch.stride * sizeof(uint32_t);
    uint32_t *states = malloc(bytes), *group = malloc(count * sizeof *group);
    memcpy(states, at.batch.states, bytes);
    memcpy(group, at.batch.group, count * sizeof *group);
    seed = seed * 1103515245 + 12345;
    uint32_t k = (seed >> 16) % (uint32_t)count;
    s = (struct sums){.m = m};
    if (m->type->parts(at.cursor, at.state, (uint32_t)count, hear, &s) != 0) blame(&s, "parts behind the last successor");
    if (m->type->parts(at.cursor, at.state, k, hear, &s) < 1 || !s.parts) blame(&s, "a successor without parts");
    if (s.lonely) blame(&s, "a sender without a receiver at the end");
    last = group[k];
    const char *name = m->type->group_name(m, last);
    if (strncmp(s.first, name, sizeof s.first - 1)) blame(&s, "the first part is not the group");
    at.expanded = 0;
    if (stepper_expand(&at, &e) || !same_batch(&at.batch, states, group, count)) blame(&s, "asking has changed something");
    int before = processes(&at);
    int64_t length[CHANNELS];
    for (size_t i = 0; i < s.channels; i++) length[i] = length_of(&at, s.channel[i].name);
    stepper_take(&at, k, NULL, &e);
    if (processes(&at) != before + s.started - s.ended) blame(&s, "processes do not add up");
    for (size_t i = 0; i < s.channels; i++) {
      int64_t now = length_of(&at, s.channel[i].name);
      if (length[i] >= 0 && now >= 0 && !s.ended && !s.started && now != length[i] + s.channel[i].change) {
        printf("# %s had %" PRId64 ", has %" PRId64 ", change %d\n", s.channel[i].name, length[i], now, s.channel[i].change);
        blame(&s, "messages do not add up");
      }
    }
    if (taken % 20 == 0) names_found(&s, &at);
    free(states);
    free(group);
  }
  if (!ok(!s.wrong, NAMED("%s: %d steps told right", file, taken))) printf("# step %d: %s (%s): %s\n", taken, s.first, m->type->group_name(m, last), s.why);
  stepper_close(&at);
  model_close(m);
}

/* ---- single facts --------------------------------------------------------------------------------------------------------- */

static struct trace *run(struct trace *t, struct model *m, int steps) {
  struct stepper at;
  uint32_t edge[64], group[64];
  stepper_open(&at, m, &mem, &e);
  for (int i = 0; i < steps; i++) {
    edge[i] = 0;
    stepper_take(&at, 0, &group[i], &e);
  }
  stepper_close(&at);
  struct search_path path = {.edge = edge, .group = group, .count = (size_t)steps};
  if (trace_make(t, m, &path, &mem, &e)) printf("# %s\n", e.message);
  return t;
}

static const struct trace_change *change_of(const struct trace *t, size_t step, const char *label) {
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1]; c++)
    if (!t->change[c].words->hidden && strcmp(t->change[c].words->label, label) == 0) return &t->change[c];
  return NULL;
}

static void is_change(const struct trace *t, size_t step, const char *label, const char *from, const char *to) {
  const struct trace_change *c = change_of(t, step, label);
  if (!ok(c != NULL, NAMED("step %zu changes %s", step + 1, label))) return;
  is_text(c->words->from, from, "from");
  is_text(c->words->to, to, "to");
}

static void slots(void) {
  struct model *m = load("tests/models/story/slots.pml");
  struct trace t;
  run(&t, m, 20);
  is(t.part_count, 21, "parts: one each, two in the d_step");
  is_text(t.part[0].started[0].name, "painter", "who is started");
  is(t.part[0].started[0].pid, 1, "and its pid");
  is_change(&t, 0, "painter[1].colour", "0", "red");
  is_change(&t, 1, "painter[1].last", "green", "red");
  ok(t.part[3].ended && !change_of(&t, 3, "painter[1].last"), "a process ends; what it leaves is nobody's");
  is_change(&t, 6, "counter[1].now", "0", "1007");
  is_change(&t, 10, "talker[1].out", "0", "init[0].answers");
  is_text(t.part[11].channel, "talker[1].own", "a local channel has its process's name");
  is_change(&t, 12, "init[0].answers", "[]", "[2]");
  ok(t.part[16].deed == MODEL_PEEKS && !change_of(&t, 16, "init[0].answers"), "a message that stays");
  is(t.part_start[19] - t.part_start[18], 2, "the d_step has two");
  is_text(t.part[20].fault, "assertion failed: heard!=3", "what went wrong");
  is(t.part[20].fault_place.line, 21, "where");
  is(t.stand_count, 1, "one process is left");
  int unused = 0;
  for (size_t i = 0; i < t.vars; i++) unused |= strstr(t.start[i].name, "cell") != NULL;
  ok(!unused, "cells without a meaning are not listed");
  trace_free(&t);
  model_close(m);
}

static void exchange(void) {
  struct model *m = load("tests/models/story/exchange.pml");
  struct trace t;
  run(&t, m, 4);
  const struct model_part *p = &t.part[t.part_start[3]];
  is(t.part_start[4] - t.part_start[3], 2, "an atomic sequence as far as it comes");
  ok(p[1].printed != NULL, "it prints");
  is_text(p[1].printed, "x is 1, ack B\n", "what the format says");
  const struct model_part *send = &t.part[2];
  ok(send->deed == MODEL_SENDS && !send->partner.name && send->fields == 2, "a send into a buffer");
  is_text(send->channel, "q", "the channel");
  ok(send->message[0].symbolic && !send->message[1].symbolic && send->message[1].value == 3, "a name and a number");
  is_text(send->message[0].text, "ack", "the name");
  trace_free(&t);
  model_close(m);
}

static void stands(void) {
  struct model *m = load("tests/models/story/waiting.pml");
  struct trace t;
  struct stepper at;
  uint32_t edge[2] = {0, 0}, group[2];
  stepper_open(&at, m, &mem, &e);
  stepper_take(&at, 0, &group[0], &e);
  stepper_expand(&at, &e);
  edge[1] = (uint32_t)at.batch.count - 1; /* the other process */
  stepper_take(&at, edge[1], &group[1], &e);
  stepper_close(&at);
  struct search_path path = {.edge = edge, .group = group, .count = 2};
  trace_make(&t, m, &path, &mem, &e);
  is(t.stand_count, 2, "two processes stand");
  is_text(t.stand[0].statement, "(right==0)", "what the first waits for");
  is(t.stand[0].place.line, 6, "where");
  is_text(t.stand[1].statement, "(left==0)", "what the second waits for");
  trace_free(&t);
  model_close(m);
}

static void cuts(void) {
  struct model *m = load("tests/models/story/cut.pml");
  struct stepper at;
  struct place_in_text place;
  char words[200];
  is(m->type->warning(m, 0, &place, words, sizeof words), 0, "nothing is cut before anything runs");
  stepper_open(&at, m, &mem, &e);
  for (int i = 0; i < 3; i++) stepper_take(&at, 0, NULL, &e);
  stepper_close(&at);
  is(m->type->warning(m, 0, &place, words, sizeof words), 1, "a value was cut");
  is_text(words, "a value was cut to fit byte x", "told in words");
  is(place.line, 6, "with its place");
  is(m->type->warning(m, 1, &place, words, sizeof words), 1, "another one");
  is(m->type->warning(m, 2, &place, words, sizeof words), 0, "and no third");
  model_close(m);
}

/* Every allocation refused once: told, nothing leaks. */
static void refusals(void) {
  struct model *m = load("tests/models/story/slots.pml");
  struct stepper at;
  uint32_t edge[20] = {0}, group[20];
  stepper_open(&at, m, &mem, &e);
  for (int i = 0; i < 20; i++) stepper_take(&at, 0, &group[i], &e);
  stepper_close(&at);
  struct search_path path = {.edge = edge, .group = group, .count = 20};
  struct trace first;
  trace_make(&first, m, &path, &mem, &e); /* the model keeps names that were asked for */
  trace_free(&first);
  size_t used = mem.used, budget = mem.budget;
  int failed = 0, leaked = 0, wrong = 0;
  for (size_t room = 0; room < 400000; room += 3001) {
    struct trace t;
    mem.budget = used + room;
    err_clear(&e);
    if (trace_make(&t, m, &path, &mem, &e)) {
      failed++;
      wrong |= e.kind != ERR_MEMORY;
    } else trace_free(&t);
    leaked |= mem.used != used;
  }
  mem.budget = budget;
  ok(failed && !wrong, "a budget that is too small is told");
  ok(!leaked, "nothing leaks");
  model_close(m);
}

/* The file with single bytes changed: read and told, or refused; never a crash. */
static void damage(void) {
  static const char other[] = "\"0-{[x\x01";
  struct model *m = load("tests/models/story/exchange.pml");
  struct trace t;
  struct trace_view view;
  char *data = NULL, *told = NULL;
  size_t length, size;
  int read = 0, refused = 0, words = 1;
  run(&t, m, 6);
  trace_view_model(&view, &t, m);
  FILE *f = open_memstream(&data, &length);
  trace_write_json(&view, f);
  fclose(f);
  for (size_t i = 0; i < length; i++) {
    struct trace_file *file = NULL;
    char was = data[i];
    data[i] = other[i % (sizeof other - 1)];
    f = fmemopen(data, length, "r");
    err_clear(&e);
    int bad = trace_file_read(&file, f, "t.json", &mem, &e);
    fclose(f);
    data[i] = was;
    if (bad) {
      refused++;
      words &= e.message[0] != 0;
      continue;
    }
    struct trace_telling how = {0};
    trace_file_view(file, &view);
    f = open_memstream(&told, &size);
    trace_write_text(&view, &how, f);
    trace_write_stands(&view, f);
    trace_write_json(&view, f);
    fclose(f);
    free(told);
    trace_file_close(file);
    read++;
  }
  ok(read && refused && words, "damaged files are read or refused in words");
  free(data);
  trace_free(&t);
  model_close(m);
}

/* story FILE...: the laws on other models. */
int main(int argc, char **argv) {
  static const char *const files[] = {"tests/models/story/exchange.pml", "tests/models/story/slots.pml", "tests/models/story/matching.pml",
                                      "tests/models/story/waiting.pml", "tests/models/story/meeting.dve", "tests/models/buffered.dve",
                                      "tests/models/committed.dve", "tests/models/rendezvous.dve", "examples/peterson.dve",
                                      "tests/models/promplus/d7_philosophers_3.pmp", "tests/models/promplus/pointers.pmp"};
  mem_open(&mem, 0);
  for (int i = 1; i < argc; i++) walk(argv[i], 1, 1000);
  if (argc > 1) return done();
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) walk(files[i], (unsigned)i + 1, 400);
  slots();
  exchange();
  stands();
  cuts();
  refusals();
  damage();
  is(mem.used, 0, "all memory is given back");
  return done();
}
