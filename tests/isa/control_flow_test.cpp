#include "isa/control_flow.h"

#include "assembled.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

constexpr Successors kOn{};

}  // namespace

TEST_CASE("A word goes on with the next one, a branch with its target, too or alone", "[isa]") {
  CHECK(
      control_flow(
          assembled("a#: nop\nbr=0[a#]\nbr[b#]\nb#: ctx_arb[voluntary]\nctx_arb[kill]\n")) ==
      std::vector<Successors>{
          kOn, {true, 0, false, {}}, {false, 3, false, {}}, kOn, {false, std::nullopt, false, {}}});
}

TEST_CASE("A branch is decided after its deferred words", "[isa]") {
  CHECK(control_flow(assembled("a#: br=0[a#], defer[2]\nnop\nnop\nbr[a#], defer[1]\nnop\n")) ==
        std::vector<Successors>{kOn, kOn, {true, 0, false, {}}, kOn, {false, 0, false, {}}});
}

TEST_CASE("A jump and a return may go anywhere", "[isa]") {
  CHECK(control_flow(assembled("a#: jump[a0, a#]\nrtn[a0]\n")) ==
        std::vector<Successors>{{false, std::nullopt, true, {}}, {false, std::nullopt, true, {}}});
}

TEST_CASE("A jump into a table goes to each of its branches", "[isa]") {
  const auto flow = control_flow(
      assembled("jump[a0, t#], defer[1]\nnop\nt#: br[a#]\nbr[b#]\na#: nop\nb#: ctx_arb[kill]\n"));
  CHECK(flow[0] == kOn);
  CHECK(flow[1] == Successors{false, std::nullopt, true, {2, 3}});
  CHECK(flow[2] == Successors{false, 4, false, {}});
}

TEST_CASE("A return goes to each address that is loaded into its register", "[isa]") {
  const auto flow = control_flow(
      assembled("br[f#], defer[1]\nload_addr[b4, one#]\none#: br[f#], defer[1]\n"
                "load_addr[b4, two#]\ntwo#: load_addr[b5, one#]\nctx_arb[kill]\nf#: rtn[b4]\n"));
  CHECK(flow[6] == Successors{false, std::nullopt, true, {2, 4}});
}
