/* unbounded.c -- a program whose buffered channels are never full.
 *
 * What is asked is whether some loop makes a channel grow for ever (run/growth.h).  The answer rests on what a step can learn of a channel: whether it is empty, and its first
 * message.  Who asks for the length, looks for a message behind the first or sends one into the middle learns more; such a program is refused with the place where it does so.
 * (IR_FULL and IR_NFULL learn nothing any more: no channel is full.) */
#include "process/program.h"

static const char why[] = "with unbounded channels nothing may depend on more than the first message of a channel";

int program_unbound_channels(struct program *p, struct err *e) {
  for (size_t i = 1; i < p->nodes.count; i++)
    if (p->nodes.at[i].op == IR_LEN) return err_input(e, p->nodes.at[i].place, "this asks for the length of a channel: %s", why);
  for (size_t i = 0; i < p->comms.count; i++) {
    const struct ir_comm *c = &p->comms.at[i];
    if (c->flags & IR_SORTED) return err_input(e, c->place, "this sends into the middle of a channel: %s", why);
    if (c->flags & IR_RANDOM) return err_input(e, c->place, "this looks for a message anywhere in a channel: %s", why);
  }
  if (p->uses_c) return err_input(e, p->first_c, "this is C, which nobody looks into: %s", why);
  p->unbounded_channels = 1;
  for (size_t i = 0; i < p->chans.count; i++)
    if (p->chans.at[i].capacity) p->chans.at[i].capacity = PROGRAM_CAPACITY;
  return 0;
}
