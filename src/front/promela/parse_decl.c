/* parse_decl.c -- declarations of variables and channels.
 *
 * Declarations become cells of the program at once.  Constant first values are part of the declaration; others are added as
 * initialisations in the order of the text.  A declaration in the middle of a sequence is different: the cell begins as 0 and the
 * declaration is a step that assigns, also where no value is written.  That is what SPIN does, and it counts as a state.
 *
 * Fields of records can have first values, and channels of their own: each variable of the record gets them (field_inits), but
 * for parameters, whose fields take the values of the caller's (0 in a process that is active). A channel in a record is declared
 * as an internal variable whose number the field begins with. */
#include "front/promela/parse.h"
#include "process/scalarset.h"

#include <stdio.h>
#include <string.h>

/* ---- types ----------------------------------------------------------------------------------------------------- */

int parse_is_base_type(enum token_kind k) {
  return k == K_BIT || k == K_BOOL || k == K_BYTE || k == K_SHORT || k == K_INT || k == K_UNSIGNED || k == K_MTYPE ||
         k == K_CHAN || k == K_PID;
}

static uint32_t base_type(struct parser *p, enum token_kind k, unsigned width, const char *subtype) {
  struct program *g = p->program;
  switch (k) {
  case K_BIT: return program_scalar(g, IR_BOOL, "bit", 1, 0, 0);
  case K_BOOL: return program_scalar(g, IR_BOOL, "bool", 1, 0, 0);
  case K_BYTE: return program_scalar(g, IR_NUMBER, "byte", 8, 0, 0);
  case K_SHORT: return program_scalar(g, IR_NUMBER, "short", 16, 1, 0);
  case K_UNSIGNED: return program_scalar(g, IR_NUMBER, "unsigned", width, 0, 0);
  case K_MTYPE: return program_scalar(g, IR_MTYPE, "mtype", 8, 0, program_names(g, subtype ? subtype : "mtype"));
  case K_CHAN: return program_scalar(g, IR_CHANNEL, "chan", 8, 0, 0);
  case K_PID: return program_scalar(g, IR_PID, "pid", 8, 0, 0);
  default: return program_scalar(g, IR_NUMBER, "int", 32, 1, 0);
  }
}

/* In arrays, and in messages of one field, SPIN's verifier keeps a byte for a bit, and what it counts are the values of that byte. */
static uint32_t as_element(struct parser *p, uint32_t type) {
  const struct ir_type *t = &p->program->types.at[type];
  return t->kind == IR_BOOL ? program_scalar(p->program, IR_BOOL, t->name, 8, 0, 0) : type;
}

uint32_t pointer_type(struct parser *p, uint32_t to) {
  char name[80];
  snprintf(name, sizeof name, "%.70s *", p->program->types.at[to].name);
  return program_scalar(p->program, IR_POINTER, name, 16, 0, to);
}

const char *token_copy(struct parser *p, const struct token *t) {
  char *copy = parse_alloc(p, t->length + 1);
  memcpy(copy, t->text, t->length);
  return copy;
}

/* scalarset(4): a type of Thimble's own, where nothing else has that name. */
static int at_scalarset(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  static const char word[] = "scalarset";
  return t->kind == T_NAME && t->length == sizeof word - 1 && !memcmp(t->text, word, sizeof word - 1) && stream_peek(p, 1)->kind == T_LPAREN && !symbol_find(p, t->text, t->length);
}

static uint32_t parse_scalarset(struct parser *p) {
  struct token word = stream_next(p);
  int32_t values = 0;
  char name[40];
  stream_need(p, T_LPAREN);
  if (!parse_constant(p, &values)) return 0;
  stream_need(p, T_RPAREN);
  if (values < 1 || values > SCALARSET_MOST) {
    parse_error(p, word.place, "a scalarset has between 1 and %d values, not %d", SCALARSET_MOST, (int)values);
    values = 1;
  }
  snprintf(name, sizeof name, "scalarset(%d)", (int)values);
  uint32_t type = program_scalar(p->program, IR_NUMBER, name, 8, 0, 0);
  if (type) p->program->types.at[type].scalarset = (uint32_t)values;
  return type;
}

int parse_type(struct parser *p, uint32_t *type) {
  const struct token *t = stream_peek(p, 0);
  enum token_kind k = (enum token_kind)t->kind;
  *type = 0;
  if (parse_is_base_type(k)) {
    struct token word = stream_next(p);
    const char *subtype = NULL;
    if (k == K_MTYPE && stream_peek(p, 0)->kind == T_COLON) {
      stream_next(p);
      if (stream_peek(p, 0)->kind != T_NAME) {
        parse_expected(p, "the name of a set of mtypes");
        return 0;
      }
      struct token set = stream_next(p);
      subtype = token_copy(p, &set);
    }
    if (k == K_UNSIGNED) parse_error(p, word.place, "unsigned cannot be used here");
    *type = base_type(p, k, 32, subtype);
    return 1;
  }
  if (at_scalarset(p)) {
    *type = parse_scalarset(p);
    return 1;
  }
  struct symbol *s = k == T_NAME ? symbol_find(p, t->text, t->length) : NULL;
  if (s && s->kind == SYMBOL_TYPEDEF) {
    stream_next(p);
    *type = s->type;
    return 1;
  }
  return 0;
}

int parse_at_declaration(struct parser *p) {
  const struct token *t = stream_peek(p, 0);
  enum token_kind k = (enum token_kind)t->kind;
  if (k == K_HIDDEN || k == K_SHOW || k == K_LOCAL || parse_is_base_type(k) || at_scalarset(p)) return 1;
  if (k != T_NAME) return 0;
  struct symbol *s = symbol_find(p, t->text, t->length);
  return s && s->kind == SYMBOL_TYPEDEF;
}

/* ---- channels -------------------------------------------------------------------------------------------------- */

/* Scalar types of the cells of a type, in order. */
static int spread_type(struct parser *p, uint32_t type, uint32_t count, uint32_t *out, uint32_t room, uint32_t *used) {
  for (uint32_t i = 0; i < (count ? count : 1); i++) {
    const struct ir_type t = p->program->types.at[type];
    if (t.kind != IR_RECORD) {
      if (*used == room) return -1;
      out[(*used)++] = type;
      continue;
    }
    for (uint32_t f = 0; f < t.fields; f++) {
      const struct ir_field field = p->program->fields.at[t.field + f];
      if (spread_type(p, field.type, field.count, out, room, used)) return -1;
    }
  }
  return 0;
}

/* [n] of {types}: 1 + index of the shape, 0 after an error. */
static uint32_t parse_channel(struct parser *p, struct symbol *s) {
  enum { FIELDS = 256 };
  uint32_t fields[FIELDS], count = 0, listed = 0, type = 0;
  int32_t capacity;
  struct place_in_text place = stream_next(p).place;
  if (parse_constant(p, &capacity) && (capacity < 0 || capacity > 255))
    parse_error(p, place, capacity < 0 ? "a channel cannot hold %d messages" : "a channel holds at most 255 messages, not %d",
                (int)capacity);
  stream_need(p, T_RBRACKET);
  stream_need(p, K_OF);
  stream_need(p, T_LBRACE);
  do {
    const struct token *t = stream_peek(p, 0);
    if (!parse_type(p, &type)) {
      if (t->kind == T_NAME) parse_error(p, t->place, "this is not a type");
      parse_expected(p, "a type");
      return 0;
    }
    listed++;
    if (record_shape(p, type).has_records) parse_error(p, t->place, "a message cannot hold a record with an array of records");
    if (spread_type(p, type, 0, fields, FIELDS, &count)) {
      parse_error(p, place, "a message has at most %d fields", FIELDS);
      p->panic = 1;
      return 0;
    }
  } while (!p->panic && stream_accept(p, T_COMMA));
  stream_need(p, T_RBRACE);
  if (p->panic) return 0;
  if (s) {
    s->chan_fields = 1 + count;
    s->chan_capacity = (uint32_t)capacity;
    s->chan_record = listed == 1 && p->program->types.at[type].kind == IR_RECORD ? 1 + type : 0;
  }
  if (count == 1) fields[0] = as_element(p, fields[0]);
  return 1 + program_chan(p->program, (uint32_t)capacity, fields, count);
}

/* ---- first values ---------------------------------------------------------------------------------------------- */

static uint32_t scope_number(const struct parser *p) { return p->context ? p->context->proc + 1 : 0; }

/* The fields of a record that begin with something, for one place of that record. */
static void init_fields(struct parser *p, ir_ref at, uint32_t type, uint32_t count, uint32_t scope, struct place_in_text place) {
  struct program *g = p->program;
  if (g->types.at[type].kind != IR_RECORD || !p->field_inits.count) return;
  for (uint32_t i = 0; i < (count ? count : 1); i++) {
    ir_ref element = count ? program_ref_index(g, at, program_value(g, (int32_t)i)) : at;
    for (uint32_t f = 0; f < g->types.at[type].fields; f++) {
      struct ir_field field = g->fields.at[g->types.at[type].field + f];
      ir_ref inner = program_ref_field(g, element, field.name, strlen(field.name));
      init_fields(p, inner, field.type, field.count, scope, place);
      for (size_t k = 0; k < p->field_inits.count; k++) {
        struct field_init first = p->field_inits.at[k];
        if (first.record != type || first.field != f) continue;
        uint32_t channels = 0;
        if (first.chan) {
          struct ir_decl d = {.name = field.name,
                              .scope = scope,
                              .type = field.type,
                              .count = field.count,
                              .flags = IR_INTERNAL,
                              .chan = first.chan,
                              .place = place};
          channels = program_declare(g, &d);
        }
        for (uint32_t e = first.from; e < (first.to ? first.to : field.count ? field.count : 1); e++) {
          ir_expr number = program_value(g, (int32_t)e);
          ir_ref cell = field.count ? program_ref_index(g, inner, number) : inner;
          ir_ref own = channels ? program_ref(g, channels, place) : 0;
          if (own && field.count) own = program_ref_index(g, own, number);
          program_init(g, scope, cell, own ? program_load(g, own) : program_value(g, first.value));
        }
      }
    }
  }
}

struct declarator { /* what a declaration says before its names */
  uint32_t type;
  enum token_kind word; /* of the type */
  const char *subtype;
  unsigned flags;
};

static void assign_step(struct parser *p, struct symbol *s, struct expr *value, struct place_in_text place) {
  struct stmt *step = stmt_new(p, STMT_ASSIGN, place);
  step->ref = ref_of_symbol(p, s, place);
  step->a = value;
  if (s->count) { /* an array in mid-sequence: its first element is set, as SPIN has it */
    struct step *first = parse_alloc(p, sizeof *first);
    first->index = tree_value(p, 0, place);
    step->ref->steps = first;
    step->ref->count = 0;
  }
  if (p->program->types.at[s->type].kind == IR_RECORD) step->kind = STMT_NOTHING;
  sequence_add(p, step);
}

/* One of a list of values; 0 = there is none, which has been told. */
static int list_value(struct parser *p, int32_t *value) {
  const struct token *t = stream_peek(p, 0);
  int minus = t->kind == T_MINUS;
  if (minus) {
    stream_next(p);
    t = stream_peek(p, 0);
  }
  struct symbol *constant = t->kind == T_NAME ? symbol_find(p, t->text, t->length) : NULL;
  if (t->kind != T_NUMBER && !(constant && constant->kind == SYMBOL_MTYPE)) {
    parse_expected(p, "a constant");
    return 0;
  }
  *value = constant ? constant->value : minus ? -t->value : t->value;
  stream_next(p);
  return 1;
}

/* {1, 2, 3}: the last value stands for the elements that are left. */
static void parse_list(struct parser *p, struct symbol *s, uint32_t scope) {
  struct program *g = p->program;
  struct place_in_text place = stream_next(p).place;
  int32_t value = 0;
  uint32_t i = 0;
  if (!s->count) parse_error(p, place, "%s is not an array", s->name);
  if (!p->initial) parse_error(p, place, "a list of values is possible at the start of a process only");
  do {
    if (!list_value(p, &value)) return;
    if (i < s->count)
      program_init(g, scope, program_ref_index(g, program_ref(g, s->decl, place), program_value(g, (int32_t)i)),
                   program_value(g, value));
    i++;
  } while (!p->panic && stream_accept(p, T_COMMA));
  stream_need(p, T_RBRACE);
  for (; i < s->count; i++)
    program_init(g, scope, program_ref_index(g, program_ref(g, s->decl, place), program_value(g, (int32_t)i)),
                 program_value(g, value));
}

static void parse_first_value(struct parser *p, struct symbol *s, struct ir_decl *d) {
  struct program *g = p->program;
  struct place_in_text place = stream_next(p).place;
  uint32_t scope = d->scope;
  int32_t constant;
  if (p->in_params) parse_error(p, place, "a parameter cannot have a first value");
  if (stream_peek(p, 0)->kind == T_LBRACKET) {
    struct place_in_text bracket = stream_peek(p, 0)->place;
    uint32_t chan = parse_channel(p, s);
    if (g->types.at[s->type].kind != IR_CHANNEL) parse_error(p, bracket, "%s is no channel", s->name);
    else if (!p->initial)
      parse_error_hint(p, "put it at the start of the process", bracket,
                       "a channel cannot be declared in the middle of a sequence");
    d->chan = chan;
    return;
  }
  if (stream_peek(p, 0)->kind == T_LBRACE) {
    s->decl = program_declare(g, d);
    parse_list(p, s, scope);
    return;
  }
  p->declaring = s;
  struct expr *e = parse_expr(p);
  p->declaring = NULL;
  if (p->panic) return;
  check_first_value(p, s, e);
  if (p->errors || (p->initial && g->types.at[s->type].kind == IR_RECORD)) return;
  if (!p->initial) {
    s->decl = program_declare(g, d);
    assign_step(p, s, e, place);
    return;
  }
  ir_expr value = promela_expr(p, e);
  if (program_constant(g, value, &constant)) {
    s->first_value = constant;
    d->init = value;
    return;
  }
  s->decl = program_declare(g, d);
  for (uint32_t i = 0; i < (s->count ? s->count : 1); i++) {
    ir_ref cell = program_ref(g, s->decl, place);
    if (s->count) cell = program_ref_index(g, cell, program_value(g, (int32_t)i));
    program_init(g, scope, cell, value);
  }
}

/* ---- declarations ---------------------------------------------------------------------------------------------- */

/* A variable alone stands for its first value, and where that is not above 0 for 8, as in SPIN 6.5.2. */
static int variable_bound(struct parser *p, int32_t *bound) {
  enum { INSTEAD = 8 };
  const struct token *t = stream_peek(p, 0);
  const struct symbol *s = t->kind == T_NAME && stream_peek(p, 1)->kind == T_RBRACKET ? symbol_find(p, t->text, t->length) : NULL;
  if (!s || s->kind != SYMBOL_VARIABLE) return 0;
  *bound = s->first_value > 0 ? s->first_value : INSTEAD;
  parse_warning(p, t->place, "%s is a variable: as the bound of an array it is %d, %s", s->name, (int)*bound,
                s->first_value > 0 ? "its first value" : "since its first value is not above 0");
  stream_next(p);
  return 1;
}

static void parse_bound(struct parser *p, struct symbol *s) {
  struct place_in_text place = stream_next(p).place;
  int32_t bound;
  if (variable_bound(p, &bound) || parse_constant(p, &bound)) {
    if (bound <= 0 || bound > (int32_t)PROGRAM_CELLS_MAX) parse_error(p, place, "an array cannot have %d elements", (int)bound);
    else s->count = (uint32_t)bound;
  }
  stream_need(p, T_RBRACKET);
}

static struct symbol *declare_name(struct parser *p, const struct token *t) {
  struct symbol *known = symbol_find(p, t->text, t->length);
  if (known && !p->in_typedef) {
    if (known->place.line) parse_error(p, t->place, "%s is already declared at line %ld", known->name, known->place.line);
    else parse_error(p, t->place, "%s has a meaning of its own and cannot be declared", known->name);
  }
  const struct symbol *label = p->context && !p->in_typedef ? symbol_find_label(p, t->text, t->length) : NULL;
  if (label) parse_error(p, t->place, "%s is already the name of a label at line %ld", label->name, label->place.line);
  return symbol_add(p, SYMBOL_VARIABLE, t->text, t->length, t->place);
}

static void keep_field_value(struct parser *p, struct field_init f) {
  if (vec_push(&p->field_inits, p->setup->mem, MEM_OTHER, f)) parse_no_memory(p);
}

static void parse_field_list(struct parser *p, const struct symbol *s, struct field_init f) {
  struct place_in_text place = stream_next(p).place;
  if (!s->count) parse_error(p, place, "%s is not an array", s->name);
  do {
    if (!list_value(p, &f.value)) return;
    f.from = f.to++;
    int more = stream_peek(p, 0)->kind == T_COMMA;
    if (f.from < s->count) keep_field_value(p, (struct field_init){f.record, f.field, 0, f.value, f.from, more ? f.to : s->count});
  } while (!p->panic && stream_accept(p, T_COMMA));
  stream_need(p, T_RBRACE);
}

static void parse_field_value(struct parser *p, struct symbol *s, uint32_t record) {
  struct place_in_text place = stream_next(p).place;
  struct field_init f = {.record = record, .field = p->program->types.at[record].fields - 1};
  if (stream_peek(p, 0)->kind == T_LBRACKET) {
    f.chan = parse_channel(p, s);
    if (p->program->types.at[s->type].kind != IR_CHANNEL) parse_error(p, place, "%s is no channel", s->name);
  } else if (stream_peek(p, 0)->kind == T_LBRACE) {
    parse_field_list(p, s, f);
    return;
  } else if (!parse_constant(p, &f.value)) return;
  keep_field_value(p, f);
}

static void parse_name(struct parser *p, const struct declarator *base, uint32_t record) {
  struct program *g = p->program;
  int pointer = p->plus && stream_accept(p, T_STAR);
  const struct token *t = stream_peek(p, 0);
  if (t->kind != T_NAME) {
    parse_expected(p, "the name of a variable");
    return;
  }
  struct token name = stream_next(p);
  struct symbol *s = declare_name(p, &name);
  unsigned width = 0;
  s->subtype = base->subtype;
  if (stream_peek(p, 0)->kind == T_COLON && stream_peek(p, 1)->kind == T_NUMBER) {
    stream_next(p);
    struct token number = stream_next(p);
    width = (unsigned)number.value;
    if (base->word != K_UNSIGNED) parse_error(p, number.place, "only an unsigned has a width");
    else if (number.value < 1 || number.value > 31) parse_error(p, number.place, "an unsigned has 1 to 31 bits"), width = 31;
  } else if (base->word == K_UNSIGNED) {
    parse_error_hint(p, "unsigned name : width", name.place, "an unsigned needs a width");
    width = 16;
  }
  s->type = base->word == K_UNSIGNED ? base_type(p, K_UNSIGNED, width, NULL) : base->type;
  if (pointer) {
    if (g->types.at[s->type].kind == IR_CHANNEL) parse_error(p, name.place, "there are no pointers to channels");
    s->type = pointer_type(p, s->type);
  }
  if (stream_peek(p, 0)->kind == T_LBRACKET) {
    parse_bound(p, s);
    s->type = as_element(p, s->type);
    if (p->in_params) parse_error(p, name.place, "an array cannot be a parameter");
  }
  if (p->in_params && record_shape(p, s->type).has_array) parse_error(p, name.place, "a record with an array cannot be a parameter");
  if (record) {
    if (base->flags & IR_HIDDEN) parse_error(p, name.place, "only a global variable can be hidden");
    if (g->types.at[s->type].kind == IR_RECORD && s->type == record) parse_error(p, name.place, "a record cannot contain itself");
    else {
      check_field(p, record, s);
      program_field(g, record, s->name, s->type, s->count);
    }
    if (stream_peek(p, 0)->kind == T_ASSIGN) parse_field_value(p, s, record);
    return;
  }
  struct ir_decl d = {
      .name = s->name, .scope = scope_number(p), .type = s->type, .count = s->count, .flags = base->flags, .place = name.place};
  if (p->in_params) d.flags |= IR_PARAM;
  if (base->flags & IR_HIDDEN && p->context) parse_error(p, name.place, "only a global variable can be hidden");
  if (base->flags & IR_HIDDEN && (base->word == K_CHAN || base->word == K_BIT || base->word == K_BOOL))
    parse_error(p, name.place, "a variable of the type %s cannot be hidden", token_spelling(base->word));
  if (p->context && p->context->kind == PROC_CLAIM) parse_error(p, name.place, "a never claim cannot have variables of its own");
  int set = stream_peek(p, 0)->kind == T_ASSIGN;
  if (set) parse_first_value(p, s, &d);
  if (p->panic) return;
  if (!s->decl) s->decl = program_declare(g, &d);
  if (!p->in_params) init_fields(p, program_ref(g, s->decl, name.place), s->type, s->count, d.scope, name.place);
  if (!set && !p->initial && !p->in_params) assign_step(p, s, tree_value(p, 0, name.place), name.place);
}

/* mtype = { a, b, c }: numbers count from the last name down to 1, those of a second list go on above. */
static void parse_mtype_list(struct parser *p, const char *subtype, struct place_in_text place) {
  struct program *g = p->program;
  uint32_t set = program_names(g, subtype ? subtype : "mtype");
  size_t above = g->names.count ? g->names.at[set].name.count : 0;
  p->mtypes.count = 0;
  if (above) above--; /* index 0 is no name */
  stream_need(p, T_LBRACE);
  while (!p->panic && stream_peek(p, 0)->kind != T_RBRACE) {
    const struct token *t = stream_peek(p, 0);
    if (t->kind == T_COMMA) {
      stream_next(p);
      continue;
    }
    if (t->kind != T_NAME) {
      parse_expected(p, "a name");
      break;
    }
    struct token name = stream_next(p);
    const struct symbol *known = symbol_find(p, name.text, name.length);
    if (known)
      parse_error(p, name.place, "%s is already declared%s", known->name, known->kind == SYMBOL_MTYPE ? " as an mtype" : "");
    struct symbol *listed = symbol_add(p, SYMBOL_MTYPE, name.text, name.length, name.place);
    listed->subtype = subtype;
    if (vec_push(&p->mtypes, p->setup->mem, MEM_OTHER, listed)) parse_no_memory(p);
  }
  stream_need(p, T_RBRACE);
  if (above + p->mtypes.count > 255) parse_error(p, place, "there are more than 255 mtypes");
  else
    for (size_t i = 0; i < p->mtypes.count; i++) {
      p->mtypes.at[i]->value = (int32_t)(above + p->mtypes.count - i);
      program_name(g, set, (uint32_t)p->mtypes.at[i]->value, p->mtypes.at[i]->name);
    }
}

void parse_declaration(struct parser *p, uint32_t record) {
  struct declarator base = {0};
  enum token_kind k = (enum token_kind)stream_peek(p, 0)->kind;
  struct place_in_text visibility = stream_peek(p, 0)->place;
  int visible = k == K_HIDDEN || k == K_SHOW || k == K_LOCAL;
  if (visible) {
    stream_next(p);
    if (k == K_HIDDEN) base.flags |= IR_HIDDEN;
  }
  const struct token *t = stream_peek(p, 0);
  struct place_in_text place = t->place;
  base.word = (enum token_kind)t->kind;
  if (parse_is_base_type(base.word)) {
    stream_next(p);
    if (base.word == K_MTYPE && stream_peek(p, 0)->kind == T_COLON) {
      stream_next(p);
      if (stream_peek(p, 0)->kind != T_NAME) {
        parse_expected(p, "the name of a set of mtypes");
        return;
      }
      struct token set = stream_next(p);
      base.subtype = token_copy(p, &set);
    }
    if (base.word == K_MTYPE &&
        (stream_peek(p, 0)->kind == T_LBRACE || (stream_peek(p, 0)->kind == T_ASSIGN && stream_peek(p, 1)->kind == T_LBRACE))) {
      stream_accept(p, T_ASSIGN);
      if (p->context) parse_error(p, place, "mtypes are declared outside of processes");
      if (visible) parse_error(p, visibility, "%s cannot be said of a list of mtypes", token_spelling(k));
      parse_mtype_list(p, base.subtype, place);
      return;
    }
    base.type = base_type(p, base.word, 16, base.subtype);
  } else if (!parse_type(p, &base.type)) {
    parse_expected(p, "a type");
    return;
  }
  do parse_name(p, &base, record);
  while (!p->panic && stream_accept(p, T_COMMA));
}
