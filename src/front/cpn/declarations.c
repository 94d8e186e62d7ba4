/* declarations.c -- the declarations of a .cpn file, as the text that people wrote.
 *
 * Newer files hold that text in <layout>, but sometimes with an unfinished thought behind it; what counts are the elements of colour sets and variables, which are written out again:
 *
 *   <color><id>INT</id><timed/><int><with><ml>0</ml><ml>9</ml></with></int></color>   ->   colset INT = int with 0..9 timed; */
#include "front/cpn/cpn.h"

#include <ctype.h>
#include <string.h>

enum { NESTED = 100 };

struct writing {
  struct drawing *d;
  struct err *e;
  struct vec(char) text;
  int failed;
};

static void say(struct writing *w, const char *text, size_t length) {
  if (w->failed || vec_reserve(&w->text, w->d->mem, MEM_OTHER, length)) {
    w->failed = 1;
    return;
  }
  memcpy(w->text.at + w->text.count, text, length);
  w->text.count += length;
}

static void say_text(struct writing *w, const char *text) { say(w, text, strlen(text)); }

static void say_trimmed(struct writing *w, const struct xml_element *n) {
  const char *at = n->text;
  size_t length = n->length;
  while (length && isspace((unsigned char)*at)) at++, length--;
  while (length && isspace((unsigned char)at[length - 1])) length--;
  say(w, at, length);
}

/* The children of one name, with something between them. */
static void say_children(struct writing *w, const struct xml_element *n, const char *name, const char *between) {
  const char *before = "";
  for (const struct xml_element *c = xml_child(n, name); c; c = xml_next(c, name)) {
    say_text(w, before);
    say_trimmed(w, c);
    before = between;
  }
}

static int begins_with(const struct xml_element *n, char sign) {
  size_t i = 0;
  while (i < n->length && isspace((unsigned char)n->text[i])) i++;
  return i < n->length && n->text[i] == sign;
}

/* with a..b, or with (no, yes), or with e */
static void say_with(struct writing *w, const struct xml_element *kind, int range) {
  const struct xml_element *with = xml_child(kind, "with");
  if (!with) return;
  say_text(w, range ? " with " : " with (");
  say_children(w, with, xml_child(with, "ml") ? "ml" : "id", range ? ".." : ", ");
  if (!range) say_text(w, ")");
}

static void say_fields(struct writing *w, const struct xml_element *kind, const char *name, const char *between) {
  const char *before = "";
  for (const struct xml_element *f = xml_child(kind, name); f; f = xml_next(f, name)) {
    const struct xml_element *label = xml_child(f, "id"), *type = label ? xml_next(label, "id") : NULL;
    const struct xml_element *inner = xml_child(f, "type");
    if (!type && inner) type = xml_child(inner, "id");
    if (!label) continue;
    say_text(w, before);
    say_trimmed(w, label);
    if (type) {
      say_text(w, ": ");
      say_trimmed(w, type);
    }
    before = between;
  }
}

static const char *const kinds[] = {"unit", "bool",  "int",  "intinf", "real", "time",   "string", "enum",
                                    "index", "product", "record", "list",   "union", "subset", "alias",  NULL};

static const struct xml_element *kind_of(const struct xml_element *color) {
  for (const struct xml_element *n = color->first; n; n = n->next)
    for (const char *const *k = kinds; *k; k++)
      if (strcmp(n->name, *k) == 0) return n;
  return NULL;
}

static void write_kind(struct writing *w, const struct xml_element *k) {
  const char *name = k->name;
  if (strcmp(name, "enum") == 0) {
    say_text(w, "with ");
    say_children(w, k, "id", " | ");
  } else if (strcmp(name, "index") == 0) {
    say_text(w, "index ");
    say_children(w, k, "id", " ");
    say_text(w, " with ");
    say_children(w, k, "ml", "..");
  } else if (strcmp(name, "product") == 0) {
    say_text(w, "product ");
    say_children(w, k, "id", " * ");
  } else if (strcmp(name, "record") == 0) {
    say_text(w, "record ");
    say_fields(w, k, "recordfield", " * ");
  } else if (strcmp(name, "union") == 0) {
    say_text(w, "union ");
    say_fields(w, k, "unionfield", " + ");
  } else if (strcmp(name, "list") == 0) {
    say_text(w, "list ");
    say_children(w, k, "id", " ");
    say_with(w, k, 1);
  } else if (strcmp(name, "subset") == 0) {
    say_text(w, "subset ");
    say_children(w, k, "id", " ");
    const struct xml_element *by = xml_child(k, "by"), *with = xml_child(k, "with");
    if (by) say_text(w, " by "), say_children(w, by, "ml", " ");
    const struct xml_element *list = with ? xml_child(with, "ml") : NULL;
    int written = list && begins_with(list, '['); /* some versions write the brackets, others do not */
    if (with) say_text(w, written ? " with " : " with ["), say_children(w, with, list ? "ml" : "id", ", ");
    if (with && !written) say_text(w, "]");
  } else if (strcmp(name, "alias") == 0) {
    say_children(w, k, "id", " ");
  } else {
    say_text(w, name);
    if (strcmp(name, "bool") == 0) say_with(w, k, 0);
    else say_with(w, k, 1); /* unit with e, int with 0..9, string with "a".."z" */
    const struct xml_element *and = xml_child(k, "and");
    if (and) say_text(w, " and "), say_children(w, and, "ml", "..");
  }
}

static int write_color(struct writing *w, const struct xml_element *n) {
  const struct xml_element *id = xml_child(n, "id"), *kind = kind_of(n);
  if (!id || !kind) return err_input(w->e, n->at, "a colour set without a name, or of a kind that is not known");
  say_text(w, "colset ");
  say_trimmed(w, id);
  say_text(w, " = ");
  write_kind(w, kind);
  if (xml_child(n, "timed")) say_text(w, " timed");
  say_text(w, ";");
  return 0;
}

static int write_var(struct writing *w, const struct xml_element *n) {
  const struct xml_element *type = xml_child(n, "type"), *id = type ? xml_child(type, "id") : NULL;
  if (!xml_child(n, "id")) return 0; /* an empty one declares nothing */
  if (!id) return err_input(w->e, n->at, "variables without a colour set");
  say_text(w, "var ");
  say_children(w, n, "id", ", ");
  say_text(w, ": ");
  say_trimmed(w, id);
  say_text(w, ";");
  return 0;
}

static int write_globref(struct writing *w, const struct xml_element *n) {
  say_text(w, "globref ");
  say_children(w, n, "id", " ");
  say_text(w, " = ");
  say_children(w, n, "ml", " ");
  say_text(w, ";");
  return 0;
}

static int add(struct writing *w, const struct xml_element *from, struct place_in_text at, const char *block) {
  struct drawing_text t = {from ? from->text : NULL, from ? from->length : w->text.count, at};
  if (!from) t.text = arena_strndup(&w->d->arena, w->text.at ? w->text.at : "", w->text.count);
  if (w->failed || !t.text || vec_push(&w->d->declarations, w->d->mem, MEM_MODEL, (struct drawing_declaration){t, block}))
    return err_memory(w->e, "reading the net");
  return 0;
}

static int blank(const struct xml_element *n) {
  for (size_t i = 0; i < n->length; i++)
    if (!isspace((unsigned char)n->text[i])) return 0;
  return 1;
}

static int in_name(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

/* Declarations that a converter took over as they stood in Design/CPN: `color` is `colset` there. */
static int add_old(struct writing *w, const struct xml_element *n, const char *block) {
  if (blank(n)) return 0;
  w->text.count = 0;
  for (size_t i = 0; i < n->length;) {
    size_t length = 1;
    if (in_name(n->text[i]))
      while (i + length < n->length && in_name(n->text[i + length])) length++;
    if (length == 5 && strncmp(n->text + i, "color", 5) == 0) say_text(w, "colset");
    else say(w, n->text + i, length);
    i += length;
  }
  return add(w, NULL, n->text_at, block);
}

static int one(struct writing *w, const struct xml_element *n, const char *block) {
  const struct xml_element *layout = xml_child(n, "layout");
  int color = strcmp(n->name, "color") == 0, var = strcmp(n->name, "var") == 0, globref = strcmp(n->name, "globref") == 0;
  if (strcmp(n->name, "use") == 0) { /* front/used.c reads the file */
    w->text.count = 0;
    say_text(w, "use ");
    say_children(w, n, "ml", " ");
    say_text(w, ";");
    return add(w, NULL, n->at, block);
  }
  if (strcmp(n->name, "errordecl") == 0) return add_old(w, n, block);
  if (!color && !var && !globref && strcmp(n->name, "ml") != 0) return 0;
  if (color && !kind_of(n)) color = 0;
  if (!color && !var && !globref) {
    const struct xml_element *from = layout && !blank(layout) ? layout : n;
    return blank(from) ? 0 : add(w, from, from->text_at, block);
  }
  w->text.count = 0;
  if (color ? write_color(w, n) : var ? write_var(w, n) : write_globref(w, n)) return -1;
  return w->text.count || w->failed ? add(w, NULL, n->at, block) : 0;
}

/* Boxes within boxes; the recursion goes as deep as the document does, which is bounded. */
static int box(struct writing *w, const struct xml_element *n, const char *block, int depth) {
  for (const struct xml_element *c = n->first; c; c = c->next) {
    if (strcmp(c->name, "block") == 0) {
      const struct xml_element *id = xml_child(c, "id");
      if (depth == NESTED || box(w, c, id ? id->text : NULL, depth + 1)) return -1;
    } else if (one(w, c, block)) return -1;
  }
  return 0;
}

int cpn_declarations(struct drawing *d, const struct xml_element *cpnet, struct err *e) {
  struct writing w = {.d = d, .e = e};
  int status = 0;
  for (const struct xml_element *g = xml_child(cpnet, "globbox"); g && !status; g = xml_next(g, "globbox")) status = box(&w, g, NULL, 0);
  vec_free(&w.text, d->mem);
  return status;
}
