/* colour_model.h -- the model behind colour.h, for the files of this room. */
#ifndef COLOUR_COLOUR_MODEL_H
#define COLOUR_COLOUR_MODEL_H

#include "colour/bind.h"
#include "colour/fields.h"
#include "colour/slice.h"

/* What is asked in CPN ML about a marking: places become variables. */
struct colour_condition {
  const struct ml_expr *tree;
  const struct ml_code *code;
  int boolean;
  uint32_t places, named; /* the first of them are named, the others are references (net_references.c) that are read */
  const uint32_t *place, *variable; /* variable[i] is the marking of place[i], or what the reference holds */
};

struct foreseen;

struct colour_model {
  struct model base;
  struct net *net;
  struct bind bind;
  struct implied implied;
  int spoiled; /* (atomic) there was no memory for a state in its new layout, or for an answer: nothing can be said any more */
  struct fields *layout, *old; /* old only between widen and widen_done */
  uint8_t *widths;
  uint32_t *counted; /* per field: markings when the layout was made */
  unsigned serial; /* of the layout */
  int per_token;
  enum colour_draws draws; /* COLOUR_CHOOSES also where nothing draws */
  uint64_t seed, drawn; /* how often states have drawn so far */
  int again;            /* the state that drew last was too wide, and is asked once more */
  uint64_t asked, converted; /* states expanded so far, conversions of states to wider layouts */
  uint64_t *masks; /* read and write sets: per group two, of mask_words each */
  size_t mask_words;
  struct foreseen *foreseen[2]; /* what can ever happen (foreseen.h), also after colours were exchanged; NULL = nobody has asked */
  uint32_t *by_priority; /* transitions by priority, then number */
  struct vec(struct colour_condition) conditions;
  ml_value *asked_variable; /* scratch of conditions that are asked by the definition */
  size_t asked_room;
  uint32_t *scratch; /* numbers of one state: initial, convert, unpack; where several threads are, under the lock, as the next */
  bag_words made;
  uint64_t *lane;
  size_t deepest; /* plan: MATCH steps of one transition */
};

struct colour_frame {
  uint32_t at, end; /* in bind.child; or (node not BIND_LEAF) in the data of the place's markings, or in its bag: tokens of which each makes children of the node */
  uint32_t node, last;
};

enum { HAVE_SUMS = 1, HAVE_BAG = 2, HAVE_NUMBER = 4 };

enum colour_mode { COLOUR_ALL, COLOUR_ONE, COLOUR_ANY };

struct colour_cursor {
  struct model_cursor base;
  unsigned serial;
  uint32_t *number; /* per field: the state that is expanded; of implied places only if have says so */
  uint8_t *have;    /* per place, if it is implied: what has been computed of its marking, HAVE_ */
  int64_t *sum;     /* HAVE_SUMS: tokens, per cell */
  bag_words *bag;   /* HAVE_BAG: per place */
  uint64_t *lane, *made;
  uint8_t *packed; /* the state as bytes: what it draws */
  size_t packed_room;
  struct colour_frame *stack;
  size_t rooms; /* lanes that there is room for */
  struct model_batch *batch;
  enum colour_mode mode;
  uint32_t sought; /* ONE: how many edges are still before it; ANY: the group */
  uint32_t found;  /* ONE: the leaf; ANY: 1 */
  uint32_t *out;
  size_t edges;        /* of this state */
  uint64_t tried;      /* bindings and parts of them, so far */
  uint32_t clock;      /* at which its steps happen */
  int64_t early;       /* the next time at which tokens can be taken that are not ready then; INT64_MAX = none */
  uint32_t misfit;     /* field that is too narrow */
  int notes;           /* the leaf of each edge is noted: */
  struct vec(uint32_t) leaf;
  bag_words moved; /* scratch of bind_move */
  struct colour_asked *asked; /* condition.c; NULL = nobody has asked */
};

static inline const struct colour_model *colour_of(const struct model *m) { return (const struct colour_model *)m; }
static inline uint32_t colour_clock_field(const struct colour_model *m) { return (uint32_t)m->net->places.count; }
/* The number of an implied place's marking, from the numbers in `scratch`. */
static inline uint32_t colour_implied_number(struct colour_model *m, uint32_t place) {
  struct implied_scratch s = {m->implied.sum, m->scratch, m->made};
  uint32_t number = implied_number(&m->implied, place, &s);
  m->made = s.made;
  return number;
}
/* What people's side of the model calls a marking: 0 is the empty one, the others are their number + 1. */
static inline int64_t colour_to_value(const struct bags *b, uint32_t number) { return number == bags_empty(b) ? 0 : (int64_t)number + 1; }
static inline uint32_t colour_from_value(const struct bags *b, int64_t value) { return value ? (uint32_t)(value - 1) : bags_empty(b); }
static inline uint32_t colour_fields(const struct colour_model *m) { return net_fields(m->net); }
static inline int colour_is_implied(const struct colour_model *m, uint32_t field) { return field < m->net->places.count && implied_has(&m->implied, field); }

/* explore.c */
int colour_cursor_open(struct model_cursor **out, const struct model *, struct mem *);
void colour_cursor_close(struct model_cursor *);
enum model_answer colour_successors(struct model_cursor *, const uint32_t *state, struct model_batch *);
int colour_step(struct model_cursor *, const uint32_t *state, uint32_t k, uint32_t *out, uint32_t *group);
int colour_fireable(struct model_cursor *, const uint32_t *state, uint32_t group);
struct bag colour_marking(struct colour_cursor *, uint32_t place); /* of the state that was expanded last */
int colour_note_leaves(struct colour_cursor *); /* of the state that was expanded last, and from now on of all; 0 or -1 */
int64_t colour_parts(struct model_cursor *, const uint32_t *state, uint32_t k, void (*hear)(void *, const struct model_part *), void *);

/* describe.c */
uint32_t colour_number(const struct colour_model *, const uint32_t *state, uint32_t field); /* of a marking, of a clock */
uint32_t colour_number_with(const struct colour_model *, const uint32_t *state, uint32_t field, struct implied_scratch *); /* the same, for who has scratch of his own */
uint32_t colour_field_number(const struct colour_model *, const uint32_t *state, uint32_t field); /* the same of what is no implied place; of slices */
int64_t colour_value(const struct model *, const uint32_t *state, uint32_t var);
int64_t colour_amount(const struct model *, const uint32_t *state, uint32_t var); /* tokens */
int64_t colour_amount_define(const struct model *, const int64_t *values, uint32_t var);
int64_t colour_find_var(const struct model *, const char *name, size_t length);
int64_t colour_find_group(const struct model *, const char *name, size_t length);
const char *colour_var_name(const struct model *, uint32_t var);
int colour_owner(const struct model *, uint32_t group);
const char *colour_group_name(const struct model *, uint32_t group);
struct place_in_text colour_var_place(const struct model *, uint32_t var);
struct place_in_text colour_group_place(const struct model *, uint32_t group);
void colour_print_value(const struct model *, uint32_t var, int64_t value, char *out, size_t room);
void colour_describe(const struct model *, const uint32_t *state, uint32_t var, struct model_var *out);
void colour_fault_text(const struct model *, const struct model_fault *, char *out, size_t room);
struct place_in_text colour_fault_place(const struct model *, const struct model_fault *);
int colour_warning(const struct model *, uint32_t index, struct place_in_text *, char *out, size_t room);

/* portable.c */
size_t colour_pack(const struct model *, const uint32_t *state, uint8_t *out, size_t room);
int colour_unpack(const struct model *, const uint8_t *data, size_t length, uint32_t *state);
size_t colour_define_pack(const struct model *, const int64_t *values, uint8_t *out, size_t room);
int colour_define_unpack(const struct model *, const uint8_t *data, size_t length, int64_t *values);

/* condition.c */
int64_t colour_condition(const struct model *, const char *text, size_t length, const char *what, struct err *);
int64_t colour_condition_value(struct model_cursor *, const uint32_t *state, uint32_t condition);
int64_t colour_condition_define(const struct model *, const int64_t *values, uint32_t condition);
void colour_conditions_close(struct colour_model *);
void colour_asked_close(struct colour_cursor *);

/* symmetry.c */
extern const struct model_likeness_type colour_symmetry;
/* How many exchanges of two values it knows, of which all its permutations are made; and what one of them makes of a value in a place: its number, or VALUES_NONE (memory). */
uint32_t colour_symmetry_exchanges(const struct model_likeness *);
uint32_t colour_symmetry_exchange(struct model_likeness *, uint32_t exchange, uint32_t place, uint32_t value);

/* forget.c */
extern const struct model_likeness_type colour_forget;

/* thrift.c */
int colour_thrift_open(struct model_thrift **out, const struct model *, const struct model_aims *, struct mem *, char *why, size_t room);
int colour_thrift_choose(struct model_thrift *, struct model_cursor *, const struct model_batch *, size_t first, uint8_t *keep);
void colour_thrift_close(struct model_thrift *);
void colour_foreseen_close(struct foreseen *);

/* define.c */
void colour_define_initial(const struct model *, int64_t *values);
int colour_define_edge(const struct model *, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *);
int colour_define_all(const struct model *, const int64_t *values, struct mem *, void (*hear)(void *, const struct model_defined *), void *context);

#endif
