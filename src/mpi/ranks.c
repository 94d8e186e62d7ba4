/* ranks.c -- see ranks.h. */
#include "mpi/ranks_mpi.h"

#include "base/clock.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BETWEEN_LOOKS 0.05
#define BETWEEN_BEATS 0.2
#define GRACE 0.4 /* after a signal: mpirun kills a second later */
#define ORDERLY 10.0
enum { PATIENT = 32, YIELDING = 256, SLEEP_NS = 200000 };

unsigned ranks_self(const struct ranks *r) { return r->self; }
unsigned ranks_count(const struct ranks *r) { return r->count; }
unsigned ranks_neighbours(const struct ranks *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->count; i++) n += strcmp(r->member[i].host, r->member[r->self].host) == 0;
  return n;
}

int ranks_lost(const struct ranks *r) { return r->lost; }
void ranks_watch(struct ranks *r, const volatile int *interrupt) { r->interrupt = interrupt; }
int ranks_interrupted(const struct ranks *r) { return r->interrupt && *r->interrupt; }
const struct ranks_pulse *ranks_heard(const struct ranks *r, unsigned rank) { return &r->member[rank].pulse; }

void ranks_name(const struct ranks *r, unsigned rank, char *out, size_t room) { snprintf(out, room, "rank %u on %s", rank, r->member[rank].host); }

int ranks_open(struct ranks **out, int *argc, char ***argv) {
  static struct ranks only; /* of this process: there is one, and before MPI is started nobody could tell the others that there is no memory for it */
  struct ranks *r = &only;
  int self, count;
  *out = r;
  if (MPI_Init(argc, argv) != MPI_SUCCESS) return RANKS_NO_MPI;
  signal(SIGUSR1, SIG_IGN); /* MPICH tells by it that a rank has died, and we find out ourselves */
  MPI_Comm_dup(MPI_COMM_WORLD, &r->comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &r->ending);
  MPI_Comm_set_errhandler(r->comm, MPI_ERRORS_RETURN); /* a rank that is gone is told by us, not by an abort */
  MPI_Comm_set_errhandler(r->ending, MPI_ERRORS_RETURN);
  MPI_Comm_rank(r->comm, &self);
  MPI_Comm_size(r->comm, &count);
  r->self = (unsigned)self;
  r->count = (unsigned)count;
  r->lost = -1;
  r->beating = MPI_REQUEST_NULL;
  r->member = calloc(r->count, sizeof *r->member);
  struct ranks_member me = {.pid = getpid()};
  gethostname(me.host, sizeof me.host - 1);
  int there = r->member != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, r->comm);
  if (!there) return RANKS_NO_MEMORY;
  MPI_Allgather(&me, sizeof me, MPI_BYTE, r->member, sizeof me, MPI_BYTE, r->comm);
  double now = clock_now();
  for (unsigned i = 0; i < r->count; i++) r->member[i].heard = now;
  return 0;
}

/* Small messages that nobody waits for any more. */
static void drop_leftovers(struct ranks *r) {
  for (int there = 1; there;) {
    MPI_Status status;
    int bytes;
    uint8_t small[256];
    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, r->comm, &there, &status) != MPI_SUCCESS || !there) return;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if ((size_t)bytes > sizeof small) return;
    MPI_Recv(small, bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, r->comm, MPI_STATUS_IGNORE);
  }
}

/* Those who want to do more together than this rank has done need not wait until it is dead. */
static void take_leave(struct ranks *r) {
  for (unsigned i = 0; i < r->count; i++) {
    MPI_Request sent;
    if (i != r->self && MPI_Isend(&r->rounds, sizeof r->rounds, MPI_BYTE, (int)i, TAG_LEFT, r->comm, &sent) == MPI_SUCCESS) MPI_Request_free(&sent);
  }
}

int ranks_close(struct ranks *r, int code) {
  fflush(NULL);
  if (r->lost >= 0) { /* there is no orderly end with one missing; rank 0 has told what is to be told */
    if (r->self == 0) {
      struct timespec while_output_travels = {.tv_nsec = 100000000};
      nanosleep(&while_output_travels, NULL);
      MPI_Abort(MPI_COMM_WORLD, code);
    } else {
      sleep(3);
    }
    _exit(code);
  }
  MPI_Request end;
  int done = 0;
  double begin = clock_now();
  r->closing = 1;
  take_leave(r);
  MPI_Ibarrier(r->ending, &end); /* a rank that ends alone must not meet the others in what they do together */
  while (!done && clock_now() - begin < ORDERLY) {
    drop_leftovers(r);
    MPI_Test(&end, &done, MPI_STATUS_IGNORE);
    if (!done) sched_yield();
  }
  if (!done) _exit(code); /* somebody died when everything had been told, or this rank alone could not go on */
  drop_leftovers(r);
  if (r->beating != MPI_REQUEST_NULL) MPI_Wait(&r->beating, MPI_STATUS_IGNORE);
  MPI_Comm_free(&r->ending);
  MPI_Comm_free(&r->comm);
  MPI_Finalize();
  free(r->member);
  return r->self ? 0 : code;
}

/* ---- who is there ------------------------------------------------------------------------------------------------------------- */

void ranks_lose(struct ranks *r, unsigned rank) {
  if (r->lost >= 0) return;
  r->lost = (int)rank;
  for (unsigned i = 0; i < r->count; i++) { /* whoever listens need not find out alone; nobody waits for these to arrive */
    MPI_Request sent;
    static int32_t who;
    who = (int32_t)rank;
    if (i != r->self && i != rank) MPI_Isend(&who, sizeof who, MPI_BYTE, (int)i, TAG_LOST, r->comm, &sent);
  }
}

/* A process that is dead, or waits to be buried. */
static int dead(int64_t pid) {
  char name[64], line[512];
  if (kill((pid_t)pid, 0) && errno == ESRCH) return 1;
  snprintf(name, sizeof name, "/proc/%lld/stat", (long long)pid);
  FILE *f = fopen(name, "re");
  if (!f) return 0;
  const char *close = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
  fclose(f);
  return close && close[1] && (close[2] == 'Z' || close[2] == 'X');
}

/* A rank that has left takes part in what was begun before, and in nothing else. */
static void look_for_left(struct ranks *r) {
  for (unsigned i = 0; i < r->count && r->lost < 0; i++)
    if (r->member[i].left && r->rounds >= r->member[i].left) ranks_lose(r, i);
}

static void look_at_neighbours(struct ranks *r) {
  for (unsigned i = 0; i < r->count && r->lost < 0; i++)
    if (i != r->self && strcmp(r->member[i].host, r->member[r->self].host) == 0 && dead(r->member[i].pid)) ranks_lose(r, i);
}

static void hear(struct ranks *r) {
  for (int there = 1; there && r->self == 0;) {
    MPI_Status status;
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_PULSE, r->comm, &there, &status) != MPI_SUCCESS || !there) break;
    struct ranks_member *m = &r->member[status.MPI_SOURCE];
    MPI_Recv(&m->pulse, sizeof m->pulse, MPI_BYTE, status.MPI_SOURCE, TAG_PULSE, r->comm, MPI_STATUS_IGNORE);
    m->heard = clock_now();
  }
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_LEFT, r->comm, &there, &status) == MPI_SUCCESS && there) {
    uint64_t rounds;
    MPI_Recv(&rounds, sizeof rounds, MPI_BYTE, status.MPI_SOURCE, TAG_LEFT, r->comm, MPI_STATUS_IGNORE);
    r->member[status.MPI_SOURCE].left = rounds + 1;
  }
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_LOST, r->comm, &there, &status) == MPI_SUCCESS && there) {
    int32_t who = -1;
    MPI_Recv(&who, sizeof who, MPI_BYTE, status.MPI_SOURCE, TAG_LOST, r->comm, MPI_STATUS_IGNORE);
    if (who >= 0 && (unsigned)who < r->count) ranks_lose(r, (unsigned)who);
  }
}

/* The one that was silent for longest. */
static unsigned most_silent(const struct ranks *r) {
  unsigned who = r->self ? 0 : 1 % r->count;
  for (unsigned i = 1; i < r->count && !r->self; i++)
    if (r->member[i].heard < r->member[who].heard) who = i;
  return who;
}

static void look(struct ranks *r, double now) {
  hear(r);
  if (r->lost >= 0 || r->count < 2) return;
  look_at_neighbours(r);
  look_for_left(r);
  if (r->lost < 0 && !r->self && now - r->member[most_silent(r)].heard > RANKS_SILENT) ranks_lose(r, most_silent(r));
  if (!ranks_interrupted(r)) return;
  if (!r->told_to_end) r->told_to_end = now;
  else if (r->lost < 0 && now - r->told_to_end > GRACE && !r->self && now - r->member[most_silent(r)].heard > GRACE) ranks_lose(r, most_silent(r));
}

int ranks_look(struct ranks *r, unsigned idle) {
  double now = clock_now();
  if (now - r->looked >= BETWEEN_LOOKS) {
    r->looked = now;
    look(r, now);
  }
  if (r->lost >= 0) return -1;
  if (idle > YIELDING) nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL);
  else if (idle > PATIENT) sched_yield();
  if (idle > YIELDING) ranks_beat(r, NULL);
  return 0;
}

void ranks_beat(struct ranks *r, const struct ranks_pulse *mine) {
  double now = clock_now();
  if (now - r->beat < BETWEEN_BEATS) return;
  if (mine) r->member[r->self].pulse = *mine;
  r->beat = now;
  if (!r->self) return;
  int done = 1;
  if (r->beating != MPI_REQUEST_NULL) MPI_Test(&r->beating, &done, MPI_STATUS_IGNORE);
  if (!done) return;
  r->sent = r->member[r->self].pulse;
  MPI_Isend(&r->sent, sizeof r->sent, MPI_BYTE, 0, TAG_PULSE, r->comm, &r->beating);
}

/* ---- together ------------------------------------------------------------------------------------------------------------------ */

int ranks_wait(struct ranks *r, MPI_Request *request) {
  unsigned idle = 0;
  for (int done = 0;;) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      look_at_neighbours(r);
      if (r->lost < 0) ranks_lose(r, most_silent(r));
      return -1;
    }
    if (done) return 0;
    if (ranks_look(r, ++idle)) return -1;
  }
}

static int reduce(struct ranks *r, uint64_t *values, size_t count, MPI_Op op) {
  MPI_Request request;
  if (r->lost >= 0) return -1;
  if (r->count < 2) return 0;
  r->rounds++;
  if (MPI_Iallreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, op, r->comm, &request) != MPI_SUCCESS) return -1;
  return ranks_wait(r, &request);
}

int ranks_sum(struct ranks *r, uint64_t *values, size_t count) { return reduce(r, values, count, MPI_SUM); }
int ranks_max(struct ranks *r, uint64_t *values, size_t count) { return reduce(r, values, count, MPI_MAX); }

int ranks_all(struct ranks *r, int fine) {
  uint64_t bad = !fine;
  return ranks_max(r, &bad, 1) == 0 && !bad;
}

int ranks_alike(struct ranks *r, uint64_t said) {
  uint64_t both[2] = {said, ~said};
  if (ranks_max(r, both, 2)) return -1;
  return both[0] == ~both[1];
}

int ranks_agree(struct ranks *r, int bad, struct err *e) {
  uint64_t first = bad ? r->count - r->self : 0;
  struct err theirs = *e;
  if (ranks_max(r, &first, 1)) return err_limit(e, "a rank is gone");
  if (!first) return 0;
  unsigned who = r->count - (unsigned)first;
  char name[96];
  if (ranks_tell(r, who, &theirs, sizeof theirs)) return err_limit(e, "a rank is gone");
  *e = theirs;
  ranks_name(r, who, name, sizeof name);
  if (who) snprintf(e->message, sizeof e->message, "%s: %.400s", name, theirs.message);
  return -1;
}

enum { AT_ONCE = 1 << 30 }; /* bytes of a message */

int ranks_tell(struct ranks *r, unsigned from, void *data, size_t bytes) {
  for (size_t at = 0; at < bytes; at += AT_ONCE) {
    MPI_Request request;
    size_t now = bytes - at < AT_ONCE ? bytes - at : AT_ONCE;
    if (r->lost >= 0) return -1;
    if (r->count < 2) return 0;
    r->rounds++;
    if (MPI_Ibcast((char *)data + at, (int)now, MPI_BYTE, (int)from, r->comm, &request) != MPI_SUCCESS) return -1;
    if (ranks_wait(r, &request)) return -1;
  }
  return 0;
}

int ranks_gather(struct ranks *r, const void *mine, size_t bytes, struct mem *mem, uint8_t **all, size_t **start) {
  uint64_t *length = mem_alloc(mem, MEM_SEARCH, r->count * sizeof *length);
  int ok = ranks_all(r, (*start = mem_alloc(mem, MEM_SEARCH, (r->count + 1) * sizeof **start)) && length);
  *all = NULL;
  if (ok) {
    length[r->self] = bytes;
    ok = ranks_sum(r, length, r->count) == 0;
  }
  for (unsigned i = 0; i < r->count && ok; i++) (*start)[i + 1] = (*start)[i] + (size_t)length[i];
  if (ok) ok = ranks_all(r, (*all = mem_alloc(mem, MEM_SEARCH, (*start)[r->count] + 1)) != NULL);
  for (unsigned i = 0; i < r->count && ok; i++) {
    if (i == r->self && bytes) memcpy(*all + (*start)[i], mine, bytes);
    ok = ranks_tell(r, i, *all + (*start)[i], (size_t)length[i]) == 0;
  }
  mem_free(mem, length);
  if (ok) return 0;
  mem_free(mem, *all);
  mem_free(mem, *start);
  *all = NULL;
  *start = NULL;
  return -1;
}
