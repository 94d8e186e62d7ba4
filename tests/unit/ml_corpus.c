/* ml_corpus.c -- every declaration and inscription of the corpus' .cpn files through parser and checker.
 *
 * The texts are taken out of the XML here, without the front end: colour sets that are told in elements are written out.  What
 * must hold: everything that is ML is parsed, and at least 95 of 100 texts have a type.  Reasons of those that do not are
 * printed. */
#include "ml/syntax.h"
#include "ml/world.h"
#include "tap.h"

#include <dirent.h>
#include <expat.h>
#include <stdlib.h>

struct node {
  char name[24], id[40], ref[40], to[40];
  char *text;
  size_t length, line;
  struct node *parent, *first, *last, *next;
};

struct reader {
  XML_Parser parser;
  struct node *at;
};

static void start(void *data, const char *name, const char **attribute) {
  struct reader *r = data;
  struct node *n = calloc(1, sizeof *n);
  snprintf(n->name, sizeof n->name, "%s", name);
  n->line = XML_GetCurrentLineNumber(r->parser);
  for (; attribute[0]; attribute += 2) {
    if (!strcmp(attribute[0], "id")) snprintf(n->id, sizeof n->id, "%s", attribute[1]);
    if (!strcmp(attribute[0], "idref")) snprintf(n->ref, sizeof n->ref, "%s", attribute[1]);
    if (!strcmp(attribute[0], "orientation")) snprintf(n->to, sizeof n->to, "%s", attribute[1]);
  }
  n->parent = r->at;
  if (r->at && r->at->last) r->at->last->next = n;
  else if (r->at) r->at->first = n;
  if (r->at) r->at->last = n;
  r->at = n;
}

static void end(void *data, const char *name) {
  struct reader *r = data;
  (void)name;
  if (r->at->parent) r->at = r->at->parent;
}

static void characters(void *data, const char *text, int length) {
  struct node *n = ((struct reader *)data)->at;
  if (!n) return;
  n->text = realloc(n->text, n->length + (size_t)length + 1);
  memcpy(n->text + n->length, text, (size_t)length);
  n->length += (size_t)length;
  n->text[n->length] = 0;
}

static void drop(struct node *n) {
  for (struct node *c = n ? n->first : NULL, *next; c; c = next) {
    next = c->next;
    drop(c);
  }
  if (n) free(n->text);
  free(n);
}

static const struct node *child(const struct node *n, const char *name) {
  for (const struct node *c = n ? n->first : NULL; c; c = c->next)
    if (!strcmp(c->name, name)) return c;
  return NULL;
}

static const char *text_of(const struct node *n) {
  static const char nothing[] = "";
  if (!n || !n->text) return nothing;
  const char *t = n->text;
  while (*t == ' ' || *t == '\n' || *t == '\t' || *t == '\r') t++;
  return t;
}

/* Text that grows. */
struct out {
  char text[65536];
  size_t length;
};
static void put(struct out *o, const char *text) {
  size_t n = strlen(text);
  if (o->length + n + 1 > sizeof o->text) return;
  memcpy(o->text + o->length, text, n);
  o->length += n;
  o->text[o->length] = 0;
}

static void ids(struct out *o, const struct node *n, const char *between) {
  int some = 0;
  for (const struct node *c = n->first; c; c = c->next) {
    if (strcmp(c->name, "id")) continue;
    if (some++) put(o, between);
    put(o, text_of(c));
  }
}

static void with(struct out *o, const struct node *n, const char *open, const char *between, const char *close) {
  const struct node *w = child(n, "with");
  int some = 0;
  if (!w) return;
  put(o, " with ");
  put(o, open);
  for (const struct node *c = w->first; c; c = c->next) {
    if (some++) put(o, between);
    put(o, text_of(c));
  }
  put(o, close);
}

static void fields(struct out *o, const struct node *n, const char *between) {
  int some = 0;
  for (const struct node *f = n->first; f; f = f->next) {
    if (some++) put(o, between);
    const struct node *type = child(f, "type");
    if (type) { /* a union's: name, and what it is of */
      ids(o, f, ":");
      put(o, ":");
      ids(o, type, "");
    } else ids(o, f, ":");
  }
}

static void form(struct out *o, const struct node *n) {
  if (!strcmp(n->name, "enum")) put(o, "with "), ids(o, n, " | ");
  else if (!strcmp(n->name, "product")) put(o, "product "), ids(o, n, " * ");
  else if (!strcmp(n->name, "list")) put(o, "list "), ids(o, n, ""), with(o, n, "", "..", "");
  else if (!strcmp(n->name, "alias")) ids(o, n, "");
  else if (!strcmp(n->name, "record")) put(o, "record "), fields(o, n, " * ");
  else if (!strcmp(n->name, "union")) put(o, "union "), fields(o, n, " + ");
  else if (!strcmp(n->name, "bool")) put(o, "bool"), with(o, n, "(", ",", ")");
  else if (!strcmp(n->name, "index")) {
    put(o, "index "), ids(o, n, ""), put(o, " with ");
    const struct node *low = child(n, "ml");
    put(o, text_of(low)), put(o, ".."), put(o, text_of(low ? low->next : NULL));
  } else if (!strcmp(n->name, "subset")) {
    put(o, "subset "), ids(o, n, "");
    const struct node *by = child(n, "by");
    if (by) put(o, " by "), put(o, text_of(child(by, "ml")));
    else with(o, n, "", "", "");
  } else put(o, n->name), with(o, n, "", "..", "");
}

static int declaration(struct out *o, const struct node *n) {
  o->length = 0;
  o->text[0] = 0;
  if (!strcmp(n->name, "color")) {
    put(o, "colset "), put(o, text_of(child(n, "id"))), put(o, " = ");
    for (const struct node *c = n->first; c; c = c->next)
      if (strcmp(c->name, "id") && strcmp(c->name, "timed") && strcmp(c->name, "layout") && strcmp(c->name, "declare"))
        form(o, c);
    if (child(n, "timed")) put(o, " timed");
  } else if (!strcmp(n->name, "var")) {
    put(o, "var "), ids(o, n, ", "), put(o, " : "), ids(o, child(n, "type"), "");
  } else if (!strcmp(n->name, "globref")) {
    put(o, "globref "), put(o, text_of(child(n, "id"))), put(o, " = "), put(o, text_of(child(n, "ml")));
  } else if (!strcmp(n->name, "ml") || !strcmp(n->name, "errordecl")) put(o, text_of(n));
  else return 0;
  return 1;
}

enum { MOST = 4096 };
struct tally {
  long files, declared, declaration_fails, parsed, parse_fails, checked, check_fails, refused;
  long compile_fails, run, run_fails;
};

static struct ml_text all[MOST];
static size_t alls;

static void gather(const struct node *n, const char *file) {
  static struct out o;
  for (const struct node *c = n->first; c; c = c->next) {
    if (alls < MOST && declaration(&o, c)) {
      all[alls++] = (struct ml_text){strdup(o.text), o.length, {file, (long)c->line, 1}, "declaration"};
    } else if (!strcmp(c->name, "block")) gather(c, file);
  }
}

static void say(const struct err *e, const char *text, int loud) {
  if (!loud) return;
  char shown[120];
  printf("# %s:%ld: %s\n#      %s\n", e->file, e->line, e->message, err_quote(shown, sizeof shown, text, strlen(text)));
}

static int loud;

/* Whatever has a type compiles; what speaks of no variable is a value, and of colours that belong. */
static void evaluate(struct ml *ml, const struct ml_expr *tree, enum ml_wanted want, const struct ml_colset *colset,
                     const char *text, struct tally *t) {
  struct err e = {0};
  const struct ml_code *code;
  struct ml_machine *m = NULL;
  ml_value v;
  if (ml_compile(&code, ml, tree, want, colset, &e) || ml_machine_open(&m, ml, ml->mem, &e)) {
    t->compile_fails++;
    say(&e, text, 1);
  } else if (ml_free_variables(tree, NULL, 0) == 0) {
    t->run++;
    if (ml_run(m, code, NULL, 0, &v) != ML_OK) {
      t->run_fails++;
      printf("# %s\n#      %s\n", ml_machine_fault(m), text);
    } else if (want == ML_WANT_MULTISET) {
      const struct ml_block *b = ml_block(v);
      for (uint32_t i = 1; i < b->size; i += b->tag == ML_BLOCK_TIMED ? 3 : 2)
        if (ml_belongs(m, colset, b->field[i]) != 1) {
          t->run_fails++;
          printf("# not of %s: %s\n", colset->name, text);
          break;
        }
    }
  }
  ml_machine_close(m);
}

static void inscription(struct ml *ml, const char *file, const struct node *n, const char *where, enum ml_wanted want,
                        const struct ml_colset *colset, struct tally *t) {
  const char *text = text_of(child(n, "text"));
  if (want == ML_WANT_DELAY && !strncmp(text, "@+", 2)) text += text[2] == '+' ? 3 : 2;
  if (!*text) return;
  struct ml_text source = {text, strlen(text), {file, (long)n->line, 1}, where};
  struct err e = {0};
  struct ml_expr *tree;
  const struct ml_expr *checked;
  if (ml_parse_expression(&tree, want == ML_WANT_BOOL, ml, &source, &e)) {
    t->parse_fails++;
    say(&e, text, 1);
    return;
  }
  t->parsed++;
  if ((want == ML_WANT_MULTISET) && !colset) return;
  if (!ml_check(&checked, ml, &source, want, colset, &e)) {
    t->checked++;
    evaluate(ml, checked, want, colset, text, t);
  } else if (strstr(e.message, "a state space cannot") || strstr(e.message, "was refused")) t->refused++, say(&e, text, loud > 1);
  else t->check_fails++, say(&e, text, 1);
}

static const struct node *by_id(const struct node *page, const char *id) {
  for (const struct node *c = page->first; c; c = c->next)
    if (!strcmp(c->id, id)) return c;
  return NULL;
}

static void page(struct ml *ml, const char *file, const struct node *p, struct tally *t) {
  for (const struct node *c = p->first; c; c = c->next) {
    if (!strcmp(c->name, "place")) {
      char name[128];
      snprintf(name, sizeof name, "%s", text_of(child(child(c, "type"), "text")));
      while (*name && strchr(" \n\t;", name[strlen(name) - 1])) name[strlen(name) - 1] = 0;
      inscription(ml, file, child(c, "initmark"), "initial marking", ML_WANT_MULTISET, ml_find_colset(ml, name), t);
    } else if (!strcmp(c->name, "trans")) {
      inscription(ml, file, child(c, "cond"), "guard", ML_WANT_BOOL, NULL, t);
      inscription(ml, file, child(c, "time"), "delay", ML_WANT_DELAY, NULL, t);
      inscription(ml, file, child(c, "priority"), "priority", ML_WANT_INT, NULL, t);
    } else if (!strcmp(c->name, "arc")) {
      const struct node *end_of = child(c, "placeend"), *place = end_of ? by_id(p, end_of->ref) : NULL;
      if (!place) continue;
      char name[128];
      snprintf(name, sizeof name, "%s", text_of(child(child(place, "type"), "text")));
      while (*name && strchr(" \n\t;", name[strlen(name) - 1])) name[strlen(name) - 1] = 0;
      inscription(ml, file, child(c, "annot"), "arc", ML_WANT_MULTISET, ml_find_colset(ml, name), t);
    }
  }
}

static void read_file(const char *path, const char *file, struct tally *t) {
  FILE *f = fopen(path, "rb");
  struct reader r = {XML_ParserCreate(NULL), NULL};
  struct mem mem;
  struct ml *ml = NULL;
  struct err e = {0};
  static char buffer[1 << 16];
  if (!f) return;
  XML_SetUserData(r.parser, &r);
  XML_SetElementHandler(r.parser, start, end);
  XML_SetCharacterDataHandler(r.parser, characters);
  int good = 1;
  for (size_t n; good && (n = fread(buffer, 1, sizeof buffer, f));)
    good = XML_Parse(r.parser, buffer, (int)n, 0) == XML_STATUS_OK;
  fclose(f);
  struct node *root = r.at;
  while (root && root->parent) root = root->parent;
  const struct node *net = child(root, "cpnet") ? child(root, "cpnet") : root;
  mem_open(&mem, (size_t)256 << 20);
  if (good && net && !ml_open(&ml, &mem, &e)) {
    t->files++;
    alls = 0;
    gather(child(net, "globbox"), file);
    size_t refused = 0;
    ml_declare_all(ml, all, alls, 1, &refused, &e);
    t->declared += (long)(alls - refused);
    t->declaration_fails += (long)refused;
    if (refused) say(&e, "(the first of the declarations that fail)", 1);
    for (const struct node *c = net->first; c; c = c->next)
      if (!strcmp(c->name, "page")) page(ml, file, c, t);
    for (size_t i = 0; i < alls; i++) free((void *)(uintptr_t)all[i].text);
  } else if (e.kind) say(&e, "", 1);
  ml_close(ml);
  is(mem.used, 0, file);
  XML_ParserFree(r.parser);
  drop(root);
}

int main(int argc, char **argv) {
  const char *corpus = getenv("THIMBLE_CORPUS");
  char folder[512];
  snprintf(folder, sizeof folder, "%s/cpn/files", corpus ? corpus : "../shared/corpus");
  struct dirent **entry = NULL;
  int count = scandir(folder, &entry, NULL, alphasort);
  loud = argc > 1 ? atoi(argv[1]) : 0;
  if (count < 0) {
    skip("corpus", "no corpus");
    return done();
  }
  struct tally t = {0};
  for (int i = 0; i < count; i++) {
    char path[1024];
    size_t length = strlen(entry[i]->d_name);
    snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
    if (length > 4 && !strcmp(entry[i]->d_name + length - 4, ".cpn") && (argc < 3 || strstr(path, argv[2])))
      read_file(path, entry[i]->d_name, &t);
    free(entry[i]);
  }
  free(entry);
  printf("# %ld files; declarations: %ld understood, %ld not; inscriptions: %ld parsed, %ld not; %ld checked, %ld refused by "
         "name, %ld not\n",
         t.files, t.declared, t.declaration_fails, t.parsed, t.parse_fails, t.checked, t.refused, t.check_fails);
  printf("# %ld of them speak of no variable, %ld of these have no value\n", t.run, t.run_fails);
  is(t.compile_fails, 0, "whatever has a type compiles");
  ok(t.run_fails * 50 <= t.run, "constants have values");
  ok(t.parse_fails * 200 <= t.parsed, "at most one inscription in 200 is not parsed");
  ok(t.declaration_fails * 20 <= t.declared, "at least 95 % of the declarations are understood");
  ok((t.check_fails) * 20 <= t.checked + t.refused, "at least 95 % of the inscriptions have a type");
  return done();
}
