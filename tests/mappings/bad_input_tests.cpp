// What is wrong with a mapping is told all at once, each at its line and column.
#include <catch2/catch.hpp>

#include "fixtures.h"
#include "mappings/files/catalog.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

struct BadEdit {
  const char* mapping;
  const char* from;
  const char* to;
  const char* errors;
};

}  // namespace

TEST_CASE("one mistake in a shipped mapping is reported at its place, and nothing else is") {
  const std::vector<BadEdit> edits = {
      // the file
      {"bv1", "egress: same_port", "egress: [same_port",
       "m.yaml:22:9: error: not valid YAML: end of sequence flow not "
       "found\n"},
      {"bv1", "buffers: 4160", "bufers: 4096",
       "m.yaml:9:9: error: unknown key 'bufers'; did you mean 'buffers'?\n"},
      {"bv1", "buffers: 4160", "buffers: many",
       "m.yaml:9:10: error: expected an integer, found 'many'\n"},
      {"bv1", "role: transmit", "role: send",
       "m.yaml:14:28: error: 'send' is not one of receive, tasks, transmit, "
       "program, unit\n"},
      {"bv1", "entries: 128", "entries: 100",
       "m.yaml:18:94: error: the number of entries is a power of two: positions are masked, "
       "running counts\n"},
      {"bv1", "entries: 128, memory: sram", "entries: 128, memory: sdram",
       "m.yaml:18:107: error: a queue lies in sram or scratch: its counters are single "
       "longwords\n"},
      {"bv1", "name: transmit", "name: classify",
       "m.yaml:14:5: error: a second stage is called 'classify'; give it a name of its own\n"
       "m.yaml:20:44: error: queue 'classified' has no consumer: there is no stage 'transmit'; "
       "known: receive, "
       "classify, classify\n"},
      {"bv1", "  poll_work: {value: 96,", "  poll_yield: {value: 96,",
       "m.yaml:30:15: error: unknown key 'poll_yield'; did you mean 'poll_yields'?\n"},
      {"bv1", "  poll_work: {value: 96, reason:", "  poll_work: {value: 96, because:",
       "m.yaml:30:35: error: unknown key 'because'; known: value, reason\n"
       "m.yaml:30:14: error: the key 'reason' is missing here\n"},
      // engines
      {"bv1", "engines: [5]", "engines: [4]",
       "m.yaml:14:48: error: engine 4 is used twice: its contexts 0, 1, 2, 3 by stage 'classify' "
       "and by stage "
       "'transmit'\n"},
      {"bv1", "engines: [5]", "engines: [6]",
       "m.yaml:14:48: error: stage 'transmit': there is no engine 6; ixp1200 has engines 0 to 5\n"},
      {"bv1", "engines: [5], threads: 4", "engines: [5], threads: 5",
       "m.yaml:14:61: error: stage 'transmit': there is no context 4 on engine 5; ixp1200 has "
       "4 contexts per engine, 0 to 3\n"},
      {"bv1", "engines: [1, 2, 3, 4], threads: 4", "engines: [1, 2, 3, 4], threads: 6",
       "m.yaml:13:67: error: stage 'classify': there is no context 4 on engines 1, 2, 3, 4; "
       "ixp1200 has 4 contexts per engine, 0 to 3\n"},
      {"bv1", "role: receive", "role: recieve",
       "m.yaml:12:27: error: 'recieve' is not one of receive, tasks, transmit, program, unit; "
       "did you mean 'receive'?\n"},
      // wiring
      {"bv1", "to: transmit", "to: transmitt",
       "m.yaml:20:44: error: queue 'classified' has no consumer: there is no stage 'transmitt'; "
       "did you mean "
       "'transmit'?\n"},
      {"bv1", ", to: transmit", "",
       "m.yaml:20:5: error: queue 'classified' has no consumer: the key 'to' names its stage\n"},
      {"bv1", "from: receive,", "from: recieve,",
       "m.yaml:18:28: error: queue 'received' has no producer: there is no stage 'recieve'; did "
       "you mean 'receive'?\n"},
      {"bv1", "full: wait,", "full: wait, release: end_of_packet,",
       "m.yaml:20:136: error: release: end_of_packet: queue 'classified' leads to transmit, after "
       "the verdict that ends a packet's way; write dequeue\n"},
      {"bv2", "full: drop, release", "full: drop, sync: none, release",
       "m.yaml:22:112: error: sync: none: the producers of a ring of queue 'received' are several "
       "threads of one engine; write auto\n"
       "m.yaml:22:112: error: sync: none: the consumers of a ring of queue 'received' are several "
       "threads of one engine; write auto\n"},
      {"bv1", "full: wait,", "full: wait, primitive: ticket,",
       "m.yaml:20:138: error: primitive: queue 'classified': ticket needs compare-and-swap, "
       "which a cache before SRAM performs; this chip has none; write test_and_set, lock_cam, "
       "mutex or condition\n"},
      {"bv1", "16, memory: sram, full: wait,", "16, memory: scratch, full: wait, primitive: mcs,",
       "m.yaml:20:141: error: primitive: queue 'classified': mcs needs compare-and-swap, which a "
       "cache before SRAM performs; write memory: sram, test_and_set, mutex or condition\n"
       "m.yaml:20:97: error: queue classified does not fit: it needs 16 rings x (16 entries x 2 "
       "longwords x 4 + 16 + 2032 for locks) = 34816 bytes; scratch has 4096 bytes, of which 0 are "
       "taken, and its largest free range has 4088\n"},
      {"bv1", "full: wait,", "full: wait, primitive: mutex, sync: memory_lock,",
       "m.yaml:20:138: error: primitive: queue 'classified': sync: memory_lock locks by "
       "test_and_set\n"},
      {"bv1", "full: wait,", "full: wait, primitive: condition, wait: signal,",
       "m.yaml:20:138: error: primitive: queue 'classified': threads that sleep on a condition "
       "variable would take the signals of entries for those of the lock; write wait: poll\n"},
      {"bv1", "16, memory: sram, full: wait,",
       "128, memory: scratch, full: wait, primitive: lock_cam,",
       "m.yaml:20:142: error: primitive: queue 'classified': only the SRAM unit has a lock CAM; "
       "write test_and_set\n"
       "m.yaml:20:97: error: queue classified does not fit: it needs 16 rings x (128 entries x 2 "
       "longwords x 4 + 16) = 16640 bytes; scratch has 4096 bytes, of which 0 are taken, and its "
       "largest free range has 4088\n"},
      {"bv2", "full: drop, release", "full: drop, wait: signal, sync: memory_lock, release",
       "m.yaml:22:112: error: wait: signal: queue 'received' has sync: memory_lock, whose code "
       "does not signal; write poll\n"},
      {"bv1", "full: wait,", "full: wait, order: port, quantum: 4,",
       "m.yaml:20:149: error: order: port: queue 'classified' has a quantum over 1; write "
       "quantum: 1\n"},
      {"bv2", "full: wait, release: end_of_packet,",
       "full: wait, release: end_of_packet, order: port,",
       "m.yaml:23:116: error: order: port: queue 'found1' gives entries back at the end of a "
       "packet; write release: dequeue\n"},
      // tasks
      {"bv1", "[lookup, intersect, act]", "[lookup, intersect, art]",
       "m.yaml:13:97: error: bit-vector has no task 'art'; did you mean 'act'?\n"
       "m.yaml:13:5: error: task 'act' is missing: packets leave stage 'classify' for transmission "
       "without it\n"},
      {"bv1", "[lookup, intersect, act]", "[intersect, lookup, act]",
       "m.yaml:13:78: error: task 'intersect' in stage 'classify' reads vector[0], vector[1], "
       "vector[2] before it is "
       "written: place the task that writes it earlier\n"},
      {"bv1", "[lookup, intersect, act]", "[lookup, act]",
       "m.yaml:13:5: error: task 'intersect' is missing: packets leave stage 'classify' for "
       "transmission without it\n"},
      {"bv1", "[lookup, intersect, act]", "[lookup, \"intersect[0]\", act]",
       "m.yaml:13:86: error: task 'intersect' runs once per packet: write it without "
       "[...]\nm.yaml:13:5: error: task 'intersect' is missing: packets leave stage 'classify' for "
       "transmission without it\n"},
      {"bv2", "lookup[2..]", "lookup[1..]",
       "m.yaml:17:71: error: task 'lookup[1]' is used twice: in stage 'dimension2' and in stage "
       "'dimension3'\n"},
      {"bv2", "lookup[1..1]", "lookup[5..]",
       "m.yaml:18:5: error: dimension 1 of task 'lookup' is missing: packets leave stage "
       "'intersection' for "
       "transmission without it\n"},
      {"bv2", "lookup[2..]", "lookup[2]\", \"lookup[3]",
       "m.yaml:17:84: error: there is no dimension 3: the rules have dimensions 0 to 2; "
       "'lookup[3..]' takes what there "
       "is\n"},
      {"bv2", "lookup[2..]", "lookup[2-3]",
       "m.yaml:17:71: error: 'lookup[2-3]': write a task as NAME, NAME[0], NAME[1..], NAME[..1] or "
       "NAME[1..2]\n"},
      // parameters and tables
      {"bv1", "stride: 1", "stride: 9",
       "m.yaml:8:22: error: parameter 'stride' is 9; bit-vector takes 1 to 8\n"},
      {"bv1", "stride: 1", "stride: 2",
       "m.yaml:8:22: error: stride 2 needs node_quadwords 0: a node that is read completely has "
       "two entries\n"},
      {"bv1", "stride: 1", "strides: 1",
       "m.yaml:8:23: error: bit-vector has no parameter 'strides'; did you mean "
       "'stride'?\n"},
      {"bv1", "actions: sram", "action: sram",
       "m.yaml:10:47: error: bit-vector has no table 'action'; did you mean 'actions'?\n"},
      // memory
      {"bv1", "entries: 128, memory: sram", "entries: 128, memory: scratch",
       "m.yaml:18:94: error: queue received does not fit: it needs 16 rings x (128 entries x 2 "
       "longwords x 4 + 16) = "
       "16640 bytes; scratch has 4096 bytes, of which 0 are taken, and its largest free range has "
       "4088\n"},
      {"bv1", "buffers: 4160", "buffers: 131072",
       "m.yaml:9:10: error: packet buffers does not fit: it needs 131072 x 2048 = 268435456 bytes; "
       "sdram has 268435456 "
       "bytes, of which 824 are taken, and its largest free range has 268434624\n"},
  };
  for (const BadEdit& edit : edits) {
    INFO(edit.from << " -> " << edit.to);
    CHECK(place_errors(edited(edit.mapping, edit.from, edit.to)) == edit.errors);
  }
}

TEST_CASE("a cycle is named by its stages, and the stages that it cuts off are named") {
  CHECK(place_errors(edited("bv2", "to: dimension3", "to: dimension1")) ==
        "m.yaml:17:5: error: no packet reaches stage 'dimension3': no queues lead to it from a "
        "stage that receives\n"
        "m.yaml:18:5: error: no packet reaches stage 'intersection': no queues lead to it from a "
        "stage that receives\n"
        "m.yaml:19:5: error: no packet reaches stage 'transmit': no queues lead to it from a stage "
        "that receives\n"
        "m.yaml:15:5: error: stages dimension1 -> dimension2 -> dimension1 form a cycle; packets "
        "go forwards only\n");
}

TEST_CASE("ranges that overlap are both named, with the first free address") {
  CHECK(place_errors(edited("bv1", "no_match: drop",
                            "memory: {sram: {received: 0x1000, actions: 0x1008, classfied: "
                            "8}}")) ==
        "m.yaml:22:63: error: nothing called 'classfied' lies in sram; did you mean 'classified'?\n"
        "m.yaml:22:27: error: queue received at 0x1000 to 0x50ff overlaps table actions at 0x1008 "
        "to 0x1017 in sram; "
        "the first free address for its 16640 bytes is 0xaa18\n");
}

TEST_CASE("pins that no memory could hold are refused with the reason") {
  CHECK(
      place_errors(edited("bv1", "no_match: drop",
                          "memory: {sram: {received: 0x7ffff8}, sdram: {buffers: 0x100, "
                          "pset: 0}}")) ==
      "m.yaml:22:27: error: queue received ends beyond the memory: 0x7ffff8 + 16 rings x (128 "
      "entries x 2 longwords "
      "x 4 + 16) = 16640 bytes = 0x8040f8; sram has 8388608 bytes (0x800000)\n"
      "m.yaml:22:68: error: table pset: address 0 stands for nothing in tables; 0x8 is the lowest\n"
      "m.yaml:22:55: error: packet buffers: base 0x100 is not a multiple of 2048\n");
}

TEST_CASE(
    "errors of the file, of the chip, of the wiring and of the rules are reported in one go") {
  std::string text = edited("bv1", "buffers: 4160", "bufers: 4096");
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("engines: [5]", "engines: [4]");
  replace("to: transmit", "to: transmitt");
  replace("stride: 1", "stride: 0");
  replace("no_match: drop", "memory: {sram: {descriptors: 0x100, received: 0x100}}");
  CHECK(place_errors(text, random_rules(1, 600, {32, 32, 33})) ==
        "m.yaml:9:9: error: unknown key 'bufers'; did you mean 'buffers'?\n"
        "m.yaml:20:44: error: queue 'classified' has no consumer: there is no stage 'transmitt'; "
        "did you mean "
        "'transmit'?\n"
        "m.yaml:8:22: error: parameter 'stride' is 0; bit-vector takes 1 to 8\n"
        "m.yaml:14:48: error: engine 4 is used twice: its contexts 0, 1, 2, 3 by stage 'classify' "
        "and by stage "
        "'transmit'\n"
        "random.rules:1:1: error: field 'f2' has 33 bits; bit-vector takes up to 32\n"
        "random.rules:513:1: error: the rule set is too large: 600 rules; bit-vector takes up to "
        "512, and this is the "
        "first beyond them: N rules make up to 2 N + 1 intervals a field with a vector of N bits "
        "each, N x N / 4 "
        "bytes, and a packet reads N bits a field\n"
        "m.yaml:22:30: error: buffer descriptors at 0x100 to 0x20ff overlaps queue received at "
        "0x100 to 0x41ff in "
        "sram; the first free address for its 8192 bytes is 0x5600\n");
}

TEST_CASE("a table that its memory cannot hold is refused with the arithmetic") {
  const auto rules = random_rules(5, 512, {32, 32, 32, 32, 32});
  CHECK(place_errors(edited("bv1", "vectors: sdram", "vectors: scratch"), rules)
            .find("m.yaml:10:32: error: table vectors does not fit: it needs ") == 0);
  CHECK(
      place_errors(edited("ls", "rules: sram", "rules: scratch"), rules) ==
      "m.yaml:10:17: error: table rules does not fit: it needs 512 rules x 52 bytes (5 dimensions "
      "x 8 + 12) = 26624 "
      "bytes; scratch has 4096 bytes, of which 0 are taken, and its largest free range has 4088\n");
}

TEST_CASE("an override that leads nowhere is refused with the names that exist") {
  const std::string bv1 = edited("bv1", "bv1", "bv1");
  CHECK(place_errors(bv1, published_rules(),
                     {{"stages.clasify.threads", "2", without_lines("--set")}}) ==
        "--set: error: there is no 'clasify' in 'stages.clasify.threads'; did you mean "
        "'classify'?\n");
  CHECK(place_errors(bv1, published_rules(), {{"bufers", "2", without_lines("--set")}}) ==
        "--set: error: unknown key 'bufers'; did you mean 'buffers'?\n");
  CHECK(place_errors(bv1, published_rules(), {{"stages.1.threads", "2", without_lines("--set")}})
            .empty());
}

TEST_CASE("a mapping that does not say its algorithm goes no further") {
  CHECK(place_errors(edited("bv1", "algorithm: bit-vector", "")) ==
        "m.yaml:2:1: error: the key 'algorithm' is missing "
        "here\n");
}

TEST_CASE("the catalog lists the shipped algorithms and mappings") {
  const Catalog catalog(mappings_folder());
  std::vector<std::string> names;
  for (const MappingListing& mapping : catalog.mappings())
    names.push_back(mapping.algorithm + "/" + mapping.name);
  for (const char* name : {"bit-vector/bv1", "bit-vector/bv2", "linear-search/ls"}) {
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
  }
}
