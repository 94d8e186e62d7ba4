/* native_date.c -- the calendar: what prelude.c's Date and Time stand on.
 *
 * A date is its seconds since the beginning of 1970, in the calendar of Gregory for all years (H.
 * Hinnant's days_from_civil).  No time zones: a net must mean the same on every machine, and a date
 * without an offset is one of Greenwich.  The clock of the machine is what it was when the net was
 * opened, for simulations alone: state spaces have none (check_name.c). */
#include "ml/native.h"

#include <string.h>
#include <time.h>

enum { DAY = 86400, YEARS = 100 * 1000 * 1000 };

static int64_t floor_div(int64_t x, int64_t y) {
  return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

/* Days from 1970-01-01 to the first of a month, counted from 0. */
static int64_t days_of(int64_t year, int64_t month) {
  int64_t y = year + floor_div(month, 12), m = month - 12 * floor_div(month, 12) + 1;
  if (m <= 2) y--;
  int64_t era = floor_div(y, 400), of_era = y - 400 * era,
          of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void civil(int64_t days, int64_t *year, int64_t *month, int64_t *day) {
  days += 719468;
  int64_t era = floor_div(days, 146097), of_era = days - era * 146097;
  int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365,
          of_year = of_era - (365 * y + y / 4 - y / 100), m = (5 * of_year + 2) / 153;
  *day = of_year - (153 * m + 2) / 5 + 1;
  *month = m < 10 ? m + 2 : m - 10;
  *year = y + 400 * era + (*month <= 1);
}

static int broken_down(int64_t seconds, struct tm *out) {
  int64_t days = floor_div(seconds, DAY), rest = seconds - days * DAY, year, month, day;
  if (days > (int64_t)YEARS * 365 || days < -(int64_t)YEARS * 365) return -1;
  civil(days, &year, &month, &day);
  *out = (struct tm){.tm_year = (int)(year - 1900),
                     .tm_mon = (int)month,
                     .tm_mday = (int)day,
                     .tm_hour = (int)(rest / 3600),
                     .tm_min = (int)(rest / 60 % 60),
                     .tm_sec = (int)(rest % 60)};
  out->tm_yday = (int)(days - days_of(year, 0));
  out->tm_wday = (int)((days % 7 + 11) % 7);
  return 0;
}

/* year, month from 0, day, hour, minute, second: what is too much goes on in the next. */
DO(DATE_SECONDS) {
  int64_t sum = 0;
  for (int i = 0; i < 6; i++)
    if (ml_to_int(a[i]) > (int64_t)YEARS * 1000 || ml_to_int(a[i]) < -(int64_t)YEARS * 1000)
      return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  if (ml_to_int(a[0]) > YEARS || ml_to_int(a[0]) < -YEARS)
    return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  sum = (days_of(ml_to_int(a[0]), ml_to_int(a[1])) + ml_to_int(a[2]) - 1) * DAY +
        ml_to_int(a[3]) * 3600 + ml_to_int(a[4]) * 60 + ml_to_int(a[5]);
  return ml_give_int(m, a, sum);
}

DO(DATE_FIELD) {
  struct tm t;
  if (broken_down(ml_to_int(a[0]), &t)) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  const int64_t field[] = {t.tm_year + (int64_t)1900,
                           t.tm_mon,
                           t.tm_mday,
                           t.tm_hour,
                           t.tm_min,
                           t.tm_sec,
                           t.tm_wday,
                           t.tm_yday};
  return ml_give_int(m, a, field[ml_to_int(a[1])]);
}

/* As strftime does, in English; % before anything that the Basis does not know is left out. */
DO(DATE_FORMAT) {
  const struct ml_block *format = ml_block(a[0]);
  const char *text = (const char *)format->field;
  char out[4000], one[8] = "%", piece[100];
  size_t used = 0;
  struct tm t;
  if (broken_down(ml_to_int(a[1]), &t)) return ml_raise(m, ML_EXN_OVERFLOW, ML_UNIT);
  for (uint32_t i = 0; i < format->size; i++) {
    size_t length = 1;
    piece[0] = text[i];
    if (text[i] == '%' && i + 1 < format->size) {
      one[1] = text[++i];
      piece[0] = one[1];
      if (one[1] == 'Z') length = 3, memcpy(piece, "GMT", 3);
      else if (strchr("aAbBcdHIjmMpSUwWxXyY", one[1]))
        length = strftime(piece, sizeof piece, one, &t);
    }
    if (used + length > sizeof out) return ml_raise(m, ML_EXN_SIZE, ML_UNIT);
    memcpy(out + used, piece, length);
    used += length;
  }
  return ml_give_string(m, a, out, used);
}

DO(CLOCK) { return ml_give_int(m, a, m->ml->started); }
