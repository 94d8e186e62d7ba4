/* machine.c -- see machine.h. */
#include "bench/machine.h"

#include "base/hash.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void machine_describe(struct machine *m) {
  char line[512];
  struct utsname u;
  memset(m, 0, sizeof *m);
  gethostname(m->host, sizeof m->host - 1);
  if (uname(&u) == 0) snprintf(m->kernel, sizeof m->kernel, "%.40s %.60s %.40s", u.sysname, u.release, u.machine);
  m->cores = sysconf(_SC_NPROCESSORS_ONLN);
  m->memory = mem_machine();
  FILE *in = fopen("/proc/cpuinfo", "re");
  while (in && fgets(line, sizeof line, in)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    snprintf(m->cpu, sizeof m->cpu, "%.150s", colon + 1 + strspn(colon + 1, " "));
    m->cpu[strcspn(m->cpu, "\n")] = 0;
    break;
  }
  if (in) fclose(in);
  if (!*m->cpu && uname(&u) == 0) snprintf(m->cpu, sizeof m->cpu, "%.60s", u.machine);
}

int machine_build(struct machine *m, const char *program) {
  char block[65536];
  uint64_t hash = 0;
  size_t got;
  FILE *in = fopen(program, "re");
  if (!in) return -1;
  while ((got = fread(block, 1, sizeof block, in)) > 0) hash = hash_bytes_seeded(block, got, hash);
  int bad = ferror(in);
  fclose(in);
  snprintf(m->build, sizeof m->build, "%016llx", (unsigned long long)hash);
  return bad ? -1 : 0;
}
