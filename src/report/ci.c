/* ci.c -- see ci.h: the sentences that the formats have in common. */
#include "report/ci.h"

#include <stdio.h>
#include <string.h>

void ci_message(const struct verdict_property *p, char *out, size_t room) {
  const struct verdict_evidence *first = p->evidence_count ? &p->evidence[0] : NULL;
  char what[400];
  if (p->message[0]) snprintf(what, sizeof what, "%s", p->message);
  else if (strcmp(p->kind, "deadlock") == 0) snprintf(what, sizeof what, "a deadlock can be reached");
  else if (strcmp(p->kind, "reachable") == 0) snprintf(what, sizeof what, "no reachable state makes it true: %s", p->text ? p->text : p->id);
  else if (p->text) snprintf(what, sizeof what, "%s does not hold: %.300s", p->kind, p->text);
  else snprintf(what, sizeof what, "%s does not hold", p->id);
  if (first && first->trace) snprintf(out, room, "%s, after %llu step%s%s", what, (unsigned long long)first->steps, first->steps == 1 ? "" : "s", p->shortest ? ", the shortest way there is" : "");
  else snprintf(out, room, "%s", what);
}

void ci_reason(const struct verdict *v, char *out, size_t room) {
  if (v->kind == VERDICT_VIOLATED) snprintf(out, room, "not decided: the search ended at the violation of another property (--continue goes on)");
  else if (v->kind == VERDICT_LOSSY) snprintf(out, room, "no violation found, but the store can miss states: this is no proof");
  else snprintf(out, room, "not decided: the search ended by %s%s%s", verdict_stop_name(v), v->advice ? "; " : "", v->advice ? v->advice : "");
}
