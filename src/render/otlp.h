// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The messages of OTLP in JSON, for an OpenTelemetry collector and what it feeds: of samples, for -o otlp and what an
// exporter pushes, and of metrics.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "render/openmetrics.h"
#include "render/sink.h"

namespace strata {

// Spans: a sample is a trace: a span of the whole, with the first hop as its event, and one below it for each other
// hop, from the hop before. Attributes are strata's keys; of threads, which have no key here, those of the semantic
// conventions.
class OtlpSpans {
 public:
  explicit OtlpSpans(std::string service = "");  // empty: the program as it was called
  ~OtlpSpans();
  void begin(const RunInfo &info);
  [[nodiscard]] std::string resource_spans(const Sample &sample) const;  // an element of the list of that name

 private:
  struct Run;

  std::string service_;
  std::unique_ptr<Run> run_;
};

// ExportMetricsServiceRequest: counters as cumulative sums since the run of `head` began, histograms with explicit
// bounds.
std::string otlp_metrics(const Families &families, const RecordingHead &head, const std::string &service,
                         uint64_t now_ns);

}  // namespace strata
