/* cube.c -- the 2x2x2 cube as a model of your own.
 *
 * One corner (down, back, left) stays where it is, so turning the up, right and front faces
 * gives every position up to rotation of the whole cube: 7! * 3^6 = 3,674,160 of them, and
 * none is more than 14 quarter turns from the solved one.
 *
 * State: for each of the seven moving corners which piece is there (3 bits) and how it is
 * twisted (2 bits): 35 bits, so a position costs 5 bytes in the store.
 *
 *   cc cube.c $(pkg-config --cflags --libs thimble) && ./a.out
 */
#include <stdio.h>
#include <string.h>
#include <thimble.h>

enum { CORNERS = 7, TURNS = 6 };

struct cube {
  unsigned char piece[CORNERS], twist[CORNERS];
};

static void pack(const struct cube *c, uint32_t *state) {
  uint64_t bits = 0;
  for (int i = CORNERS; i-- > 0;) bits = bits << 5 | (unsigned)c->piece[i] << 2 | c->twist[i];
  state[0] = (uint32_t)bits;
  state[1] = (uint32_t)(bits >> 32);
}

static void unpack(const uint32_t *state, struct cube *c) {
  uint64_t bits = (uint64_t)state[1] << 32 | state[0];
  for (int i = 0; i < CORNERS; i++, bits >>= 5) {
    c->piece[i] = bits >> 2 & 7;
    c->twist[i] = bits & 3;
  }
}

/* Corners: 0 up-right-front, 1 up-front-left, 2 up-left-back, 3 up-back-right,
 *          4 down-front-right, 5 down-left-front, 6 down-right-back.
 * A clockwise turn brings the piece of `from` to each place, twisted by `twist`. */
static const struct turn {
  unsigned char from[CORNERS], twist[CORNERS];
} clockwise[3] = {
    {{3, 0, 1, 2, 4, 5, 6}, {0, 0, 0, 0, 0, 0, 0}}, /* up */
    {{4, 1, 2, 0, 6, 5, 3}, {2, 0, 0, 1, 1, 0, 2}}, /* right */
    {{1, 5, 2, 3, 0, 4, 6}, {1, 2, 0, 0, 2, 1, 0}}, /* front */
};

static struct cube turned(const struct cube *c, const struct turn *t) {
  struct cube next;
  for (int i = 0; i < CORNERS; i++) {
    next.piece[i] = c->piece[t->from[i]];
    next.twist[i] = (unsigned char)((c->twist[t->from[i]] + t->twist[i]) % 3);
  }
  return next;
}

static void initial(void *context, uint32_t *state) {
  (void)context;
  struct cube solved = {{0, 1, 2, 3, 4, 5, 6}, {0}};
  pack(&solved, state);
}

/* Actions 0..5: U U' R R' F F'; a turn the other way is three turns. */
static void successors(void *context, const uint32_t *state, struct thimble_successors *out) {
  (void)context;
  struct cube c;
  unpack(state, &c);
  for (unsigned face = 0; face < 3; face++) {
    struct cube once = turned(&c, &clockwise[face]), twice = turned(&once, &clockwise[face]),
                thrice = turned(&twice, &clockwise[face]);
    for (unsigned back = 0; back < 2; back++) {
      uint32_t *next = thimble_add(out, face * 2 + back);
      if (!next) return;
      pack(back ? &thrice : &once, next);
    }
  }
}

static const char *action_name(void *context, unsigned action) {
  static const char *const names[TURNS] = {"U", "U'", "R", "R'", "F", "F'"};
  (void)context;
  return names[action];
}

/* How many corners sit right: 7 is solved. */
static const char *const variables[] = {"right_place", "right_twist", NULL};

static int64_t value(void *context, const uint32_t *state, unsigned variable) {
  (void)context;
  struct cube c;
  unpack(state, &c);
  int64_t count = 0;
  for (int i = 0; i < CORNERS; i++) count += variable == 0 ? c.piece[i] == i : c.twist[i] == 0;
  return count;
}

int main(void) {
  struct thimble_model model = {.words = 2,
                                .bits = 35,
                                .initial = initial,
                                .successors = successors,
                                .action_name = action_name,
                                .actions = TURNS,
                                .variables = variables,
                                .value = value,
                                .name = "cube"};
  struct thimble_result r;
  if (thimble_check(&model, NULL, &r)) {
    fprintf(stderr, "cube: %s\n", r.message);
    return 1;
  }
  printf("positions %llu, turns %llu, farthest %llu quarter turns, %s\n", (unsigned long long)r.states,
         (unsigned long long)r.transitions, (unsigned long long)r.depth, r.complete ? "complete" : r.stop);
  printf("%.1f bytes per position, %.1f seconds\n", (double)r.store_bytes / (double)r.states, r.seconds);
  thimble_result_free(&r);

  /* A shortest way to turn three corners in place and leave the others alone. */
  const char *const wanted[] = {"right_place == 7 && right_twist == 4", NULL};
  struct thimble_options options = {.memory = 256u << 20, .reachable = wanted};
  if (thimble_check(&model, &options, &r)) {
    fprintf(stderr, "cube: %s\n", r.message);
    return 1;
  }
  printf("three twisted corners in %zu turns:", r.step_count);
  for (size_t i = 0; i < r.step_count; i++) printf(" %s", r.steps[i].name);
  printf("\n");
  thimble_result_free(&r);
  return 0;
}
