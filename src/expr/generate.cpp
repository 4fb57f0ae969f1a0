// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/generate.h"

#include <algorithm>
#include <utility>

#include "expr/machine.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

constexpr uint32_t kFrameBytes = 384;        // of 512, which the filter has a part of
constexpr uint32_t kMostInFrame = 128;       // longer values go to the scratch memory, as the frame has little
constexpr uint32_t kKeptInFrame = 96;        // for what has 8 bytes
constexpr uint32_t kFreeRegisters = 7;       // R7, R8 and R9
constexpr size_t kMostInstructions = 32000;  // farther than a jump could go

}  // namespace

Code Generator::code_of(const Probe &probe, const Target &target, const Check &checked, const Numbers &numbers) {
  numbers_ = numbers;
  target_ = &target;
  variables_ = &checked.variables();
  predicate_variables_ = checked.predicate_variables();
  loops_ = checked.loops();
  Code code = {.target = target};
  const bool walks = checked.wants_user_stack();
  code.main = half_of(probe, walks ? Part::kBeforeWalk : Part::kWhole, code);
  if (walks) code.rest = half_of(probe, Part::kAfterWalk, code);
  return code;
}

Half Generator::half_of(const Probe &probe, Part part, Code &code) {
  generate(probe, part, false);
  if (most_scratch_ > 0) generate(probe, part, true);
  code.scratch_bytes = std::max(code.scratch_bytes, most_scratch_);
  Half half;
  if (!out_.finish(half)) throw source_.error(at_, "this program is too long for the kernel");
  return half;
}

void Generator::generate(const Probe &probe, Part part, bool scratch) {
  out_ = Assembler();
  at_ = probe.places.front().at;
  frame_ = most_scratch_ = 0;
  scratch_ = 8;  // behind the word that counts who is within
  free_registers_ = kFreeRegisters;
  frame_register_ = 10;
  callbacks_.clear();
  break_ = continue_ = Assembler::kNowhere;
  end_ = out_.label();
  leave_ = out_.label();
  out_.move(6, 1);
  if (part != Part::kAfterWalk) filter(probe);
  if (target_->is("iter")) begin_iteration(probe);
  if (target_->is("iter")) out_.store_number(10, ended_slot_ = frame_slot(8), 0, 8);
  if (part == Part::kAfterWalk) take_walked();
  scratch_slot_ = frame_slot(8);
  if (loops_) out_.store(10, context_slot_ = frame_slot(8), 6, 8);
  if (scratch) take_scratch();
  make_variables(part == Part::kBeforeWalk ? predicate_variables_ : variables_->size());
  if (part != Part::kAfterWalk && probe.predicate) branch(*probe.predicate, false, end_);
  if (part == Part::kBeforeWalk) {
    if (scratch) give_scratch();
    walk();
  } else {
    block(probe.body);
  }
  out_.place(end_);
  if (scratch) give_scratch();
  if (target_->is("iter")) {
    out_.load(0, 10, ended_slot_, 8);
    out_.exit();
  }
  out_.place(leave_);
  out_.number(0, 0);
  out_.exit();
  for (size_t i = 0; i < callbacks_.size(); i++) call_back(Callback(callbacks_[i]));
}

// The program does that by itself.
bool Generator::deletes_key(const Expression &call) const {
  return call.text == "delete" && !(map_of(*call.parts[0]).key.empty() && map_of(*call.parts[0]).per_cpu());
}

bool Generator::sends_records(const Block &block) const {
  return std::ranges::any_of(block, [&](const Statement &one) {
    if (one.kind == Statement::Kind::kExpression && one.value->kind == Kind::kCall && !deletes_key(*one.value))
      return true;
    return (one.value && sends_records(*one.value)) || sends_records(one.body) || sends_records(one.otherwise);
  });
}

// In a block that is a value, wherever that stands.
bool Generator::sends_records(const Expression &e) const {
  return sends_records(e.body) ||
         std::ranges::any_of(e.parts, [&](const ExpressionPtr &part) { return sends_records(*part); });
}

// What is filtered is filtered first; and who prints what strata does itself would never come to an end.
void Generator::filter(const Probe &probe) {
  if (!target_->is_ours() && circumstances_.filters) {
    out_.call_filter();
    out_.jump_if_number(BPF_JEQ, 0, 0, leave_);
  } else if (!target_->is_ours() && !target_->is("profile") && sends_records(probe.body)) {
    task(false);
    out_.alu_number(BPF_RSH, 0, 32);
    out_.jump_if_number(BPF_JEQ, 0, static_cast<int32_t>(circumstances_.self), leave_);
  }
}

// The last call of all is without an object. What finds the ring half full is called again with the same object, when
// that is read.
void Generator::begin_iteration(const Probe &probe) {
  for (const Field &one : target_->arguments) {
    if (!one.type.is(TypeKind::kPointer) || one.name == "meta") continue;
    out_.move(0, 6);
    read(one.type, one.offset);
    out_.jump_if_number(BPF_JEQ, 0, 0, leave_);
  }
  if (target_->pinned || !sends_records(probe.body)) return;
  const Label room = out_.label();
  out_.refer(1, Reference::Kind::kRing);
  out_.number(2, BPF_RB_AVAIL_DATA);
  out_.call(BPF_FUNC_ringbuf_query);
  out_.jump_if_number(BPF_JLE, 0, int32_t{4} << circumstances_.wake_shift, room);
  out_.number(0, 1);
  out_.exit();
  out_.place(room);
}

// Of a function that a helper calls again and again, older verifiers take what it writes to the frame for what it wrote
// the first time; of other memory they know nothing.
void Generator::make_variables(size_t count) {
  variable_places_.clear();
  for (size_t i = 0; i < count; i++) {
    const Variable &one = (*variables_)[i];
    const uint32_t bytes = std::max<uint32_t>(one.type.bytes(), 8);
    variable_places_.push_back(loops_ ? scratch_memory(bytes) : memory(bytes));
    clear(variable_places_.back(), bytes);
  }
}

// Each program has its own, on each processor. One that is preempted there (uprobes are), or interrupted, may run a
// second time before it has ended: that run is a loss. The first word counts those that are within.
void Generator::take_scratch() {
  const Label mine = out_.label();
  const int index = frame_slot(8);
  out_.store_number(frame_register_, index, static_cast<int32_t>(numbers_.program), 4);
  out_.refer(1, Reference::Kind::kScratch);
  address_of(2, {.offset = index});
  out_.call(BPF_FUNC_map_lookup_elem);
  out_.jump_if_number(BPF_JEQ, 0, 0, leave_);
  out_.store(frame_register_, scratch_slot_, 0, 8);
  out_.number(1, 1);
  out_.add_atomically(0, 0, 1);
  out_.load(1, 0, 0, 8);
  out_.jump_if_number(BPF_JEQ, 1, 1, mine);
  give_scratch();
  count_loss(circumstances_.loss_busy);
  out_.jump(leave_);
  out_.place(mine);
}

void Generator::give_scratch() {
  out_.load(0, frame_register_, scratch_slot_, 8);
  out_.number(1, ~UINT64_C(0));
  out_.add_atomically(0, 0, 1);
}

// --- statements

void Generator::block(const Block &block) {
  for (const Statement &one : block) {
    const Mark before = mark();
    statement(one);
    release(before);
  }
}

// All but the last, which is its value.
void Generator::statements_of(const Expression &block) {
  for (size_t i = 0; i + 1 < block.body.size(); i++) {
    const Mark before = mark();
    statement(block.body[i]);
    release(before);
  }
}

void Generator::statement(const Statement &one) {
  using enum Statement::Kind;
  at_ = one.at;
  if (out_.size() > kMostInstructions) throw source_.error(at_, "this program is too long for the kernel");
  switch (one.kind) {
    case kExpression:
      return value(*one.value);
    case kAssign:
      return assign(one);
    case kDeclare:
      if (one.value) assign(one);
      return;
    case kIf: {
      if (const Block *known = known_branch(one); known != nullptr) return block(*known);
      const Label otherwise = out_.label(), done = out_.label();
      branch(*one.value, false, otherwise);
      block(one.body);
      if (!one.otherwise.empty()) out_.jump(done);
      out_.place(otherwise);
      block(one.otherwise);
      out_.place(done);
      return;
    }
    case kWhile:
      return loop(one);
    case kUnroll:
      for (uint64_t i = 0; i < one.value->number; i++) block(one.body);
      return;
    case kFor:
      return one.called ? by_helper(one) : count_through(one);
    case kReturn:
      return routine_ != nullptr ? return_from_routine(one) : out_.jump(end_);
    case kBreak:
    case kContinue: {
      const Label to = one.kind == kBreak ? break_ : continue_;
      if (to == Assembler::kNowhere) throw source_.error(one.at, "this is within no loop");
      return out_.jump(to);
    }
    case kBlock:
      return block(one.body);
  }
}

// Its value is in a variable then, if it has one.
void Generator::run_routine(const Expression &e) {
  const Label outside[] = {returned_, break_, continue_};
  const Expression *caller = std::exchange(routine_, &e);
  returned_ = out_.label();
  break_ = continue_ = Assembler::kNowhere;
  if (e.type.known()) clear(variable_places_[e.index], std::max<uint32_t>(e.type.bytes(), 8));
  const Mark before = mark();
  block(e.body);
  release(before);
  out_.place(returned_);
  routine_ = caller;
  returned_ = outside[0], break_ = outside[1], continue_ = outside[2];
}

void Generator::return_from_routine(const Statement &one) {
  if (one.value) {
    const Place place = variable_places_[routine_->index];
    const Type &type = routine_->type;
    value_to(*one.value, place, type);
    if (type.is(TypeKind::kInt) && type.size < 8) {
      out_.extend(0, type.size, type.is_signed);
      store(place, 0);
    }
  }
  out_.jump(returned_);
}

void Generator::assign(const Statement &one) {
  if (one.target->kind == Kind::kMap) return assign_map(one);
  assign_variable(one);
}

void Generator::assign_variable(const Statement &one) {
  const Place place = variable_places_[one.target->index];
  const Type &type = (*variables_)[one.target->index].type;
  if (!type.is_scalar()) return value_to(*one.value, place, type);
  value(*one.value);
  if (one.text != "=" && !one.text.empty()) {
    if (const uint32_t step = bytes_of_step(type); step > 1) out_.alu_number(BPF_MUL, 0, static_cast<int32_t>(step));
    out_.move(1, 0);
    load(0, place);
    arithmetic(one.text.substr(0, one.text.size() - 1), *one.target);
  }
  if (type.is(TypeKind::kInt)) out_.extend(0, type.size, type.is_signed);
  store(place, 0);
}

// --- room

int Generator::frame_slot(uint32_t bytes) {
  frame_ += (bytes + 7) / 8 * 8;
  if (frame_ > kFrameBytes)
    throw source_.error(
        at_, "this needs more stack than the kernel gives a program: use fewer variables, or shorter expressions");
  return -static_cast<int>(frame_);
}

Generator::Place Generator::memory(uint32_t bytes) {
  if (bytes <= 8 || (bytes <= kMostInFrame && frame_ + bytes + kKeptInFrame <= kFrameBytes))
    return {.offset = frame_slot(bytes)};
  return scratch_memory(bytes);
}

Generator::Place Generator::scratch_memory(uint32_t bytes) {
  const Place place = {.base = Place::Base::kSlot, .slot = scratch_slot_, .offset = static_cast<int>(scratch_)};
  scratch_ += (bytes + 7) / 8 * 8;
  most_scratch_ = std::max(most_scratch_, scratch_);
  if (scratch_ > 32768) throw source_.error(at_, "this needs more than 32 KiB of memory");
  return place;
}

void Generator::release(const Mark &before) {
  frame_ = before.frame;
  scratch_ = before.scratch;
}

Generator::Temporary Generator::keep() {
  for (int i = 0; i < 3; i++)
    if ((free_registers_ & 1U << i) != 0) {
      free_registers_ &= ~(1U << i);
      out_.move(7 + i, 0);
      return {.reg = 7 + i};
    }
  const Temporary kept = {.slot = frame_slot(8)};
  out_.store(frame_register_, kept.slot, 0, 8);
  return kept;
}

void Generator::take(int to, Temporary &from) {
  if (from.reg < 0) return out_.load(to, frame_register_, from.slot, 8);
  out_.move(to, from.reg);
  free_registers_ |= 1U << (from.reg - 7);
}

void Generator::address_of(int reg, Place place) {
  if (place.base == Place::Base::kFrame)
    out_.move(reg, frame_register_);
  else
    out_.load(reg, frame_register_, place.slot, 8);
  if (place.offset != 0) out_.alu_number(BPF_ADD, reg, place.offset);
}

void Generator::load(int reg, Place place) {
  if (place.base == Place::Base::kFrame) return out_.load(reg, frame_register_, place.offset, 8);
  out_.load(reg, frame_register_, place.slot, 8);
  out_.load(reg, reg, place.offset, 8);
}

// R5 is nobody's.
void Generator::store(Place place, int reg) {
  if (place.base == Place::Base::kFrame) return out_.store(frame_register_, place.offset, reg, 8);
  out_.load(5, frame_register_, place.slot, 8);
  out_.store(5, place.offset, reg, 8);
}

void Generator::store_number(Place place, int32_t number) {
  if (place.base == Place::Base::kFrame) return out_.store_number(frame_register_, place.offset, number, 8);
  out_.load(5, frame_register_, place.slot, 8);
  out_.store_number(5, place.offset, number, 8);
}

// A read of address 0 fails, and the helper fills with zeros what it was to read.
void Generator::clear(Place at, uint32_t bytes) {
  if (bytes > 256) {
    address_of(1, at);
    out_.number(2, bytes);
    out_.number(3, 0);
    return out_.call(BPF_FUNC_probe_read_kernel);
  }
  int base = frame_register_;
  if (at.base == Place::Base::kSlot) out_.load(base = 5, frame_register_, at.slot, 8);
  for (uint32_t i = 0; i < bytes; i += 8) out_.store_number(base, at.offset + static_cast<int>(i), 0, 8);
}

void Generator::copy(Place from, Place to, uint32_t bytes) {
  address_of(1, to);
  if (bytes > 64) {
    out_.number(2, bytes);
    address_of(3, from);
    return out_.call(BPF_FUNC_probe_read_kernel);
  }
  address_of(2, from);
  for (int i = 0; i < static_cast<int>(bytes); i += 8) {
    out_.load(0, 2, i, 8);
    out_.store(1, i, 0, 8);
  }
}

// --- records

void Generator::count_loss(uint32_t loss) {
  const int index = frame_slot(8);
  const Label done = out_.label();
  out_.store_number(frame_register_, index, static_cast<int32_t>(loss), 4);
  out_.refer(1, Reference::Kind::kLosses);
  address_of(2, {.offset = index});
  out_.call(BPF_FUNC_map_lookup_elem);
  out_.jump_if_number(BPF_JEQ, 0, 0, done);
  out_.number(1, 1);
  out_.add_atomically(0, 0, 1);
  out_.place(done);
}

// Its reader comes every 100 ms, and is woken where what is unread passes a multiple of a part of the ring, or by the
// end.
void Generator::send(const Action &action, uint32_t number, const std::vector<const Expression *> &values) {
  constexpr uint32_t kHeader = 8;  // the kernel's, before each record
  const Label lost = out_.label(), done = out_.label(), quiet = out_.label();
  const Place record = {.base = Place::Base::kSlot, .slot = frame_slot(8), .offset = 0};
  out_.refer(1, Reference::Kind::kRing);
  out_.number(2, action.bytes());
  out_.number(3, 0);
  out_.call(BPF_FUNC_ringbuf_reserve);
  out_.jump_if_number(BPF_JEQ, 0, 0, lost);
  out_.store(frame_register_, record.slot, 0, 8);
  out_.store_number(0, 0, static_cast<int32_t>(number), 8);
  uint32_t offset = 8;
  for (size_t i = 0; i < values.size(); i++) {
    const Mark before = mark();
    value_to(*values[i], record.at(offset), action.values[i]);
    release(before);
    offset += action.values[i].bytes();
  }
  if (action.kind != Action::Kind::kExit) {
    out_.refer(1, Reference::Kind::kRing);
    out_.number(2, BPF_RB_AVAIL_DATA);
    out_.call(BPF_FUNC_ringbuf_query);
    out_.move(1, 0);
    out_.alu_number(BPF_SUB, 1, static_cast<int32_t>(action.bytes() + kHeader));
    out_.alu(BPF_XOR, 0, 1);
    out_.alu_number(BPF_RSH, 0, static_cast<int32_t>(circumstances_.wake_shift));
    out_.number(2, BPF_RB_NO_WAKEUP);
    out_.jump_if_number(BPF_JEQ, 0, 0, quiet);
  }
  out_.number(2, BPF_RB_FORCE_WAKEUP);
  out_.place(quiet);
  out_.load(1, frame_register_, record.slot, 8);
  out_.call(BPF_FUNC_ringbuf_submit);
  out_.jump(done);
  out_.place(lost);
  count_loss(circumstances_.loss_ring);
  out_.place(done);
}

}  // namespace strata::expr
