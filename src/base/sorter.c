/* sorter.c -- see sorter.h. */
#define _GNU_SOURCE /* qsort_r */
#include "base/sorter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LENGTH = 4, OFFSET = 4, MOST = 1 << 24, LEAST = 1 << 16 };

static int compare(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
  size_t shared = a_length < b_length ? a_length : b_length;
  int order = shared ? memcmp(a, b, shared) : 0;
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

int sorter_open(struct sorter *s, const char *folder, size_t bytes, struct mem *mem, struct err *e) {
  *s = (struct sorter){.mem = mem, .folder = folder};
  s->room = (bytes > MOST ? MOST : bytes < LEAST ? LEAST : bytes) & ~(size_t)15;
  s->block = mem_alloc(mem, MEM_OTHER, s->room);
  return s->block ? 0 : err_memory(e, "sorting");
}

static int failed(const struct sorter *s, struct err *e) { return err_io(e, s->folder, "a temporary file: %s", strerror(errno ? errno : EIO)); }

/* ---- the block -------------------------------------------------------------------------------------------------------------- */

static uint32_t *offsets(const struct sorter *s) { return (uint32_t *)(void *)(s->block + s->room) - s->count; }

static uint32_t length_at(const struct sorter *s, uint32_t offset) {
  uint32_t length;
  memcpy(&length, s->block + offset, LENGTH);
  return length;
}

static int compare_offsets(const void *x, const void *y, void *context) {
  const struct sorter *s = context;
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return compare(s->block + a + LENGTH, length_at(s, a), s->block + b + LENGTH, length_at(s, b));
}

static void sort(struct sorter *s) {
  if (s->count) qsort_r(offsets(s), s->count, OFFSET, compare_offsets, s);
}

/* The next of the sorted block that differs from the one before it. */
static int from_block(struct sorter *s, const uint8_t **string, size_t *length) {
  const uint32_t *at = offsets(s);
  while (s->next && s->next < s->count && compare_offsets(&at[s->next - 1], &at[s->next], s) == 0) s->next++;
  if (s->next >= s->count) return 0;
  uint32_t offset = at[s->next++];
  *string = s->block + offset + LENGTH;
  *length = length_at(s, offset);
  return 1;
}

/* ---- runs -------------------------------------------------------------------------------------------------------------------- */

static FILE *nameless(const struct sorter *s) {
  char name[4096];
  if (snprintf(name, sizeof name, "%s/thimble-XXXXXX", s->folder) >= (int)sizeof name) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  int fd = mkstemp(name);
  if (fd < 0) return NULL;
  unlink(name);
  FILE *file = fdopen(fd, "w+b");
  if (!file) close(fd);
  return file;
}

static int write_string(FILE *file, const uint8_t *string, size_t length) {
  uint32_t short_length = (uint32_t)length;
  return fwrite(&short_length, LENGTH, 1, file) == 1 && (!length || fwrite(string, length, 1, file) == 1) ? 0 : -1;
}

/* The next string of a run. 1, 0, -1 with err. */
static int advance(struct sorter *s, struct sorter_run *r, struct err *e) {
  uint32_t length;
  errno = 0;
  if (fread(&length, LENGTH, 1, r->file) != 1) return ferror(r->file) ? failed(s, e) : 0;
  if (length > r->room) {
    uint8_t *at = mem_resize(s->mem, MEM_OTHER, r->at, length);
    if (!at) return err_memory(e, "sorting");
    r->at = at;
    r->room = length;
  }
  r->length = length;
  return !length || fread(r->at, length, 1, r->file) == 1 ? 1 : failed(s, e);
}

static int comes_first(const struct sorter *s, unsigned a, unsigned b) {
  return compare(s->run[a].at, s->run[a].length, s->run[b].at, s->run[b].length) < 0;
}

static void sift(struct sorter *s, unsigned at) {
  for (unsigned child; (child = 2 * at + 1) < s->heaped; at = child) {
    if (child + 1 < s->heaped && comes_first(s, s->heap[child + 1], s->heap[child])) child++;
    if (!comes_first(s, s->heap[child], s->heap[at])) return;
    unsigned kept = s->heap[at];
    s->heap[at] = s->heap[child];
    s->heap[child] = kept;
  }
}

/* The run on top goes on. 0, or -1 with err. */
static int go_on(struct sorter *s, struct err *e) {
  int there = advance(s, &s->run[s->heap[0]], e);
  if (there < 0) return -1;
  if (!there) s->heap[0] = s->heap[--s->heaped];
  sift(s, 0);
  return 0;
}

static int begin_merge(struct sorter *s, struct err *e) {
  s->heaped = s->taken = 0;
  for (unsigned i = 0; i < s->runs; i++) {
    rewind(s->run[i].file);
    int there = advance(s, &s->run[i], e);
    if (there < 0) return -1;
    if (there) s->heap[s->heaped++] = i;
  }
  for (unsigned i = s->heaped; i-- > 0;) sift(s, i);
  return 0;
}

/* The string that was told stays on top until the next is asked for: those that equal it go with it. */
static int from_runs(struct sorter *s, const uint8_t **string, size_t *length, struct err *e) {
  if (s->taken && s->heaped) {
    struct sorter_run *top = &s->run[s->heap[0]];
    uint8_t *told = mem_alloc(s->mem, MEM_OTHER, top->length + 1);
    if (!told) return err_memory(e, "sorting");
    size_t told_length = top->length;
    if (told_length) memcpy(told, top->at, told_length);
    int bad = 0;
    while (!bad && s->heaped && compare(s->run[s->heap[0]].at, s->run[s->heap[0]].length, told, told_length) == 0) bad = go_on(s, e);
    mem_free(s->mem, told);
    if (bad) return -1;
  }
  if (!s->heaped) return 0;
  s->taken = 1;
  *string = s->run[s->heap[0]].at;
  *length = s->run[s->heap[0]].length;
  return 1;
}

static void drop_run(struct sorter *s, struct sorter_run *r) {
  if (r->file) fclose(r->file);
  mem_free(s->mem, r->at);
  *r = (struct sorter_run){0};
}

/* All runs become one. */
static int merge_all(struct sorter *s, struct err *e) {
  const uint8_t *string;
  size_t length;
  int there = 0;
  struct sorter_run all = {.file = nameless(s)};
  if (!all.file) return failed(s, e);
  int bad = begin_merge(s, e);
  while (!bad && (there = from_runs(s, &string, &length, e)) > 0)
    if (write_string(all.file, string, length)) bad = failed(s, e);
  if (!bad && there < 0) bad = -1;
  if (!bad && fflush(all.file)) bad = failed(s, e);
  for (unsigned i = 0; i < s->runs && !bad; i++) drop_run(s, &s->run[i]);
  if (bad) return drop_run(s, &all), -1;
  s->run[0] = all;
  s->runs = 1;
  return 0;
}

/* The block becomes a run. */
static int spill(struct sorter *s, struct err *e) {
  const uint8_t *string;
  size_t length;
  if (!s->count) return 0;
  if (s->runs == SORTER_RUNS && merge_all(s, e)) return -1;
  FILE *file = nameless(s);
  if (!file) return failed(s, e);
  s->run[s->runs++].file = file;
  sort(s);
  s->next = 0;
  while (from_block(s, &string, &length))
    if (write_string(file, string, length)) return failed(s, e);
  if (fflush(file)) return failed(s, e);
  s->used = s->count = 0;
  return 0;
}

/* ---- the door ---------------------------------------------------------------------------------------------------------------- */

int sorter_add(struct sorter *s, const void *string, size_t length, struct err *e) {
  size_t need = LENGTH + length + OFFSET;
  if (need > s->room) return err_limit(e, "a string of %zu bytes is too long to be sorted", length);
  if (s->used + need + s->count * OFFSET > s->room && spill(s, e)) return -1;
  uint32_t short_length = (uint32_t)length, offset = (uint32_t)s->used;
  memcpy(s->block + s->used, &short_length, LENGTH);
  if (length) memcpy(s->block + s->used + LENGTH, string, length);
  s->used += LENGTH + length;
  s->count++;
  offsets(s)[0] = offset;
  return 0;
}

void sorter_clear(struct sorter *s) {
  for (unsigned i = 0; i < s->runs; i++) drop_run(s, &s->run[i]);
  s->runs = 0;
  s->used = s->count = 0;
}

int sorter_begin(struct sorter *s, struct err *e) {
  s->next = 0;
  if (!s->runs) return sort(s), 0;
  return spill(s, e) || begin_merge(s, e) ? -1 : 0;
}

int sorter_next(struct sorter *s, const uint8_t **string, size_t *length, struct err *e) {
  return s->runs ? from_runs(s, string, length, e) : from_block(s, string, length);
}

void sorter_close(struct sorter *s) {
  if (!s->mem) return;
  sorter_clear(s);
  mem_free(s->mem, s->block);
  *s = (struct sorter){0};
}
