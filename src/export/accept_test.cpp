// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export/accept.h"

#include "base/test.h"

namespace strata {

TEST_CASE("OpenMetrics is for those who ask for it") {
  constexpr std::string_view kOfOpenMetrics[] = {
      "application/openmetrics-text",
      "application/openmetrics-text; version=1.0.0",
      "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,"
      "text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
      "text/html, Application/OpenMetrics-Text ; Q=0.1",
  };
  for (const std::string_view accept : kOfOpenMetrics) CHECK(format_for(accept) == MetricsFormat::kOpenMetrics);
}

TEST_CASE("protocol buffers are for those who like them best") {
  const auto is_protobuf = [](std::string_view accept) { return format_for(accept) == MetricsFormat::kProtobuf; };
  // Prometheus 2.42 and 3.5 with native histograms
  CHECK(
      is_protobuf("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited,"
                  "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"));
  CHECK(
      is_protobuf("application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited;"
                  "q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.2"));
  CHECK_FALSE(is_protobuf("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=text"));
  CHECK_FALSE(is_protobuf("application/vnd.google.protobuf;proto=Other;encoding=delimited"));
  CHECK_FALSE(is_protobuf("application/vnd.google.protobuf"));
  CHECK_FALSE(
      is_protobuf("application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
                  "encoding=delimited;q=0.3,text/plain;q=0.4"));
}

TEST_CASE("the older format is for all others") {
  constexpr std::string_view kOfOlder[] = {
      "",
      "*/*",
      "text/plain",
      ",;=,;",
      "text/plain, application/openmetrics-text;q=0.5",
      "application/openmetrics-text;q=0",
      "application/openmetrics-text;q=x",
      "application/openmetrics-text;version=2.0.0",
      "application/openmetrics-text2",
  };
  for (const std::string_view accept : kOfOlder) CHECK(format_for(accept) == MetricsFormat::kOlder);
}

}  // namespace strata
