/* post.c -- see post.h. */
#include "mpi/post.h"

#include "mpi/ranks_mpi.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct lane { /* to one rank */
  uint8_t *buffer[POST_WINDOW];
  size_t room[POST_WINDOW];
  MPI_Request request[POST_WINDOW];
  unsigned filling; /* which buffer; the others are under way or free */
  size_t used;
};

struct post {
  struct ranks *ranks;
  struct mem *mem;
  size_t batch;
  struct lane *lane;
  uint8_t *inbox;
  size_t inbox_room;
  uint32_t *sent; /* batches of this phase, per rank */
  uint32_t expected, received;
  unsigned flushed; /* lanes below this have nothing left to go */
  enum { OPEN, COUNTING, EXPECTING } state;
  MPI_Request counting;
  MPI_Request *stopping; /* stops that are under way */
  uint64_t stop_phase;
  int stopped, told;
  struct post_figures figures;
};

const struct post_figures *post_figures(const struct post *p) { return &p->figures; }

static int tag(const struct post *p) { return TAG_BATCH + (int)(p->ranks->phase & 1); }

int post_open(struct post **out, struct ranks *r, struct mem *mem) {
  struct post *p = mem_alloc(mem, MEM_SEARCH, sizeof *p);
  *out = p;
  if (!p) return -1;
  p->ranks = r;
  p->mem = mem;
  p->batch = mem->budget == SIZE_MAX ? POST_BATCH : mem->budget / 16 / POST_WINDOW / r->count;
  if (p->batch > POST_BATCH) p->batch = POST_BATCH;
  if (p->batch < POST_BATCH_LEAST) p->batch = POST_BATCH_LEAST;
  p->lane = mem_alloc(mem, MEM_SEARCH, r->count * sizeof *p->lane);
  p->sent = mem_alloc(mem, MEM_SEARCH, r->count * sizeof *p->sent);
  p->stopping = mem_alloc(mem, MEM_SEARCH, r->count * sizeof *p->stopping);
  p->inbox = mem_alloc(mem, MEM_SEARCH, p->inbox_room = p->batch);
  for (unsigned i = 0; i < r->count && p->stopping; i++) p->stopping[i] = MPI_REQUEST_NULL; /* which is not what zeros are, and what is closed after a refusal is looked at */
  if (!p->lane || !p->sent || !p->stopping || !p->inbox) return -1;
  for (unsigned i = 0; i < r->count; i++) {
    for (unsigned k = 0; k < POST_WINDOW; k++) {
      p->lane[i].request[k] = MPI_REQUEST_NULL;
      if (i == r->self) continue;
      p->lane[i].buffer[k] = mem_alloc(mem, MEM_SEARCH, p->lane[i].room[k] = p->batch);
      if (!p->lane[i].buffer[k]) return -1;
    }
  }
  return 0;
}

static void close_post(struct post *p, int all) {
  struct mem *mem = p->mem;
  for (unsigned i = 0; i < p->ranks->count && p->lane && all; i++)
    for (unsigned k = 0; k < POST_WINDOW; k++) mem_free(mem, p->lane[i].buffer[k]);
  mem_free(mem, p->lane);
  mem_free(mem, p->sent);
  if (all) mem_free(mem, p->stopping);
  mem_free(mem, p->inbox);
  if (all) mem_free(mem, p);
}

void post_abandon(struct post *p) {
  if (p) close_post(p, 0);
}

void post_close(struct post *p) {
  if (!p) return;
  for (unsigned i = 0; p->stopping && i < p->ranks->count; i++)
    if (p->stopping[i] != MPI_REQUEST_NULL && ranks_wait(p->ranks, &p->stopping[i])) {
      post_abandon(p);
      return;
    }
  close_post(p, 1);
}

/* ---- out ------------------------------------------------------------------------------------------------------------------------ */

static void send(struct post *p, unsigned to) {
  struct lane *l = &p->lane[to];
  MPI_Issend(l->buffer[l->filling], (int)l->used, MPI_BYTE, (int)to, tag(p), p->ranks->comm, &l->request[l->filling]);
  p->figures.batches++;
  p->figures.bytes += l->used;
  p->sent[to]++;
  l->used = 0;
  l->filling = (l->filling + 1) % POST_WINDOW;
}

/* Is the buffer that is to be filled free? */
static int ready(struct lane *l) {
  int done = 1;
  if (l->request[l->filling] != MPI_REQUEST_NULL) MPI_Test(&l->request[l->filling], &done, MPI_STATUS_IGNORE);
  return done;
}

uint8_t *post_room(struct post *p, unsigned to, size_t bytes, int *full) {
  struct lane *l = &p->lane[to];
  if (l->used && l->used + bytes > p->batch) send(p, to);
  if (!l->used && !ready(l)) {
    p->figures.waits++;
    return NULL;
  }
  if (l->used + bytes > l->room[l->filling]) {
    uint8_t *larger = bytes < INT_MAX ? mem_resize(p->mem, MEM_SEARCH, l->buffer[l->filling], bytes) : NULL;
    if (!larger) {
      *full = 1;
      return NULL;
    }
    l->buffer[l->filling] = larger;
    l->room[l->filling] = bytes;
  }
  return l->buffer[l->filling] + l->used;
}

void post_put(struct post *p, unsigned to, size_t bytes) { p->lane[to].used += bytes; }

/* ---- in ------------------------------------------------------------------------------------------------------------------------- */

/* There is no room for it in the budget, and the run ends; but the sender must not wait for ever. A message is never cut off: libraries have written behind the end of the buffer then. So this one is taken beside the
   budget, for the moment that it takes. 0, or -1: lost; this rank itself where the machine has no memory either. */
static int drop(struct post *p, int length, MPI_Message *message) {
  uint8_t *room = malloc((size_t)length);
  if (!room) {
    ranks_lose(p->ranks, p->ranks->self);
    return -1;
  }
  MPI_Request request;
  MPI_Imrecv(room, length, MPI_BYTE, message, &request);
  if (ranks_wait(p->ranks, &request)) return -1; /* something may still be written there */
  free(room);
  return 0;
}

int post_take(struct post *p, const uint8_t **data, size_t *bytes, unsigned *from, int *full) {
  MPI_Message message;
  MPI_Status status;
  int there = 0, length;
  if (p->ranks->count < 2) return 0;
  if (p->ranks->lost >= 0) return -1;
  if (MPI_Improbe(MPI_ANY_SOURCE, tag(p), p->ranks->comm, &there, &message, &status) != MPI_SUCCESS || !there) return 0;
  MPI_Get_count(&status, MPI_BYTE, &length);
  if ((size_t)length > p->inbox_room) {
    uint8_t *larger = mem_resize(p->mem, MEM_SEARCH, p->inbox, (size_t)length);
    if (larger) p->inbox = larger, p->inbox_room = (size_t)length;
  }
  if ((size_t)length > p->inbox_room) {
    if (drop(p, length, &message)) return -1;
    p->received++;
    *full = 1;
    return -1;
  }
  MPI_Request request;
  MPI_Imrecv(p->inbox, length, MPI_BYTE, &message, &request);
  if (ranks_wait(p->ranks, &request)) return -1;
  p->received++;
  *data = p->inbox;
  *bytes = (size_t)length;
  *from = (unsigned)status.MPI_SOURCE;
  return 1;
}

/* ---- stopping early -------------------------------------------------------------------------------------------------------------- */

void post_stop(struct post *p) {
  p->stopped = 1;
  if (p->told) return;
  for (unsigned i = 0; i < p->ranks->count; i++) { /* those of an earlier phase have long arrived */
    int done = 1;
    if (p->stopping[i] != MPI_REQUEST_NULL) MPI_Test(&p->stopping[i], &done, MPI_STATUS_IGNORE);
    if (!done) continue;
    p->stop_phase = p->ranks->phase;
    if (i != p->ranks->self) MPI_Isend(&p->stop_phase, sizeof p->stop_phase, MPI_BYTE, (int)i, TAG_STOP, p->ranks->comm, &p->stopping[i]);
  }
  p->told = 1;
}

int post_stopped(struct post *p) {
  for (int there = 1; there && p->ranks->count > 1;) {
    MPI_Status status;
    uint64_t phase;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_STOP, p->ranks->comm, &there, &status) != MPI_SUCCESS || !there) break;
    MPI_Recv(&phase, sizeof phase, MPI_BYTE, status.MPI_SOURCE, TAG_STOP, p->ranks->comm, MPI_STATUS_IGNORE);
    if (phase >= p->ranks->phase) p->stopped = 1; /* a later one: then this one is over for its sender, and soon for us */
  }
  return p->stopped;
}

/* ---- the end of a phase ---------------------------------------------------------------------------------------------------------- */

/* 1: every batch is off, and taken. */
static int flushed(struct post *p) {
  for (; p->flushed < p->ranks->count; p->flushed++) {
    struct lane *l = &p->lane[p->flushed];
    if (l->used) send(p, p->flushed);
    for (unsigned k = 0; k < POST_WINDOW; k++) {
      int done = 1;
      if (l->request[k] != MPI_REQUEST_NULL) MPI_Test(&l->request[k], &done, MPI_STATUS_IGNORE);
      if (!done) return 0;
    }
  }
  return 1;
}

/* Everything that is not full yet goes off at once; who takes it when comes later. */
static void send_all(struct post *p) {
  for (unsigned i = 0; i < p->ranks->count; i++)
    if (p->lane[i].used) send(p, i);
}

int post_end(struct post *p) {
  struct ranks *r = p->ranks;
  if (r->lost >= 0) return -1;
  if (r->count < 2) {
    r->phase++;
    p->stopped = p->told = 0;
    return 1;
  }
  if (p->state == OPEN) {
    send_all(p); /* what is counted has been sent; it need not have been taken */
    p->flushed = 0;
    r->rounds++;
    if (MPI_Ireduce_scatter_block(p->sent, &p->expected, 1, MPI_UINT32_T, MPI_SUM, r->comm, &p->counting) != MPI_SUCCESS) return -1;
    p->state = COUNTING;
  }
  if (p->state == COUNTING) {
    int done = 0;
    if (MPI_Test(&p->counting, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
    if (!done) return 0;
    p->state = EXPECTING;
  }
  if (p->received < p->expected || !flushed(p)) return 0;
  p->state = OPEN;
  p->received = 0;
  memset(p->sent, 0, r->count * sizeof *p->sent);
  r->phase++;
  p->stopped = p->told = 0;
  return 1;
}
