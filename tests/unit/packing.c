/* packing.c -- states of programs in as few bits as they need: whatever is packed is found again, and what does not fit is asked
 * for.
 *
 * Random images of one program that has everything: variables of all widths, arrays, channels, processes of several types that
 * take turns in the same slots, constants and hidden variables.  They are packed with a layout that grows as the model's would.
 */
#include "promela_read.h"

#include "base/rng.h"
#include "process/packing.h"
#include "process/process_model.h"

static char text[300];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

static const char source[] = "mtype = { red, green, blue };\n"
                             "int i; short s; byte b; bit t; unsigned u : 5; mtype m; chan q = [3] of { int, byte, mtype };\n"
                             "int a[3]; hidden byte h = 4; byte steady = 9; int table[2];\n"
                             "proctype one(int p; byte k) { int x; chan c = [2] of { short, bit }; byte fixed = 6; x = p; c!x,k; "
                             "i = s; s = b; b = t; t = u; u = k;"
                             " m = red; h = 1; a[k] = x; table[0] = steady + fixed; q!i,b,m; q?i,b,m; one[0]:x == 3 }\n"
                             "proctype two(byte z) { byte w[4]; bit y; w[z] = 1; y = 1; z = 2 }\n"
                             "proctype three() { int v; v = 1; v = 2; v = 3; v = 4; v = 5 }\n"
                             "init { i = 1; run one(1, 2); run two(3); run three() }\n";

struct bench {
  struct promela read;
  struct model *model;
  const struct process_model *m;
  const struct shape *s;
  struct machine image, other;
  struct pack_widths widths;
  struct packing packing;
  uint32_t *words, *more, room;
  unsigned layouts;
};

static int close_bench(struct bench *t) {
  struct mem *mem = &t->read.mem;
  mem_free(mem, t->words);
  mem_free(mem, t->more);
  packing_close(&t->packing, mem);
  pack_widths_close(&t->widths, mem);
  machine_close(&t->image);
  machine_close(&t->other);
  model_close(t->model);
  return (int)mem->used;
}

/* A program as a model; its own layout is left alone: the tests have theirs, which begins with nothing. */
static int open_bench(struct bench *t, const char *program) {
  memset(t, 0, sizeof *t);
  if (promela_text(&t->read, program, 0)) {
    printf("# %s", t->read.errors);
    return -1;
  }
  struct mem *mem = &t->read.mem;
  if (process_open(&t->model, t->read.program, mem, &t->read.err)) return -1;
  t->m = process_of(t->model);
  t->s = &t->m->shape;
  if (machine_open(&t->image, t->s, mem, 8) || machine_open(&t->other, t->s, mem, 8)) return -1;
  machine_initial(&t->image);
  machine_initial(&t->other);
  return pack_widths_open(&t->widths, t->s, mem) || packing_open(&t->packing, t->s, &t->widths, mem);
}

/* Packs, widening as often as need be. Returns how often; -1: it does not end. */
static int pack(struct bench *t) {
  struct mem *mem = &t->read.mem;
  for (int times = 0; times < 2000; times++) {
    t->words = mem_resize(mem, MEM_OTHER, t->words, ((size_t)t->packing.words + 2) * sizeof *t->words);
    uint32_t misfit = packing_pack(&t->packing, &t->image, t->words);
    if (misfit == PACK_FITS) return times;
    if (packing_admit(&t->widths, &t->image, misfit, mem) < 0) return -1;
    packing_close(&t->packing, mem);
    if (packing_open(&t->packing, t->s, &t->widths, mem)) return -1;
    t->layouts++;
  }
  return -1;
}

static size_t cells(const struct machine *m) { return m->shape->slots + ((size_t)m->slots << m->shape->slot_bits); }

/* Are the two images the same, and does each cell read by itself give the same? The first difference, or -1. */
static long long differs(struct bench *t, const uint32_t *words) {
  for (size_t c = 0; c < cells(&t->image); c++)
    if (t->other.run.cell[c] != t->image.run.cell[c] || packing_cell(&t->packing, words, (uint32_t)c) != t->image.run.cell[c])
      return (long long)c;
  return t->other.run.processes == t->image.run.processes && t->other.run.channels == t->image.run.channels ? -1 : -2;
}

static int clean(const struct packing *k, const uint32_t *words) {
  for (uint32_t b = k->bits; b < k->words * 32; b++)
    if (words[b / 32] >> b % 32 & 1) return 0;
  return 1;
}

/* A value of a type: often small, sometimes as large or as negative as it may be. */
static int32_t random_value(struct rng *rng, const struct ir_type *type) {
  static const int64_t some[] = {0,          1,  2,  15,   16,   255,    256,    65535,        65536,
                                 2147483647, -1, -2, -128, -129, -32768, -32769, -2147483648LL};
  int64_t v = rng_below(rng, 3) ? (int64_t)rng_below(rng, 4) : some[rng_below(rng, sizeof some / sizeof *some)];
  return program_cut(type, (int32_t)v);
}

/* Random values in what may change: variables of a scope and its channels. Through the log, as statements do. */
static void scramble(struct bench *t, struct rng *rng, uint32_t scope, uint32_t slot, unsigned one_in) {
  const struct shape *s = t->s;
  const struct program *p = s->program;
  struct runtime *r = &t->image.run;
  uint32_t base = shape_scope(s, scope, slot);
  for (uint32_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || d->flags & (IR_CONST | IR_HIDDEN)) continue;
    for (uint32_t k = 0; k < d->cells; k++)
      if (!rng_below(rng, one_in))
        runtime_put(r, base + d->base + k, random_value(rng, &p->types.at[s->type[s->type_first[scope] + d->base + k]]));
  }
  for (uint32_t i = s->chan_first[scope]; i < s->chan_first[scope + 1]; i++) {
    const struct ir_chan *c = &p->chans.at[s->chan[i].chan];
    if (!c->capacity || rng_below(rng, one_in)) continue;
    uint32_t length = (uint32_t)rng_below(rng, c->capacity + 1), at = base + s->chan[i].cell;
    runtime_put(r, at, (int32_t)length);
    for (uint32_t m = 0; m < c->capacity * c->fields; m++)
      runtime_put(r, at + 1 + m,
                  m < length * c->fields ? random_value(rng, &p->types.at[p->chan_fields.at[c->field + m % c->fields]]) : 0);
  }
}

static void scramble_all(struct bench *t, struct rng *rng, unsigned one_in) {
  scramble(t, rng, 0, 0, one_in);
  for (uint32_t slot = 0; slot < t->image.run.processes; slot++) {
    uint32_t base = shape_slot(t->s, slot), type = (uint32_t)t->image.run.cell[base] - 1;
    const struct ir_proc *proc = &t->s->program->procs.at[type];
    uint32_t pc = (uint32_t)rng_below(rng, proc->states);
    if (!(t->s->program->states.at[proc->state + pc].flags & IR_INNER)) runtime_put(&t->image.run, base + SLOT_PC, (int32_t)pc);
    scramble(t, rng, type + 1, slot, one_in);
  }
}

/* Other processes in the slots. */
static void recast(struct bench *t, struct rng *rng) {
  struct runtime *r = &t->image.run;
  uint32_t keep = (uint32_t)rng_below(rng, r->processes + 1), want = (uint32_t)rng_below(rng, 8);
  while (r->processes > keep) r->destroy(r);
  while (r->processes < want) {
    int32_t args[2] = {(int32_t)rng_next(rng), (int32_t)rng_next(rng)};
    r->create(r, (uint32_t)rng_below(rng, t->s->program->procs.count), args, 2, 0);
  }
}

static void test_round_trips(void) {
  struct bench t;
  struct rng rng = {11};
  if (!ok(open_bench(&t, source) == 0, "the program becomes a model")) return;
  int bad_pack = 0, bad_load = 0, bad_update = 0, bad_near = 0, dirty = 0, several = 0;
  for (int round = 0; round < 3000; round++) {
    if (round % 5 == 0) recast(&t, &rng);
    scramble_all(&t, &rng, 1 + (unsigned)rng_below(&rng, 6));
    if (pack(&t) < 0) bad_pack++;
    dirty += !clean(&t.packing, t.words);
    packing_load(&t.packing, &t.other, t.words, NULL);
    if (differs(&t, t.words) != -1 && bad_load++ < 3) printf("# round %d: cell %lld\n", round, differs(&t, t.words));
    /* a step on from here: only what was logged is packed anew, only what differs is loaded */
    t.image.run.logged = 0;
    t.image.restructured = 0;
    if (rng_below(&rng, 4) == 0) recast(&t, &rng);
    scramble_all(&t, &rng, 9);
    t.more = mem_resize(&t.read.mem, MEM_OTHER, t.more, ((size_t)t.packing.words + 2) * sizeof *t.more);
    if (packing_update(&t.packing, &t.image, t.words, t.more) == PACK_FITS) {
      uint32_t *full = mem_alloc(&t.read.mem, MEM_OTHER, ((size_t)t.packing.words + 2) * sizeof *full);
      bad_update +=
          packing_pack(&t.packing, &t.image, full) != PACK_FITS || memcmp(full, t.more, t.packing.words * sizeof *full) != 0;
      packing_load(&t.packing, &t.other, t.more, t.words);
      bad_near += differs(&t, t.more) != -1;
      several++;
      mem_free(&t.read.mem, full);
    }
  }
  is(bad_pack, 0, "every image can be packed in the end");
  is(dirty, 0, "bits above the last one are zero");
  is(bad_load, 0, "what was packed is found again, as a whole and cell by cell");
  is(bad_update, 0, "packing what was logged gives what packing everything gives");
  is(bad_near, 0, "loading what differs gives what loading everything gives");
  ok(several > 1500, NAMED("%d steps from one image to another fitted the layout", several));
  ok(t.layouts > 10 && t.layouts < 400, NAMED("%u layouts", t.layouts));
  is(close_bench(&t), 0, "nothing left behind");
}

/* How many bits it takes as one value grows: nothing is cut, little is wasted, and nothing shrinks. */
static void test_growing(void) {
  static const int64_t grows[] = {3, 200, 255, 256, 40000, 65535, 65536, 2147483647, -1, -2147483648LL};
  struct bench t;
  if (!ok(open_bench(&t, "int x, y; init { x = 1; y = 2 }") == 0, "two integers")) return;
  uint32_t first = 0, bits = 0;
  for (size_t i = 0; i < sizeof grows / sizeof *grows; i++) {
    t.image.run.cell[t.s->global] = (int32_t)grows[i];
    ok(pack(&t) >= 0 && t.packing.bits >= bits, NAMED("%lld is packed, in %u bits", (long long)grows[i], t.packing.bits));
    bits = t.packing.bits;
    if (!first) first = bits;
    packing_load(&t.packing, &t.other, t.words, NULL);
    is(t.other.run.cell[t.s->global], grows[i], NAMED("%lld is found again", (long long)grows[i]));
  }
  ok(first <= 32, "small values need one word");
  ok(bits > 32, "large ones need more");
  t.image.run.cell[t.s->global] = -5;
  is(pack(&t), 0, "what fits a wide layout needs no other");
  is(close_bench(&t), 0, "nothing left behind");
}

/* Processes to the limit, two types in every slot. */
static void test_many(void) {
  struct bench t;
  if (!ok(open_bench(
              &t, "byte n; proctype p(byte x) { x = 1 } proctype q() { short y; y = 2 } init { n = 1; run p(1); run q() }") == 0,
          "two types"))
    return;
  struct runtime *r = &t.image.run;
  int bad = 0;
  for (int turn = 0; turn < 2; turn++) {
    while (r->processes > 1) r->destroy(r);
    for (uint32_t i = 0; r->processes < MACHINE_SLOTS; i++) {
      int32_t arg = (int32_t)i;
      bad += r->create(r, (i + (uint32_t)turn) % 2, &arg, 1, 0) < 0;
    }
    is(r->create(r, 0, NULL, 0, 0), -1, "there is no process number 256");
    ok(pack(&t) >= 0, "255 processes are packed");
    bad += machine_slots(&t.other, MACHINE_SLOTS) != 0;
    packing_load(&t.packing, &t.other, t.words, NULL);
    is(differs(&t, t.words), -1, "and found again");
  }
  is(bad, 0, "all of them could be created");
  while (r->processes > 0) r->destroy(r);
  is(pack(&t), 0, "no process at all fits too");
  packing_load(&t.packing, &t.other, t.words, NULL);
  is(differs(&t, t.words), -1, "and is found again");
  is(close_bench(&t), 0, "nothing left behind");
}

int main(void) {
  test_round_trips();
  test_growing();
  test_many();
  return done();
}
