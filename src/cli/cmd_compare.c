/* cmd_compare.c -- thimble compare: do two models do the same, and if not, what shows it? */
#include "cli/seen.h"
#include "base/json.h"
#include "base/text.h"
#include "run/compare.h"

#include <string.h>

command_run command_compare;

static const char *const names[] = {"strong", "branching", "trace", "language"};

static enum equivalence wanted(const struct session *s) {
  const char *text = options_text(&s->options, OPTION_EQUIVALENCE);
  enum equivalence is = SAME_STRONG;
  while (is < SAME_LANGUAGE && strcmp(names[is], text) != 0) is++;
  return is;
}

static const char *what(enum equivalence is) {
  static const char *const words[] = {"strongly bisimilar", "branching bisimilar", "trace equivalent", "language equivalent"};
  return words[is];
}

/* ---- text -------------------------------------------------------------------------------------------------------------------- */

static void write_label(const struct comparison *c, uint32_t label, FILE *out) {
  char name[128];
  fputs(report_name(name, sizeof name, c->labels.text.at[label]), out);
}

static void write_word(const struct comparison *c, int i, const char *const *file) {
  const char *end = c->is == SAME_LANGUAGE ? " and has come to its end" : "";
  if (c->included[i]) {
    printf("every word of %s is one of %s\n", file[i], file[!i]);
    return;
  }
  printf("a word of %s that is none of %s", file[i], file[!i]);
  if (!c->word[i].count) printf(": the empty one%s\n", c->is == SAME_LANGUAGE ? ", after which it can have come to its end" : "");
  else putchar('\n');
  for (size_t k = 0; k < c->word[i].count; k++) {
    printf("  %3zu  ", k + 1);
    write_label(c, c->word[i].label[k], stdout);
    puts(k + 1 == c->word[i].count ? end : "");
  }
}

static void write_play(const struct comparison *c, const char *const *file) {
  for (size_t i = 0; i < c->play.count; i++) {
    const struct play_round *r = &c->play.round[i];
    const char *one = file[r->second], *other = file[!r->second];
    if (r->answer == PLAY_NO_ANSWER) {
      printf("%s%s can do ", i ? "now " : "", one);
      write_label(c, r->label, stdout);
      printf(", %s cannot\n", other);
      return;
    }
    printf("  %3zu  %s does ", i + 1, one);
    write_label(c, r->label, stdout);
    printf(r->answer == PLAY_STAYED ? ", %s stays where it is\n" : ", %s does it too, as well as it can\n", other);
  }
}

static void write_sizes(const struct comparison *c, const char *const *file) {
  char a[TEXT_ROOM], b[TEXT_ROOM];
  for (int i = 0; i < 2; i++)
    printf("%s: %s state%s, %s transition%s\n", file[i], text_count(a, c->states[i]), text_plural(c->states[i]), text_count(b, c->edges[i]), text_plural(c->edges[i]));
  printf("%s class%s of states that behave alike\n", text_count(a, c->classes), c->classes == 1 ? "" : "es");
}

static void write_text(const struct session *s, const struct comparison *c, const char *const *file) {
  int colour = session_colour(s, stdout);
  printf("%s%s%s: %s and %s are %s%s\n", report_colour(colour, c->same ? GREEN : RED), c->same ? "equivalent" : "different", report_colour(colour, PLAIN), file[0], file[1],
         c->same ? "" : "not ", what(c->is));
  if (!c->same && c->is >= SAME_TRACE)
    for (int i = 0; i < 2; i++) write_word(c, i, file);
  else if (!c->same) write_play(c, file);
  if (!options_given(&s->options, OPTION_QUIET)) write_sizes(c, file);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------------------- */

static void json_reasons(struct json_out *j, const struct comparison *c) {
  static const char *const answers[] = {"same", "stays", "none"};
  if (c->is >= SAME_TRACE) {
    json_out_bool(j, "first_in_second", c->included[0]);
    json_out_bool(j, "second_in_first", c->included[1]);
    for (int i = 0; i < 2; i++) {
      if (c->included[i]) continue;
      json_out_array_flat(j, i ? "word_of_second" : "word_of_first");
      for (size_t k = 0; k < c->word[i].count; k++) json_out_text(j, NULL, c->labels.text.at[c->word[i].label[k]]);
      json_out_end(j);
    }
  } else if (c->play.count) {
    json_out_array(j, "play");
    for (size_t i = 0; i < c->play.count; i++) {
      json_out_object_flat(j, NULL);
      json_out_text(j, "by", c->play.round[i].second ? "second" : "first");
      json_out_text(j, "label", c->labels.text.at[c->play.round[i].label]);
      json_out_text(j, "answer", answers[c->play.round[i].answer]);
      json_out_end(j);
    }
    json_out_end(j);
  }
}

static void write_json(const struct comparison *c, const char *const *file) {
  struct json_out j;
  json_out_open(&j, stdout, 2);
  json_out_object(&j, NULL);
  json_out_text(&j, "schema", "thimble.compare/1");
  json_out_text(&j, "version", THIMBLE_VERSION);
  json_out_text(&j, "equivalence", names[c->is]);
  json_out_text(&j, "verdict", !c->complete ? "incomplete" : c->same ? "equivalent" : "different");
  json_out_array(&j, "models");
  for (int i = 0; i < 2; i++) {
    json_out_object_flat(&j, NULL);
    json_out_text(&j, "file", file[i]);
    json_out_count(&j, "states", c->states[i]);
    json_out_count(&j, "transitions", c->edges[i]);
    json_out_bool(&j, "complete", c->verdict[i].complete);
    json_out_end(&j);
  }
  json_out_end(&j);
  if (c->complete) json_out_count(&j, "classes", c->classes);
  if (c->complete && !c->same) json_reasons(&j, c);
  for (int i = 0; i < 2 && !c->complete; i++)
    if (!c->verdict[i].complete && c->verdict[i].words) {
      json_out_text(&j, "stopped_by", verdict_stop_name(&c->verdict[i]));
      break;
    }
  json_out_end(&j);
  json_out_close(&j);
}

/* ---- the command ------------------------------------------------------------------------------------------------------------- */

static int incomplete(const struct session *s, const struct comparison *c, const char *const *file) {
  int i = !c->verdict[0].complete ? 0 : 1;
  char why[400];
  if (!options_given(&s->options, OPTION_JSON)) printf("incomplete: the graph of %s is not whole, %s\n", file[i], report_stop(&c->verdict[i], why, sizeof why));
  return c->verdict[i].stop == STOP_INTERRUPT ? EXIT_INTERRUPTED : EXIT_INCOMPLETE;
}

static int compare_both(struct session *s, struct model *const model[2], struct seen *seen) {
  const char *const file[2] = {s->options.operand[0], s->options.operand[1]};
  struct report_progress progress;
  struct listener *listeners[1];
  struct run_setup run = {.mem = &s->mem, .listeners = listeners};
  struct comparison c;
  session_limits(s, &run.limits);
  struct listener *watch = session_progress(s, &progress);
  if (watch) listeners[run.listener_count++] = watch;
  for (int i = 0; i < 2; i++) seen_model(seen, i, model[i]);
  int bad = compare(&c, wanted(s), model, &run, seen->of, &s->err), code = 0;
  if (watch) report_progress_clear(&progress);
  if (!bad) bad = seen_check(seen, s);
  if (bad) code = session_exit_code(&s->err);
  else {
    if (options_given(&s->options, OPTION_JSON)) write_json(&c, file);
    if (!c.complete) code = incomplete(s, &c, file);
    else {
      if (!options_given(&s->options, OPTION_JSON)) write_text(s, &c, file);
      code = c.same ? EXIT_HOLDS : EXIT_VIOLATED;
    }
  }
  comparison_close(&c);
  return code;
}

int command_compare(struct session *s) {
  struct model *model[2] = {NULL, NULL};
  struct seen seen;
  int code = 0;
  session_budget(s);
  int bad = seen_open(&seen, s);
  for (int i = 0; i < 2 && !bad; i++) {
    bad = session_load(s, s->options.operand[i]);
    model[i] = s->model;
    s->model = NULL;
    session_unload(s);
  }
  if (bad) code = session_exit_code(&s->err);
  else code = compare_both(s, model, &seen);
  seen_close(&seen, s);
  for (int i = 0; i < 2; i++) model_close(model[i]);
  return code;
}
