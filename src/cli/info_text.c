/* info_text.c -- `thimble info` for people. */
#include "cli/info.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static void heading(FILE *out, int colour, const char *text) {
  fprintf(out, "\n%s%s%s\n", report_colour(colour, BOLD), text, report_colour(colour, PLAIN));
}

/* Where bounds were asked for they say it. */
static const char *one_safe(const struct info *i) {
  static const char *const safe[] = {"not known (--bounds tells)", "declared by the file", "proven"};
  if (!i->bounds || i->packing.safe) return safe[i->packing.safe];
  uint32_t most = 0;
  for (uint32_t p = 0; p < i->net->places; p++)
    if ((i->cover.complete || i->cover.bound[p] == PT_NONE) && i->cover.bound[p] > most) most = i->cover.bound[p];
  return most > 1 ? "no" : i->cover.complete ? "proven" : "not known";
}

static void net(const struct info *i, FILE *out) {
  const struct pt_net *n = i->net;
  const struct pt_packing *p = &i->packing;
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM], d[TEXT_ROOM];
  fprintf(out, "  %s place%s, %s transition%s, %s arc%s; %s token%s at the start\n", text_count(a, n->places), text_plural(n->places),
          text_count(b, n->transitions), text_plural(n->transitions), text_count(c, n->arcs), text_plural(n->arcs),
          text_count(d, i->tokens), text_plural(i->tokens));
  if (n->units) fprintf(out, "  nested units (NUPN): %s\n", text_count(a, n->units));
  fprintf(out, "  one token at most per place: %s\n", one_safe(i));
  if (p->dead_transitions)
    fprintf(out, "  %s transition%s can never fire\n", text_count(a, p->dead_transitions), text_plural(p->dead_transitions));
}

static void packing(const struct info *i, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  fprintf(out, "  a state is %s bit%s in %s word%s", text_count(a, i->bits), text_plural(i->bits), text_count(b, i->words),
          text_plural(i->words));
  if (i->net) {
    const struct pt_packing *p = &i->packing;
    fprintf(out, ": %s place%s kept", text_count(a, p->stored), text_plural(p->stored));
    if (p->unit_fields)
      fprintf(out, " (some in %s code%s of mutually exclusive ones)", text_count(b, p->unit_fields), text_plural(p->unit_fields));
    fprintf(out, ", %s follow%s from invariants, %s never change%s\n", text_count(a, p->implied), p->implied == 1 ? "s" : "",
            text_count(b, p->constant), p->constant == 1 ? "s" : "");
    fputs(p->proven ? "  every width is proven\n" : "  some widths are not proven and grow when a run needs it\n", out);
  } else fputs(i->program ? " at the start; it grows when a run needs it\n" : "\n", out);
}

/* Most stores are not at their best on a small sample: what they hold in the end is rather less. */
static void stores(const struct info *i, FILE *out) {
  char a[TEXT_ROOM];
  if (!i->stores) return;
  if (i->store[0].all && i->store[0].states < 2000) {
    int one = i->store[0].states == 1;
    fprintf(out, "  there %s %s state%s: every store holds %s\n", one ? "is" : "are", text_count(a, i->store[0].states), one ? "" : "s", one ? "it" : "them");
    return;
  }
  fprintf(out, "  bytes per state of each store on the first %s states:", text_count(a, i->store[0].states));
  for (size_t k = 0; k < i->stores; k++) fprintf(out, "%s %s %.1f", k ? "," : "", i->store[k].store, i->store[k].bytes);
  fputs("\n", out);
}

/* ---- bounds ---------------------------------------------------------------------------- */

static void run(const struct model *m, const char *lead, const uint32_t *steps, size_t count, const char *end, FILE *out) {
  char name[64];
  if (!count) return;
  fputs(lead, out);
  for (size_t k = 0; k < count; k++) fprintf(out, " %s", report_name(name, sizeof name, m->type->group_name(m, steps[k])));
  fprintf(out, "%s\n", end);
}

static void pumping(const struct info *i, const struct coverability *c, FILE *out) {
  char name[64];
  if (!c->pump_count) return;
  fputs("  grows without end:", out);
  for (size_t k = 0; k < c->pumped_count; k++)
    fprintf(out, "%s %s", k ? "," : "", report_name(name, sizeof name, i->model->type->var_name(i->model, c->pumped[k])));
  putc('\n', out);
  run(i->model, "    first", c->prefix, c->prefix_count, "", out);
  run(i->model, c->prefix_count ? "    then " : "    fire ", c->pump, c->pump_count, "   again and again", out);
}

static void bounds(const struct info *i, int colour, FILE *out) {
  const struct coverability *c = &i->cover;
  char a[TEXT_ROOM], name[64];
  size_t unbounded = 0;
  for (uint32_t p = 0; p < i->net->places; p++) unbounded += c->bound[p] == PT_NONE;
  heading(out, colour, "bounds");
  if (!c->complete) fprintf(out, "  not complete: %s\n", c->limit ? c->limit : "stopped");
  else if (!c->unbounded) fputs("  the net is bounded\n", out);
  if (c->unbounded)
    fprintf(out, "  the net is unbounded: %s place%s can hold any number of tokens\n", text_count(a, unbounded),
            text_plural(unbounded));
  pumping(i, c, out);
  for (size_t n = 0; n < i->pumps; n++) pumping(i, &i->pump[n], out);
  for (uint32_t p = 0; p < i->net->places; p++) {
    int none = c->bound[p] == PT_NONE;
    if (!c->complete && !none) continue;
    fprintf(out, "  %12s  %s\n", none ? "unbounded" : text_count(a, c->bound[p]),
            report_name(name, sizeof name, i->model->type->var_name(i->model, p)));
  }
}

/* ---- flows ----------------------------------------------------------------------------- */

static void flow(const struct info *i, const struct info_flows *kind, const struct flow *f, FILE *out) {
  char name[64];
  const struct model *m = i->model;
  fputs("  ", out);
  for (uint32_t k = 0; k < f->count; k++) {
    int64_t w = f->weight[k];
    uint64_t size = w < 0 ? 0 - (uint64_t)w : (uint64_t)w;
    const char *text = kind->side == FLOW_PLACES ? m->type->var_name(m, f->index[k]) : m->type->group_name(m, f->index[k]);
    fputs(k ? (w < 0 ? " - " : " + ") : (w < 0 ? "-" : ""), out);
    if (size != 1) fprintf(out, "%" PRIu64 "*", size);
    fputs(report_name(name, sizeof name, text), out);
  }
  if (kind->side == FLOW_PLACES) fprintf(out, " = %" PRId64, f->value);
  putc('\n', out);
}

static void invariants(const struct info *i, int colour, FILE *out) {
  static const char *const titles[4] = {
      "place invariants: a basis of all (P-flows)",
      "place invariants without negative weights, minimal (P-semiflows)",
      "transition invariants: a basis of all (T-flows); firing one returns to where it began",
      "transition invariants without negative weights, minimal (T-semiflows)",
  };
  char a[TEXT_ROOM];
  for (int k = 0; k < 4; k++) {
    const struct flows *f = &i->flow[k].flows;
    heading(out, colour, titles[k]);
    for (size_t n = 0; n < f->count; n++) flow(i, &i->flow[k], &f->at[n], out);
    if (!f->count) fputs("  none\n", out);
    else fprintf(out, "  (%s)\n", text_count(a, f->count));
    if (!f->complete) fprintf(out, "  not complete: %s; those listed are right\n", f->limit ? f->limit : "stopped");
  }
}

/* A symmetric net: which way was chosen, and why. */
static void symmetric(const struct info *i, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  if (i->drawing && i->drawing->symmetric && i->drawing->note) fprintf(out, "  a symmetric net, explored %s\n", i->drawing->note);
  if (!i->net || !i->net->place_families.count) return;
  uint32_t places = i->net->place_families.count, transitions = i->net->transition_families.count;
  fprintf(out, "  unfolded from a symmetric net of %s place%s and %s transition%s\n", text_count(a, places), text_plural(places), text_count(b, transitions), text_plural(transitions));
}

int info_text(const struct info *i, int colour, FILE *out) {
  const struct model *m = i->model;
  char file[256], name[80], a[TEXT_ROOM], b[TEXT_ROOM];
  fprintf(out, "%s%s%s: %s", report_colour(colour, BOLD), report_name(file, sizeof file, m->file), report_colour(colour, PLAIN),
          m->type->kind);
  if (i->net && i->net->name[0]) fprintf(out, " \"%s\"", report_name(name, sizeof name, i->net->name));
  fprintf(out, ", language %s%s\n", m->language, m->language_guessed ? " (told from the text)" : "");
  if (i->net) net(i, out);
  else if (i->program) info_process_text(i, out);
  else
    fprintf(out, "  %s variable%s, %s kind%s of step\n", text_count(a, m->vars), text_plural(m->vars), text_count(b, m->groups),
            text_plural(m->groups));
  symmetric(i, out);
  if (i->spaceless) fprintf(out, "  no state space (simulate and explore draw by --seed): line %ld: %s\n", i->spaceless->line, i->spaceless->message);
  packing(i, out);
  stores(i, out);
  info_properties_text(i, out);
  if (i->bounds) bounds(i, colour, out);
  if (i->invariants) invariants(i, colour, out);
  if (i->progress) {
    heading(out, colour, "progress, for --search sweep");
    info_progress_text(i, out);
  }
  return ferror(out) ? -1 : 0;
}
