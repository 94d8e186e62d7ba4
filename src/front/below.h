/* below.h -- which files a model may name: those below the folders that the user named with it.
 *
 * A model, a trace or a verdict may come from anybody and may hold names of files: `#include`, `#line`, places of steps.  Such a file is opened only if it is a regular one that lies, after
 * all links are followed, below the folder of the file that the user named, or below a folder that he gave (-I). */
#ifndef FRONT_BELOW_H
#define FRONT_BELOW_H

#include <limits.h>
#include <stddef.h>

enum below { BELOW_YES, BELOW_MISSING, BELOW_OUTSIDE, BELOW_NO_FILE /* a folder, a device, a pipe */ };

/* Is `name` a file in the folder of `file` ("-" and names without a slash: the working directory; NULL: none), in one of `folders`, or deeper? `real`, if it is not NULL, gets its path. */
enum below front_below(const char *name, const char *file, const char *const *folders, size_t count, char real[PATH_MAX]);
/* The folder of a file as it is named, "." if it has none. 0, or -1: it is too long. */
int front_folder(const char *file, char out[PATH_MAX]);

#endif
