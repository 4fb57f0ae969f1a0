// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What `strata run -f json` writes: no format of -o, which has one JSON for all tools.
#pragma once

#include <memory>
#include <string_view>

#include "render/sink.h"

namespace strata {

inline constexpr std::string_view kBpftraceJson = "bpftrace-json";

std::unique_ptr<Sink> make_bpftrace_json_sink(Writer writer);

}  // namespace strata
