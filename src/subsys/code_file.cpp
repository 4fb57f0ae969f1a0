// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/code_file.h"

#include <algorithm>
#include <utility>

#include "base/format.h"
#include "sym/debug_file.h"
#include "unwind/go_table.h"

namespace strata {
namespace {

std::string hex(uint64_t number) { return formatted("{:#x}", number); }

}  // namespace

CodeFile::CodeFile(Fd file, std::string path, const Fd &root)
    : file_(std::move(file)),
      path_(std::move(path)),
      name_(path_.substr(path_.rfind('/') + 1)),
      root_(root),
      elf_(file_.get()) {}

UnwindTable CodeFile::read_table(UnwindRules &rules) {
  UnwindTable table = read_unwind_table(elf_, rules);
  functions_ = std::move(table.functions);
  return table;
}

std::optional<uint64_t> CodeFile::bias(const CodeMapping &mapping) const {
  for (const ElfFile::Segment &one : elf_.segments()) {
    if (mapping.offset + (mapping.to - mapping.from) <= one.offset || mapping.offset >= one.offset + one.bytes)
      continue;
    return mapping.from - (one.address - one.offset + mapping.offset);
  }
  return std::nullopt;
}

void CodeFile::read_symbols() {
  symbols_.emplace().add(elf_);
  for (const Fd &more : {unpacked_debug_data(elf_), open_debug_file(elf_, path_, root_)})
    if (more) symbols_->add(ElfFile(more.get()));
  const GoData go = find_go_data(elf_);
  std::vector<Symbols::Named> of_go;
  for (const GoFunction &one : read_go_names(go.bytes, go.text))
    of_go.push_back({.from = one.from, .to = one.to, .name = one.name});
  if (!of_go.empty()) symbols_->add(of_go);
}

std::string CodeFile::name_at(uint64_t address, FrameOffset with) const {
  const uint64_t behind = with == FrameOffset::kBehind ? 1 : 0;
  const auto offset = [&](uint64_t bytes) { return with == FrameOffset::kNone ? "" : "+" + hex(bytes + behind); };
  if (const auto found = symbols_->find(address))
    return demangled(found->name.substr(0, found->name.find('@'))) + offset(found->offset);
  auto at = std::upper_bound(functions_.begin(), functions_.end(), address,
                             [](uint64_t wanted, const UnwindFunction &one) { return wanted < one.from; });
  if (at != functions_.begin() && address < (--at)->to)
    return name_ + ":fn@" + hex(at->from) + offset(address - at->from);
  return name_ + "+" + hex(address);
}

std::vector<std::string> CodeFile::functions_at(uint64_t address, FrameOffset offset) {
  const std::vector<SourceLines::Frame> source = lines_->at(address);
  std::vector<std::string> all;
  const auto line = [](const SourceLines::Frame &one) { return one.line.empty() ? "" : " (" + one.line + ")"; };
  for (size_t i = 0; i + 1 < source.size() && offset != FrameOffset::kAlone; i++)
    all.push_back(demangled(source[i].function) + line(source[i]) + "_[i]");
  all.push_back(function(address, offset));
  if (!source.empty()) all.back() += line(offset == FrameOffset::kAlone ? source.front() : source.back());
  return all;
}

const std::vector<std::string> &CodeFile::functions(uint64_t address, FrameOffset offset) {
  if (!lines_) {
    debug_file_ = open_debug_file(elf_, path_, root_);
    lines_.emplace(file_.get(), debug_file_.get());
  }
  const auto [at, is_new] = names_with_lines_[static_cast<size_t>(offset)].try_emplace(address);
  if (is_new) at->second = functions_at(address, offset);
  return at->second;
}

const std::string &CodeFile::function(uint64_t address, FrameOffset offset) {
  if (!symbols_) read_symbols();
  const auto [at, is_new] = names_[static_cast<size_t>(offset)].try_emplace(address);
  if (is_new) at->second = name_at(address, offset);
  return at->second;
}

}  // namespace strata
