/* crew.c -- see crew.h.
 *
 *   turn   counts pieces of work; a worker that sees a new one begins
 *   errand 0 = none, 1 = one waits, 2 = somebody takes it
 *   gate   workers that are at it, and a bit that says that no more may begin
 *
 * The owner closes the gate when there is nothing left to take, and waits for those who are at work, not for all: on a busy machine a thread may not run for some milliseconds, and who has taken nothing need not be waited for.
 * So work must be such that whoever takes part can take all of it (crew_next).
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
#define CLOSED 0x80000000u

struct crew {
  struct mem *mem;
  unsigned size, started, looks;
  pthread_t *thread;
  crew_work *work;
  void *context;
  atomic_uint turn, gate;
  atomic_uint errand;
  crew_errand *errand_work;
  void *errand_at;
  size_t errand_bytes;
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

/* 1, or 0: it is too late. */
static int enter(struct crew *c) {
  unsigned gate = atomic_load_explicit(&c->gate, memory_order_relaxed);
  do
    if (gate & CLOSED) return 0;
  while (!atomic_compare_exchange_weak_explicit(&c->gate, &gate, gate + 1, memory_order_acquire, memory_order_relaxed));
  return 1;
}

static void done(struct crew *c) {
  if (atomic_fetch_sub_explicit(&c->gate, 1, memory_order_acq_rel) != (CLOSED | 1)) return;
  pthread_mutex_lock(&c->lock); /* the owner may be about to sleep */
  pthread_cond_signal(&c->end);
  pthread_mutex_unlock(&c->lock);
}

/* The errand, if one waits, is nobody else's from now on. */
static void run_errand(struct crew *c) {
  unsigned waits = 1;
  if (!atomic_load_explicit(&c->errand, memory_order_relaxed) || !atomic_compare_exchange_strong_explicit(&c->errand, &waits, 2, memory_order_acquire, memory_order_relaxed)) return;
  crew_errand *work = c->errand_work;
  void *at = c->errand_at;
  size_t bytes = c->errand_bytes;
  atomic_store_explicit(&c->errand, 0, memory_order_release);
  work(at, bytes);
}

int crew_send(struct crew *c, crew_errand *work, void *at, size_t bytes) {
  if (c->size == 1 || atomic_load_explicit(&c->errand, memory_order_acquire)) return 0;
  c->errand_work = work;
  c->errand_at = at;
  c->errand_bytes = bytes;
  atomic_store_explicit(&c->errand, 1, memory_order_release);
  return 1;
}

static void *worker_main(void *argument) {
  struct seat *seat = argument;
  struct crew *c = seat->crew;
  unsigned worker = seat->worker, turn = 0;
  mem_free(c->mem, seat);
  for (;;) {
    turn = wait_for_turn(c, turn);
    run_errand(c);
    if (!enter(c)) continue;
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

static int all_done(struct crew *c) { return atomic_load_explicit(&c->gate, memory_order_acquire) == CLOSED; }

void crew_begin(struct crew *c, crew_work *work, void *context) {
  c->work = work;
  c->context = context;
  if (c->size == 1) return;
  atomic_store_explicit(&c->gate, 0, memory_order_release);
  next_turn(c);
}

void crew_end(struct crew *c) {
  c->work(c->context, 0);
  if (c->size == 1) return;
  atomic_fetch_or_explicit(&c->gate, CLOSED, memory_order_acq_rel);
  for (unsigned i = 0; i < c->looks; i++) {
    if (all_done(c)) return;
    breathe();
  }
  pthread_mutex_lock(&c->lock);
  while (!all_done(c)) pthread_cond_wait(&c->end, &c->lock);
  pthread_mutex_unlock(&c->lock);
}

void crew_run(struct crew *c, crew_work *work, void *context) {
  crew_begin(c, work, context);
  crew_end(c);
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
  atomic_init(&c->gate, CLOSED);
  c->looks = workers > crew_cores() ? 0 : LOOKS;
  if (workers > 1) mem_interleave();
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
  atomic_store(&c->gate, 0); /* everybody comes in to hear it */
  if (c->started) next_turn(c);
  for (unsigned i = 1; i <= c->started; i++) pthread_join(c->thread[i], NULL);
  pthread_cond_destroy(&c->end);
  pthread_cond_destroy(&c->begin);
  pthread_mutex_destroy(&c->lock);
  mem_free(c->mem, c->thread);
  mem_free(c->mem, c);
}
