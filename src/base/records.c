/* records.c -- see records.h. */
#include "base/records.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 16 << 10, ORDER = 0x01020304, LOCK_TRIES = 50, LOCK_WAIT = 20000000 }; /* nanoseconds */

struct head {
  char magic[RECORDS_MAGIC];
  uint32_t format, order;
  uint64_t nonce, sum;
};
_Static_assert(sizeof(struct head) == RECORDS_HEAD, "the head has no gaps");

struct header {
  uint32_t kind, zero;
  uint64_t length, sum;
};
_Static_assert(sizeof(struct header) == RECORDS_HEADER, "headers have no gaps");

static uint64_t head_sum(const struct head *h) { return XXH64(h, offsetof(struct head, sum), 0); }

static uint64_t seal(uint64_t payload, uint64_t nonce, uint64_t start, uint32_t kind, uint64_t length) {
  uint64_t about[4] = {nonce, start, kind, length};
  return XXH64(about, sizeof about, payload);
}

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

static int cannot(const struct records *r, const char *what, struct err *e) { return err_io(e, r->name, "%s: %s", what, strerror(errno)); }

static int open_buffers(struct records *r, const char *name, int beside, struct mem *mem, struct err *e) {
  *r = (struct records){.mem = mem, .fd = -1};
  size_t length = strlen(name);
  r->name = mem_strndup(mem, MEM_OTHER, name, length);
  r->buffer = mem_alloc(mem, MEM_OTHER, BUFFER);
  if (beside && (r->beside = mem_alloc(mem, MEM_OTHER, length + 8))) sprintf(r->beside, "%s.new", name);
  return r->name && r->buffer && (!beside || r->beside) ? 0 : err_memory(e, "a checkpoint");
}

/* A run that was killed may leave its lock for a moment to a process that it was about to start: that has all its files until it becomes another program. */
int records_lock(int fd) {
  for (int tries = 0; flock(fd, LOCK_EX | LOCK_NB); tries++) {
    if (errno != EWOULDBLOCK) return 0;
    if (tries == LOCK_TRIES) return -1;
    nanosleep(&(struct timespec){.tv_nsec = LOCK_WAIT}, NULL);
  }
  return 0;
}

static int lock(struct records *r, struct err *e) { return records_lock(r->fd) ? err_io(e, r->name, "another run is writing this checkpoint") : 0; }

/* Nothing that somebody else made is written over. */
static int may_replace(struct records *r, const char *magic, struct err *e) {
  char there[RECORDS_MAGIC];
  struct stat info;
  int fd = open(r->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0 && errno == ENOENT) return 0;
  if (fd < 0) return cannot(r, "cannot be written", e);
  ssize_t got = fstat(fd, &info) || !S_ISREG(info.st_mode) ? 1 : read(fd, there, sizeof there);
  close(fd);
  if (got == 0 || (got == sizeof there && memcmp(there, magic, sizeof there) == 0)) return 0;
  err_io(e, r->name, "is there and is no checkpoint: it is not written over");
  return -1;
}

static int make_beside(struct records *r, struct err *e) {
  r->fd = open(r->beside, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (r->fd < 0) return cannot(r, "cannot be written", e);
  if (lock(r, e)) {
    close(r->fd);
    r->fd = -1;
    return -1;
  }
  return ftruncate(r->fd, 0) ? cannot(r, "cannot be written", e) : 0;
}

int records_create(struct records *r, const char *name, const char *magic, uint32_t format, struct mem *mem, struct err *e) {
  if (open_buffers(r, name, 1, mem, e) || may_replace(r, magic, e) || make_beside(r, e)) {
    records_close(r);
    return -1;
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  r->nonce = hash_pair((uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec, (uint64_t)getpid());
  struct head h = {.format = format, .order = ORDER, .nonce = r->nonce};
  memcpy(h.magic, magic, sizeof h.magic);
  h.sum = head_sum(&h);
  memcpy(r->buffer, &h, sizeof h);
  r->used = sizeof h;
  return 0;
}

static int read_head(struct records *r, const char *magic, uint32_t format, struct err *e) {
  struct head h = {.format = 0};
  struct stat info;
  if (fstat(r->fd, &info) == 0 && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return cannot(r, "cannot be read", e);
  }
  ssize_t got = pread(r->fd, &h, sizeof h, 0);
  if (got < 0) return cannot(r, "cannot be read", e);
  if ((size_t)got < sizeof h.magic || memcmp(h.magic, magic, sizeof h.magic) != 0) return err_io(e, r->name, "this is no checkpoint");
  if ((size_t)got < sizeof h) return err_io(e, r->name, "the checkpoint is damaged: it ends within its head");
  if (h.order != ORDER && h.sum != head_sum(&h)) return err_io(e, r->name, "the checkpoint is damaged: its head was changed");
  if (h.order != ORDER) return err_io(e, r->name, "the checkpoint was written on a machine with another order of bytes");
  if (h.sum != head_sum(&h)) return err_io(e, r->name, "the checkpoint is damaged: its head was changed");
  if (h.format > format) return err_io(e, r->name, "the checkpoint has format %u: a newer version of Thimble wrote it, this one knows format %u", h.format, format);
  if (h.format < format) return err_io(e, r->name, "the checkpoint has format %u: an earlier version of Thimble wrote it, this one knows format %u", h.format, format);
  r->nonce = h.nonce;
  return 0;
}

int records_open(struct records *r, const char *name, const char *magic, uint32_t format, int locked, struct mem *mem, struct err *e) {
  if (open_buffers(r, name, 0, mem, e)) {
    records_close(r);
    return -1;
  }
  r->fd = open(name, (locked ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (r->fd < 0 && locked && (errno == EACCES || errno == EROFS)) r->fd = open(name, O_RDONLY | O_CLOEXEC); /* to be read at least */
  int bad = r->fd < 0 ? cannot(r, "cannot be opened", e) : read_head(r, magic, format, e);
  if (!bad && locked) bad = lock(r, e);
  if (bad) records_close(r);
  return bad;
}

int records_is(const char *name, uint64_t nonce) {
  struct head h;
  int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return 0;
  ssize_t got = pread(fd, &h, sizeof h, 0);
  close(fd);
  return got == sizeof h && h.order == ORDER && h.sum == head_sum(&h) && h.nonce == nonce;
}

int records_append(struct records *r, uint64_t end, struct err *e) {
  int flags = fcntl(r->fd, F_GETFL);
  if (flags < 0 || (flags & O_ACCMODE) != O_RDWR) return err_io(e, r->name, "cannot be written");
  if (ftruncate(r->fd, (off_t)end)) return cannot(r, "cannot be written", e);
  r->flushed = end;
  r->used = 0;
  r->failed = 0;
  return 0;
}

static int write_all(int fd, const void *data, size_t bytes, uint64_t at) {
  for (size_t done = 0; done < bytes;) {
    ssize_t n = pwrite(fd, (const uint8_t *)data + done, bytes - done, (off_t)(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n ? errno : ENOSPC;
    done += (size_t)n;
  }
  return 0;
}

int records_copy(struct records *r, const char *name, struct records *from, uint64_t end, struct err *e) {
  struct head h;
  ssize_t got = pread(from->fd, &h, sizeof h, 0);
  if (got != sizeof h || open_buffers(r, name, 1, from->mem, e) || may_replace(r, h.magic, e) || make_beside(r, e)) {
    if (got != sizeof h) err_io(e, from->name, "cannot be read");
    records_close(r);
    return -1;
  }
  r->nonce = from->nonce;
  for (uint64_t at = 0; at < end && !r->failed; at += (uint64_t)got) {
    got = pread(from->fd, r->buffer, end - at < BUFFER ? (size_t)(end - at) : BUFFER, (off_t)at);
    r->failed = got <= 0 ? EIO : write_all(r->fd, r->buffer, (size_t)got, at);
  }
  r->flushed = end;
  if (!r->failed) return 0;
  errno = r->failed;
  cannot(r, "cannot be written", e);
  records_close(r);
  return -1;
}

void records_close(struct records *r) {
  if (!r->mem) return;
  if (r->fd >= 0) {
    if (r->beside) unlink(r->beside);
    close(r->fd);
  }
  mem_free(r->mem, r->name);
  mem_free(r->mem, r->beside);
  mem_free(r->mem, r->buffer);
  *r = (struct records){.fd = -1};
}

void records_remove(struct records *r) {
  if (r->mem && r->fd >= 0 && (!r->beside || r->own)) unlink(r->name);
  records_close(r);
}

/* ---- writing -------------------------------------------------------------------------------------------------------------- */

static void flush(struct records *r) {
  if (!r->failed && r->used) r->failed = write_all(r->fd, r->buffer, r->used, r->flushed);
  r->flushed += r->used;
  r->used = 0;
}

static void append(struct records *r, const void *data, size_t bytes) {
  const uint8_t *from = data;
  while (bytes && !r->failed) {
    if (r->used == BUFFER) flush(r);
    size_t n = bytes < BUFFER - r->used ? bytes : BUFFER - r->used;
    memcpy(r->buffer + r->used, from, n);
    r->used += n;
    from += n;
    bytes -= n;
  }
}

void records_begin(struct records *r, uint32_t kind) {
  static const struct header empty;
  r->kind = kind;
  r->start = records_at(r);
  r->length = 0;
  XXH64_reset(&r->sum, 0);
  append(r, &empty, sizeof empty);
}

void records_put(struct records *r, const void *data, size_t bytes) {
  if (!bytes) return;
  append(r, data, bytes);
  XXH64_update(&r->sum, data, bytes);
  r->length += bytes;
}

void records_put_number(struct records *r, uint64_t n) { records_put(r, &n, sizeof n); }
void records_put_real(struct records *r, double x) { records_put(r, &x, sizeof x); }

void records_put_text(struct records *r, const char *text) {
  records_put_number(r, text ? strlen(text) : UINT64_MAX);
  if (text) records_put(r, text, strlen(text));
}

/* Zeros stood in its place until now: a header of kind 0, which is none. */
void records_end(struct records *r) {
  struct header h = {.kind = r->kind, .length = r->length, .sum = seal(XXH64_digest(&r->sum), r->nonce, r->start, r->kind, r->length)};
  if (r->failed) return;
  if (r->start < r->flushed) {
    flush(r);
    if (!r->failed) r->failed = write_all(r->fd, &h, sizeof h, r->start);
  } else memcpy(r->buffer + (r->start - r->flushed), &h, sizeof h);
}

/* The name of a file is on the disk when its folder is. */
static void sync_folder(const char *name) {
  char folder[4096];
  if (snprintf(folder, sizeof folder, "%s", name) >= (int)sizeof folder) return;
  int fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

/* The file comes to its name. One that is there is a checkpoint (may_replace) of another run, perhaps of days: it is kept. */
static int put_in_place(struct records *r) {
  struct stat there;
  if (!r->own && stat(r->name, &there) == 0 && there.st_size) {
    char second[4096];
    if (snprintf(second, sizeof second, "%s~", r->name) < (int)sizeof second) rename(r->name, second);
  }
  if (rename(r->beside, r->name)) return errno;
  sync_folder(r->name);
  mem_free(r->mem, r->beside);
  r->beside = NULL;
  return 0;
}

int records_flush(struct records *r) {
  flush(r);
  return r->failed ? -1 : 0;
}

int records_commit(struct records *r) {
  flush(r);
  if (!r->failed && fdatasync(r->fd) && errno != EINVAL) r->failed = errno; /* EINVAL: nothing that could be lost */
  if (!r->failed && r->beside) r->failed = put_in_place(r);
  return r->failed ? -1 : 0;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------- */

/* Bytes from `at` on, by way of the buffer; how many there are. */
static size_t read_at(struct records *r, uint64_t at, void *out, size_t bytes) {
  size_t done = 0;
  while (done < bytes) {
    if (at < r->buffered || at >= r->buffered + r->used) {
      ssize_t n = pread(r->fd, r->buffer, BUFFER, (off_t)at);
      if (n < 0 && errno == EINTR) continue;
      r->buffered = at;
      r->used = n > 0 ? (size_t)n : 0;
      if (n <= 0) break;
    }
    size_t in = (size_t)(at - r->buffered), n = r->used - in < bytes - done ? r->used - in : bytes - done;
    memcpy((uint8_t *)out + done, r->buffer + in, n);
    done += n;
    at += n;
  }
  return done;
}

int records_look(struct records *r, uint64_t at, uint32_t *kind) {
  struct header h;
  uint8_t some[512];
  struct stat info;
  if (read_at(r, at, &h, sizeof h) < sizeof h || !h.kind || h.zero || fstat(r->fd, &info) || h.length > (uint64_t)info.st_size) return 0;
  XXH64_reset(&r->sum, 0);
  for (uint64_t done = 0; done < h.length;) {
    size_t want = h.length - done < sizeof some ? (size_t)(h.length - done) : sizeof some;
    if (read_at(r, at + sizeof h + done, some, want) < want) return 0;
    XXH64_update(&r->sum, some, want);
    done += want;
  }
  if (seal(XXH64_digest(&r->sum), r->nonce, at, h.kind, h.length) != h.sum) return 0;
  *kind = r->kind = h.kind;
  r->start = at;
  r->length = r->left = h.length;
  r->failed = 0;
  return 1;
}

int records_anywhere(struct records *r, uint64_t at, uint32_t kind) {
  uint32_t word, found;
  for (; read_at(r, at, &word, sizeof word) == sizeof word; at++)
    if (word == kind && records_look(r, at, &found)) return 1;
  return 0;
}

void records_get(struct records *r, void *data, size_t bytes) {
  if (bytes > r->left || read_at(r, r->start + RECORDS_HEADER + (r->length - r->left), data, bytes) < bytes) {
    memset(data, 0, bytes);
    r->failed = EINVAL;
    r->left = 0;
    return;
  }
  r->left -= bytes;
}

uint64_t records_get_number(struct records *r) {
  uint64_t n;
  records_get(r, &n, sizeof n);
  return n;
}

double records_get_real(struct records *r) {
  double x;
  records_get(r, &x, sizeof x);
  return x >= 0 && x < 1e18 ? x : 0; /* times: whatever stands there is one */
}

char *records_get_text(struct records *r, size_t most, struct mem *mem) {
  uint64_t length = records_get_number(r);
  if (r->failed || length == UINT64_MAX) return NULL;
  char *text = length <= most && length <= r->left ? mem_alloc(mem, MEM_OTHER, (size_t)length + 1) : NULL;
  if (!text) {
    r->failed = EINVAL;
    return NULL;
  }
  records_get(r, text, (size_t)length);
  text[length] = 0;
  return text;
}

int records_get_same(struct records *r, const char *text) {
  uint64_t length = records_get_number(r);
  int same = length == strlen(text);
  char c;
  if (length > r->left) r->failed = EINVAL;
  for (uint64_t i = 0; i < length && !r->failed; i++) {
    records_get(r, &c, 1);
    if (same && c != text[i]) same = 0;
  }
  return same && !r->failed;
}
