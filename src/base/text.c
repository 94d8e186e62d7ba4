/* text.c -- see text.h. */
#include "base/text.h"

#include "base/near.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

char *text_count(char out[TEXT_ROOM], uint64_t n) {
  char digits[24];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, n), o = 0;
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0) out[o++] = ',';
    out[o++] = digits[i];
  }
  out[o] = 0;
  return out;
}

char *text_short(char out[TEXT_ROOM], uint64_t n) {
  static const char units[] = " kMGTPE";
  double x = (double)n;
  unsigned u = 0;
  while (x >= 999.5 && units[u + 1]) x /= 1000, u++;
  if (u) snprintf(out, TEXT_ROOM, "%.*f%c", x < 9.95 ? 1 : 0, x, units[u]);
  else snprintf(out, TEXT_ROOM, "%" PRIu64, n);
  return out;
}

char *text_size(char out[TEXT_ROOM], uint64_t bytes) {
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  double x = (double)bytes;
  unsigned u = 0;
  while (x >= 1024 && u + 1 < sizeof units / sizeof *units) x /= 1024, u++;
  int whole = u == 0 || x >= 100 || x - (double)(uint64_t)x < 0.05;
  snprintf(out, TEXT_ROOM, "%.*f %s", whole ? 0 : 1, x, units[u]);
  return out;
}

char *text_size_option(char out[TEXT_ROOM], uint64_t bytes) {
  uint64_t mega = (bytes + (1u << 20) - 1) >> 20;
  if (mega >= 10240 || (mega && mega % 1024 == 0)) snprintf(out, TEXT_ROOM, "%" PRIu64 "G", (mega + 1023) / 1024);
  else snprintf(out, TEXT_ROOM, "%" PRIu64 "M", mega ? mega : 1);
  return out;
}

char *text_seconds(char out[TEXT_ROOM], double s) {
  if (s < 0) s = 0;
  if (s < 10) snprintf(out, TEXT_ROOM, "%.2f s", s);
  else if (s < 60) snprintf(out, TEXT_ROOM, "%.1f s", s);
  else if (s < 3600) snprintf(out, TEXT_ROOM, "%um%02us", (unsigned)s / 60, (unsigned)s % 60);
  else if (s < 1e9) snprintf(out, TEXT_ROOM, "%uh%02um", (unsigned)(s / 3600), (unsigned)(s / 60) % 60);
  else snprintf(out, TEXT_ROOM, "%.3g s", s);
  return out;
}

const char *text_nearest(const char *text, const char *const *words) {
  struct near n;
  near_open(&n, text, strlen(text));
  for (; *words; words++) near_offer(&n, *words);
  return near_best(&n);
}
