/* library.c -- see library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <stddef.h>

#ifdef THIMBLE_STATIC

const char *const library_refusal = "this is the static program, which loads no code";

/* These stand before libc's, for SQLite as well. */
void *dlopen(const char *path, int how) { return (void)path, (void)how, NULL; }
void *dlsym(void *restrict library, const char *restrict name) { return (void)library, (void)name, NULL; }
int dlclose(void *library) { return (void)library, 0; }
char *dlerror(void) { return (char *)library_refusal; }

#else

const char *const library_refusal = NULL;

#endif

void *library_open(const char *path, const char **why) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) *why = dlerror();
  return library;
}

void *library_find(void *library, const char *name) { return dlsym(library, name); }

void library_close(void *library) {
  if (library) dlclose(library);
}
