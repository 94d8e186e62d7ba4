/* schema.c -- what the program writes as JSON is valid by the schemas in doc/formats.
 *
 * A validator for the part of JSON Schema that those use: type, enum, const, required, properties,
 * additionalProperties: false, items, minimum, and $ref into $defs.  An unknown keyword in a schema is an error, so that
 * nothing is believed to be checked that is not. */
#include "tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

static char where[700];
static json_t *root;

static int of_type(const json_t *v, const char *type) {
  if (strcmp(type, "object") == 0) return json_is_object(v);
  if (strcmp(type, "array") == 0) return json_is_array(v);
  if (strcmp(type, "string") == 0) return json_is_string(v);
  if (strcmp(type, "integer") == 0) return json_is_integer(v);
  if (strcmp(type, "number") == 0) return json_is_number(v);
  if (strcmp(type, "boolean") == 0) return json_is_boolean(v);
  return strcmp(type, "null") == 0 && json_is_null(v);
}

static int complain(const char *path, const char *what) {
  snprintf(where, sizeof where, "%s: %s", path, what);
  return 0;
}

static int valid(json_t *schema, json_t *v, const char *path);

static int valid_object(json_t *schema, json_t *v, const char *path) {
  json_t *properties = json_object_get(schema, "properties"), *one;
  const char *key;
  size_t i;
  json_array_foreach(json_object_get(schema, "required"), i, one) {
    if (!json_object_get(v, json_string_value(one))) return complain(path, json_string_value(one));
  }
  json_object_foreach(v, key, one) {
    char inner[300];
    json_t *part = json_object_get(properties, key);
    snprintf(inner, sizeof inner, "%.200s.%.90s", path, key);
    if (!part && json_is_false(json_object_get(schema, "additionalProperties"))) return complain(inner, "not in the schema");
    if (part && !valid(part, one, inner)) return 0;
  }
  return 1;
}

static int valid(json_t *schema, json_t *v, const char *path) {
  static const char *const known[] = {
      "$schema", "title",   "$defs", "type", "enum", "const", "required", "properties", "additionalProperties",
      "items",   "minimum", "$ref",  NULL};
  const char *key;
  json_t *part, *one;
  size_t i;
  json_object_foreach(schema, key, part) {
    int is_known = 0;
    for (size_t k = 0; known[k]; k++) is_known |= strcmp(known[k], key) == 0;
    if (!is_known) return complain(path, "a keyword that this test does not know");
  }
  const char *ref = json_string_value(json_object_get(schema, "$ref"));
  if (ref) return strncmp(ref, "#/$defs/", 8) == 0 && valid(json_object_get(json_object_get(root, "$defs"), ref + 8), v, path);
  if ((part = json_object_get(schema, "type"))) {
    int fits = json_is_string(part) && of_type(v, json_string_value(part));
    if (json_is_array(part)) json_array_foreach(part, i, one) fits |= of_type(v, json_string_value(one));
    if (!fits) return complain(path, "another type");
  }
  if ((part = json_object_get(schema, "const")) && !json_equal(part, v)) return complain(path, "another constant");
  if ((part = json_object_get(schema, "enum"))) {
    int found = 0;
    json_array_foreach(part, i, one) found |= json_equal(one, v);
    if (!found) return complain(path, "not among the values");
  }
  if ((part = json_object_get(schema, "minimum")) && json_is_number(v) && json_number_value(v) < json_number_value(part))
    return complain(path, "too small");
  if ((part = json_object_get(schema, "items")) && json_is_array(v)) {
    char inner[300];
    json_array_foreach(v, i, one) {
      snprintf(inner, sizeof inner, "%.200s[%zu]", path, i);
      if (!valid(part, one, inner)) return 0;
    }
  }
  return json_is_object(v) ? valid_object(schema, v, path) : 1;
}

static char folder[] = "/tmp/thimble-schema-XXXXXX";

/* Runs thimble with the arguments and validates what it writes, or the file it writes. */
static void check(const char *schema_name, const char *arguments, const char *file, const char *what) {
  char command[1200], path[300];
  const char *program = getenv("THIMBLE");
  char *here = realpath(".", NULL), *binary = realpath(program ? program : "build/thimble", NULL);
  snprintf(command, sizeof command, "EXAMPLES='%s/examples'; STORY='%s/tests/models/story'; cd '%s' && '%s' %s 2>/dev/null </dev/null", here, here,
           folder, binary ? binary : "thimble", arguments);
  FILE *f = popen(command, "r");
  json_error_t e;
  json_t *v = json_loadf(f, JSON_REJECT_DUPLICATES, &e);
  while (fgetc(f) != EOF) continue;
  pclose(f);
  if (file) {
    json_decref(v);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    v = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
  }
  snprintf(path, sizeof path, "doc/formats/%s.schema.json", schema_name);
  root = json_load_file(path, 0, &e);
  int good = root && v && valid(root, v, schema_name);
  if (!ok(good, what)) printf("# %s\n", v && root ? where : e.text);
  json_decref(v);
  json_decref(root);
  free(here);
  free(binary);
}

static void validator(void) {
  root = json_pack("{s:s, s:[s], s:{s:{s:s, s:i}}, s:b}", "type", "object", "required", "a", "properties", "a", "type", "integer",
                   "minimum", 1, "additionalProperties", 0);
  static const char *const bad[] = {"{}", "{\"a\":0}", "{\"a\":\"x\"}", "{\"a\":1,\"b\":2}", "[]", NULL};
  for (size_t i = 0; bad[i]; i++) {
    json_t *v = json_loads(bad[i], 0, NULL);
    ok(!valid(root, v, "x"), bad[i]);
    json_decref(v);
  }
  json_t *v = json_loads("{\"a\":1}", 0, NULL);
  ok(valid(root, v, "x"), "{\"a\":1}");
  json_decref(v);
  json_decref(root);
}

/* A model of the test's own, in its folder. */
static void model(const char *name, const char *text) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  int bad = !f || fputs(text, f) < 0;
  if (f) bad |= fclose(f);
  ok(!bad, name);
}

int main(void) {
  validator();
  if (!mkdtemp(folder)) return 1;
  model("deep.pml", "byte x[12]; active [12] proctype count() { do :: x[_pid] < 9 -> x[_pid]++; assert(x[0] + x[1] + x[2] + x[3] + x[4] + x[5] < 50) od }\n");
  model("apart.pml", "active [9] proctype count() { byte x; do :: x < 9 -> x++ :: else -> break od }\n");
  check("verdict", "check --json --memory 3M deep.pml", NULL, "found by the scout");
  check("verdict", "check --json --memory 1M apart.pml", NULL, "reduced because the whole had no room");
  check("verdict", "check --json --reduce auto $EXAMPLES/philosophers.net", NULL, "reductions, and why some are not used");
  check("verdict", "check --json $EXAMPLES/philosophers.net", NULL, "a violation");
  check("trace", "check $EXAMPLES/philosophers.net", "philosophers.trace.json", "its trace");
  check("verdict", "check --json --invariant 'eats1 <= 0' --continue --stats $EXAMPLES/philosophers.net", NULL, "several");
  check("trace", "check --no-deadlock --reachable 'eats1 >= 1' -o w.json $EXAMPLES/philosophers.net", "w.json", "a witness");
  check("verdict", "check --json $EXAMPLES/mutex.pnml", NULL, "a net that holds");
  check("verdict", "check --json --certificate mutex.cert $EXAMPLES/mutex.pnml", NULL, "a certificate");
  check("verdict", "check --json --certificate none.cert --max-states 3 $EXAMPLES/mutex.pnml", NULL, "none");
  check("verdict", "check --json $EXAMPLES/unbounded.net", NULL, "an unbounded net");
  check("verdict", "check --json --max-states 3 $EXAMPLES/mutex.pnml", NULL, "a limit");
  check("verdict", "check --json $EXAMPLES/graph.aut", NULL, "an explicit graph");
  check("verdict", "check --json missing.net", NULL, "a missing model");
  check("verdict", "check --json --stats $STORY/exchange.pml", NULL, "coverage");
  check("verdict", "check --json --memory 10k $EXAMPLES/mutex.pnml", NULL, "hardly any memory");
  check("trace", "simulate --random 30 -o run.json $EXAMPLES/weights.net", "run.json", "a simulation");
  check("graph", "graph -f json $EXAMPLES/philosophers.net", NULL, "a graph");
  check("graph", "graph -f json --max-states 3 $EXAMPLES/philosophers.net", NULL, "a part of one");
  check("info", "info --json $EXAMPLES/philosophers.net", NULL, "info");
  check("info", "info --json --invariants $EXAMPLES/weights.net", NULL, "invariants");
  check("info", "info --json --bounds $EXAMPLES/unbounded.net", NULL, "bounds");
  check("info", "info --json $EXAMPLES/graph.aut", NULL, "info of a graph");
  check("info", "info --json $EXAMPLES/trams.pnml", NULL, "info of a symmetric net");
  check("info", "info --json --unfold never $EXAMPLES/trams.pnml", NULL, "and with its colours");
  check("trace", "check --unfold never $EXAMPLES/trams.pnml", "trams.trace.json", "a trace with colours");
  check("info", "info --json --progress $EXAMPLES/weights.net", NULL, "progress of a net");
  check("info", "info --json --progress $EXAMPLES/graph.aut", NULL, "progress of a graph, which has none");
  check("info", "info --json --progress --progress-measure '2 * H2O' $EXAMPLES/weights.net", NULL, "progress as given");
  check("verdict", "check --json $STORY/many.pml", NULL, "assertions of processes");
  check("verdict", "check --continue --json $STORY/claims.pml", NULL, "claims");
  check("verdict", "check --json --continue --ctl 'AG EF (1 == 1)' --ctl 'EF AX (1 == 0)' --no-progress --no-acceptance $STORY/exchange.pml", NULL, "branching and cycles");
  check("trace", "check $STORY/exchange.pml", "exchange.trace.json", "a trace of processes");
  check("trace", "check $STORY/slots.pml", "slots.trace.json", "with many kinds of them");
  check("trace", "simulate --random 30 -o meeting.json $STORY/meeting.dve", "meeting.json", "and a simulation");
  check("info", "info --json $STORY/exchange.pml", NULL, "info of processes");
  check("graph", "graph -f json $STORY/exchange.pml", NULL, "a graph of processes");
  check("graph", "graph -f json --minimise strong $STORY/exchange.pml", NULL, "the smallest one that behaves like it");
  check("graph-summary", "graph --summary --json $EXAMPLES/philosophers.net", NULL, "what a graph is like");
  check("graph-summary", "graph --summary --json $STORY/exchange.pml", NULL, "and one of processes");
  check("graph-summary", "graph --summary --json $EXAMPLES/telephones.cpnt", NULL, "and a coloured one");
  check("verdict", "check --json $EXAMPLES/simple-protocol.cpnt", NULL, "a state space report");
  check("verdict", "check --json --max-states 100 $EXAMPLES/telephones.cpnt", NULL, "a partial one");
  check("verdict", "check --json --space-report $STORY/exchange.pml", NULL, "one of processes");
  check("verdict", "check --json --strategy 'keep !(inside && up)' --strategy 'reach inside' $EXAMPLES/crossing.net", NULL, "games");
  check("strategy", "check --strategy 'keep !(inside && up)' $EXAMPLES/crossing.net", "crossing.strategy.json", "a strategy");
  check("strategy", "check -D N=8 --strategy 'reach sticks == 0 && theirs' $EXAMPLES/nim.pml", "nim.strategy.json", "one of the environment");
  check("trace", "check -D N=8 --strategy 'reach sticks == 0 && theirs' $EXAMPLES/nim.pml", "nim.trace.json", "and its play");
  check("verdict", "check --json -m 4M -D phones=5 $EXAMPLES/telephones.cpnt", NULL, "one without a graph");
  check("compare", "compare --json $EXAMPLES/philosophers.net $EXAMPLES/philosophers.net", NULL, "two models that are the same");
  check("compare", "compare --json $EXAMPLES/philosophers.net $EXAMPLES/graph.aut", NULL, "two that are not, and a play");
  check("compare", "compare --json -e trace $EXAMPLES/philosophers.net $EXAMPLES/graph.aut", NULL, "words");
  check("compare", "compare --json $EXAMPLES/graph.aut $EXAMPLES/unbounded.net", NULL, "no whole graph");
  check("ltl", "ltl --json '[] (request -> <> grant)'", NULL, "a formula");
  check("ltl", "ltl --json --negate --acceptance states 'G (a == b[1]) | false'", NULL, "its negation");
  check("bench", "bench $STORY --database b.db -r 2 --json", NULL, "a bench");
  check("bench-compare", "bench compare 1 1 --database b.db --json", NULL, "a comparison of runs");
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command)) printf("# %s stays\n", folder);
  return done();
}
