/* info_process.c -- what `thimble info` says about processes, channels and variables, in its two tongues. */
#include "cli/info.h"

#include "base/text.h"

#include <string.h>

enum { SHOWN = 12 };

static uint32_t started(const struct program *p, uint32_t type) {
  uint32_t n = 0;
  for (size_t i = 0; i < p->start.count; i++) n += p->start.at[i] == type;
  return n;
}

static uint32_t transitions(const struct program *p, uint32_t type) {
  uint32_t n = 0;
  for (size_t i = 0; i < p->trans.count; i++) n += p->trans.at[i].proc == type;
  return n;
}

/* Variables that people know of; channels with a shape of their own are listed elsewhere. */
static int is_variable(const struct program *p, size_t decl, uint32_t scope) {
  const struct ir_decl *d = &p->decls.at[decl];
  return decl && d->scope == scope && !(d->flags & IR_INTERNAL) && !d->chan;
}

static uint32_t variables(const struct program *p, uint32_t scope) {
  uint32_t n = 0;
  for (size_t i = 1; i < p->decls.count; i++) n += is_variable(p, i, scope);
  return n;
}

static uint32_t claims(const struct program *p) {
  uint32_t n = 0;
  for (size_t i = 0; i < p->procs.count; i++) n += p->procs.at[i].is_claim != 0;
  return n;
}

/* The id of a property that the model brings; index of the claims, then the run-time errors. */
static void property_id(const struct model *m, uint32_t index, char *out, size_t room) {
  struct model_claim c;
  if (m->type->claims && index < m->type->claims(m)) {
    m->type->claim(m, index, &c);
    snprintf(out, room, "%s", c.id);
  } else snprintf(out, room, "runtime");
}

uint32_t info_claims(const struct model *m) { return m->type->claims ? m->type->claims(m) + 1 : m->type->fault_text ? 1 : 0; }

/* ---- text ----------------------------------------------------------------------------------------------------------------- */

static void list_variables(const struct program *p, uint32_t scope, FILE *out) {
  char name[80];
  uint32_t n = 0, all = variables(p, scope);
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (!is_variable(p, i, scope)) continue;
    if (n == SHOWN) break;
    fprintf(out, "%s%s %s", n++ ? ", " : "", p->types.at[d->type].name, report_name(name, sizeof name, d->name));
    if (d->count) fprintf(out, "[%u]", (unsigned)d->count);
  }
  if (all > SHOWN) fprintf(out, " and %u more", (unsigned)(all - SHOWN));
}

static void list_channels(const struct program *p, FILE *out) {
  char name[80];
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (!d->chan) continue;
    const struct ir_chan *c = &p->chans.at[d->chan - 1];
    fputs("    channel ", out);
    if (d->scope) fprintf(out, "%s.", report_name(name, sizeof name, p->procs.at[d->scope - 1].name));
    fputs(report_name(name, sizeof name, d->name), out);
    if (d->count) fprintf(out, "[%u]", (unsigned)d->count);
    if (c->capacity) fprintf(out, ": holds %u message%s", (unsigned)c->capacity, text_plural(c->capacity));
    else fputs(": rendezvous", out);
    for (uint32_t f = 0; f < c->fields; f++)
      fprintf(out, "%s%s", f ? ", " : " of ", p->types.at[p->chan_fields.at[c->field + f]].name);
    putc('\n', out);
  }
}

void info_process_text(const struct info *i, FILE *out) {
  const struct program *p = i->program;
  char name[80];
  size_t types = p->procs.count - claims(p);
  fprintf(out, "  %zu process type%s, %zu process%s at the start\n", types, text_plural(types), p->start.count, p->start.count == 1 ? "" : "es");
  for (uint32_t t = 0; t < p->procs.count; t++) {
    const struct ir_proc *proc = &p->procs.at[t];
    if (proc->is_claim) continue;
    uint32_t n = started(p, t);
    fprintf(out, "    process %s: ", report_name(name, sizeof name, proc->name));
    if (n) fprintf(out, "%u at the start, ", (unsigned)n);
    else fputs("started by others, ", out);
    fprintf(out, "%u state%s, %u transition%s", (unsigned)proc->states, text_plural(proc->states), (unsigned)transitions(p, t),
            text_plural(transitions(p, t)));
    if (variables(p, t + 1)) {
      fputs("; ", out);
      list_variables(p, t + 1, out);
    }
    putc('\n', out);
  }
  list_channels(p, out);
  if (variables(p, 0)) {
    fputs("    global ", out);
    list_variables(p, 0, out);
    putc('\n', out);
  }
}

void info_properties_text(const struct info *i, FILE *out) {
  char id[80];
  uint32_t n = info_claims(i->model);
  fputs("  properties: deadlock", out);
  for (uint32_t k = 0; k < n && k < SHOWN; k++) {
    property_id(i->model, k, id, sizeof id);
    fprintf(out, ", %s", id);
  }
  if (n > SHOWN) fprintf(out, " and %u more", (unsigned)(n - SHOWN));
  fputs("; others come from the command line (thimble help check)\n", out);
  if (i->program) fputs("  engine: the interpreter, and compiled code in runs that last\n", out);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------------ */

static void json_variables(const struct program *p, uint32_t scope, struct json_out *j) {
  json_out_array(j, "variables");
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (!is_variable(p, i, scope)) continue;
    json_out_object_flat(j, NULL);
    json_out_text(j, "name", d->name);
    json_out_text(j, "type", p->types.at[d->type].name);
    json_out_count(j, "elements", d->count);
    json_out_bool(j, "parameter", (d->flags & IR_PARAM) != 0);
    json_out_end(j);
  }
  json_out_end(j);
}

static void json_channels(const struct program *p, struct json_out *j) {
  json_out_array(j, "channels");
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (!d->chan) continue;
    const struct ir_chan *c = &p->chans.at[d->chan - 1];
    json_out_object_flat(j, NULL);
    json_out_text(j, "name", d->name);
    json_out_text(j, "process", d->scope ? p->procs.at[d->scope - 1].name : NULL);
    json_out_count(j, "elements", d->count);
    json_out_count(j, "capacity", c->capacity);
    json_out_array(j, "fields");
    for (uint32_t f = 0; f < c->fields; f++) json_out_text(j, NULL, p->types.at[p->chan_fields.at[c->field + f]].name);
    json_out_end(j);
    json_out_end(j);
  }
  json_out_end(j);
}

void info_process_json(const struct info *i, struct json_out *j) {
  const struct program *p = i->program;
  json_out_object(j, "program");
  json_out_count(j, "processes_at_start", p->start.count);
  json_out_array(j, "processes");
  for (uint32_t t = 0; t < p->procs.count; t++) {
    const struct ir_proc *proc = &p->procs.at[t];
    if (proc->is_claim) continue;
    json_out_object(j, NULL);
    json_out_text(j, "name", proc->name);
    json_out_integer(j, "line", proc->place.line);
    json_out_count(j, "at_start", started(p, t));
    json_out_count(j, "states", proc->states);
    json_out_count(j, "transitions", transitions(p, t));
    json_variables(p, t + 1, j);
    json_out_end(j);
  }
  json_out_end(j);
  json_channels(p, j);
  json_variables(p, 0, j);
  json_out_text(j, "engine", "auto");
  json_out_end(j);
}

void info_properties_json(const struct info *i, struct json_out *j) {
  char id[80];
  json_out_array_flat(j, "properties");
  json_out_text(j, NULL, "deadlock");
  for (uint32_t k = 0; k < info_claims(i->model); k++) {
    property_id(i->model, k, id, sizeof id);
    json_out_text(j, NULL, id);
  }
  json_out_end(j);
}
