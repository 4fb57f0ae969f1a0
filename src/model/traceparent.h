// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The trace that a sample is a part of, as a request by HTTP says it: "00-TRACE_ID-PARENT_ID-FLAGS"
// (https://www.w3.org/TR/trace-context, 2.2), all in hexadecimal digits. A sample has it as the field of this key.
#pragma once

#include <cstddef>
#include <string_view>

namespace strata {

constexpr std::string_view kTraceparentKey = "traceparent";
constexpr size_t kTraceparentSize = 55;  // bytes, of version 00, and of what newer ones begin with

// Of one that is well formed.
constexpr std::string_view trace_id_of(std::string_view traceparent) { return traceparent.substr(3, 32); }
constexpr std::string_view parent_id_of(std::string_view traceparent) { return traceparent.substr(36, 16); }

}  // namespace strata
