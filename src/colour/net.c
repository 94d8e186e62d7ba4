/* net.c -- from a drawing to a flat net.
 *
 *   declarations -> colour sets and variables (ml)
 *   flatten.c    -> places; each gets its colour set and its initial marking
 *   each page    -> transitions, checked once (net_transition.c), copied for each instance
 *   plan.c       -> how each transition binds its variables
 *
 * The members of a flat place (sockets, ports, fusion places) must have colour sets of the same type.  Its initial marking is that of the first member that has
 * one; ports that have a socket do not count, whatever their files say: CPN Tools keeps what once stood there. */
#include "colour/net_build.h"

#include "base/near.h"
#include "ml/references.h"
#include "model/owners.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------------------------------------------- */

/* Page'Name, and from the second instance on its number; where nobody has named the page (drawing.h: symmetric), the name. */
static const char *full_name(struct net *net, const struct flat_instance *i, const char *name) {
  char page[200], own[200], text[460];
  const char *page_name = net->drawing->pages.at[i->page].name;
  flat_clean_name(page, sizeof page, page_name, strlen(page_name));
  flat_clean_name(own, sizeof own, name, strlen(name));
  if (net->drawing->symmetric) return arena_strndup(&net->arena, own, strlen(own));
  int n = i->number > 1 ? snprintf(text, sizeof text, "%s'%s %u", page, own, i->number) : snprintf(text, sizeof text, "%s'%s", page, own);
  return arena_strndup(&net->arena, text, (size_t)n);
}

/* A name that people write, taken apart: page (may be empty), own name, number of the instance (0 = not said). */
struct asked {
  char page[200], own[200];
  uint32_t number;
};

static void take_apart(struct asked *a, const char *name, size_t length) {
  size_t end = length, mark;
  *a = (struct asked){.number = 0};
  while (end && isspace((unsigned char)name[end - 1])) end--;
  for (mark = end; mark && isdigit((unsigned char)name[mark - 1]);) mark--;
  if (mark < end && mark && isspace((unsigned char)name[mark - 1]) && end - mark < 8) {
    for (size_t i = mark; i < end; i++) a->number = a->number * 10 + (uint32_t)(name[i] - '0');
    end = mark;
  }
  const char *quote = memchr(name, '\'', end);
  size_t before = quote ? (size_t)(quote - name) : 0;
  if (quote) flat_clean_name(a->page, sizeof a->page, name, before);
  flat_clean_name(a->own, sizeof a->own, quote ? quote + 1 : name, quote ? end - before - 1 : end);
}

static int fits(const struct net *net, const struct asked *a, const struct flat_instance *i, const char *name) {
  char text[200];
  const char *page = net->drawing->pages.at[i->page].name;
  if (a->number && a->number != i->number) return 0;
  if (strcmp(flat_clean_name(text, sizeof text, name, strlen(name)), a->own) != 0) return 0;
  return !a->page[0] || strcmp(flat_clean_name(text, sizeof text, page, strlen(page)), a->page) == 0;
}

static int64_t settle(int64_t found, int64_t next) { return found == -1 || found == next ? next : -2; }

static int is(const char *text, const char *name, size_t length) { return strncmp(text, name, length) == 0 && !text[length]; }

/* Nodes of a symmetric net are known by their ids as well, which come first. -1: it is none. */
static int64_t place_by_id(const struct net *net, const char *name, size_t length) {
  const struct drawing_page *page = &net->drawing->pages.at[0];
  for (size_t i = 0; net->drawing->symmetric && i < page->places.count; i++)
    if (is(page->places.at[i].id, name, length)) return (int64_t)i;
  return -1;
}

static int64_t transition_by_id(const struct net *net, const char *name, size_t length) {
  const struct drawing_page *page = &net->drawing->pages.at[0];
  for (size_t i = 0; net->drawing->symmetric && i < page->transitions.count; i++)
    if (is(page->transitions.at[i].id, name, length)) return (int64_t)i;
  return -1;
}

int64_t net_find_place(const struct net *net, const char *name, size_t length) {
  struct asked a, whole;
  int64_t found = place_by_id(net, name, length);
  if (found >= 0) return found;
  for (size_t p = 0; p < net_drawn_places(net); p++)
    if (is(net->places.at[p].name, name, length)) return (int64_t)p;
  take_apart(&a, name, length);
  flat_clean_name(whole.own, sizeof whole.own, name, length); /* names may have quotes of their own */
  whole.page[0] = 0;
  whole.number = 0;
  if (a.page[0] && !a.number) a.number = 1; /* Page'Place is that of the first instance */
  for (uint32_t node = 0; node < net->flat.node_place.count; node++) {
    const struct flat_instance *i = &net->flat.instances.at[net->flat.node_instance.at[node]];
    const char *own = flat_drawn(&net->flat, net->drawing, node)->name;
    if (fits(net, &a, i, own) || fits(net, &whole, i, own)) found = settle(found, net->flat.node_place.at[node]);
  }
  for (size_t p = net_drawn_places(net); found == -1 && p < net->places.count; p++)
    if (is(net->places.at[p].name, name, length)) found = (int64_t)p;
  return found;
}

int64_t net_find_transition(const struct net *net, const char *name, size_t length) {
  struct asked a;
  int64_t found = transition_by_id(net, name, length);
  char clean[200];
  if (found >= 0) return found;
  flat_clean_name(clean, sizeof clean, name, length);
  take_apart(&a, name, length);
  for (size_t t = 0; t < net->transitions.count; t++) {
    const char *full = net->transitions.at[t].name, *quote = net->drawing->symmetric ? NULL : strchr(full, '\'');
    char own[260];
    if (strlen(full) == length && memcmp(full, name, length) == 0) return (int64_t)t;
    snprintf(own, sizeof own, "%s", quote ? quote + 1 : full);
    if (!a.page[0] || strcmp(own, clean) == 0) {
      if (strcmp(own, clean) == 0) found = settle(found, (int64_t)t);
    } else if (a.number == 1) {
      char first[460];
      snprintf(first, sizeof first, "%s'%s", a.page, a.own);
      if (strcmp(full, first) == 0) return (int64_t)t;
    }
  }
  return found;
}

int net_local(const struct net_transition *t, uint32_t variable) {
  for (uint32_t i = 0; i < t->variables; i++)
    if (t->variable[i]->number == variable) return (int)i;
  return -1;
}

int net_choice(const struct net *net, const struct net_transition *t, uint32_t place) {
  for (uint32_t i = 0; i < t->arcs; i++) {
    const struct net_arc *a = &net->arcs.at[t->arc + i];
    if (a->place == place && (a->kind == DRAWING_TO_TRANSITION || a->kind == DRAWING_TEST) && a->variables) return 1;
  }
  return 0;
}

enum ml_answer net_run(struct net *net, const struct net_transition *t, const struct ml_code *code, const uint32_t *env, uint64_t known,
                       int64_t now, ml_value *out) {
  for (uint64_t left = known; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    net->variable[t->variable[i]->number] = values_word(&net->values, env[i]);
  }
  return ml_run(net->machine, code, net->variable, now, out);
}

/* ---- declarations ----------------------------------------------------------------------------------------------------------------- */

static int declare(struct net_builder *b) {
  struct net *net = b->net;
  char where[200];
  for (size_t i = 0; i < b->setup->defines; i++) {
    const struct colour_override *o = &b->setup->define[i];
    snprintf(where, sizeof where, "--define %.100s", o->name);
    struct ml_text text = {o->value, strlen(o->value), {"--define", 1, 1}, where};
    const char *name = ml_name(net->ml, o->name, strlen(o->name));
    if (!name) return err_memory(b->e, "the net");
    if (ml_override(net->ml, name, &text, b->e)) return -1;
  }
  /* lenient, as CPN Tools is: a declaration that is wrong and that nobody uses does no harm */
  size_t count = net->drawing->declarations.count, refused = 0;
  struct ml_text *texts = mem_alloc(net->mem, MEM_MODEL, (count + 1) * sizeof *texts);
  if (!texts) return err_memory(b->e, "the net");
  for (size_t i = 0; i < count; i++) {
    const struct drawing_text *d = &net->drawing->declarations.at[i].text;
    texts[i] = (struct ml_text){d->text, d->length, d->place, NULL};
  }
  ml_home(net->ml, net->drawing->file);
  ml_missing(net->ml, net->drawing->missing);
  int status = ml_declare_all(net->ml, texts, count, 1, &refused, b->e);
  if (!status) err_clear(b->e);
  mem_free(net->mem, texts);
  for (size_t i = 0; i < net->drawing->shown.count && !status; i++) {
    const struct drawing_shown *shown = &net->drawing->shown.at[i];
    const char *name = ml_name(net->ml, shown->colset, strlen(shown->colset));
    const struct ml_colset *c = name ? ml_find_colset(net->ml, name) : NULL;
    if (c) ml_show_as(c, shown->constant);
  }
  for (size_t i = 0; i < ml_refusals(net->ml) && !status; i++) {
    const struct ml_refusal *r = ml_refusal(net->ml, i);
    if (r->more) continue; /* the last of its names is told */
    if (r->again) status = net_warn(b, r->place, "%s: %s", r->name, r->why);
    else status = r->name ? net_warn(b, r->place, "the declaration of %s is left out: %s", r->name, r->why) : net_warn(b, r->place, "a declaration is left out: %s", r->why);
  }
  return status;
}

/* ---- places ------------------------------------------------------------------------------------------------------------------------- */

const struct ml_colset *net_colset(struct net_builder *b, const struct drawing_page *page, const struct drawing_place *place) {
  char name[120], on[120], shown[80];
  const char *text = place->colset.text;
  size_t length = place->colset.length;
  while (length && isspace((unsigned char)*text)) text++, length--;
  while (length && isspace((unsigned char)text[length - 1])) length--;
  const char *wanted = length ? ml_name(b->net->ml, text, length) : ml_name(b->net->ml, "UNIT", 4);
  const struct ml_colset *c = wanted ? ml_find_colset(b->net->ml, wanted) : NULL;
  if (!c && !length && (wanted = ml_name(b->net->ml, "unit", 4))) c = ml_find_colset(b->net->ml, wanted); /* everybody's */
  if (c) return c;
  flat_clean_name(name, sizeof name, place->name, strlen(place->name));
  flat_clean_name(on, sizeof on, page->name, strlen(page->name));
  if (!wanted) err_memory(b->e, "the net");
  else if (length) {
    const struct ml_refusal *r = ml_refusal_of(b->net->ml, wanted);
    err_quote(shown, sizeof shown, text, length);
    char line[160];
    if (r) err_input(b->e, place->colset.place, "page %s, place %s: the declaration of colour set \"%s\" was refused (%s): %s", on, name, shown, ml_line(b->net->ml, r->place, line, sizeof line), r->why);
    else err_input(b->e, place->colset.place, "page %s, place %s: there is no colour set \"%s\"", on, name, shown);
  }
  else err_input(b->e, place->place, "page %s, place %s has no colour set", on, name);
  return NULL;
}

static int refuse_pair(struct net_builder *b, uint32_t one, uint32_t other) {
  struct net *net = b->net;
  const struct flat_instance *i = &net->flat.instances.at[net->flat.node_instance.at[one]];
  const struct flat_instance *j = &net->flat.instances.at[net->flat.node_instance.at[other]];
  const struct drawing_place *p = flat_drawn(&net->flat, net->drawing, one), *q = flat_drawn(&net->flat, net->drawing, other);
  const char *x = full_name(net, i, p->name), *y = full_name(net, j, q->name);
  if (!x || !y) return err_memory(b->e, "the net");
  return err_input(b->e, q->colset.place, "%s and %s are one place (port and socket, or fusion set), but their colour sets %.*s and %.*s differ", x, y,
                   (int)(p->colset.length < 60 ? p->colset.length : 60), p->colset.text, (int)(q->colset.length < 60 ? q->colset.length : 60),
                   q->colset.text);
}

static int make_places(struct net_builder *b) {
  struct net *net = b->net;
  struct flat *f = &net->flat;
  for (size_t p = 0; p < f->place_node.count; p++)
    if (vec_push(&net->places, net->mem, MEM_MODEL, (struct net_place){0})) return err_memory(b->e, "the net");
  for (uint32_t node = 0; node < f->node_place.count; node++) {
    struct net_place *p = &net->places.at[f->node_place.at[node]];
    const struct flat_instance *i = &f->instances.at[f->node_instance.at[node]];
    const struct drawing_place *drawn = flat_drawn(f, net->drawing, node);
    const struct ml_colset *colset = net_colset(b, &net->drawing->pages.at[i->page], drawn);
    if (!colset) return -1;
    if (p->colset) {
      if (p->colset != colset && (!inscription_same_type(p->colset->type, colset->type) || p->colset->timed != colset->timed))
        return refuse_pair(b, f->place_node.at[f->node_place.at[node]], node);
      continue;
    }
    p->colset = colset;
    p->at = drawn->place;
    p->name = full_name(net, i, drawn->name);
    net->timed |= colset->timed;
    if (!p->name || bags_open(&p->markings, &net->values, net->mem, colset->timed) ||
        bags_open(&p->effects, &net->values, net->mem, colset->timed) || bags_put(&p->effects, NULL, 0) == BAGS_NONE)
      return err_memory(b->e, "the net");
    p->markings.real_time = p->effects.real_time = net->real_time;
  }
  return 0;
}

/* ---- initial markings ------------------------------------------------------------------------------------------------------------------ */

/* Evaluates the text of a marking; the words are in net->scratch. */
static int evaluate(struct net_builder *b, struct net_place *p, const struct ml_text *text) {
  struct net *net = b->net;
  const struct ml_expr *tree;
  const struct ml_code *code;
  ml_value value;
  char fault[300] = "";
  if (ml_check(&tree, net->ml, text, ML_WANT_MULTISET, p->colset, b->e)) return -1;
  if (ml_free_variables(tree, NULL, 0)) return err_input(b->e, text->place, "%s: it speaks of variables, which have no value there", text->where);
  if (ml_compile(&code, net->ml, tree, ML_WANT_MULTISET, p->colset, b->e)) return -1;
  enum ml_answer answer = ml_run(net->machine, code, net->variable, 0, &value);
  uint32_t status = answer == ML_OK ? bag_from_value(&p->markings, value, 0, &net->scratch) : 0;
  if (answer == ML_STEPS) snprintf(fault, sizeof fault, "it seems not to end");
  else if (answer != ML_OK) snprintf(fault, sizeof fault, "%.250s", ml_machine_fault(net->machine));
  else if (status == BAGS_LATE) snprintf(fault, sizeof fault, "a time stamp is beyond all that a clock shows");
  else if (status == BAGS_MANY) snprintf(fault, sizeof fault, "more tokens than can be counted");
  for (size_t i = 0; !fault[0] && answer == ML_OK && i < net->scratch.count; i += p->markings.each)
    if (ml_belongs(net->machine, p->colset, values_word(&net->values, net->scratch.at[i])) != 1) {
      char shown[120];
      ml_print(p->colset, values_word(&net->values, net->scratch.at[i]), shown, sizeof shown);
      snprintf(fault, sizeof fault, "%s does not belong to colour set %s", shown, p->colset->name);
    }
  ml_machine_clear(net->machine);
  if (answer == ML_MEMORY || status == BAGS_NONE) return err_memory(b->e, "an initial marking");
  return fault[0] ? err_input(b->e, text->place, "%s: %s", text->where, fault) : 0;
}

static int put_initial(struct net_builder *b, struct net_place *p) {
  return bags_put(&p->markings, b->net->scratch.at, b->net->scratch.count) == BAGS_NONE ? err_memory(b->e, "an initial marking") : 0;
}

static const char *place_called(const struct net *net, size_t i) { return net->places.at[i].name; }

static int override_markings(struct net_builder *b) {
  struct net *net = b->net;
  for (size_t i = 0; i < b->setup->markings; i++) {
    const struct colour_override *o = &b->setup->marking[i];
    char shown[80], where[160];
    int64_t found = net_find_place(net, o->name, strlen(o->name));
    err_quote(shown, sizeof shown, o->name, strlen(o->name));
    if (found == -2) return err_usage(b->e, "--marking: several places are called \"%s\"; write Page'Place, or Page'Place 2", shown);
    if (found < 0) {
      struct near near;
      err_usage(b->e, "--marking: the net has no place \"%s\"", shown);
      near_open(&near, o->name, strlen(o->name));
      for (size_t p = 0; p < net->places.count; p++) {
        near_offer(&near, place_called(net, p));
        const char *own = strchr(place_called(net, p), '\'');
        if (own) near_offer(&near, own + 1);
      }
      const char *best = near_best(&near);
      if (best) err_hint(b->e, "did you mean \"%s\"?", err_quote(shown, sizeof shown, best, strlen(best)));
      return -1;
    }
    struct net_place *p = &net->places.at[found];
    if (bags_count(&p->markings)) return err_usage(b->e, "--marking: the place \"%s\" is given two markings", shown);
    snprintf(where, sizeof where, "--marking %s", shown);
    struct ml_text text = {o->value, strlen(o->value), {"--marking", 1, 1}, where};
    if (evaluate(b, p, &text) || put_initial(b, p)) return -1;
  }
  return 0;
}

static int initial_markings(struct net_builder *b) {
  struct net *net = b->net;
  struct flat *f = &net->flat;
  if (override_markings(b)) return -1;
  uint8_t *given = mem_alloc(net->mem, MEM_MODEL, net->places.count + 1);
  int status = given ? 0 : err_memory(b->e, "the net");
  for (size_t p = 0; given && p < net->places.count; p++) given[p] = bags_count(&net->places.at[p].markings) > 0;
  for (uint32_t node = 0; node < f->node_place.count && !status; node++) {
    struct net_place *p = &net->places.at[f->node_place.at[node]];
    const struct drawing_place *drawn = flat_drawn(f, net->drawing, node);
    char where[600];
    size_t blank = 0;
    while (blank < drawn->initial.length && isspace((unsigned char)drawn->initial.text[blank])) blank++;
    if (given[f->node_place.at[node]] || f->node_glued.at[node] || blank == drawn->initial.length) continue;
    given[f->node_place.at[node]] = 1;
    char page[120], name[120];
    const char *on = net->drawing->pages.at[f->instances.at[f->node_instance.at[node]].page].name;
    snprintf(where, sizeof where, "page %s, place %s, initial marking", flat_clean_name(page, sizeof page, on, strlen(on)),
             flat_clean_name(name, sizeof name, drawn->name, strlen(drawn->name)));
    struct ml_text text = {drawn->initial.text, drawn->initial.length, drawn->initial.place, where};
    status = evaluate(b, p, &text);
    if (!status) status = put_initial(b, p);
    else if (ml_lacks(net->ml)) status = net_leave_out(b, "the marking is left out, and the place is empty");
  }
  for (size_t p = 0; p < net->places.count && !status; p++) {
    net->scratch.count = 0;
    if (!bags_count(&net->places.at[p].markings)) status = put_initial(b, &net->places.at[p]);
  }
  mem_free(net->mem, given);
  return status;
}

/* ---- transitions ------------------------------------------------------------------------------------------------------------------------ */

static int copy_transition(struct net_builder *b, const struct flat_instance *i, const struct net_prototype *p) {
  struct net *net = b->net;
  struct net_transition t = p->transition;
  const struct drawing_transition *drawn = &net->drawing->pages.at[i->page].transitions.at[p->on_page];
  t.name = full_name(net, i, drawn->name);
  t.owner = drawn->owned ? owner_said(drawn->owned) : owner_by_name(drawn->name);
  t.arc = (uint32_t)net->arcs.count;
  t.instance = (uint32_t)(i - net->flat.instances.at);
  t.on_page = (uint32_t)p->on_page;
  if (!t.name) return err_memory(b->e, "the net");
  for (size_t a = 0; a < p->arcs.count; a++) {
    struct net_arc arc = p->arcs.at[a];
    arc.place = arc.place & NET_REFERENCE ? (uint32_t)net->reference_place[arc.place & ~NET_REFERENCE] : net->flat.node_place.at[i->node + arc.place];
    if (vec_push(&net->arcs, net->mem, MEM_MODEL, arc)) return err_memory(b->e, "the net");
  }
  return vec_push(&net->transitions, net->mem, MEM_MODEL, t) ? err_memory(b->e, "the net") : 0;
}

/* All pages are checked in their order; instances are then made in theirs. */
static int make_transitions(struct net_builder *b) {
  struct net *net = b->net;
  const struct drawing *d = net->drawing;
  size_t *first = mem_alloc(net->mem, MEM_MODEL, (d->pages.count + 2) * sizeof *first);
  int status = first ? 0 : err_memory(b->e, "the net");
  for (size_t page = 0; page < d->pages.count && !status; page++) {
    b->page = &d->pages.at[page];
    first[page] = b->prototypes.count;
    b->colset = arena_alloc(&net->arena, (b->page->places.count + 1) * sizeof *b->colset);
    if (!b->colset) status = err_memory(b->e, "the net");
    for (size_t p = 0; p < b->page->places.count && !status; p++)
      if (!(b->colset[p] = net_colset(b, b->page, &b->page->places.at[p]))) status = -1;
    if (!status) status = net_check_page(b);
    first[page + 1] = b->prototypes.count;
  }
  if (!status) status = net_finish(b);
  for (size_t i = 0; i < net->flat.instances.count && !status; i++) {
    const struct flat_instance *at = &net->flat.instances.at[i];
    for (size_t p = first[at->page]; p < first[at->page + 1] && !status; p++) status = b->prototypes.at[p].left_out ? 0 : copy_transition(b, at, &b->prototypes.at[p]);
  }
  mem_free(net->mem, first);
  return status;
}

static int make_plans(struct net_builder *b) {
  struct net *net = b->net;
  uint32_t *tokens = mem_alloc(net->mem, MEM_MODEL, (net->places.count + 1) * sizeof *tokens);
  int status = tokens ? 0 : err_memory(b->e, "the net");
  for (size_t p = 0; tokens && p < net->places.count; p++) /* before anybody has looked, places that are empty count as if they had a few */
    tokens[p] = (uint32_t)(bags_at(&net->places.at[p].markings, 0).words / net->places.at[p].markings.each) + (bags_at(&net->places.at[p].markings, 0).words ? 0 : 4);
  for (size_t t = 0; t < net->transitions.count && !status; t++) {
    status = net_plan(net, &net->transitions.at[t], tokens, b->e);
    net->prioritised |= net->transitions.at[t].priority != net->transitions.at[0].priority;
  }
  mem_free(net->mem, tokens);
  return status;
}

/* ---- opening ------------------------------------------------------------------------------------------------------------------------------ */

int net_open(struct net **out, struct drawing *drawing, const struct colour_setup *setup, struct mem *mem, struct err *e) {
  struct net *net = mem_alloc(mem, MEM_MODEL, sizeof *net);
  *out = NULL;
  if (!net) {
    drawing_close(drawing);
    return err_memory(e, "the net");
  }
  net->mem = mem;
  net->drawing = drawing;
  arena_open(&net->arena, mem, MEM_MODEL);
  struct net_builder b = {.net = net, .setup = setup, .e = e};
  int status = ml_open(&net->ml, mem, e);
  if (!status && values_open(&net->values, mem)) status = err_memory(e, "the net");
  net->real_time = drawing->real_time;
  if (!status && net->real_time) status = ml_real_time(net->ml, e);
  if (!status && setup->draws) ml_draw(net->ml, setup->seed);
  if (!status) status = declare(&b) || ml_machine_open(&net->machine, net->ml, mem, e) ? -1 : 0;
  net->step_limit = setup->step_limit ? setup->step_limit : 10000000;
  if (!status) ml_machine_limit(net->machine, net->step_limit);
  if (!status && !(net->variable = mem_alloc(mem, MEM_MODEL, ((size_t)ml_variables(net->ml) + 2 * ML_REFERENCES + 1) * sizeof *net->variable)))
    status = err_memory(e, "the net");
  if (!status)
    status = flatten(&net->flat, drawing, mem, e) || make_places(&b) || initial_markings(&b) || make_transitions(&b) || make_plans(&b) ? -1 : 0;
  net_forget_prototypes(&b);
  vec_free(&b.prototypes, mem);
  if (status) {
    net_close(net);
    return -1;
  }
  *out = net;
  return 0;
}

void net_close(struct net *net) {
  if (!net) return;
  struct mem *mem = net->mem;
  for (size_t p = 0; p < net->places.count; p++) {
    bags_close(&net->places.at[p].markings);
    bags_close(&net->places.at[p].effects);
  }
  for (size_t s = 0; s < net->slices.count; s++) {
    bags_close(&net->slices.at[s].markings);
    bags_close(&net->slices.at[s].effects);
  }
  for (size_t t = 0; t < net->transitions.count; t++) vec_free(&net->transitions.at[t].plan, mem);
  vec_free(&net->slices, mem);
  vec_free(&net->places, mem);
  vec_free(&net->transitions, mem);
  vec_free(&net->arcs, mem);
  vec_free(&net->conditions, mem);
  vec_free(&net->scratch, mem);
  vec_free(&net->warnings, mem);
  mem_free(mem, net->variable);
  values_close(&net->values);
  ml_machine_close(net->machine);
  ml_close(net->ml);
  flat_close(&net->flat);
  arena_close(&net->arena);
  drawing_close(net->drawing);
  mem_free(mem, net);
}
