/* info.h -- what `thimble info` finds out, and its two tongues. */
#ifndef CLI_INFO_H
#define CLI_INFO_H

#include "cli/session.h"
#include "base/json.h"
#include "colour/colour.h"
#include "net/coverability.h"
#include "net/invariants.h"
#include "net/pt_model.h"
#include "process/process.h"
#include "run/estimate.h"
#include "run/measure.h"

enum { INFO_PUMPS = 16 };

struct info_flows {
  enum flow_side side;
  int semi;
  struct flows flows;
  int there;
};

struct info {
  const struct model *model;
  const struct pt_net *net; /* NULL: no place/transition net */
  const struct program *program; /* NULL: no processes */
  const struct drawing *drawing; /* NULL: no coloured net */
  const struct err *spaceless; /* session.h; NULL = a search may try */
  struct pt_packing packing;
  uint64_t tokens;    /* at the start */
  uint32_t words, bits; /* of a state, before anything was explored */
  struct estimate store[ESTIMATE_STORES];
  size_t stores;
  int bounds;         /* asked for */
  struct coverability cover;
  struct coverability pump[INFO_PUMPS]; /* further runs, for places that the first one does not pump */
  size_t pumps;
  int invariants;            /* asked for */
  struct info_flows flow[4]; /* places: basis, semiflows; transitions: likewise */
  int progress;               /* asked for */
  struct expr *measure_expr;  /* the one that was given; NULL = derived */
  struct progress *measure;   /* NULL: there is none */
  struct measure_sample sample;
};

int info_text(const struct info *, int colour, FILE *);
int info_json(const struct info *, FILE *);

/* info_progress.c */
int info_progress(struct info *, struct session *); /* 0, or -1 with the session's err */
void info_progress_close(struct info *);
void info_progress_text(const struct info *, FILE *);
void info_progress_json(const struct info *, struct json_out *);

/* info_process.c */
void info_process_text(const struct info *, FILE *);
void info_process_json(const struct info *, struct json_out *);
void info_properties_text(const struct info *, FILE *);
void info_properties_json(const struct info *, struct json_out *);
/* How many properties the model brings itself: its claims, and that it makes no run-time errors. */
uint32_t info_claims(const struct model *);

#endif
