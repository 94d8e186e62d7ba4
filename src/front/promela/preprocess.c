/* preprocess.c -- the C preprocessor as another process.
 *
 * Promela models are written for the real C preprocessor, so the real one is run: `cpp`, or `gcc -E` where there is no
 * cpp.  The text goes in through a socket pair (a write to a child that died is then an error, not a signal) and the result comes
 * back through a pipe; both ends are served by one poll loop, so neither side can block the other.  No shell is involved.
 *
 * What the model includes is looked at first (include.c), which must see every directive that the preprocessor sees: hence C90 with GNU's extensions, without the
 * raw strings of later dialects, without folders of the system, and without those that the environment names.
 *
 * The text has no name there, and a preprocessor looks for what it includes in the working directory first.  So it works in the folder of the model: there stands what the model means.  Folders of -I are named from the root then, and what
 * it says of included files is read accordingly (preprocess_name).
 *
 * Macros can grow without bound.  The result is cut off at 64 MB and the whole at 20 seconds; both are told.  `cpp` only starts the program that does the work, and that may
 * grow without writing a word (in #if), so that it never meets a closed pipe: they are a group of processes that is ended as a whole, and each has limits of its own, which hold
 * also when nobody is left to end it.  What the preprocessor says on standard error is kept and its first error is passed on with its line. */
#define _GNU_SOURCE
#include "front/promela/source.h"

#include "base/clock.h"
#include "front/below.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESULT_MAX = 64 << 20, SECONDS_MAX = 20, SAID_MAX = 8 << 10, ADDRESSES_MAX = 512 << 20 };

struct child {
  pid_t pid;
  int in, out, said; /* our ends; -1 = closed */
};

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

/* The arguments; all strings live in `text`, one block. */
struct command {
  char **argv;
  char *text;
  char folder[PATH_MAX]; /* where it works */
};

static int add(struct command *c, size_t *count, size_t *used, const char *a, const char *b, const char *d) {
  char *at = c->text + *used;
  int n = sprintf(at, "%s%s%s", a, b, d);
  *used += (size_t)n + 1;
  c->argv[(*count)++] = at;
  return n;
}

static int command_open(struct command *c, const struct front_setup *setup) {
  size_t room = 512 + 2 * strlen(setup->file), count = 0, used = 0;
  for (size_t i = 0; i < setup->define_count; i++) room += strlen(setup->defines[i].name) + strlen(setup->defines[i].value) + 8;
  char here[PATH_MAX] = "";
  if (front_folder(setup->file, c->folder)) strcpy(c->folder, ".");
  int elsewhere = strcmp(c->folder, ".") != 0 && getcwd(here, sizeof here) != NULL;
  for (size_t i = 0; i < setup->folder_count; i++) room += strlen(here) + strlen(setup->folders[i]) + 8;
  c->argv = mem_alloc(setup->mem, MEM_OTHER, (setup->define_count + 2 * setup->folder_count + 24) * sizeof *c->argv);
  c->text = mem_alloc(setup->mem, MEM_OTHER, room);
  if (!c->argv || !c->text) return -1;
  add(c, &count, &used, "cpp", "", "");
  add(c, &count, &used, "-undef", "", ""); /* linux, unix, i386 are names that models use */
  add(c, &count, &used, "-std=gnu90", "", "");
  add(c, &count, &used, "-nostdinc", "", "");
  add(c, &count, &used, "-Wno-invalid-pp-token", "", "");
  add(c, &count, &used, "-I", "", "");
  add(c, &count, &used, ".", "", "");
  for (size_t i = 0; i < setup->folder_count; i++) {
    int moved = elsewhere && *setup->folders[i] != '/';
    add(c, &count, &used, "-I", "", "");
    add(c, &count, &used, moved ? here : "", moved ? "/" : "", setup->folders[i]);
  }
  for (size_t i = 0; i < setup->define_count; i++) {
    char *at = c->text + used;
    add(c, &count, &used, "-D", setup->defines[i].name, "=");
    used--; /* the value follows in place of the zero byte */
    used += (size_t)sprintf(at + strlen(at), "%s", setup->defines[i].value) + 1;
  }
  add(c, &count, &used, "-", "", "");
  return 0;
}

static void command_close(struct command *c, const struct front_setup *setup) {
  mem_free(setup->mem, c->argv);
  mem_free(setup->mem, c->text);
}

static void limit(int what, rlim_t most) {
  struct rlimit r;
  if (getrlimit(what, &r)) return;
  if (r.rlim_cur == RLIM_INFINITY || r.rlim_cur > most) r.rlim_cur = most;
  setrlimit(what, &r);
}

static void run_child(const struct command *c, int in, int out, int said) {
  static const char *const unwanted[] = {"CPATH", "C_INCLUDE_PATH", "DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"}; /* more folders, and files to write */
  char *gcc[64];
  char **argv = c->argv;
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  setpgid(0, 0);
  limit(RLIMIT_CPU, SECONDS_MAX + 1);
  if (chdir(c->folder)) _exit(126);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(said, 2) < 0) _exit(126);
  setenv("LC_ALL", "C", 1);
  for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++) unsetenv(unwanted[i]);
  limit(RLIMIT_AS, ADDRESSES_MAX); /* last: a sanitizer has more addresses already, and could give nobody any */
  execvp("cpp", argv);
  size_t n = 0;
  gcc[n++] = "gcc";
  gcc[n++] = "-E";
  gcc[n++] = "-xc";
  for (size_t i = 1; argv[i] && n < 63; i++) gcc[n++] = argv[i];
  gcc[n] = NULL;
  execvp("gcc", gcc);
  _exit(127);
}

static int child_open(struct child *c, const struct command *command) {
  int in[2] = {-1, -1}, out[2] = {-1, -1}, said[2] = {-1, -1};
  *c = (struct child){.pid = -1, .in = -1, .out = -1, .said = -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 && pipe2(out, O_CLOEXEC) == 0 && pipe2(said, O_CLOEXEC) == 0) {
    c->pid = fork();
    if (c->pid == 0) run_child(command, in[1], out[1], said[1]);
  }
  close_end(&in[1]);
  close_end(&out[1]);
  close_end(&said[1]);
  c->in = in[0];
  c->out = out[0];
  c->said = said[0];
  if (c->pid < 0) return -1;
  setpgid(c->pid, c->pid); /* whoever comes first */
  fcntl(c->in, F_SETFL, fcntl(c->in, F_GETFL) | O_NONBLOCK);
  return 0;
}

struct talk {
  const char *input;
  size_t length, sent;
  char *result;
  size_t count, room;
  char said[SAID_MAX];
  size_t said_count;
};

/* 1: goes on, 0: end of that stream, -1: no memory or too long. */
static int take(struct talk *t, int fd, struct mem *mem) {
  if (t->count + (32 << 10) > t->room) {
    size_t next = t->room ? t->room * 2 : 256 << 10;
    char *moved = mem_resize(mem, MEM_OTHER, t->result, next);
    if (!moved) return -1;
    t->result = moved;
    t->room = next;
  }
  ssize_t got = read(fd, t->result + t->count, t->room - t->count - 1);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  t->count += (size_t)got;
  return t->count > RESULT_MAX ? -1 : got > 0;
}

static int serve(struct child *c, struct talk *t, const struct front_setup *setup, struct err *e) {
  double end = clock_now() + SECONDS_MAX;
  while (c->out >= 0 || c->said >= 0) {
    struct pollfd p[3] = {{c->in, POLLOUT, 0}, {c->out, POLLIN, 0}, {c->said, POLLIN, 0}};
    double left = end - clock_now();
    if (left <= 0)
      return err_input(e, (struct place_in_text){setup->file, 0, 0}, "the preprocessor did not end within %d seconds",
                       SECONDS_MAX);
    if (poll(p, 3, (int)(left * 1000) + 1) < 0 && errno != EINTR)
      return err_io(e, setup->file, "cannot talk to the preprocessor: %s", strerror(errno));
    if (c->in >= 0 && p[0].revents) {
      ssize_t n = t->sent < t->length ? send(c->in, t->input + t->sent, t->length - t->sent, MSG_NOSIGNAL) : 0;
      if (n > 0) t->sent += (size_t)n;
      if ((n < 0 && errno != EINTR && errno != EAGAIN) || t->sent == t->length) close_end(&c->in);
    }
    if (c->out >= 0 && p[1].revents) {
      int more = take(t, c->out, setup->mem);
      if (more < 0 && t->count > RESULT_MAX)
        return err_input(e, (struct place_in_text){setup->file, 0, 0}, "the text grows beyond %d MB in the preprocessor",
                         RESULT_MAX >> 20);
      if (more < 0) return err_memory(e, "the preprocessed text");
      if (!more) close_end(&c->out);
    }
    if (c->said >= 0 && p[2].revents) {
      char extra[512];
      int full = t->said_count + 1 >= SAID_MAX;
      ssize_t n =
          full ? read(c->said, extra, sizeof extra) : read(c->said, t->said + t->said_count, SAID_MAX - 1 - t->said_count);
      if (n > 0 && !full) t->said_count += (size_t)n;
      if (n == 0) close_end(&c->said);
    }
  }
  return 0;
}

/* "<stdin>:12:9: error: #error no N" becomes an error at line 12. */
static int pass_on(const char *said, const struct front_setup *setup, struct err *e) {
  const char *mark = strstr(said, "error:");
  if (strstr(said, "out of memory") || strstr(said, "memory exhausted"))
    return err_input(e, (struct place_in_text){setup->file, 0, 0}, "the preprocessor needs more than %d MB", ADDRESSES_MAX >> 20);
  if (!mark) return err_io(e, setup->file, "the preprocessor failed");
  const char *start = mark;
  while (start > said && start[-1] != '\n') start--;
  const char *text = mark + 6;
  while (*text == ' ') text++;
  size_t length = strcspn(text, "\n");
  char shown[300];
  err_quote(shown, sizeof shown, text, length);
  long line = 0, column = 0;
  int fields = sscanf(start, "<stdin>:%ld:%ld:", &line, &column);
  struct place_in_text at = {setup->file, fields >= 1 ? line : 0, fields >= 2 ? column : fields >= 1 ? 1 : 0}; /* of what is not closed it tells the line alone */
  return err_input(e, at, "preprocessor: %s", shown);
}

size_t preprocess_name(const char *name, size_t length, const struct front_setup *setup, char out[PATH_MAX]) {
  char folder[PATH_MAX], here[PATH_MAX];
  if (length >= PATH_MAX) return 0;
  memcpy(out, name, length);
  out[length] = 0;
  if (front_folder(setup->file, folder) || strcmp(folder, ".") == 0 || *out == '<') return length;
  if (*out != '/') { /* a name of a #line may be one from elsewhere */
    int n = snprintf(here, sizeof here, "%s/%s", folder, out);
    if (n < (int)sizeof here && front_below(here, setup->file, NULL, 0, NULL) == BELOW_YES) strcpy(out, here), length = (size_t)n;
    return length;
  }
  size_t cut = getcwd(here, sizeof here) ? strlen(here) : 0;
  if (!cut || strncmp(out, here, cut) != 0 || out[cut] != '/') return length;
  for (size_t i = 0; i < setup->folder_count; i++) {
    size_t n = strlen(setup->folders[i]);
    if (*setup->folders[i] == '/' || strncmp(out + cut + 1, setup->folders[i], n) != 0) continue;
    memmove(out, out + cut + 1, length - cut);
    return length - cut - 1;
  }
  return length;
}

int preprocess_run(char **out, size_t *out_length, const char *input, size_t length, const struct front_setup *setup,
                   struct err *e) {
  struct command command = {0};
  struct child child = {.pid = -1, .in = -1, .out = -1, .said = -1};
  struct talk *talk = mem_alloc(setup->mem, MEM_OTHER, sizeof *talk);
  int status = -1, code = 0;
  *out = NULL;
  if (include_check(input, length, setup, e)) {
    ;
  } else if (!talk || command_open(&command, setup)) {
    err_memory(e, "the preprocessor");
  } else if (child_open(&child, &command)) {
    err_io(e, setup->file, "cannot start the preprocessor: %s", strerror(errno));
  } else {
    talk->input = input;
    talk->length = length;
    status = serve(&child, talk, setup, e);
  }
  close_end(&child.in);
  close_end(&child.out);
  close_end(&child.said);
  if (child.pid > 0) {
    if (status) kill(-child.pid, SIGKILL);
    pid_t ended;
    while ((ended = waitpid(child.pid, &code, 0)) < 0 && errno == EINTR) continue;
    if (ended < 0 && !status) status = err_io(e, setup->file, "nobody tells how the preprocessor ended: %s", strerror(errno));
  }
  if (!status && WIFEXITED(code) && WEXITSTATUS(code) == 127) {
    status = err_io(e, setup->file, "this model needs the C preprocessor, and there is neither cpp nor gcc");
    err_hint(e, "install cpp, or give a text without lines that begin with #");
  } else if (!status && code != 0) {
    status = pass_on(talk->said, setup, e);
  }
  if (!status) {
    talk->result[talk->count] = 0;
    *out = talk->result;
    *out_length = talk->count;
  } else if (talk) {
    mem_free(setup->mem, talk->result);
  }
  mem_free(setup->mem, talk);
  command_close(&command, setup);
  return status;
}
