/* sealed.c -- see audit.h, and doc/certificates.md for the bytes. */
#include "audit/audit.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { HEAD = 20, MOST = 1 << 30 }; /* of tag, length and sum; of a block */

uint64_t sealed_fixed(const uint8_t *at, size_t bytes) {
  uint64_t n = 0;
  for (size_t i = bytes; i-- > 0;) n = n << 8 | at[i];
  return n;
}

int sealed_number(const uint8_t *data, size_t length, size_t *at, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64 && *at < length; shift += 7) {
    uint8_t byte = data[(*at)++];
    *out |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return 0;
  }
  return -1;
}

static int short_of_memory(struct audit *a) { return audit_not(a, "there is not enough memory: --memory"); }

int audit_append(struct audit *a, struct audit_bytes *b, const void *data, size_t length) {
  if (vec_reserve(b, &a->mem, MEM_OTHER, length)) return short_of_memory(a);
  if (length) memcpy(b->at + b->count, data, length);
  b->count += length;
  return 0;
}

int audit_append_number(struct audit *a, struct audit_bytes *b, uint64_t n) {
  uint8_t bytes[10], used = 0;
  for (; n > 127; n >>= 7) bytes[used++] = (uint8_t)(n | 128);
  bytes[used++] = (uint8_t)n;
  return audit_append(a, b, bytes, used);
}

static int set_size(struct audit *a, struct audit_bytes *b, size_t size) {
  b->count = 0;
  if (vec_reserve(b, &a->mem, MEM_OTHER, size)) return short_of_memory(a);
  b->count = size;
  return 0;
}

int sealed_open(struct audit *a, struct sealed *r) {
  static const char magic[] = "thimble.certificate/1\n";
  char found[sizeof magic - 1] = "";
  *r = (struct sealed){.file = fopen(a->name, "rbe"), .next = sizeof found};
  if (!r->file || fseek(r->file, 0, SEEK_END)) return audit_bad(a, "it cannot be read");
  r->size = (uint64_t)ftell(r->file);
  rewind(r->file);
  return fread(found, sizeof found, 1, r->file) == 1 && memcmp(found, magic, sizeof found) == 0 ? 0 : audit_bad(a, "it is no certificate of version 1");
}

void sealed_close(struct audit *a, struct sealed *r) {
  if (r->file) fclose(r->file);
  vec_free(&r->data, &a->mem);
  vec_free(&r->raw, &a->mem);
  vec_free(&r->state, &a->mem);
  r->file = NULL;
}

int sealed_next(struct audit *a, struct sealed *r) {
  uint8_t head[HEAD], both[16];
  if (r->next == r->size) return 0;
  if (r->size - r->next < HEAD || fread(head, HEAD, 1, r->file) != 1) return audit_bad(a, "the file is cut off");
  uint64_t length = sealed_fixed(head + 4, 8), sum = sealed_fixed(head + 12, 8);
  if (length > r->size - r->next - HEAD) return audit_bad(a, "the file is cut off");
  memcpy(r->tag, head, 4);
  r->at = r->next;
  r->next += HEAD + length;
  if (set_size(a, &r->data, length)) return -1;
  if (length && fread(r->data.at, length, 1, r->file) != 1) return audit_bad(a, "it cannot be read to its end");
  if (XXH64(r->data.at, length, 0) != sum) return audit_bad(a, "the record at byte %llu is damaged", (unsigned long long)r->at);
  if (strcmp(r->tag, "ENDS") == 0) return 1; /* it holds the sums of the others */
  for (int i = 0; i < 8; i++) both[i] = (uint8_t)(r->sums >> 8 * i), both[8 + i] = (uint8_t)(sum >> 8 * i);
  r->sums = XXH64(both, sizeof both, 0);
  return 1;
}

/* The block of states in the record at hand. */
static int open_block(struct audit *a, struct sealed *r) {
  if (r->data.count < 12) return audit_bad(a, "a block is damaged");
  uint64_t raw = sealed_fixed(r->data.at + 4, 8);
  if (raw > MOST) return audit_bad(a, "a block is too large");
  if (set_size(a, &r->raw, raw)) return -1;
  size_t made = ZSTD_decompress(r->raw.at, raw, r->data.at + 12, r->data.count - 12);
  r->left = (uint32_t)sealed_fixed(r->data.at, 4);
  r->inside = r->state.count = 0;
  r->fresh = 1;
  return ZSTD_isError(made) || made != raw || !r->left ? audit_bad(a, "a block is damaged") : 0;
}

int sealed_state(struct audit *a, struct sealed *r) {
  uint64_t shared, rest;
  r->fresh = 0;
  while (!r->left) { /* the end of a block: what comes next? */
    int there = r->raw.count ? sealed_next(a, r) : 1;
    if (there <= 0) return there;
    if (strcmp(r->tag, "STAT") != 0) return 0;
    if (open_block(a, r)) return -1;
  }
  if (sealed_number(r->raw.at, r->raw.count, &r->inside, &shared) || sealed_number(r->raw.at, r->raw.count, &r->inside, &rest) || shared > r->state.count || rest > r->raw.count - r->inside)
    return audit_bad(a, "a block is damaged");
  r->state.count = shared;
  if (audit_append(a, &r->state, r->raw.at + r->inside, rest)) return -1;
  r->inside += rest;
  if (!--r->left && r->inside != r->raw.count) return audit_bad(a, "a block is damaged");
  return 1;
}

/* ---- the head --------------------------------------------------------------------------------------------------------------- */

/* \n and \\ of a line become what they were. */
static void unescape(char *text) {
  char *to = text;
  for (; *text; text++) *to++ = *text != '\\' ? *text : *++text == 'n' ? '\n' : '\\';
  *to = 0;
}

static char *word(char **rest) {
  char *word = *rest;
  *rest += strcspn(*rest, " ");
  if (**rest) *(*rest)++ = 0;
  return word;
}

static int line(struct audit *a, char *text) {
  char *key = word(&text);
  struct audit_claim c = {0};
  unescape(text);
  if (strcmp(key, "model") == 0) a->model_name = text;
  else if (strcmp(key, "language") == 0) a->language = text;
  else if (strcmp(key, "kind") == 0) a->kind = text;
  else if (strcmp(key, "verdict") == 0) a->verdict = text;
  else if (strcmp(key, "vars") == 0) a->vars = (uint32_t)strtoul(text, NULL, 10);
  else if (strcmp(key, "input") == 0) return vec_push(&a->inputs, &a->mem, MEM_OTHER, text);
  else if (strcmp(key, "option") == 0) return vec_push(&a->options, &a->mem, MEM_OTHER, text);
  else if (strcmp(key, "property") == 0) {
    c.kind = word(&text), c.status = word(&text), c.evidence = word(&text), c.id = text;
    return vec_push(&a->claims, &a->mem, MEM_OTHER, c);
  } else if (strcmp(key, "text") == 0 && a->claims.count) a->claims.at[a->claims.count - 1].text = text;
  return 0;
}

int sealed_head(struct audit *a) {
  struct sealed *r = &a->records;
  if (sealed_open(a, r)) return -1;
  int there = sealed_next(a, r);
  if (there < 0) return -1;
  if (!there || strcmp(r->tag, "HEAD") != 0) return audit_bad(a, "it has no head");
  a->head = mem_strndup(&a->mem, MEM_OTHER, (const char *)r->data.at, r->data.count);
  if (!a->head || strlen(a->head) != r->data.count) return audit_bad(a, "its head is damaged");
  for (char *at = a->head, *end; (end = strchr(at, '\n')); at = end + 1) {
    *end = 0;
    if (line(a, at)) return short_of_memory(a);
  }
  return a->model_name && a->language && a->kind && a->verdict && a->inputs.count ? 0 : audit_bad(a, "its head is not whole");
}
