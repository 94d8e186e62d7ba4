/* stack.h -- a function is called on a stack that is large enough, whatever `ulimit -s` says.
 *
 * Thimble needs some hundred kilobytes of stack. Where the limit is lower than that and may be
 * raised, it is raised, which takes effect at once; where it may not, the function runs in a thread
 * with a stack of its own, while the caller waits with all signals blocked, so that they reach the
 * thread. */
#ifndef BASE_STACK_H
#define BASE_STACK_H

int stack_call(int (*function)(void *), void *context);

#endif
