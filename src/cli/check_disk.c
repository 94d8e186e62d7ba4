/* check_disk.c -- see check_disk.h. */
#include "cli/check_disk.h"

#include "base/quantity.h"
#include "store/disk_files.h"

#include <string.h>
#include <sys/statvfs.h>

/* DIR, or DIR:SIZE. What stands behind the last colon is a size (50%: of what is free there), unless it has a slash: then the colon is one of the folder's name, so that ./a:b/ names a folder. */
static int split(const char *text, char *dir, size_t room, uint64_t *bytes, struct err *e) {
  const char *colon = strrchr(text, ':');
  if (colon && strchr(colon, '/')) colon = NULL;
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  struct statvfs v;
  *bytes = 0;
  if (length >= room) return err_usage(e, "--disk: the name of the folder is too long");
  memcpy(dir, text, length);
  dir[length] = 0;
  if (!*dir) {
    err_usage(e, "--disk needs the name of a folder");
    err_hint(e, "--disk DIR, or --disk DIR:SIZE with a size like 20G");
    return -1;
  }
  uint64_t free = statvfs(dir, &v) == 0 ? (uint64_t)v.f_bavail * v.f_frsize : 0;
  if (!colon || (quantity_size(colon + 1, free, bytes) == 0 && *bytes)) return 0;
  char quoted[80];
  err_usage(e, "--disk: '%s' is no size", err_quote(quoted, sizeof quoted, colon + 1, strlen(colon + 1)));
  err_hint(e, "--disk DIR:SIZE with a size like 20G or 50%%; a folder with a colon in its name has a slash behind it: --disk ./a:b/");
  return -1;
}

int check_disk_sensible(const struct options *o, struct err *e) {
  const char *why = NULL, *hint = "";
  if (!options_given(o, OPTION_DISK)) return 0;
  if (options_given(o, OPTION_MCC)) why = "the contest's examinations are answered in memory", hint = "leave --disk or --mcc out";
  else if (options_given(o, OPTION_SWARM)) why = "the members of a swarm keep a few bits of each state, in memory", hint = "leave --disk or --swarm out";
  if (!why) return 0;
  err_usage(e, "--disk: %s", why);
  err_hint(e, "%s", hint);
  return -1;
}

int check_disk_read(struct store_options *out, const struct store_type *store, const struct search_type *search, const struct options *o, const char *folder, char *dir, size_t room, struct err *e) {
  int asked = store == &store_disk, given = options_given(o, OPTION_DISK);
  if (folder && store && !asked) {
    err_usage(e, "the states of this checkpoint are on disk, and stay there: the store %s cannot go on with them", store->name);
    err_hint(e, "leave --store out");
    return -1;
  }
  if (asked && !given && !folder) {
    err_usage(e, "the store disk needs a folder for its files");
    err_hint(e, "--disk DIR, or --disk DIR:SIZE with a size like 20G");
    return -1;
  }
  if (asked && search && search != &search_bfs) {
    err_usage(e, "the store disk says at the end of a layer which states are new: it is for breadth-first search alone");
    err_hint(e, "leave --search out, or take another store");
    return -1;
  }
  if (!given && folder) { /* where they are */
    const char *slash = strrchr(folder, '/');
    size_t length = slash ? (size_t)(slash - folder) : 0;
    if (!length || length >= room) return 0;
    memcpy(dir, folder, length);
    dir[length] = 0;
    out->disk = dir;
    return 0;
  }
  if (!given) return 0;
  if (split(options_text(o, OPTION_DISK), dir, room, &out->disk_bytes, e)) return -1;
  out->disk = dir;
  return folder ? 0 : disk_files_tidy(dir, e); /* a checkpoint that has moved is not found by those who tidy */
}

int check_disk_allows(const struct prop *props, size_t count, int fair, struct err *e) {
  for (size_t i = 0; i < count; i++) {
    if (!prop_apart(&props[i])) continue;
    if (props[i].kind != PROP_CHANNELS && props[i].temporal && props[i].temporal->method == TEMPORAL_SAFETY && !fair) continue;
    err_usage(e, "%s needs a depth-first search, which the store disk cannot do", props[i].id);
    err_hint(e, "without --store the run is in memory as long as that lasts; --property names those that are to be checked");
    return -1;
  }
  return 0;
}
