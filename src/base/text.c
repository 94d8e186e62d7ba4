/* text.c -- see text.h. */
#include "base/text.h"

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

/* Optimal string alignment on words of up to WORD letters; longer ones are not compared. */
enum { WORD = 63 };

unsigned text_distance(const char *a, size_t n, const char *b, size_t m, unsigned limit) {
  if (n > WORD || m > WORD || (n > m ? n - m : m - n) > limit) return limit + 1;
  unsigned char row[3][WORD + 1];
  for (size_t j = 0; j <= m; j++) row[0][j] = (unsigned char)j;
  for (size_t i = 1; i <= n; i++) {
    unsigned char *now = row[i % 3], *last = row[(i + 2) % 3], *second = row[(i + 1) % 3];
    now[0] = (unsigned char)i;
    for (size_t j = 1; j <= m; j++) {
      unsigned best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1u < best) best = last[j] + 1u;
      if (now[j - 1] + 1u < best) best = now[j - 1] + 1u;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && second[j - 2] + 1u < best) best = second[j - 2] + 1u;
      now[j] = (unsigned char)best;
    }
  }
  unsigned d = row[n % 3][m];
  return d > limit ? limit + 1 : d;
}

const char *text_nearest(const char *text, const char *const *words) {
  size_t length = strlen(text);
  unsigned limit = length <= 3 ? 1 : length <= 6 ? 2 : 3;
  const char *best = NULL;
  for (; *words; words++) {
    unsigned d = text_distance(text, length, *words, strlen(*words), limit);
    if (d > limit) continue;
    best = *words;
    if (!d) break;
    limit = d - 1;
  }
  return best;
}
