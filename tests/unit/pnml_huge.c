/* pnml_huge.c -- 64 MB of PNML with 80,000 places come through a pipe within 64 MB and a few seconds:
 * no tree of the document is made. */
#include "front/pnml/pnml.h"

#include "unit/front_read.h"

#include <unistd.h>

static struct pt_net *from_pipe(struct mem *m, const char *command, struct err *e) {
  struct pt_net *net = NULL;
  struct front_setup setup = {.mem = m, .file = "-", .input = popen(command, "r")};
  if (!setup.input) return NULL;
  pnml_read(&net, &setup, e);
  pclose(setup.input);
  return net;
}

int main(void) {
  struct mem m;
  struct err e;
  if (access("tools/gen-net", X_OK)) {
    skip("a huge net", "tools/gen-net is not here: run from the project's root");
    return done();
  }
  mem_open(&m, (size_t)64 << 20);
  err_clear(&e);
  struct pt_net *net = from_pipe(&m, "tools/gen-net mesh 80000 pnml", &e);
  if (!ok(net && net->places == 80000 && net->transitions == 80000 && net->arcs == 320000, "80,000 places in 64 MB"))
    printf("# %s\n", e.message);
  printf("# peak %zu MB\n", m.peak >> 20);
  pt_close(net);
  is(m.used, 0, "all memory came back");
  ok(m.peak < (size_t)48 << 20, "less than 48 MB at the peak, for a file of 64 MB");

  mem_open(&m, (size_t)1 << 20);
  err_clear(&e);
  net = from_pipe(&m, "tools/gen-net mesh 10000 pnml 2>/dev/null", &e);
  ok(!net && e.kind == ERR_MEMORY && m.used == 0, "with 1 MB for 8 MB it ends with an honest answer");
  return done();
}
