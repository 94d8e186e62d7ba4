/* alone.h -- ranks and post (mpi/ranks.h, mpi/post.h) without MPI: one process that is one of several ranks.  The others agree to everything, know nothing, and never send; what is sent to them is forgotten.
 *
 * What a rank does by itself, reading its journal or those of all, is what it is with MPI. */
#ifndef TESTS_FUZZ_ALONE_H
#define TESTS_FUZZ_ALONE_H

#include "demand.h"
#include "mpi/post.h"
#include "mpi/ranks.h"

#include <string.h>

struct ranks {
  unsigned self, count;
  struct ranks_pulse none;
};

unsigned ranks_self(const struct ranks *r) { return r->self; }
unsigned ranks_count(const struct ranks *r) { return r->count; }
unsigned ranks_neighbours(const struct ranks *r) { return r->count; }
int ranks_interrupted(const struct ranks *r) { return r->count == 0; }
int ranks_lost(const struct ranks *r) { return r->count ? -1 : 0; }
void ranks_name(const struct ranks *r, unsigned rank, char *out, size_t room) { snprintf(out, room, "rank %u of %u", rank, r->count); }
int ranks_sum(struct ranks *r, uint64_t *values, size_t count) { return (void)values, (void)count, ranks_lost(r) < 0 ? 0 : -1; }
int ranks_max(struct ranks *r, uint64_t *values, size_t count) { return ranks_sum(r, values, count); }
int ranks_tell(struct ranks *r, unsigned from, void *data, size_t bytes) { return (void)data, (void)bytes, from < r->count ? 0 : -1; }
int ranks_alike(struct ranks *r, uint64_t said) { return (void)said, ranks_lost(r) < 0; }
int ranks_agree(struct ranks *r, int bad, struct err *e) { return (void)r, (void)e, bad ? -1 : 0; }
int ranks_all(struct ranks *r, int fine) { return (void)r, fine; }
int ranks_look(struct ranks *r, unsigned idle) { return (void)idle, ranks_lost(r) < 0 ? 0 : -1; }
void ranks_beat(struct ranks *r, const struct ranks_pulse *mine) { (void)r, (void)mine; }
const struct ranks_pulse *ranks_heard(const struct ranks *r, unsigned rank) { return (void)rank, &r->none; }

int ranks_gather(struct ranks *r, const void *mine, size_t bytes, struct mem *mem, uint8_t **all, size_t **start) {
  *all = mem_alloc(mem, MEM_SEARCH, bytes + 1);
  *start = mem_alloc(mem, MEM_SEARCH, (r->count + 1) * sizeof **start);
  if (!*all || !*start) {
    mem_free(mem, *all);
    mem_free(mem, *start);
    *all = NULL;
    *start = NULL;
    return -1;
  }
  if (bytes) memcpy(*all, mine, bytes);
  for (unsigned i = r->self; i < r->count; i++) (*start)[i + 1] = bytes;
  return 0;
}

struct post {
  struct mem *mem;
  uint8_t *scratch;
  size_t room;
  int stopped;
  struct post_figures figures;
};

int post_open(struct post **out, struct ranks *r, struct mem *mem) {
  struct post *p = *out = mem_alloc(mem, MEM_SEARCH, sizeof *p);
  (void)r;
  if (p) p->mem = mem;
  return p ? 0 : -1;
}

void post_close(struct post *p) {
  if (!p) return;
  struct mem *mem = p->mem;
  mem_free(mem, p->scratch);
  mem_free(mem, p);
}

void post_abandon(struct post *p) { post_close(p); }
const struct post_figures *post_figures(const struct post *p) { return &p->figures; }
void post_put(struct post *p, unsigned to, size_t bytes) { (void)to, p->figures.bytes += bytes; }
void post_stop(struct post *p) { p->stopped = 1; }
int post_stopped(struct post *p) { return p->stopped; }
int post_take(struct post *p, const uint8_t **data, size_t *bytes, unsigned *from, int *full) { return (void)p, (void)data, (void)bytes, (void)from, (void)full, 0; }

uint8_t *post_room(struct post *p, unsigned to, size_t bytes, int *full) {
  (void)to;
  if (bytes > p->room) {
    uint8_t *larger = mem_resize(p->mem, MEM_SEARCH, p->scratch, bytes);
    *full = !larger;
    if (!larger) return NULL;
    p->scratch = larger;
    p->room = bytes;
  }
  return p->scratch;
}

int post_end(struct post *p) {
  p->stopped = 0;
  return 1;
}

#endif
