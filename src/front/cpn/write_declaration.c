/* write_declaration.c -- declarations as CPN Tools keeps them: colour sets and variables in elements, everything else as the text it is.
 *
 *   colset INT = int with 0..9 timed;   ->   <color><id>INT</id><timed/><int><with><ml>0</ml><ml>9</ml></with></int></color>
 *
 * Only the outline of a colour set is read here; what stands between its words is text of CPN ML. */
#include "front/cpn/write.h"

#include <ctype.h>
#include <string.h>

struct span {
  const char *at, *end;
};

static struct span trimmed(struct span s) {
  while (s.at < s.end && isspace((unsigned char)*s.at)) s.at++;
  while (s.end > s.at && isspace((unsigned char)s.end[-1])) s.end--;
  return s;
}

static int in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '\''; }

/* One step over the text: a string, a comment, a bracket with what is inside, or one character. */
static const char *skip(const char *p, const char *end) {
  if (*p == '"') {
    for (p++; p < end && *p != '"'; p++) p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
  }
  if (*p == '(' && p + 1 < end && p[1] == '*') {
    int depth = 0;
    do {
      if (p + 1 < end && p[0] == '(' && p[1] == '*') depth++, p += 2;
      else if (p + 1 < end && p[0] == '*' && p[1] == ')') depth--, p += 2;
      else p++;
    } while (p < end && depth);
    return p;
  }
  if (*p != '(' && *p != '[' && *p != '{') return p + 1;
  size_t depth = 0;
  do {
    char c = *p;
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    p = c == '"' ? skip(p, end) : p + 1;
  } while (p < end && depth);
  return p;
}

/* The text up to a sign or word that stands outside of brackets and strings; *rest behind it. 0: it is not there, all of it is before. */
static int cut(struct span all, const char *sign, struct span *before, struct span *rest) {
  size_t n = strlen(sign);
  int word = in_word(*sign);
  for (const char *p = all.at; p < all.end; p = skip(p, all.end)) {
    if ((size_t)(all.end - p) < n || memcmp(p, sign, n) != 0) continue;
    if (word && ((p > all.at && in_word(p[-1])) || (p + n < all.end && in_word(p[n])))) continue;
    *before = trimmed((struct span){all.at, p});
    *rest = trimmed((struct span){p + n, all.end});
    return 1;
  }
  *before = trimmed(all);
  *rest = (struct span){all.end, all.end};
  return 0;
}

static int begins(struct span s, const char *word) {
  size_t n = strlen(word);
  return (size_t)(s.end - s.at) >= n && memcmp(s.at, word, n) == 0 && ((size_t)(s.end - s.at) == n || !in_word(s.at[n]));
}

static struct span after(struct span s, const char *word) { return trimmed((struct span){s.at + strlen(word), s.end}); }

static void element(FILE *out, const char *name, struct span s) {
  fprintf(out, "<%s>", name);
  cpn_escape(out, s.at, (size_t)(s.end - s.at));
  fprintf(out, "</%s>", name);
}

static void list(FILE *out, struct span s, const char *between, const char *name) {
  struct span one, rest = s;
  for (int more = 1; more;) {
    more = cut(rest, between, &one, &rest);
    if (one.at < one.end) element(out, name, one);
  }
}

/* ---- colour sets ---------------------------------------------------------------------------------------------------------------- */

static void write_with(FILE *out, struct span s, const char *between, const char *name) {
  if (s.at == s.end) return;
  fputs("<with>", out);
  list(out, s, between, name);
  fputs("</with>", out);
}

static void write_fields(FILE *out, struct span s, const char *between, const char *field, int typed) {
  struct span one, rest = s, label, type;
  for (int more = 1; more;) {
    more = cut(rest, between, &one, &rest);
    int has = cut(one, ":", &label, &type);
    fprintf(out, "<%s>", field);
    element(out, "id", label);
    if (has && typed) fputs("<type>", out), element(out, "id", type), fputs("</type>", out);
    else if (has) element(out, "id", type);
    fprintf(out, "</%s>", field);
  }
}

/* A simple colour set: unit, bool, int, intinf, real, time, string, with or without more. */
static int write_simple(FILE *out, struct span s) {
  static const char *const kinds[] = {"unit", "bool", "int", "intinf", "real", "time", "string", NULL};
  const char *const *k = kinds;
  struct span before, with, range, length;
  while (*k && !begins(s, *k)) k++;
  if (!*k) return 0;
  struct span rest = after(s, *k);
  fprintf(out, "<%s>", *k);
  if (cut(rest, "with", &before, &with)) {
    if (strcmp(*k, "bool") == 0 && with.at < with.end && *with.at == '(') with = trimmed((struct span){with.at + 1, with.end - 1});
    int and = cut(with, "and", &range, &length);
    if (strcmp(*k, "unit") == 0 || strcmp(*k, "bool") == 0) write_with(out, range, ",", "id");
    else write_with(out, range, "..", "ml");
    if (and) fputs("<and>", out), list(out, length, "..", "ml"), fputs("</and>", out);
  }
  fprintf(out, "</%s>", *k);
  return 1;
}

static void write_kind(FILE *out, struct span s) {
  struct span a, b;
  if (write_simple(out, s)) return;
  if (begins(s, "with")) {
    fputs("<enum>", out);
    list(out, after(s, "with"), "|", "id");
    fputs("</enum>", out);
  } else if (begins(s, "index") || begins(s, "scalarset")) { /* CPN Tools knows no scalarsets */
    cut(after(s, begins(s, "index") ? "index" : "scalarset"), "with", &a, &b);
    fputs("<index>", out);
    list(out, b, "..", "ml");
    element(out, "id", a);
    fputs("</index>", out);
  } else if (begins(s, "product")) {
    fputs("<product>", out);
    list(out, after(s, "product"), "*", "id");
    fputs("</product>", out);
  } else if (begins(s, "record")) {
    fputs("<record>", out);
    write_fields(out, after(s, "record"), "*", "recordfield", 0);
    fputs("</record>", out);
  } else if (begins(s, "union")) {
    fputs("<union>", out);
    write_fields(out, after(s, "union"), "+", "unionfield", 1);
    fputs("</union>", out);
  } else if (begins(s, "list")) {
    cut(after(s, "list"), "with", &a, &b);
    fputs("<list>", out);
    element(out, "id", a);
    write_with(out, b, "..", "ml");
    fputs("</list>", out);
  } else if (begins(s, "subset")) {
    int by = cut(after(s, "subset"), "by", &a, &b);
    fputs("<subset>", out);
    if (!by) cut(after(s, "subset"), "with", &a, &b);
    element(out, "id", a);
    if (!by && b.at < b.end && *b.at == '[') b = trimmed((struct span){b.at + 1, b.end - 1});
    if (by) fputs("<by>", out), element(out, "ml", b), fputs("</by>", out);
    else write_with(out, b, ",", "ml");
    fputs("</subset>", out);
  } else {
    fputs("<alias>", out);
    element(out, "id", s);
    fputs("</alias>", out);
  }
}

static void write_colset(FILE *out, struct span s) {
  struct span name, kind, declares = {0};
  cut(after(s, "colset"), "=", &name, &kind);
  cut(kind, "declare", &kind, &declares);
  int timed = kind.end - kind.at > 5 && memcmp(kind.end - 5, "timed", 5) == 0 && !in_word(kind.end[-6]);
  if (timed) kind = trimmed((struct span){kind.at, kind.end - 5});
  element(out, "id", name);
  if (timed) fputs("<timed/>", out);
  write_kind(out, kind);
  if (declares.at < declares.end) fputs("<declare>", out), list(out, declares, ",", "id"), fputs("</declare>", out);
}

/* ---- the others -------------------------------------------------------------------------------------------------------------------- */

static void write_variables(FILE *out, struct span s) {
  struct span names, type;
  cut(after(s, "var"), ":", &names, &type);
  fputs("<type>", out);
  element(out, "id", type);
  fputs("</type>", out);
  list(out, names, ",", "id");
}

static void write_globref(FILE *out, struct span s) {
  struct span name, value;
  cut(after(s, "globref"), "=", &name, &value);
  element(out, "id", name);
  element(out, "ml", value);
}

void cpn_write_declaration(FILE *out, const struct drawing_text *t, unsigned long *next_id) {
  static const struct {
    const char *word, *element;
    void (*write)(FILE *, struct span);
  } kinds[] = {{"colset", "color", write_colset}, {"var", "var", write_variables}, {"globref", "globref", write_globref}};
  struct span rest = trimmed((struct span){t->text, t->text + t->length});
  while (rest.at < rest.end) {
    size_t k = 0;
    struct span one = rest;
    while (k < 3 && !begins(rest, kinds[k].word)) k++;
    if (k < 3) cut(rest, ";", &one, &rest);
    else rest.at = rest.end;
    const char *name = k < 3 ? kinds[k].element : "ml";
    fprintf(out, "        <%s id=\"ID%lu\">", name, (*next_id)++);
    if (k < 3) {
      struct span set, kind;
      kinds[k].write(out, one);
      if (k == 0 && cut(one, "=", &set, &kind) && begins(kind, "scalarset")) { /* the text as CPN Tools would have it */
        fputs("<layout>", out);
        cpn_escape(out, set.at, (size_t)(set.end - set.at));
        fputs(" = index ", out);
        kind = after(kind, "scalarset");
        cpn_escape(out, kind.at, (size_t)(kind.end - kind.at));
        fputs("</layout>", out);
      } else element(out, "layout", one);
    } else {
      cpn_escape(out, one.at, (size_t)(one.end - one.at));
      element(out, "layout", one);
    }
    fprintf(out, "</%s>\n", name);
  }
}
