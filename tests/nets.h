/* nets.h -- nets for tests: written as text, or random.
 *
 * The text: "p=3 q r=1 | t: p + 2 q -> r ; u: r -> p". Names are single words; a transition takes
 * what is left of the arrow and gives what is right of it. */
#ifndef TESTS_NETS_H
#define TESTS_NETS_H

#include "base/rng.h"
#include "net/pt.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct place_in_text nets_nowhere = {"test", 1, 1};

static inline const char *nets_word(const char *s, char *out) {
  int n = 0;
  while (*s == ' ') s++;
  while (isalnum((unsigned char)*s) || *s == '_') {
    if (n < 63) out[n++] = *s;
    s++;
  }
  out[n] = 0;
  while (*s == ' ') s++;
  return s;
}

/* NULL when the text is wrong: a bug in the test. */
__attribute__((unused)) static struct pt_net *nets_read(struct mem *m, const char *s) {
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char word[64], transition[64];
  err_clear(&e);
  if (pt_builder_open(&b, m, "test", &e)) return NULL;
  int bad = 0;
  while (*s == ' ') s++;
  while (*s && *s != '|') {
    unsigned long tokens = 0;
    s = nets_word(s, word);
    if (*s == '=') tokens = strtoul(s + 1, (char **)&s, 10);
    while (*s == ' ') s++;
    bad |= pt_builder_place(b, word, NULL, (uint32_t)tokens, nets_nowhere, &e);
    if (bad) break;
  }
  if (*s == '|') s++;
  while (*s && !bad) {
    s = nets_word(s, transition);
    if (!*transition) break;
    bad |= pt_builder_transition(b, transition, NULL, nets_nowhere, &e);
    if (*s == ':') s++;
    for (int giving = 0; *s && *s != ';' && !bad;) {
      while (*s == ' ' || *s == '+') s++;
      if (s[0] == '-' && s[1] == '>') {
        giving = 1;
        s += 2;
        continue;
      }
      if (*s == ';' || !*s) break;
      unsigned long weight = 1;
      if (isdigit((unsigned char)*s)) weight = strtoul(s, (char **)&s, 10);
      s = nets_word(s, word);
      bad |= giving ? pt_builder_arc(b, transition, word, (uint32_t)weight, nets_nowhere, &e)
                    : pt_builder_arc(b, word, transition, (uint32_t)weight, nets_nowhere, &e);
    }
    if (*s == ';') s++;
  }
  if (bad || pt_builder_finish(b, &net, &e)) {
    printf("# %s\n", e.message);
    pt_builder_close(b);
    return NULL;
  }
  return net;
}

/* Each of `arcs` random arcs has a weight of 1..weight; the initial marking is 0..tokens per place. */
__attribute__((unused)) static struct pt_net *nets_random(struct mem *m, struct rng *r, unsigned places, unsigned transitions,
                                                          unsigned arcs, unsigned weight, unsigned tokens) {
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char p[32], t[32];
  err_clear(&e);
  if (pt_builder_open(&b, m, "random", &e)) return NULL;
  for (unsigned i = 0; i < places; i++) {
    snprintf(p, sizeof p, "p%u", i);
    pt_builder_place(b, p, NULL, (uint32_t)rng_below(r, tokens + 1), nets_nowhere, &e);
  }
  for (unsigned i = 0; i < transitions; i++) {
    snprintf(t, sizeof t, "t%u", i);
    pt_builder_transition(b, t, NULL, nets_nowhere, &e);
  }
  for (unsigned i = 0; i < arcs; i++) {
    snprintf(p, sizeof p, "p%u", (unsigned)rng_below(r, places));
    snprintf(t, sizeof t, "t%u", (unsigned)rng_below(r, transitions));
    uint32_t w = 1 + (uint32_t)rng_below(r, weight);
    if (rng_below(r, 2)) pt_builder_arc(b, p, t, w, nets_nowhere, &e);
    else pt_builder_arc(b, t, p, w, nets_nowhere, &e);
  }
  if (pt_builder_finish(b, &net, &e)) pt_builder_close(b);
  return net;
}

/* One token walks between control places and counts up and down on the way: small, and full of nested loops. */
__attribute__((unused)) static struct pt_net *nets_random_counters(struct mem *m, struct rng *r, unsigned control,
                                                                   unsigned counters, unsigned transitions) {
  struct pt_builder *b;
  struct pt_net *net = NULL;
  struct err e;
  char p[32], t[32];
  err_clear(&e);
  if (pt_builder_open(&b, m, "counters", &e)) return NULL;
  for (unsigned i = 0; i < control + counters; i++) {
    snprintf(p, sizeof p, i < control ? "c%u" : "q%u", i);
    pt_builder_place(b, p, NULL, i == 0, nets_nowhere, &e);
  }
  for (unsigned i = 0; i < transitions; i++) {
    snprintf(t, sizeof t, "t%u", i);
    pt_builder_transition(b, t, NULL, nets_nowhere, &e);
    snprintf(p, sizeof p, "c%u", (unsigned)rng_below(r, control));
    pt_builder_arc(b, p, t, 1, nets_nowhere, &e);
    snprintf(p, sizeof p, "c%u", (unsigned)rng_below(r, control));
    pt_builder_arc(b, t, p, 1, nets_nowhere, &e);
    for (unsigned q = 0; q < counters; q++) {
      unsigned what = (unsigned)rng_below(r, 6);
      snprintf(p, sizeof p, "q%u", control + q);
      if (what == 0) pt_builder_arc(b, p, t, 1 + (uint32_t)rng_below(r, 3), nets_nowhere, &e);
      if (what <= 1) pt_builder_arc(b, t, p, 1 + (uint32_t)rng_below(r, 2), nets_nowhere, &e);
      if (what == 2) pt_builder_arc(b, p, t, 1 + (uint32_t)rng_below(r, 2), nets_nowhere, &e);
    }
  }
  if (pt_builder_finish(b, &net, &e)) pt_builder_close(b);
  return net;
}

/* Fires t on plain counts: 1, or 0 if it is not enabled or a count would leave 64 bits. */
__attribute__((unused)) static int nets_fire(const struct pt_net *n, int64_t *marking, uint32_t t) {
  for (uint32_t i = n->pre_start[t]; i < n->pre_start[t + 1]; i++)
    if (marking[n->pre[i].place] < n->pre[i].weight) return 0;
  for (uint32_t i = n->pre_start[t]; i < n->pre_start[t + 1]; i++) marking[n->pre[i].place] -= n->pre[i].weight;
  for (uint32_t i = n->post_start[t]; i < n->post_start[t + 1]; i++) marking[n->post[i].place] += n->post[i].weight;
  return 1;
}

__attribute__((unused)) static void nets_print(const struct pt_net *n) {
  printf("# ");
  for (uint32_t p = 0; p < n->places; p++) printf("%s=%u ", n->place_id[p], n->initial[p]);
  printf("| ");
  for (uint32_t t = 0; t < n->transitions; t++) {
    printf("%s:", n->transition_id[t]);
    for (uint32_t i = n->pre_start[t]; i < n->pre_start[t + 1]; i++)
      printf(" + %u %s", n->pre[i].weight, n->place_id[n->pre[i].place]);
    printf(" ->");
    for (uint32_t i = n->post_start[t]; i < n->post_start[t + 1]; i++)
      printf(" + %u %s", n->post[i].weight, n->place_id[n->post[i].place]);
    printf(" ; ");
  }
  printf("\n");
}

#endif
