// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/syscall.h"

#include <asm/unistd.h>

#include <span>

namespace strata {

namespace {

// The name is in the entry: 800 pointers would be relocated at each start.
struct Call {
  int16_t number;
  char name[30];
};

constexpr Call kCalls[] = {
#include "syscalls.h"
};

constexpr Call kCalls32[] = {
#include "syscalls32.h"
    {-1, ""},  // where there are no 32-bit programs
};

// Newer than the headers of Debian 12; from 424 on the numbers are those of all architectures.
constexpr Call kNewCalls[] = {
    {451, "cachestat"},         {452, "fchmodat2"},         {453, "map_shadow_stack"}, {454, "futex_wake"},
    {455, "futex_wait"},        {456, "futex_requeue"},     {457, "statmount"},        {458, "listmount"},
    {459, "lsm_get_self_attr"}, {460, "lsm_set_self_attr"}, {461, "lsm_list_modules"}, {462, "mseal"},
    {463, "setxattrat"},        {464, "getxattrat"},        {465, "listxattrat"},      {466, "removexattrat"},
    {467, "open_tree_attr"},    {468, "file_getattr"},      {469, "file_setattr"},
};

std::string_view name_in(std::span<const Call> calls, uint64_t number) {
  for (const Call &call : calls)
    if (call.number == static_cast<int64_t>(number)) return call.name;
  return {};
}

int64_t number_in(std::span<const Call> calls, std::string_view name) {
  for (const Call &call : calls)
    if (name == call.name) return call.number;
  return -1;
}

std::string name_of(std::span<const Call> calls, uint64_t number) {
  std::string_view name = name_in(calls, number);
  if (name.empty()) name = name_in(kNewCalls, number);
  return name.empty() ? "syscall " + std::to_string(number) : std::string(name);
}

int64_t number_of(std::span<const Call> calls, std::string_view name) {
  const int64_t number = number_in(calls, name);
  return number >= 0 ? number : number_in(kNewCalls, name);
}

}  // namespace

std::string syscall_name(uint64_t number) { return name_of(kCalls, number); }
int64_t syscall_number(std::string_view name) { return number_of(kCalls, name); }
std::string syscall32_name(uint64_t number) { return name_of(kCalls32, number); }
int64_t syscall32_number(std::string_view name) { return number_of(kCalls32, name); }

std::vector<size_t> syscall32_numbers(std::string_view name) {
  std::vector<size_t> numbers;
  for (const std::string &one : {std::string(name), std::string(name) + "64"})
    if (const int64_t number = syscall32_number(one); number >= 0) numbers.push_back(static_cast<size_t>(number));
  return numbers;
}

std::vector<std::string_view> syscall_names() {
  std::vector<std::string_view> names;
  for (const std::span<const Call> calls : {std::span<const Call>(kCalls), {kCalls32}, {kNewCalls}})
    for (const Call &call : calls)
      if (call.number >= 0) names.push_back(call.name);
  return names;
}

}  // namespace strata
