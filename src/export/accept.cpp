// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/accept.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/text.h"

namespace strata {
namespace {

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Range {
  std::string_view type, version, message, encoding;
  double quality = 1;
};

Range range_of(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ';');
  Range range = {.type = trimmed(parts[0])};
  for (const std::string_view part : parts) {
    const std::string_view parameter = trimmed(part);
    const size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string_view name = parameter.substr(0, equals);
    const std::string_view value = parameter.substr(std::min(equals + 1, parameter.size()));
    if (equal_in_any_case(name, "version")) range.version = value;
    if (equal_in_any_case(name, "proto")) range.message = value;
    if (equal_in_any_case(name, "encoding")) range.encoding = value;
    if (!equal_in_any_case(name, "q")) continue;
    const auto [end, error] = std::from_chars(value.begin(), value.end(), range.quality);
    if (error != std::errc() || end != value.end()) range.quality = 0;
  }
  return range;
}

}  // namespace

MetricsFormat format_for(std::string_view accept) {
  double messages = 0, open = 0, older = 0;
  for (const std::string_view one : split_commas(accept)) {
    const Range range = range_of(one);
    const auto like = [&](double &format) { format = std::max(format, range.quality); };
    const bool known = range.version.empty() || range.version == "1.0.0" || range.version == "0.0.1";
    if (equal_in_any_case(range.type, "application/openmetrics-text") && known) like(open);
    if (equal_in_any_case(range.type, "text/plain")) like(older);
    const bool delimited = range.message == "io.prometheus.client.MetricFamily" && range.encoding == "delimited";
    if (equal_in_any_case(range.type, "application/vnd.google.protobuf") && delimited) like(messages);
  }
  if (messages > std::max(open, older)) return MetricsFormat::kProtobuf;
  return open > 0 && open >= older ? MetricsFormat::kOpenMetrics : MetricsFormat::kOlder;
}

}  // namespace strata
