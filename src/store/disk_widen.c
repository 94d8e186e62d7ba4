/* disk_widen.c -- states become wider: all files of the store disk are written anew, read, converted and sorted. */
#include "store/disk_inside.h"

#include <string.h>

struct change { /* of all records, from one width to another */
  struct disk *disk;
  store_convert *convert;
  void *context;
  uint32_t from, to, carried; /* words */
  uint32_t *old, *new;        /* one record, with room for what conversions read beyond its end */
};

static const uint32_t *changed(struct change *c, const uint32_t *record) {
  memcpy(c->old, record, c->from * sizeof *c->old);
  memset(c->new, 0, (c->to + c->carried) * sizeof *c->new);
  c->convert(c->context, c->old, c->new);
  if (c->carried) memcpy(c->new + c->to, record + c->from, c->carried * sizeof *c->new);
  return c->new;
}

/* All records of a run, which is removed, become sorted runs of the new width, at the end of a list. */
static int change_run(struct change *c, struct disk_run *run, struct disk_coder *from, struct disk_coder *to, int visited) {
  struct disk *d = c->disk;
  struct disk_table buffer;
  struct disk_reader r = {0};
  const uint32_t *record;
  disk_table_open(&buffer, d->mem, to->words, to->words, d->candidates.most);
  int bad = disk_reader_open(&r, run, from);
  while (!bad) {
    record = disk_reader_peek(&r);
    if (record && disk_table_append(&buffer, changed(c, record)) == 0) {
      disk_reader_advance(&r);
      continue;
    }
    if (record && !buffer.count) bad = -1;
    if (bad || !buffer.count) break;
    disk_sort(disk_table_at(&buffer, 0), buffer.count, to->words);
    struct disk_run *made = disk_write_sorted(d, to, disk_table_at(&buffer, 0), buffer.count, 0);
    bad = !made || (visited ? disk_add_visited(d, made) : disk_push_run(d, made)) ? -1 : 0;
    buffer.count = 0;
  }
  disk_reader_close(&r);
  disk_table_close(&buffer);
  disk_drop_run(d, run);
  return bad || disk_files_failed(d->files) ? -1 : 0;
}

static int change_log(struct change *c, struct disk_coder *to) {
  struct disk *d = c->disk;
  struct disk_log next;
  int bad = disk_log_open(&next, to);
  c->carried = 0; /* which candidates have alone */
  for (uint64_t i = 0; !bad && i < d->log.records; i++) {
    const uint32_t *state = i < d->log.kept ? NULL : disk_log_at(&d->log, i);
    if (i >= d->log.kept && !state) bad = -1;
    else if (state) state = changed(c, state);
    else memset(c->new, 0, c->to * sizeof *c->new), state = c->new; /* nobody will ask */
    if (!bad) bad = disk_log_append(&next, state);
  }
  if (!bad) disk_log_forget(&next, d->log.kept);
  disk_log_close(&d->log);
  d->log = next;
  return bad;
}

static int change_runs(struct change *c, struct disk_coder *to, struct disk_coder *carrier) {
  struct disk *d = c->disk;
  size_t visited = d->visited.count, arrivals = d->arrivals.count;
  int bad = 0;
  /* the lists are made anew, from copies that are in nobody's way */
  struct disk_run **old = mem_alloc(d->mem, MEM_STORE, (visited + arrivals + 1) * sizeof *old);
  if (!old) return -1;
  if (visited) memcpy(old, d->visited.at, visited * sizeof *old);
  if (arrivals) memcpy(old + visited, d->arrivals.at, arrivals * sizeof *old);
  d->visited.count = d->arrivals.count = 0;
  uint32_t carried = c->carried;
  for (size_t i = 0; i < visited + arrivals; i++) {
    c->carried = i < visited ? 0 : carried;
    if (bad) disk_drop_run(d, old[i]);
    else bad = change_run(c, old[i], i < visited ? &d->coder : disk_candidate_coder(d), i < visited || !d->carried ? to : carrier, i < visited);
  }
  c->carried = carried;
  mem_free(d->mem, old);
  return bad;
}

int disk_rewrite(struct store *base, uint32_t words, uint32_t bits, store_convert *convert, void *context) {
  struct disk *d = (struct disk *)base;
  struct disk_coder coder = {0}, carrier = {0};
  words += !words;
  struct change c = {.disk = d, .convert = convert, .context = context, .from = d->words, .to = words, .carried = d->carried};
  uint32_t *record = NULL;
  if (disk_take_merged(d, 1) || (d->loading ? disk_flush_loaded(d) : disk_flush_candidates(d)) || disk_flush_young(d)) return -1;
  d->in_memory = 0;
  disk_table_close(&d->candidates);
  disk_table_close(&d->young);
  disk_table_close(&d->old);
  region_resize(&d->filter.bits, 0);
  d->filter.blocks = 0;
  for (size_t i = 0; i < d->visited.count; i++) { /* readers are of the old width */
    struct disk_run *r = d->visited.at[i];
    if (r->reader) disk_reader_close(r->reader);
    mem_free(d->mem, r->reader);
    r->reader = NULL;
  }
  disk_open_tables(d); /* for their size */
  c.old = mem_alloc(d->mem, MEM_STORE, (d->words + 8) * sizeof *c.old);
  c.new = mem_alloc(d->mem, MEM_STORE, (words + d->carried + 8) * sizeof *c.new);
  record = mem_alloc(d->mem, MEM_STORE, (words + DISK_CARRIED + 4) * sizeof *record);
  int bad = !c.old || !c.new || !record || disk_coder_open(&coder, d->files, words, d->mem) || (d->carried && disk_coder_open(&carrier, d->files, words + d->carried, d->mem)) ||
            change_runs(&c, &coder, &carrier) || change_log(&c, &coder);
  mem_free(d->mem, c.old);
  mem_free(d->mem, c.new);
  disk_table_close(&d->candidates);
  disk_table_close(&d->young);
  disk_table_close(&d->old);
  if (bad) { /* nothing more will be asked than how many there are */
    disk_log_close(&d->log);
    mem_free(d->mem, record);
    disk_coder_close(&coder);
    disk_coder_close(&carrier);
    disk_open_tables(d);
    return -1;
  }
  disk_coder_close(&d->coder);
  disk_coder_close(&d->carrier);
  mem_free(d->mem, d->record);
  d->coder = coder;
  d->carrier = carrier;
  d->record = record;
  d->words = words;
  d->bits = bits;
  d->log.coder = &d->coder;
  disk_open_tables(d);
  d->filter.enough = 0;
  d->filter.count = d->count;
  return disk_look_after_runs(d) || disk_look_after_filter(d) ? -1 : 0;
}

