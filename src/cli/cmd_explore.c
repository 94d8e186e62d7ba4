/* cmd_explore.c -- thimble explore: the model in a browser.
 *
 * A server (serve/) on this machine alone hands out the page and gives what the page asks to the explorer (explore/); everything that is known about the model happens in this
 * thread, one request after the other.  Two requests are answered while another one is under way: how far a search is, and that it shall end. */
#include "cli/session.h"
#include "cli/signals.h"
#include "explore/explorer.h"
#include "explore/requests.h"
#include "report/page.h"
#include "report/picture.h"
#include "serve/serve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

command_run command_explore;

static const size_t most_bodies = (size_t)128 << 20;
static const char api[] = "api/";

struct explore_server {
  struct session *s;
  struct explorer *x;
  struct server *server;
};

/* In the server's thread. */
static size_t at_once(void *context, const char *path, int post, char *out, size_t room) {
  struct explore_server *v = context;
  if (strcmp(path, "api/stop") == 0 && post) v->x->halt = 1;
  else if (strcmp(path, "api/progress") != 0) return 0;
  return (size_t)snprintf(out, room, "{\"states\":%" PRIu64 "}\n", v->x->progress);
}

/* ---- answers ------------------------------------------------------------------------------------------------------------------ */

static int write_page(FILE *out) {
  struct page page;
  if (page_open(&page, page_explorer, PAGE_SERVED, out)) return -1;
  fprintf(page.data, "{\"schema\":\"thimble.explore/1\",\"api\":\"%s\"}", api);
  return page_close(&page);
}

static unsigned status_of(const struct err *e, int unknown) {
  switch (e->kind) {
  case ERR_USAGE:
  case ERR_INPUT: return unknown ? 404 : 400;
  case ERR_MEMORY:
  case ERR_LIMIT: return 507;
  default: return 500;
  }
}

static unsigned answer_request(struct explore_server *v, const struct serve_request *q, FILE *out) {
  struct request_pair pair[SERVE_PAIRS];
  struct request_question question = {.name = q->path + strlen(api), .asks = !q->post, .pair = pair, .pairs = q->pairs, .body = q->body, .length = q->length};
  struct err e;
  int unknown = 0;
  err_clear(&e);
  for (size_t i = 0; i < q->pairs; i++) pair[i] = (struct request_pair){q->pair[i].name, q->pair[i].value};
  if (request_answer(v->x, &question, out, &unknown, &e) == 0) return 200;
  rewind(out); /* what was written of an answer does not count */
  request_error(&e, out);
  if (e.kind == ERR_INTERNAL) session_tell(v->s, &e);
  return status_of(&e, unknown);
}

static void answer(struct explore_server *v, struct serve_request *q) {
  char *text = NULL;
  size_t length = 0;
  unsigned status = 200;
  const char *type = "application/json";
  FILE *out = open_memstream(&text, &length);
  if (!out) {
    serve_reply(v->server, q, 503, type, NULL, 0);
    return;
  }
  if (!*q->path) {
    type = "text/html; charset=utf-8";
    if (write_page(out)) status = 500;
  } else if (strncmp(q->path, api, strlen(api)) == 0) status = answer_request(v, q, out);
  else {
    struct err e;
    err_clear(&e);
    err_usage(&e, "there is nothing here");
    request_error(&e, out);
    status = 404;
  }
  long end = ftell(out);
  if (fclose(out) || end < 0) status = 500, end = 0;
  serve_reply(v->server, q, status, type, text, (size_t)end < length ? (size_t)end : length);
}

/* ---- the whole ------------------------------------------------------------------------------------------------------------------ */

static int serve(struct explore_server *v, const volatile int *interrupt) {
  struct session *s = v->s;
  if (printf("%s\n", serve_address(v->server)) < 0 || fflush(stdout)) return EXIT_OUTPUT;
  if (!options_given(&s->options, OPTION_QUIET)) fprintf(stderr, "open this address in a browser; Ctrl-C ends\n");
  while (!*interrupt) {
    struct serve_request *q = serve_next(v->server, 0.2);
    if (q) answer(v, q);
  }
  return EXIT_HOLDS;
}

/* --picture; what is wrong in it is told and stops nothing. */
static int read_picture(struct session *s, struct picture **out) {
  const char *name = options_text(&s->options, OPTION_PICTURE);
  if (!*name) return 0;
  FILE *in = fopen(name, "re");
  if (!in) return err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
  int bad = picture_read(out, in, name, &s->mem, &s->err);
  fclose(in);
  if (bad || picture_tie(*out, s->model, &s->err)) return -1;
  const struct picture *p = *out;
  if (options_given(&s->options, OPTION_QUIET)) return 0;
  char shown[600];
  for (size_t i = 0; i < p->problem.count; i++) fprintf(stderr, "%s:%ld: warning: %s\n", name, p->problem.at[i].line, report_name(shown, sizeof shown, p->problem.at[i].text));
  uint32_t without = s->model->groups - p->pictured;
  if (without) fprintf(stderr, "%s: %u of %u transition%s no part in the picture\n", name, without, s->model->groups, s->model->groups == 1 ? " has" : "s have");
  return 0;
}

int command_explore(struct session *s) {
  struct explore_server v = {.s = s};
  struct picture *picture = NULL;
  const volatile int *interrupt = signals_watch();
  char policy[500];
  session_budget(s);
  size_t bodies = s->mem.budget / 8 < most_bodies ? s->mem.budget / 8 : most_bodies;
  s->mem.budget -= bodies; /* all of it together stays within the budget */
  if (!options_given(&s->options, OPTION_UNFOLD)) s->unfold = FRONT_UNFOLD_NEVER; /* people look at the net as it was drawn */
  if (session_load_to_look(s, s->options.operand[0])) return session_exit_code(&s->err);
  if (s->spaceless.kind) fprintf(stderr, "no state space: line %ld: %s; what is random is drawn by --seed and the state\n", s->spaceless.line, s->spaceless.message);
  if (read_picture(s, &picture)) {
    picture_close(picture);
    return session_exit_code(&s->err);
  }
  struct explorer_setup setup = {.mem = &s->mem,
                                 .model = s->model,
                                 .interrupt = interrupt,
                                 .folders = s->folders,
                                 .picture = picture,
                                 .seconds = options_seconds(&s->options, OPTION_EXPLORE_TIME),
                                 .no_claims = options_given(&s->options, OPTION_NO_CLAIMS)};
  page_policy_text(policy, sizeof policy, page_explorer, PAGE_SERVED);
  size_t used = strlen(policy);
  snprintf(policy + used, sizeof policy - used, "; frame-ancestors 'none'");
  struct serve_setup how = {.port = (uint16_t)options_count(&s->options, OPTION_PORT), .bodies = bodies, .policy = policy, .at_once = at_once, .context = &v};
  int code = 0;
  if (explorer_open(&v.x, &setup, &s->err)) code = session_exit_code(&s->err);
  else if (serve_open(&v.server, &how, &s->err)) code = EXIT_OUTPUT;
  if (!code) code = serve(&v, interrupt);
  serve_close(v.server);
  explorer_close(v.x);
  picture_close(picture);
  session_warnings(s);
  return code;
}
