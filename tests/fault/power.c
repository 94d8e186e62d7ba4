/* power.c -- see power.h. Calls the system itself: functions of libc are those of inject.c. */
#define _GNU_SOURCE
#include "power.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

struct before { /* one write */
  struct before *earlier;
  dev_t device;
  ino_t inode;
  int fd;         /* our own */
  off_t at, size; /* of the file before it */
  size_t length, had;
  int cut;        /* the file became shorter: what had stood there are the bytes from `at` on */
  char old[];
};

static struct before *last;
static int watching;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void power_watch(void) { watching = 1; }

static void note(int fd, off_t at, size_t n, int cut) {
  struct stat s;
  char name[40];
  if (!watching || fstat(fd, &s) || !S_ISREG(s.st_mode)) return;
  if (at < 0) at = lseek(fd, 0, SEEK_CUR);
  size_t had = at >= s.st_size ? 0 : (size_t)(s.st_size - at) < n ? (size_t)(s.st_size - at) : n;
  struct before *b = __libc_malloc(sizeof *b + had);
  if (!b) return;
  *b = (struct before){.device = s.st_dev, .inode = s.st_ino, .at = at, .size = s.st_size, .length = n, .had = had, .cut = cut};
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd); /* the file may have been opened for writing alone */
  b->fd = (int)syscall(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0);
  if (had && syscall(SYS_pread64, b->fd, b->old, had, at) != (long)had) b->had = 0;
  pthread_mutex_lock(&mutex);
  b->earlier = last;
  last = b;
  pthread_mutex_unlock(&mutex);
}

void power_write(int fd, off_t at, size_t n) { note(fd, at, n, 0); }

void power_cut_short(int fd, off_t n) {
  struct stat s;
  if (watching && fstat(fd, &s) == 0 && n < s.st_size) note(fd, n, (size_t)(s.st_size - n), 1);
}

void power_sync(int fd) {
  struct stat s;
  if (!watching || fstat(fd, &s)) return;
  pthread_mutex_lock(&mutex);
  for (struct before **at = &last; *at;) {
    struct before *b = *at;
    if (b->device != s.st_dev || b->inode != s.st_ino) {
      at = &b->earlier;
      continue;
    }
    *at = b->earlier;
    syscall(SYS_close, b->fd);
    __libc_free(b);
  }
  pthread_mutex_unlock(&mutex);
}

/* The latest first, so that the oldest bytes win. */
void power_goes(unsigned long seed) {
  static const char zeros[4096];
  pthread_mutex_lock(&mutex); /* for good */
  int all = seed % 2 == 0;
  for (struct before *b = last; b; b = b->earlier) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    if (!all && seed >> 63) continue;
    syscall(SYS_pwrite64, b->fd, b->old, b->had, b->at);
    for (size_t done = b->had; !b->cut && done < b->length; done += sizeof zeros) syscall(SYS_pwrite64, b->fd, zeros, b->length - done < sizeof zeros ? b->length - done : sizeof zeros, b->at + (off_t)done);
    if (all) syscall(SYS_ftruncate, b->fd, b->size);
  }
}
