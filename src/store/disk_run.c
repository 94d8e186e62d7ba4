/* disk_run.c -- see disk_run.h. */
#include "store/disk_run.h"

#include "base/hash.h"

enum { BLOCK_LEAST = 64, LONG_BLOCK = 128 << 10, AHEAD = 64 << 10, OUT = 256 << 10, INDEX_SHARE = 64 };

/* Records of a block: enough to compress well, few enough to be read for one answer. */
static size_t block_of(uint32_t words, const struct disk_files *files) {
  const struct disk_trial *trial = disk_files_trial(files);
  size_t n = disk_files_block(files) / (words * 4u), least = LONG_BLOCK / (words * 4u) + 1;
  if (least > BLOCK_LEAST) least = BLOCK_LEAST;
  return trial->per_block ? trial->per_block : n < least ? least : n;
}

/* ---- blocks ------------------------------------------------------------------------------------------------- */

int disk_coder_open(struct disk_coder *c, struct disk_files *files, uint32_t words, struct mem *mem) {
  *c = (struct disk_coder){.mem = mem, .files = files, .words = words, .per_block = block_of(words, files)};
  c->coded_room = c->per_block * (words * 4u + 5);
  c->packed_room = squeeze_bound(c->coded_room) + DISK_BLOCK_HEADER;
  c->coded = mem_alloc(mem, MEM_STORE, c->coded_room + 16);
  if (c->coded && squeeze_open(&c->squeeze, c->coded_room, mem, MEM_STORE) == 0) return 0;
  disk_coder_close(c);
  return -1;
}

size_t disk_coder_cost(const struct disk_coder *c) { return c->squeeze.bytes + c->coded_room; }

void disk_coder_close(struct disk_coder *c) {
  if (!c->mem) return;
  squeeze_close(&c->squeeze);
  mem_free(c->mem, c->coded);
  *c = (struct disk_coder){0};
}

/* The difference of two records as a large number, least significant byte first. Returns the bytes that count. */
static size_t subtract(const uint32_t *a, const uint32_t *b, uint32_t words, uint8_t *out) {
  uint64_t borrow = 0;
  size_t bytes = 0;
  uint32_t last = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint64_t d = (uint64_t)a[words - 1 - i] - b[words - 1 - i] - borrow;
    uint32_t low = (uint32_t)d;
    borrow = d >> 63;
    memcpy(out + 4 * i, &low, 4);
    if (low) last = low, bytes = 4 * (size_t)i + 4;
  }
  return bytes ? bytes - (size_t)__builtin_clz(last) / 8 : 0;
}

static void add(const uint32_t *a, const uint8_t *difference, size_t bytes, uint32_t words, uint32_t *out) {
  uint64_t carry = 0;
  for (uint32_t i = 0; i < words; i++) {
    uint32_t low = 0;
    if (bytes >= 4) memcpy(&low, difference, 4), difference += 4, bytes -= 4;
    else if (bytes) memcpy(&low, difference, bytes), bytes = 0;
    else if (!carry) {
      memcpy(out, a, (words - i) * sizeof *out);
      return;
    }
    carry += (uint64_t)a[words - 1 - i] + low;
    out[words - 1 - i] = (uint32_t)carry;
    carry >>= 32;
  }
}

struct header {
  uint32_t packed, coded, lengths, records;
  uint64_t checksum;
};

static uint64_t checksum(const struct header *h, const struct disk_file *file, uint64_t at, const uint8_t *frame) {
  uint64_t where = hash_pair((uint64_t)file->number, at), what = hash_pair((uint64_t)h->packed << 32 | h->coded, (uint64_t)h->lengths << 32 | h->records);
  return hash_bytes_seeded(frame, h->packed, where ^ what);
}

enum { LONG = 255 };

size_t disk_block_make(struct disk_coder *c, const uint32_t *records, size_t count, const struct disk_file *file, uint64_t at, uint8_t *out) {
  uint32_t words = c->words;
  uint8_t *length = c->coded;
  /* differences are made at the end of the room, behind all lengths that can be, and moved to them */
  uint8_t *bytes = c->coded + 5 * count, *to = bytes;
  static const uint32_t none[2] = {0};
  for (size_t i = 0; i < count; i++) {
    const uint32_t *now = records + i * words;
    size_t n;
    if (i) n = subtract(now, now - words, words, to);
    else if (words <= 2) n = subtract(now, none, words, to);
    else {
      n = 4 * (size_t)words; /* the first one as it is */
      for (uint32_t k = 0; k < words; k++) memcpy(to + 4 * k, &now[words - 1 - k], 4);
    }
    if (n < LONG) *length++ = (uint8_t)n;
    else {
      uint32_t wide = (uint32_t)n;
      *length = LONG;
      memcpy(length + 1, &wide, 4);
      length += 5;
    }
    to += n;
  }
  size_t lengths = (size_t)(length - c->coded), differences = (size_t)(to - bytes);
  memmove(length, bytes, differences);
  const char *why;
  size_t packed = squeeze_pack(&c->squeeze, c->coded, lengths + differences, out + DISK_BLOCK_HEADER, c->packed_room - DISK_BLOCK_HEADER, &why);
  if (!packed) {
    disk_files_problem(c->files, "states could not be compressed: %s", why);
    return 0;
  }
  struct header h = {(uint32_t)packed, (uint32_t)(lengths + differences), (uint32_t)lengths, (uint32_t)count, 0};
  h.checksum = checksum(&h, file, at, out + DISK_BLOCK_HEADER);
  memcpy(out, &h, DISK_BLOCK_HEADER);
  return packed + DISK_BLOCK_HEADER;
}

static int damaged(struct disk_coder *c, const struct disk_file *file) {
  return disk_files_problem(c->files, "a block of file %u in %s is damaged: its checksum is wrong", file->number, disk_files_path(c->files));
}

size_t disk_block_bytes(struct disk_coder *c, const struct disk_file *file, const uint8_t *header) {
  struct header h;
  memcpy(&h, header, DISK_BLOCK_HEADER);
  if (h.packed && h.packed <= c->packed_room - DISK_BLOCK_HEADER && h.coded <= c->coded_room && h.lengths <= h.coded && h.records && h.records <= c->per_block)
    return h.packed + DISK_BLOCK_HEADER;
  damaged(c, file);
  return 0;
}

/* The lengths and bytes of a block as records. 0, or -1: they are none. */
static int decode(struct disk_coder *c, const struct header *h, uint32_t *records) {
  uint32_t words = c->words;
  const uint8_t *length = c->coded, *bytes = c->coded + h->lengths, *end = c->coded + h->coded, *lengths_end = bytes;
  for (size_t i = 0; i < h->records; i++) {
    uint32_t *now = records + i * words;
    if (length >= lengths_end) return -1;
    size_t n = *length++;
    if (n == LONG) {
      uint32_t wide;
      if (lengths_end - length < 4) return -1;
      memcpy(&wide, length, 4);
      length += 4;
      n = wide;
    }
    if (n > 4 * (size_t)words || n > (size_t)(end - bytes)) return -1;
    if (i && words == 2) { /* most states */
      uint64_t difference = 0;
      memcpy(&difference, bytes, 8); /* there is room behind the end */
      if (n < 8) difference &= ((uint64_t)1 << 8 * n) - 1;
      uint64_t sum = ((uint64_t)now[-2] << 32 | now[-1]) + difference;
      now[0] = (uint32_t)(sum >> 32);
      now[1] = (uint32_t)sum;
    } else if (i) add(now - words, bytes, n, words, now);
    else {
      memset(now, 0, words * sizeof *now);
      for (size_t k = 0; k < n; k++) now[words - 1 - k / 4] |= (uint32_t)bytes[k] << 8 * (k % 4);
    }
    bytes += n;
  }
  return bytes == end && length == lengths_end ? 0 : -1;
}

int disk_block_is_whole(struct disk_coder *c, const struct disk_file *file, uint64_t at, const uint8_t *block) {
  struct header h;
  memcpy(&h, block, DISK_BLOCK_HEADER);
  return h.checksum == checksum(&h, file, at, block + DISK_BLOCK_HEADER) ? 1 : (damaged(c, file), 0);
}

size_t disk_block_read(struct disk_coder *c, const struct disk_file *file, uint64_t at, const uint8_t *block, uint32_t *records) {
  struct header h;
  memcpy(&h, block, DISK_BLOCK_HEADER);
  if (!disk_block_is_whole(c, file, at, block)) return 0;
  size_t coded = squeeze_unpack(&c->squeeze, block + DISK_BLOCK_HEADER, h.packed, c->coded, c->coded_room);
  if (!coded || coded != h.coded || decode(c, &h, records)) return damaged(c, file), 0;
  return h.records;
}

/* ---- writing ------------------------------------------------------------------------------------------------ */

void disk_run_remove(struct disk_run *r, struct disk_files *files, struct mem *mem) {
  if (r->reader) disk_reader_close(r->reader);
  mem_free(mem, r->reader);
  disk_file_remove(files, &r->file);
  mem_free(mem, r->first);
  mem_free(mem, r->offset);
  *r = (struct disk_run){0};
}

static size_t out_room(const struct disk_coder *c) { return disk_share(c->mem, 2 * c->packed_room, OUT); }

size_t disk_writer_cost(const struct disk_coder *c) { return out_room(c) + c->per_block * c->words * 4; }

/* Room for an index of so many blocks. 0, or -1: memory. */
static int open_index(struct disk_run *run, uint64_t blocks, struct mem *mem) {
  size_t entry = run->words * sizeof *run->first + sizeof *run->offset, most = mem_left(mem) / INDEX_SHARE / entry + 16;
  for (run->stride = 1; blocks / run->stride + 2 > most;) run->stride *= 2;
  run->room = (size_t)(blocks / run->stride + 2);
  run->first = mem_alloc(mem, MEM_STORE, run->room * run->words * sizeof *run->first);
  run->offset = mem_alloc(mem, MEM_STORE, run->room * sizeof *run->offset);
  return run->first && run->offset ? 0 : -1;
}

/* The block number r->blocks, which begins with this record at this place. */
static void note_block(struct disk_run *r, const uint32_t *record, uint64_t at) {
  if (r->blocks++ % r->stride) return;
  memcpy(r->first + r->entries * r->words, record, r->words * sizeof *r->first);
  r->offset[r->entries++] = at;
}

int disk_writer_open(struct disk_writer *w, struct disk_run *run, struct disk_coder *c, uint64_t expected) {
  struct mem *mem = c->mem;
  *run = (struct disk_run){.words = c->words};
  *w = (struct disk_writer){.coder = c, .run = run};
  int bad = open_index(run, expected / c->per_block + 2, mem);
  w->out_room = out_room(c);
  if (w->out_room > expected * (c->words * 4u + 6) + 4 * c->packed_room) w->out_room = 4 * c->packed_room; /* short ones need little */
  w->records = mem_alloc(mem, MEM_STORE, c->per_block * c->words * sizeof *w->records);
  w->out = mem_alloc(mem, MEM_STORE, w->out_room);
  if (!bad && w->records && w->out && disk_file_create(c->files, &run->file) == 0) return 0;
  disk_writer_close(w);
  disk_run_remove(run, c->files, mem);
  return -1;
}

static int flush_out(struct disk_writer *w) {
  int bad = w->out_used && disk_file_append(w->coder->files, &w->run->file, w->out, w->out_used);
  w->out_used = 0;
  return bad ? -1 : 0;
}

static int end_block(struct disk_writer *w) {
  struct disk_run *r = w->run;
  if (w->out_room - w->out_used < w->coder->packed_room && flush_out(w)) return -1;
  uint64_t at = r->file.size + w->out_used;
  size_t bytes = disk_block_make(w->coder, w->records, w->count, &r->file, at, w->out + w->out_used);
  if (!bytes) return -1;
  if (r->blocks % r->stride == 0 && r->entries == r->room) return disk_files_problem(w->coder->files, "a sorted run became longer than it was to be");
  note_block(r, w->records, at);
  r->records += w->count;
  w->out_used += bytes;
  w->count = 0;
  return 0;
}

int disk_writer_add(struct disk_writer *w, const uint32_t *record) {
  uint32_t words = w->coder->words;
  uint32_t *to = w->records + w->count * words;
  for (uint32_t i = 0; i < words; i++) to[i] = record[i];
  return ++w->count == w->coder->per_block ? end_block(w) : 0;
}

int disk_writer_finish(struct disk_writer *w) { return (w->count && end_block(w)) || flush_out(w) ? -1 : 0; }

void disk_writer_close(struct disk_writer *w) {
  if (!w->coder) return;
  struct mem *mem = w->coder->mem;
  struct disk_run *r = w->run;
  mem_free(mem, w->records);
  mem_free(mem, w->out);
  if (r->entries && r->entries < r->room) { /* shrinking is never refused but for tests, and then nothing has changed */
    uint32_t *first = mem_resize(mem, MEM_STORE, r->first, r->entries * r->words * sizeof *first);
    if (first) r->first = first;
    uint64_t *offset = mem_resize(mem, MEM_STORE, r->offset, r->entries * sizeof *offset);
    if (offset) r->offset = offset;
    r->room = r->entries;
  }
  *w = (struct disk_writer){0};
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

static size_t ahead_room(const struct disk_coder *c) { return disk_share(c->mem, c->packed_room + DISK_BLOCK_HEADER, AHEAD); }

size_t disk_reader_cost(const struct disk_coder *c) { return ahead_room(c) + c->per_block * c->words * 4 + 512; }

int disk_reader_open(struct disk_reader *r, const struct disk_run *run, struct disk_coder *c) {
  *r = (struct disk_reader){.coder = c, .run = run, .ahead_room = ahead_room(c)};
  r->records = mem_alloc(c->mem, MEM_STORE, c->per_block * c->words * sizeof *r->records);
  r->ahead = mem_alloc(c->mem, MEM_STORE, r->ahead_room);
  if (r->records && r->ahead) return 0;
  disk_reader_close(r);
  return -1;
}

void disk_reader_close(struct disk_reader *r) {
  if (!r->coder) return;
  mem_free(r->coder->mem, r->records);
  mem_free(r->coder->mem, r->ahead);
  *r = (struct disk_reader){0};
}

void disk_reader_rewind(struct disk_reader *r) { r->at = r->count = 0, r->block = r->next = 0; }

/* `bytes` bytes of the file from `at` on; reads up to `want` of them at once. */
static const uint8_t *window(struct disk_reader *r, uint64_t at, size_t bytes, size_t want) {
  if (at >= r->ahead_at && at + bytes <= r->ahead_at + r->ahead_bytes) return r->ahead + (at - r->ahead_at);
  uint64_t left = r->run->file.size - at;
  if (want > r->ahead_room) want = r->ahead_room;
  if (want > left) want = (size_t)left;
  if (want < bytes) return disk_files_problem(r->coder->files, "file %u in %s ends in the middle of a block", r->run->file.number, disk_files_path(r->coder->files)), NULL;
  size_t kept = 0;
  if (at >= r->ahead_at && at < r->ahead_at + r->ahead_bytes) { /* the beginning is there */
    kept = (size_t)(r->ahead_at + r->ahead_bytes - at);
    memmove(r->ahead, r->ahead + (at - r->ahead_at), kept);
    if (kept > want) kept = want;
  }
  r->ahead_bytes = 0;
  if (disk_file_read(r->coder->files, &r->run->file, at + kept, r->ahead + kept, want - kept)) return NULL;
  r->ahead_at = at;
  r->ahead_bytes = want;
  return r->ahead;
}

/* The next block; `want`: bytes that are worth reading at once. 1; 0: there is none; -1: the files have failed. */
static int load(struct disk_reader *r, size_t want) {
  const struct disk_run *run = r->run;
  r->at = r->count = 0;
  if (r->block == run->blocks) return 0;
  const uint8_t *block = window(r, r->next, DISK_BLOCK_HEADER, want);
  size_t bytes = block ? disk_block_bytes(r->coder, &run->file, block) : 0;
  if (bytes) block = window(r, r->next, bytes, want > bytes ? want : bytes);
  if (!bytes || !block) return -1;
  r->count = disk_block_read(r->coder, &run->file, r->next, block, r->records);
  r->next += bytes;
  r->block++;
  return r->count ? 1 : -1;
}

const uint32_t *disk_reader_peek(struct disk_reader *r) {
  if (r->at == r->count && load(r, r->ahead_room) <= 0) return NULL;
  return r->records + r->at * r->run->words;
}

/* The last entry of the index whose record is not larger. */
static size_t entry_of(const struct disk_run *run, const uint32_t *record, size_t from) {
  size_t low = from, step = 1, high;
  while (low + step < run->entries && disk_compare(run->first + (low + step) * run->words, record, run->words) <= 0) low += step, step *= 2;
  for (high = low + step < run->entries ? low + step : run->entries; high - low > 1;) {
    size_t middle = low + (high - low) / 2;
    if (disk_compare(run->first + middle * run->words, record, run->words) <= 0) low = middle;
    else high = middle;
  }
  return low;
}

/* Makes the block in which the record must lie, if anywhere, the one at hand. 1; 0: there is none; -1. */
static int find_block(struct disk_reader *r, const uint32_t *record) {
  const struct disk_run *run = r->run;
  uint32_t words = run->words;
  for (;;) {
    if (r->count && disk_compare(r->records + (r->count - 1) * words, record, words) >= 0) return 1;
    size_t entry = r->block ? (size_t)((r->block - 1) / run->stride) : 0;
    if (!run->entries || (!r->block && disk_compare(run->first, record, words) > 0)) return 0;
    entry = entry_of(run, record, entry);
    uint64_t block = (uint64_t)entry * run->stride, end = entry + 1 < run->entries ? run->offset[entry + 1] : run->file.size;
    int jumps = block > r->block;
    if (jumps) r->block = block, r->next = run->offset[entry];
    else if (r->next >= end) return 0; /* what the entry leads to was read already: the record lies between two blocks */
    int there = load(r, jumps && end - r->next < r->ahead_room / 2 ? (size_t)(end - r->next) : r->ahead_room);
    if (there <= 0) return there;
  }
}

int disk_reader_has(struct disk_reader *r, const uint32_t *record) {
  uint32_t words = r->run->words;
  int there = find_block(r, record);
  if (there <= 0) return there;
  size_t low = r->at, high, step = 1; /* states before `at` are smaller */
  if (disk_compare(r->records + low * words, record, words) >= 0) return disk_compare(r->records + low * words, record, words) == 0;
  while (low + step < r->count && disk_compare(r->records + (low + step) * words, record, words) < 0) low += step, step *= 2;
  for (high = low + step < r->count ? low + step : r->count; high - low > 1;) {
    size_t middle = low + (high - low) / 2;
    if (disk_compare(r->records + middle * words, record, words) < 0) low = middle;
    else high = middle;
  }
  r->at = high;
  return high < r->count && disk_compare(r->records + high * words, record, words) == 0;
}

/* ---- of another process ------------------------------------------------------------------------------------- */

int disk_run_adopt(struct disk_run *run, const struct disk_file *file, uint64_t records, uint64_t blocks, struct disk_coder *c) {
  struct disk_reader r = {0};
  uint64_t seen = 0;
  *run = (struct disk_run){.file = *file, .words = c->words};
  if (blocks > file->size / DISK_BLOCK_HEADER) return disk_files_problem(c->files, "file %u in %s cannot hold what it is said to", file->number, disk_files_path(c->files));
  uint32_t *last = mem_alloc(c->mem, MEM_STORE, c->words * sizeof *last);
  int bad = !last || open_index(run, blocks, c->mem) || disk_reader_open(&r, run, c);
  for (uint64_t b = 0; !bad && b < blocks; b++) {
    uint64_t at = r.next;
    run->blocks = b + 1; /* as far as load is concerned */
    bad = load(&r, r.ahead_room) <= 0;
    run->blocks = b;
    if (bad) break;
    if (b && disk_compare(last, r.records, c->words) > 0) bad = disk_files_problem(c->files, "file %u in %s is not in order", file->number, disk_files_path(c->files));
    memcpy(last, r.records + (r.count - 1) * c->words, c->words * sizeof *last);
    note_block(run, r.records, at);
    seen += r.count;
  }
  run->records = seen;
  if (!bad && (seen != records || r.next != file->size)) bad = disk_files_problem(c->files, "file %u in %s does not hold what it is said to", file->number, disk_files_path(c->files));
  disk_reader_close(&r);
  mem_free(c->mem, last);
  return bad ? -1 : 0;
}
