/* kept.h -- files that a target makes once and changes for each input.
 *
 * The input is a list of changes: a byte says in which file (records begin behind their head), two bytes where, one how many bytes follow.  Sums are made right again afterwards, so that the changes arrive; a list that begins with an
 * odd byte leaves them wrong. */
#ifndef TESTS_FUZZ_KEPT_H
#define TESTS_FUZZ_KEPT_H

#include "base/hash.h"
#include "base/records.h"
#include "demand.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEPT_FILES = 32, KEPT_LONGEST = 300 };

struct kept {
  char path[KEPT_LONGEST];
  uint8_t *bytes, *now; /* as it was made; as it is this time */
  size_t length, head;
  void (*mend)(struct kept *);
};

struct kept_set {
  struct kept file[KEPT_FILES];
  size_t count;
};

static inline void kept_take(struct kept_set *set, const char *path, size_t head, void (*mend)(struct kept *)) {
  demand(set->count < KEPT_FILES);
  struct kept *k = &set->file[set->count++];
  struct stat about;
  int fd = open(path, O_RDONLY);
  demand(fd >= 0 && fstat(fd, &about) == 0);
  snprintf(k->path, sizeof k->path, "%s", path);
  k->head = head;
  k->mend = mend;
  k->length = (size_t)about.st_size;
  k->bytes = malloc(k->length + 1);
  k->now = malloc(k->length + 1);
  demand(k->bytes && k->now && read(fd, k->bytes, k->length) == (ssize_t)k->length);
  close(fd);
}

/* Sums of records: see base/records.c. */
static inline void kept_mend_records(struct kept *k) {
  uint64_t nonce, about[4], length, sum;
  uint32_t kind;
  memcpy(&nonce, k->now + RECORDS_HEAD - 16, 8);
  for (size_t at = RECORDS_HEAD; at + RECORDS_HEADER <= k->length; at += RECORDS_HEADER + length) {
    memcpy(&kind, k->now + at, 4);
    memcpy(&length, k->now + at + 8, 8);
    if (length > k->length - at - RECORDS_HEADER) return;
    about[0] = nonce, about[1] = at, about[2] = kind, about[3] = length;
    sum = XXH64(about, sizeof about, XXH64(k->now + at + RECORDS_HEADER, length, 0));
    memcpy(k->now + at + 16, &sum, 8);
  }
}

/* `size` is at least 1. */
static inline void kept_change(struct kept_set *set, const uint8_t *data, size_t size) {
  int mend = !(data[0] & 1);
  for (size_t i = 0; i < set->count; i++) memcpy(set->file[i].now, set->file[i].bytes, set->file[i].length);
  for (data++, size--; size >= 4;) {
    struct kept *k = &set->file[data[0] % set->count];
    size_t n = data[3] < size - 4 ? data[3] : size - 4;
    for (size_t i = 0; i < n && k->head < k->length; i++) k->now[k->head + ((data[1] | (size_t)data[2] << 8) + i) % (k->length - k->head)] = data[4 + i];
    data += 4 + n;
    size -= 4 + n;
  }
  for (size_t i = 0; i < set->count && mend; i++) set->file[i].mend(&set->file[i]);
}

static inline void kept_put_back(const struct kept_set *set) {
  for (size_t i = 0; i < set->count; i++) {
    const struct kept *k = &set->file[i];
    int fd = open(k->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    demand(fd >= 0 && write(fd, k->now, k->length) == (ssize_t)k->length);
    close(fd);
  }
}

#endif
