/* ml_parse.c -- how CPN ML is read: ranks of operators, clauses, what is only another way of writing.  Trees are shown with all
 * their brackets. */
#include "ml/lex.h"
#include "ml/syntax.h"
#include "ml/world.h"
#include "tap.h"

static struct mem mem;
static struct ml *ml;
static char out[8000];
static size_t at;

static void put(const char *text) {
  size_t n = strlen(text);
  if (at + n + 1 >= sizeof out) return;
  memcpy(out + at, text, n + 1);
  at += n;
}

static const char *name_of(const char *name) {
  static char shown[80];
  snprintf(shown, sizeof shown, "%s", name[0] == ' ' ? name + 1 : name);
  return shown;
}

static void show_pattern(const struct ml_pattern *p) {
  char number[32];
  switch (p->kind) {
  case ML_P_ANY: put("_"); break;
  case ML_P_VAR: put(name_of(p->name)); break;
  case ML_P_INT: snprintf(number, sizeof number, "%lld", (long long)p->number), put(number); break;
  case ML_P_STRING: put("\""), put(p->text), put("\""); break;
  case ML_P_AS: put(p->name), put(" as "), show_pattern(p->part[0]); break;
  case ML_P_TUPLE:
  case ML_P_RECORD:
    put(p->kind == ML_P_TUPLE ? "(" : "{");
    for (uint32_t i = 0; i < p->parts; i++) {
      if (i) put(", ");
      if (p->kind == ML_P_RECORD) put(p->label[i]), put("=");
      show_pattern(p->part[i]);
    }
    put(p->open ? ", ..." : ""), put(p->kind == ML_P_TUPLE ? ")" : "}");
    break;
  case ML_P_CONSTRUCTOR:
  case ML_P_EXCEPTION:
    put(p->name);
    if (p->parts) show_pattern(p->part[0]);
    break;
  }
  if (p->written) put(":T");
}

static void show(const struct ml_expr *e);

static void show_rules(const struct ml_expr *e) {
  for (uint32_t i = 0; i < e->rules; i++) {
    if (i) put(" | ");
    show_pattern(e->rule[i].pattern), put(" => "), show(e->rule[i].body);
  }
}

static void parts(const struct ml_expr *e, const char *between) {
  for (uint32_t i = 0; i < e->parts; i++) {
    if (i) put(between);
    if (e->kind == ML_RECORD) put(e->label[i]), put("=");
    show(e->part[i]);
  }
}

static void show_declaration(const struct ml_declaration *d) {
  if (d->kind == ML_D_VAL) put("val "), show_pattern(d->pattern), put(" = "), show(d->body);
  for (uint32_t i = 0; i < d->functions; i++)
    put(i ? " and " : "fun "), put(d->function[i]->name), put(" = "), show(d->function_body[i]);
}

static void show(const struct ml_expr *e) {
  char number[32];
  switch (e->kind) {
  case ML_INT: snprintf(number, sizeof number, "%lld", (long long)e->number), put(number); break;
  case ML_REAL: snprintf(number, sizeof number, "%g", e->real), put(number); break;
  case ML_STRING: put("\""), put(e->text), put("\""); break;
  case ML_NAME: put(name_of(e->name)); break;
  case ML_TUPLE: put("("), parts(e, ", "), put(")"); break;
  case ML_RECORD: put("{"), parts(e, ", "), put("}"); break;
  case ML_LIST: put("["), parts(e, ", "), put("]"); break;
  case ML_SELECT: put("#"), put(e->label[0]), put("<"), show(e->part[0]), put(">"); break;
  case ML_APPLY: put("<"), parts(e, " "), put(">"); break;
  case ML_FN: put("<fn "), show_rules(e), put(">"); break;
  case ML_CASE: put("<case "), show(e->part[0]), put(" of "), show_rules(e), put(">"); break;
  case ML_HANDLE: put("<"), show(e->part[0]), put(" handle "), show_rules(e), put(">"); break;
  case ML_RAISE: put("<raise "), show(e->part[0]), put(">"); break;
  case ML_IF: put("<if "), parts(e, " / "), put(">"); break;
  case ML_AND: put("<"), parts(e, " and "), put(">"); break;
  case ML_OR: put("<"), parts(e, " or "), put(">"); break;
  case ML_SEQUENCE: put("<"), parts(e, "; "), put(e->written ? ":T>" : ">"); break;
  case ML_COEFFICIENT: put("<"), parts(e, "`"), put(">"); break;
  case ML_AT: put("<"), parts(e, " @ "), put(">"); break;
  case ML_DELAY: put("<"), parts(e, " @+ "), put(">"); break;
  case ML_LET:
    put("<let ");
    for (uint32_t i = 0; i < e->declarations; i++) show_declaration(&e->declaration[i]), put("; ");
    put("in "), show(e->part[0]), put(">");
    break;
  default: put("?");
  }
}

static const char *tree(const char *text) {
  struct err err = {0};
  struct ml_text source = {text, strlen(text), {"test", 1, 1}, NULL};
  struct ml_expr *e;
  at = 0;
  out[0] = 0;
  if (ml_parse_expression(&e, 0, ml, &source, &err)) put(err.message);
  else show(e);
  return out;
}

static const struct {
  const char *text, *want;
} cases[] = {
    {"1 + 2 * 3", "<+ (1, <* (2, 3)>)>"},
    {"1 - 2 - 3", "<- (<- (1, 2)>, 3)>"},
    {"1 :: 2 :: nil", "<:: (1, <:: (2, nil)>)>"},
    {"a ^^ b ^^ c", "<^^ (<^^ (a, b)>, c)>"},
    {"x :: a ^^ b", "<:: (x, <^^ (a, b)>)>"},
    {"a ^^ x :: b", "<^^ (a, <:: (x, b)>)>"},
    {"f x y + g z", "<+ (<<f x> y>, <g z>)>"},
    {"~ x + !r", "<+ (<~ x>, <! r>)>"},
    {"1`x ++ 2`(y, z) -- 1`w", "<-- (<++ (<1`x>, <2`(y, z)>)>, <1`w>)>"},
    {"n*2`x", "<* (n, <2`x>)>"},
    {"1`x+1", "<+ (<1`x>, 1)>"},
    {"1`f x", "<1`<f x>>"},
    {"1`x @+ 5 ++ 1`y", "<++ (<<1`x> @+ 5>, <1`y>)>"},
    {"1`x @+ a + b", "<<1`x> @+ <+ (a, b)>>"},
    {"n + 1 @+ f () * 2", "<<+ (n, 1)> @+ <* (<f ()>, 2)>>"},
    {"x :: l @++ d", "<<:: (x, l)> @+ d>"},
    {"(x @+ 1) ^^ (y @+ 2)", "<^^ (<x @+ 1>, <y @+ 2>)>"},
    {"x @+ 1 ^^ y @+ 2", "<^^ (<x @+ 1>, <y @+ 2>)>"},
    {"n + 1 @+ 2 ++ 1`y", "<++ (<<+ (n, 1)> @+ 2>, <1`y>)>"},
    {"1`x@5 +++ 1`y@6", "<+++ (<@ (<1`x>, 5)>, <@ (<1`y>, 6)>)>"},
    {"a @ x :: b", "<@ (a, <:: (x, b)>)>"},
    {"a = b andalso c <> d orelse e", "<<<= (a, b)> and <<> (c, d)>> or e>"},
    {"a andalso b andalso c", "<a and <b and c>>"},
    {"not a orelse b", "<<not a> or b>"},
    {"f o g", "<o (f, g)>"},
    {"a mod 2 = 0", "<= (<mod (a, 2)>, 0)>"},
    {"a before b", "<before (a, b)>"},
    {"a << b ++ c", "<<< (a, <++ (b, c)>)>"},
    {"if a then b else c + 1", "<if a / b / <+ (c, 1)>>"},
    {"if a then b else if c then d else e", "<if a / b / <if c / d / e>>"},
    {"1 + if a then 2 else 3", "<+ (1, <if a / 2 / 3>)>"},
    {"fn x => x + 1", "<fn x => <+ (x, 1)>>"},
    {"fn 0 => 1 | n => n", "<fn 0 => 1 | n => n>"},
    {"case x of (a, _) => a | b => b", "<case x of (a, _) => a | b => b>"},
    {"case x of a :: b :: [] => 1", "<case x of ::(a, ::(b, nil)) => 1>"},
    {"case x of [a, b] => 1", "<case x of ::(a, ::(b, nil)) => 1>"},
    {"case x of {a, b = 1, ...} => 1", "<case x of {a=a, b=1, ...} => 1>"},
    {"case x of l as h :: t => 1", "<case x of l as ::(h, t) => 1>"},
    {"case x of SOME (y : int) => 1", "<case x of SOMEy:T => 1>"},
    {"case x of \"a\" => ~1", "<case x of \"a\" => -1>"},
    {"e handle Bad s => 1 | _ => 2", "<e handle Bads => 1 | _ => 2>"},
    {"raise Bad \"x\"", "<raise <Bad \"x\">>"},
    {"raise A handle A => 1", "<raise <A handle A => 1>>"},
    {"(raise A) handle A => 1", "<<raise A> handle A => 1>"},
    {"x : int list", "<x:T>"},
    {"x + 1 : int", "<<+ (x, 1)>:T>"},
    {"(a; b; c)", "<a; b; c>"},
    {"let val x = 1 fun f y = y in f x; x end", "<let val x = 1; fun f = <fn y => y>; in <<f x>; x>>"},
    {"let val a = 1 and b = 2 in a end", "<let val (a, b) = (1, 2); in a>"},
    {"let fun f 0 = 1 | f n = n in f end", "<let fun f = <fn 0 => 1 | n => n>; in f>"},
    {"let fun f x y = x in f end", "<let fun f = <fn x => <fn y => x>>; in f>"},
    {"let fun f 0 y = 1 | f x y = 2 in f end",
     "<let fun f = <fn 1 => <fn 2 => <case (1, 2) of (0, y) => 1 | (x, y) => 2>>>; in f>"},
    {"let infix 6 ++> fun a ++> b = a in 1 ++> 2 * 3 end", "<let ; fun ++> = <fn (a, b) => a>; in <++> (1, <* (2, 3)>)>>"},
    {"let infix ++> fun (a ++> b) c = a in f end", "<let ; fun ++> = <fn (a, b) => <fn c => a>>; in f>"},
    {"let fun f x = g x and g x = f x in f end", "<let fun f = <fn x => <g x>> and g = <fn x => <f x>>; in f>"},
    {"let val rec f = fn x => f x in f end", "<let fun f = <fn x => <f x>>; in f>"},
    {"op + (1, 2)", "<+ (1, 2)>"},
    {"#a r", "#a<r>"},
    {"#a (#b r)", "#a<#b<r>>"},
    {"map #1 l", "<<map <fn x => #1<x>>> l>"},
    {"{b = 1, a = 2}", "{a=2, b=1}"},
    {"{2 = a, 1 = b}", "(b, a)"},
    {"[1, 2]", "[1, 2]"},
    {"[]", "[]"},
    {"()", "()"},
    {"List.nth (l, 0)", "<List.nth (l, 0)>"},
    {"Mark.Top'Send 1", "<Mark.Top'Send 1>"},
    {"1;", "1"},
};

static const char *declaration(const char *text) {
  struct err err = {0};
  struct ml_text source = {text, strlen(text), {"test", 1, 1}, NULL};
  struct ml_lexer lexer;
  at = 0;
  out[0] = 0;
  ml_lex_open(&lexer, ml, &source, &err);
  for (;;) {
    struct ml_declaration d = {0};
    int one = ml_parse_declaration(&d, &lexer);
    if (one < 0) put(err.message);
    if (one <= 0) return out;
    if (at) put(" ; ");
    show_declaration(&d);
    const struct ml_statement *s = d.statement;
    if (!s) continue;
    char line[400];
    snprintf(line, sizeof line, "%s %s/%d parts %u%s%s%s%s%s",
             s->kind == ML_S_COLSET ? "colset"
             : s->kind == ML_S_VAR  ? "var"
                                    : "other",
             s->name ? s->name : "", s->kind == ML_S_COLSET ? (int)s->colset : 0, s->parts, s->timed ? " timed" : "",
             s->low ? " range" : "", s->low_length ? " length" : "", s->by ? " by" : "", s->with ? " with" : "");
    put(line);
    for (uint32_t i = 0; i < s->parts; i++) {
      put(" "), put(s->part_name && s->part_name[i] ? s->part_name[i] : "-");
      if (s->part_of && i < (s->kind == ML_S_VAR ? 1u : s->parts) && s->part_of[i])
        put(":"), put(s->part_of[i]->name ? s->part_of[i]->name : "T");
    }
  }
}

static const struct {
  const char *text, *want;
} declarations[] = {
    {"colset A = unit;", "colset A/0 parts 0"},
    {"colset A = unit with e;", "colset A/0 parts 1 e"},
    {"colset A = bool with (no, yes);", "colset A/1 parts 2 no yes"},
    {"colset A = int with 1..n+1 timed;", "colset A/2 parts 0 timed range"},
    {"colset A = intinf; colset B = time timed; colset C = real with 0.0..1.0",
     "colset A/3 parts 0 ; colset B/4 parts 0 timed ; colset C/5 parts 0 range"},
    {"colset A = string with \"a\"..\"z\" and 1..3;", "colset A/6 parts 0 range length"},
    {"colset A = with a | b | c timed;", "colset A/7 parts 3 timed a b c"},
    {"colset A = index p with 1..n;", "colset A/8 parts 1 range p"},
    {"colset A = product B * C * D;", "colset A/9 parts 3 -:B -:C -:D"},
    {"colset A = record a : B * b : C timed;", "colset A/10 parts 2 timed a:B b:C"},
    {"colset A = list B with 0..3;", "colset A/11 parts 1 range -:B"},
    {"colset A = union a : B + b + c : C;", "colset A/12 parts 3 a:B b c:C"},
    {"colset A = subset B by f;", "colset A/13 parts 1 by -:B"},
    {"colset A = subset B with [1, 2];", "colset A/13 parts 1 with -:B"},
    {"colset A = B timed declare all, lt;", "colset A/14 parts 1 timed -:B"},
    {"color A = int; var x, y : A; var z : A", "colset A/2 parts 0 ; var /0 parts 2 x:A y ; var /0 parts 1 z:A"},
    {"colset A = int colset B = A var x : B val y = 1 fun f x = x",
     "colset A/2 parts 0 ; colset B/14 parts 1 -:A ; var /0 parts 1 x:B ; val y = 1 ; fun f = <fn x => x>"},
    {"val (a, b) = (1, 2);", "val (a, b) = (1, 2)"},
    {"fun f (x : int) : int = x;;", "fun f = <fn x:T => <x:T>>"},
    {"(* only a comment *)", ""},
    {"fun f a : (b, c) = a", "expected the name of a type, but found '='"},
    {"colset A = list", "expected the name of a colour set, but found the end of the text"},
    {"colset = int", "expected the name of a colour set, but found '='"},
    {"colset A = int with 1", "expected '..', but found the end of the text"},
    {"colset A = index with 1..2", "expected the name of the index, but found 'with'"},
    {"var x y : A", "expected ':' and a colour set, but found 'y'"},
    {"val x", "expected '=', but found the end of the text"},
    {"val 1.5 = x", "a real cannot be a pattern, as in ML: compare it with = in an if or a guard"},
    {"local val x = 1 in val y = x", "expected a declaration or 'end', but found the end of the text"},
    {"datatype t = A | B withtype u = int", "withtype is not understood"},
    {"datatype t = datatype u", "a copy of a datatype is not understood: name the datatype itself"},
};

int main(void) {
  struct err err = {0};
  mem_open(&mem, (size_t)64 << 20);
  ok(!ml_open(&ml, &mem, &err), "a world opens");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) is_text(tree(cases[i].text), cases[i].want, cases[i].text);
  for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++)
    is_text(declaration(declarations[i].text), declarations[i].want, declarations[i].text);
  ml_close(ml);
  is(mem.used, 0, "nothing is left");
  return done();
}
