#include "tools/options/listing_options.h"

#include <CLI/CLI.hpp>

namespace nplab::tools {

void add_listing_options(CLI::App& command, const std::string& group, const SetListingKey& set) {
  const auto add = [&](const char* option, const char* key, const char* help) {
    return command
        .add_option_function<std::string>(
            option, [set, key](const std::string& value) { set(key, value); }, help)
        ->group(group);
  };
  add("--chain", "chain",
      "chain or access list to read from the listing: NAME or TABLE/NAME [the one that forwards]")
      ->type_name("NAME");
  add("--unsupported", "unsupported",
      "refuse or skip statements of a listing that are not 5-tuple matches [refuse]")
      ->check(CLI::IsMember({"refuse", "skip"}));
  const CLI::Validator interfaces(
      [](const std::string& value) {
        return workloads::parse_interfaces(value)
                   ? std::string()
                   : "expected in=NAME, out=NAME or in=NAME,out=NAME, found '" + value + "'";
      },
      "");
  add("--interface", "interfaces",
      "interfaces by which packets enter and leave, which decide matches of a listing: "
      "in=NAME,out=NAME or one of them")
      ->check(interfaces)
      ->type_name("in=NAME,out=NAME");
}

void add_listing_options(CLI::App& command, const std::string& group,
                         const std::shared_ptr<workloads::RuleReading>& reading) {
  add_listing_options(command, group, [reading](const std::string& key, const std::string& value) {
    if (key == "chain")
      reading->chain = value;
    else if (key == "interfaces")
      reading->interfaces = workloads::parse_interfaces(value).value();
    else if (value == "skip")
      reading->unsupported = workloads::UnsupportedRules::kSkip;
  });
}

}  // namespace nplab::tools
