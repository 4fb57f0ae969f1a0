// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What one relocation means to one kernel: libbpf's answer, and what is wrong with it if the program comes to need it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernel.h"
#include "object.h"
#include "types.h"

namespace btfcheck {

enum class Asks { kField, kType, kEnumerator, kNothing };

Asks asks(bpf_core_relo_kind kind);
bool is_guard(bpf_core_relo_kind kind);  // a question that any kernel can answer

// A relocation in the words of the program.
struct Wanted {
  struct Step {
    std::string name;  // of a member or enumerator; empty for an element
    uint32_t element;
    Type type;
  };
  bpf_core_relo_kind kind;
  Type root;
  std::vector<Step> steps;
  bool bitfield = false;
  bool any_size = false;  // the program asks for the size or the place of the bits as well

  [[nodiscard]] std::string what() const;  // "struct file"
  [[nodiscard]] std::string path() const;  // "f_path.mnt"
  [[nodiscard]] std::string word() const;  // what its line of source contains
  [[nodiscard]] Type accessed() const { return steps.empty() ? root : steps.back().type; }
};

// Throws Error where the object contradicts itself.
Wanted wanted(const Object &object, const Relocation &relocation);

struct Answer {
  bool exists = false;            // as libbpf sees it
  std::string problem;            // "struct file has no field f_x"; empty if all is well
  std::optional<uint64_t> value;  // what the instruction gets, where the path may depend on it
};

Answer answer(const Wanted &wanted, const Kernel &kernel);

}  // namespace btfcheck
