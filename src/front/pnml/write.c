/* write.c -- a net as PNML that other tools accept: ISO/IEC 15909-2, one page.
 *
 * PNML wants identifiers that are XML names (no spaces, no leading digit) and unique in the
 * whole file.  Ids that are fine are kept, so that a net that came from PNML goes back as it
 * was; others get a made one, and the old id becomes the name:
 *
 *   arc-1, place-7, page-1, ...     with as many dashes as it takes for no id of the net
 *                                   to begin like that; the same again on the next way
 *
 * Nested units go into the tool part that the model checking contest defines. */
#include "front/pnml/pnml.h"

#include "front/text.h"
#include "front/units.h"
#include "model/owners.h"

#include <errno.h>
#include <string.h>

enum made { ARC, PAGE, NET, PLACE, TRANSITION, MADE };
static const char *const made_words[MADE] = {"arc", "page", "net", "place", "transition"};

struct writer {
  const struct pt_net *net;
  FILE *out;
  int dashes[MADE]; /* in made ids */
  int units_renamed;
};

static void escape(FILE *out, const char *text) {
  for (; *text; text++) {
    switch (*text) {
    case '&': fputs("&amp;", out); break;
    case '<': fputs("&lt;", out); break;
    case '>': fputs("&gt;", out); break;
    case '"': fputs("&quot;", out); break;
    case '\t':
    case '\n':
    case '\r': fprintf(out, "&#%d;", *text); break; /* attributes and line ends would lose them */
    default: putc_unlocked(*text, out); break;
    }
  }
}

/* ---- identifiers ------------------------------------------------------------------ */

/* May this character begin (or else: continue) an XML name? The colon may not: it would be a prefix. */
static int name_character(uint32_t c, int first) {
  static const struct {
    uint32_t from, to;
  } ranges[] = {{'A', 'Z'},       {'a', 'z'},       {'_', '_'},         {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x2ff},
                {0x370, 0x37d},   {0x37f, 0x1fff},  {0x200c, 0x200d},   {0x2070, 0x218f}, {0x2c00, 0x2fef}, {0x3001, 0xd7ff},
                {0xf900, 0xfdcf}, {0xfdf0, 0xfffd}, {0x10000, 0xeffff}, /* and after the first character also: */
                {'0', '9'},       {'-', '.'},       {0xb7, 0xb7},       {0x300, 0x36f},   {0x203f, 0x2040}};
  enum { STARTERS = 15 };
  for (size_t i = 0; i < (first ? STARTERS : sizeof ranges / sizeof *ranges); i++)
    if (c >= ranges[i].from && c <= ranges[i].to) return 1;
  return 0;
}

/* The ids of a net are valid UTF-8: every reader sees to it. */
static int xml_name(const char *text) {
  const unsigned char *p = (const unsigned char *)text;
  if (!*p || front_bad_text(text, strlen(text)) != strlen(text)) return 0;
  for (int first = 1; *p; first = 0) {
    uint32_t c = *p++;
    size_t more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0x80 ? 1 : 0;
    if (more) c &= 0x3fu >> more;
    for (; more; more--) c = c << 6 | (*p++ & 0x3f);
    if (!name_character(c, first)) return 0;
  }
  return 1;
}

/* Keeps made ids apart from this one. */
static void stay_clear(struct writer *w, const char *id) {
  for (int made = 0; made < MADE; made++) {
    size_t length = strlen(made_words[made]);
    if (strncmp(id, made_words[made], length) != 0) continue;
    int n = (int)strspn(id + length, "-") + 1;
    if (n > w->dashes[made]) w->dashes[made] = n;
  }
}

static void made_id(struct writer *w, enum made made, uint32_t number) {
  fputs(made_words[made], w->out);
  for (int i = 0; i < w->dashes[made]; i++) putc_unlocked('-', w->out);
  fprintf(w->out, "%u", number + 1);
}

static void place_id(struct writer *w, uint32_t p) {
  if (xml_name(w->net->place_id[p])) fputs(w->net->place_id[p], w->out);
  else made_id(w, PLACE, p);
}

static void transition_id(struct writer *w, uint32_t t) {
  if (xml_name(w->net->transition_id[t])) fputs(w->net->transition_id[t], w->out);
  else made_id(w, TRANSITION, t);
}

static void unit_id(struct writer *w, uint32_t u) {
  if (w->units_renamed) fprintf(w->out, "u%u", u);
  else escape(w->out, w->net->unit[u].id);
}

/* ---- parts ------------------------------------------------------------------------ */

static void name(struct writer *w, const char *text) {
  fputs("<name><text>", w->out);
  escape(w->out, text);
  fputs("</text></name>", w->out);
}

static void position(struct writer *w, float x, float y) {
  char number[64];
  if (x == 0 && y == 0) return; /* how a net says: no position */
  fprintf(w->out, "<graphics><position x=\"%s\"", front_print_decimal(number, x));
  fprintf(w->out, " y=\"%s\"/></graphics>", front_print_decimal(number, y));
}

static void nodes(struct writer *w) {
  const struct pt_net *net = w->net;
  for (uint32_t p = 0; p < net->places; p++) {
    fputs("   <place id=\"", w->out);
    place_id(w, p);
    fputs("\">", w->out);
    name(w, net->place_name[p]);
    if (net->place_xy) position(w, net->place_xy[p].x, net->place_xy[p].y);
    if (net->initial[p]) fprintf(w->out, "<initialMarking><text>%u</text></initialMarking>", net->initial[p]);
    fputs("</place>\n", w->out);
  }
  for (uint32_t t = 0; t < net->transitions; t++) {
    fputs("   <transition id=\"", w->out);
    transition_id(w, t);
    fputs("\">", w->out);
    name(w, net->transition_name[t]);
    if (net->transition_xy) position(w, net->transition_xy[t].x, net->transition_xy[t].y);
    if (net->owned && net->owned[t])
      fprintf(w->out, "<toolspecific tool=\"thimble\" version=\"1.0\"><controllable value=\"%s\"/></toolspecific>", owner_said(net->owned[t]) == OWNER_CONTROLLABLE ? "true" : "false");
    fputs("</transition>\n", w->out);
  }
}

static void arc(struct writer *w, uint32_t number, const struct pt_arc *a, uint32_t t, int from_place) {
  fputs("   <arc id=\"", w->out);
  made_id(w, ARC, number);
  fputs("\" source=\"", w->out);
  if (from_place) place_id(w, a->place);
  else transition_id(w, t);
  fputs("\" target=\"", w->out);
  if (from_place) transition_id(w, t);
  else place_id(w, a->place);
  if (a->weight == 1) fputs("\"/>\n", w->out);
  else fprintf(w->out, "\"><inscription><text>%u</text></inscription></arc>\n", a->weight);
}

static void arcs(struct writer *w) {
  const struct pt_net *net = w->net;
  uint32_t number = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++) arc(w, number++, &net->pre[i], t, 1);
    for (uint32_t i = net->post_start[t]; i < net->post_start[t + 1]; i++) arc(w, number++, &net->post[i], t, 0);
  }
}

/* The lists of ids are split at blanks, so ids with blanks are exchanged for others. */
static int units(struct writer *w, struct err *e) {
  const struct pt_net *net = w->net;
  struct unit_lists l;
  if (unit_lists_open(&l, net, e)) return -1;
  for (uint32_t u = 0; u < net->units; u++) w->units_renamed |= strpbrk(net->unit[u].id, " \t\r\n") != NULL;
  fprintf(w->out, "   <toolspecific tool=\"nupn\" version=\"1.1\">\n    <size places=\"%u\" transitions=\"%u\" arcs=\"%u\"/>\n",
          net->places, net->transitions, net->arcs);
  fprintf(w->out, "    <structure units=\"%u\" root=\"", net->units);
  unit_id(w, l.root);
  fprintf(w->out, "\" safe=\"%s\">\n", net->declared_safe ? "true" : "false");
  for (uint32_t u = 0; u < net->units; u++) {
    fputs("     <unit id=\"", w->out);
    unit_id(w, u);
    fputs("\"><places>", w->out);
    for (uint32_t i = 0; i < net->unit[u].place_count; i++) {
      if (i) putc_unlocked(' ', w->out);
      place_id(w, net->unit_places[net->unit[u].first_place + i]);
    }
    fputs("</places><subunits>", w->out);
    for (uint32_t sub = l.first[u]; sub != PT_NONE; sub = l.next[sub]) {
      if (sub != l.first[u]) putc_unlocked(' ', w->out);
      unit_id(w, sub);
    }
    fputs("</subunits></unit>\n", w->out);
  }
  fputs("    </structure>\n   </toolspecific>\n", w->out);
  unit_lists_close(&l, net);
  return 0;
}

/* Can the net's name be its id? It must be an XML name, and nobody else's. */
static int name_is_id(const struct pt_net *net) {
  size_t length = strlen(net->name);
  return xml_name(net->name) && pt_find_place(net, net->name, length) == -1 && pt_find_transition(net, net->name, length) == -1;
}

int pnml_write(const struct pt_net *net, FILE *out, struct err *e) {
  struct writer w = {.net = net, .out = out, .dashes = {1, 1, 1, 1, 1}};
  for (uint32_t p = 0; p < net->places; p++) stay_clear(&w, net->place_id[p]);
  for (uint32_t t = 0; t < net->transitions; t++) stay_clear(&w, net->transition_id[t]);
  if (name_is_id(net)) stay_clear(&w, net->name);
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n <net id=\"",
        out);
  if (name_is_id(net)) fputs(net->name, out);
  else made_id(&w, NET, 0);
  fputs("\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">\n", out);
  if (*net->name) {
    fputs("  ", out);
    name(&w, net->name);
    fputs("\n", out);
  }
  fputs("  <page id=\"", out);
  made_id(&w, PAGE, 0);
  fputs("\">\n", out);
  nodes(&w);
  arcs(&w);
  if (net->units && units(&w, e)) return -1;
  fputs("  </page>\n </net>\n</pnml>\n", out);
  if (fflush(out) || ferror(out)) return err_io(e, "", "cannot write: %s", strerror(errno));
  return 0;
}
