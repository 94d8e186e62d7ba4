/* parse.h -- what the files of the parser share.  See parse.c. */
#ifndef ML_PARSE_H
#define ML_PARSE_H

#include "ml/lex.h"
#include "ml/library.h"
#include "ml/scope.h"
#include "ml/syntax.h"

enum { PARSE_DEEPEST = 300 }; /* brackets within brackets, ifs within ifs */

/* An operator that waits for its right operand. */
struct parse_operator {
  struct ml_token token;
  int infix, right;
};

struct parser {
  struct ml *ml;
  struct ml_lexer lexer;
  struct ml_token token; /* the next one, not yet taken */
  uint32_t last_to;      /* where the last taken one ended */
  uint32_t depth;
  int in_colset;
  struct err *err;
  struct vec(struct ml_expr *) operand; /* shared by all levels: each remembers where its own begin */
  struct vec(struct parse_operator) waiting;
  struct vec(void *) list; /* parts while they are collected, the same way */
};

/* Tokens. */
int mlp_next(struct parser *);                    /* takes the next one: 0 or -1 */
int mlp_is_sign(const struct parser *, int sign); /* one of ( ) [ ] { } , ; _ */
int mlp_is_name(const struct parser *, const char *text);
int mlp_sign(struct parser *, int sign, const char *behind); /* takes it, or fails: "expected ')' behind the tuple" */
int mlp_word(struct parser *, enum ml_token_kind, const char *expected);
int mlp_fault(struct parser *, const char *expected); /* "expected X, but found Y" */
int mlp_refuse(struct parser *, const struct ml_token *, const char *message);
const char *mlp_name(struct parser *, const char *expected); /* a name that is not infix, or op and any name; NULL: error */
int mlp_infix(const struct parser *, const char *name);      /* -1 = it is not */
int mlp_deeper(struct parser *);                             /* 0, or -1: too deep; mlp_higher undoes it */
void mlp_higher(struct parser *);

/* Nodes; NULL: memory (told). */
void *mlp_alloc(struct parser *, size_t bytes);
const char *mlp_kept(struct parser *, const char *text, size_t length); /* kept once */
struct ml_expr *mlp_node(struct parser *, enum ml_expr_kind, const struct ml_token *at, uint32_t parts);
int mlp_close(struct parser *, struct ml_expr *); /* its parts are set: height, end; -1: too high */
struct ml_expr *mlp_named(struct parser *, const char *name, const struct ml_token *at);
struct ml_expr *mlp_apply(struct parser *, struct ml_expr *f, struct ml_expr *x);
struct ml_expr *mlp_pair(struct parser *, const char *f, const struct ml_token *at, struct ml_expr *a, struct ml_expr *b);
struct ml_pattern *mlp_pattern_node(struct parser *, enum ml_pattern_kind, const struct ml_token *at, uint32_t parts);
int mlp_pattern_close(struct parser *, struct ml_pattern *); /* its parts are set; -1: too deep */
/* The list's parts from `base` on, as an array of their own; the list is cut back. NULL: memory. */
void *mlp_collected(struct parser *, size_t base, uint32_t *count);
int mlp_collect(struct parser *, void *);
int mlp_named_parts(struct parser *, size_t base, struct ml_statement *); /* the list holds name, what it is of, name, ... */
/* Sorts labels, with their parts; order[i] is where part i of the text went. -1: one comes twice. */
int mlp_sort_labels(struct parser *, const char **label, void **part, uint32_t *order, uint32_t count, const struct ml_token *at);

/* Grammar. NULL or -1: error, told. */
struct ml_expr *mlp_expression(struct parser *);
struct ml_expr *mlp_atom(struct parser *);
struct ml_expr *mlp_operators(struct parser *);
int mlp_starts_atom(const struct parser *);
int mlp_rules(struct parser *, struct ml_expr *into);
const char *mlp_label(struct parser *);
int mlp_labels_tuple(const char *const *label, uint32_t count); /* 1, 2, ...: it is a tuple */
struct ml_pattern *mlp_pattern(struct parser *);
struct ml_pattern *mlp_pattern_atom(struct parser *);
int mlp_starts_pattern_atom(const struct parser *);
const struct ml_written *mlp_type(struct parser *);
int mlp_declaration(struct parser *, struct ml_declaration *out, int top); /* 1 = one, 0 = none, -1 */
int mlp_starts_own(const struct parser *); /* colset, var, globref: CPN ML's own declarations, which ML would take for names */
int mlp_functions(struct parser *, struct ml_declaration *out);
int mlp_functions_collected(struct parser *, size_t base,
                            struct ml_declaration *out); /* the list holds local, body, local, body, ... */
int mlp_colset(struct parser *, struct ml_statement *out);

#endif
