// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The one type that set-up throws. A message says what, on what, why, and what to do: lower case, no full stop.
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace strata {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string &what, int exit_status = 1) : std::runtime_error(what), exit_status_(exit_status) {}
  [[nodiscard]] int exit_status() const { return exit_status_; }

 private:
  int exit_status_;
};

inline constexpr int kUsageStatus = 2;

[[nodiscard]] Error usage_error(const std::string &what);                    // exit status 2
[[nodiscard]] Error system_error(const std::string &what, int err = errno);  // "what: No such file or directory"

}  // namespace strata
