// How fast the reference classifier is: nplab_reference_benchmark [RULES [PACKETS]] prints, for
// generated sets of each profile, processor seconds to build it and to classify headers drawn from
// the rules.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "support/input_file.h"
#include "tests/paths.h"
#include "workloads/base/random.h"
#include "workloads/reference/classifier.h"
#include "workloads/rules/rule_generator.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<Key> keys_from(const RuleSet& rules, std::size_t count) {
  Random random(9);
  std::vector<Key> keys;
  for (std::size_t i = 0; i < count; ++i) {
    Key& key = keys.emplace_back();
    for (const Range& range : rules.rules()[random.below(rules.size())].ranges)
      key.push_back(random.in(range));
  }
  return keys;
}

bool measure(const std::string& name, std::size_t count, std::size_t packets) {
  Diagnostics diagnostics;
  const auto file =
      read_input_file(source_path("workloads/profiles/") + name + ".yaml", diagnostics);
  const auto profile = file ? parse_profile(*file, diagnostics) : std::nullopt;
  const auto rules = profile ? generate_rules(*profile, count, 1) : std::nullopt;
  if (!rules)
    return false;
  const auto keys = keys_from(*rules, packets);
  const double begin = processor_seconds();
  const ReferenceClassifier reference(*rules);
  const double built = processor_seconds();
  std::size_t hits = 0;
  for (const Key& key : keys)
    hits += reference.classify(key).has_value() ? 1 : 0;
  const double end = processor_seconds();
  std::printf("%-4s %zu rules: built in %.3f s, %zu headers in %.3f s%s\n", name.c_str(),
              rules->size(), built - begin, hits, end - built,
              reference.scans() ? " (scanned: the bit vectors are too large)" : "");
  return hits == packets;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rules = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  const std::size_t packets = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1'000'000;
  bool right = true;
  for (const char* name : {"acl", "fw", "ipc"})
    right = measure(name, rules, packets) && right;
  return right ? 0 : 1;
}
