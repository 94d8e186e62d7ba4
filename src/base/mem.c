/* mem.c -- blocks, regions and arenas that count.
 *
 * A block carries a 16-byte header in front:
 *
 *   | bytes (8) | tag (4) | magic (4) | user memory ... |
 *
 * so that freeing needs neither size nor tag.  Blocks of 128 KB and more are mappings of their
 * own: what is freed goes back to the system at once, so that resident memory follows the
 * count.  A region of up to 64 KB is a block of the C library: most never become larger, and mapping
 * and unmapping one takes the system some dozens of microseconds.  From there on it reserves as many addresses as the
 * budget could ever need, aligned to huge pages, and opens them piece by piece; where even
 * addresses are limited (ulimit -v), mremap moves the mapping instead.  Large regions ask for
 * huge pages, which takes a lookup beyond the cache from 54 to 33 ns. */
#define _GNU_SOURCE
#include "base/mem.h"

#include <assert.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BLOCK_MAGIC 0x7417b1e5u
#ifdef __SANITIZE_ADDRESS__
#define OWN_MAPPING SIZE_MAX /* the sanitizer watches malloc only */
#else
#define OWN_MAPPING ((size_t)128 << 10)
#endif

struct block {
  size_t bytes;
  uint32_t tag;
  uint32_t magic;
};

struct arena_chunk {
  struct arena_chunk *next;
};

static const char *const tag_names[MEM_TAGS] = {"store", "frontier", "search", "model", "analysis", "other"};

const char *mem_tag_name(enum mem_tag tag) { return tag_names[tag]; }

void mem_open(struct mem *m, size_t budget) {
  memset(m, 0, sizeof *m);
  m->budget = budget ? budget : SIZE_MAX;
}

size_t mem_left(const struct mem *m) { return m->budget - __atomic_load_n(&m->used, __ATOMIC_RELAXED); }

/* Books `bytes` more on `tag`, or refuses. Several threads may do so at once: nobody gets what another one has taken. */
static int take(struct mem *m, enum mem_tag tag, size_t bytes) {
  if (m->stop && *m->stop) return -1;
  if (__atomic_load_n(&m->fail_after, __ATOMIC_RELAXED) && __atomic_sub_fetch(&m->fail_after, 1, __ATOMIC_RELAXED) == 0) return -1;
  size_t used = __atomic_load_n(&m->used, __ATOMIC_RELAXED);
  do
    if (bytes > m->budget - used) return -1;
  while (!__atomic_compare_exchange_n(&m->used, &used, used + bytes, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  __atomic_fetch_add(&m->tag_used[tag], bytes, __ATOMIC_RELAXED);
  size_t peak = __atomic_load_n(&m->peak, __ATOMIC_RELAXED);
  while (used + bytes > peak && !__atomic_compare_exchange_n(&m->peak, &peak, used + bytes, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
  return 0;
}

static void give(struct mem *m, enum mem_tag tag, size_t bytes) {
  size_t used = __atomic_fetch_sub(&m->used, bytes, __ATOMIC_RELAXED), tagged = __atomic_fetch_sub(&m->tag_used[tag], bytes, __ATOMIC_RELAXED);
  assert(tagged >= bytes && used >= bytes);
  (void)used, (void)tagged;
}

static struct block *block_of(void *user) {
  struct block *b = (struct block *)user - 1;
  assert(b->magic == BLOCK_MAGIC);
  return b;
}

/* What a block of this size costs: whole pages if it is a mapping of its own. */
static size_t footprint(size_t bytes) {
  size_t total = bytes + sizeof(struct block);
  return total < OWN_MAPPING ? total : (total + 4095) / 4096 * 4096;
}

static struct block *raw_alloc(size_t size) {
  if (size < OWN_MAPPING) return calloc(1, size);
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static void raw_free(struct block *b, size_t size) {
  if (size < OWN_MAPPING) free(b);
  else munmap(b, size);
}

static struct block *raw_resize(struct block *b, size_t old, size_t new) {
  if (old < OWN_MAPPING && new < OWN_MAPPING) return realloc(b, new);
  if (old >= OWN_MAPPING && new >= OWN_MAPPING) {
    void *p = mremap(b, old, new, MREMAP_MAYMOVE);
    return p == MAP_FAILED ? NULL : p;
  }
  struct block *moved = raw_alloc(new);
  if (!moved) return NULL;
  memcpy(moved, b, old < new ? old : new);
  raw_free(b, old);
  return moved;
}

void *mem_alloc(struct mem *m, enum mem_tag tag, size_t bytes) {
  if (bytes > SIZE_MAX - 2 * MEM_HUGE_PAGE) return NULL;
  size_t size = footprint(bytes);
  if (take(m, tag, size)) return NULL;
  struct block *b = raw_alloc(size);
  if (!b) {
    give(m, tag, size);
    return NULL;
  }
  *b = (struct block){bytes, tag, BLOCK_MAGIC};
  return b + 1;
}

void *mem_resize(struct mem *m, enum mem_tag tag, void *user, size_t bytes) {
  if (!user) return mem_alloc(m, tag, bytes);
  if (bytes > SIZE_MAX - 2 * MEM_HUGE_PAGE) return NULL;
  struct block *b = block_of(user);
  size_t old = b->bytes, from = footprint(old), to = footprint(bytes);
  assert(b->tag == (uint32_t)tag);
  if (to > from && take(m, tag, to - from)) return NULL;
  struct block *moved = from == to ? b : raw_resize(b, from, to);
  if (!moved && to < from) { /* it stays as large as it was */
    memset((char *)user + bytes, 0, old - bytes);
    return user;
  }
  if (!moved) {
    give(m, tag, to - from);
    return NULL;
  }
  if (to < from) give(m, tag, from - to);
  if (bytes > old) memset((char *)(moved + 1) + old, 0, bytes - old);
  moved->bytes = bytes;
  return moved + 1;
}

void mem_free(struct mem *m, void *user) {
  if (!user) return;
  struct block *b = block_of(user);
  size_t size = footprint(b->bytes);
  give(m, (enum mem_tag)b->tag, size);
  b->magic = 0;
  raw_free(b, size);
}

void mem_trim(void) { malloc_trim(0); }

char *mem_strndup(struct mem *m, enum mem_tag tag, const char *text, size_t length) {
  char *copy = mem_alloc(m, tag, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

/* ---- regions ---------------------------------------------------------------------- */

static size_t whole_pages(size_t bytes) {
  size_t page = bytes >= 8 * MEM_HUGE_PAGE ? MEM_HUGE_PAGE : 4096;
  return (bytes + page - 1) / page * page;
}

void region_open(struct region *r, struct mem *m, enum mem_tag tag) { *r = (struct region){.mem = m, .tag = tag}; }

enum { SMALL = 64 << 10, LINE = 64 };

/* Addresses without memory behind them, aligned to a huge page. NULL when there are not enough. */
static uint8_t *reserve(size_t bytes) {
  uint8_t *raw = mmap(NULL, bytes + MEM_HUGE_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) return NULL;
  size_t skip = (MEM_HUGE_PAGE - (uintptr_t)raw % MEM_HUGE_PAGE) % MEM_HUGE_PAGE;
  if (skip) munmap(raw, skip);
  if (skip < MEM_HUGE_PAGE) munmap(raw + skip + bytes, MEM_HUGE_PAGE - skip);
  return raw + skip;
}

/* Up to SMALL bytes, from the C library. */
static int take_small(struct region *r, size_t held) {
  uint8_t *base = aligned_alloc(LINE, held);
  if (!base) return -1;
  size_t keep = r->held < held ? r->held : held;
  if (keep) memcpy(base, r->base, keep);
  memset(base + keep, 0, held - keep);
  free(r->base);
  r->base = base;
  r->small = 1;
  return 0;
}

/* The first mapping of a region: inside a reservation if one can be had. */
static int map_first(struct region *r, size_t held) {
  const size_t most = (size_t)1 << 40;
  size_t want = whole_pages(r->mem->budget < most ? r->mem->budget : most);
  if (want < held) want = held;
  r->base = reserve(want);
  if (r->base && mprotect(r->base, held, PROT_READ | PROT_WRITE) == 0) {
    r->reserved = want;
    return 0;
  }
  if (r->base) munmap(r->base, want);
  r->reserved = 0;
  r->base = mmap(NULL, held, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (r->base != MAP_FAILED) return 0;
  r->base = NULL;
  return -1;
}

/* From r->held to held, both more than nothing. */
static int map_more(struct region *r, size_t held) {
  if (r->reserved) {
    if (held > r->reserved) return -1;
    if (held > r->held) return mprotect(r->base + r->held, held - r->held, PROT_READ | PROT_WRITE);
    madvise(r->base + held, r->held - held, MADV_DONTNEED);
    return 0;
  }
  if (r->small) {
    if (held <= SMALL) return take_small(r, held);
    struct region large = {.mem = r->mem};
    if (map_first(&large, held)) return -1;
    memcpy(large.base, r->base, r->held);
    free(r->base);
    r->base = large.base;
    r->reserved = large.reserved;
    r->small = 0;
    return 0;
  }
  void *moved = mremap(r->base, r->held, held, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) return -1;
  r->base = moved;
  return 0;
}

static void unmap(struct region *r) {
  if (r->small) free(r->base);
  else if (r->base) munmap(r->base, r->reserved ? r->reserved : r->held);
  r->base = NULL;
  r->reserved = 0;
  r->small = 0;
}

int region_resize(struct region *r, size_t size) {
  if (size > SIZE_MAX - MEM_HUGE_PAGE) return -1;
  size_t held = size ? whole_pages(size) : 0;
  if (held > r->held && take(r->mem, r->tag, held - r->held)) return -1;
  if (held && held != r->held && (r->base ? map_more(r, held) : held <= SMALL ? take_small(r, held) : map_first(r, held))) {
    if (held > r->held) give(r->mem, r->tag, held - r->held);
    return -1;
  }
  if (!held) unmap(r);
  if (held < r->held) give(r->mem, r->tag, r->held - held);
  if (held && size < r->size) memset(r->base + size, 0, (r->size < held ? r->size : held) - size);
  if (held >= 8 * MEM_HUGE_PAGE && held > r->held) madvise(r->base, held, MADV_HUGEPAGE);
  r->held = held;
  r->size = size;
  return 0;
}

int region_grow(struct region *r, size_t size) {
  if (size <= r->size) return 0;
  return region_resize(r, size + size / 16 + 4096) && region_resize(r, size) ? -1 : 0; /* it grows in place: small steps cost nothing */
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif
void mem_make_ready(void *at, size_t bytes) { madvise(at, bytes, MADV_POPULATE_WRITE); }

void region_clear(struct region *r) {
  if (r->base) memset(r->base, 0, r->size);
}

void region_close(struct region *r) {
  if (!r->mem) return;
  unmap(r);
  give(r->mem, r->tag, r->held);
  *r = (struct region){0};
}

void region_retag(struct region *r, enum mem_tag tag) {
  r->mem->tag_used[r->tag] -= r->held;
  r->mem->tag_used[tag] += r->held;
  r->tag = tag;
}

/* ---- arenas ----------------------------------------------------------------------- */

enum { ARENA_FIRST = 1 << 10, ARENA_CHUNK = 64 << 10 };

void arena_open(struct arena *a, struct mem *m, enum mem_tag tag) { *a = (struct arena){.mem = m, .tag = tag}; }

void *arena_alloc(struct arena *a, size_t bytes) {
  if (bytes > SIZE_MAX - 64) return NULL;
  bytes = bytes ? (bytes + 7) & ~(size_t)7 : 8; /* nothing has an address, too: NULL is kept for refusal */
  if ((size_t)(a->end - a->next) < bytes) {
    size_t chunk = !a->chunk ? ARENA_FIRST : a->chunk < ARENA_CHUNK ? a->chunk * 2 : ARENA_CHUNK;
    size_t room = bytes > chunk / 4 ? bytes : chunk;
    struct arena_chunk *c = mem_alloc(a->mem, a->tag, sizeof *c + 8 + room);
    if (!c) return NULL;
    c->next = a->chunks;
    a->chunks = c;
    char *start = (char *)(c + 1);
    if (room == bytes) return start; /* a chunk of its own: keep filling the current one */
    a->next = start;
    a->end = start + room;
    a->chunk = chunk;
  }
  void *out = a->next;
  a->next += bytes;
  return out;
}

char *arena_strndup(struct arena *a, const char *text, size_t length) {
  char *copy = arena_alloc(a, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

void arena_close(struct arena *a) {
  if (!a->mem) return;
  for (struct arena_chunk *c = a->chunks, *next; c; c = next) {
    next = c->next;
    mem_free(a->mem, c);
  }
  *a = (struct arena){0};
}

/* ---- nodes ------------------------------------------------------------------------- */

enum { NODES = 1024, INTERLEAVE = 3 /* MPOL_INTERLEAVE of linux/mempolicy.h */ };

/* A list of ranges as the kernel writes it: "0-1,4". How many numbers, which are set in `mask`. */
static unsigned read_ranges(const char *text, unsigned long *mask) {
  unsigned count = 0;
  for (char *end; *text && *text != '\n'; text = *end ? end + 1 : end) {
    unsigned long from = strtoul(text, &end, 10), to = from;
    if (end == text) return count;
    if (*end == '-') to = strtoul(end + 1, &end, 10);
    for (unsigned long n = from; n <= to && n < NODES; n++, count++) mask[n / (8 * sizeof *mask)] |= 1ul << n % (8 * sizeof *mask);
  }
  return count;
}

unsigned mem_interleave(void) {
  unsigned long mask[NODES / (8 * sizeof(unsigned long)) + 1] = {0};
  char line[512];
  FILE *f = fopen("/sys/devices/system/node/has_memory", "re");
  unsigned nodes = f && fgets(line, sizeof line, f) ? read_ranges(line, mask) : 1;
  if (f) fclose(f);
  if (nodes > 1) syscall(SYS_set_mempolicy, INTERLEAVE, mask, (unsigned long)NODES); /* refused: it stays as it was */
  return nodes < 1 ? 1 : nodes;
}

/* ---- the machine ------------------------------------------------------------------ */

/* Reads one number from a kernel file; 0 when absent or "max". */
static size_t number_in(const char *path) {
  FILE *f = fopen(path, "re");
  if (!f) return 0;
  unsigned long long n = 0;
  if (fscanf(f, "%llu", &n) != 1) n = 0;
  fclose(f);
  return (size_t)n;
}

/* The smaller limit; 0 is none. */
static size_t least(size_t a, size_t b) { return !a || (b && b < a) ? b : a; }

/* The smallest limit on the way from a group to the root: of /sys/fs/cgroup + below + path + either file. The path is cut on the way. 0: there is none. */
static size_t limit_on_the_way(const char *below, char *path, const char *const file[2]) {
  size_t limit = 0;
  for (;;) {
    char name[4300];
    for (int i = 0; i < 2 && file[i]; i++) {
      snprintf(name, sizeof name, "/sys/fs/cgroup%s%s/%s", below, strcmp(path, "/") ? path : "", file[i]);
      limit = least(limit, number_in(name));
    }
    char *slash = strrchr(path, '/');
    if (!slash || !*path) return limit;
    *slash = 0;
  }
}

/* Is "memory" in a list of controllers, "cpu,memory"? */
static int has_memory(const char *list, size_t length) {
  for (const char *end = list + length; list < end; list += strcspn(list, ",:") + 1)
    if (strncmp(list, "memory", 6) == 0 && (list[6] == ',' || list[6] == ':')) return 1;
  return 0;
}

/* The limit of the groups that this process is in, of version 2 ("0::/path") and of version 1 ("4:memory:/path"). In a container the path may be one of the host's, which is not
   there: then what is mounted is the container's own. Above memory.high (systemd: MemoryHigh=) nobody is killed, but everything crawls. */
static size_t cgroup_limit(void) {
  static const char *const first_version[2] = {"memory.limit_in_bytes"}, *const second_version[2] = {"memory.max", "memory.high"};
  size_t limit = 0;
  char line[4096];
  FILE *f = fopen("/proc/self/cgroup", "re");
  while (f && fgets(line, sizeof line, f)) {
    char *list = strchr(line, ':'), *path = list ? strchr(list + 1, ':') : NULL;
    if (!path) continue;
    int second = strncmp(line, "0::", 3) == 0;
    if (!second && !has_memory(list + 1, (size_t)(path - list))) continue;
    path++;
    path[strcspn(path, "\n")] = 0;
    limit = least(limit, second ? limit_on_the_way("", path, second_version) : limit_on_the_way("/memory", path, first_version));
  }
  if (f) fclose(f);
  static const char *const fixed[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.high", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) limit = least(limit, number_in(fixed[i]));
  return limit;
}

size_t mem_machine(void) {
  size_t physical = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  size_t limit = cgroup_limit();
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY) limit = least(limit, r.rlim_cur);
  return limit && limit < physical ? limit : physical;
}

size_t mem_resident(void) {
  FILE *f = fopen("/proc/self/statm", "re");
  unsigned long long total, resident = 0;
  if (!f) return 0;
  if (fscanf(f, "%llu %llu", &total, &resident) != 2) resident = 0;
  fclose(f);
  return (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}

static size_t resident_peak_of(int who) {
  struct rusage u;
  return getrusage(who, &u) ? 0 : (size_t)u.ru_maxrss * 1024;
}

size_t mem_resident_peak(void) { return resident_peak_of(RUSAGE_SELF); }
size_t mem_children_peak(void) { return resident_peak_of(RUSAGE_CHILDREN); }
