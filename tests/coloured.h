/* coloured.h -- coloured nets drawn in C: the examples of the literature in our own words, with the numbers of states that are known of them.
 *
 *   philosophers    n around a table, set by a first transition that lays it: Lucas number of n, plus one
 *   database        n managers, one of whom updates at a time: n 3^(n-1) + 1, plus one for the first step
 *   telephones      n phones, four pages below a top page, one fusion set
 *   stop_and_wait   `packets` packets and `limit` on the network; duplicates, losses
 *   small_protocol  two packets over a network that loses: 16 states
 *   late, lamps     nets that do something new at the very end
 *   resources       two kinds of processes that take resources one after the other; counting rounds is left out */
#ifndef TESTS_COLOURED_H
#define TESTS_COLOURED_H

#include "colour/colour.h"

#include <stdio.h>
#include <string.h>

struct sketch { /* a drawing under construction; failed: memory */
  struct drawing *d;
  struct drawing_page *page;
  int failed;
};

static struct drawing_text sketch_text(struct sketch *s, const char *text) {
  char *kept = arena_strndup(&s->d->arena, text ? text : "", text ? strlen(text) : 0);
  if (!kept) s->failed = 1;
  return (struct drawing_text){kept, text && kept ? strlen(text) : 0, {"sketch", 1, 1}};
}

static void sketch_declare(struct sketch *s, const char *text) {
  if (vec_push(&s->d->declarations, s->d->mem, MEM_MODEL, (struct drawing_declaration){.text = sketch_text(s, text)})) s->failed = 1;
}

static void sketch_page(struct sketch *s, const char *name) {
  if (vec_push(&s->d->pages, s->d->mem, MEM_MODEL, (struct drawing_page){.id = name, .name = name})) s->failed = 1;
  s->page = &s->d->pages.at[s->d->pages.count - 1];
}

static struct drawing_place *sketch_place(struct sketch *s, const char *name, const char *colset, const char *initial) {
  struct drawing_place p = {.id = name, .name = name, .colset = sketch_text(s, colset), .initial = sketch_text(s, initial), .place = {"sketch", 1, 1}};
  if (vec_push(&s->page->places, s->d->mem, MEM_MODEL, p)) s->failed = 1;
  return &s->page->places.at[s->page->places.count - 1];
}

static struct drawing_transition *sketch_transition(struct sketch *s, const char *name, const char *guard) {
  struct drawing_transition t = {.id = name, .name = name, .guard = sketch_text(s, guard), .text_place = {"sketch", 1, 1}};
  if (vec_push(&s->page->transitions, s->d->mem, MEM_MODEL, t)) s->failed = 1;
  return &s->page->transitions.at[s->page->transitions.count - 1];
}

static uint32_t sketch_find(struct sketch *s, const char *name, int transition) {
  if (transition) {
    for (uint32_t i = 0; i < s->page->transitions.count; i++)
      if (strcmp(s->page->transitions.at[i].name, name) == 0) return i;
  } else
    for (uint32_t i = 0; i < s->page->places.count; i++)
      if (strcmp(s->page->places.at[i].name, name) == 0) return i;
  printf("# the sketch has no %s\n", name);
  s->failed = 1;
  return 0;
}

static void sketch_arc(struct sketch *s, const char *place, const char *transition, enum drawing_arc_kind kind, const char *text) {
  struct drawing_arc a = {.id = "", .at_place = sketch_find(s, place, 0), .at_transition = sketch_find(s, transition, 1), .kind = kind};
  a.inscription = sketch_text(s, text);
  if (vec_push(&s->page->arcs, s->d->mem, MEM_MODEL, a)) s->failed = 1;
}

/* "T: A x > B y, C both z": arcs of a transition T: from A with x, to B with y, both ways with z. One line of a net. */
__attribute__((unused)) static void take(struct sketch *s, const char *t, const char *p, const char *text) { sketch_arc(s, p, t, DRAWING_TO_TRANSITION, text); }
__attribute__((unused)) static void give(struct sketch *s, const char *t, const char *p, const char *text) { sketch_arc(s, p, t, DRAWING_TO_PLACE, text); }
__attribute__((unused)) static void look(struct sketch *s, const char *t, const char *p, const char *text) { sketch_arc(s, p, t, DRAWING_TEST, text); }

static void sketch_port(struct sketch *s, const char *name, const char *colset) { sketch_place(s, name, colset, "")->port = DRAWING_BOTH; }
static void sketch_fused(struct sketch *s, const char *name, const char *colset, const char *set) { sketch_place(s, name, colset, "")->fusion = set; }

/* A substitution transition whose ports are called like their sockets. */
__attribute__((unused)) static void sketch_below(struct sketch *s, const char *page, const char *const *sockets) {
  struct drawing_transition *t = sketch_transition(s, page, "");
  t->subpage = page;
  for (; *sockets; sockets++)
    if (vec_push(&t->pairs, s->d->mem, MEM_MODEL, (struct drawing_pair){*sockets, *sockets})) s->failed = 1;
}

static int sketch_open(struct sketch *s, struct mem *mem, struct err *e) {
  *s = (struct sketch){0};
  return drawing_open(&s->d, mem, "sketch", e);
}

__attribute__((unused)) static void draw_philosophers(struct sketch *s, int n) {
  char text[40];
  snprintf(text, sizeof text, "%d", n);
  sketch_declare(s, "colset UNIT = unit; colset NUMBER = int; var p, n: NUMBER;");
  sketch_declare(s, "fun seats 0 = empty | seats k = 1`k ++ seats (k - 1); fun both (p, n) = 1`p ++ 1`(if p = n then 1 else p + 1);");
  sketch_page(s, "Table");
  sketch_place(s, "Thinking", "NUMBER", "");
  sketch_place(s, "Eating", "NUMBER", "");
  sketch_place(s, "Sticks", "NUMBER", "");
  sketch_place(s, "Guests", "NUMBER", text);
  sketch_place(s, "Bare", "UNIT", "()");
  sketch_transition(s, "Lay", "");
  sketch_transition(s, "Take", "");
  sketch_transition(s, "Put", "");
  take(s, "Lay", "Bare", "()");
  look(s, "Lay", "Guests", "n");
  give(s, "Lay", "Sticks", "seats n");
  give(s, "Lay", "Thinking", "seats n");
  take(s, "Take", "Thinking", "p");
  take(s, "Take", "Sticks", "both (p, n)");
  look(s, "Take", "Guests", "n");
  give(s, "Take", "Eating", "p");
  take(s, "Put", "Eating", "p");
  look(s, "Put", "Guests", "n");
  give(s, "Put", "Sticks", "both (p, n)");
  give(s, "Put", "Thinking", "p");
}

__attribute__((unused)) static void draw_database(struct sketch *s, int n) {
  char text[40];
  snprintf(text, sizeof text, "%d", n);
  sketch_declare(s, "colset SITE = int; colset MAIL = product SITE * SITE; colset LOCK = with free; var s, r, n: SITE;");
  sketch_declare(s, "fun sites 0 = empty | sites k = 1`k ++ sites (k - 1);");
  sketch_declare(s, "fun mail (s, n) = let fun to 0 = empty | to k = if k = s then to (k - 1) else 1`(s, k) ++ to (k - 1) in to n end;");
  sketch_declare(s, "fun mails n = let fun from 0 = empty | from k = mail (k, n) ++ from (k - 1) in from n end;");
  sketch_page(s, "Sites");
  sketch_place(s, "Inactive", "SITE", "");
  sketch_place(s, "Waiting", "SITE", "");
  sketch_place(s, "Performing", "SITE", "");
  sketch_place(s, "Unused", "MAIL", "");
  sketch_place(s, "Sent", "MAIL", "");
  sketch_place(s, "Received", "MAIL", "");
  sketch_place(s, "Acknowledged", "MAIL", "");
  sketch_place(s, "Passive", "LOCK", "free");
  sketch_place(s, "Active", "LOCK", "");
  sketch_place(s, "Number", "SITE", text);
  sketch_place(s, "Start", "LOCK", "free");
  sketch_transition(s, "Begin", "");
  sketch_transition(s, "Update", "");
  sketch_transition(s, "Receive", "");
  sketch_transition(s, "Acknowledge", "");
  sketch_transition(s, "Done", "");
  take(s, "Begin", "Start", "free");
  look(s, "Begin", "Number", "n");
  give(s, "Begin", "Inactive", "sites n");
  give(s, "Begin", "Unused", "mails n");
  take(s, "Update", "Passive", "free");
  take(s, "Update", "Inactive", "s");
  take(s, "Update", "Unused", "mail (s, n)");
  look(s, "Update", "Number", "n");
  give(s, "Update", "Sent", "mail (s, n)");
  give(s, "Update", "Waiting", "s");
  give(s, "Update", "Active", "free");
  take(s, "Receive", "Sent", "(s, r)");
  take(s, "Receive", "Inactive", "r");
  give(s, "Receive", "Received", "(s, r)");
  give(s, "Receive", "Performing", "r");
  take(s, "Acknowledge", "Received", "(s, r)");
  take(s, "Acknowledge", "Performing", "r");
  give(s, "Acknowledge", "Acknowledged", "(s, r)");
  give(s, "Acknowledge", "Inactive", "r");
  take(s, "Done", "Waiting", "s");
  take(s, "Done", "Active", "free");
  take(s, "Done", "Acknowledged", "mail (s, n)");
  look(s, "Done", "Number", "n");
  give(s, "Done", "Unused", "mail (s, n)");
  give(s, "Done", "Inactive", "s");
  give(s, "Done", "Passive", "free");
}

__attribute__((unused)) static void draw_telephones(struct sketch *s, int n) {
  static const char *const upper[] = {"Inactive", "Connected", "Talk", NULL}, *const inner[] = {"Inactive", "Quiet", "Request", NULL};
  char all[400] = "";
  for (int i = 0; i < n; i++) snprintf(all + strlen(all), sizeof all - strlen(all), "%s1`%d", i ? "++" : "", i);
  sketch_declare(s, "colset PHONE = int; colset PAIR = product PHONE * PHONE; var x, y: PHONE;");
  sketch_page(s, "Phones");
  sketch_place(s, "Inactive", "PHONE", all);
  sketch_place(s, "Connected", "PHONE", "");
  sketch_place(s, "Talk", "PAIR", "");
  sketch_below(s, "Connect", upper);
  sketch_below(s, "SenderBreaks", upper);
  sketch_below(s, "ReceiverBreaks", upper);
  sketch_page(s, "Connect");
  sketch_port(s, "Inactive", "PHONE");
  sketch_port(s, "Connected", "PHONE");
  sketch_port(s, "Talk", "PAIR");
  sketch_place(s, "Quiet", "PHONE", "");
  sketch_place(s, "Long", "PHONE", "");
  sketch_place(s, "Ringing", "PHONE", "");
  sketch_place(s, "Request", "PAIR", "");
  sketch_place(s, "Call", "PAIR", "");
  sketch_fused(s, "Engaged", "PHONE", "Engaged");
  sketch_transition(s, "Free", "");
  sketch_transition(s, "Answer", "");
  sketch_transition(s, "GiveUp", "");
  sketch_transition(s, "HangUp", "");
  sketch_below(s, "Dialling", inner);
  sketch_below(s, "Busy", inner);
  take(s, "Free", "Quiet", "x");
  take(s, "Free", "Request", "(x, y)");
  take(s, "Free", "Inactive", "y");
  give(s, "Free", "Long", "x");
  give(s, "Free", "Ringing", "y");
  give(s, "Free", "Call", "(x, y)");
  give(s, "Free", "Engaged", "y");
  take(s, "Answer", "Long", "x");
  take(s, "Answer", "Ringing", "y");
  take(s, "Answer", "Call", "(x, y)");
  give(s, "Answer", "Connected", "x");
  give(s, "Answer", "Connected", "y");
  give(s, "Answer", "Talk", "(x, y)");
  take(s, "GiveUp", "Long", "x");
  take(s, "GiveUp", "Ringing", "y");
  take(s, "GiveUp", "Call", "(x, y)");
  take(s, "GiveUp", "Engaged", "1`x ++ 1`y");
  give(s, "GiveUp", "Inactive", "x");
  give(s, "GiveUp", "Inactive", "y");
  take(s, "HangUp", "Quiet", "x");
  take(s, "HangUp", "Request", "(x, y)");
  take(s, "HangUp", "Engaged", "x");
  give(s, "HangUp", "Inactive", "x");
  sketch_page(s, "Dialling");
  sketch_port(s, "Inactive", "PHONE");
  sketch_port(s, "Quiet", "PHONE");
  sketch_port(s, "Request", "PAIR");
  sketch_place(s, "Tone", "PHONE", "");
  sketch_place(s, "Book", "PHONE", all);
  sketch_fused(s, "Engaged", "PHONE", "Engaged");
  sketch_transition(s, "Lift", "");
  sketch_transition(s, "Replace", "");
  sketch_transition(s, "Dial", "");
  take(s, "Lift", "Inactive", "x");
  give(s, "Lift", "Tone", "x");
  give(s, "Lift", "Engaged", "x");
  take(s, "Replace", "Tone", "x");
  take(s, "Replace", "Engaged", "x");
  give(s, "Replace", "Inactive", "x");
  take(s, "Dial", "Tone", "x");
  look(s, "Dial", "Book", "y");
  give(s, "Dial", "Quiet", "x");
  give(s, "Dial", "Request", "(x, y)");
  sketch_page(s, "Busy");
  sketch_port(s, "Inactive", "PHONE");
  sketch_port(s, "Quiet", "PHONE");
  sketch_port(s, "Request", "PAIR");
  sketch_place(s, "Short", "PHONE", "");
  sketch_fused(s, "Engaged", "PHONE", "Engaged");
  sketch_transition(s, "Occupied", "");
  sketch_transition(s, "Replace", "");
  take(s, "Occupied", "Quiet", "x");
  take(s, "Occupied", "Request", "(x, y)");
  look(s, "Occupied", "Engaged", "y");
  give(s, "Occupied", "Short", "x");
  take(s, "Replace", "Short", "x");
  take(s, "Replace", "Engaged", "x");
  give(s, "Replace", "Inactive", "x");
  sketch_page(s, "SenderBreaks");
  sketch_port(s, "Inactive", "PHONE");
  sketch_port(s, "Connected", "PHONE");
  sketch_port(s, "Talk", "PAIR");
  sketch_place(s, "Cut", "PHONE", "");
  sketch_fused(s, "Engaged", "PHONE", "Engaged");
  sketch_transition(s, "Break", "");
  sketch_transition(s, "Replace", "");
  take(s, "Break", "Talk", "(x, y)");
  take(s, "Break", "Connected", "x");
  take(s, "Break", "Connected", "y");
  take(s, "Break", "Engaged", "x");
  give(s, "Break", "Cut", "y");
  give(s, "Break", "Inactive", "x");
  take(s, "Replace", "Cut", "y");
  take(s, "Replace", "Engaged", "y");
  give(s, "Replace", "Inactive", "y");
  sketch_page(s, "ReceiverBreaks");
  sketch_port(s, "Inactive", "PHONE");
  sketch_port(s, "Connected", "PHONE");
  sketch_port(s, "Talk", "PAIR");
  sketch_place(s, "Replaced", "PHONE", "");
  sketch_fused(s, "Engaged", "PHONE", "Engaged");
  sketch_transition(s, "Replace", "");
  sketch_transition(s, "LiftAgain", "");
  sketch_transition(s, "End", "");
  look(s, "Replace", "Talk", "(x, y)");
  take(s, "Replace", "Connected", "y");
  give(s, "Replace", "Replaced", "y");
  take(s, "LiftAgain", "Replaced", "y");
  give(s, "LiftAgain", "Connected", "y");
  take(s, "End", "Replaced", "y");
  take(s, "End", "Connected", "x");
  take(s, "End", "Talk", "(x, y)");
  take(s, "End", "Engaged", "1`x ++ 1`y");
  give(s, "End", "Inactive", "x");
  give(s, "End", "Inactive", "y");
}

__attribute__((unused)) static void draw_stop_and_wait(struct sketch *s, int packets, int limit) {
  char number[40], room[40];
  snprintf(number, sizeof number, "%d", packets);
  snprintf(room, sizeof room, "%d`e", limit);
  sketch_declare(s, "colset UNIT = unit; colset INT = int; colset DATA = string; colset PACKET = product INT * DATA; colset E = with e; colset BOOL = bool;");
  sketch_declare(s, "var n, k, m: INT; var p, text: DATA; var arrives: BOOL; val last = \"########\";");
  sketch_declare(s, "fun message m = List.tabulate (m, fn i => (i + 1, if i + 1 = m then last else \"part\"));");
  sketch_page(s, "Top");
  sketch_place(s, "Number", "INT", number);
  sketch_place(s, "Start", "UNIT", "()");
  sketch_place(s, "Send", "PACKET", "");
  sketch_place(s, "NextSend", "INT", "1");
  sketch_place(s, "A", "PACKET", "");
  sketch_place(s, "B", "PACKET", "");
  sketch_place(s, "C", "INT", "");
  sketch_place(s, "D", "INT", "");
  sketch_place(s, "NextReceive", "INT", "1");
  sketch_place(s, "Received", "DATA", "\"\"");
  sketch_place(s, "Room", "E", room);
  sketch_transition(s, "Begin", "");
  sketch_transition(s, "SendPacket", "");
  sketch_transition(s, "TransmitPacket", "");
  sketch_transition(s, "ReceivePacket", "");
  sketch_transition(s, "TransmitAck", "");
  sketch_transition(s, "ReceiveAck", "");
  take(s, "Begin", "Start", "()");
  look(s, "Begin", "Number", "m");
  give(s, "Begin", "Send", "message m");
  look(s, "SendPacket", "Send", "(n, p)");
  look(s, "SendPacket", "NextSend", "n");
  take(s, "SendPacket", "Room", "e");
  give(s, "SendPacket", "A", "(n, p)");
  take(s, "TransmitPacket", "A", "(n, p)");
  give(s, "TransmitPacket", "B", "if arrives then 1`(n, p) else empty");
  give(s, "TransmitPacket", "Room", "if arrives then empty else 1`e");
  take(s, "ReceivePacket", "B", "(n, p)");
  take(s, "ReceivePacket", "NextReceive", "k");
  give(s, "ReceivePacket", "NextReceive", "if n = k then k + 1 else k");
  give(s, "ReceivePacket", "C", "if n = k then k + 1 else k");
  take(s, "ReceivePacket", "Received", "text");
  give(s, "ReceivePacket", "Received", "if n = k andalso p <> last then text ^ p else text");
  take(s, "TransmitAck", "C", "n");
  give(s, "TransmitAck", "D", "if arrives then 1`n else empty");
  give(s, "TransmitAck", "Room", "if arrives then empty else 1`e");
  take(s, "ReceiveAck", "D", "n");
  take(s, "ReceiveAck", "NextSend", "k");
  give(s, "ReceiveAck", "NextSend", "n");
  give(s, "ReceiveAck", "Room", "e");
}

__attribute__((unused)) static void draw_small_protocol(struct sketch *s) {
  sketch_declare(s, "colset UNIT = unit; colset ID = int; colset DATA = string; colset PACKET = product ID * DATA; colset DATAS = list DATA;");
  sketch_declare(s, "var id: ID; var data: DATA; var packets: DATAS;");
  sketch_page(s, "Protocol");
  sketch_place(s, "Out Buffer", "PACKET", "1`(1,\"Coloured\") ++ 1`(2,\"net\")");
  sketch_place(s, "Send ID", "ID", "1");
  sketch_place(s, "Network 1", "PACKET", "");
  sketch_place(s, "In Buffer", "DATAS", "[]");
  sketch_place(s, "Receive ID", "ID", "1");
  sketch_place(s, "Network 2", "ID", "");
  sketch_place(s, "Limit", "UNIT", "2`()");
  sketch_transition(s, "Send Data", "");
  sketch_transition(s, "Drop", "");
  sketch_transition(s, "Receive Data", "");
  sketch_transition(s, "Receive Ack", "");
  look(s, "Send Data", "Out Buffer", "(id, data)");
  look(s, "Send Data", "Send ID", "id");
  take(s, "Send Data", "Limit", "()");
  give(s, "Send Data", "Network 1", "(id, data)");
  take(s, "Drop", "Network 1", "(id, data)");
  give(s, "Drop", "Limit", "()");
  take(s, "Receive Data", "Network 1", "(id, data)");
  take(s, "Receive Data", "Receive ID", "id");
  give(s, "Receive Data", "Receive ID", "id + 1");
  take(s, "Receive Data", "In Buffer", "packets");
  give(s, "Receive Data", "In Buffer", "packets ^^ [data]");
  give(s, "Receive Data", "Network 2", "id");
  take(s, "Receive Ack", "Network 2", "id");
  take(s, "Receive Ack", "Send ID", "id");
  give(s, "Receive Ack", "Send ID", "id + 1");
  give(s, "Receive Ack", "Limit", "()");
}

__attribute__((unused)) static void draw_resources(struct sketch *s) {
  sketch_declare(s, "colset KIND = with p | q; colset E = with e; var x: KIND;");
  sketch_page(s, "Top");
  sketch_place(s, "A", "KIND", "3`q");
  sketch_place(s, "B", "KIND", "2`p");
  sketch_place(s, "C", "KIND", "");
  sketch_place(s, "D", "KIND", "");
  sketch_place(s, "F", "KIND", "");
  sketch_place(s, "R", "E", "1`e");
  sketch_place(s, "S", "E", "3`e");
  sketch_place(s, "T", "E", "2`e");
  sketch_transition(s, "T1", "[x = q]");
  sketch_transition(s, "T2", "");
  sketch_transition(s, "T3", "");
  sketch_transition(s, "T4", "");
  sketch_transition(s, "T5", "");
  take(s, "T1", "A", "x");
  take(s, "T1", "R", "e");
  take(s, "T1", "S", "e");
  give(s, "T1", "B", "x");
  take(s, "T2", "B", "x");
  take(s, "T2", "S", "case x of p => 2`e | q => 1`e");
  give(s, "T2", "C", "x");
  take(s, "T3", "C", "x");
  take(s, "T3", "T", "if x = p then 1`e else empty");
  give(s, "T3", "R", "if x = q then 1`e else empty");
  give(s, "T3", "D", "x");
  take(s, "T4", "D", "x");
  take(s, "T4", "T", "e");
  give(s, "T4", "F", "x");
  take(s, "T5", "F", "x");
  give(s, "T5", "A", "if x = q then 1`q else empty");
  give(s, "T5", "B", "if x = p then 1`p else empty");
  give(s, "T5", "S", "2`e");
  give(s, "T5", "T", "case x of p => 2`e | q => 1`e");
}

/* Counts, while three tokens come and go; at the end a fourth one comes: what the tokens had in common until then is over. */
__attribute__((unused)) static void draw_late(struct sketch *s, int steps) {
  char text[100];
  sketch_declare(s, "colset N = int; colset T = int with 1..4; var n: N; var t: T;");
  sketch_page(s, "Page");
  sketch_place(s, "Count", "N", "1`0");
  sketch_place(s, "In", "T", "1`1 ++ 1`2 ++ 1`3");
  sketch_place(s, "Out", "T", "");
  snprintf(text, sizeof text, "1`%d", steps);
  sketch_place(s, "Steps", "N", text);
  snprintf(text, sizeof text, "n < %d", steps);
  sketch_transition(s, "Go", text);
  take(s, "Go", "Count", "n");
  give(s, "Go", "Count", "n + 1");
  snprintf(text, sizeof text, "%d - n", steps);
  take(s, "Go", "Steps", text);
  snprintf(text, sizeof text, "%d - n - 1", steps);
  give(s, "Go", "Steps", text);
  sketch_transition(s, "Leave", "");
  take(s, "Leave", "In", "t");
  give(s, "Leave", "Out", "t");
  sketch_transition(s, "Return", "");
  take(s, "Return", "Out", "t");
  give(s, "Return", "In", "t");
  sketch_transition(s, "Late", "");
  snprintf(text, sizeof text, "%d", steps);
  take(s, "Late", "Count", text);
  snprintf(text, sizeof text, "%d", steps + 1);
  give(s, "Late", "Count", text);
  give(s, "Late", "Out", "4");
}

/* Lamps that go on and off one by one, so many that the place is cut; when all are off, one of a new colour comes. */
__attribute__((unused)) static void draw_lamps(struct sketch *s, int lamps) {
  char text[600];
  size_t used = 0;
  for (int i = 1; i <= lamps; i++) used += (size_t)snprintf(text + used, sizeof text - used, "%s1`%d", i > 1 ? "++" : "", i);
  sketch_declare(s, "colset N = int; var n: N;");
  sketch_page(s, "Page");
  sketch_place(s, "On", "N", text);
  sketch_place(s, "Off", "N", "");
  sketch_transition(s, "Out", "n < 99");
  take(s, "Out", "On", "n");
  give(s, "Out", "Off", "n");
  sketch_transition(s, "Light", "");
  take(s, "Light", "Off", "n");
  give(s, "Light", "On", "n");
  sketch_transition(s, "Dark", "");
  take(s, "Dark", "Off", text);
  give(s, "Dark", "On", "99");
}

#endif
