// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Error numbers as the names that everybody greps for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

std::string errno_name(int64_t err);  // 28 or -28 -> "ENOSPC"; unknown -> "errno 4711"

// "ENOSPC" -> 28, also the other names of the same ("EWOULDBLOCK"); 0 if there is none.
int errno_number(std::string_view name);
std::vector<std::string_view> errno_names();

// blk_status_t, as block_rq_complete has it on newer kernels (5.10: an errno). Numbers that changed their meaning
// between kernels (14 to 18) have no errno of their own.
std::string block_status_name(uint8_t status);  // "EIO", "ENOSPC", ...; 0 -> "", unknown -> "status 17"
int block_status_errno(uint8_t status);         // 0 for success, EIO for what is unknown, as the kernel does

}  // namespace strata
