/* requests.h -- what can be asked of an explorer: names, arguments and answers as JSON.
 *
 * The table in requests.c is the list of all requests; doc/formats/explore.md tells each.  Nothing here knows how a request came:
 * the command line gives those that came by HTTP, tests give their own. */
#ifndef EXPLORE_REQUESTS_H
#define EXPLORE_REQUESTS_H

#include "base/err.h"
#include "base/json.h"
#include "explore/explorer.h"

#include "search/search.h"

#include <jansson.h>
#include <stdio.h>

struct request_pair { /* id=5 */
  const char *name, *value;
};

struct request_question {
  const char *name;                /* "state" */
  int asks;                        /* it only asks (GET); requests that do something are not answered then */
  const struct request_pair *pair; /* arguments as texts */
  size_t pairs;
  const char *body; /* arguments as a JSON object; NULL = none. Requests that take a file take it as it is */
  size_t length;
};

/* Writes the answer. 0, or -1 with err: nothing of what was written counts. ERR_USAGE and ERR_INPUT: the question is to blame; `*unknown` is set when there is no such request. */
int request_answer(struct explorer *, const struct request_question *, FILE *out, int *unknown, struct err *);
/* The answer to a question that had none. */
void request_error(const struct err *, FILE *out);

/* ---- for those who answer ---------------------------------------------------------------------------------------------------- */

struct request_args {
  const char *request;
  json_t *object; /* never NULL */
  const char *body; /* as it came */
  size_t length;
};

typedef int request_run(struct explorer *, const struct request_args *, struct json_out *, struct err *);
struct request {
  const char *name;
  int does; /* it may change what is known: never by GET */
  int raw;  /* the body is a file, and not arguments */
  request_run *run;
};
extern const struct request requests[]; /* the last one has no name */

/* Arguments: 0, or -1 with err when it is missing (and there is no default) or of another kind. */
int request_count(const struct request_args *, const char *name, uint64_t least, uint64_t most, uint64_t *out, struct err *); /* must be there */
int request_count_or(const struct request_args *, const char *name, uint64_t least, uint64_t most, uint64_t otherwise, uint64_t *out, struct err *);
int request_state(const struct explorer *, const struct request_args *, const char *name, uint32_t *out, struct err *); /* a state that is known */
const char *request_text(const struct request_args *, const char *name); /* NULL = not there, or no text */

/* state.c: one state with its next steps; what the model is */
request_run answer_model, answer_state, answer_value, answer_source;
/* runs.c: steps, random walks, runs as files */
request_run answer_step, answer_walk, answer_path, answer_run, answer_chart, answer_open;
/* graph.c: the graph so far */
request_run answer_graph, answer_expand;
/* find.c: the checker */
request_run answer_find;
/* play.c: a match against the tool */
request_run answer_play_open, answer_play_look, answer_play_take, answer_play_answer, answer_play_undo, answer_play_hint, answer_play_close;
/* picture.c: a drawing of the user's own, and what it looks like in a state */
request_run answer_picture, answer_looks;
/* net.c: nets as drawings */
request_run answer_net;

/* Tells others how far a search is that was begun for the explorer (`progress`, `halt`), from zero on. */
struct explorer_watcher {
  struct listener listener;
  struct explorer *x;
};
void explorer_watch(struct explorer_watcher *, struct explorer *);

/* A step of the state that the explorer stands on, in short: k, to, label, and for processes who makes it and where. Members of an object that is open. */
void explorer_step_json(struct explorer *, uint32_t k, struct json_out *);
/* A run from the initial state, as the member "steps" of an object that is open. The explorer stands on its last state afterwards. 0, or -1 with err. */
struct explorer_path {
  const uint32_t *edge;
  size_t count;
};
int explorer_path_json(struct explorer *, const struct explorer_path *, struct json_out *, struct err *);
/* The state becomes a part of the drawn graph, while there is room. */
void explorer_draw(struct explorer *, uint32_t state);

enum { EXPLORE_RUN = 100000, EXPLORE_DRAWN = 1500 }; /* longest run; most states in a drawing */

#endif
