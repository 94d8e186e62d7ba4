/* ml_check.c -- CPN ML from text to types: what type expressions have, what inscriptions are, and what is said about those that
 * are wrong. */
#include "ml/scope.h"
#include "ml/world.h"
#include "tap.h"

#include <stdlib.h>

static struct mem mem;
static struct ml *ml;

static const char *const declarations[] = {
    "colset INT = int;",
    "colset TINT = int timed;",
    "colset STR = string;",
    "colset BOOL = bool with (nay, yea)",
    "colset E = unit with e;",
    "colset DBM = index d with 1..3;",
    "colset COL = with red | green | blue;",
    "colset PAIR = product INT * STR;",
    "colset REC = record no : INT * data : STR;",
    "colset LIST = list INT;",
    "colset LL = list LIST;",
    "colset U = union num : INT + word : STR + nothing;",
    "colset SMALL = int with 0..9;",
    "colset EVEN = subset SMALL by (fn n => n mod 2 = 0);",
    "colset FEW = subset INT with [1, 2, 5];",
    "colset R = real; colset T = time; colset Q = intinf",
    "colset SOME_STR = string with \"a\"..\"f\" and 1..3;",
    "colset ALIAS = PAIR timed;",
    "var n, k : INT; var s : STR; var c : COL; var p : PAIR; var r : REC; var l : LIST; var u : U; var b : BOOL; var t : TINT;",
    "fun id x = x; fun twice f x = f (f x)",
    "fun fact 0 = 1 | fact n = n * fact (n - 1)",
    "fun zip ([], _) = [] | zip (_, []) = [] | zip (x :: a, y :: b) = (x, y) :: zip (a, b)",
    "fun even 0 = true | even n = odd (n - 1) and odd 0 = false | odd n = even (n - 1)",
    "fun swap {no, data} = {no = no + 1, data = data ^ \"x\"}",
    "fun number (r : REC) = #no r",
    "val (one, two) = (1, 2) and three = 3.0",
    "val rec count = fn [] => 0 | _ :: l => 1 + count l",
    "infix 6 <+>; fun a <+> b = a * 10 + b; infixr 4 ==>; fun (a ==> b) = not a orelse b",
    "exception Bad of string; exception Worse",
    "datatype 'a tree = leaf | node of 'a tree * 'a * 'a tree",
    "type 'a pairs = ('a * 'a) list",
    "fun insert (x, leaf) = node (leaf, x, leaf) | insert (x, t as node (a, y, b)) = if x < y then node (insert (x, a), y, b) "
    "else if y < x then node (a, y, "
    "insert (x, b)) else t",
    "globref counter = 0;",
    "fun delay () = discrete (1, 5); fun more () = delay () + 1",
    "fun store x = counter := x",
    "local fun hidden x = x + 1 in fun shown x = hidden (hidden x) end",
    "fun arg x = let val y = x + 1 fun g z = z + y in g y end",
    "fun inner x = let open List infix ++> fun a ++> b = (a, b) in x ++> length [x] end",
    "fun poly x = let fun id y = y in (id x, id 1, id \"a\") end",
    "val size_of = fn l => size l",
    "fun mark (m : INT ms) = cf (3, m)",
    "val curried = foldl (fn (x, sum) => x + sum) 0",
};

static const char *type_of(const char *text, enum ml_wanted want, const char *colset) {
  static char shown[1000];
  struct err err = {0};
  const struct ml_expr *tree;
  struct ml_text source = {text, strlen(text), {"test", 1, 1}, NULL};
  if (ml_check(&tree, ml, &source, want, colset ? ml_find_colset(ml, colset) : NULL, &err)) {
    snprintf(shown, sizeof shown, "%ld: %s%s%s", err.column, err.message, err.hint[0] ? " / " : "", err.hint);
    if (!(err.line == 1 && err.caret >= 0)) snprintf(shown, sizeof shown, "an error without its place: %s", err.message);
    return shown;
  }
  return ml_type_print(tree->type, shown, sizeof shown);
}

struct pair {
  const char *text, *want;
};

static const struct pair types[] = {
    {"1", "int"},
    {"~5 + 0x1F", "int"},
    {"2.5e~3 * 2.0", "real"},
    {"#\"a\"", "char"},
    {"\"a\\n\\065\\\"\"", "string"},
    {"()", "unit"},
    {"e", "unit"},
    {"yea", "bool"},
    {"(1, \"a\", true)", "int * string * bool"},
    {"{b = 1, a = \"x\"}", "{a: string, b: int}"},
    {"{1 = \"a\", 2 = 3}", "string * int"},
    {"[1, 2, 3]", "int list"},
    {"[]", "'a list"},
    {"1 :: 2 :: []", "int list"},
    {"[[1]] ^^ [[]]", "int list list"},
    {"[1] @ [2]", "int list"},
    {"fn x => x", "'a -> 'a"},
    {"fn x => x + 1", "int -> int"},
    {"fn (x, y) => x = y", "''a * ''a -> bool"},
    {"fn x => x < 1.0", "real -> bool"},
    {"op +", "int * int -> int"},
    {"fn f => fn g => fn x => f (g x)", "('a -> 'b) -> ('c -> 'a) -> 'c -> 'b"},
    {"id", "'a -> 'a"},
    {"twice", "('a -> 'a) -> 'a -> 'a"},
    {"fact 5", "int"},
    {"zip", "'a list * 'b list -> ('a * 'b) list"},
    {"even", "int -> bool"},
    {"swap", "{data: string, no: int} -> {data: string, no: int}"},
    {"#no r + 1", "int"},
    {"#2 (1, \"a\")", "string"},
    {"map #no [r]", "int list"},
    {"map (fn {no, ...} => no) [r]", "int list"},
    {"one + two", "int"},
    {"three", "real"},
    {"count", "'a list -> int"},
    {"1 <+> 2 <+> 3", "int"},
    {"true ==> false", "bool"},
    {"Bad", "string -> exn"},
    {"(raise Worse) : int", "int"},
    {"hd [] handle Empty => 0 | Bad s => size s", "int"},
    {"node (leaf, 1, leaf)", "int tree"},
    {"insert", "int * int tree -> int tree"},
    {"!counter + 1", "int"},
    {"shown 1", "int"},
    {"arg", "int -> int"},
    {"poly true", "bool * int * string"},
    {"inner \"x\"", "string * int"},
    {"let open List in last (take (l, 2)) end", "int"},
    {"size_of", "'a list -> int"},
    {"curried [1]", "int"},
    {"if n > 0 then \"a\" else s", "string"},
    {"case l of [] => 0 | [x] => x | x :: y :: _ => x + y", "int"},
    {"case u of num i => i | word w => size w | nothing => 0", "int"},
    {"case c of red => 1 | _ => 2", "int"},
    {"let val x = 1 val y = x + 1 in (x, y) end", "int * int"},
    {"let fun f 0 = [] | f n = n :: f (n - 1) in f 3 end", "int list"},
    {"(print; 1)", "int"},
    {"1`3", "int ms"},
    {"2`(n, s) ++ 1`p", "(int * string) ms"},
    {"1`n ++ empty -- 1`k", "int ms"},
    {"3 ** (1`n)", "int ms"},
    {"1`n @+ 5", "int tms"},
    {"1`n@5 +++ 1`k@+3", "int tms"},
    {"1`n <<= 2`k", "bool"},
    {"1`n == empty", "bool"},
    {"size (1`n)", "int"},
    {"size l + size \"abc\" + length l", "int"},
    {"filter (fn x => x > 1) l", "int list"},
    {"filter (fn x => x > 1) (1`n)", "int ms"},
    {"ext_col (fn x => \"a\") (INT.all ())", "string ms"},
    {"List.map (fn x => x + 1) (1`n)", "int list"},
    {"List.length (DBM.all ())", "int"},
    {"DBM.all ()", "DBM ms"},
    {"DBM", "DBM ms"},
    {"d 1", "DBM"},
    {"DBM.all () -- 1`d(2)", "DBM ms"},
    {"COL.mkstr c ^ INT.mkstr_ms (1`n)", "string"},
    {"PAIR.mult (1`n, 1`s)", "(int * string) ms"},
    {"PAIR.mult ([n], 1`s)", "(int * string) ms"},
    {"REC.set_no r 5", "{data: string, no: int}"},
    {"U.of_num u + 1", "int"},
    {"U.is_word u", "bool"},
    {"mem l 3 andalso not (mem l 4)", "bool"},
    {"List.nth (l, 0)", "int"},
    {"time ()", "time"},
    {"IntInf.toInt (time () + 5)", "int"},
    {"Real.fromInt 3 / 2.0", "real"},
    {"Int.toString n ^ s", "string"},
    {"SOME 1", "int option"},
    {"valOf (SOME 1)", "int"},
    {"String.tokens Char.isSpace \"a b\"", "string list"},
    {"(op ::) (1, [])", "int list"},
    {"foldr op:: []", "'a list -> 'a list"},
    {"fn x => (x; x) : int", "int -> int"},
    {"fn (x : 'a, y : 'a) => [x, y]", "'a * 'a -> 'a list"},
    {"sort (fn (a, b) => a < b) [3, 1]", "int list"},
    {"mark", "int ms -> int"},
    {"mark [1, 3]", "int"},
    {"(fn x => x) o (fn y => y + 1)", "int -> int"},
    {"mkst_col'INT 3", "string"},
    {"[n > 1] % n", "int ms"},
    {"(* a (* nested *) comment *) 1", "int"},
};

static const struct pair errors[] = {
    {"1 + \"a\"", "5: this is string, but int is expected"},
    {"\"a\" + 1", "1: this is string, but int or real is expected"},
    {"if 1 then 2 else 3", "4: this is int, but bool is expected"},
    {"if true then 1 else \"a\"", "21: this is string, but int is expected"},
    {"[1, true]", "5: this is bool, but int is expected"},
    {"nn + 1", "1: the name nn is not known / did you mean n?"},
    {"lenght l", "1: the name lenght is not known / did you mean length?"},
    {"List.nht (l, 0)", "1: the function List.nht is not known / did you mean List.nth?"},
    {"DBM.al ()", "1: the colour set DBM has no function al"},
    {"DBM.mult (1`d 1)", "1: the colour set DBM has no function mult: it is of another kind"},
    {"REC.set_nr r 5", "1: the colour set REC has no function set_nr: it has no such part"},
    {"3 4", "1: this is int, not a function: it cannot be applied"},
    {"fn x => x x", "9: this has the type 'a, which would contain itself: 'a -> 'b is expected"},
    {"id = id", "1: this is 'a -> 'a, which cannot be compared for equality"},
    {"if true then ([1], 2) else ([1] ++ [3], 4)", "28: this is int ms * int, but int list * int is expected / ++ makes a multiset; lists are joined by ^^"},
    {"let datatype a = A of b | N and b = B of int -> int in A (B (fn x => x)) = N end", "56: this is a, which cannot be compared for equality"},
    {"#foo r", "1: this is {data: string, no: int}, which has no part #foo"},
    {"fn r => #no r", "9: which record #no is taken from cannot be seen: write the type of the record, as in (x : T)"},
    {"fn {no, ...} => no", "4: which record this is cannot be seen: write its type behind it, or all its labels"},
    {"case l of nill x => x | _ => 0", "11: the constructor nill is not known / did you mean nil?"},
    {"case l of op :: => 0", "11: the constructor :: needs an argument"},
    {"case c of red x => 1", "11: the constructor red has no argument"},
    {"fn (x, x) => x", "8: x stands twice in one pattern"},
    {"x : foo", "5: the type foo is not known / did you mean bool?"},
    {"1 : int list", "1: this is int, but int list is expected"},
    {"1 : list", "5: the type list has 1 arguments, not 0"},
    {"while true", "11: expected 'do', but found the end of the text"},
    {"INT.ran ()", "1: INT.ran is random: a state space cannot have that / what has finitely many outcomes can be drawn by arcs to places, delays and code segments; thimble simulate draws elsewhere, too"},
    {"delay ()", "1: delay needs something that is refused: discrete is random: a state space cannot have that / what has finitely many outcomes can be drawn by arcs to places, delays and code segments; thimble simulate draws elsewhere, too"},
    {"more () + 1", "1: delay needs something that is refused: discrete is random: a state space cannot have that / what has finitely many outcomes can be drawn by arcs to places, delays and code segments; thimble simulate draws elsewhere, too"},
    {"Real.floor (uniform (0.0, 2.0))", "13: uniform is random: a state space cannot have that / thimble simulate draws random values; check needs finitely many outcomes: --define \"uniform=fn (a, b) => Real.fromInt (discrete (round a, round b))\", or another function of the net in that way"},
    {"counter := 1", "9: ':=' changes a reference: a state space cannot have that"},
    {"store 1", "1: store needs something that is refused: ':=' changes a reference: a state space cannot have that"},
    {"TextIO.openIn \"f\"", "1: TextIO.openIn reads or writes files: a state space cannot have that"},
    {"print \"a\" + 1", "1: print writes to the outside: a state space cannot have that"},
    {"MSC.addEvent (1, 2) \"x\" = true", "1: MSC.addEvent draws a chart: a state space cannot have that"},
    {"print (nowhere_else 1)", "8: the name nowhere_else is not known"},
    {"hidden 1", "1: the name hidden is not known"},
    {"- 5", "1: an operand is missing before '-': negative numbers are written ~5"},
    {"1 +", "4: expected an expression, but found the end of the text"},
    {"(1, 2", "6: expected ')' behind this, but found the end of the text"},
    {"1 )", "3: expected the end of the text, but found ')'"},
    {"[1, 2", "6: expected ']' behind the list, but found the end of the text"},
    {"{a = 1, a = 2}", "1: this record has two labels a"},
    {"let val x = 1 x end", "17: expected a declaration or 'in', but found 'end'"},
    {"\"abc", "1: this string does not end"},
    {"(* abc", "1: this comment does not end"},
    {"\"\\q\"", "3: \\ is followed by a character that has no meaning here: write \\\\ for one \\"},
    {"99999999999999999999", "1: this number is too large: ints go up to 2305843009213693952"},
    {"n \xc3\xa9", "3: '\xc3\xa9' has no meaning in CPN ML"},
    {"case 1.5 of 1.5 => 1 | _ => 2", "13: a real cannot be a pattern, as in ML: compare it with = in an if or a guard"},
    {"if true then 1`n else (1`n @+ 5)",
     "14: this carries no time, but another branch does: is @+ meant for the whole? put the whole in brackets"},
    {"", "1: expected an expression, but found the end of the text"},
};

struct inscription {
  const char *text, *colset, *want;
};

static const struct inscription bags[] = {
    {"n", "INT", "int"},
    {"5", "INT", "int"},
    {"1`n", "INT", "int ms"},
    {"1`1 ++ 2`2", "INT", "int ms"},
    {"if n > 0 then 1`n else empty", "INT", "int ms"},
    {"if n > 0 then n else empty", "INT", "int ms"},
    {"case c of red => 1`1 | _ => empty", "INT", "int ms"},
    {"let val m = n + 1 in 1`m end", "INT", "int ms"},
    {"[1, 2, 3]", "INT", "int ms"},
    {"[1, 2, 3]", "LIST", "int list"},
    {"[]", "LIST", "int list"},
    {"1`[]", "LIST", "int list ms"},
    {"[[1], []]", "LIST", "int list ms"},
    {"l ^^ [n]", "LIST", "int list"},
    {"(n, s)", "PAIR", "int * string"},
    {"{no = 1, data = s}", "REC", "{data: string, no: int}"},
    {"()", "E", "unit"},
    {"e", "E", "unit"},
    {"empty", "E", "unit ms"},
    {"n @+ 5", "TINT", "int tms"},
    {"n@+delays", "TINT", "4: the name delays is not known / did you mean delay?"},
    {"1`n @+ 5 +++ 1`k", "TINT", "int tms"},
    {"1`n ++ 1`k @+ 5", "TINT", "int tms"},
    {"if n > 0 then 1`n else empty @+ 5", "TINT", "int tms"},
    {"1`n", "TINT", "int ms"},
    {"t", "TINT", "int"},
    {"COL.all ()", "COL", "COL ms"},
    {"COL", "COL", "COL ms"},
    {"num 5", "U", "U"},
    {"n @+ 5", "INT", "1: these tokens carry time, but the colour set INT is not timed"},
    {"s", "INT", "1: this is string, but int is expected"},
    {"1`s", "INT", "1: this is string ms, but int ms is expected"},
    {"1`n ++ 1`s", "INT", "8: this is string ms, but int ms is expected"},
    {"if n > 0 then 1`s else empty", "INT", "15: this is string ms, but int ms is expected"},
    {"s :: []", "INT", "1: this is string list, but int is expected"},
    {"(n, n)", "PAIR", "1: this is int * int, but PAIR (int * string) is expected"},
    {"num s", "U", "5: this is string, but int is expected"},
    {"case n of m => 1`m | k => 1`k @+ k", "TINT",
     "27: this carries time, but the other rules do not: is @+ meant for the whole? put the whole in brackets"},
};

static const struct pair refused[] = {
    {"colset A = product INT * NONE;", "26: the colour set NONE is not known"},
    {"colset A = record a : INT * a : INT", "1: the record A has two labels a"},
    {"colset A = int with 5..1", "21: the range of A is empty: 5..1"},
    {"colset A = int with 1..\"a\"", "24: this is string, but int is expected"},
    {"colset A = with a | b | a", "1: A has the constructor a twice"},
    {"colset A = product INT", "1: a product has at least two parts"},
    {"colset A = subset INT by 5", "26: this is int, but int -> bool is expected"},
    {"colset A int", "10: expected '=', but found 'int'"},
    {"var x : NONE", "9: the colour set NONE is not known"},
    {"val x = n", "9: the name n is not known"},
    {"var x : INT ms", "13: a variable of the net is of a colour set, which stands here by its name"},
    {"fun f x = x + 1 | g x = x", "19: the clauses of one function have two names: f and g"},
    {"fun f x = x + 1 | f x y = x", "19: f has 2 arguments here and 1 before"},
    {"fun f x = 1 and f y = 2", "17: f is declared twice"},
    {"fun f", "6: expected the argument of the function, but found the end of the text"},
    {"val rec f = 5", "13: expected 'fn', as behind val rec, but found '5'"},
    {"structure S = struct end",
     "1: structures, signatures and functors are not understood: declare the functions by themselves"},
    {"use \"file.sml\"", "1: use stands on a line by itself, with the name of a file"},
    {"abstype t = a with end", "1: abstype is not understood: declare a datatype"},
    {"open Foo", "6: the structure 'Foo' is not known"},
    {"infix 12 +++++", "7: the rank of an operator is 0 to 9"},
    {"datatype t = a of 'b", "1: the type variable 'b is not among the parameters of t"},
    {"fun f (x : foo) = x", "12: the type foo is not known"},
    {"hello", "1: expected a declaration: colset, var, val, fun, ..., but found 'hello'"},
};

static const char *declared(const char *text) {
  static char shown[600];
  struct err err = {0};
  struct ml_text source = {text, strlen(text), {"test", 1, 1}, NULL};
  if (!ml_declare(ml, &source, &err)) return "understood";
  snprintf(shown, sizeof shown, "%ld: %s", err.column, err.message);
  return shown;
}

static char *repeated(const char *before, const char *each, size_t times, const char *behind) {
  size_t length = strlen(each);
  char *text = malloc(strlen(before) + times * length + strlen(behind) + 1), *to = text + strlen(before);
  strcpy(text, before);
  for (size_t i = 0; i < times; i++, to += length) memcpy(to, each, length);
  strcpy(to, behind);
  return text;
}

static void long_texts(void) {
  const struct {
    const char *before, *each, *behind, *want, *what;
    size_t times;
  } texts[] = {
      {"[", "1,", "1]", "int list", "a list of 50,000", 50000},
      {"1`1", " ++ 1`2", "", "int ms", "a sum of 20,000", 20000},
      {"", "1 :: ", "[]", "int list", "20,000 cells", 20000},
      {"\"a\"", " ^ \"b\"", "", "string", "20,000 strings joined", 20000},
      {"[1]", " ^^ [2]", "", "int list", "20,000 lists joined", 20000},
      {"true", " andalso true", "", "bool", "20,000 conditions", 20000},
      {"1", " + 1", "", "int", "a sum of 400", 400},
      {"1", " - 1", "", "int", "a difference of 490", 490},
      {"", "if n > 1 then 1 else ", "2", "int", "280 ifs", 280},
      {"", "(fn x => ", "1", "1262: expected ')' behind this, but found the end of the text", "140 functions, not closed", 140},
      {"", "(", "1", "301: this is nested more than 300 levels deep", "brackets without end", 100000},
      {"1", " - 1", "", "1: this expression is more than 1000 levels deep", "a difference of 100,000", 100000},
      {"f", " x", "", "1: this expression is more than 1000 levels deep", "an application of 100,000", 100000},
      {"", "fn x => ", "1", "2393: this is nested more than 300 levels deep", "100,000 functions", 100000},
      {"", "if true then 1 else ", "1", "5961: this is nested more than 300 levels deep", "100,000 ifs", 100000},
      {"case [] of ", "[", "", "162: this is nested more than 300 levels deep", "a deep pattern", 100000},
      {"1 : int", " list", "", "1: this type is more than 300 levels deep", "a deep type", 100000},
      {"", "#a ", "r", "1: this expression is more than 1000 levels deep", "100,000 labels", 100000},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *text = repeated(texts[i].before, texts[i].each, texts[i].times, texts[i].behind);
    const char *got = type_of(text, ML_WANT_ANYTHING, NULL);
    if (strstr(texts[i].want, "levels deep")) ok(strstr(got, "levels deep") != NULL, texts[i].what);
    else is_text(got, texts[i].want, texts[i].what);
    if (strstr(texts[i].want, "levels deep") && !strstr(got, "levels deep")) printf("# got %s\n", got);
    free(text);
  }
  /* a type that doubles with every line */
  char *text = repeated("let val a = (1, 1)", " val a = (a, a)", 400, " in a = a end");
  ok(strstr(type_of(text, ML_WANT_ANYTHING, NULL), "grow too large") != NULL, "types that grow beyond all bounds are refused");
  free(text);
}

static struct mem low;
static int with_memory(size_t fail_after) {
  struct ml *world = NULL;
  struct err err = {0};
  const struct ml_expr *tree;
  mem_open(&low, (size_t)64 << 20);
  low.fail_after = fail_after;
  int status = ml_open(&world, &low, &err);
  for (size_t i = 0; !status && i < sizeof declarations / sizeof *declarations; i++) {
    struct ml_text source = {declarations[i], strlen(declarations[i]), {"test", 1, 1}, NULL};
    status = ml_declare(world, &source, &err);
  }
  for (size_t i = 0; !status && i < 60; i++) {
    struct ml_text source = {types[i].text, strlen(types[i].text), {"test", 1, 1}, NULL};
    if (ml_check(&tree, world, &source, ML_WANT_ANYTHING, NULL, &err) && err.kind != ERR_INPUT) status = -1;
    if (err.kind == ERR_INPUT) err_clear(&err);
  }
  if (world) ml_close(world);
  return low.used ? 2 : !status ? 0 : err.kind == ERR_MEMORY ? 1 : 3;
}

/* ml_check FILE: the type of each line, or what is wrong; tests/peers/polyml_types.t compares them with Poly/ML's. */
static int types_of_lines(const char *path) {
  static char line[100000];
  struct err err = {0};
  FILE *f = fopen(path, "r");
  if (!f || ml_open(&ml, &mem, &err)) return 2;
  while (fgets(line, sizeof line, f)) {
    line[strcspn(line, "\n")] = 0;
    printf("%s\n", type_of(line, ML_WANT_ANYTHING, NULL));
  }
  fclose(f);
  ml_close(ml);
  return 0;
}

int main(int argc, char **argv) {
  struct err err = {0};
  mem_open(&mem, (size_t)256 << 20);
  if (argc > 1) return types_of_lines(argv[1]);
  ok(!ml_open(&ml, &mem, &err), "a world opens");
  for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++)
    is_text(declared(declarations[i]), "understood", declarations[i]);
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    is_text(type_of(types[i].text, ML_WANT_ANYTHING, NULL), types[i].want, types[i].text);
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    is_text(type_of(errors[i].text, ML_WANT_ANYTHING, NULL), errors[i].want, errors[i].text);
  for (size_t i = 0; i < sizeof bags / sizeof *bags; i++)
    is_text(type_of(bags[i].text, ML_WANT_MULTISET, bags[i].colset), bags[i].want, bags[i].text);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    is_text(declared(refused[i].text), refused[i].want, refused[i].text);
  is_text(type_of("n = 1, k = 2", ML_WANT_BOOL, NULL), "bool list", "a guard of two conditions");
  is_text(type_of("[n = 1, k = 2]", ML_WANT_BOOL, NULL), "bool list", "the same in brackets");
  is_text(type_of("n", ML_WANT_BOOL, NULL), "1: this is int, but bool is expected", "a guard is bool");
  is_text(type_of("time () + 1", ML_WANT_DELAY, NULL), "time", "a delay may be a time");
  ok(strstr(type_of("1.5", ML_WANT_DELAY, NULL), "1: this is real, but int is expected / time of this net is a whole number") != NULL, "and not a real");
  is_text(type_of("3", ML_WANT_INT, NULL), "int", "priorities");
  long_texts();

  /* refused declarations leave nothing behind */
  is_text(declared("val fresh = 1 val other = 1 + true"), "31: this is bool, but int is expected", "the second of two is wrong");
  is_text(type_of("fresh", ML_WANT_ANYTHING, NULL), "1: the name fresh is not known", "the first is forgotten");

  /* what comes from outside hides what is declared */
  struct ml_text value = {"7", 1, {"--define", 1, 1}, NULL};
  ok(!ml_override(ml, "limit", &value, &err), "a value from outside");
  is_text(declared("val limit = 3; colset UPTO = int with 1..limit"), "understood", "and the same declared");
  is(ml_find_colset(ml, "UPTO")->high, 7, "the one from outside holds");
  ok(ml_unused_override(ml) == NULL, "it was met");
  ok(!ml_override(ml, "unmet", &value, &err), "another one");
  is_text(ml_unused_override(ml), "unmet", "that nobody declares");
  is_text(declared("var same : STR; fun same x = x + 1; val other_same = same 1"), "understood",
          "a variable and a function of one name");
  is_text(type_of("same", ML_WANT_ANYTHING, NULL), "string", "in inscriptions it is the variable");

  /* in any order */
  struct ml_text texts[] = {{"var z : LATER; val fine = 1;\nfun bad x = x @ true val also_fine = fine", 70, {"test", 5, 9}, NULL},
                            {"fun wrong x = x + true", 22, {"test", 2, 1}, NULL},
                            {"colset LATER = list FIRST", 25, {"test", 3, 1}, NULL},
                            {"colset FIRST = int", 18, {"test", 4, 1}, NULL}};
  size_t left;
  ok(!ml_declare_all(ml, texts, 4, 1, &left, &err) && left == 2 && err.line == 6 && err.column == 17,
     "declarations in any order; wrong ones are told");
  is_text(type_of("also_fine", ML_WANT_ANYTHING, NULL), "int", "what stands beside a wrong one is fine");
  err_clear(&err);
  ok(ml_find_variable(ml, "z") != NULL, "the variable of a later colour set");
  is_text(type_of("wrong 1", ML_WANT_ANYTHING, NULL),
          "1: the declaration of wrong was refused (line 2): this is bool, but int or real is expected", "its use says why");
  is_text(type_of("z", ML_WANT_ANYTHING, NULL), "int list", "the variable");

  ml_close(ml);
  is(mem.used, 0, "nothing is left");

  int answer = 1;
  size_t n = 1;
  for (; answer == 1 && n < 100000; n += 1 + n / 40) answer = with_memory(n);
  is(answer, 0, "every refused allocation is told, until there are none");
  return done();
}
