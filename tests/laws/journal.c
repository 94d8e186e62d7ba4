/* journal.c -- the laws of search/journal.h: a search in parts is a search.
 *
 * Random nets (with places that outgrow their first layout on the way) are explored breadth-first and depth-first, cut at random places (a number of states, memory that is refused, a signal), and gone on with in another store, with the memory
 * ladder stepping down at random moments, until they are complete.  A listener hears of every state and edge; what it has heard is a part of the journal.  In the end it must have heard of everything once, as if there had been no cuts. */
#include "tap.h"

#include "base/hash.h"
#include "base/rng.h"
#include "net/pt_model.h"
#include "nets.h"
#include "oracle.h"
#include "search/journal.h"
#include "search/search.h"
#include "store/disk_files.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char text[300];
#define NAMED(...) (snprintf(text, sizeof text, __VA_ARGS__), text)
static char file[300], other[300], folder[300];

/* ---- what is heard ---------------------------------------------------------------------------------------------------------- */

struct heard {
  struct listener listener;
  uint64_t count[4]; /* new, edges, seen, expanded */
  uint64_t sum, depths, successors; /* of the new states, whatever their order: what they are, how deep; of those expanded */
  uint64_t stop_after; /* news; then interrupt */
  volatile int interrupt;
  uint64_t since; /* news without an expanded state between them: of one turn */
  int at_seal;         /* interrupt when a turn is sealed in its middle, */
  uint64_t sealed_news; /* at so many news */
};

static uint64_t fingerprint(struct search *s, const uint32_t *words) {
  uint8_t packed[400];
  return hash_bytes(packed, s->model->type->pack(s->model, words, packed, sizeof packed));
}

static enum listener_answer hear(struct listener *l, struct search *s, const struct search_event *e) {
  struct heard *h = (struct heard *)l;
  switch ((int)e->kind) {
  case EVENT_AGAIN:
    memset(h->count, 0, sizeof h->count);
    h->sum = h->depths = h->successors = 0;
    break;
  case EVENT_NEW:
    h->count[0]++;
    h->since++;
    h->sum += fingerprint(s, e->words);
    if (s->type->shortest) h->depths += e->depth;
    if (h->stop_after && !--h->stop_after) h->interrupt = 1;
    break;
  case EVENT_EDGE: h->count[1]++; break;
  case EVENT_SEEN: h->count[2]++; break;
  case EVENT_EXPANDED:
    h->count[3]++;
    h->since = 0;
    h->successors += e->successors * fingerprint(s, e->words);
    break;
  }
  return LISTEN_ON;
}

static void save(void *context, struct records *r) {
  struct heard *h = context;
  if (h->at_seal && !h->interrupt && h->since > 500) h->interrupt = 1, h->sealed_news = h->count[0];
  records_put(r, h->count, sizeof h->count);
  records_put_number(r, h->sum);
  records_put_number(r, h->depths);
  records_put_number(r, h->successors);
}

static int load(void *context, struct records *r) {
  struct heard *h = context;
  records_get(r, h->count, sizeof h->count);
  h->sum = records_get_number(r);
  h->depths = records_get_number(r);
  h->successors = records_get_number(r);
  return r->failed ? -1 : 0;
}

/* ---- one part of a search --------------------------------------------------------------------------------------------------- */

struct part {
  const struct search_type *type;
  const struct store_type *store;
  uint64_t states, step_down_at, stop_after;
  int at_seal;
  unsigned comback;
  unsigned jobs; /* several threads: then edges are not told */
  size_t fail_after, left; /* left: bytes that the search may take; 0 = any */
  int disk;              /* there is a folder to go to, */
  unsigned disk_rung;    /* as this rung */
  struct disk_trial trial;
  int often;             /* sealed whenever that is possible */
  const char *comback_form; /* --comback */
  const char *gone;      /* a folder that is removed with what it holds when the search has begun */
  const char *from, *into; /* files; from NULL: the beginning; into NULL: the same */
};

struct end {
  int opened;
  enum search_stop stop;
  struct stats stats;
  uint64_t sealed;
  int failed;
  struct err err;
};

static struct model *open_net(const char *net_text, uint64_t seed, struct mem *mem) {
  struct rng rng = {seed};
  struct model *m = NULL;
  struct err e;
  err_clear(&e);
  struct pt_net *net = net_text ? nets_read(mem, net_text)
                                : nets_random(mem, &rng, 3 + (unsigned)rng_below(&rng, 6), 3 + (unsigned)rng_below(&rng, 6), 14, 1 + (unsigned)rng_below(&rng, 2), 3 + (unsigned)rng_below(&rng, 20));
  if (net && pt_model_open(&m, net, "net", &e)) m = NULL;
  return m;
}

/* Each part has a model of its own: layouts begin anew, too. */
static struct end run(const char *net, uint64_t seed, struct heard *h, const struct part *p, int plain) {
  struct end end = {.opened = 0};
  struct mem mem;
  struct journal j = {0};
  struct search *s = NULL;
  mem_open(&mem, 0);
  struct model *m = open_net(net, seed, &mem);
  struct listener *listeners[] = {&h->listener};
  memset(h, 0, sizeof *h);
  h->listener = (struct listener){.wants = EVENT_NEW | EVENT_EXPANDED | EVENT_AGAIN | (p->jobs ? 0 : EVENT_EDGE | EVENT_SEEN), .hear = hear};
  h->stop_after = p->stop_after;
  h->at_seal = p->at_seal;
  err_clear(&end.err);
  double every = p->often ? 0 : 1000;
  struct store_options options = {.disk = p->disk ? folder : NULL, .trial = &p->trial, .comback = p->comback_form};
  int bad = plain ? 0 : p->from ? journal_open(&j, p->from, every, 1, NULL, NULL, &mem, &end.err) : journal_create(&j, p->into, every, &mem, &end.err);
  if (!bad && !plain && p->from && p->into) j.elsewhere = mem_strndup(&mem, MEM_OTHER, p->into, strlen(p->into));
  if (!bad && !plain) journal_add_part(&j, &(struct journal_part){"heard", h, save, load});
  struct search_setup setup = {.model = m, .store = p->store, .mem = &mem, .ladder = p->step_down_at != 0, .step_down_at = p->step_down_at, .comback_rung = p->comback, .disk_rung = p->disk_rung, .store_options = p->disk || p->comback_form ? &options : NULL,
                               .limits = {.states = p->states, .beyond_cover = 1, .interrupt = &h->interrupt}, .listeners = listeners, .listener_count = 1, .jobs = p->jobs, .rounds_from = p->jobs > 1 ? 2 : 0, .journal = plain ? NULL : &j};
  if (!bad && m && search_open(&s, p->type, &setup, &end.err) == 0) {
    end.opened = 1;
    mem.fail_after = p->fail_after;
    if (p->left) mem.budget = mem.used + p->left;
    if (p->gone) unlink(NAMED("%s.new", p->into)), rmdir(p->gone);
    search_run(s);
    mem.fail_after = 0;
    search_end_journal(s, 0);
    end.stop = s->stop;
    end.stats = s->stats;
    if (s->stop == STOP_FAULT) end.err = s->err;
    end.sealed = j.sealed.states;
    end.failed = j.file.failed;
  }
  search_close(s);
  journal_close(&j, end.opened && end.stop != STOP_DONE);
  model_close(m);
  if (mem.used) printf("# %zu bytes left\n", mem.used);
  end.failed |= mem.used ? -1 : 0;
  return end;
}

static const char *differ(const struct heard *a, const struct heard *b, const struct end *x, const struct end *y) {
  if (x->stats.states != y->stats.states) return "states";
  if (x->stats.transitions != y->stats.transitions || x->stats.deadlocks != y->stats.deadlocks || x->stats.expanded != y->stats.expanded) return "transitions, deadlocks or expanded states";
  if (x->stats.depth != y->stats.depth) return "depth";
  if (memcmp(a->count, b->count, sizeof a->count)) return "numbers of events";
  if (a->sum != b->sum) return "which states were told";
  if (a->depths != b->depths) return "depths that were told";
  if (a->successors != b->successors) return "which states were expanded";
  return NULL;
}

static const struct store_type *any_store(struct rng *r) {
  static const struct store_type *const stores[] = {&store_plain, &store_tree, &store_compact_tree, &store_collapse, &store_comback, &store_delta, &store_dfa};
  return stores[rng_below(r, sizeof stores / sizeof *stores)];
}

/* In parts until it is complete. What is wrong, or NULL. */
static const char *in_parts(const char *net, uint64_t seed, const struct search_type *type, struct rng *r, const struct heard *want, const struct end *whole, unsigned threads, int disk, size_t *parts, size_t *memory) {
  int there = 0;
  unlink(file);
  for (int n = 0; n < 40; n++) {
    struct part p = {.type = type, .store = any_store(r), .from = there ? file : NULL, .into = there ? NULL : file};
    struct heard h;
    p.jobs = threads ? 1 + (unsigned)rng_below(r, threads) : 0;
    unsigned how = n == 39 ? 9 : (unsigned)rng_below(r, 5);
    if (how == 0 || how == 1) p.states = 1 + rng_below(r, whole->stats.states + 1);
    if (how == 2) p.stop_after = 1 + rng_below(r, whole->stats.states);
    if (how == 3) p.fail_after = 1 + rng_below(r, 40);
    if (type == &search_bfs && rng_below(r, 3) == 0) {
      p.store = &store_plain;
      p.step_down_at = 1 + rng_below(r, whole->stats.states);
      p.comback = (unsigned)rng_below(r, 3);
    }
    if (disk) {
      p.disk = 1;
      p.trial = (struct disk_trial){.records = 10, .per_block = 4, .fan = 3};
      p.often = rng_below(r, 3) == 0;
      if (p.step_down_at) p.disk_rung = 1 + (unsigned)rng_below(r, 3);
      else if (rng_below(r, 2)) p.store = &store_disk;
      if (how == 4 && n < 30) p.trial.fail_at = 1 + rng_below(r, 60), p.trial.fail_with = 28; /* ENOSPC */
    }
    struct end end = run(net, seed, &h, &p, 0);
    if (getenv("TALK")) printf("# part %d: %s store %s states %llu stop_after %llu fail %zu down %llu/%u -> %s, %llu states, sealed %llu\n", n, there ? "resume" : "new", p.store->name, (unsigned long long)p.states, (unsigned long long)p.stop_after, p.fail_after, (unsigned long long)p.step_down_at, p.comback, end.opened ? search_stop_name(end.stop) : end.err.message, (unsigned long long)end.stats.states, (unsigned long long)end.sealed);
    if (end.failed) return "nothing is left behind, everything was written";
    if (!end.opened) continue; /* memory for the first buffers */
    ++*parts;
    *memory += end.stop == STOP_MEMORY || end.stop == STOP_DISK;
    if (end.stop == STOP_FAULT) return printf("# %s\n", end.err.message), "no fault";
    if (end.stop == STOP_DONE) return access(file, F_OK) == 0 ? "a complete search leaves no file" : differ(&h, want, &end, whole);
    if (end.stats.states > whole->stats.states) return "no invented states";
    there = access(file, F_OK) == 0;
    if (!there && end.stats.states && end.stop != STOP_MEMORY && end.stop != STOP_DISK) return "a limit leaves a file";
  }
  return "comes to an end";
}

/* What the folder for files holds. */
static int folder_is_empty(void) {
  DIR *d = opendir(folder);
  int n = 0;
  while (d && readdir(d)) n++;
  if (d) closedir(d);
  return n <= 2;
}

static void law_parts(const struct search_type *type, int count, unsigned threads, int disk) {
  int bad = 0, explored = 0;
  size_t parts = 0, memory = 0;
  for (int i = 0; i < count; i++) {
    struct heard want;
    struct part p = {.type = type, .store = &store_plain, .states = 6000, .jobs = threads ? 1 : 0};
    struct end whole = run(NULL, (uint64_t)i, &want, &p, 1);
    if (!whole.opened || whole.stop != STOP_DONE || whole.stats.states < 12) continue;
    explored++;
    for (uint64_t round = 0; round < 3; round++) {
      struct rng r = {(uint64_t)i * 3 + round + 77};
      const char *what = in_parts(NULL, (uint64_t)i, type, &r, &want, &whole, threads, disk, &parts, &memory);
      if (!what && disk && !folder_is_empty()) what = "no files are left";
      if (!what) continue;
      bad++;
      printf("# net %d, round %llu, %s: %s (%llu states)\n", i, (unsigned long long)round, type->name, what, (unsigned long long)whole.stats.states);
    }
  }
  is(bad, 0, NAMED("%s%s, threads %u: %d random nets in %zu parts, %zu of which memory or the disk ended", type->name, disk ? " and disk" : "", threads ? threads : 1, explored, parts, memory));
  ok(explored > count / 20 && parts > (size_t)explored * 4, "there were parts");
}

/* ---- files ------------------------------------------------------------------------------------------------------------------- */

static const char big_net[] = "a=7 b c d e=6 f g | t: a -> b; u: b -> c; v: c -> d; w: d -> a; x: e -> f; y: f -> g; z: g -> e; k: b + f -> c + g; l: d -> c";

/* A seal is due again and again while a turn goes on: it goes on all the same, and what it passes over again stays in proportion. */
static void law_seals_within_a_turn(void) {
  static const char large[] = "a=9 b c d e=8 f g | t: a -> b; u: b -> c; v: c -> d; w: d -> a; x: e -> f; y: f -> g; z: g -> e; k: b + f -> c + g; l: d -> c";
  struct heard want, h;
  struct part p = {.type = &search_bfs, .store = &store_plain}, on_disk = {.type = &search_bfs, .store = &store_disk, .into = file, .disk = 1, .often = 1, .trial = {.records = 10, .per_block = 4, .fan = 3}};
  struct end whole = run(large, 0, &want, &p, 1);
  unlink(file);
  alarm(100); /* the other outcome is no end at all */
  struct end end = run(large, 0, &h, &on_disk, 0);
  alarm(0);
  ok(end.opened && end.stop == STOP_DONE && !differ(&h, &want, &end, &whole), NAMED("sealed whenever it is possible: %llu states in %u layers", (unsigned long long)end.stats.states, (unsigned)end.stats.depth));
}

/* Memory that ends in the middle of a state, the first one of its layer, when only known successors have been told: what was sealed is gone on with, on disk as well. */
static void law_memory_in_the_middle(void) {
  static const char line[] = "p=4000 q | back: q -> p; on: p -> q";
  static const struct store_type *const stores[] = {&store_plain, &store_disk};
  struct heard want, h;
  struct part p = {.type = &search_bfs, .store = &store_plain};
  struct end whole = run(line, 0, &want, &p, 1);
  for (size_t i = 0; i < 2; i++) {
    int bad = 0, ended = 0;
    for (size_t left = 40000; left < 48000; left += 801) {
      struct part first = {.type = &search_bfs, .store = &store_plain, .into = file, .left = left};
      struct part second = {.type = &search_bfs, .store = stores[i], .from = file, .disk = 1, .trial = {.records = 100}};
      unlink(file);
      struct end end = run(line, 0, &h, &first, 0);
      if (!end.opened || end.stop != STOP_MEMORY || access(file, F_OK) != 0) continue;
      ended++;
      struct end rest = run(line, 0, &h, &second, 0);
      const char *what = !rest.opened ? rest.err.message : rest.stop != STOP_DONE ? search_stop_name(rest.stop) : differ(&h, &want, &rest, &whole);
      if (what && bad++ < 3) printf("# memory ended at %llu states, then store %s: %s\n", (unsigned long long)end.sealed, stores[i]->name, what);
    }
    unlink(file);
    ok(ended && !bad, NAMED("memory ended %d searches in the middle of a state, which went on with store %s", ended, stores[i]->name));
  }
}

/* The folder of the checkpoint goes while the search is on disk, and a seal is due in the middle of a turn that has everything in memory: it goes on without. */
static void law_folder_of_the_checkpoint_goes(void) {
  static const char large[] = "a=9 b c d e=8 f g | t: a -> b; u: b -> c; v: c -> d; w: d -> a; x: e -> f; y: f -> g; z: g -> e; k: b + f -> c + g; l: d -> c";
  char sub[320], inside[340];
  snprintf(sub, sizeof sub, "%s.sub", file);
  snprintf(inside, sizeof inside, "%s/ckpt", sub);
  struct heard want, h;
  struct part p = {.type = &search_bfs, .store = &store_plain}, on_disk = {.type = &search_bfs, .store = &store_disk, .into = inside, .disk = 1, .often = 1, .gone = sub};
  struct end whole = run(large, 0, &want, &p, 1);
  mkdir(sub, 0777);
  alarm(100); /* the other outcome is no end at all */
  struct end end = run(large, 0, &h, &on_disk, 0);
  alarm(0);
  ok(end.opened && end.stop == STOP_DONE && !differ(&h, &want, &end, &whole), NAMED("without the folder of the checkpoint: %s", search_stop_name(end.stop)));
  ok(access(sub, F_OK) != 0, "which is gone");
}

/* A search that begins anew with a wider layout, before and after the first seal: what it writes then can be gone on with. */
static void law_anew(void) {
  static const char wider[] = "a=30 b c=1 d | t: a -> 100 b ; u: b + c -> 50 d + c ; v: 5000 d -> ; w: c -> ";
  struct heard want, h;
  struct part p = {.type = &search_bfs, .store = &store_plain, .states = 40000};
  struct end whole = run(wider, 0, &want, &p, 1);
  for (int often = 0; often < 2; often++) {
    struct part first = {.type = &search_bfs, .store = &store_comback, .comback_form = "sets", .into = file, .states = 3000, .often = often}, second = {.type = &search_bfs, .store = &store_plain, .from = file, .states = 40000};
    unlink(file);
    struct end end = run(wider, 0, &h, &first, 0);
    ok(end.opened && end.stop == STOP_STATES && end.stats.layouts > 0 && end.sealed == end.stats.states, NAMED("states became wider, and %llu are sealed", (unsigned long long)end.sealed));
    end = run(wider, 0, &h, &second, 0);
    ok(end.opened && end.stop == whole.stop && !differ(&h, &want, &end, &whole), NAMED("gone on with: %.200s", end.opened ? "it can be" : end.err.message));
    unlink(file);
  }
}

/* An interrupt right after a turn was sealed in its middle: nobody waits until all is passed over that was told before. */
static void law_interrupted_after_a_seal(void) {
  static const char large[] = "a=12 b c d e=9 f g | t: a -> b; u: b -> c; v: c -> d; w: d -> a; x: e -> f; y: f -> g; z: g -> e; k: b + f -> c + g; l: d -> c";
  struct heard want, h;
  struct part p = {.type = &search_bfs, .store = &store_plain}, first = {.type = &search_bfs, .store = &store_disk, .into = file, .disk = 1, .often = 1, .at_seal = 1, .trial = {.records = 100}}, second = first;
  struct end whole = run(large, 0, &want, &p, 1);
  unlink(file);
  struct end end = run(large, 0, &h, &first, 0);
  ok(end.opened && end.stop == STOP_INTERRUPT && h.sealed_news && h.count[0] == h.sealed_news, NAMED("interrupted when %llu states were told, and %llu were", (unsigned long long)h.sealed_news, (unsigned long long)h.count[0]));
  second.from = file, second.into = NULL, second.at_seal = 0;
  end = run(large, 0, &h, &second, 0);
  ok(end.opened && end.stop == STOP_DONE && !differ(&h, &want, &end, &whole), "it can be gone on with");
  unlink(file);
}

/* A disk that is full: the search goes on, and what was sealed before stays good. */
static void law_full_disk(void) {
  struct heard want, h;
  struct part p = {.type = &search_bfs, .store = &store_plain};
  struct end whole = run(big_net, 0, &want, &p, 1);
  struct rlimit was, most;
  getrlimit(RLIMIT_FSIZE, &was);
  signal(SIGXFSZ, SIG_IGN);
  unlink(file);
  struct part first = {.type = &search_bfs, .store = &store_plain, .states = 900, .into = file};
  struct end end = run(big_net, 0, &h, &first, 0);
  struct stat info;
  stat(file, &info);
  int bad = 0, failed = 0;
  for (rlim_t more = 0; more < 1500; more += 13) {
    most = (struct rlimit){(rlim_t)info.st_size + more, was.rlim_max};
    setrlimit(RLIMIT_FSIZE, &most);
    struct part second = {.type = &search_bfs, .store = &store_plain, .from = file, .states = 1900};
    end = run(big_net, 0, &h, &second, 0);
    setrlimit(RLIMIT_FSIZE, &was);
    if (end.stop != STOP_STATES || end.stats.states < 1900) bad++; /* the search itself does not mind */
    failed += end.failed != 0;
    if (!end.failed) break; /* it had room: the file is another one now */
  }
  ok(failed > 10 && !bad, NAMED("a full disk: %d searches went on without it", failed));
  struct part third = {.type = &search_bfs, .store = &store_plain, .from = file};
  end = run(big_net, 0, &h, &third, 0);
  ok(end.opened && end.stop == STOP_DONE && !differ(&h, &want, &end, &whole), "what was there before is good");
  most = (struct rlimit){300, was.rlim_max};
  setrlimit(RLIMIT_FSIZE, &most);
  unlink(file);
  end = run(big_net, 0, &h, &first, 0);
  setrlimit(RLIMIT_FSIZE, &was);
  ok(end.opened && end.stop == STOP_STATES && end.failed && access(file, F_OK) != 0, "a first checkpoint that does not fit leaves nothing");
}

/* A journal of another net: edges that are not there, or lead to states that are known, or to others than the witnesses. (A net that has the same tree cannot be told by it: checkpoints know models by their texts.) */
static void law_other_model(void) {
  static const char *const nets[] = {
      "a=7 b c d e=6 f g | u: b -> c; t: a -> b; v: c -> d; w: d -> a; x: e -> f; y: f -> g; z: g -> e; k: b + f -> c + g; l: d -> c",
      "a=7 b c d e=6 f g | t: a -> b; u: b -> c; v: c -> a; w: d -> a; x: e -> f; y: f -> g; z: g -> e; k: b + f -> c + g; l: d -> c",
      "a=1 b | t: a -> b",
  };
  struct heard h;
  int found_out = 0;
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    struct part first = {.type = &search_bfs, .store = &store_plain, .states = 1800, .into = file}, second = {.type = &search_bfs, .store = &store_plain, .from = file};
    unlink(file);
    run(big_net, 0, &h, &first, 0);
    struct end end = run(nets[i], 0, &h, &second, 0);
    found_out += end.opened && end.stop == STOP_FAULT && strstr(end.err.message, "does not fit");
    unlink(file);
  }
  is(found_out, 3, "a journal of another net is found out");
}

/* Opened with every allocation refused in turn. */
static void law_starved(void) {
  struct heard h;
  struct part first = {.type = &search_bfs, .store = &store_plain, .states = 500, .into = file};
  unlink(file);
  run(big_net, 0, &h, &first, 0);
  int bad = 0;
  for (size_t n = 1; n < 8; n++) {
    struct mem mem;
    struct err e;
    struct journal j;
    mem_open(&mem, 0);
    err_clear(&e);
    mem.fail_after = n;
    if (journal_open(&j, file, 1, 1, NULL, NULL, &mem, &e) == 0) journal_close(&j, 1);
    else bad += e.kind != ERR_MEMORY;
    mem.fail_after = 0;
    bad += mem.used != 0;
    err_clear(&e);
    mem.fail_after = n;
    if (journal_create(&j, other, 1, &mem, &e) == 0) journal_close(&j, 0);
    else bad += e.kind != ERR_MEMORY;
    mem.fail_after = 0;
    bad += mem.used != 0;
  }
  is(bad, 0, "refused memory is an ordinary answer");
}

int main(void) {
  snprintf(file, sizeof file, "%s/journal-%ld.ckpt", scratch(), (long)getpid());
  snprintf(other, sizeof other, "%s/journal-%ld.other", scratch(), (long)getpid());
  snprintf(folder, sizeof folder, "%s/journal-%ld.states", scratch(), (long)getpid());
  law_parts(&search_bfs, often(90), 0, 0);
  law_parts(&search_bfs, often(70), 3, 0);
  law_parts(&search_dfs, often(90), 0, 0);
  law_parts(&search_bfs, often(50), 0, 1);
  law_parts(&search_bfs, often(30), 3, 1);
  law_seals_within_a_turn();
  law_memory_in_the_middle();
  law_folder_of_the_checkpoint_goes();
  law_anew();
  law_interrupted_after_a_seal();
  rmdir(folder);
  law_full_disk();
  law_other_model();
  law_starved();
  unlink(file);
  unlink(other);
  return done();
}
