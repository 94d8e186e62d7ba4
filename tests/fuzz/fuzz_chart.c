/* fuzz_chart.c -- any bytes as a mapping, a line of dashes, and a trace file: no crash, no lost memory, an error says why; the chart is written in every format, and its
 * SVG is well-formed whatever the names are.  Then once more with one allocation refused. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"
#include "report/chart.h"
#include "report/chart_map.h"

#include <expat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *open_bytes(const uint8_t *data, size_t size) { return size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r"); }

static void draw(const struct trace_view *v, const struct chart_map *map, struct mem *m) {
  struct chart c;
  struct err e;
  char *text = NULL;
  size_t length = 0;
  err_clear(&e);
  if (chart_make(&c, v, map, m, &e)) {
    demand(e.kind == ERR_MEMORY);
    return;
  }
  for (uint32_t i = 0; i < c.events; i++) {
    const struct chart_event *one = &c.event[i];
    demand(one->row < c.rows && one->label);
    demand(one->from == CHART_NOBODY || one->from < c.lifelines);
    demand(one->to == CHART_NOBODY || one->to < c.lifelines);
    demand(one->kind != CHART_MESSAGE || one->last_row == CHART_NEVER || (one->last_row >= one->row && one->last_row < c.rows));
  }
  FILE *out = open_memstream(&text, &length);
  demand(out);
  int bad = chart_write_svg(&c, out);
  fclose(out);
  if (!bad) {
    XML_Parser p = XML_ParserCreate(NULL);
    demand(XML_Parse(p, text, (int)length, 1) == XML_STATUS_OK);
    XML_ParserFree(p);
  }
  free(text);
  out = fopen("/dev/null", "w");
  demand(out);
  chart_write_text(&c, &(struct chart_drawing){.width = 60}, out);
  chart_write_mermaid(&c, out);
  struct json_out j;
  json_out_open(&j, out, 0);
  chart_write_json(&j, NULL, &c);
  json_out_close(&j);
  fclose(out);
  chart_close(&c);
}

static void all(const uint8_t *data, size_t size, size_t cut, struct mem *m) {
  struct chart_map *map = NULL;
  struct trace_file *file = NULL;
  struct trace_view v;
  struct err e;
  err_clear(&e);
  FILE *in = open_bytes(data, cut);
  demand(in);
  int bad = chart_map_read(&map, in, "fuzz", m, &e);
  fclose(in);
  demand(bad ? !map && e.message[0] : map && e.kind == ERR_NONE);
  size_t from = cut + 4 < size ? cut + 4 : size;
  err_clear(&e);
  in = open_bytes(data + from, size - from);
  demand(in);
  bad = trace_file_read(&file, in, "fuzz", m, &e);
  fclose(in);
  demand(bad ? !file && e.message[0] : file != NULL);
  if (file) {
    trace_file_view(file, &v);
    draw(&v, NULL, m);
    if (map) draw(&v, map, m);
    trace_file_close(file);
  }
  chart_map_close(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  const uint8_t *dashes = size ? memmem(data, size, "---\n", 4) : NULL;
  size_t cut = dashes ? (size_t)(dashes - data) : 0;
  mem_open(&m, BUDGET);
  all(data, size, cut, &m);
  demand(m.used == 0);
  mem_open(&m, BUDGET);
  m.fail_after = fuzz_pick(data, size);
  all(data, size, cut, &m);
  demand(m.used == 0);
  return 0;
}
