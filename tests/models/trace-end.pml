/* expect: exit=1 states=10 transitions=9 deadlocks=1 depth=5 */
/* Where processes stop at end labels, the trace must be at its end or at an end label as well; where no process is left it need not. */
chan c = [9] of { byte };

active proctype left() {
  c!1;
  if
  :: skip; end_early: false
  :: c!2; end_within: false
  :: c!2; c!3; end_after: false
  :: c!2; c!3; c!1
  fi
}

trace {
end_of_round:
  do
  :: c!1; c!2; end_inside: c!3
  od
}
