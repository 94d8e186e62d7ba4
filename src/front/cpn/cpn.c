/* cpn.c -- .cpn as a language of the front room: CPN Tools 2 to 4, CPN IDE.
 *
 *   XML -> document.c (a tree) -> declarations.c, pages.c (a drawing) -> colour/ (a model)
 *
 * Of the options one matters, realtimestamp: whether model time is real.  Monitors, binders, auxiliary graphics and instances of pages are not looked at: the hierarchy follows from the pages. */
#include "front/cpn/cpn.h"
#include "front/cpn/write.h"

#include "colour/colour.h"
#include "front/coloured.h"
#include "front/text.h"

#include <string.h>

/* <option name="realtimestamp"><value><boolean>true</boolean></value></option> */
static int says_real_time(const struct xml_element *cpnet) {
  const struct xml_element *options = xml_child(cpnet, "options");
  for (const struct xml_element *o = options ? xml_child(options, "option") : NULL; o; o = xml_next(o, "option")) {
    const char *name = xml_attribute(o, "name");
    const struct xml_element *value = name && strcmp(name, "realtimestamp") == 0 ? xml_child(o, "value") : NULL, *truth = value ? xml_child(value, "boolean") : NULL;
    if (truth) return truth->length && strstr(truth->text, "true") != NULL;
  }
  return 0;
}

static int read_drawing(struct drawing *d, const struct front_setup *setup, struct err *e) {
  const struct xml_element *root = NULL;
  if (document_read(&root, &d->arena, setup, e)) return -1;
  const struct xml_element *cpnet = strcmp(root->name, "cpnet") == 0 ? root : xml_child(root, "cpnet");
  if (!cpnet) return err_input(e, root->at, "this is not a net of CPN Tools: there is no <cpnet>");
  if (cpn_declarations(d, cpnet, e) || cpn_pages(d, cpnet, e)) return -1;
  d->real_time = says_real_time(cpnet);
  if (!d->pages.count) return err_input(e, cpnet->at, "the net has no pages");
  return 0;
}

static int load(struct model **out, const struct front_setup *setup, struct err *e) {
  struct drawing *d;
  *out = NULL;
  if (drawing_open(&d, setup->mem, setup->file, e)) return -1;
  int status = read_drawing(d, setup, e);
  if (status) drawing_close(d);
  else status = front_coloured(out, d, setup, "cpn", e);
  if (status && !e->excerpt[0]) front_excerpt_again(e, setup);
  return status;
}

static int save(const struct model *m, FILE *out, struct err *e) {
  const struct drawing *d = colour_model_drawing(m);
  if (!d) return err_usage(e, "a %s cannot be written as .cpn: it is no coloured net", m->type->kind);
  return cpn_write(d, out, e);
}

static const char *const suffixes[] = {".cpn", NULL};

const struct front_type front_cpn = {
    .name = "cpn",
    .summary = "coloured Petri nets of CPN Tools and CPN IDE (XML), with CPN ML",
    .suffixes = suffixes,
    .coloured = 1,
    .load = load,
    .save = save,
};
