// What was not seen, counted by reason. A run always reports its losses.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

struct Loss {
  std::string reason;  // e.g. "ring buffer full"
  uint64_t count = 0;
};

}  // namespace strata
