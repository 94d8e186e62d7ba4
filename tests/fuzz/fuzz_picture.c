/* fuzz_picture.c -- any bytes as an SVG picture of a small net: no crash, no lost memory, an error says why; what is passed on is well-formed, and nothing in it runs or loads.  Then once
 * more with one allocation refused. */
#define _GNU_SOURCE /* strcasestr */
#include "fuzz.h"
#include "report/picture.h"
#include "search/stepper.h"

#include <expat.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char net[] = "net n\nplace a = 2, b\nplace \"long name\"\ntransition move : a -> b\ntransition \"go on\" : b -> \"long name\"\n";

static void XMLCALL harmless(void *context, const XML_Char *name, const XML_Char **attribute) {
  (void)context;
  demand(strcasecmp(name, "script") != 0 && strcasecmp(name, "foreignObject") != 0 && strcmp(name, "a") != 0);
  for (; *attribute; attribute += 2) {
    demand(strncasecmp(attribute[0], "on", 2) != 0);
    const char *local = strrchr(attribute[0], ':') ? strrchr(attribute[0], ':') + 1 : attribute[0];
    if (strcasecmp(local, "href") == 0) demand(attribute[1][0] == '#' || strncmp(attribute[1], "data:image/", 11) == 0);
    if (strcmp(attribute[0], "style") == 0) demand(!strcasestr(attribute[1], "url(h") && !strchr(attribute[1], '\\'));
  }
}

static void all(const uint8_t *data, size_t size, struct mem *m, size_t refuse) {
  struct model *model = NULL;
  struct picture *p = NULL;
  struct stepper s = {0};
  struct err e;
  err_clear(&e);
  FILE *in = fmemopen((void *)(uintptr_t)net, strlen(net), "r");
  struct front_setup setup = {.mem = m, .file = "fuzz", .input = in};
  demand(front_find("net")->load(&model, &setup, &e) == 0);
  fclose(in);
  m->fail_after = refuse;
  in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : fopen("/dev/null", "r");
  demand(in);
  int bad = picture_read(&p, in, "fuzz", m, &e);
  fclose(in);
  demand(bad ? !p && e.message[0] : p != NULL);
  if (p && p->svg.count) {
    XML_Parser x = XML_ParserCreate(NULL);
    XML_SetStartElementHandler(x, harmless);
    demand(XML_Parse(x, p->svg.at, (int)p->svg.count, 1) == XML_STATUS_OK);
    XML_ParserFree(x);
  }
  if (p && picture_tie(p, model, &e) == 0 && stepper_open(&s, model, m, &e) == 0) {
    struct json_out j;
    FILE *out = fopen("/dev/null", "w");
    json_out_open(&j, out, 0);
    json_out_object(&j, NULL);
    picture_write_json(p, &j);
    picture_look_json(p, s.cursor, s.state, &j);
    json_out_end(&j);
    json_out_close(&j);
    fclose(out);
  }
  m->fail_after = 0;
  stepper_close(&s);
  picture_close(p);
  model->type->close(model);
  demand(m->used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mem m;
  mem_open(&m, BUDGET);
  all(data, size, &m, 0);
  all(data, size, &m, fuzz_pick(data, size));
  return 0;
}
