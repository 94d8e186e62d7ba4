/* json.c -- the streaming writer: what it writes, jansson must read back as meant. */
#include "base/json.h"
#include "tap.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static char *text;
static size_t length;

static FILE *begin(void) {
  free(text);
  text = NULL;
  return open_memstream(&text, &length);
}

static void plain(void) {
  struct json_out j;
  FILE *f = begin();
  json_out_open(&j, f, 0);
  json_out_object(&j, NULL);
  json_out_text(&j, "a", "x");
  json_out_array(&j, "b");
  json_out_count(&j, NULL, UINT64_MAX);
  json_out_integer(&j, NULL, INT64_MIN);
  json_out_end(&j);
  json_out_object(&j, "c");
  json_out_end(&j);
  json_out_bool(&j, "d", 1);
  json_out_null(&j, "e");
  json_out_real(&j, "f", 1.25, 1);
  json_out_real(&j, "g", NAN, 1);
  json_out_text(&j, "h", NULL);
  json_out_end(&j);
  ok(json_out_close(&j) == 0, "closes");
  fclose(f);
  is_text(text,
          "{\"a\":\"x\",\"b\":[18446744073709551615,-9223372036854775808],\"c\":{},\"d\":true,\"e\":null,\"f\":1.2,"
          "\"g\":null,\"h\":null}\n",
          "everything on one line");
}

/* What JSON would allow, and a terminal would obey. */
static void acting(void) {
  struct json_out j;
  FILE *f = begin();
  json_out_open(&j, f, 0);
  json_out_text(&j, NULL, "a\xc2\x9b\xc2\x85\xe2\x80\xae\xe2\x80\xa8\xe2\x81\xa6\xef\xbb\xbf\x7f\x1b|\xc2\xa0\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80");
  json_out_close(&j);
  fclose(f);
  is_text(text, "\"a\\u009b\\u0085\\u202e\\u2028\\u2066\\ufeff\\u007f\\u001b|\xc2\xa0\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80\"\n", "what acts on a terminal is escaped, other text is not");
}

static void indented(void) {
  struct json_out j;
  FILE *f = begin();
  json_out_open(&j, f, 2);
  json_out_object(&j, NULL);
  json_out_array_flat(&j, "b");
  json_out_count(&j, NULL, 1);
  json_out_object(&j, NULL);
  json_out_count(&j, "x", 2);
  json_out_end(&j);
  json_out_end(&j);
  json_out_array(&j, "c");
  json_out_end(&j);
  json_out_end(&j);
  json_out_close(&j);
  fclose(f);
  is_text(text, "{\n  \"b\": [1, {\"x\": 2}],\n  \"c\": []\n}\n", "indented, with a flat part");
}

/* Every string of bytes must come out as valid JSON. */
static void hostile(void) {
  unsigned seed = 7;
  int bad = 0, same = 0;
  for (int round = 0; round < 3000; round++) {
    unsigned char bytes[12];
    size_t n = (size_t)(round % 12);
    for (size_t i = 0; i < n; i++) {
      seed = seed * 1103515245u + 12345u;
      static const unsigned char nasty[] = {0xc0, 0xed, 0xa0, 0xf4, 0x90, 0x80, 0xe2, 0x82,
                                            0xac, '"',  '\\', 0,    1,    0x7f, 0x1f, '/'};
      bytes[i] = (seed >> 16) % 3 ? nasty[(seed >> 20) % sizeof nasty] : (unsigned char)(seed >> 12);
    }
    struct json_out j;
    FILE *f = begin();
    json_out_open(&j, f, 0);
    json_out_array(&j, NULL);
    json_out_text_n(&j, NULL, (char *)bytes, n);
    json_out_end(&j);
    json_out_close(&j);
    fclose(f);
    json_error_t e;
    json_t *root = json_loadb(text, length, JSON_ALLOW_NUL, &e);
    if (!root) bad++;
    else {
      json_t *s = json_array_get(root, 0);
      same += json_string_length(s) == n && memcmp(json_string_value(s), bytes, n) == 0;
      json_decref(root);
    }
  }
  is(bad, 0, "random bytes always give valid JSON");
  ok(same > 100, "and well-formed text comes back as it was");
}

static void full_disk(void) {
  FILE *f = fopen("/dev/full", "w");
  if (!f) {
    skip("a full disk", "no /dev/full");
    return;
  }
  setvbuf(f, NULL, _IONBF, 0);
  struct json_out j;
  json_out_open(&j, f, 0);
  json_out_object(&j, NULL);
  json_out_end(&j);
  ok(json_out_close(&j) == -1, "a full disk is told");
  fclose(f);
}

int main(void) {
  plain();
  acting();
  indented();
  hostile();
  full_disk();
  free(text);
  return done();
}
