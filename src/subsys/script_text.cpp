// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Values as people read them, in the forms that bpftrace's users know.
#include <arpa/inet.h>
#include <bpf/bpf.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <ctime>
#include <optional>

#include "base/clock.h"
#include "base/format.h"
#include "base/text.h"
#include "expr/format.h"
#include "kern/cgroup_owner.h"
#include "kern/syscall.h"
#include "kern/users.h"
#include "render/value.h"
#include "run/kernel_symbolizer.h"
#include "subsys/script_maps.h"
#include "subsys/script_memory.h"
#include "subsys/script_stacks.h"
#include "subsys/stacks.h"

namespace strata {
namespace {

using TypeKind = expr::Type::Kind;
using expr::StackForm;

constexpr size_t kFrames = 127;

uint64_t word(const std::byte *bytes, size_t i = 0) {
  uint64_t value = 0;
  memcpy(&value, bytes + i * 8, 8);
  return value;
}

std::string text_within(const std::byte *bytes, size_t most) {
  const auto *from = reinterpret_cast<const char *>(bytes);
  return {from, strnlen(from, most)};
}

std::string hex_bytes(const std::byte *bytes, size_t count, const char *format) {
  std::string text;
  for (size_t i = 0; i < count; i++) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    char one[8];
    if (format[0] == '\0' && byte >= ' ' && byte < 0x7f)
      snprintf(one, sizeof(one), "%c", byte);
    else
      snprintf(one, sizeof(one), format[0] == '\0' ? "\\x%02x" : format, byte);
    text += one;
  }
  return text;
}

std::string hex_text(uint64_t value) { return formatted("{:#x}", value); }

std::string kernel_name(uint64_t address) {
  std::string name = name_of_kernel_address(address);
  return name.empty() ? hex_text(address) : name;
}

clockid_t clock_of(expr::Clock clock) {
  return clock == expr::Clock::kBoot ? CLOCK_BOOTTIME : clock == expr::Clock::kTai ? CLOCK_TAI : CLOCK_MONOTONIC;
}

std::string time_text(const std::string &format, uint64_t ns, expr::Clock clock) {
  const uint64_t at = clock_ns(CLOCK_REALTIME) - clock_ns(clock_of(clock)) + ns;
  const auto seconds = static_cast<time_t>(at / 1'000'000'000);
  std::string resolved = format;
  for (size_t i = resolved.find("%f"); i != std::string::npos; i = resolved.find("%f", i)) {
    resolved.replace(i, 2, formatted("{:06}", at / 1000 % 1'000'000));
  }
  tm local = {};
  localtime_r(&seconds, &local);
  std::array<char, 256> text = {};
  return {text.data(), strftime(text.data(), text.size(), resolved.c_str(), &local)};
}

// "vfs_read+31" of "vfs_read+0x1f", whatever stands behind it.
std::string with_decimal_offset(const std::string &frame) {
  const size_t plus = frame.rfind("+0x");
  uint64_t offset = 0;
  if (plus == std::string::npos) return frame;
  const char *begin = frame.data() + plus + 3;
  const auto [end, fault] = std::from_chars(begin, frame.data() + frame.size(), offset, 16);
  if (fault != std::errc()) return frame;
  return frame.substr(0, plus + 1) + std::to_string(offset) + std::string(end, frame.data() + frame.size());
}

// A comma tells one of a single value from parentheses.
std::string tuple_text(const std::string &values, const expr::Type &tuple) {
  return "(" + values + (tuple.parts.size() == 1 ? ",)" : ")");
}

std::vector<std::string> names_of_parts(const expr::Type &tuple) {
  std::vector<std::string> names;
  for (const expr::Field &one : tuple.record->fields) names.push_back(one.name);
  return names;
}

// Its lower bytes.
uint64_t narrowed(uint64_t number, uint32_t bytes, bool is_signed) {
  const uint32_t rest = 64 - bytes * 8;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(number << rest) >> rest) : number << rest >> rest;
}

// Of one value, however long that is.
template <typename Value>
std::string printed(const std::string &format, Value value) {
  std::string text(static_cast<size_t>(std::max(snprintf(nullptr, 0, format.c_str(), value), 0)), '\0');
  snprintf(text.data(), text.size() + 1, format.c_str(), value);
  return text;
}

}  // namespace

// The innermost first, at most as many as the program wants, in its form; `offsets` are decimal, as bpftrace has them.
std::vector<std::string> ScriptText::functions(const expr::Type &stack, const std::byte *bytes, bool offsets) const {
  std::vector<std::string> all;
  if (stack.is(TypeKind::kKernelStack)) {
    std::array<uint64_t, kFrames> addresses = {};
    const auto number = static_cast<int64_t>(word(bytes));
    const auto id = static_cast<uint32_t>(number);
    const bool known = number >= 0 && bpf_map_lookup_elem(kernel_stacks_, &id, addresses.data()) == 0;
    if (known) all = kernel_functions(addresses, kernel_name);
    // Those of the tracing itself are left out.
    auto at = std::ranges::find(addresses, 0U) - static_cast<ptrdiff_t>(all.size());
    for (std::string &one : all)
      if (const uint64_t address = *at++; stack.form != StackForm::kFunctions)
        one = strata::formatted("{:x}", address) + (stack.form == StackForm::kRaw ? "" : " " + one);
  } else if (stack.form != StackForm::kFunctions) {
    all = stacks_.addresses(word(bytes), stack.form == StackForm::kRaw);
  } else {
    const std::string text = stacks_.functions(word(bytes), offsets);
    for (const std::string_view one : frames_of(text)) all.push_back(printable(one));
  }
  if (stack.count != 0 && all.size() > stack.count) all.resize(stack.count);
  if (offsets && stack.form != StackForm::kRaw) std::ranges::transform(all, all.begin(), with_decimal_offset);
  return all;
}

std::vector<std::string> ScriptText::frames(const expr::Type &stack, const std::byte *bytes) const {
  expr::Type bare = stack;
  if (bare.form == StackForm::kPerf) bare.form = StackForm::kFunctions;
  std::vector<std::string> all = functions(bare, bytes, false);
  if (stack.is(TypeKind::kKernelStack)) std::ranges::transform(all, all.begin(), kernel_frame);
  return all;
}

std::string ScriptText::user_name(uint64_t uid) const {
  const auto [at, is_new] = users_.try_emplace(uid, std::to_string(uid));
  if (!is_new) return at->second;
  if (const std::optional<User> user = find_user(at->second)) at->second = printable(user->name);
  return at->second;
}

const std::string &ScriptText::owner(const expr::Type &type, uint64_t cgroup) const {
  const CgroupOwner &owner = resolver_.owner(cgroup);
  return type.is(TypeKind::kCgroupUnit) ? owner.unit : type.is(TypeKind::kCgroupPod) ? owner.pod : owner.container;
}

std::string ScriptText::name(uint64_t number) const { return number < plan_.names.size() ? plan_.names[number] : ""; }

std::string ScriptText::cgroup_text(const expr::Type &type, uint64_t cgroup) const {
  // By the hierarchy's name, as bpftrace has it.
  if (type.is(TypeKind::kCgroupPath)) return "unified:" + printable(resolver_.cgroup(cgroup));
  const std::string &name = owner(type, cgroup), &path = resolver_.cgroup(cgroup);
  // What nobody knows any more is not what is of none.
  if (name.empty() && cgroup != 0 && !path.starts_with('/')) return printable(path);
  return name.empty() ? "-" : printable(name);
}

std::string ScriptText::of(const expr::Type &type, const std::byte *bytes) const {
  if (type.is_cgroup()) return cgroup_text(type, word(bytes));
  switch (type.kind) {
    case TypeKind::kInt:
      if (type.is_bool) return word(bytes) != 0 ? "true" : "false";
      if (const std::string *name = enumerator(plan_.enums, type, word(bytes))) return *name;
      return type.is_signed ? std::to_string(static_cast<int64_t>(word(bytes))) : std::to_string(word(bytes));
    case TypeKind::kPointer:
    case TypeKind::kArray:
    case TypeKind::kRecord:
      return hex_text(word(bytes));
    case TypeKind::kString:
      return printable(text_within(bytes, type.size));
    case TypeKind::kBuffer:
      return hex_bytes(bytes + 8, std::min<uint64_t>(word(bytes), type.size - 8), "");
    case TypeKind::kTuple:
      return type.record == nullptr ? tuple_text(of_each(type.parts, bytes, ", "), type) : of_named(type, bytes);
    case TypeKind::kWhole:
      return text_of_datum(data_of_memory(*type.to, {bytes, type.size}, plan_.enums));
    case TypeKind::kKernelSymbol: {
      const std::string name = kernel_name(word(bytes));
      return name.substr(0, name.find('+'));
    }
    case TypeKind::kInet: {
      const int family = static_cast<int>(word(bytes));
      char text[INET6_ADDRSTRLEN] = {};
      return inet_ntop(family, bytes + 8, text, sizeof(text)) != nullptr ? text : "";
    }
    case TypeKind::kMac: {
      std::string text = hex_bytes(bytes, 6, "%02X:");
      text.pop_back();
      return text;
    }
    case TypeKind::kUserSymbol: {
      const std::string name = stacks_.function(static_cast<uint32_t>(word(bytes, 1)), word(bytes));
      return name.empty() ? hex_text(word(bytes)) : printable(name);
    }
    case TypeKind::kKernelStack:
    case TypeKind::kUserStack: {  // a line for each function, from a line of its own on
      const std::string indent(type.form == StackForm::kRaw ? 0 : 8, ' ');
      std::string text = "\n";
      for (const std::string &one : functions(type, bytes, true)) text += indent + one + "\n";
      return text;
    }
    case TypeKind::kPlaceName:
      return printable(name(word(bytes)));
    case TypeKind::kTime:
      return time_text(type.name, word(bytes), type.clock);
    case TypeKind::kUserName:
      return user_name(word(bytes));
    case TypeKind::kErrno:
      return strerror(static_cast<int>(word(bytes)));
    case TypeKind::kSystemCall:
      return syscall_name(word(bytes));
    default:
      return hex_text(word(bytes));
  }
}

std::string ScriptText::of_each(std::span<const expr::Type> types, const std::byte *bytes,
                                std::string_view between) const {
  std::vector<std::string> texts;
  for (const expr::Type &type : types) {
    texts.push_back(of(type, bytes));
    bytes += type.bytes();
  }
  return join(texts, between);
}

std::string ScriptText::of_named(const expr::Type &tuple, const std::byte *bytes) const {
  std::vector<std::string> texts;
  for (const expr::Type &part : tuple.parts) {
    texts.push_back(of(part, bytes));
    bytes += part.bytes();
  }
  return record_text(names_of_parts(tuple), texts);
}

Datum ScriptText::data_of(const expr::Type &type, const std::byte *bytes) const {
  if (type.is(TypeKind::kTuple)) {
    Datum::List list;
    for (const expr::Type &part : type.parts) {
      list.push_back(data_of(part, bytes));
      bytes += part.bytes();
    }
    if (type.record != nullptr) return {Datum::Object{.keys = names_of_parts(type), .values = std::move(list)}};
    return {std::move(list)};
  }
  if (type.is(TypeKind::kWhole)) return data_of_memory(*type.to, {bytes, type.size}, plan_.enums);
  if (type.is(TypeKind::kString)) return {text_within(bytes, type.size)};
  if (type.is(TypeKind::kPlaceName)) return {name(word(bytes))};
  if (type.is_cgroup() && !type.is(TypeKind::kCgroupPath)) {
    const std::string &name = owner(type, word(bytes));
    return name.empty() ? Datum() : Datum{name};
  }
  if (!type.is(TypeKind::kInt)) return {of(type, bytes)};
  if (type.is_bool) return {word(bytes) != 0};
  if (const std::string *name = enumerator(plan_.enums, type, word(bytes))) return {*name};
  if (type.is_signed) return {static_cast<int64_t>(word(bytes))};
  return {word(bytes)};
}

std::string ScriptText::joined(const expr::Action &action, const std::byte *values) const {
  std::string text;
  for (uint32_t i = 0; i < expr::kJoined && word(values) != 0; i++) {
    const expr::Type &type = action.values[2 * i + 1];
    text += (i == 0 ? "" : action.format) + of(type, values + 8);
    values += 8 + type.bytes();
  }
  return text;
}

std::string ScriptText::formatted(const expr::Action &action, const std::byte *values) const {
  return format(action, values, 0, SIZE_MAX, true);
}

std::string ScriptText::unescaped(const expr::Action &action, const std::byte *values, size_t from, size_t to) const {
  return format(action, values, from, to, false);
}

std::string ScriptText::format(const expr::Action &action, const std::byte *values, size_t from, size_t to,
                               bool escaped) const {
  std::string text, fault;
  size_t i = 0;
  for (const expr::FormatPart &part : expr::parts_of_format(action.format, fault)) {
    const bool last = part.kind.empty() || i >= to;
    std::string_view literal = part.literal;
    while (!escaped && last && literal.ends_with('\n')) literal.remove_suffix(1);
    if (i >= from && i <= to) text += literal;
    if (last) break;
    const expr::Type &type = action.values[i++];
    if (i <= from) {
      values += type.bytes();
      continue;
    }
    const std::string format = "%" + part.flags;
    const uint64_t number = type.is_scalar() ? word(values) : 0;
    if (part.kind == "s") {
      const bool as_it_is = !escaped && type.is(TypeKind::kString);
      text += printed(format + "s", (as_it_is ? text_within(values, type.size) : of(type, values)).c_str());
    } else if (part.kind[0] == 'r') {
      const uint64_t bytes = type.is(TypeKind::kBuffer) ? std::min<uint64_t>(word(values), type.size - 8) : 0;
      std::string hex = hex_bytes(values + 8, bytes, part.kind == "r" ? "" : part.kind == "rx" ? "\\x%02x" : "%02x ");
      if (part.kind == "rh" && !hex.empty()) hex.pop_back();
      text += hex;
    } else if (part.kind == "p") {
      text += printed(format + "#llx", static_cast<unsigned long long>(number));
    } else if (part.kind == "c") {
      const std::string one(1, static_cast<char>(number));
      text += !escaped && part.flags.empty() ? one : printed(format + "s", printable(one).c_str());
    } else {
      text += printed(format + "ll" + part.kind, narrowed(number, part.bytes, part.kind == "d" || part.kind == "i"));
    }
    values += type.bytes();
  }
  return text;
}

}  // namespace strata
