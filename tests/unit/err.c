/* err.c -- messages about text that may hold anything. */
#include "tap.h"

#include "base/err.h"
#include "base/near.h"
#include "base/rng.h"

static struct err e;

static const char *quote(const char *text, size_t room) {
  static char out[300];
  memset(out, 'Z', sizeof out);
  err_quote(out, room, text, strlen(text));
  if (out[room] != 'Z') return "(written beyond the room)";
  return out;
}

static void test_quote(void) {
  is_text(quote("plain", 80), "plain", "plain text stays");
  is_text(quote("abc", 4), "abc", "a text that just fits");
  is_text(quote("abcd", 4), "...", "one that does not");
  is_text(quote("abcdefgh", 8), "abcd...", "is cut with dots");
  is_text(quote("abcdefgh", 3), "..", "even with little room");
  is_text(quote("abcdefgh", 1), "", "or none");
  is_text(quote("a\tb\nc\x1b[31m", 80), "a\\x09b\\x0ac\\x1b[31m", "controls are escaped");
  is_text(quote("gr\xc3\xbc\xc3\x9f", 80), "gr\xc3\xbc\xc3\x9f", "good UTF-8 stays");
  is_text(quote("\xff\xc3(\xe2\x82", 80), "\\xff\\xc3(\\xe2\\x82", "broken UTF-8 is escaped");
  is_text(quote("\xc2\x9b"
                "31m",
                80),
          "\\xc2\\x9b31m", "controls of the second set are escaped");
  is_text(quote("\xe2\x80\xae", 80), "\\xe2\\x80\\xae", "and what turns text around");
  is_text(quote("\xc0\xaf\xed\xa0\x80\xf4\x90\x80\x80", 80), "\\xc0\\xaf\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80",
          "overlong, surrogates, too large");
  is_text(quote("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 8), "\xc3\xbc\xc3\xbc...", "never cut within a character");
  struct rng r = {1};
  int bad = 0;
  for (int i = 0; i < 20000; i++) {
    char text[40], out[64];
    size_t n = (size_t)rng_below(&r, 40), room = 1 + (size_t)rng_below(&r, 60);
    for (size_t k = 0; k < n; k++) text[k] = (char)rng_next(&r);
    memset(out, 'Z', sizeof out);
    err_quote(out, room, text, n);
    bad += !memchr(out, 0, room) || out[room] != 'Z';
    for (char *c = out; *c; c++) bad += (unsigned char)*c < 0x20 || *c == 0x7f;
  }
  is(bad, 0, "random bytes stay within the room and show no controls");
}

static void test_messages(void) {
  err_clear(&e);
  err_input(&e, (struct place_in_text){"m\x1b.pnml", 1, 1}, "place %s is wrong", "A\xc2\x9b\r\n\x1b[31m \\x1b");
  is_text(e.message, "place A\\xc2\\x9b\\x0d\\x0a\\x1b[31m \\x1b is wrong", "a name that nobody quoted does not act on a terminal");
  is_text(e.file, "m\\x1b.pnml", "nor does the name of the file");
  err_hint(&e, "try %s", "\xe2\x80\xaex");
  is_text(e.hint, "try \\xe2\\x80\\xaex", "nor a hint");
  err_clear(&e);
  err_usage(&e, "gr\xc3\xbc\xc3\x9f");
  is_text(e.message, "gr\xc3\xbc\xc3\x9f", "good UTF-8 stays in messages");
  char text[sizeof e.message + 40];
  memset(text, 0x1b, sizeof text - 1);
  text[sizeof text - 1] = 0;
  err_clear(&e);
  err_usage(&e, "%s", text);
  ok(strlen(e.message) < sizeof e.message && !strchr(e.message, 0x1b), "a long one is cut after it was quoted");
}

static void excerpt(const char *text, const char *mark) {
  err_clear(&e);
  err_excerpt(&e, text, strlen(text), (size_t)(strstr(text, mark) - text));
}

static void test_excerpt(void) {
  excerpt("first\nsecond line here\nthird", "line");
  is_text(e.excerpt, "second line here", "the line around the place");
  is(e.caret, 7, "the caret under it");
  excerpt("\t\tvalue = x", "x");
  is_text(e.excerpt, "  value = x", "tabs are shown as spaces");
  is(e.caret, 10, "one column each");
  excerpt("gr\xc3\xbc\xc3\x9f"
          "e == @",
          "@");
  is(e.caret, 9, "characters of two bytes are one column");
  excerpt("\xe6\xbc\xa2\xe5\xad\x97 == @", "@");
  is(e.caret, 8, "wide characters are two");
  excerpt("e\xcc\x81 == @", "@");
  is(e.caret, 5, "accents none");
  excerpt("a\x01 == @", "@");
  is_text(e.excerpt, "a\\x01 == @", "controls are escaped");
  is(e.caret, 9, "and counted as shown");
  excerpt("short\r\nnext", "ort");
  is_text(e.excerpt, "short", "a carriage return ends the line");
  err_clear(&e);
  err_excerpt(&e, "abc", 3, 99);
  ok(strcmp(e.excerpt, "abc") == 0 && e.caret == 3, "a place behind the end is the end");
  err_clear(&e);
  err_excerpt(&e, "\xc3\xbc", 2, 1);
  ok(e.caret == 0, "a place within a character is the character");

  char text[2000];
  memset(text, 1, sizeof text - 1);
  text[sizeof text - 1] = 0;
  text[1000] = '@';
  excerpt(text, "@");
  ok(strlen(e.excerpt) < sizeof e.excerpt && e.caret >= 0 && e.excerpt[e.caret] == '@',
     "many controls around it: the place is still shown");
  struct rng r = {2};
  int bad = 0;
  for (int i = 0; i < 20000; i++) {
    size_t n = (size_t)rng_below(&r, 400), at = (size_t)rng_below(&r, n + 1);
    for (size_t k = 0; k < n; k++) text[k] = (char)(rng_below(&r, 3) ? 'a' : rng_next(&r));
    err_clear(&e);
    err_excerpt(&e, text, n, at);
    bad += !memchr(e.excerpt, 0, sizeof e.excerpt) || e.caret < 0 || e.caret > 2 * (long)strlen(e.excerpt);
    for (char *c = e.excerpt; *c; c++) bad += (unsigned char)*c < 0x20;
  }
  is(bad, 0, "random bytes");
}

static void test_setters(void) {
  err_clear(&e);
  is(e.caret, -1, "no caret at first");
  is(err_input(&e, (struct place_in_text){"a\nb", 3, 4}, "bad %d", 7), -1, "setters return -1");
  ok(e.kind == ERR_INPUT && e.line == 3 && e.column == 4, "kind and place");
  is_text(e.message, "bad 7", "message");
  is_text(e.file, "a\\x0ab", "file names are quoted");
  err_hint(&e, "first");
  err_hint(&e, "second");
  is_text(e.hint, "first", "the first hint wins");
  is(err_memory(&e, "x"), -1, "a later error");
  ok(e.kind == ERR_INPUT, "is dropped");
  err_clear(&e);
  err_memory(&e, "states");
  is_text(e.message, "the memory budget is too small for states", "memory");
  err_clear(&e);
  err_usage(&e, "u");
  ok(e.kind == ERR_USAGE, "usage");
  err_clear(&e);
  err_io(&e, "f", "io");
  ok(e.kind == ERR_IO && strcmp(e.file, "f") == 0, "input and output");
}

static const char *nearest(const char *word, const char *const *known) {
  struct near n;
  near_open(&n, word, strlen(word));
  for (; *known; known++) near_offer(&n, *known);
  return near_best(&n) ? near_best(&n) : "(none)";
}

static void test_near(void) {
  static const char *const known[] = {"critical1", "critical2", "idle", "waiting", "Ready", "p", "", NULL};
  is_text(nearest("critcal1", known), "critical1", "a letter left out");
  is_text(nearest("ciritcal2", known), "critical2", "letters exchanged");
  is_text(nearest("ready", known), "Ready", "another case");
  is_text(nearest("wait", known), "(none)", "half a word is another word");
  is_text(nearest("elephant", known), "(none)", "nothing near");
  is_text(nearest("", known), "(none)", "nothing at all");
  is_text(nearest("idel", known), "idle", "short words");
  char word[200];
  memset(word, 'x', sizeof word - 1);
  word[sizeof word - 1] = 0;
  is_text(nearest(word, known), "(none)", "a long word is not compared");
}

int main(void) {
  test_quote();
  test_messages();
  test_excerpt();
  test_setters();
  test_near();
  return done();
}
