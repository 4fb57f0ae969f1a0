// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a block request does, in the words of blktrace.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

// `flags` is bio.bi_opf or request.cmd_flags: operation in the low 8 bits, flags above. "write fua sync meta".
std::string request_text(uint32_t flags);
std::string request_operation(uint32_t flags);  // "read", "write", "flush", "discard", ...
// In the letters of blktrace and of the tracepoints' rwbs: "WFSM".
std::string request_letters(uint32_t flags);
bool request_is_metadata(uint32_t flags);

}  // namespace strata
