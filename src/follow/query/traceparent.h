// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Of a request by HTTP/1 the header that joins it to a trace.
#pragma once

#include <string_view>

#include "model/traceparent.h"

namespace strata {

// Of the request's first bytes; at most kTraceparentSize. Empty: it has none, or not within these bytes, or one that is
// not well formed.
std::string_view traceparent_of(std::string_view request);

bool is_traceparent(std::string_view value);  // well formed, perhaps with more that a newer version has

}  // namespace strata
