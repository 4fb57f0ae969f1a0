// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Loops. The body of one through a map, or through a range of which the verifier would not see the end, is a function
// that a helper calls with each key, or number. It works in the frame of the program that it belongs to (R9 points
// there), whose variables are in memory of the processor then.
#include "expr/generate.h"

namespace strata::expr {

void Generator::loop(const Statement &one) {
  const Label before_break = break_, before_continue = continue_;
  break_ = out_.label(), continue_ = out_.label();
  out_.place(continue_);
  branch(*one.value, false, break_);
  block(one.body);
  out_.jump(continue_);
  out_.place(break_);
  break_ = before_break, continue_ = before_continue;
}

void Generator::count_through(const Statement &one) {
  const Label before_break = break_, before_continue = continue_, top = out_.label();
  break_ = out_.label(), continue_ = out_.label();
  const Place counter = memory(8), end = memory(8), shown = variable_places_[one.target->index];
  value(*one.end);
  store(end, 0);
  value(*one.value);
  store(counter, 0);
  out_.place(top);
  load(0, counter);
  load(1, end);
  out_.jump_if(BPF_JSGE, 0, 1, break_);
  store(shown, 0);
  block(one.body);
  out_.place(continue_);
  load(0, counter);
  out_.alu_number(BPF_ADD, 0, 1);
  store(counter, 0);
  out_.jump(top);
  out_.place(break_);
  break_ = before_break, continue_ = before_continue;
}

void Generator::want_loops(Span at) const {
  if (!circumstances_.loops || !circumstances_.loops())
    throw source_.error(at, "this kernel lets no program go through a map (5.13 does); print(@) shows all of it");
}

void Generator::by_helper(const Statement &one) {
  const Place ended = scratch_memory(8);  // whether the body left the probe
  const Place first = one.end ? scratch_memory(8) : Place{};
  const Label body = out_.label(), done = out_.label();
  store_number(ended, 0);
  if (one.end) {
    number_of_turns(one, first, done);
    out_.move(1, 0);
  } else {
    want_loops(one.value->at);
    out_.refer(1, Reference::Kind::kMap, one.value->index);
  }
  out_.refer_function(2, body);
  out_.move(3, frame_register_);
  out_.number(4, 0);
  out_.call(one.end ? BPF_FUNC_loop : BPF_FUNC_for_each_map_elem);
  if (!one.stays) {
    load(0, ended);
    out_.jump_if_number(BPF_JNE, 0, 0, end_);
  }
  out_.place(done);
  callbacks_.push_back({.body = body, .loop = &one, .ended = ended, .first = first, .before = mark()});
}

// Into R0; the helper wants to know it, and refuses more than it permits.
void Generator::number_of_turns(const Statement &one, Place first, Label none) {
  constexpr int32_t kMost = 1 << 23;
  const Label permitted = out_.label();
  value(*one.value);
  store(first, 0);
  value(*one.end);
  load(1, first);
  out_.jump_if(BPF_JSLE, 0, 1, none);
  out_.alu(BPF_SUB, 0, 1);
  out_.jump_if_number(BPF_JLE, 0, kMost, permitted);
  count_loss(circumstances_.loss_turns);
  out_.number(0, kMost);
  out_.place(permitted);
}

// The helper says how many keys it went through.
void Generator::count_keys(const Expression &map) {
  want_loops(map.at);
  const Label body = out_.label();
  out_.refer(1, Reference::Kind::kMap, map.index);
  out_.refer_function(2, body);
  out_.number(3, 0);
  out_.number(4, 0);
  out_.call(BPF_FUNC_for_each_map_elem);
  callbacks_.push_back({.body = body, .loop = nullptr, .ended = {}, .before = mark()});
}

void Generator::copy_from(int reg, Place to, uint32_t bytes) {
  out_.move(3, reg);
  address_of(1, to);
  out_.number(2, bytes);
  out_.call(BPF_FUNC_probe_read_kernel);
}

// The key's address is in R7, the value's in R8.
void Generator::take_pair(const Statement &one) {
  constexpr int kKey = 7, kValue = 8;
  const Place key = variable_places_[one.target->index];
  const Type &pair = one.target->type;
  const Place value = key.at(pair.parts[0].bytes());
  copy_from(kKey, key, pair.parts[0].bytes());
  if (!map_of(*one.value).value.is_aggregate()) return copy_from(kValue, value, pair.parts[1].bytes());
  value_of_aggregation(one.value->index, key, one.value->at);
  store(value, 0);
}

// Of a map that is in R1, the key's address in R2, the value's in R3, and the frame in R4; of a range the number of the
// turn is in R1, and the frame in R2. Its value is whether that was the last one.
void Generator::call_back(const Callback &one) {
  constexpr int kFrame = 9, kKey = 7, kValue = 8;
  constexpr uint32_t kFreeRegisters = 3;  // R7 and R8
  out_.place(one.body);
  if (one.loop != nullptr) {
    frame_register_ = kFrame;
    free_registers_ = kFreeRegisters;
    release(one.before);
    const Label ends = leave_ = end_ = out_.label();
    const Label next = continue_ = out_.label(), last = break_ = out_.label();
    const bool range = one.loop->end != nullptr;
    out_.move(kFrame, range ? 2 : 4);
    out_.move(kKey, range ? 1 : 2);
    if (!range) out_.move(kValue, 3);
    out_.load(6, kFrame, context_slot_, 8);
    if (range) {
      load(0, one.first);
      out_.alu(BPF_ADD, 0, kKey);
      store(variable_places_[one.loop->target->index], 0);
    } else {
      take_pair(*one.loop);
    }
    block(one.loop->body);
    out_.jump(next);
    out_.place(ends);
    store_number(one.ended, 1);
    out_.place(last);
    out_.number(0, 1);
    out_.exit();
    out_.place(next);
  }
  out_.number(0, 0);
  out_.exit();
}

}  // namespace strata::expr
