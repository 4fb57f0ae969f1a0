// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What an exporter is to do, in a file of TOML. The one that is in the binary, tools/export/export.toml, has all keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "export/http_server.h"

namespace strata {

struct ExportedTool {
  std::vector<std::string> words;  // its name and its arguments
  std::string place;               // "FILE:LINE:COLUMN", of messages
  uint64_t interval_ns = 0;
  size_t most_series = 0;  // of each family
};

struct PushTarget {
  std::string host;  // a name, or an address; empty: nothing is pushed
  uint16_t port = 0;
  std::string path = {};  // in front of /v1/metrics
  uint64_t interval_ns = 0;
};

struct ExportFile {
  SocketAddress listen;
  uint64_t budget_millionths = 0;  // of one CPU
  uint64_t budget_every_ns = 0;    // from measurement to measurement
  PushTarget push;
  std::vector<ExportedTool> tools;  // one at least
};

// Throws a usage Error: it cannot be read, or its text is wrong at FILE:LINE:COLUMN.
ExportFile read_export_file(const std::string &file);
ExportFile parse_export_file(const std::string &file, std::string_view text);  // the name is for messages

}  // namespace strata
