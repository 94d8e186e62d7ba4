/* guess.c -- see guess.h.
 *
 * Files come with suffixes of all kinds (.prm, .p, .sumo), with none, and with wrong ones.  Each
 * language has a few words in an order that no other language has: those are looked for behind
 * comments and strings, and the first that is found decides.
 *
 *   XML       the first element: pnml; workspaceElements or cpnet (CPN Tools)
 *   Promela   proctype NAME (     init {     never {     chan NAME = [      mtype = {
 *   PROM+     the same and   = new NAME
 *   DVE       process NAME {      system async ;     system sync ;
 *   graphs    des (               at the very beginning
 *   cpnt      page NAME           at the beginning of a line, and then one of
 *   nets      pl NAME, place, tr, transition: at the beginning of a line, before anything else
 *
 * A guess is only made where it is sure; a model that is no more than names of other files is
 * nobody's. The last two are only asked where the suffix says nothing. */
#include "front/guess.h"

#include <ctype.h>
#include <string.h>

struct guess {
  const char *text;
  size_t length, at;
  int line_begins; /* the word just read is the first of its line */
};

struct guess_word { /* or a single sign */
  const char *text;
  size_t length;
  int first;
};

static int is_part(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int starts(const struct guess *g, const char *with) {
  size_t n = strlen(with);
  return g->length - g->at >= n && !memcmp(g->text + g->at, with, n);
}

static void pass(struct guess *g, const char *end) {
  while (g->at < g->length && !starts(g, end)) g->at++;
}

/* Blanks, comments, directives and what stands in quotes. */
static void pass_others(struct guess *g) {
  while (g->at < g->length) {
    char c = g->text[g->at];
    if (c == '\n') g->line_begins = 1, g->at++;
    else if (isspace((unsigned char)c)) g->at++;
    else if (starts(g, "/*")) pass(g, "*/"), g->at += 2;
    else if (starts(g, "//") || (c == '#' && g->line_begins)) pass(g, "\n");
    else return;
  }
}

/* The next word, or a sign, or a string as its quote; 0: there is none. */
static int next_word(struct guess *g, struct guess_word *w) {
  pass_others(g);
  if (g->at >= g->length) return 0;
  *w = (struct guess_word){.text = g->text + g->at, .first = g->line_begins};
  g->line_begins = 0;
  if (g->text[g->at] == '"') {
    for (g->at++; g->at < g->length && g->text[g->at] != '"' && g->text[g->at] != '\n'; g->at++)
      g->at += g->text[g->at] == '\\';
    g->at++;
    w->length = 1;
    return 1;
  }
  if (!is_part(g->text[g->at])) g->at++;
  else
    while (g->at < g->length && is_part(g->text[g->at])) g->at++;
  w->length = (size_t)(g->text + g->at - w->text);
  return 1;
}

static int is(const struct guess_word *w, const char *text) {
  return w->length == strlen(text) && !memcmp(w->text, text, w->length);
}
static int is_name(const struct guess_word *w) {
  return w->length && is_part(w->text[0]) && !isdigit((unsigned char)w->text[0]);
}

/* ---- XML
 * ---------------------------------------------------------------------------------------------------------------------
 */

/* The first element; its name without a prefix. */
static const char *of_element(struct guess *g, char root[64]) {
  size_t n = 0;
  for (; g->at < g->length; g->at++) {
    pass(g, "<");
    if (starts(g, "<!--")) pass(g, "-->");
    else if (starts(g, "<?") || starts(g, "<!")) pass(g, ">");
    else break;
  }
  for (g->at++;
       g->at < g->length && (is_part(g->text[g->at]) || strchr(":-.", g->text[g->at])) && n < 63;
       g->at++) {
    root[n++] = g->text[g->at];
    if (g->text[g->at] == ':') n = 0;
  }
  root[n] = 0;
  const char *found = strcmp(root, "pnml") == 0 ? "pnml"
                      : strcmp(root, "workspaceElements") == 0 || strcmp(root, "cpnet") == 0 ? "cpn"
                                                                                             : NULL;
  if (found) root[0] = 0;
  return found;
}

/* ---- texts
 * -------------------------------------------------------------------------------------------------------------------
 */

/* What three words in a row say. */
static const char *of_words(const struct guess_word *a, const struct guess_word *b,
                            const struct guess_word *c) {
  if (is(a, "proctype") && is_name(b) && is(c, "(")) return "promela";
  if ((is(a, "init") || is(a, "never")) && is(b, "{")) return "promela";
  if (is(a, "mtype") && is(b, "=") && is(c, "{")) return "promela";
  if (is(a, "chan") && is_name(b) && (is(c, "=") || is(c, "["))) return "promela";
  if (is(a, "process") && is_name(b) && is(c, "{")) return "dve";
  if (is(a, "system") && (is(b, "async") || is(b, "sync")) && (is(c, ";") || is(c, "property")))
    return "dve";
  return NULL;
}

/* PROM+ has all of Promela, and makes objects. */
static const char *with_objects(struct guess *g) {
  struct guess_word a = {0}, b = {0}, c;
  for (; next_word(g, &c); a = b, b = c)
    if (is(&a, "=") && is(&b, "new") && is_name(&c)) return "prom+";
  return "promela";
}

const char *front_guess(const char *text, size_t length, char root[64]) {
  struct guess g = {.text = text, .length = length, .line_begins = 1};
  struct guess_word a = {0}, b = {0}, c;
  const char *net = NULL;
  int pages = 0;
  root[0] = 0;
  if (memchr(text, 0, length)) return NULL; /* a program that contains a model's text is none */
  if (starts(&g, "\xef\xbb\xbf")) g.at = 3;
  pass_others(&g);
  if (starts(&g, "<")) return of_element(&g, root);
  const size_t begin = g.at;
  for (int words = 0; next_word(&g, &c); words++, a = b, b = c) {
    if (words == 1 && is(&b, "des") && is(&c, "(")) return "aut";
    if (b.first && is(&b, "page") && is_name(&c)) pages = 1;
    if (b.first && (is(&b, "pl") || is(&b, "tr") || is(&b, "place") || is(&b, "transition")) &&
        (is_name(&c) || is(&c, "\"")) && !net)
      net = pages ? "cpnt" : "net";
    const char *found = of_words(&a, &b, &c);
    if (!found || net) continue;
    if (strcmp(found, "promela") != 0) return found;
    g.at = begin;
    return with_objects(&g);
  }
  return net;
}
