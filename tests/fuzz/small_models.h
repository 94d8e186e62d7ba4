/* small_models.h -- small models for targets that read something about a model: a trace, requests of the explorer. One of each kind, with messages, processes that begin on the way, and values that are no numbers. */
#ifndef TESTS_FUZZ_SMALL_MODELS_H
#define TESTS_FUZZ_SMALL_MODELS_H

#include "fuzz.h"
#include "opened.h"

static const struct small_model {
  const char *language, *text;
} small_models[] = {
    {"net", "net p\nplace t1 = 1, t2 = 1, f1 = 1, f2 = 1, w1, w2\ntransition left1 : t1, f1 -> w1\ntransition right1 : w1, f2 -> t1, f1, f2\ntransition left2 : t2, f2 -> w2\ntransition right2 : w2, f1 -> t2, f1, f2\n"},
    {"promela", "mtype = { ping, pong }; chan c = [1] of { mtype, byte }; chan r = [0] of { byte }; byte n;\n"
                "proctype child(byte x) { r!x; n = n + x }\n"
                "active proctype a() { do :: n < 3 -> c!ping(n); n++ :: else -> break od; run child(2) }\n"
                "active proctype b() { byte v; end: do :: c?ping(v); assert(v < 3) :: r?v -> printf(\"%d\", v) od }\n"},
    {"cpnt", "net \"small\"\ndeclare\n  colset STRING = string;\n  colset UNIT = unit;\n  colset N = int with 1..3;\n  colset P = product N * STRING;\n  var n : N;\n  var s : STRING;\n"
             "page Main\n  place Send : P\n    initial 1`(1, \"a\") ++ 1`(2, \"b\")\n  place Free : UNIT\n    initial 1`()\n  place Got : P\n"
             "  transition Go\n    take Send : (n, s)\n    take Free : ()\n    give Got : (n, s)\n  transition Back\n    take Got : (n, s)\n    guard n < 2\n    give Free : ()\n"},
};
enum { SMALL_MODELS = sizeof small_models / sizeof *small_models };

/* Models stay open for a while, because opening one takes longer than what is done with it. What is done uses their memory, and all of it must be back when they are closed. */
static struct mem small_model_mem;
static struct model *small_model_is[SMALL_MODELS];

static inline struct model *small_model(uint8_t byte) {
  static unsigned asked;
  size_t which = byte % SMALL_MODELS;
  if (asked++ % 500 == 0) { /* anew, and nothing is left of the old ones */
    for (size_t i = 0; i < SMALL_MODELS; i++) model_close(small_model_is[i]), small_model_is[i] = NULL;
    demand(small_model_mem.used == 0);
    mem_open(&small_model_mem, BUDGET);
  }
  if (!small_model_is[which]) small_model_is[which] = opened_text(small_models[which].language, small_models[which].text, &small_model_mem);
  return small_model_is[which];
}

#endif
