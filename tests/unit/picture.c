/* picture.c -- pictures: what may stay of an SVG file, names and expressions, what a state looks like, short memory. */
#define _GNU_SOURCE /* memmem */
#include "front/front.h"
#include "report/picture.h"
#include "search/stepper.h"
#include "tap.h"

#include <expat.h>
#include <jansson.h>
#include <stdlib.h>

static const char net[] = "net n\nplace a = 2, b\nplace \"long name\"\ntransition move : a -> b\ntransition \"go on\" : b -> \"long name\"\ntransition back1 : \"long name\" -> a\n";

static struct mem mem;
static struct err e;
static char *text;
static size_t length;

static struct model *load(const char *language, const char *source) {
  struct model *m = NULL;
  FILE *in = fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  struct front_setup setup = {.mem = &mem, .file = "test", .input = in};
  err_clear(&e);
  if (front_find(language)->load(&m, &setup, &e)) printf("# %ld:%ld %s\n", e.line, e.column, e.message);
  fclose(in);
  return m;
}

static struct picture *read_picture(const char *svg) {
  struct picture *p = NULL;
  FILE *in = fmemopen((void *)(uintptr_t)svg, strlen(svg), "r");
  err_clear(&e);
  int bad = picture_read(&p, in, "p.svg", &mem, &e);
  fclose(in);
  return bad ? NULL : p;
}

static int has(const struct picture *p, const char *what) { return p->svg.at && memmem(p->svg.at, p->svg.count, what, strlen(what)) != NULL; }

static int complains(const struct picture *p, long line, const char *what) {
  for (size_t i = 0; i < p->problem.count; i++)
    if (p->problem.at[i].line == line && strstr(p->problem.at[i].text, what)) return 1;
  for (size_t i = 0; i < p->problem.count; i++) printf("# %ld: %s\n", p->problem.at[i].line, p->problem.at[i].text);
  return 0;
}

static int well_formed(const struct picture *p) {
  XML_Parser x = XML_ParserCreate(NULL);
  int good = XML_Parse(x, p->svg.at, (int)p->svg.count, 1) == XML_STATUS_OK;
  XML_ParserFree(x);
  return good;
}

/* ---- what may stay ---------------------------------------------------------------------------------------------------------------------------- */

static void hostile(void) {
  static const struct {
    const char *inside, *gone; /* gone: must not be in what is left */
    const char *says;          /* the complaint; NULL = none */
  } all[] = {
      {"<script>alert(1)</script>", "alert", "may not run"},
      {"<SCRIPT>alert(1)</SCRIPT>", "alert", "may not run"},
      {"<svg:script xmlns:svg='x'>alert(1)</svg:script>", "alert", "may not run"},
      {"<foreignObject><body onload='x()'/></foreignObject>", "onload", "only drawings"},
      {"<rect onclick='alert(1)' width='1'/>", "alert", "may not run"},
      {"<rect OnMouseOver='alert(1)' width='1'/>", "alert", "may not run"},
      {"<a href='javascript:alert(1)'><rect width='1'/></a>", "javascript", "no links"},
      {"<use href='http://x/y.svg#a'/>", "http://x", "from elsewhere"},
      {"<image href='//x/y.png'/>", "//x", "from elsewhere"},
      {"<image href='data:image/svg+xml;base64,AAAA'/>", "svg+xml", "from elsewhere"},
      {"<image xlink:href='file:///etc/passwd'/>", "passwd", "from elsewhere"},
      {"<image hrEf='http://x'/>", "http://x", "from elsewhere"}, /* HTML does not tell cases apart */
      {"<image SRC='http://x'/>", "http://x", NULL},
      {"<rect style='fill:url(http://x/y)'/>", "http://x", "could load"},
      {"<rect style='fill: u\\72l(http://x/y)'/>", "http://x", "could load"},
      {"<rect fill=\"url( 'http://x/y')\"/>", "http://x", "could load"},
      {"<rect style='background:image-set(\"http://x/y\" 1x)'/>", "http://x", "could load"},
      {"<rect style='width:expression(alert(1))'/>", "alert", "could load"},
      {"<style>@import 'http://x/y.css';</style>", "http://x", "could load"},
      {"<style>@font-face { src: url(http://x) }</style>", "http://x", "could load"},
      {"<style>rect { fill: url(http://x/y) }</style>", "http://x", "could load"},
      {"<style>a</style><rect/>", "zzz", NULL},
      {"<animate attributeName='href' to='javascript:alert(1)'/>", "alert", "the model moves"},
      {"<set attributeName='onclick' to='alert(1)'/>", "alert", "the model moves"},
      {"<iframe src='http://x'/>", "http://x", "none of the elements"},
      {"<sodipodi:namedview xmlns:sodipodi='s' pagecolor='#fff'/>", "pagecolor", NULL},
      {"<metadata><x/></metadata>", "metadata", NULL},
      {"<rect data-secret='1' xmlns:y='z' y:q='1'/>", "secret", NULL},
      {"<text>&lt;script&gt;alert(1)&lt;/script&gt; \" &amp;</text>", "<script", NULL},
      {"<?php alert ?><!-- alert --><rect/>", "alert", NULL},
      {"<![CDATA[<script>]]>", "<script", NULL},
  };
  char svg[600];
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    snprintf(svg, sizeof svg, "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='l' width='10' height='20'>\n%s\n<circle r='1'/></svg>", all[i].inside);
    struct picture *p = read_picture(svg);
    if (!ok(p != NULL, "a hostile picture is read")) {
      printf("# %zu: %s\n", i, e.message);
      continue;
    }
    if (!ok(!has(p, all[i].gone) && has(p, "<circle r=\"1\">") && well_formed(p), "what runs or loads is gone, the rest is not")) printf("# %zu: %.*s\n", i, (int)p->svg.count, p->svg.at);
    ok(all[i].says ? complains(p, 2, all[i].says) : p->problem.count == 0, "and it is said");
    picture_close(p);
  }
  struct picture *p = read_picture("<svg xmlns='http://www.w3.org/2000/svg' width='10mm' height='20'><defs><linearGradient id='g'/></defs><rect fill='url(#g)' style='stroke: rgb(1, 2, 3); fill:url(#g)' transform='translate(1 2) rotate(3)'/>"
                                   "<use xlink:href='#g' xmlns:xlink='l'/><image href='data:image/png;base64,AAAA'/><style>@media (min-width: 3px) { .x { fill: red } }</style></svg>");
  ok(p && p->problem.count == 0 && has(p, "fill=\"url(#g)\"") && has(p, "translate(1 2)") && has(p, "data:image/png") && has(p, "@media"), "what is harmless stays");
  ok(p && has(p, "viewBox=\"0 0 10 20\""), "and can be scaled");
  picture_close(p);
}

static void refused(void) {
  static const struct {
    const char *svg, *says;
  } all[] = {{"<html/>", "no SVG"}, {"<svg><g></svg>", "not well-formed"}, {"", "not well-formed"}, {"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg>&a;</svg>", "entities"}, {"{}", "not well-formed"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    FILE *in = *all[i].svg ? fmemopen((void *)(uintptr_t)all[i].svg, strlen(all[i].svg), "r") : fopen("/dev/null", "r");
    struct picture *p = NULL;
    err_clear(&e);
    ok(picture_read(&p, in, "p.svg", &mem, &e) && e.kind == ERR_INPUT && strstr(e.message, all[i].says) && e.line > 0, "what is no picture is refused with its place");
    fclose(in);
  }
  char *deep = malloc(100000);
  strcpy(deep, "<svg>");
  for (size_t i = 0; i < 1000; i++) strcat(deep, "<g>");
  ok(!read_picture(deep) && strstr(e.message, "too deeply"), "depth has an end");
  free(deep);
}

/* ---- names and values ------------------------------------------------------------------------------------------------------------------------- */

static json_t *looks(struct picture *p, struct stepper *s) {
  struct json_out j;
  free(text);
  text = NULL;
  FILE *f = open_memstream(&text, &length);
  json_out_open(&j, f, 0);
  json_out_object(&j, NULL);
  picture_look_json(p, s->cursor, s->state, &j);
  json_out_end(&j);
  json_out_close(&j);
  fclose(f);
  return json_loads(text, 0, NULL);
}

static const json_t *look(const json_t *all, json_int_t element, const char *key) {
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(all, "looks"), i, one) if (json_integer_value(json_object_get(one, "element")) == element && json_object_get(one, key)) return json_object_get(one, key);
  return NULL;
}

static void values(void) {
  static const char svg[] = "<svg>\n"
                            "<text data-thimble-text='{a} of {a + b}, \"{\"long name\"}'/>\n"                      /* 0 */
                            "<rect data-thimble-show='b > 0' data-thimble-move='10 * a, -5'/>\n"              /* 1 */
                            "<g data-thimble-count='a' data-thimble-turn='90 * b'/>\n"                        /* 2 */
                            "<rect data-thimble-fill='b: tomato; a > 1: #0a0; rgb(1, 2, 3)' data-thimble-stroke='b: red'/>\n" /* 3 */
                            "<rect data-thimble-click='move, \"go *\"'/><text id='a'/><rect id='back1'/>\n"    /* 4 5 6 */
                            "<circle data-thimble-on='mo*'/><text id='zzz'/>\n"                                 /* 7 8 */
                            "</svg>";
  struct model *m = load("net", net);
  struct picture *p = read_picture(svg);
  struct stepper s;
  if (!ok(m && p && picture_tie(p, m, &e) == 0, "a picture is tied to a net")) return;
  is(p->problem.count, 0, "without complaints");
  for (size_t i = 0; i < p->problem.count; i++) printf("# %ld %s\n", p->problem.at[i].line, p->problem.at[i].text);
  is(p->pictured, 3, "all transitions have a part");
  ok(stepper_open(&s, m, &mem, &e) == 0, "at the start");
  json_t *all = looks(p, &s);
  is_text(json_string_value(look(all, 0, "text")), "2 of 2, \"0", "text with variables and expressions");
  ok(json_is_false(look(all, 1, "show")), "shown or not");
  is(json_integer_value(json_array_get(look(all, 1, "move"), 0)), 20, "a place, x");
  is(json_integer_value(json_array_get(look(all, 1, "move"), 1)), -5, "and y");
  is(json_integer_value(look(all, 2, "count")), 2, "how many");
  is(json_integer_value(look(all, 2, "turn")), 0, "turned");
  is_text(json_string_value(look(all, 3, "fill")), "#0a0", "the first colour whose condition is true");
  ok(json_is_null(look(all, 3, "stroke")), "or none");
  is_text(json_string_value(look(all, 5, "text")), "2", "a text by its id");
  ok(!look(all, 8, "text"), "not if nothing is called so");
  json_decref(all);
  uint32_t group;
  ok(stepper_expand(&s, &e) == 0 && stepper_take(&s, 0, &group, &e) == 1, "one step on");
  all = looks(p, &s);
  is_text(json_string_value(look(all, 0, "text")), "1 of 2, \"0", "other values");
  ok(json_is_true(look(all, 1, "show")), "shown now");
  is_text(json_string_value(look(all, 3, "fill")), "tomato", "another colour");
  is(json_integer_value(look(all, 2, "turn")), 90, "turned");
  json_decref(all);
  stepper_close(&s);
  picture_close(p);
  m->type->close(m);
}

static void wrong_names(void) {
  static const char svg[] = "<svg>\n<text data-thimble-text='{aa}'/>\n<rect data-thimble-show='c > 0'/>\n<rect data-thimble-click='moove, back*'/>\n<rect data-thimble-move='a'/>\n"
                            "<rect data-thimble-fill='a: url(http://x)'/>\n<rect data-thimble-fill='a: red;} body{'/>\n<rect data-thimble-shwo='a'/>\n<rect data-thimble-text='a'/>\n<rect data-thimble-show=''/>\n</svg>";
  struct model *m = load("net", net);
  struct picture *p = read_picture(svg);
  if (!ok(m && p && picture_tie(p, m, &e) == 0, "wrong names stop nothing")) return;
  ok(complains(p, 2, "aa"), "an unknown variable");
  ok(complains(p, 3, "c"), "an unknown name in an expression");
  ok(complains(p, 4, "no transition is called moove; did you mean move?"), "an unknown transition, with a guess");
  ok(complains(p, 5, "two expressions"), "half a place");
  ok(complains(p, 6, "must be a colour"), "an address is no colour");
  ok(complains(p, 7, "must be a colour"), "nor is a style sheet");
  ok(complains(p, 8, "shwo is unknown"), "an unknown attribute");
  ok(complains(p, 9, "only text"), "text in a rectangle");
  ok(complains(p, 10, "says nothing"), "an empty one");
  is(p->pictured, 1, "one transition has a part");
  struct stepper s;
  ok(stepper_open(&s, m, &mem, &e) == 0, "it is looked at");
  json_t *all = looks(p, &s);
  is_text(json_string_value(look(all, 0, "text")), "?", "what is not known is a question mark");
  json_decref(all);
  stepper_close(&s);
  picture_close(p);
  m->type->close(m);
}

static void processes(void) {
  static const char source[] = "mtype = { red, green };\nbyte n = 3; mtype light = red;\nproctype P(byte k) { byte mine; mine = k; light = green }\ninit { run P(7) }\n";
  struct model *m = load("promela", source);
  struct picture *p = read_picture("<svg><text data-thimble-text='{n} {light} {P[1].mine}'/><rect data-thimble-show='light == green'/></svg>");
  struct stepper s;
  uint32_t group;
  if (!ok(m && p && picture_tie(p, m, &e) == 0, "a picture of processes")) return;
  ok(stepper_open(&s, m, &mem, &e) == 0, "at the start");
  json_t *all = looks(p, &s);
  is_text(json_string_value(look(all, 0, "text")), "3 red ", "values as the language writes them; nothing of a process that is not there yet");
  json_decref(all);
  for (int i = 0; i < 3; i++)
    if (stepper_expand(&s, &e) || stepper_take(&s, 0, &group, &e) != 1) ok(0, "a step");
  all = looks(p, &s);
  if (!ok(strcmp(json_string_value(look(all, 0, "text")), "3 green 7") == 0 && json_is_true(look(all, 1, "show")), "and there it is")) printf("# %s\n", text);
  json_decref(all);
  stepper_close(&s);
  picture_close(p);
  m->type->close(m);
}

static void short_memory(void) {
  struct model *m = load("net", net);
  size_t before = mem.used;
  int made = 0, refusals = 0;
  for (size_t n = 1; n < 120; n++) {
    mem.fail_after = n;
    struct picture *p = read_picture("<svg><style>.x{}</style><script/><text data-thimble-text='{a} {b}'/><rect data-thimble-click='m*' data-thimble-show='a' id='x' data-thimble-fill='a: red'/></svg>");
    int good = p && picture_tie(p, m, &e) == 0;
    mem.fail_after = 0;
    made += good;
    refusals += !good && e.kind == ERR_MEMORY;
    picture_close(p);
  }
  ok(made > 0 && refusals > 3 && made + refusals == 119, "each refused request is an ordinary answer");
  is(mem.used, before, "and nothing is left behind");
  m->type->close(m);
}

int main(void) {
  mem_open(&mem, 0);
  hostile();
  refused();
  values();
  wrong_names();
  processes();
  short_memory();
  is(mem.used, 0, "nothing leaks");
  free(text);
  return done();
}
