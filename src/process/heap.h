/* heap.h -- objects of PROM+: created by `new`, reached by pointers, gone when nothing points to them.
 *
 * The heap is a run of cells.  An object is one header cell (its type + 1) and its cells; a pointer is the offset of the
 * object's first cell within the heap, so it is never 0, which is null.  Between steps the heap is canonical: objects
 * lie without gaps in the order in which they are reached from the pointers in global variables and in messages waiting in
 * global channels, then likewise in the slots from 0 upwards, then in the objects themselves.  What is not reached is not there.  So two states whose heaps differ only in
 * where objects lie, or in garbage, are the same state (heap symmetry; Kattenbelt's linearisation of state graphs,
 * section 4.2, Iosif's ordering). */
#ifndef PROCESS_HEAP_H
#define PROCESS_HEAP_H

#include "process/machine.h"

enum { HEAP_CELLS = 1 << 14 };

int32_t heap_allocate(struct runtime *, uint32_t type); /* the pointer; 0 = full */
void heap_canonical(struct machine *);                       /* logged, like every other write */

#endif
