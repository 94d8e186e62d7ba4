/* fuzz.h -- what the fuzz targets of net languages check beyond "no crash": memory comes back, a
 * failure says why, and a net that was read survives being written and read again, in both languages.  Each
 * input is also read with one allocation refused, picked by its bytes. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "demand.h"
#include "front/front.h"
#include "front/nettext/nettext.h"
#include "front/pnml/pnml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET ((size_t)64 << 20)
typedef int net_reader(struct pt_net **out, const struct front_setup *, struct err *);
typedef int net_writer(const struct pt_net *, FILE *out, struct err *);

static inline void no_warning(void *context, struct place_in_text at, const char *message) {
  (void)context, (void)at;
  demand(message[0]);
}

/* Reads bytes; NULL after an error that says what is wrong. */
static inline struct pt_net *fuzz_read(net_reader *read, struct mem *m, const void *data, size_t size) {
  struct err e;
  struct pt_net *net = NULL;
  err_clear(&e);
  FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  struct front_setup setup = {.mem = m, .file = "fuzz", .input = in, .warn = no_warning};
  int status = read(&net, &setup, &e);
  fclose(in);
  demand(status == 0 ? net && e.kind == ERR_NONE : !net && (e.kind == ERR_INPUT || e.kind == ERR_MEMORY) && e.message[0]);
  demand(e.caret < (long)sizeof e.excerpt && strlen(e.excerpt) < sizeof e.excerpt);
  return net;
}

static inline char *fuzz_write(net_writer *write, const struct pt_net *net, size_t *size) {
  struct err e;
  char *text = NULL;
  err_clear(&e);
  FILE *out = open_memstream(&text, size);
  demand(out && write(net, out, &e) == 0 && fclose(out) == 0);
  return text;
}

/* Writes a net, reads it back, closes the first. */
static inline struct pt_net *fuzz_through(net_writer *write, net_reader *read, struct pt_net *net, struct mem *m) {
  size_t size;
  char *text = fuzz_write(write, net, &size);
  pt_close(net);
  net = fuzz_read(read, m, text, size);
  if (!net) fprintf(stderr, "%s", text);
  demand(net);
  free(text);
  return net;
}

/* Which allocation to refuse: any number below 128, the same for the same bytes. */
static inline size_t fuzz_pick(const uint8_t *data, size_t size) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  return 1 + (h >> 7) % 127;
}

static inline void fuzz_net(net_reader *read, const uint8_t *data, size_t size) {
  struct mem m;
  size_t first_size, second_size;
  mem_open(&m, BUDGET);
  struct pt_net *net = fuzz_read(read, &m, data, size);
  if (net) {
    /* .net keeps everything; PNML may have to change ids and trim names, but only the first time. */
    char *first = fuzz_write(nettext_write, net, &first_size);
    net = fuzz_through(nettext_write, nettext_read, net, &m);
    char *second = fuzz_write(nettext_write, net, &second_size);
    demand(strcmp(first, second) == 0);
    free(first);
    free(second);
    uint32_t places = net->places, transitions = net->transitions, arcs = net->arcs, units = net->units;
    net = fuzz_through(pnml_write, pnml_read, net, &m);
    demand(net->places == places && net->transitions == transitions && net->arcs == arcs && net->units == units);
    first = fuzz_write(pnml_write, net, &first_size);
    net = fuzz_through(pnml_write, pnml_read, net, &m);
    second = fuzz_write(pnml_write, net, &second_size);
    demand(strcmp(first, second) == 0);
    free(first);
    free(second);
  }
  pt_close(net);
  demand(m.used == 0);

  mem_open(&m, BUDGET);
  m.fail_after = fuzz_pick(data, size);
  pt_close(fuzz_read(read, &m, data, size));
  demand(m.used == 0);
}

#endif
