/* trace_view.h -- a trace with names, whether they come from a model or from a file, and
 * the formats it is written in. */
#ifndef REPORT_TRACE_VIEW_H
#define REPORT_TRACE_VIEW_H

#include "base/json.h"
#include "model/model.h"
#include "search/trace.h"

#include <stdio.h>

struct trace_view {
  const struct trace *trace;
  const char *file, *language;               /* of the model; may be NULL */
  const char *property_kind, *property_text; /* NULL = none */
  const void *context;
  const char *(*var)(const void *context, uint32_t var);
  const char *(*step)(const void *context, const struct trace *, size_t step); /* name of what makes it */
  void (*branch)(const struct trace_view *, size_t index, struct trace_view *out); /* of a trace that has branches */
};
/* Names from the model. */
void trace_view_model(struct trace_view *out, const struct trace *, const struct model *);

/* As a story: step number, transition, what it changed. head, tail: steps shown at each end, 0 = all. `whole` is said to
   hold the rest where it is cut (NULL = nothing said). */
struct trace_telling {
  int colour;
  size_t head, tail;
  const char *whole;
};
int trace_write_text(const struct trace_view *, const struct trace_telling *, FILE *);
/* The branches of a trace, each with what it shows; nothing for others. */
void trace_write_branches(const struct trace_view *, const struct trace_telling *, FILE *);
/* One step of it, called number `number`; 0: its own number. Says also what went wrong in it. */
void trace_write_step(const struct trace_view *, size_t step, size_t number, int colour, FILE *);
/* Where the processes stand at the end, a line each; nothing for other models. */
void trace_write_stands(const struct trace_view *, FILE *);
/* The file's name without its directories. */
const char *trace_base_name(const char *file);

/* trace_parts.c: the parts of a step, one below the other, then what changed. */
struct trace_columns {
  int number, process, place, statement; /* widths */
};
void trace_parts_measure(const struct trace *, size_t step, struct trace_columns *);
void trace_parts_write(const struct trace *, size_t step, size_t number, const struct trace_columns *, int colour, int faults, FILE *);
/* The message of a part: ack(3), (1,2), 5. Its length; cut where there is no room (which is at least 80). */
size_t trace_message_text(const struct model_part *, char *out, size_t room);
int trace_write_json(const struct trace_view *, FILE *);
/* One part of a step, and where one process stands, as they are in that file: for others who tell of steps. */
void trace_json_part(const struct model_part *, struct json_out *);
void trace_json_stand(const struct model_stand *, struct json_out *);
/* The trace format of Apalache, https://apalache-mc.org/docs/adr/015adr-trace.html. -1 also when memory is short (err set). */
int trace_write_itf(const struct trace_view *, struct mem *, FILE *, struct err *);

/* A trace read back from its file. */
struct trace_file;
int trace_file_read(struct trace_file **out, FILE *, const char *name, struct mem *, struct err *);
void trace_file_view(const struct trace_file *, struct trace_view *out);
void trace_file_close(struct trace_file *); /* NULL is fine */

#endif
