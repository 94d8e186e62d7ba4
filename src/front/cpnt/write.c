/* write.c -- a drawing as .cpnt. */
#include "front/cpnt/cpnt.h"

#include "front/text.h"
#include "model/owners.h"

#include <string.h>

static int bare(const char *name) {
  if (!*name || *name == '"' || strncmp(name, "--", 2) == 0) return 0;
  for (; *name; name++)
    if ((unsigned char)*name <= ' ' || *name == '\\') return 0;
  return 1;
}

static void write_name(FILE *out, const char *name) {
  if (bare(name)) {
    fputs(name, out);
    return;
  }
  putc('"', out);
  for (; *name; name++) {
    char escaped = *name == '\n' ? 'n' : *name == '\t' ? 't' : *name == '\r' ? 'r' : *name == '"' || *name == '\\' ? *name : 0;
    if (escaped) putc('\\', out);
    putc(escaped ? escaped : *name, out);
  }
  putc('"', out);
}

static int blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

struct line {
  const char *begin, *end; /* without blanks around */
  unsigned in;             /* columns before it */
};

/* The next line of a text from *p on that has something in it. 0: there is none. */
static int next_line(const char **p, const char *end, struct line *l) {
  while (*p < end) {
    const char *stop = memchr(*p, '\n', (size_t)(end - *p));
    if (!stop) stop = end;
    *l = (struct line){*p, stop, 0};
    for (; l->begin < stop && blank(*l->begin); l->begin++) l->in = *l->begin == '\t' ? (l->in / 8 + 1) * 8 : l->in + (*l->begin == ' ');
    while (l->end > l->begin && blank(l->end[-1])) l->end--;
    *p = stop + 1;
    if (l->begin < l->end) return 1;
  }
  return 0;
}

/* A text behind a word: its further lines stand further in, as far from each other as they were. */
static void write_text(FILE *out, const struct drawing_text *t, const char *margin) {
  const char *end = t->text + t->length, *p = t->text;
  struct line l;
  if (!next_line(&p, end, &l)) {
    putc('\n', out);
    return;
  }
  fwrite(l.begin, 1, (size_t)(l.end - l.begin), out);
  unsigned least = UINT32_MAX;
  for (const char *q = p; next_line(&q, end, &l);)
    if (l.in < least) least = l.in;
  while (next_line(&p, end, &l)) {
    int remark = l.end - l.begin >= 2 && l.begin[0] == '-' && l.begin[1] == '-'; /* the multisets' minus at the beginning of a line is none */
    fprintf(out, "\n%s%*s%s", margin, (int)(l.in - least < 200 ? l.in - least : 200), "", remark ? "(**) " : "");
    fwrite(l.begin, 1, (size_t)(l.end - l.begin), out);
  }
  putc('\n', out);
}

static void write_position(FILE *out, const struct drawing_position *p) {
  char x[64], y[64];
  if (!p->known) return;
  fprintf(out, "    at %s %s", front_print_decimal(x, (float)p->x), front_print_decimal(y, (float)p->y));
  front_print_decimal(x, (float)p->width), front_print_decimal(y, (float)p->height);
  if (strcmp(x, "0") != 0 || strcmp(y, "0") != 0) fprintf(out, " %s %s", x, y); /* as they are written, a float may be 0 where a number is not */
  putc('\n', out);
}

static void write_place(FILE *out, const struct drawing_place *p) {
  static const char *const port[] = {"", "in", "out", "both"};
  fputs("\n  place ", out);
  write_name(out, p->name);
  if (p->colset.length) fputs(" : ", out);
  write_text(out, &p->colset, "      ");
  if (p->initial.length) {
    fputs("    initial ", out);
    write_text(out, &p->initial, "      ");
  }
  if (p->port) fprintf(out, "    port %s\n", port[p->port]);
  if (p->fusion) {
    fputs("    fusion ", out);
    write_name(out, p->fusion);
    putc('\n', out);
  }
  write_position(out, &p->at);
}

static void write_part(FILE *out, const char *word, const struct drawing_text *t) {
  if (!t->length) return;
  fprintf(out, "    %s ", word);
  write_text(out, t, "      ");
}

static void write_arc(FILE *out, const struct drawing_page *page, const struct drawing_arc *a) {
  static const char *const word[] = {"take", "give", "test", "inhibit", "reset"};
  char x[64], y[64];
  fprintf(out, "    %s ", word[a->kind]);
  write_name(out, page->places.at[a->at_place].name);
  if (a->bends.count) fputs(" via", out);
  for (size_t i = 0; i < a->bends.count; i++) fprintf(out, " %s %s", front_print_decimal(x, (float)a->bends.at[i].x), front_print_decimal(y, (float)a->bends.at[i].y));
  if (!a->inscription.length) {
    putc('\n', out);
    return;
  }
  fputs(" : ", out);
  write_text(out, &a->inscription, "      ");
}

/* What a place with this id is called. */
static const char *name_of(const struct drawing *d, const char *id) {
  for (size_t i = 0; i < d->pages.count; i++)
    for (size_t k = 0; k < d->pages.at[i].places.count; k++)
      if (strcmp(d->pages.at[i].places.at[k].id, id) == 0) return d->pages.at[i].places.at[k].name;
  return id;
}

/* Pages of .cpn files may have the same name; here the name is what others know a page by. */
static void write_page_name(FILE *out, const struct drawing *d, const char *id) {
  size_t at = 0, before = 0;
  char name[300];
  while (at < d->pages.count && strcmp(d->pages.at[at].id, id) != 0) at++;
  if (at == d->pages.count) {
    write_name(out, id);
    return;
  }
  for (size_t i = 0; i < at; i++) before += strcmp(d->pages.at[i].name, d->pages.at[at].name) == 0;
  if (before) snprintf(name, sizeof name, "%.250s~%zu", d->pages.at[at].name, before + 1);
  write_name(out, before ? name : d->pages.at[at].name);
}

static void write_transition(FILE *out, const struct drawing *d, const struct drawing_page *page, uint32_t number) {
  const struct drawing_transition *t = &page->transitions.at[number];
  fputs(t->subpage ? "\n  substitution " : "\n  transition ", out);
  write_name(out, t->name);
  if (t->subpage) {
    fputs(" = ", out);
    write_page_name(out, d, t->subpage);
  }
  putc('\n', out);
  write_part(out, "guard", &t->guard);
  for (size_t i = 0; i < page->arcs.count; i++)
    if (page->arcs.at[i].at_transition == number) write_arc(out, page, &page->arcs.at[i]);
  for (size_t i = 0; i < t->pairs.count; i++) {
    fputs("    join ", out);
    write_name(out, name_of(d, t->pairs.at[i].socket));
    fputs(" = ", out);
    write_name(out, name_of(d, t->pairs.at[i].port));
    putc('\n', out);
  }
  write_part(out, "delay", &t->delay);
  write_part(out, "priority", &t->priority);
  write_part(out, "channel", &t->channel);
  write_part(out, "code", &t->code);
  if (t->owned) fprintf(out, "    %s\n", owner_said(t->owned) == OWNER_CONTROLLABLE ? "controllable" : "uncontrollable");
  write_position(out, &t->at);
}

int cpnt_write(const struct drawing *d, FILE *out, struct err *e) {
  const char *block = NULL;
  (void)e;
  if (d->name && *d->name) {
    fputs("net ", out);
    write_name(out, d->name);
    fputs("\n\n", out);
  }
  if (d->real_time) fputs("time real\n\n", out);
  for (size_t i = 0; i < d->declarations.count; i++) {
    const struct drawing_declaration *x = &d->declarations.at[i];
    int same = i && (x->block && block ? strcmp(x->block, block) == 0 : x->block == block);
    if (!x->text.length) continue;
    if (!same) {
      fputs(i ? "\ndeclare" : "declare", out);
      if (x->block) putc(' ', out), write_name(out, x->block);
      putc('\n', out);
    }
    block = x->block;
    fputs("  ", out);
    write_text(out, &x->text, "    ");
  }
  for (size_t i = 0; i < d->pages.count; i++) {
    const struct drawing_page *page = &d->pages.at[i];
    fputs(i || d->declarations.count ? "\npage " : "page ", out);
    write_page_name(out, d, page->id);
    putc('\n', out);
    for (size_t p = 0; p < page->places.count; p++) write_place(out, &page->places.at[p]);
    for (uint32_t t = 0; t < page->transitions.count; t++) write_transition(out, d, page, t);
  }
  return 0;
}
