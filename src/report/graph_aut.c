/* graph_aut.c -- the Aldebaran format of CADP and mCRL2:
 *
 *   des (0, EDGES, STATES)
 *   (FROM, "LABEL", TO)
 *
 * A label ends at the last quote of its line, so quotes inside need no sign before them.  The header counts what follows,
 * so the edges wait in the temporary file. */
#include "report/graph_file.h"

#include <inttypes.h>

static void begin(struct graph_file *g) { (void)g; }
static void state(struct graph_file *g, const struct search_event *event) { (void)g, (void)event; }

static void edge(struct graph_file *g, uint64_t from, uint64_t to, const char *label) {
  putc_unlocked('(', g->spool);
  graph_file_number(g->spool, from);
  fputs(", \"", g->spool);
  for (const char *c = label; *c; c++) putc_unlocked((unsigned char)*c < ' ' ? ' ' : *c, g->spool);
  fputs("\", ", g->spool);
  graph_file_number(g->spool, to);
  fputs(")\n", g->spool);
}

static void end(struct graph_file *g, const struct verdict *v) {
  (void)v;
  fprintf(g->out, "des (0, %" PRIu64 ", %" PRIu64 ")\n", g->edges, g->states);
  graph_file_append_spool(g);
}

extern const struct graph_type graph_aut;
const struct graph_type graph_aut = {.name = "aut",
                                     .summary = "Aldebaran, for CADP, mCRL2 and Thimble itself",
                                     .spools = 1,
                                     .begin = begin,
                                     .state = state,
                                     .edge = edge,
                                     .end = end};
