/* trace.c -- trace files: what is written is read back, what is damaged is refused, nothing leaks. */
#include "front/front.h"
#include "report/trace_view.h"
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>

static const char net[] = "net n\nplace \"a\\\"b\" = 2, q\nplace \"#meta\"\ntransition \"t\\\\1\" : \"a\\\"b\" -> q, "
                          "\"#meta\"\ntransition back : q -> \"a\\\"b\"\n";

static struct mem mem;
static struct err e;
static char *text;
static size_t length;

static struct model *load(void) {
  struct model *m = NULL;
  FILE *in = fmemopen((void *)(uintptr_t)net, strlen(net), "r");
  struct front_setup setup = {.mem = &mem, .file = "test.net", .input = in};
  err_clear(&e);
  if (front_find("net")->load(&m, &setup, &e)) printf("# %ld:%ld %s\n", e.line, e.column, e.message);
  fclose(in);
  return m;
}

static FILE *begin(void) {
  free(text);
  text = NULL;
  return open_memstream(&text, &length);
}

static int read_back(struct trace_file **out, const char *data, size_t size) {
  FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
  err_clear(&e);
  *out = NULL;
  int bad = trace_file_read(out, in, "t.json", &mem, &e);
  fclose(in);
  return bad;
}

static void round_trip(struct model *m) {
  uint32_t groups[] = {0, 0, 1};
  struct trace t;
  struct trace_view view, again;
  struct trace_file *file;
  ok(trace_make_groups(&t, m, groups, 3, &mem, &e) == 0, "a trace");
  strcpy(t.property, "invariant:1");
  strcpy(t.verdict, "violated");
  t.shortest = 1;
  trace_view_model(&view, &t, m);
  view.property_kind = "invariant";
  view.property_text = "q < 2";
  FILE *f = begin();
  ok(trace_write_json(&view, f) == 0, "is written");
  fclose(f);
  if (!ok(read_back(&file, text, length) == 0, "and read back")) {
    printf("# %s\n%s", e.message, text);
    return;
  }
  trace_file_view(file, &again);
  ok(again.trace->count == 3 && again.trace->vars == 3 && again.trace->shortest, "steps and variables");
  ok(memcmp(again.trace->initial, t.initial, sizeof(int64_t) * 3) == 0, "values at the start");
  int same = again.trace->change_count == t.change_count;
  for (size_t i = 0; i < t.change_count && same; i++)
    same = t.change[i].var == again.trace->change[i].var && t.change[i].from == again.trace->change[i].from &&
           t.change[i].to == again.trace->change[i].to;
  ok(same, "changes");
  is_text(again.var(again.context, 0), view.var(view.context, 0), "a name with a quote in it");
  is_text(again.step(again.context, again.trace, 0), view.step(view.context, &t, 0), "a step with a backslash in it");
  is_text(again.trace->property, "invariant:1", "the property");
  is_text(again.property_text, "q < 2", "and its text");
  char *first = strdup(text);
  f = begin();
  trace_write_json(&again, f);
  fclose(f);
  is_text(text, first, "written again it is the same");
  free(first);
  f = begin();
  err_clear(&e);
  ok(trace_write_itf(&again, &mem, f, &e) == 0, "ITF is written");
  fclose(f);
  json_t *itf = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  ok(itf && json_array_size(json_object_get(itf, "states")) == 4, "as valid JSON with four states, no key twice");
  json_t *last = json_array_get(json_object_get(itf, "states"), 3);
  is(json_integer_value(json_object_get(last, "meta[2]")), 2, "a variable called #meta does not hide ITF's own");
  json_decref(itf);
  trace_file_close(file);
  trace_free(&t);
}

/* The file without each of its lines, cut at every byte, and with single bytes changed: read or refused, never a crash. */
static void damage(struct model *m) {
  uint32_t groups[] = {0, 1};
  struct trace t;
  struct trace_view view;
  struct trace_file *file;
  trace_make_groups(&t, m, groups, 2, &mem, &e);
  trace_view_model(&view, &t, m);
  FILE *f = begin();
  trace_write_json(&view, f);
  fclose(f);
  int told = 1, kept = 0;
  size_t used = mem.used;
  for (size_t n = 1; n + 2 < length; n++) {
    int bad = read_back(&file, text, n);
    told &= bad && e.kind == ERR_INPUT && e.message[0];
    trace_file_close(file);
    kept |= mem.used != used;
  }
  ok(told, "cut anywhere it is refused with a reason");
  unsigned seed = 3;
  char *copy = malloc(length);
  for (int round = 0; round < 4000; round++) {
    memcpy(copy, text, length);
    for (int k = 0; k <= round % 3; k++) {
      seed = seed * 1103515245u + 12345u;
      copy[(seed >> 8) % length] = "0-9\"{}[],:e\\x"[(seed >> 4) % 13];
    }
    if (read_back(&file, copy, length) == 0) {
      FILE *null = fopen("/dev/null", "w");
      struct trace_telling story = {0};
      trace_file_view(file, &view);
      trace_write_text(&view, &story, null);
      trace_write_itf(&view, &mem, null, &e);
      fclose(null);
    }
    trace_file_close(file);
    kept |= mem.used != used;
  }
  ok(1, "with changed bytes it is read or refused");
  for (size_t n = 1;; n++) {
    mem.fail_after = n;
    int bad = read_back(&file, text, length), over = mem.fail_after > 0;
    mem.fail_after = 0;
    told &= !bad || e.kind == ERR_MEMORY;
    trace_file_close(file);
    kept |= mem.used != used;
    if (over) break;
  }
  ok(told, "a refused allocation is told as such");
  ok(!kept, "nothing leaks");
  free(copy);
  trace_free(&t);
}

static void wrong(const char *json, const char *what) {
  struct trace_file *file;
  int bad = read_back(&file, json, strlen(json));
  ok(bad && e.kind == ERR_INPUT, what);
  if (bad) printf("# %s\n", e.message);
  trace_file_close(file);
}

#define START "{\"schema\":\"thimble.trace/1\",\"variables\":[\"p\"],\"initial\":[1],\"path\":["
static void refusals(void) {
  wrong("{}", "no schema");
  wrong("[]", "no object");
  wrong("{\"schema\":\"thimble.verdict/1\"}", "another schema");
  wrong("{\"schema\":\"thimble.trace/1\"}", "nothing but a schema");
  wrong("{\"schema\":\"thimble.trace/1\",\"variables\":[\"p\"],\"initial\":[],\"path\":[]}", "values missing");
  wrong("{\"schema\":\"thimble.trace/1\",\"variables\":[3],\"initial\":[1],\"path\":[]}", "a variable without a name");
  wrong(START "{\"transition\":\"t\"}]}", "a step without changes");
  wrong(START "{\"transition\":\"t\",\"changes\":[{\"variable\":1,\"from\":0,\"to\":1}]}]}", "a variable that is not there");
  wrong(START "{\"transition\":\"t\",\"changes\":[{\"variable\":-1,\"from\":0,\"to\":1}]}]}", "a negative one");
  wrong(START "{\"transition\":\"t\",\"changes\":[{\"variable\":0,\"from\":0,\"to\":1}]}]}", "a change that begins elsewhere");
  wrong(START "{\"transition\":\"t\",\"edge\":-1,\"changes\":[]}]}", "an edge that is none");
  wrong(START "],\"loop\":4}", "a loop that begins nowhere");
  char deep[9000];
  memset(deep, '[', sizeof deep - 1);
  deep[sizeof deep - 1] = 0;
  wrong(deep, "deep nesting");
}

static void story(struct model *m) {
  enum { N = 60 };
  uint32_t groups[N];
  for (int i = 0; i < N; i++) groups[i] = i % 2;
  struct trace t;
  struct trace_view view;
  trace_make_groups(&t, m, groups, N, &mem, &e);
  trace_view_model(&view, &t, m);
  struct trace_telling how = {0, 12, 8, "file.json"};
  FILE *f = begin();
  trace_write_text(&view, &how, f);
  fclose(f);
  ok(strstr(text, "... 40 steps between; all of them: thimble trace file.json"),
     "a long story is cut in the middle and says where it is whole");
  int lines = 0;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  is(lines, 1 + 12 + 1 + 8, "start, 12 steps, the cut, 8 steps");
  ok(strstr(text, "\n  60  back"), "with the last step");
  trace_free(&t);
}

int main(void) {
  mem_open(&mem, 0);
  struct model *m = load();
  if (!ok(m != NULL, "the net is read")) return done();
  round_trip(m);
  damage(m);
  refusals();
  story(m);
  model_close(m);
  free(text);
  is(mem.used, 0, "nothing is kept");
  return done();
}
