/* sealed.c -- the file: records, sums, blocks of states, the head.  doc/certificates.md has the bytes. */
#include "audit/audit.h"
#include "base/hash.h"

#include <zstd.h>

enum { HEAD = 20, MOST = 1 << 30 }; /* of tag, length and sum; of a block */

uint64_t sealed_fixed(const uint8_t *at, size_t bytes) {
  uint64_t n = 0;
  while (bytes-- > 0) n = n << 8 | at[bytes];
  return n;
}

int sealed_number(const struct bytes *b, size_t *at, uint64_t *out) {
  *out = 0;
  for (unsigned shift = 0; shift < 64 && *at < b->count; shift += 7) {
    *out |= (uint64_t)(b->at[*at] & 127) << shift;
    if (b->at[(*at)++] < 128) return 0;
  }
  return -1;
}

int bytes_append(struct audit *a, struct bytes *b, const void *data, size_t length) {
  if (vec_reserve(b, &a->mem, MEM_OTHER, length + 1)) return audit_memory(a);
  if (data) memcpy(b->at + b->count, data, length);
  b->count += length;
  return 0;
}

int bytes_compare(const uint8_t *a, size_t a_length, const uint8_t *b, size_t b_length) {
  size_t least = a_length < b_length ? a_length : b_length;
  int order = least ? memcmp(a, b, least) : 0;
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

int sealed_open(struct audit *a, struct sealed *s) {
  char magic[] = "thimble.certificate/1\n", found[sizeof magic] = "";
  *s = (struct sealed){.file = fopen(a->name, "rbe"), .next = sizeof magic - 1};
  if (!s->file || fseek(s->file, 0, SEEK_END)) return audit_bad(a, "it cannot be read");
  s->size = (uint64_t)ftell(s->file);
  rewind(s->file);
  return fread(found, s->next, 1, s->file) == 1 && memcmp(found, magic, s->next) == 0 ? 0 : audit_bad(a, "it is no certificate of version 1");
}

void sealed_close(struct audit *a, struct sealed *s) {
  if (s->file) fclose(s->file);
  vec_free(&s->data, &a->mem), vec_free(&s->raw, &a->mem), vec_free(&s->state, &a->mem);
}

int sealed_next(struct audit *a, struct sealed *s) {
  uint8_t head[HEAD] = {0};
  if (s->next == s->size) return 0;
  uint64_t left = s->size - s->next, length = left >= HEAD && fread(head, HEAD, 1, s->file) == 1 ? sealed_fixed(head + 4, 8) : UINT64_MAX;
  if (left < HEAD || length > left - HEAD) return audit_bad(a, "the file is cut off");
  memcpy(s->tag, head, 4);
  s->next += HEAD + length, s->data.count = 0;
  if (bytes_append(a, &s->data, NULL, length)) return -1;
  if (length && fread(s->data.at, length, 1, s->file) != 1) return audit_bad(a, "it cannot be read to its end");
  return XXH64(s->data.at, length, 0) == sealed_fixed(head + 12, 8) ? 1 : audit_bad(a, "a record is damaged");
}

int sealed_state(struct audit *a, struct sealed *s) {
  if (!s->left) { /* the end of a block: what comes next? */
    int there = s->blocks ? sealed_next(a, s) : 1;
    if (there <= 0 || !is(s->tag, "STAT")) return there < 0 ? -1 : 0;
    uint64_t raw = s->data.count < 12 ? UINT64_MAX : sealed_fixed(s->data.at + 4, 8);
    if (raw > MOST) return audit_bad(a, "a block is damaged");
    s->raw.count = s->inside = 0, s->blocks++, s->left = sealed_fixed(s->data.at, 4);
    if (bytes_append(a, &s->raw, NULL, raw)) return -1;
    if (!s->left || ZSTD_decompress(s->raw.at, raw, s->data.at + 12, s->data.count - 12) != raw) return audit_bad(a, "a block is damaged");
  }
  uint64_t shared, rest, most = s->inside ? s->state.count : 0;
  if (sealed_number(&s->raw, &s->inside, &shared) || sealed_number(&s->raw, &s->inside, &rest) || shared > most || rest > s->raw.count - s->inside) return audit_bad(a, "a block is damaged");
  if (s->states++ && bytes_compare(s->state.at + shared, s->state.count - shared, s->raw.at + s->inside, rest) >= 0) return audit_bad(a, "states %" PRIu64 " and %" PRIu64 " are not in order", s->states - 1, s->states);
  s->state.count = shared;
  if (bytes_append(a, &s->state, s->raw.at + s->inside, rest)) return -1;
  s->inside += rest;
  return --s->left || s->inside == s->raw.count ? 1 : audit_bad(a, "a block is damaged");
}

/* What stands before that character, or all of it; `rest` is what stands behind it. */
static char *cut(char **rest, const char *at) {
  char *first = *rest;
  *rest += strcspn(first, at);
  if (**rest) *(*rest)++ = 0;
  return first;
}

static int option(struct audit *a, char *text) {
  char *whole = mem_strndup(&a->mem, MEM_OTHER, text, strlen(text)), *name = cut(&text, "=");
  if (!whole || vec_push(&a->options, &a->mem, MEM_OTHER, whole)) return -1;
  int define = is(name, "--define"), *flag = is(name, "--edges-per-token") ? &a->setup.edges_per_token : is(name, "--lose-messages") ? &a->setup.lose_messages : is(name, "--no-claims") ? &a->setup.no_claims : NULL;
  if (flag) return *flag = 1, 0;
  if (is(name, "--language")) return 0; /* the head has a line of it */
  if (is(name, "--include")) return vec_push(&a->folders, &a->mem, MEM_OTHER, text);
  if (!define && !is(name, "--marking")) return audit_bad(a, "it has an option that is not known here: %s", name);
  name = cut(&text, "=");
  return vec_push(define ? &a->defines : &a->markings, &a->mem, MEM_OTHER, (struct front_override){name, text});
}

/* A key and a text, in which \n and \\ become what they were. */
static int line(struct audit *a, char *text) {
  char *key = cut(&text, " "), *to = text;
  const char **kept = is(key, "model") ? &a->model_name : is(key, "language") ? &a->language : is(key, "kind") ? &a->kind : is(key, "verdict") ? &a->verdict : NULL;
  for (char *from = text; *from; from++) *to++ = *from != '\\' || !from[1] ? *from : *++from == 'n' ? '\n' : '\\';
  *to = 0;
  if (kept) *kept = text;
  if (is(key, "vars")) a->vars = (uint32_t)strtoul(text, NULL, 10);
  if (is(key, "input")) return vec_push(&a->inputs, &a->mem, MEM_OTHER, text);
  if (is(key, "option")) return option(a, text);
  if (is(key, "text") && a->claims.count) return a->claims.at[a->claims.count - 1].text = text, vec_push(&a->asked, &a->mem, MEM_OTHER, text);
  if (!is(key, "property")) return 0;
  char *kind = cut(&text, " "), *status = cut(&text, " "), *evidence = cut(&text, " ");
  return vec_push(&a->claims, &a->mem, MEM_OTHER, (struct claim){.kind = kind, .status = status, .evidence = evidence, .id = text, .number = MODEL_RUNTIME});
}

int sealed_head(struct audit *a) {
  const struct bytes *head = &a->sealed.data;
  if (sealed_open(a, &a->sealed) || sealed_next(a, &a->sealed) < 0) return -1;
  if (!is(a->sealed.tag, "HEAD") || !(a->head = mem_strndup(&a->mem, MEM_OTHER, (const char *)head->at, head->count))) return audit_bad(a, "it has no head");
  for (char *rest = a->head; strchr(rest, '\n');)
    if (line(a, cut(&rest, "\n"))) return audit_memory(a);
  return a->model_name && a->language && a->kind && a->verdict && a->inputs.count ? 0 : audit_bad(a, "its head is not whole");
}
