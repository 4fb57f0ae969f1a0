// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The commands of redis, valkey and their like, as RESP has them: arrays of texts, each with its length.
#pragma once

#include <optional>
#include <string>

#include "follow/query/label.h"

namespace strata {

// "GET", "CONFIG SET", of a batch "16 commands"; of one whose bytes were not all taken "more than 20 commands".
std::optional<std::string> resp_label(const RequestBytes &bytes, Literals literals);

}  // namespace strata
