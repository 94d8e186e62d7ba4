/* crew.c -- see crew.h.
 *
 *   turn   counts pieces of work; a worker that sees a new one begins
 *   busy   workers that are not done with it
 *
 * Who waits looks at the number some thousand times before it goes to sleep: a millisecond of work is over soon, and waking a thread takes longer than that look.  On a machine with fewer
 * cores than workers looking only takes time from those who work: then everybody sleeps at once. */
#define _GNU_SOURCE
#include "base/crew.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>

enum { LOOKS = 20000, MOST_WORKERS = 1024 };

struct crew {
  struct mem *mem;
  unsigned size, started, looks;
  pthread_t *thread;
  crew_work *work;
  void *context;
  atomic_uint turn, busy;
  int over;
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
};

struct seat { /* what a thread gets to know at its start */
  struct crew *crew;
  unsigned worker;
};

static inline void breathe(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* Until the number is no longer `was`. */
static unsigned wait_for_turn(struct crew *c, unsigned was) {
  for (unsigned i = 0; i < c->looks; i++) {
    unsigned now = atomic_load_explicit(&c->turn, memory_order_acquire);
    if (now != was) return now;
    breathe();
  }
  pthread_mutex_lock(&c->lock);
  while (atomic_load_explicit(&c->turn, memory_order_acquire) == was) pthread_cond_wait(&c->begin, &c->lock);
  pthread_mutex_unlock(&c->lock);
  return atomic_load_explicit(&c->turn, memory_order_acquire);
}

static void done(struct crew *c) {
  if (atomic_fetch_sub_explicit(&c->busy, 1, memory_order_acq_rel) != 1) return;
  pthread_mutex_lock(&c->lock); /* the owner may be about to sleep */
  pthread_cond_signal(&c->end);
  pthread_mutex_unlock(&c->lock);
}

static void *worker_main(void *argument) {
  struct seat *seat = argument;
  struct crew *c = seat->crew;
  unsigned worker = seat->worker, turn = 0;
  mem_free(c->mem, seat);
  for (;;) {
    turn = wait_for_turn(c, turn);
    if (c->over) return NULL;
    c->work(c->context, worker);
    done(c);
  }
}

static void next_turn(struct crew *c) {
  pthread_mutex_lock(&c->lock);
  atomic_fetch_add_explicit(&c->turn, 1, memory_order_release);
  pthread_cond_broadcast(&c->begin);
  pthread_mutex_unlock(&c->lock);
}

void crew_run(struct crew *c, crew_work *work, void *context) {
  c->work = work;
  c->context = context;
  if (c->size > 1) {
    atomic_store_explicit(&c->busy, c->size - 1, memory_order_relaxed);
    next_turn(c);
  }
  work(context, 0);
  if (c->size == 1) return;
  for (unsigned i = 0; i < c->looks; i++) {
    if (!atomic_load_explicit(&c->busy, memory_order_acquire)) return;
    breathe();
  }
  pthread_mutex_lock(&c->lock);
  while (atomic_load_explicit(&c->busy, memory_order_acquire)) pthread_cond_wait(&c->end, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

unsigned crew_size(const struct crew *c) { return c->size; }

unsigned crew_cores(void) {
  cpu_set_t set;
  int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
  return n < 1 ? 1 : (unsigned)n;
}

/* All or none: less than what was asked for would be a surprise. */
static int start(struct crew *c) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (unsigned i = 1; i < c->size; i++) {
    struct seat *seat = mem_alloc(c->mem, MEM_SEARCH, sizeof *seat);
    if (!seat) break;
    *seat = (struct seat){c, i};
    if (pthread_create(&c->thread[i], NULL, worker_main, seat)) {
      mem_free(c->mem, seat);
      break;
    }
    c->started = i;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return c->started + 1 == c->size ? 0 : -1;
}

int crew_open(struct crew **out, unsigned workers, struct mem *mem) {
  if (workers < 1 || workers > MOST_WORKERS) return -1;
  struct crew *c = mem_alloc(mem, MEM_SEARCH, sizeof *c);
  if (!c) return -1;
  c->mem = mem;
  c->size = workers;
  c->looks = workers > crew_cores() ? 0 : LOOKS;
  pthread_mutex_init(&c->lock, NULL);
  pthread_cond_init(&c->begin, NULL);
  pthread_cond_init(&c->end, NULL);
  c->thread = mem_alloc(mem, MEM_SEARCH, workers * sizeof *c->thread);
  if (!c->thread || start(c)) {
    crew_close(c);
    return -1;
  }
  *out = c;
  return 0;
}

void crew_close(struct crew *c) {
  if (!c) return;
  c->over = 1;
  if (c->started) next_turn(c);
  for (unsigned i = 1; i <= c->started; i++) pthread_join(c->thread[i], NULL);
  pthread_cond_destroy(&c->end);
  pthread_cond_destroy(&c->begin);
  pthread_mutex_destroy(&c->lock);
  mem_free(c->mem, c->thread);
  mem_free(c->mem, c);
}
