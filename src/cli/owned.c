/* owned.c -- see owned.h. */
#include "cli/owned.h"

#include "cli/seen.h"

#include <string.h>

int owned_check(const struct owned *x, struct session *s) {
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; x->list[side] && x->list[side][i]; i++) {
      if (x->used[side][i]) continue;
      char quoted[80];
      err_usage(&s->err, "--%s: nothing is called '%s'", side == OWNER_CONTROLLABLE ? "controllable" : "uncontrollable", err_quote(quoted, sizeof quoted, x->list[side][i], strlen(x->list[side][i])));
      err_hint(&s->err, "names are those of transitions and statements, as graph --format aut writes them; * and ? match any characters");
      return -1;
    }
  return 0;
}

int owned_open(struct owned *x, struct session *s) {
  static const enum option_id ids[] = {[OWNER_CONTROLLABLE] = OPTION_CONTROLLABLE, [OWNER_UNCONTROLLABLE] = OPTION_UNCONTROLLABLE};
  *x = (struct owned){.owners = {.model = s->model, .mem = &s->mem}};
  for (int side = 0; side < 2; side++) {
    size_t count = 0;
    x->list[side] = patterns_open(s, ids[side], &count);
    x->used[side] = mem_alloc(&s->mem, MEM_OTHER, count + 1);
    if (!x->list[side] || !x->used[side]) return err_memory(&s->err, "the command line");
    x->owners.pattern[side] = x->list[side];
    x->owners.used[side] = x->used[side];
  }
  if (owners_open(&x->owners)) return err_memory(&s->err, "the owners of transitions");
  return s->model->type->stands ? 0 : owned_check(x, s); /* processes that begin later bring more names */
}

void owned_close(struct owned *x, struct session *s) {
  owners_close(&x->owners);
  for (int side = 0; side < 2; side++) {
    patterns_close(s, x->list[side]);
    mem_free(&s->mem, x->used[side]);
  }
}
