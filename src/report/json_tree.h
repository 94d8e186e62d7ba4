/* json_tree.h -- a JSON file read into a tree under the budget.
 *
 * jansson has one pair of allocation functions for the whole process.  They are pointed at the budget while a tree lives,
 * so one tree can be open at a time. */
#ifndef REPORT_JSON_TREE_H
#define REPORT_JSON_TREE_H

#include "base/err.h"
#include "base/mem.h"

#include <jansson.h>
#include <stdio.h>

/* -1 with err: it cannot be read, is no JSON (with its place), or the budget does not allow it. */
int json_tree_open(json_t **out, FILE *, const char *name, struct mem *, struct err *);
void json_tree_close(json_t *); /* NULL is fine */

#endif
