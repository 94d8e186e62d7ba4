/* outfile.c -- see outfile.h. */
#include "cli/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int cannot(const char *name, struct err *e) { return err_io(e, name, "cannot be written: %s", strerror(errno)); }

/* Those that are being written, for outfile_forget_all, which another thread may call. */
static struct outfile *written;
static pthread_mutex_t listed = PTHREAD_MUTEX_INITIALIZER;

static void enter(struct outfile *o) {
  pthread_mutex_lock(&listed);
  o->next = written;
  written = o;
  pthread_mutex_unlock(&listed);
}

static void leave(struct outfile *o) {
  pthread_mutex_lock(&listed);
  struct outfile **at = &written;
  while (*at && *at != o) at = &(*at)->next;
  if (*at) *at = o->next;
  pthread_mutex_unlock(&listed);
}

void outfile_forget_all(void) {
  pthread_mutex_lock(&listed);
  for (struct outfile *o = written; o; o = o->next)
    if (o->temporary[0]) unlink(o->temporary);
  written = NULL;
  pthread_mutex_unlock(&listed);
}

/* A new file next to the target; -1 when the folder does not take one. */
static int temporary(struct outfile *o, mode_t mode) {
  for (int i = 0; i < 100; i++) {
    snprintf(o->temporary, sizeof o->temporary, "%s.%ld-%d.tmp", o->target, (long)getpid(), i);
    int fd = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
  }
  return -1;
}

int outfile_open(struct outfile *o, const char *name, struct err *e) { return outfile_open_as(o, name, 0, e); }

int outfile_open_as(struct outfile *o, const char *name, int own, struct err *e) {
  memset(o, 0, sizeof *o);
  o->name = name;
  if (strcmp(name, "-") == 0) {
    o->stream = stdout;
    return 0;
  }
  struct stat there;
  int exists = (own ? lstat(name, &there) : stat(name, &there)) == 0, fd = -1, no_file = 0;
  if (exists && S_ISDIR(there.st_mode)) {
    errno = EISDIR;
    return cannot(name, e);
  }
  if (own && exists && !S_ISREG(there.st_mode)) no_file = 1, exists = 0;
  char *real = exists ? realpath(name, NULL) : NULL;
  size_t length = strlen(real ? real : name);
  if (length < sizeof o->target) memcpy(o->target, real ? real : name, length + 1);
  free(real);
  if (length < sizeof o->target && (!exists || (S_ISREG(there.st_mode) && access(name, W_OK) == 0)))
    fd = temporary(o, exists ? there.st_mode & 0777 : 0666);
  if (fd < 0 && !no_file) {
    o->temporary[0] = 0;
    fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (own ? O_NOFOLLOW : 0), 0666);
  }
  if (fd < 0) return cannot(name, e);
  o->stream = fdopen(fd, "w");
  if (o->stream) {
    enter(o);
    return 0;
  }
  close(fd);
  if (o->temporary[0]) unlink(o->temporary);
  return cannot(name, e);
}

int outfile_close(struct outfile *o, int keep, struct err *e) {
  if (!o->stream) return 0;
  leave(o);
  int bad = ferror(o->stream) || fflush(o->stream), why = errno;
  if (o->stream != stdout && fclose(o->stream) && !bad) bad = 1, why = errno;
  o->stream = NULL;
  if (!bad && keep && o->temporary[0] && rename(o->temporary, o->target)) bad = 1, why = errno;
  if (o->temporary[0] && (bad || !keep)) unlink(o->temporary);
  if (!bad || !keep) return 0;
  errno = why;
  return cannot(strcmp(o->name, "-") ? o->name : "standard output", e);
}
