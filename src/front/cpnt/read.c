/* read.c -- .cpnt to a drawing, line by line.
 *
 * A line is where it stands and how far in.  Every reader of a construct takes its own line and all lines below it that stand further in; so nothing needs to be closed, and a mistake in one place does not shift what
 * comes after it.  Arcs may name places that come later, and substitution transitions pages that come later: names are looked up when all is there. */
#include "front/cpnt/cpnt.h"

#include "base/near.h"
#include "front/text.h"
#include "model/owners.h"

#include <string.h>

struct line {
  size_t begin, end; /* of what stands in it, without blanks around */
  size_t start;      /* of the line itself */
  unsigned in;       /* columns before it; tabs go to the next multiple of 8 */
};

struct pending { /* an arc whose place is not known yet */
  const char *place;
  size_t length, at;
  uint32_t page, arc;
};

struct reader {
  struct drawing *d;
  struct err *err;
  const char *text;
  size_t length;
  struct vec(struct line) line;
  size_t now;             /* the line that is read next */
  size_t at;              /* where in the text */
  struct vec(struct pending) pending;
  struct place_in_text known; /* the place that was asked for last, */
  size_t known_at;            /* and where in the text that is */
};

/* Nearly always asked for from the beginning of the text to its end: it is counted once. */
static struct place_in_text place_at(struct reader *r, size_t at) {
  if (at < r->known_at || !r->known.line) {
    r->known = (struct place_in_text){r->d->file, 1, 1};
    r->known_at = 0;
  }
  for (; r->known_at < at && r->known_at < r->length; r->known_at++) {
    int end = r->text[r->known_at] == '\n';
    r->known.column = end ? 1 : r->known.column + 1;
    r->known.line += end;
  }
  return r->known;
}

static int fail(struct reader *r, size_t at, const char *message) {
  err_input(r->err, place_at(r, at), "%s", message);
  front_excerpt(r->err, r->text, r->length, at);
  return -1;
}

static int fail_about(struct reader *r, size_t at, const char *before, const char *name, size_t length, const char *after) {
  char shown[80], message[200];
  snprintf(message, sizeof message, "%s\"%s\"%s", before, err_quote(shown, sizeof shown, name, length), after);
  return fail(r, at, message);
}

static int no_memory(struct reader *r) { return err_memory(r->err, "reading the net"); }

/* ---- lines ------------------------------------------------------------------------------------------------------------------- */

static int blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static int split(struct reader *r) {
  for (size_t i = 0; i < r->length;) {
    struct line l = {.start = i};
    while (i < r->length && blank(r->text[i])) {
      l.in = r->text[i] == '\t' ? (l.in / 8 + 1) * 8 : l.in + (r->text[i] == ' ');
      i++;
    }
    l.begin = i;
    while (i < r->length && r->text[i] != '\n') i++;
    for (l.end = i; l.end > l.begin && blank(r->text[l.end - 1]);) l.end--;
    i++;
    int remark = l.end - l.begin >= 2 && memcmp(r->text + l.begin, "--", 2) == 0;
    if (l.begin < l.end && !remark && vec_push(&r->line, r->d->mem, MEM_OTHER, l)) return no_memory(r);
  }
  return 0;
}

static const struct line *here(const struct reader *r) { return r->now < r->line.count ? &r->line.at[r->now] : NULL; }

/* Does the next line belong to something that stands so far in? */
static int below(const struct reader *r, unsigned in) { return here(r) && here(r)->in > in; }

static void next_line(struct reader *r) {
  if (here(r)) r->at = here(r)->begin;
}

/* ---- words ---------------------------------------------------------------------------------------------------------------------- */

static size_t line_end(const struct reader *r) { return here(r)->end; }

static void skip_blanks(struct reader *r) {
  while (r->at < line_end(r) && blank(r->text[r->at])) r->at++;
}

static int word_is(const struct reader *r, const char *word) {
  size_t n = strlen(word);
  return line_end(r) - r->at >= n && memcmp(r->text + r->at, word, n) == 0 && (r->at + n == line_end(r) || blank(r->text[r->at + n]));
}

static int take_word(struct reader *r, const char *word) {
  if (!word_is(r, word)) return 0;
  r->at += strlen(word);
  skip_blanks(r);
  return 1;
}

/* A name: in quotes, or up to the next blank. NULL with err. */
static const char *take_name(struct reader *r, const char *what, size_t *length) {
  char message[80];
  size_t begin = r->at, n = 0;
  if (begin == line_end(r)) {
    snprintf(message, sizeof message, "here the name of a %s is missing", what);
    fail(r, begin, message);
    return NULL;
  }
  char *out = arena_alloc(&r->d->arena, line_end(r) - begin + 1);
  if (!out) return no_memory(r), NULL;
  if (r->text[r->at] == '"') {
    for (r->at++; r->at < line_end(r) && r->text[r->at] != '"'; r->at++) {
      char c = r->text[r->at];
      if (c == '\\' && r->at + 1 < line_end(r)) {
        c = r->text[++r->at];
        c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
      }
      out[n++] = c;
    }
    if (r->at == line_end(r)) {
      fail(r, begin, "this quote is not closed");
      return NULL;
    }
    r->at++;
  } else {
    while (r->at < line_end(r) && !blank(r->text[r->at])) out[n++] = r->text[r->at++];
  }
  out[n] = 0;
  if (length) *length = n;
  if (!n) {
    fail(r, begin, "this name is empty");
    return NULL;
  }
  skip_blanks(r);
  return out;
}

static int take_sign(struct reader *r, const char *sign, const char *why) {
  char message[120];
  if (take_word(r, sign)) return 0;
  snprintf(message, sizeof message, "here \"%s\" is expected, %s", sign, why);
  return fail(r, r->at, message);
}

/* The line must end here; goes to the next one. */
static int end_line(struct reader *r) {
  if (r->at < line_end(r)) return fail(r, r->at, "here the line should end");
  r->now++;
  next_line(r);
  return 0;
}

/* Everything to the end of the line and of those below it that stand further in than it does. */
static struct drawing_text take_text(struct reader *r) {
  unsigned in = here(r)->in;
  struct drawing_text t = {.text = r->text + r->at, .place = place_at(r, r->at)};
  size_t begin = r->at, end = line_end(r);
  for (r->now++; below(r, in); r->now++) end = here(r)->end;
  if (begin < end) {
    size_t i = begin; /* where the text begins on a line of its own */
    while (i < end && (blank(r->text[i]) || r->text[i] == '\n')) i++;
    t.text = r->text + i;
    t.place = place_at(r, i);
    begin = i;
  }
  t.length = end - begin;
  next_line(r);
  return t;
}

static int take_number(struct reader *r, double *out) {
  size_t begin = r->at;
  while (r->at < line_end(r) && !blank(r->text[r->at])) r->at++;
  if (begin == r->at || front_decimal(r->text + begin, r->at - begin, out)) return fail(r, begin, "here a number is expected");
  skip_blanks(r);
  return 0;
}

/* x y, and perhaps width height. */
static int take_position(struct reader *r, struct drawing_position *p) {
  if (take_number(r, &p->x) || take_number(r, &p->y)) return -1;
  if (r->at < line_end(r) && (take_number(r, &p->width) || take_number(r, &p->height))) return -1;
  p->known = 1;
  return end_line(r);
}

/* ---- places ---------------------------------------------------------------------------------------------------------------------- */

static int read_port(struct reader *r, struct drawing_place *p) {
  p->port = take_word(r, "in") ? DRAWING_IN : take_word(r, "out") ? DRAWING_OUT : take_word(r, "both") ? DRAWING_BOTH : DRAWING_NO_PORT;
  return p->port ? end_line(r) : fail(r, r->at, "a port is in, out or both");
}

static int read_place(struct reader *r, struct drawing_page *page, unsigned in) {
  struct drawing_place p = {.place = place_at(r, r->at)};
  if (!(p.name = p.id = take_name(r, "place", NULL))) return -1;
  for (size_t i = 0; i < page->places.count; i++)
    if (strcmp(page->places.at[i].name, p.name) == 0) return fail_about(r, here(r)->begin, "the page has another place ", p.name, strlen(p.name), "");
  if (r->at < line_end(r) && take_sign(r, ":", "and the place's colour set")) return -1;
  p.colset = (struct drawing_text){r->text + r->at, line_end(r) - r->at, place_at(r, r->at)};
  r->at = line_end(r);
  if (end_line(r)) return -1;
  while (below(r, in)) {
    int bad = 0;
    if (take_word(r, "initial")) p.initial = take_text(r);
    else if (take_word(r, "port")) bad = read_port(r, &p);
    else if (take_word(r, "fusion")) bad = (p.fusion = take_name(r, "fusion set", NULL)) ? end_line(r) : -1;
    else if (take_word(r, "at")) bad = take_position(r, &p.at);
    else bad = fail(r, r->at, "a place has initial, port, fusion or at");
    if (bad) return -1;
  }
  return vec_push(&page->places, r->d->mem, MEM_MODEL, p) ? no_memory(r) : 0;
}

/* ---- transitions ------------------------------------------------------------------------------------------------------------------- */

static int read_bends(struct reader *r, struct drawing_arc *a) {
  while (r->at < line_end(r) && !word_is(r, ":")) {
    struct drawing_position p = {.known = 1};
    if (take_number(r, &p.x) || take_number(r, &p.y)) return -1;
    if (vec_push(&a->bends, r->d->mem, MEM_MODEL, p)) return no_memory(r);
  }
  return 0;
}

static int read_arc(struct reader *r, struct drawing_page *page, uint32_t page_number, uint32_t transition, enum drawing_arc_kind kind) {
  struct drawing_arc a = {.kind = kind, .at_transition = transition, .place = place_at(r, r->at)};
  struct pending p = {.page = page_number, .arc = (uint32_t)page->arcs.count, .at = r->at};
  if (!(p.place = take_name(r, "place", &p.length))) return -1;
  a.id = "";
  int bad = take_word(r, "via") ? read_bends(r, &a) : 0;
  if (!bad && r->at < line_end(r)) bad = take_sign(r, ":", "and what the arc moves");
  if (!bad) a.inscription = take_text(r);
  if (bad || vec_push(&page->arcs, r->d->mem, MEM_MODEL, a)) {
    vec_free(&a.bends, r->d->mem);
    return bad ? -1 : no_memory(r);
  }
  return vec_push(&r->pending, r->d->mem, MEM_OTHER, p) ? no_memory(r) : 0;
}

static int read_join(struct reader *r, struct drawing_transition *t) {
  struct drawing_pair p;
  if (!(p.socket = take_name(r, "place", NULL)) || take_sign(r, "=", "and the port of the page below") || !(p.port = take_name(r, "port", NULL))) return -1;
  if (vec_push(&t->pairs, r->d->mem, MEM_MODEL, p)) return no_memory(r);
  return end_line(r);
}

static int read_transition(struct reader *r, struct drawing_page *page, uint32_t page_number, unsigned in, int substitution) {
  static const struct {
    const char *word;
    enum drawing_arc_kind kind;
  } arcs[] = {{"take", DRAWING_TO_TRANSITION}, {"give", DRAWING_TO_PLACE}, {"test", DRAWING_TEST}, {"inhibit", DRAWING_INHIBITOR}, {"reset", DRAWING_RESET}};
  struct drawing_transition t = {.text_place = place_at(r, r->at)};
  uint32_t number = (uint32_t)page->transitions.count;
  if (!(t.name = t.id = take_name(r, "transition", NULL))) return -1;
  if (substitution && (take_sign(r, "=", "and the page that stands for it") || !(t.subpage = take_name(r, "page", NULL)))) return -1;
  if (end_line(r)) return -1;
  int bad = 0;
  while (!bad && below(r, in)) {
    size_t k = 0;
    while (k < sizeof arcs / sizeof *arcs && !take_word(r, arcs[k].word)) k++;
    if (k < sizeof arcs / sizeof *arcs) bad = read_arc(r, page, page_number, number, arcs[k].kind);
    else if (take_word(r, "guard")) t.guard = take_text(r);
    else if (take_word(r, "delay")) t.delay = take_text(r);
    else if (take_word(r, "code")) t.code = take_text(r);
    else if (take_word(r, "priority")) t.priority = take_text(r);
    else if (take_word(r, "channel")) t.channel = take_text(r);
    else if (take_word(r, "at")) bad = take_position(r, &t.at);
    else if (!substitution && take_word(r, "controllable")) t.owned = 1 + OWNER_CONTROLLABLE, bad = end_line(r);
    else if (!substitution && take_word(r, "uncontrollable")) t.owned = 1 + OWNER_UNCONTROLLABLE, bad = end_line(r);
    else if (substitution && take_word(r, "join")) bad = read_join(r, &t);
    else bad = fail(r, r->at, substitution ? "a substitution has join, take, give, test or at" : "a transition has guard, take, give, test, inhibit, reset, delay, priority, channel, code, controllable, uncontrollable or at");
  }
  if (!bad && vec_push(&page->transitions, r->d->mem, MEM_MODEL, t)) bad = no_memory(r);
  if (bad) vec_free(&t.pairs, r->d->mem);
  return bad;
}

/* ---- pages and declarations ---------------------------------------------------------------------------------------------------------- */

static int read_page(struct reader *r) {
  unsigned in = here(r)->in;
  struct drawing_page page = {.place = place_at(r, r->at)};
  uint32_t number = (uint32_t)r->d->pages.count;
  if (!(page.name = page.id = take_name(r, "page", NULL)) || end_line(r)) return -1;
  for (size_t i = 0; i < r->d->pages.count; i++)
    if (strcmp(r->d->pages.at[i].name, page.name) == 0) return err_input(r->err, page.place, "there is another page of this name");
  if (vec_push(&r->d->pages, r->d->mem, MEM_MODEL, page)) return no_memory(r);
  while (below(r, in)) {
    struct drawing_page *p = &r->d->pages.at[number];
    unsigned item = here(r)->in;
    int bad = take_word(r, "place")          ? read_place(r, p, item)
              : take_word(r, "transition")   ? read_transition(r, p, number, item, 0)
              : take_word(r, "substitution") ? read_transition(r, p, number, item, 1)
                                             : fail(r, r->at, "a page has places, transitions and substitutions");
    if (bad) return -1;
  }
  return 0;
}

static int read_declarations(struct reader *r) {
  unsigned in = here(r)->in;
  const char *block = NULL;
  if (r->at < line_end(r) && !(block = take_name(r, "block", NULL))) return -1;
  if (end_line(r)) return -1;
  while (below(r, in)) {
    struct drawing_declaration d = {.block = block, .text = take_text(r)};
    if (vec_push(&r->d->declarations, r->d->mem, MEM_MODEL, d)) return no_memory(r);
  }
  return 0;
}

/* ---- names that come later -------------------------------------------------------------------------------------------------------------- */

static int find_places(struct reader *r) {
  for (size_t i = 0; i < r->pending.count; i++) {
    const struct pending *p = &r->pending.at[i];
    const struct drawing_page *page = &r->d->pages.at[p->page];
    struct near near;
    size_t k = 0;
    while (k < page->places.count && strcmp(page->places.at[k].name, p->place) != 0) k++;
    page->arcs.at[p->arc].at_place = (uint32_t)k;
    if (k < page->places.count) continue;
    near_open(&near, p->place, p->length); /* only now: to compare names takes longer than to read a large net */
    for (k = 0; k < page->places.count; k++) near_offer(&near, page->places.at[k].name);
    fail_about(r, p->at, "the page has no place ", p->place, p->length, "");
    if (near_best(&near)) err_hint(r->err, "did you mean \"%s\"?", near_best(&near));
    return -1;
  }
  return 0;
}

static int find_subpages(struct reader *r) {
  for (size_t i = 0; i < r->d->pages.count; i++) {
    const struct drawing_page *page = &r->d->pages.at[i];
    for (size_t t = 0; t < page->transitions.count; t++) {
      const char *name = page->transitions.at[t].subpage;
      size_t k = 0;
      while (name && k < r->d->pages.count && strcmp(r->d->pages.at[k].name, name) != 0) k++;
      if (name && k == r->d->pages.count) {
        char shown[80];
        return err_input(r->err, page->transitions.at[t].text_place, "there is no page \"%s\"", err_quote(shown, sizeof shown, name, strlen(name)));
      }
    }
  }
  return 0;
}

/* Places of different pages may have the same name, and ids must be unique: 1.Send, 2.Send. Pairs speak of places of two pages. */
static int give_ids(struct reader *r) {
  struct drawing *d = r->d;
  for (size_t i = 0; i < d->pages.count; i++) {
    struct drawing_page *page = &d->pages.at[i];
    for (size_t k = 0; k < page->places.count + page->transitions.count; k++) {
      int place = k < page->places.count;
      const char *name = place ? page->places.at[k].name : page->transitions.at[k - page->places.count].name;
      size_t room = strlen(name) + 32;
      char *id = arena_alloc(&d->arena, room);
      if (!id) return no_memory(r);
      snprintf(id, room, "%zu.%c.%s", i + 1, place ? 'p' : 't', name);
      if (place) page->places.at[k].id = id;
      else page->transitions.at[k - page->places.count].id = id;
    }
  }
  return 0;
}

static const char *id_of(const struct drawing_page *page, const char *name) {
  for (size_t i = 0; page && i < page->places.count; i++)
    if (strcmp(page->places.at[i].name, name) == 0) return page->places.at[i].id;
  return NULL;
}

static int find_pairs(struct reader *r) {
  struct drawing *d = r->d;
  for (size_t i = 0; i < d->pages.count; i++)
    for (size_t t = 0; t < d->pages.at[i].transitions.count; t++) {
      struct drawing_transition *x = &d->pages.at[i].transitions.at[t];
      const struct drawing_page *sub = NULL;
      for (size_t k = 0; x->subpage && k < d->pages.count; k++)
        if (strcmp(d->pages.at[k].name, x->subpage) == 0) sub = &d->pages.at[k];
      for (size_t k = 0; k < x->pairs.count; k++) {
        const char *socket = id_of(&d->pages.at[i], x->pairs.at[k].socket), *port = id_of(sub, x->pairs.at[k].port);
        char shown[80];
        if (!socket || !port) {
          const char *name = socket ? x->pairs.at[k].port : x->pairs.at[k].socket;
          return err_input(r->err, x->text_place, "%s has no place \"%s\" to join", socket ? "the page below" : "the page", err_quote(shown, sizeof shown, name, strlen(name)));
        }
        x->pairs.at[k] = (struct drawing_pair){socket, port};
      }
    }
  return 0;
}

int cpnt_read(struct drawing *d, const char *text, size_t length, struct err *e) {
  if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, length -= 3; /* a byte order mark */
  struct reader r = {.d = d, .err = e, .text = text, .length = length};
  size_t odd = front_bad_text(text, length);
  int bad = odd < length ? fail(&r, odd, "here the file is no text in UTF-8") : split(&r);
  next_line(&r);
  d->name = "";
  while (!bad && here(&r)) {
    if (here(&r)->in) bad = fail(&r, r.at, "this line stands further in than what it could belong to");
    else if (take_word(&r, "net")) bad = (d->name = take_name(&r, "net", NULL)) ? end_line(&r) : -1;
    else if (take_word(&r, "time")) {
      d->real_time = take_word(&r, "real");
      bad = d->real_time ? end_line(&r) : fail(&r, r.at, "time is whole numbers unless the net says: time real");
    } else if (take_word(&r, "declare")) bad = read_declarations(&r);
    else if (take_word(&r, "page")) bad = read_page(&r);
    else bad = fail(&r, r.at, "a net has net, time, declare and page");
  }
  if (!bad) bad = find_places(&r) || find_subpages(&r) || give_ids(&r) || find_pairs(&r) ? -1 : 0;
  if (!bad && !d->pages.count) bad = err_input(e, (struct place_in_text){d->file, 1, 1}, "the net has no pages");
  vec_free(&r.line, d->mem);
  vec_free(&r.pending, d->mem);
  return bad;
}
