/* coloured.h -- coloured nets for tests: drawn in C, line by line, or read from tests/models/coloured, where the examples of the literature are, in our own words. */
#ifndef TESTS_COLOURED_H
#define TESTS_COLOURED_H

#include "colour/colour.h"
#include "front/cpnt/cpnt.h"
#include "front/text.h"

#include <stdio.h>
#include <string.h>

struct sketch { /* a drawing under construction; failed: memory */
  struct drawing *d;
  struct drawing_page *page;
  int failed;
};

static struct drawing_text sketch_text(struct sketch *s, const char *text) {
  char *kept = arena_strndup(&s->d->arena, text ? text : "", text ? strlen(text) : 0);
  if (!kept) s->failed = 1;
  return (struct drawing_text){kept, text && kept ? strlen(text) : 0, {"sketch", 1, 1}};
}

__attribute__((unused)) static void sketch_declare(struct sketch *s, const char *text) {
  if (vec_push(&s->d->declarations, s->d->mem, MEM_MODEL, (struct drawing_declaration){.text = sketch_text(s, text)})) s->failed = 1;
}

__attribute__((unused)) static void sketch_page(struct sketch *s, const char *name) {
  if (vec_push(&s->d->pages, s->d->mem, MEM_MODEL, (struct drawing_page){.id = name, .name = name})) s->failed = 1;
  s->page = &s->d->pages.at[s->d->pages.count - 1];
}

__attribute__((unused)) static struct drawing_place *sketch_place(struct sketch *s, const char *name, const char *colset, const char *initial) {
  struct drawing_place p = {.id = name, .name = name, .colset = sketch_text(s, colset), .initial = sketch_text(s, initial), .place = {"sketch", 1, 1}};
  if (vec_push(&s->page->places, s->d->mem, MEM_MODEL, p)) s->failed = 1;
  return &s->page->places.at[s->page->places.count - 1];
}

__attribute__((unused)) static struct drawing_transition *sketch_transition(struct sketch *s, const char *name, const char *guard) {
  struct drawing_transition t = {.id = name, .name = name, .guard = sketch_text(s, guard), .text_place = {"sketch", 1, 1}};
  if (vec_push(&s->page->transitions, s->d->mem, MEM_MODEL, t)) s->failed = 1;
  return &s->page->transitions.at[s->page->transitions.count - 1];
}

static uint32_t sketch_find(struct sketch *s, const char *name, int transition) {
  if (transition) {
    for (uint32_t i = 0; i < s->page->transitions.count; i++)
      if (strcmp(s->page->transitions.at[i].name, name) == 0) return i;
  } else
    for (uint32_t i = 0; i < s->page->places.count; i++)
      if (strcmp(s->page->places.at[i].name, name) == 0) return i;
  printf("# the sketch has no %s\n", name);
  s->failed = 1;
  return 0;
}

__attribute__((unused)) static void sketch_arc(struct sketch *s, const char *place, const char *transition, enum drawing_arc_kind kind, const char *text) {
  struct drawing_arc a = {.id = "", .at_place = sketch_find(s, place, 0), .at_transition = sketch_find(s, transition, 1), .kind = kind};
  a.inscription = sketch_text(s, text);
  if (vec_push(&s->page->arcs, s->d->mem, MEM_MODEL, a)) s->failed = 1;
}

/* "T: A x > B y, C both z": arcs of a transition T: from A with x, to B with y, both ways with z. One line of a net. */
__attribute__((unused)) static void take(struct sketch *s, const char *t, const char *p, const char *text) { sketch_arc(s, p, t, DRAWING_TO_TRANSITION, text); }
__attribute__((unused)) static void give(struct sketch *s, const char *t, const char *p, const char *text) { sketch_arc(s, p, t, DRAWING_TO_PLACE, text); }
__attribute__((unused)) static void look(struct sketch *s, const char *t, const char *p, const char *text) { sketch_arc(s, p, t, DRAWING_TEST, text); }

/* A substitution transition whose ports are called like their sockets. */
__attribute__((unused)) static void sketch_below(struct sketch *s, const char *page, const char *const *sockets) {
  struct drawing_transition *t = sketch_transition(s, page, "");
  t->subpage = page;
  for (; *sockets; sockets++)
    if (vec_push(&t->pairs, s->d->mem, MEM_MODEL, (struct drawing_pair){*sockets, *sockets})) s->failed = 1;
}

__attribute__((unused)) static int sketch_open(struct sketch *s, struct mem *mem, struct err *e) {
  *s = (struct sketch){0};
  return drawing_open(&s->d, mem, "sketch", e);
}

/* ---- nets of tests/models/coloured, whose first lines say what they are ---- */

__attribute__((unused)) static void sketch_file(struct sketch *s, const char *name) {
  char path[200], *text = NULL;
  struct err e;
  size_t length = 0;
  err_clear(&e);
  snprintf(path, sizeof path, "tests/models/coloured/%s.cpnt", name);
  FILE *in = fopen(path, "r");
  struct front_setup setup = {.mem = s->d->mem, .file = path, .input = in};
  if (!in || front_slurp(&text, &length, &setup, &e)) s->failed = 1;
  if (in) fclose(in);
  const char *kept = text ? arena_strndup(&s->d->arena, text, length) : NULL; /* inscriptions point into it */
  if (text) mem_free(s->d->mem, text);
  if (!kept || cpnt_read(s->d, kept, length, &e)) {
    printf("# %s: %s\n", path, e.kind ? e.message : "cannot be read");
    s->failed = 1;
  }
}

/* Another marking for all places of that name. */
__attribute__((unused)) static void sketch_mark(struct sketch *s, const char *place, const char *text) {
  for (size_t i = 0; i < s->d->pages.count; i++)
    for (size_t k = 0; k < s->d->pages.at[i].places.count; k++) {
      struct drawing_place *p = &s->d->pages.at[i].places.at[k];
      if (strcmp(p->name, place) == 0 && p->initial.length) p->initial = sketch_text(s, text);
    }
}

__attribute__((unused)) static void sketch_mark_number(struct sketch *s, const char *place, int n) {
  char text[40];
  snprintf(text, sizeof text, "%d", n);
  sketch_mark(s, place, text);
}

__attribute__((unused)) static void draw_philosophers(struct sketch *s, int n) {
  sketch_file(s, "philosophers");
  sketch_mark_number(s, "Guests", n);
}

__attribute__((unused)) static void draw_database(struct sketch *s, int n) {
  sketch_file(s, "database");
  sketch_mark_number(s, "Number", n);
}

__attribute__((unused)) static void draw_telephones(struct sketch *s, int n) {
  char all[400] = "";
  for (int i = 0; i < n; i++) snprintf(all + strlen(all), sizeof all - strlen(all), "%s1`%d", i ? "++" : "", i);
  sketch_file(s, "telephones");
  sketch_mark(s, "Inactive", all);
  sketch_mark(s, "Book", all);
}

__attribute__((unused)) static void draw_stop_and_wait(struct sketch *s, int packets, int limit) {
  char room[40];
  snprintf(room, sizeof room, "%d`e", limit);
  sketch_file(s, "stop_and_wait");
  sketch_mark_number(s, "Number", packets);
  sketch_mark(s, "Room", room);
}

__attribute__((unused)) static void draw_small_protocol(struct sketch *s) { sketch_file(s, "small_protocol"); }
__attribute__((unused)) static void draw_resources(struct sketch *s) { sketch_file(s, "resources"); }

__attribute__((unused)) static void draw_late(struct sketch *s) { sketch_file(s, "late"); }
__attribute__((unused)) static void draw_lamps(struct sketch *s) { sketch_file(s, "lamps"); }

#endif
