/* play.c -- see play.h.
 *
 * Partitions in rounds: in the first all states are in one block, in each next one they are parted by what they can do into blocks of the one before.  Two states that
 * are first apart in round k need k steps to be told apart.  All partitions up to the round that parts the two are kept: 4 bytes per state and round, on a quotient. */
#include "search/play.h"

#include "search/signatures.h"

struct player {
  struct mem *mem;
  const struct graph *g;
  int inert;
  struct vec(uint32_t *) block; /* of each round */
  struct numbers moves, other;  /* (label, target) */
  struct vec(uint32_t) stack;
  uint32_t *seen, stamp;
};

/* Everything that s can do behind hidden steps inside its block of this round: (label, target). */
static int find_moves(struct player *p, uint32_t s, size_t round, struct numbers *out) {
  const uint32_t *block = p->block.at[round];
  out->count = p->stack.count = 0;
  p->stamp++;
  p->seen[s] = p->stamp;
  if (vec_push(&p->stack, p->mem, MEM_SEARCH, s)) return -1;
  while (p->stack.count) {
    uint32_t label;
    for (struct graph_edges e = graph_edges(p->g, p->stack.at[--p->stack.count]); graph_more(&e);) {
      uint32_t t = graph_next(&e, &label);
      if (p->inert && label == 0 && block[t] == block[s]) {
        if (p->seen[t] == p->stamp) continue;
        p->seen[t] = p->stamp;
        if (vec_push(&p->stack, p->mem, MEM_SEARCH, t)) return -1;
      } else if (vec_push(out, p->mem, MEM_SEARCH, (uint64_t)label << 32 | t)) {
        return -1;
      }
    }
  }
  return 0;
}

static int new_round(struct player *p) {
  uint32_t *block = mem_alloc(p->mem, MEM_SEARCH, (size_t)(p->g->states + 1) * sizeof *block);
  if (!block) return -1;
  if (vec_push(&p->block, p->mem, MEM_SEARCH, block) == 0) return 0;
  mem_free(p->mem, block);
  return -1;
}

static int next_round(struct player *p) {
  struct signatures names = {.mem = p->mem};
  size_t last = p->block.count - 1;
  int bad = new_round(p);
  for (uint32_t s = 0; s < p->g->states && !bad; s++) {
    bad = find_moves(p, s, last, &p->moves);
    for (size_t i = 0; i < p->moves.count && !bad; i++) p->moves.at[i] = (p->moves.at[i] & ~UINT64_C(0xffffffff)) | p->block.at[last][(uint32_t)p->moves.at[i]];
    bad = bad || vec_push(&p->moves, p->mem, MEM_SEARCH, UINT64_MAX << 32 | p->block.at[last][s]); /* no label is as large */
    int64_t name = bad ? -1 : signatures_find(&names, &p->moves);
    bad = name < 0;
    if (!bad) p->block.at[last + 1][s] = (uint32_t)name;
  }
  signatures_close(&names);
  return bad ? -1 : 0;
}

/* The round in which they are first apart; 0: never. */
static size_t apart(const struct player *p, uint32_t a, uint32_t b) {
  size_t k = 1;
  while (k < p->block.count && p->block.at[k][a] == p->block.at[k][b]) k++;
  return k < p->block.count ? k : 0;
}

/* One round from (a, b), which are first apart in round k. 1: it goes on with *a and *b; 0: that was the last; -1: memory; -2: no such step. */
static int play_round(struct player *p, uint32_t *state, size_t k, struct play_round *out) {
  uint32_t *block = p->block.at[k - 1], mine = 0, its = 0;
  size_t longest = 0;
  int found = 0;
  for (int second = 0; second < 2; second++) {
    uint32_t s = state[second], t = state[!second];
    if (find_moves(p, s, k - 1, &p->moves) || find_moves(p, t, k - 1, &p->other)) return -1;
    for (size_t i = 0; i < p->moves.count; i++) {
      uint32_t label = (uint32_t)(p->moves.at[i] >> 32), to = (uint32_t)p->moves.at[i], best = 0;
      size_t most = 0;
      int answered = 0, good = 0;
      for (size_t n = 0; n < p->other.count && !good; n++) {
        uint32_t there = (uint32_t)p->other.at[n];
        if (p->other.at[n] >> 32 != label) continue;
        good = block[there] == block[to];
        size_t far = apart(p, to, there);
        if (!answered || far > most) most = far, best = there;
        answered = 1;
      }
      if (good) continue;
      int stays = p->inert && label == 0 && (!answered || apart(p, to, t) > most);
      if (stays) most = apart(p, to, t), best = t;
      if (found && most >= longest) continue; /* a step with a shorter play is known */
      *out = (struct play_round){second, label, stays ? PLAY_STAYED : answered ? PLAY_ANSWERED : PLAY_NO_ANSWER};
      longest = most, mine = to, its = best, found = 1;
    }
  }
  if (!found) return -2;
  if (out->answer == PLAY_NO_ANSWER) return 0;
  state[out->second] = mine;
  state[!out->second] = its;
  return 1;
}

static int play_all(struct player *p, struct play *out, uint32_t a, uint32_t b, const struct model_patience *patience, struct err *e) {
  size_t room = 0;
  uint32_t state[2] = {a, b};
  if (new_round(p)) return -1;
  while (!apart(p, a, b)) {
    if (model_impatient(patience))
      return err_limit(e, "there was no time left to find out why");
    if (p->block.count > p->g->states) return err_internal(e, "two states that are not alike cannot be told apart");
    if (next_round(p)) return -1;
  }
  for (int goes_on = 1; goes_on > 0;) {
    size_t k = apart(p, state[0], state[1]);
    if (!k) return err_internal(e, "a play came to states that are alike");
    if (out->count == room) {
      struct play_round *more = mem_resize(p->mem, MEM_OTHER, out->round, (room + 16) * sizeof *more);
      if (!more) return -1;
      out->round = more;
      room += 16;
    }
    goes_on = play_round(p, state, k, &out->round[out->count]);
    if (goes_on < 0) return goes_on == -1 ? -1 : err_internal(e, "a play came to states that no step tells apart");
    out->count++;
  }
  return 0;
}

int play_find(struct play *out, const struct graph *g, uint32_t a, uint32_t b, enum bisimulation kind, const struct model_patience *patience, struct mem *mem,
              struct err *e) {
  struct player p = {.mem = mem, .g = g, .inert = kind == BISIMULATION_BRANCHING};
  *out = (struct play){.mem = mem};
  p.seen = mem_alloc(mem, MEM_SEARCH, (size_t)(g->states + 1) * sizeof *p.seen);
  int bad = !p.seen || play_all(&p, out, a, b, patience, e);
  if (bad && !e->kind) err_memory(e, "why two graphs differ");
  for (size_t i = 0; i < p.block.count; i++) mem_free(mem, p.block.at[i]);
  vec_free(&p.block, mem);
  vec_free(&p.moves, mem);
  vec_free(&p.other, mem);
  vec_free(&p.stack, mem);
  mem_free(mem, p.seen);
  if (bad) play_close(out);
  return bad ? -1 : 0;
}

void play_close(struct play *p) {
  if (!p->mem) return;
  mem_free(p->mem, p->round);
  *p = (struct play){0};
}
