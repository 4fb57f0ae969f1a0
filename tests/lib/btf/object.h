// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A compiled .bpf.c: its functions, its CO-RE relocations and the source lines of its instructions.
#pragma once

#include <linux/bpf.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "types.h"

namespace btfcheck {

// What the compiler asks libbpf to fill in before the program is loaded.
struct Relocation {
  uint32_t insn;
  uint32_t type;
  std::string access;  // "0:1:2": indices of members and elements, as the compiler writes it
  bpf_core_relo_kind kind;
};

struct Line {
  std::string file;  // relative where it is in the current folder
  uint32_t number = 0;
};

// A function's place in the object. In section .text it is called by programs; elsewhere it is a program.
struct Function {
  std::string name;
  size_t section = 0;
  uint32_t first = 0, count = 0;  // instructions
  bool global = false;            // the verifier looks into it even if no path leads to its call

  auto operator<=>(const Function &) const = default;
};

struct Section {
  std::string name;
  std::vector<bpf_insn> insns;
  std::vector<Relocation> relocations;     // by instruction
  std::map<uint32_t, Line> lines;          // where each begins
  std::map<uint32_t, Function> functions;  // by first instruction
  std::map<uint32_t, Function> calls;      // at an instruction: the function that it calls, or takes the address of
  std::map<uint32_t, bool> addresses;      // instructions whose constant is an address that is not known yet
};

struct Object {
  std::string file;
  std::vector<Section> sections;  // those with code
  struct Free {
    void operator()(btf *types) const { btf__free(types); }
  };
  std::unique_ptr<btf, Free> types;
};

// Throws Error for what is not such an object.
Object read_object(const std::string &file);

}  // namespace btfcheck
