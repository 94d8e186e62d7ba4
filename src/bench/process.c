/* process.c -- see process.h. */
#define _GNU_SOURCE
#include "bench/process.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void limit(int what, rlim_t most) {
  struct rlimit l;
  if (getrlimit(what, &l)) return;
  if (l.rlim_max == RLIM_INFINITY || l.rlim_max > most) l.rlim_max = most;
  l.rlim_cur = l.rlim_max;
  setrlimit(what, &l);
}

static int place(const char *file, int flags, int fd) {
  int from = open(file, flags | O_CLOEXEC, 0666);
  return from < 0 || dup2(from, fd) < 0 ? -1 : 0;
}

/* In the child; tells errno through the pipe if the program cannot begin. */
static _Noreturn void begin(const struct process_setup *s, pid_t parent, int tell) {
  sigset_t none;
  sigemptyset(&none);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  limit(RLIMIT_CORE, 0);
  if (s->seconds > 0) { /* threads may use all processors at once */
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double cpu = s->seconds * (double)(cores > 0 ? cores : 1) + 2;
    if (cpu < 1e9) limit(RLIMIT_CPU, (rlim_t)cpu);
  }
  if (s->bytes && s->address_space) limit(RLIMIT_AS, (rlim_t)s->bytes);
  setenv("LC_ALL", "C", 1);
  if (s->cache) setenv("XDG_CACHE_HOME", s->cache, 1);
  int same = s->errors && strcmp(s->out, s->errors) == 0;
  if (place("/dev/null", O_RDONLY, 0) == 0 && place(s->out, O_WRONLY | O_CREAT | O_TRUNC, 1) == 0 &&
      (same ? dup2(1, 2) : place(s->errors ? s->errors : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 2)) >= 0 && (!s->folder || chdir(s->folder) == 0))
    execvp(s->words[0], (char *const *)(uintptr_t)s->words);
  int why = errno;
  if (write(tell, &why, sizeof why) != sizeof why) _exit(126);
  _exit(127);
}

static uint64_t resident_now(pid_t pid) {
  char name[64];
  unsigned long long all, resident = 0;
  snprintf(name, sizeof name, "/proc/%ld/statm", (long)pid);
  FILE *in = fopen(name, "re");
  if (!in) return 0;
  if (fscanf(in, "%llu %llu", &all, &resident) != 2) resident = 0;
  fclose(in);
  return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Waits until the process has ended or must; it is not reaped. */
static enum process_end watch(pid_t pid, const struct process_setup *s, double started) {
  int fd = (int)syscall(SYS_pidfd_open, pid, 0); /* Linux 5.3; without it we look every millisecond */
  enum process_end end = PROCESS_EXITED;
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid) break;
    if (s->interrupt && *s->interrupt) end = PROCESS_INTERRUPTED;
    else if (s->seconds > 0 && clock_now() - started > s->seconds) end = PROCESS_TIME;
    else if (s->bytes && resident_now(pid) > s->bytes) end = PROCESS_MEMORY;
    if (end != PROCESS_EXITED) break;
    double left = s->seconds > 0 ? s->seconds - (clock_now() - started) : 1;
    struct pollfd p = {fd, POLLIN, 0};
    int wait = fd < 0 ? 1 : left < 0.02 ? (int)(left * 1000) + 1 : 20;
    poll(&p, fd >= 0, wait);
  }
  if (fd >= 0) close(fd);
  return end;
}

int process_run(struct process_result *r, const struct process_setup *s, struct err *e) {
  int tell[2], why = 0, status = 0;
  struct rusage usage = {0};
  *r = (struct process_result){0};
  if (pipe2(tell, O_CLOEXEC)) return err_io(e, s->words[0], "cannot be run: %s", strerror(errno));
  fflush(NULL);
  double started = clock_now();
  pid_t self = getpid(), pid = fork();
  if (pid == 0) begin(s, self, tell[1]);
  close(tell[1]);
  if (pid < 0) {
    close(tell[0]);
    return err_io(e, s->words[0], "cannot be run: %s", strerror(errno));
  }
  setpgid(pid, pid); /* whoever comes first; both may */
  ssize_t got;
  while ((got = read(tell[0], &why, sizeof why)) < 0 && errno == EINTR) {}
  close(tell[0]);
  r->end = watch(pid, s, started);
  kill(-pid, SIGKILL); /* also what it left behind */
  while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {}
  r->wall = clock_now() - started;
  r->cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + 1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  r->resident = (uint64_t)usage.ru_maxrss * 1024;
  if (got == (ssize_t)sizeof why) {
    r->end = PROCESS_MISSING;
    r->code = why;
  } else if (r->end == PROCESS_EXITED && WIFSIGNALED(status)) {
    r->end = WTERMSIG(status) == SIGXCPU ? PROCESS_TIME : PROCESS_SIGNALLED;
    r->code = WTERMSIG(status);
  } else if (WIFEXITED(status)) r->code = WEXITSTATUS(status);
  return 0;
}
