/* ci.h -- verdicts in the formats that build servers and editors read. */
#ifndef REPORT_CI_H
#define REPORT_CI_H

#include "report/report.h"

/* 0, or -1 when the stream has failed (or there was no memory for it). */
int report_junit(const struct verdict *, const struct report_setup *, FILE *); /* JUnit XML: a test case for each property */
int report_sarif(const struct verdict *, const struct report_setup *, FILE *); /* SARIF 2.1.0: a result for each violation */

/* What both say. */
/* "assertion failed: v==3": what is wrong, in a sentence without its end. */
void ci_message(const struct verdict_property *, char *out, size_t room);
/* Why a property is not decided. */
void ci_reason(const struct verdict *, char *out, size_t room);

#endif
