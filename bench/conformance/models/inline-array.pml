/* An array as the argument of an inline is a word like any other; SPIN wants an index. */
inline first(it, from) { it = from[0] }
init { byte a[2] = 3, b; first(b, a); assert(b == 3) }
