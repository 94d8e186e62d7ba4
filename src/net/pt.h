/* pt.h -- place/transition nets as data: what readers build, what analyses and the
 * model in pt_model.h work on.
 *
 * Arcs are kept per transition in compressed rows: transition t takes from
 * pre[pre_start[t] .. pre_start[t+1]) and gives to post[...]; parallel arcs are merged,
 * rows are sorted by place.  Weights and markings are 1..2^31-1. */
#ifndef NET_PT_H
#define NET_PT_H

#include "base/err.h"
#include "base/mem.h"

#include <stdint.h>

#define PT_NONE UINT32_MAX
#define PT_MAX_COUNT 2147483647u

struct pt_arc {
  uint32_t place, weight;
};

/* A unit of a nested-unit Petri net (NUPN): at most one place of a unit is marked, and
 * not together with a place of a unit nested in it. */
struct pt_unit {
  const char *id;
  uint32_t first_place, place_count; /* in unit_places */
  uint32_t parent;                   /* PT_NONE for the root */
};

/* Nodes that one name stands for: a place of a coloured net that was unfolded, with all its colours. They are numbered one after the other. */
struct pt_family {
  const char *id, *name;
  uint32_t first, count;
};
struct pt_families {
  struct pt_family *family;
  uint32_t count; /* 0 = the net was not unfolded */
};

struct pt_net {
  struct mem *mem;
  struct arena arena;                         /* names and rows */
  const char *file;                           /* as given by the user */
  const char *name;                           /* of the net; may be "" */
  uint32_t places, transitions, arcs;         /* arcs after merging */
  const char **place_id, **transition_id;     /* unique within the net */
  const char **place_name, **transition_name; /* equals the id where the file gives none */
  struct {
    uint32_t line, column;
  } * place_at, *transition_at;
  struct {
    float x, y;
  } * place_xy, *transition_xy; /* drawing positions; NULL when the file has none, 0 where a node has none */
  uint8_t *owned; /* per transition, of games: 0, or 1 + who owns it (model/owners.h) where the file says so; NULL = it says nothing */
  uint32_t *initial;
  uint32_t *pre_start, *post_start;
  struct pt_arc *pre, *post;
  /* NUPN, if the file has it and it is well-formed; units == 0 otherwise. */
  uint32_t units;
  struct pt_unit *unit;
  uint32_t *unit_places;
  uint32_t *unit_of;        /* place -> its unit */
  int declared_safe;        /* the NUPN part says safe="true" */
  const char *nupn_problem; /* why units were dropped or their safety is not believed; static text, NULL = nothing wrong */
  struct pt_families place_families, transition_families;
  uint8_t *gone;            /* per transition: it never fires and has no arcs, in a net that was made smaller (shrink.h); NULL = none */
  struct pt_index *index;   /* name lookup, private to pt.c */
};

int64_t pt_find_place(const struct pt_net *, const char *name, size_t length);      /* -1 unknown, -2 ambiguous */
int64_t pt_find_transition(const struct pt_net *, const char *name, size_t length); /* likewise */
/* Families (families.c): room for so many, all empty; 0, or -1: memory. Then each of them; by id or name, NULL = there is none. */
int pt_families_open(struct pt_net *, uint32_t places, uint32_t transitions);
int pt_family_set(struct pt_families *, uint32_t index, const char *id, const char *name, uint32_t first, uint32_t count, struct arena *);
/* To which family each of so many nodes belongs; without families each is its own. Returns how many there are. */
uint32_t pt_families_of(const struct pt_families *, uint32_t nodes, uint32_t *of);
const struct pt_family *pt_find_family(const struct pt_families *, const char *name, size_t length);
void pt_close(struct pt_net *);                                                     /* NULL is fine */

static inline int pt_gone(const struct pt_net *n, uint32_t t) { return n->gone && n->gone[t]; }

/* What a transition changes: walks its two rows in step.
 *   struct pt_effects it = pt_effects(net, t);
 *   while (pt_effect(&it, &place, &change)) ...        places ascending, change never 0 */
struct pt_effects {
  const struct pt_arc *pre, *pre_end, *post, *post_end;
};
static inline struct pt_effects pt_effects(const struct pt_net *n, uint32_t t) {
  return (struct pt_effects){n->pre + n->pre_start[t], n->pre + n->pre_start[t + 1], n->post + n->post_start[t],
                             n->post + n->post_start[t + 1]};
}
static inline int pt_effect(struct pt_effects *it, uint32_t *place, int64_t *change) {
  while (it->pre < it->pre_end || it->post < it->post_end) {
    int takes = it->pre < it->pre_end && (it->post == it->post_end || it->pre->place <= it->post->place);
    int gives = it->post < it->post_end && (it->pre == it->pre_end || it->post->place <= it->pre->place);
    *place = takes ? it->pre->place : it->post->place;
    *change = 0;
    if (takes) *change -= (it->pre++)->weight;
    if (gives) *change += (it->post++)->weight;
    if (*change) return 1;
  }
  return 0;
}

/* Building: nodes and arcs in any order, ids resolved at the end.  Strings are copied.
 * Functions return 0 or -1 with err set; after an error only pt_builder_close is allowed.
 * A name that is NULL or "" means: the same as the id. */
struct pt_builder;
int pt_builder_open(struct pt_builder **out, struct mem *, const char *file, struct err *);
void pt_builder_close(struct pt_builder *); /* NULL is fine */
int pt_builder_name(struct pt_builder *, const char *name, size_t length, struct err *);
int pt_builder_place(struct pt_builder *, const char *id, const char *name, uint32_t initial, struct place_in_text at,
                     struct err *);
int pt_builder_transition(struct pt_builder *, const char *id, const char *name, struct place_in_text at, struct err *);
/* A reference node stands for the node `target`, which may itself be a reference. */
int pt_builder_reference_place(struct pt_builder *, const char *id, const char *target, struct place_in_text at, struct err *);
int pt_builder_reference_transition(struct pt_builder *, const char *id, const char *target, struct place_in_text at,
                                    struct err *);
int pt_builder_arc(struct pt_builder *, const char *source, const char *target, uint32_t weight, struct place_in_text at,
                   struct err *);
/* Drawing position of the node added last. */
int pt_builder_position(struct pt_builder *, double x, double y, struct err *);
/* Whose the transition added last is: OWNER_* of model/owners.h. */
void pt_builder_owner(struct pt_builder *, int owner);
/* Overrides an initial marking (--marking PLACE=N). */
int pt_builder_marking(struct pt_builder *, const char *place, uint32_t tokens, struct err *);
/* NUPN: units with their own places and subunits, by id. */
int pt_builder_unit(struct pt_builder *, const char *id, struct place_in_text at, struct err *);
int pt_builder_unit_place(struct pt_builder *, const char *place, struct err *);     /* of the unit added last */
int pt_builder_unit_subunit(struct pt_builder *, const char *subunit, struct err *); /* of the unit added last */
int pt_builder_nupn(struct pt_builder *, const char *root, int safe, struct err *);
/* Resolves and checks everything: unknown ids, arcs between two places, reference cycles; NUPN that is no tree or does
 * not partition the places is dropped (net->nupn_problem). On success the builder is closed; on error close it. */
int pt_builder_finish(struct pt_builder *, struct pt_net **out, struct err *);

#endif
