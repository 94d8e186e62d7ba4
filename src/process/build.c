/* build.c -- see build.h.
 *
 * The compiler is $THIMBLE_CC or cc, started without a shell; what it says goes to a file without a name.  An object from the cache is
 * taken only if it and its folder belong to this user and nobody else may write them: whoever can write there could make
 * this process run anything.  And it is taken only if it is whole: behind what the compiler wrote stands the hash of that (readers of
 * objects do not mind what follows).  A file of which a part is missing, after a crash of the machine or on a disk that fails, would be mapped all the same, and
 * end this process, now and each time. */
#define _GNU_SOURCE
#include "process/build.h"

#include "base/clock.h"
#include "base/library.h"
#include "process/generate.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static const char *const flags[] = {"-O2", "-fwrapv", "-fno-strict-aliasing", "-fPIC", "-shared", "-w", "-x", "c", NULL};
enum { FLAGS_MAX = 32 };
#define ONCE_SECONDS 120.0

static const char *compiler(void) {
  const char *cc = getenv("THIMBLE_CC");
  return cc && *cc ? cc : "cc";
}

static void give_up(struct build *b, const char *why) {
  b->state = BUILD_FAILED;
  snprintf(b->why, sizeof b->why, "%s", why);
}

/* ---- the cache ------------------------------------------------------------------------------------------------------- */

/* Ours alone? */
static int private(const char *path, int folder) {
  struct stat s;
  if (lstat(path, &s)) return 0;
  if (folder ? !S_ISDIR(s.st_mode) : !S_ISREG(s.st_mode)) return 0;
  return s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder of the cache, made if need be. 0, or -1: there is none to be had. */
static int cache_folder(char *out, size_t room) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = base && *base == '/' ? snprintf(out, room, "%s", base) : home && *home == '/' ? snprintf(out, room, "%s/.cache", home) : -1;
  if (n < 0 || (size_t)n + 16 >= room) return -1;
  mkdir(out, 0700);
  strcat(out, "/thimble");
  mkdir(out, 0700);
  return private(out, 1) && access(out, R_OK | W_OK | X_OK) == 0 ? 0 : -1;
}

static void name_object(struct build *b, const char *text, size_t length) {
  char folder[400];
  const char *cc = compiler();
  b->cached[0] = 0;
  if (cache_folder(folder, sizeof folder)) return;
  XXH3_state_t *state = XXH3_createState();
  if (!state) return;
  XXH3_128bits_reset(state);
  XXH3_128bits_update(state, text, length);
  XXH3_128bits_update(state, cc, strlen(cc));
  XXH3_128bits_update(state, THIMBLE_VERSION, sizeof THIMBLE_VERSION);
  for (int i = 0; flags[i]; i++) XXH3_128bits_update(state, flags[i], strlen(flags[i]));
  XXH128_hash_t h = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  snprintf(b->cached, sizeof b->cached, "%s/%016llx%016llx.so", folder, (unsigned long long)h.high64, (unsigned long long)h.low64);
}

/* The hash of the first `length` bytes of a file. 0/-1. */
static int hash_file(int fd, off_t length, XXH128_hash_t *out) {
  char piece[1 << 14];
  XXH3_state_t *state = XXH3_createState();
  off_t at = 0;
  if (!state) return -1;
  XXH3_128bits_reset(state);
  while (at < length) {
    size_t wanted = length - at < (off_t)sizeof piece ? (size_t)(length - at) : sizeof piece;
    ssize_t n = pread(fd, piece, wanted, at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    XXH3_128bits_update(state, piece, (size_t)n);
    at += n;
  }
  *out = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return at < length ? -1 : 0;
}

/* Puts the hash of an object behind it. 0/-1. */
static int seal(const char *path) {
  XXH128_hash_t h;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  off_t length = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
  int bad = length < 0 || hash_file(fd, length, &h) || pwrite(fd, &h, sizeof h, length) != (ssize_t)sizeof h;
  if (fd >= 0 && close(fd)) bad = 1;
  return bad ? -1 : 0;
}

static int sealed(const char *path) {
  XXH128_hash_t h, said;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  off_t length = fd >= 0 ? lseek(fd, 0, SEEK_END) - (off_t)sizeof h : -1;
  int whole = length > 0 && pread(fd, &said, sizeof said, length) == (ssize_t)sizeof said && hash_file(fd, length, &h) == 0 && XXH128_isEqual(h, said);
  if (fd >= 0) close(fd);
  return whole;
}

/* ---- loading ----------------------------------------------------------------------------------------------------------- */

static int load(struct build *b, const char *path, const struct shape *shape) {
  const char *why;
  b->library = library_open(path, &why);
  const struct runtime_code *code = b->library ? library_find(b->library, "thimble_code") : NULL;
  if (code && code->version == RUNTIME_VERSION && code->transitions == shape->program->trans.count) {
    b->code = code;
    b->state = BUILD_READY;
    return 0;
  }
  library_close(b->library);
  b->library = NULL;
  return -1;
}

/* ---- compiling ----------------------------------------------------------------------------------------------------------- */

static void empty(DIR *folder) {
  for (const struct dirent *d; (d = readdir(folder));) unlinkat(dirfd(folder), d->d_name, 0);
}

/* The compiler may have been killed: its own temporary files are in the folder as well. */
static void forget_files(struct build *b) {
  if (b->source[0]) unlink(b->source), unlink(b->object); /* these go even where the folder cannot be listed */
  DIR *folder = b->folder[0] ? opendir(b->folder) : NULL;
  if (folder) {
    empty(folder);
    closedir(folder);
  }
  if (b->folder[0]) rmdir(b->folder);
  if (b->held) close(b->held - 1);
  b->held = 0;
  b->folder[0] = b->source[0] = b->object[0] = 0;
}

/* HASH-XXXXXX, as write_source names them? */
static int names_folder(const char *name) {
  return strspn(name, "0123456789abcdef") == 32 && name[32] == '-' && strlen(name) == 39;
}

/* Runs that were killed leave their folders in the cache. They had a lock on them, which went with them; one that was made just now may have none yet. */
static void remove_leftovers(const struct build *b) {
  enum { JUST_NOW = 60 };
  char path[sizeof b->cached];
  size_t length = (size_t)(strrchr(b->cached, '/') - b->cached);
  memcpy(path, b->cached, length);
  path[length] = 0;
  DIR *cache = opendir(path);
  for (const struct dirent *d; cache && (d = readdir(cache));) {
    struct stat s;
    if (!names_folder(d->d_name)) continue;
    int fd = openat(dirfd(cache), d->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int dead = fd >= 0 && fstat(fd, &s) == 0 && s.st_uid == geteuid() && time(NULL) - s.st_mtime > JUST_NOW && flock(fd, LOCK_EX | LOCK_NB) == 0;
    DIR *folder = dead ? fdopendir(fd) : NULL;
    if (folder) {
      empty(folder);
      unlinkat(dirfd(cache), d->d_name, AT_REMOVEDIR);
      closedir(folder);
    } else if (fd >= 0) {
      close(fd);
    }
  }
  if (cache) closedir(cache);
}

/* The source in a folder of its own, inside the cache's or where temporary files go. */
static int write_source(struct build *b, const char *text, size_t length) {
  const char *tmp = getenv("TMPDIR");
  if (b->cached[0]) remove_leftovers(b);
  if (b->cached[0]) snprintf(b->folder, sizeof b->folder, "%.*s-XXXXXX", (int)(strlen(b->cached) - 3), b->cached);
  else snprintf(b->folder, sizeof b->folder, "%.300s/thimble-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
  if (!mkdtemp(b->folder)) {
    b->folder[0] = 0;
    return -1;
  }
  int fd = open(b->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) close(fd), fd = -1; /* no locks here: then nobody gets one and removes it */
  b->held = fd + 1;
  snprintf(b->source, sizeof b->source, "%s/model.c", b->folder);
  snprintf(b->object, sizeof b->object, "%s/model.so", b->folder);
  fd = open(b->source, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  size_t done = 0;
  while (done < length) {
    ssize_t n = write(fd, text + done, length - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += (size_t)n;
  }
  return close(fd) || done < length ? -1 : 0;
}

/* A file that nobody else sees. */
static int nameless(void) {
  char name[400];
  const char *tmp = getenv("TMPDIR");
  snprintf(name, sizeof name, "%.300s/thimble-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
  int fd = mkostemp(name, O_CLOEXEC);
  if (fd >= 0) unlink(name);
  return fd;
}

/* Our environment, but with messages in plain English, since they are read (embedded.c), and temporary files (`tmpdir`: TMPDIR=FOLDER) where
   they are removed in any case. */
static char **plain_environment(struct mem *mem, char *tmpdir) {
  size_t n = 0, kept = 0;
  while (environ[n]) n++;
  char **list = mem_alloc(mem, MEM_OTHER, (n + 3) * sizeof *list);
  if (!list) return NULL;
  for (size_t i = 0; i < n; i++)
    if (strncmp(environ[i], "LC_ALL=", 7) && strncmp(environ[i], "TMPDIR=", 7)) list[kept++] = environ[i];
  list[kept++] = "LC_ALL=C";
  list[kept] = tmpdir;
  return list;
}

static int start_compiler(struct build *b, const char *const *how, struct mem *mem) {
  char *argv[FLAGS_MAX + 7];
  int n = 0;
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  pid_t child = 0;
  argv[n++] = (char *)compiler();
  for (int i = 0; how[i] && i < FLAGS_MAX; i++) argv[n++] = (char *)how[i];
  argv[n++] = "-o";
  argv[n++] = b->object;
  argv[n++] = b->source;
  argv[n++] = "-lm";
  argv[n] = NULL;
  if (posix_spawn_file_actions_init(&files)) return -1;
  if (posix_spawnattr_init(&attributes)) {
    posix_spawn_file_actions_destroy(&files);
    return -1;
  }
  b->told_by = nameless();
  for (int fd = 0; fd < 3; fd++)
    if (fd < 2 || b->told_by < 0) posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
    else posix_spawn_file_actions_adddup2(&files, b->told_by, fd);
  char tmpdir[sizeof b->folder + 8];
  snprintf(tmpdir, sizeof tmpdir, "TMPDIR=%s", b->folder);
  char **environment = plain_environment(mem, tmpdir);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP); /* Ctrl-C is for us; the compiler's own children die with it */
  posix_spawnattr_setpgroup(&attributes, 0);
  int bad = posix_spawnp(&child, argv[0], &files, &attributes, argv, environment ? environment : environ);
  mem_free(mem, environment);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  b->child = child;
  if (bad && b->told_by >= 0) close(b->told_by);
  return bad ? -1 : 0;
}

static void compile(struct build *b, const char *text, size_t length, const char *const *how, struct mem *mem) {
  if (write_source(b, text, length)) {
    forget_files(b);
    give_up(b, "the generated code could not be written to a file");
  } else if (start_compiler(b, how, mem)) {
    forget_files(b);
    give_up(b, "there is no C compiler (cc)");
  } else {
    b->state = BUILD_RUNNING;
  }
}

void build_start(struct build *b, const struct shape *shape, struct mem *mem) {
  char *text = NULL;
  size_t length = 0;
  if (b->state != BUILD_NONE) return;
  if (library_refusal) { /* what nobody can load need not be compiled */
    give_up(b, library_refusal);
    return;
  }
  b->started = clock_now();
  if (generate_c(&text, &length, shape, mem)) {
    give_up(b, "no memory for the generated code");
    return;
  }
  name_object(b, text, length);
  if (b->cached[0] && private(b->cached, 0) && sealed(b->cached) && load(b, b->cached, shape) == 0) {
    b->from_cache = 1;
    b->seconds = clock_now() - b->started;
  } else {
    compile(b, text, length, flags, mem);
  }
  mem_free(mem, text);
}

/* What the compiler had to say; the first line that tells of an error becomes the reason. */
static void hear(struct build *b) {
  ssize_t n = b->told_by >= 0 ? pread(b->told_by, b->told, sizeof b->told - 1, 0) : -1;
  if (b->told_by >= 0) close(b->told_by);
  b->told_by = -1;
  b->told[n > 0 ? n : 0] = 0;
}

static void tell_failure(struct build *b, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    give_up(b, "there is no C compiler (cc)");
    return;
  }
  const char *error = strstr(b->told, "error: ");
  char quoted[240];
  give_up(b, "the C compiler failed");
  if (error)
    snprintf(b->why, sizeof b->why, "the C compiler failed: %s", err_quote(quoted, sizeof quoted, error + 7, strcspn(error + 7, "\n")));
}

static void finished(struct build *b, const struct shape *shape, int status) {
  b->child = 0;
  b->seconds = clock_now() - b->started;
  hear(b);
  if (!WIFEXITED(status) || WEXITSTATUS(status)) {
    tell_failure(b, status);
  } else if (!shape) { /* build_once: what it offers is for its caller to find */
    const char *why;
    b->library = library_open(b->object, &why);
    if (b->library) b->state = BUILD_READY;
    else give_up(b, "the compiled object could not be loaded");
  } else {
    chmod(b->object, 0700);
    int cached = b->cached[0] && seal(b->object) == 0 && rename(b->object, b->cached) == 0;
    if (load(b, cached ? b->cached : b->object, shape)) give_up(b, "the compiled object could not be loaded");
  }
  forget_files(b);
}

void build_poll(struct build *b, const struct shape *shape) {
  int status = 0;
  if (b->state != BUILD_RUNNING) return;
  pid_t done = waitpid((pid_t)b->child, &status, WNOHANG);
  if (done == 0 || (done < 0 && errno == EINTR)) return;
  if (done < 0) status = 1;
  finished(b, shape, status);
}

void build_wait(struct build *b, const struct shape *shape, double seconds, const volatile int *interrupt) {
  double end = clock_now() + seconds;
  for (build_poll(b, shape); b->state == BUILD_RUNNING && clock_now() < end && !(interrupt && *interrupt); build_poll(b, shape)) usleep(2000);
  if (b->state == BUILD_RUNNING) snprintf(b->why, sizeof b->why, "the C compiler did not finish in time");
}

static void stop(struct build *b) {
  int status;
  kill(-(pid_t)b->child, SIGKILL);
  while (waitpid((pid_t)b->child, &status, 0) < 0 && errno == EINTR) {}
  hear(b);
  forget_files(b);
}

void build_once(struct build *b, const char *text, size_t length, const char *const *how, struct mem *mem) {
  if (library_refusal) {
    give_up(b, library_refusal);
    return;
  }
  b->started = clock_now();
  compile(b, text, length, how, mem);
  build_wait(b, NULL, ONCE_SECONDS, NULL);
  if (b->state != BUILD_RUNNING) return;
  stop(b);
  give_up(b, "the C compiler took too long");
}

void build_close(struct build *b) {
  if (b->state == BUILD_RUNNING) stop(b);
  library_close(b->library);
  memset(b, 0, sizeof *b);
}
