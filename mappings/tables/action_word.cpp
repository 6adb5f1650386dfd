#include "mappings/tables/action_word.h"

#include "mappings/include/verdict.h"

namespace nplab::mappings {

std::uint32_t action_word(const workloads::Action& action) {
  switch (action.kind()) {
    case workloads::Action::Kind::kAllow: return ACTION_ALLOW;
    case workloads::Action::Kind::kDeny: return ACTION_DENY;
    case workloads::Action::Kind::kForward: return ACTION_FORWARD | action.port() << 8;
  }
  return ACTION_DENY;
}

}  // namespace nplab::mappings
