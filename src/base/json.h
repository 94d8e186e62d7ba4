/* json.h -- writes JSON as it goes: no tree in memory, whatever the size.
 *
 *   struct json_out j;
 *   json_out_open(&j, file, 2);              indent; 0 = all on one line
 *   json_out_object(&j, NULL);               NULL: no key (the top, or inside an array)
 *   json_out_text(&j, "file", name);
 *   json_out_array(&j, "path"); ... json_out_end(&j);
 *   json_out_end(&j);
 *   if (json_out_close(&j)) ...              -1: the file could not take it all
 *
 * Text may hold anything: what acts on a terminal is escaped and bytes that are not UTF-8
 * become U+FFFD, so the result is always valid.  Containers opened with `_flat` are kept
 * on one line.  Reading is done with jansson; the names here stay clear of its json_*. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdint.h>
#include <stdio.h>

enum { JSON_OUT_DEPTH = 32 };

struct json_out {
  FILE *out;
  int indent, depth, flat; /* flat: depth of the outermost container that is on one line; 0 = none */
  struct {
    char close;
    unsigned char any;
  } level[JSON_OUT_DEPTH];
};

void json_out_open(struct json_out *, FILE *, int indent);
int json_out_close(struct json_out *); /* ends the line; 0, or -1 when the stream has failed */

/* `key` is the name within an object; NULL within an array and at the top. */
void json_out_object(struct json_out *, const char *key);
void json_out_array(struct json_out *, const char *key);
void json_out_object_flat(struct json_out *, const char *key);
void json_out_array_flat(struct json_out *, const char *key);
void json_out_end(struct json_out *); /* closes the innermost container */

void json_out_text(struct json_out *, const char *key, const char *text); /* NULL text = null */
void json_out_text_n(struct json_out *, const char *key, const char *text, size_t length);
void json_out_count(struct json_out *, const char *key, uint64_t);
void json_out_integer(struct json_out *, const char *key, int64_t);
void json_out_real(struct json_out *, const char *key, double, int digits); /* digits after the point; not finite = null */
void json_out_bool(struct json_out *, const char *key, int);
void json_out_null(struct json_out *, const char *key);
FILE *json_out_value(struct json_out *, const char *key); /* a value that the caller writes there himself, as JSON */

#endif
