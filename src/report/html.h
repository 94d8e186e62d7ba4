/* html.h -- a report as one HTML file (schema thimble.report/1, doc/formats/report.md), written as it goes.
 *
 *   html_open, html_verdict, html_traces, html_trace ..., html_sources, html_source ..., html_notes, html_note ..., html_close */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/json.h"
#include "report/page.h"
#include "report/trace_view.h"

struct html {
  struct page page;
  struct json_out json;
};

int html_open(struct html *, const char *title, FILE *); /* 0, or -1: memory */
FILE *html_verdict(struct html *); /* a thimble.verdict/1 object is to be written there */
void html_no_verdict(struct html *);
void html_traces(struct html *); /* from here on traces, */
/* With its message sequence chart; map: for nets, NULL = by names. 0; 1: memory did not allow the chart, the trace is there without it. */
struct chart_map;
int html_trace(struct html *, const char *file, const struct trace_view *, const struct chart_map *map, struct mem *);
void html_sources(struct html *); /* then sources, */
void html_source(struct html *, const char *file, const char *text, size_t length);
void html_notes(struct html *); /* then what people should know about this report */
void html_note(struct html *, const char *text);
int html_close(struct html *); /* 0, or -1: the file could not take it all */

#endif
