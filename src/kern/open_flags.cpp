// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/open_flags.h"

#include <fcntl.h>
#include <linux/openat2.h>

#include "base/format.h"
#include "base/text.h"

namespace strata {
namespace {

struct Name {
  uint64_t bits;
  std::string_view name;
};

// The C library of a 64-bit machine has 0 for it; the bit is the kernel's.
#if defined(__aarch64__)
constexpr uint64_t kLargeFile = 0400000;
#else
constexpr uint64_t kLargeFile = 0100000;
#endif

constexpr std::string_view kAccess[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
// O_SYNC and O_TMPFILE before the flags that they contain.
constexpr Name kFlags[] = {
    {O_CREAT, "O_CREAT"},       {O_EXCL, "O_EXCL"},         {O_NOCTTY, "O_NOCTTY"},   {O_TRUNC, "O_TRUNC"},
    {O_APPEND, "O_APPEND"},     {O_NONBLOCK, "O_NONBLOCK"}, {O_SYNC, "O_SYNC"},       {O_DSYNC, "O_DSYNC"},
    {O_ASYNC, "O_ASYNC"},       {O_DIRECT, "O_DIRECT"},     {O_TMPFILE, "O_TMPFILE"}, {O_DIRECTORY, "O_DIRECTORY"},
    {O_NOFOLLOW, "O_NOFOLLOW"}, {O_NOATIME, "O_NOATIME"},   {O_CLOEXEC, "O_CLOEXEC"},
};
constexpr Name kResolve[] = {
    {RESOLVE_NO_XDEV, "RESOLVE_NO_XDEV"},         {RESOLVE_NO_MAGICLINKS, "RESOLVE_NO_MAGICLINKS"},
    {RESOLVE_NO_SYMLINKS, "RESOLVE_NO_SYMLINKS"}, {RESOLVE_BENEATH, "RESOLVE_BENEATH"},
    {RESOLVE_IN_ROOT, "RESOLVE_IN_ROOT"},         {0x20, "RESOLVE_CACHED"},
};

template <size_t N>
void append_names(std::string &text, uint64_t bits, const Name (&names)[N]) {
  for (const Name &one : names) {
    if ((bits & one.bits) != one.bits) continue;
    text += (text.empty() ? "" : "|");
    text += one.name;
    bits &= ~one.bits;
  }
  if (bits != 0) text += formatted("{}{:#x}", text.empty() ? "" : "|", bits);
}

// By its name, with or without its O_, in any case.
bool is_flag(std::string_view flag, std::string_view name) {
  return equal_in_any_case(flag, name) || equal_in_any_case(flag.substr(2), name);
}

}  // namespace

std::string open_flags_text(uint64_t flags) {
  const bool path = (flags & O_PATH) != 0;
  std::string text(path ? "O_PATH" : kAccess[flags & O_ACCMODE]);
  append_names(text, flags & ~(kLargeFile | O_PATH | (path ? 0 : O_ACCMODE)), kFlags);
  return text;
}

std::string resolve_text(uint64_t resolve) {
  std::string text;
  append_names(text, resolve, kResolve);
  return text;
}

std::string mode_text(uint64_t mode) { return formatted("{:04o}", mode); }

bool makes_a_file(uint64_t flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

bool add_open_flag(OpenFlagSet &set, std::string_view name) {
  for (uint32_t access = O_RDONLY; access <= O_RDWR; access++) {
    if (!is_flag(kAccess[access], name)) continue;
    set.access |= 1U << access;
    return true;
  }
  for (const Name &one : kFlags) {
    if (!is_flag(one.name, name)) continue;
    const uint64_t contained = one.bits == O_SYNC ? O_DSYNC : one.bits == O_TMPFILE ? O_DIRECTORY : 0;
    set.flags |= one.bits & ~contained;
    return true;
  }
  if (!is_flag("O_PATH", name)) return false;
  set.flags |= O_PATH;
  return true;
}

std::vector<std::string> open_flag_names() {
  std::vector<std::string> names = {"O_PATH"};
  for (uint32_t access = O_RDONLY; access <= O_RDWR; access++) names.emplace_back(kAccess[access]);
  for (const Name &one : kFlags) names.emplace_back(one.name);
  return names;
}

}  // namespace strata
