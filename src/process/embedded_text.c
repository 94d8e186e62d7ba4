/* embedded_text.c -- the C of a model as one file for the compiler.
 *
 *   c_decl of the model
 *   struct of each typedef, struct State with the globals: `now`; struct P0, P1, .. with the locals of each process type,
 *   reached as PNAME; c_state as further members
 *   c_state "Hidden" and c_code outside of processes
 *   one function per c_code, c_expr and precondition
 *   for each scope two functions that carry its cells into this memory (fill) and back (read)
 *   tables of them all, which embedded.c looks up
 *
 * That is the order and these are the names and types of SPIN's verifier, so that C written for it finds what it expects. Members
 * are C's idea of the declaration (bit is one bit wide, an array of bits is bytes, mtype, chan and pid are bytes).  A name that
 * two declarations of one process share, in blocks side by side, names neither.
 *
 * C memory of the state lies in the cells behind the variables of its scope, 4 bytes each.  The compiler alone knows the sizes:
 * here they are enumerators, and where the next one begins is computed from them.  It tells them in a table.
 *
 * Names of our own begin with thimble_: hidden variables and whatever the model's C declares are plain names beside them.
 *
 * Before each piece of the model stands a #line and as many blanks as it takes to begin in the column of the model's text: what
 * the compiler complains of is found there. */
#include "process/embedded.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
  struct text_out *out;
  const struct program *p;
  const struct embedded_item *item;
  uint32_t items;
  uint8_t *nameable; /* per declaration: can C name it? */
};

#define say(w, ...) text_out_say((w)->out, __VA_ARGS__)

/* ---- text of the model ------------------------------------------------------------------------------------------------------
 */

static void say_line(struct writer *w, struct place_in_text at) {
  say(w, "\n#line %ld \"", at.line > 0 ? at.line : 1);
  for (const char *c = at.file ? at.file : "model"; *c; c++) {
    if (*c == '"' || *c == '\\') say(w, "\\%c", *c);
    else if ((unsigned char)*c < ' ') say(w, "?");
    else say(w, "%c", *c);
  }
  say(w, "\"\n");
}

static void say_ours(struct writer *w) { say(w, "\n#line 1 \"thimble\"\n"); }

/* SPIN's \#include hides a directive from the first preprocessor. */
static void say_text(struct writer *w, const char *text) {
  const char *hidden;
  while ((hidden = strstr(text, "\\#"))) {
    const char *before = hidden;
    while (before > text && (before[-1] == ' ' || before[-1] == '\t')) before--;
    int alone = before > text && before[-1] == '\n';
    text_out_add(w->out, text, (size_t)(hidden - text));
    say(w, alone ? " #" : "\n#");
    text = hidden + 2;
  }
  text_out_add(w->out, text, strlen(text));
}

static void say_piece(struct writer *w, const char *text, struct place_in_text at) {
  say_line(w, at);
  say(w, "%*s", at.column > 1 && at.column < 200 ? (int)at.column - 1 : 0, "");
  say_text(w, text);
  say(w, "\n");
}

/* ---- members
 * ------------------------------------------------------------------------------------------------------------------- */

static int is_name(const char *name) {
  static const char *const taken[] = {"auto",     "break",  "case",   "char",     "const",    "continue", "default",  "do",
                                      "double",   "else",   "enum",   "extern",   "float",    "for",      "goto",     "if",
                                      "inline",   "int",    "long",   "register", "restrict", "return",   "short",    "signed",
                                      "sizeof",   "static", "struct", "switch",   "typedef",  "union",    "unsigned", "void",
                                      "volatile", "while",  "asm",    "typeof",   NULL};
  size_t n = 0;
  for (; name[n]; n++)
    if (!isalpha((unsigned char)name[n]) && name[n] != '_' && !(n && isdigit((unsigned char)name[n]))) return 0;
  for (int i = 0; taken[i]; i++)
    if (strcmp(taken[i], name) == 0) return 0;
  return n > 0;
}

static const char *scalar(const struct ir_type *t) {
  if (t->kind == IR_POINTER || t->bits > 16) return t->is_signed || t->kind == IR_POINTER ? "int" : "unsigned int";
  if (t->kind != IR_NUMBER && t->kind != IR_BOOL) return "unsigned char";
  return t->bits > 8 ? (t->is_signed ? "short" : "unsigned short") : t->is_signed ? "signed char" : "unsigned char";
}

/* A member of a struct, or (bits 0) a variable of its own. */
static void say_member(struct writer *w, uint32_t type, uint32_t count, const char *name, int bits) {
  const struct ir_type *t = &w->p->types.at[type];
  int field = bits && !count && t->kind != IR_RECORD && !t->is_signed && (t->kind == IR_NUMBER || t->kind == IR_BOOL) &&
              t->bits != 8 && t->bits < 32;
  if (t->kind == IR_RECORD) say(w, "  struct %s %s", t->name, name);
  else if (field) say(w, "  unsigned %s : %u", name, (unsigned)t->bits);
  else say(w, "  %s %s", scalar(t), name);
  if (count) say(w, "[%u]", (unsigned)count);
  say(w, ";\n");
}

/* Carries one member from the cells at c + cell, or back. */
static void say_carry(struct writer *w, uint32_t type, uint32_t count, const char *prefix, const char *name, uint32_t cell,
                      int filling) {
  const struct ir_type *t = &w->p->types.at[type];
  const char *element = count ? "[thimble_i]" : "";
  if (count) say(w, "  for (int thimble_i = 0; thimble_i < %u; thimble_i++)", (unsigned)count);
  if (t->kind == IR_RECORD)
    say(w, "  thimble_%s_record_%u(&%s%s%s, thimble_c + %u%s", filling ? "fill" : "read", (unsigned)type, prefix, name, element,
        (unsigned)cell, count ? "" : ");\n");
  else if (filling) say(w, "  %s%s%s = thimble_c[%u%s", prefix, name, element, (unsigned)cell, count ? "" : "];\n");
  else say(w, "  thimble_c[%u%s] = %s%s%s;\n", (unsigned)cell, count ? " + thimble_i" : "", prefix, name, element);
  if (count && t->kind == IR_RECORD) say(w, " + thimble_i * %u);\n", (unsigned)t->cells);
  else if (count && filling) say(w, " + thimble_i];\n");
}

static int is_member(const struct writer *w, const char *name, uint32_t type) {
  const struct ir_type *t = &w->p->types.at[type];
  return is_name(name) && (t->kind != IR_RECORD || is_name(t->name));
}

static void say_records(struct writer *w) {
  for (size_t k = 0; k < w->p->types.count; k++) {
    const struct ir_type *t = &w->p->types.at[k];
    if (t->kind != IR_RECORD || !is_name(t->name)) continue;
    say(w, "struct %s {\n", t->name);
    for (uint32_t i = 0; i < t->fields; i++) {
      const struct ir_field *f = &w->p->fields.at[t->field + i];
      if (is_member(w, f->name, f->type)) say_member(w, f->type, f->count, f->name, 1);
    }
    say(w, "};\n");
    for (int filling = 0; filling < 2; filling++) {
      say(w,
          filling ? "static void thimble_fill_record_%zu(struct %s *thimble_r, const int *thimble_c) {\n"
                  : "static void thimble_read_record_%zu(struct %s *thimble_r, int *thimble_c) {\n",
          k, t->name);
      for (uint32_t i = 0; i < t->fields; i++) {
        const struct ir_field *f = &w->p->fields.at[t->field + i];
        if (is_member(w, f->name, f->type)) say_carry(w, f->type, f->count, "thimble_r->", f->name, f->offset, filling);
      }
      say(w, "}\n");
    }
  }
}

/* ---- scopes
 * ---------------------------------------------------------------------------------------------------------------------- */

struct named {
  uint32_t scope, decl;
  const char *name;
};

static int by_name(const void *a, const void *b) {
  const struct named *x = a, *y = b;
  return x->scope != y->scope ? (x->scope < y->scope ? -1 : 1) : strcmp(x->name, y->name);
}

/* Which declarations can C name? Not those whose name is C's, or stands for two. */
static void find_nameable(struct writer *w) {
  const struct program *p = w->p;
  struct mem *mem = w->out->mem;
  size_t n = p->decls.count;
  struct named *list = mem_alloc(mem, MEM_OTHER, (n + 1) * sizeof *list);
  w->nameable = mem_alloc(mem, MEM_OTHER, n + 1);
  if (!list || !w->nameable) w->out->failed = 1;
  else {
    for (uint32_t i = 1; i < n; i++) list[i - 1] = (struct named){p->decls.at[i].scope, i, p->decls.at[i].name};
    qsort(list, n - 1, sizeof *list, by_name);
    for (size_t i = 0; i + 1 < n; i++) {
      const struct ir_decl *d = &p->decls.at[list[i].decl];
      int shared = (i && by_name(&list[i - 1], &list[i]) == 0) || (i + 2 < n && by_name(&list[i + 1], &list[i]) == 0);
      w->nameable[list[i].decl] = !shared && !(d->flags & IR_INTERNAL) && is_member(w, d->name, d->type);
    }
  }
  mem_free(mem, list);
}

static int hidden(const struct ir_decl *d) { return d->flags & IR_HIDDEN && !d->scope; }

static const char *first_word(const char *text) {
  while (isspace((unsigned char)*text)) text++;
  return text;
}

static int is_word(const char *text, const char *word) {
  size_t n = strlen(word);
  text = first_word(text);
  return strncmp(text, word, n) == 0 && !*first_word(text + n);
}

int embedded_state_hidden(const struct ir_c *c) { return c->kind == IR_C_STATE && is_word(c->second, "Hidden"); }

int embedded_state_of(const struct program *p, const struct ir_c *c, uint32_t scope) {
  if (c->kind != IR_C_STATE) return 0;
  const char *word = first_word(c->second);
  if (!scope) return is_word(word, "Global");
  return strncmp(word, "Local", 5) == 0 && isspace((unsigned char)word[5]) && is_word(word + 5, p->procs.at[scope - 1].name);
}

static void say_members(struct writer *w, uint32_t scope) {
  const struct program *p = w->p;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope == scope && !hidden(d) && w->nameable[i]) say_member(w, d->type, d->count, d->name, 1);
  }
  say(w, "  char thimble_begin[0] __attribute__((aligned(8)));\n");
  for (size_t i = 0; i < p->c_parts.count; i++) {
    const struct ir_c *c = &p->c_parts.at[i];
    if (!embedded_state_of(p, c, scope)) continue;
    say_piece(w, c->text, c->place);
    say(w, ";\n");
  }
  say_ours(w);
  say(w, "  char thimble_end[0];\n");
}

static void say_scopes(struct writer *w) {
  const struct program *p = w->p;
  say(w, "typedef struct State {\n  unsigned char _nr_pr, _nr_qs;\n");
  say_members(w, 0);
  say(w, "} State;\nState now;\n");
  for (size_t i = 1; i < p->decls.count; i++)
    if (!p->decls.at[i].scope && hidden(&p->decls.at[i]) && w->nameable[i])
      say_member(w, p->decls.at[i].type, p->decls.at[i].count, p->decls.at[i].name, 0);
  for (size_t i = 0; i < p->procs.count; i++) {
    say(w, "typedef struct P%zu {\n  unsigned _pid : 8, _t : 16, _p : 32;\n", i);
    say_members(w, (uint32_t)i + 1);
    say(w, "} P%zu;\nstatic P%zu thimble_local_%zu;\n", i, i, i);
    if (is_name(p->procs.at[i].name)) say(w, "#define P%s (&thimble_local_%zu)\n", p->procs.at[i].name, i);
  }
}

/* The struct of a scope, as an expression. */
static void say_struct(struct writer *w, uint32_t scope) {
  if (scope) say(w, "thimble_local_%u", (unsigned)scope - 1);
  else say(w, "now");
}

static void say_item(struct writer *w, uint32_t k, int filling) {
  const struct embedded_item *item = &w->item[k];
  char there[100];
  if (item->part != UINT32_MAX) snprintf(there, sizeof there, "thimble_track_%u()", (unsigned)item->part);
  else if (item->scope) snprintf(there, sizeof there, "thimble_local_%u.thimble_begin", (unsigned)item->scope - 1);
  else snprintf(there, sizeof there, "now.thimble_begin");
  say(w, "  {\n    void *thimble_p = %s;\n", there);
  if (filling) say(w, "    if (thimble_p) memcpy(thimble_p, thimble_c + thimble_at_%u, thimble_size_%u);\n", (unsigned)k, (unsigned)k);
  else
    say(w,
        "    memset(thimble_c + thimble_at_%u, 0, (thimble_size_%u + 3) / 4 * 4);\n    if (thimble_p) memcpy(thimble_c + thimble_at_%u, thimble_p, "
        "thimble_size_%u);\n",
        (unsigned)k, (unsigned)k, (unsigned)k, (unsigned)k);
  say(w, "  }\n");
}

static void say_carrier(struct writer *w, uint32_t scope, int filling) {
  const struct program *p = w->p;
  if (filling)
    say(w,
        "static void thimble_fill_scope_%u(const int *thimble_c, int thimble_pid, int thimble_type, int thimble_pc, int thimble_processes, "
        "int thimble_channels) {\n",
        (unsigned)scope);
  else say(w, "static void thimble_read_scope_%u(int *thimble_c) {\n", (unsigned)scope);
  if (filling && scope)
    say(w, "  thimble_local_%u._pid = thimble_pid, thimble_local_%u._t = thimble_type, thimble_local_%u._p = thimble_pc;\n",
        (unsigned)scope - 1, (unsigned)scope - 1, (unsigned)scope - 1);
  if (filling && !scope) say(w, "  now._nr_pr = thimble_processes, now._nr_qs = thimble_channels;\n");
  char prefix[60];
  snprintf(prefix, sizeof prefix, "thimble_local_%u.", (unsigned)(scope ? scope - 1 : 0));
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope == scope && w->nameable[i])
      say_carry(w, d->type, d->count, scope ? prefix : hidden(d) ? "" : "now.", d->name, d->base, filling);
  }
  /* the newest c_track first: where one holds a pointer and another what it points to, SPIN's order counts */
  for (uint32_t k = w->items; k-- > 0;)
    if (w->item[k].scope == scope) say_item(w, k, filling);
  say(w, "}\n");
}

/* ---- first values
 * --------------------------------------------------------------------------------------------------------------- */

/* The name that a c_state declares: the last word before [ or the end. */
static void say_declared(struct writer *w, const char *text) {
  const char *end = strchr(text, '[');
  if (!end) end = text + strlen(text);
  while (end > text && !isalnum((unsigned char)end[-1]) && end[-1] != '_') end--;
  const char *start = end;
  while (start > text && (isalnum((unsigned char)start[-1]) || start[-1] == '_')) start--;
  text_out_add(w->out, start, (size_t)(end - start));
}

/* Behind the scopes come the hidden ones. */
static void say_start(struct writer *w, uint32_t scope) {
  const struct program *p = w->p;
  int apart = scope > p->procs.count;
  say(w, "static void thimble_start_scope_%u(void) {\n", (unsigned)scope);
  for (size_t i = 0; i < p->c_parts.count; i++) {
    const struct ir_c *c = &p->c_parts.at[i];
    if (!c->third || c->kind != IR_C_STATE || !(apart ? embedded_state_hidden(c) : embedded_state_of(p, c, scope))) continue;
    say_line(w, c->third_place);
    if (!apart) {
      say_struct(w, scope);
      say(w, ".");
    }
    say_declared(w, c->text);
    say(w, " = ");
    say_text(w, c->third);
    say(w, ";\n");
  }
  say_ours(w);
  say(w, "}\n");
}

/* ---- pieces that run
 * -------------------------------------------------------------------------------------------------------------- */

/* As a number: what is no integer is cut to one, and of an address it counts whether there is one. The comma makes a value of a bit field. */
static const char value_text[] = "#define thimble_value(v) (__builtin_classify_type(v) == 5 ? ((v) ? 1 : 0) : (int)(long)(v))\n";

static void say_parts(struct writer *w) {
  for (size_t i = 0; i < w->p->c_parts.count; i++) {
    const struct ir_c *c = &w->p->c_parts.at[i];
    if (c->precondition) {
      say(w, "static int thimble_test_%zu(void) { return ((", i);
      say_piece(w, c->precondition, c->precondition_place);
      say(w, ") ? 1 : 0); }\n");
    }
    if (c->kind == IR_C_STATEMENT) {
      say(w, "static void thimble_statement_%zu(void) {", i);
      say_piece(w, c->text, c->place);
      say(w, ";}\n");
    } else if (c->kind == IR_C_CONDITION) {
      say(w, c->truth ? "static int thimble_condition_%zu(void) { return (" : "static int thimble_condition_%zu(void) { __auto_type thimble_v = ((void)0, ", i);
      say_piece(w, c->text, c->place);
      say(w, c->truth ? ") ? 1 : 0; }\n" : "); return thimble_value(thimble_v); }\n");
    } else if (c->kind == IR_C_TRACK) {
      say(w, "static void *thimble_track_%zu(void) { return (void *)(", i);
      say_piece(w, c->text, c->place);
      say(w, "); }\n");
    }
  }
  say_ours(w);
}

static void say_sizes(struct writer *w) {
  const struct program *p = w->p;
  for (uint32_t k = 0; k < w->items; k++) {
    const struct embedded_item *item = &w->item[k];
    say(w, "enum { thimble_size_%u = (", (unsigned)k);
    if (item->part == UINT32_MAX) {
      char type[20] = "State";
      if (item->scope) snprintf(type, sizeof type, "P%u", (unsigned)item->scope - 1);
      say(w, "__builtin_offsetof(%s, thimble_end) - __builtin_offsetof(%s, thimble_begin)", type, type);
    } else {
      say_piece(w, p->c_parts.at[item->part].second, p->c_parts.at[item->part].second_place);
    }
    say(w, ") };");
    say_ours(w);
    uint32_t before = k;
    while (before > 0 && w->item[before - 1].scope != item->scope) before--;
    if (before)
      say(w, "enum { thimble_at_%u = thimble_at_%u + (thimble_size_%u + 3) / 4 };\n", (unsigned)k, (unsigned)before - 1,
          (unsigned)before - 1);
    else
      say(w, "enum { thimble_at_%u = %u };\n", (unsigned)k,
          (unsigned)(item->scope ? p->procs.at[item->scope - 1].cells : p->global_cells));
  }
}

static void say_table(struct writer *w, const char *type, const char *name, int (*there)(const struct ir_c *)) {
  say(w, "EXPORT %s (*const thimble_%ss[])(void) = {", type, name);
  for (size_t i = 0; i < w->p->c_parts.count; i++)
    if (there(&w->p->c_parts.at[i])) say(w, "thimble_%s_%zu, ", name, i);
    else say(w, "0, ");
  say(w, "0};\n");
}
static int is_statement(const struct ir_c *c) { return c->kind == IR_C_STATEMENT; }
static int is_condition(const struct ir_c *c) { return c->kind == IR_C_CONDITION; }
static int is_tested(const struct ir_c *c) { return c->precondition != NULL; }

static void say_tables(struct writer *w) {
  say(w, "#define EXPORT __attribute__((visibility(\"default\")))\n");
  say_table(w, "void", "statement", is_statement);
  say_table(w, "int", "condition", is_condition);
  say_table(w, "int", "test", is_tested);
  say(w, "EXPORT void (*const thimble_fills[])(const int *, int, int, int, int, int) = {");
  for (size_t s = 0; s <= w->p->procs.count; s++) say(w, "thimble_fill_scope_%zu, ", s);
  say(w, "0};\nEXPORT void (*const thimble_reads[])(int *) = {");
  for (size_t s = 0; s <= w->p->procs.count; s++) say(w, "thimble_read_scope_%zu, ", s);
  say(w, "0};\nEXPORT void (*const thimble_starts[])(void) = {");
  for (size_t s = 0; s <= w->p->procs.count + 1; s++) say(w, "thimble_start_scope_%zu, ", s);
  say(w, "0};\nEXPORT const long thimble_sizes[] = {");
  for (uint32_t k = 0; k < w->items; k++) say(w, "thimble_size_%u, ", (unsigned)k);
  say(w, "0};\n");
}

static void say_kind(struct writer *w, enum ir_c_kind kind) {
  for (size_t i = 0; i < w->p->c_parts.count; i++)
    if (w->p->c_parts.at[i].kind == kind) say_piece(w, w->p->c_parts.at[i].text, w->p->c_parts.at[i].place);
  say_ours(w);
}

/* What SPIN's verifier includes and defines for C; standard output is the verdict's, above all where it is JSON.  So are exit codes: C that
 * ends the program must not give it the one of a verdict. */
static const char prelude[] =
    "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <stdarg.h>\n#include <stdint.h>\n#include "
    "<string.h>\n#include <ctype.h>\n"
    "#include <errno.h>\n#include <limits.h>\n#include <time.h>\n#include <unistd.h>\n#include <sys/types.h>\n"
    "#undef stdout\n#define stdout stderr\n"
    "#define printf(...) fprintf(stderr, __VA_ARGS__)\n#define vprintf(f, a) vfprintf(stderr, f, a)\n"
    "#define puts(s) fprintf(stderr, \"%s\\n\", s)\n#define putchar(c) putc(c, stderr)\n"
    "__attribute__((unused, noreturn)) static void thimble_exit(int status) { fprintf(stderr, \"error: the C code of the model calls exit(%d)\\n\", status); "
    "_exit(3); }\n#define exit(status) thimble_exit(status)\n"
    "typedef unsigned char uchar;\n"
    "#ifndef max\n#define max(a, b) (((a) < (b)) ? (b) : (a))\n#endif\n"
    "static int Printf(const char *format, ...) { (void)format; return 1; }\n";

void embedded_text(struct text_out *out, const struct program *p, const struct embedded_item *item, uint32_t items) {
  struct writer w = {out, p, item, items, NULL};
  find_nameable(&w);
  if (out->failed) {
    mem_free(out->mem, w.nameable);
    return;
  }
  text_out_add(out, prelude, sizeof prelude - 1);
  say_kind(&w, IR_C_DECLARATIONS);
  say_records(&w);
  say_scopes(&w);
  for (size_t i = 0; i < p->c_parts.count; i++)
    if (embedded_state_hidden(&p->c_parts.at[i])) {
      say_piece(&w, p->c_parts.at[i].text, p->c_parts.at[i].place);
      say(&w, ";\n");
    }
  say_kind(&w, IR_C_FUNCTIONS);
  text_out_add(out, value_text, sizeof value_text - 1);
  say_parts(&w);
  say_sizes(&w);
  for (uint32_t s = 0; s <= p->procs.count; s++) {
    say_carrier(&w, s, 1);
    say_carrier(&w, s, 0);
    say_start(&w, s);
  }
  say_start(&w, (uint32_t)p->procs.count + 1);
  say_tables(&w);
  mem_free(out->mem, w.nameable);
}
