// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the names of a program mean: builtins, arguments of the place, constants.
#include <algorithm>
#include <iterator>

#include "base/nearest.h"
#include "base/text.h"
#include "expr/check.h"
#include "expr/constants.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

struct BuiltinName {
  std::string_view name;
  uint32_t size;
  bool is_signed;
};
constexpr BuiltinName kNumbers[] = {
    {"pid", 4, false},   {"tid", 4, false},     {"uid", 4, false},   {"gid", 4, false},    {"cpu", 4, false},
    {"nsecs", 8, false}, {"elapsed", 8, false}, {"rand", 4, false},  {"cgroup", 8, false}, {"ncpus", 8, false},
    {"cpid", 4, false},  {"jiffies", 8, false}, {"numaid", 4, false}};
constexpr std::string_view kOther[] = {"comm",     "curtask",  "func",      "probe",    "retval",
                                       "args",     "kstack",   "ustack",    "ppid",     "pcomm",
                                       "usermode", "username", "probetype", "has_cpid", "default_str_length",
                                       "arg0",     "arg1",     "arg2",      "arg3",     "arg4",
                                       "arg5",     "ctx"};

}  // namespace

// arg0 and so on, or a parameter by its name; of a tracepoint, args.NAME alone.
bool Check::visit_argument(Expression &e) {
  uint64_t number = 0;
  const bool numbered = e.text.starts_with("arg") && parse_number(e.text.substr(3), number);
  if (numbered && (number < 10 || target_->is("usdt"))) {
    if (target_->is_ours() || target_->is("profile") || target_->is("tracepoint") ||
        (target_->returns() && !target_->is_typed()))
      throw error(e, e.text + " is of functions and raw tracepoints where they begin; " + target_->kind + " has none");
    e.index = static_cast<uint32_t>(number);
    if (target_->is("usdt")) {
      const std::vector<Operand> &operands = target_->operands;
      if (!target_->unread.empty())
        throw error(e, "the arguments of " + printable(target_->title) +
                           " lie where strata run cannot read them yet: " + printable(target_->unread));
      if (e.index >= operands.size())
        throw error(e, printable(target_->title) + " has " + std::to_string(operands.size()) + " arguments");
      e.type = int_type(operands[e.index].bytes, operands[e.index].is_signed);
      return true;
    }
    if (e.index > 5 && !target_->is("rawtracepoint")) throw error(e, "only arg0 to arg5 are in registers");
    e.type = int_type(8, false);
    return true;
  }
  if (target_->is("rawtracepoint") ? is_name_of_value(e.text) : !target_->is("kprobe") && !target_->is_typed())
    return false;
  for (const Field &one : target_->arguments)
    if (one.name == e.text) {
      e.index = one.offset;
      e.type = one.type;
      return true;
    }
  return false;
}

void Check::visit_name(Expression &e) {
  for (const BuiltinName &one : kNumbers)
    if (one.name == e.text) {
      e.type = int_type(one.size, one.is_signed);
      if (e.text == "nsecs")
        e.type.clock = e.number == 0 ? Clock::kBoot : e.number == 1 ? Clock::kMonotonic : Clock::kTai;
      return;
    }
  if (e.text == "ppid" || e.text == "pcomm") return check_parent(e);
  if (const std::optional<Enumerator> own = types_.own_enumerator(e.text)) return take_enumerator(e, *own);
  if (visit_argument(e)) return;
  if (e.text == "comm" || e.text == "probe") {
    e.type = string_type(e.text == "comm" ? 16 : static_cast<uint32_t>(target_->title.size() + 1));
  } else if (e.text == "curtask") {
    e.type = types_.named({.name = "struct task_struct", .pointers = 1, .counts = {}}, Space::kKernel)
                 .value_or(int_type(8, false));
  } else if (e.text == "func") {
    e.type = string_type(static_cast<uint32_t>(target_->name.size() + 1));
  } else if (e.text == "retval") {
    if (!target_->returns()) throw error(e, "retval is of functions that return: kretprobe, uretprobe, fexit");
    if (target_->of_bpf) throw error(e, "what functions of BPF programs return is not known to strata run yet");
    e.type = target_->result.known() ? target_->result : int_type();
  } else if (e.text == "usermode") {
    if (!target_->has_registers() && !target_->is_sample() && !target_->is_typed() && !target_->is_ours())
      throw error(e, "usermode is of samples and of functions where they begin or return");
    e.constant = target_->is_typed() || target_->is_ours();  // in the kernel; bpftrace's own begin and end are not
    e.number = target_->is("begin") || target_->is("end") ? 1 : 0;
    e.type = int_type(1, false);
  } else if (e.text == "probetype") {
    e.type = string_type(static_cast<uint32_t>(target_->kind_text().size() + 1));
  } else if (e.text == "has_cpid" || e.text == "default_str_length") {
    const bool child = e.text == "has_cpid";
    e.number = child ? circumstances_.child != 0 : plan_.settings.string_most;
    e.constant = true;
    e.type = child ? bool_type() : int_type();
  } else if (e.text == "username") {
    e.type = of_kind(TypeKind::kUserName);
  } else if (e.text == "kstack" || e.text == "ustack") {
    visit_stack(e);
  } else if (e.text == "args" || (e.text == "ctx" && target_->is("iter"))) {
    visit_arguments(e);
  } else if (e.text == "ctx") {
    throw error(e, "ctx has fields: ctx.NAME");
  } else if (const std::optional<uint64_t> value = named_constant(e.text)) {
    e.number = *value;
    e.constant = true;
    e.type = int_type();
  } else if (const std::optional<Enumerator> enumerator = types_.enumerator(e.text)) {
    take_enumerator(e, *enumerator);
  } else {
    std::vector<std::string_view> names(std::begin(kOther), std::end(kOther));
    for (const BuiltinName &one : kNumbers) names.push_back(one.name);
    for (const Field &one : target_->arguments) names.push_back(one.name);
    if (std::ranges::find(target_->arguments, e.text, &Field::name) != target_->arguments.end())
      throw error(e, "this argument is args." + e.text);
    throw error(e, "unknown name '" + printable(e.text) + "'" + meant(e.text, names));
  }
}

void Check::take_enumerator(Expression &e, const Enumerator &enumerator) {
  e.number = enumerator.value;
  e.constant = true;
  e.type = enumerator.type;
}

bool Check::is_name_of_value(std::string_view name) {
  if (name == "args" || name == "ctx" || name.starts_with("arg")) return false;
  return std::ranges::find(kNumbers, name, &BuiltinName::name) != std::end(kNumbers) ||
         std::ranges::find(kOther, name) != std::end(kOther);
}

const std::string *Check::name_of_place(const Expression &e) const {
  if (e.kind != Kind::kName) return nullptr;
  return e.text == "probe" ? &target_->title : e.text == "func" ? &target_->name : nullptr;
}

// Where it is only kept or shown, the name of the place is its number: then one program may serve many places.
void Check::as_place(Expression &e) const {
  if (name_of_place(e) == nullptr) return;
  e.type = of_kind(TypeKind::kPlaceName);
}

// What is walked is walked once, before the block: see Code.
void Check::visit_stack(Expression &e) {
  const bool user = e.text == "ustack";
  if (!e.type.known()) {
    e.type = of_kind(user ? TypeKind::kUserStack : TypeKind::kKernelStack);
    e.type.form = plan_.settings.stacks;
  }
  if (!user || target_->is_ours()) return;  // which run in no task whose stack there would be: it is empty
  if (target_->is_typed())
    throw error(e, "ustack of " + target_->kind + " is not known to strata run yet; a kprobe has it");
  if (in_predicate_) throw error(e, "ustack is taken when the condition holds, so that it cannot be a part of it");
  wants_user_stack_ = plan_.names_user_code = true;
}

}  // namespace strata::expr
