/* fake_model.h -- a model of nothing but numbers, for tests of expressions: one word per var, group g can happen where
 * var g is positive. Names come from a list; ids and display names are the same. */
#ifndef TESTS_FAKE_MODEL_H
#define TESTS_FAKE_MODEL_H

#include "model/model.h"

#include <string.h>

struct fake {
  struct model model;
  const char *const *vars, *const *groups;
};

static int64_t fake_find(const char *const *names, uint32_t count, const char *name, size_t length) {
  int64_t found = -1;
  for (uint32_t i = 0; i < count; i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) found = found == -1 ? (int64_t)i : -2;
  return found;
}
static int64_t fake_find_var(const struct model *m, const char *name, size_t length) {
  return fake_find(((const struct fake *)m)->vars, m->vars, name, length);
}
static int64_t fake_find_group(const struct model *m, const char *name, size_t length) {
  return fake_find(((const struct fake *)m)->groups, m->groups, name, length);
}
static const char *fake_var_name(const struct model *m, uint32_t i) { return ((const struct fake *)m)->vars[i]; }
static const char *fake_group_name(const struct model *m, uint32_t i) { return ((const struct fake *)m)->groups[i]; }
static int64_t fake_value(const struct model *m, const uint32_t *state, uint32_t var) {
  (void)m;
  return (int32_t)state[var];
}
static int fake_fireable(struct model_cursor *c, const uint32_t *state, uint32_t group) {
  (void)c;
  return (int32_t)state[group] > 0;
}
static int fake_define_step(const struct model *m, const int64_t *values, uint32_t group, int64_t *out) {
  memcpy(out, values, m->vars * sizeof *out);
  out[group]--;
  return values[group] > 0;
}

static const struct model_type fake_type = {.kind = "fake",
                                            .value = fake_value,
                                            .fireable = fake_fireable,
                                            .find_var = fake_find_var,
                                            .find_group = fake_find_group,
                                            .var_name = fake_var_name,
                                            .group_name = fake_group_name,
                                            .define_step = fake_define_step};

/* Lists end with NULL; there may not be more groups than vars. */
__attribute__((unused)) static struct fake fake_open(const char *const *vars, const char *const *groups) {
  struct fake f = {.model = {.type = &fake_type, .language = "fake", .file = "fake"}, .vars = vars, .groups = groups};
  while (vars[f.model.vars]) f.model.vars++;
  while (groups[f.model.groups]) f.model.groups++;
  f.model.words = f.model.vars;
  return f;
}

#endif
