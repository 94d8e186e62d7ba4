/* seen.h -- --hide and --show: which labels of a graph are seen. */
#ifndef CLI_SEEN_H
#define CLI_SEEN_H

#include "cli/session.h"
#include "search/labelled.h"

/* The parts of all uses of an option, NULL-terminated; NULL: memory. Close them in any case. */
const char **patterns_open(struct session *, enum option_id, size_t *count);
void patterns_close(struct session *, const char **);

struct seen {
  struct labels_seen of[2]; /* of up to two models: they differ in whether i is the hidden step */
  const char **hide, **show;
  uint8_t *used;
};
/* Lists are separated by commas, options repeatable. 0, or -1 with session->err; close it in any case. */
int seen_open(struct seen *, struct session *);
/* What `file` calls i or tau is the hidden step if it is an explicit graph. */
void seen_model(struct seen *, int which, const struct model *);
/* After the labels were made: a pattern that nothing matched is a mistake. 0, or -1 with session->err. */
int seen_check(const struct seen *, struct session *);
void seen_close(struct seen *, struct session *);

#endif
