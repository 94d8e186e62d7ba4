/* report_parts.h -- what a report has beside verdict and traces: the model's text, and notes on what is missing. */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "base/vec.h"
#include "report/html.h"

#include <sys/types.h>

struct report_parts {
  struct mem *mem;
  struct arena text;
  struct vec(const char *) file;   /* names of sources, each once */
  struct vec(const char *) folder; /* where else they may be, "" = the working folder */
  struct vec(const char *) note;
  const char *const *folders; /* of --include, NULL-terminated; may be NULL */
  const char *trusted; /* the one that the user named himself; of others only those with the suffix of a language are read */
  time_t made;         /* when the verdict was written; 0 = just now */
};

void report_parts_open(struct report_parts *, struct mem *);
void report_parts_close(struct report_parts *); /* a zeroed one is fine */
/* All of these: 0, or -1: memory. NULL names are fine. */
int report_parts_folder(struct report_parts *, const char *beside); /* the folder of this file */
int report_parts_file(struct report_parts *, const char *name);
/* A trace into the page; the files that its steps are in are noted. */
int report_parts_trace(struct report_parts *, struct html *, const char *name, const struct trace_view *, const struct chart_map *);
int report_parts_note(struct report_parts *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A file by its name, or by what the folders have under it; `path` is where it was found. NULL: nowhere. */
FILE *report_parts_find(const struct report_parts *, const char *name, char *path, size_t room);
/* Sources and notes. */
int report_parts_write(struct report_parts *, struct html *, struct err *);

#endif
