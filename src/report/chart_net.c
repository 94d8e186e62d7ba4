/* chart_net.c -- charts of nets, and of anything else that has transitions with names.
 *
 * Where a transition happens is told by a mapping (chart_map.h), or by the names of those that the trace has: the first convention counts that
 * fits all of them and makes at least two lifelines.
 *
 *   pages       Sender'Send, Receiver'Receive 2   -> Sender, Receiver 2
 *   separators  sender.send, a:b, a::b, a/b       -> sender
 *   numbers     left1, done_2, take[3]            -> #1, #2, #3: if some number has several transitions or places
 *   prefixes    sender_send                       -> sender: if some prefix has several transitions; not in coloured nets
 *   otherwise   each transition is a lifeline, or (if they are many) all share one
 *
 * The last is what Westergaard's thesis (section 9.4) begins with.  Beyond it: a place that is empty at the start, to which only some lifelines give
 * and from which only others take, is a channel, and its tokens are messages; in coloured nets the token's value says which message it is. */
#include "report/chart_map.h"
#include "report/chart_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OWN_LINES = 12, MOST_TOKENS = 16, MOST_TERMS = 64, NAME = 300, TEXT = 700 };

enum convention { BY_PAGE, BY_SEPARATOR, BY_NUMBER, BY_PREFIX, BY_TRANSITION, ALL_TOGETHER };

struct span {
  const char *at;
  size_t length;
};

/* A transition of the trace. */
struct home {
  struct span name, page, own, instance; /* own: without page and instance */
  uint32_t lifeline;
  struct span label; /* its name as far as the lifeline does not tell it */
};

struct stage {
  struct chart_maker *maker;
  const struct chart_map *map;
  struct mem *mem;
  struct arena scratch;
  struct chart_names transitions;
  struct vec(struct home) home; /* per transition */
  uint32_t *of_step;            /* transition of each step */
  enum convention convention;
  uint64_t *givers, *takers; /* per variable: lifelines, those from 63 on share a bit */
  uint8_t *channel;          /* per variable: its tokens are messages */
};

/* ---- names -------------------------------------------------------------------------------------------------------------------------- */

static struct home take_apart(const char *name, size_t length) {
  struct home h = {.name = {name, length}, .own = {name, length}};
  const char *quote = memchr(name, '\'', length);
  if (!quote || quote == name || quote + 1 == name + length) return h;
  h.page = (struct span){name, (size_t)(quote - name)};
  h.own = (struct span){quote + 1, length - h.page.length - 1};
  size_t n = h.own.length;
  while (n && isdigit((unsigned char)h.own.at[n - 1])) n--;
  if (n == h.own.length || n < 2 || h.own.at[n - 1] != ' ') return h;
  h.instance = (struct span){h.own.at + n, h.own.length - n};
  h.own.length = n - 1;
  return h;
}

/* What the name says behind the stem: left1, done_2, take[3], t(1). 0 = no number. */
static int number_at_end(struct span s, struct span *stem, struct span *number) {
  size_t end = s.length;
  char close = end ? s.at[end - 1] : 0;
  if (close == ']' || close == ')') end--;
  size_t from = end;
  while (from && isdigit((unsigned char)s.at[from - 1])) from--;
  if (from == end || !from) return 0;
  *number = (struct span){s.at + from, end - from};
  size_t n = from;
  if (close == ']' || close == ')') {
    if (s.at[n - 1] != (close == ']' ? '[' : '(')) return 0;
    n--;
  } else if (s.at[n - 1] == '_' || s.at[n - 1] == '-' || s.at[n - 1] == ' ') n--;
  *stem = (struct span){s.at, n};
  return n > 0;
}

/* The lifeline that a convention gives to a transition, and what is left of its name. 0 = it does not fit. */
static int place_by(enum convention c, const struct home *h, char *out, size_t room, struct span *label) {
  struct span s = h->own, number;
  *label = s;
  switch (c) {
  case BY_PAGE:
    if (!h->page.length) return 0;
    snprintf(out, room, "%.*s%s%.*s", (int)(h->page.length < 200 ? h->page.length : 200), h->page.at, h->instance.length ? " " : "", (int)h->instance.length, h->instance.length ? h->instance.at : "");
    return 1;
  case BY_SEPARATOR:
    for (size_t i = 1; i + 1 < s.length; i++) {
      if (!strchr(".:/", s.at[i])) continue;
      size_t next = i + 1 + (s.at[i] == ':' && s.at[i + 1] == ':');
      if (next >= s.length) return 0;
      *label = (struct span){s.at + next, s.length - next};
      snprintf(out, room, "%.*s", (int)(i < 200 ? i : 200), s.at);
      return 1;
    }
    return 0;
  case BY_NUMBER:
    if (!number_at_end(s, label, &number)) return 0;
    snprintf(out, room, "#%.*s", (int)(number.length < 30 ? number.length : 30), number.at);
    return 1;
  case BY_PREFIX:
    if (h->page.length) return 0; /* there underscores were blanks: Send_data is a sentence */
    for (size_t i = 1; i + 1 < s.length; i++) {
      if (s.at[i] != '_') continue;
      *label = (struct span){s.at + i + 1, s.length - i - 1};
      snprintf(out, room, "%.*s", (int)(i < 200 ? i : 200), s.at);
      return 1;
    }
    return 0;
  case BY_TRANSITION:
    snprintf(out, room, "%.*s", (int)(s.length < 200 ? s.length : 200), s.at);
    *label = (struct span){"", 0};
    return 1;
  case ALL_TOGETHER: break;
  }
  snprintf(out, room, "net");
  return 1;
}

/* Do places have numbers, too, and several places the same one? */
static int numbered_places(struct stage *s) {
  const struct trace_view *v = s->maker->view;
  size_t numbered = 0;
  struct chart_names numbers;
  struct span stem, number;
  chart_names_open(&numbers, &s->scratch, s->mem);
  for (uint32_t i = 0; i < v->trace->vars; i++) {
    const char *name = v->var(v->context, i);
    struct home h = take_apart(name, strlen(name));
    if (!number_at_end(h.own, &stem, &number)) continue;
    numbered++;
    if (chart_names_add(&numbers, number.at, number.length) == CHART_NOBODY) s->maker->failed = 1;
  }
  int are = 2 * numbered >= v->trace->vars && numbers.name.count < numbered;
  chart_names_close(&numbers);
  return are;
}

static int fits(struct stage *s, enum convention c) {
  struct chart_names lives;
  char name[NAME];
  struct span label;
  size_t n = s->home.count, i;
  if (c == ALL_TOGETHER) return 1;
  if (c == BY_TRANSITION) return n <= MOST_OWN_LINES;
  chart_names_open(&lives, &s->scratch, s->mem);
  for (i = 0; i < n && place_by(c, &s->home.at[i], name, sizeof name, &label); i++)
    if (chart_names_add(&lives, name, strlen(name)) == CHART_NOBODY) s->maker->failed = 1;
  size_t different = lives.name.count;
  chart_names_close(&lives);
  if (i < n || different < 2) return 0;
  return c == BY_PAGE || c == BY_SEPARATOR || different < n || (c == BY_NUMBER && numbered_places(s));
}

/* Numbers in their order, other names in the order of the run. */
static int by_number(const void *a, const void *b) {
  const char *x = *(const char *const *)a, *y = *(const char *const *)b;
  size_t m = strlen(x), n = strlen(y);
  return m != n ? (m < n ? -1 : 1) : strcmp(x, y);
}

static void order_numbers(struct stage *s) {
  struct vec(const char *) all = {0};
  char name[NAME];
  struct span label;
  for (size_t i = 0; i < s->home.count; i++) {
    place_by(BY_NUMBER, &s->home.at[i], name, sizeof name, &label);
    const char *copy = arena_strndup(&s->scratch, name, strlen(name));
    if (!copy || vec_push(&all, s->mem, MEM_OTHER, copy)) s->maker->failed = 1;
  }
  if (all.count && !s->maker->failed) qsort(all.at, all.count, sizeof *all.at, by_number);
  for (size_t i = 0; i < all.count && !s->maker->failed; i++) chart_lifeline(s->maker, all.at[i], strlen(all.at[i]));
  vec_free(&all, s->mem);
}

/* The lifeline of a transition by convention; it is made when it is first asked for. */
static uint32_t home_of(struct stage *s, struct home *h) {
  char name[NAME];
  if (h->lifeline != CHART_NOBODY) return h->lifeline;
  place_by(s->convention, h, name, sizeof name, &h->label);
  const char *file = trace_base_name(s->maker->view->file);
  if (s->convention == ALL_TOGETHER && *file) snprintf(name, sizeof name, "%.200s", file);
  return h->lifeline = chart_lifeline(s->maker, name, strlen(name));
}

static void find_transitions(struct stage *s) {
  const struct trace_view *v = s->maker->view;
  size_t n = v->trace->count;
  s->of_step = mem_alloc(s->mem, MEM_OTHER, (n + 1) * sizeof *s->of_step);
  if (!s->of_step) s->maker->failed = 1;
  for (size_t i = 0; i < n && !s->maker->failed; i++) {
    const char *name = v->step(v->context, v->trace, i);
    uint32_t t = s->of_step[i] = chart_names_add(&s->transitions, name, strlen(name));
    if (t == CHART_NOBODY) s->maker->failed = 1;
    else if (t == s->home.count) {
      struct home h = take_apart(s->transitions.name.at[t], strlen(name));
      h.lifeline = CHART_NOBODY;
      if (vec_push(&s->home, s->mem, MEM_OTHER, h)) s->maker->failed = 1;
    }
  }
  s->convention = BY_PAGE;
  while (!s->maker->failed && !fits(s, s->convention)) s->convention++;
}

/* ---- what a step says ------------------------------------------------------------------------------------------------------------------ */

/* n=1,p="a": behind the name of the transition; empty where there is none. */
static struct span binding_of(const struct stage *s, size_t step) {
  const struct trace *t = s->maker->trace;
  if (!t->part_start || t->part_start[step] == t->part_start[step + 1]) return (struct span){"", 0};
  const char *text = t->part[t->part_start[step]].statement;
  size_t name = s->home.at[s->of_step[step]].name.length, length = strlen(text);
  if (length < name + 3 || text[name] != ' ' || text[name + 1] != '{' || text[length - 1] != '}') return (struct span){"", 0};
  return (struct span){text + name + 2, length - name - 3};
}

/* Where the value that begins at i ends: at the next comma that is in no brackets and no string. */
static size_t value_end(struct span b, size_t i) {
  int depth = 0;
  for (; i < b.length; i++) {
    char c = b.at[i];
    if (c == '"') {
      for (i++; i < b.length && b.at[i] != '"'; i++) i += b.at[i] == '\\';
    } else if (strchr("([{", c)) depth++;
    else if (strchr(")]}", c)) depth--;
    else if (c == ',' && depth <= 0) break;
  }
  return i < b.length ? i : b.length;
}

static int variable(struct span b, const char *name, size_t length, struct span *value) {
  for (size_t i = 0; i < b.length;) {
    const char *equals = memchr(b.at + i, '=', b.length - i);
    if (!equals) return 0;
    size_t from = (size_t)(equals - b.at) + 1, end = value_end(b, from);
    if (from - 1 - i == length && memcmp(b.at + i, name, length) == 0) {
      *value = (struct span){b.at + from, end - from};
      return 1;
    }
    i = end + 1;
  }
  return 0;
}

/* ---- a mapping -------------------------------------------------------------------------------------------------------------------------- */

struct moment {
  const struct home *home;
  struct span binding;
  struct chart_stars stars;
};

/* A value of strings without its quotes: labels read better so. */
static struct span without_quotes(struct span v) {
  if (v.length >= 2 && v.at[0] == '"' && v.at[v.length - 1] == '"' && !memchr(v.at + 1, '"', v.length - 2)) return (struct span){v.at + 1, v.length - 2};
  return v;
}

static int meaning(const struct moment *w, const char *name, size_t length, struct span *out) {
  const struct {
    const char *name;
    struct span value;
  } words[] = {{"name", w->home->own}, {"page", w->home->page}, {"instance", w->home->instance}, {"binding", w->binding}};
  if (length == 1 && *name >= '1' && *name <= '9' && w->stars.star[*name - '1'].text) {
    *out = (struct span){w->stars.star[*name - '1'].text, w->stars.star[*name - '1'].length};
    return 1;
  }
  if (variable(w->binding, name, length, out)) {
    *out = without_quotes(*out);
    return 1;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i].name) == length && memcmp(words[i].name, name, length) == 0) {
      *out = words[i].value.at ? words[i].value : (struct span){"", 0};
      return 1;
    }
  return 0;
}

/* Braces are replaced by what they mean; what means nothing stays. */
static size_t expand(const struct moment *w, const char *text, char *out, size_t room) {
  size_t used = 0;
  for (size_t i = 0; text[i] && used + 1 < room;) {
    const char *close = text[i] == '{' ? strchr(text + i, '}') : NULL;
    struct span v;
    if (close && meaning(w, text + i + 1, (size_t)(close - text) - i - 1, &v)) {
      size_t n = v.length < room - 1 - used ? v.length : room - 1 - used;
      memcpy(out + used, v.at, n);
      used += n;
      i = (size_t)(close - text) + 1;
    } else out[used++] = text[i++];
  }
  out[used] = 0;
  return used;
}

static int matches(const char *pattern, const struct home *h, struct chart_stars *stars) {
  size_t with_page = h->page.length ? h->page.length + 1 + h->own.length : 0;
  return chart_pattern(pattern, h->own.at, h->own.length, stars) || chart_pattern(pattern, h->name.at, h->name.length, stars) ||
         (with_page && chart_pattern(pattern, h->name.at, with_page, stars));
}

static const struct chart_block *block_of(const struct chart_map *map, struct moment *w) {
  for (size_t i = 0; i < map->block.count; i++) {
    const struct chart_block *b = &map->block.at[i];
    struct span value;
    int found = 0;
    for (uint32_t p = 0; p < b->patterns && !found; p++) found = matches(b->pattern[p], w->home, &w->stars);
    if (!found) continue;
    if (!b->variable) return b;
    int equal = variable(w->binding, b->variable, strlen(b->variable), &value);
    if (equal) {
      struct span bare = without_quotes(value);
      size_t n = strlen(b->value);
      equal = (value.length == n && memcmp(value.at, b->value, n) == 0) || (bare.length == n && memcmp(bare.at, b->value, n) == 0);
    }
    if (equal != b->unequal) return b;
  }
  w->stars = (struct chart_stars){0};
  return NULL;
}

static uint32_t line_of(struct stage *s, const struct moment *w, const char *template) {
  char name[NAME];
  if (!template) return CHART_NOBODY;
  size_t length = expand(w, template, name, sizeof name);
  return chart_lifeline(s->maker, name, length);
}

static void key_of(struct stage *s, const struct moment *w, const struct chart_deed *d, const char **channel) {
  char text[TEXT];
  size_t length = expand(w, d->channel, text, sizeof text);
  *channel = chart_text(s->maker, text, length);
  chart_key_begin(s->maker);
  chart_key_add(s->maker, "=", 1); /* not a place */
  chart_key_add(s->maker, text, length);
  length = d->key ? expand(w, d->key, text, sizeof text) : 0;
  chart_key_add(s->maker, text, length);
}

static void act(struct stage *s, const struct moment *w, const struct chart_deed *d) {
  struct chart_maker *m = s->maker;
  char label[TEXT];
  size_t length = expand(w, d->label ? d->label : d->kind == CHART_DO_EVENT && w->binding.length ? "{name} ({binding})" : "{name}", label, sizeof label);
  uint32_t who = line_of(s, w, d->who), whom = line_of(s, w, d->whom);
  const char *channel;
  switch (d->kind) {
  case CHART_DO_EVENT: chart_push_action(m, who, label, length); break;
  case CHART_DO_MESSAGE: chart_push_meeting(m, who, whom, label, length, NULL); break;
  case CHART_DO_SEND:
    key_of(s, w, d, &channel);
    chart_send(m, who, label, length, channel);
    break;
  case CHART_DO_RECEIVE:
    key_of(s, w, d, &channel);
    chart_receive(m, who, label, length, channel);
    break;
  case CHART_DO_LOSE:
    key_of(s, w, d, &channel);
    chart_lose(m);
    break;
  case CHART_DO_CREATE: chart_push_create(m, who, whom, label, length); break;
  case CHART_DO_END: chart_push_end(m, who); break;
  case CHART_DO_HIDE: break;
  }
}

/* ---- tokens ------------------------------------------------------------------------------------------------------------------------------ */

struct term {
  struct span value;
  int64_t count;
};

/* 2`(1,"a")++1`(2,"b"): -1 if it is cut or anything else. */
static int terms_of(const char *text, struct term *out) {
  struct span all = {text, strlen(text)};
  int n = 0;
  if (strcmp(text, "empty") == 0) return 0;
  if (all.length >= 3 && strcmp(text + all.length - 3, "...") == 0) return -1;
  for (size_t i = 0; i < all.length;) {
    int64_t count = 0;
    if (n == MOST_TERMS || !isdigit((unsigned char)text[i])) return -1;
    while (isdigit((unsigned char)text[i]) && count < INT32_MAX) count = 10 * count + text[i++] - '0';
    if (text[i] != '`') return -1;
    size_t from = ++i, end;
    int depth = 0;
    for (end = from; end < all.length; end++) {
      char c = text[end];
      if (c == '"') {
        for (end++; end < all.length && text[end] != '"'; end++) end += text[end] == '\\';
      } else if (strchr("([{", c)) depth++;
      else if (strchr(")]}", c)) depth--;
      else if (c == '+' && text[end + 1] == '+' && depth <= 0) break;
    }
    if (end > all.length) end = all.length;
    out[n++] = (struct term){{text + from, end - from}, count};
    i = end < all.length ? end + 2 : end;
    if (text[i] == '+') i++; /* of timed markings: +++ */
    while (text[i] == ' ' || text[i] == '\n') i++;
  }
  return n;
}

/* What a change gives (positive) or takes, value by value. -1: nobody can tell. */
static int tokens_of(const struct trace_change *c, struct term *out) {
  struct term from[MOST_TERMS], to[MOST_TERMS];
  if (!c->words) {
    out[0] = (struct term){{"", 0}, c->to - c->from};
    return 1;
  }
  if (!c->words->from || !c->words->to) return -1;
  int a = terms_of(c->words->from, from), b = terms_of(c->words->to, to), n = 0;
  if (a < 0 || b < 0) return -1;
  for (int i = 0; i < a; i++) from[i].count = -from[i].count;
  for (int j = 0; j < b; j++)
    for (int i = 0; i < a && to[j].count > 0; i++)
      if (from[i].value.length == to[j].value.length && memcmp(from[i].value.at, to[j].value.at, to[j].value.length) == 0) from[i].count += to[j].count, to[j].count = 0;
  for (int i = 0; i < a; i++)
    if (from[i].count) out[n++] = from[i];
  for (int j = 0; j < b; j++)
    if (to[j].count) out[n++] = to[j];
  return n;
}

static uint64_t bit(uint32_t lifeline) { return UINT64_C(1) << (lifeline < 63 ? lifeline : 63); }

static int named_place(const struct chart_map *map, const char *name) {
  struct home h = take_apart(name, strlen(name));
  for (size_t i = 0; i < map->place.count; i++)
    if (matches(map->place.at[i], &h, NULL)) return 1;
  return 0;
}

/* Which places are channels: by the mapping, or because one side gives and another takes. */
static void find_channels(struct stage *s) {
  const struct trace_view *v = s->maker->view;
  const struct trace *t = v->trace;
  struct term token[2 * MOST_TERMS];
  s->givers = mem_alloc(s->mem, MEM_OTHER, (t->vars + 1) * sizeof *s->givers);
  s->takers = mem_alloc(s->mem, MEM_OTHER, (t->vars + 1) * sizeof *s->takers);
  s->channel = mem_alloc(s->mem, MEM_OTHER, t->vars + 1);
  if (!s->givers || !s->takers || !s->channel) {
    s->maker->failed = 1;
    return;
  }
  for (size_t i = 0; i < t->vars; i++) {
    if (s->map) s->channel[i] = s->map->place.count && named_place(s->map, v->var(v->context, (uint32_t)i));
    else s->channel[i] = t->start ? strcmp(t->start[i].to, "empty") == 0 : t->initial[i] == 0;
  }
  if (s->convention == ALL_TOGETHER && !s->map) memset(s->channel, 0, t->vars);
  for (size_t i = 0; i < t->count && !s->maker->failed; i++) {
    uint64_t me = bit(s->map ? 0 : home_of(s, &s->home.at[s->of_step[i]]));
    for (size_t c = t->change_start[i]; c < t->change_start[i + 1]; c++) {
      uint32_t var = t->change[c].var;
      if (!s->channel[var]) continue;
      int n = tokens_of(&t->change[c], token);
      if (n < 0 || n > MOST_TOKENS) s->channel[var] = 0;
      for (int k = 0; k < n; k++) {
        if (token[k].count > MOST_TOKENS || token[k].count < -MOST_TOKENS) s->channel[var] = 0;
        *(token[k].count > 0 ? &s->givers[var] : &s->takers[var]) |= me;
      }
    }
  }
  for (size_t i = 0; i < t->vars && !s->map; i++)
    if (!s->givers[i] || !s->takers[i] || (s->givers[i] & s->takers[i])) s->channel[i] = 0;
}

/* The messages that a step takes (given 0) or gives (1). How many. */
static size_t pass_tokens(struct stage *s, size_t step, uint32_t me, int given) {
  const struct trace_view *v = s->maker->view;
  const struct trace *t = v->trace;
  struct term token[2 * MOST_TERMS];
  size_t passed = 0;
  for (size_t c = t->change_start[step]; c < t->change_start[step + 1]; c++) {
    const struct trace_change *change = &t->change[c];
    if (!s->channel[change->var]) continue;
    const char *name = v->var(v->context, change->var);
    struct home place = take_apart(name, strlen(name));
    int n = tokens_of(change, token);
    for (int k = 0; k < n; k++) {
      int64_t count = token[k].count;
      if ((count > 0) != given) continue;
      const char *channel = chart_text(s->maker, place.own.at, place.own.length);
      for (int64_t i = 0; i < (count > 0 ? count : -count); i++, passed++) {
        chart_key_begin(s->maker);
        chart_key_add(s->maker, (const char *)&change->var, sizeof change->var);
        chart_key_add(s->maker, token[k].value.at, token[k].value.length);
        if (given) chart_send(s->maker, me, token[k].value.at, token[k].value.length, channel);
        else chart_receive(s->maker, me, token[k].value.at, token[k].value.length, channel);
      }
    }
  }
  return passed;
}

/* ---- steps ---------------------------------------------------------------------------------------------------------------------------------- */

static void tell_by_name(struct stage *s, size_t step, struct home *h) {
  char label[TEXT];
  uint32_t me = home_of(s, h);
  struct span b = binding_of(s, step);
  size_t rows = s->maker->row_event.count;
  int length = snprintf(label, sizeof label, "%.*s%s%.*s%s", (int)(h->label.length < 200 ? h->label.length : 200), h->label.at, b.length ? h->label.length ? " (" : "(" : "",
                        (int)(b.length < 400 ? b.length : 400), b.at, b.length ? b.length < 400 ? ")" : "...)" : "");
  pass_tokens(s, step, me, 0);
  if (!h->label.length && b.length && s->maker->row_event.count == rows + 1) length = 0; /* the message tells it */
  if (length) chart_push_action(s->maker, me, label, (size_t)length);
  size_t sent = pass_tokens(s, step, me, 1);
  if (!sent && !s->maker->failed && s->maker->row_event.count == rows) chart_push_action(s->maker, me, label, (size_t)length);
}

static void tell_by_map(struct stage *s, size_t step, struct home *h) {
  struct moment w = {.home = h, .binding = binding_of(s, step)};
  const struct chart_block *b = block_of(s->map, &w);
  if (!b) {
    tell_by_name(s, step, h);
    return;
  }
  uint32_t me = CHART_NOBODY;
  for (uint32_t i = 0; i < b->deeds && me == CHART_NOBODY; i++)
    if (b->deed[i].kind != CHART_DO_CREATE) me = line_of(s, &w, b->deed[i].who);
  if (me != CHART_NOBODY) pass_tokens(s, step, me, 0);
  for (uint32_t i = 0; i < b->deeds && !s->maker->failed; i++) act(s, &w, &b->deed[i]);
  if (me != CHART_NOBODY) pass_tokens(s, step, me, 1);
}

void chart_of_net(struct chart_maker *m, const struct chart_map *map) {
  struct stage s = {.maker = m, .map = map, .mem = m->chart->mem};
  arena_open(&s.scratch, s.mem, MEM_OTHER);
  chart_names_open(&s.transitions, &s.scratch, s.mem);
  find_transitions(&s);
  for (size_t i = 0; map && i < map->lifeline.count; i++) chart_lifeline(m, map->lifeline.at[i], strlen(map->lifeline.at[i]));
  if (!map && !m->failed && s.convention == BY_NUMBER) order_numbers(&s);
  if (!m->failed) find_channels(&s);
  for (size_t i = 0; i < m->trace->count && !m->failed; i++) {
    struct home *h = &s.home.at[s.of_step[i]];
    chart_step_begin(m, i);
    if (map) tell_by_map(&s, i, h);
    else tell_by_name(&s, i, h);
  }
  mem_free(s.mem, s.of_step);
  mem_free(s.mem, s.givers);
  mem_free(s.mem, s.takers);
  mem_free(s.mem, s.channel);
  vec_free(&s.home, s.mem);
  chart_names_close(&s.transitions);
  arena_close(&s.scratch);
}
