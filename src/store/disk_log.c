/* disk_log.c -- see disk_log.h. */
#include "store/disk_log.h"

static int open_buffers(struct disk_log *l, struct disk_coder *c) {
  size_t bytes = c->per_block * c->words * sizeof *l->tail;
  *l = (struct disk_log){.coder = c, .block_number = UINT64_MAX, .hold = UINT64_MAX};
  l->tail = mem_alloc(c->mem, MEM_FRONTIER, bytes);
  l->block = mem_alloc(c->mem, MEM_FRONTIER, bytes);
  l->packed = mem_alloc(c->mem, MEM_FRONTIER, c->packed_room);
  return l->tail && l->block && l->packed ? 0 : -1;
}

int disk_log_open(struct disk_log *l, struct disk_coder *c) {
  if (open_buffers(l, c) == 0 && disk_file_create(c->files, &l->file) == 0) return 0;
  disk_log_close(l);
  return -1;
}

void disk_log_close(struct disk_log *l) {
  if (!l->coder) return;
  struct mem *mem = l->coder->mem;
  disk_file_remove(l->coder->files, &l->file);
  vec_free(&l->offset, mem);
  mem_free(mem, l->tail);
  mem_free(mem, l->block);
  mem_free(mem, l->packed);
  *l = (struct disk_log){0};
}

int disk_log_append(struct disk_log *l, const uint32_t *record) {
  struct disk_coder *c = l->coder;
  size_t at = (size_t)(l->records % c->per_block);
  memcpy(l->tail + at * c->words, record, c->words * sizeof *record);
  if (at + 1 == c->per_block) {
    size_t bytes = disk_block_make(c, l->tail, c->per_block, &l->file, l->file.size, l->packed);
    if (!bytes || vec_reserve(&l->offset, c->mem, MEM_FRONTIER, 1)) return -1;
    uint64_t offset = l->file.size;
    if (disk_file_append(c->files, &l->file, l->packed, bytes)) return -1;
    l->offset.at[l->offset.count++] = offset;
  }
  l->records++;
  return 0;
}

const uint32_t *disk_log_at(struct disk_log *l, uint64_t number) {
  struct disk_coder *c = l->coder;
  uint64_t block = number / c->per_block;
  size_t at = (size_t)(number % c->per_block) * c->words;
  if (block >= l->offset.count) return l->tail + at;
  if (block != l->block_number) {
    uint64_t offset = l->offset.at[block], end = block + 1 < l->offset.count ? l->offset.at[block + 1] : l->file.size;
    l->block_number = UINT64_MAX;
    if (end - offset > c->packed_room || disk_file_read(c->files, &l->file, offset, l->packed, (size_t)(end - offset))) return NULL;
    if (disk_block_bytes(c, &l->file, l->packed) != end - offset || disk_block_read(c, &l->file, offset, l->packed, l->block) != c->per_block) {
      disk_files_problem(c->files, "a block of file %u in %s is damaged", l->file.number, disk_files_path(c->files));
      return NULL;
    }
    l->block_number = block;
  }
  return l->block + at;
}

int disk_log_forget(struct disk_log *l, uint64_t number) {
  if (number > l->kept) l->kept = number;
  uint64_t block = (number < l->hold ? number : l->hold) / l->coder->per_block;
  if (!block || block > l->offset.count) return 0;
  return disk_file_forget(l->coder->files, &l->file, block < l->offset.count ? l->offset.at[block] : l->file.size);
}

/* ---- another process goes on with it ------------------------------------------------------------------------- */

static uint64_t place_of(const struct disk_log *l, uint64_t number) {
  uint64_t block = number / l->coder->per_block;
  return block < l->offset.count ? l->offset.at[block] : l->file.size;
}

struct disk_log_kept disk_log_keep(const struct disk_log *l, uint64_t now) {
  uint64_t kept = l->kept < now ? l->kept : now;
  return (struct disk_log_kept){.records = l->records, .kept = kept, .now = now, .kept_at = place_of(l, kept), .now_at = place_of(l, now)};
}

int disk_log_adopt(struct disk_log *l, const struct disk_file *file, const struct disk_log_kept *k, struct disk_coder *c) {
  if (open_buffers(l, c)) {
    l->file = *file;
    return -1;
  }
  l->file = *file;
  l->records = k->records;
  l->kept = k->kept;
  uint64_t blocks = k->records / c->per_block, first = k->kept / c->per_block, at = k->kept_at;
  if (k->kept > k->now || k->now > k->records || k->kept_at > k->now_at || k->now_at > file->size) return disk_files_problem(c->files, "file %u in %s does not hold what it is said to", file->number, disk_files_path(c->files));
  if (first < k->now / c->per_block && disk_file_is_hole(file, at)) { /* paths are not to be had any more */
    l->kept = k->now;
    first = k->now / c->per_block;
    at = k->now_at;
  }
  for (uint64_t b = 0; b < blocks; b++) {
    if (vec_reserve(&l->offset, c->mem, MEM_FRONTIER, 1)) return -1;
    l->offset.at[l->offset.count++] = b < first ? 0 : at;
    if (b < first) continue;
    if (disk_file_read(c->files, file, at, l->packed, DISK_BLOCK_HEADER)) return -1;
    size_t bytes = disk_block_bytes(c, file, l->packed);
    if (!bytes || disk_file_read(c->files, file, at, l->packed, bytes) || !disk_block_is_whole(c, file, at, l->packed)) return -1;
    at += bytes;
  }
  return at == file->size ? 0 : disk_files_problem(c->files, "file %u in %s does not hold what it is said to", file->number, disk_files_path(c->files));
}
