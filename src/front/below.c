/* below.c -- see below.h. */
#define _GNU_SOURCE
#include "front/below.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int front_folder(const char *file, char out[PATH_MAX]) {
  const char *slash = strrchr(file, '/');
  size_t length = slash == file ? 1 : slash ? (size_t)(slash - file) : 0;
  if (length >= PATH_MAX) return -1;
  memcpy(out, file, length);
  strcpy(out + length, length ? "" : ".");
  return 0;
}

/* Does the path begin with the folder's, as a whole? */
static int inside(const char *path, const char *folder) {
  char real[PATH_MAX];
  if (!realpath(folder, real)) return 0;
  size_t length = strlen(real);
  if (length == 1) return 1; /* the root */
  return strncmp(path, real, length) == 0 && path[length] == '/';
}

enum below front_below(const char *name, const char *file, const char *const *folders, size_t count, char real[PATH_MAX]) {
  char path[PATH_MAX], folder[PATH_MAX];
  struct stat there;
  if (!realpath(name, path) || stat(path, &there)) return BELOW_MISSING;
  int in = file && front_folder(file, folder) == 0 && inside(path, folder);
  for (size_t i = 0; i < count && !in; i++) in = inside(path, folders[i]);
  if (!in) return BELOW_OUTSIDE;
  if (!S_ISREG(there.st_mode)) return BELOW_NO_FILE;
  if (real) strcpy(real, path);
  return BELOW_YES;
}
