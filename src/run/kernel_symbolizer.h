// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where in the kernel something happened, and why packets were dropped, in words: of this machine, whose words are told
// to the recording, or of a recording.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "bpf/kernel_namer.h"
#include "rec/pointers.h"
#include "rec/record_line.h"
#include "sym/kallsyms.h"

namespace strata {

class Object;
class Outputs;

// The functions of a stack, one a line, the innermost first, by its key; kernel_name gives those of the kernel.
using KernelName = std::function<std::string(uint64_t address)>;
using StackFrames = std::function<std::string(uint64_t key, const KernelName &kernel_name)>;

class KernelSymbolizer {
 public:
  // Of a recording without outputs.
  explicit KernelSymbolizer(Pointers &pointers, Outputs *out = nullptr, const Object *object = nullptr)
      : pointers_(pointers), out_(out), object_(object) {}

  // Of pointers that are numbered.
  const std::string &symbol(uint64_t place);
  const std::string &reason(uint32_t reason);
  const std::string &stack(uint64_t stack);  // of the object's map `stacks`, struct { __u64 frames[n]; } by __u64
  void read_stacks_by(StackFrames frames) { frames_ = std::move(frames); }  // instead
  bool learn(const Record &record);                                         // false if it is none of these

 private:
  std::string name_of_place(uint64_t place);
  std::string read_stack(uint64_t stack);

  Pointers &pointers_;
  Outputs *out_;
  const Object *object_;
  StackFrames frames_;
  std::unordered_map<uint64_t, std::string> symbols_, stacks_;
  std::unordered_map<uint32_t, std::string> reasons_;
};

// Loaded, or read, when it is first asked for, once. The first one takes privileges, and where it has no names the
// other has.
const KernelNamer &kernel_namer();
const Kallsyms &kernel_symbols();

// "veth_xmit+0x1f [veth]", of an address; "" of what is in no function. Says once if there are no names to show.
std::string name_of_kernel_address(uint64_t address);

// The functions of a stack that a program took, the innermost first, until an address is 0; without the program, and
// what runs programs.
std::vector<std::string> kernel_functions(std::span<const uint64_t> addresses, const KernelName &kernel_name);

// Why it has no addresses, and what to do.
inline constexpr char kHiddenAddresses[] =
    "/proc/kallsyms hides its own (try: sysctl kernel.kptr_restrict=1, and CAP_SYSLOG)";

}  // namespace strata
