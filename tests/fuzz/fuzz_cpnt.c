/* fuzz_cpnt.c -- any bytes as a drawing of a coloured net: .cpnt, or .cpn where they begin with <.  No crash, no lost memory, an error says why and where.  What is read is written as both, and what was
 * written as text is read again as the same text.  Then once more with one allocation refused. */
#include "front/cpnt/cpnt.h"

#include "front/cpn/write.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct drawing *read_text(struct mem *m, const char *text, size_t length) {
  struct err e;
  struct drawing *d;
  err_clear(&e);
  if (drawing_open(&d, m, "fuzz", &e)) {
    demand(e.kind == ERR_MEMORY);
    return NULL;
  }
  const char *kept = arena_strndup(&d->arena, text, length);
  int status = kept ? cpnt_read(d, kept, length, &e) : -1;
  demand(status == 0 ? e.kind == ERR_NONE : !kept || e.kind == ERR_MEMORY || (e.kind == ERR_INPUT && e.message[0] && e.line >= 1 && e.column >= 1));
  if (status == 0) return d;
  drawing_close(d);
  return NULL;
}

static char *written(const struct drawing *d, size_t *length) {
  struct err e;
  char *text = NULL;
  err_clear(&e);
  FILE *out = open_memstream(&text, length);
  demand(out && cpnt_write(d, out, &e) == 0 && fclose(out) == 0);
  return text;
}

static void write_xml(const struct drawing *d) {
  struct err e;
  err_clear(&e);
  FILE *out = fopen("/dev/null", "w");
  demand(out && cpn_write(d, out, &e) == 0);
  fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  mem_open(&m, BUDGET);
  struct drawing *d = read_text(&m, (const char *)data, size);
  if (d) {
    size_t length = 0, again = 0;
    char *text = written(d, &length);
    struct drawing *other = read_text(&m, text, length);
    demand(other); /* what was written can be read */
    char *second = written(other, &again);
    demand(length == again && memcmp(text, second, length) == 0);
    write_xml(d);
    free(text);
    free(second);
    drawing_close(other);
  }
  drawing_close(d);
  demand(m.used == 0);

  mem_open(&m, BUDGET);
  m.fail_after = fuzz_pick(data, size) % 96 + 1;
  drawing_close(read_text(&m, (const char *)data, size));
  demand(m.used == 0);
  return 0;
}
