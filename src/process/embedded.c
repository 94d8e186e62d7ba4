/* embedded.c -- C inside a model: permission, compiling, running.
 *
 * Whoever writes a model with C in it writes code that this process would run.  So nothing is compiled unless the user said so
 * (program.c_permission).
 *
 * The C becomes one object (embedded_text.c) that is never cached: it may include files that change.  Its memory holds a copy of
 * the variables, in the shape that SPIN's verifier gives them.  A piece of C runs like this: the cells of the globals and of the
 * process are carried into that memory, the piece runs, they are carried back, and cells that changed are written through
 * runtime_put, so that undoing and packing work as for any statement.  The interpreter and compiled statements both come here,
 * and no text of the model gets into generated statements, whose objects may thus be cached.
 *
 * C memory that is part of the state (c_state, c_track) has cells of its own, behind the variables of its scope.  Only the
 * compiler knows how large it is: the object tells, the cells are declared, the program is finished once more.  The first
 * values of c_track are what lies in that memory when the object was loaded; those of c_state are expressions in C, which are
 * computed whenever their scope begins.
 *
 * UnMatched (tracked, but no part of the state that is compared) is refused: its value in a state is that of whatever path found
 * the state first, so what a model means would depend on the order of the search. */
#include "process/embedded.h"

#include "base/library.h"
#include "process/build.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct embedded {
  struct mem *mem;
  struct build build;
  void (*const *statement)(void);
  int (*const *condition)(void);
  int (*const *test)(void);
  void (*const *fill)(const int *, int pid, int type, int pc, int processes, int channels); /* per scope */
  void (*const *read)(int *);
  void (*const *start)(void);
  const long *size;
  uint8_t *begins;  /* per scope: do some of its c_state members have first values? */
  int32_t *scratch; /* cells of one scope */
  size_t scratch_room;
  struct vec(struct embedded_item) items;
};

enum { TRACKED_MAX = 1 << 22 }; /* bytes of one piece */

/* ---- what is refused ---------------------------------------------------------------------------------------------------- */

static int permitted(const struct program *p, struct err *err) {
  if (p->c_permission == IR_C_ALLOWED) return 1;
  if (p->c_permission == IR_C_NO_COMPILER) {
    err_input(err, p->first_c, "the model holds C code, which the interpreter alone cannot run");
    err_hint(err, "leave out --engine interpreter: C needs a compiler");
  } else {
    err_input(err, p->first_c, "the model holds C code, which would run on this machine with your rights");
    err_hint(err, "read it; if you trust it, give --allow-c-code");
  }
  return 0;
}

/* A use of PNAME-> for another process type: what it would mean depends on who ran last. */
static int speaks_of(const char *text, const char *proc) {
  size_t n = strlen(proc);
  for (const char *at = text; (at = strstr(at, proc)); at++) {
    if (at == text || at[-1] != 'P') continue;
    if (at - 1 > text && (isalnum((unsigned char)at[-2]) || at[-2] == '_')) continue;
    const char *arrow = at + n;
    while (isspace((unsigned char)*arrow)) arrow++;
    if (arrow[0] == '-' && arrow[1] == '>') return 1;
  }
  return 0;
}

static int check_locals(const struct program *p, const struct ir_c *c, struct err *err) {
  if (c->kind != IR_C_STATEMENT && c->kind != IR_C_CONDITION) return 0;
  for (size_t i = 0; i < p->procs.count; i++)
    if (i + 1 != c->scope &&
        (speaks_of(c->text, p->procs.at[i].name) || (c->precondition && speaks_of(c->precondition, p->procs.at[i].name))))
      return err_input(err, c->place, "C code of %s cannot use variables of %s", c->scope ? p->procs.at[c->scope - 1].name : "a formula",
                       p->procs.at[i].name);
  return 0;
}

static int check_state(const struct program *p, const struct ir_c *c, struct err *err) {
  if (c->kind != IR_C_STATE) return 0;
  if (c->third && strchr(c->text, '['))
    return err_input(err, c->third_place, "an array of c_state has no first value here: set its elements in c_code");
  if (embedded_state_hidden(c)) return 0;
  for (uint32_t s = 0; s <= p->procs.count; s++)
    if (embedded_state_of(p, c, s)) return 0;
  err_input(err, c->second_place, "c_state is \"Global\", \"Hidden\", or \"Local\" and the name of a process type");
  err_hint(err, "for memory declared in c_decl or c_code there is c_track");
  return -1;
}

static int check_track(const struct ir_c *c, struct err *err) {
  if (c->kind != IR_C_TRACK || !c->third || strcmp(c->third, "Matched") == 0) return 0;
  if (strcmp(c->third, "UnMatched") && strcmp(c->third, "unMatched") && strcmp(c->third, "StackOnly"))
    return err_input(err, c->third_place, "this is neither \"Matched\" nor \"UnMatched\"");
  err_input(err, c->third_place,
            "memory that is restored but no part of the state makes the state space depend on the order of the search");
  err_hint(err, "without \"UnMatched\" it is part of the state");
  return -1;
}

static int check_parts(const struct program *p, struct err *err) {
  for (size_t i = 0; i < p->c_parts.count; i++) {
    const struct ir_c *c = &p->c_parts.at[i];
    if (check_locals(p, c, err) || check_state(p, c, err) || check_track(c, err)) return -1;
  }
  return 0;
}

/* ---- compiling ------------------------------------------------------------------------------------------------------------- */

static int list_items(struct embedded *e, const struct program *p) {
  for (uint32_t s = 0; s <= p->procs.count; s++)
    for (size_t i = 0; i < p->c_parts.count; i++) {
      const struct ir_c *c = &p->c_parts.at[i];
      if (!embedded_state_of(p, c, s)) continue;
      if (vec_push(&e->items, e->mem, MEM_MODEL, (struct embedded_item){s, "c_state", c->place, UINT32_MAX, 0})) return -1;
      break;
    }
  for (uint32_t i = 0; i < p->c_parts.count; i++) {
    const struct ir_c *c = &p->c_parts.at[i];
    if (c->kind == IR_C_TRACK && vec_push(&e->items, e->mem, MEM_MODEL, (struct embedded_item){0, c->text, c->place, i, 0}))
      return -1;
  }
  return 0;
}

/* FILE:LINE:COLUMN: error: MESSAGE, read from the back: a file's name may hold colons. 1 if it is one with a place. */
static int read_place(char *line, size_t before, struct place_in_text *at) {
  size_t end = before;
  long number[2] = {0, 0};
  for (int k = 0; k < 2; k++) {
    while (end > 0 && line[end - 1] != ':') end--;
    if (end < 2) return 0;
    line[--end] = 0;
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)line[start - 1])) start--;
    if (start == end || start == 0 || line[start - 1] != ':') return 0;
    number[k] = strtol(line + start, NULL, 10);
    end = start;
  }
  line[end - 1] = 0;
  *at = (struct place_in_text){line, number[1], number[0]};
  return strcmp(line, "thimble") != 0;
}

/* What the compiler said first, at the place in the model that it speaks of. */
static int tell(struct embedded *e, const struct program *p, struct err *err) {
  char *told = e->build.told, quoted[400];
  for (char *line = told; *line;) {
    size_t length = strcspn(line, "\n");
    int last = !line[length];
    line[length] = 0;
    char *error = strstr(line, "error: "), *missing = strstr(line, "undefined reference to");
    const char *message = error ? error + 7 : missing;
    if (message) {
      struct place_in_text at = p->first_c;
      err_quote(quoted, sizeof quoted, message, strlen(message));
      char *fatal = error ? strstr(line, "fatal error: ") : NULL;
      if (error && !read_place(line, (size_t)((fatal ? fatal : error) - line), &at)) at = p->first_c;
      return err_input(err, at, "the C compiler says: %s", quoted);
    }
    if (last) break;
    line += length + 1;
  }
  return err_input(err, p->first_c, "the model holds C code, but %s", e->build.why);
}

static int compile(struct embedded *e, const struct program *p, struct err *err) {
  struct text_out out = {.mem = e->mem};
  const char *slash = strrchr(p->file, '/');
  char *folder = mem_strndup(e->mem, MEM_OTHER, slash ? p->file : ".", slash ? (size_t)(slash - p->file) + 1 : 1);
  const char *flags[] = {"-O2",
                         "-fwrapv",
                         "-fno-strict-aliasing",
                         "-fPIC",
                         "-shared",
                         "-fvisibility=hidden",
                         "-Wl,--no-undefined",
                         "-Werror=implicit-function-declaration",
                         "-ftabstop=1",
                         "-iquote",
                         folder,
                         "-iquote",
                         ".",
                         "-x",
                         "c",
                         NULL};
  embedded_text(&out, p, e->items.at, (uint32_t)e->items.count);
  if (!folder || out.failed) err_memory(err, "the model's C code");
  else build_once(&e->build, out.text.at, out.text.count, flags, e->mem);
  vec_free(&out.text, e->mem);
  mem_free(e->mem, folder);
  if (err->kind != ERR_NONE) return -1;
  if (e->build.state != BUILD_READY) return tell(e, p, err);
  void *library = e->build.library;
  e->statement = library_find(library, "thimble_statements");
  e->condition = library_find(library, "thimble_conditions");
  e->test = library_find(library, "thimble_tests");
  e->fill = library_find(library, "thimble_fills");
  e->read = library_find(library, "thimble_reads");
  e->start = library_find(library, "thimble_starts");
  e->size = library_find(library, "thimble_sizes");
  if (e->statement && e->condition && e->test && e->fill && e->read && e->start && e->size) return 0;
  return err_internal(err, "the model's C code was compiled, but does not offer what it should");
}

/* ---- cells -------------------------------------------------------------------------------------------------------------------
 */

static uint32_t cells_of(const struct program *p, uint32_t scope) {
  return scope ? p->procs.at[scope - 1].cells : p->global_cells;
}

static int declare(struct embedded *e, struct program *p, struct err *err) {
  uint32_t type = program_scalar(p, IR_NUMBER, "int", 32, 1, 0);
  for (size_t k = 0; k < e->items.count; k++) {
    struct embedded_item *item = &e->items.at[k];
    if (e->size[k] < 0 || e->size[k] > TRACKED_MAX)
      return err_input(err, item->place, "%ld bytes cannot be part of a state, at most %d can", e->size[k], TRACKED_MAX);
    uint32_t cells = (uint32_t)((e->size[k] + 3) / 4);
    if (cells)
      item->decl = program_declare(p, &(struct ir_decl){.name = program_text(p, item->name, strlen(item->name)),
                                           .scope = item->scope,
                                           .type = type,
                                           .count = cells,
                                           .flags = IR_INTERNAL,
                                           .place = item->place});
  }
  for (uint32_t s = 0; s <= p->procs.count; s++)
    if (cells_of(p, s) >= e->scratch_room) e->scratch_room = (size_t)cells_of(p, s) + 1;
  if (p->failed || p->too_large) return 0; /* program_finish tells */
  e->scratch = mem_alloc(e->mem, MEM_MODEL, e->scratch_room * sizeof *e->scratch);
  e->begins = mem_alloc(e->mem, MEM_MODEL, p->procs.count + 1);
  if (!e->scratch || !e->begins) return err_memory(err, "the model's C code");
  for (uint32_t s = 0; s <= p->procs.count; s++)
    for (size_t i = 0; i < p->c_parts.count; i++)
      if (p->c_parts.at[i].third && embedded_state_of(p, &p->c_parts.at[i], s)) e->begins[s] = 1;
  return 0;
}

/* Hidden variables get their first values once and for all, c_track what lies in its memory then. */
static void learn_first_values(struct embedded *e, struct program *p) {
  memset(e->scratch, 0, e->scratch_room * sizeof *e->scratch);
  e->start[p->procs.count + 1]();
  e->read[0](e->scratch);
  for (size_t i = 0; i < e->items.count; i++) {
    uint32_t decl = e->items.at[i].part == UINT32_MAX ? 0 : e->items.at[i].decl;
    struct ir_decl d = p->decls.at[decl];
    for (uint32_t k = 0; decl && k < d.cells; k++)
      if (e->scratch[d.base + k])
        program_init(p, 0, program_ref_index(p, program_ref(p, decl, d.place), program_value(p, (int32_t)k)),
                     program_value(p, e->scratch[d.base + k]));
  }
}

int embedded_open(struct embedded **out, struct program *p, struct mem *mem, struct err *err) {
  *out = NULL;
  if (!permitted(p, err) || check_parts(p, err)) return -1;
  struct embedded *e = mem_alloc(mem, MEM_MODEL, sizeof *e);
  if (!e) return err_memory(err, "the model's C code");
  e->mem = mem;
  int bad = list_items(e, p) ? err_memory(err, "the model's C code") : compile(e, p, err);
  if (!bad) bad = declare(e, p, err);
  if (!bad && e->scratch) learn_first_values(e, p);
  if (!bad) bad = program_finish(p, err);
  if (bad) embedded_close(e);
  else *out = e;
  return bad;
}

void embedded_close(struct embedded *e) {
  if (!e) return;
  struct mem *mem = e->mem;
  build_close(&e->build);
  vec_free(&e->items, mem);
  mem_free(mem, e->begins);
  mem_free(mem, e->scratch);
  mem_free(mem, e);
}

/* ---- running ------------------------------------------------------------------------------------------------------------------
 */

static const struct machine *machine_of(const struct runtime *m) { return (const struct machine *)m; }

/* Scope of the locals of the process in a slot; 0 = there is none. */
static uint32_t local_scope(const struct runtime *m, uint32_t slot) {
  return slot < m->processes ? (uint32_t)m->cell[runtime_slot(m, slot) + SLOT_TYPE] : 0;
}

static void carry_in(const struct embedded *e, const struct runtime *m, uint32_t slot) {
  const struct shape *s = machine_of(m)->shape;
  uint32_t scope = local_scope(m, slot);
  e->fill[0](m->cell + s->global, 0, 0, 0, (int)m->processes, (int)m->channels);
  if (!scope) return;
  uint32_t base = shape_slot(s, slot);
  e->fill[scope](m->cell + base + SLOT_HEADER, (int)slot, (int)scope - 1, m->cell[base + SLOT_PC], (int)m->processes,
                 (int)m->channels);
}

/* Cells that C cannot name keep their values: reading leaves them as they were. */
static void carry_out(const struct embedded *e, struct runtime *m, uint32_t slot, uint32_t scope) {
  const struct shape *s = machine_of(m)->shape;
  uint32_t base = shape_scope(s, scope, slot), first = s->type_first[scope], cells = s->type_first[scope + 1] - first;
  memcpy(e->scratch, m->cell + base, cells * sizeof *e->scratch);
  e->read[scope](e->scratch);
  for (uint32_t i = 0; i < cells; i++)
    if (e->scratch[i] != m->cell[base + i])
      runtime_put(m, base + i, program_cut(&s->program->types.at[s->type[first + i]], e->scratch[i]));
}

void embedded_begin(struct runtime *m, uint32_t scope, uint32_t slot) {
  const struct embedded *e = machine_of(m)->shape->embedded;
  if (!e->begins[scope]) return;
  carry_in(e, m, scope ? slot : UINT32_MAX);
  e->start[scope]();
  carry_out(e, m, slot, scope);
}

int embedded_run(struct runtime *m, uint32_t slot, uint32_t part) {
  const struct embedded *e = machine_of(m)->shape->embedded;
  carry_in(e, m, slot);
  if (e->test[part] && !e->test[part]()) {
    m->fault(m, FAULT_C, part);
    return 0;
  }
  e->statement[part]();
  uint32_t scope = local_scope(m, slot);
  carry_out(e, m, slot, 0);
  if (scope) carry_out(e, m, slot, scope);
  return 1;
}

int32_t embedded_value(struct runtime *m, uint32_t slot, uint32_t part) {
  const struct embedded *e = machine_of(m)->shape->embedded;
  carry_in(e, m, slot);
  if (e->test[part] && !e->test[part]()) {
    m->fault(m, FAULT_C, part);
    return 0;
  }
  return e->condition[part]();
}
