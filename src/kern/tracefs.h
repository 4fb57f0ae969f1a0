// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The kernel's tracepoints by category, as tracefs has them: where that is not mounted, in an instance of our own that
// nobody else sees and that goes when it is closed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace strata {

class Tracefs {
 public:
  Tracefs();
  [[nodiscard]] explicit operator bool() const { return static_cast<bool>(root_); }
  [[nodiscard]] int error() const { return error_; }  // errno, if it can neither be found nor mounted

  [[nodiscard]] std::vector<std::string> events(const std::string &category) const;  // none: there is no such category
  [[nodiscard]] std::vector<std::string> categories() const;
  // Of its record, as the kernel describes it; "" if there is no such event.
  [[nodiscard]] std::string format(const std::string &category, const std::string &event) const;
  [[nodiscard]] std::optional<uint64_t> id(const std::string &category, const std::string &event) const;  // for perf

 private:
  [[nodiscard]] static std::vector<std::string> folders_in(const std::string &path);
  [[nodiscard]] std::string folder(const std::string &category) const;

  Fd root_;
  int error_ = 0;
};

}  // namespace strata
