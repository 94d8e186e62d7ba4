/* serve.c -- see serve.h.
 *
 * The life of a request.  `hear` is called by libmicrohttpd: first with the head alone, when everything that makes a request unwelcome is found and answered
 * before any of its body is read; then with pieces of the body; then once more, when it goes into the queue and its connection is suspended.  The caller's thread
 * takes it from there, leaves a response in it and resumes the connection, upon which `hear` is called a last time and hands the response over.  `over` is
 * called when the connection is through with it: only then it is freed, always in the server's thread, which alone touches `mem`. */
#include "serve/serve.h"

#include "base/mem.h"
#include "serve/microhttpd.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

enum { TOKEN = 32, HEADS = 32 << 10, AT_ONCE = 1024, FIRST_BODY = 4096, FILES_BESIDE = 64 };

struct waiting {
  struct serve_request request; /* first: the caller's view of it */
  struct MHD_Connection *connection;
  struct waiting *next;
  char *body;
  size_t room;
  int queued;
  struct MHD_Response *response; /* the reply, when it is there */
  unsigned status;
};

struct server {
  struct serve_setup setup;
  struct microhttpd http;
  struct MHD_Daemon *daemon;
  struct mem mem; /* bodies: the server's thread alone */
  pthread_mutex_t lock;
  pthread_cond_t some;
  struct waiting *first, *last; /* under the lock, like the next two */
  struct waiting *taken;        /* the one that the caller answers now */
  int closing;
  char token[TOKEN + 1];
  char host[2][32]; /* names that it answers to */
  char address[64 + TOKEN];
};

/* ---- replies ---------------------------------------------------------------------------------------------------------------- */

static const char nothing_allowed[] = "default-src 'none'; frame-ancestors 'none'";

static void add_headers(const struct server *s, struct MHD_Response *r, const char *type) {
  int page = strncmp(type, "text/html", 9) == 0;
  s->http.MHD_add_response_header(r, "Content-Type", type);
  s->http.MHD_add_response_header(r, "Content-Security-Policy", page && s->setup.policy ? s->setup.policy : nothing_allowed);
  s->http.MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
  s->http.MHD_add_response_header(r, "X-Frame-Options", "DENY");
  s->http.MHD_add_response_header(r, "Cache-Control", "no-store");
  s->http.MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
  s->http.MHD_add_response_header(r, "Cross-Origin-Resource-Policy", "same-origin");
  s->http.MHD_add_response_header(r, "Cross-Origin-Opener-Policy", "same-origin");
}

static enum MHD_Result refuse(const struct server *s, struct MHD_Connection *c, unsigned status, const char *why) {
  char text[200];
  int n = snprintf(text, sizeof text, "{\"error\":{\"kind\":\"request\",\"message\":\"%s\"}}\n", why);
  struct MHD_Response *r = s->http.MHD_create_response_from_buffer((size_t)n, text, MHD_RESPMEM_MUST_COPY);
  if (!r) return MHD_NO;
  add_headers(s, r, "application/json");
  if (status == MHD_HTTP_METHOD_NOT_ALLOWED) s->http.MHD_add_response_header(r, "Allow", "GET, HEAD, POST");
  if (status != MHD_HTTP_NOT_FOUND) s->http.MHD_add_response_header(r, "Connection", "close");
  enum MHD_Result answer = s->http.MHD_queue_response(c, status, r);
  s->http.MHD_destroy_response(r);
  return answer;
}

static enum MHD_Result answer_at_once(const struct server *s, struct waiting *w, const char *text, size_t length) {
  struct MHD_Response *r = s->http.MHD_create_response_from_buffer(length, (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
  if (!r) return MHD_NO;
  add_headers(s, r, "application/json");
  enum MHD_Result answer = s->http.MHD_queue_response(w->connection, MHD_HTTP_OK, r);
  s->http.MHD_destroy_response(r);
  return answer;
}

/* ---- who may ask ------------------------------------------------------------------------------------------------------------ */

struct heads { /* of one name: how many there are, and the last */
  const char *name, *value;
  size_t count;
  int cut; /* a zero byte is in one of them: what follows it would not be seen */
};

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *name, size_t name_length, const char *value, size_t length) {
  struct heads *h = context;
  (void)kind;
  if (name_length != strlen(h->name) || strncasecmp(name, h->name, name_length) != 0) return MHD_YES;
  h->count++;
  h->value = value ? value : "";
  h->cut |= strlen(h->value) != length;
  return MHD_YES;
}

static struct heads heads_of(const struct server *s, struct MHD_Connection *c, const char *name) {
  struct heads h = {.name = name};
  s->http.MHD_get_connection_values_n(c, MHD_HEADER_KIND, look, &h);
  return h;
}

static int own_name(const struct server *s, const char *host) { return strcasecmp(host, s->host[0]) == 0 || strcasecmp(host, s->host[1]) == 0; }

static int same_site(const struct server *s, struct MHD_Connection *c) {
  struct heads host = heads_of(s, c, "Host"), origin = heads_of(s, c, "Origin"), site = heads_of(s, c, "Sec-Fetch-Site");
  if (host.cut || origin.cut || site.cut) return 0;
  if (host.count != 1 || !own_name(s, host.value)) return 0;
  if (origin.count > 1 || (origin.count && (strncmp(origin.value, "http://", 7) != 0 || strcasecmp(origin.value + 7, host.value) != 0))) return 0;
  return !site.count || strcmp(site.value, "same-origin") == 0 || strcmp(site.value, "none") == 0;
}

/* Takes the same time wherever they differ. */
static int right_token(const struct server *s, const char *url) {
  unsigned char differ = 0;
  if (url[0] != '/' || strlen(url) < TOKEN + 2 || url[TOKEN + 1] != '/') return 0;
  for (size_t i = 0; i < TOKEN; i++) differ |= (unsigned char)(url[i + 1] ^ s->token[i]);
  return !differ;
}

/* What makes a request unwelcome: its status and a reason, or 0. */
static unsigned unwelcome(const struct server *s, struct MHD_Connection *c, const char *url, const char *method, const char **why) {
  int post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
  *why = "this address is for one page on this machine";
  if (!same_site(s, c) || !right_token(s, url)) return MHD_HTTP_FORBIDDEN;
  *why = "only GET, HEAD and POST";
  if (!post && strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) return MHD_HTTP_METHOD_NOT_ALLOWED;
  if (!post) return 0;
  struct heads length = heads_of(s, c, "Content-Length"), type = heads_of(s, c, "Content-Type");
  *why = "the body must be application/json";
  if (type.count != 1 || type.cut || strncasecmp(type.value, "application/json", 16) != 0) return MHD_HTTP_UNSUPPORTED_MEDIA_TYPE;
  *why = "the body is too large";
  return length.count && strtoull(length.value, NULL, 10) > s->setup.bodies / 2 ? MHD_HTTP_CONTENT_TOO_LARGE : 0;
}

/* ---- hearing ---------------------------------------------------------------------------------------------------------------- */

static enum MHD_Result keep_pair(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct serve_request *q = context;
  (void)kind;
  if (q->pairs == SERVE_PAIRS) return MHD_NO;
  q->pair[q->pairs].name = name;
  q->pair[q->pairs++].value = value ? value : "";
  return MHD_YES;
}

static enum MHD_Result begin(struct server *s, struct MHD_Connection *c, const char *url, const char *method, void **own) {
  const char *why;
  unsigned status = unwelcome(s, c, url, method, &why);
  if (status) return refuse(s, c, status, why);
  struct waiting *w = mem_alloc(&s->mem, MEM_OTHER, sizeof *w);
  if (!w) return refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE, "too much at once");
  w->connection = c;
  w->request.path = url + TOKEN + 2;
  w->request.post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
  s->http.MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, keep_pair, &w->request);
  *own = w;
  return MHD_YES;
}

/* A body that grows beyond its limit ends the connection: its sender was told no length, or did not keep to it. */
static enum MHD_Result keep_body(struct server *s, struct waiting *w, const char *data, size_t *size) {
  size_t need = w->request.length + *size + 1;
  if (need > s->setup.bodies / 2) return MHD_NO;
  if (need > w->room) {
    size_t room = 2 * w->room > need ? 2 * w->room : need > FIRST_BODY ? need : FIRST_BODY;
    char *body = mem_resize(&s->mem, MEM_OTHER, w->body, room);
    if (!body) return MHD_NO;
    w->body = body;
    w->room = room;
  }
  memcpy(w->body + w->request.length, data, *size);
  w->request.length += *size;
  w->body[w->request.length] = 0;
  w->request.body = w->body;
  *size = 0;
  return MHD_YES;
}

static enum MHD_Result wait_for_reply(struct server *s, struct waiting *w) {
  char text[AT_ONCE];
  size_t length = s->setup.at_once ? s->setup.at_once(s->setup.context, w->request.path, w->request.post, text, sizeof text) : 0;
  if (length) return answer_at_once(s, w, text, length);
  pthread_mutex_lock(&s->lock);
  int closing = s->closing;
  if (!closing) {
    s->http.MHD_suspend_connection(w->connection);
    w->queued = 1;
    w->next = NULL;
    if (s->last) s->last->next = w;
    else s->first = w;
    s->last = w;
    pthread_cond_signal(&s->some);
  }
  pthread_mutex_unlock(&s->lock);
  return closing ? refuse(s, w->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the server ends") : MHD_YES;
}

static enum MHD_Result hear(void *context, struct MHD_Connection *c, const char *url, const char *method, const char *version, const char *data, size_t *size, void **own) {
  struct server *s = context;
  struct waiting *w = *own;
  (void)version;
  if (!w) return begin(s, c, url, method, own);
  if (*size) return w->queued ? MHD_NO : keep_body(s, w, data, size);
  if (!w->queued) return wait_for_reply(s, w);
  pthread_mutex_lock(&s->lock); /* what the other thread left is seen behind its lock */
  struct MHD_Response *r = w->response;
  pthread_mutex_unlock(&s->lock);
  return r ? s->http.MHD_queue_response(c, w->status, r) : refuse(s, c, MHD_HTTP_SERVICE_UNAVAILABLE, "the server ends");
}

static void over(void *context, struct MHD_Connection *c, void **own, enum MHD_RequestTerminationCode why) {
  struct server *s = context;
  struct waiting *w = *own;
  (void)c, (void)why;
  if (!w) return;
  if (w->response) s->http.MHD_destroy_response(w->response);
  mem_free(&s->mem, w->body);
  mem_free(&s->mem, w);
  *own = NULL;
}

/* ---- the caller's thread ------------------------------------------------------------------------------------------------------ */

struct serve_request *serve_next(struct server *s, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until); /* a clock that is set does not make it wait for hours */
  long long at = until.tv_nsec + (long long)(seconds * 1e9);
  until.tv_sec += at / 1000000000;
  until.tv_nsec = (long)(at % 1000000000);
  pthread_mutex_lock(&s->lock);
  while (!s->first && pthread_cond_timedwait(&s->some, &s->lock, &until) == 0) continue;
  struct waiting *w = s->first;
  if (w) {
    s->first = w->next;
    if (!s->first) s->last = NULL;
    s->taken = w;
  }
  pthread_mutex_unlock(&s->lock);
  return w ? &w->request : NULL;
}

void serve_reply(struct server *s, struct serve_request *q, unsigned status, const char *type, char *text, size_t length) {
  struct waiting *w = (struct waiting *)q;
  struct MHD_Response *r = text ? s->http.MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE) : NULL;
  if (!r) free(text);
  else add_headers(s, r, type);
  pthread_mutex_lock(&s->lock);
  w->response = r;
  w->status = status;
  s->taken = NULL;
  pthread_mutex_unlock(&s->lock);
  s->http.MHD_resume_connection(w->connection);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------- */

static int make_token(struct server *s) {
  unsigned char random[TOKEN / 2];
  for (size_t got = 0; got < sizeof random;) {
    ssize_t n = getrandom(random + got, sizeof random - got, 0);
    if (n < 0 && errno != EINTR) return -1;
    if (n > 0) got += (size_t)n;
  }
  for (size_t i = 0; i < sizeof random; i++) snprintf(s->token + 2 * i, 3, "%02x", random[i]);
  return 0;
}

/* Connections that somebody opens and leaves half-way must not keep others out before they are given up: as many as files may be open, SERVE_CONNECTIONS at most. */
static unsigned connections(void) {
  struct rlimit l;
  const rlim_t wanted = SERVE_CONNECTIONS + FILES_BESIDE;
  if (getrlimit(RLIMIT_NOFILE, &l)) return SERVE_CONNECTIONS / 16;
  if (l.rlim_cur < wanted && l.rlim_cur < l.rlim_max) {
    l.rlim_cur = l.rlim_max < wanted ? l.rlim_max : wanted;
    if (setrlimit(RLIMIT_NOFILE, &l) || getrlimit(RLIMIT_NOFILE, &l)) return SERVE_CONNECTIONS / 16;
  }
  return l.rlim_cur >= wanted ? SERVE_CONNECTIONS : l.rlim_cur > 2 * FILES_BESIDE ? (unsigned)l.rlim_cur - FILES_BESIDE : FILES_BESIDE;
}

static int listen_on(struct server *s, struct err *e) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(s->setup.port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  errno = 0;
  s->daemon = s->http.MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, hear, s, MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_CONNECTION_LIMIT, connections(),
                               MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADS, MHD_OPTION_NOTIFY_COMPLETED, over, s,
                               MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (!s->daemon) return err_io(e, "127.0.0.1", "port %u cannot be listened on%s%s", (unsigned)s->setup.port, errno ? ": " : "", errno ? strerror(errno) : "");
  const union MHD_DaemonInfo *info = s->http.MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
  unsigned port = info ? info->port : s->setup.port;
  if (!port) return err_io(e, "127.0.0.1", "no port could be found");
  snprintf(s->host[0], sizeof s->host[0], port == 80 ? "127.0.0.1" : "127.0.0.1:%u", port);
  snprintf(s->host[1], sizeof s->host[1], port == 80 ? "localhost" : "localhost:%u", port);
  snprintf(s->address, sizeof s->address, "http://%s/%s/", s->host[0], s->token);
  return 0;
}

int serve_open(struct server **out, const struct serve_setup *setup, struct err *e) {
  struct server *s = calloc(1, sizeof *s); /* beside the budget of bodies, which it holds */
  *out = NULL;
  if (!s) return err_memory(e, "the server");
  s->setup = *setup;
  mem_open(&s->mem, setup->bodies);
  pthread_mutex_init(&s->lock, NULL);
  pthread_condattr_t how;
  pthread_condattr_init(&how);
  pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
  pthread_cond_init(&s->some, &how);
  pthread_condattr_destroy(&how);
  if (make_token(s)) err_io(e, "getrandom", "no random numbers: %s", strerror(errno));
  else if (microhttpd_open(&s->http, e) == 0 && listen_on(s, e) == 0) {
    *out = s;
    return 0;
  }
  serve_close(s);
  return -1;
}

const char *serve_address(const struct server *s) { return s->address; }

void serve_close(struct server *s) {
  if (!s) return;
  pthread_mutex_lock(&s->lock);
  s->closing = 1;
  struct waiting *w = s->first, *taken = s->taken;
  s->first = s->last = s->taken = NULL;
  pthread_mutex_unlock(&s->lock);
  for (struct waiting *next; w; w = next) {
    next = w->next;
    s->http.MHD_resume_connection(w->connection);
  }
  if (taken) s->http.MHD_resume_connection(taken->connection);
  if (s->daemon) s->http.MHD_stop_daemon(s->daemon);
  microhttpd_close(&s->http);
  pthread_mutex_destroy(&s->lock);
  pthread_cond_destroy(&s->some);
  free(s);
}
