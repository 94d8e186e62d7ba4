/* write.c -- a drawing as .cpn, for CPN Tools 4 and CPN IDE.
 *
 * Everything that those tools want to have is written with plain values where the drawing has none (colours of lines, where texts stand: beside their node).  Ids are numbered anew.  Declarations: write_colset.c. */
#include "front/cpn/write.h"

#include "front/text.h"
#include "model/owners.h"

#include <string.h>

struct cpn_writer {
  FILE *out;
  const struct drawing *d;
  unsigned long next_id;   /* of things that nothing refers to */
  unsigned long *first_of; /* per page: number of its first node; places, then transitions */
};

/* ---- text ----------------------------------------------------------------------------------------------------------------------- */

void cpn_escape(FILE *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) switch (text[i]) {
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '&': fputs("&amp;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\r': fputs("&#13;", out); break; /* readers of XML take it for the end of a line */
    default: putc(text[i], out);
    }
}

static void escape(FILE *out, const char *text) { cpn_escape(out, text, strlen(text)); }

static const char *number(char out[64], double x) { return front_print_decimal(out, (float)x); }

static void position(struct cpn_writer *w, double x, double y) {
  char a[64], b[64];
  fprintf(w->out, "<posattr x=\"%s\" y=\"%s\"/>", number(a, x), number(b, y));
}

static void look_with(struct cpn_writer *w, int thick, const char *line) {
  fprintf(w->out, "<fillattr colour=\"White\" pattern=\"%s\" filled=\"false\"/><lineattr colour=\"Black\" thick=\"%d\" type=\"%s\"/><textattr colour=\"Black\" bold=\"false\"/>", thick ? "" : "Solid", thick, line);
}

static void look(struct cpn_writer *w, int thick) { look_with(w, thick, thick ? "solid" : "Solid"); }

/* <type id="ID7"> ... <text>INT</text></type>, beside its node */
static void label(struct cpn_writer *w, const char *element, double x, double y, const struct drawing_text *t, const char *before) {
  fprintf(w->out, "        <%s id=\"ID%lu\">", element, w->next_id++);
  position(w, x, y);
  look(w, 0);
  fputs("<text tool=\"CPN Tools\" version=\"4.0.1\">", w->out);
  if (t->length) fputs(before, w->out);
  cpn_escape(w->out, t->text, t->length);
  fprintf(w->out, "</text></%s>\n", element);
}

/* ---- nodes ----------------------------------------------------------------------------------------------------------------------- */

/* Nodes without a position are put into rows. */
static struct drawing_position placed(const struct drawing_position *p, size_t number, int transition) {
  struct drawing_position at = *p;
  if (!at.known) at = (struct drawing_position){.x = (double)(number % 8) * 150, .y = -(double)(number / 8) * 200 - (transition ? 100 : 0), .known = 1};
  if (at.width <= 0) at.width = 60;
  if (at.height <= 0) at.height = 40;
  return at;
}

static unsigned long place_id(const struct cpn_writer *w, size_t page, size_t place) { return w->first_of[page] + place; }
static unsigned long transition_id(const struct cpn_writer *w, size_t page, size_t t) { return w->first_of[page] + w->d->pages.at[page].places.count + t; }
static unsigned long page_id(size_t page) { return page + 1; }

/* What places and transitions begin with: where they are, how they look, what they are called. */
static void begin_node(struct cpn_writer *w, const char *tag, const char *attributes, unsigned long id, const struct drawing_position *at, const char *name, const char *shape, const char *line) {
  char a[64], b[64];
  fprintf(w->out, "      <%s id=\"ID%lu\"%s>\n        ", tag, id, attributes);
  position(w, at->x, at->y);
  look_with(w, 1, line);
  fputs("<text>", w->out);
  escape(w->out, name);
  fprintf(w->out, "</text><%s w=\"%s\" h=\"%s\"/>", shape, number(a, at->width), number(b, at->height));
}

static void write_place(struct cpn_writer *w, size_t page, size_t number_on_page) {
  static const char *const port[] = {"", "In", "Out", "I/O"};
  const struct drawing_place *p = &w->d->pages.at[page].places.at[number_on_page];
  struct drawing_position at = placed(&p->at, number_on_page, 0);
  begin_node(w, "place", "", place_id(w, page, number_on_page), &at, p->name, "ellipse", "solid");
  fputs("<token x=\"-10\" y=\"0\"/><marking x=\"0\" y=\"0\" hidden=\"false\"><snap snap_id=\"0\" anchor.horizontal=\"0\" anchor.vertical=\"0\"/></marking>\n", w->out);
  label(w, "type", at.x + at.width / 2 + 10, at.y - at.height / 2, &p->colset, "");
  label(w, "initmark", at.x + at.width / 2 + 20, at.y + at.height / 2, &p->initial, "");
  if (p->port) {
    fprintf(w->out, "        <port id=\"ID%lu\" type=\"%s\">", w->next_id++, port[p->port]);
    position(w, at.x - at.width / 2, at.y - at.height / 2);
    look(w, 0);
    fprintf(w->out, "<text>%s</text></port>\n", port[p->port]);
  }
  if (p->fusion) {
    fprintf(w->out, "        <fusioninfo id=\"ID%lu\" name=\"", w->next_id++);
    escape(w->out, p->fusion);
    fputs("\">", w->out);
    position(w, at.x - at.width / 2, at.y - at.height / 2);
    look(w, 0);
    fputs("<text>", w->out);
    escape(w->out, p->fusion);
    fputs("</text></fusioninfo>\n", w->out);
  }
  fputs("      </place>\n", w->out);
}

/* Where the place with this id of the drawing stands; 0: nowhere. */
static unsigned long find_place(const struct cpn_writer *w, const char *id) {
  for (size_t i = 0; i < w->d->pages.count; i++)
    for (size_t k = 0; k < w->d->pages.at[i].places.count; k++)
      if (strcmp(w->d->pages.at[i].places.at[k].id, id) == 0) return place_id(w, i, k);
  return 0;
}

static void write_substitution(struct cpn_writer *w, const struct drawing_transition *t, const struct drawing_position *at) {
  size_t page = 0;
  while (page < w->d->pages.count && strcmp(w->d->pages.at[page].id, t->subpage) != 0) page++;
  fprintf(w->out, "        <subst subpage=\"ID%lu\" portsock=\"", page_id(page));
  for (size_t i = 0; i < t->pairs.count; i++) fprintf(w->out, "(ID%lu,ID%lu)", find_place(w, t->pairs.at[i].port), find_place(w, t->pairs.at[i].socket));
  fprintf(w->out, "\"><subpageinfo id=\"ID%lu\" name=\"", w->next_id++);
  if (page < w->d->pages.count) escape(w->out, w->d->pages.at[page].name);
  fputs("\">", w->out);
  position(w, at->x, at->y - at->height / 2);
  look(w, 0);
  fputs("</subpageinfo></subst>\n", w->out);
}

static void write_transition(struct cpn_writer *w, size_t page, size_t number_on_page) {
  const struct drawing_transition *t = &w->d->pages.at[page].transitions.at[number_on_page];
  struct drawing_position at = placed(&t->at, number_on_page, 1);
  begin_node(w, "trans", " explicit=\"false\"", transition_id(w, page, number_on_page), &at, t->name, "box", owner_said(t->owned) == OWNER_UNCONTROLLABLE ? "dotted" : "solid");
  fputs("<binding x=\"7\" y=\"-3\"/>\n", w->out);
  if (t->subpage) write_substitution(w, t, &at);
  int bracketed = t->guard.length && t->guard.text[0] == '[';
  struct drawing_text guard = t->guard;
  fprintf(w->out, "        <cond id=\"ID%lu\">", w->next_id++);
  position(w, at.x - at.width / 2 - 10, at.y + at.height / 2 + 10);
  look(w, 0);
  fprintf(w->out, "<text tool=\"CPN Tools\" version=\"4.0.1\">%s", guard.length && !bracketed ? "[" : "");
  cpn_escape(w->out, guard.text, guard.length);
  fprintf(w->out, "%s</text></cond>\n", guard.length && !bracketed ? "]" : "");
  int signed_delay = t->delay.length && t->delay.text[0] == '@';
  label(w, "time", at.x + at.width / 2 + 10, at.y + at.height / 2 + 10, &t->delay, signed_delay ? "" : "@+");
  label(w, "code", at.x + at.width / 2 + 20, at.y - at.height, &t->code, "");
  if (t->channel.length) label(w, "channel", at.x - at.width / 2 - 20, at.y, &t->channel, "");
  label(w, "priority", at.x - at.width / 2 - 20, at.y - at.height / 2 - 10, &t->priority, "");
  fputs("      </trans>\n", w->out);
}

static void write_arc(struct cpn_writer *w, size_t page, const struct drawing_arc *a) {
  static const char *const orientation[] = {"PtoT", "TtoP", "BOTHDIR", "Inhibitor", "Reset"};
  const struct drawing_page *p = &w->d->pages.at[page];
  struct drawing_position from = placed(&p->places.at[a->at_place].at, a->at_place, 0), to = placed(&p->transitions.at[a->at_transition].at, a->at_transition, 1);
  fprintf(w->out, "      <arc id=\"ID%lu\" orientation=\"%s\" order=\"1\">\n        ", w->next_id++, orientation[a->kind]);
  position(w, 0, 0);
  look(w, 1);
  fprintf(w->out, "<arrowattr headsize=\"1.2\" currentcyckle=\"2\"/><transend idref=\"ID%lu\"/><placeend idref=\"ID%lu\"/>\n", transition_id(w, page, a->at_transition), place_id(w, page, a->at_place));
  for (size_t i = 0; i < a->bends.count; i++) {
    fprintf(w->out, "        <bendpoint id=\"ID%lu\" serial=\"%zu\">", w->next_id++, i + 1);
    position(w, a->bends.at[i].x, a->bends.at[i].y);
    look(w, 0);
    fputs("</bendpoint>\n", w->out);
  }
  label(w, "annot", (from.x + to.x) / 2, (from.y + to.y) / 2 + 10, &a->inscription, "");
  fputs("      </arc>\n", w->out);
}

/* ---- the file -------------------------------------------------------------------------------------------------------------------- */

static void write_fusions(struct cpn_writer *w) {
  const struct drawing *d = w->d;
  for (size_t i = 0; i < d->pages.count; i++)
    for (size_t k = 0; k < d->pages.at[i].places.count; k++) {
      const char *name = d->pages.at[i].places.at[k].fusion;
      int told = 0;
      if (!name) continue;
      for (size_t x = 0; x <= i; x++)
        for (size_t y = 0; y < (x < i ? d->pages.at[x].places.count : k); y++) told |= d->pages.at[x].places.at[y].fusion && strcmp(d->pages.at[x].places.at[y].fusion, name) == 0;
      if (told) continue;
      fprintf(w->out, "    <fusion id=\"ID%lu\" name=\"", w->next_id++);
      escape(w->out, name);
      fputs("\">", w->out);
      for (size_t x = 0; x < d->pages.count; x++)
        for (size_t y = 0; y < d->pages.at[x].places.count; y++)
          if (d->pages.at[x].places.at[y].fusion && strcmp(d->pages.at[x].places.at[y].fusion, name) == 0) fprintf(w->out, "<fusion_elm idref=\"ID%lu\"/>", place_id(w, x, y));
      fputs("</fusion>\n", w->out);
    }
}

static int is_subpage(const struct drawing *d, const char *id) {
  for (size_t i = 0; i < d->pages.count; i++)
    for (size_t t = 0; t < d->pages.at[i].transitions.count; t++)
      if (d->pages.at[i].transitions.at[t].subpage && strcmp(d->pages.at[i].transitions.at[t].subpage, id) == 0) return 1;
  return 0;
}

/* The tree of instances: pages on top, and below each substitution transition the page that stands for it. */
enum { NESTED = 50 };
static void write_instance(struct cpn_writer *w, size_t page, unsigned long transition, int depth) {
  const struct drawing_page *p = &w->d->pages.at[page];
  fprintf(w->out, "<instance id=\"ID%lu\" ", w->next_id++);
  if (transition) fprintf(w->out, "trans=\"ID%lu\">", transition);
  else fprintf(w->out, "page=\"ID%lu\">", page_id(page));
  for (size_t t = 0; t < p->transitions.count && depth < NESTED; t++)
    for (size_t k = 0; p->transitions.at[t].subpage && k < w->d->pages.count; k++)
      if (strcmp(w->d->pages.at[k].id, p->transitions.at[t].subpage) == 0) write_instance(w, k, transition_id(w, page, t), depth + 1);
  fputs("</instance>", w->out);
}

int cpn_write(const struct drawing *d, FILE *out, struct err *e) {
  struct cpn_writer w = {.out = out, .d = d, .next_id = page_id(d->pages.count)};
  w.first_of = mem_alloc(d->mem, MEM_OTHER, (d->pages.count + 1) * sizeof *w.first_of);
  if (!w.first_of) return err_memory(e, "writing the net");
  for (size_t i = 0; i < d->pages.count; i++) {
    w.first_of[i] = w.next_id;
    w.next_id += d->pages.at[i].places.count + d->pages.at[i].transitions.count;
  }
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE workspaceElements PUBLIC \"-//CPN//DTD CPNXML 1.0//EN\" \"http://cpntools.org/DTD/6/cpn.dtd\">\n<workspaceElements>\n"
        "  <generator tool=\"CPN Tools\" version=\"4.0.1\" format=\"6\"/>\n  <cpnet>\n    <globbox>\n",
        out);
  int bad = 0;
  for (size_t i = 0; i < d->declarations.count && !bad; i++) {
    const char *block = d->declarations.at[i].block, *before = i ? d->declarations.at[i - 1].block : NULL;
    int same = i && (block && before ? strcmp(block, before) == 0 : block == before);
    if (!same && before) fputs("      </block>\n", out);
    if (!same && block) {
      fprintf(out, "      <block id=\"ID%lu\"><id>", w.next_id++);
      escape(out, block);
      fputs("</id>\n", out);
    }
    cpn_write_declaration(out, &d->declarations.at[i].text, &w.next_id);
    if (i + 1 == d->declarations.count && block) fputs("      </block>\n", out);
  }
  fputs("    </globbox>\n", out);
  for (size_t i = 0; i < d->pages.count; i++) {
    const struct drawing_page *p = &d->pages.at[i];
    fprintf(out, "    <page id=\"ID%lu\">\n      <pageattr name=\"", page_id(i));
    escape(out, p->name);
    fputs("\"/>\n", out);
    for (size_t k = 0; k < p->places.count; k++) write_place(&w, i, k);
    for (size_t k = 0; k < p->transitions.count; k++) write_transition(&w, i, k);
    for (size_t k = 0; k < p->arcs.count; k++) write_arc(&w, i, &p->arcs.at[k]);
    fputs("      <constraints/>\n    </page>\n", out);
  }
  write_fusions(&w);
  fputs("    <instances>", out);
  for (size_t i = 0; i < d->pages.count; i++)
    if (!is_subpage(d, d->pages.at[i].id)) write_instance(&w, i, 0, 0);
  fputs("</instances>\n    <options>", out);
  if (d->real_time) fputs("<option name=\"realtimestamp\"><value><boolean>true</boolean></value></option>", out);
  fputs("</options>\n    <binders/>\n    <monitorblock name=\"Monitors\"/>\n    <IndexNode expanded=\"true\"/>\n  </cpnet>\n</workspaceElements>\n", out);
  mem_free(d->mem, w.first_of);
  return 0;
}
