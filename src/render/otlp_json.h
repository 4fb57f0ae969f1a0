// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the messages of OTLP have in common.
#pragma once

#include <string>
#include <string_view>

#include "rec/recording.h"
#include "render/json_value.h"

namespace strata {

inline Json otlp_text(std::string_view key, const std::string &text) {
  return {{"key", key}, {"value", {{"stringValue", text}}}};
}

// The host that a run was on, and the service that all of it is of.
inline Json otlp_resource(const RecordingHead &head, const std::string &service) {
  return {{"attributes", Json::array({otlp_text("service.name", service), otlp_text("service.version", head.version),
                                      otlp_text("host.name", head.host), otlp_text("os.type", "linux"),
                                      otlp_text("os.version", head.kernel)})}};
}

inline Json otlp_scope(const RecordingHead &head) { return {{"name", "strata"}, {"version", head.version}}; }

}  // namespace strata
