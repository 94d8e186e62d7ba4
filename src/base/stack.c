/* stack.c -- see stack.h. */
#include "base/stack.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#define ENOUGH ((rlim_t)1 << 20)
#define ROOMY ((size_t)8 << 20)

struct stack_call {
  int (*function)(void *);
  void *context;
  int result;
};

static void *stack_thread(void *call) {
  struct stack_call *c = call;
  c->result = c->function(c->context);
  return NULL;
}

static int is_enough(void) {
  struct rlimit l;
  if (getrlimit(RLIMIT_STACK, &l) || l.rlim_cur == RLIM_INFINITY || l.rlim_cur >= ENOUGH) return 1;
  l.rlim_cur = l.rlim_max == RLIM_INFINITY || l.rlim_max > ROOMY ? (rlim_t)ROOMY : l.rlim_max;
  return l.rlim_cur >= ENOUGH && setrlimit(RLIMIT_STACK, &l) == 0;
}

int stack_call(int (*function)(void *), void *context) {
  struct stack_call call = {function, context, 0};
  pthread_attr_t how;
  pthread_t thread;
  sigset_t all;
  if (is_enough() || pthread_attr_init(&how)) return function(context);
  int bad =
      pthread_attr_setstacksize(&how, ROOMY) || pthread_create(&thread, &how, stack_thread, &call);
  pthread_attr_destroy(&how);
  if (bad) return function(context);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  pthread_join(thread, NULL);
  return call.result;
}
