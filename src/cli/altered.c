/* altered.c -- see altered.h.
 *
 * --lose-messages on one model is a verdict about another one than the file shows.  So these
 * options stand in verdicts (text, JSON, HTML, JUnit), in certificates and in what thimble-audit
 * says.  A new option of options.def that changes what is explored or judged belongs into the
 * table. */
#include "cli/altered.h"

#include <stdio.h>
#include <string.h>

static const struct {
  enum option_id id;
  int asks; /* it is about what is asked of the model, which the properties tell, too */
  int certified;
} table[] = {
    {OPTION_DEFINE, 0, 1},
    {OPTION_MARKING, 0, 1},
    {OPTION_LANGUAGE, 0, 1},
    {OPTION_INCLUDE, 0, 1},
    {OPTION_EDGES_PER_TOKEN, 0, 1},
    {OPTION_LOSE_MESSAGES, 0, 1},
    {OPTION_UNBOUNDED_CHANNELS, 0, 0},
    {OPTION_NO_CLAIMS, 1, 1},
    {OPTION_FAIR, 1, 0},
    {OPTION_CONTROLLABLE, 1, 0},
    {OPTION_UNCONTROLLABLE, 1, 0},
};

static int keep(struct session *s, const char *name, const char *value) {
  char *text = mem_alloc(&s->small, MEM_OTHER, strlen(name) + (value ? strlen(value) : 0) + 4);
  if (!text) return -1;
  sprintf(text, value ? "--%s=%s" : "--%s", name, value);
  if (vec_push(&s->altered, &s->small, MEM_OTHER, text) == 0) return 0;
  mem_free(&s->small, text);
  return -1;
}

int altered_gather(struct session *s) {
  const struct options *o = &s->options;
  altered_forget(s);
  for (int asks = 0; asks < 2; asks++) {
    for (size_t i = 0; i < o->use_count; i++)
      for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        if (o->use[i].id != table[k].id || table[k].asks != asks ||
            (table[k].id == OPTION_FAIR && strcmp(o->use[i].text, "none") == 0))
          continue;
        if (keep(s, option_specs[table[k].id].name, o->use[i].text)) return -1;
      }
    if (!asks) s->altered_model = s->altered.count;
  }
  return 0;
}

void altered_forget(struct session *s) {
  for (size_t i = 0; i < s->altered.count; i++) mem_free(&s->small, s->altered.at[i]);
  vec_free(&s->altered, &s->small);
}

int altered_certified(const char *option) {
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    const char *name = option_specs[table[k].id].name;
    size_t length = strlen(name);
    if (table[k].certified && strncmp(option + 2, name, length) == 0 &&
        (option[2 + length] == '=' || !option[2 + length]))
      return 1;
  }
  return 0;
}
