// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// How a C library says that a host was not found, as the names of netdb.h.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

std::string eai_name(int32_t code);      // of getaddrinfo(3): -2 -> "EAI_NONAME"; glibc and musl have the same numbers
std::string h_errno_name(int32_t code);  // of gethostbyname(3): 2 -> "TRY_AGAIN"

}  // namespace strata
