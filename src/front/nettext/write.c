/* write.c -- a net as .net text: one declaration per node, long lists broken into lines. */
#include "front/nettext/nettext.h"

#include "front/text.h"
#include "front/units.h"
#include "model/owners.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 100 };

struct writer {
  FILE *out;
  size_t column;
};

/* Words that mean something somewhere are quoted everywhere. */
int nettext_plain_word(const char *word) {
  static const char *const taken[] = {"net", "place", "transition", "arc", "const", "unit", "units", "pl",
                                      "tr",  "lb",    "nt",         "pr",  "at",    "root", "safe", "controllable", "uncontrollable", NULL};
  const char *c = word;
  if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '_')) return 0;
  for (; *c; c++)
    if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == '\'' ||
          *c == '.'))
      return 0;
  for (const char *const *t = taken; *t; t++)
    if (strcmp(word, *t) == 0) return 0;
  return 1;
}

static void put(struct writer *w, const char *text) {
  fputs(text, w->out);
  w->column += strlen(text);
}

static void quote(struct writer *w, const char *text) {
  putc_unlocked('"', w->out);
  for (const char *c = text; *c; c++) {
    const char *escape = *c == '"'    ? "\\\""
                         : *c == '\\' ? "\\\\"
                         : *c == '\n' ? "\\n"
                         : *c == '\t' ? "\\t"
                         : *c == '\r' ? "\\r"
                                      : NULL;
    if (escape) fputs(escape, w->out);
    else putc_unlocked(*c, w->out);
  }
  putc_unlocked('"', w->out);
  w->column += strlen(text) + 2;
}

static void name(struct writer *w, const char *text) {
  if (nettext_plain_word(text)) put(w, text);
  else quote(w, text);
}

static void line_end(struct writer *w) {
  putc_unlocked('\n', w->out);
  w->column = 0;
}

/* Between two members of a list: a comma, and a new line when this one is full. */
static void separate(struct writer *w) {
  putc_unlocked(',', w->out);
  w->column++;
  if (w->column > WIDTH) {
    line_end(w);
    put(w, "   ");
  }
  put(w, " ");
}

static void position(struct writer *w, float x, float y) {
  char number[64];
  if (x == 0 && y == 0) return;
  put(w, " at (");
  put(w, front_print_decimal(number, x));
  put(w, ", ");
  put(w, front_print_decimal(number, y));
  put(w, ")");
}

static void arcs(struct writer *w, const struct pt_net *net, const struct pt_arc *row, uint32_t start, uint32_t end) {
  char number[16];
  for (uint32_t i = start; i < end; i++) {
    if (i > start) separate(w);
    if (row[i].weight > 1) {
      snprintf(number, sizeof number, "%u*", row[i].weight);
      put(w, number);
    }
    name(w, net->place_id[row[i].place]);
  }
}

static void places(struct writer *w, const struct pt_net *net) {
  char number[16];
  for (uint32_t p = 0; p < net->places; p++) {
    put(w, "place ");
    name(w, net->place_id[p]);
    if (strcmp(net->place_id[p], net->place_name[p]) != 0) {
      put(w, " ");
      quote(w, net->place_name[p]);
    }
    if (net->initial[p]) {
      snprintf(number, sizeof number, " = %u", net->initial[p]);
      put(w, number);
    }
    if (net->place_xy) position(w, net->place_xy[p].x, net->place_xy[p].y);
    line_end(w);
  }
}

static void transitions(struct writer *w, const struct pt_net *net) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    put(w, "transition ");
    name(w, net->transition_id[t]);
    if (strcmp(net->transition_id[t], net->transition_name[t]) != 0) {
      put(w, " ");
      quote(w, net->transition_name[t]);
    }
    put(w, " : ");
    arcs(w, net, net->pre, net->pre_start[t], net->pre_start[t + 1]);
    put(w, net->pre_start[t] == net->pre_start[t + 1] ? "->" : " ->");
    if (net->post_start[t] != net->post_start[t + 1]) put(w, " ");
    arcs(w, net, net->post, net->post_start[t], net->post_start[t + 1]);
    if (net->transition_xy) position(w, net->transition_xy[t].x, net->transition_xy[t].y);
    line_end(w);
  }
}

/* One line for each transition that the file says something about. */
static void owners(struct writer *w, const struct pt_net *net) {
  for (uint32_t t = 0; net->owned && t < net->transitions; t++) {
    if (!net->owned[t]) continue;
    put(w, owner_said(net->owned[t]) == OWNER_CONTROLLABLE ? "controllable " : "uncontrollable ");
    name(w, net->transition_id[t]);
    line_end(w);
  }
}

static int units(struct writer *w, const struct pt_net *net, struct err *e) {
  struct unit_lists l;
  if (unit_lists_open(&l, net, e)) return -1;
  put(w, "units root ");
  name(w, net->unit[l.root].id);
  put(w, net->declared_safe ? " safe" : "");
  line_end(w);
  for (uint32_t u = 0; u < net->units; u++) {
    put(w, "unit ");
    name(w, net->unit[u].id);
    put(w, " :");
    for (uint32_t i = 0; i < net->unit[u].place_count; i++) {
      if (i) separate(w);
      else put(w, " ");
      name(w, net->place_id[net->unit_places[net->unit[u].first_place + i]]);
    }
    if (l.first[u] != PT_NONE) put(w, " / ");
    for (uint32_t sub = l.first[u]; sub != PT_NONE; sub = l.next[sub]) {
      if (sub != l.first[u]) separate(w);
      name(w, net->unit[sub].id);
    }
    line_end(w);
  }
  unit_lists_close(&l, net);
  return 0;
}

int nettext_write(const struct pt_net *net, FILE *out, struct err *e) {
  struct writer w = {.out = out};
  if (*net->name) {
    put(&w, "net ");
    name(&w, net->name);
    line_end(&w);
  }
  places(&w, net);
  transitions(&w, net);
  owners(&w, net);
  if (net->units && units(&w, net, e)) return -1;
  if (fflush(out) || ferror(out)) return err_io(e, "", "cannot write: %s", strerror(errno));
  return 0;
}
