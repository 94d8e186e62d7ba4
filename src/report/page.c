/* page.c -- see page.h.
 *
 * A viewer has two marks: `<!--policy sha256-...-->`, which tells the hash of its script, and `<!--data-->`.  The data goes
 * through a stream that escapes it, whoever writes it. */
#include "report/page.h"

#include "report/escape.h"

#include <string.h>

static const char policy_mark[] = "<!--policy ", data_mark[] = "<!--data-->";

/* The hash that the mark names; NULL where there is no mark. */
static const char *script_hash(const char *viewer, size_t *length) {
  const char *mark = strstr(viewer, policy_mark);
  if (!mark) return NULL;
  mark += sizeof policy_mark - 1;
  const char *end = strstr(mark, "-->");
  if (!end) return NULL;
  *length = (size_t)(end - mark);
  return mark;
}

char *page_policy_text(char *out, size_t room, const char *viewer, enum page_policy policy) {
  size_t length = 0;
  const char *hash = script_hash(viewer, &length);
  snprintf(out, room, "default-src 'none'; style-src 'unsafe-inline'; script-src '%.*s'; img-src data:%s; base-uri 'none'; form-action 'none'", (int)length, hash ? hash : "",
           policy == PAGE_SERVED ? "; connect-src 'self'" : "");
  if (!hash) *out = 0;
  return out;
}

int page_open(struct page *p, const char *viewer, enum page_policy policy, FILE *out) {
  char text[400];
  const char *mark = strstr(viewer, policy_mark), *end = mark ? strstr(mark, "-->") : NULL, *data = strstr(viewer, data_mark);
  memset(p, 0, sizeof *p);
  p->out = out;
  p->data = escape_in_html(out);
  if (!p->data || !end || !data || data < end) {
    if (p->data) fclose(p->data);
    p->data = NULL;
    return -1;
  }
  p->rest = data + sizeof data_mark - 1;
  fwrite(viewer, 1, (size_t)(mark - viewer), out);
  fprintf(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">", page_policy_text(text, sizeof text, viewer, policy));
  fwrite(end + 3, 1, (size_t)(data - end - 3), out);
  return 0;
}

int page_close(struct page *p) {
  int bad = !p->data || fclose(p->data);
  if (!bad) fputs(p->rest, p->out);
  return bad || ferror(p->out) ? -1 : 0;
}
