/* nettext.c -- the .net language: ours, TINA's, what is written back, and what is refused. */
#include "front/nettext/nettext.h"
#include "front/pnml/pnml.h"

#include "unit/front_read.h"

static const char *const ours = "# a comment\n"
                                "net \"two words\"\n"
                                "transition t \"the \\\"t\\\"\" : p, 2*q\n"
                                "    , N*r -> r,\n"
                                "    3*\"odd # name\" at (-1.5, 20)\n"
                                "place p = 3, q \"label of q\" at (1, 2.25), r = N\n"
                                "const N = 7\n"
                                "place \"odd # name\"; place \xc3\xa4.b'\n"
                                "transition source : -> p\n"
                                "transition sink : p ->\n"
                                "transition alone\n"
                                "place unit = 1\n"
                                "arc p -> alone\n"
                                "arc alone -> 5*unit\n"
                                "units root all safe\n"
                                "unit all : p, q / sub\n"
                                "unit sub : r, \"odd # name\"\n"
                                "  \xc3\xa4.b' unit\n";

static void our_own(void) {
  struct reading r = {0};
  if (!ok(read_string(&r, nettext_read, ours) == 0, "our own declarations"))
    printf("# %ld:%ld %s\n", r.err.line, r.err.column, r.err.message);
  struct pt_net *n = r.net;
  if (!n) return;
  is_text(n->name, "two words", "the name of the net");
  is(n->places, 6, "places");
  is(n->transitions, 4, "transitions");
  is(n->arcs, 9, "arcs");
  is_text(n->place_id[3], "odd # name", "a quoted name");
  is_text(n->place_name[1], "label of q", "a label");
  is_text(n->transition_name[0], "the \"t\"", "escapes");
  is(n->initial[0], 3, "a marking");
  is(n->initial[2], 7, "a constant that is declared later");
  int64_t q = pt_find_place(n, "q", 1);
  is(n->pre[1].place, q, "an arc");
  is(n->pre[1].weight, 2, "with its weight");
  is(n->pre[2].weight, 7, "a constant as weight");
  is(n->post[n->post_start[0] + 1].weight, 3, "a weight on the other side");
  ok(n->place_xy && n->place_xy[1].x == 1 && n->place_xy[1].y == 2.25f && n->transition_xy[0].x == -1.5f, "positions");
  is(n->post[n->post_start[3]].weight, 5, "an arc declared alone");
  is(n->place_at[0].line, 6, "the line of a place");
  is(n->place_at[0].column, 7, "and its column");
  is_text(r.warning, "the nested units are not used: the initial marking is not unit-safe", "units are checked");
  ok(read_done(&r), "all memory came back");
}

static const char *const tina = "net {the net}\n"
                                "pl p0 (1) t1 -> t0*2\n"
                                "pl p1 : lab (2K)\n"
                                "tr t0 : {a label} [0,w[ p0 p1*3 -> p2 {odd \\{name\\}}\n"
                                "tr t1 p2 -> tr t2 -> 7*2 lb p2 {called so}\n"
                                "tr t1 p1 -> nt n1 1 {a note}\n"
                                "pl t0 (1)\n"
                                "tr t0 t0 ->\n";

static void tinas(void) {
  struct reading r = {0};
  if (!ok(read_string(&r, nettext_read, tina) == 0, "TINA's declarations"))
    printf("# %ld:%ld %s\n", r.err.line, r.err.column, r.err.message);
  struct pt_net *n = r.net;
  if (!n) return;
  is_text(n->name, "the net", "the name of the net");
  is(n->places, 6, "places, also those that only arcs mention");
  is(n->transitions, 3, "transitions, declared together");
  is(n->initial[pt_find_place(n, "p1", 2)], 2000, "2K tokens");
  is_text(n->place_name[pt_find_place(n, "p1", 2)], "lab", "a label");
  ok(pt_find_place(n, "odd {name}", 10) >= 0, "a name in braces");
  ok(pt_find_place(n, "called so", 9) == pt_find_place(n, "p2", 2), "lb gives a label");
  int64_t t0 = pt_find_transition(n, "a label", 7), p0 = pt_find_place(n, "p0", 2), seven = pt_find_place(n, "7", 1);
  ok(t0 >= 0 && p0 >= 0 && seven >= 0, "nodes by name");
  uint32_t weight = 0, seven_weight = 0;
  for (uint32_t i = n->pre_start[t0]; i < n->pre_start[t0 + 1]; i++) weight += n->pre[i].place == p0 ? n->pre[i].weight : 0;
  for (uint32_t i = 0; i < n->post_start[n->transitions]; i++) seven_weight += n->post[i].place == seven ? n->post[i].weight : 0;
  is(weight, 3, "arcs of a place and of a transition add up");
  is(seven_weight, 2, "7*2 is two tokens in the place 7");
  ok(pt_find_place(n, "t0", 2) >= 0, "a place may be called like a transition");
  ok(read_done(&r), "all memory came back");
}

/* ---- writing ------------------------------------------------------------------------ */

static int write_text(struct reading *r, int (*write)(const struct pt_net *, FILE *, struct err *), char **text, size_t *length) {
  FILE *out = open_memstream(text, length);
  int status = write(r->net, out, &r->err);
  fclose(out);
  return status;
}

/* Writes and reads, and compares with what was written. */
static void round_trip(const char *source, int (*write)(const struct pt_net *, FILE *, struct err *), net_reader *read,
                       const char *what) {
  struct reading first = {0}, second = {0};
  char *text = NULL;
  size_t length = 0;
  int good = read_string(&first, nettext_read, source) == 0 && write_text(&first, write, &text, &length) == 0 &&
             read_bytes(&second, read, text, length, 0, 0) == 0 && same_net(first.net, second.net);
  if (!ok(good, what))
    printf("# %s | %ld:%ld %s\n# %s\n", first.err.message, second.err.line, second.err.column, second.err.message, text);
  free(text);
  ok(read_done(&first) & read_done(&second), "all memory came back");
}

static void writing(void) {
  const char *plain = "net n place p \"P < & > \\\" \\n \\t x\" = 5 at (0.1, -16777216)\nplace q = 1\ntransition t : "
                      "2147483647*p -> q, 3*p at (1, 0.333)\n"
                      "units root r\nunit r : p / s\nunit s : q";
  round_trip(ours, nettext_write, nettext_read, "our own net as .net");
  round_trip(tina, nettext_write, nettext_read, "TINA's net as .net");
  round_trip(plain, nettext_write, nettext_read, "odd names and positions as .net");
  round_trip(plain, pnml_write, pnml_read, "odd names and positions as PNML");
  round_trip("place net place pl\nplace \"place\"\ntransition \"tr\" : \"pl\" -> \"net\" at (1, 1)\nplace at = 2, "
             "\"root\"\ntransition x : \"at\" -> \"at\"",
             nettext_write, nettext_read, "words of the language as names");

  struct reading first = {0}, second = {0}, third = {0};
  char *text = NULL, *again = NULL;
  size_t length = 0, again_length = 0;
  read_string(&first, nettext_read, "net \"a net\" place \"1 x\" = 1, arc-- place \"x\"");
  ok(first.err.kind == ERR_INPUT, "a dash is no part of a name");
  read_string(&first, nettext_read,
              "net x\nplace \"1 x\" = 1, \"arc-1\", y, x, \"page--1\"\ntransition \"a b\" : \"1 x\" -> y\n"
              "units root \"the root\"\nunit \"the root\" : \"1 x\", \"arc-1\", y, x, \"page--1\"");
  ok(first.net && write_text(&first, pnml_write, &text, &length) == 0 && read_bytes(&second, pnml_read, text, length, 0, 0) == 0,
     "names that PNML cannot have as ids");
  if (second.net) {
    is_text(second.net->place_name[0], "1 x", "become names");
    is_text(second.net->place_id[0], "place-1", "with made ids");
    is_text(second.net->place_id[1], "arc-1", "that stay clear of those in the net");
    is(second.net->units, 1, "and of units");
    ok(write_text(&second, pnml_write, &again, &again_length) == 0 &&
           read_bytes(&third, pnml_read, again, again_length, 0, 0) == 0 && same_net(second.net, third.net),
       "and then they stay");
    ok(strcmp(text, again) == 0, "to the letter");
  } else {
    printf("# %s %ld:%ld %s\n%s\n", first.err.message, second.err.line, second.err.column, second.err.message, text ? text : "");
  }
  free(text);
  free(again);
  ok(read_done(&first) & read_done(&second) & read_done(&third), "all memory came back");

  read_string(&first, nettext_read, plain);
  FILE *full = fopen("/dev/full", "w");
  if (full) {
    ok(nettext_write(first.net, full, &first.err) == -1 && first.err.kind == ERR_IO, "a full disk is told");
    fclose(full);
    err_clear(&first.err);
    full = fopen("/dev/full", "w");
    ok(pnml_write(first.net, full, &first.err) == -1 && first.err.kind == ERR_IO, "by both writers");
    fclose(full);
  }
  first.mem.fail_after = 1;
  err_clear(&first.err);
  ok(write_text(&first, pnml_write, &text, &length) == -1 && first.err.kind == ERR_MEMORY, "no memory for the lists of units");
  free(text);
  read_done(&first);
}

/* ---- refusals ----------------------------------------------------------------------- */

static const struct bad table[] = {
    {"an empty file", "", 0, 0, "the net is empty"},
    {"only comments", "# nothing\n", 0, 0, "the net is empty"},
    {"no declaration", "hello\n", 1, 1, "a declaration expected, but here is hello"},
    {"an arc without declaration", "place p\np -> t", 2, 1, "end of the declaration expected"},
    {"a place without name", "place = 3", 1, 7, "a name expected"},
    {"an empty name", "place \"\"", 1, 7, "empty name"},
    {"a place twice", "place p\n  place p", 2, 9, "\"p\" is already declared in line 1"},
    {"a transition twice", "transition t : ->\ntransition t : ->", 2, 12, "already declared"},
    {"an unclosed quote", "place \"abc\nplace q", 1, 7, "not closed by \""},
    {"a quote ending in a backslash", "place \"abc\\", 1, 7, "not closed by \""},
    {"an unclosed brace", "pl {abc\nplace q", 1, 4, "not closed by }"},
    {"a negative marking", "place p = -3", 1, 11, "is negative"},
    {"a fractional marking", "place p = 2.5", 1, 11, "is not a whole number"},
    {"a huge marking", "place p = 2147483648", 1, 11, "is more than 2147483647"},
    {"a huge marking with a factor", "pl p (3G)", 1, 7, "is more than"},
    {"no number", "place p = many", 1, 11, "\"many\" is not a number"},
    {"no number at all", "place p =", 1, 10, "not a number"},
    {"two markings", "pl p (1)\npl p (2)", 2, 7, "two initial markings"},
    {"an unclosed marking", "pl p (1", 1, 8, ") expected"},
    {"weight 0", "place p\ntransition t : 0*p ->", 2, 16, "weight of an arc is 0"},
    {"a negative weight", "place p\ntransition t : -2*p ->", 2, 16, "a name expected"},
    {"a weight that is no number", "place p\ntransition t : x*p ->", 2, 16, "\"x\" is not a number"},
    {"a weight without a place", "place p\ntransition t : 2* -> p", 2, 19, "a name expected, but here is ->"},
    {"a missing arrow", "place p\ntransition t : p, p\nplace q", 3, 1, "-> expected, but here is place"},
    {"a missing colon", "place p\ntransition t p -> p", 2, 14, "the end of the declaration expected"},
    {"a comma too many", "place p\ntransition t : p, -> p", 2, 19, "a name expected"},
    {"two arrows", "place p\ntransition t : p -> p -> p", 2, 23, "the end of the declaration expected"},
    {"an undeclared place", "place price\ntransition t : prise -> price", 2, 16, "the place \"prise\" is not declared"},
    {"an undeclared node", "place p\narc p -> t", 2, 5, "the node \"t\" is not declared"},
    {"an arc between places", "place p, q\narc p -> q", 2, 5, "between two places"},
    {"an arc between transitions", "transition t transition u\narc t -> u", 2, 5, "between two transitions"},
    {"an arc that could go either way", "pl a pl b tr a tr b\narc a -> b", 2, 5, "either way"},
    {"an arc with two weights", "place p transition t\narc 2*p -> 3*t", 2, 14, "second"},
    {"TINA's read arc", "tr t p?1 -> q", 1, 7, "a read arc"},
    {"TINA's inhibitor arc", "tr t p?-1 -> q", 1, 7, "an inhibitor arc" + 3},
    {"TINA's stopwatch arc", "tr t p!1 -> q", 1, 7, "a stopwatch arc"},
    {"TINA's stopwatch inhibitor arc", "tr t p!-1 -> q", 1, 7, "a stopwatch inhibitor arc"},
    {"TINA's priorities", "tr t a -> b\npr t > u", 2, 1, "priorities"},
    {"TINA's intervals", "tr t [1,2] p -> q", 1, 6, "time interval"},
    {"an open interval", "tr t ]0,w[ p -> q", 1, 6, "time interval"},
    {"a label for nobody", "pl p\nlb q name", 2, 4, "\"q\" is not declared"},
    {"a label of nothing", "pl p : (1)", 1, 8, "a label expected"},
    {"a constant twice", "const N = 1\nconst N = 2", 2, 7, "declared twice"},
    {"a constant without value", "const N\nplace p", 2, 1, "= expected"},
    {"a constant of a constant", "const N = 1\nconst M = N", 2, 11, "a number expected"},
    {"a constant that is a number", "const 1 = 1", 1, 7, "the name of a constant expected"},
    {"a huge constant", "const N = 99999999999", 1, 11, "more than"},
    {"a coordinate that is none", "place p at (x, 1)", 1, 13, "a coordinate expected"},
    {"units without root", "place p\nunits u", 2, 7, "root expected"},
    {"a unit without colon", "place p\nunit u p", 2, 8, ": expected"},
    {"two slashes in a unit", "place p\nunit u : p / / v", 2, 14, "a unit expected"},
    {"no UTF-8", "place p\nplace \xff", 2, 7, "not valid UTF-8"},
    {"overlong UTF-8", "place \xc0\x80", 1, 7, "not valid UTF-8"},
    {"a surrogate", "place \xed\xa0\x80", 1, 7, "not valid UTF-8"},
    {"a control character", "place p\x01", 1, 8, "control character"},
    {"weights that add up to too much", "place p\ntransition t : 2147483647*p, p -> p", 2, 30, "more than"},
};

static void refusals(void) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) refuse(nettext_read, &table[i]);
  struct reading r = {0};
  read_string(&r, nettext_read, "place price\ntransition t : prise -> price");
  is_text(r.err.hint, "did you mean \"price\"?", "a hint for the undeclared place");
  is_text(r.err.excerpt, "transition t : prise -> price", "the line is shown");
  is(r.err.caret, 15, "with a caret");
  read_string(&r, nettext_read, "\tplace \xc3\xa4 = \xc3\xb6");
  is_text(r.err.excerpt, " place \xc3\xa4 = \xc3\xb6", "tabs and letters beyond ASCII in the line");
  is(r.err.caret, 11, "and the caret counts characters");

  char *text = malloc(11 << 20);
  memcpy(text, "place ", 6);
  memset(text + 6, 'x', 10 << 20);
  ok(read_bytes(&r, nettext_read, text, 6 + (10 << 20), 64 << 20, 0) == -1 && strstr(r.err.message, "longer than 65536 bytes") &&
         r.err.line == 1 && r.err.column == 7 && r.mem.used == 0,
     "a name of 10 MB");
  ok(read_bytes(&r, nettext_read, text, 6 + (10 << 20), 4 << 20, 0) == -1 && r.err.kind == ERR_MEMORY && r.mem.used == 0,
     "and a small budget");
  free(text);
}

/* ---- overrides ---------------------------------------------------------------------- */

static void overrides(void) {
  struct reading r = {0};
  struct front_override define = {"N", "9"}, marking = {"p", "4"};
  r.setup.defines = &define;
  r.setup.define_count = 1;
  r.setup.markings = &marking;
  r.setup.marking_count = 1;
  is(read_string(&r, nettext_read, "const N = 1\nplace p = N, q = N"), 0, "--define and --marking");
  ok(r.net && r.net->initial[0] == 4 && r.net->initial[1] == 9, "both count, the marking last");
  read_done(&r);
  define = (struct front_override){"M", "9"};
  ok(read_string(&r, nettext_read, "const N = 1\nplace p") == -1 && r.err.kind == ERR_USAGE && strstr(r.err.hint, "\"N\""),
     "an unknown constant");
  define = (struct front_override){"N", "-9"};
  ok(read_string(&r, nettext_read, "const N = 1\nplace p") == -1 && r.err.kind == ERR_USAGE && strstr(r.err.message, "negative"),
     "a bad value");
  ok(read_done(&r), "all memory came back");
}

int main(void) {
  our_own();
  tinas();
  writing();
  refusals();
  overrides();
  starve(nettext_read, ours, "every allocation may be refused");
  starve(nettext_read, tina, "in TINA's way too");
  return done();
}
