/* pnml_bad.c -- what the PNML reader refuses: each with its place and the reason. */
#include "front/pnml/pnml.h"

#include "unit/front_read.h"

#define NET(type, body) "<pnml>\n<net id='n' type='" type "'>\n" body "\n</net></pnml>\n"
#define PT(body) NET("http://www.pnml.org/version-2009/grammar/ptnet", body)
#define PLACE "<place id='p'/>"
#define PAIR "<place id='p'/><transition id='t'/>\n"

static const struct bad table[] = {
    /* XML */
    {"an empty file", "", 1, 1, "no XML element"},
    {"text instead of XML", "place p = 1\n", 1, 1, "XML error"},
    {"a truncated file", "<pnml>\n<net id='n'>\n<place id='p'>", 3, 15, "the element that began in line 3 is not closed"},
    {"truncated in a tag", "<pnml>\n<net id='n'>\n<place id='p", 3, 1, "ends in the middle"},
    {"truncated in a comment", "<pnml><!-- ", 1, 7, "ends in the middle"},
    {"end tags in the wrong order", PT("<place id='p'></transition></place>"), 3, 17, "began in line 3"},
    {"two roots", "<pnml><net id='n'><place id='p'/></net></pnml><pnml/>", 1, 47, "XML error"},
    {"an attribute twice", PT("<place id='p' id='q'/>"), 3, 15, "XML error"},
    {"no UTF-8", PT("<place id='p\xff'/>"), 3, 13, "not valid UTF-8"},
    {"no UTF-8 in a text", PT("<place id='p'><name><text>a\xc3 b</text></name></place>"), 3, 28, "not valid UTF-8"},
    {"UTF-8 cut off at the end", "<pnml>\xc3", 1, 7, "ends in the middle"},
    {"a control character", PT("<place id='\x01'/>"), 3, 12, "XML error"},
    {"an unknown encoding", "<?xml version='1.0' encoding='KOI-42'?>\n<pnml/>", 1, 31, "the encoding \"KOI-42\" is not known"},
    {"an undefined entity", PT("<place id='&nbsp;'/>"), 3, 1, "undefined entity"},
    {"an undefined entity with a DOCTYPE", "<!DOCTYPE pnml SYSTEM 'x.dtd'><pnml><net id='n'><name><text>&auml;</text></name>", 1,
     61, "&auml;"},
    {"an entity bomb",
     "<!DOCTYPE pnml [\n<!ENTITY a 'aaaaaaaaaa'>\n<!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]>\n<pnml><net id='&b;'/></pnml>",
     1, 16, "declares entities"},
    {"default attributes", "<!DOCTYPE pnml [<!ATTLIST place id CDATA 'p'>]><pnml/>", 1, 16, "declares entities or attributes"},
    {"a prefix without a namespace", "<a:pnml/>", 1, 1, "unbound prefix"},

    /* what it is */
    {"another root", "\n<workspaceElements/>", 2, 1, "the root element is <workspaceElements>"},
    {"no net", "<pnml>\n<page/></pnml>", 0, 0, "no net"},
    {"an empty net", PT("<page id='g'/>"), 2, 1, "the net is empty"},
    {"a second net", "<pnml>\n<net id='n'><place id='p'/></net>\n<net id='m'/></pnml>", 3, 1,
     "second net; the first is in line 2"},
    {"a net class nobody knows", NET("urn:x/hybrid", PLACE), 2, 1, "the net class \"urn:x/hybrid\" is not known"},
    {"a coloured marking in a P/T net", PT("<place id='p'>\n<hlinitialMarking/></place>"), 4, 1,
     "<hlinitialMarking> belongs to high-level nets"},
    {"a coloured weight in a P/T net", PT(PAIR "<arc source='p' target='t'><hlinscription/></arc>"), 4, 28,
     "<hlinscription> belongs"},
    {"a guard", PT("<transition id='t'><condition/></transition>"), 3, 20, "<condition> belongs"},

    /* ids */
    {"a place without id", PT("<place/>"), 3, 1, "<place> has no id"},
    {"a transition without id", PT("<transition name='t'/>"), 3, 1, "<transition> has no id"},
    {"an empty id", PT("<place id=''/>"), 3, 1, "empty id"},
    {"two places with one id", PT(PLACE "\n<place id='p'/>"), 4, 1, "\"p\" is already taken by a place in line 3"},
    {"a place and a transition with one id", PT(PLACE "\n <transition id='p'/>"), 4, 2, "already taken"},
    {"an arc from nowhere", PT(PAIR "<arc id='a' source='x' target='t'/>"), 4, 1, "\"x\""},
    {"an arc to nowhere", PT(PAIR " <arc id='a' source='p' target='y'/>"), 4, 2, "\"y\""},
    {"an arc without source", PT(PAIR "<arc id='a' target='t'/>"), 4, 1, "<arc> has no source"},
    {"an arc without target", PT(PAIR "<arc id='a' source='p' target=''/>"), 4, 1, "<arc> has no target"},
    {"an arc between places", PT(PAIR "<place id='q'/><arc source='p' target='q'/>"), 4, 16, "two places"},
    {"an arc between transitions", PT(PAIR "<arc source='t' target='t'/>"), 4, 1, "two transitions"},
    {"a reference to nowhere", PT(PAIR "<referencePlace id='r' ref='x'/>"), 4, 1, "\"x\""},
    {"a reference to the wrong kind", PT(PAIR "<referencePlace id='r' ref='t'/>"), 4, 1, "transition"},
    {"references in a circle", PT("<place id='p'/>\n<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>"), 4, 1,
     "reference"},
    {"a reference without ref", PT("<referencePlace id='r'/>"), 3, 1, "has no ref"},

    /* numbers */
    {"a negative marking", PT("<place id='p'><initialMarking>\n<text> -1</text></initialMarking></place>"), 4, 8,
     "\"-1\" is negative"},
    {"a fractional marking", PT("<place id='p'><initialMarking><text>1.5</text></initialMarking></place>"), 3, 37,
     "\"1.5\" is not a whole number"},
    {"a huge marking", PT("<place id='p'><initialMarking><text>2147483648</text></initialMarking></place>"), 3, 37,
     "more than 2147483647"},
    {"a marking that is no number", PT("<place id='p'><initialMarking><text>\n\n  two</text></initialMarking></place>"), 5, 3,
     "\"two\" is not a number"},
    {"two numbers", PT("<place id='p'><initialMarking><text>1 2</text></initialMarking></place>"), 3, 37, "not a number"},
    {"a marking in an unknown form", PT("<place id='p'><initialMarking><token/></initialMarking></place>"), 3, 31, "<token>"},
    {"a negative weight", PT(PAIR "<arc source='p' target='t'><inscription><text>-2</text></inscription></arc>"), 4, 47,
     "\"-2\" is negative"},
    {"weight 0", PT(PAIR "<arc source='p' target='t'><inscription><text>0</text></inscription></arc>"), 4, 47, "\"0\" is 0"},
    {"a huge weight", PT(PAIR "<arc source='p' target='t'><inscription><text>99999999999999999999999</text></inscription></arc>"),
     4, 47, "more than"},
    {"a fractional weight", PT(PAIR "<arc source='p' target='t'><inscription><text>1e3</text></inscription></arc>"), 4, 47,
     "not a whole number"},
    {"weights that add up to too much",
     PT(PAIR "<arc source='p' target='t'><inscription><text>2147483647</text></inscription></arc>\n<arc source='p' target='t'/>"),
     5, 1, "more than"},

    /* arcs of other kinds */
    {"PIPE's inhibitor arc", PT(PAIR "<arc source='p' target='t'>\n<type value='inhibitor'/></arc>"), 5, 1, "kind \"inhibitor\""},
    {"ProM's reset arc", PT(PAIR "<arc source='p' target='t'><arctype><text>reset</text></arctype></arc>"), 4, 43,
     "kind \"reset\""},
    {"EPNML's read arc", PT(PAIR "<arc source='p' target='t'><type><text> read </text></type></arc>"), 4, 41, "kind \"read\""},
    {"TAPAAL's transport arc", PT(PAIR "<arc source='p' target='t' type='transport'/>"), 4, 1, "kind \"transport\""},
    {"a kind as attribute", PT(PAIR "<arc source='p' target='t' kind='inhibitor'/>"), 4, 1, "kind \"inhibitor\""},
    {"an attribute nobody knows", PT(PAIR "<arc source='p' target='t' inhibits='yes'/>"), 4, 1, "attribute \"inhibits\""},
    {"an element nobody knows", PT(PAIR "<arc source='p' target='t'><inhibitor/></arc>"), 4, 28, "element <inhibitor>"},
    {"arcs as elements of their own", PT(PAIR "<inhibitorArc source='p' target='t'/>"), 4, 1, "<inhibitorArc> is a kind of arc"},
    {"an interval as weight", PT(PAIR "<arc source='p' target='t' inscription='[0,inf)'/>"), 4, 1, "not a number"},

    /* what else changes the behaviour */
    {"a capacity", PT("<place id='p'><capacity><text>3</text></capacity></place>"), 3, 31, "capacity"},
    {"a time invariant", PT("<place id='p' invariant='&lt;= 3'/>"), 3, 1, "time invariant"},
    {"priorities",
     PT("<transition id='t'><priority><value>1</value></priority></transition>\n<transition "
        "id='u'><priority><value>2</value></priority></transition>"),
     4, 37, "priorities"},
    {"immediate and timed transitions",
     PT("<transition id='t'><timed><value>true</value></timed></transition>\n<transition "
        "id='u'><timed><value>false</value></timed></transition>"),
     4, 34, "timing"},
    {"a delay", PT("<transition id='t'><delay/></transition>"), 3, 20, "<delay>: timed nets"},
};

/* Texts that are too long or too deep are made here. */
static void large(const char *what, const char *before, char fill, size_t count, const char *after, size_t budget,
                  const char *message) {
  struct reading r = {0};
  size_t a = strlen(before), b = strlen(after);
  char *text = malloc(a + count + b);
  memcpy(text, before, a);
  memset(text + a, fill, count);
  memcpy(text + a + count, after, b);
  int status = read_bytes(&r, pnml_read, text, a + count + b, budget, 0);
  if (!ok(status == -1 && r.err.kind == ERR_INPUT && strstr(r.err.message, message) && r.mem.used == 0 && r.err.line == 3, what))
    printf("#   got %d, kind %d at %ld:%ld %s, used %zu\n", status, (int)r.err.kind, r.err.line, r.err.column, r.err.message,
           r.mem.used);
  free(text);
}

static void too_much(void) {
  const size_t budget = 24 << 20;
  const char *head = "<pnml>\n<net id='n'>\n";
  char before[200];
  snprintf(before, sizeof before, "%s<place id='", head);
  large("an identifier of 64 KB and one byte", before, 'x', 65537, "'/></net></pnml>", budget,
        "an identifier is longer than 65536 bytes");
  large("an identifier of 10 MB", before, 'x', 10 << 20, "'/></net></pnml>", budget, "longer than 4 MB");
  snprintf(before, sizeof before, "%s<place id='p'><name><text>", head);
  large("a name of 10 MB", before, 'x', 10 << 20, "</text></name></place></net></pnml>", budget, "longer than 65536 bytes");
  snprintf(before, sizeof before, "%s<place id='p'><initialMarking><text>", head);
  large("a number of 10 MB", before, '1', 10 << 20, "</text></initialMarking></place></net></pnml>", budget,
        "longer than 65536 bytes");
  snprintf(before, sizeof before, "%s<!--", head);
  large("a comment of 10 MB", before, 'x', 10 << 20, "--></net></pnml>", budget, "longer than 4 MB");
  snprintf(before, sizeof before,
           "%s<place id='p'/><toolspecific tool='nupn'><structure units='1' root='u'><unit id='u'><places>", head);
  large("a unit's place of 10 MB", before, 'x', 10 << 20, "</places></unit></structure></toolspecific></net></pnml>", budget,
        "longer than 65536 bytes");

  struct reading r = {0};
  enum { DEEP = 100000 };
  char *text = malloc(3 * DEEP + 100);
  size_t n = (size_t)sprintf(text, "<pnml><net id='n'><toolspecific>\n");
  for (int i = 0; i < DEEP; i++) memcpy(text + n, "<a>", 3), n += 3;
  ok(read_bytes(&r, pnml_read, text, n, budget, 0) == -1 && r.err.kind == ERR_INPUT &&
         strstr(r.err.message, "nested more than 1000 deep") && r.err.line == 2 && r.mem.used == 0,
     "100,000 open elements");
  free(text);

  text = malloc(12 << 20);
  n = (size_t)sprintf(text, "<pnml><net id='n'><place id='p'><name><text>");
  memset(text + n, ' ', 10 << 20);
  n += 10 << 20;
  n += (size_t)sprintf(text + n, "x</text></name></place></net></pnml>");
  is(read_bytes(&r, pnml_read, text, n, budget, 0), 0, "10 MB of white space before a name are nothing");
  read_done(&r);
  free(text);
}

static void excerpts(void) {
  struct reading r = {0};
  read_string(&r, pnml_read, PT("\t<place id='p'>\n\t<initialMarking><text>-7</text></initialMarking></place>"));
  is_text(r.err.excerpt, " <initialMarking><text>-7</text></initialMarking></place>", "the line is shown");
  is(r.err.caret, 23, "with the caret under the number");
  read_string(&r, pnml_read, PT(PAIR "   <arc id='a' source='nowhere' target='t'/>"));
  is_text(r.err.excerpt, "   <arc id='a' source='nowhere' target='t'/>", "also when the error is found at the very end");
  is(r.err.caret, 3, "with its caret");
  read_string(&r, pnml_read, PT("<place id='p'>\n<hlinitialMarking/></place>"));
  ok(strstr(r.err.hint, "symmetricnet"), "coloured labels in a plain net get a hint");
}

int main(void) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) refuse(pnml_read, &table[i]);
  too_much();
  excerpts();
  return done();
}
