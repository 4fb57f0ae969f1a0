// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Any text as a name of Rust: the symbols of a container's programs.
#include "sym/rust_names.h"

#include "fuzz.h"

int fuzz_rust_names(const uint8_t *data, size_t size) {
  constexpr size_t kMost = 200;
  const std::string text(reinterpret_cast<const char *>(data), size);
  const std::optional<std::string> name = strata::rust_name("_R" + text, kMost);
  strata::require(!name || (!name->empty() && name->size() <= kMost));
  (void)strata::without_rust_hash(text + "::h0123456789abcdef");
  return 0;
}
