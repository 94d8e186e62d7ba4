/* space_text.c -- the report on a state space for people, with the sections that users of CPN Tools know.
 *
 *   State space report
 *
 *     Statistics
 *       State space  16 nodes, 29 arcs: full
 *       SCC graph    9 nodes, 13 arcs: 4 nontrivial, 5 trivial
 *
 *     Boundedness properties
 *       Best integer bounds          upper  lower
 *         Protocol'Limit                 2      0
 *       Best upper multiset bounds
 *         Protocol'Limit             2`()
 *     ...
 *
 * What is missing is said where it would stand.  Lists are cut unless all of it is wanted: nets of hundreds of places are common. */
#include "report/space.h"

#include "base/text.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN = 20, PLACES = 60, LINES = 4, WIDTH = 120, NAME = 40 };

/* ---- which transitions --------------------------------------------------------------------------------------------------------- */

int space_is_dead(const struct space_report *r, uint32_t label, unsigned which) {
  (void)which;
  return !r->role[label];
}

int space_is_live(const struct space_report *r, uint32_t label, unsigned which) {
  unsigned live = (r->graph.label[label] & SUMMARY_LIVE) != 0;
  return r->role[label] & SPACE_HAPPENS && live == which && (live || !(r->role[label] & SPACE_PART));
}

int space_is_part(const struct space_report *r, uint32_t label, unsigned which) {
  (void)which;
  return r->role[label] & SPACE_PART && !(r->has_graph && r->graph.label[label] & SUMMARY_LIVE);
}

int space_owes(const struct space_report *r, uint32_t label, unsigned which) {
  int all_told = !(r->role[label] & SPACE_PART) || which == FAIRNESS_IMPARTIAL;
  return !(r->role[label] & SPACE_ABSENT) && all_told && r->graph.fairness[label] == which;
}

/* ---- pieces -------------------------------------------------------------------------------------------------------------------- */

static uint64_t chosen(const struct space_report *r, const struct space_choice *choice) {
  uint64_t n = 0;
  for (uint32_t i = 1; i < r->labels; i++) n += choice->is(r, i, choice->which) != 0;
  return n;
}

/* One name after the other, in lines of WIDTH, each beginning in column `indent`. */
static void names(const struct space_report *r, const struct space_choice *choice, int indent, int all, FILE *out) {
  uint64_t count = chosen(r, choice), shown = 0;
  int column = indent;
  char name[80], number[TEXT_ROOM];
  if (!count) fputs("none", out);
  else if (count > 1 && count == r->labels - 1u) fputs("all", out);
  else
    for (uint32_t i = 1; i < r->labels && (all || shown < SHOWN); i++) {
      if (!choice->is(r, i, choice->which)) continue;
      int length = (int)strlen(report_name(name, sizeof name, r->name[i]));
      if (shown && column + length + 2 > WIDTH) column = indent + fprintf(out, ",\n%*s%s", indent, "", name) - 2 - indent;
      else column += fprintf(out, "%s%s", shown ? ", " : "", name);
      shown++;
    }
  if (shown && shown < count) fprintf(out, " and %s more", text_count(number, count - shown));
  putc('\n', out);
}

static void numbers(const uint64_t *first, uint64_t count, FILE *out) {
  fputc('[', out);
  for (uint64_t i = 0; i < count && i < SUMMARY_FIRST; i++) fprintf(out, "%s%" PRIu64, i ? "," : "", first[i]);
  fputs(count > SUMMARY_FIRST ? ",...]" : "]", out);
}

void space_write_state(const struct model *m, const uint32_t *words, FILE *out) {
  char name[80], text[240];
  size_t shown = 0, nothing = 0;
  for (uint32_t v = 0; v < m->vars; v++) {
    int64_t value = m->type->value(m, words, v);
    nothing += !value;
    struct model_var d = {0};
    if (m->type->describe) m->type->describe(m, words, v, &d);
    if (!value || d.kind != MODEL_VAR_PLAIN) continue;
    if (shown++ == SHOWN) {
      fputs(", ...", out);
      return;
    }
    fprintf(out, "%s %s", shown > 1 ? "," : "", report_name(name, sizeof name, m->type->describe ? d.label : m->type->var_name(m, v)));
    if (m->type->describe && strcmp(d.text, "1") != 0) fprintf(out, " %s", report_name(text, sizeof text, d.text));
    else if (!m->type->describe && value != 1) fprintf(out, " %lld", (long long)value);
  }
  if (nothing == m->vars && m->type->covers) fputs(" nothing is marked", out); /* a net */
}

/* ---- sections ------------------------------------------------------------------------------------------------------------------ */

static const char *states(const struct space_report *r) { return r->places ? "markings" : "states"; }

static void missing(const struct space_report *r, const char *what, FILE *out) {
  if (!r->complete) fprintf(out, "    not known: %s the whole state space\n", what);
  else fprintf(out, "    not known: the budget has no room for the graph of all states (-m)\n");
}

static void statistics(const struct space_report *r, FILE *out) {
  char a[TEXT_ROOM], b[TEXT_ROOM], c[TEXT_ROOM], d[TEXT_ROOM];
  fputs("\n  Statistics\n", out);
  fprintf(out, "    State space  %s node%s, %s arc%s: %s", text_count(a, r->states), text_plural(r->states), text_count(b, r->edges), text_plural(r->edges), r->complete ? "full" : "partial");
  if (!r->complete && r->stop) fprintf(out, ", stopped by %s", r->stop);
  putc('\n', out);
  if (!r->has_graph) return;
  uint64_t trivial = r->graph.components - r->graph.cyclic;
  fprintf(out, "    SCC graph    %s node%s, %s arc%s: %s nontrivial, %s trivial\n", text_count(a, r->graph.components), text_plural(r->graph.components), text_count(b, r->graph.between),
          text_plural(r->graph.between), text_count(c, r->graph.cyclic), text_count(d, trivial));
}

static int name_width(const struct space_report *r, uint32_t count) {
  int width = 20;
  char name[160];
  for (uint32_t i = 0; i < count; i++) {
    int length = (int)strlen(report_name(name, sizeof name, r->bound[i].name));
    if (length > width) width = length;
  }
  return width < NAME ? width : NAME;
}

static void more_places(const struct space_report *r, uint32_t count, FILE *out) {
  if (count < r->bounds) fprintf(out, "      and %u more places: --space-report shows all\n", (unsigned)(r->bounds - count));
}

/* Terms side by side in lines of WIDTH. */
static void multiset(const char *text, int indent, int all, FILE *out) {
  int column = indent, lines = 1;
  if (!text) fputs("not known: there is no memory for it", out);
  while (text && *text) {
    size_t length = strcspn(text, "\n");
    if (column > indent && column + (int)length > WIDTH) {
      if (!all && lines++ == LINES) {
        fputs("...", out);
        break;
      }
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    }
    size_t shown = all || length < 2 * WIDTH ? length : 2 * WIDTH;
    fwrite(text, 1, shown, out);
    if (shown < length) fputs("...", out);
    column += (int)shown;
    text += length + (text[length] == '\n');
  }
  putc('\n', out);
}

static void multisets(const struct space_report *r, int lower, uint32_t count, int width, int all, FILE *out) {
  char name[160];
  fprintf(out, "    Best %s multiset bounds%s\n", lower ? "lower" : "upper", r->complete ? "" : " so far");
  for (uint32_t i = 0; i < count; i++) {
    fprintf(out, "      %-*s  ", width, report_name(name, sizeof name, r->bound[i].name));
    multiset(lower ? r->bound[i].least : r->bound[i].most, width + 8, all, out);
  }
  more_places(r, count, out);
}

static void bounds(const struct space_report *r, int all, FILE *out) {
  char name[160], a[TEXT_ROOM], b[TEXT_ROOM];
  if (!r->places) return;
  fputs("\n  Boundedness properties\n", out);
  if (!r->bounds) {
    fputs("    not known: there is no memory for it\n", out);
    return;
  }
  uint32_t count = all || r->bounds <= PLACES ? r->bounds : PLACES;
  int width = name_width(r, count);
  fprintf(out, "    Best integer bounds%*s%9s%9s%s\n", width - 17 > 0 ? width - 17 : 0, "", "upper", "lower", r->complete ? "" : "  so far");
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, "      %-*s%9s%9s\n", width, report_name(name, sizeof name, r->bound[i].name), text_count(a, r->bound[i].upper), text_count(b, r->bound[i].lower));
  more_places(r, count, out);
  if (!r->bound[0].most && !r->bound[0].least) return;
  multisets(r, 0, count, width, all, out);
  multisets(r, 1, count, width, all, out);
}

static void home(const struct space_report *r, FILE *out) {
  char a[TEXT_ROOM];
  fputs("\n  Home properties\n", out);
  if (!r->has_graph) {
    missing(r, r->places ? "home markings need" : "home states need", out);
    return;
  }
  const struct summary *g = &r->graph;
  fprintf(out, "    Home %s  ", states(r));
  if (!g->home) fputs("none", out);
  else if (g->home == g->states) fputs("all", out);
  else {
    fprintf(out, "%s ", text_count(a, g->home));
    numbers(g->home_state, g->home, out);
  }
  fprintf(out, "; the initial %s is %sone\n", r->places ? "marking" : "state", g->reversible ? "" : "not ");
}

static void liveness(const struct space_report *r, const struct model *m, int all, FILE *out) {
  char a[TEXT_ROOM];
  fputs("\n  Liveness properties\n", out);
  fprintf(out, "    Dead %-22s  ", states(r));
  if (!r->ends) fputs(r->complete ? "none" : "none so far", out);
  else {
    fprintf(out, "%s%s", text_count(a, r->ends), r->complete ? "" : " so far");
    if (r->has_graph) putc(' ', out), numbers(r->graph.end, r->ends, out);
  }
  putc('\n', out);
  if (r->end) {
    fprintf(out, "      the nearest, after %" PRIu64 " step%s:", r->end_depth, text_plural(r->end_depth));
    space_write_state(m, r->end, out);
    putc('\n', out);
  }
  if (r->complete) {
    fputs("    Dead transition instances    ", out);
    names(r, &(struct space_choice){space_is_dead, 0}, 33, all, out);
  }
  if (r->has_graph) {
    fputs("    Live transition instances    ", out);
    names(r, &(struct space_choice){space_is_live, 1}, 33, all, out);
  } else missing(r, "dead and live transitions need", out);
  if (chosen(r, &(struct space_choice){space_is_part, 0})) {
    fputs("    Parts of other steps         ", out);
    names(r, &(struct space_choice){space_is_part, 0}, 33, all, out);
  }
}

static void fairness(const struct space_report *r, int all, FILE *out) {
  static const struct {
    const char *what;
    enum fairness is;
  } lists[] = {{"Impartial", FAIRNESS_IMPARTIAL}, {"Fair", FAIRNESS_FAIR}, {"Just", FAIRNESS_JUST}, {"No fairness", FAIRNESS_NONE}, {"Not known in time", FAIRNESS_UNKNOWN}};
  fputs("\n  Fairness properties\n", out);
  if (!r->has_graph) {
    missing(r, "fairness needs", out);
    return;
  }
  if (!r->graph.cyclic) {
    fputs("    No infinite occurrence sequences\n", out);
    return;
  }
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    struct space_choice choice = {space_owes, lists[k].is};
    if (lists[k].is == FAIRNESS_UNKNOWN && !chosen(r, &choice)) continue;
    fprintf(out, "    %-27s  ", lists[k].what);
    names(r, &choice, 33, all, out);
    if (lists[k].is == FAIRNESS_UNKNOWN && !all) fputs("      --space-report takes the time that it needs\n", out);
  }
}

void space_write_text(const struct space_report *r, const struct model *m, int all, FILE *out) {
  fputs("\nState space report\n", out);
  statistics(r, out);
  bounds(r, all, out);
  home(r, out);
  liveness(r, m, all, out);
  fairness(r, all, out);
}
