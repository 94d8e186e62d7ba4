/* fuzz_hear.c -- any bytes as what a program under bench prints: no crash, no lost memory; whatever comes of it can be shown, judged and kept.
 *
 * The first byte chooses: even, it is a thimble and prints JSON; odd, it is another program, whose template (templates, by the other bits) finds figures and verdicts in its text.  A byte 0xff parts what was printed from what was
 * complained of. */
#include "bench/hear.h"
#include "demand.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct suite_find verdicts[] = {{"violated", "[Ee]rrors?: [1-9]", 1, 0, &verdicts[1]}, {"incomplete", "out of (memory|time)", 1, 0, &verdicts[2]}, {"error", "^fatal", 1, 0, &verdicts[3]}, {"holds", "0 errors|verified", 1, 0, NULL}};
static struct suite_find finds[] = {{"states", "([0-9.e+,_']+) states", 1, 0, &finds[1]}, {"transitions", "^ *([-+0-9.e,]+) *transitions", 1, 1, &finds[2]}, {"seconds", "time[: ]*([^ \n]*)", 1e-3, 0, &finds[3]},
                                    {"held", "memory[: ]*([^ ]*) *MB", 1048576, 0, &finds[4]},      {"store", "(x*)*y?(.*)$", 1e300, -1, NULL}};
static const struct suite_tool templates[] = {{.name = "both", .finds = finds, .verdicts = verdicts}, {.name = "figures", .finds = finds}, {.name = "verdicts", .verdicts = verdicts}, {.name = "nothing"}};

static void demand_shown(const char *text, size_t room) {
  demand(memchr(text, 0, room));
  for (; *text; text++) demand((unsigned char)*text >= ' ' && *text != 127);
}

static void look(struct measurement *m, const struct suite_tool *tool) {
  struct suite_way way = {.name = "way", .tool = tool};
  static const char *const expected[] = {NULL, "holds", "incomplete", "error"};
  demand_shown(m->verdict, sizeof m->verdict);
  demand_shown(m->message, sizeof m->message);
  for (int i = 0; i < SUITE_FIGURES; i++) demand(m->figure[i] >= -1);
  demand(!(m->held >> 60) && !(m->store >> 60) && !(m->resident >> 60));
  if (m->figures) {
    json_t *again = json_loads(m->figures, 0, NULL);
    demand(json_is_object(again));
    json_decref(again);
  }
  for (int compare = COMPARE_ALL; compare <= COMPARE_NONE; compare++)
    for (size_t k = 0; k < 4; k++) {
      struct measurement judged = *m;
      struct suite_task task = {.way = &way, .compare = (enum suite_compare)compare, .expect = {expected[k], {7, 7, -1}}};
      measurement_judge(&judged, &task);
      demand_shown(judged.message, sizeof judged.message);
      demand(judged.outcome != OUTCOME_WRONG || judged.message[0]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct measurement m = {.wall = NAN, .cpu = NAN, .search = NAN, .figure = {-1, -1, -1}};
  if (!size) return 0;
  char *text = malloc(size);
  demand(text);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  for (size_t i = 0; i + 1 < size; i++)
    if (!text[i]) text[i] = ' ';
  char *errors = strchr(text, 0xff);
  if (errors) *errors++ = 0;
  const struct suite_tool *tool = data[0] & 1 ? &templates[data[0] / 2 % 4] : NULL;
  if (tool) hear_tool(&m, tool, text);
  else hear_thimble(&m, text, errors);
  demand(tool || m.outcome == OUTCOME_OK || m.outcome == OUTCOME_INCOMPLETE || m.outcome == OUTCOME_FAILED);
  look(&m, tool);
  free(m.figures);
  free(text);
  return 0;
}
