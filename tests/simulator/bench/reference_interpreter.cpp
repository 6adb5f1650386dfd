#include "tests/simulator/bench/reference_interpreter.h"

#include <fmt/format.h>

namespace nplab::test {

using isa::Instruction;
using isa::OperandCode;
using isa::Operation;

ReferenceThread::ReferenceThread(const isa::ProgramImage& program, unsigned engine,
                                 unsigned context, ReferenceRegisters& registers,
                                 ReferenceSurroundings& surroundings)
    : program_(program),
      engine_(engine),
      context_(context),
      registers_(registers),
      around_(surroundings) {}

std::optional<std::string> ReferenceThread::run(std::uint64_t most) {
  for (std::uint64_t i = 0; i < most; ++i)
    if (!step())
      return error_;
  return fmt::format("context {} executes more than {} instructions", context_, most);
}

void ReferenceThread::stop(std::string why) {
  if (!error_)
    error_ = fmt::format("context {}, word {}: {}", context_, pc_, why);
}

// One instruction, and the branch whose last deferred instruction it was.
bool ReferenceThread::step() {
  if (pc_ >= program_.words.size()) {
    stop("left the program");
    return false;
  }
  const auto in = isa::decode(program_.words[pc_]);
  if (!in) {
    stop("no instruction");
    return false;
  }
  const bool leaves = target_.has_value();
  ++pc_;
  execute(*in);
  if (leaves && --deferred_ == 0) {
    pc_ = *target_;
    target_.reset();
  }
  return !ended_ && !error_;
}

void ReferenceThread::execute(const Instruction& in) {
  if (alu(in) || shifts(in) || loads(in) || branches(in) || miscellaneous(in) || sram(in) ||
      sdram(in) || scratch(in) || fbi(in))
    return;
  stop("an operation without a meaning here");
}

// Operand codes: bits 10..8 tell the kind (isa/description/registers.td).
std::uint32_t* ReferenceThread::register_of(OperandCode code, bool as_source) {
  const unsigned number = code & 0xff;
  auto& transfer = as_source ? registers_.transfer_in : registers_.transfer_out;
  switch (code >> 8) {
    case 0: return &registers_.general[number / 16][16 * context_ + number % 16];
    case 1: return &registers_.general[number / 64][number % 64];
    case 2: return &transfer[number / 8][8 * context_ + number % 8];
    case 3: return &transfer[number / 32][number % 32];
    default: return nullptr;
  }
}

std::uint32_t ReferenceThread::source(OperandCode code) {
  if (code >> 8 == 4)
    return code & 0xff;
  const std::uint32_t* place = register_of(code, true);
  return place != nullptr ? *place : 0;
}

void ReferenceThread::store(OperandCode code, std::uint32_t value) {
  if (std::uint32_t* place = register_of(code, false))
    *place = value;
}

void ReferenceThread::set_codes(std::uint32_t result, bool carry, bool overflow) {
  zero_ = result == 0;
  negative_ = (result & 0x80000000) != 0;
  carry_ = carry;
  overflow_ = overflow;
  alu_output_ = result;
}

// x + y + carry in 33 bits; overflow: the sum of the signed values does not fit.
void ReferenceThread::arithmetic(const Instruction& in, std::uint64_t x, std::uint64_t y,
                                 unsigned carry) {
  const std::uint64_t sum = (x & 0xffffffff) + (y & 0xffffffff) + carry;
  const auto as_signed = [](std::uint64_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
  const std::int64_t exact = as_signed(x) + as_signed(y) + carry;
  store(in.dst, static_cast<std::uint32_t>(sum));
  set_codes(static_cast<std::uint32_t>(sum), sum > 0xffffffff,
            exact < INT32_MIN || exact > INT32_MAX);
}

void ReferenceThread::logic(const Instruction& in, std::uint32_t result) {
  store(in.dst, result);
  set_codes(result, false, false);
}

bool ReferenceThread::alu(const Instruction& in) {
  if (in.operation < Operation::kAluAdd || in.operation >= Operation::kAluShfB)
    return false;
  const std::uint32_t x = source(in.a), y = source(in.b);
  a_operand_ = x;
  switch (in.operation) {
    case Operation::kAluAdd: arithmetic(in, x, y, 0); break;
    case Operation::kAluSub: arithmetic(in, x, ~y, 1); break;
    case Operation::kAluReverseSub: arithmetic(in, y, ~x, 1); break;
    case Operation::kAluB: logic(in, y); break;
    case Operation::kAluNotB: logic(in, ~y); break;
    case Operation::kAluAnd: logic(in, x & y); break;
    case Operation::kAluNotAnd: logic(in, ~x & y); break;
    case Operation::kAluAndNot: logic(in, x & ~y); break;
    case Operation::kAluOr: logic(in, x | y); break;
    case Operation::kAluXor: logic(in, x ^ y); break;
    case Operation::kAluAddCarry: arithmetic(in, x, y, carry_ ? 1 : 0); break;
    case Operation::kAluAddIfSign: arithmetic(in, negative_ ? x : 0, y, 0); break;
    case Operation::kAluAdd4: arithmetic(in, x, y % 16, 0); break;
    case Operation::kAluAdd8: arithmetic(in, x, y % 256, 0); break;
    case Operation::kAluAdd16: arithmetic(in, x, y % 65536, 0); break;
    default: stop("an alu operation that is not known here");
  }
  return true;
}

// Shifts go bit by bit: kinds 1 <<n, 2 >>n, 3 <<rotn, 4 >>rotn, 5 <<indirect, 6 >>indirect.
std::uint32_t ReferenceThread::shifted_b(const Instruction& in) {
  std::uint32_t value = source(in.b);
  const bool indirect = in.shift_kind >= 5;
  const bool left = in.shift_kind % 2 == 1;
  const bool rotates = in.shift_kind == 3 || in.shift_kind == 4;
  for (unsigned n = indirect ? a_operand_ % 32 : in.shift_amount; in.shift_kind != 0 && n > 0;
       --n) {
    const std::uint32_t out = left ? value >> 31 : value & 1;
    value = left ? value * 2 : value / 2;
    if (rotates)
      value += left ? out : out << 31;
  }
  return value;
}

bool ReferenceThread::shifts(const Instruction& in) {
  if (in.operation == Operation::kDblShf) {
    const std::uint32_t x = source(in.a), y = source(in.b);
    const unsigned n = in.shift_amount;
    a_operand_ = x;
    logic(in, y >> n | x << (32 - n));
    return true;
  }
  if (in.operation < Operation::kAluShfB || in.operation >= Operation::kDblShf)
    return false;
  const std::uint32_t y = shifted_b(in), x = source(in.a);
  a_operand_ = x;
  switch (in.operation) {
    case Operation::kAluShfB: logic(in, y); break;
    case Operation::kAluShfNotB: logic(in, ~y); break;
    case Operation::kAluShfAnd: logic(in, x & y); break;
    case Operation::kAluShfNotAnd: logic(in, ~x & y); break;
    case Operation::kAluShfAndNot: logic(in, x & ~y); break;
    case Operation::kAluShfOr: logic(in, x | y); break;
    default: stop("a shift that is not known here");
  }
  return true;
}

bool ReferenceThread::loads(const Instruction& in) {
  const auto part = [&](unsigned low, std::uint32_t width) {
    const std::uint32_t kept = source(in.dst) & ~(width << low);
    store(in.dst, kept | (in.immediate & width) << low);
  };
  switch (in.operation) {
    case Operation::kImmed: {
      const unsigned low = in.position % 4 * 8;
      const std::uint32_t others = in.position >= 4 ? 0xffffffff - (0xffffu << low) : 0;
      store(in.dst, others + (std::uint32_t{in.immediate} << low));
      return true;
    }
    case Operation::kImmedB0: part(0, 0xff); return true;
    case Operation::kImmedB1: part(8, 0xff); return true;
    case Operation::kImmedB2: part(16, 0xff); return true;
    case Operation::kImmedB3: part(24, 0xff); return true;
    case Operation::kImmedW0: part(0, 0xffff); return true;
    case Operation::kImmedW1: part(16, 0xffff); return true;
    case Operation::kLdField:
    case Operation::kLdFieldWClr: {
      std::uint32_t result = in.operation == Operation::kLdField ? source(in.dst) : 0;
      const std::uint32_t bytes = shifted_b(in);
      for (unsigned i = 0; i < 4; ++i) {
        const std::uint32_t byte = 0xffu << 8 * i;
        if (in.byte_mask >> i & 1)
          result = (result & ~byte) + (bytes & byte);
      }
      store(in.dst, result);
      if (in.load_cc)
        set_codes(result, false, false);
      return true;
    }
    case Operation::kLoadAddr: store(in.dst, in.target); return true;
    case Operation::kFindBset:
    case Operation::kFindBsetWithMask: {
      std::uint32_t searched = shifted_b(in);
      if (in.operation == Operation::kFindBsetWithMask)
        searched &= a_operand_ = source(in.a);
      search_before_ = last_search_;
      last_search_ = {};
      for (unsigned bit = 16; bit-- > 0;)
        if (searched >> bit & 1)
          last_search_ = {true, bit};
      return true;
    }
    case Operation::kLoadBsetResult1: store(in.dst, last_search_.longword()); return true;
    case Operation::kLoadBsetResult2: store(in.dst, search_before_.longword()); return true;
    default: return false;
  }
}

// The branch leads away behind its deferred instructions.
void ReferenceThread::leave_by(const Instruction& in, bool taken, std::uint32_t target) {
  if (target_)
    return stop("a branch in the shadow of another");
  if (!taken)
    return;
  if (in.defer == 0) {
    pc_ = target;
    return;
  }
  deferred_ = in.defer;
  target_ = target;
}

bool ReferenceThread::branches(const Instruction& in) {
  const bool less = negative_ != overflow_;
  const auto tested = [&] { return a_operand_ = source(in.a); };
  switch (in.operation) {
    case Operation::kBr: leave_by(in, true, in.target); return true;
    case Operation::kBrEqual: leave_by(in, zero_, in.target); return true;
    case Operation::kBrNotEqual: leave_by(in, !zero_, in.target); return true;
    case Operation::kBrGreater: leave_by(in, !zero_ && !less, in.target); return true;
    case Operation::kBrGreaterEqual: leave_by(in, !less, in.target); return true;
    case Operation::kBrLess: leave_by(in, less, in.target); return true;
    case Operation::kBrLessEqual: leave_by(in, zero_ || less, in.target); return true;
    case Operation::kBrCarry: leave_by(in, carry_, in.target); return true;
    case Operation::kBrNoCarry: leave_by(in, !carry_, in.target); return true;
    case Operation::kBrBset:
      leave_by(in, (tested() >> in.selector) % 2 == 1, in.target);
      return true;
    case Operation::kBrBclr:
      leave_by(in, (tested() >> in.selector) % 2 == 0, in.target);
      return true;
    case Operation::kBrEqualByte:
      leave_by(in, (tested() >> 8 * in.byte_number) % 256 == in.byte_value, in.target);
      return true;
    case Operation::kBrNotEqualByte:
      leave_by(in, (tested() >> 8 * in.byte_number) % 256 != in.byte_value, in.target);
      return true;
    case Operation::kBrEqualCtx: leave_by(in, context_ == in.selector, in.target); return true;
    case Operation::kBrNotEqualCtx: leave_by(in, context_ != in.selector, in.target); return true;
    // Without time every signal waited for has come.
    case Operation::kBrNotSignal: leave_by(in, false, in.target); return true;
    case Operation::kBrInpState:
      switch (static_cast<isa::InputState>(in.selector)) {
        case isa::InputState::kReceiveRequestAvailable: leave_by(in, true, in.target); break;
        case isa::InputState::kPushProtect: leave_by(in, false, in.target); break;
        case isa::InputState::kSequenceNumber1:
          leave_by(in, around_.sequence[0] % 2 == 1, in.target);
          break;
        case isa::InputState::kSequenceNumber2:
          leave_by(in, around_.sequence[1] % 2 == 1, in.target);
          break;
      }
      return true;
    case Operation::kJump: leave_by(in, true, in.target + tested()); return true;
    case Operation::kRtn: leave_by(in, true, tested()); return true;
    default: return false;
  }
}

bool ReferenceThread::miscellaneous(const Instruction& in) {
  switch (in.operation) {
    case Operation::kNop: return true;
    case Operation::kCtxArb:
      if (target_)
        stop("a swap in the shadow of a branch");
      ended_ = (in.events & static_cast<unsigned>(isa::Event::kKill)) != 0;
      return true;
    case Operation::kLocalCsrRd:
      if (static_cast<isa::LocalCSR>(in.csr) == isa::LocalCSR::kCycleCount)
        stop("asks for the time");
      store(in.dst,
            static_cast<isa::LocalCSR>(in.csr) == isa::LocalCSR::kEngine ? engine_ : context_);
      return true;
    default: return false;
  }
}

}  // namespace nplab::test
