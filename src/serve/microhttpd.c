/* microhttpd.c -- see microhttpd.h. */
#include "serve/microhttpd.h"

#include "base/library.h"

#include <string.h>

static const char soname[] = "libmicrohttpd.so.12";

/* ISO C has no conversion from a pointer to an object to one to a function; POSIX wants it to work. */
static int find(void *library, const char *name, void *function, struct err *e) {
  void *found = library_find(library, name);
  if (!found) return err_io(e, soname, "it has no %s", name);
  memcpy(function, &found, sizeof found);
  return 0;
}

int microhttpd_open(struct microhttpd *m, struct err *e) {
  const char *why;
  m->library = library_open(soname, &why);
  if (!m->library) return err_io(e, soname, library_refusal ? "cannot be loaded: %s" : "cannot be loaded (Debian: libmicrohttpd12): %s", why);
#define FUNCTION(name) \
  if (find(m->library, #name, &m->name, e)) return -1;
  MICROHTTPD_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return 0;
}

void microhttpd_close(struct microhttpd *m) {
  library_close(m->library);
  memset(m, 0, sizeof *m);
}
