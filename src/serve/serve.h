/* serve.h -- a small HTTP server for one user on this machine.
 *
 * It listens on 127.0.0.1 alone, on libmicrohttpd.  Its address has a random token; a request without it, from another site (Origin, Sec-Fetch-Site) or by
 * another name (Host, against names that somebody lets point here) gets 403 and nothing else.  What is asked under the address is the caller's business:
 *
 *   serve_open(&server, &setup, err);
 *   printf("%s\n", serve_address(server));         http://127.0.0.1:40123/5f0c.../
 *   while (going on) {
 *     struct serve_request *q = serve_next(server, 0.2);
 *     if (q) serve_reply(server, q, 200, "application/json", text, length);
 *   }
 *
 * One thread of its own speaks HTTP; requests wait until the caller's thread takes them, one after the other, so whoever answers needs no locks.  Requests that
 * must not wait behind a long one are answered by `at_once`, in the server's thread.
 *
 * Limits: connections, bytes of a body, bytes of all bodies together, seconds that a connection may do nothing. */
#ifndef SERVE_SERVE_H
#define SERVE_SERVE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { SERVE_PAIRS = 16, SERVE_CONNECTIONS = 2048, SERVE_SECONDS = 10 };

struct serve_setup {
  uint16_t port;       /* 0 = a free one */
  size_t bodies;       /* bytes that bodies may take together; one of them half of it at most */
  const char *policy;  /* Content-Security-Policy of pages (text/html); everything else gets one that allows nothing */
  /* Answers to requests that must not wait: JSON text and its length; 0 = this one has time. May be NULL. */
  size_t (*at_once)(void *context, const char *path, int post, char *out, size_t room);
  void *context;
};

struct serve_request {
  const char *path; /* what follows the token and its slash: "", "api/state" */
  int post;         /* otherwise it only asks */
  struct {
    const char *name, *value;
  } pair[SERVE_PAIRS]; /* of the address: ?id=5 */
  size_t pairs;
  const char *body; /* followed by a zero byte; NULL = none */
  size_t length;
};

struct server;
int serve_open(struct server **out, const struct serve_setup *, struct err *); /* 0, or -1 with err */
const char *serve_address(const struct server *);
/* The next request that waits, after at most so many seconds; NULL = none. It must get a reply. */
struct serve_request *serve_next(struct server *, double seconds);
/* `text` was made by malloc and is taken over. */
void serve_reply(struct server *, struct serve_request *, unsigned status, const char *type, char *text, size_t length);
void serve_close(struct server *); /* NULL is fine; requests that wait get 503 */

#endif
