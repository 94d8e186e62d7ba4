/* fuzz_certificate.c -- any bytes as a certificate, given to thimble-audit as it is: no crash, no lost memory, and never an answer that a certificate for something false is right.
 *
 * The first byte chooses the model, and whether the rest is the file, or a list of records with the right sums: each a byte for its kind, two for its length, and the payload.  Of a head the model's own lines are there already, the payload follows;
 * of a block of states the payload is what is compressed, behind the number of states. */
int audit_main(int argc, char **argv);
#define main audit_main
#include "audit/main.c"
#undef main

#include "base/hash.h"
#include "demand.h"
#include "place.h"

#include <stdint.h>
#include <unistd.h>
#include <zstd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each of these can get stuck, and the head of each certificate says that it cannot. */
static const struct subject {
  const char *suffix, *language, *kind, *text;
  unsigned vars;
} subjects[] = {
    {"cpnt", "cpnt", "coloured net", "net \"x\"\ndeclare\n  colset N = int with 1..3;\n  colset L = list N;\n  var n : N;\n  var l : L;\npage P\n  place A : N\n    initial 1`1 ++ 1`2\n  place B : L\n    initial 1`[]\n  transition T\n    take A : n\n    take B : l\n    give B : n :: l\n", 2},
    {"pml", "promela", "processes", "byte n; chan c = [1] of { byte }; proctype q() { c!n }\nactive proctype p() { run q(); do :: n < 3 -> n++ :: c?n od }\n", 14},
    {"aut", "aut", "labelled transition system", "des (0, 4, 4)\n(0, \"a\", 1)\n(1, \"b\", 2)\n(2, \"c\", 0)\n(1, \"d\", 3)\n", 1},
};

static char model[3][120], file[120], input[3][80];

static void settle_in(void) {
  long self = (long)getpid();
  snprintf(file, sizeof file, "%.80s/fuzz-certificate-%ld.cert", fuzz_place(), self);
  for (int i = 0; i < 3; i++) {
    const char *text = subjects[i].text;
    snprintf(model[i], sizeof model[i], "%.80s/fuzz-certificate-%ld.%s", fuzz_place(), self, subjects[i].suffix);
    FILE *out = fopen(model[i], "w");
    demand(out && fputs(text, out) >= 0 && fclose(out) == 0);
    snprintf(input[i], sizeof input[i], "%016llx %zu x", (unsigned long long)XXH64(text, strlen(text), 0), strlen(text));
  }
  demand(freopen("/dev/null", "w", stdout));
}

static void clean_up(void) {
  unlink(file);
  for (int i = 0; i < 3; i++) unlink(model[i]);
}

static void put_number(FILE *out, uint64_t n, int bytes) {
  for (; bytes; bytes--, n >>= 8) putc((int)(n & 255), out);
}

static void put_record(FILE *out, const char *tag, const void *data, size_t length) {
  fwrite(tag, 4, 1, out);
  put_number(out, length, 8);
  put_number(out, XXH64(data, length, 0), 8);
  fwrite(data, 1, length, out);
}

static void write_records(FILE *out, const uint8_t *data, size_t size, int which) {
  static const char *const tags[] = {"HEAD", "TRAC", "STAT", "INDX", "ENDS", "????"};
  static char room[1 << 17];
  const struct subject *s = &subjects[which];
  fputs("thimble.certificate/1\n", out);
  while (size >= 3) {
    size_t length = data[1] | (size_t)data[2] << 8, n = length < size - 3 ? length : size - 3, used = 0;
    const uint8_t *payload = data + 3;
    const char *tag = tags[data[0] % 6];
    if (*tag == 'H') {
      used = (size_t)snprintf(room, sizeof room, "model %s\nlanguage %s\nkind %s\nvars %u\ninput %s\nproperty deadlock holds set deadlock\nverdict holds\n", model[which], s->language, s->kind, s->vars, input[which]);
      memcpy(room + used, payload, n);
      used += n;
    } else if (*tag == 'S') {
      size_t packed = ZSTD_compress(room + 12, sizeof room - 12, payload + (n > 0), n - (n > 0), 1);
      demand(!ZSTD_isError(packed));
      for (int i = 0; i < 12; i++) room[i] = (char)(i < 4 ? (i ? 0 : n ? payload[0] : 0) : (n - (n > 0)) >> 8 * (i - 4));
      used = 12 + packed;
    } else {
      memcpy(room, payload, n);
      used = n;
    }
    put_record(out, tag, room, used);
    data += 3 + n;
    size -= 3 + n;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!*file) settle_in(), atexit(clean_up);
  if (!size) return 0;
  int which = data[0] / 2 % 3;
  FILE *out = fopen(file, "wb");
  demand(out);
  if (data[0] & 1) write_records(out, data + 1, size - 1, which);
  else fwrite(data + 1, 1, size - 1, out);
  demand(fclose(out) == 0);
  char *argv[] = {"thimble-audit", "--memory", "8M", "--json", file, model[which], NULL};
  int code = audit_main(6, argv);
  demand(code >= AUDIT_HOLDS && code <= AUDIT_NOT && code != AUDIT_USAGE && !(data[0] & 1 && code == AUDIT_HOLDS));
  return 0;
}
