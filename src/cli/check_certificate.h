/* check_certificate.h -- check --certificate FILE: what thimble-audit confirms a verdict by (doc/certificates.md). */
#ifndef CLI_CHECK_CERTIFICATE_H
#define CLI_CHECK_CERTIFICATE_H

#include "cli/session.h"
#include "report/certificate.h"

struct check_certificate {
  struct certificate certificate;
  char folder[4096]; /* for temporary files */
  const char *file;  /* NULL = none is wanted */
};

/* Before anything is read: options that do not go together. 0, or -1 with err. */
int check_certificate_sensible(const struct session *, struct err *);
/* The model is there; `disk` is the folder of --disk, or "". 0, or -1 with session->err. */
int check_certificate_open(struct check_certificate *, struct session *, const char *disk);
/* After the run, and before the verdict is told, which learns what it covers, or why there is none. -1: it was wanted, could be had, and could not be written; that was told. */
int check_certificate_write(struct check_certificate *, struct session *, struct verdict *);
void check_certificate_close(struct check_certificate *);

#endif
