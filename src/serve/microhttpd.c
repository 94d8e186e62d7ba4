/* microhttpd.c -- see microhttpd.h. */
#include "serve/microhttpd.h"

#include <dlfcn.h>
#include <string.h>

static const char soname[] = "libmicrohttpd.so.12";

/* ISO C has no conversion from a pointer to an object to one to a function; POSIX wants it to work. */
static int find(void *library, const char *name, void *function, struct err *e) {
  void *found = dlsym(library, name);
  if (!found) return err_io(e, soname, "it has no %s", name);
  memcpy(function, &found, sizeof found);
  return 0;
}

int microhttpd_open(struct microhttpd *m, struct err *e) {
  m->library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!m->library) return err_io(e, soname, "cannot be loaded (Debian: libmicrohttpd12): %s", dlerror());
#define FUNCTION(name) \
  if (find(m->library, #name, &m->name, e)) return -1;
  MICROHTTPD_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return 0;
}

void microhttpd_close(struct microhttpd *m) {
  if (m->library) dlclose(m->library);
  memset(m, 0, sizeof *m);
}
