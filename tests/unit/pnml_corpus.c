/* pnml_corpus.c -- nets of the model checking contest: their sizes against a count that shares nothing
 * with the reader, coloured ones are unfolded, and PNML -> .net -> PNML gives the same net. */
#include "front/nettext/nettext.h"
#include "front/pnml/pnml.h"

#include "unit/front_read.h"

#include <glob.h>
#include <unistd.h>

/* How often a tag begins in a text. */
static uint32_t tags(const char *text, const char *name) {
  uint32_t n = 0;
  size_t length = strlen(name);
  for (const char *c = text; *c; c++) /* not strstr: under a sanitizer each call looks at the whole rest */
    if (*c == '<' && strncmp(c, name, length) == 0) n += c[length] == ' ' || c[length] == '\n' || c[length] == '>';
  return n;
}

static char *load(const char *path, size_t *length) {
  FILE *f = fopen(path, "re");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  *length = (size_t)ftell(f);
  rewind(f);
  char *text = malloc(*length + 1);
  if (fread(text, 1, *length, f) != *length) *length = 0;
  text[*length] = 0;
  fclose(f);
  return text;
}

/* Writes a net with one writer and reads it back with one reader; the result replaces r->net. */
static int through(struct reading *r, int (*write)(const struct pt_net *, FILE *, struct err *), net_reader *read) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  int status = write(r->net, out, &r->err);
  fclose(out);
  read_done(r);
  if (!status) status = read_bytes(r, read, text, length, 0, 0);
  free(text);
  return status;
}

static int one(const char *path) {
  struct reading r = {0}, other = {0};
  size_t length = 0;
  char *text = load(path, &length);
  int coloured = strstr(path, "-COL-") != NULL, status = read_bytes(&r, pnml_read, text, length, 0, 0), good;
  if (coloured) {
    good = status == 0 && r.net->place_families.count == tags(text, "<place") && r.net->transition_families.count == tags(text, "<transition");
  } else {
    good = status == 0 && r.net->places == tags(text, "<place") && r.net->transitions == tags(text, "<transition") &&
           r.net->arcs == tags(text, "<arc") && (r.net->units > 0) == (strstr(text, "tool=\"nupn\"") != NULL) && !r.warning[0];
    if (!good && r.net)
      printf("# %s: %u %u %u, but %u %u %u %s\n", path, r.net->places, r.net->transitions, r.net->arcs, tags(text, "<place"),
             tags(text, "<transition"), tags(text, "<arc"), r.warning);
    if (good) {
      good = read_bytes(&other, pnml_read, text, length, 0, 0) == 0 && through(&other, nettext_write, nettext_read) == 0 &&
             same_net(r.net, other.net) && through(&other, pnml_write, pnml_read) == 0 && same_net(r.net, other.net);
      if (!good)
        printf("# %s: not the same after a round trip: %ld:%ld %s\n", path, other.err.line, other.err.column, other.err.message);
    }
  }
  if (!good && status) printf("# %s:%ld:%ld: %s\n", path, r.err.line, r.err.column, r.err.message);
  good = read_done(&r) && read_done(&other) && good;
  free(text);
  return good;
}

int main(void) {
  const char *corpus = getenv("THIMBLE_CORPUS");
  char pattern[4096];
  glob_t files;
  if (!corpus) corpus = "../shared/corpus";
  snprintf(pattern, sizeof pattern, "%s/pnml/*/model.pnml", corpus);
  if (glob(pattern, 0, NULL, &files)) {
    skip("nets of the contest", "no corpus");
    return done();
  }
  size_t good = 0, coloured = 0;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    good += (size_t)one(files.gl_pathv[i]);
    coloured += strstr(files.gl_pathv[i], "-COL-") != NULL;
  }
  is(good, files.gl_pathc, "every net has the size that its text has, and survives a round trip, or is unfolded");
  printf("# %zu files, %zu coloured\n", files.gl_pathc, coloured);
  globfree(&files);
  return done();
}
