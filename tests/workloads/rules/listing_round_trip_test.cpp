// Random rule lists written in every form of listing and read back, against an interpreter of what
// was meant.
#include "tests/workloads/test_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "workloads/base/random.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

// A prefix, and ports as a list of ranges; each may be negated.
struct WrittenAddress {
  std::uint32_t value = 0;
  unsigned length = 0;
  bool negated = false;

  [[nodiscard]] std::uint32_t mask() const { return length == 0 ? 0 : ~0u << (32 - length); }
  [[nodiscard]] bool contains(std::uint64_t address) const {
    return ((address & mask()) == (value & mask())) != negated;
  }
  [[nodiscard]] std::string quad() const {
    const std::uint32_t base = value & mask();
    return fmt::format("{}.{}.{}.{}", base >> 24, base >> 16 & 255, base >> 8 & 255, base & 255);
  }
};
struct WrittenPorts {
  std::vector<Range> ranges;  // none: any port
  bool negated = false;

  [[nodiscard]] bool contains(std::uint64_t port) const {
    if (ranges.empty())
      return true;
    bool among = false;
    for (const Range& range : ranges)
      among = among || range.contains(port);
    return among != negated;
  }
};
enum class Verdict { kAccept, kDrop, kJump, kGoTo, kLeave, kLog };
struct WrittenRule {
  WrittenAddress source, destination;
  WrittenPorts source_ports, destination_ports;
  std::optional<unsigned> protocol;
  Verdict verdict = Verdict::kAccept;
  std::size_t target = 0;  // of a jump: the chain's number

  [[nodiscard]] bool matches(const Key& key) const {
    return source.contains(key[0]) && destination.contains(key[1]) &&
           source_ports.contains(key[2]) && destination_ports.contains(key[3]) &&
           (!protocol || *protocol == key[4]);
  }
};
using WrittenChain = std::vector<WrittenRule>;

constexpr const char* kChainNames[] = {"FORWARD", "first", "second"};

WrittenAddress random_address(Random& random, bool negations) {
  const unsigned lengths[] = {0, 0, 1, 2, 8, 24, 31, 32};
  WrittenAddress address{static_cast<std::uint32_t>(random.word()), lengths[random.below(8)],
                         false};
  address.value &= 0xC1000003;  // few values, so that rules overlap
  address.negated = negations && address.length > 0 && random.below(4) == 0;
  return address;
}

WrittenPorts random_ports(Random& random, bool negations, std::size_t most) {
  WrittenPorts ports;
  for (std::uint64_t n = random.below(most + 1); n > 0; --n) {
    const std::uint64_t low = random.below(200);
    ports.ranges.push_back(random.below(2) == 0 ? Range{low, low}
                                                : Range{low, low + random.below(100)});
  }
  ports.negated = negations && !ports.ranges.empty() && random.below(3) == 0;
  return ports;
}

WrittenRule random_written_rule(Random& random, bool negations, std::size_t most_ports) {
  WrittenRule rule;
  rule.source = random_address(random, negations);
  rule.destination = random_address(random, negations);
  const unsigned protocols[] = {6, 17, 1};
  if (random.below(4) > 0)
    rule.protocol = protocols[random.below(3)];
  if (rule.protocol && *rule.protocol != 1) {
    rule.source_ports = random_ports(random, negations, most_ports);
    rule.destination_ports = random_ports(random, negations, most_ports);
  }
  rule.verdict = random.below(2) == 0 ? Verdict::kAccept : Verdict::kDrop;
  return rule;
}

Key random_tuple(Random& random, const WrittenChain& chain) {
  const WrittenRule& near = chain[random.below(chain.size())];
  const std::uint64_t protocols[] = {6, 17, 1, random.below(256)};
  const auto address = [&](const WrittenAddress& written) {
    const std::uint64_t bits = random.word() & ~std::uint64_t{written.mask()} & 0xFFFFFFFF;
    return random.below(8) == 0 ? random.word() & 0xC1000003
                                : (written.value & written.mask()) | bits;
  };
  const auto port = [&](const WrittenPorts& written) {
    if (written.ranges.empty() || random.below(3) == 0)
      return random.below(350);
    const Range& range = written.ranges[random.below(written.ranges.size())];
    return (random.below(2) == 0 ? range.low : range.high) + random.below(3) -
           (range.low > 0 ? 1 : 0);
  };
  const std::uint64_t own = near.protocol.value_or(6);
  return {address(near.source), address(near.destination), port(near.source_ports),
          port(near.destination_ports), random.below(4) > 0 ? own : protocols[random.below(4)]};
}

std::string iptables_ports(const WrittenPorts& ports, const char* option) {
  if (ports.ranges.empty())
    return "";
  std::vector<std::string> parts;
  for (const Range& range : ports.ranges)
    parts.push_back(fmt::format("{}:{}", range.low, range.high));
  return fmt::format(" -m multiport{} {} {}", ports.negated ? " !" : "", option,
                     fmt::join(parts, ","));
}

std::string iptables_line(const WrittenRule& rule, const char* chain) {
  const auto address = [](const WrittenAddress& written, const char* option) {
    if (written.length == 0)
      return std::string();
    return fmt::format("{} {} {}/{}", written.negated ? " !" : "", option, written.quad(),
                       written.length);
  };
  const char* names[] = {"ACCEPT", "DROP", "", "", "RETURN", "LOG --log-prefix \"x -j DROP\""};
  const bool goes = rule.verdict == Verdict::kJump || rule.verdict == Verdict::kGoTo;
  return fmt::format("-A {}{}{}{}{}{} {} {}\n", chain, address(rule.source, "-s"),
                     address(rule.destination, "-d"),
                     rule.protocol ? fmt::format(" -p {}", *rule.protocol) : "",
                     iptables_ports(rule.source_ports, "--sports"),
                     iptables_ports(rule.destination_ports, "--dports"),
                     rule.verdict == Verdict::kGoTo ? "-g" : "-j",
                     goes ? kChainNames[rule.target] : names[static_cast<int>(rule.verdict)]);
}

std::string nft_match(const std::string& left, const std::string& right, bool negated) {
  return fmt::format(R"({{"match": {{"op": "{}", "left": {}, "right": {}}}}}, )",
                     negated ? "!=" : "==", left, right);
}

std::string nft_ports(const WrittenPorts& ports, const char* field) {
  if (ports.ranges.empty())
    return "";
  std::vector<std::string> parts;
  for (const Range& range : ports.ranges) {
    parts.push_back(range.low == range.high
                        ? std::to_string(range.low)
                        : fmt::format(R"({{"range": [{}, {}]}})", range.low, range.high));
  }
  return nft_match(fmt::format(R"({{"payload": {{"protocol": "th", "field": "{}"}}}})", field),
                   fmt::format(R"({{"set": [{}]}})", fmt::join(parts, ", ")), ports.negated);
}

std::string nft_line(const WrittenRule& rule, const char* chain) {
  const auto address = [](const WrittenAddress& written, const char* field) {
    if (written.length == 0)
      return std::string();
    return nft_match(
        fmt::format(R"({{"payload": {{"protocol": "ip", "field": "{}"}}}})", field),
        fmt::format(R"({{"prefix": {{"addr": "{}", "len": {}}}}})", written.quad(), written.length),
        written.negated);
  };
  const std::string protocol = rule.protocol ? nft_match(R"({"meta": {"key": "l4proto"}})",
                                                         std::to_string(*rule.protocol), false)
                                             : "";
  const char* names[] = {R"({"accept": null})", R"({"drop": null})", "", "",
                         R"({"return": null})", R"({"log": null})"};
  std::string verdict = names[static_cast<int>(rule.verdict)];
  if (verdict.empty()) {
    verdict =
        fmt::format(R"({{"{}": {{"target": "{}"}}}})",
                    rule.verdict == Verdict::kJump ? "jump" : "goto", kChainNames[rule.target]);
  }
  return fmt::format(
      R"({{"rule": {{"family": "ip", "table": "t", "chain": "{}", "expr": [{}{}{}{}{}{}]}}}})",
      chain, protocol, address(rule.source, "saddr"), address(rule.destination, "daddr"),
      nft_ports(rule.source_ports, "sport"), nft_ports(rule.destination_ports, "dport"), verdict);
}

std::string cisco_ports(const WrittenPorts& ports) {
  if (ports.ranges.empty())
    return "";
  const Range& range = ports.ranges.front();
  if (ports.negated)
    return fmt::format(" neq {}", range.low);
  if (range.low == range.high)
    return fmt::format(" eq {}", range.low);
  return fmt::format(" range {} {}", range.low, range.high);
}

std::string cisco_line(const WrittenRule& rule) {
  const auto address = [](const WrittenAddress& written) {
    if (written.length == 0)
      return std::string("any");
    if (written.length == 32)
      return "host " + written.quad();
    const std::uint32_t wild = ~written.mask();
    return fmt::format("{} {}.{}.{}.{}", written.quad(), wild >> 24, wild >> 16 & 255,
                       wild >> 8 & 255, wild & 255);
  };
  return fmt::format("access-list 101 {} {} {}{} {}{}\n",
                     rule.verdict == Verdict::kAccept ? "permit" : "deny",
                     rule.protocol ? std::to_string(*rule.protocol) : "ip", address(rule.source),
                     cisco_ports(rule.source_ports), address(rule.destination),
                     cisco_ports(rule.destination_ports));
}

std::string iptables_text(const std::vector<WrittenChain>& chains) {
  std::string text = "*filter\n:FORWARD DROP [0:0]\n:first - [0:0]\n:second - [0:0]\n";
  for (std::size_t i = 0; i < chains.size(); ++i) {
    for (const WrittenRule& rule : chains[i])
      text += iptables_line(rule, kChainNames[i]);
  }
  return text + "COMMIT\n";
}

std::string nft_text(const std::vector<WrittenChain>& chains) {
  std::string text =
      "{\"nftables\": [\n"
      R"({"chain": {"family": "ip", "table": "t", "name": "FORWARD", "type": "filter", "hook": "forward", "policy": "drop"}},)"
      "\n"
      R"({"chain": {"family": "ip", "table": "t", "name": "first"}},)"
      "\n"
      R"({"chain": {"family": "ip", "table": "t", "name": "second"}})";
  for (std::size_t i = 0; i < chains.size(); ++i) {
    for (const WrittenRule& rule : chains[i])
      text += ",\n" + nft_line(rule, kChainNames[i]);
  }
  return text + "]}\n";
}

// The rule that a key meets first, by the line that it stands in; the policy when none matches.
void check_lines(const WrittenChain& chain, const RuleSet& read, int line_of_first,
                 Random& random) {
  const LinearScanClassifier classifier(read);
  for (int i = 0; i < 400; ++i) {
    const Key key = random_tuple(random, chain);
    const auto first = std::find_if(chain.begin(), chain.end(),
                                    [&](const WrittenRule& rule) { return rule.matches(key); });
    const auto answer = classifier.classify(key);
    REQUIRE(answer);
    CAPTURE(key, read.rule(*answer).location.line);
    if (first == chain.end()) {
      REQUIRE(answer->value() == read.size() - 1);
      REQUIRE(read.rule(*answer).action == Action::deny());
    } else {
      REQUIRE(read.rule(*answer).location.line ==
              line_of_first + static_cast<int>(first - chain.begin()));
      REQUIRE(read.rule(*answer).action ==
              (first->verdict == Verdict::kAccept ? Action::allow() : Action::deny()));
    }
  }
}

// What netfilter does with a packet: a verdict, or nothing when the chain's end is reached or left.
std::optional<Verdict> interpret(const std::vector<WrittenChain>& chains, std::size_t number,
                                 const Key& key) {
  for (const WrittenRule& rule : chains[number]) {
    if (!rule.matches(key) || rule.verdict == Verdict::kLog)
      continue;
    if (rule.verdict == Verdict::kLeave)
      return std::nullopt;
    if (rule.verdict == Verdict::kGoTo)
      return interpret(chains, rule.target, key);
    if (rule.verdict != Verdict::kJump)
      return rule.verdict;
    if (const auto verdict = interpret(chains, rule.target, key))
      return verdict;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE(
    "random lists of rules are classified alike from listings of iptables, of nft and of Cisco") {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    Random random(seed);
    WrittenChain chain, plain;
    for (std::uint64_t n = 1 + random.below(25); n > 0; --n) {
      chain.push_back(random_written_rule(random, true, 3));
      plain.push_back(random_written_rule(random, false, 1));
      const bool single = !plain.back().destination_ports.ranges.empty() &&
                          plain.back().destination_ports.ranges[0].low ==
                              plain.back().destination_ports.ranges[0].high;
      plain.back().destination_ports.negated = single && random.below(2) == 0;
    }
    INFO("seed " << seed);
    check_lines(chain, testing::rules_from(iptables_text({chain})), 5, random);
    check_lines(chain, testing::rules_from(nft_text({chain})), 5, random);
    std::string cisco;
    for (const WrittenRule& rule : plain)
      cisco += cisco_line(rule);
    check_lines(plain, testing::rules_from(cisco), 1, random);
  }
}

TEST_CASE("random chains that jump, go to and return are flattened to what netfilter would do") {
  const Verdict verdicts[] = {Verdict::kAccept, Verdict::kDrop,  Verdict::kJump,
                              Verdict::kGoTo,   Verdict::kLeave, Verdict::kLog};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    std::vector<WrittenChain> chains(3);
    for (std::size_t number = 0; number < chains.size(); ++number) {
      for (std::uint64_t n = 1 + random.below(5); n > 0; --n) {
        WrittenRule rule = random_written_rule(random, true, 1);
        rule.verdict = verdicts[random.below(6)];
        const bool goes = rule.verdict == Verdict::kJump || rule.verdict == Verdict::kGoTo;
        if (goes && number == 2)
          rule.verdict = Verdict::kLeave;
        if (number < 2)
          rule.target = number + 1 + random.below(2 - number);
        chains[number].push_back(rule);
      }
    }
    INFO("seed " << seed);
    for (const std::string& text : {iptables_text(chains), nft_text(chains)}) {
      const RuleSet read = testing::rules_from(text);
      const LinearScanClassifier classifier(read);
      for (int i = 0; i < 300; ++i) {
        const Key key = random_tuple(random, chains[random.below(3)]);
        const bool accepted = interpret(chains, 0, key) == Verdict::kAccept;
        const auto answer = classifier.classify(key);
        CAPTURE(key);
        REQUIRE(answer);
        REQUIRE((read.rule(*answer).action == Action::allow()) == accepted);
      }
    }
  }
}
