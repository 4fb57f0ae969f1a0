// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Stacks. Those of the kernel come by a helper; one of user space is walked by a program of the caller's, between two
// halves of this one. The memory in which they find each other is one of the processor (struct run_walk of bpf/run).
#include <algorithm>
#include <cerrno>

#include "expr/generate.h"

namespace strata::expr {
namespace {

// Who is within, the stack's key, and the number of the half behind the walk.
constexpr int kUsers = 0, kStack = 8, kRest = 16;
// In the array of halves: of the current task, of a function of user space that begins, and of one that returns.
constexpr int kWalk = 0, kWalkUser = 1, kWalkCaller = 2;

}  // namespace

// A number in the map of stacks; -1: none. Interrupted code of a program has no stack in the kernel (EFAULT).
void Generator::kernel_stack() {
  const Label kept = out_.label(), none = out_.label();
  out_.move(1, 6);
  out_.refer(2, Reference::Kind::kStacks);
  out_.number(3, 0);
  out_.call(BPF_FUNC_get_stackid);
  out_.jump_if_number(BPF_JSGE, 0, 0, kept);
  out_.jump_if_number(BPF_JEQ, 0, -EFAULT, none);
  const Mark before = mark();
  count_loss(circumstances_.loss_stack);
  release(before);
  out_.place(none);
  out_.number(0, ~UINT64_C(0));
  out_.place(kept);
}

// How many functions, those of the tracing itself among them. `most`: 0 is all.
void Generator::kernel_stack_length(uint32_t most) {
  constexpr uint32_t kMost = 127;
  const Label known = out_.label();
  const uint32_t bytes = (most == 0 ? kMost : std::min(most, kMost)) * 8;
  const Place frames = memory(bytes);
  if (frames.base == Place::Base::kFrame) clear(frames, bytes);  // as the verifier of 5.10 wants it
  out_.move(1, 6);
  address_of(2, frames);
  out_.number(3, bytes);
  out_.number(4, 0);
  out_.call(BPF_FUNC_get_stack);
  out_.jump_if_number(BPF_JSGE, 0, 0, known);
  out_.number(0, 0);
  out_.place(known);
  out_.alu_number(BPF_RSH, 0, 3);
}

// As struct stack of bpf/lib/user/stack_wire.h says.
void Generator::user_stack_length(const Expression &of) {
  constexpr int kUserFrames = 8;
  const Label none = out_.label(), few = out_.label();
  const Place key = memory(8);
  value(of);
  store(key, 0);
  out_.refer(1, Reference::Kind::kUserStacks);
  address_of(2, key);
  out_.call(BPF_FUNC_map_lookup_elem);
  out_.jump_if_number(BPF_JEQ, 0, 0, none);
  out_.load(0, 0, kUserFrames, 4);
  if (of.type.count != 0) {
    out_.jump_if_number(BPF_JLE, 0, static_cast<int32_t>(of.type.count), few);
    out_.number(0, of.type.count);
    out_.place(few);
  }
  out_.place(none);
}

// Its memory, in R0 and in the frame.
void Generator::find_walk() {
  walk_slot_ = frame_slot(8);
  const int index = frame_slot(8);
  out_.store_number(frame_register_, index, 0, 4);
  out_.refer(1, Reference::Kind::kWalk);
  address_of(2, {.offset = index});
  out_.call(BPF_FUNC_map_lookup_elem);
  out_.jump_if_number(BPF_JEQ, 0, 0, leave_);
  out_.store(frame_register_, walk_slot_, 0, 8);
}

void Generator::leave_walk() {
  out_.load(0, frame_register_, walk_slot_, 8);
  out_.number(1, ~UINT64_C(0));
  out_.add_atomically(0, kUsers, 1);
}

// To the walk, from where nothing returns. Of two programs that come to it at the same time on a processor, as where
// the first one is preempted, the second one's run is a loss.
void Generator::walk() {
  const Label mine = out_.label();
  find_walk();
  out_.number(1, 1);
  out_.add_atomically(0, kUsers, 1);
  out_.load(1, 0, kUsers, 8);
  out_.jump_if_number(BPF_JEQ, 1, 1, mine);
  leave_walk();
  count_loss(circumstances_.loss_busy);
  out_.jump(leave_);
  out_.place(mine);
  out_.store_number(0, kRest, static_cast<int32_t>(circumstances_.first_rest + numbers_.program), 4);
  out_.move(1, 6);
  out_.refer(2, Reference::Kind::kHalves);
  out_.number(3, static_cast<uint64_t>(!target_->in_user_space() ? kWalk
                                       : target_->returns()      ? kWalkCaller
                                                                 : kWalkUser));
  out_.call(BPF_FUNC_tail_call);
  leave_walk();
  out_.jump(leave_);
}

void Generator::take_walked() {
  stack_slot_ = frame_slot(8);
  find_walk();
  out_.load(1, 0, kStack, 8);
  out_.store(frame_register_, stack_slot_, 1, 8);
  leave_walk();
}

}  // namespace strata::expr
