// What strata syscount is to count: the calls and the error that --calls and --error name.
#pragma once

#include <fnmatch.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"
#include "kern/errno.h"
#include "kern/syscall.h"
#include "syscount/syscount.h"

namespace strata {

using WantedCalls = std::array<uint8_t, SYSCOUNT_CALLS>;

inline bool want_calls(WantedCalls &wanted, const std::string &pattern) {
  bool any = false;
  for (const std::string_view name : syscall_names()) {
    if (fnmatch(pattern.c_str(), std::string(name).c_str(), 0) != 0) continue;
    const int64_t number = syscall_number(name), number32 = syscall32_number(name);
    if (number >= 0) wanted[static_cast<size_t>(number)] = 1;
    if (number32 >= 0) wanted[static_cast<size_t>(number32 + SYSCOUNT_32BIT)] = 1;
    if (name == "rt_sigreturn") wanted[SYSCOUNT_RESTORED] = 1;
    any = true;
  }
  return any;
}

// Of "openat,*stat*": which are wanted, of 64-bit and of 32-bit programs; throws a usage Error.
inline WantedCalls wanted_calls(std::string_view text) {
  WantedCalls wanted = {};
  for (const std::string_view word : split_commas(text))
    if (!want_calls(wanted, std::string(word)))
      throw usage_error("--calls: no system call is called '" + printable(word) + "'" + meant(word, syscall_names()));
  return wanted;
}

inline uint32_t wanted_error(std::string_view text) {
  for (uint32_t number = 1; number < 4096; number++)
    if (text == std::to_string(number)) return number;
  if (const int named = errno_number(text)) return static_cast<uint32_t>(named);
  throw usage_error("--error takes the name or number of an error, such as ENOENT or 2, not '" + printable(text) + "'" +
                    meant(text, errno_names()));
}

}  // namespace strata
