#include "isa/control_flow.h"

#include "assembled.h"

using namespace nplab::isa;
using namespace nplab::isa::testing;

namespace {

constexpr Successors kOn{};

}  // namespace

TEST_CASE("A word goes on with the next one, a branch with its target, too or alone", "[isa]") {
  CHECK(control_flow(
            assembled("a#: nop\nbr=0[a#]\nbr[b#]\nb#: ctx_arb[voluntary]\nctx_arb[kill]\n")) ==
        std::vector<Successors>{
            kOn, {true, 0, false}, {false, 3, false}, kOn, {false, std::nullopt, false}});
}

TEST_CASE("A branch is decided after its deferred words", "[isa]") {
  CHECK(control_flow(assembled("a#: br=0[a#], defer[2]\nnop\nnop\nbr[a#], defer[1]\nnop\n")) ==
        std::vector<Successors>{kOn, kOn, {true, 0, false}, kOn, {false, 0, false}});
}

TEST_CASE("A jump and a return may go anywhere", "[isa]") {
  CHECK(control_flow(assembled("a#: jump[a0, a#]\nrtn[a0]\n")) ==
        std::vector<Successors>{{false, std::nullopt, true}, {false, std::nullopt, true}});
}
