// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Which format of metrics the Accept header of a request asks for (RFC 9110, 12.5.1).
#pragma once

#include <string_view>

#include "render/openmetrics.h"

namespace strata {

// OpenMetrics where its name and version are there and nothing else is liked better: who does not name it may know the
// older format alone. Protocol buffers where they are liked best, as Prometheus does when it takes native histograms.
MetricsFormat format_for(std::string_view accept);

}  // namespace strata
