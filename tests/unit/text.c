/* text.c -- numbers as people read them, and words that are near. */
#include "base/text.h"
#include "tap.h"

int main(void) {
  char t[TEXT_ROOM];
  is_text(text_count(t, 0), "0", "0");
  is_text(text_count(t, 999), "999", "three digits");
  is_text(text_count(t, 1204331), "1,204,331", "thousands");
  is_text(text_count(t, UINT64_MAX), "18,446,744,073,709,551,615", "the largest");
  is_text(text_short(t, 999), "999", "short");
  is_text(text_short(t, 1000), "1.0k", "thousands in short");
  is_text(text_short(t, 999999), "1.0M", "just below a million");
  is_text(text_short(t, 37397), "37k", "no fraction where it says nothing");
  is_text(text_short(t, UINT64_MAX), "18E", "the largest in short");
  is_text(text_size(t, 512), "512 bytes", "bytes");
  is_text(text_size(t, 64u << 20), "64 MB", "megabytes");
  is_text(text_size(t, 1536), "1.5 kB", "a fraction");
  is_text(text_size(t, UINT64_MAX), "16 EB", "the largest size");
  is_text(text_size_option(t, 256u << 20), "256M", "as an option");
  is_text(text_size_option(t, 4ull << 30), "4G", "gigabytes as an option");
  is_text(text_size_option(t, 1), "1M", "at least one");
  is_text(text_seconds(t, 0.314), "0.31 s", "seconds");
  is_text(text_seconds(t, 90), "1m30s", "minutes");
  is_text(text_seconds(t, 7500), "2h05m", "hours");
  is_text(text_seconds(t, 1e12), "1e+12 s", "ages");
  static const char *const words[] = {"bfs", "dfs", "walk", NULL};
  is_text(text_nearest("bsf", words), "bfs", "the nearest");
  ok(!text_nearest("nothing", words), "or none");
  is_text(text_nearest("walks", words), "walk", "a longer one");
  char huge[500];
  memset(huge, 'a', sizeof huge - 1);
  huge[sizeof huge - 1] = 0;
  ok(!text_nearest(huge, words), "a very long word is near to nothing");
  return done();
}
