// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sym/kallsyms.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/lines.h"

namespace strata {
namespace {

constexpr uint64_t kLongestFunction = 1 << 20;  // what is farther behind a symbol is not part of it

std::string_view next_word(std::string_view &line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

bool is_code(std::string_view type) { return type == "t" || type == "T" || type == "w" || type == "W"; }

std::string hex(uint64_t number) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(std::begin(digits), std::end(digits), number, 16).ptr);
}

}  // namespace

uint32_t Kallsyms::keep(std::string_view word) {
  const auto at = static_cast<uint32_t>(text_.size());
  text_.append(word) += '\0';
  return at;
}

Kallsyms::Kallsyms(Lines &file) {
  for (std::string line; file.next(line);) {
    std::string_view rest = line;
    const std::string_view address = next_word(rest), type = next_word(rest), name = next_word(rest),
                           module = next_word(rest);
    Symbol symbol = {};
    std::from_chars(address.data(), address.data() + address.size(), symbol.address, 16);
    if (symbol.address == 0 || !is_code(type) || name.empty()) continue;
    symbol.name_at = keep(name);
    if (!module.empty() && module != last_module_) {
      last_module_ = module;
      last_module_at_ = keep(module);
    }
    if (!module.empty()) symbol.module_at = last_module_at_;
    symbols_.push_back(symbol);
  }
  std::stable_sort(symbols_.begin(), symbols_.end(), [](auto &a, auto &b) { return a.address < b.address; });
}

std::string Kallsyms::name(uint64_t address) const {
  const auto by_address = [](const Symbol &one, uint64_t wanted) { return one.address < wanted; };
  auto at = std::lower_bound(symbols_.begin(), symbols_.end(), address, by_address);
  if (at == symbols_.end() || at->address != address) {
    if (at == symbols_.begin()) return "";
    at = std::lower_bound(symbols_.begin(), at, std::prev(at)->address, by_address);  // the first one there
  }
  if (address - at->address >= kLongestFunction) return "";
  std::string text = this->text(at->name_at) + ("+" + hex(address - at->address));
  if (at->module_at != 0) (text += ' ') += this->text(at->module_at);
  return text;
}

std::vector<Kallsyms::Range> Kallsyms::functions(std::string_view name) const {
  std::vector<Range> found;
  for (auto at = symbols_.begin(); at != symbols_.end(); ++at) {
    const std::string_view own = text(at->name_at);
    if (own.substr(0, own.find('.')) != name && own != name) continue;
    const auto next = std::find_if(at, symbols_.end(), [&](auto &one) { return one.address > at->address; });
    const uint64_t most = at->address + kLongestFunction;
    found.push_back({at->address, next == symbols_.end() ? most : std::min(most, next->address)});
  }
  return found;
}

uint64_t address_in_kallsyms(Lines &file, std::string_view name) {
  for (std::string line; file.next(line);) {
    std::string_view rest = line;
    const std::string_view digits = next_word(rest);
    next_word(rest);
    if (next_word(rest) != name) continue;
    uint64_t address = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
    return address;
  }
  return 0;
}

}  // namespace strata
