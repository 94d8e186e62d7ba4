/* main.c -- thimble. */
#include "base/stack.h"
#include "cli/program.h"

#include <stddef.h>

struct main_arguments {
  int count;
  char **at;
};

static int main_run(void *context) {
  const struct main_arguments *a = context;
  return program_run(a->count, a->at, NULL);
}

int main(int argc, char **argv) { return stack_call(main_run, &(struct main_arguments){argc, argv}); }
