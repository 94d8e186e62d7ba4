/* disk_log.c -- see disk_log.h. */
#include "store/disk_log.h"

int disk_log_open(struct disk_log *l, struct disk_coder *c) {
  size_t bytes = c->per_block * c->words * sizeof *l->tail;
  *l = (struct disk_log){.coder = c, .block_number = UINT64_MAX};
  l->tail = mem_alloc(c->mem, MEM_FRONTIER, bytes);
  l->block = mem_alloc(c->mem, MEM_FRONTIER, bytes);
  l->packed = mem_alloc(c->mem, MEM_FRONTIER, c->packed_room);
  if (l->tail && l->block && l->packed && disk_file_create(c->files, &l->file) == 0) return 0;
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
      disk_files_problem(c->files, "a block of the temporary file %u is damaged", l->file.number);
      return NULL;
    }
    l->block_number = block;
  }
  return l->block + at;
}

int disk_log_forget(struct disk_log *l, uint64_t number) {
  uint64_t block = number / l->coder->per_block;
  if (number > l->kept) l->kept = number;
  if (!block || block > l->offset.count) return 0;
  return disk_file_forget(l->coder->files, &l->file, block < l->offset.count ? l->offset.at[block] : l->file.size);
}
