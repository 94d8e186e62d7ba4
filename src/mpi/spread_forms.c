/* spread_forms.c -- see spread.h: what is the same for all ranks: the model they see, the form in which states travel, the layout when a state does not fit. */
#include "base/hash.h"
#include "mpi/spread.h"
#include "search/stepper.h"

#include <stdlib.h>

enum { SAME_STEPS = 64 };

/* What a short walk meets, in values: another file on one machine, or another reduction, shows here and not in wrong figures. *full: there was no memory to go on. */
static uint64_t sign_of_model(struct search *s, int *full) {
  const struct model *m = s->model;
  struct stepper step = {0};
  struct err e;
  uint64_t sign = hash_pair(m->vars, m->groups);
  uint8_t *form = NULL;
  size_t room = 0;
  err_clear(&e);
  *full = 0;
  if (!m->type->pack) return sign;
  if (stepper_open(&step, s->model, s->mem, &e)) *full = 1;
  for (unsigned i = 0; i < SAME_STEPS && !*full && stepper_expand(&step, &e) == 0 && step.batch.count; i++) {
    size_t need = m->type->pack(m, step.state, form, room);
    if (need > room) {
      mem_free(s->mem, form);
      form = mem_alloc(s->mem, MEM_SEARCH, room = 2 * need);
      *full = !form;
      if (!form) break;
      m->type->pack(m, step.state, form, room);
    }
    uint32_t k = (uint32_t)(sign % step.batch.count);
    sign = hash_pair(sign ^ hash_bytes(form, need), hash_pair(step.batch.count, step.batch.group[k]));
    if (stepper_take(&step, k, NULL, &e) != 1) break;
  }
  *full |= e.kind == ERR_MEMORY;
  mem_free(s->mem, form);
  stepper_close(&step);
  return sign;
}

int spread_same_model(struct search *s) {
  int full;
  uint64_t sign = sign_of_model(s, &full);
  if (ranks_all(s->ways.ranks, !full)) return ranks_alike(s->ways.ranks, sign);
  s->stop = STOP_MEMORY;
  return -1;
}

/* ---- forms ---------------------------------------------------------------------------------------------------------------------- */

uint64_t spread_layout(const struct search *s) {
  const struct model_type *type = s->model->type;
  uint64_t sign = type->layout_sign ? type->layout_sign(s->model) : 0;
  return sign ? hash_pair(sign, (uint64_t)s->model->words << 32 | s->model->bits) : 0;
}

int spread_agree_on_forms(struct search *s) {
  struct spread *p = spread_of(s);
  const struct model_type *type = s->model->type;
  uint64_t sign = spread_layout(s);
  if (getenv("THIMBLE_RANKS_PORTABLE")) p->words_differ = 1; /* tests: ranks that do not pack alike are rare */
  int same = p->words_differ || !sign ? 0 : ranks_alike(p->ranks, sign);
  if (same < 0) return -1;
  p->x.portable = p->x.count > 1 && !same;
  if (!p->x.portable || (type->pack && type->unpack)) return 0;
  err_usage(&s->err, "this %s has no form in which states can go from one process to another", type->kind);
  s->stop = STOP_FAULT;
  return -1;
}

/* The cursor that met it remembers more than this state, which others do not know: it is met again by another. */
int spread_widen_by(struct search *s, const uint32_t *words) {
  const struct model_type *type = s->model->type;
  struct model_cursor *cursor = NULL;
  struct model_batch batch = {0};
  int status = type->cursor_open(&cursor, s->model, s->mem) == 0 && model_batch_open(&batch, s->mem, s->model->words, 64) == 0 ? 0 : -1;
  if (!status && type->successors(cursor, words, &batch) == MODEL_WIDEN) {
    status = type->widen(s->model, cursor, &s->err) == 0 ? 1 : -1;
    if (status > 0) type->widen_done(s->model, 1);
  }
  if (batch.mem) model_batch_close(&batch);
  if (cursor) type->cursor_close(cursor);
  return status;
}

int spread_widen_together(struct search *s, unsigned who) {
  struct spread *p = spread_of(s);
  const struct model_type *type = s->model->type;
  uint64_t number = p->wide_number;
  size_t bytes = s->model->words * sizeof *p->words;
  if (ranks_tell(p->ranks, who, &number, sizeof number) || ranks_tell(p->ranks, who, p->words, bytes)) return -1;
  if (type->covers && !s->limits.beyond_cover) { /* is it larger than a state on its way? */
    struct search_move move = spread_moving(p);
    if (spread_path(s, who, number, &p->given) < 0) return -1;
    move.state = p->given.count;
    move.words = spread_source(p, 0);
    if (p->given.edge && search_find_cover(s, &move)) return -1;
    mem_free(s->mem, p->given.edge);
    p->given = (struct search_path){0};
  }
  keep_wide(s, spread_source(p, 0));
  int widened = spread_widen_by(s, spread_source(p, 0));
  if (!widened) p->words_differ = 1;
  int fault = s->err.kind == ERR_INPUT; /* a value beyond all numbers: all ranks meet it */
  s->stop = fault ? STOP_FAULT : STOP_MEMORY;
  if (!ranks_all(p->ranks, widened >= 0)) return -1;
  uint64_t differ = (uint64_t)p->words_differ;
  if (ranks_max(p->ranks, &differ, 1)) return -1;
  p->words_differ |= differ != 0;
  s->stop = STOP_DONE;
  return 0;
}

