/* fuzz_pnml.c -- any bytes as PNML. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_net(pnml_read, data, size);
  return 0;
}
