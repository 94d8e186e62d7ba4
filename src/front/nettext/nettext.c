/* nettext.c -- .net as a language of the front room. */
#include "front/nettext/nettext.h"

#include "net/pt_model.h"

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct pt_net *net;
  *out = NULL;
  if (nettext_read(&net, setup, e)) return -1;
  if (pt_model_open(out, net, "net", e) == 0) return 0;
  pt_close(net);
  return -1;
}

static int save(const struct model *m, FILE *out, struct err *e) {
  const struct pt_net *net = pt_model_net(m);
  if (!net) return err_usage(e, "a %s cannot be written as .net: it is no place/transition net", m->type->kind);
  return nettext_write(net, out, e);
}

static const char *const suffixes[] = {".net", NULL};

const struct front_type front_net = {
    .name = "net",
    .summary = "place/transition nets as text: place, transition and arc declarations, TINA's pl and tr",
    .suffixes = suffixes,
    .load = load,
    .save = save,
};
