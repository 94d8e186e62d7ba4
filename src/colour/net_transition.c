/* net_transition.c -- the inscriptions of one page, checked and compiled: guards, arcs, delays, priorities, code segments.
 *
 * Each page is done once, however many instances it has.
 *
 * Code segments.  `input (x, y); output (z); action EXPR` is a function of the inputs whose value is z, and of references of the net, which it may change (net_references.c): nothing else is possible in a state space,
 * and the checker refuses what has effects.  It runs when all other variables are bound; its outputs come last in the order of variables.
 * An action without outputs can change a marking by references alone.  If it does not, it is left out, with a warning if it would have had effects elsewhere (files, charts, other programs). */
#include "colour/net_build.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Kept with the net; NULL: memory, told. */
static const char *keep_text(struct net_builder *b, const char *format, va_list list) {
  char text[500];
  vsnprintf(text, sizeof text, format, list);
  char *kept = arena_strndup(&b->net->arena, text, strlen(text));
  if (!kept) err_memory(b->e, "the net");
  return kept;
}

const char *net_where(struct net_builder *b, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const char *kept = keep_text(b, format, list);
  va_end(list);
  return kept;
}

int net_warn(struct net_builder *b, struct place_in_text at, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const char *kept = keep_text(b, format, list);
  va_end(list);
  if (!kept) return -1;
  return vec_push(&b->net->warnings, b->net->mem, MEM_MODEL, ((struct net_warning){at, kept})) ? err_memory(b->e, "the net") : 0;
}

int net_leave_out(struct net_builder *b, const char *what) {
  struct err why = *b->e;
  if (b->setup->draws == COLOUR_CHOOSES || why.kind != ERR_INPUT) return -1;
  err_clear(b->e);
  return net_warn(b, (struct place_in_text){b->net->drawing->file, why.line, why.column}, "%s; %s", why.message, what);
}

/* Names of the drawing on one line. */
static const char *called(char out[120], const char *name) { return flat_clean_name(out, 120, name, strlen(name)); }

struct element { /* what is being checked */
  struct net_builder *b;
  const struct drawing_transition *drawn;
  struct net_transition *t;
  struct net_prototype *p; /* t is its transition; NULL where only a priority is looked for */
};

static int blank(const struct drawing_text *t) {
  for (size_t i = 0; i < t->length; i++)
    if (!isspace((unsigned char)t->text[i])) return 0;
  return 1;
}

static struct ml_text as_text(const struct drawing_text *t, const char *where) {
  return (struct ml_text){t->text, t->length, t->place, where};
}

/* ---- variables ----------------------------------------------------------------------------------------------------------------- */

static int admit(struct element *x, uint32_t number) {
  struct net_transition *t = x->t;
  if (net_local(t, number) >= 0) return 0;
  if (t->variables == NET_VARIABLES)
    return err_limit(x->b->e, "transition %.100s has more than %d variables", x->drawn->name, NET_VARIABLES);
  t->variable[t->variables++] = ml_variable(x->b->net->ml, number);
  return 0;
}

int net_admit(struct net_builder *b, struct net_prototype *p, const struct ml_expr *e, uint64_t after, uint64_t *mask) {
  struct element x = {b, p->drawn, &p->transition, p};
  uint32_t number[NET_VARIABLES + 1];
  size_t n = ml_free_variables_after(e, after, number, NET_VARIABLES + 1);
  if (mask) *mask = 0;
  for (size_t i = 0; i < n && i <= NET_VARIABLES; i++) {
    if (admit(&x, number[i])) return -1;
    if (mask) *mask |= (uint64_t)1 << net_local(&p->transition, number[i]);
  }
  return 0;
}

static int admit_all(struct element *x, const struct ml_expr *e) { return net_admit(x->b, x->p, e, 0, NULL); }

/* ---- guard ------------------------------------------------------------------------------------------------------------------------ */

static int keep_condition(void *context, const struct ml_expr *tree) {
  struct element *x = context;
  struct net *net = x->b->net;
  struct net_condition c = {.tree = tree};
  if (admit_all(x, tree)) return -1;
  x->t->conditions++;
  return vec_push(&net->conditions, net->mem, MEM_MODEL, c) ? err_memory(x->b->e, "the net") : 0;
}

static int check_guard(struct element *x, const char *where) {
  const struct ml_expr *tree;
  x->t->condition = (uint32_t)x->b->net->conditions.count;
  if (blank(&x->drawn->guard)) return 0;
  struct ml_text text = as_text(&x->drawn->guard, where);
  if (ml_check(&tree, x->b->net->ml, &text, ML_WANT_BOOL, NULL, x->b->e)) return -1;
  return inscription_conditions(tree, keep_condition, x);
}

/* ---- time and priority ------------------------------------------------------------------------------------------------------------- */

static int check_delay(struct element *x, const char *where) {
  const struct ml_expr *tree;
  struct drawing_text delay = x->drawn->delay;
  if (blank(&delay)) return 0;
  while (delay.length && isspace((unsigned char)*delay.text)) delay.text++, delay.length--;
  for (const char *sign = "@++"; *sign && delay.length && *delay.text == *sign; sign++) delay.text++, delay.length--, delay.place.column++; /* @+ or @++ */
  if (blank(&delay)) return 0;
  struct ml_text text = as_text(&delay, where);
  if (ml_check(&tree, x->b->net->ml, &text, ML_WANT_DELAY, NULL, x->b->e) || admit_all(x, tree)) return -1;
  x->t->delay_tree = tree;
  return 0;
}

static int constant(struct element *x, const struct ml_text *text, int64_t *out) {
  const struct ml_expr *tree;
  const struct ml_code *code;
  struct net *net = x->b->net;
  ml_value value;
  if (ml_check(&tree, net->ml, text, ML_WANT_INT, NULL, x->b->e)) return -1;
  if (ml_free_variables(tree, NULL, 0)) return err_input(x->b->e, text->place, "%s: a priority must not depend on variables", text->where);
  if (ml_compile(&code, net->ml, tree, ML_WANT_INT, NULL, x->b->e)) return -1;
  if (ml_run(net->machine, code, NULL, 0, &value) != ML_OK)
    return err_input(x->b->e, text->place, "%s: %s", text->where, ml_machine_fault(net->machine));
  *out = ml_to_int(value);
  ml_machine_clear(net->machine);
  return 0;
}

static int check_priority(struct element *x, const char *where) {
  x->t->priority = NET_NORMAL;
  if (blank(&x->drawn->priority) && x->b->normal_known) {
    x->t->priority = x->b->normal;
    return 0;
  }
  if (blank(&x->drawn->priority)) {
    const struct ml_text normal = {"P_NORMAL", 8, x->drawn->text_place, where}; /* where the net declares it */
    struct err quiet = {0};
    struct element silent = {&(struct net_builder){.net = x->b->net, .e = &quiet}, x->drawn, x->t, NULL};
    if (ml_declares(x->b->net->ml, "P_NORMAL")) constant(&silent, &normal, &x->t->priority);
    x->b->normal = x->t->priority;
    x->b->normal_known = 1;
    return 0;
  }
  struct ml_text text = as_text(&x->drawn->priority, where);
  return constant(x, &text, &x->t->priority);
}

/* ---- code segment -------------------------------------------------------------------------------------------------------------------- */

struct reader {
  struct element *x;
  struct drawing_text rest; /* moves on through the text */
  const char *where;
};

static void advance(struct drawing_text *t, size_t n) {
  for (; n && t->length; n--, t->text++, t->length--) {
    if (*t->text == '\n') t->place.line++, t->place.column = 1;
    else t->place.column++;
  }
}

static void skip_space(struct drawing_text *t) {
  for (;;) {
    while (t->length && isspace((unsigned char)*t->text)) advance(t, 1);
    if (t->length < 2 || t->text[0] != '(' || t->text[1] != '*') return;
    while (t->length && !(t->length > 1 && t->text[0] == '*' && t->text[1] == ')')) advance(t, 1);
    advance(t, 2);
  }
}

static int word(struct drawing_text *t, const char *expected) {
  size_t n = strlen(expected);
  skip_space(t);
  if (t->length < n || strncmp(t->text, expected, n) != 0) return 0;
  if (t->length > n && (isalnum((unsigned char)t->text[n]) || t->text[n] == '_' || t->text[n] == '\'')) return 0;
  advance(t, n);
  return 1;
}

static size_t name_length(const struct drawing_text *t) {
  size_t n = 0;
  while (n < t->length && (isalnum((unsigned char)t->text[n]) || t->text[n] == '_' || t->text[n] == '\'')) n++;
  return n;
}

/* (x, y); or x; -- variables of the net.  The semicolon may be missing: outside of brackets the next word of the segment ends them as well. */
static int names(struct reader *r, int output) {
  struct drawing_text *t = &r->rest;
  struct net_builder *b = r->x->b;
  int depth = 0;
  for (skip_space(t); t->length && *t->text != ';'; skip_space(t)) {
    size_t n = name_length(t);
    if (!n && (*t->text == '(' || *t->text == ')' || *t->text == ',')) {
      depth += (*t->text == '(') - (*t->text == ')');
      advance(t, 1);
      continue;
    }
    if (depth <= 0 && n == 6 && (strncmp(t->text, "action", n) == 0 || (!output && strncmp(t->text, "output", n) == 0))) return 0;
    const char *name = n ? ml_name(b->net->ml, t->text, n) : NULL;
    const struct ml_variable *v = name ? ml_find_variable(b->net->ml, name) : NULL;
    if (!v) return err_input(b->e, t->place, "%s: \"%.*s\" is no variable of the net", r->where, (int)(n ? n : 1), t->text);
    if (admit(r->x, v->number)) return -1;
    uint32_t local = (uint32_t)net_local(r->x->t, v->number);
    for (uint32_t i = 0; output && i < r->x->t->outputs; i++)
      if (r->x->t->output[i] == local) return err_input(b->e, t->place, "%s: the output variable %s stands there twice", r->where, name);
    if (output) r->x->t->output[r->x->t->outputs++] = local;
    if (r->x->t->outputs == NET_VARIABLES) return err_limit(b->e, "a code segment has too many outputs");
    advance(t, n);
  }
  if (t->length) advance(t, 1);
  return 0;
}

/* Does the value of the action fit the outputs? */
static int outputs_fit(struct element *x, struct ml_type *type) {
  struct net_transition *t = x->t;
  type = ml_type_find(type);
  if (t->outputs == 1) return inscription_same_type(type, t->variable[t->output[0]]->colset->type);
  if (type->kind != ML_TYPE_TUPLE || type->parts != t->outputs) return 0;
  for (uint32_t i = 0; i < t->outputs; i++)
    if (!inscription_same_type(type->part[i], t->variable[t->output[i]]->colset->type)) return 0;
  return 1;
}

/* An action that gives nothing back. */
static int check_effects(struct element *x, const struct ml_text *text) {
  struct ml_effects effects;
  if (ml_check_action(&x->t->action_tree, &effects, x->b->net->ml, text, x->b->e)) return -1;
  x->p->refused = effects.refused;
  x->p->writes = effects.writes;
  return 0;
}

static int check_code(struct element *x, const char *where) {
  struct reader r = {x, x->drawn->code, where};
  struct net_builder *b = x->b;
  const struct ml_expr *tree;
  if (blank(&x->drawn->code)) return 0;
  if (word(&r.rest, "input") && names(&r, 0)) return -1;
  if (word(&r.rest, "output") && names(&r, 1)) return -1;
  if (!word(&r.rest, "action")) {
    skip_space(&r.rest);
    if (!r.rest.length && !x->t->outputs) return 0;
    return err_input(b->e, r.rest.place, "%s: a code segment is: input (x, y); output (z); action EXPRESSION", where);
  }
  while (r.rest.length && (isspace((unsigned char)r.rest.text[r.rest.length - 1]) || r.rest.text[r.rest.length - 1] == ';')) r.rest.length--;
  skip_space(&r.rest);
  if (!r.rest.length && !x->t->outputs) return 0;
  struct ml_text text = as_text(&r.rest, where);
  x->p->code = text;
  if (!x->t->outputs) return check_effects(x, &text);
  const struct ml_colset *output[NET_VARIABLES];
  for (uint32_t i = 0; i < x->t->outputs; i++) output[i] = x->t->variable[x->t->output[i]]->colset;
  if (ml_check_segment(&tree, b->net->ml, &text, output, x->t->outputs, b->e)) return -1;
  if (!outputs_fit(x, tree->type)) {
    char type[200];
    err_input(b->e, r.rest.place, "%s: the action is of type %s, which does not fit the %u output variables", where,
              ml_type_print(tree->type, type, sizeof type), x->t->outputs);
    if (ml_left_out(b->net->ml)) err_hint(b->e, "%s: such a call is left out and gives ()", ml_left_out(b->net->ml));
    return -1;
  }
  x->t->action_tree = tree;
  return admit_all(x, tree);
}

/* ---- arcs ------------------------------------------------------------------------------------------------------------------------------- */

static int check_arc(struct element *x, struct net_prototype *p, const struct drawing_arc *arc) {
  struct net_builder *b = x->b;
  char page[120], transition[120], place[120];
  const struct drawing_place *at = &b->page->places.at[arc->at_place];
  const struct ml_colset *colset = b->colset[arc->at_place];
  struct net_arc a = {.place = arc->at_place, .kind = arc->kind, .at = arc->place};
  if (arc->kind != DRAWING_INHIBITOR && arc->kind != DRAWING_RESET) {
    const char *where = net_where(b, "page %s, transition %s, arc %s %s", called(page, b->page->name), called(transition, x->drawn->name),
                                  arc->kind == DRAWING_TO_PLACE ? "to" : "from", called(place, at->name));
    if (!where) return -1;
    struct ml_text text = as_text(&arc->inscription, where);
    if (blank(&arc->inscription)) {
      const struct ml_type *type = ml_type_find(colset->type);
      if (type->kind != ML_TYPE_TUPLE || type->parts)
        return err_input(b->e, arc->place, "%s: the arc has no inscription, which stands for (), but the colour set %s of the place has no ()", where, colset->name);
      text.text = "()";
      text.length = 2;
    }
    if (ml_check(&a.tree, b->net->ml, &text, arc->kind == DRAWING_TO_PLACE ? ML_WANT_GIVEN : ML_WANT_MULTISET, colset, b->e)) return -1;
    if (arc->kind != DRAWING_TO_PLACE && inscription_stamped(a.tree))
      return err_input(b->e, arc->inscription.place, "%s: @ gives tokens a time stamp; an arc that takes tokens may say @+ D: up to D before they are ready", where);
    b->net->early |= arc->kind != DRAWING_TO_PLACE && inscription_timed(a.tree);
    if (admit_all(x, a.tree)) return -1;
  }
  p->transition.arcs++;
  return vec_push(&p->arcs, b->net->mem, MEM_MODEL, a) ? err_memory(b->e, "the net") : 0;
}

static int check_transition(struct net_builder *b, uint32_t index) {
  const struct drawing_transition *drawn = &b->page->transitions.at[index];
  char page[120], name[120];
  if (vec_push(&b->prototypes, b->net->mem, MEM_MODEL, (struct net_prototype){.on_page = index, .drawn = drawn, .colset = b->colset})) return err_memory(b->e, "the net");
  struct net_prototype *p = &b->prototypes.at[b->prototypes.count - 1];
  struct element x = {b, drawn, &p->transition, p};
  called(page, b->page->name);
  called(name, drawn->name);
  const char *guard = net_where(b, "page %s, transition %s, guard", page, name);
  const char *delay = net_where(b, "page %s, transition %s, time", page, name);
  const char *priority = net_where(b, "page %s, transition %s, priority", page, name);
  const char *code = net_where(b, "page %s, transition %s, code segment", page, name);
  p->where = net_where(b, "page %s, transition %s", page, name);
  if (!p->where || !guard || !delay || !priority || !code) return -1;
  p->transition.at = drawn->text_place;
  if (!blank(&drawn->channel)) {
    b->lacks = 1;
    return err_input(b->e, drawn->channel.place, "%s: it takes part in a channel, and transitions that occur together are not supported", p->where);
  }
  for (uint32_t k = b->first_arc[index]; k != UINT32_MAX; k = b->next_arc[k])
    if (check_arc(&x, p, &b->page->arcs.at[k])) return -1;
  return check_guard(&x, guard) || check_delay(&x, delay) || check_priority(&x, priority) || check_code(&x, code) ? -1 : 0;
}

/* It cannot be understood, or is to be forgotten. */
static int leave_out(struct net_builder *b) {
  struct net_prototype *p = &b->prototypes.at[b->prototypes.count - 1];
  int lacks = b->lacks || ml_lacks(b->net->ml);
  b->lacks = 0;
  if (!lacks || net_leave_out(b, "the transition is left out, and never occurs")) return -1;
  vec_free(&p->arcs, b->net->mem);
  if (p->transition.conditions) b->net->conditions.count = p->transition.condition;
  b->prototypes.count--;
  return 0;
}

/* Whose arcs are whose: pages have tens of thousands of both. */
static int sort_arcs(struct net_builder *b) {
  const size_t arcs = b->page->arcs.count, transitions = b->page->transitions.count;
  b->first_arc = mem_alloc(b->net->mem, MEM_OTHER, (transitions + 1) * sizeof *b->first_arc);
  b->next_arc = mem_alloc(b->net->mem, MEM_OTHER, (arcs + 1) * sizeof *b->next_arc);
  if (!b->first_arc || !b->next_arc) return err_memory(b->e, "the net");
  memset(b->first_arc, 0xff, transitions * sizeof *b->first_arc);
  for (size_t i = arcs; i-- > 0;) {
    uint32_t *first = &b->first_arc[b->page->arcs.at[i].at_transition];
    b->next_arc[i] = *first;
    *first = (uint32_t)i;
  }
  return 0;
}

int net_check_page(struct net_builder *b) {
  int bad = sort_arcs(b);
  for (uint32_t i = 0; i < b->page->transitions.count && !bad; i++)
    bad = !b->page->transitions.at[i].subpage && check_transition(b, i) && leave_out(b) ? -1 : 0;
  mem_free(b->net->mem, b->first_arc);
  mem_free(b->net->mem, b->next_arc);
  b->first_arc = b->next_arc = NULL;
  return bad;
}

void net_forget_prototypes(struct net_builder *b) {
  for (size_t i = 0; i < b->prototypes.count; i++) vec_free(&b->prototypes.at[i].arcs, b->net->mem);
  b->prototypes.count = 0;
}
