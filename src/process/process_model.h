/* process_model.h -- the model behind process.h, for the files of this room. */
#ifndef PROCESS_PROCESS_MODEL_H
#define PROCESS_PROCESS_MODEL_H

#include "process/build.h"
#include "process/embedded.h"
#include "process/explore.h"
#include "process/packing.h"
#include "process/process.h"

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
  struct machine scratch;        /* for initial, convert and unpack: one thread at a time */
  uint32_t *scratch_words;
  uint32_t *claim_of; /* per action: its claim, for assertions */
  struct vec(uint32_t) claim; /* per claim: its first action */
  struct arena names;
  char **group_names, **var_names; /* made when first asked for */
  size_t group_names_room, var_names_room;
};

static inline const struct process_model *process_of(const struct model *m) { return (const struct process_model *)m; }

/* names.c */
const char *process_group_name(const struct model *, uint32_t group);
struct place_in_text process_group_place(const struct model *, uint32_t group);
const char *process_var_name(const struct model *, uint32_t var);
struct place_in_text process_var_place(const struct model *, uint32_t var);
int64_t process_find_var(const struct model *, const char *name, size_t length);
int64_t process_find_group(const struct model *, const char *name, size_t length);
void process_print_value(const struct model *, uint32_t var, int64_t value, char *out, size_t room);

/* claims.c */
int process_claims_open(struct process_model *);
uint32_t process_claims(const struct model *);
void process_claim(const struct model *, uint32_t index, struct model_claim *out);
void process_fault_text(const struct model *, const struct model_fault *, char *out, size_t room);
struct place_in_text process_fault_place(const struct model *, const struct model_fault *);
struct model_fault process_fault(const struct process_model *, const struct machine_fault *, size_t edge);

/* define.c */
void process_define_initial(const struct model *, int64_t *values);
int process_define_edge(const struct model *, const int64_t *values, uint32_t k, uint32_t *group, int64_t *out, struct mem *);

#endif
