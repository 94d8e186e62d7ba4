/* promela_lexer.c -- words of Promela and where they stand, with and without the preprocessor. */
#include "front/promela/lexer.h"

#include "tap.h"

static char faults[1000];

static void hear(void *context, struct place_in_text at, const char *message) {
  (void)context;
  size_t used = strlen(faults);
  snprintf(faults + used, sizeof faults - used, "%ld:%ld %s\n", at.line, at.column, message);
}

/* "line:column word" of each token, and ! before those that begin a line. */
static void words(const char *what, const char *text, int plus, const char *want) {
  static char got[4000];
  struct mem mem;
  struct err e;
  struct program *program;
  struct source source;
  struct tokens tokens = {0};
  mem_open(&mem, (size_t)16 << 20);
  err_clear(&e);
  got[0] = faults[0] = 0;
  FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
  struct front_setup setup = {.mem = &mem, .file = "t.pml", .input = in};
  if (program_open(&program, &mem, "promela", "t.pml") == 0 && source_open(&source, program, &setup, &e) == 0 &&
      lexer_tokens(&tokens, &source, plus, hear, NULL) == 0)
    for (size_t i = 0, used = 0; i < tokens.list.count && used < sizeof got; i++) {
      const struct token *t = &tokens.list.at[i];
      used += (size_t)snprintf(got + used, sizeof got - used, "%s%ld:%ld %.*s ", t->newline ? "!" : "", t->place.line,
                               t->place.column, t->kind == T_END ? 1 : (int)t->length, t->kind == T_END ? "$" : t->text);
      if (t->kind == T_NUMBER) used += (size_t)snprintf(got + used, sizeof got - used, "(%d) ", (int)t->value);
    }
  is_text(got, want, what);
  vec_free(&tokens.list, &mem);
  source_close(&source);
  program_close(program);
  fclose(in);
  is((long long)mem.used, 0, "memory came back");
}

int main(void) {
  words(
      "words and signs", "x=-1..2 ;\n y->z::a!!b??c", 0,
      "1:1 x 1:2 = 1:3 - 1:4 1 (1) 1:5 .. 1:7 2 (2) 1:9 ; !2:2 y 2:3 -> 2:5 z 2:6 :: 2:8 a 2:9 !! 2:11 b 2:12 ?? 2:14 c 2:15 $ ");
  words("comments", "a /* x\n y */ b // c\nd", 0, "1:1 a 2:7 b !3:1 d 3:2 $ ");
  words("what is left of a comment in a comment", "a /* x /* y */ */ b", 0, "1:1 a 1:19 b 1:20 $ ");
  words("constants", "true false skip 'a' '\\n' 4294967295", 0,
        "1:1 true (1) 1:6 false (0) 1:12 skip (1) 1:17 'a' (97) 1:21 '\\n' (10) 1:26 4294967295 (-1) 1:36 $ ");
  words("a continued line", "a \\\n b", 0, "!1:1 a !2:2 b !3:1 $ ");
  words("a string", "printf(\"a\\\"b\")", 0, "1:1 printf 1:7 ( 1:8 a\\\"b 1:14 ) 1:15 $ ");
  words("C is kept whole", "c_code [x] { a = '}'; { b } } y", 0, "1:1 c_code 1:8 x 1:12  a = '}'; { b }  1:31 y 1:32 $ ");
  words("a formula is kept whole", "ltl p { [] (x -> <> y) } z", 0, "1:1 ltl 1:5 p 1:7  [] (x -> <> y)  1:26 z 1:27 $ ");
  words("an unclosed string", "a \"b\nc", 0, "1:1 a 1:3 b !2:1 c 2:2 $ ");
  is_text(faults, "1:3 this string is not closed\n", "is told");
  words("macros: places of the original text", "#define N 3\n#define ADD(a, b) a + b\nx = N;\n  y = ADD(x, N); z\n", 0,
        "!3:1 x 3:3 = 3:5 3 (3) 3:6 ; !4:3 y 4:5 = 4:11 x 4:12 + 4:12 3 (3) 4:16 ; 4:18 z !5:1 $ ");
  words("an empty text", " ", 0, "1:2 $ ");
  return done();
}
