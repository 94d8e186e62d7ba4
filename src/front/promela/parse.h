/* parse.h -- the parser's state and what its files offer each other. */
#ifndef FRONT_PROMELA_PARSE_H
#define FRONT_PROMELA_PARSE_H

#include "front/promela/lexer.h"
#include "front/promela/syntax.h"

#include <setjmp.h>

enum { NEST_MAX = 120, DEPTH_MAX = 1000, ERRORS_MAX = 20, INLINE_MAX = 32, LOOK = 3, BUCKETS = 1024 };
#define TOKENS_MAX 20000000u /* after expansion of inlines */

/* A range of tokens that is being read: the file, an inline's body, an argument. */
struct frame {
  const struct token *at, *end;
  struct inline_text *text; /* NULL: no parameters are replaced */
  struct argument *arguments;
  struct ref *result; /* x = f(..): where `return` goes */
  struct place_in_text call;
};

struct argument {
  struct token *list;
  size_t count;
};

struct parser {
  struct program *program;
  const struct front_setup *setup; /* = &kept */
  struct front_setup kept;
  struct source source;
  struct tokens tokens;
  struct arena arena;
  struct err *err;
  int plus;
  jmp_buf no_memory; /* set by promela.c */
  int stopped;
  unsigned errors;
  int panic; /* an error was told; everything fails quietly until the next place to go on from */

  struct frame frames[2 * INLINE_MAX + 4];
  unsigned depth; /* frames in use */
  struct token look[LOOK];
  unsigned looked;
  struct token last;  /* the newest token that came out of the frames */
  struct token eaten; /* the newest that the parser took */
  unsigned delivered;
  int parens, in_body;
  int asked; /* a condition is read that somebody asks of the finished model */

  struct symbol *buckets[BUCKETS];
  struct scope *scope;
  struct proc_text *context; /* the process type being read; NULL = global */
  struct proc_text *procs, **procs_end;
  struct sequence *sequence; /* to which statements are added */
  struct loop *loop;
  const struct expr *youngest; /* this run of the statement that is lowered has been done: its process is the youngest one */
  const struct symbol *declaring; /* its first value is being read: it has no name yet */
  int initial; /* declarations here are part of the process's creation */
  int in_typedef, in_params, in_for, in_trace;
  unsigned nest, dstep, dsteps;
  unsigned claims, formulas;
  int warned_xu, warned_choice;
  struct vec(struct at_reference) remote_labels;
  struct vec(struct field_init) field_inits;
  struct vec(struct record_shape) shapes;   /* by type */
  struct vec(struct symbol *) mtypes;       /* scratch of parse_decl.c */
  struct vec(struct element *) waiting, heads; /* scratch of lower.c */
};

struct at_reference { /* P@label: flow.c keeps a state for it */
  const char *proc, *label;
};

struct record_shape {         /* of a record, at any depth */
  unsigned has_array : 1, has_records : 1, depth : 16; /* an array, an array of records; records within records */
};

struct field_init {       /* a field of a record begins with a value or as a channel of its own */
  uint32_t record, field; /* type and which of its fields */
  uint32_t chan;
  int32_t value;
  uint32_t from, to; /* these elements of an array; to = 0: all */
};

/* stream.c */
const struct token *stream_peek(struct parser *, unsigned ahead);
struct token stream_next(struct parser *);
int stream_accept(struct parser *, enum token_kind); /* takes it if it is next */
void stream_need(struct parser *, enum token_kind);  /* takes it, or tells */
int stream_call(struct parser *, struct symbol *, struct ref *result,
                struct place_in_text);            /* reads (args) and enters the body */
struct ref *stream_result(const struct parser *); /* of the innermost inline */

/* report.c */
void parse_error(struct parser *, struct place_in_text, const char *format, ...) __attribute__((format(printf, 3, 4)));
void parse_error_hint(struct parser *, const char *hint, struct place_in_text, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void parse_warning(struct parser *, struct place_in_text, const char *format, ...) __attribute__((format(printf, 3, 4)));
void parse_expected(struct parser *, const char *what); /* a syntax error at the next token; begins a panic */
void *parse_alloc(struct parser *, size_t bytes);       /* from the arena, zeroed; never NULL */
_Noreturn void parse_no_memory(struct parser *);
const char *token_quoted(const struct token *, char *out, size_t room);

/* symbols.c */
struct symbol *symbol_find(struct parser *, const char *name, size_t length); /* visible here, or NULL */
struct symbol *symbol_add(struct parser *, enum symbol_kind, const char *name, size_t length, struct place_in_text);
struct symbol *symbol_label(struct parser *, const struct token *);
struct symbol *symbol_find_label(struct parser *, const char *name, size_t length);
struct symbol *symbol_undeclared(struct parser *, const struct token *, const char *what); /* tells once, with what is near */
void scope_enter(struct parser *);
void scope_leave(struct parser *);
void symbols_predefined(struct parser *);
struct proc_text *proc_text_find(struct parser *, const char *name);

/* check.c */
void check_no_runs(struct parser *, const struct expr *args);
void check_one_run(struct parser *, struct expr *args);
void check_first_value(struct parser *, const struct symbol *, struct expr *);
void check_assignment(struct parser *, const struct ref *, const struct expr *);
void check_target(struct parser *, const struct ref *); /* of ++ and -- */
void check_step(struct parser *, const struct stmt *);
void check_else(struct parser *, const struct stmt *selection);
void check_provided(struct parser *, const struct expr *);
void check_field(struct parser *, uint32_t record, const struct symbol *field); /* that is about to be added */
struct record_shape record_shape(const struct parser *, uint32_t type);

/* parse_c.c */
int32_t parse_c_text(struct parser *, enum ir_c_kind, struct place_in_text word); /* [..] {..}; index in program.c_parts */
void parse_c_of_formula(struct parser *, const struct token *, const char *text); /* each c_expr {..} of an ltl block is kept; `text`: the token's without comments */
void parse_c_strings(struct parser *, enum ir_c_kind, struct place_in_text word);

/* tree.c */
struct expr *tree_new(struct parser *, enum expr_kind, struct place_in_text);
struct expr *tree_value(struct parser *, int32_t, struct place_in_text);
struct expr *tree_unary(struct parser *, enum ir_op, struct expr *, struct place_in_text);
struct expr *tree_binary(struct parser *, enum ir_op, struct expr *, struct expr *, struct place_in_text);
struct expr *tree_deeper(struct parser *, struct expr *, const struct expr *part); /* after a part was put in; tells if it is too deep */
int tree_has_run(const struct expr *);
struct expr *tree_certain_run(struct expr *); /* the one run inside that is done whenever the expression is evaluated; NULL: there is none, there are more, or it depends on values */
int tree_is_pointer(struct parser *, const struct expr *, uint32_t *type);
int tree_constant(const struct expr *, int32_t *out);

/* parse_ref.c */
struct ref *parse_ref(struct parser *);
struct ref *parse_deref(struct parser *);              /* *p */
void parse_ref_steps(struct parser *, struct ref *);   /* the indices and fields that follow */
struct ref *ref_of_symbol(struct parser *, struct symbol *, struct place_in_text);
struct expr *tree_of_ref(struct parser *, struct ref *);

/* parse_process.c */
struct expr *parse_remote(struct parser *, struct symbol *proc);
struct expr *parse_run(struct parser *);
struct expr *parse_of_process(struct parser *, enum ir_op);

/* parse_comm.c */
struct expr *parse_channel_question(struct parser *, enum ir_op);
struct expr *parse_primary_ref(struct parser *, struct ref *);
struct expr *parse_receive_args(struct parser *);
struct stmt *parse_send(struct parser *, struct ref *chan);
struct stmt *parse_receive(struct parser *, struct ref *chan);
void parse_xu(struct parser *); /* xr, xs */

/* parse_expr.c */
struct expr *parse_expr(struct parser *);
struct expr *parse_expr_after(struct parser *, struct expr *primary); /* the rest of an expression that begins so */
struct expr *parse_unary(struct parser *);
struct expr *parse_named_value(struct parser *); /* that begins with a name */
struct expr *parse_args(struct parser *); /* a, b, c up to what is no comma */
int parse_constant(struct parser *, int32_t *out); /* a constant expression; 1 = ok */

/* parse_decl.c */
int parse_at_declaration(struct parser *);
void parse_declaration(struct parser *, uint32_t record); /* record 0: of variables; else of fields of that type */
int parse_is_base_type(enum token_kind);
const char *token_copy(struct parser *, const struct token *);
int parse_type(struct parser *, uint32_t *type); /* a base type or typedef name in message lists and after new */

/* parse_unit.c */
void parse_units(struct parser *);

/* parse_stmt.c */
struct sequence *parse_body(struct parser *); /* { ... } of a process */
struct stmt *parse_stmt(struct parser *);
struct stmt *parse_block(struct parser *, enum stmt_kind);
void parse_sequence(struct parser *, struct sequence *); /* steps up to what ends it */
struct stmt *stmt_new(struct parser *, enum stmt_kind, struct place_in_text);
struct sequence *sequence_open(struct parser *, struct place_in_text);
void sequence_add(struct parser *, struct stmt *);
struct loop *loop_open(struct parser *); /* the innermost from now on */

/* parse_loop.c */
struct stmt *parse_for(struct parser *);
struct stmt *parse_select(struct parser *);

/* parse_action.c */
struct stmt *step_assign(struct parser *, struct ref *, struct expr *);
struct stmt *step_condition(struct parser *, struct expr *);
struct stmt *parse_inline_call(struct parser *, struct symbol *, struct ref *result, struct place_in_text);
struct stmt *parse_assignment(struct parser *, struct ref *);
struct stmt *parse_step_by_one(struct parser *, struct ref *);
struct stmt *parse_condition(struct parser *, struct expr *);
struct stmt *parse_from_ref(struct parser *);
struct stmt *parse_assert(struct parser *);
struct stmt *parse_print(struct parser *);
struct stmt *parse_c_code(struct parser *);
struct stmt *parse_set_priority(struct parser *);
struct stmt *parse_return(struct parser *);
struct stmt *parse_reset(struct parser *);

/* lower_expr.c */
ir_expr promela_expr(struct parser *, struct expr *);
ir_expr promela_truth(struct parser *, struct expr *); /* the same, where only whether it is 0 counts */
ir_ref promela_ref(struct parser *, struct ref *);
enum comm_use { COMM_STEP, COMM_POLL, COMM_TRACE };
uint32_t promela_comm(struct parser *, struct ref *chan, struct expr *args, unsigned flags, struct place_in_text, enum comm_use);
uint32_t promela_values(struct parser *, struct expr *args,
                        uint32_t *count); /* records spread into their cells; first index in program.args */
uint32_t pointer_type(struct parser *, uint32_t to);

/* print.c: a statement or expression as people write it; owned by the program. */
const char *stmt_text(struct parser *, const struct stmt *);
const char *tree_text(struct parser *, const struct expr *);

/* flow.c, automaton.c, lower.c */
void flow_build(struct parser *, struct proc_text *);
void flow_remote_label(struct parser *, struct proc_text *, const char *label);
void flow_finish(struct parser *, struct proc_text *);
void promela_states(struct parser *, struct proc_text *); /* of all types first: remote references speak of them */
void promela_proc(struct parser *, struct proc_text *);

#endif
