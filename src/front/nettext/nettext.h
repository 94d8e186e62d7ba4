/* nettext.h -- place/transition nets as text: our own declarations and those of TINA.
 * The language is described in doc/languages/net.md. */
#ifndef FRONT_NETTEXT_NETTEXT_H
#define FRONT_NETTEXT_NETTEXT_H

#include "front/front.h"
#include "net/pt.h"

extern const struct front_type front_net;

/* Reads a net, --define and --marking applied. */
int nettext_read(struct pt_net **out, const struct front_setup *, struct err *);
/* Writes a net that nettext_read reads back as the same net. */
int nettext_write(const struct pt_net *, FILE *out, struct err *);

/* 1 if a word may stand unquoted as a name anywhere. */
int nettext_plain_word(const char *word);

#endif
