/* fuzz_requests.c -- any bytes as requests to the explorer, one in each line: a name, a blank, and the body; the first byte of all says of which model.  No crash, no lost memory, each answer is JSON, each refusal says why. */
#include "explore/explorer.h"
#include "explore/requests.h"
#include "small_models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ask(struct explorer *x, char *line, size_t length, int may_lack) {
  struct err e;
  char *text = NULL, *body = memchr(line, ' ', length);
  size_t told;
  int unknown;
  if (body) *body++ = 0;
  struct request_question q = {.name = line, .body = body, .length = body ? length - (size_t)(body - line) : 0};
  err_clear(&e);
  FILE *out = open_memstream(&text, &told);
  demand(out);
  int bad = request_answer(x, &q, out, &unknown, &e);
  if (bad) request_error(&e, out);
  demand(fclose(out) == 0);
  if (bad && (e.kind == ERR_INTERNAL || e.kind == ERR_NONE)) fprintf(stderr, "%s: %s\n", line, e.message);
  if (bad) demand(e.message[0] && e.kind != ERR_NONE && e.kind != ERR_INTERNAL && (may_lack || e.kind != ERR_MEMORY));
  else {
    json_t *answer = json_loadb(text, told, JSON_DECODE_ANY, NULL);
    if (!answer) fprintf(stderr, "%s: %.*s\n", line, (int)told, text);
    demand(answer);
    json_decref(answer);
  }
  free(text);
}

static void talk(const uint8_t *data, size_t size, size_t refuse) {
  struct mem *m = &small_model_mem;
  struct err e;
  struct explorer *x = NULL;
  err_clear(&e);
  struct model *model = small_model(data[0]);
  m->fail_after = refuse;
  struct explorer_setup how = {.mem = m, .model = model, .seconds = 0.2};
  if (explorer_open(&x, &how, &e)) demand(refuse && e.kind == ERR_MEMORY);
  char *text = malloc(size + 1), *at = text, *end = text + size - 1;
  demand(text);
  memcpy(text, data + 1, size - 1);
  *end = 0;
  for (int n = 0; x && at < end && n < 12; n++) {
    char *line = memchr(at, '\n', (size_t)(end - at));
    if (!line) line = end;
    *line = 0;
    ask(x, at, (size_t)(line - at), refuse != 0);
    at = line + 1;
  }
  free(text);
  explorer_close(x);
  m->fail_after = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size) return 0;
  talk(data, size, 0);
  talk(data, size, fuzz_pick(data, size));
  return 0;
}
