/* check_disk.h -- the option --disk DIR[:SIZE]: where states go that memory does not hold. */
#ifndef CLI_CHECK_DISK_H
#define CLI_CHECK_DISK_H

#include "cli/session.h"
#include "prop/prop.h"
#include "store/store.h"

/* What would never go there says so. 0, or -1 with err: usage. */
int check_disk_sensible(const struct options *, struct err *);
/* `folder`: that of the files which a run goes on with; NULL = none.  Reads the option, makes sure that files can be written there and removes what dead runs left; `dir` keeps the name. 0, or -1 with err: usage. */
int check_disk_read(struct store_options *, const struct store_type *store, const struct search_type *search, const struct options *, const char *folder, char *dir, size_t room, struct err *);
/* What the store disk cannot decide is refused before anything runs. 0, or -1 with err: usage. */
int check_disk_allows(const struct prop *, size_t count, int fair, struct err *);

#endif
