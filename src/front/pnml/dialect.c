/* dialect.c -- what other tools put into PNML, and which of it must be refused.
 *
 * The rule: whatever could change which states are reachable is refused by its name, and only
 * what certainly does not is passed over.  Arcs are the dangerous part: an inhibitor arc that
 * is read as an ordinary one gives a wrong verdict without a sound.  So for arcs the list is of what
 * is known to be harmless, and everything else is refused; for places and transitions, where
 * tools keep colours, costs and notes, the list is of what is known to be harmful.
 *
 *   PIPE          <arc><type value="inhibitor"/>, <timed>, <priority>, <capacity> (0 = none)
 *   ProM, PM4Py   class pnmlcoremodel with markings, <arctype><text>, <finalmarkings>
 *   EPNML         <arc><type><text>inhibitor</text>
 *   TAPAAL        type="inhibitor" and initialMarking="1" as attributes, <transportArc>
 *   TINA          <delay> of time Petri nets */
#define _GNU_SOURCE /* strcasestr */
#include "front/pnml/reader.h"

#include <string.h>

static int among(const char *text, const char *const *list) {
  for (; *list; list++)
    if (strcasecmp(text, *list) == 0) return 1;
  return 0;
}

static const char *quoted(char out[160], const char *text) { return err_quote(out, 160, text, strlen(text)); }

/* ---- classes of nets -------------------------------------------------------------- */

/* The last part of a class's address, which is what people call it. */
static const char *class_name(const char *type) {
  if (strcasecmp(type, "P/T net") == 0) return "ptnet";
  const char *last = type;
  for (const char *c = type; *c; c++)
    if ((*c == '/' || *c == '#') && c[1]) last = c + 1;
  return last;
}

int pnml_check_class(struct pnml_reader *r, const char *type) {
  static const char *const plain[] = {"ptnet",         "ptnetb",    "ptnet.pntd", "pt-net", "pt net", "place/transition net",
                                      "pnmlcoremodel", "epnml-1.1", "epnml-1.2",  NULL};
  static const struct {
    const char *name, *is;
    int coloured;
  } others[] = {
      {"symmetricnet", "a symmetric net", 1},   {"highlevelnet", "a high-level net", 1},
      {"hlpn", "a high-level net", 1},          {"hlpng", "a high-level net", 1},
      {"hlnet", "a high-level net", 1},         {"pt-hlpng", "a place/transition net in high-level notation", 1},
      {"stochasticnet", "a stochastic net", 0}, {"timednet", "a timed net", 0},
      {"tpn", "a time Petri net", 0},
  };
  char shown[160];
  const char *name = class_name(type);
  if (!*type || among(name, plain)) return 0;
  quoted(shown, type);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (strcasecmp(name, others[i].name) != 0) continue;
    if ((r->coloured = others[i].coloured)) return 0;
    return pnml_fail(r, "the net is %s (class \"%s\"), which is not read", others[i].is, shown);
  }
  pnml_fail(r, "the net class \"%s\" is not known", shown);
  err_hint(r->err, "place/transition nets are \"http://www.pnml.org/version-2009/grammar/ptnet\"");
  return -1;
}

/* ---- arcs ------------------------------------------------------------------------- */

int pnml_check_arc_kind(struct pnml_reader *r, const char *kind) {
  static const char *const plain[] = {"", "normal", "regular", "ordinary", "default", "standard", "arc", "pt", "tp", NULL};
  char shown[160];
  if (among(kind, plain)) return 0;
  pnml_fail_text(r, "the arc is of the kind \"%s\", which place/transition nets do not have", quoted(shown, kind));
  err_hint(r->err, "arcs that inhibit, reset, read or carry time are not read");
  return -1;
}

int pnml_check_arc_attribute(struct pnml_reader *r, const char *name, const char *value) {
  static const char *const kinds[] = {"type", "kind", "arctype", NULL};
  static const char *const harmless[] = {"id",    "source",      "target",      "weight", "inscription", "name",
                                         "label", "nameOffsetX", "nameOffsetY", "color",  "colour",      NULL};
  char shown[160];
  if (strchr(name, '\n')) return 0; /* from another vocabulary */
  if (among(name, kinds)) return pnml_check_arc_kind(r, value);
  if (among(name, harmless)) return 0;
  pnml_fail(r, "the arc has an attribute \"%s\" whose meaning is not known", quoted(shown, name));
  err_hint(r->err, "it could change how the arc works, so it is not passed over");
  return -1;
}

/* ---- places and transitions ------------------------------------------------------- */

int pnml_check_place_attribute(struct pnml_reader *r, const char *name, const char *value) {
  char shown[160];
  if (strcmp(name, "invariant") == 0) { /* TAPAAL: how long tokens may stay */
    static const char *const none[] = {"", "< inf", "<inf", "inf", NULL};
    if (among(value, none)) return 0;
    return pnml_fail(r, "the place has a time invariant \"%s\": timed nets are not read", quoted(shown, value));
  }
  if (strcmp(name, "capacity") == 0 && strcmp(value, "0") != 0)
    return pnml_fail(r, "the place has a capacity \"%s\", which place/transition nets do not have", quoted(shown, value));
  return 0;
}

/* Keeps the first value of a label and complains about a transition with another. */
static int same_for_all(struct pnml_reader *r, const char *value, char first[24], int *seen, const char *what) {
  char shown[160];
  if (!*seen) {
    *seen = 1;
    strncpy(first, value, 23);
    return 0;
  }
  if (strncmp(first, value, 23) == 0) return 0;
  return pnml_fail_text(r, "the transitions have different %s (\"%s\" here), which place/transition nets do not have", what,
                        quoted(shown, value));
}

int pnml_check_priority(struct pnml_reader *r, const char *value) {
  return same_for_all(r, value, r->priority.value, &r->priority.seen, "priorities");
}

int pnml_check_timed(struct pnml_reader *r, const char *value) {
  return same_for_all(r, value, r->timed.value, &r->timed.seen, "kinds of timing");
}

/* ---- elements ---------------------------------------------------------------------- */

static int high_level(struct pnml_reader *r, const char *name) {
  pnml_fail(r, "<%s> belongs to high-level nets", name);
  err_hint(r->err, "this net is a place/transition net by its class; symmetric nets are \"http://www.pnml.org/version-2009/grammar/symmetricnet\"");
  return -1;
}

int pnml_check_element(struct pnml_reader *r, enum pnml_context parent, const char *name) {
  static const char *const coloured[] = {"hlinitialMarking", "hlinscription", "condition", NULL};
  static const char *const timing[] = {"delay", "interval", "timeInterval", "staticInterval", NULL};
  static const char *const on_arcs[] = {"name",  "graphics", "toolspecific", "arcpath",     "tagged", "label",
                                        "color", "colour",   "comment",      "description", NULL};
  static const char *const in_labels[] = {"graphics", "toolspecific", "text", "value", NULL};
  char shown[160];
  quoted(shown, name);
  switch (parent) {
  case IN_FILE:
    pnml_fail(r, "the root element is <%s>, not <pnml>", shown);
    if (strcmp(name, "workspaceElements") == 0) err_hint(r->err, "this looks like a file of CPN Tools");
    return -1;
  case IN_NET:
  case IN_PAGE:
    if (!strcasestr(name, "arc")) return 0;
    pnml_fail(r, "<%s> is a kind of arc that place/transition nets do not have", shown);
    err_hint(r->err, "arcs that inhibit, reset, read or carry time are not read");
    return -1;
  case IN_PLACE:
    if (among(name, coloured)) return high_level(r, shown);
    return 0;
  case IN_TRANSITION:
    if (among(name, coloured)) return high_level(r, shown);
    if (among(name, timing)) return pnml_fail(r, "the transition has a <%s>: timed nets are not read", shown);
    return 0;
  case IN_ARC:
    if (among(name, coloured)) return high_level(r, shown);
    if (among(name, on_arcs)) return 0;
    pnml_fail(r, "the arc has an element <%s> whose meaning is not known", shown);
    err_hint(r->err, "it could change how the arc works, so it is not passed over");
    return -1;
  case IN_MARKING:
  case IN_INSCRIPTION:
    if (among(name, in_labels)) return 0;
    return pnml_fail(r, "<%s> in a %s is not known", shown, parent == IN_MARKING ? "marking" : "weight");
  default: return 0;
  }
}
