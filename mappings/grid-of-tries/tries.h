// Tries over the prefixes of two fields: hierarchical, set-pruning, and the grid.
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/grid-of-tries/list_tries.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings::tries {

// Where a rule is found. Each rule is in the list of the node of its prefixes of field 0 and 1; a
// range has several prefixes, a rule of one field the empty prefix of the second.
enum class TrieKind {
  kHierarchical,  // there alone: a search looks into the tries of all matching prefixes of field 0
  kSetPruning,    // also in the tries of all longer prefixes of field 0: one trie is searched
  kGrid           // there, and a node that ends a trie points on into that of a shorter prefix
};

struct SourceNode {
  std::size_t children[2] = {kNone, kNone};
  std::size_t trie = kNone;  // root of its trie of field 1
};

struct Tries {
  std::vector<SourceNode> sources;  // the root first
  ListTries lists;
  bool is_complete = false;  // it is not if it has more than most_nodes
};

// Srinivasan, Varghese, Suri and Waldvogel, "Fast and scalable layer four switching", SIGCOMM 1998;
// more than two fields as in Baboescu, Singh and Varghese, "Packet classification for core routers:
// is there an alternative to CAMs?", INFOCOM 2003: the rules of a list are compared one after
// another. In the grid the list of a node also has the rules of shorter prefixes of field 0 with
// the same prefix of field 1, which a search that came down here does not visit.
Tries make_tries(const workloads::RuleSet& rules, TrieKind kind, std::size_t most_nodes);

}  // namespace nplab::mappings::tries
