/* cmd_resume.c -- thimble resume: a check that goes on with what another one has left. */
#include "cli/check_checkpoint.h"
#include "cli/check_spread.h"
#include "run/run.h"

command_run command_resume;

int command_resume(struct session *s) {
  struct checkpoint c = {0};
  const char *file = s->options.operand[0];
  s->file = file;
  int bad = check_spread_agree(s, checkpoint_open(&c, file, s->spread, CHECKPOINT_EVERY, &s->small, &s->err));
  if (!bad && s->spread) bad = s->spread->same_moment(s->spread->ranks, &c.journal, &s->err);
  if (!bad && (options_given(&s->options, OPTION_STATS) || options_given(&s->options, OPTION_REPORT)) && !checkpoint_has_part(&c, "counts")) {
    bad = err_usage(&s->err, "steps were not counted from the beginning: --stats and --report would tell less than there was");
    err_hint(&s->err, "they can be asked for where check was run with one of them");
  }
  if (!bad) bad = check_spread_agree(s, check_checkpoint_options(s, &c));
  s->resume = bad ? NULL : &c;
  int code = !bad ? check_command(s) : s->err.kind == ERR_USAGE ? EXIT_USAGE : check_no_run(s);
  s->resume = NULL;
  checkpoint_close(&c, NULL); /* unless the check has closed it */
  return code;
}
