/* chart.c -- message sequence charts: which receive belongs to which send, lifelines, mappings, all formats, hostile names, long runs, short memory. */
#include "report/chart.h"
#include "report/chart_map.h"
#include "tap.h"

#include <expat.h>
#include <stdlib.h>

enum { MOST = 64 };

static struct mem mem;
static struct err e;
static struct model_part part[MOST];
static size_t part_start[MOST + 1], change_start[MOST + 1];
static struct model_field field[MOST];
static struct model_process started[MOST];
static const char *names[MOST];
static struct trace trace;
static struct trace_view view;
static struct chart chart;
static char *text;
static size_t length;

static const char *name_of_step(const void *context, const struct trace *t, size_t step) {
  (void)context;
  (void)t;
  return names[step];
}
static const char *name_of_var(const void *context, uint32_t var) {
  (void)context;
  (void)var;
  return "p";
}

/* ---- a trace, part by part -------------------------------------------------------------------------------------------------------------- */

static void begin(void) {
  memset(&trace, 0, sizeof trace);
  memset(part, 0, sizeof part);
  trace.mem = &mem;
  trace.part = part;
  trace.part_start = part_start;
  trace.change_start = change_start;
  trace.loop = -1;
  memset(change_start, 0, sizeof change_start);
  view = (struct trace_view){.trace = &trace, .file = "dir/some.pml", .var = name_of_var, .step = name_of_step};
}

static struct model_part *add(const char *process, uint32_t pid, const char *statement, int same_step) {
  struct model_part *p = &part[trace.part_count];
  *p = (struct model_part){.process = {process, pid}, .statement = statement};
  if (!same_step) {
    part_start[trace.count] = trace.part_count;
    names[trace.count] = statement;
    trace.count++;
  }
  part_start[trace.count] = ++trace.part_count;
  return p;
}

static struct model_part *talk(const char *process, uint32_t pid, enum model_deed deed, const char *channel, const char *message) {
  struct model_part *p = add(process, pid, "talks", 0);
  struct model_field *f = &field[trace.part_count - 1];
  *f = (struct model_field){message, 0, 1};
  p->deed = deed;
  p->channel = channel;
  p->message = f;
  p->fields = 1;
  return p;
}

static void start(struct model_part *p, const char *process, uint32_t pid) {
  struct model_process *s = &started[p - part];
  *s = (struct model_process){process, pid};
  p->started = s;
  p->started_count = 1;
}

static int make(const struct chart_map *map) {
  err_clear(&e);
  return ok(chart_make(&chart, &view, map, &mem, &e) == 0, "a chart is made");
}

static const struct chart_event *message(uint32_t sent) {
  for (uint32_t i = 0; i < chart.events; i++)
    if (chart.event[i].kind == CHART_MESSAGE && chart.event[i].from != CHART_NOBODY && chart.event[i].step == sent) return &chart.event[i];
  return NULL;
}

/* ---- processes -------------------------------------------------------------------------------------------------------------------------------- */

static void buffers(void) {
  begin();
  talk("A", 0, MODEL_SENDS, "q", "x");
  talk("A", 0, MODEL_SENDS, "q", "y");
  talk("C", 2, MODEL_SENDS, "q", "x");
  talk("A", 0, MODEL_SENDS, "r", "x");
  talk("B", 1, MODEL_RECEIVES, "q", "y"); /* by content: ?? */
  talk("B", 1, MODEL_RECEIVES, "r", "x");
  talk("B", 1, MODEL_RECEIVES, "q", "x");
  talk("B", 1, MODEL_PEEKS, "q", "x");
  talk("B", 1, MODEL_RECEIVES, "q", "z"); /* was there before */
  talk("A", 0, MODEL_SENDS, "q", "w")->lost = 1;
  talk("B", 1, MODEL_RECEIVES, "q", "x");
  if (!make(NULL)) return;
  is(chart.lifelines, 3, "three lifelines");
  is_text(chart.lifeline[0].name, "A[0]", "in the order of pids");
  is_text(chart.lifeline[2].name, "C[2]", "though the third is met first");
  is(message(1)->received, 7, "the oldest of equal content is received first");
  is(message(2)->received, 5, "another content overtakes");
  is(message(3)->received, 11, "then the next one");
  is(message(3)->from, 2, "from who sent it");
  is(message(4)->received, 6, "channels do not mix");
  ok(message(10)->lost && message(10)->to == CHART_NOBODY && message(10)->received == CHART_NEVER, "a lost message arrives nowhere");
  is(message(1)->row, 0, "rows are in the order of the run: a send");
  is(message(1)->last_row, 6, "and a receive");
  is(chart.rows, 11, "one row for each end");
  int peeks = 0, found = 0;
  for (uint32_t i = 0; i < chart.events; i++) {
    peeks += chart.event[i].kind == CHART_ACTION && strcmp(chart.event[i].label, "reads x in q") == 0;
    found += chart.event[i].kind == CHART_MESSAGE && chart.event[i].from == CHART_NOBODY && chart.event[i].received == 9;
  }
  is(peeks, 1, "a peek takes nothing");
  is(found, 1, "a message from before");
  chart_close(&chart);
}

static void lives(void) {
  begin();
  start(add("A", 0, "run P()", 0), "P", 1);
  talk("P", 1, MODEL_SENDS, "P[1].own", "x");
  talk("P", 1, MODEL_SENDS, "all", "x");
  add("P", 1, "ends", 0)->ended = 1;
  start(add("A", 0, "run P()", 0), "P", 1);
  talk("P", 1, MODEL_RECEIVES, "all", "x");
  talk("P", 1, MODEL_RECEIVES, "P[1].own", "x"); /* cannot be the one of the other P[1] */
  trace.stand = (struct model_stand[]){{.process = {"quiet", 7}, .statement = "q?x"}};
  trace.stand_count = 1;
  if (!make(NULL)) return;
  is(chart.lifelines, 3, "one lifeline for both lives, and one for who never moves");
  is_text(chart.lifeline[1].name, "quiet[7]", "who was there from the start comes first");
  is(chart.lifeline[2].from, 1, "a birth");
  is(chart.lifeline[2].to, CHART_NEVER, "alive at the end");
  is(chart.lifeline[0].from, CHART_NEVER, "there from the start");
  is(message(2)->received, CHART_NEVER, "a local channel dies with its process");
  is(message(3)->received, 6, "a global one does not");
  chart_close(&chart);
}

static void steps(void) {
  begin();
  struct model_part *p = talk("A", 0, MODEL_SENDS, "r", "x");
  p->partner = (struct model_process){"B", 1};
  p = add("B", 1, "r?x", 1);
  p->deed = MODEL_RECEIVES;
  p->channel = "r";
  p->message = &field[0];
  p->fields = 1;
  p->partner = (struct model_process){"A", 0};
  add("B", 1, "x = 1", 0)->printed = "one\n";
  add("B", 1, "y = 2", 1)->fault = "broken";
  trace.loop = 1;
  strcpy(trace.message, "broken (some.pml:3)");
  if (!make(NULL)) return;
  ok(chart.event[0].kind == CHART_MESSAGE && chart.event[0].meeting && chart.event[0].row == chart.event[0].last_row, "a rendezvous is one event");
  ok(chart.event[1].kind == CHART_LOOP && chart.event[1].row == 1 && chart.event[1].last_row == 5 && chart.event[1].received == 2, "a loop has its rows");
  ok(chart.event[2].kind == CHART_ATOMIC && chart.event[2].row == 2 && chart.event[2].last_row == 5 && chart.event[2].from == 1 && chart.event[2].to == 1, "an atomic step, too");
  is_text(chart.event[4].label, "one", "what was printed, without its last line end");
  is(chart.event[6].tone, CHART_FAULT, "what went wrong is told");
  is(chart.events, 7, "once");
  chart_close(&chart);
}

/* ---- writing ------------------------------------------------------------------------------------------------------------------------------------ */

static FILE *open_text(void) {
  free(text);
  text = NULL;
  return open_memstream(&text, &length);
}

static int well_formed(void) {
  XML_Parser p = XML_ParserCreate(NULL);
  int good = XML_Parse(p, text, (int)length, 1) == XML_STATUS_OK;
  if (!good) printf("# %s at line %lu\n", XML_ErrorString(XML_GetErrorCode(p)), (unsigned long)XML_GetCurrentLineNumber(p));
  XML_ParserFree(p);
  return good;
}

static void small_formats(void) {
  begin();
  talk("A", 0, MODEL_SENDS, "q", "x");
  add("B", 1, "skip", 0);
  talk("B", 1, MODEL_RECEIVES, "q", "x");
  if (!make(NULL)) return;
  FILE *f = open_text();
  struct json_out j;
  json_out_open(&j, f, 0);
  chart_write_json(&j, NULL, &chart);
  json_out_close(&j);
  fclose(f);
  is_text(text,
          "{\"rows\":3,\"lifelines\":[{\"name\":\"A[0]\", \"from\":null, \"to\":null},{\"name\":\"B[1]\", \"from\":null, \"to\":null}],\"events\":["
          "{\"step\":1, \"kind\":\"message\", \"row\":0, \"from\":0, \"to\":1, \"label\":\"x\", \"channel\":\"q\", \"sent\":1, \"received\":3, \"arrives\":2},"
          "{\"step\":2, \"kind\":\"action\", \"row\":1, \"at\":1, \"label\":\"skip\"}]}\n",
          "as JSON");
  f = open_text();
  chart_write_text(&chart, &(struct chart_drawing){0, 80}, f);
  fclose(f);
  is_text(text, "         A[0]        B[1]\n"
                "  1        ├─ q: x ─▷ #1\n"
                "  2        │           ● skip\n"
                "  3        │ #1 q: x ─▷│\n", "as text");
  f = open_text();
  chart_write_mermaid(&chart, f);
  fclose(f);
  is_text(text, "sequenceDiagram\n  participant p0 as A[0]\n  participant p1 as B[1]\n  p0-)p1: q: x (1)\n  Note over p1: skip\n  Note over p1: receives (1) q: x\n", "as mermaid");
  f = open_text();
  chart_write_svg(&chart, f);
  fclose(f);
  ok(well_formed(), "as SVG");
  ok(strstr(text, "url(") == NULL && strstr(text, "href") == NULL, "which refers to nothing");
  chart_close(&chart);
}

static void hostile_names(void) {
  static const char *const bad[] = {"</text><script>alert(1)</script>", "a\"b'c&d", "end", "x; y #35; %%", "one\ntwo\rthree\x01\x1b[31m", "\xff\xfe\xc3", "\xef\xbf\xbe", "\xe2\x80\xae", "]]>", "{init: 1}"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    begin();
    talk(bad[i], 0, MODEL_SENDS, bad[i], bad[i]);
    talk("B", 1, MODEL_RECEIVES, bad[i], bad[i])->printed = bad[i];
    add(bad[i], 0, bad[i], 0)->fault = bad[i];
    start(add("B", 1, bad[i], 0), bad[i], 2);
    add(bad[i], 2, bad[i], 0)->ended = 1;
    view.file = bad[i];
    snprintf(trace.message, sizeof trace.message, "%s", bad[i]);
    if (!make(NULL)) continue;
    FILE *f = open_text();
    chart_write_svg(&chart, f);
    fclose(f);
    ok(well_formed() && !strstr(text, "<script"), "hostile names: SVG is well-formed");
    f = open_text();
    chart_write_mermaid(&chart, f);
    fclose(f);
    int lines = 0;
    for (const char *t = text; *t; t++) lines += *t == '\n';
    ok(lines == 13 && !strstr(text, "<script") && !strstr(text, ": end\n"), "mermaid has its lines and no more");
    if (lines != 13) printf("# %d lines\n%s\n", lines, text);
    f = open_text();
    chart_write_text(&chart, &(struct chart_drawing){0, 100}, f);
    fclose(f);
    ok(!strchr(text, '\033') && !strchr(text, '\r') && !strchr(text, 1), "text has no control characters");
    chart_close(&chart);
  }
}

/* ---- nets ------------------------------------------------------------------------------------------------------------------------------------------ */

static void net(const char *const *steps_, size_t n) {
  begin();
  view.file = "dir/some.net";
  trace.part = NULL;
  trace.part_start = NULL;
  for (size_t i = 0; i < n; i++) names[i] = steps_[i];
  trace.count = n;
}

static void conventions(void) {
  static const struct {
    const char *step[3], *line[3], *label;
  } all[] = {
      {{"S'Send", "R'Take 2", "R'Take"}, {"S", "R 2", "R"}, "Send"},
      {{"a.x", "b::y", "b/z"}, {"a", "b", NULL}, "x"},
      {{"left2", "left_10", "take[2]"}, {"#2", "#10", NULL}, "left"},
      {{"p_send", "q_take", "q_more"}, {"p", "q", NULL}, "send"},
      {{"t1", "t2", "t3"}, {"t1", "t2", "t3"}, ""},
      {{"P'send", "P'take", "P'go"}, {"send", "take", "go"}, ""},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    net(all[i].step, 3);
    if (!make(NULL)) continue;
    uint32_t n = all[i].line[2] ? 3 : 2;
    is(chart.lifelines, n, "as many lifelines as the names say");
    for (uint32_t l = 0; l < n && l < chart.lifelines; l++) is_text(chart.lifeline[l].name, all[i].line[l], "called as they should");
    is_text(chart.event[0].label, all[i].label, "with what is left of the name");
    chart_close(&chart);
  }
  static char many[20][16];
  const char *step[20];
  for (int i = 0; i < 20; i++) snprintf(many[i], sizeof many[i], "t%d", i), step[i] = many[i];
  net(step, 20);
  if (!make(NULL)) return;
  is(chart.lifelines, 1, "many transitions without a system share a line");
  is_text(chart.lifeline[0].name, "some.net", "which is called like the file");
  chart_close(&chart);
}

static void tokens(void) {
  static const char *const steps_[] = {"produce", "put", "get", "put"};
  struct trace_change change[] = {{0, 0, 1, NULL}, {0, 1, 0, NULL}, {1, 0, 2, NULL}, {1, 2, 1, NULL}, {2, 1, 0, NULL}};
  int64_t initial[] = {0, 0, 1};
  net(steps_, 3);
  trace.vars = 3;
  trace.initial = initial;
  trace.change = change;
  trace.change_count = 5;
  change_start[1] = 1, change_start[2] = 3, change_start[3] = 5;
  if (!make(NULL)) return;
  is(message(1)->received, 2, "a token that one gives and another takes is a message");
  is_text(message(1)->channel, "p", "called like the place");
  uint32_t from_put = 0, arrived = 0;
  for (uint32_t i = 0; i < chart.events; i++)
    if (chart.event[i].kind == CHART_MESSAGE && chart.event[i].step == 2) from_put++, arrived += chart.event[i].received == 3;
  is(from_put, 2, "two tokens are two messages");
  is(arrived, 1, "one of which is taken");
  chart_close(&chart);
}

/* ---- mappings -------------------------------------------------------------------------------------------------------------------------------------- */

static int read_map(struct chart_map **out, const char *source) {
  FILE *in = fmemopen((void *)(uintptr_t)source, strlen(source), "r");
  err_clear(&e);
  *out = NULL;
  int bad = chart_map_read(out, in, "m.map", &mem, &e);
  fclose(in);
  return bad;
}

static void mappings(void) {
  static const char source[] = "# a comment\nlifelines \"The sender\", Net, Late\n"
                               "transition \"send *\" when n != 2 -- two is special\n  send c on \"The sender\" as \"{1}: {n} {unknown}\" key \"{n}\"\n"
                               "transition send*\n  message from \"The sender\" to Net as \"direct {s}\"\n"
                               "transition drop\n  lose c key \"{n}\"\n"
                               "transition take, \"Page'grab\"\n  receive c on \"Receiver of {page}\" key \"{n}\"\n  event on Net\n"
                               "transition born\n  create Late by Net as \"wakes\"\n"
                               "transition dies\n  end Late\n"
                               "transition hidden\n  hide\n";
  struct chart_map *map;
  if (!ok(read_map(&map, source) == 0, "a mapping is read")) {
    printf("# %ld:%ld %s\n", e.line, e.column, e.message);
    return;
  }
  begin();
  static const char *const statements[] = {"Page'send_it {n=1,s=\"a,b\"}", "Page'send_it {n=2,s=\"x\"}", "Page'send_it {n=3,s=\"(\"}", "Page'drop {n=3}",
                                           "Page'grab {n=1,k=[1,2]}", "Page'born", "Page'dies", "Page'hidden", "Page'other {n=5}"};
  static char own[9][40];
  for (size_t i = 0; i < 9; i++) {
    add(NULL, 0, statements[i], 0);
    snprintf(own[i], sizeof own[i], "%.*s", (int)strcspn(statements[i], " "), statements[i]);
    names[i] = own[i];
  }
  if (!make(map)) return;
  is_text(chart.lifeline[0].name, "The sender", "lifelines as they are listed");
  is_text(message(1)->label, "it: 1 {unknown}", "stars and variables in labels");
  is(message(1)->received, 5, "a message and its receive by key");
  is_text(chart.lifeline[message(1)->to].name, "Receiver of Page", "a lifeline made from words");
  is_text(message(2)->label, "direct x", "when: the next block");
  ok(message(2)->meeting && message(2)->to == 1, "a straight message");
  ok(message(3)->lost, "a lost one");
  is(chart.lifeline[2].from, 6, "a birth");
  is(chart.lifeline[2].to, 7, "an end");
  const struct chart_event *last = &chart.event[chart.events - 1];
  ok(last->step == 9 && strcmp(last->label, "(n=5)") == 0, "what has no rule goes by its name");
  for (uint32_t i = 0; i < chart.events; i++)
    if (chart.event[i].step == 8) ok(0, "hidden steps are not there");
  chart_close(&chart);
  chart_map_close(map);
}

static void bad_mappings(void) {
  static const struct {
    const char *source;
    long line, column;
  } all[] = {{"transition a\n", 1, 1},          {"event on A\n", 1, 1},          {"transition a\n  event A\n", 2, 9}, {"lifelines\n", 1, 10},
             {"transition \"a\n", 1, 12},       {"transition a\n  sing\n", 2, 3},  {"transition a when\n", 1, 18},      {"transition a when x 3\n", 1, 21},
             {"transition a\n hide x\n", 2, 7}, {"lifelines a,,b\n", 1, 13},     {"transition a\n event on b as\n", 2, 15}};
  struct chart_map *map;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    int bad = read_map(&map, all[i].source);
    if (!ok(bad && e.kind == ERR_INPUT && e.line == all[i].line && e.column == all[i].column, "what is wrong in a mapping is told with its place")) printf("# %zu: %ld:%ld %s\n", i, e.line, e.column, e.message);
    chart_map_close(map);
  }
}

static void patterns(void) {
  struct chart_stars s;
  ok(chart_pattern("a*c*", "abbcd", 5, &s) && s.star[0].length == 2 && s.star[1].length == 1, "stars take what lies between");
  ok(chart_pattern("*", "", 0, &s) && s.star[0].length == 0, "or nothing");
  ok(chart_pattern("Send data", "Send_data", 9, NULL), "blanks and underscores are the same");
  ok(!chart_pattern("a\\*", "ab", 2, NULL) && chart_pattern("a\\*", "a*", 2, NULL), "a star that is none");
  ok(!chart_pattern("a*b", "abc", 3, NULL) && !chart_pattern("", "a", 1, NULL) && chart_pattern("", "", 0, NULL), "all of the text");
  ok(chart_pattern("*ab", "aab", 3, &s) && s.star[0].length == 1, "with going back");
}

/* ---- size and memory ----------------------------------------------------------------------------------------------------------------------------- */

/* 100,000 messages, half of them under way at once. */
static void long_run(void) {
  enum { N = 100000 };
  struct model_part *parts = calloc(N, sizeof *parts);
  struct model_field *fields = calloc(N, sizeof *fields);
  char (*content)[12] = calloc(N, sizeof *content);
  size_t *starts = calloc(N + 1, sizeof *starts), *changes = calloc(N + 1, sizeof *changes);
  begin();
  for (size_t i = 0; i < N; i++) {
    size_t k = i < N / 2 ? i : N - 1 - i; /* received last first */
    snprintf(content[i], sizeof content[i], "%zu", k);
    fields[i] = (struct model_field){content[i], 0, 0};
    parts[i] = (struct model_part){.process = {i < N / 2 ? "A" : "B", i < N / 2 ? 0 : 1}, .statement = "", .deed = i < N / 2 ? MODEL_SENDS : MODEL_RECEIVES, .channel = "q", .message = &fields[i], .fields = 1};
    starts[i + 1] = i + 1;
  }
  trace.part = parts;
  trace.part_start = starts;
  trace.change_start = changes;
  trace.part_count = trace.count = N;
  double began = cpu_now();
  make(NULL);
  is(chart.events, N / 2, "a hundred thousand steps");
  is(message(1)->received, N, "each with its own");
  FILE *f = fopen("/dev/null", "w");
  ok(chart_write_text(&chart, &(struct chart_drawing){0, 100}, f) == 0 && chart_write_svg(&chart, f) == 0 && chart_write_mermaid(&chart, f) == 0, "are drawn");
  fclose(f);
  ok(cpu_now() - began < 10, "in little time");
  printf("# %.2f s\n", cpu_now() - began);
  chart_close(&chart);
  free(parts);
  free(fields);
  free(content);
  free(starts);
  free(changes);
}

static void short_memory(void) {
  size_t before = mem.used;
  int refused = 0, made = 0;
  for (size_t n = 1; n < 100; n++) {
    begin();
    talk("A", 0, MODEL_SENDS, "q", "x");
    start(add("A", 0, "run", 0), "B", 1);
    talk("B", 1, MODEL_RECEIVES, "q", "x");
    mem.fail_after = n;
    err_clear(&e);
    if (chart_make(&chart, &view, NULL, &mem, &e) == 0) made = 1;
    else refused += e.kind == ERR_MEMORY;
    mem.fail_after = 0;
    chart_close(&chart);
  }
  if (!ok(made && refused > 3, "each refused request is an ordinary answer")) printf("# %d refused, made %d\n", refused, made);
  is(mem.used, before, "and nothing is left behind");
  made = 0;
  for (size_t n = 1; n < 60; n++) {
    struct chart_map *map;
    mem.fail_after = n;
    if (read_map(&map, "lifelines A, B\ntransition \"x y\"\n  event on A\n  hide\nplaces a, b\n") == 0) made = 1;
    mem.fail_after = 0;
    chart_map_close(map);
  }
  ok(made, "a mapping too");
  is(mem.used, before, "without a rest");
}

int main(void) {
  mem_open(&mem, 0);
  buffers();
  lives();
  steps();
  small_formats();
  hostile_names();
  conventions();
  tokens();
  mappings();
  bad_mappings();
  patterns();
  long_run();
  short_memory();
  is(mem.used, 0, "nothing leaks");
  free(text);
  return done();
}
