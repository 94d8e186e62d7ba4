/* parse.c -- the grammar of .net: recursive descent without recursion, one token ahead.
 *
 *   net NAME                                      const NAME = N
 *   place NAME ["label"] [= N] [at (X, Y)] {, ...}
 *   transition NAME ["label"] [: [N*]PLACE, ... -> [N*]PLACE, ...] [at (X, Y)]
 *   arc [N*]PLACE -> TRANSITION      arc TRANSITION -> [N*]PLACE
 *   units root UNIT [safe]           unit UNIT : PLACE, ... [/ UNIT, ...]
 *
 *   pl NAME [: label] [(N)] [TRANSITION[*N] ... -> TRANSITION[*N] ...]     TINA's words
 *   tr NAME [: label] [[0,w[] [PLACE[*N] ... -> PLACE[*N] ...]
 *   lb NODE label    nt NOTE 0|1 text    pr (refused)
 *
 * Our own words are words of the language only at the beginning of a line, so that a place may be
 * called `unit`; TINA's are reserved everywhere, because TINA does not care about lines.  A
 * declaration goes on until the next one begins; `;` ends it too.  Constants are gathered
 * in a first pass, so that all declarations may come in any order.
 *
 * A place that is mentioned but never declared is an error in our own declarations (it is
 * nearly always a slip) and a declaration in TINA's. */
#include "front/nettext/syntax.h"

#include "front/override.h"
#include "front/text.h"
#include "model/owners.h"

#include <string.h>

int nettext_memory(struct nettext *p) { return err_memory(p->err, "the text of the net"); }

static int step(struct nettext *p) {
  p->now = p->next;
  return lexer_next(&p->lexer, &p->next);
}

/* Two tokens are always at hand. */
static int begin(struct nettext *p, const char *text, size_t length) {
  lexer_open(&p->lexer, text, length, p->setup->file, &p->arena, p->err);
  return lexer_next(&p->lexer, &p->next) || step(p) ? -1 : 0;
}

static const char *shown(char out[80], const struct token *t) {
  if (t->kind == TOKEN_END) return "the end of the file";
  if (t->kind == TOKEN_ARROW) return "->";
  if (t->kind == TOKEN_SIGN) return err_quote(out, 80, &t->sign, 1);
  return err_quote(out, 80, t->text, t->length);
}

static int expected(struct nettext *p, const char *what) {
  char found[80];
  return lexer_fail(&p->lexer, &p->now, "%s expected, but here is %s", what, shown(found, &p->now));
}

static int sign(struct nettext *p, char c) { /* takes this sign; it must be there */
  char what[2] = {c, 0};
  return token_is(&p->now, c) ? step(p) : expected(p, what);
}

static int tina_word(const struct token *t) {
  return token_word(t, "tr") || token_word(t, "pl") || token_word(t, "net") || token_word(t, "lb") || token_word(t, "nt") ||
         token_word(t, "pr");
}

static int own_word(const struct token *t) {
  return token_word(t, "place") || token_word(t, "transition") || token_word(t, "arc") || token_word(t, "const") ||
         token_word(t, "units") || token_word(t, "unit") || token_word(t, "controllable") || token_word(t, "uncontrollable");
}

static int ends(const struct nettext *p) { /* the declaration being read */
  const struct token *t = &p->now;
  return t->kind == TOKEN_END || token_is(t, ';') || tina_word(t) || (t->first && own_word(t));
}

static int at_position(const struct nettext *p) { return token_word(&p->now, "at") && token_is(&p->next, '('); }

static char *copy(struct nettext *p, const struct token *t) {
  char *c = arena_strndup(&p->arena, t->text, t->length);
  if (!c) nettext_memory(p);
  return c;
}

/* ---- numbers ---------------------------------------------------------------------- */

static int numeric(const struct token *t) { return t->kind == TOKEN_WORD && t->length && t->text[0] >= '0' && t->text[0] <= '9'; }

static uint32_t constant(const struct nettext *p, const struct token *t) {
  return t->kind == TOKEN_WORD ? names_find(&p->constants, t->text, t->length) : NAMES_NONE;
}

/* A number as written, with TINA's factors 2K = 2000, 3M, ..., or a constant. */
static int value_of(struct nettext *p, const struct token *t, const char *what, uint32_t *out) {
  static const char factors[] = "KMGTPE";
  char text[80];
  uint32_t c = constant(p, t);
  if (c != NAMES_NONE) {
    *out = p->constant_values.at[c];
    return 0;
  }
  const char *factor = numeric(t) && t->length > 1 ? strchr(factors, t->text[t->length - 1]) : NULL;
  enum front_number n = t->kind == TOKEN_WORD ? front_count(t->text, t->length - (factor != NULL), out) : FRONT_NO_NUMBER;
  uint64_t value = n == FRONT_NUMBER ? *out : 0;
  for (const char *f = factors; n == FRONT_NUMBER && factor && f <= factor; f++)
    if ((value *= 1000) > PT_MAX_COUNT) n = FRONT_HUGE;
  if (token_is(t, '-')) n = FRONT_NEGATIVE;
  if (n == FRONT_NUMBER) {
    *out = (uint32_t)value;
    return 0;
  }
  if (token_is(t, '-')) lexer_fail(&p->lexer, t, "the %s is negative", what); /* the number comes only then */
  else lexer_fail(&p->lexer, t, "the %s \"%s\" %s", what, shown(text, t), front_number_fault(n));
  if (n == FRONT_NO_NUMBER && t->kind == TOKEN_WORD) err_hint(p->err, "a constant is declared by: const NAME = NUMBER");
  return -1;
}

static int take_number(struct nettext *p, const char *what, uint32_t *out) {
  return value_of(p, &p->now, what, out) ? -1 : step(p);
}

static int take_coordinate(struct nettext *p, float *out) {
  int minus = token_is(&p->now, '-');
  double value;
  if (minus && step(p)) return -1;
  if (p->now.kind != TOKEN_WORD || front_decimal(p->now.text, p->now.length, &value)) return expected(p, "a coordinate");
  *out = (float)(minus ? -value : value);
  return step(p);
}

static int take_position(struct nettext *p, struct node *n) {
  if (!at_position(p)) return 0;
  if (step(p) || sign(p, '(') || take_coordinate(p, &n->x) || sign(p, ',') || take_coordinate(p, &n->y)) return -1;
  n->positioned = 1;
  return sign(p, ')');
}

/* ---- names ------------------------------------------------------------------------ */

uint32_t nettext_node(struct nettext *p, struct nodes *nodes, const char *text, size_t length, long line, long column) {
  uint32_t n = names_put(&nodes->names, text, length, &p->arena);
  if (n != NAMES_NONE && n < nodes->list.count) return n;
  struct node fresh = {.line = (uint32_t)line, .column = (uint32_t)column};
  if (n != NAMES_NONE && vec_push(&nodes->list, p->setup->mem, MEM_OTHER, fresh) == 0) return n;
  nettext_memory(p);
  return NAMES_NONE;
}

/* The node named here, declared by it. Declaring twice is TINA's privilege. NAMES_NONE with err. */
static uint32_t declare(struct nettext *p, struct nodes *nodes, const char *what, int tina) {
  char name[80];
  if (!token_names(&p->now)) {
    expected(p, "a name");
    return NAMES_NONE;
  }
  if (!p->now.length) {
    lexer_fail(&p->lexer, &p->now, "a %s has an empty name", what);
    return NAMES_NONE;
  }
  uint32_t n = nettext_node(p, nodes, p->now.text, p->now.length, p->now.line, p->now.column);
  if (n == NAMES_NONE) return n;
  struct node *node = &nodes->list.at[n];
  if (node->declared && !tina) {
    lexer_fail(&p->lexer, &p->now, "the %s \"%s\" is already declared in line %u", what, shown(name, &p->now), node->line);
    return NAMES_NONE;
  }
  if (!node->declared) {
    node->declared = 1;
    node->line = (uint32_t)p->now.line;
    node->column = (uint32_t)p->now.column;
    if (vec_push(&nodes->order, p->setup->mem, MEM_OTHER, n)) {
      nettext_memory(p);
      return NAMES_NONE;
    }
  }
  return step(p) ? NAMES_NONE : n;
}

static int take_label(struct nettext *p, struct node *n) {
  if (p->now.length && !(n->label = copy(p, &p->now))) return -1;
  return step(p);
}

/* TINA's `: label` */
static int take_tina_label(struct nettext *p, struct node *n) {
  if (!token_is(&p->now, ':')) return 0;
  if (step(p)) return -1;
  return token_names(&p->now) ? take_label(p, n) : expected(p, "a label");
}

/* ---- arcs ------------------------------------------------------------------------- */

static int refuse_arc(struct nettext *p) {
  int minus = token_is(&p->next, '-');
  const char *kind = token_is(&p->now, '?') ? minus ? "inhibitor" : "read" : minus ? "stopwatch inhibitor" : "stopwatch";
  lexer_fail(&p->lexer, &p->now, "this is a %s arc, which place/transition nets do not have", kind);
  if (strcmp(kind, "read") == 0) err_hint(p->err, "a place on both sides of -> is read: %s", "p -> p");
  return -1;
}

/* NAME, NUMBER*NAME or NAME*NUMBER. Where both could be either, TINA means NAME*NUMBER and we the other. */
static int take_term(struct nettext *p, int tina, struct token *name, uint32_t *weight) {
  if (!token_names(&p->now)) return expected(p, "a name");
  struct token number = {0};
  *name = p->now;
  *weight = 1;
  if (step(p)) return -1;
  if (token_is(&p->now, '*')) {
    if (step(p)) return -1;
    if (!token_names(&p->now)) return expected(p, tina ? "a weight" : "a name");
    int first = numeric(name) || constant(p, name) != NAMES_NONE, second = numeric(&p->now) || constant(p, &p->now) != NAMES_NONE;
    int weight_first = first && second ? !tina : first || (!second && !tina);
    number = weight_first ? *name : p->now;
    if (weight_first) *name = p->now;
    if (value_of(p, &number, "weight", weight)) return -1;
    if (!*weight) return lexer_fail(&p->lexer, &number, "the weight of an arc is 0");
    if (step(p)) return -1;
  }
  if (token_is(&p->now, '?') || token_is(&p->now, '!')) return refuse_arc(p);
  if (!name->length) return lexer_fail(&p->lexer, name, "an empty name");
  return 0;
}

/* A list of terms; commas are welcome. */
static int take_list(struct nettext *p, int tina, uint32_t owner, int owner_is_place, int gives) {
  struct nodes *others = owner_is_place ? &p->transitions : &p->places;
  while (p->now.kind != TOKEN_ARROW && !ends(p) && !at_position(p)) {
    struct token name;
    uint32_t weight;
    if (take_term(p, tina, &name, &weight)) return -1;
    uint32_t other = nettext_node(p, others, name.text, name.length, name.line, name.column);
    if (other == NAMES_NONE) return -1;
    if (tina) others->list.at[other].implied = 1;
    struct flow f = {.place = owner_is_place ? owner : other,
                     .transition = owner_is_place ? other : owner,
                     .weight = weight,
                     .line = (uint32_t)name.line,
                     .column = (uint32_t)name.column,
                     .gives = (uint8_t)gives};
    if (vec_push(&p->flows, p->setup->mem, MEM_OTHER, f)) return nettext_memory(p);
    if (!token_is(&p->now, ',')) continue;
    if (step(p)) return -1;
    if (!token_names(&p->now)) return expected(p, "a name");
  }
  return 0;
}

/* LIST -> LIST */
static int take_arcs(struct nettext *p, int tina, uint32_t owner, int owner_is_place) {
  if (take_list(p, tina, owner, owner_is_place, owner_is_place)) return -1;
  if (p->now.kind != TOKEN_ARROW) return expected(p, "->");
  return step(p) ? -1 : take_list(p, tina, owner, owner_is_place, !owner_is_place);
}

/* ---- declarations ------------------------------------------------------------------ */

static int set_marking(struct nettext *p, struct node *n) {
  if (n->marked) return lexer_fail(&p->lexer, &p->now, "the place has two initial markings");
  n->marked = 1;
  return take_number(p, "initial marking", &n->initial);
}

static int read_place(struct nettext *p, int tina) {
  do {
    if (step(p)) return -1;
    uint32_t n = declare(p, &p->places, "place", tina);
    if (n == NAMES_NONE) return -1;
    struct node *node = &p->places.list.at[n];
    if (tina ? take_tina_label(p, node) : p->now.kind == TOKEN_QUOTED ? take_label(p, node) : 0) return -1;
    if (token_is(&p->now, '=')) {
      if (step(p) || set_marking(p, node)) return -1;
    } else if (token_is(&p->now, '(')) {
      if (step(p) || set_marking(p, node) || sign(p, ')')) return -1;
    }
    if (tina) return ends(p) ? 0 : take_arcs(p, 1, n, 1);
    if (take_position(p, node)) return -1;
  } while (token_is(&p->now, ','));
  return 0;
}

/* TINA's [0,w[ says: at any time. */
static int skip_interval(struct nettext *p) {
  static const char *const any[] = {"[", "0", ",", "w", "["};
  if (!token_is(&p->now, '[') && !token_is(&p->now, ']')) return 0;
  struct token start = p->now;
  for (size_t i = 0; i < 5; i++) {
    if (!token_word(&p->now, any[i]) && !token_is(&p->now, any[i][0]))
      return lexer_fail(&p->lexer, &start, "the transition has a time interval: timed nets are not read");
    if (step(p)) return -1;
  }
  return 0;
}

static int read_transition(struct nettext *p, int tina) {
  if (step(p)) return -1;
  uint32_t t = declare(p, &p->transitions, "transition", tina);
  if (t == NAMES_NONE) return -1;
  struct node *node = &p->transitions.list.at[t];
  if (tina) {
    if (take_tina_label(p, node) || skip_interval(p)) return -1;
    return ends(p) ? 0 : take_arcs(p, 1, t, 0);
  }
  if (p->now.kind == TOKEN_QUOTED && take_label(p, node)) return -1;
  if (token_is(&p->now, ':') && (step(p) || take_arcs(p, 0, t, 0))) return -1;
  return take_position(p, &p->transitions.list.at[t]);
}

static int read_arc(struct nettext *p) {
  struct token source, target;
  uint32_t first, second;
  if (step(p) || take_term(p, 0, &source, &first)) return -1;
  if (p->now.kind != TOKEN_ARROW) return expected(p, "->");
  if (step(p) || take_term(p, 0, &target, &second)) return -1;
  if (first > 1 && second > 1) return lexer_fail(&p->lexer, &target, "an arc has one weight, and this would be the second");
  struct loose_arc a = {.weight = first > 1 ? first : second, .line = (uint32_t)source.line, .column = (uint32_t)source.column};
  a.source = (struct word){copy(p, &source), source.length};
  a.target = (struct word){copy(p, &target), target.length};
  if (!a.source.text || !a.target.text) return -1;
  return vec_push(&p->arcs, p->setup->mem, MEM_OTHER, a) ? nettext_memory(p) : 0;
}

static int read_net_name(struct nettext *p) {
  if (step(p)) return -1;
  if (!token_names(&p->now)) return expected(p, "the name of the net");
  if (pt_builder_name(p->builder, p->now.text, p->now.length, p->err)) return -1;
  return step(p);
}

static int read_units(struct nettext *p) {
  p->units_at = (struct place_in_text){p->setup->file, p->now.line, p->now.column};
  if (step(p)) return -1;
  if (!token_word(&p->now, "root")) return expected(p, "root");
  if (step(p)) return -1;
  if (!token_names(&p->now)) return expected(p, "the name of a unit");
  char *root = copy(p, &p->now);
  if (!root || step(p)) return -1;
  int safe = token_word(&p->now, "safe") && !p->now.first;
  if (safe && step(p)) return -1;
  return pt_builder_nupn(p->builder, root, safe, p->err);
}

/* unit u : places / units */
static int read_unit(struct nettext *p) {
  struct place_in_text at = {p->setup->file, p->now.line, p->now.column};
  if (step(p)) return -1;
  if (!token_names(&p->now) || !p->now.length) return expected(p, "the name of a unit");
  char *id = copy(p, &p->now);
  if (!id || pt_builder_unit(p->builder, id, at, p->err) || step(p) || sign(p, ':')) return -1;
  if (!p->units_at.line) p->units_at = at;
  for (int subunits = 0; !ends(p);) {
    if (token_is(&p->now, '/') && !subunits) {
      subunits = 1;
      if (step(p)) return -1;
      continue;
    }
    if (!token_names(&p->now) || !p->now.length) return expected(p, subunits ? "a unit" : "a place or /");
    if (!(id = copy(p, &p->now))) return -1;
    if (subunits ? pt_builder_unit_subunit(p->builder, id, p->err) : pt_builder_unit_place(p->builder, id, p->err)) return -1;
    if (step(p)) return -1;
    if (!token_is(&p->now, ',')) continue;
    if (step(p)) return -1;
    if (!token_names(&p->now)) return expected(p, "a name");
  }
  return 0;
}

/* uncontrollable t, u */
static int read_owner(struct nettext *p, int owner) {
  do {
    if (step(p)) return -1;
    if (!token_names(&p->now) || !p->now.length) return expected(p, "a transition");
    struct loose_owner o = {.owned = (uint8_t)(1 + owner), .line = (uint32_t)p->now.line, .column = (uint32_t)p->now.column};
    o.node = (struct word){copy(p, &p->now), p->now.length};
    if (!o.node.text || step(p)) return -1;
    if (vec_push(&p->owners, p->setup->mem, MEM_OTHER, o)) return nettext_memory(p);
  } while (token_is(&p->now, ','));
  return 0;
}

static int read_lb(struct nettext *p) {
  if (step(p)) return -1;
  if (!token_names(&p->now)) return expected(p, "a place or transition");
  struct loose_label l = {.line = (uint32_t)p->now.line, .column = (uint32_t)p->now.column};
  l.node = (struct word){copy(p, &p->now), p->now.length};
  if (!l.node.text || step(p)) return -1;
  if (!token_names(&p->now)) return expected(p, "a label");
  if (!(l.label = copy(p, &p->now)) || step(p)) return -1;
  return vec_push(&p->labels, p->setup->mem, MEM_OTHER, l) ? nettext_memory(p) : 0;
}

static int read_note(struct nettext *p) { /* three words that mean nothing to us */
  for (int i = 0; i < 4; i++) {
    if (i && !token_names(&p->now)) return expected(p, "a note");
    if (step(p)) return -1;
  }
  return 0;
}

/* const NAME = NUMBER; the second pass walks over it. */
static int read_constant(struct nettext *p, int first_pass) {
  char name[80];
  uint32_t value = 0;
  if (step(p)) return -1;
  struct token constant_name = p->now;
  if (p->now.kind != TOKEN_WORD || numeric(&p->now)) return expected(p, "the name of a constant");
  if (step(p) || sign(p, '=')) return -1;
  if (!first_pass) return step(p);
  size_t before = p->constants.list.count;
  uint32_t c = names_put(&p->constants, constant_name.text, constant_name.length, &p->arena);
  if (c == NAMES_NONE) return nettext_memory(p);
  if (c != before)
    return lexer_fail(&p->lexer, &constant_name, "the constant \"%s\" is declared twice", shown(name, &constant_name));
  if (vec_push(&p->constant_values, p->setup->mem, MEM_OTHER, 0)) return nettext_memory(p);
  if (numeric(&p->now) ? take_number(p, "constant", &value) : expected(p, "a number")) return -1;
  p->constant_values.at[c] = value;
  return 0;
}

static const char *constant_name(const void *parser, size_t i) {
  return ((const struct nettext *)parser)->constants.list.at[i].text;
}

/* --define */
static int set_constants(struct nettext *p) {
  for (size_t i = 0; i < p->setup->define_count; i++) {
    const struct front_override *o = &p->setup->defines[i];
    char name[80], text[80];
    uint32_t value, c = names_find(&p->constants, o->name, strlen(o->name));
    err_quote(name, sizeof name, o->name, strlen(o->name));
    if (c == NAMES_NONE) {
      err_usage(p->err, "--define: the net has no constant \"%s\"", name);
      const char *near = front_nearest(o->name, strlen(o->name), constant_name, p, p->constants.list.count);
      if (near) err_hint(p->err, "did you mean \"%s\"?", err_quote(text, sizeof text, near, strlen(near)));
      return -1;
    }
    enum front_number n = front_count(o->value, strlen(o->value), &value);
    err_quote(text, sizeof text, o->value, strlen(o->value));
    if (n != FRONT_NUMBER) return err_usage(p->err, "--define %s=%s: the value %s", name, text, front_number_fault(n));
    p->constant_values.at[c] = value;
  }
  return 0;
}

static int read_declaration(struct nettext *p) {
  const struct token *t = &p->now;
  if (token_is(t, ';')) return step(p);
  if (token_word(t, "pl")) return read_place(p, 1);
  if (token_word(t, "tr")) return read_transition(p, 1);
  if (token_word(t, "net")) return read_net_name(p);
  if (token_word(t, "lb")) return read_lb(p);
  if (token_word(t, "nt")) return read_note(p);
  if (token_word(t, "pr")) return lexer_fail(&p->lexer, t, "priorities between transitions are not read");
  if (token_word(t, "place")) return read_place(p, 0);
  if (token_word(t, "transition")) return read_transition(p, 0);
  if (token_word(t, "arc")) return read_arc(p);
  if (token_word(t, "const")) return read_constant(p, 0);
  if (token_word(t, "units")) return read_units(p);
  if (token_word(t, "unit")) return read_unit(p);
  if (token_word(t, "controllable")) return read_owner(p, OWNER_CONTROLLABLE);
  if (token_word(t, "uncontrollable")) return read_owner(p, OWNER_UNCONTROLLABLE);
  expected(p, "a declaration");
  err_hint(p->err, "declarations begin with place, transition, arc, net, const, units, unit, controllable, uncontrollable, or TINA's pl, tr, lb, nt");
  return -1;
}

static int parse_text(struct nettext *p, const char *text, size_t length) {
  if (begin(p, text, length)) return -1;
  while (p->now.kind != TOKEN_END)
    if (token_word(&p->now, "const") && p->now.first ? read_constant(p, 1) : step(p)) return -1;
  if (set_constants(p) || begin(p, text, length)) return -1;
  while (p->now.kind != TOKEN_END) {
    int transition = token_word(&p->now, "transition");
    if (read_declaration(p)) return -1;
    if (ends(p) || own_word(&p->now)) continue;
    expected(p, "the end of the declaration");
    if (transition) err_hint(p->err, "transition NAME : PLACE, PLACE*2 -> PLACE");
    return -1;
  }
  return 0;
}

int nettext_parse(struct nettext *p) {
  const char *text = p->lexer.text;
  size_t length = p->lexer.length, bad = front_bad_text(text, length);
  if (bad < length) {
    long line = 1, column = 1;
    for (size_t i = 0; i < bad; i++) {
      column = text[i] == '\n' ? 1 : column + (((unsigned char)text[i] & 0xc0) != 0x80);
      line += text[i] == '\n';
    }
    const struct token at = {.offset = bad, .line = line, .column = column};
    return lexer_fail(&p->lexer, &at,
                      (unsigned char)text[bad] < 0x80 ? "a control character" : "the file is not valid UTF-8 here");
  }
  return parse_text(p, text, length);
}
