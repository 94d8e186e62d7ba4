/* front.c -- the registry, opening files, and the helpers that languages share. */
#include "front/front.h"
#include "front/override.h"
#include "front/text.h"

#include "unit/front_read.h"

#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static struct mem mem;
static struct err err;

static int load(const char *file, const char *language) {
  struct model *m;
  struct front_setup partial = {.mem = &mem};
  err_clear(&err);
  int status = front_load(&m, file, language, &partial, &err);
  model_close(m);
  return status;
}

static void registry(void) {
  ok(front_find("pnml") && front_find("net") && front_find("aut") && !front_find("nett"), "languages by name");
  ok(front_for_file("a/b.pnml") == front_find("pnml") && front_for_file("B.NET") == front_find("net"),
     "by suffix, in capitals too");
  ok(!front_for_file("pnml") && !front_for_file(".pnml") && !front_for_file("a.pnml.gz") && !front_for_file(""),
     "and nothing else");
  for (int i = 0; front_types[i]; i++)
    ok(front_types[i]->name && front_types[i]->summary && front_types[i]->suffixes[0] && front_types[i]->load,
       front_types[i]->name);
}

static void opening(void) {
  char directory[] = "/tmp/thimble-front-XXXXXX", path[100];
  if (!ok(mkdtemp(directory) != NULL, "a directory for this test")) return;
  ok(load("/no/such/file.net", NULL) == -1 && err.kind == ERR_IO && strstr(err.message, "No such file"), "a missing file");
  ok(strcmp(err.file, "/no/such/file.net") == 0, "is named");
  ok(load("/no/such/file.xyz", NULL) == -1 && err.kind == ERR_IO, "also when its suffix says nothing");
  ok(load(directory, "net") == -1 && err.kind == ERR_IO && strstr(err.message, "directory"), "a directory");
  snprintf(path, sizeof path, "%s/model.xyz", directory);
  FILE *f = fopen(path, "w");
  fputs("unit = 1\n", f);
  fclose(f);
  ok(load(path, NULL) == -1 && err.kind == ERR_USAGE && strstr(err.message, ".pnml, .net, .aut"),
     "an unknown suffix, with those known");
  ok(strstr(err.hint, "--language"), "and a way out");
  f = fopen(path, "w");
  fputs("place p = 1\n", f);
  fclose(f);
  is(load(path, NULL), 0, "a text that tells what it is");
  is(load(path, "net"), 0, "and one that is told by name");
  ok(load(path, "cobol") == -1 && err.kind == ERR_USAGE && strstr(err.message, "\"cobol\"") &&
         strstr(err.message, "pnml, net, aut"),
     "an unknown language");
  ok(load(path, "pnml") == -1 && err.kind == ERR_INPUT && strcmp(err.file, path) == 0, "the wrong language");
  ok(load(path, "aut") == -1 && err.kind == ERR_INPUT, "another wrong language");
  if (geteuid() != 0) {
    chmod(path, 0);
    ok(load(path, "net") == -1 && err.kind == ERR_IO && strstr(err.message, "ermission"), "an unreadable file");
  } else {
    skip("an unreadable file", "root reads everything");
  }
  unlink(path);
  rmdir(directory);
  FILE *in = tmpfile();
  fputs("place p = 1\n", in);
  rewind(in);
  int saved = dup(0);
  dup2(fileno(in), 0);
  is(load("-", "net"), 0, "standard input");
  rewind(in);
  is(load("-", NULL), 0, "whose language its text tells");
  dup2(saved, 0);
  close(saved);
  fclose(in);
  is(load("examples/philosophers.net", NULL), 0, "an example from its file");
  is(mem.used, 0, "all memory came back");
}

/* A model of one language written as another, and read again. */
static void converting(void) {
  static const char *const languages[] = {"net", "pnml", "net"};
  struct front_setup setup = {.mem = &mem};
  struct model *m;
  char *first = NULL, *text = NULL;
  size_t length = 0, good = 0;
  err_clear(&err);
  if (!ok(front_load(&m, "examples/mutex.pnml", NULL, &setup, &err) == 0, "an example of nested units")) return;
  for (int i = 0; i < 3 && m; i++) {
    const struct front_type *to = front_find(languages[i]);
    free(text);
    FILE *out = open_memstream(&text, &length);
    good += to->save(m, out, &err) == 0;
    fclose(out);
    model_close(m);
    setup.input = stream(text, length);
    setup.file = "again";
    good += to->load(&m, &setup, &err) == 0;
    fclose(setup.input);
    if (!first) first = strdup(text);
  }
  ok(good == 6 && strcmp(first, text) == 0, "as .net, as PNML, and as .net again: the same text");
  ok(front_find("aut")->save(m, stdout, &err) == -1 && err.kind == ERR_USAGE && strstr(err.hint, "graph"),
     "a net is no explicit graph");
  model_close(m);
  free(first);
  free(text);
  is(mem.used, 0, "all memory came back");
}

static void numbers(void) {
  static const struct {
    const char *text;
    enum front_number answer;
    uint32_t value;
  } table[] = {
      {"0", FRONT_NUMBER, 0},
      {" \t\r\n 42 \n", FRONT_NUMBER, 42},
      {"+7", FRONT_NUMBER, 7},
      {"00000000000000000000000000000001", FRONT_NUMBER, 1},
      {"2147483647", FRONT_NUMBER, 2147483647},
      {"2147483648", FRONT_HUGE, 0},
      {"99999999999999999999999999999999999999", FRONT_HUGE, 0},
      {"", FRONT_EMPTY, 0},
      {"  ", FRONT_EMPTY, 0},
      {"-1", FRONT_NEGATIVE, 0},
      {"-0", FRONT_NEGATIVE, 0},
      {"1.0", FRONT_FRACTION, 0},
      {"1e3", FRONT_FRACTION, 0},
      {"1 2", FRONT_NO_NUMBER, 0},
      {"x", FRONT_NO_NUMBER, 0},
      {"+", FRONT_NO_NUMBER, 0},
      {"0x10", FRONT_NO_NUMBER, 0},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    uint32_t value = 0;
    enum front_number n = front_count(table[i].text, strlen(table[i].text), &value);
    ok(n == table[i].answer && (n != FRONT_NUMBER || value == table[i].value), *table[i].text == ' ' ? "blanks" : table[i].text);
  }
  double d;
  ok(front_decimal(" -12.5e1 ", 9, &d) == 0 && d == -125, "a decimal fraction");
  ok(front_decimal("0.1", 3, &d) == 0 && d == 0.1, "exactly");
  ok(front_decimal("1e-400", 6, &d) == 0 && fabs(d) < 1e-300, "tiny");
  ok(front_decimal("1e99999999999", 13, &d) == 0 && isinf(d), "beyond all numbers");
  static const char *const none[] = {"", "-", ".", "e3", "1e", "1e+", "1.2.3", "nan", "inf", "0x1", "1,5"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    ok(front_decimal(none[i], strlen(none[i]), &d) == -1, none[i]);
  }
  static const float values[] = {0, 1, -1, 0.1f, 1.0f / 3, 16777216, 3.4e38f, -3.4e38f, 1.4e-45f, 123.456f, -0.5f};
  size_t wrong = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
      char text[64];
      front_print_decimal(text, values[i]);
      wrong += front_decimal(text, strlen(text), &d) != 0 || (float)d != values[i] || strchr(text, ',') != NULL;
    }
    setlocale(LC_ALL, "de_DE.UTF-8"); /* where it exists the second pass has another decimal sign */
  }
  setlocale(LC_ALL, "C");
  is(wrong, 0, "floats as text and back");
}

static const char *name_of(const void *names, size_t i) { return ((const char *const *)names)[i]; }

static void texts(void) {
  is(front_bad_text("a\tb\r\n\xc3\xa4\xf0\x9f\x98\x80", 11), 11, "good text");
  is(front_bad_text("ab\x7f", 3), 3, "XML takes delete for text, so we do");
  is(front_bad_text("a\0b", 3), 1, "zero is no text");
  is(front_bad_text("\xc3", 1), 0, "nor half a character");
  is(front_bad_text("\xed\xbf\xbf", 3), 0, "nor a surrogate");
  is(front_bad_text("\xf4\x90\x80\x80", 4), 0, "nor anything beyond Unicode");
  is(front_bad_text("\xef\xbf\xbf", 3), 0, "nor U+FFFF");
  is(front_bad_text("\xe0\x80\x80", 3), 0, "nor what is longer than needed");
  static const char *const names[] = {"alpha", "beta", NULL, "gamma", ""};
  is_text(front_nearest("alpa", 4, name_of, names, 5), "alpha", "the nearest name");
  is_text(front_nearest("betta", 5, name_of, names, 5), "beta", "one letter more");
  ok(!front_nearest("epsilon", 7, name_of, names, 5), "nothing near");
  ok(!front_nearest("", 0, name_of, names, 2), "nothing for nothing");
  char long_name[200];
  memset(long_name, 'a', sizeof long_name);
  ok(!front_nearest(long_name, sizeof long_name, name_of, names, 5), "nor for very long names");

  char text[2000];
  memset(text, 'x', sizeof text);
  memcpy(text, "first\nsecond\n", 13);
  FILE *in = fmemopen(text, sizeof text, "r");
  struct front_setup setup = {.input = in};
  err_clear(&err);
  err_input(&err, (struct place_in_text){"f", 2, 3}, "x");
  front_excerpt_again(&err, &setup);
  ok(strcmp(err.excerpt, "second") == 0 && err.caret == 2, "a line found again");
  err_clear(&err);
  text[13 + 999] = 'Y';
  err_input(&err, (struct place_in_text){"f", 3, 1000}, "x");
  front_excerpt_again(&err, &setup);
  ok(err.caret >= 0 && err.excerpt[err.caret] == 'Y', "in the middle of a long line");
  err_clear(&err);
  err_input(&err, (struct place_in_text){"f", 9, 1}, "x");
  front_excerpt_again(&err, &setup);
  is_text(err.excerpt, "", "a line that does not exist");
  fclose(in);
}

int main(void) {
  mem_open(&mem, 0);
  registry();
  opening();
  converting();
  numbers();
  texts();
  return done();
}
