/* html.c -- see html.h. */
#include "report/html.h"

#include "report/chart.h"

int html_open(struct html *h, const char *title, FILE *out) {
  if (page_open(&h->page, page_viewer, PAGE_ALONE, out)) return -1;
  json_out_open(&h->json, h->page.data, 0);
  json_out_object(&h->json, NULL);
  json_out_text(&h->json, "schema", "thimble.report/1");
  json_out_text(&h->json, "version", THIMBLE_VERSION);
  json_out_text(&h->json, "title", title);
  return 0;
}

FILE *html_verdict(struct html *h) { return json_out_value(&h->json, "verdict"); }
void html_no_verdict(struct html *h) { json_out_null(&h->json, "verdict"); }
void html_traces(struct html *h) { json_out_array(&h->json, "traces"); }

/* One lifeline alone says nothing that the list of steps does not say. */
static int chart(struct json_out *j, const char *key, const struct trace_view *view, const struct chart_map *map, struct mem *mem) {
  struct chart c = {0};
  struct err e;
  err_clear(&e);
  int bad = chart_make(&c, view, map, mem, &e);
  if (!bad && c.lifelines > 1) chart_write_json(j, key, &c);
  else json_out_null(j, key);
  if (!bad) chart_close(&c);
  return bad ? 1 : 0;
}

int html_trace(struct html *h, const char *file, const struct trace_view *view, const struct chart_map *map, struct mem *mem) {
  struct json_out *j = &h->json;
  json_out_object(j, NULL);
  json_out_text(j, "file", file);
  json_out_text(j, "property", view->trace->property[0] ? view->trace->property : NULL);
  trace_write_json(view, json_out_value(j, "trace"));
  int missing = chart(j, "chart", view, map, mem);
  json_out_array(j, "branch_charts");
  for (size_t i = 0; i < view->trace->branch_count; i++) {
    struct trace_view run;
    view->branch(view, i, &run);
    missing |= chart(j, NULL, &run, map, mem);
  }
  json_out_end(j);
  json_out_end(j);
  return missing;
}

void html_sources(struct html *h) {
  json_out_end(&h->json);
  json_out_array(&h->json, "sources");
}

void html_source(struct html *h, const char *file, const char *text, size_t length) {
  json_out_object(&h->json, NULL);
  json_out_text(&h->json, "file", file);
  json_out_text_n(&h->json, "text", text, length);
  json_out_end(&h->json);
}

void html_notes(struct html *h) {
  json_out_end(&h->json);
  json_out_array(&h->json, "notes");
}

void html_note(struct html *h, const char *text) { json_out_text(&h->json, NULL, text); }

int html_close(struct html *h) {
  json_out_end(&h->json);
  json_out_end(&h->json);
  int bad = json_out_close(&h->json);
  return page_close(&h->page) || bad ? -1 : 0;
}
