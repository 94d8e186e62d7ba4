/* fuzz_keep.c -- checkpoints of several processes (mpi/keep.h) with other bytes in them: no crash, no lost memory; what is refused has a reason, and what is not is a search that comes to an end.
 *
 * The journals are made once, by searches that stop on the way; their blocks are unpacked, so that changes reach the states in them.  The first byte chooses:
 *
 *   bits 0, 1   what is gone on with: a journal of one rank by one, of two by the first of two, of two by one, of one by the first of two; the last two make all that there is anew (keep_resettle.c)
 *   bits 2, 3   the model: a net, processes, a coloured net
 *   bit 4       changes reach packed blocks instead
 *
 * The rest is a list of changes (kept.h). */
#define _GNU_SOURCE
#include "alone.h"
#include "kept.h"
#include "mpi/spread.h"
#include "opened.h"
#include "place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BUDGET ((size_t)64 << 20)

enum { MODELS = 3, HOME = 120, STATES = 120, STARTS = 9 };

static const struct {
  const char *language, *text; /* with a hole for something of the initial state */
} models[MODELS] = {
    {"net", "net p\nplace a = 6, b, c, d = 4, e, f = 3%u, g\ntransition t : a -> b\ntransition u : b -> c\ntransition v : c -> a\ntransition x : d -> e\ntransition y : e -> d\ntransition k : b, e -> c, d\ntransition w : f -> g\n"},
    {"promela", "mtype = { ping, pong }; chan c = [2] of { mtype, byte }; byte n; int far = %u;\n"
                "proctype child(byte x) { n = n + x }\n"
                "active proctype a() { do :: n < 5 -> c!ping(n); n++ :: n > 2 -> far = far + 300; if :: far > 900 -> break :: else fi od; run child(2) }\n"
                "active [3] proctype t() { byte k; do :: k < 5 -> k++ :: k > 0 -> k-- od }\n"
                "active proctype b() { byte v; end: do :: c?ping(v); n = v :: c?pong(v) -> far = v od }\n"},
    {"cpnt", "net \"small\"\ndeclare\n  colset STRING = string;\n  colset UNIT = unit;\n  colset N = int with 1..9;\n  colset P = product N * STRING;\n  var n : N;\n  var s : STRING;\n"
             "page Main\n  place Send : P\n    initial 1`(%u, \"a\") ++ 2`(2, \"b\") ++ 1`(3, \"c\")\n  place Free : UNIT\n    initial 2`()\n  place Got : P\n"
             "  transition Go\n    take Send : (n, s)\n    take Free : ()\n    give Got : (n, s)\n  transition Back\n    take Got : (n, s)\n    guard n < 9\n    give Send : (n + 1, s)\n    give Free : ()\n  transition Again\n    take Got : (n, s)\n    give Send : (1, s)\n    give Free : ()\n"},
};

static char home[KEPT_LONGEST], other[KEPT_LONGEST];
static struct kept_set kept[MODELS][2][2]; /* by the number of ranks, one or two; unpacked, packed */
static unsigned began[MODELS][2];          /* where the first rank began */

/* ---- a search ------------------------------------------------------------------------------------------------------------- */

static struct model *open_model(size_t which, unsigned from, struct mem *m) {
  char text[1000];
  snprintf(text, sizeof text, models[which].text, from);
  return opened_text(models[which].language, text, m);
}

/* Opening a model takes longer than what is done with it, so they stay open; until their layout has changed, or for a while. */
static struct open {
  struct mem mem;
  struct model *model;
  uint32_t words, bits;
  uint64_t sign;
  unsigned used;
} open_models[MODELS][2];

static uint64_t sign_of(const struct model *m) { return m->type->layout_sign ? m->type->layout_sign(m) : 0; }

static struct model *borrow(size_t which, unsigned then) {
  struct open *o = &open_models[which][then - 1];
  if (o->model) return o->model;
  mem_open(&o->mem, BUDGET);
  o->model = open_model(which, began[which][then - 1], &o->mem);
  *o = (struct open){.mem = o->mem, .model = o->model, .words = o->model->words, .bits = o->model->bits, .sign = sign_of(o->model)};
  return o->model;
}

static void give_back(size_t which, unsigned then) {
  struct open *o = &open_models[which][then - 1];
  if (++o->used < 200 && o->words == o->model->words && o->bits == o->model->bits && o->sign == sign_of(o->model)) return;
  model_close(o->model);
  o->model = NULL;
  demand(o->mem.used == 0);
}

static void name_of(char out[KEPT_LONGEST], size_t which, unsigned ranks, unsigned rank) { snprintf(out, KEPT_LONGEST, "%.200s/c%zu-%u.%u", home, which, ranks, rank); }

/* The search of one rank, from the initial state (then = 0) or from what so many ranks have written. `from` is part of that state; 0: of a model that is there already. How many states it has. */
static uint64_t search_as(size_t which, unsigned from, struct ranks ranks, unsigned then, uint64_t most, size_t refuse) {
  char file[KEPT_LONGEST];
  struct mem own, *m = from ? &own : &open_models[which][then - 1].mem; /* a model and its searches share one */
  struct err e;
  struct journal j = {0};
  struct search *s = NULL;
  uint64_t found = 0;
  mem_open(&own, BUDGET);
  err_clear(&e);
  struct model *model = from ? open_model(which, from, m) : borrow(which, then);
  m->fail_after = refuse;
  name_of(file, which, then ? then : ranks.count, then == ranks.count || !then ? ranks.self : 0);
  int bad = then ? journal_open(&j, file, 1000, 1, NULL, NULL, m, &e) : journal_create(&j, file, 1000, m, &e);
  if (bad) demand(then && (e.kind == ERR_IO || (refuse && e.kind == ERR_MEMORY)));
  else if (then && (!j.rank.count || j.rank.count > 8)) journal_close(&j, 1); /* of one process, which is run/checkpoint.c's to tell */
  else {
    if (!then) j.rank = (struct journal_rank){.self = ranks.self, .count = ranks.count};
    else j.elsewhere = mem_strndup(m, MEM_OTHER, other, strlen(other));
    bad = (then && !j.elsewhere) || keep_same_moment(&ranks, &j, &e);
    if (bad) demand(then && (refuse || e.message[0]));
    else {
      if (!then) j.run = j.rank.set = 7; /* the same for all */
      struct search_setup setup = {.model = model, .store = &store_plain, .mem = m, .limits = {.states = most, .beyond_cover = 1}, .journal = &j, .ways = {.ranks = &ranks}};
      if (search_open(&s, &search_spread, &setup, &e) == 0) {
        search_run(s);
        found = s->stats.states;
        demand(s->stop == STOP_DONE || s->stop == STOP_STATES || (s->stop == STOP_FAULT && s->err.message[0]) || s->stop == STOP_MEMORY); /* counts may say that there is more than memory holds */
        demand(s->stop != STOP_FAULT || s->err.kind != ERR_INTERNAL);
      } else demand(refuse && e.message[0]);
      search_close(s);
    }
    journal_forget_past(&j);
    journal_close(&j, !then);
  }
  m->fail_after = 0;
  if (from) model_close(model);
  else give_back(which, then);
  demand(own.used == 0);
  return found;
}

/* ---- files ---------------------------------------------------------------------------------------------------------------- */

/* Blocks of states as they were before they were packed: first number, states, bytes, packed bytes. */
static void unpack_blocks(struct kept *k) {
  struct mem m;
  struct squeeze z;
  uint8_t *from = k->bytes;
  size_t size = k->length, room = (size_t)1 << 20, at = RECORDS_HEAD, to = RECORDS_HEAD;
  uint8_t *out = calloc(1, room);
  mem_open(&m, 0);
  demand(out && squeeze_open(&z, 1 << 14, &m, MEM_OTHER) == 0);
  memcpy(out, from, RECORDS_HEAD);
  for (uint64_t length, number[4]; at + RECORDS_HEADER <= size; at += RECORDS_HEADER + length) {
    uint32_t kind;
    memcpy(&kind, from + at, 4);
    memcpy(&length, from + at + 8, 8);
    demand(length <= size - at - RECORDS_HEADER && to + RECORDS_HEADER + length < room);
    memcpy(out + to, from + at, RECORDS_HEADER + length);
    if (kind == JOURNAL_MINE) {
      memcpy(number, from + at + RECORDS_HEADER, sizeof number);
      demand(to + RECORDS_HEADER + sizeof number + number[2] < room);
      if (number[3]) demand(squeeze_unpack(&z, from + at + RECORDS_HEADER + sizeof number, number[3], out + to + RECORDS_HEADER + sizeof number, room - to - RECORDS_HEADER - sizeof number) == number[2]);
      uint64_t now = sizeof number + number[2];
      number[3] = 0;
      memcpy(out + to + RECORDS_HEADER, number, sizeof number);
      memcpy(out + to + 8, &now, 8);
      to += RECORDS_HEADER + now;
    } else to += RECORDS_HEADER + length;
  }
  squeeze_close(&z);
  free(k->bytes);
  free(k->now);
  k->bytes = out;
  k->now = malloc(to + 1);
  demand(k->now);
  k->length = to;
}

static void clean_up(void) {
  char file[KEPT_LONGEST];
  for (size_t which = 0; which < MODELS; which++)
    for (unsigned ranks = 1; ranks <= 2; ranks++)
      for (unsigned rank = 0; rank < ranks; rank++) {
        name_of(file, which, ranks, rank);
        unlink(file);
      }
  unlink(other);
  rmdir(home);
}

static void settle_in(void) {
  char file[KEPT_LONGEST];
  int n = snprintf(home, sizeof home, "%.80s/fuzz-keep-%ld-", fuzz_place(), (long)getpid());
  memset(home + n, '-', (size_t)(HOME - n));
  home[HOME] = 0;
  snprintf(other, sizeof other, "%.200s/other", home);
  demand(mkdir(home, 0700) == 0);
  for (size_t which = 0; which < MODELS; which++)
    for (unsigned ranks = 1; ranks <= 2; ranks++)
      for (unsigned rank = 0; rank < ranks; rank++) {
        unsigned from = 1; /* until it is this rank that owns the first state, and enough of those that follow */
        while (from <= STARTS && search_as(which, from, (struct ranks){.self = rank, .count = ranks}, 0, 20, 0) < 20) from++;
        if (!rank) began[which][ranks - 1] = from;
        name_of(file, which, ranks, rank);
        for (int packed = 0; packed < 2; packed++) {
          struct kept_set *set = &kept[which][ranks - 1][packed];
          kept_take(set, file, RECORDS_HEAD, kept_mend_records);
          if (!packed) unpack_blocks(&set->file[set->count - 1]);
        }
        unlink(file);
      }
  atexit(clean_up);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!home[0]) settle_in();
  if (size < 2) return 0;
  uint32_t h = 2166136261u; /* which allocation to refuse: the same for the same bytes */
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  size_t which = (data[0] >> 2 & 3) % MODELS;
  unsigned then = data[0] % 4 == 1 || data[0] % 4 == 2 ? 2 : 1;
  struct ranks now = {.count = data[0] & 1 ? 2 : 1};
  struct kept_set *set = &kept[which][then - 1][data[0] >> 4 & 1];
  kept_change(set, data + 1, size - 1);
  kept_put_back(set);
  search_as(which, 0, now, then, STATES, 0);
  kept_put_back(set);
  search_as(which, h & 15 ? 0 : began[which][then - 1], now, then, STATES, 1 + (h >> 7) % 100);
  return 0;
}
