// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/kernel_symbolizer.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/lines.h"
#include "base/outlet.h"
#include "base/text.h"
#include "bpf/object.h"
#include "btf/drop_reasons.h"
#include "rec/names.h"
#include "render/sink.h"

namespace strata {
namespace {

template <typename Names>
void record_name(Outputs *out, const RecordType &type, uint64_t number, const std::string &text) {
  static_assert(sizeof(Names) > sizeof(uint64_t));
  if (out == nullptr) return;
  std::vector<char> record(sizeof(Names));
  memcpy(record.data(), &number, sizeof(number));
  text.copy(record.data() + sizeof(number), record.size() - sizeof(number));
  out->record(type, record.data());
}

constexpr std::string_view kUnnamed = "place ";

// Frames are kept with ';' in a recording, where a line is a record.
std::string exchanged(std::string text, char from, char to) {
  for (char &c : text) c = c == from ? to : c;
  return text;
}

// A function between a tracepoint, or a traced function, and its programs: the stack that they take begins behind it.
// With two programs there is one more. `called`: the function before it in the stack; the trampoline of a function
// further out, whose end is traced, runs no program now; the kernel does not name each.
bool runs_programs(std::string_view function, std::string_view called) {
  return function.starts_with("bpf_trace_run") || function.starts_with("__bpf_trace_") ||
         function.starts_with("__traceiter_") ||
         (called.starts_with("bpf_prog_") &&
          (function.starts_with("bpf_trampoline_") || function.starts_with(kUnnamed)));
}

}  // namespace

const KernelNamer &kernel_namer() {
  static const KernelNamer namer;
  return namer;
}

const Kallsyms &kernel_symbols() {
  static const Kallsyms symbols = [] {
    Lines file("/proc/kallsyms");
    return Kallsyms(file);
  }();
  return symbols;
}

std::vector<std::string> kernel_functions(std::span<const uint64_t> addresses, const KernelName &kernel_name) {
  std::vector<std::string> functions;
  std::string last;
  for (const uint64_t address : addresses) {
    if (address == 0) break;
    std::string name = kernel_name(address);
    if (runs_programs(name, last))
      functions.clear();
    else
      functions.push_back(name);
    last = std::move(name);
  }
  return functions;
}

std::string name_of_kernel_address(uint64_t address) {
  static bool said = false;
  if (std::optional<std::string> name = kernel_namer().name(address)) return *name;
  if (!said && !kernel_symbols().has_addresses()) {
    say("strata: places in the kernel are shown as numbers: %s\n", kHiddenAddresses);
    said = true;
  }
  return kernel_symbols().name(address);
}

std::string KernelSymbolizer::name_of_place(uint64_t place) {
  const std::string name = out_ != nullptr ? name_of_kernel_address(pointers_.address(place)) : "";
  return name.empty() ? std::string(kUnnamed) + std::to_string(place) : name;
}

const std::string &KernelSymbolizer::symbol(uint64_t place) {
  const auto [at, is_new] = symbols_.try_emplace(place);
  if (!is_new) return at->second;
  at->second = name_of_place(place);
  record_name<symbol_name>(out_, kSymbolRecord, place, at->second);
  return at->second;
}

const std::string &KernelSymbolizer::reason(uint32_t reason) {
  const auto [at, is_new] = reasons_.try_emplace(reason);
  if (!is_new) return at->second;
  at->second = out_ != nullptr ? drop_reason_name(reason) : std::to_string(reason);
  record_name<reason_name>(out_, kDropReasonRecord, reason, at->second);
  return at->second;
}

// Its symbols are not told one by one.
std::string KernelSymbolizer::read_stack(uint64_t stack) {
  const uint64_t key = pointers_.address(stack);
  if (frames_)  // no number for what no record has: a replay would number the others differently
    return frames_(key, [this](uint64_t address) {
      const std::string name = name_of_kernel_address(address);
      return name.empty() ? name_of_place(pointers_.number(address)) : name;
    });
  const bpf_map *map = object_->map("stacks");
  std::vector<uint64_t> frames(bpf_map__value_size(map) / sizeof(uint64_t));
  if (bpf_map_lookup_elem(bpf_map__fd(map), &key, frames.data()) != 0) return "";
  std::vector<std::string> functions =
      kernel_functions(frames, [this](uint64_t address) { return name_of_place(pointers_.number(address)); });
  if (frames.back() != 0) functions.emplace_back("(more functions)");
  return join(functions, "\n");
}

const std::string &KernelSymbolizer::stack(uint64_t stack) {
  const auto [at, is_new] = stacks_.try_emplace(stack);
  if (!is_new || out_ == nullptr || object_ == nullptr || stack == 0) return at->second;
  at->second = read_stack(stack);
  record_name<stack_frames>(out_, kStackRecord, stack, exchanged(at->second, '\n', ';'));
  return at->second;
}

bool KernelSymbolizer::learn(const Record &record) {
  const auto *const text = reinterpret_cast<const char *>(record.bytes.data()) + sizeof(uint64_t);
  uint64_t number = 0;
  if (record.bytes.size() > sizeof(number)) memcpy(&number, record.bytes.data(), sizeof(number));
  const std::string name(text, strnlen(text, record.bytes.size() - std::min(record.bytes.size(), sizeof(number))));
  if (record.type == &kSymbolRecord)
    symbols_[number] = name;
  else if (record.type == &kDropReasonRecord)
    reasons_[static_cast<uint32_t>(number)] = name;
  else if (record.type == &kStackRecord)
    stacks_[number] = exchanged(name, ';', '\n');
  else
    return false;
  return true;
}

}  // namespace strata
