/* json_tree.c -- see json_tree.h. */
#include "report/json_tree.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct mem *tree_mem;
static int tree_refused; /* jansson does not always say that memory was what it lacked */

/* jansson's lexer writes out of bounds when its buffer is refused room, so it is never refused: from the first refusal on it gets what it asks for
   from outside of the budget and no more input (`fill`), which ends it within the kilobyte that it has read ahead. */
struct spare {
  struct spare *next;
  max_align_t block[];
};
static struct spare *tree_spare;

static void *tree_alloc(size_t bytes) {
  void *block = tree_refused ? NULL : mem_alloc(tree_mem, MEM_OTHER, bytes);
  if (block) return block;
  tree_refused = 1;
  struct spare *s = malloc(sizeof *s + bytes);
  if (!s) return NULL;
  s->next = tree_spare;
  tree_spare = s;
  return s->block;
}

static void tree_free(void *block) {
  for (struct spare **s = &tree_spare; block && *s; s = &(*s)->next)
    if ((*s)->block == block) {
      struct spare *gone = *s;
      *s = gone->next;
      free(gone);
      return;
    }
  mem_free(tree_mem, block);
}

static void budget_begin(struct mem *mem) {
  assert(!tree_mem);
  tree_mem = mem;
  tree_refused = 0;
  json_set_alloc_funcs(tree_alloc, tree_free);
}

static void budget_end(void) {
  json_set_alloc_funcs(malloc, free);
  tree_mem = NULL;
}

static size_t fill(void *buffer, size_t room, void *file) { return tree_refused ? 0 : fread(buffer, 1, room, file); }

int json_tree_open(json_t **out, FILE *in, const char *name, struct mem *mem, struct err *e) {
  json_error_t fault;
  char text[200];
  budget_begin(mem);
  json_t *root = json_load_callback(fill, in, 0, &fault);
  int bad = 0;
  if (ferror(in)) bad = err_io(e, name, "cannot be read");
  else if (tree_refused) bad = err_memory(e, "reading a file");
  else if (!root) bad = err_input(e, (struct place_in_text){name, fault.line, fault.column}, "not JSON: %s", err_quote(text, sizeof text, fault.text, strlen(fault.text)));
  if (!bad) {
    *out = root;
    return 0;
  }
  json_decref(root);
  budget_end();
  return -1;
}

void json_tree_close(json_t *root) {
  if (!root) return;
  json_decref(root);
  budget_end();
}
