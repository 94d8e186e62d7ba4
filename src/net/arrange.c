/* arrange.c -- widths: see arrange.h.
 *
 * A place with a proven bound gets the bits of that bound.  A net that is declared safe (NUPN) gets
 * one bit per place and codes for its units, but nothing is taken on trust: firing checks what is not
 * proven.  All other places begin with the bits that they needed in a short random walk.  When a value
 * does not fit, that place gets more bits, or the declaration that proved false is given up. */
#include "net/arrange.h"

#include "base/bits.h"
#include "net/fire.h"

#include <assert.h>
#include <string.h>

/* Row operations spent on semiflows before a net is packed: well under a second. */
#define SEMIFLOW_EFFORT 20000000
#define BASIS_EFFORT 200000000
/* Random steps to see how full places without a bound get, and the most bits given on such evidence. */
#define WALK_STEPS 200000
#define WALK_BITS 6
/* Bits from which on loose bounds are not believed; layouts after which a place that outgrows its field takes along all with bounds that are as narrow, and after which bounds are believed. */
#define NARROW_FROM 256
#define NARROW_ONE_BY_ONE 12
#define NARROW_UNTIL 24
/* Places of all layouts so far: from here on those without a bound are taken along, too. */
#define LAYOUTS_TAKE_TIME (1 << 23)

static void set_widths(struct arrangement *m) {
  for (uint32_t p = 0; p < m->net->places; p++) {
    uint32_t bound = m->proven[p];
    if (m->use_units && bound > 1) bound = 1;
    if (bound == PT_NONE) bound = m->net->initial[p] ? m->net->initial[p] : 1;
    m->width[p] = bits_for(bound);
  }
}

/* Is the declaration at least true of the initial marking? */
static int declaration_plausible(const struct pt_net *n) {
  if (!n->units || !n->declared_safe) return 0;
  for (uint32_t u = 0; u < n->units; u++) {
    uint64_t tokens = 0;
    for (uint32_t i = 0; i < n->unit[u].place_count; i++) tokens += n->initial[n->unit_places[n->unit[u].first_place + i]];
    if (tokens > 1) return 0;
  }
  return 1;
}

static int plan(struct arrangement *m, int rough, struct plan **out, struct err *e) {
  struct packing_setup setup = {m->net, &m->structure, m->semiflows.mem ? &m->semiflows : NULL, m->width, m->use_units, rough};
  return plan_make(out, &setup, m->mem, e);
}

static int lay_out(struct arrangement *m, struct plan *plan, struct layout **out, struct err *e) {
  if (layout_make(out, m->net, plan, m->structure.dead, m->structure.constant, m->width, m->proven, m->mem, e)) return -1;
  (*out)->serial = ++m->layouts;
  return 0;
}

/* Bounds that the structure and the semiflows prove. */
static int prove_bounds(struct arrangement *m, struct err *e) {
  const struct pt_net *n = m->net;
  m->proven = mem_alloc(m->mem, MEM_MODEL, (n->places + 1) * sizeof *m->proven);
  m->width = mem_alloc(m->mem, MEM_MODEL, (n->places + 1) * sizeof *m->width);
  if (!m->proven || !m->width) return err_memory(e, "the bounds of places");
  memset(m->proven, 0xff, n->places * sizeof *m->proven);
  struct err quiet; /* too little memory for flows only costs bits */
  err_clear(&quiet);
  if (flows_semi(&m->semiflows, n, FLOW_PLACES, m->mem, SEMIFLOW_EFFORT, &quiet) == 0) {
    struct flows basis = {0};
    if (!m->semiflows.complete && flows_basis(&basis, n, FLOW_PLACES, m->mem, BASIS_EFFORT, &quiet) == 0)
      flows_mend(&m->semiflows, &basis, n, m->mem, &quiet);
    flows_close(&basis);
    flows_bounds(&m->semiflows, n, m->proven);
  }
  for (uint32_t p = 0; p < n->places; p++)
    if (m->structure.most[p] < m->proven[p]) m->proven[p] = m->structure.most[p];
  mem_trim(); /* the rows of the elimination are gone; the packing may need the room */
  return 0;
}

/* Is there a place without a bound? */
static int guesses(const struct arrangement *m) {
  for (uint32_t p = 0; p < m->net->places; p++)
    if (m->proven[p] == PT_NONE && !m->use_units) return 1;
  return 0;
}

/* How full places get in a random walk: most of what a search will see. */
static int look_ahead(struct arrangement *m, uint32_t *peak, struct err *e) {
  struct plan *rough = NULL; /* for the walk any plan will do */
  struct layout *l = NULL;
  struct fire f;
  int status = plan(m, 1, &rough, e);
  if (!status) status = lay_out(m, rough, &l, e);
  plan_close(rough);
  if (status) return -1;
  status = fire_open_watching(&f, l, m->mem);
  if (!status) status = fire_walk(&f, WALK_STEPS, peak);
  if (!status) fire_close(&f);
  layout_close(l);
  return status ? err_memory(e, "a look at the first markings") : 0;
}

static void widen_guesses(struct arrangement *m, const uint32_t *peak) {
  for (uint32_t p = 0; p < m->net->places; p++) {
    uint32_t bits = bits_for(peak[p]);
    if (bits > WALK_BITS) bits = WALK_BITS;
    if (m->proven[p] == PT_NONE && bits > m->width[p]) m->width[p] = bits;
  }
}

/* Where proven bounds are loose: the bits that the walk needed, to be widened when that proves too few. */
static void narrow_widths(struct arrangement *m, const uint32_t *peak) {
  for (uint32_t p = 0; p < m->net->places; p++) {
    uint32_t bits = bits_for(peak[p]), least = bits_for(m->net->initial[p] ? m->net->initial[p] : 1);
    if (bits < least) bits = least;
    if (bits < m->width[p]) m->width[p] = bits;
  }
}

/* Chooses widths and a plan: by the bounds; and if that makes long vectors, by what a walk needed, if that saves a quarter.
 * (Short ones gain little, and conversions late in a run cost more than they save.) */
static int choose(struct arrangement *m, struct plan **out, struct err *e) {
  size_t bytes = (m->net->places + 1) * sizeof(uint32_t);
  uint32_t *peak = mem_alloc(m->mem, MEM_ANALYSIS, bytes), *safe = mem_alloc(m->mem, MEM_ANALYSIS, bytes);
  struct plan *narrow = NULL;
  int walked = 0, status = peak && safe ? 0 : err_memory(e, "the packing of markings");
  set_widths(m);
  if (!status && guesses(m)) {
    status = look_ahead(m, peak, e);
    walked = 1;
    if (!status) widen_guesses(m, peak);
  }
  if (!status) status = plan(m, 0, out, e);
  if (!status && (*out)->bits > NARROW_FROM && !m->use_units) {
    memcpy(safe, m->width, bytes - sizeof *safe);
    if (!walked) status = look_ahead(m, peak, e);
    if (!status) {
      narrow_widths(m, peak);
      status = plan(m, 0, &narrow, e);
    }
    if (!status && narrow->bits <= (*out)->bits / 4 * 3) {
      plan_close(*out);
      *out = narrow;
    } else {
      plan_close(narrow);
      memcpy(m->width, safe, bytes - sizeof *safe);
    }
    if (status) plan_close(*out);
  }
  mem_free(m->mem, peak);
  mem_free(m->mem, safe);
  return status;
}

int arrange_layout(struct arrangement *m, struct layout **out, struct err *e) {
  struct plan *p = NULL;
  if (choose(m, &p, e)) return -1;
  int status = lay_out(m, p, out, e);
  plan_close(p);
  mem_trim();
  return status;
}

/* The largest value that the formula of an implied place gives in this layout. */
static uint64_t most_implied(const struct layout *now, uint32_t p) {
  const struct plan *plan = now->plan;
  int64_t sum = 0;
  for (size_t i = plan->term_start[p]; i < plan->term_start[p + 1]; i++) {
    uint32_t q = plan->term[i].place;
    const struct field *f = &now->field[now->place_field[q]];
    int64_t most = f->single ? (int64_t)bits_mask(f->width) : 1, initial = now->net->initial[q];
    sum += plan->term[i].factor * (plan->term[i].factor > 0 ? most - initial : -initial);
  }
  return now->net->initial[p] + (uint64_t)(sum / plan->divisor[p]);
}

/* The declaration does not hold: pack as if it had not been made. A place that followed from others may have held more than one token unnoticed; it may have a field of its own now, in which all states so far must fit. */
static int without_units(struct arrangement *m, const struct layout *now, struct plan **out, struct err *e) {
  m->use_units = 0;
  set_widths(m);
  for (uint32_t p = 0; p < m->net->places; p++) {
    if (now->plan->kind[p] != PLACE_IMPLIED || m->proven[p] != PT_NONE) continue;
    uint64_t most = most_implied(now, p);
    uint32_t bits = bits_for(most < PT_MAX_COUNT ? most : PT_MAX_COUNT);
    if (bits > m->width[p]) m->width[p] = bits;
  }
  return plan(m, 0, out, e);
}

int arrange_again(struct arrangement *m, const struct layout *now, int use_units, const uint32_t *width, struct layout **out, struct err *e) {
  struct plan *next = now->plan;
  if (use_units && !m->use_units) return err_internal(e, "units that are none");
  for (uint32_t p = 0; p < m->net->places; p++)
    if (width[p] > bits_for(PT_MAX_COUNT)) return err_internal(e, "a place that is too wide");
  if (m->use_units && !use_units) {
    if (without_units(m, now, &next, e)) return -1;
  } else next->users++;
  memcpy(m->width, width, m->net->places * sizeof *width);
  int status = lay_out(m, next, out, e);
  plan_close(next);
  return status;
}

/* Bits that a place can ever need. */
static uint32_t most_bits(const struct arrangement *m, uint32_t p) { return bits_for(m->proven[p] == PT_NONE ? PT_MAX_COUNT : m->proven[p]); }

/* One place has outgrown its field.  Where many do so, one by one, those that are as narrow are next: in a large net each new state may outgrow another.  Whenever some are taken along, all become wider than that one was, so that this ends after as many layouts as a count has bits. */
static void widen_place(struct arrangement *m, uint32_t place, uint32_t wide) {
  uint32_t narrow = m->width[place];
  int large = m->layouts * m->net->places > LAYOUTS_TAKE_TIME;
  m->width[place] = wide;
  for (uint32_t q = 0; (large || m->layouts > NARROW_ONE_BY_ONE) && q < m->net->places; q++) {
    uint32_t most = most_bits(m, q), bounded = m->proven[q] != PT_NONE, w = m->width[q];
    if (bounded && m->layouts > NARROW_UNTIL) w = most;
    else if ((bounded || large) && w && w <= narrow) w = wide < most ? wide : most;
    if (w > m->width[q]) m->width[q] = w;
  }
}

int arrange_wider(struct arrangement *m, const struct layout *now, uint32_t place, int64_t tokens, struct layout **out,
                  struct err *e) {
  struct plan *next = NULL;
  if (m->use_units) {
    if (without_units(m, now, &next, e)) return -1;
  } else {
    assert(place != PT_NONE);
    if (tokens > (int64_t)PT_MAX_COUNT) {
      struct place_in_text where = {m->net->file, m->net->place_at[place].line, m->net->place_at[place].column};
      return err_input(e, where, "place %s gets more than 2147483647 tokens", m->net->place_name[place]);
    }
    widen_place(m, place, bits_for((uint64_t)tokens));
    next = now->plan;
    next->users++;
  }
  int status = lay_out(m, next, out, e);
  plan_close(next);
  return status;
}

void arrange_bounds(struct arrangement *m, const uint32_t *bounds) {
  for (uint32_t p = 0; p < m->net->places; p++)
    if (bounds[p] < m->proven[p]) m->proven[p] = bounds[p];
}

int arrange_open(struct arrangement *m, const struct pt_net *net, struct mem *mem, struct err *e) {
  *m = (struct arrangement){.mem = mem, .net = net, .use_units = declaration_plausible(net)};
  if (structure_open(&m->structure, net, mem, e) == 0 && prove_bounds(m, e) == 0) return 0;
  arrange_close(m);
  return -1;
}

void arrange_close(struct arrangement *m) {
  if (!m->mem) return;
  structure_close(&m->structure);
  flows_close(&m->semiflows);
  mem_free(m->mem, m->proven);
  mem_free(m->mem, m->width);
  *m = (struct arrangement){0};
}
