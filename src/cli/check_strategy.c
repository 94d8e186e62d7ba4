/* check_strategy.c -- see check_strategy.h. */
#include "cli/check_strategy.h"

#include "cli/outfile.h"
#include "report/strategy.h"
#include "search/game.h"

#include <string.h>

int check_strategy_sensible(const struct options *o, struct err *e) {
  static const struct {
    enum option_id id;
    const char *name;
  } only[] = {{OPTION_STRATEGY_FILE, "strategy-file"}, {OPTION_CONTROLLABLE, "controllable"}, {OPTION_UNCONTROLLABLE, "uncontrollable"}};
  if (options_given(o, OPTION_STRATEGY)) return 0;
  for (size_t i = 0; i < sizeof only / sizeof *only; i++)
    if (options_given(o, only[i].id)) {
      err_usage(e, "--%s is for games", only[i].name);
      err_hint(e, "--strategy 'reach EXPR', --strategy 'keep EXPR'");
      return -1;
    }
  return 0;
}

static int write_one(struct session *s, const struct owned *owned, struct verdict_property *p, size_t n, struct err *e) {
  struct outfile out;
  const char *given = options_text(&s->options, OPTION_STRATEGY_FILE);
  char *name = session_nth_name(s, given, "strategy", n, e);
  if (!name) return -1;
  int bad = outfile_open_as(&out, name, strcmp(name, given) != 0, e);
  if (!bad) {
    bad = strategy_write_json(p, &owned->owners, &s->mem, out.stream, e);
    if (bad) {
      struct err second;
      err_clear(&second);
      outfile_close(&out, 0, &second);
    } else {
      bad = outfile_close(&out, 1, e);
    }
  }
  if (bad) mem_free(&s->mem, name);
  else p->strategy->file = name;
  return bad;
}

void check_strategy_write(struct session *s, const struct owned *owned, struct verdict *v) {
  size_t n = 0;
  for (size_t i = 0; i < v->property_count; i++) {
    struct err e;
    err_clear(&e);
    if (v->property[i].strategy && write_one(s, owned, &v->property[i], ++n, &e)) session_tell(s, &e);
  }
}
