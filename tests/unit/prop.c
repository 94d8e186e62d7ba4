/* prop.c -- properties judged on single states. */
#include "tap.h"

#include "fake_model.h"
#include "prop/prop.h"

int main(void) {
  static const char *const vars[] = {"p", "q", NULL}, *const groups[] = {"t", NULL};
  struct fake fake = fake_open(vars, groups);
  struct model_cursor c = {.model = &fake.model};
  struct mem mem;
  struct err err;
  struct prop p;
  uint32_t state[2] = {1, 0};
  mem_open(&mem, 0);
  err_clear(&err);
  ok(prop_open(&p, PROP_DEADLOCK, 1, NULL, &fake.model, &mem, &err) == 0, "deadlock");
  is_text(p.id, "deadlock", "its id");
  ok(!prop_wants_states(&p) && prop_decided(&p, &c, state, 1) && !prop_decided(&p, &c, state, 0),
     "is decided by dead states only");
  prop_close(&p);
  ok(prop_open(&p, PROP_INVARIANT, 2, "p + q == 1", &fake.model, &mem, &err) == 0, "an invariant");
  is_text(p.id, "invariant:2", "its id");
  ok(prop_wants_states(&p) && !prop_decided(&p, &c, state, 0), "is not decided where it holds");
  state[1] = 1;
  ok(prop_decided(&p, &c, state, 0), "is decided where it is violated");
  prop_close(&p);
  ok(prop_open(&p, PROP_REACHABLE, 1, "q > 0", &fake.model, &mem, &err) == 0, "a reachable expression");
  is_text(p.id, "reachable:1", "its id");
  ok(prop_wants_states(&p) && prop_decided(&p, &c, state, 0), "is decided where it is true");
  state[1] = 0;
  ok(!prop_decided(&p, &c, state, 1), "and only there");
  prop_close(&p);
  ok(prop_open(&p, PROP_REACHABLE, 1, "q >", &fake.model, &mem, &err) == -1 && err.kind == ERR_INPUT,
     "a wrong expression is refused");
  is_text(err.file, "--reachable", "the option is named");
  prop_close(&p);
  prop_close(&p);
  is_text(prop_kind_name(PROP_INVARIANT), "invariant", "names of kinds");
  is(mem.used, 0, "nothing is left");
  return done();
}
