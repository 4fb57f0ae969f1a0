// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The type information of one kernel, by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "types.h"

namespace btfcheck {

class Kernel {
 public:
  // The file is /sys/kernel/btf/vmlinux of that kernel, or an object with a section .BTF. Throws Error.
  Kernel(std::string name, const std::string &file);

  [[nodiscard]] const std::string &name() const { return name_; }
  // Types of that kind and essential name. Several are possible: two files may define structs of one name.
  [[nodiscard]] std::vector<Type> types(std::string_view essential_name, const btf_type *like) const;
  [[nodiscard]] bool has_tracepoint(const std::string &name) const;
  [[nodiscard]] bool has_function(const std::string &name) const;

 private:
  [[nodiscard]] bool has(std::string_view name, uint32_t kind) const;

  struct Free {
    void operator()(btf *types) const { btf__free(types); }
  };
  std::string name_;
  std::unique_ptr<btf, Free> btf_;
  std::unordered_multimap<std::string_view, uint32_t> by_name_;
};

}  // namespace btfcheck
