/* portable.c -- states and layouts as bytes that another run, or another process, understands.
 *
 * A state is the number of its processes and then the cells that are in it, 4 bytes each, least byte first: nothing in it depends on the packing.  A layout is kept as the widths that it was made of (packing.h), and made again from them. */
#include "process/process_model.h"

#include "base/hash.h"

#include <string.h>

static uint8_t *put_number(uint8_t *at_byte, const uint8_t *end, uint32_t value_put) {
  if (at_byte + 4 <= end)
    for (int i = 0; i < 4; i++) at_byte[i] = (uint8_t)(value_put >> 8 * i);
  return at_byte + 4;
}

size_t process_pack(const struct model *base, const uint32_t *state, uint8_t *out, size_t room) {
  const struct process_model *m = process_of(base);
  struct machine *s = (struct machine *)&m->scratch;
  packing_load(m->packing, s, state, NULL);
  const uint8_t *end = room ? out + room : out;
  size_t need = 4;
  uint32_t cells = m->shape.slots;
  for (uint32_t slot = 0; slot < s->run.processes; slot++)
    cells += m->shape.frame[s->run.cell[shape_slot(&m->shape, slot)] - 1];
  need = 4 + 4 * ((size_t)cells);
  if (need > room) return need;
  uint8_t *p = put_number(out, end, s->run.processes);
  for (uint32_t i = 0; i < m->shape.slots; i++) p = put_number(p, end, (uint32_t)s->run.cell[i]);
  for (uint32_t slot = 0; slot < s->run.processes; slot++) {
    uint32_t first = shape_slot(&m->shape, slot), frame = m->shape.frame[s->run.cell[first] - 1];
    for (uint32_t i = 0; i < frame; i++) p = put_number(p, end, (uint32_t)s->run.cell[first + i]);
  }
  return need;
}

int process_unpack(const struct model *base, const uint8_t *data, size_t length, uint32_t *state) {
  const struct process_model *m = process_of(base);
  struct machine *s = (struct machine *)&m->scratch;
  size_t read = 0;
#define NUMBER(to)                                                                                                               \
  do {                                                                                                                           \
    if (read + 4 > length) return -1;                                                                                            \
    (to) = (uint32_t)data[read] | (uint32_t)data[read + 1] << 8 | (uint32_t)data[read + 2] << 16 | (uint32_t)data[read + 3] << 24; \
    read += 4;                                                                                                                   \
  } while (0)
  uint32_t processes, x;
  NUMBER(processes);
  if (processes > MACHINE_SLOTS || machine_slots(s, processes)) return -1;
  machine_initial(s);
  memset(s->run.cell + m->shape.slots, 0, ((size_t)s->slots << m->shape.slot_bits) * sizeof *s->run.cell);
  for (uint32_t i = 0; i < m->shape.slots; i++) {
    NUMBER(x);
    s->run.cell[i] = (int32_t)x;
  }
  for (uint32_t slot = 0; slot < processes; slot++) {
    uint32_t first = shape_slot(&m->shape, slot);
    NUMBER(x);
    if (!x || x > m->program->procs.count) return -1;
    s->run.cell[first] = (int32_t)x;
    for (uint32_t i = 1; i < m->shape.frame[s->run.cell[first] - 1]; i++) {
      uint32_t y;
      NUMBER(y);
      s->run.cell[first + i] = (int32_t)y;
    }
    if ((uint32_t)s->run.cell[first + SLOT_PC] >= m->program->procs.at[x - 1].states) return -1;
  }
#undef NUMBER
  if (read != length) return -1;
  machine_recount(s);
  uint32_t misfit = packing_pack(m->packing, s, state);
  if (misfit == PACK_FITS) return 0;
  struct pack_widths *wanted = &((struct process_model *)m)->misfit;
  pack_widths_close(wanted, base->mem);
  *wanted = (struct pack_widths){0};
  if (pack_widths_copy(wanted, &m->packing->widths, &m->shape, base->mem) || packing_admit(wanted, s, misfit, base->mem) < 0) {
    pack_widths_close(wanted, base->mem);
    *wanted = (struct pack_widths){0};
  }
  return -1;
}

uint64_t process_layout_sign(const struct model *base) {
  const struct packing *k = process_of(base)->packing;
  const struct pack_widths *w = &k->widths;
  const struct program *p = process_of(base)->program;
  uint64_t sign = hash_pair((uint64_t)w->slots << 32 | w->heap, (uint64_t)w->heap_class << 32 | k->bits);
  sign = hash_pair(sign, hash_bytes(w->admitted, w->slots * (p->procs.count + 1)));
  sign = hash_pair(sign, hash_bytes(w->decl, p->decls.count));
  sign = hash_pair(sign, hash_bytes(w->field, p->chan_fields.count));
  return w->room ? hash_pair(sign, hash_bytes(w->room, p->chans.count)) : sign;
}

/* | slots | heap | class of the heap | how often late | admitted ... | classes of declarations ... | of fields of channels ... | rooms of channels ... | */
struct widths_head {
  uint32_t slots, heap, heap_class, late;
};

size_t process_layout_keep(const struct model *base, uint8_t *out, size_t room) {
  const struct process_model *m = process_of(base);
  const struct pack_widths *w = &m->packing->widths;
  const struct program *p = m->program;
  const struct widths_head head = {w->slots, w->heap, w->heap_class, w->late};
  const struct {
    const void *at;
    size_t bytes;
  } piece[] = {{&head, sizeof head}, {w->admitted, w->slots * (p->procs.count + 1)}, {w->decl, p->decls.count}, {w->field, p->chan_fields.count}, {w->room, p->chans.count}};
  size_t length = 0;
  for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
    if (piece[i].bytes && length + piece[i].bytes <= room) memcpy(out + length, piece[i].at, piece[i].bytes);
    length += piece[i].bytes;
  }
  return length;
}

int process_layout_take(struct model *base, const uint8_t *data, size_t length) {
  struct process_model *m = (struct process_model *)base;
  const struct program *p = m->program;
  size_t columns = p->procs.count + 1, others = p->decls.count + p->chan_fields.count + p->chans.count;
  struct widths_head head;
  struct err e;
  err_clear(&e);
  if (length < sizeof head + others) return -1;
  memcpy(&head, data, sizeof head);
  if (head.slots > (length - sizeof head - others) / columns || head.heap > m->shape.heap_cells || head.heap_class >= PACK_CLASSES) return -1;
  size_t admitted = head.slots * columns;
  if (length != sizeof head + admitted + others) return -1;
  uint8_t *at = (uint8_t *)(uintptr_t)data + sizeof head;
  const struct pack_widths said = {.slots = head.slots, .heap = head.heap, .heap_class = (uint8_t)head.heap_class, .late = head.late, .admitted = at, .decl = at + admitted,
                                   .field = at + admitted + p->decls.count, .room = at + admitted + p->decls.count + p->chan_fields.count};
  pack_widths_close(&m->misfit, base->mem);
  if (pack_widths_copy(&m->misfit, &said, &m->shape, base->mem) || process_widen(base, NULL, &e)) return -2;
  uint32_t *state = mem_alloc(base->mem, MEM_MODEL, (base->words + 2) * sizeof *state);
  machine_initial(&m->scratch);
  int good = m->packing->words >= m->old->words && state && packing_pack(m->packing, &m->scratch, state) == PACK_FITS;
  mem_free(base->mem, state);
  process_widen_done(base, good);
  return good ? 0 : state ? -1 : -2;
}
