/* ml_random.c -- CPN Tools' distributions: means and variances of many draws, by one seed; what is refused without a seed; what no distribution allows. */
#include "tap.h"

#include "base/mem.h"
#include "ml/ml.h"

#include <string.h>

#include <stdlib.h>
#include <time.h>

static struct mem mem;
static char said[300];
#define NAMED(...) (snprintf(said, sizeof said, __VA_ARGS__), said)

static enum ml_answer evaluate(struct ml *ml, const char *text, int64_t *out, struct err *e) {
  struct ml_text source = {text, strlen(text), {"test", 1, 1}, NULL};
  const struct ml_expr *tree;
  const struct ml_code *code;
  struct ml_machine *machine;
  ml_value value = 0;
  if (ml_check(&tree, ml, &source, ML_WANT_INT, NULL, e) || ml_compile(&code, ml, tree, ML_WANT_INT, NULL, e) || ml_machine_open(&machine, ml, &mem, e)) return ML_MEMORY;
  enum ml_answer answer = ml_run(machine, code, NULL, 0, &value);
  *out = answer == ML_OK ? ml_to_int(value) : 0;
  ml_machine_close(machine);
  return answer;
}

static struct ml *open_world(int draws) {
  static const char declared[] = "colset DIE = int with 1..6; colset ALL = int; fun sum f 0 s = s | sum f n s = sum f (n - 1) (s + f () : real); "
                                 "fun mean f = Real.round (1000.0 * sum f 40000 0.0 / 40000.0); "
                                 "fun variance f = let val m = Real.fromInt (mean f) / 1000.0 in mean (fn () => let val d = f () - m in d * d end) end;";
  struct ml_text text = {declared, sizeof declared - 1, {"test", 1, 1}, NULL};
  struct ml *ml;
  struct err e = {0};
  if (ml_open(&ml, &mem, &e)) return NULL;
  if (draws) ml_draw(ml, 7);
  ok(!ml_declare(ml, &text, &e), "declarations");
  return ml;
}

int main(void) {
  static const struct {
    const char *draw;
    int mean, variance; /* times 1000 */
  } all[] = {
      {"Real.fromInt (discrete (1, 6))", 3500, 2917},  {"Real.fromInt (DIE.ran ())", 3500, 2917}, {"uniform (2.0, 5.0)", 3500, 750},
      {"Real.fromInt (bernoulli 0.3)", 300, 210},      {"Real.fromInt (binomial (10, 0.3))", 3000, 2100},
      {"Real.fromInt (poisson 4.0)", 4000, 4000},      {"exponential 0.5", 2000, 4000},           {"erlang (3, 2.0)", 1500, 750},
      {"gamma (2.0, 0.5)", 250, 125},                  {"normal (10.0, 4.0)", 10000, 4000},       {"chisq 5", 5000, 10000},
      {"student 10", 0, 1250},                         {"beta (2.0, 3.0)", 400, 40},              {"rayleigh 2.0", 2507, 1717},
      {"weibull (2.0, 3.0)", 1786, 421},               {"Real.fromInt (random (1`1 ++ 3`5))", 4000, 3000},
      {"Real.fromInt (Random.randRange (1, 6) (Random.rand (1, 2)))", 3500, 2917}, {"Random.randReal (Random.rand (1, 2))", 500, 83},
  };
  static const char *const wrong[] = {"discrete (3, 1)", "bernoulli 1.5", "binomial (~1, 0.5)", "poisson ~1.0", "Real.round (exponential 0.0)", "Real.round (normal (0.0, ~1.0))", "Real.round (uniform (2.0, 1.0))", "ALL.ran ()", "random (empty : int ms)"};
  struct err e = {0};
  int64_t n;
  char text[300];
  mem_open(&mem, (size_t)1 << 30);
  struct ml *ml = open_world(1);
  for (size_t i = 0; ml && i < sizeof all / sizeof *all; i++) {
    int64_t spread = 0;
    snprintf(text, sizeof text, "mean (fn () => %s)", all[i].draw);
    ok(evaluate(ml, text, &n, &e) == ML_OK && llabs(n - all[i].mean) <= 30 + all[i].mean / 40, NAMED("mean of %s: %lld", all[i].draw, (long long)n));
    snprintf(text, sizeof text, "variance (fn () => %s)", all[i].draw);
    ok(evaluate(ml, text, &spread, &e) == ML_OK && llabs(spread - all[i].variance) <= 10 + all[i].variance / 20, NAMED("its variance: %lld", (long long)spread));
  }
  for (size_t i = 0; ml && i < sizeof wrong / sizeof *wrong; i++) is(evaluate(ml, wrong[i], &n, &e), ML_RAISED, wrong[i]);
  ok(ml_draws(ml), "inscriptions draw");
  ml_close(ml);
  ml = open_world(0);
  evaluate(ml, "discrete (1, 2)", &n, &e);
  ok(e.kind == ERR_INPUT && strstr(e.message, "discrete is random"), "refused without a seed");
  ok(!ml_draws(ml), "nobody draws then");
  e = (struct err){0};
  evaluate(ml, "IntInf.toInt (Time.toSeconds (Time.now ()))", &n, &e);
  ok(e.kind == ERR_INPUT && strstr(e.message, "Time.now depends on the machine"), "so is the clock of the machine");
  is(evaluate(ml, "Date.year (Date.fromTimeUniv (Time.fromSeconds (IntInf.fromInt ~1)))", &n, &e), ML_OK, "dates are not");
  is(n, 1969, "they go back");
  int wrong_days = 0;
  for (int64_t day = -900000; day < 900000; day += 7919) { /* beside the C library's calendar */
    char number[32];
    time_t seconds = (time_t)(day * 86400);
    struct tm want;
    gmtime_r(&seconds, &want);
    snprintf(number, sizeof number, "%s%lld", day + 1 < 0 ? "~" : "", llabs((long long)day + 1));
    snprintf(text, sizeof text, "let val d = Date.date {year = 1970, month = Date.Jan, day = %s, hour = 0, minute = 0, second = 0, offset = NONE} in "
             "((Date.year d * 12 + Date.number' (Date.month d)) * 32 + Date.day d) * 400 + Date.yearDay d end", number);
    e = (struct err){0};
    int64_t expected = (((want.tm_year + INT64_C(1900)) * 12 + want.tm_mon) * 32 + want.tm_mday) * 400 + want.tm_yday;
    wrong_days += evaluate(ml, text, &n, &e) != ML_OK || n != expected;
  }
  is(wrong_days, 0, "dates over five thousand years");
  ml_close(ml);
  is(mem.used, 0, "nothing left behind");
  return done();
}
