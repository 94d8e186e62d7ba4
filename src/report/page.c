/* page.c -- see page.h.
 *
 * A viewer has two marks: `<!--policy sha256-...-->`, which tells the hash of its script, and `<!--data-->`.  The data goes
 * through a stream that knows one rule: in JSON a `<` can only stand inside a text, so it may be escaped wherever it
 * is met, whoever writes it. */
#define _GNU_SOURCE /* fopencookie */
#include "report/page.h"

#include <string.h>
#include <sys/types.h>

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

static ssize_t escape(void *to, const char *text, size_t length) {
  FILE *out = to;
  for (const char *p = text, *end = text + length; p < end;) {
    const char *mark = memchr(p, '<', (size_t)(end - p));
    size_t plain = (size_t)((mark ? mark : end) - p);
    if (fwrite(p, 1, plain, out) < plain) return 0;
    if (mark && fputs("\\u003c", out) < 0) return 0;
    p += plain + (mark != NULL);
  }
  return (ssize_t)length;
}

int page_open(struct page *p, const char *viewer, enum page_policy policy, FILE *out) {
  char text[400];
  const char *mark = strstr(viewer, policy_mark), *end = mark ? strstr(mark, "-->") : NULL, *data = strstr(viewer, data_mark);
  memset(p, 0, sizeof *p);
  p->out = out;
  p->data = fopencookie(out, "w", (cookie_io_functions_t){.write = escape});
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
