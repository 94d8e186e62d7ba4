/* pnml.c -- PNML as a language of the front room. */
#include "front/pnml/pnml.h"

#include "net/pt_model.h"

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct pt_net *net;
  *out = NULL;
  if (pnml_read(&net, setup, e)) return -1;
  if (pt_model_open(out, net, "pnml", e) == 0) return 0;
  pt_close(net);
  return -1;
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
