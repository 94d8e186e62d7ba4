/* automaton_levels.c -- cycles without an accepting state on a level of their own.
 *
 * A run goes on below, in the automaton as it is.  From the beginning and from each accepting state it may also go up, to a copy of the states that do not accept, and there it
 * stays: every cycle above is one without an accepting state, and every such cycle that can be reached below can be reached above, by going up behind the last
 * accepting state on the way to it.  So the first edge back to a stack above is what observers look for, in one search that puts nothing off: its stack goes once
 * through the levels below and once above.
 *
 *   0 .. n - 1    the states below
 *   n .. 2n - 1   their copies above; those of accepting states have no edges to them and none of their own */
#include "prop/automaton.h"

int automaton_two_levels(struct automaton **out, const struct automaton *a, struct err *e) {
  struct automaton_draft d;
  uint32_t n = a->states;
  int bad = 0;
  *out = NULL;
  if (n > UINT32_MAX / 2) return err_limit(e, "this automaton is too large to be taken twice");
  automaton_draft_open(&d, a->mem);
  for (uint32_t q = 0; q < n; q++)
    for (const struct automaton_edge *x = automaton_edges(a, q), *end = automaton_edges(a, q + 1); x < end && !bad; x++) {
      struct automaton_edge below = {x->care, x->want, x->to, 0}, above = {x->care, x->want, n + x->to, 0};
      int accepts = automaton_state_accepts(a, q), enters = automaton_state_accepts(a, x->to);
      bad = automaton_draft_edge(&d, q, below);
      if (!bad && !enters) bad = automaton_draft_edge(&d, accepts ? q : n + q, above);
    }
  for (uint32_t i = 0; i < a->initial_count && !bad; i++) {
    bad = automaton_draft_initial(&d, a->initial[i]);
    if (!bad && !automaton_state_accepts(a, a->initial[i])) bad = automaton_draft_initial(&d, n + a->initial[i]);
  }
  bad = bad ? err_memory(e, "an automaton") : automaton_finish(out, &d, 2 * n, 1, e) || automaton_classify(*out, e);
  automaton_draft_close(&d);
  if (!bad) return 0;
  automaton_close(*out);
  *out = NULL;
  return -1;
}
