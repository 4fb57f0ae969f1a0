// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Constants of C's headers that BTF does not have, as they are macros.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace strata::expr {

std::optional<uint64_t> named_constant(std::string_view name);  // "AF_INET", "O_CREAT", "EAGAIN", "SIGKILL", "PATH_MAX"

}  // namespace strata::expr
