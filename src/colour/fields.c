/* fields.c -- fields are put into lanes in the order of places, each into the first lane that has room for it. */
#include "colour/fields.h"

#include "base/bits.h"

int fields_open(struct fields *l, const uint8_t *widths, uint32_t fields, struct mem *mem) {
  *l = (struct fields){.fields = fields};
  l->field = mem_alloc(mem, MEM_MODEL, ((size_t)fields + 1) * sizeof *l->field);
  uint8_t *used = mem_alloc(mem, MEM_MODEL, (size_t)fields + 1); /* bits of each lane */
  if (!l->field || !used) {
    mem_free(mem, used);
    fields_close(l, mem);
    return -1;
  }
  uint32_t first = 0; /* lanes before it are full */
  for (uint32_t i = 0; i < fields; i++) {
    if (!widths[i]) continue;
    uint32_t lane = first;
    while (used[lane] + widths[i] > 64) lane++;
    l->field[i] = (struct one_field){lane, used[lane], widths[i], bits_mask(widths[i])};
    used[lane] = (uint8_t)(used[lane] + widths[i]);
    while (used[first] == 64) first++;
    if (lane >= l->lanes) l->lanes = lane + 1;
  }
  l->bits = l->lanes ? (l->lanes - 1) * 64 + used[l->lanes - 1] : 1;
  if (!l->lanes) l->lanes = 1;
  l->words = (l->bits + 31) / 32;
  mem_free(mem, used);
  return 0;
}

void fields_close(struct fields *l, struct mem *mem) {
  mem_free(mem, l->field);
  *l = (struct fields){0};
}
