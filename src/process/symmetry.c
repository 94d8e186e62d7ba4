/* symmetry.c -- see symmetry.h.
 *
 * Two states are alike if one becomes the other by exchanging processes of a type, and names of a sort everywhere (symmetry_sorts.h says which may be, in this state and from here on), and by putting objects elsewhere on the
 * heap.  Processes that have come to their end are as good as dead, and their numbers are the names of nobody.  The states of such a class go on in the same way, step for step: exchanging is a bijection that respects
 * steps, labels and what is asked, and whatever may be exchanged in a state may be in all that follow.
 *
 * What stands for a state is made like this:
 *
 *   - hazards that are ahead tell which names are told apart: blocks of names, groups of slots (type, block);
 *   - processes, names that occur, and objects are nodes; what cells hold are facts about them (model/canonical.h puts them in order);
 *   - the processes of a group take its lowest slots in that order, those at their end the others, with nothing left in them; names that no process bears take what is left of their block;
 *   - processes at their end in the highest slots of all are taken away, the heap is brought into its order (heap.h).
 *
 * The removal of processes is the one place where a state and what stands for it do not take the same steps: the state may have to let some processes die first, and that leads to states for which the same one stands.
 *
 * All is done on the image of the cursor, with its log: packing what the log names costs as much as was moved, and then it is undone. A state that stands for itself costs no packing at all. */
#include "process/symmetry_inside.h"

#include "process/heap.h"

#include <string.h>

static struct symmetry *of(struct model_likeness *l) { return (struct symmetry *)l; }

/* ---- which names are told apart ------------------------------------------------------------------------------------------- */

static void find_blocks(struct symmetry *y, struct blocks *k) {
  const struct symmetry_sorts *s = &y->sorts;
  uint32_t block[SORT_NAMES];
  memcpy(k->ahead, y->ahead, s->words * sizeof *y->ahead);
  k->known = 1;
  k->sees_ends = hazard_in(y->ahead, 0);
  memset(k->told, 0, s->p->procs.count);
  for (uint32_t sort = 0; sort < s->sorts; sort++)
    for (uint32_t a = 0; a < SORT_NAMES; a++) k->colour[sort * SORT_NAMES + a] = hash_mix(sort + 1);
  for (uint32_t bit = 0; bit < s->hazard.count; bit++) {
    const struct symmetry_hazard *h = &s->hazard.at[bit];
    if (!hazard_in(y->ahead, bit) || h->kind == HAZARD_SEES_ENDS) continue;
    if (h->kind == HAZARD_SLOTS || (h->kind == HAZARD_ENDS && k->sees_ends)) k->told[h->of] = 1;
    if (h->kind == HAZARD_ENDS) continue;
    uint32_t sort = h->kind == HAZARD_SLOTS ? s->pid[h->of] : h->of; /* the name of nobody may be that of the next process */
    symmetry_hazard_blocks(s, h, block);
    for (uint32_t a = 0; a < s->sort[sort].names; a++) {
      uint64_t *colour = &k->colour[sort * SORT_NAMES + a];
      *colour = hash_pair(*colour, hash_pair(bit, block[a]));
    }
  }
  k->open = 0;
  for (uint32_t sort = 0; sort < s->sorts; sort++)
    for (uint32_t a = 0; a < SORT_NAMES; a++) {
      const uint64_t *colour = k->colour + sort * SORT_NAMES;
      uint8_t *shared = &k->shared[sort * SORT_NAMES + a];
      *shared = 0;
      for (uint32_t b = 0; b < s->sort[sort].names && a < s->sort[sort].names && !*shared; b++) *shared = b != a && colour[b] == colour[a];
      k->open |= *shared && y->view.used[sort];
    }
}

static void close_blocks(struct blocks *k, struct mem *mem) {
  if (!k) return;
  mem_free(mem, k->ahead);
  mem_free(mem, k->colour);
  mem_free(mem, k->shared);
  mem_free(mem, k->told);
  mem_free(mem, k);
}

static struct blocks *open_blocks(const struct symmetry_sorts *s, struct mem *mem) {
  struct blocks *k = mem_alloc(mem, MEM_SEARCH, sizeof *k);
  size_t names = (size_t)s->sorts * SORT_NAMES + 1;
  if (!k) return NULL;
  k->ahead = mem_alloc(mem, MEM_SEARCH, s->words * sizeof *k->ahead);
  k->colour = mem_alloc(mem, MEM_SEARCH, names * sizeof *k->colour);
  k->shared = mem_alloc(mem, MEM_SEARCH, names);
  k->told = mem_alloc(mem, MEM_SEARCH, s->p->procs.count + 1);
  if (k->ahead && k->colour && k->shared && k->told) return k;
  close_blocks(k, mem);
  return NULL;
}

/* The blocks of the set at hand. */
static void choose_blocks(struct symmetry *y) {
  const struct symmetry_sorts *s = &y->sorts;
  size_t bytes = s->words * sizeof *y->ahead;
  if (y->now && !memcmp(y->ahead, y->now->ahead, bytes)) return;
  y->same = 0;
  struct blocks **k = &y->kept[hash_bytes(y->ahead, bytes) % BLOCKS_KEPT];
  if (!*k) *k = open_blocks(s, y->mem);
  if (*k && (!(*k)->known || memcmp(y->ahead, (*k)->ahead, bytes))) find_blocks(y, *k);
  y->now = *k;
  if (!*k) y->failed = 1;
}

/* Hazards that are ahead of the processes of the image. */
static void look_ahead(struct symmetry *y) {
  const struct symmetry_sorts *s = &y->sorts;
  const struct shape *shape = s->shape;
  memcpy(y->ahead, s->always, s->words * sizeof *y->ahead);
  for (uint32_t slot = 0; slot < y->slots; slot++) {
    const int32_t *cell = y->m->run.cell + shape_slot(shape, slot);
    uint32_t type = (uint32_t)cell[SLOT_TYPE] - 1, state = shape->state_first[type] + (uint32_t)cell[SLOT_PC];
    y->same &= y->type[slot] == type && y->ended[slot] == s->ended[state];
    y->type[slot] = type;
    y->ended[slot] = s->ended[state];
    const uint64_t *more = s->ahead + (size_t)state * s->words;
    for (uint32_t i = 0; i < s->words; i++) y->ahead[i] |= more[i];
  }
  choose_blocks(y);
}

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

/* Parameters that are used as indices and are out of range. Returns whether it is not as it was. */
static int find_odd(struct symmetry *y) {
  const struct symmetry_sorts *s = &y->sorts;
  uint64_t before = y->odd_mark;
  memset(y->odd, 0, s->sorts);
  y->odd_mark = 0;
  for (size_t i = 0; i < s->index.count; i++)
    for (uint32_t slot = 0; slot < y->slots; slot++)
      if (y->type[slot] == s->index.at[i].type && !y->gone[slot] && (uint32_t)y->m->run.cell[shape_scope(s->shape, y->type[slot] + 1, slot) + s->index.at[i].cell] >= s->sort[s->index.at[i].sort].names)
        y->odd[s->index.at[i].sort] = 1;
  for (uint32_t sort = 0; sort < s->sorts; sort++) y->odd_mark += y->odd[sort] ? hash_mix(sort + 1) : 0;
  return y->odd_mark != before;
}

/* Groups of slots: y->member lists them one after the other. They stay what they are as long as the same processes are there, the same ones at their end, with the same hazards ahead. */
static void find_groups(struct symmetry *y) {
  const struct symmetry_sorts *s = &y->sorts;
  y->something = 0;
  memset(y->beyond, 0, s->sorts);
  for (uint32_t slot = 0; slot < y->slots; slot++) {
    const struct symmetry_sort *pid = &s->sort[s->pid[y->type[slot]]];
    y->gone[slot] = y->ended[slot] && !y->now->sees_ends;
    y->something |= y->gone[slot];
    if (slot >= pid->names && !y->gone[slot]) y->beyond[s->pid[y->type[slot]]] |= (uint8_t)(pid->indexes | (pid->strict ? BEYOND_STRICTLY : 0));
  }
  find_odd(y);
  for (uint32_t slot = 0; slot < y->slots; slot++) {
    uint32_t type = y->type[slot], sort = s->pid[type];
    int alone = y->now->told[type] || slot >= s->sort[sort].names;
    y->place[slot] = hash_pair(type + 1, alone ? slot + 1 : block_of(y, sort, slot));
  }
  uint8_t seen[MACHINE_SLOTS] = {0};
  uint32_t count = 0;
  for (uint32_t first = 0; first < y->slots; first++) {
    if (seen[first]) continue;
    uint32_t begin = count, living = 0;
    for (uint32_t slot = first; slot < y->slots; slot++) {
      if (y->place[slot] != y->place[first]) continue;
      seen[slot] = 1;
      y->member[count++] = slot;
      living += !y->gone[slot];
    }
    y->group_end[begin] = count;
    for (uint32_t i = begin; i < count; i++) y->group_size[y->member[i]] = (uint8_t)living;
    y->something |= living > 1;
  }
}

static void find_nodes(struct symmetry *y) {
  for (uint32_t slot = 0; slot < y->slots; slot++) y->node[slot] = y->gone[slot] ? NOBODY : canonical_node(&y->canonical, y->place[slot], y->group_size[slot] > 1);
}

/* ---- who goes where ---------------------------------------------------------------------------------------------------------- */

static void sort_moves(struct symmetry *y) { /* few, and often in order */
  struct move *at = y->moves.at;
  for (size_t i = 1; i < y->moves.count; i++) {
    struct move x = at[i];
    size_t k = i;
    for (; k && at[k - 1].colour > x.colour; k--) at[k] = at[k - 1];
    at[k] = x;
  }
}

static void add_move(struct symmetry *y, uint32_t node, uint32_t from) {
  if (vec_push(&y->moves, y->mem, MEM_SEARCH, (struct move){node, from, y->canonical.colour.at[node]})) y->failed = 1;
}

/* Processes take the lowest slots of their group; those at their end keep none. Returns whether somebody moves. */
static int place_processes(struct symmetry *y) {
  int moved = 0;
  for (uint32_t begin = 0, end; begin < y->slots; begin = end) {
    end = y->group_end[begin];
    if (end == begin + 1) {
      y->to[y->member[begin]] = y->gone[y->member[begin]] ? NOBODY : y->member[begin];
      continue;
    }
    y->moves.count = 0;
    for (uint32_t i = begin; i < end; i++) {
      y->to[y->member[i]] = NOBODY;
      if (!y->gone[y->member[i]]) add_move(y, y->node[y->member[i]], y->member[i]);
    }
    if (y->failed) return 0;
    sort_moves(y);
    for (uint32_t i = 0; i < y->moves.count; i++) {
      y->to[y->moves.at[i].from] = y->member[begin + i];
      moved |= y->moves.at[i].from != y->member[begin + i];
    }
  }
  return moved;
}

/* New names of a sort: those of processes go with them, the others that occur take what is left of their block, in order. Names that do not occur take the rest. Returns whether one changes. */
static int rename_sort(struct symmetry *y, uint32_t sort) {
  const struct symmetry_sort *s = &y->sorts.sort[sort];
  uint32_t *renamed = y->renamed + sort * SORT_NAMES;
  uint8_t taken[SORT_NAMES] = {0};
  int changed = 0;
  for (uint32_t a = 0; a < s->names; a++) renamed[a] = NOBODY;
  for (uint32_t slot = 0; s->by_slot && slot < y->slots && slot < s->names; slot++) {
    if (y->sorts.pid[y->type[slot]] != sort || y->node[slot] == NOBODY) continue;
    renamed[slot] = y->to[slot];
    taken[y->to[slot]] = 1;
    changed |= y->to[slot] != slot;
  }
  y->moves.count = 0;
  for (size_t i = 0; i < y->names.count; i++)
    if (y->names.at[i] / SORT_NAMES == sort) add_move(y, y->named[y->names.at[i]].node, y->names.at[i] % SORT_NAMES);
  if (y->failed) return 0;
  sort_moves(y);
  for (size_t i = 0; i < y->moves.count; i++) {
    uint32_t from = y->moves.at[i].from, to = 0;
    while (taken[to] || block_of(y, sort, to) != block_of(y, sort, from)) to++;
    renamed[from] = to;
    taken[to] = 1;
    changed |= to != from;
  }
  for (uint32_t a = 0; a < s->names; a++) /* who is in nobody's way stays, the others take what was left behind */
    if (renamed[a] == NOBODY && !taken[a]) renamed[a] = a, taken[a] = 1;
  for (uint32_t a = 0; changed && a < s->names; a++) {
    if (renamed[a] != NOBODY) continue;
    uint32_t to = 0;
    while (taken[to] || block_of(y, sort, to) != block_of(y, sort, a)) to++;
    renamed[a] = to;
    taken[to] = 1;
  }
  return changed;
}

/* ---- the new state ------------------------------------------------------------------------------------------------------------- */

static inline void put(struct symmetry *y, uint32_t cell, int32_t value) {
  if (y->m->run.cell[cell] == value) return;
  if (vec_push(&y->puts, y->mem, MEM_SEARCH, (struct runtime_write){cell, value})) y->failed = 1;
}

static uint32_t shifted(const struct symmetry *y, uint32_t cell, uint32_t dim, uint32_t dims) {
  for (uint32_t i = dim; i < dim + dims; i++) {
    const struct sight_dim *d = &y->view.dims.at[i];
    cell += (y->renamed[d->sort * SORT_NAMES + d->name] - d->name) * d->stride;
  }
  return cell;
}

static int32_t translated(const struct symmetry *y, struct symmetry_holds holds, int32_t value) {
  uint32_t at, slot;
  if (holds.kind == HOLDS_NAME && (uint32_t)value < y->sorts.sort[holds.sort].names) return (int32_t)y->renamed[holds.sort * SORT_NAMES + (uint32_t)value];
  if (holds.kind != HOLDS_CHANNEL || !find_channel(y, value, &at, &slot)) return value;
  uint32_t number = shifted(y, (uint32_t)value, y->view.chan[at].dim, y->view.chan[at].dims);
  if (slot == NOBODY || y->to[slot] == NOBODY) return (int32_t)number;
  return (int32_t)(number - y->m->slot_chan[slot] + y->m->slot_chan[y->to[slot]]);
}

static void put_cells(struct symmetry *y, uint32_t from, uint32_t to, uint32_t first, uint32_t end, uint32_t state) {
  for (uint32_t i = first; i < end; i++) {
    const struct sight *s = &y->view.sights.at[i];
    put(y, to + shifted(y, s->cell, s->dim, s->dims), forgotten(y, s, state) ? 0 : translated(y, s->holds, y->m->run.cell[from + s->cell]));
  }
}

static void put_channels(struct symmetry *y, uint32_t scope, uint32_t from, uint32_t to, int all) {
  const struct shape *shape = y->sorts.shape;
  if (!all && !y->view.some_chan[scope]) return;
  for (uint32_t i = shape->chan_first[scope]; i < shape->chan_first[scope + 1]; i++) {
    const struct sight_chan *c = &y->view.chan[i];
    if (!c->capacity || (!all && !c->relevant)) continue;
    uint32_t there = shape->chan_first[scope] + shifted(y, i - shape->chan_first[scope], c->dim, c->dims);
    const int32_t *cell = y->m->run.cell + from + c->cell;
    uint32_t target = to + y->view.chan[there].cell;
    put(y, target, cell[0]);
    for (uint32_t k = 0, at = 1; k < c->capacity; k++)
      for (uint32_t f = 0; f < c->fields; f++, at++) put(y, target + at, (int32_t)k < cell[0] ? translated(y, c->holds[f], cell[at]) : 0);
  }
}

/* Nothing is left in a process at its end. */
static void put_nothing(struct symmetry *y, uint32_t slot) {
  uint32_t base = shape_slot(y->sorts.shape, slot), root = y->type[slot] + 1;
  put(y, base + SLOT_PC, (int32_t)y->view.end_state[y->type[slot]]);
  put(y, base + SLOT_PRIORITY, 0);
  for (uint32_t i = y->view.first[root]; i < y->view.last[root]; i++) put(y, base + SLOT_HEADER + y->view.sights.at[i].cell, 0);
}

static void flush(struct symmetry *y) {
  for (size_t i = 0; i < y->puts.count && !y->failed; i++) runtime_put(&y->m->run, y->puts.at[i].cell, y->puts.at[i].old);
  y->puts.count = 0;
}

/* Objects that only those point to who are gone are gone, too: nothing may depend on them. */
static void clear_gone(struct symmetry *y) {
  int any = 0;
  y->puts.count = 0;
  for (uint32_t slot = 0; slot < y->slots; slot++) {
    if (!y->gone[slot]) continue;
    put_nothing(y, slot);
    any = 1;
  }
  flush(y);
  if (any && !y->failed) heap_canonical(y->m);
}

static void put_all(struct symmetry *y) {
  const struct shape *shape = y->sorts.shape;
  const int32_t *cell = y->m->run.cell;
  uint8_t used[MACHINE_SLOTS] = {0};
  y->puts.count = 0;
  int others = y->renames || (y->moved && y->view.channels); /* what is in its place already may hold names */
  if (others) {
    put_cells(y, shape->global, shape->global, y->view.first[0], y->view.last[0], UINT32_MAX);
    put_channels(y, 0, shape->global, shape->global, 0);
  }
  for (uint32_t at = 0; others && at < y->object.count;) {
    uint32_t type = (uint32_t)cell[shape->heap + at] - 1, root = view_heap_root(&y->view, type);
    put_cells(y, shape->heap + at, shape->heap + at, y->view.first[root], y->view.plain[root], UINT32_MAX);
    at += 1 + y->sorts.p->types.at[type].cells;
  }
  for (uint32_t slot = 0; slot < y->slots; slot++) {
    if (y->to[slot] == NOBODY) continue;
    uint32_t root = y->type[slot] + 1, from = shape_slot(shape, slot), to = shape_slot(shape, y->to[slot]);
    int moved = y->to[slot] != slot;
    used[y->to[slot]] = 1;
    if (!moved && !others) continue;
    if (moved) {
      put(y, to + SLOT_PC, cell[from + SLOT_PC]);
      put(y, to + SLOT_PRIORITY, cell[from + SLOT_PRIORITY]);
    }
    put_cells(y, from + SLOT_HEADER, to + SLOT_HEADER, y->view.first[root], y->view.plain[root], state_of(y, slot));
    for (uint32_t i = y->view.plain[root]; moved && i < y->view.last[root]; i++) put(y, to + SLOT_HEADER + y->view.sights.at[i].cell, cell[from + SLOT_HEADER + y->view.sights.at[i].cell]);
    put_channels(y, root, from + SLOT_HEADER, to + SLOT_HEADER, moved);
  }
  for (uint32_t slot = 0; slot < y->slots; slot++)
    if (!used[slot]) put_nothing(y, slot);
  struct runtime *r = &y->m->run;
  flush(y);
  while (r->processes && !used[r->processes - 1]) r->destroy(r);
}

/* ---- the door -------------------------------------------------------------------------------------------------------------------- */

/* Is everything where it belongs already? */
static int finished(struct symmetry *y) {
  int changed = y->moved = place_processes(y);
  y->renames = 0;
  for (uint32_t sort = 0; sort < y->sorts.sorts; sort++)
    if (y->view.used[sort]) y->renames |= rename_sort(y, sort);
  changed |= y->renames;
  for (uint32_t slot = 0; slot < y->slots; slot++) changed |= y->node[slot] == NOBODY;
  return !changed;
}

static enum model_answer pack(struct symmetry *y, struct process_cursor *c, uint32_t *state) {
  const struct process_model *m = process_of(c->base.model);
  uint32_t misfit = packing_update(m->packing, y->m, c->now, y->words.at);
  if (misfit != PACK_FITS) {
    return process_want(c, misfit) ? MODEL_MEMORY : MODEL_WIDEN;
  }
  memcpy(state, y->words.at, m->base.words * sizeof *state);
  return MODEL_OK;
}

/* The image becomes what stands for it, and is packed if it was not that before. */
static enum model_answer replace(struct symmetry *y, struct process_cursor *c, uint32_t *state) {
  canonical_clear(&y->canonical);
  y->same = y->known_slots == y->slots;
  look_ahead(y);
  if (y->failed) return MODEL_MEMORY;
  if (!y->same || (y->sorts.index.count && find_odd(y))) find_groups(y);
  y->known_slots = y->slots;
  if (!y->something && !y->now->open) return MODEL_OK;
  if (y->sorts.shape->heap_cells) clear_gone(y);
  if (y->failed || y->m->failed) return MODEL_MEMORY;
  find_nodes(y);
  symmetry_say_all(y);
  if (!y->something && !y->canonical.movables) return y->failed ? MODEL_MEMORY : MODEL_OK;
  if (y->failed || canonical_order(&y->canonical)) return MODEL_MEMORY;
  int done = finished(y);
  if (y->failed) return MODEL_MEMORY;
  if (done) return MODEL_OK;
  put_all(y);
  if (!y->failed && !y->m->failed) heap_canonical(y->m);
  return y->failed || y->m->failed ? MODEL_MEMORY : pack(y, c, state);
}

static enum model_answer apply(struct model_likeness *l, struct model_cursor *base, uint32_t *state) {
  struct symmetry *y = of(l);
  struct process_cursor *c = (struct process_cursor *)base;
  if (process_load(c, state) || vec_reserve(&y->words, y->mem, MEM_SEARCH, c->base.model->words + 2)) return MODEL_MEMORY;
  y->m = &c->machine;
  y->slots = c->machine.run.processes;
  y->failed = 0;
  y->names.count = 0;
  y->serial++;
  y->m->run.logged = 0;
  enum model_answer answer = replace(y, c, state);
  machine_undo(y->m, 0);
  if (y->m->restructured) machine_recount(y->m);
  if (y->m->failed) c->loaded = 0;
  y->m->failed = 0;
  return answer;
}

static void close_symmetry(struct model_likeness *l) {
  if (!l) return;
  struct symmetry *y = of(l);
  struct mem *mem = y->mem;
  symmetry_view_close(&y->view);
  slice_facts_close(&y->facts);
  symmetry_sorts_close(&y->sorts);
  canonical_close(&y->canonical);
  mem_free(mem, y->ahead);
  for (unsigned i = 0; i < BLOCKS_KEPT; i++) close_blocks(y->kept[i], mem);
  mem_free(mem, y->beyond);
  mem_free(mem, y->odd);
  mem_free(mem, y->named);
  mem_free(mem, y->renamed);
  vec_free(&y->names, mem);
  vec_free(&y->object, mem);
  vec_free(&y->puts, mem);
  vec_free(&y->moves, mem);
  vec_free(&y->words, mem);
  mem_free(mem, y);
}

static int open_symmetry(struct model_likeness **out, const struct model *base, const struct model_aims *aims, struct mem *mem, char *why, size_t room) {
  const struct process_model *m = process_of(base);
  struct symmetry *y = mem_alloc(mem, MEM_SEARCH, sizeof *y);
  if (room) why[0] = 0;
  if (!y) return -1;
  y->base.type = &process_symmetry;
  y->mem = y->canonical.mem = mem;
  y->sliced = aims->sliced;
  int status = symmetry_sorts_open(&y->sorts, m, aims, mem, why, room);
  if (!status) {
    size_t names = (size_t)y->sorts.sorts * SORT_NAMES + 1;
    y->ahead = mem_alloc(mem, MEM_SEARCH, y->sorts.words * sizeof *y->ahead);
    y->beyond = mem_alloc(mem, MEM_SEARCH, y->sorts.sorts + 1);
    y->odd = mem_alloc(mem, MEM_SEARCH, y->sorts.sorts + 1);
    y->named = mem_alloc(mem, MEM_SEARCH, names * sizeof *y->named);
    y->renamed = mem_alloc(mem, MEM_SEARCH, names * sizeof *y->renamed);
    if (!y->ahead || !y->beyond || !y->odd || !y->named || !y->renamed || symmetry_view_open(&y->view, &y->sorts)) status = -1;
  }
  if (!status && y->sliced && slice_facts_open(&y->facts, m, aims, mem)) status = -1;
  if (!status) status = symmetry_tell(y, why, room);
  if (status) close_symmetry(&y->base);
  else *out = &y->base;
  return status;
}

const struct model_likeness_type process_symmetry = {.name = "symmetry", .open = open_symmetry, .apply = apply, .close = close_symmetry};
