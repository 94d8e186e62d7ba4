/* microhttpd.h -- libmicrohttpd, loaded when a server is wanted.
 *
 * It brings a dozen other libraries with it, which take 2 ms and 3 MB of every process that is linked with them: too much for a checker that starts in 1 ms and promises a budget. Its functions are
 * called through a table. */
#ifndef SERVE_MICROHTTPD_H
#define SERVE_MICROHTTPD_H

#include "base/err.h"

#include <microhttpd.h>

#define MICROHTTPD_FUNCTIONS(F) \
  F(MHD_start_daemon) \
  F(MHD_stop_daemon) \
  F(MHD_get_daemon_info) \
  F(MHD_get_connection_values) \
  F(MHD_get_connection_values_n) \
  F(MHD_suspend_connection) \
  F(MHD_resume_connection) \
  F(MHD_create_response_from_buffer) \
  F(MHD_add_response_header) \
  F(MHD_queue_response) \
  F(MHD_destroy_response)

struct microhttpd {
  void *library;
#define FUNCTION(name) __typeof__(name) *name;
  MICROHTTPD_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

int microhttpd_open(struct microhttpd *, struct err *); /* 0, or -1 with err: it is not there */
void microhttpd_close(struct microhttpd *);             /* a zeroed one is fine */

#endif
