/* process_model.h -- the model behind process.h, for the files of this room. */
#ifndef PROCESS_PROCESS_MODEL_H
#define PROCESS_PROCESS_MODEL_H

#include "process/build.h"
#include "process/embedded.h"
#include "process/explore.h"
#include "process/packing.h"
#include "process/process.h"

/* Who had a part in steps: participants.c. */
struct process_notes {
  uint32_t slots; /* that there is room for */
  uint8_t *part;  /* per group: it had one, and was not the first */
  uint8_t *stood; /* per slot and type of process: such a process was there */
};

struct process_model {
  struct model base;
  struct program *program;
  struct shape shape;
  struct embedded *embedded;  /* NULL = the program has no C */
  struct model_type own_type; /* of models with C */
  struct packing *packing, *old; /* old only between widen and widen_done */
  unsigned serial;               /* of the packing */
  struct engine engine;          /* what cursors run on from now on */
  enum process_engine wanted;
  struct build build;
  uint64_t asked; /* states expanded so far */
  int spoiled;    /* (atomic) there was no memory for an answer: nothing can be said any more */
  unsigned threads; /* that use cursors at once; 0 = one */
  double began;   /* when the first thousand was */
  struct pack_widths misfit;     /* what a state that was unpacked needs and does not have; decl NULL = none */
  struct machine scratch;        /* for initial, convert and unpack: one thread at a time */
  uint32_t *claim_of; /* per action: its claim, for assertions */
  struct vec(uint32_t) claim; /* per claim: its first action */
  struct vec(uint32_t) never; /* process types of never claims */
  struct vec(ir_expr) condition; /* that somebody asked about */
  struct ways *ways; /* for distances; NULL = nobody asked */
  ir_expr own_nodes;             /* expressions from here on are no part of the program */
  uint8_t *cut; /* per lvalue, then per argument: a value was cut to fit it, as far as closed cursors know */
  struct process_notes notes; /* as far as closed cursors know */
  struct arena names;
  char **group_names, **var_names; /* made when first asked for */
  size_t group_names_room, var_names_room;
};

struct process_cursor {
  struct model_cursor base;
  struct machine machine;
  struct explore explore;
  unsigned serial;
  uint32_t *now; /* the packed state that the image holds */
  size_t now_room;
  int loaded;
  struct model_batch *batch;
  size_t first; /* of this state's successors in the batch */
  struct pack_widths wanted; /* after MODEL_WIDEN */
  int wants;
  uint32_t sought; /* by fireable: a first transition; by step: how many steps are still before it */
  uint32_t *out;   /* where step wants its state */
  uint32_t group;  /* of that step */
  int tells_movers, notes_parts;
  struct process_notes notes;
  struct vec(uint64_t) movers; /* of the state expanded last */
  struct vec(ir_expr) watched; /* conditions that are evaluated in all successors */
  struct vec(uint64_t) letters; /* and which of them are true in the successors of the state expanded last */
};

static inline const struct process_model *process_of(const struct model *m) { return (const struct process_model *)m; }

/* names.c */
const char *process_group_name(const struct model *, uint32_t group);
struct place_in_text process_group_place(const struct model *, uint32_t group);
int process_owner(const struct model *, uint32_t group);
const char *process_var_name(const struct model *, uint32_t var);
struct place_in_text process_var_place(const struct model *, uint32_t var);
int64_t process_find_var(const struct model *, const char *name, size_t length);
int64_t process_find_group(const struct model *, const char *name, size_t length);
void process_print_value(const struct model *, uint32_t var, int64_t value, char *out, size_t room);

/* process_model.c: brings a cursor's image to a state. 0 or -1 (memory). */
int process_load(struct process_cursor *, const uint32_t *state);
/* The cell of its image does not fit the layout: what widening is to make room for. 0 or -1 (memory). */
int process_want(struct process_cursor *, uint32_t misfit);

/* The layout for what did not fit; of a layout that was tried, keep it or go back to the one before. */
int process_widen(struct model *, struct model_cursor *, struct err *);
void process_widen_done(struct model *, int keep);

/* portable.c */
size_t process_pack(const struct model *, const uint32_t *state, uint8_t *out, size_t room);
int process_unpack(const struct model *, const uint8_t *data, size_t length, uint32_t *state);
uint64_t process_layout_sign(const struct model *);
size_t process_layout_keep(const struct model *, uint8_t *out, size_t room);
int process_layout_take(struct model *, const uint8_t *data, size_t length);

/* names.c: what a cell of a scope is called, without its process. */
void process_cell_name(const struct process_model *, uint32_t scope, uint32_t cell, char *out, size_t room);

/* describe.c: cells and channels as they are in one state, which is packed or an image. */
struct process_view {
  const struct process_model *model;
  const uint32_t *state; /* packed; NULL = the image */
  const int32_t *image;
  uint32_t slots; /* that the state has room for */
};
/* The type of the process in a slot, or -1. */
int64_t process_view_type(const struct process_view *, uint32_t slot);
/* The name of a channel by its number; "none" for 0. */
void process_channel_name(const struct process_view *, int32_t number, char *out, size_t room);
/* A value of a type as the language writes it; returns 1 if that is a name, 0 if it is the number. */
int process_value_text(const struct process_view *, uint32_t type, int32_t value, char *out, size_t room);
void process_describe(const struct model *, const uint32_t *state, uint32_t var, struct model_var *out);

/* print.c: what a printf prints. */
void process_print(const struct process_view *, uint32_t action, const int32_t *args, char *out, size_t room);

/* story.c */
int64_t process_parts(struct model_cursor *, const uint32_t *state, uint32_t k, void (*hear)(void *, const struct model_part *),
                      void *context);
int process_stands(const struct model *, const uint32_t *state, void (*hear)(void *, const struct model_stand *), void *context);
int process_warning(const struct model *, uint32_t index, struct place_in_text *at, char *text, size_t room);

/* participants.c */
void process_note_parts(struct model_cursor *);
int process_note_stands(struct process_cursor *); /* of the state that the image holds: 0 or -1 (memory) */
void process_note_step(struct process_cursor *);  /* that is complete */
void process_tell_notes(struct process_cursor *);
enum model_role process_role(const struct model *, uint32_t group);

/* claims.c */
int process_claims_open(struct process_model *);
uint32_t process_claims(const struct model *);
void process_claim(const struct model *, uint32_t index, struct model_claim *out);
void process_fault_text(const struct model *, const struct model_fault *, char *out, size_t room);
struct place_in_text process_fault_place(const struct model *, const struct model_fault *);
struct model_fault process_fault(const struct process_model *, const struct machine_fault *, size_t edge);

/* condition.c */
int64_t process_condition(const struct model *, const char *text, size_t length, const char *what, struct err *);
void process_asked_all(struct model *);
int64_t process_condition_value(struct model_cursor *, const uint32_t *state, uint32_t condition);
int64_t process_condition_define(const struct model *, const int64_t *values, uint32_t condition);
int process_watch(struct model_cursor *, uint32_t condition);
int process_note_letter(struct process_cursor *); /* the image is a successor: 0 or -1 (memory) */
const uint64_t *process_letters(const struct model_cursor *);

/* never.c */
int process_claim_automaton(const struct model *, uint32_t claim, struct model_claim_automaton *out,
                            int (*edge)(void *context, const struct model_claim_edge *), void *context, struct err *);
int process_claim_accepts(const struct model *, uint32_t claim, uint32_t state);

/* measure.c */
int process_measure(struct model_measure **out, const struct model *, unsigned kind, struct mem *, struct err *);

/* define.c */
void process_define_initial(const struct model *, int64_t *values);
int process_define_edge(const struct model *, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *);
int process_define_all(const struct model *, const int64_t *values, struct mem *, void (*hear)(void *, const struct model_defined *), void *);
unsigned process_define_labels(const struct model *, const int64_t *values);
int process_define_fits(const struct model *, const int64_t *values, struct mem *);

#endif
