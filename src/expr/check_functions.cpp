// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Functions that have a value: of what they take, and what they give.
#include <arpa/inet.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>

#include "base/pattern.h"
#include "base/text.h"
#include "expr/check.h"

namespace strata::expr {
namespace {

using Kind = Expression::Kind;
using TypeKind = Type::Kind;

}  // namespace

// str($1 + 1): what is behind the first characters of a text that is known.
void Check::cut_text(Expression &e) {
  const bool adds = e.kind == Kind::kBinary && e.text == "+" && e.parts[0]->kind == Kind::kString;
  if (!adds) return;
  visit(*e.parts[1]);
  const uint64_t from = want_constant(*e.parts[1], "where a text is cut");
  const std::string text = e.parts[0]->text;
  if (from > text.size()) throw error(e, "the text has " + std::to_string(text.size()) + " characters");
  e.kind = Kind::kString;
  e.text = text.substr(from);
  e.parts.clear();
}

void Check::check_str(Expression &e) {
  cut_text(*e.parts[0]);
  visit_parts(e);
  Expression &from = *e.parts[0];
  if (from.type.is(TypeKind::kString)) return check_str_of_string(e);
  if (!from.type.is(TypeKind::kArray)) want_number(from, "the address of a string");
  if (e.parts.size() == 2) want_number(*e.parts[1], "the size of a string");
  const bool sized = e.parts.size() == 2 && e.parts[1]->constant;
  if (sized && e.parts[1]->number > kMostString)
    throw error(*e.parts[1], "str() has at most " + std::to_string(kMostString) + " characters");
  e.type = sized ? string_type(static_cast<uint32_t>(e.parts[1]->number) + 1) : string_at(from.type);
  e.index = sized ? 0 : most_of(from.type);
}

// The string itself, or as much of it.
void Check::check_str_of_string(Expression &e) {
  Expression &from = *e.parts[0];
  const uint64_t most = e.parts.size() == 2 ? want_constant(*e.parts[1], "the size of a part of a string") : UINT64_MAX;
  if (from.kind == Kind::kString) {
    e.text = from.text.substr(0, most);
    e.kind = Kind::kString;
    e.parts.clear();
    return visit(e);
  }
  e.type = from.type;
  if (most < from.type.size - 1) e.type = string_type(static_cast<uint32_t>(most) + 1);
}

// Of how many characters str() cuts what lies there; 0: an array has no more than it may.
uint32_t Check::most_of(const Type &from) const {
  const uint32_t most = plan_.settings.string_most;
  return from.is(TypeKind::kArray) && from.size <= most ? 0 : most;
}

// With room for the mark of one that is cut.
Type Check::string_at(const Type &from) const {
  const uint32_t most = most_of(from);
  return string_type(most == 0 ? from.size + 1 : most + std::max(plan_.settings.cut_bytes(), 1U) + 1);
}

void Check::check_buf(Expression &e) {
  visit_parts(e);
  const Type &from = e.parts[0]->type;
  const bool sized = from.is(TypeKind::kArray) || from.is(TypeKind::kString);
  if (e.parts.size() == 1 && !sized && (last_ || from.known())) throw error(e, "buf() of a pointer wants a size, too");
  uint64_t size = e.parts.size() == 1 ? from.size : plan_.settings.string_most;
  if (e.parts.size() == 2 && e.parts[1]->constant) size = e.parts[1]->number;
  if (size > kMostString) throw error(e, "buf() has at most " + std::to_string(kMostString) + " bytes");
  e.type = of_kind(TypeKind::kBuffer, static_cast<uint32_t>(8 + (size + 7) / 8 * 8));
}

void Check::check_symbol(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], "an address");
  if (e.text == "usym") plan_.names_user_code = true;
  e.type = e.text == "ksym" ? of_kind(TypeKind::kKernelSymbol) : of_kind(TypeKind::kUserSymbol, 16);
}

void Check::check_ntop(Expression &e) {
  visit_parts(e);
  const Type &address = e.parts.back()->type;
  const bool bytes = address.is(TypeKind::kArray) || address.is(TypeKind::kRecord);
  if (!bytes) want_number(*e.parts.back(), "an address of ntop()");
  if (bytes && address.size != 4 && address.size != 16)
    throw error(e, "an address has 4 or 16 bytes, and this has " + std::to_string(address.size));
  e.type = of_kind(TypeKind::kInet, 24);
}

void Check::check_mac(Expression &e) {
  visit_parts(e);
  if (!e.parts[0]->type.is(TypeKind::kArray)) throw error(*e.parts[0], "macaddr() takes an array of 6 bytes");
  e.type = of_kind(TypeKind::kMac);
}

void Check::check_number_call(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], e.text.c_str());
  const uint32_t size = e.text == "ntohs" ? 2 : e.text == "ntohl" ? 4 : e.parts[0]->type.size;
  e.type = int_type(size, false);
}

void Check::check_strncmp(Expression &e) {
  for (ExpressionPtr &part : e.parts) visit_value(part);
  for (size_t i = 0; i < 2; i++)
    if (e.parts[i]->type.known() && !e.parts[i]->type.is(TypeKind::kString))
      throw error(*e.parts[i], "strncmp() compares strings, and this is " + name_of(e.parts[i]->type));
  static_cast<void>(want_constant(*e.parts[2], "the length of strncmp()"));
  e.type = int_type(8, false);
}

void Check::check_reg(Expression &e) {
  if (e.parts[0]->kind != Kind::kString) throw error(e, "reg() takes a name: reg(\"ip\")");
  if (!target_->has_registers()) throw error(e, target_->kind + " has no registers");
  e.type = int_type(8, false);
}

void Check::check_pointer_call(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], e.text.c_str());
  e.type = e.parts[0]->type;
  e.type.space = e.text == "kptr" ? Space::kKernel : Space::kUser;
}

// In what form, and how many functions of it are shown, the innermost ones.
void Check::check_stack(Expression &e) {
  constexpr std::string_view kForms[] = {"bpftrace", "perf", "raw"};  // as StackForm has them
  Type type = of_kind(e.text == "ustack" ? TypeKind::kUserStack : TypeKind::kKernelStack);
  type.form = plan_.settings.stacks;
  for (const ExpressionPtr &part : e.parts) {
    const auto *form = std::ranges::find(kForms, part->text);
    if (part->kind == Kind::kName && form != std::end(kForms)) {
      type.form = static_cast<StackForm>(form - kForms);
      continue;
    }
    if (part->kind == Kind::kName && part->text == "build_id")
      throw error(*part,
                  "stacks in the form 'build_id' are not known to strata run yet; there are " + comma_list(kForms));
    visit(*part);
    type.count = static_cast<uint32_t>(want_constant(*part, "the number of functions of a stack"));
    if (type.count == 0 || type.count > 128) throw error(*part, "a stack has from 1 to 128 functions");
  }
  e.type = std::move(type);
  check_comm(e);
}

void Check::check_comm(Expression &e) {
  e.parts.clear();
  e.kind = Kind::kName;
  visit_name(e);
}

// By the PID namespace of strata, or (number 1) by the first one.
void Check::check_task(Expression &e) {
  if (!e.parts.empty()) {
    const Expression &space = *e.parts[0];
    if (space.kind != Kind::kName || (space.text != "curr_ns" && space.text != "init"))
      throw error(space, e.text + "() is by the PID namespace of strata, " + e.text +
                             "(curr_ns), or by the first one, " + e.text + "(init)");
    e.number = space.text == "init" ? 1 : 0;
  }
  check_comm(e);
}

// What a struct task_struct says: made the fields that they stand for.
void Check::check_parent(Expression &e) {
  auto task = std::make_unique<Expression>();
  task->kind = Kind::kName;
  task->text = "curtask";
  task->at = e.at;
  if (!e.parts.empty()) task = std::move(e.parts[0]);
  auto other = std::make_unique<Expression>();
  other->kind = Kind::kField;
  other->text = e.text == "ppid" ? "real_parent" : "group_leader";
  other->at = e.at;
  other->parts.push_back(std::move(task));
  e.kind = Kind::kField;
  e.text = e.text == "ppid" ? "tgid" : "comm";
  e.parts.clear();
  e.parts.push_back(std::move(other));
  visit_field(e);
}

void Check::check_nsecs(Expression &e) {
  constexpr std::string_view kClocks[] = {"boot", "monotonic", "tai", "sw_tai"};
  if (!e.parts.empty()) {
    const Expression &clock = *e.parts[0];
    const auto *at = std::ranges::find(kClocks, clock.text);
    if (clock.kind != Kind::kName || at == std::end(kClocks))
      throw error(clock, "no such clock; there are " + comma_list(kClocks));
    e.number = static_cast<uint64_t>(at - std::begin(kClocks));
  }
  check_comm(e);
}

// A kernel stack that is kept is known by a number, which the kernel lets no program look up.
void Check::check_len(Expression &e) {
  const Expression &first = *e.parts[0];
  e.type = int_type();
  if (first.kind == Kind::kMap && first.parts.empty() && !plan_.maps[map_index(first)].key.empty()) {
    if (plan_.maps[first.index].buckets != 0)
      throw error(first, "len() of a map of histograms is not known to strata run yet");
    plan_.maps[first.index].is_read = true;
    return;
  }
  visit_value(e.parts[0]);
  const Expression &of = *e.parts[0];
  if (!of.type.known() && !last_) return;
  if (of.type.is(TypeKind::kKernelStack) && of.kind != Kind::kName)
    throw error(of, "len() takes the kernel's stack where it is: len(kstack)");
  if (!of.type.is(TypeKind::kString) && !of.type.is(TypeKind::kUserStack) && !of.type.is(TypeKind::kKernelStack))
    throw error(of, "len() takes a map, a string or a stack, and this is " + name_of(of.type));
}

void Check::check_strcontains(Expression &e) {
  constexpr uint32_t kMostWork = 1 << 14;  // at each place so many bytes: what the kernel verifies in 30 ms
  for (ExpressionPtr &part : e.parts) {
    visit_value(part);
    if (part->type.known() && !part->type.is(TypeKind::kString))
      throw error(*part, e.text + "() takes strings, and this is " + name_of(part->type));
  }
  constexpr uint32_t kMostHay = 2048;
  const Expression &hay = *e.parts[0], &needle = *e.parts[1];
  if (hay.type.size > kMostHay)
    throw error(hay, e.text + "() looks through " + std::to_string(kMostHay - 1) + " characters at most; this has " +
                         name_of(hay.type) + ": give it a size, as str(pointer, 2000)");
  if (literal_of(needle) == nullptr && hay.type.size * needle.type.size > kMostWork)
    throw error(needle, "the kernel does not verify that many comparisons, of " + name_of(hay.type) + " and " +
                            name_of(needle.type) + ": give one a size, as str(pointer, 32)");
  e.type = e.text == "strstr" ? int_type() : bool_type();
}

// Numbers that user space shows by their names.
void Check::check_number_name(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], (e.text + "()").c_str());
  e.type = of_kind(e.text == "strerror" ? TypeKind::kErrno : TypeKind::kSystemCall);
}

// Its path, or whose it is.
void Check::check_cgroup(Expression &e) {
  visit_parts(e);
  want_number(*e.parts[0], "a control group");
  if (e.parts.size() == 2) {
    want_text(*e.parts[1], "which hierarchies cgroup_path() looks in");
    if (!pattern_matches(e.parts[1]->text, "unified"))
      throw error(*e.parts[1], "strata knows control groups of v2 alone, whose hierarchy is \"unified\"");
  }
  e.type = of_kind(e.text == "cgroup_unit"        ? TypeKind::kCgroupUnit
                   : e.text == "cgroup_container" ? TypeKind::kCgroupContainer
                   : e.text == "cgroup_pod"       ? TypeKind::kCgroupPod
                                                  : TypeKind::kCgroupPath);
  plan_.names_cgroups = true;
}

// What this machine says before the program runs.
void Check::check_found(Expression &e) {
  if (e.constant) return;
  const Expression &name = *e.parts[0];
  const bool group = e.text == "cgroupid";
  want_text(name, group ? "the path of cgroupid()" : "the name of kaddr()");
  const auto &find = group ? circumstances_.cgroup_id : circumstances_.kernel_address;
  e.number = find ? find(name.text) : 0;
  if (e.number == 0)
    throw error(name, group ? "no control group (v2) has the directory " + printable(name.text)
                            : "/proc/kallsyms has no address of '" + printable(name.text) +
                                  "'; there is no such symbol, or addresses are hidden (kernel.kptr_restrict)");
  e.constant = true;
  e.type = int_type(8, false);
}

// One program may be at places of several files: nothing of it is a constant.
void Check::check_uaddr(Expression &e) {
  const Expression &name = *e.parts[0];
  want_text(name, "the name of uaddr()");
  if (!target_->find_symbol)
    throw error(
        e, "uaddr() is of the program that a uprobe, a uretprobe or a usdt is in; " + target_->kind + " is in none");
  const std::optional<UserSymbol> symbol = target_->find_symbol(name.text);
  if (!symbol)
    throw error(name, "the file of " + printable(target_->title) + " has no symbol '" + printable(name.text) + "'");
  if (symbol->moves && target_->returns() && !circumstances_.function_address)
    throw error(e,
                "where a function returns, this kernel does not say where its program lies in memory (6.6 does); keep "
                "uaddr() in a map where it begins");
  const bool known = symbol->bytes == 1 || symbol->bytes == 2 || symbol->bytes == 4;
  e.number = symbol->address;
  e.index = symbol->moves ? 1 : 0;
  e.type = pointer_to(int_type(known ? symbol->bytes : 8, false), Space::kUser);
}

// Its bytes lie in memory of the program from its beginning to its end, where all that reads an array finds them.
void Check::check_pton(Expression &e) {
  want_text(*e.parts[0], "the address of pton()");
  const std::string &text = e.parts[0]->text;
  uint8_t bytes[16];
  const bool four = text.find(':') == std::string::npos;
  if (inet_pton(four ? AF_INET : AF_INET6, text.c_str(), bytes) != 1)
    throw error(*e.parts[0], "no address: '" + printable(text) + "'");
  const uint32_t size = four ? 4 : 16;
  e.type = {.kind = TypeKind::kArray, .size = size, .space = Space::kKernel, .count = size};
  e.type.to = std::make_shared<const Type>(int_type(1, false));
  e.index = add_room(string_type(16));
}

// Of each argument its address, where 0 ends them, and its text.
void Check::check_join(Expression &e) {
  visit_parts(e);
  const Expression &argv = *e.parts[0];
  want_number(argv, "the arguments of join()");
  if (e.parts.size() == 2) want_text(*e.parts[1], "what join() puts between");
  Action action = {.kind = Action::Kind::kJoin, .format = e.parts.size() == 2 ? e.parts[1]->text : " "};
  for (uint32_t i = 0; i < kJoined; i++) {
    action.values.push_back(int_type(8, false));
    action.values.push_back(string_type(std::min(plan_.settings.string_most, kMostJoined) + 1));
  }
  e.number = add_room(pointer_to(pointer_to(int_type(1), argv.type.space), argv.type.space));
  e.index = add_action(std::move(action));
}

void Check::visit_size(Expression &e) {
  visit_parts(e);
  const Type type = e.parts.empty() ? named_type(e) : e.parts[0]->type;
  const Record *record = type.is(TypeKind::kRecord) ? types_.record_of(type) : nullptr;
  e.number = record != nullptr ? record->size : type.is(TypeKind::kTuple) ? type.bytes() : type.size;
  e.constant = true;
  e.type = int_type(8, false);
}

void Check::visit_offset(Expression &e) {
  visit_parts(e);
  Type type = e.parts.empty() ? named_type(e) : e.parts[0]->type;
  e.number = 0;
  for (const std::string_view name : split(e.text, '.')) {
    const Record *record = types_.record_of(type);
    const std::optional<Field> found = record == nullptr ? std::nullopt : types_.field(*record, name);
    if (!found) throw error(e, name_of(type) + " has no field '" + printable(name) + "'");
    e.number += found->offset;
    type = found->type;
  }
  e.constant = true;
  e.type = int_type(8, false);
}

// The last one that is given; of a bare --name "".
std::optional<std::string> Check::parameter(const std::string &option) const {
  std::optional<std::string> found;
  for (const std::string &word : circumstances_.parameters) {
    if (word == option) found = "";
    if (word.starts_with(option + "=")) found = word.substr(option.size() + 1);
  }
  return found;
}

// Made the number or the string that it is, of the kind that its default has.
void Check::check_getopt(Expression &e) {
  want_text(*e.parts[0], "the name of an option");
  if (e.parts.size() == 3) want_text(*e.parts[2], "the description of an option");
  const std::string option = "--" + e.parts[0]->text;
  plan_.options.insert(option);
  const std::optional<std::string> given = parameter(option);
  if (e.parts.size() > 1) visit(*e.parts[1]);
  const Expression *usual = e.parts.size() > 1 ? e.parts[1].get() : nullptr;
  const bool is_text = usual != nullptr && usual->kind == Kind::kString;
  if (usual != nullptr && !is_text && !usual->constant)
    throw error(*usual, "the default of an option is a number, a string, true or false");
  const bool is_bool = usual == nullptr || usual->type.is_bool;
  uint64_t number = usual == nullptr ? 0 : usual->number;
  std::string text = is_text ? given.value_or(usual->text) : "";
  if (is_bool && given) {
    const bool yes = given->empty() || equal_in_any_case(*given, "true") || *given == "1";
    if (!yes && !equal_in_any_case(*given, "false") && *given != "0")
      throw error(e, option + " is true or false, not '" + printable(*given) + "'");
    number = yes ? 1 : 0;
  } else if (!is_text && given) {
    const bool negative = given->starts_with('-');
    if (!parse_number(negative ? given->substr(1) : *given, number))
      throw error(e, option + " is a number, not '" + printable(*given) + "'");
    if (negative) number = 0 - number;
  }
  if (is_bool) text = number != 0 ? "true" : "false";
  e.parts.clear();
  const bool below = !is_text && !is_bool && static_cast<int64_t>(number) < 0;
  e.kind = is_text ? Kind::kString : below ? Kind::kUnary : Kind::kNumber;
  e.text = below ? "-" : std::move(text);
  e.number = number;
  if (below) {
    e.parts.push_back(std::make_unique<Expression>());
    e.parts.back()->kind = Kind::kNumber;
    e.parts.back()->at = e.at;
    e.parts.back()->number = 0 - number;
  }
  visit(e);
}

}  // namespace strata::expr
