/* fuzz_nettext.c -- any bytes as .net. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_net(nettext_read, data, size);
  return 0;
}
