/* ml_lex.c -- tokens of CPN ML, with their places. */
#include "ml/lex.h"
#include "ml/scope.h"
#include "tap.h"

static struct mem mem;
static struct ml *ml;

/* Tokens as "kind:text@line.column", or the error. */
static const char *tokens(const char *text, size_t length) {
  static char out[4000];
  struct err err = {0};
  struct ml_text source = {text, length, {"test", 1, 1}, NULL};
  struct ml_lexer lexer;
  struct ml_token t;
  size_t at = 0;
  ml_lex_open(&lexer, ml, &source, &err);
  out[0] = 0;
  for (;;) {
    if (ml_lex(&lexer, &t)) {
      snprintf(out + at, sizeof out - at, "%s%ld.%ld %s", at ? " " : "", err.line, err.column, err.message);
      return out;
    }
    if (t.kind == ML_T_END) return out;
    char kind = t.kind == ML_T_NAME      ? 'n'
                : t.kind == ML_T_INT     ? 'i'
                : t.kind == ML_T_REAL    ? 'r'
                : t.kind == ML_T_STRING  ? 's'
                : t.kind == ML_T_CHAR    ? 'c'
                : t.kind == ML_T_TYVAR   ? 't'
                : t.kind == ML_T_SIGN    ? '.'
                : t.kind >= ML_T_ABSTYPE ? 'w'
                                         : 'x';
    char what[200];
    if (kind == 'i' || kind == 'c') snprintf(what, sizeof what, "%lld", (long long)t.number);
    else if (kind == 'r') snprintf(what, sizeof what, "%g", t.real);
    else if (kind == 's') err_quote(what, sizeof what, t.text, t.length);
    else snprintf(what, sizeof what, "%.*s", (int)(t.to - t.from), text + t.from);
    at += (size_t)snprintf(out + at, sizeof out - at, "%s%c:%s", at ? " " : "", kind, what);
    if (t.place.line > 1 || strchr(text, '\n'))
      at += (size_t)snprintf(out + at, sizeof out - at, "@%ld.%ld", t.place.line, t.place.column);
  }
}

static const struct {
  const char *text, *want;
} cases[] = {
    {"", ""},
    {"x x' x_1 X2", "n:x n:x' n:x_1 n:X2"},
    {"0 12 ~5 0x1f ~0xA", "i:0 i:12 i:-5 i:31 i:-10"},
    {"1.5 2e3 1.5e~2 ~1.0", "r:1.5 r:2000 r:0.015 r:-1"},
    {"1..n 1..5 a..b", "i:1 x:.. n:n i:1 x:.. i:5 n:a x:.. n:b"},
    {"{a, ...}", ".:{ n:a .:, x:... .:}"},
    {"2`x++1`~3", "i:2 n:` n:x n:++ i:1 n:` i:-3"},
    {"x`y", "n:x n:` n:y"},
    {"a=~1 a-~1 a+~b", "n:a n:= i:-1 n:a n:- i:-1 n:a n:+ n:~ n:b"},
    {"1`x@+5 @++ +++ ^^ :: := <> <><> >>= !r", "i:1 n:` n:x n:@+ i:5 n:@++ n:+++ n:^^ n::: n::= n:<> n:<><> n:>>= n:! n:r"},
    {"-> => | : #", "x:-> x:=> x:| x:: x:#"},
    {"List.nth List.@ Mark.Top'Send DBM.all", "n:List.nth n:List.@ n:Mark.Top'Send n:DBM.all"},
    {"let val fn andalso vals", "w:let w:val w:fn w:andalso n:vals"},
    {"'a ''b '", "t:'a t:''b t:'"},
    {"#\"a\" #\"\\n\" #lab", "c:97 c:10 x:# n:lab"},
    {"\"a\\tb\\\\\\\"\\065\\^A\"", "s:a\\x09b\\\"A\\x01"},
    {"\"a\\\n   \\b\" x", "s:ab@1.1 n:x@2.8"},
    {"(* c *) x (* (* y *) \n *) z", "n:x@1.9 n:z@2.5"},
    {"( ) [ ] { } , ; _", ".:( .:) .:[ .:] .:{ .:} .:, .:; .:_"},
    {"a\n  b\r\n c", "n:a@1.1 n:b@2.3 n:c@3.2"},
    {"\"abc", "1.1 this string does not end"},
    {"\"a\nb\"", "1.1 this string does not end on its line"},
    {"x (* y", "n:x 1.3 this comment does not end"},
    {"\"\\300\"", "1.3 this character has a number above 255"},
    {"\"\\1\"", "1.3 \\ and a number: three digits are needed"},
    {"\"\\^!\"", "1.3 \\^ is followed by one of @A..Z[\\]^_"},
    {"\"a\\ b\"", "1.5 blanks after \\ in a string must end with \\"},
    {"#\"ab\"", "1.1 #\"...\" is one character"},
    {"0w5", "1.1 words (0w...) are not understood"},
    {"2305843009213693952 2305843009213693953",
     "i:2305843009213693952 1.21 this number is too large: ints go up to 2305843009213693952"},
    {"1e999", "1.1 this number is too large"},
    {"\x01", "1.1 '\\x01' has no meaning in CPN ML"},
    {"\xff", "1.1 '\\xff' has no meaning in CPN ML"},
    {"a\xc2\xa0"
     "b",
     "n:a n:b"},
};

int main(void) {
  struct err err = {0};
  mem_open(&mem, (size_t)64 << 20);
  ok(!ml_open(&ml, &mem, &err), "a world opens");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    is_text(tokens(cases[i].text, strlen(cases[i].text)), cases[i].want, cases[i].text);
  is_text(tokens("a\0b", 3), "n:a 1.2 '\\x00' has no meaning in CPN ML", "a zero byte");

  /* places count from where the text stands in its file */
  struct ml_text source = {"a\nb", 3, {"file.cpn", 100, 20}, NULL};
  struct ml_lexer lexer;
  struct ml_token t;
  ml_lex_open(&lexer, ml, &source, &err);
  ok(!ml_lex(&lexer, &t) && t.place.line == 100 && t.place.column == 20, "the first line begins where the text does");
  ok(!ml_lex(&lexer, &t) && t.place.line == 101 && t.place.column == 1, "the others at column 1");
  ml_lex_back(&lexer, &t);
  ok(!ml_lex(&lexer, &t) && t.place.line == 101 && t.place.column == 1 && !strcmp(t.name, "b"), "a token can be read again");

  /* names are kept once */
  ok(ml_name(ml, "abcdef", 3) == ml_name(ml, "abc", 3), "equal text, equal pointer");
  for (int i = 0; i < 5000; i++) {
    char name[16];
    int length = snprintf(name, sizeof name, "v%d", i);
    if (!ml_name(ml, name, (size_t)length)) break;
  }
  ok(ml->symbols > 5000 && ml_name(ml, "abc", 3) == ml_name(ml, "abc", 3), "the table grows");
  ml_close(ml);
  is(mem.used, 0, "nothing is left");
  return done();
}
