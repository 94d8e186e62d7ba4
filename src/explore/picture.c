/* picture.c -- a drawing of the user's own in the explorer: what it is, and what it shows in a state (report/picture.h).
 *
 * Clicks need no request of their own: the answer to "picture" says which transitions a part of it is tied to, and the page takes one of the state's steps. */
#include "explore/requests.h"

#include "report/picture.h"

static int is_there(const struct explorer *x, struct err *e) { return x->setup.picture ? 0 : err_usage(e, "there is no picture: thimble explore --picture FILE"); }

int answer_picture(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  (void)a;
  if (is_there(x, e)) return -1;
  json_out_object(j, NULL);
  picture_write_json(x->setup.picture, j);
  json_out_end(j);
  return 0;
}

int answer_looks(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  uint32_t state;
  if (is_there(x, e) || request_state(x, a, "id", &state, e) || explorer_enter(x, state, e)) return -1;
  json_out_object(j, NULL);
  json_out_count(j, "id", state);
  picture_look_json(x->setup.picture, x->at.cursor, x->at.state, j);
  json_out_end(j);
  return 0;
}
