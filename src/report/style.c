/* style.c -- colours and names for people. */
#include "report/report.h"

#include <string.h>

const char *report_colour(int on, enum report_colour colour) {
  static const char *const codes[] = {"\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m", "\033[36m"};
  return on ? codes[colour] : "";
}

char *report_name(char *out, size_t room, const char *name) { return err_quote(out, room, name, strlen(name)); }
