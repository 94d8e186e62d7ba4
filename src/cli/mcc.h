/* mcc.h -- check --mcc: answers as the Model Checking Contest wants them. */
#ifndef CLI_MCC_H
#define CLI_MCC_H

#include "cli/session.h"

int mcc_answer(struct session *); /* the exit code */

#endif
