/* net.c -- nets as drawings: pages with places, transitions and arcs, each tied to the variable or group of the model that it is.
 *
 * Positions are those of the file where it has them for all nodes of a page; otherwise the page is laid out (draw.h), from left to right.  Here x grows to the right and y
 * downwards, whatever the file does.  Positions of place/transition nets are for nodes of no size: they are spread so that names have room.
 *
 * A coloured net has a page for each instance; a place that several pages show is one variable on all of them. */
#include "explore/requests.h"

#include "colour/colour.h"
#include "colour/flatten.h"
#include "explore/draw.h"
#include "net/pt_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACED = 4000, MOST_LAID = 600, NAME_SHOWN = 22, CIRCLES = 12 /* one arc in so many leads back */ };

static const double letter = 6.6, place_size = 34, transition_width = 44, transition_height = 26;

enum arc_kind { ARC_IN, ARC_OUT, ARC_BOTH, ARC_INHIBITOR, ARC_RESET };

struct view_node {
  int transition;
  const char *name, *type, *note; /* type: of a place's colours; note: guard, or NULL */
  size_t type_length, note_length;
  int64_t number; /* variable or group; -1 = a substitution transition */
  int64_t page;   /* of a substitution transition: which page; -1 = none */
  double x, y, width, height;
};

struct view_arc {
  uint32_t place, transition; /* nodes */
  enum arc_kind kind;
  const char *text;
  size_t length;
  uint32_t weight; /* 0 = the text tells */
  size_t bend, bends;
};

struct net_view {
  struct mem *mem;
  const char *name;
  uint32_t number; /* of the instance, from 1 */
  struct vec(struct view_node) nodes;
  struct vec(struct view_arc) arcs;
  struct vec(struct draw_point) points;
  int placed;
};

static void view_close(struct net_view *v) {
  vec_free(&v->nodes, v->mem);
  vec_free(&v->arcs, v->mem);
  vec_free(&v->points, v->mem);
}

/* ---- positions ------------------------------------------------------------------------------------------------------------- */

static double label_width(const char *name) {
  size_t n = strlen(name);
  return letter * (double)(n < NAME_SHOWN ? n : NAME_SHOWN);
}

/* Much of it leads back: layers would be a thin strip with long lines. */
static int runs_in_circles(const struct draw *d) {
  uint32_t back = 0;
  for (uint32_t i = 0; i < d->edges; i++) back += d->node[d->edge[i].from].layer >= d->node[d->edge[i].to].layer;
  return back * CIRCLES > d->edges;
}

static int lay_out(struct net_view *v, struct err *e) {
  size_t n = v->nodes.count;
  int coloured = v->arcs.count && !v->arcs.at[0].weight; /* arcs have texts */
  struct draw d = {.mem = v->mem, .nodes = (uint32_t)n, .edges = (uint32_t)v->arcs.count, .gap = 26, .layer_gap = coloured ? 96 : 44};
  d.node = mem_alloc(v->mem, MEM_OTHER, (n + 1) * sizeof *d.node);
  d.edge = mem_alloc(v->mem, MEM_OTHER, (v->arcs.count + 1) * sizeof *d.edge);
  int bad = d.node && d.edge ? 0 : err_memory(e, "a drawing of the net");
  for (size_t i = 0; i < n && !bad; i++) { /* layers are columns: what is width there is height here */
    const struct view_node *at = &v->nodes.at[i];
    double name = label_width(at->name);
    d.node[i] = (struct draw_node){.width = at->height + (at->transition ? 8 : 22), .height = at->transition || name < at->width ? at->width : name, .layer = -1};
  }
  for (size_t i = 0; i < v->arcs.count && !bad; i++) {
    const struct view_arc *a = &v->arcs.at[i];
    d.edge[i] = a->kind == ARC_OUT ? (struct draw_edge){.from = a->transition, .to = a->place} : (struct draw_edge){.from = a->place, .to = a->transition};
  }
  if (!bad && draw_layers(&d)) bad = err_memory(e, "a drawing of the net");
  if (!bad && runs_in_circles(&d)) {
    d.layer_gap = coloured ? 150 : 88;
    for (size_t i = 0; i < n; i++) { /* rows and columns change places again below */
      double width = d.node[i].width;
      d.node[i].width = d.node[i].height, d.node[i].height = width;
    }
    if (draw_stress(&d)) bad = err_memory(e, "a drawing of the net");
    for (size_t i = 0; i < n && !bad; i++) {
      double x = d.node[i].x;
      d.node[i].x = d.node[i].y, d.node[i].y = x;
    }
  }
  for (size_t i = 0; i < n && !bad; i++) v->nodes.at[i].x = d.node[i].y, v->nodes.at[i].y = d.node[i].x;
  v->points.count = 0;
  for (size_t i = 0; i < v->arcs.count && !bad; i++) {
    struct view_arc *a = &v->arcs.at[i];
    a->bend = v->points.count;
    a->bends = d.edge[i].bends;
    for (size_t k = 0; k < a->bends && !bad; k++) {
      const struct draw_point *p = &d.points.at[d.edge[i].bend + k];
      if (vec_push(&v->points, v->mem, MEM_OTHER, (struct draw_point){p->y, p->x})) bad = err_memory(e, "a drawing of the net");
    }
  }
  vec_free(&d.points, v->mem);
  mem_free(v->mem, d.node);
  mem_free(v->mem, d.edge);
  return bad;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* How much two nodes must be drawn apart so that neither they nor the names below them touch. */
static double needed_scale(const struct view_node *a, const struct view_node *b, double dx, double dy) {
  double wide = (a->width + b->width) / 2 + 14, high = (a->height + b->height) / 2 + (a->transition && b->transition ? 14 : 26);
  return fmin(dx > 0 ? wide / dx : INFINITY, dy > 0 ? high / dy : INFINITY);
}

/* Nodes of no size: the net is spread until nearly every node is clear of its neighbours. 1: nodes lie on each other, which is no drawing. */
static int spread(struct net_view *v, struct err *e) {
  size_t n = v->nodes.count, same = 0;
  if (n < 2) return 0;
  double *need = mem_alloc(v->mem, MEM_OTHER, n * sizeof *need);
  if (!need) return err_memory(e, "a drawing of the net");
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      double dx = fabs(v->nodes.at[i].x - v->nodes.at[k].x), dy = fabs(v->nodes.at[i].y - v->nodes.at[k].y);
      if (i == k) continue;
      if (dx < 1 && dy < 1) need[i] = INFINITY;
      else if (need[i] < INFINITY) need[i] = fmax(need[i], needed_scale(&v->nodes.at[i], &v->nodes.at[k], dx, dy));
    }
  for (size_t i = 0; i < n; i++) same += need[i] == INFINITY;
  qsort(need, n, sizeof *need, by_size);
  double scale = need[(n - same ? n - same - 1 : 0) * 98 / 100] * 1.1; /* a few that are drawn too near are no reason to tear the rest apart */
  mem_free(v->mem, need);
  if (same * 4 > n || !(scale > 0)) return 1;
  for (size_t i = 0; i < n; i++) v->nodes.at[i].x *= scale, v->nodes.at[i].y *= scale;
  return 0;
}

/* The nodes have their places, those of the file or others. `points`: the file's are for nodes of no size. 0, -1 with err, or 1: these are more nodes than are laid out. */
static int settle(struct net_view *v, int points, struct err *e) {
  int crowded = v->placed && points ? spread(v, e) : 0;
  if (crowded < 0) return -1;
  if (crowded) v->placed = 0;
  return v->placed ? 0 : v->nodes.count > MOST_LAID ? 1 : lay_out(v, e);
}

/* ---- place/transition nets -------------------------------------------------------------------------------------------------- */

static int pt_arcs(struct net_view *v, const struct pt_net *net, struct err *e) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    uint32_t post = net->post_start[t];
    for (uint32_t i = net->pre_start[t]; i < net->pre_start[t + 1]; i++) {
      struct view_arc a = {.place = net->pre[i].place, .transition = net->places + t, .kind = ARC_IN, .weight = net->pre[i].weight};
      while (post < net->post_start[t + 1] && net->post[post].place < net->pre[i].place) post++;
      if (post < net->post_start[t + 1] && net->post[post].place == net->pre[i].place && net->post[post].weight == net->pre[i].weight) a.kind = ARC_BOTH;
      if (vec_push(&v->arcs, v->mem, MEM_OTHER, a)) return err_memory(e, "a drawing of the net");
    }
    uint32_t pre = net->pre_start[t];
    for (uint32_t i = net->post_start[t]; i < net->post_start[t + 1]; i++) {
      while (pre < net->pre_start[t + 1] && net->pre[pre].place < net->post[i].place) pre++;
      if (pre < net->pre_start[t + 1] && net->pre[pre].place == net->post[i].place && net->pre[pre].weight == net->post[i].weight) continue;
      struct view_arc a = {.place = net->post[i].place, .transition = net->places + t, .kind = ARC_OUT, .weight = net->post[i].weight};
      if (vec_push(&v->arcs, v->mem, MEM_OTHER, a)) return err_memory(e, "a drawing of the net");
    }
  }
  return 0;
}

static int pt_view_net(struct net_view *v, const struct pt_net *net, struct err *e) {
  v->name = net->name && *net->name ? net->name : "net";
  v->number = 1;
  v->placed = net->place_xy && net->transition_xy;
  for (uint32_t i = 0; i < net->places + net->transitions; i++) {
    int t = i >= net->places;
    uint32_t k = t ? i - net->places : i;
    struct view_node n = {.transition = t, .name = t ? net->transition_name[k] : net->place_name[k], .number = k, .page = -1, .width = t ? transition_width : place_size, .height = t ? transition_height : place_size};
    if (v->placed) n.x = t ? net->transition_xy[k].x : net->place_xy[k].x, n.y = t ? net->transition_xy[k].y : net->place_xy[k].y;
    if (vec_push(&v->nodes, v->mem, MEM_OTHER, n)) return err_memory(e, "a drawing of the net");
  }
  return pt_arcs(v, net, e) ? -1 : settle(v, 1, e);
}

/* ---- coloured nets ---------------------------------------------------------------------------------------------------------- */

static int all_placed(const struct drawing_page *page) {
  for (size_t i = 0; i < page->places.count; i++)
    if (!page->places.at[i].at.known) return 0;
  for (size_t i = 0; i < page->transitions.count; i++)
    if (!page->transitions.at[i].at.known) return 0;
  return 1;
}

/* The instance that a substitution transition of this one stands for: the children of an instance come in the order of its transitions. */
static int64_t below(const struct flat *f, const struct drawing_page *page, uint32_t instance, size_t transition) {
  size_t skip = 0;
  for (size_t i = 0; i < transition; i++) skip += page->transitions.at[i].subpage != NULL;
  for (size_t i = 0; i < f->instances.count; i++)
    if (f->instances.at[i].parent == instance && i != instance && skip-- == 0) return (int64_t)i;
  return -1;
}

static struct view_node at_position(const struct drawing_position *p, double width, double height) {
  struct view_node n = {.page = -1, .x = p->x, .y = -p->y, .width = p->width > 4 ? p->width : width, .height = p->height > 4 ? p->height : height};
  return n;
}

static int page_nodes(struct net_view *v, const struct model *m, uint32_t instance, const struct drawing_page *page, struct err *e) {
  const struct flat *f = colour_model_flat(m);
  for (size_t i = 0; i < page->places.count; i++) {
    const struct drawing_place *p = &page->places.at[i];
    struct view_node n = at_position(&p->at, label_width(p->name) + 24 > 60 ? label_width(p->name) + 24 : 60, 40);
    n.name = p->name, n.type = p->colset.text, n.type_length = p->colset.length;
    n.number = f->node_place.at[f->instances.at[instance].node + i];
    if (vec_push(&v->nodes, v->mem, MEM_OTHER, n)) return err_memory(e, "a drawing of the net");
  }
  for (size_t i = 0; i < page->transitions.count; i++) {
    const struct drawing_transition *t = &page->transitions.at[i];
    struct view_node n = at_position(&t->at, label_width(t->name) + 20 > 60 ? label_width(t->name) + 20 : 60, 32);
    n.transition = 1, n.name = t->name, n.note = t->guard.length ? t->guard.text : NULL, n.note_length = t->guard.length;
    n.number = -1;
    n.page = t->subpage ? below(f, page, instance, i) : -1;
    if (vec_push(&v->nodes, v->mem, MEM_OTHER, n)) return err_memory(e, "a drawing of the net");
  }
  for (uint32_t g = 0; g < m->groups; g++) {
    uint32_t at, on_page;
    colour_group_drawn(m, g, &at, &on_page);
    if (at == instance) v->nodes.at[page->places.count + on_page].number = g;
  }
  return 0;
}

static int page_arcs(struct net_view *v, const struct drawing_page *page, struct err *e) {
  static const enum arc_kind kinds[] = {[DRAWING_TO_TRANSITION] = ARC_IN, [DRAWING_TO_PLACE] = ARC_OUT, [DRAWING_TEST] = ARC_BOTH, [DRAWING_INHIBITOR] = ARC_INHIBITOR, [DRAWING_RESET] = ARC_RESET};
  for (size_t i = 0; i < page->arcs.count; i++) {
    const struct drawing_arc *d = &page->arcs.at[i];
    struct view_arc a = {.place = d->at_place, .transition = (uint32_t)page->places.count + d->at_transition, .kind = kinds[d->kind], .text = d->inscription.text, .length = d->inscription.length, .bend = v->points.count};
    for (size_t k = 0; k < d->bends.count; k++, a.bends++)
      if (vec_push(&v->points, v->mem, MEM_OTHER, (struct draw_point){d->bends.at[k].x, -d->bends.at[k].y})) return err_memory(e, "a drawing of the net");
    if (vec_push(&v->arcs, v->mem, MEM_OTHER, a)) return err_memory(e, "a drawing of the net");
  }
  return 0;
}

static int page_view(struct net_view *v, const struct model *m, uint32_t instance, struct err *e) {
  const struct flat *f = colour_model_flat(m);
  const struct drawing_page *page = &colour_model_drawing(m)->pages.at[f->instances.at[instance].page];
  v->name = page->name;
  v->number = f->instances.at[instance].number;
  v->placed = all_placed(page);
  if (page_nodes(v, m, instance, page, e) || page_arcs(v, page, e)) return -1;
  return settle(v, page->places.count && page->places.at[0].at.width <= 4 /* a symmetric net's */, e);
}

/* ---- telling ---------------------------------------------------------------------------------------------------------------- */

static void node_json(const struct view_node *n, double left, double top, struct json_out *j) {
  json_out_object_flat(j, NULL);
  json_out_text(j, "kind", n->transition ? "transition" : "place");
  json_out_text(j, "name", n->name);
  if (n->number >= 0) json_out_integer(j, n->transition ? "group" : "var", n->number);
  if (n->page >= 0) json_out_integer(j, "page", n->page);
  if (n->type_length) json_out_text_n(j, "type", n->type, n->type_length);
  if (n->note_length) json_out_text_n(j, "guard", n->note, n->note_length);
  json_out_real(j, "x", n->x - left, 1);
  json_out_real(j, "y", n->y - top, 1);
  json_out_real(j, "width", n->width, 1);
  json_out_real(j, "height", n->height, 1);
  json_out_end(j);
}

static void arc_json(const struct net_view *v, const struct view_arc *a, double left, double top, struct json_out *j) {
  static const char *const kinds[] = {"in", "out", "both", "inhibitor", "reset"};
  json_out_object_flat(j, NULL);
  json_out_count(j, "place", a->place);
  json_out_count(j, "transition", a->transition);
  json_out_text(j, "kind", kinds[a->kind]);
  if (a->weight) json_out_count(j, "weight", a->weight);
  else if (a->length) json_out_text_n(j, "text", a->text, a->length);
  if (a->bends) {
    json_out_array(j, "bends");
    for (size_t i = 0; i < a->bends; i++) json_out_real(j, NULL, v->points.at[a->bend + i].x - left, 1), json_out_real(j, NULL, v->points.at[a->bend + i].y - top, 1);
    json_out_end(j);
  }
  json_out_end(j);
}

static void view_json(const struct net_view *v, struct json_out *j) {
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;
  for (size_t i = 0; i < v->nodes.count; i++) {
    const struct view_node *n = &v->nodes.at[i];
    double half = n->transition || label_width(n->name) < n->width ? n->width / 2 : label_width(n->name) / 2;
    left = fmin(left, n->x - half), right = fmax(right, n->x + half);
    top = fmin(top, n->y - n->height / 2), bottom = fmax(bottom, n->y + n->height / 2 + 22);
  }
  for (size_t i = 0; i < v->points.count; i++) {
    left = fmin(left, v->points.at[i].x), right = fmax(right, v->points.at[i].x);
    top = fmin(top, v->points.at[i].y), bottom = fmax(bottom, v->points.at[i].y);
  }
  if (!v->nodes.count) left = top = right = bottom = 0;
  json_out_object(j, NULL);
  json_out_text(j, "name", v->name);
  json_out_count(j, "instance", v->number);
  json_out_bool(j, "placed", v->placed);
  json_out_real(j, "width", right - left, 1);
  json_out_real(j, "height", bottom - top, 1);
  json_out_array(j, "nodes");
  for (size_t i = 0; i < v->nodes.count; i++) node_json(&v->nodes.at[i], left, top, j);
  json_out_end(j);
  json_out_array(j, "arcs");
  for (size_t i = 0; i < v->arcs.count; i++) arc_json(v, &v->arcs.at[i], left, top, j);
  json_out_end(j);
  json_out_end(j);
}

/* How many nodes there are to draw; `laid` tells whether some page has to be laid out. */
static size_t size_of(const struct model *m, size_t *largest_laid) {
  const struct pt_net *net = pt_model_net(m);
  const struct flat *f = colour_model_flat(m);
  size_t all = 0;
  *largest_laid = 0;
  if (net) {
    all = (size_t)net->places + net->transitions;
    if (!net->place_xy || !net->transition_xy) *largest_laid = all;
    return all;
  }
  for (size_t i = 0; i < f->instances.count; i++) {
    const struct drawing_page *page = &colour_model_drawing(m)->pages.at[f->instances.at[i].page];
    size_t n = page->places.count + page->transitions.count;
    all += n;
    if (!all_placed(page) && n > *largest_laid) *largest_laid = n;
  }
  return all;
}

int answer_net(struct explorer *x, const struct request_args *a, struct json_out *j, struct err *e) {
  const struct model *m = x->model;
  const struct pt_net *net = pt_model_net(m);
  (void)a;
  if (!net && !colour_model_drawing(m)) return err_usage(e, "net: the model is a %s", m->type->kind);
  size_t laid, all = size_of(m, &laid), pages = net ? 1 : colour_model_flat(m)->instances.count;
  int large = all > MOST_PLACED || laid > MOST_LAID, bad = 0;
  struct net_view *views = mem_alloc(x->mem, MEM_OTHER, (pages + 1) * sizeof *views);
  if (!views) return err_memory(e, "a drawing of the net");
  for (size_t i = 0; i < pages && !large && !bad; i++) {
    views[i].mem = x->mem;
    int answer = net ? pt_view_net(&views[i], net, e) : page_view(&views[i], m, (uint32_t)i, e);
    bad = answer < 0;
    large = answer > 0;
  }
  json_out_object(j, NULL);
  json_out_count(j, "size", all);
  json_out_bool(j, "too_large", large);
  json_out_bool(j, "coloured", !net);
  json_out_array(j, "pages");
  for (size_t i = 0; i < pages && !large && !bad; i++) view_json(&views[i], j);
  json_out_end(j);
  json_out_end(j);
  for (size_t i = 0; i < pages; i++)
    if (views[i].mem) view_close(&views[i]);
  mem_free(x->mem, views);
  return bad ? -1 : 0;
}
