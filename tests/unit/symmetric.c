/* symmetric.c -- symmetric nets in PNML: what is read and what it unfolds to, what is refused and where. */
#include "front/pnml/pnml.h"

#include "colour/colour.h"
#include "colour/redraw.h"
#include "colour/unfold.h"
#include "net/pt_model.h"
#include "oracle.h"
#include "unit/front_read.h"

#define HEAD "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>\n"
#define DECLARED(body) "<declaration><structure><declarations>" body "</declarations></structure></declaration>\n"
#define RING "<namedsort id='R'><cyclicenumeration><feconstant id='r1'/><feconstant id='r2'/><feconstant id='r3'/></cyclicenumeration></namedsort>"
#define RANGE "<namedsort id='N'><finiteintrange start='-1' end='1'/></namedsort>"
#define PAIR "<namedsort id='P'><productsort><usersort declaration='R'/><usersort declaration='N'/></productsort></namedsort>"
#define X "<variabledecl id='x'><usersort declaration='R'/></variabledecl>"
#define Y "<variabledecl id='y'><usersort declaration='N'/></variabledecl>"
#define S(t) "<subterm>" t "</subterm>"
#define VAR(v) "<variable refvariable='" v "'/>"
#define OP(c) "<useroperator declaration='" c "'/>"
#define ALL(s) "<all><usersort declaration='" s "'/></all>"
#define ONE(t) "<numberof>" S("<numberconstant value='1'><positive/></numberconstant>") S(t) "</numberof>"
#define PLACE(id, sort, marking) "<place id='" id "'><type><structure><usersort declaration='" sort "'/></structure></type>" marking "</place>"
#define MARKED(t) "<hlinitialMarking><structure>" t "</structure></hlinitialMarking>"
#define WITH(t) "<condition><structure>" t "</structure></condition>"
#define ARC(from, to, t) "<arc id='" from to "' source='" from "' target='" to "'><hlinscription><structure>" t "</structure></hlinscription></arc>\n"
#define END "</net></pnml>"
#define ALL_DECLARED DECLARED(RING RANGE PAIR X Y)

/* ---- what is read -------------------------------------------------------------------------------------------------------------- */

static const struct {
  const char *what, *text;
  uint32_t places, transitions;
  size_t states, edges;
} good[] = {
    /* a token goes round: three colours */
    {"a ring", HEAD ALL_DECLARED PLACE("p", "R", MARKED(ONE(OP("r1")))) "<transition id='t'/>" ARC("p", "t", VAR("x")) ARC("t", "p", "<successor>" S(VAR("x")) "</successor>") END, 3, 3, 3, 3},
    {"backwards, by the input", HEAD ALL_DECLARED PLACE("p", "R", MARKED(OP("r2"))) "<transition id='t'/>" ARC("p", "t", "<successor>" S(VAR("x")) "</successor>") ARC("t", "p", ONE(VAR("x"))) END, 3, 3, 3, 3},
    {"a guard that stops it", HEAD ALL_DECLARED PLACE("p", "R", MARKED(ONE(OP("r1")))) "<transition id='t'>" WITH("<inequality>" S(VAR("x")) S(OP("r2")) "</inequality>") "</transition>" ARC("p", "t", VAR("x"))
         ARC("t", "p", "<successor>" S(VAR("x")) "</successor>") END, 2, 1, 2, 1},
    /* all tokens leave one by one: 2^3 */
    {"all", HEAD ALL_DECLARED PLACE("p", "R", MARKED(ALL("R"))) "<transition id='t'/>" ARC("p", "t", VAR("x")) END, 3, 3, 8, 12},
    {"all but one is taken at once", HEAD ALL_DECLARED PLACE("p", "R", MARKED("<tuple>" S(ALL("R")) "</tuple>")) "<transition id='t'/>" ARC("p", "t", "<subtract>" S(ALL("R")) S(ONE(VAR("x"))) "</subtract>") END, 3, 3, 4, 3},
    {"a tuple with all", HEAD ALL_DECLARED PLACE("p", "P", MARKED("<tuple>" S(OP("r1")) S(ALL("N")) "</tuple>")) "<transition id='t'/>"
         ARC("p", "t", "<tuple>" S(VAR("x")) S(VAR("y")) "</tuple>") ARC("t", "p", "<tuple>" S("<successor>" S(VAR("x")) "</successor>") S(VAR("y")) "</tuple>") END, 9, 9, 27, 81},
    {"colours compared with a number", HEAD ALL_DECLARED PLACE("p", "N", MARKED(ALL("N"))) "<transition id='t'>"
         WITH("<lessthanorequal>" S("<finiteintrangeconstant value='0'><finiteintrange start='-1' end='1'/></finiteintrangeconstant>") S(VAR("y")) "</lessthanorequal>") "</transition>" ARC("p", "t", VAR("y")) END, 3, 2, 4, 4},
    {"a variable that only an output has", HEAD ALL_DECLARED "<place id='d'>" MARKED("<dotconstant/>") "</place>" PLACE("p", "R", "") "<transition id='t'/>"
         "<arc id='a' source='d' target='t'/>" ARC("t", "p", VAR("x")) END, 4, 3, 4, 3},
    {"a partition", HEAD DECLARED(RING X "<partition id='Q'><usersort declaration='R'/><partitionelement id='q1'>" OP("r1") "</partitionelement><partitionelement id='q2'>" OP("r2") OP("r3") "</partitionelement></partition>")
         PLACE("p", "R", MARKED(ALL("R"))) "<transition id='t'>" WITH("<equality>" S("<partitionelementof refpartition='Q'>" S(VAR("x")) "</partitionelementof>") S(OP("q2")) "</equality>") "</transition>"
         ARC("p", "t", VAR("x")) END, 3, 2, 4, 4},
    {"sorts in any order, pages, references", HEAD DECLARED(X PAIR RANGE RING Y) "<page id='g'>" PLACE("p", "R", MARKED(ONE(OP("r3")))) "<referencePlace id='q' ref='p'/></page><page id='h'><transition id='t'/>" ARC("q", "t", VAR("x")) "</page>" END, 1, 1, 2, 1},
    {"a difference of three parts", HEAD ALL_DECLARED PLACE("p", "R", MARKED(ALL("R"))) "<transition id='t'/>"
         ARC("p", "t", "<subtract>" S(ALL("R")) S(ONE(VAR("x"))) S(ONE("<successor>" S(VAR("x")) "</successor>")) "</subtract>") END, 3, 3, 8, 12},
    {"a difference of one part", HEAD ALL_DECLARED PLACE("p", "R", MARKED("<subtract>" S(ALL("R")) "</subtract>")) "<transition id='t'/>" ARC("p", "t", VAR("x")) END, 3, 3, 8, 12},
    {"sums of many parts, nested", HEAD ALL_DECLARED PLACE("p", "R", MARKED("<add>" S(ONE(OP("r1"))) S("<add>" S(ONE(OP("r2"))) "</add>") S(OP("r3")) S("<empty><usersort declaration='R'/></empty>") "</add>")) "<transition id='t'/>" ARC("p", "t", VAR("x")) END, 3, 3, 8, 12},
    {"constants of a range with other bounds, in tuples", HEAD ALL_DECLARED PLACE("p", "P", MARKED("<tuple>" S(OP("r1")) S("<finiteintrangeconstant value='0'><finiteintrange start='0' end='5'/></finiteintrangeconstant>") "</tuple>")) "<transition id='t'/>"
         ARC("p", "t", ONE("<tuple>" S(VAR("x")) S("<finiteintrangeconstant value='0'><finiteintrange start='0' end='0'/></finiteintrangeconstant>") "</tuple>"))
         ARC("t", "p", "<tuple>" S("<successor>" S(VAR("x")) "</successor>") S("<finiteintrangeconstant value='0'/>") "</tuple>") END, 3, 3, 3, 3},
    {"tuples compared whose constants do not say their range", HEAD ALL_DECLARED PLACE("p", "P", MARKED("<tuple>" S(OP("r1")) S(ALL("N")) "</tuple>")) "<transition id='t'>"
         WITH("<equality>" S("<tuple>" S("<finiteintrangeconstant value='1'/>") S(OP("r1")) "</tuple>") S("<tuple>" S(VAR("y")) S(VAR("x")) "</tuple>") "</equality>") "</transition>" ARC("p", "t", "<tuple>" S(VAR("x")) S(VAR("y")) "</tuple>") END, 3, 1, 2, 1},
    {"a boolean colour as a condition", HEAD DECLARED("<variabledecl id='b'><bool/></variabledecl>") "<place id='p'><type><structure><bool/></structure></type>" MARKED("<all><bool/></all>") "</place><transition id='t'>" WITH(VAR("b")) "</transition>" ARC("p", "t", VAR("b")) END, 2, 1, 2, 1},
    {"conditions of many parts", HEAD ALL_DECLARED PLACE("p", "R", MARKED(ALL("R"))) "<transition id='t'>"
         WITH("<or>" S("<and>" S("<equality>" S(VAR("x")) S(OP("r1")) "</equality>") S("<not>" S("<equality>" S(VAR("x")) S(OP("r2")) "</equality>") "</not>") S("<booleanconstant value='true'/>") "</and>") S("<booleanconstant value='false'/>") S("<imply>" S("<booleanconstant value='true'/>") S("<greaterthan>" S(VAR("x")) S(OP("r2")) "</greaterthan>") "</imply>") "</or>")
         "</transition>" ARC("p", "t", VAR("x")) END, 3, 2, 4, 4},
    {"prefixes, comments, CDATA and notes of tools in odd places",
     "<?xml version='1.0'?>\n<!-- x --><q:pnml xmlns:q='http://www.pnml.org/version-2009/grammar/pnml'><!-- <net/> --><q:net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'><q:toolspecific tool='z'><q:place id='p'/></q:toolspecific>"
     "<q:page id='g'><q:transition id='t'><q:toolspecific tool='z'/></q:transition><q:arc id='a' source='p2' target='t'><q:hlinscription><q:toolspecific tool='z'><q:structure/></q:toolspecific><q:structure><!-- --><q:toolspecific tool='z'/> <q:numberof><q:toolspecific tool='z'/><q:subterm>\n<q:toolspecific tool='z'/><q:numberconstant value='1'/><!-- --></q:subterm><q:subterm><q:variable refvariable='x'/></q:subterm></q:numberof></q:structure></q:hlinscription></q:arc>"
     "<q:referencePlace id='p2' ref='p1'/><q:page id='h'><q:referencePlace id='p1' ref='p'/><q:place id='p'><q:name><q:text><![CDATA[ a < b ]]></q:text></q:name><q:type><q:text/><q:structure><q:usersort declaration='R'/></q:structure></q:type><q:hlinitialMarking><q:structure><q:all><q:usersort declaration='R'/></q:all></q:structure></q:hlinitialMarking></q:place></q:page>"
     "<q:declaration><q:structure><q:declarations><q:toolspecific tool='z'/><q:variabledecl id='x' name='&#120;'><q:usersort declaration='R'/></q:variabledecl></q:declarations></q:structure></q:declaration></q:page>"
     "<q:declaration><q:text>sorts</q:text><q:structure><q:declarations><q:namedsort id='R'><q:finiteenumeration><q:feconstant id='r1'/><q:toolspecific tool='z'/><q:feconstant id='r2'/><q:feconstant id='r3'/></q:finiteenumeration></q:namedsort></q:declarations></q:structure></q:declaration></q:net></q:pnml>\n<!-- end -->",
     3, 3, 8, 12},
    {"a place that nothing ever marks", HEAD ALL_DECLARED PLACE("p", "R", "") END, 1, 0, 1, 0},
    {"names that clash when they are unfolded", HEAD ALL_DECLARED PLACE("p", "R", MARKED(ONE(OP("r1")))) "<place id='p_r1'>" MARKED("<dotconstant/>") "</place>" "<transition id='t'/>" ARC("p", "t", VAR("x")) END, 2, 1, 2, 1},
};

/* ---- what is refused -------------------------------------------------------------------------------------------------------------- */

static const struct bad table[] = {
    {"an unknown sort", HEAD ALL_DECLARED "\n<place id='p'><type><structure>\n<usersort declaration='Z'/></structure></type></place>" END, 5, 1, "no sort \"Z\""},
    {"integers without end", HEAD DECLARED("\n<namedsort id='I'>\n<integer/></namedsort>") PLACE("p", "I", "") END, 4, 1, "<integer> is no sort of symmetric nets"},
    {"an empty range", HEAD DECLARED("\n<namedsort id='I'><finiteintrange start='3' end='2'/></namedsort>") PLACE("p", "I", "") END, 3, 19, "has no colours"},
    {"a range of words", HEAD DECLARED("\n<namedsort id='I'><finiteintrange start='a' end='2'/></namedsort>") PLACE("p", "I", "") END, 3, 19, "needs a whole number"},
    {"a colour twice", HEAD DECLARED("\n<namedsort id='I'><finiteenumeration><feconstant id='a'/><feconstant id='a'/></finiteenumeration></namedsort>") PLACE("p", "I", "") END, 3, 58, "declared twice"},
    {"an unknown variable", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'/>\n" ARC("p", "t", VAR("z")) END, 4, 62, "no variable \"z\""},
    {"an unknown constant", HEAD ALL_DECLARED "\n" PLACE("p", "R", MARKED(OP("r9"))) END, 4, 107, "no constant \"r9\""},
    {"a variable in a marking", HEAD ALL_DECLARED "\n" PLACE("p", "R", MARKED(VAR("x"))) END, 4, 1, "a variable stands in an initial marking"},
    {"a marking of another sort", HEAD ALL_DECLARED "\n" PLACE("p", "N", MARKED(OP("r1"))) END, 4, 107, "not of the sort of its place"},
    {"an inscription of another sort", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'/>\n" ARC("p", "t", VAR("y")) END, 4, 62, "not of the sort of its place"},
    {"colours of different sorts compared", HEAD ALL_DECLARED PLACE("p", "R", "") "\n<transition id='t'>" WITH("<equality>" S(VAR("x")) S(VAR("y")) "</equality>") "</transition>" END, 4, 42, "different sorts"},
    {"a condition that is none", HEAD ALL_DECLARED PLACE("p", "R", "") "\n<transition id='t'>" WITH(VAR("x")) "</transition>" END, 4, 42, "must be true or false"},
    {"neighbours outside of a circle", HEAD ALL_DECLARED PLACE("p", "N", "") "<transition id='t'/>\n" ARC("p", "t", "<successor>" S(VAR("y")) "</successor>") END, 4, 62, "cyclic"},
    {"a number outside its range", HEAD ALL_DECLARED "\n" PLACE("p", "N", MARKED("<finiteintrangeconstant value='7'><finiteintrange start='-1' end='1'/></finiteintrangeconstant>")) END, 4, 107, "outside its range"},
    {"an operation of high-level nets", HEAD ALL_DECLARED "\n" PLACE("p", "N", MARKED("<addition/>")) END, 4, 107, "<addition>: numbers are no colours"},
    {"lists", HEAD ALL_DECLARED "\n" PLACE("p", "N", MARKED("<emptylist/>")) END, 4, 107, "strings and lists belong to high-level nets"},
    {"a part of two terms", HEAD ALL_DECLARED "\n" PLACE("p", "R", MARKED("<add>" S(OP("r1") OP("r2")) "</add>")) END, 4, 153, "this is a second one"},
    {"the successor of two", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'/>\n" ARC("p", "t", "<successor>" S(VAR("x")) S(VAR("x")) "</successor>") END, 4, 62, "one part only"},
    {"a difference of nothing", HEAD ALL_DECLARED "\n" PLACE("p", "R", MARKED("<subtract/>")) END, 4, 107, "it has no parts"},
    {"an arc without colours", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'/>\n<arc id='a' source='p' target='t'/>" END, 4, 1, "does not say which colours"},
    {"an inhibitor arc", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'/>\n<arc id='a' source='p' target='t'><type value='inhibitor'/></arc>" END, 4, 35, "<type> whose meaning is not known"},
    {"an arc to nowhere", HEAD ALL_DECLARED PLACE("p", "R", "") "\n" ARC("p", "t", VAR("x")) END, 4, 1, "the arc's target \"t\" does not exist"},
    {"an arc between places", HEAD ALL_DECLARED PLACE("p", "R", "") PLACE("q", "R", "") "\n" ARC("p", "q", VAR("x")) END, 4, 1, "an arc joins a place and a transition"},
    {"two nodes with one id", HEAD ALL_DECLARED PLACE("p", "R", "") "\n" PLACE("p", "R", "") END, 4, 1, "two nodes have the id"},
    {"a circle of references", HEAD ALL_DECLARED "<transition id='t'/><referencePlace id='a' ref='b'/><referencePlace id='b' ref='a'/>\n" ARC("a", "t", VAR("x")) END, 4, 1, "in a circle"},
    {"a product too large", HEAD DECLARED("<namedsort id='N'><finiteintrange start='0' end='100000000'/></namedsort>\n<namedsort id='P'><productsort><usersort declaration='N'/><usersort declaration='N'/></productsort></namedsort>") PLACE("p", "P", "") END, 3, 19, "2^40"},
    {"a plain marking", HEAD ALL_DECLARED "\n<place id='p'><initialMarking><text>3</text></initialMarking></place>" END, 4, 1, "belongs to place/transition nets"},
    {"a partition with a gap", HEAD DECLARED(RING "\n<partition id='Q'><usersort declaration='R'/><partitionelement id='q'>" OP("r1") "</partitionelement></partition>") PLACE("p", "R", "") END, 3, 1, "leaves out a colour"},
    {"a colour in two elements of a partition", HEAD DECLARED(RING "\n<partition id='Q'><usersort declaration='R'/><partitionelement id='q'>" OP("r1") OP("r2") "</partitionelement><partitionelement id='q2'>\n" OP("r2") OP("r3") "</partitionelement></partition>") PLACE("p", "R", "") END, 4, 1, "two elements"},
    {"an element of a partition of another sort", HEAD DECLARED(RING RANGE X Y "<partition id='Q'><usersort declaration='R'/><partitionelement id='q'>" OP("r1") OP("r2") OP("r3") "</partitionelement></partition>") PLACE("p", "N", "")
         "<transition id='t'>" WITH("<equality>" S("\n<partitionelementof refpartition='Q'>" S(VAR("y")) "</partitionelementof>") S(OP("q")) "</equality>") "</transition>" END, 4, 1, "not of the sort that the partition divides"},
    {"nothing of a sort that is not known", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'>" WITH("\n<empty/>") "</transition>" END, 4, 1, "must be true or false"},
    {"a guard for people alone", HEAD ALL_DECLARED PLACE("p", "R", "") "<transition id='t'>\n<condition><text>x = r1</text></condition></transition>" END, 4, 1, "<condition> has a text and no structure"},
    {"a marking for people alone", HEAD ALL_DECLARED PLACE("p", "R", "\n<hlinitialMarking><text>2'dot</text></hlinitialMarking>") END, 4, 1, "<hlinitialMarking> has a text and no structure"},
    {"an inscription for people alone", HEAD ALL_DECLARED "<place id='p'/><transition id='t'/><arc id='a' source='p' target='t'>\n<hlinscription><text>2'dot</text></hlinscription></arc>" END, 4, 1, "<hlinscription> has a text and no structure"},
    {"a sort for people alone", HEAD ALL_DECLARED "<place id='p'>\n<type><text>R</text></type></place>" END, 4, 1, "<type> has a text and no structure"},
    {"a marking of two terms", HEAD ALL_DECLARED PLACE("p", "R", MARKED(OP("r1") "\n" OP("r2"))) END, 4, 1, "<hlinitialMarking> has a second term"},
    {"a capacity", HEAD ALL_DECLARED "\n<place id='p'><capacity><text>2</text></capacity></place>" END, 4, 1, "has a capacity"},
    {"an arc of another kind", HEAD ALL_DECLARED "<place id='p'/><transition id='t'/>\n<arc id='a' source='p' target='t' kind='inhibitor'/>" END, 4, 1, "an attribute \"kind\""},
    {"nothing at all can happen", HEAD ALL_DECLARED "\n<transition id='t'>" WITH("<inequality>" S(VAR("x")) S(VAR("x")) "</inequality>") "</transition>" END, 4, 1, "has no places"},
    {"an empty net", HEAD ALL_DECLARED END, 1, 7, "the net is empty"},
};

/* ---- with colours --------------------------------------------------------------------------------------------------------------- */

/* Reads a net and opens it as a coloured one; there is no other result than whether that was possible. */
static int with_colours(struct pt_net **out, const struct front_setup *setup, struct err *e) {
  static const struct colour_setup usual;
  struct symmetric *net;
  struct drawing *d;
  struct model *m = NULL;
  if (pnml_read_either(out, &net, setup, e)) return -1;
  int status = redraw(&d, net, e);
  if (!status) status = colour_model_open(&m, d, &usual, "pnml", setup->mem, e);
  model_close(m);
  symmetric_close(net);
  return status;
}

/* Is unfolding given up where it should be? */
static int gives_up(struct pt_net **out, const struct front_setup *setup, struct err *e) {
  static const struct unfold_limits limits[] = {{.work = 5}, {.places = 1}, {.transitions = 2}, {.bytes = 1}, {.work = 10000, .places = 9, .transitions = 9, .bytes = 1 << 20}};
  static const char *const words[] = {"more than 5 bindings and tokens to look at", "more than 1 places", "more than 2 transitions", "MB", ""};
  struct symmetric *net;
  char beyond[UNFOLD_WORDS];
  if (pnml_read_either(out, &net, setup, e)) return -1;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    int status = unfold(out, net, &limits[i], beyond, e);
    ok(status == (i < 4) && strstr(beyond, words[i]) && !*out == (i < 4) && e->kind == ERR_NONE, "a limit of unfolding");
    pt_close(*out);
    *out = NULL;
  }
  symmetric_close(net);
  return 0;
}

int main(void) {
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    struct reading r = {0};
    struct model *m = NULL;
    struct oracle o = {0};
    int bad = read_string(&r, pnml_read, good[i].text);
    if (!bad && (bad = pt_model_open(&m, r.net, "pnml", &r.err)) == 0) o = oracle_explore(m, 1000);
    if (!ok(!bad && r.net->places == good[i].places && r.net->transitions == good[i].transitions && o.states == good[i].states && o.edges == good[i].edges, good[i].what))
      printf("#   %s; %u places, %u transitions, %zu states, %zu edges\n", r.err.message, bad ? 0 : r.net->places, bad ? 0 : r.net->transitions, (size_t)o.states, (size_t)o.edges);
    if (!bad) oracle_free(&o);
    model_close(m);
    if (m) r.net = NULL;
    ok(read_done(&r), "no memory stays behind");
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) refuse(pnml_read, &table[i]);
  starve(pnml_read, good[5].text, "a coloured net with every allocation refused once");
  starve(pnml_read, good[8].text, "one with a partition");
  starve(with_colours, good[5].text, "with its colours, every allocation refused once");
  starve(with_colours, good[8].text, "and with a partition");
  struct reading r = {0};
  read_string(&r, gives_up, good[5].text);
  ok(read_done(&r), "nothing stays behind");
  return done();
}
