/* front_read.h -- for the tests of readers: a text in, a net or an error out, and nothing leaked. */
#ifndef TESTS_FRONT_READ_H
#define TESTS_FRONT_READ_H

#include "front/front.h"
#include "net/pt.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int net_reader(struct pt_net **out, const struct front_setup *, struct err *);

struct reading {
  struct mem mem;
  struct err err;
  struct front_setup setup; /* overrides may be put in before reading */
  struct pt_net *net;
  char warning[300];
  long warning_line;
};

__attribute__((unused)) static void hear(void *reading, struct place_in_text at, const char *message) {
  struct reading *r = reading;
  snprintf(r->warning, sizeof r->warning, "%s", message);
  r->warning_line = at.line;
}

/* A stream over bytes; fmemopen does not like zero of them. */
__attribute__((unused)) static FILE *stream(const char *text, size_t length) {
  return length ? fmemopen((void *)(uintptr_t)text, length, "r") : fopen("/dev/null", "r");
}

__attribute__((unused)) static int read_bytes(struct reading *r, net_reader *read, const char *text, size_t length, size_t budget,
                                              size_t fail_after) {
  mem_open(&r->mem, budget);
  r->mem.fail_after = fail_after;
  err_clear(&r->err);
  r->setup.mem = &r->mem;
  r->setup.file = "model";
  r->setup.input = stream(text, length);
  r->setup.warn = hear;
  r->setup.warn_context = r;
  r->warning[0] = 0;
  r->net = NULL;
  int status = read(&r->net, &r->setup, &r->err);
  fclose(r->setup.input);
  return status;
}

__attribute__((unused)) static int read_string(struct reading *r, net_reader *read, const char *text) {
  return read_bytes(r, read, text, strlen(text), 0, 0);
}

/* Closes the net; 1 if all memory came back. */
__attribute__((unused)) static int read_done(struct reading *r) {
  pt_close(r->net);
  r->net = NULL;
  return r->mem.used == 0;
}

struct bad { /* a text that must be refused, where, and with which words */
  const char *what, *text;
  long line, column;
  const char *message;
};

__attribute__((unused)) static void refuse(net_reader *read, const struct bad *b) {
  struct reading r = {0};
  int status = read_string(&r, read, b->text);
  int good = status == -1 && r.err.kind == ERR_INPUT && r.err.line == b->line && r.err.column == b->column &&
             strstr(r.err.message, b->message) && !r.net;
  if (!ok(good && r.mem.used == 0, b->what))
    printf("#   got %d, kind %d at %ld:%ld: %s\n#   leaked %zu\n", status, (int)r.err.kind, r.err.line, r.err.column,
           r.err.message, r.mem.used);
  read_done(&r);
}

/* Every allocation refused once: an error without a leak, until the reading gets through. */
__attribute__((unused)) static void starve(net_reader *read, const char *text, const char *what) {
  size_t n = 0, wrong = 0;
  for (int through = 0; !through && n < 100000;) {
    struct reading r = {0};
    int status = read_bytes(&r, read, text, strlen(text), 0, ++n);
    through = status == 0 && r.mem.fail_after != 0;
    if (status && (r.err.kind != ERR_MEMORY || r.net)) wrong++;
    if (!read_done(&r)) wrong++;
  }
  ok(!wrong && n > 5, what);
  printf("#   %zu allocations\n", n - 1);
}

/* Two nets that mean the same and look the same. */
__attribute__((unused)) static int same_net(const struct pt_net *a, const struct pt_net *b) {
  if (a->places != b->places || a->transitions != b->transitions || a->arcs != b->arcs || a->units != b->units) return 0;
  if (strcmp(a->name, b->name) || a->declared_safe != b->declared_safe || !a->place_xy != !b->place_xy) return 0;
  for (uint32_t p = 0; p < a->places; p++) {
    if (strcmp(a->place_id[p], b->place_id[p]) || strcmp(a->place_name[p], b->place_name[p]) || a->initial[p] != b->initial[p])
      return 0;
    if (a->place_xy && (a->place_xy[p].x != b->place_xy[p].x || a->place_xy[p].y != b->place_xy[p].y)) return 0;
    if (a->units && a->unit_of[p] != b->unit_of[p]) return 0;
  }
  for (uint32_t t = 0; t < a->transitions; t++) {
    if (strcmp(a->transition_id[t], b->transition_id[t]) || strcmp(a->transition_name[t], b->transition_name[t])) return 0;
    if (a->transition_xy && (a->transition_xy[t].x != b->transition_xy[t].x || a->transition_xy[t].y != b->transition_xy[t].y))
      return 0;
    if (a->pre_start[t + 1] != b->pre_start[t + 1] || a->post_start[t + 1] != b->post_start[t + 1]) return 0;
    for (uint32_t i = a->pre_start[t]; i < a->pre_start[t + 1]; i++)
      if (a->pre[i].place != b->pre[i].place || a->pre[i].weight != b->pre[i].weight) return 0;
    for (uint32_t i = a->post_start[t]; i < a->post_start[t + 1]; i++)
      if (a->post[i].place != b->post[i].place || a->post[i].weight != b->post[i].weight) return 0;
  }
  for (uint32_t u = 0; u < a->units; u++)
    if (strcmp(a->unit[u].id, b->unit[u].id) || a->unit[u].parent != b->unit[u].parent) return 0;
  return 1;
}

#endif
