/* external_keep.c -- a search on disk and its journal: files instead of a tree.
 *
 * A seal needs no end of a layer: between two batches everything is in the store, which brings it to files (store/disk_keep.c), and the journal names them in a part of its own:
 *
 *     1 | layout: sign, words, bits, bytes | first number | depth | where layers begin | the store        (0: the search is over)
 *
 * Files hold states as words, which mean something only together with the layout that the model had.  So the layout is kept, too, and the model of whoever goes on takes it over before any state is read; its sign must be the same then. */
#include "search/external_inside.h"

#include "search/journal.h"
#include "store/disk_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char part_name[] = "disk";
enum { LAYERS_MOST = 1 << 18, LAYOUT_MOST = 64 << 20 };

int external_keeps(const struct model *m) { return m->type->layout_sign && m->type->layout_sign(m) && (!m->type->widen || m->type->layout_keep); }

/* ---- sealing ---------------------------------------------------------------------------------------------------------- */

/* Where the checkpoint is, from the root, for the folder of the files. 0, or -1. */
static int find_keeper(const struct journal *j, char *path, struct disk_keeper *out) {
  char folder[PATH_MAX];
  const char *name = j->file.name, *slash = strrchr(name, '/');
  size_t length = slash ? (size_t)(slash - name) + 1 : 0;
  if (length >= sizeof folder) return -1;
  memcpy(folder, name, length);
  strcpy(folder + length, length ? "" : ".");
  if (!realpath(folder, path) || strlen(path) + strlen(name + length) + 2 > PATH_MAX) return -1;
  strcat(strcat(path, "/"), name + length);
  *out = (struct disk_keeper){path, j->file.nonce};
  return 0;
}

/* Of a model whose layout never changes there is nothing to keep. 0, or -1: memory. */
static int take_layout(struct external *x, const struct model *m) {
  size_t length = m->type->layout_keep ? m->type->layout_keep(m, NULL, 0) : 0;
  uint8_t *layout = mem_resize(x->search->mem, MEM_SEARCH, x->layout, length + 1);
  if (!layout) return -1;
  x->layout = layout;
  x->layout_bytes = length;
  if (length) m->type->layout_keep(m, layout, length);
  return 0;
}

static int settle_files(void *context) {
  struct external *x = context;
  struct search *s = x->search;
  char path[PATH_MAX], folder[PATH_MAX];
  struct disk_keeper keeper;
  if (find_keeper(s->journal, path, &keeper) || take_layout(x, s->model) || disk_folder(s->store, folder, sizeof folder) || journal_set_folder(s->journal, folder)) return -1;
  x->failed = disk_keep(s->store, &keeper) != 0;
  x->named = !x->failed;
  return x->failed ? -1 : 0;
}

static void files_sealed(void *context, int named) {
  struct external *x = context;
  disk_kept(x->search->store, named);
  x->named = 0;
}

static void save(void *context, struct records *r) {
  const struct external *x = context;
  const struct model *m = x->search->model;
  records_put_number(r, (uint64_t)x->named);
  if (!x->named) return;
  uint64_t about[5] = {m->type->layout_sign(m), m->words, m->bits, x->first_number, x->depth};
  records_put(r, about, sizeof about);
  records_put_number(r, x->layout_bytes);
  records_put(r, x->layout, x->layout_bytes);
  size_t layers = x->layer.count <= LAYERS_MOST ? x->layer.count : 0; /* of more there are no paths */
  records_put_number(r, layers);
  records_put(r, x->layer.at, layers * sizeof *x->layer.at);
  disk_save(x->search->store, r);
}

int external_watch(struct external *x, struct search *s) {
  struct journal *j = s->journal;
  if (!j) return 0;
  x->search = s;
  if (!external_keeps(s->model)) {
    if (!j->why) j->why = EXTERNAL_CANNOT_KEEP;
    return 0;
  }
  j->files = (struct journal_files){x, settle_files, files_sealed};
  return journal_add_part(j, &(struct journal_part){part_name, x, save, NULL});
}

void external_leave(struct external *x, struct search *s) {
  if (s->journal && x->search) {
    journal_drop_part(s->journal, part_name);
    s->journal->files = (struct journal_files){0};
  }
  mem_free(s->mem, x->layout);
}

int external_seal_due(const struct external *x, const struct search *s) { return s->journal && x->search && s->journal->files.settle && (journal_due(s->journal) || x->soon); }

int external_seal(struct external *x, struct search *s) {
  x->soon = 0;
  s->stats.states = s->store->type->count(s->store);
  search_seal(s);
  return x->failed ? external_failed(s) : 0;
}

/* ---- going on ---------------------------------------------------------------------------------------------------------- */

struct again { /* what was read */
  struct mem *mem;
  int there;
  uint64_t sign, words, bits, first_number, depth;
  uint8_t *layout;
  size_t layout_bytes;
  uint64_t *layer;
  size_t layers;
  struct disk_kept *store;
};

static int load(void *context, struct records *r) {
  struct again *a = context;
  uint64_t about[5], length, layers;
  if (!records_get_number(r)) return r->failed ? JOURNAL_NOT_THAT : 0;
  records_get(r, about, sizeof about);
  length = records_get_number(r);
  if (r->failed || length > r->left || length > LAYOUT_MOST) return JOURNAL_NOT_THAT;
  a->sign = about[0], a->words = about[1], a->bits = about[2], a->first_number = about[3], a->depth = about[4];
  if (!(a->layout = mem_alloc(a->mem, MEM_SEARCH, (size_t)length + 1))) return JOURNAL_MEMORY;
  a->layout_bytes = (size_t)length;
  records_get(r, a->layout, a->layout_bytes);
  layers = records_get_number(r);
  if (r->failed || layers > LAYERS_MOST || layers > r->left / sizeof *a->layer) return JOURNAL_NOT_THAT;
  if (!(a->layer = mem_alloc(a->mem, MEM_SEARCH, (size_t)(layers + 1) * sizeof *a->layer))) return JOURNAL_MEMORY;
  a->layers = (size_t)layers;
  records_get(r, a->layer, a->layers * sizeof *a->layer);
  for (size_t i = 0; i < a->layers; i++)
    if (i ? a->layer[i] < a->layer[i - 1] : a->layer[0] != 0) return JOURNAL_NOT_THAT;
  int status = disk_kept_read(&a->store, r, a->mem);
  a->there = !status;
  return status == -2 ? JOURNAL_MEMORY : status;
}

/* The model packs states as it did then. 0, or -1 with err. */
static int same_layout(struct search *s, const struct again *a) {
  const struct model_type *type = s->model->type;
  int taken = external_keeps(s->model) && type->layout_keep ? type->layout_take(s->model, a->layout, a->layout_bytes) : 0;
  if (taken == -2) return err_memory(&s->err, "the layout of states");
  if (!external_keeps(s->model) || taken || type->layout_sign(s->model) != a->sign || s->model->words != a->words ||
      s->model->bits != a->bits) {
    err_io(&s->err, s->journal->file.name, "states cannot be packed as they were when the checkpoint was written");
    err_hint(&s->err, "how they are packed may depend on the budget: try the one of the first run, or more");
    return -1;
  }
  return 0;
}

/* The folder, where the user says that it is now, or where it was. */
static int open_store(struct search *s, const struct again *a, int carries) {
  char path[PATH_MAX], folder[PATH_MAX];
  struct disk_keeper keeper;
  const char *was = disk_kept_folder(a->store), *name = strrchr(was, '/'), *dir = s->store_options ? s->store_options->disk : NULL;
  if (find_keeper(s->journal, path, &keeper)) return err_io(&s->err, s->journal->file.name, "the name of its folder is too long");
  if (snprintf(folder, sizeof folder, "%s%s", dir && name ? dir : "", dir && name ? name : was) >= (int)sizeof folder) return err_io(&s->err, s->journal->file.name, "the name of the folder of states is too long");
  struct store_setup setup = {.words = s->model->words, .bits = s->model->bits, .mem = s->mem, .err = &s->err, .stats = &s->stats, .options = s->store_options};
  return disk_open_kept(&s->store, &setup, a->store, folder, &keeper, carries, search_wanted(s, EVENT_SEEN));
}

static int not_that(struct search *s) {
  if (!s->err.kind) err_io(&s->err, s->journal->file.name, "the checkpoint is damaged: what it says of files cannot be read");
  s->stop = s->err.kind == ERR_MEMORY ? STOP_MEMORY : STOP_FAULT;
  s->stats.states = journal_states(&s->journal->from);
  return s->stop == STOP_MEMORY ? search_not_rejoined(s, 0) : -1;
}

static int go_on(struct external **out, struct search *s, struct again *a) {
  char folder[PATH_MAX];
  mem_free(s->mem, s->reserve);
  s->reserve = NULL;
  s->store->type->close(s->store); /* an empty one, for states of another width perhaps */
  s->store = NULL;
  if (same_layout(s, a)) return not_that(s);
  s->ladder = 0;
  s->rung[0] = store_disk.name;
  s->rungs = 1;
  if (external_open(out, s)) return search_not_rejoined(s, 0); /* before the store judges what memory there is */
  if (open_store(s, a, external_carries(s))) return not_that(s);
  struct external *x = *out;
  x->first_number = a->first_number;
  x->depth = a->depth;
  x->layer.at = a->layer;
  x->layer.count = x->layer.room = a->layers;
  a->layer = NULL;
  if (search_rejoined(s)) return -1;
  s->partial = 0;
  if (external_watch(x, s) || disk_folder(s->store, folder, sizeof folder) || journal_set_folder(s->journal, folder)) return external_failed(s);
  if (!s->limits.depth || x->depth < s->limits.depth) return 1;
  s->stop = STOP_DEPTH;
  return -1;
}

int external_rejoin(struct external **out, struct search *s) {
  struct again a = {.mem = s->mem};
  int status = journal_load_part(s->journal, &(struct journal_part){part_name, &a, NULL, load});
  if (status == JOURNAL_MEMORY) err_memory(&s->err, "a checkpoint");
  status = status ? not_that(s) : a.there ? go_on(out, s, &a) : 0;
  mem_free(s->mem, a.layout);
  mem_free(s->mem, a.layer);
  disk_kept_free(a.store);
  return status;
}

char *external_folder(struct journal *j, struct mem *mem) {
  struct again a = {.mem = mem};
  char *folder = NULL;
  if (journal_load_part(j, &(struct journal_part){part_name, &a, NULL, load}) == 0 && a.there) folder = mem_strndup(mem, MEM_SEARCH, disk_kept_folder(a.store), strlen(disk_kept_folder(a.store)));
  mem_free(mem, a.layout);
  mem_free(mem, a.layer);
  disk_kept_free(a.store);
  return folder;
}
