/* disk_merge.c -- see disk_merge.h. */
#include "store/disk_merge.h"

#include <signal.h>

/* ---- in order ----------------------------------------------------------------------------------------------- */

static int before(const struct disk_merge *m, uint32_t a, uint32_t b) { return disk_compare(m->now[a], m->now[b], m->words) < 0; }

static void sift(struct disk_merge *m, size_t i) {
  uint32_t moved = m->heap[i];
  for (size_t child; (child = 2 * i + 1) < m->left; i = child) {
    if (child + 1 < m->left && before(m, m->heap[child + 1], m->heap[child])) child++;
    if (!before(m, m->heap[child], moved)) break;
    m->heap[i] = m->heap[child];
  }
  m->heap[i] = moved;
}

int disk_merge_open(struct disk_merge *m, struct disk_run *const *runs, size_t count, struct disk_coder *c) {
  *m = (struct disk_merge){.mem = c->mem, .words = c->words};
  m->reader = mem_alloc(c->mem, MEM_STORE, (count + 1) * sizeof *m->reader);
  m->now = mem_alloc(c->mem, MEM_STORE, (count + 1) * sizeof *m->now);
  m->heap = mem_alloc(c->mem, MEM_STORE, (count + 1) * sizeof *m->heap);
  int bad = !m->reader || !m->now || !m->heap;
  for (; !bad && m->count < count; m->count++) bad = disk_reader_open(&m->reader[m->count], runs[m->count], c);
  if (bad) {
    disk_merge_close(m);
    return -1;
  }
  for (uint32_t i = 0; i < count; i++)
    if ((m->now[i] = disk_reader_peek(&m->reader[i]))) m->heap[m->left++] = i;
  for (size_t i = m->left / 2; i--;) sift(m, i);
  return 0;
}

void disk_merge_close(struct disk_merge *m) {
  if (!m->mem) return;
  for (size_t i = 0; m->reader && i < m->count; i++) disk_reader_close(&m->reader[i]);
  mem_free(m->mem, m->reader);
  mem_free(m->mem, m->now);
  mem_free(m->mem, m->heap);
  *m = (struct disk_merge){0};
}

void disk_merge_advance(struct disk_merge *m) {
  uint32_t i = m->heap[0];
  disk_reader_advance(&m->reader[i]);
  if (!(m->now[i] = disk_reader_peek(&m->reader[i]))) m->heap[0] = m->heap[--m->left];
  if (m->left) sift(m, 0);
}

/* ---- beside the search ---------------------------------------------------------------------------------------- */

enum { LOOK = 4096 };

static void *work(void *context) {
  struct disk_worker *w = context;
  const uint32_t *record;
  for (size_t n = 0; !w->bad && (record = disk_merge_peek(&w->merge)); disk_merge_advance(&w->merge)) {
    w->bad = disk_writer_add(&w->writer, record);
    if (++n % LOOK == 0 && atomic_load(&w->leave)) w->bad = 1;
  }
  if (!w->bad) w->bad = disk_writer_finish(&w->writer) || disk_files_failed(w->files);
  atomic_store(&w->done, 1);
  return NULL;
}

static void put_away(struct disk_worker *w) {
  struct mem *mem = w->mem;
  disk_merge_close(&w->merge);
  disk_writer_close(&w->writer);
  disk_coder_close(&w->coder);
  mem_free(mem, w->runs);
  w->runs = NULL;
  w->count = 0;
  w->busy = 0;
}

int disk_worker_start(struct disk_worker *w, struct disk_files *files, struct disk_run *const *runs, size_t count, uint32_t words, struct mem *mem) {
  uint64_t records = 0;
  *w = (struct disk_worker){.mem = mem, .files = files, .count = count};
  for (size_t i = 0; i < count; i++) records += runs[i]->records;
  w->runs = mem_alloc(mem, MEM_STORE, count * sizeof *w->runs);
  w->result = mem_alloc(mem, MEM_STORE, sizeof *w->result);
  int bad = !w->runs || !w->result || disk_coder_open(&w->coder, files, words, mem) || disk_merge_open(&w->merge, runs, count, &w->coder) ||
            disk_writer_open(&w->writer, w->result, &w->coder, records);
  if (!bad) {
    memcpy(w->runs, runs, count * sizeof *w->runs);
    sigset_t all, old; /* signals are for the thread that searches */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bad = pthread_create(&w->thread, NULL, work, w) != 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
  }
  w->busy = !bad;
  if (!bad) return 0;
  if (w->result) disk_run_remove(w->result, files, mem);
  put_away(w);
  mem_free(mem, w->result);
  w->result = NULL;
  return -1;
}

struct disk_run *disk_worker_join(struct disk_worker *w, int leave) {
  if (!w->busy) return NULL;
  atomic_store(&w->leave, leave);
  pthread_join(w->thread, NULL);
  struct disk_run *result = w->result;
  struct mem *mem = w->mem;
  int bad = w->bad;
  put_away(w);
  w->result = NULL;
  if (!bad) return result;
  disk_run_remove(result, w->files, mem);
  mem_free(mem, result);
  return NULL;
}
