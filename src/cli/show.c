/* show.c -- see show.h. */
#include "cli/show.h"

#include "report/report.h"
#include "report/trace_view.h"

#include <inttypes.h>
#include <stdio.h>

static void show_value(const struct model *model, const uint32_t *state, uint32_t v, size_t *shown) {
  char name[64], value[240];
  int64_t number = model->type->value(model, state, v);
  if (!model->type->describe) {
    if (!number) return;
    printf("%s%s %" PRId64, (*shown)++ ? ", " : "  ", report_name(name, sizeof name, model->type->var_name(model, v)), number);
    return;
  }
  struct model_var d;
  model->type->describe(model, state, v, &d);
  if (d.kind != MODEL_VAR_PLAIN || (!number && d.text[0] != '[')) return;
  report_name(value, sizeof value, d.text);
  printf("%s%s %s", (*shown)++ ? ", " : "  ", report_name(name, sizeof name, d.label), value);
}

static void show_stand(void *context, const struct model_stand *stand) {
  char name[64], text[400];
  (void)context;
  printf("  %s[%u] at %s:%ld", report_name(name, sizeof name, stand->process.name), (unsigned)stand->process.pid,
         report_name(text, sizeof text, trace_base_name(stand->place.file)), stand->place.line);
  if (*stand->statement) printf(": %s", report_name(text, sizeof text, stand->statement));
  else fputs(": at its end", stdout);
  putchar('\n');
}

void show_state(const struct model *model, const uint32_t *state) {
  char name[64];
  size_t shown = 0;
  if (model->type->stands) model->type->stands(model, state, show_stand, NULL);
  for (uint32_t v = 0; v < model->vars; v++) show_value(model, state, v, &shown);
  if (!shown && model->vars == 1) printf("  %s 0", report_name(name, sizeof name, model->type->var_name(model, 0)));
  else if (!shown) fputs("  all 0", stdout);
  putchar('\n');
}
