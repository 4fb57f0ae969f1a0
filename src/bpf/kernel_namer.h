// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Names of addresses in the kernel, by the kernel itself: a program that prints them ("%pS") is run for each. Of 300
// addresses that takes less than a millisecond, while the kernel takes 44 to print all symbols into /proc/kallsyms.
// Before 5.13 there is no such helper.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"

namespace strata {

class KernelNamer {
 public:
  KernelNamer();  // with the privileges that it takes to load programs; later none are needed

  // "veth_xmit+0x1f [veth]"; "" of what is in no function; nullopt: this host names nothing in this way.
  [[nodiscard]] std::optional<std::string> name(uint64_t address) const;

 private:
  Fd text_, format_, program_;
};

}  // namespace strata
