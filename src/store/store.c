/* store.c -- one question to a store, as a batch of one. */
#include "store/store.h"

#include <string.h>

enum { SHORT = 4 };

/* A state of less than SHORT words is given the even stride that batches have. */
static uint32_t *padded(uint32_t *room, const uint32_t *state, uint32_t words) {
  if (words >= SHORT) return (uint32_t *)(uintptr_t)state;
  memset(room, 0, SHORT * sizeof *room);
  memcpy(room, state, words * sizeof *room);
  return room;
}

enum store_answer store_put(struct store *s, const uint32_t *state, uint32_t words, const struct store_source *source, store_ref *ref) {
  _Alignas(8) uint32_t room[SHORT];
  uint64_t hash;
  uint8_t answer;
  struct store_batch b = {padded(room, state, words), words, 1, &hash, ref, &answer, source, source ? 1 : 0, NULL};
  s->type->put_batch(s, &b, 0);
  return answer;
}

enum store_answer store_look(struct store *s, const uint32_t *state, uint32_t words, store_ref *ref) {
  _Alignas(8) uint32_t room[SHORT];
  uint64_t hash;
  uint8_t answer = STORE_NEW;
  struct store_batch b = {padded(room, state, words), words, 1, &hash, ref, &answer, NULL, 0, NULL};
  s->type->find_batch(s, &b);
  return answer;
}

store_ref store_find(struct store *s, const uint32_t *state, uint32_t words) {
  store_ref ref;
  return store_look(s, state, words, &ref) == STORE_SEEN ? ref : STORE_NONE;
}

store_ref store_name(struct store *s, const uint32_t *state, uint32_t words) {
  _Alignas(8) uint32_t room[SHORT];
  store_ref ref = STORE_NONE;
  uint64_t hash;
  uint8_t answer;
  struct store_batch b = {padded(room, state, words), words, 1, &hash, &ref, &answer, NULL, 0, NULL};
  return s->type->name_batch(s, &b) == 1 ? ref : STORE_NONE;
}
