/* pnml.c -- what the PNML reader takes, and how. */
#include "front/pnml/pnml.h"

#include "unit/front_read.h"

#define TYPE " type=\"http://www.pnml.org/version-2009/grammar/ptnet\""
#define OPEN "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\"><net id=\"n\"" TYPE "><page id=\"g\">"
#define CLOSE "</page></net></pnml>"

static const char *const full =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE pnml>\n"
    "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n"
    "<net id=\"n1\"" TYPE ">\n<name><text> a net \n</text></name>\n"
    "<toolspecific tool=\"other\" version=\"1\"><place id=\"p\"/><arc/></toolspecific><toolspecific/>\n"
    "<page id=\"g1\"><name><text>page</text></name>\n"
    "<arc id=\"a0\" source=\"p\" target=\"t\"><inscription><graphics><offset x=\"1\" y=\"2\"/></graphics><text>\n 2 "
    "\t</text></inscription></arc>\n"
    "<place id=\"p\"><name><graphics><offset x=\"0\" y=\"0\"/></graphics><text>&lt;P&gt;&#246;</text></name>"
    "<graphics><position x=\"12.5\" y=\"-3\"/><dimension x=\"1\" y=\"1\"/></graphics>"
    "<initialMarking><toolspecific tool=\"x\"><text>9</text></toolspecific><text>  0012 </text></initialMarking></place>\n"
    "<page id=\"g2\"><page id=\"g3\">"
    "<transition id=\"t\"><graphics><position x=\"1e2\" y=\".5\"/></graphics></transition>"
    "<referencePlace id=\"rp\" ref=\"rp2\"><name><text>again</text></name></referencePlace></page>"
    "<referencePlace id=\"rp2\" ref=\"p\"/><referenceTransition id=\"rt\" ref=\"t\"/></page>\n"
    "<place id=\"q\"/><place id=\"r\"><initialMarking><text>2147483647</text></initialMarking></place>"
    "<arc source=\"rt\" target=\"rp\"><inscription><text>3</text></inscription></arc>\n"
    "<arc source=\"t\" target=\"q\"/><arc source=\"t\" target=\"q\"><inscription><text/></inscription></arc>\n"
    "</page></net>\n</pnml>\n";

static void everything(void) {
  struct reading r = {0};
  is(read_string(&r, pnml_read, full), 0, "a net with all there is");
  if (!r.net) {
    printf("# %ld:%ld %s\n", r.err.line, r.err.column, r.err.message);
    return;
  }
  struct pt_net *n = r.net;
  is_text(n->name, "a net", "its name, without the blanks around it");
  is(n->places, 3, "places");
  is(n->transitions, 1, "transitions");
  is(n->arcs, 3, "arcs, parallel ones merged");
  is_text(n->place_name[0], "<P>\xc3\xb6", "a name with entities");
  is_text(n->place_name[1], "q", "a missing name is the id");
  is(n->initial[0], 12, "a marking with blanks and zeros");
  is(n->initial[1], 0, "no marking");
  is(n->initial[2], 2147483647, "the largest marking");
  is(n->pre[0].weight, 2, "a weight with blanks");
  is(n->post[0].place, 0, "an arc through references leads to the place");
  is(n->post[0].weight, 3, "with its weight");
  is(n->post[1].weight, 2, "two parallel arcs, one with an empty weight");
  ok(n->place_xy[0].x == 12.5f && n->place_xy[0].y == -3, "position of a place");
  ok(n->transition_xy[0].x == 100 && n->transition_xy[0].y == 0.5f, "position of a transition");
  is(n->place_at[0].line, 11, "the line of a place");
  is(n->units, 0, "no units");
  is_text(r.warning, "", "nothing to warn of");
  ok(read_done(&r), "all memory came back");
}

/* ---- dialects and tolerance -------------------------------------------------------- */

static void takes(const char *text, uint32_t places, uint32_t transitions, uint32_t arcs, const char *what) {
  struct reading r = {0};
  int status = read_string(&r, pnml_read, text);
  if (!ok(status == 0 && r.net->places == places && r.net->transitions == transitions && r.net->arcs == arcs, what))
    printf("#   %ld:%ld: %s\n", r.err.line, r.err.column, r.err.message);
  ok(read_done(&r), "all memory came back");
}

static void dialects(void) {
  takes("<pnml><net id='n' type='P/T net'><place id='p'><initialMarking><value>Default,1</value></initialMarking>"
        "<capacity><value>0</value></capacity></place><transition "
        "id='t'><timed><value>false</value></timed><priority><value>1</value>"
        "</priority><rate><value>1.0</value></rate></transition><arc id='a' source='p' "
        "target='t'><inscription><value>Default,1</value>"
        "</inscription><tagged><value>false</value></tagged><arcpath id='1' x='3'/><type value='normal'/></arc></net></pnml>",
        1, 1, 1, "PIPE: no namespace, no page, values");
  takes("<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/pnmlcoremodel'><page id='g'><place "
        "id='p'><initialMarking><text>1"
        "</text></initialMarking></place><transition id='t'/><arc id='a' source='p' "
        "target='t'><name><text>1</text></name><arctype><text>"
        "normal</text></arctype></arc></page><finalmarkings><marking><place "
        "idref='p'><text>0</text></place></marking></finalmarkings></net></pnml>",
        1, 1, 1, "ProM: the core model, arc types, final markings");
  takes(
      "<pnml xmlns='http://www.informatik.hu-berlin.de/top/pnml/ptNetb'><net active='true' id='n' type='P/T net'>"
      "<place id='p' initialMarking='3' invariant='&lt; inf' name='p' positionX='3'/><transition id='t' name='t' urgent='false'/>"
      "<arc id='a' inscription='1' source='p' target='t' type='normal' weight='2'/></net></pnml>",
      1, 1, 1, "TAPAAL: attributes");
  takes("<x:pnml xmlns:x='http://www.pnml.org/version-2009/grammar/pnml' xmlns:y='urn:other'><x:net id='n'><y:place/><x:place "
        "id='p'>"
        "<y:initialMarking>x</y:initialMarking></x:place></x:net></x:pnml>",
        1, 0, 0, "prefixes, a foreign vocabulary, no class");
  takes("<pnml><net xmlns='http://www.pnml.org/version-2009/grammar/pnml' id='n' type=''><transition id='t'/></net></pnml>", 0, 1,
        0, "a namespace that begins late; transitions only");
  takes(OPEN "<place id='p'><initialMarking>7</initialMarking></place><place id='\xc3\xa4'/>" CLOSE, 2, 0, 0,
        "bare text, an id beyond ASCII");
  takes("<?xml version='1.0' encoding='ISO-8859-1'?><pnml><net id='n'><place id='\xe4'/></net></pnml>", 1, 0, 0, "ISO-8859-1");
  takes(OPEN "<place id='p'><initialMarking><text><!-- a -->1<![CDATA[2]]></text></initialMarking></place>" CLOSE, 1, 0, 0,
        "text in pieces around a comment and in CDATA");

  struct reading r = {0};
  read_string(&r, pnml_read,
              OPEN "<place id='p'><initialMarking><text><!-- a -->1<![CDATA[2]]>3</text></initialMarking></place>" CLOSE);
  is(r.net ? r.net->initial[0] : 0, 123, "and it is one number");
  read_done(&r);
  read_string(
      &r, pnml_read,
      "<pnml><net id='n'><place id='p' initialMarking='3'><initialMarking><text>4</text></initialMarking></place></net></pnml>");
  is(r.net ? r.net->initial[0] : 0, 4, "an element wins over the attribute");
  is_text(r.net ? r.net->name : "", "n", "a net without a name is called by its id");
  read_done(&r);
}

/* Text that expat hands over in pieces because a buffer ends inside it. */
static void chunks(void) {
  size_t good = 0, tried = 0;
  for (size_t shift = 65536 - 340; shift < 65536 + 20; shift += 3) {
    struct reading r = {0};
    size_t room = shift + strlen(full) + 10;
    char *text = malloc(room);
    const char *root = strstr(full, "<pnml");
    int head = (int)(root - full);
    int n = snprintf(text, room, "%.*s<!--", head, full);
    memset(text + n, 'x', shift);
    snprintf(text + n + shift, room - (size_t)n - shift, "-->%s", root);
    int status = read_bytes(&r, pnml_read, text, strlen(text), 0, 0);
    tried++;
    good += status == 0 && r.net->initial[0] == 12 && r.net->pre[0].weight == 2 &&
            strcmp(r.net->place_name[0], "<P>\xc3\xb6") == 0 && strcmp(r.net->name, "a net") == 0;
    good -= !read_done(&r);
    free(text);
  }
  is(good, tried, "a chunk may end anywhere");
}

/* ---- nested units ------------------------------------------------------------------- */

#define NUPN(attributes, units)                                                                                                  \
  OPEN "<place id='a'/><place id='b'><initialMarking><text>1</text></initialMarking></place><place id='c'/><toolspecific "       \
       "tool='nupn' version='1.1'>"                                                                                              \
       "<size places='3' transitions='0' arcs='0'/><structure " attributes ">" units "</structure></toolspecific>" CLOSE
#define U2                                                                                                                       \
  "<unit id='u0'><places> c </places><subunits>\n u1</subunits></unit><unit id='u1'><places>a\n\tb</places><subunits/></unit>"

static void units(void) {
  struct reading r = {0};
  read_string(&r, pnml_read, NUPN("units='2' root='u0' safe='true'", U2));
  ok(r.net && r.net->units == 2 && r.net->declared_safe, "two units");
  ok(r.net && r.net->unit_of[0] == 1 && r.net->unit_of[1] == 1 && r.net->unit_of[2] == 0 && r.net->unit[1].parent == 0,
     "the right ones");
  is_text(r.warning, "", "no warning");
  read_done(&r);
  static const struct {
    const char *what, *text, *warning;
  } broken[] = {
      {"a lie about the number of units", NUPN("units='3' root='u0' safe='true'", U2), "announced"},
      {"no root", NUPN("units='2' safe='true'", U2), "root"},
      {"another root", NUPN("units='2' root='u7' safe='true'", U2), "root"},
      {"no number", NUPN("root='u0'", U2), "announced"},
      {"a place twice",
       NUPN("units='2' root='u0'",
            "<unit id='u0'><places>a b</places><subunits>u1</subunits></unit><unit id='u1'><places>b c</places></unit>"),
       "twice"},
      {"a place missing", NUPN("units='1' root='u0'", "<unit id='u0'><places>a b</places></unit>"), "no unit"},
      {"an unknown place", NUPN("units='1' root='u0'", "<unit id='u0'><places>a b c d</places></unit>"), "does not have"},
      {"a unit without id", NUPN("units='1' root='u0'", "<unit><places>a b c</places></unit>"), "no id"},
      {"a cycle",
       NUPN("units='2' root='u0'",
            "<unit id='u0'><places>a b c</places></unit><unit id='u1'><places/><subunits>u1</subunits></unit>"),
       "itself"},
      {"two structures", NUPN("units='2' root='u0'", U2 "</structure><structure units='2' root='u0'>"), "two structures"},
  };
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    int status = read_string(&r, pnml_read, broken[i].text);
    if (!ok(status == 0 && r.net->units == 0 && !r.net->declared_safe && strstr(r.warning, "not used") &&
                strstr(r.warning, broken[i].warning) && r.warning_line == 1,
            broken[i].what))
      printf("#   status %d, %s, warning: %s\n", status, r.err.message, r.warning);
    ok(read_done(&r), "all memory came back");
  }
  is(read_string(&r, pnml_read, OPEN "<place id='p'/><toolspecific tool='nupn' version='1'/>" CLOSE), 0, "an empty tool part");
  is_text(r.warning, "", "which is no reason for a warning");
  read_done(&r);
}

/* ---- overrides ---------------------------------------------------------------------- */

static void overrides(void) {
  struct reading r = {0};
  struct front_override one = {"P\xc3\xb6", "5"}, *o = &one;
  const char *text = OPEN "<place id='p'><name><text>P\xc3\xb6</text></name></place><place id='queue'/>" CLOSE;
  r.setup.markings = o;
  r.setup.marking_count = 1;
  is(read_string(&r, pnml_read, text), 0, "--marking by name");
  is(r.net ? r.net->initial[0] : 0, 5, "sets the marking");
  read_done(&r);
  static const struct {
    const char *name, *value, *message, *hint;
  } wrong[] = {
      {"queu", "1", "no place \"queu\"", "\"queue\""}, {"zzzzzzzz", "1", "no place", ""}, {"p", "-1", "is negative", ""},
      {"p", "2147483648", "more than 2147483647", ""}, {"p", "1.5", "whole", ""},         {"p", "x", "not a number", ""},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    *o = (struct front_override){wrong[i].name, wrong[i].value};
    int status = read_string(&r, pnml_read, text);
    ok(status == -1 && r.err.kind == ERR_USAGE && strstr(r.err.message, wrong[i].message) && strstr(r.err.hint, wrong[i].hint),
       wrong[i].message);
    ok(read_done(&r), "all memory came back");
  }
  *o = (struct front_override){"a", "1"};
  is(read_string(&r, pnml_read, NUPN("units='2' root='u0' safe='true'", U2)), 0, "a changed marking");
  ok(r.net && r.net->units == 2 && !r.net->declared_safe && strstr(r.warning, "not taken to be safe"),
     "takes the promise of safety away");
  read_done(&r);
  r.setup = (struct front_setup){.defines = o, .define_count = 1};
  ok(read_string(&r, pnml_read, text) == -1 && r.err.kind == ERR_USAGE, "PNML has no parameters");
}

int main(void) {
  everything();
  dialects();
  chunks();
  units();
  overrides();
  starve(pnml_read, full, "every allocation may be refused");
  starve(pnml_read, NUPN("units='2' root='u0' safe='true'", U2), "with units too");
  return done();
}
