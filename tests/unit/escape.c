/* escape.c -- what is written through the streams of report/escape.h is safe where it comes out, however it is cut into pieces. */
#include "tap.h"

#include "report/escape.h"

#include <stdlib.h>
#include <string.h>

static char *through(FILE *(*open)(FILE *), const char *text, size_t length, int bytewise) {
  char *result = NULL;
  size_t size;
  FILE *to = open_memstream(&result, &size), *stream = open(to);
  if (bytewise) setvbuf(stream, NULL, _IONBF, 0);
  for (size_t i = 0; bytewise && i < length; i++) fputc(text[i], stream);
  if (!bytewise) fwrite(text, 1, length, stream);
  fclose(stream);
  fclose(to);
  return result;
}

static void becomes(FILE *(*open)(FILE *), const char *text, const char *want, const char *what) {
  for (int bytewise = 0; bytewise < 2; bytewise++) {
    char *got = through(open, text, strlen(text), bytewise);
    is_text(got, want, what); /* at once, and byte by byte */
    free(got);
  }
}

int main(void) {
  becomes(escape_in_html, "{\"a\":\"</script><!--\"}", "{\"a\":\"\\u003c/script>\\u003c!--\"}", "JSON in a page");
  becomes(escape_in_html, "no mark", "no mark", "nothing to escape");
  becomes(escape_in_xml, "a < b && c > \"d\"\n\t", "a &lt; b &amp;&amp; c &gt; &quot;d&quot;\n\t", "markup");
  becomes(escape_in_xml, "\x01\x1b[31m\r", "\xef\xbf\xbd\xef\xbf\xbd[31m\xef\xbf\xbd", "control characters");
  becomes(escape_in_xml, "\xc3\xbc \xe2\x86\x92 \xf0\x9f\x98\x80", "\xc3\xbc \xe2\x86\x92 \xf0\x9f\x98\x80", "UTF-8");
  becomes(escape_in_xml, "\xff\xc3(\xe2\x86x\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbdx\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", "broken UTF-8");
  becomes(escape_in_xml, "end \xf0\x9f", "end \xef\xbf\xbd\xef\xbf\xbd", "cut off");
  becomes(escape_in_xml, "\xef\xbf\xbf", "\xef\xbf\xbd", "no character");
  char *long_text = malloc(100001);
  for (size_t i = 0; i < 100000; i += 4) memcpy(long_text + i, "\xf0\x9f\x98\x80", 4);
  memmove(long_text + 1, long_text, 99999); /* so that buffers end within sequences */
  long_text[0] = 'x', long_text[99997] = 0;
  becomes(escape_in_xml, long_text, long_text, "longer than any buffer");
  free(long_text);
  return done();
}
