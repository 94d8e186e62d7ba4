/* strategy.h -- a strategy as a file: schema thimble.strategy/1, told in doc/formats/strategy.md. */
#ifndef REPORT_STRATEGY_H
#define REPORT_STRATEGY_H

#include "model/owners.h"
#include "search/game.h"
#include "search/verdict.h"

#include <stdio.h>

/* 0, or -1 with err: memory, or the stream has failed (ERR_IO without a name). */
int strategy_write_json(const struct verdict_property *, const struct owners *, struct mem *, FILE *, struct err *);

const char *strategy_proof_name(enum strategy_proof); /* "definition", "steps", "graph" */
const char *strategy_side_name(int owner);            /* "controllable", "environment" */

#endif
