/* forge.c -- makes false certificates whose sums, index and counts are right: what thimble-audit has to find out by itself (tests/cli/audit.t).
 *
 *   forge IN OUT states              prints how many states there are
 *   forge IN OUT drop N              leaves out the N-th state, counting from 0
 *   forge IN OUT change N            another last byte in the N-th state
 *   forge IN OUT twice N             the N-th state twice
 *   forge IN OUT swap N              the N-th state behind the next one
 *   forge IN OUT add HEX             one state more, in its place
 *   forge IN OUT head OLD NEW        another text in the head
 *   forge IN OUT trace OLD NEW       another text in the first trace
 *   forge IN OUT mix OTHER           the head of IN, the rest of OTHER
 *   forge IN OUT cut                 without its last block of states, but with the right counts */
#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct state {
  uint8_t *at;
  size_t length;
};
struct record {
  char tag[5];
  uint8_t *at;
  size_t length;
};
struct file {
  struct record record[4096];
  size_t records;
  struct state *state;
  size_t states;
};

static void die(const char *why) {
  fprintf(stderr, "forge: %s\n", why);
  exit(2);
}

static uint64_t fixed(const uint8_t *at, size_t bytes) {
  uint64_t n = 0;
  for (size_t i = bytes; i-- > 0;) n = n << 8 | at[i];
  return n;
}

static uint64_t number(const uint8_t **at) {
  uint64_t n = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *(*at)++;
    n |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return n;
  }
}

static void add_state(struct file *f, const uint8_t *at, size_t length) {
  f->state = realloc(f->state, (f->states + 1) * sizeof *f->state);
  f->state[f->states] = (struct state){malloc(length + 1), length};
  memcpy(f->state[f->states++].at, at, length);
}

static void read_block(struct file *f, const struct record *r) {
  size_t raw = fixed(r->at + 4, 8), shared, rest;
  uint8_t *block = malloc(raw + 16), *state = malloc(raw + 16);
  if (ZSTD_decompress(block, raw, r->at + 12, r->length - 12) != raw) die("a block is damaged");
  const uint8_t *at = block;
  for (uint64_t left = fixed(r->at, 4); left; left--) {
    shared = number(&at);
    rest = number(&at);
    memcpy(state + shared, at, rest);
    at += rest;
    add_state(f, state, shared + rest);
  }
  free(block);
  free(state);
}

static void read_file(struct file *f, const char *name) {
  FILE *in = fopen(name, "rb");
  uint8_t head[20];
  char magic[22];
  if (!in || fread(magic, 22, 1, in) != 1) die("cannot be read");
  while (fread(head, 20, 1, in) == 1) {
    struct record *r = &f->record[f->records++];
    memcpy(r->tag, head, 4);
    r->length = fixed(head + 4, 8);
    r->at = malloc(r->length + 1);
    if (r->length && fread(r->at, r->length, 1, in) != 1) die("cut off");
    if (strcmp(r->tag, "STAT") == 0) read_block(f, r);
  }
  fclose(in);
}

/* ---- writing: whatever is in it, it looks right -------------------------------------------------------------------------- */

static uint64_t at;

static void put_fixed(uint8_t *out, uint64_t n, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)(n >> 8 * i);
}

static size_t put_number(uint8_t *out, uint64_t n) {
  size_t used = 0;
  for (; n > 127; n >>= 7) out[used++] = (uint8_t)(n | 128);
  out[used++] = (uint8_t)n;
  return used;
}

static void put_record(FILE *out, const char *tag, const uint8_t *data, size_t length) {
  uint8_t head[20];
  uint64_t sum = XXH64(data, length, 0);
  memcpy(head, tag, 4);
  put_fixed(head + 4, length, 8);
  put_fixed(head + 12, sum, 8);
  fwrite(head, 20, 1, out);
  if (length) fwrite(data, length, 1, out);
  at += 20 + length;
}

enum { PER_BLOCK = 7 };

static void put_states(FILE *out, const struct file *f, uint64_t *blocks) {
  size_t bytes = 64;
  for (size_t i = 0; i < f->states; i++) bytes += f->state[i].length + 32;
  uint8_t *index = malloc(bytes), *raw = malloc(bytes), *packed = malloc(ZSTD_compressBound(bytes) + 12);
  size_t indexed = 0;
  for (size_t i = 0; i < f->states; ++*blocks) {
    size_t used = 0, count = 0;
    indexed += put_number(index + indexed, at);
    indexed += put_number(index + indexed, f->state[i].length);
    memcpy(index + indexed, f->state[i].at, f->state[i].length);
    indexed += f->state[i].length;
    for (; count < PER_BLOCK && i < f->states; count++, i++) {
      raw[used++] = 0; /* nothing is shared */
      used += put_number(raw + used, f->state[i].length);
      memcpy(raw + used, f->state[i].at, f->state[i].length);
      used += f->state[i].length;
    }
    put_fixed(packed, count, 4);
    put_fixed(packed + 4, used, 8);
    size_t length = ZSTD_compress(packed + 12, ZSTD_compressBound(bytes), raw, used, 3);
    put_record(out, "STAT", packed, length + 12);
  }
  put_record(out, "INDX", index, indexed);
  free(index);
  free(raw);
  free(packed);
}

static void write_file(const struct file *f, const char *name) {
  FILE *out = fopen(name, "wb");
  uint64_t blocks = 0;
  uint8_t end[16];
  if (!out) die("cannot be written");
  fputs("thimble.certificate/1\n", out);
  at = 22;
  for (size_t i = 0; i < f->records; i++)
    if (strcmp(f->record[i].tag, "HEAD") == 0 || strcmp(f->record[i].tag, "TRAC") == 0) put_record(out, f->record[i].tag, f->record[i].at, f->record[i].length);
  if (f->states) put_states(out, f, &blocks);
  put_fixed(end, f->states, 8);
  put_fixed(end + 8, blocks, 8);
  put_record(out, "ENDS", end, 16);
  if (fclose(out)) die("cannot be written");
}

/* ---- lies ------------------------------------------------------------------------------------------------------------------ */

static void replace(struct file *f, const char *tag, const char *old, const char *new) {
  for (size_t i = 0; i < f->records; i++) {
    struct record *r = &f->record[i];
    if (strcmp(r->tag, tag) != 0) continue;
    r->at[r->length] = 0;
    char *found = strstr((char *)r->at, old);
    if (!found) die("the text is not there");
    size_t before = (size_t)(found - (char *)r->at), behind = r->length - before - strlen(old);
    uint8_t *made = malloc(r->length + strlen(new) + 1);
    memcpy(made, r->at, before);
    memcpy(made + before, new, strlen(new));
    memcpy(made + before + strlen(new), found + strlen(old), behind);
    r->at = made;
    r->length = before + strlen(new) + behind;
    return;
  }
  die("there is no such record");
}

static int compare(const void *x, const void *y) {
  const struct state *a = x, *b = y;
  int order = memcmp(a->at, b->at, a->length < b->length ? a->length : b->length);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

int main(int argc, char **argv) {
  static struct file f, other;
  if (argc < 4) die("IN OUT WHAT");
  const char *what = argv[3], *first = argc > 4 ? argv[4] : "", *second = argc > 5 ? argv[5] : "";
  size_t n = strtoul(first, NULL, 10);
  read_file(&f, argv[1]);
  if (strcmp(what, "states") == 0) return printf("%zu\n", f.states) < 0;
  int of_state = strcmp(what, "drop") == 0 || strcmp(what, "change") == 0 || strcmp(what, "twice") == 0 || strcmp(what, "swap") == 0;
  if (of_state && n >= f.states) die("there is no such state");
  if (strcmp(what, "drop") == 0) memmove(f.state + n, f.state + n + 1, (--f.states - n) * sizeof *f.state);
  else if (strcmp(what, "change") == 0) f.state[n].at[f.state[n].length - 1] ^= 6, qsort(f.state, f.states, sizeof *f.state, compare);
  else if (strcmp(what, "twice") == 0) add_state(&f, f.state[n].at, f.state[n].length), qsort(f.state, f.states, sizeof *f.state, compare);
  else if (strcmp(what, "swap") == 0) {
    struct state kept = f.state[n];
    f.state[n] = f.state[n + 1];
    f.state[n + 1] = kept;
  } else if (strcmp(what, "add") == 0) {
    uint8_t bytes[4096];
    size_t length = 0;
    for (unsigned byte; length < sizeof bytes && sscanf(first + 2 * length, "%2x", &byte) == 1; length++) bytes[length] = (uint8_t)byte;
    add_state(&f, bytes, length);
    qsort(f.state, f.states, sizeof *f.state, compare);
  } else if (strcmp(what, "head") == 0) replace(&f, "HEAD", first, second);
  else if (strcmp(what, "trace") == 0) replace(&f, "TRAC", first, second);
  else if (strcmp(what, "mix") == 0) {
    read_file(&other, first);
    other.record[0] = f.record[0];
    f = other;
  } else if (strcmp(what, "cut") == 0) f.states = f.states > PER_BLOCK ? f.states - PER_BLOCK : 0;
  else die("what?");
  write_file(&f, argv[2]);
  return 0;
}
