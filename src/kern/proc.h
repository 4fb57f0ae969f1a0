// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What text files of /proc and /sys say. A name or a path in them may hold nearly any byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/lines.h"

namespace strata {

std::string_view text_symbol(std::string_view line);  // of /proc/kallsyms: a function's name; "" if it is none
uint64_t effective_capabilities(Lines &status);       // of /proc/PID/status; 0 if it does not tell
uint32_t thread_group(Lines &status);                 // the same file's Tgid; 0 if it does not tell
uint32_t parent_process(Lines &status);               // its PPid; 0 if it has none
std::string chosen_word(std::string_view words);      // "none [integrity] other" -> "integrity"; "" if there is none
std::string mount_point_of(std::string_view type, Lines &mounts);  // the first of that type; "" if there is none
std::optional<uint32_t> mounted_device(uint64_t mount_id, Lines &mountinfo);  // the kernel's dev_t
std::string value_of_key(std::string_view key, Lines &uevent);  // the last "KEY=value"; "" if there is none

}  // namespace strata
