// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/code_place.h"

#include <cctype>
#include <charconv>

#include "base/error.h"
#include "base/pattern.h"
#include "base/text.h"
#include "bpf/probe_name.h"
#include "subsys/user_functions.h"

namespace strata {
namespace {

[[noreturn]] void refuse(std::string_view text, const std::string &why) {
  throw usage_error("no instructions are called '" + printable(text) + "': " + why);
}

bool parse_hex(std::string_view text, uint64_t &number) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return error == std::errc() && end == text.data() + text.size();
}

// "LOW-HIGH", which no name of a function is.
bool parse_range(std::string_view text, uint64_t &from, uint64_t &to) {
  const size_t dash = text.find('-');
  return dash != std::string_view::npos && parse_hex(text.substr(0, dash), from) &&
         parse_hex(text.substr(dash + 1), to);
}

// Of "ns::function" it is a part of the name.
bool has_place(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != std::string_view::npos && text.substr(colon, 2) != "::";
}

// "qsort" of "qsort+0x1c", "vfs_read" of "vfs_read+0x1f [xfs]", "fn@0x64e00" of "libc.so.6:fn@0x64e00+0x4".
std::string_view name_of(const Instruction &one) {
  std::string_view name = one.function.substr(0, one.function.rfind("+0x"));
  if (!one.file.empty() && name.starts_with(one.file) && name.substr(one.file.size()).starts_with(":"))
    name.remove_prefix(one.file.size() + 1);
  return name;
}

}  // namespace

CodePlace::CodePlace(std::string_view text) {
  function_ = text;
  if (has_place(text)) {
    const ProbeName probe = parse_probe(text);
    using enum ProbeName::Kind;
    if (probe.kind == kTracepoint) refuse(text, "a tracepoint has none; name a function or addresses");
    where_ = probe.kind == kKernelFunction ? Where::kKernel : Where::kFile;
    place_ = probe.place.substr(probe.place.rfind('/') + 1);
    function_ = probe.name;
  }
  if (parse_range(function_, from_, to_) && from_ >= to_) refuse(text, "the range has no addresses");
  if (function_.find("+0x") != std::string::npos)
    refuse(text, "name the function without an offset; all its instructions are counted, each by its own");
}

bool CodePlace::is_one(std::string_view word) {
  uint64_t from = 0, to = 0;
  return !word.empty() && word[0] != '-' &&
         (parse_range(word, from, to) || std::isdigit(static_cast<unsigned char>(word[0])) == 0);
}

// As the compiler's suffixes (vfs_read.part.0) are the kernel's elsewhere, and the parameters of C++ take long to type.
bool CodePlace::has_function(const Instruction &one) const {
  const std::string_view name = name_of(one);
  if (is_pattern(function_)) return pattern_matches(function_, std::string(name));
  if (!name.starts_with(function_)) return false;
  const std::string_view rest = name.substr(function_.size());
  return rest.empty() || rest[0] == '.' || rest[0] == '(';
}

bool CodePlace::has(const Instruction &one) const {
  if (where_ == Where::kKernel && (!one.kernel || (!place_.empty() && !one.function.ends_with(" [" + place_ + "]"))))
    return false;
  if (where_ == Where::kFile && (one.kernel || (one.file != place_ && !is_library_called(one.file, place_))))
    return false;
  if (to_ == 0) return has_function(one);
  const uint64_t address = where_ == Where::kFile ? one.address_in_file : one.address;
  return address >= from_ && address < to_;
}

}  // namespace strata
