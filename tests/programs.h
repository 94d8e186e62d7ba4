/* programs.h -- random programs in Promela and DVE: a few processes with loops, choices, atomic sequences and assertions over shared variables and channels of all kinds.
 *
 * They are small in states and large in variety: what one process does to another is the point. */
#ifndef TESTS_PROGRAMS_H
#define TESTS_PROGRAMS_H

#include "base/rng.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct programs_text {
  char *out;
  size_t used, room;
  struct rng *r;
  unsigned types;  /* process types that may be made */
  unsigned sorts;  /* which sorts of statements this program has */
  int plain;       /* inside a d_step or beside something rare: nothing that blocks */
  int private;     /* mostly locals: much to be spared */
  int atomic;      /* inside an atomic sequence: no loops, which have no end of ways through */
  int loops;       /* inside a loop: no processes are made */
};

static void programs_say(struct programs_text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->out + t->used, t->room - t->used, format, args);
  va_end(args);
  if (n > 0) t->used += (size_t)n < t->room - t->used ? (size_t)n : t->room - t->used - 1;
}

static unsigned programs_pick(struct programs_text *t, unsigned n) { return (unsigned)rng_below(t->r, n); }

static const char *programs_var(struct programs_text *t) {
  static const char *locals[] = {"i", "j"}, *globals[] = {"x", "y", "z", "a[0]", "a[me]", "a[i]"};
  return programs_pick(t, t->private ? 4 : 2) ? locals[programs_pick(t, 2)] : globals[programs_pick(t, programs_pick(t, 6) ? 5 : 6)];
}

static const char *programs_channel(struct programs_text *t) {
  static const char *channels[] = {"c", "d", "in", "r", "e[me]", "e[i]", "q", "own", "own"};
  static const unsigned sort[] = {1, 1, 1, 2, 1, 1, 2, 32, 32};
  for (;;) {
    unsigned k = programs_pick(t, 9);
    if (k == 5 && programs_pick(t, 4)) continue;
    if (t->sorts & sort[k]) return channels[k];
  }
}

static void programs_condition(struct programs_text *t) {
  static const char *relations[] = {"==", "!=", "<", ">="};
  const char *v = programs_var(t);
  switch (programs_pick(t, 10)) {
  case 9:
    if (t->sorts & 1) {
      static const char *ends[] = {"nempty(c)", "nfull(c)", "nempty(d)", "nfull(d)", "nfull(in)", "nempty(in)"};
      programs_say(t, "%s && %s %s %u", ends[programs_pick(t, 6)], v, relations[programs_pick(t, 4)], programs_pick(t, 3));
      return;
    } /* fallthrough */
  case 8:
    if (t->sorts & 8 && t->types && programs_pick(t, 3) == 0) {
      programs_say(t, "P%u:%s %s %u", programs_pick(t, t->types), programs_pick(t, 2) ? "i" : "j", relations[programs_pick(t, 4)], programs_pick(t, 3));
      return;
    }
    programs_say(t, "k %s %u && %s %s %u", relations[programs_pick(t, 4)], programs_pick(t, 4), v, relations[programs_pick(t, 4)], programs_pick(t, 3)); return;
  case 0:
    if (t->sorts & 1) {
      static const char *asks[] = {"len(c) == 0", "full(c)", "nempty(d)", "empty(d)", "nfull(c)", "len(d) < 2"};
      programs_say(t, "%s", asks[programs_pick(t, 6)]);
      return;
    } /* fallthrough */
  case 1: programs_say(t, "%s %s %s", v, relations[programs_pick(t, 4)], programs_var(t)); return;
  case 2:
    if (t->sorts & 1) {
      programs_say(t, "%s", programs_pick(t, 2) ? "c?[1]" : "_nr_pr > 2");
      return;
    } /* fallthrough */
  default: programs_say(t, "%s %s %u", v, relations[programs_pick(t, 4)], programs_pick(t, 3)); return;
  }
}

static void programs_body(struct programs_text *t, unsigned count, unsigned depth);

static void programs_options(struct programs_text *t, unsigned depth, int can_leave) {
  unsigned options = 1 + programs_pick(t, 3);
  for (unsigned k = 0; k < options; k++) {
    programs_say(t, ":: ");
    programs_body(t, 1 + programs_pick(t, 2), depth + 1);
    if (can_leave && (k == 0 || programs_pick(t, 3) == 0)) programs_say(t, "; break");
    programs_say(t, " ");
  }
  if (programs_pick(t, 4) == 0) programs_say(t, ":: else%s ", can_leave && programs_pick(t, 2) ? " -> break" : "");
}

static void programs_statement(struct programs_text *t, unsigned depth) {
  unsigned kind = programs_pick(t, t->plain ? 5 : depth > 2 ? 14 : 22);
  switch (kind) {
  case 0:
  case 1:
  case 2: programs_say(t, "%s = %u", programs_var(t), programs_pick(t, 3)); return;
  case 3: {
    const char *v = programs_var(t);
    programs_say(t, "%s = (%s + 1) %% 3", v, v);
    return;
  }
  case 4: {
    static const char *counts[] = {"skip", "k++", "k++", "k--", "k = 0", "k = 2"};
    programs_say(t, "%s", counts[programs_pick(t, 6)]);
    return;
  }
  case 5:
  case 6:
    programs_say(t, "(");
    programs_condition(t);
    programs_say(t, ")");
    return;
  case 7:
  case 8:
    if (t->sorts & 35) {
      programs_say(t, "%s!%s", programs_channel(t), programs_pick(t, 2) ? "1" : "i");
      return;
    } /* fallthrough */
  case 9:
  case 10:
    if (t->sorts & 35) {
      static const char *takes[] = {"i", "j", "1", "x", "eval(j)"};
      programs_say(t, "%s?%s", programs_channel(t), takes[programs_pick(t, 5)]);
      return;
    } /* fallthrough */
  case 11:
    if (t->sorts & 4) {
      programs_say(t, "assert(");
      programs_condition(t);
      programs_say(t, ")");
      return;
    } /* fallthrough */
  case 12:
    if (t->sorts & 8) {
      static const char *rare[] = {"timeout", "c!!i", "d??1", "d?<i>", "i = 6 / j", "j = i % x", "in = d", "e[0]?<1>", "d!!0", "c??i"};
      unsigned k = programs_pick(t, 10);
      programs_say(t, "%s", rare[t->sorts & 1 ? k : k % 2 ? 4 : 0]);
      return;
    } /* fallthrough */
  case 13:
    if (t->sorts & 16 && !t->plain && programs_pick(t, 2)) { /* types that make themselves, as often as there are tickets */
      programs_say(t, "tick?_; run P%u(%u, %s)", programs_pick(t, t->types + 1), programs_pick(t, 2), programs_pick(t, 2) ? "c" : "in");
      return;
    }
    if (t->sorts & 16 && t->types && !t->loops) {
      programs_say(t, "run P%u(%u, %s)", programs_pick(t, t->types), programs_pick(t, 2), t->sorts & 32 && programs_pick(t, 4) ? programs_pick(t, 3) ? "own" : "in" : programs_pick(t, 2) ? "c" : "d");
      return;
    }
    programs_say(t, "skip");
    return;
  case 14:
  case 15:
  case 16:
    programs_say(t, "if ");
    programs_options(t, depth, 0);
    programs_say(t, "fi");
    return;
  case 17:
  case 18:
    if (!t->atomic) {
      programs_say(t, "do ");
      t->loops++;
      programs_options(t, depth, 1);
      t->loops--;
      programs_say(t, "od");
      return;
    } /* fallthrough */
  case 19:
  case 20:
    programs_say(t, "atomic { ");
    t->atomic++;
    programs_body(t, 2 + programs_pick(t, 2), depth + 1);
    t->atomic--;
    programs_say(t, " }");
    return;
  default:
    if (programs_pick(t, 3) == 0 && t->sorts & 8) {
      programs_say(t, "{ ");
      programs_body(t, 2, depth + 1);
      programs_say(t, " } unless { ");
      programs_body(t, 1, depth + 1);
      programs_say(t, " }");
      return;
    }
    programs_say(t, "d_step { ");
    int before = t->plain;
    t->plain = 1;
    programs_body(t, 2, depth + 1);
    t->plain = before;
    programs_say(t, " }");
    return;
  }
}

static void programs_body(struct programs_text *t, unsigned count, unsigned depth) {
  for (unsigned k = 0; k < count; k++) {
    if (k) programs_say(t, "; ");
    programs_statement(t, depth);
  }
}

/* Global names: x, y, z, a[0], a[1], the channels c, d, e[0], e[1]; label L<k> in P<k>. */
__attribute__((unused)) static void programs_random(char *out, size_t room, struct rng *r) {
  struct programs_text t = {.out = out, .room = room, .r = r};
  unsigned types = 2 + (unsigned)rng_below(r, 3);
  t.sorts = (unsigned)rng_below(r, 64);
  t.private = rng_below(r, 3) != 0;
  out[0] = 0;
  programs_say(&t, "byte x, y, z, a[2];\nchan c = [1] of { byte }, d = [2] of { byte }, r = [0] of { byte }, q = [0] of { byte }, e[2] = [1] of { byte }, tick = [2] of { bit };\n");
  for (unsigned k = 0; k < types; k++) {
    programs_say(&t, "proctype P%u(byte me; chan in)%s { byte i = %u, j; unsigned k : 2;%s\n  ", k, rng_below(r, 12) == 0 && t.sorts & 8 ? " provided (x != 2)" : "", (unsigned)rng_below(r, 2), t.sorts & 32 ? " chan own = [1] of { byte };" : "");
    programs_body(&t, 1 + (unsigned)rng_below(r, 3), 0);
    programs_say(&t, ";\nL%u: ", k);
    int loops = t.loops = rng_below(r, 3) == 0;
    if (loops) programs_say(&t, "do :: ");
    programs_body(&t, 1 + (unsigned)rng_below(r, 3), 0);
    if (loops) programs_say(&t, " od");
    t.loops = 0;
    programs_say(&t, " }\n");
    t.types = k + 1;
  }
  programs_say(&t, "init { atomic { ");
  for (unsigned k = (unsigned)rng_below(r, 3); k > 0 && t.sorts & 16; k--) programs_say(&t, "tick!0; ");
  for (unsigned k = 0; k < types; k++) programs_say(&t, "run P%u(%u, %s); ", k, k % 2, rng_below(r, 2) ? "c" : "d");
  programs_say(&t, "skip } }\n");
}

/* ---- several processes of a type ---- */

static void programs_alike_statement(struct programs_text *t, unsigned depth) {
  static const char *const fair[] = { /* names are names */
      "flag[_pid] = 1", "flag[_pid] = 0", "turn = _pid", "(turn != _pid)", "(turn == _pid)", "p = turn", "p = _pid", "(p != _pid)", "flag[p] = 0", "(flag[turn] == 0)",
      "c!_pid,i", "c?p,i", "c?eval(_pid),i", "c?p,0", "e[id]!i", "e[id]?i", "e[id]?0", "mine!0", "mine?i", "d!mine,_pid", "d?h,p", "h = mine", "(nempty(mine))",
      "a[id] = i", "i = a[id]", "w = id", "(w == id)", "a[w] = 0", "k = w", "k = id", "(k != w)", "seen[id] = 1", "seen[k] = 0", "(seen[w] == 0)", "h = e[id]", "(len(e[k]) == 0)",
      "x = (x + 1) % 3", "(x != 1)", "i = x", "i = (i + 1) % 2", "skip", "printf(\"%d\", _pid)", "(x == 0 || turn == _pid)", "m[id].y = i", "m[k].z = id", "(m[w].z == k)", "turn = (x == 1 -> turn : _pid)",
      "(turn == 255)", "turn = 255", "(P[p]@L)", "(!P[turn]@L)", "assert(flag[_pid] < 2)", "assert(x != 2 || i == 0)", "(c?[eval(_pid),0])", "d?<h,p>", "c??p,0",
      "select (sl : 0 .. 2)", "so = sl", "(so != sl)", "sa[sl] = 1 - sa[sl]", "g!sl", "g?so", "(sa[so] == 0)", "if :: k = 0 :: k = 1 :: k = 2 :: k = 3 fi"};
  static const char *const unfair[] = { /* they are numbers */
      "x = _pid % 3", "(_pid > 1)", "turn = 1", "(turn == 2)", "flag[0] = 0", "(_nr_pr > 2)", "p = 3 - _pid", "flag[3 - _pid] = 1", "(id < 2)", "a[0] = i", "w = 1", "w = (id + 1) % 3", "e[1]!i", "a[(id + 1) % 3] = i",
      "c!1,i", "c!!_pid,i", "x = fixed[id]", "assert(w != 2)", "(P[2]:i == 0)", "(P@L)", "(w != 0)", "h = e[0]", "i = P[p]:i", "w = (id == 0 -> 1 : 2)", "p = (_pid == 1 -> 2 : 1)", "seen[2] = 1", "(timeout)", "turn = 2 - _pid"};
  unsigned kind = programs_pick(t, depth > 1 ? 16 : 22);
  if (kind < 16) {
    const char *s = kind >= 12 && t->sorts & 1 ? unfair[programs_pick(t, sizeof unfair / sizeof *unfair)] : fair[programs_pick(t, sizeof fair / sizeof *fair)];
    programs_say(t, "%s", strstr(s, "mine") && !(t->sorts & 2) ? "flag[_pid] = 1 - flag[_pid]" : s);
  } else if (kind < 18) {
    programs_say(t, "if ");
    for (unsigned k = 0; k < 2; k++) {
      programs_say(t, ":: ");
      programs_alike_statement(t, depth + 1);
      programs_say(t, "; ");
      programs_alike_statement(t, depth + 1);
      programs_say(t, " ");
    }
    programs_say(t, "%sfi", programs_pick(t, 2) ? ":: else " : "");
  } else if (kind < 20) {
    programs_say(t, "atomic { ");
    programs_alike_statement(t, 2);
    programs_say(t, "; ");
    programs_alike_statement(t, 2);
    programs_say(t, " }");
  } else {
    programs_say(t, "do :: ");
    programs_alike_statement(t, depth + 1);
    programs_say(t, "; ");
    programs_alike_statement(t, depth + 1);
    programs_say(t, " :: break od");
  }
}

/* Two to four processes of P with numbers in variables, messages and indices; label L. Most treat them all alike (`unfair` statements do not), many come to an end. */
__attribute__((unused)) static void programs_random_alike(char *out, size_t room, struct rng *r) {
  struct programs_text t = {.out = out, .room = room, .r = r};
  unsigned count = 2 + (rng_below(r, 4) == 0) + (rng_below(r, 3) == 0), other = rng_below(r, 3) == 0, first = (unsigned)rng_below(r, 2);
  t.sorts = (rng_below(r, 3) == 0) + (rng_below(r, 3) == 0 ? 2 : 0);
  out[0] = 0;
  programs_say(&t, "byte x, w%s, a[4], fixed[4] = { 0, 1, 1, 2 };\npid turn%s;\nbool flag[6];\n", rng_below(r, 3) ? "" : " = 3", rng_below(r, 2) ? " = 255" : "");
  programs_say(&t, "scalarset(3) so; bit sa[3]; chan g = [1] of { scalarset(3) };\n");
  programs_say(&t, "typedef R { bit y; byte z }; R m[4];\nchan c = [%u] of { pid, byte }, d = [1] of { chan, pid }, e[4] = [1] of { bit };\n", 1 + (unsigned)(rng_below(r, 3) == 0));
  if (other) {
    programs_say(&t, "proctype Q() { bit i; byte k; pid p; do ");
    static const char *const others[] = {"x = 0", "c?p,i", "turn = p", "e[k]?i", "k = w", "flag[p] = 0", "turn = 255", "x == 2 -> break", "a[k] = 1", "(flag[turn] == 1)"};
    for (unsigned k = 0; k < 2; k++) programs_say(&t, ":: %s ", others[rng_below(r, 10)]);
    programs_say(&t, "od }\n");
  }
  programs_say(&t, "proctype P(byte id) { bit i; byte k%s; pid p%s; chan h;%s bool seen[4]; scalarset(3) sl;\nL: skip;\n  ", rng_below(r, 2) ? " = id" : "", rng_below(r, 2) ? " = _pid" : "", t.sorts & 2 ? " chan mine = [1] of { bit };" : "");
  unsigned statements = 1 + (unsigned)rng_below(r, 3), loops = rng_below(r, 2) == 0;
  for (unsigned k = 0; k < statements; k++) {
    programs_alike_statement(&t, 0);
    programs_say(&t, ";\n  ");
  }
  programs_say(&t, loops ? "do :: " : "");
  statements = 1 + (unsigned)rng_below(r, 3);
  for (unsigned k = 0; k < statements; k++) {
    if (k) programs_say(&t, "; ");
    programs_alike_statement(&t, 0);
  }
  programs_say(&t, loops ? "%s od }\n" : " }\n", rng_below(r, 2) ? " :: break" : "");
  if (rng_below(r, 2)) {
    programs_say(&t, "init { %s", rng_below(r, 4) ? "atomic { " : "{ ");
    for (unsigned k = 0; k < count; k++) programs_say(&t, "run P(%u); ", (k + first) % 4);
    programs_say(&t, "%sskip }%s }\n", other ? "run Q(); " : "", rng_below(r, 6) ? "" : "; do :: x = 0 od");
  } else {
    programs_say(&t, "init { byte n = %u; atomic { do :: n < %u -> run P(n); n++ :: else -> break od%s } }\n", first, count + first, other ? "; run Q()" : "");
  }
}

/* The same in PROM+: two or three processes that know each other by objects they point to. wide: they also send messages, and have more of their own to do. */
__attribute__((unused)) static void programs_random_pointers(char *out, size_t room, struct rng *r, int wide) {
  static const char *const does[] = {"(*l).v = 1", "(*l).v = 0", "(*o).v = i", "((*l).v == 0)", "((*o).v == 1)", "g = l", "g = o", "(g == l)", "(g != l)", "k = g", "k = l", "(k != null)", "(k == o)", "(*l).next = k", "k = (*l).next",
                                     "(*l).next = o", "((*l).next != null)", "reset k", "k = new node", "(*l).who = _pid", "((*o).who == _pid)", "w = (*l).who", "(w == _pid)", "i = 1 - i", "x = (x + 1) % 3", "(x != 1)", "g = (*o).next", "assert(x != 2 || i == 0)",
                                     "k = (*g).next", "(*k).v = 1", "skip",
                                     /* wide */
                                     "q!i", "q!1", "q?i", "q?0", "(*l).v = 1 - (*l).v", "(*l).v = 1 - (*l).v", "(*l).v = i", "i = (*l).v", "i = (*o).v", "i = 1 - i", "y = 1 - y", "z = i", "(nempty(q))", "atomic { k = new node; (*k).v = i; (*k).next = l }", "(*l).next = null", "q?eval(i)",
                                     "assert((*l).v == 0 || y == 0)", "((*l).v == 0 && x == 0)", "reset g",
                                     "k = o; (*k).v = 1 - (*k).v", "k = o; i = (*k).v", "k = l; (*k).v = i; reset k", "if :: (g != null) -> (*g).v = i :: else fi", "if :: (g != null) -> i = (*g).v :: else fi", "g = l; (*g).v = 0", "k = o; (*k).next = l",
                                     "if :: ((*o).next != null) -> k = (*o).next; (*k).v = 1 :: else fi", "i = (*l).v; z = i"};
  struct programs_text t = {.out = out, .room = room, .r = r};
  size_t sorts = sizeof does / sizeof *does - (wide ? 0 : 28);
  unsigned count = 2 + (rng_below(r, 3) == 0), loops = rng_below(r, 3) != 0, statements = 2 + (unsigned)rng_below(r, 4), unfair = rng_below(r, 6) == 0;
  out[0] = 0;
  programs_say(&t, "typedef node { bit v; pid who; node * next }\nnode * a, * b, * d, * g; pid w; byte x; bool go;\n%sproctype P(node * l; node * o) {\n  node * k; bit i;\n  go;\n  %s", wide ? "bit y, z; chan q = [2] of { bit };\n" : "", loops ? "do :: " : "");
  for (unsigned s = 0; s < statements; s++) {
    const char *one = does[rng_below(r, sorts)], *two = does[rng_below(r, sorts)];
    if (unfair && s == 1) one = "w = 2";
    if (rng_below(r, 4)) programs_say(&t, "%s%s", s ? "; " : "", one);
    else programs_say(&t, "%sif :: %s :: %s fi", s ? "; " : "", one, two);
  }
  programs_say(&t, loops ? "%s od }\n" : " }\n", rng_below(r, 2) ? " :: break" : "");
  programs_say(&t, "init { atomic { a = new node; b = new node; d = new node; %s", rng_below(r, 2) ? "g = a; " : "");
  if (wide && rng_below(r, 2)) programs_say(&t, "run P(a, a); run P(b, d); "); /* nothing in common but the rest */
  else if (count == 2) programs_say(&t, "run P(a, b); run P(b, a); ");
  else programs_say(&t, "run P(a, b); run P(b, d); run P(d, a); ");
  programs_say(&t, "%s%sgo = 1 } }\n", rng_below(r, 8) ? "reset a; " : "", rng_below(r, 8) ? "reset b; reset d; " : "");
}

/* The same in DVE: automata whose transitions have a guard, a communication and effects at once. */
__attribute__((unused)) static void programs_random_dve(char *out, size_t room, struct rng *r) {
  static const char *vars[] = {"i", "j", "i", "j", "x", "y", "z"}, *relations[] = {"==", "!=", "<", ">="};
  static const char *syncs[] = {"r!", "r?", "q!1", "q?i", "c!{j}", "c?{i}", "d!{1}", "d?{j}", "r!", "r?"};
  struct programs_text t = {.out = out, .room = room, .r = r};
  unsigned types = 2 + (unsigned)rng_below(r, 3), states[5];
  out[0] = 0;
  programs_say(&t, "byte x, y, z;\nchannel r, q;\nchannel {byte} c[1];\nchannel {byte} d[2];\n");
  for (unsigned k = 0; k < types; k++) states[k] = 2 + (unsigned)rng_below(r, 3);
  for (unsigned k = 0; k < types; k++) {
    programs_say(&t, "process P%u { byte i, j; state ", k);
    for (unsigned s = 0; s < states[k]; s++) programs_say(&t, "%ss%u", s ? ", " : "", s);
    programs_say(&t, "; init s0;%s\n  trans ", rng_below(r, 3) ? "" : rng_below(r, 2) ? " assert s1: x != 2;" : " assert s1: i != 2 or y != 1;");
    unsigned count = 1 + states[k] + (unsigned)rng_below(r, 3);
    for (unsigned n = 0; n < count; n++) {
      unsigned from = n < states[k] ? n : (unsigned)rng_below(r, states[k]), to = rng_below(r, 3) ? (from + 1) % states[k] : (unsigned)rng_below(r, states[k]);
      programs_say(&t, "%ss%u -> s%u { ", n ? ",\n        " : "", from, to);
      if (rng_below(r, 2)) {
        programs_say(&t, "guard %s %s %u", vars[rng_below(r, 7)], relations[rng_below(r, 4)], (unsigned)rng_below(r, 3));
        if (rng_below(r, 4) == 0) programs_say(&t, " and %s %s %s", vars[rng_below(r, 7)], relations[rng_below(r, 4)], vars[rng_below(r, 7)]);
        unsigned other = (unsigned)rng_below(r, types);
        if (rng_below(r, 12) == 0) programs_say(&t, " and not P%u.s%u", other, (unsigned)rng_below(r, states[other]));
        programs_say(&t, "; ");
      }
      if (rng_below(r, 3) == 0) programs_say(&t, "sync %s; ", syncs[rng_below(r, 10)]);
      if (rng_below(r, 2)) {
        const char *v = vars[rng_below(r, 7)];
        programs_say(&t, "effect %s = (%s + %u) %% 3; ", v, vars[rng_below(r, 7)], (unsigned)rng_below(r, 3));
      }
      programs_say(&t, "}");
    }
    programs_say(&t, ";\n}\n");
  }
  programs_say(&t, "system async;\n");
}

#endif
