// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A timeline in Chrome's trace event format, which Perfetto and speedscope open: the tool is its process, a sample a
// track of its own, and a hop a slice, which says whose it is. Times are from the start of the run: in microseconds
// since boot a double has no room for nanoseconds, and a slice ended after the next one had begun. Rejected: a track
// for each task, with arrows: a sample was several tracks, and those of one task lay on each other.
#include <algorithm>

#include "render/formats.h"
#include "render/json_value.h"
#include "render/value.h"

namespace strata {
namespace {

constexpr uint64_t kTool = 1;  // its process

double us(uint64_t ns) { return static_cast<double>(ns) / 1000; }

class PerfettoSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }

  void on(const RunInfo &info) {
    info_ = info;
    write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  }

  void on(const Sample &sample) {
    put_names(sample);
    for (size_t i = 1; i < sample.hops.size(); i++) put_slice(sample, sample.hops[i], sample.hops[i - 1].ts_ns);
  }

  void on(const Losses &losses) {
    for (const Loss &loss : losses.of) loss_[loss.reason] = loss.count;
  }

  void on(const End &) {
    write("\n],\"otherData\":" + dump({{"program", info_.head.program}, {"loss", loss_}}) + "}\n");
  }

 private:
  void put_event(const Json &event) {
    write(first_ ? "\n" : ",\n");
    first_ = false;
    write(dump(event));
  }

  void put_name(uint64_t track, const char *what, const std::string &name) {
    put_event({{"ph", "M"}, {"name", what}, {"pid", kTool}, {"tid", track}, {"args", {{"name", name}}}});
  }

  void put_names(const Sample &sample) {
    std::string name = "sample " + std::to_string(sample.id) + " " + std::string(sample.outcome->name);
    for (const NamedValue &field : sample.fields) {
      if (std::holds_alternative<std::monostate>(field.value)) continue;
      name += "  " + label_of(*field.column) + " " + value_text(*field.column, field.value, info_.head.clocks);
    }
    if (!named_) put_name(0, "process_name", "strata " + std::string(info_.tool));
    named_ = true;
    put_name(sample.id, "thread_name", name);
  }

  // Since the run began: what was before, as a page that was dirty then, has no place in it.
  [[nodiscard]] uint64_t since_start(uint64_t ns) const {
    return ns - std::min(ns, uint64_t{info_.head.clocks.monotonic_ns});
  }

  void put_slice(const Sample &sample, const Hop &hop, uint64_t from_ns) {
    Json args = {{"layer", hop.layer}, {"cpu", hop.cpu}, {"tid", hop.tid}, {"behind", hop.background}};
    put_field(args, "comm", hop.comm);
    put_fields(args, hop.fields);
    put_event({{"ph", "X"},
               {"name", hop.name},
               {"cat", hop.layer},
               {"pid", kTool},
               {"tid", sample.id},
               {"ts", us(since_start(from_ns))},
               {"dur", us(since_start(hop.ts_ns) - since_start(from_ns))},
               {"args", std::move(args)}});
  }

  RunInfo info_;
  Json loss_ = Json::object();
  bool named_ = false;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Sink> make_perfetto_sink(Writer writer) { return std::make_unique<PerfettoSink>(std::move(writer)); }

}  // namespace strata
