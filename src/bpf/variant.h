// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which forms a hook comes in and what each asks of the host: pure tables and functions, shared by Object and doctor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bpf/host.h"

namespace strata {

// A tool's table of hooks: what `doctor` and a refusal speak of.
// A program is not run on a CPU that is already inside of it: in an interrupt, or where programs may be preempted.
inline constexpr std::string_view kSkipped = "program skipped, already running on its CPU";

struct Hook {
  std::string_view name;
  bool required = true;
  std::string_view lost_without;        // for an optional hook: what the output then lacks
  std::string_view or_else = {};        // unless this hook, its name on other kernels, is there
  std::string_view struct_needed = {};  // that the program reads: where no BTF has it, the hook is not used
  std::string_view skipped = kSkipped;  // the loss where the kernel did not run its program
  std::optional<Need> need = {};        // of the host, besides what its variant needs: else the hook is not used
};

class Object;

// What a tool loads.
struct Programs {
  const void *(*elf)(size_t *size) = nullptr;  // x_bpf::elf_bytes
  std::span<const Hook> hooks = {};
  void (*prepare)(Object &object) = nullptr;  // for doctor: chooses among the hooks as the tool does before it loads
};

enum class Place : uint8_t { kTracepoint, kFunction, kElsewhere };  // what a variant is attached to

struct Variant {
  const char *suffix;  // "btf" of NAME__btf
  Place place;
  Need need;
  int rank;  // the lowest permitted one wins
};

constexpr bool is_of(const Variant *variant, Need need) { return variant != nullptr && variant->need == need; }

// "write_enter__fexit" -> {"write_enter", fexit}; a name without a known suffix -> {name, nullptr}.
std::pair<std::string_view, const Variant *> split_program_name(std::string_view program);
std::span<const Variant> variants();

}  // namespace strata
