// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a run has counted, as OpenMetrics 1.0. A file is replaced as a whole after each interval, for the text-file
// collector of node_exporter.
//
// That collector reads the older text format, where the name of a counter's family ends with _total, too; else it has
// neither its type nor its help, and drops a second file's. So FILE.prom has the names of that format.
#include "render/openmetrics.h"

#include "render/formats.h"
#include "render/openmetrics_totals.h"

namespace strata {
namespace {

constexpr uint64_t kIntervalNs = 15'000'000'000;  // as many scrape, unless --interval says another

class OpenMetricsSink final : public Sink {
 public:
  explicit OpenMetricsSink(Writer own) : Sink(std::move(own)), replaces_(writer().replaceable()) {
    if (writer().name().ends_with(".prom")) format_ = MetricsFormat::kOlder;
  }

  void put(const Item &item) override {
    totals_.put(item);
    dispatch(*this, item);
  }

  void flush() override {
    if (totals_.take_changed() && replaces_) writer().replace(exposition());
  }

  [[nodiscard]] uint64_t interval_ns() const override { return replaces_ ? kIntervalNs : 0; }
  [[nodiscard]] bool replaces_file() const override { return replaces_; }

  void on(const End &) {
    if (replaces_)
      flush();
    else
      write(exposition());
  }

 private:
  [[nodiscard]] std::string exposition() const {
    Families families;
    totals_.add_to(families);
    return families.exposition(format_);
  }

  bool replaces_;  // the file
  MetricsFormat format_ = MetricsFormat::kOpenMetrics;
  RunTotals totals_;
};

}  // namespace

std::unique_ptr<Sink> make_openmetrics_sink(Writer writer) {
  return std::make_unique<OpenMetricsSink>(std::move(writer));
}

}  // namespace strata
