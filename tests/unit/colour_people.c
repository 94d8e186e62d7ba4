/* colour_people.c -- what people see of coloured nets: names, markings and bindings as text, questions in CPN ML, other markings and values from the command line, refusals, faults; and
 * that every refused allocation is an ordinary answer. */
#include "tap.h"

#include "coloured.h"

#include <stdlib.h>

static char text[900];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static struct model *opened(struct sketch *s, const struct colour_setup *setup, struct mem *mem, struct err *e) {
  struct model *m = NULL;
  static const struct colour_setup usual;
  colour_model_open(&m, s->d, setup ? setup : &usual, "sketch", mem, e);
  return m;
}

static int64_t var(struct model *m, const char *name) { return m->type->find_var(m, name, strlen(name)); }
static int64_t group(struct model *m, const char *name) { return m->type->find_group(m, name, strlen(name)); }

static const char *marking(struct model *m, const uint32_t *state, const char *name) {
  static char out[400];
  uint32_t v = (uint32_t)var(m, name);
  m->type->print_value(m, v, m->type->value(m, state, v), out, sizeof out);
  return out;
}

static void heard(void *context, const struct model_part *part) { snprintf(context, 400, "%s", part->statement); }

static void names(void) {
  struct mem mem;
  struct err e;
  struct sketch s;
  struct model_cursor *c = NULL;
  uint32_t state[64] = {0}, next[64] = {0}, made;
  char story[400];
  mem_open(&mem, 0);
  err_clear(&e);
  sketch_open(&s, &mem, &e);
  draw_telephones(&s, 3);
  struct model *m = opened(&s, NULL, &mem, &e);
  if (!ok(m != NULL, "telephones open")) return;
  is_text(m->type->var_name(m, (uint32_t)var(m, "Phones'Inactive")), "Phones'Inactive", "a place by its page and name");
  is(var(m, "Inactive"), var(m, "Phones'Inactive"), "ports and sockets of one name are one place");
  is(var(m, "Connect'Inactive 1"), var(m, "Phones'Inactive"), "a port is the place of its socket");
  is(var(m, "Busy'Engaged"), var(m, "Dialling'Engaged"), "so is a fusion place");
  is(var(m, "Inactiv"), -1, "unknown");
  is(group(m, "Replace"), -2, "four transitions have this name");
  is_text(m->type->group_name(m, (uint32_t)group(m, "Busy'Replace")), "Busy'Replace", "one of them");
  ok(group(m, "Lift") >= 0, "one that is alone");
  m->type->initial(m, state);
  is_text(marking(m, state, "Inactive"), "1`0++1`1++1`2", "a marking");
  is_text(marking(m, state, "Connected"), "empty", "an empty one");
  ok(!m->type->cursor_open(&c, m, &mem), "a cursor");
  is(m->type->step(c, state, 1, next, &made), 1, "the second step");
  is(made, group(m, "Lift"), "is Lift");
  is(m->type->parts(c, state, 1, heard, story), 1, "has one part");
  is_text(story, "Dialling'Lift {x=1}", "with its binding");
  is_text(marking(m, next, "Inactive"), "1`0++1`2", "the marking after it");
  m->type->cursor_close(c);
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

static int64_t asked(struct model *m, struct model_cursor *c, const uint32_t *state, const char *question, struct err *e) {
  err_clear(e);
  int64_t number = m->type->condition(m, question, strlen(question), "test", e);
  if (number < 0) return -1;
  int64_t values[40], answer = m->type->condition_value(c, state, (uint32_t)number);
  for (uint32_t v = 0; v < m->vars; v++) values[v] = m->type->value(m, state, v);
  return m->type->condition_value(c, state, (uint32_t)number) == answer && m->type->condition_define(m, values, (uint32_t)number) == answer ? answer : -2;
}

static void questions(void) {
  static const struct {
    const char *question;
    int64_t answer;
  } all[] = {
      {"size Inactive = 3", 1},
      {"size Inactive > 3", 0},
      {"Inactive == 1`0 ++ 1`1 ++ 1`2", 1},
      {"Mark.Phones'Inactive 1 == Inactive", 1},
      {"Connected == empty andalso cf (2, Inactive) = 1", 1},
      {"1`1 ++ 1`2 <<= Mark.Connect'Inactive 1", 1},
      {"\"size Inactive = 3\"", 1}, /* as formulas have it */
      {"hd [] = 1", 0}, /* an exception */
      {"size Nowhere = 1", -1},
      {"size Inactive", 3},
      {"Inactive", -1},
      {"x = 1", -1},
      {"Mark.Phones'Inactive", -1},
  };
  struct mem mem;
  struct err e;
  struct sketch s;
  struct model_cursor *c = NULL;
  uint32_t state[64] = {0};
  mem_open(&mem, 0);
  err_clear(&e);
  sketch_open(&s, &mem, &e);
  draw_telephones(&s, 3);
  struct model *m = opened(&s, NULL, &mem, &e);
  if (!ok(m && !m->type->cursor_open(&c, m, &mem), "telephones open")) return;
  m->type->initial(m, state);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    int64_t answer = asked(m, c, state, all[i].question, &e);
    is(answer, all[i].answer, NAMED("%s%s%s", all[i].question, answer == -1 ? ": " : "", answer == -1 ? e.message : ""));
  }
  m->type->cursor_close(c);
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

static void overrides(void) {
  static const struct colour_override marking_[] = {{"Guests", "3"}}, unknown[] = {{"Gests", "3"}}, wrong[] = {{"Guests", "\"x\""}};
  struct colour_setup setup = {.marking = marking_, .markings = 1};
  struct mem mem;
  struct err e;
  struct sketch s;
  uint32_t state[64] = {0};
  mem_open(&mem, 0);
  err_clear(&e);
  sketch_open(&s, &mem, &e);
  draw_philosophers(&s, 5);
  struct model *m = opened(&s, &setup, &mem, &e);
  if (!ok(m != NULL, "another marking")) return;
  m->type->initial(m, state);
  is_text(marking(m, state, "Guests"), "1`3", "is the first one");
  model_close(m);
  setup.marking = unknown;
  sketch_open(&s, &mem, &e);
  draw_philosophers(&s, 5);
  ok(!opened(&s, &setup, &mem, &e), "a place that is not there");
  is_text(e.hint, "did you mean \"Guests\"?", "is guessed");
  setup.marking = wrong;
  sketch_open(&s, &mem, &e);
  draw_philosophers(&s, 5);
  err_clear(&e);
  ok(!opened(&s, &setup, &mem, &e) && strstr(e.message, "--marking Guests"), NAMED("a marking of another type: %s", e.message));
  static const struct colour_override define[] = {{"last", "\"end\""}};
  setup = (struct colour_setup){.define = define, .defines = 1};
  sketch_open(&s, &mem, &e);
  draw_stop_and_wait(&s, 2, 1);
  err_clear(&e);
  m = opened(&s, &setup, &mem, &e);
  ok(m != NULL, "another value");
  int64_t number = m ? m->type->condition(m, "last = \"end\"", 12, "test", &e) : -1;
  ok(number >= 0, "that can be asked for");
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

/* One place, one transition. */
static void draw_one(struct sketch *s, const char *colset, const char *initial, const char *guard, const char *in, const char *out) {
  sketch_declare(s, "colset N = int; colset SMALL = int with 0..3; colset S = string; colset PAIR = product N * N; colset T = int timed; var n, m: N; var k: SMALL; var s: S; var lost: NONE; colset LOST = int with 3..1; fun f x = x + 1; fun loop x = loop (x : int) : int;");
  sketch_page(s, "Page");
  sketch_place(s, "P", colset, initial);
  sketch_transition(s, "T", guard);
  take(s, "T", "P", in);
  give(s, "T", "P", out);
}

static void refusals(void) {
  static const struct {
    const char *colset, *initial, *guard, *in, *out, *message;
  } all[] = {
      {"N", "1", "", "f n", "n", "transition Page'T: variable n of the arc from Page'P cannot be bound"},
      {"N", "1", "", "n", "s", "page Page, transition T, arc to P"},
      {"N", "1", "n", "n", "n", "page Page, transition T, guard"},
      {"NONE", "1", "", "n", "n", "page Page, place P: there is no colour set \"NONE\""},
      {"N", "n", "", "n", "n", "page Page, place P, initial marking: it speaks of variables"},
      {"SMALL", "7", "", "k", "k", "page Page, place P, initial marking: 7 does not belong to colour set SMALL"},
      {"N", "1", "", "", "n", "page Page, transition T, arc from P: the arc has no inscription"},
      {"T", "1", "", "n @ 1", "n", "page Page, transition T, arc from P: @ gives tokens a time stamp"},
      {"LOST", "1", "", "n", "n", "page Page, place P: the declaration of colour set \"LOST\" was refused (line 1): the range of LOST is empty: 3..1"},
      {"N", "1", "", "n", "m", "transition Page'T: variable m of the arc to Page'P cannot be bound"},
      {"N", "1", "", "n", "lost", "page Page, transition T, arc to P: the declaration of lost was refused (line 1): the colour set NONE is not known"},
      {"N", "1", "n == 1", "n", "n", "page Page, transition T, guard: this is int"},
      {"N", "1", "", "(n", "n", "page Page, transition T, arc from P"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct mem mem;
    struct err e;
    struct sketch s;
    mem_open(&mem, 0);
    err_clear(&e);
    sketch_open(&s, &mem, &e);
    draw_one(&s, all[i].colset, all[i].initial, all[i].guard, all[i].in, all[i].out);
    struct model *m = opened(&s, NULL, &mem, &e);
    ok(!m && strstr(e.message, all[i].message), NAMED("refused: %s", e.message));
    model_close(m);
    is(mem.used, 0, "nothing left behind");
  }
}

static void faults(void) {
  static const struct {
    const char *guard, *in, *out, *message;
  } all[] = {
      {"", "n", "n div 0", "transition Page'T, arc to Page'P: uncaught exception Div"},
      {"1 div n = 1", "n", "n", "transition Page'T, guard: uncaught exception Div"},
      {"", "n", "loop n", "transition Page'T, arc to Page'P: the evaluation takes too many steps"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct mem mem;
    struct err e;
    struct sketch s;
    struct colour_setup setup = {.step_limit = 10000};
    struct model_cursor *c = NULL;
    struct model_batch batch = {0};
    uint32_t state[8] = {0};
    char fault[400] = "";
    mem_open(&mem, 0);
    err_clear(&e);
    sketch_open(&s, &mem, &e);
    draw_one(&s, "N", "0", all[i].guard, all[i].in, all[i].out);
    struct model *m = opened(&s, &setup, &mem, &e);
    if (!ok(m != NULL, NAMED("opens %s", e.message))) continue;
    m->type->initial(m, state);
    ok(!m->type->cursor_open(&c, m, &mem) && !model_batch_open(&batch, &mem, m->words, 4), "a cursor");
    is(m->type->successors(c, state, &batch), MODEL_OK, "successors");
    is(batch.count, 0, "there is no step");
    is(batch.fault_count, 1, "but a fault");
    if (batch.fault_count) m->type->fault_text(m, batch.faults, fault, sizeof fault);
    ok(strstr(fault, all[i].message) != NULL, fault);
    model_batch_close(&batch);
    m->type->cursor_close(c);
    model_close(m);
    is(mem.used, 0, "nothing left behind");
  }
  /* a colour that does not belong: only when the step is enabled */
  struct mem mem;
  struct err e;
  struct sketch s;
  struct model_cursor *c = NULL;
  struct model_batch batch = {0};
  uint32_t state[8] = {0};
  char fault[400] = "";
  mem_open(&mem, 0);
  err_clear(&e);
  sketch_open(&s, &mem, &e);
  draw_one(&s, "SMALL", "2`3 ++ 1`2", "", "2`k", "k + 1");
  struct model *m = opened(&s, NULL, &mem, &e);
  if (!ok(m != NULL, NAMED("opens %s", e.message))) return;
  m->type->initial(m, state);
  ok(!m->type->cursor_open(&c, m, &mem) && !model_batch_open(&batch, &mem, m->words, 4), "a cursor");
  is(m->type->successors(c, state, &batch), MODEL_OK, "successors");
  is(batch.fault_count, 1, "one fault");
  if (batch.fault_count) m->type->fault_text(m, batch.faults, fault, sizeof fault);
  is_text(fault, "transition Page'T, arc to Page'P: 4 does not belong to colour set SMALL", "a colour beyond the range");
  model_batch_close(&batch);
  m->type->cursor_close(c);
  model_close(m);
  is(mem.used, 0, "nothing left behind");
}

/* Opens a net and expands some states with the n-th allocation refused, for every n. */
static void shortage(void) {
  int wrong = 0, opened_ = 0, refused = 0;
  for (size_t n = 1; n < 4000; n += n < 300 ? 1 : 37) {
    struct mem mem;
    struct err e;
    struct sketch s;
    mem_open(&mem, 0);
    err_clear(&e);
    if (sketch_open(&s, &mem, &e)) break;
    draw_database(&s, 3);
    mem.fail_after = n;
    struct model *m = opened(&s, NULL, &mem, &e);
    if (!m) {
      wrong += e.kind != ERR_MEMORY;
      if (e.kind != ERR_MEMORY) printf("# %zu: %s\n", n, e.message);
      refused++;
    } else {
      struct model_cursor *c = NULL;
      struct model_batch batch = {0};
      uint32_t *state = calloc(m->words + 64, sizeof *state);
      opened_++;
      m->type->initial(m, state);
      if (!m->type->cursor_open(&c, m, &mem) && !model_batch_open(&batch, &mem, m->words, 4))
        for (int i = 0; i < 20; i++) {
          batch.count = batch.fault_count = 0;
          enum model_answer answer = m->type->successors(c, state, &batch);
          wrong += answer != MODEL_OK && answer != MODEL_MEMORY && answer != MODEL_WIDEN;
          if (answer == MODEL_OK && !batch.count) wrong++;
          if (answer == MODEL_OK) memcpy(state, batch.states + (size_t)i % batch.count * batch.stride, m->words * sizeof *state);
          else break;
        }
      model_batch_close(&batch);
      m->type->cursor_close(c);
      model_close(m);
      free(state);
    }
    wrong += mem.used != 0;
    if (mem.used) printf("# %zu: %zu bytes left\n", n, mem.used);
  }
  is(wrong, 0, NAMED("allocations refused one by one: %d times the net was refused, %d times not", refused, opened_));
}

int main(void) {
  names();
  questions();
  overrides();
  refusals();
  faults();
  shortage();
  return done();
}
