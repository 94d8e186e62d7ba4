/* page.h -- a page that is one file: a viewer (web/, built and embedded) with data in it.
 *
 *   struct page p;
 *   if (page_open(&p, page_viewer, PAGE_ALONE, file)) ...   -1: no memory for the stream
 *   ... write JSON to p.data ...                            as json_out does, or a JSON text as it is
 *   if (page_close(&p)) ...                                 -1: the file could not take it all
 *
 * The page has a policy that lets nothing run but the viewer's own script and nothing be loaded from anywhere; one that
 * has a server may talk to it.  Names from models are data: every `<` becomes \u003c on its way, so nothing in them can
 * end the element that holds it. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

extern const char page_viewer[];   /* web/viewer.html */
extern const char page_explorer[]; /* web/explorer.html; not in the library */

enum page_policy {
  PAGE_ALONE,  /* no network at all */
  PAGE_SERVED, /* it may fetch from where it came from */
};

struct page {
  FILE *out;
  FILE *data;       /* what is written here becomes the data */
  const char *rest; /* of the viewer, behind the data */
};

/* The policy as text, for a header of HTTP as well; "" when `viewer` names no script. */
char *page_policy_text(char *out, size_t room, const char *viewer, enum page_policy);
int page_open(struct page *, const char *viewer, enum page_policy, FILE *out);
int page_close(struct page *);

#endif
