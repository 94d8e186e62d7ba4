/* pt_builder.c -- from a stream of nodes and arcs in any order to a finished net.
 *
 * Every id becomes a symbol, a dense number, the moment it is first seen, whether as a
 * node or as the end of an arc that runs ahead of its nodes.  An arc thus costs 20 bytes
 * while reading, however long the ids are, and finishing is array work:
 *
 *   symbols -> nodes      references followed to what they stand for, cycles refused
 *   arcs    -> rows       two stable counting sorts, by place and then by transition, leave
 *                         the arcs of a transition together and in order of place;
 *                         parallel ones are neighbours and merge in place
 *
 * Linear in the size of the net.  Texts are copied once, into the arena of the net to be. */
#include "net/pt_build.h"
#include "model/owners.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum kind { NOWHERE, PLACE, TRANSITION, REFERENCE_PLACE, REFERENCE_TRANSITION };

static const char *const kind_name[] = {"unknown node", "place", "transition", "reference place", "reference transition"};

struct symbol {
  enum kind kind;
  uint32_t node; /* number of the place or transition; of the reference */
  uint32_t line, column;
};

struct node {
  uint32_t symbol;
  uint32_t initial;
  const char *name; /* NULL = the id */
  float x, y;
  uint8_t owned; /* transitions: 0, or 1 + the owner */
};

struct reference {
  uint32_t symbol, target; /* symbols */
};

struct arc {
  uint32_t source, target; /* symbols */
  uint32_t weight;
  uint32_t line, column;
};

struct override {
  const char *place;
  uint32_t tokens;
};

struct pt_builder {
  struct mem *mem;
  struct pt_net *net; /* its arena gets the texts */
  struct names ids;
  struct vec(struct symbol) symbols; /* one per id */
  struct vec(struct node) places, transitions;
  struct vec(struct reference) references;
  struct vec(struct arc) arcs;
  struct vec(struct override) overrides;
  struct nupn nupn;
  struct node *last; /* who gets a position; NULL = a reference: nobody */
  int has_positions, has_owners;
};

static const char *const net_memory = "the net";

static uint32_t cut(long n) { return n < 0 ? 0 : n > UINT32_MAX ? UINT32_MAX : (uint32_t)n; }

int pt_builder_open(struct pt_builder **out, struct mem *m, const char *file, struct err *e) {
  struct pt_builder *b = mem_alloc(m, MEM_MODEL, sizeof *b);
  struct pt_net *net = mem_alloc(m, MEM_MODEL, sizeof *net);
  *out = NULL;
  if (!b || !net) {
    mem_free(m, b);
    mem_free(m, net);
    return err_memory(e, net_memory);
  }
  *b = (struct pt_builder){.mem = m, .net = net};
  net->mem = m;
  arena_open(&net->arena, m, MEM_MODEL);
  names_open(&b->ids, m, MEM_MODEL);
  names_open(&b->nupn.ids, m, MEM_MODEL);
  b->nupn.root = NAMES_NONE;
  net->file = arena_strndup(&net->arena, file ? file : "", file ? strlen(file) : 0);
  net->name = arena_strndup(&net->arena, "", 0);
  if (!net->file || !net->name) {
    pt_builder_close(b);
    return err_memory(e, net_memory);
  }
  *out = b;
  return 0;
}

void pt_builder_close(struct pt_builder *b) {
  if (!b) return;
  struct mem *m = b->mem;
  pt_close(b->net);
  names_close(&b->ids);
  vec_free(&b->symbols, m);
  vec_free(&b->places, m);
  vec_free(&b->transitions, m);
  vec_free(&b->references, m);
  vec_free(&b->arcs, m);
  vec_free(&b->overrides, m);
  names_close(&b->nupn.ids);
  vec_free(&b->nupn.units, m);
  vec_free(&b->nupn.places, m);
  vec_free(&b->nupn.subunits, m);
  mem_free(m, b);
}

int pt_builder_name(struct pt_builder *b, const char *name, size_t length, struct err *e) {
  const char *copy = arena_strndup(&b->net->arena, name, length);
  if (!copy) return err_memory(e, net_memory);
  b->net->name = copy;
  return 0;
}

/* ---- reading ---------------------------------------------------------------------- */

/* The symbol of an id; NAMES_NONE with err. */
static uint32_t symbol_of(struct pt_builder *b, const char *id, struct err *e) {
  uint32_t s = names_put(&b->ids, id, strlen(id), &b->net->arena);
  if (s != NAMES_NONE && s < b->symbols.count) return s;
  if (s == NAMES_NONE || vec_push(&b->symbols, b->mem, MEM_MODEL, (struct symbol){0})) {
    err_memory(e, net_memory);
    return NAMES_NONE;
  }
  return s;
}

/* "a place in line 12", or "a place" where the line is not known. */
static const char *describe(const struct symbol *s, char *out, size_t room) {
  if (s->line) snprintf(out, room, "a %s in line %u", kind_name[s->kind], s->line);
  else snprintf(out, room, "a %s", kind_name[s->kind]);
  return out;
}

/* Claims an id for a node of this kind; the symbol, or NAMES_NONE with err. */
static uint32_t declare(struct pt_builder *b, const char *id, enum kind kind, size_t count, struct place_in_text at,
                        struct err *e) {
  char shown[80], first[80];
  err_quote(shown, sizeof shown, id, strlen(id));
  if (!*id) {
    err_input(e, at, "a %s has an empty id", kind_name[kind]);
    return NAMES_NONE;
  }
  if (count >= INT32_MAX / 2) {
    err_input(e, at, "the net has too many nodes");
    return NAMES_NONE;
  }
  uint32_t s = symbol_of(b, id, e);
  if (s == NAMES_NONE) return s;
  struct symbol *symbol = &b->symbols.at[s];
  if (symbol->kind != NOWHERE) {
    err_input(e, at, "the id \"%s\" is already taken by %s", shown, describe(symbol, first, sizeof first));
    return NAMES_NONE;
  }
  *symbol = (struct symbol){kind, (uint32_t)count, cut(at.line), cut(at.column)};
  return s;
}

/* The display name as it will be kept: NULL = same as the id. 0 or -1. */
static int keep_name(struct pt_builder *b, const char *id, const char *name, const char **kept) {
  *kept = NULL;
  if (!name || !*name || strcmp(id, name) == 0) return 0;
  *kept = arena_strndup(&b->net->arena, name, strlen(name));
  return *kept ? 0 : -1;
}

int pt_builder_place(struct pt_builder *b, const char *id, const char *name, uint32_t initial, struct place_in_text at,
                     struct err *e) {
  struct node node = {.initial = initial};
  if (initial > PT_MAX_COUNT) return err_input(e, at, "the initial marking is %u, more than %u", initial, PT_MAX_COUNT);
  node.symbol = declare(b, id, PLACE, b->places.count, at, e);
  if (node.symbol == NAMES_NONE) return -1;
  if (keep_name(b, id, name, &node.name) || vec_push(&b->places, b->mem, MEM_MODEL, node)) return err_memory(e, net_memory);
  b->last = &b->places.at[b->places.count - 1];
  return 0;
}

int pt_builder_transition(struct pt_builder *b, const char *id, const char *name, struct place_in_text at, struct err *e) {
  struct node node = {0};
  node.symbol = declare(b, id, TRANSITION, b->transitions.count, at, e);
  if (node.symbol == NAMES_NONE) return -1;
  if (keep_name(b, id, name, &node.name) || vec_push(&b->transitions, b->mem, MEM_MODEL, node)) return err_memory(e, net_memory);
  b->last = &b->transitions.at[b->transitions.count - 1];
  return 0;
}

static int add_reference(struct pt_builder *b, const char *id, const char *target, enum kind kind, struct place_in_text at,
                         struct err *e) {
  struct reference r = {.symbol = declare(b, id, kind, b->references.count, at, e)};
  if (r.symbol == NAMES_NONE) return -1;
  r.target = symbol_of(b, target, e);
  if (r.target == NAMES_NONE) return -1;
  if (vec_push(&b->references, b->mem, MEM_MODEL, r)) return err_memory(e, net_memory);
  b->last = NULL;
  return 0;
}

int pt_builder_reference_place(struct pt_builder *b, const char *id, const char *target, struct place_in_text at, struct err *e) {
  return add_reference(b, id, target, REFERENCE_PLACE, at, e);
}

int pt_builder_reference_transition(struct pt_builder *b, const char *id, const char *target, struct place_in_text at,
                                    struct err *e) {
  return add_reference(b, id, target, REFERENCE_TRANSITION, at, e);
}

int pt_builder_arc(struct pt_builder *b, const char *source, const char *target, uint32_t weight, struct place_in_text at,
                   struct err *e) {
  if (weight == 0) return err_input(e, at, "an arc has weight 0");
  if (weight > PT_MAX_COUNT) return err_input(e, at, "an arc has weight %u, more than %u", weight, PT_MAX_COUNT);
  if (b->arcs.count >= INT32_MAX) return err_input(e, at, "the net has too many arcs");
  struct arc arc = {.weight = weight, .line = cut(at.line), .column = cut(at.column)};
  arc.source = symbol_of(b, source, e);
  if (arc.source == NAMES_NONE) return -1;
  arc.target = symbol_of(b, target, e);
  if (arc.target == NAMES_NONE) return -1;
  return vec_push(&b->arcs, b->mem, MEM_MODEL, arc) ? err_memory(e, net_memory) : 0;
}

int pt_builder_position(struct pt_builder *b, double x, double y, struct err *e) {
  (void)e;
  if (!b->last || !isfinite((float)x) || !isfinite((float)y)) return 0;
  b->last->x = (float)x;
  b->last->y = (float)y;
  b->has_positions = 1;
  return 0;
}

void pt_builder_owner(struct pt_builder *b, int owner) {
  if (!b->last || owner == OWNER_UNSAID) return;
  b->last->owned = (uint8_t)(owner + 1);
  b->has_owners = 1;
}

int pt_builder_marking(struct pt_builder *b, const char *place, uint32_t tokens, struct err *e) {
  if (tokens > PT_MAX_COUNT) return err_usage(e, "a marking of %u tokens is more than %u", tokens, PT_MAX_COUNT);
  struct override o = {arena_strndup(&b->net->arena, place, strlen(place)), tokens};
  if (!o.place || vec_push(&b->overrides, b->mem, MEM_MODEL, o)) return err_memory(e, net_memory);
  return 0;
}

int pt_builder_unit(struct pt_builder *b, const char *id, struct place_in_text at, struct err *e) {
  struct nupn *n = &b->nupn;
  struct nupn_unit unit = {names_put(&n->ids, id, strlen(id), &b->net->arena), (uint32_t)n->places.count,
                           (uint32_t)n->subunits.count};
  if (n->units.count >= INT32_MAX) return err_input(e, at, "the net has too many units");
  if (unit.id == NAMES_NONE || vec_push(&n->units, b->mem, MEM_MODEL, unit)) return err_memory(e, net_memory);
  return 0;
}

int pt_builder_unit_place(struct pt_builder *b, const char *place, struct err *e) {
  struct nupn *n = &b->nupn;
  if (!n->units.count || n->places.count >= INT32_MAX) return err_usage(e, "a list of places outside of a unit");
  uint32_t s = symbol_of(b, place, e);
  if (s == NAMES_NONE) return -1;
  if (vec_push(&n->places, b->mem, MEM_MODEL, s)) return err_memory(e, net_memory);
  n->units.at[n->units.count - 1].places_end++;
  return 0;
}

int pt_builder_unit_subunit(struct pt_builder *b, const char *subunit, struct err *e) {
  struct nupn *n = &b->nupn;
  if (!n->units.count || n->subunits.count >= INT32_MAX) return err_usage(e, "a list of subunits outside of a unit");
  uint32_t s = names_put(&n->ids, subunit, strlen(subunit), &b->net->arena);
  if (s == NAMES_NONE || vec_push(&n->subunits, b->mem, MEM_MODEL, s)) return err_memory(e, net_memory);
  n->units.at[n->units.count - 1].subunits_end++;
  return 0;
}

int pt_builder_nupn(struct pt_builder *b, const char *root, int safe, struct err *e) {
  b->nupn.root = names_put(&b->nupn.ids, root, strlen(root), &b->net->arena);
  b->nupn.safe = safe;
  return b->nupn.root == NAMES_NONE ? err_memory(e, net_memory) : 0;
}

/* ---- finishing -------------------------------------------------------------------- */

static const char *text_of(const struct pt_builder *b, uint32_t symbol, char *out, size_t room) {
  const struct name *n = &b->ids.list.at[symbol];
  return err_quote(out, room, n->text, n->length);
}

static struct place_in_text place_of(const struct pt_builder *b, const struct symbol *s) {
  return (struct place_in_text){b->net->file, s->line, s->column};
}

/* Lets every reference symbol take the place of what it stands for. A chain is walked to its end once; on the way
   each reference is marked with the chain that walks it, so a chain that meets itself is a cycle. */
static int resolve_references(struct pt_builder *b, struct err *e) {
  size_t count = b->references.count;
  if (!count) return 0;
  uint32_t *walker = mem_alloc(b->mem, MEM_MODEL, count * sizeof *walker);
  if (!walker) return err_memory(e, net_memory);
  char name[80], other[80];
  int status = 0;
  for (uint32_t r = 0; r < count && !status; r++) {
    const struct symbol start = b->symbols.at[b->references.at[r].symbol];
    if (start.kind != REFERENCE_PLACE && start.kind != REFERENCE_TRANSITION) continue; /* done as part of a longer chain */
    enum kind wanted = start.kind == REFERENCE_PLACE ? PLACE : TRANSITION;
    uint32_t s = b->references.at[r].symbol;
    while (b->symbols.at[s].kind == start.kind) {
      uint32_t here = b->symbols.at[s].node;
      if (walker[here] == r + 1) {
        status = err_input(e, place_of(b, &start), "the %s \"%s\" leads in a circle", kind_name[start.kind],
                           text_of(b, b->references.at[r].symbol, name, sizeof name));
        break;
      }
      walker[here] = r + 1;
      s = b->references.at[here].target;
    }
    if (status) break;
    struct symbol end = b->symbols.at[s];
    if (end.kind != wanted) {
      text_of(b, b->references.at[r].symbol, name, sizeof name);
      text_of(b, s, other, sizeof other);
      if (end.kind == NOWHERE)
        status = err_input(e, place_of(b, &start), "the %s \"%s\" stands for \"%s\", which is not in the net",
                           kind_name[start.kind], name, other);
      else
        status = err_input(e, place_of(b, &start), "the %s \"%s\" stands for \"%s\", which is a %s", kind_name[start.kind], name,
                           other, kind_name[end.kind]);
      break;
    }
    for (uint32_t at = b->references.at[r].symbol; at != s;) {
      struct symbol *passed = &b->symbols.at[at];
      at = b->references.at[passed->node].target;
      passed->kind = end.kind;
      passed->node = end.node;
    }
  }
  mem_free(b->mem, walker);
  return status;
}

static int check_arc(const struct pt_builder *b, const struct arc *a, struct err *e) {
  char name[80], from[80], to[80];
  struct place_in_text at = {b->net->file, a->line, a->column};
  const uint32_t ends[2] = {a->source, a->target};
  for (int i = 0; i < 2; i++)
    if (b->symbols.at[ends[i]].kind == NOWHERE)
      return err_input(e, at, "an arc %s \"%s\", which is not in the net", i ? "leads to" : "comes from",
                       text_of(b, ends[i], name, sizeof name));
  if (b->symbols.at[a->source].kind == b->symbols.at[a->target].kind)
    return err_input(e, at, "an arc joins two %ss, \"%s\" and \"%s\"", kind_name[b->symbols.at[a->source].kind],
                     text_of(b, a->source, from, sizeof from), text_of(b, a->target, to, sizeof to));
  return 0;
}

/* One direction of arcs as rows of transitions: counts, sorts by place, then by transition (both stable), merges. */
static int make_rows(struct pt_builder *b, enum kind source, uint32_t **start_out, struct pt_arc **row_out, struct err *e) {
  struct pt_net *net = b->net;
  struct mem *m = b->mem;
  uint32_t nodes = net->places > net->transitions ? net->places : net->transitions;
  size_t count = 0;
  for (size_t i = 0; i < b->arcs.count; i++) count += b->symbols.at[b->arcs.at[i].source].kind == source;
  uint32_t *bucket = mem_alloc(m, MEM_MODEL, ((size_t)nodes + 1) * sizeof *bucket);
  uint32_t *by_place = mem_alloc(m, MEM_MODEL, count * sizeof *by_place); /* arc numbers */
  uint32_t *sorted = mem_alloc(m, MEM_MODEL, count * sizeof *sorted);
  uint32_t *start = arena_alloc(&net->arena, ((size_t)net->transitions + 1) * sizeof *start);
  struct pt_arc *row = arena_alloc(&net->arena, count * sizeof *row);
  int status = 0;
  if (!bucket || !by_place || !sorted || !start || !row) {
    status = err_memory(e, net_memory);
    goto end;
  }
#define PLACE_OF(arc) (b->symbols.at[source == PLACE ? (arc)->source : (arc)->target].node)
#define TRANSITION_OF(arc) (b->symbols.at[source == PLACE ? (arc)->target : (arc)->source].node)
  for (size_t i = 0; i < b->arcs.count; i++) {
    const struct arc *a = &b->arcs.at[i];
    if (b->symbols.at[a->source].kind == source) bucket[PLACE_OF(a) + 1]++;
  }
  for (uint32_t p = 0; p < net->places; p++) bucket[p + 1] += bucket[p];
  for (size_t i = 0; i < b->arcs.count; i++) {
    const struct arc *a = &b->arcs.at[i];
    if (b->symbols.at[a->source].kind == source) by_place[bucket[PLACE_OF(a)]++] = (uint32_t)i;
  }
  memset(bucket, 0, ((size_t)nodes + 1) * sizeof *bucket);
  for (size_t i = 0; i < count; i++) bucket[TRANSITION_OF(&b->arcs.at[by_place[i]]) + 1]++;
  for (uint32_t t = 0; t < net->transitions; t++) bucket[t + 1] += bucket[t];
  for (size_t i = 0; i < count; i++) sorted[bucket[TRANSITION_OF(&b->arcs.at[by_place[i]])]++] = by_place[i];

  uint32_t out = 0; /* bucket[t] is now the end of the row of t in sorted */
  for (uint32_t t = 0, i = 0; t < net->transitions && !status; t++) {
    start[t] = out;
    for (; i < bucket[t]; i++) {
      const struct arc *a = &b->arcs.at[sorted[i]];
      uint32_t place = PLACE_OF(a);
      if (out == start[t] || row[out - 1].place != place) {
        row[out++] = (struct pt_arc){place, a->weight};
      } else if (a->weight > PT_MAX_COUNT - row[out - 1].weight) {
        char name[80];
        status = err_input(e, (struct place_in_text){net->file, a->line, a->column},
                           "parallel arcs of the transition \"%s\" add up to a weight of more than %u",
                           text_of(b, b->transitions.at[t].symbol, name, sizeof name), PT_MAX_COUNT);
        break;
      } else {
        row[out - 1].weight += a->weight;
      }
    }
  }
  start[net->transitions] = out;
  net->arcs += out;
  *start_out = start;
  *row_out = row;
#undef PLACE_OF
#undef TRANSITION_OF
end:
  mem_free(m, bucket);
  mem_free(m, by_place);
  mem_free(m, sorted);
  return status;
}

/* The arrays of one kind of node. initial may be NULL. 0 or -1: memory. */
static int make_nodes(struct pt_builder *b, const struct node *node, uint32_t count, const char ***ids, const char ***names,
                      uint32_t *initial, void *at_out, void *xy_out) {
  struct arena *a = &b->net->arena;
  struct {
    uint32_t line, column;
  } *at = arena_alloc(a, count * sizeof *at);
  struct {
    float x, y;
  } *xy = b->has_positions ? arena_alloc(a, count * sizeof *xy) : NULL;
  const char **id = arena_alloc(a, count * sizeof *id), **name = arena_alloc(a, count * sizeof *name);
  if (!at || !id || !name || (b->has_positions && !xy)) return -1;
  for (uint32_t i = 0; i < count; i++) {
    id[i] = b->ids.list.at[node[i].symbol].text;
    name[i] = node[i].name ? node[i].name : id[i];
    at[i].line = b->symbols.at[node[i].symbol].line;
    at[i].column = b->symbols.at[node[i].symbol].column;
    if (initial) initial[i] = node[i].initial;
    if (xy) xy[i].x = node[i].x, xy[i].y = node[i].y;
  }
  *ids = id;
  *names = name;
  memcpy(at_out, &at, sizeof at);
  memcpy(xy_out, &xy, sizeof xy);
  return 0;
}

static int make_owners(struct pt_builder *b) {
  struct pt_net *net = b->net;
  if (!b->has_owners) return 0;
  net->owned = arena_alloc(&net->arena, (size_t)net->transitions + 1);
  for (uint32_t t = 0; net->owned && t < net->transitions; t++) net->owned[t] = b->transitions.at[t].owned;
  return net->owned ? 0 : -1;
}

/* Applies --marking; 1 if one changed something, 0, or -1 with err. */
static int override_markings(struct pt_builder *b, struct err *e) {
  int changed = 0;
  for (size_t i = 0; i < b->overrides.count; i++) {
    const struct override *o = &b->overrides.at[i];
    char name[80];
    int64_t p = pt_find_place(b->net, o->place, strlen(o->place));
    err_quote(name, sizeof name, o->place, strlen(o->place));
    if (p == -2) return err_usage(e, "--marking: several places are called \"%s\"; use the id", name);
    if (p < 0) return err_usage(e, "--marking: the net has no place \"%s\"", name);
    changed |= b->net->initial[p] != o->tokens;
    b->net->initial[p] = o->tokens;
  }
  return changed;
}

static int finish_units(struct pt_builder *b, int overridden, struct err *e) {
  for (size_t i = 0; i < b->nupn.places.count; i++) {
    const struct symbol *s = &b->symbols.at[b->nupn.places.at[i]];
    b->nupn.places.at[i] = s->kind == PLACE ? s->node : PT_NONE;
  }
  if (overridden && b->nupn.safe) { /* the claim was made for another initial marking */
    b->nupn.safe = 0;
    b->net->nupn_problem = "the initial marking was changed, so the net need not be unit-safe any more";
  }
  return pt_nupn_finish(&b->nupn, b->net) ? err_memory(e, net_memory) : 0;
}

int pt_builder_finish(struct pt_builder *b, struct pt_net **out, struct err *e) {
  struct pt_net *net = b->net;
  *out = NULL;
  net->places = (uint32_t)b->places.count;
  net->transitions = (uint32_t)b->transitions.count;
  if (resolve_references(b, e)) return -1;
  for (size_t i = 0; i < b->arcs.count; i++)
    if (check_arc(b, &b->arcs.at[i], e)) return -1;
  net->initial = arena_alloc(&net->arena, net->places * sizeof *net->initial);
  if (!net->initial ||
      make_nodes(b, b->places.at, net->places, &net->place_id, &net->place_name, net->initial, &net->place_at, &net->place_xy) ||
      make_nodes(b, b->transitions.at, net->transitions, &net->transition_id, &net->transition_name, NULL, &net->transition_at,
                 &net->transition_xy) ||
      make_owners(b) || pt_index_make(net))
    return err_memory(e, net_memory);
  if (make_rows(b, PLACE, &net->pre_start, &net->pre, e) || make_rows(b, TRANSITION, &net->post_start, &net->post, e)) return -1;
  int overridden = override_markings(b, e);
  if (overridden < 0 || finish_units(b, overridden, e)) return -1;
  b->net = NULL;
  *out = net;
  pt_builder_close(b);
  return 0;
}
