/* prelude.c -- library functions that are written in ML: those that take functions.
 *
 * Each is a text that declares one function under a short name; it is declared when somebody first uses the name on its left
 * (library.c).  Texts see library.def, the prelude, and nothing that a net declares, whatever the net calls its own functions.
 * Loops end in a call of themselves, so that long lists need no stack. */
#include "ml/library.h"

#include <string.h>

static const struct {
  const char *name, *text;
} prelude[] = {
    {"o", "fun f (g, h) = fn x => g (h x)"},
    {"before", "fun f (x, ()) = x"},
    {"List.map", "fun map f l = let fun go [] r = List.rev r | go (x :: l) r = go l (f x :: r) in go l [] end"},
    {"List.app", "fun app f [] = () | app f (x :: l) = (f x; app f l)"},
    {"List.filter",
     "fun filter f l = let fun go [] r = List.rev r | go (x :: l) r = go l (if f x then x :: r else r) in go l [] end"},
    {"List.foldl", "fun foldl f a [] = a | foldl f a (x :: l) = foldl f (f (x, a)) l"},
    {"List.foldr", "fun foldr f a l = List.foldl f a (List.rev l)"},
    {"List.exists", "fun exists f [] = false | exists f (x :: l) = f x orelse exists f l"},
    {"List.all", "fun all f [] = true | all f (x :: l) = f x andalso all f l"},
    {"List.find", "fun find f [] = NONE | find f (x :: l) = if f x then SOME x else find f l"},
    {"List.partition", "fun partition f l = let fun go [] a b = (List.rev a, List.rev b) | go (x :: l) a b = if f x then go l (x "
                       ":: a) b else go l a (x :: b) "
                       "in go l [] [] end"},
    {"List.mapPartial", "fun mapPartial f l = let fun go [] r = List.rev r | go (x :: l) r = go l (case f x of NONE => r | SOME "
                        "y => y :: r) in go l [] end"},
    {"List.tabulate", "fun tabulate (n, f) = let fun go i r = if i >= n then List.rev r else go (i + 1) (f i :: r) in if n < 0 "
                      "then raise Size else go 0 [] end"},
    {"List.getItem", "fun getItem [] = NONE | getItem (x :: l) = SOME (x, l)"},
    {"List.collate", "fun collate f ([], []) = EQUAL | collate f ([], _) = LESS | collate f (_, []) = GREATER "
                     "| collate f (x :: a, y :: b) = case f (x, y) of EQUAL => collate f (a, b) | c => c"},
    {"List.ext_ms", "fun ext_ms f l = list_to_ms (List.concat (List.map (fn x => ms_to_list (f x)) l))"},
    {"MS.ext_ms", "fun ext_ms f m = list_to_ms (List.concat (List.map (fn x => ms_to_list (f x)) (ms_to_list m)))"},
    {"MS.ext_col", "fun ext_col f m = list_to_ms (List.map f (ms_to_list m))"},
    {"MS.filter", "fun filter f m = list_to_ms (List.filter f (ms_to_list m))"},
    {"fmap", "fun fmap f l = List.concat (List.map f l)"},
    {"predlist", "fun predlist f l = List.exists f l"},
    {"sort", "fun sort lt l = let fun merge a [] r = List.revAppend (r, a) | merge [] b r = List.revAppend (r, b) "
             "| merge (a as x :: s) (b as y :: t) r = if lt (y, x) then merge a t (y :: r) else merge s b (x :: r) "
             "fun half [] = [] | half [x] = [x] | half l = let val n = List.length l div 2 in merge (half (List.take (l, n))) "
             "(half (List.drop (l, n))) [] end "
             "in half l end"},
    {"ListMergeSort.sort", "fun f gt l = sort (fn (a, b) => gt (b, a)) l"},
    {"ListPair.zip",
     "fun zip (a, b) = let fun go (x :: a) (y :: b) r = go a b ((x, y) :: r) | go _ _ r = List.rev r in go a b [] end"},
    {"ListPair.unzip", "fun unzip l = (List.map (fn (x, _) => x) l, List.map (fn (_, y) => y) l)"},
    {"ListPair.map",
     "fun map f (a, b) = let fun go (x :: a) (y :: b) r = go a b (f (x, y) :: r) | go _ _ r = List.rev r in go a b [] end"},
    {"ListPair.foldl", "fun foldl f r (x :: a, y :: b) = foldl f (f (x, y, r)) (a, b) | foldl f r _ = r"},
    {"ListPair.exists", "fun exists f (x :: a, y :: b) = f (x, y) orelse exists f (a, b) | exists f _ = false"},
    {"ListPair.all", "fun all f (x :: a, y :: b) = f (x, y) andalso all f (a, b) | all f _ = true"},
    {"ListPair.app", "fun app f (x :: a, y :: b) = (f (x, y); app f (a, b)) | app f _ = ()"},
    {"ListPair.foldr", "fun f g r p = List.foldr (fn ((x, y), r) => g (x, y, r)) r (ListPair.zip p)"},
    {"ListPair.allEq", "fun allEq f ([], []) = true | allEq f (x :: a, y :: b) = f (x, y) andalso allEq f (a, b) | allEq f _ = false"},
    {"ListPair.zipEq", "fun f (a, b) = let fun go [] [] r = List.rev r | go (x :: a) (y :: b) r = go a b ((x, y) :: r) | go _ _ _ = raise ListPair.UnequalLengths in go a b [] end"},
    {"ListPair.mapEq", "fun f g (a, b) = let fun go [] [] r = List.rev r | go (x :: a) (y :: b) r = go a b (g (x, y) :: r) | go _ _ _ = raise ListPair.UnequalLengths in go a b [] end"},
    {"ListPair.appEq", "fun f g ([], []) = () | f g (x :: a, y :: b) = (g (x, y); f g (a, b)) | f _ _ = raise ListPair.UnequalLengths"},
    {"ListPair.foldlEq", "fun f g r ([], []) = r | f g r (x :: a, y :: b) = f g (g (x, y, r)) (a, b) | f _ _ _ = raise ListPair.UnequalLengths"},
    {"ListPair.foldrEq", "fun f g r p = List.foldr (fn ((x, y), r) => g (x, y, r)) r (ListPair.zipEq p)"},
    {"Vector.tabulate", "fun f (n, g) = Vector.fromList (List.tabulate (n, g))"},
    {"Vector.map", "fun f g v = Vector.fromList (List.map g (Vector.toList v))"},
    {"Vector.mapi", "fun f g v = Vector.tabulate (Vector.length v, fn i => g (i, Vector.sub (v, i)))"},
    {"Vector.app", "fun f g v = List.app g (Vector.toList v)"},
    {"Vector.appi", "fun f g v = let fun go i = if i = Vector.length v then () else (g (i, Vector.sub (v, i)); go (i + 1)) in go 0 end"},
    {"Vector.foldl", "fun f g r v = List.foldl g r (Vector.toList v)"},
    {"Vector.foldr", "fun f g r v = List.foldr g r (Vector.toList v)"},
    {"Vector.foldli", "fun f g r v = let fun go i r = if i = Vector.length v then r else go (i + 1) (g (i, Vector.sub (v, i), r)) in go 0 r end"},
    {"Vector.foldri", "fun f g r v = let fun go i r = if i < 0 then r else go (i - 1) (g (i, Vector.sub (v, i), r)) in go (Vector.length v - 1) r end"},
    {"Vector.exists", "fun f g v = List.exists g (Vector.toList v)"},
    {"Vector.all", "fun f g v = List.all g (Vector.toList v)"},
    {"Vector.find", "fun f g v = List.find g (Vector.toList v)"},
    {"Vector.findi", "fun f g v = let fun go i = if i = Vector.length v then NONE else let val p = (i, Vector.sub (v, i)) in if g p then SOME p else go (i + 1) end in go 0 end"},
    {"Vector.collate", "fun f g (v, w) = List.collate g (Vector.toList v, Vector.toList w)"},
    {"Array.tabulate", "fun f (n, g) = Array.fromList (List.tabulate (n, g))"},
    {"Array.app", "fun f g a = let fun go i = if i = Array.length a then () else (g (Array.sub (a, i)); go (i + 1)) in go 0 end"},
    {"Array.appi", "fun f g a = let fun go i = if i = Array.length a then () else (g (i, Array.sub (a, i)); go (i + 1)) in go 0 end"},
    {"Array.foldl", "fun f g r a = let fun go i r = if i = Array.length a then r else go (i + 1) (g (Array.sub (a, i), r)) in go 0 r end"},
    {"Array.foldr", "fun f g r a = let fun go i r = if i < 0 then r else go (i - 1) (g (Array.sub (a, i), r)) in go (Array.length a - 1) r end"},
    {"Array.foldli", "fun f g r a = let fun go i r = if i = Array.length a then r else go (i + 1) (g (i, Array.sub (a, i), r)) in go 0 r end"},
    {"Array.foldri", "fun f g r a = let fun go i r = if i < 0 then r else go (i - 1) (g (i, Array.sub (a, i), r)) in go (Array.length a - 1) r end"},
    {"Array.findi", "fun f g a = let fun go i = if i = Array.length a then NONE else let val p = (i, Array.sub (a, i)) in if g p then SOME p else go (i + 1) end in go 0 end"},
    {"Array.find", "fun f g a = Option.map (fn (_, x) => x) (Array.findi (fn (_, x) => g x) a)"},
    {"Array.exists", "fun f g a = Option.isSome (Array.findi (fn (_, x) => g x) a)"},
    {"Array.all", "fun f g a = not (Option.isSome (Array.findi (fn (_, x) => not (g x)) a))"},
    {"Array.collate", "fun f g (a, b) = Vector.collate g (Array.vector a, Array.vector b)"},
    {"Option.valOf", "fun valOf (SOME x) = x | valOf NONE = raise Option"},
    {"Option.isSome", "fun isSome (SOME _) = true | isSome NONE = false"},
    {"Option.getOpt", "fun getOpt (SOME x, _) = x | getOpt (NONE, x) = x"},
    {"Option.map", "fun map f (SOME x) = SOME (f x) | map f NONE = NONE"},
    {"Option.filter", "fun filter f x = if f x then SOME x else NONE"},
    {"Option.join", "fun join (SOME x) = x | join NONE = NONE"},
    {"Option.app", "fun app f (SOME x) = f x | app f NONE = ()"},
    {"Option.mapPartial", "fun mapPartial f (SOME x) = f x | mapPartial f NONE = NONE"},
    {"Option.compose", "fun compose (f, g) x = case g x of SOME y => SOME (f y) | NONE => NONE"},
    {"Option.composePartial", "fun compose (f, g) x = case g x of SOME y => f y | NONE => NONE"},
    {"Bool.fromString", "fun f s = let fun low s = String.map Char.toLower s fun skip s = if String.size s > 0 andalso Char.isSpace (String.sub (s, 0)) "
                        "then skip (String.extract (s, 1, NONE)) else s val t = low (skip s) "
                        "in if String.isPrefix \"true\" t then SOME true else if String.isPrefix \"false\" t then SOME false else NONE end"},
    {"Int.sameSign", "fun f (a, b) = Int.sign a = Int.sign b"},
    {"Int.toInt", "fun f (n : int) = n"},
    {"IntInf.toLarge", "fun f (n : IntInf.int) = n"},
    {"IntInf.sign", "fun f n = case IntInf.compare (n, IntInf.fromInt 0) of LESS => ~1 | EQUAL => 0 | GREATER => 1"},
    {"IntInf.sameSign", "fun f (a, b) = IntInf.sign a = IntInf.sign b"},
    {"IntInf.scan", "fun f radix get s = case Int.scan radix get s of NONE => NONE | SOME (n, r) => SOME (IntInf.fromInt n, r)"},
    {"IntInf.divMod", "fun f (a : IntInf.int, b : IntInf.int) = (a div b, a mod b)"},
    {"IntInf.quotRem", "fun f (a, b) = (IntInf.quot (a, b), IntInf.rem (a, b))"},
    {"Real.realFloor", "fun f x = if abs x < 4503599627370496.0 then Real.fromInt (Real.floor x) else x"},
    {"Real.realCeil", "fun f x = if abs x < 4503599627370496.0 then Real.fromInt (Real.ceil x) else x"},
    {"Real.realTrunc", "fun f x = if abs x < 4503599627370496.0 then Real.fromInt (Real.trunc x) else x"},
    {"Real.realRound", "fun f x = if abs x < 4503599627370496.0 then Real.fromInt (Real.round x) else x"},
    {"Real.!=", "fun f (a, b) = not (Real.== (a, b))"},
    {"Real.?=", "fun f (a, b) = Real.isNan a orelse Real.isNan b orelse Real.== (a, b)"},
    {"Real.unordered", "fun f (a, b) = Real.isNan a orelse Real.isNan b"},
    {"Real.sameSign", "fun f (a, b) = Real.signBit a = Real.signBit b"},
    {"Real.realMod", "fun f x = if Real.isFinite x then Real.copySign (x - Real.realTrunc x, x) else if Real.isNan x then x else Real.copySign (0.0, x)"},
    {"Real.split", "fun f x = {whole = Real.realTrunc x, frac = Real.realMod x}"},
    {"Real.toInt", "fun f IEEEReal.TO_NEAREST x = Real.round x | f IEEEReal.TO_NEGINF x = Real.floor x | f IEEEReal.TO_POSINF x = Real.ceil x | f IEEEReal.TO_ZERO x = Real.trunc x"},
    {"Real.toLargeInt", "fun f mode x = IntInf.fromInt (Real.toInt mode x)"},
    {"Math.sinh", "fun f x = (Math.exp x - Math.exp (~x)) / 2.0"},
    {"Math.cosh", "fun f x = (Math.exp x + Math.exp (~x)) / 2.0"},
    {"Math.tanh", "fun f x = let val a = Math.exp x val b = Math.exp (~x) in (a - b) / (a + b) end"},
    {"String.collate", "fun f c (a, b) = List.collate c (String.explode a, String.explode b)"},
    {"StringCvt.padLeft", "fun f c n s = String.implode (List.tabulate (Int.max (0, n - String.size s), fn _ => c)) ^ s"},
    {"StringCvt.padRight", "fun f c n s = s ^ String.implode (List.tabulate (Int.max (0, n - String.size s), fn _ => c))"},
    {"StringCvt.skipWS", "fun f get s = case get s of NONE => s | SOME (c, r) => if Char.isSpace c then f get r else s"},
    {"StringCvt.dropl", "fun f p get s = case get s of NONE => s | SOME (c, r) => if p c then f p get r else s"},
    {"StringCvt.splitl", "fun f p get s = let fun go s l = case get s of NONE => (String.implode (List.rev l), s) | SOME (c, r) => if p c then go r (c :: l) else (String.implode (List.rev l), s) in go s [] end"},
    {"StringCvt.takel", "fun f p get s = let val (t, _) = StringCvt.splitl p get s in t end"},
    {"StringCvt.scanString", "fun f scan s = case scan (fn i => if i < String.size s then SOME (String.sub (s, i), i + 1) else NONE) 0 of NONE => NONE | SOME (x, _) => SOME x"},
    {"Int.scan", /* a sign, 0x before hexadecimal digits if digits follow, and as many digits as there are */
     "fun f radix get s = let val base = case radix of StringCvt.BIN => 2 | StringCvt.OCT => 8 | StringCvt.DEC => 10 | StringCvt.HEX => 16 "
     "fun digit c = let val d = if Char.isDigit c then Char.ord c - 48 else if Char.isHexDigit c then Char.ord (Char.toLower c) - 87 else 99 in if d < base then SOME d else NONE end "
     "fun next s = case get s of NONE => NONE | SOME (c, r) => (case digit c of NONE => NONE | SOME d => SOME (d, r)) "
     "fun more n s = case next s of NONE => SOME (n, s) | SOME (d, r) => more (base * n + d) r "
     "fun digits s = case next s of NONE => NONE | SOME (d, r) => more d r "
     "fun is (x, s) = case get s of NONE => NONE | SOME (c, r) => if Char.toLower c = x then SOME r else NONE "
     "fun prefixed s = case is (#\"0\", s) of NONE => digits s | SOME r => (case is (#\"x\", r) of NONE => digits s | SOME q => (case digits q of NONE => digits s | found => found)) "
     "fun number s = if base = 16 then prefixed s else digits s "
     "val start = StringCvt.skipWS get s "
     "in case get start of NONE => NONE | SOME (c, r) => if c = #\"~\" orelse c = #\"-\" then (case number r of NONE => NONE | SOME (n, q) => SOME (~n, q)) "
     "else if c = #\"+\" then number r else number start end"},
    {"String.map", "fun map f s = String.implode (List.map f (String.explode s))"},
    {"String.translate", "fun translate f s = String.concat (List.map f (String.explode s))"},
    {"String.tokens",
     "fun tokens f s = let fun go [] [] r = List.rev r | go [] w r = List.rev (String.implode (List.rev w) :: r) "
     "| go (c :: l) w r = if f c then go l [] (case w of [] => r | _ => String.implode (List.rev w) :: r) else go l (c :: w) r "
     "in go (String.explode s) [] [] end"},
    {"String.fields", "fun fields f s = let fun go [] w r = List.rev (String.implode (List.rev w) :: r) "
                      "| go (c :: l) w r = if f c then go l [] (String.implode (List.rev w) :: r) else go l (c :: w) r in go "
                      "(String.explode s) [] [] end"},
    /* a part of a string: the string, where it begins, how long it is */
    {"Substring.full", "fun f s = Substring.of' (s, 0, String.size s)"},
    {"Substring.substring", "fun f (s, i, n) = (ignore (String.substring (s, i, n)); Substring.of' (s, i, n))"},
    {"Substring.extract", "fun f (s, i, NONE) = (ignore (String.extract (s, i, NONE)); Substring.of' (s, i, String.size s - i)) | f (s, i, SOME n) = Substring.substring (s, i, n)"},
    {"Substring.base", "fun f (Substring.of' p) = p"},
    {"Substring.string", "fun f (Substring.of' p) = String.substring p"},
    {"Substring.size", "fun f (Substring.of' (_, _, n)) = n"},
    {"Substring.isEmpty", "fun f (Substring.of' (_, _, n)) = n = 0"},
    {"Substring.sub", "fun f (Substring.of' (s, i, n), k) = if k < 0 orelse k >= n then raise Subscript else String.sub (s, i + k)"},
    {"Substring.getc", "fun f (Substring.of' (s, i, n)) = if n = 0 then NONE else SOME (String.sub (s, i), Substring.of' (s, i + 1, n - 1))"},
    {"Substring.first", "fun f (Substring.of' (s, i, n)) = if n = 0 then NONE else SOME (String.sub (s, i))"},
    {"Substring.triml", "fun f k (Substring.of' (s, i, n)) = if k < 0 then raise Subscript else if k >= n then Substring.of' (s, i + n, 0) else Substring.of' (s, i + k, n - k)"},
    {"Substring.trimr", "fun f k (Substring.of' (s, i, n)) = if k < 0 then raise Subscript else if k >= n then Substring.of' (s, i, 0) else Substring.of' (s, i, n - k)"},
    {"Substring.slice", "fun f (Substring.of' (s, i, n), k, NONE) = if k < 0 orelse k > n then raise Subscript else Substring.of' (s, i + k, n - k) | f (Substring.of' (s, i, n), k, SOME m) = if k < 0 orelse m < 0 orelse k > n orelse m > n - k then raise Subscript else Substring.of' (s, i + k, m)"},
    {"Substring.splitAt", "fun f (Substring.of' (s, i, n), k) = if k < 0 orelse k > n then raise Subscript else (Substring.of' (s, i, k), Substring.of' (s, i + k, n - k))"},
    {"Substring.splitl", "fun f p (Substring.of' (s, i, n)) = let fun go k = if k < n andalso p (String.sub (s, i + k)) then go (k + 1) else (Substring.of' (s, i, k), Substring.of' (s, i + k, n - k)) in go 0 end"},
    {"Substring.splitr", "fun f p (Substring.of' (s, i, n)) = let fun go k = if k > 0 andalso p (String.sub (s, i + k - 1)) then go (k - 1) else (Substring.of' (s, i, k), Substring.of' (s, i + k, n - k)) in go n end"},
    {"Substring.takel", "fun f p s = let val (a, _) = Substring.splitl p s in a end"},
    {"Substring.dropl", "fun f p s = let val (_, b) = Substring.splitl p s in b end"},
    {"Substring.taker", "fun f p s = let val (_, b) = Substring.splitr p s in b end"},
    {"Substring.dropr", "fun f p s = let val (a, _) = Substring.splitr p s in a end"},
    {"Substring.position", "fun f t (Substring.of' (s, i, n)) = let val m = String.size t fun go k = if k + m > n then (Substring.of' (s, i, n), Substring.of' (s, i + n, 0)) else if String.substring (s, i + k, m) = t then (Substring.of' (s, i, k), Substring.of' (s, i + k, n - k)) else go (k + 1) in go 0 end"},
    {"Substring.isPrefix", "fun f t s = String.isPrefix t (Substring.string s)"},
    {"Substring.isSuffix", "fun f t s = String.isSuffix t (Substring.string s)"},
    {"Substring.isSubstring", "fun f t s = String.isSubstring t (Substring.string s)"},
    {"Substring.compare", "fun f (s, t) = String.compare (Substring.string s, Substring.string t)"},
    {"Substring.collate", "fun f c (s, t) = String.collate c (Substring.string s, Substring.string t)"},
    {"Substring.explode", "fun f s = String.explode (Substring.string s)"},
    {"Substring.concat", "fun f l = String.concat (List.map Substring.string l)"},
    {"Substring.concatWith", "fun f t l = String.concatWith t (List.map Substring.string l)"},
    {"Substring.translate", "fun f g s = String.translate g (Substring.string s)"},
    {"Substring.app", "fun f g s = List.app g (Substring.explode s)"},
    {"Substring.foldl", "fun f g a s = List.foldl g a (Substring.explode s)"},
    {"Substring.foldr", "fun f g a s = List.foldr g a (Substring.explode s)"},
    {"Substring.fields", "fun f p s = let fun go s r = let val (a, b) = Substring.splitl (fn c => not (p c)) s in if Substring.isEmpty b then List.rev (a :: r) else go (Substring.triml 1 b) (a :: r) end in go s [] end"},
    {"Substring.tokens", "fun f p s = List.filter (fn t => not (Substring.isEmpty t)) (Substring.fields p s)"},
    {"clock", "fun f s = case IntInf.fromString s of SOME t => t | NONE => raise Domain"}, /* Design/CPN: clock \"3\" */
    {"ModelTime.maketime'", "fun f s = case Real.fromString s of SOME t => t | NONE => raise Domain"}, /* where time is real */
    {"ModelTime.toReal'", "fun f (t : real) = t"},
    /* Dates in the zone of the machine are those of Greenwich here, so that they are the same everywhere. Of a date its seconds since 1970 and its offset are kept, of a time its microseconds. */
    {"Date.number'", "fun f m = case m of Date.Jan => 0 | Date.Feb => 1 | Date.Mar => 2 | Date.Apr => 3 | Date.May => 4 | Date.Jun => 5 | Date.Jul => 6 | Date.Aug => 7 | Date.Sep => 8 | Date.Oct => 9 | Date.Nov => 10 | Date.Dec => 11"},
    {"Date.date", "fun f {year, month, day, hour, minute, second, offset} = Date.of' (Date.seconds' (year, Date.number' month, day, hour, minute, second), offset)"},
    {"Date.year", "fun f (Date.of' (s, _)) = Date.field' (s, 0)"},
    {"Date.month", "fun f (Date.of' (s, _)) = List.nth ([Date.Jan, Date.Feb, Date.Mar, Date.Apr, Date.May, Date.Jun, Date.Jul, Date.Aug, Date.Sep, Date.Oct, Date.Nov, Date.Dec], Date.field' (s, 1))"},
    {"Date.day", "fun f (Date.of' (s, _)) = Date.field' (s, 2)"},
    {"Date.hour", "fun f (Date.of' (s, _)) = Date.field' (s, 3)"},
    {"Date.minute", "fun f (Date.of' (s, _)) = Date.field' (s, 4)"},
    {"Date.second", "fun f (Date.of' (s, _)) = Date.field' (s, 5)"},
    {"Date.weekDay", "fun f (Date.of' (s, _)) = List.nth ([Date.Sun, Date.Mon, Date.Tue, Date.Wed, Date.Thu, Date.Fri, Date.Sat], Date.field' (s, 6))"},
    {"Date.yearDay", "fun f (Date.of' (s, _)) = Date.field' (s, 7)"},
    {"Date.offset", "fun f (Date.of' (_, z)) = z"},
    {"Date.isDst", "fun f (Date.of' (_, _)) = SOME false"},
    {"Date.compare", "fun f (Date.of' (s, _), Date.of' (t, _)) = Int.compare (s, t)"},
    {"Date.fmt", "fun f format (Date.of' (s, _)) = Date.format' (format, s)"},
    {"Date.toString", "fun f d = Date.fmt \"%a %b %d %H:%M:%S %Y\" d"},
    {"Date.localOffset", "fun f () = Time.of' 0"},
    {"Date.fromTimeLocal", "fun f (Time.of' n) = Date.of' (n div 1000000, NONE)"},
    {"Date.fromTimeUniv", "fun f (Time.of' n) = Date.of' (n div 1000000, SOME (Time.of' 0))"},
    {"Date.toTime", "fun f (Date.of' (s, z)) = Time.of' (s * 1000000 + (case z of SOME (Time.of' n) => n | NONE => 0))"},
    {"Time.zeroTime", "val zeroTime = Time.of' 0"},
    {"Time.now", "fun f () = Time.of' (Time.clock' ())"},
    {"Time.fromSeconds", "fun f n = Time.of' (IntInf.toInt n * 1000000)"},
    {"Time.fromMilliseconds", "fun f n = Time.of' (IntInf.toInt n * 1000)"},
    {"Time.fromMicroseconds", "fun f n = Time.of' (IntInf.toInt n)"},
    {"Time.toSeconds", "fun f (Time.of' n) = IntInf.fromInt (Int.quot (n, 1000000))"},
    {"Time.toMilliseconds", "fun f (Time.of' n) = IntInf.fromInt (Int.quot (n, 1000))"},
    {"Time.toMicroseconds", "fun f (Time.of' n) = IntInf.fromInt n"},
    {"Time.fromReal", "fun f r = Time.of' (Real.round (r * 1000000.0))"},
    {"Time.toReal", "fun f (Time.of' n) = Real.fromInt n / 1000000.0"},
    {"Time.+", "fun f (Time.of' m, Time.of' n) = Time.of' (m + n)"},
    {"Time.-", "fun f (Time.of' m, Time.of' n) = Time.of' (m - n)"},
    {"Time.<", "fun f (Time.of' m, Time.of' n) = m < n"},
    {"Time.<=", "fun f (Time.of' m, Time.of' n) = m <= n"},
    {"Time.>", "fun f (Time.of' m, Time.of' n) = m > n"},
    {"Time.>=", "fun f (Time.of' m, Time.of' n) = m >= n"},
    {"Time.compare", "fun f (Time.of' m, Time.of' n) = Int.compare (m, n)"},
    {"Time.fmt", "fun f digits t = Real.fmt (StringCvt.FIX (SOME digits)) (Time.toReal t)"},
    {"Time.toString", "fun f t = Time.fmt 3 t"},
    /* SML/NJ's generators: what comes next is drawn, whatever they were made from. */
    {"Random.rand", "fun f (a : int, b : int) = ()"},
    {"Random.randRange", "fun f (a, b) (g : Random.rand) = discrete (a, b)"},
    {"Random.randReal", "fun f (g : Random.rand) = uniform (0.0, 1.0)"},
    {"OS.Path.concat", "fun f (a, b) = if a = \"\" then b else if String.isSuffix \"/\" a then a ^ b else a ^ \"/\" ^ b"},
    {"sort_ms", "fun f lt m = sort lt (ms_to_list m)"},
    {"fmap", "fun f g l = List.concat (List.map g l)"},
    {"predlist", "fun f g l = List.exists g l"},
    {"RealToIntInf", "fun f p r = IntInf.fromInt (Real.round (r * Math.pow (10.0, Real.fromInt p)))"},
    {"IntInfToReal", "fun f p x = Real.fromLargeInt x / Math.pow (10.0, Real.fromInt p)"},
    {"Char.isDigit", "fun isDigit c = c >= #\"0\" andalso c <= #\"9\""},
    {"Char.isUpper", "fun isUpper c = c >= #\"A\" andalso c <= #\"Z\""},
    {"Char.isLower", "fun isLower c = c >= #\"a\" andalso c <= #\"z\""},
    {"Char.isAlpha", "fun isAlpha c = Char.isUpper c orelse Char.isLower c"},
    {"Char.isAlphaNum", "fun isAlphaNum c = Char.isAlpha c orelse Char.isDigit c"},
    {"Char.contains", "fun f s c = List.exists (fn d => d = c) (String.explode s)"},
    {"Char.notContains", "fun f s c = not (Char.contains s c)"},
    {"Char.isAscii", "fun f c = Char.ord c < 128"},
    {"Char.isCntrl", "fun f c = Char.ord c < 32 orelse Char.ord c = 127"},
    {"Char.isPrint", "fun f c = c >= #\" \" andalso Char.ord c < 127"},
    {"Char.isGraph", "fun f c = c > #\" \" andalso Char.ord c < 127"},
    {"Char.isPunct", "fun f c = Char.isGraph c andalso not (Char.isAlphaNum c)"},
    {"Char.isHexDigit", "fun f c = Char.isDigit c orelse (c >= #\"a\" andalso c <= #\"f\") orelse (c >= #\"A\" andalso c <= #\"F\")"},
    {"Char.isSpace", "fun isSpace c = c = #\" \" orelse (c >= #\"\\t\" andalso c <= #\"\\r\")"},
};

const char *ml_prelude_text(const char *name) {
  for (size_t i = 0; i < sizeof prelude / sizeof *prelude; i++)
    if (!strcmp(prelude[i].name, name)) return prelude[i].text;
  return NULL;
}

const char *ml_prelude_name(uint32_t number) { return number < sizeof prelude / sizeof *prelude ? prelude[number].name : NULL; }
