// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The functions of the running kernel by address, as /proc/kallsyms has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"

namespace strata {

class Kallsyms {
 public:
  struct Range {
    uint64_t from, to;  // [from, to)
  };

  explicit Kallsyms(Lines &file);

  // False where the kernel hides the addresses, all of which are then 0 (kernel.kptr_restrict, or no CAP_SYSLOG).
  [[nodiscard]] bool has_addresses() const { return !symbols_.empty(); }
  [[nodiscard]] std::string name(uint64_t address) const;  // "veth_xmit+0x1f [veth]"; "" of what is in no function
  // Of all functions of this name; a suffix that the compiler added ("udp_rcv.part.0") does not count.
  [[nodiscard]] std::vector<Range> functions(std::string_view name) const;

 private:
  struct Symbol {
    uint64_t address;
    uint32_t name_at, module_at;  // in text_; module_at 0: it is the kernel's own
  };
  [[nodiscard]] const char *text(uint32_t at) const { return text_.c_str() + at; }
  uint32_t keep(std::string_view word);

  std::vector<Symbol> symbols_;  // in the order of their addresses
  std::string text_ = std::string(1, '\0');
  std::string last_module_;
  uint32_t last_module_at_ = 0;
};

// Of a symbol of any kind, by its whole name; 0: there is none, or the kernel hides it.
uint64_t address_in_kallsyms(Lines &file, std::string_view name);

}  // namespace strata
