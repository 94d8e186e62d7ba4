/* disk_files.c -- see disk_files.h. */
#define _GNU_SOURCE
#include "store/disk_files.h"

#include "base/records.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct disk_files {
  struct mem *mem;
  struct disk_trial trial;
  int dir, folder, lock;
  char name[64], path[512]; /* of the folder; for people */
  size_t block;
  unsigned next;            /* number of the next file */
  unsigned held;            /* files with smaller numbers are named by a checkpoint; 0 = there is none */
  uint64_t gone;            /* bytes of those among them that the run has removed */
  uint64_t limit;
  _Atomic uint64_t used, peak, written, read, writes, reads;
  _Atomic int failed, full; /* full: for lack of room */
  pthread_mutex_t mutex; /* for `problem` */
  char problem[240];
};

enum { BLOCK = 4 << 10, BLOCK_SMALL = 2 << 10 };

static const char prefix[] = "thimble-", lock_name[] = "lock", keeper_name[] = "checkpoint";

int disk_files_failed(const struct disk_files *f) { return atomic_load(&((struct disk_files *)(uintptr_t)f)->failed); }

size_t disk_files_block(const struct disk_files *f) { return f->block; }

const char *disk_files_path(const struct disk_files *f) { return f->path; }

const struct disk_trial *disk_files_trial(const struct disk_files *f) { return &f->trial; }

int disk_files_problem(struct disk_files *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  pthread_mutex_lock(&f->mutex);
  if (!f->problem[0]) vsnprintf(f->problem, sizeof f->problem, format, args);
  pthread_mutex_unlock(&f->mutex);
  va_end(args);
  atomic_store(&f->failed, 1);
  return -1;
}

void disk_files_figures(const struct disk_files *given, struct store_files *out) {
  struct disk_files *f = (struct disk_files *)(uintptr_t)given;
  out->used = 1;
  out->written = f->written;
  out->read = f->read;
  out->bytes = f->used;
  out->peak = f->peak;
  out->full = atomic_load(&f->full);
  pthread_mutex_lock(&f->mutex);
  memcpy(out->problem, f->problem, sizeof out->problem);
  pthread_mutex_unlock(&f->mutex);
}

uint64_t disk_files_room(const struct disk_files *given) {
  struct disk_files *f = (struct disk_files *)(uintptr_t)given;
  struct statvfs v;
  uint64_t used = f->used, room = f->limit > used ? f->limit - used : 0;
  uint64_t free = fstatvfs(f->folder, &v) == 0 ? (uint64_t)v.f_bavail * v.f_frsize : UINT64_MAX;
  return room < free ? room : free;
}

/* ---- folders ---------------------------------------------------------------------------------------------- */

static int is_number(const char *name) { return *name && name[strspn(name, "0123456789")] == 0; }

/* Is it called as the folders of runs are, thimble-PID-N? People have folders, too. */
static int is_folder(const char *name) {
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return 0;
  const char *pid = name + sizeof prefix - 1;
  size_t digits = strspn(pid, "0123456789");
  return digits && pid[digits] == '-' && is_number(pid + digits + 1);
}

/* Only what a run may have put there: "lock", "checkpoint", or a number. */
static int is_ours(void *context, const char *name) {
  (void)context;
  return strcmp(name, lock_name) == 0 || strncmp(name, keeper_name, sizeof keeper_name - 1) == 0 || is_number(name);
}

/* Removes the files that `goes` says. */
static void remove_files(int folder, int (*goes)(void *context, const char *name), void *context) {
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = copy < 0 ? NULL : fdopendir(copy);
  for (struct dirent *d; list && (d = readdir(list));)
    if (goes(context, d->d_name)) unlinkat(folder, d->d_name, 0);
  if (list) closedir(list);
  else if (copy >= 0) close(copy);
}

/* Empties and removes a folder. Files that are no files of ours stay, and the folder with them. */
static void remove_folder(int dir, const char *name, int folder) {
  remove_files(folder, is_ours, NULL);
  unlinkat(dir, name, AT_REMOVEDIR);
}

/* The checkpoint that a folder belongs to, as "nonce path". 0, or -1: none. */
static int read_keeper(int folder, uint64_t *nonce, char *path, size_t room) {
  char text[4200];
  int fd = openat(folder, keeper_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (got <= 17) return -1;
  text[got] = 0;
  char *end;
  *nonce = strtoull(text, &end, 16);
  size_t length = strcspn(end, "\n");
  if (*end != ' ' || length - 1 >= room || end[length] != '\n') return -1;
  memcpy(path, end + 1, length - 1);
  path[length - 1] = 0;
  return 0;
}

/* Does the folder belong to a checkpoint that is still there? Under its name, or under the one that it has when another took its place. */
static int is_kept(int folder) {
  char path[4200], second[4210];
  uint64_t nonce;
  if (read_keeper(folder, &nonce, path, sizeof path)) return 0;
  snprintf(second, sizeof second, "%s~", path);
  return records_is(path, nonce) || records_is(second, nonce);
}

/* A folder of a run that no longer lives is removed. */
static void tidy_one(int dir, const char *name) {
  struct stat s;
  int folder = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  if (fstat(folder, &s) == 0 && s.st_uid == geteuid()) {
    int lock = openat(folder, lock_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    /* without a lock nobody lives there: it is made before the folder can be seen by others, see below */
    int dead = lock < 0 ? errno == ENOENT : flock(lock, LOCK_EX | LOCK_NB) == 0;
    if (dead && !is_kept(folder)) remove_folder(dir, name, folder);
    if (lock >= 0) close(lock);
  }
  close(folder);
}

static void tidy(int dir) {
  int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *list = copy < 0 ? NULL : fdopendir(copy);
  for (struct dirent *d; list && (d = readdir(list));)
    if (is_folder(d->d_name)) tidy_one(dir, d->d_name);
  if (list) closedir(list);
  else if (copy >= 0) close(copy);
}

/* A folder that cannot be used is the user's to change; a machine that fails is not. */
static int cannot(struct err *e, const char *dir, const char *what) {
  int broken = errno == EIO || errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOSPC || errno == EDQUOT;
  if (broken) return err_io(e, dir, "%s%s", what, strerror(errno));
  return err_usage(e, "--disk %s: %s%s", dir, what, strerror(errno));
}

/* The user's folder, and the right to change what lies in it until it is closed: whoever makes or removes a folder of a run holds its lock (where the file system has none, luck must do). */
static int open_dir(const char *dir, struct err *e) {
  if (mkdir(dir, 0777) && errno != EEXIST) return cannot(e, dir, "the folder cannot be made: ");
  int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return cannot(e, dir, "");
  if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS)) {
    err_usage(e, "--disk %s: files cannot be written there: %s", dir, strerror(errno));
    close(fd);
    return -1;
  }
  while (flock(fd, LOCK_EX) && errno == EINTR) {}
  return fd;
}

int disk_files_tidy(const char *dir, struct err *e) {
  int fd = open_dir(dir, e);
  if (fd < 0) return -1;
  tidy(fd);
  close(fd);
  return 0;
}

/* The folder of this run, with its lock. */
static int make_folder(struct disk_files *f) {
  for (unsigned n = 0; n < 1000; n++) {
    snprintf(f->name, sizeof f->name, "%s%ld-%u", prefix, (long)getpid(), n);
    if (mkdirat(f->dir, f->name, 0700) == 0) break;
    if (errno != EEXIST) return -1;
  }
  f->folder = openat(f->dir, f->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (f->folder < 0) return -1;
  f->lock = openat(f->folder, lock_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0 ? 0 : -1;
}

/* `block` 0: as the budget of the run that makes the folder says. */
static struct disk_files *new_files(const struct store_options *o, size_t block, struct mem *mem) {
  struct disk_files *f = mem_alloc(mem, MEM_STORE, sizeof *f);
  if (!f) return NULL;
  f->mem = mem;
  f->dir = f->folder = f->lock = -1;
  f->next = 1;
  f->limit = o && o->disk_bytes ? o->disk_bytes : UINT64_MAX;
  if (o && o->trial) f->trial = *o->trial;
  f->block = block ? block : disk_share(mem, BLOCK_SMALL, BLOCK);
  pthread_mutex_init(&f->mutex, NULL);
  return f;
}

int disk_files_open(struct disk_files **out, const struct store_options *o, struct mem *mem, struct err *e) {
  if (!o || !o->disk) return err_usage(e, "the store disk needs a folder for its files: --disk DIR");
  struct disk_files *f = new_files(o, 0, mem);
  if (!f) return err_memory(e, "files of states");
  f->dir = open_dir(o->disk, e);
  int bad = f->dir < 0;
  if (!bad) {
    tidy(f->dir);
    if (make_folder(f)) bad = cannot(e, o->disk, "no folder for temporary files: ");
    flock(f->dir, LOCK_UN);
  }
  snprintf(f->path, sizeof f->path, "%.400s/%s", o->disk, f->name);
  if (bad) {
    disk_files_close(f);
    return -1;
  }
  *out = f;
  return 0;
}

/* Files that were made since the last moment that was sealed. */
static int is_younger(void *context, const char *name) { return is_number(name) && strtoul(name, NULL, 10) >= ((struct disk_files *)context)->held; }

void disk_files_close(struct disk_files *f) {
  if (!f) return;
  if (f->folder >= 0) {
    if (f->held) remove_files(f->folder, is_younger, f);
    else remove_folder(f->dir, f->name, f->folder);
    close(f->folder);
  }
  if (f->lock >= 0) close(f->lock);
  if (f->dir >= 0) close(f->dir);
  pthread_mutex_destroy(&f->mutex);
  mem_free(f->mem, f);
}

/* ---- files ------------------------------------------------------------------------------------------------ */

/* There is no room for more. */
static void full(struct disk_files *f) {
  if (!disk_files_failed(f)) atomic_store(&f->full, 1);
}

static int no_room(int error) { return error == ENOSPC || error == EDQUOT; }

static int disk_is_full(struct disk_files *f) {
  char size[TEXT_ROOM];
  full(f);
  return disk_files_problem(f, "the disk is full (%s; %s are in use there)", f->path, text_size(size, f->used));
}

int disk_file_create(struct disk_files *f, struct disk_file *out) {
  char name[32];
  *out = (struct disk_file){.fd = -1, .number = f->next++};
  if (disk_files_failed(f)) return -1;
  snprintf(name, sizeof name, "%u", out->number);
  out->fd = openat(f->folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (out->fd >= 0) return 0;
  int error = errno;
  if (no_room(error)) return disk_is_full(f);
  if (error == ENOENT) return disk_files_problem(f, "the folder %s is gone", f->path);
  if (error == EMFILE) return disk_files_problem(f, "no file can be made in %s: this process may have no more of them open (ulimit -n)", f->path);
  return disk_files_problem(f, "no file can be made in %s: %s", f->path, strerror(error));
}

static int write_failed(struct disk_files *f, int error) {
  if (no_room(error)) return disk_is_full(f);
  return disk_files_problem(f, "a file in %s cannot be written: %s", f->path, strerror(error));
}

int disk_file_append(struct disk_files *f, struct disk_file *file, const void *data, size_t bytes) {
  char size[TEXT_ROOM];
  if (disk_files_failed(f)) return -1;
  uint64_t turn = atomic_fetch_add(&f->writes, 1) + 1, used = atomic_fetch_add(&f->used, bytes) + bytes;
  if (used > f->limit) {
    atomic_fetch_sub(&f->used, bytes);
    full(f);
    return disk_files_problem(f, "the files in %s would become larger than the %s that --disk allows", f->path, text_size(size, f->limit));
  }
  if (used > f->peak) f->peak = used;
  size_t done = 0;
  int error = turn == f->trial.fail_at ? f->trial.fail_with : 0;
  while (done < bytes && !error) {
    ssize_t n = pwrite(file->fd, (const char *)data + done, bytes - done, (off_t)(file->size + done));
    if (n > 0) done += (size_t)n;
    else if (n < 0 && errno != EINTR) error = errno;
    else if (n == 0) error = EIO;
  }
  if (error) {
    atomic_fetch_sub(&f->used, bytes);
    return write_failed(f, error);
  }
  if (turn == f->trial.damage_at) {
    char changed = (char)(((const char *)data)[bytes / 2] ^ 4);
    if (pwrite(file->fd, &changed, 1, (off_t)(file->size + bytes / 2)) != 1) return write_failed(f, errno);
  }
  file->size += bytes;
  file->synced = 0;
  f->written += bytes;
  return 0;
}

int disk_file_read(struct disk_files *f, const struct disk_file *file, uint64_t at, void *data, size_t bytes) {
  if (disk_files_failed(f)) return -1;
  size_t done = 0;
  int error = atomic_fetch_add(&f->reads, 1) + 1 == f->trial.read_fails_at ? EIO : 0;
  while (done < bytes && !error) {
    ssize_t n = pread(file->fd, (char *)data + done, bytes - done, (off_t)(at + done));
    if (n > 0) done += (size_t)n;
    else if (n == 0) return disk_files_problem(f, "file %u in %s is shorter than what was written", file->number, f->path);
    else if (errno != EINTR) error = errno;
  }
  if (error) return disk_files_problem(f, "file %u in %s cannot be read: %s", file->number, f->path, strerror(error));
  f->read += bytes;
  return 0;
}

int disk_file_forget(struct disk_files *f, struct disk_file *file, uint64_t end) {
  end &= ~(uint64_t)4095; /* whole pages */
  if (end <= file->hole) return 0;
  if (fallocate(file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)file->hole, (off_t)(end - file->hole))) return -1;
  atomic_fetch_sub(&f->used, end - file->hole);
  file->hole = end;
  return 0;
}

void disk_file_remove(struct disk_files *f, struct disk_file *file) {
  char name[32];
  if (file->fd <= 0) return;
  snprintf(name, sizeof name, "%u", file->number);
  close(file->fd);
  if (file->number < f->held) f->gone += file->size - file->hole; /* a checkpoint names it */
  else {
    unlinkat(f->folder, name, 0);
    atomic_fetch_sub(&f->used, file->size - file->hole);
  }
  *file = (struct disk_file){0};
}

/* ---- files that outlive the run ----------------------------------------------------------------------------- */

int disk_files_place(const struct disk_files *f, char *out, size_t room) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", f->folder);
  ssize_t length = readlink(link, out, room - 1);
  if (length <= 0 || (size_t)length >= room - 1) return -1;
  out[length] = 0;
  return *out == '/' ? 0 : -1;
}

int disk_files_sync(struct disk_files *f) { return fsync(f->folder) && errno != EINVAL ? write_failed(f, errno) : 0; }

int disk_file_sync(struct disk_files *f, struct disk_file *file) {
  if (file->synced) return 0;
  if (fdatasync(file->fd) && errno != EINVAL) return write_failed(f, errno);
  file->synced = 1;
  return 0;
}

int disk_files_keep(struct disk_files *f, const struct disk_keeper *k) {
  char path[4200], text[4300], beside[sizeof keeper_name + 4];
  uint64_t nonce;
  if (disk_files_failed(f)) return -1;
  if (read_keeper(f->folder, &nonce, path, sizeof path) == 0 && nonce == k->nonce && strcmp(path, k->path) == 0) return 0;
  snprintf(beside, sizeof beside, "%s.new", keeper_name);
  int length = snprintf(text, sizeof text, "%016llx %s\n", (unsigned long long)k->nonce, k->path);
  int fd = openat(f->folder, beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0 && errno == ENOENT) return disk_files_problem(f, "the folder %s is gone", f->path);
  if (fd < 0) return write_failed(f, errno);
  int bad = write(fd, text, (size_t)length) != length || (fdatasync(fd) && errno != EINVAL) || renameat(f->folder, beside, f->folder, keeper_name), error = errno;
  close(fd);
  return bad ? write_failed(f, error) : 0;
}

struct living {
  int (*lives)(void *context, unsigned number);
  void *context;
};

static int is_dead(void *context, const char *name) {
  const struct living *l = context;
  return is_number(name) && !l->lives(l->context, (unsigned)strtoul(name, NULL, 10));
}

void disk_files_hold(struct disk_files *f, int (*lives)(void *, unsigned), void *context) {
  struct living living = {lives, context};
  if (lives) remove_files(f->folder, is_dead, &living);
  if (lives) atomic_fetch_sub(&f->used, f->gone);
  f->held = lives ? f->next : 0;
  f->gone = 0;
}

/* The user's own folder, called as such folders are, that says it belongs to the checkpoint, and nobody lives in. */
static int enter_folder(struct disk_files *f, const char *folder, const struct disk_keeper *k, struct err *e) {
  const char *slash = strrchr(folder, '/');
  char parent[4200], path[4200];
  struct stat s;
  uint64_t nonce;
  size_t length = slash ? (size_t)(slash - folder) : 0;
  if (!length || length >= sizeof parent || !is_folder(slash + 1) || strlen(slash + 1) >= sizeof f->name) return err_io(e, k->path, "the checkpoint is damaged: it names no folder");
  memcpy(parent, folder, length);
  parent[length] = 0;
  strcpy(f->name, slash + 1);
  snprintf(f->path, sizeof f->path, "%.500s", folder);
  f->dir = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (f->dir >= 0) f->folder = openat(f->dir, f->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (f->folder < 0) {
    err_io(e, k->path, "the files of states that the checkpoint names are not there: %.300s: %s", folder, strerror(errno));
    err_hint(e, "--disk DIR, if the folder %s is elsewhere now", f->name);
    return -1;
  }
  while (flock(f->dir, LOCK_EX) && errno == EINTR) {}
  if (fstat(f->folder, &s) || s.st_uid != geteuid()) return err_io(e, k->path, "the folder %.300s belongs to another user", folder);
  f->lock = openat(f->folder, lock_name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (f->lock < 0) return err_io(e, k->path, "the folder %.300s cannot be used: %s", folder, strerror(errno));
  if (records_lock(f->lock)) return err_io(e, k->path, "another run uses the files in %.300s", folder);
  if (read_keeper(f->folder, &nonce, path, sizeof path) || nonce != k->nonce) return err_io(e, k->path, "the files in %.300s are not those of this checkpoint", folder);
  return 0;
}

int disk_files_open_again(struct disk_files **out, const char *folder, const struct store_options *o, const struct disk_keeper *k, size_t block, struct mem *mem, struct err *e) {
  struct disk_files *f = new_files(o, block, mem);
  if (!f) return err_memory(e, "files of states");
  f->held = UINT32_MAX; /* all of them are named, as far as is known */
  int bad = enter_folder(f, folder, k, e);
  if (f->dir >= 0) flock(f->dir, LOCK_UN);
  if (bad) disk_files_close(f);
  else *out = f;
  return bad;
}

int disk_file_open(struct disk_files *f, unsigned number, uint64_t size, uint64_t hole, struct disk_file *out) {
  char name[32];
  struct stat s;
  *out = (struct disk_file){.fd = -1, .number = number};
  if (disk_files_failed(f)) return -1;
  snprintf(name, sizeof name, "%u", number);
  out->fd = openat(f->folder, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (out->fd < 0) return disk_files_problem(f, "file %u in %s cannot be opened: %s", number, f->path, strerror(errno));
  if (fstat(out->fd, &s) || (uint64_t)s.st_size < size) {
    close(out->fd);
    out->fd = -1;
    return disk_files_problem(f, "file %u in %s is shorter than what was written", number, f->path);
  }
  *out = (struct disk_file){.fd = out->fd, .number = number, .size = size, .hole = hole < size ? hole : size, .synced = 1};
  uint64_t used = atomic_fetch_add(&f->used, out->size - out->hole) + out->size - out->hole;
  if (used > f->peak) f->peak = used;
  if (number >= f->next) f->next = number + 1;
  return 0;
}

int disk_file_is_hole(const struct disk_file *file, uint64_t at) { return lseek(file->fd, (off_t)at, SEEK_DATA) > (off_t)at; }

int disk_file_cut(struct disk_files *f, struct disk_file *file) { return ftruncate(file->fd, (off_t)file->size) ? write_failed(f, errno) : 0; }

void disk_files_drop(const char *folder, uint64_t nonce) {
  struct disk_files *f;
  struct mem mem;
  struct err e;
  mem_open(&mem, 0);
  err_clear(&e);
  if (disk_files_open_again(&f, folder, NULL, &(struct disk_keeper){folder, nonce}, 0, &mem, &e)) return;
  f->held = 0;
  disk_files_close(f);
}
