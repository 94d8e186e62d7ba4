/* packing.h -- which bits of the packed state hold which cell of the image.
 *
 * Fields never straddle a word and are laid out in the order of the image: globals, global channels, heap, then slot by slot,
 * so that the variables of one process share words.  A field that does not fit into the rest of the current word goes into a
 * gap left before, if there is one nearby.
 *
 * What is never written, or hidden, has no field.  A slot's type and control state are one field, the control: 0 = no process, else
 * 1 + the number of (type, control state) among the types that were seen in this slot.  Types overlay each other behind
 * the control.  Each field keeps the low bits of its cell; 0 is always 0, so an empty slot is all zero.
 *
 * A channel of an unbounded program has fields for its first `room` messages, and a length that counts up to that and no further: the others of the image are zero, or the state does
 * not fit.
 *
 * Widths.  Types in slots, cells of the heap and the bits of wide integers are admitted as they are met: a value that does not
 * fit makes the model ask for widening (model.h).  Integers begin with 8 bits without sign, then 16, then all. */
#ifndef PROCESS_PACKING_H
#define PROCESS_PACKING_H

#include "process/machine.h"

struct pack_field {
  uint32_t word;
  uint8_t shift, bits, is_signed; /* bits 0: not in the state */
};

/* What has been met so far. */
struct pack_widths {
  uint32_t slots;
  uint8_t *admitted; /* slots x process types */
  uint8_t *decl;     /* class of each declaration: 0, 1, 2 */
  uint8_t *field;    /* class of each field of a channel */
  uint8_t *room;     /* of each kind of channel, where channels are unbounded: messages that are kept: 2^n - 1 */
  uint32_t heap;     /* cells */
  uint8_t heap_class;
  unsigned late;     /* how often when there were many states already */
};
enum { PACK_CLASSES = 3 };

struct pack_entry { /* one field of a word, for unpacking: (word << left) >> right, then the sign */
  uint32_t cell;
  uint32_t sign; /* the highest bit of a signed field, else 0 */
  uint8_t left, right;
  uint8_t control;
  uint16_t slot, type; /* of overlaid fields: they count only while this type lives there; type 0 = always */
};

struct packing {
  const struct shape *shape;
  struct pack_widths widths;
  uint32_t words, bits;
  struct pack_field *fixed;   /* cells below the slots */
  struct pack_field *pool;    /* frames of (slot, type), end to end */
  uint32_t *frame;            /* slots x types: 1 + start in pool; 0 = not admitted */
  uint32_t *code;             /* slots x types: control of its first state */
  struct pack_field *control; /* per slot */
  uint32_t *only;             /* per slot: its type + 1 where it has seen one alone; 0 = several */
  uint16_t *type_of;          /* of slots that have seen several: type + 1 for each control, end to end; NULL = they would be too many */
  uint32_t *type_first;       /* per slot: into type_of */
  uint32_t *entry_first;      /* per word, into entry: plain fields, */
  uint32_t *entry_odd;        /* per word: from here on controls and overlaid fields */
  struct pack_entry *entry;
  uint32_t many;              /* writes: to pack all words is as fast as to change so many fields */
};

/* What the initial state needs. */
int pack_widths_open(struct pack_widths *, const struct shape *, struct mem *);
int pack_widths_copy(struct pack_widths *out, const struct pack_widths *, const struct shape *, struct mem *);
void pack_widths_close(struct pack_widths *, struct mem *);

int packing_open(struct packing *, const struct shape *, const struct pack_widths *, struct mem *); /* copies widths */
void packing_close(struct packing *, struct mem *);

#define PACK_FITS UINT32_MAX
/* Packs the whole image. PACK_FITS, or the cell that does not fit. */
uint32_t packing_pack(const struct packing *, const struct machine *, uint32_t *words);
/* Packs the cells that were logged since the image equalled `from`. */
uint32_t packing_update(const struct packing *, const struct machine *, const uint32_t *from, uint32_t *words);
/* Loads the image. `now` = what the image holds at present (NULL = nothing): only words that differ are looked at. */
void packing_load(const struct packing *, struct machine *, const uint32_t *words, const uint32_t *now);
/* Admits what the cell of this machine needs. 1: a process where none of its type was before, or room on the heap; 0: more
   bits; -1: memory. */
int packing_admit(struct pack_widths *, const struct machine *, uint32_t cell, struct mem *);
/* When there are many states already: what is likely to be wanted next. */
void packing_admit_kin(struct pack_widths *, const struct shape *);
void packing_admit_more(struct pack_widths *, const struct shape *);
/* Where in a state its components begin: globals, each buffered global channel, each slot. Bits, ascending, the first 0. Returns how many there
   are and writes those that there is room for. What fills a gap that another component left belongs to that one. */
size_t packing_components(const struct packing *, uint32_t *bit, size_t room);
/* One cell of a packed state. */
int32_t packing_cell(const struct packing *, const uint32_t *words, uint32_t cell);

#endif
