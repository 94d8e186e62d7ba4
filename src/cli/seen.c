/* seen.c -- see seen.h. */
#include "cli/seen.h"

#include <string.h>

const char **patterns_open(struct session *s, enum option_id id, size_t *count) {
  size_t n = 1, at = 0;
  const char *text;
  for (at = 0; (text = options_next(&s->options, id, &at)); n++)
    for (const char *c = text; *c; c++) n += *c == ',';
  const char **list = mem_alloc(&s->mem, MEM_OTHER, n * sizeof *list);
  *count = 0;
  for (at = 0; list && (text = options_next(&s->options, id, &at));)
    while (*text) {
      size_t length = strcspn(text, ",");
      if (length && !(list[(*count)++] = mem_strndup(&s->mem, MEM_OTHER, text, length))) {
        patterns_close(s, list);
        return NULL;
      }
      text += length + (text[length] == ',');
    }
  return list;
}

void patterns_close(struct session *s, const char **list) {
  for (const char **p = list; p && *p; p++) mem_free(&s->mem, (char *)*p);
  mem_free(&s->mem, list);
}

int seen_open(struct seen *x, struct session *s) {
  size_t hide = 0, show = 0;
  *x = (struct seen){0};
  x->hide = patterns_open(s, OPTION_HIDE, &hide);
  x->show = patterns_open(s, OPTION_SHOW, &show);
  x->used = mem_alloc(&s->mem, MEM_OTHER, hide + show + 1);
  if (!x->hide || !x->show || !x->used) return err_memory(&s->err, "the command line");
  if (options_given(&s->options, OPTION_HIDE) && options_given(&s->options, OPTION_SHOW))
    return err_usage(&s->err, "--hide and --show exclude each other: what is not shown is hidden"), -1;
  for (int i = 0; i < 2; i++)
    x->of[i] = (struct labels_seen){.hide = x->hide, .hide_used = x->used, .show = show ? x->show : NULL, .show_used = x->used + hide};
  return 0;
}

void seen_model(struct seen *x, int which, const struct model *m) { x->of[which].i_is_hidden = strcmp(m->language, "aut") == 0; }

int seen_check(const struct seen *x, struct session *s) {
  const uint8_t *used = x->used;
  const char *const *const lists[] = {x->hide, x->show};
  for (int k = 0; k < 2; k++)
    for (const char *const *p = lists[k]; *p; p++)
      if (!*used++) {
        char quoted[80];
        err_usage(&s->err, "--%s: nothing is called '%s'", k ? "show" : "hide", err_quote(quoted, sizeof quoted, *p, strlen(*p)));
        err_hint(&s->err, "names are those of transitions and statements, as graph --format aut writes them; * and ? match any characters");
        return -1;
      }
  return 0;
}

void seen_close(struct seen *x, struct session *s) {
  patterns_close(s, x->hide);
  patterns_close(s, x->show);
  mem_free(&s->mem, x->used);
}
