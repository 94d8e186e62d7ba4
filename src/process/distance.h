/* distance.h -- how far a state of a program seems to be from trouble (model.h: distances). */
#ifndef PROCESS_DISTANCE_H
#define PROCESS_DISTANCE_H

#include "model/model.h"

struct process_model;

int process_fails_standing(const struct model *);
uint32_t process_stuck_distance(struct model_cursor *, const uint32_t *state, int bound);
uint32_t process_claim_distance(struct model_cursor *, const uint32_t *state, uint32_t claim, int bound);
uint32_t process_condition_distance(struct model_cursor *, const uint32_t *state, uint32_t condition, int wanted, int bound);
void process_ways_close(struct process_model *);

#endif
