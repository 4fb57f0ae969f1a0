// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

#include "sym/elf.h"
#include "sym/rust_names.h"

namespace strata {
namespace {

constexpr size_t kMostMangled = 1024;  // bytes: the library's demangler may take exponential time of hostile names
constexpr size_t kMostName = 200;

// Of several names for a place the one that programs call it by.
uint8_t rank_of(const Elf64_Sym &symbol, const char *name) {
  const bool global = ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL;
  return static_cast<uint8_t>((name[0] == '_' ? 2 : 0) + (global ? 0 : 1));
}

}  // namespace

void Symbols::add(const ElfFile &elf) {
  if (elf.narrow()) return;
  if (!add(elf, ".symtab", ".strtab")) add(elf, ".dynsym", ".dynstr");
}

// False: it has none there.
bool Symbols::add(const ElfFile &elf, std::string_view table, std::string_view names) {
  const ElfFile::Section section = elf.section(table);
  const std::vector<std::byte> texts = elf.section(names).bytes;
  if (texts.empty() || texts.back() != std::byte{0} || names_.size() + texts.size() > UINT32_MAX) return false;
  const auto first = static_cast<uint32_t>(names_.size());
  std::vector<Symbol> all = std::move(symbols_);
  const size_t before = all.size();
  names_.insert(names_.end(), texts.begin(), texts.end());
  for (size_t at = 0; at + sizeof(Elf64_Sym) <= section.bytes.size(); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, &section.bytes[at], sizeof(symbol));
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
    if (symbol.st_name >= texts.size() || symbol.st_value + symbol.st_size < symbol.st_value) continue;
    const char *name = reinterpret_cast<const char *>(&texts[symbol.st_name]);
    all.push_back({.from = symbol.st_value,
                   .to = symbol.st_value + symbol.st_size,
                   .name_at = first + symbol.st_name,
                   .rank = rank_of(symbol, name)});
  }
  const bool found = all.size() > before;
  set(std::move(all));
  return found;
}

void Symbols::add(const std::vector<Named> &functions) {
  std::vector<Symbol> all = std::move(symbols_);
  for (const Named &one : functions) {
    if (names_.size() + one.name.size() >= UINT32_MAX) break;
    all.push_back({.from = one.from, .to = one.to, .name_at = static_cast<uint32_t>(names_.size()), .rank = UINT8_MAX});
    const auto *text = reinterpret_cast<const std::byte *>(one.name.data());
    names_.insert(names_.end(), text, text + one.name.size());
    names_.push_back(std::byte{0});
  }
  set(std::move(all));
}

// Each place once.
void Symbols::set(std::vector<Symbol> all) {
  symbols_.clear();
  std::sort(all.begin(), all.end(), [](const Symbol &a, const Symbol &b) {
    return std::tie(a.from, a.rank, a.name_at) < std::tie(b.from, b.rank, b.name_at);
  });
  for (const Symbol &one : all) {
    if (!symbols_.empty() && one.from == symbols_.back().from) continue;
    if (!symbols_.empty()) symbols_.back().to = std::min(symbols_.back().to, one.from);
    symbols_.push_back(one);
  }
}

std::optional<Symbols::Found> Symbols::find(uint64_t address) const {
  auto at = std::upper_bound(symbols_.begin(), symbols_.end(), address,
                             [](uint64_t wanted, const Symbol &one) { return wanted < one.from; });
  if (at == symbols_.begin() || address >= (--at)->to) return std::nullopt;
  return Found{.name = reinterpret_cast<const char *>(&names_[at->name_at]), .offset = address - at->from};
}

std::string demangled(std::string_view name) {
  std::string text(name);
  if (name.starts_with("_Z") && name.size() <= kMostMangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void *)> plain(abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status),
                                                        free);
    if (plain) text = without_rust_hash(plain.get());
  }
  if (std::optional<std::string> rust = rust_name(name, kMostName)) text = std::move(*rust);
  if (text.size() > kMostName) text.replace(kMostName, std::string::npos, "...");
  return text;
}

}  // namespace strata
