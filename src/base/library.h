/* library.h -- shared objects, loaded while the program runs: code compiled for a model, libmicrohttpd.
 *
 * The one door to dlopen.  A static program has no loader of its own: glibc would fetch the machine's, and with it a second libc, which must be of the very version that the program was linked with.  So the
 * static programs (`make static`) have library.c compiled with THIMBLE_STATIC, where nothing is ever loaded; those who ask have another way, or say why not. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

extern const char *const library_refusal; /* why this program loads nothing at all; NULL: it does */

void *library_open(const char *path, const char **why); /* NULL: not loaded; *why is in words, and the loader's */
void *library_find(void *library, const char *name);    /* a function or an object by its name; NULL: it has none */
void library_close(void *library);                      /* NULL is fine */

#endif
