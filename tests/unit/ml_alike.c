/* ml_alike.c -- what texts of CPN ML tell from each other (ml/alike.h): each line of the table is a text, and what it says of the sets P (an index set) and C (an enumeration). */
#include "tap.h"

#include "ml/alike.h"

#include <stdio.h>
#include <string.h>

static char text[400];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static const char declarations[] = "colset P = index p with 1..4; colset C = with red | green | blue; colset N = int; colset PP = product P * P; colset L = list P; colset U = union one : P + none;"
                                   "colset S = subset P with [p 1, p 2]; var x, y : P; var c : C; var n : N; var l : L; var u : U;"
                                   "val first = p 1; val top = 4; fun next (p i) = if i = top then p 1 else p (i + 1); fun same (a, b) = a = b; fun twice f x = f (f x); fun back m = List.hd m;"
                                   "fun others s = List.foldl (fn (z, all) => (if z = s then empty else 1`z) ++ all) empty (P.all()); fun odd s = List.foldr (fn (z, _) => z) s (P.all());"
                                   "exception Odd; exception Held of P; fun harmless (a, b) = if a = b then true else case a of p _ => false; fun partial (a, b) = case a = b of true => true;";

/* "" nothing; "P3" the value 3 of P; "P*" all of them; "?*" whatever there is. */
static const struct {
  const char *text, *tells;
} table[] = {
    {"x = y", ""},
    {"x <> y andalso n > 3", ""},
    {"(x, y) = (y, x)", ""},
    {"1`x ++ 2`y", ""},
    {"P.all() -- 1`x", ""},
    {"PP.mult (1`x, P.all() -- 1`x)", ""},
    {"List.map (fn z => (x, z)) (P.all() -- 1`x)", "P* P*"}, /* a list is what is wanted */
    {"1`(x, y) ++ List.map (fn z => (x, z)) (P.all() -- 1`x)", ""},
    {"size (P.all()) + List.length (P.all())", ""},
    {"List.exists (fn z => z = x) (P.all())", ""},
    {"mem (P.all()) x", ""},
    {"others x", ""},
    {"odd x", "P* P*"},
    {"List.hd (P.all())", "P* P*"},
    {"List.hd l", ""},
    {"x :: l", ""},
    {"rev l", ""},
    {"back l", ""},
    {"case u of one z => z = x | none => false", ""},
    {"case u of one _ => 1 | none => 2", ""},
    {"twice (fn z => z) x", ""},
    {"same (x, y)", ""},
    {"x = p 3", "P3"},
    {"x = first", "P1"},
    {"c = red", "C0"},
    {"case c of green => 1 | _ => 2", "C1"},
    {"case x of p 2 => 1 | _ => 2", "P2"},
    {"case x of p _ => 1", ""},
    {"case x of p i => i", "P*"},
    {"next x", "P* P1 P*"},
    {"p n", "P*"},
    {"List.map p [1, 2]", "P*"},
    {"P.ord x + 1", "P*"},
    {"P.col 2 = x", "P*"},
    {"P.lt (x, y)", "P*"},
    {"PP.lt ((x, y), (y, x))", "P* P*"},
    {"P.mkstr x", "P*"},
    {"C.mkstr c", "C*"},
    {"L.mkstr l", "P*"},
    {"N.mkstr n", ""},
    {"Int.toString n", ""},
    {"cf (x, P.all())", ""},
    {"cf (p 4, P.all())", "P4"},
    {"sort P.lt l", "P*"},
    {"sort (fn (a, b) => a = b) l", ""},
    {"let val z = x fun f a = a = z in f y end", ""},
    {"let val z = p 2 in z = x end", "P2"},
    {"if x = y then red else c", "C0"},
    {"List.exists (fn z => if z = x then raise Odd else z = y) (P.all())", "P* P*"}, /* which comes first? */
    {"(List.map (fn z => raise Held z) (P.all()); x) handle Held z => z", "P* P*"},
    {"List.exists (fn z => z = y orelse List.nth ([z], n) = x) (P.all())", "P* P*"},
    {"List.exists (fn z => n div 2 = 1) (P.all())", "P* P*"},
    {"List.exists (fn z => harmless (z, x)) (P.all())", ""},
    {"List.exists (fn z => partial (z, x)) (P.all())", "P* P*"},
    {"List.exists (fn z => List.exists (fn v => v = z) l) (P.all())", ""},
    {"List.exists (fn z => mem l z andalso null l) (P.all())", ""},
    {"1`x ++ List.map (fn z => List.nth (l, n)) (P.all())", ""}, /* whoever raises Subscript */
    {"1`n ++ List.map (fn z => List.length l div (if z = x then 0 else 1)) (P.all())", "P* P*"}, /* or Div: there is Overflow as well */
    {"List.foldl (fn (z, all) => (if z = x then raise Odd else 1`z) ++ all) empty (P.all())", "P* P*"},
    {"filter (fn z => z <> x) (P.all())", ""},
    {"filter (fn z => if z = x then raise Odd else raise Held z) (P.all())", "P*"},
    {"ext_col (fn z => (z, x)) (P.all())", ""},
    {"let val r = ref x in !r = y end", ""},
    {"let val r = ref [] in (List.exists (fn z => (r := z :: !r; false)) (P.all()); !r) end", "?* P* P*"},
    {"let val a = Array.array (1, x) in (List.exists (fn z => (Array.update (a, 0, z); false)) (P.all()); Array.sub (a, 0)) end", "?* P* P*"},
    {"let val a = Array.array (1, x) in Array.sub (a, 0) = y end", ""},
    {"Vector.exists (fn z => z = x) (Vector.fromList l)", ""},
    {"Vector.exists (fn z => z = x) (Vector.fromList (P.all()))", "P* P*"},
};

struct heard {
  char text[200];
};

static int hear(void *context, const struct ml_telling *t) {
  struct heard *h = context;
  size_t used = strlen(h->text);
  char value[30] = "*";
  if (t->value != ML_TELLS_ALL) snprintf(value, sizeof value, "%lld", (long long)t->value);
  snprintf(h->text + used, sizeof h->text - used, "%s%.20s%s", used ? " " : "", t->data ? t->data->name : "?", value);
  return 0;
}

int main(void) {
  struct mem mem;
  struct err e;
  struct ml *ml;
  mem_open(&mem, 0);
  err_clear(&e);
  struct ml_text all = {declarations, strlen(declarations), {"declarations", 1, 1}, NULL};
  if (!ok(!ml_open(&ml, &mem, &e) && !ml_declare(ml, &all, &e), "declarations")) {
    printf("# %s\n", e.message);
    return done();
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const struct ml_expr *tree;
    struct heard h = {""};
    struct ml_text one = {table[i].text, strlen(table[i].text), {"text", 1, 1}, NULL};
    err_clear(&e);
    if (!ok(!ml_check(&tree, ml, &one, ML_WANT_ANYTHING, NULL, &e), NAMED("%s", table[i].text))) {
      printf("# %s\n", e.message);
      continue;
    }
    is(ml_tells(ml, tree, hear, &h), 0, "it is walked through");
    ok(strcmp(h.text, table[i].tells) == 0, NAMED("it tells \"%s\"", h.text));
  }
  const struct ml_colset *s = ml_find_colset(ml, ml_name(ml, "S", 1));
  struct heard h = {""};
  ok(s && s->with && ml_tells(ml, s->with, hear, &h) == 0 && strcmp(h.text, "P1 P2") == 0, NAMED("a subset: \"%s\"", h.text));
  ml_close(ml);
  is(mem.used, 0, "nothing left behind");
  return done();
}
