/* fuzz_verdict.c -- any bytes as a verdict file (thimble report): no crash, no lost memory, an error says why; whatever is in it, the page that is made of it has one element for data, which nothing in the file can end.  Then once more with
 * one allocation refused. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"
#include "report/html.h"
#include "report/verdict_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t ends(const char *text, size_t length) {
  size_t n = 0;
  for (const char *at = text, *end = text + length; (at = memmem(at, (size_t)(end - at), "</script", 8)); at++) n++;
  return n;
}

static size_t page_ends(const uint8_t *data, size_t size) {
  struct html h;
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  demand(out && html_open(&h, "fuzz", out) == 0);
  fwrite(data, 1, size, html_verdict(&h));
  html_traces(&h);
  html_sources(&h);
  html_notes(&h);
  demand(html_close(&h) == 0 && fclose(out) == 0);
  size_t n = ends(text, length);
  free(text);
  return n;
}

static void read_one(const uint8_t *data, size_t size, size_t refuse) {
  static size_t expected;
  struct mem m;
  struct err e;
  struct verdict_file v;
  mem_open(&m, BUDGET);
  m.fail_after = refuse;
  err_clear(&e);
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  int bad = verdict_file_read(&v, in, "fuzz", &m, &e);
  fclose(in);
  demand(bad ? e.message[0] && (e.kind == ERR_INPUT || (refuse && e.kind == ERR_MEMORY)) : e.kind == ERR_NONE);
  if (!bad) {
    for (size_t i = 0; i < v.property_count; i++) demand(v.property[i]);
    for (size_t i = 0; i < v.run_count; i++) demand(v.run[i].property);
    for (size_t i = 0; i < v.file_count; i++) demand(v.file[i]);
    if (!refuse) {
      if (!expected) expected = page_ends((const uint8_t *)"{}", 2);
      demand(page_ends(data, size) == expected);
    }
    verdict_file_close(&v);
  }
  demand(m.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  read_one(data, size, 0);
  read_one(data, size, fuzz_pick(data, size));
  return 0;
}
