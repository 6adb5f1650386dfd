// Inputs that the tests of mappings share.
#pragma once

#include <string>
#include <vector>

#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"
#include "mappings/resolver/place.h"
#include "workloads/base/random.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::testing {

std::string mappings_folder();

ChipFacts ixp1200_facts();  // six engines of four contexts; 8 MB SRAM, 256 MB SDRAM, 4 KB scratch

// As ixp1200, with thirteen engines of 8192 control-store words: every shipped mapping finds its
// engines.
ChipFacts multiprocessor_facts();

workloads::RuleSet published_rules();

// `count` rules over fields of the given widths: exact values, prefixes, ranges and wildcards;
// every kind of action.
workloads::RuleSet random_rules(std::uint64_t seed, std::size_t count,
                                const std::vector<unsigned>& bits);

// Links and places; null with errors. The test fails when the placement is not sound (verify.h).
std::shared_ptr<const PlacedMapping> link_and_place(const MappingFile& mapping,
                                                    const Manifest& manifest, const ChipFacts& chip,
                                                    const workloads::RuleSet& rules,
                                                    Diagnostics& diagnostics);

// A shipped mapping, placed; the test fails with the diagnostics when it does not place.
PlacedMapping place_shipped(const std::string& name, const workloads::RuleSet& rules,
                            const std::vector<MappingOverride>& overrides = {},
                            const ChipFacts& chip = ixp1200_facts());
PlacedMapping place_shipped(const std::string& name);

// Does it place? The test fails when it does not for another reason than the size of its tables.
bool has_room(const std::string& name, const workloads::RuleSet& rules,
              const std::vector<MappingOverride>& overrides, const ChipFacts& chip);

// Places the mapping `text` of an algorithm in a file called `m.yaml` and returns the diagnostics,
// a line each.
std::string place_errors(const std::string& text, const workloads::RuleSet& rules,
                         const std::vector<MappingOverride>& overrides = {});
std::string place_errors(const std::string& text);

// The text of a shipped mapping with the first occurrence of `from` replaced by `to`; both are on
// one line.
std::string edited(const std::string& name, const std::string& from, const std::string& to);

// A table of a placement by its name; the test fails when there is none.
const TablePlacement& table(const PlacedMapping& placed, const std::string& name);

// The example of Gupta and McKeown, "Algorithms for packet classification", IEEE Network 15(2),
// 2001, of two fields of three bits: R1 00*,00*; R2 0*,01*; R3 1*,0*; R4 00*,0*; R5 0*,1*; R6 *,1*.
workloads::RuleSet gupta_mckeown_rules();

// A key that matches a rule, lies on the edge of one, or anywhere.
std::vector<std::uint64_t> random_key(workloads::Random& random, const workloads::RuleSet& rules);

}  // namespace nplab::mappings::testing
