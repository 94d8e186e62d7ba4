/* chart_map.c -- reads mapping files: one statement per line, words or "quoted texts".
 *
 * The file is small and written by people: it is read as a whole, and what is wrong is told with its line and what was expected. */
#include "report/chart_map.h"

#include <ctype.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_WORDS = 64 };

struct word {
  const char *text; /* in the map's memory */
  size_t at;        /* in the line */
  int quoted, comma; /* comma: one follows */
};

struct reader {
  struct chart_map *map;
  struct err *err;
  const char *name, *line; /* of the file; of the text */
  size_t length;
  long number;
  struct word word[MOST_WORDS];
  uint32_t words, next;
  struct vec(struct chart_deed) deed; /* of the block that is read */
  int in_block;
  long block; /* its line */
};

static int wrong(struct reader *r, size_t at, const char *what) {
  err_input(r->err, (struct place_in_text){r->name, r->number, (long)at + 1}, "%s", what);
  err_excerpt(r->err, r->line, r->length, at);
  return -1;
}

static size_t here(const struct reader *r) { return r->next < r->words ? r->word[r->next].at : r->length; }

/* ---- words ------------------------------------------------------------------------------------------------------------------------ */

/* A quoted text keeps its backslashes before * and \: patterns know what they mean. */
static int quoted(struct reader *r, size_t *i) {
  size_t from = ++*i, used = 0;
  char *text = arena_alloc(&r->map->text, r->length - from + 1);
  if (!text) return err_memory(r->err, "a mapping");
  for (; *i < r->length && r->line[*i] != '"'; ++*i) {
    if (r->line[*i] == '\\' && *i + 1 < r->length && r->line[*i + 1] == '"') ++*i;
    else if (r->line[*i] == '\\' && *i + 1 < r->length) text[used++] = r->line[(*i)++];
    text[used++] = r->line[*i];
  }
  if (*i == r->length) return wrong(r, from - 1, "the text has no end: a \" is missing");
  ++*i;
  r->word[r->words++] = (struct word){text, from - 1, 1, 0};
  return 0;
}

static int split(struct reader *r) {
  r->words = r->next = 0;
  for (size_t i = 0; i < r->length;) {
    unsigned char c = (unsigned char)r->line[i];
    if (isspace(c)) i++;
    else if (c == '#' || (c == '-' && i + 1 < r->length && r->line[i + 1] == '-')) break;
    else if (c == ',') {
      if (!r->words || r->word[r->words - 1].comma) return wrong(r, i, "a comma with nothing before it");
      r->word[r->words - 1].comma = 1;
      i++;
    } else if (r->words == MOST_WORDS) return wrong(r, i, "too many words in one line");
    else if (c == '"') {
      if (quoted(r, &i)) return -1;
    } else {
      size_t from = i;
      while (i < r->length && !isspace((unsigned char)r->line[i]) && r->line[i] != ',' && r->line[i] != '"' && r->line[i] != '=' && !(r->line[i] == '!' && i + 1 < r->length && r->line[i + 1] == '=')) i++;
      if (i == from) i += r->line[i] == '!' ? 2 : 1; /* = and != */
      const char *text = arena_strndup(&r->map->text, r->line + from, i - from);
      if (!text) return err_memory(r->err, "a mapping");
      r->word[r->words++] = (struct word){text, from, 0, 0};
    }
  }
  return 0;
}

static int is(const struct reader *r, const char *word) { return r->next < r->words && !r->word[r->next].quoted && strcmp(r->word[r->next].text, word) == 0; }

static int accept(struct reader *r, const char *word) {
  if (!is(r, word)) return 0;
  r->next++;
  return 1;
}

static int need(struct reader *r, const char *word) {
  char text[60];
  if (accept(r, word)) return 0;
  snprintf(text, sizeof text, "expected %s", word);
  return wrong(r, here(r), text);
}

static int text_of(struct reader *r, const char **out, const char *what) {
  if (r->next == r->words) return wrong(r, r->length, what);
  *out = r->word[r->next++].text;
  return 0;
}

static int line_end(struct reader *r) { return r->next == r->words && (!r->words || !r->word[r->words - 1].comma) ? 0 : wrong(r, here(r), "nothing more was expected in this line"); }

/* a, b, c */
#define LIST(r, list, what)                                                                                                      \
  do {                                                                                                                           \
    const char *one_;                                                                                                            \
    if (text_of(r, &one_, what)) return -1;                                                                                      \
    if (vec_push(list, (r)->map->mem, MEM_OTHER, one_)) return err_memory((r)->err, "a mapping");                                \
  } while ((r)->word[(r)->next - 1].comma)

/* ---- statements ------------------------------------------------------------------------------------------------------------------------ */

static int close_block(struct reader *r) {
  if (!r->in_block) return 0;
  r->in_block = 0;
  struct chart_block *b = &r->map->block.at[r->map->block.count - 1];
  if (!r->deed.count)
    return err_input(r->err, (struct place_in_text){r->name, r->block, 1}, "this transition has nothing to do: lines with event, message, send, receive, lose, create, end or hide belong under it");
  struct chart_deed *all = arena_alloc(&r->map->text, r->deed.count * sizeof *all);
  if (!all) return err_memory(r->err, "a mapping");
  memcpy(all, r->deed.at, r->deed.count * sizeof *all);
  b->deed = all;
  b->deeds = (uint32_t)r->deed.count;
  r->deed.count = 0;
  return 0;
}

static int read_block(struct reader *r) {
  struct vec(const char *) patterns = {0};
  struct chart_block b = {0};
  if (r->next == r->words) return wrong(r, r->length, "expected the name of a transition, or a pattern");
  do {
    const char *one = r->word[r->next++].text;
    if (vec_push(&patterns, r->map->mem, MEM_OTHER, one)) {
      vec_free(&patterns, r->map->mem);
      return err_memory(r->err, "a mapping");
    }
  } while (r->word[r->next - 1].comma && r->next < r->words);
  const char **all = arena_alloc(&r->map->text, patterns.count * sizeof *all);
  if (all) memcpy(all, patterns.at, patterns.count * sizeof *all);
  b.pattern = all;
  b.patterns = (uint32_t)patterns.count;
  vec_free(&patterns, r->map->mem);
  if (!all) return err_memory(r->err, "a mapping");
  if (accept(r, "when")) {
    if (text_of(r, &b.variable, "expected a variable")) return -1;
    b.unequal = accept(r, "!=");
    if ((!b.unequal && need(r, "=")) || text_of(r, &b.value, "expected a value")) return -1;
  }
  if (vec_push(&r->map->block, r->map->mem, MEM_OTHER, b)) return err_memory(r->err, "a mapping");
  r->in_block = 1;
  r->block = r->number;
  return line_end(r);
}

static int read_ending(struct reader *r, struct chart_deed *d, int label, int key) {
  while (r->next < r->words) {
    if (label && !d->label && accept(r, "as")) {
      if (text_of(r, &d->label, "expected a text")) return -1;
    } else if (key && !d->key && accept(r, "key")) {
      if (text_of(r, &d->key, "expected a text")) return -1;
    } else return wrong(r, here(r), label && key ? "expected as TEXT or key TEXT" : label ? "expected as TEXT" : key ? "expected key TEXT" : "nothing more was expected in this line");
  }
  return line_end(r);
}

static const char lifeline[] = "expected the name of a lifeline";

static int read_deed(struct reader *r) {
  struct chart_deed d = {0};
  int bad, label = 1, key = 0;
  if (accept(r, "event")) {
    d.kind = CHART_DO_EVENT;
    bad = need(r, "on") || text_of(r, &d.who, lifeline);
  } else if (accept(r, "message")) {
    d.kind = CHART_DO_MESSAGE;
    bad = need(r, "from") || text_of(r, &d.who, lifeline) || need(r, "to") || text_of(r, &d.whom, lifeline);
  } else if (is(r, "send") || is(r, "receive")) {
    d.kind = is(r, "send") ? CHART_DO_SEND : CHART_DO_RECEIVE;
    r->next++;
    key = 1;
    bad = text_of(r, &d.channel, "expected the name of a channel") || need(r, "on") || text_of(r, &d.who, lifeline);
  } else if (accept(r, "lose")) {
    d.kind = CHART_DO_LOSE;
    label = 0;
    key = 1;
    bad = text_of(r, &d.channel, "expected the name of a channel");
  } else if (accept(r, "create")) {
    d.kind = CHART_DO_CREATE;
    bad = text_of(r, &d.whom, lifeline) || (accept(r, "by") && text_of(r, &d.who, lifeline));
  } else if (accept(r, "end")) {
    d.kind = CHART_DO_END;
    label = 0;
    bad = text_of(r, &d.who, lifeline);
  } else if (accept(r, "hide")) {
    d.kind = CHART_DO_HIDE;
    label = 0;
    bad = 0;
  } else return wrong(r, here(r), "expected lifelines, places, transition, or what a transition does: event, message, send, receive, lose, create, end, hide");
  if (bad || read_ending(r, &d, label, key)) return -1;
  if (!r->in_block) return wrong(r, 0, "there is no transition above that this could belong to");
  return vec_push(&r->deed, r->map->mem, MEM_OTHER, d) ? err_memory(r->err, "a mapping") : 0;
}

static int read_line(struct reader *r) {
  if (split(r)) return -1;
  if (!r->words) return 0;
  if (accept(r, "lifelines") || accept(r, "lifeline")) {
    if (close_block(r)) return -1;
    LIST(r, &r->map->lifeline, lifeline);
    return line_end(r);
  }
  if (accept(r, "places") || accept(r, "place")) {
    if (close_block(r)) return -1;
    LIST(r, &r->map->place, "expected the name of a place, or a pattern");
    return line_end(r);
  }
  if (accept(r, "transition") || accept(r, "transitions")) return close_block(r) || read_block(r) ? -1 : 0;
  return read_deed(r);
}

static int read_all(struct reader *r, const char *text, size_t length) {
  for (size_t at = 0; at < length;) {
    const char *end = memchr(text + at, '\n', length - at);
    r->line = text + at;
    r->length = end ? (size_t)(end - text) - at : length - at;
    r->number++;
    const char *zero = memchr(r->line, 0, r->length);
    if (zero) return wrong(r, (size_t)(zero - r->line), "a zero byte: this is no text");
    if (read_line(r)) return -1;
    at += r->length + 1;
  }
  r->line = "";
  r->length = 0;
  return close_block(r);
}

int chart_map_read(struct chart_map **out, FILE *in, const char *name, struct mem *mem, struct err *e) {
  struct chart_map *map = mem_alloc(mem, MEM_OTHER, sizeof *map);
  struct vec(char) text = {0};
  if (!map) return err_memory(e, "a mapping");
  map->mem = mem;
  arena_open(&map->text, mem, MEM_OTHER);
  struct reader r = {.map = map, .err = e, .name = name};
  int bad = 0;
  for (size_t n = 1; n && !bad;) {
    if (vec_reserve(&text, mem, MEM_OTHER, 4096)) bad = err_memory(e, "a mapping");
    else n = fread(text.at + text.count, 1, 4096, in), text.count += n;
    if (text.count > MOST_BYTES) bad = err_input(e, (struct place_in_text){name, 0, 0}, "too large for a mapping");
  }
  if (!bad && ferror(in)) bad = err_io(e, name, "cannot be read");
  if (!bad) bad = read_all(&r, text.at, text.count);
  vec_free(&text, mem);
  vec_free(&r.deed, mem);
  if (bad) chart_map_close(map);
  else *out = map;
  return bad ? -1 : 0;
}

void chart_map_close(struct chart_map *map) {
  if (!map) return;
  struct mem *mem = map->mem;
  vec_free(&map->lifeline, mem);
  vec_free(&map->place, mem);
  vec_free(&map->block, mem);
  arena_close(&map->text);
  mem_free(mem, map);
}

/* ---- patterns ------------------------------------------------------------------------------------------------------------------------------ */

static int same(char a, char b) { return a == b || ((a == ' ' || a == '_') && (b == ' ' || b == '_')); }

/* Greedy with one place to come back to: after the last star every earlier choice is as good as any. */
int chart_pattern(const char *p, const char *text, size_t length, struct chart_stars *stars) {
  const char *star = NULL;
  size_t i = 0, back = 0, count = 0, first[CHART_STARS] = {0}, end[CHART_STARS] = {0};
  for (;;) {
    if (*p == '*') {
      if (count && count <= CHART_STARS) end[count - 1] = back;
      star = ++p;
      back = i;
      if (count++ < CHART_STARS) first[count - 1] = end[count - 1] = i;
      continue;
    }
    if (i == length && !*p) break;
    const char *c = *p == '\\' && p[1] ? p + 1 : p;
    if (i < length && *p && same(*c, text[i])) {
      p = c + 1;
      i++;
      continue;
    }
    if (!star || back >= length) return 0;
    i = ++back;
    p = star;
  }
  if (count && count <= CHART_STARS) end[count - 1] = back;
  if (!stars) return 1;
  *stars = (struct chart_stars){0};
  for (size_t s = 0; s < count && s < CHART_STARS; s++) stars->star[s].text = text + first[s], stars->star[s].length = end[s] - first[s];
  return 1;
}
