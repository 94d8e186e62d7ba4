/* mem.h -- every byte under one hard budget.
 *
 * A run owns one `struct mem`.  Whatever the run holds (states, frontier, model,
 * analysis tables) is asked for here with a tag that says what it is for, so that
 * the report can account for each byte and the budget is a promise, not a hope.
 * Asking for more than is left returns NULL: an ordinary answer that the caller
 * turns into STORE_FULL, an `incomplete` verdict or an ERR_MEMORY.
 *
 * Two ways to get memory:
 *   - blocks: mem_alloc / mem_resize / mem_free, for anything up to a few MB;
 *   - regions: one large array that grows in place: addresses are reserved up to the
 *     budget and made usable piece by piece, so nothing is copied and nothing needs
 *     a second copy to grow.
 *
 * Laws (tests/unit/mem.c): used() is the sum over tags; used() <= budget always;
 * a refused request leaves everything as it was; free(NULL) is fine. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

#define MEM_HUGE_PAGE ((size_t)2 << 20) /* regions begin at one, and large ones are made of them */

/* What the memory is for: the rows of the memory table in reports. */
enum mem_tag {
  MEM_STORE,    /* visited states */
  MEM_FRONTIER, /* states waiting to be expanded, search stacks */
  MEM_SEARCH,   /* batches, spanning tree, marks */
  MEM_MODEL,    /* the model: names, arcs, tables */
  MEM_ANALYSIS, /* invariants, coverability */
  MEM_OTHER,
  MEM_TAGS
};

struct mem {
  size_t budget;
  size_t used, peak;
  size_t tag_used[MEM_TAGS];
  size_t fail_after; /* test hook: the n-th request from now is refused; 0 = off */
  const volatile int *stop; /* NULL, or: once this is not 0 every request is refused, so that whoever is at work comes to an end soon */
};

const char *mem_tag_name(enum mem_tag tag);

/* budget 0 means unlimited. */
void mem_open(struct mem *m, size_t budget);
size_t mem_left(const struct mem *m);

/* Blocks. mem_alloc returns zeroed memory aligned to 16 bytes. */
void *mem_alloc(struct mem *m, enum mem_tag tag, size_t bytes);
void *mem_resize(struct mem *m, enum mem_tag tag, void *block, size_t bytes); /* new bytes are zero; fewer bytes are never refused */
void mem_free(struct mem *m, void *block);
void mem_trim(void); /* gives what freed blocks left behind back to the system */
char *mem_strndup(struct mem *m, enum mem_tag tag, const char *text, size_t length);

/* A region: `size` bytes are usable and fresh ones are zero. `base` may move on a resize while it is small, and where addresses are scarce. */
struct region {
  struct mem *mem;
  enum mem_tag tag;
  uint8_t *base;
  size_t size;     /* usable bytes as asked for */
  size_t held;     /* bytes counted against the budget, whole pages */
  size_t reserved; /* addresses from base on; 0 = none beyond held */
  int small;       /* not mapped: a block of the C library */
};
void region_open(struct region *r, struct mem *m, enum mem_tag tag);
int region_resize(struct region *r, size_t size); /* 0, or -1 and nothing changed */
int region_grow(struct region *r, size_t size);   /* at least so many, and more where the budget allows: for what grows step by step */
void region_clear(struct region *r);              /* all usable bytes become zero */
void region_close(struct region *r);
/* Whoever first writes to a page waits until the system has cleared it: for a huge one as long as some thousand states take.  This makes it ready beforehand, and may be called by any thread at any time: what is there stays as it is,
   and it is no fault if the region is gone. Nothing happens on systems that cannot do it. */
void mem_make_ready(void *at, size_t bytes);
void region_retag(struct region *r, enum mem_tag tag); /* it changes hands */

/* An arena: many small pieces that live and die together (names, arcs). */
struct arena {
  struct mem *mem;
  enum mem_tag tag;
  struct arena_chunk *chunks;
  char *next, *end;
  size_t chunk; /* size of the newest: they double from 1 KB to 64 KB */
};
void arena_open(struct arena *a, struct mem *m, enum mem_tag tag);
void *arena_alloc(struct arena *a, size_t bytes); /* zeroed, 8-byte aligned; NULL when refused */
char *arena_strndup(struct arena *a, const char *text, size_t length);
void arena_close(struct arena *a);

/* From now on memory that is touched first lies on all nodes of the machine in turn, where it has several: for tables that all threads use. Returns how many nodes there are. */
unsigned mem_interleave(void);

/* What the machine or container offers: the smaller of physical memory and cgroup limit. */
size_t mem_machine(void);
/* What this process holds now, in bytes of resident memory; 0 where unknown. */
size_t mem_resident(void);
size_t mem_resident_peak(void);
/* The most that one of the processes that this one has started held: a preprocessor, a compiler. 0: there was none that has ended. */
size_t mem_children_peak(void);

#endif
