// How a firewall's listing is read: which chain, what becomes of statements that are not 5-tuple
// matches, and by which interfaces packets pass.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "workloads/rules/rule_set.h"

namespace CLI {
class App;
}

namespace nplab::tools {

// Adds --chain, --unsupported and --interface; `set` receives the workload file's key and value of
// each that is given.
using SetListingKey = std::function<void(const std::string& key, const std::string& value)>;
void add_listing_options(CLI::App& command, const std::string& group, const SetListingKey& set);

// The same for commands that read rules without a workload.
void add_listing_options(CLI::App& command, const std::string& group,
                         const std::shared_ptr<workloads::RuleReading>& reading);

}  // namespace nplab::tools
