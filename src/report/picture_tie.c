/* picture_tie.c -- what the attributes of a picture mean in a model, and what they say in a state.
 *
 *   text    Packets: {full} of {full + free}     pieces: literal text, variables by name, expressions
 *   show    busy && !done                        one expression; turn and count likewise
 *   move    40 * where, 0                        two
 *   fill    busy: tomato; ready > 1: #0a0; grey  conditions with colours; the first that is true, the last without one always
 *   click   Send *, Drop                         patterns of transitions; on likewise
 *
 * Variables of processes may not be there before the process is: what is not known is tried again in every state. */
#include "report/picture.h"

#include "base/near.h"
#include "report/chart_map.h"

#include <ctype.h>
#include <string.h>

enum { NAME = 300, LONGEST = 4000, SHOWN_WITHOUT = 200 };

static int memory(struct err *e) { return err_memory(e, "a picture"); }

static int problem(struct picture *p, long line, const char *text, struct err *e) {
  const char *copy = arena_strndup(&p->text, text, strlen(text));
  if (p->problem.count > 400) return 0;
  return copy && !vec_push(&p->problem, p->mem, MEM_OTHER, (struct picture_problem){line, copy}) ? 0 : memory(e);
}

/* ---- taking attributes apart --------------------------------------------------------------------------------------------------------------- */

struct pieces {
  struct picture *p;
  struct vec(struct picture_piece) all;
  int failed;
};

static void piece(struct pieces *s, const char *literal, size_t literal_length, const char *source, size_t length) {
  struct picture_piece one = {.var = -1};
  while (length && isspace((unsigned char)*source)) source++, length--;
  while (length && isspace((unsigned char)source[length - 1])) length--;
  if (literal) one.literal = arena_strndup(&s->p->text, literal, literal_length);
  if (length) one.source = arena_strndup(&s->p->text, source, length);
  if ((literal && !one.literal) || (length && !one.source) || vec_push(&s->all, s->p->mem, MEM_OTHER, one)) s->failed = 1;
}

static void take_text(struct pieces *s, const char *t) {
  if (!strchr(t, '{')) {
    piece(s, NULL, 0, t, strlen(t));
    return;
  }
  while (*t) {
    const char *open = strchr(t, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close) {
      piece(s, t, strlen(t), NULL, 0);
      return;
    }
    if (open > t) piece(s, t, (size_t)(open - t), NULL, 0);
    piece(s, NULL, 0, open + 1, (size_t)(close - open) - 1);
    t = close + 1;
  }
}

/* The end of a part that ends with one of these signs outside of brackets and quotes. */
static size_t part_end(const char *t, char sign) {
  int depth = 0;
  size_t i = 0;
  for (; t[i]; i++) {
    if (t[i] == '"' || t[i] == '\'') {
      const char *close = strchr(t + i + 1, t[i]);
      if (close) i = (size_t)(close - t);
    } else if (strchr("([{", t[i])) depth++;
    else if (strchr(")]}", t[i])) depth--;
    else if (t[i] == sign && depth <= 0) break;
  }
  return i;
}

static void take_list(struct pieces *s, const char *t) {
  for (;;) {
    size_t n = part_end(t, ',');
    piece(s, NULL, 0, t, n);
    if (!t[n]) return;
    t += n + 1;
  }
}

/* A colour is letters, digits and what rgb() needs: whatever else it could be, it is not let through. */
static int is_colour(const char *t, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isalnum((unsigned char)t[i]) && !strchr("#(),.% -", t[i])) return 0;
  return n > 0 && n < 60 && picture_style(t, n);
}

static const char *take_colours(struct pieces *s, const char *t) {
  while (*t) {
    size_t n = part_end(t, ';'), colon = n;
    while (colon && t[colon - 1] != ':') colon--;
    const char *colour = t + colon;
    size_t length = n - colon;
    while (length && isspace((unsigned char)*colour)) colour++, length--;
    while (length && isspace((unsigned char)colour[length - 1])) length--;
    if (length || colon) {
      if (!is_colour(colour, length)) return "what stands behind the last ':' of each part must be a colour: red, #0a0, rgb(1, 2, 3)";
      piece(s, colour, length, t, colon ? colon - 1 : 0);
    }
    t += n + (t[n] == ';');
  }
  return NULL;
}

/* ---- names --------------------------------------------------------------------------------------------------------------------------------------- */

static int resolve(struct picture *p, const struct picture_tie *t, struct picture_piece *one, struct err *why) {
  const struct model *m = p->model;
  if (!one->source || one->expr || one->var >= 0) return 0;
  size_t length = strlen(one->source);
  if (t->kind == PICTURE_TEXT) {
    const char *name = one->source;
    if (length > 2 && (name[0] == '"' || name[0] == '\'') && name[length - 1] == name[0]) name++, length -= 2;
    one->var = m->type->find_var(m, name, length);
    if (one->var >= 0) return 0;
  }
  return expr_parse(&one->expr, m, p->mem, one->source, p->name, why);
}

static int lasting(const struct model *m) { return m->type->stands == NULL; } /* names do not come and go with processes */

static int tie_values(struct picture *p, struct picture_tie *t, struct err *e) {
  struct pieces s = {.p = p};
  const char *wrong = NULL;
  char text[500];
  switch (t->kind) {
  case PICTURE_TEXT: take_text(&s, t->source); break;
  case PICTURE_MOVE: take_list(&s, t->source); break;
  case PICTURE_FILL:
  case PICTURE_STROKE: wrong = take_colours(&s, t->source); break;
  default: piece(&s, NULL, 0, t->source, strlen(t->source)); break;
  }
  if (!wrong && t->kind == PICTURE_MOVE && s.all.count != 2) wrong = "move takes two expressions, x and y, with a comma between them";
  for (size_t i = 0; i <= s.all.count && !wrong; i++)
    if (i < s.all.count ? !s.all.at[i].literal && !s.all.at[i].source : !s.all.count) wrong = "it says nothing";
  t->piece = s.failed ? NULL : arena_alloc(&p->text, (s.all.count + 1) * sizeof *t->piece);
  if (t->piece && s.all.count) memcpy(t->piece, s.all.at, s.all.count * sizeof *t->piece);
  if (t->piece && !wrong) t->pieces = (uint32_t)s.all.count;
  vec_free(&s.all, p->mem);
  if (!t->piece) return memory(e);
  if (wrong) return problem(p, t->line, wrong, e);
  for (uint32_t i = 0; i < t->pieces; i++) {
    struct err why;
    err_clear(&why);
    if (resolve(p, t, &t->piece[i], &why) == 0) continue;
    if (why.kind == ERR_MEMORY) return memory(e);
    snprintf(text, sizeof text, "%.150s: %.200s%s%.80s%s", t->piece[i].source, why.message, why.hint[0] ? " (" : "", why.hint, why.hint[0] ? ")" : "");
    if (!lasting(p->model)) strncat(text, "; it is tried again in every state", sizeof text - strlen(text) - 1);
    if (problem(p, t->line, text, e)) return -1;
  }
  return 0;
}

/* The transition's name with its page, and without. */
static int named(const char *pattern, const char *name) {
  const char *quote = strchr(name, '\'');
  if (chart_pattern(pattern, name, strlen(name), NULL)) return 1;
  if (!quote) return 0;
  size_t own = strlen(quote + 1), n = own;
  while (n && isdigit((unsigned char)quote[n])) n--;
  if (n && n < own && quote[n] == ' ' && chart_pattern(pattern, quote + 1, n - 1, NULL)) return 1; /* without its instance */
  return chart_pattern(pattern, quote + 1, own, NULL);
}

static int tie_groups(struct picture *p, struct picture_tie *t, struct err *e) {
  const struct model *m = p->model;
  struct vec(uint32_t) found = {0};
  char pattern[NAME], text[NAME + 100];
  int bad = 0;
  for (const char *at = t->source; !bad && *at;) {
    size_t n = part_end(at, ','), length = n, before = found.count;
    const char *from = at;
    at += n + (at[n] == ',');
    while (length && isspace((unsigned char)*from)) from++, length--;
    while (length && isspace((unsigned char)from[length - 1])) length--;
    if (length > 1 && (from[0] == '"' || from[0] == '\'') && from[length - 1] == from[0]) from++, length -= 2;
    snprintf(pattern, sizeof pattern, "%.*s", (int)(length < NAME - 1 ? length : NAME - 1), from);
    for (uint32_t g = 0; g < m->groups && !bad; g++)
      if (named(pattern, m->type->group_name(m, g)) && vec_push(&found, p->mem, MEM_OTHER, g)) bad = memory(e);
    if (bad || found.count > before || t->line < 0) continue;
    struct near near;
    near_open(&near, pattern, strlen(pattern));
    for (uint32_t g = 0; g < m->groups; g++) near_offer(&near, m->type->group_name(m, g));
    const char *best = near_best(&near);
    snprintf(text, sizeof text, "no transition is called %s%s%.60s%s", pattern, best ? "; did you mean " : "", best ? best : "", best ? "?" : "");
    bad = problem(p, t->line, text, e);
  }
  if (!bad && found.count) {
    t->group = arena_alloc(&p->text, found.count * sizeof *t->group);
    if (!t->group) bad = memory(e);
    else memcpy(t->group, found.at, found.count * sizeof *t->group), t->groups = (uint32_t)found.count;
    for (size_t i = 0; i < found.count && !bad; i++) p->pictured += !p->has_part[found.at[i]], p->has_part[found.at[i]] = 1;
  }
  vec_free(&found, p->mem);
  return bad;
}

/* By its id: a text shows the variable of that name, any other shape is a button for the transition. */
static int tie_by_id(struct picture *p, struct picture_tie *t, struct err *e) {
  const struct model *m = p->model;
  if (t->kind == PICTURE_TEXT) {
    if (m->type->find_var(m, t->source, strlen(t->source)) < 0) return 0;
    t->line = -t->line;
    t->piece = arena_alloc(&p->text, sizeof *t->piece);
    if (!t->piece) return memory(e);
    t->piece[0] = (struct picture_piece){.source = t->source, .var = m->type->find_var(m, t->source, strlen(t->source))};
    t->pieces = 1;
    return 0;
  }
  if (strpbrk(t->source, "*,\\\"'") && !strchr(t->source, '\'')) return 0; /* an id is no pattern */
  return tie_groups(p, t, e);
}

int picture_tie(struct picture *p, const struct model *m, struct err *e) {
  p->model = m;
  p->has_part = mem_alloc(p->mem, MEM_OTHER, m->groups + 1);
  if (!p->has_part) return memory(e);
  for (size_t i = 0; i < p->tie.count; i++) {
    struct picture_tie *t = &p->tie.at[i];
    int bad = t->line < 0 ? tie_by_id(p, t, e) : t->kind == PICTURE_CLICK || t->kind == PICTURE_ON ? tie_groups(p, t, e) : tie_values(p, t, e);
    if (bad) return -1;
    const char *shape = p->shape.at[t->element];
    if (t->kind == PICTURE_TEXT && strcmp(shape, "text") != 0 && strcmp(shape, "tspan") != 0 && problem(p, t->line, "only text and tspan can show a text", e)) return -1;
  }
  return 0;
}

/* ---- telling ------------------------------------------------------------------------------------------------------------------------------------------ */

static const char *const names[] = {"text", "show", "move", "turn", "fill", "stroke", "count", "click", "on"};

static int works(const struct picture_tie *t) { return t->kind == PICTURE_CLICK || t->kind == PICTURE_ON ? t->groups > 0 : t->pieces > 0; }

void picture_write_json(const struct picture *p, struct json_out *j) {
  json_out_text(j, "file", p->name);
  json_out_text_n(j, "svg", p->svg.at, p->svg.count);
  json_out_array(j, "ties");
  for (size_t i = 0; i < p->tie.count; i++) {
    const struct picture_tie *t = &p->tie.at[i];
    if (!works(t)) continue;
    json_out_object_flat(j, NULL);
    json_out_count(j, "element", t->element);
    json_out_text(j, "kind", names[t->kind]);
    if (t->groups) {
      json_out_array(j, "groups");
      for (uint32_t g = 0; g < t->groups; g++) json_out_count(j, NULL, t->group[g]);
      json_out_end(j);
    }
    json_out_end(j);
  }
  json_out_end(j);
  json_out_array(j, "problems");
  for (size_t i = 0; i < p->problem.count; i++) {
    json_out_object_flat(j, NULL);
    json_out_integer(j, "line", p->problem.at[i].line);
    json_out_text(j, "text", p->problem.at[i].text);
    json_out_end(j);
  }
  json_out_end(j);
  json_out_count(j, "transitions_without", p->model->groups - p->pictured);
  json_out_array(j, "without");
  size_t shown = 0;
  for (uint32_t g = 0; g < p->model->groups && shown < SHOWN_WITHOUT; g++)
    if (!p->has_part[g]) json_out_text(j, NULL, p->model->type->group_name(p->model, g)), shown++;
  json_out_end(j);
}

static int known(struct picture *p, const struct picture_tie *t, struct picture_piece *one) {
  struct err why;
  if (!one->source || one->expr || one->var >= 0) return 1;
  if (lasting(p->model)) return 0;
  err_clear(&why);
  return resolve(p, t, one, &why) == 0;
}

static int64_t number(const struct picture_piece *one, struct model_cursor *c, const uint32_t *state) { return one->expr ? expr_value(one->expr, c, state) : 0; }

static void look_text(struct picture *p, struct picture_tie *t, struct model_cursor *c, const uint32_t *state, struct json_out *j) {
  char text[LONGEST], value[1000];
  size_t used = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < t->pieces && used + 1 < sizeof text; i++) {
    struct picture_piece *one = &t->piece[i];
    const char *shown = one->literal ? one->literal : "?";
    if (one->source && known(p, t, one)) {
      if (one->var >= 0) model_tell_value(p->model, state, (uint32_t)one->var, value, sizeof value);
      else snprintf(value, sizeof value, "%lld", (long long)number(one, c, state));
      shown = value;
    }
    int n = snprintf(text + used, sizeof text - used, "%s", shown);
    used += (size_t)n < sizeof text - used ? (size_t)n : sizeof text - used - 1;
  }
  json_out_text(j, "text", text);
}

static void look_colour(struct picture *p, struct picture_tie *t, struct model_cursor *c, const uint32_t *state, struct json_out *j) {
  for (uint32_t i = 0; i < t->pieces; i++) {
    struct picture_piece *one = &t->piece[i];
    if (one->source && (!known(p, t, one) || !number(one, c, state))) continue;
    json_out_text(j, names[t->kind], one->literal);
    return;
  }
  json_out_null(j, names[t->kind]);
}

void picture_look_json(struct picture *p, struct model_cursor *c, const uint32_t *state, struct json_out *j) {
  json_out_array(j, "looks");
  for (size_t i = 0; i < p->tie.count; i++) {
    struct picture_tie *t = &p->tie.at[i];
    if (!works(t) || t->kind == PICTURE_CLICK || t->kind == PICTURE_ON) continue;
    int all = 1;
    for (uint32_t k = 0; k < t->pieces; k++) all &= known(p, t, &t->piece[k]);
    if (!all && t->kind != PICTURE_TEXT && t->kind != PICTURE_FILL && t->kind != PICTURE_STROKE) continue; /* it stays as it was drawn */
    json_out_object_flat(j, NULL);
    json_out_count(j, "element", t->element);
    switch (t->kind) {
    case PICTURE_TEXT: look_text(p, t, c, state, j); break;
    case PICTURE_SHOW: json_out_bool(j, "show", number(&t->piece[0], c, state) != 0); break;
    case PICTURE_MOVE:
      json_out_array(j, "move");
      json_out_integer(j, NULL, number(&t->piece[0], c, state));
      json_out_integer(j, NULL, number(&t->piece[1], c, state));
      json_out_end(j);
      break;
    case PICTURE_TURN:
    case PICTURE_COUNT: json_out_integer(j, names[t->kind], number(&t->piece[0], c, state)); break;
    default: look_colour(p, t, c, state, j); break;
    }
    json_out_end(j);
  }
  json_out_end(j);
}
