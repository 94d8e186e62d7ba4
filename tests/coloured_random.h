/* coloured_random.h -- random coloured nets as .cpnt text, small ones, in which colours can be exchanged, or nearly: scalarsets, index sets and enumerations, in tuples, lists, unions and records, alone and together; guards that
 * compare them, some that name one; arcs with all of a set, with all but one; functions; inhibitor and reset arcs; priorities; references that code segments change; random values; time that is whole or real; initial markings that are the same for all colours, or not. */
#ifndef TESTS_COLOURED_RANDOM_H
#define TESTS_COLOURED_RANDOM_H

#include "base/rng.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct coloured_text {
  char *out;
  size_t room, used;
  struct rng *r;
  int scalarset; /* P is one: nothing may name its values */
  unsigned p, q; /* values of P and Q */
  int references; /* g of numbers, h of Q */
  int draws;
  int timed; /* 1: numbers have stamps that are whole; 2: real ones */
};

__attribute__((format(printf, 2, 3))) static void coloured_say(struct coloured_text *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(c->out + c->used, c->room - c->used, format, list);
  va_end(list);
  if (n > 0 && c->used + (size_t)n < c->room) c->used += (size_t)n;
}

static unsigned coloured_pick(struct coloured_text *c, unsigned n) { return (unsigned)rng_below(c->r, n); }

/* Places hold P, Q, pairs, lists, boxes, records or numbers. */
enum coloured_kind { OF_P, OF_Q, OF_PAIR, OF_LIST, OF_BOX, OF_RECORD, OF_NUMBER, COLOURED_KINDS };
static const char *const coloured_sets[COLOURED_KINDS] = {"P", "Q", "PAIR", "LIST", "BOX", "REC", "N"};

/* What an arc takes: patterns that bind. */
static const char *coloured_pattern(struct coloured_text *c, enum coloured_kind kind) {
  static const char *const p[] = {"x", "y"}, *const q[] = {"u", "v"}, *const pair[] = {"(x, y)", "(x, x)", "(y, x)", "w"}, *const lists[] = {"l", "x :: l"}, *const box[] = {"one x", "two u", "none", "b"},
                    *const record[] = {"{who = x, kind = u}", "r"}, *const n[] = {"k", "1", "0"};
  switch (kind) {
  case OF_P: return p[coloured_pick(c, 2)];
  case OF_Q: return q[coloured_pick(c, 2)];
  case OF_PAIR: return pair[coloured_pick(c, 4)];
  case OF_LIST: return lists[coloured_pick(c, 2)];
  case OF_BOX: return box[coloured_pick(c, 4)];
  case OF_RECORD: return record[coloured_pick(c, 2)];
  default: return n[coloured_pick(c, 3)];
  }
}

/* What an arc gives, in terms of what is bound: bits of "xyuvwlbrk". */
static const char *coloured_gift(struct coloured_text *c, enum coloured_kind kind, const char *bound) {
  if (c->draws && kind == OF_Q && coloured_pick(c, 3) == 0) return "Q.ran ()";
  if (c->draws && kind == OF_NUMBER && coloured_pick(c, 2)) return coloured_pick(c, 2) ? coloured_pick(c, 2) ? "discrete (0, 2)" : "random (1`0 ++ 2`2)" : "if discrete (1, 10) < 9 then bernoulli 0.5 else 1";
  if (c->references && kind == OF_Q && coloured_pick(c, 3) == 0) return "!h";
  if (c->references && kind == OF_NUMBER && coloured_pick(c, 3) == 0) return "get ()";
  int x = strchr(bound, 'x') != NULL, y = strchr(bound, 'y') != NULL, u = strchr(bound, 'u') != NULL, l = strchr(bound, 'l') != NULL, w = strchr(bound, 'w') != NULL, k = strchr(bound, 'k') != NULL;
  static char text[200];
  const char *one = x ? "x" : y ? "y" : w ? "#1 w" : NULL, *other = y ? "y" : w ? "#2 w" : x ? "x" : NULL;
  unsigned way = coloured_pick(c, 6);
  if (kind == OF_P && one && way < 3) way = coloured_pick(c, 6); /* sets that grow have no end */
  switch (kind) {
  case OF_P:
    if (!one) return way < 2 ? "empty" : way < 3 ? "P.all()" : way < 4 && !c->scalarset ? "p(1)" : "empty";
    if (way == 0) snprintf(text, sizeof text, "P.all() -- 1`(%s)", one);
    else if (way == 1) snprintf(text, sizeof text, "List.map (fn z => z) (P.all() -- 1`(%s))", one);
    else snprintf(text, sizeof text, way == 2 ? "others (%s)" : "1`(%s)", way == 3 && other ? other : one);
    return text;
  case OF_Q: return u ? "u" : way == 0 ? "q1" : way == 1 ? "Q.all()" : way == 2 ? (c->q == 3 ? "1`q1 ++ 1`q2 ++ 1`q3" : "1`q2 ++ 1`q1") : "empty"; /* named, and all of them */
  case OF_PAIR:
    if (w && way < 3) return way ? "w" : "swap w";
    if (!one) return "empty";
    if (way == 0) snprintf(text, sizeof text, "PAIR.mult (1`(%s), P.all() -- 1`(%s))", one, one);
    else snprintf(text, sizeof text, "(%s, %s)", way < 3 ? one : other, way < 4 ? other : one);
    return text;
  case OF_LIST:
    if (l) return one && way < 3 ? (snprintf(text, sizeof text, "if length l < 2 then (%s) :: l else l", one), text) : way == 3 ? "rev l" : way == 4 ? "list_to_ms l" : "l";
    return one ? (snprintf(text, sizeof text, "[%s]", one), text) : "[]";
  case OF_BOX:
    if (strchr(bound, 'b') && way < 2) return "b";
    if (one && way < 4) return snprintf(text, sizeof text, "one (%s)", one), text;
    return u ? "two u" : "none";
  case OF_RECORD:
    if (strchr(bound, 'r')) return "r";
    return one && u ? (snprintf(text, sizeof text, "{who = %s, kind = u}", one), text) : "empty";
  default: {
    static const char *const delays[3][4] = {{"", "", "", ""}, {"", " @+ 1", " @++ 2", " @+ 1"}, {"", " @++ 0.1", " @+ 1", " @++ 0.3 * (if time () < 1.5 then 1.0 else 0.5)"}};
    snprintf(text, sizeof text, "%s%s", k ? (way < 3 ? "(if k < 2 then k + 1 else 0)" : "k") : way < 3 ? "1" : "0", delays[c->timed][c->timed ? coloured_pick(c, 4) : 0]);
    return text;
  }
  }
}

static const char *coloured_guard(struct coloured_text *c, const char *bound) {
  int x = strchr(bound, 'x') != NULL, y = strchr(bound, 'y') != NULL, u = strchr(bound, 'u') != NULL, v = strchr(bound, 'v') != NULL;
  unsigned way = coloured_pick(c, 8);
  if (x && y && way < 4) return way < 2 ? "x <> y" : way == 2 ? "x = y" : "not (mem [x] y)";
  if (u && v && way < 6) return "u <> v";
  if (x && !c->scalarset && way == 6) return coloured_pick(c, 2) ? "x <> p(1)" : "P.ord x mod 2 = 0";
  if (x && y && !c->scalarset && way == 5) return "P.ord x <> P.ord y";
  if (x && !c->scalarset && way == 7 && coloured_pick(c, 4) == 0) return "P.ord x > 0";
  if (u && way == 5) return "u <> q1";
  if (c->references && way < 3) return u && way < 2 ? "u <> !h" : "get () < 2";
  return NULL;
}

static void coloured_initial(struct coloured_text *c, enum coloured_kind kind) {
  unsigned way = coloured_pick(c, 5), a = 1 + coloured_pick(c, c->p), b = 1 + coloured_pick(c, c->p), q = 1 + coloured_pick(c, c->q);
  switch (kind) {
  case OF_P:
    if (way < 2) coloured_say(c, "    initial P.all()\n");
    else if (way < 4) coloured_say(c, "    initial 1`p(%u) ++ 1`p(%u)\n", a, b);
    break;
  case OF_Q:
    if (way < 2) coloured_say(c, "    initial Q.all()\n");
    else if (way < 4) coloured_say(c, "    initial 1`q%u\n", q);
    break;
  case OF_PAIR:
    if (way == 0) coloured_say(c, "    initial 1`(p(%u), p(%u))\n", a, b);
    break;
  case OF_LIST:
    if (way < 2) coloured_say(c, "    initial [%s]\n", way ? "p(1)" : "");
    break;
  case OF_BOX:
    if (way < 2) coloured_say(c, "    initial %s\n", way ? "none" : "one (p(2)) ++ two q1");
    break;
  case OF_RECORD:
    if (way == 0) coloured_say(c, "    initial {who = p(%u), kind = q%u}\n", a, q);
    break;
  default: coloured_say(c, "    initial 1`%u\n", coloured_pick(c, 2));
  }
}

/* The code segment of a transition; it may bind k. */
static void coloured_code(struct coloured_text *c, char *bound) {
  switch (coloured_pick(c, c->draws ? 7 : 5)) {
  case 5: coloured_say(c, "    code action (h := Q.ran (); if discrete (0, 3) = 0 then g := !g else ())\n"); break;
  case 0: coloured_say(c, coloured_pick(c, 2) ? "    code action (g := (!g + 1) mod 3; seen := !seen + 1)\n" : "    code action g := (!g + 1) mod 3; seen := !seen + 1;\n"); break;
  case 1: coloured_say(c, "    code action if !h = q1 then h := q2 else %s\n", c->scalarset ? "h := q1" : "turn h"); break;
  case 2:
    if (strchr(bound, 'u')) coloured_say(c, "    code input (u); action (h := u; if u = q1 then g := 0 else ())\n");
    break;
  case 3:
    if (strchr(bound, 'k')) break;
    coloured_say(c, "    code output (k); action (g := 1 - get (); !g * !g)\n");
    bound[strlen(bound)] = 'k';
    break;
  default: break;
  }
}

static void coloured_random(char *out, size_t room, struct rng *r) {
  struct coloured_text c = {.out = out, .room = room, .r = r};
  enum coloured_kind kind[6];
  static const enum coloured_kind usual[] = {OF_P, OF_P, OF_P, OF_P, OF_P, OF_PAIR, OF_PAIR, OF_PAIR, OF_Q, OF_LIST, OF_LIST, OF_BOX, OF_RECORD, OF_NUMBER};
  out[0] = 0;
  c.p = 2 + coloured_pick(&c, 3);
  c.q = 2 + coloured_pick(&c, 2);
  c.scalarset = coloured_pick(&c, 2) == 0;
  c.timed = coloured_pick(&c, 10) ? 0 : 1 + (int)coloured_pick(&c, 2);
  if (c.timed == 2) coloured_say(&c, "time real\n");
  coloured_say(&c, "declare\n  colset P = %s p with 1..%u; colset Q = with q1 | q2%s;\n", c.scalarset ? "scalarset" : "index", c.p, c.q == 3 ? " | q3" : "");
  coloured_say(&c, "  colset PAIR = product P * P; colset LIST = list P; colset BOX = union one : P + two : Q + none; colset REC = record who : P * kind : Q; colset N = int%s;\n", c.timed ? " timed" : "");
  coloured_say(&c, "  var x, y : P; var u, v : Q; var w : PAIR; var l : LIST; var b : BOX; var r : REC; var k : N;\n");
  coloured_say(&c, "  fun others x = List.foldl (fn (z, all) => (if z = x then empty else 1`z) ++ all) empty (P.all());\n  fun swap (x, y) = (y, x);\n\npage Net\n");
  c.references = coloured_pick(&c, 5) == 0;
  c.draws = coloured_pick(&c, 8) == 0;
  if (c.references) c.used -= strlen("\npage Net\n"), coloured_say(&c, "  globref g = %u; val h = ref q1; val seen = ref 0; fun get () = !g; fun turn r = r := q1;\n\npage Net\n", coloured_pick(&c, 2));
  unsigned places = 3 + coloured_pick(&c, 3), transitions = 3 + coloured_pick(&c, 4), priorities = coloured_pick(&c, 6) == 0;
  for (unsigned p = 0; p < places; p++) {
    kind[p] = p ? usual[coloured_pick(&c, 14)] : OF_P;
    coloured_say(&c, "  place A%u : %s\n", p, coloured_sets[kind[p]]);
    if (p || coloured_pick(&c, 4) == 0) coloured_initial(&c, kind[p]);
    else coloured_say(&c, "    initial P.all()\n");
  }
  for (unsigned t = 0; t < transitions; t++) {
    char bound[40] = "";
    const char *taken[3];
    unsigned from[3], takes = 1 + coloured_pick(&c, 2), gives = coloured_pick(&c, 4) ? takes : 1 + coloured_pick(&c, 2);
    coloured_say(&c, "  transition T%u\n", t);
    for (unsigned i = 0; i < takes; i++) {
      from[i] = !t && !i ? 0 : coloured_pick(&c, places);
      taken[i] = coloured_pattern(&c, kind[from[i]]);
      for (const char *s = taken[i]; *s; s++)
        if (strchr("xyuvwlbrk", *s) && !strchr("abcdefghijklmnopqrstuvwxyz", s[1] ? s[1] : ' ') && (s == taken[i] || !strchr("abcdefghijklmnopqrstuvwxyz", s[-1])) && !strchr(bound, *s)) bound[strlen(bound)] = *s;
      coloured_say(&c, "    %s A%u : %s\n", coloured_pick(&c, 5) ? "take" : "test", from[i], taken[i]);
    }
    if (strchr(bound, 'x') && coloured_pick(&c, 8) == 0) coloured_say(&c, "    take A0 : others x\n");
    const char *guard = coloured_guard(&c, bound);
    if (guard) coloured_say(&c, "    guard %s\n", guard);
    if (c.references) coloured_code(&c, bound);
    for (unsigned i = 0; i < gives; i++) {
      unsigned to = coloured_pick(&c, places);
      coloured_say(&c, "    give A%u : %s\n", to, coloured_gift(&c, kind[to], bound));
    }
    if (coloured_pick(&c, 10) == 0) coloured_say(&c, "    %s A%u\n", coloured_pick(&c, 2) ? "inhibit" : "reset", coloured_pick(&c, places));
    if (priorities && coloured_pick(&c, 2)) coloured_say(&c, "    priority %u\n", 999 + coloured_pick(&c, 3));
  }
}

#endif
