/* company.h -- who may ever use what: of all processes that are there, from where they stand. */
#ifndef PROCESS_COMPANY_H
#define PROCESS_COMPANY_H

#include "process/footprint.h"

/* One company: what each process may ever do is the same in all states that share it. */
struct company {
  uint32_t *key;    /* per process: its footprint's serial number, and which of its sets `ever` it is */
  uint32_t *first;  /* per process: of its sets in by_set */
  uint64_t *by_bit; /* per bit: processes that may use it */
  uint64_t *by_set; /* per process and set of its footprint: others who may use something of it; all bits = not known yet */
  uint32_t processes;
};

struct companies {
  const struct footprints *f;
  struct mem *mem;
  struct vec(struct company *) known;
  uint32_t *slot; /* of a hash table: 1 + index */
  size_t slots, bytes;
  struct company *now;
  uint32_t key[2 * 64];
};

void companies_open(struct companies *, const struct footprints *, struct mem *);
void companies_forget(struct companies *); /* footprints go away */
void companies_close(struct companies *);
/* The company of a state: one footprint for each process, at most 64. 0 or -1 (memory). */
int companies_meet(struct companies *, struct footprint *const *, const uint32_t *control, uint32_t processes);

uint64_t companies_reckon(const struct companies *, uint64_t *cached, const uint64_t *set, uint32_t slot);
/* Processes, without the one in the slot, that may use something of a set of its footprint. */
static inline uint64_t companies_users(const struct companies *c, const struct footprint *one, uint32_t slot, const uint64_t *set) {
  uint64_t *cached = &c->now->by_set[c->now->first[slot] + (size_t)(set - one->sets) / c->f->words];
  return *cached != UINT64_MAX ? *cached : companies_reckon(c, cached, set, slot);
}

#endif
