/* often.c -- how many processes a program can make: programs of which it is known, and some of which it must not be believed. */
#include "promela_read.h"

#include "process/often.h"
#include "process/process_model.h"

static const struct {
  const char *name, *text;
  uint32_t fewer; /* than this many processes, and not fewer than one less; 0: any number */
} programs[] = {
  {"at the start", "active [3] proctype P() { skip }\n", 4},
  {"made one by one", "proctype P() { skip } init { run P(); run P() }\n", 4},
  {"made by those who were made", "proctype P() { skip } proctype Q() { run P(); run P() } init { run Q(); run Q() }\n", 8},
  {"made in a loop", "proctype P() { skip } init { do :: run P() od }\n", 0},
  {"by themselves", "proctype P() { run P() } init { run P() }\n", 0},
  {"one for each message", "chan c = [4] of { bit }; proctype P() { c?0; run P() } init { c!0; c!0; run P() }\n", 5},
  {"two for each message", "chan c = [4] of { bit }; proctype P() { c?0; run P(); run P() } init { c!0; c!0; run P() }\n", 7},
  {"for each message of a loop", "chan c = [4] of { bit }; proctype P() { do :: c?0; run P() od } init { c!0; c!0; run P() }\n", 5},
  {"one of two that a message can do", "chan c = [4] of { bit }; proctype P() { if :: c?0; run P() :: c?1; skip fi } init { c!0; c!1; run P() }\n", 5},
  {"an array of channels", "chan c[2] = [4] of { bit }; proctype P(byte i) { c[i]?0; run P(1 - i) } init { c[0]!0; c[1]!0; run P(0) }\n", 5},
  {"messages that are handed on, rendezvous", "chan c = [0] of { bit }, d = [2] of { bit }; proctype P() { c?0; run P() } active proctype Q() { do :: d?0; c!0 od } init { d!0; d!0; run P() }\n", 6},
  {"messages that go round", "chan c = [4] of { bit }; proctype P() { c?0; run P(); c!0 } init { c!0; run P() }\n", 0},
  {"messages without end", "chan c = [4] of { bit }; proctype P() { c?0; run P() } init { run P(); do :: c!0 od }\n", 0},
  {"a message that stays", "chan c = [4] of { bit }; proctype P() { c?<0>; run P() } init { c!0; run P() }\n", 0},
  {"a message that is only seen", "chan c = [4] of { bit }; proctype P() { c?[0]; run P() } init { c!0; run P() }\n", 0},
  {"another way round", "chan c = [4] of { bit }; proctype P() { do :: c?0 :: run P() od } init { c!0; run P() }\n", 0},
  {"before the message", "chan c = [4] of { bit }; proctype P() { run P(); c?0 } init { c!0; run P() }\n", 0},
  {"under another name", "chan c = [4] of { bit }; proctype P(chan me) { do :: me!0 :: c?0; run P(c) od } init { c!0; run P(c) }\n", 0},
  {"by a variable", "chan c = [4] of { bit }, d; proctype P() { c?0; run P(); d!0 } init { d = c; c!0; run P() }\n", 0},
  {"by a message", "chan c = [4] of { bit }, d = [1] of { chan }; proctype P() { chan e; c?0; run P(); d?e; e!0; d!e } init { d!c; c!0; run P() }\n", 0},
};

/* Channels that a program makes count, too. */
static int told(const char *text, uint32_t processes, uint32_t channels) {
  struct promela read;
  struct model *m = NULL;
  struct footprints f = {0};
  struct often_most most;
  int answer = -2;
  if (promela_text(&read, text, 0)) {
    printf("# %s", read.errors);
    return -2;
  }
  if (!process_open(&m, read.program, &read.mem, &read.err)) {
    if (footprints_open(&f, &process_of(m)->shape, &read.mem) == 0) answer = often_find(&most, &f) ? -2 : most.processes < processes && most.channels < channels;
    footprints_close(&f);
    model_close(m);
  }
  if (read.mem.used) answer = -2;
  return answer;
}

int main(void) {
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    uint32_t fewer = programs[i].fewer;
    int right = fewer ? told(programs[i].text, fewer, 255) == 1 && told(programs[i].text, fewer - 1, 255) == 0 : told(programs[i].text, 255, 255) == 0;
    ok(right, programs[i].name);
  }
  const char *channels = "chan c = [4] of { bit }; proctype P() { chan own = [1] of { bit }; own!0; c?0; run P() } init { c!0; c!0; run P() }\n";
  ok(told(channels, 255, 5) == 1 && told(channels, 255, 4) == 0, "channels of processes");
  return done();
}
