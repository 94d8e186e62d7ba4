/* packing.c -- see packing.h. */
#include "process/packing.h"

#include "base/bits.h"

#include <string.h>

/* ---- widths --------------------------------------------------------------------------------------------------------- */

static size_t procs_of(const struct shape *s) { return s->program->procs.count + 1; } /* column 0 is unused: types are stored + 1 */

int pack_widths_copy(struct pack_widths *out, const struct pack_widths *from, const struct shape *s, struct mem *mem) {
  *out = *from;
  size_t admitted = from->slots * procs_of(s);
  out->admitted = mem_alloc(mem, MEM_MODEL, admitted + 1);
  out->decl = mem_alloc(mem, MEM_MODEL, s->program->decls.count);
  out->field = mem_alloc(mem, MEM_MODEL, s->program->chan_fields.count + 1);
  out->room = mem_alloc(mem, MEM_MODEL, s->program->chans.count + 1);
  if (!out->admitted || !out->decl || !out->field || !out->room) {
    pack_widths_close(out, mem);
    return -1;
  }
  if (from->admitted) memcpy(out->admitted, from->admitted, admitted);
  if (from->decl) memcpy(out->decl, from->decl, s->program->decls.count);
  if (from->field) memcpy(out->field, from->field, s->program->chan_fields.count);
  for (size_t i = 0; i < s->program->chans.count; i++) out->room[i] = from->room ? from->room[i] : 1;
  return 0;
}

int pack_widths_open(struct pack_widths *w, const struct shape *s, struct mem *mem) {
  struct pack_widths none = {0};
  return pack_widths_copy(w, &none, s, mem);
}

void pack_widths_close(struct pack_widths *w, struct mem *mem) {
  mem_free(mem, w->admitted);
  mem_free(mem, w->decl);
  mem_free(mem, w->field);
  mem_free(mem, w->room);
  memset(w, 0, sizeof *w);
}

static unsigned bits_up_to(uint32_t largest) { return largest ? bits_for(largest) : 1; }

/* Bits and sign of a scalar in a class. The last class is the declared width. */
static struct pack_field width_of(const struct program *p, uint32_t type, unsigned class) {
  const struct ir_type *t = &p->types.at[type];
  struct pack_field full = {.bits = t->bits, .is_signed = t->is_signed};
  if (class >= PACK_CLASSES - 1) return full;
  unsigned narrow = class == 0 ? 8 : 16;
  if (t->kind == IR_MTYPE) {
    size_t named = t->names < p->names.count ? p->names.at[t->names].name.count : 0;
    narrow = class == 0 && named ? bits_up_to((uint32_t)named - 1) : 8;
  } else if (t->kind == IR_CHANNEL) {
    narrow = class == 0 ? bits_up_to(p->global_chans < 16 ? 15 : p->global_chans) : 8;
  } else if (t->kind == IR_POINTER) {
    narrow = class == 0 ? 5 : 16;
  } else if (t->bits <= 8) {
    narrow = class == 0 ? t->kind == IR_BOOL ? 1 : 4 : 8;
  }
  if (narrow >= t->bits) return full;
  return (struct pack_field){.bits = (uint8_t)narrow, .is_signed = class == 1 && t->is_signed};
}

static struct pack_field heap_width(unsigned class) {
  static const uint8_t bits[PACK_CLASSES] = {6, 16, 32};
  return (struct pack_field){.bits = bits[class], .is_signed = class == PACK_CLASSES - 1};
}

/* ---- laying out ----------------------------------------------------------------------------------------------------- */

enum { GAPS = 8 };
struct ruler { /* where the next field goes */
  uint32_t words;
  uint32_t gap_word[GAPS];
  uint8_t gap[GAPS]; /* free bits at the top of these words */
};

static void place(struct ruler *r, struct pack_field *f) {
  unsigned best = GAPS;
  if (!f->bits) return;
  for (unsigned i = 0; i < GAPS; i++)
    if (r->gap[i] >= f->bits && (best == GAPS || r->gap[i] < r->gap[best])) best = i;
  if (best == GAPS) { /* a new word takes the place of the smallest gap */
    best = 0;
    for (unsigned i = 1; i < GAPS; i++)
      if (r->gap[i] < r->gap[best]) best = i;
    r->gap_word[best] = r->words++;
    r->gap[best] = 32;
  }
  f->word = r->gap_word[best];
  f->shift = (uint8_t)(32 - r->gap[best]);
  r->gap[best] = (uint8_t)(r->gap[best] - f->bits);
}

static uint32_t storable_states(const struct program *p, uint32_t type) {
  const struct ir_proc *proc = &p->procs.at[type];
  uint32_t n = proc->states;
  while (n > 1 && p->states.at[proc->state + n - 1].flags & IR_INNER) n--;
  return n;
}

/* Fields of the variables and channels of a scope; `at` is the field of its first variable. */
static void lay_scope(struct packing *k, struct ruler *r, uint32_t scope, struct pack_field *at) {
  const struct shape *s = k->shape;
  const struct program *p = s->program;
  for (size_t i = 1; i < p->decls.count; i++) {
    const struct ir_decl *d = &p->decls.at[i];
    if (d->scope != scope || d->flags & (IR_HIDDEN | IR_CONST)) continue;
    for (uint32_t c = 0; c < d->cells; c++) {
      at[d->base + c] = width_of(p, s->type[s->type_first[scope] + d->base + c], k->widths.decl[i]);
      place(r, &at[d->base + c]);
    }
  }
  for (uint32_t i = s->chan_first[scope]; i < s->chan_first[scope + 1]; i++) {
    const struct ir_chan *c = &p->chans.at[s->chan[i].chan];
    if (!c->capacity) continue;
    struct pack_field *f = at + s->chan[i].cell;
    uint32_t room = p->unbounded_channels ? k->widths.room[s->chan[i].chan] : c->capacity;
    *f = (struct pack_field){.bits = (uint8_t)bits_up_to(room)};
    place(r, f++);
    for (uint32_t m = 0; m < room; m++)
      for (uint32_t x = 0; x < c->fields; x++, f++) {
        *f = width_of(p, p->chan_fields.at[c->field + x], k->widths.field[c->field + x]);
        place(r, f);
      }
  }
}

static void lay_slot(struct packing *k, struct ruler *r, uint32_t slot, uint32_t *pool) {
  const struct shape *s = k->shape;
  const struct program *p = s->program;
  size_t columns = procs_of(s);
  uint32_t codes = 1, types = 0;
  for (uint32_t t = 0; t < p->procs.count; t++) {
    if (!k->widths.admitted[slot * columns + t + 1]) continue;
    k->code[slot * columns + t + 1] = codes;
    codes += storable_states(p, t);
    types++;
  }
  if (!types) return;
  for (uint32_t t = 1; types == 1 && t < columns; t++)
    if (k->widths.admitted[slot * columns + t]) k->only[slot] = t;
  k->control[slot] = (struct pack_field){.bits = (uint8_t)bits_up_to(codes - 1)};
  place(r, &k->control[slot]);
  struct ruler start = *r, end = *r;
  for (uint32_t t = 0; t < p->procs.count; t++) {
    if (!k->widths.admitted[slot * columns + t + 1]) continue;
    struct ruler own = start;
    struct pack_field *frame = k->pool + *pool;
    k->frame[slot * columns + t + 1] = 1 + *pool;
    *pool += s->frame[t];
    if (p->uses_priority) {
      frame[SLOT_PRIORITY].bits = 8;
      place(&own, &frame[SLOT_PRIORITY]);
    }
    lay_scope(k, &own, t + 1, frame + SLOT_HEADER);
    if (types == 1 || own.words > end.words) end = own;
  }
  *r = end;
  if (types > 1) memset(r->gap, 0, sizeof r->gap); /* another type may use what is a gap for one */
}

/* ---- types of controls ------------------------------------------------------------------------------------------------ */

/* Where several types live in a slot, which one a control tells is looked up. */
static int make_types(struct packing *k, struct mem *mem) {
  enum { TOO_MANY = 1 << 18 };
  size_t columns = procs_of(k->shape), all = 0;
  k->type_first = mem_alloc(mem, MEM_MODEL, ((size_t)k->widths.slots + 1) * sizeof *k->type_first);
  if (!k->type_first) return -1;
  for (uint32_t slot = 0; slot < k->widths.slots; slot++) {
    k->type_first[slot] = (uint32_t)all;
    if (!k->only[slot] && k->control[slot].bits) all += (size_t)1 << k->control[slot].bits; /* whatever a state from outside may say */
    if (all > TOO_MANY) return 0;
  }
  if (!(k->type_of = mem_alloc(mem, MEM_MODEL, (all + 1) * sizeof *k->type_of))) return -1;
  for (uint32_t slot = 0; slot < k->widths.slots; slot++)
    for (uint32_t t = 1; t < columns && !k->only[slot]; t++) {
      uint32_t first = k->code[slot * columns + t];
      for (uint32_t code = first; first && code < 1u << k->control[slot].bits; code++) k->type_of[k->type_first[slot] + code] = (uint16_t)t; /* the next one ends it */
    }
  return 0;
}

/* ---- lists for unpacking ---------------------------------------------------------------------------------------------- */

enum listing { COUNT_PLAIN, COUNT_ODD, LIST_PLAIN, LIST_ODD };

static void list_field(struct packing *k, const struct pack_field *f, struct pack_entry e, enum listing what) {
  int odd = e.control || e.type;
  if (!f->bits || odd != (what == COUNT_ODD || what == LIST_ODD)) return;
  if (what == COUNT_PLAIN || what == COUNT_ODD) {
    k->entry_first[f->word + 1]++;
    return;
  }
  e.left = (uint8_t)(32 - f->shift - f->bits);
  e.right = (uint8_t)(32 - f->bits);
  e.sign = f->is_signed ? 1u << (f->bits - 1) : 0;
  k->entry[k->entry_odd[f->word]++] = e;
}

static void list_fields(struct packing *k, enum listing what) {
  const struct shape *s = k->shape;
  size_t columns = procs_of(s);
  for (uint32_t slot = 0; slot < k->widths.slots; slot++)
    list_field(k, &k->control[slot], (struct pack_entry){.cell = shape_slot(s, slot), .control = 1, .slot = (uint16_t)slot}, what);
  for (uint32_t c = 0; c < s->slots; c++) list_field(k, &k->fixed[c], (struct pack_entry){.cell = c}, what);
  for (uint32_t slot = 0; slot < k->widths.slots; slot++)
    for (uint32_t t = 1; t < columns; t++) {
      if (!k->frame[slot * columns + t]) continue;
      const struct pack_field *f = k->pool + k->frame[slot * columns + t] - 1;
      for (uint32_t c = 0; c < s->frame[t - 1]; c++)
        list_field(k, &f[c],
                   (struct pack_entry){.cell = shape_slot(s, slot) + c, .slot = (uint16_t)slot, .type = (uint16_t)(k->only[slot] ? 0 : t)}, what);
    }
}

static int make_lists(struct packing *k, struct mem *mem) {
  k->entry_first = mem_alloc(mem, MEM_MODEL, ((size_t)k->words + 2) * sizeof *k->entry_first);
  k->entry_odd = mem_alloc(mem, MEM_MODEL, ((size_t)k->words + 1) * sizeof *k->entry_odd);
  if (!k->entry_first || !k->entry_odd) return -1;
  list_fields(k, COUNT_PLAIN);
  list_fields(k, COUNT_ODD);
  for (uint32_t w = 0; w < k->words; w++) k->entry_first[w + 1] += k->entry_first[w];
  k->entry = mem_alloc(mem, MEM_MODEL, ((size_t)k->entry_first[k->words] + 1) * sizeof *k->entry);
  uint32_t *plain_end = mem_alloc(mem, MEM_MODEL, ((size_t)k->words + 1) * sizeof *plain_end);
  if (!k->entry || !plain_end) {
    mem_free(mem, plain_end);
    return -1;
  }
  memcpy(k->entry_odd, k->entry_first, (size_t)k->words * sizeof *k->entry_odd);
  list_fields(k, LIST_PLAIN);
  memcpy(plain_end, k->entry_odd, (size_t)k->words * sizeof *plain_end);
  list_fields(k, LIST_ODD);
  mem_free(mem, k->entry_odd);
  k->entry_odd = plain_end;
  k->many = k->entry_first[k->words] - k->entry_first[k->words] / 4;
  return 0;
}

int packing_open(struct packing *k, const struct shape *s, const struct pack_widths *widths, struct mem *mem) {
  memset(k, 0, sizeof *k);
  k->shape = s;
  size_t columns = procs_of(s), pool = 0;
  if (pack_widths_copy(&k->widths, widths, s, mem)) return -1;
  for (uint32_t slot = 0; slot < widths->slots; slot++)
    for (uint32_t t = 0; t + 1 < columns; t++)
      if (widths->admitted[slot * columns + t + 1]) pool += s->frame[t];
  k->fixed = mem_alloc(mem, MEM_MODEL, ((size_t)s->slots + 1) * sizeof *k->fixed);
  k->pool = mem_alloc(mem, MEM_MODEL, (pool + 1) * sizeof *k->pool);
  k->frame = mem_alloc(mem, MEM_MODEL, (widths->slots * columns + 1) * sizeof *k->frame);
  k->code = mem_alloc(mem, MEM_MODEL, (widths->slots * columns + 1) * sizeof *k->code);
  k->control = mem_alloc(mem, MEM_MODEL, (widths->slots + 1) * sizeof *k->control);
  k->only = mem_alloc(mem, MEM_MODEL, (widths->slots + 1) * sizeof *k->only);
  if (!k->fixed || !k->pool || !k->frame || !k->code || !k->control || !k->only) {
    packing_close(k, mem);
    return -1;
  }
  struct ruler r = {0};
  if (s->program->uses_last) k->fixed[IMAGE_LAST].bits = 8;
  if (s->program->has_trace) k->fixed[IMAGE_EVENT].bits = (uint8_t)bits_up_to(s->program->procs.at[s->program->trace_proc].states);
  place(&r, &k->fixed[IMAGE_LAST]);
  place(&r, &k->fixed[IMAGE_EVENT]);
  lay_scope(k, &r, 0, k->fixed + s->global);
  for (uint32_t i = 0; i < widths->heap; i++) {
    k->fixed[s->heap + i] = heap_width(widths->heap_class);
    place(&r, &k->fixed[s->heap + i]);
  }
  uint32_t used = 0;
  for (uint32_t slot = 0; slot < widths->slots; slot++) lay_slot(k, &r, slot, &used);
  k->words = r.words ? r.words : 1;
  k->bits = k->words * 32;
  if (r.words) /* the last word ends where its gap begins */
    for (unsigned i = 0; i < GAPS; i++)
      if (r.gap_word[i] == r.words - 1 && r.gap[i] < 32) k->bits = r.words * 32 - r.gap[i];
  if (make_lists(k, mem) || make_types(k, mem)) {
    packing_close(k, mem);
    return -1;
  }
  return 0;
}

void packing_close(struct packing *k, struct mem *mem) {
  pack_widths_close(&k->widths, mem);
  mem_free(mem, k->fixed);
  mem_free(mem, k->pool);
  mem_free(mem, k->frame);
  mem_free(mem, k->code);
  mem_free(mem, k->control);
  mem_free(mem, k->only);
  mem_free(mem, k->type_of);
  mem_free(mem, k->type_first);
  mem_free(mem, k->entry_first);
  mem_free(mem, k->entry_odd);
  mem_free(mem, k->entry);
  memset(k, 0, sizeof *k);
}

/* ---- components ------------------------------------------------------------------------------------------------------ */

static void add_component(const struct pack_field *f, uint32_t *bit, size_t room, size_t *count, uint32_t *last) {
  uint32_t at = f->word * 32 + f->shift;
  if (!f->bits || at <= *last) return;
  *last = at;
  if (*count < room) bit[*count] = at;
  ++*count;
}

size_t packing_components(const struct packing *k, uint32_t *bit, size_t room) {
  const struct shape *s = k->shape;
  size_t count = 1;
  uint32_t last = 0;
  if (room) bit[0] = 0;
  for (uint32_t i = s->chan_first[0]; i < s->chan_first[1]; i++)
    if (s->program->chans.at[s->chan[i].chan].capacity) add_component(&k->fixed[s->global + s->chan[i].cell], bit, room, &count, &last);
  for (uint32_t slot = 0; slot < k->widths.slots; slot++) add_component(&k->control[slot], bit, room, &count, &last);
  return count;
}

/* ---- packing ------------------------------------------------------------------------------------------------------------ */

static inline uint32_t mask_of(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

static inline int32_t decode(uint32_t raw, unsigned bits, int is_signed) {
  if (is_signed && bits < 32 && raw >> (bits - 1)) raw |= ~0u << bits;
  return (int32_t)raw;
}

static inline int write_field(uint32_t *words, const struct pack_field *f, int32_t value) {
  uint32_t mask = mask_of(f->bits), raw = (uint32_t)value & mask;
  if (__builtin_expect(decode(raw, f->bits, f->is_signed) != value, 0)) return 0;
  words[f->word] = (words[f->word] & ~(mask << f->shift)) | raw << f->shift;
  return 1;
}

static inline const struct pack_field *frame_of(const struct packing *k, uint32_t slot, uint32_t type) {
  if (slot >= k->widths.slots) return NULL;
  uint32_t at = k->frame[slot * procs_of(k->shape) + type];
  return at ? k->pool + at - 1 : NULL;
}

static void write_control(const struct packing *k, uint32_t *words, uint32_t slot, uint32_t type, int32_t pc) {
  uint32_t code = k->code[slot * procs_of(k->shape) + type] + (uint32_t)pc;
  const struct pack_field *f = &k->control[slot];
  words[f->word] = (words[f->word] & ~(mask_of(f->bits) << f->shift)) | code << f->shift;
}

uint32_t packing_pack(const struct packing *k, const struct machine *m, uint32_t *words) {
  const struct shape *s = k->shape;
  const int32_t *cell = m->run.cell;
  memset(words, 0, (size_t)k->words * sizeof *words);
  for (uint32_t c = 0; c < s->slots; c++)
    if (cell[c]) {
      if (k->fixed[c].bits) {
        if (!write_field(words, &k->fixed[c], cell[c])) return c;
      } else if (s->heap_cells && c >= s->heap) {
        return c;
      }
    }
  for (uint32_t slot = 0; slot < m->run.processes; slot++) {
    uint32_t base = shape_slot(s, slot), type = (uint32_t)cell[base];
    const struct pack_field *f = frame_of(k, slot, type);
    if (!f) return base;
    write_control(k, words, slot, type, cell[base + SLOT_PC]);
    for (uint32_t c = SLOT_PRIORITY; c < s->frame[type - 1]; c++)
      if (f[c].bits && cell[base + c] && !write_field(words, &f[c], cell[base + c])) return base + c;
  }
  return PACK_FITS;
}

/* A process came or went in a slot: its fields are made anew. */
static uint32_t repack_slot(const struct packing *k, const struct machine *m, uint32_t *words, uint32_t slot, uint32_t old_type) {
  const struct shape *s = k->shape;
  uint32_t base = shape_slot(s, slot), type = (uint32_t)m->run.cell[base];
  const int32_t *cell = m->run.cell + base;
  if (old_type) {
    const struct pack_field *f = frame_of(k, slot, old_type);
    for (uint32_t c = SLOT_PRIORITY; c < s->frame[old_type - 1]; c++)
      if (f[c].bits) words[f[c].word] &= ~(mask_of(f[c].bits) << f[c].shift);
    words[k->control[slot].word] &= ~(mask_of(k->control[slot].bits) << k->control[slot].shift);
  }
  if (!type) return PACK_FITS;
  const struct pack_field *f = frame_of(k, slot, type);
  if (!f) return base;
  write_control(k, words, slot, type, cell[SLOT_PC]);
  for (uint32_t c = SLOT_PRIORITY; c < s->frame[type - 1]; c++)
    if (f[c].bits && cell[c] && !write_field(words, &f[c], cell[c])) return base + c;
  return PACK_FITS;
}

static inline int32_t decode_entry(const struct pack_entry *e, uint32_t word) {
  return (int32_t)((((word << e->left) >> e->right) ^ e->sign) - e->sign);
}

/* Packs one word after the other, while the processes are those that the layout knows. */
static __attribute__((noinline)) uint32_t pack_words(const struct packing *k, const struct machine *m, uint32_t *words) {
  const int32_t *cell = m->run.cell;
  for (uint32_t w = 0; w < k->words; w++) {
    const struct pack_entry *e = k->entry + k->entry_first[w], *odd = k->entry + k->entry_odd[w], *end = k->entry + k->entry_first[w + 1];
    uint32_t word = 0;
    for (; e < end; e++) {
      if (e >= odd && (e->control || (uint32_t)cell[shape_slot(k->shape, e->slot)] != e->type)) continue;
      int32_t value = cell[e->cell];
      uint32_t raw = ((uint32_t)value << e->right) >> e->left;
      if (__builtin_expect(decode_entry(e, raw) != value, 0)) return e->cell;
      word |= raw;
    }
    words[w] = word;
  }
  for (uint32_t slot = 0; slot < m->run.processes; slot++) {
    uint32_t base = shape_slot(k->shape, slot);
    write_control(k, words, slot, (uint32_t)cell[base], cell[base + SLOT_PC]);
  }
  return PACK_FITS;
}

uint32_t packing_update(const struct packing *k, const struct machine *m, const uint32_t *from, uint32_t *words) {
  const struct shape *s = k->shape;
  const int32_t *cell = m->run.cell;
  if (__builtin_expect(m->run.logged > k->many, 0) && !m->restructured && !s->heap_cells) return pack_words(k, m, words);
  memcpy(words, from, (size_t)k->words * sizeof *words);
  for (uint32_t i = 0; i < m->run.logged; i++) {
    uint32_t c = m->run.log[i].cell;
    if (c < s->slots) {
      if (k->fixed[c].bits) {
        if (!write_field(words, &k->fixed[c], cell[c])) return c;
      } else if (c >= s->heap && cell[c]) {
        return c;
      }
      continue;
    }
    uint32_t slot = (c - s->slots) >> s->slot_bits, base = shape_slot(s, slot), type = (uint32_t)cell[base];
    if (c == base) {
      uint32_t misfit = repack_slot(k, m, words, slot, (uint32_t)m->run.log[i].old);
      if (misfit != PACK_FITS) return misfit;
      continue;
    }
    const struct pack_field *f = type ? frame_of(k, slot, type) : NULL;
    if (!f || c - base >= s->frame[type - 1]) continue; /* it lived in a process that is gone, or comes with one that is new */
    if (c - base == SLOT_PC) write_control(k, words, slot, type, cell[c]);
    else if (f[c - base].bits && !write_field(words, &f[c - base], cell[c])) return c;
  }
  return PACK_FITS;
}

/* ---- unpacking ------------------------------------------------------------------------------------------------------------ */

/* Type (+ 1) and control state behind a control. */
static uint32_t control_type(const struct packing *k, uint32_t slot, uint32_t code, int32_t *pc) {
  size_t columns = procs_of(k->shape), best = 0;
  const uint32_t *first = k->code + slot * columns;
  *pc = 0;
  if (!code) return 0;
  if (k->only[slot]) {
    *pc = (int32_t)code - 1;
    return k->only[slot];
  }
  if (k->type_of) best = k->type_of[k->type_first[slot] + code];
  for (uint32_t t = 1; t < columns && !k->type_of; t++)
    if (first[t] && first[t] <= code && first[t] >= (best ? first[best] : 0)) best = t;
  *pc = (int32_t)(code - first[best]);
  return (uint32_t)best;
}

/* A cell that nobody writes: a channel that it names, or its first value. */
static int32_t constant_cell(const struct shape *s, const struct ir_decl *d, uint32_t c, uint32_t scope_chan) {
  return d->chan ? (int32_t)(scope_chan + d->first_chan + c) : s->first_value[s->type_first[d->scope] + d->base + c];
}

/* What never changes in a process is not in the state: its channels' numbers and its constants. */
static void fill_constants(struct machine *m, uint32_t slot, uint32_t type) {
  const struct program *p = m->program;
  uint32_t base = shape_slot(m->shape, slot) + SLOT_HEADER;
  for (uint32_t i = m->shape->constant_first[type]; i < m->shape->constant_first[type + 1]; i++) {
    const struct ir_decl *d = &p->decls.at[m->shape->constant[i]];
    for (uint32_t c = 0; c < d->cells; c++)
      m->run.cell[base + d->base + c] = constant_cell(m->shape, d, c, m->slot_chan[slot]);
  }
}

/* The control of a slot in a packed state: type (+ 1) and control state. */
static inline uint32_t read_control(const struct packing *k, const uint32_t *words, uint32_t slot, int32_t *pc) {
  const struct pack_field *f = &k->control[slot];
  return control_type(k, slot, words[f->word] >> f->shift & mask_of(f->bits), pc);
}

/* Brings the processes of the image to those of the state. Their variables follow. */
static int load_processes(const struct packing *k, struct machine *m, const uint32_t *words) {
  const struct shape *s = k->shape;
  int32_t *cell = m->run.cell;
  uint32_t first = UINT32_MAX;
  for (uint32_t slot = 0; slot < m->slots; slot++) {
    uint32_t base = shape_slot(s, slot), old_type = (uint32_t)cell[base], type = 0;
    int32_t pc = 0;
    if (slot < k->widths.slots && k->control[slot].bits) type = read_control(k, words, slot, &pc);
    if (type == old_type) {
      if (!type) break;
      continue;
    }
    if (old_type) memset(cell + base, 0, s->frame[old_type - 1] * sizeof *cell);
    cell[base] = (int32_t)type;
    if (first == UINT32_MAX) first = slot;
  }
  if (first == UINT32_MAX) return 0;
  machine_recount(m);
  for (uint32_t slot = first; slot < m->run.processes; slot++) {
    uint32_t base = shape_slot(s, slot), type = (uint32_t)cell[base];
    const struct pack_field *f = frame_of(k, slot, type);
    read_control(k, words, slot, &cell[base + SLOT_PC]);
    fill_constants(m, slot, type);
    for (uint32_t c = SLOT_PRIORITY; c < s->frame[type - 1]; c++)
      if (f[c].bits) cell[base + c] = decode(words[f[c].word] >> f[c].shift & mask_of(f[c].bits), f[c].bits, f[c].is_signed);
  }
  return 1;
}

/* Unpacks one word. 1: a process came or went in it, so that the word must be loaded again when that is settled. */
static inline int load_word(const struct packing *k, struct machine *m, uint32_t w, uint32_t value) {
  int moved = 0;
  int32_t *cell = m->run.cell;
  const struct pack_entry *e = k->entry + k->entry_first[w], *odd = k->entry + k->entry_odd[w], *end = k->entry + k->entry_first[w + 1];
  for (; e < odd; e++) cell[e->cell] = decode_entry(e, value);
  for (; e < end; e++) {
    if (e->control) moved |= control_type(k, e->slot, (value << e->left) >> e->right, &cell[e->cell + SLOT_PC]) != (uint32_t)cell[e->cell];
    else if (e->type == (uint32_t)cell[shape_slot(k->shape, e->slot)]) cell[e->cell] = decode_entry(e, value);
  }
  return moved;
}

void packing_load(const struct packing *k, struct machine *m, const uint32_t *words, const uint32_t *now) {
  int moved = !now;
  m->run.logged = 0;
  for (uint32_t w = 0; w < k->words && !moved; w++)
    if (words[w] != now[w]) moved = load_word(k, m, w, words[w]);
  if (!moved) return;
  if (!load_processes(k, m, words) && !now) machine_recount(m);
  for (uint32_t w = 0; w < k->words; w++)
    if (!now || words[w] != now[w]) load_word(k, m, w, words[w]);
}

static int32_t global_constant(const struct shape *s, uint32_t cell) {
  for (uint32_t i = s->constant_first[0]; i < s->constant_first[1]; i++) {
    const struct ir_decl *d = &s->program->decls.at[s->constant[i]];
    if (cell >= d->base && cell - d->base < d->cells) return constant_cell(s, d, cell - d->base, 1);
  }
  return 0;
}

/* A constant of a slot in a packed state: where channels are concerned, all slots below count. */
static int32_t slot_constant(const struct packing *k, const uint32_t *words, uint32_t slot, uint32_t type, uint32_t offset) {
  const struct shape *s = k->shape;
  uint32_t chan = 1 + s->chan_first[1];
  for (uint32_t lower = 0; lower < slot; lower++) {
    uint32_t t = (uint32_t)packing_cell(k, words, shape_slot(s, lower));
    chan += s->chan_first[t + 1] - s->chan_first[t];
  }
  for (uint32_t i = s->constant_first[type]; i < s->constant_first[type + 1]; i++) {
    const struct ir_decl *d = &s->program->decls.at[s->constant[i]];
    if (offset >= SLOT_HEADER + d->base && offset < SLOT_HEADER + d->base + d->cells)
      return constant_cell(s, d, offset - SLOT_HEADER - d->base, chan);
  }
  return 0;
}

int32_t packing_cell(const struct packing *k, const uint32_t *words, uint32_t cell) {
  const struct shape *s = k->shape;
  const struct pack_field *f;
  if (cell < s->slots) {
    f = &k->fixed[cell];
    if (!f->bits) return cell >= s->global && cell - s->global < s->type_first[1] ? global_constant(s, cell - s->global) : 0;
  } else {
    uint32_t slot = (cell - s->slots) >> s->slot_bits, offset = (cell - s->slots) & ((1u << s->slot_bits) - 1);
    if (slot >= k->widths.slots || !k->control[slot].bits) return 0;
    const struct pack_field *control = &k->control[slot];
    int32_t pc;
    uint32_t type = control_type(k, slot, words[control->word] >> control->shift & mask_of(control->bits), &pc);
    if (offset == SLOT_TYPE) return (int32_t)type;
    if (offset == SLOT_PC) return pc;
    if (!type || offset >= s->frame[type - 1]) return 0;
    f = frame_of(k, slot, type) + offset;
    if (!f->bits) return slot_constant(k, words, slot, type, offset);
  }
  return decode(words[f->word] >> f->shift & mask_of(f->bits), f->bits, f->is_signed);
}

/* ---- widening --------------------------------------------------------------------------------------------------------------- */

static void admit_decl(struct pack_widths *w, const struct machine *m, uint32_t scope, uint32_t cell) {
  const struct shape *s = m->shape;
  const struct program *p = s->program;
  uint32_t variables = s->type_first[scope + 1] - s->type_first[scope];
  if (cell < variables) {
    w->decl[program_cell_decl(p, scope, cell)]++;
    return;
  }
  for (uint32_t i = s->chan_first[scope]; i < s->chan_first[scope + 1]; i++) {
    const struct ir_chan *c = &p->chans.at[s->chan[i].chan];
    uint32_t first = s->chan[i].cell + 1;
    if (p->unbounded_channels && c->capacity && cell + 1 == first) {
      w->room[s->chan[i].chan] = (uint8_t)(2 * w->room[s->chan[i].chan] + 1);
      return;
    }
    if (c->capacity && cell >= first && cell - first < c->capacity * c->fields) {
      w->field[c->field + (cell - first) % c->fields]++;
      return;
    }
  }
}

/* Each widening passes over all states. When there are many already, everything that is still narrow becomes wider with the
   one that had to, and the second time all is taken as it is declared. */
void packing_admit_more(struct pack_widths *w, const struct shape *s) {
  unsigned step = w->late++ ? PACK_CLASSES : 1;
  for (size_t i = 0; i < s->program->decls.count; i++) w->decl[i] = (uint8_t)(w->decl[i] + step < PACK_CLASSES ? w->decl[i] + step : PACK_CLASSES - 1);
  for (size_t i = 0; i < s->program->chan_fields.count; i++)
    w->field[i] = (uint8_t)(w->field[i] + step < PACK_CLASSES ? w->field[i] + step : PACK_CLASSES - 1);
  if (s->heap_cells) w->heap_class = PACK_CLASSES - 1;
}

static uint32_t types_in(const struct pack_widths *w, size_t columns, uint32_t slot) {
  uint32_t n = 0;
  for (size_t t = 1; t < columns; t++) n += w->admitted[slot * columns + t];
  return n;
}

/* Cells of the largest type that was seen in a slot. */
static uint32_t room_in(const struct pack_widths *w, const struct shape *s, uint32_t slot) {
  size_t columns = procs_of(s);
  uint32_t most = 0;
  for (size_t t = 1; t < columns; t++)
    if (w->admitted[slot * columns + t] && s->frame[t - 1] > most) most = s->frame[t - 1];
  return most;
}

/* Types overlay each other, so one that is no larger costs nothing: whoever has lived in a slot in which several do may come to the others of that kind, and to the last. */
void packing_admit_kin(struct pack_widths *w, const struct shape *s) {
  size_t columns = procs_of(s);
  for (size_t t = 1; t < columns; t++) {
    int lives = 0;
    for (uint32_t slot = 0; slot < w->slots && !lives; slot++) lives = w->admitted[slot * columns + t] && types_in(w, columns, slot) > 1;
    for (uint32_t slot = 0; slot < w->slots && lives; slot++)
      if ((types_in(w, columns, slot) > 1 || slot + 1 == w->slots) && s->frame[t - 1] <= room_in(w, s, slot)) w->admitted[slot * columns + t] = 1;
  }
}

int packing_admit(struct pack_widths *w, const struct machine *m, uint32_t cell, struct mem *mem) {
  const struct shape *s = m->shape;
  size_t columns = procs_of(s);
  if (cell < s->heap) {
    admit_decl(w, m, 0, cell - s->global);
  } else if (cell < s->slots) {
    uint32_t at = cell - s->heap;
    if (at >= w->heap) {
      w->heap = at + 1 + at / 2 < s->heap_cells ? at + 1 + at / 2 : s->heap_cells;
      return 1;
    }
    w->heap_class++;
  } else {
    uint32_t slot = (cell - s->slots) >> s->slot_bits, base = shape_slot(s, slot);
    uint32_t type = (uint32_t)m->run.cell[base];
    if (slot >= w->slots) {
      uint8_t *admitted = mem_resize(mem, MEM_MODEL, w->admitted, (slot + 1) * columns + 1);
      if (!admitted) return -1;
      w->admitted = admitted;
      w->slots = slot + 1;
    }
    if (!w->admitted[slot * columns + type]) {
      w->admitted[slot * columns + type] = 1;
      return 1;
    }
    admit_decl(w, m, type, cell - base - SLOT_HEADER);
  }
  return 0;
}
