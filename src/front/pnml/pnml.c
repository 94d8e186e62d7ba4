/* pnml.c -- PNML as a language of the front room.
 *
 * A symmetric net becomes a place/transition net (colour/unfold.h) or a coloured one (colour/redraw.h).  Once it is open the first is two to ten times as fast; but the analyses of a net of 80 thousand transitions take 13 s, which
 * is what some five million states cost more with colours, those of two millions 48 s and 4 GB (doc/languages/pnml.md).  So `auto` unfolds as long as a search can be expected to earn that, and otherwise keeps the colours.  The contest's questions
 * are often answered by these analyses: it unfolds rather more. */
#include "front/pnml/pnml.h"

#include "colour/redraw.h"
#include "colour/unfold.h"
#include "front/coloured.h"
#include "front/text.h"
#include "net/pt_model.h"

#include <stdio.h>
#include <string.h>

static const struct unfold_limits AUTO = {.work = 20000000, .places = 50000, .transitions = 50000}, RATHER = {.work = 200000000, .places = 500000, .transitions = 500000};
enum { SHARE = 8 }; /* of the memory that is left: a net needs several times what its unfolding held before it is a model */

static int load_plain(struct model **out, struct pt_net *net, struct err *e) {
  if (pt_model_open(out, net, "pnml", e) == 0) return 0;
  pt_close(net);
  return -1;
}

static int load_coloured(struct model **out, const struct symmetric *net, const char *why, const struct front_setup *setup, struct err *e) {
  struct drawing *d;
  if (redraw(&d, net, e)) return -1;
  d->note = arena_strndup(&d->arena, why, strlen(why));
  if (d->note) return front_coloured(out, d, setup, "pnml", e);
  drawing_close(d);
  return err_memory(e, "the coloured net");
}

static int load_symmetric(struct model **out, const struct symmetric *net, const struct front_setup *setup, struct err *e) {
  struct unfold_limits limits = setup->unfold == FRONT_UNFOLD_RATHER ? RATHER : AUTO;
  char beyond[UNFOLD_WORDS] = "", note[2 * UNFOLD_WORDS];
  struct pt_net *plain;
  if (setup->unfold == FRONT_UNFOLD_NEVER) return load_coloured(out, net, "with its colours, as was asked for", setup, e);
  limits.bytes = mem_left(setup->mem) / SHARE;
  /* other markings are given for single colours, which only the unfolded net knows */
  int limited = setup->unfold != FRONT_UNFOLD_ALWAYS && !setup->marking_count, status = pnml_unfold(&plain, net, limited ? &limits : NULL, beyond, setup, e);
  if (status <= 0) return status ? -1 : load_plain(out, plain, e);
  snprintf(note, sizeof note, "with its colours: unfolded it would have %s", beyond);
  status = load_coloured(out, net, note, setup, e);
  if (!status && setup->warn) {
    char message[300];
    snprintf(message, sizeof message, "the net is explored %s (--unfold always insists)", note);
    setup->warn(setup->warn_context, (struct place_in_text){setup->file, 0, 0}, message);
  }
  return status;
}

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct pt_net *net;
  struct symmetric *coloured;
  *out = NULL;
  if (pnml_read_either(&net, &coloured, setup, e)) return -1;
  if (net) return load_plain(out, net, e);
  int status = load_symmetric(out, coloured, setup, e);
  symmetric_close(coloured);
  if (status && !e->excerpt[0]) front_excerpt_again(e, setup);
  return status;
}

static int save(const struct model *m, FILE *out, struct err *e) {
  const struct pt_net *net = pt_model_net(m);
  if (!net) return err_usage(e, "a %s cannot be written as PNML: it is no place/transition net", m->type->kind);
  return pnml_write(net, out, e);
}

static const char *const suffixes[] = {".pnml", NULL};

const struct front_type front_pnml = {
    .name = "pnml",
    .summary = "place/transition nets in the Petri Net Markup Language (ISO/IEC 15909-2), with nested units",
    .suffixes = suffixes,
    .load = load,
    .save = save,
};
