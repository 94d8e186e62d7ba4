/* cmd_report.c -- thimble report: one HTML file from a verdict and its traces, long after the run.
 *
 * A verdict names its traces; they are looked for beside it.  A trace that the user names must belong to the verdict: one
 * that does not is an error.  One that the verdict names and that is gone, or is of another run by now, is left out, and the report says so. */
#include "cli/outfile.h"
#include "cli/report_parts.h"
#include "cli/session.h"
#include "front/text.h"
#include "report/chart_map.h"
#include "report/verdict_read.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

command_run command_report;

struct input {
  const char *name;
  char *text; /* of standard input; NULL = the file is read when it is its turn */
  size_t length;
  int verdict, used;
};

struct making {
  struct session *s;
  struct input *input;
  size_t count;
  struct input *verdict; /* NULL = there is none */
  struct verdict_file v;
  struct report_parts parts;
  struct html html;
  struct chart_map *map; /* NULL = lifelines of nets by names */
};

/* ---- inputs -------------------------------------------------------------------------------- */

static FILE *open_input(struct making *m, struct input *in) {
  struct err *e = &m->s->err;
  FILE *file = in->text ? fmemopen(in->text, in->length + !in->length, "r") : fopen(in->name, "re");
  if (!file) err_io(e, in->name, "cannot be opened: %s", strerror(errno));
  return file;
}

/* What the beginning of a file says of itself: 1 a verdict, 0 a trace, -1 something else. */
static int says(const char *head, char *schema, size_t room) {
  const char *key = strstr(head, "\"schema\"");
  *schema = 0;
  if (!key) return -1;
  key += 8;
  key += strspn(key, " \t\r\n:");
  if (*key != '"') return -1;
  size_t length = strcspn(key + 1, "\"\n");
  err_quote(schema, room, key + 1, length < room - 1 ? length : room - 1);
  return strncmp(schema, "thimble.verdict/", 16) == 0 ? 1 : strncmp(schema, "thimble.trace/", 14) == 0 ? 0 : -1;
}

static int sort_out(struct making *m, struct input *in) {
  char head[4097], schema[80];
  struct err *e = &m->s->err;
  FILE *file = open_input(m, in);
  if (!file) return -1;
  size_t got = fread(head, 1, sizeof head - 1, file);
  int broken = ferror(file);
  fclose(file);
  if (broken) return err_io(e, in->name, "cannot be read");
  head[got] = 0;
  for (size_t i = 0; i < got; i++)
    if (!head[i]) head[i] = ' ';
  int what = says(head, schema, sizeof schema);
  in->verdict = what == 1 || (what < 0 && !*schema); /* the reader of verdicts says what is wrong with it */
  if (what < 0 && *schema) {
    err_input(e, (struct place_in_text){in->name, 0, 0}, "this is '%s'; a report is made of a verdict (check --json) and traces", schema);
    return -1;
  }
  if (!in->verdict) return 0;
  if (m->verdict) {
    err_usage(e, "%s and %s are both verdicts: a report is about one", m->verdict->name, in->name);
    return -1;
  }
  m->verdict = in;
  return 0;
}

static int read_inputs(struct making *m) {
  struct session *s = m->s;
  m->count = s->options.operand_count;
  m->input = mem_alloc(&s->mem, MEM_OTHER, (m->count + 1) * sizeof *m->input);
  if (!m->input) return err_memory(&s->err, "the command line");
  for (size_t i = 0; i < m->count; i++) {
    struct input *in = &m->input[i];
    in->name = s->options.operand[i];
    struct front_setup stdin_setup = {.mem = &s->mem, .file = "-", .input = stdin};
    if (strcmp(in->name, "-") == 0 && front_slurp(&in->text, &in->length, &stdin_setup, &s->err)) return -1;
    if (sort_out(m, in)) return -1;
  }
  return 0;
}

static int read_verdict(struct making *m) {
  struct session *s = m->s;
  struct input *in = m->verdict;
  FILE *file = open_input(m, in);
  if (!file) return -1;
  struct stat there;
  if (!in->text && fstat(fileno(file), &there) == 0) m->parts.made = there.st_mtime;
  int bad = verdict_file_read(&m->v, file, in->name, &s->mem, &s->err);
  fclose(file);
  if (bad) return -1;
  bad = report_parts_folder(&m->parts, in->name) || report_parts_file(&m->parts, m->v.model);
  for (size_t i = 0; i < m->v.file_count && !bad; i++) bad = report_parts_file(&m->parts, m->v.file[i]);
  if (!m->v.has_timeline && !bad) bad = report_parts_note(&m->parts, "The verdict was written by an older version: it has no timeline and no coverage.");
  return bad ? err_memory(&s->err, "the report") : 0;
}

static int read_map(struct making *m) {
  struct session *s = m->s;
  const char *name = options_text(&s->options, OPTION_MAP);
  if (!*name) return 0;
  FILE *in = fopen(name, "re");
  if (!in) return err_io(&s->err, name, "cannot be opened: %s", strerror(errno));
  int bad = chart_map_read(&m->map, in, name, &s->mem, &s->err);
  fclose(in);
  return bad;
}

/* ---- traces --------------------------------------------------------------------------------- */

/* Why a trace cannot be one of the verdict's; "" = it can. */
static void differs(const struct making *m, const struct trace_view *t, const struct verdict_run *run, char *why, size_t room) {
  const struct verdict_file *v = &m->v;
  char a[120], b[120];
  *why = 0;
  if (!m->verdict) return;
  if (t->file && v->model && strcmp(trace_base_name(t->file), trace_base_name(v->model)) != 0) {
    snprintf(why, room, "it is a trace of %s, and the verdict is about %s", err_quote(a, sizeof a, t->file, strlen(t->file)), err_quote(b, sizeof b, v->model, strlen(v->model)));
    return;
  }
  int known = !t->trace->property[0];
  for (size_t i = 0; i < v->property_count; i++) known |= strcmp(v->property[i], t->trace->property) == 0;
  if (!known || (run && strcmp(run->property, t->trace->property) != 0))
    snprintf(why, room, "it is about %s, %s", err_quote(a, sizeof a, t->trace->property, strlen(t->trace->property)), known ? "and not about what the verdict says" : "which the verdict does not have");
  else if (run && run->steps != t->trace->count) snprintf(why, room, "it has %zu steps and the verdict's has %llu: it is of another run", t->trace->count, (unsigned long long)run->steps);
}

/* One trace, read, compared, written. `named`: the user named it. 0; 1: it was left out; -1 with err. */
static int add_trace(struct making *m, FILE *in, const char *name, const struct verdict_run *run, int named) {
  struct session *s = m->s;
  struct trace_file *file = NULL;
  struct trace_view view;
  char why[400];
  if (trace_file_read(&file, in, name, &s->mem, &s->err)) {
    if (named || s->err.kind == ERR_MEMORY) return -1;
    int bad = report_parts_note(&m->parts, "The trace %s is left out: %s.", name, s->err.message);
    err_clear(&s->err);
    return bad ? -1 : 1;
  }
  trace_file_view(file, &view);
  differs(m, &view, run, why, sizeof why);
  int bad = 0;
  if (*why && named) bad = err_input(&s->err, (struct place_in_text){name, 0, 0}, "the trace does not belong to the verdict: %s", why);
  else if (*why) bad = report_parts_note(&m->parts, "The trace %s is left out: %s.", name, why) ? -1 : 1;
  else bad = report_parts_trace(&m->parts, &m->html, name, &view, m->map);
  trace_file_close(file);
  return bad;
}

/* The operand that is meant by a name in the verdict. */
static struct input *given(struct making *m, const char *name) {
  for (size_t i = 0; i < m->count; i++)
    if (!m->input[i].verdict && !m->input[i].used && strcmp(trace_base_name(m->input[i].name), trace_base_name(name)) == 0) return &m->input[i];
  return NULL;
}

static int add_run(struct making *m, const struct verdict_run *run) {
  char path[4096];
  struct input *in = given(m, run->trace);
  FILE *file = in ? open_input(m, in) : report_parts_find(&m->parts, run->trace, path, sizeof path);
  if (in && !file) return -1;
  if (!file) return report_parts_note(&m->parts, "The trace %s, which the verdict names, was not found beside it.", run->trace) ? -1 : 0;
  if (in) in->used = 1;
  int bad = add_trace(m, file, in ? in->name : path, run, in != NULL);
  fclose(file);
  return bad < 0 ? -1 : 0;
}

static int add_traces(struct making *m) {
  int bad = 0;
  html_traces(&m->html);
  for (size_t i = 0; i < m->v.run_count && !bad; i++)
    if (m->v.run[i].trace) bad = add_run(m, &m->v.run[i]);
  for (size_t i = 0; i < m->count && !bad; i++) {
    struct input *in = &m->input[i];
    if (in->verdict || in->used) continue;
    FILE *file = open_input(m, in);
    if (!file) return -1;
    bad = report_parts_folder(&m->parts, in->name) || add_trace(m, file, in->name, NULL, 1) ? -1 : 0;
    fclose(file);
  }
  return bad;
}

/* ---- the file ------------------------------------------------------------------------------- */

static int copy(FILE *from, FILE *to) {
  char piece[1 << 14];
  for (size_t n; (n = fread(piece, 1, sizeof piece, from)) > 0;)
    if (fwrite(piece, 1, n, to) < n) return -1;
  return ferror(from) ? -1 : 0;
}

static int write_page(struct making *m, FILE *out) {
  struct session *s = m->s;
  const char *about = m->v.model ? m->v.model : m->verdict ? m->verdict->name : m->input[0].name;
  if (html_open(&m->html, trace_base_name(about), out)) return err_memory(&s->err, "the report");
  int bad = 0;
  if (m->verdict) {
    FILE *file = open_input(m, m->verdict);
    if (!file || copy(file, html_verdict(&m->html))) bad = -1;
    if (file) fclose(file);
  } else html_no_verdict(&m->html);
  if (!bad) bad = add_traces(m);
  if (!bad) bad = report_parts_write(&m->parts, &m->html, &s->err);
  if (bad && s->err.kind == ERR_NONE) err_memory(&s->err, "the report");
  if (bad) page_close(&m->html.page);
  else if (html_close(&m->html)) err_io(&s->err, "the report", "cannot be written");
  return s->err.kind == ERR_NONE ? 0 : -1;
}

/* Standard output gets all of it or nothing, too. */
static int write_out(struct making *m, const char *output) {
  struct session *s = m->s;
  struct outfile out;
  int code = EXIT_HOLDS, spooled = strcmp(output, "-") == 0;
  FILE *spool = spooled ? tmpfile() : NULL;
  if (spooled && !spool) {
    err_io(&s->err, "standard output", "no temporary file: %s", strerror(errno));
    return EXIT_OUTPUT;
  }
  if (outfile_open(&out, output, &s->err)) code = EXIT_OUTPUT;
  else {
    if (write_page(m, spool ? spool : out.stream)) code = session_exit_code(&s->err);
    if (!code && spool && (rewind(spool), copy(spool, out.stream))) code = EXIT_OUTPUT;
    if (outfile_close(&out, code == EXIT_HOLDS, &s->err)) code = EXIT_OUTPUT;
  }
  if (spool) fclose(spool);
  return code;
}

int command_report(struct session *s) {
  struct making m = {.s = s};
  const char *output = options_text(&s->options, OPTION_OUTPUT);
  if (!*output && isatty(STDOUT_FILENO)) {
    err_usage(&s->err, "the report needs a file");
    err_hint(&s->err, "thimble report FILE... -o report.html");
    return EXIT_USAGE;
  }
  session_budget(s);
  report_parts_open(&m.parts, &s->mem);
  int bad = read_map(&m) || read_inputs(&m) || (m.verdict && read_verdict(&m)), code = bad ? session_exit_code(&s->err) : write_out(&m, *output ? output : "-");
  for (size_t i = 0; i < m.parts.note.count && code == EXIT_HOLDS; i++) fprintf(stderr, "note: %s\n", m.parts.note.at[i]);
  for (size_t i = 0; m.input && i < m.count; i++) mem_free(&s->mem, m.input[i].text);
  mem_free(&s->mem, m.input);
  chart_map_close(m.map);
  verdict_file_close(&m.v);
  report_parts_close(&m.parts);
  return code;
}
