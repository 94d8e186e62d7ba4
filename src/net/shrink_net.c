/* shrink_net.c -- see shrink_net.h. */
#include "net/shrink_net.h"

#include "net/names.h"
#include "net/pt_build.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 2000, NAME_ROOM = 200 };

/* Arcs looked at, and places per net: about a second. */
static const uint64_t EFFORT = 300000000;

int shrink_spend(struct shrink *s, uint64_t effort) {
  if (s->refused || s->effort < effort) {
    s->effort = 0;
    return 0;
  }
  s->effort -= effort;
  return 1;
}

void shrink_wake(struct shrink *s, uint32_t place) {
  if (s->gone[place] || s->waiting[place]) return;
  if (vec_push(&s->queue, s->mem, MEM_ANALYSIS, place)) s->refused = 1;
  else s->waiting[place] = 1;
}

/* A transition whose arcs end the list: its users hear of it. */
static void add_users(struct shrink *s, uint32_t t) {
  const struct shrink_transition *x = &s->transition.at[t];
  for (uint32_t i = 0; i < x->arcs; i++) {
    uint32_t p = s->arc.at[x->first + i].place;
    if (vec_push(&s->users[p], s->mem, MEM_ANALYSIS, t)) s->refused = 1;
    shrink_wake(s, p);
  }
}

/* The rows of a transition of the larger net become one. */
static void add_row(struct shrink *s, uint32_t t) {
  const struct pt_net *n = s->net;
  const struct pt_arc *pre = n->pre + n->pre_start[t], *pre_end = n->pre + n->pre_start[t + 1];
  const struct pt_arc *post = n->post + n->post_start[t], *post_end = n->post + n->post_start[t + 1];
  struct shrink_transition x = {.first = s->arc.count, .seen = s->seen.transition[t], .word = s->word.count, .words = 1};
  while (pre < pre_end || post < post_end) {
    int takes = pre < pre_end && (post == post_end || pre->place <= post->place), gives = post < post_end && (pre == pre_end || post->place <= pre->place);
    struct shrink_arc a = {takes ? pre->place : post->place, takes ? pre->weight : 0, gives ? post->weight : 0};
    pre += takes;
    post += gives;
    if (vec_push(&s->arc, s->mem, MEM_ANALYSIS, a)) s->refused = 1;
    x.arcs++;
  }
  if (vec_push(&s->word, s->mem, MEM_ANALYSIS, t) || vec_push(&s->transition, s->mem, MEM_ANALYSIS, x)) s->refused = 1;
  if (!s->refused) add_users(s, t);
}

int shrink_open(struct shrink *s, const struct pt_net *n, struct mem *mem) {
  s->mem = mem;
  s->net = n;
  s->effort = EFFORT;
  s->users = mem_alloc(mem, MEM_ANALYSIS, ((size_t)n->places + 1) * sizeof *s->users);
  s->gone = mem_alloc(mem, MEM_ANALYSIS, (size_t)n->places + 1);
  s->waiting = mem_alloc(mem, MEM_ANALYSIS, (size_t)n->places + 1);
  s->stuck = mem_alloc(mem, MEM_ANALYSIS, (size_t)n->places + 1);
  s->places_left = n->places;
  s->transitions_left = n->transitions;
  if (!s->users || !s->gone || !s->waiting || !s->stuck || vec_reserve(&s->arc, mem, MEM_ANALYSIS, 1)) return -1; /* rows begin somewhere, even if no transition has any arc */
  for (uint32_t t = 0; t < n->transitions && !s->refused; t++) add_row(s, t);
  return s->refused ? -1 : 0;
}

void shrink_close(struct shrink *s) {
  if (!s->mem) return;
  for (uint32_t p = 0; s->users && p < s->net->places; p++) vec_free(&s->users[p], s->mem);
  mem_free(s->mem, s->users);
  mem_free(s->mem, s->gone);
  mem_free(s->mem, s->waiting);
  mem_free(s->mem, s->stuck);
  vec_free(&s->arc, s->mem);
  vec_free(&s->transition, s->mem);
  vec_free(&s->queue, s->mem);
  vec_free(&s->word, s->mem);
  vec_free(&s->order, s->mem);
}

const uint32_t *shrink_users(struct shrink *s, uint32_t place, uint32_t *count) {
  struct shrink_users *u = &s->users[place];
  size_t kept = 0;
  for (size_t i = 0; i < u->count; i++)
    if (!s->transition.at[u->at[i]].gone) u->at[kept++] = u->at[i];
  shrink_spend(s, u->count + 1);
  u->count = kept;
  *count = (uint32_t)kept;
  return u->at;
}

static uint32_t arc_index(const struct shrink *s, uint32_t t, uint32_t place) {
  const struct shrink_arc *row = shrink_row(s, t);
  uint32_t lo = 0, hi = shrink_arcs(s, t);
  while (hi - lo > 1) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (row[mid].place <= place) lo = mid;
    else hi = mid;
  }
  assert(lo < shrink_arcs(s, t) && row[lo].place == place);
  return lo;
}

struct shrink_arc shrink_at(const struct shrink *s, uint32_t t, uint32_t place) { return shrink_row(s, t)[arc_index(s, t, place)]; }

int shrink_visible(const struct shrink *s, uint32_t t) {
  const struct shrink_arc *row = shrink_row(s, t);
  for (uint32_t i = 0; i < shrink_arcs(s, t); i++)
    if (row[i].in != row[i].out && s->seen.place[row[i].place]) return 1;
  return 0;
}

static void wake_around(struct shrink *s, uint32_t t) {
  for (uint32_t i = 0; i < shrink_arcs(s, t); i++) shrink_wake(s, shrink_row(s, t)[i].place);
}

void shrink_drop_transition(struct shrink *s, uint32_t t, enum shrink_rule rule) {
  s->transition.at[t].gone = 1;
  s->transitions_left--;
  if (rule < SHRINK_RULES) s->count[rule]++;
  wake_around(s, t);
}

void shrink_drop_place(struct shrink *s, uint32_t place, enum shrink_rule rule) {
  uint32_t count;
  const uint32_t *user = shrink_users(s, place, &count);
  for (uint32_t i = 0; i < count; i++) {
    struct shrink_transition *x = &s->transition.at[user[i]];
    struct shrink_arc *a = s->arc.at + x->first + arc_index(s, user[i], place);
    x->arcs--;
    memmove(a, a + 1, (size_t)(s->arc.at + x->first + x->arcs - a) * sizeof *a);
    wake_around(s, user[i]);
    shrink_spend(s, x->arcs);
  }
  vec_free(&s->users[place], s->mem);
  s->gone[place] = 1;
  s->places_left--;
  s->count[rule]++;
}

/* ---- one transition for several -------------------------------------------------------------------------------------------------- */

/* so many tokens, so many times; more than there can be where it is too much */
static uint64_t times(uint32_t tokens, uint32_t n) {
  uint64_t product = (uint64_t)tokens * n;
  return product > PT_MAX_COUNT ? (uint64_t)PT_MAX_COUNT + 1 : product;
}

/* Firing a row n times in a row: what must be there at first, and what is there afterwards of what was given. */
static struct shrink_arc repeated(struct shrink_arc a, uint32_t n, int *bad) {
  uint64_t in = a.in, out = a.out;
  if (n > 1 && a.in > a.out) in = a.in + times(a.in - a.out, n - 1);
  if (n > 1 && a.out > a.in) out = a.out + times(a.out - a.in, n - 1);
  if (n > 1 && a.in > a.out) out = a.out;
  if (in > PT_MAX_COUNT || out > PT_MAX_COUNT) *bad = 1;
  return (struct shrink_arc){a.place, (uint32_t)in, (uint32_t)out};
}

/* One and then the other. */
static struct shrink_arc one_after_other(struct shrink_arc a, struct shrink_arc b, int *bad) {
  uint64_t missing = b.in > a.out ? b.in - a.out : 0, left = a.out > b.in ? a.out - b.in : 0;
  uint64_t in = a.in + missing, out = b.out + left;
  if (in > PT_MAX_COUNT || out > PT_MAX_COUNT) *bad = 1;
  return (struct shrink_arc){a.place, (uint32_t)in, (uint32_t)out};
}

static int add_word(struct shrink *s, uint32_t t, uint32_t n) {
  const struct shrink_transition x = s->transition.at[t];
  if (vec_reserve(&s->word, s->mem, MEM_ANALYSIS, (size_t)x.words * n)) {
    s->refused = 1;
    return -1;
  }
  for (uint32_t i = 0; i < n; i++) {
    memcpy(s->word.at + s->word.count, s->word.at + x.word, x.words * sizeof *s->word.at);
    s->word.count += x.words;
  }
  return 0;
}

int shrink_join(struct shrink *s, uint32_t before, uint32_t before_times, uint32_t after, uint32_t after_times, uint32_t place) {
  const struct shrink_transition b = s->transition.at[before], a = s->transition.at[after];
  uint64_t words = (uint64_t)b.words * before_times + (uint64_t)a.words * after_times;
  int bad = words > MOST_WORDS;
  if (bad || !shrink_spend(s, (uint64_t)b.arcs + a.arcs + words)) return -1;
  struct shrink_transition x = {.first = s->arc.count, .word = s->word.count, .words = (uint32_t)words};
  if (vec_reserve(&s->arc, s->mem, MEM_ANALYSIS, (size_t)b.arcs + a.arcs)) {
    s->refused = 1;
    return -1;
  }
  const struct shrink_arc *i = s->arc.at + b.first, *i_end = i + b.arcs, *j = s->arc.at + a.first, *j_end = j + a.arcs;
  while (i < i_end || j < j_end) {
    int first = i < i_end && (j == j_end || i->place <= j->place), second = j < j_end && (i == i_end || j->place <= i->place);
    uint32_t p = first ? i->place : j->place;
    struct shrink_arc none = {p, 0, 0};
    struct shrink_arc sum = one_after_other(repeated(first ? *i : none, before_times, &bad), repeated(second ? *j : none, after_times, &bad), &bad);
    i += first;
    j += second;
    if (p != place && (sum.in || sum.out)) s->arc.at[s->arc.count++] = sum;
  }
  x.arcs = (uint32_t)(s->arc.count - x.first);
  if (bad || add_word(s, before, before_times) || add_word(s, after, after_times) || vec_push(&s->transition, s->mem, MEM_ANALYSIS, x)) {
    s->arc.count = x.first;
    s->word.count = x.word;
    return -1;
  }
  s->transitions_left++;
  add_users(s, (uint32_t)s->transition.count - 1);
  return 0;
}

/* ---- a net again --------------------------------------------------------------------------------------------------------------------- */

static int freeze_rows(const struct shrink *s, struct pt_net *n) {
  size_t pre = 0, post = 0;
  for (uint32_t t = 0; t < n->transitions; t++)
    for (uint32_t i = 0; i < shrink_arcs(s, s->order.at[t]) && !n->gone[t]; i++) {
      pre += shrink_row(s, s->order.at[t])[i].in != 0;
      post += shrink_row(s, s->order.at[t])[i].out != 0;
    }
  n->pre = arena_alloc(&n->arena, (pre + 1) * sizeof *n->pre);
  n->post = arena_alloc(&n->arena, (post + 1) * sizeof *n->post);
  n->pre_start = arena_alloc(&n->arena, ((size_t)n->transitions + 1) * sizeof *n->pre_start);
  n->post_start = arena_alloc(&n->arena, ((size_t)n->transitions + 1) * sizeof *n->post_start);
  if (!n->pre || !n->post || !n->pre_start || !n->post_start) return -1;
  n->arcs = (uint32_t)(pre + post);
  pre = post = 0;
  for (uint32_t t = 0; t < n->transitions; t++) {
    for (uint32_t i = 0; i < shrink_arcs(s, s->order.at[t]) && !n->gone[t]; i++) {
      struct shrink_arc a = shrink_row(s, s->order.at[t])[i];
      if (a.in) n->pre[pre++] = (struct pt_arc){a.place, a.in};
      if (a.out) n->post[post++] = (struct pt_arc){a.place, a.out};
    }
    n->pre_start[t + 1] = (uint32_t)pre;
    n->post_start[t + 1] = (uint32_t)post;
  }
  return 0;
}

/* "t1.t2.t3", cut short where it is long, and with a number where somebody has that name. */
static const char *joint_name(const struct shrink *s, const struct shrink_transition *x, struct names *taken, struct arena *a) {
  char text[NAME_ROOM + 40];
  size_t used = 0;
  for (uint32_t i = 0; i < x->words && used < NAME_ROOM; i++) used += (size_t)snprintf(text + used, NAME_ROOM + 1 - used, "%s%s", i ? "." : "", s->net->transition_id[s->word.at[x->word + i]]);
  if (used > NAME_ROOM) used = NAME_ROOM - 2 + (size_t)snprintf(text + NAME_ROOM - 2, 3, "..");
  for (uint32_t number = 2;; number++) {
    size_t before = taken->list.count;
    const char *copy = arena_strndup(a, text, strlen(text));
    if (!copy || names_put(taken, copy, strlen(copy), NULL) == NAMES_NONE) return NULL;
    if (taken->list.count > before) return copy;
    snprintf(text + used, sizeof text - used, "~%u", number);
  }
}

static int freeze_names(const struct shrink *s, struct pt_net *n) {
  const struct pt_net *old = s->net;
  n->place_id = old->place_id;
  n->place_name = old->place_name;
  n->place_at = old->place_at;
  n->transition_id = arena_alloc(&n->arena, ((size_t)n->transitions + 1) * sizeof *n->transition_id);
  n->transition_name = arena_alloc(&n->arena, ((size_t)n->transitions + 1) * sizeof *n->transition_name);
  n->transition_at = arena_alloc(&n->arena, ((size_t)n->transitions + 1) * sizeof *n->transition_at);
  if (!n->transition_id || !n->transition_name || !n->transition_at) return -1;
  if (old->transitions) {
    memcpy(n->transition_id, old->transition_id, old->transitions * sizeof *n->transition_id);
    memcpy(n->transition_name, old->transition_name, old->transitions * sizeof *n->transition_name);
    memcpy(n->transition_at, old->transition_at, old->transitions * sizeof *n->transition_at);
  }
  struct names taken;
  names_open(&taken, s->mem, MEM_ANALYSIS);
  int bad = 0;
  for (uint32_t i = 0; i < old->places + old->transitions && !bad; i++) {
    const char *id = i < old->places ? old->place_id[i] : old->transition_id[i - old->places];
    bad = names_put(&taken, id, strlen(id), NULL) == NAMES_NONE;
  }
  for (uint32_t t = old->transitions; t < n->transitions && !bad; t++) {
    const struct shrink_transition *x = &s->transition.at[s->order.at[t]];
    n->transition_id[t] = n->transition_name[t] = joint_name(s, x, &taken, &n->arena);
    n->transition_at[t] = old->transition_at[s->word.at[x->word]];
    bad = !n->transition_id[t];
  }
  names_close(&taken);
  return bad || pt_index_make(n) ? -1 : 0;
}

int shrink_freeze(struct shrink *s, int for_good, struct pt_net **out) {
  const struct pt_net *old = s->net;
  *out = NULL;
  s->order.count = 0;
  for (uint32_t t = 0; t < s->transition.count; t++)
    if ((!for_good || t < old->transitions || !s->transition.at[t].gone) && vec_push(&s->order, s->mem, MEM_ANALYSIS, t)) return -1;
  struct pt_net *n = mem_alloc(s->mem, MEM_MODEL, sizeof *n);
  if (!n) return -1;
  *n = (struct pt_net){.mem = s->mem, .file = old->file, .name = old->name, .places = old->places, .transitions = (uint32_t)s->order.count};
  arena_open(&n->arena, s->mem, MEM_MODEL);
  n->gone = arena_alloc(&n->arena, (size_t)n->transitions + 1);
  n->initial = arena_alloc(&n->arena, ((size_t)n->places + 1) * sizeof *n->initial);
  int bad = !n->gone || !n->initial;
  for (uint32_t t = 0; t < n->transitions && !bad; t++) n->gone[t] = s->transition.at[s->order.at[t]].gone;
  for (uint32_t p = 0; p < n->places && !bad; p++) n->initial[p] = s->gone[p] && !s->seen.place[p] ? 0 : old->initial[p];
  if (!bad) bad = freeze_rows(s, n) || (for_good && freeze_names(s, n));
  if (bad) {
    pt_close(n);
    return -1;
  }
  /* Markings of the smaller net are markings of the larger one as far as its places go, so what was declared of them stays as true as it was. Places that are gone are empty. */
  n->units = old->units;
  n->unit = old->unit;
  n->unit_places = old->unit_places;
  n->unit_of = old->unit_of;
  n->declared_safe = old->declared_safe;
  n->nupn_problem = old->nupn_problem;
  n->place_families = old->place_families;
  n->transition_families = old->transition_families;
  *out = n;
  return 0;
}
