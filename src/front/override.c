/* override.c -- what the command line changes in a model.
 *
 * A place may be named by its id or, where that is unique, by its name (pt.h).  Changing a
 * marking voids what the file promises about the net: a NUPN part that says "unit-safe"
 * spoke of another initial marking, so the promise is dropped and the units stay. */
#include "front/override.h"

#include "base/near.h"
#include "front/text.h"

#include <string.h>

const char *front_nearest(const char *typed, size_t length, const char *(*name)(const void *context, size_t i),
                          const void *context, size_t count) {
  struct near near;
  near_open(&near, typed, length);
  for (size_t i = 0; i < count; i++) {
    const char *other = name(context, i);
    if (other && *other) near_offer(&near, other);
  }
  return near_best(&near);
}

static const char *place_called(const void *context, size_t i) {
  const struct pt_net *net = context;
  return i < net->places ? net->place_name[i] : net->place_id[i - net->places];
}

int front_override_markings(struct pt_net *net, const struct front_setup *setup, struct err *e) {
  int changed = 0;
  for (size_t i = 0; i < setup->marking_count; i++) {
    const struct front_override *o = &setup->markings[i];
    size_t length = strlen(o->name);
    char shown[80], value[80];
    uint32_t tokens;
    err_quote(shown, sizeof shown, o->name, length);
    err_quote(value, sizeof value, o->value, strlen(o->value));
    enum front_number n = front_count(o->value, strlen(o->value), &tokens);
    if (n != FRONT_NUMBER) return err_usage(e, "--marking %s=%s: the number of tokens %s", shown, value, front_number_fault(n));
    int64_t p = pt_find_place(net, o->name, length);
    if (p == -2) return err_usage(e, "--marking: several places are called \"%s\"; name one by its id", shown);
    if (p < 0) {
      err_usage(e, "--marking: the net has no place \"%s\"", shown);
      const char *near = front_nearest(o->name, length, place_called, net, 2 * (size_t)net->places);
      if (near) err_hint(e, "did you mean \"%s\"?", err_quote(shown, sizeof shown, near, strlen(near)));
      return -1;
    }
    changed |= net->initial[p] != tokens;
    net->initial[p] = tokens;
  }
  if (changed && net->declared_safe) {
    net->declared_safe = 0;
    net->nupn_problem = "the initial marking was changed, so the net need not be unit-safe any more";
  }
  return 0;
}

int front_no_defines(const struct front_setup *setup, const char *language, struct err *e) {
  if (!setup->define_count) return 0;
  char shown[80];
  err_quote(shown, sizeof shown, setup->defines[0].name, strlen(setup->defines[0].name));
  return err_usage(e, "--define %s: %s models have no parameters", shown, language);
}

int front_no_markings(const struct front_setup *setup, const char *language, struct err *e) {
  if (!setup->marking_count) return 0;
  char shown[80];
  err_quote(shown, sizeof shown, setup->markings[0].name, strlen(setup->markings[0].name));
  return err_usage(e, "--marking %s: %s models have no places", shown, language);
}
