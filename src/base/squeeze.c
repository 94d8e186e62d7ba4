/* squeeze.c -- see squeeze.h. */
#define ZSTD_STATIC_LINKING_ONLY
#include "base/squeeze.h"

#include <zstd.h>

enum { LEVEL = 1 };

/* Settings under which a context never needs more memory than it was given. */
static ZSTD_CCtx_params *settings(size_t block) {
  ZSTD_CCtx_params *p = ZSTD_createCCtxParams();
  ZSTD_compressionParameters c = ZSTD_getCParams(LEVEL, block, 0);
  if (!p) return NULL;
  ZSTD_CCtxParams_init(p, LEVEL);
  ZSTD_CCtxParams_setParameter(p, ZSTD_c_windowLog, (int)c.windowLog);
  ZSTD_CCtxParams_setParameter(p, ZSTD_c_hashLog, (int)c.hashLog);
  ZSTD_CCtxParams_setParameter(p, ZSTD_c_chainLog, (int)c.chainLog);
  ZSTD_CCtxParams_setParameter(p, ZSTD_c_contentSizeFlag, 0);
  return p;
}

int squeeze_open(struct squeeze *s, size_t block, struct mem *mem, enum mem_tag tag) {
  *s = (struct squeeze){.mem = mem};
  ZSTD_CCtx_params *p = settings(block);
  if (!p) return -1;
  size_t pack = ZSTD_estimateCCtxSize_usingCCtxParams(p), unpack = ZSTD_estimateDCtxSize();
  s->bytes = pack + unpack;
  s->pack = mem_alloc(mem, tag, pack + 64);
  s->unpack = mem_alloc(mem, tag, unpack + 64);
  ZSTD_CCtx *z = s->pack ? ZSTD_initStaticCCtx(s->pack, pack + 56) : NULL;
  int bad = !z || !s->unpack || !ZSTD_initStaticDCtx(s->unpack, unpack + 56) || ZSTD_isError(ZSTD_CCtx_setParametersUsingCCtxParams(z, p));
  ZSTD_freeCCtxParams(p);
  if (!bad) return 0;
  squeeze_close(s);
  return -1;
}

void squeeze_close(struct squeeze *s) {
  if (!s->mem) return;
  mem_free(s->mem, s->pack);
  mem_free(s->mem, s->unpack);
  *s = (struct squeeze){0};
}

size_t squeeze_bound(size_t bytes) { return ZSTD_compressBound(bytes); }

size_t squeeze_pack(struct squeeze *s, const void *data, size_t bytes, void *out, size_t room, const char **why) {
  size_t packed = ZSTD_compress2(s->pack, out, room, data, bytes);
  *why = ZSTD_isError(packed) ? ZSTD_getErrorName(packed) : NULL;
  return *why ? 0 : packed;
}

size_t squeeze_unpack(struct squeeze *s, const void *data, size_t bytes, void *out, size_t room) {
  size_t got = ZSTD_decompressDCtx(s->unpack, out, room, data, bytes);
  return ZSTD_isError(got) ? 0 : got;
}
