/* chart_map.h -- how the transitions of a net become events on lifelines: a mapping read from a file (doc/charts.md).
 *
 *   lifelines Sender, Network, Receiver
 *   transition "Send data"
 *     send packet on Sender as "{data}" key "{id}"
 *   transition Drop
 *     event on Network as "loses {data}"
 *     lose packet key "{id}"
 *   transition "Receive data"
 *     receive packet on Receiver key "{id}"
 *     message from Receiver to Network as "ack {id}"
 *   places "Network *"
 *
 * The first block with a pattern for a transition counts. In texts {n} is the value of variable n, {1} what the first star stands for, {name},
 * {page} and {binding} are those of the step. */
#ifndef REPORT_CHART_MAP_H
#define REPORT_CHART_MAP_H

#include "base/err.h"
#include "base/vec.h"

#include <stdio.h>

enum chart_deed_kind { CHART_DO_EVENT, CHART_DO_MESSAGE, CHART_DO_SEND, CHART_DO_RECEIVE, CHART_DO_LOSE, CHART_DO_CREATE, CHART_DO_END, CHART_DO_HIDE };

struct chart_deed {
  enum chart_deed_kind kind;
  const char *who, *whom; /* lifelines: of the event, sender, receiver; whom: where a message goes, who is started. NULL = none */
  const char *channel;    /* send, receive, lose */
  const char *label, *key; /* NULL = none */
};

struct chart_block {
  const char *const *pattern;
  uint32_t patterns;
  const char *variable, *value; /* when variable = value; NULL = always */
  int unequal;
  const struct chart_deed *deed;
  uint32_t deeds;
};

struct chart_map {
  struct mem *mem;
  struct arena text;
  struct vec(const char *) lifeline, place; /* place: patterns of places whose tokens are messages */
  struct vec(struct chart_block) block;
};

int chart_map_read(struct chart_map **out, FILE *, const char *name, struct mem *, struct err *);
void chart_map_close(struct chart_map *); /* NULL is fine */

/* A text that the stars of a pattern stand for. */
enum { CHART_STARS = 9 };
struct chart_stars {
  struct {
    const char *text;
    size_t length;
  } star[CHART_STARS];
};
/* Does the pattern match? `*` stands for any text, `\` takes the meaning from the next character; blanks and underscores are the same. stars may be NULL. */
int chart_pattern(const char *pattern, const char *text, size_t length, struct chart_stars *stars);

#endif
