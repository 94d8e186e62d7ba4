/* sealed.c -- see audit.h, and doc/certificates.md for the bytes. */
#include "audit/audit.h"
#include "base/hash.h"

#include <zstd.h>

enum { HEAD = 20, MOST = 1 << 30 }; /* of tag, length and sum; of a block */

uint64_t sealed_fixed(const uint8_t *at, size_t bytes) {
  uint64_t n = 0;
  for (size_t i = bytes; i-- > 0;) n = n << 8 | at[i];
  return n;
}

int sealed_number(const struct bytes *b, size_t *at, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64 && *at < b->count; shift += 7) {
    uint8_t byte = b->at[(*at)++];
    *out |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return 0;
  }
  return -1;
}

int bytes_append(struct audit *a, struct bytes *b, const void *data, size_t length) {
  if (vec_reserve(b, &a->mem, MEM_OTHER, length)) return audit_memory(a);
  if (data && length) memcpy(b->at + b->count, data, length);
  b->count += length;
  return 0;
}

int bytes_compare(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
  size_t least = a_length < b_length ? a_length : b_length;
  int order = least ? memcmp(a, b, least) : 0;
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

int sealed_open(struct audit *a, struct sealed *s) {
  static const char magic[] = "thimble.certificate/1\n";
  char found[sizeof magic - 1] = "";
  *s = (struct sealed){.file = fopen(a->name, "rbe"), .next = sizeof found};
  if (!s->file || fseek(s->file, 0, SEEK_END)) return audit_bad(a, "it cannot be read");
  s->size = (uint64_t)ftell(s->file);
  rewind(s->file);
  return fread(found, sizeof found, 1, s->file) == 1 && memcmp(found, magic, sizeof found) == 0 ? 0 : audit_bad(a, "it is no certificate of version 1");
}

void sealed_close(struct audit *a, struct sealed *s) {
  if (s->file) fclose(s->file), s->file = NULL;
  vec_free(&s->data, &a->mem), vec_free(&s->raw, &a->mem), vec_free(&s->state, &a->mem);
}

int sealed_next(struct audit *a, struct sealed *s) {
  uint8_t head[HEAD];
  if (s->next == s->size) return 0;
  if (s->size - s->next < HEAD || fread(head, HEAD, 1, s->file) != 1) return audit_bad(a, "the file is cut off");
  uint64_t length = sealed_fixed(head + 4, 8);
  if (length > s->size - s->next - HEAD) return audit_bad(a, "the file is cut off");
  memcpy(s->tag, head, 4);
  s->next += HEAD + length, s->data.count = 0;
  if (bytes_append(a, &s->data, NULL, length)) return -1;
  if (length && fread(s->data.at, length, 1, s->file) != 1) return audit_bad(a, "it cannot be read to its end");
  return XXH64(s->data.at, length, 0) == sealed_fixed(head + 12, 8) ? 1 : audit_bad(a, "a record is damaged");
}

/* The block of states in the record at hand. */
static int open_block(struct audit *a, struct sealed *s) {
  uint64_t raw = s->data.count < 12 ? UINT64_MAX : sealed_fixed(s->data.at + 4, 8);
  if (raw > MOST) return audit_bad(a, "a block is damaged");
  s->raw.count = s->state.count = s->inside = 0;
  if (bytes_append(a, &s->raw, NULL, raw)) return -1;
  s->left = sealed_fixed(s->data.at, 4);
  return s->left && ZSTD_decompress(s->raw.at, raw, s->data.at + 12, s->data.count - 12) == raw ? 0 : audit_bad(a, "a block is damaged");
}

int sealed_state(struct audit *a, struct sealed *s) {
  uint64_t shared, rest;
  if (!s->left) { /* the end of a block: what comes next? */
    int there = s->raw.count ? sealed_next(a, s) : 1;
    if (there <= 0 || !is(s->tag, "STAT")) return there < 0 ? -1 : 0;
    if (open_block(a, s)) return -1;
  }
  if (sealed_number(&s->raw, &s->inside, &shared) || sealed_number(&s->raw, &s->inside, &rest) || shared > s->state.count || rest > s->raw.count - s->inside) return audit_bad(a, "a block is damaged");
  s->state.count = shared;
  if (bytes_append(a, &s->state, s->raw.at + s->inside, rest)) return -1;
  s->inside += rest;
  return --s->left || s->inside == s->raw.count ? 1 : audit_bad(a, "a block is damaged");
}

/* ---- the head: a key and a text in each line -------------------------------------------------------------------------------------- */

/* \n and \\ become what they were. */
static void unescape(char *text) {
  char *to = text;
  for (; *text; text++) *to++ = *text != '\\' || !text[1] ? *text : *++text == 'n' ? '\n' : '\\';
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
  unescape(text);
  if (is(key, "model")) a->model_name = text;
  else if (is(key, "language")) a->language = text;
  else if (is(key, "kind")) a->kind = text;
  else if (is(key, "verdict")) a->verdict = text;
  else if (is(key, "vars")) a->vars = (uint32_t)strtoul(text, NULL, 10);
  else if (is(key, "input")) return vec_push(&a->inputs, &a->mem, MEM_OTHER, text);
  else if (is(key, "option")) return vec_push(&a->options, &a->mem, MEM_OTHER, text);
  else if (is(key, "text") && a->claims.count) a->claims.at[a->claims.count - 1].text = text;
  else if (is(key, "property")) {
    struct claim c = {.kind = word(&text), .status = word(&text), .evidence = word(&text)};
    c.id = text;
    return vec_push(&a->claims, &a->mem, MEM_OTHER, c);
  }
  return 0;
}

int sealed_head(struct audit *a) {
  if (sealed_open(a, &a->sealed) || sealed_next(a, &a->sealed) < 0) return -1;
  const struct bytes *head = &a->sealed.data;
  if (!is(a->sealed.tag, "HEAD") || !(a->head = mem_strndup(&a->mem, MEM_OTHER, (const char *)head->at, head->count))) return audit_bad(a, "it has no head");
  for (char *at = a->head, *end; (end = strchr(at, '\n')); at = end + 1) {
    *end = 0;
    if (line(a, at)) return audit_memory(a);
  }
  return a->model_name && a->language && a->kind && a->verdict && a->inputs.count ? 0 : audit_bad(a, "its head is not whole");
}
