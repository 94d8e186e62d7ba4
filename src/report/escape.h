/* escape.h -- streams that make what is written to them safe for where it goes.
 *
 * What is written to the stream comes out on `to`, escaped; closing the stream leaves `to` open.  NULL: no memory. */
#ifndef REPORT_ESCAPE_H
#define REPORT_ESCAPE_H

#include <stdio.h>

/* JSON inside an HTML element: a `<` can only stand inside a text of it, so it may be escaped wherever it is met. */
FILE *escape_in_html(FILE *to);
/* Any text inside an XML element or a quoted attribute.  XML cannot hold control characters other than tab and line end, nor
   what is no UTF-8: they become U+FFFD. */
FILE *escape_in_xml(FILE *to);
void escape_xml(FILE *to, const char *text); /* the same for one text */

#endif
