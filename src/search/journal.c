/* journal.c -- see journal.h: writing.
 *
 * A block is packed on the stack of the file's own buffer; nothing is allocated after opening. */
#include "search/journal.h"

#include "base/bits.h"
#include "base/clock.h"
#include "base/hash.h"
#include "store/disk_files.h"

#include <errno.h>
#include <string.h>

static struct journal_block *new_block(struct journal *j) { return j->block = mem_alloc(j->mem, MEM_SEARCH, sizeof *j->block); }

int journal_create(struct journal *j, const char *file, double every, struct mem *mem, struct err *e) {
  *j = (struct journal){.mem = mem, .every = every, .due = clock_now() + every, .fresh = 1};
  if (records_create(&j->file, file, JOURNAL_MAGIC, JOURNAL_FORMAT, mem, e)) return -1;
  if (new_block(j)) return 0;
  journal_close(j, 0);
  return err_memory(e, "a checkpoint");
}

static void drop_left(struct journal *j) {
  if (j->left.path) disk_files_drop(j->left.path, j->left.nonce);
  mem_free(j->mem, j->left.path);
  j->left.path = NULL;
}

void journal_close(struct journal *j, int keep) {
  if (!j->mem) return;
  if (keep) records_close(&j->file);
  else records_remove(&j->file); /* before the files that it names: whoever is killed in between leaves files that the next run tidies up, not a checkpoint that names none */
  if (!keep) drop_left(j);
  if (!keep && j->folder.path) disk_files_drop(j->folder.path, j->folder.nonce);
  mem_free(j->mem, j->left.path);
  mem_free(j->mem, j->folder.path);
  mem_free(j->mem, j->block);
  mem_free(j->mem, j->elsewhere);
  journal_forget_past(j);
  *j = (struct journal){0};
}

int journal_add_part(struct journal *j, const struct journal_part *part) {
  if (j->parts == JOURNAL_PARTS) return -1;
  j->part[j->parts++] = *part;
  return 0;
}

void journal_drop_part(struct journal *j, const char *name) {
  size_t kept = 0;
  for (size_t i = 0; i < j->parts; i++)
    if (strcmp(j->part[i].name, name) != 0) j->part[kept++] = j->part[i];
  j->parts = kept;
}

int journal_set_folder(struct journal *j, const char *path) {
  if (j->folder.path && strcmp(j->folder.path, path) == 0 && j->folder.nonce == j->file.nonce) return 0;
  char *copy = mem_strndup(j->mem, MEM_SEARCH, path, strlen(path));
  if (!copy) return -1;
  mem_free(j->mem, j->folder.path);
  j->folder.path = copy;
  j->folder.nonce = j->file.nonce;
  return 0;
}

/* ---- the tree ------------------------------------------------------------------------------------------------------------- */

static int silent(const struct journal *j) { return j->resuming || j->frozen || j->why || j->file.failed; }

static void begin_block(struct journal *j) {
  struct journal_block *b = j->block;
  b->first = j->found;
  b->parent = j->expanded;
  b->found = b->bits = b->witnesses = 0;
  memset(b->bit, 0, sizeof b->bit);
}

/* 64 edges at a time, in as many bits each as the largest needs. */
static void put_edges(struct records *r, const uint32_t *edge, uint32_t count) {
  for (uint32_t at = 0; at < count; at += JOURNAL_EDGES) {
    uint32_t n = count - at < JOURNAL_EDGES ? count - at : JOURNAL_EDGES, most = 0;
    uint64_t packed[33] = {0};
    for (uint32_t i = 0; i < n; i++) most |= edge[at + i];
    unsigned width = bits_for(most);
    for (uint32_t i = 0; i < n && width; i++) {
      unsigned place = i * width;
      packed[place / 64] |= (uint64_t)edge[at + i] << place % 64;
      if (place % 64 + width > 64) packed[place / 64 + 1] |= (uint64_t)edge[at + i] >> (64 - place % 64);
    }
    uint8_t byte = (uint8_t)width;
    records_put(r, &byte, 1);
    records_put(r, packed, ((size_t)n * width + 7) / 8);
  }
}

static void put_head(struct journal *j) {
  records_begin(&j->file, JOURNAL_HEAD);
  if (j->head) j->head(j->head_context, &j->file);
  records_end(&j->file);
  j->fresh = 0;
}

void journal_write_block(struct journal *j) {
  struct journal_block *b = j->block;
  struct records *r = &j->file;
  if (b->bits && !silent(j)) {
    if (j->fresh) put_head(j);
    records_begin(r, JOURNAL_TREE);
    records_put_number(r, b->first);
    records_put_number(r, b->parent);
    uint32_t counts[3] = {b->found, b->bits, b->witnesses};
    records_put(r, counts, sizeof counts);
    records_put(r, b->bit, (b->bits + 7) / 8);
    records_put(r, b->witness, b->witnesses * sizeof *b->witness);
    put_edges(r, b->edge, b->found);
    records_end(r);
  }
  begin_block(j);
}

void journal_witness(struct journal *j, uint32_t hash) {
  struct journal_block *b = j->block;
  if (b->witnesses < sizeof b->witness / sizeof *b->witness) b->witness[b->witnesses++] = hash;
}

/* ---- seals ---------------------------------------------------------------------------------------------------------------- */

int journal_due(const struct journal *j) { return !silent(j) && clock_now() >= j->due; }

struct records *journal_record(struct journal *j, uint32_t kind) {
  if (silent(j)) return NULL;
  if (j->fresh) put_head(j);
  records_begin(&j->file, kind);
  return &j->file;
}

struct records *journal_begin_rank(struct journal *j) {
  struct records *r = journal_record(j, JOURNAL_RANK);
  if (!r) return NULL;
  records_put_number(r, j->rank.set);
  records_put_number(r, j->rank.self);
  records_put_number(r, j->rank.count);
  j->begun = 1;
  return r;
}

static void put_seal(struct journal *j, const struct journal_state *state, uint32_t kind) {
  struct records *r = &j->file;
  if (j->fresh) put_head(j);
  if (j->rank.count && !j->begun && journal_begin_rank(j)) records_end(r);
  for (size_t i = 0; i < j->parts; i++) {
    records_begin(r, JOURNAL_PART);
    records_put_text(r, j->part[i].name);
    j->part[i].save(j->part[i].context, r);
    records_end(r);
  }
  records_begin(r, kind);
  records_put_number(r, state->found);
  records_put_number(r, state->expanded);
  records_put_number(r, state->partial);
  records_put_number(r, (uint64_t)state->finished);
  records_put_real(r, state->seconds);
  records_put_number(r, j->rank.count ? hash_pair(j->run, j->serial) : 0);
  records_put_number(r, j->parts);
  records_put_number(r, sizeof state->stats / sizeof(uint64_t));
  records_put(r, &state->stats, sizeof state->stats);
  records_end(r);
  j->serial++;
  j->end = records_at(r);
  j->last = *state;
}

static int on_disk(struct journal *j) {
  j->due = clock_now() + j->every;
  if (records_commit(&j->file)) return -1;
  j->sealed.bytes = records_at(&j->file);
  j->sealed.times++;
  return 0;
}

int journal_seal(struct journal *j, const struct journal_state *state) {
  if (j->rank.count) return journal_note(j, state) || journal_make_sure(j) ? -1 : 0;
  if (silent(j) || (!state->finished && !(j->files.settle ? journal_states(state) : state->found))) return -1; /* not even the first state: there is nothing to go on from */
  if (j->folder.path && !j->files.settle && !state->finished) return -1; /* states are in files that nobody holds any more: what was sealed stays */
  j->due = clock_now() + j->every;
  if (j->files.settle && !state->finished && j->files.settle(j->files.context)) return -1;
  struct journal_state before = j->last;
  journal_write_block(j);
  put_seal(j, state, JOURNAL_SEAL);
  if (on_disk(j)) {
    j->last = before;
    return -1;
  }
  if (j->files.sealed) j->files.sealed(j->files.context, !state->finished);
  drop_left(j);
  j->sealed.states = journal_states(state);
  return 0;
}

int journal_note(struct journal *j, const struct journal_state *state) {
  if (silent(j)) return -1;
  put_seal(j, state, JOURNAL_NOTE);
  if (j->file.beside) return journal_make_sure(j); /* a file has a place as soon as there is something to go on from */
  return records_flush(&j->file);
}

int journal_make_sure(struct journal *j) {
  if (silent(j) || !j->serial) return -1;
  journal_record(j, JOURNAL_SURE);
  records_end(&j->file);
  return on_disk(j);
}

void journal_freeze(struct journal *j, const struct journal_state *state, const char *why) {
  if (j->frozen) return;
  journal_seal(j, state);
  j->frozen = 1;
  j->why = why;
}

/* In the middle of finding states again: from the first one on. Later: the file begins anew, too, beside the one that is in its place until there is a seal. */
void journal_again(struct journal *j) {
  if (j->resuming) {
    journal_rewind(j);
    return;
  }
  struct err e;
  err_clear(&e);
  j->found = j->expanded = 0;
  j->last = (struct journal_state){0};
  begin_block(j);
  if (j->why || j->file.failed) return;
  if (j->folder.path) { /* it belongs to the file that is in its place */
    mem_free(j->mem, j->left.path);
    j->left = j->folder;
    j->folder.path = NULL;
  }
  struct records next;
  if (j->file.beside) { /* it has no place yet: from the start */
    if (records_flush(&j->file) == 0 && records_append(&j->file, RECORDS_HEAD, &e)) j->file.failed = EIO; /* its head may not be there yet, either */
    j->fresh = 1;
    return;
  }
  int elsewhere = j->elsewhere && strcmp(j->file.name, j->elsewhere) != 0; /* the one that was to be gone on from stays as it is */
  if (records_create(&next, elsewhere ? j->elsewhere : j->file.name, JOURNAL_MAGIC, JOURNAL_FORMAT, j->mem, &e)) {
    j->why = "the search began anew, and there was no memory or no place for another file";
    return;
  }
  next.own = !elsewhere;
  if (elsewhere) j->sealed.states = j->sealed.bytes = 0;
  records_close(&j->file);
  j->file = next;
  j->fresh = 1;
}

void journal_another(struct journal *j) {
  if (j->resuming && !j->rank.count) {
    j->resuming = 0;
    j->file.failed = 0; /* in reading, which is over */
    j->from = (struct journal_state){0};
    j->parts_there = 0;
  }
  journal_again(j);
}
