// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What `config = { ... }` says of how a program is run, by bpftrace's names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "expr/ast.h"
#include "expr/source.h"
#include "expr/type.h"

namespace strata::expr {

inline constexpr uint32_t kMostString = 16'000;  // characters: two of them are within what a program has of memory

struct Settings {
  uint32_t string_most = 256;  // characters of str()
  std::string cut = "..";      // stands behind them, where there are more
  uint32_t map_keys = 4096;    // of each map that does not say it itself
  size_t cat_bytes = 1 << 20;  // that cat() shows, at most
  size_t places = 1000;        // that are attached to, at most
  bool shows_maps = true;      // at the end
  StackForm stacks = StackForm::kFunctions;
  // Places that this kernel has not: of several that a probe has they are left out, or an error, or each may be left
  // out, with a sentence or without.
  enum class Missing : uint8_t { kOfSeveral, kError, kWarn, kIgnore };
  Missing missing = Missing::kOfSeveral;
  [[nodiscard]] uint32_t cut_bytes() const { return static_cast<uint32_t>(cut.size()); }
};

using Environment = std::function<const char *(const char *name)>;  // as getenv(3)
// Throws Error. What means nothing here and does no harm is accepted. What the environment says (BPFTRACE_MAX_STRLEN)
// goes before what the program says.
Settings settings_of(
    const Source &source, const Program &program,
    const Environment &environment = [](const char * /*name*/) -> const char * { return nullptr; });

}  // namespace strata::expr
