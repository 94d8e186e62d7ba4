/* inject.c -- makes one call of one function fail: a library for LD_PRELOAD.
 *
 *   FAULT_KIND=NAME    which function: malloc, mmap, mremap, open, read, write, fsync, rename, ftruncate, close, spawn, fork, dlopen, thread, clock (from then on it is a day later); or `change`: any that changes a file or a folder
 *   FAULT_AT=N         the N-th call fails, from 1; 0: none, they are only counted
 *   FAULT_FROM=1       all later ones fail as well: memory and disks that are full stay so
 *   FAULT_KILL=1       instead of the N-th call the process ends, as by kill -9
 *   FAULT_KILL=power   and what was written to files and not synced is lost, by the seed FAULT_SEED (power.h)
 *   FAULT_HANG=1       instead of failing, the N-th call of the first thread never returns; they are counted as long as there is a second one (the watchdog)
 *   FAULT_COUNT=FILE   the number of calls, written when the program ends
 *   FAULT_LEAST=N      of requests for memory only those for so many bytes or more count
 *   FAULT_ERRNO=N      the error; by default what is usual for the function
 *   FAULT_OWN=1        only calls from the program's own code count, not those of its libraries: an MPI library ends a run in its own way when it has no memory
 *   FAULT_RANK=N       of a run of several processes, in this one alone (the variables of Open MPI and MPICH say which it is)
 *
 *   FAULT_CLOCK=1      the clock on the wall jumps
 *
 * Calls of libc inside of itself are not seen, as they are not looked up by name.  Only those of the process that was started count: its children do not have the library. */
#define _GNU_SOURCE
#include "power.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static char kind[16];
static long wanted, from, reason, kills, hangs, seed;
static size_t least;
static long calls;
static pid_t self;
static int watched; /* threads beside the first */
static char count_file[512];
static int ready;
static const char *own_from, *own_to; /* the code of the program; NULL = calls of its libraries count, too */
static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t), (*real_free)(void *);

/* The first object is the program. */
static int find_code(struct dl_phdr_info *o, size_t size, void *context) {
  (void)size, (void)context;
  for (int i = 0; i < o->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &o->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
    own_from = (const char *)o->dlpi_addr + p->p_vaddr;
    own_to = own_from + p->p_memsz;
  }
  return 1;
}

/* Is this the process that is meant? */
static int meant(void) {
  const char *wanted_rank = getenv("FAULT_RANK"), *open_mpi = getenv("OMPI_COMM_WORLD_RANK"), *mpich = getenv("PMI_RANK"), *is = open_mpi ? open_mpi : mpich;
  return !wanted_rank || (is && strcmp(is, wanted_rank) == 0);
}

__attribute__((constructor)) static void begin(void) {
  const char *k = getenv("FAULT_KIND"), *n = getenv("FAULT_AT"), *f = getenv("FAULT_FROM"), *e = getenv("FAULT_ERRNO"), *c = getenv("FAULT_COUNT");
  if (k) strncpy(kind, k, sizeof kind - 1);
  if (c) strncpy(count_file, c, sizeof count_file - 1);
  wanted = n ? atol(n) : 0;
  from = f ? atol(f) : 0;
  reason = e ? atol(e) : 0;
  kills = getenv("FAULT_KILL") ? 1 + (strcmp(getenv("FAULT_KILL"), "power") == 0) : 0;
  hangs = getenv("FAULT_HANG") != NULL;
  seed = getenv("FAULT_SEED") ? atol(getenv("FAULT_SEED")) : 0;
  if (kills == 2) power_watch();
  least = getenv("FAULT_LEAST") ? (size_t)atol(getenv("FAULT_LEAST")) : 0;
  self = getpid();
  if (getenv("FAULT_OWN")) dl_iterate_phdr(find_code, NULL);
  if (!meant()) kind[0] = count_file[0] = 0;
  unsetenv("LD_PRELOAD"); /* children run as they are */
  real_malloc = dlsym(RTLD_NEXT, "malloc"), real_calloc = dlsym(RTLD_NEXT, "calloc"), real_realloc = dlsym(RTLD_NEXT, "realloc"), real_free = dlsym(RTLD_NEXT, "free");
  ready = 1;
}

__attribute__((destructor)) static void end(void) {
  if (!count_file[0] || getpid() != self) return;
  wanted = 0;
  char text[32];
  int n = snprintf(text, sizeof text, "%ld\n", calls);
  int fd = open(count_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd >= 0 && write(fd, text, (size_t)n) == n) close(fd);
}

/* Is it the turn of this call, which came from there, to fail? Then errno is set. */
static int fails_from(const void *caller, const char *name, int usual) {
  if (!ready || strcmp(kind, name) != 0 || getpid() != self) return 0;
  if (own_from && ((const char *)caller < own_from || (const char *)caller >= own_to)) return 0;
  if (hangs && (!watched || gettid() != self)) return 0;
  long n = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (!wanted || (from ? n < wanted : n != wanted)) return 0;
  while (hangs) pause();
  if (kills == 2) power_goes((unsigned long)seed);
  if (kills) kill(self, SIGKILL);
  errno = reason ? (int)reason : usual;
  return 1;
}

#define fails(name, usual) fails_from(__builtin_return_address(0), name, usual) /* in the functions that take the place of others */
#define changes(usual) fails("change", usual)
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Memory comes from libc; or, in a program with the leak sanitizer, from that one, which must not be asked before it has begun: until then there is a little of our own, which is never given back. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), __libc_free(void *);
extern void __lsan_do_leak_check(void) __attribute__((weak));
static char early[1 << 16] __attribute__((aligned(16)));
static size_t early_used;

static int is_early(const void *p) { return (const char *)p >= early && (const char *)p < early + sizeof early; }
static void *take_early(size_t n) {
  void *p = early + early_used;
  if (n > sizeof early - early_used - 16) return NULL;
  early_used += (n + 15) & ~(size_t)15;
  return p;
}

void *malloc(size_t n) {
  if (n >= least && fails("malloc", ENOMEM)) return NULL;
  return !__lsan_do_leak_check ? __libc_malloc(n) : ready ? real_malloc(n) : take_early(n);
}
void *calloc(size_t n, size_t m) {
  if (n * m >= least && fails("malloc", ENOMEM)) return NULL;
  return !__lsan_do_leak_check ? __libc_calloc(n, m) : ready ? real_calloc(n, m) : take_early(n * m);
}
void *realloc(void *p, size_t n) {
  if (n >= least && fails("malloc", ENOMEM)) return NULL;
  if (!__lsan_do_leak_check) return __libc_realloc(p, n);
  if (ready && !is_early(p)) return real_realloc(p, n);
  void *to = ready ? real_malloc(n) : take_early(n);
  if (to && p) memcpy(to, p, n < (size_t)(early + sizeof early - (char *)p) ? n : (size_t)(early + sizeof early - (char *)p));
  return to;
}
void free(void *p) {
  if (!__lsan_do_leak_check) __libc_free(p);
  else if (ready && p && !is_early(p)) real_free(p);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) { return fails("mmap", ENOMEM) ? MAP_FAILED : REAL(mmap)(at, n, protection, flags, fd, offset); }
void *mremap(void *old, size_t n, size_t m, int flags, ...) {
  va_list list;
  va_start(list, flags);
  void *to = flags & MREMAP_FIXED ? va_arg(list, void *) : NULL;
  va_end(list);
  return fails("mremap", ENOMEM) ? MAP_FAILED : REAL(mremap)(old, n, m, flags, to);
}

static int mode_of(int flags, va_list list) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0; }
int open(const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = mode_of(flags, list);
  va_end(list);
  return fails("open", EIO) || (flags & (O_CREAT | O_TRUNC) && changes(EIO)) ? -1 : REAL(open)(name, flags, mode);
}
int openat(int folder, const char *name, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = mode_of(flags, list);
  va_end(list);
  return fails("open", EIO) || (flags & (O_CREAT | O_TRUNC) && changes(EIO)) ? -1 : REAL(openat)(folder, name, flags, mode);
}
FILE *fopen(const char *name, const char *how) { return fails("open", EIO) ? NULL : REAL(fopen)(name, how); }
FILE *tmpfile(void) { return fails("open", EIO) ? NULL : REAL(tmpfile)(); }

ssize_t read(int fd, void *to, size_t n) { return fails("read", EIO) ? -1 : REAL(read)(fd, to, n); }
ssize_t pread(int fd, void *to, size_t n, off_t at) { return fails("read", EIO) ? -1 : REAL(pread)(fd, to, n, at); }
ssize_t __read_chk(int fd, void *to, size_t n, size_t room) { return n > room || fails("read", EIO) ? -1 : REAL(read)(fd, to, n); }
ssize_t __pread_chk(int fd, void *to, size_t n, off_t at, size_t room) { return n > room || fails("read", EIO) ? -1 : REAL(pread)(fd, to, n, at); }
ssize_t write(int fd, const void *data, size_t n) {
  if (fails("write", ENOSPC) || changes(ENOSPC)) return -1;
  power_write(fd, -1, n);
  return REAL(write)(fd, data, n);
}
ssize_t pwrite(int fd, const void *data, size_t n, off_t at) {
  if (fails("write", ENOSPC) || changes(ENOSPC)) return -1;
  power_write(fd, at, n);
  return REAL(pwrite)(fd, data, n, at);
}
static int synced(int bad, int fd) {
  if (!bad) power_sync(fd);
  return bad;
}
int fsync(int fd) { return fails("fsync", EIO) ? -1 : synced(REAL(fsync)(fd), fd); }
int fdatasync(int fd) { return fails("fsync", EIO) ? -1 : synced(REAL(fdatasync)(fd), fd); }
int rename(const char *a, const char *b) { return fails("rename", EIO) || changes(EIO) ? -1 : REAL(rename)(a, b); }
int renameat(int in, const char *a, int to, const char *b) { return fails("rename", EIO) || changes(EIO) ? -1 : REAL(renameat)(in, a, to, b); }
int ftruncate(int fd, off_t n) {
  if (fails("ftruncate", EIO) || changes(EIO)) return -1;
  power_cut_short(fd, n);
  return REAL(ftruncate)(fd, n);
}
int fallocate(int fd, int how, off_t at, off_t n) { return changes(ENOSPC) ? -1 : REAL(fallocate)(fd, how, at, n); }
int mkdir(const char *name, mode_t mode) { return changes(EIO) ? -1 : REAL(mkdir)(name, mode); }
int mkdirat(int folder, const char *name, mode_t mode) { return changes(EIO) ? -1 : REAL(mkdirat)(folder, name, mode); }
int unlink(const char *name) { return changes(EIO) ? -1 : REAL(unlink)(name); }
int unlinkat(int folder, const char *name, int flags) { return changes(EIO) ? -1 : REAL(unlinkat)(folder, name, flags); }
int rmdir(const char *name) { return changes(EIO) ? -1 : REAL(rmdir)(name); }
int fclose(FILE *f) {
  int bad = fails("close", ENOSPC), why = errno;
  int closed = REAL(fclose)(f);
  if (bad) errno = why;
  return bad ? EOF : closed;
}
size_t fread(void *to, size_t size, size_t n, FILE *f) {
  if (!fails("read", EIO)) return REAL(fread)(to, size, n, f);
  f->_flags |= 0x20; /* the stream's mark of an error: what ferror tells */
  return 0;
}

int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *how, char *const *argv, char *const *env) {
  return fails("spawn", EAGAIN) ? errno : REAL(posix_spawnp)(child, file, actions, how, argv, env);
}
pid_t fork(void) { return fails("fork", EAGAIN) ? -1 : REAL(fork)(); }
void *dlopen(const char *name, int how) { return fails("dlopen", ENOMEM) ? NULL : REAL(dlopen)(name, how); }
int pthread_create(pthread_t *t, const pthread_attr_t *how, void *(*run)(void *), void *context) {
  int bad = fails("thread", EAGAIN) ? errno : REAL(pthread_create)(t, how, run, context);
  watched += !bad;
  return bad;
}

int pthread_join(pthread_t t, void **result) {
  int bad = REAL(pthread_join)(t, result);
  watched -= !bad;
  return bad;
}

/* FAULT_CLOCK: the clock on the wall jumps by a day with every look at it, back and forth. FAULT_KIND=clock: the other one jumps once. */
int clock_gettime(clockid_t which, struct timespec *out) {
  static int jumps = -1, forth, later;
  if (jumps < 0) jumps = getenv("FAULT_CLOCK") != NULL;
  int bad = REAL(clock_gettime)(which, out);
  if (!bad && which == CLOCK_MONOTONIC) {
    if (fails("clock", EINVAL)) later = 1;
    out->tv_sec += later ? 86400 : 0;
  }
  if (!bad && jumps && which == CLOCK_REALTIME) out->tv_sec += (forth = !forth) ? 86400 : -86400;
  return bad;
}
