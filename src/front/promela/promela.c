/* promela.c -- Promela and PROM+ as languages of the front room.
 *
 * The way of a model: source.c (preprocessor, lines), lexer.c (tokens), stream.c (inlines), parse_*.c (trees; declarations go
 * straight into the program), flow.c and automaton.c (which places are states, which transitions lead where), lower*.c (into the
 * program). */
#include "front/promela/promela.h"

#include "front/promela/condition.h"
#include "front/promela/parse.h"
#include "process/process.h"
#include "process/scalarset.h"

#include <string.h>

static void lexical_fault(void *context, struct place_in_text at, const char *message) {
  parse_error(context, at, "%s", message);
}

static void lower_all(struct parser *p) {
  for (const char *const *text = p->setup->properties; text && *text; text++) promela_asked(p, *text);
  for (struct proc_text *t = p->procs; t && !p->stopped; t = t->next) flow_build(p, t);
  if (p->errors || p->stopped) return;
  for (size_t i = 0; i < p->remote_labels.count; i++) {
    struct proc_text *t = proc_text_find(p, p->remote_labels.at[i].proc);
    if (t) flow_remote_label(p, t, p->remote_labels.at[i].label);
  }
  for (struct proc_text *t = p->procs; t && !p->stopped; t = t->next) flow_finish(p, t);
  if (p->errors || p->stopped) return;
  for (struct proc_text *t = p->procs; t && !p->stopped; t = t->next) promela_states(p, t);
  for (struct proc_text *t = p->procs; t && !p->stopped; t = t->next) promela_proc(p, t);
}

static int read_model(struct parser *p) {
  if (setjmp(p->no_memory)) return err_memory(p->err, "the program");
  if (source_open(&p->source, p->program, p->setup, p->err)) return -1;
  if (lexer_tokens(&p->tokens, &p->source, p->plus, lexical_fault, p)) return err_memory(p->err, "the words of the model");
  p->frames[0] = (struct frame){.at = p->tokens.list.at, .end = p->tokens.list.at + p->tokens.list.count};
  p->depth = 1;
  p->procs_end = &p->procs;
  p->initial = 1;
  p->last.kind = T_SEMI;
  scope_enter(p);
  symbols_predefined(p);
  parse_units(p);
  p->panic = 0;
  if (!p->errors && !p->stopped) lower_all(p);
  if (!p->errors && !p->stopped && !p->program->start.count)
    parse_error(p, (struct place_in_text){p->source.files.at[0].name, 1, 1},
                "no process is active: there is neither init nor an active process type");
  if (p->program->failed) return err_memory(p->err, "the program");
  return p->errors ? -1 : 0;
}

int promela_read(struct program **out, const struct front_setup *setup, int plus, struct err *e) {
  struct program *program;
  *out = NULL;
  if (program_open(&program, setup->mem, plus ? "prom+" : "promela", setup->file)) return err_memory(e, "the program");
  struct parser *p = mem_alloc(setup->mem, MEM_OTHER, sizeof *p);
  if (!p) {
    program_close(program);
    return err_memory(e, "the program");
  }
  p->program = program;
  program->c_permission = setup->c_code == FRONT_C_ALLOWED ? IR_C_ALLOWED : setup->c_code == FRONT_C_NO_COMPILER ? IR_C_NO_COMPILER : IR_C_REFUSED;
  p->kept = *setup;
  p->setup = &p->kept;
  p->err = e;
  p->plus = plus;
  arena_open(&p->arena, setup->mem, MEM_OTHER);
  int status = read_model(p);
  if (!status) status = program_finish(program, e) || program_check_scalarsets(program, e) ? -1 : 0;
  if (status) promela_forget(p);
  else promela_keep(p);
  if (status) program_close(program);
  else *out = program;
  return status;
}

static int load(struct model **out, const struct front_setup *setup, int plus, struct err *e) {
  struct program *program;
  *out = NULL;
  if (promela_read(&program, setup, plus, e)) return -1;
  if (setup->no_claims) program->has_trace = 0;
  program->lossy_channels = setup->lose_messages;
  if (setup->unbounded_channels && program_unbound_channels(program, e)) {
    program_close(program);
    return -1;
  }
  return process_open(out, program, setup->mem, e);
}

static int load_promela(struct model **out, const struct front_setup *setup, struct err *e) { return load(out, setup, 0, e); }
static int load_plus(struct model **out, const struct front_setup *setup, struct err *e) { return load(out, setup, 1, e); }

static const char *const promela_suffixes[] = {".pml", ".pm", ".prom", ".promela", ".spin", NULL};
static const char *const plus_suffixes[] = {".pmp", NULL};

const struct front_type front_promela = {
    .name = "promela",
    .summary = "Promela as SPIN 6.5 reads it, through the C preprocessor",
    .suffixes = promela_suffixes,
    .load = load_promela,
};

const struct front_type front_promplus = {
    .name = "prom+",
    .summary = "PROM+: Promela with pointers, new and reset",
    .suffixes = plus_suffixes,
    .load = load_plus,
};
