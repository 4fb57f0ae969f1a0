// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Values of 8 bytes, which come in R0, and conditions, which are jumps.
#include <algorithm>
#include <limits>

#include "expr/generate.h"
#include "expr/machine.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

// Those without side effects that one load or one move makes: they need no temporary.
bool is_leaf(const Expression &e) { return e.constant || (e.kind == Kind::kVariable && e.type.is_scalar()); }

struct Comparison {
  std::string_view text;
  int is_signed, is_unsigned;    // the jump where it holds
  int not_signed, not_unsigned;  // where it does not
};
constexpr Comparison kComparisons[] = {
    {"==", BPF_JEQ, BPF_JEQ, BPF_JNE, BPF_JNE},   {"!=", BPF_JNE, BPF_JNE, BPF_JEQ, BPF_JEQ},
    {"<", BPF_JSLT, BPF_JLT, BPF_JSGE, BPF_JGE},  {">", BPF_JSGT, BPF_JGT, BPF_JSLE, BPF_JLE},
    {"<=", BPF_JSLE, BPF_JLE, BPF_JSGT, BPF_JGT}, {">=", BPF_JSGE, BPF_JGE, BPF_JSLT, BPF_JLT},
};

const Comparison *comparison(std::string_view text) {
  for (const Comparison &one : kComparisons)
    if (one.text == text) return &one;
  return nullptr;
}

}  // namespace

bool Generator::fits_number(const Expression &e, int32_t &number) const {
  const auto wide = static_cast<int64_t>(e.number);
  number = static_cast<int32_t>(wide);
  return e.constant && wide == number;
}

// What a pointer moves by for each that is added; of numbers 1.
uint32_t Generator::bytes_of_step(const Type &type) {
  if (!type.is(TypeKind::kPointer)) return 1;
  return type.to->is(TypeKind::kPointer) ? 8 : std::max<uint32_t>(type.to->size, 1);
}

void Generator::value(const Expression &e) {
  if (e.constant) return out_.number(0, e.number);
  switch (e.kind) {
    case Kind::kName:
      return value_of_name(e);
    case Kind::kVariable:
      return load(0, variable_places_[e.index]);
    case Kind::kMap:
      return value_of_map(e);
    case Kind::kCall:
      return value_of_call(e);
    case Kind::kField:
    case Kind::kIndex:
      return value_of_field(e);
    case Kind::kUnary:
      return value_of_unary(e);
    case Kind::kBinary:
      return value_of_binary(e);
    case Kind::kChoice: {
      const Label no = out_.label(), done = out_.label();
      branch(*e.parts[0], false, no);
      value(*e.parts[1]);
      out_.jump(done);
      out_.place(no);
      value(*e.parts[2]);
      return out_.place(done);
    }
    case Kind::kCast:
      value(*e.parts[0]);
      if (e.type.is(TypeKind::kArray)) {
        store(variable_places_[e.index], 0);
        return address_of(0, variable_places_[e.index]);
      }
      if (e.parts[0]->type.is(TypeKind::kArray) && e.type.is(TypeKind::kInt)) {
        const Place number = memory(8);
        probe_read(space_of(*e.parts[0]), false, e.type.size, number);
        load(0, number);
        return out_.extend(0, e.type.size, e.type.is_signed);
      }
      if (e.type.is_bool) {
        const Label is_false = out_.label();
        out_.jump_if_number(BPF_JEQ, 0, 0, is_false);
        out_.number(0, 1);
        return out_.place(is_false);
      }
      return out_.extend(0, e.type.is(TypeKind::kInt) ? e.type.size : 8, e.type.is_signed);
    case Kind::kStep:
      return value_of_step(e);
    case Kind::kRoutine:
      run_routine(e);
      if (e.type.known() && e.type.is_scalar()) load(0, variable_places_[e.index]);
      return;
    case Kind::kBlock:
      statements_of(e);
      return value(*e.body.back().value);
    default:
      throw source_.error(e.at, "this cannot stand here: it is " + name_of(e.type));
  }
}

// --- builtins

// As the PID namespace of strata has it, or the first one, in which everything has a number.
void Generator::task(bool first_namespace) {
  if (first_namespace || circumstances_.pidns_ino == 0) return out_.call(BPF_FUNC_get_current_pid_tgid);
  const int info = frame_slot(sizeof(bpf_pidns_info));  // tid, tgid; zeros of what is not in it
  out_.store_number(frame_register_, info, 0, 8);
  out_.number(1, circumstances_.pidns_dev);
  out_.number(2, circumstances_.pidns_ino);
  address_of(3, {.offset = info});
  out_.number(4, sizeof(bpf_pidns_info));
  out_.call(BPF_FUNC_get_ns_current_pid_tgid);
  out_.load(0, frame_register_, info, 8);
}

// In the order of check_nsecs().
void Generator::time_now(uint64_t clock) {
  constexpr int kHelpers[] = {BPF_FUNC_ktime_get_boot_ns, BPF_FUNC_ktime_get_ns, BPF_FUNC_ktime_get_tai_ns,
                              BPF_FUNC_ktime_get_ns};
  out_.call(kHelpers[clock]);
  if (clock != 3) return;
  out_.number(1, circumstances_.tai_ns);
  out_.alu(BPF_ADD, 0, 1);
}

void Generator::value_of_name(const Expression &e) {
  const auto high = [&](int helper) {
    out_.call(helper);
    out_.alu_number(BPF_RSH, 0, 32);
  };
  const auto low = [&](int helper) {
    out_.call(helper);
    out_.extend(0, 4, false);
  };
  if (e.text == "pid" || e.text == "tid") {
    task(e.number == 1);
    return e.text == "pid" ? out_.alu_number(BPF_RSH, 0, 32) : out_.extend(0, 4, false);
  }
  if (e.text == "gid") return high(BPF_FUNC_get_current_uid_gid);
  if (e.text == "uid" || e.text == "username") return low(BPF_FUNC_get_current_uid_gid);
  if (e.text == "cpu") return out_.call(BPF_FUNC_get_smp_processor_id);
  if (e.text == "nsecs") return time_now(e.number);
  if (e.text == "numaid") return out_.call(BPF_FUNC_get_numa_node_id);
  if (e.text == "rand") return low(BPF_FUNC_get_prandom_u32);
  if (e.text == "cgroup") return out_.call(BPF_FUNC_get_current_cgroup_id);
  if (e.text == "jiffies") return out_.call(BPF_FUNC_jiffies64);
  if (e.text == "curtask") return out_.call(BPF_FUNC_get_current_task);
  if (e.text == "ncpus") return out_.number(0, circumstances_.cpus);
  if (e.text == "cpid") return out_.number(0, circumstances_.child);
  if (e.text == "elapsed") {
    out_.call(BPF_FUNC_ktime_get_ns);
    out_.number(1, circumstances_.start_ns);
    return out_.alu(BPF_SUB, 0, 1);
  }
  if (e.text == "retval") {
    if (target_->is_typed()) return argument(words_of_arguments(target_->arguments), e.type);
    out_.load(0, 6, kResult, 8);
    return out_.extend(0, e.type.is(TypeKind::kInt) ? e.type.size : 8, e.type.is_signed);
  }
  if (e.text == "usermode") {
    const Label kernel = out_.label();
    out_.load(0, 6, kModeAt, 8);
    out_.alu_number(BPF_AND, 0, kModeBits);
    out_.jump_if_number(BPF_JNE, 0, kUserMode, kernel);
    return out_.settle(true, kernel);
  }
  if ((e.text == "kstack" || e.text == "ustack") && target_->is_ours()) return out_.number(0, ~UINT64_C(0));
  if (e.text == "kstack") return kernel_stack();
  if (e.type.is(TypeKind::kPlaceName) && !numbers_.shares)
    return out_.number(0, e.text == "probe" ? numbers_.cookie >> 32 : numbers_.cookie & UINT32_MAX);
  if (e.type.is(TypeKind::kPlaceName)) {
    out_.move(1, 6);
    return e.text == "probe" ? high(BPF_FUNC_get_attach_cookie) : low(BPF_FUNC_get_attach_cookie);
  }
  if (e.text == "ustack") return out_.load(0, frame_register_, stack_slot_, 8);
  argument(e.index, e.type);
}

// --- memory that is traced

void Generator::probe_read(Space space, bool string, uint32_t bytes, Place to) {
  const int kernel = string ? BPF_FUNC_probe_read_kernel_str : BPF_FUNC_probe_read_kernel;
  const int user = string ? BPF_FUNC_probe_read_user_str : BPF_FUNC_probe_read_user;
  out_.move(3, 0);
  address_of(1, to);
  if (bytes != kSizeInRegister) out_.number(2, bytes);
  if (space == Space::kUnknown && target_->in_user_space()) space = Space::kUser;
  if (space != Space::kUnknown) return out_.call(space == Space::kUser ? user : kernel);
  const Label in_kernel = out_.label(), done = out_.label();
  out_.jump_if_number(BPF_JSLT, 3, 0, in_kernel);
  out_.call(user);
  out_.jump(done);
  out_.place(in_kernel);
  out_.call(kernel);
  out_.place(done);
}

// Of what is not a value of 8 bytes, the address.
void Generator::read(const Type &type, uint32_t offset) {
  if (offset != 0) out_.alu_number(BPF_ADD, 0, static_cast<int32_t>(offset));
  if (type.is(TypeKind::kRecord) || type.is(TypeKind::kArray)) return;
  const uint32_t bytes = type.is(TypeKind::kInt) ? type.size : 8;
  const int slot = frame_slot(8);
  probe_read(type.space, false, bytes, {.offset = slot});
  out_.load(0, frame_register_, slot, bytes);
  if (type.bits != 0) {
    out_.alu_number(BPF_LSH, 0, static_cast<int32_t>(64 - type.bit_offset - type.bits));
    return out_.alu_number(type.is_signed ? BPF_ARSH : BPF_RSH, 0, static_cast<int32_t>(64 - type.bits));
  }
  if (type.is_signed) out_.extend(0, bytes, true);
}

void Generator::value_of_field(const Expression &e) {
  const Expression &of = *e.parts[0];
  if (of.type.is(TypeKind::kTuple)) {
    const Place place = tuple_place(of).at(e.offset);
    if (!e.type.is(TypeKind::kRecord) && !e.type.is(TypeKind::kArray)) return load(0, place);
    address_of(0, place);
    return address_as_number();
  }
  const bool of_context = of.kind == Kind::kName && (of.text == "args" || of.text == "ctx");
  if (!of_context || target_->is("iter")) return read(e.type, address(e));
  if (!target_->is("tracepoint")) return argument(e.offset, e.type);
  if (e.type.name == "__data_loc") {  // where it lies in the record, and in the upper half how long it is
    out_.load(0, 6, static_cast<int>(e.offset), 4);
    out_.alu_number(BPF_AND, 0, 0xffff);
    return out_.alu(BPF_ADD, 0, 6);
  }
  if (e.type.is(TypeKind::kRecord) || e.type.is(TypeKind::kArray)) {
    out_.move(0, 6);
    return out_.alu_number(BPF_ADD, 0, static_cast<int32_t>(e.offset));
  }
  const uint32_t bytes = e.type.is(TypeKind::kInt) ? e.type.size : 8;
  out_.load(0, 6, static_cast<int>(e.offset), bytes);
  if (e.type.is_signed) out_.extend(0, bytes, true);
}

// --- operators

void Generator::value_of_unary(const Expression &e) {
  const Expression &of = *e.parts[0];
  if (e.text == "*") {
    value(of);
    return read(e.type, 0);
  }
  if (e.text == "&" && of.kind == Kind::kVariable) return address_of(0, variable_places_[of.index]);
  if (e.text == "&" && of.kind == Kind::kMap) return find(of, map_of(of).key.empty() ? Place{} : key_to(of));
  if (e.text == "&") {
    const uint32_t offset = address(of);
    if (offset != 0) out_.alu_number(BPF_ADD, 0, static_cast<int32_t>(offset));
    return;
  }
  if (e.text == "!") {
    const Label is_true = out_.label();
    branch(of, true, is_true);
    return out_.settle(true, is_true);
  }
  value(of);
  if (e.text == "-") return out_.alu_number(BPF_NEG, 0, 0);
  out_.alu_number(BPF_XOR, 0, -1);
}

void Generator::value_of_binary(const Expression &e) {
  const Expression &a = *e.parts[0], &b = *e.parts[1];
  if (e.text == "?:") {
    const Label done = out_.label();
    value(a);
    out_.jump_if_number(BPF_JNE, 0, 0, done);
    value(b);
    return out_.place(done);
  }
  if (comparison(e.text) != nullptr || e.text == "&&" || e.text == "||") {
    const Label is_false = out_.label();
    branch(e, false, is_false);
    return out_.settle(true, is_false);
  }
  value(a);
  const bool pointer =
      a.type.is(TypeKind::kPointer) && !b.type.is(TypeKind::kPointer) && (e.text == "+" || e.text == "-");
  if (is_leaf(b) && !pointer) {
    if (b.constant)
      out_.number(1, b.number);
    else
      load(1, variable_places_[b.index]);
    return arithmetic(e.text, e);
  }
  Temporary left = keep();
  value(b);
  if (pointer && bytes_of_step(a.type) > 1) out_.alu_number(BPF_MUL, 0, static_cast<int32_t>(bytes_of_step(a.type)));
  out_.move(1, 0);
  take(0, left);
  arithmetic(e.text, e);
}

// Of R0 and R1. `e` says whether it is signed.
void Generator::arithmetic(const std::string &op, const Expression &e) {
  const bool is_signed = e.kind == Kind::kBinary ? e.index != 0 : e.type.is_signed;
  if (op == "+") return out_.alu(BPF_ADD, 0, 1);
  if (op == "-") return out_.alu(BPF_SUB, 0, 1);
  if (op == "*") return out_.alu(BPF_MUL, 0, 1);
  if (op == "&") return out_.alu(BPF_AND, 0, 1);
  if (op == "|") return out_.alu(BPF_OR, 0, 1);
  if (op == "^") return out_.alu(BPF_XOR, 0, 1);
  if (op == "/" || op == "%") return divide(op == "%", is_signed);
  out_.alu_number(BPF_AND, 1, 63);  // as the verifier wants it
  out_.alu(op == "<<" ? BPF_LSH : is_signed ? BPF_ARSH : BPF_RSH, 0, 1);
}

// BPF divides without signs, and by 0 as 0: the result has the sign of both, the rest that of the first.
void Generator::divide(bool modulo, bool is_signed) {
  const int op = modulo ? BPF_MOD : BPF_DIV;
  if (!is_signed) return out_.alu(op, 0, 1);
  const Label first = out_.label(), second = out_.label(), done = out_.label();
  out_.move(2, 0);
  if (!modulo) out_.alu(BPF_XOR, 2, 1);
  out_.jump_if_number(BPF_JSGE, 0, 0, first);
  out_.alu_number(BPF_NEG, 0, 0);
  out_.place(first);
  out_.jump_if_number(BPF_JSGE, 1, 0, second);
  out_.alu_number(BPF_NEG, 1, 0);
  out_.place(second);
  out_.alu(op, 0, 1);
  out_.jump_if_number(BPF_JSGE, 2, 0, done);
  out_.alu_number(BPF_NEG, 0, 0);
  out_.place(done);
}

void Generator::value_of_step(const Expression &e) {
  const Expression &target = *e.parts[0];
  const bool of_map = target.kind == Kind::kMap;
  const Type &type = of_map ? map_of(target).value : (*variables_)[target.index].type;
  const int32_t by = (e.text == "++" ? 1 : -1) * static_cast<int32_t>(bytes_of_step(type));
  if (of_map) {
    const Label lost = out_.label(), done = out_.label();
    find_or_make(target, key_to(target), lost);
    say_given(map_of(target), 0);
    out_.move(2, 0);
    out_.load(0, 2, 0, 8);
    out_.number(1, static_cast<uint64_t>(static_cast<int64_t>(by)));
    out_.add_atomically(2, 0, 1);
    if (e.number == 0) out_.alu_number(BPF_ADD, 0, by);
    out_.jump(done);
    out_.place(lost);
    out_.number(0, 0);
    return out_.place(done);
  }
  const Place place = variable_places_[target.index];
  load(0, place);
  if (e.number != 0) out_.move(1, 0);
  const int changed = e.number != 0 ? 1 : 0;
  out_.alu_number(BPF_ADD, changed, by);
  if (type.is(TypeKind::kInt)) out_.extend(changed, type.size, type.is_signed);
  store(place, changed);
}

// --- conditions

void Generator::branch(const Expression &e, bool when, Label to) {
  if (e.constant) {
    if ((e.number != 0) == when) out_.jump(to);
    return;
  }
  if (e.kind == Kind::kUnary && e.text == "!") return branch(*e.parts[0], !when, to);
  const bool both = e.kind == Kind::kBinary && e.text == "&&", either = e.kind == Kind::kBinary && e.text == "||";
  if (both || either) {
    const Label here = out_.label();
    const bool short_cut = either;  // what decides it after the first one
    if (when == short_cut) {
      branch(*e.parts[0], short_cut, to);
      branch(*e.parts[1], when, to);
    } else {
      branch(*e.parts[0], short_cut, here);
      branch(*e.parts[1], when, to);
    }
    return out_.place(here);
  }
  if (e.kind == Kind::kBinary && comparison(e.text) != nullptr) return compare(e, when, to);
  value(e);
  out_.jump_if_number(when ? BPF_JNE : BPF_JEQ, 0, 0, to);
}

void Generator::compare(const Expression &e, bool when, Label to) {
  const Expression &a = *e.parts[0], &b = *e.parts[1];
  if (a.type.is(TypeKind::kTuple)) return compare_tuples(a, b, (e.text == "==") == when, to);
  if (a.type.is(TypeKind::kArray)) return compare_arrays(a, b, (e.text == "==") == when, to);
  if (a.type.is(TypeKind::kString))
    return compare_strings(a, b, std::numeric_limits<uint32_t>::max(), (e.text == "==") == when, to);
  const Comparison &how = *comparison(e.text);
  const int jump =
      when ? (e.index != 0 ? how.is_signed : how.is_unsigned) : (e.index != 0 ? how.not_signed : how.not_unsigned);
  value(a);
  int32_t number = 0;
  if (fits_number(b, number)) return out_.jump_if_number(jump, 0, number, to);
  if (is_leaf(b)) {
    if (b.constant)
      out_.number(1, b.number);
    else
      load(1, variable_places_[b.index]);
    return out_.jump_if(jump, 0, 1, to);
  }
  Temporary left = keep();
  value(b);
  take(1, left);
  out_.jump_if(jump, 1, 0, to);
}

}  // namespace strata::expr
