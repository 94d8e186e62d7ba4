/* print.c -- what a printf of a model prints.
 *
 * The format is Promela's: %d %u %x %o %c as in C without widths, %e the name of an mtype value, %s the same where there is one,
 * %% a percent sign.  Backslashes were resolved when the model was read.  A directive without a value, or one that nobody knows,
 * prints as it stands. */
#include "process/process_model.h"

#include <stdio.h>
#include <string.h>

/* The type of a value, where it comes straight out of a variable; NULL otherwise. */
static const struct ir_type *type_of(const struct program *p, ir_expr e) {
  const struct ir_node *n = program_at(p, e);
  return n->op == IR_LOAD ? &p->types.at[p->refs.at[n->a].type] : NULL;
}

/* The symbolic name of a value: in the set of its type, else in the first set that has one. */
static const char *name_of(const struct program *p, const struct ir_type *type, int32_t value) {
  if (type && type->kind != IR_MTYPE) type = NULL;
  for (size_t i = 0; i < p->names.count; i++) {
    const struct ir_names *n = &p->names.at[i];
    if (type && type->names != i) continue;
    if (value >= 0 && (size_t)value < n->name.count && n->name.at[value]) return n->name.at[value];
  }
  return NULL;
}

static size_t directive(const struct program *p, char kind, ir_expr e, int32_t value, char *out, size_t room) {
  const char *name;
  switch (kind) {
  case 'c': return value & 255 ? (size_t)snprintf(out, room, "%c", (char)value) : 0;
  case 'u': return (size_t)snprintf(out, room, "%u", (unsigned)value);
  case 'x': return (size_t)snprintf(out, room, "%x", (unsigned)value);
  case 'o': return (size_t)snprintf(out, room, "%o", (unsigned)value);
  case 'e':
  case 's':
    name = name_of(p, type_of(p, e), value);
    if (name) return (size_t)snprintf(out, room, "%s", name);
    return (size_t)snprintf(out, room, "%d", (int)value);
  default: return (size_t)snprintf(out, room, "%d", (int)value);
  }
}

void process_print(const struct process_view *v, uint32_t action, const int32_t *args, char *out, size_t room) {
  const struct program *p = v->model->program;
  const struct ir_action *a = &p->actions.at[action];
  size_t used = 0;
  uint32_t next = 0;
  for (const char *f = a->text ? a->text : ""; *f && used + 1 < room; f++) {
    if (*f != '%' || !f[1]) out[used++] = *f;
    else if (f[1] == '%') out[used++] = *f++;
    else if (strchr("dcuxoes", f[1]) && next < a->args) {
      size_t n = directive(p, *++f, p->args.at[a->arg + next].what, args[next], out + used, room - used);
      used = used + n < room ? used + n : room - 1;
      next++;
    } else out[used++] = *f;
  }
  out[used] = 0;
}
